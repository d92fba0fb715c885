/* test_outline.c - loops without stores that both versions have become functions: the programs stay well
 * formed and compute the same, and what is not such a loop stays where it is. */
#include "test_ir_util.h"
#include "versions/versions.h"

enum { ARGUMENTS = 2 };
#define MAIN "fn @main() -> 32 {\n^e:\n ret 0:32\n}\n" /* which a machine wants */

static void run(const IrProgram *p, uint32_t fn, const u128 *arguments, u128 *out)
{
    VmOptions options = {.max_steps = 100000};
    VmEnvironment environment = {.stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1};
    Vm *vm = vm_new(p, &options);
    assert_int_equal(vm_evaluate(vm, &environment, fn, arguments, out), VM_END_RETURN);
    vm_free(vm);
}

static uint32_t outlined(const IrProgram *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->fns.n; i++)
        n += p->fns.v[i].outlined && p->fns.v[i].defined;
    return n;
}

/* Outlines the program beside itself, checks that @f computes what it did, and returns how many functions it
 * has become. */
static uint32_t outline(const char *text)
{
    Str whole = {0};
    str_printf(&whole, "%s" MAIN, text);
    text = str_text(&whole);
    IrProgram *before = must_parse(text), *old = must_parse(text), *new = must_parse(text);
    IrProgram *const all[] = {before, old, new};
    for (uint32_t i = 0; i < 3; i++)
        ir_program_index(all[i]);
    versions_outline(old, new, 0);
    must_verify(old);
    must_verify(new);
    Versions *v = versions_pair(old, new, 0);
    assert_true(v->identical);
    versions_free(v);
    for (unsigned a = 0; a < 20; a++)
        for (unsigned b = 0; b < 20; b++) {
            u128 arguments[ARGUMENTS] = {a, b}, was, is;
            run(before, ir_fn_find(before, "f"), arguments, &was);
            run(new, ir_fn_find(new, "f"), arguments, &is);
            assert_true(was == is);
        }
    uint32_t n = outlined(new);
    assert_int_equal(outlined(old), n);
    for (uint32_t i = 0; i < 3; i++)
        ir_program_free(all[i]);
    str_free(&whole);
    return n;
}

#define COUNTED                                                                                           \
    "^e:\n jmp ^h\n"                                                                                      \
    "^h:\n %i = phi.32 ^e: 0, ^b: %j\n %s = phi.32 ^e: %x, ^b: %t\n %c = ult.32 %i, %n\n br %c, ^b, ^o\n" \
    "^b:\n %m = mul.32 %s, 3\n %t = add.32 %m, %i\n %j = add.32 %i, 1\n jmp ^h\n"

static void one_value(void **state)
{
    (void)state;
    assert_int_equal(outline("fn @f(%x:32, %n:32) -> 32 {\n" COUNTED "^o:\n ret %s\n}\n"), 1);
}

static void two_values(void **state)
{
    (void)state;
    assert_int_equal(
        outline("fn @f(%x:32, %n:32) -> 32 {\n" COUNTED "^o:\n %r = sub.32 %s, %i\n ret %r\n}\n"), 2);
}

/* The block behind one loop is the header of the next. */
static void one_behind_the_other(void **state)
{
    (void)state;
    assert_int_equal(outline("fn @f(%x:32, %n:32) -> 32 {\n" COUNTED
                             "^o:\n %u = phi.32 ^h: %s, ^p: %v\n %d = ult.32 7, %u\n br %d, ^p, ^q\n"
                             "^p:\n %v = lshr.32 %u, 1\n jmp ^o\n^q:\n ret %u\n}\n"),
                     2);
}

/* Left in two places that do different things: which of them it is, is a value. */
static void two_ends(void **state)
{
    (void)state;
    static const char text[] =
        "fn @f(%x:32, %n:32) -> 32 {\n^e:\n jmp ^h\n"
        "^h:\n %i = phi.32 ^e: 0, ^l: %j\n %s = phi.32 ^e: %x, ^l: %t\n %c = ult.32 %i, 10\n br %c, ^b, ^o\n"
        "^b:\n %t = xor.32 %s, %i\n %g = ult.32 %n, %t\n br %g, ^p, ^l\n"
        "^l:\n %j = add.32 %i, 1\n jmp ^h\n"
        "^o:\n %y = add.32 %s, 5\n ret %y\n^p:\n %z = sub.32 %t, %i\n ret %z\n}\n";
    assert_int_equal(outline(text), 4);
}

/* A break that leads to where the loop's end does: one value for what a phi gets from both. */
static void a_break(void **state)
{
    (void)state;
    static const char text[] = "fn @f(%x:32, %n:32) -> 32 {\n^e:\n jmp ^h\n"
                               "^h:\n %i = phi.32 ^e: 0, ^l: %j\n %c = ult.32 %i, %n\n br %c, ^b, ^o\n"
                               "^b:\n %g = eq.32 %i, %x\n br %g, ^p, ^l\n"
                               "^l:\n %j = add.32 %i, 1\n jmp ^h\n"
                               "^p:\n %k = phi.32 ^b: %i\n jmp ^o\n"
                               "^o:\n %r = phi.32 ^h: -1, ^p: %k\n ret %r\n}\n";
    assert_int_equal(outline(text), 1);
}

/* The inner loop goes with the outer one. */
static void nested(void **state)
{
    (void)state;
    static const char text[] =
        "fn @f(%x:32, %n:32) -> 32 {\n^e:\n %z = eq.32 %x, 3\n br %z, ^one, ^two\n^one:\n jmp ^h\n"
        "^two:\n jmp ^h\n"
        "^h:\n %i = phi.32 ^one: 1, ^two: 2, ^l: %j\n %s = phi.32 ^one: 0, ^two: %x, ^l: %u\n"
        " %c = ult.32 %i, %n\n br %c, ^g, ^o\n"
        "^g:\n %k = phi.32 ^h: 0, ^m: %q\n %u = phi.32 ^h: %s, ^m: %v\n %d = ult.32 %k, %i\n br %d, ^m, ^l\n"
        "^m:\n %v = add.32 %u, %k\n %q = add.32 %k, 1\n jmp ^g\n"
        "^l:\n %j = add.32 %i, 1\n jmp ^h\n^o:\n ret %s\n}\n";
    assert_int_equal(outline(text), 1);
}

static void stores_stay(void **state)
{
    (void)state;
    assert_int_equal(
        outline("global $g 4 align 4 {\n}\nfn @f(%x:32, %n:32) -> 32 {\n^e:\n jmp ^h\n"
                "^h:\n %i = phi.32 ^e: 0, ^b: %j\n %c = ult.32 %i, %n\n br %c, ^b, ^o\n"
                "^b:\n store.32 $g, %i, align 4\n %j = add.32 %i, 1\n jmp ^h\n^o:\n ret %i\n}\n"),
        0);
}

/* Nothing shows that the divisor is not zero. */
static void faults_stay(void **state)
{
    (void)state;
    assert_int_equal(outline("fn @f(%x:32, %n:32) -> 32 {\n^e:\n %k = or.32 %x, 1\n jmp ^h\n"
                             "^h:\n %i = phi.32 ^e: 0, ^b: %j\n %c = ult.32 %i, %n\n br %c, ^b, ^o\n"
                             "^b:\n %q = udiv.32 7, %k\n %p = or.32 %q, 1\n %j = add.32 %i, %p\n jmp ^h\n"
                             "^o:\n ret %i\n}\n"),
                     0);
}

/* What only one version has stays where it is. */
static void changed_stays(void **state)
{
    (void)state;
    IrProgram *old = must_parse("fn @f(%x:32, %n:32) -> 32 {\n" COUNTED "^o:\n ret %s\n}\n");
    IrProgram *new = must_parse(
        "fn @f(%x:32, %n:32) -> 32 {\n^e:\n jmp ^h\n"
        "^h:\n %i = phi.32 ^e: 0, ^b: %j\n %s = phi.32 ^e: %x, ^b: %t\n %c = ult.32 %i, %n\n br %c, ^b, ^o\n"
        "^b:\n %m = mul.32 %s, 4\n %t = add.32 %m, %i\n %j = add.32 %i, 1\n jmp ^h\n^o:\n ret %s\n}\n");
    ir_program_index(old);
    ir_program_index(new);
    versions_outline(old, new, 0);
    assert_int_equal(outlined(old) + outlined(new), 0);
    ir_program_free(old);
    ir_program_free(new);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_value),   cmocka_unit_test(two_values),  cmocka_unit_test(one_behind_the_other),
        cmocka_unit_test(two_ends),    cmocka_unit_test(a_break),     cmocka_unit_test(nested),
        cmocka_unit_test(stores_stay), cmocka_unit_test(faults_stay), cmocka_unit_test(changed_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
