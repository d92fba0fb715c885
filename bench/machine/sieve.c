// Sieve of Eratosthenes: byte stores with growing strides.
#include <stdio.h>
#include <string.h>

enum { LIMIT = 4000000 };
static char composite[LIMIT + 1];

int main(void)
{
    long sum = 0;
    for (int round = 0; round < 9; round++) {
        memset(composite, 0, sizeof composite);
        int count = 0;
        for (int i = 2; i <= LIMIT; i++) {
            if (composite[i])
                continue;
            count++;
            for (long j = (long)i * i; j <= LIMIT; j += i)
                composite[j] = 1;
        }
        sum += count;
    }
    printf("%ld\n", sum);
    return 0;
}
