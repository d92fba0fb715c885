/* sym_prim.c - primitives called with symbolic arguments.
 *
 * A primitive sees words. An argument that it cannot take as an expression is concretised before the call;
 * the few that can are here. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

/* Arguments that stay symbolic, a bit for each. */
static unsigned kept(PrimFn prim)
{
    if (prim == prim_window || prim == prim_window_pair)
        return 0xf;
    if (prim == prim_given)
        return 1 << 2;
    return prim == prim_assume || prim == prim_exit || prim == prim_is_symbolic || prim == prim_most ||
                   prim == prim_bounded || prim == prim_peek
               ? 1
               : 0;
}
static bool is_allocation(PrimFn prim, uint32_t i) { return i == 0 && prim == prim_alloc; }
static bool is_size(PrimFn prim, uint32_t i)
{
    return i == 2 && (prim == prim_read || prim == prim_write || prim == prim_put);
}

/* Of 64 bits, but no pointer: a bit for each such argument. */
static unsigned numbers(PrimFn prim)
{
    static const struct {
        PrimFn prim;
        unsigned mask;
    } known[] = {
        {prim_alloc, 3},       {prim_assume, 1},   {prim_is_symbolic, 1},    {prim_symbolic, 2},
        {prim_environment, 5}, {prim_output, 2},   {prim_read, 4},           {prim_write, 4},
        {prim_seek, 2},        {prim_truncate, 2}, {prim_path, 4},           {prim_entry, 4},
        {prim_control, 4},     {prim_put, 4},      {prim_emit, 0x2c},        {prim_format_float, 0x5a},
        {prim_parse_float, 4}, {prim_window, 0xe}, {prim_window_pair, 0x1c}, {prim_most, 1},
        {prim_bounded, 3},     {prim_given, 6},    {prim_stream, 2}};
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (known[i].prim == prim)
            return known[i].mask;
    return 0;
}

static bool gather(Vm *vm, PrimCall *p, PrimFn prim, const CallInfo *call, const Reg *regs)
{
    p->nargs = call->nargs < COUNT_OF(p->args) ? call->nargs : COUNT_OF(p->args);
    for (uint32_t i = 0; i < p->nargs; i++) {
        const CallArg *arg = &call->args[i];
        p->args[i] = (uint64_t)arg->value;
        if (arg->is_const)
            continue;
        const Reg *r = REG(regs, arg->reg);
        p->args[i] = r->word;
        p->exprs[i] = sym_of(r->shadow);
        if (r->shadow & SHADOW_UNDEF)
            return vm_shadow_use(vm, vm->pc, r->shadow);
        if (p->exprs[i].id && !(numbers(prim) >> i & 1) && !sym_pointers(vm, p->exprs[i], 1))
            return false;
        if (p->exprs[i].id && !(kept(prim) >> i & 1)) {
            if (is_allocation(prim, i))
                sym_alloc_size(vm, p->exprs[i]);
            else if (is_size(prim, i))
                sym_concretise_size(vm, p->exprs[i]);
            else
                sym_concretise(vm, p->exprs[i], NULL);
            p->exprs[i] = EXPR_NONE;
        }
    }
    return true;
}

static bool assume(Vm *vm, const PrimCall *p)
{
    ExprPool *pool = vm->sym->pool;
    if (expr_is_none(p->exprs[0]))
        return p->args[0] ? true : vm_end(vm, VM_END_ASSUMPTION);
    Expr no = expr_eq(pool, p->exprs[0], expr_const(pool, expr_width(pool, p->exprs[0]), 0)),
         yes = expr_not(pool, no);
    if (!p->args[0])
        sym_add_alternative(vm, (VmAlternative){.condition = yes, .fn = IR_NONE, .block = IR_NONE});
    sym_decide(vm, VM_DECISION_ASSUME, p->args[0] ? yes : no, IR_NONE);
    return p->args[0] ? true : vm_end(vm, VM_END_ASSUMPTION);
}

/* sheaf_output: what the program names as its output. */
static bool show(Vm *vm, const PrimCall *p)
{
    Str name = {0};
    Object *o;
    bool ok = vm_mem_string(vm, p->args[2], &name) && vm_bytes(vm, p->args[0], p->args[1], false, &o);
    if (ok && o) {
        char *kept = arena_alloc(vm->keep, name.n + 1);
        memcpy(kept, str_text(&name), name.n);
        label_output(vm, (VmOutput){.name = kept}, o, p->args[0] - o->base, p->args[1]);
    }
    str_free(&name);
    return ok;
}

static bool send(Vm *vm, PrimFn prim, PrimCall *p, Expr *result)
{
    SymBuffer before = sym_buffer_before(vm, p->args[0]);
    bool ok = prim == prim_emit  ? sym_prim_emit(p, result)
              : prim == prim_put ? sym_prim_put(p)
                                 : sym_prim_write(p);
    sym_buffer_after(vm, &before);
    return ok;
}

static bool call_kept(Vm *vm, PrimFn prim, PrimCall *p, Expr *result)
{
    bool done = false;
    if (!sym_stream_prim(p, prim, &done) || done)
        return done;
    if (prim == prim_read)
        return sym_prim_read(p);
    if (prim == prim_write || prim == prim_put || prim == prim_emit)
        return send(vm, prim, p, result);
    if (prim == prim_control)
        return sym_prim_control(p);
    if (prim == prim_assume)
        return assume(vm, p);
    if (prim == prim_symbolic) {
        Str name = {0};
        bool ok = vm_mem_string(vm, p->args[2], &name) &&
                  sym_make_input(vm, p->args[0], p->args[1], str_text(&name));
        str_free(&name);
        return ok;
    }
    if (prim == prim_given)
        return sym_prim_given(p);
    if (prim == prim_stream)
        return sym_prim_stream(p);
    if (prim == prim_nullness)
        return sym_prim_nullness(p);
    if (prim == prim_most || prim == prim_bounded)
        return sym_prim_bound(p, prim == prim_most);
    if (prim == prim_window)
        return sym_prim_window(p);
    if (prim == prim_window_pair)
        return sym_prim_window_pair(p);
    if (prim == prim_peek)
        return sym_prim_peek(p, result);
    if (prim == prim_environment)
        return sym_prim_environment(p);
    if (prim == prim_exit && p->exprs[0].id)
        vm->sym->trace->status = expr_trunc(vm->sym->pool, p->exprs[0], 32);
    if (prim == prim_exit && vm->lab)
        vm->sym->trace->status_label = label_here(vm, label_made(vm));
    if (prim == prim_output && vm->lab)
        return show(vm, p);
    return prim(p);
}

bool vm_sym_prim(Vm *vm, PrimFn prim, const CallInfo *call, Reg *regs)
{
    PrimCall p = {.vm = vm};
    Expr result = EXPR_NONE;
    bool ok = gather(vm, &p, prim, call, regs);
    vm->sym->busy++;
    if (vm->sym->keys)
        sym_key_primitive(vm);
    ok = ok && call_kept(vm, prim, &p, &result);
    if (vm->sym->keys)
        sym_key_primitive(vm);
    vm->sym->busy--;
    if (!ok)
        return false;
    for (uint32_t i = 0; i < call->ndst; i++) {
        unsigned width = call->dst[i].width;
        Expr e = i || expr_is_none(result)
                     ? EXPR_NONE
                     : expr_trunc(vm->sym->pool, expr_zext(vm->sym->pool, result, 64), width);
        sym_reg_set(vm, REG(regs, call->dst[i].reg), width, i ? 0 : p.result & bits_mask(width), e);
    }
    return true;
}
