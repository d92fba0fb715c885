/* Printing and parsing: round trips over every opcode, and text that is wrong or hostile. */
#include "test_ir_util.h"

#include "ir/ir_int.h"

static const char *const corpus[] = {"tests/ir/every.ir", "tests/ir/hand.ir", "tests/ir/names.ir",
                                     "tests/ir/loops.ir"};

/* ---- round trips ----------------------------------------------------------------------------- */

static void files_round_trip(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < COUNT_OF(corpus); i++) {
        Str text = read_source(corpus[i]);
        ir_program_free(must_round_trip(text.v, text.n));
        str_free(&text);
    }
}

static void every_opcode_and_flag_occurs_in_the_file_that_claims_so(void **state)
{
    (void)state;
    Str text = read_source("tests/ir/every.ir");
    IrProgram *p = must_parse_n(text.v, text.n);
    bool seen[IR_OP_COUNT] = {false};
    uint8_t flags = 0;
    for (uint32_t f = 0; f < p->fns.n; f++)
        for (uint32_t b = 0; b < p->fns.v[f].blocks.n; b++)
            for (uint32_t i = 0; i < p->fns.v[f].blocks.v[b].insns.n; i++) {
                seen[p->fns.v[f].blocks.v[b].insns.v[i].op] = true;
                flags |= p->fns.v[f].blocks.v[b].insns.v[i].flags;
            }
    for (unsigned op = 0; op < IR_OP_COUNT; op++)
        if (!seen[op])
            fail_msg("%s does not occur", ir_op_text((IrOp)op));
    for (uint32_t i = 0; i < ir_flag_count; i++)
        assert_true(flags & ir_flag_names[i].flag);
    ir_program_free(p);
    str_free(&text);
}

/* every.ir is as the printer writes it. */
static void printed_text_is_reproduced_to_the_byte(void **state)
{
    (void)state;
    Str text = read_source("tests/ir/every.ir");
    IrProgram *p = must_parse_n(text.v, text.n);
    Str s = printed(p);
    assert_string_equal(s.v, text.v);
    str_free(&s);
    str_free(&text);
    ir_program_free(p);
}

static void assert_same_const(const IrConst *a, const IrConst *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->index, b->index);
    assert_int_equal(a->block, b->block);
    assert_true(a->bits == b->bits);
}

/* Constants may have other numbers; everything else is equal. */
static void assert_same_fn(const IrFn *a, const IrFn *b)
{
    assert_int_equal(a->defined, b->defined);
    assert_int_equal(a->variadic, b->variadic);
    assert_int_equal(a->local, b->local);
    assert_int_equal(a->noreturn, b->noreturn);
    assert_int_equal(a->runtime, b->runtime);
    assert_int_equal(a->site, b->site);
    assert_int_equal(a->nparams, b->nparams);
    assert_int_equal(a->results.n, b->results.n);
    if (a->results.n)
        assert_memory_equal(a->results.v, b->results.v, a->results.n);
    assert_int_equal(a->blocks.n, b->blocks.n);
    for (uint32_t k = 0; k < a->blocks.n; k++) {
        assert_int_equal(a->blocks.v[k].insns.n, b->blocks.v[k].insns.n);
        for (uint32_t i = 0; i < a->blocks.v[k].insns.n; i++) {
            const IrInsn *x = &a->blocks.v[k].insns.v[i], *y = &b->blocks.v[k].insns.v[i];
            assert_int_equal(x->op, y->op);
            assert_int_equal(x->width, y->width);
            assert_int_equal(x->flags, y->flags);
            assert_int_equal(x->site, y->site);
            assert_int_equal(x->dst, y->dst);
            IrSlots s = ir_slots(a, x), t = ir_slots(b, y);
            while (ir_slots_next(&s)) {
                assert_true(ir_slots_next(&t));
                if (s.kind == 'r' && ir_reg_const_of(a, *s.slot))
                    assert_same_const(ir_reg_const_of(a, *s.slot), ir_reg_const_of(b, *t.slot));
                else if (s.kind != 's')
                    assert_int_equal(*s.slot, *t.slot);
                if (s.kind == 'r' || s.kind == 'd')
                    assert_int_equal(a->regs.v[*s.slot].width, b->regs.v[*t.slot].width);
            }
            assert_false(ir_slots_next(&t));
        }
    }
}

static void the_program_read_back_is_the_one_printed(void **state)
{
    (void)state;
    for (uint32_t c = 0; c < COUNT_OF(corpus); c++) {
        Str text = read_source(corpus[c]);
        IrProgram *p = must_parse_n(text.v, text.n);
        Str s = printed(p);
        IrProgram *q = must_parse_n(s.v, s.n);
        assert_int_equal(p->fns.n, q->fns.n);
        for (uint32_t i = 0; i < p->fns.n; i++)
            assert_same_fn(&p->fns.v[i], &q->fns.v[i]);
        assert_int_equal(p->globals.n, q->globals.n);
        for (uint32_t i = 0; i < p->globals.n; i++) {
            const IrGlobal *g = &p->globals.v[i], *h = &q->globals.v[i];
            assert_int_equal(g->size, h->size);
            assert_int_equal(g->align, h->align);
            assert_int_equal(g->constant, h->constant);
            assert_int_equal(g->bytes != NULL, h->bytes != NULL);
            if (g->bytes)
                assert_memory_equal(g->bytes, h->bytes, g->size);
            assert_int_equal(g->relocs.n, h->relocs.n);
            for (uint32_t r = 0; r < g->relocs.n; r++)
                assert_same_const(&g->relocs.v[r].value, &h->relocs.v[r].value);
        }
        str_free(&text);
        str_free(&s);
        ir_program_free(p);
        ir_program_free(q);
    }
}

/* What a text becomes when printed. */
static void assert_prints(const char *text, const char *expected)
{
    IrProgram *p = must_parse(text);
    Str s = printed(p);
    assert_string_equal(str_text(&s), expected);
    str_free(&s);
    ir_program_free(p);
}

static void numbers_are_written_to_be_read(void **state)
{
    (void)state;
    assert_prints(
        "fn @f(%p:64) {\n^0:\n"
        "    callptr %p(255:8, -1:8, 1:1, -1:1, 0x7fffffff:32, 0x80000000:32, 0x80000001:32, "
        "0xffffffffffffffff:64)\n"
        "    callptr %p(0x80000000:64, -2147483648:64, 0x80000000000000000000000000000000:128, 0:128)\n"
        "    ret\n}\n",
        "fn @f(%p.0:64) {\n^0:\n"
        "    callptr %p.0(-1:8, -1:8, 1:1, 1:1, 2147483647:32, 0x80000000:32, -2147483647:32, -1:64)\n"
        "    callptr %p.0(0x80000000:64, 0xffffffff80000000:64, "
        "0x80000000000000000000000000000000:128, 0:128)\n"
        "    ret\n}\n\n");
}

static void numbers_in_the_text_hold(void **state)
{
    (void)state;
    IrProgram *p = must_parse("fn @f(%a:32) -> 32 {\n^0:\n"
                              "    %x.7 = add.32 %a, 1\n    %y = add.32 %x.7, 2\n    %3 = add.32 %y, %a\n"
                              "    ret %3\n}\n");
    IrFn *f = &p->fns.v[0];
    must_verify(p);
    const IrInsn *v = f->blocks.v[0].insns.v;
    assert_int_equal(v[0].dst, 7);
    assert_int_equal(v[0].a, 0);
    assert_int_equal(v[2].dst, 3);
    assert_string_equal(ir_text(p, f->regs.v[7].name), "x");
    assert_int_equal(f->regs.n, 8);
    assert_int_not_equal(v[1].dst, 7);
    /* sharing of constants goes on working behind the parser */
    assert_int_equal(ir_reg_int(p, f, 32, 1), v[0].b);
    assert_int_equal(ir_reg_int(p, f, 32, 2), v[1].b);
    assert_int_equal(f->regs.n, 8);
    ir_program_free(p);
}

/* Only a number as the printer writes it is one; all else belongs to the name. */
static void what_is_a_number_behind_a_name(void **state)
{
    (void)state;
    assert_prints(
        "fn @f(%x.00:8, %x.:8, %x.1x:8, %4294967295:8, %\"y\".4:8, %.5:8, %\"\":8) {\n^a.07:\n    ret\n}\n",
        "fn @f(%x.00.0:8, %x..1:8, %x.1x.2:8, %4294967295.3:8, %y.4:8, %5:8, %6:8) {\n^a.07.0:\n"
        "    ret\n}\n\n");
}

static void zeros_in_globals_are_left_out(void **state)
{
    (void)state;
    assert_prints("global $g 1000 align 1 {\n    500 hex \"01\"\n    0 \"\\00\\00\"\n}\n"
                  "global $z 9 align 1 {\n    0 \"\\00\"\n}\n",
                  "global $g 1000 align 1 {\n"
                  "    480 hex \"0000000000000000000000000000000000000000010000000000000000000000\"\n}\n"
                  "global $z 9 align 1\n\n");
}

/* A dump is most needed for a program that is not well formed. */
static void broken_programs_are_printed_too(void **state)
{
    (void)state;
    IrProgram *p = must_parse("fn @f(%a:32) {\n^0:\n    %b = add.32 %a, %a\n    jmp ^1\n^1:\n    ret\n}\n");
    IrFn *f = &p->fns.v[0];
    f->blocks.v[0].insns.v[0].b = 99;
    f->blocks.v[0].insns.v[1].a = 7;
    f->blocks.v[1].insns.v[0].a = 12345;
    ir_emit(f, 1, (IrInsn){.op = IR_OP_COUNT, .dst = IR_NONE, .site = IR_NONE});
    uint32_t list = ir_extra_add(f, (uint32_t[]){0, 0, 0}, 3);
    ir_emit(f, 1, (IrInsn){.op = IR_CALL, .dst = IR_NONE, .a = 3, .b = list, .site = IR_NONE});
    Str s = printed(p);
    assert_string_equal(s.v, "fn @f(%a.0:32) {\n^0:\n    %b.1 = add.32 %a.0, %?99\n    jmp ^?7\n"
                             "^1:\n    ?ret 12345, 0, 0\n    ? 0, 0, 0\n    call @?3()\n}\n\n");
    str_free(&s);
    ir_program_free(p);
}

/* ---- wrong text ------------------------------------------------------------------------------ */

typedef struct Wrong {
    const char *text, *error;
} Wrong;

#define BODY(line) "fn @f(%a:32, %p:64) -> 32 {\n^0:\n" line "\n}\n"

static const Wrong wrongs[] = {
    {"x", "line 1: expected 'fn', 'global', 'init', 'constructor', 'destructor' or 'site'"},
    {"\n\n  ?", "line 3: unexpected '?'"},
    {"\x01", "line 1: unexpected byte 0x01"},
    {"fn f()", "line 1: expected a name behind 'fn'"},
    {"fn\n@f()", "line 1: expected a name behind 'fn'"},
    {"fn @", "line 1: expected a name behind '@'"},
    {"fn @f", "line 1: expected '('"},
    {"fn @f(", "line 1: expected a register"},
    {"fn @f(%a)", "line 1: expected ':'"},
    {"fn @f(%a:0)", "line 1: expected a width from 1 to 128"},
    {"fn @f(%a:129)", "line 1: expected a width, a number up to 128"},
    {"fn @f(%a:8, %a:8)", "line 1: register defined a second time"},
    {"fn @f(%1:8)", "line 1: parameter 0 is numbered 1"},
    {"fn @f(..., %a:8)", "line 1: expected ')'"},
    {"fn @f() -> x", "line 1: expected a width, a number up to 128"},
    {"fn @f() global", "line 1: unknown property 'global' of a function"},
    {"fn @f() !1", "line 1: site !1 is not in the table"},
    {"fn @f() !4294967295", "line 1: site number out of range"},
    {"fn @f() }", "line 1: expected the end of the line"},
    {"fn @f()\nfn @f()", "line 2: '@f' occurs a second time"},
    {"fn @f() {\n^0:\n ret", "line 3: a function without its '}'"},
    {"fn @f() {\n ret\n}", "line 2: an instruction before the first label"},
    {"fn @f() {\n^1:\n}", "line 2: block 0 is labelled 1"},
    {"fn @f() {\n^a:\n^b:\n^a:\n}", "line 4: label '^a' occurs a second time"},
    {"fn @f() {\n^a:\n jmp ^b\n}", "line 3: unknown block '^b'"},
    {"fn @f() {\n^a.0:\n jmp ^b.0\n}", "line 3: unknown block '^b'"},
    {"fn @f() {\n^a\n}", "line 2: expected ':'"},
    {BODY(" ad.32 %a, %a"), "line 3: unknown opcode 'ad'"},
    {BODY(" 5"), "line 3: expected an opcode"},
    {BODY(" %x = add %a, %a"), "line 3: 'add' needs a width, as in add.32"},
    {BODY(" %x = add.0 %a, %a"), "line 3: bad width '0'"},
    {BODY(" %x = add.129 %a, %a"), "line 3: bad width '129'"},
    {BODY(" %x = add.4294967328 %a, %a"), "line 3: bad width '4294967328'"},
    {BODY(" %x = add.032 %a, %a"), "line 3: bad width '032'"},
    {BODY(" jmp.32 ^0"), "line 3: 'jmp' takes no width"},
    {BODY(" %x = add.32 %a %a"), "line 3: expected ','"},
    {BODY(" %x = add.32 %a,"), "line 3: expected a register or a constant"},
    {BODY(" %x = add.32 %a, ^0"), "line 3: expected a register or a constant"},
    {BODY(" add.32 %a, %a"), "line 3: 'add' has one result"},
    {BODY(" %x, %y = add.32 %a, %a"), "line 3: 'add' has one result"},
    {BODY(" %x = store.32 %p, %a, align 4"), "line 3: 'store' has no result"},
    {BODY(" %x:32 = add.32 %a, %a"), "line 3: the opcode has the width, not the result"},
    {BODY(" %x = call @f()"), "line 3: a call's result needs its width, as in %x:32"},
    {BODY(" call @g()"), "line 3: unknown function '@g'"},
    {BODY(" call %p()"), "line 3: expected the name of a function"},
    {BODY(" call @f(%a"), "line 3: expected ')'"},
    {BODY(" call @f(5)"), "line 3: this constant needs its width, as in 5:32"},
    {BODY(" call @f(%a byval 8)"), "line 3: expected ')'"},
    {BODY(" call @f(%a, ..., %a, ...)"), "line 3: expected a register or a constant"},
    {BODY(" %x = add.32 %a, $g"), "line 3: unknown global '$g'"},
    {BODY(" %x = load.32 @f^b, align 4"),
     "line 3: the address of a block is written with its number alone, as in @f^3"},
    {BODY(" %x = load.32 @f+9223372036854775808, align 4"), "line 3: offset of more than 64 bits"},
    {BODY(" %x = add.8 256, 1"), "line 3: the number does not fit 8 bits"},
    {BODY(" %x = add.8 -129, 1"), "line 3: the number does not fit 8 bits"},
    {BODY(" %x = add.8 1x, 1"), "line 3: malformed number"},
    {BODY(" %x = add.8 0x, 1"), "line 3: malformed number"},
    {BODY(" %x = add.128 340282366920938463463374607431768211456, 1"),
     "line 3: number of more than 128 bits"},
    {BODY(" %x = add.32 %a, %b"), "line 3: register '%b' is never defined"},
    {BODY(" %x = add.32 %a, %5"), "line 3: register 5 is never defined"},
    {BODY(" %x = add.32 %a, %a\n %x = add.32 %a, %a"), "line 4: register defined a second time"},
    {BODY(" %a = add.32 %a, %a"), "line 3: register defined a second time"},
    {BODY(" %x.5 = add.32 %a, %y.5"), "line 3: register 5 has another name elsewhere"},
    {BODY(" %x.5000000 = add.32 %a, %a"), "line 4: register numbers leave out too many"},
    {BODY(" %x = eq.8 %a, %a"), "line 3: the operand has 32 bits, the opcode says 8"},
    {BODY(" %x = load.32 %p, 4"), "line 3: expected 'align'"},
    {BODY(" %x = load.32 %p, align 4294967296"), "line 3: expected an immediate, a number up to 4294967295"},
    {BODY(" %x = add.32 %a, %a fast"), "line 3: unknown flag 'fast'"},
    {BODY(" %x = add.32 %a, %a !"), "line 3: malformed number"},
    {BODY(" %x = add.32 %a, %a !0 nsw"), "line 3: expected the end of the line"},
    {BODY(" switch.32 %a, [%a: ^0], ^0"), "line 3: expected '->'"},
    {BODY(" goto %p, [^0"), "line 3: expected ']'"},
    {BODY(" %x = phi.32 %a"), "line 3: expected a block"},
    {BODY(" unsupported x"), "line 3: expected a string without NULs"},
    {BODY(" unsupported \"a\\00b\""), "line 3: expected a string without NULs"},
    {BODY(" unsupported \"a"), "line 3: unfinished string, or a control character in it (write it as \\hh)"},
    {BODY(" unsupported \"a\\x0\""), "line 3: expected two hexadecimal digits behind '\\'"},
    {BODY(" %\"x\\00\" = add.32 %a, %a"), "line 3: a name holds a NUL"},
    {BODY(" %\"x\".y = add.32 %a, %a"), "line 3: expected a number behind the quoted name"},
    {"global $g", "line 1: expected a size, a number up to 18446744073709551615"},
    {"global $g 18446744073709551616 align 1",
     "line 1: expected a size, a number up to 18446744073709551615"},
    {"global $g 4", "line 1: expected 'align'"},
    {"global $g 4 align 1 odd", "line 1: unknown property 'odd' of a global"},
    {"global $g 4 align 1\nglobal $g 4 align 1", "line 2: '$g' occurs a second time"},
    {"global $g 4 align 1 {\n0 \"12345\"\n}", "line 2: data beyond the global's size"},
    {"global $g 4 align 1 {\n18446744073709551615 \"1\"\n}", "line 2: data beyond the global's size"},
    {"global $g 4 align 1 {\n0 hex \"123\"\n}", "line 2: expected pairs of hexadecimal digits"},
    {"global $g 4 align 1 {\n0 hex \"1g\"\n}", "line 2: expected pairs of hexadecimal digits"},
    {"global $g 4 align 1 {\n0 5\n}", "line 2: expected a string"},
    {"global $g 4 align 1 {\n0 %a\n}", "line 2: expected the name of a function"},
    {"global $g 4 align 1 {\n", "line 2: expected an offset, a number up to 18446744073709551615"},
    {"global $g 1000000000000000 align 1 {\n0 \"1\"\n}",
     "line 2: the globals' contents exceed 268435456 bytes"},
    {"init @f", "line 1: unknown function '@f'"},
    {"fn @f()\ninit @f\ninit @f", "line 3: a second 'init'"},
    {"site !1 \"\" 0:0 \"\"", "line 1: expected site !0: sites are numbered in order"},
    {"site !0 \"\" 0 0 \"\"", "line 1: expected ':'"},
    {"site !0 \"\" 4294967296:0 \"\"", "line 1: expected a line, a number up to 4294967295"},
};

static void wrong_text_is_told_with_its_line(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < COUNT_OF(wrongs); i++) {
        Arena *a = arena_new();
        const char *error = NULL;
        IrProgram *p = ir_program_parse(wrongs[i].text, strlen(wrongs[i].text), a, &error);
        if (p)
            fail_msg("accepted: %s", wrongs[i].text);
        assert_string_equal(error, wrongs[i].error);
        arena_free(a);
    }
}

/* ---- hostile text ---------------------------------------------------------------------------- */

/* Whatever it is, it is refused, or it is a program that can be verified and printed to a fixpoint. */
static void take(const char *text, size_t size)
{
    Arena *a = arena_new();
    const char *error = NULL;
    IrProgram *p = ir_program_parse(text, size, a, &error);
    assert_true((p == NULL) == (error != NULL));
    if (p) {
        ir_program_verify(p, a, &error);
        Str once = printed(p);
        IrProgram *q = must_parse_n(str_text(&once), once.n);
        Str twice = printed(q);
        assert_string_equal(str_text(&once), str_text(&twice));
        str_free(&once);
        str_free(&twice);
        ir_program_free(q);
    }
    ir_program_free(p);
    arena_free(a);
}

static void empty_text_is_an_empty_program(void **state)
{
    (void)state;
    take("", 0);
    take(NULL, 0);
    take("\n\n;\n", 4);
    take("\0", 1);
}

/* The text is in memory of its exact size, so that ASan sees a read beyond it. */
static void every_prefix_of_a_program(void **state)
{
    (void)state;
    Str text = read_source("tests/ir/every.ir");
    for (uint32_t n = 0; n <= text.n; n += n < 600 ? 1 : 13) {
        char *copy = mem_alloc(n + 1u);
        char *exact = n ? memcpy(mem_realloc(copy, n), text.v, n) : copy;
        take(exact, n);
        mem_free(exact);
    }
    str_free(&text);
}

static void random_changes_of_programs(void **state)
{
    (void)state;
    static const char alphabet[] = "%^@$!.,:()[]{}\"\\0123456789-+>=;x \n\xff";
    Rng rng;
    rng_seed(&rng, 4711);
    for (uint32_t c = 0; c < COUNT_OF(corpus); c++) {
        Str text = read_source(corpus[c]);
        for (unsigned round = 0; round < 400; round++) {
            Str s = {0};
            str_add_n(&s, text.v, text.n);
            for (uint64_t k = rng_below(&rng, 4) + 1; k-- > 0;) {
                uint32_t at = (uint32_t)rng_below(&rng, s.n), from = (uint32_t)rng_below(&rng, s.n);
                uint32_t n = (uint32_t)rng_below(&rng, 8);
                if (rng_below(&rng, 2))
                    s.v[at] = alphabet[rng_below(&rng, sizeof alphabet)];
                else if (at + n < s.n && from + n < s.n)
                    memmove(s.v + at, s.v + from, n);
            }
            take(s.v, s.n);
            str_free(&s);
        }
        str_free(&text);
    }
}

static void deep_and_long_text(void **state)
{
    (void)state;
    enum { N = 200000 };
    Str s = {0};
    str_add(&s, "fn @f(%p:64) {\n^0:\n    goto %p, [^1");
    for (unsigned i = 0; i < N; i++)
        str_add(&s, ", ^1");
    str_add(&s, "]\n^1:\n    callptr %p(%p");
    for (unsigned i = 0; i < N; i++)
        str_printf(&s, ", %u:32", i);
    str_add(&s, ")\n    ret\n}\n");
    take(s.v, s.n);
    vec_clear(&s);
    for (unsigned i = 0; i < N; i++)
        str_add_char(&s, "([{\""[i % 4]);
    take(s.v, s.n);
    str_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_round_trip),
        cmocka_unit_test(every_opcode_and_flag_occurs_in_the_file_that_claims_so),
        cmocka_unit_test(printed_text_is_reproduced_to_the_byte),
        cmocka_unit_test(the_program_read_back_is_the_one_printed),
        cmocka_unit_test(numbers_are_written_to_be_read),
        cmocka_unit_test(numbers_in_the_text_hold),
        cmocka_unit_test(what_is_a_number_behind_a_name),
        cmocka_unit_test(zeros_in_globals_are_left_out),
        cmocka_unit_test(broken_programs_are_printed_too),
        cmocka_unit_test(wrong_text_is_told_with_its_line),
        cmocka_unit_test(empty_text_is_an_empty_program),
        cmocka_unit_test(every_prefix_of_a_program),
        cmocka_unit_test(random_changes_of_programs),
        cmocka_unit_test(deep_and_long_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
