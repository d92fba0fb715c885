/* test_flow_effects.c - what instructions, calls, functions and sides of branches write and read, on text. */
#include "test_flow_case.h"
#include "flow/flow_int.h"

#define TWO "global $x 16 align 8\nglobal $y 16 align 8\n"

static FlowSite at(const Case *c, const char *fn, uint32_t block, uint32_t insn)
{
    return (FlowSite){fn_of(c, fn), block, insn};
}

static void instructions(void **state)
{
    (void)state;
    Case c = open_case(TWO "fn @main(%n:64) -> 32 {\n^a:\n %s = alloca 8, align 8 fixed\n %p = offset $x, "
                           "4\n store.32 %p, 1, align 4\n"
                           " %v = load.64 %s, align 8\n %i = index $x, %n, scale 4\n store.32 %i, 2, align "
                           "4\n memcpy $y, $x, 8\n"
                           " memset $y, 0, %n\n ret 0:32\n}\n");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 0)), "stack main.s, state of stack main.s");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 2)), "global x[4+4]");
    expect_places(&c, flow_insn_reads(c.flow, at(&c, "main", 0, 2)), "");
    expect_places(&c, flow_insn_reads(c.flow, at(&c, "main", 0, 3)),
                  "stack main.s[0+8], state of stack main.s");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 5)), "global x");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 6)), "global y[0+8]");
    expect_places(&c, flow_insn_reads(c.flow, at(&c, "main", 0, 6)), "global x[0+8]");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 7)), "global y");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 8)), "state of stack main.s");
    close_case(&c);
}

/* Code that may follow a pointer of an input says where such pointers lead: accesses and calls. If two are
 * compared anywhere, so does each branch; not if one is compared with null. */
static void follows_inputs(void **state)
{
    (void)state;
    for (unsigned compared = 0; compared < 2; compared++) {
        char text[512];
        snprintf(text, sizeof text,
                 "fn @free(%%p:64)\nglobal $x 8 align 8\nfn @f(%%p:64, %%q:64) -> 32 {\n^a:\n %%v = load.32 "
                 "%%p, align 4\n"
                 " call @free(%%q)\n store.32 $x, %%v, align 4\n %%e = eq.64 %%p, 0\n br %%e, ^b, ^c\n^b:\n "
                 "ret 0:32\n"
                 "^c:\n %%d = eq.64 %%p, %s\n br %%d, ^b, ^b\n}\n",
                 compared ? "%q" : "8");
        FlowOptions options = {.entry = 1, .lazy_inputs = true};
        Case c = open_case_with(text, &options);
        const char *told = compared ? "state of pointers of inputs" : "";
        expect_places(&c, flow_insn_writes(c.flow, at(&c, "f", 0, 0)), "state of pointers of inputs");
        expect_places(&c, flow_insn_writes(c.flow, at(&c, "f", 0, 1)),
                      "state of inputs, state of pointers of inputs");
        expect_places(&c, flow_insn_writes(c.flow, at(&c, "f", 0, 2)), "global x[0+4]");
        expect_places(&c, flow_insn_writes(c.flow, at(&c, "f", 0, 4)), told);
        expect_places(&c, flow_insn_writes(c.flow, at(&c, "f", 2, 1)), told);
        close_case(&c);
        FlowOptions closed = {.entry = 1};
        c = open_case_with(text, &closed);
        expect_places(&c, flow_insn_writes(c.flow, at(&c, "f", 0, 0)), "");
        close_case(&c);
    }
}

/* What a helper does to its parameters is done to each caller's own arguments. */
static void parameters(void **state)
{
    (void)state;
    Case c =
        open_case(TWO "fn @set(%p:64, %q:64, %c:1) {\n^a:\n %l = alloca 8, align 8 fixed\n %f = offset %p, "
                      "4\n store.32 %f, 1, align 4\n"
                      " store.64 %l, %q, align 8\n %r = select.64 %c, %p, %q\n store.8 %r, 1, align 1\n br "
                      "%c, ^b, ^e\n^b:\n"
                      " %n = offset %q, 1\n jmp ^w\n^w:\n %k = phi.64 ^b: %n, ^w: %m\n store.8 %k, 0, align "
                      "1\n %m = offset %k, 1\n"
                      " br %c, ^w, ^e\n^e:\n ret\n}\n"
                      "fn @twice(%p:64, %q:64) {\n^a:\n %s = offset %p, 8\n call @set(%s, %q, 1:1)\n ret\n}\n"
                      "fn @main() -> 32 {\n^a:\n %s = alloca 64, align 8 fixed\n call @twice($x, $y)\n call "
                      "@twice($y, %s)\n ret 0:32\n}\n");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "set", 0, 2)), "param 0[4+4]");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "set", 2, 1)), "param 1");
    expect_places(&c, flow_fn_writes(c.flow, fn_of(&c, "set")),
                  "global x[8+1], global y[0+1], global y[8+1], stack main.s[0+1], param 1, param 0[4+4]");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "twice", 0, 1)),
                  "global x[8+1], global y[0+1], global y[8+1], stack main.s[0+1], param 1, param 0[12+4]");
    expect_places(&c, flow_branch_writes(c.flow, fn_of(&c, "set"), 0, 0)->places, "param 1");
    close_case(&c);
}

/* What a branch may write, by the register that holds the address when the branch is decided. */
static void expect_branch(const Case *c, uint32_t block, const char *places, const char *steps)
{
    uint32_t fn = fn_of(c, "main");
    const FlowBranch *b = flow_branch_writes(c->flow, fn, block, 0);
    const IrFn *f = &c->program->fns.v[fn];
    Str out = {0};
    char text[256];
    for (uint32_t i = 0; i < b->places.n; i++)
        str_printf(&out, "%s%s", i ? ", " : "",
                   flow_object_text(c->flow, b->places.v[i].object, text, sizeof text));
    for (uint32_t i = 0; i < b->nknown; i++) {
        const FlowKnown *k = &b->known[i];
        str_printf(&out, "%s%s", i || b->places.n ? ", " : "", ir_text(c->program, f->regs.v[k->reg].name));
        str_printf(&out, k->size == FLOW_WHOLE ? "[]" : "[%lld+%llu]", (long long)k->offset,
                   (unsigned long long)k->size);
    }
    assert_string_equal(str_text(&out), places);
    str_free(&out);
    for (uint32_t i = 0; i < b->nsteps; i++)
        str_printf(&out, "%s%s", i ? " " : "", ir_text(c->program, f->regs.v[b->steps[i].reg].name));
    assert_string_equal(str_text(&out), steps);
    str_free(&out);
}

static void branches_that_know_the_address(void **state)
{
    (void)state;
    Case c =
        open_case(TWO "fn @malloc(%n:64) -> 64\nfn @free(%p:64)\n"
                      "fn @set(%p:64) {\n^a:\n %f = offset %p, 4\n store.32 %f, 1, align 4\n ret\n}\n"
                      "fn @main(%c:1, %n:32) -> 32 {\n^a:\n %m:64 = call @malloc(16:64)\n br %c, ^b, ^c\n"
                      "^b:\n %i = index $x, %n, scale 4\n %j = offset %i, 8\n store.32 %j, 1, align 4\n"
                      " %k = add.32 %n, 1\n %l = index %m, %k, scale 4\n call @set(%l)\n jmp ^d\n"
                      "^c:\n %o = offset %m, -4\n store.32 %o, 2, align 4\n store.32 $y, 2, align 4\n call "
                      "@free(%m)\n jmp ^d\n"
                      "^d:\n ret 0:32\n}\n");
    expect_branch(&c, 0, "global y, m[0+0], m[-4+4], i[8+4], l[4+4]", "i k l");
    close_case(&c);
}

/* Memory that is made in a side was not there before: nothing else of its kind is written. What was made
 * before is one object, wherever in it is written. What is freed is another matter, and so is a pointer that
 * comes from elsewhere. */
static void branches_that_make_memory(void **state)
{
    (void)state;
    Case c = open_case(
        TWO "fn @malloc(%n:64) -> 64\nfn @realloc(%p:64, %n:64) -> 64\n"
            "fn @main(%c:1, %n:32) -> 32 {\n^a:\n %m:64 = call @malloc(16:64)\n store.64 $x, %m, align 8\n "
            "br %c, ^b, ^e\n"
            "^b:\n %o:64 = call @malloc(16:64)\n %f = offset %o, 4\n store.32 %f, 1, align 4\n %v = load.32 "
            "$y, align 4\n"
            " %i = index %o, %v, scale 4\n store.32 %i, 2, align 4\n store.32 $y, 1, align 4\n"
            " %j = index %m, %v, scale 4\n store.32 %j, 3, align 4\n jmp ^e\n"
            "^e:\n br %c, ^f, ^z\n^f:\n %r:64 = call @realloc(%m, 32:64)\n store.64 %r, $x, align 8\n"
            " store.64 $x, %r, align 8\n jmp ^g\n^g:\n br %c, ^h, ^z\n^h:\n %p = load.64 $x, align 8\n %q = "
            "offset %p, 8\n"
            " store.32 %q, 1, align 4\n store.64 $x, $y, align 8\n jmp ^z\n^z:\n ret 0:32\n}\n");
    expect_branch(&c, 0, "global y, m[]", "");
    expect_places(
        &c, flow_branch_writes(c.flow, fn_of(&c, "main"), 2, 0)->places,
        "global x[0+8], global y[8+4], heap main:0.0[8+4], state of heap main:0.0, heap main:3.0[8+4]");
    close_case(&c);
}

/* A branch that leaves the loop: what was made before it in this round is written after it, or not. What is
 * written before it is made anew by then. */
static void branches_in_loops_that_make(void **state)
{
    (void)state;
    Case c = open_case(
        TWO "fn @malloc(%n:64) -> 64\n"
            "fn @main(%c:1) -> 32 {\n^a:\n jmp ^b\n^b:\n %m:64 = call @malloc(16:64)\n %f = offset %m, 8\n"
            " store.32 %f, 1, align 4\n br %c, ^d, ^z\n^d:\n store.32 %m, 1, align 4\n jmp ^b\n^z:\n ret "
            "0:32\n}\n");
    expect_branch(&c, 1, "m[0+4]", "");
    close_case(&c);
}

/* So it is where a function makes it, which may write older memory besides. */
static void branches_that_call_makers(void **state)
{
    (void)state;
    Case c = open_case(TWO "fn @malloc(%n:64) -> 64\n"
                           "fn @new(%q:64) -> 64 {\n^a:\n %m:64 = call @malloc(16:64)\n %f = offset %m, 8\n "
                           "store.64 %m, 1, align 8\n"
                           " store.64 %f, %q, align 8\n store.32 $x, 1, align 4\n %g = offset %q, 8\n "
                           "store.64 %g, %m, align 8\n ret %m\n}\n"
                           "fn @main(%c:1) -> 32 {\n^a:\n br %c, ^b, ^z\n^b:\n %m:64 = call @new($y)\n jmp "
                           "^z\n^z:\n ret 0:32\n}\n");
    expect_places(&c, flow_branch_writes(c.flow, fn_of(&c, "main"), 0, 0)->places,
                  "global x[0+4], global y[8+8]");
    expect_places(
        &c, flow_insn_writes(c.flow, at(&c, "main", 1, 0)),
        "global x[0+4], global y[8+8], heap new:0.0 from main:1.0, state of heap new:0.0 from main:1.0");
    close_case(&c);
}

/* A register that may be set again before the branch is over tells nothing; a load does if nothing writes
 * what it reads. */
static void branches_that_do_not(void **state)
{
    (void)state;
    Case c = open_case(
        TWO "fn @main(%c:1) -> 32 {\n^a:\n store.64 $x, $y, align 8\n jmp ^h\n"
            "^h:\n %n = phi.32 ^a: 0, ^b: %k\n %t = ult.32 %n, 4\n br %t, ^b, ^d\n"
            "^b:\n %i = index $y, %n, scale 4\n store.32 %i, 1, align 4\n %k = add.32 %n, 1\n jmp ^h\n"
            "^d:\n br %c, ^e, ^f\n^e:\n %p = load.64 $x, align 8\n store.32 %p, 1, align 4\n jmp ^f\n"
            "^f:\n br %c, ^g, ^z\n^g:\n %q = load.64 $x, align 8\n store.32 %q, 1, align 4\n store.64 $x, "
            "$y+8, align 8\n jmp ^z\n"
            "^z:\n ret 0:32\n}\n");
    expect_branch(&c, 1, "global y", "");
    expect_branch(&c, 3, "p[0+4]", "p");
    expect_branch(&c, 5, "global x, global y, global y", "");
    close_case(&c);
}

static void calls_fill_in_arguments(void **state)
{
    (void)state;
    Case c = open_case(TWO "fn @set(%p:64) {\n^a:\n %f = offset %p, 4\n store.32 %f, 1, align 4\n ret\n}\n"
                           "fn @main(%c:1) -> 32 {\n^a:\n br %c, ^b, ^e\n^b:\n call @set($x)\n jmp ^e\n^e:\n "
                           "call @set($y+8)\n ret 0:32\n}\n");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 1, 0)), "global x[4+4]");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 2, 0)), "global y[12+4]");
    expect_places(&c, flow_branch_writes(c.flow, fn_of(&c, "main"), 0, 0)->places, "global x[4+4]");
    close_case(&c);
}

static void recursion_in_terms_of_objects(void **state)
{
    (void)state;
    Case c = open_case(TWO "fn @f(%p:64, %c:1) {\n^a:\n %l = alloca 8, align 8 fixed\n store.8 %p, 1, align "
                           "1\n br %c, ^b, ^e\n^b:\n"
                           " call @f(%l, %c)\n jmp ^e\n^e:\n ret\n}\nfn @main() -> 32 {\n^a:\n call @f($x, "
                           "1:1)\n ret 0:32\n}\n");
    expect_places(&c, flow_fn_writes(c.flow, fn_of(&c, "f")), "global x, stack f.l, state of stack f.l");
    close_case(&c);
}

static const char libc[] =
    "fn @__sheaf_alloc(%n:64, %a:64, %z:32) -> 64\nfn @__sheaf_free(%p:64)\nfn @__sheaf_write(%f:32, %p:64, "
    "%n:64) -> 64\n"
    "global $errno 4 align 4 runtime\n"
    "fn @malloc(%n:64) -> 64 runtime {\n^a:\n %p:64 = call @__sheaf_alloc(%n, 16:64, 0:32)\n store.32 "
    "$errno, 1, align 4\n ret %p\n}\n"
    "fn @free(%p:64) runtime {\n^a:\n call @__sheaf_free(%p)\n ret\n}\n"
    "fn @printf(%f:64, ...) -> 32 runtime {\n^a:\n %n:64 = call @__sheaf_write(1:32, %f, 1:64)\n ret "
    "0:32\n}\n"
    "fn @memcpy(%d:64, %s:64, %n:64) -> 64 runtime {\n^a:\n memcpy %d, %s, %n\n ret %d\n}\n"
    "fn @qsort(%b:64, %n:64, %s:64, %f:64) runtime {\n^a:\n %r:32 = callptr %f(%b, %b)\n ret\n}\n"
    "global $plain 8 align 1 constant {\n 0 \"%d %s\\00\"\n}\nglobal $counts 8 align 1 constant {\n 0 "
    "\"%d%ln\\00\"\n}\n";

static void the_table(void **state)
{
    (void)state;
    Str text = {0};
    str_printf(&text, "%s%s", libc,
               TWO "fn @cmp(%p:64, %q:64) -> 32 {\n^a:\n store.8 %p, 1, align 1\n store.32 $y, 1, align 4\n "
                   "ret 0:32\n}\n"
                   "fn @main() -> 32 {\n^a:\n %h:64 = call @malloc(8:64)\n call @free(%h)\n %a1:32 = call "
                   "@printf($plain, ..., $x)\n"
                   " %a2:32 = call @printf($counts, ..., $x)\n %d:64 = call @memcpy($x, $y, 8:64)\n call "
                   "@qsort($x, 2:64, 8:64, @cmp)\n"
                   " ret 0:32\n}\n");
    Case c = open_case(str_text(&text));
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 0)),
                  "global errno[0+4], heap main:0.0, state of heap main:0.0");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 1)), "state of heap main:0.0");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 2)), "stdout");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 3)), "stdout, global x");
    expect_places(&c, flow_insn_reads(c.flow, at(&c, "main", 0, 2)), "constants, stdout, global x");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 4)), "global x");
    expect_places(&c, flow_insn_reads(c.flow, at(&c, "main", 0, 4)), "global y");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 5)), "global x, global y[0+4]");
    close_case(&c);
    str_free(&text);
}

/* Of a FILE a call writes what the body writes there; and its stream. */
static void the_table_of_streams(void **state)
{
    (void)state;
    Case c = open_case(
        "global $out 32 align 8 runtime\nglobal $err 32 align 8 runtime\n"
        "global $stdout 8 align 8 runtime {\n 0 $out\n}\nglobal $stderr 8 align 8 runtime {\n 0 $err\n}\n"
        "fn @fputc(%c:32, %f:64) -> 32 runtime {\n^a:\n %p = offset %f, 8\n store.32 %p, %c, align 4\n"
        " ret %c\n}\nfn @putc(%c:32, %f:64) -> 32\n"
        "fn @main() -> 32 {\n^a:\n %o = load.64 $stdout, align 8\n %a:32 = call @fputc(1:32, %o)\n"
        " %e = load.64 $stderr, align 8\n %b:32 = call @putc(1:32, %e)\n ret 0:32\n}\n");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 1)), "stdout, global out[8+4]");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 3)), "stderr, global err");
    close_case(&c);
}

static void places_that_meet(void **state)
{
    (void)state;
    Case c = open_case(
        TWO "fn @f(%p:64, %q:64) {\n^a:\n ret\n}\nfn @main() -> 32 {\n^a:\n call @f($x, $y)\n ret 0:32\n}\n");
    uint32_t f = fn_of(&c, "f"), x = flow_object_of_global(c.flow, 0), y = flow_object_of_global(c.flow, 1);
    FlowPlace low = {x, IR_NONE, 0, 4}, high = {x, IR_NONE, 4, 4}, all = {x, IR_NONE, 0, FLOW_WHOLE};
    FlowPlace other = {y, IR_NONE, 0, FLOW_WHOLE}, p = {IR_NONE, 0, 0, 4}, q = {IR_NONE, 1, 0, 4};
    FlowPlace any = {FLOW_OBJECT_ANY, IR_NONE, 0, FLOW_WHOLE},
              alive = {flow_state_of(x), IR_NONE, 0, FLOW_WHOLE};
    assert_false(flow_places_meet(c.flow, f, &low, &high));
    assert_true(flow_places_meet(c.flow, f, &low, &all));
    assert_false(flow_places_meet(c.flow, f, &all, &other));
    assert_true(flow_places_meet(c.flow, f, &p, &all));
    assert_false(flow_places_meet(c.flow, f, &q, &all));
    assert_false(flow_places_meet(c.flow, f, &p, &q));
    assert_true(flow_places_meet(c.flow, f, &any, &all));
    assert_true(flow_places_meet(c.flow, f, &any, &q));
    assert_false(flow_places_meet(c.flow, f, &alive, &all));
    close_case(&c);
}

/* Calls through a structure: each fills in its own arguments, whichever function is meant. */
static void calls_through_pointers(void **state)
{
    (void)state;
    Case c = open_case(TWO "global $ops 16 align 8 {\n 0 @set\n 8 @clear\n}\nfn @set(%p:64) {\n^a:\n "
                           "store.32 %p, 1, align 4\n ret\n}\n"
                           "fn @clear(%p:64) {\n^a:\n %q = offset %p, 8\n store.64 %q, 0, align 8\n ret\n}\n"
                           "fn @main(%n:64) -> 32 {\n^a:\n %i = index $ops, %n, scale 8\n %f = load.64 %i, "
                           "align 8\n callptr %f($x)\n"
                           " callptr %f($y)\n ret 0:32\n}\n");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 2)), "global x[0+4], global x[8+8]");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 3)), "global y[0+4], global y[8+8]");
    assert_int_equal(flow_callees(c.flow, at(&c, "main", 0, 3)).n, 2);
    assert_int_equal(flow_callers(c.flow, fn_of(&c, "clear")).n, 2);
    close_case(&c);
}

/* A circle through a pointer; a loop without an end; code that nothing reaches; two entries into one loop. */
static void odd_control_flow(void **state)
{
    (void)state;
    Case c = open_case(
        TWO
        "global $f 8 align 8 {\n 0 @even\n}\nfn @even(%n:1) {\n^a:\n store.8 $x, 0, align 1\n br %n, ^b, "
        "^e\n^b:\n call @odd(%n)\n jmp ^e\n^e:\n ret\n}\n"
        "fn @odd(%n:1) {\n^a:\n %p = load.64 $f, align 8\n callptr %p(%n)\n store.8 $y, 0, align 1\n ret\n}\n"
        "fn @spin() {\n^a:\n jmp ^l\n^l:\n store.8 $x+2, 1, align 1\n jmp ^l\n^dead:\n store.8 $y, 1, align "
        "1\n jmp ^l\n}\n"
        "fn @twist(%c:1) {\n^a:\n br %c, ^l, ^m\n^l:\n store.8 $x+4, 1, align 1\n jmp ^m\n^m:\n store.8 "
        "$y+4, 1, align 1\n"
        " br %c, ^l, ^e\n^e:\n ret\n}\n"
        "fn @main(%n:1) -> 32 {\n^a:\n call @even(%n)\n call @twist(1:1)\n call @spin()\n ret 0:32\n}\n");
    expect_places(&c, flow_fn_writes(c.flow, fn_of(&c, "even")), "global x[0+1], global y[0+1]");
    expect_places(&c, flow_fn_writes(c.flow, fn_of(&c, "odd")), "global x[0+1], global y[0+1]");
    expect_places(&c, flow_fn_writes(c.flow, fn_of(&c, "spin")), ""); /* no code runs after it */
    expect_places(&c, flow_fn_writes(c.flow, fn_of(&c, "twist")), "global x[4+1], global y[4+1]");
    expect_places(&c, flow_branch_writes(c.flow, fn_of(&c, "twist"), 0, 0)->places, "global x[4+1]");
    close_case(&c);
}

/* Variable arguments, and both members of a union, are what the caller gave. */
static void unions_and_variable_arguments(void **state)
{
    (void)state;
    Case c = open_case(
        TWO "fn @put(%n:32, ...) {\n^a:\n %l = alloca 24, align 8 fixed\n vastart %l\n %o = offset %l, 8\n"
            " %area = load.64 %o, align 8\n %p = load.64 %area, align 8\n store.32 %p, 1, align 4\n ret\n}\n"
            "fn @main() -> 32 {\n^a:\n %u = alloca 8, align 8 fixed\n call @put(1:32, ..., $x)\n store.64 "
            "%u, $y, align 8\n"
            " %w = load.64 %u, align 8\n store.16 %w, 1, align 2\n %h = load.32 %u, align 4\n ret 0:32\n}\n");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 1)), "global x[0+4]");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 4)), "global y[0+2]");
    expect_places(&c, flow_insn_reads(c.flow, at(&c, "main", 0, 5)),
                  "stack main.u[0+4], state of stack main.u");
    close_case(&c);
}

/* An address that no object's address makes: null is nowhere, a number from elsewhere is anything. */
static void addresses_of_nothing(void **state)
{
    (void)state;
    Case c = open_case(TWO "fn @none(%p:64) {\n^a:\n store.8 %p, 1, align 1\n ret\n}\nfn @some(%p:64) "
                           "{\n^a:\n store.8 %p, 1, align 1\n ret\n}\n"
                           "fn @main(%n:32) -> 32 {\n^a:\n call @none(0:64)\n %w = zext.64 %n\n call "
                           "@some(%w)\n %z = offset 0:64, %w\n"
                           " store.8 %z, 1, align 1\n ret 0:32\n}\n");
    FlowList none = flow_pointees(c.flow, fn_of(&c, "none"), 0),
             some = flow_pointees(c.flow, fn_of(&c, "some"), 0);
    assert_int_equal(none.n, 0);
    assert_int_equal(some.n, 1);
    assert_int_equal(some.v[0], FLOW_OBJECT_ANY);
    expect_points(&c, "some", "p", "");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 0)), "");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 2)), "anything");
    expect_places(&c, flow_insn_writes(c.flow, at(&c, "main", 0, 4)), "anything");
    close_case(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_inputs),
        cmocka_unit_test(calls_through_pointers),
        cmocka_unit_test(odd_control_flow),
        cmocka_unit_test(unions_and_variable_arguments),
        cmocka_unit_test(addresses_of_nothing),
        cmocka_unit_test(instructions),
        cmocka_unit_test(parameters),
        cmocka_unit_test(branches_that_know_the_address),
        cmocka_unit_test(branches_that_make_memory),
        cmocka_unit_test(branches_in_loops_that_make),
        cmocka_unit_test(branches_that_call_makers),
        cmocka_unit_test(branches_that_do_not),
        cmocka_unit_test(calls_fill_in_arguments),
        cmocka_unit_test(recursion_in_terms_of_objects),
        cmocka_unit_test(the_table),
        cmocka_unit_test(the_table_of_streams),
        cmocka_unit_test(places_that_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
