/* sheaf_solve.c - sheaf-solve FILE.smt2: answers a QF_ABV script with our chain of solver layers. */
#include "solver/solver.h"

#include <errno.h>
#include <stdlib.h>

static const char usage[] =
    "usage: sheaf-solve [options] FILE.smt2\n"
    "Answers an SMT-LIB 2 script over bit-vectors and arrays (QF_ABV). FILE may be - for standard input.\n"
    "  --solver NAME      cadical (default), z3, or the command line of an SMT-LIB 2 solver\n"
    "  --time-limit S     seconds for each check-sat; unknown after that\n"
    "  --without LAYER    switch a layer off; may be repeated:\n"
    "                     ";

enum { FILE_LIMIT = 512 << 20 };

static void print_usage(FILE *out)
{
    fputs(usage, out);
    for (unsigned i = 0; i < SOLVER_LAYER_BACKEND; i++)
        fprintf(out, "%s%s", i ? ", " : "", solver_layer_name((SolverLayer)i));
    fputs("\n"
          "  --log-queries DIR  write each query that reaches a back end as DIR/NNNNNN.smt2\n"
          "  --stats            statistics as JSON on standard error\n"
          "  --help             this text\n"
          "Exit status: 0 if the script ran to its end, 2 if it or the command line is wrong.\n",
          out);
}

static const char *value_of(int argc, char **argv, int *i)
{
    if (*i + 1 >= argc)
        die("%s wants a value: see sheaf-solve --help", argv[*i]);
    return argv[++*i];
}

static bool read_all(const char *path, Str *text)
{
    if (strcmp(path, "-") != 0)
        return file_read(path, FILE_LIMIT, text);
    char piece[65536];
    for (size_t n; (n = fread(piece, 1, sizeof piece, stdin)) > 0;)
        str_add_n(text, piece, n);
    return !ferror(stdin);
}

static void run(const char *path, const SolverOptions *options, double seconds, bool stats)
{
    Str text = {0};
    if (!read_all(path, &text))
        die("cannot read %s: %s", path, strerror(errno));
    Arena *arena = arena_new();
    ExprPool *pool = expr_pool_new();
    Solver *solver = solver_new(pool, options);
    const char *error = solver_run_script(arena, pool, solver, str_text(&text), text.n, seconds, stdout);
    if (stats) {
        JsonOut json = {0};
        json_object_begin(&json, NULL);
        solver_stats(solver, &json);
        json_object_end(&json);
        fprintf(stderr, "%s\n", str_text(&json.text));
        str_free(&json.text);
    }
    solver_free(solver);
    if (error) {
        fflush(stdout);
        die("%s: %s", path, error);
    }
    expr_pool_free(pool);
    arena_free(arena);
    str_free(&text);
}

int main(int argc, char **argv)
{
    SolverOptions options = {0};
    const char *path = NULL;
    double seconds = 0;
    bool stats = false;
    for (int i = 1; i < argc; i++) {
        SolverLayer layer;
        char *end;
        if (strcmp(argv[i], "--help") == 0) {
            print_usage(stdout);
            return EXIT_CLEAN;
        } else if (strcmp(argv[i], "--solver") == 0) {
            options.backend = value_of(argc, argv, &i);
            solver_backend_check(options.backend);
        } else if (strcmp(argv[i], "--log-queries") == 0) {
            options.log_dir = value_of(argc, argv, &i);
        } else if (strcmp(argv[i], "--stats") == 0) {
            stats = true;
        } else if (strcmp(argv[i], "--time-limit") == 0) {
            const char *text = value_of(argc, argv, &i);
            seconds = strtod(text, &end);
            if (*end || end == text || !(seconds > 0))
                die("--time-limit wants a positive number of seconds, not '%s'", text);
        } else if (strcmp(argv[i], "--without") == 0) {
            const char *name = value_of(argc, argv, &i);
            if (!solver_layer_parse(name, &layer) || layer == SOLVER_LAYER_BACKEND)
                die("no layer '%s' can be switched off: see sheaf-solve --help", name);
            options.without |= 1u << layer;
        } else if (argv[i][0] == '-' && argv[i][1]) {
            die("unknown option %s: see sheaf-solve --help", argv[i]);
        } else if (path) {
            die("one file at a time: %s and %s", path, argv[i]);
        } else {
            path = argv[i];
        }
    }
    if (!path) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    run(path, &options, seconds, stats);
    return EXIT_CLEAN;
}
