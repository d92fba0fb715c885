/* sym_callback.c - functions that the entry gets from its caller: stubs with free results.
 *
 * A pointer to a function that is an input leads to a stub of its own (sym_shape.c). A call of it returns an
 * input, named by execution index, so that runs that differ elsewhere get the same one, and writes nothing.
 * The native program has such stubs, too (runtime/native/replay.c): they return what the test holds, call by
 * call. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

static const IrCType *ctype(const Vm *vm, uint32_t type)
{
    static const IrCType unknown = {.kind = IR_C_UNKNOWN};
    return type && type < vm->program->ctypes.n ? &vm->program->ctypes.v[type] : &unknown;
}

const char *sym_callback_letter(const Vm *vm, uint32_t returns)
{
    const IrCType *t = ctype(vm, returns);
    bool is_unsigned = t->kind == IR_C_UINT || t->kind == IR_C_UCHAR;
    switch (t->kind) {
    case IR_C_POINTER: return "p";
    case IR_C_BOOL: return "b";
    case IR_C_FLOAT: return t->size == 4 ? "f" : t->size == 8 ? "d" : "l";
    case IR_C_UNKNOWN: return returns ? "x" : "v";
    case IR_C_ARRAY:
    case IR_C_RECORD: return "x";
    default: break;
    }
    switch (t->size) {
    case 1: return is_unsigned ? "C" : "c";
    case 2: return is_unsigned ? "H" : "h";
    case 4: return "i";
    case 8: return "L";
    default: return "x";
    }
}

static const SymShape *callback_at(const Vm *vm, uint64_t address)
{
    const Object *o = vm->sym ? mem_find(&vm->mem, address) : NULL;
    const SymShape *s = o && o->shape && o->base == address ? sym_shape_at(vm, o->shape) : NULL;
    return s && s->kind == SHAPE_CALLBACK ? s : NULL;
}

bool vm_sym_is_callback(const Vm *vm, uint64_t address) { return callback_at(vm, address) != NULL; }

/* The input that this call returns. */
static ExprObject result_here(Vm *vm, const SymShape *s, unsigned bytes)
{
    char name[128], key[160];
    snprintf(name, sizeof name, "%.110s()", vm_name_text(vm, s->name));
    snprintf(key, sizeof key, "%.120s@%016llx", name, (unsigned long long)vm_name_here(vm, 0));
    ExprCKind kind = vm_c_kind(ctype(vm, s->returns)->kind);
    bool pointer = kind == EXPR_C_POINTER;
    return expr_object(vm->sym->pool, key, name, bytes, (ExprCType){pointer ? EXPR_C_CHAR : kind, pointer});
}

/* What it gets it may read: an array is as long as its shape says. */
static bool pass(Vm *vm, const CallInfo *call, const Reg *regs)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < call->nargs + call->nvar; i++) {
        uint64_t shadow = call->args[i].is_const ? 0 : REG(regs, call->args[i].reg)->shadow;
        if (call->args[i].width != 64 || !sym_of(shadow).id)
            continue;
        if (vm->lab)
            label_own(vm, label_of(shadow));
        ok = sym_passed(vm, sym_of(shadow));
    }
    if (ok && vm->lab)
        label_check(vm);
    return ok;
}

bool vm_sym_callback(Vm *vm, uint64_t address, const CallInfo *call, Reg *regs)
{
    const SymShape s = *callback_at(vm, address);
    ExprPool *p = vm->sym->pool;
    if (!pass(vm, call, regs))
        return false;
    if (call->ndst > 1 || *sym_callback_letter(vm, s.returns) == 'x')
        return vm_end_unsupported(vm, "a callback that returns a structure");
    if (!call->ndst || !s.returns) { /* a caller that takes a result where there is none gets anything */
        for (uint32_t i = 0; i < call->ndst; i++)
            *REG(regs, call->dst[i].reg) = (Reg){0, 0};
        return true;
    }
    unsigned width = call->dst[0].width, bytes = (width + 7) / 8;
    ExprObject input = result_here(vm, &s, bytes);
    sym_describe(vm, input, s.returns);
    sym_input_use(vm, input, VM_INPUT_RESULT, NULL, bytes);
    Expr e = expr_trunc(p, expr_object_word(p, input, 0, bytes), width);
    sym_reg_set(vm, REG(regs, call->dst[0].reg), width, sym_eval(vm, e), e);
    return true;
}
