/* joint_abstract.c - calls that a comparison does not enter.
 *
 * A function that both versions share, and that has neither effects nor faults (total.c), is a function of
 * its arguments, whatever it computes: both machines give its result as the application of one symbol, which
 * a scratch machine evaluates where the arguments are known. To the solver it is uninterpreted, but for
 * lemmas: equal arguments, equal results; and values. So a loop in it is never unrolled.
 *
 * A function that calls itself, directly or through others, is compared with its own calls abstracted: if
 * both versions do the same wherever their recursive calls do, then they do the same, by induction over the
 * depth of the recursion, on all inputs on which both end (partial equivalence).
 *
 * Where that leaves a question open, it is refined: calls that the question is about are unfolded once (a
 * recursion), then entered. */
#include "versions/joint_int.h"
#include "versions/versions_int.h"

enum { STEPS_MOST = 1 << 17 /* instructions of one evaluation */, KNOWN_MOST = 1 << 16 };

typedef struct Known {
    u128 arguments[VM_ABSTRACT_ARGS];
    u128 value;
    bool missed;
} Known;

/* How applications of one function are evaluated. */
typedef struct JointEvaluator {
    Joint *j;
    uint32_t pair, fn; /* the latter in OLD */
    Map at;            /* hash of arguments to index into known, + 1 */
    Vec(Known) known;
} JointEvaluator;

static u128 evaluate(void *context, const u128 *arguments, uint32_t n)
{
    JointEvaluator *e = context;
    bitset_add(&e->j->used, e->pair);
    Known k = {.missed = false};
    memcpy(k.arguments, arguments, n * sizeof *arguments);
    uint64_t hash = hash_bytes(k.arguments, sizeof k.arguments);
    uint64_t at = map_get_or(&e->at, hash, 0);
    if (at && !memcmp(e->known.v[at - 1].arguments, k.arguments, sizeof k.arguments)) {
        k = e->known.v[at - 1];
    } else {
        VmEnding ending =
            vm_evaluate(e->j->work->scratch, e->j->options.environment, e->fn, arguments, &k.value);
        k.missed = ending != VM_END_RETURN; /* too many steps, or frames */
        if (k.missed)
            k.value = 0;
        if (!at && e->known.n < KNOWN_MOST) {
            vec_push(&e->known, k);
            map_put(&e->at, hash, e->known.n);
        }
    }
    if (k.missed)
        expr_fn_miss(e->j->pool);
    return k.value;
}

void joint_abstract_begin(Joint *j)
{
    const JointAbstractVec *all = &j->options.abstract;
    struct JointWork *w = j->work;
    if (!all->n)
        return;
    VmOptions options = j->options.explore.vm;
    options.max_steps = STEPS_MOST;
    options.checks = 0;
    w->scratch = vm_new(j->versions->program[VERSIONS_OLD], &options);
    w->evaluators = mem_zalloc(all->n * sizeof *w->evaluators);
    for (unsigned v = 0; v < 2; v++)
        w->abstract[v] = mem_zalloc(all->n * sizeof *w->abstract[v]);
    for (uint32_t i = 0; i < all->n; i++) {
        const VersionsFn *pair = &j->versions->fns.v[all->v[i].pair];
        const IrProgram *new = j->versions->program[VERSIONS_NEW];
        w->evaluators[i] = (JointEvaluator){.j = j, .pair = all->v[i].pair, .fn = pair->fn[VERSIONS_OLD]};
        for (unsigned v = 0; v < 2; v++)
            w->abstract[v][i] = (VmAbstract){.fn = pair->fn[v],
                                             .depth = all->v[i].depth,
                                             .name = ir_text(new, new->fns.v[pair->fn[VERSIONS_NEW]].name),
                                             .call = evaluate,
                                             .context = &w->evaluators[i]};
    }
}

void joint_abstract_deadline(Joint *j, double until)
{
    if (j->work->scratch)
        vm_deadline(j->work->scratch, until);
}

void joint_abstract_free(Joint *j)
{
    struct JointWork *w = j->work;
    for (uint32_t i = 0; w->scratch && i < j->options.abstract.n; i++) {
        map_free(&w->evaluators[i].at);
        vec_free(&w->evaluators[i].known);
    }
    for (unsigned v = 0; v < 2; v++)
        mem_free(w->abstract[v]);
    mem_free(w->evaluators);
    vm_free(w->scratch);
    bitset_free(&j->blamed);
    bitset_free(&j->used);
}

/* ---- which ----------------------------------------------------------------------------------- */

/* Both are called alike, both are total, and no function of libm has that name, which applications of it in
 * the same pool would have too. */
static bool is_candidate(const Versions *v, Totals totals[2], uint32_t pair)
{
    const VersionsFn *f = &v->fns.v[pair];
    const IrProgram *new = v->program[VERSIONS_NEW];
    return f->fn[VERSIONS_OLD] != IR_NONE && f->fn[VERSIONS_NEW] != IR_NONE && f->shape &&
           !vm_external_is_known(ir_text(new, new->fns.v[f->fn[VERSIONS_NEW]].name)) &&
           totals_is_abstractable(&totals[VERSIONS_OLD], f->fn[VERSIONS_OLD]) &&
           totals_is_abstractable(&totals[VERSIONS_NEW], f->fn[VERSIONS_NEW]);
}

/* Do calls from `at` lead to the function? */
static bool leads_to(const IrProgram *p, uint32_t at, uint32_t fn, BitSet *seen)
{
    for (uint32_t b = 0; b < p->fns.v[at].blocks.n; b++)
        for (uint32_t i = 0; i < p->fns.v[at].blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &p->fns.v[at].blocks.v[b].insns.v[i];
            if (insn->op != IR_CALL || bitset_has(seen, insn->a))
                continue;
            bitset_add(seen, insn->a);
            if (insn->a == fn || leads_to(p, insn->a, fn, seen))
                return true;
        }
    return false;
}

/* Directly, or through functions that it calls. */
static bool calls_itself(const IrProgram *p, uint32_t fn)
{
    BitSet seen = {0};
    bool calls = leads_to(p, fn, fn, &seen);
    bitset_free(&seen);
    return calls;
}

void joint_abstract_find(const Versions *v, uint32_t entry, const BitSet *same, uint64_t checks,
                         unsigned rules_off, JointAbstractVec *out)
{
    Totals totals[2];
    Flow *flow[2];
    vec_clear(out);
    for (unsigned version = 0; version < 2; version++) {
        flow[version] = flow_new(v->program[version], NULL);
        totals_init(&totals[version], v->program[version], flow[version], joint_checks(checks), rules_off);
    }
    for (uint32_t i = 0; i < v->fns.n; i++) {
        if (i == entry ? !is_candidate(v, totals, i) || !calls_itself(v->program[0], v->fns.v[i].fn[0]) ||
                             !calls_itself(v->program[1], v->fns.v[i].fn[1])
                       : !bitset_has(same, i) || !is_candidate(v, totals, i))
            continue;
        vec_push(out, ((JointAbstract){i, i == entry ? 1 : 0}));
    }
    for (unsigned version = 0; version < 2; version++) {
        totals_free(&totals[version]);
        flow_free(flow[version]);
    }
}

/* ---- refinement ------------------------------------------------------------------------------ */

void joint_abstract_blame(Joint *j, const ExprVec *query)
{
    U32Vec cone = {0};
    if (!j->work->scratch)
        return;
    expr_cone(j->pool, query->v, query->n, &cone);
    for (uint32_t i = 0; i < cone.n; i++) {
        Expr e = {cone.v[i]};
        const char *name =
            expr_op(j->pool, e) == EXPR_APPLY ? expr_fn_name(j->pool, expr_apply_fn(j->pool, e)) : NULL;
        for (uint32_t k = 0; name && k < j->options.abstract.n; k++)
            if (!strcmp(name, j->work->abstract[VERSIONS_NEW][k].name))
                bitset_add(&j->blamed, j->options.abstract.v[k].pair);
    }
    vec_free(&cone);
}

static bool is_evaluated(const Joint *j, const ExprVec *conditions, const ExprInput *input)
{
    ExprEval *ev = expr_eval_new(j->pool);
    uint64_t missed = expr_fn_missed(j->pool);
    expr_eval_input(ev, input);
    for (uint32_t i = 0; i < conditions->n; i++)
        expr_eval_true(ev, conditions->v[i]);
    expr_eval_free(ev);
    return expr_fn_missed(j->pool) == missed;
}

/* Loops whose length is an argument end soon if that is small. */
static void add_small_arguments(Joint *j, ExprVec *query)
{
    enum { SMALL = 255 };
    U32Vec cone = {0};
    expr_cone(j->pool, query->v, query->n, &cone);
    for (uint32_t i = 0; i < cone.n; i++) {
        Expr e = {cone.v[i]};
        for (uint32_t k = 0; expr_op(j->pool, e) == EXPR_APPLY && k < expr_child_count(j->pool, e); k++) {
            Expr argument = expr_child(j->pool, e, k);
            unsigned width = expr_width(j->pool, argument);
            if (width > 8)
                vec_push(query, expr_ule(j->pool, argument, expr_const(j->pool, width, SMALL)));
        }
    }
    vec_free(&cone);
}

bool joint_abstract_settle(Joint *j, const ExprVec *conditions, ExprInput *input)
{
    if (!j->work->scratch || is_evaluated(j, conditions, input))
        return true;
    ExprVec query = {0};
    SolverAnswer answer = {0};
    for (uint32_t i = 0; i < conditions->n; i++)
        vec_push(&query, conditions->v[i]);
    add_small_arguments(j, &query);
    bool found = joint_ask(j, &query, input, &answer) == SOLVER_SAT && is_evaluated(j, &query, &answer.model);
    if (found)
        expr_input_copy(input, &answer.model);
    else
        joint_abstract_blame(j, conditions);
    solver_answer_free(&answer);
    vec_free(&query);
    return found;
}

void joint_blame_row(Joint *j, const JointRow *row)
{
    ExprVec all = {0};
    for (uint32_t i = 0; i < row->condition.n; i++)
        vec_push(&all, row->condition.v[i]);
    if (!expr_is_none(row->where))
        vec_push(&all, row->where);
    joint_abstract_blame(j, &all);
    vec_free(&all);
}

bool joint_abstract_refine(const Joint *j, JointAbstractVec *all)
{
    uint32_t kept = 0;
    bool any = bitset_next(&j->blamed, 0) != UINT32_MAX, changed = false;
    if (!j->applied || !all->n)
        return false;
    for (uint32_t i = 0; i < all->n; i++) {
        JointAbstract a = all->v[i];
        bool unfolds = a.depth == 1;
        if (!any || (bitset_has(&j->blamed, a.pair) && !unfolds)) {
            changed = true; /* entered from now on */
            continue;
        }
        if (bitset_has(&j->blamed, a.pair)) {
            a.depth++;
            changed = true;
        }
        all->v[kept++] = a;
    }
    all->n = kept;
    return changed;
}
