/* callers.h - do the program's own calls of a function meet its needs and its shape (sheaf test --callers)?
 *
 * A need of F is a fault at a place that F's caller can avoid (VmResult.need). Each function of the program
 * that calls F is explored as an entry itself, main with the inputs that the options name. A run of it that
 * fails at that place, and in an activation of F that this call made, answers for the call. One that fails
 * elsewhere in such an activation, where F does not fail by itself, has arguments outside of F's shape. */
#ifndef SHEAF_CLI_CALLERS_H
#define SHEAF_CLI_CALLERS_H

#include "cli/exploring.h"
#include "cli/testcase.h"

typedef enum CallerVerdict {
    CALLER_OPEN,      /* the exploration was not complete; `text`: why */
    CALLER_HOLDS,     /* no run breaks it; `text`: for which calls of the caller, "" if for all */
    CALLER_PASSED_ON, /* the caller has it from its own caller: a need of its own, `text`; `open`: why there
                         may be more to it */
    CALLER_VIOLATED   /* a run breaks it: the caller's own fault */
} CallerVerdict;

enum { CALLER_SHAPE = UINT32_MAX };

/* Of one call and one need, or the shape. */
typedef struct CallerAnswer {
    uint32_t caller, site, block; /* function; place of the call */
    uint32_t need;                /* in the report's list, or CALLER_SHAPE */
    CallerVerdict verdict;
    const char *text, *open; /* open: "" if nothing is */
    bool unreached;          /* it holds since no run came to the call */
    VmFaultKind fault;       /* of a violation, and its place: */
    uint32_t at;
    const char *test; /* NULL: it could not be written */
    ReportVerdict native;
} CallerAnswer;

typedef struct Callers {
    const IrProgram *program;
    const VmEnvironment *environment;
    const ExploringSettings *settings;
    const OptionArgs *args;
    ExploreOptions options; /* those of the function's own exploration */
    const Report *report;   /* whose needs they are */
    TestMaker *maker;       /* tests go where its tests go */
    Arena *arena;           /* holds texts of answers */
    bool no_replay;
    uint32_t fn;  /* the function */
    double until; /* the moment when --max-time is up; 0: there is none */
    Vec(CallerAnswer) answers;
    bool by_pointer;   /* its address is taken: there may be calls that are not listed */
    uint32_t tests;    /* that were written */
    TestMaker callers; /* of the caller under way */
} Callers;

/* Requires: all above `fn` set, the rest zero. */
void callers_check(Callers *c);
void callers_text(const Callers *c, Str *out);
void callers_json(const Callers *c, JsonOut *json);
bool callers_violated(const Callers *c);
bool callers_open(const Callers *c); /* is an answer open? */
void callers_free(Callers *c);

#endif
