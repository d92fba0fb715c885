/* test_vm.c - the machine on textual IR: control flow, calls, memory, names, endings. */
#include "vm_text.h"

/* ---- control flow and phis ------------------------------------------------------------------- */

static void test_loop(void **state)
{
    (void)state;
    expect_status("fn @main() -> 32 {\n"
                  "^entry:\n    jmp ^loop\n"
                  "^loop:\n"
                  "    %i = phi.32 ^entry: 0, ^loop: %next\n"
                  "    %sum = phi.32 ^entry: 0, ^loop: %sum2\n"
                  "    %sum2 = add.32 %sum, %i\n"
                  "    %next = add.32 %i, 1\n"
                  "    %more = slt.32 %next, 11\n"
                  "    br %more, ^loop, ^end\n"
                  "^end:\n    ret %sum2\n}\n",
                  55);
}

/* Phis of a block swap each other's values: the copies are parallel. */
static void test_phi_swap(void **state)
{
    (void)state;
    expect_status("fn @main() -> 32 {\n"
                  "^entry:\n    jmp ^loop\n"
                  "^loop:\n"
                  "    %a = phi.32 ^entry: 1, ^loop: %b\n"
                  "    %b = phi.32 ^entry: 2, ^loop: %c\n"
                  "    %c = phi.32 ^entry: 3, ^loop: %a\n"
                  "    %d = phi.32 ^entry: 40, ^loop: %a\n"
                  "    %i = phi.32 ^entry: 0, ^loop: %next\n"
                  "    %next = add.32 %i, 1\n"
                  "    %more = ult.32 %next, 6\n"
                  "    br %more, ^loop, ^end\n"
                  "^end:\n"
                  "    %x = mul.32 %a, 1000\n    %y = mul.32 %b, 100\n    %z = mul.32 %c, 10\n"
                  "    %xy = add.32 %x, %y\n    %xyz = add.32 %xy, %z\n    %r = add.32 %xyz, %d\n"
                  "    ret %r\n}\n",
                  3122);
}

static void test_switch(void **state)
{
    (void)state;
    const char *text = "fn @pick(%%x:32) -> 32 {\n"
                       "^entry:\n    switch.32 %%x, [%s], ^other\n"
                       "^a:\n    ret 10:32\n^b:\n    ret 20:32\n^other:\n    ret 30:32\n}\n"
                       "fn @main() -> 32 {\n^entry:\n    %%r:32 = call @pick(%d:32)\n    ret %%r\n}\n";
    const struct {
        const char *cases;
        int value, expect;
    } tries[] = {{"1 -> ^a, 2 -> ^b, 5 -> ^a", 5, 10},   {"1 -> ^a, 2 -> ^b, 5 -> ^a", 4, 30},
                 {"1 -> ^a, 2 -> ^b, 5 -> ^a", 0, 30},   {"-1 -> ^a, 100000 -> ^b", -1, 10},
                 {"-1 -> ^a, 100000 -> ^b", 100000, 20}, {"-1 -> ^a, 100000 -> ^b", 7, 30},
                 {"-2 -> ^a, -1 -> ^b", -2, 10}};
    for (size_t i = 0; i < COUNT_OF(tries); i++) {
        Str program = {0};
        str_printf(&program, text, tries[i].cases, tries[i].value);
        expect_status(str_text(&program), tries[i].expect);
        str_free(&program);
    }
}

static void test_goto(void **state)
{
    (void)state;
    const char *text =
        "global $labels 16 align 8 constant {\n    0 @run^1\n    8 @run^2\n}\n"
        "fn @run(%x:64) -> 32 {\n"
        "^entry:\n    %p = index $labels, %x, scale 8\n    %to = load.64 %p, align 8\n"
        "    goto %to, [^one, ^two]\n"
        "^one:\n    ret 1:32\n^two:\n    ret 2:32\n}\n"
        "fn @main() -> 32 {\n^entry:\n    %a:32 = call @run(1:64)\n    %b:32 = call @run(0:64)\n"
        "    %c = mul.32 %a, 10\n    %d = add.32 %c, %b\n    ret %d\n}\n";
    expect_status(text, 21);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void test_recursion(void **state)
{
    (void)state;
    expect_status(
        "fn @fib(%n:32) -> 32 {\n"
        "^entry:\n    %small = slt.32 %n, 2\n    br %small, ^base, ^more\n"
        "^base:\n    ret %n\n"
        "^more:\n    %a = sub.32 %n, 1\n    %b = sub.32 %n, 2\n"
        "    %x:32 = call @fib(%a)\n    %y:32 = call @fib(%b)\n    %r = add.32 %x, %y\n    ret %r\n}\n"
        "fn @main() -> 32 {\n^entry:\n    %r:32 = call @fib(12:32)\n    ret %r\n}\n",
        144);
}

static void test_results(void **state)
{
    (void)state;
    expect_status("fn @pair(%a:128, %b:32) -> 32, 128 {\n^entry:\n    ret %b, %a\n}\n"
                  "fn @main() -> 32 {\n^entry:\n"
                  "    %x:32, %y:128 = call @pair(0x10000000000000050000000000000003:128, 7:32)\n"
                  "    %h = lshr.128 %y, 64\n    %t = trunc.32 %h\n    %r = add.32 %x, %t\n    ret %r\n}\n",
                  12);
}

/* Too few, too many, too wide: C programs do that. */
static void test_mismatch(void **state)
{
    (void)state;
    expect_status(
        "fn @f(%a:32, %b:8) -> 32 {\n^entry:\n    %c = zext.32 %b\n    %d = add.32 %a, %c\n    ret %d\n}\n"
        "fn @main() -> 32 {\n^entry:\n"
        "    %p = select.64 1, @f, 0\n"
        "    %w:32 = call @f(1:32)\n"
        "    %x:64 = call @f(2:64, 0x102:32, 9:32)\n"
        "    %y:8 = callptr %p(0x1ff:32, 1:8)\n"
        "    call @f(1:32, 2:8)\n"
        "    %x2 = trunc.32 %x\n    %y2 = zext.32 %y\n"
        "    %s = mul.32 %w, 100\n    %t = mul.32 %x2, 10\n    %u = add.32 %s, %t\n    %v = add.32 %u, %y2\n"
        "    ret %v\n}\n",
        140);
}

static void test_indirect(void **state)
{
    (void)state;
    expect_status(
        "global $table 16 align 8 {\n    0 @one\n    8 @two\n}\n"
        "fn @one(%x:32) -> 32 {\n^entry:\n    %r = add.32 %x, 1\n    ret %r\n}\n"
        "fn @two(%x:32) -> 32 {\n^entry:\n    %r = mul.32 %x, 2\n    ret %r\n}\n"
        "fn @main() -> 32 {\n^entry:\n    jmp ^loop\n"
        "^loop:\n    %i = phi.32 ^entry: 0, ^loop: %next\n    %v = phi.32 ^entry: 3, ^loop: %w\n"
        "    %bit = and.32 %i, 1\n    %p = index $table, %bit, scale 8\n    %f = load.64 %p, align 8\n"
        "    %w:32 = callptr %f(%v)\n    %next = add.32 %i, 1\n    %more = ult.32 %next, 4\n"
        "    br %more, ^loop, ^end\n^end:\n    ret %w\n}\n",
        18);
}

static void test_varargs(void **state)
{
    (void)state;
    expect_status(
        "global $pair 16 align 8 {\n    0 hex \"0500000000000000\"\n    8 hex \"0600000000000000\"\n}\n"
        "fn @sum(%n:32, ...) -> 64 {\n^entry:\n"
        "    %list = alloca 24, align 8 fixed\n    vastart %list\n"
        "    %gp = load.32 %list, align 4\n    %full = eq.32 %gp, 48\n    br %full, ^go, ^bad\n"
        "^bad:\n    ret 0:64\n"
        "^go:\n    %area = offset %list, 8\n    %p = load.64 %area, align 8\n"
        "    %a = load.32 %p, align 8\n    %a2 = zext.64 %a\n"
        "    %q = offset %p, 8\n    %b = load.64 %q, align 8\n"
        "    %r = offset %p, 16\n    %c = load.128 %r, align 16\n    %c2 = trunc.64 %c\n"
        "    %s = offset %p, 40\n    %d = load.64 %s, align 8\n"
        "    %x = add.64 %a2, %b\n    %y = add.64 %c2, %d\n    %z = add.64 %x, %y\n    ret %z\n}\n"
        "fn @main() -> 32 {\n^entry:\n"
        "    %r:64 = call @sum(4:32, ..., 1:32, 20:64, 300:128, $pair byval 16 align 8)\n"
        "    %s = trunc.32 %r\n    ret %s\n}\n",
        327);
}

static void test_setjmp(void **state)
{
    (void)state;
    expect_status(
        "global $buffer 200 align 16\n"
        "fn @deep(%n:32) {\n^entry:\n    %x = alloca 16, align 8 fixed\n    store.32 %x, %n, align 4\n"
        "    %z = eq.32 %n, 0\n    br %z, ^jump, ^on\n"
        "^jump:\n    longjmp $buffer, 7\n"
        "^on:\n    %m = sub.32 %n, 1\n    call @deep(%m)\n    ret\n}\n"
        "fn @main() -> 32 {\n^entry:\n    %v = setjmp $buffer\n    %first = eq.32 %v, 0\n"
        "    br %first, ^go, ^back\n"
        "^go:\n    call @deep(5:32)\n    ret 1:32\n^back:\n    ret %v\n}\n",
        7);
}

static void test_longjmp_to_dead_frame(void **state)
{
    (void)state;
    expect_fault("global $buffer 200 align 16\n"
                 "fn @set() -> 32 {\n^entry:\n    %v = setjmp $buffer\n    ret %v\n}\n"
                 "fn @main() -> 32 {\n^entry:\n    %v:32 = call @set()\n    longjmp $buffer, 1\n}\n",
                 VM_FAULT_BAD_JUMP, "returned");
}

/* ---- endings --------------------------------------------------------------------------------- */

static void test_endings(void **state)
{
    (void)state;
    TextRun r = text_run("fn @mystery(%x:32) -> 32 native ii\nfn @main() -> 32 {\n^entry:\n    %r:32 = call "
                         "@mystery(1:32)\n    ret %r\n}\n");
    assert_int_equal(r.result.ending, VM_END_EXTERNAL);
    assert_string_equal(r.result.message, "external call to mystery: define it or allow it with --external");
    text_end(&r);
    r = text_run("fn @main() -> 32 {\n^entry:\n    unsupported \"inline assembly\"\n}\n");
    assert_int_equal(r.result.ending, VM_END_UNSUPPORTED);
    assert_string_equal(r.result.message, "inline assembly");
    text_end(&r);
    r = text_run("global $theirs 4 align 4 extern\nfn @main() -> 32 {\n^entry:\n    %x = load.32 $theirs, "
                 "align 4\n    ret %x\n}\n");
    assert_int_equal(r.result.ending, VM_END_EXTERNAL);
    text_end(&r);
    r = text_run("fn @__sheaf_exit(%s:32) noreturn\nfn @main() -> 32 {\n^entry:\n    call "
                 "@__sheaf_exit(3:32) noreturn\n    unreachable\n}\n");
    assert_int_equal(r.result.ending, VM_END_EXIT);
    assert_int_equal(r.result.status, 3);
    assert_int_equal(r.result.steps, 1);
    text_end(&r);
    r = text_run("fn @__sheaf_assume(%c:64)\nfn @main() -> 32 {\n^entry:\n    call @__sheaf_assume(0:64)\n   "
                 " ret 0:32\n}\n");
    assert_int_equal(r.result.ending, VM_END_ASSUMPTION);
    text_end(&r);
}

static void test_limits(void **state)
{
    (void)state;
    const char *endless = "fn @main() -> 32 {\n^entry:\n    jmp ^loop\n^loop:\n    jmp ^loop\n}\n";
    TextRun r = text_run_with(endless, (VmOptions){.max_steps = 1000});
    assert_int_equal(r.result.ending, VM_END_LIMIT);
    assert_non_null(strstr(r.result.message, "--max-steps"));
    assert_true(r.result.steps >= 1000 && r.result.steps <= 1002);
    text_end(&r);
    volatile bool stop = true;
    r = text_run_with(endless, (VmOptions){.interrupt = &stop});
    assert_int_equal(r.result.ending, VM_END_INTERRUPTED);
    text_end(&r);
    r = text_run_with(
        "fn @__sheaf_alloc(%n:64, %a:64, %z:32) -> 64\nfn @main() -> 32 {\n^entry:\n    jmp ^loop\n"
        "^loop:\n    %p:64 = call @__sheaf_alloc(1000000:64, 16:64, 0:32)\n    jmp ^loop\n}\n",
        (VmOptions){.max_memory = 50000000});
    assert_int_equal(r.result.ending, VM_END_LIMIT);
    assert_non_null(strstr(r.result.message, "--max-memory"));
    assert_true(r.result.peak_memory <= 50000000);
    text_end(&r);
}

static void test_steps(void **state)
{
    (void)state;
    /* entry 1; five times f: call and f's two; loop body 5 of 6 each (call included); end 1 */
    TextRun r = text_run("fn @f(%x:32) -> 32 {\n^entry:\n    %y = add.32 %x, 1\n    ret %y\n}\n"
                         "fn @main() -> 32 {\n^entry:\n    jmp ^loop\n"
                         "^loop:\n    %i = phi.32 ^entry: 0, ^loop: %n\n    %n:32 = call @f(%i)\n"
                         "    %more = ult.32 %n, 5\n    br %more, ^loop, ^end\n^end:\n    ret 0:32\n}\n");
    assert_int_equal(r.result.steps, 1 + 5 * (4 + 2) + 1);
    text_end(&r);
    r = text_run(
        "global $g 4 align 4\nfn @main() -> 32 {\n^entry:\n    %a = add.32 1, 2\n    %p = offset $g, 4\n"
        "    %x = load.32 %p, align 4\n    %y = add.32 %x, 1\n    ret %y\n}\n");
    assert_int_equal(r.result.ending, VM_END_FAULT);
    assert_int_equal(r.result.steps, 3);
    text_end(&r);
}

/* The fault is at the user's call of a model of libc; the stack has both frames. */
static void test_site_in_user_code(void **state)
{
    (void)state;
    TextRun r = text_run(
        "fn @peek(%p:64) -> 8 runtime !1 {\n^entry:\n    %x = load.8 %p, align 1 !1\n    ret %x\n}\n"
        "fn @main() -> 32 {\n^entry:\n    %x:8 = call @peek(0:64) !0\n    %y = zext.32 %x\n    ret %y\n}\n"
        "site !0 \"user.c\" 4:5 \"main\"\nsite !1 \"string.c\" 9:1 \"peek\"\n");
    assert_int_equal(r.result.fault, VM_FAULT_NULL_DEREF);
    assert_int_equal(r.result.site, 0);
    assert_int_equal(r.result.stack.n, 2);
    assert_int_equal(r.result.stack.v[0].site, 1);
    assert_int_equal(r.result.stack.v[1].site, 0);
    text_end(&r);
}

/* libm is pure; anything else only if allowed. 0x3ff0… is 1.0, 0x4024… is 10.0 */
static void test_external(void **state)
{
    (void)state;
    const char *pure =
        "fn @pow(%x:64, %y:64) -> 64\nfn @frexp(%x:64, %p:64) -> 64\nfn @fabsl(%x:80) -> 80\n"
        "fn @main() -> 32 {\n^entry:\n    %e = alloca 4, align 4 fixed\n"
        "    %p:64 = call @pow(0x4024000000000000:64, 0x4000000000000000:64)\n    %n = fptosi.32 %p\n"
        "    %m:64 = call @frexp(%p, %e)\n    %k = load.32 %e, align 4\n"
        "    %l = sitofp.80 -3:32\n    %a:80 = call @fabsl(%l)\n    %b = fptosi.32 %a\n"
        "    %x = mul.32 %n, 100\n    %y = mul.32 %k, 10\n    %z = add.32 %x, %y\n    %r = add.32 %z, %b\n"
        "    ret %r\n}\n";
    expect_status(pure, 10000 + 70 + 3);
    TextRun r = text_run_with(pure, (VmOptions){.external = VM_EXTERNAL_NONE});
    assert_int_equal(r.result.ending, VM_END_EXTERNAL);
    text_end(&r);
    const char *host = "fn @toupper(%c:32) -> 32 native ii\nfn @main() -> 32 {\n^entry:\n    %c:32 = call "
                       "@toupper(97:32)\n    ret %c\n}\n";
    r = text_run(host);
    assert_int_equal(r.result.ending, VM_END_EXTERNAL);
    text_end(&r);
    r = text_run_with(host, (VmOptions){.external = VM_EXTERNAL_ALL});
    assert_int_equal(r.result.ending, VM_END_RETURN);
    assert_int_equal(r.result.status, 'A');
    text_end(&r);
}

/* ---- environment and repetition -------------------------------------------------------------- */

static void test_arguments(void **state)
{
    (void)state;
    expect_status("global $environ 8 align 8 extern\n"
                  "fn @main(%argc:32, %argv:64, %envp:64) -> 32 {\n^entry:\n"
                  "    %p = offset %argv, 16\n    %two = load.64 %p, align 8\n    %c = load.8 %two, align 1\n"
                  "    %q = offset %argv, 24\n    %end = load.64 %q, align 8\n    %null = eq.64 %end, 0\n"
                  "    %e = load.64 $environ, align 8\n    %same = eq.64 %e, %envp\n"
                  "    %ok = and.1 %null, %same\n    %n = zext.32 %ok\n    %c2 = zext.32 %c\n"
                  "    %x = mul.32 %argc, 1000\n    %y = mul.32 %n, 500\n    %z = add.32 %x, %y\n    %r = "
                  "add.32 %z, %c2\n"
                  "    ret %r\n}\n",
                  3000 + 500 + 't');
}

static void test_runs_are_fresh(void **state)
{
    (void)state;
    const char *text = "global $g 4 align 4 {\n    0 hex \"05000000\"\n}\n"
                       "fn @main() -> 32 {\n^entry:\n    %x = load.32 $g, align 4\n    %y = add.32 %x, 1\n"
                       "    store.32 $g, %y, align 4\n    %z = load.32 $g, align 4\n    ret %z\n}\n";
    TextRun r = text_run(text);
    VmEnvironment environment = text_environment();
    for (int i = 0; i < 3; i++) {
        assert_int_equal(r.result.status, 6);
        r.result = vm_run(r.vm, &environment);
    }
    text_end(&r);
}

/* ---- names ----------------------------------------------------------------------------------- */

static uint64_t address_returned(const char *text)
{
    TextRun r = text_run(text);
    assert_int_equal(r.result.ending, VM_END_RETURN);
    uint64_t value = (uint32_t)r.result.status;
    text_end(&r);
    return value;
}

#define ALLOC "fn @__sheaf_alloc(%n:64, %a:64, %z:32) -> 64\n"
#define OTHER "fn @other() {\n^entry:\n    %p:64 = call @__sheaf_alloc(8:64, 16:64, 0:32)\n    ret\n}\n"
#define MAKE \
    "fn @make() -> 64 {\n^entry:\n    %p:64 = call @__sheaf_alloc(24:64, 16:64, 0:32)\n    ret %p\n}\n"

/* An address depends on where and when the object was made, not on other allocations. */
static void test_names(void **state)
{
    (void)state;
    const char *plain =
        ALLOC OTHER MAKE "fn @main() -> 32 {\n^entry:\n    jmp ^go\n^go:\n    %p:64 = call @make()\n    %t = "
                         "lshr.64 %p, 6\n    %r = trunc.32 %t\n    ret %r\n}\n";
    const char *after =
        ALLOC OTHER MAKE "fn @main() -> 32 {\n^entry:\n    call @other()\n    jmp ^go\n^go:\n    %p:64 = "
                         "call @make()\n    %t = lshr.64 %p, 6\n    %r = trunc.32 %t\n    ret %r\n}\n";
    const char *second = ALLOC OTHER MAKE
        "fn @main() -> 32 {\n^entry:\n    %x:64 = call @make()\n    jmp ^go\n^go:\n    %p:64 = call "
        "@make()\n    %t = lshr.64 %p, 6\n    %r = trunc.32 %t\n    ret %r\n}\n";
    const char *loop = ALLOC MAKE
        "fn @main() -> 32 {\n^entry:\n    jmp ^loop\n^loop:\n    %i = phi.32 ^entry: 0, ^loop: %n\n"
        "    %old = phi.64 ^entry: 0, ^loop: %p\n    %p:64 = call @make()\n    %n = add.32 %i, 1\n"
        "    %more = ult.32 %n, 2\n    br %more, ^loop, ^end\n"
        "^end:\n    %same = eq.64 %p, %old\n    %r = zext.32 %same\n    ret %r\n}\n";
    assert_int_equal(address_returned(plain), address_returned(after));
    assert_int_equal(address_returned(plain), address_returned(second));
    assert_int_equal(address_returned(loop), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_phi_swap),
        cmocka_unit_test(test_switch),
        cmocka_unit_test(test_goto),
        cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_mismatch),
        cmocka_unit_test(test_indirect),
        cmocka_unit_test(test_varargs),
        cmocka_unit_test(test_setjmp),
        cmocka_unit_test(test_longjmp_to_dead_frame),
        cmocka_unit_test(test_endings),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_site_in_user_code),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_external),
        cmocka_unit_test(test_runs_are_fresh),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
