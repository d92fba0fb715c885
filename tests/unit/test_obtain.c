/* test_obtain.c - two versions of a program from files, directories and a git repository that the test
 * makes. */
#include "cli/obtain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char base[] = "/tmp/sheaf obtain XXXXXX"; /* with a blank, as users have them */

static void sh(const char *command)
{
    if (system(command))
        fail_msg("this fails: %s", command);
}

/* A repository with four commits, a branch, a compilation database that is not tracked and a generated
 * header. */
static int make_repository(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(base));
    assert_int_equal(chdir(base), 0);
    setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    setenv("GIT_CONFIG_SYSTEM", "/dev/null", 1);
    setenv("TMPDIR", base, 1);
    sh("git init -q -b main repo && cd repo && git config user.email a@example.org && git config user.name A "
       "&& "
       "mkdir src inc build && printf '.gitattributes export-ignore\\nsrc/b.c export-ignore\\n' "
       ">.gitattributes && "
       "printf 'build/\\ncompile_commands.json\\n' >.gitignore && echo '#define LIMIT 3' >inc/limit.h && "
       "printf '#include \"limit.h\"\\n#include \"config.h\"\\nint g(int);\\nint f(int x)\\n{\\n#ifdef "
       "EXTRA\\n    x++;\\n#endif\\n    return x > LIMIT ? CONFIGURED : g(x);\\n}\\n' >src/a.c && "
       "printf 'int g(int x)\\n{\\n    return x + 1;\\n}\\n' >src/b.c && git add -A && git commit -qm one && "
       "sed -i 's/x + 1/x + 2/' src/b.c && git commit -qam two && git branch side HEAD~1 && "
       "sed -i 's/x++/x--/' src/a.c && git commit -qam three && "
       "printf 'int h(void) { return 0; }\\n' >src/c.c && git add -A && git commit -qm four && "
       "echo '#define CONFIGURED 7' >build/config.h && "
       "printf '[{\"directory\": \"%s\", \"file\": \"../src/a.c\", \"command\": \"cc -I../inc -I. -c "
       "../src/a.c\"},"
       "{\"directory\": \"%s\", \"file\": \"../src/b.c\", \"command\": \"cc -c ../src/b.c\"},"
       "{\"directory\": \"%s\", \"file\": \"../src/c.c\", \"command\": \"cc -c ../src/c.c\"}]' "
       "\"$PWD/build\" \"$PWD/build\" \"$PWD/build\" >compile_commands.json");
    return 0;
}

static int remove_repository(void **state)
{
    (void)state;
    assert_int_equal(chdir("/"), 0);
    directory_remove(base);
    return 0;
}

static void go(const char *directory)
{
    Str path = {0};
    str_printf(&path, "%s/%s", base, directory);
    assert_int_equal(chdir(str_text(&path)), 0);
    str_free(&path);
}

/* Words before and behind "--", each list parted by commas. */
static OptionArgs words(Arena *a, const char *plain, const char *rest)
{
    OptionArgs args = {0};
    const char *lists[] = {plain, rest};
    for (int i = 0; i < 2; i++)
        for (const char *p = lists[i]; p && *p;) {
            size_t n = strcspn(p, ",");
            vec_push(i ? &args.rest : &args.plain, arena_strndup(a, p, n));
            p += n + (p[n] == ',');
        }
    return args;
}

static void obtain(const char *plain, const char *rest, Obtained *o)
{
    Arena *a = arena_new();
    OptionArgs args = words(a, plain, rest);
    ProgramSettings settings = {0};
    obtain_versions(&settings, &args, NULL, o);
    options_args_free(&args);
    arena_free(a);
}

/* The line with which it dies, in a child. */
static void dies(const char *plain, const char *rest, const char *expected)
{
    int ends[2], status;
    char text[2048];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (!child) {
        Obtained o;
        dup2(ends[1], STDERR_FILENO);
        obtain(plain, rest, &o);
        _exit(99);
    }
    close(ends[1]);
    size_t n = 0;
    for (ssize_t got; n + 1 < sizeof text && (got = read(ends[0], text + n, sizeof text - n - 1)) > 0;)
        n += (size_t)got;
    text[n] = 0;
    close(ends[0]);
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 2 || !strstr(text, expected) ||
        strchr(text, '\n') != text + n - 1)
        fail_msg("%s -- %s: status %x: %s", plain, rest ? rest : "", status, text);
}

static bool has_note(const Obtained *o, ObtainNote kind, const char *part)
{
    for (uint32_t i = 0; i < o->notes.n; i++)
        if (o->notes.v[i].kind == kind && strstr(o->notes.v[i].text, part))
            return true;
    return false;
}

/* How many of f, g and h it defines. */
static uint32_t functions(const Version *v)
{
    static const char *const names[] = {"f", "g", "h"};
    FrontendOptions options = v->program;
    options.all_functions = true;
    IrProgram *p = frontend_load(&options);
    uint32_t n = 0;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        uint32_t fn = ir_fn_find(p, names[i]);
        n += fn != IR_NONE && p->fns.v[fn].defined;
    }
    ir_program_free(p);
    return n;
}

/* Every site is named from the root, so that versions differ in nothing but their text. */
static void check_sites(const Version *v, const char *expected)
{
    FrontendOptions options = v->program;
    Str text = {0};
    options.all_functions = true;
    IrProgram *p = frontend_load(&options);
    ir_program_print(p, &text);
    assert_non_null(strstr(str_text(&text), expected));
    assert_null(strstr(str_text(&text), base));
    str_free(&text);
    ir_program_free(p);
}

static void test_revisions(void **state)
{
    Obtained o;
    (void)state;
    go("repo");
    obtain("HEAD~2..HEAD~1", NULL, &o);
    assert_string_equal(o.old.name, "HEAD~2");
    assert_true(o.old.is_copy && o.new.is_copy);
    assert_int_equal(o.changed.n, 1);
    assert_string_equal(o.changed.v[0], "src/a.c");
    assert_true(has_note(&o, OBTAIN_NOT_COMPILED,
                         "src/a.c:7 of HEAD~1 changed and was not compiled: line 6 is `#ifdef EXTRA`"));
    assert_int_equal(functions(&o.old), 2);
    check_sites(&o.new, "src/a.c");
    char *gone = mem_strdup(o.temporary.path);
    obtain_free(&o);
    assert_false(file_exists(gone));
    mem_free(gone);
}

static void test_database_and_generated_headers(void **state)
{
    Obtained o;
    (void)state;
    go("repo/src"); /* a directory within it serves as well */
    obtain("HEAD~1,HEAD", NULL, &o);
    assert_non_null(o.old.program.compdb);
    assert_int_equal(functions(&o.old), 2); /* src/c.c is not there yet */
    assert_int_equal(functions(&o.new), 3);
    obtain_free(&o);
    obtain("HEAD~1,HEAD", "b.c", &o);
    assert_int_equal(functions(&o.old), 1);
    obtain_free(&o);
}

static void test_work_tree(void **state)
{
    Obtained o;
    (void)state;
    go("repo");
    sh("echo 'int later;' >>src/b.c");
    obtain("", NULL, &o);
    assert_string_equal(o.old.name, "HEAD");
    assert_string_equal(o.new.name, "work tree");
    assert_false(o.new.is_copy);
    assert_int_equal(o.changed.n, 1);
    assert_string_equal(o.changed.v[0], "src/b.c");
    assert_int_equal(functions(&o.new), 3);
    obtain_free(&o);
    sh("git show HEAD:src/b.c >src/b.c");
    obtain("side...HEAD", NULL, &o);
    assert_non_null(strstr(o.old.name, "part"));
    obtain_free(&o);
}

static void test_git_is_not_written(void **state)
{
    Obtained o;
    (void)state;
    go("repo");
    sh("git status >/dev/null; find .git -type f | sort | xargs -d '\\n' sha256sum >../before");
    obtain("HEAD~3..HEAD", NULL, &o);
    obtain_free(&o);
    obtain("", NULL, &o);
    obtain_free(&o);
    sh("find .git -type f | sort | xargs -d '\\n' sha256sum >../after; cmp ../before ../after; test -z "
       "\"$(git status --porcelain)\"");
}

static void test_files_and_directories(void **state)
{
    Obtained o;
    (void)state;
    go("");
    sh("mkdir -p old new; printf '#include <assert.h>\\nint f(int x) { assert(x); return x; }\\n' >old/a.c; "
       "cp old/a.c new/a.c; "
       "printf 'int g(void) { return 1; }\\n' >new/b.c; printf '#if 0\\nint never;\\n#else\\nint f(int x) { "
       "return x; }\\n#endif\\n' >one.c; "
       "printf '#if 0\\nint ever;\\n#else\\nint f(int x) { return -x; }\\n#endif\\n' >two.c");
    obtain("old,new", NULL, &o);
    assert_null(o.temporary.path);
    assert_int_equal(o.changed.n, 1);
    assert_int_equal(functions(&o.new), 2);
    check_sites(&o.new, "\"a.c\"");
    obtain_free(&o);
    obtain("one.c,two.c", NULL, &o);
    assert_true(has_note(&o, OBTAIN_NOT_COMPILED, "two.c:2 of two.c changed"));
    assert_false(has_note(&o, OBTAIN_NOT_COMPILED, "two.c:4"));
    obtain_free(&o);
}

static void test_flags_that_differ(void **state)
{
    Obtained o;
    (void)state;
    go("");
    sh("mkdir -p old new; printf '[{\"directory\": \"%s/old\", \"file\": \"a.c\", \"command\": \"cc -DN=1 -c "
       "a.c\"}]' \"$PWD\" >old/compile_commands.json; "
       "printf '[{\"directory\": \"%s/new\", \"file\": \"a.c\", \"command\": \"cc -DN=2 -c a.c\"}]' \"$PWD\" "
       ">new/compile_commands.json");
    obtain("old,new", NULL, &o);
    assert_true(
        has_note(&o, OBTAIN_FLAGS, "a.c is compiled with other flags: `-DN=1` in old, `-DN=2` in new"));
    assert_true(has_note(&o, OBTAIN_NOT_PART, "b.c changed, and is no part of the program"));
    obtain_free(&o);
}

static void test_flags_written_apart(void **state)
{
    Obtained o;
    (void)state;
    go("");
    sh("mkdir -p old/inc new/inc; printf '[{\"directory\": \"%s/old\", \"file\": \"a.c\", \"command\": \"cc "
       "-I inc -D N=1 -c a.c\"}]' \"$PWD\" >old/compile_commands.json; "
       "printf '[{\"directory\": \"%s/new\", \"file\": \"a.c\", \"command\": \"cc -Iinc -DN=1 -c a.c\"}]' "
       "\"$PWD\" >new/compile_commands.json");
    obtain("old,new", NULL, &o);
    assert_false(has_note(&o, OBTAIN_FLAGS, "a.c is compiled with other flags"));
    obtain_free(&o);
}

static void test_misuse(void **state)
{
    (void)state;
    go("");
    dies("HEAD", NULL,
         "'HEAD' is neither a file nor a directory, and this directory is in no git repository");
    dies("", NULL, "in no git repository");
    dies("one.c", NULL, "'one.c' is one version, and two are needed");
    dies("one.c,old", NULL, "'one.c' is a file, 'old' is none");
    dies("one.c,two.c,old", NULL, "two versions are compared, and 3 are named");
    dies("one.c,two.c", "x.c", "paths after \"--\" choose parts of directories and revisions");
    go("repo");
    dies("nonesuch", NULL, "'nonesuch' is neither a file, nor a directory, nor a revision");
    dies("HEAD..--output=x", NULL, "'--output=x' is neither");
    dies("-x,HEAD", NULL, "'-x' is neither");
    dies("HEAD~1,HEAD", "../x.c", "names within both versions");
    dies("HEAD~1..HEAD", "nonesuch.c", "no C file belongs to 'nonesuch.c'");
    sh("git branch src");
    dies("src,HEAD", NULL, "'src' is a revision and a file");
    sh("git branch -D -q src");
    char *path = mem_strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    dies("HEAD~1,HEAD", NULL, "git, which is needed for revisions, is not installed");
    setenv("PATH", path, 1);
    mem_free(path);
}

/* A process that dies leaves nothing behind. */
static void test_killed(void **state)
{
    (void)state;
    go("repo");
    pid_t child = fork();
    if (!child) {
        Obtained o;
        obtain("HEAD~1..HEAD", NULL, &o);
        kill(getpid(), 9);
    }
    waitpid(child, NULL, 0);
    sh("i=0; while ls -d \"$TMPDIR\"/sheaf-scratch-* >/dev/null 2>&1; do i=$((i+1)); test $i -lt 200 || exit "
       "1; sleep 0.05; done");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_revisions),
        cmocka_unit_test(test_database_and_generated_headers),
        cmocka_unit_test(test_work_tree),
        cmocka_unit_test(test_git_is_not_written),
        cmocka_unit_test(test_files_and_directories),
        cmocka_unit_test(test_flags_that_differ),
        cmocka_unit_test(test_flags_written_apart),
        cmocka_unit_test(test_misuse),
        cmocka_unit_test(test_killed),
    };
    return cmocka_run_group_tests(tests, make_repository, remove_repository);
}
