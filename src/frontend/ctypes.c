/* ctypes.c - C's types, as debug information has them, for people who read results.
 *
 * LLVM-C up to 16 does not tell the tag of a type, so its shape must: what has a base and no size is another
 * name of that or a qualifier, what has a base and no name a pointer. A composite type is known by its
 * elements. */
#include "frontend/frontend_int.h"

#include <llvm-c/DebugInfo.h>

enum {
    OPERANDS_MOST = 4096,
    NAME_OPERAND = 2,
    BASE_OPERAND = 3,
    ELEMENTS_OPERAND = 4,
    TYPE_OPERAND = 3,
    SIGNATURE_OPERAND = 3,
    QUALIFIERS_MOST = 64
};

static unsigned operand_count(Front *fr, LLVMMetadataRef node)
{
    return LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(fr->context, node));
}

static LLVMMetadataRef operand(Front *fr, LLVMMetadataRef node, unsigned i)
{
    LLVMValueRef value = LLVMMetadataAsValue(fr->context, node);
    unsigned n = LLVMGetMDNodeNumOperands(value);
    if (n > OPERANDS_MOST || i >= n)
        return NULL;
    LLVMValueRef *all = mem_alloc(n * sizeof *all);
    LLVMGetMDNodeOperands(value, all);
    LLVMMetadataRef one = all[i] ? LLVMValueAsMetadata(all[i]) : NULL;
    mem_free(all);
    return one;
}

static uint32_t add_type(Front *fr, IrCType type)
{
    if (!fr->p->ctypes.n)
        vec_push(&fr->p->ctypes, (IrCType){.kind = IR_C_UNKNOWN});
    vec_push(&fr->p->ctypes, type);
    return fr->p->ctypes.n - 1;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static uint32_t basic_type(Front *fr, LLVMMetadataRef type)
{
    size_t n;
    const char *text = LLVMDITypeGetName(type, &n),
               *name = arena_strndup(fr->arena, text ? text : "", text ? n : 0);
    bool is_unsigned = strstr(name, "unsigned") != NULL, is_char = strstr(name, "char") != NULL;
    IrCKind kind = IR_C_INT;
    if (strstr(name, "complex"))
        kind = IR_C_UNKNOWN;
    else if (strstr(name, "ool"))
        kind = IR_C_BOOL;
    else if (strstr(name, "float") || strstr(name, "double"))
        kind = IR_C_FLOAT;
    else if (is_char)
        kind = is_unsigned ? IR_C_UCHAR : IR_C_CHAR;
    else if (is_unsigned)
        kind = IR_C_UINT;
    return add_type(fr, (IrCType){.kind = kind, .size = LLVMDITypeGetSizeInBits(type) / 8});
}

static bool is_enumerator(LLVMMetadataRef element)
{
    return LLVMGetMetadataKind(element) == LLVMDIEnumeratorMetadataKind;
}
static bool is_subrange(LLVMMetadataRef element)
{
    return LLVMGetMetadataKind(element) == LLVMDISubrangeMetadataKind;
}

/* The number of elements of one dimension: operand 0 of its subrange. */
static uint64_t count_of(Front *fr, LLVMMetadataRef subrange)
{
    LLVMMetadataRef count = operand(fr, subrange, 0);
    LLVMValueRef value = count ? LLVMMetadataAsValue(fr->context, count) : NULL, constant = NULL;
    if (!value || LLVMGetMetadataKind(count) != LLVMConstantAsMetadataMetadataKind)
        return 0;
    LLVMGetMDNodeOperands(value, &constant);
    int64_t n = constant && LLVMIsAConstantInt(constant) ? LLVMConstIntGetSExtValue(constant) : 0;
    return n > 0 ? (uint64_t)n : 0;
}

/* The last dimension is the innermost array. */
static uint32_t array_type(Front *fr, LLVMMetadataRef base, LLVMMetadataRef elements)
{
    uint32_t type = base ? ctype_of(fr, base) : 0;
    for (unsigned i = operand_count(fr, elements); type && i-- > 0;) {
        LLVMMetadataRef dimension = operand(fr, elements, i);
        if (!dimension || !is_subrange(dimension))
            return 0;
        type = add_type(fr, (IrCType){.kind = IR_C_ARRAY,
                                      .size = fr->p->ctypes.v[type].size * count_of(fr, dimension),
                                      .of = type});
    }
    return type;
}

static void add_record(Front *fr, uint32_t type, LLVMMetadataRef elements)
{
    Vec(IrCMember) members = {0};
    for (unsigned i = 0; i < operand_count(fr, elements); i++) {
        LLVMMetadataRef m = operand(fr, elements, i);
        size_t n = 0;
        if (!m || LLVMGetMetadataKind(m) != LLVMDIDerivedTypeMetadataKind)
            continue;
        const char *name = LLVMDITypeGetName(m, &n);
        LLVMMetadataRef base = operand(fr, m, BASE_OPERAND);
        IrCMember member = {.name =
                                ir_string(fr->p, arena_strndup(fr->arena, name ? name : "", name ? n : 0)),
                            .type = base ? ctype_of(fr, base) : 0,
                            .low = LLVMDITypeGetOffsetInBits(m),
                            .bits = (uint32_t)LLVMDITypeGetSizeInBits(m)};
        vec_push(&members, member);
    }
    IrCType *t = &fr->p->ctypes.v[type];
    t->first = fr->p->cmembers.n;
    t->n = members.n;
    for (uint32_t i = 0; i < members.n; i++)
        vec_push(&fr->p->cmembers, members.v[i]);
    vec_free(&members);
}

/* With its keyword, which only its shape tells: members of a union all begin where it does. */
static void name_record(Front *fr, uint32_t record, LLVMMetadataRef type)
{
    size_t n = 0;
    const char *tag = LLVMDITypeGetName(type, &n);
    IrCType *t = &fr->p->ctypes.v[record];
    bool is_union = t->n > 1;
    for (uint32_t i = 0; i < t->n; i++)
        is_union &= !fr->p->cmembers.v[t->first + i].low;
    if (tag && n)
        t->name =
            ir_string(fr->p, arena_printf(fr->arena, "%s %.*s", is_union ? "union" : "struct", (int)n, tag));
}

static uint32_t composite_type(Front *fr, LLVMMetadataRef type)
{
    LLVMMetadataRef base = operand(fr, type, BASE_OPERAND), elements = operand(fr, type, ELEMENTS_OPERAND);
    uint64_t size = LLVMDITypeGetSizeInBits(type) / 8;
    LLVMMetadataRef first = elements && operand_count(fr, elements) ? operand(fr, elements, 0) : NULL;
    if (!first)
        return 0;
    if (is_enumerator(first))
        return base ? ctype_of(fr, base) : add_type(fr, (IrCType){.kind = IR_C_INT, .size = size});
    if (is_subrange(first))
        return array_type(fr, base, elements);
    uint32_t record = add_type(fr, (IrCType){.kind = IR_C_RECORD, .size = size});
    map_put(&fr->ctypes, (uintptr_t)type, record); /* before its members: one may point back */
    add_record(fr, record, elements);
    name_record(fr, record, type);
    return record;
}

/* A qualifier has neither a size nor a name; that it is const is likely: the C interface does not tell the
 * others apart. */
static bool is_qualifier(Front *fr, LLVMMetadataRef type)
{
    size_t n = 0;
    return type && LLVMGetMetadataKind(type) == LLVMDIDerivedTypeMetadataKind &&
           !LLVMDITypeGetSizeInBits(type) && !operand(fr, type, NAME_OPERAND) &&
           (LLVMDITypeGetName(type, &n), n == 0);
}

/* The type of a function, behind other names and qualifiers; NULL: it is none. */
static LLVMMetadataRef function_type(Front *fr, LLVMMetadataRef type)
{
    for (unsigned i = 0; type && i < QUALIFIERS_MOST; i++) {
        if (LLVMGetMetadataKind(type) == LLVMDISubroutineTypeMetadataKind)
            return type;
        if (LLVMGetMetadataKind(type) != LLVMDIDerivedTypeMetadataKind || LLVMDITypeGetSizeInBits(type))
            return NULL;
        type = operand(fr, type, BASE_OPERAND);
    }
    return NULL;
}

static uint32_t returned_type(Front *fr, LLVMMetadataRef function)
{
    LLVMMetadataRef list = operand(fr, function, SIGNATURE_OPERAND);
    LLVMMetadataRef result = list && operand_count(fr, list) ? operand(fr, list, 0) : NULL;
    return result ? ctype_of(fr, result) : 0;
}

/* typedef struct { ... } T; */
static void name_by_typedef(Front *fr, uint32_t record, LLVMMetadataRef type)
{
    size_t n = 0;
    const char *name = LLVMDITypeGetName(type, &n);
    IrCType *t = &fr->p->ctypes.v[record];
    if (record && t->kind == IR_C_RECORD && !t->name && name && n)
        t->name = ir_string(fr->p, arena_strndup(fr->arena, name, n));
}

/* What a pointer leads to is found out on demand: lists and trees come back to where they began. */
static uint32_t derived_type(Front *fr, LLVMMetadataRef type)
{
    LLVMMetadataRef base = operand(fr, type, BASE_OPERAND);
    uint64_t size = LLVMDITypeGetSizeInBits(type) / 8;
    if (!size) {
        uint32_t same = base ? ctype_of(fr, base) : 0;
        name_by_typedef(fr, same, type);
        return same;
    }
    LLVMMetadataRef function = function_type(fr, base);
    uint32_t pointer = add_type(fr, (IrCType){.kind = IR_C_POINTER,
                                              .size = size,
                                              .to_const = is_qualifier(fr, base),
                                              .to_function = function != NULL});
    map_put(&fr->ctypes, (uintptr_t)type, pointer);
    uint32_t of = base ? ctype_of(fr, base) : 0, returns = function ? returned_type(fr, function) : 0;
    fr->p->ctypes.v[pointer].of = of;
    fr->p->ctypes.v[pointer].returns = returns;
    return pointer;
}

uint32_t ctype_of(Front *fr, LLVMMetadataRef type)
{
    uint64_t known;
    uint32_t made = 0;
    if (map_get(&fr->ctypes, (uintptr_t)type, &known))
        return (uint32_t)known;
    if (fr->ctype_depth >= QUALIFIERS_MOST)
        return 0;
    fr->ctype_depth++;
    switch (LLVMGetMetadataKind(type)) {
    case LLVMDIBasicTypeMetadataKind: made = basic_type(fr, type); break;
    case LLVMDICompositeTypeMetadataKind: made = composite_type(fr, type); break;
    case LLVMDIDerivedTypeMetadataKind: made = derived_type(fr, type); break;
    default: break;
    }
    fr->ctype_depth--;
    map_put(&fr->ctypes, (uintptr_t)type, made);
    return made;
}

/* ---- of what --------------------------------------------------------------------------------- */

void ctypes_of_fn(Front *fr, IrFn *ir, LLVMValueRef fn)
{
    LLVMMetadataRef program = LLVMGetSubprogram(fn), type = program ? operand(fr, program, 4) : NULL;
    LLVMMetadataRef list = type ? operand(fr, type, SIGNATURE_OPERAND) : NULL;
    for (unsigned i = 0; list && i < operand_count(fr, list); i++) {
        LLVMMetadataRef one = operand(fr, list, i);
        vec_push(&ir->ctypes, one ? ctype_of(fr, one) : 0);
    }
}

static uint32_t type_of_variable(Front *fr, LLVMMetadataRef variable)
{
    LLVMMetadataRef type = operand(fr, variable, TYPE_OPERAND);
    return type ? ctype_of(fr, type) : 0;
}

uint32_t ctype_of_global(Front *fr, LLVMValueRef global)
{
    size_t n = 0;
    uint32_t type = 0;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &n);
    for (size_t i = 0; i < n && !type; i++) {
        LLVMMetadataRef data = LLVMValueMetadataEntriesGetMetadata(entries, (unsigned)i);
        if (LLVMGetMetadataKind(data) == LLVMDIGlobalVariableExpressionMetadataKind)
            type = type_of_variable(fr, LLVMDIGlobalVariableExpressionGetVariable(data));
    }
    LLVMDisposeValueMetadataEntries(entries);
    return type;
}

/* llvm.dbg.declare of this local: its first argument wraps the local, its second the variable. */
uint32_t ctype_of_local(Front *fr, LLVMValueRef local)
{
    LLVMValueRef fn = LLVMGetBasicBlockParent(LLVMGetInstructionParent(local)), wrapped = NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
            if (!callee || !LLVMIsAFunction(callee) || strcmp(symbol_name(callee), "llvm.dbg.declare"))
                continue;
            LLVMGetMDNodeOperands(LLVMGetArgOperand(i, 0), &wrapped);
            if (wrapped == local)
                return type_of_variable(fr, LLVMValueAsMetadata(LLVMGetArgOperand(i, 1)));
        }
    return 0;
}

static bool is_start(LLVMValueRef gep)
{
    uint64_t index;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++)
        if (!const_is_int(LLVMGetOperand(gep, i), &index) || index)
            return false;
    return true;
}

static bool is_operator(LLVMValueRef value, LLVMOpcode op)
{
    return LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) == op
                                     : LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == op;
}

void ctype_of_call(Front *fr, LLVMValueRef call, const char *callee, uint32_t site)
{
    static const char *const names[] = {"sheaf_symbolic", "sheaf_output", "klee_make_symbolic"};
    bool known = false;
    for (unsigned i = 0; i < COUNT_OF(names); i++)
        known |= !strcmp(callee, names[i]);
    if (!known || site == IR_NONE || LLVMGetNumArgOperands(call) < 1)
        return;
    LLVMValueRef object = LLVMGetArgOperand(call, 0);
    for (unsigned i = 0; i < QUALIFIERS_MOST; i++) {
        if (!is_operator(object, LLVMBitCast) &&
            !(is_operator(object, LLVMGetElementPtr) && is_start(object)))
            break;
        object = LLVMGetOperand(object, 0);
    }
    uint32_t type = LLVMIsAAllocaInst(object)       ? ctype_of_local(fr, object)
                    : LLVMIsAGlobalVariable(object) ? ctype_of_global(fr, object)
                                                    : 0;
    uint64_t before;
    if (map_get(&fr->p->call_ctypes, site, &before) && before != type)
        type = 0; /* two calls of one macro, of different objects */
    map_put(&fr->p->call_ctypes, site, type);
}
