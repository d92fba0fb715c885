/* sym_key_expr.c - fingerprints of expressions that do not depend on the pool, for keys of states.
 *
 * Inputs that calls make are named by execution index: an input of one iteration has another name than that
 * of the next. In a state they are numbered, in the order in which the state has them, so that two states are
 * the same if one is the other with its inputs renamed. The list of inputs by number goes with the key. */
#include "vm/symbolic/sym_key.h"

static bool is_made(const struct Keys *keys, ExprObject object)
{
    return keys->made.n && map_get(&keys->made, object.id, NULL);
}

static VmKey object_key(struct Keys *keys, const ExprPool *p, ExprObject object)
{
    if (keys->objects.n <= object.id) {
        uint32_t n = expr_object_count(p), old = keys->objects.n;
        vec_reserve(&keys->objects, n);
        memset(keys->objects.v + old, 0, (n - old) * sizeof *keys->objects.v);
        keys->objects.n = n;
    }
    VmKey *k = &keys->objects.v[object.id];
    if (k->b)
        return *k;
    const ExprObjectInfo *info = expr_object_info(p, object);
    const char *end = info->key + strlen(info->key);
    if (is_made(keys, object)) /* its name is that of its kind */
        end = strrchr(info->key, '@');
    *k = (VmKey){1, 2};
    mix(k, info->size);
    for (const char *c = info->key; c < end; c++)
        mix(k, (uint8_t)*c);
    k->b |= 1;
    return *k;
}

/* Of a symbol or an input as an array. */
static ExprObject object_of(const ExprPool *p, Expr e, uint32_t *offset)
{
    *offset = 0;
    return expr_op(p, e) == EXPR_SYMBOL ? expr_symbol_object(p, e, offset)
                                        : expr_array_object(p, (ExprArray){e.id});
}

/* In which order the operands stand depends on the pool. */
static bool commutes(ExprOp op)
{
    return op == EXPR_ADD || op == EXPR_MUL || op == EXPR_AND || op == EXPR_OR || op == EXPR_XOR ||
           op == EXPR_EQ;
}

/* Requires that the children have theirs. */
static void compute_expr(struct Keys *keys, const ExprPool *p, Expr e)
{
    ExprOp op = expr_op(p, e);
    VmKey k = {op + 1, expr_width(p, e) + 1};
    uint32_t offset = 0;
    bool addressed = false, named = false;
    switch (op) {
    case EXPR_CONST: {
        u128 value = expr_const_value(p, e);
        mix(&k, (uint64_t)value);
        mix(&k, (uint64_t)(value >> 64));
        addressed = expr_width(p, e) == 64 && looks_like_address((uint64_t)value);
        break;
    }
    case EXPR_SYMBOL:
    case EXPR_ARRAY_INPUT:
        mix_key(&k, object_key(keys, p, object_of(p, e, &offset)));
        mix(&k, offset);
        named = is_made(keys, object_of(p, e, &offset));
        break;
    case EXPR_ARRAY_CONST: {
        uint32_t size = expr_array_size(p, (ExprArray){e.id});
        const uint8_t *bytes = expr_array_bytes(p, (ExprArray){e.id});
        for (uint32_t i = 0; i < size; i++)
            mix(&k, bytes[i]);
        break;
    }
    case EXPR_EXTRACT: mix(&k, expr_extract_low(p, e)); break;
    case EXPR_APPLY: {
        const char *name = expr_fn_name(p, expr_apply_fn(p, e));
        mix(&k, hash_bytes(name, strlen(name)));
        break;
    }
    default: break;
    }
    uint32_t n = expr_child_count(p, e);
    VmKey both = {0, 0};
    for (uint32_t i = 0; i < n; i++) {
        Expr child = expr_child(p, e, i);
        both.a += keys->exprs.v[child.id].a;
        both.b += keys->exprs.v[child.id].b;
        if (!commutes(op))
            mix_key(&k, keys->exprs.v[child.id]);
        addressed |= key_is_addressed(keys, child);
        named |= key_is_named(keys, child);
    }
    if (commutes(op))
        mix_key(&k, both);
    if (addressed)
        map_put(&keys->addressed, e.id, 1);
    if (named)
        map_put(&keys->over_made, e.id, 1);
    k.b |= 1;
    keys->exprs.v[e.id] = k;
}

VmKey key_of_expr(struct Keys *keys, const ExprPool *p, Expr e)
{
    if (keys->exprs.n < expr_pool_count(p)) {
        uint32_t n = expr_pool_count(p) + 1024, old = keys->exprs.n;
        vec_reserve(&keys->exprs, n);
        memset(keys->exprs.v + old, 0, (n - old) * sizeof *keys->exprs.v);
        keys->exprs.n = n;
    }
    if (keys->exprs.v[e.id].b)
        return keys->exprs.v[e.id];
    U32Vec work = {0};
    vec_push(&work, e.id);
    while (work.n) {
        Expr now = {vec_last(&work)};
        uint32_t n = expr_child_count(p, now), open = work.n;
        for (uint32_t i = 0; i < n; i++)
            if (!keys->exprs.v[expr_child(p, now, i).id].b)
                vec_push(&work, expr_child(p, now, i).id);
        if (work.n > open)
            continue;
        compute_expr(keys, p, now);
        work.n--;
    }
    vec_free(&work);
    return keys->exprs.v[e.id];
}

/* ---- inputs that calls have made ------------------------------------------------------------- */

/* What is known of the walk over one expression. */
typedef struct Walk {
    struct Keys *keys;
    const ExprPool *pool;
    Map visited; /* nodes, by when they were met first */
    NamedExpr *out;
} Walk;

static uint64_t number_in(U32Vec *list, uint32_t object)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->v[i] == object)
            return i;
    vec_push(list, object);
    return list->n - 1;
}

/* Operands in an order that does not depend on the pool, as far as their kinds tell them apart. */
static void push_children(Walk *w, Expr e, U32Vec *work)
{
    uint32_t n = expr_child_count(w->pool, e);
    Expr first = n == 2 ? expr_child(w->pool, e, 0) : EXPR_NONE;
    Expr second = n == 2 ? expr_child(w->pool, e, 1) : EXPR_NONE;
    if (n == 2 && commutes(expr_op(w->pool, e)) &&
        w->keys->exprs.v[second.id].a < w->keys->exprs.v[first.id].a) {
        vec_push(work, first.id);
        vec_push(work, second.id);
        return;
    }
    for (uint32_t i = n; i-- > 0;)
        vec_push(work, expr_child(w->pool, e, i).id);
}

/* Its nodes in depth-first order: what was met before counts as when that was, an input as the place that it
 * has among those of the expression. */
static void walk(Walk *w, Expr e)
{
    U32Vec work = {0};
    vec_push(&work, e.id);
    while (work.n) {
        Expr now = {vec_pop(&work)};
        uint64_t when;
        uint32_t offset;
        if (!key_is_named(w->keys, now)) {
            mix_key(&w->out->hash, w->keys->exprs.v[now.id]);
        } else if (map_get(&w->visited, now.id, &when)) {
            mix(&w->out->hash, when << 1 | 1);
        } else {
            ExprOp op = expr_op(w->pool, now);
            map_put(&w->visited, now.id, w->visited.n);
            mix_key(&w->out->hash, w->keys->exprs.v[now.id]);
            if (op == EXPR_SYMBOL || op == EXPR_ARRAY_INPUT)
                mix(&w->out->hash, number_in(&w->out->inputs, object_of(w->pool, now, &offset).id));
            push_children(w, now, &work);
        }
    }
    vec_free(&work);
}

static const NamedExpr *named_of(struct Keys *keys, const ExprPool *p, Expr e)
{
    uint64_t at;
    if (map_get(&keys->named_of, e.id, &at))
        return &keys->named.v[at - 1];
    NamedExpr named = {.hash = {7, 11}};
    Walk w = {keys, p, {0}, &named};
    walk(&w, e);
    map_free(&w.visited);
    vec_push(&keys->named, named);
    map_put(&keys->named_of, e.id, keys->named.n);
    return &vec_last(&keys->named);
}

static uint64_t number_of(struct Keys *keys, uint32_t object)
{
    uint64_t number;
    if (map_get(&keys->number_of, object, &number))
        return number;
    vec_push(&keys->inputs, object);
    map_put(&keys->number_of, object, keys->inputs.n);
    return keys->inputs.n;
}

void key_mix_named(Vm *vm, VmKey *k, Expr e)
{
    struct Keys *keys = vm->sym->keys;
    if (keys->watched)
        return; /* nothing is numbered: the state is asked for an address */
    const NamedExpr *named = named_of(keys, vm->sym->pool, e);
    mix_state(vm, k, named->hash.a);
    mix_state(vm, k, named->hash.b);
    for (uint32_t i = 0; i < named->inputs.n; i++)
        mix_state(vm, k, number_of(keys, named->inputs.v[i]));
}

void key_mix_exact(struct Keys *keys, const ExprPool *p, VmKey *k, Expr e)
{
    mix_key(k, key_of_expr(keys, p, e));
    if (!key_is_named(keys, e))
        return;
    const NamedExpr *named = named_of(keys, p, e);
    mix_key(k, named->hash);
    for (uint32_t i = 0; i < named->inputs.n; i++) {
        const char *key = expr_object_info(p, (ExprObject){named->inputs.v[i]})->key;
        mix(k, hash_bytes(key, strlen(key)));
    }
}
