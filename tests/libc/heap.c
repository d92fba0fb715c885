/* The heap: growth, content, alignment, refusals. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = NULL;
    for (size_t n = 1; n < 5000; n = n * 3 + 1) {
        p = realloc(p, n);
        memset(p + n / 3, 'a' + (int)(n % 26), n - n / 3);
        unsigned sum = 0;
        for (size_t i = 0; i < n; i++)
            sum = sum * 31 + (unsigned char)p[i] * (i >= n / 3);
        printf("%zu %u %d\n", n, sum, (uintptr_t)p % 16 == 0);
    }
    p = realloc(p, 10);
    p[9] = 0;
    printf("%.9s\n", p + 9 - 9 > p ? "" : "kept");
    free(p);
    free(NULL);
    int *z = calloc(100, sizeof *z), nonzero = 0;
    for (int i = 0; i < 100; i++)
        nonzero |= z[i];
    printf("%d\n", nonzero);
    z = reallocarray(z, 200, sizeof *z);
    z[199] = 7;
    printf("%d\n", z[50] + z[199]);
    free(z);
    errno = 0;
    volatile size_t huge = SIZE_MAX;
    printf("%d %d ", malloc(huge) == NULL, errno == ENOMEM);
    errno = 0;
    printf("%d %d ", calloc(huge / 2, 3) == NULL, errno == ENOMEM);
    errno = 0;
    printf("%d %d ", reallocarray(NULL, huge, 2) == NULL, errno == ENOMEM);
    void *keep = malloc(8);
    strcpy(keep, "intact");
    printf("%d %s\n", realloc(keep, huge) == NULL, (char *)keep);
    free(keep);
    for (size_t align = 8; align <= 4096; align *= 2) {
        void *a = aligned_alloc(align, align * 2), *m = memalign(align, 100), *x = NULL;
        int r = posix_memalign(&x, align, 50);
        printf("%d%d%d%d ", (uintptr_t)a % align == 0, (uintptr_t)m % align == 0, r, (uintptr_t)x % align == 0);
        memset(a, 1, align * 2);
        memset(m, 1, 100);
        memset(x, 1, 50);
        free(a), free(m), free(x);
    }
    void *x = NULL;
    printf("%d %d %d\n", posix_memalign(&x, 3, 8) == EINVAL, posix_memalign(&x, 4, 8) == EINVAL,
           posix_memalign(&x, 24, 8) == EINVAL);
    void *page = valloc(10);
    printf("%d %d %d\n", (uintptr_t)page % 4096 == 0, malloc_usable_size(page) >= 10, malloc_usable_size(NULL) == 0);
    free(page);
    void *a = malloc(0), *b = malloc(0);
    printf("%d %d\n", a != NULL, a != b);
    free(a), free(b);
    printf("%d\n", realloc(malloc(5), 0) == NULL);
    return 0;
}
