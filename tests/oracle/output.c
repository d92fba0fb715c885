/* output.c - signatures against brute force, on random programs.
 *
 * usage: output --clang CLANG --runtime FILE [--programs N] [--seed S] [--faults met|tie] [--no-snapshots]
 * [--interrupt N] [--jobs N] [--board] [--off RULES] [--explore output|states]
 *               [--expect-failures]
 *
 * Every program is run natively on all its inputs; then the explorer `output` makes its signature, with one
 * of several criteria by the seed. Checked:
 *   - the signature is complete: the ledger is empty, and the solver found no input outside of it;
 *   - every input that does not fail (with --faults tie: every input) satisfies exactly one row;
 *   - the row gives what the native run printed, byte by byte, its exit status and its output, as far as
 * observed;
 *   - every class of failing inputs fails natively, on all inputs;
 *   - no row was found by the check of completeness only: the labels are right;
 *   - rows with the same output as one, their conditions united: every input that satisfies a row satisfies
 * the one that stands for it and no other, and what that shows is what the native run did.
 * --off leaves rules of labels out (a sum of the bits in vm/labels/label_int.h), to see that all this can
 * fail. A failure names the seed of its program, which repeats it by itself with --programs 1. */
#include "arguments.h"
#include "board.h"
#include "corpus.h"
#include "interrupted.h"
#include "flow/flow.h"

#include <stdlib.h>

enum { BATCH = 100 };

typedef struct Check {
    const char *clang, *runtime;
    uint64_t programs, seed;
    bool snapshots, expect_failures, board;
    uint64_t lost; /* regions of the board */
    unsigned off, tie, states;
    const IrProgram *program;
    Flow *flow;
    const Signature *signature;
    unsigned what; /* is observed */
    ExprEval *eval;
    const char *wrong;
    uint64_t runs, rows, groups, failures, classes;
    uint64_t kills;                           /* of these processes */
    uint64_t interrupt, sessions, jobs, sent; /* runs of a session; that went on; processes; runs of others */
} Check;

static bool holds(Check *c, const ExprVec *condition)
{
    for (uint32_t i = 0; i < condition->n; i++)
        if (!expr_eval_true(c->eval, condition->v[i]))
            return false;
    return true;
}

static const SignatureOutput *output_of(const SignatureRow *row, const char *name)
{
    for (uint32_t i = 0; i < row->outputs.n; i++)
        if (!strcmp(row->outputs.v[i].name, name))
            return &row->outputs.v[i];
    return NULL;
}

/* ---- a row under an input -------------------------------------------------------------------- */

static bool prints(Check *c, const SignatureRow *row, const CorpusOutcome *native)
{
    const SignatureOutput *o = output_of(row, "stdout");
    Str text = {0};
    for (uint32_t i = 0; o && i < o->parts.n; i++) {
        const SignaturePart *part = &o->parts.v[i];
        if (part->text)
            str_add_n(&text, part->text, part->size);
        else
            vm_format_render(&part->format, part->size, expr_eval(c->eval, part->value), &text);
    }
    bool same = o && text.n == native->nprinted && !memcmp(str_text(&text), native->printed, text.n);
    if (!same)
        printf("  row prints '%s', natively '%.*s'\n", str_text(&text), (int)native->nprinted,
               native->printed);
    str_free(&text);
    return same;
}

static const char *row_wrong(Check *c, const SignatureRow *row, const CorpusOutcome *native)
{
    bool fails = row->end.ending == VM_END_FAULT;
    if (fails || native->fault) {
        uint32_t line = row->end.site == IR_NONE ? UINT32_MAX : c->program->sites.v[row->end.site].line;
        return fails && line == native->fault ? NULL : "fails otherwise";
    }
    if (c->what & EXPLORE_STATUS) {
        const SignatureOutput *o = output_of(row, "status");
        if (!o || expr_eval(c->eval, o->parts.v[0].value) != native->status)
            return "has another status";
    }
    if (c->what & EXPLORE_STDOUT && !prints(c, row, native))
        return "prints something else";
    if (c->what & EXPLORE_NAMED) {
        const SignatureOutput *o = output_of(row, "output");
        if ((o != NULL) != native->has_output)
            return "does not reach its output alike";
        if (o && (int32_t)expr_eval(c->eval, o->parts.v[0].value) != native->output)
            return "has another output";
    }
    return NULL;
}

static void judge_input(Check *c, uint32_t k, const CorpusOutcome *native)
{
    ExprInput input = {0};
    corpus_input(k, &input);
    expr_eval_input(c->eval, &input);
    const SignatureRow *hit = NULL;
    const char *wrong = NULL;
    for (uint32_t i = 0; i < c->signature->rows.n; i++) {
        if (!holds(c, &c->signature->rows.v[i].condition))
            continue;
        wrong = hit ? "satisfies two rows" : NULL;
        hit = &c->signature->rows.v[i];
    }
    for (uint32_t i = 0; i < c->signature->failures.n && !native->fault; i++)
        if (holds(c, &c->signature->failures.v[i].condition))
            wrong = "lies in a class that fails, and does not fail";
    if (!native->fault || c->tie)
        wrong = wrong ? wrong : !hit ? "satisfies no row" : row_wrong(c, hit, native);
    else
        wrong = NULL;
    if (wrong) {
        uint8_t bytes[GENERATE_INPUTS];
        generate_input(k, bytes);
        printf("  input %d %d %d %s\n", (int8_t)bytes[0], (int8_t)bytes[1], (int8_t)bytes[2], wrong);
        c->wrong = wrong;
    }
    expr_input_free(&input);
}

/* ---- rows with the same output ----------------------------------------------------------------- */

typedef struct United {
    SignatureGroups groups;
    Vec(ExprVec) conditions; /* of each group */
} United;

static United unite(Check *c, Explore *x)
{
    United u = {0};
    ExplorePatience patience = {.seconds = 60};
    const Signature *s = c->signature;
    ExploreUniter *uniter = explore_uniter_new(explore_solver(x), explore_pool(x), &s->given, &patience);
    for (uint32_t i = 0; i < s->rows.n; i++)
        explore_uniter_sample(uniter, &s->rows.v[i].input);
    explore_groups(explore_solver(x), explore_pool(x), s, &patience, &u.groups);
    for (uint32_t i = 0; i < u.groups.n; i++) {
        Vec(ExprVec) simple = {0};
        Vec(const ExprVec *) parts = {0};
        ExprVec all = {0};
        for (uint32_t k = 0; k < u.groups.v[i].rows.n; k++) {
            ExprVec one = {0};
            explore_simplify(explore_solver(x), explore_pool(x),
                             &s->rows.v[u.groups.v[i].rows.v[k]].condition, &s->given, &patience, &one);
            vec_push(&simple, one);
        }
        for (uint32_t k = 0; k < simple.n; k++)
            vec_push(&parts, &simple.v[k]);
        explore_unite(uniter, parts.v, parts.n, &all);
        vec_push(&u.conditions, all);
        for (uint32_t k = 0; k < simple.n; k++)
            vec_free(&simple.v[k]);
        vec_free(&simple);
        vec_free(&parts);
    }
    explore_uniter_free(uniter);
    c->groups += u.groups.n;
    return u;
}

static void united_free(United *u)
{
    for (uint32_t i = 0; i < u->conditions.n; i++)
        vec_free(&u->conditions.v[i]);
    vec_free(&u->conditions);
    explore_groups_free(&u->groups);
}

/* Does the one row that stands for others hold exactly where one of those does, and show what happens there?
 */
static const char *united_wrong(Check *c, const United *u, const CorpusOutcome *native)
{
    const Signature *s = c->signature;
    for (uint32_t i = 0; i < u->groups.n; i++) {
        const SignatureGroup *g = &u->groups.v[i];
        bool any = false, all = holds(c, &u->conditions.v[i]);
        for (uint32_t k = 0; k < g->rows.n && !any; k++)
            any = holds(c, &s->rows.v[g->rows.v[k]].condition);
        if (any != all)
            return any ? "satisfies a row, and not the one that stands for it"
                       : "satisfies a united row only";
        if (any && (!native->fault || c->tie) && row_wrong(c, &s->rows.v[g->shown], native))
            return "does not do what the united row shows";
    }
    return NULL;
}

static void judge_united(Check *c, Explore *x, const Corpus *corpus, uint32_t program)
{
    United u = unite(c, x);
    c->eval = expr_eval_new(explore_pool(x));
    for (uint32_t k = 0; k < GENERATE_COMBINATIONS && !c->wrong; k++) {
        ExprInput input = {0};
        corpus_input(k, &input);
        expr_eval_input(c->eval, &input);
        c->wrong = united_wrong(c, &u, corpus_native(corpus, program, k));
        expr_input_free(&input);
    }
    expr_eval_free(c->eval);
    united_free(&u);
}

static void judge(Check *c, Explore *x, const Corpus *corpus, uint32_t program)
{
    c->wrong = NULL;
    for (uint32_t i = 0; i < ledger_count(explore_ledger(x)); i++) {
        Str text = {0};
        ledger_entry_text(ledger_entry(explore_ledger(x), i), c->program, &text);
        printf("  incomplete: %s\n", str_text(&text));
        str_free(&text);
        c->wrong = "incomplete";
    }
    if (!c->signature->certified)
        c->wrong = "not certified";
    for (uint32_t i = 0; i < c->signature->rows.n; i++)
        if (c->signature->rows.v[i].probed)
            c->wrong = "a row was found by the check of completeness only";
    c->eval = expr_eval_new(explore_pool(x));
    for (uint32_t k = 0; k < GENERATE_COMBINATIONS && !c->wrong; k++)
        judge_input(c, k, corpus_native(corpus, program, k));
    expr_eval_free(c->eval);
    if (!c->wrong)
        judge_united(c, x, corpus, program);
}

/* ---- programs -------------------------------------------------------------------------------- */

/* All, or one of the criteria. */
static unsigned criteria_of(uint64_t seed)
{
    static const unsigned some[] = {EXPLORE_STDOUT | EXPLORE_STDERR | EXPLORE_STATUS | EXPLORE_NAMED,
                                    EXPLORE_STATUS, EXPLORE_STDOUT, EXPLORE_NAMED,
                                    EXPLORE_STDOUT | EXPLORE_STDERR | EXPLORE_STATUS};
    return some[seed % COUNT_OF(some)];
}

static void check_program(Check *c, const Corpus *corpus, uint32_t number)
{
    CorpusArguments args;
    VmEnvironment environment = corpus_environment(number, &args);
    ExploreOptions options = {
        .explorer = c->states ? "states" : "output",
        .sign = c->states,
        .labels_of = c->states ? "output" : NULL,
        .seed = c->seed + number,
        .solver_time = 60,
        .max_runs = 20000,
        .vm = {.max_steps = 10000000, .max_frames = CORPUS_FRAMES},
        .symbolic = {.size_candidates = 8,
                     .pointer_candidates = CORPUS_POINTERS,
                     .flow = c->flow,
                     .rules_off = c->off,
                     .snapshot_bytes = c->snapshots ? 64 << 20 : 0},
        .criteria = {.what = c->what = criteria_of(c->seed + number), .tie_faults = c->tie}};
    options.jobs = (uint32_t)c->jobs;
    options.fork_after = 1 + options.seed % 4;
    Interrupted in = {.program = c->program,
                      .environment = &environment,
                      .options = options,
                      .test = {.kills = (unsigned)c->kills},
                      .after = c->interrupt};
    Board board;
    board_begin(&board, c->program, &environment, &options);
    if (c->board)
        in.options.board = &board.face;
    Explore *x = interrupted_explore(&in);
    c->lost += board.lost;
    board_end(&board);
    c->sessions += in.sessions;
    c->sent += explore_count(x, EXPLORE_SENT);
    c->signature = explore_signature(x);
    c->runs += explore_count(x, EXPLORE_RUNS);
    c->rows += c->signature->rows.n;
    c->classes += c->signature->failures.n;
    judge(c, x, corpus, number);
    if (c->wrong) {
        printf("FAIL seed %llu: %s\n", (unsigned long long)(c->seed + number), c->wrong);
        c->failures++;
    }
    explore_free(x);
}

static void check_batch(Check *c, uint32_t count)
{
    Corpus *corpus = corpus_new(
        &(CorpusOptions){.clang = c->clang, .runtime = c->runtime, .seed = c->seed, .count = count});
    c->program = corpus->ir;
    c->flow = flow_new(c->program, NULL);
    for (uint32_t i = 0; i < count; i++)
        check_program(c, corpus, i);
    flow_free(c->flow);
    corpus_free(corpus);
}

static void read_arguments(Check *c, int argc, char **argv)
{
    static const ArgumentWord faults[] = {{"isolate", false}, {"tie", true}, {0}};
    static const ArgumentWord explorers[] = {{"output", false}, {"states", true}, {0}};
    const Argument table[] = {
        ARGUMENTS_OF_ALL(c),
        {.name = "--faults", .help = "how faults are kept apart", .choice = &c->tie, .words = faults},
        {.name = "--explore", .help = "the explorer", .choice = &c->states, .words = explorers},
        {.name = "--interrupt",
         .help = "stop, save and go on after up to so many runs, again and again",
         .number = &c->interrupt},
        {.name = "--jobs", .help = "processes that explore, from the first runs on", .number = &c->jobs},
        {.name = "--board", .help = "workers explore, and lose what they work on", .set = &c->board},
        {.name = "--kills", .help = "of these processes, killed at random moments", .number = &c->kills},
        {.name = "--no-snapshots", .help = "run each input from the start", .clear = &c->snapshots},
        {.name = "--off", .help = "rules of labels left out, as bits", .choice = &c->off},
        {.name = "--expect-failures", .help = "fail if no program does", .set = &c->expect_failures},
        {0},
    };
    arguments_read("output", "Signatures against brute force.", table, argc, argv);
}

int main(int argc, char **argv)
{
    Check c = {.programs = 100, .seed = 1, .snapshots = true};
    read_arguments(&c, argc, argv);
    uint64_t left = c.programs;
    for (uint32_t n; (n = corpus_batch(&left, BATCH)); c.seed += n)
        check_batch(&c, n);
    printf("%llu programs, %llu runs, %llu rows, %llu outputs, %llu classes of failing inputs\n",
           (unsigned long long)c.programs, (unsigned long long)c.runs, (unsigned long long)c.rows,
           (unsigned long long)c.groups, (unsigned long long)c.classes);
    printf("%llu passed, %llu failed\n", (unsigned long long)(c.programs - c.failures),
           (unsigned long long)c.failures);
    if ((c.interrupt && !c.sessions) || (c.jobs > 1 && !c.sent) || (c.board && (!c.sent || !c.lost))) {
        printf("FAIL: nothing was interrupted or lost, or one process explored\n");
        return 1;
    }
    return (c.failures != 0) != c.expect_failures;
}
