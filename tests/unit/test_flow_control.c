/* test_flow_control.c - post-dominators, dead-end blocks, early exits, control dependence and join registers,
 * on text. */
#include "test_flow_case.h"
#include "flow/flow_int.h"

static uint32_t block_of(const Case *c, uint32_t fn, const char *name)
{
    const IrFn *f = &c->program->fns.v[fn];
    for (uint32_t b = 0; b < f->blocks.n; b++)
        if (!strcmp(ir_text(c->program, f->blocks.v[b].name), name))
            return b;
    fail_msg("no block %s", name);
    return IR_NONE;
}

static void add_name(const Case *c, uint32_t fn, uint32_t block, Str *out)
{
    if (out->n)
        str_add_char(out, ' ');
    str_add(out, block == FLOW_EXIT ? "EXIT"
                 : block == IR_NONE ? "-"
                                    : ir_text(c->program, c->program->fns.v[fn].blocks.v[block].name));
}

/* "block>ipdom" for each block; ! dead end, ? unreachable, * early. */
static void expect_control(const Case *c, const char *name, unsigned policy, const char *wanted)
{
    Str out = {0};
    uint32_t fn = fn_of(c, name);
    const FlowControl *f = flow_control(c->flow, fn, policy);
    for (uint32_t b = 0; b < c->program->fns.v[fn].blocks.n; b++) {
        Str up = {0};
        add_name(c, fn, b, &out);
        add_name(c, fn, f->ipdom[b], &up);
        str_printf(&out, ">%s%s%s%s", str_text(&up), f->flags[b] & FLOW_DEAD_END ? "!" : "",
                   f->flags[b] & FLOW_UNREACHABLE ? "?" : "", f->flags[b] & FLOW_EARLY ? "*" : "");
        str_free(&up);
    }
    assert_string_equal(str_text(&out), wanted);
    str_free(&out);
}

static void expect_blocks(const Case *c, const char *name, FlowList list, const char *wanted)
{
    Str out = {0};
    for (uint32_t i = 0; i < list.n; i++)
        add_name(c, fn_of(c, name), list.v[i], &out);
    assert_string_equal(str_text(&out), wanted);
    str_free(&out);
}

static void expect_join(const Case *c, const char *name, const char *block, const char *wanted)
{
    Str out = {0};
    uint32_t fn = fn_of(c, name);
    FlowList list = flow_join_regs(c->flow, fn, block_of(c, fn, block), 0);
    for (uint32_t i = 0; i < list.n; i++)
        str_printf(&out, "%s%s", i ? " " : "",
                   ir_text(c->program, c->program->fns.v[fn].regs.v[list.v[i]].name));
    assert_string_equal(str_text(&out), wanted);
    str_free(&out);
}

static void diamond(void **state)
{
    (void)state;
    Case c = open_case("fn @f(%c:1) -> 32 {\n^a:\n br %c, ^b, ^d\n^b:\n jmp ^e\n^d:\n jmp ^e\n^e:\n"
                       " %x = phi.32 ^b: 1, ^d: 2\n ret %x\n}\n");
    expect_control(&c, "f", 0, "a>e b>e d>e e>EXIT");
    expect_blocks(&c, "f", flow_depends_on(c.flow, 0, 1, 0), "a");
    expect_blocks(&c, "f", flow_depends_on(c.flow, 0, 3, 0), "");
    expect_blocks(&c, "f", flow_dependents(c.flow, 0, 0, 0), "b d");
    expect_blocks(&c, "f", flow_side_blocks(c.flow, 0, 0, 0, 0), "b");
    expect_blocks(&c, "f", flow_side_blocks(c.flow, 0, 0, 1, 0), "d");
    expect_join(&c, "f", "a", "x");
    assert_int_equal(flow_control(c.flow, 0, 0)->idom[3], 0);
    close_case(&c);
}

/* A loop that nothing leaves, a fault, and code that nothing reaches. */
static void dead_ends_and_unreachable(void **state)
{
    (void)state;
    Case c = open_case("fn @f(%c:1, %d:1) {\n^a:\n br %c, ^b, ^e\n^b:\n br %d, ^bad, ^spin\n^bad:\n trap\n"
                       "^spin:\n jmp ^spin2\n^spin2:\n jmp ^spin\n^dead:\n jmp ^e\n^e:\n ret\n}\n");
    expect_control(&c, "f", 0, "a>e b>-! bad>-! spin>-! spin2>-! dead>-? e>EXIT");
    expect_control(&c, "f", FLOW_TIE_FAULTS, "a>EXIT* b>bad bad>EXIT* spin>-! spin2>-! dead>-? e>EXIT");
    expect_blocks(&c, "f", flow_depends_on(c.flow, 0, block_of(&c, 0, "e"), 0), "");
    expect_blocks(&c, "f", flow_dead_end_by(c.flow, 0, block_of(&c, 0, "spin2"), 0), "a");
    expect_blocks(&c, "f", flow_side_blocks(c.flow, 0, 0, 0, 0), "");
    close_case(&c);
}

/* Dead-end code that is entered from several blocks, some of them through other such code. */
static void dead_end_parts(void **state)
{
    (void)state;
    Case c =
        open_case("fn @f(%c:1, %d:1) {\n^a:\n br %c, ^b, ^w\n^b:\n br %d, ^x, ^e\n^w:\n br %d, ^y, ^e\n"
                  "^x:\n jmp ^spin\n^spin:\n br %c, ^spin, ^z\n^z:\n br %d, ^spin, ^bad\n^y:\n jmp ^bad\n"
                  "^bad:\n trap\n^e:\n ret\n}\n");
    static const struct {
        const char *block, *by;
    } rows[] = {{"x", "b"}, {"spin", "b"}, {"z", "b"}, {"y", "w"}, {"bad", "b w"}, {"a", ""}, {"e", ""}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        expect_blocks(&c, "f", flow_dead_end_by(c.flow, 0, block_of(&c, 0, rows[i].block), 0), rows[i].by);
    close_case(&c);
}

static const char leaving[] =
    "fn @__sheaf_exit(%s:32)\n"
    "fn @quit(%c:1) {\n^a:\n br %c, ^b, ^e\n^b:\n call @__sheaf_exit(1:32)\n unreachable\n^e:\n ret\n}\n"
    "fn @die() {\n^a:\n call @quit(1:1)\n call @__sheaf_exit(1:32)\n unreachable\n}\n"
    "fn @f(%c:1) {\n^a:\n call @quit(%c)\n br %c, ^b, ^e\n^b:\n jmp ^e\n^e:\n ret\n}\n"
    "fn @g(%c:1) {\n^a:\n br %c, ^b, ^e\n^b:\n call @quit(%c)\n jmp ^e\n^e:\n ret\n}\n"
    "fn @h(%c:1) {\n^a:\n br %c, ^b, ^e\n^b:\n call @die()\n jmp ^e\n^e:\n ret\n}\n";

static void calls_that_may_not_return(void **state)
{
    (void)state;
    Case c = open_case(leaving);
    expect_control(&c, "quit", 0, "a>e b>-! e>EXIT");
    expect_control(&c, "quit", FLOW_TIE_EXITS, "a>EXIT* b>EXIT* e>EXIT");
    expect_control(&c, "f", FLOW_TIE_EXITS, "a>e b>e e>EXIT"); /* the call is before the branch */
    expect_control(&c, "g", FLOW_TIE_EXITS, "a>EXIT* b>e e>EXIT");
    expect_control(&c, "g", 0, "a>e b>e e>EXIT");
    expect_control(&c, "h", 0, "a>e b>-! e>EXIT");
    expect_control(&c, "h", FLOW_TIE_EXITS, "a>EXIT* b>EXIT* e>EXIT");
    assert_true(flow_control(c.flow, fn_of(&c, "g"), FLOW_TIE_EXITS)->may_not_return);
    assert_false(flow_control(c.flow, fn_of(&c, "g"), 0)->may_not_return);
    assert_false(flow_control(c.flow, fn_of(&c, "die"), 0)->returns);
    assert_true(flow_control(c.flow, fn_of(&c, "quit"), 0)->returns);
    FlowSites leaves = flow_leaves(c.flow, fn_of(&c, "g"), FLOW_TIE_EXITS);
    assert_int_equal(leaves.n, 1);
    assert_int_equal(leaves.v[0].block, 1);
    close_case(&c);
}

static void longjmp_leaves_whatever_the_policy(void **state)
{
    (void)state;
    Case c =
        open_case("fn @jump(%b:64) {\n^a:\n longjmp %b, 1\n}\n"
                  "fn @f(%c:1, %b:64) {\n^a:\n br %c, ^b, ^e\n^b:\n call @jump(%b)\n jmp ^e\n^e:\n ret\n}\n");
    expect_control(&c, "jump", 0, "a>EXIT*");
    expect_control(&c, "f", 0, "a>EXIT* b>EXIT* e>EXIT");
    assert_true(flow_control(c.flow, fn_of(&c, "f"), 0)->may_not_return);
    close_case(&c);
}

/* Mutual recursion without an end does not return; with one it does. */
static void recursion(void **state)
{
    (void)state;
    Case c = open_case("fn @even() {\n^a:\n call @odd()\n ret\n}\nfn @odd() {\n^a:\n call @even()\n ret\n}\n"
                       "fn @down(%c:1) {\n^a:\n br %c, ^b, ^e\n^b:\n call @down(%c)\n jmp ^e\n^e:\n ret\n}\n"
                       "fn @f(%c:1) {\n^a:\n br %c, ^b, ^e\n^b:\n call @even()\n jmp ^e\n^e:\n ret\n}\n");
    assert_false(flow_control(c.flow, fn_of(&c, "even"), 0)->returns);
    assert_true(flow_control(c.flow, fn_of(&c, "down"), 0)->returns);
    expect_control(&c, "f", 0, "a>e b>-! e>EXIT");
    close_case(&c);
}

/* Two ways out, and a switch of which two cases share a block. */
static void several_exits(void **state)
{
    (void)state;
    Case c = open_case(
        "fn @f(%x:32) -> 32 {\n^a:\n switch.32 %x, [1 -> ^b, 2 -> ^b, 3 -> ^d], ^e\n^b:\n ret 1:32\n^d:\n"
        " jmp ^e\n^e:\n ret 2:32\n}\n");
    expect_control(&c, "f", 0, "a>EXIT b>EXIT d>e e>EXIT");
    expect_blocks(&c, "f", flow_dependents(c.flow, 0, 0, 0), "b d e");
    close_case(&c);
}

/* A cycle with two entries: what it defines is live behind it without a phi. */
static void irreducible(void **state)
{
    (void)state;
    Case c = open_case("fn @f(%c:1, %d:1, %n:32) -> 32 {\n^a:\n jmp ^h\n^h:\n %i = phi.32 ^a: 0, ^r: %k\n %j "
                       "= add.32 %i, 1\n"
                       " br %c, ^l, ^r\n^l:\n br %d, ^r, ^out\n^r:\n %k = phi.32 ^h: %j, ^l: %i\n jmp "
                       "^h\n^out:\n ret %j\n}\n");
    expect_control(&c, "f", 0, "a>h h>l l>out r>h out>EXIT");
    expect_join(&c, "f", "l", "j");
    expect_join(&c, "f", "h", "i j");
    close_case(&c);
}

/* A loop's exit branch: the body lies in its region, so what the body defines and the code behind it reads
 * joins. */
static void loop_without_lcssa(void **state)
{
    (void)state;
    Case c = open_case(
        "fn @f(%n:32) -> 32 {\n^a:\n jmp ^l\n^l:\n %i = phi.32 ^a: 0, ^l: %j\n %j = add.32 %i, 1\n"
        " %u = mul.32 %j, 3\n %c = slt.32 %j, %n\n br %c, ^l, ^e\n^e:\n %r = add.32 %j, %i\n ret %r\n}\n");
    expect_control(&c, "f", 0, "a>l l>e e>EXIT");
    expect_blocks(&c, "f", flow_side_blocks(c.flow, 0, 1, 0, 0), "l");
    expect_blocks(&c, "f", flow_depends_on(c.flow, 0, 1, 0), "l");
    expect_join(&c, "f", "l", "i j");
    close_case(&c);
}

/* A long chain of blocks must not recurse. */
static void deep(void **state)
{
    (void)state;
    Str text = {0};
    str_add(&text, "fn @f(%c:1) {\n");
    for (int i = 0; i < 20000; i++)
        str_printf(&text, "^b%d:\n br %%c, ^b%d, ^b%d\n", i, i + 1, i + 2 <= 20000 ? i + 2 : i + 1);
    str_add(&text, "^b20000:\n ret\n}\n");
    Case c = open_case(str_text(&text));
    assert_int_equal(flow_control(c.flow, 0, 0)->ipdom[0], 20000);
    close_case(&c);
    str_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diamond),
        cmocka_unit_test(dead_ends_and_unreachable),
        cmocka_unit_test(dead_end_parts),
        cmocka_unit_test(calls_that_may_not_return),
        cmocka_unit_test(longjmp_leaves_whatever_the_policy),
        cmocka_unit_test(recursion),
        cmocka_unit_test(several_exits),
        cmocka_unit_test(irreducible),
        cmocka_unit_test(loop_without_lcssa),
        cmocka_unit_test(deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
