/* eval.h - the evaluation of one segment; shared by eval.c, insn.c and call.c.
 *
 * Blocks are evaluated in reverse postorder, each once, after all that lead to it: arrivals at a block are
 * merged, phis and memories by case distinction. An edge back to a block that came before ends the segment at
 * a cut point; so does a loop that is entered, unless its number of iterations turns out to be a constant:
 * then it is unrolled. Calls are entered. */
#ifndef SHEAF_BACKWARD_EVAL_H
#define SHEAF_BACKWARD_EVAL_H

#include "backward/backward_int.h"

enum { GUARD_TRUE = 0, GUARD_DEAD = UINT32_MAX };

/* A path condition as a list: what holds at `up`, and `lit`. */
typedef struct Guard {
    uint32_t up, depth;
    Expr lit, all;
    uint32_t site;
} Guard;

/* Control, at some point of a frame. */
typedef struct State {
    uint32_t guard, mem;
} State;

typedef struct Arrival {
    State state;
    uint32_t from;
    const Expr *phis;
} Arrival;
typedef struct Return {
    State state;
    const Expr *values;
} Return;

typedef struct Frame {
    struct Frame *caller;
    uint32_t instance, index; /* of the function */
    const IrFn *fn;
    bool old; /* it was there when the segment began: registers that are not set are symbols */
    Expr *regs;
    Vec(Arrival) * arrivals; /* by block */
    Vec(Return) returns;
    const uint32_t *order, *position; /* blocks in reverse postorder, and back */
    uint32_t norder;
} Frame;

/* A loop that is being unrolled. */
typedef struct Unroll {
    struct Unroll *up;
    const Frame *frame;
    uint32_t loop;
    bool constant; /* in this iteration, whether to leave was decided by constants once */
} Unroll;

typedef struct Eval {
    Backward *bw;
    Arena *arena;          /* dies with the evaluation */
    uint32_t segment, cut; /* cut: at which it starts, IR_NONE: the entry */
    Vec(Guard) guards;
    Unroll *unroll;
    uint32_t steps, limit;
    uint32_t site; /* of the user's instruction under way */
    uint32_t depth;
} Eval;

static inline FlowList everything(void)
{
    static const uint32_t any[] = {FLOW_OBJECT_ANY};
    return (FlowList){any, 1};
}

static inline bool is_dead(State s) { return s.guard == GUARD_DEAD; }

/* eval.c */
State bw_state_and(Eval *ev, State s, Expr condition);
State bw_state_merge(Eval *ev, const State *s, uint32_t n, const Expr *const *values, uint32_t nvalues,
                     Expr *merged);
Expr bw_guard_all(Eval *ev, uint32_t guard);
void bw_end_target(Eval *ev, const Frame *f, uint32_t insn_block, uint32_t insn, State s, Expr condition,
                   BwTarget target);
void bw_escape(Eval *ev, const Frame *f, uint32_t block, uint32_t insn, State s, const char *why);
/* Control comes to the entry of an instance that has no caller, with these parameters. */
void bw_end_entry(Eval *ev, uint32_t instance, State s, const Expr *regs);
/* Runs the frame's function from its first block; control where it returns, and what it returns. */
State bw_frame_run(Eval *ev, Frame *f, State s, Expr *results);
Frame *bw_frame_new(Eval *ev, Frame *caller, uint32_t instance, bool old);
uint32_t bw_instance_of(Backward *bw, uint32_t parent, uint32_t block, uint32_t insn, uint32_t fn);
void bw_push_edge(Eval *ev, Frame *f, uint32_t from, uint32_t to, State s);
bool bw_in_loop(const IrFn *fn, uint32_t block, uint32_t loop);

/* insn.c */
Expr bw_reg_value(Eval *ev, Frame *f, uint32_t reg);
/* From an instruction on to the end of its block, whose edges are pushed. */
void bw_block_run(Eval *ev, Frame *f, uint32_t block, uint32_t insn, State s);
/* An access: what would be a fault is one; afterwards it is none. */
State bw_fault_check(Eval *ev, Frame *f, uint32_t block, uint32_t insn, State s, Expr bad, VmFaultKind kind);
State bw_access_check(Eval *ev, Frame *f, uint32_t block, uint32_t insn, State s, Expr address, Expr bytes,
                      bool write);
uint32_t bw_mem_store(Eval *ev, uint32_t mem, Expr address, Expr value, bool aligned);
uint32_t bw_mem_havoc(Eval *ev, uint32_t mem, FlowList objects);
uint32_t bw_mem_block(Eval *ev, uint32_t mem, BwMemKind kind, Expr to, Expr from, Expr bytes, uint32_t other);
/* instance: in whose frame it is, IR_NONE for none */
uint32_t bw_object_make(Eval *ev, uint32_t *mem, BwObjectKind kind, uint32_t flow, uint32_t instance,
                        Expr size, bool zeroed, const char *name);
/* Arrays of variable length and structures passed by value are gone when their frame is. `maybe`: a scope
 * ends, of some of them; which is not followed. */
uint32_t bw_mem_end_made(Eval *ev, const Frame *f, uint32_t mem, bool maybe);

/* entry.c */
void bw_entry_state(Eval *ev, Frame *f, State *s); /* arguments of the entry, and what runs before it */

/* call.c */
typedef struct Call {
    Frame *f;
    uint32_t block, insn, site;
    IrCall list;
    uint32_t fn; /* that is called */
    const char *name;
} Call;
Expr bw_argument(Eval *ev, const Call *c, uint32_t i, unsigned width);
void bw_set_result(Eval *ev, const Call *c, Expr value); /* EXPR_NONE: it may be anything */
const IrGlobal *
bw_text_of(Eval *ev, const Call *c,
           uint32_t i); /* the argument, if it is a text that the program never changes; else NULL */
FlowList bw_written(Eval *ev,
                    const Call *c); /* objects that the call may write, or whose state it may change */
State bw_step_over(Eval *ev, const Call *c, State s, const char *why);

/* summary.c */
State bw_summary_call(Eval *ev, const Call *c, State s, uint32_t summary);

/* string.c */
bool bw_run_string(
    Eval *ev, const Call *c,
    State *s); /* a function of strings that are behind pointers of the entry; false: it is none */

/* input.c */
State bw_run_symbolic(Eval *ev, const Call *c, State s);
State bw_run_getchar(Eval *ev, const Call *c, State s);
State bw_run_getc(Eval *ev, const Call *c, State s);
State bw_run_fgets(Eval *ev, const Call *c, State s);

State bw_call_run(Eval *ev, Frame *f, uint32_t block, uint32_t insn, State s);

#endif
