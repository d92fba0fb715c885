/* pool.c - the pool: hash-consing, constants, objects and symbols, functions, the readers of nodes. */
#include "expr/expr_int.h"

static const struct {
    const char *text;
    int children;
    BitsOp bits;
} kinds[EXPR_OP_COUNT] = {
#define EXPR(NAME, text, children, bits) [EXPR_##NAME] = {text, children, BITS_##bits},
#include "expr/expr.def"
#undef EXPR
};

static const struct {
    const char *name, *text;
} rules[EXPR_RULE_COUNT] = {
#define RULE(NAME, family, text) [EXPR_RULE_##NAME] = {#NAME, text},
#include "expr/rules.def"
#undef RULE
};

/* ---- life ------------------------------------------------------------------------------------ */

ExprPool *expr_pool_new(void)
{
    ExprPool *p = mem_zalloc(sizeof *p);
    p->arena = arena_new();
    p->scratch = mem_zalloc(sizeof *p->scratch);
    p->table_cap = 1024;
    p->table = mem_zalloc(p->table_cap * sizeof *p->table);
    expr_rule_switch_all(p, true);
    sets_init(&p->sets);
    vec_push(&p->nodes, (ExprNode){0}); /* id 0: EXPR_NONE */
    vec_push(&p->lists, (ListEntry){0});
    vec_push(&p->blobs, (BlobEntry){0});
    if (expr_const(p, 1, 0).id != EXPR_FALSE.id || expr_const(p, 1, 1).id != EXPR_TRUE.id)
        bug("the constants false and true must come first");
    return p;
}

void expr_pool_commute_floats(ExprPool *p) { p->floats_commute = true; }

bool expr_pool_commutes_floats(const ExprPool *p) { return p->floats_commute; }

void expr_pool_free(ExprPool *p)
{
    if (!p)
        return;
    vec_free(&p->nodes);
    mem_free(p->table);
    arena_free(p->arena);
    vec_free(&p->objects);
    vec_free(&p->tables);
    vec_free(&p->places);
    map_free(&p->place_index);
    strmap_free(&p->named);
    strmap_free(&p->text_by_key);
    vec_free(&p->symbols);
    strmap_free(&p->object_by_key);
    strmap_free(&p->smt_names);
    bitset_free(&p->smt_repeated);
    vec_free(&p->highs);
    map_free(&p->high_index);
    vec_free(&p->lists);
    vec_free(&p->list_items);
    map_free(&p->list_index);
    vec_free(&p->blobs);
    map_free(&p->blob_index);
    vec_free(&p->fns);
    strmap_free(&p->fn_by_name);
    sets_free(&p->sets);
    vec_free(&p->scratch->stamp);
    vec_free(&p->scratch->stack);
    mem_free(p->scratch);
    mem_free(p);
}

size_t expr_pool_bytes(const ExprPool *p)
{
    return p->nodes.cap * sizeof(ExprNode) + p->table_cap * sizeof *p->table + arena_bytes(p->arena) +
           p->objects.cap * sizeof(ExprObjectInfo) + p->highs.cap * 8 + p->lists.cap * sizeof(ListEntry) +
           p->list_items.cap * 4 + p->blobs.cap * sizeof(BlobEntry) + sets_bytes(&p->sets) +
           (p->scratch->stamp.cap + p->scratch->stack.cap + p->symbols.cap) * 4 +
           (p->high_index.cap + p->list_index.cap + p->blob_index.cap) * 24;
}

uint32_t expr_pool_count(const ExprPool *p) { return p->nodes.n; }

void expr_rule_switch(ExprPool *p, ExprRule rule, bool on) { p->on[rule] = on; }

void expr_rule_switch_all(ExprPool *p, bool on)
{
    for (int i = 0; i < EXPR_RULE_COUNT; i++)
        p->on[i] = on;
}

uint64_t expr_rule_hits(const ExprPool *p, ExprRule rule) { return p->hits[rule]; }
const char *expr_rule_name(ExprRule rule) { return rules[rule].name; }
const char *expr_rule_text(ExprRule rule) { return rules[rule].text; }

void expr_pool_stats(const ExprPool *p, JsonOut *json)
{
    json_uint(json, "nodes", p->nodes.n);
    json_uint(json, "asked", p->asked);
    json_uint(json, "bytes", expr_pool_bytes(p));
    json_uint(json, "sets", p->sets.nodes.n);
    json_uint(json, "objects", p->objects.n);
    json_object_begin(json, "rules");
    for (int i = 0; i < EXPR_RULE_COUNT; i++)
        if (p->hits[i])
            json_uint(json, rules[i].name, p->hits[i]);
    json_object_end(json);
}

/* ---- hash-consing ---------------------------------------------------------------------------- */

static inline uint32_t hash_node(const ExprNode *n)
{
    uint64_t a = (uint64_t)n->aux << 32 | (uint32_t)n->width << 8 | n->op;
    uint64_t b = (uint64_t)n->child[1] << 32 | n->child[0];
    uint64_t h = (a ^ (uint64_t)n->child[2] << 20) * 0x9e3779b97f4a7c15u;
    h = (h ^ b ^ h >> 29) * 0xd6e8feb86659fd93u;
    return (uint32_t)(h >> 32) ^ (uint32_t)h;
}

static void table_grow(ExprPool *p)
{
    uint32_t cap = p->table_cap * 2;
    uint64_t *table = mem_zalloc(cap * sizeof *table);
    for (uint32_t i = 0; i < p->table_cap; i++)
        if (p->table[i]) {
            uint32_t at = (uint32_t)(p->table[i] >> 32) & (cap - 1);
            while (table[at])
                at = (at + 1) & (cap - 1);
            table[at] = p->table[i];
        }
    mem_free(p->table);
    p->table = table;
    p->table_cap = cap;
}

static ExprSet set_of_list(ExprPool *p, uint32_t list)
{
    ExprSet all = EXPR_SET_EMPTY;
    const ListEntry entry = p->lists.v[list];
    for (uint32_t i = 0; i < entry.n; i++)
        all = expr_set_union(p, all, (ExprSet){p->nodes.v[p->list_items.v[entry.start + i]].set});
    return all;
}

static ExprSet set_of_new(ExprPool *p, const ExprNode *n)
{
    ExprSet all = EXPR_SET_EMPTY;
    switch (n->op) {
    case EXPR_CONST:
    case EXPR_ARRAY_CONST: return all;
    case EXPR_SYMBOL: return expr_set_of(p, p->objects.v[n->child[0]].at + n->child[1]);
    case EXPR_ARRAY_INPUT:
        return expr_set_range(p, p->objects.v[n->child[0]].at, p->objects.v[n->child[0]].size);
    case EXPR_ARRAY_LIST:
    case EXPR_APPLY: return set_of_list(p, n->child[0]);
    default:
        for (int i = 0; i < kinds[n->op].children; i++)
            all = expr_set_union(p, all, (ExprSet){p->nodes.v[n->child[i]].set});
        return all;
    }
}

Expr expr_intern(ExprPool *p, ExprNode node)
{
    uint32_t hash = hash_node(&node);
    uint32_t at = hash & (p->table_cap - 1);
    p->asked++;
    for (; p->table[at]; at = (at + 1) & (p->table_cap - 1)) {
        if ((uint32_t)(p->table[at] >> 32) != hash)
            continue;
        const ExprNode *n = &p->nodes.v[(uint32_t)p->table[at]];
        if (n->op == node.op && n->width == node.width && n->child[0] == node.child[0] &&
            n->child[1] == node.child[1] && n->child[2] == node.child[2] && n->aux == node.aux)
            return (Expr){(uint32_t)p->table[at]};
    }
    if (p->nodes.n >= UINT32_MAX / 2)
        die("more than 2^31 expressions: lower the memory limit");
    node.set = set_of_new(p, &node).id;
    uint32_t id = p->nodes.n;
    vec_push(&p->nodes, node);
    p->table[at] = (uint64_t)hash << 32 | id;
    if (p->nodes.n > p->table_cap / 2)
        table_grow(p);
    return (Expr){id};
}

uint32_t expr_list_intern(ExprPool *p, const Expr *items, uint32_t n)
{
    uint64_t hash = hash_mix(hash_bytes(items, n * sizeof *items), n), first = 0;
    map_get(&p->list_index, hash, &first);
    for (uint32_t i = (uint32_t)first; i; i = p->lists.v[i].next)
        if (p->lists.v[i].n == n &&
            memcmp(&p->list_items.v[p->lists.v[i].start], items, n * sizeof *items) == 0)
            return i;
    uint32_t id = p->lists.n;
    vec_push(&p->lists, (ListEntry){p->list_items.n, n, (uint32_t)first});
    for (uint32_t i = 0; i < n; i++)
        vec_push(&p->list_items, items[i].id);
    map_put(&p->list_index, hash, id);
    return id;
}

/* ---- constants, symbols ---------------------------------------------------------------------- */

Expr expr_const(ExprPool *p, unsigned width, u128 value)
{
    if (width < 1 || width > 128)
        bug("a constant of %u bits", width);
    value &= bits_mask(width);
    ExprNode n = {
        .op = EXPR_CONST, .width = (uint8_t)width, .child = {(uint32_t)value, (uint32_t)(value >> 32)}};
    uint64_t high = (uint64_t)(value >> 64);
    if (high) {
        uint64_t index;
        if (!map_get(&p->high_index, high, &index)) {
            vec_push(&p->highs, high);
            index = p->highs.n;
            map_put(&p->high_index, high, index);
        }
        n.aux = (uint32_t)index;
    }
    return expr_intern(p, n);
}

/* The name by which people tell the object `id` from others of its name. One of another size under the same
 * key is the same input, met in another run. */
static const char *text_of_name(ExprPool *p, const char *key, const char *name, uint32_t id)
{
    uint64_t first, n = 0;
    if (strmap_get(&p->text_by_key, key, &first))
        return p->objects.v[first].text;
    strmap_put(&p->text_by_key, key, id);
    strmap_get(&p->named, name, &n);
    strmap_put(&p->named, name, n + 1);
    return n ? arena_printf(p->arena, "%s#%u", name, (unsigned)n + 1) : arena_strdup(p->arena, name);
}

static ExprObject object_make(ExprPool *p, const char *key, const char *name, uint32_t size, uint8_t scalar,
                              ExprCType type)
{
    ExprObject object;
    if (expr_object_find(p, key, size, &object))
        return object;
    if (size < 1 || size > UINT32_MAX / 2 - p->input_size)
        bug("input object %s of %u bytes", key, size);
    object.id = p->objects.n;
    vec_push(&p->objects, (ExprObjectInfo){.key = arena_strdup(p->arena, key),
                                           .name = arena_strdup(p->arena, name),
                                           .text = text_of_name(p, key, name, object.id),
                                           .size = size,
                                           .at = p->input_size,
                                           .scalar = scalar,
                                           .type = type});
    p->input_size += size;
    Str full = {0};
    str_printf(&full, "%u:%s", size, key);
    strmap_put(&p->object_by_key, str_text(&full), object.id);
    vec_clear(&full);
    expr_smt_name(name, &full);
    if (strmap_get(&p->smt_names, str_text(&full), NULL))
        bitset_add(&p->smt_repeated, object.id);
    else
        strmap_put(&p->smt_names, str_text(&full), object.id);
    str_free(&full);
    return object;
}

ExprObject expr_object(ExprPool *p, const char *key, const char *name, uint32_t size, ExprCType type)
{
    return object_make(p, key, name, size, 0, type);
}

ExprObject expr_object_scalar(ExprPool *p, const char *key, const char *name, unsigned width, ExprCType type)
{
    if (width < 1 || width > 128)
        bug("a symbol of %u bits", width);
    return object_make(p, key, name, (width + 7) / 8, (uint8_t)width, type);
}

bool expr_object_find(const ExprPool *p, const char *key, uint32_t size, ExprObject *object)
{
    Str full = {0};
    str_printf(&full, "%u:%s", size, key);
    uint64_t id = 0;
    bool found = strmap_get(&p->object_by_key, str_text(&full), &id);
    str_free(&full);
    object->id = (uint32_t)id;
    return found;
}

void expr_table_add(ExprPool *p, ExprTable table) { vec_push(&p->tables, table); }

static const ExprField *copy_fields(ExprPool *p, const ExprField *fields, uint32_t n)
{
    ExprField *copy = arena_alloc(p->arena, n * sizeof *copy);
    for (uint32_t i = 0; i < n; i++) {
        copy[i] = fields[i];
        copy[i].text = arena_strdup(p->arena, fields[i].text);
    }
    return copy;
}

bool expr_place_known(const ExprPool *p, uint64_t address, uint64_t size)
{
    uint64_t at = map_get_or(&p->place_index, address, 0);
    return at && (p->places.v[at - 1].size == size || !p->places.v[at - 1].size);
}

void expr_place_add(ExprPool *p, const ExprPlace *place)
{
    enum { PLACES_MOST = 1 << 16 };
    uint64_t at = map_get_or(&p->place_index, place->address, 0);
    if (at) {
        ExprPlace *known = &p->places.v[at - 1];
        known->size = known->size == place->size ? known->size : 0;
        return;
    }
    if (p->places.n >= PLACES_MOST)
        return;
    ExprPlace copy = *place;
    copy.text = place->text ? arena_strdup(p->arena, place->text) : NULL;
    copy.fields = copy_fields(p, place->fields, place->nfields);
    vec_push(&p->places, copy);
    map_put(&p->place_index, place->address, p->places.n);
}

void expr_object_describe(ExprPool *p, ExprObject object, const ExprField *fields, uint32_t n,
                          const char *pointer, uint64_t address)
{
    ExprObjectInfo *info = &p->objects.v[object.id];
    if (pointer && !info->pointer)
        info->pointer = arena_strdup(p->arena, pointer);
    info->address = info->address ? info->address : address;
    if (!n || info->nfields)
        return;
    info->fields = copy_fields(p, fields, n);
    info->nfields = n;
}

const ExprObjectInfo *expr_object_info(const ExprPool *p, ExprObject object)
{
    return &p->objects.v[object.id];
}
uint32_t expr_object_count(const ExprPool *p) { return p->objects.n; }

Expr expr_object_byte(ExprPool *p, ExprObject object, uint32_t offset)
{
    const ExprObjectInfo *info = &p->objects.v[object.id];
    if (info->scalar || offset >= info->size)
        bug("byte %u of input object %s of %u bytes", offset, info->key, info->size);
    return expr_intern(p, (ExprNode){.op = EXPR_SYMBOL, .width = 8, .child = {object.id, offset}});
}

Expr expr_object_symbol(ExprPool *p, ExprObject object)
{
    const ExprObjectInfo *info = &p->objects.v[object.id];
    if (!info->scalar)
        bug("input object %s is no scalar", info->key);
    return expr_intern(p, (ExprNode){.op = EXPR_SYMBOL, .width = info->scalar, .child = {object.id, 0}});
}

Expr expr_object_word(ExprPool *p, ExprObject object, uint32_t offset, unsigned bytes)
{
    Expr parts[16];
    if (bytes < 1 || bytes > 16)
        bug("a word of %u bytes", bytes);
    for (unsigned i = 0; i < bytes; i++)
        parts[i] = expr_object_byte(p, object, offset + i);
    return expr_concat_bytes(p, parts, bytes);
}

ExprObject expr_symbol_object(const ExprPool *p, Expr symbol, uint32_t *offset)
{
    *offset = node_of(p, symbol)->child[1];
    return (ExprObject){node_of(p, symbol)->child[0]};
}

uint32_t expr_symbol_at(const ExprPool *p, Expr symbol)
{
    const ExprNode *n = node_of(p, symbol);
    return p->objects.v[n->child[0]].at + n->child[1];
}

ExprObject expr_object_at(const ExprPool *p, uint32_t at, uint32_t *offset)
{
    if (at >= p->input_size)
        bug("no input at position %u", at);
    uint32_t low = 0, high = p->objects.n - 1;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (p->objects.v[middle].at <= at)
            low = middle;
        else
            high = middle - 1;
    }
    *offset = at - p->objects.v[low].at;
    return (ExprObject){low};
}

Expr expr_symbol_of(ExprPool *p, uint32_t at)
{
    if (at < p->symbols.n && !expr_is_none(p->symbols.v[at]))
        return p->symbols.v[at];
    uint32_t offset;
    ExprObject object = expr_object_at(p, at, &offset);
    while (p->symbols.n <= at)
        vec_push(&p->symbols, EXPR_NONE);
    return p->symbols.v[at] = p->objects.v[object.id].scalar ? expr_object_symbol(p, object)
                                                             : expr_object_byte(p, object, offset);
}

uint32_t expr_symbol_start(const ExprPool *p, uint32_t at)
{
    uint32_t offset;
    ExprObject object = expr_object_at(p, at, &offset);
    return p->objects.v[object.id].scalar ? at - offset : at;
}

/* ---- functions ------------------------------------------------------------------------------- */

uint32_t expr_fn(ExprPool *p, const char *name, unsigned width, ExprFnCall call, void *context)
{
    uint64_t id;
    if (strmap_get(&p->fn_by_name, name, &id))
        return (uint32_t)id;
    vec_push(&p->fns, (FnEntry){arena_strdup(p->arena, name), width, call, context, 0});
    strmap_put(&p->fn_by_name, name, p->fns.n - 1);
    return p->fns.n - 1;
}

const char *expr_fn_name(const ExprPool *p, uint32_t fn) { return p->fns.v[fn].name; }

u128 expr_fn_call(const ExprPool *p, uint32_t fn, const u128 *arguments, uint32_t n)
{
    const FnEntry *f = &p->fns.v[fn];
    return f->call(f->context, arguments, n) & bits_mask(f->width);
}

void expr_fn_miss(ExprPool *p) { p->missed++; }
uint64_t expr_fn_missed(const ExprPool *p) { return p->missed; }

uint32_t expr_apply_fn(const ExprPool *p, Expr e) { return node_of(p, e)->child[1]; }

/* ---- reading --------------------------------------------------------------------------------- */

ExprOp expr_op(const ExprPool *p, Expr e) { return op_of(p, e); }
const char *expr_op_text(ExprOp op) { return kinds[op].text; }
bool expr_op_is_float(ExprOp op) { return op >= EXPR_FADD; }
BitsOp expr_op_bits(ExprOp op) { return kinds[op].bits; }
unsigned expr_width(const ExprPool *p, Expr e) { return width_of(p, e); }

uint32_t expr_child_count(const ExprPool *p, Expr e)
{
    int n = kinds[op_of(p, e)].children;
    return n >= 0 ? (uint32_t)n : p->lists.v[node_of(p, e)->child[0]].n;
}

Expr expr_child(const ExprPool *p, Expr e, uint32_t i)
{
    if (kinds[op_of(p, e)].children >= 0)
        return kid(p, e, i);
    return (Expr){p->list_items.v[p->lists.v[node_of(p, e)->child[0]].start + i]};
}

bool expr_is_const(const ExprPool *p, Expr e) { return is_const(p, e); }

u128 expr_const_value(const ExprPool *p, Expr e)
{
    if (!is_const(p, e))
        bug("expression %u is no constant", e.id);
    return value_of(p, e);
}

bool expr_is_value(const ExprPool *p, Expr e, u128 value) { return is_value(p, e, value); }
unsigned expr_extract_low(const ExprPool *p, Expr e) { return low_of(p, e); }
bool expr_is_symbolic(const ExprPool *p, Expr e) { return node_of(p, e)->set != 0; }
ExprSet expr_symbols(const ExprPool *p, Expr e) { return (ExprSet){node_of(p, e)->set}; }

bool expr_is_word(const ExprPool *p, Expr e)
{
    for (; expr_op(p, e) == EXPR_CONCAT; e = expr_child(p, e, 1))
        if (expr_op(p, expr_child(p, e, 0)) != EXPR_SYMBOL)
            return false;
    return expr_op(p, e) == EXPR_SYMBOL;
}

void expr_split(const ExprPool *p, Expr condition, ExprVec *out)
{
    U32Vec *stack = &p->scratch->stack;
    vec_clear(stack);
    vec_push(stack, condition.id);
    while (stack->n) {
        Expr e = {vec_pop(stack)};
        if (is(p, e, EXPR_AND) && width_of(p, e) == 1) {
            vec_push(stack, kid(p, e, 1).id);
            vec_push(stack, kid(p, e, 0).id);
        } else {
            vec_push(out, e);
        }
    }
}
