/* retrace.h - tests of a suite on the machine: what a test gives becomes the input of a symbolic run. */
#ifndef SHEAF_CLI_RETRACE_H
#define SHEAF_CLI_RETRACE_H

#include "explore/explore.h"
#include "suite/suite.h"

/* What the tests give is what is symbolic: arguments and data of a fuzz target. Options that say so already
 * win. */
void retrace_inputs(const SuiteTestVec *tests, const IrProgram *program, VmInputs *in);
/* Bytes of the test's standard input; 0 if it has none. In a fuzz target's test raw data is no such input. */
uint32_t retrace_stdin(const SuiteTest *t, const IrProgram *program);

/* The run of the test; it belongs to the caller: vm_trace_free. *why: what of the test the machine could not
 * be given, NULL if the run is the test's. The machine's standard input must have the size of the test's. */
VmTrace *retrace_test(Explore *x, const SuiteTest *t, const char **why);
/* The same on any machine; the input, empty at first, is the run's then. */
VmTrace *retrace_on(Vm *vm, ExprPool *pool, const SuiteTest *t, ExprInput *input, const char **why);

#endif
