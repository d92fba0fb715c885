/* test_vm_labels.c - labels rule by rule: what a value of one run depends on, as positions of the run's
 * decisions. */
#include "vm_text.h"

#include "flow/flow.h"

#define DECLS                                                                                               \
    "fn @__sheaf_symbolic(%p:64, %n:64, %name:64)\nfn @__sheaf_output(%p:64, %n:64, %name:64)\n"            \
    "fn @__sheaf_alloc(%n:64, %a:64, %z:32) -> 64\nfn @__sheaf_free(%p:64)\nfn @__sheaf_exit(%s:32) "       \
    "noreturn\n"                                                                                            \
    "fn @__sheaf_write(%fd:32, %p:64, %n:64) -> 64\n"                                                       \
    "global $name 2 align 1 {\n    0 \"x\\00\"\n}\nglobal $in 16 align 16\nglobal $g 4 align 4\nglobal $h " \
    "4 align 4\n"
/* %x, %y: 32 symbolic bits each, zero in the run; %cx, %cy: whether they are 0, which they are. */
#define INPUT                                                                                 \
    "^entry:\n    call @__sheaf_symbolic($in, 16:64, $name)\n    %x = load.32 $in, align 4\n" \
    "    %py = offset $in, 4\n    %y = load.32 %py, align 4\n    %cx = eq.32 %x, 0\n    %cy = eq.32 %y, 0\n"
#define SHOW(p) "    call @__sheaf_output(" p ", 4:64, $name)\n"

typedef struct Labelled {
    Arena *arena;
    IrProgram *program;
    VmEnvironment environment;
    Flow *flow;
    ExprPool *pool;
    Ledger *ledger;
    Vm *vm;
    ExprInput input;
    VmTrace *trace;
} Labelled;

static Labelled *labelled_within(const char *text, unsigned policy, uint32_t decisions)
{
    Labelled *l = mem_zalloc(sizeof *l);
    l->arena = arena_new();
    l->program = text_parse(l->arena, text);
    l->environment = text_environment();
    l->flow = flow_new(l->program, NULL);
    l->pool = expr_pool_new();
    l->ledger = ledger_new();
    l->vm = vm_new(l->program, &(VmOptions){.max_steps = 1000000});
    VmSymbolicOptions o = {.size_candidates = 8,
                           .pointer_candidates = 8,
                           .labels = true,
                           .flow = l->flow,
                           .policy = policy,
                           .max_decisions = decisions,
                           .verify = true};
    vm_symbolic(l->vm, l->pool, l->ledger, &l->environment, &o);
    l->trace = vm_run_input(l->vm, &l->input, NULL);
    return l;
}

static Labelled *labelled(const char *text, unsigned policy) { return labelled_within(text, policy, 0); }

static void end(Labelled *l)
{
    vm_trace_free(l->vm, l->trace);
    vm_free(l->vm);
    expr_input_free(&l->input);
    expr_pool_free(l->pool);
    ledger_free(l->ledger);
    flow_free(l->flow);
    ir_program_free(l->program);
    arena_free(l->arena);
    mem_free(l);
}

/* Members as digits, ascending. */
static void expect_label(const Labelled *l, VmLabel label, const char *want)
{
    Str text = {0};
    for (uint32_t i = expr_set_next(l->pool, label, 0); i != UINT32_MAX;
         i = expr_set_next(l->pool, label, i + 1))
        str_printf(&text, "%u", i);
    assert_string_equal(str_text(&text), want);
    str_free(&text);
}

static void expect_output(const Labelled *l, uint32_t i, const char *want)
{
    assert_true(i < l->trace->outputs.n);
    expect_label(l, l->trace->outputs.v[i].label, want);
}

static void expect_decisions(const Labelled *l, uint32_t n) { assert_int_equal(l->trace->decisions.n, n); }

/* ---- sets ------------------------------------------------------------------------------------ */

/* Labels are the expressions' sets of positions: against a plain array of bits. */
static void test_sets(void **state)
{
    (void)state;
    enum { SETS = 40, MOST = 300 };
    static bool plain[SETS][MOST];
    VmLabel set[SETS];
    ExprPool *p = expr_pool_new();
    Rng rng;
    rng_seed(&rng, 5);
    memset(plain, 0, sizeof plain);
    for (uint32_t i = 0; i < SETS; i++) {
        set[i] = EXPR_SET_EMPTY;
        for (uint32_t k = 0; k < 12; k++) {
            uint32_t at = (uint32_t)rng_below(&rng, MOST), other = i ? (uint32_t)rng_below(&rng, i) : 0;
            plain[i][at] = true;
            set[i] = expr_set_union(p, set[i], expr_set_of(p, at));
            for (uint32_t m = 0; k == 0 && i && m < MOST; m++)
                plain[i][m] |= plain[other][m];
            if (k == 0 && i)
                set[i] = expr_set_union(p, set[other], set[i]);
        }
    }
    for (uint32_t i = 0; i < SETS; i++)
        for (uint32_t k = 0; k < SETS; k++) {
            bool within = true;
            for (uint32_t m = 0; m < MOST; m++) {
                assert_int_equal(expr_set_has(p, set[i], m), plain[i][m]);
                within &= !plain[i][m] || plain[k][m];
            }
            assert_int_equal(expr_set_subset(p, set[i], set[k]), within);
            assert_int_equal(set[i].id == set[k].id, !memcmp(plain[i], plain[k], MOST));
        }
    expr_pool_free(p);
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* A phi takes the label of its branch; what comes after is free of it. */
static void test_registers(void **state)
{
    (void)state;
    Labelled *l =
        labelled(DECLS "fn @main() -> 32 {\n" INPUT "    br %cx, ^a, ^b\n^a:\n    jmp ^j\n^b:\n    jmp ^j\n"
                       "^j:\n    %v = phi.32 ^a: 1, ^b: 2\n    store.32 $g, %v, align 4\n" SHOW(
                           "$g") "    store.32 $h, 7, align 4\n" SHOW("$h") "    br %cy, ^c, ^d\n^c:\n    "
                                                                            "jmp ^d\n^d:\n    ret %v\n}\n",
                 0);
    expect_decisions(l, 2);
    expect_label(l, l->trace->decisions.v[1].label, "");
    expect_output(l, 0, "0");
    expect_output(l, 1, "");
    expect_label(l, l->trace->status_label, "0");
    end(l);
}

/* What the side that was not taken would have written; a later store kills it. */
static void test_potential(void **state)
{
    (void)state;
    Labelled *l = labelled(
        DECLS "fn @main() -> 32 {\n" INPUT
              "    br %cx, ^j, ^b\n^b:\n    store.32 $g, 2, align 4\n    jmp ^j\n"
              "^j:\n" SHOW("$g") SHOW("$h") "    store.32 $g, 3, align 4\n" SHOW("$g") "    ret 0:32\n}\n",
        0);
    expect_decisions(l, 1);
    expect_output(l, 0, "0");
    expect_output(l, 1, "");
    expect_output(l, 2, "");
    end(l);
}

/* A branch on a labelled number is a decision without an alternative; under a context that says so it is
 * none. */
static void test_forced(void **state)
{
    (void)state;
    Labelled *l = labelled(
        DECLS
        "fn @main() -> 32 {\n" INPUT "    br %cx, ^a, ^j\n"
        "^a:\n    %i = phi.32 ^entry: 0, ^a: %next\n    %next = add.32 %i, 1\n    %more = ult.32 %next, 5\n"
        "    br %more, ^a, ^j\n"
        "^j:\n    %n = phi.32 ^entry: 9, ^a: %next\n    %five = eq.32 %n, 5\n    br %five, ^c, ^d\n"
        "^c:\n    store.32 $g, 1, align 4\n    jmp ^d\n^d:\n" SHOW("$g") "    ret 0:32\n}\n",
        0);
    expect_decisions(l, 2); /* the loop under the branch decides nothing by itself */
    assert_true(l->trace->decisions.v[1].forced);
    assert_int_equal(l->trace->decisions.v[1].count, 0);
    expect_label(l, l->trace->decisions.v[1].label, "0");
    expect_output(l, 0, "01");
    end(l);
}

/* A store through a labelled address also depends on where it did not write. */
static void test_address(void **state)
{
    (void)state;
    Labelled *l =
        labelled(DECLS "fn @main() -> 32 {\n" INPUT "    br %cx, ^a, ^b\n^a:\n    jmp ^j\n^b:\n    jmp ^j\n"
                       "^j:\n    %p = phi.64 ^a: $g, ^b: $h\n    store.32 %p, 5, align 4\n" SHOW("$h")
                           SHOW("$g") "    store.32 $h, 1, align 4\n" SHOW("$h") "    ret 0:32\n}\n",
                 0);
    expect_decisions(l, 2);
    assert_int_equal(l->trace->decisions.v[1].kind, VM_DECISION_POINTER);
    expect_output(l, 0, "01");
    expect_output(l, 1, "01");
    expect_output(l, 2, "");
    end(l);
}

/* Whether the call comes back is a matter of the branch in it, if exits are tied. */
static const char *const early =
    DECLS "fn @may(%c:1) {\n^e:\n    br %c, ^back, ^leave\n"
          "^leave:\n    call @__sheaf_exit(3:32)\n    trap\n^back:\n    ret\n}\n"
          "fn @main() -> 32 {\n" INPUT
          "    call @may(%cx)\n    store.32 $g, 1, align 4\n" SHOW("$g") "    ret 0:32\n}\n";

static void test_early(void **state)
{
    (void)state;
    Labelled *l = labelled(early, FLOW_TIE_EXITS);
    expect_output(l, 0, "0");
    expect_label(l, l->trace->ending, "0");
    end(l);
    l = labelled(early, 0);
    expect_output(l, 0, "");
    end(l);
}

/* A longjmp hands its whole context over. */
static void test_longjmp(void **state)
{
    (void)state;
    Labelled *l = labelled(DECLS "global $buffer 200 align 16\n"
                                 "fn @jump(%c:1) {\n^e:\n    br %c, ^leave, ^back\n^leave:\n    longjmp "
                                 "$buffer, 1\n^back:\n    ret\n}\n"
                                 "fn @main() -> 32 {\n" INPUT
                                 "    %again = setjmp $buffer\n    %first = eq.32 %again, 0\n"
                                 "    br %first, ^go, ^j\n^go:\n    call @jump(%cx)\n    jmp ^j\n"
                                 "^j:\n    store.32 $g, 1, align 4\n" SHOW("$g") "    ret 0:32\n}\n",
                           0);
    expect_output(l, 0, "0");
    end(l);
}

/* That an object is gone is a matter of the branch that freed it: a fault there says so. */
static void test_state(void **state)
{
    (void)state;
    Labelled *l =
        labelled(DECLS "fn @main() -> 32 {\n" INPUT "    %p:64 = call @__sheaf_alloc(4:64, 16:64, 1:32)\n"
                       "    br %cx, ^a, ^j\n^a:\n    call @__sheaf_free(%p)\n    jmp ^j\n"
                       "^j:\n    store.32 %p, 1, align 4\n    ret 0:32\n}\n",
                 0);
    assert_int_equal(l->trace->result.ending, VM_END_FAULT);
    expect_label(l, l->trace->ending, "0");
    end(l);
}

/* The result of a call through a pointer depends on which function it was. */
static void test_call(void **state)
{
    (void)state;
    Labelled *l =
        labelled(DECLS "fn @one() -> 32 {\n^e:\n    store.32 $h, 1, align 4\n    ret 1:32\n}\n"
                       "fn @two() -> 32 {\n^e:\n    store.32 $g, 4, align 4\n    ret 2:32\n}\n"
                       "fn @main() -> 32 {\n" INPUT "    br %cx, ^a, ^b\n^a:\n    jmp ^j\n^b:\n    jmp ^j\n"
                       "^j:\n    %f = phi.64 ^a: @one, ^b: @two\n    %r:32 = callptr %f()\n" SHOW("$g")
                           SHOW("$h") "    ret %r\n}\n",
                 0);
    assert_int_equal(l->trace->decisions.v[1].kind, VM_DECISION_CALL);
    expect_output(l, 0, "01");
    expect_output(l, 1, "01");
    expect_label(l, l->trace->status_label, "01");
    end(l);
}

/* Whether a call through a pointer comes back depends on which function it was, and so does all that
 * follows. */
static void test_call_leaves(void **state)
{
    (void)state;
    static const char text[] =
        DECLS "fn @one() {\n^e:\n    ret\n}\n"
              "fn @two() {\n^e:\n    call @__sheaf_exit(1:32)\n    unreachable\n}\n"
              "fn @main() -> 32 {\n" INPUT "    br %cx, ^a, ^b\n^a:\n    jmp ^j\n^b:\n    jmp ^j\n"
              "^j:\n    %f = phi.64 ^a: @one, ^b: @two\n    callptr %f()\n    jmp ^k\n"
              "^k:\n    store.32 $g, 1, align 4\n" SHOW("$g") "    ret 0:32\n}\n";
    Labelled *l = labelled(text, FLOW_TIE_EXITS);
    expect_output(l, 0, "01");
    end(l);
    l = labelled(text, 0);
    expect_output(l, 0, "");
    end(l);
}

/* A byte takes what may have been written there when it is touched; a store to another byte neither takes nor
 * kills it. */
static void test_bytes(void **state)
{
    (void)state;
    Labelled *l = labelled(
        DECLS "global $block 200 align 16\nfn @main() -> 32 {\n" INPUT
              "    %at = offset $block, 100\n    store.8 %at, 1, align 1\n"
              "    br %cx, ^a, ^j\n^a:\n    store.32 %at, 1, align 1\n    jmp ^j\n"
              "^j:\n    store.8 %at, 7, align 1\n    %next = offset $block, 101\n"
              "    call @__sheaf_output(%at, 1:64, $name)\n    call @__sheaf_output(%next, 1:64, $name)\n"
              "    br %cy, ^b, ^k\n^b:\n    store.8 %next, 1, align 1\n    jmp ^k\n"
              "^k:\n    call @__sheaf_output(%at, 1:64, $name)\n    call @__sheaf_output(%at, 4:64, $name)\n"
              "    ret 0:32\n}\n",
        0);
    expect_output(l, 0, "");
    expect_output(l, 1, "0");
    expect_output(l, 2, "");
    expect_output(l, 3, "01");
    end(l);
}

/* Shows four bytes of $block through a load, the k-th. */
static void show_at(Str *text, unsigned k, unsigned at)
{
    str_printf(text,
               "    %%p%u = offset $block, %u\n    %%v%u = load.32 %%p%u, align 1\n    store.32 $g, %%v%u, "
               "align 4\n",
               k, at, k, k, k);
    str_add(text, SHOW("$g"));
}

/* Two branches may write four bytes each, the first one at the beginning. Shown are bytes around those of the
 * second. If the object was touched in between it has labels of its own by then, not one for all. */
static Labelled *labelled_at(unsigned at, bool touched)
{
    const unsigned shown[] = {at - 4, at - 2, at, at + 4, 6000, 0};
    Str text = {0};
    str_add(&text, DECLS "global $block 8192 align 16\nfn @main() -> 32 {\n" INPUT);
    str_add(&text, "    br %cx, ^j, ^a\n^a:\n    store.32 $block, 1, align 4\n    jmp ^j\n^j:\n");
    if (touched)
        str_add(&text, "    %first = load.32 $block, align 4\n    store.32 $h, %first, align 4\n");
    str_printf(&text,
               "    br %%cy, ^k, ^b\n^b:\n    %%there = offset $block, %u\n    store.32 %%there, 1, align "
               "1\n    jmp ^k\n^k:\n",
               at);
    for (unsigned i = 0; i < COUNT_OF(shown); i++)
        show_at(&text, i, shown[i]);
    str_add(&text, "    ret 0:32\n}\n");
    Labelled *l = labelled(str_text(&text), 0);
    str_free(&text);
    return l;
}

/* Of the bytes up to NAMED_MOST (label_log.c) it is known one by one whether a branch may write them, of
 * those behind it is not: labels are the same on either side, and across. */
static void test_named(void **state)
{
    static const unsigned at[] = {64,   124,  126,  4080, 4088, 4092, 4093,
                                  4094, 4095, 4096, 4098, 4156, 4158, 8184};
    (void)state;
    for (unsigned i = 0; i < 2 * COUNT_OF(at); i++) {
        Labelled *l = labelled_at(at[i / 2], i % 2);
        expect_decisions(l, 2);
        expect_output(l, 0, "");
        expect_output(l, 1, "1");
        expect_output(l, 2, "1");
        expect_output(l, 3, "");
        expect_output(l, 4, "");
        expect_output(l, 5, "0");
        end(l);
    }
}

/* A run that has no room for a decision ends: what came after would lack it. */
static void test_room(void **state)
{
    (void)state;
    Labelled *l =
        labelled_within(DECLS "fn @main() -> 32 {\n" INPUT "    br %cx, ^a, ^a2\n^a:\n    jmp ^a2\n"
                              "^a2:\n    br %cy, ^b, ^b2\n^b:\n    store.32 $g, 1, align 4\n    jmp ^b2\n"
                              "^b2:\n" SHOW("$g") "    ret 0:32\n}\n",
                        0, 1);
    assert_int_equal(l->trace->result.ending, VM_END_LIMIT);
    assert_int_equal(l->trace->result.limit, LEDGER_DEPTH);
    expect_decisions(l, 1);
    assert_int_equal(l->trace->outputs.n, 0);
    end(l);
}

/* Where the steps end, a comparison may not have been made yet: its place has what another function left
 * there. */
static void test_steps(void **state)
{
    (void)state;
    Labelled *l = labelled(
        DECLS
        "fn @dirty(%a:32) {\n^e:\n    %b = add.32 %a, 1\n    %c = add.32 %b, %a\n"
        "    %d = add.32 %c, %b\n    store.32 $h, %d, align 4\n    ret\n}\n"
        "fn @spin(%n:8) {\n^e:\n    jmp ^l\n^l:\n    %m = load.8 $name, align 1\n    %more = ne.8 %m, %n\n"
        "    br %more, ^l, ^d\n^d:\n    ret\n}\n"
        "fn @main() -> 32 {\n" INPUT "    br %cx, ^a, ^j\n^a:\n    store.32 $g, 1, align 4\n    jmp ^j\n"
        "^j:\n    %v = load.32 $g, align 4\n    call @dirty(%v)\n    call @spin(1:8)\n    ret 0:32\n}\n",
        0);
    assert_int_equal(l->trace->result.ending, VM_END_LIMIT);
    expect_label(l, l->trace->ending, "");
    end(l);
}

/* A comparison is part of its branch as long as the steps before it can be told in the code; behind many it
 * stands by itself, and is known as the instruction that it is. */
static void test_long_block(void **state)
{
    Str text = {0};
    (void)state;
    str_add(&text, DECLS "fn @main() -> 32 {\n" INPUT "    %v0 = add.32 %x, 1\n");
    for (unsigned i = 1; i < 5000; i++)
        str_printf(&text, "    %%v%u = xor.32 %%v%u, %u\n", i, i - 1, i);
    str_add(&text,
            "    %c = eq.32 %v4999, 7\n    br %c, ^a, ^b\n^a:\n    store.32 $g, 1, align 4\n    jmp ^b\n"
            "^b:\n" SHOW("$g") "    ret 0:32\n}\n");
    Labelled *l = labelled(str_text(&text), 0);
    assert_int_equal(l->trace->result.ending, VM_END_RETURN);
    assert_int_equal(l->trace->decisions.n, 1);
    assert_int_equal(l->trace->decisions.v[0].kind, VM_DECISION_BRANCH);
    expect_output(l, 0, "0");
    end(l);
    str_free(&text);
}

/* "Printed nothing" depends on the branch too. */
static void test_stream(void **state)
{
    (void)state;
    Labelled *l = labelled(DECLS "fn @main() -> 32 {\n" INPUT "    br %cx, ^j, ^b\n"
                                 "^b:\n    %n:64 = call @__sheaf_write(1:32, $name, 1:64)\n    jmp ^j\n"
                                 "^j:\n    %m:64 = call @__sheaf_write(1:32, $name, 1:64)\n    ret 0:32\n}\n",
                           0);
    assert_int_equal(l->trace->outputs.n, 1);
    expect_output(l, 0, "");
    expect_label(l, l->trace->streams[1], "0");
    end(l);
}

/* How long something is that was printed depends on what it says; whether it was taken does not. And the
 * trace has a place for a text that is empty in this run. */
static void test_printing(void **state)
{
    (void)state;
    Labelled *l = labelled(
        DECLS "fn @__sheaf_put(%fd:32, %p:64, %n:64) -> 64\nfn @__sheaf_sent(%fd:32) -> 64\n"
              "fn @__sheaf_emit(%fd:32, %s:64, %w:64, %pr:64, %v:64, %n:64) -> 64\n"
              "global $d 2 align 1 {\n    0 \"d\\00\"\n}\n"
              "fn @main() -> 32 {\n" INPUT "    br %cx, ^j, ^b\n^b:\n    jmp ^j\n"
              "^j:\n    %n = phi.64 ^entry: 0, ^b: 1\n    %v = trunc.32 %n\n"
              "    store.32 $g, %v, align 4\n"
              "    %m:64 = call @__sheaf_emit(1:32, $d, 0:64, -1:64, $g, 4:64)\n"
              "    %s:64 = call @__sheaf_sent(1:32)\n    %e:64 = call @__sheaf_put(1:32, $name, %n)\n"
              "    %k:64 = call @__sheaf_put(1:32, $name, 1:64)\n"
              "    %m4 = trunc.32 %m\n    store.32 $h, %m4, align 4\n" SHOW(
                  "$h") "    %s4 = trunc.32 %s\n    "
                        "store.32 $h, %s4, align "
                        "4\n" SHOW("$h") "    %e4 = "
                                         "trunc.32 %e\n  "
                                         "  store.32 $h, "
                                         "%e4, align "
                                         "4\n" SHOW("$h") "    "
                                                          "ret "
                                                          "0:"
                                                          "32\n}"
                                                          "\n",
        0);
    expect_decisions(l, 2); /* the second: how far the empty text is read */
    expect_output(l, 0, "0");
    expect_output(l, 1, "01");
    assert_int_equal(l->trace->outputs.v[1].n, 0);
    expect_output(l, 2, "");
    expect_output(l, 3, "0");
    expect_output(l, 4, "");
    expect_output(l, 5, "");
    end(l);
}

/* ---- what the code around a call knows of it ------------------------------------------------- */

/* A store through a parameter might have gone where this call's argument may point, not where other calls'
 * may: a run without this call has nothing to say of those. */
static void test_other_callers(void **state)
{
    (void)state;
    Labelled *l =
        labelled(DECLS "global $k 4 align 4\n"
                       "fn @deeper(%p:64) {\n^e:\n    store.32 %p, 1, align 4\n    ret\n}\n"
                       "fn @set(%p:64) {\n^e:\n    call @deeper(%p)\n    ret\n}\n"
                       "fn @main() -> 32 {\n" INPUT "    %p = select.64 %cy, $g, $h\n    br %cx, ^a, ^b\n"
                       "^a:\n    call @set(%p)\n    jmp ^b\n"
                       "^b:\n" SHOW("$k") SHOW("$h") "    call @set($k)\n    ret 0:32\n}\n",
                 0);
    expect_output(l, 0, "");
    expect_output(l, 1, "01");
    end(l);
}

/* The same of a function that the table describes, whose body is called with addresses that may be
 * anything. */
static void test_described(void **state)
{
    (void)state;
    Labelled *l = labelled(
        DECLS
        "global $k 4 align 4\nfn @bzero(%p:64, %n:64) runtime {\n^e:\n    %s = alloca 8:64, align 8\n"
        "    store.64 %s, %p, align 8\n    %q = load.64 %s, align 8\n    store.32 %q, 0, align 4\n    "
        "ret\n}\n"
        "fn @main() -> 32 {\n" INPUT "    %p = select.64 %cy, $g, $h\n    br %cx, ^a, ^b\n"
        "^a:\n    call @bzero(%p, 4:64)\n    jmp ^b\n"
        "^b:\n" SHOW("$k")
            SHOW("$h") "    br %cy, ^c, ^d\n^d:\n    %at = offset $in, 8\n"
                       "    %any = load.64 %at, align 8\n    call @bzero(%any, 4:64)\n    jmp ^c\n^c:\n" SHOW(
                           "$k") "    ret 0:32\n}\n",
        0);
    expect_decisions(l, 3);
    expect_output(l, 0, "");
    expect_output(l, 1, "01");
    expect_output(l, 2, "2");
    end(l);
}

/* But anything is also what the body keeps in its own frame. */
static void test_described_frame(void **state)
{
    (void)state;
    Labelled *l = labelled(
        DECLS "fn @bzero(%p:64, %n:64) runtime {\n^e:\n    %s = alloca 8:64, align 8\n"
              "    %own = alloca 4:64, align 4\n    store.32 %own, 3, align 4\n"
              "    %at = offset $in, 4\n    %y = load.32 %at, align 4\n    %c = eq.32 %y, 0\n"
              "    %to = select.64 %c, %p, %own\n    store.64 %s, %to, align 8\n"
              "    %q = load.64 %s, align 8\n    store.32 %q, 0, align 4\n" SHOW(
                  "%own") "    ret\n}\n"
                          "fn @main() -> 32 {\n" INPUT "    call @bzero($g, 4:64)\n" SHOW(
                              "$h") "    br %cx, ^c, ^d\n^d:\n    %at = offset $in, 8\n    %any = load.64 "
                                    "%at, align 8\n"
                                    "    call @bzero(%any, 4:64)\n    jmp ^c\n^c:\n    ret 0:32\n}\n",
        0);
    expect_output(l, 0, "0");
    expect_output(l, 1, "");
    end(l);
}

/* Whether such a function comes back is also the table's to say. */
static void test_described_ends(void **state)
{
    (void)state;
    Labelled *l = labelled(
        DECLS
        "fn @puts(%p:64) -> 32 runtime {\n^e:\n    %v = load.32 %p, align 4\n    %c = eq.32 %v, 5\n"
        "    br %c, ^out, ^on\n^out:\n    call @__sheaf_exit(1:32)\n    unreachable\n^on:\n    ret %v\n}\n"
        "fn @main() -> 32 {\n" INPUT "    br %cx, ^a, ^b\n^a:\n    %r:32 = call @puts($in)\n    jmp ^b\n"
        "^b:\n" SHOW("$g") "    ret 0:32\n}\n",
        FLOW_TIE_EXITS);
    expect_decisions(l, 2);
    expect_output(l, 0, "");
    expect_label(l, l->trace->ending, "");
    end(l);
}

/* Activations and iterations can be read back. */
static void test_paths(void **state)
{
    (void)state;
    Labelled *l = labelled(
        DECLS "fn @f(%c:1) {\n^e:\n    br %c, ^a, ^b\n^a:\n    jmp ^b\n^b:\n    ret\n}\n"
              "fn @main() -> 32 {\n" INPUT "    jmp ^loop\n"
              "^loop:\n    %i = phi.32 ^entry: 0, ^loop: %next\n    call @f(%cx)\n    %next = add.32 %i, 1\n"
              "    %more = ult.32 %next, 3\n    br %more, ^loop, ^end\n^end:\n    ret 0:32\n}\n",
        0);
    expect_decisions(l, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const VmPath *path = vm_path(l->vm, l->trace->decisions.v[i].path);
        assert_int_equal(path->nloops, 1);
        assert_int_equal(path->loops[0].count, i);
        expect_label(l, l->trace->decisions.v[i].label, "");
    }
    end(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),           cmocka_unit_test(test_registers),
        cmocka_unit_test(test_potential),      cmocka_unit_test(test_forced),
        cmocka_unit_test(test_address),        cmocka_unit_test(test_early),
        cmocka_unit_test(test_longjmp),        cmocka_unit_test(test_state),
        cmocka_unit_test(test_call),           cmocka_unit_test(test_stream),
        cmocka_unit_test(test_printing),       cmocka_unit_test(test_paths),
        cmocka_unit_test(test_call_leaves),    cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_named),          cmocka_unit_test(test_room),
        cmocka_unit_test(test_other_callers),  cmocka_unit_test(test_described),
        cmocka_unit_test(test_described_ends), cmocka_unit_test(test_described_frame),
        cmocka_unit_test(test_steps),          cmocka_unit_test(test_long_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
