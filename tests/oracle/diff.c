/* diff.c - the joint partition of two versions against native runs of both on all inputs.
 *
 * usage: diff --clang CLANG --runtime FILE [--programs N] [--seed S] [--edits E] [--helpers]
 * [--memory BYTES] [--off RULES] [--expect-failures] [--no-examples]
 *
 * OLD is a random program, NEW the same with one random edit. Each input lies in exactly one row, or in none
 * if the program ends without an answer. In a row that is "same" no input may show a difference natively; the
 * input of a row that is "different" must show one; and where nothing is open every input that differs lies
 * in a different row. Of refactorings by construction nine in ten must be recognised.
 * --off leaves rules out (VERSIONS_OFF_...), to see that this can fail. */
#include "arguments.h"
#include "corpus.h"
#include "versions/versions.h"

#include <stdlib.h>

enum { BATCH = 50 };

typedef struct Check {
    const char *clang, *runtime;
    uint64_t programs, seed, edits, off, memory;
    bool expect_failures, verbose, helpers, no_examples;
    uint64_t failures, rows[JOINT_OPEN + 1], refactorings, recognised, open, pairs, differing, found,
        identical, abstracted, refined, spilled, failing, told_failing, outlined;
} Check;

/* Statements stand on other lines after an edit: only that both fail is compared. */
static bool differs(const CorpusOutcome *a, const CorpusOutcome *b)
{
    if (a->fault || b->fault)
        return !a->fault != !b->fault;
    return a->status != b->status || a->has_output != b->has_output || a->output != b->output ||
           a->nprinted != b->nprinted || memcmp(a->printed, b->printed, a->nprinted);
}

static void fail(Check *c, uint64_t seed, const char *edit, const char *what, uint32_t k)
{
    if (c->failures++ < 20 && !c->expect_failures)
        printf("FAIL seed %llu (%s): %s, input %u\n", (unsigned long long)seed, edit, what, k);
}

static bool holds(ExprEval *ev, const ExprVec *condition)
{
    for (uint32_t i = 0; i < condition->n; i++)
        if (!expr_eval_true(ev, condition->v[i]))
            return false;
    return true;
}

/* Which of all inputs it is; GENERATE_COMBINATIONS: none. */
static uint32_t number_of(const ExprInput *input)
{
    for (uint32_t k = 0; k < GENERATE_COMBINATIONS; k++) {
        uint8_t bytes[GENERATE_INPUTS];
        bool same = true;
        generate_input(k, bytes);
        for (uint32_t i = 0; i < GENERATE_INPUTS; i++)
            same &= expr_input_byte(input, i) == bytes[i];
        if (same)
            return k;
    }
    return GENERATE_COMBINATIONS;
}

typedef struct Program {
    Check *c;
    const Corpus *old, *new;
    uint32_t number;
    uint64_t seed;
    const char *edit;
    bool differs[GENERATE_COMBINATIONS];
    bool fails[GENERATE_COMBINATIONS]; /* one version alone */
    bool any;
} Program;

/* What rows say of one input. */
static void check_input(Program *p, const Joint *j, uint32_t k)
{
    ExprInput input = {0};
    ExprEval *ev = expr_eval_new(j->pool);
    uint32_t in = 0;
    bool open = ledger_count(j->ledger[0]) || ledger_count(j->ledger[1]), found_it = false;
    corpus_input(k, &input);
    expr_eval_input(ev, &input);
    for (uint32_t i = 0; i < j->rows.n; i++) {
        const JointRow *row = &j->rows.v[i];
        if (!holds(ev, &row->condition))
            continue;
        in += row->verdict != JOINT_OPEN;
        open |= row->verdict == JOINT_OPEN;
        found_it |= row->verdict == JOINT_DIFFERENT;
        p->c->told_failing +=
            p->fails[k] && row->verdict == JOINT_DIFFERENT && (row->fault_new || row->fault_gone);
        if (p->differs[k] && row->verdict < JOINT_DIFFERENT)
            fail(p->c, p->seed, p->edit, "a row says same, and the input differs natively", k);
    }
    if (in > 1)
        fail(p->c, p->seed, p->edit, "the input lies in several rows", k);
    if (p->differs[k] && !found_it && !open)
        fail(p->c, p->seed, p->edit, "the input differs natively, and no row is different", k);
    expr_eval_free(ev);
    expr_input_free(&input);
}

static void check_rows(Program *p, const Joint *j)
{
    for (uint32_t i = 0; i < j->rows.n; i++) {
        const JointRow *row = &j->rows.v[i];
        p->c->rows[row->verdict]++;
        if (row->verdict == JOINT_OPEN && p->c->verbose)
            printf("open: seed %llu (%s): %s\n", (unsigned long long)p->seed, p->edit, row->why);
        if (row->verdict != JOINT_DIFFERENT || (row->fault_new && row->fault_gone))
            continue; /* both fail in different ways, which native runs do not separate here */
        uint32_t k = number_of(&row->input);
        if (k == GENERATE_COMBINATIONS)
            fail(p->c, p->seed, p->edit, "a row differs for something that is no input", k);
        else if (!p->differs[k])
            fail(p->c, p->seed, p->edit, "a row is different, and its input is not natively", k);
    }
    for (uint32_t k = 0; k < GENERATE_COMBINATIONS; k++)
        check_input(p, j, k);
}

/* As diff_fn.c: what abstraction leaves open is refined. */
static Joint *explore(Check *c, Versions *v, JointOptions *o, const JointAbstractVec *all)
{
    enum { REFINEMENTS_MOST = 2 };
    JointAbstractVec abstract = {0};
    for (uint32_t i = 0; i < all->n; i++)
        vec_push(&abstract, all->v[i]);
    for (uint32_t i = 0;; i++) {
        if (i == REFINEMENTS_MOST)
            vec_clear(&abstract);
        o->abstract = abstract;
        Joint *j = joint_new(v, o);
        joint_explore(j);
        JointAbstractVec next = {0};
        for (uint32_t k = 0; k < abstract.n; k++)
            vec_push(&next, abstract.v[k]);
        bool refined = joint_verdict(j) == JOINT_OPEN && !(c->off & VERSIONS_OFF_REFINE) &&
                       joint_abstract_refine(j, &next);
        c->abstracted += j->applied > 0;
        c->refined += refined;
        if (!refined) {
            vec_free(&next);
            return j;
        }
        joint_free(j);
        vec_free(&abstract);
        abstract = next;
    }
}

static void check_program(Program *p, Versions *v, const JointAbstractVec *abstract)
{
    Check *c = p->c;
    CorpusArguments args;
    VmEnvironment environment = corpus_environment(p->number, &args);
    JointOptions o = {.environment = &environment,
                      .rules_off = (unsigned)c->off,
                      .explore = {.solver_time = 60,
                                  .max_runs = 5000,
                                  .max_memory = c->memory,
                                  .vm = {.max_steps = 10000000, .max_frames = CORPUS_FRAMES},
                                  .criteria = {.what = EXPLORE_STDOUT | EXPLORE_STATUS | EXPLORE_NAMED},
                                  .symbolic = {.size_candidates = 8, .pointer_candidates = CORPUS_POINTERS}}};
    for (uint32_t k = 0; k < GENERATE_COMBINATIONS; k++) {
        p->differs[k] = differs(corpus_native(p->old, p->number, k), corpus_native(p->new, p->number, k));
        p->any |= p->differs[k];
        p->fails[k] =
            !corpus_native(p->old, p->number, k)->fault != !corpus_native(p->new, p->number, k)->fault;
        c->failing += p->fails[k];
    }
    Joint *j = explore(c, v, &o, abstract);
    check_rows(p, j);
    JointVerdict verdict = joint_verdict(j);
    if (p->any && verdict < JOINT_DIFFERENT)
        fail(c, p->seed, p->edit, "the versions are called the same", 0);
    if (p->new->edits[p->number].refactoring) {
        c->refactorings++;
        c->recognised += verdict < JOINT_DIFFERENT;
    }
    for (unsigned i = 0; c->verbose && i < 2; i++)
        if (ledger_count(j->ledger[i]))
            printf("open: seed %llu (%s): limits of %s\n", (unsigned long long)p->seed, p->edit,
                   i ? "the new version" : "the old version");
    c->pairs++;
    c->spilled += explore_count(j->explore, EXPLORE_SPILLED);
    c->open += verdict == JOINT_OPEN;
    c->differing += p->any;
    c->found += p->any && verdict == JOINT_DIFFERENT;
    vec_free(&o.abstract);
    joint_free(j);
}

static void check_batch(Check *c, uint32_t count)
{
    CorpusOptions options = {.clang = c->clang,
                             .runtime = c->runtime,
                             .seed = c->seed,
                             .count = count,
                             .prints = true,
                             .helpers = c->helpers,
                             .quiet = true};
    Corpus *old = corpus_new(&options);
    options.edits = c->edits;
    Corpus *new = corpus_new(&options);
    /* Tags are written into them, and loops become functions; no other code holds the two. */
    IrProgram *ir[2] = {(IrProgram *)(uintptr_t)old->ir, (IrProgram *)(uintptr_t) new->ir};
    versions_outline(ir[VERSIONS_OLD], ir[VERSIONS_NEW], 0);
    Versions *v = versions_pair(ir[VERSIONS_OLD], ir[VERSIONS_NEW], (unsigned)c->off);
    for (uint32_t i = 0; i < v->fns.n; i++)
        c->outlined += v->fns.v[i].outlined;
    BitSet same = {0};
    JointAbstractVec abstract = {0};
    versions_unchanged(v, &same);
    joint_abstract_find(v, IR_NONE, &same, 0, (unsigned)c->off, &abstract);
    for (uint32_t i = 0; i < count; i++) {
        Program p = {.c = c,
                     .old = old,
                     .new = new,
                     .number = i,
                     .seed = c->seed + i,
                     .edit = edit_word(new->edits[i].kind)};
        check_program(&p, v, &abstract);
    }
    bitset_free(&same);
    vec_free(&abstract);
    versions_free(v);
    corpus_free(old);
    corpus_free(new);
}

/* ---- examples for single rules --------------------------------------------------------------- */

static IrProgram *open_example(const Check *c, const char *name, const char *version)
{
    const char *root = getenv("SHEAF_SOURCE");
    Arena *arena = arena_new();
    FrontendOptions options = {.runtime = c->runtime, .entry = "main", .clang = c->clang};
    vec_push(&options.inputs,
             arena_printf(arena, "%s/tests/oracle/pairs/%s_%s.c", root ? root : ".", name, version));
    vec_push(&options.cflags, arena_printf(arena, "-I%s/include", root ? root : "."));
    IrProgram *program = frontend_load(&options);
    vec_free(&options.inputs);
    vec_free(&options.cflags);
    arena_free(arena);
    return program;
}

/* Two versions that do the same, as long as all rules hold. */
static void check_example(Check *c, const char *name, bool identical)
{
    const char *argv[] = {"example", NULL};
    VmEnvironment environment = {.argc = 1, .argv = argv, .stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1};
    JointOptions o = {.environment = &environment,
                      .rules_off = (unsigned)c->off,
                      .explore = {.solver_time = 60,
                                  .max_runs = 1000,
                                  .symbolic = {.size_candidates = 8, .pointer_candidates = 8}}};
    IrProgram *old = open_example(c, name, "old"), *new = open_example(c, name, "new");
    Versions *v = versions_pair(old, new, (unsigned)c->off);
    BitSet same = {0};
    JointAbstractVec abstract = {0};
    versions_unchanged(v, &same);
    joint_abstract_find(v, IR_NONE, &same, 0, (unsigned)c->off, &abstract);
    Joint *j = explore(c, v, &o, &abstract);
    if (joint_verdict(j) >= JOINT_DIFFERENT || v->identical != identical)
        fail(c, 0, name, "an example is not recognised", 0);
    bitset_free(&same);
    vec_free(&abstract);
    vec_free(&o.abstract);
    joint_free(j);
    versions_free(v);
    ir_program_free(old);
    ir_program_free(new);
}

int main(int argc, char **argv)
{
    Check c = {.programs = 100, .seed = 1, .edits = 1};
    const Argument table[] = {
        ARGUMENTS_OF_ALL(&c),
        {.name = "--edits", .help = "which edits: another number draws others", .number = &c.edits},
        {.name = "--memory", .help = "budget of one comparison, in bytes", .number = &c.memory},
        {.name = "--off", .help = "rules to leave out", .number = &c.off},
        {.name = "--expect-failures", .help = "succeed if something fails", .set = &c.expect_failures},
        {.name = "--helpers", .help = "programs call functions that no edit touches", .set = &c.helpers},
        {.name = "--no-examples", .help = "random programs alone", .set = &c.no_examples},
        {.name = "--verbose", .help = "print why rows are open", .set = &c.verbose},
        {0},
    };
    arguments_read("diff", "What a change changes, against native runs of both versions.", table, argc, argv);
    if (!c.no_examples) {
        check_example(&c, "inputs", false);
        check_example(&c, "lines", true);
        check_example(&c, "refined", false);
    }
    uint64_t left = c.programs;
    for (uint32_t n; (n = corpus_batch(&left, BATCH)); c.seed += n)
        check_batch(&c, n);
    if (!c.memory && c.refactorings >= 10 && c.recognised * 10 < c.refactorings * 9)
        fail(&c, c.seed, "all", "fewer than nine in ten refactorings are recognised", 0);
    printf("%llu pairs: %llu differ, %llu of them found; %llu of %llu refactorings recognised; %llu open\n",
           (unsigned long long)c.pairs, (unsigned long long)c.differing, (unsigned long long)c.found,
           (unsigned long long)c.recognised, (unsigned long long)c.refactorings, (unsigned long long)c.open);
    printf("%llu inputs on which one version fails alone, %llu of them in a row that says so\n",
           (unsigned long long)c.failing, (unsigned long long)c.told_failing);
    printf("rows: %llu identical, %llu proved, %llu different, %llu open\n", (unsigned long long)c.rows[0],
           (unsigned long long)c.rows[1], (unsigned long long)c.rows[2], (unsigned long long)c.rows[3]);
    printf("%llu values of loops that both have; %llu comparisons with calls that were not entered, %llu "
           "refined\n",
           (unsigned long long)c.outlined, (unsigned long long)c.abstracted, (unsigned long long)c.refined);
    if (c.memory && !c.spilled)
        fail(&c, c.seed, "all", "memory was enough: nothing was moved into another pool", 0);
    if (c.expect_failures) {
        printf("%llu failures, which were expected\n", (unsigned long long)c.failures);
        return !c.failures;
    }
    printf("%llu failed\n", (unsigned long long)c.failures);
    return c.failures != 0;
}
