/* Tests of bits: every integer operator exhaustively on widths 1 to 5 against a definition in plain integers,
 * on wide random words against a bit-by-bit definition; floats against the host and against tables taken from
 * compiled code. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "bits/bits.h"

/* ---- the naive definitions, for widths up to 8 ----------------------------------------------- */

static int64_t as_signed(int64_t a, int w) { return a >= (1 << (w - 1)) ? a - (1 << w) : a; }
static int64_t as_unsigned(int64_t a, int w) { return ((a % (1 << w)) + (1 << w)) % (1 << w); }

static int64_t clamp(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high : x; }

static int64_t bit_loop(BitsOp op, int w, int64_t a)
{
    int64_t r = 0;
    for (int i = 0; i < w; i++)
        switch (op) {
        case BITS_BITREV: r |= (a >> i & 1) << (w - 1 - i); break;
        case BITS_CTPOP: r += a >> i & 1; break;
        case BITS_CTLZ: r = a >> i & 1 ? 0 : r + 1; break;
        case BITS_CTTZ: r = a >> (w - 1 - i) & 1 ? 0 : r + 1; break;
        default: fail();
        }
    return r;
}

static int64_t naive(BitsOp op, int w, int64_t a, int64_t b, int64_t c)
{
    int64_t sa = as_signed(a, w), sb = as_signed(b, w), top = (1 << w) - 1, least = -(1 << (w - 1)),
            most = -least - 1;
    int64_t pair = a << w | b;
    switch (op) {
    case BITS_ADD: return a + b;
    case BITS_SUB: return a - b;
    case BITS_MUL: return a * b;
    case BITS_UDIV: return b ? a / b : top;
    case BITS_SDIV: return sb ? sa / sb : sa < 0 ? 1 : -1;
    case BITS_UREM: return b ? a % b : a;
    case BITS_SREM: return sb ? sa % sb : sa;
    case BITS_AND: return a & b;
    case BITS_OR: return a | b;
    case BITS_XOR: return a ^ b;
    case BITS_SHL: return b >= w ? 0 : a << b;
    case BITS_LSHR: return b >= w ? 0 : a >> b;
    case BITS_ASHR: return sa >> (b >= w ? w : b);
    case BITS_UMIN: return a < b ? a : b;
    case BITS_UMAX: return a < b ? b : a;
    case BITS_SMIN: return sa < sb ? a : b;
    case BITS_SMAX: return sa < sb ? b : a;
    case BITS_UADD_SAT: return clamp(a + b, 0, top);
    case BITS_SADD_SAT: return clamp(sa + sb, least, most);
    case BITS_USUB_SAT: return clamp(a - b, 0, top);
    case BITS_SSUB_SAT: return clamp(sa - sb, least, most);
    case BITS_USHL_SAT: return clamp(a << b, 0, top);
    case BITS_SSHL_SAT: return clamp(sa * ((int64_t)1 << b), least, most);
    case BITS_UADD_OVF: return a + b > top;
    case BITS_SADD_OVF: return sa + sb < least || sa + sb > most;
    case BITS_USUB_OVF: return a - b < 0;
    case BITS_SSUB_OVF: return sa - sb < least || sa - sb > most;
    case BITS_UMUL_OVF: return a * b > top;
    case BITS_SMUL_OVF: return sa * sb < least || sa * sb > most;
    case BITS_EQ: return a == b;
    case BITS_NE: return a != b;
    case BITS_ULT: return a < b;
    case BITS_ULE: return a <= b;
    case BITS_SLT: return sa < sb;
    case BITS_SLE: return sa <= sb;
    case BITS_ABS: return sa < 0 ? -sa : sa;
    case BITS_BSWAP: return a;
    case BITS_BITREV:
    case BITS_CTPOP:
    case BITS_CTLZ:
    case BITS_CTTZ: return bit_loop(op, w, a);
    case BITS_FSHL: return pair << c % w >> w;
    case BITS_FSHR: return pair >> c % w;
    case BITS_SELECT: return a & 1 ? b : c;
    default: fail();
    }
    return 0;
}

static void integers_exhaustively(void **state)
{
    (void)state;
    for (int w = 1; w <= 5; w++)
        for (BitsOp op = BITS_ADD; op <= BITS_SELECT; op++) {
            int arity = (int)bits_op_arity(op), n = 1 << w;
            bool bit = bits_op_result(op) == BITS_RESULT_BIT;
            if (!bits_widths_ok(op, (unsigned)w, (unsigned)w))
                continue;
            for (int a = 0; a < (op == BITS_SELECT ? 2 : n); a++)
                for (int b = 0; b < (arity > 1 ? n : 1); b++)
                    for (int c = 0; c < (arity > 2 ? n : 1); c++) {
                        u128 got = bits_apply(op, (unsigned)w, 0, (u128)a, (u128)b, (u128)c);
                        u128 want = (u128)as_unsigned(naive(op, w, a, b, c), bit ? 1 : w);
                        if (got != want)
                            fail_msg("%s/%d (%d, %d, %d): %d, not %d", bits_op_text(op), w, a, b, c, (int)got,
                                     (int)want);
                    }
        }
}

static void casts_exhaustively(void **state)
{
    (void)state;
    for (int from = 1; from <= 6; from++)
        for (int to = 1; to <= 8; to++)
            for (int a = 0; a < 1 << from; a++) {
                if (to <= from)
                    assert_int_equal(bits_apply(BITS_TRUNC, (unsigned)to, (unsigned)from, (u128)a, 0, 0),
                                     as_unsigned(a, to));
                if (to >= from) {
                    assert_int_equal(bits_apply(BITS_ZEXT, (unsigned)to, (unsigned)from, (u128)a, 0, 0), a);
                    assert_int_equal(bits_apply(BITS_SEXT, (unsigned)to, (unsigned)from, (u128)a, 0, 0),
                                     as_unsigned(as_signed(a, from), to));
                }
            }
}

/* ---- wide words: bit by bit ------------------------------------------------------------------ */

static u128 random_word(Rng *r, unsigned w)
{
    u128 x = (u128)rng_next(r) << 64 | rng_next(r);
    switch (rng_below(r, 6)) {
    case 0: x >>= rng_below(r, 128); break;
    case 1: x = (u128)1 << rng_below(r, 128); break;
    case 2: x = ~((u128)1 << rng_below(r, 128)); break;
    case 3: x = (u128)rng_below(r, 4) - 2; break;
    default: break;
    }
    return x & bits_mask(w);
}

static unsigned bit(u128 a, unsigned i) { return (unsigned)(a >> i & 1); }

static u128 serial_add(u128 a, u128 b, unsigned carry, unsigned w, unsigned *carry_out)
{
    u128 r = 0;
    for (unsigned i = 0; i < w; i++) {
        unsigned s = bit(a, i) + bit(b, i) + carry;
        r |= (u128)(s & 1) << i;
        carry = s >> 1;
    }
    *carry_out = carry;
    return r;
}

/* Shift-and-add over 2w bits held as (high, low); *high is the part that does not fit. */
static u128 serial_mul(u128 a, u128 b, unsigned w, u128 *high)
{
    u128 lo = 0, hi = 0;
    for (unsigned i = 0; i < w; i++) {
        if (!bit(b, i))
            continue;
        unsigned carry;
        lo = serial_add(lo, a << i & bits_mask(w), 0, w, &carry);
        hi = serial_add(hi, i ? a >> (w - i) : 0, carry, w, &carry);
    }
    *high = hi;
    return lo;
}

static u128 serial_div(u128 a, u128 b, unsigned w, u128 *rem)
{
    u128 q = 0, r = 0;
    for (unsigned i = w; i-- > 0;) {
        bool carry = w == 128 && bit(r, 127);
        r = (r << 1 | bit(a, i)) & bits_mask(128);
        if (carry || r >= b) {
            r -= b;
            q |= (u128)1 << i;
        }
    }
    *rem = r;
    return q;
}

#define APPLY(OP, a, b)  bits_apply(BITS_##OP, w, w, a, b, 0)
#define CHECK(got, want) assert_true((got) == (want))

static void check_arithmetic(unsigned w, u128 a, u128 b)
{
    u128 mask = bits_mask(w), high, rem;
    unsigned carry, top = w - 1;
    u128 sum = serial_add(a, b, 0, w, &carry);
    CHECK(APPLY(ADD, a, b), sum);
    CHECK(APPLY(UADD_OVF, a, b), carry);
    CHECK(APPLY(SADD_OVF, a, b), bit(a, top) == bit(b, top) && bit(sum, top) != bit(a, top));
    u128 difference = serial_add(a, ~b & mask, 1, w, &carry);
    CHECK(APPLY(SUB, a, b), difference);
    CHECK(APPLY(USUB_OVF, a, b), !carry);
    CHECK(APPLY(SSUB_OVF, a, b), bit(a, top) != bit(b, top) && bit(difference, top) != bit(a, top));
    u128 product = serial_mul(a, b, w, &high);
    CHECK(APPLY(MUL, a, b), product);
    CHECK(APPLY(UMUL_OVF, a, b), high != 0);
    u128 abs_a = APPLY(ABS, a, 0), abs_b = APPLY(ABS, b, 0), least = (u128)1 << top;
    CHECK(abs_a, bit(a, top) ? (-a & mask) : a);
    u128 abs_product = serial_mul(abs_a, abs_b, w, &high);
    bool minus = bit(a, top) != bit(b, top);
    CHECK(APPLY(SMUL_OVF, a, b), high != 0 || abs_product > (minus ? least : least - 1));
    if (b != 0) {
        u128 q = serial_div(a, b, w, &rem);
        CHECK(APPLY(UDIV, a, b), q);
        CHECK(APPLY(UREM, a, b), rem);
        q = serial_div(abs_a, abs_b, w, &rem);
        CHECK(APPLY(SDIV, a, b), (minus ? -q : q) & mask);
        CHECK(APPLY(SREM, a, b), (bit(a, top) ? -rem : rem) & mask);
    }
    CHECK(APPLY(ULT, a, b), a < b);
    CHECK(APPLY(SLT, a, b), (a ^ least) < (b ^ least));
    CHECK(APPLY(SMAX, a, b), (a ^ least) < (b ^ least) ? b : a);
}

static void check_shifts(unsigned w, u128 a, u128 b, unsigned by)
{
    for (unsigned i = 0; i < w; i++) {
        CHECK(bit(APPLY(SHL, a, by), i), i >= by ? bit(a, i - by) : 0);
        CHECK(bit(APPLY(LSHR, a, by), i), i + by < w ? bit(a, i + by) : 0);
        CHECK(bit(APPLY(ASHR, a, by), i), bit(a, i + by < w ? i + by : w - 1));
        CHECK(bit(bits_apply(BITS_FSHL, w, w, a, b, by), i),
              i >= by % w ? bit(a, i - by % w) : bit(b, i + w - by % w));
        CHECK(bit(bits_apply(BITS_FSHR, w, w, a, b, by), i),
              i + by % w < w ? bit(b, i + by % w) : bit(a, i + by % w - w));
        CHECK(bit(APPLY(BITREV, a, 0), i), bit(a, w - 1 - i));
        if (w % 8 == 0)
            CHECK(bit(APPLY(BSWAP, a, 0), i), bit(a, w - 8 - i / 8 * 8 + i % 8));
    }
}

static void wide_words(void **state)
{
    (void)state;
    Rng r;
    rng_seed(&r, 1);
    for (int i = 0; i < 1500; i++) {
        unsigned w = i % 3 ? 1 + (unsigned)rng_below(&r, 128) : 8u << rng_below(&r, 5);
        u128 a = random_word(&r, w), b = random_word(&r, w);
        check_arithmetic(w, a, b);
        unsigned by = (unsigned)rng_below(&r, w + 3);
        if ((u128)by <= bits_mask(w))
            check_shifts(w, a, b, by);
        unsigned zeros = 0, ones = 0;
        while (zeros < w && !bit(a, w - 1 - zeros))
            zeros++;
        for (unsigned k = 0; k < w; k++)
            ones += bit(a, k);
        CHECK(APPLY(CTLZ, a, 0), zeros & bits_mask(w));
        CHECK(APPLY(CTTZ, APPLY(BITREV, a, 0), 0), zeros & bits_mask(w));
        CHECK(APPLY(CTPOP, a, 0), ones & bits_mask(w));
    }
}

/* ---- floats ---------------------------------------------------------------------------------- */

static void float_round_trips(void **state)
{
    (void)state;
    assert_true(bits_of_float(1.5f) == 0x3fc00000);
    assert_true(bits_of_double(-2.0) == (u128)0xc0 << 56);
    assert_true(bits_of_ldouble(1.0L) == ((u128)0x3fff << 64 | (u128)1 << 63));
    assert_true(bits_to_float(0x7f800000) == INFINITY);
    assert_true(bits_to_double((u128)0x3ff8 << 48) == 1.5);
    assert_true(bits_to_ldouble((u128)0xbfff << 64 | (u128)1 << 63) == -1.0L);
    /* a signalling NaN survives the way there and back */
    assert_true(bits_of_float(bits_to_float(0x7f800001)) == 0x7f800001);
    assert_true(bits_of_double(bits_to_double(0x7ff0000000000001)) == 0x7ff0000000000001);
}

static void float_operators(void **state)
{
    (void)state;
    const double values[] = {0.0, -0.0, 1.0,    -1.0,  0.5, 1.5,      2.5, -2.5,
                             3.7, -3.7, 1e-320, 1e308, 0.1, INFINITY, NAN};
    for (size_t i = 0; i < COUNT_OF(values); i++)
        for (size_t j = 0; j < COUNT_OF(values); j++) {
            volatile double a = values[i], b = values[j], sum = a + b, quotient = a / b;
            u128 x = bits_of_double(a), y = bits_of_double(b);
            if (!isnan(sum))
                CHECK(bits_apply(BITS_FADD, 64, 0, x, y, 0), bits_of_double(sum));
            if (!isnan(quotient))
                CHECK(bits_apply(BITS_FDIV, 64, 0, x, y, 0), bits_of_double(quotient));
            volatile float fa = (float)a, fb = (float)b, product = fa * fb;
            if (!isnan(product))
                CHECK(bits_apply(BITS_FMUL, 32, 0, bits_of_float(fa), bits_of_float(fb), 0),
                      bits_of_float(product));
            volatile long double la = a, lb = b, difference = la - lb;
            if (!isnan(difference))
                CHECK(bits_apply(BITS_FSUB, 80, 0, bits_of_ldouble(la), bits_of_ldouble(lb), 0),
                      bits_of_ldouble(difference));
            bool un = isnan(a) || isnan(b);
            CHECK(bits_apply(BITS_FOEQ, 64, 0, x, y, 0), !un && a == b);
            CHECK(bits_apply(BITS_FONE, 64, 0, x, y, 0), !un && a != b);
            CHECK(bits_apply(BITS_FOLT, 64, 0, x, y, 0), !un && a < b);
            CHECK(bits_apply(BITS_FOLE, 64, 0, x, y, 0), !un && a <= b);
            CHECK(bits_apply(BITS_FORD, 64, 0, x, y, 0), !un);
            CHECK(bits_apply(BITS_FUNO, 64, 0, x, y, 0), un);
            CHECK(bits_apply(BITS_FUEQ, 64, 0, x, y, 0), un || a == b);
            CHECK(bits_apply(BITS_FUNE, 64, 0, x, y, 0), un || a != b);
            CHECK(bits_apply(BITS_FULT, 64, 0, x, y, 0), un || a < b);
            CHECK(bits_apply(BITS_FULE, 64, 0, x, y, 0), un || a <= b);
        }
}

/* The operation happens in the type itself: in float, 16777216 + 1 is lost. */
static void float_rounding(void **state)
{
    (void)state;
    u128 big = bits_of_float(16777216.0f), one = bits_of_float(1.0f);
    CHECK(bits_apply(BITS_FADD, 32, 0, big, one, 0), big);
    const struct {
        BitsOp op;
        double in, out;
    } table[] = {
        {BITS_FFLOOR, -1.5, -2}, {BITS_FCEIL, -1.5, -1},  {BITS_FTRUNC, -1.5, -1}, {BITS_FROUND, 2.5, 3},
        {BITS_FRINT, 2.5, 2},    {BITS_FSQRT, 2.25, 1.5}, {BITS_FNEG, 0.0, -0.0},  {BITS_FABS, -3, 3},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        BitsOp op = table[i].op;
        CHECK(bits_apply(op, 64, 0, bits_of_double(table[i].in), 0, 0), bits_of_double(table[i].out));
        CHECK(bits_apply(op, 32, 0, bits_of_float((float)table[i].in), 0, 0),
              bits_of_float((float)table[i].out));
        CHECK(bits_apply(op, 80, 0, bits_of_ldouble(table[i].in), 0, 0), bits_of_ldouble(table[i].out));
    }
    u128 nan = bits_of_double(NAN), two = bits_of_double(2), three = bits_of_double(3);
    CHECK(bits_apply(BITS_FMIN, 64, 0, nan, two, 0), two);
    CHECK(bits_apply(BITS_FMAX, 64, 0, two, nan, 0), two);
    CHECK(bits_apply(BITS_FREM, 64, 0, bits_of_double(7.5), two, 0), bits_of_double(1.5));
    CHECK(bits_apply(BITS_FMA, 64, 0, two, three, two), bits_of_double(8));
    CHECK(bits_apply(BITS_FCOPYSIGN, 64, 0, two, bits_of_double(-1), 0), bits_of_double(-2));
    /* which NaN: the default one is negative; of two NaNs the first, made quiet */
    CHECK(bits_apply(BITS_FDIV, 64, 0, 0, 0, 0), (u128)0xfff8 << 48);
    CHECK(bits_apply(BITS_FADD, 32, 0, 0x7f800001, 0xffc00002, 0), 0x7fc00001);
    CHECK(bits_apply(BITS_FADD, 32, 0, 0xffc00002, 0x7f800001, 0), 0xffc00002);
    for (BitsOp op = BITS_FSQRT; op <= BITS_FRINT; op++) {
        CHECK(bits_apply(op, 32, 0, 0x7f85059d, 0, 0), 0x7fc5059d);
        CHECK(bits_apply(op, 64, 0, 0x7ff5059d00000000, 0, 0), 0x7ffd059d00000000);
    }
}

/* What functions compiled by clang -O0 returned: double, then signed 8, 16, 32, 64 and unsigned 8, 16,
 * 32, 64. */
static void float_to_integers(void **state)
{
    (void)state;
    const uint64_t top = (uint64_t)1 << 63;
    const struct {
        double in;
        uint64_t out[8];
    } table[] = {
        {-1.5, {0xff, 0xffff, 0xffffffff, ~(uint64_t)0, 0xff, 0xffff, 0xffffffff, ~(uint64_t)0}},
        {300.7, {0x2c, 0x12c, 0x12c, 0x12c, 0x2c, 0x12c, 0x12c, 0x12c}},
        {70000.5, {0x70, 0x1170, 0x11170, 0x11170, 0x70, 0x1170, 0x11170, 0x11170}},
        {3e9, {0, 0, 0x80000000, 0xb2d05e00, 0, 0, 0xb2d05e00, 0xb2d05e00}},
        {-5e9, {0, 0, 0x80000000, 0xfffffffed5fa0e00, 0, 0, 0xd5fa0e00, 0xfffffffed5fa0e00}},
        {1e19, {0, 0, 0x80000000, top, 0, 0, 0, 0x8ac7230489e80000}},
        {2e19, {0, 0, 0x80000000, top, 0, 0, 0, top}},
        {NAN, {0, 0, 0x80000000, top, 0, 0, 0, top}},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++)
        for (int k = 0; k < 8; k++)
            CHECK(bits_apply(k < 4 ? BITS_FPTOSI : BITS_FPTOUI, 8u << k % 4, 64, bits_of_double(table[i].in),
                             0, 0),
                  table[i].out[k]);
    const struct {
        long double in;
        BitsOp op;
        unsigned width;
        uint64_t out;
    } extended[] = {
        {70000.5L, BITS_FPTOSI, 8, 0},
        {70000.5L, BITS_FPTOSI, 16, 0x8000},
        {70000.5L, BITS_FPTOUI, 16, 0x1170},
        {1e30L, BITS_FPTOUI, 64, 0},
        {1e19L, BITS_FPTOUI, 64, 0x8ac7230489e80000},
        {-1.5L, BITS_FPTOUI, 64, ~(uint64_t)0},
        {NAN, BITS_FPTOUI, 64, 0},
    };
    for (size_t i = 0; i < COUNT_OF(extended); i++)
        CHECK(bits_apply(extended[i].op, extended[i].width, 80, bits_of_ldouble(extended[i].in), 0, 0),
              extended[i].out);
    CHECK(bits_apply(BITS_FPTOSI, 128, 64, bits_of_double(-0x1p100), 0, 0), -((u128)1 << 100));
    CHECK(bits_apply(BITS_FPTOUI, 128, 32, bits_of_float(0x1p100f), 0, 0), (u128)1 << 100);
}

static void float_conversions(void **state)
{
    (void)state;
    CHECK(bits_apply(BITS_UITOFP, 64, 64, ~(uint64_t)0, 0, 0), bits_of_double(0x1p64));
    CHECK(bits_apply(BITS_SITOFP, 64, 64, ~(uint64_t)0, 0, 0), bits_of_double(-1));
    CHECK(bits_apply(BITS_SITOFP, 32, 8, 0x80, 0, 0), bits_of_float(-128));
    CHECK(bits_apply(BITS_UITOFP, 32, 8, 0x80, 0, 0), bits_of_float(128));
    CHECK(bits_apply(BITS_UITOFP, 32, 64, 0x8000008000000001, 0, 0), bits_of_float(0x1.000002p63f));
    CHECK(bits_apply(BITS_UITOFP, 80, 128, (u128)1 << 127, 0, 0), bits_of_ldouble(0x1p127L));
    CHECK(bits_apply(BITS_FPEXT, 64, 32, bits_of_float(0.1f), 0, 0), bits_of_double((double)0.1f));
    CHECK(bits_apply(BITS_FPTRUNC, 32, 64, bits_of_double(0.1), 0, 0), bits_of_float(0.1f));
    CHECK(bits_apply(BITS_FPTRUNC, 64, 80, bits_of_ldouble(0.1L), 0, 0), bits_of_double((double)0.1L));
    CHECK(bits_apply(BITS_FPEXT, 80, 64, bits_of_double(-1e300), 0, 0), bits_of_ldouble(-1e300));
}

static void widths(void **state)
{
    (void)state;
    assert_true(bits_widths_ok(BITS_ADD, 1, 0) && bits_widths_ok(BITS_ADD, 128, 0));
    assert_false(bits_widths_ok(BITS_ADD, 0, 0) || bits_widths_ok(BITS_ADD, 129, 0));
    assert_true(bits_widths_ok(BITS_BSWAP, 24, 0) && !bits_widths_ok(BITS_BSWAP, 12, 0));
    assert_true(bits_widths_ok(BITS_FADD, 80, 0) && !bits_widths_ok(BITS_FADD, 16, 0));
    assert_true(bits_widths_ok(BITS_FPTOSI, 7, 64) && !bits_widths_ok(BITS_FPTOSI, 8, 7));
    assert_true(bits_widths_ok(BITS_SITOFP, 32, 7) && !bits_widths_ok(BITS_SITOFP, 33, 7));
    assert_false(bits_widths_ok(BITS_ZEXT, 8, 16) || bits_widths_ok(BITS_TRUNC, 16, 8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_exhaustively),
        cmocka_unit_test(casts_exhaustively),
        cmocka_unit_test(wide_words),
        cmocka_unit_test(float_round_trips),
        cmocka_unit_test(float_operators),
        cmocka_unit_test(float_rounding),
        cmocka_unit_test(float_to_integers),
        cmocka_unit_test(float_conversions),
        cmocka_unit_test(widths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
