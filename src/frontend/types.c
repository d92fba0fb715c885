/* types.c - LLVM's types as rows of leaves, each of which a register holds. */
#include "frontend/frontend_int.h"

enum { MAX_LEAVES = 4096 }; /* of a first-class value; C code moves anything larger through memory */

typedef Vec(Leaf) LeafVec;

typedef struct Flattening {
    Front *fr;
    LeafVec leaves;
    bool packed;
    const char *problem;
} Flattening;

static void flatten(Flattening *f, LLVMTypeRef type, uint64_t offset, unsigned depth);

static void add_leaf(Flattening *f, uint64_t offset, unsigned width, LeafKind kind)
{
    if (f->leaves.n >= MAX_LEAVES) {
        f->problem = "a value of too many elements";
        return;
    }
    vec_push(&f->leaves, (Leaf){.offset = offset, .width = (uint8_t)width, .kind = (uint8_t)kind});
}

/* Elements of a vector stand bit by bit behind each other; only i1 and the like make that different from an
 * array. */
static void flatten_vector(Flattening *f, LLVMTypeRef type, uint64_t offset, unsigned depth)
{
    LLVMTypeRef element = LLVMGetElementType(type);
    unsigned n = LLVMGetVectorSize(type);
    unsigned long long bits = LLVMSizeOfTypeInBits(f->fr->layout, element);
    if (n > MAX_LEAVES) {
        f->problem = "a vector of too many elements";
        return;
    }
    if (bits % 8) {
        if (depth > 0 || n * bits > 128)
            f->problem = "a vector of odd elements";
        f->packed = true;
        for (unsigned i = 0; i < n && !f->problem; i++)
            add_leaf(f, i * bits, (unsigned)bits, LEAF_INT);
        return;
    }
    for (unsigned i = 0; i < n && !f->problem; i++)
        flatten(f, element, offset + i * (bits / 8), depth + 1);
}

static void flatten_array(Flattening *f, LLVMTypeRef type, uint64_t offset, unsigned depth)
{
    LLVMTypeRef element = LLVMGetElementType(type);
    uint64_t stride = LLVMABISizeOfType(f->fr->layout, element);
    uint64_t n = stride ? LLVMABISizeOfType(f->fr->layout, type) / stride : 0;
    for (uint64_t i = 0; i < n && !f->problem; i++)
        flatten(f, element, offset + i * stride, depth + 1);
}

static void flatten_struct(Flattening *f, LLVMTypeRef type, uint64_t offset, unsigned depth)
{
    if (LLVMIsOpaqueStruct(type)) {
        f->problem = "a value of an opaque type";
        return;
    }
    unsigned n = LLVMCountStructElementTypes(type);
    for (unsigned i = 0; i < n && !f->problem; i++)
        flatten(f, LLVMStructGetTypeAtIndex(type, i), offset + LLVMOffsetOfElement(f->fr->layout, type, i),
                depth + 1);
}

/* More than 128 bits are limbs of 64 (wide.c). */
static void flatten_int(Flattening *f, unsigned width, uint64_t offset)
{
    bool wide = width > 128;
    for (; wide && width > 64; width -= 64, offset += 8)
        add_leaf(f, offset, 64, LEAF_INT);
    add_leaf(f, offset, width, LEAF_INT);
}

static void flatten(Flattening *f, LLVMTypeRef type, uint64_t offset, unsigned depth)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
    case LLVMMetadataTypeKind:
    case LLVMLabelTypeKind:
    case LLVMTokenTypeKind: break;
    case LLVMIntegerTypeKind: flatten_int(f, LLVMGetIntTypeWidth(type), offset); break;
    case LLVMPointerTypeKind: add_leaf(f, offset, 64, LEAF_PTR); break;
    case LLVMFloatTypeKind: add_leaf(f, offset, 32, LEAF_FLOAT); break;
    case LLVMDoubleTypeKind: add_leaf(f, offset, 64, LEAF_FLOAT); break;
    case LLVMX86_FP80TypeKind: add_leaf(f, offset, 80, LEAF_FLOAT); break;
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind: add_leaf(f, offset, 16, LEAF_ODD); break;
    case LLVMFP128TypeKind:
    case LLVMPPC_FP128TypeKind: add_leaf(f, offset, 128, LEAF_ODD); break;
    case LLVMX86_MMXTypeKind: add_leaf(f, offset, 64, LEAF_INT); break;
    case LLVMVectorTypeKind: flatten_vector(f, type, offset, depth); break;
    case LLVMArrayTypeKind: flatten_array(f, type, offset, depth); break;
    case LLVMStructTypeKind: flatten_struct(f, type, offset, depth); break;
    default: f->problem = "a value of a type that C does not have";
    }
}

const TypeInfo *type_info(Front *fr, LLVMTypeRef type)
{
    uint64_t known;
    if (map_get(&fr->types, (uintptr_t)type, &known))
        return (const TypeInfo *)(uintptr_t)known;
    Flattening f = {.fr = fr};
    flatten(&f, type, 0, 0);
    TypeInfo *info = arena_alloc(fr->arena, sizeof *info);
    Leaf *leaves = arena_alloc(fr->arena, f.leaves.n * sizeof *leaves);
    if (f.leaves.n)
        memcpy(leaves, f.leaves.v, f.leaves.n * sizeof *leaves);
    *info = (TypeInfo){
        .leaves = leaves, .n = f.problem ? 0 : f.leaves.n, .packed = f.packed, .problem = f.problem};
    vec_free(&f.leaves);
    map_put(&fr->types, (uintptr_t)type, (uintptr_t)info);
    return info;
}

uint64_t type_size(Front *fr, LLVMTypeRef type) { return LLVMABISizeOfType(fr->layout, type); }

const TypeInfo *value_info(Trans *t, LLVMValueRef value)
{
    const TypeInfo *info = type_info(t->fr, LLVMTypeOf(value));
    if (info->problem)
        problem(t, "%s", info->problem);
    return info;
}

/* The first leaf of the part that a path of element numbers names, and the part's type. */
uint32_t type_leaf_index(Front *fr, LLVMTypeRef type, const unsigned *path, unsigned n, LLVMTypeRef *inner)
{
    uint32_t leaf = 0;
    for (unsigned i = 0; i < n; i++) {
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            for (unsigned k = 0; k < path[i]; k++)
                leaf += type_info(fr, LLVMStructGetTypeAtIndex(type, k))->n;
            type = LLVMStructGetTypeAtIndex(type, path[i]);
        } else {
            type = LLVMGetElementType(type);
            leaf += path[i] * type_info(fr, type)->n;
        }
    }
    *inner = type;
    return leaf;
}
