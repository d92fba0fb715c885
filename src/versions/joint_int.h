/* joint_int.h - private to versions: what the files of the joint partition share. */
#ifndef SHEAF_VERSIONS_JOINT_INT_H
#define SHEAF_VERSIONS_JOINT_INT_H

#include "versions/versions.h"

struct JointWork {
    ExploreJoint hooks; /* what the explorer calls */
    double until;
    Vec(VmInputExtent) sizes; /* of objects behind pointers, the largest that a run had */
    uint32_t restarts;
    bool restart;                      /* it must begin anew, with these sizes */
    Vm *checker[2];                    /* by version: of joint_initialised.c; NULL: not needed yet */
    Ledger *checker_ledger[2];         /* of what those give up, which is not reported */
    VmAbstract *abstract[2];           /* by version: the options', for the machines */
    struct JointEvaluator *evaluators; /* of these */
    Vm *scratch;                       /* OLD's, on which they evaluate; NULL: nothing is abstracted */
};

/* joint_abstract.c: gives the machines what they do not enter; before they are made. */
void joint_abstract_begin(Joint *j);
void joint_abstract_deadline(Joint *j, double until);
void joint_abstract_free(Joint *j);
/* Of an input that satisfies the conditions: is every application in them evaluated on it? If not, finds
 * another input whose applications have small arguments; false: there is none. */
bool joint_abstract_settle(Joint *j, const ExprVec *conditions, ExprInput *input);
/* Notes whose applications a question is about that was not answered. */
void joint_abstract_blame(Joint *j, const ExprVec *query);

/* joint_compare.c: fills in the row's verdict, how the runs end, and what differs. */
void joint_compare(Joint *j, JointRow *row, const VmTrace *const trace[2]);
/* joint.c: within the bounds of the comparison. */
SolverStatus joint_ask(Joint *j, const ExprVec *query, const ExprInput *hint, SolverAnswer *answer);
void joint_row_free(JointRow *row);
VmSymbolicOptions joint_symbolic_options(const Joint *j, unsigned version);

/* joint_sizes.c: have the objects behind pointers the same sizes in both runs, and in all before? Notes them.
 */
bool joint_sizes_agree(Joint *j, const VmTrace *const trace[2]);
void joint_sizes_tell(Joint *j, VmInputs *inputs); /* the next machines make them as large as is noted */

/* joint_initialised.c: of a row that is the same: why it is open nevertheless; NULL: it is not. */
const char *joint_initialised(Joint *j, JointRow *row);
void joint_initialised_begin(Joint *j, unsigned version); /* anew, with the pool */
void joint_initialised_free(Joint *j);
/* joint_padding.c: has this byte of an output no value in C? */
bool joint_is_padding(const Joint *j, const VmTrace *const trace[2], const char *name, uint32_t byte);
/* joint_parts.c: a name for the place where the runs of a pair part; 0: they do not. */
uint64_t joint_parts(const Joint *j, const ExplorePair *pair);
/* joint_describe.c: bytes as C writes them between quotes, at most so many. */
void joint_quote(const char *text, uint32_t n, uint32_t most, Str *out);

#endif
