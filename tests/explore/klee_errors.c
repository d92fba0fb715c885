// tests: 3
// An error of its own, an assertion, and all else; a silent end makes no test.
#include <assert.h>
#include <stddef.h>

#define klee_assert(e) assert(e)

void klee_make_symbolic(void *at, size_t size, const char *name);
_Noreturn void klee_report_error(const char *file, int line, const char *message, const char *suffix);
_Noreturn void klee_silent_exit(int status);

int main(void)
{
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x == 1)
        klee_report_error("klee_errors.c", 14, "one", "user"); //! reported
    if (x == 2)
        klee_silent_exit(0);
    if (x == 3)
        klee_assert(x != 3); //! assert
    return 0;
}
