/* sheaf: --sym-stdin 8 --explore output --tests none */
/* What is printed depends on some of the decisions: thousands of rows, of many more paths. */
#include <assert.h>
#include <stdio.h>

int main(void)
{
    unsigned vowels = 0, place = 0;
    for (unsigned i = 0; i < 8; i++) {
        int c = getchar();
        if (c == 'a' || c == 'e')
            vowels |= 1u << i;
        if (c == 'x')
            place += i;
        if (c == 'q')
            place ^= 5;
    }
    assert(place < 64);
    printf("%u\n", vowels);
    return 0;
}
