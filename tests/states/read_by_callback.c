/* A comparison that sorting calls reads a global; what was sorted is read from a copy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int key;
static int cmp(const void *a, const void *b)
{
    if (key == 'k')
        return *(const char *)b - *(const char *)a;
    return *(const char *)a - *(const char *)b;
}
int main(void)
{
    char v[3];
    char copy[8];
    for (int i = 0; i < 3; i++) {
        int c = getchar();
        v[i] = (char)(c == 'a' ? 1 : c == 'b' ? 2 : 0);
        if (c == 'k')
            key = c;
    }
    qsort(v, 3, 1, cmp);
    memcpy(copy, v, 3);
    memset(v, 0, 3);
    key = 0;
    if (copy[0] == 2 && copy[2] == 0 && copy[1] == 0)
        abort();
    return copy[0] == 1 && copy[1] == 1;
}
