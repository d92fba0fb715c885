/* of three functions that call each other in a circle one has changed; the one that its caller calls has not
 * VERDICT different */
static int expression(int n);
static int primary(int n) { return n <= 0 ? 1 : expression(n - 1); }
static int term(int n) { return primary(n) * 3; }
#ifdef NEW
static int expression(int n) { return term(n) + 2; }
#else
static int expression(int n) { return term(n) + 1; }
#endif

int evaluate(int n) { return n < 5 ? term(n) : 0; }

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int n = -2; n < 8; n++)
        printf("%d\n", evaluate(n));
    return 0;
}
#endif
