/* Tests of the simplification rules: every expression is built twice, in a pool without rules and in the pool
 * under test, and must have the value there that bits_apply gives. Shapes exhaustively on small widths,
 * random graphs on all widths, each rule alone and each rule left out; at the end every rule must have been
 * hit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "expr/expr.h"
#include "expr/expr_int.h"

/* The same expression in both pools. */
typedef struct Twin {
    Expr plain, ruled;
} Twin;

typedef struct Pair {
    ExprPool *plain, *ruled;
    ExprEval *eval_plain, *eval_ruled;
    ExprInput input;
    Rng rng;
    Vec(Twin) bag;
    uint32_t fn[2];
} Pair;

static uint64_t all_hits[EXPR_RULE_COUNT]; /* over all tests of this file */

static u128 fn_mix(void *context, const u128 *arguments, uint32_t n)
{
    u128 sum = (uintptr_t)context & 1;
    for (uint32_t i = 0; i < n; i++)
        sum = sum * 31 + arguments[i];
    return sum;
}

static void pair_open(Pair *t, uint64_t seed)
{
    memset(t, 0, sizeof *t);
    t->plain = expr_pool_new();
    t->ruled = expr_pool_new();
    expr_rule_switch_all(t->plain, false);
    t->eval_plain = expr_eval_new(t->plain);
    t->eval_ruled = expr_eval_new(t->ruled);
    rng_seed(&t->rng, seed);
    t->fn[0] = expr_fn(t->plain, "mix", 16, fn_mix, NULL);
    t->fn[1] = expr_fn(t->ruled, "mix", 16, fn_mix, NULL);
}

static void pair_close(Pair *t)
{
    for (int i = 0; i < EXPR_RULE_COUNT; i++)
        all_hits[i] += expr_rule_hits(t->ruled, (ExprRule)i);
    expr_eval_free(t->eval_plain);
    expr_eval_free(t->eval_ruled);
    expr_pool_free(t->plain);
    expr_pool_free(t->ruled);
    expr_input_free(&t->input);
    vec_free(&t->bag);
}

static unsigned width(const Pair *t, Twin e) { return expr_width(t->plain, e.plain); }

static Twin constant(Pair *t, unsigned w, u128 value)
{
    return (Twin){expr_const(t->plain, w, value), expr_const(t->ruled, w, value)};
}

static Twin scalar(Pair *t, const char *name, unsigned w)
{
    ExprCType type = {EXPR_C_UINT, 0};
    return (Twin){expr_object_symbol(t->plain, expr_object_scalar(t->plain, name, name, w, type)),
                  expr_object_symbol(t->ruled, expr_object_scalar(t->ruled, name, name, w, type))};
}

static Twin make(Pair *t, BitsOp op, unsigned w, Twin a, Twin b, Twin c)
{
    return (Twin){expr_make(t->plain, op, w, a.plain, b.plain, c.plain),
                  expr_make(t->ruled, op, w, a.ruled, b.ruled, c.ruled)};
}
static Twin make2(Pair *t, BitsOp op, Twin a, Twin b) { return make(t, op, width(t, a), a, b, b); }
static Twin concat(Pair *t, Twin a, Twin b)
{
    return (Twin){expr_concat(t->plain, a.plain, b.plain), expr_concat(t->ruled, a.ruled, b.ruled)};
}
static Twin extract(Pair *t, Twin a, unsigned low, unsigned w)
{
    return (Twin){expr_extract(t->plain, a.plain, low, w), expr_extract(t->ruled, a.ruled, low, w)};
}
static Twin neg(Pair *t, Twin a) { return (Twin){expr_neg(t->plain, a.plain), expr_neg(t->ruled, a.ruled)}; }
static Twin not_(Pair *t, Twin a) { return (Twin){expr_not(t->plain, a.plain), expr_not(t->ruled, a.ruled)}; }

static void complain(Pair *t, Twin e, u128 plain, u128 ruled)
{
    Str a = {0}, b = {0};
    expr_print(t->plain, e.plain, 600, &a);
    expr_print(t->ruled, e.ruled, 600, &b);
    fail_msg("%s\n  simplified to %s\n  values 0x%llx and 0x%llx", str_text(&a), str_text(&b),
             (unsigned long long)plain, (unsigned long long)ruled);
}

static void check(Pair *t, Twin e)
{
    u128 plain = expr_eval(t->eval_plain, e.plain), ruled = expr_eval(t->eval_ruled, e.ruled);
    if (width(t, e) != expr_width(t->ruled, e.ruled) || plain != ruled)
        complain(t, e, plain, ruled);
}

static void set_input(Pair *t)
{
    expr_eval_input(t->eval_plain, &t->input);
    expr_eval_input(t->eval_ruled, &t->input);
}

/* ---- shapes, exhaustively on small widths ---------------------------------------------------- */

static void add(Pair *t, Twin e) { vec_push(&t->bag, e); }

static Twin ite(Pair *t, Twin c, Twin a, Twin b) { return make(t, BITS_SELECT, width(t, a), c, a, b); }

static Twin scalar_of(Pair *t, const char *letter, unsigned w)
{
    char name[8];
    snprintf(name, sizeof name, "%s%u", letter, w);
    return scalar(t, name, w);
}

/* Operands of width w: each operator once over x, y and every constant, extensions, parts, choices. */
static void fill_shapes(Pair *t, unsigned w)
{
    static const BitsOp ops[] = {BITS_ADD,  BITS_MUL,  BITS_AND,  BITS_OR,  BITS_XOR,
                                 BITS_UREM, BITS_SREM, BITS_UDIV, BITS_SDIV};
    Twin x = scalar_of(t, "x", w), y = scalar_of(t, "y", w), n = scalar_of(t, "n", 1);
    vec_clear(&t->bag);
    add(t, x);
    add(t, y);
    add(t, not_(t, x));
    add(t, neg(t, x));
    add(t, not_(t, y));
    add(t, neg(t, y));
    add(t, make2(t, BITS_ADD, x, y));
    add(t, make2(t, BITS_SUB, x, y));
    add(t, make2(t, BITS_MUL, x, neg(t, y)));
    add(t, make2(t, BITS_XOR, x, y));
    add(t, make2(t, BITS_AND, x, y));
    add(t, make2(t, BITS_OR, x, y));
    add(t, make2(t, BITS_OR, x, not_(t, y)));
    add(t, make2(t, BITS_ADD, make2(t, BITS_ADD, x, y), constant(t, w, 3)));
    add(t, ite(t, n, x, y));
    add(t, ite(t, n, x, not_(t, x)));
    add(t, ite(t, make2(t, BITS_EQ, x, y), x, y));
    for (unsigned k = 0; k < 1u << w; k++) {
        Twin c = constant(t, w, k);
        add(t, c);
        for (size_t i = 0; i < COUNT_OF(ops); i++)
            add(t, make2(t, ops[i], x, c));
        add(t, ite(t, n, c, constant(t, w, k * 5 + 3)));
        add(t, ite(t, n, c, x));
    }
    for (unsigned split = 1; split < w; split++) {
        add(t, make(t, BITS_ZEXT, w, extract(t, x, 0, split), x, x));
        add(t, make(t, BITS_ZEXT, w, extract(t, y, 0, split), x, x));
        add(t, make(t, BITS_SEXT, w, extract(t, x, w - split, split), x, x));
        add(t, make(t, BITS_SEXT, w, extract(t, y, w - split, split), x, x));
        add(t, concat(t, extract(t, x, 0, w - split), extract(t, y, 0, split)));
        add(t, concat(t, extract(t, x, 0, w - split), constant(t, split, 0)));
        add(t, concat(t, constant(t, w - split, 1), extract(t, x, 0, split)));
    }
}

/* All results of the operators over one pair of operands. */
static void results(Pair *t, Twin a, Twin b, ExprVec *plain, ExprVec *ruled)
{
    unsigned w = width(t, a);
    for (BitsOp op = BITS_ADD; op <= BITS_SELECT; op++) {
        if (op == BITS_SELECT || !bits_widths_ok(op, w, w))
            continue;
        Twin e = make(t, op, w, a, b, a);
        vec_push(plain, e.plain);
        vec_push(ruled, e.ruled);
    }
    Twin both[] = {neg(t, a),
                   not_(t, a),
                   concat(t, a, b),
                   extract(t, a, 0, (w + 1) / 2),
                   extract(t, a, w / 2, w - w / 2),
                   make(t, BITS_ZEXT, w + 2, a, a, a),
                   make(t, BITS_SEXT, w + 2, a, a, a),
                   concat(t, extract(t, make2(t, BITS_ADD, a, b), w / 2, w - w / 2),
                          w > 1 ? extract(t, make2(t, BITS_ADD, a, b), 0, w / 2) : a)};
    for (size_t i = 0; i < COUNT_OF(both); i++) {
        vec_push(plain, both[i].plain);
        vec_push(ruled, both[i].ruled);
    }
}

/* The operators of bits.def against bits_apply itself, operand values from the pool without rules. */
static void check_against_bits(Pair *t, Twin a, Twin b)
{
    unsigned w = width(t, a);
    u128 x = expr_eval(t->eval_plain, a.plain), y = expr_eval(t->eval_plain, b.plain);
    for (BitsOp op = BITS_ADD; op < BITS_SELECT; op++)
        if (bits_widths_ok(op, w, w)) {
            Twin e = make(t, op, w, a, b, a);
            u128 want = bits_apply(op, w, w, x, y, x), plain = expr_eval(t->eval_plain, e.plain);
            if (plain != want)
                complain(t, e, want, plain);
        }
}

static void run_shapes(Pair *t, unsigned w, unsigned stride)
{
    ExprVec plain = {0}, ruled = {0};
    fill_shapes(t, w);
    for (uint32_t i = 0; i < t->bag.n; i++)
        for (uint32_t k = 0; k < t->bag.n; k++)
            if ((i * t->bag.n + k) % stride == 0)
                results(t, t->bag.v[i], t->bag.v[k], &plain, &ruled);
    Twin x = scalar_of(t, "x", w), y = scalar_of(t, "y", w), n = scalar_of(t, "n", 1);
    /* all values of x, y and n up to 4 bits; beyond, all of x with y and n mixed from it */
    for (unsigned v = 0; v < 1u << (w <= 4 ? 2 * w + 1 : w); v++) {
        uint64_t other = w <= 4 ? v >> w : hash_u64(v);
        expr_input_set(t->plain, &t->input, x.plain, v);
        expr_input_set(t->plain, &t->input, y.plain, other);
        expr_input_set(t->plain, &t->input, n.plain, other >> w);
        set_input(t);
        for (uint32_t i = 0; i < plain.n; i++)
            check(t, (Twin){plain.v[i], ruled.v[i]});
        check_against_bits(t, t->bag.v[v % t->bag.n], t->bag.v[v * 7 % t->bag.n]);
    }
    vec_free(&plain);
    vec_free(&ruled);
}

static void shapes_exhaustively(void **state)
{
    (void)state;
    static const unsigned stride[] = {1,   5,    43,   419,
                                      197, 1009, 5003, 30011}; /* subsampled where pairs are too many */
    for (unsigned w = 1; w <= 8; w++) {
        Pair t;
        pair_open(&t, w);
        run_shapes(&t, w, stride[w - 1]);
        pair_close(&t);
    }
}

/* ---- random graphs --------------------------------------------------------------------------- */

static u128 random_value(Rng *r, unsigned w)
{
    u128 v = (u128)rng_next(r) << 64 | rng_next(r);
    switch (rng_below(r, 8)) {
    case 0: return 0;
    case 1: return 1;
    case 2: return bits_mask(w);
    case 3: return (u128)1 << rng_below(r, w);
    case 4: return bits_mask((unsigned)rng_below(r, w) + 1);
    case 5: return ~bits_mask((unsigned)rng_below(r, w) + 1) & bits_mask(w);
    case 6: return v % 16 & bits_mask(w);
    default: return v & bits_mask(w);
    }
}

static u128 random_float(Rng *r, unsigned w)
{
    static const double values[] = {0,    -0.0,  1,   -1, 0.5, 2.5,   -3,  100,
                                    1e10, -1e30, 0.1, 7,  255, 1e-40, 3e9, 1e300};
    double d = values[rng_below(r, COUNT_OF(values))];
    switch (rng_below(r, 8)) {
    case 0: return random_value(r, w);
    case 1: d = __builtin_inf(); break;
    case 2: d = __builtin_nan(""); break;
    default: break;
    }
    return w == 32 ? bits_of_float((float)d) : w == 64 ? bits_of_double(d) : bits_of_ldouble(d);
}

static Twin pick(Pair *t) { return t->bag.v[rng_below(&t->rng, t->bag.n)]; }

/* Something of width w: a constant, or what the bag has, cut or extended. */
static Twin of_width(Pair *t, unsigned w)
{
    if (rng_below(&t->rng, 6) == 0)
        return constant(t, w, random_value(&t->rng, w));
    Twin e = pick(t);
    for (int i = 0; i < 6 && width(t, e) != w; i++)
        e = pick(t);
    unsigned have = width(t, e);
    if (have > w)
        return extract(t, e, (unsigned)rng_below(&t->rng, 3) ? 0 : (unsigned)rng_below(&t->rng, have - w + 1),
                       w);
    if (have < w)
        return make(t, rng_below(&t->rng, 2) ? BITS_ZEXT : BITS_SEXT, w, e, e, e);
    return e;
}

static Twin float_of_width(Pair *t, unsigned w)
{
    Twin e;
    switch (rng_below(&t->rng, 6)) {
    case 0: return constant(t, w, random_float(&t->rng, w));
    case 1: e = of_width(t, 8); return make(t, rng_below(&t->rng, 2) ? BITS_UITOFP : BITS_SITOFP, w, e, e, e);
    case 2: e = of_width(t, 32); return w == 32 ? e : make(t, BITS_FPEXT, w, e, e, e);
    case 3: e = pick(t); return make(t, rng_below(&t->rng, 2) ? BITS_UITOFP : BITS_SITOFP, w, e, e, e);
    default: return of_width(t, w);
    }
}

static Twin random_float_op(Pair *t)
{
    static const unsigned widths[] = {32, 64, 80};
    BitsOp op = BITS_FADD + (BitsOp)rng_below(&t->rng, BITS_COUNT - BITS_FADD);
    unsigned w = widths[rng_below(&t->rng, 3)], source = widths[rng_below(&t->rng, 3)];
    Twin a;
    switch (op) {
    case BITS_FPTRUNC:
    case BITS_FPEXT: a = float_of_width(t, source); return make(t, op, w, a, a, a);
    case BITS_FPTOUI:
    case BITS_FPTOSI:
        a = float_of_width(t, source);
        return make(t, op, 1 + (unsigned)rng_below(&t->rng, 128), a, a, a);
    case BITS_UITOFP:
    case BITS_SITOFP: a = pick(t); return make(t, op, w, a, a, a);
    default: return make(t, op, w, float_of_width(t, w), float_of_width(t, w), float_of_width(t, w));
    }
}

typedef struct TwinArray {
    ExprArray plain, ruled;
} TwinArray;

static TwinArray random_base(Pair *t)
{
    uint8_t bytes[12];
    Expr plain[12], ruled[12];
    bool constants = rng_below(&t->rng, 3) == 0;
    ExprCType type = {EXPR_C_CHAR, 1};
    switch (rng_below(&t->rng, 3)) {
    case 0:
        return (TwinArray){expr_array_input(t->plain, expr_object(t->plain, "table", "table", 12, type)),
                           expr_array_input(t->ruled, expr_object(t->ruled, "table", "table", 12, type))};
    case 1:
        for (int i = 0; i < 12; i++)
            bytes[i] = (uint8_t)rng_next(&t->rng);
        return (TwinArray){expr_array_const(t->plain, bytes, 12), expr_array_const(t->ruled, bytes, 12)};
    default:
        for (int i = 0; i < 12; i++) {
            Twin e = constants ? constant(t, 8, rng_next(&t->rng)) : of_width(t, 8);
            plain[i] = e.plain;
            ruled[i] = e.ruled;
        }
        return (TwinArray){expr_array_list(t->plain, plain, 12), expr_array_list(t->ruled, ruled, 12)};
    }
}

static Twin random_index(Pair *t, Twin i)
{
    switch (rng_below(&t->rng, 4)) {
    case 0: return constant(t, 64, rng_below(&t->rng, 14));
    case 1: return i;
    case 2: return make2(t, BITS_ADD, i, constant(t, 64, rng_below(&t->rng, 3)));
    default: return make(t, BITS_ZEXT, 64, of_width(t, 4), i, i);
    }
}

static Twin random_select(Pair *t)
{
    TwinArray a = random_base(t);
    Twin i = make(t, BITS_ZEXT, 64, of_width(t, 4), constant(t, 1, 0), constant(t, 1, 0));
    for (uint64_t n = rng_below(&t->rng, 5); n-- > 0;) {
        Twin at = random_index(t, i), byte = of_width(t, 8);
        a.plain = expr_array_store(t->plain, a.plain, at.plain, byte.plain);
        a.ruled = expr_array_store(t->ruled, a.ruled, at.ruled, byte.ruled);
    }
    Twin at = random_index(t, i);
    return (Twin){expr_array_select(t->plain, a.plain, at.plain),
                  expr_array_select(t->ruled, a.ruled, at.ruled)};
}

static Twin random_apply(Pair *t)
{
    Twin a = rng_below(&t->rng, 3) ? of_width(t, 16) : constant(t, 16, 5), b = constant(t, 8, 7);
    return (Twin){expr_apply(t->plain, t->fn[0], (Expr[]){a.plain, b.plain}, 2),
                  expr_apply(t->ruled, t->fn[1], (Expr[]){a.ruled, b.ruled}, 2)};
}

static unsigned random_width(Pair *t)
{
    static const unsigned widths[] = {1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 16, 32, 32, 64, 128};
    return rng_below(&t->rng, 12) ? widths[rng_below(&t->rng, COUNT_OF(widths))]
                                  : 1 + (unsigned)rng_below(&t->rng, 128);
}

/* A value cut into parts and put together again, as memory does it. */
static Twin store_and_load(Pair *t, Twin e)
{
    unsigned w = width(t, e), piece = w % 8 == 0 ? 8 : 1 + (unsigned)rng_below(&t->rng, w),
             at = piece < w ? piece : w;
    Twin all = extract(t, e, 0, at);
    while (at < w) {
        unsigned take = w - at < piece ? w - at : piece;
        all = concat(t, extract(t, e, at, take), all);
        at += take;
    }
    return all;
}

static Twin random_integer_op(Pair *t, unsigned w)
{
    BitsOp op = (BitsOp)rng_below(&t->rng, BITS_TRUNC);
    if (!bits_widths_ok(op, w, w))
        op = BITS_ADD;
    Twin a = of_width(t, w), b = rng_below(&t->rng, 8) ? of_width(t, w) : a;
    if (op == BITS_SELECT)
        return make(t, op, w, of_width(t, 1), a, b);
    return make(t, op, w, a, b, of_width(t, w));
}

/* A value of the term, or another one: as a walk along a string asks for each of its bytes. */
static Twin is_one(Pair *t, Twin a, bool other)
{
    unsigned w = width(t, a);
    Twin is = make2(t, BITS_EQ, a, constant(t, w, rng_below(&t->rng, 3)));
    return other ? not_(t, is) : is;
}

/* Of such a walk: the difference of the first byte that is not k, or what comes behind it; compared with a
 * value. */
static Twin random_walk(Pair *t, unsigned w)
{
    Twin a = of_width(t, w), k = constant(t, w, rng_below(&t->rng, 3));
    Twin is = make2(t, BITS_AND, make2(t, BITS_EQ, a, k), is_one(t, a, rng_below(&t->rng, 4)));
    Twin walked = ite(t, is, of_width(t, w), make2(t, BITS_SUB, a, k));
    return is_one(t, walked, rng_below(&t->rng, 2));
}

static Twin random_node(Pair *t)
{
    unsigned w = random_width(t);
    Twin a = of_width(t, w);
    switch (rng_below(&t->rng, 17)) {
    case 16: return random_walk(t, w);
    case 0: return extract(t, a, (unsigned)rng_below(&t->rng, w), 1);
    case 1: return w < 128 ? concat(t, a, of_width(t, 1 + (unsigned)rng_below(&t->rng, 128 - w))) : a;
    case 2: return random_select(t);
    case 3: return rng_below(&t->rng, 4) ? store_and_load(t, a) : random_apply(t);
    case 4: return random_float_op(t);
    case 5: return neg(t, a);
    case 6: return not_(t, a);
    case 7: return make2(t, rng_below(&t->rng, 2) ? BITS_AND : BITS_OR, of_width(t, 1), of_width(t, 1));
    case 8:
        return ite(t, of_width(t, 1), constant(t, w, random_value(&t->rng, w)),
                   constant(t, w, random_value(&t->rng, w)));
    default: return random_integer_op(t, w);
    }
}

static void seed_bag(Pair *t)
{
    static const unsigned widths[] = {1, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 80, 128};
    char name[8];
    ExprCType type = {EXPR_C_INT, 0};
    vec_clear(&t->bag);
    for (unsigned i = 0; i < COUNT_OF(widths); i++) {
        snprintf(name, sizeof name, "s%u", i);
        add(t, scalar(t, name, widths[i]));
    }
    ExprObject plain = expr_object(t->plain, "word", "word", 4, type),
               ruled = expr_object(t->ruled, "word", "word", 4, type);
    add(t, (Twin){expr_object_word(t->plain, plain, 0, 4), expr_object_word(t->ruled, ruled, 0, 4)});
    add(t, (Twin){expr_object_byte(t->plain, plain, 1), expr_object_byte(t->ruled, ruled, 1)});
}

static void random_input(Pair *t)
{
    bool small = rng_below(&t->rng, 3) == 0;
    vec_clear(&t->input);
    for (uint32_t i = 0; i < 128; i++)
        expr_input_set_byte(&t->input, i, (uint8_t)(small ? rng_below(&t->rng, 3) : rng_next(&t->rng)));
    set_input(t);
}

static void run_random(Pair *t, unsigned nodes, unsigned inputs)
{
    seed_bag(t);
    for (unsigned i = 0; i < nodes; i++)
        add(t, random_node(t));
    for (unsigned k = 0; k < inputs; k++) {
        random_input(t);
        for (uint32_t i = 0; i < t->bag.n; i++)
            check(t, t->bag.v[i]);
    }
}

static void random_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        Pair t;
        pair_open(&t, seed);
        run_random(&t, 200, 12);
        pair_close(&t);
    }
}

/* ---- floats ---------------------------------------------------------------------------------- */

static Twin cast(Pair *t, BitsOp op, unsigned w, Twin a) { return make(t, op, w, a, a, a); }

/* Operands of a float width: constants, x, signs changed, integers converted, narrower floats widened. */
static void fill_floats(Pair *t, unsigned w)
{
    static const double values[] = {0,   1,    -1,   2.5, -3.5, 100,   127,   255,
                                    256, -128, -129, 0.1, 3e9,  1e300, -1e300};
    Twin x = scalar_of(t, "f", w), i = scalar_of(t, "i", 8), k = scalar_of(t, "k", 8),
         narrow = scalar_of(t, "f", 32);
    vec_clear(&t->bag);
    for (size_t n = 0; n < COUNT_OF(values); n++)
        add(t, constant(t, w,
                        w == 32   ? bits_of_float((float)values[n])
                        : w == 64 ? bits_of_double(values[n])
                                  : bits_of_ldouble(values[n])));
    add(t, constant(t, w, bits_apply(BITS_FDIV, w, 0, 0, 0, 0)));
    add(t, cast(t, BITS_FPEXT, w, constant(t, 32, bits_of_float(0.1f))));
    add(t, x);
    add(t, make2(t, BITS_FNEG, x, x));
    add(t, make2(t, BITS_FABS, x, x));
    add(t, make2(t, BITS_FADD, x, cast(t, BITS_SITOFP, w, i)));
    add(t, cast(t, BITS_SITOFP, w, i));
    add(t, cast(t, BITS_UITOFP, w, i));
    add(t, cast(t, BITS_SITOFP, w, k));
    add(t, cast(t, BITS_SITOFP, w, cast(t, BITS_SEXT, 32, i)));
    add(t, cast(t, BITS_SITOFP, w, cast(t, BITS_ZEXT, 32, k)));
    add(t, cast(t, BITS_UITOFP, w, cast(t, BITS_SEXT, 64, k)));
    if (w > 32) {
        add(t, cast(t, BITS_FPEXT, w, narrow));
        add(t, cast(t, BITS_FPEXT, w, cast(t, BITS_SITOFP, 32, i)));
        add(t, cast(t, BITS_FPEXT, w, make2(t, BITS_FNEG, narrow, narrow)));
    }
    if (w > 64)
        add(t, cast(t, BITS_FPEXT, w, cast(t, BITS_FPEXT, 64, narrow)));
}

/* Everything over the operands, behind them in the bag. */
static void apply_floats(Pair *t, unsigned w)
{
    uint32_t operands = t->bag.n;
    for (uint32_t a = 0; a < operands; a++) {
        for (unsigned to = 8; to <= 128; to *= 2) {
            add(t, cast(t, BITS_FPTOSI, to, t->bag.v[a]));
            add(t, cast(t, BITS_FPTOUI, to, t->bag.v[a]));
        }
        for (uint32_t b = 0; b < operands; b++)
            for (BitsOp op = BITS_FADD; op < BITS_FPTRUNC; op++)
                if (bits_op_result(op) == BITS_RESULT_BIT || bits_op_arity(op) == 1 || (a + b) % 4 == 0)
                    add(t, make(t, op, w, t->bag.v[a], t->bag.v[b], t->bag.v[a]));
    }
}

static void float_shapes(void **state)
{
    (void)state;
    for (unsigned w = 32; w <= 80; w += w == 32 ? 32 : 16) {
        Pair t;
        pair_open(&t, 300 + w);
        fill_floats(&t, w);
        apply_floats(&t, w);
        Twin x = scalar_of(&t, "f", w), narrow = scalar_of(&t, "f", 32);
        for (int i = 0; i < 60; i++) {
            random_input(&t);
            expr_input_set(t.plain, &t.input, narrow.plain, random_float(&t.rng, 32));
            expr_input_set(t.plain, &t.input, x.plain, random_float(&t.rng, w));
            for (uint32_t e = 0; e < t.bag.n; e++)
                check(&t, t.bag.v[e]);
        }
        pair_close(&t);
    }
}

/* Sums and conjunctions longer than what rules sort. */
static void run_chains(Pair *t)
{
    seed_bag(t);
    Twin terms[12], members[12], sum = constant(t, 8, 3), all = constant(t, 1, 1);
    for (int i = 0; i < 12; i++) {
        terms[i] = of_width(t, 8);
        members[i] = make2(t, BITS_ULT, terms[i], constant(t, 8, 20 + rng_below(&t->rng, 200)));
    }
    for (int i = 0; i < 40; i++) {
        Twin term = terms[rng_below(&t->rng, 12)], member = members[rng_below(&t->rng, 12)];
        if (rng_below(&t->rng, 3) == 0)
            term = make2(t, BITS_ADD, term, constant(t, 8, rng_below(&t->rng, 256)));
        sum = make2(t, rng_below(&t->rng, 3) ? BITS_ADD : BITS_SUB, sum, term);
        all = make2(t, BITS_AND, all, member);
        add(t, sum);
        add(t, all);
        add(t, neg(t, sum));
        add(t, make2(t, BITS_EQ, sum, term));
        add(t, make2(t, BITS_SUB, make2(t, BITS_ADD, sum, term), sum));
        add(t, make2(t, BITS_AND, all, not_(t, member)));
        add(t, make2(t, BITS_OR, not_(t, all), member));
    }
    for (int k = 0; k < 20; k++) {
        random_input(t);
        for (uint32_t i = 0; i < t->bag.n; i++)
            check(t, t->bag.v[i]);
    }
}

static void long_chains(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        Pair t;
        pair_open(&t, 500 + seed);
        run_chains(&t);
        pair_close(&t);
    }
}

static void each_rule_alone(void **state)
{
    (void)state;
    for (int rule = 0; rule < EXPR_RULE_COUNT; rule++) {
        Pair t;
        pair_open(&t, 1000 + (uint64_t)rule);
        expr_rule_switch_all(t.ruled, false);
        expr_rule_switch(t.ruled, (ExprRule)rule, true);
        run_random(&t, 200, 3);
        run_shapes(&t, 2, 61);
        pair_close(&t);
    }
}

static void each_rule_left_out(void **state)
{
    (void)state;
    for (int rule = 0; rule < EXPR_RULE_COUNT; rule++) {
        Pair t;
        pair_open(&t, 2000 + (uint64_t)rule);
        expr_rule_switch(t.ruled, (ExprRule)rule, false);
        run_random(&t, 200, 3);
        run_shapes(&t, 2, 61);
        assert_int_equal(expr_rule_hits(t.ruled, (ExprRule)rule), 0);
        pair_close(&t);
    }
}

static void every_rule_was_hit(void **state)
{
    (void)state;
    for (int i = 0; i < EXPR_RULE_COUNT; i++)
        if (all_hits[i] == 0)
            fail_msg("rule %s was never hit: %s", expr_rule_name((ExprRule)i), expr_rule_text((ExprRule)i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_exhaustively), cmocka_unit_test(random_graphs),
        cmocka_unit_test(long_chains),         cmocka_unit_test(float_shapes),
        cmocka_unit_test(each_rule_alone),     cmocka_unit_test(each_rule_left_out),
        cmocka_unit_test(every_rule_was_hit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
