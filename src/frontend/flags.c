/* flags.c - nsw, nuw and exact. LLVM-C of 14 to 16 cannot tell them, so they are read off the bitcode that
 * the module came from: the k-th arithmetic record of a function belongs to its k-th arithmetic instruction.
 *
 * Requires: a module as LLVM's reader has just made it. A function whose records and instructions do not
 * match (LLVM rewrites some code of its older versions while it reads) has no flags. */
#include <llvm-c/BitWriter.h>

#include "frontend/bitstream.h"
#include "frontend/frontend_int.h"

/* LLVM's numbers of binary operators in bitcode; floats share those of integers. */
static const struct {
    LLVMOpcode integer, real;
} operators[] = {
    {LLVMAdd, LLVMFAdd},  {LLVMSub, LLVMFSub},  {LLVMMul, LLVMFMul},  {LLVMUDiv, LLVMUDiv},
    {LLVMSDiv, LLVMFDiv}, {LLVMURem, LLVMURem}, {LLVMSRem, LLVMFRem}, {LLVMShl, LLVMShl},
    {LLVMLShr, LLVMLShr}, {LLVMAShr, LLVMAShr}, {LLVMAnd, LLVMAnd},   {LLVMOr, LLVMOr},
    {LLVMXor, LLVMXor},
};
enum { UDIV = 3, SDIV = 4, LSHR = 8, ASHR = 9 };

typedef struct Walk {
    Front *fr;
    LLVMValueRef fn; /* whose records come now; NULL before the first */
    LLVMModuleRef module;
    U32Vec operators; /* of the function's records: number | flags << 8 */
} Walk;

static bool is_binary(LLVMValueRef insn, uint32_t *number)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(insn);
    for (uint32_t i = 0; i < COUNT_OF(operators); i++)
        if (operators[i].integer == opcode || operators[i].real == opcode) {
            *number = i;
            return true;
        }
    return false;
}

static uint8_t our_flags(uint32_t number, uint32_t flags)
{
    if (number == UDIV || number == SDIV || number == LSHR || number == ASHR)
        return flags & 1 ? IR_EXACT : 0;
    return (flags & 1 ? IR_NUW : 0) | (flags & 2 ? IR_NSW : 0);
}

static void take_back(Front *fr, LLVMValueRef fn)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            map_remove(&fr->flags, (uintptr_t)i);
}

/* The records of a function are complete: hand their flags to its instructions. */
static void give(Walk *w)
{
    uint32_t at = 0, number;
    if (!w->fn)
        return;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->fn); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!is_binary(i, &number))
                continue;
            if (at == w->operators.n || (w->operators.v[at] & 255) != number) {
                take_back(w->fr, w->fn);
                return;
            }
            uint8_t flags = operators[number].integer == LLVMGetInstructionOpcode(i)
                                ? our_flags(number, w->operators.v[at] >> 8)
                                : 0;
            if (flags)
                map_put(&w->fr->flags, (uintptr_t)i, flags);
            at++;
        }
    }
    if (at != w->operators.n)
        take_back(w->fr, w->fn);
}

static LLVMValueRef next_defined(LLVMValueRef fn)
{
    while (fn && LLVMIsDeclaration(fn))
        fn = LLVMGetNextFunction(fn);
    return fn;
}

static bool enter(void *context, unsigned block)
{
    Walk *w = context;
    if (block == BLOCK_FUNCTION) { /* bodies stand in the order of the functions */
        give(w);
        w->fn = next_defined(w->fn ? LLVMGetNextFunction(w->fn) : LLVMGetFirstFunction(w->module));
        vec_clear(&w->operators);
    }
    return block == BLOCK_MODULE || block == BLOCK_FUNCTION;
}

/* An operand before which a type stands refers to a later instruction, as a number below zero. */
static void record(void *context, unsigned block, unsigned code, const uint64_t *operands, unsigned n)
{
    Walk *w = context;
    if (block != BLOCK_FUNCTION || code != RECORD_INST_BINOP || n < 3)
        return;
    unsigned at = operands[0] > INT32_MAX ? 3 : 2;
    if (at >= n)
        return;
    uint32_t flags = at + 1 < n ? (uint32_t)operands[at + 1] & 255 : 0;
    vec_push(&w->operators, ((uint32_t)operands[at] & 255) | flags << 8);
}

void flags_read(Front *fr, LLVMModuleRef module, const void *bitcode, size_t size)
{
    Walk w = {.fr = fr, .module = module};
    bitstream_walk(bitcode, size, &(BitstreamVisitor){enter, record}, &w);
    give(&w);
    vec_free(&w.operators);
}

void flags_read_text(Front *fr, LLVMModuleRef module)
{
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(module);
    flags_read(fr, module, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
}
