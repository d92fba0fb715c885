/* pair_insn.c - instructions of two versions of a function: the longest common subsequence of their keys, the
 * same with weaker keys in the gaps, then what is left with equal keys (moved). A key is what an instruction
 * does with which operands, to a small depth; the weakest leaves out operands of operands and constants.
 * Whether what corresponds is unchanged is another question: its operands say. */
#include "versions/versions_int.h"

enum {
    CELLS_MOST = 1 << 25 /* of the table; beyond, keys are matched in order */
};

/* ---- keys ------------------------------------------------------------------------------------ */

typedef struct Keys {
    const Pairing *p;
    unsigned version;
    const IrFn *fn;
} Keys;

/* By strength of the key: operands of operands that it has; the weakest has neither constants nor
 * numbers. */
static const unsigned depths[PAIR_STRENGTHS] = {3, 1, 0};

static uint64_t key_of(const Keys *k, const IrInsn *insn, unsigned depth);

static uint64_t reg_key(const Keys *k, uint32_t reg, unsigned depth)
{
    const IrReg *r = &k->fn->regs.v[reg];
    if (!depth)
        return hash_mix(r->width, 3);
    switch (r->kind) {
    case IR_REG_CONST: return pair_const_token(k->p, k->version, &k->fn->consts.v[r->value], r->width);
    case IR_REG_PARAM: return hash_mix(reg, 2);
    case IR_REG_RESULT: break;
    }
    const IrInsn *def = ir_reg_def(k->fn, reg);
    return def ? key_of(k, def, depth - 1) : hash_mix(r->width, 3);
}

static uint64_t key_of(const Keys *k, const IrInsn *insn, unsigned depth)
{
    const IrProgram *program = k->p->v->program[k->version];
    IrOperandVec operands = {0};
    bool masked = !(k->p->rules_off & VERSIONS_OFF_LINES) && pair_is_assertion(program, insn);
    uint64_t key = hash_mix((uint64_t)insn->op << 16 | (uint64_t)insn->width << 8 | insn->flags, 5);
    ir_insn_operands(k->fn, insn, &operands);
    for (uint32_t i = 0; i < operands.n; i++) {
        IrOperand o = operands.v[i];
        if (o.kind == 'r')
            key = hash_mix(key, masked ? 0 : reg_key(k, o.value, depth));
        else if (o.kind == 'f')
            key = hash_mix(key, k->p->fn_token[k->version][o.value]);
        else if (o.kind == 'i' && depth)
            key = hash_mix(key, o.value);
        else if (o.kind == 's')
            key = hash_mix(key, hash_bytes(ir_text(program, o.value), strlen(ir_text(program, o.value))));
    }
    vec_free(&operands);
    return key;
}

static void add_place(const Keys *k, uint32_t block, uint32_t insn, PairPlaces *out)
{
    PairPlace at = {.block = block, .insn = insn, .partner = IR_NONE};
    for (unsigned i = 0; i < PAIR_STRENGTHS; i++)
        at.key[i] = key_of(k, &k->fn->blocks.v[block].insns.v[insn], depths[i]);
    vec_push(out, at);
}

void pair_places(const Pairing *p, unsigned version, uint32_t fn, PairPlaces *out)
{
    const IrFn *f = &p->v->program[version]->fns.v[fn];
    Keys k = {p, version, f};
    U32Vec order = {0};
    vec_clear(out);
    pair_order(f, &order);
    for (uint32_t i = 0; i < order.n; i++)
        for (uint32_t n = 0; n < f->blocks.v[order.v[i]].insns.n; n++)
            add_place(&k, order.v[i], n, out);
    vec_free(&order);
}

/* ---- the longest common subsequence ---------------------------------------------------------- */

static void join(PairPlaces *old, uint32_t o, PairPlaces *new, uint32_t n)
{
    old->v[o].partner = n;
    new->v[n].partner = o;
}

/* Places from `o` and `n` on, so many of them. */
typedef struct Range {
    uint32_t o, n, no, nn;
} Range;

static bool same_key(const PairPlaces *old, uint32_t o, const PairPlaces *new, uint32_t n, unsigned s)
{
    return old->v[o].key[s] == new->v[n].key[s];
}

static void table(PairPlaces *old, PairPlaces *new, Range r, unsigned s)
{
    size_t row = (size_t)r.nn + 1;
    uint32_t *best = mem_zalloc((r.no + 1) * row * sizeof *best);
    for (uint32_t i = r.no; i-- > 0;)
        for (uint32_t k = r.nn; k-- > 0;) {
            uint32_t down = best[(i + 1) * row + k], right = best[i * row + k + 1];
            bool same = same_key(old, r.o + i, new, r.n + k, s);
            best[i * row + k] = same ? best[(i + 1) * row + k + 1] + 1 : down > right ? down : right;
        }
    for (uint32_t i = 0, k = 0; i < r.no && k < r.nn;) {
        if (same_key(old, r.o + i, new, r.n + k, s))
            join(old, r.o + i++, new, r.n + k++);
        else if (best[(i + 1) * row + k] >= best[i * row + k + 1])
            i++;
        else
            k++;
    }
    mem_free(best);
}

/* Each with the next of OLD that has its key. `moved`: wherever that is. */
static void in_order(PairPlaces *old, PairPlaces *new, bool moved)
{
    Map first = {0}; /* key to 1 + the first of OLD that is free */
    uint32_t *next = mem_zalloc(old->n * sizeof *next + 1), after = 0;
    for (uint32_t i = old->n; i-- > 0;)
        if (old->v[i].partner == IR_NONE) {
            uint64_t *at = map_at(&first, old->v[i].key[0]);
            next[i] = (uint32_t)*at;
            *at = i + 1;
        }
    for (uint32_t k = 0; k < new->n; k++) {
        uint64_t *at = new->v[k].partner == IR_NONE ? map_at(&first, new->v[k].key[0]) : NULL;
        while (at && *at && !moved && *at - 1 < after)
            *at = next[*at - 1];
        if (!at || !*at)
            continue;
        uint32_t i = (uint32_t)*at - 1;
        *at = next[i];
        after = i + 1;
        join(old, i, new, k);
        old->v[i].moved = new->v[k].moved = moved;
    }
    map_free(&first);
    mem_free(next);
}

static void match_range(PairPlaces *old, PairPlaces *new, Range r, unsigned s)
{
    for (; r.no && r.nn && same_key(old, r.o, new, r.n, s); r.no--, r.nn--)
        join(old, r.o++, new, r.n++);
    for (; r.no && r.nn && same_key(old, r.o + r.no - 1, new, r.n + r.nn - 1, s); r.no--, r.nn--)
        join(old, r.o + r.no - 1, new, r.n + r.nn - 1);
    if (r.no && r.nn && (uint64_t)(r.no + 1) * (r.nn + 1) <= CELLS_MOST)
        table(old, new, r, s);
}

/* What lies between two neighbours that have partners. */
static void match_gaps(PairPlaces *old, PairPlaces *new, unsigned s)
{
    uint32_t o = 0, n = 0;
    while (n < new->n || o < old->n) {
        uint32_t o_end = o, n_end = n;
        while (n_end < new->n &&new->v[n_end].partner == IR_NONE)
            n_end++;
        o_end = n_end < new->n ? new->v[n_end].partner : old->n;
        if (o_end > o && n_end > n)
            match_range(old, new, (Range){o, n, o_end - o, n_end - n}, s);
        o = o_end + 1;
        n = n_end + 1;
    }
}

void pair_match(PairPlaces *old, PairPlaces *new)
{
    match_range(old, new, (Range){0, 0, old->n, new->n}, 0);
    if ((uint64_t)(old->n + 1) * (new->n + 1) > CELLS_MOST)
        in_order(old, new, false);
    for (unsigned s = 1; s < PAIR_STRENGTHS; s++)
        match_gaps(old, new, s);
    in_order(old, new, true);
}

/* ---- what changed ---------------------------------------------------------------------------- */

typedef struct Side {
    const Pairing *p;
    unsigned version;
    uint32_t index;
    const IrFn *fn;
    PairPlaces places;
    uint32_t *first; /* by block: place of its first instruction; IR_NONE: not reached */
    uint32_t *block; /* by block: that of the other version that corresponds */
} Side;

static void side_begin(Side *s, const Pairing *p, unsigned version, uint32_t fn)
{
    *s = (Side){.p = p, .version = version, .index = fn, .fn = &p->v->program[version]->fns.v[fn]};
    pair_places(p, version, fn, &s->places);
    s->first = mem_alloc((s->fn->blocks.n + 1) * sizeof *s->first);
    memset(s->first, 0xff, s->fn->blocks.n * sizeof *s->first);
    for (uint32_t i = 0; i < s->places.n; i++)
        if (s->places.v[i].insn == 0)
            s->first[s->places.v[i].block] = i;
}

/* The place that defines the register; IR_NONE: it is not reached. */
static uint32_t def_place(const Side *s, uint32_t reg)
{
    const IrReg *r = &s->fn->regs.v[reg];
    return r->block == IR_NONE || s->first[r->block] == IR_NONE ? IR_NONE : s->first[r->block] + r->insn;
}

/* A block corresponds to the one in which its last instruction's partner stands, or the first that has
 * one. */
static void side_blocks(Side *s, const Side *other)
{
    s->block = mem_alloc((s->fn->blocks.n + 1) * sizeof *s->block);
    memset(s->block, 0xff, s->fn->blocks.n * sizeof *s->block);
    for (uint32_t i = 0; i < s->places.n; i++) {
        const PairPlace *at = &s->places.v[i];
        bool last = at->insn + 1 == s->fn->blocks.v[at->block].insns.n;
        if (at->partner != IR_NONE && !at->moved && (last || s->block[at->block] == IR_NONE))
            s->block[at->block] = other->places.v[at->partner].block;
    }
}

static void side_free(Side *s)
{
    vec_free(&s->places);
    mem_free(s->first);
    mem_free(s->block);
}

static bool same_reg(const Side *a, uint32_t x, const Side *b, uint32_t y)
{
    const IrReg *r = &a->fn->regs.v[x], *q = &b->fn->regs.v[y];
    if (r->kind != q->kind || r->width != q->width)
        return false;
    switch (r->kind) {
    case IR_REG_PARAM: return x == y;
    case IR_REG_CONST:
        return pair_const_token(a->p, a->version, &a->fn->consts.v[r->value], r->width) ==
               pair_const_token(b->p, b->version, &b->fn->consts.v[q->value], q->width);
    case IR_REG_RESULT: break;
    }
    uint32_t i = def_place(a, x), j = def_place(b, y);
    return i != IR_NONE && j != IR_NONE && a->places.v[i].partner == j;
}

static const IrInsn *insn_at(const Side *s, uint32_t place)
{
    return &s->fn->blocks.v[s->places.v[place].block].insns.v[s->places.v[place].insn];
}

/* Does the partner do the same with operands, and lead to blocks, that correspond? */
static bool is_same(const Side *a, uint32_t place, const Side *b, IrOperandVec operands[2])
{
    const PairPlace *at = &a->places.v[place];
    const IrInsn *insn = insn_at(a, place), *other = at->partner == IR_NONE ? NULL : insn_at(b, at->partner);
    if (!other || at->moved || b->places.v[at->partner].block != a->block[at->block])
        return false;
    if (!(a->p->rules_off & VERSIONS_OFF_LINES) && pair_is_assertion(a->p->v->program[a->version], insn))
        return true;
    ir_insn_operands(a->fn, insn, &operands[0]);
    ir_insn_operands(b->fn, other, &operands[1]);
    bool same = operands[0].n == operands[1].n && insn->op == other->op && insn->width == other->width &&
                insn->flags == other->flags;
    for (uint32_t i = 0; same && i < operands[0].n; i++) {
        IrOperand x = operands[0].v[i], y = operands[1].v[i];
        same = x.kind == y.kind;
        if (same && x.kind == 'r')
            same = same_reg(a, x.value, b, y.value);
        else if (same && x.kind == 'b')
            same = a->block[x.value] == y.value;
        else if (same && x.kind == 'f')
            same = a->p->fn_token[a->version][x.value] == b->p->fn_token[b->version][y.value];
        else if (same && x.kind == 'i')
            same = x.value == y.value;
    }
    return same;
}

static void record(Pairing *p, const Side *a, const Side *b, VersionsFn *f)
{
    IrOperandVec operands[2] = {{0}};
    for (uint32_t i = 0; i < a->places.n; i++) {
        const PairPlace *at = &a->places.v[i];
        FlowSite site = {a->index, at->block, at->insn};
        if (at->partner != IR_NONE)
            map_put(&p->v->partner[a->version], flow_site_key(site),
                    (uint64_t)b->places.v[at->partner].block << 32 | b->places.v[at->partner].insn);
        if (f->identical || is_same(a, i, b, operands))
            continue;
        vec_push(&p->v->changed[a->version], site);
        f->changed[a->version]++;
    }
    f->insns[a->version] = a->places.n;
    vec_free(&operands[0]);
    vec_free(&operands[1]);
}

/* Identical code corresponds place by place. */
static void match_all(PairPlaces *old, PairPlaces *new)
{
    for (uint32_t i = 0; i < old->n && i < new->n; i++)
        join(old, i, new, i);
}

void pair_insns(Pairing *p, VersionsFn *f)
{
    Side side[2];
    for (unsigned i = 0; i < 2; i++)
        side_begin(&side[i], p, i, f->fn[i]);
    if (f->identical)
        match_all(&side[0].places, &side[1].places);
    else
        pair_match(&side[0].places, &side[1].places);
    side_blocks(&side[0], &side[1]);
    side_blocks(&side[1], &side[0]);
    record(p, &side[0], &side[1], f);
    record(p, &side[1], &side[0], f);
    side_free(&side[0]);
    side_free(&side[1]);
}
