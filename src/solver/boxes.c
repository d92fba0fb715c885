/* boxes.c - constraints that exclude a box: not all of several conditions, most of them over one byte each.
 *
 * Classes of inputs that are known to fail are such. Each is a set of values for some symbols; what is asked
 * for is a point that lies in none. A box that holds the candidate is left by one of its sides, the others
 * are tried when that fails: exact where all constraints are boxes or conditions over one byte. Members of a
 * box over several symbols stay open: a box is left by them only if the candidate happens to, and nothing is
 * refuted then. */
#include "solver/bytes.h"

enum {
    KEPT = 1 << 15, /* sides, open members */
    SYMBOLS = 4096,
    LOOKS = 50000, /* at sides, for a group */
    DEPTH = 1000,
    LEAVES = 4 /* candidates outside of all boxes that something else refuses */
};

typedef struct Side {
    uint32_t at; /* position of the symbol */
    Values within;
} Side;

typedef struct Box {
    uint32_t first, n;           /* sides */
    uint32_t first_open, n_open; /* members over several symbols */
} Box;

struct Boxes {
    Map box_of; /* constraint id to its number */
    Vec(Box) all;
    Vec(Side) sides;
    ExprVec open, members;
    U32Vec place;        /* by position: index of the symbol in the group at hand */
    Vec(Values) domains; /* by index */
};

Boxes *boxes_new(void) { return mem_zalloc(sizeof(Boxes)); }

void boxes_clear(Boxes *b)
{
    map_clear(&b->box_of);
    vec_clear(&b->all);
    vec_clear(&b->sides);
    vec_clear(&b->open);
}

void boxes_free(Boxes *b)
{
    if (!b)
        return;
    map_free(&b->box_of);
    vec_free(&b->all);
    vec_free(&b->sides);
    vec_free(&b->open);
    vec_free(&b->members);
    vec_free(&b->place);
    vec_free(&b->domains);
    mem_free(b);
}

/* ---- boxes of constraints -------------------------------------------------------------------- */

static bool is_box(const ExprPool *p, Expr c)
{
    return expr_op(p, c) == EXPR_NOT && expr_op(p, expr_child(p, c, 0)) == EXPR_AND;
}

static void add_side(Boxes *b, Box *box, uint32_t at, const Values *within)
{
    for (uint32_t i = box->first; i < b->sides.n; i++)
        if (b->sides.v[i].at == at) {
            values_meet(&b->sides.v[i].within, within);
            return;
        }
    vec_push(&b->sides, ((Side){at, *within}));
    box->n++;
}

static Box make_box(Solver *s, Expr c)
{
    Boxes *b = s->boxes;
    Box box = {.first = b->sides.n, .first_open = b->open.n};
    vec_clear(&b->members);
    expr_split(s->pool, expr_child(s->pool, c, 0), &b->members);
    for (uint32_t i = 0; i < b->members.n; i++) {
        uint32_t at;
        Values within;
        if (bytes_table(s, b->members.v[i], &at, &within)) {
            add_side(b, &box, at, &within);
        } else {
            vec_push(&b->open, b->members.v[i]);
            box.n_open++;
        }
    }
    return box;
}

static uint32_t box_of(Solver *s, Expr c)
{
    Boxes *b = s->boxes;
    uint64_t at;
    if (map_get(&b->box_of, c.id, &at))
        return (uint32_t)at;
    Box box = make_box(s, c);
    vec_push(&b->all, box);
    map_put(&b->box_of, c.id, b->all.n - 1);
    return b->all.n - 1;
}

/* ---- the search ------------------------------------------------------------------------------ */

/* A box of the group that is not left yet. */
typedef struct Active {
    uint32_t box, constraint; /* its number; that of its constraint in the group */
    uint32_t ways;            /* sides by which it may be left */
    bool open;                /* a member that nothing is known of may exclude it */
} Active;

typedef struct Undo {
    uint32_t index;
    Values domain;
} Undo;

typedef struct Search {
    Solver *s;
    const Group *g;
    Budget *budget;
    Vec(Active) active; /* those of the levels above, then of this one */
    Vec(Undo) trail;
    BitSet used; /* constraints that refuted something */
    bool exact;  /* no candidate was refused for want of knowledge */
    uint32_t looks, leaves, depth;
    bool given_up;
    ExprInput *model;
} Search;

typedef enum Lies { OUTSIDE, PARTLY, WITHIN } Lies;

static Values *domain_of(const Search *x, const Side *side)
{
    const Boxes *b = x->s->boxes;
    return &b->domains.v[b->place.v[side->at]];
}

static Lies lies(const Values *domain, const Values *box)
{
    uint64_t in = 0, out = 0;
    for (int i = 0; i < 4; i++) {
        in |= domain->w[i] & box->w[i];
        out |= domain->w[i] & ~box->w[i];
    }
    return !in ? OUTSIDE : out ? PARTLY : WITHIN;
}

/* The value that the candidate has there. */
static unsigned value_at(const Search *x, const Side *side)
{
    unsigned hinted = (unsigned)expr_input_get(x->s->pool, &x->s->hint, expr_symbol_of(x->s->pool, side->at));
    return values_nearest(domain_of(x, side), hinted);
}

static bool holds_candidate(const Search *x, const Box *box)
{
    for (uint32_t i = box->first; i < box->first + box->n; i++)
        if (!values_has(&x->s->boxes->sides.v[i].within, value_at(x, &x->s->boxes->sides.v[i])))
            return false;
    return true;
}

/* By how many sides may it be left? UINT32_MAX: nothing that is left lies in it. */
static uint32_t ways_out(Search *x, const Box *box)
{
    uint32_t ways = 0;
    for (uint32_t i = box->first; i < box->first + box->n; i++) {
        const Side *side = &x->s->boxes->sides.v[i];
        x->looks++;
        Lies where = lies(domain_of(x, side), &side->within);
        if (where == OUTSIDE)
            return UINT32_MAX;
        ways += where == PARTLY;
    }
    return ways;
}

/* Takes what lies within the side away; false if nothing is left. */
static bool take_away(Search *x, const Side *side)
{
    Values *domain = domain_of(x, side);
    vec_push(&x->trail, ((Undo){x->s->boxes->place.v[side->at], *domain}));
    for (int k = 0; k < 4; k++)
        domain->w[k] &= ~side->within.w[k];
    return !values_empty(domain);
}

static void undo(Search *x, uint32_t to)
{
    while (x->trail.n > to) {
        Undo last = vec_pop(&x->trail);
        x->s->boxes->domains.v[last.index] = last.domain;
    }
}

/* There is but one way. */
static void leave_by_force(Search *x, const Active *active)
{
    const Box *box = &x->s->boxes->all.v[active->box];
    const Side *side = &x->s->boxes->sides.v[box->first];
    while (lies(domain_of(x, side), &side->within) != PARTLY)
        side++;
    bitset_add(&x->used, active->constraint);
    take_away(x, side);
}

/* Drops the boxes from `from` on that nothing lies in any more, and leaves those with one way to; again while
 * that changes something. False if one cannot be left. */
static bool narrow(Search *x, uint32_t from)
{
    for (bool changed = true; changed && x->looks <= LOOKS;) {
        uint32_t kept = from;
        changed = false;
        for (uint32_t i = from; i < x->active.n; i++) {
            Active active = x->active.v[i];
            active.ways = ways_out(x, &x->s->boxes->all.v[active.box]);
            if (!active.ways && !active.open) {
                bitset_add(&x->used, active.constraint);
                return false;
            }
            bool forced = active.ways == 1 && !active.open;
            changed = changed || forced;
            if (!active.ways)
                x->exact = false;
            else if (forced)
                leave_by_force(x, &active);
            else if (active.ways != UINT32_MAX)
                x->active.v[kept++] = active;
        }
        x->active.n = kept;
    }
    return true;
}

/* The box with the candidate in it that has the fewest ways out; UINT32_MAX: it lies in none. */
static uint32_t pick(const Search *x, uint32_t from)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = from; i < x->active.n; i++)
        if ((best == UINT32_MAX || x->active.v[i].ways < x->active.v[best].ways) &&
            holds_candidate(x, &x->s->boxes->all.v[x->active.v[i].box]))
            best = i;
    return best;
}

static bool leaf(Search *x)
{
    const Group *g = x->g;
    for (uint32_t i = 0; i < g->n_symbols; i++) {
        Expr symbol = expr_symbol_of(x->s->pool, g->symbols[i]);
        if (expr_width(x->s->pool, symbol) > 8)
            continue;
        unsigned hinted = (unsigned)expr_input_get(x->s->pool, &x->s->hint, symbol);
        expr_input_set(x->s->pool, x->model, symbol, values_nearest(&x->s->boxes->domains.v[i], hinted));
    }
    if (group_holds(x->s, g, x->model))
        return true;
    x->exact = false;
    x->given_up = ++x->leaves >= LEAVES;
    return false;
}

static bool search(Search *x, uint32_t from);

/* Leaves the box by each of its sides, within those that failed. The last first: what was decided late is
 * changed with the least consequences. */
static bool leave(Search *x, Active active, uint32_t below)
{
    Box box = x->s->boxes->all.v[active.box];
    bool found = false;
    x->exact = x->exact && !active.open;
    bitset_add(&x->used, active.constraint);
    for (uint32_t i = box.n; i-- > 0 && !found && !x->given_up;) {
        const Side *side = &x->s->boxes->sides.v[box.first + i];
        Values within = *domain_of(x, side);
        values_meet(&within, &side->within);
        found = take_away(x, side) && search(x, below);
        if (!found)
            *domain_of(x, side) = within;
    }
    return found;
}

/* Looks for a point outside of the boxes from `from` on; domains are as before if there is none. */
static bool search(Search *x, uint32_t from)
{
    uint32_t to = x->active.n, mark = x->trail.n;
    bool found = false;
    if (x->looks > LOOKS || x->depth >= DEPTH || budget_spent(x->budget)) {
        x->given_up = true;
        return false;
    }
    x->depth++;
    for (uint32_t i = from; i < to; i++)
        vec_push(&x->active, x->active.v[i]);
    if (narrow(x, to)) {
        uint32_t best = pick(x, to);
        found = best == UINT32_MAX ? leaf(x) : leave(x, x->active.v[best], to);
    }
    if (!found)
        undo(x, mark);
    x->active.n = to;
    x->depth--;
    return found;
}

/* ---- the layer ------------------------------------------------------------------------------- */

static bool has_constraint(const Group *g, Expr c)
{
    uint32_t low = 0, high = g->n;
    while (low + 1 < high) {
        uint32_t middle = (low + high) / 2;
        *(g->c[middle].id <= c.id ? &low : &high) = middle;
    }
    return expr_same(g->c[low], c);
}

/* Does a constraint exclude the box by itself? *open: there are members that no constraint speaks of. */
static bool is_excluded(Search *x, const Box *box, bool *open)
{
    for (uint32_t i = box->first_open; i < box->first_open + box->n_open; i++) {
        Expr member = x->s->boxes->open.v[i];
        if (has_constraint(x->g, expr_not(x->s->pool, member)))
            return true;
        *open = *open || !has_constraint(x->g, member);
    }
    return false;
}

/* Gathers the boxes of the group; false if there are none. */
static bool gather(Search *x)
{
    Boxes *b = x->s->boxes;
    for (uint32_t i = 0; i < x->g->n; i++) {
        Expr c = x->g->c[i];
        uint32_t at;
        Values values;
        if (!is_box(x->s->pool, c) || bytes_table(x->s, c, &at, &values))
            continue;
        Active active = {.box = box_of(x->s, c), .constraint = i};
        if (!is_excluded(x, &b->all.v[active.box], &active.open))
            vec_push(&x->active, active);
    }
    return x->active.n;
}

static void take_domains(Search *x)
{
    Boxes *b = x->s->boxes;
    const Group *g = x->g;
    vec_clear(&b->domains);
    for (uint32_t i = 0; i < g->n_symbols; i++) {
        unsigned width = expr_width(x->s->pool, expr_symbol_of(x->s->pool, g->symbols[i]));
        Values domain = *bytes_domain(x->s, g, i);
        for (unsigned k = 0, values = 1u << (width < 8 ? width : 8); k < 4; k++)
            domain.w[k] &= values <= 64 * k ? 0 : bits_mask64(values - 64 * k);
        vec_push(&b->domains, domain);
        while (b->place.n <= g->symbols[i])
            vec_push(&b->place, 0);
        b->place.v[g->symbols[i]] = i;
    }
}

/* The boxes that refuted something, what is said of their symbols alone, and what settles their open
 * members. */
static void core_of(Search *x, GroupAnswer *a)
{
    Boxes *b = x->s->boxes;
    BitSet symbols = {0};
    Map settled = {0};
    for (uint32_t i = bitset_next(&x->used, 0); i != UINT32_MAX; i = bitset_next(&x->used, i + 1)) {
        const Box *box = &b->all.v[box_of(x->s, x->g->c[i])];
        for (uint32_t k = box->first; k < box->first + box->n; k++)
            bitset_add(&symbols, b->sides.v[k].at);
        for (uint32_t k = box->first_open; k < box->first_open + box->n_open; k++)
            map_put(&settled, b->open.v[k].id, 1);
    }
    for (uint32_t i = 0; i < x->g->n; i++) {
        Expr c = x->g->c[i];
        uint32_t at;
        Values values;
        bool byte = bytes_table(x->s, c, &at, &values) && bitset_has(&symbols, at);
        if (byte || bitset_has(&x->used, i) || map_get(&settled, c.id, NULL))
            vec_push(&a->core, c);
    }
    bitset_free(&symbols);
    map_free(&settled);
}

bool layer_boxes(Solver *s, const Group *g, Budget *budget, GroupAnswer *a)
{
    Search x = {.s = s, .g = g, .budget = budget, .exact = true, .model = &a->model};
    if (g->n_symbols > SYMBOLS || !bytes_domain(s, g, 0))
        return false;
    if (s->boxes->sides.n > KEPT || s->boxes->open.n > KEPT)
        boxes_clear(s->boxes);
    take_domains(&x);
    bool decided = false;
    if (gather(&x)) {
        bool found = search(&x, 0);
        decided = found || (x.exact && !x.given_up);
        a->status = found ? SOLVER_SAT : SOLVER_UNSAT;
        if (decided && !found)
            core_of(&x, a);
    }
    if (!decided)
        expr_input_copy(&a->model, &s->hint);
    s->counter[SOLVER_LOOKS_COUNT] += x.looks;
    vec_free(&x.active);
    vec_free(&x.trail);
    bitset_free(&x.used);
    return decided;
}
