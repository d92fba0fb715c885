/* digits are collected backwards
 * VERDICT same */
void put(char *out, unsigned char v)
{
    if (!out)
        return;
#ifdef NEW
    char t[4];
    int n = 0, k = 0;
    do
        t[n++] = '0' + v % 10;
    while (v /= 10);
    while (n)
        out[k++] = t[--n];
    out[k] = 0;
#else
    int k = 0;
    if (v >= 100)
        out[k++] = '0' + v / 100;
    if (v >= 10)
        out[k++] = '0' + v / 10 % 10;
    out[k++] = '0' + v % 10;
    out[k] = 0;
#endif
}
#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 256; i++) {
        char b[4];
        put(b, i);
        printf("%s\n", b);
    }
    return 0;
}
#endif
