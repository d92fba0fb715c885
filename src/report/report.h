/* report.h - results as people and tools read them: text, JSON, SARIF.
 *
 * First the answer, then how sure it is, then where to look. Nothing here decides anything: a Report is
 * filled by a command and printed in one of three forms. */
#ifndef SHEAF_REPORT_H
#define SHEAF_REPORT_H

#include "vm/vm.h"

typedef enum ReportVerdict {
    REPORT_NOT_REPLAYED,
    REPORT_CONFIRMED,    /* the native program fails alike */
    REPORT_NOT_CONFIRMED /* it does not: a bug of ours, or undefined behaviour that does not show */
} ReportVerdict;

typedef struct ReportFault {
    VmFaultKind kind;
    uint32_t site;
    const char *fn;    /* explore_function */
    const char *maker; /* explore_maker: not the entry failed but what made an argument for it; else NULL */
    const char *message;
    const char *test;  /* path of the test that shows it, or NULL: then */
    const char *input; /* the input as people read it, several lines, or NULL */
    ReportVerdict verdict;
    const char *witness; /* who confirmed it, or why not; may be NULL */
    uint32_t replays;    /* tests that were replayed for it */
    uint64_t count;      /* runs that ended with it */
    uint64_t tried;      /* ExploreRun.rank of the run that was replayed when it was found; 0: none */
    Vec(VmFrameInfo) stack;
} ReportFault;

/* A fault that a caller of the entry avoids by what he passes (VmResult.need): a part of the function's
 * contract, no fault. */
typedef struct ReportNeed {
    const char *text; /* "text != NULL" */
    VmFaultKind kind; /* what happens otherwise, and where */
    uint32_t site;
    const char *fn, *message;
    const char
        *maker;     /* the need is that of a call that makes an argument: such runs are left out; else NULL */
    uint64_t count; /* runs that ended so */
} ReportNeed;
typedef Vec(ReportNeed) ReportNeedVec;

/* An answer that is no fault: a place that was reached, that cannot be, of which nothing is known. For
 * SARIF. */
typedef struct ReportNote {
    const char *rule, *level; /* "unreachable"; "note", "warning" */
    const char *text;
    uint32_t site;
} ReportNote;

typedef struct Report {
    const char *command; /* "test" */
    const IrProgram *program;
    Arena *arena; /* of the strings */
    Vec(ReportFault) faults;
    ReportNeedVec needs;
    Vec(ReportNote) notes;
    uint64_t paths, tests, runs; /* distinct paths, as many of them as were kept as tests; runs made */
    VmCoverage coverage;
    const Ledger *ledger;
    bool no_input;       /* nothing is symbolic: there is one run */
    bool faults_sought;  /* every fault was looked for, */
    bool faults_done;    /* and found, though the ledger may have entries */
    bool faults_skipped; /* an answer about faults is expected, but only those were found that came along */
    const char *scope;   /* if so: what the answer is complete for; NULL: what the program outputs */
    bool verbose;        /* the ledger in full length */
    const char *unfinished; /* of the shape (ledger_shapes_text): the bound beyond it that was not finished,
                               and why; NULL: none was begun */
    const char *directory;  /* of the results */
    double seconds;
} Report;

void report_init(Report *r, const char *command, const IrProgram *program, const Ledger *ledger);
void report_free(Report *r);

/* The fault of this kind, site and function, counted once more; *fresh says if it is new. The pointer is
 * short-lived. */
ReportFault *report_fault(Report *r, const VmResult *result, bool *fresh);

/* The fault as this run shows it, where others may say something else: message, function, stack. */
void report_fault_describe(Report *r, ReportFault *fault, const VmResult *result);

/* A run that ended with a fault that is the caller's to avoid. */
void report_need(Report *r, const VmResult *result);
/* When all runs are in: that two pointers are separate is no need where runs fail alike in which they are. */
void report_needs_settle(Report *r);
/* Another exploration, of larger shapes, begins and ends. If it was complete, what it needs more of is what
 * counts: the smaller shapes needed more. */
ReportNeedVec report_needs_begin(Report *r);
void report_needs_end(Report *r, ReportNeedVec *before, bool complete);

/* 1 if something was found, else 3 if the ledger has entries or faults were not looked for, else 0. */
int report_status(const Report *r);

void report_faults_text(const Report *r, Str *out); /* part of report_text */
extern const char report_faults_skipped[];          /* one line that says so */

void report_text(const Report *r, Str *out);
void report_site_json(const IrProgram *p, uint32_t site,
                      JsonOut *json); /* file, line, column; nothing for IR_NONE */
void report_assumed_json(const Ledger *ledger,
                         JsonOut *json); /* lists "assumed" and "complete_for", if there are shapes */
void report_faults_json(const Report *r, JsonOut *json); /* a list "faults" */
void report_json(const Report *r, JsonOut *json);        /* members of an object that the caller opened */
void report_sarif(const Report *r, const char *version, Str *out);

#include "report/require.h"
#include "report/signature.h"
#include "report/diff.h"

#endif
