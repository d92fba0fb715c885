/* shared_marks.c - marks that processes share: see base.h.
 *
 * A table of names without deletions, in memory that all processes have from before they were forked. It
 * cannot move when it grows, so it has segments, each twice as large as the one before, in one range of
 * addresses: the kernel gives memory to those that are in use. Names are added to the last segment in use and
 * looked up in all. Two processes that add one name at the same moment may add it twice; then it stands in
 * two segments, and the later one is found. */
#include "base/base.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { FIRST_BITS = 16, SEGMENTS = 12 }; /* 65,536 names to 134 million, 2 GiB of addresses */

typedef struct SharedTable {
    _Atomic uint32_t last;        /* the segment in use */
    _Atomic uint64_t n[SEGMENTS]; /* names in each */
    _Atomic uint64_t slots[];
} SharedTable;

static uint64_t segment_size(uint32_t segment) { return UINT64_C(1) << (FIRST_BITS + segment); }
static uint64_t segment_begin(uint32_t segment)
{
    return (segment_size(segment) - segment_size(0)); /* the sum of those before it */
}
static size_t table_bytes(void) { return sizeof(SharedTable) + segment_begin(SEGMENTS) * sizeof(uint64_t); }

/* Where it stands in the segment, or would: half of the slots, at least, are free. */
static _Atomic uint64_t *slot_of(SharedTable *t, uint32_t segment, uint64_t tag)
{
    uint64_t mask = segment_size(segment) - 1, i = (tag >> MARKS_COUNT) & mask, is;
    _Atomic uint64_t *slots = &t->slots[segment_begin(segment)];
    while ((is = atomic_load_explicit(&slots[i], memory_order_relaxed)) && (is ^ tag) > MARKS_MASK)
        i = (i + 1) & mask;
    return &slots[i];
}

static _Atomic uint64_t *find(SharedTable *t, uint64_t tag)
{
    for (uint32_t k = atomic_load(&t->last) + 1; k-- > 0;) {
        _Atomic uint64_t *slot = slot_of(t, k, tag);
        if (atomic_load_explicit(slot, memory_order_relaxed))
            return slot;
    }
    return NULL;
}

unsigned shared_table_get(const SharedTable *t, uint64_t name)
{
    _Atomic uint64_t *slot = find((SharedTable *)t, marks_tag(name));
    return slot ? atomic_load_explicit(slot, memory_order_relaxed) & MARKS_MASK : 0;
}

/* A process that finds the last of all segments full ends: its work is for others, and in the end for one
 * process with a table of its own. */
static uint32_t segment_with_room(SharedTable *t)
{
    uint32_t last = atomic_load(&t->last);
    while (atomic_load(&t->n[last]) * 2 >= segment_size(last)) {
        if (last + 1 == SEGMENTS)
            _Exit(1);
        atomic_compare_exchange_strong(&t->last, &last, last + 1);
        last = atomic_load(&t->last);
    }
    return last;
}

/* A free slot becomes the name's, unless another process was faster: then it may be another name's now. */
static _Atomic uint64_t *add(SharedTable *t, uint64_t tag)
{
    for (;;) {
        uint32_t segment = segment_with_room(t);
        _Atomic uint64_t *slot = slot_of(t, segment, tag);
        uint64_t none = 0;
        if (atomic_compare_exchange_strong(slot, &none, tag)) {
            atomic_fetch_add(&t->n[segment], 1);
            return slot;
        }
        if ((none ^ tag) <= MARKS_MASK)
            return slot;
    }
}

unsigned shared_table_set(SharedTable *t, uint64_t name, unsigned which, unsigned marks)
{
    uint64_t tag = marks_tag(name);
    _Atomic uint64_t *slot = find(t, tag);
    if (!slot)
        slot = add(t, tag);
    uint64_t old = atomic_load(slot);
    while (!atomic_compare_exchange_weak(slot, &old, (old & ~(uint64_t)which) | marks))
        ;
    return old & MARKS_MASK;
}

void shared_table_prefetch(const SharedTable *t, uint64_t name)
{
    uint32_t last = atomic_load_explicit(&t->last, memory_order_relaxed);
    uint64_t i = (marks_tag(name) >> MARKS_COUNT) & (segment_size(last) - 1);
    __builtin_prefetch(&t->slots[segment_begin(last) + i]);
}

bool shared_marks_share(SharedMarks *s)
{
    if (s->own.n >= segment_begin(SEGMENTS) / 4) /* it would soon be full */
        return false;
    SharedTable *t =
        mmap(NULL, table_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (t == MAP_FAILED)
        return false;
    for (uint32_t i = 0; i < s->own.cap; i++)
        if (s->own.slots[i])
            shared_table_set(t, s->own.slots[i], MARKS_MASK, s->own.slots[i] & MARKS_MASK);
    s->table = t;
    return true;
}

/* Segments from the first on: what a later one has replaces it. */
void shared_marks_keep(SharedMarks *s)
{
    if (!s->table)
        return;
    uint64_t end = segment_begin(atomic_load(&s->table->last) + 1);
    for (uint64_t i = 0; i < end; i++) {
        uint64_t slot = atomic_load_explicit(&s->table->slots[i], memory_order_relaxed);
        if (slot)
            marks_set(&s->own, slot, MARKS_MASK, slot & MARKS_MASK);
    }
}

void shared_marks_end(SharedMarks *s)
{
    if (s->table)
        munmap(s->table, table_bytes());
    s->table = NULL;
}

size_t shared_marks_bytes(const SharedMarks *s)
{
    return s->table ? segment_begin(atomic_load(&s->table->last) + 1) * sizeof(uint64_t)
                    : s->own.cap * sizeof *s->own.slots;
}

void shared_marks_free(SharedMarks *s)
{
    shared_marks_end(s);
    marks_free(&s->own);
}
