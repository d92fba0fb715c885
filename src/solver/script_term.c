/* script_term.c - terms of scripts to expressions: a machine with a stack, so that nesting of any depth is
 * safe. */
#include "solver/script.h"

#include <stdlib.h>

enum { WIDEST = 128, STEPS_LIMIT = 30000000 };

typedef enum Shape {
    SHAPE_FOLD,
    SHAPE_FOLD_NOT,
    SHAPE_UNARY,
    SHAPE_TEST,
    SHAPE_SWAP_TEST,
    SHAPE_COMP,
    SHAPE_CONCAT,
    SHAPE_NOT,
    SHAPE_AND,
    SHAPE_OR,
    SHAPE_XOR,
    SHAPE_IMPLIES,
    SHAPE_EQUAL,
    SHAPE_DISTINCT,
    SHAPE_ITE,
    SHAPE_SELECT,
    SHAPE_STORE,
    SHAPE_SMOD,
} Shape;

typedef struct Fn {
    const char *name;
    Shape shape;
    BitsOp op;
    uint32_t least, most;
} Fn;

static const Fn functions[] = {
#define FN(text, shape, op, least, most) {text, SHAPE_##shape, BITS_##op, least, most},
#include "solver/script_op.def"
#undef FN
};

typedef enum Work { WORK_EVAL, WORK_APPLY, WORK_LET, WORK_CALL, WORK_LEAVE, WORK_RESULT } Work;

typedef struct Frame {
    Work work;
    const Sexpr *x;
    uint32_t binding; /* of the function called; of bindings to go back to */
    uint32_t floor;   /* to be restored */
} Frame;

typedef struct Machine {
    Script *s;
    Vec(Frame) frames;
    Vec(Value) values;
} Machine;

static Value bits(Script *s, Expr e)
{
    return (Value){.sort = {SORT_BITS, expr_width(s->pool, e), 0}, .e = e};
}
static Value boolean(Expr e) { return (Value){.sort = {SORT_BOOL, 1, 0}, .e = e}; }

static bool same_sort(Sort a, Sort b)
{
    return a.kind == b.kind && a.width == b.width && (a.kind != SORT_ARRAY || a.index == b.index);
}

/* ---- names ----------------------------------------------------------------------------------- */

void script_bind(Script *s, Binding b)
{
    uint64_t hidden = 0;
    strmap_get(&s->newest, b.name, &hidden);
    b.previous = (uint32_t)hidden;
    vec_push(&s->bindings, b);
    strmap_put(&s->newest, b.name, s->bindings.n);
}

void script_unbind_to(Script *s, uint32_t n)
{
    while (s->bindings.n > n) {
        Binding b = vec_pop(&s->bindings);
        strmap_put(&s->newest, b.name, b.previous);
    }
}

/* Locals of a caller are hidden from the body of a function. */
static const Binding *lookup(Script *s, const char *name, uint32_t *number)
{
    uint64_t at = 0;
    strmap_get(&s->newest, name, &at);
    while (at > 0 && at - 1 >= s->globals && at - 1 < s->floor)
        at = s->bindings.v[at - 1].previous;
    *number = (uint32_t)at - 1;
    return at > 0 ? &s->bindings.v[at - 1] : NULL;
}

/* ---- sorts and constants --------------------------------------------------------------------- */

/* A decimal number of at most `limit`. */
static bool numeral(const Sexpr *x, uint64_t limit, uint64_t *out)
{
    u128 v;
    if (!x || x->kind != SEXPR_ATOM || x->text[0] < '0' || x->text[0] > '9' ||
        !text_parse_u128(x->text, 10, &v) || v > limit)
        return false;
    *out = (uint64_t)v;
    return true;
}

bool script_sort(Script *s, const Sexpr *x, Sort *out)
{
    uint64_t n;
    if (sexpr_is(x, "Bool")) {
        *out = (Sort){SORT_BOOL, 1, 0};
        return true;
    }
    if (x->kind == SEXPR_ATOM && strmap_get(&s->sorts, x->text, &n)) {
        *out = s->sort_table.v[n];
        return true;
    }
    if (sexpr_is(sexpr_child(x, 0), "_") && sexpr_is(sexpr_child(x, 1), "BitVec") && x->count == 3) {
        if (!numeral(sexpr_child(x, 2), UINT64_MAX, &n) || n == 0)
            return script_fail(s, x->line, "a width that is no positive number");
        if (n > WIDEST)
            return script_fail(s, x->line, "bit-vectors of %llu bits are not supported, the widest have %d",
                               (unsigned long long)n, WIDEST);
        *out = (Sort){SORT_BITS, (unsigned)n, 0};
        return true;
    }
    if (sexpr_is(sexpr_child(x, 0), "Array") && x->count == 3) {
        const Sexpr *i = sexpr_child(x, 1), *e = sexpr_child(x, 2);
        Sort index, element;
        /* Elements and indices are bit-vectors: no sort nests deeper than this. */
        if (sexpr_is(sexpr_child(i, 0), "Array") || sexpr_is(sexpr_child(e, 0), "Array"))
            return script_fail(s, x->line, "arrays of arrays are not supported");
        if (!script_sort(s, i, &index) || !script_sort(s, e, &element))
            return false;
        if (index.kind != SORT_BITS || element.kind != SORT_BITS)
            return script_fail(s, x->line, "arrays of and over bit-vectors only are supported");
        *out = (Sort){SORT_ARRAY, element.width, index.width};
        return true;
    }
    return script_fail(s, x->line, "unknown sort%s%s", x->kind == SEXPR_ATOM ? " " : "", x->text);
}

/* #b01, #x1f; false if it is none of them. */
static bool literal(Script *s, const Sexpr *x, Value *out)
{
    u128 v;
    size_t digits = strlen(x->text);
    if (digits < 3 || x->text[0] != '#')
        return false;
    digits -= 2;
    unsigned base = x->text[1] == 'x' ? 16 : x->text[1] == 'b' ? 2 : 0;
    size_t width = base == 16 ? digits * 4 : digits;
    if (base == 0 || width > WIDEST || x->text[2] == '-' || !text_parse_u128(x->text + 2, base, &v))
        return false;
    *out = bits(s, expr_const(s->pool, (unsigned)width, v));
    return true;
}

/* ---- application ----------------------------------------------------------------------------- */

static bool is_word(Script *s, const Sexpr *x, const Value *v)
{
    return v->sort.kind == SORT_BITS || script_fail(s, x->line, "an argument that is no bit-vector");
}

static bool are_words(Script *s, const Sexpr *x, const Value *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!is_word(s, x, &v[i]))
            return false;
        if (v[i].sort.width != v[0].sort.width)
            return script_fail(s, x->line, "arguments of %u and %u bits", v[0].sort.width, v[i].sort.width);
    }
    return true;
}

static bool are_conditions(Script *s, const Sexpr *x, const Value *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (v[i].sort.kind != SORT_BOOL)
            return script_fail(s, x->line, "an argument that is no Bool");
    return true;
}

static Expr make(Script *s, BitsOp op, Expr a, Expr b)
{
    return expr_make(s->pool, op, expr_width(s->pool, a), a, b, EXPR_NONE);
}

/* The remainder with the divisor's sign. */
static Expr signed_modulo(ExprPool *p, Expr a, Expr b)
{
    Expr r = expr_srem(p, a, b), zero = expr_const(p, expr_width(p, a), 0);
    Expr differ = expr_and(p, expr_ne(p, r, zero), expr_ne(p, expr_slt(p, a, zero), expr_slt(p, b, zero)));
    return expr_ite(p, differ, expr_add(p, r, b), r);
}

static Expr equal(Script *s, const Value *a, const Value *b)
{
    return a->sort.kind == SORT_ARRAY ? script_array_equal(s, a->array, b->array)
                                      : expr_eq(s->pool, a->e, b->e);
}

static bool apply_equality(Script *s, const Sexpr *x, bool distinct, const Value *v, uint32_t n, Value *out)
{
    Expr all = EXPR_TRUE;
    for (uint32_t i = 1; i < n; i++)
        if (!same_sort(v[0].sort, v[i].sort))
            return script_fail(s, x->line, "arguments of different sorts");
    if (distinct && n > 2000)
        return script_fail(s, x->line, "distinct with more than 2000 arguments");
    for (uint32_t i = 0; i + 1 < n; i++)
        for (uint32_t k = i + 1; k < (distinct ? n : i + 2); k++) {
            Expr same = equal(s, &v[i], &v[k]);
            all = expr_and(s->pool, all, distinct ? expr_not(s->pool, same) : same);
        }
    *out = boolean(all);
    return true;
}

static bool apply_logic(Script *s, const Sexpr *x, Shape shape, const Value *v, uint32_t n, Value *out)
{
    if (!are_conditions(s, x, v, n))
        return false;
    Expr e = v[shape == SHAPE_IMPLIES ? n - 1 : 0].e;
    for (uint32_t i = 1; i < n; i++) {
        Expr next = v[shape == SHAPE_IMPLIES ? n - 1 - i : i].e;
        e = shape == SHAPE_AND   ? expr_and(s->pool, e, next)
            : shape == SHAPE_OR  ? expr_or(s->pool, e, next)
            : shape == SHAPE_XOR ? expr_xor(s->pool, e, next)
                                 : expr_implies(s->pool, next, e);
    }
    *out = boolean(shape == SHAPE_NOT ? expr_not(s->pool, e) : e);
    return true;
}

static bool apply_bits(Script *s, const Sexpr *x, const Fn *f, const Value *v, uint32_t n, Value *out)
{
    ExprPool *p = s->pool;
    if (!are_words(s, x, v, n))
        return false;
    Expr e = v[0].e;
    switch (f->shape) {
    case SHAPE_UNARY: e = f->op == BITS_SUB ? expr_neg(p, e) : expr_not(p, e); break;
    case SHAPE_SMOD: e = signed_modulo(p, v[0].e, v[1].e); break;
    case SHAPE_TEST: *out = boolean(make(s, f->op, v[0].e, v[1].e)); return true;
    case SHAPE_SWAP_TEST: *out = boolean(make(s, f->op, v[1].e, v[0].e)); return true;
    case SHAPE_COMP: e = make(s, f->op, v[0].e, v[1].e); break;
    default:
        for (uint32_t i = 1; i < n; i++)
            e = make(s, f->op, e, v[i].e);
        if (f->shape == SHAPE_FOLD_NOT)
            e = expr_not(p, e);
        break;
    }
    *out = bits(s, e);
    return true;
}

static bool apply_concat(Script *s, const Sexpr *x, const Value *v, uint32_t n, Value *out)
{
    unsigned width = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_word(s, x, &v[i]))
            return false;
        width += v[i].sort.width;
        if (width > WIDEST)
            return script_fail(s, x->line, "a concatenation of more than %d bits", WIDEST);
    }
    Expr e = v[0].e;
    for (uint32_t i = 1; i < n; i++)
        e = expr_concat(s->pool, e, v[i].e);
    *out = bits(s, e);
    return true;
}

static bool apply_ite(Script *s, const Sexpr *x, const Value *v, Value *out)
{
    if (v[0].sort.kind != SORT_BOOL || !same_sort(v[1].sort, v[2].sort))
        return script_fail(s, x->line, "ite wants a Bool and two terms of one sort");
    *out = v[1];
    if (v[1].sort.kind == SORT_ARRAY)
        out->array = script_array(
            s,
            (ArrayTerm){
                .kind = ARRAY_CHOICE, .sort = v[1].sort, .index = v[0].e, .a = v[1].array, .b = v[2].array});
    else
        out->e = expr_ite(s->pool, v[0].e, v[1].e, v[2].e);
    return true;
}

static bool apply_array(Script *s, const Sexpr *x, const Value *v, uint32_t n, Value *out)
{
    if (v[0].sort.kind != SORT_ARRAY || v[1].sort.kind != SORT_BITS || v[1].sort.width != v[0].sort.index ||
        (n == 3 && (v[2].sort.kind != SORT_BITS || v[2].sort.width != v[0].sort.width)))
        return script_fail(s, x->line, "an array, index or element of the wrong sort");
    if (n == 2) {
        Expr e;
        if (!script_select(s, v[0].array, v[1].e, &e))
            return script_fail(s, x->line, "arrays are nested too deeply");
        *out = bits(s, e);
        return true;
    }
    script_index(s, v[1].e, v[0].sort.index);
    *out = v[0];
    out->array = script_array(
        s, (ArrayTerm){
               .kind = ARRAY_STORE, .sort = v[0].sort, .a = v[0].array, .index = v[1].e, .value = v[2].e});
    return true;
}

static bool apply_named(Script *s, const Sexpr *x, const char *name, const Value *v, uint32_t n, Value *out)
{
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        const Fn *f = &functions[i];
        if (strcmp(f->name, name) != 0)
            continue;
        if (n < f->least || (f->most && n > f->most))
            return script_fail(s, x->line, "%s with %u argument%s", name, n, n == 1 ? "" : "s");
        switch (f->shape) {
        case SHAPE_EQUAL:
        case SHAPE_DISTINCT: return apply_equality(s, x, f->shape == SHAPE_DISTINCT, v, n, out);
        case SHAPE_NOT:
        case SHAPE_AND:
        case SHAPE_OR:
        case SHAPE_XOR:
        case SHAPE_IMPLIES: return apply_logic(s, x, f->shape, v, n, out);
        case SHAPE_CONCAT: return apply_concat(s, x, v, n, out);
        case SHAPE_ITE: return apply_ite(s, x, v, out);
        case SHAPE_SELECT:
        case SHAPE_STORE: return apply_array(s, x, v, n, out);
        default: return apply_bits(s, x, f, v, n, out);
        }
    }
    return script_fail(s, x->line, "unknown function '%s'", name);
}

static Expr rotate(ExprPool *p, Expr e, unsigned left)
{
    unsigned w = expr_width(p, e);
    left %= w;
    return left ? expr_concat(p, expr_extract(p, e, 0, w - left), expr_extract(p, e, w - left, left)) : e;
}

/* ((_ extract 7 0) x) and its like. */
static bool apply_indexed(Script *s, const Sexpr *x, const Sexpr *head, const Value *v, uint32_t n,
                          Value *out)
{
    ExprPool *p = s->pool;
    const Sexpr *name = sexpr_child(head, 1);
    uint64_t i = 0, k = 0;
    bool two = sexpr_is(name, "extract");
    if (!name || head->count != (two ? 4u : 3u) || !numeral(sexpr_child(head, 2), 1000000, &i) ||
        (two && !numeral(sexpr_child(head, 3), 1000000, &k)))
        return script_fail(s, x->line, "an indexed function that makes no sense");
    if (n != 1 || v[0].sort.kind != SORT_BITS)
        return script_fail(s, x->line, "%s wants one bit-vector", name->text);
    Expr e = v[0].e;
    unsigned w = v[0].sort.width;
    if (two) {
        if (i < k || i >= w)
            return script_fail(s, x->line, "extract %llu %llu of %u bits", (unsigned long long)i,
                               (unsigned long long)k, w);
        e = expr_extract(p, e, (unsigned)k, (unsigned)(i - k + 1));
    } else if (sexpr_is(name, "zero_extend") || sexpr_is(name, "sign_extend")) {
        if (w + i > WIDEST)
            return script_fail(s, x->line, "%s to %llu bits, more than %d", name->text,
                               (unsigned long long)(w + i), WIDEST);
        e = sexpr_is(name, "zero_extend") ? expr_zext(p, e, w + (unsigned)i)
                                          : expr_sext(p, e, w + (unsigned)i);
    } else if (sexpr_is(name, "rotate_left") || sexpr_is(name, "rotate_right")) {
        unsigned by = (unsigned)(i % w);
        e = rotate(p, e, sexpr_is(name, "rotate_left") ? by : w - by);
    } else if (sexpr_is(name, "repeat")) {
        if (i == 0 || w * i > WIDEST)
            return script_fail(s, x->line, "repeat makes %llu bits", (unsigned long long)(w * i));
        for (uint64_t r = 1; r < i; r++)
            e = expr_concat(p, e, v[0].e);
    } else {
        return script_fail(s, x->line, "unknown function '(_ %s …)'", name->text);
    }
    *out = bits(s, e);
    return true;
}

/* ((as const (Array …)) x) */
static bool apply_filled(Script *s, const Sexpr *x, const Sexpr *head, const Value *v, uint32_t n, Value *out)
{
    Sort sort;
    if (!sexpr_is(sexpr_child(head, 1), "const") || head->count != 3)
        return script_fail(s, x->line, "an 'as' that makes no sense");
    if (!script_sort(s, sexpr_child(head, 2), &sort))
        return false;
    if (sort.kind != SORT_ARRAY || n != 1 || v[0].sort.kind != SORT_BITS || v[0].sort.width != sort.width)
        return script_fail(s, x->line, "a constant array of the wrong sort");
    *out =
        (Value){.sort = sort,
                .array = script_array(s, (ArrayTerm){.kind = ARRAY_FILLED, .sort = sort, .value = v[0].e})};
    return true;
}

static bool apply(Script *s, const Sexpr *x, const Value *v, uint32_t n, Value *out)
{
    const Sexpr *head = x->first;
    if (head->kind == SEXPR_ATOM)
        return apply_named(s, x, head->text, v, n, out);
    if (sexpr_is(sexpr_child(head, 0), "_"))
        return apply_indexed(s, x, head, v, n, out);
    if (sexpr_is(sexpr_child(head, 0), "as"))
        return apply_filled(s, x, head, v, n, out);
    return script_fail(s, x->line, "a list where a function is expected");
}

/* ---- the machine ----------------------------------------------------------------------------- */

static void push(Machine *m, Work work, const Sexpr *x)
{
    vec_push(&m->frames, (Frame){.work = work, .x = x});
}

static bool eval_atom(Machine *m, const Sexpr *x)
{
    Script *s = m->s;
    Value v;
    uint32_t number;
    const Binding *b = lookup(s, x->text, &number);
    if (b && b->params)
        return script_fail(s, x->line, "function '%s' without arguments", x->text);
    if (b) {
        v = b->value;
    } else if (sexpr_is(x, "true") || sexpr_is(x, "false")) {
        v = boolean(expr_bool(sexpr_is(x, "true")));
    } else if (!literal(s, x, &v)) {
        return script_fail(s, x->line,
                           x->text[0] == '#' ? "a constant that makes no sense or is too wide"
                                             : "unknown symbol '%s'",
                           x->text);
    }
    vec_push(&m->values, v);
    return true;
}

/* (_ bv31 8) */
static bool eval_decimal(Machine *m, const Sexpr *x)
{
    Script *s = m->s;
    const Sexpr *name = sexpr_child(x, 1);
    uint64_t width;
    u128 v;
    if (x->count != 3 || name->kind != SEXPR_ATOM || !text_starts_with(name->text, "bv") ||
        name->text[2] == '-' || !text_parse_u128(name->text + 2, 10, &v) ||
        !numeral(sexpr_child(x, 2), WIDEST, &width) || width == 0)
        return script_fail(s, x->line, "an indexed constant that makes no sense or is too wide");
    vec_push(&m->values, bits(s, expr_const(s->pool, (unsigned)width, v)));
    return true;
}

static bool eval_let(Machine *m, const Sexpr *x)
{
    const Sexpr *list = sexpr_child(x, 1);
    if (x->count != 3 || list->kind != SEXPR_LIST)
        return script_fail(m->s, x->line, "a let that makes no sense");
    push(m, WORK_LET, x);
    for (const Sexpr *b = list->first; b; b = b->next) {
        if (b->count != 2 || b->first->kind != SEXPR_ATOM)
            return script_fail(m->s, b->line, "a let binding that makes no sense");
        push(m, WORK_EVAL, b->first->next);
    }
    return true;
}

static bool eval_list(Machine *m, const Sexpr *x)
{
    Script *s = m->s;
    const Sexpr *head = x->first;
    uint32_t number = 0;
    if (!head)
        return script_fail(s, x->line, "an empty list where a term is expected");
    if (sexpr_is(head, "_"))
        return eval_decimal(m, x);
    if (sexpr_is(head, "let"))
        return eval_let(m, x);
    if (sexpr_is(head, "forall") || sexpr_is(head, "exists"))
        return script_fail(s, x->line, "quantifiers are not supported");
    if (sexpr_is(head, "!")) {
        if (x->count < 2)
            return script_fail(s, x->line, "an annotation without a term");
        push(m, WORK_EVAL, head->next);
        return true;
    }
    const Binding *b = head->kind == SEXPR_ATOM ? lookup(s, head->text, &number) : NULL;
    if (b && (!b->params || b->params->count != x->count - 1))
        return script_fail(s, x->line, "'%s' does not take %u arguments", head->text, x->count - 1);
    vec_push(&m->frames, (Frame){.work = b ? WORK_CALL : WORK_APPLY, .x = x, .binding = number});
    for (const Sexpr *a = head->next; a; a = a->next)
        push(m, WORK_EVAL, a);
    return true;
}

/* Arguments were evaluated last first, so that they lie on the stack in reverse. */
static void take_arguments(Machine *m, uint32_t n, Value *out)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = vec_pop(&m->values);
}

static bool do_let(Machine *m, const Sexpr *x)
{
    Script *s = m->s;
    uint32_t before = s->bindings.n;
    for (const Sexpr *b = sexpr_child(x, 1)->first; b; b = b->next)
        script_bind(s, (Binding){.name = b->first->text, .value = vec_pop(&m->values)});
    vec_push(&m->frames, (Frame){.work = WORK_LEAVE, .binding = before, .floor = s->floor});
    push(m, WORK_EVAL, sexpr_child(x, 2));
    return true;
}

static bool do_call(Machine *m, const Frame *f)
{
    Script *s = m->s;
    Binding fn = s->bindings.v[f->binding];
    uint32_t before = s->bindings.n;
    vec_push(&m->frames, (Frame){.work = WORK_LEAVE, .binding = before, .floor = s->floor});
    vec_push(&m->frames, (Frame){.work = WORK_RESULT, .x = f->x, .binding = f->binding});
    for (const Sexpr *p = fn.params->first; p; p = p->next) {
        Sort sort;
        Value v = vec_pop(&m->values);
        if (!script_sort(s, p->first->next, &sort))
            return false;
        if (!same_sort(sort, v.sort))
            return script_fail(s, f->x->line, "an argument of '%s' has the wrong sort", fn.name);
        script_bind(s, (Binding){.name = p->first->text, .value = v});
    }
    s->floor = before;
    push(m, WORK_EVAL, fn.body);
    return true;
}

static bool do_apply(Machine *m, const Sexpr *x)
{
    uint32_t n = x->count - 1;
    Value few[8], *v = n <= COUNT_OF(few) ? few : mem_alloc(n * sizeof *v), out;
    take_arguments(m, n, v);
    bool ok = apply(m->s, x, v, n, &out);
    if (v != few)
        mem_free(v);
    if (ok)
        vec_push(&m->values, out);
    return ok;
}

static bool step(Machine *m)
{
    Script *s = m->s;
    Frame f = vec_pop(&m->frames);
    if (++s->steps > STEPS_LIMIT)
        return script_fail(s, f.x ? f.x->line : 0, "the script has too many terms");
    switch (f.work) {
    case WORK_EVAL:
        if (f.x->kind == SEXPR_STRING)
            return script_fail(s, f.x->line, "a string where a term is expected");
        return f.x->kind == SEXPR_ATOM ? eval_atom(m, f.x) : eval_list(m, f.x);
    case WORK_APPLY: return do_apply(m, f.x);
    case WORK_LET: return do_let(m, f.x);
    case WORK_CALL: return do_call(m, &f);
    case WORK_RESULT: {
        const Binding *fn = &s->bindings.v[f.binding];
        return same_sort(vec_last(&m->values).sort, fn->result) ||
               script_fail(s, f.x->line, "'%s' has a body of the wrong sort", fn->name);
    }
    case WORK_LEAVE:
        script_unbind_to(s, f.binding);
        s->floor = f.floor;
        return true;
    }
    bug("no such work: %d", (int)f.work);
}

bool script_term(Script *s, const Sexpr *x, Value *out)
{
    Machine m = {.s = s};
    uint32_t before = s->bindings.n;
    s->globals = s->floor = before;
    push(&m, WORK_EVAL, x);
    bool ok = true;
    while (ok && m.frames.n > 0)
        ok = step(&m);
    if (ok)
        *out = m.values.v[0];
    script_unbind_to(s, before);
    s->globals = s->floor = s->bindings.n;
    vec_free(&m.frames);
    vec_free(&m.values);
    return ok;
}
