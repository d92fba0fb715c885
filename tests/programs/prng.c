// Generators of our own: xorshift, a Mersenne-like twister, a shuffle, a histogram.
#include <stdint.h>
#include <stdio.h>

static uint64_t s = 88172645463325252ull;
static uint64_t xorshift(void)
{
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return s;
}

int main(void)
{
    int deck[52], histogram[10] = {0};
    for (int i = 0; i < 52; i++)
        deck[i] = i;
    for (int i = 51; i > 0; i--) {
        int j = (int)(xorshift() % (unsigned)(i + 1)), t = deck[i];
        deck[i] = deck[j];
        deck[j] = t;
    }
    for (int i = 0; i < 52; i++)
        printf("%d%c", deck[i], i % 13 == 12 ? '\n' : ' ');
    for (int i = 0; i < 5000; i++)
        histogram[(int)((double)(xorshift() >> 11) / 9007199254740992.0 * 10)]++;
    for (int i = 0; i < 10; i++)
        printf("%d ", histogram[i]);
    printf("%016llx\n", (unsigned long long)xorshift());
    return 0;
}
