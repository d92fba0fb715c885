/* The opcode table, building a program by hand, and taking instructions apart. */
#include "test_ir_util.h"
#include "ir/ir_int.h"

static void ops_have_texts_that_find_them(void **state)
{
    (void)state;
    for (unsigned i = 0; i < IR_OP_COUNT; i++) {
        IrOp op;
        assert_true(ir_op_by_text(ir_op_text((IrOp)i), &op));
        assert_int_equal(op, i);
    }
    IrOp op;
    assert_false(ir_op_by_text("ad", &op));
    assert_false(ir_op_by_text("", &op));
    assert_false(ir_op_by_text("addd", &op));
}

static void pure_ops_are_those_of_bits(void **state)
{
    (void)state;
    static const char *const forms[] = {"", "dr", "drr", "drrr"};
    for (unsigned i = 0; i < BITS_COUNT; i++) {
        assert_true(ir_op_is_pure((IrOp)i));
        assert_string_equal(ir_op_text((IrOp)i), bits_op_text((BitsOp)i));
        assert_string_equal(ir_op_form((IrOp)i), forms[bits_op_arity((BitsOp)i)]);
        assert_false(ir_op_has_flag((IrOp)i, 'T'));
        assert_false(ir_op_has_flag((IrOp)i, 'M'));
    }
    assert_false(ir_op_is_pure(IR_PHI));
    assert_true(ir_op_has_flag(IR_RET, 'T'));
    assert_false(ir_op_has_flag(IR_CALL, 'T'));
    assert_true(ir_op_has_flag(IR_CALL, 'K'));
    assert_true(ir_op_has_flag(IR_STORE, 'M'));
}

static void names_find_one_function_and_global(void **state)
{
    (void)state;
    IrProgram *p = ir_program_new();
    uint32_t f = ir_fn_get(p, "f"), g = ir_fn_get(p, "g"), v = ir_global_get(p, "f");
    assert_int_not_equal(f, g);
    assert_int_equal(ir_fn_get(p, "f"), f);
    assert_int_equal(ir_fn_find(p, "g"), g);
    assert_int_equal(ir_fn_find(p, "h"), IR_NONE);
    assert_int_equal(ir_global_find(p, "f"), v);
    assert_int_equal(ir_global_find(p, "g"), IR_NONE);
    assert_false(p->fns.v[f].defined);
    assert_int_equal(p->fns.v[f].site, IR_NONE);
    assert_string_equal(ir_text(p, p->globals.v[v].name), "f");
    must_verify(p);
    ir_program_free(p);
    ir_program_free(NULL);
}

static void equal_sites_share_an_index(void **state)
{
    (void)state;
    IrProgram *p = ir_program_new();
    char text[64];
    uint32_t a = ir_site_add(p, "a.c", 1, 2, "f");
    for (uint32_t line = 0; line < 1000; line++)
        for (uint32_t column = 0; column < 5; column++)
            ir_site_add(p, "a.c", line, column, "f");
    assert_int_equal(p->sites.n, 5000);
    assert_int_equal(ir_site_add(p, "a.c", 1, 2, "f"), a);
    assert_int_not_equal(ir_site_add(p, "b.c", 1, 2, "f"), a);
    assert_int_not_equal(ir_site_add(p, "a.c", 2, 1, "f"), a);
    assert_int_not_equal(ir_site_add(p, "a.c", 1, 2, "g"), a);
    assert_string_equal(ir_site_text(p, a, text, sizeof text), "a.c:1:2");
    assert_string_equal(ir_site_text(p, IR_NONE, text, sizeof text), "?");
    assert_string_equal(ir_site_text(p, a, text, 4), "a.c");
    ir_program_free(p);
}

static void equal_constants_share_a_register(void **state)
{
    (void)state;
    IrProgram *p = ir_program_new();
    ir_global_get(p, "g");
    IrFn *fn = fn_new(p, "f");
    uint32_t five = ir_reg_int(p, fn, 32, 5);
    for (unsigned i = 0; i < 3000; i++)
        ir_reg_int(p, fn, 32, i);
    assert_int_equal(fn->regs.n, 3000);
    assert_int_equal(ir_reg_int(p, fn, 32, 5), five);
    assert_int_equal(ir_reg_int(p, fn, 32, 5 | (u128)1 << 40), five); /* reduced to the width */
    assert_int_not_equal(ir_reg_int(p, fn, 33, 5), five);
    uint32_t undef = ir_reg_const(p, fn, 32, (IrConst){.kind = IR_CONST_UNDEF, .bits = 7, .index = 9});
    assert_int_equal(ir_reg_const(p, fn, 32, (IrConst){.kind = IR_CONST_UNDEF}), undef);
    uint32_t g = ir_reg_const(p, fn, 64, (IrConst){.kind = IR_CONST_GLOBAL, .bits = 8});
    uint32_t f = ir_reg_const(p, fn, 64, (IrConst){.kind = IR_CONST_FN, .bits = 8});
    assert_int_not_equal(f, g);
    assert_int_equal(ir_reg_const_of(fn, g)->kind, IR_CONST_GLOBAL);
    assert_int_equal(fn->regs.v[g].width, 64);
    uint32_t result = ir_reg_result(p, fn, 8, "x");
    assert_null(ir_reg_const_of(fn, result));
    assert_string_equal(ir_text(p, fn->regs.v[result].name), "x");
    ir_program_free(p);
}

/* int f(int a) { return a + 1; }, with the calls of the face. */
static void a_function_built_by_hand_prints_as_expected(void **state)
{
    (void)state;
    IrProgram *p = ir_program_new();
    IrFn *fn = fn_new(p, "f");
    fn->defined = true;
    fn->site = ir_site_add(p, "f.c", 1, 5, "f");
    vec_push(&fn->results, 32);
    uint32_t a = ir_reg_param(p, fn, 32, "a");
    uint32_t block = ir_block_add(p, fn, "entry");
    uint32_t one = ir_reg_int(p, fn, 32, 1), sum = ir_reg_result(p, fn, 32, NULL);
    ir_emit(
        fn, block,
        (IrInsn){.op = IR_ADD, .width = 32, .flags = IR_NSW, .dst = sum, .a = a, .b = one, .site = fn->site});
    uint32_t list[] = {1, sum};
    IrInsn *ret = ir_emit(fn, block, (IrInsn){.op = IR_RET, .dst = IR_NONE, .a = ir_extra_add(fn, list, 2)});
    ret->site = IR_NONE;
    must_verify(p);
    Str s = printed(p);
    assert_string_equal(s.v, "fn @f(%a.0:32) -> 32 !0 {\n"
                             "^entry.0:\n"
                             "    %2 = add.32 %a.0, 1 nsw !0\n"
                             "    ret %2\n"
                             "}\n"
                             "\n"
                             "site !0 \"f.c\" 1:5 \"f\"\n");
    str_free(&s);
    Str one_fn = {0};
    ir_fn_print(p, fn, &one_fn);
    assert_int_equal(one_fn.v[one_fn.n - 2], '}');
    str_free(&one_fn);
    ir_program_free(p);
}

static void extra_lists_follow_each_other(void **state)
{
    (void)state;
    IrProgram *p = ir_program_new();
    IrFn *fn = fn_new(p, "f");
    uint32_t three[] = {1, 2, 3};
    assert_int_equal(ir_extra_add(fn, three, 3), 0);
    assert_int_equal(ir_extra_add(fn, NULL, 0), 3);
    assert_int_equal(ir_extra_add(fn, three, 1), 3);
    assert_int_equal(fn->extra.n, 4);
    assert_int_equal(fn->extra.v[3], 1);
    ir_program_free(p);
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char sample[] = "fn @g(%0:32, ...) -> 32\n"
                             "fn @f(%a.0:32, %p.1:64, %c.2:1) -> 32 {\n"
                             "^0:\n"
                             "    %10:32, %11:64 = call @g(%a.0, %a.0, ..., %p.1 byval 16 align 8, %c.2)\n"
                             "    callptr %p.1()\n"
                             "    store.32 %p.1, %a.0, align 4\n"
                             "    %12 = select.32 %c.2, %a.0, %10\n"
                             "    %13 = uninit.32\n"
                             "    switch.32 %a.0, [1 -> ^1, 2 -> ^3, 3 -> ^1], ^2\n"
                             "^1:\n"
                             "    goto %p.1, [^2, ^3, ^2]\n"
                             "^2:\n"
                             "    %14 = phi.32 ^0: %a.0, ^1: %12\n"
                             "    br %c.2, ^3, ^3\n"
                             "^3:\n"
                             "    ret %a.0\n"
                             "^4:\n"
                             "    jmp ^2\n"
                             "^5:\n"
                             "    unreachable\n"
                             "}\n";

static void assert_list(const U32Vec *v, uint32_t n, const uint32_t *expected)
{
    assert_int_equal(v->n, n);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(v->v[i], expected[i]);
}

#define ASSERT_LIST(v, ...) assert_list(v, COUNT_OF(((uint32_t[]){__VA_ARGS__})), (uint32_t[]){__VA_ARGS__})

static void reads_and_defs(void **state)
{
    (void)state;
    IrProgram *p = must_parse(sample);
    IrFn *f = fn_named(p, "f");
    const IrInsn *entry = f->blocks.v[0].insns.v;
    U32Vec v = {0};
    ir_insn_reads(f, &entry[0], &v);
    ASSERT_LIST(&v, 0, 0, 1, 2);
    ir_insn_defs(f, &entry[0], &v);
    ASSERT_LIST(&v, 10, 11);
    ir_insn_reads(f, &entry[1], &v);
    ASSERT_LIST(&v, 1);
    ir_insn_defs(f, &entry[1], &v);
    assert_int_equal(v.n, 0);
    ir_insn_reads(f, &entry[2], &v);
    ASSERT_LIST(&v, 1, 0);
    ir_insn_defs(f, &entry[2], &v);
    assert_int_equal(v.n, 0);
    ir_insn_reads(f, &entry[3], &v);
    ASSERT_LIST(&v, 2, 0, 10);
    ir_insn_defs(f, &entry[3], &v);
    ASSERT_LIST(&v, 12);
    ir_insn_reads(f, &entry[4], &v);
    assert_int_equal(v.n, 0);
    ir_insn_reads(f, &entry[5], &v); /* the switch: operand and three constants */
    assert_int_equal(v.n, 4);
    assert_int_equal(v.v[0], 0);
    for (uint32_t i = 1; i < 4; i++)
        assert_true(ir_reg_const_of(f, v.v[i])->bits == i);
    ir_insn_reads(f, &f->blocks.v[2].insns.v[0], &v);
    ASSERT_LIST(&v, 0, 12);
    ir_insn_reads(f, &f->blocks.v[3].insns.v[0], &v);
    ASSERT_LIST(&v, 0);
    vec_free(&v);
    ir_program_free(p);
}

static void successors(void **state)
{
    (void)state;
    IrProgram *p = must_parse(sample);
    IrFn *f = fn_named(p, "f");
    U32Vec v = {0};
    ir_block_successors(f, 0, &v);
    ASSERT_LIST(&v, 1, 3, 1, 2);
    ir_block_successors(f, 1, &v);
    ASSERT_LIST(&v, 2, 3, 2);
    ir_block_successors(f, 2, &v); /* the phi's blocks are none */
    ASSERT_LIST(&v, 3, 3);
    ir_block_successors(f, 3, &v);
    assert_int_equal(v.n, 0);
    ir_block_successors(f, 4, &v);
    ASSERT_LIST(&v, 2);
    ir_block_successors(f, 5, &v);
    assert_int_equal(v.n, 0);
    vec_free(&v);
    ir_program_free(p);
}

static void calls_come_apart(void **state)
{
    (void)state;
    IrProgram *p = must_parse(sample);
    IrFn *f = fn_named(p, "f");
    IrCall call = ir_call_read(f, &f->blocks.v[0].insns.v[0]);
    assert_int_equal(call.ndst, 2);
    assert_int_equal(call.dst[1], 11);
    assert_int_equal(call.nargs, 2);
    assert_int_equal(call.args[0], 0);
    assert_int_equal(call.nvar, 2);
    assert_int_equal(call.var[0], 1);
    assert_int_equal(call.var[1], 16);
    assert_int_equal(call.var[2], 8);
    assert_int_equal(call.var[3], 2);
    assert_int_equal(call.var[4], 0);
    call = ir_call_read(f, &f->blocks.v[0].insns.v[1]);
    assert_int_equal(call.ndst + call.nargs + call.nvar, 0);
    ir_program_free(p);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static void control_flow_as_text_and_graphviz(void **state)
{
    (void)state;
    IrProgram *p = must_parse("fn @\"a\\22b\"(%c:1) {\n"
                              "^in:\n    jmp ^loop\n"
                              "^loop:\n    br %c, ^loop, ^out !0\n"
                              "^out:\n    ret !1\n}\n"
                              "site !0 \"x.c\" 3:1 \"\"\nsite !1 \"x.c\" 4:1 \"\"\n");
    IrFn *fn = &p->fns.v[0];
    Str s = {0};
    ir_fn_print_cfg(p, fn, false, &s); /* without loops */
    assert_string_equal(s.v,
                        "@\"a\\22b\"\n    ^in.0 -> ^loop.1\n    ^loop.1 -> ^loop.1, ^out.2\n    ^out.2\n");
    vec_clear(&s);
    ir_fn_index(fn);
    ir_fn_print_cfg(p, fn, false, &s);
    assert_string_equal(s.v,
                        "@\"a\\22b\"\n    ^in.0 -> ^loop.1\n"
                        "    ^loop.1 -> ^loop.1 (back), ^out.2    ; header of loop 0, depth 1\n    ^out.2\n");
    vec_clear(&s);
    ir_fn_print_cfg(p, fn, true, &s);
    assert_string_equal(s.v, "digraph \"a\\\"b\" {\n"
                             "    node [shape=box];\n"
                             "    b0 [label=\"^in.0\\n\"];\n"
                             "    b0 -> b1 [label=\"\"];\n"
                             "    b1 [label=\"^loop.1\\nline 3\\nheader of loop 0, depth 1\"];\n"
                             "    b1 -> b1 [label=\"1\", style=dashed];\n"
                             "    b1 -> b2 [label=\"0\"];\n"
                             "    b2 [label=\"^out.2\\nline 4\\n\"];\n"
                             "}\n");
    str_free(&s);
    ir_program_free(p);
}

static void calls_as_text_and_graphviz(void **state)
{
    (void)state;
    IrProgram *p = must_parse("fn @e()\n"
                              "fn @f(%p:64) {\n^0:\n    call @g()\n    call @e()\n    call @g()\n"
                              "    callptr %p()\n    ret\n}\n"
                              "fn @g() {\n^0:\n    ret\n}\n");
    Str s = {0};
    ir_program_print_callgraph(p, false, &s);
    assert_string_equal(s.v, "e (external)\nf -> e, g, (pointer)\ng\n");
    vec_clear(&s);
    ir_program_print_callgraph(p, true, &s);
    assert_string_equal(s.v,
                        "digraph calls {\n    node [shape=box];\n"
                        "    \"e\" [style=dashed];\n"
                        "    \"f\";\n    \"f\" -> \"e\";\n    \"f\" -> \"g\";\n    \"f\" -> \"(pointer)\";\n"
                        "    \"g\";\n}\n");
    str_free(&s);
    ir_program_free(p);
}

/* A loop: its head's phi is told of the block that now comes before it. */
static void a_block_that_is_split_stays_well_formed(void **state)
{
    (void)state;
    IrProgram *p = must_parse("fn @f(%n.0:32) -> 32 {\n^entry.0:\n    jmp ^head.1\n^head.1:\n    %i.1 = "
                              "phi.32 ^entry.0: 0, ^body.2: %3\n"
                              "    %2 = slt.32 %i.1, %n.0\n    br %2, ^body.2, ^out.3\n^body.2:\n    %3 = "
                              "add.32 %i.1, 1\n    %4 = add.32 %3, 1\n"
                              "    jmp ^head.1\n^out.3:\n    ret %i.1\n}\n");
    IrFn *fn = &p->fns.v[ir_fn_find(p, "f")];
    uint32_t body = ir_block_split(p, fn, 2, 1), head = ir_block_split(p, fn, 1, 1);
    must_verify(p);
    assert_int_equal(fn->blocks.v[2].insns.n, 2);
    assert_int_equal(fn->blocks.v[body].insns.n, 2);
    assert_int_equal(fn->blocks.v[head].insns.n, 2);
    ir_fn_index(fn);
    assert_int_equal(fn->loops.n, 1);
    assert_int_equal(fn->loop_of.v[body], 0);
    assert_int_equal(fn->regs.v[4].block, body); /* %4 went there, %3 stayed */
    assert_int_equal(fn->regs.v[4].insn, 0);
    assert_int_equal(fn->regs.v[3].block, 2);
    ir_program_free(p);
}

/* A program that has every opcode, calls with several results among them: each register is defined where an
 * instruction says so, and only there. */
static void registers_know_their_definitions(void **state)
{
    (void)state;
    Str text = read_source("tests/ir/every.ir");
    IrProgram *p = must_parse_n(text.v, text.n);
    U32Vec defs = {0};
    uint32_t found = 0, together = 0;
    ir_program_index(p);
    for (uint32_t f = 0; f < p->fns.n; f++) {
        const IrFn *fn = &p->fns.v[f];
        uint32_t results = 0;
        for (uint32_t r = 0; r < fn->regs.n; r++) {
            assert_true((ir_reg_def(fn, r) != NULL) == (fn->regs.v[r].kind == IR_REG_RESULT));
            results += ir_reg_def(fn, r) != NULL;
        }
        for (uint32_t b = 0; b < fn->blocks.n; b++)
            for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
                ir_insn_defs(fn, &fn->blocks.v[b].insns.v[i], &defs);
                for (uint32_t k = 0; k < defs.n; k++)
                    assert_ptr_equal(ir_reg_def(fn, defs.v[k]), &fn->blocks.v[b].insns.v[i]);
                results -= defs.n;
                found += defs.n;
                together += defs.n > 1;
            }
        assert_int_equal(results, 0);
    }
    assert_true(found > 50 && together);
    vec_free(&defs);
    str_free(&text);
    ir_program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ops_have_texts_that_find_them),
        cmocka_unit_test(pure_ops_are_those_of_bits),
        cmocka_unit_test(names_find_one_function_and_global),
        cmocka_unit_test(a_block_that_is_split_stays_well_formed),
        cmocka_unit_test(registers_know_their_definitions),
        cmocka_unit_test(equal_sites_share_an_index),
        cmocka_unit_test(equal_constants_share_a_register),
        cmocka_unit_test(a_function_built_by_hand_prints_as_expected),
        cmocka_unit_test(extra_lists_follow_each_other),
        cmocka_unit_test(reads_and_defs),
        cmocka_unit_test(successors),
        cmocka_unit_test(calls_come_apart),
        cmocka_unit_test(control_flow_as_text_and_graphviz),
        cmocka_unit_test(calls_as_text_and_graphviz),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
