/* bytes.c - constraints over one symbol of at most 8 bits, as the set of values that satisfy them.
 *
 * The set of each constraint is computed once and kept. Their intersections decide groups that consist of
 * such constraints alone, and refute others exactly as far as single symbols go. */
#include "solver/bytes.h"

#include <stdlib.h>

enum {
    TABLES = 1 << 16,
    SYMBOLS = 4096,
    SIZE = 2000, /* nodes of a constraint that is worth 256 evaluations */
};

/* What is known of a constraint. */
enum { UNSEEN, NO_TABLE, FIRST_TABLE }; /* from FIRST_TABLE on: the number of its table */

typedef struct Table {
    uint32_t at; /* position of its symbol */
    Values values;
} Table;

struct Bytes {
    ExprEval *eval;
    ExprInput input;
    U32Vec known; /* by id of the constraint */
    Vec(Table) tables;
    Vec(Values) domains;  /* of the group at hand, by index of the symbol in it */
    const Group *group;   /* for which domains are */
    Vec(Values) supposed; /* what is left of a byte, by its position */
    U32Vec stamp;         /* by position: it counts if this is the epoch */
    uint32_t epoch;
};

static const Values everything = {{~0ull, ~0ull, ~0ull, ~0ull}};

Bytes *bytes_new(ExprPool *p)
{
    Bytes *b = mem_zalloc(sizeof *b);
    b->eval = expr_eval_new(p);
    return b;
}

uint64_t bytes_evaluated(const Bytes *b) { return expr_eval_steps(b->eval); }

void bytes_clear(Bytes *b)
{
    vec_clear(&b->known);
    vec_clear(&b->tables);
    b->group = NULL;
}

void bytes_leave_group(Bytes *b) { b->group = NULL; }

void bytes_free(Bytes *b)
{
    if (!b)
        return;
    expr_eval_free(b->eval);
    expr_input_free(&b->input);
    vec_free(&b->known);
    vec_free(&b->tables);
    vec_free(&b->domains);
    vec_free(&b->supposed);
    vec_free(&b->stamp);
    mem_free(b);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* The only symbol of a constraint that is worth a table: if it has just one, of at most 8 bits. */
static Expr only_symbol(const Solver *s, Expr c, uint32_t *at)
{
    ExprSet set = expr_symbols(s->pool, c);
    *at = expr_set_next(s->pool, set, 0);
    if (*at == UINT32_MAX || expr_set_next(s->pool, set, *at + 1) != UINT32_MAX)
        return EXPR_NONE;
    Expr symbol = expr_symbol_of(s->pool, *at);
    return expr_width(s->pool, symbol) <= 8 && expr_size(s->pool, c) <= SIZE ? symbol : EXPR_NONE;
}

static uint32_t known_of(const Bytes *b, Expr c) { return c.id < b->known.n ? b->known.v[c.id] : UNSEEN; }

static uint32_t note(Bytes *b, Expr c, uint32_t what)
{
    while (b->known.n <= c.id)
        vec_push(&b->known, UNSEEN);
    return b->known.v[c.id] = what;
}

static Values values_of(Solver *s, Expr c, Expr symbol)
{
    Bytes *b = s->bytes;
    Values v = {{0}};
    unsigned n = 1u << expr_width(s->pool, symbol);
    uint32_t opposite = expr_op(s->pool, c) == EXPR_NOT ? known_of(b, expr_child(s->pool, c, 0)) : UNSEEN;
    for (unsigned x = 0; x < n; x++) {
        bool holds;
        if (opposite >= FIRST_TABLE) {
            holds = !values_has(&b->tables.v[opposite - FIRST_TABLE].values, x);
        } else {
            expr_input_set(s->pool, &b->input, symbol, x);
            expr_eval_input(b->eval, &b->input);
            holds = expr_eval_true(b->eval, c);
        }
        v.w[x / 64] |= (uint64_t)holds << (x % 64);
    }
    return v;
}

/* Looks at a constraint for the first time. A function that was not evaluated for some value leaves no table:
 * it would be a set of values that is not known. */
static uint32_t look_at(Solver *s, Expr c)
{
    Bytes *b = s->bytes;
    Table table;
    Expr symbol = only_symbol(s, c, &table.at);
    if (expr_is_none(symbol))
        return note(b, c, NO_TABLE);
    uint64_t missed = expr_fn_missed(s->pool);
    table.values = values_of(s, c, symbol);
    if (expr_fn_missed(s->pool) != missed)
        return note(b, c, NO_TABLE);
    if (b->tables.n >= TABLES)
        bytes_clear(b);
    vec_push(&b->tables, table);
    return note(b, c, FIRST_TABLE + b->tables.n - 1);
}

bool bytes_table(Solver *s, Expr c, uint32_t *at, Values *values)
{
    uint32_t known = known_of(s->bytes, c);
    if (known == UNSEEN)
        known = look_at(s, c);
    if (known == NO_TABLE)
        return false;
    const Table *table = &s->bytes->tables.v[known - FIRST_TABLE];
    *at = table->at;
    *values = table->values;
    return true;
}

const Values *bytes_domain(const Solver *s, const Group *g, uint32_t i)
{
    return s->bytes->group == g ? &s->bytes->domains.v[i] : NULL;
}

/* ---- suppositions ---------------------------------------------------------------------------- */

static Values *supposed_of(Bytes *b, uint32_t at)
{
    while (b->stamp.n <= at) {
        vec_push(&b->stamp, 0);
        vec_push(&b->supposed, everything);
    }
    if (b->stamp.v[at] != b->epoch) {
        b->stamp.v[at] = b->epoch;
        b->supposed.v[at] = everything;
    }
    return &b->supposed.v[at];
}

void solver_suppose(Solver *s, const Expr *conditions, uint32_t n)
{
    uint32_t at;
    Values values;
    if (++s->bytes->epoch == 0) {
        vec_clear(&s->bytes->stamp);
        vec_clear(&s->bytes->supposed);
        s->bytes->epoch = 1;
    }
    for (uint32_t i = 0; i < n; i++)
        if (bytes_table(s, conditions[i], &at, &values))
            values_meet(supposed_of(s->bytes, at), &values);
}

bool solver_contradicts(Solver *s, Expr condition)
{
    uint32_t at;
    Values values;
    if (!bytes_table(s, condition, &at, &values))
        return false;
    values_meet(&values, supposed_of(s->bytes, at));
    return values_empty(&values);
}

/* ---- the layer ------------------------------------------------------------------------------- */

static uint32_t index_of(const Group *g, uint32_t at)
{
    uint32_t low = 0, high = g->n_symbols;
    while (low + 1 < high) {
        uint32_t middle = (low + high) / 2;
        *(g->symbols[middle] <= at ? &low : &high) = middle;
    }
    return low;
}

/* Constraints over this symbol alone whose sets have nothing in common; none of them can be left out. */
static void core_for(Solver *s, const Group *g, uint32_t at, GroupAnswer *a)
{
    ExprVec candidates = {0};
    Vec(Values) sets = {0}; /* of the candidates */
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t other;
        Values values;
        if (!bytes_table(s, g->c[i], &other, &values) || other != at)
            continue;
        vec_push(&candidates, g->c[i]);
        vec_push(&sets, values);
    }
    Values kept = everything; /* of those in the core so far */
    for (uint32_t i = 0; i < candidates.n; i++) {
        Values without = kept;
        for (uint32_t k = i + 1; k < candidates.n; k++)
            values_meet(&without, &sets.v[k]);
        if (values_empty(&without))
            continue;
        values_meet(&kept, &sets.v[i]);
        vec_push(&a->core, candidates.v[i]);
    }
    vec_free(&candidates);
    vec_free(&sets);
}

unsigned values_nearest(const Values *v, unsigned value)
{
    for (unsigned d = 0; d < 256; d++) {
        if (value + d < 256 && values_has(v, value + d))
            return value + d;
        if (value >= d && values_has(v, value - d))
            return value - d;
    }
    bug("no value is allowed");
}

bool bytes_allows(const Solver *s, const Group *g, uint32_t at, u128 value)
{
    return s->bytes->group != g || value > 255 ||
           values_has(&s->bytes->domains.v[index_of(g, at)], (unsigned)value);
}

u128 bytes_nearest(const Solver *s, const Group *g, uint32_t at, u128 value)
{
    if (s->bytes->group != g || value > 255)
        return value;
    return values_nearest(&s->bytes->domains.v[index_of(g, at)], (unsigned)value);
}

/* Fills the domains; false if one is empty, *empty then says which. *exact: all constraints took part. */
static bool fill_domains(Solver *s, const Group *g, bool *exact, uint32_t *empty)
{
    Bytes *b = s->bytes;
    vec_clear(&b->domains);
    for (uint32_t i = 0; i < g->n_symbols; i++)
        vec_push(&b->domains, everything);
    b->group = g;
    *exact = true;
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t at;
        Values values;
        bool narrows = bytes_table(s, g->c[i], &at, &values);
        b->group = g; /* that may have cleared it */
        if (!narrows) {
            *exact = false;
            continue;
        }
        Values *domain = &b->domains.v[index_of(g, at)];
        values_meet(domain, &values);
        if (values_empty(domain)) {
            *empty = at;
            return false;
        }
    }
    return true;
}

bool layer_bytes(Solver *s, const Group *g, Budget *budget, GroupAnswer *a)
{
    (void)budget;
    Bytes *b = s->bytes;
    bool exact;
    uint32_t empty;
    b->group = NULL;
    if (g->n_symbols > SYMBOLS)
        return false;
    if (!fill_domains(s, g, &exact, &empty)) {
        a->status = SOLVER_UNSAT;
        core_for(s, g, empty, a);
        b->group = NULL; /* the next layer, if this answer does not count, has nothing from an empty set */
        return true;
    }
    bool moved = false;
    for (uint32_t i = 0; i < g->n_symbols; i++) {
        Expr symbol = expr_symbol_of(s->pool, g->symbols[i]);
        if (expr_width(s->pool, symbol) > 8)
            continue;
        unsigned hinted = (unsigned)expr_input_get(s->pool, &s->hint, symbol);
        unsigned value = values_nearest(&b->domains.v[i], hinted);
        moved = moved || value != hinted;
        expr_input_set(s->pool, &a->model, symbol, value);
    }
    if (exact || (moved && group_holds(s, g, &a->model))) {
        a->status = SOLVER_SAT;
        return true;
    }
    expr_input_copy(&a->model, &s->hint);
    return false;
}
