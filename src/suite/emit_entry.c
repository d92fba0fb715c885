/* emit_entry.c - tests of an entry function as C that a library's author could have written: objects are
 * built (emit_entry_build.c), the function is called, and what the native run of the test left behind is
 * compared (emit_entry_check.c).
 *
 * Which types the header shows is not guessed: lines that clang refuses name the types whose objects are
 * written as bytes in the next attempt. */
#include "suite/emit_entry.h"

enum { ATTEMPTS = 6 };

/* ---- one test -------------------------------------------------------------------------------- */

static void write_call(Writer *w, bool checked)
{
    Str call = {0};
    const char *result = w->p->result;
    str_printf(&call, "%s(", w->p->entry);
    for (uint32_t i = 0; i < w->p->names.n; i++)
        str_printf(&call, "%s%s", i ? ", " : "", w->p->names.v[i]);
    str_add_char(&call, ')');
    const SuiteShown *s = checked ? &w->observed->shown[0] : NULL;
    if (s && s->seen.n && !strcmp(s->seen.v[0].name, "result") && result && strcmp(result, "void")) {
        const char *type =
            strpbrk(result, "([") ? arena_printf(w->arena, "__typeof__(%s)", str_text(&call)) : result;
        suite_emit_statement(w, 0, "%s%sresult = %s", type, text_ends_with(type, "*") ? "" : " ",
                             str_text(&call));
    } else
        suite_emit_statement(w, 0, "%s", str_text(&call));
    str_free(&call);
}

/* The bytes of an object, zeros in the place of pointers to others. */
static const uint8_t *without_pointers(Writer *w, const SuiteTest *t, uint32_t object)
{
    const SuiteObject *o = &t->objects.v[object];
    uint8_t *data = arena_alloc(w->arena, o->size + 1);
    memcpy(data, o->data, o->size);
    for (uint32_t i = 0; i < t->links.n; i++)
        if (t->links.v[i].object == object)
            memset(data + t->links.v[i].offset, 0, 8);
    return data;
}

static void write_test(Writer *w, const SuiteTest *t, const SuiteObserved *observed, uint32_t number)
{
    bool checked = suite_observed_returned(t, observed);
    w->test = t;
    w->observed = observed;
    w->objects = arena_alloc(w->arena, (t->objects.n + 1) * sizeof *w->objects);
    strmap_free(&w->taken);
    w->taken = (StrMap){0};
    strmap_put(&w->taken, "result", 1);
    for (uint32_t i = 0; i < w->p->names.n; i++)
        strmap_put(&w->taken, w->p->names.v[i], 1);
    for (uint32_t i = 0; i < t->objects.n; i++)
        w->objects[i] = (Thing){.data = without_pointers(w, t, i), .size = t->objects.v[i].size};
    str_printf(w->out, "static void test_%04u(void)\n{\n", number);
    suite_emit_arguments(w);
    write_call(w, checked);
    if (checked)
        suite_emit_checks(w);
    str_add(w->out, "}\n\n");
    for (uint32_t i = 0; i < t->objects.n; i++)
        vec_free(&w->objects[i].fields);
}

/* ---- the file -------------------------------------------------------------------------------- */

static const char helpers_text[] =
    "#include <fcntl.h>\n"
    "#include <math.h>\n"
    "#include <signal.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#include <sys/wait.h>\n"
    "#include <unistd.h>\n"
    "\n" SUITE_C_SANITIZED "\n"
    "#define SHEAF_STATIC static __attribute__((unused)) /* not every test needs all of them */\n"
    "static int sheaf_report; /* where failed checks are reported */\n"
    "\n"
    "SHEAF_STATIC void sheaf_failed(const char *what)\n"
    "{\n"
    "    dprintf(sheaf_report, \"  not so: %s\\n\", what);\n"
    "    _exit(1);\n"
    "}\n"
    "#undef CHECK\n"
    "#define CHECK(condition) ((condition) ? (void)0 : sheaf_failed(#condition))\n"
    "\n"
    "/* Objects are exactly as large as the test says, so that a sanitizer knows their bounds; malloc(0) "
    "gives it one\n"
    " * byte. */\n"
    "void __asan_poison_memory_region(void const volatile *address, size_t size) __attribute__((weak));\n"
    "SHEAF_STATIC void *sheaf_copy(const void *bytes, size_t size)\n"
    "{\n"
    "    void *object = calloc(1, size ? size : 1);\n"
    "    if (!object)\n"
    "        abort();\n"
    "    if (!size && __asan_poison_memory_region)\n"
    "        __asan_poison_memory_region(object, 1);\n"
    "    return memcpy(object, bytes, size);\n"
    "}\n"
    "SHEAF_STATIC void *sheaf_zeroed(size_t size)\n"
    "{\n"
    "    void *object = calloc(1, size);\n"
    "    if (!object)\n"
    "        abort();\n"
    "    return object;\n"
    "}\n"
    "/* Pointers in objects whose type no header shows. */\n"
    "SHEAF_STATIC void sheaf_point(void *object, size_t offset, const void *target)\n"
    "{\n"
    "    memcpy((char *)object + offset, &target, sizeof target);\n"
    "}\n"
    "SHEAF_STATIC void *sheaf_pointer(const void *object, size_t offset)\n"
    "{\n"
    "    void *target;\n"
    "    memcpy(&target, (const char *)object + offset, sizeof target);\n"
    "    return target;\n"
    "}\n"
    "\n";

static const char stream_text[] =
    "/* A stream to read these bytes from, or to write to. The file is still there when the stream is "
    "closed. */\n"
    "static struct {\n"
    "    FILE *stream;\n"
    "    int file;\n"
    "} sheaf_streams[16];\n"
    "SHEAF_STATIC FILE *sheaf_stream(const void *bytes, size_t size)\n"
    "{\n"
    "    FILE *stream = tmpfile();\n"
    "    unsigned i = 0;\n"
    "    while (i < 15 && sheaf_streams[i].stream)\n"
    "        i++;\n"
    "    if (!stream || setvbuf(stream, NULL, _IONBF, 0) || fwrite(bytes, 1, size, stream) != size)\n"
    "        abort();\n"
    "    rewind(stream);\n"
    "    sheaf_streams[i].stream = stream;\n"
    "    sheaf_streams[i].file = dup(fileno(stream));\n"
    "    return stream;\n"
    "}\n"
    "SHEAF_STATIC int sheaf_file(const FILE *stream)\n"
    "{\n"
    "    unsigned i = 0;\n"
    "    while (i < 15 && sheaf_streams[i].stream != stream)\n"
    "        i++;\n"
    "    return sheaf_streams[i].file;\n"
    "}\n"
    "SHEAF_STATIC long sheaf_position(const FILE *stream) { return lseek(sheaf_file(stream), 0, SEEK_CUR); "
    "}\n"
    "SHEAF_STATIC int sheaf_holds(const FILE *stream, const void *bytes, size_t size)\n"
    "{\n"
    "    char *written = malloc(size + 1);\n"
    "    ssize_t n = written ? pread(sheaf_file(stream), written, size + 1, 0) : -1;\n"
    "    return n == (ssize_t)size && !memcmp(written, bytes, size);\n"
    "}\n"
    "\n";

static const char main_text[] =
    "/* 1: as expected, 0: not, -1: cannot be seen without a sanitizer. */\n"
    "static int sheaf_one(const SheafTest *t)\n"
    "{\n"
    "    FILE *streams[2] = {tmpfile(), tmpfile()};\n"
    "    int status = 0;\n"
    "    if (!sheaf_is_seen(t->check))\n"
    "        return -1;\n"
    "    fflush(stdout);\n"
    "    pid_t child = streams[0] && streams[1] ? fork() : -1;\n"
    "    if (!child) {\n"
    "        sheaf_report = dup(1);\n"
    "        dup2(open(\"/dev/null\", O_RDWR), 0);\n"
    "        dup2(fileno(streams[0]), 1);\n"
    "        dup2(fileno(streams[1]), 2);\n"
    "        alarm(10);\n"
    "        t->run();\n"
    "        fflush(NULL);\n"
    "        _exit(0);\n"
    "    }\n"
    "    if (child < 0 || waitpid(child, &status, 0) != child)\n"
    "        return 0;\n"
    "    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;\n"
    "    int late = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;\n"
    "    int passed = t->check == STATUS ? code == t->status : t->check == ANY ? code >= 0 : !late;\n"
    "    if (getenv(\"SHEAF_SHOW\"))\n"
    "        sheaf_show(streams[1]);\n"
    "    if (t->check == FAULT || t->check == SANITIZER || t->check == UNDEFINED)\n"
    "        passed = (code != 0 && !late) || (t->check == UNDEFINED && sheaf_is_undefined(streams[1]));\n"
    "    if (t->check == LATE)\n"
    "        passed = late;\n"
    "    passed = passed && sheaf_wrote(streams[0], \"standard output\", &t->out) &&\n"
    "             sheaf_wrote(streams[1], \"standard error\", &t->err);\n"
    "    if (!passed)\n"
    "        printf(\"FAILED %s: expected %s, got %s %d\\n\", t->name, t->expected,\n"
    "               code < 0 ? \"signal\" : \"status\", code < 0 ? WTERMSIG(status) : code);\n"
    "    fclose(streams[0]);\n"
    "    fclose(streams[1]);\n"
    "    return passed;\n"
    "}\n"
    "\n"
    "int main(void)\n"
    "{\n"
    "    unsigned passed = 0, failed = 0, unseen = 0;\n"
    "    for (unsigned i = 0; i < sizeof sheaf_tests / sizeof *sheaf_tests; i++) {\n"
    "        int result = sheaf_tests[i].run ? sheaf_one(&sheaf_tests[i]) : 1;\n"
    "        passed += result > 0 && sheaf_tests[i].run;\n"
    "        failed += !result;\n"
    "        unseen += result < 0;\n"
    "    }\n"
    "    printf(\"%u passed, %u failed\", passed, failed);\n"
    "    if (unseen)\n"
    "        printf(\", %u not run: compile with -fsanitize=address,undefined to see their faults\", "
    "unseen);\n"
    "    printf(\"\\n\");\n"
    "    return failed != 0;\n"
    "}\n";

static void write_table(Writer *w, SuiteTest *const *tests, const SuiteObserved *observed, uint32_t n)
{
    str_add(w->out, suite_seen_types);
    str_add(w->out, "typedef struct SheafTest {\n"
                    "    const char *name;\n"
                    "    void (*run)(void);\n"
                    "    int check, status;\n"
                    "    const char *expected;\n"
                    "    SheafStream out, err;\n"
                    "} SheafTest;\n"
                    "static const SheafTest sheaf_tests[] = {\n");
    for (uint32_t i = 0; i < n; i++) {
        const SuiteObserved *o = observed ? &observed[i] : NULL;
        uint32_t number = suite_test_number(w->p, tests, i);
        str_printf(w->out, "    {\"%04u\", test_%04u, ", number, number);
        suite_expectation(tests[i], w->p->entry, o, w->out);
        suite_expect_streams(o, false, w->out);
        str_add(w->out, "},\n");
    }
    str_add(w->out, n ? "};\n\n" : "    {0},\n};\n\n");
}

static bool takes(const SuiteProgram *p, SuiteTest *const *tests, uint32_t n)
{
    uint32_t fn = p->ir && p->preamble ? ir_fn_find(p->ir, p->entry) : IR_NONE;
    for (uint32_t i = 0; i < p->makers.n; i++) /* the one header must declare them all */
        if (!p->header || !p->makers.v[i].header || strcmp(p->header, p->makers.v[i].header))
            return false;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < tests[i]->objects.n; k++)
            if (tests[i]->objects.v[k].origin != SUITE_FROM_PARAMETER &&
                tests[i]->objects.v[k].origin != SUITE_FROM_POINTEE &&
                tests[i]->objects.v[k].origin != SUITE_FROM_STREAM)
                return false;
    return fn != IR_NONE;
}

static bool any_stream(SuiteTest *const *tests, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < tests[i]->objects.n; k++)
            if (tests[i]->objects.v[k].origin == SUITE_FROM_STREAM)
                return true;
    return false;
}

static void attempt(Writer *w, SuiteTest *const *tests, const SuiteObserved *observed, uint32_t n,
                    const char *head)
{
    vec_clear(w->out);
    vec_clear(&w->typed);
    w->line = w->counted = 0;
    arena_clear(w->arena);
    str_add(w->out, head);
    str_add(w->out, "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#undef main\n");
    str_add(w->out, w->p->preamble);
    str_add_char(w->out, '\n');
    str_add(w->out, helpers_text);
    if (any_stream(tests, n))
        str_add(w->out, stream_text);
    for (uint32_t i = 0; i < n; i++)
        write_test(w, tests[i], observed ? &observed[i] : NULL, suite_test_number(w->p, tests, i));
    write_table(w, tests, observed, n);
    suite_c_sanitizer_options(w->p, w->out);
    str_add(w->out, suite_stream_text);
    str_add(w->out, main_text);
}

/* Marks the types whose members stand in lines that do not compile. False: there is none to blame. */
static bool hide_types(Writer *w, const U32Vec *bad)
{
    bool any = false;
    for (uint32_t i = 0; i < bad->n; i++)
        for (uint32_t k = 0; k < w->typed.n; k++) {
            const TypedLines *l = &w->typed.v[k];
            if (bad->v[i] >= l->first && bad->v[i] <= l->last && !map_get(&w->hidden, l->type, NULL)) {
                map_put(&w->hidden, l->type, 1);
                any = true;
            }
        }
    return any;
}

bool suite_entry_write(const SuiteProgram *p, SuiteTest *const *tests, const SuiteObserved *observed,
                       uint32_t n, const char *head, Str *out)
{
    if (!takes(p, tests, n))
        return false;
    Writer w = {.p = p, .fn = &p->ir->fns.v[ir_fn_find(p->ir, p->entry)], .arena = arena_new(), .out = out};
    StrVec flags = {0};
    U32Vec bad = {0};
    bool ok = false;
    for (uint32_t i = 0; i < p->entry_flags.n; i++)
        vec_push(&flags, p->entry_flags.v[i]);
    Str include = {0};
    str_printf(&include, "-I%s", p->include ? p->include : "");
    if (p->include)
        vec_push(&flags, str_text(&include));
    for (uint32_t i = 0; i < ATTEMPTS && !ok; i++) {
        vec_clear(&bad);
        attempt(&w, tests, observed, n, head);
        ok = !p->frontend || suite_c_compiles(p->frontend, &flags, out, &bad);
        if (!ok && w.plain)
            break;
        w.plain = !ok && (!hide_types(&w, &bad) || i + 2 == ATTEMPTS);
    }
    str_free(&include);
    vec_free(&flags);
    vec_free(&bad);
    vec_free(&w.typed);
    map_free(&w.hidden);
    strmap_free(&w.taken);
    vec_free(&w.calls);
    arena_free(w.arena);
    return ok;
}
