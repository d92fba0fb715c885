/* expr_int.h - private to expr: the layout of the pool, raw construction, and the vocabulary in which rules
 * are written. */
#ifndef SHEAF_EXPR_INT_H
#define SHEAF_EXPR_INT_H

#include "expr/expr.h"

/* One node. What the fields hold beyond the children:
 *   CONST        child[0], child[1]: low 64 bits; aux: 0, or 1 + index into `highs` of the high 64 bits
 *   SYMBOL       child[0]: object, child[1]: byte offset
 *   EXTRACT      child[1]: lowest bit
 *   STORE        aux: the base array below all stores
 *   ARRAY_CONST  child[0]: blob           ARRAY_INPUT  child[0]: object
 *   ARRAY_LIST   child[0]: list           APPLY        child[0]: list, child[1]: function */
typedef struct ExprNode {
    uint8_t op, width;
    uint16_t unused;
    uint32_t child[3];
    uint32_t set;
    uint32_t aux;
} ExprNode;

typedef struct ListEntry {
    uint32_t start, n; /* in list_items */
    uint32_t next;     /* list with the same hash, or 0 */
} ListEntry;

typedef struct BlobEntry {
    const uint8_t *bytes;
    uint32_t size, next;
} BlobEntry;

typedef struct FnEntry {
    const char *name;
    unsigned width;
    ExprFnCall call;
    void *context;
    uint32_t arity; /* of its first application */
} FnEntry;

/* Marks for traversals of a pool that is otherwise const. */
typedef struct Scratch {
    U32Vec stamp;
    uint32_t epoch;
    U32Vec stack;
} Scratch;

struct ExprPool {
    Vec(ExprNode) nodes;
    uint64_t *table; /* hash << 32 | id, open addressing; 0 is free */
    uint32_t table_cap;
    bool floats_commute;
    bool on[EXPR_RULE_COUNT];
    uint64_t hits[EXPR_RULE_COUNT];
    uint64_t asked; /* nodes asked for, found or made */
    Arena *arena;   /* names, blobs */
    Vec(ExprObjectInfo) objects;
    Vec(ExprTable) tables;
    Vec(ExprPlace) places;
    Map place_index;      /* address to 1 + place */
    StrMap named;         /* name to how many objects, of different keys, have it */
    StrMap text_by_key;   /* key to the first object of it */
    StrMap object_by_key; /* "size:key" to object */
    StrMap smt_names;     /* names taken by earlier objects, as SMT-LIB writes them */
    BitSet smt_repeated;  /* objects whose name an earlier one has */
    uint32_t input_size;
    ExprVec symbols; /* by input position: the one that covers it, or EXPR_NONE */
    U64Vec highs;
    Map high_index;
    Vec(ListEntry) lists;
    U32Vec list_items;
    Map list_index;
    Vec(BlobEntry) blobs;
    Map blob_index;
    Vec(FnEntry) fns;
    uint64_t missed; /* expr_fn_miss */
    StrMap fn_by_name;
    Sets sets;
    Scratch *scratch;
};

/* ---- raw construction: hash-consing without simplification ----------------------------------- */

/* The node with these contents, made if new. Requires: children exist; their sets give the new one's. */
Expr expr_intern(ExprPool *p, ExprNode node);

static inline Expr raw1(ExprPool *p, ExprOp op, unsigned width, Expr a)
{
    return expr_intern(p, (ExprNode){.op = (uint8_t)op, .width = (uint8_t)width, .child = {a.id}});
}
static inline Expr raw2(ExprPool *p, ExprOp op, unsigned width, Expr a, Expr b)
{
    return expr_intern(p, (ExprNode){.op = (uint8_t)op, .width = (uint8_t)width, .child = {a.id, b.id}});
}
static inline Expr raw3(ExprPool *p, ExprOp op, unsigned width, Expr a, Expr b, Expr c)
{
    return expr_intern(p,
                       (ExprNode){.op = (uint8_t)op, .width = (uint8_t)width, .child = {a.id, b.id, c.id}});
}
static inline Expr raw_extract(ExprPool *p, Expr a, unsigned low, unsigned width)
{
    return expr_intern(p, (ExprNode){.op = EXPR_EXTRACT, .width = (uint8_t)width, .child = {a.id, low}});
}

uint32_t expr_list_intern(ExprPool *p, const Expr *items, uint32_t n);

/* ---- sets ------------------------------------------------------------------------------------ */

ExprSet expr_set_range(ExprPool *p, uint32_t from, uint32_t n);

/* ---- the vocabulary of rules ----------------------------------------------------------------- */

/* Written after the pattern matched: true, and counted, unless the rule is switched off. */
#define HIT(p, NAME) (LIKELY((p)->on[EXPR_RULE_##NAME]) && ((p)->hits[EXPR_RULE_##NAME]++, true))

static inline const ExprNode *node_of(const ExprPool *p, Expr e) { return &p->nodes.v[e.id]; }
static inline ExprOp op_of(const ExprPool *p, Expr e) { return (ExprOp)p->nodes.v[e.id].op; }
static inline bool is(const ExprPool *p, Expr e, ExprOp op) { return p->nodes.v[e.id].op == op; }
static inline unsigned width_of(const ExprPool *p, Expr e) { return p->nodes.v[e.id].width; }
static inline Expr kid(const ExprPool *p, Expr e, unsigned i) { return (Expr){p->nodes.v[e.id].child[i]}; }
static inline bool is_const(const ExprPool *p, Expr e) { return p->nodes.v[e.id].op == EXPR_CONST; }
static inline unsigned low_of(const ExprPool *p, Expr e) { return p->nodes.v[e.id].child[1]; }
static inline u128 value_of(const ExprPool *p, Expr e)
{
    const ExprNode *n = node_of(p, e);
    u128 low = (uint64_t)n->child[1] << 32 | n->child[0];
    return UNLIKELY(n->aux) ? low | (u128)p->highs.v[n->aux - 1] << 64 : low;
}
static inline bool is_value(const ExprPool *p, Expr e, u128 value)
{
    return is_const(p, e) && value_of(p, e) == value;
}
static inline bool is_zero(const ExprPool *p, Expr e) { return is_value(p, e, 0); }
static inline bool is_ones(const ExprPool *p, Expr e) { return is_value(p, e, bits_mask(width_of(p, e))); }
static inline void swap_exprs(Expr *a, Expr *b)
{
    Expr t = *a;
    *a = *b;
    *b = t;
}
/* not(x) of one bit: is one the negation of the other? */
static inline bool are_opposite(const ExprPool *p, Expr a, Expr b)
{
    return (is(p, a, EXPR_NOT) && kid(p, a, 0).id == b.id) || (is(p, b, EXPR_NOT) && kid(p, b, 0).id == a.id);
}
/* An ite whose arms are both constants: operators of one such and constants move into the arms. */
static inline bool is_const_ite(const ExprPool *p, Expr e)
{
    return is(p, e, EXPR_ITE) && is_const(p, kid(p, e, 1)) && is_const(p, kid(p, e, 2));
}

/* ---- between families ------------------------------------------------------------------------ */

/* A sum of at most SUM_LIMIT terms c*x plus a constant. */
enum { SUM_LIMIT = 8 };
typedef struct Sum {
    struct {
        Expr base;
        u128 factor;
    } term[2 * SUM_LIMIT];
    unsigned n, width;
    u128 constant;
} Sum;
/* Adds factor*e to the sum; false if it would have too many terms (the sum is then of no use). */
bool expr_sum_add(const ExprPool *p, Sum *s, Expr e, u128 factor);
void expr_sum_sort(Sum *s);                     /* by base, equal bases united, zero factors dropped */
Expr expr_sum_build(ExprPool *p, const Sum *s); /* requires: sorted */

/* Between which numbers a value lies, both ends included; see bounds.c. */
typedef struct Bounds {
    u128 low, high;
} Bounds;
typedef struct SignedBounds {
    i128 low, high;
} SignedBounds;
Bounds expr_bounds(const ExprPool *p, Expr e);
SignedBounds expr_signed_bounds(const ExprPool *p, Expr e);

/* a op b where both have parts known to be zero at complementary places: one concat. False if no such
 * shape. */
bool expr_join_disjoint(ExprPool *p, Expr a, Expr b, Expr *out);

/* Float operators by node kind: FADD to FMA; FOEQ, FOLT, FOLE; FCAST to SITOFP. */
Expr expr_float_op(ExprPool *p, ExprOp op, Expr a, Expr b, Expr c);
Expr expr_float_compare(ExprPool *p, ExprOp op, Expr a, Expr b);
Expr expr_float_cast(ExprPool *p, ExprOp op, unsigned width, Expr a);

/* walk.c: an operator over n children, simplified as if made anew. `low`: of EXTRACT. No leaf, and no
 * application. */
Expr expr_compose(ExprPool *p, ExprOp op, unsigned width, unsigned low, const Expr *c, uint32_t n);

/* A name as it may stand between SMT-LIB's bars: what must not be there becomes '_'. */
void expr_smt_name(const char *name, Str *out);

/* For the module itself and its tests. */
u128 expr_fn_call(const ExprPool *p, uint32_t fn, const u128 *arguments, uint32_t n);
void expr_print_smt_symbol(const ExprPool *p, Expr symbol, Str *out); /* as the query declares it */
uint64_t expr_rule_hits(const ExprPool *p, ExprRule rule);
const char *expr_rule_name(ExprRule rule);
/* One rule, as expr_rule_switch_all. */
void expr_rule_switch(ExprPool *p, ExprRule rule, bool on);
const char *expr_rule_text(ExprRule rule); /* "x + 0 -> x" */
uint32_t expr_set_next_chunk(const ExprPool *p, ExprSet s, uint32_t from,
                             uint64_t *bits); /* see sets_next_chunk */

#endif
