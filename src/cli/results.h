/* results.h - private to cli: where the tests and results of an exploration go.
 *
 * Today that is a directory of files (suite_dir_...); commands know only this interface. A file that cannot
 * be written is reported once, and the exploration goes on. */
#ifndef SHEAF_CLI_RESULTS_H
#define SHEAF_CLI_RESULTS_H

#include "suite/suite.h"

typedef struct Results Results;

/* Dies if the place cannot be used: it holds other results and `force` is not given, another run is writing
 * there, nothing can be written. From then on it says that the command's run is unfinished. The program must
 * outlive it. */
Results *results_open(const char *directory, const SuiteProgram *program, unsigned emit, bool force,
                      const char *command);
/* Writes the test and sets its path. False: it could not be written, and nothing is from then on. */
bool results_add(Results *r, SuiteTest *test);
/* A further file of the directory. False as above. */
bool results_file(Results *r, const char *name, const Str *text);
/* Tests of an entry as C (SUITE_EMIT_C) check what this saw of them on the native program. It must be there
 * until results_finish. */
void results_observe(Results *r, SuiteReplay *observer);
/* The answer and, unless NULL, statistics, as JSON; the run is finished. */
void results_finish(Results *r, const Str *answer, const Str *stats);
/* What kept files from being written, one line; NULL: nothing did. */
const char *results_failure(const Results *r);
void results_free(Results *r); /* NULL is allowed */

#endif
