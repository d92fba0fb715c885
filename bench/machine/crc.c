// CRC-32 by bits and by table: shifts, xor, branches on single bits.
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    uint32_t table[256], crc = ~0u, slow = ~0u;
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
    for (uint32_t i = 0; i < 30000000; i++)
        crc = table[(crc ^ (i * 31)) & 0xff] ^ (crc >> 8);
    for (uint32_t i = 0; i < 3000000; i++) {
        slow ^= i & 0xff;
        for (int k = 0; k < 8; k++)
            slow = slow & 1 ? 0xedb88320u ^ (slow >> 1) : slow >> 1;
    }
    printf("%08x %08x\n", ~crc, ~slow);
    return 0;
}
