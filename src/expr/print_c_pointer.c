/* print_c_pointer.c - addresses as C: NULL, buf, &buf[i], &p->len; in words what C has no name for.
 *
 * In an expression an address is a number of the machine that ran the program. No reader should see that
 * number: it is looked up among the objects behind pointers of the input and among the places that the
 * machine reported. */
#include "expr/print_c.h"

enum { NULL_PAGE = 4096 };

/* The object that an address lies in, of those behind pointers. */
static const ExprObjectInfo *object_at(const ExprPool *p, u128 address)
{
    for (uint32_t i = 0; i < p->objects.n; i++) {
        const ExprObjectInfo *o = &p->objects.v[i];
        if (o->address && address >= o->address && address < o->address + o->size)
            return o;
    }
    return NULL;
}

static const ExprObjectInfo *object_behind(const ExprPool *p, const char *pointer)
{
    for (uint32_t i = 0; i < p->objects.n; i++)
        if (p->objects.v[i].pointer && !strcmp(p->objects.v[i].pointer, pointer))
            return &p->objects.v[i];
    return NULL;
}

/* Bytes of an element of the object behind a pointer, if its places say so: "*p", "p[0]", "p[0].len". */
static uint32_t unit_behind(const ExprObjectInfo *o)
{
    size_t n = strlen(o->pointer);
    if (o->nfields == 1 && o->fields[0].text[0] == '*')
        return o->fields[0].bits / 8;
    for (uint32_t i = 0; i < o->nfields; i++)
        if (!strncmp(o->fields[i].text, o->pointer, n) && !strncmp(o->fields[i].text + n, "[1]", 3))
            return (uint32_t)(o->fields[i].low / 8);
    return 0;
}

static ExprPlace place_behind(const ExprObjectInfo *o)
{
    return (ExprPlace){.kind = EXPR_PLACE_NAMED,
                       .address = o->address,
                       .size = o->size,
                       .text = o->pointer,
                       .unit = unit_behind(o),
                       .fields = o->fields,
                       .nfields = o->nfields};
}

static bool place_at(const ExprPool *p, u128 address, ExprPlace *out)
{
    const ExprObjectInfo *o = address <= UINT64_MAX ? object_at(p, address) : NULL;
    uint64_t exact = o || address > UINT64_MAX ? 0 : map_get_or(&p->place_index, (uint64_t)address, 0);
    if (o)
        *out = place_behind(o);
    else if (exact)
        *out = p->places.v[exact - 1];
    for (uint32_t i = 0; i < p->places.n && !o && !exact; i++) {
        const ExprPlace *place = &p->places.v[i];
        if (address < place->address - place->before || address >= (u128)place->address + place->room)
            continue;
        *out = *place;
        return true;
    }
    return o || exact;
}

bool expr_is_address(const ExprPool *p, Expr e)
{
    ExprPlace place;
    return is_const(p, e) && width_of(p, e) == 64 && place_at(p, value_of(p, e), &place);
}

bool expr_looks_pointer(const ExprPool *p, Expr e)
{
    Slice slice;
    while (is(p, e, EXPR_ITE))
        e = is_zero(p, kid(p, e, 1)) ? kid(p, e, 2) : kid(p, e, 1);
    return expr_is_address(p, e) || (expr_c_slice(p, e, &slice) && slice.kind == EXPR_C_POINTER);
}

bool expr_looks_float(const ExprPool *p, Expr e) { return expr_c_looks_float(p, e); }

bool expr_is_input(const ExprPool *p, Expr e)
{
    Slice slice;
    return expr_c_slice(p, e, &slice);
}

/* ---- a place and an offset ------------------------------------------------------------------- */

static Text pointer_new(int prec, const char *text)
{
    return expr_c_new(prec, SIG_UNSIGNED, 64, true, "%s", text);
}

/* What C calls the place at an offset; NULL if it has no name. */
static const char *field_at(const ExprPlace *place, int64_t offset)
{
    for (uint32_t i = 0; i < place->nfields; i++)
        if (place->fields[i].low == (uint64_t)offset * 8 && place->fields[i].text[0] != '*')
            return place->fields[i].text;
    return NULL;
}

static Text new_object_text(const ExprPlace *place, const char *offset)
{
    const char *bytes = !offset[0] ? "" : !strcmp(offset, "1") ? " byte into " : " bytes into ";
    Text t = expr_c_new(P_PRIMARY, SIG_UNSIGNED, 64, true, "%s%s", offset, bytes);
    str_add(&t.s, "a new object");
    if (place->size)
        str_printf(&t.s, " of %llu byte%s", (unsigned long long)place->size, place->size == 1 ? "" : "s");
    return t;
}

/* "text[0].len" behind its first "[0]": ".len". */
static const char *tail_of(const ExprPlace *place, int64_t offset)
{
    const char *field = field_at(place, offset);
    size_t n = strlen(place->text);
    return field && !strncmp(field, place->text, n) && !strncmp(field + n, "[0]", 3) ? field + n + 3 : NULL;
}

static Text place_text(const ExprPlace *place, int64_t offset)
{
    char number[24] = "";
    int64_t unit = place->unit, rest = unit ? offset % unit : 0;
    const char *field = field_at(place, offset), *tail = rest > 0 ? tail_of(place, rest) : "";
    if (offset)
        snprintf(number, sizeof number, "%lld", (long long)offset);
    if (place->kind == EXPR_PLACE_NEW)
        return new_object_text(place, number);
    if (place->kind == EXPR_PLACE_OTHER || !offset)
        return pointer_new(place->text[0] == '&' ? P_UNARY : P_PRIMARY, place->text);
    if (unit && rest >= 0 && tail)
        return expr_c_new(P_UNARY, SIG_UNSIGNED, 64, true, "&%s[%lld]%s", place->text,
                          (long long)(offset / unit), tail);
    if (field)
        return expr_c_new(P_UNARY, SIG_UNSIGNED, 64, true, "&%s", field);
    return expr_c_new(P_ADD, SIG_UNSIGNED, 64, true, "(char *)%s %c %s", place->text, offset < 0 ? '-' : '+',
                      number + (offset < 0));
}

bool expr_c_address_const(const ExprPool *p, u128 value, unsigned width, Text *out)
{
    ExprPlace place;
    if (width != 64 || !place_at(p, value, &place))
        return false;
    *out = place_text(&place, (int64_t)((uint64_t)value - place.address));
    return true;
}

/* ---- sums with an address -------------------------------------------------------------------- */

/* Factors as signed numbers, each divided by the unit, and a constant. */
static Text terms_text(CPrint *c, const Sum *s, int64_t unit, int64_t constant)
{
    Text all = {0};
    for (unsigned i = 0; i < s->n; i++) {
        int64_t factor = (int64_t)s->term[i].factor / unit, size = factor < 0 ? -factor : factor;
        Text t = expr_c_word(c, s->term[i].base, SIG_MOD);
        if (size != 1) {
            Text number = expr_c_const((u128)size, 64, SIG_UNSIGNED, STYLE_PLAIN);
            t = expr_c_join(number, "*", t, P_MUL);
        }
        if (all.s.n) {
            all = expr_c_join(all, factor < 0 ? "-" : "+", t, P_ADD);
        } else {
            all = t;
            if (factor < 0)
                expr_c_minus(&all);
        }
    }
    if (constant)
        all = expr_c_join(
            all, constant < 0 ? "-" : "+",
            expr_c_const((u128)(constant < 0 ? -constant : constant), 64, SIG_UNSIGNED, STYLE_PLAIN), P_ADD);
    return all;
}

static bool divides(const Sum *s, int64_t unit)
{
    for (unsigned i = 0; i < s->n; i++)
        if ((int64_t)s->term[i].factor % unit)
            return false;
    return true;
}

/* The place, `offset` bytes and the terms of the sum. */
static Text indexed_text(CPrint *c, const ExprPlace *place, const Sum *s, int64_t offset)
{
    int64_t unit = place->unit, rest = unit ? offset % unit : 0;
    const char *tail = rest > 0 ? tail_of(place, rest) : "";
    bool indexed = place->kind == EXPR_PLACE_NAMED && unit && rest >= 0 && tail && divides(s, unit);
    if (place->kind == EXPR_PLACE_OTHER)
        return pointer_new(P_PRIMARY, place->text);
    Text index = indexed ? terms_text(c, s, unit, offset / unit) : terms_text(c, s, 1, offset), t;
    if (place->kind == EXPR_PLACE_NEW) {
        expr_c_wrap(&index, P_PRIMARY);
        t = new_object_text(place, str_text(&index.s));
    } else if (indexed) {
        t = expr_c_new(P_UNARY, SIG_UNSIGNED, 64, true, "&%s[%s]%s", place->text, str_text(&index.s), tail);
    } else {
        expr_c_wrap(&index, P_ADD + 1);
        t = expr_c_new(P_ADD, SIG_UNSIGNED, 64, true, "(char *)%s + %s", place->text, str_text(&index.s));
    }
    str_free(&index.s);
    return t;
}

/* The only pointer of the input among the terms is taken out; false if there is none, or several. */
static bool take_pointer(const ExprPool *p, Sum *s, Slice *pointer)
{
    unsigned found = s->n;
    for (unsigned i = 0; i < s->n; i++) {
        Slice slice;
        if (!expr_c_slice(p, s->term[i].base, &slice) || slice.kind != EXPR_C_POINTER)
            continue;
        if (found < s->n || (uint64_t)s->term[i].factor != 1 || !expr_c_slice_is_element(&slice))
            return false;
        found = i;
        *pointer = slice;
    }
    if (found == s->n)
        return false;
    s->term[found] = s->term[--s->n];
    expr_sum_sort(s);
    return true;
}

/* A pointer that was not followed has no object: what it points to has a size at most. */
static Text moved_pointer(CPrint *c, const Slice *pointer, const Sum *s)
{
    Text name = expr_c_element(pointer), t;
    const ExprObjectInfo *o = object_behind(c->p, str_text(&name.s));
    ExprPlace place = o ? place_behind(o) : (ExprPlace){.kind = EXPR_PLACE_NAMED, .text = str_text(&name.s)};
    int64_t offset = (int64_t)s->constant;
    if (!place.unit)
        place.unit = pointer->unit;
    const char *field = s->n ? NULL : field_at(&place, offset);
    if (field)
        t = expr_c_new(P_UNARY, SIG_UNSIGNED, 64, true, "&%s", field);
    else
        t = s->n ? indexed_text(c, &place, s, offset) : place_text(&place, offset);
    str_free(&name.s);
    return t;
}

bool expr_c_address_sum(CPrint *c, Expr e, Text *out)
{
    Sum s = {.width = 64};
    ExprPlace place;
    Slice pointer;
    if (width_of(c->p, e) != 64 || !is(c->p, e, EXPR_ADD) || !expr_sum_add(c->p, &s, e, 1))
        return false;
    expr_sum_sort(&s);
    if (place_at(c->p, s.constant, &place)) {
        *out = indexed_text(c, &place, &s, (int64_t)((uint64_t)s.constant - place.address));
        return true;
    }
    if (!take_pointer(c->p, &s, &pointer) || pointer.unit <= 1)
        return false; /* p + k is right C where p points to bytes */
    *out = moved_pointer(c, &pointer, &s);
    return true;
}

/* ---- values that are pointers ---------------------------------------------------------------- */

static Text address_text(const ExprPool *p, u128 address)
{
    Text t;
    int64_t value = (int64_t)address;
    if (!address)
        return pointer_new(P_PRIMARY, "NULL");
    if (expr_c_address_const(p, address, 64, &t))
        return t;
    if (value < NULL_PAGE && value > -NULL_PAGE)
        return expr_c_new(P_UNARY, SIG_UNSIGNED, 64, true, "(void *)%lld", (long long)value);
    return pointer_new(P_PRIMARY, "an address");
}

Text expr_c_pointer(CPrint *c, Expr e)
{
    const ExprPool *p = c->p;
    if (is_const(p, e))
        return address_text(p, value_of(p, e));
    if (!is(p, e, EXPR_ITE) || expr_c_enter(c))
        return expr_c_word(c, e, SIG_UNSIGNED);
    Text condition = expr_c_bool(c, kid(p, e, 0), false);
    Text then = expr_c_pointer(c, kid(p, e, 1)), otherwise = expr_c_pointer(c, kid(p, e, 2));
    expr_c_leave(c);
    expr_c_wrap(&condition, P_COND + 1);
    str_printf(&condition.s, " ? %s : %s", str_text(&then.s), str_text(&otherwise.s));
    str_free(&then.s);
    str_free(&otherwise.s);
    condition.prec = P_COND;
    condition.sig = SIG_UNSIGNED;
    return condition;
}

/* ---- conditions on pointers of the input ----------------------------------------------------- */

bool expr_is_pointer_equality(const ExprPool *p, Expr e)
{
    Slice slice;
    if (!is(p, e, EXPR_EQ) || width_of(p, kid(p, e, 0)) != 64 || !is_const(p, kid(p, e, 1)) ||
        !expr_c_slice(p, kid(p, e, 0), &slice) || (slice.text && !expr_c_slice_is_element(&slice)))
        return false;
    return object_at(p, value_of(p, kid(p, e, 1))) ||
           (slice.kind == EXPR_C_POINTER && !value_of(p, kid(p, e, 1)));
}

bool expr_is_pointer_own(const ExprPool *p, Expr e)
{
    Slice slice;
    if (!expr_is_pointer_equality(p, e) || !expr_c_slice(p, kid(p, e, 0), &slice))
        return false;
    u128 address = value_of(p, kid(p, e, 1));
    const ExprObjectInfo *o = object_at(p, address);
    Text name = expr_c_element(&slice);
    bool own = o && o->address == address && !strcmp(o->pointer, str_text(&name.s));
    str_free(&name.s);
    return own;
}

/* p == NULL, p == q, p == &q->b. That a pointer leads to the object that is named by it says no more than
 * that it is not null. */
bool expr_c_pointer_equality(CPrint *c, Expr e, bool negated, Text *out)
{
    const ExprPool *p = c->p;
    Slice slice;
    Expr to = kid(p, e, 1);
    if (!is_const(p, to) || !expr_c_slice(p, kid(p, e, 0), &slice) || !expr_c_slice_is_element(&slice) ||
        (slice.kind != EXPR_C_POINTER && !expr_is_pointer_equality(p, e)))
        return false;
    Text name = expr_c_element(&slice);
    if (expr_is_pointer_own(p, e))
        str_add(&name.s, negated ? " leads nowhere or to another object" : " != NULL");
    else
        name = expr_c_join(name, negated ? "!=" : "==", address_text(p, value_of(p, to)), P_EQ);
    name.prec = P_EQ;
    *out = name;
    return true;
}
