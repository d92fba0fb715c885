/* sym_input.c - where inputs come from: calls that name one.
 *
 * The key of an input object is what made it and its execution index, so that runs that differ elsewhere ask for the
 * same object. */
#include "vm/sym.h"

enum { INPUT_MOST = 1 << 20 };                /* bytes of one object */

static ExprCType type_of(const char *name, uint64_t size)
{
    static const struct {
        const char *suffix;
        ExprCKind kind;
    } kinds[] = { { "_float", EXPR_C_FLOAT },      { "_double", EXPR_C_FLOAT },   { "_bool", EXPR_C_BOOL },
                  { "_uint", EXPR_C_UINT },        { "_ulong", EXPR_C_UINT },     { "_ushort", EXPR_C_UINT },
                  { "_uchar", EXPR_C_UINT },       { "_unsigned", EXPR_C_UINT },  { "_size_t", EXPR_C_UINT },
                  { "_u32", EXPR_C_UINT },         { "_ulonglong", EXPR_C_UINT }, { "_uint128", EXPR_C_UINT },
                  { "_sector_t", EXPR_C_UINT },    { "_pthread_t", EXPR_C_UINT }, { "_pointer", EXPR_C_POINTER },
                  { "_pchar", EXPR_C_POINTER },    { "_char", EXPR_C_CHAR } };
    bool nondet = text_starts_with(name, "__VERIFIER_nondet_");
    for (size_t i = 0; nondet && i < COUNT_OF(kinds); i++)
        if (text_ends_with(name, kinds[i].suffix))
            return (ExprCType){ kinds[i].kind, 0 };
    if (size == 2 || size == 4 || size == 8 || size == 16)
        return (ExprCType){ EXPR_C_INT, 0 };
    return (ExprCType){ EXPR_C_CHAR, size == 1 ? 0 : 1 };
}

/* Enters the object into the trace, once. */
ExprObject sym_input(Vm *vm, const char *key, const char *name, uint32_t size, ExprCType type)
{
    ExprObject object = expr_object(vm->sym->pool, key, name, size, type);
    VmTrace *t = vm->sym->trace;
    for (uint32_t i = 0; i < t->inputs.n; i++)
        if (t->inputs.v[i].object.id == object.id)
            return object;
    vec_push(&t->inputs, (VmInputUse){ .object = object, .size = size, .site = vm_user_site(vm) });
    return object;
}

/* The object's bytes become those of the input, from `offset` on. */
static void fill(Vm *vm, Object *o, uint64_t offset, ExprObject input, uint32_t size)
{
    ExprPool *p = vm->sym->pool;
    uint32_t at = expr_object_info(p, input)->at;
    bool word = size <= 16;
    Expr whole = word ? expr_object_word(p, input, 0, size) : EXPR_NONE;
    for (uint32_t i = 0; i < size; i++) {
        o->data[offset + i] = expr_input_byte(vm->sym->input, at + i);
        if (!word)
            sym_set(vm, o, offset + i, 1, expr_object_byte(p, input, i));
    }
    if (word)
        sym_set(vm, o, offset, size, whole);
    mem_undef_clear(o, offset, size);
}

bool sym_make_input(Vm *vm, uint64_t address, uint64_t size, const char *name)
{
    Object *o;
    char key[160];
    if (!vm_bytes(vm, address, size, true, &o))
        return false;
    if (!size)
        return true;
    if (size > INPUT_MOST)
        return vm_end_limit(vm, LEDGER_MEMORY, "an input of %llu bytes", (unsigned long long)size);
    snprintf(key, sizeof key, "%.100s@%016llx", name, (unsigned long long)vm_name_here(vm, 0));
    ExprObject input = sym_input(vm, key, name, (uint32_t)size, type_of(name, size));
    fill(vm, o, address - o->base, input, (uint32_t)size);
    return true;
}
