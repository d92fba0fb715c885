/* test_vm_ops.c - every pure operator, on many widths and operands: the machine must agree with bits_apply.
 * Each operator is run with operands in registers, with a constant on either side, and where it yields a bit,
 * under a branch; with and without shadows. */
#include "vm_text.h"

static u128 random_value(Rng *r, unsigned width)
{
    u128 v = (u128)rng_next(r) << 64 | rng_next(r);
    switch (rng_below(r, 6)) {
    case 0: v = rng_below(r, 4); break;
    case 1: v = -(u128)rng_below(r, 4); break;
    case 2: v = (u128)1 << rng_below(r, 128); break;
    case 3: v = rng_below(r, 200); break;
    default: break;
    }
    return v & bits_mask(width);
}

static u128 random_float(Rng *r, unsigned width)
{
    static const double values[] = {0.0, -0.0, 1.0, -1.5, 3.25e10, -7e-9, 1e300, 2147483648.0, -9.3e18, 0.1};
    double d = values[rng_below(r, COUNT_OF(values))];
    if (rng_below(r, 8) == 0)
        d = __builtin_nan("");
    if (rng_below(r, 8) == 0)
        d = __builtin_inf();
    switch (width) {
    case 32: return bits_of_float((float)d);
    case 64: return bits_of_double(d);
    default: return bits_of_ldouble(d);
    }
}

/* One instruction to try: operands, widths, result. */
typedef struct Try {
    BitsOp op;
    unsigned width, source, n;
    unsigned operand_width[3];
    u128 v[3], expect;
} Try;

static bool is_division(BitsOp op)
{
    return op == BITS_UDIV || op == BITS_SDIV || op == BITS_UREM || op == BITS_SREM;
}

static bool reads_float(BitsOp op) { return bits_op_is_float(op) && op != BITS_UITOFP && op != BITS_SITOFP; }

static Try random_try(Rng *r, BitsOp op, unsigned width, unsigned source)
{
    Try t = {.op = op, .width = width, .source = source, .n = bits_op_arity(op)};
    bool cast = bits_op_result(op) == BITS_RESULT_CAST, bit = bits_op_result(op) == BITS_RESULT_BIT;
    for (unsigned i = 0; i < t.n; i++) {
        unsigned w = cast ? source : op == BITS_SELECT && i == 0 ? 1 : width;
        t.operand_width[i] = w;
        t.v[i] = reads_float(op) ? random_float(r, w) : random_value(r, w);
    }
    if (is_division(op)) { /* what would be a fault is another test's */
        if (t.v[1] == 0)
            t.v[1] = 1;
        if (t.v[1] == bits_mask(width) && op != BITS_UDIV && op != BITS_UREM)
            t.v[1] = 1 & bits_mask(width);
        if (width == 1)
            t.v[0] = 0;
    }
    t.expect = bits_apply(op, width, source, t.v[0], t.v[1], t.v[2]);
    t.width = bit ? 1 : width;
    return t;
}

static void add_number(Str *s, u128 v)
{
    str_printf(s, "0x%llx%016llx", (unsigned long long)(v >> 64), (unsigned long long)v);
}

/* fn @tN: returns whether the instruction gives the expected value. constants: bit i set, operand i is a
 * constant. */
static void add_fn(Str *s, unsigned number, const Try *t, unsigned constants)
{
    const char *text = bits_op_text(t->op);
    unsigned shown = bits_op_result(t->op) == BITS_RESULT_BIT ? t->operand_width[0] : t->width;
    str_printf(s, "fn @t%u(%%a:%u, %%b:%u, %%c:%u, %%e:%u) -> 32 {\n^entry:\n    %%r = %s.%u ", number,
               t->operand_width[0], t->n > 1 ? t->operand_width[1] : 1, t->n > 2 ? t->operand_width[2] : 1,
               t->width, text, shown);
    for (unsigned i = 0; i < t->n; i++) {
        str_add(s, i ? ", " : "");
        if (constants >> i & 1) {
            add_number(s, t->v[i]);
            str_printf(s, ":%u", t->operand_width[i]);
        } else {
            str_printf(s, "%%%c", "abc"[i]);
        }
    }
    if (t->width == 1) /* as the condition of a branch */
        str_add(s, "\n    br %r, ^yes, ^no\n^yes:\n    %x = zext.32 %e\n    ret %x\n"
                   "^no:\n    %y = eq.1 %e, 0\n    %z = zext.32 %y\n    ret %z\n}\n");
    else
        str_printf(s, "\n    %%ok = eq.%u %%r, %%e\n    %%x = zext.32 %%ok\n    ret %%x\n}\n", t->width);
}

static void add_call(Str *s, unsigned number, const Try *t)
{
    str_printf(s, "    %%r%u:32 = call @t%u(", number, number);
    for (unsigned i = 0; i < 3; i++) {
        add_number(s, i < t->n ? t->v[i] : 0);
        str_printf(s, ":%u, ", i < t->n ? t->operand_width[i] : 1);
    }
    add_number(s, t->expect);
    str_printf(s,
               ":%u)\n    %%ok%u = eq.32 %%r%u, 1\n    br %%ok%u, ^next%u, ^bad%u\n^bad%u:\n    ret "
               "%u:32\n^next%u:\n",
               t->width, number, number, number, number, number, number, number + 1, number);
}

typedef Vec(Try) Tries;

static void run(const Tries *tries, const unsigned *constants, uint64_t checks)
{
    Str s = {0};
    for (uint32_t i = 0; i < tries->n; i++)
        add_fn(&s, i, &tries->v[i], constants[i]);
    str_add(&s, "fn @main() -> 32 {\n^entry:\n");
    for (uint32_t i = 0; i < tries->n; i++)
        add_call(&s, i, &tries->v[i]);
    str_add(&s, "    ret 0:32\n}\n");
    TextRun r = text_run_with(str_text(&s), (VmOptions){.checks = checks});
    if (r.result.ending != VM_END_RETURN)
        fail_msg("ending %d, %s", r.result.ending, r.result.message);
    if (r.result.status) {
        const Try *t = &tries->v[r.result.status - 1];
        fail_msg("%s width %u source %u: 0x%llx%016llx, 0x%llx%016llx, expected 0x%llx%016llx, constants %u",
                 bits_op_text(t->op), t->operand_width[0], t->width, (unsigned long long)(t->v[0] >> 64),
                 (unsigned long long)t->v[0], (unsigned long long)(t->v[1] >> 64),
                 (unsigned long long)t->v[1], (unsigned long long)(t->expect >> 64),
                 (unsigned long long)t->expect, constants[r.result.status - 1]);
    }
    text_end(&r);
    str_free(&s);
}

static const unsigned widths[] = {1, 3, 8, 13, 16, 24, 31, 32, 33, 48, 63, 64, 65, 80, 96, 127, 128};

static void try_all(uint64_t checks, uint64_t seed)
{
    Rng rng;
    rng_seed(&rng, seed);
    for (unsigned op = 0; op < BITS_COUNT; op++) {
        Tries tries = {0};
        Vec(unsigned) constants = {0};
        for (size_t i = 0; i < COUNT_OF(widths); i++) {
            for (size_t j = 0; j < COUNT_OF(widths); j++) {
                bool cast = bits_op_result(op) == BITS_RESULT_CAST;
                if ((!cast && j) || !bits_widths_ok(op, widths[i], widths[j]))
                    continue;
                for (unsigned c = 0; c < 4; c++) {
                    unsigned all = (1u << bits_op_arity(op)) - 1;
                    vec_push(&tries, random_try(&rng, op, widths[i], widths[j]));
                    vec_push(&constants, c == 0 ? 0 : (c == 3 ? (unsigned)rng_below(&rng, 8) : c) & all);
                }
            }
        }
        run(&tries, constants.v, checks);
        vec_free(&tries);
        vec_free(&constants);
    }
}

static void test_plain(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++)
        try_all(0, seed);
}

static void test_shadow(void **state)
{
    (void)state;
    uint64_t checks = 0;
    vm_check_by_word("uninit", &checks);
    for (uint64_t seed = 1; seed <= 3; seed++)
        try_all(checks, 100 + seed);
}

/* Loads and stores of all widths, through every way to address. */
static void test_memory_widths(void **state)
{
    (void)state;
    for (unsigned width = 1; width <= 128; width++) {
        Str s = {0};
        u128 v = bits_mask(width) / 3 * 2 + 1;
        unsigned size = (width + 7) / 8;
        str_printf(
            &s,
            "global $g 64 align 16\nfn @main() -> 32 {\n^entry:\n    %%p = alloca 64, align 16 fixed\n"
            "    %%q = offset %%p, 16\n    %%i = select.32 1, %u, 0\n    %%x = index %%p, %%i, scale 1\n"
            "    %%h = offset $g, 8\n    %%y = index $g, %%i, scale 1\n",
            64 - size);
        const char *const places[] = {"%p", "%q", "%x", "$g", "%h", "%y"};
        for (unsigned i = 0; i < COUNT_OF(places); i++) {
            str_printf(&s, "    store.%u %s, ", width, places[i]);
            add_number(&s, v);
            str_printf(&s, ", align 1\n    %%v%u = load.%u %s, align 1\n    %%ok%u = eq.%u %%v%u, ", i, width,
                       places[i], i, width, i);
            add_number(&s, v);
            str_printf(&s, "\n    br %%ok%u, ^next%u, ^bad%u\n^bad%u:\n    ret %u:32\n^next%u:\n", i, i, i, i,
                       i + 1, i);
        }
        str_add(&s, "    ret 0:32\n}\n");
        expect_status(str_text(&s), 0);
        str_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_shadow),
        cmocka_unit_test(test_memory_widths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
