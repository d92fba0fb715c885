/* joint.c - one comparison: both versions are explored together (explore/joint.c says how), and each row is
 * compared (joint_compare.c). Conditions as people read them: joint_condition.c. Calls that are not entered:
 * joint_abstract.c. */
#include "versions/joint_int.h"

enum { RESTARTS_MOST = 8 }; /* for the sake of sizes: joint_sizes.c */

/* ---- beginning and end ----------------------------------------------------------------------- */

VmSymbolicOptions joint_symbolic_options(const Joint *j, unsigned version)
{
    VmSymbolicOptions s = j->options.explore.symbolic;
    s.inputs.entry = j->options.entry[version];
    s.labels = true;
    s.reached = true;
    s.flow = j->flow[version];
    s.policy = FLOW_TIE_EXITS | FLOW_TIE_FAULTS;
    s.snapshot_bytes = 0;
    s.abstract = j->work->abstract[version];
    s.nabstract = j->options.abstract.n;
    return s;
}

static Flow *analyse(const Joint *j, unsigned version)
{
    const VmInputs *in = &j->options.explore.symbolic.inputs;
    const char *entry = j->options.entry[version];
    FlowOptions o = {.entry = entry ? ir_fn_find(j->versions->program[version], entry) : IR_NONE,
                     .lazy_inputs = entry != NULL,
                     .free_globals = in->all_globals || in->globals.n,
                     .known =
                         j->options.explore.vm.external == VM_EXTERNAL_ALL ? NULL : vm_external_is_known};
    return flow_new(j->versions->program[version], &o);
}

static void begin_old(Joint *j)
{
    VmSymbolicOptions s = joint_symbolic_options(j, VERSIONS_OLD);
    vm_symbolic(j->vm[VERSIONS_OLD], j->pool, j->ledger[VERSIONS_OLD], j->options.environment, &s);
}

static void on_pair(void *context, const ExplorePair *pair);

static void on_unknown(void *context, const ExprVec *query) { joint_abstract_blame(context, query); }

static void on_move(void *context, ExprPool *to, ExprImport *import)
{
    Joint *j = context;
    j->pool = to;
    for (uint32_t i = 0; i < j->rows.n; i++) {
        JointRow *row = &j->rows.v[i];
        for (uint32_t k = 0; k < row->condition.n; k++)
            row->condition.v[k] = expr_import(import, row->condition.v[k]);
        if (!expr_is_none(row->where))
            row->where = expr_import(import, row->where);
    }
    begin_old(j);
    for (unsigned v = 0; v < 2; v++)
        joint_initialised_begin(j, v);
}

/* Machines and an exploration for what is left of the time. */
static void begin(Joint *j, double seconds)
{
    IrProgram *const *program = j->versions->program;
    ExploreOptions explore = j->options.explore;
    joint_sizes_tell(j, &j->options.explore.symbolic.inputs);
    explore.max_time = seconds;
    explore.joint = &j->work->hooks;
    explore.search = EXPLORE_BFS;
    explore.symbolic = joint_symbolic_options(j, VERSIONS_NEW);
    j->explore = explore_new(program[VERSIONS_NEW], j->options.environment, &explore);
    j->pool = explore_pool(j->explore);
    j->vm[VERSIONS_NEW] = explore_vm(j->explore);
    j->ledger[VERSIONS_NEW] = explore_ledger(j->explore);
    j->vm[VERSIONS_OLD] = j->work->hooks.old = vm_new(program[VERSIONS_OLD], &explore.vm);
    j->ledger[VERSIONS_OLD] = ledger_new();
    begin_old(j);
}

static void end(Joint *j)
{
    for (uint32_t i = 0; i < j->rows.n; i++)
        joint_row_free(&j->rows.v[i]);
    vec_clear(&j->rows);
    memset(j->counts, 0, sizeof j->counts);
    j->inputs = j->applied = 0;
    bitset_free(&j->blamed);
    bitset_free(&j->used);
    joint_initialised_free(j);
    vm_free(j->vm[VERSIONS_OLD]);
    ledger_free(j->ledger[VERSIONS_OLD]);
    explore_free(j->explore);
}

uint64_t joint_checks(uint64_t asked)
{
    return asked | UINT64_C(1) << VM_FAULT_SHIFT | UINT64_C(1) << VM_FAULT_OVERLAP;
}

uint32_t joint_environment(uint32_t asked, bool called)
{
    uint32_t all = UINT32_C(1) << LEDGER_ENV_TIME | UINT32_C(1) << LEDGER_ENV_PID |
                   UINT32_C(1) << LEDGER_ENV_USER | UINT32_C(1) << LEDGER_ENV_GETENV |
                   UINT32_C(1) << LEDGER_ENV_ENTROPY;
    return asked | all | (called ? UINT32_C(1) << LEDGER_ENV_RAND : 0);
}

Joint *joint_new(Versions *v, const JointOptions *options)
{
    Joint *j = mem_zalloc(sizeof *j);
    j->versions = v;
    j->options = *options;
    j->arena = arena_new();
    j->work = mem_zalloc(sizeof *j->work);
    j->work->hooks = (ExploreJoint){.on_pair = on_pair,
                                    .on_unknown = on_unknown,
                                    .on_move = on_move,
                                    .context = j,
                                    .new_only = options->rules_off & VERSIONS_OFF_OLD};
    ExploreOptions *o = &j->options.explore;
    o->vm.checks = joint_checks(o->vm.checks);
    if (!o->criteria.what) /* whatever it is called for: all that can be seen outside */
        o->criteria.what = EXPLORE_STDOUT | EXPLORE_STDERR | EXPLORE_STATUS | EXPLORE_NAMED | EXPLORE_ENTRY;
    o->criteria.what |= EXPLORE_WRITTEN;
    for (unsigned i = 0; i < 2; i++)
        j->flow[i] = analyse(j, i);
    joint_abstract_begin(j);
    begin(j, o->max_time);
    return j;
}

void joint_row_free(JointRow *row)
{
    vec_free(&row->condition);
    vec_free(&row->changes);
    expr_input_free(&row->input);
}

void joint_free(Joint *j)
{
    end(j);
    vec_free(&j->rows);
    for (unsigned i = 0; i < 2; i++)
        flow_free(j->flow[i]);
    joint_abstract_free(j);
    vec_free(&j->work->sizes);
    mem_free(j->work);
    arena_free(j->arena);
    mem_free(j);
}

VmTrace *joint_run(Joint *j, unsigned version, const ExprInput *input)
{
    enum { GRACE = 10 }; /* seconds; the row's own run ended in its time */
    double until = j->options.explore.max_time > 0 ? j->work->until : 0;
    vm_deadline(j->vm[version], clock_seconds() + GRACE);
    VmTrace *trace = vm_run_input(j->vm[version], input, NULL);
    vm_deadline(j->vm[version], until);
    return trace;
}

SolverStatus joint_ask(Joint *j, const ExprVec *query, const ExprInput *hint, SolverAnswer *answer)
{
    const ExploreOptions *o = &j->options.explore;
    SolverQuery q = {.constraints = query->v,
                     .n = query->n,
                     .hint = hint,
                     .seconds = o->solver_time,
                     .until = o->max_time > 0 ? j->work->until : 0,
                     .bytes = o->max_memory,
                     .stop = o->stop};
    SolverStatus status = solver_check(explore_solver(j->explore), &q, answer);
    if (status == SOLVER_UNKNOWN)
        joint_abstract_blame(j, query);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Do two pointers of the run's input lead to the same object? */
static bool shares_object(const VmTrace *t)
{
    for (uint32_t i = 0; i < t->links.n; i++)
        for (uint32_t k = 0; k < i; k++)
            if (t->links.v[i].target == t->links.v[k].target)
                return true;
    return false;
}

/* An object is named by the pointer that is followed first. Where the versions follow two pointers in another
 * order, an input with one object behind both means that to one version and nothing to the other. */
static bool is_lost_alias(const ExplorePair *pair)
{
    const VmTrace *t = pair->trace[pair->failed], *other = pair->trace[!pair->failed];
    return t->result.ending == VM_END_ASSUMPTION && t->decisions.n &&
           vec_last(&t->decisions).kind == VM_DECISION_INPUT && explore_has_outcome(other) &&
           shares_object(other);
}

static JointRow row_of(const ExplorePair *pair)
{
    JointRow row = {.run = pair->number};
    for (uint32_t i = 0; i < pair->condition->n; i++)
        vec_push(&row.condition, pair->condition->v[i]);
    expr_input_copy(&row.input, pair->input);
    return row;
}

static void add_row(Joint *j, const JointRow *row)
{
    vec_push(&j->rows, *row);
    j->counts[row->verdict]++;
}

/* The run of one version ended without an outcome: its inputs are open, unless an assumption excludes them.
 */
static void record_failure(Joint *j, const ExplorePair *pair)
{
    const VmResult *r = &pair->trace[pair->failed]->result;
    bool alias = is_lost_alias(pair);
    if (r->ending == VM_END_ASSUMPTION && !alias)
        return;
    JointRow row = row_of(pair);
    const char *option = r->ending == VM_END_LIMIT ? ledger_kind_option(r->limit) : NULL;
    if (option && strstr(r->message, option))
        option = NULL; /* it is named already */
    row.verdict = JOINT_OPEN;
    row.unended = r->ending == VM_END_LIMIT && (r->limit == LEDGER_LOOP || r->limit == LEDGER_STEPS) &&
                  explore_has_outcome(pair->trace[!pair->failed]);
    row.bounded = r->ending == VM_END_LIMIT && r->limit == LEDGER_LOOP;
    row.aliased = alias;
    row.why = alias ? "two pointers to the same object, which the versions follow in another order, are not "
                      "compared"
                    : arena_printf(j->arena, "%s ends without an answer: %s%s%s",
                                   pair->failed == VERSIONS_NEW ? "the new version" : "the old version",
                                   r->message[0] ? r->message : "it was stopped", option ? ": " : "",
                                   option ? option : "");
    row.end[pair->failed] =
        (SignatureEnd){.ending = r->ending, .site = r->site, .fn = IR_NONE, .message = row.why};
    row.end[!pair->failed] =
        (SignatureEnd){.ending = VM_END_RETURN, .site = IR_NONE, .fn = IR_NONE, .message = ""};
    add_row(j, &row);
}

static void record_row(Joint *j, const ExplorePair *pair, bool same_input)
{
    JointRow row = row_of(pair);
    joint_compare(j, &row, pair->trace);
    if (!same_input)
        row.why = "objects behind pointers are not as large in one version as in the other";
    else if (row.verdict < JOINT_DIFFERENT)
        row.why = joint_initialised(j, &row);
    row.verdict = row.why ? JOINT_OPEN : row.verdict;
    if (row.verdict == JOINT_DIFFERENT)
        row.parts = joint_parts(j, pair);
    add_row(j, &row);
}

static void on_pair(void *context, const ExplorePair *pair)
{
    Joint *j = context;
    bool same_input = joint_sizes_agree(j, pair->trace);
    if (!same_input && j->work->restarts < RESTARTS_MOST) {
        j->work->restart = true;
        explore_end(j->explore, LEDGER_EXTENT, " both versions use");
        return;
    }
    for (unsigned v = 0; v < 2; v++) {
        j->inputs += pair->trace[v]->inputs.n;
        j->applied += pair->trace[v]->applied;
    }
    if (pair->failed != EXPLORE_NEITHER)
        record_failure(j, pair);
    else if (!pair->repeated)
        record_row(j, pair, same_input);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void explore(Joint *j)
{
    double until = j->options.explore.max_time > 0 ? j->work->until : 0;
    vm_deadline(j->vm[VERSIONS_OLD], until);
    joint_abstract_deadline(j, until);
    explore_all(j->explore);
}

/* Begins anew with larger objects: see joint_sizes.c. */
static void begin_again(Joint *j)
{
    enum { LEAST_MILLISECONDS = 1 };
    double left = j->work->until - clock_seconds(), least = LEAST_MILLISECONDS / 1000.0;
    j->work->restart = false;
    j->work->restarts++;
    end(j);
    begin(j, j->options.explore.max_time <= 0 ? 0 : left > least ? left : least);
}

void joint_explore(Joint *j)
{
    j->work->until = clock_seconds() + j->options.explore.max_time;
    for (explore(j); j->work->restart; explore(j))
        begin_again(j);
    j->runs = explore_count(j->explore, EXPLORE_RUNS);
    j->queries = solver_count(explore_solver(j->explore), SOLVER_QUERIES_COUNT);
    j->seconds = explore_seconds(j->explore);
    j->certified = explore_signature(j->explore)->certified;
}

bool joint_takes(Joint *j, const ExprInput *input)
{
    VmTrace *trace[2];
    for (unsigned v = 0; v < 2; v++)
        trace[v] = joint_run(j, v, input);
    const VmTrace *const both[2] = {trace[0], trace[1]};
    bool agree = joint_sizes_agree(j, both) || j->work->restarts >= RESTARTS_MOST;
    for (unsigned v = 0; v < 2; v++)
        vm_trace_free(j->vm[v], trace[v]);
    if (!agree)
        begin_again(j);
    return agree;
}

static bool is_complete(const Joint *j)
{
    return !j->counts[JOINT_OPEN] && !ledger_count(j->ledger[0]) && !ledger_count(j->ledger[1]);
}

JointVerdict joint_verdict(const Joint *j)
{
    if (j->counts[JOINT_DIFFERENT])
        return JOINT_DIFFERENT;
    return !is_complete(j) ? JOINT_OPEN : j->counts[JOINT_PROVED] ? JOINT_PROVED : JOINT_IDENTICAL;
}

bool joint_is_bounded(const Joint *j)
{
    uint32_t open = 0, bounded = 0;
    for (uint32_t i = 0; i < j->rows.n; i++) {
        open += j->rows.v[i].verdict == JOINT_OPEN;
        bounded += j->rows.v[i].verdict == JOINT_OPEN && j->rows.v[i].bounded;
    }
    for (unsigned v = 0; v < 2; v++)
        for (uint32_t i = 0; i < ledger_count(j->ledger[v]); i++)
            if (ledger_entry(j->ledger[v], i)->kind != LEDGER_LOOP)
                return false;
    return bounded && bounded == open;
}
