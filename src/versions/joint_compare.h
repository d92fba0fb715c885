/* joint_compare.h - private to versions: what two runs of one input show, compared as expressions.
 *
 * joint_compare.c has the verdict; joint_memory.c compares memory and results, joint_text.c what was printed;
 * joint_describe.c says it for people, joint_class.c in which way a row differs. */
#ifndef SHEAF_VERSIONS_JOINT_COMPARE_H
#define SHEAF_VERSIONS_JOINT_COMPARE_H

#include "versions/joint_int.h"

/* One way in which an output may differ: exactly where the condition holds. */
typedef struct Difference {
    const char *output; /* its name */
    Expr condition;
    Expr word[2]; /* by version: the words that differ; EXPR_NONE: it is not about words */
} Difference;

/* The comparison of one row. */
typedef struct Comparison {
    Joint *j;
    JointRow *row;
    SignatureRow shown[2]; /* by version: what the runs show */
    const VmTrace *const *trace;
    Vec(Difference) differences; /* none: the outputs are the same expressions */
    const char *open;            /* what cannot be compared; NULL: all can */
    Expr hidden;                 /* where variables of libc's differ that no native run shows */
    const char *hidden_in;       /* one of them; NULL: there is none */
    bool surely;                 /* they differ for the row's input, whatever the solver says */
} Comparison;

/* An output of a run by its name, or NULL. */
const SignatureOutput *joint_output_find(const SignatureRow *shown, const char *name);
/* Adds a difference; the caller may fill in words. */
Difference *joint_difference_add(Comparison *c, const char *name, Expr condition);

/* joint_memory.c: an output that is memory or a result; o: by version, NULL: that version does not show it.
 */
void joint_compare_memory(Comparison *c, const char *name, const SignatureOutput *const o[2]);
/* Its bytes; adds to out. */
void joint_output_bytes(ExprPool *p, const SignatureOutput *o, ExprVec *out);

/* joint_text.c: an output that is text. */
void joint_compare_text(Comparison *c, const char *name, const SignatureOutput *const o[2]);
/* The text as it comes out for the input of the evaluation; adds to out. o may be NULL. */
void joint_text_render(ExprEval *ev, const SignatureOutput *o, Str *out);
/* Does it come out differently? */
bool joint_text_differs(ExprEval *ev, const SignatureOutput *const o[2]);

/* joint_describe.c: fills in the row's changes, for the row's input. */
void joint_describe(Comparison *c);
void joint_describe_ending(Comparison *c);

/* Has the row an input that satisfies these conditions as well? The query is the row's condition and them. */
SolverStatus joint_row_ask(const Comparison *c, const Expr *conditions, uint32_t n, SolverAnswer *answer);

/* Where some output differs; everywhere if there is no difference but in how the runs end. */
Expr joint_some_differs(const Comparison *c);

/* joint_class.c: in which way the outputs of a row differ. */
JointClass joint_classify(const Comparison *c);

#endif
