// GNU vector types: arithmetic, comparison masks, shuffles, element access.
#include <stdio.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));

static v4 scale(v4 a, int by) { return a * by + (v4){1, 2, 3, 4}; }

int main(void)
{
    v4 a = {1, -2, 3, -4}, b = scale(a, 3), mask = a < b;
    f4 f = {1.5f, 2.5f, -1, 0}, g = f * f - 1;
    b16 bytes = {0};
    for (int i = 0; i < 16; i++)
        bytes[i] = (unsigned char)(i * 17);
    bytes = bytes >> 2 ^ 3;
    for (int i = 0; i < 4; i++)
        printf("%d %d %d %g\n", a[i], b[i], mask[i], g[i]);
    v4 mixed = __builtin_shufflevector(a, b, 0, 5, 2, 7);
    for (int i = 0; i < 4; i++)
        printf("%d ", mixed[i]);
    for (int i = 0; i < 16; i++)
        printf("%d ", bytes[i]);
    printf("%zu\n", sizeof(v4));
    return 0;
}
