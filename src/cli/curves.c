/* curves.c - distinct behaviours over time, for both explorers in each order of search (the DGSE paper's Figures 6 to 8).
 *
 * A behaviour is a way in which something that matters comes about: a place together with the conditions that what happens there
 * depends on (its label) and what held there. What matters are the fault checks and failing ends for `dependence`, what is observed
 * at the end of a run for other explorers, both or every decision where the sinks say so. Runs of different explorers are compared by
 * conditions brought into one pool, with labels of one policy; the time that this takes is not counted. */
#include "cli/compare.h"
#include "cli/plot.h"

enum { CHECKS = 1, OUTPUTS = 2, DECISIONS = 4 };

static const struct {
    ExploreSearch search;
    const char *name, *dashes;
} searches[] = {{EXPLORE_DFS, "dfs", NULL}, {EXPLORE_BFS, "bfs", "8 4"}, {EXPLORE_RANDOM, "random", "2 3"}};

typedef struct Watch {
    unsigned what;                            /* counts as behaviour */
    ExprPool *common;                         /* of the conditions of all explorations */
    const ExprPool *from;
    ExprImport *import;                       /* from there to common */
    Map seen;                                 /* behaviours of this exploration */
    U64Vec conditions;                        /* of the run: a hash for each decision's condition */
    double watching;                          /* seconds spent here */
    Curve *curve;
} Watch;

static uint64_t condition_hash(Watch *w, Expr e) { return hash_u64(expr_import(w->import, e).id + 1); }

/* Conditions in whatever order. */
static uint64_t label_hash(const Watch *w, const ExprPool *p, VmLabel label)
{
    uint64_t sum = 0;
    for (uint32_t i = expr_set_next(p, label, 0); i != UINT32_MAX; i = expr_set_next(p, label, i + 1))
        sum += w->conditions.v[i];
    return sum;
}

static void note(Watch *w, uint64_t hash) { map_put(&w->seen, hash, 1); }

static void note_decisions(Watch *w, const ExprPool *p, const VmTrace *t)
{
    for (uint32_t i = 0; i < t->decisions.n; i++) {
        const VmDecision *d = &t->decisions.v[i];
        if (!(w->what & DECISIONS) && d->kind != VM_DECISION_CHECK)
            continue;
        uint64_t place = hash_mix(hash_mix(d->fn, d->block), d->insn);
        note(w, hash_mix(hash_mix(place, label_hash(w, p, d->label)), w->conditions.v[i]));
    }
}

static void note_outputs(Watch *w, const ExploreRun *run)
{
    ExprVec slice = {0};
    uint64_t sum = 0;
    explore_slice(run->explore, run->trace, &slice);
    for (uint32_t i = 0; i < slice.n; i++)
        sum += condition_hash(w, slice.v[i]);
    note(w, hash_mix(1, sum));
    vec_free(&slice);
}

static void note_run(Watch *w, const ExploreRun *run)
{
    const ExprPool *p = explore_pool(run->explore);
    const VmTrace *t = run->trace;
    if (w->from != p) {                       /* another exploration, or memory was collected */
        if (w->import)
            expr_import_free(w->import);
        w->import = expr_import_new(w->common, p);
        w->from = p;
    }
    vec_clear(&w->conditions);
    for (uint32_t i = 0; i < t->decisions.n; i++)
        vec_push(&w->conditions, condition_hash(w, t->decisions.v[i].holds));
    if (w->what & (CHECKS | DECISIONS))
        note_decisions(w, p, t);
    if (t->result.ending == VM_END_FAULT)
        note(w, hash_mix(hash_mix(t->result.fault, t->result.site), label_hash(w, p, t->ending)));
    else if (w->what & OUTPUTS && (t->result.ending == VM_END_RETURN || t->result.ending == VM_END_EXIT))
        note_outputs(w, run);
}

static void add_point(Watch *w, const Explore *x, bool always)
{
    uint64_t before = w->curve->points.n ? vec_last(&w->curve->points).behaviours : 0;
    if (always || w->seen.n > before)
        vec_push(&w->curve->points, (CurvePoint){explore_seconds(x) - w->watching, explore_count(x, EXPLORE_RUNS), w->seen.n});
}

static void on_run(void *context, const ExploreRun *run)
{
    Watch *w = context;
    double start = clock_seconds();
    note_run(w, run);
    w->watching += clock_seconds() - start;
    add_point(w, run->explore, false);
}

static void follow(Watch *w, const IrProgram *program, const VmEnvironment *environment, const ExploreOptions *options)
{
    map_clear(&w->seen);
    w->watching = 0;
    w->from = NULL;
    Explore *x = explore_new(program, environment, options);
    explore_all(x);
    add_point(w, x, true);
    explore_free(x);
}

static unsigned what_matters(const ExploreOptions *o)
{
    return strcmp(o->explorer, "dependence") ? OUTPUTS : CHECKS;
}

void curves_make(const IrProgram *program, const VmEnvironment *environment, const ExploreOptions *options, const char *second,
                 Curves *out)
{
    Watch w = {.common = expr_pool_new(), .what = what_matters(options)};
    const char *names[] = {options->explorer, second};
    *out = (Curves){0};
    for (unsigned side = 0; side < 2; side++)
        for (size_t i = 0; i < COUNT_OF(searches); i++) {
            ExploreOptions o = *options;
            o.explorer = names[side];
            o.labels_of = strcmp(options->explorer, "full") ? options->explorer : "output";
            o.search = searches[i].search;
            o.context = &w;
            o.on_run = on_run;
            o.on_progress = NULL;
            w.curve = &out->curves[out->n++];
            *w.curve = (Curve){.explorer = names[side], .search = searches[i].name};
            follow(&w, program, environment, &o);
        }
    expr_import_free(w.import);
    expr_pool_free(w.common);
    map_free(&w.seen);
    vec_free(&w.conditions);
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

void curves_csv(const Curves *c, Str *out)
{
    str_add(out, "explorer,search,seconds,runs,behaviours\n");
    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t k = 0; k < c->curves[i].points.n; k++) {
            const CurvePoint *p = &c->curves[i].points.v[k];
            str_printf(out, "%s,%s,%.6f,%llu,%llu\n", c->curves[i].explorer, c->curves[i].search, p->seconds,
                       (unsigned long long)p->runs, (unsigned long long)p->behaviours);
        }
}

void curves_svg(const Curves *c, const char *title, Str *out)
{
    static const char *const colours[] = {"#c22", "#22c"};
    PlotLine lines[CURVES_MOST] = {0};
    Str names[CURVES_MOST] = {0};
    for (uint32_t i = 0; i < c->n; i++) {
        const Curve *curve = &c->curves[i];
        str_printf(&names[i], "%s, %s", curve->explorer, curve->search);
        lines[i].name = str_text(&names[i]);
        lines[i].colour = colours[i / COUNT_OF(searches) % COUNT_OF(colours)];
        lines[i].dashes = searches[i % COUNT_OF(searches)].dashes;
        for (uint32_t k = 0; k < curve->points.n; k++) {
            const CurvePoint *p = &curve->points.v[k];
            vec_push(&lines[i].points, (PlotPoint){p->seconds > 1e-6 ? p->seconds : 1e-6, (double)p->behaviours});
        }
    }
    plot_svg(title, "seconds", "distinct behaviours", lines, c->n, out);
    for (uint32_t i = 0; i < c->n; i++) {
        vec_free(&lines[i].points);
        str_free(&names[i]);
    }
}

void curves_free(Curves *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        vec_free(&c->curves[i].points);
}
