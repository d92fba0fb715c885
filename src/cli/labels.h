/* labels.h - one run with labels, for commands that show it. */
#ifndef SHEAF_CLI_LABELS_H
#define SHEAF_CLI_LABELS_H

#include "flow/flow.h"
#include "vm/vm.h"

typedef struct LabelRunOptions {
    VmOptions vm;
    uint32_t loop_bound;    /* iterations of a loop that depends on input; 0: any number */
    const char *entry;      /* NULL: main */
    uint32_t stdin_size;    /* bytes of symbolic standard input */
    unsigned policy;        /* FLOW_TIE_... */
    StrVec values;          /* NAME=NUMBER: inputs that are not zero */
    const void *stdin_data; /* stdin_size bytes that standard input has in this run; NULL: zeros */
    IrSite at;              /* line to be explained; line 0: none */
} LabelRunOptions;

typedef struct LabelRun {
    Flow *flow;
    ExprPool *pool;
    Ledger *ledger;
    Vm *vm;
    ExprInput input;
    VmTrace *trace;
} LabelRun;

/* The n-th place that FILE:LINE means: the file as in ir_site_is_at, so there may be several. False if there
 * are no more; dies on what is no FILE:LINE. */
bool label_run_place(const IrProgram *program, const char *text, uint32_t n, IrSite *at);

/* The program and environment must outlive it. Dies on an input that the run does not have. */
LabelRun *label_run(const IrProgram *program, const LabelRunOptions *options,
                    const VmEnvironment *environment);
void label_run_free(LabelRun *run);
/* A line for each decision: position, kind, site, condition, label; then outputs, ending, status with
 * theirs. */
void label_run_print(const LabelRun *run, const IrProgram *program, Str *out);

/* The lines on which the value computed at options->at depends, where it was last computed: false if it never
 * was. Decisions are exact (the value's label); of the other statements those that ran and are in the static
 * slice of the line. */
bool label_run_explain(const LabelRun *run, const IrProgram *program, const LabelRunOptions *options,
                       Str *out);
/* Why it never was. */
void label_run_missed(const LabelRun *run, const IrProgram *program, const LabelRunOptions *options,
                      Str *out);

#endif
