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
 * (`sheaf run`) inputs are zero. A native build needs definitions of these four functions: `sheaf replay` and
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

/* The `size` bytes at `object`, as they are now, are an output: what `signature`, `diff` and the explorer
 * `output` look at. It changes nothing. */
void sheaf_output(const void *object, size_t size, const char *name);

#ifdef __cplusplus
}
#endif

#endif
