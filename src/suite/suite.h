/* suite.h - tests: on disk (.ktest, JSON, Test-Comp XML, plain C) and on the native program.
 *
 * A test is an input and what is known of the run that it leads to. The input is a list of named objects, in
 * the order in which the run used them, after the concrete arguments. A .ktest holds the input alone, in
 * KLEE's format; the JSON beside it holds everything. Files come from anywhere: whatever is wrong with one is
 * a line of text, never a crash, and nothing that stands in a file is ever passed to a compiler. */
#ifndef SHEAF_SUITE_H
#define SHEAF_SUITE_H

#include "frontend/frontend.h"

/* ---- a test ---------------------------------------------------------------------------------- */

typedef enum SuiteEnding {
#define SUITE_ENDING(NAME, word) SUITE_END_##NAME,
#include "suite/suite.def"
} SuiteEnding;

typedef enum SuiteOrigin {
#define SUITE_ORIGIN(NAME, word) SUITE_FROM_##NAME,
#include "suite/suite.def"
} SuiteOrigin;

typedef enum SuiteKind {
#define SUITE_KIND(NAME, word) SUITE_##NAME,
#include "suite/suite.def"
} SuiteKind;

/* A hint for people and for generated code; the bytes are what counts. element: bytes of one element, 0: the
 * whole object is one. */
typedef struct SuiteType {
    SuiteKind kind;
    uint8_t element;
} SuiteType;

/* CALL       made by sheaf_symbolic, klee_..., __VERIFIER_nondet_...; the n-th such object is the n-th call
 * ARGUMENT   a word behind the concrete arguments: up to its first NUL
 * STDIN      all of standard input
 * FILE       content of the file `of`
 * FUZZ       Data and Size of LLVMFuzzerTestOneInput; a raw input from a corpus, which may go to standard
 * input PARAMETER  of the entry function, by name; POINTEE: what a pointer in another object leads to
 * (links), named by its access path ("*p", "p->next[0]"); GLOBAL: a variable's value before the start
 * CALLBACK   a function that a pointer in another object leads to; its byte says what it returns
 * (VmInputOrigin) RESULT     what such a function returned: the n-th such object is the n-th call of any of
 * them
 * STREAM     a FILE that a pointer in another object leads to: what can be read from it; one that is written
 * has none */
/* A place of an object that holds one value, as C writes it: "item->type". For people, as the type is. */
typedef struct SuiteField {
    uint32_t low, bits; /* bits from the start of the object */
    SuiteKind kind;
    const char *text;
} SuiteField;

typedef struct SuiteObject {
    const char *name; /* never empty */
    const uint8_t *data;
    uint32_t size;
    SuiteOrigin origin;
    const char *of; /* of FILE its name; of CALL the function called, "" if unknown */
    SuiteType type;
    const SuiteField *fields; /* ascending; none: not known, or its type says all */
    uint32_t nfields;
} SuiteObject;

/* The pointer at `offset` of one object holds the address of another plus `delta`. Its bytes in data do not
 * count. */
typedef struct SuiteLink {
    uint32_t object, offset, target, delta;
} SuiteLink;

typedef struct SuiteTest {
    Arena *arena; /* owns all texts and bytes */
    StrVec argv;  /* concrete, argv[0] first */
    Vec(SuiteObject) objects;
    Vec(SuiteLink) links;

    SuiteEnding ending;
    const char *fault;    /* suffix of fault.def, "" if none */
    const char *site;     /* where it ended, "file.c:12:5"; "" if unknown */
    const char *function; /* the user's innermost there */
    const char *message;
    int status;                   /* of RETURN from main and EXIT */
    bool covers_error;            /* the run called the program's own reach_error just before; not on disk */
    StrVec inputs, flags, checks; /* the program, how it was compiled, optional checks that were on */
    const char *program;          /* suite_program_hash of it; "" if unknown */
    const char *entry;            /* "main" if not said */
    StrVec made;                  /* its handles and what makes them: ir_drive_text */
    const char *path;             /* where it was read from or written to; "" if nowhere */
    uint32_t number;              /* in its directory, from 1; 0: none. Not on disk */
} SuiteTest;

SuiteTest *suite_test_new(void);
void suite_test_free(SuiteTest *t); /* NULL is allowed */
SuiteTest *suite_test_copy(const SuiteTest *t);
/* Copies name and bytes; type unknown, `of` empty. The pointer is short-lived. */
SuiteObject *suite_test_add(SuiteTest *t, SuiteOrigin origin, const char *name, const void *data,
                            size_t size);
const char *suite_ending_word(SuiteEnding ending);
/* As few bytes, added to out: what differs from a base, which is needed again to read them (NULL: all). */
void suite_test_pack(const SuiteTest *t, const SuiteTest *base, Str *out);
SuiteTest *suite_test_unpack(const void *bytes, size_t n, const SuiteTest *base); /* NULL: they are none */
/* For people: arguments, objects as numbers, text or hex, how the run ended. */
void suite_test_print(const SuiteTest *t, Str *out);
/* One value of an object as C writes it: "-3", "'a'", "1.5"; false if the index is beyond it. */
bool suite_object_value(const SuiteObject *o, uint32_t index, Str *out);

/* ---- files ----------------------------------------------------------------------------------- */

enum {
    SUITE_FILE_LIMIT = 256 << 20, /* bytes of a test file */
    SUITE_OBJECT_LIMIT = 1 << 20, /* objects, links and words of a test, each */
    SUITE_FIELD_LIMIT = 4096      /* places of an object */
};

void suite_json_write(const SuiteTest *t, Str *out);
bool suite_json_is(const Json *value); /* is it a test? (else some other result of ours) */

typedef struct SuiteProgram {
    StrVec inputs, flags;
    const char *entry;
    const char *producer; /* "sheaf 0.1.0" */
    bool cover_error;     /* the specification: reach_error, else branches */
    /* of an entry other than main, by suite_program_entry: */
    const char *source, *source_given; /* the C file that declares it: absolute, and as it was named */
    StrVec types, names;               /* and its parameters */
    IrDrive drive; /* the same, and how C declares the functions that make them: by suite_program_drive */
    StrVec maker_names;
    Vec(FrontendFunction) makers;
    bool declares;        /* asked for: how a C file of ours declares it */
    const char *header;   /* the file that declares it if that is not the source; NULL: none */
    const char *preamble; /* `#include "lib.h"` or a prototype; NULL: the source itself is included */
    const char *include;  /* a directory that the header needs with -I; NULL: none */
    const char *result;   /* type of what it returns; NULL: not known */
    StrVec entry_flags, own_flags;   /* that its source is compiled with; those of a database alone */
    const IrProgram *ir;             /* C's types, for tests of an entry; NULL: not known */
    const FrontendOptions *frontend; /* how C is compiled; NULL: what is written is not checked */
    /* of tests of one of two versions, as C: */
    const char *file, *pinned;        /* the C file's name, NULL: tests.c; "new" or "old" */
    const struct SuiteProgram *other; /* the other version, which the file is compiled with as well */
} SuiteProgram;

/* What a test of an entry left behind on the native program, in two runs that found other bytes in memory
 * from malloc: what differs is nothing to rely on. */
typedef struct SuiteObserved SuiteObserved;

void suite_sha256(const void *data, size_t size, char hex[65]);

/* A C file that runs the tests by itself. `observer`, if not NULL, runs them natively to see what they show,
 * which is then expected; else only how they end is. `library`: the text of runtime/native/replay.c. Clears
 * and fills out. */
struct SuiteReplay;
void suite_c_tests(const SuiteProgram *p, struct SuiteTest *const *tests, uint32_t n, const char *library,
                   struct SuiteReplay *observer, Str *out);

/* Reads a .ktest (with the JSON beside it, if there is one of the same input), a JSON test, or any other file
 * as a raw input (FUZZ) if `raw` allows it. NULL with one line in error. */
SuiteTest *suite_test_read(const char *path, bool raw, Str *error);
typedef Vec(SuiteTest *) SuiteTestVec;
/* The same for a file or a directory (its `tests` if it has one), in order of names: .ktest and .json of one
 * name are one test; a directory without either is a corpus of raw inputs. False with error; tests read so
 * far stay in out. */
bool suite_read(const char *path, SuiteTestVec *out, Str *error);
void suite_tests_free(SuiteTestVec *tests);

/* ---- a directory of results ------------------------------------------------------------------ */

enum { SUITE_EMIT_TESTCOMP = 1, SUITE_EMIT_C = 2 };
typedef struct SuiteDir SuiteDir;
typedef struct SuiteReplay SuiteReplay;
#define SUITE_STORE "store.db" /* in a directory of results: all that was found, as a database (store.h) */
typedef enum SuiteOpen {
    SUITE_NEW,     /* refuses a directory that holds tests or results */
    SUITE_REPLACE, /* removes them, results first */
    SUITE_CONTINUE /* keeps the store; tests are to be written again from it */
} SuiteOpen;
/* Makes DIR and DIR/tests, and locks DIR: no other process opens it until suite_dir_free. `unfinished`: what
 * result.json holds from now on, so that it is never older than a test; NULL: there is none. The program must
 * outlive it. NULL with error. */
SuiteDir *suite_dir_open(const char *path, const SuiteProgram *program, unsigned emit, SuiteOpen how,
                         const char *unfinished, Str *error);
/* Writes tests/NNNN.json and .ktest (and testcomp/NNNN.xml), atomically, under the test's number (0: the one
 * behind the greatest so far, which it then has), and sets t->path. False with error: nothing of the test is
 * there. */
bool suite_dir_add(SuiteDir *d, SuiteTest *t, Str *error);
/* Where that is, or will be. */
const char *suite_dir_path(const SuiteDir *d, const SuiteTest *t, Arena *arena);
/* A further file of the directory, such as stats.json. */
bool suite_dir_file(SuiteDir *d, const char *name, const Str *text, Str *error);
/* Writes tests.c if it was asked for (`library` as in suite_c_write; `observer`, if there is one, runs tests
 * of an entry natively to see what they leave), and last result.json if there is a result. */
bool suite_dir_finish(SuiteDir *d, const char *library, SuiteReplay *observer, const Str *result, Str *error);
void suite_dir_free(SuiteDir *d);
/* A hash of all tests and results that are files of the directory; the store is not among them. False: one
 * cannot be read. */
bool suite_dir_hash(const char *path, char hex[65]);

typedef enum SuiteForm {
#define SUITE_FORM(NAME, word) SUITE_AS_##NAME,
#include "suite/suite.def"
} SuiteForm;
extern const char *const suite_form_words[]; /* NULL at the end */
/* Writes the tests, by their numbers, into a directory that is there: NNNN.ktest, NNNN.json, NNNN.xml with
 * metadata.xml, tests.c (`library` as in suite_c_tests), or NNNN with the bytes that the program reads from
 * standard input or that a fuzz target gets. False with error. */
bool suite_export(const SuiteProgram *program, const SuiteTestVec *tests, SuiteForm form,
                  const char *directory, const char *library, Str *error);

/* Identifies a program: a hash of its sources (in any order) and of the macros that flags
 * define, as hexadecimal digits. False with error if one cannot be read. */
bool suite_program_hash(const FrontendOptions *program, char hex[65], Str *error);

/* Finds source, types and names of p's entry with clang, and if `declares` the preamble. False if no C source
 * of the program declares it. Texts live in a. */
bool suite_program_entry(SuiteProgram *p, const FrontendOptions *options, Arena *a);
/* The functions that make the entry's handles. False: that is no drive, or no C source declares one of
 * them. */
bool suite_program_drive(SuiteProgram *p, const StrVec *made, const FrontendOptions *options, Arena *a);
void suite_program_free(SuiteProgram *p); /* what these two have found */

/* ---- replay on the native program ------------------------------------------------------------ */

typedef enum SuiteVerdict {
#define SUITE_VERDICT(NAME, word) SUITE_##NAME,
#include "suite/suite.def"
    SUITE_VERDICT_COUNT
} SuiteVerdict;
const char *suite_verdict_word(SuiteVerdict verdict);

/* A concrete file that the program finds in its directory. */
typedef struct SuiteFile {
    const char *name;
    const void *data;
    size_t size;
} SuiteFile;

typedef struct SuiteReplayOptions {
    FrontendOptions program;       /* inputs, cflags, compdb, target, clang */
    const char *library;           /* path of runtime/native/replay.c */
    const char *entry;             /* overrides the tests' own; NULL: theirs */
    uint64_t checks;               /* SUITE_CHECK_..., besides what a test itself asks for */
    double timeout;                /* seconds of wall clock for one test; 0: 10 */
    uint64_t max_memory, max_file; /* bytes; 0: 2 GiB and 64 MiB */
    bool coverage;
    const SuiteFile *files; /* besides those that a test holds, which win */
    uint32_t nfiles;
    const volatile bool *interrupt; /* once set, by a signal's handler, ends the run under way; may be NULL */
} SuiteReplayOptions;
enum {
    SUITE_CHECK_OVERFLOW = 1,
    SUITE_CHECK_SHIFT = 2,
    SUITE_CHECK_UNINIT = 4,
    SUITE_CHECK_LEAK = 8,
    SUITE_CHECK_OVERLAP = 16
};

typedef struct SuiteOutcome {
    SuiteVerdict verdict;
    char fault[24];    /* kind that the native run showed, "" if none */
    char site[512];    /* where, "" if unknown */
    char message[512]; /* what differs, or who reported it */
    int status;        /* exit status, or 128 + signal */
    double seconds;
} SuiteOutcome;

/* Tests run one at a time, each in a child with its own directory, process group and limits; where the kernel
 * lets us (user namespaces), also without network, without a view of other processes and with the file system
 * read-only. */
/* Where no directory for it can be made, every test is NOT_RUN and says why. */
SuiteReplay *suite_replay_new(const SuiteReplayOptions *options);
/* Compiles when first needed (a build for each set of checks and entry); where the program does not compile
 * the test is NOT_RUN and clang's text in suite_replay_diagnostics. */
void suite_replay_test(SuiteReplay *r, const SuiteTest *t, SuiteOutcome *out);
/* clang's diagnostics of the last build that failed, "" if none did. */
const char *suite_replay_diagnostics(const SuiteReplay *r);
bool suite_replay_isolated(const SuiteReplay *r); /* of the last test: were all namespaces available? */

/* ---- what a native run showed (shown.c) ------------------------------------------------------ */

/* An object after the run, as a caller could look at it: "result" of the entry, what its parameters lead to
 * ("*p"), further memory that is reached from there ("*p+8->": what the pointer at byte 8 of *p leads to),
 * inputs among the globals; "output NAME" for each call of sheaf_output. */
typedef struct SuiteSeen {
    const char *name;
    const uint8_t *data; /* pointers are zeros here: see links */
    uint32_t size;
    bool freed; /* then without data */
} SuiteSeen;
/* The word at `offset` of a seen object is a pointer: to another one plus `delta`, or, with target
 * UINT32_MAX, into a stack or the like. */
typedef struct SuiteSeenLink {
    uint32_t object, offset, target;
    int64_t delta;
} SuiteSeenLink;

typedef struct SuiteShown {
    Arena *arena; /* owns all texts and bytes */
    bool ran;     /* else `message` says why not; nothing else is known then */
    bool timed_out;
    const char *message;
    const char
        *stopped; /* "" or why the library ended the run: other inputs than the test has, an assumption */
    int status;   /* exit status, or 128 + signal */
    char fault[24], site[512]; /* as SuiteOutcome */
    Str out, err;              /* standard output and error, what a sanitizer says not among it */
    bool cut; /* one of them, or the rest, is longer than the bound for files and is not all here */
    Vec(SuiteSeen) seen;
    Vec(SuiteSeenLink) links; /* ascending by object and offset */
} SuiteShown;
/* Runs the test, whatever it expects. */
void suite_replay_show(SuiteReplay *r, const SuiteTest *t, SuiteShown *out);
void suite_shown_free(SuiteShown *s);
struct SuiteObserved {
    SuiteShown shown[2];
};
/* Do two runs differ for an observer outside? The first difference as one line of text ("returns 3, and 4"),
 * faults and endings first. Not compared: addresses, and line numbers in what assert() prints. `ignores` (may
 * be NULL): is this byte of a seen object of no meaning, as padding is? */
typedef bool SuiteIgnores(void *context, const SuiteSeen *object, uint32_t offset);
bool suite_shown_differ(const SuiteShown *old, const SuiteShown *new, SuiteIgnores *ignores, void *context,
                        Str *difference);
/* How it ended, in a few words: "returns 3", "exit status 2", "heap-buffer-overflow at f.c:3". */
void suite_shown_ending(const SuiteShown *s, Str *out);

typedef struct SuiteFileCoverage {
    const char *path;
    uint32_t lines, lines_covered, branches, branches_covered;
    U32Vec missed, hit; /* lines that no test ran, and that one did, ascending */
} SuiteFileCoverage;
typedef struct SuiteCoverage {
    Arena *arena;
    Vec(SuiteFileCoverage) files;
    uint32_t lines, lines_covered, branches, branches_covered;
} SuiteCoverage;
/* Of all tests so far. False with error if there is no data. */
bool suite_replay_coverage(SuiteReplay *r, SuiteCoverage *out, Str *error);
/* Forgets what tests have covered so far. */
void suite_replay_coverage_reset(SuiteReplay *r);
void suite_coverage_free(SuiteCoverage *c);
void suite_replay_free(SuiteReplay *r); /* removes all its files */

#endif
