/* random_expr.c - see random_expr.h. */
#include "random_expr.h"

enum { STOCK_START = 24, STOCK_STEP = 6, STOCK_MAX = 140 };

struct RandomExpr {
    ExprPool *p;
    Rng rng;
    RandomKind kind;
    ExprVec symbols, stock;
    Vec(ExprArray) arrays;
};

static uint64_t below(RandomExpr *r, uint64_t n) { return rng_below(&r->rng, n); }

static u128 random_value(RandomExpr *r)
{
    u128 v = (u128)rng_next(&r->rng) << 64 | rng_next(&r->rng);
    switch (below(r, 5)) {
    case 0: return below(r, 4);
    case 1: return ~(u128)below(r, 4);
    case 2: return (u128)1 << below(r, 64);
    case 3: return below(r, 256);
    default: return v;
    }
}

static unsigned random_width(RandomExpr *r)
{
    static const uint8_t usual[] = { 1, 8, 8, 16, 32, 32, 64 };
    if (r->kind == RANDOM_SMALL)
        return 1 + (unsigned)below(r, 8);
    return below(r, 3) ? usual[below(r, COUNT_OF(usual))] : 1 + (unsigned)below(r, 64);
}

/* A node of the stock, made to have this width. */
static Expr draw(RandomExpr *r, unsigned width)
{
    if (below(r, 7) == 0)
        return expr_const(r->p, width, random_value(r));
    Expr e = r->stock.v[below(r, r->stock.n)];
    for (unsigned i = 0; i < 4 && expr_width(r->p, e) != width; i++)
        e = r->stock.v[below(r, r->stock.n)];
    unsigned w = expr_width(r->p, e);
    if (w == width)
        return e;
    if (w > width)
        return expr_extract(r->p, e, (unsigned)below(r, w - width + 1), width);
    return below(r, 2) ? expr_zext(r->p, e, width) : expr_sext(r->p, e, width);
}

static void add_array(RandomExpr *r)
{
    uint8_t bytes[300];
    Expr list[300];
    uint32_t size = 1 + (uint32_t)below(r, r->kind == RANDOM_SMALL ? 6 : below(r, 3) ? 12 : 300);
    for (uint32_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)below(r, 256);
        list[i] = below(r, 2) ? draw(r, 8) : expr_const(r->p, 8, bytes[i]);
    }
    vec_push(&r->arrays, below(r, 2) ? expr_array_const(r->p, bytes, size) : expr_array_list(r->p, list, size));
}

/* An index that often lies inside. */
static Expr draw_index(RandomExpr *r)
{
    return expr_zext(r->p, draw(r, below(r, 8) ? 3 + (unsigned)below(r, 6) : 32), 64);
}

static Expr array_node(RandomExpr *r)
{
    if (r->arrays.n == 0 || (r->arrays.n < 12 && below(r, 4) == 0))
        add_array(r);
    ExprArray a = r->arrays.v[below(r, r->arrays.n)];
    if (below(r, 2)) {
        a = expr_array_store(r->p, a, draw_index(r), draw(r, 8));
        if (r->arrays.n < 12)
            vec_push(&r->arrays, a);
    }
    return expr_array_select(r->p, a, draw_index(r));
}

static Expr float_node(RandomExpr *r)
{
    static const double special[] = { 0, -0.0, 1, -1, 0.1, 1e10, 1e-10, 3.5, 255, 1e300 };
    unsigned w = below(r, 2) ? 32 : 64, other = 96 - w;
    if (below(r, 5) == 0) {
        double d = special[below(r, COUNT_OF(special))];
        return expr_const(r->p, w, w == 32 ? bits_of_float((float)d) : bits_of_double(d));
    }
    BitsOp op = BITS_FADD + (BitsOp)below(r, BITS_SITOFP - BITS_FADD + 1);
    if (op == BITS_FREM || op == BITS_FMA || (op == BITS_FDIV && below(r, 3)) || (op == BITS_FSQRT && below(r, 3)))
        op = BITS_FADD;                                        /* slow in Z3: keep few of these */
    switch (op) {
    case BITS_FPTRUNC: return expr_make(r->p, op, 32, draw(r, 64), EXPR_NONE, EXPR_NONE);
    case BITS_FPEXT: return expr_make(r->p, op, 64, draw(r, 32), EXPR_NONE, EXPR_NONE);
    case BITS_FPTOUI:
    case BITS_FPTOSI: return expr_make(r->p, op, below(r, 2) ? 32 : 64, draw(r, w), EXPR_NONE, EXPR_NONE);
    case BITS_UITOFP:
    case BITS_SITOFP: return expr_make(r->p, op, w, draw(r, other), EXPR_NONE, EXPR_NONE);
    default: return expr_make(r->p, op, w, draw(r, w), draw(r, w), draw(r, w));
    }
}

static Expr integer_node(RandomExpr *r)
{
    unsigned width = random_width(r);
    switch (below(r, 10)) {
    case 0: return r->kind == RANDOM_FLOAT ? float_node(r) : array_node(r);
    case 1: {
        unsigned low = 1 + (unsigned)below(r, 32);
        return expr_concat(r->p, draw(r, 1 + (unsigned)below(r, 32)), draw(r, low));
    }
    case 2: {
        Expr e = draw(r, width);
        unsigned part = 1 + (unsigned)below(r, width);
        return expr_extract(r->p, e, (unsigned)below(r, width - part + 1), part);
    }
    default: break;
    }
    BitsOp op = (BitsOp)below(r, BITS_SELECT + 1);
    bool slow = op == BITS_MUL || (op >= BITS_UDIV && op <= BITS_SREM) || op == BITS_UMUL_OVF || op == BITS_SMUL_OVF;
    if (slow && width > 12)
        width = 1 + (unsigned)below(r, 12);                    /* two dozen wide products are a research problem */
    if (op == BITS_BSWAP)
        width = 8 * (1 + (unsigned)below(r, 4));
    Expr a = draw(r, op == BITS_SELECT ? 1 : width);
    return expr_make(r->p, op, width, a, draw(r, width), draw(r, width));
}

RandomExpr *random_expr_new(ExprPool *p, uint64_t seed, RandomKind kind)
{
    RandomExpr *r = mem_zalloc(sizeof *r);
    r->p = p;
    r->kind = kind;
    rng_seed(&r->rng, seed);
    char name[16];
    unsigned left = kind == RANDOM_SMALL ? 12 : 256;
    for (unsigned i = 0; left > 0 && i < 6; i++) {
        unsigned width = kind == RANDOM_SMALL   ? 1 + (unsigned)below(r, 5)
                         : kind == RANDOM_FLOAT ? 32 + 32 * (i & 1)
                                                : random_width(r);
        width = width < left ? width : left;
        left -= width;
        snprintf(name, sizeof name, "v%u", i);
        Expr e;
        if (kind != RANDOM_SMALL && width % 8 == 0 && below(r, 2)) {
            ExprObject o = expr_object(p, name, name, width / 8, (ExprCType){ EXPR_C_UINT, 1 });
            e = expr_object_word(p, o, 0, width / 8);
            for (unsigned k = 0; k < width / 8; k++)
                vec_push(&r->symbols, expr_object_byte(p, o, k));
            if (kind == RANDOM_WIDE && below(r, 2))
                vec_push(&r->arrays, expr_array_input(p, o));
        } else {
            e = expr_object_symbol(p, expr_object_scalar(p, name, name, width, (ExprCType){ EXPR_C_UINT, 0 }));
            vec_push(&r->symbols, e);
        }
        vec_push(&r->stock, e);
    }
    for (unsigned i = 0; i < STOCK_START; i++)
        vec_push(&r->stock, kind == RANDOM_FLOAT && below(r, 2) ? float_node(r) : integer_node(r));
    return r;
}

void random_expr_free(RandomExpr *r)
{
    vec_free(&r->symbols);
    vec_free(&r->stock);
    vec_free(&r->arrays);
    mem_free(r);
}

const ExprVec *random_expr_symbols(const RandomExpr *r) { return &r->symbols; }

void random_expr_query(RandomExpr *r, ExprVec *out)
{
    for (unsigned i = 0; i < STOCK_STEP && r->stock.n < STOCK_MAX; i++)
        vec_push(&r->stock, r->kind == RANDOM_FLOAT && below(r, 3) ? float_node(r) : integer_node(r));
    vec_clear(out);
    uint32_t n = 1 + (uint32_t)below(r, r->kind == RANDOM_FLOAT ? 3 : 7);
    for (uint32_t i = 0; i < n; i++) {
        BitsOp op = r->kind == RANDOM_FLOAT && below(r, 2) ? BITS_FOEQ + (BitsOp)below(r, BITS_FULE - BITS_FOEQ + 1)
                                                            : BITS_EQ + (BitsOp)below(r, BITS_SLE - BITS_EQ + 1);
        Expr a = r->stock.v[below(r, r->stock.n)];
        unsigned w = bits_op_is_float(op) ? (below(r, 2) ? 32 : 64) : expr_width(r->p, a);
        Expr c = expr_make(r->p, op, 1, draw(r, w), draw(r, w), EXPR_NONE);
        vec_push(out, below(r, 6) == 0 ? draw(r, 1) : c);
    }
}
