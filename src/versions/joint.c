/* joint.c - the joint partition: which pairs of runs are made. joint.h says what it is.
 *
 * The list of decisions of a pair of runs is NEW's order followed by OLD's. An input that satisfies the
 * conditions before a position meets the same decisions up to there: in NEW's part by PESO's prefix property;
 * in OLD's part because NEW's whole slice condition holds, and by OLD's. So each position is negated under
 * those before it. A condition that stands in the prefix already holds, and its alternatives are not
 * tried.
 *
 *     tasks <- { (no condition, bound 0) }
 *     while a task is left:
 *         input <- solve(task.path and no class)               or drop it: infeasible
 *         run NEW, then OLD on the input
 *         order <- PESO's order of NEW's slice, then of OLD's
 *         one run ends without an answer: its slice condition becomes a class; the task once more
 *         else: the row (order's conditions) is compared       joint_compare.c
 *               for each position i >= task.bound whose condition is not in the prefix:
 *                   for each alternative: file (prefix and alternative, bound i + 1)
 *     an input outside of all rows and classes is one that was missed: run it, and ask again
 *
 * Conditions as people read them: joint_condition.c. Calls that are not entered: joint_abstract.c. */
#include "versions/joint_int.h"

enum { TRIES_MOST = 512 /* classes without an answer that one task may run into */ };

static const unsigned policy = FLOW_TIE_EXITS | FLOW_TIE_FAULTS;

/* ---- beginning and end ----------------------------------------------------------------------- */

static void begin_machine(Joint *j, unsigned version)
{
    const IrProgram *program = j->versions->program[version];
    const char *entry = j->options.entry[version];
    VmSymbolicOptions *s = &j->options.explore.symbolic;
    FlowOptions flow = {.entry = entry ? ir_fn_find(program, entry) : IR_NONE,
                        .lazy_inputs = entry != NULL,
                        .free_globals = s->inputs.all_globals || s->inputs.globals.n,
                        .known =
                            j->options.explore.vm.external == VM_EXTERNAL_ALL ? NULL : vm_external_is_known};
    j->flow[version] = flow_new(program, &flow);
    j->ledger[version] = ledger_new();
    j->vm[version] = vm_new(program, &j->options.explore.vm);
    VmSymbolicOptions own = *s;
    own.inputs.entry = entry;
    own.labels = true;
    own.reached = true;
    own.flow = j->flow[version];
    own.policy = policy;
    own.snapshot_bytes = 0;
    own.abstract = j->work->abstract[version];
    own.nabstract = j->options.abstract.n;
    vm_symbolic(j->vm[version], j->pool, j->ledger[version], j->options.environment, &own);
}

Joint *joint_new(Versions *v, const JointOptions *options)
{
    Joint *j = mem_zalloc(sizeof *j);
    j->versions = v;
    j->options = *options;
    ExploreOptions *o = &j->options.explore;
    if (!o->max_memory)
        o->max_memory = (size_t)2 << 30;
    if (!o->criteria.what) /* whatever it is called for: all that somebody outside can see */
        o->criteria.what = EXPLORE_STDOUT | EXPLORE_STDERR | EXPLORE_STATUS | EXPLORE_NAMED | EXPLORE_ENTRY;
    j->arena = arena_new();
    j->pool = expr_pool_new();
    j->solver = solver_new(j->pool, &o->solver);
    j->work = mem_zalloc(sizeof *j->work);
    joint_abstract_begin(j);
    for (unsigned i = 0; i < 2; i++)
        begin_machine(j, i);
    return j;
}

void joint_free(Joint *j)
{
    for (uint32_t i = 0; i < j->rows.n; i++) {
        vec_free(&j->rows.v[i].condition);
        vec_free(&j->rows.v[i].changes);
        expr_input_free(&j->rows.v[i].input);
    }
    for (uint32_t i = 0; i < j->work->inputs.n; i++) {
        expr_input_free(j->work->inputs.v[i]);
        mem_free(j->work->inputs.v[i]);
    }
    vec_free(&j->work->inputs);
    vec_free(&j->work->tasks);
    map_free(&j->work->known);
    vec_free(&j->rows);
    vec_free(&j->classes);
    solver_free(j->solver);
    for (unsigned i = 0; i < 2; i++) {
        vm_free(j->vm[i]);
        flow_free(j->flow[i]);
        ledger_free(j->ledger[i]);
    }
    expr_pool_free(j->pool);
    joint_abstract_free(j);
    mem_free(j->work);
    arena_free(j->arena);
    mem_free(j);
}

VmTrace *joint_run(Joint *j, unsigned version, const ExprInput *input)
{
    return vm_run_input(j->vm[version], input, NULL);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static void cut(Joint *j, const char *why)
{
    j->cut = true;
    j->why = j->why ? j->why : why;
}

static bool is_over(Joint *j)
{
    const ExploreOptions *o = &j->options.explore;
    if (o->stop && *o->stop)
        cut(j, "interrupted");
    else if (o->max_time > 0 && clock_seconds() >= j->work->until)
        cut(j, "the time for it is over: --max-time");
    else if (o->max_runs && j->runs >= o->max_runs)
        cut(j, "all runs were made: --max-runs");
    else if (expr_pool_bytes(j->pool) > o->max_memory)
        cut(j, "memory for expressions is used up: --max-memory");
    else if (j->options.different_most && j->counts[JOINT_DIFFERENT] >= j->options.different_most)
        cut(j, "enough differences were found");
    return j->cut;
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
    j->queries++;
    SolverStatus status = solver_check(j->solver, &q, answer);
    if (status == SOLVER_UNKNOWN)
        joint_abstract_blame(j, query);
    return status;
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static const JointPath *path_add(Joint *j, const JointPath *path, Expr condition)
{
    if (expr_is_true(condition))
        return path;
    JointPath *p = arena_alloc(j->arena, sizeof *p);
    *p = (JointPath){path, condition};
    return p;
}

static void path_list(const JointPath *path, ExprVec *out)
{
    vec_clear(out);
    for (; path; path = path->parent)
        vec_push(out, path->condition);
    for (uint32_t i = 0; i < out->n / 2; i++) {
        Expr t = out->v[i];
        out->v[i] = out->v[out->n - 1 - i];
        out->v[out->n - 1 - i] = t;
    }
}

static ExprInput *keep_input(Joint *j, const ExprInput *input)
{
    ExprInput *kept = mem_zalloc(sizeof *kept);
    expr_input_copy(kept, input);
    vec_push(&j->work->inputs, kept);
    return kept;
}

/* An input that satisfies the task and is in no class without an answer. */
static bool find_input(Joint *j, const JointTask *task, ExprInput *input)
{
    ExprVec query = {0};
    SolverAnswer answer = {0};
    if (task->probe) {
        expr_input_copy(input, task->hint);
        return true;
    }
    path_list(task->path, &query);
    for (uint32_t i = 0; i < j->options.given.n; i++)
        vec_push(&query, j->options.given.v[i]);
    for (uint32_t i = 0; i < j->classes.n; i++)
        vec_push(&query, j->classes.v[i]);
    SolverStatus status = joint_ask(j, &query, task->hint, &answer);
    if (status == SOLVER_SAT)
        expr_input_copy(input, &answer.model);
    if (status == SOLVER_UNKNOWN)
        j->why = j->why ? j->why : arena_strdup(j->arena, solver_reason_text(answer.reason));
    solver_answer_free(&answer);
    vec_free(&query);
    return status == SOLVER_SAT;
}

/* ---- one pair of runs ------------------------------------------------------------------------ */

typedef struct Pair {
    Joint *j;
    const JointTask *task;
    ExprInput *input;
    VmTrace *trace[2];
    U32Vec order[2]; /* of decisions */
} Pair;

static bool has_outcome(const VmTrace *t)
{
    VmEnding e = t->result.ending;
    return e == VM_END_RETURN || e == VM_END_EXIT || e == VM_END_FAULT;
}

/* A leak depends on all of memory. */
static bool depends_on_all(const VmResult *r)
{
    return r->ending == VM_END_LIMIT || r->ending == VM_END_INTERRUPTED ||
           (r->ending == VM_END_FAULT && r->fault == VM_FAULT_LEAK);
}

/* Of a run that fails, standard error counts: what was printed to standard output may still be in a buffer,
 * and is lost natively. */
static ExploreCriteria criteria_of(const Joint *j, VmEnding ending)
{
    ExploreCriteria c = j->options.explore.criteria;
    if (ending != VM_END_RETURN && ending != VM_END_EXIT)
        c.what = ending == VM_END_FAULT ? c.what & EXPLORE_STDERR : 0;
    return c;
}

static void find_order(Pair *p, unsigned version)
{
    const VmTrace *t = p->trace[version];
    VmEnding e = t->result.ending;
    vec_clear(&p->order[version]);
    for (uint32_t i = 0; depends_on_all(&t->result) && i < t->decisions.n; i++)
        vec_push(&p->order[version], i);
    if (depends_on_all(&t->result))
        return;
    ExploreCriteria failing = criteria_of(p->j, e);
    VmLabel l = explore_criterion(p->j->pool, &failing, t);
    explore_order(p->j->pool, l, t->decisions.v, &p->order[version]);
}

/* Position in the joint list: NEW's part first. */
static const VmDecision *decision_at(const Pair *p, uint32_t position, unsigned *version)
{
    uint32_t n = p->order[VERSIONS_NEW].n;
    *version = position < n ? VERSIONS_NEW : VERSIONS_OLD;
    const U32Vec *order = &p->order[*version];
    return &p->trace[*version]->decisions.v[order->v[position < n ? position : position - n]];
}

static uint32_t joint_length(const Pair *p) { return p->order[VERSIONS_NEW].n + p->order[VERSIONS_OLD].n; }

static void conditions(const Pair *p, unsigned version, BitSet *seen, ExprVec *out)
{
    for (uint32_t i = 0; i < p->order[version].n; i++) {
        Expr holds = p->trace[version]->decisions.v[p->order[version].v[i]].holds;
        if (!expr_is_true(holds) && bitset_add(seen, holds.id))
            vec_push(out, holds);
    }
}

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
static bool is_lost_alias(const Pair *p, unsigned version)
{
    const VmTrace *t = p->trace[version], *other = p->trace[!version];
    return t->result.ending == VM_END_ASSUMPTION && t->decisions.n &&
           vec_last(&t->decisions).kind == VM_DECISION_INPUT && has_outcome(other) && shares_object(other);
}

/* The run of one version ended without an answer: its inputs are left aside, and are open unless nobody asked
 * for them. */
static void record_class(Pair *p, unsigned version)
{
    Joint *j = p->j;
    const VmResult *r = &p->trace[version]->result;
    ExprVec why = {0};
    BitSet seen = {0};
    Str text = {0};
    conditions(p, version, &seen, &why);
    vec_push(&j->classes, expr_not(j->pool, expr_and_all(j->pool, why.v, why.n)));
    bool alias = is_lost_alias(p, version);
    if (r->ending != VM_END_ASSUMPTION || alias) {
        JointRow row = {.verdict = JOINT_OPEN, .condition = why, .run = j->runs};
        const char *option = r->ending == VM_END_LIMIT ? ledger_kind_option(r->limit) : NULL;
        if (alias)
            str_add(&text, "two pointers to the same object, which the versions follow in another order, are "
                           "not compared");
        else
            str_printf(
                &text, "%s ends without an answer: %s%s%s", version ? "the new version" : "the old version",
                r->message[0] ? r->message : "it was stopped", option ? ": " : "", option ? option : "");
        row.why = arena_strdup(j->arena, str_text(&text));
        row.end[version] =
            (SignatureEnd){.ending = r->ending, .site = r->site, .fn = IR_NONE, .message = row.why};
        row.end[!version] =
            (SignatureEnd){.ending = VM_END_RETURN, .site = IR_NONE, .fn = IR_NONE, .message = ""};
        expr_input_copy(&row.input, p->input);
        vec_push(&j->rows, row);
        j->counts[JOINT_OPEN]++;
    } else {
        vec_free(&why);
    }
    str_free(&text);
    bitset_free(&seen);
}

static void try_again(Pair *p)
{
    JointTask again = *p->task;
    if (again.probe)
        return;
    if (again.tries++ >= TRIES_MOST) {
        p->j->why = "runs without an answer, in very many ways";
        return;
    }
    again.hint = p->input;
    vec_push(&p->j->work->tasks, again);
}

/* The decision that a task was made for stands at its place, else what it was made for is not known. */
static void check_follows(const Pair *p)
{
    uint32_t at = p->task->again ? p->task->bound : p->task->bound - 1;
    unsigned version;
    if (!p->task->because ||
        (at < joint_length(p) && decision_at(p, at, &version)->index == p->task->because))
        return;
    p->j->why = "a run did not follow the decisions it was made for";
}

static void file_tasks(Pair *p)
{
    Joint *j = p->j;
    const JointPath *prefix = p->task->path;
    BitSet seen = {0};
    for (const JointPath *at = prefix; at; at = at->parent)
        bitset_add(&seen, at->condition.id);
    for (uint32_t i = p->task->bound; i < joint_length(p); i++) {
        unsigned version;
        const VmDecision *d = decision_at(p, i, &version);
        bool known = !expr_is_true(d->holds) && bitset_has(&seen, d->holds.id);
        bool skipped = version == VERSIONS_OLD && j->options.rules_off & VERSIONS_OFF_OLD;
        for (uint32_t k = 0; !known && !skipped && k < d->count; k++) {
            const VmAlternative *alt = &p->trace[version]->alternatives.v[d->first + k];
            JointTask task = {.path = path_add(j, prefix, alt->condition),
                              .hint = p->input,
                              .because = d->index,
                              .bound = alt->residual ? i : i + 1,
                              .again = alt->residual};
            vec_push(&j->work->tasks, task);
        }
        bitset_add(&seen, d->holds.id);
        prefix = path_add(j, prefix, d->holds);
    }
    bitset_free(&seen);
}

/* Rows are told apart by their conditions, in whatever order. */
static bool is_known(Joint *j, const ExprVec *condition)
{
    uint64_t hash = condition->n;
    for (uint32_t i = 0; i < condition->n; i++)
        hash += hash_u64(condition->v[i].id + 1);
    return !map_add(&j->work->known, hash_u64(hash), 1);
}

static SignatureEnd ending(Joint *j, unsigned version, const VmResult *r)
{
    const IrProgram *program = j->versions->program[version];
    SignatureEnd end = {.ending = r->ending,
                        .fault = r->fault,
                        .site = r->site,
                        .fn = IR_NONE,
                        .message = arena_strdup(j->arena, r->message)};
    for (uint32_t i = 0; i < r->stack.n && end.fn == IR_NONE; i++)
        if (!program->fns.v[r->stack.v[i].fn].runtime)
            end.fn = r->stack.v[i].fn;
    return end;
}

static void record_row(Pair *p)
{
    Joint *j = p->j;
    BitSet seen = {0};
    JointRow row = {.run = j->runs};
    SignatureRow shown[2] = {{{0}}};
    conditions(p, VERSIONS_NEW, &seen, &row.condition);
    conditions(p, VERSIONS_OLD, &seen, &row.condition);
    bitset_free(&seen);
    if (is_known(j, &row.condition)) {
        vec_free(&row.condition);
        return;
    }
    expr_input_copy(&row.input, p->input);
    for (unsigned v = 0; v < 2; v++) {
        const VmResult *r = &p->trace[v]->result;
        row.end[v] = ending(j, v, r);
        ExploreCriteria criteria = criteria_of(j, r->ending);
        explore_shown(j->pool, j->arena, j->versions->program[v], j->options.entry[v], &criteria, p->trace[v],
                      &shown[v]);
    }
    const VmTrace *const trace[2] = {p->trace[0], p->trace[1]};
    joint_compare(j, &row, shown, trace);
    j->counts[row.verdict]++;
    for (unsigned v = 0; v < 2; v++)
        explore_shown_free(&shown[v]);
    vec_push(&j->rows, row);
}

static void run_pair(Joint *j, const JointTask *task, const ExprInput *input)
{
    Pair p = {.j = j, .task = task, .input = keep_input(j, input)};
    bool ok = true;
    uint32_t known = j->rows.n + j->classes.n;
    j->runs++;
    for (unsigned v = 2; v-- > 0;) {
        p.trace[v] = vm_run_input(j->vm[v], input, NULL);
        find_order(&p, v);
        j->inputs += p.trace[v]->inputs.n;
        j->applied += p.trace[v]->applied;
    }
    for (unsigned v = 2; v-- > 0 && ok;)
        if (!has_outcome(p.trace[v])) {
            record_class(&p, v);
            ok = false;
        }
    if (ok) {
        record_row(&p);
        if (!task->probe) {
            check_follows(&p);
            file_tasks(&p);
        }
    } else {
        try_again(&p);
    }
    if (task->probe && j->rows.n + j->classes.n == known) /* it would be found again, without end */
        cut(j, "an input does not satisfy the condition of its own row");
    for (unsigned v = 0; v < 2; v++) {
        vm_trace_free(j->vm[v], p.trace[v]);
        vec_free(&p.order[v]);
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Is there an input outside of all rows and classes? */
static bool probe(Joint *j)
{
    ExprVec query = {0};
    SolverAnswer answer = {0};
    for (uint32_t i = 0; i < j->rows.n; i++)
        vec_push(&query, expr_not(j->pool,
                                  expr_and_all(j->pool, j->rows.v[i].condition.v, j->rows.v[i].condition.n)));
    for (uint32_t i = 0; i < j->classes.n; i++)
        vec_push(&query, j->classes.v[i]);
    for (uint32_t i = 0; i < j->options.given.n; i++)
        vec_push(&query, j->options.given.v[i]);
    SolverStatus status = joint_ask(j, &query, NULL, &answer);
    if (status == SOLVER_SAT)
        vec_push(&j->work->tasks, (JointTask){.hint = keep_input(j, &answer.model), .probe = true});
    j->certified = status == SOLVER_UNSAT;
    if (status == SOLVER_UNKNOWN)
        j->why = j->why ? j->why : "whether an input is missing was not found out";
    solver_answer_free(&answer);
    vec_free(&query);
    return status == SOLVER_SAT;
}

void joint_explore(Joint *j)
{
    struct JointWork *w = j->work;
    double start = clock_seconds();
    w->until = start + j->options.explore.max_time;
    for (unsigned v = 0; v < 2; v++)
        vm_deadline(j->vm[v], j->options.explore.max_time > 0 ? w->until : 0);
    joint_abstract_deadline(j, j->options.explore.max_time > 0 ? w->until : 0);
    vec_push(&w->tasks, (JointTask){0});
    do {
        while (w->head < w->tasks.n && !is_over(j)) {
            JointTask task = w->tasks.v[w->head++];
            ExprInput input = {0};
            if (find_input(j, &task, &input))
                run_pair(j, &task, &input);
            expr_input_free(&input);
        }
    } while (!j->cut && !(j->options.rules_off & VERSIONS_OFF_OLD) && !is_over(j) && probe(j));
    j->seconds = clock_seconds() - start;
}

JointVerdict joint_verdict(const Joint *j)
{
    bool open = j->counts[JOINT_OPEN] || j->why || ledger_count(j->ledger[0]) || ledger_count(j->ledger[1]);
    if (j->counts[JOINT_DIFFERENT])
        return JOINT_DIFFERENT;
    return open ? JOINT_OPEN : j->counts[JOINT_PROVED] ? JOINT_PROVED : JOINT_IDENTICAL;
}
