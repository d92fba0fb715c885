/* compare.c - one explorer beside another: what the same question costs either, and whether anything is missed.
 *
 * Both explore the program anew, without writing tests, so that times are theirs alone. The coverage is that of the paper:
 * of the relevant slice conditions on the paths that the second explorer runs (once more, with labels), how many are rows
 * of the first. */
#include "cli/compare.h"

enum { FORMULAS_MOST = 500 };                 /* conditions that are printed to learn their size */

typedef struct Side {
    const char *name;
    Explore *explore;
    Vec(ExprVec) conditions;                  /* of the runs that are tests */
    uint64_t tests;
    const ExprPool *pool;                     /* of the conditions */
    Explore *rows;                            /* of the coverage: the first explorer */
    uint64_t paths, covered;
} Side;

static bool is_test(const VmTrace *t)
{
    return t->result.ending == VM_END_RETURN || t->result.ending == VM_END_EXIT || t->result.ending == VM_END_FAULT;
}

static void forget_conditions(Side *s)
{
    for (uint32_t i = 0; i < s->conditions.n; i++)
        vec_free(&s->conditions.v[i]);
    vec_clear(&s->conditions);
}

static void on_run(void *context, const ExploreRun *run)
{
    Side *s = context;
    ExprVec condition = {0};
    if (!is_test(run->trace))
        return;
    s->tests++;
    if (s->pool != explore_pool(run->explore))         /* memory was collected: those before are gone */
        forget_conditions(s);
    s->pool = explore_pool(run->explore);
    if (!strcmp(s->name, "output") && run->trace->result.ending != VM_END_FAULT)
        explore_slice(run->explore, run->trace, &condition);
    else
        for (uint32_t i = 0; i < run->trace->decisions.n; i++)
            vec_push(&condition, run->trace->decisions.v[i].holds);
    vec_push(&s->conditions, condition);
}

/* The slices of the second explorer's paths, looked up among the first one's rows. */
static void on_labelled_run(void *context, const ExploreRun *run)
{
    Side *s = context;
    ExprVec slice = {0};
    if (run->trace->result.ending != VM_END_RETURN && run->trace->result.ending != VM_END_EXIT)
        return;
    explore_slice(run->explore, run->trace, &slice);
    ExprImport *import = expr_import_new(explore_pool(s->rows), explore_pool(run->explore));
    for (uint32_t i = 0; i < slice.n; i++)
        slice.v[i] = expr_import(import, slice.v[i]);
    expr_import_free(import);
    s->paths++;
    s->covered += explore_row_find(s->rows, &slice) != UINT32_MAX;
    vec_free(&slice);
}

static void explore_side(Side *s, const IrProgram *program, const VmEnvironment *environment, const ExploreOptions *base)
{
    ExploreOptions options = *base;
    options.explorer = s->name;
    options.context = s;
    options.on_run = on_run;
    options.on_progress = NULL;
    s->explore = explore_new(program, environment, &options);
    explore_all(s->explore);
}

static void cover(Side *labelled, const IrProgram *program, const VmEnvironment *environment, const ExploreOptions *base)
{
    ExploreOptions options = *base;
    options.explorer = labelled->name;
    options.labels_of = "output";
    options.context = labelled;
    options.on_run = on_labelled_run;
    options.on_progress = NULL;
    labelled->explore = explore_new(program, environment, &options);
    explore_all(labelled->explore);
    explore_free(labelled->explore);
}

/* ---- the table ---------------------------------------------------------------------------------------------- */

/* Bytes of a test's condition as SMT-LIB. */
static double formula_size(const Side *s)
{
    const ExprPool *p = s->pool;
    uint32_t step = s->conditions.n / FORMULAS_MOST + 1, n = 0;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < s->conditions.n; i += step, n++) {
        Str text = {0};
        expr_print_smt_query(p, s->conditions.v[i].v, s->conditions.v[i].n, NULL, &text);
        bytes += text.n;
        str_free(&text);
    }
    return n ? (double)bytes / n : 0;
}

static double tests_of(const Side *s) { return (double)s->tests; }
static double runs_of(const Side *s) { return (double)explore_count(s->explore, EXPLORE_RUNS); }
static double calls_of(const Side *s) { return (double)solver_count(explore_solver(s->explore), SOLVER_QUERIES_COUNT); }
static double seconds_of(const Side *s) { return explore_seconds(s->explore); }

static const struct {
    const char *text, *key;
    double (*of)(const Side *s);
    int digits;
} lines[COMPARE_LINES] = {{"tests", "tests", tests_of, 0},
                          {"runs", "runs", runs_of, 0},
                          {"solver calls", "solver_calls", calls_of, 0},
                          {"average formula, bytes", "formula_bytes", formula_size, 0},
                          {"time, s", "seconds", seconds_of, 3}};

static void side_free(Side *s)
{
    forget_conditions(s);
    vec_free(&s->conditions);
    explore_free(s->explore);
}

void compare_explorers(const IrProgram *program, const VmEnvironment *environment, const ExploreOptions *options, const char *second,
                       Comparison *out)
{
    Side a = {.name = options->explorer}, b = {.name = second};
    *out = (Comparison){.names = {a.name, b.name}};
    explore_side(&a, program, environment, options);
    explore_side(&b, program, environment, options);
    for (unsigned i = 0; i < COMPARE_LINES; i++) {
        out->values[i][0] = lines[i].of(&a);
        out->values[i][1] = lines[i].of(&b);
    }
    out->has_coverage = explore_signature(a.explore) != NULL;
    if (out->has_coverage) {
        Side labelled = {.name = second, .rows = a.explore};
        cover(&labelled, program, environment, options);
        out->paths = labelled.paths;
        out->covered = labelled.covered;
    }
    out->complete = !ledger_count(explore_ledger(a.explore)) && !ledger_count(explore_ledger(b.explore));
    side_free(&a);
    side_free(&b);
}

void compare_text(const Comparison *c, Str *out)
{
    str_printf(out, "%-24s %12s %12s\n", "", c->names[0], c->names[1]);
    for (unsigned i = 0; i < COMPARE_LINES; i++) {
        double x = c->values[i][0], y = c->values[i][1];
        str_printf(out, "%-24s %12.*f %12.*f   %.1f times\n", lines[i].text, lines[i].digits, x, lines[i].digits, y, x > 0 ? y / x : 0);
    }
    if (c->has_coverage)
        str_printf(out, "relevant slice conditions: those of %llu of %llu paths are covered (%llu %%)\n", (unsigned long long)c->covered,
                   (unsigned long long)c->paths, (unsigned long long)(c->paths ? 100 * c->covered / c->paths : 100));
}

void compare_json(const Comparison *c, JsonOut *json)
{
    json_object_begin(json, "compare");
    for (unsigned i = 0; i < COMPARE_LINES; i++) {
        json_object_begin(json, lines[i].key);
        json_double(json, c->names[0], c->values[i][0]);
        json_double(json, c->names[1], c->values[i][1]);
        json_object_end(json);
    }
    if (c->has_coverage) {
        json_uint(json, "paths", c->paths);
        json_uint(json, "paths_covered", c->covered);
    }
    json_bool(json, "complete", c->complete);
    json_object_end(json);
}
