/* print_c_table.c - look-ups: what reads an array at an index of the input is written as table[i], be it a
 * chain of choices (i == 0 ? 3 : i == 1 ? 1 : ...) or bytes of an array put together. */
#include "expr/print_c.h"

#include <stdlib.h>

enum { CHAIN_MOST = 4096, CHAIN_LEAST = 3 };

/* An array with a name: what its elements are called, without their number. */
typedef struct Named {
    const char *name;
    uint32_t length; /* of the name */
    bool is_unsigned;
} Named;

static Text element_text(CPrint *c, const Named *n, Expr index, int64_t more, unsigned width)
{
    Text at = expr_c_word(c, index, SIG_MOD);
    if (at.sig == SIG_MOD)
        expr_c_force(&at, width_of(c->p, index), SIG_UNSIGNED);
    unsigned bits = width <= 32 ? 32 : width <= 64 ? 64 : 128;
    Text t = expr_c_new(P_PRIMARY, n->is_unsigned ? SIG_UNSIGNED : SIG_SIGNED, bits,
                        n->is_unsigned && width >= 32, "%.*s[%s", (int)n->length, n->name, str_text(&at.s));
    if (more)
        str_printf(&t.s, " %c %lld", more < 0 ? '-' : '+', (long long)(more < 0 ? -more : more));
    str_add(&t.s, "]");
    str_free(&at.s);
    return t;
}

/* "a[3]" into what stands before the bracket and the number. */
static bool split_element(const char *text, Named *n, uint64_t *index)
{
    const char *bracket = text ? strrchr(text, '[') : NULL;
    if (!bracket || text[strlen(text) - 1] != ']')
        return false;
    n->name = text;
    n->length = (uint32_t)(bracket - text);
    *index = strtoull(bracket + 1, NULL, 10);
    return true;
}

static bool is_unsigned_kind(ExprCKind kind) { return kind != EXPR_C_INT && kind != EXPR_C_CHAR; }

/* ---- chains of choices ----------------------------------------------------------------------- */

typedef struct Chain {
    Expr index;
    u128 first; /* value of the index for values.v[0] */
    ExprVec values;
} Chain;

static bool is_step(const ExprPool *p, Expr e, const Chain *chain)
{
    Expr test = is(p, e, EXPR_ITE) ? kid(p, e, 0) : EXPR_NONE;
    if (!test.id || !is(p, test, EXPR_EQ) || !is_const(p, kid(p, test, 1)))
        return false;
    return !chain->values.n || (kid(p, test, 0).id == chain->index.id &&
                                value_of(p, kid(p, test, 1)) == chain->first + chain->values.n);
}

static bool find_chain(const ExprPool *p, Expr e, Chain *chain)
{
    for (; is_step(p, e, chain) && chain->values.n < CHAIN_MOST; e = kid(p, e, 2)) {
        if (!chain->values.n) {
            chain->index = kid(p, kid(p, e, 0), 0);
            chain->first = value_of(p, kid(p, kid(p, e, 0), 1));
        }
        vec_push(&chain->values, kid(p, e, 1));
    }
    vec_push(&chain->values, e);
    return chain->values.n >= CHAIN_LEAST;
}

/* Elements of one input, one after another. */
static bool elements_of_input(const ExprPool *p, const Chain *chain, Named *n, uint64_t *at)
{
    for (uint32_t i = 0; i < chain->values.n; i++) {
        Slice slice;
        Named one;
        uint64_t index;
        if (!expr_c_slice(p, chain->values.v[i], &slice) || !expr_c_slice_is_element(&slice) ||
            !split_element(slice.text, &one, &index))
            return false;
        if (!i) {
            *n = one;
            *at = index;
            n->is_unsigned = is_unsigned_kind(slice.kind);
        } else if (index != *at + i || one.length != n->length || memcmp(one.name, n->name, n->length)) {
            return false;
        }
    }
    return true;
}

static u128 table_value(const ExprTable *t, uint64_t i)
{
    u128 value = 0;
    for (unsigned k = 0; k < t->element; k++)
        value |= (u128)t->bytes[i * t->element + k] << 8 * k;
    return value;
}

/* All of a table, in order. */
static bool elements_of_table(const ExprPool *p, const Chain *chain, Named *n)
{
    for (uint32_t k = 0; k < p->tables.n; k++) {
        const ExprTable *t = &p->tables.v[k];
        bool same = (uint64_t)t->element * chain->values.n == t->size &&
                    width_of(p, chain->values.v[0]) == 8u * t->element;
        for (uint32_t i = 0; i < chain->values.n && same; i++)
            same = is_const(p, chain->values.v[i]) && value_of(p, chain->values.v[i]) == table_value(t, i);
        if (same) {
            *n = (Named){t->name, (uint32_t)strlen(t->name), is_unsigned_kind(t->kind)};
            return true;
        }
    }
    return false;
}

/* ---- bytes of an array ----------------------------------------------------------------------- */

/* x + k: k, and x in *base; else 0 and the expression itself. */
static u128 offset_of(const ExprPool *p, Expr e, Expr *base)
{
    bool sum = is(p, e, EXPR_ADD) && is_const(p, kid(p, e, 1));
    *base = sum ? kid(p, e, 0) : e;
    return sum ? value_of(p, kid(p, e, 1)) : 0;
}

/* The array whose neighbouring bytes these are, the least one first; *index: of the least. EXPR_NONE: there
 * is none. */
static Expr array_of(const ExprPool *p, Expr e, Expr *index)
{
    Expr array = EXPR_NONE, base = EXPR_NONE;
    u128 expected = 0;
    for (bool last = false; !last; e = last ? e : kid(p, e, 1)) {
        last = !is(p, e, EXPR_CONCAT);
        Expr byte = last ? e : kid(p, e, 0), from;
        if (!is(p, byte, EXPR_SELECT))
            return EXPR_NONE;
        u128 offset = offset_of(p, kid(p, byte, 1), &from);
        if (array.id && (kid(p, byte, 0).id != array.id || from.id != base.id || offset != expected - 1))
            return EXPR_NONE;
        array = kid(p, byte, 0);
        base = from;
        expected = offset;
        *index = kid(p, byte, 1);
    }
    return array;
}

static bool name_of_array(const ExprPool *p, Expr array, unsigned element, Named *n)
{
    uint64_t first = 0;
    if (is(p, array, EXPR_ARRAY_INPUT)) {
        const ExprObjectInfo *o = &p->objects.v[node_of(p, array)->child[0]];
        if (!o->nfields || o->fields[0].bits != 8 * element || !split_element(o->fields[0].text, n, &first) ||
            first)
            return false;
        n->is_unsigned = is_unsigned_kind(o->fields[0].kind);
        return true;
    }
    for (uint32_t k = 0; k < p->tables.n && is(p, array, EXPR_ARRAY_CONST); k++) {
        const ExprTable *t = &p->tables.v[k];
        ExprArray a = {array.id};
        if (t->element != element || t->size != expr_array_size(p, a) ||
            memcmp(t->bytes, expr_array_bytes(p, a), t->size))
            continue;
        *n = (Named){t->name, (uint32_t)strlen(t->name), is_unsigned_kind(t->kind)};
        return true;
    }
    return false;
}

/* The index of the element, from that of its first byte. */
static bool element_index(const ExprPool *p, Expr byte, unsigned element, Expr *index, int64_t *more)
{
    Expr base;
    u128 offset = offset_of(p, byte, &base);
    int64_t k = (int64_t)bits_signed(offset, width_of(p, byte));
    if (k % (int64_t)element)
        return false;
    *more = k / (int64_t)element;
    *index = base;
    if (element == 1)
        return true;
    bool product =
        is(p, base, EXPR_MUL) && is_const(p, kid(p, base, 1)) && value_of(p, kid(p, base, 1)) == element;
    bool shift = is(p, base, EXPR_SHL) && is_const(p, kid(p, base, 1)) && value_of(p, kid(p, base, 1)) < 8 &&
                 1u << value_of(p, kid(p, base, 1)) == element;
    *index = kid(p, base, 0);
    return product || shift;
}

bool expr_c_lookup(CPrint *c, Expr e, Text *out)
{
    const ExprPool *p = c->p;
    Named n = {0};
    unsigned width = width_of(p, e);
    Expr index = EXPR_NONE;
    int64_t more = 0;
    uint64_t at = 0;
    bool found = false;
    if (is(p, e, EXPR_ITE)) {
        Chain chain = {0};
        found = find_chain(p, e, &chain) &&
                (elements_of_input(p, &chain, &n, &at) || elements_of_table(p, &chain, &n));
        index = chain.index;
        more = (int64_t)at - (int64_t)chain.first;
        vec_free(&chain.values);
    } else if ((is(p, e, EXPR_CONCAT) || is(p, e, EXPR_SELECT)) && width % 8 == 0) {
        Expr array = array_of(p, e, &index), byte = index;
        found = array.id && name_of_array(p, array, width / 8, &n) &&
                element_index(p, byte, width / 8, &index, &more);
    }
    while (found && is(p, index, EXPR_ZEXT)) /* as C extends it by itself */
        index = kid(p, index, 0);
    if (found)
        *out = element_text(c, &n, index, more, width);
    return found;
}
