/* gates.c - see gates.h. */
#include "solver/gates.h"

#include <stdlib.h>

typedef enum GateKind { GATE_AND = 1, GATE_XOR, GATE_ITE, GATE_XOR3, GATE_MAJORITY } GateKind;

typedef struct Gate {
    Lit in[3];
    Lit out; /* 0 marks a free slot */
    uint32_t kind;
} Gate;

struct Gates {
    CCaDiCaL *sat;
    Gate *table; /* open addressing, capacity a power of two */
    uint32_t used, cap;
    uint32_t vars;
    uint64_t literals; /* in clauses, for the estimate of memory */
};

Gates *gates_new(void)
{
    Gates *g = mem_zalloc(sizeof *g);
    g->sat = ccadical_init();
    ccadical_set_option(g->sat, "quiet", 1);
    /* Queries are many and small: passes over all clauses before each search cost more than the search. */
    ccadical_set_option(g->sat, "lucky", 0);
    /* Measured on path conditions (bench/solver): these cost more than they save. */
    ccadical_set_option(g->sat, "chrono", 0);
    ccadical_set_option(g->sat, "bumpreason", 0);
    ccadical_set_option(g->sat, "shrink", 0);
    g->cap = 256;
    g->table = mem_zalloc(g->cap * sizeof *g->table);
    g->vars = 1;
    ccadical_add(g->sat, LIT_TRUE);
    ccadical_add(g->sat, 0);
    return g;
}

void gates_free(Gates *g)
{
    if (!g)
        return;
    ccadical_release(g->sat);
    mem_free(g->table);
    mem_free(g);
}

CCaDiCaL *gates_sat(Gates *g) { return g->sat; }
uint32_t gates_vars(const Gates *g) { return g->vars; }

size_t gates_bytes(const Gates *g)
{
    /* A variable in the tables of CaDiCaL, a literal with its watches: 12 to 14 % below what malloc holds
     * after a solve of multipliers of 32 to 128 bits. */
    return (size_t)g->cap * sizeof *g->table + (size_t)g->vars * 200 + (size_t)g->literals * 24;
}

Lit gates_fresh(Gates *g, bool hinted)
{
    if (g->vars >= INT32_MAX - 1)
        die("a query needs more than 2^31 propositional variables: lower the solver's memory limit");
    Lit v = (Lit)++g->vars;
    return hinted ? v : -v;
}

static void emit(Gates *g, const Lit *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        ccadical_add(g->sat, v[i]);
    ccadical_add(g->sat, 0);
    g->literals += n;
}

#define EMIT(g, ...) emit(g, (Lit[]){__VA_ARGS__}, sizeof((Lit[]){__VA_ARGS__}) / sizeof(Lit))

void gates_clause(Gates *g, const Lit *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (v[i] == LIT_TRUE)
            return;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (v[i] != LIT_FALSE) {
            ccadical_add(g->sat, v[i]);
            kept++;
        }
    ccadical_add(g->sat, 0);
    g->literals += kept;
}

/* ---- the table of gates ---------------------------------------------------------------------- */

static uint32_t slot_of(const Gates *g, GateKind kind, Lit a, Lit b, Lit c)
{
    uint64_t h = hash_mix(hash_mix((uint64_t)kind << 32 | (uint32_t)a, (uint32_t)b), (uint32_t)c);
    uint32_t i = (uint32_t)h & (g->cap - 1);
    for (; g->table[i].out; i = (i + 1) & (g->cap - 1)) {
        const Gate *t = &g->table[i];
        if (t->kind == (uint32_t)kind && t->in[0] == a && t->in[1] == b && t->in[2] == c)
            break;
    }
    return i;
}

static void grow(Gates *g)
{
    Gate *old = g->table;
    uint32_t old_cap = g->cap;
    g->cap *= 2;
    g->table = mem_zalloc((size_t)g->cap * sizeof *g->table);
    for (uint32_t i = 0; i < old_cap; i++)
        if (old[i].out)
            g->table[slot_of(g, old[i].kind, old[i].in[0], old[i].in[1], old[i].in[2])] = old[i];
    mem_free(old);
}

/* The output of an equal gate made before, or 0 with *slot the place for gate_new. */
static Lit gate_find(Gates *g, GateKind kind, Lit a, Lit b, Lit c, uint32_t *slot)
{
    if (g->used * 2 >= g->cap)
        grow(g);
    *slot = slot_of(g, kind, a, b, c);
    return g->table[*slot].out;
}

static Lit gate_new(Gates *g, GateKind kind, Lit a, Lit b, Lit c, uint32_t slot, bool hinted)
{
    Lit out = gates_fresh(g, hinted);
    g->table[slot] = (Gate){{a, b, c}, out, kind};
    g->used++;
    return out;
}

static inline void order(Lit *a, Lit *b)
{
    if (*a > *b) {
        Lit t = *a;
        *a = *b;
        *b = t;
    }
}

/* ---- the gates ------------------------------------------------------------------------------- */

Lit gates_and(Gates *g, Lit a, Lit b)
{
    if (a == LIT_FALSE || b == LIT_FALSE || a == -b)
        return LIT_FALSE;
    if (a == LIT_TRUE || a == b)
        return b;
    if (b == LIT_TRUE)
        return a;
    order(&a, &b);
    uint32_t slot;
    Lit o = gate_find(g, GATE_AND, a, b, 0, &slot);
    if (o)
        return o;
    o = gate_new(g, GATE_AND, a, b, 0, slot, lit_hinted(a) && lit_hinted(b));
    EMIT(g, -o, a);
    EMIT(g, -o, b);
    EMIT(g, o, -a, -b);
    return o;
}

Lit gates_xor(Gates *g, Lit a, Lit b)
{
    if (lit_is_const(a))
        return a == LIT_TRUE ? -b : b;
    if (lit_is_const(b))
        return b == LIT_TRUE ? -a : a;
    if (a == b || a == -b)
        return lit_const(a != b);
    int sign = 1;
    if (a < 0)
        a = -a, sign = -sign;
    if (b < 0)
        b = -b, sign = -sign;
    order(&a, &b);
    uint32_t slot;
    Lit o = gate_find(g, GATE_XOR, a, b, 0, &slot);
    if (o)
        return sign * o;
    o = gate_new(g, GATE_XOR, a, b, 0, slot, false); /* both inputs are true under the hint */
    EMIT(g, -o, a, b);
    EMIT(g, -o, -a, -b);
    EMIT(g, o, -a, b);
    EMIT(g, o, a, -b);
    return sign * o;
}

Lit gates_ite(Gates *g, Lit c, Lit t, Lit e)
{
    if (c == LIT_TRUE || t == e)
        return t;
    if (c == LIT_FALSE)
        return e;
    if (t == LIT_TRUE || t == c)
        return gates_or(g, c, e);
    if (t == LIT_FALSE || t == -c)
        return gates_and(g, -c, e);
    if (e == LIT_TRUE || e == -c)
        return gates_or(g, -c, t);
    if (e == LIT_FALSE || e == c)
        return gates_and(g, c, t);
    if (t == -e)
        return gates_xor(g, c, e);
    if (c < 0) {
        Lit s = t;
        c = -c, t = e, e = s;
    }
    int sign = 1;
    if (t < 0)
        t = -t, e = -e, sign = -1;
    uint32_t slot;
    Lit o = gate_find(g, GATE_ITE, c, t, e, &slot);
    if (o)
        return sign * o;
    o = gate_new(g, GATE_ITE, c, t, e, slot, true); /* c and t are true under the hint */
    EMIT(g, -c, -t, o);
    EMIT(g, -c, t, -o);
    EMIT(g, c, -e, o);
    EMIT(g, c, e, -o);
    EMIT(g, -t, -e, o); /* implied, but lets both branches propagate */
    EMIT(g, t, e, -o);
    return sign * o;
}

Lit gates_xor3(Gates *g, Lit a, Lit b, Lit c)
{
    if (lit_is_const(a) || a == b || a == -b)
        return gates_xor(g, c, gates_xor(g, a, b));
    if (lit_is_const(b) || lit_is_const(c) || b == c || b == -c)
        return gates_xor(g, a, gates_xor(g, b, c));
    if (a == c || a == -c)
        return gates_xor(g, b, gates_xor(g, a, c));
    int sign = (a < 0) ^ (b < 0) ^ (c < 0) ? -1 : 1;
    a = abs(a), b = abs(b), c = abs(c);
    order(&a, &b), order(&b, &c), order(&a, &b);
    uint32_t slot;
    Lit o = gate_find(g, GATE_XOR3, a, b, c, &slot);
    if (o)
        return sign * o;
    o = gate_new(g, GATE_XOR3, a, b, c, slot, true);
    EMIT(g, -a, -b, -c, o);
    EMIT(g, -a, b, c, o);
    EMIT(g, a, -b, c, o);
    EMIT(g, a, b, -c, o);
    EMIT(g, a, b, c, -o);
    EMIT(g, a, -b, -c, -o);
    EMIT(g, -a, b, -c, -o);
    EMIT(g, -a, -b, c, -o);
    return sign * o;
}

Lit gates_majority(Gates *g, Lit a, Lit b, Lit c)
{
    order(&a, &b), order(&b, &c), order(&a, &b);
    if (a == b || b == c)
        return b;
    if (a == -b)
        return c;
    if (b == -c)
        return a;
    if (a == -c)
        return b;
    if (a == LIT_FALSE || b == LIT_FALSE || c == LIT_FALSE)
        return a == LIT_FALSE ? gates_and(g, b, c) : b == LIT_FALSE ? gates_and(g, a, c) : gates_and(g, a, b);
    if (a == LIT_TRUE || b == LIT_TRUE || c == LIT_TRUE)
        return a == LIT_TRUE ? gates_or(g, b, c) : b == LIT_TRUE ? gates_or(g, a, c) : gates_or(g, a, b);
    int sign = 1;
    if (b < 0) { /* self-dual: two negative inputs become one */
        sign = -1;
        a = -a, b = -b, c = -c;
        order(&a, &b), order(&b, &c), order(&a, &b);
    }
    uint32_t slot;
    Lit o = gate_find(g, GATE_MAJORITY, a, b, c, &slot);
    if (o)
        return sign * o;
    o = gate_new(g, GATE_MAJORITY, a, b, c, slot, true); /* b and c are true under the hint */
    EMIT(g, -a, -b, o);
    EMIT(g, -a, -c, o);
    EMIT(g, -b, -c, o);
    EMIT(g, a, b, -o);
    EMIT(g, a, c, -o);
    EMIT(g, b, c, -o);
    return sign * o;
}

Lit gates_and_n(Gates *g, const Lit *v, uint32_t n)
{
    Lit kept[n + 1];
    uint32_t k = 0;
    bool hinted = true;
    for (uint32_t i = 0; i < n; i++) {
        if (v[i] == LIT_FALSE)
            return LIT_FALSE;
        bool repeated = v[i] == LIT_TRUE;
        for (uint32_t j = 0; j < k && !repeated; j++) {
            if (kept[j] == -v[i])
                return LIT_FALSE;
            repeated = kept[j] == v[i];
        }
        if (repeated)
            continue;
        hinted = hinted && lit_hinted(v[i]);
        kept[k++] = v[i];
    }
    if (k <= 2)
        return k == 0 ? LIT_TRUE : k == 1 ? kept[0] : gates_and(g, kept[0], kept[1]);
    Lit o = gates_fresh(g, hinted);
    for (uint32_t i = 0; i < k; i++) {
        EMIT(g, -o, kept[i]);
        kept[i] = -kept[i];
    }
    kept[k] = o;
    emit(g, kept, k + 1);
    return o;
}
