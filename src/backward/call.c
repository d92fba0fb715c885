/* call.c - calls: entered, modelled, or stepped over with whatever they may write unknown.
 *
 * What Sheaf has as C in runtime/ is entered like the user's own code if it is small; inputs, the heap and
 * ends of a run have models here, since they are where the machine's primitives are. A call that is stepped
 * over and may come back into code with a target (a callback, recursion that is too deep) is an escape: it
 * may reach the target. */
#include "backward/eval.h"

enum {
    RUNTIME_MOST = 400, /* instructions of a function of runtime/, with its callees, that is entered */
    DEPTH_MOST = 64,
    CALLEES_MOST = 8
};

Expr bw_argument(Eval *ev, const Call *c, uint32_t i, unsigned width)
{
    ExprPool *p = ev->bw->pool;
    if (i >= c->list.nargs)
        return bw_fresh(ev->bw, width, "missing");
    Expr e = bw_reg_value(ev, c->f, c->list.args[i]);
    return expr_width(p, e) < width ? expr_zext(p, e, width) : expr_trunc(p, e, width);
}

void bw_set_result(Eval *ev, const Call *c, Expr value)
{
    ExprPool *p = ev->bw->pool;
    for (uint32_t i = 0; i < c->list.ndst; i++) {
        unsigned width = c->f->fn->regs.v[c->list.dst[i]].width;
        Expr v = i || expr_is_none(value)       ? bw_fresh(ev->bw, width, c->name)
                 : expr_width(p, value) < width ? expr_zext(p, value, width)
                                                : expr_trunc(p, value, width);
        c->f->regs[c->list.dst[i]] = v;
    }
}

/* ---- what a call may reach ------------------------------------------------------------------- */

static bool holds_target(Backward *bw, uint32_t fn)
{
    const IrFn *f = &bw->program->fns.v[fn];
    if (bw->faults && f->defined && !f->runtime &&
        !text_starts_with(ir_text(bw->program, f->name), "__sheaf_"))
        return true; /* whatever the user's code does may be a fault */
    for (uint32_t b = 0; b < f->blocks.n; b++)
        if (map_get(&bw->target_blocks, (uint64_t)fn << 32 | b, NULL))
            return true;
    return false;
}

bool bw_reaches(Backward *bw, uint32_t fn)
{
    uint64_t known;
    if (map_get(&bw->reaches, fn, &known))
        return known;
    BitSet seen = {0};
    U32Vec queue = {0};
    bool found = false;
    bitset_add(&seen, fn);
    vec_push(&queue, fn);
    while (queue.n && !found) {
        uint32_t at = vec_pop(&queue);
        const IrFn *f = &bw->program->fns.v[at];
        found = holds_target(bw, at);
        for (uint32_t b = 0; b < f->blocks.n; b++)
            for (uint32_t i = 0; i < f->blocks.v[b].insns.n; i++) {
                IrOp op = f->blocks.v[b].insns.v[i].op;
                FlowList callees = {0};
                if (op == IR_CALL || op == IR_CALLPTR)
                    callees = flow_callees(bw->flow, (FlowSite){at, b, i});
                for (uint32_t k = 0; k < callees.n; k++)
                    if (bitset_add(&seen, callees.v[k]))
                        vec_push(&queue, callees.v[k]);
            }
    }
    bitset_free(&seen);
    vec_free(&queue);
    map_put(&bw->reaches, fn, found);
    return found;
}

/* ---- stepping over --------------------------------------------------------------------------- */

/* The objects that the call may write, or whose state it may change. */
FlowList bw_written(Eval *ev, const Call *c)
{
    Backward *bw = ev->bw;
    FlowPlaces places = flow_insn_writes(bw->flow, (FlowSite){c->f->index, c->block, c->insn});
    U32Vec list = {0};
    for (uint32_t i = 0; i < places.n; i++) {
        if (places.v[i].param == IR_NONE) {
            vec_push(&list, places.v[i].object);
            continue;
        }
        FlowList behind = flow_points_to(bw->flow, c->f->index, places.v[i].param);
        for (uint32_t k = 0; k < behind.n; k++)
            vec_push(&list, behind.v[k]);
        if (!behind.n)
            vec_push(&list, FLOW_OBJECT_ANY);
    }
    uint32_t *kept = arena_alloc(bw->arena, (list.n + 1) * sizeof *kept);
    if (list.n)
        memcpy(kept, list.v, list.n * sizeof *kept);
    FlowList result = {kept, list.n};
    vec_free(&list);
    return result;
}

/* The argument as a text that the program never changes, and its global; NULL: it is none. */
const IrGlobal *bw_text_of(Eval *ev, const Call *c, uint32_t i)
{
    uint32_t object =
        i < c->list.nargs ? bw_object_of(ev->bw, bw_reg_value(ev, c->f, c->list.args[i])) : IR_NONE;
    if (object == IR_NONE || ev->bw->objects.v[object].kind != BW_GLOBAL)
        return NULL;
    const IrGlobal *g = &ev->bw->program->globals.v[ev->bw->objects.v[object].index];
    return g->constant && g->bytes && g->size && !g->bytes[g->size - 1] ? g : NULL;
}

/* A format without conversions that follow pointers. */
static bool format_is_harmless(Eval *ev, const Call *c, uint32_t i)
{
    const IrGlobal *g = bw_text_of(ev, c, i);
    if (!g)
        return false;
    for (uint64_t k = 0; k + 1 < g->size; k++)
        if (g->bytes[k] == '%') {
            for (k++; k + 1 < g->size && strchr("-+ #0'123456789.lhzjtLq*", g->bytes[k]); k++)
                ;
            if (g->bytes[k] == 's' || g->bytes[k] == 'n' || g->bytes[k] == 'S')
                return false;
        }
    return true;
}

/* Can the call itself not fail, whatever state it finds? */
static bool is_harmless(Eval *ev, const Call *c)
{
    static const char *const harmless[] = {"putchar",
                                           "putchar_unlocked",
                                           "fputc",
                                           "putc",
                                           "getchar",
                                           "getchar_unlocked",
                                           "getpid",
                                           "rand",
                                           "random",
                                           "clock",
                                           "__errno_location",
                                           "abs",
                                           "labs",
                                           "llabs",
                                           "fflush"};
    for (size_t i = 0; i < COUNT_OF(harmless); i++)
        if (!strcmp(c->name, harmless[i]))
            return true;
    if (!strcmp(c->name, "puts") || !strcmp(c->name, "printf"))
        return format_is_harmless(ev, c, 0);
    if (!strcmp(c->name, "fprintf"))
        return format_is_harmless(ev, c, 1);
    return !ev->bw->program->fns.v[c->fn].defined && vm_external_is_known(c->name) &&
           !text_starts_with(c->name, "__sheaf_");
}

State bw_step_over(Eval *ev, const Call *c, State s, const char *why)
{
    Backward *bw = ev->bw;
    bool harmless = is_harmless(ev, c);
    const char *text = arena_printf(bw->arena, "%s %s", c->name, why);
    if (bw_reaches(bw, c->fn))
        bw_escape(ev, c->f, c->block, c->insn, s, text);
    else if (bw->faults && !harmless && !(bw->options.rules_off & BACKWARD_OFF_ESCAPES))
        bw_end_target(ev, c->f, c->block, c->insn, s, EXPR_TRUE,
                      (BwTarget){.to = IR_NONE, .fault = VM_FAULT_COUNT, .escape = text});
    else if (!harmless)
        bw_reason(bw, c->site, "%s", text);
    s.mem = bw_mem_havoc(ev, s.mem, bw_written(ev, c));
    bw_set_result(ev, c, EXPR_NONE);
    return bw->require && !harmless ? bw_state_and(ev, s, bw_fresh(bw, 1, "returns")) : s;
}

/* ---- models ---------------------------------------------------------------------------------- */

static uint32_t heap_name(Eval *ev, const Call *c)
{
    const Frame *f = c->f;
    FlowSite at = {f->index, c->block, c->insn}, caller = {IR_NONE, 0, 0};
    while (f->fn->runtime &&
           f->caller) { /* by the innermost call in the user's code, and the call of its frame */
        const BwInstance *in = &ev->bw->instances.v[f->instance];
        f = f->caller;
        at = (FlowSite){f->index, in->block, in->insn};
    }
    if (f->caller) {
        const BwInstance *in = &ev->bw->instances.v[f->instance];
        caller = (FlowSite){f->caller->index, in->block, in->insn};
    }
    return flow_object_of_heap(ev->bw->flow, at, caller);
}

/* Memory of that size. It is there, unless so much may be asked for that it is refused. */
static State allocate(Eval *ev, const Call *c, State s, Expr size, bool zeroed, Expr *result)
{
    Backward *bw = ev->bw;
    ExprPool *p = bw->pool;
    uint32_t id =
        bw_object_make(ev, &s.mem, BW_HEAP, heap_name(ev, c), IR_NONE, size, zeroed, "a heap object");
    Expr base = bw->objects.v[id].base, much = expr_ult(p, bw_const(bw, UINT64_C(1) << 28), size);
    bool fails = bw->options.inputs && bw->options.inputs->environment >> LEDGER_ENV_MALLOC & 1;
    if (bw->options.ledger)
        ledger_asked(bw->options.ledger, LEDGER_ENV_MALLOC, fails);
    if (fails) /* whatever it is asked for */
        much = EXPR_TRUE;
    else if (!expr_is_const(p, much) && bw_unsat(bw, bw_guard_all(ev, s.guard), much, EXPR_TRUE))
        much = EXPR_FALSE;
    *result = expr_ite(p, expr_and(p, much, bw_fresh(bw, 1, "refused")), bw_const(bw, 0), base);
    return s;
}

static State release(Eval *ev, const Call *c, State s, Expr p)
{
    Backward *bw = ev->bw;
    s = bw_fault_check(ev, c->f, c->block, c->insn, s, bw_mem_bad_free(bw, s.mem, p), VM_FAULT_INVALID_FREE);
    if (!is_dead(s) && !expr_is_value(bw->pool, p, 0))
        s.mem = bw_mem_add(bw, (BwMemNode){.kind = BW_MEM_DEAD, .below = s.mem, .id = IR_NONE, .a = p});
    return s;
}

static State run_heap(Eval *ev, const Call *c, State s)
{
    ExprPool *p = ev->bw->pool;
    Expr result = EXPR_NONE;
    if (!strcmp(c->name, "free") || !strcmp(c->name, "__sheaf_free"))
        return release(ev, c, s, bw_argument(ev, c, 0, 64));
    if (!strcmp(c->name, "calloc")) {
        Expr a = bw_argument(ev, c, 0, 64), b = bw_argument(ev, c, 1, 64);
        Expr fits = expr_not(p, expr_make(p, BITS_UMUL_OVF, 1, a, b, EXPR_NONE));
        s = allocate(ev, c, s, expr_ite(p, fits, expr_mul(p, a, b), bw_const(ev->bw, UINT64_MAX)), true,
                     &result);
    } else {
        Expr zeroed = bw_argument(ev, c, 2, 32);
        bool zero =
            !strcmp(c->name, "__sheaf_alloc") && expr_is_const(p, zeroed) && expr_const_value(p, zeroed);
        s = allocate(ev, c, s, bw_argument(ev, c, 0, 64), zero, &result);
    }
    bw_set_result(ev, c, result);
    return s;
}

static State run_assume(Eval *ev, const Call *c, State s)
{
    Expr e = bw_reg_value(ev, c->f, c->list.args[0]);
    return bw_state_and(ev, s,
                        expr_ne(ev->bw->pool, e, expr_const(ev->bw->pool, expr_width(ev->bw->pool, e), 0)));
}

/* Of an object that is known: a new one, with the contents of the old, which is gone. */
static State run_realloc(Eval *ev, const Call *c, State s)
{
    Backward *bw = ev->bw;
    ExprPool *p = bw->pool;
    Expr old = bw_argument(ev, c, 0, 64), size = bw_argument(ev, c, 1, 64), result;
    uint32_t object = bw_is_address(bw, old) ? bw_object_of(bw, old) : IR_NONE;
    if (object == IR_NONE && !expr_is_value(p, old, 0))
        return bw_step_over(ev, c, s, "of an object that is not known is not modelled");
    if (object != IR_NONE)
        s = bw_fault_check(ev, c->f, c->block, c->insn, s, bw_mem_bad_free(bw, s.mem, old),
                           VM_FAULT_INVALID_FREE);
    uint32_t before = s.mem;
    s = allocate(ev, c, s, size, false, &result);
    Expr none =
        object == IR_NONE ? EXPR_FALSE : expr_eq(p, size, bw_const(bw, 0)); /* of no bytes it is free */
    if (object != IR_NONE && !is_dead(s)) {
        Expr room = bw_object_size(bw, object), kept = expr_ite(p, expr_ult(p, room, size), room, size);
        s.mem = bw_mem_block(ev, s.mem, BW_MEM_COPY, bw_base(bw, bw->objects.n - 1), old, kept, before);
        uint32_t gone =
            bw_mem_add(bw, (BwMemNode){.kind = BW_MEM_DEAD, .below = s.mem, .id = IR_NONE, .a = old});
        s.mem = bw_mem_join(bw, expr_or(p, none, expr_ne(p, result, bw_const(bw, 0))), gone,
                            s.mem); /* unless it was refused */
    }
    bw_set_result(ev, c, expr_ite(p, none, bw_const(bw, 0), result));
    return s;
}

/* A block of bytes is copied or filled by a function of libc. */
static State run_bytes(Eval *ev, const Call *c, State s)
{
    bool fill = !strcmp(c->name, "memset");
    Expr to = bw_argument(ev, c, 0, 64), from = fill ? bw_argument(ev, c, 1, 8) : bw_argument(ev, c, 1, 64),
         n = bw_argument(ev, c, 2, 64);
    if (!fill)
        s = bw_access_check(ev, c->f, c->block, c->insn, s, from, n, false);
    s = bw_access_check(ev, c->f, c->block, c->insn, s, to, n, true);
    if (is_dead(s))
        return s;
    s.mem = bw_mem_block(ev, s.mem, fill ? BW_MEM_FILL : BW_MEM_COPY, to, from, n, s.mem);
    bw_set_result(ev, c, to);
    return s;
}

static State run_end(Eval *ev, const Call *c, State s)
{
    (void)ev, (void)c;
    return (State){GUARD_DEAD, s.mem};
}

static State run_fault(Eval *ev, const Call *c, State s)
{
    VmFaultKind kind = text_ends_with(c->name, "abort") ? VM_FAULT_ABORT
                       : strstr(c->name, "assert")      ? VM_FAULT_ASSERT
                                                        : VM_FAULT_REPORTED;
    return bw_fault_check(ev, c->f, c->block, c->insn, s, EXPR_TRUE, kind);
}

static State run_unsupported(Eval *ev, const Call *c, State s)
{
    bw_escape(ev, c->f, c->block, c->insn, s, "something that is not supported is called");
    return (State){GUARD_DEAD, s.mem};
}

/* Strings are walked byte by byte: there is no window. */
static State run_window(Eval *ev, const Call *c, State s)
{
    bw_set_result(ev, c, bw_const(ev->bw, 0));
    return s;
}

static State run_peek(Eval *ev, const Call *c, State s)
{
    bw_set_result(ev, c, EXPR_NONE);
    return s;
}

/* A function of libm: its result is an application that is evaluated natively. */
static bool run_pure(Eval *ev, const Call *c)
{
    Expr values[8];
    if (c->list.nargs > COUNT_OF(values))
        return false;
    for (uint32_t i = 0; i < c->list.nargs; i++)
        values[i] = bw_reg_value(ev, c->f, c->list.args[i]);
    Expr result = vm_pure_apply(ev->bw->pool, ev->bw->arena, c->name, values, c->list.nargs);
    if (!expr_is_none(result))
        bw_set_result(ev, c, result);
    return !expr_is_none(result);
}

static State run_nothing(Eval *ev, const Call *c, State s)
{
    bw_set_result(ev, c, EXPR_NONE);
    return s;
}

/* How many bytes there are behind a pointer that the entry was given: a precondition may say what they must
 * be. */
static State run_room(Eval *ev, const Call *c, State s)
{
    BwRoot r;
    bool known = c->list.nargs == 1 && bw_root(ev->bw, bw_reg_value(ev, c->f, c->list.args[0]), &r) &&
                 expr_is_value(ev->bw->pool, r.offset, 0);
    if (!known)
        return bw_step_over(ev, c, s, "is known of pointers that the entry is given only");
    bw_set_result(ev, c, bw_room(ev->bw, &r));
    return s;
}

static const struct {
    const char *name;
    State (*run)(Eval *, const Call *, State);
} models[] = {{"__sheaf_symbolic", bw_run_symbolic},
              {"__sheaf_assume", run_assume},
              {"__sheaf_output", run_nothing},
              {"__sheaf_alloc", run_heap},
              {"__sheaf_free", run_heap},
              {"malloc", run_heap},
              {"calloc", run_heap},
              {"free", run_heap},
              {"realloc", run_realloc},
              {"getchar", bw_run_getchar},
              {"getchar_unlocked", bw_run_getchar},
              {"fgetc", bw_run_getc},
              {"getc", bw_run_getc},
              {"_IO_getc", bw_run_getc},
              {"fgets", bw_run_fgets},
              {"memcpy", run_bytes},
              {"memmove", run_bytes},
              {"memset", run_bytes},
              {"exit", run_end},
              {"_exit", run_end},
              {"_Exit", run_end},
              {"quick_exit", run_end},
              {"__sheaf_exit", run_end},
              {"abort", run_fault},
              {"__sheaf_abort", run_fault},
              {"__assert_fail", run_fault},
              {"__sheaf_assert_fail", run_fault},
              {"__sheaf_report", run_fault},
              {"__sheaf_fault", run_fault},
              {"__sheaf_unsupported", run_unsupported},
              {"__sheaf_window", run_window},
              {"__sheaf_window_pair", run_window},
              {"__sheaf_peek", run_peek},
              {"room", run_room}};

/* ---- entering -------------------------------------------------------------------------------- */

/* Instructions of the function and all that it calls; more than the bound where that is not known. */
static uint32_t extent(Backward *bw, uint32_t fn, uint32_t left, unsigned depth)
{
    const IrFn *f = &bw->program->fns.v[fn];
    uint32_t n = 0;
    if (depth > 8)
        return left + 1;
    for (size_t i = 0; i < COUNT_OF(models); i++)
        if (!strcmp(ir_text(bw->program, f->name), models[i].name))
            return 1;
    if (!f->defined)
        return vm_external_is_known(ir_text(bw->program, f->name)) &&
                       !text_starts_with(ir_text(bw->program, f->name), "__sheaf_")
                   ? 1
                   : left + 1;
    for (uint32_t b = 0; b < f->blocks.n; b++)
        for (uint32_t i = 0; i < f->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &f->blocks.v[b].insns.v[i];
            if (insn->op == IR_CALLPTR || n > left)
                return left + 1;
            n += insn->op == IR_CALL ? extent(bw, insn->a, left - n, depth + 1) : 1;
        }
    return n;
}

static bool all_constant(Eval *ev, const Call *c)
{
    for (uint32_t i = 0; i < c->list.nargs; i++)
        if (!expr_is_const(ev->bw->pool, bw_reg_value(ev, c->f, c->list.args[i])))
            return false;
    return true;
}

static State enter(Eval *ev, const Call *c, State s)
{
    Backward *bw = ev->bw;
    uint32_t instance = bw_instance_of(bw, c->f->instance, c->block, c->insn, c->fn);
    uint32_t deepest = all_constant(ev, c) ? DEPTH_MOST : bw->options.max_recursion;
    uint32_t summary =
        bw->instances.v[instance].recursion > deepest || (bw->options.summaries && !all_constant(ev, c))
            ? bw_summary_of(bw, c->fn)
            : IR_NONE;
    if (summary != IR_NONE)
        return bw_summary_call(ev, c, s, summary);
    if (bw->instances.v[instance].recursion > deepest)
        return bw_step_over(ev, c, s, "calls itself: deeper calls are not entered");
    if (bw->instances.v[instance].depth > DEPTH_MOST)
        return bw_step_over(ev, c, s, "is called below too many other calls");
    Frame *g = bw_frame_new(ev, c->f, instance, false);
    for (uint32_t i = 0; i < g->fn->nparams && i < c->list.nargs; i++) {
        Expr e = bw_reg_value(ev, c->f, c->list.args[i]);
        unsigned width = g->fn->regs.v[i].width;
        g->regs[i] =
            expr_width(bw->pool, e) < width ? expr_zext(bw->pool, e, width) : expr_trunc(bw->pool, e, width);
        IrParam param = ir_param(g->fn, i);
        if (param.kind == IR_PARAM_BYVAL) { /* a copy of its own */
            uint32_t source = s.mem;
            uint32_t id = bw_object_make(ev, &s.mem, BW_STACK, FLOW_OBJECT_ANY, instance,
                                         bw_const(bw, param.size), false, "a structure passed by value");
            s.mem = bw_mem_block(ev, s.mem, BW_MEM_COPY, bw->objects.v[id].base, e, bw_const(bw, param.size),
                                 source);
            g->regs[i] = bw->objects.v[id].base;
        }
    }
    Expr results[16] = {0};
    s = bw_frame_run(ev, g, s, results);
    for (uint32_t i = 0; i < c->list.ndst; i++) {
        unsigned width = c->f->fn->regs.v[c->list.dst[i]].width;
        Expr e = i < COUNT_OF(results) ? results[i] : EXPR_NONE;
        c->f->regs[c->list.dst[i]] =
            expr_is_none(e) || expr_width(bw->pool, e) != width ? bw_fresh(bw, width, c->name) : e;
    }
    return s;
}

static State call_fn(Eval *ev, Call *c, State s)
{
    Backward *bw = ev->bw;
    const IrFn *g = &bw->program->fns.v[c->fn];
    c->name = ir_text(bw->program, g->name);
    bool own = g->defined && !g->runtime; /* a program may have an abort of its own */
    for (size_t i = 0; !own && i < COUNT_OF(models); i++)
        if (!strcmp(c->name, models[i].name))
            return models[i].run(ev, c, s);
    if (!own && bw_run_string(ev, c, &s))
        return s;
    if (!g->defined)
        return run_pure(ev, c) ? s : bw_step_over(ev, c, s, "is not defined in the program");
    if (g->variadic && g->runtime)
        return bw_step_over(ev, c, s, "is not modelled");
    if (g->runtime && extent(bw, c->fn, RUNTIME_MOST, 0) > RUNTIME_MOST)
        return bw_step_over(ev, c, s, "is not modelled");
    return enter(ev, c, s);
}

/* Through a pointer: each function that it may be, under the condition that it is. */
static State call_through(Eval *ev, Call *c, State s, Expr pointer)
{
    Backward *bw = ev->bw;
    ExprPool *p = bw->pool;
    FlowList callees = flow_callees(bw->flow, (FlowSite){c->f->index, c->block, c->insn});
    uint32_t known = bw_object_of(bw, pointer), n = c->list.ndst;
    if (known != IR_NONE && bw->objects.v[known].kind == BW_FUNCTION &&
        expr_same(pointer, bw->objects.v[known].base)) {
        c->fn = bw->objects.v[known].index;
        return call_fn(ev, c, s);
    }
    if (!callees.n || callees.n > CALLEES_MOST) {
        bw_escape(ev, c->f, c->block, c->insn, s, "a call through a pointer that may lead to many functions");
        s.mem = bw_mem_havoc(ev, s.mem, everything());
        c->name = "call";
        bw_set_result(ev, c, EXPR_NONE);
        return s;
    }
    State states[CALLEES_MOST];
    const Expr *values[CALLEES_MOST];
    Expr none = EXPR_TRUE;
    uint32_t m = 0;
    for (uint32_t i = 0; i < callees.n; i++) {
        Expr is = expr_eq(p, pointer, bw_base(bw, bw_object(bw, BW_FUNCTION, callees.v[i], 0)));
        State t = bw_state_and(ev, s, is);
        none = expr_and(p, none, expr_not(p, is));
        if (is_dead(t))
            continue;
        c->fn = callees.v[i];
        t = call_fn(ev, c, t);
        Expr *v = arena_alloc(ev->arena, (n + 1) * sizeof *v);
        for (uint32_t k = 0; k < n; k++)
            v[k] = c->f->regs[c->list.dst[k]];
        if (is_dead(t))
            continue;
        states[m] = t;
        values[m++] = v;
    }
    bw_fault_check(ev, c->f, c->block, c->insn, s, none, VM_FAULT_BAD_CALL);
    Expr merged[16] = {0};
    s = bw_state_merge(ev, states, m, values, n < 16 ? n : 16, merged);
    for (uint32_t k = 0; k < n && k < 16; k++)
        c->f->regs[c->list.dst[k]] = merged[k];
    return s;
}

State bw_call_run(Eval *ev, Frame *f, uint32_t block, uint32_t insn, State s)
{
    const IrInsn *i = &f->fn->blocks.v[block].insns.v[insn];
    Call c = {
        .f = f, .block = block, .insn = insn, .site = i->site, .list = ir_call_read(f->fn, i), .fn = i->a};
    return i->op == IR_CALL ? call_fn(ev, &c, s) : call_through(ev, &c, s, bw_reg_value(ev, f, i->a));
}
