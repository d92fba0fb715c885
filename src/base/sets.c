/* sets.c - sets of numbers as hash-consed big-endian Patricia trees with 64 members in a leaf. Sharing keeps
 * the sets of a long running sum small, where sorted arrays would grow with the square of its length. */
#include "base/base.h"

enum { SETS_MEMO_LEAST = 12, SETS_MEMO_MOST = 16 }; /* logarithms */

static uint32_t left_of(const SetsNode *n) { return (uint32_t)n->bits; }
static uint32_t right_of(const SetsNode *n) { return (uint32_t)(n->bits >> 32); }

static size_t memo_bytes(const Sets *p) { return ((size_t)1 << p->memo_log) * sizeof *p->memo; }

void sets_init(Sets *p)
{
    *p = (Sets){.cap = 256, .memo_log = SETS_MEMO_LEAST};
    p->table = mem_zalloc(p->cap * sizeof *p->table);
    p->memo = mem_zalloc(memo_bytes(p));
    vec_push(&p->nodes, (SetsNode){0}); /* id 0: the empty set */
}

void sets_free(Sets *p)
{
    vec_free(&p->nodes);
    mem_free(p->table);
    mem_free(p->memo);
}

size_t sets_bytes(const Sets *p)
{
    return p->nodes.cap * sizeof *p->nodes.v + p->cap * sizeof *p->table + memo_bytes(p);
}

static uint32_t hash_set(const SetsNode *n)
{
    return (uint32_t)hash_mix(hash_u64((uint64_t)n->key << 32 | n->bit), n->bits);
}

static void place(uint32_t *table, uint32_t cap, const SetsNode *n, uint32_t id)
{
    uint32_t at = hash_set(n) & (cap - 1);
    while (table[at])
        at = (at + 1) & (cap - 1);
    table[at] = id;
}

/* The more sets there are, the more unions are worth remembering. Those known so far are found anew. */
static void grow(Sets *p)
{
    mem_free(p->table);
    p->cap *= 2;
    p->table = mem_zalloc(p->cap * sizeof *p->table);
    for (uint32_t i = 1; i < p->nodes.n; i++)
        place(p->table, p->cap, &p->nodes.v[i], i);
    if (p->cap >> p->memo_log < 2 || p->memo_log == SETS_MEMO_MOST)
        return;
    mem_free(p->memo);
    p->memo_log++;
    p->memo = mem_zalloc(memo_bytes(p));
}

static uint32_t make(Sets *p, uint32_t key, uint32_t bit, uint64_t bits)
{
    SetsNode node = {key, bit, bits};
    for (uint32_t at = hash_set(&node) & (p->cap - 1); p->table[at]; at = (at + 1) & (p->cap - 1)) {
        const SetsNode *n = &p->nodes.v[p->table[at]];
        if (n->key == key && n->bit == bit && n->bits == bits)
            return p->table[at];
    }
    uint32_t id = p->nodes.n;
    vec_push(&p->nodes, node);
    if (p->nodes.n > p->cap / 2)
        grow(p);
    else
        place(p->table, p->cap, &node, id);
    return id;
}

/* The prefix of a chunk above the deciding bit. */
static uint32_t prefix(uint32_t key, uint32_t bit) { return key & ~(bit | (bit - 1)); }

static uint32_t branch(Sets *p, uint32_t key, uint32_t bit, uint32_t left, uint32_t right)
{
    return make(p, prefix(key, bit), bit, (uint64_t)right << 32 | left);
}

/* Two trees whose chunks differ first at the highest bit of ka ^ kb. */
static uint32_t join(Sets *p, uint32_t a, uint32_t ka, uint32_t b, uint32_t kb)
{
    uint32_t bit = 1u << (31 - __builtin_clz(ka ^ kb));
    return ka & bit ? branch(p, ka, bit, b, a) : branch(p, ka, bit, a, b);
}

static uint32_t unite(Sets *p, uint32_t a, uint32_t b);

/* b's chunks all agree with branch a's prefix: put it into the right half of a. */
static uint32_t unite_into(Sets *p, uint32_t a, uint32_t b, uint32_t key_b)
{
    const SetsNode n = p->nodes.v[a];
    bool high = key_b & n.bit;
    uint32_t half = high ? right_of(&n) : left_of(&n), sum = unite(p, half, b);
    if (sum == half)
        return a;
    return high ? branch(p, n.key, n.bit, left_of(&n), sum) : branch(p, n.key, n.bit, sum, right_of(&n));
}

static uint32_t unite_leaves(Sets *p, uint32_t a, uint32_t b)
{
    const SetsNode x = p->nodes.v[a];
    uint64_t bits = p->nodes.v[b].bits, sum = x.bits | bits;
    return sum == x.bits ? a : sum == bits ? b : make(p, x.key, 0, sum);
}

/* Depth is bounded by the bits of a chunk's number. Halves are remembered as whole sets are: what grows at
 * its end shares all but its last halves with what was united before. */
static uint32_t unite(Sets *p, uint32_t a, uint32_t b)
{
    if (a == b || b == 0)
        return a;
    if (a == 0)
        return b;
    if (p->nodes.v[a].bit < p->nodes.v[b].bit) {
        uint32_t t = a;
        a = b;
        b = t;
    }
    const SetsNode x = p->nodes.v[a], y = p->nodes.v[b];
    if (!x.bit && x.key == y.key)
        return unite_leaves(p, a, b);
    if (!x.bit || prefix(y.key, x.bit) != x.key)
        return join(p, a, x.key, b, y.key);
    if (x.bit != y.bit)
        return unite_into(p, a, b, y.key);
    const struct SetsMemo *memo = sets_memo(p, a, b);
    if (memo->a == a && memo->b == b)
        return memo->result;
    uint32_t left = unite(p, left_of(&x), left_of(&y)), right = unite(p, right_of(&x), right_of(&y));
    uint32_t result = branch(p, x.key, x.bit, left, right);
    *sets_memo(p, a, b) = (struct SetsMemo){a, b, result}; /* there may be a larger table by now */
    return result;
}

uint32_t sets_unite(Sets *p, uint32_t a, uint32_t b)
{
    uint32_t result = unite(p, a, b);
    *sets_memo(p, a, b) = (struct SetsMemo){a, b, result};
    return result;
}

uint32_t sets_of(Sets *p, uint32_t member) { return make(p, member >> 6, 0, (uint64_t)1 << (member & 63)); }

uint32_t sets_range(Sets *p, uint32_t from, uint32_t n)
{
    uint32_t all = 0;
    while (n) {
        uint32_t in_chunk = 64 - (from & 63), take = n < in_chunk ? n : in_chunk;
        all = unite(p, all, make(p, from >> 6, 0, (~(uint64_t)0 >> (64 - take)) << (from & 63)));
        from += take;
        n -= take;
    }
    return all;
}

/* Halves are apart, so that uniting them costs one branch or so. */
uint32_t sets_from(Sets *p, const uint32_t *members, uint32_t n)
{
    if (!n)
        return 0;
    uint32_t chunk = members[0] >> 6;
    if (chunk == members[n - 1] >> 6) {
        uint64_t bits = 0;
        for (uint32_t i = 0; i < n; i++)
            bits |= (uint64_t)1 << (members[i] & 63);
        return make(p, chunk, 0, bits);
    }
    return unite(p, sets_from(p, members, n / 2), sets_from(p, members + n / 2, n - n / 2));
}

static uint32_t without(Sets *p, uint32_t a, uint32_t b)
{
    if (!a || !b)
        return a;
    if (a == b)
        return 0;
    const SetsNode x = p->nodes.v[a], y = p->nodes.v[b];
    if (!x.bit && !y.bit)
        return x.key != y.key ? a : x.bits & ~y.bits ? make(p, x.key, 0, x.bits & ~y.bits) : 0;
    if (x.bit < y.bit)
        return prefix(x.key, y.bit) != y.key ? a : without(p, a, x.key & y.bit ? right_of(&y) : left_of(&y));
    if (prefix(y.key, x.bit) != x.key)
        return a;
    bool both = x.bit == y.bit, high = y.key & x.bit;
    uint32_t left = both || !high ? without(p, left_of(&x), both ? left_of(&y) : b) : left_of(&x);
    uint32_t right = both || high ? without(p, right_of(&x), both ? right_of(&y) : b) : right_of(&x);
    return !left ? right : !right ? left : branch(p, x.key, x.bit, left, right);
}

uint32_t sets_without(Sets *p, uint32_t a, uint32_t b) { return without(p, a, b); }

bool sets_has(const Sets *p, uint32_t id, uint32_t member)
{
    uint32_t chunk = member >> 6;
    while (id) {
        const SetsNode *n = &p->nodes.v[id];
        if (!n->bit)
            return n->key == chunk && (n->bits >> (member & 63) & 1);
        id = chunk & n->bit ? right_of(n) : left_of(n);
    }
    return false;
}

static bool meet(const Sets *p, uint32_t a, uint32_t b)
{
    if (a == 0 || b == 0)
        return false;
    if (a == b)
        return true;
    const SetsNode *x = &p->nodes.v[a], *y = &p->nodes.v[b];
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

bool sets_meets(const Sets *p, uint32_t a, uint32_t b) { return meet(p, a, b); }

static bool subset(const Sets *p, uint32_t a, uint32_t b)
{
    if (a == b || a == 0)
        return true;
    if (b == 0)
        return false;
    const SetsNode *x = &p->nodes.v[a], *y = &p->nodes.v[b];
    if (x->bit > y->bit)
        return false;
    if (!y->bit)
        return x->key == y->key && !(x->bits & ~y->bits);
    if (prefix(x->key, y->bit) != y->key)
        return false;
    if (x->bit == y->bit) { /* if so, b is what both are together */
        struct SetsMemo *memo = sets_memo(p, a, b);
        if (memo->a == a && memo->b == b)
            return memo->result == b;
        if (!subset(p, left_of(x), left_of(y)) || !subset(p, right_of(x), right_of(y)))
            return false;
        *memo = (struct SetsMemo){a, b, b};
        return true;
    }
    return subset(p, a, x->key & y->bit ? right_of(y) : left_of(y));
}

bool sets_within(const Sets *p, uint32_t a, uint32_t b) { return subset(p, a, b); }

static uint32_t count(const Sets *p, uint32_t id)
{
    if (!id)
        return 0;
    const SetsNode *n = &p->nodes.v[id];
    return n->bit ? count(p, left_of(n)) + count(p, right_of(n)) : (uint32_t)__builtin_popcountll(n->bits);
}

uint32_t sets_size(const Sets *p, uint32_t set) { return count(p, set); }

static uint32_t next(const Sets *p, uint32_t id, uint32_t from)
{
    if (!id)
        return UINT32_MAX;
    const SetsNode *n = &p->nodes.v[id];
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

uint32_t sets_next(const Sets *p, uint32_t set, uint32_t from) { return next(p, set, from); }

static uint32_t next_chunk(const Sets *p, uint32_t id, uint32_t from, uint64_t *bits)
{
    const SetsNode *n = &p->nodes.v[id];
    if (!id || (n->key | (n->bit ? n->bit | (n->bit - 1) : 0)) < from)
        return UINT32_MAX;
    if (!n->bit) {
        *bits = n->bits;
        return n->key;
    }
    uint32_t found = (n->key | (n->bit - 1)) >= from ? next_chunk(p, left_of(n), from, bits) : UINT32_MAX;
    return found != UINT32_MAX ? found : next_chunk(p, right_of(n), from, bits);
}

uint32_t sets_chunk(const Sets *p, uint32_t set, uint32_t from, uint64_t *bits)
{
    return next_chunk(p, set, from, bits);
}

/* `skip` is parted into chunks as the set is. */
static uint32_t last_without(const Sets *p, uint32_t id, const BitSet *skip)
{
    if (!id)
        return UINT32_MAX;
    const SetsNode *n = &p->nodes.v[id];
    if (n->bit) {
        uint32_t found = last_without(p, right_of(n), skip);
        return found != UINT32_MAX ? found : last_without(p, left_of(n), skip);
    }
    uint64_t bits = n->key < skip->n ? n->bits & ~skip->v[n->key] : n->bits;
    return bits ? n->key << 6 | (63 - (uint32_t)__builtin_clzll(bits)) : UINT32_MAX;
}

uint32_t sets_last_without(const Sets *p, uint32_t set, const BitSet *skip)
{
    return last_without(p, set, skip);
}

/* Halves that both share are passed over. */
static uint32_t last_beyond(const Sets *p, uint32_t a, uint32_t b)
{
    if (!a || a == b)
        return UINT32_MAX;
    const SetsNode *x = &p->nodes.v[a], *y = &p->nodes.v[b];
    if (b && x->bit < y->bit)
        return last_beyond(p, a,
                           prefix(x->key, y->bit) != y->key ? 0
                           : x->key & y->bit                ? right_of(y)
                                                            : left_of(y));
    bool apart = !b || (x->bit ? prefix(y->key, x->bit) != x->key : x->key != y->key);
    if (!x->bit) {
        uint64_t bits = apart ? x->bits : x->bits & ~y->bits;
        return bits ? x->key << 6 | (63 - (uint32_t)__builtin_clzll(bits)) : UINT32_MAX;
    }
    bool both = !apart && x->bit == y->bit, high = !apart && y->key & x->bit;
    uint32_t found = last_beyond(p, right_of(x), both ? right_of(y) : high ? b : 0);
    return found != UINT32_MAX ? found
                               : last_beyond(p, left_of(x),
                                             both            ? left_of(y)
                                             : apart || high ? 0
                                                             : b);
}

uint32_t sets_beyond(const Sets *p, uint32_t a, uint32_t b) { return last_beyond(p, a, b); }
