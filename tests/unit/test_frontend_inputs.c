/* test_frontend_inputs.c - what comes in: errors in one line and exit 2, compilation databases, the runtime,
 * corrupt files. */
#include "frontend_host.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <sys/stat.h>

static void expect_death(Host *h, const char *path, bool single, const char *words)
{
    FrontendOptions options = {.entry = "main"};
    vec_push(&options.inputs, path);
    host_expect_death(h, &options, single, words);
    vec_free(&options.inputs);
}

static void test_errors_are_one_line(void **state)
{
    Host *h = *state;
    expect_death(h, arena_printf(h->arena, "%s/none.c", h->dir), true, "No such file");
    expect_death(h, arena_printf(h->arena, "%s/none.bc", h->dir), true, "No such file");
    expect_death(h, h->dir, true, "directory");
    expect_death(h, host_file(h, "bad.c", "int f(\n"), false, "bad.c does not compile");
    expect_death(h, host_file(h, "nomain.c", "int f(void) { return 1; }\n"), true, "no main is defined");
    expect_death(h, host_file(h, "empty.c", ""), true, "no function");
    expect_death(h, host_file(h, "empty.ll", ""), true, "no function");
    expect_death(h, host_file(h, "x.cpp", "int main() {}\n"), true, "C++");
    expect_death(h, host_file(h, "x.o", "\177ELF"), true, "neither C");
    expect_death(h, host_file(h, "x.ll", "nonsense\n"), true, "x.ll:1:1");
    expect_death(h, host_file(h, "x.bc", "BC\300\336nonsense"), true, "x.bc cannot be read");
    expect_death(h, host_file(h, "x.ir", "nonsense\n"), true, "line 1");
    expect_death(h, host_file(h, "mangled.ll", "define i32 @_Z3foov() {\n  ret i32 1\n}\n"), true, "C++");
    expect_death(h,
                 host_file(h, "arm.ll",
                           "target triple = \"aarch64-linux-gnu\"\ndefine i32 @main() {\n  ret i32 1\n}\n"),
                 true, "aarch64");
    expect_death(
        h,
        host_file(h, "invalid.ll",
                  "define i32 @main() {\n  %a = add i32 %b, 1\n  %b = add i32 %a, 1\n  ret i32 %a\n}\n"),
        true, "invalid.ll");
}

static void test_duplicate_symbols(void **state)
{
    Host *h = *state;
    FrontendOptions options = {.entry = "main"};
    vec_push(&options.inputs,
             host_file(h, "a.c", "int x(void) { return 1; } int main(void) { return x(); }\n"));
    vec_push(&options.inputs, host_file(h, "b.c", "int x(void) { return 2; }\n"));
    host_expect_death(h, &options, true, "'x'");
    vec_free(&options.inputs);
}

static void test_clang_that_is_missing(void **state)
{
    Host *h = *state;
    FrontendOptions options = {.entry = "main", .clang = "no-such-clang"};
    vec_push(&options.inputs, host_file(h, "a.c", "int main(void) { return 0; }\n"));
    host_expect_death(h, &options, true, "no-such-clang");
    vec_free(&options.inputs);
}

/* ---- bitcode --------------------------------------------------------------------------------- */

static LLVMModuleRef make_module(LLVMContextRef context, const char *const *names, unsigned n)
{
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("made", context);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context), type = LLVMFunctionType(i32, NULL, 0, false);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMValueRef before = NULL;
    for (unsigned i = 0; i < n; i++) { /* each calls the one before it */
        LLVMValueRef f = LLVMAddFunction(module, names[i], type);
        LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, f, "entry"));
        LLVMBuildRet(builder, before ? LLVMBuildCall2(builder, type, before, NULL, 0, "")
                                     : LLVMConstInt(i32, 100 + i, false));
        before = f;
    }
    LLVMDisposeBuilder(builder);
    return module;
}

static const char *write_bitcode(Host *h, const char *file, const char *const *names, unsigned n)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = make_module(context, names, n);
    const char *path = arena_printf(h->arena, "%s/%s", h->dir, file);
    assert_int_equal(LLVMWriteBitcodeToFile(module, path), 0);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return path;
}

static void test_runtime(void **state)
{
    Host *h = *state;
    FrontendOptions options = {.entry = "main"};
    options.runtime =
        write_bitcode(h, "rt.bc", (const char *[]){"helper", "twice", "mine", "__sheaf_start", "unused"}, 5);
    vec_push(&options.inputs,
             host_file(h, "a.c",
                       "int twice(void); static int helper(void) { return 1; } int mine(void) { return 7; }\n"
                       "int main(void) { return twice() + helper() + mine(); }\n"));
    IrProgram *p = host_load_with(h, &options);
    assert_true(host_fn(p, "twice")->runtime && host_fn(p, "__sheaf_start")->runtime);
    assert_false(host_fn(p, "mine")->runtime); /* the user's definition wins */
    assert_int_equal(host_count(p, "mine", IR_CALL), 0);
    assert_true(host_fn(p, "helper")->runtime); /* the user's static one has another name now */
    assert_int_equal(ir_fn_find(p, "unused"), IR_NONE);
    ir_program_free(p);
    options.runtime = host_file(h, "bad.bc", "nonsense");
    host_expect_death(h, &options, true, "runtime");
    vec_free(&options.inputs);
}

/* Each byte of a small file changed in turn: a message or a program, never a crash. */
static void test_corrupt_bitcode_is_contained(void **state)
{
    Host *h = *state;
    const char *path = write_bitcode(h, "c.bc", (const char *[]){"f", "main"}, 2),
               *bad = arena_printf(h->arena, "%s/d.bc", h->dir);
    Str text = {0};
    assert_true(file_read(path, 1 << 20, &text));
    FrontendOptions options = {.entry = "main"};
    vec_push(&options.inputs, bad);
    for (uint32_t at = 8; at < text.n; at += 41) {
        text.v[at] = (char)~text.v[at];
        assert_true(file_write_atomic(bad, text.v, text.n));
        text.v[at] = (char)~text.v[at];
        pid_t child = fork();
        if (child == 0) {
            if (!freopen("/dev/null", "w", stderr))
                _exit(99);
            frontend_load(&options);
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 2))
            fail_msg("byte %u: status %x", at, (unsigned)status);
    }
    vec_free(&options.inputs);
    str_free(&text);
}

/* ---- compilation databases ------------------------------------------------------------------- */

static void test_compilation_database(void **state)
{
    Host *h = *state;
    mkdir(arena_printf(h->arena, "%s/src", h->dir), 0700);
    host_file(h, "src/a.c",
              "#include \"n.h\"\nint other(void); int main(void) { return other() + N + sizeof(QUOTED); }\n");
    host_file(h, "src/b.c", "int other(void) { return M; }\n");
    host_file(h, "src/n.h", "#define N 40\n");
    host_file(h, "src/c.c", "int main(void) { return 9; }\n");
    const char *db = arena_printf(h->arena,
                                  "[{\"directory\": \"%s\", \"file\": \"src/a.c\", \"output\": \"app/a.o\","
                                  "  \"command\": \"cc -Isrc '-DQUOTED=\\\"x y\\\"' -O3 -Werror -Wall -MD "
                                  "-MF x.d -c src/a.c -o app/a.o\"},\n"
                                  " {\"directory\": \"%s\", \"file\": \"src/b.c\", \"arguments\": [\"cc\", "
                                  "\"-DM=2\", \"-c\", \"src/b.c\", \"-o\", \"app/b.o\"]},\n"
                                  " {\"directory\": \"%s\", \"file\": \"src/c.c\", \"arguments\": [\"cc\", "
                                  "\"-c\", \"src/c.c\", \"-o\", \"tool/c.o\"]}]\n",
                                  h->dir, h->dir, h->dir);
    const char *targets[] = {"app/", "b.c"};
    FrontendOptions options = {.entry = "main",
                               .targets = {.v = targets, .n = 1},
                               .compdb = host_file(h, "compile_commands.json", db)};
    IrProgram *p = host_load_with(h, &options);
    assert_true(ir_fn_find(p, "other") != IR_NONE);
    assert_true(strstr(str_text(&h->text), "ret 2:32") != NULL);
    ir_program_free(p);
    targets[0] = "a.c"; /* of several targets each adds its files */
    options.targets.n = 2;
    ir_program_free(host_load_with(h, &options));
    options.targets.n = 1;
    targets[0] = "c.c";
    p = host_load_with(h, &options);
    assert_true(strstr(str_text(&h->text), "ret 9:32") != NULL);
    ir_program_free(p);
    targets[0] = "nothing";
    host_expect_death(h, &options, true, "'nothing'");
    targets[0] = "c.c";
    targets[1] = "nothing";
    options.targets.n = 2;
    host_expect_death(h, &options, true, "'nothing'");
    options.targets.n = 1;
    options.compdb = host_file(h, "bad.json", "[{\"file\": 3");
    host_expect_death(h, &options, true, "bad.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_are_one_line),          cmocka_unit_test(test_duplicate_symbols),
        cmocka_unit_test(test_clang_that_is_missing),        cmocka_unit_test(test_runtime),
        cmocka_unit_test(test_corrupt_bitcode_is_contained), cmocka_unit_test(test_compilation_database),
    };
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
