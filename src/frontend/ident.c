/* ident.c - who wrote a bitcode file: the string in its identification block, "LLVM19.1.7".
 *
 * LLVM's reader fails on bitcode of a newer LLVM with whatever it stumbles over first. This reads just the layout that
 * LLVM's writer has used for that block since it exists; anything else means "unknown". */
#include "frontend/frontend_int.h"

typedef struct Bits {
    const uint8_t *bytes;
    uint64_t at, end;                         /* in bits */
    bool bad;                                 /* read beyond the end, or not the layout we know */
} Bits;

static uint32_t take(Bits *b, unsigned n)
{
    uint32_t value = 0;
    if (b->at + n > b->end) {
        b->bad = true;
        return 0;
    }
    for (unsigned i = 0; i < n; i++, b->at++)
        value |= (uint32_t)(b->bytes[b->at / 8] >> (b->at % 8) & 1) << i;
    return value;
}

/* LLVM's variable-width integers: groups of n bits, the highest of which says whether another follows. */
static uint32_t take_vbr(Bits *b, unsigned n)
{
    uint32_t value = 0;
    for (unsigned shift = 0; shift < 32; shift += n - 1) {
        uint32_t group = take(b, n);
        value |= (group & ((1u << (n - 1)) - 1)) << shift;
        if (!(group >> (n - 1)))
            return value;
    }
    b->bad = true;
    return 0;
}

static void expect(Bits *b, uint32_t got, uint32_t wanted) { b->bad |= got != wanted; }

static void skip_wrapper(Bits *b)
{
    Bits header = *b;
    if (take(&header, 32) != 0x0b17c0de)
        return;
    take(&header, 32);
    uint64_t offset = take(&header, 32);
    b->at = offset * 8;
    b->bad = header.bad;
}

bool ident_read(const Str *bitcode, char *out, size_t size)
{
    static const char char6[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    enum { ENTER_SUBBLOCK = 1, DEFINE_ABBREV = 2, FIRST_ABBREV = 4, IDENTIFICATION = 13, FIXED = 1, ARRAY = 3, CHAR6 = 4 };
    Bits b = {.bytes = (const uint8_t *)bitcode->v, .end = (uint64_t)bitcode->n * 8};
    skip_wrapper(&b);
    expect(&b, take(&b, 32), 0xdec04342);
    expect(&b, take(&b, 2), ENTER_SUBBLOCK);
    expect(&b, take_vbr(&b, 8), IDENTIFICATION);
    unsigned width = take_vbr(&b, 4);
    expect(&b, width <= 32, 1);
    b.at = (b.at + 31) / 32 * 32 + 32;        /* aligned; the block's length */
    if (b.bad)
        return false;
    expect(&b, take(&b, width), DEFINE_ABBREV);
    expect(&b, take_vbr(&b, 5), 3);           /* operands: the literal code 1, an array, its elements */
    expect(&b, take(&b, 1), 1);
    expect(&b, take_vbr(&b, 8), 1);
    expect(&b, take(&b, 4), ARRAY << 1);
    expect(&b, take(&b, 1), 0);
    uint32_t encoding = take(&b, 3), bits = encoding == FIXED ? take_vbr(&b, 5) : 6;
    expect(&b, encoding == CHAR6 || (encoding == FIXED && bits <= 8), 1);
    expect(&b, take(&b, width), FIRST_ABBREV);
    uint32_t n = take_vbr(&b, 6);
    if (b.bad || n >= size)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = take(&b, bits);
        out[i] = encoding == CHAR6 ? char6[c] : (char)c;
    }
    out[n] = '\0';
    return !b.bad;
}
