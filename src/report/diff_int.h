/* diff_int.h - private to report: what the forms of a diff share. */
#ifndef SHEAF_REPORT_DIFF_INT_H
#define SHEAF_REPORT_DIFF_INT_H

#include "report/report.h"

const char *diff_kind_word(DiffKind kind);
const char *diff_output_text(const char *name); /* "what it returns" */
void diff_title(const Diff *d, const DiffFn *f, const DiffFinding *g, Str *out);
void diff_head(const ReportDiff *r, Str *out); /* how much changed */
void diff_summary(const Diff *d, Str *out);    /* "1 new fault, 2 differences" */

/* SARIF up to the tool's version; the driver, the tool, the run, the list of runs and the whole stay open. */
void report_sarif_begin(const char *version, JsonOut *json);

#endif
