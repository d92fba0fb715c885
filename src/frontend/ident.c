/* ident.c - who wrote a bitcode file: the string in its identification block, "LLVM19.1.7". LLVM's own reader
 * fails on bitcode of a newer LLVM with whatever it stumbles over first. */
#include "frontend/bitstream.h"
#include "frontend/frontend_int.h"

typedef struct Ident {
    char *out;
    size_t size;
    bool found;
} Ident;

static bool enter(void *context, unsigned block)
{
    (void)context;
    return block == BLOCK_IDENTIFICATION;
}

static void record(void *context, unsigned block, unsigned code, const uint64_t *operands, unsigned n)
{
    Ident *ident = context;
    if (block != BLOCK_IDENTIFICATION || code != RECORD_IDENTIFICATION_STRING || ident->found ||
        n >= ident->size)
        return;
    for (unsigned i = 0; i < n; i++)
        ident->out[i] = (char)operands[i];
    ident->out[n] = '\0';
    ident->found = true;
}

bool ident_read(const void *bitcode, size_t n, char *out, size_t size)
{
    Ident ident = {.out = out, .size = size};
    bitstream_walk(bitcode, n, &(BitstreamVisitor){enter, record}, &ident);
    return ident.found;
}
