// tests: 256
// One decision for each bit of a cyclic redundancy check. The check is a bijection of the byte, so all 2^8 sequences occur.
#include <sheaf.h>

int main(void)
{
    unsigned char byte;
    sheaf_symbolic(&byte, sizeof byte, "byte");
    unsigned crc = byte;
    for (int i = 0; i < 8; i++)
        if (crc & 1)
            crc = crc >> 1 ^ 0x8c;
        else
            crc >>= 1;
    return (int)crc;
}
