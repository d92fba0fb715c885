/* a checksum with a constant table is called once in the place of twice
 * VERDICT same */
static const unsigned char table[16] = {0, 7, 14, 9, 28, 27, 18, 21, 56, 63, 54, 49, 36, 35, 42, 45};

static unsigned char crc(unsigned long data, unsigned n)
{
    unsigned char sum = 0;
    while (n--) {
        sum = (unsigned char)(sum << 4 ^ table[(sum >> 4 ^ data) & 15]);
        data >>= 4;
    }
    return sum;
}

int valid(unsigned long data, unsigned n, unsigned char sum)
{
#ifdef NEW
    unsigned char is = crc(data, n);
    return is == sum || is == (unsigned char)~sum;
#else
    if (crc(data, n) == sum)
        return 1;
    return crc(data, n) == (unsigned char)~sum;
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (unsigned long d = 0; d < 50; d++)
        for (unsigned n = 0; n < 12; n++)
            for (unsigned s = 0; s < 256; s++)
                printf("%d\n", valid(d * 123456789, n, (unsigned char)s));
    return 0;
}
#endif
