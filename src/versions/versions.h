/* versions.h - two versions of a program, OLD and NEW: what corresponds to what, what changed, and what that
 * changes.
 *
 * Pairing works on the IR: functions by name, then by equal code (renames), then by likeness; instructions of
 * a pair by their longest common subsequence; globals by name and by content. What corresponds gets OLD's tag
 * in NEW (ir.h), so that machines name decisions, inputs and objects of both versions alike. No verdict
 * follows from the pairing of instructions, except that code which is identical behaves identically. */
#ifndef SHEAF_VERSIONS_H
#define SHEAF_VERSIONS_H

#include "flow/flow.h"

enum { VERSIONS_OLD, VERSIONS_NEW };

typedef struct Versions Versions;

/* A function of one of the versions, or of both. */
typedef struct VersionsFn {
    uint32_t fn[2]; /* by version; IR_NONE: it has none */
    bool identical; /* the same code but for names, sites and lines of assertions; what it calls or names as
                       a global is paired, and initial values are the same */
    bool renamed;
    bool outlined;      /* ours: a loop that became a function (versions_outline) */
    bool shape;         /* parameters and results have the same widths: both can be called alike */
    const char *layout; /* a parameter whose C type has another layout in NEW, or "its result"; NULL: none */
    uint32_t insns[2], changed[2]; /* instructions; those of them that changed */
} VersionsFn;

typedef struct VersionsGlobal {
    uint32_t global[2];
    bool identical; /* size, initial value, constant or not */
    bool literal;   /* constant and without a name that others see: its content identifies it */
} VersionsGlobal;

struct Versions {
    IrProgram *program[2];       /* the caller's */
    Vec(VersionsFn) fns;         /* the user's that are defined: those of NEW, then those of OLD alone */
    U32Vec fn_of[2];             /* by version and function: its place in fns, IR_NONE: not the user's */
    Vec(VersionsGlobal) globals; /* the user's */
    Vec(FlowSite) changed[2]; /* instructions without a partner that does the same with the same operands */
    Map partner[2];           /* versions_partner */
    bool identical;           /* everything is */
};

/* Rules that a test can leave out, to see that it finds the difference. */
enum {
    VERSIONS_OFF_TAGS = 1,    /* NEW keeps its own tags */
    VERSIONS_OFF_LINES = 2,   /* lines of assertions count */
    VERSIONS_OFF_EFFECTS = 8, /* functions are abstracted whatever they read and write */
    VERSIONS_OFF_REFINE = 16, /* what abstraction leaves open is not refined */
    VERSIONS_OFF_OLD = 4      /* OLD's decisions are not varied, and no input outside all rows is searched */
};

/* Loops without stores that both versions have become functions of their own, so that comparisons need not
 * enter them: outline.c. Before the versions are paired. checks: VmOptions.checks. */
void versions_outline(IrProgram *old, IrProgram *new, uint64_t checks);

/* Pairs the two, gives OLD's tags to NEW and NEW's names of parameters to OLD. The programs stay the caller's
 * and must outlive it. */
Versions *versions_pair(IrProgram *old, IrProgram *new, unsigned rules_off);
void versions_free(Versions *v);

/* The instruction of the other version that corresponds to this one of `version`; false: none. */
bool versions_partner(const Versions *v, unsigned version, FlowSite at, FlowSite *out);

/* Pairs whose code is identical and which call only such, by name. Adds to out. */
void versions_unchanged(const Versions *v, BitSet *out);

/* Instructions of NEW that may depend on what changed: the forward slice of NEW's changed instructions, and
 * what corresponds to the slice of OLD's. In the order of the program. A site behind the last instruction of
 * a block stands for an assignment at its end, of which only a phi is left. Clears and fills out. */
typedef Vec(FlowSite) VersionsSites;
void versions_impact(const Versions *v, Flow *old, Flow *new, unsigned policy, VersionsSites *out);

/* The same as DiSE's paper has it: within the changed functions, forwards and then backwards, in no order. */
void versions_impact_local(const Versions *v, Flow *old, Flow *new, VersionsSites *out);

/* The changed functions as an annotated source diff: lines of OLD and NEW whose code changed, and lines of
 * NEW that may depend on them. `impact` may be NULL. */
void versions_print(const Versions *v, const VersionsSites *impact, Str *out);

#include "versions/diff.h"

#endif
