/* diff.h - the part of report.h for what a change changes. report.h includes it at its end. */
#ifndef SHEAF_REPORT_DIFF_H
#define SHEAF_REPORT_DIFF_H

#include "versions/versions.h"

/* A test of the user's suite on both versions. */
typedef struct ReportDiffTest {
    const char *path;
    bool runs_changed;      /* a line of which code changed, in OLD or in NEW */
    const char *difference; /* what it shows, as one line; NULL: the same */
    const char *why;        /* it could not be run on both; NULL: it could */
} ReportDiffTest;
typedef Vec(ReportDiffTest) ReportDiffTests;

typedef struct ReportDiff {
    const Diff *diff;
    const char *name[2]; /* of the versions, as the user says them */
    StrVec notes;        /* what "same" would not mean: lines not compiled, other flags */
    bool verbose;
    bool suite; /* the user has one: */
    ReportDiffTests tests;
    bool emits;      /* tests are written as C, too: */
    unsigned pinned; /* the version whose behaviour they expect */
    StrVec emitted;  /* paths */
} ReportDiff;

void report_diff_text(const ReportDiff *r, Str *out);
void report_diff_markdown(const ReportDiff *r, Str *out);  /* for a pull request: a table, details folded */
void report_diff_json(const ReportDiff *r, JsonOut *json); /* members of an object that the caller opened */
void report_diff_sarif(const ReportDiff *r, const char *version, Str *out);
/* Identifies a finding, for a list of accepted ones: stays the same while neither function nor
 * difference change. */
void report_diff_key(const Diff *d, const DiffFn *f, const DiffFinding *g, Str *out);

#endif
