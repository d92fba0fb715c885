/* Nothing but trying all inputs finds one for line 16. */
#include "sheaf.h"

int main(void)
{
    unsigned char text[8];
    unsigned d = 2166136261;
    sheaf_symbolic(text, sizeof text, "text");
    for (int round = 0; round < 4000; round++)
        for (int i = 0; i < 8; i++) {
            d = (d ^ text[i]) * 16777619;
            d ^= d << 13;
            d ^= d >> 7;
        }
    if (d == 0x12345678)
        return 1;
    return 0;
}
