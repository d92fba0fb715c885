/* run.h - a plain interpreter of the IR that tells an observer everything: the witness against which the
 * static analysis is held. It shares no code with the machine, keeps no symbols, and knows just enough of the
 * primitives to get along. */
#ifndef SHEAF_TESTS_FLOW_RUN_H
#define SHEAF_TESTS_FLOW_RUN_H

#include "flow/flow.h"

typedef struct RunObject {
    uint64_t base, size;
    uint8_t *data;   /* NULL: a function */
    uint32_t object; /* what the static analysis calls it */
    uint32_t fn;     /* of a function: its index */
    uint64_t frame;  /* of a stack object: the frame's number; else 0 */
    bool alive, constant;
} RunObject;

typedef struct RunFrame {
    uint32_t fn, block, insn, from; /* from: the block that control came from */
    uint64_t number;
    u128 *regs;
    U32Vec allocas;   /* objects */
    uint32_t varargs; /* object or IR_NONE */
    void *mine;       /* the observer's */
} RunFrame;

typedef struct RunLanding {
    uint64_t token, frame;
    uint32_t block, insn, from;
} RunLanding; /* of a setjmp */
typedef enum RunEnd { RUN_RETURN, RUN_EXIT, RUN_FAULT, RUN_LIMIT } RunEnd;

typedef struct Run Run;
typedef struct RunObserver {
    void *context;
    void (*enter)(void *context, Run *run);              /* a frame was made: the last one */
    void (*leave)(void *context, Run *run, bool jumped); /* the last frame ends: by return, or by longjmp */
    void (*block)(void *context, Run *run);              /* control enters the last frame's block */
    void (*branch)(void *context, Run *run, uint32_t side);
    void (*call)(void *context, Run *run, uint32_t callee);
    /* The instruction under way touches n bytes of an object through register reg (IR_NONE: a primitive
     * does). */
    void (*access)(void *context, Run *run, uint32_t reg, uint32_t object, uint64_t offset, uint64_t n,
                   bool write);
    void (*state)(void *context, Run *run, uint32_t object); /* an object is made or dies */
    void (*value)(void *context, Run *run, uint32_t reg,
                  uint32_t object); /* a pointer into the object is stored */
    void (*end)(void *context, Run *run, RunEnd how);
} RunObserver;

struct Run {
    const IrProgram *program;
    Flow *flow;
    RunObserver observer;
    Vec(RunFrame) frames;
    Vec(RunObject) objects; /* ascending addresses */
    uint32_t *global_objects, *fn_objects;
    uint64_t next, numbers, steps, max_steps, memory;
    Rng rng;
    uint32_t input_left; /* bytes of standard input */
    bool over;
    RunEnd how;
    Vec(RunLanding) landings;
};

/* Runs the program from its start with these arguments (argv[0] first) and random inputs. */
void run_program(Run *run, int argc, const char *const *argv, uint64_t seed);
/* The object whose bytes, or end, the address is; IR_NONE if none. */
uint32_t run_find(const Run *run, uint64_t address);

#endif
