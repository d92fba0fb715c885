/* What is written in a callee is read where a jump leads to, and nowhere else. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf back;
struct S {
    int a, b;
};
static void deep(struct S *s, int c)
{
    s->a = c;
    if (c == 'x')
        longjmp(back, 1);
    s->a = 0;
}
int main(void)
{
    struct S s = {0, 0};
    volatile int rounds = 0;
    if (setjmp(back)) {
        if (s.a == 'x' && s.b == 1)
            abort();
        return 1;
    }
    for (int i = 0; i < 3; i++) {
        int c = getchar();
        if (c == 'b')
            s.b = 1;
        deep(&s, c);
        rounds++;
    }
    return s.b;
}
