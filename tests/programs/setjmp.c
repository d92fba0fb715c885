// setjmp and longjmp: error recovery out of deep calls, loops of retries, values kept in volatile and plain locals.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf recover;

static int parse(const char *s, int depth)
{
    if (*s == '!')
        longjmp(recover, depth);
    if (!*s)
        return depth;
    return parse(s + 1, depth + 1);
}

static int attempt(const char *s)
{
    int code = setjmp(recover);
    if (code)
        return -code;
    return parse(s, 1);
}

int main(void)
{
    printf("%d %d %d\n", attempt("abc"), attempt("ab!c"), attempt("!"));
    jmp_buf loop;
    volatile int tries = 0;
    int r = setjmp(loop);
    printf("returned %d after %d\n", r, tries);
    if (++tries < 4)
        longjmp(loop, tries * 11);
    jmp_buf zero;
    if ((r = setjmp(zero)) == 0)
        longjmp(zero, 0);
    printf("%d\n", r);
    return 0;
}
