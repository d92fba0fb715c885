/* points_mem.c - what objects hold, by parts.
 *
 * A part is a range of bytes, perhaps repeated at a stride. Each distinct part that is stored to has a node,
 * and each that is read; an edge leads from every stored part to every read part that shares a byte with it.
 * So unions, partial and overlapping accesses need no care. A block copy passes on the stored parts, moved,
 * through a hub of its own. */
#include "flow/points.h"

enum { PARTS_MOST = 48 };

static Memory *memory_of(Points *p, uint32_t object)
{
    if (object >= HUB)
        return &p->hubs.v[object - HUB];
    while (p->memory.n <= object)
        vec_push(&p->memory, (Memory){.whole = false});
    return &p->memory.v[object];
}

uint32_t mem_hub(Points *p)
{
    vec_push(&p->hubs, (Memory){.whole = false});
    return HUB + p->hubs.n - 1;
}

/* Do two parts share a byte in some of their repetitions? */
static bool meet(int64_t a, uint64_t a_size, uint32_t a_stride, int64_t b, uint64_t b_size, uint32_t b_stride)
{
    uint64_t g = loc_gcd(a_stride, b_stride);
    if (!g)
        return a < b + (int64_t)b_size && b < a + (int64_t)a_size;
    int64_t d = (b - a) % (int64_t)g;
    d += d < 0 ? (int64_t)g : 0;
    return (uint64_t)d < a_size || g - (uint64_t)d < b_size || (d == 0 && b_size);
}

static bool cells_meet(const Cell *a, const Cell *b)
{
    return meet(a->offset, a->size, a->stride, b->offset, b->size, b->stride);
}

static const IrGlobal *global_of(const Points *p, uint32_t object)
{
    const FlowObject *o = object < HUB ? &p->flow->objects.v[object] : NULL;
    return o && o->kind == FLOW_GLOBAL ? &p->program->globals.v[o->index] : NULL;
}

/* Functions and constants without addresses hold no pointer. */
static bool readable(const Points *p, uint32_t object)
{
    return object >= HUB || (p->flow->objects.v[object].kind != FLOW_FN && object != OBJECT_CONSTANTS);
}

static bool writable(const Points *p, uint32_t object)
{
    const IrGlobal *g = global_of(p, object);
    return readable(p, object) && !(g && g->constant);
}

/* What shadow instances store into the user's objects the table tells already, for each call by itself. */
static bool stores_count(const Points *p, uint32_t object, bool shadow)
{
    if (!shadow || object >= HUB)
        return writable(p, object);
    const FlowObject *o = &p->flow->objects.v[object];
    switch (o->kind) {
    case FLOW_GLOBAL: return writable(p, object) && p->program->globals.v[o->index].runtime;
    case FLOW_STACK: return p->program->fns.v[o->at.fn].runtime;
    case FLOW_VARARGS: return p->program->fns.v[o->index].runtime;
    case FLOW_HEAP: return bitset_has(&p->kept, object);
    default: return false;
    }
}

static bool const_loc(const Points *p, const IrConst *c, Loc *out)
{
    if (c->kind == IR_CONST_GLOBAL)
        *out = loc_make(object_global(p->flow, c->index), (int64_t)c->bits, 0);
    else if (c->kind == IR_CONST_FN)
        *out = loc_make(object_fn(c->index), 0, 0);
    else
        return false;
    return true;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* The part that an access touches, as coarse as its object is kept. */
static Cell cell_for(Points *p, uint32_t object, int64_t offset, uint32_t stride, uint64_t size, bool shadow)
{
    if (memory_of(p, object)->whole || p->unify)
        return (Cell){.offset = 0, .stride = 1, .size = 1, .shadow = shadow};
    return (Cell){.offset = offset, .stride = stride, .size = size, .shadow = shadow};
}

static uint32_t find_cell(const Cell *v, uint32_t n, const Cell *c)
{
    for (uint32_t i = 0; i < n; i++)
        if (v[i].offset == c->offset && v[i].stride == c->stride && v[i].size == c->size &&
            v[i].shadow == c->shadow)
            return i;
    return IR_NONE;
}

/* What the object held before anything ran. */
static void add_initial(Points *p, uint32_t object, const Cell *c)
{
    const IrGlobal *g = global_of(p, object);
    LocSet held = {0};
    Loc l;
    for (uint32_t i = 0; g && g->defined && i < g->relocs.n; i++)
        if (meet((int64_t)g->relocs.v[i].offset, 8, 0, c->offset, c->size, c->stride) &&
            const_loc(p, &g->relocs.v[i].value, &l))
            vec_push(&held, l);
    node_add_all(p, c->node, &held);
    vec_free(&held);
}

static uint32_t read_cell(Points *p, uint32_t object, Cell c)
{
    Memory *m = memory_of(p, object);
    uint32_t i = find_cell(m->read.v, m->read.n, &c);
    if (i != IR_NONE)
        return m->read.v[i].node;
    c.node = node_new(p);
    p->bytes += sizeof c;
    vec_push(&m->read, c);
    if (m->read.n > PARTS_MOST && !m->whole) {
        m->whole = true;
        p->flow->stats.collapsed++;
    }
    for (uint32_t k = 0; k < m->written.n; k++)
        if ((c.shadow || !m->written.v[k].shadow) && cells_meet(&m->written.v[k], &c))
            node_edge(p, m->written.v[k].node, c.node, (Move){0});
    add_initial(p, object, &c);
    if (writable(p, object))
        node_edge(p, p->universe, c.node, (Move){0});
    return c.node;
}

static uint32_t written_cell(Points *p, uint32_t object, Cell c)
{
    Memory *m = memory_of(p, object);
    uint32_t i = find_cell(m->written.v, m->written.n, &c);
    if (i != IR_NONE)
        return m->written.v[i].node;
    c.node = node_new(p);
    p->bytes += sizeof c;
    vec_push(&m->written, c);
    if (m->written.n > PARTS_MOST && !m->whole) {
        m->whole = true;
        p->flow->stats.collapsed++;
    }
    for (uint32_t k = 0; k < m->read.n; k++)
        if ((m->read.v[k].shadow || !c.shadow) && cells_meet(&c, &m->read.v[k]))
            node_edge(p, c.node, m->read.v[k].node, (Move){0});
    vec_push(&p->cells_todo, (Edge){object, m->written.n - 1});
    return c.node;
}

/* ---- transfers ------------------------------------------------------------------------------- */

static int64_t modulo(int64_t a, int64_t b) { return (a % b + b) % b; }

/* A part that comes to lie somewhere at a stride lies within the bytes that are written, if it is known which
 * these are: `x.member = array[i]` leaves the rest of x alone. Often that is one place. */
static void keep_within(const Transfer *t, Cell *to)
{
    if (!to->stride || t->to_stride || t->size >= POINTS_EVERY)
        return;
    int64_t least = t->to - (int64_t)to->size + 1, end = t->to + (int64_t)t->size;
    int64_t first = least + modulo(to->offset - least, to->stride);
    if (first + to->stride >= end) {
        to->offset = first;
        to->stride = 0;
    } else if (to->stride < to->size) { /* all of them */
        to->offset = t->to;
        to->size = t->size;
        to->stride = 0;
    }
}

/* Where a part of the source comes to lie; false if the transfer does not touch it. */
static bool moved(const Transfer *t, const Cell *from, Cell *to)
{
    if (!meet(from->offset, from->size, from->stride, t->from, t->size, t->from_stride))
        return false;
    uint64_t g = loc_gcd(loc_gcd(from->stride, t->from_stride), t->to_stride);
    int64_t offset = from->offset - t->from + t->to;
    if (g)
        offset = modulo(offset, (int64_t)g);
    *to = (Cell){
        .offset = offset, .size = from->size, .stride = (uint32_t)g, .shadow = from->shadow || t->shadow};
    keep_within(t, to);
    return true;
}

static void pass_cell(Points *p, const Transfer *t, const Cell *from)
{
    Cell to;
    if (!stores_count(p, t->object, t->shadow) || (from->shadow && !t->shadow) || !moved(t, from, &to))
        return;
    to = cell_for(p, t->object, to.offset, to.stride, to.size, to.shadow);
    node_edge(p, from->node, written_cell(p, t->object, to), (Move){0});
}

/* Initial contents have no cells of their own: they are made for the transfer. */
static void pass_initial(Points *p, const Transfer *t, uint32_t object)
{
    const IrGlobal *g = global_of(p, object);
    Loc l;
    for (uint32_t i = 0; g && g->defined && i < g->relocs.n; i++) {
        Cell from = {.offset = (int64_t)g->relocs.v[i].offset, .size = 8}, to;
        if (!const_loc(p, &g->relocs.v[i].value, &l) || !moved(t, &from, &to) ||
            !stores_count(p, t->object, t->shadow))
            continue;
        to = cell_for(p, t->object, to.offset, to.stride, to.size, t->shadow);
        node_add_one(p, written_cell(p, t->object, to), l);
    }
}

static void pass_on(Points *p)
{
    if (p->passing_on)
        return;
    p->passing_on = true;
    while (p->cells_todo.n) {
        Edge e = vec_pop(&p->cells_todo);
        for (uint32_t i = 0; i < memory_of(p, e.from)->transfers.n; i++) {
            Transfer t = memory_of(p, e.from)->transfers.v[i];
            Cell c = memory_of(p, e.from)->written.v[e.to];
            pass_cell(p, &t, &c);
        }
    }
    p->passing_on = false;
}

static void add_transfer(Points *p, uint32_t object, Transfer t)
{
    Memory *m = memory_of(p, object);
    for (uint32_t i = 0; i < m->transfers.n; i++) {
        const Transfer *o = &m->transfers.v[i];
        if (o->from == t.from && o->to == t.to && o->size == t.size && o->from_stride == t.from_stride &&
            o->to_stride == t.to_stride && o->object == t.object && o->shadow == t.shadow)
            return;
    }
    p->bytes += sizeof t;
    vec_push(&m->transfers, t);
    for (uint32_t i = 0; i < memory_of(p, object)->written.n; i++) {
        Cell c = memory_of(p, object)->written.v[i];
        pass_cell(p, &t, &c);
    }
    pass_initial(p, &t, object);
    if (object < HUB && writable(p, object)) {
        Cell to = cell_for(p, t.object, 0, 1, 1, t.shadow);
        node_edge(p, p->universe, written_cell(p, t.object, to), (Move){0});
    }
    pass_on(p);
}

void mem_to_hub(Points *p, Loc from, uint32_t hub, uint64_t size, bool shadow)
{
    Place at = loc_place(from);
    if (at.object == OBJECT_ANY) {
        node_add_one(p, written_cell(p, hub, cell_for(p, hub, 0, 1, 1, shadow)), from);
        pass_on(p);
        return;
    }
    if (readable(p, at.object))
        add_transfer(p, at.object,
                     (Transfer){.from = at.offset,
                                .from_stride = at.stride,
                                .size = size > POINTS_EVERY ? POINTS_EVERY : size,
                                .object = hub,
                                .shadow = shadow});
}

void mem_from_hub(Points *p, uint32_t hub, Loc to, uint64_t size, bool shadow)
{
    Place at = loc_place(to);
    if (at.object == OBJECT_ANY) {
        node_edge(p, read_cell(p, hub, cell_for(p, hub, 0, 1, 1, shadow)), p->universe, (Move){0});
        return;
    }
    if (stores_count(p, at.object, shadow))
        add_transfer(p, hub,
                     (Transfer){.to = at.offset,
                                .to_stride = at.stride,
                                .size = size > POINTS_EVERY ? POINTS_EVERY : size,
                                .object = at.object,
                                .shadow = shadow});
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* Input bytes make a pointer only as a whole word. */
void mem_load(Points *p, Loc from, uint64_t size, uint32_t to, bool shadow)
{
    Place at = loc_place(from);
    Move move = {.flags = size < 8 ? MOVE_NO_INPUT : 0};
    if (at.object == OBJECT_ANY) {
        if (size >= 8)
            node_add_one(p, to, from);
        return;
    }
    if (readable(p, at.object))
        node_edge(p, read_cell(p, at.object, cell_for(p, at.object, at.offset, at.stride, size, shadow)), to,
                  move);
}

void mem_store(Points *p, Loc to, uint64_t size, uint32_t value, bool shadow)
{
    Place at = loc_place(to);
    if (at.object == OBJECT_ANY) {
        node_edge(p, value, p->universe, (Move){0});
        return;
    }
    if (!stores_count(p, at.object, shadow))
        return;
    node_edge(p, value,
              written_cell(p, at.object, cell_for(p, at.object, at.offset, at.stride, size, shadow)),
              (Move){0});
    pass_on(p);
}

/* ---- for unification ------------------------------------------------------------------------- */

/* Two nodes stand for all of an object: read and, if it may be, written. A finer part that exists is linked
 * to them. */
void mem_unify(Points *p, Loc at, uint32_t what, bool shadow)
{
    uint32_t object = loc_object(at);
    Cell whole = {.offset = 0, .stride = 1, .size = 1, .shadow = shadow};
    if (object == OBJECT_ANY) {
        node_add_one(p, p->universe, at);
        node_unite(p, p->universe, what);
        return;
    }
    if (!readable(p, object))
        return;
    if (memory_of(p, object)->unified[shadow]) {
        node_unite(p, memory_of(p, object)->unified[shadow], what);
        return;
    }
    node_unite(p, read_cell(p, object, whole), what);
    bool stored = stores_count(p, object, shadow);
    if (stored) {
        node_unite(p, written_cell(p, object, whole), what);
        pass_on(p);
    }
    if (stored || !shadow) /* what runtime/ keeps for itself may turn out late */
        memory_of(p, object)->unified[shadow] = what;
}

uint32_t mem_hub_node(Points *p, uint32_t hub, bool shadow)
{
    Cell whole = {.offset = 0, .stride = 1, .size = 1, .shadow = shadow};
    uint32_t read = read_cell(p, hub, whole), written = written_cell(p, hub, whole);
    node_edge(p, read, written, (Move){0});
    pass_on(p);
    return read;
}
