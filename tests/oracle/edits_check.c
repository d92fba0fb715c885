/* edits_check.c - random edits held against native runs: a refactoring never shows, and enough of the others
 * do.
 *
 * `edits --pair SEED EDIT` prints both versions of a program, for a person who looks into a failure. */
#include "arguments.h"
#include "corpus.h"

#include <stdlib.h>

typedef struct Check {
    const char *clang, *runtime;
    uint64_t programs, seed, edits, failures;
    uint64_t made[EDIT_KINDS], differ[EDIT_KINDS];
} Check;

static bool same_outcome(const CorpusOutcome *a, const CorpusOutcome *b)
{
    return a->fault == b->fault && a->status == b->status && a->has_output == b->has_output &&
           a->output == b->output && a->nprinted == b->nprinted &&
           !memcmp(a->printed, b->printed, a->nprinted);
}

static void check_batch(Check *c, uint32_t count)
{
    CorpusOptions options = {
        .clang = c->clang, .runtime = c->runtime, .seed = c->seed, .count = count, .prints = true};
    Corpus *old = corpus_new(&options);
    options.edits = c->edits;
    Corpus *new = corpus_new(&options);
    for (uint32_t i = 0; i < count; i++) {
        bool differs = false;
        for (uint32_t k = 0; k < GENERATE_COMBINATIONS; k++)
            differs |= !same_outcome(corpus_native(old, i, k), corpus_native(new, i, k));
        const Edit *e = &new->edits[i];
        c->made[e->kind]++;
        c->differ[e->kind] += differs;
        if (differs && e->refactoring) {
            printf("FAIL seed %llu: %s at statement %u is seen\n", (unsigned long long)(c->seed + i),
                   edit_word(e->kind), e->statement);
            c->failures++;
        }
    }
    corpus_free(old);
    corpus_free(new);
}

static void print_pair(uint64_t seed, uint64_t edits)
{
    for (int i = 0; i < 2; i++) {
        Str text = {0};
        Edit e;
        generate_batch(&(GenerateOptions){.seed = seed, .count = 1}, &text);
        edits_print_more(&text);
        if (i)
            edits_apply(&text, seed, 1, edits, &e);
        printf("/* ---- %s */\n%s", i ? edit_word(e.kind) : "old", str_text(&text));
        str_free(&text);
    }
}

int main(int argc, char **argv)
{
    enum { BATCH = 100 };
    Check c = {.programs = 100, .seed = 1, .edits = 1};
    if (argc == 4 && !strcmp(argv[1], "--pair")) {
        print_pair(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
        return 0;
    }
    const Argument table[] = {
        ARGUMENTS_OF_ALL(&c),
        {.name = "--edits", .help = "which edits: another number draws others", .number = &c.edits},
        {0},
    };
    arguments_read("edits", "Random edits against native runs.", table, argc, argv);
    uint64_t left = c.programs;
    for (uint32_t n; (n = corpus_batch(&left, BATCH)); c.seed += n)
        check_batch(&c, n);
    uint64_t others = 0, seen = 0;
    for (unsigned k = 0; k < EDIT_KINDS; k++) {
        printf("%-20s %5llu made, %5llu show\n", edit_word((EditKind)k), (unsigned long long)c.made[k],
               (unsigned long long)c.differ[k]);
        others += c.made[k];
        seen += c.differ[k];
    }
    if (seen * 10 < others) { /* else nothing would be tested by them */
        printf("FAIL hardly an edit shows\n");
        c.failures++;
    }
    printf("%llu passed, %llu failed\n", (unsigned long long)(c.programs - c.failures),
           (unsigned long long)c.failures);
    return c.failures != 0;
}
