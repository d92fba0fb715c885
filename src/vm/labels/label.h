/* label.h - private to vm: what the rest of the machine knows of labels.
 *
 * A label is the set of decisions that a value depends on: a set of positions in the run's list of decisions,
 * hash-consed with the expressions' sets (expr.h): a number, 0 for none, equal numbers for equal sets. How
 * labels are kept, and which rules make them, stands in label_int.h.
 *
 * Everything here needs Vm.lab, except where it says otherwise. */
#ifndef SHEAF_VM_LABEL_H
#define SHEAF_VM_LABEL_H

#include "flow/flow.h"
#include "vm/core/vm_int.h"

#define LABEL_NONE EXPR_SET_EMPTY

/* ---- sets ------------------------------------------------------------------------------------ */

static inline VmLabel label_context(const Vm *vm) { return (VmLabel){(uint32_t)vm->mem.stamp}; }
static inline VmLabel label_unite(Vm *vm, VmLabel a, VmLabel b)
{
    return (VmLabel){sets_union(vm->now.sets, a.id, b.id)};
}
static inline bool label_within(const Vm *vm, VmLabel a, VmLabel b)
{
    return sets_subset(vm->now.sets, a.id, b.id);
}
static inline VmLabel label_here(Vm *vm, VmLabel own) { return label_unite(vm, own, label_context(vm)); }
enum { LABEL_ASKED = 256 }; /* a power of two */
struct LabelAsked {
    VmLabel label, context; /* asked about lately, by hash: */
    bool within;
};
static inline struct LabelAsked *label_asked(Vm *vm, VmLabel l, VmLabel context)
{
    return &vm->now.asked[(l.id ^ context.id * 31) % LABEL_ASKED];
}
bool label_ask(Vm *vm, VmLabel l); /* what label_is_here tells, if it is not remembered */
/* Does the context say all that? The same is asked again and again. */
static inline bool label_is_here(Vm *vm, VmLabel l)
{
    VmLabel context = label_context(vm);
    if (!l.id || l.id == context.id || !context.id)
        return l.id == context.id || !l.id;
    const struct LabelAsked *asked = label_asked(vm, l, context);
    bool known = asked->label.id == l.id && asked->context.id == context.id;
    return LIKELY(known) ? asked->within : label_ask(vm, l);
}
/* Without what the context says anyway. */
static inline VmLabel label_relative(Vm *vm, VmLabel l) { return label_is_here(vm, l) ? LABEL_NONE : l; }
static inline VmLabel label_of(uint64_t shadow) { return (VmLabel){(uint32_t)(shadow >> 32)}; }
static inline void label_reg_add(Vm *vm, Reg *r, VmLabel l)
{
    if (l.id)
        r->shadow = (uint64_t)label_unite(vm, label_of(r->shadow), l).id << 32 | (uint32_t)r->shadow;
}
VmLabel label_ir_reg(Vm *vm, const Reg *regs, uint32_t reg);         /* of an IR register, constants too */
VmLabel label_operands(Vm *vm, const IrInsn *insn, const Reg *regs); /* of all that it reads */

/* ---- memory: label.c ------------------------------------------------------------------------- */

void label_bytes_hold(struct LabelBytes *b); /* another user of an object's; NULL is allowed */
VmLabel label_get(Vm *vm, Object *o, uint64_t offset, uint64_t n);
void label_set(Vm *vm, Object *o, uint64_t offset, uint64_t n,
               VmLabel l); /* absolute; kills what was there */
void label_add(Vm *vm, Object *o, uint64_t offset, uint64_t n,
               VmLabel l); /* may have been written: kills nothing */
/* Bytes move; each takes l besides. Overlap is allowed. */
void label_copy(Vm *vm, Object *to, uint64_t at, Object *from, uint64_t start, uint64_t n, VmLabel l);
void label_born_before(Vm *vm, Object *o); /* an input's: it was there before the first instruction */
VmLabel label_state(Vm *vm, Object *o);
void label_state_set(Vm *vm, Object *o, VmLabel l); /* it changes, because of l and the context */

/* ---- the instruction under way: label_insn.c ------------------------------------------------- */

FlowSite label_site(const Vm *vm); /* its place; block IR_NONE: glue */
void label_own(Vm *vm, VmLabel l); /* an operand decides something */
/* A check passes that depends on `own`; where failing is a dependence, it is a decision, and what follows
 * depends on it. */
void label_check(Vm *vm);
void label_access(Vm *vm, Object *o); /* the check whether a watched object lives */
VmLabel label_made(Vm *vm);    /* `own` and `made`: what a result takes that depends on where it came from */
VmLabel label_passing(Vm *vm); /* these and `flowing`: what a primitive's results take */
void label_flow(Vm *vm, VmLabel l); /* read by the instruction, so in all that it writes */
/* These bytes of a string might have been looked at, so that how many were depends on them all. */
void label_looked(Vm *vm, Object *o, uint64_t offset, uint64_t n);
bool label_can_force(const Vm *vm);        /* none of its decisions was forced yet */
void label_decided(Vm *vm, VmDecision *d); /* the last of the trace was made: its label */
/* It writes where a decision or a label tells: other places that it might have written depend on that. */
void label_spread(Vm *vm);
void label_loaded(Vm *vm, Reg *out, VmLabel bytes); /* a value from memory, through the address at hand */
void label_stored(Vm *vm, Object *o, uint64_t offset, uint64_t n,
                  const Reg *value);                              /* NULL: nothing but the address */
void label_stored_somewhere(Vm *vm, Object *o, const Reg *value); /* at a symbolic offset */
VmLabel label_ending(Vm *vm);                                     /* of a run that ends at this instruction */
/* Around a call of a primitive or another function without a body. */
void label_call_begin(Vm *vm, const FnCode *fn, const CallInfo *call, const Reg *regs);
void label_call_end(Vm *vm, const FnCode *fn, Reg *regs);
uint32_t label_heap_class(Vm *vm);            /* of what the primitive under way allocates */
bool label_push_call(Vm *vm, uint64_t frame); /* if the call under way was decided: for the callee's frame */
void label_pop_call(Vm *vm, Reg *regs);       /* it had no frame */

/* Room on the stack: */
void label_room(Vm *vm);                                 /* the check whether there is some */
void label_room_set(Vm *vm, const Reg *regs, VmLabel l); /* this frame, the latest, has changed it */
void label_room_back(Vm *vm, Frame *frame);              /* it ends */

/* Pointers of inputs: */
void label_follow(Vm *vm);   /* what a pointer leads to is about to be chosen, by what others have led to */
void label_followed(Vm *vm); /* it was */
void label_follow_other(Vm *vm); /* decided otherwise the access under way might follow another pointer */

/* ---- what the step loop calls ---------------------------------------------------------------- */

const void *vm_label_join(Vm *vm, const Code *pc,
                          Reg *regs); /* a block that an entry may wait for begins: its own handler */
const void *vm_label_watch(Vm *vm, const Code *pc, Reg *regs); /* an instruction of the watched line begins */
void vm_label_prepare(Vm *vm, FnCode *fn);                     /* a function was prepared */
/* The function returns: entries of its frame are left. What the results take. */
uint64_t vm_label_return(Vm *vm, Reg *regs);
/* The entry function returns the registers of the list; `popped`: what its results take besides. */
void vm_label_entry(Vm *vm, const Reg *regs, const uint32_t *list, uint64_t popped);
void vm_label_results(Vm *vm, const Code *call, Reg *regs, uint64_t label); /* they take it */
uint64_t vm_label_union(Vm *vm, uint64_t a, uint64_t b); /* of shadows that are labels and nothing else */
uint64_t vm_label_loaded(Vm *vm, Object *o, uint64_t offset, unsigned size); /* shadow of a plain value */
void vm_label_stored(Vm *vm, Object *o, uint64_t offset, uint64_t n, uint64_t shadow);
bool vm_label_use(Vm *vm, const Code *pc, uint64_t shadow); /* a labelled value decides something */
/* The same of a comparison of plain words with its branch: its condition holds (0), or not (1). */
bool vm_label_branch(Vm *vm, uint64_t shadow, unsigned side);
void vm_label_access(Vm *vm, uint64_t shadow, bool write); /* through a labelled address */
void vm_label_longjmp(Vm *vm, Reg *to);

/* ---- what a trace says: label_trace.c -------------------------------------------------------- */

/* Enters what was written to a stream (0: sheaf_output, with a name) into the trace: a printed value, or
 * bytes. */
void label_output(Vm *vm, VmOutput out, Object *o, uint64_t offset, uint64_t n);
int label_stream_of(Vm *vm, int64_t fd);                      /* 0 to 2, 3: another */
void label_stream_add(Vm *vm, unsigned stream, VmLabel l);    /* what is in FLOW_STDIN, ... depends on it */
void label_place(Vm *vm, const CodePlace *at, VmDecision *d); /* path and loops; its activation has a name */
void label_finish(Vm *vm);                                    /* the trace's own labels */

/* ---- runs and snapshots ---------------------------------------------------------------------- */

void label_new(Vm *vm); /* makes Vm.lab */
void label_free(Vm *vm);
void label_reset(Vm *vm); /* before the first instruction */
/* What a snapshot keeps beside objects and registers. *bytes grows by what it takes. */
typedef struct LabelSaved LabelSaved;
LabelSaved *label_save(Vm *vm, size_t *bytes);
void label_restore(Vm *vm, const LabelSaved *from);
void label_saved_free(LabelSaved *s); /* NULL is allowed */
/* The log of what may have been written otherwise: its length; a copy of its end, for mem_free; which is
 * appended again. */
typedef struct LabelLogEnd LabelLogEnd;
uint32_t label_log_length(const Vm *vm);
LabelLogEnd *label_log_save(const Vm *vm, uint32_t from, size_t *bytes);
void label_log_restore(Vm *vm, const LabelLogEnd *end);

#endif
