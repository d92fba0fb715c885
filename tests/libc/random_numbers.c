/* The generators of stdlib.h, number for number. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    for (int i = 0; i < 50; i++)
        printf("%d%c", rand(), i % 10 == 9 ? '\n' : ' ');
    static const unsigned seeds[] = {0, 1, 2, 42, 123456789, 2147483647u, 2147483648u, 4294967295u};
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++) {
        srand(seeds[k]);
        for (int i = 0; i < 5; i++)
            printf("%d ", rand());
        srandom(seeds[k]);
        for (int i = 0; i < 5; i++)
            printf("%ld ", random());
        unsigned state = seeds[k];
        for (int i = 0; i < 5; i++)
            printf("%d ", rand_r(&state));
        printf("%u\n", state);
    }
    static const size_t sizes[] = {8, 31, 32, 64, 100, 128, 256, 300};
    static int areas[8][80];
    char *before = NULL;
    for (int k = 0; k < 8; k++) {
        char *old = initstate(77u + (unsigned)k, (char *)areas[k], sizes[k]);
        printf("%zu %d:", sizes[k], k == 0 || old == before);
        before = (char *)areas[k];
        for (int i = 0; i < 100; i++) {
            long r = random();
            if (i < 4 || i > 96)
                printf(" %ld", r);
        }
        printf("\n");
    }
    for (int k = 7; k >= 0; k--) {
        setstate((char *)areas[k]);
        printf("%ld %ld\n", random(), random());
    }
    printf("%d\n", initstate(1, (char *)areas[0], 7) == NULL);
    struct random_data data;
    memset(&data, 0, sizeof data);
    int32_t out;
    initstate_r(5, (char *)areas[3], 64, &data);
    for (int i = 0; i < 5; i++) {
        random_r(&data, &out);
        printf("%d ", out);
    }
    srandom_r(9, &data);
    random_r(&data, &out);
    printf("%d\n", out);
    printf("%.17g %ld %ld\n", drand48(), lrand48(), mrand48());
    srand48(42);
    unsigned short x[3] = {1, 2, 3}, p[7] = {1, 2, 3, 4, 5, 6, 7};
    for (int i = 0; i < 6; i++)
        printf("%.17g %ld %ld %.17g %ld %ld\n", drand48(), lrand48(), mrand48(), erand48(x), nrand48(x), jrand48(x));
    unsigned short *old = seed48(x);
    printf("%d %d %d %.17g\n", old[0], old[1], old[2], drand48());
    lcong48(p);
    printf("%.17g %.17g\n", drand48(), erand48(x));
    srand48(-1);
    printf("%ld %ld\n", lrand48(), mrand48());
    return 0;
}
