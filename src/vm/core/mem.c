/* mem.c - objects of modelled memory: where they stand, their bytes, their graves. */
#include "vm/core/mem.h"

#include <stdlib.h>

enum { CELLS_LEAST = 256, OBJECTS_PER_BLOCK = 256, POOL_LEAST = 4, CLASS_MOST = 36, CLASS_MOST_COMPACT = 20 };

void mem_init(Mem *m, uint64_t limit, uint64_t stack_limit, bool undef)
{
    memset(m, 0, sizeof *m);
    m->ncells = CELLS_LEAST;
    m->shift = 64 - 8;
    m->cells = mem_zalloc(m->ncells * sizeof *m->cells);
    m->graves = mem_alloc(GRAVES * sizeof *m->graves);
    m->limit = limit;
    m->stack_limit = stack_limit;
    m->undef = undef;
}

/* ---- payloads -------------------------------------------------------------------------------- */

/* Pools hold payloads of 16, 32, ... 8192 bytes. */
static uint32_t pool_of(uint64_t size)
{
    uint32_t pool = 0;
    while (pool < PAYLOAD_POOLS && (uint64_t)1 << (POOL_LEAST + pool) < size)
        pool++;
    return pool;
}

/* Many at once, side by side; up to 48 bytes with its header a payload keeps to one cache line. */
static void payloads_make(Mem *m, uint32_t pool)
{
    enum { LINE = 64, ROOM = 1 << 14 };
    size_t size = sizeof(Payload) + ((size_t)1 << (POOL_LEAST + pool)),
           stride = size > 32 && size < LINE ? LINE : size;
    size_t n = ROOM / stride + 1;
    char *room = mem_zalloc(n * stride + LINE);
    vec_push(&m->blocks, room);
    room += -(uintptr_t)room & (LINE - 1);
    for (size_t i = n; i-- > 0;) {
        Payload *p = (Payload *)(room + i * stride);
        memcpy(p->bytes, &m->pools[pool], sizeof(Payload *));
        m->pools[pool] = p;
    }
}

/* With whatever bytes; of a big one zeros, if they are wanted: fresh pages of the host are zero and untouched
 * until used. */
static Payload *payload_take(Mem *m, uint64_t size, bool zeros)
{
    uint32_t pool = pool_of(size);
    Payload *p;
    if (pool == PAYLOAD_BIG) {
        p = (zeros ? mem_zalloc : mem_alloc)(sizeof *p + size);
    } else {
        if (!m->pools[pool])
            payloads_make(m, pool);
        p = m->pools[pool];
        memcpy(&m->pools[pool], p->bytes, sizeof(Payload *));
    }
    p->refs = 1;
    p->pool = pool;
    p->size = size;
    return p;
}

Payload *payload_new(Mem *m, uint64_t size)
{
    Payload *p = payload_take(m, size, true);
    if (p->pool != PAYLOAD_BIG)
        memset(p->bytes, 0, size);
    return p;
}

void payload_drop(Mem *m, Payload *p)
{
    if (!p || --p->refs)
        return;
    if (p->pool == PAYLOAD_BIG) {
        mem_free(p);
        return;
    }
    memcpy(p->bytes, &m->pools[p->pool], sizeof(Payload *));
    m->pools[p->pool] = p;
}

void mem_unshare(Mem *m, Object *o)
{
    if (o->payload->refs > 1) {
        Payload *own = payload_take(m, o->size, false);
        memcpy(own->bytes, o->payload->bytes, o->size);
        m->copied += o->size;
        m->taken += o->pinned;
        payload_drop(m, o->payload);
        o->payload = own;
        o->data = own->bytes;
    }
    mem_refresh(o);
}

/* ---- limits ---------------------------------------------------------------------------------- */

void mem_limits(uint64_t size, uint32_t out[SIZES])
{
    for (unsigned i = 0; i < SIZES; i++) {
        uint64_t n = (uint64_t)1 << i, limit = size >= n ? size - n + 1 : 0;
        out[i] = limit > UINT32_MAX ? UINT32_MAX : (uint32_t)limit;
    }
}

void mem_refresh(Object *o)
{
    bool readable =
        o->payload && o->death == DEATH_NONE && !o->undef && !o->sym && !o->watched && !o->limited;
    bool writable = readable && !o->constant && o->payload->refs == 1;
    memset(o->read, 0, sizeof o->read);
    memset(o->write, 0, sizeof o->write);
    if (readable)
        mem_limits(o->size, o->read);
    if (writable)
        memcpy(o->write, o->read, sizeof o->write);
}

/* ---- the table of slots ---------------------------------------------------------------------- */

static uint64_t home_cell(const Mem *m, uint64_t slot) { return slot * 0x9e3779b97f4a7c15u >> m->shift; }

static void grow(Mem *m)
{
    MemCell *old = m->cells;
    uint32_t n = m->ncells;
    m->ncells = n * 2;
    m->shift--;
    m->cells = mem_zalloc(m->ncells * sizeof *m->cells);
    for (uint32_t i = 0; i < n; i++) {
        if (!old[i].slot)
            continue;
        uint64_t at = home_cell(m, old[i].slot);
        while (m->cells[at].slot)
            at = (at + 1) & (m->ncells - 1);
        m->cells[at] = old[i];
    }
    mem_free(old);
}

/* Takes a free slot among those of a class, from the one that the name's hash selects on; false if all are
 * taken. */
static bool take_slot(Mem *m, Object *o, uint64_t region, unsigned shift, unsigned k, uint64_t name)
{
    uint64_t slots = (uint64_t)1 << (shift - k);
    region = region << REGION_SHIFT | (uint64_t)(k - CLASS_LEAST) << shift;
    for (uint64_t tries = 0; tries < slots; tries++) {
        uint64_t slot = region | ((name + tries) & (slots - 1)) << k, at = home_cell(m, slot);
        while (m->cells[at].slot && m->cells[at].slot != slot)
            at = (at + 1) & (m->ncells - 1);
        if (m->cells[at].slot)
            continue;
        m->cells[at] = (MemCell){slot, o};
        m->used++;
        o->slot = slot;
        return true;
    }
    return false;
}

static void enter(Mem *m, Object *o, ObjectKind kind, uint64_t name, unsigned k, uint64_t lead)
{
    if (m->used * 2 >= m->ncells)
        grow(m);
    bool compact = (kind == OBJECT_GLOBAL || kind == OBJECT_FN) && k <= CLASS_MOST_COMPACT;
    bool done = compact && take_slot(m, o, REGION_COMPACT, CLASS_SHIFT_COMPACT, k, name);
    while (!done && k <= CLASS_MOST)
        done = take_slot(m, o, kind, CLASS_SHIFT, k++, name);
    if (!done)
        die("more objects of %llu bytes than the machine has addresses for: --max-memory",
            (unsigned long long)o->size);
    o->base = o->slot + lead;
}

/* Removes without tombstones: what follows in the chain and may move back does. */
static void leave(Mem *m, uint64_t slot)
{
    uint64_t mask = m->ncells - 1, hole = home_cell(m, slot);
    while (m->cells[hole].slot != slot)
        hole = (hole + 1) & mask;
    for (uint64_t at = (hole + 1) & mask; m->cells[at].slot; at = (at + 1) & mask) {
        uint64_t home = home_cell(m, m->cells[at].slot);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            m->cells[hole] = m->cells[at];
            hole = at;
        }
    }
    m->cells[hole] = (MemCell){0, NULL}; /* an address near 0 has slot 0, and no object */
    m->used--;
}

unsigned mem_class(uint64_t size, uint64_t align)
{
    uint64_t tail = size / 4 < 16 ? 16 : size / 4;
    if (size > (uint64_t)1 << CLASS_MOST || align > (uint64_t)1 << (CLASS_MOST - 2))
        return 0;
    uint64_t need = mem_lead(align) + size + tail;
    unsigned k = 64 - (unsigned)__builtin_clzll(need - 1);
    return k <= CLASS_MOST ? k : 0;
}

/* ---- life and death -------------------------------------------------------------------------- */

Object *mem_structs(Mem *m, uint32_t n)
{
    char *room = mem_zalloc((n + 1) * sizeof(Object));
    vec_push(&m->blocks, room);
    return (Object *)(room + (-(uintptr_t)room & (_Alignof(Object) - 1)));
}

static Object *object_take(Mem *m)
{
    if (!m->unused) {
        Object *block = mem_structs(m, OBJECTS_PER_BLOCK);
        for (int i = OBJECTS_PER_BLOCK - 1; i >= 0; i--) {
            block[i].next = m->unused;
            m->unused = &block[i];
        }
    }
    Object *o = m->unused;
    m->unused = o->next;
    return o;
}

bool mem_fits(const Mem *m, uint64_t size) { return size <= m->limit && m->live <= m->limit - size; }

static void account(Mem *m, const Object *o)
{
    m->live += o->size;
    if (m->live > m->peak)
        m->peak = m->live;
    if (o->kind == OBJECT_STACK)
        m->stack += o->size;
}

/* Objects that are not pinned, beside the table of slots: snapshots ask for these and are made often. */
static void loose_add(Mem *m, Object *o)
{
    o->at = m->loose.n;
    vec_push(&m->loose, o);
}

static void loose_remove(Mem *m, const Object *o)
{
    Object *last = vec_pop(&m->loose);
    m->loose.v[o->at] = last;
    last->at = o->at;
}

Object *mem_new(Mem *m, ObjectKind kind, uint64_t name, uint64_t size, uint64_t align, Payload *payload)
{
    Object *o = object_take(m);
    mem_new_pinned(m, o, kind, name, size, align, payload);
    o->pinned = false;
    m->pinned--;
    loose_add(m, o);
    return o;
}

void mem_new_pinned(Mem *m, Object *o, ObjectKind kind, uint64_t name, uint64_t size, uint64_t align,
                    Payload *payload)
{
    unsigned k = mem_class(size, align);
    if (!k)
        bug("object of %llu bytes", (unsigned long long)size);
    memset(o, 0, sizeof *o);
    o->pinned = true;
    m->pinned++;
    o->kind = (uint8_t)kind;
    o->size = size;
    o->site = IR_NONE;
    o->payload = payload;
    o->data = payload ? payload->bytes : NULL;
    o->serial = ++m->serial;
    o->stamp = m->stamp;
    o->state = (uint32_t)m->stamp;
    o->state_seen = (uint32_t)(m->stamp >> 32);
    o->watched = m->watch;
    enter(m, o, kind, hash_u64(name), k, mem_lead(align));
    mem_refresh(o);
    account(m, o);
}

uint64_t mem_place(Mem *m, ObjectKind kind, uint64_t name, uint64_t size, uint64_t align)
{
    Object probe = {.size = size};
    enter(m, &probe, kind, hash_u64(name), mem_class(size, align), mem_lead(align));
    leave(m, probe.slot);
    return probe.base;
}

void mem_revive(Mem *m, Object *o, uint64_t name, unsigned k, uint64_t lead, const uint32_t limits[SIZES])
{
    enter(m, o, OBJECT_STACK, hash_u64(name), k, lead);
    loose_add(m, o);
    memset(o->data, 0, o->size);
    o->watched = m->watch;
    if (!m->watch) {
        memcpy(o->read, limits, sizeof o->read);
        memcpy(o->write, limits, sizeof o->write);
    }
    o->death = DEATH_NONE;
    o->serial = ++m->serial;
    o->stamp = m->stamp;
    o->state = (uint32_t)m->stamp;
    o->state_seen = (uint32_t)(m->stamp >> 32);
    account(m, o);
}

static void bury(Mem *m, const Object *o)
{
    Grave *g = &m->graves[m->ngraves++ % GRAVES];
    *g = (Grave){.base = o->base,
                 .size = o->size,
                 .slot = o->slot,
                 .name = o->name,
                 .site = o->site,
                 .state = o->state,
                 .kind = o->kind,
                 .death = o->death,
                 .pointee = o->pointee};
}

/* The struct may be used again, unless it is held. */
static void retire(Mem *m, Object *o)
{
    if (o->held) {
        o->limbo = true;
        return;
    }
    o->next = m->unused;
    m->unused = o;
}

void mem_kill(Mem *m, Object *o, Death death)
{
    o->death = (uint8_t)death;
    bury(m, o);
    leave(m, o->slot);
    if (!o->pinned)
        loose_remove(m, o);
    m->live -= o->size;
    if (o->kind == OBJECT_STACK)
        m->stack -= o->size;
    memset(o->read, 0, sizeof o->read);
    memset(o->write, 0, sizeof o->write);
    mem_free(o->undef);
    o->undef = NULL;
    sym_bytes_drop(o->sym);
    label_bytes_drop(o->labels);
    o->sym = NULL;
    o->labels = NULL;
    if (o->home && o->payload->refs == 1 && !o->held) {
        o->next = *o->home;
        *o->home = o;
        return;
    }
    payload_drop(m, o->payload);
    o->payload = NULL;
    o->data = NULL;
    retire(m, o);
}

const Grave *mem_grave(const Mem *m, uint64_t address)
{
    uint64_t slot = mem_slot_of(address);
    uint32_t n = m->ngraves < GRAVES ? m->ngraves : GRAVES;
    for (uint32_t i = 1; i <= n; i++) {
        const Grave *g = &m->graves[(m->ngraves - i) % GRAVES];
        if (g->slot == slot)
            return g;
    }
    return m->older ? m->older(m->older_context, slot, GRAVES - n) : NULL;
}

/* ---- uninitialised bits ---------------------------------------------------------------------- */

void mem_undef_set(Mem *m, Object *o, uint64_t offset, uint64_t n)
{
    if (!m->undef || !n)
        return;
    if (!o->undef)
        o->undef = mem_zalloc(o->size);
    for (uint64_t i = offset; i < offset + n; i++)
        o->nundef += o->undef[i] == 0;
    memset(o->undef + offset, 0xff, n);
    mem_refresh(o);
}

void mem_undef_clear(Object *o, uint64_t offset, uint64_t n)
{
    if (!o->undef)
        return;
    for (uint64_t i = offset; i < offset + n; i++)
        o->nundef -= o->undef[i] != 0;
    memset(o->undef + offset, 0, n);
    if (!o->nundef) {
        mem_free(o->undef);
        o->undef = NULL;
        mem_refresh(o);
    }
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void release(Mem *m, Object *o)
{
    bool pinned = o->pinned;
    uint32_t held = o->held;
    mem_free(o->undef);
    sym_bytes_drop(o->sym);
    label_bytes_drop(o->labels);
    payload_drop(m, o->payload);
    memset(o, 0, sizeof *o);
    o->held = held;
    if (!pinned)
        retire(m, o);
}

void mem_remove(Mem *m, Object *o)
{
    leave(m, o->slot);
    if (!o->pinned)
        loose_remove(m, o);
    release(m, o);
}

void mem_enter(Mem *m, Object *o)
{
    if (m->used * 2 >= m->ncells)
        grow(m);
    uint64_t at = home_cell(m, o->slot);
    while (m->cells[at].slot)
        at = (at + 1) & (m->ncells - 1);
    m->cells[at] = (MemCell){o->slot, o};
    m->used++;
    if (!o->pinned)
        loose_add(m, o);
}

void mem_unhold(Mem *m, Object *o)
{
    if (--o->held == 0 && o->limbo) {
        memset(o, 0, sizeof *o);
        retire(m, o);
    }
}

void mem_pool_drain(Mem *m, Object **home)
{
    while (*home) {
        Object *o = *home;
        *home = o->next;
        release(m, o);
    }
}

void mem_reset(Mem *m)
{
    for (uint32_t i = 0; i < m->ncells; i++) {
        Object *o = m->cells[i].slot ? m->cells[i].object : NULL;
        m->cells[i] = (MemCell){0, NULL};
        if (!o)
            continue;
        release(m, o);
    }
    vec_clear(&m->loose);
    m->used = m->ngraves = m->pinned = 0;
    m->older = NULL;
    m->live = m->peak = m->stack = m->serial = 0;
}

void mem_free_all(Mem *m)
{
    mem_reset(m);
    for (uint32_t i = 0; i < m->blocks.n; i++)
        mem_free(m->blocks.v[i]);
    vec_free(&m->blocks);
    vec_free(&m->loose);
    mem_free(m->cells);
    mem_free(m->graves);
}
