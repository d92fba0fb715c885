/* replay.c - what a natively compiled program needs to run one test: sheaf.h, KLEE's intrinsics, SV-COMP's
 * functions, and a main for fuzz targets. Not part of the models that run on Sheaf's machine.
 *
 *     clang -g -fsanitize=address,undefined prog.c replay.c && SHEAF_TEST=0001.ktest ./a.out
 *
 * Inputs are taken in the order of the calls; where the program asks for another input than the test holds
 * next, that is reported and the run ends. Arguments, standard input and files are the caller's to set up:
 * `sheaf replay` does. Every definition is weak: a program may have its own.
 *
 * Environment: SHEAF_TEST (or KTEST_FILE) the test; without one all inputs are zero. SHEAF_REPORT a file to
 * which events are added instead of standard error; SHEAF_OUTPUT a file for what sheaf_output names;
 * SHEAF_SHOWN one for the result of an entry function and all memory that leads from it and from its
 * parameters. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <ctype.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define SHEAF_WEAK __attribute__((weak))
enum { SHEAF_STATUS_MISMATCH = 96, SHEAF_STATUS_ASSUMPTION = 97 };

#ifndef SHEAF_REPLAY_TYPES /* generated C has them before its tables */
typedef struct SheafReplayObject {
    const char *name, *origin; /* origin: a word of suite.def */
    const void *data;
    size_t size;
} SheafReplayObject;

typedef struct SheafReplayLink {
    unsigned object, offset, target, delta;
} SheafReplayLink;
#endif

static struct {
    bool loaded, present; /* looked for a test; there is one */
    const SheafReplayObject *objects;
    const SheafReplayLink *links;
    unsigned n, nlinks;
    unsigned next; /* where the search for the next call's object begins */
    bool running;  /* main has begun: what a profiler or sanitizer does before and after is theirs */
    unsigned own;  /* calls of ours are under way: what they allocate is not the program's */
    void **memory; /* of parameters and what they point to, once made */
} sheaf_replay;

/* The parts, each of which uses those before it. The build writes them into one file (tools/inline.py): that
 * is what is shipped, compiled with a program, and written into generated C. clang-format must keep their
 * order. */
/* clang-format off */
#include "events.h"
#include "ktest.h"
#include "inputs.h"
#include "environment.h"
#include "sorting.h"
#include "callbacks.h"
#include "streams.h"
#include "entry.h"
#include "shown.h"
#include "harness.h"
#include "klee.h"
#include "svcomp.h"
#include "fuzz.h"
/* clang-format on */
