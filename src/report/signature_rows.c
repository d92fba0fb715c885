/* signature_rows.c - the rows that are shown: conditions made readable, rows with the same output as one. */
#include "report/signature_int.h"

enum {
    TABLE_MOST = 1 << 16,     /* bytes of an array that is known by its name */
    SIMPLIFY_SECONDS = 5,     /* for all rows, beyond what the exploration took */
    ALTERNATIVES_MOST = 1024, /* of one row, of a graph of states */
    DOMAIN_MOST = 64          /* assumptions that are used when conditions are united */
};

/* ---- one condition ------------------------------------------------------------------------------------ */

/* What a row says of the pointers of the input, put in place of them everywhere else: p + i == 4711 becomes i
 * == 3. NULL if it says nothing. */
static ExprSubst *pointers_of(ExprPool *p, const ExprVec *condition)
{
    ExprSubst *s = NULL;
    for (uint32_t i = 0; i < condition->n; i++) {
        Expr c = condition->v[i], bytes[8];
        if (!expr_is_pointer_equality(p, c))
            continue;
        s = s ? s : expr_subst_new(p);
        for (uint32_t k = 0; k < 8; k++) {
            bytes[k] = expr_extract(p, expr_child(p, c, 0), 8 * k, 8);
            expr_subst_add(s, bytes[k], expr_extract(p, expr_child(p, c, 1), 8 * k, 8));
        }
    }
    return s;
}

/* What a row's condition says, for what it shows: its conjuncts are true, and terms that it compares with one
 * value have that; but a plain input keeps its name. Takes the pointers over. */
static ExprSubst *facts_of(ExprPool *p, const ExprVec *condition, ExprSubst *pointers)
{
    ExprSubst *s = pointers ? pointers : expr_subst_new(p);
    for (uint32_t i = 0; i < condition->n; i++) {
        Expr c = condition->v[i];
        bool negated = expr_op(p, c) == EXPR_NOT,
             equal = expr_op(p, c) == EXPR_EQ && expr_is_const(p, expr_child(p, c, 1));
        ExprOp op = equal ? expr_op(p, expr_child(p, c, 0)) : EXPR_CONST;
        if (equal && op != EXPR_SYMBOL && op != EXPR_CONCAT && op != EXPR_CONST)
            expr_subst_add(s, expr_child(p, c, 0), expr_child(p, c, 1));
        else if (!expr_is_pointer_equality(p, c) && op == EXPR_CONST)
            expr_subst_add(s, negated ? expr_child(p, c, 0) : c, negated ? EXPR_FALSE : EXPR_TRUE);
    }
    return s;
}

static ExprVec simple(Explore *x, const ExprVec *condition, const ExprVec *given, ExprSubst *pointers,
                      const ExplorePatience *patience)
{
    ExprVec out = {0}, known = {0};
    ExprPool *p = explore_pool(x);
    for (uint32_t i = 0; i < condition->n; i++) {
        Expr c = condition->v[i];
        vec_push(&known, pointers && !expr_is_pointer_equality(p, c) ? expr_subst_apply(pointers, c) : c);
    }
    explore_simplify(explore_solver(x), p, &known, given, patience, &out);
    vec_free(&known);
    return out;
}

/* ---- pointers to each other's objects ---------------------------------------------------------- */

static Expr own_and_no_alias(const ReportRows *r, Expr own)
{
    ExprPool *p = explore_pool(r->explore);
    Expr all = own;
    for (uint32_t k = 0; k < r->aliases.n; k++)
        if (expr_same(expr_child(p, r->aliases.v[k], 0), expr_child(p, own, 0)))
            all = expr_and(p, all, expr_not(p, r->aliases.v[k]));
    return all;
}

/* The same inside of a disjunction. */
static Expr with_alias_conditions(const ReportRows *r, Expr c)
{
    ExprPool *p = explore_pool(r->explore);
    U32Vec cone = {0};
    ExprSubst *s = NULL;
    expr_cone(p, &c, 1, &cone);
    for (uint32_t i = 0; i < cone.n; i++)
        if (expr_width(p, (Expr){cone.v[i]}) == 1 && expr_is_pointer_own(p, (Expr){cone.v[i]})) {
            s = s ? s : expr_subst_new(p);
            expr_subst_add(s, (Expr){cone.v[i]}, own_and_no_alias(r, (Expr){cone.v[i]}));
        }
    c = s ? expr_subst_apply(s, c) : c;
    if (s)
        expr_subst_free(s);
    vec_free(&cone);
    return c;
}

/* A pointer that leads to an object of its own in one row may lead to another's in the next: the condition
 * must distinguish them. */
static void add_alias_conditions(ReportRows *r, ExprVec *condition)
{
    ExprPool *p = explore_pool(r->explore);
    ExprVec out = {0};
    for (uint32_t i = 0; i < condition->n && r->aliases.n; i++) {
        Expr c = condition->v[i];
        bool own = expr_is_pointer_own(p, c);
        vec_push(&out, own ? c : with_alias_conditions(r, c));
        for (uint32_t k = 0; own && k < r->aliases.n; k++)
            if (expr_same(expr_child(p, r->aliases.v[k], 0), expr_child(p, c, 0)))
                vec_push(&out, expr_not(p, r->aliases.v[k]));
    }
    if (!r->aliases.n)
        return;
    vec_free(condition);
    *condition = out;
}

static void note_aliases(ReportRows *r, const ExprVec *condition)
{
    ExprPool *p = explore_pool(r->explore);
    for (uint32_t i = 0; i < condition->n; i++) {
        Expr c = condition->v[i];
        bool known = !expr_is_pointer_equality(p, c) || expr_is_pointer_own(p, c) ||
                     expr_is_value(p, expr_child(p, c, 1), 0);
        for (uint32_t k = 0; k < r->aliases.n && !known; k++)
            known = expr_same(r->aliases.v[k], c);
        if (!known)
            vec_push(&r->aliases, c);
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Arrays that are never written are known by their names. */
static void name_tables(ReportRows *r)
{
    ExprPool *p = explore_pool(r->explore);
    for (uint32_t i = 0; i < r->program->globals.n; i++) {
        const IrGlobal *g = &r->program->globals.v[i];
        const IrCType *t = g->ctype ? &r->program->ctypes.v[g->ctype] : NULL;
        if (!t || t->kind != IR_C_ARRAY || !g->constant || !g->bytes || g->relocs.n || g->size > TABLE_MOST)
            continue;
        const IrCType *of = &r->program->ctypes.v[t->of];
        size_t n;
        const char *name = vm_plain_name(ir_text(r->program, g->name), &n);
        if (of->kind == IR_C_RECORD || of->kind == IR_C_ARRAY || of->kind == IR_C_UNKNOWN || !of->size)
            continue;
        expr_table_add(p, (ExprTable){arena_strndup(r->signature->arena, name, n), g->bytes,
                                      (uint32_t)g->size, (unsigned)of->size, vm_c_kind(of->kind)});
    }
}

/* Of what several rows have in common. */
static ExprVec common_part(const ExprVec *const *conditions, uint32_t n)
{
    ExprVec out = {0};
    for (uint32_t i = 0; i < conditions[0]->n; i++) {
        bool everywhere = true;
        for (uint32_t k = 1; k < n && everywhere; k++) {
            everywhere = false;
            for (uint32_t m = 0; m < conditions[k]->n && !everywhere; m++)
                everywhere = expr_same(conditions[k]->v[m], conditions[0]->v[i]);
        }
        if (everywhere)
            vec_push(&out, conditions[0]->v[i]);
    }
    return out;
}

typedef struct Maker {
    ReportRows *r;
    Explore *x;
    ExprPool *p;
    ExplorePatience patience;
    ExprVec domain; /* what holds for the inputs that count: assumptions */
    ExploreUniter *uniter;
    bool graph; /* rows are of a graph of states */
} Maker;

/* Inputs that break an assumption do not count. Of many assumptions some are enough: the others only say
 * less. */
static void find_domain(Maker *m, const Signature *s)
{
    for (uint32_t i = 0; i < s->given.n; i++)
        vec_push(&m->domain, s->given.v[i]);
    for (uint32_t i = 0; i < s->failures.n && m->domain.n < DOMAIN_MOST; i++)
        if (s->failures.v[i].end.ending == VM_END_ASSUMPTION)
            vec_push(&m->domain, expr_not(m->p, expr_and_all(m->p, s->failures.v[i].condition.v,
                                                             s->failures.v[i].condition.n)));
}

/* The condition of one row, simplified. */
static ExprVec simple_row(Maker *m, const ExprVec *condition, bool assumption)
{
    ExprSubst *pointers = pointers_of(m->p, condition);
    ExprVec out =
        simple(m->x, condition, assumption ? NULL : &m->r->signature->given, pointers, &m->patience);
    note_aliases(m->r, condition);
    if (pointers)
        expr_subst_free(pointers);
    return out;
}

/* Rows of a graph of states have one condition each, which shares its parts. */
static void add_alternatives(const Maker *m, const ExprVec *condition, ExploreAlternatives *out)
{
    ExprVec copy = {0};
    if (m->graph) {
        explore_alternatives(m->p, expr_and_all(m->p, condition->v, condition->n), ALTERNATIVES_MOST, out);
        return;
    }
    for (uint32_t i = 0; i < condition->n; i++)
        vec_push(&copy, condition->v[i]);
    vec_push(out, copy);
}

/* What stands for several rows: those have these conditions. Takes `of` over. */
static ReportRow united(Maker *m, const ExprVec *const *conditions, U32Vec of, uint32_t shown,
                        bool assumption)
{
    ReportRow row = {.shown = shown, .of = of};
    ExploreAlternatives simple = {0}, all = {0};
    Vec(const ExprVec *) parts = {0};
    for (uint32_t i = 0; i < of.n; i++)
        add_alternatives(m, conditions[i], &all);
    for (uint32_t i = 0; i < all.n; i++)
        vec_push(&simple, simple_row(m, &all.v[i], assumption));
    for (uint32_t i = 0; i < all.n; i++)
        vec_push(&parts, &simple.v[i]);
    ExprVec common = common_part(conditions, of.n);
    row.facts = facts_of(m->p, &common, pointers_of(m->p, &common));
    if (simple.n == 1 && !m->graph)
        row.condition = simple.v[0];
    else
        explore_unite(m->uniter, parts.v, simple.n, &row.condition);
    for (uint32_t i = 0; i < simple.n; i++) {
        if (simple.n > 1 || m->graph)
            vec_free(&simple.v[i]);
        vec_free(&all.v[i]);
    }
    vec_free(&all);
    vec_free(&simple);
    vec_free(&parts);
    vec_free(&common);
    return row;
}

static void make_row(Maker *m, U32Vec of, uint32_t shown)
{
    Vec(const ExprVec *) conditions = {0};
    for (uint32_t i = 0; i < of.n; i++)
        vec_push(&conditions, &m->r->signature->rows.v[of.v[i]].condition);
    vec_push(&m->r->rows, united(m, conditions.v, of, shown, false));
    vec_free(&conditions);
}

static void make_rows(Maker *m, bool all)
{
    const Signature *s = m->r->signature;
    SignatureGroups groups = {0};
    if (!all)
        explore_groups(explore_solver(m->x), m->p, s, &m->patience, &groups);
    for (uint32_t i = 0; i < groups.n; i++) {
        make_row(m, groups.v[i].rows, groups.v[i].shown);
        groups.v[i].rows = (U32Vec){0};
    }
    explore_groups_free(&groups);
    for (uint32_t i = 0; i < s->rows.n && all; i++) {
        U32Vec of = {0};
        vec_push(&of, i);
        make_row(m, of, i);
    }
}

static bool fail_alike(const SignatureEnd *a, const SignatureEnd *b)
{
    bool fault = a->ending == VM_END_FAULT;
    return a->ending == b->ending && a->site == b->site && a->fn == b->fn &&
           (fault ? a->fault == b->fault && !strcmp(a->need, b->need) : !strcmp(a->message, b->message));
}

/* Violated assumptions are not listed, and stay as they are. */
static void make_failures(Maker *m, bool all)
{
    const Signature *s = m->r->signature;
    BitSet done = {0};
    for (uint32_t i = 0; i < s->failures.n; i++) {
        bool assumption = s->failures.v[i].end.ending == VM_END_ASSUMPTION;
        U32Vec of = {0};
        Vec(const ExprVec *) conditions = {0};
        for (uint32_t k = i; k < s->failures.n && !bitset_has(&done, i); k++)
            if (k == i || (!all && !assumption && !bitset_has(&done, k) &&
                           fail_alike(&s->failures.v[i].end, &s->failures.v[k].end))) {
                vec_push(&of, k);
                vec_push(&conditions, &s->failures.v[k].condition);
            }
        for (uint32_t k = 0; k < of.n; k++)
            bitset_add(&done, of.v[k]);
        if (of.n)
            vec_push(&m->r->failures, united(m, conditions.v, of, i, assumption));
        vec_free(&conditions);
    }
    bitset_free(&done);
}

void report_rows_init(ReportRows *r, Explore *x, bool all)
{
    const Signature *s = explore_signature(x);
    *r = (ReportRows){.explore = x,
                      .program = explore_program(x),
                      .signature = s,
                      .objects = expr_object_count(explore_pool(x))};
    name_tables(r);
    Maker m = {.r = r,
               .x = x,
               .p = explore_pool(x),
               .graph = s->graph,
               .patience = {.seconds = 1,
                            .bytes = (size_t)1 << 30,
                            .stop = explore_stop(x),
                            .deadline = clock_seconds() + SIMPLIFY_SECONDS + explore_seconds(x)}};
    find_domain(&m, s);
    m.uniter = explore_uniter_new(explore_solver(x), m.p, &m.domain, &m.patience);
    for (uint32_t i = 0; i < s->rows.n; i += 1 + s->rows.n / EXPLORE_SAMPLES)
        explore_uniter_sample(m.uniter, &s->rows.v[i].input);
    r->given = simple(x, &s->given, NULL, NULL, &m.patience);
    make_rows(&m, all);
    make_failures(&m, all);
    for (uint32_t i = 0; i < r->rows.n; i++)
        add_alias_conditions(r, &r->rows.v[i].condition);
    for (uint32_t i = 0; i < r->failures.n; i++)
        add_alias_conditions(r, &r->failures.v[i].condition);
    explore_uniter_free(m.uniter);
    vec_free(&m.domain);
}

static void row_free(ReportRow *row)
{
    vec_free(&row->condition);
    vec_free(&row->of);
    expr_subst_free(row->facts);
}

void report_rows_free(ReportRows *r)
{
    for (uint32_t i = 0; i < r->rows.n; i++)
        row_free(&r->rows.v[i]);
    for (uint32_t i = 0; i < r->failures.n; i++)
        row_free(&r->failures.v[i]);
    vec_free(&r->rows);
    vec_free(&r->failures);
    vec_free(&r->aliases);
    vec_free(&r->given);
}
