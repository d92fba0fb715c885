/* emit_c.c - all tests as one C file that is compiled together with the program. Tests of a function with
 * nothing but arguments have a form of their own (emit_entry.c).
 *
 * It has no main: a constructor runs before the program's. In the process that the user starts it runs every
 * test in a child that executes the same file again, and ends; in such a child it sets up the inputs and lets
 * main come, or calls the entry function. So nothing of the program is renamed, and each test sees it
 * fresh. */
#include "suite/suite_int.h"

enum { BYTES_A_LINE = 64, BYTES_OF_VALUE = 16 };

static const char types_text[] = "#define SHEAF_REPLAY_TYPES\n"
                                 "typedef struct SheafReplayObject {\n"
                                 "    const char *name, *origin;\n"
                                 "    const void *data;\n"
                                 "    __SIZE_TYPE__ size;\n"
                                 "} SheafReplayObject;\n"
                                 "typedef struct SheafReplayLink {\n"
                                 "    unsigned object, offset, target, delta;\n"
                                 "} SheafReplayLink;\n";

static const char test_text[] = "typedef struct SheafTest {\n"
                                "    const char *name;\n"
                                "    const char *const *argv;\n"
                                "    const SheafReplayObject *objects;\n"
                                "    unsigned n;\n"
                                "    const SheafReplayLink *links;\n"
                                "    unsigned nlinks;\n"
                                "    int check, status;\n"
                                "    const char *expected;\n"
                                "    SheafStream out, err, outputs;\n"
                                "    const SheafSeen *seen;\n"
                                "    unsigned nseen;\n"
                                "    const SheafSeenBytes *bytes;\n"
                                "    unsigned nbytes;\n"
                                "    const SheafSeenPointer *pointers;\n"
                                "    unsigned npointers;\n"
                                "} SheafTest;\n"
                                "\n";

static const char harness_text[] =
    "#include <ftw.h>\n"
    "#include <sys/stat.h>\n"
    "\n"
    "static void sheaf_tests_put(int fd, const SheafReplayObject *o)\n"
    "{\n"
    "    if (fd < 0 || write(fd, o->data, o->size) != (ssize_t)o->size)\n"
    "        _exit(SHEAF_STATUS_MISMATCH);\n"
    "}\n"
    "\n"
    "/* In the child: files, standard input and arguments, then the same program again. */\n"
    "static void sheaf_tests_start(unsigned number, const char *directory, FILE *const *streams)\n"
    "{\n"
    "    const SheafTest *t = &sheaf_tests[number];\n"
    "    const char **argv = calloc(t->n + 1000u, sizeof *argv);\n"
    "    char text[16], outputs[64];\n"
    "    unsigned words = 0;\n"
    "    int input = open(\"/dev/null\", O_RDONLY);\n"
    "    if (!argv || chdir(directory))\n"
    "        _exit(SHEAF_STATUS_MISMATCH);\n"
    "    for (; t->argv[words] && words < 999; words++)\n"
    "        argv[words] = t->argv[words];\n"
    "    for (unsigned i = 0; i < t->n; i++) {\n"
    "        const SheafReplayObject *o = &t->objects[i];\n"
    "        if (!strcmp(o->origin, \"argument\"))\n"
    "            argv[words++] = o->data;\n"
    "        if (!strcmp(o->origin, \"stdin\") || !strcmp(o->origin, \"fuzz\")) {\n"
    "            FILE *file = tmpfile();\n"
    "            input = file ? fileno(file) : -1;\n"
    "            sheaf_tests_put(input, o);\n"
    "            lseek(input, 0, SEEK_SET);\n"
    "        }\n"
    "        if (!strcmp(o->origin, \"file\"))\n"
    "            sheaf_tests_put(open(o->name, O_WRONLY | O_CREAT | O_EXCL, 0644), o);\n"
    "    }\n"
    "    dup2(input, 0);\n"
    "    dup2(fileno(streams[0]), 1);\n"
    "    dup2(fileno(streams[1]), 2);\n"
    "    snprintf(outputs, sizeof outputs, \"/proc/self/fd/%d\", fileno(streams[2]));\n"
    "    setenv(\"SHEAF_OUTPUT\", outputs, 1);\n"
    "    snprintf(text, sizeof text, \"%u\", number);\n"
    "    setenv(\"SHEAF_TEST_NUMBER\", text, 1);\n"
    "    alarm(10);\n"
    "    execv(\"/proc/self/exe\", (char *const *)argv);\n"
    "    _exit(SHEAF_STATUS_MISMATCH);\n"
    "}\n"
    "\n"
    "static int sheaf_tests_remove(const char *path, const struct stat *st, int what, struct FTW *where)\n"
    "{\n"
    "    (void)st, (void)what, (void)where;\n"
    "    return remove(path), 0;\n"
    "}\n"
    "\n"
    "/* How the child ended and what it wrote, against what is expected. */\n"
    "static int sheaf_tests_passed(const SheafTest *t, int status, FILE *const *streams)\n"
    "{\n"
    "    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;\n"
    "    int late = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;\n"
    "    int passed = code != SHEAF_STATUS_MISMATCH && code != SHEAF_STATUS_ASSUMPTION &&\n"
    "                 code != SHEAF_STATUS_DIFFERENT && late == (t->check == LATE);\n"
    "    if (t->check == STATUS)\n"
    "        passed = code == t->status;\n"
    "    if (getenv(\"SHEAF_SHOW\"))\n"
    "        sheaf_show(streams[1]);\n"
    "    if (t->check == FAULT || t->check == SANITIZER || t->check == UNDEFINED)\n"
    "        passed = passed && (code != 0 || (t->check == UNDEFINED && sheaf_is_undefined(streams[1])));\n"
    "    if (t->check == OPEN)\n"
    "        passed = !late;\n"
    "    if (code == SHEAF_STATUS_DIFFERENT) {\n"
    "        size_t n;\n"
    "        char *said = sheaf_written(streams[1], &n);\n"
    "        fwrite(said, 1, n, stdout);\n"
    "        free(said);\n"
    "    }\n"
    "    passed = passed && sheaf_wrote(streams[0], \"standard output\", &t->out) &&\n"
    "             sheaf_wrote(streams[1], \"standard error\", &t->err) &&\n"
    "             sheaf_wrote(streams[2], \"what sheaf_output names\", &t->outputs);\n"
    "    if (!passed)\n"
    "        printf(\"FAILED %s: expected %s, got %s %d\\n\", t->name, t->expected,\n"
    "               code < 0 ? \"signal\" : \"status\", code < 0 ? WTERMSIG(status) : code);\n"
    "    return passed;\n"
    "}\n"
    "\n"
    "/* 1: as expected, 0: not, -1: cannot be seen without a sanitizer. */\n"
    "static int sheaf_tests_one(unsigned number)\n"
    "{\n"
    "    const SheafTest *t = &sheaf_tests[number];\n"
    "    char directory[] = \"/tmp/sheaf-test-XXXXXX\";\n"
    "    FILE *streams[3] = {tmpfile(), tmpfile(), tmpfile()};\n"
    "    int status = 0;\n"
    "    if (!sheaf_is_seen(t->check))\n"
    "        return -1;\n"
    "    if (!mkdtemp(directory) || !streams[0] || !streams[1] || !streams[2])\n"
    "        return 0;\n"
    "    pid_t child = fork();\n"
    "    if (!child)\n"
    "        sheaf_tests_start(number, directory, streams);\n"
    "    if (child < 0 || waitpid(child, &status, 0) != child)\n"
    "        status = -1;\n"
    "    nftw(directory, sheaf_tests_remove, 16, FTW_DEPTH | FTW_PHYS);\n"
    "    int passed = sheaf_tests_passed(t, status, streams);\n"
    "    for (int i = 0; i < 3; i++)\n"
    "        fclose(streams[i]);\n"
    "    return passed;\n"
    "}\n"
    "\n"
    "__attribute__((constructor)) static void sheaf_tests_all(void)\n"
    "{\n"
    "    unsigned passed = 0, failed = 0, unseen = 0, n = sizeof sheaf_tests / sizeof *sheaf_tests;\n"
    "    const char *number = getenv(\"SHEAF_TEST_NUMBER\");\n"
    "    if (number) {\n"
    "        const SheafTest *t = &sheaf_tests[(unsigned)atoi(number) % n];\n"
    "        unsetenv(\"SHEAF_TEST_NUMBER\");\n"
    "        sheaf_replay.loaded = sheaf_replay.present = true;\n"
    "        sheaf_replay.objects = t->objects;\n"
    "        sheaf_replay.n = t->n;\n"
    "        sheaf_replay.links = t->links;\n"
    "        sheaf_replay.nlinks = t->nlinks;\n"
    "        for (unsigned i = 0; i < t->n; i++)\n"
    "            if (!strcmp(t->objects[i].origin, \"global\"))\n"
    "                sheaf_replay_objects();\n"
    "        sheaf_replay.running = true;\n"
    "        SHEAF_TESTS_CALL\n"
    "        return;\n"
    "    }\n"
    "    for (unsigned i = 0; i < n; i++) {\n"
    "        int result = sheaf_tests_one(i);\n"
    "        passed += result > 0;\n"
    "        failed += !result;\n"
    "        unseen += result < 0;\n"
    "    }\n"
    "    printf(\"%u passed, %u failed\", passed, failed);\n"
    "    if (unseen)\n"
    "        printf(\", %u not run: compile with -fsanitize=address,undefined to see their faults\", "
    "unseen);\n"
    "    printf(\"\\n\");\n"
    "    fflush(stdout);\n"
    "    _exit(failed ? 1 : 0);\n"
    "}\n";

/* Faults that end any build of the program abnormally; others may pass unnoticed without a sanitizer. */
static const char always_seen[] = "abort assert reported trap";

bool suite_fault_is_always_seen(const char *suffix) { return words_have(always_seen, suffix); }

void suite_c_literal(const void *data, size_t n, Str *out)
{
    const char *bytes = data;
    str_add_char(out, '"');
    for (size_t at = 0; at < n; at += BYTES_A_LINE) {
        if (at)
            str_add(out, "\"\n         \"");
        suite_c_escape(bytes + at, n - at < BYTES_A_LINE ? n - at : BYTES_A_LINE, out);
    }
    str_add_char(out, '"');
}

static void comment_text(const char *text, Str *out)
{
    for (const char *p = text; *p; p++) /* nothing that ends a comment, or a line */
        str_add_char(out, (*p == '/' && p > text && p[-1] == '*') || (unsigned char)*p < 0x20 ? '?' : *p);
}

static void emit_object(const SuiteObject *o, Str *out)
{
    /* a file is known by the name that the program opens it with */
    const char *name = o->origin == SUITE_FROM_FILE ? o->of : o->name;
    SuiteKind kind = suite_object_type(o).kind;
    str_add(out, "    {");
    suite_c_literal(name, strlen(name), out);
    str_printf(out, ", \"%s\", ", suite_origin_word(o->origin));
    suite_c_literal(o->data, o->size, out);
    str_printf(out, ", %u},", o->size);
    if (kind != SUITE_BYTES && kind != SUITE_CHAR && kind != SUITE_POINTER && o->size <= BYTES_OF_VALUE) {
        uint32_t n = suite_object_elements(o);
        str_add(out, " /* ");
        for (uint32_t i = 0; i < n; i++) {
            str_add(out, i ? ", " : "");
            suite_object_value(o, i, out);
        }
        str_add(out, " */");
    }
    str_add_char(out, '\n');
}

static void emit_inputs(const SuiteTest *t, uint32_t number, Str *out)
{
    str_printf(out, "static const char *const sheaf_argv%u[] = {", number);
    for (uint32_t i = 0; i < t->argv.n; i++) {
        suite_c_literal(t->argv.v[i], strlen(t->argv.v[i]), out);
        str_add(out, ", ");
    }
    str_add(out, t->argv.n ? "0};\n" : "\"program\", 0};\n");
    if (t->objects.n) {
        str_printf(out, "static const SheafReplayObject sheaf_objects%u[] = {\n", number);
        for (uint32_t i = 0; i < t->objects.n; i++)
            emit_object(&t->objects.v[i], out);
        str_add(out, "};\n");
    }
    if (t->links.n) {
        str_printf(out, "static const SheafReplayLink sheaf_links%u[] = {", number);
        for (uint32_t i = 0; i < t->links.n; i++)
            str_printf(out, "{%u, %u, %u, %u}, ", t->links.v[i].object, t->links.v[i].offset,
                       t->links.v[i].target, t->links.v[i].delta);
        str_add(out, "};\n");
    }
}

uint32_t suite_test_number(const SuiteProgram *p, SuiteTest *const *tests, uint32_t i)
{
    return tests[i]->number && !p->file ? tests[i]->number : i + 1;
}

/* One row for each test; the tables that rows need come first. */
static void emit_table(const SuiteProgram *p, SuiteTest *const *tests, const SuiteObserved *observed,
                       uint32_t n, Str *out)
{
    Str rows = {0};
    for (uint32_t i = 0; i < n; i++) {
        const SuiteTest *t = tests[i];
        const SuiteObserved *o = observed ? &observed[i] : NULL;
        str_printf(&rows, "    {\"%04u\", sheaf_argv%u, ", suite_test_number(p, tests, i), i + 1);
        if (t->objects.n)
            str_printf(&rows, "sheaf_objects%u, %u, ", i + 1, t->objects.n);
        else
            str_add(&rows, "0, 0, ");
        if (t->links.n)
            str_printf(&rows, "sheaf_links%u, %u, ", i + 1, t->links.n);
        else
            str_add(&rows, "0, 0, ");
        suite_expectation(t, p->entry, o, &rows);
        suite_expect_streams(o, true, &rows);
        suite_expect_objects(p, t, o, i + 1, out, &rows);
        str_add(&rows, "},\n");
    }
    if (!n)
        str_add(&rows,
                "    {\"none\", (const char *const[]){\"program\", 0}, 0, 0, 0, 0, ANY, 0, \"anything\", "
                "{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0, 0, 0},\n");
    str_printf(out, "static const SheafTest sheaf_tests[] = {\n%s};\n\n", str_text(&rows));
    str_free(&rows);
}

/* `f(a, b)`: the types must have been named before. */
static void call_expression(const SuiteProgram *p, Str *out)
{
    str_printf(out, "%s(", p->entry);
    for (uint32_t i = 0; i < p->types.n; i++) {
        uint32_t handle = suite_drive_handle(p, p->names.v[i]);
        str_add(out, i ? ",\n        " : "");
        if (handle != UINT32_MAX)
            str_printf(out, "sheaf_handle%u", handle);
        else
            str_printf(out, "*(SheafType%u *)sheaf_replay_parameter(\"%s\", sizeof(SheafType%u))", i,
                       p->names.v[i], i);
    }
    str_add_char(out, ')');
}

static void parameter_types(const SuiteProgram *p, Str *out)
{
    for (uint32_t i = 0; i < p->types.n; i++)
        str_printf(out, "    typedef __typeof__(%s) SheafType%u;\n", p->types.v[i], i);
}

/* A function without a result cannot be assigned from: its type decides at compile time which of the calls
 * there is. */
void suite_c_call_shown(const SuiteProgram *p, Str *out)
{
    parameter_types(p, out);
    suite_c_drive(p, out);
    str_add(out, "#define SHEAF_CALL ");
    Str call = {0};
    call_expression(p, &call);
    for (uint32_t i = 0; i < call.n; i++)
        str_add_char(out, call.v[i] == '\n' ? ' ' : call.v[i]);
    str_free(&call);
    str_add(out, "\n"
                 "    enum { SHEAF_VOID = __builtin_types_compatible_p(__typeof__(SHEAF_CALL), void) };\n"
                 "    if (SHEAF_VOID) {\n"
                 "        sheaf_replay_enter();\n"
                 "        SHEAF_CALL;\n"
                 "        sheaf_replay_leave();\n"
                 "        sheaf_replay_show(0, 0);\n"
                 "    } else {\n"
                 "        sheaf_replay_enter();\n"
                 "        __typeof__(__builtin_choose_expr(SHEAF_VOID, 0, SHEAF_CALL)) result = "
                 "__builtin_choose_expr(SHEAF_VOID, 0, SHEAF_CALL);\n"
                 "        sheaf_replay_leave();\n"
                 "        sheaf_replay_show(&result, sizeof result);\n"
                 "    }\n");
}

/* "env.time" and "env.getenv.HOME" come through functions that the linker must lead to the library. */
static void emit_wraps(SuiteTest *const *tests, uint32_t n, Str *out)
{
    StrMap seen = {0};
    bool callbacks = false;
    for (uint32_t i = 0; i < n; i++)
        callbacks |= suite_test_has_callbacks(tests[i]);
    if (callbacks)
        str_add(out, " -Wl,--wrap=qsort -Wl,--wrap=qsort_r");
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < tests[i]->objects.n; k++) {
            const SuiteObject *o = &tests[i]->objects.v[k];
            if (!suite_object_is_environment(o))
                continue;
            Str name = {0};
            str_add_n(&name, o->name + 4, strcspn(o->name + 4, "."));
            if (!strmap_get(&seen, str_text(&name), NULL)) {
                strmap_put(&seen, str_text(&name), 1);
                str_add(out, " -Wl,--wrap=");
                comment_text(str_text(&name), out);
            }
            str_free(&name);
        }
    strmap_free(&seen);
}

static void emit_word(const char *word, Str *out)
{
    str_add_char(out, ' ');
    comment_text(word, out);
}

static bool has_main(const SuiteProgram *p)
{
    uint32_t fn = p->ir ? ir_fn_find(p->ir, "main") : IR_NONE;
    return fn != IR_NONE && p->ir->fns.v[fn].defined;
}

/* The line that compiles the file with the program `with`: the one that the tests are of, or its other
 * version. `own_main`: the file has a main, where the program's must not be one. */
static void emit_command(const SuiteProgram *p, const SuiteProgram *with, SuiteTest *const *tests, uint32_t n,
                         bool own_main, Str *out)
{
    bool entry = p->source, included = entry && !p->preamble;
    str_add(out, " *     cc");
    for (uint32_t i = 0; i < with->flags.n; i++)
        emit_word(with->flags.v[i], out);
    for (uint32_t i = 0; i < with->own_flags.n; i++)
        emit_word(with->own_flags.v[i], out);
    if (with->include || included) {
        str_add(out, " -I");
        comment_text(!included ? with->include : ".", out);
    }
    if (entry && p->preamble && has_main(with))
        str_printf(out, " -Dmain=%s_program_main", p->entry);
    if (with != p && strcmp(p->entry, with->entry))
        str_printf(out, " -D%s=%s", p->entry, with->entry);
    if (with != p && included) {
        str_add(out, " -DSHEAF_SOURCE='\"");
        comment_text(with->source_given ? with->source_given : with->source, out);
        str_add(out, "\"'");
    }
    emit_word(p->file ? p->file : "tests.c", out);
    for (uint32_t i = 0; i < with->inputs.n; i++)
        if (!included || strcmp(with->source_given ? with->source_given : "", with->inputs.v[i]))
            emit_word(with->inputs.v[i], out); /* else it is included below */
    emit_wraps(tests, n, out);
    str_add(out, own_main ? " -o run-tests && ./run-tests\n *\n" : " -ldl -o run-tests && ./run-tests\n *\n");
}

/* What the file is and how it is compiled, in a comment. */
static void emit_head(const SuiteProgram *p, SuiteTest *const *tests, uint32_t n,
                      const SuiteObserved *observed, bool own_main, Str *out)
{
    bool entry = p->source;
    str_printf(out, "/* %u test%s %s%s%smade by %s. Each runs %s in a process of its own and looks at ", n,
               n == 1 ? "" : "s", entry ? "of " : "", entry ? p->entry : "", entry ? ", " : "", p->producer,
               entry ? "the function" : "the program");
    str_add(out, own_main || (entry && observed) ? "what\n * it returns and leaves behind.\n *\n"
                 : observed                      ? "how it ends\n * and what it writes.\n *\n"
                                                 : "how it ends.\n *\n");
    if (p->other)
        str_printf(out, " * They are what the %s version does. The %s one passes all of them:\n *\n",
                   p->pinned, p->pinned);
    emit_command(p, p, tests, n, own_main, out);
    if (p->other) {
        str_add(out, " * The other version fails where it differs:\n *\n");
        emit_command(p, p->other, tests, n, own_main, out);
    }
    str_add(out, " * Faults that only a sanitizer sees are looked for with -fsanitize=address,undefined.\n"
                 " * SHEAF_SHOW=1 shows what is written to standard error. */\n");
}

/* The source itself, since no other file can call the function. */
static void include_source(const SuiteProgram *p, Str *out)
{
    const char *source = p->source_given ? p->source_given : p->source;
    str_add(out, "#define main sheaf_program_main\n");
    if (p->other)
        str_add(out, "#ifndef SHEAF_SOURCE\n#define SHEAF_SOURCE \"");
    else
        str_add(out, "#include \"");
    suite_c_escape(source, strlen(source), out);
    str_add(out, p->other ? "\"\n#endif\n#include SHEAF_SOURCE\n#undef main\n\n" : "\"\n#undef main\n\n");
}

/* With the inputs of the whole program, by the library's text. */
static void write_program(const SuiteProgram *p, SuiteTest *const *tests, const SuiteObserved *observed,
                          uint32_t n, const char *library, Str *out)
{
    emit_head(p, tests, n, observed, false, out);
    str_add(out, "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n");
    if (p->preamble) {
        str_add(out, "#undef main\n");
        str_add(out, p->preamble);
        str_add_char(out, '\n');
    } else if (p->source) {
        include_source(p, out);
    }
    str_add(out, types_text);
    str_add(out, suite_seen_types);
    str_add(out, suite_seen_tables);
    str_add(out, test_text);
    for (uint32_t i = 0; i < n; i++)
        emit_inputs(tests[i], i + 1, out);
    emit_table(p, tests, observed, n, out);
    str_add(out, "/* ---- from here on the same for all programs "
                 "------------------------------------------------------------ */\n\n");
    str_add(out, library);
    str_add(out, "\n#include <signal.h>\n#include <sys/wait.h>\n\n" SUITE_C_SANITIZED "\n");
    suite_c_sanitizer_options(p, out);
    str_add(out, suite_stream_text);
    str_add(out, suite_look_text);
    if (p->source) {
        str_add(out, "#define sheaf_replay_show(result, size) sheaf_tests_look(t, result)\n"
                     "static void sheaf_tests_call(const SheafTest *t)\n{\n");
        suite_c_call_shown(p, out);
        str_add(out, "}\n#define SHEAF_TESTS_CALL sheaf_tests_call(t), exit(0);\n");
    } else {
        str_add(out, "#define SHEAF_TESTS_CALL\n");
    }
    str_add(out, harness_text);
}

void suite_c_write(const SuiteProgram *p, SuiteTest *const *tests, const SuiteObserved *observed, uint32_t n,
                   const char *library, Str *out)
{
    Str head = {0};
    vec_clear(out);
    if (p->preamble)
        emit_head(p, tests, n, observed, true, &head);
    if (!p->preamble || !suite_entry_write(p, tests, observed, n, str_text(&head), out)) {
        vec_clear(out);
        write_program(p, tests, observed, n, library, out);
    }
    str_free(&head);
}

void suite_c_tests(const SuiteProgram *p, SuiteTest *const *tests, uint32_t n, const char *library,
                   SuiteReplay *observer, Str *out)
{
    SuiteObserved *observed = observer ? mem_zalloc((n + 1) * sizeof *observed) : NULL;
    for (uint32_t i = 0; observed && i < n; i++)
        suite_replay_observe(observer, tests[i], &observed[i]);
    suite_c_write(p, tests, observed, n, library, out);
    for (uint32_t i = 0; observed && i < n; i++)
        suite_observed_free(&observed[i]);
    mem_free(observed);
}
