// tests: 11
// ASCII; a stray or overlong start; two bytes (bad or good); three bytes: bad second, bad third, overlong, below the surrogates,
// among them, above; four bytes are refused. 1 + 1 + 2 + 6 + 1.
#include <sheaf.h>

static int decode(const unsigned char *b)
{
    if (b[0] < 0x80)
        return b[0];
    if (b[0] < 0xc2)
        return -1;
    if (b[0] < 0xe0) {
        if ((b[1] & 0xc0) != 0x80)
            return -1;
        return (b[0] & 0x1f) << 6 | (b[1] & 0x3f);
    }
    if (b[0] < 0xf0) {
        if ((b[1] & 0xc0) != 0x80)
            return -1;
        if ((b[2] & 0xc0) != 0x80)
            return -1;
        int code = (b[0] & 0x0f) << 12 | (b[1] & 0x3f) << 6 | (b[2] & 0x3f);
        if (code < 0x800)
            return -1;
        if (code >= 0xd800) {
            if (code <= 0xdfff)
                return -1;
        }
        return code;
    }
    return -2;
}

int main(void)
{
    unsigned char b[3];
    sheaf_symbolic(b, sizeof b, "b");
    return decode(b) >= 0;
}
