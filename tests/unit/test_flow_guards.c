/* test_flow_guards.c - branches that guard sinks: what may fail, what is shown, dead ends, loops, calls,
 * policies. */
#include "test_flow_util.h"

#define HEAD                                                                                        \
    "global $x 16 align 8\nglobal $far 16 align 8 extern\nglobal $text 4 align 1 constant {\n 0 "   \
    "\"abc\\00\"\n}\n"                                                                              \
    "fn @strlen(%p:64) -> 64\nfn @putchar(%c:32) -> 32\nfn @puts(%p:64) -> 32\nfn @input() -> 32\n" \
    "global $open 2 align 1 constant {\n 0 \"ab\"\n}\nfn @memchr(%p:64, %c:32, %n:64) -> 64\n"      \
    "fn @strchr(%p:64, %c:32) -> 64\nfn @free(%p:64)\nfn @malloc_usable_size(%p:64) -> 64\n"        \
    "fn @qsort(%b:64, %n:64, %s:64, %f:64)\nfn @__sheaf_abort()\nfn @__sheaf_exit(%s:32)\n"

static bool guards_at(const Case *c, const FlowGuardOptions *options, uint32_t line)
{
    FlowGuardOptions defaults = {0};
    FlowGuards *g = flow_guards_new(c->flow, options ? options : &defaults);
    FlowSite at = on_line(c, line);
    bool first = flow_guards(g, at.fn, at.block), again = flow_guards(g, at.fn, at.block);
    assert_int_equal(first, again); /* kept answers are those that were given */
    flow_guards_free(g);
    return first;
}

/* Functions are looked at when they are asked for: whatever was asked for before, the answer is the same. */
static void expect_any_order(const Case *c, const FlowGuardOptions *options)
{
    FlowGuardOptions defaults = {0};
    uint32_t n = c->program->fns.n;
    for (uint32_t first = 0; first < n; first++) {
        FlowGuards *g = flow_guards_new(c->flow, options ? options : &defaults);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t f = (first + i) % n;
            for (uint32_t b = 0; b < c->program->fns.v[f].blocks.n; b++) {
                FlowGuards *alone = flow_guards_new(c->flow, options ? options : &defaults);
                assert_int_equal(flow_guards(g, f, b), flow_guards(alone, f, b));
                flow_guards_free(alone);
            }
        }
        flow_guards_free(g);
    }
}

/* Which of the branches on lines 1 to 9 guard something: "1 3". */
static void expect_guards(const Case *c, const FlowGuardOptions *options, const char *wanted)
{
    Str text = {0};
    for (uint32_t line = 1; line < 10; line++)
        for (uint32_t f = 0; f < c->program->fns.n; f++)
            for (uint32_t b = 0; b < c->program->fns.v[f].blocks.n; b++) {
                uint32_t site = vec_last(&c->program->fns.v[f].blocks.v[b].insns).site;
                if (site != IR_NONE && c->program->sites.v[site].line == line && guards_at(c, options, line))
                    str_printf(&text, "%s%u", text.n ? " " : "", line);
            }
    assert_string_equal(str_text(&text), wanted);
    expect_any_order(c, options);
    str_free(&text);
}

/* ---- what may fail --------------------------------------------------------------------------- */

typedef struct Row {
    const char *body; /* runs if the branch on line 1 says so */
    bool guards;
    unsigned checks, sinks;
} Row;

/* %x and %n are inputs, %p is a parameter that may point to $x, %l a local of 8 bytes. */
static Case row_case(const char *body)
{
    Str text = {0};
    str_add(&text, HEAD "fn @cmp(%a:64, %b:64) -> 32 {\n^e:\n ret 0:32\n}\n"
                        "fn @f(%x:32, %n:64, %p:64) -> 32 {\n^e:\n %l = alloca 8, align 8 fixed\n"
                        " %c = slt.32 3, %x\n"
                        " br %c, ^a, ^j !1\n^a:\n");
    str_add(&text, body);
    str_add(&text, " jmp ^j\n^j:\n ret 0:32\n}\n"
                   "fn @main() -> 32 {\n^e:\n %x:32 = call @input()\n %n = zext.64 %x\n"
                   " %r:32 = call @f(%x, %n, $x)\n ret 0:32\n}\n");
    Case c = open_case(str_text(&text));
    str_free(&text);
    return c;
}

static void expect_rows(const Row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        Case c = row_case(rows[i].body);
        FlowGuardOptions options = {.checks = rows[i].checks, .sinks = rows[i].sinks};
        if (guards_at(&c, &options, 1) != rows[i].guards)
            fail_msg("row %u, %s:%s", (unsigned)i, rows[i].guards ? "guards nothing" : "guards a sink",
                     rows[i].body);
        close_case(&c);
    }
}

static void accesses(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"", false},
        {" store.32 $x, 1, align 4\n", false},
        {" store.32 $x+12, 1, align 4\n", false},
        {" store.32 $x+13, 1, align 1\n", true},
        {" store.8 $x+16, 1, align 1\n", true},
        {" store.8 $x-1, 1, align 1\n", true},
        {" %v = load.64 $x+8, align 8\n", false},
        {" %v = load.64 $x+9, align 1\n", true},
        {" %v = load.1 $x+15, align 1\n", false}, /* a bit is a byte of memory */
        {" %v = load.1 $x+16, align 1\n", true},
        {" %q = offset $x, 12\n store.32 %q, 1, align 4\n", false},
        {" %q = offset $x, 13\n store.32 %q, 1, align 1\n", true},
        {" %q = offset $x, -1\n store.8 %q, 1, align 1\n", true},
        {" %q = offset $x+8, -8\n store.8 %q, 1, align 1\n", false},
        {" %q = offset $x, 20\n %r = offset %q, -8\n store.32 %r, 1, align 4\n", false},
        {" %q = index $x, 3:32, scale 4\n store.32 %q, 1, align 4\n", false},
        {" %q = index $x, 4:32, scale 4\n store.32 %q, 1, align 4\n", true},
        {" %q = index $x, -1:32, scale 4\n store.32 %q, 1, align 4\n", true},
        {" %q = index $x, %x, scale 4\n store.32 %q, 1, align 4\n", true},
        {" %q = offset $x, %n\n %v = load.8 %q, align 1\n", true},
        {" store.64 %l, 1, align 8\n", false},
        {" %q = offset %l, 1\n store.64 %q, 1, align 1\n", true},
        {" dead %l\n", true},
        {" store.8 %p, 1, align 1\n", true},
        {" store.8 0:64, 1, align 1\n", true},
        {" %v = load.8 @f, align 1\n", true},
        {" %v = load.8 $text+3, align 1\n", false},
        {" store.8 $text, 1, align 1\n", true}, /* a constant */
        {" %v = load.8 $far, align 1\n", true}, /* its size is not known */
        {" memset $x, 0, 16\n", false},
        {" memset $x, 0, 17\n", true},
        {" memset $x, 0, %n\n", true},
        {" memset $text, 0, 1\n", true},
        {" memcpy $x, $x+8, 8\n", false},
        {" memcpy $x, $x+7, 8\n", true}, /* overlap */
        {" memmove $x, $x+7, 8\n", false},
        {" memcpy $x, $x+9, 8\n", true},
        {" memcpy $x, %p, 8\n", true},
        {" memcpy $x, $x+8, %n\n", true},
        {" %v = alloca %n, align 8\n", true},
        {" %s = stacksave\n", false},
    };
    expect_rows(rows, COUNT_OF(rows));
}

/* A local that may die before its frame does is not known to be there, wherever it dies. */
static void locals_that_die(void **state)
{
    (void)state;
    static const char *const dies[] = {"", " dead %l\n", " %s = stacksave\n stackrestore %s\n"};
    for (size_t i = 0; i < COUNT_OF(dies); i++) {
        Str text = {0};
        str_printf(&text,
                   "fn @main(%%x:32) -> 32 {\n^e:\n %%l = alloca 8, align 8 fixed\n"
                   "%s %%c = slt.32 3, %%x\n br %%c, ^a, ^j !1\n"
                   "^a:\n store.8 %%l, 1, align 1\n jmp ^j\n^j:\n ret 0:32\n}\n",
                   dies[i]);
        Case c = open_case(str_text(&text));
        assert_int_equal(guards_at(&c, NULL, 1), i != 0);
        close_case(&c);
        str_free(&text);
    }
}

/* Where the locals of all functions may be too large for the stack, entering one may fail. */
static void large_locals(void **state)
{
    (void)state;
    for (uint32_t large = 0; large < 2; large++) {
        Str text = {0};
        str_printf(&text,
                   "fn @big() {\n^e:\n %%l = alloca %s, align 8 fixed\n ret\n}\n"
                   "fn @also() {\n^e:\n %%l = alloca 600000, align 8 fixed\n ret\n}\n"
                   "fn @main(%%x:32) -> 32 {\n^e:\n %%c = slt.32 3, %%x\n br %%c, ^a, ^j !1\n"
                   "^a:\n call @big()\n jmp ^j\n"
                   "^j:\n br %%c, ^b, ^k !2\n^b:\n jmp ^k\n^k:\n call @also()\n ret 0:32\n}\n",
                   large ? "600000" : "400000");
        Case c = open_case(str_text(&text));
        expect_guards(&c, NULL, large ? "1" : "");
        close_case(&c);
        str_free(&text);
    }
}

static void operators(void **state)
{
    (void)state;
    static const Row rows[] = {
        {" %v = udiv.32 7, 3\n", false},
        {" %v = sdiv.32 %x, 3\n", false},
        {" %v = srem.32 %x, 0\n", true},
        {" %v = sdiv.32 %x, -1\n", true}, /* the least number by it does not fit */
        {" %v = srem.32 %x, -1\n", true},
        {" %v = sdiv.64 %n, 0xffffffff\n", false},
        {" %v = urem.32 7, %x\n", true},
        {" %v = add.32 %x, 1 nsw\n", false},
        {" %v = add.32 %x, 1 nsw\n", true, FLOW_CHECK_OVERFLOW},
        {" %v = sub.32 %x, 1 nsw\n", true, FLOW_CHECK_OVERFLOW},
        {" %v = mul.32 %x, 3 nsw\n", true, FLOW_CHECK_OVERFLOW},
        {" %v = add.32 %x, 1\n", false, FLOW_CHECK_OVERFLOW}, /* unsigned in C */
        {" %v = add.32 %x, 1 nsw\n", false, FLOW_CHECK_SHIFT | FLOW_CHECK_UNINIT | FLOW_CHECK_LEAK},
        {" %v = shl.32 %x, 3\n", false},
        {" %v = shl.32 %x, 3\n", true, FLOW_CHECK_SHIFT},
        {" %v = lshr.32 %x, 3\n", true, FLOW_CHECK_SHIFT},
        {" %v = ashr.32 %x, 3\n", true, FLOW_CHECK_SHIFT},
        {" %v = shl.32 %x, 3 nsw\n", true, FLOW_CHECK_OVERFLOW},
        {" %v = lshr.32 %x, 3\n", false, FLOW_CHECK_OVERFLOW},
        {" %v = select.32 %c, %x, 1\n", false, FLOW_CHECK_UNINIT},
        {" br %c, ^b, ^b\n^b:\n", false},
        {" br %c, ^b, ^b\n^b:\n", true, FLOW_CHECK_UNINIT}, /* what decides must be initialised */
        {" switch.32 %x, [1 -> ^b], ^b\n^b:\n", false},
        {" switch.32 %x, [1 -> ^b], ^b\n^b:\n", true, FLOW_CHECK_UNINIT},
        {" goto @f^2, [^b]\n^b:\n", true},
    };
    expect_rows(rows, COUNT_OF(rows));
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void described_functions(void **state)
{
    (void)state;
    static const Row rows[] = {
        {" %v:64 = call @strlen($text)\n", false},
        {" %v:64 = call @strlen($x)\n", true},
        {" %v:64 = call @strlen(%p)\n", true},
        {" %v:64 = call @strlen(%n)\n", true}, /* a number may be no pointer */
        {" %v:64 = call @memchr($text, %x, 3:64)\n", false},
        {" %v:64 = call @memchr($text, 1:32, %n)\n", true}, /* and a text too short */
        {" %v:64 = call @strchr($text, %x)\n", false},
        {" %v:64 = call @strchr($open, %x)\n", true},
        {" call @free(0:64)\n", false},
        {" call @free(%n)\n", true},
        {" %v:64 = call @malloc_usable_size(%n)\n", true},
        {" %v:32 = call @putchar(%x)\n", false},
        {" %v:32 = call @puts($text)\n", false},
        {" %v:32 = call @puts(%l)\n", true},
        {" %v:32 = call @putchar(%x)\n", true, FLOW_CHECK_UNINIT},
        {" %v:32 = call @putchar(%x)\n", true, 0, FLOW_SINK_FAULTS | FLOW_SINK_OUTPUTS},
        {" %v:64 = call @strlen($text)\n", false, 0, FLOW_SINK_FAULTS | FLOW_SINK_OUTPUTS},
        {" %v:32 = call @input()\n", false},               /* declared, no more: comes back */
        {" call @qsort($text, 1:64, 1:64, @cmp)\n", true}, /* calls back */
        {" %v:32 = callptr @cmp($x, $x)\n", true},         /* may be no function */
        {" call @__sheaf_abort()\n", true},
        {" %v = add.32 %x, 1\n", true, 0, FLOW_SINK_ALL},
    };
    expect_rows(rows, COUNT_OF(rows));
}

static bool only_input(const char *name) { return !strcmp(name, "input"); }

/* Of a function that is neither defined nor in a table it is not known whether it fails. */
static void unknown_functions(void **state)
{
    (void)state;
    Case c = open_case("fn @input() -> 32\nfn @other() -> 32\nfn @main(%x:32) -> 32 {\n^e:\n"
                       " %c = slt.32 3, %x\n br %c, ^a, ^j !1\n"
                       "^a:\n %v:32 = call @input()\n jmp ^j\n^j:\n br %c, ^b, ^k !2\n^b:\n"
                       " %w:32 = call @other()\n jmp ^k\n^k:\n ret 0:32\n}\n");
    expect_guards(&c, NULL, "");
    flow_slices_free(c.slices);
    flow_free(c.flow);
    c.flow = flow_new(c.program, &(FlowOptions){.entry = IR_NONE, .known = only_input});
    c.slices = flow_slices_new(c.flow, NULL);
    expect_guards(&c, NULL, "2");
    close_case(&c);
}

/* Where there are pipes, printing may raise a signal whose handler fails. */
static void pipes(void **state)
{
    (void)state;
    for (uint32_t made = 0; made < 2; made++) {
        Str text = {0};
        str_printf(
            &text,
            "fn @putchar(%%c:32) -> 32\nfn @__sheaf_pipe(%%p:64) -> 32\nglobal $x 8 align 8\nfn "
            "@main(%%x:32) -> 32 {\n"
            "^e:\n%s %%c = slt.32 3, %%x\n br %%c, ^a, ^j !1\n^a:\n %%v:32 = call @putchar(%%x)\n jmp ^j\n"
            "^j:\n ret 0:32\n}\n",
            made ? " %r:32 = call @__sheaf_pipe($x)\n" : "");
        Case c = open_case(str_text(&text));
        expect_guards(&c, NULL, made ? "1" : "");
        close_case(&c);
        str_free(&text);
    }
}

/* A caller of a function with a sink holds one, through any number of calls, and in a circle. */
static void functions_with_sinks(void **state)
{
    (void)state;
    Case c = open_case(HEAD "fn @fails(%p:64) {\n^e:\n store.8 %p, 1, align 1\n ret\n}\n"
                            "fn @middle(%p:64) {\n^e:\n call @fails(%p)\n ret\n}\n"
                            "fn @clean(%x:32) -> 32 {\n^e:\n %v = add.32 %x, 1\n ret %v\n}\n"
                            "fn @even(%x:32) -> 32 {\n^e:\n %c = eq.32 %x, 0\n br %c, ^z, ^n !4\n^z:\n"
                            " ret 1:32\n^n:\n %y = sub.32 %x, 1\n %v:32 = call @odd(%y)\n ret %v\n}\n"
                            "fn @odd(%x:32) -> 32 {\n^e:\n %c = eq.32 %x, 0\n br %c, ^z, ^n !5\n^z:\n"
                            " ret 0:32\n^n:\n %y = sub.32 %x, 1\n %v:32 = call @even(%y)\n ret %v\n}\n"
                            "fn @deep(%x:32, %p:64) -> 32 {\n^e:\n %c = eq.32 %x, 0\n br %c, ^z, ^n !6\n"
                            "^z:\n store.8 %p, 1, align 1\n ret 0:32\n"
                            "^n:\n %y = sub.32 %x, 1\n %v:32 = call @deep(%y, %p)\n ret %v\n}\n"
                            "fn @main(%x:32) -> 32 {\n^e:\n %c = slt.32 3, %x\n br %c, ^a, ^j !1\n^a:\n"
                            " call @middle($x)\n jmp ^j\n"
                            "^j:\n br %c, ^b, ^k !2\n^b:\n %v:32 = call @clean(%x)\n jmp ^k\n"
                            "^k:\n br %c, ^d, ^l !3\n^d:\n %w:32 = call @even(%x)\n jmp ^l\n"
                            "^l:\n br %c, ^f, ^m !7\n^f:\n %u:32 = call @deep(%x, $x)\n jmp ^m\n^m:\n"
                            " ret 0:32\n}\n");
    expect_guards(&c, NULL, "1 3 4 5 6 7"); /* each further call of a recursion may be too deep */
    expect_guards(&c, &(FlowGuardOptions){.sinks = FLOW_SINK_GIVEN}, "");
    close_case(&c);
}

/* A call through a pointer is a check; what the functions that it may mean hold goes to their callers too. */
static void callbacks(void **state)
{
    (void)state;
    Case c = open_case(HEAD "fn @cmp(%p:64, %q:64) -> 32 {\n^e:\n %v = load.8 %p, align 1\n"
                            " %c = eq.8 %v, 0\n br %c, ^a, ^b !2\n"
                            "^a:\n store.8 %q, 1, align 1\n jmp ^b\n^b:\n ret 0:32\n}\n"
                            "fn @sort() {\n^e:\n call @qsort($x, 2:64, 8:64, @cmp)\n ret\n}\n"
                            "fn @main(%x:32) -> 32 {\n^e:\n %c = slt.32 3, %x\n br %c, ^a, ^j !1\n^a:\n"
                            " call @sort()\n jmp ^j\n^j:\n ret 0:32\n}\n");
    expect_guards(&c, NULL, "1 2");
    close_case(&c);
}

/* What the table says of a function is not all there is to it, if it calls what it is given. */
static void given_in_callbacks(void **state)
{
    (void)state;
    Case c = open_case(
        "global $x 16 align 8\n"
        "fn @qsort(%b:64, %n:64, %s:64, %f:64) runtime {\n^e:\n %r:32 = callptr %f(%b, %b)\n ret\n}\n"
        "fn @cmp(%p:64, %q:64) -> 32 {\n^e:\n br 1, ^a, ^b !2\n^a:\n jmp ^b\n^b:\n ret 0:32\n}\n"
        "fn @main(%x:32) -> 32 {\n^e:\n %c = slt.32 3, %x\n br %c, ^a, ^j !1\n^a:\n"
        " call @qsort($x, 2:64, 8:64, @cmp) !10\n jmp ^j\n^j:\n ret 0:32\n}\n");
    FlowSite inside = on_line(&c, 2);
    FlowGuardOptions given = {.sinks = FLOW_SINK_GIVEN, .given = &inside, .ngiven = 1};
    expect_guards(&c, &given, "1 2");
    FlowGuards *g = flow_guards_new(c.flow, &given);
    assert_true(flow_call_holds_sink(g, on_line(&c, 10)));
    flow_guards_free(g);
    close_case(&c);
}

/* May a sink run below a call of the user's code? No only where the table tells it. */
static void calls_that_hold_none(void **state)
{
    (void)state;
    static const struct {
        uint32_t line;
        unsigned sinks, checks;
        bool holds;
    } rows[] = {
        {1, 0, 0, false}, /* putchar(x) */
        {1, FLOW_SINK_FAULTS | FLOW_SINK_OUTPUTS, 0, true},
        {1, FLOW_SINK_ALL, 0, true},
        {1, 0, FLOW_CHECK_UNINIT, true},
        {1, FLOW_SINK_GIVEN, 0, false},
        {2, 0, 0, true},                /* strlen($x) */
        {2, FLOW_SINK_GIVEN, 0, false}, /* no fault is looked for */
        {3, 0, 0, true},                /* a function of the user's own, whatever is in it */
        {3, FLOW_SINK_GIVEN, 0, true},
        {4, 0, 0, false}, /* strlen($text) */
        {5, 0, 0, true},  /* abort */
    };
    Case c =
        open_case(HEAD "fn @own(%x:32) {\n^e:\n ret\n}\n"
                       "fn @helper(%x:32) -> 32 runtime {\n^e:\n %v:32 = call @putchar(%x) !6\n ret %v\n}\n"
                       "fn @main(%x:32) -> 32 {\n^e:\n %a:32 = call @putchar(%x) !1\n"
                       " %b:64 = call @strlen($x) !2\n call @own(%x) !3\n"
                       " %d:64 = call @strlen($text) !4\n %h:32 = call @helper(%x) !7\n"
                       " call @__sheaf_abort() !5\n ret 0:32\n}\n");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        FlowGuards *g =
            flow_guards_new(c.flow, &(FlowGuardOptions){.sinks = rows[i].sinks, .checks = rows[i].checks});
        if (flow_call_holds_sink(g, on_line(&c, rows[i].line)) != rows[i].holds)
            fail_msg("row %u", (unsigned)i);
        assert_true(
            flow_call_holds_sink(g, on_line(&c, 6))); /* asked of the user's code: this one is of runtime/ */
        assert_true(flow_call_holds_sink(g, on_line(&c, 7))); /* the table has no line for it */
        flow_guards_free(g);
    }
    close_case(&c);
}

/* ---- control --------------------------------------------------------------------------------- */

/* Nothing comes back from a dead end, so it lies in no region: the branches that lead to it are checks,
 * however deep. */
static void dead_ends(void **state)
{
    (void)state;
    Case c = open_case("fn @main(%x:32) -> 32 {\n^e:\n %c = slt.32 3, %x\n br %c, ^a, ^j !1\n"
                       "^a:\n br %c, ^b, ^j !2\n^b:\n br %c, ^bad, ^j !3\n^bad:\n trap\n"
                       "^j:\n br %c, ^d, ^k !4\n^d:\n jmp ^k\n"
                       "^k:\n br %c, ^spin, ^l !5\n^spin:\n jmp ^spin\n"
                       "^l:\n br %c, ^m, ^n !6\n^m:\n br %c, ^bad2, ^bad3 !7\n^bad2:\n trap\n^bad3:\n"
                       " unreachable\n^n:\n ret 0:32\n}\n");
    expect_guards(&c, NULL, "1 2 3 5 6 7");
    expect_guards(&c, &(FlowGuardOptions){.policy = FLOW_TIE_FAULTS}, "1 2 3 5 6 7");
    close_case(&c);
}

/* What may end the run is a side of its own only where the policy says so. */
static void policies(void **state)
{
    (void)state;
    Case c = open_case(HEAD "fn @quit(%c:1) {\n^e:\n br %c, ^a, ^j !1\n^a:\n call @__sheaf_exit(1:32)\n"
                            " unreachable\n^j:\n ret\n}\n"
                            "fn @main(%x:32) -> 32 {\n^e:\n %c = slt.32 3, %x\n br %c, ^a, ^j !2\n^a:\n"
                            " call @quit(%c)\n jmp ^j\n"
                            "^j:\n br %c, ^b, ^k !3\n^b:\n jmp ^k\n^k:\n ret 0:32\n}\n");
    for (unsigned policy = 0; policy < FLOW_POLICIES; policy++) {
        expect_guards(&c, &(FlowGuardOptions){.policy = policy}, "1 2");
        expect_guards(&c, &(FlowGuardOptions){.policy = policy, .sinks = FLOW_SINK_GIVEN}, "1 2");
    }
    close_case(&c);
}

/* Whether a loop goes on decides what runs in it, what runs behind it does not depend on that. */
static void loops(void **state)
{
    (void)state;
    Case c = open_case("global $x 16 align 8\nfn @f(%n:32, %p:64) -> 32 {\n^e:\n jmp ^h\n"
                       "^h:\n %i = phi.32 ^e: 0, ^b: %k\n %more = slt.32 %i, %n\n br %more, ^b, ^o !1\n"
                       "^b:\n store.8 %p, 1, align 1\n %k = add.32 %i, 1\n jmp ^h\n"
                       "^o:\n jmp ^h2\n"
                       "^h2:\n %i2 = phi.32 ^o: 0, ^b2: %k2\n %more2 = slt.32 %i2, %n\n"
                       " br %more2, ^b2, ^o2 !2\n"
                       "^b2:\n %k2 = add.32 %i2, 1\n jmp ^h2\n"
                       "^o2:\n jmp ^l\n"
                       "^l:\n %i3 = phi.32 ^o2: 0, ^l: %k3\n store.8 %p, 2, align 1\n"
                       " %k3 = add.32 %i3, 1\n %more3 = slt.32 %k3, %n\n br %more3, ^l, ^o3 !3\n"
                       "^o3:\n store.8 %p, 3, align 1\n ret 0:32\n}\n"
                       "fn @main(%n:32) -> 32 {\n^e:\n %r:32 = call @f(%n, $x)\n ret %r\n}\n");
    expect_guards(&c, NULL, "1 3"); /* 3: whether the block that the branch itself ends runs once more */
    close_case(&c);
}

static void irreducible_loops(void **state)
{
    (void)state;
    Case c = open_case("global $x 16 align 8\nfn @f(%c:1, %d:1, %p:64) {\n^e:\n br %c, ^l, ^m !1\n"
                       "^l:\n br %d, ^m, ^o !2\n^m:\n store.8 %p, 1, align 1\n br %c, ^l, ^o !3\n^o:\n"
                       " br %c, ^l2, ^m2 !4\n^l2:\n br %d, ^m2, ^o2 !5\n^m2:\n br %c, ^l2, ^o2 !6\n"
                       "^o2:\n ret\n}\n"
                       "fn @main(%c:1, %d:1) -> 32 {\n^e:\n call @f(%c, %d, $x)\n ret 0:32\n}\n");
    expect_guards(&c, NULL, "1 2 3");
    close_case(&c);
}

/* A switch guards what one of its cases does. */
static void switches(void **state)
{
    (void)state;
    Case c = open_case("global $x 16 align 8\nfn @f(%n:32, %p:64) {\n^e:\n"
                       " switch.32 %n, [1 -> ^a, 2 -> ^b], ^j !1\n^a:\n jmp ^j\n"
                       "^b:\n store.8 %p, 1, align 1\n jmp ^j\n^j:\n"
                       " switch.32 %n, [1 -> ^d, 2 -> ^g], ^k !2\n^d:\n jmp ^k\n^g:\n jmp ^k\n^k:\n ret\n}\n"
                       "fn @main(%n:32) -> 32 {\n^e:\n call @f(%n, $x)\n ret 0:32\n}\n");
    expect_guards(&c, NULL, "1");
    close_case(&c);
}

/* ---- sites that are given -------------------------------------------------------------------- */

static void given_sites(void **state)
{
    (void)state;
    Case c = open_case("global $x 16 align 8\nfn @f(%x:32, %p:64) -> 32 {\n^e:\n %c = slt.32 3, %x\n"
                       " br %c, ^a, ^j !1\n"
                       "^a:\n %v = add.32 %x, 1 !10\n jmp ^j\n^j:\n br %c, ^b, ^k !2\n^b:\n"
                       " store.8 %p, 1, align 1\n jmp ^k\n"
                       "^k:\n br %c, ^d, ^l !3\n^d:\n jmp ^l\n^l:\n ret 0:32\n}\n"
                       "fn @main(%x:32) -> 32 {\n^e:\n br 1, ^a, ^j !4\n^a:\n %r:32 = call @f(%x, $x)\n"
                       " jmp ^j\n^j:\n ret 0:32\n}\n");
    FlowSite sum = on_line(&c, 10), branch = on_line(&c, 3);
    expect_guards(&c, NULL, "2 4");
    expect_guards(&c, &(FlowGuardOptions){.given = &sum, .ngiven = 1}, "1 2 4"); /* besides faults */
    expect_guards(&c, &(FlowGuardOptions){.sinks = FLOW_SINK_GIVEN, .given = &sum, .ngiven = 1}, "1 4");
    expect_guards(&c, &(FlowGuardOptions){.sinks = FLOW_SINK_GIVEN, .given = &branch, .ngiven = 1}, "3 4");
    expect_guards(&c, &(FlowGuardOptions){.sinks = FLOW_SINK_GIVEN}, "");
    expect_guards(&c, &(FlowGuardOptions){.sinks = FLOW_SINK_ALL}, "1 2 3 4");
    flow_guards_free(NULL);
    close_case(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses),
        cmocka_unit_test(locals_that_die),
        cmocka_unit_test(operators),
        cmocka_unit_test(described_functions),
        cmocka_unit_test(unknown_functions),
        cmocka_unit_test(functions_with_sinks),
        cmocka_unit_test(callbacks),
        cmocka_unit_test(calls_that_hold_none),
        cmocka_unit_test(dead_ends),
        cmocka_unit_test(policies),
        cmocka_unit_test(loops),
        cmocka_unit_test(irreducible_loops),
        cmocka_unit_test(large_locals),
        cmocka_unit_test(pipes),
        cmocka_unit_test(switches),
        cmocka_unit_test(given_sites),
        cmocka_unit_test(given_in_callbacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
