/* sym_shape.h - what the parts of sym_shape.c share: lengths (sym_length.c) and needs (sym_need.c). */
#ifndef SHEAF_VM_SYM_SHAPE_H
#define SHEAF_VM_SYM_SHAPE_H

#include "vm/symbolic/sym_int.h"

/* The number of elements, of 64 bits, and the condition that it is a sensible one. */
typedef struct SymLength {
    Expr n, range, tame;           /* tame: it is no more, but may be negative */
    const char *name;              /* NULL: there is none */
    const char *bounds, *sensible; /* "n <= 3"; "n >= 0": a caller avoids the negative so */
    uint64_t most;                 /* elements */
    bool unsure;                   /* there may be more */
    const char *used;              /* what else is at most that, as text; NULL: nothing */
    bool is_signed, is_room;
    Expr negative; /* EXPR_NONE: it cannot be, or is assumed not to */
} SymLength;

const IrCType *sym_ctype(const Vm *vm, uint32_t type); /* one of kind IR_C_UNKNOWN for 0 */
/* The type of a parameter of the entry by its place among the inputs; 0: it is none, or not known. */
uint32_t sym_parameter_type(const Vm *vm, uint32_t input);
/* What it is to the entry, if that is a driver; NULL: it is none. */
const IrDriveParam *sym_parameter_drive(const Vm *vm, uint32_t input);

/* Of what the parameter, a pointer to `of`, leads to; `out` keeps name NULL if nothing says. */
void sym_length_parameter(Vm *vm, uint32_t input, uint32_t of, Arena *a, SymLength *out);
/* Of what the pointer fields->v[at] of the object leads to. Texts go into the arena, here and above. */
void sym_length_members(Vm *vm, ExprObject parent, const IrCFieldVec *fields, uint32_t at, Arena *a,
                        SymLength *out);
/* Of the structure `object` that ends with an array: how many elements that has; false: nothing says. */
bool sym_length_trailing(Vm *vm, ExprObject object, const IrCFieldVec *fields, const IrCField *array,
                         Arena *a, SymLength *out);
/* Members that are places in the string behind fields->v[at], of which limit - 1 is the length: the condition
 * that they are within it, EXPR_TRUE if there are none; *used: that as text. */
Expr sym_length_places(Vm *vm, ExprObject parent, const IrCFieldVec *fields, uint32_t at, Arena *a,
                       Expr limit, const char **used);
/* Does the next parameter say where the characters end? Or is this one that parameter? */
bool sym_length_has_end(Vm *vm, uint32_t input, uint32_t of);
bool sym_length_is_end(Vm *vm, uint32_t input, uint32_t of);

Expr sym_field_word(Vm *vm, ExprObject parent, const IrCField *f);
const char *sym_last_name(const char *text); /* "data", of "p->data" */
bool sym_name_leads_back(const char *name);  /* `prev`, `parent`: no list ends there */
const char *sym_elements_word(const Vm *vm, uint32_t type, bool one);
#endif
