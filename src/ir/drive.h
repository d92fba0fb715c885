/* drive.h - an entry whose handles the program itself makes.
 *
 * A handle is a pointer to an object that only the program's own functions can make: an opaque type, or
 * memory with a header before the pointer. A drive says by which functions: a constructor, then up to `calls`
 * mutators. Its driver is a function that we add to the program, with the entry's parameters and those of all
 * these functions; it makes each handle that is not NULL and calls the entry. So whatever is known of entries
 * holds of it: its parameters are inputs, its branches are decisions. Lengths and sizes that are passed to
 * these functions are at most the bound for elements, since most of them allocate as much.
 *
 * Tests carry a drive as text, one line for each handle (ir_drive_text), from which the native driver and the
 * C tests are written. Names of parameters follow from it: ir_drive_argument, ir_drive_choice. */
#ifndef SHEAF_IR_DRIVE_H
#define SHEAF_IR_DRIVE_H

typedef enum IrMakerKind {
    IR_MAKER_RETURNS, /* h = set_new(...) */
    IR_MAKER_OUT,     /* set_open(..., &h, ...) */
    IR_MAKER_INIT, /* set_init(h, ...), with room of the type's size; a mutator is called in this way, too */
    IR_MAKER_MOVES /* a mutator: h = text_append(h, ...) */
} IrMakerKind;

typedef struct IrMaker {
    const char *name;
    IrMakerKind kind;
    uint32_t place; /* which of its parameters is the handle or its address, as C counts them */
    uint32_t fn;    /* IR_NONE: not looked up */
} IrMaker;
typedef Vec(IrMaker) IrMakerVec;

typedef struct IrHandle {
    const char *name; /* of the entry's parameter */
    uint32_t number;  /* which of them, as C counts them */
    uint64_t size;    /* bytes of what it points to; 0: not known */
    IrMakerVec constructors, mutators;
} IrHandle;

/* What a register of the driver is. */
typedef struct IrDriveParam {
    uint32_t group;  /* 0: a parameter of the entry; else equal for those of one call */
    uint32_t slot;   /* which of the mutators' calls it is for, from 0 on; IR_NONE: for none of them */
    uint32_t handle; /* of a handle of the entry: which; else IR_NONE */
    bool is_bound;   /* it is no input: the machine says how many elements an array may have, */
    bool is_length;  /* and this is at most that */
    bool is_counted; /* it is the length of the parameter before it */
} IrDriveParam;

typedef struct IrDrive {
    const char *entry;
    uint32_t calls; /* mutators called one after the other, at most */
    Vec(IrHandle) handles;
    uint32_t fn;              /* the driver; IR_NONE: not built */
    Vec(IrDriveParam) params; /* by its registers */
} IrDrive;

void ir_drive_free(IrDrive *d); /* the vectors, not `d` */

/* Adds the driver to the program; it is the program's drive from then on, and is freed with it. Texts must
 * live as long. Requires: functions are looked up, and a constructor for each handle. */
void ir_drive_build(IrProgram *p, IrDrive *d);

/* "h made by set_new or set_open(&h), then up to 2 of set_add, h = set_grow". */
void ir_drive_text(const IrHandle *h, uint32_t calls, Str *out);
/* The same read again: adds a handle, and sets d->calls. False: it is no such text. Texts go into the
 * arena. */
bool ir_drive_parse(IrDrive *d, const char *text, Arena *a);

/* The driver's parameter for one of a maker's: "set_new.cap", of a later call of it "set_add.key#2". `slot`:
 * IR_NONE for a constructor. */
const char *ir_drive_argument(const IrDrive *d, const IrMaker *m, uint32_t handle, uint32_t slot,
                              const char *parameter, Arena *a);
/* Which constructor (slot IR_NONE; it is there if there are several), which mutator: "h.made", "h.call#2". A
 * mutator's number counts from 1, any other value is none, and then none follows. Other values of the first
 * stand for the first constructor, which is number 0. */
const char *ir_drive_choice(const IrHandle *h, uint32_t slot, Arena *a);
/* "cap" of "set_new.cap#2": the parameter's own name. */
const char *ir_drive_own_name(const char *name, char *out, size_t size);

#endif
