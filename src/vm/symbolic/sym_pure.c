/* sym_pure.c - functions of libm on symbolic arguments: operators where there are some, else applications
 * that are evaluated natively and mean nothing to a solver but that they are functions. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

#include <dlfcn.h>

enum { ARGS_MOST = 8 };

/* What an application evaluates: the result, or what is written behind one of the pointers. */
typedef struct PureFn {
    const void *pure;
    void *host;
    unsigned output; /* argument from 1 on; 0: the result */
} PureFn;

static u128 evaluate(void *context, const u128 *arguments, uint32_t n)
{
    const PureFn *fn = context;
    u128 words[ARGS_MOST] = {0}, outputs[ARGS_MOST] = {0};
    unsigned pointed;
    for (unsigned i = 0, at = 0; i < ARGS_MOST && at < n; i++)
        if (vm_pure_width(fn->pure, i + 1, &pointed))
            words[i] = arguments[at++];
    u128 result = vm_pure_invoke(fn->pure, fn->host, words, outputs);
    return fn->output ? outputs[fn->output - 1] : result;
}

/* Functions that are operators: exact, so that the host's result is the same to the bit. */
static BitsOp operator_of(const char *name)
{
    static const struct {
        const char *name;
        BitsOp op;
    } ops[] = {{"fabs", BITS_FABS},          {"sqrt", BITS_FSQRT},      {"floor", BITS_FFLOOR},
               {"ceil", BITS_FCEIL},         {"trunc", BITS_FTRUNC},    {"round", BITS_FROUND},
               {"rint", BITS_FRINT},         {"nearbyint", BITS_FRINT}, {"fma", BITS_FMA},
               {"copysign", BITS_FCOPYSIGN}, {"roundeven", BITS_FRINT}};
    for (size_t i = 0; i < COUNT_OF(ops); i++) {
        size_t n = strlen(ops[i].name);
        if (!strncmp(name, ops[i].name, n) &&
            (!name[n] || ((name[n] == 'f' || name[n] == 'l') && !name[n + 1])))
            return ops[i].op;
    }
    return BITS_COUNT;
}

/* The function's result, or what it writes behind its argument `output`. `context` must last as long as the
 * pool. */
static Expr application(ExprPool *p, const char *name, unsigned output, unsigned width, const Expr *values,
                        uint32_t n, void *context)
{
    BitsOp op = output ? BITS_COUNT : operator_of(name);
    char text[64];
    if (op != BITS_COUNT && bits_op_arity(op) == n)
        return expr_make(p, op, width, values[0], n > 1 ? values[1] : EXPR_NONE,
                         n > 2 ? values[2] : EXPR_NONE);
    snprintf(text, sizeof text, output ? "%s.%u" : "%s", name, output);
    return expr_apply(p, expr_fn(p, text, width, evaluate, context), values, n);
}

static Expr apply(Vm *vm, const FnCode *fn, unsigned output, unsigned width, const Expr *values, uint32_t n)
{
    const char *name = vm_pure_name(fn->pure);
    char text[64];
    snprintf(text, sizeof text, output ? "%s.%u" : "%s", name, output);
    return application(vm->sym->pool, name, output, width, values, n,
                       sym_keep(vm, text, &(PureFn){fn->pure, fn->host, output}, sizeof(PureFn)));
}

Expr vm_pure_apply(ExprPool *p, Arena *keep, const char *name, const Expr *values, uint32_t n)
{
    const void *pure = vm_pure_find(name);
    void *host = pure ? dlsym(RTLD_DEFAULT, name) : NULL;
    unsigned pointed, width = pure ? vm_pure_width(pure, 0, &pointed) : 0;
    if (!host || !width)
        return EXPR_NONE;
    for (uint32_t i = 0; i < ARGS_MOST; i++) {
        unsigned wanted = vm_pure_width(pure, i + 1, &pointed);
        if (pointed || (i < n ? wanted != expr_width(p, values[i]) : wanted))
            return EXPR_NONE;
    }
    PureFn *context = arena_alloc(keep, sizeof *context);
    *context = (PureFn){pure, host, 0};
    return application(p, name, 0, width, values, n, context);
}

static bool write_output(Vm *vm, uint64_t address, u128 value, unsigned size, Expr e)
{
    Object *o;
    if (!vm_mem_write(vm, address, &value, size) || !vm_bytes(vm, address, size, true, &o))
        return false;
    if (!expr_is_const(vm->sym->pool, e))
        sym_set(vm, o, address - o->base, size, e);
    return true;
}

/* The arguments: words, and expressions of those that are values. */
static bool gather(Vm *vm, const FnCode *fn, const CallInfo *call, const Reg *regs, u128 *words, Expr *values,
                   uint32_t *n)
{
    unsigned pointed, width;
    for (unsigned i = 0; i < ARGS_MOST && i < call->nargs; i++) {
        const CallArg *arg = &call->args[i];
        const Reg *r = arg->is_const ? NULL : REG(regs, arg->reg);
        Expr e = r ? sym_of(r->shadow) : EXPR_NONE;
        words[i] = !r ? arg->value : arg->width > 64 ? r[0].word | (u128)r[1].word << 64 : r[0].word;
        if (r && (r->shadow & SHADOW_UNDEF))
            return vm_shadow_use(vm, vm->pc, r->shadow);
        width = vm_pure_width(fn->pure, i + 1, &pointed);
        if (width)
            values[(*n)++] = expr_is_none(e) || expr_width(vm->sym->pool, e) != width
                                 ? expr_const(vm->sym->pool, width, words[i])
                                 : e;
        else if (e.id && !sym_pointers(vm, e, pointed))
            return false;
        if (e.id && (!width || expr_width(vm->sym->pool, e) != width))
            sym_concretise(vm, e, NULL);
    }
    return true;
}

bool vm_sym_pure(Vm *vm, const FnCode *fn, const CallInfo *call, Reg *regs, bool *ok)
{
    u128 words[ARGS_MOST] = {0}, outputs[ARGS_MOST] = {0};
    Expr values[ARGS_MOST];
    uint32_t n = 0;
    bool any = false;
    unsigned pointed, width;
    for (uint32_t i = 0; i < call->nargs; i++)
        any |= !call->args[i].is_const && sym_of(REG(regs, call->args[i].reg)->shadow).id;
    if (!any)
        return false;
    *ok = gather(vm, fn, call, regs, words, values, &n);
    if (!*ok)
        return true;
    u128 returned = vm_pure_invoke(fn->pure, fn->host, words, outputs);
    for (unsigned i = 0; *ok && i < ARGS_MOST && i < call->nargs; i++) {
        vm_pure_width(fn->pure, i + 1, &pointed);
        if (pointed)
            *ok = write_output(vm, (uint64_t)words[i], outputs[i], pointed,
                               apply(vm, fn, i + 1, 8 * pointed, values, n));
    }
    width = vm_pure_width(fn->pure, 0, &pointed);
    if (*ok && width && call->ndst) {
        Reg *out = REG(regs, call->dst[0].reg), value[2] = {{0, 0}, {0, 0}};
        sym_reg_set(vm, value, width, returned, apply(vm, fn, 0, width, values, n));
        if (call->dst[0].width != width)
            vm_sym_fit(vm, value, call->dst[0].width);
        out[0] = value[0];
        if (call->dst[0].width > 64)
            out[1] = value[1];
    }
    return true;
}

/* ---- functions of the program that are not entered ------------------------------------------- */

bool vm_sym_is_abstract(const FnCode *fn, const CallInfo *call, const Reg *regs)
{
    if (!fn->abstract || call->signature != fn->signature)
        return false;
    uint32_t active = 0;
    for (const Reg *at = regs; at && active < fn->abstract->depth; at = FRAME(at)->caller)
        active += FRAME(at)->fn == fn;
    return active >= fn->abstract->depth;
}

/* The result depends on the arguments and on nothing else. */
bool vm_sym_abstract(Vm *vm, const FnCode *fn, const CallInfo *call, Reg *regs)
{
    const VmAbstract *a = fn->abstract;
    ExprPool *p = vm->sym->pool;
    u128 words[VM_ABSTRACT_ARGS] = {0};
    Expr values[VM_ABSTRACT_ARGS];
    VmLabel own = LABEL_NONE;
    for (uint32_t i = 0; i < call->nargs; i++) {
        const CallArg *arg = &call->args[i];
        const Reg *r = arg->is_const ? NULL : REG(regs, arg->reg);
        Expr e = r ? sym_of(r->shadow) : EXPR_NONE;
        if (r && (r->shadow & SHADOW_UNDEF))
            return vm_shadow_use(vm, vm->pc, r->shadow);
        words[i] = !r ? arg->value : arg->width > 64 ? r[0].word | (u128)r[1].word << 64 : r[0].word;
        words[i] &= bits_mask(arg->width);
        values[i] = expr_is_none(e) ? expr_const(p, arg->width, words[i]) : expr_trunc(p, e, arg->width);
        if (vm->lab && r)
            own = label_unite(vm, own, label_of(r->shadow));
    }
    unsigned width = call->dst[0].width;
    Reg *out = REG(regs, call->dst[0].reg);
    Expr e = expr_apply(p, expr_fn(p, a->name, width, a->call, a->context), values, call->nargs);
    sym_reg_set(vm, out, width, a->call(a->context, words, call->nargs) & bits_mask(width), e);
    if (vm->lab)
        vm_label_results(vm, vm->pc, regs, (uint64_t)label_relative(vm, own).id << 32);
    vm->sym->trace->applied++;
    return true;
}

/* What the host's function keeps is neither restored by snapshots nor a function of the input. */
void vm_sym_native_call(Vm *vm, const char *name)
{
    ledger_add(vm->sym->ledger, LEDGER_MODEL, vm_user_site(vm),
               "%s was called natively, on one value of each argument only", name);
}
