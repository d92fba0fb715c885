/* sym_key.h - private to sym_key*.c: what the parts of keys share. */
#ifndef SHEAF_VM_SYM_KEY_H
#define SHEAF_VM_SYM_KEY_H

#include "flow/flow.h"
#include "vm/symbolic/sym_int.h"

/* Bytes of an object that may be read again (sym_key_wanted.c). Equal ones are one. */
typedef struct KeyMask {
    const FlowBytes *v;
    uint32_t n;
} KeyMask;
typedef struct KeyPart {
    uint32_t frame, index; /* as FlowWanted has them */
    const KeyMask *mask;
} KeyPart;
typedef struct KeyChain { /* of calls: where the frames stand, and what that means */
    FlowSite *frames;
    uint32_t nframes;
    Vec(KeyPart) parts;
} KeyChain;
typedef Vec(FlowSite) KeyFrames;

/* The contents of an object, and the words in it that look like addresses. */
typedef struct Contents {
    Payload *payload;    /* held */
    SymBytes *sym;       /* held; NULL: none */
    const KeyMask *mask; /* of these bytes; NULL: of all */
    VmKey hash;
    U64Vec addresses;
    Vec(Expr) exprs; /* with addresses in them */
    Vec(Expr) named; /* over inputs that calls have made */
    VmKey object;    /* of the object that has them, */
    uint64_t base;   /* if it is there, */
    uint64_t flags;
    bool is_known;
    enum { IMAGE_UNKNOWN, IMAGE_SAME, IMAGE_OTHER } image; /* of a global: its initial contents? */
} Contents;

/* For tests: parts that are left out of keys (VmSymbolicOptions.rules_off). */
enum {
    OFF_REGISTERS = 1,
    OFF_CALLERS = 2,
    OFF_GLOBALS = 4,
    OFF_OBJECTS = 8,
    OFF_FILES = 16,
    OFF_FACTS = 32,
    OFF_DANGLING = 64, /* what is new may come to where a pointer to a dead object leads */
    OFF_OUTPUTS = 128,
    OFF_WANTED = 256 /* of an object that is read again in part, that part */
};

/* An expression over inputs that calls have made: which they are, in the order in which it has them, and how
 * they are put together. */
typedef struct NamedExpr {
    VmKey hash;
    U32Vec inputs; /* objects */
} NamedExpr;

struct Keys {
    Vec(VmKey) exprs;   /* by expression id; 0: not computed */
    Map addressed;      /* expressions that have an address among their constants */
    Vec(VmKey) objects; /* of input objects, by id */
    Map made;           /* input objects that are renamed: the calls that make them may come again */
    Map over_made;      /* expressions that have such symbols */
    Map named_of;       /* of these: the place, counted from 1, in */
    Vec(NamedExpr) named;
    Map number_of; /* of these inputs: the number, counted from 1, that they have in the state under way */
    U32Vec inputs; /* by that number */
    Map list_of;   /* lists of inputs: hash to place, in */
    Vec(U32Vec) lists;
    Map index; /* (payload, cells) to its place in contents, counted from 1 */
    Vec(Contents) contents;
    Map mask_of; /* hash to place in */
    Vec(KeyMask *) masks;
    Map chain_of; /* hash to place in */
    Vec(KeyChain) chains;
    KeyFrames frames; /* of the state under way */
    uint32_t chain;   /* the last one, counted from 1 */
    Map image_of;     /* global to the place of its key, of the initial contents, in */
    Vec(VmKey) images;
    Vec(Object *) met; /* of the key under way */
    uint64_t epoch;
    uint64_t addresses;               /* words that look like one, met so far */
    uint64_t primitives, files_known; /* begun and ended; so many when this was the key of the files: */
    VmKey files;
    VmKey path; /* the first `npath` decisions of the run, in order */
    uint32_t npath;
    U32Vec changed;      /* globals that have changed, */
    uint64_t changed_at; /* when so many copies of globals were made (Mem.taken) */
    VmKey output;        /* what the first `outputs` of the run's outputs show */
    uint32_t outputs;
    VmKey facts; /* what the path has decided of pointers of inputs, in any order: nothing else knows it */
    Map equal;   /* of these: expression to the constant that it equals */
    VmKey start; /* what the beginning of the run has decided: how many arguments, ... */
    bool starting;
    Map passed;       /* states of the run under way: key to decision */
    uint32_t npassed; /* so many decisions are in it */
    uint32_t endures; /* before so many decisions a run does not end where its state repeats */
    Map slots;        /* of addresses that objects of this run have had, from where it was resumed */
    bool resumed;     /* what was there before is not known */
    uint64_t watched; /* slot: does the state have an address in it? */
    bool haunted;     /* it does */
    U64Vec *record;   /* for tests: the state under way itself, word by word; NULL: its key is enough */
    Map states;       /* for tests: key to the state that has it, counted from 1, in */
    Vec(U64Vec) deep;
    bool names_known;
    bool moves_output; /* what waits to be printed may be asked for, or go to a file */
    bool by_name; /* inputs are named by execution index, so that states of different iterations differ */
};

static inline void mix(VmKey *k, uint64_t x)
{
    k->a = hash_mix(k->a, x);
    k->b = hash_mix(k->b ^ 0x5851f42d4c957f2du, x + 0x14057b7ef767814fu);
}

static inline void mix_key(VmKey *k, VmKey x)
{
    mix(k, x.a);
    mix(k, x.b);
}

/* A word of the state itself. */
static inline void mix_state(Vm *vm, VmKey *k, uint64_t x)
{
    mix(k, x);
    if (vm->sym->keys->record)
        vec_push(vm->sym->keys->record, x);
}

/* Programs keep a tag in the 16 high bits, which no address of theirs has. */
static inline uint64_t untagged(uint64_t word) { return word & UINT64_MAX >> 16; }

static inline bool looks_like_address(uint64_t word)
{
    uint64_t region = untagged(word) >> REGION_SHIFT;
    return region == OBJECT_HEAP || region == OBJECT_STACK;
}

/* sym_key_expr.c: a fingerprint of the expression; of inputs that calls have made it has the kind alone. */
VmKey key_of_expr(struct Keys *keys, const ExprPool *p, Expr e);
static inline bool key_is_addressed(const struct Keys *keys, Expr e)
{
    return keys->addressed.n && map_get(&keys->addressed, e.id, NULL);
}
static inline bool key_is_named(const struct Keys *keys, Expr e)
{
    return keys->over_made.n && map_get(&keys->over_made, e.id, NULL);
}
/* Of such an expression: which inputs it has, by their numbers in the state under way. */
void key_mix_named(Vm *vm, VmKey *k, Expr e);
/* The same, by their own names. */
void key_mix_exact(struct Keys *keys, const ExprPool *p, VmKey *k, Expr e);

/* sym_key.c: an expression that is part of the state */
void key_mix_expr(Vm *vm, VmKey *k, Expr e);
/* sym_key_wanted.c: marks objects of which not all bytes may be read again, for the key under way. */
void key_find_wanted(Vm *vm);
void key_wanted_free(struct Keys *keys);
/* NULL: all bytes. */
static inline const KeyMask *key_mask(const struct Keys *keys, const Object *o)
{
    return o->mask_epoch == keys->epoch ? o->mask : NULL;
}
/* sym_key_files.c */
void key_mix_files(Vm *vm, VmKey *k);
bool key_moves_output(const IrProgram *program);

#endif
