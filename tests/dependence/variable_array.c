/* An array of variable length: which registers are read again is not known there. */
#include <stdio.h>
static int sum(int n, int c)
{
    char a[n];
    for (int i = 0; i < n; i++)
        a[i] = (char)c;
    return a[n - 1] == 'z';
}
int main(void)
{
    int c = getchar(), d = getchar();
    int n = sum(c == 'x' ? 2 : 3, d);
    return 10 / (n - (c == 'x'));
}
