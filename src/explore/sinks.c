/* sinks.c - what `dependence` looks for.
 *
 * A sink is a fault check, something shown, or an instruction that the user names. What it depends on is its
 * label, which a run has; which branches guard it, so that they decide whether it runs at all, the static
 * analysis says (flow_guards). Checks of addresses are decisions where the address depends on anything,
 * forced ones if nothing is symbolic. */
#include "explore/dependence.h"

static FlowGuardOptions analysis_options(const Explore *x, unsigned sinks, const FlowSite *given, uint32_t n)
{
    static const struct {
        VmFaultKind fault;
        unsigned check;
    } words[] = {{VM_FAULT_OVERFLOW, FLOW_CHECK_OVERFLOW},
                 {VM_FAULT_SHIFT, FLOW_CHECK_SHIFT},
                 {VM_FAULT_UNINIT, FLOW_CHECK_UNINIT},
                 {VM_FAULT_LEAK, FLOW_CHECK_LEAK}};
    FlowGuardOptions o = {.policy = x->options.symbolic.policy, .sinks = sinks, .given = given, .ngiven = n};
    for (uint32_t i = 0; i < COUNT_OF(words); i++)
        o.checks |= x->options.vm.checks >> words[i].fault & 1 ? words[i].check : 0;
    return o;
}

/* ---- a phase --------------------------------------------------------------------------------- */

static void begin(Sinks *s, Explore *x, unsigned sinks, const FlowSite *given, uint32_t n)
{
    FlowGuardOptions options = analysis_options(x, sinks, given, n);
    double start = clock_seconds();
    *s = (Sinks){.x = x, .guards = flow_guards_new(x->options.symbolic.flow, &options)};
    x->static_seconds += clock_seconds() - start;
}

void sinks_init(Sinks *s, Explore *x)
{
    VmSymbolicOptions *o = &x->options.symbolic;
    if (!x->options.sinks)
        x->options.sinks = FLOW_SINK_FAULTS;
    o->sinks = x->options.sink_sites;
    o->nsinks = x->options.nsink_sites;
    o->sinks_all = x->options.sinks & FLOW_SINK_ALL;
    begin(s, x, x->options.sinks, o->sinks, o->nsinks);
    s->checks = true;
}

void sinks_branches(Sinks *s, Explore *x, const FlowSite *branches, uint32_t n)
{
    begin(s, x, FLOW_SINK_GIVEN, branches, n);
}

void sinks_free(Sinks *s)
{
    flow_guards_free(s->guards);
    vec_free(&s->harmless);
}

/* ---- of a run -------------------------------------------------------------------------------- */

/* The call of the user's code below which an activation of runtime/ runs; fn is IR_NONE if there is none
 * (start-up, and what follows the end). */
static FlowSite user_call(const Sinks *s, uint32_t path)
{
    const VmPath *p = vm_path(s->x->lanes[0].vm, path);
    while (p->parent != IR_NONE && p->at_fn != IR_NONE && s->x->program->fns.v[p->at_fn].runtime)
        p = vm_path(s->x->lanes[0].vm, p->parent);
    bool called = p->at_fn != IR_NONE && !s->x->program->fns.v[p->at_fn].runtime;
    return called ? (FlowSite){p->at_fn, p->at_block, p->at_insn} : (FlowSite){IR_NONE, IR_NONE, IR_NONE};
}

/* An activation of runtime/ that a harmless call of the user's code has led to, or none at all if nothing of
 * the user's runs below it. */
static bool is_harmless(Sinks *s, uint32_t path)
{
    while (s->harmless.n <= path)
        vec_push(&s->harmless, 0);
    if (!s->harmless.v[path]) {
        FlowSite call = user_call(s, path);
        bool holds = call.fn != IR_NONE ? call.block == IR_NONE || flow_call_holds_sink(s->guards, call)
                                        : flow_calls_back(s->guards, vm_path(s->x->lanes[0].vm, path)->fn);
        s->harmless.v[path] = holds ? 2 : 1;
    }
    return s->harmless.v[path] == 1;
}

void sinks_forget(Sinks *s) { vec_clear(&s->harmless); }

/* What a pointer of an input leads to is chosen where it is first followed: it may be null, or an
 * object that is gone. `free` of null is no fault, but then whatever comes later does not fail either. */
static bool is_check(const VmDecision *d)
{
    return d->kind == VM_DECISION_CHECK || d->kind == VM_DECISION_POINTER || d->kind == VM_DECISION_CALL ||
           d->kind == VM_DECISION_SIZE || d->kind == VM_DECISION_VALUE || d->kind == VM_DECISION_INPUT;
}

/* Does it depend on where a call or a jump leads whether a sink runs? */
static bool leads_to_sink(const Sinks *s, const VmDecision *d)
{
    if (d->kind != VM_DECISION_CALL)
        return false;
    bool jump = d->insn + 1 == s->x->program->fns.v[d->fn].blocks.v[d->block].insns.n;
    return (jump ? flow_guards : flow_holds_sink)(s->guards, d->fn, d->block);
}

bool sinks_has(Sinks *s, const VmDecision *d)
{
    bool branch = d->kind == VM_DECISION_BRANCH || d->kind == VM_DECISION_SWITCH;
    if (s->x->test.rules_off & EXPLORE_OFF_GUARDS && branch)
        return false;
    if (d->block == IR_NONE)
        return s->checks;
    if (d->path != IR_NONE && s->x->program->fns.v[d->fn].runtime && is_harmless(s, d->path))
        return false;
    if (branch && s->checks && s->x->options.vm.checks >> VM_FAULT_UNINIT & 1)
        return true; /* it is a check itself */
    if (branch)
        return flow_guards(s->guards, d->fn, d->block);
    if (leads_to_sink(s, d))
        return true;
    return s->checks && is_check(d);
}

static ExprSet all_decisions(const Sinks *s, const VmTrace *trace)
{
    ExprSet all = EXPR_SET_EMPTY;
    for (uint32_t i = 0; i < trace->decisions.n; i++)
        all = expr_set_union(s->x->pool, all, expr_set_of(s->x->pool, i));
    return all;
}

static void add_sink(StoredRun *run, VmLabel label)
{
    if (label.id)
        vec_push(&run->sinks, ((VmSink){label, run->n}));
}

/* A sink is what one call shows, whatever parts it is recorded in. */
static void add_outputs(const Sinks *s, const VmTrace *trace, StoredRun *run)
{
    for (uint32_t i = 0, end; i < trace->outputs.n; i = end) {
        VmLabel all = trace->outputs.v[i].label;
        uint64_t call = trace->outputs.v[i].call;
        for (end = i + 1; call && end < trace->outputs.n && trace->outputs.v[end].call == call; end++)
            all = expr_set_union(s->x->pool, all, trace->outputs.v[end].label);
        add_sink(run, all);
    }
}

void sinks_at_end(const Sinks *s, const VmTrace *trace, StoredRun *run)
{
    bool shown = s->x->options.sinks & (FLOW_SINK_OUTPUTS | FLOW_SINK_ALL);
    if (!run->normal || trace->result.ending == VM_END_FAULT)
        add_sink(run, trace->ending);
    if (shown) {
        add_outputs(s, trace, run);
        add_sink(run, trace->status_label);
    }
    if (s->x->options.vm.checks >> VM_FAULT_LEAK & 1) /* what is left then depends on all of memory */
        add_sink(run, all_decisions(s, trace));
}
