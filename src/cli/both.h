/* both.h - private to cli: an input run natively on the builds of two versions. */
#ifndef SHEAF_CLI_BOTH_H
#define SHEAF_CLI_BOTH_H

#include "cli/obtain.h"
#include "cli/testcase.h"
#include "versions/versions.h"

/* A function that is called natively. */
typedef struct BothEntry {
    const char *entry;
    StrVec names; /* of its parameters, in the version's source; none: no source declares it */
} BothEntry;

/* A test that was written, for --emit c: as it is on the version whose behaviour is pinned. */
typedef struct BothPin {
    const char *entry[2]; /* by version; "main" */
    SuiteTest *test;
} BothPin;

typedef struct Both {
    const ExploringSettings *settings;
    const VmEnvironment *environment;
    Arena *arena;
    const Version *version[2];
    TestMaker maker[2];
    SuiteReplay *replay[2];
    bool written;              /* tests go to the directory of results, which is NEW's */
    const SuiteTestVec *suite; /* the user's tests; NULL: none. What one of them shows is not written again */
    bool emit;                 /* tests that are written are kept in `pins` */
    unsigned pinned;           /* the version whose behaviour they are to check */
    Vec(BothPin) pins;
    Vec(BothEntry) entries[2];
} Both;

/* What it is given must outlive it. */
void both_init(Both *b, const char *command, const ExploringSettings *settings, const OptionArgs *args,
               Arena *arena, const VmEnvironment *environment, const Obtained *obtained,
               IrProgram *const program[2]);
void both_free(Both *b);
SuiteReplay *both_replay(Both *b, unsigned version); /* for native runs; made when first asked for */
/* For DiffOptions.confirm. The context is a Both. */
bool both_confirm(void *context, Joint *j, const DiffFn *f, const JointRow *row, DiffFinding *finding);

/* For DiffOptions.unended. */
const char *both_unended(void *context, Joint *j, const JointRow *row);

/* For DiffOptions.on_alike. */
void both_alike(void *context, Joint *j, const JointRow *row, DiffFinding *finding);

/* both_names.c: tests name parameters as NEW does. Names them as OLD does, before a run on its build;
 * `entry`: by version. */
void both_name_old(Both *b, SuiteTest *t, const char *const entry[2]);
/* Tests of the user may have been made for OLD: names their parameters as NEW does. */
void both_name_suite(Both *b, const Versions *v, const SuiteTestVec *suite);
/* The entry by its name in OLD; NULL: OLD has none. */
const char *both_old_entry(const Versions *v, const char *entry);

/* Writes the pins as C, one file for each function, and their paths to out (both_emit.c). */
void both_emit(Both *b, StrVec *out);

/* What a test of the user's suite does on both versions (diff_tests.c). */
void both_try_suite(Both *b, const Versions *v, ReportDiffTests *out);

#endif
