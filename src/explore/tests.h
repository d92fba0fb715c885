/* tests.h - the part of explore.h about tests of a suite: a run becomes a test, and a test is run again on
 * the machine. explore.h includes it at its end. */
#ifndef SHEAF_EXPLORE_TESTS_H
#define SHEAF_EXPLORE_TESTS_H

#include "suite/suite.h"

/* ---- a run becomes a test: testcase.c -------------------------------------------------------- */

/* What all tests of an exploration have in common. What it points to must outlive the tests. */
typedef struct ExploreTests {
    const IrProgram *program;
    const VmEnvironment *environment;
    const SuiteProgram *suite;
    const char *hash; /* of the program: suite_program_hash */
} ExploreTests;

enum { EXPLORE_TEST_FILE_MOST = 64 << 10 }; /* bytes: larger concrete files are not copied into every test */

/* The test of a run: its input and how it ended. The caller frees it. */
SuiteTest *explore_test(const ExploreTests *all, const ExprPool *pool, const VmTrace *trace,
                        const ExprInput *input);
/* Is the site in the user's program, and not in a model of libc? */
bool explore_is_users(const IrProgram *program, uint32_t site);
/* The function in which the user will look: the innermost one that is not a model of libc; of a leak, the one
 * that allocated; "" if there is none. */
const char *explore_function(const IrProgram *program, const VmResult *result);

/* ---- an entry whose handles are made by a driver: handles.c ----------------------------------- */

/* The constructor or mutator in which the run ended; NULL: it was the entry itself, or there is no driver. */
const char *explore_maker(const IrProgram *program, const VmResult *result);
/* Inputs that are parameters of calls which the run did not make. */
void explore_unused_inputs(const IrProgram *program, const ExprPool *pool, const VmTrace *trace,
                           const ExprInput *input, BitSet *out);

/* ---- tests of a suite on the machine: retrace.c ---------------------------------------------- */

/* What the tests give is what is symbolic: arguments and data of a fuzz target. Options that say so already
 * win. */
void explore_retrace_inputs(const SuiteTestVec *tests, const IrProgram *program, VmInputs *in);
/* Bytes of the test's standard input; 0 if it has none. In a fuzz target's test raw data is no such input. */
uint32_t explore_retrace_stdin(const SuiteTest *t, const IrProgram *program);

/* The run of the test; it belongs to the caller: vm_trace_free. *why: what of the test the machine could not
 * be given, NULL if the run is the test's. The machine's standard input must have the size of the test's. */
VmTrace *explore_retrace(Explore *x, const SuiteTest *t, const char **why);
/* The same on any machine; the input, empty at first, is the run's then. */
VmTrace *explore_retrace_on(Vm *vm, ExprPool *pool, const SuiteTest *t, ExprInput *input, const char **why);

#endif
