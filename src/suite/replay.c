/* replay.c - tests on the native program: builds under sanitizers, runs in the sandbox, the verdict.
 *
 * A build is made for each combination of what tests need: the checks that are optional (a program may well
 * rely on overflow that wraps), MemorySanitizer for uninitialised values, and the entry function. */
#include "suite/replay_int.h"
#include "suite/suite_int.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROFILES_AT_ONCE = 200, REPORT_LIMIT = 256 << 10, FILLED = 1 << 20 };

/* What a build looks for always: what is a fault of ours always. */
#define SANITIZE_ALWAYS "address,null,array-bounds,integer-divide-by-zero,unreachable"

/* ---- life ------------------------------------------------------------------------------------ */

SuiteReplay *suite_replay_new(const SuiteReplayOptions *options)
{
    SuiteReplay *r = mem_zalloc(sizeof *r);
    const char *tmp = getenv("TMPDIR");
    Str work = {0};
    str_printf(&work, "%s/sheaf-replay-XXXXXX", tmp && tmp[0] == '/' ? tmp : "/tmp");
    r->arena = arena_new();
    if (!mkdtemp(work.v))
        r->problem = arena_printf(r->arena, "%s: %s", str_text(&work), strerror(errno));
    r->work = str_take(&work);
    r->run_dir = arena_printf(r->arena, "%s/run", r->work);
    r->out_dir = arena_printf(r->arena, "%s/out", r->work);
    r->tmp_dir = arena_printf(r->arena, "%s/tmp", r->work);
    r->merged = arena_printf(r->arena, "%s/merged.profdata", r->work);
    r->options = *options;
    r->options.timeout = options->timeout > 0 ? options->timeout : 10;
    r->options.max_memory = options->max_memory ? options->max_memory : (uint64_t)2 << 30;
    r->options.max_file = options->max_file ? options->max_file : (uint64_t)64 << 20;
    r->symbolizer = frontend_tool(&options->program, "llvm-symbolizer");
    if (!r->problem && (!directory_make(r->out_dir) || !directory_make(r->tmp_dir)))
        r->problem = arena_printf(r->arena, "%s: %s", r->work, strerror(errno));
    return r;
}

void suite_replay_free(SuiteReplay *r)
{
    if (!r)
        return;
    if (!r->problem)
        directory_remove(r->work);
    mem_free(r->work);
    mem_free(r->symbolizer);
    vec_free(&r->builds);
    vec_free(&r->raw);
    str_free(&r->diagnostics);
    arena_free(r->arena);
    mem_free(r);
}

const char *suite_replay_diagnostics(const SuiteReplay *r) { return str_text(&r->diagnostics); }
bool suite_replay_isolated(const SuiteReplay *r) { return r->isolated; }

/* ---- builds ---------------------------------------------------------------------------------- */

/* The name goes into generated C. */
static bool is_identifier(const char *text)
{
    for (const char *p = text; *p; p++)
        if (!isalnum((unsigned char)*p) && *p != '_')
            return false;
    return text[0] && !isdigit((unsigned char)text[0]) && strlen(text) < 256;
}

/* Writes the file that calls the entry function, which includes the source that declares it. NULL if none
 * does. */
static const char *make_driver(SuiteReplay *r, const char *entry, const StrVec *made, uint32_t number,
                               const char **source)
{
    SuiteProgram p = {.entry = entry};
    Str text = {0};
    char *path = NULL;
    if (suite_program_entry(&p, &r->options.program, r->arena) &&
        suite_program_drive(&p, made, &r->options.program, r->arena)) {
        path = arena_printf(r->arena, "%s/driver%u.c", r->work, number);
        str_add(&text, "#include \"");
        suite_c_escape(p.source, strlen(p.source), &text);
        str_add(&text, "\"\n");
        suite_c_makers(&p, &text);
        str_add(
            &text,
            "#undef main\nextern _Noreturn void exit(int);\nextern void "
            "*sheaf_replay_parameter(const char *name, __SIZE_TYPE__ "
            "size);\nextern void sheaf_replay_show(const void *result, __SIZE_TYPE__ "
            "size);\nextern void sheaf_replay_enter(void), sheaf_replay_leave(void);\n\nint main(void)\n{\n");
        suite_c_call_shown(&p, &text);
        str_add(&text, "    return 0;\n}\n");
        if (!file_write_atomic(path, str_text(&text), text.n))
            die("%s: %s", path, strerror(errno));
        *source = p.source;
    }
    suite_program_free(&p);
    str_free(&text);
    return path;
}

static void sanitizer_flags(const SuiteReplay *r, const ReplayBuild *b, FrontendNative *n)
{
    const char *what = b->memory
                           ? "-fsanitize=memory"
                           : arena_printf(r->arena, "-fsanitize=%s%s%s", SANITIZE_ALWAYS,
                                          b->checks & SUITE_CHECK_OVERFLOW ? ",signed-integer-overflow" : "",
                                          b->checks & SUITE_CHECK_SHIFT ? ",shift-exponent" : "");
    static const char *const both[] = {"-fno-sanitize-recover=all", "-fno-omit-frame-pointer"};
    vec_push(&n->flags, what);
    vec_push(&n->own_flags, what);
    for (size_t i = 0; i < COUNT_OF(both); i++) {
        vec_push(&n->flags, both[i]);
        vec_push(&n->own_flags, both[i]);
    }
    if (r->options.coverage &&
        !b->memory) { /* counters live in the file, so that a run that dies leaves them too */
        vec_push(&n->flags, "-fprofile-instr-generate");
        vec_push(&n->flags, "-fcoverage-mapping");
        vec_push(&n->flags, "-mllvm");
        vec_push(&n->flags, "-runtime-counter-relocation=true");
    }
}

/* Calls of these come to the library's __wrap_ functions (runtime/native/replay.c), which give what the test
 * says. */
static const char environment_flags[][40] = {
#define WRAP(name) "-Wl,--wrap=" #name
    WRAP(main),           WRAP(malloc),
    WRAP(calloc),         WRAP(realloc),
    WRAP(reallocarray),   WRAP(memalign),
    WRAP(aligned_alloc),  WRAP(posix_memalign),
    WRAP(valloc),         WRAP(pvalloc),
    WRAP(strdup),         WRAP(__strdup),
    WRAP(strndup),        WRAP(__strndup),
    WRAP(time),           WRAP(clock),
    WRAP(clock_gettime),  WRAP(gettimeofday),
    WRAP(getpid),         WRAP(getppid),
    WRAP(getuid),         WRAP(geteuid),
    WRAP(getgid),         WRAP(getegid),
    WRAP(rand),           WRAP(random),
    WRAP(drand48),        WRAP(lrand48),
    WRAP(mrand48),        WRAP(getrandom),
    WRAP(getentropy),     WRAP(arc4random),
    WRAP(arc4random_buf), WRAP(arc4random_uniform),
    WRAP(getenv),         WRAP(secure_getenv),
    WRAP(read),
#undef WRAP
};

/* The library as the build of Sheaf compiled it, if it is for this build and this compiler; else its source.
 * The optional checks are about the program, not about the library. */
static const char *library_for(const SuiteReplay *r, const ReplayBuild *b)
{
    const char *source = r->options.library;
    if (!source || b->memory || r->options.program.clang || !text_ends_with(source, ".c"))
        return source;
    const char *object = arena_printf(r->arena, "%.*s.o", (int)strlen(source) - 2, source);
    return file_exists(object) ? object : source;
}

static bool compile(SuiteReplay *r, ReplayBuild *b, const StrVec *made, uint32_t number)
{
    FrontendNative n = {.output = b->binary,
                        .scratch = arena_printf(r->arena, "%s/objects%u", r->work, number)};
    bool ok = directory_make(n.scratch);
    vec_clear(&r->diagnostics);
    sanitizer_flags(r, b, &n);
    for (size_t i = 0; b->environment && i < COUNT_OF(environment_flags); i++)
        vec_push(&n.flags, environment_flags[i]);
    if (b->callbacks) {
        vec_push(&n.flags, "-Wl,--wrap=qsort");
        vec_push(&n.flags, "-Wl,--wrap=qsort_r");
    }
    if (!suite_entry_is_plain(b->entry)) {
        const char *driver =
            is_identifier(b->entry) ? make_driver(r, b->entry, made, number, &n.instead) : NULL;
        if (!driver) {
            str_printf(&r->diagnostics, "no C source of the program declares the entry function '%s'\n",
                       b->entry);
            ok = false;
        }
        vec_push(&n.flags, "-Dmain=sheaf_program_main");
        vec_push(&n.own, driver);
    }
    vec_push(&n.own, library_for(r, b));
    ok = ok && frontend_compile_native(&r->options.program, &n, &r->diagnostics);
    vec_free(&n.flags);
    vec_free(&n.own);
    vec_free(&n.own_flags);
    directory_remove(n.scratch);
    return ok;
}

/* What tells a drive from another. */
static const char *made_text(SuiteReplay *r, const SuiteTest *t)
{
    Str all = {0};
    for (uint32_t i = 0; i < t->made.n; i++)
        str_printf(&all, "%s; ", t->made.v[i]);
    const char *text = all.n ? arena_strdup(r->arena, str_text(&all)) : "";
    str_free(&all);
    return text;
}

const ReplayBuild *replay_build_for(SuiteReplay *r, const SuiteTest *t, bool memory)
{
    ReplayBuild want = {.checks =
                            memory ? 0 : replay_checks(r, t) & (SUITE_CHECK_OVERFLOW | SUITE_CHECK_SHIFT),
                        .memory = memory,
                        .environment = suite_test_has_environment(t),
                        .callbacks = suite_test_has_callbacks(t),
                        .made = made_text(r, t),
                        .entry = r->options.entry ? r->options.entry : t->entry};
    for (uint32_t i = 0; i < r->builds.n; i++) {
        const ReplayBuild *b = &r->builds.v[i];
        if (b->checks == want.checks && b->memory == want.memory && b->environment == want.environment &&
            b->callbacks == want.callbacks && !strcmp(b->entry, want.entry) && !strcmp(b->made, want.made))
            return b;
    }
    want.entry = arena_strdup(r->arena, want.entry);
    want.binary = arena_printf(r->arena, "%s/program%u", r->work, r->builds.n);
    want.ok = compile(r, &want, &t->made, r->builds.n);
    vec_push(&r->builds, want);
    return &vec_last(&r->builds);
}

/* ---- one run --------------------------------------------------------------------------------- */

/* The name must stay inside the run's directory. */
static bool is_inside(const char *name)
{
    if (!name[0] || name[0] == '/')
        return false;
    for (const char *p = name; *p; p += strcspn(p, "/"), p += *p == '/')
        if (p[0] == '.' && p[1] == '.' && (!p[2] || p[2] == '/'))
            return false;
    return true;
}

static bool write_at(const char *dir, const char *name, const void *data, size_t size)
{
    Str path = {0};
    str_printf(&path, "%s/%s", dir, name);
    char *slash = strrchr(path.v, '/');
    *slash = 0;
    bool ok = directory_make(path.v);
    *slash = '/';
    ok = ok && file_write_atomic(path.v, data, size);
    str_free(&path);
    return ok;
}

static const char *place_file(const SuiteReplay *r, const char *name, const void *data, size_t size)
{
    if (!is_inside(name))
        return "the name of a file leads out of the run's directory";
    return write_at(r->run_dir, name, data, size) ? NULL : "a file cannot be written";
}

/* Fills the directories. NULL, or what cannot be done. */
static const char *place_inputs(SuiteReplay *r, const SuiteTest *t, bool *has_stdin)
{
    Str native = {0};
    const char *problem = NULL;
    directory_remove(r->run_dir);
    directory_remove(r->out_dir);
    if (!directory_make(r->run_dir) || !directory_make(r->out_dir))
        return "its directory cannot be made";
    for (uint32_t i = 0; i < r->options.nfiles && !problem; i++)
        problem = place_file(r, r->options.files[i].name, r->options.files[i].data, r->options.files[i].size);
    suite_ktest_write_native(t, &native);
    if (!write_at(r->out_dir, "test.ktest", native.v, native.n))
        problem = "its inputs cannot be written";
    str_free(&native);
    for (uint32_t i = 0; i < t->objects.n && !problem; i++) {
        const SuiteObject *o = &t->objects.v[i];
        bool is_stdin = o->origin == SUITE_FROM_STDIN || o->origin == SUITE_FROM_FUZZ;
        *has_stdin |= is_stdin;
        if (is_stdin && !write_at(r->out_dir, "stdin", o->data, o->size))
            problem = "its standard input cannot be written";
        if (o->origin == SUITE_FROM_FILE && !problem)
            problem = place_file(r, o->of, o->data, o->size);
    }
    return problem;
}

/* The same environment for every run: nothing of ours but what the sanitizers and the library need. */
static const char **environment(SuiteReplay *r, const SuiteTest *t, Arena *a, const char *profile, bool shows)
{
    bool leaks = replay_checks(r, t) & SUITE_CHECK_LEAK;
    const char *common =
        arena_printf(a,
                     "log_path=%s/report:exitcode=%d:symbolize=1:external_symbolizer_path=%s:"
                     "handle_abort=1:handle_sigill=1:allocator_may_return_null=1:hard_rss_limit_mb=%llu",
                     r->out_dir, REPLAY_SANITIZER_STATUS, r->symbolizer ? r->symbolizer : "",
                     (unsigned long long)(r->options.max_memory >> 20));
    const char **env = arena_alloc(a, 10 * sizeof *env);
    int n = 0;
    env[n++] = arena_printf(
        a,
        "ASAN_OPTIONS=%s:detect_leaks=%d:detect_stack_use_after_return=1:use_sigaltstack=1:check_"
        "initialization_order=0%s",
        common, leaks,
        r->fill ? arena_printf(a, ":max_malloc_fill_size=%d:malloc_fill_byte=%d", FILLED, r->fill) : "");
    env[n++] = arena_printf(a, "MSAN_OPTIONS=%s", common);
    env[n++] = arena_printf(a, "UBSAN_OPTIONS=%s:print_stacktrace=0", common);
    env[n++] = arena_printf(a, "SHEAF_TEST=%s/test.ktest", r->out_dir);
    env[n++] = arena_printf(a, "SHEAF_REPORT=%s/events", r->out_dir);
    env[n++] = arena_printf(a, "LLVM_PROFILE_FILE=%s", profile);
    if (shows) {
        env[n++] = arena_printf(a, "SHEAF_OUTPUT=%s/outputs", r->out_dir);
        env[n++] = arena_printf(a, "SHEAF_SHOWN=%s/shown", r->out_dir);
    }
    return env;
}

/* All that sanitizers wrote, of one process after the other. */
static void read_reports(const SuiteReplay *r, Str *out)
{
    DIR *dir = opendir(r->out_dir);
    if (!dir)
        return;
    for (struct dirent *e; (e = readdir(dir)) && out->n < REPORT_LIMIT;) {
        if (!text_starts_with(e->d_name, "report."))
            continue;
        Str path = {0}, text = {0};
        str_printf(&path, "%s/%s", r->out_dir, e->d_name);
        if (file_read(str_text(&path), (size_t)r->options.max_file + 1, &text))
            str_add_n(out, str_text(&text), text.n < REPORT_LIMIT ? text.n : REPORT_LIMIT);
        str_free(&path);
        str_free(&text);
    }
    closedir(dir);
    for (uint32_t i = 0; i < out->n; i++)
        if (!out->v[i])
            out->v[i] = ' ';
}

static void read_events(const SuiteReplay *r, ReplayRun *run)
{
    Str path = {0}, text = {0};
    str_printf(&path, "%s/events", r->out_dir);
    if (file_read(str_text(&path), REPORT_LIMIT, &text)) {
        const char *line = str_text(&text);
        snprintf(run->event, sizeof run->event, "%.*s", (int)strcspn(line, "\n"), line);
    }
    str_free(&path);
    str_free(&text);
}

/* Keeps the profile of the run, and sums up before there are too many. */
static void keep_profile(SuiteReplay *r, const char *path)
{
    struct stat st;
    if (!r->options.coverage || stat(path, &st) || !st.st_size)
        return;
    char *kept = arena_printf(r->arena, "%s/%u.profraw", r->work, r->raw.n);
    if (rename(path, kept))
        return;
    vec_push(&r->raw, kept);
    if (r->raw.n >= PROFILES_AT_ONCE)
        replay_merge(r);
}

bool replay_run_once(SuiteReplay *r, const SuiteTest *t, const ReplayBuild *build, bool shows, ReplayRun *run,
                     SuiteOutcome *out)
{
    bool has_stdin = false;
    const char *problem =
        build->ok ? place_inputs(r, t, &has_stdin) : "the program does not compile natively";
    if (problem) {
        snprintf(out->message, sizeof out->message, "%s", problem);
        return false;
    }
    Arena *a = arena_new();
    StrVec words = {0};
    suite_test_words(t, &words);
    if (!words.n)
        vec_push(&words, "program");
    vec_push(&words, NULL);
    const char *profile = arena_printf(a, "%s/profile.raw", r->out_dir);
    Sandbox s = {.binary = build->binary,
                 .directory = r->run_dir,
                 .also = r->out_dir,
                 .tmp = r->tmp_dir,
                 .keep = r->work,
                 .argv = words.v,
                 .envp = environment(r, t, a, arena_printf(a, "%s%%c", profile), shows),
                 .stdout_path = shows ? arena_printf(a, "%s/stdout", r->out_dir) : NULL,
                 .stderr_path = shows ? arena_printf(a, "%s/stderr", r->out_dir) : NULL,
                 .stdin_path = has_stdin ? arena_printf(a, "%s/stdin", r->out_dir) : NULL,
                 .timeout = r->options.timeout,
                 .max_file = r->options.max_file,
                 .interrupt = r->options.interrupt};
    double start = clock_seconds();
    run->sandbox = sandbox_run(&s);
    out->seconds = clock_seconds() - start;
    r->isolated = run->sandbox.isolated;
    read_reports(r, &run->report);
    read_events(r, run);
    keep_profile(r, profile);
    vec_free(&words);
    arena_free(a);
    return true;
}

void suite_replay_test(SuiteReplay *r, const SuiteTest *t, SuiteOutcome *out)
{
    bool memory = !strcmp(t->fault, "uninit");
    ReplayRun run = {0};
    *out = (SuiteOutcome){.verdict = SUITE_NOT_RUN};
    if (r->problem) {
        snprintf(out->message, sizeof out->message, "%s", r->problem);
        return;
    }
    if (memory &&
        r->options.coverage) { /* the profile's own code confuses MemorySanitizer: count in another run */
        const ReplayBuild *plain = replay_build_for(r, t, false);
        replay_run_once(r, t, plain, false, &run, out);
        str_free(&run.report);
        run = (ReplayRun){0};
    }
    ReplayBuild build = *replay_build_for(r, t, memory);
    if (replay_run_once(r, t, &build, false, &run, out))
        replay_judge(r, t, &build, &run, out);
    str_free(&run.report);
}

/* ---- coverage -------------------------------------------------------------------------------- */

bool replay_merge(SuiteReplay *r)
{
    if (!r->raw.n)
        return file_exists(r->merged);
    bool ok = frontend_profile_merge(&r->options.program, &r->raw, r->merged);
    for (uint32_t i = 0; i < r->raw.n; i++)
        unlink(r->raw.v[i]);
    vec_clear(&r->raw);
    return ok;
}

void suite_replay_coverage_reset(SuiteReplay *r)
{
    for (uint32_t i = 0; i < r->raw.n; i++)
        unlink(r->raw.v[i]);
    vec_clear(&r->raw);
    if (r->merged)
        unlink(r->merged);
}

bool suite_replay_coverage(SuiteReplay *r, SuiteCoverage *out, Str *error)
{
    Str lcov = {0};
    StrVec binaries = {0};
    *out = (SuiteCoverage){0};
    for (uint32_t i = 0; i < r->builds.n; i++)
        if (r->builds.v[i].ok && !r->builds.v[i].memory)
            vec_push(&binaries, r->builds.v[i].binary);
    bool ok = binaries.n && replay_merge(r) &&
              frontend_profile_export(&r->options.program, &binaries, r->merged, &lcov);
    if (ok)
        coverage_read(str_text(&lcov), r->work, out);
    else
        str_add(error, binaries.n ? "no coverage data: llvm-profdata or llvm-cov failed"
                                  : "no coverage data: nothing ran");
    vec_free(&binaries);
    str_free(&lcov);
    return ok;
}
