/* set.c - sets of input positions as hash-consed big-endian Patricia trees with 64 members in a leaf. Sharing keeps
 * the sets of a long running sum small, where sorted arrays would grow with the square of its length. */
#include "expr/expr_int.h"

static uint32_t left_of(const SetNode *n) { return (uint32_t)n->bits; }
static uint32_t right_of(const SetNode *n) { return (uint32_t)(n->bits >> 32); }

void expr_sets_init(ExprPool *p)
{
    p->set_cap = 256;
    p->set_table = mem_zalloc(p->set_cap * sizeof *p->set_table);
    p->set_memo = mem_zalloc(SET_MEMO * sizeof *p->set_memo);
    vec_push(&p->sets, (SetNode){ 0 });                  /* id 0: the empty set */
}

void expr_sets_free(ExprPool *p)
{
    vec_free(&p->sets);
    mem_free(p->set_table);
    mem_free(p->set_memo);
}

static uint32_t hash_set(const SetNode *n)
{
    return (uint32_t)hash_mix(hash_u64((uint64_t)n->key << 32 | n->bit), n->bits);
}

static void place(uint32_t *table, uint32_t cap, const SetNode *n, uint32_t id)
{
    uint32_t at = hash_set(n) & (cap - 1);
    while (table[at])
        at = (at + 1) & (cap - 1);
    table[at] = id;
}

static uint32_t make(ExprPool *p, uint32_t key, uint32_t bit, uint64_t bits)
{
    SetNode node = { key, bit, bits };
    for (uint32_t at = hash_set(&node) & (p->set_cap - 1); p->set_table[at]; at = (at + 1) & (p->set_cap - 1)) {
        const SetNode *n = &p->sets.v[p->set_table[at]];
        if (n->key == key && n->bit == bit && n->bits == bits)
            return p->set_table[at];
    }
    uint32_t id = p->sets.n;
    vec_push(&p->sets, node);
    if (p->sets.n > p->set_cap / 2) {
        mem_free(p->set_table);
        p->set_cap *= 2;
        p->set_table = mem_zalloc(p->set_cap * sizeof *p->set_table);
        for (uint32_t i = 1; i < p->sets.n; i++)
            place(p->set_table, p->set_cap, &p->sets.v[i], i);
    } else {
        place(p->set_table, p->set_cap, &node, id);
    }
    return id;
}

/* The prefix of a chunk above the deciding bit. */
static uint32_t prefix(uint32_t key, uint32_t bit) { return key & ~(bit | (bit - 1)); }

static uint32_t branch(ExprPool *p, uint32_t key, uint32_t bit, uint32_t left, uint32_t right)
{
    return make(p, prefix(key, bit), bit, (uint64_t)right << 32 | left);
}

/* Two trees whose chunks differ first at the highest bit of ka ^ kb. */
static uint32_t join(ExprPool *p, uint32_t a, uint32_t ka, uint32_t b, uint32_t kb)
{
    uint32_t bit = 1u << (31 - __builtin_clz(ka ^ kb));
    return ka & bit ? branch(p, ka, bit, b, a) : branch(p, ka, bit, a, b);
}

static uint32_t unite(ExprPool *p, uint32_t a, uint32_t b);

/* b's chunks all agree with branch a's prefix: put it into the right half of a. */
static uint32_t unite_into(ExprPool *p, uint32_t a, uint32_t b, uint32_t key_b)
{
    const SetNode n = p->sets.v[a];
    if (key_b & n.bit)
        return branch(p, n.key, n.bit, left_of(&n), unite(p, right_of(&n), b));
    return branch(p, n.key, n.bit, unite(p, left_of(&n), b), right_of(&n));
}

/* Depth is bounded by the bits of a chunk's number. */
static uint32_t unite(ExprPool *p, uint32_t a, uint32_t b)
{
    if (a == b || b == 0)
        return a;
    if (a == 0)
        return b;
    if (p->sets.v[a].bit < p->sets.v[b].bit) {
        uint32_t t = a;
        a = b;
        b = t;
    }
    const SetNode x = p->sets.v[a], y = p->sets.v[b];
    if (!x.bit && x.key == y.key)
        return make(p, x.key, 0, x.bits | y.bits);
    if (!x.bit || prefix(y.key, x.bit) != x.key)
        return join(p, a, x.key, b, y.key);
    if (x.bit == y.bit)
        return branch(p, x.key, x.bit, unite(p, left_of(&x), left_of(&y)), unite(p, right_of(&x), right_of(&y)));
    return unite_into(p, a, b, y.key);
}

ExprSet expr_set_union(ExprPool *p, ExprSet a, ExprSet b)
{
    if (a.id == b.id || b.id == 0)
        return a;
    if (a.id == 0)
        return b;
    SetMemo *memo = &p->set_memo[(a.id * 31u ^ b.id) & (SET_MEMO - 1)];
    if (memo->a != a.id || memo->b != b.id)
        *memo = (SetMemo){ a.id, b.id, unite(p, a.id, b.id) };
    return (ExprSet){ memo->result };
}

ExprSet expr_set_of(ExprPool *p, uint32_t at) { return (ExprSet){ make(p, at >> 6, 0, (uint64_t)1 << (at & 63)) }; }

ExprSet expr_set_range(ExprPool *p, uint32_t from, uint32_t n)
{
    uint32_t all = 0;
    while (n) {
        uint32_t in_chunk = 64 - (from & 63), take = n < in_chunk ? n : in_chunk;
        all = unite(p, all, make(p, from >> 6, 0, bits_mask64(take) << (from & 63)));
        from += take;
        n -= take;
    }
    return (ExprSet){ all };
}

bool expr_set_has(const ExprPool *p, ExprSet s, uint32_t at)
{
    uint32_t id = s.id, chunk = at >> 6;
    while (id) {
        const SetNode *n = &p->sets.v[id];
        if (!n->bit)
            return n->key == chunk && (n->bits >> (at & 63) & 1);
        id = chunk & n->bit ? right_of(n) : left_of(n);
    }
    return false;
}

static bool meet(const ExprPool *p, uint32_t a, uint32_t b)
{
    if (a == 0 || b == 0)
        return false;
    if (a == b)
        return true;
    const SetNode *x = &p->sets.v[a], *y = &p->sets.v[b];
    if (x->bit < y->bit)
        return meet(p, b, a);
    if (!x->bit)
        return x->key == y->key && (x->bits & y->bits);
    if (prefix(y->key, x->bit) != x->key)
        return false;
    if (x->bit == y->bit)
        return meet(p, left_of(x), left_of(y)) || meet(p, right_of(x), right_of(y));
    return meet(p, y->key & x->bit ? right_of(x) : left_of(x), b);
}

bool expr_set_meets(const ExprPool *p, ExprSet a, ExprSet b) { return meet(p, a.id, b.id); }

static bool subset(const ExprPool *p, uint32_t a, uint32_t b)
{
    if (a == b || a == 0)
        return true;
    if (b == 0)
        return false;
    const SetNode *x = &p->sets.v[a], *y = &p->sets.v[b];
    if (x->bit > y->bit)
        return false;
    if (!y->bit)
        return x->key == y->key && !(x->bits & ~y->bits);
    if (prefix(x->key, y->bit) != y->key)
        return false;
    if (x->bit == y->bit)
        return subset(p, left_of(x), left_of(y)) && subset(p, right_of(x), right_of(y));
    return subset(p, a, x->key & y->bit ? right_of(y) : left_of(y));
}

bool expr_set_subset(const ExprPool *p, ExprSet a, ExprSet b) { return subset(p, a.id, b.id); }

static uint32_t count(const ExprPool *p, uint32_t id)
{
    if (!id)
        return 0;
    const SetNode *n = &p->sets.v[id];
    return n->bit ? count(p, left_of(n)) + count(p, right_of(n)) : (uint32_t)__builtin_popcountll(n->bits);
}

uint32_t expr_set_size(const ExprPool *p, ExprSet s) { return count(p, s.id); }

static uint32_t next(const ExprPool *p, uint32_t id, uint32_t from)
{
    if (!id)
        return UINT32_MAX;
    const SetNode *n = &p->sets.v[id];
    uint32_t chunk = from >> 6;
    if (!n->bit) {
        uint64_t bits = n->key < chunk ? 0 : n->key > chunk ? n->bits : n->bits & ~(uint64_t)0 << (from & 63);
        return bits ? n->key << 6 | (uint32_t)__builtin_ctzll(bits) : UINT32_MAX;
    }
    if ((n->key | n->bit | (n->bit - 1)) < chunk)
        return UINT32_MAX;
    if ((n->key | (n->bit - 1)) >= chunk) {
        uint32_t found = next(p, left_of(n), from);
        if (found != UINT32_MAX)
            return found;
    }
    return next(p, right_of(n), from);
}

uint32_t expr_set_next(const ExprPool *p, ExprSet s, uint32_t from) { return next(p, s.id, from); }

/* `skip` is parted into chunks as the set is. */
static uint32_t last_without(const ExprPool *p, uint32_t id, const BitSet *skip)
{
    if (!id)
        return UINT32_MAX;
    const SetNode *n = &p->sets.v[id];
    if (n->bit) {
        uint32_t found = last_without(p, right_of(n), skip);
        return found != UINT32_MAX ? found : last_without(p, left_of(n), skip);
    }
    uint64_t bits = n->key < skip->n ? n->bits & ~skip->v[n->key] : n->bits;
    return bits ? n->key << 6 | (63 - (uint32_t)__builtin_clzll(bits)) : UINT32_MAX;
}

uint32_t expr_set_last_without(const ExprPool *p, ExprSet s, const BitSet *skip) { return last_without(p, s.id, skip); }
