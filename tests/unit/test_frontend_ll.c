/* test_frontend_ll.c - LLVM's text: intrinsics, vectors and aggregates, held against what they must compute.
 * Without pointers, so that the text is the same for LLVM 14 and later. */
#include "frontend_host.h"

static void expect(const IrProgram *p, const char *fn, const u128 *args, u128 wanted)
{
    u128 out[64];
    assert_int_equal(host_run(p, fn, args, out), 1);
    if (out[0] != wanted)
        fail_msg("%s gives %#llx, not %#llx", fn, (unsigned long long)out[0], (unsigned long long)wanted);
}

static void test_vectors(void **state)
{
    Host *h = *state;
    IrProgram *p = host_load(
        h, "v.ll",
        "define i32 @join(<4 x i8> %v) {\n  %r = bitcast <4 x i8> %v to i32\n  ret i32 %r\n}\n"
        "define <2 x i16> @split(i32 %x) {\n  %r = bitcast i32 %x to <2 x i16>\n  ret <2 x i16> %r\n}\n"
        "define <3 x i16> @regroup(<2 x i24> %x) {\n  %r = bitcast <2 x i24> %x to <3 x i16>\n  ret <3 x "
        "i16> %r\n}\n"
        "define i8 @mask(<8 x i1> %v) {\n  %r = bitcast <8 x i1> %v to i8\n  ret i8 %r\n}\n"
        "define i32 @pick(<4 x i32> %v, i64 %i) {\n  %r = extractelement <4 x i32> %v, i64 %i\n  ret i32 "
        "%r\n}\n"
        "define <2 x i32> @put(<2 x i32> %v, i32 %x, i32 %i) {\n  %r = insertelement <2 x i32> %v, i32 %x, "
        "i32 %i\n  ret <2 x i32> %r\n}\n"
        "define <3 x i8> @mix(<2 x i8> %a, <2 x i8> %b) {\n"
        "  %r = shufflevector <2 x i8> %a, <2 x i8> %b, <3 x i32> <i32 3, i32 0, i32 2>\n  ret <3 x i8> "
        "%r\n}\n"
        "define <2 x i32> @which(<2 x i1> %c, <2 x i32> %a) {\n  %r = select <2 x i1> %c, <2 x i32> %a, <2 x "
        "i32> <i32 7, i32 8>\n"
        "  ret <2 x i32> %r\n}\n"
        "declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)\n"
        "define i32 @sum(<4 x i32> %v) {\n  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)\n  ret "
        "i32 %r\n}\n");
    u128 out[4];
    expect(p, "join", (u128[]){0x11, 0x22, 0x33, 0x44}, 0x44332211);
    expect(p, "mask", (u128[]){1, 0, 0, 0, 0, 1, 0, 1}, 0xa1);
    assert_int_equal(host_run(p, "split", (u128[]){0x12345678}, out), 2);
    assert_true(out[0] == 0x5678 && out[1] == 0x1234);
    assert_int_equal(host_run(p, "regroup", (u128[]){0x332211, 0x665544}, out), 3);
    assert_true(out[0] == 0x2211 && out[1] == 0x4433 && out[2] == 0x6655);
    for (unsigned i = 0; i < 4; i++)
        expect(p, "pick", (u128[]){10, 20, 30, 40, i}, 10 + 10 * i);
    assert_int_equal(host_run(p, "put", (u128[]){1, 2, 9, 1}, out), 2);
    assert_true(out[0] == 1 && out[1] == 9);
    assert_int_equal(host_run(p, "mix", (u128[]){1, 2, 3, 4}, out), 3);
    assert_true(out[0] == 4 && out[1] == 1 && out[2] == 3);
    assert_int_equal(host_run(p, "which", (u128[]){0, 1, 5, 6}, out), 2);
    assert_true(out[0] == 7 && out[1] == 6);
    expect(p, "sum", (u128[]){1, 2, 3, 4}, 10);
    ir_program_free(p);
}

static void test_integer_intrinsics(void **state)
{
    Host *h = *state;
    IrProgram *p = host_load(
        h, "i.ll",
        "declare {i8, i1} @llvm.sadd.with.overflow.i8(i8, i8)\ndeclare i8 @llvm.usub.sat.i8(i8, i8)\n"
        "declare i32 @llvm.fshl.i32(i32, i32, i32)\ndeclare i32 @llvm.ctlz.i32(i32, i1)\ndeclare i32 "
        "@llvm.abs.i32(i32, i1)\n"
        "declare i64 @llvm.expect.i64(i64, i64)\ndeclare i1 @llvm.is.constant.i32(i32)\ndeclare void "
        "@llvm.assume(i1)\n"
        "define {i8, i1} @over(i8 %a, i8 %b) {\n  %r = call {i8, i1} @llvm.sadd.with.overflow.i8(i8 %a, i8 "
        "%b)\n  ret {i8, i1} %r\n}\n"
        "define i8 @sat(i8 %a, i8 %b) {\n  %r = call i8 @llvm.usub.sat.i8(i8 %a, i8 %b)\n  ret i8 %r\n}\n"
        "define i32 @rotate(i32 %a, i32 %n) {\n  %r = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 %n)\n  ret "
        "i32 %r\n}\n"
        "define i32 @zeros(i32 %a) {\n  %b = call i32 @llvm.abs.i32(i32 %a, i1 false)\n"
        "  %r = call i32 @llvm.ctlz.i32(i32 %b, i1 false)\n  ret i32 %r\n}\n"
        "define i64 @likely(i64 %a) {\n  %c = icmp ne i64 %a, 0\n  call void @llvm.assume(i1 %c)\n"
        "  %r = call i64 @llvm.expect.i64(i64 %a, i64 1)\n  %f = freeze i64 %r\n  ret i64 %f\n}\n"
        "define i1 @known(i32 %a) {\n  %r = call i1 @llvm.is.constant.i32(i32 %a)\n  ret i1 %r\n}\n"
        "define i16 @nested({i8, {i16, i16}} %s) {\n  %t = insertvalue {i8, {i16, i16}} %s, i16 9, 1, 0\n"
        "  %a = extractvalue {i8, {i16, i16}} %t, 1, 0\n  %q = extractvalue {i8, {i16, i16}} %t, 1\n"
        "  %b = extractvalue {i16, i16} %q, 1\n  %r = add i16 %a, %b\n  ret i16 %r\n}\n"
        "define i128 @wide(i128 %a) {\n  %r = sub i128 %a, 170141183460469231731687303715884105727\n  ret "
        "i128 %r\n}\n");
    u128 out[2];
    assert_int_equal(host_run(p, "over", (u128[]){100, 100}, out), 2);
    assert_true(out[0] == 200 && out[1] == 1);
    expect(p, "sat", (u128[]){3, 5}, 0);
    expect(p, "rotate", (u128[]){0x80000001, 4}, 0x18);
    expect(p, "zeros", (u128[]){(uint32_t)-16}, 27);
    expect(p, "likely", (u128[]){77}, 77);
    expect(p, "known", (u128[]){77}, 0);
    expect(p, "nested", (u128[]){1, 2, 3}, 12);
    expect(p, "wide", (u128[]){0}, ~(u128)0 - bits_mask(127) + 1);
    ir_program_free(p);
}

/* In a loop, so that an operand comes before its definition, with a type of its own in the bitcode. */
static void test_flags(void **state)
{
    Host *h = *state;
    IrProgram *p = host_load(
        h, "w.ll",
        "define i32 @f(i32 %a, i1 %c) {\nentry:\n  br label %loop\nloop:\n  %i = phi i32 [0, %entry], [%n, "
        "%loop]\n"
        "  %n = add nuw nsw i32 %i, 1\n  %m = mul i32 %n, %n\n  br i1 %c, label %loop, label %out\nout:\n"
        "  %s = shl nuw i32 %m, 2\n  %q = sub nsw i32 %s, %a\n  %e = lshr exact i32 %q, 1\n  %d = sdiv i32 "
        "%e, 3\n  ret i32 %d\n}\n"
        "define float @g(float %a) {\n  %r = fadd nnan ninf float %a, %a\n  ret float %r\n}\n"
        "define i32 @dead(i32 %a) {\nentry:\n  ret i32 %a\nback:\n  %x = add i32 %y, 1\n  br label "
        "%next\nnext:\n"
        "  %y = mul nsw i32 %a, 2\n  br label %back\n}\n"
        "define i32 @last(i32 %a) {\n  %r = mul nsw i32 %a, %a\n  ret i32 %r\n}\n");
    assert_int_equal(host_first(p, "f", IR_ADD)->flags, IR_NSW | IR_NUW);
    assert_int_equal(host_first(p, "f", IR_MUL)->flags, 0);
    assert_int_equal(host_first(p, "f", IR_SHL)->flags, IR_NUW);
    assert_int_equal(host_first(p, "f", IR_SUB)->flags, IR_NSW);
    assert_int_equal(host_first(p, "f", IR_LSHR)->flags, IR_EXACT);
    assert_int_equal(host_first(p, "f", IR_SDIV)->flags, 0);
    assert_int_equal(host_first(p, "g", IR_FADD)->flags, 0);
    assert_int_equal(host_first(p, "last", IR_MUL)->flags, IR_NSW);
    ir_program_free(p);
}

static void test_float_intrinsics(void **state)
{
    Host *h = *state;
    IrProgram *p = host_load(
        h, "f.ll",
        "declare double @llvm.minimum.f64(double, double)\ndeclare double @llvm.maximum.f64(double, double)\n"
        "declare i8 @llvm.fptosi.sat.i8.f64(double)\ndeclare i8 @llvm.fptoui.sat.i8.f64(double)\n"
        "declare i64 @llvm.lround.i64.f64(double)\ndeclare double @llvm.fmuladd.f64(double, double, double)\n"
        "define double @min(double %a, double %b) {\n  %r = call double @llvm.minimum.f64(double %a, double "
        "%b)\n  ret double %r\n}\n"
        "define double @max(double %a, double %b) {\n  %r = call double @llvm.maximum.f64(double %a, double "
        "%b)\n  ret double %r\n}\n"
        "define i8 @s8(double %a) {\n  %r = call i8 @llvm.fptosi.sat.i8.f64(double %a)\n  ret i8 %r\n}\n"
        "define i8 @u8(double %a) {\n  %r = call i8 @llvm.fptoui.sat.i8.f64(double %a)\n  ret i8 %r\n}\n"
        "define i64 @nearest(double %a) {\n  %r = call i64 @llvm.lround.i64.f64(double %a)\n  ret i64 %r\n}\n"
        "define double @twice(double %a) {\n  %r = call double @llvm.fmuladd.f64(double %a, double 2.0, "
        "double 0.5)\n  ret double %r\n}\n"
        "define i1 @more(double %a, double %b) {\n  %r = fcmp ugt double %a, %b\n  ret i1 %r\n}\n"
        "define x86_fp80 @third() {\n  ret x86_fp80 0xK3FFDAAAAAAAAAAAAAAAB\n}\n");
    u128 one = bits_of_double(1), minus = bits_of_double(-0.0), zero = 0,
         nan = bits_of_double(__builtin_nan(""));
    expect(p, "min", (u128[]){zero, minus}, minus);
    expect(p, "min", (u128[]){one, minus}, minus);
    expect(p, "max", (u128[]){minus, zero}, zero);
    expect(p, "max", (u128[]){minus, one}, one);
    expect(p, "min", (u128[]){one, nan}, nan);
    expect(p, "s8", (u128[]){bits_of_double(1e9)}, 127);
    expect(p, "s8", (u128[]){bits_of_double(-1e9)}, 128);
    expect(p, "s8", (u128[]){bits_of_double(-3.7)}, (uint8_t)-3);
    expect(p, "u8", (u128[]){bits_of_double(-3.7)}, 0);
    expect(p, "u8", (u128[]){bits_of_double(255.5)}, 255);
    expect(p, "u8", (u128[]){nan}, 0);
    expect(p, "nearest", (u128[]){bits_of_double(-2.5)}, (uint64_t)-3);
    expect(p, "twice", (u128[]){bits_of_double(1.25)}, bits_of_double(3.0));
    expect(p, "more", (u128[]){one, nan}, 1);
    expect(p, "more", (u128[]){zero, one}, 0);
    expect(p, "third", NULL, (u128)0x3ffd << 64 | 0xaaaaaaaaaaaaaaabu);
    ir_program_free(p);
}

/* Every class of LLVM's mask, for a value of each. The intrinsic came with LLVM 15. */
static void test_classes_of_floats(void **state)
{
    Host *h = *state;
    if (atoi(frontend_llvm_version()) < 15)
        skip();
    Str text = {0};
    str_add(&text, "declare i1 @llvm.is.fpclass.f32(float, i32)\n");
    for (unsigned bit = 0; bit < 10; bit++)
        str_printf(&text,
                   "define i1 @c%u(float %%x) {\n  %%r = call i1 @llvm.is.fpclass.f32(float %%x, i32 %u)\n  "
                   "ret i1 %%r\n}\n",
                   bit, 1u << bit);
    str_add(&text, "define i1 @finite(float %x) {\n  %r = call i1 @llvm.is.fpclass.f32(float %x, i32 504)\n  "
                   "ret i1 %r\n}\n");
    IrProgram *p = host_load(h, "c.ll", str_text(&text));
    static const uint32_t samples[10] = {0x7f800001, 0xffc00000, 0xff800000, 0xbf800000, 0x80000001,
                                         0x80000000, 0,          1,          0x00800000, 0x7f800000};
    for (unsigned bit = 0; bit < 10; bit++)
        for (unsigned i = 0; i < 10; i++)
            expect(p, arena_printf(h->arena, "c%u", bit), (u128[]){samples[i]}, i == bit);
    for (unsigned i = 0; i < 10; i++)
        expect(p, "finite", (u128[]){samples[i]}, i >= 3 && i <= 8);
    ir_program_free(p);
    str_free(&text);
}

static void test_what_cannot_be_expressed(void **state)
{
    Host *h = *state;
    IrProgram *p = host_load(
        h, "u.ll",
        "declare i64 @llvm.readcyclecounter()\n"
        "define i256 @huge(i256 %a) {\n  %r = mul i256 %a, %a\n  ret i256 %r\n}\n"
        "define half @tiny(half %a) {\n  %r = fadd half %a, %a\n  ret half %r\n}\n"
        "define i64 @clock(i1 %c) {\nentry:\n  br i1 %c, label %a, label %b\na:\n  %t = call i64 "
        "@llvm.readcyclecounter()\n"
        "  %u = add i64 %t, 1\n  br label %b\nb:\n  %r = phi i64 [0, %entry], [%u, %a]\n  ret i64 %r\n}\n");
    assert_int_equal(host_count(p, "huge", IR_UNSUPPORTED), 1);
    assert_int_equal(host_count(p, "tiny", IR_UNSUPPORTED), 1);
    assert_int_equal(host_count(p, "clock", IR_UNSUPPORTED), 1);
    assert_int_equal(host_count(p, "clock", IR_RET), 1); /* the other way still works */
    assert_int_equal(host_fn(p, "clock")->blocks.n, 3);
    ir_program_free(p);
}

static void test_symbols_without_names(void **state)
{
    Host *h = *state;
    IrProgram *p = host_load(h, "n.ll",
                             "@0 = global i32 1\n@1 = global i32 2\ndefine i32 @2() {\n  ret i32 3\n}\n"
                             "define i32 @3() {\n  %r = call i32 @2()\n  ret i32 %r\n}\n");
    assert_int_equal(p->globals.n, 2);
    assert_int_equal(p->globals.v[0].bytes[0] + p->globals.v[1].bytes[0], 3);
    assert_int_equal(p->fns.n, 4); /* both, and ours for constructors and destructors */
    ir_program_free(p);
}

static void test_library_functions_of_intrinsics(void **state)
{
    Host *h = *state;
    IrProgram *p = host_load(
        h, "l.ll",
        "declare float @llvm.sin.f32(float)\ndeclare <2 x double> @llvm.pow.v2f64(<2 x double>, <2 x "
        "double>)\n"
        "define float @s(float %a) {\n  %r = call float @llvm.sin.f32(float %a)\n  ret float %r\n}\n"
        "define <2 x double> @q(<2 x double> %a) {\n  %r = call <2 x double> @llvm.pow.v2f64(<2 x double> "
        "%a, <2 x double> %a)\n"
        "  ret <2 x double> %r\n}\n"
        "define internal double @pow(double %a) {\n  ret double %a\n}\n");
    assert_int_equal(host_first(p, "s", IR_CALL)->a, ir_fn_find(p, "sinf"));
    assert_int_equal(host_count(p, "q", IR_CALL), 2);
    uint32_t pow = host_first(p, "q", IR_CALL)->a;
    assert_string_equal(ir_text(p, p->fns.v[pow].name), "pow");
    assert_false(p->fns.v[pow].defined); /* libm's, not the module's own */
    assert_int_equal(p->fns.v[pow].nparams, 2);
    ir_program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_integer_intrinsics),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_float_intrinsics),
        cmocka_unit_test(test_classes_of_floats),
        cmocka_unit_test(test_what_cannot_be_expressed),
        cmocka_unit_test(test_symbols_without_names),
        cmocka_unit_test(test_library_functions_of_intrinsics),
    };
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
