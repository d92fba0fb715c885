/* dependence_sinks.c - what `dependence` looks for.
 *
 * A sink is a fault check, something shown, or an instruction that the user names. What it depends on is its
 * label, which a run tells; what it depends on whether a sink runs at all, the branches that guard it, the
 * static analysis tells (flow_guards). Checks of addresses are decisions where the address depends on
 * anything, forced ones if nothing is symbolic.
 *
 * With a change to look for, the sinks are the instructions that may depend on it, and the checks of the
 * library under calls that do: the paper's section 8. */
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

/* ---- what the machine is told ---------------------------------------------------------------- */

/* Instructions that may depend on the change. */
static FlowSite *find_affected(const Explore *x, uint32_t *n)
{
    const ExploreOptions *o = &x->options;
    FlowSlices *slices = flow_slices_new(o->symbolic.flow, &(FlowSliceOptions){.policy = o->symbolic.policy});
    FlowSites sites = flow_slice(slices, o->changed, o->nchanged, true);
    FlowSite *copy = mem_alloc((sites.n + 1) * sizeof *copy);
    if (sites.n)
        memcpy(copy, sites.v, sites.n * sizeof *copy);
    *n = sites.n;
    flow_slices_free(slices);
    return copy;
}

/* ---- a phase --------------------------------------------------------------------------------- */

static void begin(DepSinks *s, Explore *x, unsigned sinks, const FlowSite *given, uint32_t n)
{
    FlowGuardOptions options = analysis_options(x, sinks, given, n);
    double start = clock_seconds();
    *s = (DepSinks){.x = x, .guards = flow_guards_new(x->options.symbolic.flow, &options)};
    x->static_seconds += clock_seconds() - start;
    for (uint32_t i = 0; i < n; i++)
        map_put(&s->given, flow_site_key(given[i]), 1);
}

void dep_sinks_init(DepSinks *s, Explore *x)
{
    VmSymbolicOptions *o = &x->options.symbolic;
    bool change = x->options.nchanged != 0;
    if (!x->options.sinks)
        x->options.sinks = FLOW_SINK_FAULTS;
    FlowSite *affected = change ? find_affected(x, &o->nsinks) : NULL;
    o->sinks = change ? affected : x->options.sink_sites;
    o->nsinks = change ? o->nsinks : x->options.nsink_sites;
    o->sinks_only = change;
    o->sinks_all = x->options.sinks & FLOW_SINK_ALL && !change;
    begin(s, x, change ? FLOW_SINK_GIVEN : x->options.sinks, o->sinks, o->nsinks);
    FlowGuardOptions faults = analysis_options(x, FLOW_SINK_FAULTS, NULL, 0);
    s->below = change ? flow_guards_new(o->flow, &faults) : NULL;
    s->checks = true;
    s->given_only = change;
    s->affected = affected;
}

void dep_sinks_branches(DepSinks *s, Explore *x, const FlowSite *branches, uint32_t n)
{
    begin(s, x, FLOW_SINK_GIVEN, branches, n);
}

void dep_sinks_free(DepSinks *s)
{
    flow_guards_free(s->guards);
    flow_guards_free(s->below);
    map_free(&s->given);
    vec_free(&s->harmless);
    mem_free(s->affected);
}

/* ---- of a run -------------------------------------------------------------------------------- */

/* The call of the user's code below which an activation of runtime/ runs; fn is IR_NONE if there is none
 * (start-up, and what follows the end). */
static FlowSite user_call(const DepSinks *s, uint32_t path)
{
    const VmPath *p = vm_path(s->x->lanes[0].vm, path);
    while (p->parent != IR_NONE && p->at_fn != IR_NONE && s->x->program->fns.v[p->at_fn].runtime)
        p = vm_path(s->x->lanes[0].vm, p->parent);
    bool called = p->at_fn != IR_NONE && !s->x->program->fns.v[p->at_fn].runtime;
    return called ? (FlowSite){p->at_fn, p->at_block, p->at_insn} : (FlowSite){IR_NONE, IR_NONE, IR_NONE};
}

/* An activation of runtime/ that a harmless call of the user's code has led to, or none at all if nothing of
 * the user's runs below it. */
static bool is_harmless(DepSinks *s, uint32_t path)
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

/* Code of the library under a call that the change affects, and that may fail. */
static bool is_affected(const DepSinks *s, const VmDecision *d)
{
    if (!s->below || d->path == IR_NONE || !s->x->program->fns.v[d->fn].runtime)
        return false;
    FlowSite call = user_call(s, d->path);
    return call.fn != IR_NONE && map_get(&s->given, flow_site_key(call), NULL) &&
           flow_call_holds_sink(s->below, call);
}

void dep_sinks_forget(DepSinks *s) { vec_clear(&s->harmless); }

/* What a pointer of an input leads to is chosen where somebody first goes through it: it may be null, or an
 * object that is gone. `free` of null is no fault, but then whatever comes later does not fail either. */
static bool is_check(const VmDecision *d)
{
    return d->kind == VM_DECISION_CHECK || d->kind == VM_DECISION_POINTER || d->kind == VM_DECISION_CALL ||
           d->kind == VM_DECISION_SIZE || d->kind == VM_DECISION_VALUE || d->kind == VM_DECISION_INPUT;
}

/* Does it hang on where a call or a jump leads whether a sink runs? */
static bool leads_to_sink(const DepSinks *s, const VmDecision *d)
{
    if (d->kind != VM_DECISION_CALL)
        return false;
    bool jump = d->insn + 1 == s->x->program->fns.v[d->fn].blocks.v[d->block].insns.n;
    return (jump ? flow_guards : flow_holds_sink)(s->guards, d->fn, d->block);
}

bool dep_is_sink(DepSinks *s, const VmDecision *d)
{
    bool branch = d->kind == VM_DECISION_BRANCH || d->kind == VM_DECISION_SWITCH;
    if (s->x->test.rules_off & EXPLORE_OFF_GUARDS && branch)
        return false;
    if (d->block == IR_NONE)
        return s->checks && !s->given_only;
    if (d->path != IR_NONE && s->x->program->fns.v[d->fn].runtime && is_harmless(s, d->path))
        return false;
    if (branch && s->checks && !s->given_only && s->x->options.vm.checks >> VM_FAULT_UNINIT & 1)
        return true; /* it is a check itself */
    if (branch)
        return flow_guards(s->guards, d->fn, d->block) ||
               (is_affected(s, d) && flow_guards(s->below, d->fn, d->block));
    if (leads_to_sink(s, d))
        return true;
    if (!s->checks || !is_check(d))
        return false;
    return !s->given_only || is_affected(s, d) ||
           map_get(&s->given, flow_site_key((FlowSite){d->fn, d->block, d->insn}), NULL);
}

static ExprSet all_decisions(const DepSinks *s, const VmTrace *trace)
{
    ExprSet all = EXPR_SET_EMPTY;
    for (uint32_t i = 0; i < trace->decisions.n; i++)
        all = expr_set_union(s->x->pool, all, expr_set_of(s->x->pool, i));
    return all;
}

static void add_sink(DepRun *run, VmLabel label)
{
    if (label.id)
        vec_push(&run->sinks, ((VmSink){label, run->n}));
}

/* A sink is what one call shows, whatever parts it is told in. */
static void add_outputs(const DepSinks *s, const VmTrace *trace, DepRun *run)
{
    for (uint32_t i = 0, end; i < trace->outputs.n; i = end) {
        VmLabel all = trace->outputs.v[i].label;
        uint64_t call = trace->outputs.v[i].call;
        for (end = i + 1; call && end < trace->outputs.n && trace->outputs.v[end].call == call; end++)
            all = expr_set_union(s->x->pool, all, trace->outputs.v[end].label);
        add_sink(run, all);
    }
}

void dep_sinks_at_end(const DepSinks *s, const VmTrace *trace, DepRun *run)
{
    bool shown = s->x->options.sinks & (FLOW_SINK_OUTPUTS | FLOW_SINK_ALL) && !s->given_only;
    if (!run->survives || trace->result.ending == VM_END_FAULT)
        add_sink(run, trace->ending);
    if (shown) {
        add_outputs(s, trace, run);
        add_sink(run, trace->status_label);
    }
    if (s->x->options.vm.checks >> VM_FAULT_LEAK & 1) /* what is left then depends on all of memory */
        add_sink(run, all_decisions(s, trace));
}
