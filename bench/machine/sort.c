// Quicksort and heap sort of integers: swaps through pointers, recursion.
#include <stdio.h>
#include <stdlib.h>

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

static void quick(int *v, int low, int high)
{
    while (low < high) {
        int pivot = v[(low + high) / 2], i = low, j = high;
        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i <= j)
                swap(&v[i++], &v[j--]);
        }
        quick(v, low, j);
        low = i;
    }
}

static void sift(int *v, int root, int n)
{
    for (int child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && v[child] < v[child + 1])
            child++;
        if (v[root] >= v[child])
            return;
        swap(&v[root], &v[child]);
    }
}

static void heap(int *v, int n)
{
    for (int i = n / 2 - 1; i >= 0; i--)
        sift(v, i, n);
    for (int i = n - 1; i > 0; i--) {
        swap(&v[0], &v[i]);
        sift(v, 0, i);
    }
}

int main(void)
{
    enum { N = 400000 };
    int *v = malloc(N * sizeof *v);
    unsigned seed = 12345;
    long check = 0;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < N; i++)
            v[i] = (int)((seed = seed * 1103515245u + 12345u) >> 8);
        if (round & 1)
            heap(v, N);
        else
            quick(v, 0, N - 1);
        for (int i = 1; i < N; i++)
            check += v[i - 1] <= v[i];
    }
    printf("%ld\n", check);
    free(v);
    return 0;
}
