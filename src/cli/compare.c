/* compare.c - one explorer beside another: what the same question costs either, and whether anything is
 * missed.
 *
 * Both explore the program anew, without writing tests, so that times are theirs alone. For `output` the
 * coverage is that of its paper: of the relevant slice conditions on the paths that the second explorer
 * runs (once more, with labels), how many are rows of the first. */
#include "cli/compare.h"

#include "cli/behaviours.h"

enum { FORMULAS_MOST = 500 }; /* conditions that are kept, and printed to learn their size */

typedef struct Side {
    const char *name;
    Explore *explore;
    Vec(ExprVec) conditions; /* of every stride-th run that is a test */
    uint64_t tests, stride;
    uint64_t violations; /* runs that end in a violated assumption: paths, but no tests */
    CompareFaults faults;
    Behaviours behaviours;
    double observing;     /* seconds spent on all this */
    const ExprPool *pool; /* of the conditions */
    Explore *rows;        /* of the coverage: the first explorer */
    uint64_t paths, covered;
} Side;

static bool is_test(const VmTrace *t)
{
    return t->result.ending == VM_END_RETURN || t->result.ending == VM_END_EXIT ||
           t->result.ending == VM_END_FAULT;
}

static void forget_conditions(Side *s)
{
    for (uint32_t i = 0; i < s->conditions.n; i++)
        vec_free(&s->conditions.v[i]);
    vec_clear(&s->conditions);
}

/* Half of them are enough. */
static void thin_conditions(Side *s)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->conditions.n; i++)
        if (i % 2)
            vec_free(&s->conditions.v[i]);
        else
            s->conditions.v[kept++] = s->conditions.v[i];
    s->conditions.n = kept;
    s->stride *= 2;
}

static void keep_condition(Side *s, const ExploreRun *run)
{
    ExprVec condition = {0};
    if (s->pool != explore_pool(run->explore)) /* memory was collected: those before are gone */
        forget_conditions(s);
    s->pool = explore_pool(run->explore);
    if (!strcmp(s->name, "output") && run->trace->result.ending != VM_END_FAULT)
        explore_slice(run->explore, run->trace, &condition);
    else
        for (uint32_t i = 0; i < run->trace->decisions.n; i++)
            vec_push(&condition, run->trace->decisions.v[i].holds);
    vec_push(&s->conditions, condition);
    if (s->conditions.n > FORMULAS_MOST)
        thin_conditions(s);
}

static bool has_fault(const CompareFaults *faults, CompareFault fault)
{
    for (uint32_t i = 0; i < faults->n; i++)
        if (faults->v[i].kind == fault.kind && faults->v[i].site == fault.site)
            return true;
    return false;
}

/* Of a run without labels: those of the same one with them. */
static void note_behaviours(Side *s, const ExploreRun *run)
{
    if (explore_is_labelled(run->explore)) {
        behaviours_note(&s->behaviours, run);
        return;
    }
    VmTrace *trace = explore_run_labelled(run->explore, run->input);
    ExploreRun labelled = *run;
    labelled.trace = trace;
    behaviours_note(&s->behaviours, &labelled);
    explore_labelled_free(run->explore, trace);
}

static void on_run(void *context, const ExploreRun *run)
{
    Side *s = context;
    double start = clock_seconds();
    const VmResult *r = &run->trace->result;
    CompareFault fault = {r->fault, r->site};
    if (is_test(run->trace) && !run->repeated && s->tests++ % s->stride == 0)
        keep_condition(s, run);
    s->violations += r->ending == VM_END_ASSUMPTION;
    if (r->ending == VM_END_FAULT && !has_fault(&s->faults, fault))
        vec_push(&s->faults, fault);
    if (s->behaviours.common)
        note_behaviours(s, run);
    s->observing += clock_seconds() - start;
}

/* The slices of the second explorer's paths, looked up among the first one's rows. */
static void find_row(Side *s, const ExploreRun *run)
{
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

static void on_labelled_run(void *context, const ExploreRun *run)
{
    Side *s = context;
    double start = clock_seconds();
    behaviours_note(&s->behaviours, run);
    if (s->rows)
        find_row(s, run);
    s->observing += clock_seconds() - start;
}

static void explore_side(Side *s, const IrProgram *program, const VmEnvironment *environment,
                         const ExploreOptions *base)
{
    ExploreOptions options = *base;
    options.explorer = s->name;
    options.context = s;
    options.on_run = on_run;
    options.on_progress = NULL;
    s->explore = explore_new(program, environment, &options);
    explore_all(s->explore);
}

/* The second explorer once more, with labels as the first keeps them. */
static void explore_labelled(Side *labelled, const IrProgram *program, const VmEnvironment *environment,
                             const ExploreOptions *base)
{
    ExploreOptions options = *base;
    options.explorer = labelled->name;
    options.labels_of = base->explorer;
    options.context = labelled;
    options.on_run = on_labelled_run;
    options.on_progress = NULL;
    labelled->explore = explore_new(program, environment, &options);
    explore_all(labelled->explore);
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Bytes of a test's condition as SMT-LIB. */
static double formula_size(const Side *s)
{
    const ExprPool *p = s->pool;
    uint32_t n = s->conditions.n;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < n; i++) {
        Str text = {0};
        expr_print_smt_query(p, s->conditions.v[i].v, s->conditions.v[i].n, NULL, &text);
        bytes += text.n;
        str_free(&text);
    }
    return n ? (double)bytes / n : 0;
}

static bool is_whole(const Side *s) { return !ledger_count(explore_ledger(s->explore)); }

static double tests_of(const Side *s) { return (double)s->tests; }
static double runs_of(const Side *s) { return (double)explore_count(s->explore, EXPLORE_RUNS); }
static double violations_of(const Side *s) { return (double)s->violations; }
static double calls_of(const Side *s)
{
    return (double)solver_count(explore_solver(s->explore), SOLVER_QUERIES_COUNT);
}
static double infeasible_of(const Side *s) { return (double)explore_count(s->explore, EXPLORE_INFEASIBLE); }
static double faults_of(const Side *s) { return s->faults.n; }
static double seconds_of(const Side *s) { return explore_seconds(s->explore) - s->observing; }
static double static_of(const Side *s) { return explore_static_seconds(s->explore); }
static double guidance_of(const Side *s) { return explore_guidance_seconds(s->explore); }
static double solver_of(const Side *s) { return explore_solver_seconds(s->explore); }
static double machine_of(const Side *s) { return explore_machine_seconds(s->explore); }

static double constraints_of(const Side *s)
{
    double calls = calls_of(s);
    return calls > 0 ? (double)explore_count(s->explore, EXPLORE_CONSTRAINTS) / calls : 0;
}

static const struct {
    const char *text, *key;
    double (*of)(const Side *s);
    int digits;
    const char *as; /* many, long: so much more of it one of them takes */
    bool rare;      /* no line where neither has it */
} lines[COMPARE_LINES] = {{"tests", "tests", tests_of, 0, "many"},
                          {"paths, feasible", "runs", runs_of, 0, "many"},
                          {"  assumption violated", "violations", violations_of, 0, "many", true},
                          {"paths, infeasible", "infeasible", infeasible_of, 0, "many"},
                          {"faults", "faults", faults_of, 0, "many"},
                          {"solver calls", "solver_calls", calls_of, 0, "many"},
                          {"constraints in a call", "constraints", constraints_of, 2, "many"},
                          {"average formula, bytes", "formula_bytes", formula_size, 0, "many"},
                          {"time, s", "seconds", seconds_of, 3, "long"},
                          {"  static analysis", "static_seconds", static_of, 3, "long"},
                          {"  guidance", "guidance_seconds", guidance_of, 3, "long"},
                          {"  solver", "solver_seconds", solver_of, 3, "long"},
                          {"  machine", "machine_seconds", machine_of, 3, "long"}};

static void side_free(Side *s)
{
    forget_conditions(s);
    vec_free(&s->conditions);
    vec_free(&s->faults);
    behaviours_free(&s->behaviours);
    explore_free(s->explore);
}

static void missing_faults(const CompareFaults *of, const CompareFaults *among, CompareFaults *out)
{
    for (uint32_t i = 0; i < of->n; i++)
        if (!has_fault(among, of->v[i]))
            vec_push(out, of->v[i]);
}

void compare_explorers(const IrProgram *program, const VmEnvironment *environment,
                       const ExploreOptions *options, const char *second, Comparison *out)
{
    Side a = {.name = options->explorer, .stride = 1}, b = {.name = second, .stride = 1};
    *out = (Comparison){.names = {a.name, b.name}};
    ExprPool *common = expr_pool_new();
    out->labelled = behaviours_labelled(a.name);
    if (out->labelled)
        behaviours_begin(&a.behaviours, common, options);
    explore_side(&a, program, environment, options);
    explore_side(&b, program, environment, options);
    for (unsigned i = 0; i < COMPARE_LINES; i++) {
        out->values[i][0] = lines[i].of(&a);
        out->values[i][1] = lines[i].of(&b);
    }
    missing_faults(&a.faults, &b.faults, &out->only[0]);
    missing_faults(&b.faults, &a.faults, &out->only[1]);
    if (out->labelled) {
        Side labelled = {.name = second, .rows = explore_signature(a.explore) ? a.explore : NULL};
        behaviours_begin(&labelled.behaviours, common, options);
        explore_labelled(&labelled, program, environment, options);
        out->labelled_seconds = seconds_of(&labelled);
        out->behaviours = labelled.behaviours.seen.n;
        out->covered = behaviours_common(&labelled.behaviours, &a.behaviours);
        out->has_rows = labelled.rows != NULL;
        out->paths = labelled.paths;
        out->rows_covered = labelled.covered;
        out->labelled_whole = is_whole(&labelled);
        side_free(&labelled);
    }
    out->begun = runs_of(&a) + runs_of(&b) > 0;
    out->whole[0] = is_whole(&a);
    out->whole[1] = is_whole(&b);
    out->complete = out->whole[0] && out->whole[1];
    side_free(&a);
    side_free(&b);
    expr_pool_free(common);
}

/* Does it print as something else than zero? Only then is a ratio printed. */
static bool shows(double value, int digits) { return value >= (digits ? 0.005 : 1); }

/* Which explorer needs more, and how many times as much: a reader need not know which number is divided by
 * which. */
static void add_ratio(const Comparison *c, unsigned line, Str *out)
{
    unsigned more = c->values[line][1] > c->values[line][0];
    double ratio = c->values[line][more] / c->values[line][!more];
    if (ratio >= 1.05)
        str_printf(out, "   %s: %.1f times as %s", c->names[more], ratio, lines[line].as);
}

static void add_behaviours(const Comparison *c, Str *out)
{
    if (c->behaviours)
        str_printf(out, "behaviours: %llu of the %llu that %s shows (%llu %%)",
                   (unsigned long long)c->covered, (unsigned long long)c->behaviours, c->names[1],
                   (unsigned long long)(100 * c->covered / c->behaviours));
    else if (!c->labelled_whole)
        str_printf(out, "behaviours: not compared, since %s is incomplete", c->names[1]);
    else
        str_printf(out, "behaviours: nothing in %s that the input decides matters here", c->names[1]);
    str_printf(out, "; with labels %s takes %.3f s\n", c->names[1], c->labelled_seconds);
}

void compare_text(const Comparison *c, const IrProgram *program, Str *out)
{
    if (!c->begun) {
        str_printf(out, "not compared with %s: interrupted\n", c->names[1]);
        return;
    }
    str_printf(out, "%-24s %12s %12s\n", "", c->names[0], c->names[1]);
    for (unsigned i = 0; i < COMPARE_LINES; i++) {
        double x = c->values[i][0], y = c->values[i][1];
        if (lines[i].rare && !shows(x, lines[i].digits) && !shows(y, lines[i].digits))
            continue;
        str_printf(out, "%-24s %12.*f %12.*f", lines[i].text, lines[i].digits, x, lines[i].digits, y);
        if (shows(x, lines[i].digits) && shows(y, lines[i].digits))
            add_ratio(c, i, out);
        str_add_char(out, '\n');
    }
    for (unsigned side = 0; side < 2; side++)
        if (!c->whole[side] && c->only[!side].n)
            str_printf(out, "%s is incomplete: what it lacks it may not have come to\n", c->names[side]);
    for (unsigned side = 0; side < 2; side++)
        for (uint32_t i = 0; i < c->only[side].n; i++) {
            char where[512];
            CompareFault f = c->only[side].v[i];
            str_printf(out, "only %s: %s at %s\n", c->names[side], vm_fault_message(f.kind),
                       ir_site_text(program, f.site, where, sizeof where));
        }
    if (c->labelled)
        add_behaviours(c, out);
    if (c->has_rows)
        str_printf(out, "relevant slice conditions: those of %llu of %llu paths are covered (%llu %%)\n",
                   (unsigned long long)c->rows_covered, (unsigned long long)c->paths,
                   (unsigned long long)(c->paths ? 100 * c->rows_covered / c->paths : 100));
}

static void faults_json(const Comparison *c, const IrProgram *program, JsonOut *json)
{
    json_object_begin(json, "faults_only");
    for (unsigned side = 0; side < 2; side++) {
        json_array_begin(json, c->names[side]);
        for (uint32_t i = 0; i < c->only[side].n; i++) {
            char where[512];
            CompareFault f = c->only[side].v[i];
            json_object_begin(json, NULL);
            json_string(json, "kind", vm_fault_suffix(f.kind));
            json_string(json, "at", ir_site_text(program, f.site, where, sizeof where));
            json_object_end(json);
        }
        json_array_end(json);
    }
    json_object_end(json);
}

void compare_free(Comparison *c)
{
    vec_free(&c->only[0]);
    vec_free(&c->only[1]);
}

void compare_json(const Comparison *c, const IrProgram *program, JsonOut *json)
{
    json_object_begin(json, "compare");
    for (unsigned i = 0; i < COMPARE_LINES; i++) {
        json_object_begin(json, lines[i].key);
        json_double(json, c->names[0], c->values[i][0]);
        json_double(json, c->names[1], c->values[i][1]);
        json_object_end(json);
    }
    if (c->labelled) {
        json_double(json, "labelled_seconds", c->labelled_seconds);
        json_uint(json, "behaviours", c->behaviours);
        json_uint(json, "behaviours_covered", c->covered);
    }
    if (c->has_rows) {
        json_uint(json, "paths", c->paths);
        json_uint(json, "paths_covered", c->rows_covered);
    }
    faults_json(c, program, json);
    json_bool(json, "complete", c->complete);
    json_object_end(json);
}
