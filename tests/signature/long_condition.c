/* A hash of the input decides thousands of branches: a row's condition has as many conjuncts, of large terms. */
#include <stdio.h>

int main(void)
{
    unsigned char b[64];
    unsigned h = 1;
    fread(b, 1, sizeof b, stdin);
    for (int round = 0; round < 4000; round++)
        for (int i = 0; i < 64; i++) {
            h = h * 33 + b[i];
            if ((h & 0xff) == 7)
                h ^= b[(i + round) & 63];
        }
    return h == 5;
}
