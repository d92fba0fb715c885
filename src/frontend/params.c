/* params.c - what C says of the parameters of a function, which clang has turned into what the calling
 * convention wants.
 *
 * A structure of more than 16 bytes is an address (byval; what is returned: sret). A smaller one comes in
 * pieces of up to 8 bytes, each a parameter "s.coerce", "s.coerce0", "s.coerce1"; a vector or a long double
 * is less than its C type in memory. Such registers become parts of an argument. How large that is the debug
 * information knows. */
#include "frontend/frontend_int.h"

#include <llvm-c/DebugInfo.h>

enum { EIGHTBYTE = 8 };

/* A clang parameter: its C name, and where its value stands in the argument. */
typedef struct Piece {
    const char *name; /* NULL: none */
    uint32_t offset;
    bool coerced;
    bool address; /* byval, sret */
} Piece;

static Piece piece_of(Front *fr, LLVMValueRef param)
{
    static const char mark[] = ".coerce";
    const char *name = value_variable(fr, param);
    const char *dot = name ? strstr(name, mark) : NULL;
    if (!dot)
        return (Piece){.name = name};
    bool second = !strcmp(dot + strlen(mark), "1");
    return (Piece){.name = arena_strndup(fr->arena, name, (size_t)(dot - name)),
                   .offset = second ? EIGHTBYTE : 0,
                   .coerced = true};
}

/* ---- sizes of C's parameters ----------------------------------------------------------------- */

static LLVMMetadataRef operand(Front *fr, LLVMMetadataRef node, unsigned i)
{
    LLVMValueRef value = LLVMMetadataAsValue(fr->context, node), operands[64];
    unsigned n = LLVMGetMDNodeNumOperands(value);
    if (n > COUNT_OF(operands) || i >= n)
        return NULL;
    LLVMGetMDNodeOperands(value, operands);
    return operands[i] ? LLVMValueAsMetadata(operands[i]) : NULL;
}

/* A typedef or a qualifier has no size of its own: its base, operand 3, has. */
static uint64_t bytes_of(Front *fr, LLVMMetadataRef type)
{
    for (unsigned depth = 0; type && depth < 100; depth++) {
        uint64_t bits = LLVMDITypeGetSizeInBits(type);
        if (bits || LLVMGetMetadataKind(type) != LLVMDIDerivedTypeMetadataKind)
            return bits / 8;
        type = operand(fr, type, 3);
    }
    return 0;
}

/* Sizes of the parameters of a function, those without bytes left out: they are not passed. Operand 4 of a
 * subprogram is its type, whose operand 3 lists what is returned and then the parameters. */
static void sizes_of(Front *fr, LLVMValueRef fn, U64Vec *out)
{
    LLVMMetadataRef program = LLVMGetSubprogram(fn), type = program ? operand(fr, program, 4) : NULL;
    LLVMMetadataRef list = type ? operand(fr, type, 3) : NULL;
    if (!list)
        return;
    unsigned n = LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(fr->context, list));
    for (unsigned i = 1; i < n; i++) {
        uint64_t bytes = bytes_of(fr, operand(fr, list, i));
        if (bytes)
            vec_push(out, bytes);
    }
}

/* ---- parameters ------------------------------------------------------------------------------ */

static IrParam behind(Front *fr, LLVMValueRef fn, unsigned i, LLVMAttributeRef attribute, IrParamKind kind)
{
    LLVMAttributeRef promised = LLVMGetEnumAttributeAtIndex(fn, i + 1, fr->attr_align);
    return (IrParam){.kind = kind,
                     .size = (uint32_t)type_size(fr, LLVMGetTypeAttributeValue(attribute)),
                     .align = promised ? (uint32_t)LLVMGetEnumAttributeValue(promised) : 8};
}

/* Adds the registers of clang's i-th parameter; each is a part for now. *size: grows to where they end. */
static Piece add_registers(Front *fr, IrFn *ir, LLVMValueRef fn, unsigned i, uint32_t *size)
{
    LLVMValueRef param = LLVMGetParam(fn, i);
    const TypeInfo *info = type_info(fr, LLVMTypeOf(param));
    LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(fn, i + 1, fr->attr_byval);
    LLVMAttributeRef sret = LLVMGetEnumAttributeAtIndex(fn, i + 1, fr->attr_sret);
    Piece piece = piece_of(fr, param);
    for (uint32_t k = 0; k < info->n; k++) {
        uint32_t reg = ir_reg_param(fr->p, ir, info->leaves[k].width, piece.name);
        uint32_t at = piece.offset + (uint32_t)info->leaves[k].offset,
                 end = at + (info->leaves[k].width + 7u) / 8;
        ir_param_set(ir, reg, (IrParam){.kind = IR_PARAM_PART, .offset = at});
        *size = end > *size ? end : *size;
    }
    piece.address = (byval || sret) && info->n == 1;
    if (piece.address)
        ir_param_set(ir, ir->nparams - 1,
                     byval ? behind(fr, fn, i, byval, IR_PARAM_BYVAL)
                           : behind(fr, fn, i, sret, IR_PARAM_SRET));
    return piece;
}

/* An argument of the C function: registers, and their size as far as they show it. */
typedef struct Argument {
    uint32_t first, n, size;
    bool address, nonnull;
    uint32_t least; /* as IrParam has it */
} Argument;

/* One that is all of its argument is no part. */
static void finish_argument(IrFn *ir, const Argument *a, uint32_t size)
{
    bool whole = a->n == 1 && (ir->regs.v[a->first].width + 7u) / 8 == size;
    for (uint32_t r = a->first; r < a->first + a->n; r++) {
        ir->params.v[r].size = size;
        if (whole)
            ir->params.v[r] = (IrParam){.kind = IR_PARAM_PLAIN, .nonnull = a->nonnull, .least = a->least};
    }
}

/* What the user says; what an optimiser has found out is another matter. */
static bool is_nonnull(const Front *fr, LLVMValueRef fn, unsigned i)
{
    return !fr->options->optimise && (LLVMGetEnumAttributeAtIndex(fn, i + 1, fr->attr_nonnull) ||
                                      LLVMGetEnumAttributeAtIndex(fn, i + 1, fr->attr_dereferenceable));
}

static uint32_t least_of(const Front *fr, LLVMValueRef fn, unsigned i)
{
    LLVMAttributeRef says = LLVMGetEnumAttributeAtIndex(fn, i + 1, fr->attr_dereferenceable);
    uint64_t least = says && !fr->options->optimise ? LLVMGetEnumAttributeValue(says) : 0;
    return least < UINT32_MAX ? (uint32_t)least : 0;
}

/* The argument that clang's parameter *i begins; leaves *i behind its last. */
static Argument take_argument(Front *fr, IrFn *ir, LLVMValueRef fn, unsigned *i)
{
    Argument a = {.first = ir->nparams, .nonnull = is_nonnull(fr, fn, *i), .least = least_of(fr, fn, *i)};
    Piece piece = add_registers(fr, ir, fn, (*i)++, &a.size);
    a.address = piece.address;
    if (piece.coerced && !piece.offset && *i < LLVMCountParams(fn)) {
        Piece next = piece_of(fr, LLVMGetParam(fn, *i));
        if (next.coerced && next.offset && !strcmp(next.name, piece.name))
            add_registers(fr, ir, fn, (*i)++, &a.size);
    }
    a.n = ir->nparams - a.first;
    return a;
}

void params_translate(Front *fr, IrFn *ir, LLVMValueRef fn)
{
    Vec(Argument) arguments = {0};
    U64Vec sizes = {0};
    for (unsigned i = 0; i < LLVMCountParams(fn);) {
        Argument a = take_argument(fr, ir, fn, &i);
        if (!a.address || ir->params.v[a.first].kind != IR_PARAM_SRET)
            vec_push(&arguments, a);
    }
    sizes_of(fr, fn, &sizes);
    for (uint32_t k = 0; k < arguments.n; k++) {
        const Argument *a = &arguments.v[k];
        uint64_t size = sizes.n == arguments.n ? sizes.v[k] : 0;
        if (!a->address)
            finish_argument(ir, a,
                            size > a->size && size < a->size + 2 * EIGHTBYTE ? (uint32_t)size : a->size);
    }
    vec_free(&arguments);
    vec_free(&sizes);
}
