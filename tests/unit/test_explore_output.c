/* test_explore_output.c - the algorithm of `output` on a toy language, held against brute force.
 *
 * The language has labels of its own: three inputs from 0 to 3, variables modulo 8, branches, bounded loops,
 * checks, assumptions and values that are pinned. Every input can be run, so "exactly one row, with the right
 * output" is checked and not argued. */
#include "explore/output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { INPUTS = 3, VARIABLES = 4, NAMES = INPUTS + VARIABLES, COMBINATIONS = 64, RUNS_MOST = 5000 };

/* ---- programs -------------------------------------------------------------------------------- */

typedef struct Term {
    char op; /* 'c': constant, 'v': variable, + - * < = > */
    uint8_t value;
    const struct Term *left, *right;
} Term;

typedef struct Statement {
    char kind; /* set, if, while, check, assume, pin: the first letter */
    uint8_t to;
    uint32_t site;
    const Term *term;
    struct Statement *then, *otherwise, *next;
} Statement;

typedef struct Make {
    Arena *arena;
    Rng rng;
    uint32_t sites;
    bool failing;
} Make;

static uint32_t pick(Make *m, uint32_t n) { return (uint32_t)rng_below(&m->rng, n); }

static const Term *term_new(Make *m, Term term)
{
    Term *t = arena_alloc(m->arena, sizeof *t);
    *t = term;
    return t;
}

static const Term *random_term(Make *m, int depth)
{
    if (depth == 0 || pick(m, 10) < 3)
        return pick(m, 10) < 4 ? term_new(m, (Term){.op = 'c', .value = (uint8_t)pick(m, 4)})
                               : term_new(m, (Term){.op = 'v', .value = (uint8_t)pick(m, NAMES)});
    const Term *left = random_term(m, depth - 1);
    return term_new(m, (Term){"+-*"[pick(m, 3)], 0, left, random_term(m, depth - 1)});
}

static const Term *random_condition(Make *m)
{
    const Term *left = random_term(m, 1);
    return term_new(m, (Term){"<=>"[pick(m, 3)], 0, left, random_term(m, 1)});
}

static Statement *random_block(Make *m, int depth);

static Statement *random_statement(Make *m, int depth)
{
    Statement *s = arena_alloc(m->arena, sizeof *s);
    uint32_t k = pick(m, 100);
    s->site = m->sites++;
    s->to = (uint8_t)(INPUTS + pick(m, VARIABLES));
    if (depth > 0 && k >= 45 && k < 90) {
        s->kind = k < 80 ? 'i' : 'w';
        s->term = random_condition(m);
        s->then = random_block(m, depth - 1);
        s->otherwise = k < 80 && pick(m, 2) ? random_block(m, depth - 1) : NULL;
    } else if (depth > 0 && k >= 90 && m->failing) {
        s->kind = k < 95 ? 'c' : 'a';
        s->term = random_condition(m);
    } else {
        s->kind = k % 8 == 0 ? 'p' : 's';
        s->term = random_term(m, 2);
    }
    return s;
}

static Statement *random_block(Make *m, int depth)
{
    Statement *first = NULL, **end = &first;
    for (uint32_t n = 1 + pick(m, 3); n; n--) {
        *end = random_statement(m, depth);
        end = &(*end)->next;
    }
    return first;
}

/* Parts that share nothing, each with a check that fails now and then. */
static Statement *independent_parts(Make *m)
{
    Statement *first = NULL, **end = &first;
    for (uint8_t i = 0; i < INPUTS; i++) {
        Statement *s = arena_alloc(m->arena, 4 * sizeof *s);
        uint8_t to = (uint8_t)(INPUTS + i);
        const Term *in = term_new(m, (Term){.op = 'v', .value = i}),
                   *out = term_new(m, (Term){.op = 'v', .value = to});
        const Term *least = term_new(m, (Term){.op = 'c', .value = (uint8_t)(1 + pick(m, 3))});
        const Term *one = term_new(m, (Term){.op = 'c', .value = 1}),
                   *two = term_new(m, (Term){.op = 'c', .value = 2});
        const Term *most = term_new(m, (Term){.op = 'c', .value = pick(m, 3) ? 7 : 3});
        s[1] = (Statement){.kind = 's', .to = to, .term = term_new(m, (Term){'+', 0, in, one})};
        s[2] = (Statement){.kind = 's', .to = to, .term = term_new(m, (Term){'*', 0, in, two})};
        s[3] = (Statement){.kind = 'c', .site = m->sites + 1, .term = term_new(m, (Term){'<', 0, out, most})};
        s[0] = (Statement){.kind = 'i',
                           .site = m->sites,
                           .term = term_new(m, (Term){'<', 0, in, least}),
                           .then = &s[1],
                           .otherwise = &s[2],
                           .next = &s[3]};
        m->sites += 2;
        *end = &s[0];
        end = &s[3].next;
    }
    return first;
}

/* ---- a run: values, expressions and labels in one pass --------------------------------------- */

typedef struct Machine {
    ExprPool *pool;
    ExprObject inputs[INPUTS];
    bool ties, no_forced; /* ties: whatever follows a check depends on it */
    bool lies;            /* every branch claims that its condition held */
    uint8_t value[NAMES];
    Expr symbolic[NAMES];
    VmLabel label[NAMES];
    VmLabel context;
    VmTrace *trace;
    VmLabel ending;
    uint64_t iteration; /* name of the iterations under way, for names of decisions */
} Machine;

static uint8_t apply(char op, uint8_t a, uint8_t b)
{
    switch (op) {
    case '+': return (uint8_t)((a + b) & 7);
    case '-': return (uint8_t)((a - b) & 7);
    case '*': return (uint8_t)((a * b) & 7);
    case '<': return a < b;
    case '=': return a == b;
    default: return a > b;
    }
}

static uint8_t value_of(const Machine *m, const Term *t)
{
    if (t->op == 'c')
        return t->value;
    return t->op == 'v' ? m->value[t->value] : apply(t->op, value_of(m, t->left), value_of(m, t->right));
}

static Expr symbolic_of(Machine *m, const Term *t)
{
    ExprPool *p = m->pool;
    if (t->op == 'c')
        return expr_const(p, 3, t->value);
    if (t->op == 'v')
        return m->symbolic[t->value];
    Expr a = symbolic_of(m, t->left), b = symbolic_of(m, t->right);
    switch (t->op) {
    case '+': return expr_add(p, a, b);
    case '-': return expr_sub(p, a, b);
    case '*': return expr_mul(p, a, b);
    case '<': return expr_ult(p, a, b);
    case '=': return expr_eq(p, a, b);
    default: return expr_ult(p, b, a);
    }
}

static VmLabel unite(Machine *m, VmLabel a, VmLabel b) { return expr_set_union(m->pool, a, b); }

static VmLabel label_of(Machine *m, const Term *t)
{
    if (t->op == 'c')
        return EXPR_SET_EMPTY;
    return t->op == 'v' ? m->label[t->value] : unite(m, label_of(m, t->left), label_of(m, t->right));
}

/* Records a decision; its label with itself. */
static VmLabel record(Machine *m, const Statement *s, VmDecisionKind kind, Expr holds, VmAlternative *other,
                      VmLabel label)
{
    VmTrace *t = m->trace;
    VmDecision d = {.kind = kind,
                    .index = hash_mix(m->iteration, s->site) | 1,
                    .site = IR_NONE,
                    .holds = holds,
                    .first = t->alternatives.n,
                    .count = other != NULL,
                    .label = label,
                    .forced = !other};
    if (other)
        vec_push(&t->alternatives, *other);
    vec_push(&t->decisions, d);
    return unite(m, label, expr_set_of(m->pool, t->decisions.n - 1));
}

/* True if the condition holds; *label: what depends on it. */
static bool decide(Machine *m, const Statement *s, VmLabel *label)
{
    bool taken = value_of(m, s->term) != 0;
    Expr e = symbolic_of(m, s->term);
    VmLabel own = label_of(m, s->term);
    *label = unite(m, own, m->context);
    if (expr_is_const(m->pool, e)) {
        if (!m->no_forced && !expr_set_subset(m->pool, own, m->context))
            *label = record(m, s, VM_DECISION_BRANCH, EXPR_TRUE, NULL, *label);
        return taken;
    }
    Expr no = expr_not(m->pool, e);
    VmAlternative other = {.condition = taken ? no : e, .fn = IR_NONE, .block = IR_NONE};
    *label = record(m, s, VM_DECISION_BRANCH, taken || m->lies ? e : no, &other, *label);
    return taken;
}

static void written(const Statement *s, bool *out)
{
    for (; s; s = s->next) {
        if (s->kind == 's' || s->kind == 'p')
            out[s->to] = true;
        written(s->then, out);
        written(s->otherwise, out);
    }
}

static bool may_fail(const Statement *s)
{
    for (; s; s = s->next)
        if (s->kind == 'c' || s->kind == 'a' || may_fail(s->then) || may_fail(s->otherwise))
            return true;
    return false;
}

/* At the post-dominator: what either side writes depends on the branch. */
static void leave(Machine *m, const Statement *s, VmLabel label, VmLabel inner)
{
    bool touched[NAMES] = {0};
    written(s->then, touched);
    written(s->otherwise, touched);
    for (unsigned v = 0; v < NAMES; v++)
        if (touched[v])
            m->label[v] = unite(m, m->label[v], label);
    if (m->ties && (may_fail(s->then) || may_fail(s->otherwise)))
        m->context = unite(m, m->context, unite(m, label, inner));
}

static bool run_block(Machine *m, const Statement *s);

static bool run_branch(Machine *m, const Statement *s)
{
    VmLabel label, outer = m->context;
    bool taken = decide(m, s, &label);
    m->context = unite(m, outer, label);
    bool alive = run_block(m, taken ? s->then : s->otherwise);
    VmLabel inner = m->context;
    m->context = outer;
    if (alive)
        leave(m, s, label, inner);
    return alive;
}

static bool run_loop(Machine *m, const Statement *s)
{
    VmLabel all = EXPR_SET_EMPTY, outer = m->context;
    uint64_t around = m->iteration;
    bool alive = true;
    for (unsigned i = 0; i < 2 && alive; i++) {
        VmLabel label;
        m->iteration = hash_mix(around, 2 * s->site + i) | 1;
        bool taken = decide(m, s, &label);
        all = unite(m, all, label);
        m->context = unite(m, m->context, label);
        if (!taken)
            break;
        alive = run_block(m, s->then);
    }
    VmLabel inner = m->context;
    m->context = outer;
    m->iteration = around;
    if (alive)
        leave(m, s, all, inner);
    return alive;
}

static bool run_check(Machine *m, const Statement *s)
{
    VmLabel label;
    bool passed = decide(m, s, &label);
    if (!passed) {
        m->trace->result.ending = s->kind == 'c' ? VM_END_FAULT : VM_END_ASSUMPTION;
        m->trace->result.site = s->site;
        m->ending = label;
    } else if (m->ties) {
        m->context = unite(m, m->context, label);
    }
    return passed;
}

/* The variable gets the value that the term has, and nothing symbolic. */
static void run_pin(Machine *m, const Statement *s)
{
    Expr e = symbolic_of(m, s->term);
    uint8_t value = value_of(m, s->term);
    VmLabel label = unite(m, label_of(m, s->term), m->context);
    if (!expr_is_const(m->pool, e)) {
        Expr holds = expr_eq(m->pool, e, expr_const(m->pool, 3, value));
        VmAlternative other = {
            .condition = expr_not(m->pool, holds), .residual = true, .fn = IR_NONE, .block = IR_NONE};
        label = record(m, s, VM_DECISION_VALUE, holds, &other, label);
    }
    m->value[s->to] = value;
    m->symbolic[s->to] = expr_const(m->pool, 3, value);
    m->label[s->to] = label;
}

static bool run_block(Machine *m, const Statement *s)
{
    for (bool alive = true; s; s = s->next) {
        switch (s->kind) {
        case 's': {
            VmLabel label = unite(m, label_of(m, s->term), m->context);
            Expr e = symbolic_of(m, s->term);
            m->value[s->to] = value_of(m, s->term);
            m->symbolic[s->to] = e;
            m->label[s->to] = label;
            break;
        }
        case 'p': run_pin(m, s); break;
        case 'i': alive = run_branch(m, s); break;
        case 'w': alive = run_loop(m, s); break;
        default: alive = run_check(m, s);
        }
        if (!alive)
            return false;
    }
    return true;
}

static VmTrace *run(Machine *m, const Statement *program, const ExprInput *input)
{
    m->trace = mem_zalloc(sizeof *m->trace);
    m->context = EXPR_SET_EMPTY;
    m->iteration = 0;
    for (unsigned v = 0; v < NAMES; v++) {
        Expr in = v < INPUTS ? expr_object_symbol(m->pool, m->inputs[v]) : EXPR_NONE;
        m->value[v] = v < INPUTS ? (uint8_t)expr_input_get(m->pool, input, in) : 0;
        m->symbolic[v] = v < INPUTS ? expr_zext(m->pool, in, 3) : expr_const(m->pool, 3, 0);
        m->label[v] = EXPR_SET_EMPTY;
    }
    if (run_block(m, program))
        m->ending = unite(m, m->label[INPUTS], m->context); /* the output is the first variable */
    return m->trace;
}

static void trace_free(VmTrace *t)
{
    vec_free(&t->decisions);
    vec_free(&t->alternatives);
    mem_free(t);
}

/* ---- exploring ------------------------------------------------------------------------------- */

typedef struct Toy {
    Machine machine;
    const Statement *program;
    Explore x;
    Output output;
    uint32_t runs;
    bool ties;
    IrProgram *ir;
} Toy;

static bool find_input(Toy *t, const Task *task, ExprInput *input)
{
    Explore *x = &t->x;
    Expr other = EXPR_NONE;
    if (task->solved) {
        expr_input_copy(input, &task->origin->input);
        return true;
    }
    path_list(task->path, &x->query);
    do {
        if (!expr_is_none(other))
            vec_push(&x->query, other);
        if (explore_solve(x, task->origin ? &task->origin->input : NULL) != SOLVER_SAT)
            return false;
        other = output_class_of(&t->output, &x->answer.model);
    } while (!expr_is_none(other));
    expr_input_copy(input, &x->answer.model);
    return true;
}

static void take(Toy *t, const Task *task)
{
    ExprInput input = {0};
    if (find_input(t, task, &input)) {
        VmTrace *trace = run(&t->machine, t->program, &input);
        bool returned = trace->result.ending == VM_END_RETURN;
        OutputRun made = {.trace = trace,
                          .criterion = t->machine.ending,
                          .has_output = returned || t->ties,
                          .input = &input,
                          .number = ++t->runs};
        Origin *origin = origin_new(&input);
        SignatureRow *row = output_expand(&t->output, &t->x, task, &made, origin);
        if (row) {
            SignatureOutput out = {.name = returned ? "a" : "fault", .kind = SIGNATURE_DATA};
            Expr value =
                returned ? t->machine.symbolic[INPUTS] : expr_const(t->machine.pool, 32, trace->result.site);
            vec_push(&out.parts, (SignaturePart){.value = value});
            vec_push(&row->outputs, out);
        }
        origin_drop(origin);
        trace_free(trace);
    }
    expr_input_free(&input);
}

static void toy_new(Toy *t, const Statement *program, bool ties)
{
    static const char *const names[] = {"x", "y", "z"};
    memset(t, 0, sizeof *t);
    t->ties = t->machine.ties = ties;
    t->program = program;
    t->x.program = t->ir = ir_program_new(); /* without functions: the toy has its own statements */
    t->x.pool = t->machine.pool = expr_pool_new();
    for (unsigned i = 0; i < INPUTS; i++)
        t->machine.inputs[i] =
            expr_object_scalar(t->x.pool, names[i], names[i], 2, (ExprCType){EXPR_C_UINT, 0});
    t->x.solver = solver_new(t->x.pool, NULL);
    t->x.lane = &t->x.lanes[0];
    t->x.lane->ledger = ledger_new();
    frontier_init(&t->x.lane->frontier, EXPLORE_DFS, 1, NULL);
    output_init(&t->output, t->x.pool);
    t->x.lane->state = &t->output;
}

static void toy_explore(Toy *t)
{
    Task task = {.fn = IR_NONE, .block = IR_NONE, .site = IR_NONE};
    frontier_file(&t->x.lane->frontier, task);
    while ((frontier_size(&t->x.lane->frontier) || output_more(&t->x)) && t->runs < RUNS_MOST &&
           frontier_take(&t->x.lane->frontier, &task)) {
        take(t, &task);
        task_release(NULL, &task);
    }
}

static void toy_free(Toy *t)
{
    output_free(&t->output);
    frontier_free(&t->x.lane->frontier, NULL);
    solver_answer_free(&t->x.answer);
    vec_free(&t->x.query);
    solver_free(t->x.solver);
    ledger_free(t->x.lane->ledger);
    expr_pool_free(t->x.pool);
    ir_program_free(t->ir);
}

/* ---- judging --------------------------------------------------------------------------------- */

static void nth_input(const Machine *m, unsigned k, ExprInput *input)
{
    for (unsigned i = 0; i < INPUTS; i++)
        expr_input_set(m->pool, input, expr_object_symbol(m->pool, m->inputs[i]), k >> 2 * i & 3);
}

static const SignatureRow *only_row(Toy *t, ExprEval *ev)
{
    const Signature *s = &t->output.signature;
    const SignatureRow *hit = NULL;
    for (uint32_t r = 0; r < s->rows.n; r++) {
        const SignatureRow *row = &s->rows.v[r];
        bool all = true;
        for (uint32_t i = 0; i < row->condition.n && all; i++)
            all = expr_eval_true(ev, row->condition.v[i]);
        if (all && hit)
            return NULL;
        hit = all ? row : hit;
    }
    return hit;
}

/* Every input that does not fail (with ties: every input) satisfies exactly one row, which gives its
 * output. */
static bool is_signature(Toy *t)
{
    ExprEval *ev = expr_eval_new(t->x.pool);
    ExprInput input = {0};
    bool good = true;
    for (unsigned k = 0; k < COMBINATIONS && good; k++) {
        nth_input(&t->machine, k, &input);
        VmTrace *trace = run(&t->machine, t->program, &input);
        bool returned = trace->result.ending == VM_END_RETURN;
        expr_eval_input(ev, &input);
        const SignatureRow *row = returned || t->ties ? only_row(t, ev) : NULL;
        if (returned)
            good = row && !strcmp(row->outputs.v[0].name, "a") &&
                   expr_eval(ev, row->outputs.v[0].parts.v[0].value) == t->machine.value[INPUTS];
        else if (t->ties)
            good = row && !strcmp(row->outputs.v[0].name, "fault") &&
                   expr_eval(ev, row->outputs.v[0].parts.v[0].value) == trace->result.site;
        trace_free(trace);
    }
    expr_input_free(&input);
    expr_eval_free(ev);
    return good;
}

static uint32_t probed(const Toy *t)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->output.signature.rows.n; i++)
        n += t->output.signature.rows.v[i].probed;
    return n;
}

typedef struct Tally {
    uint32_t wrong, probed, runs, diverged;
} Tally;

static Tally judge_programs(uint32_t programs, bool ties, bool no_forced, bool independent)
{
    Tally tally = {0};
    for (uint32_t seed = 0; seed < programs; seed++) {
        Make make = {.arena = arena_new(), .failing = seed % 2};
        rng_seed(&make.rng, seed);
        Statement *program = independent ? independent_parts(&make) : random_block(&make, 3);
        if (!independent) {
            Statement **end = &program;
            while (*end)
                end = &(*end)->next;
            *end = random_block(&make, 2);
        }
        Toy t;
        toy_new(&t, program, ties);
        t.machine.no_forced = no_forced;
        toy_explore(&t);
        tally.runs += t.runs;
        tally.probed += probed(&t);
        tally.diverged += t.x.counters[EXPLORE_DIVERGED] != 0;
        tally.wrong += t.runs >= RUNS_MOST || !is_signature(&t);
        toy_free(&t);
        arena_free(make.arena);
    }
    return tally;
}

static void test_signature_of_random_programs(void **state)
{
    (void)state;
    Tally t = judge_programs(1000, false, false, false);
    assert_int_equal(t.wrong, 0);
    assert_int_equal(t.probed, 0);
    assert_int_equal(t.diverged, 0);
}

static void test_failing_as_an_output(void **state)
{
    (void)state;
    Tally t = judge_programs(1000, true, false, false);
    assert_int_equal(t.wrong, 0);
    assert_int_equal(t.probed, 0);
    assert_int_equal(t.diverged, 0);
}

static void test_independent_parts_cost_fewer_runs_when_faults_are_isolated(void **state)
{
    (void)state;
    Tally apart = judge_programs(50, false, false, true), tied = judge_programs(50, true, false, true);
    assert_int_equal(apart.wrong, 0);
    assert_int_equal(tied.wrong, 0);
    assert_true(apart.runs * 2 < tied.runs);
}

/* Without forced decisions the order loses its prefix property: the check of completeness has to find what
 * was missed, or rows are not disjoint. */
static void test_forced_decisions_are_needed(void **state)
{
    (void)state;
    Tally t = judge_programs(400, false, true, false);
    assert_true(t.wrong + t.probed + t.diverged > 0);
}

/* ---- the order ------------------------------------------------------------------------------- */

/* The paper's own words. */
static void reorder(const ExprPool *p, const U32Vec *seq, const VmDecision *d, U32Vec *out)
{
    U32Vec inside = {0}, outside = {0};
    if (!seq->n)
        return;
    uint32_t pivot = vec_last(seq);
    for (uint32_t i = 0; i + 1 < seq->n; i++)
        if (expr_set_has(p, d[pivot].label, seq->v[i]))
            vec_push(&inside, seq->v[i]);
        else
            vec_push(&outside, seq->v[i]);
    reorder(p, &inside, d, out);
    vec_push(out, pivot);
    reorder(p, &outside, d, out);
    vec_free(&inside);
    vec_free(&outside);
}

static void test_order_is_that_of_the_paper(void **state)
{
    (void)state;
    ExprPool *p = expr_pool_new();
    Rng rng;
    rng_seed(&rng, 7);
    for (int round = 0; round < 200; round++) {
        VmDecision d[150] = {0};
        uint32_t n = 1 + (uint32_t)rng_below(&rng, COUNT_OF(d));
        VmLabel criterion = EXPR_SET_EMPTY;
        for (uint32_t i = 0; i < n; i++)
            for (uint64_t k = rng_below(&rng, 4); k && i; k--) {
                uint32_t j = (uint32_t)rng_below(&rng, i);
                d[i].label = expr_set_union(p, d[i].label, expr_set_union(p, d[j].label, expr_set_of(p, j)));
            }
        for (int k = 0; k < 5; k++) {
            uint32_t j = (uint32_t)rng_below(&rng, n);
            criterion = expr_set_union(p, criterion, expr_set_union(p, d[j].label, expr_set_of(p, j)));
        }
        U32Vec members = {0}, paper = {0}, order = {0};
        for (uint32_t i = 0; i < n; i++)
            if (expr_set_has(p, criterion, i))
                vec_push(&members, i);
        reorder(p, &members, d, &paper);
        explore_order(p, criterion, d, &order);
        assert_int_equal(order.n, paper.n);
        assert_memory_equal(order.v, paper.v, paper.n * sizeof *paper.v);
        vec_free(&members);
        vec_free(&paper);
        vec_free(&order);
    }
    expr_pool_free(p);
}

/* Figure 5 of the paper: b1 to b6, of which b6 depends on b1 and b3, b3 on b1, b4 on nothing, b5 on
 * nothing. */
static void test_order_of_figure_5(void **state)
{
    (void)state;
    ExprPool *p = expr_pool_new();
    VmDecision d[6] = {0};
    U32Vec order = {0};
    d[2].label = expr_set_of(p, 0);
    d[5].label = expr_set_union(p, expr_set_of(p, 0), expr_set_of(p, 2));
    VmLabel all = EXPR_SET_EMPTY;
    for (uint32_t i = 0; i < 6; i++)
        all = expr_set_union(p, all, expr_set_of(p, i));
    explore_order(p, all, d, &order);
    static const uint32_t want[] = {0, 2, 5, 4, 3, 1};
    assert_int_equal(order.n, 6);
    assert_memory_equal(order.v, want, sizeof want);
    vec_free(&order);
    expr_pool_free(p);
}

/* ---- the check of completeness ends ------------------------------------------------------------ */

/* A run that does not satisfy its own row leaves its input outside of all rows: it is not run for ever, and
 * the ledger says why. */
static void test_an_input_outside_its_own_row_ends_the_search(void **state)
{
    (void)state;
    const Term x = {.op = 'v', .value = 0}, two = {.op = 'c', .value = 2},
               below = {.op = '<', .left = &x, .right = &two};
    Statement set = {.kind = 's', .to = INPUTS, .site = 2, .term = &two},
              branch = {.kind = 'i', .site = 1, .term = &below, .then = &set};
    Toy t;
    toy_new(&t, &branch, false);
    t.machine.lies = true;
    toy_explore(&t);
    assert_true(t.runs < 5);
    assert_false(t.output.signature.certified);
    assert_int_equal(t.output.signature.rows.n, 1);
    assert_true(ledger_count(t.x.lane->ledger) > 0);
    toy_free(&t);
    toy_new(&t, &branch, false);
    toy_explore(&t);
    assert_true(t.output.signature.certified && is_signature(&t));
    toy_free(&t);
}

/* ---- rows move with the pool ----------------------------------------------------------------- */

static void test_rows_survive_a_new_pool(void **state)
{
    (void)state;
    Make make = {.arena = arena_new(), .failing = true};
    rng_seed(&make.rng, 14);
    Toy t;
    toy_new(&t, independent_parts(&make), false);
    toy_explore(&t);
    uint32_t rows = t.output.signature.rows.n;
    assert_true(rows > 1);
    ExprPool *old = t.x.pool, *fresh = expr_pool_new();
    solver_free(t.x.solver);
    ExprImport *import = expr_import_new(fresh, old);
    output_move(&t.output, fresh, import);
    expr_import_free(import);
    expr_pool_free(old);
    t.x.pool = t.machine.pool = fresh;
    t.x.solver = solver_new(fresh, NULL);
    assert_true(is_signature(&t));
    for (uint32_t i = 0; i < rows; i++)
        assert_int_equal(output_row_find(&t.output, &t.output.signature.rows.v[i].condition), i);
    toy_free(&t);
    arena_free(make.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signature_of_random_programs),
        cmocka_unit_test(test_failing_as_an_output),
        cmocka_unit_test(test_independent_parts_cost_fewer_runs_when_faults_are_isolated),
        cmocka_unit_test(test_forced_decisions_are_needed),
        cmocka_unit_test(test_order_is_that_of_the_paper),
        cmocka_unit_test(test_order_of_figure_5),
        cmocka_unit_test(test_an_input_outside_its_own_row_ends_the_search),
        cmocka_unit_test(test_rows_survive_a_new_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
