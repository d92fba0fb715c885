/* require.h - the part of report.h for requirements; report.h includes it at its end: what `sheaf require`
 * answers, as text, JSON, a C function and an assertion. */
#ifndef SHEAF_REPORT_REQUIRE_H
#define SHEAF_REPORT_REQUIRE_H

#include "backward/backward.h"

/* An input on which a failure happens. */
typedef struct RequireInput {
    const char *test;  /* path of the test, or NULL: there is none, or it was not written */
    const char *input; /* as people read it, several lines; NULL: none was found */
    const char *why;   /* there is none; or more about the native run; may be NULL */
    ReportVerdict native;
} RequireInput;

typedef struct RequireReport {
    const IrProgram *program;
    Backward *backward;
    const BackwardRequirement *result;
    const char *entry; /* as the user calls it */
    uint32_t fn;
    const char *under; /* what is taken for granted: "FILE holds"; may be NULL */
    const Ledger *ledger;
    const RequireInput *inputs; /* one for each failure; NULL: none were looked for */
} RequireReport;

/* One line for each fault: condition, fault, place. First what is sure, then what may be. */
void report_require_text(const RequireReport *r, Str *out);
/* Members of an object that the caller opened. */
void report_require_json(const RequireReport *r, JsonOut *json);

/* In a comment of the two below: a condition was too long to be printed; true stands for it, or false where
 * it says when the function surely fails. */
#define REPORT_REQUIRE_CUT ": too long to print"
/* bool ENTRY_fails(parameters). `least`: where the answer is not exact, when it surely fails; else when it
 * may. `parameters`: as the program declares them. */
void report_require_c(const RequireReport *r, const char *parameters, bool least, Str *out);
/* The assertion for the first line of the function: true unless it may fail. */
void report_require_guard(const RequireReport *r, Str *out);
/* The parameters of the entry as its source declares them: "struct ring *r, int v"; without it as their types
 * are known. In the arena. */
const char *report_require_parameters(const RequireReport *r, Arena *arena);

#endif
