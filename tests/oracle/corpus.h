/* corpus.h - generated programs with everything that is true of them: the ground that every explorer's oracle
 * stands on.
 *
 *     Corpus *c = corpus_new(&(CorpusOptions){.clang = "clang-14", .runtime = "runtime.bc", .seed = 1, .count
 * = 100}); for (uint32_t p = 0; p < c->count; p++) { CorpusArguments args; VmEnvironment e =
 * corpus_environment(p, &args);       // explore c->ir with it: that is program p alone for (uint32_t k = 0;
 * k < GENERATE_COMBINATIONS; k++) { ExprInput input = {0}; corpus_input(k, &input); // the k-th of all inputs
 *             const CorpusOutcome *native = corpus_native(c, p, k);   // and what the native program does
 * with it
 *         }
 *     }
 *
 * Program p of a corpus is a function of seed + p alone. Seeds below GENERATE_WIDE have the plain grammar
 * (generate.c), others the wide one too (wide.c): only the latter print, have an output, or leave with
 * exit(). */
#ifndef SHEAF_TESTS_CORPUS_H
#define SHEAF_TESTS_CORPUS_H

#include "edits.h"
#include "expr/expr.h"
#include "frontend/frontend.h"
#include "generate.h"
#include "vm/vm.h"

enum {
    CORPUS_FRAMES = 128, /* that fit on the stack of programs for Sheaf; natively none overflows it */
    CORPUS_POINTERS =
        4096 /* objects to which a pointer may be followed: more than all programs of a corpus have */
};

typedef struct CorpusOutcome {
    uint32_t fault;          /* the failing statement, which is its line in the source; 0: none */
    uint8_t status;          /* of an end without fault */
    bool has_output;         /* the run reached OUTPUT and did not fail */
    int32_t output;          /* what sheaf_output was given */
    const uint8_t *reported; /* branches of the program's own, two bytes each: statement, '+' or '-' */
    uint32_t nreported;
    const char *printed; /* what went to standard output */
    uint32_t nprinted;
} CorpusOutcome;

typedef struct CorpusOptions {
    const char *clang, *runtime;
    uint64_t seed;
    uint32_t count; /* programs: compiled together, so some hundred at most */
    uint64_t edits; /* not 0: each program with one edit, drawn from this and its seed (edits.h) */
    bool prints;    /* each program prints its variables at its end */
    bool helpers;   /* each program calls functions with loops that no edit touches (edits_call_helpers) */
    bool quiet;     /* the program for Sheaf does not tell which sides its branches take */
} CorpusOptions;

typedef struct Corpus {
    Arena *arena;
    uint64_t seed;
    uint32_t count;
    const IrProgram *ir;         /* all programs; the first argument chooses one */
    const Edit *edits;           /* with CorpusOptions.edits: of each program; else NULL */
    const CorpusOutcome *native; /* see corpus_native */
} Corpus;

/* Generates, compiles and runs natively on all inputs. die()s if that fails. SHEAF_SOURCE names the root of
 * the sources. */
Corpus *corpus_new(const CorpusOptions *options);
void corpus_free(Corpus *c);

const CorpusOutcome *corpus_native(const Corpus *c, uint32_t program, uint32_t k);
void corpus_input(uint32_t k, ExprInput *input);

typedef struct CorpusArguments {
    char number[16];
    const char *argv[3];
} CorpusArguments;
/* The environment in which c->ir is one program of the corpus; args must live as long. */
VmEnvironment corpus_environment(uint32_t program, CorpusArguments *args);

/* The branches that a run reported, of the machine that has just made it; in the arena. */
void corpus_reported(Vm *vm, Arena *arena, CorpusOutcome *out);

/* Runs a program, with its standard output in a file unless `output` is NULL; die()s if it fails. */
void corpus_run_tool(const char *const *argv, const char *output);

/* How many programs the next corpus has, at most so many, of those that are left; 0: none are. */
static inline uint32_t corpus_batch(uint64_t *left, uint32_t most)
{
    uint32_t n = *left < most ? (uint32_t)*left : most;
    *left -= n;
    return n;
}

#endif
