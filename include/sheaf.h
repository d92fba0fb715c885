/* sheaf.h - how a program under test names its inputs, states what it expects of them and when it fails, and
 * names its outputs.
 *
 *     #include <sheaf.h>
 *
 *     int main(void)
 *     {
 *         int x, y;
 *         sheaf_symbolic(&x, sizeof x, "x");
 *         sheaf_symbolic(&y, sizeof y, "y");
 *         sheaf_assume(x > 0);
 *         int sum = x + y;
 *         sheaf_output(&sum, sizeof sum, "sum");
 *     }
 *
 * `sheaf test` then finds an input for each behaviour, `sheaf signature` says what `sum` is and when. On a
 * concrete run
 * (`sheaf run`) inputs are zero. A native build needs definitions of these functions: `sheaf replay` and
 * the C files that `--emit c` writes bring their own, which take the inputs from a test. */
#ifndef SHEAF_H
#define SHEAF_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The `size` bytes at `object` become an input that can be anything. The name appears in tests and
 * conditions; the same name given again names a further input. */
void sheaf_symbolic(void *object, size_t size, const char *name);

/* Only runs on which the condition is not 0 are of interest; others end here and are neither tests nor
 * faults. */
void sheaf_assume(long condition);

/* If the condition is not 0 the program fails here, as by a failed assertion, whatever NDEBUG says: a fault
 * ("reported") that `test`, `reach`, `prove` and `require` look for. */
void sheaf_fail_if(long condition);

/* ---- arguments ------------------------------------------------------------------------------------
 *
 * What a harness calls a function with. `sheaf harness PROGRAM --entry F` writes one that does what
 * `sheaf test PROGRAM --entry F` does, to be edited. Each of these makes an object of its own, on the heap,
 * that ends exactly where it says: one byte further is a fault. */

/* An object of `size` bytes that can be anything. */
void *sheaf_object(size_t size, const char *name);

/* A string of up to `max` characters; it ends with its first NUL. */
char *sheaf_string(size_t max, const char *name);

/* A stream, a FILE *: to read up to `max` bytes from, or to write to. Which of the two shows when it is used;
 * one that is first written to is empty. */
void *sheaf_stream(size_t max, const char *name);

/* A number from 0 to `max`. */
size_t sheaf_size(size_t max, const char *name);

/* An array of exactly `n` elements of `size` bytes each. `n` may be an input, or be computed from one. If
 * nothing says how large it can be, as sheaf_size does, `--elements` does: a longer array may be passed on
 * and compared with NULL, but runs that follow the pointer are of no interest. */
void *sheaf_array(size_t n, size_t size, const char *name);

/* The pointer, or NULL. */
void *sheaf_maybe_null(const void *object);

/* One of the values, which have this type: sheaf_any_of(struct node *, "next", a, b, NULL). */
#define sheaf_any_of(type, name, ...) \
    (((type[]){__VA_ARGS__})[sheaf_choice(sizeof((type[]){__VA_ARGS__}) / sizeof(type), name)])
/* A number below n. */
size_t sheaf_choice(size_t n, const char *name);

/* The `size` bytes at `object`, as they are now, are an output: what `signature`, `diff` and the explorer
 * `output` look at. It changes nothing. */
void sheaf_output(const void *object, size_t size, const char *name);

#ifdef __cplusplus
}
#endif

#endif
