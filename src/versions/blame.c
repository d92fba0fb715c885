/* blame.c - which lines of NEW make a test show something else than OLD: DARWIN's order on slice conditions
 * (PESO).
 *
 * g is what OLD's outputs depend on for the test, p1 ... pn what NEW's do. An input that satisfies g is one
 * that OLD treats as it does the test. If one of them satisfies p1 ... p(i-1) and not pi, then NEW separates
 * there what OLD does not: the line of pi is blamed, with this input. With whole path conditions in the
 * place of slice conditions, lines are blamed on which the outputs do not depend. */
#include "versions/joint_int.h"

#include <stdlib.h>

/* The decisions that count, in order. */
static void find_order(Joint *j, const VmTrace *t, bool by_path, U32Vec *order)
{
    vec_clear(order);
    for (uint32_t i = 0; by_path && i < t->decisions.n; i++)
        vec_push(order, i);
    if (!by_path)
        explore_order(j->pool, explore_criterion(j->pool, &j->options.explore.criteria, t), t->decisions.v,
                      order);
}

static const char *text_of(Joint *j, Expr e)
{
    enum { MOST = 200 };
    Str text = {0};
    expr_print_c(j->pool, e, MOST, &text);
    const char *result = arena_strdup(j->arena, str_text(&text));
    str_free(&text);
    return result;
}

/* Do both versions show the same for this input? */
static bool agree(Joint *j, const ExprInput *input, JointRow *row)
{
    VmTrace *trace[2];
    expr_input_copy(&row->input, input);
    for (unsigned v = 2; v-- > 0;)
        trace[v] = joint_run(j, v, input);
    /* one input only: a condition that says which it is */
    for (uint32_t i = 0; i < trace[VERSIONS_NEW]->inputs.n; i++) {
        const ExprObjectInfo *info = expr_object_info(j->pool, trace[VERSIONS_NEW]->inputs.v[i].object);
        for (uint32_t k = 0; k < info->size && !info->scalar; k++)
            vec_push(&row->condition,
                     expr_eq(j->pool, expr_object_byte(j->pool, trace[VERSIONS_NEW]->inputs.v[i].object, k),
                             expr_const(j->pool, 8, expr_input_byte(input, info->at + k))));
    }
    const VmTrace *const both[2] = {trace[0], trace[1]};
    joint_compare(j, row, both);
    for (unsigned v = 0; v < 2; v++)
        vm_trace_free(j->vm[v], trace[v]);
    return row->verdict < JOINT_DIFFERENT;
}

static int by_rank(const void *a, const void *b)
{
    const BlameLine *x = a, *y = b;
    if (x->agree != y->agree)
        return x->agree ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

/* A line is reported once, with its first condition. */
static bool is_reported(const Blame *b, uint32_t site, const IrProgram *p)
{
    for (uint32_t i = 0; i < b->lines.n; i++) {
        uint32_t other = b->lines.v[i].site;
        if (other == site ||
            (other != IR_NONE && site != IR_NONE && p->sites.v[other].line == p->sites.v[site].line &&
             p->sites.v[other].file == p->sites.v[site].file))
            return true;
    }
    return false;
}

static void blame_at(Joint *j, Blame *b, const VmDecision *d, uint32_t position, ExprVec *query)
{
    SolverAnswer answer = {0};
    const IrProgram *p = j->versions->program[VERSIONS_NEW];
    vec_push(query, expr_not(j->pool, d->holds));
    SolverStatus status =
        is_reported(b, d->site, p) ? SOLVER_UNSAT : joint_ask(j, query, &b->test.input, &answer);
    query->n--;
    b->open += status == SOLVER_UNKNOWN;
    if (status == SOLVER_SAT) {
        JointRow row = {0};
        BlameLine line = {.site = d->site, .position = position, .condition = text_of(j, d->holds)};
        expr_input_copy(&line.input, &answer.model);
        line.agree = agree(j, &answer.model, &row);
        joint_row_free(&row);
        vec_push(&b->lines, line);
    }
    solver_answer_free(&answer);
}

/* ---- changes that make no condition ---------------------------------------------------------- */

static void add_data(Joint *j, Blame *b, uint32_t site, const char *what)
{
    const IrProgram *p = j->versions->program[VERSIONS_NEW];
    for (uint32_t i = 0; i < b->data.n; i++)
        if (site != IR_NONE && p->sites.v[b->data.v[i].site].line == p->sites.v[site].line &&
            p->sites.v[b->data.v[i].site].file == p->sites.v[site].file)
            return;
    if (site != IR_NONE)
        vec_push(&b->data, ((BlameData){site, what}));
}

/* Does the instruction name one of these variables? What it does with that may be what it was. */
static bool names_one(const IrFn *fn, const IrInsn *insn, const BitSet *globals)
{
    U32Vec reads = {0};
    bool any = false;
    ir_insn_reads(fn, insn, &reads);
    for (uint32_t i = 0; i < reads.n; i++) {
        const IrConst *c = ir_reg_const_of(fn, reads.v[i]);
        any |= c && c->kind == IR_CONST_GLOBAL && bitset_has(globals, c->index);
    }
    vec_free(&reads);
    return any;
}

/* Of what a call of the entry may come to: variables that begin with another value, then code. A phi has no
 * line of its own. */
static void find_data(Joint *j, Blame *b)
{
    const Versions *v = j->versions;
    const IrProgram *p = v->program[VERSIONS_NEW];
    const char *entry = j->options.entry[VERSIONS_NEW];
    BitSet fns = {0}, globals = {0}, changed = {0};
    ir_fn_reachable(p, ir_fn_find(p, entry ? entry : "main"), &fns, &globals);
    for (uint32_t i = 0; i < v->globals.n; i++) {
        uint32_t g = v->globals.v[i].global[VERSIONS_NEW];
        if (g == IR_NONE || v->globals.v[i].identical || !bitset_has(&globals, g))
            continue;
        bitset_add(&changed, g);
        add_data(j, b, p->globals.v[g].site,
                 arena_printf(j->arena, "%s begins with another value", ir_text(p, p->globals.v[g].name)));
    }
    for (uint32_t i = 0; i < v->changed[VERSIONS_NEW].n; i++) {
        FlowSite at = v->changed[VERSIONS_NEW].v[i];
        const IrFn *fn = &p->fns.v[at.fn];
        const IrInsn *insn = &fn->blocks.v[at.block].insns.v[at.insn];
        if (bitset_has(&fns, at.fn) && insn->op != IR_PHI && !names_one(fn, insn, &changed))
            add_data(j, b, insn->site, "its code changed");
    }
    bitset_free(&fns);
    bitset_free(&globals);
    bitset_free(&changed);
}

void joint_blame(Joint *j, const ExprInput *test, bool by_path, Blame *out)
{
    U32Vec order = {0};
    ExprVec query = {0};
    BitSet seen = {0};
    *out = (Blame){0};
    j->work->until = clock_seconds() + j->options.explore.max_time;
    out->differs = !agree(j, test, &out->test);
    VmTrace *old = joint_run(j, VERSIONS_OLD, test), *new = joint_run(j, VERSIONS_NEW, test);
    find_order(j, old, by_path, &order);
    for (uint32_t i = 0; i < order.n; i++)
        if (!expr_is_true(old->decisions.v[order.v[i]].holds) &&
            bitset_add(&seen, old->decisions.v[order.v[i]].holds.id))
            vec_push(&query, old->decisions.v[order.v[i]].holds);
    find_order(j, new, by_path, &order);
    for (uint32_t i = 0; i < order.n; i++) {
        const VmDecision *d = &new->decisions.v[order.v[i]];
        if (expr_is_true(d->holds) || !bitset_add(&seen, d->holds.id))
            continue;
        out->conditions++;
        blame_at(j, out, d, i, &query);
        vec_push(&query, d->holds);
    }
    find_data(j, out);
    if (out->lines.n)
        qsort(out->lines.v, out->lines.n, sizeof *out->lines.v, by_rank);
    vm_trace_free(j->vm[VERSIONS_OLD], old);
    vm_trace_free(j->vm[VERSIONS_NEW], new);
    vec_free(&order);
    vec_free(&query);
    bitset_free(&seen);
}

void joint_blame_free(Blame *b)
{
    for (uint32_t i = 0; i < b->lines.n; i++)
        expr_input_free(&b->lines.v[i].input);
    vec_free(&b->lines);
    vec_free(&b->data);
    joint_row_free(&b->test);
}
