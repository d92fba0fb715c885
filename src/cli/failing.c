/* failing.c - from the condition of a failure to an input that fails so.
 *
 * A model of the condition names values of parameters and globals, and contents behind pointers. Pointers of
 * a model are no addresses: which there are the machine says when a run follows one (VmAlternative), so it is
 * run again with what was learned, until nothing changes; then once more with objects of the sizes that the
 * model has. What no model leads to is looked for by exploring forwards. */
#include "cli/failing.h"

enum {
    RUNS_MOST = 64, /* until a run has used all inputs of a model */
    ATTEMPTS = 4,   /* of a model, with what was learned of the sizes of objects: one for each pointer behind
                       another */
    FORWARD_RUNS = 500
};
static const double QUERY_SECONDS = 5;

/* Eight bytes of an input that lead somewhere. */
typedef struct Lead {
    uint32_t object, offset;
    uint64_t model, address;
} Lead;

typedef struct Try {
    Failing *f;
    Explore *x;
    uint32_t which;
    BackwardModel model;
    ExprInput input;
    VmTrace *trace;
    Vec(Lead) leads;
    Vec(VmInputExtent) extents;
} Try;

/* ---- which failure --------------------------------------------------------------------------- */

static bool is_same_line(const IrProgram *p, uint32_t a, uint32_t b)
{
    if (a >= p->sites.n || b >= p->sites.n)
        return a == b;
    return p->sites.v[a].line == p->sites.v[b].line &&
           !strcmp(ir_text(p, p->sites.v[a].file), ir_text(p, p->sites.v[b].file));
}

static bool is_shown(const Failing *f, const BackwardFailure *b, const VmResult *r)
{
    return r->ending == VM_END_FAULT && !b->escape && r->fault == b->fault &&
           is_same_line(f->program, r->site, b->site);
}

/* Of the user's own condition the program knows nothing: natively there is no failure. */
static bool is_asked(const Failing *f, const BackwardFailure *b)
{
    const IrProgram *p = f->program;
    return b->site < p->sites.n && !strcmp(ir_text(p, p->sites.v[b->site].file), "--fails-when");
}

/* ---- a test ---------------------------------------------------------------------------------- */

static void replay(Failing *f, const SuiteTest *test, RequireInput *out)
{
    SuiteOutcome outcome;
    suite_replay_test(testcase_replay(f->maker), test, &outcome);
    out->native = outcome.verdict == SUITE_NOT_RUN     ? REPORT_NOT_REPLAYED
                  : outcome.verdict == SUITE_CONFIRMED ? REPORT_CONFIRMED
                                                       : REPORT_NOT_CONFIRMED;
    out->why = out->native != REPORT_CONFIRMED && outcome.message[0] ? arena_strdup(f->arena, outcome.message)
                                                                     : NULL;
}

static void take(Failing *f, uint32_t which, const ExprPool *pool, const VmTrace *trace,
                 const ExprInput *input)
{
    SuiteTest *test = testcase_make(f->maker, pool, trace, input);
    RequireInput *out = &f->inputs[which];
    Str text = {0};
    bool asked = is_asked(f, &f->result->failures.v[which]);
    if (f->write && !asked && results_add(testcase_results(f->maker), test, NULL))
        out->test = arena_strdup(f->arena, test->path);
    suite_test_print(test, &text);
    out->input = arena_strdup(f->arena, str_text(&text));
    out->native = REPORT_NOT_REPLAYED;
    out->why = asked ? "the program itself does not fail" : NULL;
    if (!asked && !f->no_replay)
        replay(f, test, out);
    str_free(&text);
    suite_test_free(test);
}

/* ---- a model becomes an input ---------------------------------------------------------------- */

static const Lead *lead_at(const Try *t, uint32_t object, uint32_t offset)
{
    for (uint32_t i = 0; i < t->leads.n; i++)
        if (t->leads.v[i].object == object && t->leads.v[i].offset == offset)
            return &t->leads.v[i];
    return NULL;
}

/* The pointer that leads to an object, as the model has it. */
static const Lead *lead_to(const Try *t, uint32_t target)
{
    for (uint32_t i = 0; i < t->trace->links.n; i++) {
        const VmInputLink *l = &t->trace->links.v[i];
        const Lead *lead = l->target == target && !l->delta
                               ? lead_at(t, t->trace->inputs.v[l->input].object.id, l->offset)
                               : NULL;
        if (lead)
            return lead;
    }
    return NULL;
}

static bool cell_value(const Try *t, uint64_t pointer, uint64_t offset, uint8_t *value)
{
    for (uint32_t i = 0; i < t->model.cells.n; i++)
        if (t->model.cells.v[i].pointer == pointer && t->model.cells.v[i].offset == offset) {
            *value = t->model.cells.v[i].value;
            return true;
        }
    return false;
}

/* The bytes that the model gives an input; others stay as they are. */
static void model_bytes(const Try *t, uint32_t use, const ExprObjectInfo *info, uint8_t *bytes)
{
    ExprPool *from = backward_pool(t->f->backward);
    const Lead *lead = t->trace->inputs.v[use].origin == VM_INPUT_POINTEE ? lead_to(t, use) : NULL;
    ExprObject object;
    if (lead)
        for (uint32_t k = 0; k < info->size; k++)
            cell_value(t, lead->model, k, &bytes[k]);
    else if (expr_object_find(from, info->key, info->size, &object))
        for (uint32_t k = 0; k < info->size; k++)
            bytes[k] = expr_input_byte(&t->model.input, expr_object_info(from, object)->at + k);
}

static bool names_address(const ExprPool *p, Expr condition, Expr word, uint64_t *address)
{
    ExprVec parts = {0};
    bool found = false;
    expr_split(p, condition, &parts);
    for (uint32_t i = 0; i < parts.n && !found; i++) {
        Expr e = parts.v[i];
        for (unsigned side = 0; expr_op(p, e) == EXPR_EQ && side < 2 && !found; side++)
            if (expr_same(expr_child(p, e, side), word) && expr_is_const(p, expr_child(p, e, 1 - side))) {
                *address = (uint64_t)expr_const_value(p, expr_child(p, e, 1 - side));
                found = *address != 0;
            }
    }
    vec_free(&parts);
    return found;
}

/* Where the machine lets this pointer lead: where another of the same value in the model does, else to the
 * first object among its alternatives. 0: it was not followed. */
static uint64_t address_for(const Try *t, Expr word, uint64_t model)
{
    const ExprPool *p = explore_pool(t->x);
    uint64_t first = 0, address;
    for (uint32_t i = 0; i < t->trace->alternatives.n + t->trace->decisions.n; i++) {
        uint32_t k = i - t->trace->alternatives.n;
        Expr condition = i < t->trace->alternatives.n ? t->trace->alternatives.v[i].condition
                                                      : t->trace->decisions.v[k].holds;
        if (!names_address(p, condition, word, &address))
            continue;
        for (uint32_t j = 0; j < t->leads.n; j++)
            if (t->leads.v[j].model == model && t->leads.v[j].address == address)
                return address;
        first = first ? first : address;
    }
    return first;
}

/* Pointers among the bytes lead where the machine has something. */
static void place_pointers(Try *t, ExprObject object, uint32_t size, uint8_t *bytes)
{
    for (uint32_t at = 0; at + 8 <= size; at += 8) {
        uint64_t model;
        memcpy(&model, bytes + at, 8);
        const Lead *known = lead_at(t, object.id, at);
        uint64_t address = known ? known->address
                           : model
                               ? address_for(t, expr_object_word(explore_pool(t->x), object, at, 8), model)
                               : 0;
        if (!known && address)
            vec_push(&t->leads, (Lead){object.id, at, model, address});
        if (address)
            memcpy(bytes + at, &address, 8);
    }
}

/* Gives the inputs that the run used the values of the model; true if that changes the input. */
static bool give(Try *t)
{
    ExprPool *p = explore_pool(t->x);
    bool changed = false;
    for (uint32_t i = 0; i < t->trace->inputs.n; i++) {
        ExprObject object = t->trace->inputs.v[i].object;
        const ExprObjectInfo *info = expr_object_info(p, object);
        uint32_t at = info->at, size = info->size;
        bool scalar = info->scalar;
        uint8_t *bytes = mem_alloc(size + 1);
        for (uint32_t k = 0; k < size; k++)
            bytes[k] = expr_input_byte(&t->input, at + k);
        model_bytes(t, i, info, bytes);
        if (!scalar)
            place_pointers(t, object, size, bytes);
        for (uint32_t k = 0; k < size; k++) {
            changed |= expr_input_byte(&t->input, at + k) != bytes[k];
            expr_input_set_byte(&t->input, at + k, bytes[k]);
        }
        mem_free(bytes);
    }
    return changed;
}

static void run(Try *t)
{
    Vm *vm = explore_vm(t->x);
    vec_clear(&t->input);
    vec_clear(&t->leads);
    t->trace = vm_run_input(vm, &t->input, NULL);
    for (uint32_t i = 0; i < RUNS_MOST && give(t); i++) {
        vm_trace_free(vm, t->trace);
        t->trace = vm_run_input(vm, &t->input, NULL);
    }
}

/* How large the objects must be that the run used; true if the machine made one of another size. */
static bool learn_extents(Try *t)
{
    bool changed = false;
    for (uint32_t i = 0; i < t->trace->links.n; i++) {
        const VmInputLink *l = &t->trace->links.v[i];
        const VmInputUse *target = &t->trace->inputs.v[l->target];
        const Lead *lead = l->delta ? NULL : lead_at(t, t->trace->inputs.v[l->input].object.id, l->offset);
        for (uint32_t k = 0; lead && k < t->model.extents.n; k++) {
            const BackwardExtent *e = &t->model.extents.v[k];
            if (e->pointer != lead->model || e->bytes == target->size)
                continue;
            vec_push(&t->extents,
                     (VmInputExtent){arena_strdup(t->f->arena,
                                                  expr_object_info(explore_pool(t->x), target->object)->name),
                                     (uint32_t)e->bytes});
            changed = true;
            break;
        }
    }
    return changed;
}

/* ---- one failure ----------------------------------------------------------------------------- */

/* Does the run show that the condition is wrong? Where pointers are followed, or a limit ends it, it need
 * not: objects can be others than ours. */
static bool refutes(const Try *t)
{
    VmEnding ending = t->trace->result.ending;
    return !expr_is_false(t->f->result->failures.v[t->which].least) && !t->trace->links.n &&
           (ending == VM_END_RETURN || ending == VM_END_EXIT);
}

/* One run of the model, on a machine whose objects are as large as is known by now. */
static bool attempt(Try *t)
{
    Failing *f = t->f;
    ExploreOptions options = f->options;
    options.explorer = "full";
    options.on_run = NULL;
    options.selects = true;
    options.symbolic.inputs.extents = t->extents.v;
    options.symbolic.inputs.nextents = t->extents.n;
    t->x = explore_new(f->program, f->environment, &options);
    double now = clock_seconds();
    vm_deadline(explore_vm(t->x),
                now + (f->deadline - now) / 10); /* one that does not end leaves time for the others */
    run(t);
    bool shown = is_shown(f, &f->result->failures.v[t->which], &t->trace->result);
    if (shown)
        take(f, t->which, explore_pool(t->x), t->trace, &t->input);
    bool more = !shown && learn_extents(t);
    if (!shown && !more && refutes(t))
        f->inputs[t->which].why = "the input that this condition gives does not fail: a defect of sheaf";
    vm_trace_free(explore_vm(t->x), t->trace);
    explore_free(t->x);
    return more;
}

static void try_model(Failing *f, uint32_t which, BackwardAlone alone)
{
    Try t = {.f = f, .which = which};
    if (backward_failure_model(f->backward, f->result, which, alone, QUERY_SECONDS, &t.model))
        for (uint32_t i = 0; i < ATTEMPTS && clock_seconds() < f->deadline && attempt(&t); i++)
            ;
    backward_model_free(&t.model);
    expr_input_free(&t.input);
    vec_free(&t.leads);
    vec_free(&t.extents);
}

static bool is_open(const Failing *f, uint32_t i)
{
    return !f->inputs[i].input && !f->result->failures.v[i].escape;
}

/* ---- forwards -------------------------------------------------------------------------------- */

/* A run does not distinguish two rows with the same fault and line. */
static bool is_only(const Failing *f, uint32_t which)
{
    const BackwardFailure *a = &f->result->failures.v[which];
    for (uint32_t i = 0; i < f->result->failures.n; i++)
        if (i != which && f->result->failures.v[i].fault == a->fault &&
            is_same_line(f->program, f->result->failures.v[i].site, a->site))
            return false;
    return true;
}

static uint32_t open_failures(const Failing *f)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->result->failures.n; i++)
        n += is_open(f, i) && is_only(f, i);
    return n;
}

static void on_run(void *context, const ExploreRun *r)
{
    Failing *f = context;
    for (uint32_t i = 0; i < f->result->failures.n; i++)
        if (is_open(f, i) && is_only(f, i) && is_shown(f, &f->result->failures.v[i], &r->trace->result))
            take(f, i, explore_pool(r->explore), r->trace, r->input);
    if (!open_failures(f))
        explore_end(r->explore, LEDGER_TARGET, "%s", "");
}

static void explore_forwards(Failing *f, const ExploreOptions *options)
{
    ExploreOptions own = *options;
    if (!open_failures(f) || clock_seconds() >= f->deadline)
        return;
    own.explorer = "dependence";
    own.max_time = f->deadline - clock_seconds();
    own.max_runs = own.max_runs ? own.max_runs : FORWARD_RUNS;
    own.outcome_runs = 0;
    own.selects = true;
    own.on_run = on_run;
    own.context = f;
    Explore *x = explore_new(f->program, f->environment, &own);
    explore_all(x);
    explore_free(x);
}

/* ---- all ------------------------------------------------------------------------------------- */

void failing_find(Failing *f)
{
    ExploreOptions typed = f->options;
    uint32_t n = f->result->failures.n;
    f->deadline = clock_seconds() + f->seconds;
    f->inputs = arena_alloc(f->arena, (n + 1) * sizeof *f->inputs);
    memset(f->inputs, 0, (n + 1) * sizeof *f->inputs);
    exploring_bounds(f->settings, EXPLORING_BOUND, &typed.symbolic.inputs);
    for (uint32_t i = 0; i < n; i++)
        for (int alone = BACKWARD_ALONE; alone <= BACKWARD_ANYHOW && is_open(f, i); alone++)
            try_model(f, i, (BackwardAlone)alone);
    explore_forwards(f, &typed);
    if (typed.symbolic.inputs.shape != f->options.symbolic.inputs.shape)
        explore_forwards(f, &f->options);
    for (uint32_t i = 0; i < n; i++)
        if (!f->inputs[i].input && !f->inputs[i].why)
            f->inputs[i].why =
                f->result->failures.v[i].escape ? "it is not modelled" : "no run was found that shows it";
}
