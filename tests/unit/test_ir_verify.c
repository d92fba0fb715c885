/* The verifier: one well-formed program for each rule that is bent in one place, and the message that must
 * name it. */
#include "test_ir_util.h"

#include "ir/dom.h"

/* ---- breaches that can be written as text ---------------------------------------------------- */

typedef struct Breach {
    const char *name, *text, *error;
} Breach;

#define FN(body) "fn @g(%0:32, ...) -> 32\nfn @f(%a:32, %p:64, %c:1) -> 32 {\n^0:\n" body "}\n"
#define RET      "    ret %a\n"

static const Breach breaches[] = {
    {"global alignment", "global $g 4 align 3\n", "global g: alignment 3 is no power of two"},
    {"global alignment zero", "global $g 4 align 0\n", "global g: alignment 0 is no power of two"},
    {"declared global with contents", "global $g 4 align 4 extern {\n    0 \"a\"\n}\n",
     "global g: contents without a definition"},
    {"address beyond a global", "global $g 8 align 8 {\n    1 $g\n}\n",
     "global g: address at offset 1 is outside"},
    {"address in a tiny global", "global $g 7 align 8 {\n    0 $g\n}\n",
     "global g: address at offset 0 is outside"},
    {"addresses overlap", "global $g 16 align 8 {\n    0 $g\n    7 $g\n}\n",
     "global g: addresses overlap or are out of order"},
    {"addresses out of order", "global $g 16 align 8 {\n    8 $g\n    0 $g\n}\n",
     "global g: addresses overlap or are out of order"},
    {"address of a block that is not there",
     "global $g 8 align 8 {\n    0 @f^1\n}\nfn @f() {\n^0:\n    ret\n}\n", "constant names block 1 of 1"},
    {"address of a block of a declaration", "fn @e()\n" FN("    %x = load.32 @e^0, align 4\n" RET),
     "fn f: constant names block 0 of 0"},
    {"defined without blocks", "fn @f() {\n}\n", "fn f: defined, but without blocks"},
    {"empty block", FN("    jmp ^1\n^1:\n"), "fn f, block 1: empty"},
    {"no terminator", FN("    %x = add.32 %a, %a\n"), "fn f, block 0, insn 0: the block ends with 'add'"},
    {"terminator inside", FN(RET RET), "fn f, block 0, insn 0: 'ret' before the end of the block"},
    {"phi in the entry", FN("    %x = phi.32\n" RET), "fn f, block 0, insn 0: a phi in the entry"},
    {"phi behind another", FN("    jmp ^1\n^1:\n    %y = add.32 %a, %a\n    %x = phi.32 ^0: %a\n" RET),
     "fn f, block 1, insn 1: a phi behind another instruction"},
    {"jump to the entry", FN("    jmp ^0\n"), "fn f, block 0, insn 0: jumps to the entry"},
    {"goto to the entry", FN("    goto %p, [^0]\n"), "fn f, block 0, insn 0: jumps to the entry"},
    {"result of another width", FN("    %x = add.64 %p, %p\n    store.32 %p, %x, align 4\n" RET),
     "fn f, block 0, insn 1: register 3 has 64 bits, not 32"},
    {"operands of different widths", FN("    %x = add.32 %a, %p\n" RET),
     "fn f, block 0, insn 0: register 1 has 64 bits, not 32"},
    {"comparison of different widths", FN("    %x = eq.32 %a, %p\n" RET),
     "fn f, block 0, insn 0: register 1 has 64 bits, not 32"},
    {"address of 32 bits", FN("    %x = load.8 %a, align 1\n" RET),
     "fn f, block 0, insn 0: register 0 has 32 bits, not 64"},
    {"branch on 32 bits", FN("    br %a, ^1, ^1\n^1:\n" RET),
     "fn f, block 0, insn 0: register 0 has 32 bits, not 1"},
    {"select by 32 bits", FN("    %x = select.32 %a, %a, %a\n" RET),
     "fn f, block 0, insn 0: register 0 has 32 bits, not 1"},
    {"memset with 32 bits", FN("    memset %p, %a, %p\n" RET),
     "fn f, block 0, insn 0: register 0 has 32 bits, not 8"},
    {"offset by 32 bits", FN("    %x = offset %p, %a\n" RET),
     "fn f, block 0, insn 0: register 0 has 32 bits, not 64"},
    {"index of 65 bits", FN("    %x = index %p, 1:65, scale 4\n" RET),
     "fn f, block 0, insn 0: an index of 65 bits"},
    {"longjmp with 64 bits", FN("    longjmp %p, %p\n"),
     "fn f, block 0, insn 0: register 1 has 64 bits, not 32"},
    {"bswap of 9 bits", FN("    %x = bswap.9 1\n" RET),
     "fn f, block 0, insn 0: 'bswap' has no meaning from 9 to 9 bits"},
    {"float of 33 bits", FN("    %x = fadd.33 1, 1\n" RET),
     "fn f, block 0, insn 0: 'fadd' has no meaning from 33 to 33 bits"},
    {"float comparison of 1 bit", FN("    %x = folt.1 %c, %c\n" RET),
     "fn f, block 0, insn 0: 'folt' has no meaning from 1 to 1 bits"},
    {"trunc that extends", FN("    %x = trunc.64 %a\n" RET),
     "fn f, block 0, insn 0: 'trunc' has no meaning from 32 to 64 bits"},
    {"zext that cuts", FN("    %x = zext.8 %a\n" RET),
     "fn f, block 0, insn 0: 'zext' has no meaning from 32 to 8 bits"},
    {"load's alignment", FN("    %x = load.8 %p, align 6\n" RET),
     "fn f, block 0, insn 0: alignment 6 is no power of two"},
    {"alloca's alignment", FN("    %x = alloca 8, align 0\n" RET),
     "fn f, block 0, insn 0: alignment 0 is no power of two"},
    {"flag of a call", FN("    %x = add.32 %a, %a noreturn\n" RET),
     "fn f, block 0, insn 0: 'add' cannot be noreturn"},
    {"flag of arithmetic", FN("    %x = load.8 %p, align 1 nsw\n" RET),
     "fn f, block 0, insn 0: 'load' cannot be nsw"},
    {"flag of memory", FN("    %x = alloca 8, align 8 volatile\n" RET),
     "fn f, block 0, insn 0: 'alloca' cannot be volatile"},
    {"flag of alloca", FN("    %x = load.8 %p, align 1 fixed\n" RET),
     "fn f, block 0, insn 0: 'load' cannot be fixed"},
    {"fixed alloca of variable size", FN("    %x = alloca %p, align 8 fixed\n" RET),
     "fn f, block 0, insn 0: a fixed alloca has a constant size and stands in the entry"},
    {"fixed alloca elsewhere", FN("    jmp ^1\n^1:\n    %x = alloca 8, align 8 fixed\n" RET),
     "fn f, block 1, insn 0: a fixed alloca has a constant size and stands in the entry"},
    {"vastart", FN("    vastart %p\n" RET),
     "fn f, block 0, insn 0: vastart in a function without variable arguments"},
    {"case that is no constant", FN("    switch.32 %a, [%a -> ^1], ^1\n^1:\n" RET),
     "fn f, block 0, insn 0: case 0 is no integer constant"},
    {"undefined case", FN("    switch.32 %a, [undef -> ^1], ^1\n^1:\n" RET),
     "fn f, block 0, insn 0: case 0 is no integer constant"},
    {"case of another width", FN("    switch.32 %a, [1:8 -> ^1], ^1\n^1:\n" RET),
     "fn f, block 0, insn 0: register 3 has 8 bits, not 32"},
    {"case twice", FN("    switch.32 %a, [1 -> ^1, 2 -> ^1, 1 -> ^1], ^1\n^1:\n" RET),
     "fn f, block 0, insn 0: case 2 occurs a second time"},
    {"switch on another width", FN("    switch.8 %a, [1 -> ^1], ^1\n^1:\n" RET),
     "fn f, block 0, insn 0: register 0 has 32 bits, not 8"},
    {"too few values returned", FN("    ret\n"),
     "fn f, block 0, insn 0: returns 0 values, the function has 1"},
    {"too many values returned", FN("    ret %a, %a\n"),
     "fn f, block 0, insn 0: returns 2 values, the function has 1"},
    {"value of another width returned", FN("    ret %p\n"),
     "fn f, block 0, insn 0: register 1 has 64 bits, not 32"},
    {"byval argument of 32 bits", FN("    call @g(%a, ..., %a byval 8 align 8)\n" RET),
     "fn f, block 0, insn 0: register 0 has 32 bits, not 64"},
    {"byval argument without alignment", FN("    call @g(%a, ..., %p byval 8)\n" RET),
     "fn f, block 0, insn 0: alignment 0 of an argument is no power of two"},
    {"structure behind 32 bits", "fn @h(%a:32 byval 8 align 8)\n",
     "fn h: parameter 0 is an address of 32 bits"},
    {"result without alignment", "fn @h(%a:64 sret 8 align 3)\n", "fn h: parameter 0 has an alignment of 3"},
    {"part beyond the argument", "fn @h(%a:64 part 0 of 12, %a.1:64 part 8 of 12)\n",
     "fn h: parameter 1 is a part beyond its 12 bytes"},
    {"callptr through 32 bits", FN("    callptr %a()\n" RET),
     "fn f, block 0, insn 0: register 0 has 32 bits, not 64"},
    {"address constant of 32 bits", FN("    %x = add.32 @g:32, %a\n" RET),
     "fn f: address constant of 32 bits"},
    {"phi of another width", FN("    jmp ^1\n^1:\n    %x = phi.32 ^0: %p\n" RET),
     "fn f, block 1, insn 0: register 1 has 64 bits, not 32"},
    {"phi names no predecessor", FN("    jmp ^1\n^1:\n    %x = phi.32 ^0: %a, ^1: %a\n" RET),
     "fn f, block 1, insn 0: the phi names block 1, no predecessor"},
    {"phi names one twice", FN("    br %c, ^1, ^1\n^1:\n    %x = phi.32 ^0: %a, ^0: %a\n" RET),
     "fn f, block 1, insn 0: the phi names block 0 twice"},
    {"phi leaves one out", FN("    br %c, ^1, ^2\n^1:\n    jmp ^2\n^2:\n    %x = phi.32 ^0: %a\n" RET),
     "fn f, block 2, insn 0: the phi names 1 of 2 predecessors"},
    {"phi leaves a dead one out", FN("    jmp ^2\n^1:\n    jmp ^2\n^2:\n    %x = phi.32 ^0: %a\n" RET),
     "fn f, block 2, insn 0: the phi names 1 of 2 predecessors"},
    {"second phi leaves one out",
     FN("    br %c, ^1, ^2\n^1:\n    jmp ^2\n^2:\n    %x = phi.32 ^0: %a, ^1: %a\n    %y = phi.32 ^1: "
        "%a\n" RET),
     "fn f, block 2, insn 1: the phi names 1 of 2 predecessors"},
    {"use before definition", FN("    %x = add.32 %y, %a\n    %y = add.32 %a, %a\n" RET),
     "fn f, block 0, insn 0: the definition of register 4 does not come before its use on every path"},
    {"use in its own definition", FN("    %x = add.32 %x, %a\n" RET),
     "fn f, block 0, insn 0: the definition of register 3 does not come before its use on every path"},
    {"definition on one path only",
     FN("    br %c, ^1, ^2\n^1:\n    %x = add.32 %a, %a\n    jmp ^3\n^2:\n    jmp ^3\n^3:\n    ret %x\n"),
     "fn f, block 3, insn 0: the definition of register 3 does not come before its use on every path"},
    {"definition in dead code", FN("    jmp ^2\n^1:\n    %x = add.32 %a, %a\n    jmp ^2\n^2:\n    ret %x\n"),
     "fn f, block 2, insn 0: the definition of register 3 does not come before its use on every path"},
    {"phi of what the predecessor has not",
     FN("    br %c, ^1, ^2\n^1:\n    %x = add.32 %a, %a\n    jmp ^3\n^2:\n    jmp ^3\n^3:\n"
        "    %y = phi.32 ^1: %a, ^2: %x\n" RET),
     "fn f, block 3, insn 0: the definition of register 3 does not come before its use on every path"},
    {"phi of itself on entering", FN("    jmp ^1\n^1:\n    %x = phi.32 ^0: %x\n" RET),
     "fn f, block 1, insn 0: the definition of register 3 does not come before its use on every path"},
    {"argument of a call later defined", FN("    call @g(%x)\n    %x = add.32 %a, %a\n" RET),
     "fn f, block 0, insn 0: the definition of register 3 does not come before its use on every path"},
};

static void assert_refused(const IrProgram *p, const char *expected)
{
    Arena *a = arena_new();
    const char *error = NULL;
    assert_false(ir_program_verify(p, a, &error));
    assert_string_equal(error, expected);
    arena_free(a);
}

static void breach_in_text(void **state)
{
    const Breach *b = *state;
    IrProgram *p = must_parse(b->text);
    assert_refused(p, b->error);
    ir_program_free(p);
}

/* ---- breaches that only code can make -------------------------------------------------------- */

static const char sound[] = "global $v 16 align 8 {\n    0 $v\n}\n"
                            "fn @e(%0:32)\n"
                            "fn @f(%a.0:32, %p.1:64, %c.2:1) -> 32 !0 {\n"
                            "^0:\n"
                            "    %3 = add.32 %a.0, 7 !0\n"
                            "    br %c.2, ^1, ^2\n"
                            "^1:\n"
                            "    switch.32 %a.0, [1 -> ^2], ^3\n"
                            "^2:\n"
                            "    %5 = phi.32 ^0: %a.0, ^1: %3\n"
                            "    jmp ^3\n"
                            "^3:\n"
                            "    %6:32 = call @e(%3, ..., %p.1 byval 8 align 8)\n"
                            "    ret %6\n"
                            "}\n"
                            "init @e\nconstructor @e\ndestructor @e\n"
                            "site !0 \"f.c\" 1:1 \"f\"\n";

static IrFn *f_of(IrProgram *p) { return &p->fns.v[1]; }
static IrInsn *insn_of(IrProgram *p, uint32_t block, uint32_t insn)
{
    return &f_of(p)->blocks.v[block].insns.v[insn];
}
static IrConst *const_of(IrProgram *p)
{
    return &f_of(p)->consts.v[f_of(p)->regs.v[insn_of(p, 0, 0)->b].value];
}

static void break_fn_name(IrProgram *p) { f_of(p)->name = ir_string(p, "other"); }
static void break_global_name(IrProgram *p) { p->globals.v[0].name = ir_string(p, "other"); }
static void break_init(IrProgram *p) { p->init = 2; }
static void break_constructor(IrProgram *p) { p->constructors.v[0] = 99; }
static void break_destructor(IrProgram *p) { p->destructors.v[0] = IR_NONE; }
static void break_global_site(IrProgram *p) { p->globals.v[0].site = 1; }
static void break_fn_site(IrProgram *p) { f_of(p)->site = 1; }
static void break_insn_site(IrProgram *p) { insn_of(p, 0, 0)->site = 77; }
static void break_reloc_kind(IrProgram *p) { p->globals.v[0].relocs.v[0].value.kind = IR_CONST_INT; }
static void break_reloc_index(IrProgram *p) { p->globals.v[0].relocs.v[0].value.index = 1; }
static void break_reloc_bits(IrProgram *p) { p->globals.v[0].relocs.v[0].value.bits = (u128)1 << 64; }
static void break_reloc_offset(IrProgram *p) { p->globals.v[0].relocs.v[0].offset = UINT64_MAX; }
static void break_result_width(IrProgram *p) { f_of(p)->results.v[0] = 129; }
static void break_nparams(IrProgram *p) { f_of(p)->nparams = 1000; }
static void break_param_kind(IrProgram *p) { f_of(p)->regs.v[1].kind = IR_REG_RESULT; }
static void break_late_param(IrProgram *p) { f_of(p)->regs.v[3].kind = IR_REG_PARAM; }
static void break_reg_kind(IrProgram *p) { f_of(p)->regs.v[3].kind = (IrRegKind)9; }
static void break_reg_width(IrProgram *p) { f_of(p)->regs.v[3].width = 0; }
static void break_const_index(IrProgram *p) { f_of(p)->regs.v[insn_of(p, 0, 0)->b].value = 50; }
static void break_const_kind(IrProgram *p) { const_of(p)->kind = (IrConstKind)17; }
static void break_const_bits(IrProgram *p) { const_of(p)->bits = (u128)1 << 32; }
static void break_const_global(IrProgram *p)
{
    f_of(p)->regs.v[insn_of(p, 0, 0)->b].width = 64;
    *const_of(p) = (IrConst){.kind = IR_CONST_GLOBAL, .index = 1};
}
static void break_const_fn(IrProgram *p)
{
    f_of(p)->regs.v[insn_of(p, 0, 0)->b].width = 64;
    *const_of(p) = (IrConst){.kind = IR_CONST_FN, .index = 2};
}
static void break_declared_blocks(IrProgram *p) { f_of(p)->defined = false; }
static void break_opcode(IrProgram *p) { insn_of(p, 0, 0)->op = 9999; }
static void break_operand(IrProgram *p) { insn_of(p, 0, 0)->a = f_of(p)->regs.n; }
static void break_dst_range(IrProgram *p) { insn_of(p, 0, 0)->dst = IR_NONE; }
static void break_target(IrProgram *p) { insn_of(p, 0, 1)->c = 4; }
static void break_callee(IrProgram *p) { insn_of(p, 3, 0)->a = 2; }
static void break_list_start(IrProgram *p) { insn_of(p, 3, 1)->a = f_of(p)->extra.n; }
static void break_list_count(IrProgram *p) { f_of(p)->extra.v[insn_of(p, 3, 0)->b] = UINT32_MAX; }
static void break_list_end(IrProgram *p) { f_of(p)->extra.v[insn_of(p, 3, 1)->a] = 2; }
static void break_phi_block(IrProgram *p) { f_of(p)->extra.v[insn_of(p, 2, 0)->a + 1] = 9; }
static void break_phi_reg(IrProgram *p) { f_of(p)->extra.v[insn_of(p, 2, 0)->a + 2] = 1000; }
static void break_defines_param(IrProgram *p) { insn_of(p, 0, 0)->dst = 0; }
static void break_defines_const(IrProgram *p) { insn_of(p, 0, 0)->dst = insn_of(p, 0, 0)->b; }
static void break_defines_twice(IrProgram *p) { f_of(p)->extra.v[insn_of(p, 3, 0)->b + 1] = 3; }
static void break_stray_dst(IrProgram *p) { insn_of(p, 2, 1)->dst = 3; }
static void break_call_dst(IrProgram *p) { insn_of(p, 3, 0)->dst = 3; }
static void break_width(IrProgram *p) { insn_of(p, 0, 0)->width = 129; }
static void break_dst_width(IrProgram *p) { insn_of(p, 0, 0)->width = 31; }
static void break_width_of_none(IrProgram *p) { insn_of(p, 2, 1)->width = 8; }
static void break_br_width(IrProgram *p) { insn_of(p, 0, 1)->width = 8; }
static void break_flag(IrProgram *p) { insn_of(p, 0, 0)->flags = 64; }
static void break_var_align(IrProgram *p) { f_of(p)->extra.v[insn_of(p, 3, 0)->b + 7] = 12; }
static void break_undefined_use(IrProgram *p)
{
    f_of(p)->extra.v[insn_of(p, 3, 1)->a + 1] = ir_reg_result(p, f_of(p), 32, NULL);
}

typedef struct Damage {
    const char *name;
    void (*apply)(IrProgram *p);
    const char *error;
} Damage;

#define DAMAGE(what, error)        \
    {                              \
#what, break_##what, error \
    }
static const Damage damages[] = {
    DAMAGE(fn_name, "fn other: not found under its name"),
    DAMAGE(global_name, "global 0 is not found under its name 'other'"),
    DAMAGE(init, "init is function 2 of 2"),
    DAMAGE(constructor, "a constructor is function 99 of 2"),
    DAMAGE(destructor, "a destructor is function 4294967295 of 2"),
    DAMAGE(global_site, "site 1 of 1"),
    DAMAGE(fn_site, "fn f: site 1 of 1"),
    DAMAGE(insn_site, "fn f, block 0, insn 0: site 77 of 1"),
    DAMAGE(reloc_kind, "global v: what stands at offset 0 is no address"),
    DAMAGE(reloc_index, "constant names global 1 of 1"),
    DAMAGE(reloc_bits, "address constant of 64 bits"),
    DAMAGE(reloc_offset, "global v: address at offset 18446744073709551615 is outside"),
    DAMAGE(result_width, "fn f: result of 129 bits"),
    DAMAGE(nparams, "fn f: 1000 parameters but 8 registers"),
    DAMAGE(param_kind, "fn f: register 1: parameters and only they come first"),
    DAMAGE(late_param, "fn f: register 3: parameters and only they come first"),
    DAMAGE(reg_kind, "fn f: register 3: parameters and only they come first"),
    DAMAGE(reg_width, "fn f: register 3 has 0 bits"),
    DAMAGE(const_index, "fn f: register 4 holds constant 50 of 2"),
    DAMAGE(const_kind, "fn f: constant of unknown kind 17"),
    DAMAGE(const_bits, "fn f: constant exceeds its 32 bits"),
    DAMAGE(const_global, "fn f: constant names global 1 of 1"),
    DAMAGE(const_fn, "fn f: constant names function 2 of 2"),
    DAMAGE(declared_blocks, "fn f: blocks in a declaration"),
    DAMAGE(opcode, "fn f, block 0, insn 0: unknown opcode 9999"),
    DAMAGE(operand, "fn f, block 0, insn 0: register 8 of 8"),
    DAMAGE(dst_range, "fn f, block 0, insn 0: register 4294967295 of 8"),
    DAMAGE(target, "fn f, block 0, insn 1: block 4 of 4"),
    DAMAGE(callee, "fn f, block 3, insn 0: function 2 of 2"),
    DAMAGE(list_start, "fn f, block 3, insn 1: a list leaves the pool"),
    DAMAGE(list_count, "fn f, block 3, insn 0: a list leaves the pool"),
    DAMAGE(list_end, "fn f, block 3, insn 1: a list leaves the pool"),
    DAMAGE(phi_block, "fn f, block 2, insn 0: block 9 of 4"),
    DAMAGE(phi_reg, "fn f, block 2, insn 0: register 1000 of 8"),
    DAMAGE(defines_param, "fn f, block 0, insn 0: defines register 0, a parameter"),
    DAMAGE(defines_const, "fn f, block 0, insn 0: defines register 4, a constant"),
    DAMAGE(defines_twice, "fn f, block 3, insn 0: defines register 3 a second time"),
    DAMAGE(stray_dst, "fn f, block 2, insn 1: 'jmp' has no result of its own"),
    DAMAGE(call_dst, "fn f, block 3, insn 0: 'call' has no result of its own"),
    DAMAGE(width, "fn f, block 0, insn 0: 'add' with a width of 129"),
    DAMAGE(dst_width, "fn f, block 0, insn 0: register 3 has 32 bits, not 31"),
    DAMAGE(width_of_none, "fn f, block 2, insn 1: 'jmp' with a width of 8"),
    DAMAGE(br_width, "fn f, block 0, insn 1: 'br' with a width of 8"),
    DAMAGE(flag, "fn f, block 0, insn 0: unknown flag 64"),
    DAMAGE(var_align, "fn f, block 3, insn 0: alignment 12 of an argument is no power of two"),
    DAMAGE(undefined_use, "fn f, block 3, insn 1: register 8 is used but never defined"),
};

static void breach_in_memory(void **state)
{
    const Damage *d = *state;
    IrProgram *p = must_parse(sound);
    must_verify(p);
    d->apply(p);
    assert_refused(p, d->error);
    Str s = printed(p); /* printing it must not crash either */
    str_free(&s);
    ir_program_free(p);
}

/* ---- what must be accepted ------------------------------------------------------------------- */

static const char *const accepted[] = {
    "",
    FN(RET),
    /* several edges from one predecessor, one entry */
    FN("    switch.32 %a, [1 -> ^1, 2 -> ^1], ^1\n^1:\n    %x = phi.32 ^0: %a\n    ret %x\n"),
    /* a phi that reads itself or a later phi around a loop */
    FN("    jmp ^1\n^1:\n    %x = phi.32 ^0: %a, ^1: %x\n    %y = phi.32 ^0: %a, ^1: %z\n"
       "    %z = phi.32 ^0: 1, ^1: %y\n"
       "    br %c, ^1, ^2\n^2:\n    ret %z\n"),
    /* dead code may use what does not reach it, and a phi may take it from there */
    FN("    jmp ^2\n^1:\n    %x = add.32 %y, %x\n    jmp ^2\n^2:\n    %v = phi.32 ^0: %a, ^1: %y\n"
       "    %y = add.32 %v, 1\n    ret %y\n"),
    /* a phi without entries in a block without predecessors */
    FN(RET "^1:\n    %x = phi.32\n    ret %x\n"),
    /* arguments that do not fit the callee are the program's affair */
    FN("    call @g()\n    %x:64 = call @g(%p, %p, %p)\n" RET),
    /* equal bits of different widths as cases of different switches; all cases of a bit */
    FN("    switch.1 %c, [0 -> ^1, 1 -> ^1], ^1\n^1:\n" RET),
    /* an irreducible cycle whose entry defines what both use */
    FN("    %x = add.32 %a, 1\n    br %c, ^1, ^2\n^1:\n    %y = add.32 %x, 1\n    jmp ^2\n^2:\n"
       "    %z = add.32 %x, 1\n    br %c, ^1, ^3\n"
       "^3:\n    ret %z\n"),
};

static void sound_programs_are_accepted(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < COUNT_OF(accepted); i++) {
        IrProgram *p = must_parse(accepted[i]);
        must_verify(p);
        ir_program_free(p);
    }
}

/* ---- dominators against their definition ----------------------------------------------------- */

/* The blocks reachable from the entry without passing `without`, as bits. */
static uint32_t reach_without(const uint32_t *to, uint32_t n, uint32_t without)
{
    uint32_t reached = without == 0 ? 0 : 1, before;
    do {
        before = reached;
        for (uint32_t b = 0; b < n; b++)
            if (reached >> b & 1)
                reached |= to[b] & ~(without < n ? 1u << without : 0);
    } while (reached != before);
    return reached;
}

static void dominators_of_random_graphs(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 3);
    for (unsigned round = 0; round < 5000; round++) {
        uint32_t n = 2 + (uint32_t)rng_below(&rng, 14), to[16] = {0};
        for (uint64_t edges = n + rng_below(&rng, n); edges-- > 0;)
            to[rng_below(&rng, n)] |= 1u << (1 + rng_below(&rng, n - 1));
        IrProgram *p = ir_program_new();
        IrFn *fn = fn_new(p, "f");
        uint32_t x = ir_reg_param(p, fn, 64, NULL);
        for (uint32_t b = 0; b < n; b++) {
            uint32_t list[17] = {0};
            for (uint32_t t = 0; t < n; t++)
                if (to[b] >> t & 1)
                    list[++list[0]] = t;
            ir_block_add(p, fn, NULL);
            ir_emit(fn, b, (IrInsn){.op = IR_GOTO, .a = x, .b = ir_extra_add(fn, list, list[0] + 1)});
        }
        Arena *a = arena_new();
        Dom d = dom_compute(fn, a);
        uint32_t reached = reach_without(to, n, 99);
        for (uint32_t b = 0; b < n; b++) {
            assert_int_equal(dom_reached(&d, b), reached >> b & 1);
            for (uint32_t k = 0; k < n && (reached >> b & 1); k++)
                assert_int_equal(dom_dominates(&d, k, b),
                                 (reached >> k & 1) && (k == b || !(reach_without(to, n, k) >> b & 1)));
        }
        arena_free(a);
        ir_program_free(p);
    }
}

int main(void)
{
    Vec(struct CMUnitTest) tests = {0};
    vec_push(&tests, (struct CMUnitTest)cmocka_unit_test(sound_programs_are_accepted));
    vec_push(&tests, (struct CMUnitTest)cmocka_unit_test(dominators_of_random_graphs));
    for (uint32_t i = 0; i < COUNT_OF(breaches); i++)
        vec_push(&tests,
                 (struct CMUnitTest){breaches[i].name, breach_in_text, NULL, NULL, (void *)&breaches[i]});
    for (uint32_t i = 0; i < COUNT_OF(damages); i++)
        vec_push(&tests,
                 (struct CMUnitTest){damages[i].name, breach_in_memory, NULL, NULL, (void *)&damages[i]});
    int failed = _cmocka_run_group_tests("ir_verify", tests.v, tests.n, NULL, NULL);
    vec_free(&tests);
    return failed;
}
