/* store.h - what an exploration has found, in a database: tests, faults, and what is needed to go on.
 *
 * A store is DIR/store.db. One process writes it (the one that holds the directory's lock: suite_dir_open),
 * others may read meanwhile. What is added waits until store_commit, which makes all of it durable at once,
 * so that a kill at any moment leaves the state of a commit.
 *
 * The first failure (a full disk, a damaged file) is kept, one line of text: from then on nothing is written,
 * and what was committed before stays. */
#ifndef SHEAF_STORE_H
#define SHEAF_STORE_H

#include "suite/suite.h"

typedef struct Store Store;

enum { STORE_VERSION = 2 }; /* of the tables: a store of another version is not touched */

/* What is explored, and how. Two explorations with equal jobs have equal answers. */
typedef struct StoreJob {
    const char *program; /* hash of all that is run */
    const char *command;
    const char *options; /* "name value\n" for each, in one order */
    const char *version; /* of Sheaf */
} StoreJob;

bool store_exists(const char *directory);

/* Each gives NULL with one line in error. */
Store *store_create(const char *directory, const StoreJob *job, Str *error);
Store *store_read(const char *directory, Str *error);
/* To go on with an unfinished job; the error names what differs in another one. */
Store *store_resume(const char *directory, const StoreJob *job, Str *error);
void store_close(Store *s); /* what was not committed is gone; NULL is allowed */

const char *store_failure(const Store *s); /* NULL: nothing has failed */
bool store_finished(const Store *s);
/* Of the store that was opened, until it is closed. */
const StoreJob *store_job(const Store *s);
/* In what two jobs differ, one line; false: in nothing. */
bool store_jobs_differ(const StoreJob *stored, const StoreJob *asked, Str *out);

bool store_commit(Store *s);
bool store_finish(Store *s); /* the job is done; commits */

/* ---- tests ----------------------------------------------------------------------------------- */

typedef enum StoreRole {
    STORE_PATH,   /* a path like any other */
    STORE_COVERS, /* it covered something that no test before it did */
    STORE_FILE    /* to be a file whatever others cover: it shows a fault */
} StoreRole;

/* Adds the test with its number; of equal tests one is enough, whose number and role, if they are greater,
 * the test then has. `covers` (may be NULL): what of the program it covers. */
bool store_test_add(Store *s, SuiteTest *t, StoreRole *role, const BitSet *covers);
/* The test as bytes that a copy of this process may make and store_packed_add takes; false: there is no test
 * yet that they could say the difference from. */
bool store_test_pack(const Store *s, const SuiteTest *t, Str *out);
/* Adds it as a mere path. False if that fails, or it is none. */
bool store_packed_add(Store *s, const void *packed, size_t n);
/* It has become, or is to be, a file. */
bool store_test_is_file(Store *s, const SuiteTest *t);
uint64_t store_test_bytes(const Store *s); /* of all tests */
uint32_t store_test_last(const Store *s);  /* the greatest number */

typedef struct StoreTest {
    SuiteTest *test; /* freed after the call, unless it takes it (sets NULL) */
    StoreRole role;
    bool ranked; /* its number is for the time being: below */
    bool known;  /* what it covers: */
    BitSet covers;
} StoreTest;
/* Calls `each` for the tests of the role and above: all in the order in which they were added, those that
 * have a number in the order of numbers. False with store_failure. */
bool store_tests(Store *s, StoreRole least, void (*each)(void *context, StoreTest *test), void *context);

/* ---- tests that come in no certain order ----------------------------------------------------- */

/* Adds a test whose place among all tells its rank, not 0, and not the time at which it came. It gets a
 * number for the time being. */
bool store_ranked_add(Store *s, SuiteTest *t, uint64_t rank, StoreRole role, const BitSet *covers);
typedef struct StoreRanked {
    uint64_t rank, id;
} StoreRanked;
typedef Vec(StoreRanked) StoreRankedVec;
/* Adds those that are not settled to out, by rank, of equal ones the oldest first. */
bool store_ranked(Store *s, StoreRankedVec *out);
SuiteTest *store_ranked_test(Store *s, const StoreRanked *of); /* the caller frees it; NULL: store_failure */
uint32_t store_settled_last(Store *s);                         /* the greatest number of the others */
/* It has its number and its role for good; a mere path has no number. */
bool store_ranked_settle(Store *s, const StoreRanked *of, const SuiteTest *t, StoreRole role);

/* ---- faults ---------------------------------------------------------------------------------- */

/* Of a need (a fault that callers avoid) `need` says what they must do; else it is "". */
typedef struct StoreFault {
    const char *kind, *need, *site, *function, *maker, *message, *test, *input, *witness; /* "": none */
    uint32_t place; /* of the program's sites */
    uint32_t verdict, replays;
    uint64_t count;
    const void *stack; /* as the writer likes */
    size_t stack_size;
} StoreFault;
bool store_fault_put(Store *s,
                     const StoreFault *f); /* in place of that of the same kind, place and function */
bool store_faults(Store *s, void (*each)(void *context, const StoreFault *fault), void *context);

/* ---- values by name, and pending work by number ---------------------------------------------- */

bool store_put(Store *s, const char *name, const void *bytes, size_t n);
bool store_get(Store *s, const char *name, Str *out); /* false: there is none */
bool store_work_put(Store *s, uint64_t id, const void *bytes, size_t n);
bool store_work_get(Store *s, uint64_t id, Str *out);
bool store_work_remove(Store *s, uint64_t id);

#include "store/fleet.h"

#endif
