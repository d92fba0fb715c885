/* three exchanges become insertion sort
 * VERDICT same */
static void order(int *a, int *b)
{
    if (*a > *b) {
        int t = *a;
        *a = *b;
        *b = t;
    }
}
void sort(int *v)
{
    if (!v)
        return;
#ifdef NEW
    for (int i = 1; i < 3; i++) {
        int x = v[i], k = i;
        while (k > 0 && v[k - 1] > x) {
            v[k] = v[k - 1];
            k--;
        }
        v[k] = x;
    }
#else
    order(&v[0], &v[1]);
    order(&v[1], &v[2]);
    order(&v[0], &v[1]);
#endif
}
#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 27; i++) {
        int v[3] = {i % 3, i / 3 % 3, i / 9};
        sort(v);
        printf("%d%d%d\n", v[0], v[1], v[2]);
    }
    return 0;
}
#endif
