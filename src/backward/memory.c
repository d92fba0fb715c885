/* memory.c - memories as chains of events, and what is read from them.
 *
 * A read walks the chain from the last event to the first. A store at the same address answers it, one that
 * is provably apart is passed by, and any other makes a case distinction. What comes out at the start of the
 * chain is a term ld_n(address, M), that is rewritten when the condition in which it stands is moved over
 * another segment.
 *
 * Checks of accesses (bad) work in the same way: while the object is not known they are terms, too. */
#include "backward/backward_int.h"

enum { DEPTH_MOST = 4000 }; /* case distinctions below each other in one read */

/* ---- nodes ----------------------------------------------------------------------------------- */

uint32_t bw_mem_add(Backward *bw, BwMemNode n)
{
    uint64_t key = hash_mix(hash_mix(hash_mix(n.kind, n.below), hash_mix(n.other, n.id)),
                            hash_mix(n.set, n.bytes * 2u + n.aligned)),
             id;
    key = hash_mix(hash_mix(key, n.a.id), hash_mix(n.b.id, n.c.id));
    if (map_get(&bw->mem_ids, key, &id))
        return (uint32_t)id;
    n.start = n.kind == BW_MEM_START ? n.id : bw->mems.v[n.below].start;
    if (n.kind != BW_MEM_START)
        n.deaths = n.kind == BW_MEM_DEAD || n.kind == BW_MEM_HAVOC || bw->mems.v[n.below].deaths ||
                   (n.kind == BW_MEM_JOIN && bw->mems.v[n.other].deaths);
    vec_push(&bw->mems, n);
    map_put(&bw->mem_ids, key, bw->mems.n - 1);
    return bw->mems.n - 1;
}

uint32_t bw_mem_join(Backward *bw, Expr condition, uint32_t yes, uint32_t no)
{
    if (yes == no || expr_is_true(condition))
        return yes;
    if (expr_is_false(condition))
        return no;
    return bw_mem_add(bw, (BwMemNode){.kind = BW_MEM_JOIN, .below = yes, .other = no, .a = condition});
}

/* ---- terms ----------------------------------------------------------------------------------- */

/* Applications are for this module only: they are replaced before the solver sees them, and evaluated on real
 * states alone. */
static BwTerm *kind_of(Backward *bw, char kind, unsigned bytes)
{
    static const char checks[] = "rwfdn";
    BwTerm *t = &bw->terms[kind == 'l' ? bytes : 17 + (uint32_t)(strchr(checks, kind) - checks)];
    *t = (BwTerm){bw, kind, (uint8_t)bytes};
    return t;
}

Expr bw_load(Backward *bw, Expr address, unsigned bytes, bool aligned, Expr memory)
{
    char name[16];
    snprintf(name, sizeof name, "%s%u", aligned || bytes == 1 ? "ld" : "lu", bytes);
    return expr_apply(bw->pool, expr_fn(bw->pool, name, 8 * bytes, bw_term_value, kind_of(bw, 'l', bytes)),
                      (Expr[]){address, memory}, 2);
}

static const char *application(const Backward *bw, Expr e)
{
    return expr_op(bw->pool, e) == EXPR_APPLY ? expr_fn_name(bw->pool, expr_apply_fn(bw->pool, e)) : "";
}

bool bw_is_load(const Backward *bw, Expr e, unsigned *bytes, bool *aligned)
{
    const char *name = application(bw, e);
    if (name[0] != 'l' || (name[1] != 'd' && name[1] != 'u') || name[2] < '1' || name[2] > '9')
        return false;
    *bytes = expr_width(bw->pool, e) / 8;
    *aligned = name[1] == 'd';
    return true;
}

bool bw_is_pending(const Backward *bw, Expr e)
{
    unsigned bytes;
    bool aligned;
    return text_starts_with(application(bw, e), "bad:") || bw_is_load(bw, e, &bytes, &aligned) ||
           bw_is_strlen(bw, e);
}

/* A multiple of n, a power of two, as far as its form shows. */
static bool is_multiple(const ExprPool *p, Expr e, uint64_t n, unsigned depth)
{
    if (expr_is_const(p, e))
        return !(expr_const_value(p, e) & (n - 1));
    if (!depth)
        return false;
    switch (expr_op(p, e)) {
    case EXPR_ADD:
        return is_multiple(p, expr_child(p, e, 0), n, depth - 1) &&
               is_multiple(p, expr_child(p, e, 1), n, depth - 1);
    case EXPR_MUL:
        return is_multiple(p, expr_child(p, e, 0), n, depth - 1) ||
               is_multiple(p, expr_child(p, e, 1), n, depth - 1);
    case EXPR_ITE:
        return is_multiple(p, expr_child(p, e, 1), n, depth - 1) &&
               is_multiple(p, expr_child(p, e, 2), n, depth - 1);
    case EXPR_SHL:
        return expr_is_const(p, expr_child(p, e, 1)) && expr_const_value(p, expr_child(p, e, 1)) < 64 &&
               UINT64_C(1) << (uint64_t)expr_const_value(p, expr_child(p, e, 1)) >= n;
    case EXPR_CONCAT:
        return expr_width(p, expr_child(p, e, 1)) < 64 &&
               UINT64_C(1) << expr_width(p, expr_child(p, e, 1)) >= n &&
               is_multiple(p, expr_child(p, e, 1), n, depth - 1);
    default: return false;
    }
}

bool bw_is_aligned(Backward *bw, Expr address, unsigned bytes, bool promised)
{
    if (bytes & (bytes - 1))
        return false;
    return bytes == 1 || is_multiple(bw->pool, address, bytes, 16) ||
           (promised && bw_object_in(bw, address) == IR_NONE);
}

/* ---- aliasing -------------------------------------------------------------------------------- */

typedef enum Relation { REL_APART, REL_AT, REL_MAYBE } Relation;

static bool lists_meet(FlowList a, FlowList b)
{
    for (uint32_t i = 0, k = 0; i < a.n && k < b.n;) {
        if (a.v[i] == b.v[k])
            return true;
        if (a.v[i] < b.v[k])
            i++;
        else
            k++;
    }
    return false;
}

static bool may_point(Backward *bw, Expr address, uint32_t object)
{
    FlowList list;
    uint32_t flow = bw->objects.v[object].flow;
    if (flow == FLOW_OBJECT_ANY || !bw_pointees(bw, address, &list))
        return true;
    return lists_meet(list, (FlowList){&flow, 1});
}

/* May the address lead to one of these? */
static bool may_meet(Backward *bw, Expr address, FlowList objects)
{
    FlowList list;
    return !bw_pointees(bw, address, &list) || lists_meet(list, objects);
}

/* n bytes at a, and m bytes at b. AT: a is `*diff` bytes behind b. */
static Relation relate(Backward *bw, Expr a, uint64_t n, Expr b, uint64_t m, int64_t *diff)
{
    Expr d = expr_sub(bw->pool, a, b);
    FlowList x, y;
    if (expr_is_const(bw->pool, d)) {
        *diff = (int64_t)expr_const_value(bw->pool, d);
        return *diff >= (int64_t)m || -*diff >= (int64_t)n ? REL_APART : REL_AT;
    }
    uint32_t of_a = bw_object_of(bw, a), of_b = bw_object_of(bw, b);
    if (bw->require && bw->current == bw->start && bw_entry_apart(bw, a, n, b, m))
        return REL_APART;
    if (bw->options.rules_off & BACKWARD_OFF_ALIAS)
        return REL_APART;
    if (of_a != IR_NONE && of_b != IR_NONE)
        return of_a == of_b ? REL_MAYBE : REL_APART;
    if (of_a != IR_NONE || of_b != IR_NONE)
        return may_point(bw, of_a == IR_NONE ? a : b, of_a == IR_NONE ? of_b : of_a) ? REL_MAYBE : REL_APART;
    return bw_pointees(bw, a, &x) && bw_pointees(bw, b, &y) && !lists_meet(x, y) ? REL_APART : REL_MAYBE;
}

/* Does a havocked set hold the object (its contents, or its state) at this address? Unknown objects count. */
static bool havoc_holds(Backward *bw, uint32_t set, Expr address, uint32_t object, bool state)
{
    FlowList held = bw->havocs.v[set], list;
    uint32_t flow = object == IR_NONE ? FLOW_OBJECT_ANY : bw->objects.v[object].flow;
    for (uint32_t i = 0; i < held.n; i++) {
        uint32_t contents = held.v[i] & ~1u;
        if (contents == FLOW_OBJECT_ANY)
            return true;
        if (flow_is_state(held.v[i]) != state)
            continue;
        if (object != IR_NONE
                ? flow == contents
                : !bw_pointees(bw, address, &list) || lists_meet(list, (FlowList){&contents, 1}))
            return true;
    }
    return false;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct Reader {
    Backward *bw;
    unsigned depth;
} Reader;

static Expr read_at(Reader *r, uint32_t mem, Expr a, unsigned n, bool aligned);

static Expr bytewise(Reader *r, uint32_t mem, Expr a, unsigned n)
{
    Expr bytes[16];
    for (unsigned i = 0; i < n; i++)
        bytes[i] = read_at(r, mem, expr_add(r->bw->pool, a, bw_const(r->bw, i)), 1, true);
    return expr_concat_bytes(r->bw->pool, bytes, n);
}

/* The byte at a symbolic distance within a stored value. */
static Expr byte_at(Backward *bw, Expr value, Expr distance)
{
    ExprPool *p = bw->pool;
    unsigned width = expr_width(p, value);
    if (width == 8)
        return value;
    Expr shift = expr_shl(p, distance, bw_const(bw, 3));
    shift = width >= 64 ? expr_zext(p, shift, width) : expr_trunc(p, shift, width);
    return expr_trunc(p, expr_lshr(p, value, shift), 8);
}

static Expr read_store(Reader *r, const BwMemNode *s, Expr a, unsigned n, bool aligned, int64_t diff,
                       Relation rel)
{
    ExprPool *p = r->bw->pool;
    if (rel == REL_AT && diff >= 0 && diff + n <= s->bytes)
        return expr_extract(p, s->b, (unsigned)diff * 8, n * 8);
    if (rel == REL_MAYBE && n == s->bytes && aligned && s->aligned)
        return expr_ite(p, expr_eq(p, a, s->a), s->b, read_at(r, s->below, a, n, aligned));
    if (rel == REL_MAYBE && n == 1) {
        Expr distance = expr_sub(p, a, s->a);
        return expr_ite(p, expr_ult(p, distance, bw_const(r->bw, s->bytes)), byte_at(r->bw, s->b, distance),
                        read_at(r, s->below, a, 1, true));
    }
    return EXPR_NONE;
}

/* A fill or copy: the part of it in which the access lies, if that is one. */
static Expr read_block(Reader *r, const BwMemNode *s, Expr a, unsigned n, bool aligned)
{
    ExprPool *p = r->bw->pool;
    Expr distance = expr_sub(p, a, s->a);
    Expr inside = n == 1 ? expr_ult(p, distance, s->c)
                         : expr_and(p, expr_ule(p, bw_const(r->bw, n), s->c),
                                    expr_ule(p, distance, expr_sub(p, s->c, bw_const(r->bw, n))));
    if (n > 1 && !expr_is_const(p, inside))
        return EXPR_NONE;
    if (n > 1 && expr_is_false(inside)) { /* not inside; outside altogether? */
        Expr meets =
            expr_or(p, expr_ult(p, distance, s->c), expr_ult(p, expr_sub(p, s->a, a), bw_const(r->bw, n)));
        return expr_is_false(meets) || expr_is_value(p, s->c, 0) ? read_at(r, s->below, a, n, aligned)
                                                                 : EXPR_NONE;
    }
    if (expr_is_false(inside))
        return read_at(r, s->below, a, n, aligned);
    Expr value = s->b;
    if (s->kind == BW_MEM_COPY)
        value = read_at(r, s->other, expr_add(p, s->b, distance), n, n == 1);
    else
        for (unsigned i = 1; i < n; i++)
            value = expr_concat(p, s->b, value);
    return expr_is_true(inside) ? value : expr_ite(p, inside, value, read_at(r, s->below, a, n, aligned));
}

static bool block_is_apart(Backward *bw, const BwMemNode *s, Expr a, uint32_t object)
{
    uint32_t other = bw_object_of(bw, s->a);
    if (object != IR_NONE && other != IR_NONE)
        return object != other;
    if (object != IR_NONE)
        return !may_point(bw, s->a, object);
    return other != IR_NONE && !may_point(bw, a, other);
}

/* The value if the event decides it; EXPR_NONE with *below as it was: bytes must be looked at one by one;
 * *below moved on: it has no influence. */
static Expr read_event(Reader *r, uint32_t *mem, Expr a, uint32_t object, unsigned n, bool aligned)
{
    Backward *bw = r->bw;
    BwMemNode s = bw->mems.v[*mem];
    int64_t diff = 0;
    switch (s.kind) {
    case BW_MEM_START: return bw_start_read(bw, s.id, a, n, aligned);
    case BW_MEM_STORE: {
        Relation rel = relate(bw, a, n, s.a, s.bytes, &diff);
        if (rel == REL_APART)
            break;
        return read_store(r, &s, a, n, aligned, diff, rel);
    }
    case BW_MEM_JOIN: {
        Expr yes = read_at(r, s.below, a, n, aligned), no = read_at(r, s.other, a, n, aligned);
        return expr_ite(bw->pool, s.a, yes, no);
    }
    case BW_MEM_FILL:
    case BW_MEM_COPY:
        if (block_is_apart(bw, &s, a, object))
            break;
        return read_block(r, &s, a, n, aligned);
    case BW_MEM_HAVOC:
        if (!havoc_holds(bw, s.set, a, object, false))
            break;
        return bw_load(bw, a, n, aligned, s.a);
    case BW_MEM_NEW:
        if (object != s.id)
            break;
        return expr_is_none(s.a) ? expr_const(bw->pool, 8 * n, 0) : bw_load(bw, a, n, aligned, s.a);
    case BW_MEM_DEAD: break;
    }
    *mem = s.below;
    return EXPR_NONE;
}

static uint64_t read_key(uint32_t mem, Expr a, unsigned n, bool aligned)
{
    return hash_mix(hash_mix(mem, a.id), n * 2 + aligned);
}

static Expr read_at(Reader *r, uint32_t mem, Expr a, unsigned n, bool aligned)
{
    Backward *bw = r->bw;
    uint64_t key = read_key(mem, a, n, aligned), id;
    Expr c, x, y, value = EXPR_NONE;
    if (map_get(&bw->reads, key, &id))
        return bw->read_memo.v[id].value;
    if (++r->depth > DEPTH_MOST || bw_out_of_time(bw)) {
        bw_reason(bw, IR_NONE, "too many stores that may be meant by one read");
        r->depth--;
        return bw_load(bw, a, n, aligned, bw_fresh(bw, 64, "memory"));
    }
    if (bw_address_split(bw, a, &c, &x, &y)) {
        value = expr_ite(bw->pool, c, read_at(r, mem, x, n, bw_is_aligned(bw, x, n, aligned)),
                         read_at(r, mem, y, n, bw_is_aligned(bw, y, n, aligned)));
    } else {
        uint32_t object = bw_object_of(bw, a), at = mem;
        for (;;) {
            uint32_t before = at;
            value = read_event(r, &at, a, object, n, aligned);
            if (!expr_is_none(value))
                break;
            if (at == before) {
                value = bytewise(r, at, a, n);
                break;
            }
        }
    }
    r->depth--;
    vec_push(&bw->read_memo, (struct BwRead){mem, a, n, value});
    map_put(&bw->reads, key, bw->read_memo.n - 1);
    return value;
}

Expr bw_mem_read(Backward *bw, uint32_t mem, Expr address, unsigned bytes, bool promised)
{
    Reader r = {.bw = bw};
    return read_at(&r, mem, address, bytes, bw_is_aligned(bw, address, bytes, promised));
}

/* ---- strings --------------------------------------------------------------------------------- */

/* Can the event not have written into the object that the address leads to? */
static bool is_elsewhere(Backward *bw, const BwMemNode *s, Expr a)
{
    uint32_t object = bw_object_of(bw, s->a);
    if (object != IR_NONE)
        return !may_point(bw, a, object);
    return bw->current == bw->start && bw_entry_apart(bw, a, UINT32_MAX, s->a, UINT32_MAX);
}

Expr bw_mem_strlen(Backward *bw, uint32_t mem, Expr a)
{
    for (;; mem = bw->mems.v[mem].below) {
        BwMemNode s = bw->mems.v[mem];
        switch (s.kind) {
        case BW_MEM_START: return bw_strlen(bw, a);
        case BW_MEM_JOIN: {
            Expr yes = bw_mem_strlen(bw, s.below, a), no = bw_mem_strlen(bw, s.other, a);
            return expr_is_none(yes) || expr_is_none(no) ? EXPR_NONE : expr_ite(bw->pool, s.a, yes, no);
        }
        case BW_MEM_HAVOC:
            if (havoc_holds(bw, s.set, a, bw_object_of(bw, a), false))
                return EXPR_NONE;
            break;
        case BW_MEM_STORE:
        case BW_MEM_FILL:
        case BW_MEM_COPY:
            if (!is_elsewhere(bw, &s, a))
                return EXPR_NONE;
            break;
        case BW_MEM_NEW:
        case BW_MEM_DEAD: break;
        }
    }
}

/* ---- checks ---------------------------------------------------------------------------------- */

static Expr unknown_bit(Backward *bw) { return bw_fresh(bw, 1, "unknown"); }

static Expr term(Backward *bw, const char *kind, Expr address, Expr bytes)
{
    return expr_apply(bw->pool, expr_fn(bw->pool, kind, 1, bw_term_value, kind_of(bw, kind[4], 0)),
                      (Expr[]){address, bytes, bw->m}, 3);
}

/* Was it dead where the chain begins? */
static Expr at_start(Backward *bw, uint32_t cut, uint32_t object)
{
    Expr known = bw_start_dead(bw, cut, object);
    return expr_is_none(known) ? term(bw, "bad:d", bw->objects.v[object].base, bw_const(bw, 0)) : known;
}

/* What the last event says of it; EXPR_NONE: nothing. */
static Expr dead_by(Backward *bw, const BwMemNode *s, uint32_t object)
{
    switch (s->kind) {
    case BW_MEM_START: return at_start(bw, s->id, object);
    case BW_MEM_NEW: return s->id == object ? EXPR_FALSE : EXPR_NONE;
    case BW_MEM_JOIN:
        return expr_ite(bw->pool, s->a, bw_mem_dead(bw, s->below, object), bw_mem_dead(bw, s->other, object));
    case BW_MEM_HAVOC: return havoc_holds(bw, s->set, EXPR_NONE, object, true) ? unknown_bit(bw) : EXPR_NONE;
    case BW_MEM_DEAD: {
        uint32_t other = s->id != IR_NONE ? s->id : bw_object_of(bw, s->a);
        if (other == object && (s->id != IR_NONE || expr_is_const(bw->pool, s->a)))
            return EXPR_TRUE;
        if (s->id != IR_NONE || (other != IR_NONE && other != object) || !may_point(bw, s->a, object))
            return EXPR_NONE;
        return expr_or(bw->pool, expr_eq(bw->pool, s->a, bw->objects.v[object].base),
                       bw_mem_dead(bw, s->below, object));
    }
    default: return EXPR_NONE;
    }
}

Expr bw_mem_dead(Backward *bw, uint32_t mem, uint32_t object)
{
    uint64_t key = hash_mix(hash_mix(mem, object), 1), id;
    Expr result = EXPR_NONE;
    if (map_get(&bw->dead_memo, key, &id))
        return (Expr){(uint32_t)id};
    for (uint32_t at = mem; expr_is_none(result); at = bw->mems.v[at].below) {
        BwMemNode s = bw->mems.v[at];
        result = s.deaths || s.start != IR_NONE ? dead_by(bw, &s, object) : EXPR_FALSE;
    }
    map_put(&bw->dead_memo, key, result.id);
    return result;
}

/* May anything that an unknown address leads to have died on the way? */
static bool deaths(Backward *bw, uint32_t mem, Expr address)
{
    uint64_t key = hash_mix(hash_mix(mem, address.id), 2), known;
    FlowList list;
    bool found = false;
    if (map_get(&bw->dead_memo, key, &known))
        return known;
    for (uint32_t at = mem; bw->mems.v[at].deaths && !found; at = bw->mems.v[at].below) {
        BwMemNode s = bw->mems.v[at];
        if (s.kind == BW_MEM_JOIN)
            found = deaths(bw, s.other, address);
        else if (s.kind == BW_MEM_HAVOC)
            found = havoc_holds(bw, s.set, address, IR_NONE, true);
        else if (s.kind == BW_MEM_DEAD) {
            uint32_t object = s.id != IR_NONE ? s.id : bw_object_of(bw, s.a);
            found = object == IR_NONE ? !bw_pointees(bw, address, &list) || may_meet(bw, s.a, list)
                                      : may_point(bw, address, object);
        }
    }
    map_put(&bw->dead_memo, key, found);
    return found;
}

static Expr pending(Backward *bw, uint32_t mem, Expr address, Expr bytes, const char *kind)
{
    BwRoot r;
    if (kind[4] != 'n' && deaths(bw, mem, address))
        return unknown_bit(bw);
    if (bw_root(bw, address, &r) && bw_is_of_entry(bw, r.root)) /* it is the same pointer in the whole run */
        return bw_entry_bad(bw, kind[4], address, bytes);
    return term(bw, kind, address, bytes);
}

Expr bw_mem_null(Backward *bw, uint32_t mem, Expr address, Expr bytes)
{
    ExprPool *p = bw->pool;
    Expr c, x, y;
    if (expr_is_value(p, bytes, 0))
        return EXPR_FALSE;
    if (bw_address_split(bw, address, &c, &x, &y))
        return expr_ite(p, c, bw_mem_null(bw, mem, x, bytes), bw_mem_null(bw, mem, y, bytes));
    if (bw_object_of(bw, address) != IR_NONE)
        return EXPR_FALSE;
    return expr_is_const(p, address) ? expr_ne(p, bytes, bw_const(bw, 0))
                                     : pending(bw, mem, address, bytes, "bad:n");
}

static bool is_read_only(const Backward *bw, const BwObject *o)
{
    return o->kind == BW_FUNCTION || (o->kind == BW_GLOBAL && bw->program->globals.v[o->index].constant);
}

Expr bw_mem_bad(Backward *bw, uint32_t mem, Expr address, Expr bytes, bool write)
{
    ExprPool *p = bw->pool;
    Expr c, x, y;
    if (expr_is_value(p, bytes, 0))
        return EXPR_FALSE;
    if (bw_address_split(bw, address, &c, &x, &y))
        return expr_ite(p, c, bw_mem_bad(bw, mem, x, bytes, write), bw_mem_bad(bw, mem, y, bytes, write));
    uint32_t object = bw_object_of(bw, address);
    if (object == IR_NONE)
        return expr_is_const(p, address) ? EXPR_TRUE
                                         : pending(bw, mem, address, bytes, write ? "bad:w" : "bad:r");
    BwObject o = bw->objects.v[object];
    if (o.kind == BW_FUNCTION || (write && is_read_only(bw, &o)))
        return EXPR_TRUE;
    Expr offset = expr_sub(p, address, o.base), size = bw_object_size(bw, object);
    Expr fits = expr_and(p, expr_ule(p, bytes, size), expr_ule(p, offset, expr_sub(p, size, bytes)));
    return expr_or(p, expr_not(p, fits), bw_mem_dead(bw, mem, object));
}

Expr bw_mem_bad_free(Backward *bw, uint32_t mem, Expr address)
{
    ExprPool *p = bw->pool;
    Expr c, x, y;
    if (expr_is_value(p, address, 0))
        return EXPR_FALSE;
    if (bw_address_split(bw, address, &c, &x, &y))
        return expr_ite(p, c, bw_mem_bad_free(bw, mem, x), bw_mem_bad_free(bw, mem, y));
    uint32_t object = bw_object_of(bw, address);
    if (object == IR_NONE)
        return expr_is_const(p, address) ? EXPR_TRUE : pending(bw, mem, address, bw_const(bw, 0), "bad:f");
    if (bw->objects.v[object].kind != BW_HEAP)
        return EXPR_TRUE;
    return expr_or(p, expr_ne(p, address, bw->objects.v[object].base), bw_mem_dead(bw, mem, object));
}

Expr bw_mem_resolve(Backward *bw, uint32_t mem, Expr e, const Expr *children)
{
    unsigned bytes;
    bool aligned;
    if (bw_is_load(bw, e, &bytes, &aligned)) {
        Expr value = bw_mem_read(bw, mem, children[0], bytes, aligned);
        uint64_t from;
        if (map_get(&bw->load_regs, e.id, &from) && bw_is_load(bw, value, &bytes, &aligned))
            map_add(&bw->load_regs, value.id, from);
        return value;
    }
    if (bw_is_strlen(bw, e)) {
        Expr length = bw_mem_strlen(bw, mem, children[0]);
        return expr_is_none(length) ? bw_fresh(bw, 64, "strlen") : length;
    }
    switch (application(bw, e)[4]) {
    case 'r': return bw_mem_bad(bw, mem, children[0], children[1], false);
    case 'w': return bw_mem_bad(bw, mem, children[0], children[1], true);
    case 'n': return bw_mem_null(bw, mem, children[0], children[1]);
    case 'd': return bw_mem_dead(bw, mem, bw_object_of(bw, children[0]));
    default: return bw_mem_bad_free(bw, mem, children[0]);
    }
}
