/* joint_int.h - private to versions: what the files of the joint partition share. */
#ifndef SHEAF_VERSIONS_JOINT_INT_H
#define SHEAF_VERSIONS_JOINT_INT_H

#include "versions/versions.h"

/* What an input must satisfy, sharing its beginnings; in the arena. */
typedef struct JointPath {
    const struct JointPath *parent;
    Expr condition;
} JointPath;

typedef struct JointTask {
    const JointPath *path;
    ExprInput *hint;  /* the parent's input, in JointWork.inputs; NULL: none */
    uint64_t because; /* name of the decision whose alternative it is; 0: none */
    uint32_t bound;   /* decisions of the joint order before it were expanded by an ancestor */
    uint32_t tries;
    bool again; /* decides anew at its bound */
    bool probe; /* of the check of completeness: `hint` is the input */
} JointTask;

struct JointWork {
    Vec(JointTask) tasks;
    uint32_t head; /* the first that is pending */
    Vec(ExprInput *) inputs;
    Map known; /* hash of a condition to 1: rows that are known */
    double until;
    VmAbstract *abstract[2];           /* by version: the options', for the machines */
    struct JointEvaluator *evaluators; /* of these */
    Vm *scratch;                       /* OLD's, on which they evaluate; NULL: nothing is abstracted */
};

/* joint_abstract.c: what the machines are told; before they are made. */
void joint_abstract_begin(Joint *j);
void joint_abstract_deadline(Joint *j, double until);
void joint_abstract_free(Joint *j);
/* Of an input that satisfies the conditions: is every application in them evaluated on it? If not, finds
 * another input whose applications have small arguments; false: there is none. */
bool joint_abstract_settle(Joint *j, const ExprVec *conditions, ExprInput *input);
/* Notes whose applications a question is about that was not answered. */
void joint_abstract_blame(Joint *j, const ExprVec *query);

/* joint_class.c: that no number of the run's input is NaN, one condition for each; clears and fills out. */
void joint_class_numbers(ExprPool *p, const VmTrace *trace, ExprVec *out);
/* Are two floats the same function of their inputs in exact arithmetic, without rounding? */
bool joint_class_exactly_same(ExprPool *p, Expr a, Expr b);

/* joint_compare.c: fills in the row's verdict, and what differs. */
void joint_compare(Joint *j, JointRow *row, SignatureRow shown[2], const VmTrace *const trace[2]);
/* joint.c */
SolverStatus joint_ask(Joint *j, const ExprVec *query, const ExprInput *hint, SolverAnswer *answer);
/* Bytes as C writes them between quotes. */
void joint_quote(const char *text, uint32_t n, uint32_t most, Str *out);

#endif
