/* curves.c - distinct behaviours over time, for both explorers in each order of search (the DGSE paper's
 * Figures 6 to 8).
 *
 * What a behaviour is stands in behaviours.h. The time that finding out takes is not counted, that of the
 * labels is. */
#include "cli/behaviours.h"
#include "cli/compare.h"

#include <errno.h>
#include <libgen.h>
#include <sys/stat.h>
#include <unistd.h>
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

/* Results are still to be reported: no reason to die. */
static bool write_curve(const char *option, const char *path, const Str *text)
{
    bool ok = !path || file_write_atomic(path, str_text(text), text->n);
    if (!ok)
        warn("%s %s: %s", option, path, strerror(errno));
    return ok;
}

bool curves_write(const IrProgram *program, const VmEnvironment *environment, const ExploreOptions *options,
                  const char *second, const char *csv_path, const char *plot_path)
{
    Curves curves;
    Str csv = {0}, svg = {0};
    if (!csv_path && !plot_path)
        return true;
    curves_make(program, environment, options, second, &curves);
    curves_csv(&curves, &csv);
    curves_svg(&curves, environment->argv[0], &svg);
    bool ok = write_curve("--compare-csv", csv_path, &csv);
    ok = write_curve("--compare-plot", plot_path, &svg) && ok;
    curves_free(&curves);
    str_free(&csv);
    str_free(&svg);
    return ok;
}

/* Better now than after all explorations. */
static void check_place(const char *option, const char *path)
{
    char *copy = mem_strdup(path);
    if (access(dirname(copy), W_OK))
        die("%s %s: %s", option, path, strerror(errno));
    mem_free(copy);
}

/* A file of curves stands beside the results: what is in their directory is theirs. */
static void check_curve(const ExploringSettings *s, const char *option, const char *file)
{
    struct stat is;
    if (stat(file, &is) == 0 && S_ISDIR(is.st_mode))
        die("%s %s: that is a directory", option, file);
    size_t n = strlen(s->directory);
    if (strncmp(file, s->directory, n) == 0 && (file[n] == '/' || !file[n]))
        die("%s %s: that is in the directory of the results (--output); name another place", option, file);
    if (file_exists(file) && !s->force)
        die("%s %s: the file exists; --force replaces it", option, file);
    check_place(option, file);
}

void curves_check(const ExploringSettings *s, const OptionArgs *args, const IrProgram *program,
                  const char *second, const char *csv_path, const char *plot_path)
{
    const char *files[] = {csv_path, plot_path}, *options[] = {"--compare-csv", "--compare-plot"};
    if (csv_path && plot_path && !strcmp(csv_path, plot_path))
        die("--compare-csv and --compare-plot: both are '%s'", csv_path);
    for (unsigned i = 0; i < COUNT_OF(files); i++) {
        if (!files[i])
            continue;
        if (!second)
            die("%s: there is nothing to compare without --compare EXPLORER", options[i]);
        if (!files[i][0])
            die("%s: the name of the file is empty", options[i]);
        exploring_check_file(s, args, program, options[i], files[i]);
        check_curve(s, options[i], files[i]);
    }
}
