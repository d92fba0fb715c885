/* labelled.c - what labels cost an exploration.
 *
 *     labelled PROGRAM... [--explore dependence] [--rounds 3] [exploring options of sheaf test]
 *
 * Explores every path of the program without labels and with the labels that an explorer keeps, in turns, in
 * one process. Prints a line for each, the least CPU time of its rounds (the analysis of the program
 * included), and the ratio of both. */
#include "cli/exploring.h"
#include "cli/sinks.h"
#include "explore/explore.h"

#include <time.h>

typedef struct LabelledSettings {
    ExploringSettings exploring; /* first: exploring_options write here */
    uint64_t rounds;
    unsigned explorer, which; /* explorer: position in explore_names */
    StrVec sinks;
    bool help;
} LabelledSettings;

enum { PLAIN, LABELS, ITSELF, SORTS }; /* without labels, with the explorer's, and the explorer itself */
static const char *const sorts[SORTS] = {"plain", "labels", "itself"};
static const char *const which_words[] = {"both", "plain", "labels", "itself", NULL};
static const Option labelled_options[] = {
    {OPT_GROUP("Measuring")},
    {OPT_ENUM(LabelledSettings, explorer), "explore", .preset = "dependence", .words = explore_names,
     .help = "the explorer whose labels are kept"},
    {OPT_UINT(LabelledSettings, rounds), "rounds", .argument = "N", .preset = "3",
     .help = "explorations of each sort"},
    {OPT_ENUM(LabelledSettings, which), "which", .preset = "both", .words = which_words,
     .help = "only one of them, to profile it; or the explorer itself, to hold it against these"},
    {OPT_LIST(LabelledSettings, sinks), "sinks", .argument = "WHAT,...",
     .help = "for dependence: faults (default), outputs, all, FILE:LINE"},
    {OPT_FLAG(LabelledSettings, help), "help", 'h', .help = "print this and leave"},
    {OPT_END},
};
static const Option *const labelled_tables[] = {labelled_options, exploring_options, program_options, NULL};

typedef struct Cost {
    double cpu;
    double wall, analysis, machine, solver, guidance; /* by one clock, which goes on while others run */
    uint64_t runs, infeasible, queries, steps, decisions;
} Cost;

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The observer of runs writes tests: then `dependence` counts what that takes, as it does for `sheaf
 * test`. */
static void forget_run(void *context, const ExploreRun *run)
{
    (void)context;
    (void)run;
}

static Cost explore_once(const IrProgram *program, const VmEnvironment *environment,
                         const ExploreOptions *base, unsigned sort)
{
    ExploreOptions options = *base;
    options.explorer = sort == ITSELF ? base->explorer : "full";
    options.labels_of = sort == LABELS ? base->explorer : NULL;
    options.on_run = forget_run;
    double start = cpu_seconds();
    Explore *x = explore_new(program, environment, &options);
    explore_all(x);
    Cost c = {.cpu = cpu_seconds() - start,
              .wall = explore_seconds(x),
              .analysis = explore_static_seconds(x),
              .machine = explore_machine_seconds(x),
              .solver = explore_solver_seconds(x),
              .guidance = explore_guidance_seconds(x),
              .runs = explore_count(x, EXPLORE_RUNS),
              .infeasible = explore_count(x, EXPLORE_INFEASIBLE),
              .queries = solver_count(explore_solver(x), SOLVER_QUERIES_COUNT),
              .steps = explore_count(x, EXPLORE_STEPS),
              .decisions = explore_count(x, EXPLORE_DECISIONS)};
    explore_free(x);
    return c;
}

static void print_cost(const char *name, const Cost *c)
{
    printf("%-8s %8.4f %8.4f %8.4f %8.4f %8.4f", name, c->cpu, c->analysis, c->machine, c->solver,
           c->guidance);
    printf(" %8llu %10llu %8llu %10llu %10llu %8.4f\n", (unsigned long long)c->runs,
           (unsigned long long)c->infeasible, (unsigned long long)c->queries, (unsigned long long)c->steps,
           (unsigned long long)c->decisions, c->wall);
}

/* The first word means both sorts of the whole. */
static bool is_wanted(const LabelledSettings *s, unsigned sort)
{
    return s->which ? s->which == sort + 1 : sort != ITSELF;
}

static void measure(const LabelledSettings *s, const OptionArgs *args)
{
    if (!s->rounds)
        die("--rounds 0: at least one is needed");
    if (!strcmp(explore_names[s->explorer], "full"))
        die("--explore full keeps no labels");
    Arena *arena = arena_new();
    VmEnvironment environment;
    ExploreOptions options = {0};
    exploring_environment(&s->exploring, args, arena, &environment);
    exploring_prepare(&s->exploring, args, arena, &options);
    options.explorer = explore_names[s->explorer];
    IrProgram *program =
        program_load(&s->exploring.program, args, s->exploring.entry, s->exploring.entry != NULL);
    exploring_check(&s->exploring, program);
    sinks_read(&s->sinks, program, arena, &options);
    Cost best[SORTS] = {{0}};
    for (uint64_t i = 0; i < s->rounds; i++)
        for (unsigned sort = 0; sort < SORTS; sort++) {
            Cost c = is_wanted(s, sort) ? explore_once(program, &environment, &options, sort) : (Cost){0};
            if (i == 0 || c.cpu < best[sort].cpu)
                best[sort] = c;
        }
    printf("%-8s %8s %8s %8s %8s %8s %8s %10s %8s %10s %10s %8s\n", "", "cpu, s", "static", "machine",
           "solver", "guidance", "runs", "infeasible", "queries", "steps", "decisions", "wall, s");
    for (unsigned sort = 0; sort < SORTS; sort++)
        if (is_wanted(s, sort))
            print_cost(sorts[sort], &best[sort]);
    if (s->which == 0)
        printf("ratio %.2f\n", best[LABELS].cpu / best[PLAIN].cpu);
    ir_program_free(program);
    vec_free(&environment.files);
    vec_free(&options.symbolic.inputs.files);
    vec_free(&options.symbolic.inputs.globals);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    LabelledSettings settings = {0};
    OptionArgs args = {0};
    Str text = {0};
    options_preset(labelled_tables, &settings);
    if (!options_parse(labelled_tables, &settings, argc - 1, argv + 1, &args, &text))
        die("%s ('labelled --help' lists the options)", str_text(&text));
    if (settings.help) {
        str_add(&text,
                "usage: labelled PROGRAM... [OPTIONS]\n\nWhat labels cost an exploration of all paths.\n\n");
        options_help(labelled_tables, 100, &text);
        fputs(str_text(&text), stdout);
    } else {
        measure(&settings, &args);
    }
    str_free(&text);
    options_free(labelled_tables, &settings);
    options_args_free(&args);
    return 0;
}
