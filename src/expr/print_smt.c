/* print_smt.c - SMT-LIB 2. Shared nodes, and every HEIGHT_LIMIT-th node of a deep chain, are bound by let,
 * one let for all nodes of a level, so that no text nests deeper than the levels and no function here
 * recurses deeper than HEIGHT_LIMIT.
 *
 * A node of a float operator prints as a term of a FloatingPoint sort. Where an operator on bit-vectors takes
 * it, its bits are a fresh constant whose to_fp is that term (a conjunct of the query), or fp.to_ieee_bv in a
 * single term. */
#include "expr/expr_int.h"

enum { HEIGHT_LIMIT = 24 };

typedef struct SmtNode {
    uint32_t uses, level, height;
    bool bound, wants_bits; /* bits: of a float result, taken as a bit-vector */
} SmtNode;

typedef struct Smt {
    const ExprPool *p;
    Str *out;
    bool query; /* may declare constants */
    U32Vec cone;
    Map place; /* node id to place in the cone */
    SmtNode *node;
    uint32_t levels;
} Smt;

static void term(Smt *s, Expr e);
static void bits_term(Smt *s, Expr e);
static void float_term(Smt *s, Expr e);

static SmtNode *smt_node(Smt *s, Expr e) { return &s->node[map_get_or(&s->place, e.id, 0)]; }

/* A node whose own text is of a FloatingPoint sort. */
static bool is_float_result(const ExprPool *p, Expr e)
{
    ExprOp op = op_of(p, e);
    return (op >= EXPR_FADD && op <= EXPR_FMA) || op == EXPR_FCAST || op == EXPR_UITOFP || op == EXPR_SITOFP;
}

static bool takes_floats(ExprOp op) { return op >= EXPR_FADD && op != EXPR_UITOFP && op != EXPR_SITOFP; }

static bool is_leaf(const ExprPool *p, Expr e) { return is_const(p, e) || is(p, e, EXPR_SYMBOL); }

/* ---- names, sorts, constants ----------------------------------------------------------------- */

void expr_smt_name(const char *name, Str *out)
{
    for (; *name; name++) {
        bool plain = *name >= 32 && *name < 127 && *name != '|' && *name != '\\' && *name != '?';
        str_add_char(out, plain ? *name : '_');
    }
}

static void symbol_text(const ExprPool *p, ExprObject object, uint32_t offset, Str *out)
{
    const ExprObjectInfo *info = expr_object_info(p, object);
    str_add_char(out, '|');
    expr_smt_name(info->name, out);
    if (!info->scalar)
        str_printf(out, "[%u]", offset);
    if (bitset_has(&p->smt_repeated, object.id))
        str_printf(out, "#%u", object.id);
    str_add_char(out, '|');
}

void expr_print_smt_symbol(const ExprPool *p, Expr symbol, Str *out)
{
    uint32_t offset;
    ExprObject object = expr_symbol_object(p, symbol, &offset);
    symbol_text(p, object, offset, out);
}

static void bits_const(Str *out, unsigned width, u128 value)
{
    if (width % 4 == 0) {
        str_add(out, "#x");
        for (unsigned at = width; at > 0; at -= 4)
            str_add_char(out, "0123456789abcdef"[(unsigned)(value >> (at - 4)) & 15]);
        return;
    }
    str_add(out, "#b");
    for (unsigned at = width; at > 0; at--)
        str_add_char(out, (value >> (at - 1) & 1) ? '1' : '0');
}

/* "8 24": exponent and significand. */
static const char *float_format(unsigned width)
{
    return width == 32 ? "8 24" : width == 64 ? "11 53" : "15 64";
}

static void sort(Str *out, unsigned width)
{
    if (width == 1)
        str_add(out, "Bool");
    else
        str_printf(out, "(_ BitVec %u)", width);
}

/* ---- floats as terms ------------------------------------------------------------------------- */

/* A float from the text of its bits; 80 bits have an integer bit that the sort has not. */
static void float_of_bits(Smt *s, Expr e)
{
    unsigned width = width_of(s->p, e);
    if (width != 80) {
        str_printf(s->out, "((_ to_fp %s) ", float_format(width));
        bits_term(s, e);
        str_add(s->out, ")");
        return;
    }
    static const char *const part[] = {"(fp ((_ extract 79 79) ", ") ((_ extract 78 64) ",
                                       ") ((_ extract 62 0) "};
    for (int i = 0; i < 3; i++) {
        str_add(s->out, part[i]);
        bits_term(s, e);
    }
    str_add(s->out, "))");
}

static void float_term(Smt *s, Expr e)
{
    if (is_float_result(s->p, e))
        term(s, e);
    else
        float_of_bits(s, e);
}

/* The bits of a float result: a declared constant, or Z3's function. */
static void result_bits(Smt *s, Expr e)
{
    if (s->query) {
        str_printf(s->out, "?bits%u", e.id);
        return;
    }
    str_add(s->out, "(fp.to_ieee_bv ");
    term(s, e);
    str_add(s->out, ")");
}

/* Any node of more than one bit as a bit-vector. */
static void bits_of_float_result(Smt *s, Expr e)
{
    if (width_of(s->p, e) != 80) {
        result_bits(s, e);
        return;
    }
    str_add(s->out, "(concat ((_ extract 78 63) ");
    result_bits(s, e);
    str_add(s->out, ") (ite (= ((_ extract 77 63) ");
    result_bits(s, e);
    str_add(s->out, ") ");
    bits_const(s->out, 15, 0);
    str_add(s->out, ") #b0 #b1) ((_ extract 62 0) ");
    result_bits(s, e);
    str_add(s->out, "))");
}

/* As a bit-vector, whatever the node's own sort is. */
static void bits_term(Smt *s, Expr e)
{
    if (width_of(s->p, e) == 1) {
        str_add(s->out, "(ite ");
        term(s, e);
        str_add(s->out, " #b1 #b0)");
    } else if (is_float_result(s->p, e)) {
        bits_of_float_result(s, e);
    } else {
        term(s, e);
    }
}

/* ---- operators ------------------------------------------------------------------------------- */

static const char *bits_operator(ExprOp op)
{
    switch (op) {
    case EXPR_ADD: return "bvadd";
    case EXPR_NEG: return "bvneg";
    case EXPR_MUL: return "bvmul";
    case EXPR_UDIV: return "bvudiv";
    case EXPR_SDIV: return "bvsdiv";
    case EXPR_UREM: return "bvurem";
    case EXPR_SREM: return "bvsrem";
    case EXPR_AND: return "bvand";
    case EXPR_OR: return "bvor";
    case EXPR_XOR: return "bvxor";
    case EXPR_NOT: return "bvnot";
    case EXPR_SHL: return "bvshl";
    case EXPR_LSHR: return "bvlshr";
    case EXPR_ASHR: return "bvashr";
    case EXPR_ULT: return "bvult";
    case EXPR_SLT: return "bvslt";
    case EXPR_CONCAT: return "concat";
    default: return NULL;
    }
}

static const char *bool_operator(ExprOp op)
{
    switch (op) {
    case EXPR_AND: return "and";
    case EXPR_OR: return "or";
    case EXPR_XOR: return "xor";
    case EXPR_NOT: return "not";
    case EXPR_EQ: return "=";
    default: return NULL;
    }
}

static const char *float_operator(ExprOp op)
{
    switch (op) {
    case EXPR_FADD: return "fp.add RNE";
    case EXPR_FSUB: return "fp.sub RNE";
    case EXPR_FMUL: return "fp.mul RNE";
    case EXPR_FDIV: return "fp.div RNE";
    case EXPR_FMIN: return "fp.min";
    case EXPR_FMAX: return "fp.max";
    case EXPR_FNEG: return "fp.neg";
    case EXPR_FABS: return "fp.abs";
    case EXPR_FSQRT: return "fp.sqrt RNE";
    case EXPR_FFLOOR: return "fp.roundToIntegral RTN";
    case EXPR_FCEIL: return "fp.roundToIntegral RTP";
    case EXPR_FTRUNC: return "fp.roundToIntegral RTZ";
    case EXPR_FROUND: return "fp.roundToIntegral RNA";
    case EXPR_FRINT: return "fp.roundToIntegral RNE";
    case EXPR_FMA: return "fp.fma RNE";
    case EXPR_FOEQ: return "fp.eq";
    case EXPR_FOLT: return "fp.lt";
    case EXPR_FOLE: return "fp.leq";
    default: return NULL;
    }
}

static void operands(Smt *s, Expr e, void (*print)(Smt *, Expr))
{
    for (uint32_t i = 0; i < expr_child_count(s->p, e); i++) {
        str_add_char(s->out, ' ');
        print(s, expr_child(s->p, e, i));
    }
    str_add_char(s->out, ')');
}

/* Functions that the query declares: apply, frem, conversions to 128 bits. Names say the sorts. */
static void uninterpreted_name(const ExprPool *p, Expr e, Str *out)
{
    str_add_char(out, '|');
    expr_smt_name(is(p, e, EXPR_APPLY) ? expr_fn_name(p, expr_apply_fn(p, e)) : expr_op_text(op_of(p, e)),
                  out);
    for (uint32_t i = 0; i < expr_child_count(p, e); i++)
        str_printf(out, "%c%u", i ? ',' : '/', width_of(p, expr_child(p, e, i)));
    str_printf(out, ":%u|", width_of(p, e));
}

static bool is_uninterpreted(const ExprPool *p, Expr e)
{
    ExprOp op = op_of(p, e);
    return op == EXPR_APPLY || op == EXPR_FREM ||
           ((op == EXPR_FPTOSI || op == EXPR_FPTOUI) && width_of(p, e) > 64);
}

static void float_power(Str *out, unsigned width, int exponent, bool minus)
{
    u128 v = bits_of_ldouble(__builtin_ldexpl(minus ? -1 : 1, exponent));
    str_printf(out, "((_ to_fp %s) ", float_format(width));
    if (width == 80) { /* 79 bits, without the integer bit */
        bits_const(out, 79, v >> 64 << 63 | (v & bits_mask(63)));
    } else {
        bits_const(out, width, bits_apply(BITS_FPTRUNC, width, 80, v, 0, 0));
    }
    str_add(out, ")");
}

/* What the hardware gives: truncated if that fits, else only the top bit set. */
static void float_to_int(Smt *s, Expr e)
{
    unsigned width = width_of(s->p, e), source = width_of(s->p, kid(s->p, e, 0));
    str_printf(s->out, "(let ((?t%u (fp.roundToIntegral RTZ ", e.id);
    float_term(s, kid(s->p, e, 0));
    str_add(s->out, "))) (ite (and (fp.leq ");
    float_power(s->out, source, (int)width - 1, true);
    str_printf(s->out, " ?t%u) (fp.lt ?t%u ", e.id, e.id);
    float_power(s->out, source, (int)width - 1, false);
    str_printf(s->out, ")) ((_ fp.to_sbv %u) RTZ ?t%u) ", width, e.id);
    bits_const(s->out, width, (u128)1 << (width - 1));
    str_add(s->out, "))");
}

static void float_node(Smt *s, Expr e)
{
    ExprOp op = op_of(s->p, e);
    const char *name = float_operator(op);
    if (name) {
        str_printf(s->out, "(%s", name);
        operands(s, e, float_term);
        return;
    }
    switch (op) {
    case EXPR_FCAST:
        str_printf(s->out, "((_ to_fp %s) RNE", float_format(width_of(s->p, e)));
        operands(s, e, float_term);
        break;
    case EXPR_SITOFP:
    case EXPR_UITOFP:
        str_printf(s->out, "((_ to_fp%s %s) RNE", op == EXPR_UITOFP ? "_unsigned" : "",
                   float_format(width_of(s->p, e)));
        operands(s, e, bits_term);
        break;
    case EXPR_FPTOSI: float_to_int(s, e); break;
    default: bug("no SMT-LIB for %s", expr_op_text(op));
    }
}

/* All bytes are stored over an array of which nothing is known: constant arrays are not part of the logic. */
static void base_array(Smt *s, Expr e)
{
    const ExprPool *p = s->p;
    ExprArray a = {e.id};
    uint32_t size = expr_array_size(p, a);
    for (uint32_t i = 0; i < size; i++)
        str_add(s->out, "(store ");
    str_add(s->out, "?any");
    for (uint32_t i = 0; i < size; i++) {
        str_printf(s->out, " #x%016x ", i);
        if (is(p, e, EXPR_ARRAY_CONST))
            bits_const(s->out, 8, expr_array_bytes(p, a)[i]);
        else if (is(p, e, EXPR_ARRAY_LIST))
            bits_term(s, expr_child(p, e, i));
        else
            symbol_text(p, expr_array_object(p, a), i, s->out);
        str_add(s->out, ")");
    }
}

/* Reading beyond the size gives 0; what was stored there is never seen, so that stores need no such care. */
static void select_node(Smt *s, Expr e)
{
    Expr array = kid(s->p, e, 0), index = kid(s->p, e, 1);
    uint32_t size = expr_array_size(s->p, (ExprArray){array.id});
    str_add(s->out, "(ite (bvult ");
    term(s, index);
    str_printf(s->out, " #x%016x) (select ", size);
    term(s, array);
    str_add_char(s->out, ' ');
    term(s, index);
    str_add(s->out, ") #x00)");
}

static void word_node(Smt *s, Expr e)
{
    const ExprPool *p = s->p;
    ExprOp op = op_of(p, e);
    unsigned width = width_of(p, e);
    switch (op) {
    case EXPR_EQ:
        str_add(s->out, "(=");
        operands(s, e, bits_term);
        return;
    case EXPR_ITE:
        str_add(s->out, "(ite ");
        term(s, kid(p, e, 0));
        for (unsigned i = 1; i < 3; i++) {
            str_add_char(s->out, ' ');
            (width == 1 ? term : bits_term)(s, kid(p, e, i));
        }
        str_add(s->out, ")");
        return;
    case EXPR_EXTRACT:
        str_printf(s->out, "%s((_ extract %u %u)", width == 1 ? "(= " : "", low_of(p, e) + width - 1,
                   low_of(p, e));
        operands(s, e, bits_term);
        str_add(s->out, width == 1 ? " #b1)" : "");
        return;
    case EXPR_ZEXT:
    case EXPR_SEXT:
        str_printf(s->out, "((_ %s_extend %u)", op == EXPR_ZEXT ? "zero" : "sign",
                   width - width_of(p, kid(p, e, 0)));
        operands(s, e, bits_term);
        return;
    default: break;
    }
    bool wrap = width == 1 && op != EXPR_ULT && op != EXPR_SLT;
    str_printf(s->out, "%s(%s", wrap ? "(= " : "", bits_operator(op));
    operands(s, e, bits_term);
    str_add(s->out, wrap ? " #b1)" : "");
}

/* The node itself, whether or not it is bound. */
static void node_text(Smt *s, Expr e)
{
    const ExprPool *p = s->p;
    ExprOp op = op_of(p, e);
    if (op == EXPR_CONST && width_of(p, e) == 1) {
        str_add(s->out, value_of(p, e) ? "true" : "false");
    } else if (op == EXPR_CONST) {
        bits_const(s->out, width_of(p, e), value_of(p, e));
    } else if (op == EXPR_SYMBOL) {
        expr_print_smt_symbol(p, e, s->out);
    } else if (op == EXPR_SELECT) {
        select_node(s, e);
    } else if (op == EXPR_STORE) {
        str_add(s->out, "(store ");
        term(s, kid(p, e, 0));
        for (unsigned i = 1; i < 3; i++) {
            str_add_char(s->out, ' ');
            bits_term(s, kid(p, e, i));
        }
        str_add(s->out, ")");
    } else if (width_of(p, e) == 0) {
        base_array(s, e);
    } else if (is_uninterpreted(p, e)) {
        str_add_char(s->out, '(');
        uninterpreted_name(p, e, s->out);
        operands(s, e, op == EXPR_APPLY ? term : float_term);
    } else if (expr_op_is_float(op)) {
        float_node(s, e);
    } else if (width_of(p, e) == 1 && width_of(p, kid(p, e, 0)) == 1 && bool_operator(op)) {
        str_printf(s->out, "(%s", bool_operator(op));
        operands(s, e, term);
    } else {
        word_node(s, e);
    }
}

static void term(Smt *s, Expr e)
{
    if (smt_node(s, e)->bound)
        str_printf(s->out, "?%u", e.id);
    else
        node_text(s, e);
}

/* ---- what to bind ---------------------------------------------------------------------------- */

static void count_uses(Smt *s, const Expr *roots, uint32_t n)
{
    const ExprPool *p = s->p;
    for (uint32_t i = 0; i < n; i++) {
        smt_node(s, roots[i])->uses++;
        smt_node(s, roots[i])->wants_bits |= is_float_result(p, roots[i]);
    }
    for (uint32_t i = 0; i < s->cone.n; i++) {
        Expr e = {s->cone.v[i]};
        for (uint32_t k = 0; k < expr_child_count(p, e); k++) {
            Expr child = expr_child(p, e, k);
            SmtNode *c = smt_node(s, child);
            bool as_float = takes_floats(op_of(p, e));
            /* an index stands twice in a select, an 80-bit pattern three times in fp */
            c->uses += (is(p, e, EXPR_SELECT) && k == 1) || (as_float && width_of(p, child) == 80) ? 2 : 1;
            if (is_float_result(p, child) && !as_float) {
                c->wants_bits = true;
                c->uses++; /* named by the conjunct that defines its bits */
            }
        }
    }
}

/* Bottom-up: heights of what prints inline, levels of what is bound. */
static void choose_bound(Smt *s)
{
    for (uint32_t i = 0; i < s->cone.n; i++) {
        Expr e = {s->cone.v[i]};
        SmtNode *n = &s->node[i];
        n->height = 1;
        for (uint32_t k = 0; k < expr_child_count(s->p, e); k++) {
            const SmtNode *c = smt_node(s, expr_child(s->p, e, k));
            if (c->level > n->level)
                n->level = c->level;
            if (!c->bound && c->height >= n->height)
                n->height = c->height + 1;
        }
        n->bound = !is_leaf(s->p, e) && (n->uses > 1 || n->height >= HEIGHT_LIMIT);
        if (n->bound)
            n->level++;
        if (n->level > s->levels)
            s->levels = n->level;
    }
}

static void smt_open(Smt *s, const Expr *roots, uint32_t n)
{
    expr_cone(s->p, roots, n, &s->cone);
    for (uint32_t i = 0; i < s->cone.n; i++)
        map_put(&s->place, s->cone.v[i], i);
    s->node = mem_zalloc((s->cone.n + 1) * sizeof *s->node);
    count_uses(s, roots, n);
    choose_bound(s);
}

static void smt_close(Smt *s)
{
    mem_free(s->node);
    map_free(&s->place);
    vec_free(&s->cone);
}

static void lets_open(Smt *s)
{
    U32Vec *by_level = mem_zalloc((s->levels + 1) * sizeof *by_level);
    for (uint32_t i = 0; i < s->cone.n; i++)
        if (s->node[i].bound)
            vec_push(&by_level[s->node[i].level], s->cone.v[i]);
    for (uint32_t level = 1; level <= s->levels; level++) {
        str_add(s->out, "(let (");
        for (uint32_t i = 0; i < by_level[level].n; i++) {
            Expr e = {by_level[level].v[i]};
            str_printf(s->out, "%s(?%u ", i ? " " : "", e.id);
            node_text(s, e);
            str_add(s->out, ")");
        }
        str_add(s->out, ")\n  ");
        vec_free(&by_level[level]);
    }
    mem_free(by_level);
}

static void lets_close(Smt *s)
{
    for (uint32_t level = 1; level <= s->levels; level++)
        str_add(s->out, ")");
}

void expr_print_smt_term(const ExprPool *p, Expr e, Str *out)
{
    Smt s = {.p = p, .out = out};
    smt_open(&s, &e, 1);
    lets_open(&s);
    bool is_bits = width_of(p, e) > 1;
    (is_bits ? bits_term : term)(&s, e);
    lets_close(&s);
    smt_close(&s);
}

/* ---- queries --------------------------------------------------------------------------------- */

static void declare_symbols(Smt *s, const Expr *conditions, uint32_t n)
{
    const ExprPool *p = s->p;
    BitSet all = {0};
    for (uint32_t i = 0; i < n; i++) {
        ExprSet set = expr_symbols(p, conditions[i]);
        for (uint32_t at = expr_set_next(p, set, 0); at != UINT32_MAX; at = expr_set_next(p, set, at + 1))
            bitset_add(&all, at);
    }
    for (uint32_t at = bitset_next(&all, 0); at != UINT32_MAX; at = bitset_next(&all, at + 1)) {
        uint32_t offset;
        ExprObject object = expr_object_at(p, at, &offset);
        str_add(s->out, "(declare-const ");
        symbol_text(p, object, offset, s->out);
        str_add_char(s->out, ' ');
        sort(s->out, expr_object_info(p, object)->scalar ? expr_object_info(p, object)->scalar : 8);
        str_add(s->out, ")\n");
    }
    bitset_free(&all);
}

static void float_sort(Str *out, unsigned width)
{
    str_printf(out, "(_ FloatingPoint %s)", float_format(width));
}

static void declare_function(Smt *s, Expr e)
{
    const ExprPool *p = s->p;
    bool apply = is(p, e, EXPR_APPLY);
    str_add(s->out, "(declare-fun ");
    uninterpreted_name(p, e, s->out);
    str_add(s->out, " (");
    for (uint32_t i = 0; i < expr_child_count(p, e); i++) {
        str_add(s->out, i ? " " : "");
        (apply ? sort : float_sort)(s->out, width_of(p, expr_child(p, e, i)));
    }
    str_add(s->out, ") ");
    (is(p, e, EXPR_FREM) ? float_sort : sort)(s->out, width_of(p, e));
    str_add(s->out, ")\n");
}

static void declare_rest(Smt *s)
{
    StrMap done = {0};
    Str name = {0};
    for (uint32_t i = 0; i < s->cone.n; i++) {
        Expr e = {s->cone.v[i]};
        if (s->node[i].wants_bits)
            str_printf(s->out, "(declare-const ?bits%u (_ BitVec %u))\n", e.id,
                       width_of(s->p, e) == 80 ? 79 : width_of(s->p, e));
        if (!is_uninterpreted(s->p, e))
            continue;
        vec_clear(&name);
        uninterpreted_name(s->p, e, &name);
        if (!strmap_get(&done, str_text(&name), NULL))
            declare_function(s, e);
        strmap_put(&done, str_text(&name), 1);
    }
    strmap_free(&done);
    str_free(&name);
}

static void set_logic(Smt *s)
{
    static const char *const any = "(declare-const ?any (Array (_ BitVec 64) (_ BitVec 8)))\n";
    bool arrays = false, floats = false, functions = false;
    for (uint32_t i = 0; i < s->cone.n; i++) {
        Expr e = {s->cone.v[i]};
        arrays = arrays || is(s->p, e, EXPR_SELECT);
        floats = floats || expr_op_is_float(op_of(s->p, e));
        functions = functions || is_uninterpreted(s->p, e);
    }
    if (floats && (arrays || functions)) /* QF_ABVFP: not every solver knows the name */
        str_add(s->out, "(set-logic ALL)\n");
    else
        str_printf(s->out, "(set-logic QF_%s%sBV%s)\n", arrays ? "A" : "", functions ? "UF" : "",
                   floats ? "FP" : "");
    str_add(s->out, arrays ? any : "");
}

static void conjuncts(Smt *s, const Expr *conditions, uint32_t n)
{
    str_add(s->out, "(and true");
    for (uint32_t i = 0; i < n; i++) {
        str_add(s->out, "\n  ");
        term(s, conditions[i]);
    }
    for (uint32_t i = 0; i < s->cone.n; i++) {
        Expr e = {s->cone.v[i]};
        if (!s->node[i].wants_bits)
            continue;
        str_printf(s->out, "\n  (= ((_ to_fp %s) ?bits%u) ", float_format(width_of(s->p, e)), e.id);
        term(s, e);
        str_add(s->out, ")");
    }
    str_add(s->out, ")");
}

void expr_print_smt_query(const ExprPool *p, const Expr *conditions, uint32_t n, const char *comment,
                          Str *out)
{
    Smt s = {.p = p, .out = out, .query = true};
    for (const char *line = comment; line && *line;) {
        size_t length = strcspn(line, "\n");
        str_printf(out, "; %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    smt_open(&s, conditions, n);
    set_logic(&s);
    declare_symbols(&s, conditions, n);
    declare_rest(&s);
    str_add(out, "(assert ");
    lets_open(&s);
    conjuncts(&s, conditions, n);
    lets_close(&s);
    str_add(out, ")\n(check-sat)\n");
    smt_close(&s);
}
