/* curves.c - distinct behaviours over time, for both explorers in each order of search (the DGSE paper's
 * Figures 6 to 8).
 *
 * What a behaviour is stands in behaviours.h. The time that finding out takes is not counted, that of the
 * labels is. */
#include "cli/behaviours.h"
#include "cli/compare.h"
#include "cli/plot.h"

static const struct {
    ExploreSearch search;
    const char *name, *dashes;
} searches[] = {{EXPLORE_DFS, "dfs", NULL}, {EXPLORE_BFS, "bfs", "8 4"}, {EXPLORE_RANDOM, "random", "2 3"}};

typedef struct Watch {
    Behaviours behaviours;
    double watching; /* seconds spent here */
    Curve *curve;
} Watch;

static void add_point(Watch *w, const Explore *x, bool always)
{
    uint64_t before = w->curve->points.n ? vec_last(&w->curve->points).behaviours : 0;
    if (always || w->behaviours.seen.n > before)
        vec_push(&w->curve->points, (CurvePoint){explore_seconds(x) - w->watching,
                                                 explore_count(x, EXPLORE_RUNS), w->behaviours.seen.n});
}

static void on_run(void *context, const ExploreRun *run)
{
    Watch *w = context;
    double start = clock_seconds();
    behaviours_note(&w->behaviours, run);
    w->watching += clock_seconds() - start;
    add_point(w, run->explore, false);
}

static void follow(Watch *w, const IrProgram *program, const VmEnvironment *environment,
                   const ExploreOptions *options)
{
    Explore *x = explore_new(program, environment, options);
    explore_all(x);
    add_point(w, x, true);
    explore_free(x);
    behaviours_free(&w->behaviours);
}

void curves_make(const IrProgram *program, const VmEnvironment *environment, const ExploreOptions *options,
                 const char *second, Curves *out)
{
    ExprPool *common = expr_pool_new();
    const char *names[] = {options->explorer, second};
    *out = (Curves){0};
    for (unsigned side = 0; side < 2; side++)
        for (size_t i = 0; i < COUNT_OF(searches); i++) {
            ExploreOptions o = *options;
            Watch w = {.curve = &out->curves[out->n++]};
            behaviours_begin(&w.behaviours, common, options);
            o.explorer = names[side];
            o.labels_of = behaviours_labelled(options->explorer) ? options->explorer : "output";
            o.search = searches[i].search;
            o.context = &w;
            o.on_run = on_run;
            o.on_progress = NULL;
            *w.curve = (Curve){.explorer = names[side], .search = searches[i].name};
            follow(&w, program, environment, &o);
        }
    expr_pool_free(common);
}

/* ---- files ----------------------------------------------------------------------------------- */

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
            vec_push(&lines[i].points,
                     (PlotPoint){p->seconds > 1e-6 ? p->seconds : 1e-6, (double)p->behaviours});
        }
    }
    plot_svg(title, "seconds", "distinct behaviours", lines, c->n, "no behaviours", out);
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
