/* globals.c - variables: initialisers as bytes and addresses; what only code can compute goes to an init
 * function. */
#include "frontend/frontend_int.h"

enum { MAX_GLOBAL = 1 << 30 }; /* bytes of initialiser that we keep */

typedef struct Image {
    Front *fr;
    uint32_t global;
    uint8_t *bytes;
    uint64_t size;
} Image;

static void write_int(Image *im, uint64_t offset, u128 bits, unsigned width)
{
    for (unsigned i = 0; i < (width + 7) / 8 && offset + i < im->size; i++)
        im->bytes[offset + i] = (uint8_t)(bits >> (8 * i));
}

static void write_value(Image *im, uint64_t offset, LLVMValueRef value);

static void write_packed(Image *im, uint64_t offset, LLVMValueRef value, const TypeInfo *info)
{
    u128 bits = 0;
    for (uint32_t i = 0; i < info->n; i++) {
        LLVMValueRef element = const_element(value, i);
        if (LLVMIsAConstantInt(element))
            bits |= const_int(element) << info->leaves[i].offset;
    }
    write_int(im, offset, bits, info->n * info->leaves[0].width);
}

static void write_elements(Image *im, uint64_t offset, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned n = const_elements(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool is_struct = kind == LLVMStructTypeKind, is_vector = kind == LLVMVectorTypeKind;
    if (is_vector && type_info(im->fr, type)->packed) {
        write_packed(im, offset, value, type_info(im->fr, type));
        return;
    }
    LLVMTypeRef element = is_struct ? NULL : LLVMGetElementType(type);
    uint64_t stride = is_struct   ? 0
                      : is_vector ? LLVMStoreSizeOfType(im->fr->layout, element)
                                  : type_size(im->fr, element);
    for (unsigned i = 0; i < n; i++) {
        uint64_t at = is_struct ? LLVMOffsetOfElement(im->fr->layout, type, i) : i * stride;
        write_value(im, offset + at, const_element(value, i));
    }
}

static void write_string(Image *im, uint64_t offset, LLVMValueRef value)
{
    size_t n;
    const char *text = LLVMGetAsString(value, &n);
    if (offset < im->size)
        memcpy(im->bytes + offset, text, n < im->size - offset ? n : im->size - offset);
}

static void write_scalar(Image *im, uint64_t offset, LLVMValueRef value)
{
    IrConst c;
    unsigned width = (unsigned)LLVMSizeOfTypeInBits(im->fr->layout, LLVMTypeOf(value));
    if (!const_address(im->fr, value, &c))
        vec_push(&im->fr->init_stores, (InitStore){.global = im->global, .offset = offset, .value = value});
    else if (c.kind == IR_CONST_INT)
        write_int(im, offset, c.bits, width);
    else
        vec_push(&im->fr->p->globals.v[im->global].relocs, (IrReloc){.offset = offset, .value = c});
}

static void write_value(Image *im, uint64_t offset, LLVMValueRef value)
{
    if (LLVMIsUndef(value) || LLVMIsAConstantAggregateZero(value) || LLVMIsAConstantPointerNull(value))
        return;
    if (LLVMIsAConstantDataArray(value) && LLVMIsConstantString(value))
        write_string(im, offset, value);
    else if (LLVMIsAConstantFP(value))
        write_int(im, offset, const_float_bits(im->fr, value),
                  type_info(im->fr, LLVMTypeOf(value))->leaves[0].width);
    else if (LLVMIsAConstantExpr(value) || const_elements(value) == 0)
        write_scalar(im, offset, value);
    else
        write_elements(im, offset, value);
}

void global_translate(Front *fr, LLVMValueRef global)
{
    uint32_t index = symbol_global(fr, global);
    LLVMValueRef initial = LLVMGetInitializer(global);
    IrGlobal *g = &fr->p->globals.v[index];
    g->defined = initial != NULL;
    if (!initial || LLVMIsNull(initial) || LLVMIsUndef(initial))
        return;
    if (g->size > MAX_GLOBAL)
        die("%s: an initialiser of %llu bytes is beyond what Sheaf holds", symbol_name(global),
            (unsigned long long)g->size);
    Image im = {.fr = fr, .global = index, .bytes = arena_alloc(fr->p->arena, g->size), .size = g->size};
    g->bytes = im.bytes;
    uint32_t stores = fr->init_stores.n;
    write_value(&im, 0, initial);
    if (fr->init_stores.n > stores)
        fr->p->globals.v[index].constant = false; /* the init function writes to it */
}

void globals_init_code(Trans *t, const InitStore *store)
{
    Regs value = regs_of(t, store->value);
    uint32_t address = ir_reg_const(
        t->p, &t->ir, 64, (IrConst){.kind = IR_CONST_GLOBAL, .index = store->global, .bits = store->offset});
    if (!t->problem)
        memory_write_regs(t, type_info(t->fr, LLVMTypeOf(store->value)), address, value, 1, 0);
    /* `unsupported` here would end every run at its start, although few may ever read the variable. */
    if (t->problem)
        warn("part of %s starts as zero: its initialiser is %s",
             ir_text(t->p, t->p->globals.v[store->global].name), t->problem);
    t->problem = NULL;
}
