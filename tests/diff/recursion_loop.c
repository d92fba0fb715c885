/* recursion becomes a loop
 * VERDICT same */
/* The sum of the numbers up to n. */
#ifdef NEW
static int up_to(int n)
{
    int sum = 0;
    while (n > 0)
        sum += n--;
    return sum;
}
#else
static int up_to(int n)
{
    if (n <= 0)
        return 0;
    return n + up_to(n - 1);
}
#endif
int triangle(int n)
{
    return up_to(n & 7);
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -300; a <= 300; a++)
        printf("%d\n", triangle(a));
    return 0;
}
#endif
