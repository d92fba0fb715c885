/* results.h - private to cli: where the tests and results of an exploration go.
 *
 * That is a directory of files (suite_dir_...), and with a job a store beside them, which has all tests; some
 * of them become files. Commands know only this interface. What cannot be written is reported once, and the
 * exploration goes on. */
#ifndef SHEAF_CLI_RESULTS_H
#define SHEAF_CLI_RESULTS_H

#include "cli/reuse.h"
#include "store/store.h"

typedef struct Results Results;

typedef struct ResultsPlace {
    const char *directory;       /* must outlive the results */
    const SuiteProgram *program; /* must outlive the results */
    unsigned emit;               /* SUITE_EMIT_... */
    const char *command;
    const StoreJob *job; /* NULL: no store */
    bool force, resume;  /* of what is there: replace it, go on with it */
    bool fleet;          /* what is pending is a job in a database, and the directory cannot be resumed */
    uint64_t store_most; /* bytes of tests that are no more than paths; 0: no limit */
} ResultsPlace;

/* Dies if the place cannot be used: it holds other results and neither `force` nor `resume` is given, or
 * another job than the one to resume, another run is writing there, nothing can be written. From then on it
 * says that the command's run is unfinished. */
Results *results_open(const ResultsPlace *place);
/* Writes the test, gives it a number and sets its path. `covers`: what it covers; NULL: not known. False: it
 * could not be written, and nothing is from then on. */
bool results_add(Results *r, SuiteTest *test, const BitSet *covers);
/* The test may become a file: it gets its number. False as above; without a store it is written now. */
bool results_keep(Results *r, SuiteTest *test, const BitSet *covers);
/* Is there a store that takes tests which are no more than paths? Then the test is kept there. */
bool results_take_paths(Results *r);
void results_note(Results *r, SuiteTest *test);
/* The same in two parts: in a copy of this process, and here. False: it is none. */
bool results_note_pack(const Results *r, const SuiteTest *test, Str *out);
bool results_note_packed(Results *r, const void *packed, size_t n);
/* The run of the test comes in no certain order (ExploreRun.rank): the test waits in the store until it is
 * settled which number it gets, and whether it becomes a file. `file`: it does whatever others cover. */
bool results_rank(Results *r, SuiteTest *test, uint64_t rank, bool file, const BitSet *covers);
/* Those that wait, by rank, of equal ones the oldest first. False: there is no store, or it failed. */
bool results_ranked(Results *r, StoreRankedVec *out);
SuiteTest *results_ranked_test(Results *r, const StoreRanked *of); /* the caller frees it; NULL: it failed */
/* It gets the next number, and its file if it is to be one; a mere path gets neither. */
void results_settle(Results *r, const StoreRanked *of, SuiteTest *test, StoreRole role);
/* Of the tests that may become files, those become some that are needed to cover what all do; `none`: none
 * does. How many files of tests there are then. */
uint32_t results_cover(Results *r, bool none);
/* Tests that a store has, and that show no fault, get no file after this time (clock_seconds); 0: no limit.
 * And how many got none. */
void results_until(Results *r, double end);
uint64_t results_unwritten(const Results *r);
/* A further file of the directory. False as results_add. */
bool results_file(Results *r, const char *name, const Str *text);
/* Tests of an entry as C (SUITE_EMIT_C) check what this saw of them on the native program. It must be there
 * until results_finish. */
void results_observe(Results *r, SuiteReplay *observer);
/* The same command may give this answer again, if nothing has changed. As long as for results_observe. */
void results_settled(Results *r, const ReuseAnswer *answer);
/* The answer and, unless NULL, statistics, as JSON; the run is finished. `all`: and nothing is left to
 * explore, so that it cannot be resumed. */
void results_finish(Results *r, const Str *answer, const Str *stats, bool all);
/* What kept files from being written, one line; NULL: nothing did. */
const char *results_failure(const Results *r);
Store *results_store(Results *r); /* NULL: there is none, or it failed */
/* What was added so far is durable, if it returns true. */
bool results_commit(Results *r);
bool results_full(const Results *r); /* there were tests that it did not take */
void results_free(Results *r);       /* NULL is allowed */

#endif
