/* array.c - arrays of bytes: a base (constant, listed or input bytes) under a list of updates that share
 * their tails, with the rules for reading over writes; and applications of functions, which are lists too. */
#include "expr/expr_int.h"

enum { WALK_LIMIT = 4096 }; /* updates that a read looks through */

static ExprArray base_of(const ExprPool *p, ExprArray a)
{
    const ExprNode *n = &p->nodes.v[a.id];
    return n->op == EXPR_STORE ? (ExprArray){n->aux} : a;
}

ExprArray expr_array_base(const ExprPool *p, ExprArray a) { return base_of(p, a); }

uint32_t expr_array_size(const ExprPool *p, ExprArray a)
{
    const ExprNode *n = &p->nodes.v[base_of(p, a).id];
    switch (n->op) {
    case EXPR_ARRAY_CONST: return p->blobs.v[n->child[0]].size;
    case EXPR_ARRAY_LIST: return p->lists.v[n->child[0]].n;
    case EXPR_ARRAY_INPUT: return p->objects.v[n->child[0]].size;
    default: bug("expression %u is no array", a.id);
    }
}

uint32_t expr_array_depth(const ExprPool *p, ExprArray a)
{
    uint32_t depth = 0;
    for (; p->nodes.v[a.id].op == EXPR_STORE; a.id = p->nodes.v[a.id].child[0])
        depth++;
    return depth;
}

const uint8_t *expr_array_bytes(const ExprPool *p, ExprArray a)
{
    return p->blobs.v[p->nodes.v[a.id].child[0]].bytes;
}
ExprObject expr_array_object(const ExprPool *p, ExprArray a)
{
    return (ExprObject){p->nodes.v[a.id].child[0]};
}

/* ---- bases ----------------------------------------------------------------------------------- */

static uint32_t blob_intern(ExprPool *p, const uint8_t *bytes, uint32_t size)
{
    uint64_t hash = hash_mix(hash_bytes(bytes, size), size), first = 0;
    map_get(&p->blob_index, hash, &first);
    for (uint32_t i = (uint32_t)first; i; i = p->blobs.v[i].next)
        if (p->blobs.v[i].size == size && memcmp(p->blobs.v[i].bytes, bytes, size) == 0)
            return i;
    uint8_t *copy = arena_alloc(p->arena, size);
    memcpy(copy, bytes, size);
    vec_push(&p->blobs, (BlobEntry){copy, size, (uint32_t)first});
    map_put(&p->blob_index, hash, p->blobs.n - 1);
    return p->blobs.n - 1;
}

ExprArray expr_array_const(ExprPool *p, const uint8_t *bytes, uint32_t size)
{
    if (size < 1)
        bug("an array of no bytes");
    return (ExprArray){
        expr_intern(p, (ExprNode){.op = EXPR_ARRAY_CONST, .child = {blob_intern(p, bytes, size)}}).id};
}

ExprArray expr_array_list(ExprPool *p, const Expr *bytes, uint32_t size)
{
    if (size < 1)
        bug("an array of no bytes");
    bool constant = true;
    for (uint32_t i = 0; i < size; i++) {
        if (width_of(p, bytes[i]) != 8)
            bug("byte %u of an array has %u bits", i, width_of(p, bytes[i]));
        constant = constant && is_const(p, bytes[i]);
    }
    if (constant && HIT(p, ARRAY_CONST)) {
        uint8_t *plain = mem_alloc(size);
        for (uint32_t i = 0; i < size; i++)
            plain[i] = (uint8_t)value_of(p, bytes[i]);
        ExprArray a = expr_array_const(p, plain, size);
        mem_free(plain);
        return a;
    }
    return (ExprArray){
        expr_intern(p, (ExprNode){.op = EXPR_ARRAY_LIST, .child = {expr_list_intern(p, bytes, size)}}).id};
}

ExprArray expr_array_input(ExprPool *p, ExprObject object)
{
    if (p->objects.v[object.id].scalar)
        bug("input object %s is a scalar, no array", p->objects.v[object.id].key);
    return (ExprArray){expr_intern(p, (ExprNode){.op = EXPR_ARRAY_INPUT, .child = {object.id}}).id};
}

Expr expr_array_base_byte(ExprPool *p, ExprArray base, uint32_t index)
{
    const ExprNode n = p->nodes.v[base.id];
    if (index >= expr_array_size(p, base))
        return expr_const(p, 8, 0);
    switch (n.op) {
    case EXPR_ARRAY_CONST: return expr_const(p, 8, p->blobs.v[n.child[0]].bytes[index]);
    case EXPR_ARRAY_LIST: return (Expr){p->list_items.v[p->lists.v[n.child[0]].start + index]};
    case EXPR_ARRAY_INPUT: return expr_object_byte(p, (ExprObject){n.child[0]}, index);
    default: bug("expression %u is no base of an array", base.id);
    }
}

/* ---- reading and writing --------------------------------------------------------------------- */

/* x + k1 and x + k2 with k1 != k2 are never the same place. */
static bool surely_differ(const ExprPool *p, Expr a, Expr b)
{
    u128 ka = 0, kb = 0;
    if (is_const(p, a) && is_const(p, b))
        return a.id != b.id;
    if (is(p, a, EXPR_ADD) && is_const(p, kid(p, a, 1))) {
        ka = value_of(p, kid(p, a, 1));
        a = kid(p, a, 0);
    }
    if (is(p, b, EXPR_ADD) && is_const(p, kid(p, b, 1))) {
        kb = value_of(p, kid(p, b, 1));
        b = kid(p, b, 0);
    }
    return a.id == b.id && ka != kb;
}

static Expr raw_store(ExprPool *p, ExprArray a, Expr index, Expr byte)
{
    return expr_intern(
        p, (ExprNode){.op = EXPR_STORE, .child = {a.id, index.id, byte.id}, .aux = base_of(p, a).id});
}

ExprArray expr_array_store(ExprPool *p, ExprArray a, Expr index, Expr byte)
{
    Expr array = expr_of_array(a);
    if (width_of(p, index) != 64 || width_of(p, byte) != 8)
        bug("a store of %u bits at an index of %u", width_of(p, byte), width_of(p, index));
    if (is_const(p, index) && value_of(p, index) >= expr_array_size(p, a) && HIT(p, STORE_BEYOND))
        return a;
    if (is(p, array, EXPR_STORE) && kid(p, array, 1).id == index.id && HIT(p, STORE_STORE))
        return expr_array_store(p, (ExprArray){kid(p, array, 0).id}, index, byte);
    return (ExprArray){raw_store(p, a, index, byte).id};
}

Expr expr_array_select(ExprPool *p, ExprArray a, Expr index)
{
    Expr array = expr_of_array(a);
    if (width_of(p, index) != 64)
        bug("an index of %u bits", width_of(p, index));
    bool constant = is_const(p, index);
    if (constant && value_of(p, index) >= expr_array_size(p, a) && HIT(p, SELECT_BEYOND))
        return expr_const(p, 8, 0);
    for (unsigned i = 0; i < WALK_LIMIT && is(p, array, EXPR_STORE); i++) {
        Expr place = kid(p, array, 1);
        if (place.id == index.id && HIT(p, SELECT_STORE)) {
            if (constant)
                return kid(p, array, 2);
            /* at a symbolic place the update happened only if that lies inside */
            Expr inside = expr_ult(p, index, expr_const(p, 64, expr_array_size(p, a)));
            return expr_ite(p, inside, kid(p, array, 2), expr_const(p, 8, 0));
        }
        if (place.id == index.id || !surely_differ(p, place, index) || !HIT(p, SELECT_SKIP))
            break;
        array = kid(p, array, 0);
    }
    if (constant && !is(p, array, EXPR_STORE) && HIT(p, SELECT_BASE))
        return expr_array_base_byte(p, (ExprArray){array.id}, (uint32_t)value_of(p, index));
    return raw2(p, EXPR_SELECT, 8, array, index);
}

/* ---- functions ------------------------------------------------------------------------------- */

Expr expr_apply(ExprPool *p, uint32_t fn, const Expr *arguments, uint32_t n)
{
    bool constant = n <= 16;
    u128 values[16];
    p->fns.v[fn].arity = p->fns.v[fn].arity ? p->fns.v[fn].arity : n;
    for (uint32_t i = 0; i < n && constant; i++) {
        constant = is_const(p, arguments[i]);
        if (constant)
            values[i] = value_of(p, arguments[i]);
    }
    if (constant && HIT(p, APPLY_FOLD)) {
        uint64_t missed = p->missed;
        u128 value = expr_fn_call(p, fn, values, n);
        if (p->missed == missed)
            return expr_const(p, p->fns.v[fn].width, value);
    }
    return expr_intern(p, (ExprNode){.op = EXPR_APPLY,
                                     .width = (uint8_t)p->fns.v[fn].width,
                                     .child = {expr_list_intern(p, arguments, n), fn}});
}
