/* test_backward.c - parts of `backward` by themselves: memories against arrays of bytes, projection against
 * truth tables, a condition moved over a loop against runs of the loop. */
#include "backward/backward_int.h"
#include "vm_text.h"

enum { SIZE = 32, SYMBOLS = 3, MEMORIES = 400, EVENTS = 24 };

typedef struct Rig {
    Arena *arena;
    IrProgram *program;
    VmEnvironment environment;
    VmInputs inputs;
    Backward *bw;
    Expr symbols[SYMBOLS]; /* 64 bits; they count modulo 8 */
    Rng rng;
} Rig;

#define GLOBALS                                                                             \
    "global $a 32 align 8 {\n    0 \"abcdefghijklmnop\"\n}\nglobal $b 32 align 8 {\n    0 " \
    "\"0123456789\"\n}\n"
#define STORES \
    "    store.8 $a, 1, align 1\n    store.8 $b, 1, align 1\n" /* or they would count as never written */

static Rig rig_of(const char *text, uint64_t seed)
{
    Rig r = {.arena = arena_new(), .environment = text_environment()};
    r.program = text_parse(r.arena, text);
    rng_seed(&r.rng, seed);
    return r;
}

static void rig_start(Rig *r)
{
    r->bw =
        backward_new(r->program, &(BackwardOptions){.inputs = &r->inputs, .environment = &r->environment});
    for (uint32_t i = 0; i < SYMBOLS; i++) {
        char name[8];
        snprintf(name, sizeof name, "x%u", i);
        r->symbols[i] = expr_object_symbol(
            r->bw->pool, expr_object_scalar(r->bw->pool, name, name, 64, (ExprCType){EXPR_C_UINT, 0}));
    }
}

static void rig_end(Rig *r)
{
    backward_free(r->bw);
    ir_program_free(r->program);
    arena_free(r->arena);
}

static uint32_t pick(Rig *r, uint32_t n) { return (uint32_t)rng_below(&r->rng, n); }

/* ---- memories -------------------------------------------------------------------------------- */

/* What a chain of events is under one assignment. */
typedef struct Bytes {
    uint8_t of[2][SIZE];
} Bytes;
typedef struct Memory {
    uint32_t node;
    Bytes bytes;
} Memory;

/* An address, as an expression and as what it is. */
typedef struct Place {
    Expr address;
    uint32_t object, offset;
} Place;

static u128 value_of(Rig *r, const ExprInput *in, Expr e) { return expr_eval_once(r->bw->pool, in, e); }

static Expr object_base(Rig *r, uint32_t object)
{
    uint32_t id = bw_object(r->bw, BW_GLOBAL, object, 0);
    return r->bw->objects.v[id].base;
}

/* (x & 7) * scale + constant, at most 23; a multiple of `align`. */
static Place random_place(Rig *r, const ExprInput *in, uint32_t align)
{
    ExprPool *p = r->bw->pool;
    uint32_t object = pick(r, 2);
    Expr offset = bw_const(r->bw, pick(r, 24 / align) * align);
    if (pick(r, 2)) {
        Expr index =
            expr_and(p, r->symbols[pick(r, SYMBOLS)], bw_const(r->bw, align > 2 ? 24 / align - 1 : 7));
        offset = expr_mul(p, index, bw_const(r->bw, align));
    }
    Expr base = object_base(r, object);
    if (pick(r, 5) == 0) { /* one of two objects */
        Expr when = expr_ult(p, r->symbols[pick(r, SYMBOLS)], bw_const(r->bw, pick(r, 8)));
        base = expr_ite(p, when, object_base(r, 0), object_base(r, 1));
        object = value_of(r, in, when) ? 0 : 1;
    }
    return (Place){expr_add(p, base, offset), object, (uint32_t)value_of(r, in, offset)};
}

static Expr random_word(Rig *r, unsigned bytes)
{
    Expr e = pick(r, 2) ? r->symbols[pick(r, SYMBOLS)] : bw_const(r->bw, rng_next(&r->rng));
    return expr_trunc(r->bw->pool, e, 8 * bytes);
}

static void random_store(Rig *r, const ExprInput *in, Memory *m)
{
    unsigned bytes = 1u << pick(r, 4);
    bool aligned = pick(r, 2);
    Place at = random_place(r, in, aligned ? bytes : 1);
    Expr value = random_word(r, bytes);
    u128 word = value_of(r, in, value);
    m->node = bw_mem_add(r->bw, (BwMemNode){.kind = BW_MEM_STORE,
                                            .below = m->node,
                                            .a = at.address,
                                            .b = value,
                                            .bytes = (uint8_t)bytes,
                                            .aligned = aligned || bytes == 1});
    memcpy(&m->bytes.of[at.object][at.offset], &word, bytes);
}

/* A fill, or a copy from an earlier memory. */
static void random_block(Rig *r, const ExprInput *in, Memory *m, const Memory *from)
{
    ExprPool *p = r->bw->pool;
    Place to = random_place(r, in, 1), source = random_place(r, in, 1);
    Expr n = pick(r, 2) ? bw_const(r->bw, pick(r, 8))
                        : expr_and(p, r->symbols[pick(r, SYMBOLS)], bw_const(r->bw, 7));
    size_t count = (size_t)value_of(r, in, n);
    if (pick(r, 2)) {
        Expr byte = random_word(r, 1);
        m->node = bw_mem_add(
            r->bw, (BwMemNode){.kind = BW_MEM_FILL, .below = m->node, .a = to.address, .b = byte, .c = n});
        memset(&m->bytes.of[to.object][to.offset], (int)value_of(r, in, byte), count);
        return;
    }
    Bytes old = from->bytes;
    m->node = bw_mem_add(r->bw, (BwMemNode){.kind = BW_MEM_COPY,
                                            .below = m->node,
                                            .other = from->node,
                                            .a = to.address,
                                            .b = source.address,
                                            .c = n});
    memcpy(&m->bytes.of[to.object][to.offset], &old.of[source.object][source.offset], count);
}

/* Where an address tells too little, a read is a term that stays: nothing is said of its value. */
static bool is_open(Rig *r, Expr e)
{
    U32Vec cone = {0};
    bool open = false;
    expr_cone(r->bw->pool, &e, 1, &cone);
    for (uint32_t i = 0; i < cone.n; i++)
        open |= bw_is_pending(r->bw, (Expr){cone.v[i]});
    vec_free(&cone);
    return open;
}

/* False: nothing was said. */
static bool random_read(Rig *r, const ExprInput *in, const Memory *m, uint32_t seed)
{
    unsigned bytes = 1u << pick(r, 4);
    bool aligned = pick(r, 2);
    Place at = random_place(r, in, aligned ? bytes : 1);
    Expr value = bw_mem_read(r->bw, m->node, at.address, bytes, aligned);
    u128 expected = 0, got = value_of(r, in, value);
    if (is_open(r, value))
        return false;
    memcpy(&expected, &m->bytes.of[at.object][at.offset], bytes);
    if (got != expected)
        fail_msg("seed %u: %u bytes at object %u + %u are %llx, not %llx", seed, bytes, at.object, at.offset,
                 (unsigned long long)expected, (unsigned long long)got);
    return true;
}

static uint32_t check_memory(uint32_t seed)
{
    Rig r = rig_of(GLOBALS "fn @main() -> 32 {\n^entry:\n" STORES "    ret 0:32\n}\n", seed);
    ExprInput in = {0};
    Memory m[3] = {{.node = BW_MEM_BASE}};
    uint32_t open = 0;
    rig_start(&r);
    for (uint32_t i = 0; i < SYMBOLS; i++)
        expr_input_set(r.bw->pool, &in, r.symbols[i], pick(&r, 8));
    memcpy(m[0].bytes.of[0], "abcdefghijklmnop", 16);
    memcpy(m[0].bytes.of[1], "0123456789", 10);
    m[1] = m[2] = m[0];
    for (uint32_t i = 0; i < EVENTS; i++) {
        Memory *at = &m[pick(&r, 3)];
        switch (pick(&r, 6)) {
        case 0: random_block(&r, &in, at, &m[pick(&r, 3)]); break;
        case 1: {
            const Memory *other = &m[pick(&r, 3)];
            Expr when = expr_ult(r.bw->pool, r.symbols[pick(&r, SYMBOLS)], bw_const(r.bw, pick(&r, 8)));
            Bytes bytes = value_of(&r, &in, when) ? at->bytes : other->bytes;
            *at = (Memory){bw_mem_join(r.bw, when, at->node, other->node), bytes};
            break;
        }
        case 2: *at = m[pick(&r, 3)]; break;
        default: random_store(&r, &in, at);
        }
        open += !random_read(&r, &in, &m[pick(&r, 3)], seed);
    }
    expr_input_free(&in);
    rig_end(&r);
    return open;
}

static void test_memory(void **state)
{
    (void)state;
    uint32_t open = 0;
    for (uint32_t seed = 1; seed <= MEMORIES; seed++)
        open += check_memory(seed);
    assert_true(open < MEMORIES * EVENTS / 10);
}

/* ---- projection ------------------------------------------------------------------------------ */

enum { KNOWN = 2, UNKNOWN = 2, DOMAIN = 4 };

static Expr random_formula(Rig *r, Expr *leaves, unsigned depth)
{
    ExprPool *p = r->bw->pool;
    if (!depth || pick(r, 6) == 0) {
        Expr a = leaves[pick(r, KNOWN + UNKNOWN)],
             b = pick(r, 2) ? leaves[pick(r, KNOWN + UNKNOWN)] : expr_const(p, 2, pick(r, DOMAIN));
        return pick(r, 2) ? expr_eq(p, a, b)
                          : expr_ult(p, expr_add(p, a, b), leaves[pick(r, KNOWN + UNKNOWN)]);
    }
    Expr a = random_formula(r, leaves, depth - 1), b = random_formula(r, leaves, depth - 1);
    switch (pick(r, 4)) {
    case 0: return expr_not(p, a);
    case 1: return expr_and(p, a, b);
    case 2: return expr_or(p, a, b);
    default: return expr_ite(p, a, b, random_formula(r, leaves, depth - 1));
    }
}

/* Never stronger, by truth table and by solver; without what is unknown. */
static void check_projection(Rig *r, Expr *leaves)
{
    ExprPool *p = r->bw->pool;
    Expr e = random_formula(r, leaves, 4), q = bw_project(r->bw, e);
    assert_false(expr_set_meets(p, expr_symbols(p, q), r->bw->unknowns));
    ExprInput in = {0};
    for (uint32_t row = 0; row < 256; row++) {
        for (uint32_t i = 0; i < KNOWN + UNKNOWN; i++)
            expr_input_set(p, &in, leaves[i], row >> 2 * i & 3);
        assert_true(!value_of(r, &in, e) || value_of(r, &in, q));
    }
    expr_input_free(&in);
    assert_true(bw_unsat(r->bw, e, expr_not(p, q), EXPR_TRUE));
}

static void test_projection(void **state)
{
    (void)state;
    Rig r = rig_of("fn @main() -> 32 {\n^entry:\n    ret 0:32\n}\n", 7);
    Expr leaves[KNOWN + UNKNOWN];
    rig_start(&r);
    for (uint32_t i = 0; i < KNOWN; i++) {
        char name[8];
        snprintf(name, sizeof name, "k%u", i);
        leaves[i] = expr_object_symbol(
            r.bw->pool, expr_object_scalar(r.bw->pool, name, name, 2, (ExprCType){EXPR_C_UINT, 0}));
    }
    for (uint32_t i = 0; i < UNKNOWN; i++)
        leaves[KNOWN + i] = bw_fresh(r.bw, 2, "u");
    for (uint32_t i = 0; i < 300; i++)
        check_projection(&r, leaves);
    rig_end(&r);
}

/* ---- conditions moved over a loop ------------------------------------------------------------ */

#define DECLS                                                                                                \
    "fn @__sheaf_symbolic(%p:64, %n:64, %name:64)\nglobal $name 2 align 1 {\n    0 \"x\\00\"\n}\nglobal $x " \
    "4 align 4\nglobal $y 4 align 4\n"
/* s and i change in the loop, an input is added in each round, k does not change. */
#define LOOP                                                                                                \
    DECLS "fn @main() -> 32 {\n^entry:\n    call @__sheaf_symbolic($x, 4:64, $name)\n    %n = load.32 $x, " \
          "align 4\n    jmp ^head\n"                                                                        \
          "^head:\n    %i = phi.32 ^entry: 0, ^body: %i1\n    %s = phi.32 ^entry: 5, ^body: %s1\n    %k = " \
          "phi.32 ^entry: 3, ^body: %k\n"                                                                   \
          "    %c = ult.32 %i, %n\n    br %c, ^body, ^end\n"                                                \
          "^body:\n    call @__sheaf_symbolic($y, 4:64, $name)\n    %y = load.32 $y, align 4\n    %t = "    \
          "add.32 %s, %y\n    %s1 = add.32 %t, %k\n"                                                        \
          "    %i1 = add.32 %i, 1\n    jmp ^head\n^end:\n    %bad = eq.32 %k, 4\n    br %bad, ^never, "     \
          "^done\n^never:\n    ret 1:32\n^done:\n    ret 0:32\n}\n"

static BackwardStatus reach(Backward *bw, uint32_t block)
{
    BackwardPlaces places = {0};
    vec_push(&places, (BackwardPlace){1, block, 0, IR_NONE});
    BackwardAnswer a = backward_reach(bw, &places);
    BackwardStatus status = a.status;
    backward_answer_free(&a);
    vec_free(&places);
    return status;
}

static uint32_t register_named(const Rig *r, const char *name)
{
    const IrFn *f = &r->program->fns.v[1];
    for (uint32_t i = 0; i < f->regs.n; i++)
        if (f->regs.v[i].name && !strcmp(ir_text(r->program, f->regs.v[i].name), name))
            return i;
    fail_msg("no register %s", name);
    return 0;
}

/* Constants: k is one at the head, i and s, which begin as constants, are none. An input that is read on the
 * way is another in each passage. */
static void test_loop(void **state)
{
    (void)state;
    Rig r = rig_of(LOOP, 1);
    rig_start(&r);
    Backward *bw = r.bw;
    assert_int_equal(reach(bw, 4), BACKWARD_UNREACHABLE);
    assert_int_equal(bw->cuts.n, 1);
    uint64_t id, instance = (uint64_t)bw->cuts.v[0].instance << 32;
    uint32_t s = register_named(&r, "s"), i = register_named(&r, "i"), k = register_named(&r, "k");
    assert_true(map_get(&bw->cuts.v[0].registers, instance | k, &id));
    assert_true(expr_is_value(bw->pool, (Expr){(uint32_t)id}, 3));
    assert_false(map_get(&bw->cuts.v[0].registers, instance | i, NULL));
    assert_false(map_get(&bw->cuts.v[0].registers, instance | s, NULL));

    const BwSegment *body = &bw->segments.v[bw->cuts.v[0].segment];
    const BwEnd *back = NULL;
    for (uint32_t e = 0; e < body->ends.n; e++)
        if (body->ends.v[e].kind == BW_END_CUT)
            back = &body->ends.v[e];
    assert_non_null(back);
    Expr sum = bw_reg_symbol(bw, bw->cuts.v[0].instance, s),
         is = expr_eq(bw->pool, sum, expr_const(bw->pool, 32, 100));
    Expr once = bw_compose(bw, bw->cuts.v[0].segment, back, is),
         twice = bw_compose(bw, bw->cuts.v[0].segment, back, once);
    uint32_t unknowns[2] = {0};
    Expr both[2] = {once, twice};
    for (uint32_t e = 0; e < 2; e++) {
        U32Vec cone = {0};
        expr_cone(bw->pool, &both[e], 1, &cone);
        for (uint32_t c = 0; c < cone.n; c++)
            unknowns[e] += bw_is_unknown(bw, (Expr){cone.v[c]});
        vec_free(&cone);
    }
    assert_int_equal(unknowns[0], 1);
    assert_int_equal(unknowns[1], 2);
    rig_end(&r);
}

/* ---- rules of memory that the whole relies on ------------------------------------------------ */

/* An object that was made is not what a pointer of before leads to, and contents of before are not its
 * own. */
static void test_fresh(void **state)
{
    (void)state;
    Rig r = rig_of(GLOBALS "fn @main() -> 32 {\n^entry:\n" STORES "    ret 0:32\n}\n", 1);
    rig_start(&r);
    Backward *bw = r.bw;
    bw_object_new(bw, (BwObject){.kind = BW_HEAP,
                                 .segment = IR_NONE,
                                 .flow = FLOW_OBJECT_ANY,
                                 .size = bw_const(bw, 8),
                                 .name = "h"});
    uint32_t id = bw->objects.n - 1;
    Expr base = bw->objects.v[id].base, fresh = bw_fresh(bw, 64, "uninitialised");
    uint32_t store = bw_mem_add(bw, (BwMemNode){.kind = BW_MEM_STORE,
                                                .below = BW_MEM_BASE,
                                                .a = base,
                                                .b = expr_const(bw->pool, 32, 7),
                                                .bytes = 4,
                                                .aligned = true});
    uint32_t made = bw_mem_add(bw, (BwMemNode){.kind = BW_MEM_NEW, .below = store, .id = id, .a = fresh});
    assert_true(expr_is_value(bw->pool, bw_mem_read(bw, store, base, 4, true), 7));
    assert_false(expr_is_const(bw->pool, bw_mem_read(bw, made, base, 4, true)));
    uint32_t gone = bw_mem_add(bw, (BwMemNode){.kind = BW_MEM_DEAD, .below = made, .id = IR_NONE, .a = base});
    assert_true(expr_is_false(bw_mem_bad(bw, made, base, bw_const(bw, 8), true)));
    assert_true(expr_is_true(bw_mem_bad(bw, made, base, bw_const(bw, 9), true)));
    assert_true(expr_is_true(bw_mem_bad(bw, gone, base, bw_const(bw, 1), false)));
    assert_true(expr_is_true(bw_mem_bad_free(bw, gone, base)));
    assert_true(expr_is_false(bw_mem_bad_free(bw, made, base)));
    assert_true(expr_is_true(bw_mem_bad_free(bw, made, expr_add(bw->pool, base, bw_const(bw, 4)))));
    rig_end(&r);
}

/* ---- what is not followed -------------------------------------------------------------------- */

static BackwardStatus proof_without(const char *text, uint32_t block, unsigned rules)
{
    Rig r = rig_of(text, 1);
    r.bw = backward_new(r.program, &(BackwardOptions){.inputs = &r.inputs,
                                                      .environment = &r.environment,
                                                      .rules_off = BACKWARD_OFF_PATHS | rules});
    BackwardStatus status = reach(r.bw, block);
    rig_end(&r);
    return status;
}

/* Control that goes deeper than calls are entered may come to the target, and an unknown function may write
 * what it is given. */
static void test_escapes(void **state)
{
    static const char deep[] = DECLS
        "fn @f(%n:32, %d:32) -> 32 {\n^entry:\n    %is = eq.32 %d, 6\n    br %is, ^never, ^on\n^never:\n    "
        "ret 7:32\n"
        "^on:\n    %z = eq.32 %n, 0\n    br %z, ^last, ^more\n^last:\n    ret 1:32\n"
        "^more:\n    %m = sub.32 %n, 1\n    %e = add.32 %d, 1\n    %r:32 = call @f(%m, %e)\n    ret %r\n}\n"
        "fn @main() -> 32 {\n^entry:\n    call @__sheaf_symbolic($x, 4:64, $name)\n    %n = load.32 $x, "
        "align 4\n"
        "    %r:32 = call @f(%n, 0:32)\n    ret %r\n}\n";
    static const char written[] = "fn @mystery(%p:64)\nfn @main() -> 32 {\n^entry:\n    store.32 $x, 1, "
                                  "align 4\n    call @mystery($x)\n"
                                  "    %v = load.32 $x, align 4\n    %is = eq.32 %v, 7\n    br %is, ^seven, "
                                  "^other\n^seven:\n    ret 7:32\n^other:\n    ret 0:32\n}\n"
                                  "global $x 4 align 4\n";
    (void)state;
    assert_int_equal(proof_without(deep, 1, 0), BACKWARD_OPEN);
    assert_int_equal(proof_without(deep, 1, BACKWARD_OFF_ESCAPES), BACKWARD_UNREACHABLE);
    assert_int_equal(proof_without(written, 1, 0), BACKWARD_OPEN);
    assert_int_equal(proof_without(written, 1, BACKWARD_OFF_HAVOC), BACKWARD_UNREACHABLE);
}

/* ---- the search on real values --------------------------------------------------------------- */

/* A valley whose lowest point is at 1,000,000 and -7. */
typedef struct Valley {
    uint32_t runs;
} Valley;

static bool valley_run(void *context, const ExprInput *input, BackwardNear *near)
{
    int32_t x = 0;
    int8_t y = (int8_t)expr_input_byte(input, 4);
    for (unsigned i = 0; i < 4; i++)
        x |= (int32_t)((uint32_t)expr_input_byte(input, i) << 8 * i);
    ((Valley *)context)->runs++;
    long double a = x < 1000000 ? 1000000.0L - x : x - 1000000.0L, b = y < -7 ? -7.0L - y : y + 7.0L;
    *near = (BackwardNear){.reached = a + b == 0, .level = b == 0 ? 1 : 2, .turn = b == 0 ? a : a + b};
    return true;
}

static void valley_words(void *context, BackwardWords *words)
{
    (void)context;
    vec_clear(words);
    vec_push(words, (BackwardWord){0, 4});
    vec_push(words, (BackwardWord){4, 1});
}

static void test_climb(void **state)
{
    Valley v = {0};
    ExprInput input = {0};
    BackwardNear near;
    (void)state;
    uint32_t runs = backward_climb(&(BackwardClimb){valley_run, valley_words, &v, 2000}, &input, &near);
    assert_true(near.reached);
    assert_int_equal(runs, v.runs);
    assert_true(runs < 500); /* doubling: not one step at a time */
    assert_int_equal(expr_input_byte(&input, 4), (uint8_t)-7);
    vec_clear(&input);
    assert_int_equal(backward_climb(&(BackwardClimb){valley_run, valley_words, &v, 10}, &input, &near), 10);
    assert_false(near.reached);
    expr_input_free(&input);
}

/* Values are 0 away from a condition exactly if it holds, and nearer if they are nearer. */
static void test_distance(void **state)
{
    Rig r = rig_of("fn @main() -> 32 {\n^entry:\n    ret 0:32\n}\n", 5);
    (void)state;
    rig_start(&r);
    ExprPool *p = r.bw->pool;
    Expr x = r.symbols[0], y = r.symbols[1], z = r.symbols[2];
    Expr e = expr_and(p, expr_eq(p, x, bw_const(r.bw, 40)),
                      expr_or(p, expr_ult(p, y, bw_const(r.bw, 10)), expr_ult(p, bw_const(r.bw, 90), z)));
    for (uint64_t a = 30; a < 50; a++)
        for (uint64_t b = 0; b < 100; b++) {
            ExprInput in = {0};
            expr_input_set(p, &in, x, a);
            expr_input_set(p, &in, y, b);
            expr_input_set(p, &in, z, b);
            uint64_t away = a < 40 ? 40 - a : a - 40, down = b < 10 ? 0 : b - 9, up = b > 90 ? 0 : 91 - b;
            assert_true(bw_distance(r.bw, &in, e) == (long double)(away + (down < up ? down : up)));
            expr_input_free(&in);
        }
    rig_end(&r);
}

/* An answer that was found in time is printed, however late that is. */
static void test_printed_late(void **state)
{
    enum { TERMS = 1500 };
    Rig r = rig_of("fn @main() -> 32 {\n^entry:\n    ret 0:32\n}\n", 6);
    volatile bool stop = false;
    Str text = {0};
    (void)state;
    rig_start(&r);
    ExprPool *p = r.bw->pool;
    Expr sum = r.symbols[0];
    for (uint64_t i = 0; i < TERMS; i++)
        sum = expr_mul(p, expr_add(p, sum, bw_const(r.bw, i | 1)), r.symbols[i % SYMBOLS]);
    r.bw->options.stop = &stop;
    stop = true;
    backward_condition_text(r.bw, expr_eq(p, sum, bw_const(r.bw, 7)), 200, &text);
    assert_non_null(strstr(str_text(&text), "x0"));
    str_free(&text);
    rig_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory),   cmocka_unit_test(test_projection),
                                       cmocka_unit_test(test_loop),     cmocka_unit_test(test_fresh),
                                       cmocka_unit_test(test_escapes),  cmocka_unit_test(test_climb),
                                       cmocka_unit_test(test_distance), cmocka_unit_test(test_printed_late)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
