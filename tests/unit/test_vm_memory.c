/* test_vm_memory.c - objects and faults: every kind, told apart, with what is said about them. */
#include "vm_text.h"

#include "vm/core/mem.h"

#define HEAP \
    "fn @__sheaf_alloc(%n:64, %a:64, %z:32) -> 64\nfn @__sheaf_free(%p:64)\nfn @__sheaf_size(%p:64) -> 64\n"
#define MAIN  "fn @main() -> 32 {\n^entry:\n"
#define END   "    ret 0:32\n}\n"
#define NEW16 "    %p:64 = call @__sheaf_alloc(16:64, 16:64, 0:32) !0\n"
#define SITES "site !0 \"a.c\" 3:5 \"main\"\n"

static void test_bounds(void **state)
{
    (void)state;
    expect_fault(HEAP MAIN NEW16 "    %q = offset %p, 16\n    %x = load.8 %q, align 1\n" END SITES,
                 VM_FAULT_OOB_READ, "1 byte past a heap object (16 bytes, allocated at a.c:3:5)");
    expect_fault(HEAP MAIN NEW16 "    %q = offset %p, 14\n    store.32 %q, 1, align 1\n" END SITES,
                 VM_FAULT_OOB_WRITE, "2 bytes past");
    expect_fault(HEAP MAIN NEW16 "    %q = offset %p, -1\n    store.8 %q, 1, align 1\n" END SITES,
                 VM_FAULT_OOB_WRITE, "1 byte before");
    expect_fault(HEAP MAIN NEW16
                 "    %q = index %p, 100000:32, scale 8\n    store.8 %q, 1, align 1\n" END SITES,
                 VM_FAULT_OOB_WRITE, "799985 bytes past");
    expect_fault(MAIN "    %buf.1 = alloca 16, align 4 fixed !0\n    %i = select.32 1, 4, 0\n    %q = index "
                      "%buf.1, %i, scale 4\n"
                      "    store.32 %q, 7, align 4\n" END SITES,
                 VM_FAULT_OOB_WRITE, "4 bytes past `buf` (16 bytes, from a.c:3:5)");
    expect_fault("global $table 8 align 4\n" MAIN
                 "    %i = select.64 1, -3, 0\n    %q = index $table, %i, scale 4\n"
                 "    %x = load.32 %q, align 4\n" END,
                 VM_FAULT_OOB_READ, "12 bytes before `table` (8 bytes)");
    expect_fault("global $table 8 align 4\n" MAIN
                 "    %q = offset $table, 6\n    %x = load.32 %q, align 4\n" END,
                 VM_FAULT_OOB_READ, "2 bytes past `table`");
    expect_fault("global $big 8 align 4\nglobal $small 2 align 1\n" MAIN "    memcpy $small, $big, 3\n" END,
                 VM_FAULT_OOB_WRITE, "1 byte past `small`");
}

static void test_null_and_wild(void **state)
{
    (void)state;
    expect_fault(MAIN "    %x = load.32 0, align 4\n" END, VM_FAULT_NULL_DEREF, NULL);
    expect_fault(MAIN "    %p = select.64 1, 0, 8\n    %q = offset %p, 40\n    store.64 %q, 1, align 8\n" END,
                 VM_FAULT_NULL_DEREF, "0x28");
    expect_fault(
        MAIN
        "    %p = select.64 1, 0, 8\n    %q = index %p, 5000:32, scale 8\n    store.64 %q, 1, align 8\n" END,
        VM_FAULT_NULL_DEREF, NULL);
    expect_fault(MAIN "    %x = load.32 0x123456789, align 4\n" END, VM_FAULT_WILD, "0x123456789");
    expect_fault(MAIN "    %x = load.32 0xffff123456789000, align 4\n" END, VM_FAULT_WILD, NULL);
    expect_fault(MAIN "    callptr 0()\n" END, VM_FAULT_BAD_CALL, "null function pointer");
    expect_fault(MAIN "    callptr @main+1()\n" END, VM_FAULT_BAD_CALL, NULL);
}

static void test_read_only(void **state)
{
    (void)state;
    expect_fault("global $text 4 align 1 constant {\n    0 \"abc\"\n}\n" MAIN
                 "    store.8 $text, 1, align 1\n" END,
                 VM_FAULT_READ_ONLY, "`text`");
    expect_fault(MAIN "    %p = select.64 1, @main, 0\n    store.8 %p, 1, align 1\n" END, VM_FAULT_READ_ONLY,
                 "function `main`");
}

static void test_lifetimes(void **state)
{
    (void)state;
    expect_fault(
        HEAP MAIN NEW16
        "    call @__sheaf_free(%p)\n    %q = offset %p, 4\n    %x = load.32 %q, align 4\n" END SITES,
        VM_FAULT_USE_AFTER_FREE, "offset 4 in a heap object (16 bytes, allocated at a.c:3:5)");
    expect_fault(HEAP MAIN NEW16 "    call @__sheaf_free(%p)\n    call @__sheaf_free(%p)\n" END SITES,
                 VM_FAULT_DOUBLE_FREE, "allocated at a.c:3:5");
    expect_fault(HEAP MAIN NEW16 "    %q = offset %p, 8\n    call @__sheaf_free(%q)\n" END SITES,
                 VM_FAULT_INVALID_FREE, "offset 8");
    expect_fault(HEAP MAIN "    %p = alloca 8, align 8 fixed\n    call @__sheaf_free(%p)\n" END,
                 VM_FAULT_INVALID_FREE, NULL);
    expect_fault(
        "fn @f() -> 64 {\n^entry:\n    %local.3 = alloca 8, align 8 fixed\n    ret %local.3\n}\n" MAIN
        "    %p:64 = call @f()\n    %x = load.32 %p, align 4\n" END,
        VM_FAULT_USE_AFTER_RETURN, "`local`");
    expect_fault(MAIN "    %p = alloca 8, align 8 fixed\n    dead %p\n    %x = load.32 %p, align 4\n" END,
                 VM_FAULT_USE_AFTER_SCOPE, NULL);
    expect_fault(MAIN "    %s = stacksave\n    %p = alloca 8, align 8\n    stackrestore %s\n    %x = load.32 "
                      "%p, align 4\n" END,
                 VM_FAULT_USE_AFTER_SCOPE, NULL);
    expect_status(
        MAIN "    %p = alloca 8, align 8 fixed\n    dead %p\n    life %p\n    store.8 %p, 1, align 1\n" END,
        0);
    expect_status(HEAP MAIN NEW16
                  "    %n:64 = call @__sheaf_size(%p)\n    call @__sheaf_free(0:64)\n    %r = trunc.32 %n\n"
                  "    ret %r\n}\n" SITES,
                  16);
}

static void test_arithmetic(void **state)
{
    (void)state;
    static const unsigned widths[] = {8, 16, 24, 32, 64, 128};
    static const char *const ops[] = {"udiv", "sdiv", "urem", "srem"};
    for (size_t i = 0; i < COUNT_OF(widths); i++) {
        for (size_t j = 0; j < COUNT_OF(ops); j++) {
            for (int constant = 0; constant < 2; constant++) {
                Str s = {0};
                unsigned w = widths[i];
                str_printf(&s, MAIN "    %%z = select.%u 1, 0, 1\n    %%x = %s.%u 5, %s\n" END, w, ops[j], w,
                           constant ? "0" : "%z");
                expect_fault(str_text(&s), VM_FAULT_DIV_ZERO, NULL);
                vec_clear(&s);
                str_printf(
                    &s,
                    MAIN
                    "    %%a = shl.%u 1, %u\n    %%z = select.%u 1, -1, 1\n    %%x = %s.%u %%a, %s\n" END,
                    w, w - 1, w, ops[j], w, constant ? "-1" : "%z");
                if (ops[j][0] == 's')
                    expect_fault(str_text(&s), VM_FAULT_DIV_OVERFLOW, NULL);
                else
                    expect_status(str_text(&s), 0);
                str_free(&s);
            }
        }
    }
    expect_fault(MAIN "    trap\n}\n", VM_FAULT_TRAP, NULL);
    expect_fault(MAIN "    unreachable\n}\n", VM_FAULT_UNREACHABLE, NULL);
    expect_fault("fn @__sheaf_abort() noreturn\n" MAIN
                 "    call @__sheaf_abort() noreturn\n    unreachable\n}\n",
                 VM_FAULT_ABORT, NULL);
    expect_fault("global $t 4 align 1 {\n    0 \"x>0\"\n}\nfn @__sheaf_assert_fail(%t:64) noreturn\n" MAIN
                 "    call @__sheaf_assert_fail($t) noreturn\n    unreachable\n}\n",
                 VM_FAULT_ASSERT, "x>0");
}

static void test_checks(void **state)
{
    (void)state;
    const char *overflow = MAIN "    %a = select.32 1, 0x7fffffff, 0\n    %b = add.32 %a, 1 nsw\n" END;
    const char *shift = MAIN "    %a = select.32 1, 32, 0\n    %b = shl.32 1, %a\n" END;
    const char *overlap = "global $g 8 align 1\n" MAIN "    %p = offset $g, 2\n    memcpy %p, $g, 4\n" END;
    const char *leak =
        HEAP "fn @__sheaf_exit(%s:32) noreturn\n" MAIN NEW16
             "    call @f()\n    call @__sheaf_exit(0:32) noreturn\n    unreachable\n}\n"
             "fn @f() {\n^entry:\n    %q:64 = call @__sheaf_alloc(40:64, 16:64, 0:32) !0\n    ret\n}\n" SITES;
    expect_status(overflow, 0);
    expect_status(shift, 0);
    expect_status(overlap, 0);
    expect_fault_with(overflow, check_options("overflow"), VM_FAULT_OVERFLOW, "2147483647 and 1");
    expect_fault_with(shift, check_options("shift"), VM_FAULT_SHIFT, "by 32 of 32 bits");
    expect_fault_with(overlap, check_options("overlap"), VM_FAULT_OVERLAP, NULL);
    expect_fault_with(leak, check_options("leak"), VM_FAULT_LEAK, "40 bytes");
    uint64_t checks = 0;
    assert_false(vm_check_by_word("nonsense", &checks));
    assert_false(vm_check_by_word("always", &checks));
}

static void test_uninit(void **state)
{
    (void)state;
    VmOptions options = check_options("uninit");
    const char *branch = "    %c = ne.32 %x, 0\n    br %c, ^a, ^b\n^a:\n    ret 1:32\n^b:\n    ret 2:32\n}\n";
    Str s = {0};
    str_printf(&s, MAIN "    %%x = uninit.32\n%s", branch);
    expect_fault_with(str_text(&s), options, VM_FAULT_UNINIT, NULL);
    expect_status(str_text(&s), 2);
    vec_clear(&s);
    str_printf(&s, MAIN "    %%p = alloca 4, align 4 fixed\n    %%x = load.32 %%p, align 4\n%s", branch);
    expect_fault_with(str_text(&s), options, VM_FAULT_UNINIT, NULL);
    vec_clear(&s);
    str_printf(
        &s,
        MAIN
        "    %%p = alloca 8, align 4 fixed\n    %%q = alloca 8, align 4 fixed\n    store.32 %%q, 5, align 4\n"
        "    memcpy %%p, %%q, 8\n    %%x = load.32 %%p, align 4\n%s",
        branch);
    TextRun r = text_run_with(str_text(&s), options);
    assert_int_equal(r.result.ending, VM_END_RETURN);
    assert_int_equal(r.result.status, 1);
    text_end(&r);
    /* a bit-field in a fresh byte: the other bits do not matter */
    vec_clear(&s);
    str_printf(&s,
               MAIN
               "    %%p = alloca 1, align 1 fixed\n    %%o = load.8 %%p, align 1\n    %%m = and.8 %%o, 0xf8\n"
               "    %%n = or.8 %%m, 5\n    store.8 %%p, %%n, align 1\n    %%y = load.8 %%p, align 1\n    %%z "
               "= and.8 %%y, 7\n"
               "    %%x = zext.32 %%z\n%s",
               branch);
    r = text_run_with(str_text(&s), options);
    assert_int_equal(r.result.ending, VM_END_RETURN);
    assert_int_equal(r.result.status, 1);
    text_end(&r);
    str_free(&s);
    expect_fault_with(MAIN "    %i = uninit.64\n    %p = alloca 4, align 4 fixed\n    %q = offset %p, %i\n   "
                           " store.8 %q, 1, align 1\n" END,
                      options, VM_FAULT_UNINIT, NULL);
}

static void test_stack_overflow(void **state)
{
    (void)state;
    const char *text = "fn @f(%n:32) -> 32 {\n^entry:\n    %m = add.32 %n, 1\n    %x:32 = call @f(%m)\n    "
                       "%y = add.32 %x, 1\n"
                       "    ret %y\n}\n" MAIN "    %x:32 = call @f(0:32)\n    ret %x\n}\n";
    expect_fault(text, VM_FAULT_STACK_OVERFLOW, NULL);
    TextRun r = text_run_with(text, (VmOptions){.max_frames = 100});
    assert_int_equal(r.result.fault, VM_FAULT_STACK_OVERFLOW);
    assert_int_equal(r.result.stack.n, 100);
    text_end(&r);
    expect_fault(
        "fn @f() {\n^entry:\n    %p = alloca 1000000, align 16 fixed\n    call @f()\n    ret\n}\n" MAIN
        "    call @f()\n" END,
        VM_FAULT_STACK_OVERFLOW, "bytes of locals");
}

/* Huge requests: refused as glibc does, or at the limit; untouched memory costs nothing. */
static void test_huge(void **state)
{
    (void)state;
    expect_status(
        HEAP MAIN
        "    %p:64 = call @__sheaf_alloc(-4096:64, 16:64, 0:32)\n    %n = eq.64 %p, 0\n    %r = zext.32 %n\n"
        "    ret %r\n}\n",
        1);
    expect_status(
        HEAP MAIN
        "    %p:64 = call @__sheaf_alloc(1000000000:64, 4096:64, 0:32)\n    %q = offset %p, 999999999\n"
        "    store.8 %q, 3, align 1\n    %x = load.8 %q, align 1\n    %a = and.64 %p, 4095\n    %b = trunc.8 "
        "%a\n"
        "    %c = add.8 %x, %b\n    %r = zext.32 %c\n    ret %r\n}\n",
        3);
}

/* Many objects at once, all found again, then all freed. */
static void test_many(void **state)
{
    (void)state;
    expect_status(
        HEAP
        "global $list 80000 align 8\n" MAIN "    jmp ^make\n"
        "^make:\n    %i = phi.64 ^entry: 0, ^make: %n\n    %p:64 = call @__sheaf_alloc(24:64, 16:64, 0:32)\n"
        "    %at = index $list, %i, scale 8\n    store.64 %at, %p, align 8\n    store.64 %p, %i, align 8\n"
        "    %n = add.64 %i, 1\n    %more = ult.64 %n, 10000\n    br %more, ^make, ^sum\n"
        "^sum:\n    %j = phi.64 ^make: 0, ^sum: %k\n    %s = phi.64 ^make: 0, ^sum: %t\n"
        "    %at2 = index $list, %j, scale 8\n    %q = load.64 %at2, align 8\n    %v = load.64 %q, align 8\n"
        "    %t = add.64 %s, %v\n    call @__sheaf_free(%q)\n    %k = add.64 %j, 1\n    %go = ult.64 %k, "
        "10000\n"
        "    br %go, ^sum, ^end\n^end:\n    %r = trunc.32 %t\n    ret %r\n}\n",
        49995000);
}

/* Addresses near 0 have the number of an empty cell: no object is there, whatever was in the cell. */
static void test_nowhere(void **state)
{
    (void)state;
    Mem m;
    Object *there = NULL;
    mem_init(&m, 1 << 20, 1 << 20, false);
    for (uint64_t name = 1; !there && name < 10000; name++) {
        mem_new(&m, OBJECT_HEAP, name, 16, 16, payload_new(&m, 16));
        there = m.cells[0].slot ? m.cells[0].object : NULL;
    }
    assert_non_null(there);
    mem_kill(&m, there, DEATH_FREE);
    assert_null(mem_find(&m, 0));
    mem_reset(&m);
    assert_null(mem_find(&m, 0));
    mem_free_all(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),     cmocka_unit_test(test_null_and_wild),
        cmocka_unit_test(test_read_only),  cmocka_unit_test(test_lifetimes),
        cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_checks),
        cmocka_unit_test(test_uninit),     cmocka_unit_test(test_stack_overflow),
        cmocka_unit_test(test_huge),       cmocka_unit_test(test_many),
        cmocka_unit_test(test_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
