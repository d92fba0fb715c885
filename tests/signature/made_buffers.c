/* Memory that a function makes and hands to va_start or setjmp (-DJUMP), which fill it under a branch: they are no plain writes, so
 * the branch takes all buffers of their kind for written, and so must a branch around the call of the function. What the first
 * buffer holds depends on both, whether or not the function is called again. */
#include <setjmp.h>
#include <sheaf.h>
#include <stdarg.h>
#include <stdlib.h>

typedef struct Buffers {
    va_list rest;
    jmp_buf back;
} Buffers;

static Buffers *fill(int n, ...)
{
    Buffers *b = NULL;
    if (n > 0) {
#ifdef JUMP
        setjmp((b = calloc(1, sizeof *b))->back);
#else
        b = calloc(1, sizeof *b);
        va_start(b->rest, n);
#endif
    }
    return b;
}

int main(void)
{
    unsigned char x, y;
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    char *first = (char *)fill(1, 5);
#ifdef JUMP
    first += offsetof(Buffers, back);
#endif
    if (x > 3)
        fill(y > 3, 7);
    return !*first;
}
