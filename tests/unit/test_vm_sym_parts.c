/* test_vm_sym_parts.c - symbolic runs, part by part: what is a decision, with which alternatives. */
#include "vm_explore.h"

#define DECLS                                                                                            \
    "fn @__sheaf_symbolic(%p:64, %n:64, %name:64)\nfn @__sheaf_assume(%c:64)\nfn @__sheaf_alloc(%n:64, " \
    "%a:64, %z:32) -> 64\n"                                                                              \
    "fn @__sheaf_free(%p:64)\n"                                                                          \
    "fn @__sheaf_read(%fd:32, %p:64, %n:64) -> 64\nfn @__sheaf_write(%fd:32, %p:64, %n:64) -> 64\n"      \
    "fn @__sheaf_pipe(%p:64) -> 32\n"                                                                    \
    "fn @__sheaf_emit(%fd:32, %spec:64, %w:64, %pr:64, %v:64, %n:64) -> 64\n"                            \
    "global $name 2 align 1 {\n    0 \"x\\00\"\n}\nglobal $x 16 align 16\n"
/* %x: 32 symbolic bits, %b: eight */
#define INPUT                                                                                              \
    "^entry:\n    call @__sheaf_symbolic($x, 4:64, $name)\n    %x = load.32 $x, align 4\n    %b = load.8 " \
    "$x, align 1\n"
#define ASSUME_BELOW(n)            \
    "    %assumed = ult.32 %x, " n \
    "\n    %assumed64 = zext.64 %assumed\n    call @__sheaf_assume(%assumed64)\n"

static Exploration *explored(const char *text) { return exploration_of(text, exploration_options()); }

static void expect(Exploration *x, uint32_t runs, uint32_t entries)
{
    assert_int_equal(x->paths.n, runs);
    assert_int_equal(explore_count(x->explore, EXPLORE_DIVERGED), 0);
    if (ledger_count(explore_ledger(x->explore)) != entries) {
        Str text = {0};
        for (uint32_t i = 0; i < ledger_count(explore_ledger(x->explore)); i++)
            ledger_entry_text(ledger_entry(explore_ledger(x->explore), i), x->program, &text);
        fail_msg("ledger: %s", str_text(&text));
    }
}

/* ---- control --------------------------------------------------------------------------------- */

static void test_switch(void **state)
{
    (void)state;
    Exploration *x = explored(DECLS "fn @main() -> 32 {\n" INPUT
                                    "    switch.32 %x, [1 -> ^a, 2 -> ^b, 5 -> ^a, 9 -> ^c], ^c\n"
                                    "^a:\n    ret 1:32\n^b:\n    ret 2:32\n^c:\n    ret 3:32\n}\n");
    expect(x, 3, 0); /* three targets, however many cases */
    assert_int_equal(x->paths.v[0].alternatives, 2);
    exploration_end(x);
}

static void test_assume(void **state)
{
    (void)state;
    Exploration *x = explored(
        DECLS "fn @main() -> 32 {\n" INPUT
              "    %is = eq.32 %x, 77\n    %is64 = zext.64 %is\n    call @__sheaf_assume(%is64)\n"
              "    %small = ult.32 %x, 70\n    br %small, ^a, ^c\n^a:\n    ret 1:32\n^c:\n    ret 3:32\n}\n");
    expect(x, 2, 0); /* the first input violates it, the second does not */
    assert_int_equal(exploration_endings(x, VM_END_ASSUMPTION), 1);
    assert_int_equal(x->paths.v[1].status, 3);
    exploration_end(x);
}

static void test_call(void **state)
{
    (void)state;
    Exploration *x = explored(
        DECLS "global $fns 32 align 8 constant {\n    0 @one\n    8 @two\n    16 @one\n}\n"
              "fn @one() -> 32 {\n^e:\n    ret 1:32\n}\nfn @two() -> 32 {\n^e:\n    ret 2:32\n}\n"
              "fn @main() -> 32 {\n" INPUT
              "    %i = and.32 %x, 3\n    %p = index $fns, %i, scale 8\n    %f = load.64 %p, align 8\n"
              "    %r:32 = callptr %f()\n    ret %r\n}\n");
    expect(x, 3, 0); /* one, two, and the null at the end */
    assert_int_equal(exploration_faults(x, VM_FAULT_BAD_CALL), 1);
    exploration_end(x);
}

static void test_loop_bound(void **state)
{
    (void)state;
    ExploreOptions o = exploration_options();
    o.symbolic.loop_bound = 5;
    Exploration *x =
        exploration_of(DECLS "fn @main() -> 32 {\n" INPUT "    jmp ^loop\n"
                             "^loop:\n    %i = phi.32 ^entry: 0, ^loop: %next\n    %next = add.32 %i, 1\n"
                             "    %more = ult.32 %i, %x\n    br %more, ^loop, ^end\n^end:\n    ret %i\n}\n",
                       o);
    expect(x, 6, 1);
    assert_int_equal(exploration_endings(x, VM_END_LIMIT), 1);
    assert_int_equal(ledger_entry(explore_ledger(x->explore), 0)->kind, LEDGER_LOOP);
    exploration_end(x);
}

/* The decision is made in a function that the loop calls. */
static void test_loop_bound_around_calls(void **state)
{
    (void)state;
    ExploreOptions o = exploration_options();
    o.symbolic.loop_bound = 5;
    Exploration *x = exploration_of(
        DECLS "fn @is(%a:32, %b:32) -> 32 {\n^e:\n    %c = eq.32 %a, %b\n    br %c, ^yes, ^no\n"
              "^yes:\n    ret 1:32\n^no:\n    ret 0:32\n}\n"
              "fn @outer(%a:32, %b:32) -> 32 {\n^e:\n    %r:32 = call @is(%a, %b)\n    ret %r\n}\n"
              "fn @main() -> 32 {\n" INPUT "    jmp ^loop\n"
              "^loop:\n    %i = phi.32 ^entry: 0, ^loop: %next\n    %next = add.32 %i, 1\n"
              "    %r:32 = call @outer(%i, %x)\n    %found = eq.32 %r, 1\n    br %found, ^end, ^loop\n"
              "^end:\n    ret %i\n}\n",
        o);
    expect(x, 6, 1);
    assert_int_equal(exploration_endings(x, VM_END_LIMIT), 1);
    assert_int_equal(ledger_entry(explore_ledger(x->explore), 0)->kind, LEDGER_LOOP);
    exploration_end(x);
}

typedef struct Sharing {
    uint32_t decisions, snapshots;
} Sharing;

static void count_snapshots(void *context, const ExploreRun *run)
{
    Sharing *s = context;
    const VmSnapshot *last = NULL;
    for (uint32_t i = 0; i < run->trace->decisions.n; i++) {
        s->snapshots += run->trace->decisions.v[i].snapshot != last;
        last = run->trace->decisions.v[i].snapshot;
        s->decisions++;
    }
}

/* What a snapshot shares is copied when it is written next. If that is much, snapshots are few: else a run's
 * time would be its decisions times the size of what it writes. */
static void test_snapshots_of_large_objects(void **state)
{
    (void)state;
    Sharing s = {0};
    ExploreOptions o = exploration_options();
    Arena *arena = arena_new();
    IrProgram *program = text_parse(
        arena,
        DECLS "global $large 1048576 align 16\nfn @main() -> 32 {\n" INPUT "    jmp ^loop\n"
              "^loop:\n    %i = phi.32 ^entry: 0, ^next: %n\n    %n = add.32 %i, 1\n    %p = index $large, "
              "%i, scale 64\n"
              "    %is = eq.32 %n, %x\n    br %is, ^end, ^next\n"
              "^next:\n    store.32 %p, %i, align 4\n    %more = ult.32 %n, 4000\n    br %more, ^loop, ^end\n"
              "^end:\n    ret 0:32\n}\n");
    VmEnvironment environment = text_environment();
    o.max_runs = 1;
    o.patience = UINT32_MAX;
    o.labels_of = "dependence";
    o.on_run = count_snapshots;
    o.context = &s;
    Explore *x = explore_new(program, &environment, &o);
    explore_all(x);
    explore_free(x);
    assert_true(s.decisions == 4000);
    assert_true(s.snapshots < 40);
    ir_program_free(program);
    arena_free(arena);
}

/* ---- faults and addresses -------------------------------------------------------------------- */

static void test_checks(void **state)
{
    (void)state;
    const char *text =
        DECLS "fn @main() -> 32 {\n" INPUT
              "    %d = sub.32 %x, 3\n    %q = sdiv.32 -2147483648, %d\n    %s = add.32 %x, 1 nsw\n"
              "    %t = shl.32 %s, %x\n    ret %t\n}\n";
    ExploreOptions o = exploration_options();
    Exploration *x = exploration_of(text, o);
    expect(x, 3, 0); /* fine, 3: by zero, 2: INT_MIN / -1 */
    assert_int_equal(exploration_faults(x, VM_FAULT_DIV_ZERO), 1);
    assert_int_equal(exploration_faults(x, VM_FAULT_DIV_OVERFLOW), 1);
    exploration_end(x);
    vm_check_by_word("overflow", &o.vm.checks);
    vm_check_by_word("shift", &o.vm.checks);
    x = exploration_of(text, o);
    expect(x, 5, 0);
    assert_int_equal(exploration_faults(x, VM_FAULT_OVERFLOW), 1);
    assert_int_equal(exploration_faults(x, VM_FAULT_SHIFT), 1);
    exploration_end(x);
}

static void test_bounds(void **state)
{
    (void)state;
    Exploration *x =
        explored(DECLS "global $array 40 align 4\nfn @main() -> 32 {\n" INPUT
                       "    %p = index $array, %x, scale 4\n    store.32 %p, 7, align 4\n"
                       "    %v = load.32 $array+12, align 4\n    %is = eq.32 %v, 7\n    br %is, ^y, ^n\n"
                       "^y:\n    ret 1:32\n^n:\n    ret 0:32\n}\n");
    expect(x, 3, 0); /* element 3, another, outside */
    assert_int_equal(exploration_faults(x, VM_FAULT_OOB_WRITE), 1);
    exploration_end(x);
}

static void test_pointers(void **state)
{
    (void)state;
    Exploration *x = explored(
        DECLS "global $a 4 align 4\nglobal $b 4 align 4\nglobal $c 4 align 4 constant\n"
              "global $all 32 align 8 {\n    0 $a\n    8 $b\n    16 $c\n}\n"
              "fn @main() -> 32 {\n" INPUT
              "    %i = and.32 %x, 3\n    %pp = index $all, %i, scale 8\n    %p = load.64 %pp, align 8\n"
              "    store.32 %p, 5, align 4\n    %va = load.32 $a, align 4\n    %vb = load.32 $b, align 4\n"
              "    %d = mul.32 %vb, 2\n    %r = add.32 %va, %d\n    ret %r\n}\n");
    expect(x, 4, 0); /* a, b, the constant, null */
    assert_int_equal(exploration_faults(x, VM_FAULT_NULL_DEREF), 1);
    assert_int_equal(exploration_faults(x, VM_FAULT_READ_ONLY), 1);
    int sum = 0;
    for (uint32_t i = 0; i < x->paths.n; i++)
        sum += x->paths.v[i].ending == VM_END_RETURN ? x->paths.v[i].status : 0;
    assert_int_equal(sum, 15);
    exploration_end(x);
}

/* A number as a pointer: any object, null, or nothing at all. */
static void test_wild(void **state)
{
    (void)state;
    Exploration *x =
        explored(DECLS "fn @main() -> 32 {\n^entry:\n    call @__sheaf_symbolic($x, 8:64, $name)\n"
                       "    %p = load.64 $x, align 8\n    %v = load.8 %p, align 1\n    ret 0:32\n}\n");
    assert_int_equal(exploration_faults(x, VM_FAULT_NULL_DEREF), 1);
    assert_true(exploration_faults(x, VM_FAULT_WILD) + exploration_faults(x, VM_FAULT_OOB_READ) >= 1);
    assert_int_equal(exploration_endings(x, VM_END_RETURN), 2); /* $name and $x */
    assert_int_equal(ledger_count(explore_ledger(x->explore)), 0);
    exploration_end(x);
}

static void test_sizes(void **state)
{
    (void)state;
    Exploration *x = explored(DECLS "fn @main() -> 32 {\n" INPUT ASSUME_BELOW(
        "5") "    %n = zext.64 %x\n    %p:64 = call @__sheaf_alloc(%n, 16:64, 1:32)\n"
             "    %v = load.8 %p, align 1\n    %q = offset %p, 3:64\n    store.8 %q, 1, align 1\n"
             "    call @__sheaf_free(%p)\n    ret %x\n}\n");
    expect(x, 5, 0);
    assert_int_equal(exploration_faults(x, VM_FAULT_OOB_READ), 1);  /* 0 */
    assert_int_equal(exploration_faults(x, VM_FAULT_OOB_WRITE), 3); /* 1, 2, 3 */
    exploration_end(x);
    x = explored(DECLS "fn @main() -> 32 {\n" INPUT ASSUME_BELOW(
        "1000") "    %n = zext.64 %x\n    %p:64 = call @__sheaf_alloc(%n, 16:64, 1:32)\n    ret %x\n}\n");
    expect(x, 33, 1); /* bounded, and the ledger says so */
    assert_int_equal(ledger_entry(explore_ledger(x->explore), 0)->kind, LEDGER_SIZE);
    exploration_end(x);
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static void test_stdin(void **state)
{
    (void)state;
    ExploreOptions o = exploration_options();
    o.symbolic.inputs.stdin_symbolic = true;
    o.symbolic.inputs.stdin_size = 3;
    /* through a pipe, so that bytes in files are seen to keep what they are */
    Exploration *x = exploration_of(
        DECLS
        "global $fds 8 align 4\nglobal $c 16 align 16\nfn @main() -> 32 {\n^entry:\n"
        "    %n:64 = call @__sheaf_read(0:32, $x, 10:64)\n    %e:32 = call @__sheaf_pipe($fds)\n"
        "    %r = load.32 $fds, align 4\n    %w = load.32 $fds+4, align 4\n"
        "    %m:64 = call @__sheaf_write(%w, $x, 3:64)\n    %k:64 = call @__sheaf_read(%r, $c, 10:64)\n"
        "    %a = load.8 $c+1, align 1\n    %is = eq.8 %a, 65\n    %n32 = trunc.32 %n\n    %k32 = trunc.32 "
        "%k\n"
        "    %both = add.32 %n32, %k32\n    br %is, ^y, ^no\n^y:\n    ret 1:32\n^no:\n    ret %both\n}\n",
        o);
    expect(x, 2, 0);
    assert_int_equal(x->paths.v[0].status, 6);
    assert_int_equal(x->paths.v[1].status, 1);
    exploration_end(x);
}

static void test_arguments(void **state)
{
    (void)state;
    ExploreOptions o = exploration_options();
    vec_push(&o.symbolic.inputs.args, (VmSymbolicArgs){1, 3, 2});
    Exploration *x = exploration_of(
        DECLS "fn @main(%argc:32, %argv:64) -> 32 {\n^entry:\n    %p = offset %argv, 24:64\n"
              "    %s = load.64 %p, align 8\n    %c = load.8 %s, align 1\n    %is = eq.8 %c, 45\n"
              "    br %is, ^y, ^n\n^y:\n    ret 0:32\n^n:\n    ret %argc\n}\n",
        o);
    expect(x, 6, 0); /* 4, 5 or 6 arguments (three are given), the first symbolic one a dash or not */
    assert_int_equal(exploration_endings(x, VM_END_RETURN), 6);
    exploration_end(x);
    vec_free(&o.symbolic.inputs.args);
}

static void test_entry(void **state)
{
    (void)state;
    ExploreOptions o = exploration_options();
    o.symbolic.inputs.entry = "f";
    /* f(p, q): *p = 1; *q = 2; return *p: null, apart, and the same */
    const char *text =
        DECLS "fn @main() -> 32 {\n^e:\n    ret 0:32\n}\n"
              "fn @f(%p:64, %q:64) -> 32 {\n^e:\n    store.32 %p, 1, align 4\n    store.32 %q, 2, align 4\n"
              "    %r = load.32 %p, align 4\n    ret %r\n}\n";
    Exploration *x = exploration_of(text, o);
    expect(x, 4, 0);
    assert_int_equal(exploration_faults(x, VM_FAULT_NULL_DEREF), 2);
    int sum = 0;
    for (uint32_t i = 0; i < x->paths.n; i++)
        sum += x->paths.v[i].ending == VM_END_RETURN ? x->paths.v[i].status : 0;
    assert_int_equal(sum, 3);
    exploration_end(x);
    o.symbolic.inputs.pointer_objects = 1;
    x = exploration_of(text, o);
    expect(x, 3, 1);
    assert_int_equal(ledger_entry(explore_ledger(x->explore), 0)->kind, LEDGER_OBJECTS);
    exploration_end(x);
}

/* A list: the object behind p has a pointer in turn. */
static void test_entry_list(void **state)
{
    (void)state;
    ExploreOptions o = exploration_options();
    o.symbolic.inputs.entry = "f";
    o.symbolic.inputs.pointer_objects = 2;
    Exploration *x = exploration_of(
        DECLS "fn @main() -> 32 {\n^e:\n    ret 0:32\n}\n"
              "fn @f(%p:64) -> 32 {\n^e:\n    %n = offset %p, 8:64\n    %q = load.64 %n, align 8\n"
              "    %m = offset %q, 8:64\n    %r = load.64 %m, align 8\n    %z = eq.64 %r, 0\n"
              "    br %z, ^y, ^no\n^y:\n    ret 1:32\n^no:\n    ret 2:32\n}\n",
        o);
    /* p null; p->next null; p->next = p (then it is not null); p->next fresh: its next null or not */
    expect(x, 5, 0);
    assert_int_equal(exploration_faults(x, VM_FAULT_NULL_DEREF), 2);
    exploration_end(x);
}

/* ---- output, wide values, uninitialised bits ------------------------------------------------- */

static void test_output(void **state)
{
    (void)state;
    Exploration *x =
        explored(DECLS "global $d 2 align 1 {\n    0 \"d\\00\"\n}\nfn @main() -> 32 {\n" INPUT ASSUME_BELOW(
            "1000") "    %n:64 = call @__sheaf_emit(1:32, $d, 0:64, -1:64, $x, 4:64)\n"
                    "    %o:64 = call @__sheaf_write(1:32, $x, 1:64)\n"
                    "    %bad = slt.64 %n, 0\n    br %bad, ^end, ^go\n"
                    "^go:\n    %big = ult.32 %x, 66\n    br %big, ^end, ^more\n"
                    "^more:\n    %is = eq.32 %x, 876\n    br %is, ^found, ^end\n"
                    "^found:\n    ret 1:32\n^end:\n    ret 0:32\n}\n");
    expect(x, 3, 0); /* printing forks nothing */
    /* rendered under each run's own input: 876 is 0x36c */
    assert_non_null(memmem(x->output.v, x->output.n, "876l", 4));
    exploration_end(x);
}

static void test_wide(void **state)
{
    (void)state;
    Exploration *x = explored(
        DECLS
        "fn @main() -> 32 {\n" INPUT
        "    %w = zext.128 %x\n    %m = mul.128 %w, 18446744073709551629\n    store.128 $x, %m, align 16\n"
        "    %l = load.128 $x, align 16\n    %h = lshr.128 %l, 64\n    %t = trunc.32 %h\n"
        "    %is = eq.32 %t, 1234567\n    br %is, ^y, ^n\n^y:\n    ret 1:32\n^n:\n    ret 0:32\n}\n");
    expect(x, 2, 0);
    exploration_end(x);
}

static void test_uninit(void **state)
{
    (void)state;
    ExploreOptions o = exploration_options();
    vm_check_by_word("uninit", &o.vm.checks);
    Exploration *x = exploration_of(
        DECLS
        "fn @main() -> 32 {\n^entry:\n    %p = alloca 8, align 8\n"
        "    call @__sheaf_symbolic(%p, 1:64, $name)\n    %v = load.16 %p, align 1\n"
        "    %low = and.16 %v, 3\n    %is = eq.16 %low, 2\n    br %is, ^y, ^n\n"
        "^y:\n    %whole = eq.16 %v, 2\n    br %whole, ^n, ^n2\n^n2:\n    ret 2:32\n^n:\n    ret 0:32\n}\n",
        o);
    assert_int_equal(explore_count(x->explore, EXPLORE_DIVERGED), 0);
    assert_true(exploration_faults(x, VM_FAULT_UNINIT) > 0); /* only where the other byte decides */
    assert_true(exploration_endings(x, VM_END_RETURN) > 0);
    exploration_end(x);
}

/* ---- snapshots and coverage ------------------------------------------------------------------ */

#define BITS_PROGRAM                                                                                     \
    DECLS                                                                                                \
    "fn @main() -> 32 {\n" INPUT "    jmp ^work\n"                                                       \
    "^work:\n    %k = phi.32 ^entry: 0, ^work: %k2\n    %k2 = add.32 %k, 1\n    %busy = ult.32 %k2, "    \
    "5000\n"                                                                                             \
    "    br %busy, ^work, ^start\n^start:\n    jmp ^loop\n"                                              \
    "^loop:\n    %i = phi.32 ^start: 0, ^next: %i2\n    %s = phi.32 ^start: 0, ^next: %s2\n"             \
    "    %sh = lshr.32 %x, %i\n    %bit = and.32 %sh, 1\n    %is = eq.32 %bit, 1\n    br %is, ^one, "    \
    "^next\n"                                                                                            \
    "^one:\n    %s1 = add.32 %s, 1\n    jmp ^next\n"                                                     \
    "^next:\n    %s2 = phi.32 ^loop: %s, ^one: %s1\n    %i2 = add.32 %i, 1\n    %more = ult.32 %i2, 7\n" \
    "    br %more, ^loop, ^end\n^end:\n    ret %s2\n}\n"

static void test_snapshots(void **state)
{
    (void)state;
    ExploreOptions o = exploration_options();
    const size_t budgets[] = {64 << 20, 20000, 1, 0};
    Exploration *first = NULL;
    for (size_t i = 0; i < COUNT_OF(budgets); i++) {
        o.symbolic.snapshot_bytes = budgets[i];
        Exploration *x = exploration_of(BITS_PROGRAM, o);
        expect(x, 128, 0);
        assert_true(vm_snapshot_bytes(explore_vm(x->explore)) <= budgets[i]);
        for (uint32_t k = 0; first && k < x->paths.n; k++)
            assert_true(x->paths.v[k].hash == first->paths.v[k].hash);
        if (i == 0) {
            assert_int_equal(explore_count(x->explore, EXPLORE_RESUMED), 127);
            assert_true(explore_count(x->explore, EXPLORE_STEPS) < 40000); /* the work before is done once */
            first = x;
            continue;
        }
        if (i == 3)
            assert_int_equal(explore_count(x->explore, EXPLORE_RESUMED), 0);
        exploration_end(x);
    }
    exploration_end(first);
}

static void test_coverage(void **state)
{
    (void)state;
    ExploreOptions o = exploration_options();
    o.max_runs = 1;
    o.patience = UINT32_MAX;
    Exploration *x = exploration_of(BITS_PROGRAM, o);
    VmCoverage c = vm_coverage(explore_vm(x->explore));
    assert_int_equal(c.blocks, 7);
    assert_int_equal(c.blocks_covered, 6); /* no bit is set in the first input */
    assert_int_equal(c.branches, 6);
    assert_int_equal(c.branches_covered, 5);
    assert_false(vm_block_covered(explore_vm(x->explore), ir_fn_find(x->program, "main"), 4));
    exploration_end(x);
    x = explored(BITS_PROGRAM);
    c = vm_coverage(explore_vm(x->explore));
    assert_int_equal(c.blocks_covered, 7);
    assert_int_equal(c.branches_covered, 6);
    exploration_end(x);
}

static void test_ledger(void **state)
{
    (void)state;
    Ledger *l = ledger_new();
    IrProgram *p = ir_program_new();
    uint32_t site = ir_site_add(p, "lex.c", 40, 3, "lex");
    Str text = {0};
    ledger_add(l, LEDGER_LOOP, site, " after %u iterations", 64u);
    ledger_add(l, LEDGER_LOOP, site, " after %u iterations", 64u);
    ledger_add(l, LEDGER_TIME, IR_NONE, NULL);
    assert_int_equal(ledger_count(l), 2);
    assert_int_equal(ledger_entry(l, 0)->count, 2);
    ledger_entry_text(ledger_entry(l, 0), p, &text);
    assert_string_equal(str_text(&text),
                        "lex.c:40:3: a loop was stopped after 64 iterations (2 times): --loop-bound");
    for (uint32_t i = 0; i < 30000; i++)
        ledger_add(l, LEDGER_POINTER, i, "%u", i);
    assert_true(ledger_count(l) <= 10000 + LEDGER_KIND_COUNT);
    str_free(&text);
    ir_program_free(p);
    ledger_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_switch),
        cmocka_unit_test(test_assume),
        cmocka_unit_test(test_call),
        cmocka_unit_test(test_loop_bound),
        cmocka_unit_test(test_loop_bound_around_calls),
        cmocka_unit_test(test_snapshots_of_large_objects),
        cmocka_unit_test(test_checks),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_wild),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_stdin),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_entry),
        cmocka_unit_test(test_entry_list),
        cmocka_unit_test(test_output),
        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_uninit),
        cmocka_unit_test(test_snapshots),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_ledger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
