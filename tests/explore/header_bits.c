// tests: 7
// A header of bit-fields over three bytes. Version 0 or above 2 is refused (2 paths: the two comparisons); version 1 has no
// options; version 2 has options if the flag says so, then kind 0, 1, 2 or 3 by a switch with two bodies and a default that fails.
#include <sheaf.h>
#include <stdlib.h>
#include <string.h>

struct header {
    unsigned version : 3, flag : 1, kind : 2, rest : 2, length : 8, sum : 8;
};

int main(void)
{
    unsigned char raw[4] = {0};
    struct header h;
    sheaf_symbolic(raw, 3, "raw");
    memcpy(&h, raw, sizeof h);
    if (h.version == 0 || h.version > 2)
        return 1;
    if (h.version == 1)
        return 2;
    if (!h.flag)
        return 3;
    switch (h.kind) {
    case 0: case 1: return 4;
    case 2: return 5;
    default: abort(); //! abort
    }
}
