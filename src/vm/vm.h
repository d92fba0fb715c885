/* vm.h - the machine that runs a program of ours: memory, frames, the step loop, faults, libc's primitives,
 * files.
 *
 * The program under test is hostile: whatever it does ends as a VmResult, never as a crash of ours, and
 * nothing of the host is touched except the standard streams and files that VmEnvironment hands over. */
#ifndef SHEAF_VM_H
#define SHEAF_VM_H

#include "ir/ir.h"
#include "vm/ledger.h"

typedef enum VmFaultKind {
#define FAULT(NAME, suffix, message, cwe, check) VM_FAULT_##NAME,
#include "vm/fault.def"
#undef FAULT
    VM_FAULT_COUNT
} VmFaultKind;

const char *vm_fault_suffix(VmFaultKind kind);
const char *vm_fault_message(VmFaultKind kind);
unsigned vm_fault_cwe(VmFaultKind kind);
/* Sets the bit of every fault kind that `word` of --check turns on ("all": every one); false if it names
 * none. */
bool vm_check_by_word(const char *word, uint64_t *checks);

/* How a run ended. Only a fault is a fault; unsupported, external and limit make a result incomplete. */
typedef enum VmEnding {
    VM_END_RETURN, /* from the entry function */
    VM_END_EXIT,
    VM_END_FAULT,
    VM_END_ASSUMPTION, /* an assumption did not hold */
    VM_END_UNSUPPORTED,
    VM_END_EXTERNAL,
    VM_END_LIMIT,
    VM_END_INTERRUPTED
} VmEnding;

typedef enum VmExternal { VM_EXTERNAL_NONE, VM_EXTERNAL_PURE, VM_EXTERNAL_ALL } VmExternal;

typedef struct VmOptions {
    uint64_t checks;     /* bit for each VmFaultKind that is optional and on */
    uint64_t max_steps;  /* instructions; 0: no limit */
    uint64_t max_memory; /* bytes of modelled memory; 0: default of 2 GiB */
    uint32_t max_frames; /* 0: default */
    uint64_t max_stack;  /* bytes of stack objects alive; 0: default of 8 MiB, as natively */
    VmExternal external;
    const volatile bool *interrupt; /* looked at now and then; may be NULL */
} VmOptions;

/* A file that the program can see. */
typedef struct VmFile {
    const char *name; /* as the program opens it */
    const void *data;
    size_t size;
    bool writable;
} VmFile;

typedef struct VmEnvironment {
    int argc;
    const char *const *argv; /* argv[0] included */
    const char *const *envp; /* NULL-terminated, or NULL: empty */
    int stdin_fd;            /* host descriptor read lazily; -1: empty input (or stdin_data) */
    const void *stdin_data;  /* if stdin_fd is -1 */
    size_t stdin_size;
    int stdout_fd, stderr_fd; /* host descriptors written through; -1: kept only in the machine */
    Vec(VmFile) files;
} VmEnvironment;

typedef struct VmFrameInfo {
    uint32_t fn, site; /* IR function, and the site of the instruction under way in it */
} VmFrameInfo;

#define VM_NEED_MORE     " of more than " /* in a need: an object ends where its shape does */
#define VM_NEED_MEMBERS  " with members that fit together" /* the same: what a structure holds led there */
#define VM_NEED_SEPARATE " separate from " /* in a need: two pointers were the same (VmInputs.aliases) */

typedef struct VmResult {
    VmEnding ending;
    int status; /* of return and exit */
    VmFaultKind fault;
    LedgerKind limit;       /* of VM_END_LIMIT: which one */
    uint32_t site;          /* where it ended, in the user's code if possible */
    Vec(VmFrameInfo) stack; /* innermost first; bounded */
    char
        message[256]; /* detail: "4 bytes past `buf` (16 bytes, line 3)", name of the external, which limit */
    char need[160]; /* of a fault that a caller can avoid: what he must pass; "": it is the function's own */
    uint64_t steps; /* instructions executed */
    uint64_t peak_memory;
} VmResult;

/* Does the machine call this undefined function, although it is asked for pure ones only? Or is it
 * its own? */
bool vm_external_is_known(const char *name);

typedef struct Vm Vm;
/* A run still under way at this moment of clock_seconds ends at a limit (LEDGER_TIME); 0: none. */
void vm_deadline(Vm *vm, double moment);
/* Runs end after so many instructions from now on; 0: no limit. */
void vm_step_limit(Vm *vm, uint64_t steps);
/* The program must outlive the machine; functions are prepared on first call. */
Vm *vm_new(const IrProgram *program, const VmOptions *options);
void vm_free(Vm *vm);
/* Runs from the entry ("main" through the runtime's start-up) to an ending. A machine can run many times,
 * each from a fresh state. The result's stack belongs to the machine until the next run. */
VmResult vm_run(Vm *vm, const VmEnvironment *environment);

/* Calls a function of at most VM_ABSTRACT_ARGS arguments and one result on words, from a fresh state; the
 * result counts if it returned. On a machine that is not in symbolic mode. */
VmEnding vm_evaluate(Vm *vm, const VmEnvironment *environment, uint32_t fn, const u128 *arguments,
                     u128 *result);

/* ---- a look at a run under way --------------------------------------------------------------- */

/* The head of a block, its phis done, or its end, all but its branch done. */
typedef struct VmBlock {
    uint32_t fn, block;
    bool end;
} VmBlock;
typedef Vec(VmBlock) VmBlocks;
typedef void (*VmObserver)(void *context, Vm *vm, VmBlock at);
/* In runs from now on the observer is called whenever control comes to one of these. Each register then keeps
 * what it was set to last. No blocks: there are no more calls. Between runs, in symbolic mode; functions are
 * prepared again. */
void vm_observe(Vm *vm, const VmBlock *blocks, uint32_t n, VmObserver observer, void *context);

/* The rest is for the observer, during its call. Frames are counted from the innermost, 0. */
typedef struct VmViewFrame {
    uint32_t fn;
    uint32_t block, insn; /* of the call in the frame above it; IR_NONE: none of the program's */
} VmViewFrame;
bool vm_view_frame(const Vm *vm, uint32_t up, VmViewFrame *out); /* false: there are not so many */
bool vm_view_register(const Vm *vm, uint32_t up, uint32_t reg,
                      u128 *value); /* false: it has none. What was never set is anything */
typedef enum VmViewKind { VM_VIEW_GLOBAL, VM_VIEW_HEAP, VM_VIEW_STACK, VM_VIEW_FN } VmViewKind;
typedef struct VmViewObject {
    VmViewKind kind;
    uint32_t index; /* of the global or function */
    uint64_t base, size;
    bool alive, constant;
} VmViewObject;
bool vm_view_object(const Vm *vm, uint64_t address,
                    VmViewObject *out); /* in which the address lies, or nearly; false: none */
bool vm_view_read(const Vm *vm, uint64_t address, unsigned bytes,
                  u128 *value); /* false: not all of them are bytes of one live object */
uint64_t vm_view_global(const Vm *vm, uint32_t global); /* addresses */
uint64_t vm_view_fn(const Vm *vm, uint32_t fn);

#include "vm/symbolic.h"

#endif
