/* print_c_word.c - words as C: elements of objects, arithmetic in the types that C would use, casts only
 * where the value would be another without. */
#include "expr/print_c.h"

static const char *type_name(unsigned width, bool is_unsigned)
{
    switch (width) {
    case 8: return is_unsigned ? "unsigned char" : "signed char";
    case 16: return is_unsigned ? "unsigned short" : "short";
    case 32: return is_unsigned ? "unsigned" : "int";
    case 64: return is_unsigned ? "unsigned long" : "long";
    case 128: return is_unsigned ? "unsigned __int128" : "__int128";
    default: return NULL;
    }
}

static unsigned promoted(unsigned width) { return width <= 32 ? 32 : width <= 64 ? 64 : 128; }

/* ---- constants ------------------------------------------------------------------------------- */

static bool char_text(u128 value, Text *t)
{
    static const char named[] = "\0a0\nn\tt\rr\\\\''";
    if (value == 0) {
        *t = expr_c_new(P_PRIMARY, SIG_BOTH, 32, false, "'\\0'");
        return true;
    }
    for (const char *n = named + 3; *n; n += 2)
        if ((u128)*n == value) {
            *t = expr_c_new(P_PRIMARY, SIG_BOTH, 32, false, "'\\%c'", n[1]);
            return true;
        }
    if (value < 32 || value > 126)
        return false;
    *t = expr_c_new(P_PRIMARY, SIG_BOTH, 32, false, "'%c'", (char)value);
    return true;
}

Text expr_c_const(u128 value, unsigned width, Sig mode, Style style)
{
    char digits[48];
    Text t;
    if (style == STYLE_CHAR && char_text(value, &t))
        return t;
    bool negative = mode != SIG_UNSIGNED && width > 1 && value >> (width - 1);
    bool is_pattern =
        style == STYLE_MASK ? value >= 16 : value >= 1000000 && value % 100 != 0 && mode != SIG_SIGNED;
    bool is_hex = !negative && is_pattern && value <= UINT64_MAX;
    if (is_hex)
        snprintf(digits, sizeof digits, "0x%llx", (unsigned long long)value);
    else
        text_u128(digits, negative ? (u128)bits_signed(value, width) : value, negative);
    u128 size = negative ? -(u128)bits_signed(value, width) : value;
    /* the type that C gives the literal: int, unsigned (hexadecimal only), long, unsigned long */
    unsigned bits = size <= INT32_MAX || (is_hex && size <= UINT32_MAX) ? 32 : 64;
    bool is_unsigned = is_hex ? size > bits_mask(bits - 1) : size > INT64_MAX;
    Sig sig = negative ? SIG_SIGNED : value >> (width - 1) ? SIG_UNSIGNED : SIG_BOTH;
    return expr_c_new(negative ? P_UNARY : P_PRIMARY, sig, bits, is_unsigned, "%s%s", digits,
                      is_unsigned && !is_hex && size <= UINT64_MAX ? "u" : "");
}

/* ---- objects --------------------------------------------------------------------------------- */

/* One part of a slice: a symbol or some bits of one. */
static bool find_part(const ExprPool *p, Expr e, Slice *part)
{
    uint32_t offset;
    unsigned low = 0, bits = width_of(p, e);
    if (is(p, e, EXPR_EXTRACT)) {
        low = low_of(p, e);
        e = kid(p, e, 0);
    }
    if (!is(p, e, EXPR_SYMBOL))
        return false;
    const ExprObjectInfo *object = expr_object_info(p, expr_symbol_object(p, e, &offset));
    unsigned element =
        object->type.element && object->type.element <= object->size ? object->type.element : object->size;
    *part = (Slice){.object = object,
                    .low = (uint64_t)offset * 8 + low,
                    .bits = bits,
                    .element = object->scalar ? object->scalar : element * 8,
                    .kind = object->type.kind};
    return true;
}

/* The field that is the slice, or else the first in which it begins: unions have several. */
static const ExprField *find_field(const Slice *slice)
{
    const ExprField *found = NULL;
    for (uint32_t i = 0; i < slice->object->nfields; i++) {
        const ExprField *f = &slice->object->fields[i];
        if (f->low == slice->low && f->bits == slice->bits)
            return f;
        if (!found && f->low <= slice->low && slice->low < f->low + f->bits)
            found = f;
    }
    return found;
}

static void settle_slice(Slice *slice)
{
    const ExprField *f = find_field(slice);
    slice->start = slice->low - slice->low % slice->element;
    if (!f)
        return;
    slice->start = f->low;
    slice->element = f->bits;
    slice->kind = f->kind;
    slice->unit = f->unit;
    slice->text = f->text;
}

bool expr_c_slice(const ExprPool *p, Expr e, Slice *slice)
{
    Slice part;
    Expr top = is(p, e, EXPR_CONCAT) ? kid(p, e, 0) : e;
    if (!find_part(p, top, slice))
        return false;
    while (is(p, e, EXPR_CONCAT)) { /* from the top down, each part right below the last */
        e = kid(p, e, 1);
        if (!find_part(p, is(p, e, EXPR_CONCAT) ? kid(p, e, 0) : e, &part) || part.object != slice->object ||
            part.low + part.bits != slice->low)
            return false;
        slice->low = part.low;
        slice->bits += part.bits;
    }
    settle_slice(slice);
    return true;
}

bool expr_c_slice_is_element(const Slice *slice)
{
    /* an element of long double has 16 bytes, of which its value takes 10 */
    bool whole = slice->bits == slice->element ||
                 (slice->kind == EXPR_C_FLOAT && slice->bits == 80 && slice->element == 128);
    return whole && slice->low == slice->start;
}

bool expr_c_leaf_is_float(const ExprPool *p, Expr e)
{
    Slice slice;
    return expr_c_slice(p, e, &slice) && slice.kind == EXPR_C_FLOAT && expr_c_slice_is_element(&slice);
}

/* The kind of a byte that may be a character; EXPR_C_INT if it is none. */
static ExprCKind char_kind(const ExprPool *p, Expr e)
{
    Slice slice;
    while (is(p, e, EXPR_SEXT) || is(p, e, EXPR_ZEXT))
        e = kid(p, e, 0);
    ExprCKind kind = EXPR_C_INT;
    if (is(p, e, EXPR_SELECT) && is(p, kid(p, e, 0), EXPR_ARRAY_INPUT))
        kind = p->objects.v[node_of(p, kid(p, e, 0))->child[0]].type.kind;
    else if (expr_c_slice(p, e, &slice) && slice.bits == 8)
        kind = slice.kind;
    return kind == EXPR_C_CHAR || kind == EXPR_C_UCHAR ? kind : EXPR_C_INT;
}

/* Order tells characters from numbers at the ends of the alphabets; the characters below the blank have no
 * order. An unsigned char is more often a number. */
Style expr_c_style(const ExprPool *p, Expr e, u128 value, bool order)
{
    ExprCKind kind = char_kind(p, e);
    if (kind == EXPR_C_INT || value > 127)
        return STYLE_PLAIN;
    bool end = value > 1 && (strchr("09azAZ", (int)value) || strchr("09azAZ", (int)value - 1));
    if (order)
        return end || (kind == EXPR_C_CHAR && value > 32 && value < 127) ? STYLE_CHAR : STYLE_PLAIN;
    return kind == EXPR_C_CHAR || (value > 32 && value < 127) ? STYLE_CHAR : STYLE_PLAIN;
}

static bool kind_is_unsigned(ExprCKind kind) { return kind != EXPR_C_INT && kind != EXPR_C_CHAR; }

Text expr_c_element(const Slice *slice)
{
    const ExprObjectInfo *object = slice->object;
    bool is_unsigned = kind_is_unsigned(slice->kind);
    const char *text = slice->text ? slice->text : object->text;
    Text t = expr_c_new(text[0] == '*' && slice->text ? P_UNARY : P_PRIMARY,
                        is_unsigned ? SIG_UNSIGNED : SIG_SIGNED, promoted(slice->element),
                        is_unsigned && slice->element >= 32, "%s", text);
    if (!slice->text && !object->scalar && slice->element != object->size * 8)
        str_printf(&t.s, "[%u]", (unsigned)(slice->low / slice->element));
    return t;
}

/* Part of an element: x >> k, exact if it reaches the top. */
static Text part_text(const Slice *slice, Sig mode)
{
    unsigned inside = (unsigned)(slice->low - slice->start);
    bool is_top = inside + slice->bits == slice->element;
    Text t = expr_c_element(slice);
    if (is_top)
        expr_c_force(&t, slice->element, mode);
    else
        t.sig = SIG_MOD;
    if (inside) {
        str_printf(&t.s, " >> %u", inside);
        t.prec = P_SHIFT;
    }
    return t;
}

/* A slice as C; false if there is no short way to write it. */
static bool slice_text(Slice slice, Sig mode, Text *out)
{
    unsigned inside = (unsigned)(slice.low - slice.start);
    bool is_float = slice.kind == EXPR_C_FLOAT;
    if (expr_c_slice_is_element(&slice) && !is_float) {
        *out = expr_c_element(&slice);
        return true;
    }
    if (!is_float && inside + slice.bits <= slice.element) {
        *out = part_text(&slice, mode);
        return true;
    }
    const char *type = type_name(slice.bits, false), *name = slice.object->text;
    if (slice.bits == 8 && slice.low % 8 == 0 && !slice.object->scalar) {
        *out = expr_c_new(P_PRIMARY, SIG_UNSIGNED, 32, false, "((unsigned char *)&%s)[%u]", name,
                          (unsigned)(slice.low / 8));
        return true;
    }
    if (!type || inside != 0 || (slice.object->scalar && slice.bits != slice.element))
        return false;
    Text t = expr_c_element(&slice); /* several elements, or the bits of a float, taken at once */
    *out = expr_c_new(P_UNARY, SIG_SIGNED, promoted(slice.bits), false, "*(%s *)&%s", type, str_text(&t.s));
    str_free(&t.s);
    return true;
}

/* ---- sums and products ----------------------------------------------------------------------- */

/* Arithmetic of `width` bits needs an operand of a C type at least as wide: the first gets it. */
static void widen(Text *t, unsigned width)
{
    if (width <= 32 || t->bits >= width || !type_name(promoted(width), false))
        return;
    bool is_unsigned = t->sig == SIG_UNSIGNED || t->sig == SIG_MOD;
    expr_c_cast(t, type_name(promoted(width), is_unsigned));
    t->bits = promoted(width);
    t->is_unsigned = is_unsigned;
}

/* What C's arithmetic in the type of t yields for a word of this width. */
static void settle_arithmetic(Text *t, unsigned width)
{
    if (t->bits != width)
        t->sig = SIG_MOD;
    else
        t->sig = t->is_unsigned ? SIG_UNSIGNED : SIG_SIGNED;
}

static bool is_negative_const(const ExprPool *p, Expr e)
{
    return is_const(p, e) && width_of(p, e) > 1 && value_of(p, e) >> (width_of(p, e) - 1);
}

/* One term of a sum without its sign; *minus says whether it is subtracted. */
static Text term_text(CPrint *c, Expr e, bool *minus)
{
    const ExprPool *p = c->p;
    unsigned width = width_of(p, e);
    *minus = false;
    if (is(p, e, EXPR_NEG)) {
        *minus = true;
        return expr_c_word(c, kid(p, e, 0), SIG_MOD);
    }
    if (is_negative_const(p, e)) {
        *minus = true;
        return expr_c_const(-value_of(p, e) & bits_mask(width), width, SIG_UNSIGNED, STYLE_PLAIN);
    }
    if (is(p, e, EXPR_MUL) && is_negative_const(p, kid(p, e, 1))) {
        *minus = true;
        Text factor =
            expr_c_const(-value_of(p, kid(p, e, 1)) & bits_mask(width), width, SIG_UNSIGNED, STYLE_PLAIN);
        Text x = expr_c_word(c, kid(p, e, 0), SIG_MOD);
        widen(&x, width);
        return expr_c_join(factor, "*", x, P_MUL);
    }
    return expr_c_word(c, e, SIG_MOD);
}

static Text negated_text(Text t)
{
    expr_c_wrap(&t, str_text(&t.s)[0] == '-' ? P_PRIMARY : P_UNARY);
    Text minus = expr_c_new(P_UNARY, SIG_MOD, t.bits, t.is_unsigned, "-%s", str_text(&t.s));
    str_free(&t.s);
    return minus;
}

void expr_c_minus(Text *t) { *t = negated_text(*t); }

static Text sum_text(CPrint *c, Expr e)
{
    enum { TERMS = 24 };
    const ExprPool *p = c->p;
    unsigned width = width_of(p, e), n = 0;
    Text terms[TERMS];
    bool minus[TERMS];
    for (; is(p, e, EXPR_ADD) && n + 1 < TERMS; e = kid(p, e, 0), n++)
        terms[n] = term_text(c, kid(p, e, 1), &minus[n]);
    terms[n] = term_text(c, e, &minus[n]);
    /* C adds from the left: a positive term of a wide enough type goes first, else the first one gets a
     * cast */
    int first = -1;
    for (int i = (int)n; i >= 0; i--)
        if (!minus[i] && (first < 0 || (terms[first].bits < width && terms[i].bits >= width)))
            first = i;
    bool all_minus = first < 0;
    first = all_minus ? (int)n : first;
    widen(&terms[first], width);
    Text all = all_minus ? negated_text(terms[first]) : terms[first];
    for (int i = (int)n; i >= 0; i--)
        if (i != first)
            all = expr_c_join(all, minus[i] ? "-" : "+", terms[i], P_ADD);
    settle_arithmetic(&all, width);
    return all;
}

static Text product_text(CPrint *c, Expr e)
{
    const ExprPool *p = c->p;
    unsigned width = width_of(p, e);
    Expr a = kid(p, e, 0), b = kid(p, e, 1);
    Text x = expr_c_word(c, a, SIG_MOD), y = expr_c_word(c, b, SIG_MOD);
    if (is_const(p, b)) {
        widen(&x, width);
        x = expr_c_join(y, "*", x, P_MUL);
    } else {
        if (y.bits < width)
            widen(&x, width);
        x = expr_c_join(x, "*", y, P_MUL);
    }
    settle_arithmetic(&x, width);
    return x;
}

/* ---- other operators ------------------------------------------------------------------------- */

static Text binary_text(CPrint *c, Expr e, const char *op, int prec, Sig mode)
{
    Text x = expr_c_word(c, kid(c->p, e, 0), mode), y = expr_c_word(c, kid(c->p, e, 1), mode);
    x = expr_c_join(x, op, y, prec);
    x.sig = mode;
    return x;
}

static Text bitwise_text(CPrint *c, Expr e, const char *op, int prec)
{
    const ExprPool *p = c->p;
    Expr b = kid(p, e, 1);
    Text x = expr_c_word(c, kid(p, e, 0), SIG_MOD);
    Text y = is_const(p, b) ? expr_c_const(value_of(p, b), width_of(p, e), SIG_UNSIGNED, STYLE_MASK)
                            : expr_c_word(c, b, SIG_MOD);
    if (x.bits < width_of(p, e) && y.bits < width_of(p, e) && (x.is_unsigned || y.is_unsigned))
        widen(&x, width_of(p, e)); /* a negative operand would become a small unsigned one */
    Sig sig = x.sig == y.sig ? x.sig : SIG_MOD;
    if (is(p, e, EXPR_AND) && (x.sig == SIG_BOTH || y.sig == SIG_BOTH))
        sig = SIG_BOTH; /* a mask without the top bit */
    else if (x.sig == SIG_BOTH)
        sig = y.sig;
    else if (y.sig == SIG_BOTH)
        sig = x.sig;
    if (prec == x.prec - 1 || x.prec == P_OR || x.prec == P_XOR || x.prec == P_AND)
        expr_c_wrap(&x, x.prec == prec ? prec : P_EQ); /* mixed bitwise operators are read with parentheses */
    x = expr_c_join(x, op, y, prec);
    x.sig = sig;
    return x;
}

static Text shift_text(CPrint *c, Expr e)
{
    const ExprPool *p = c->p;
    ExprOp op = op_of(p, e);
    Sig mode = op == EXPR_SHL ? SIG_MOD : op == EXPR_LSHR ? SIG_UNSIGNED : SIG_SIGNED;
    Text x = expr_c_word(c, kid(p, e, 0), mode), by = expr_c_word(c, kid(p, e, 1), SIG_UNSIGNED);
    unsigned bits, width = width_of(p, e);
    bool is_unsigned;
    widen(&x, width);
    bits = x.bits;
    is_unsigned = x.is_unsigned;
    x = expr_c_join(x, op == EXPR_SHL ? "<<" : ">>", by, P_SHIFT);
    x.bits = bits;
    x.is_unsigned = is_unsigned;
    x.sig = mode;
    if (op == EXPR_SHL)
        settle_arithmetic(&x, width);
    return x;
}

static Text extract_text(CPrint *c, Expr e, Sig mode)
{
    const ExprPool *p = c->p;
    Expr x = kid(p, e, 0);
    unsigned low = low_of(p, e);
    if (low + width_of(p, e) < width_of(p, x)) {
        mode = SIG_MOD;
    } else if (mode == SIG_MOD) {
        mode = SIG_UNSIGNED;
    }
    Text t = expr_c_word(c, x, mode);
    if (low) {
        expr_c_wrap(&t, P_SHIFT);
        str_printf(&t.s, " >> %u", low);
        t.prec = P_SHIFT;
    }
    t.sig = mode;
    return t;
}

/* One operand of a concat: some parts that are one slice, or a single part. */
typedef struct Group {
    Expr e; /* if it is no slice */
    Slice slice;
    bool is_slice;
    unsigned width;
} Group;

/* The parts from the top down, neighbouring parts of one object united. */
static unsigned find_groups(const ExprPool *p, Expr e, Group *groups)
{
    unsigned n = 0;
    for (bool last = false; !last;) {
        last = !is(p, e, EXPR_CONCAT);
        Expr part = last ? e : kid(p, e, 0);
        Group g = {.e = part, .width = width_of(p, part)};
        g.is_slice = find_part(p, part, &g.slice);
        if (g.is_slice)
            settle_slice(&g.slice);
        Group *above = n ? &groups[n - 1] : NULL;
        if (g.is_slice && above && above->is_slice && above->slice.object == g.slice.object &&
            g.slice.low + g.slice.bits == above->slice.low && g.slice.kind != EXPR_C_FLOAT &&
            g.slice.start == above->slice.start && g.slice.element == above->slice.element) {
            above->slice.low = g.slice.low;
            above->slice.bits += g.slice.bits;
            above->width += g.width;
        } else {
            groups[n++] = g;
        }
        e = last ? e : kid(p, e, 1);
    }
    return n;
}

static Text group_text(CPrint *c, const Group *g, Sig mode)
{
    Text t;
    if (!g->is_slice || !slice_text(g->slice, mode, &t))
        return expr_c_word(c, g->e, mode);
    expr_c_force(&t, g->width, mode);
    return t;
}

/* a << n | b << m | c. What is too much at the top of a falls off with C's type, or is left to a cast. */
static Text concat_text(CPrint *c, Expr e)
{
    const ExprPool *p = c->p;
    Group groups[128];
    unsigned width = width_of(p, e), n = find_groups(p, e, groups), below = width;
    Text all = {0};
    for (unsigned i = 0; i < n; i++) {
        below -= groups[i].width;
        if (!groups[i].is_slice && is_zero(p, groups[i].e))
            continue;
        Text t = group_text(c, &groups[i], i == 0 ? SIG_MOD : SIG_UNSIGNED);
        if (below) {
            widen(&t, width);
            expr_c_wrap(&t, P_SHIFT);
            str_printf(&t.s, " << %u", below);
            t.prec = P_SHIFT;
        }
        all = all.s.n ? expr_c_join(all, "|", t, P_OR) : t;
    }
    settle_arithmetic(&all, width);
    return all;
}

static Text choice_text(CPrint *c, Expr e, Sig mode)
{
    const ExprPool *p = c->p;
    Text condition = expr_c_bool(c, kid(p, e, 0), false);
    Text then = expr_c_word(c, kid(p, e, 1), mode), otherwise = expr_c_word(c, kid(p, e, 2), mode);
    if (then.is_unsigned != otherwise.is_unsigned && then.bits < width_of(p, e) &&
        otherwise.bits < width_of(p, e))
        widen(&then, width_of(p, e)); /* else C would take both as unsigned */
    expr_c_wrap(&condition, P_COND + 1);
    str_printf(&condition.s, " ? %s : %s", str_text(&then.s), str_text(&otherwise.s));
    condition.prec = P_COND;
    bool alike = then.sig == otherwise.sig || otherwise.sig == SIG_BOTH;
    condition.sig = mode != SIG_MOD        ? mode
                    : alike                ? then.sig
                    : then.sig == SIG_BOTH ? otherwise.sig
                                           : SIG_MOD;
    condition.bits = then.bits > otherwise.bits ? then.bits : otherwise.bits;
    condition.is_unsigned = then.is_unsigned || otherwise.is_unsigned;
    str_free(&then.s);
    str_free(&otherwise.s);
    return condition;
}

/* ---- arrays, functions ----------------------------------------------------------------------- */

static Text base_text(CPrint *c, Expr array, const char *index)
{
    enum { SHOWN = 16 };
    const ExprPool *p = c->p;
    ExprArray a = {array.id};
    if (is(p, array, EXPR_ARRAY_INPUT)) {
        const ExprObjectInfo *object = &p->objects.v[node_of(p, array)->child[0]];
        bool bytes = object->type.element == 1 || object->size == 1;
        bool is_unsigned = kind_is_unsigned(object->type.kind) || !bytes;
        return expr_c_new(P_PRIMARY, is_unsigned ? SIG_UNSIGNED : SIG_SIGNED, 32, false,
                          bytes ? "%s[%s]" : "((unsigned char *)&%s)[%s]", object->text, index);
    }
    Text t = expr_c_new(P_PRIMARY, SIG_UNSIGNED, 32, false, "(unsigned char[]){");
    uint32_t size = expr_array_size(p, a);
    for (uint32_t i = 0; i < size && i < SHOWN; i++) {
        if (is(p, array, EXPR_ARRAY_CONST)) {
            str_printf(&t.s, "%s%u", i ? ", " : "", expr_array_bytes(p, a)[i]);
        } else {
            Text item = expr_c_word(c, expr_child(p, array, i), SIG_MOD);
            str_printf(&t.s, "%s%s", i ? ", " : "", str_text(&item.s));
            str_free(&item.s);
        }
    }
    str_printf(&t.s, "%s}[%s]", size > SHOWN ? ", ..." : "", index);
    return t;
}

/* Updates read as choices: i == j ? stored : base[i]. */
static Text select_text(CPrint *c, Expr e)
{
    const ExprPool *p = c->p;
    Expr array = kid(p, e, 0);
    Text index = expr_c_word(c, kid(p, e, 1), SIG_UNSIGNED),
         all = expr_c_new(P_COND, SIG_UNSIGNED, 32, false, "%s", "");
    bool updated = is(p, array, EXPR_STORE);
    for (unsigned i = 0; i < 8 && is(p, array, EXPR_STORE); i++, array = kid(p, array, 0)) {
        Text at = expr_c_word(c, kid(p, array, 1), SIG_UNSIGNED),
             byte = expr_c_word(c, kid(p, array, 2), SIG_UNSIGNED);
        expr_c_wrap(&at, P_EQ + 1);
        expr_c_wrap(&byte, P_COND + 1);
        str_printf(&all.s, "%s == %s ? %s : ", str_text(&index.s), str_text(&at.s), str_text(&byte.s));
        str_free(&at.s);
        str_free(&byte.s);
    }
    if (is(p, array, EXPR_STORE)) {
        str_add(&all.s, "...");
    } else {
        Text base = base_text(c, array, str_text(&index.s));
        str_add(&all.s, str_text(&base.s));
        all.sig = updated ? SIG_UNSIGNED : base.sig;
        all.prec = updated ? P_COND : P_PRIMARY;
        str_free(&base.s);
    }
    str_free(&index.s);
    return all;
}

Text expr_c_call(CPrint *c, const char *name, Expr e)
{
    Text all = expr_c_new(P_PRIMARY, SIG_MOD, promoted(width_of(c->p, e)), false, "%s(", name);
    for (uint32_t i = 0; i < expr_child_count(c->p, e); i++) {
        Expr child = expr_child(c->p, e, i);
        Text t = width_of(c->p, child) == 1        ? expr_c_bool(c, child, false)
                 : expr_c_looks_float(c->p, child) ? expr_c_float(c, child)
                                                   : expr_c_word(c, child, SIG_MOD);
        str_printf(&all.s, "%s%s", i ? ", " : "", str_text(&t.s));
        str_free(&t.s);
    }
    str_add(&all.s, ")");
    return all;
}

/* ---- all ------------------------------------------------------------------------------------- */

static Text extended_text(CPrint *c, Expr e)
{
    const ExprPool *p = c->p;
    Expr x = kid(p, e, 0);
    if (width_of(p, x) == 1) {
        Text t = expr_c_truth(c, x);
        if (is(p, e, EXPR_ZEXT))
            return t;
        t = negated_text(t);
        t.sig = SIG_SIGNED;
        return t;
    }
    Text t = expr_c_word(c, x, is(p, e, EXPR_ZEXT) ? SIG_UNSIGNED : SIG_SIGNED);
    t.sig = is(p, e, EXPR_ZEXT) ? SIG_BOTH : SIG_SIGNED;
    return t;
}

static Text float_bits_text(CPrint *c, Expr e)
{
    Text x = expr_c_float(c, e),
         t = expr_c_new(P_PRIMARY, SIG_MOD, promoted(width_of(c->p, e)), false, "bits(%s)", str_text(&x.s));
    str_free(&x.s);
    return t;
}

static Text float_to_int_text(CPrint *c, Expr e)
{
    const char *type = type_name(width_of(c->p, e), is(c->p, e, EXPR_FPTOUI));
    Text t = expr_c_float(c, kid(c->p, e, 0));
    expr_c_cast(&t, type ? type : "int");
    t.sig = is(c->p, e, EXPR_FPTOUI) ? SIG_UNSIGNED : SIG_SIGNED;
    t.bits = promoted(width_of(c->p, e));
    return t;
}

static Text not_text(CPrint *c, Expr e)
{
    unsigned width = width_of(c->p, e);
    Text x = expr_c_word(c, kid(c->p, e, 0), SIG_MOD);
    if (x.is_unsigned)
        widen(&x, width);
    expr_c_wrap(&x, P_UNARY);
    Sig sig = x.sig == SIG_BOTH ? SIG_SIGNED : x.sig;
    if (sig == SIG_UNSIGNED && x.bits != width)
        sig = SIG_MOD;
    Text t = expr_c_new(P_UNARY, sig, x.bits, x.is_unsigned, "~%s", str_text(&x.s));
    str_free(&x.s);
    return t;
}

/* A symbol that no C type fits. */
static Text symbol_text(const ExprPool *p, Expr e)
{
    uint32_t offset;
    const ExprObjectInfo *object = expr_object_info(p, expr_symbol_object(p, e, &offset));
    return expr_c_new(P_PRIMARY, SIG_MOD, promoted(width_of(p, e)), false, "bits(%s)", object->text);
}

static Text word_node(CPrint *c, Expr e, Sig mode)
{
    const ExprPool *p = c->p;
    Text t;
    switch (op_of(p, e)) {
    case EXPR_CONST:
        return expr_c_address_const(p, value_of(p, e), width_of(p, e), &t)
                   ? t
                   : expr_c_const(value_of(p, e), width_of(p, e), mode, STYLE_PLAIN);
    case EXPR_SYMBOL: return symbol_text(p, e);
    case EXPR_ADD: return expr_c_address_sum(c, e, &t) ? t : sum_text(c, e);
    case EXPR_NEG:
        t = expr_c_word(c, kid(p, e, 0), SIG_MOD);
        widen(&t, width_of(p, e));
        t = negated_text(t);
        settle_arithmetic(&t, width_of(p, e));
        return t;
    case EXPR_MUL: return product_text(c, e);
    case EXPR_UDIV: return binary_text(c, e, "/", P_MUL, SIG_UNSIGNED);
    case EXPR_UREM: return binary_text(c, e, "%", P_MUL, SIG_UNSIGNED);
    case EXPR_SDIV: return binary_text(c, e, "/", P_MUL, SIG_SIGNED);
    case EXPR_SREM: return binary_text(c, e, "%", P_MUL, SIG_SIGNED);
    case EXPR_AND: return bitwise_text(c, e, "&", P_AND);
    case EXPR_OR: return bitwise_text(c, e, "|", P_OR);
    case EXPR_XOR: return bitwise_text(c, e, "^", P_XOR);
    case EXPR_NOT: return not_text(c, e);
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR: return shift_text(c, e);
    case EXPR_ITE: return choice_text(c, e, mode);
    case EXPR_CONCAT: return concat_text(c, e);
    case EXPR_EXTRACT: return extract_text(c, e, mode);
    case EXPR_ZEXT:
    case EXPR_SEXT: return extended_text(c, e);
    case EXPR_SELECT: return select_text(c, e);
    case EXPR_APPLY: return expr_c_call(c, expr_fn_name(p, expr_apply_fn(p, e)), e);
    case EXPR_FPTOSI:
    case EXPR_FPTOUI: return float_to_int_text(c, e);
    default: return float_bits_text(c, e);
    }
}

/* A masked value of an odd width, read as signed: (x ^ top) - top. */
static void sign_of_mask(Text *t, unsigned width)
{
    u128 top = (u128)1 << (width - 1);
    if (t->is_unsigned)
        expr_c_cast(t, type_name(t->bits, false));
    t->is_unsigned = false;
    *t = expr_c_join(*t, "^", expr_c_const(top, 128, SIG_UNSIGNED, STYLE_MASK), P_XOR);
    *t = expr_c_join(*t, "-", expr_c_const(top, 128, SIG_UNSIGNED, STYLE_MASK), P_ADD);
}

void expr_c_force(Text *t, unsigned width, Sig mode)
{
    if (mode == SIG_MOD || t->sig == mode)
        return;
    /* an unsigned type would make the other operand unsigned, too, and negative numbers large */
    bool harmful = mode == SIG_SIGNED && t->is_unsigned;
    if (t->sig == SIG_BOTH && !harmful)
        return;
    const char *type = type_name(t->sig == SIG_BOTH ? promoted(width) : width, mode == SIG_UNSIGNED);
    if (type) {
        expr_c_cast(t, type);
        t->bits = promoted(width);
        t->is_unsigned = mode == SIG_UNSIGNED && width >= 32;
    } else {
        *t = expr_c_join(*t, "&", expr_c_const(bits_mask(width), 128, SIG_UNSIGNED, STYLE_MASK), P_AND);
        if (mode == SIG_SIGNED)
            sign_of_mask(t, width);
    }
    t->sig = mode;
}

/* One bit as a number. Operators that only exist while rules are off are written on bits. */
static Text bit_word(CPrint *c, Expr e)
{
    switch (op_of(c->p, e)) {
    case EXPR_ADD:
    case EXPR_NEG:
    case EXPR_MUL:
    case EXPR_UDIV:
    case EXPR_SDIV:
    case EXPR_UREM:
    case EXPR_SREM:
    case EXPR_XOR:
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR:
    case EXPR_APPLY: return word_node(c, e, SIG_MOD);
    default: return expr_c_truth(c, e);
    }
}

Text expr_c_word(CPrint *c, Expr e, Sig mode)
{
    Text t;
    Slice slice;
    if (expr_c_enter(c))
        return expr_c_new(P_PRIMARY, SIG_BOTH, 32, false, "...");
    if (width_of(c->p, e) == 1 && !is(c->p, e, EXPR_SYMBOL))
        t = bit_word(c, e);
    else if ((!expr_c_slice(c->p, e, &slice) || !slice_text(slice, mode, &t)) && !expr_c_lookup(c, e, &t))
        t = word_node(c, e, mode);
    expr_c_leave(c);
    expr_c_force(&t, width_of(c->p, e), mode);
    return t;
}
