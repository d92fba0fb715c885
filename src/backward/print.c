/* print.c - conditions over a state of the program as C over the program's own names.
 *
 * A load ld_n(address, M) becomes a symbol that is called what C calls the place: p->len, a[i + 1], *q,
 * table[3].x, from the C types that debug information tells. The printer of expressions does the rest. Where
 * no name fits, the symbol is called by an expression with casts that means the same: *(int *)((char *)p +
 * 8). */
#include "backward/backward_int.h"

#include <ctype.h>
#include <stdlib.h>

enum { TERMS_MOST = 12, DEPTH_MOST = 12, FIELDS_MOST = 64, ADDRESS_MOST = 300, C_MOST = 60000 };

typedef struct Printer {
    Backward *bw;
    Arena *arena;
    Map types;  /* symbol of a place, or object of an input, to its C type */
    Map depths; /* symbol of a place to the number of pointers that are followed for it */
    bool total; /* the C is to be run: no division fails */
} Printer;

/* factor * value bytes of an address. */
typedef struct Term {
    Expr value;
    int64_t factor;
} Term;

/* What is left of an address on the way from its root to the place. */
typedef struct Rest {
    int64_t offset;
    uint64_t bytes; /* of the access */
    Term terms[TERMS_MOST];
    uint32_t n;
} Rest;

static const IrCType *type_at(const Printer *pr, uint32_t type)
{
    static const IrCType unknown = {.kind = IR_C_UNKNOWN};
    return type && type < pr->bw->program->ctypes.n ? &pr->bw->program->ctypes.v[type] : &unknown;
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* x << k is concat(low bits of x, 0) here: x, and its factor. EXPR_NONE if it is none. */
static Expr shifted(ExprPool *p, Expr e, int64_t *factor)
{
    if (expr_op(p, e) == EXPR_ZEXT && expr_op(p, expr_child(p, e, 0)) == EXPR_CONCAT)
        e = expr_child(p, e, 0);
    if (expr_op(p, e) != EXPR_CONCAT)
        return EXPR_NONE;
    Expr high = expr_child(p, e, 0), low = expr_child(p, e, 1);
    if (!expr_is_value(p, low, 0) || expr_width(p, low) > 30)
        return EXPR_NONE;
    *factor = INT64_C(1) << expr_width(p, low);
    switch (expr_op(p, high)) {
    case EXPR_EXTRACT:
        return !expr_extract_low(p, high) && expr_width(p, expr_child(p, high, 0)) == 64
                   ? expr_child(p, high, 0)
                   : expr_zext(p, high, 64);
    case EXPR_SEXT: return expr_sext(p, expr_child(p, high, 0), 64);
    default: return expr_zext(p, high, 64);
    }
}

static bool add_terms(ExprPool *p, Expr e, int64_t factor, Rest *r, unsigned depth)
{
    int64_t by = 1;
    if (expr_is_const(p, e)) {
        r->offset = (int64_t)((uint64_t)r->offset + (uint64_t)factor * (uint64_t)expr_const_value(p, e));
        return true;
    }
    if (!depth || r->n == TERMS_MOST)
        return false;
    if (expr_op(p, e) == EXPR_ADD)
        return add_terms(p, expr_child(p, e, 0), factor, r, depth - 1) &&
               add_terms(p, expr_child(p, e, 1), factor, r, depth - 1);
    if (expr_op(p, e) == EXPR_NEG)
        return add_terms(p, expr_child(p, e, 0), -factor, r, depth - 1);
    if (expr_op(p, e) == EXPR_MUL && expr_is_const(p, expr_child(p, e, 1)))
        return add_terms(p, expr_child(p, e, 0), factor * (int64_t)expr_const_value(p, expr_child(p, e, 1)),
                         r, depth - 1);
    Expr x = shifted(p, e, &by);
    if (!expr_is_none(x))
        return add_terms(p, x, factor * by, r, depth - 1);
    r->terms[r->n++] = (Term){e, factor};
    return true;
}

/* The C type of a word that is a place, or a whole input. */
static uint32_t type_of(const Printer *pr, Expr e)
{
    ExprPool *p = pr->bw->pool;
    uint64_t type;
    uint32_t offset, at;
    if (expr_op(p, e) == EXPR_SYMBOL && map_get(&pr->types, e.id, &type))
        return (uint32_t)type;
    if (!expr_is_word(p, e) || (at = expr_set_next(p, expr_symbols(p, e), 0)) == UINT32_MAX)
        return 0;
    ExprObject object = expr_object_at(p, at, &offset);
    bool whole = !offset && expr_object_info(p, object)->size * 8 == expr_width(p, e);
    return whole && map_get(&pr->types, UINT64_C(1) << 32 | object.id, &type) ? (uint32_t)type : 0;
}

/* ---- indices --------------------------------------------------------------------------------- */

static bool is_primary(const char *text)
{
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_.[]", *c) && !(*c == '-' && c[1] == '>') &&
            !(*c == '>' && c > text && c[-1] == '-'))
            return false;
    return true;
}

/* One value in an index or a distance: C widens it by itself. */
static void value_text(Printer *pr, Expr e, bool alone, Str *out)
{
    ExprPool *p = pr->bw->pool;
    Str text = {0};
    while (expr_op(p, e) == EXPR_SEXT ||
           (expr_op(p, e) == EXPR_ZEXT && expr_reads_unsigned(p, expr_child(p, e, 0))))
        e = expr_child(p, e, 0);
    expr_print_c(p, e, pr->total ? C_MOST : ADDRESS_MOST, &text);
    bool plain = alone || is_primary(str_text(&text));
    str_printf(out, plain ? "%s" : "(%s)", str_text(&text));
    str_free(&text);
}

/* The terms that are multiples of `unit`, divided by it, and a constant; they are taken out of the rest. */
static const char *index_text(Printer *pr, Rest *r, int64_t unit, int64_t constant, bool bracketed)
{
    Str out = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        Term t = r->terms[i];
        int64_t factor = t.factor / unit, size = factor < 0 ? -factor : factor;
        if (t.factor % unit) {
            r->terms[kept++] = t;
            continue;
        }
        str_add(&out, factor < 0 ? out.n ? " - " : "-" : out.n ? " + " : "");
        if (size != 1)
            str_printf(&out, "%lld * ", (long long)size);
        value_text(pr, t.value, bracketed && r->n == 1 && factor == 1 && !constant, &out);
    }
    r->n = kept;
    if (!out.n)
        str_printf(&out, "%lld", (long long)constant);
    else if (constant)
        str_printf(&out, " %c %lld", constant < 0 ? '-' : '+',
                   (long long)(constant < 0 ? -constant : constant));
    const char *text = arena_strdup(pr->arena, str_text(&out));
    str_free(&out);
    return text;
}

static bool has_multiple(const Rest *r, int64_t unit)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (r->terms[i].factor % unit == 0)
            return true;
    return false;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Adds the places that the access covers, in an object of this type that is called `text`. */
static void places_in(Printer *pr, uint32_t type, const char *text, const char *dot, Rest r, IrCFieldVec *out,
                      unsigned depth);

/* `count`: elements of the array, 0: not known. */
static void places_in_array(Printer *pr, uint32_t element, uint64_t count, const char *text, Rest r,
                            IrCFieldVec *out, unsigned depth)
{
    int64_t unit = (int64_t)type_at(pr, element)->size;
    if (!unit)
        return;
    int64_t at = r.offset / unit - (r.offset % unit < 0);
    r.offset -= at * unit;
    bool variable = has_multiple(&r, unit);
    const char *index = index_text(pr, &r, unit, at, true);
    if (pr->total && count && variable) /* what is beyond is never looked at, but C would go there */
        index = arena_printf(pr->arena, "(unsigned long)(%s) < %llu ? %s : 0", index,
                             (unsigned long long)count, index);
    places_in(pr, element, arena_printf(pr->arena, "%s[%s]", text, index), ".", r, out, depth - 1);
}

/* Is the access in the member? With an index in it, the member is one that has elements, the index from its
 * first on. */
static bool is_in_member(const Printer *pr, const IrCMember *m, const Rest *r)
{
    const IrCType *t = type_at(pr, m->type);
    int64_t low = (int64_t)m->low, from = r->offset * 8, to = from + (int64_t)r->bytes * 8;
    if (r->n)
        return (t->kind == IR_C_ARRAY || t->kind == IR_C_RECORD) && from >= low &&
               (from < low + (int64_t)m->bits || !m->bits);
    return low < to && low + (int64_t)m->bits > from;
}

static void places_in_record(Printer *pr, uint32_t type, const char *text, const char *dot, Rest r,
                             IrCFieldVec *out, unsigned depth)
{
    const IrCType *t = type_at(pr, type);
    uint32_t before = out->n;
    for (unsigned pass = 0; pass < 2 && out->n == before; pass++)
        for (uint32_t i = 0; i < t->n && out->n < FIELDS_MOST; i++) {
            const IrCMember *m = &pr->bw->program->cmembers.v[t->first + i];
            const char *name = ir_text(pr->bw->program, m->name);
            bool array = type_at(pr, m->type)->kind == IR_C_ARRAY;
            if (pass ? !r.n || !array
                     : !is_in_member(pr, m, &r)) /* a[i - 1]: the constant part is before the array */
                continue;
            Rest inner = r;
            if (type_at(pr, m->type)->kind != IR_C_RECORD && !array) {
                int64_t low = (int64_t)m->low - r.offset * 8;
                if (low >= 0 && *name)
                    vec_push(out, (IrCField){(uint64_t)low, m->bits, type_at(pr, m->type)->kind,
                                             type_at(pr, m->type)->of,
                                             arena_printf(pr->arena, "%s%s%s", text, dot, name)});
                continue;
            }
            inner.offset -= (int64_t)m->low / 8;
            if (*name)
                places_in(pr, m->type, arena_printf(pr->arena, "%s%s%s", text, dot, name), ".", inner, out,
                          depth - 1);
            else
                places_in(pr, m->type, text, dot, inner, out, depth - 1);
        }
}

static void places_in(Printer *pr, uint32_t type, const char *text, const char *dot, Rest r, IrCFieldVec *out,
                      unsigned depth)
{
    const IrCType *t = type_at(pr, type);
    if (!depth || out->n >= FIELDS_MOST)
        return;
    if (t->kind == IR_C_RECORD)
        places_in_record(pr, type, text, dot, r, out, depth);
    else if (t->kind == IR_C_ARRAY)
        places_in_array(pr, t->of, type_at(pr, t->of)->size ? t->size / type_at(pr, t->of)->size : 0, text, r,
                        out, depth);
    else if (t->kind != IR_C_UNKNOWN && !r.n && !r.offset)
        vec_push(out, (IrCField){0, (uint32_t)t->size * 8, t->kind, t->of, text});
}

/* The places behind a pointer to this type. */
static void places_behind(Printer *pr, uint32_t type, const char *text, Rest r, IrCFieldVec *out)
{
    const IrCType *t = type_at(pr, type);
    bool first =
        t->size && r.offset >= 0 && r.offset < (int64_t)t->size && !has_multiple(&r, (int64_t)t->size);
    if (first && t->kind == IR_C_RECORD)
        places_in(pr, type, text, "->", r, out, DEPTH_MOST);
    else if (first && t->kind == IR_C_ARRAY)
        places_in(pr, type, arena_printf(pr->arena, "(*%s)", text), ".", r, out, DEPTH_MOST);
    else if (first && t->kind != IR_C_CHAR && t->kind != IR_C_UCHAR)
        places_in(pr, type, arena_printf(pr->arena, "*%s", text), ".", r, out, DEPTH_MOST);
    else
        places_in_array(pr, type, 0, text, r, out, DEPTH_MOST);
}

/* ---- roots ----------------------------------------------------------------------------------- */

static const char *text_of(Printer *pr, Expr e)
{
    Str text = {0};
    expr_print_c(pr->bw->pool, e, pr->total ? C_MOST : ADDRESS_MOST, &text);
    const char *copy = arena_strdup(pr->arena, str_text(&text));
    str_free(&text);
    return is_primary(copy) ? copy : arena_printf(pr->arena, "(%s)", copy);
}

/* The only term that is a pointer, taken out of the rest; EXPR_NONE if there is none. `pointee`: its type, 0
 * if that is not known. */
static Expr take_pointer(Printer *pr, Rest *r, uint32_t *pointee)
{
    uint32_t found = TERMS_MOST, pointers = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        const IrCType *t = type_at(pr, type_of(pr, r->terms[i].value));
        if (r->terms[i].factor != 1 || expr_width(pr->bw->pool, r->terms[i].value) != 64 ||
            t->kind != IR_C_POINTER)
            continue;
        found = i;
        pointers++;
        *pointee = t->of;
    }
    if (pointers != 1)
        return EXPR_NONE;
    Expr e = r->terms[found].value;
    r->terms[found] = r->terms[--r->n];
    return e;
}

static const char *word_type(unsigned bytes)
{
    switch (bytes) {
    case 1: return "unsigned char";
    case 2: return "short";
    case 4: return "int";
    case 8: return "long";
    default: return NULL;
    }
}

/* A variable of the program that has no name of its own there ("f.counter", a string) is none that C could
 * write. */
static const char *global_name(const Printer *pr, uint32_t object)
{
    const BwObject *o = &pr->bw->objects.v[object];
    const char *name =
        o->kind == BW_GLOBAL ? ir_text(pr->bw->program, pr->bw->program->globals.v[o->index].name) : "";
    const char *dot = strrchr(name, '.');
    if (dot && isdigit((unsigned char)dot[1]))
        return "";
    return dot ? dot + 1 : name;
}

/* A local variable, if the bytes are all of it; NULL: they are not. */
static const char *local_text(const Printer *pr, uint32_t object, const Rest *r)
{
    const BwObject *o = &pr->bw->objects.v[object];
    const IrProgram *program = pr->bw->program;
    if (o->kind != BW_STACK || o->reg == IR_NONE || r->n || !expr_is_value(pr->bw->pool, o->size, r->bytes) ||
        !expr_is_value(pr->bw->pool, o->base, (uint64_t)r->offset))
        return NULL;
    uint32_t name = program->fns.v[pr->bw->instances.v[o->index].fn].regs.v[o->reg].name;
    size_t n = 0;
    const char *text = name ? vm_plain_name(ir_text(program, name), &n) : "";
    return n ? arena_printf(pr->arena, "%.*s", (int)n, text) : NULL;
}

/* What the bytes at an address are called, and which places they cover. */
static const char *place_text(Printer *pr, Expr address, unsigned bytes, IrCFieldVec *fields)
{
    Backward *bw = pr->bw;
    Rest r = {.bytes = bytes};
    uint32_t pointee = 0, object = bw_object_in(bw, address);
    const char *root = NULL, *type = word_type(bytes);
    if (!add_terms(bw->pool, address, 1, &r, 64))
        return NULL;
    if (object != IR_NONE && (root = local_text(pr, object, &r)))
        return root;
    if (object != IR_NONE && *global_name(pr, object)) {
        r.offset -= (int64_t)expr_const_value(bw->pool, bw->objects.v[object].base);
        places_in(pr, bw->program->globals.v[bw->objects.v[object].index].ctype, global_name(pr, object), ".",
                  r, fields, DEPTH_MOST);
        root = arena_printf(pr->arena, "&%s", global_name(pr, object));
    } else {
        Expr pointer = take_pointer(pr, &r, &pointee);
        root = expr_is_none(pointer) ? NULL : text_of(pr, pointer);
        if (root)
            places_behind(pr, pointee, root, r, fields);
    }
    for (uint32_t i = 0; i < fields->n; i++)
        if (!fields->v[i].low && fields->v[i].bits == 8 * bytes)
            return fields->v[i].text;
    if (!type)
        return NULL;
    if (!root)
        return arena_printf(pr->arena, "*(%s *)%s", type, text_of(pr, address));
    const char *distance = index_text(pr, &r, 1, r.offset, false);
    return strcmp(distance, "0") ? arena_printf(pr->arena, "*(%s *)((char *)%s + %s)", type, root, distance)
                                 : arena_printf(pr->arena, "*(%s *)%s", type, root);
}

/* ---- symbols for terms ----------------------------------------------------------------------- */

static Expr named(Printer *pr, const char *text, unsigned width, ExprCKind kind)
{
    ExprPool *p = pr->bw->pool;
    ExprObject object = expr_object_scalar(p, arena_printf(pr->arena, "c:%d:%s", (int)kind, text), text,
                                           width, (ExprCType){kind, 0});
    expr_object_describe(p, object, &(ExprField){.bits = width, .kind = kind, .text = text}, 1, NULL, 0);
    return expr_object_symbol(p, object);
}

static uint32_t depth_of(const Printer *pr, Expr e)
{
    ExprPool *p = pr->bw->pool;
    ExprSet symbols = expr_symbols(p, e);
    uint64_t depth, most = 0;
    for (uint32_t at = expr_set_next(p, symbols, 0); at != UINT32_MAX; at = expr_set_next(p, symbols, at + 1))
        if (map_get(&pr->depths, at, &depth) && depth > most)
            most = depth;
    return (uint32_t)most;
}

/* A symbol for all bytes of an access; its parts are called by the places that they are. */
static Expr place_symbol(Printer *pr, const char *text, unsigned bytes, const IrCFieldVec *fields)
{
    ExprPool *p = pr->bw->pool;
    ExprCKind kind = bytes == 1 ? EXPR_C_UCHAR : EXPR_C_INT;
    ExprObject object = expr_object_scalar(p, arena_printf(pr->arena, "c:place:%s", text), text, 8 * bytes,
                                           (ExprCType){kind, 0});
    Vec(ExprField) list = {0};
    for (uint32_t i = 0; i < fields->n; i++)
        if (fields->v[i].low + fields->v[i].bits <= 8 * bytes)
            vec_push(&list, vm_field(pr->bw->program, &fields->v[i]));
    if (!list.n)
        vec_push(&list, (ExprField){.bits = 8 * bytes, .kind = kind, .text = text});
    expr_object_describe(p, object, list.v, list.n, NULL, 0);
    vec_free(&list);
    return expr_object_symbol(p, object);
}

/* The type of the first place if it is all of the access. */
static uint32_t pointer_type(const Printer *pr, const IrCFieldVec *fields, unsigned bytes)
{
    const IrProgram *p = pr->bw->program;
    for (uint32_t i = 0; i < fields->n; i++)
        if (!fields->v[i].low && fields->v[i].bits == 8 * bytes && fields->v[i].kind == IR_C_POINTER)
            for (uint32_t t = 1; t < p->ctypes.n; t++)
                if (p->ctypes.v[t].kind == IR_C_POINTER && p->ctypes.v[t].of == fields->v[i].of)
                    return t;
    return 0;
}

static Expr load_symbol(Printer *pr, Expr load, Expr address, unsigned bytes)
{
    IrCFieldVec fields = {0};
    const char *text = place_text(pr, address, bytes, &fields);
    Expr symbol = load;
    if (text) {
        symbol = place_symbol(pr, text, bytes, &fields);
        map_put(&pr->depths, expr_symbol_at(pr->bw->pool, symbol), depth_of(pr, address) + 1);
        map_put(&pr->types, symbol.id, pointer_type(pr, &fields, bytes));
    }
    vec_free(&fields);
    return symbol;
}

/* A word of the program that C reads as signed, below an extension: EXPR_NONE if it is none. */
static Expr signed_word(Printer *pr, Expr e)
{
    ExprPool *p = pr->bw->pool;
    if (expr_op(p, e) == EXPR_SEXT)
        e = expr_child(p, e, 0);
    return expr_width(p, e) >= 8 && expr_is_word(p, e) && !expr_reads_unsigned(p, e) ? e : EXPR_NONE;
}

/* i < 16 as unsigned numbers, of a signed i: 0 <= i && i < 16; so with i + 1 for i. */
static Expr as_signed(Printer *pr, Expr e)
{
    ExprPool *p = pr->bw->pool;
    Expr a = expr_child(p, e, 0), b = expr_child(p, e, 1);
    unsigned width = expr_width(p, a);
    i128 addend = 0;
    if (!expr_is_const(p, b) || width < 8 || expr_const_value(p, b) >> (width - 1))
        return e;
    if (expr_op(p, a) == EXPR_ADD && expr_is_const(p, expr_child(p, a, 1))) {
        addend = bits_signed(expr_const_value(p, expr_child(p, a, 1)), width);
        a = expr_child(p, a, 0);
    }
    Expr x = signed_word(pr, a);
    if (expr_is_none(x))
        return e;
    unsigned inner = expr_width(p, x);
    i128 low = -addend, high = (i128)expr_const_value(p, b) - addend, half = (i128)1 << (inner - 1);
    if (low < -half || high >= half)
        return e;
    return expr_and(p, expr_not(p, expr_slt(p, x, expr_const(p, inner, (u128)low))),
                    expr_slt(p, x, expr_const(p, inner, (u128)high)));
}

/* ---- order ----------------------------------------------------------------------------------- */

/* A member of a conjunction or disjunction, and its place in it. */
typedef struct Member {
    Expr e;
    uint32_t depth, first, position;
    bool upper;
} Member;

/* What follows fewer pointers stands first: it guards the rest. Then what is said of one term stands
 * together, the lower bound first. */
static int by_place(const void *a, const void *b)
{
    const Member *x = a, *y = b;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->upper != y->upper)
        return x->upper ? 1 : -1;
    return x->position < y->position ? -1 : 1;
}

static Expr term_of(const ExprPool *p, Expr e)
{
    if (expr_op(p, e) == EXPR_NOT)
        e = expr_child(p, e, 0);
    ExprOp op = expr_op(p, e);
    return op == EXPR_EQ || op == EXPR_SLT || op == EXPR_ULT ? expr_child(p, e, 0) : e;
}

static void order_members(Printer *pr, const ExprVec *parts, Member *out)
{
    ExprPool *p = pr->bw->pool;
    for (uint32_t i = 0; i < parts->n; i++) {
        ExprOp op = expr_op(p, parts->v[i]);
        out[i] = (Member){parts->v[i], depth_of(pr, parts->v[i]), i, i, op == EXPR_SLT || op == EXPR_ULT};
        for (uint32_t k = 0; k < i && out[i].first == i; k++)
            if (expr_same(term_of(p, parts->v[k]), term_of(p, parts->v[i])))
                out[i].first = k;
    }
    qsort(out, parts->n, sizeof *out, by_place);
}

/* The same conjunction with its members in that order, which is the one in which C evaluates them. No rule
 * may sort it again. */
static Expr in_order(Printer *pr, Expr e)
{
    ExprPool *p = pr->bw->pool;
    ExprVec parts = {0};
    expr_split(p, e, &parts);
    Member *members = mem_alloc(parts.n * sizeof *members);
    order_members(pr, &parts, members);
    Expr all = members[0].e;
    expr_rule_switch_all(p, false);
    for (uint32_t i = 1; i < parts.n; i++)
        all = expr_and(p, all, members[i].e);
    expr_rule_switch_all(p, true);
    mem_free(members);
    vec_free(&parts);
    return all;
}

/* The value in which a byte of an object of this type lies, at an offset that may have an index in it: its
 * size, and which byte of it. */
static bool value_at(const Printer *pr, uint32_t type, Rest r, uint64_t *size, int64_t *byte)
{
    for (unsigned depth = 0; depth < DEPTH_MOST; depth++) {
        const IrCType *t = type_at(pr, type);
        if (t->kind == IR_C_ARRAY && type_at(pr, t->of)->size) {
            int64_t unit = (int64_t)type_at(pr, t->of)->size;
            uint32_t kept = 0;
            for (uint32_t i = 0; i < r.n; i++)
                if (r.terms[i].factor % unit)
                    r.terms[kept++] = r.terms[i];
            r.n = kept;
            r.offset = (r.offset % unit + unit) % unit;
            type = t->of;
        } else if (t->kind == IR_C_RECORD) {
            const IrCMember *in = NULL;
            for (uint32_t i = 0; i < t->n && !in; i++) {
                const IrCMember *m = &pr->bw->program->cmembers.v[t->first + i];
                if (is_in_member(pr, m, &r) && m->low % 8 == 0 && m->bits % 8 == 0)
                    in = m;
            }
            if (!in)
                return false;
            r.offset -= (int64_t)in->low / 8;
            type = in->type;
        } else {
            *size = t->size;
            *byte = r.offset;
            return !r.n && t->size && t->size <= 8 && r.offset >= 0 && r.offset < (int64_t)t->size;
        }
    }
    return false;
}

/* A byte of a variable at an index that is an expression, as part of the element that it is of. */
static Expr element_byte(Printer *pr, Expr array, Expr index, Expr e)
{
    Backward *bw = pr->bw;
    ExprPool *p = bw->pool;
    const ExprObjectInfo *info = expr_object_info(p, expr_array_object(p, (ExprArray){array.id}));
    uint64_t global, size = 1;
    int64_t byte = 0;
    Rest r = {.bytes = 1};
    if (!text_starts_with(info->key, "global:") ||
        !strmap_get(&bw->program->global_by_name, info->key + 7, &global) || !add_terms(p, index, 1, &r, 64))
        return e;
    uint32_t type = bw->program->globals.v[global].ctype;
    const char *name = arena_strdup(pr->arena, info->name);
    IrCFieldVec fields = {0};
    const char *text = NULL;
    if (value_at(pr, type, r, &size, &byte)) {
        r.offset -= byte;
        r.bytes = size;
        places_in(pr, type, name, ".", r, &fields, DEPTH_MOST);
        for (uint32_t i = 0; i < fields.n && !text; i++)
            if (!fields.v[i].low && fields.v[i].bits == 8 * size)
                text = fields.v[i].text;
    }
    if (!text) {
        size = 1, byte = 0;
        vec_clear(&fields);
        text = arena_printf(pr->arena, "((unsigned char *)&%s)[%s]", name,
                            index_text(pr, &r, 1, r.offset, true));
    }
    Expr value = expr_extract(p, place_symbol(pr, text, (unsigned)size, &fields), 8 * (unsigned)byte, 8);
    vec_free(&fields);
    return value;
}

/* room(p) is a long that is never negative: C compares it as signed numbers or as unsigned ones without a
 * cast. */
static Expr with_signed_room(Printer *pr, Expr e)
{
    ExprPool *p = pr->bw->pool;
    Expr children[2];
    uint32_t offset;
    for (uint32_t i = 0; i < 2; i++) {
        children[i] = expr_child(p, e, i);
        if (expr_op(p, children[i]) != EXPR_SYMBOL)
            continue;
        const char *name = expr_object_info(p, expr_symbol_object(p, children[i], &offset))->name;
        if (text_starts_with(name, "room("))
            children[i] = named(pr, arena_strdup(pr->arena, name), expr_width(p, children[i]), EXPR_C_INT);
    }
    return expr_slt(p, children[0], children[1]);
}

/* A condition speaks of quotients where the program has divided, which it has not where that fails: there any
 * value will do. */
static Expr total_division(Printer *pr, Expr e)
{
    ExprPool *p = pr->bw->pool;
    ExprOp op = expr_op(p, e);
    Expr x = expr_child(p, e, 0), y = expr_child(p, e, 1);
    unsigned width = expr_width(p, e), wide = width < 64 ? 64 : width;
    if (!pr->total || expr_is_const(p, y) || width > 64)
        return e;
    bool is_signed = op == EXPR_SDIV || op == EXPR_SREM, quotient = op == EXPR_SDIV || op == EXPR_UDIV;
    Expr (*divide)(ExprPool *, Expr, Expr) = op == EXPR_SDIV   ? expr_sdiv
                                             : op == EXPR_SREM ? expr_srem
                                             : op == EXPR_UDIV ? expr_udiv
                                                               : expr_urem;
    Expr by = expr_ite(p, expr_eq(p, y, expr_const(p, width, 0)), expr_const(p, width, 1), y);
    if (!is_signed)
        return divide(p, x, by);
    if (width < 64) /* where INT_MIN / -1 is a number */
        return expr_trunc(p, divide(p, expr_sext(p, x, wide), expr_sext(p, by, wide)), width);
    return expr_ite(p, expr_eq(p, y, expr_const(p, width, bits_mask(width))),
                    quotient ? expr_neg(p, x) : expr_const(p, width, 0), divide(p, x, by));
}

static Expr print_hook(void *context, Expr old, const Expr *children, Expr e)
{
    Printer *pr = context;
    Backward *bw = pr->bw;
    unsigned bytes;
    bool aligned;
    (void)old;
    if (expr_op(bw->pool, e) == EXPR_ULT)
        return as_signed(pr, e);
    if (expr_op(bw->pool, e) == EXPR_SLT)
        return with_signed_room(pr, e);
    ExprOp op = expr_op(bw->pool, e);
    if (op == EXPR_SDIV || op == EXPR_SREM || op == EXPR_UDIV || op == EXPR_UREM)
        return total_division(pr, e);
    if (op == EXPR_AND && expr_width(bw->pool, e) == 1)
        return in_order(pr, e);
    if (op == EXPR_SELECT && expr_op(bw->pool, children[0]) == EXPR_ARRAY_INPUT)
        return element_byte(pr, children[0], children[1], e);
    if (op != EXPR_APPLY)
        return e;
    if (bw_is_load(bw, e, &bytes, &aligned))
        return load_symbol(pr, e, children[0], bytes);
    const char *name = expr_fn_name(bw->pool, expr_apply_fn(bw->pool, e));
    const char *what = text_starts_with(name, "bad:") ? "invalid" : name;
    if (!strcmp(name, "room") || !strcmp(name, "strlen") || strcmp(what, name)) {
        const char *text = text_of(pr, children[0]);
        bool wrapped = text[0] == '(' && text[strlen(text) - 1] == ')' && !is_primary(text);
        Expr symbol = named(pr, arena_printf(pr->arena, wrapped ? "%s%s" : "%s(%s)", what, text),
                            expr_width(bw->pool, e), EXPR_C_UINT);
        map_put(&pr->depths, expr_symbol_at(bw->pool, symbol), depth_of(pr, children[0]));
        return symbol;
    }
    return e;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static void describe_input(Printer *pr, ExprObject object, uint32_t type)
{
    IrCFieldVec fields = {0};
    Vec(ExprField) list = {0};
    const ExprObjectInfo *info = expr_object_info(pr->bw->pool, object);
    map_put(&pr->types, UINT64_C(1) << 32 | object.id, type);
    if (!info->nfields)
        ir_ctype_fields(pr->bw->program, type, info->name, false, info->size, pr->arena, &fields);
    for (uint32_t i = 0; i < fields.n; i++)
        vec_push(&list, vm_field(pr->bw->program, &fields.v[i]));
    if (list.n)
        expr_object_describe(pr->bw->pool, object, list.v, list.n, NULL, 0);
    vec_free(&list);
    vec_free(&fields);
}

/* The number of the C parameter whose first register it is. */
static uint32_t parameter_number(const IrFn *fn, uint32_t reg)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < reg; i += ir_param_parts(fn, i))
        number++;
    return number;
}

static void describe_inputs(Printer *pr)
{
    Backward *bw = pr->bw;
    const IrFn *fn = &bw->program->fns.v[bw->entry];
    for (uint32_t i = 0; i < expr_object_count(bw->pool); i++) {
        const ExprObjectInfo *info = expr_object_info(bw->pool, (ExprObject){i});
        uint64_t global;
        unsigned reg;
        if (sscanf(info->key, "param:%u:", &reg) == 1 && reg < fn->nparams &&
            parameter_number(fn, reg) + 1 < fn->ctypes.n)
            describe_input(pr, (ExprObject){i}, fn->ctypes.v[parameter_number(fn, reg) + 1]);
        else if (text_starts_with(info->key, "global:") &&
                 strmap_get(&bw->program->global_by_name, info->key + 7, &global))
            describe_input(pr, (ExprObject){i}, bw->program->globals.v[global].ctype);
    }
}

/* Variables and functions, so that their addresses are written as C writes them. */
static void describe_places(Printer *pr)
{
    Backward *bw = pr->bw;
    for (uint32_t i = 0; i < bw->objects.n; i++) {
        const BwObject *o = &bw->objects.v[i];
        const char *name = o->kind == BW_FUNCTION ? ir_text(bw->program, bw->program->fns.v[o->index].name)
                                                  : global_name(pr, i);
        if (!*name || !expr_is_const(bw->pool, o->base) ||
            expr_place_known(bw->pool, (uint64_t)expr_const_value(bw->pool, o->base), 0))
            continue;
        const IrCType *t = type_at(pr, o->kind == BW_GLOBAL ? bw->program->globals.v[o->index].ctype : 0);
        bool array = t->kind == IR_C_ARRAY;
        uint64_t size = o->kind == BW_GLOBAL ? bw->program->globals.v[o->index].size : 1;
        expr_place_add(bw->pool, &(ExprPlace){.kind = EXPR_PLACE_NAMED,
                                              .address = (uint64_t)expr_const_value(bw->pool, o->base),
                                              .size = size,
                                              .room = size ? size : 1,
                                              .text = array || o->kind == BW_FUNCTION
                                                          ? name
                                                          : arena_printf(pr->arena, "&%s", name),
                                              .unit = array ? (uint32_t)type_at(pr, t->of)->size : 0});
    }
}

/* ---- conditions ------------------------------------------------------------------------------ */

/* Is it a < 0, as signed numbers? Then *a. The rules write that as the top bit, of an input as the top bit of
 * its last byte. */
static bool is_negative(ExprPool *p, Expr e, Expr *a)
{
    uint32_t offset;
    if (expr_op(p, e) == EXPR_SLT && expr_is_value(p, expr_child(p, e, 1), 0)) {
        *a = expr_child(p, e, 0);
        return true;
    }
    if (expr_op(p, e) != EXPR_EXTRACT || expr_extract_low(p, e) + 1 != expr_width(p, expr_child(p, e, 0)))
        return false;
    *a = expr_child(p, e, 0);
    if (expr_op(p, *a) != EXPR_SYMBOL)
        return true;
    ExprObject object = expr_symbol_object(p, *a, &offset);
    const ExprObjectInfo *info = expr_object_info(p, object);
    if (!info->scalar && info->size <= 8 && offset == info->size - 1)
        *a = expr_object_word(p, object, 0, info->size);
    return true;
}

/* x + y overflows: both have the same sign and the sum has not; x - y: both differ, and so do x and the
 * difference. */
static Expr overflow(ExprPool *p, Expr signs, Expr result)
{
    bool sum = expr_op(p, signs) == EXPR_EQ;
    Expr x, y, z, first;
    if (expr_op(p, result) != EXPR_NOT || (!sum && expr_op(p, signs) != EXPR_NOT))
        return EXPR_NONE;
    signs = sum ? signs : expr_child(p, signs, 0);
    result = expr_child(p, result, 0);
    if (expr_op(p, signs) != EXPR_EQ || expr_op(p, result) != EXPR_EQ ||
        !is_negative(p, expr_child(p, signs, 0), &x) || !is_negative(p, expr_child(p, signs, 1), &y) ||
        !is_negative(p, expr_child(p, result, 0), &first) || !is_negative(p, expr_child(p, result, 1), &z))
        return EXPR_NONE;
    unsigned width = expr_width(p, x);
    for (unsigned turn = 0; turn < 4; turn++) { /* which is x, and which side stands first */
        Expr a = turn & 1 ? y : x, b = turn & 1 ? x : y, c = turn & 2 ? first : z, d = turn & 2 ? z : first;
        Expr wide = sum ? expr_add(p, expr_sext(p, a, 2 * width), expr_sext(p, b, 2 * width))
                        : expr_sub(p, expr_sext(p, a, 2 * width), expr_sext(p, b, 2 * width));
        if ((expr_same(d, a) || (sum && expr_same(d, b))) &&
            expr_same(c, sum ? expr_add(p, a, b) : expr_sub(p, a, b)))
            return expr_ne(p, wide, expr_sext(p, c, 2 * width));
    }
    return EXPR_NONE;
}

static void name_overflows(ExprPool *p, ExprVec *parts)
{
    for (uint32_t i = 0; i < parts->n; i++)
        for (uint32_t k = 0; k < parts->n; k++) {
            Expr e = i != k && expr_op(p, parts->v[k]) == EXPR_NOT ? overflow(p, parts->v[i], parts->v[k])
                                                                   : EXPR_NONE;
            if (expr_is_none(e) || expr_width(p, expr_child(p, expr_child(p, e, 0), 0)) > 64)
                continue;
            parts->v[i] = e;
            parts->v[k] = parts->v[--parts->n];
            return;
        }
}

/* How far to the left a side of a comparison stands: what follows fewer pointers, what is one name, what is
 * declared first. */
static uint64_t rank_of(const Printer *pr, Expr e)
{
    const ExprPool *p = pr->bw->pool;
    return (uint64_t)depth_of(pr, e) << 40 | (uint64_t)!expr_is_word(p, e) << 36 |
           expr_set_next(p, expr_symbols(p, e), 0);
}

/* a >= b as b <= a, if it reads better so; `text` is a comparison and nothing else. */
static bool turn_around(const Printer *pr, Expr e, const char *text, Str *out)
{
    static const char *const operators[][2] = {{" >= ", " <= "}, {" <= ", " >= "}, {" < ", " > "},
                                               {" > ", " < "},   {" != ", " != "}, {" == ", " == "}};
    const ExprPool *p = pr->bw->pool;
    while (expr_op(p, e) == EXPR_NOT)
        e = expr_child(p, e, 0);
    ExprOp op = expr_op(p, e);
    if ((op != EXPR_SLT && op != EXPR_ULT && op != EXPR_EQ) || expr_is_const(p, expr_child(p, e, 0)) ||
        expr_is_const(p, expr_child(p, e, 1)) || expr_width(p, expr_child(p, e, 0)) == 1 ||
        strstr(text, " && ") || strstr(text, " || ") || strstr(text, " ? "))
        return false;
    uint64_t left = rank_of(pr, expr_child(p, e, 0)), right = rank_of(pr, expr_child(p, e, 1));
    if (op == EXPR_EQ && left >> 40 != right >> 40
            ? left >= right
            : left <= right) /* *a == key: what is looked up stands first */
        return false;
    for (size_t i = 0; i < COUNT_OF(operators); i++) {
        const char *at = strstr(text, operators[i][0]);
        if (!at || strstr(at + 1, operators[i][0]))
            continue;
        str_add(out, at + strlen(operators[i][0]));
        str_add(out, operators[i][1]);
        str_add_n(out, text, (uint32_t)(at - text));
        return true;
    }
    return false;
}

/* Numbers that have a name in <limits.h>. */
static void add_named(const char *text, Str *out)
{
    static const struct {
        const char *digits, *name;
    } limits[] = {{"-9223372036854775808", "LONG_MIN"},
                  {"9223372036854775807", "LONG_MAX"},
                  {"-2147483648", "INT_MIN"},
                  {"2147483647", "INT_MAX"}};
    while (*text) {
        size_t taken = 0;
        for (size_t i = 0; i < COUNT_OF(limits) && !taken; i++) {
            size_t n = strlen(limits[i].digits);
            if (strncmp(text, limits[i].digits, n) || isalnum((unsigned char)text[n]) ||
                (out->n && isalnum((unsigned char)out->v[out->n - 1])))
                continue;
            str_add(out, limits[i].name);
            taken = n;
        }
        if (!taken)
            str_add_n(out, text, 1);
        text += taken ? taken : 1;
    }
}

static void literal_text(Printer *pr, Expr e, char inside, uint32_t limit, Str *out)
{
    Str text = {0}, turned = {0};
    expr_print_c(pr->bw->pool, e, limit, &text);
    if (turn_around(pr, e, str_text(&text), &turned)) {
        str_free(&text);
        text = turned;
    }
    bool loose = inside &&
                 (strstr(str_text(&text), " ? ") || strstr(str_text(&text), inside == '&' ? " || " : " && "));
    str_add(out, loose ? "(" : "");
    add_named(str_text(&text), out);
    str_add(out, loose ? ")" : "");
    str_free(&text);
}

enum { NESTING_MOST = 40 };

/* `inside`: the connective around it, 0 for none. */
static void condition_text(Printer *pr, Expr e, bool negated, char inside, uint32_t limit, Str *out,
                           unsigned depth)
{
    ExprPool *p = pr->bw->pool;
    ExprVec parts = {0};
    while (expr_op(p, e) == EXPR_NOT) {
        e = expr_child(p, e, 0);
        negated = !negated;
    }
    if (expr_op(p, e) != EXPR_AND || expr_width(p, e) != 1 || depth >= NESTING_MOST || out->n >= limit) {
        literal_text(pr, negated ? expr_not(p, e) : e, inside, limit, out);
        return;
    }
    expr_split(p, e, &parts);
    name_overflows(p, &parts);
    Member *members = mem_alloc(parts.n * sizeof *members);
    order_members(pr, &parts, members);
    bool wrapped = inside && parts.n > 1;
    str_add(out, wrapped ? "(" : "");
    for (uint32_t i = 0; i < parts.n && out->n < limit; i++) {
        str_add(out, !i ? "" : negated ? " || " : " && ");
        condition_text(pr, members[i].e, negated,
                       parts.n == 1 ? inside
                       : negated    ? '|'
                                    : '&',
                       limit, out, depth + 1);
    }
    str_add(out, out->n >= limit ? "..." : "");
    str_add(out, wrapped ? ")" : "");
    mem_free(members);
    vec_free(&parts);
}

static void print_condition(Backward *bw, Expr e, bool total, uint32_t limit, Str *out)
{
    enum { LIMIT = 2000 };
    Printer pr = {.bw = bw, .arena = arena_new(), .total = total};
    Str text = {0};
    describe_inputs(&pr);
    describe_places(&pr);
    e = bw_rewrite_answer(bw, e, print_hook, &pr);
    if (expr_width(bw->pool, e) == 1)
        condition_text(&pr, e, false, 0, limit ? limit : LIMIT, &text, 0);
    else
        expr_print_c(bw->pool, e, limit, &text);
    str_add(out, str_text(&text));
    str_free(&text);
    map_free(&pr.types);
    map_free(&pr.depths);
    arena_free(pr.arena);
}

void backward_condition_text(Backward *bw, Expr e, uint32_t limit, Str *out)
{
    print_condition(bw, e, false, limit, out);
}
void backward_condition_c(Backward *bw, Expr e, Expr known, uint32_t limit, Str *out)
{
    print_condition(bw, bw_guarded(bw, e, known), true, limit, out);
}
