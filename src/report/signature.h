/* signature.h - the part of report.h for signatures: what the output is, when. report.h includes it at its
 * end. */
#ifndef SHEAF_REPORT_SIGNATURE_H
#define SHEAF_REPORT_SIGNATURE_H

#include "explore/explore.h"

/* A row, or a way to fail, as it is shown. */
typedef struct ReportRow {
    ExprVec condition; /* simplified */
    uint32_t shown;    /* the row of the signature whose outputs, input and ending are shown */
    U32Vec of;         /* all rows of the signature that it stands for, ascending */
    ExprSubst *facts;  /* what its condition says, for what it shows */
} ReportRow;

/* A signature with conditions that people read. */
typedef struct ReportRows {
    Explore *explore;
    const IrProgram *program;
    const Signature *signature;
    Vec(ReportRow) rows, failures;
    ExprVec aliases; /* conditions by which pointers lead to each other's objects */
    ExprVec given;
    uint32_t objects;      /* of the input: the simplifier makes others */
    const char *criterion; /* what is observed, if it is one of several; NULL: all */
    bool verbose;          /* ledgers in full length */
    Explore *failing;      /* an exploration that looked for all ways to fail; NULL: none did */
} ReportRows;

/* Simplifies all conditions with the solver of the exploration, which must outlive the rows. Rows with the
 * same output, and ways to fail at one place, are one with their conditions united, unless `all` are asked
 * for. */
void report_rows_init(ReportRows *r, Explore *x, bool all);
void report_rows_free(ReportRows *r);

void report_rows_text(const ReportRows *r, Str *out);
void report_rows_json(const ReportRows *r, JsonOut *json); /* members of an object that the caller opened */

#endif
