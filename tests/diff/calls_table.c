/* functions are called by a table
 * VERDICT same */
typedef int (*op)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
int apply(int k, int a, int b)
{
    a &= 1023;
    b &= 1023;
#ifdef NEW
    static const op ops[] = {add, sub};
    return ops[k & 1](a, b);
#else
    return k & 1 ? sub(a, b) : add(a, b);
#endif
}
#ifdef BRUTE
#include <stdio.h>
int main(void) { for (int i = -3; i < 4; i++) printf("%d\n", apply(i, 5, 9)); }
#endif
