/* mem.h - private to vm: the objects of modelled memory.
 *
 * An address has 47 bits: kind of object (3), size class k (5), then the slot's number and the offset in the
 * slot (39 together). A slot has 2^k bytes: a guard, the object, a guard. The slot's number is a hash of the
 * object's name (where and when it was made), so an address does not depend on what else was allocated, but
 * for rare collisions. Globals and functions, unless huge, share a compact region of 31 bits (class 5, number
 * and offset 26 together): compilers store differences of their addresses in 32 bits.
 *
 * The structs are pooled and stay readable as long as the machine lives. An access checks the object's own
 * limits, so a pointer to an Object may be kept anywhere as a guess: if the guess is stale, the limits
 * refuse. */
#ifndef SHEAF_VM_MEM_H
#define SHEAF_VM_MEM_H

#include "vm/vm.h"

typedef enum ObjectKind { OBJECT_NONE, OBJECT_GLOBAL, OBJECT_HEAP, OBJECT_STACK, OBJECT_FN } ObjectKind;

/* Why an object is no more (or, for DEATH_SCOPE of a stack object still in its frame, not now). */
typedef enum Death { DEATH_NONE, DEATH_FREE, DEATH_RETURN, DEATH_SCOPE } Death;

/* Bytes of an object, shared until a write. */
typedef struct Payload {
    uint32_t refs;
    uint32_t pool; /* free list it returns to, or PAYLOAD_BIG */
    uint64_t size;
    uint8_t bytes[];
} Payload;

enum { SIZES = 4 }; /* accesses of 1, 2, 4, 8 bytes */

typedef struct SymBytes SymBytes;
void sym_bytes_drop(SymBytes *s); /* NULL is allowed */
struct LabelBytes;
void label_bytes_drop(struct LabelBytes *b); /* NULL is allowed */

typedef struct Object {
    /* what an access needs, in one cache line */
    _Alignas(64) uint64_t base;         /* address of its first byte */
    uint8_t *data;                      /* payload->bytes */
    uint32_t read[SIZES], write[SIZES]; /* by log2 of the access: the least offset that needs the slow path */
    uint64_t size;
    uint64_t stamp; /* label_int.h: entries of the log that its labels know, and the label of all its bytes */
    uint64_t slot;  /* address of its slot */
    Payload *payload;
    uint8_t *undef;  /* for each byte its uninitialised bits; NULL: none. Only under --check uninit */
    SymBytes *sym;   /* symbolic bytes; NULL: none */
    uint64_t nundef; /* bytes with uninitialised bits */
    struct LabelBytes *labels; /* labels of bytes that differ; NULL: they have one, in the stamp */
    uint32_t state;            /* label of its state: that it lives, its size */
    uint32_t state_seen;       /* entries of the log that it knows */
    uint32_t class;            /* of heap and stack objects: what the static analysis calls it (flow.h) */
    uint8_t kind, death;
    bool constant, external; /* external: declared, defined nowhere */
    bool limbo;              /* dead, but a snapshot holds the struct */
    bool wanted;             /* while a snapshot is put back: it has this object */
    bool foreign;            /* the caller of the entry made it: never a leak */
    bool pointee;            /* behind a pointer of an input */
    bool written;            /* of such a one: it was written to */
    bool watched;            /* see Mem.watch */
    bool pinned;             /* the struct has another owner and outlives the run */
    uint32_t held;           /* snapshots that hold the struct */
    uint32_t shape;          /* behind a pointer of the entry, by C's types: which (sym_shape.c); 0: none */
    bool limited;            /* and where it ends is an expression: every access goes the slow way */
    uint32_t at;             /* in Mem.loose, if it is not pinned */
    uint32_t index;          /* of the global or function */
    uint32_t name;           /* interned variable behind it, 0 if none */
    uint32_t site;           /* where it was made */
    uint64_t key_epoch;      /* sym_key.c: the key that met it last */
    uint32_t contents;       /* sym_key.c: place of its contents, counted from 1; perhaps another's by now */
    uint64_t mask_epoch;     /* sym_key_wanted.c: a key in which */
    const struct KeyMask *mask; /* these bytes count; in others all do */
    uint64_t serial;            /* stack objects: in order of creation */
    struct Object *next;        /* in its frame's list, or in a pool of unused structs */
    struct Object **home;       /* the pool that it returns to, payload attached; NULL: the common one */
} Object;

typedef struct MemCell {
    uint64_t slot; /* 0: empty */
    Object *object;
} MemCell;

/* What is remembered of an object that is no more. */
typedef struct Grave {
    uint64_t base, size, slot;
    uint32_t name, site;
    uint32_t state; /* label of the object's state: why it is no more */
    uint8_t kind, death;
    bool pointee; /* it was the caller's */
} Grave;

enum { PAYLOAD_POOLS = 10, PAYLOAD_BIG = PAYLOAD_POOLS, GRAVES = 1 << 14 };

typedef struct Mem {
    MemCell *cells; /* open addressing, by slot */
    uint32_t ncells, used;
    unsigned shift; /* 64 - log2(ncells) */
    Object *unused;
    Vec(void *) blocks;            /* arrays of structs and payloads, for the end */
    Payload *pools[PAYLOAD_POOLS]; /* chained through their bytes */
    Grave *graves;                 /* ring */
    uint32_t ngraves;
    uint64_t live, peak, limit;  /* bytes of objects alive */
    uint64_t stack, stack_limit; /* of these, in frames */
    uint64_t copied;             /* bytes of objects, since a snapshot shared them */
    uint64_t serial;
    uint32_t pinned;       /* of `used`: objects whose structs have another owner */
    Vec(Object *) loose;   /* the others, in no order */
    bool undef;            /* keep track of uninitialised bytes */
    bool watch;            /* every access goes the slow way */
    uint64_t stamp, clean; /* of an object whose bytes have the context's label; no label. 0 without labels */
    /* Graves before those of this run's own, for a run that began with a snapshot: the latest among
     * `most`. */
    const Grave *(*older)(const void *context, uint64_t slot, uint32_t most);
    const void *older_context;
    uint64_t taken; /* copies of what is pinned, globals above all, made by writes */
} Mem;

void mem_init(Mem *m, uint64_t limit, uint64_t stack_limit, bool undef);
void mem_reset(Mem *m); /* forgets every object; structs and payloads go back to the pools */
void mem_free_all(Mem *m);

/* Structs for objects that are to be pinned: zeroed, aligned, freed with the memory. */
Object *mem_structs(Mem *m, uint32_t n);

/* The size class for an object, or 0 if none is big enough. align is a power of two. */
unsigned mem_class(uint64_t size, uint64_t align);
static inline uint64_t mem_lead(uint64_t align) { return align < 16 ? 16 : align; }

/* Makes an object with a zeroed payload (none for functions and externals: bytes == 0) and enters it. The
 * caller fills in what it knows beyond that. The limit on memory is the caller's to check, with mem_fits. */
Object *mem_new(Mem *m, ObjectKind kind, uint64_t name, uint64_t size, uint64_t align, Payload *payload);
/* The same in a struct of the caller's, which must stay until the memory is freed. */
void mem_new_pinned(Mem *m, Object *o, ObjectKind kind, uint64_t name, uint64_t size, uint64_t align,
                    Payload *payload);
bool mem_fits(const Mem *m, uint64_t size);
/* Enters a pooled struct (size, payload and home as they were) under a new name; contents zeroed. */
void mem_revive(Mem *m, Object *o, uint64_t name, unsigned k, uint64_t lead, const uint32_t limits[SIZES]);
void mem_kill(Mem *m, Object *o, Death death);
uint64_t mem_place(Mem *m, ObjectKind kind, uint64_t name, uint64_t size,
                   uint64_t align); /* base it would get */
/* For snapshots: takes an object away without a grave, puts one back under the slot it has, releases a held
 * struct. */
void mem_remove(Mem *m, Object *o);
void mem_enter(Mem *m, Object *o);
void mem_unhold(Mem *m, Object *o);
void mem_pool_drain(Mem *m, Object **home); /* gives the structs of a pool back to the common one */

Payload *payload_new(Mem *m, uint64_t size); /* zeroed, one reference */
void payload_drop(Mem *m, Payload *p);
/* Makes the payload the object's own, so that it can be written. */
void mem_unshare(Mem *m, Object *o);

/* Sets the limits that follow from the object's state. */
void mem_refresh(Object *o);
void mem_limits(uint64_t size, uint32_t out[SIZES]);

/* Uninitialised bits: marks or clears n bytes from offset on. */
void mem_undef_set(Mem *m, Object *o, uint64_t offset, uint64_t n);
void mem_undef_clear(Object *o, uint64_t offset, uint64_t n);

const Grave *mem_grave(const Mem *m, uint64_t address); /* the latest whose slot holds the address, or NULL */

enum { REGION_COMPACT = 5, REGION_SHIFT = 44, CLASS_SHIFT = 39, CLASS_SHIFT_COMPACT = 26, CLASS_LEAST = 5 };

static inline unsigned mem_class_of(uint64_t address)
{
    unsigned shift = address >> REGION_SHIFT == REGION_COMPACT ? CLASS_SHIFT_COMPACT : CLASS_SHIFT;
    return (unsigned)(address >> shift & 31) + CLASS_LEAST;
}

static inline uint64_t mem_slot_of(uint64_t address)
{
    unsigned k = mem_class_of(address);
    return address >> k << k;
}

/* The object in whose slot the address lies (perhaps in a guard), or NULL. */
static inline Object *mem_find(const Mem *m, uint64_t address)
{
    uint64_t slot = mem_slot_of(address);
    for (uint64_t i = slot * 0x9e3779b97f4a7c15u >> m->shift;; i = (i + 1) & (m->ncells - 1)) {
        const MemCell *cell = &m->cells[i];
        if (cell->slot == slot)
            return cell->object;
        if (!cell->slot)
            return NULL;
    }
}

#endif
