/* program.c - from the arguments of a command to a loaded program. */
#include "cli/command.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

const Option program_options[] = {
    {OPT_GROUP("Program")},
    {OPT_STRING(ProgramSettings, compdb), "compdb", .argument = "FILE",
     .help = "take sources and flags from a compilation database"},
    {OPT_LIST(ProgramSettings, targets), "target", .argument = "NAME",
     .help = "with --compdb: only entries whose file or output is NAME; may be repeated"},
    {OPT_STRING(ProgramSettings, clang), "clang", .argument = "PROGRAM",
     .help = "compiler to use instead of the clang Sheaf was built with"},
    {OPT_FLAG(ProgramSettings, optimise), "optimise", .help = "honour -O flags instead of compiling at -O0"},
    {OPT_FLAG(ProgramSettings, no_runtime), "no-libc", .help = "do not link Sheaf's models of libc"},
    {OPT_COMPILER(ProgramSettings, cflags)},
    {OPT_END},
};

const char *const program_check_words[] = {"overflow", "shift", "uninit", "leak", "overlap", NULL};

uint64_t program_checks(uint64_t words)
{
    uint64_t checks = 0;
    for (size_t i = 0; program_check_words[i]; i++)
        if (words >> i & 1 && !vm_check_by_word(program_check_words[i], &checks))
            bug("no fault kind is turned on by '%s'", program_check_words[i]);
    return checks;
}

/* Where a file of ours may stand, seen from the directory of the executable: build tree first, then
 * installation. */
static const char *const own_places[] = {"%s/include/%s",        "%s/%s",
                                         "%s/runtime/%s",        "%s/../runtime/%s",
                                         "%s/../share/sheaf/%s", "%s/../include/%s"};

char *program_own_file(const char *name)
{
    char self[4096];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return NULL;
    self[n] = 0;
    *strrchr(self, '/') = 0;
    for (size_t i = 0; i < COUNT_OF(own_places); i++) {
        Str path = {0};
        str_printf(&path, own_places[i], self, name);
        if (file_exists(str_text(&path)))
            return str_take(&path);
        str_free(&path);
    }
    return NULL;
}

/* <sheaf.h> is found without a flag, after everything that the user's own flags name. */
static char *own_include_dir(void)
{
    char *header = program_own_file("sheaf.h");
    if (header)
        *strrchr(header, '/') = 0;
    return header;
}

static char *runtime_file(const ProgramSettings *settings)
{
    if (settings->no_runtime)
        return NULL;
    const char *named = getenv("SHEAF_RUNTIME");
    if (named)
        return mem_strdup(named);
    char *found = program_own_file("runtime.bc");
    if (!found)
        die("runtime.bc was found neither beside the executable nor in ../share/sheaf: reinstall Sheaf, or "
            "name the file in SHEAF_RUNTIME");
    return found;
}

FrontendOptions program_frontend(const ProgramSettings *settings, const OptionArgs *args, Arena *arena)
{
    if (settings->targets.n && !settings->compdb)
        die("--target chooses entries of a --compdb, and none is given");
    FrontendOptions options = {.compdb = settings->compdb,
                               .targets = settings->targets, /* which the settings own */
                               .clang = settings->clang,
                               .optimise = settings->optimise};
    for (uint32_t i = 0; i < args->plain.n; i++)
        vec_push(&options.inputs, args->plain.v[i]);
    for (uint32_t i = 0; i < settings->cflags.n; i++)
        vec_push(&options.cflags, settings->cflags.v[i]);
    char *include = own_include_dir();
    if (include) {
        vec_push(&options.cflags, "-idirafter");
        vec_push(&options.cflags, arena_strdup(arena, include));
        mem_free(include);
    }
    return options;
}

IrProgram *program_load_options(const ProgramSettings *settings, const FrontendOptions *program,
                                const char *entry, bool all_functions)
{
    FrontendOptions options = *program;
    char *runtime = runtime_file(settings);
    options.runtime = runtime;
    options.entry = entry;
    options.all_functions = all_functions;
    options.runs = !all_functions;
    options.assignments = settings->assignments;
    options.observed = settings->observed;
    IrProgram *loaded = frontend_load(&options);
    mem_free(runtime);
    return loaded;
}

IrProgram *program_load(const ProgramSettings *settings, const OptionArgs *args, const char *entry,
                        bool all_functions)
{
    if (!args->plain.n && !settings->compdb)
        die("no program given: name C sources, bitcode or IR, or a --compdb");
    Arena *arena = arena_new();
    FrontendOptions options = program_frontend(settings, args, arena);
    IrProgram *program = program_load_options(settings, &options, entry, all_functions);
    vec_free(&options.inputs);
    vec_free(&options.cflags);
    arena_free(arena);
    return program;
}

const char *program_file_path(const char *text)
{
    const char *equals = strchr(text, '=');
    return equals ? equals + 1 : text;
}

void program_add_file(VmEnvironment *e, Arena *arena, const char *text)
{
    const char *equals = strchr(text, '='), *path = program_file_path(text);
    Str data = {0};
    if (!file_read(path, (size_t)1 << 30, &data))
        die("--file %s: %s: %s", text, path, strerror(errno));
    char *copy = arena_alloc(arena, data.n + 1);
    memcpy(copy, str_text(&data), data.n);
    VmFile file = {.name = equals ? arena_strndup(arena, text, (size_t)(equals - text)) : text,
                   .data = copy,
                   .size = data.n,
                   .writable = true};
    vec_push(&e->files, file);
    str_free(&data);
}

const SuiteFile *program_suite_files(const VmEnvironment *e, Arena *arena)
{
    SuiteFile *files = arena_alloc(arena, (e->files.n + 1) * sizeof *files);
    for (uint32_t i = 0; i < e->files.n; i++)
        files[i] = (SuiteFile){e->files.v[i].name, e->files.v[i].data, e->files.v[i].size};
    return files;
}

void program_check_tests(const FrontendOptions *program, const SuiteTestVec *tests, bool anyway)
{
    char hash[65];
    Str error = {0};
    uint32_t others = 0, first = 0;
    if (!suite_program_hash(program, hash, &error))
        die("%s", str_text(&error));
    for (uint32_t i = 0; i < tests->n; i++) {
        bool other = tests->v[i]->program[0] && strcmp(tests->v[i]->program, hash);
        first = other && !others ? i : first;
        others += other;
    }
    if (others && !anyway)
        die("%s was made for another program, or for it with other sources or macros: --anyway uses it all "
            "the same",
            tests->v[first]->path);
    if (others)
        warn("%u test%s made for another program, or for it with other sources or macros", others,
             others == 1 ? " was" : "s were");
    str_free(&error);
}

const char **program_arguments(const OptionArgs *args, const ProgramSettings *program, Arena *arena)
{
    const char **argv = arena_alloc(arena, (args->rest.n + 2) * sizeof *argv);
    const char *first = args->plain.n        ? args->plain.v[0]
                        : program->targets.n ? program->targets.v[0]
                                             : "program";
    const char *slash = strrchr(first, '/'), *dot = strrchr(first, '.');
    argv[0] = dot && dot > first && (!slash || dot > slash + 1)
                  ? arena_strndup(arena, first, (size_t)(dot - first))
                  : first;
    for (uint32_t i = 0; i < args->rest.n; i++)
        argv[i + 1] = args->rest.v[i];
    return argv;
}

/* Cuts ":NUMBER" off the end; 0 if there is none. */
static uint32_t cut_number(char *text)
{
    char *colon = strrchr(text, ':');
    u128 number;
    if (!colon || colon == text || !text_parse_u128(colon + 1, 10, &number) || number > UINT32_MAX)
        return 0;
    *colon = 0;
    return (uint32_t)number;
}

char *program_place(const char *text, uint32_t *line)
{
    char *file = mem_strdup(text);
    *line = cut_number(file);
    uint32_t before = *line ? cut_number(file) : 0; /* then the last was a column, as reports print it */
    *line = before ? before : *line;
    if (*line)
        return file;
    mem_free(file);
    return NULL;
}
