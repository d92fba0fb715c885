/* sym.h - private to vm: what the rest of the machine knows of symbolic mode.
 *
 * A register's shadow (its low half) is the id of an expression whose value under the run's input is the
 * register's word. Everything here needs Vm.sym, except sym_of. How it is done: sym_int.h. */
#ifndef SHEAF_VM_SYM_H
#define SHEAF_VM_SYM_H

#include "vm/core/vm_int.h"

/* ---- values ---------------------------------------------------------------------------------- */

static inline Expr sym_of(uint64_t shadow) { return (Expr){shadow & SHADOW_UNDEF ? 0 : (uint32_t)shadow}; }
/* The expression of an IR register (constants too), of its width. */
Expr sym_reg(Vm *vm, const Reg *regs, uint32_t reg);
bool sym_reg_is(Vm *vm, const Reg *regs, uint32_t reg); /* is it symbolic? */
/* Sets a value of a width: plain if the expression is a constant or none. */
void sym_reg_set(Vm *vm, Reg *out, unsigned width, u128 value, Expr e);
void sym_extend(Vm *vm, Reg *value, unsigned to);         /* its sign; the word is extended already */
bool vm_sym_use(Vm *vm, const Code *pc, uint64_t shadow); /* a symbolic value decides something */
void vm_sym_apply(Vm *vm, const IrInsn *insn, Reg *regs, u128 value);
void vm_sym_checks(Vm *vm, const IrInsn *insn, const Reg *regs);
void vm_sym_get(Vm *vm, const Object *o, uint64_t offset, unsigned width, Reg *out);
void vm_sym_put(Vm *vm, Object *o, uint64_t offset, unsigned width, const Reg *value);
/* A block of the user's code begins, for the first time or (visits) at all. The handler of its first
 * instruction. */
const void *vm_mark(Vm *vm, const Code *pc, const Reg *regs);
void vm_cover_prepare(Vm *vm, FnCode *fn, const uint32_t *labels);
uint8_t *vm_cover_sides(Vm *vm, uint32_t fn, uint32_t block);
void vm_cover_which(const Vm *vm, uint32_t fn, uint32_t block,
                    Map *out); /* target to its place among the sides */
void vm_cover_begin(Vm *vm);   /* a run begins; */
void vm_cover_end(Vm *vm);     /* it has ended */
void vm_cover_save(
    const Vm *vm,
    U32Vec *out); /* cells that the run under way has set, besides those of runs that were kept */
void vm_cover_restore(Vm *vm, const U32Vec *saved); /* the run goes on from where they were saved */
/* A function of libm on symbolic arguments; false: none is symbolic. *ok: false if the run ended. */
bool vm_sym_pure(Vm *vm, const FnCode *fn, const CallInfo *call, Reg *regs, bool *ok);
/* Is the call one that is not entered (VmAbstract)? Then it is made here; false: the run ended. */
bool vm_sym_is_abstract(const FnCode *fn, const CallInfo *call, const Reg *regs);
bool vm_sym_abstract(Vm *vm, const FnCode *fn, const CallInfo *call, Reg *regs);
bool vm_sym_prim(Vm *vm, PrimFn prim, const CallInfo *call, Reg *regs);
void vm_sym_fit(Vm *vm, Reg value[2], unsigned width); /* cuts or extends a symbolic value */
void vm_sym_concrete(Vm *vm, const Object *o, uint64_t offset,
                     uint64_t n); /* its bytes become part of the path */
/* Operands of a block operation, before it; *done: the whole of it. */
bool vm_sym_block(Vm *vm, const Code *pc, Reg *regs, bool *done);
void vm_sym_pointee_written(Vm *vm, Object *o); /* sym_lazy.c: before a write to one that is so marked */
/* sym_shape.c, of an object whose limit is an expression: is the access inside, by a decision; how large it
 * is in this run */
/* Where the stream of the caller at this object stands, as ftell would say; or one of these. */
#define VM_NO_STREAM      INT64_MIN
#define VM_STREAM_WRITTEN (INT64_MIN + 1)
int64_t vm_sym_stream_position(const Vm *vm, const Object *o);
bool vm_sym_within(Vm *vm, const Object *o, uint64_t offset, uint64_t n, bool write);
uint64_t vm_sym_size(const Vm *vm, const Object *o);
uint64_t vm_sym_size_decided(Vm *vm, const Object *o); /* the same, as a decision */
void vm_sym_pointee_left(Vm *vm, const Object *o);     /* an access beyond it */
bool sym_given_beyond(Vm *vm, const Object *o); /* sym_given.c: is it one that no run of interest uses? */
bool vm_sym_redirects(const Vm *vm, uint32_t fn);
bool vm_sym_is_entry(const Vm *vm, uint32_t fn); /* do calls of it go to the entry? */
/* A function that the entry got from its caller: is one there? A call of it; false: the run ended. */
bool vm_sym_is_callback(const Vm *vm, uint64_t address);
bool vm_sym_callback(Vm *vm, uint64_t address, const CallInfo *call, Reg *regs);
bool vm_sym_enter(Vm *vm, const Code *pc, Reg *regs);                              /* such a call */
void vm_sym_fill(Vm *vm, Object *o, uint64_t offset, uint64_t n, uint64_t shadow); /* memset */
uint64_t vm_sym_cells(const Object *o, uint64_t n); /* of n bytes so many may be symbolic; o->sym is there */
void vm_sym_copy(Vm *vm, Object *to, uint64_t at, const Object *from, uint64_t start, uint64_t n);
/* Through a symbolic address, `by` bytes on. */
bool vm_sym_load(Vm *vm, const Reg *address, int64_t by, unsigned width, Reg *out);
bool vm_sym_store(Vm *vm, const Reg *address, int64_t by, unsigned width, const Reg *value);
/* sym_endless.c, asked at pauses: has the run come to a state that it was in, without a decision in between?
 * Is it to pause at every jump? It ends for that. */
bool vm_sym_is_endless(Vm *vm);
bool vm_sym_is_watched(const Vm *vm);
bool vm_sym_end_endless(Vm *vm);
bool vm_sym_keyed(const Vm *vm); /* do states have keys? */
/* Then: a name, after this one, whose address no pointer to a dead object has. */
uint64_t vm_sym_free_name(Vm *vm, uint64_t name, const VmExtent *extent);
void vm_sym_free(Vm *vm);
void vm_sym_native_call(Vm *vm, const char *name); /* sym_pure.c: for the ledger */
void vm_sym_jump_value(Vm *vm, Reg *value);        /* sym_value.c: what setjmp returns is never 0 */
bool vm_sym_fix_pointer(Vm *vm, const Reg *pointer, uint64_t n,
                        bool write); /* sym_block.c: to one object and offset, by decisions */

/* ---- decisions, ends ------------------------------------------------------------------------- */

/* With labels: a decision without an alternative, if its operands depend on what the context does not
 * name. */
void sym_force(Vm *vm, VmDecisionKind kind, uint32_t took);
/* The value of an expression becomes part of the path. `what` is for the ledger, or NULL: the expression
 * itself. */
u128 sym_concretise(Vm *vm, Expr e, const char *what);
/* A fault is under way: at the null pointer that was followed last; at the edge of an object. Says what a
 * caller must pass, if it is his to avoid. */
void sym_need_null(Vm *vm);
void sym_need_extent(Vm *vm, const Object *o, bool before, bool write);
Ledger *sym_ledger(const Vm *vm); /* of the exploration */
/* The run ends, and that it does depends on this. */
void sym_ending(Vm *vm, VmLabel l);

#endif
