/* signature.h - the part of report.h for signatures: what the output is, when. report.h includes it at its
 * end. */
#ifndef SHEAF_REPORT_SIGNATURE_H
#define SHEAF_REPORT_SIGNATURE_H

#include "explore/explore.h"

/* A signature with conditions that people read. */
typedef struct ReportRows {
    Explore *explore;
    const IrProgram *program;
    const Signature *signature;
    Vec(ExprVec) rows, failures; /* simplified conditions, of each */
    Vec(ExprSubst *) facts;      /* by row: what its condition says, for what it shows */
    ExprVec aliases;             /* conditions by which pointers lead to each other's objects */
    ExprVec given;
    const char *criterion; /* what is observed, if it is one of several; NULL: all */
    bool verbose;          /* ledgers in full length */
    Explore *failing;      /* an exploration that looked for all ways to fail; NULL: none did */
} ReportRows;

/* Simplifies all conditions with the solver of the exploration, which must outlive the rows. */
void report_rows_init(ReportRows *r, Explore *x);
void report_rows_free(ReportRows *r);

void report_rows_text(const ReportRows *r, Str *out);
void report_rows_json(const ReportRows *r, JsonOut *json); /* members of an object that the caller opened */

#endif
