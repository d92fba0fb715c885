/* suite_int.h - what the files of suite share. */
#ifndef SHEAF_SUITE_INT_H
#define SHEAF_SUITE_INT_H

#include "suite/suite.h"

/* In C that we write: is a sanitizer there? */
#define SUITE_C_SANITIZED                    \
    "#if defined(__has_feature)\n"           \
    "#if __has_feature(address_sanitizer)\n" \
    "#define SHEAF_SANITIZED 1\n"            \
    "#endif\n"                               \
    "#endif\n"                               \
    "#if defined(__SANITIZE_ADDRESS__)\n"    \
    "#define SHEAF_SANITIZED 1\n"            \
    "#endif\n"                               \
    "#ifndef SHEAF_SANITIZED\n"              \
    "#define SHEAF_SANITIZED 0\n"            \
    "#endif\n"

/* print_fields.c: the members of an object by their names, pointers to other objects by those of the test; o
 * is the object without them. False: it has no names. */
bool suite_fields_print(const SuiteTest *t, uint32_t object, const SuiteObject *o, Str *out);

/* test.c */
bool suite_ending_by_word(const char *word, SuiteEnding *out);
bool suite_origin_by_word(const char *word, SuiteOrigin *out);
const char *suite_kind_word(SuiteKind kind);
bool suite_kind_by_word(const char *word, SuiteKind *out);
/* Is it a suffix of fault.def? */
bool suite_fault_known(const char *suffix);
/* Does the exit status of a run from this entry mean something? What a function other than main returns does
 * not: the machine's start-up leaves with it, whatever its type. */
bool suite_test_has_status(const SuiteTest *t, const char *entry);
/* Did Sheaf give up where the native program goes on? Of what that asks for, assumes or fails at from there
 * on the test says nothing. */
bool suite_test_is_cut_short(const SuiteTest *t);
bool suite_entry_is_plain(const char *entry); /* the program's own main, or the library's for a fuzz target */
/* Drops links that leave their objects: files may say anything. */
void suite_test_check_links(SuiteTest *t);
/* The type that is said, or else the one that the name of a nondet function implies. */
SuiteType suite_object_type(const SuiteObject *o);
uint32_t suite_object_elements(const SuiteObject *o);
/* What the environment gave (--env), not what the program named: "env.time". */
bool suite_object_is_environment(const SuiteObject *o);
bool suite_test_has_environment(const SuiteTest *t);
bool suite_test_has_callbacks(const SuiteTest *t);
/* Bytes of one element: 1 where the type does not say. */
uint32_t suite_element_size(const SuiteObject *o);
u128 suite_object_bits(const SuiteObject *o, uint32_t index); /* of one element, little-endian */
/* As suite_object_value, characters as numbers. */
void suite_object_number(const SuiteObject *o, uint32_t index, Str *out);
/* "dir/file.c:12:5": the length of the file part and the line; false if there is no line in it. */
bool suite_site_split(const char *site, size_t *file, uint32_t *line);
/* The part of a path below the working directory, or all of it. */
const char *suite_path_here(const char *path);
bool suite_utf8(const char *text, size_t n);
/* Bytes inside a C string literal: letters as they are, others escaped so that what follows cannot be read as
 * part of it. */
void suite_c_escape(const void *data, size_t n, Str *out);

/* ktest.c: the form that runtime/native/replay.c reads: every object under its own name with its origin,
 * empty ones too */
void suite_ktest_write_native(const SuiteTest *t, Str *out);

/* entry.c: does this text compile? If not, `bad` (may be NULL) gets the lines with errors. */
bool suite_c_compiles(const FrontendOptions *options, const StrVec *flags, const Str *text, U32Vec *bad);

/* emit_entry.c: tests of an entry function. False: it takes another form (other inputs than arguments, no
 * declaration but in the source). */
bool suite_entry_write(const SuiteProgram *p, SuiteTest *const *tests, const SuiteObserved *observed,
                       uint32_t n, const char *head, Str *out);
/* Does it end any build of the program abnormally? Other faults may pass unnoticed without a sanitizer. */
bool suite_fault_is_always_seen(const char *suffix);

/* emit_seen.c: what generated C expects of a test, from two native runs of it. The texts are C for the file.
 */
extern const char suite_seen_types[], suite_seen_tables[], suite_stream_text[], suite_look_text[];
/* What the file says to AddressSanitizer, unless the program says it. */
void suite_c_sanitizer_options(const SuiteProgram *p, Str *out);
/* Did both runs end by themselves, and alike? `o` may be NULL: there were none. */
bool suite_observed_ended(const SuiteObserved *o);
/* And did the entry return, as on the machine? */
bool suite_observed_returned(const SuiteTest *t, const SuiteObserved *o);
/* Was this byte of a seen object the same in both runs? */
bool suite_observed_stable(const SuiteObserved *o, uint32_t object, uint32_t at);
/* `STATUS, 0, "a normal end"`: how it ends. */
void suite_expectation(const SuiteTest *t, const char *entry, const SuiteObserved *o, Str *out);
/* `, {"text", 4, 4}, {"", 0, 0}`: what it writes to standard output and error; `outputs`: and by
 * sheaf_output. */
void suite_expect_streams(const SuiteObserved *o, bool outputs, Str *out);
/* What can be seen after the call of an entry: tables, and where a test's row names them. */
void suite_expect_objects(const SuiteProgram *p, const SuiteTest *t, const SuiteObserved *o, uint32_t number,
                          Str *tables, Str *row);

/* drive.c: how C declares a function that makes handles; NULL: it is none of them. Which handle the parameter
 * is, UINT32_MAX: none. */
const FrontendFunction *suite_drive_function(const SuiteProgram *p, const char *name);
uint32_t suite_drive_handle(const SuiteProgram *p, const char *parameter);
/* Declarations of those that the entry's source does not have; statements that make sheaf_handle0, ... */
void suite_c_makers(const SuiteProgram *p, Str *out);
void suite_c_drive(const SuiteProgram *p, Str *out);

/* emit_c.c: how a file of tests names the i-th: by its number in the directory, or by its place in a file of
 * some of them. */
uint32_t suite_test_number(const SuiteProgram *p, struct SuiteTest *const *tests, uint32_t i);
/* A C string literal, on several lines. */
void suite_c_literal(const void *data, size_t n, Str *out);
/* C statements that call the entry with parameters from the test, and give the result to sheaf_replay_show.
 */
void suite_c_call_shown(const SuiteProgram *p, Str *out);

/* ---- a child under limits (sandbox.c) -------------------------------------------------------- */

typedef struct Sandbox {
    const char *binary;     /* absolute */
    const char *directory;  /* the child's own; may write here */
    const char *also;       /* and here (reports, profiles) */
    const char *tmp, *keep; /* an empty directory for a /tmp of its own, NULL: none; what must stay
                             * visible if it lies in the old one */
    const char *const *argv, *const *envp; /* NULL-terminated */
    const char *stdin_path;                /* NULL: /dev/null */
    const char *stdout_path, *stderr_path; /* made; NULL: /dev/null */
    double timeout;
    uint64_t max_file;
    const volatile bool *interrupt; /* as SuiteReplayOptions */
} Sandbox;

typedef struct SandboxResult {
    bool ran, timed_out, isolated;
    int status;          /* as wait gives it */
    const char *problem; /* if it did not run */
} SandboxResult;

SandboxResult sandbox_run(const Sandbox *s);

/* ---- what a sanitizer says (sanitizer.c) ----------------------------------------------------- */

/* The fault kinds (suffixes of fault.def, parted by blanks) that the report may stand for, NULL if
 * unknown. */
const char *sanitizer_kinds(const char *report);
/* The first frame in code that has sources: "file.c:12:5" into site, and its function. False if none is
 * named. `skip`: a directory whose files do not count. */
bool sanitizer_site(const char *report, const char *skip, char *site, size_t site_size, char *function,
                    size_t function_size);
bool words_have(const char *words, const char *word);

/* ---- coverage.c ------------------------------------------------------------------------------ */

/* Sums what llvm-cov exports as lcov; files below `skip` do not count. */
void coverage_read(const char *lcov, const char *skip, SuiteCoverage *out);

/* For the module itself and its tests. */
/* A C file that runs all tests by itself: `cc tests.c program.c && ./a.out`. `observed`: one for each test,
 * or NULL: only how they end is looked at. `library`: the text of runtime/native/replay.c. */
void suite_c_write(const SuiteProgram *program, SuiteTest *const *tests, const SuiteObserved *observed,
                   uint32_t n, const char *library, Str *out);
/* NULL with *error, which is static or lives in the arena `a`. */
SuiteTest *suite_json_read(Arena *a, const void *data, size_t size, const char **error);
/* NULL on a file that is none; *error then says why (static text). Version 1 to 3, KLEE's own included:
 * objects of its POSIX runtime become arguments, standard input and files again. */
SuiteTest *suite_ktest_read(const void *data, size_t size, const char **error);
/* KLEE's format, version 3. Nothing empty is ever written: see ktest.c. */
void suite_ktest_write(const SuiteTest *t, Str *out);
void suite_observed_free(SuiteObserved *o);
const char *suite_origin_word(SuiteOrigin origin);
void suite_replay_observe(SuiteReplay *r, const SuiteTest *t, SuiteObserved *out);
/* The argument words as the program sees them, symbolic ones included; texts live as long as t. Clears
 * out. */
void suite_test_words(const SuiteTest *t, StrVec *out);
const char *suite_type_name(SuiteType type, uint32_t size); /* "int", NULL if C has no name for it */
/* metadata.xml; hashes the first input. time: seconds since 1970. False with *error if that cannot be
 * read. */
bool suite_is_test_name(const char *name); /* NNNN.ending, four digits or more, as dir.c names tests */
bool suite_xml_metadata(const SuiteProgram *program, int64_t time, Str *out, const char **error);
/* Test-Comp: values of the calls, in their order. */
void suite_xml_write(const SuiteTest *t, Str *out);

#endif
