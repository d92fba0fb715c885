/* native.c - the program as native code, for replay; and the programs of LLVM that read what it leaves
 * behind. */
#include "frontend/frontend_int.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_LIMIT = 256 << 20 };

extern char **environ;

/* ---- running a program ----------------------------------------------------------------------- */

static void read_all(int fd, Str *out)
{
    char buffer[65536];
    for (;;) {
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        if (out->n < OUTPUT_LIMIT)
            str_add_n(out, buffer, (size_t)n);
    }
}

/* Runs argv (NULL-terminated) in `directory` (NULL: here), what it writes to `captured` goes to out. True if
 * it ended with status 0. */
bool tool_run(const StrVec *argv, const char *directory, int captured, Str *out)
{
    int ends[2], status = -1;
    pid_t child;
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) < 0)
        die("cannot run %s: %s", argv->v[0], strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, captured == STDOUT_FILENO ? STDERR_FILENO : STDOUT_FILENO,
                                     "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], captured);
    if (directory)
        posix_spawn_file_actions_addchdir_np(&actions, directory);
    int error = posix_spawnp(&child, argv->v[0], &actions, NULL, (char *const *)(void *)argv->v, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error)
        die("cannot run %s: %s; install it (Debian package %s) or name another clang", argv->v[0],
            strerror(error), SHEAF_CLANG);
    read_all(ends[0], out);
    close(ends[0]);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            die("cannot wait for %s: %s", argv->v[0], strerror(errno));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static const char *clang_of(const FrontendOptions *options)
{
    return options->clang ? options->clang : SHEAF_CLANG;
}

/* ---- other programs of the same LLVM --------------------------------------------------------- */

static char *executable(const char *directory, const char *name, const char *ending)
{
    Str path = {0};
    str_printf(&path, "%s/%s%s", directory, name, ending);
    if (!access(str_text(&path), X_OK))
        return str_take(&path);
    str_free(&path);
    return NULL;
}

/* In the directories of PATH. */
static char *in_path(const char *name, const char *ending)
{
    const char *path = getenv("PATH");
    char *copy = mem_strdup(path ? path : "/usr/local/bin:/usr/bin:/bin"), *rest = NULL, *found = NULL;
    for (char *dir = strtok_r(copy, ":", &rest); dir && !found; dir = strtok_r(NULL, ":", &rest))
        found = executable(dir, name, ending);
    mem_free(copy);
    return found;
}

/* "clang-14" has "llvm-cov-14" beside it; where clang is a link, "llvm-cov" stands beside what it leads
 * to. */
char *frontend_tool(const FrontendOptions *options, const char *name)
{
    const char *clang = clang_of(options), *slash = strrchr(clang, '/');
    const char *base = slash ? slash + 1 : clang, *word = strstr(base, "clang");
    const char *ending = word ? word + strlen("clang") : "";
    char *full = slash ? mem_strdup(clang) : in_path(clang, ""), *found = NULL;
    char *real = full ? realpath(full, NULL) : NULL;
    for (int i = 0; i < 2 && !found; i++) {
        char *at = i ? real : full, *end = at ? strrchr(at, '/') : NULL;
        if (!end)
            continue;
        *end = 0;
        found = executable(at, name, ending);
        if (!found && (i || !*ending))
            found = executable(at, name, "");
    }
    if (!found && !slash)
        found = in_path(name, ending);
    mem_free(full);
    free(real);
    return found;
}

/* ---- compiling ------------------------------------------------------------------------------- */

typedef struct Build {
    const FrontendOptions *options;
    const FrontendNative *native;
    Arena *arena;
    StrVec objects;
    Str *diagnostics;
} Build;

static void push_all(StrVec *to, const StrVec *from)
{
    for (uint32_t i = 0; i < from->n; i++)
        vec_push(to, from->v[i]);
}

static void begin_command(const Build *b, StrVec *argv)
{
    vec_push(argv, clang_of(b->options));
    vec_push(argv, "-Qunused-arguments");
    vec_push(argv, "-w");
    vec_push(argv, "-g");
    vec_push(argv, "-O0");
}

/* One source to one object. `ours`: without the user's flags. */
static bool compile(Build *b, const Source *source, bool ours)
{
    StrVec argv = {0};
    char *object = arena_printf(b->arena, "%s/%u.o", b->native->scratch, b->objects.n);
    begin_command(b, &argv);
    if (!ours) {
        clang_filter_flags(&b->options->cflags, false, &argv);
        clang_filter_flags(&source->flags, false, &argv);
        clang_version_flags(b->options, b->arena, &argv);
    }
    push_all(&argv, ours ? &b->native->own_flags : &b->native->flags);
    vec_push(&argv, "-c");
    vec_push(&argv, source->path);
    vec_push(&argv, "-o");
    vec_push(&argv, object);
    vec_push(&argv, NULL);
    bool ok = tool_run(&argv, source->directory, STDERR_FILENO, b->diagnostics);
    vec_free(&argv);
    vec_push(&b->objects, object);
    return ok;
}

static bool link_program(Build *b)
{
    StrVec argv = {0};
    begin_command(b, &argv);
    push_all(&argv, &b->objects);
    clang_filter_flags(&b->options->cflags, false, &argv);
    push_all(&argv, &b->native->flags);
    vec_push(&argv, "-rdynamic"); /* so that variables are found by name */
    vec_push(&argv, "-ldl");
    vec_push(&argv, "-lm");
    vec_push(&argv, "-lpthread");
    vec_push(&argv, "-o");
    vec_push(&argv, b->native->output);
    vec_push(&argv, NULL);
    bool ok = tool_run(&argv, NULL, STDERR_FILENO, b->diagnostics);
    vec_free(&argv);
    return ok;
}

/* Inputs and entries of the database; freed with sources_free. */
void sources_list(const FrontendOptions *options, Arena *a, SourceVec *out)
{
    for (uint32_t i = 0; i < options->inputs.n; i++)
        vec_push(out, (Source){.path = options->inputs.v[i]});
    if (options->compdb)
        compdb_sources(options, a, out);
}

void sources_free(SourceVec *sources)
{
    for (uint32_t i = 0; i < sources->n; i++)
        vec_free(&sources->v[i].flags);
    vec_free(sources);
}

void frontend_sources(const FrontendOptions *options, Arena *a, StrVec *paths, StrVec *flags)
{
    SourceVec sources = {0};
    sources_list(options, a, &sources);
    for (uint32_t i = 0; i < sources.n; i++) {
        vec_push(paths, sources.v[i].path);
        for (uint32_t k = 0; k < sources.v[i].flags.n; k++)
            vec_push(flags, arena_strdup(a, sources.v[i].flags.v[k]));
    }
    for (uint32_t k = 0; k < options->cflags.n; k++)
        vec_push(flags, options->cflags.v[k]);
    sources_free(&sources);
}

static bool is_path(const char *path, const char *absolute)
{
    char *full = realpath(path, NULL);
    bool same = full && !strcmp(full, absolute);
    free(full);
    return same;
}

bool frontend_compile_native(const FrontendOptions *options, const FrontendNative *native, Str *diagnostics)
{
    Build b = {.options = options, .native = native, .arena = arena_new(), .diagnostics = diagnostics};
    SourceVec sources = {0};
    bool ok = true;
    sources_list(options, b.arena, &sources);
    for (uint32_t i = 0; i < sources.n && ok; i++) {
        Source source = sources.v[i];
        if (native->instead && is_path(source.path, native->instead))
            source.path = native->own.v[0]; /* which includes it, and is compiled as it would be */
        ok = compile(&b, &source, false);
    }
    for (uint32_t i = native->instead ? 1 : 0; i < native->own.n && ok; i++)
        if (text_ends_with(native->own.v[i], ".o"))
            vec_push(&b.objects, native->own.v[i]);
        else
            ok = compile(&b, &(Source){.path = native->own.v[i]}, true);
    ok = ok && link_program(&b);
    vec_free(&b.objects);
    sources_free(&sources);
    arena_free(b.arena);
    return ok;
}

/* ---- how C declares a function --------------------------------------------------------------- */

/* The text between the next quotes of a line of clang's tree; *from is moved behind them. */
static const char *quoted(Arena *a, const char **from, const char *end)
{
    const char *open = memchr(*from, '\'', (size_t)(end - *from));
    const char *close = open ? memchr(open + 1, '\'', (size_t)(end - open - 1)) : NULL;
    if (!close)
        return NULL;
    *from = close + 1;
    return arena_strndup(a, open + 1, (size_t)(close - open - 1));
}

/* "  ParmVarDecl 0x... <col:7, col:12> col:12 used name 'type':'type without typedefs'" */
static bool read_parameter(Arena *a, const char *line, const char *end, FrontendFunction *out)
{
    const char *at = line, *type = quoted(a, &at, end), *open = memchr(line, '\'', (size_t)(end - line));
    if (!type)
        return false;
    const char *plain = at < end && *at == ':' ? quoted(a, &at, end) : NULL;
    const char *stop = open;
    while (stop > line && stop[-1] == ' ')
        stop--;
    const char *start = stop;
    while (start > line && start[-1] != ' ')
        start--;
    /* a nameless parameter has its place there: "col:12" */
    bool named = !memchr(start, ':', (size_t)(stop - start)) && !memchr(start, '>', (size_t)(stop - start));
    vec_push(&out->types, type);
    vec_push(&out->plain, plain ? plain : "");
    vec_push(&out->names, named ? arena_strndup(a, start, (size_t)(stop - start))
                                : arena_printf(a, "arg%u", out->types.n - 1));
    return true;
}

/* "FunctionDecl 0x... prev 0x... <dir/f.h:5:1, col:34> col:5 name 'type'": the last file that is named before
 * the function's name, which stands at `end`. NULL if none is, as for what the compiler itself declares. */
static const char *declaring_file(Arena *a, const char *line, const char *end)
{
    const char *found = NULL;
    for (const char *word = line; word < end; word += strcspn(word, " "), word += *word == ' ') {
        const char *start = word + (*word == '<'), *colon = memchr(start, ':', strcspn(start, " "));
        size_t n = colon && colon < end ? (size_t)(colon - start) : 0;
        bool relative = n && (!strncmp(start, "line", n) || !strncmp(start, "col", n));
        if (n && !relative && *start != '<' && !text_starts_with(start, "0x"))
            found = arena_strndup(a, start, n);
    }
    return found;
}

/* The result is what stands before the parameters: "int (const Node *, size_t)", "char *(int)". */
static const char *result_of(Arena *a, const char *type, const FrontendFunction *f)
{
    Str parameters = {0};
    str_add_char(&parameters, '(');
    for (uint32_t i = 0; i < f->types.n; i++)
        str_printf(&parameters, "%s%s", i ? ", " : "", f->types.v[i]);
    str_add(&parameters, f->types.n ? ")" : "void)");
    size_t n = strlen(type), behind = parameters.n;
    bool known = text_ends_with(type, str_text(&parameters));
    if (!known && text_ends_with(type, "()")) { /* without a prototype */
        known = true;
        behind = 2;
    }
    str_free(&parameters);
    n -= known ? behind : 0;
    while (n && type[n - 1] == ' ')
        n--;
    return known ? arena_strndup(a, type, n) : NULL;
}

/* Reads the declarations of the function in the tree that clang prints: parameters and type of its
 * definition, else of the last declaration, which has its parameters one level below it; the header of the
 * first that is in one. */
static bool read_tree(Arena *a, const char *text, const char *function, const char *path,
                      FrontendFunction *out)
{
    Str mark = {0};
    const char *type = NULL;
    bool inside = false;
    str_printf(&mark, " %s '", function);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *end = line + strcspn(line, "\n"), *word = line + strspn(line, " |`-");
        if (word == line && text_starts_with(word, "FunctionDecl ")) {
            const char *name = strstr(word, str_text(&mark));
            inside = name && name < end;
            if (!inside)
                continue;
            const char *at = name, *file = declaring_file(a, word, name);
            bool implicit = memmem(word, (size_t)(name - word), " implicit", 9) != NULL;
            out->local |= memmem(name, (size_t)(end - name), " static", 7) != NULL;
            if (file && strcmp(file, path) && !implicit && !out->header && !text_ends_with(file, ".c"))
                out->header = file;
            inside = !out->defined;
            if (!inside)
                continue;
            vec_clear(&out->types);
            vec_clear(&out->plain);
            vec_clear(&out->names);
            type = quoted(a, &at, end);
        } else if (inside && word - line == 2 && text_starts_with(word, "ParmVarDecl ")) {
            read_parameter(a, word, end, out);
        } else if (inside && word - line == 2 && text_starts_with(word, "CompoundStmt ")) {
            out->defined = true;
        }
    }
    out->result = type ? result_of(a, type, out) : NULL;
    str_free(&mark);
    return type;
}

static bool declares(const FrontendOptions *options, const Source *source, const char *function, Arena *a,
                     FrontendFunction *out)
{
    StrVec argv = {0};
    Str tree = {0};
    vec_push(&argv, clang_of(options));
    vec_push(&argv, "-Qunused-arguments");
    vec_push(&argv, "-w");
    clang_filter_flags(&options->cflags, false, &argv);
    clang_filter_flags(&source->flags, false, &argv);
    vec_push(&argv, "-fsyntax-only");
    vec_push(&argv, "-fno-color-diagnostics");
    vec_push(&argv, "-Xclang");
    vec_push(&argv, "-ast-dump");
    vec_push(&argv, "-Xclang");
    vec_push(&argv, arena_printf(a, "-ast-dump-filter=%s", function));
    vec_push(&argv, source->path);
    vec_push(&argv, NULL);
    bool ok = tool_run(&argv, source->directory, STDOUT_FILENO, &tree) &&
              read_tree(a, str_text(&tree), function, source->path, out);
    vec_free(&argv);
    str_free(&tree);
    return ok;
}

/* What a source says of the function; false: it does not declare it. */
static bool find_in(const FrontendOptions *options, Source *source, const char *function, Arena *a,
                    FrontendFunction *out)
{
    char *full = text_ends_with(source->path, ".c") ? realpath(source->path, NULL) : NULL;
    *out = (FrontendFunction){0};
    if (full && declares(options, source, function, a, out)) {
        out->source = arena_strdup(a, full);
        out->given = source->path;
        clang_filter_flags(&options->cflags, false, &out->flags);
        for (uint32_t k = 0; k < source->flags.n; k++)
            source->flags.v[k] = arena_strdup(a, source->flags.v[k]);
        clang_filter_flags(&source->flags, false, &out->flags);
        clang_filter_flags(&source->flags, false, &out->own_flags);
    }
    free(full);
    return out->source;
}

bool frontend_find_function(const FrontendOptions *options, const char *function, Arena *a,
                            FrontendFunction *out)
{
    SourceVec sources = {0};
    *out = (FrontendFunction){0};
    sources_list(options, a, &sources);
    for (uint32_t i = 0; i < sources.n && !out->defined; i++) {
        FrontendFunction f;
        bool better = find_in(options, &sources.v[i], function, a, &f) && (f.defined || !out->source);
        FrontendFunction *worse = better ? out : &f;
        frontend_function_free(worse);
        if (better)
            *out = f;
    }
    sources_free(&sources);
    return out->source;
}

void frontend_function_free(FrontendFunction *f)
{
    vec_free(&f->types);
    vec_free(&f->plain);
    vec_free(&f->names);
    vec_free(&f->flags);
    vec_free(&f->own_flags);
}

bool frontend_check_c(const FrontendOptions *options, const StrVec *flags, const char *path, Str *diagnostics)
{
    StrVec argv = {0};
    vec_push(&argv, clang_of(options));
    vec_push(&argv, "-Qunused-arguments");
    vec_push(&argv, "-w");
    push_all(&argv, flags);
    vec_push(&argv, "-fsyntax-only");
    vec_push(&argv, "-fno-color-diagnostics");
    vec_push(&argv, "-fno-caret-diagnostics");
    vec_push(&argv, "-ferror-limit=0");
    vec_push(&argv, path);
    vec_push(&argv, NULL);
    bool ok = tool_run(&argv, NULL, STDERR_FILENO, diagnostics);
    vec_free(&argv);
    return ok;
}

/* ---- coverage -------------------------------------------------------------------------------- */

static bool run_named(const FrontendOptions *options, const char *name, StrVec *argv, Str *out)
{
    char *tool = frontend_tool(options, name);
    if (tool) {
        argv->v[0] = tool;
        vec_push(argv, NULL);
    }
    bool ok = tool && tool_run(argv, NULL, STDOUT_FILENO, out);
    mem_free(tool);
    return ok;
}

bool frontend_profile_merge(const FrontendOptions *options, const StrVec *raw, const char *merged)
{
    StrVec argv = {0};
    Str out = {0};
    vec_push(&argv, "");
    vec_push(&argv, "merge");
    vec_push(&argv, "-sparse");
    vec_push(&argv, "-failure-mode=all"); /* a child that was killed may leave half a file */
    if (file_exists(merged))
        vec_push(&argv, merged);
    push_all(&argv, raw);
    vec_push(&argv, "-o");
    vec_push(&argv, merged);
    bool ok = run_named(options, "llvm-profdata", &argv, &out);
    vec_free(&argv);
    str_free(&out);
    return ok;
}

bool frontend_profile_export(const FrontendOptions *options, const StrVec *binaries, const char *merged,
                             Str *lcov)
{
    StrVec argv = {0};
    Str profile = {0};
    str_printf(&profile, "-instr-profile=%s", merged);
    vec_push(&argv, "");
    vec_push(&argv, "export");
    vec_push(&argv, "-format=lcov");
    vec_push(&argv, str_text(&profile));
    for (uint32_t i = 0; i < binaries->n; i++) {
        if (i)
            vec_push(&argv, "-object");
        vec_push(&argv, binaries->v[i]);
    }
    bool ok = run_named(options, "llvm-cov", &argv, lcov);
    vec_free(&argv);
    str_free(&profile);
    return ok;
}
