/* signature_int.h - private to report: what the files about signatures share. */
#ifndef SHEAF_REPORT_SIGNATURE_INT_H
#define SHEAF_REPORT_SIGNATURE_INT_H

#include "report/report.h"

/* How a run ended that failed: what, where. */
void report_end(const ReportRows *r, const SignatureEnd *end, Str *out);
/* Bytes as C writes them between quotes; in_format: for printf. */
void report_literal(const char *text, uint32_t n, bool in_format, Str *out);
/* `n` neighbouring bytes of an input from this one on: s[2..5], or x if that is all of it. */
void report_bytes(const ExprPool *p, Expr first, uint32_t n, Str *out);
/* What an output is by the places that C names: "b->len = b->len + 1, b->w = 0.5" of what an entry may write,
 * else one value or "{.len = 2, .w = 0.5}". Nothing if nothing changed. */
void report_fields(const ReportRows *r, uint32_t row, const SignatureOutput *o, Str *out);

enum {
    VALUE_LIMIT = 400, /* characters of one value */
    TEXT_SHOWN = 160,  /* bytes of literal text */
    PARTS_SHOWN = 24   /* values of one output */
};

/* For the module itself and its tests. */
/* A conjunction as C: "3 <= n && n <= 7"; "always" if it has no conjunct; of a long one the rest is
 * counted. */
void report_condition(ExprPool *p, const ExprVec *condition, Str *out);
/* "out = x + 1, exit 2"; of a row that failed, how. */
void report_outputs(const ReportRows *r, uint32_t row, Str *out);
/* A line for each entry: "  lex.c:40:3: a loop was stopped...", indented. Long lists are cut, unless `all`,
 * and say so. */
void report_ledger_text(const Ledger *ledger, const IrProgram *program, const char *indent, bool all,
                        Str *out);

#endif
