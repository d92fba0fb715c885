/* bitstream.h - a reader of LLVM's bitcode container, for the little that LLVM-C does not tell: who wrote a
 * file, and the overflow flags of arithmetic. Private to the front end. Any bytes may come in; what is
 * malformed ends the walk. */
#ifndef SHEAF_FRONTEND_BITSTREAM_H
#define SHEAF_FRONTEND_BITSTREAM_H

#include "base/base.h"

/* Blocks and record codes of LLVM's bitcode that we know. */
enum { BLOCK_MODULE = 8, BLOCK_FUNCTION = 12, BLOCK_IDENTIFICATION = 13 };
enum { RECORD_IDENTIFICATION_STRING = 1, RECORD_INST_BINOP = 2 };

typedef struct BitstreamVisitor {
    /* Asked at each block, outermost first: look inside? */
    bool (*enter)(void *context, unsigned block);
    /* Each record of a block that was entered. */
    void (*record)(void *context, unsigned block, unsigned code, const uint64_t *operands, unsigned n);
} BitstreamVisitor;

/* False if the bytes are no well-formed bitcode; what came before the breach has been visited. */
bool bitstream_walk(const void *bytes, size_t size, const BitstreamVisitor *visitor, void *context);

#endif
