/* replay_int.h - what replay.c and verdict.c share. */
#ifndef SHEAF_SUITE_REPLAY_INT_H
#define SHEAF_SUITE_REPLAY_INT_H

#include "suite/suite_int.h"

enum { REPLAY_SANITIZER_STATUS = 99 }; /* with which a sanitizer ends the program */

typedef struct ReplayBuild {
    uint64_t checks;  /* those of SUITE_CHECK_ that change the code */
    bool memory;      /* MemorySanitizer instead of AddressSanitizer */
    bool environment; /* calls of time, malloc, ... go to the library first */
    bool callbacks;   /* and those of qsort */
    const char *entry;
    const char *made; /* what makes its handles, in one line; "": it has none */
    const char *binary;
    bool ok;
} ReplayBuild;

struct SuiteReplay {
    SuiteReplayOptions options;
    Arena *arena;
    char *work, *symbolizer;       /* own directory; NULL: none found */
    const char *problem;           /* why nothing can be run, NULL if it can */
    const char *run_dir, *out_dir; /* of the run under way: the program's own; reports and inputs */
    const char *tmp_dir;           /* empty: becomes the run's own /tmp */
    const char *merged;            /* profile of all runs but those in raw */
    Vec(ReplayBuild) builds;
    StrVec raw;
    uint8_t fill; /* what memory from malloc holds; 0: as AddressSanitizer likes */
    Str diagnostics;
    bool isolated;
};

/* What one run left behind. */
typedef struct ReplayRun {
    SandboxResult sandbox;
    Str report;       /* of sanitizers, "" if there is none */
    char event[1024]; /* the library's first line, "" if there is none */
} ReplayRun;

/* The optional checks that a test needs: the user's, its own, and that of its fault. */
uint64_t replay_checks(const SuiteReplay *r, const SuiteTest *t);
void replay_judge(const SuiteReplay *r, const SuiteTest *t, const ReplayBuild *build, const ReplayRun *run,
                  SuiteOutcome *out);
bool replay_merge(SuiteReplay *r);
/* A build for the test, made if it is not there. Short-lived. */
const ReplayBuild *replay_build_for(SuiteReplay *r, const SuiteTest *t, bool memory);
/* Runs the test on a build; `shows`: streams and what sheaf_replay_show writes are kept, in out_dir. False if
 * it could not even be set up; out->message then says why. */
bool replay_run_once(SuiteReplay *r, const SuiteTest *t, const ReplayBuild *build, bool shows, ReplayRun *run,
                     SuiteOutcome *out);

#endif
