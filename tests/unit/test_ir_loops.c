/* Loops: the shapes of tests/ir/loops.ir, all small graphs against a definition by brute force, and huge
 * ones. */
#include "test_ir_util.h"

static IrProgram *load(void)
{
    Str text = read_source("tests/ir/loops.ir");
    IrProgram *p = must_parse_n(text.v, text.n);
    ir_program_index(p);
    str_free(&text);
    return p;
}

typedef struct ExpectedLoop {
    uint32_t header, parent, depth;
    bool irreducible;
} ExpectedLoop;

typedef struct Shape {
    const char *fn;
    uint32_t nloops;
    ExpectedLoop loops[3];
    uint32_t nblocks, loop_of[6];
} Shape;

enum { NO = (int)IR_NONE };

static const Shape shapes[] = {
    {"none", 0, {{0}}, 4, {NO, NO, NO, NO}},
    {"self", 1, {{1, NO, 1, false}}, 3, {NO, 0, NO}},
    {"nested", 3, {{1, NO, 1, false}, {2, 0, 2, false}, {3, 1, 3, false}}, 6, {NO, 0, 1, 2, 0, NO}},
    {"irreducible", 1, {{1, NO, 1, true}}, 4, {NO, 0, 0, NO}},
    {"irreducible_inside", 2, {{1, NO, 1, false}, {2, 0, 2, true}}, 6, {NO, 0, 1, 1, 0, NO}},
    {"forever", 1, {{1, NO, 1, false}}, 3, {NO, 0, 0}},
    {"unreachable", 0, {{0}}, 4, {NO, NO, NO, NO}},
    {"shared_header", 1, {{1, NO, 1, false}}, 5, {NO, 0, 0, 0, NO}},
};

static void known_shapes(void **state)
{
    (void)state;
    IrProgram *p = load();
    for (uint32_t i = 0; i < COUNT_OF(shapes); i++) {
        const Shape *s = &shapes[i];
        const IrFn *fn = fn_named(p, s->fn);
        assert_int_equal(fn->loops.n, s->nloops);
        for (uint32_t l = 0; l < s->nloops; l++) {
            assert_int_equal(fn->loops.v[l].header, s->loops[l].header);
            assert_int_equal(fn->loops.v[l].parent, s->loops[l].parent);
            assert_int_equal(fn->loops.v[l].depth, s->loops[l].depth);
            assert_int_equal(fn->loops.v[l].irreducible, s->loops[l].irreducible);
        }
        assert_int_equal(fn->loop_of.n, s->nblocks);
        for (uint32_t b = 0; b < s->nblocks; b++)
            assert_int_equal(fn->loop_of.v[b], s->loop_of[b]);
    }
    ir_program_free(p);
}

static void back_edges(void **state)
{
    (void)state;
    IrProgram *p = load();
    const IrFn *nested = fn_named(p, "nested"), *dead = fn_named(p, "unreachable");
    assert_true(ir_edge_is_back(nested, 4, 1));
    assert_true(ir_edge_is_back(nested, 3, 2));
    assert_true(ir_edge_is_back(nested, 3, 3));
    assert_false(ir_edge_is_back(nested, 0, 1)); /* enters */
    assert_false(ir_edge_is_back(nested, 1, 2)); /* enters the inner one */
    assert_false(ir_edge_is_back(nested, 2, 4)); /* leaves it */
    assert_false(ir_edge_is_back(dead, 3, 2));
    ir_program_free(p);
}

static void finding_twice_and_finding_nothing(void **state)
{
    (void)state;
    IrProgram *p = load();
    IrFn *fn = fn_named(p, "nested");
    ir_fn_index(fn);
    assert_int_equal(fn->loops.n, 3);
    assert_int_equal(fn->loop_of.n, 6);
    uint32_t f = ir_fn_get(p, "declared");
    ir_fn_index(&p->fns.v[f]);
    assert_int_equal(p->fns.v[f].loop_of.n, 0);
    ir_program_free(p);
}

/* ---- against brute force --------------------------------------------------------------------- */

/* Graphs of up to 32 blocks: successors as bits; a switch takes them in ascending order. */
typedef struct Blocks {
    uint32_t n, to[32];
} Blocks;

static IrProgram *program_of(const Blocks *g)
{
    IrProgram *p = ir_program_new();
    IrFn *fn = fn_new(p, "f");
    fn->defined = true;
    uint32_t x = ir_reg_param(p, fn, 64, NULL);
    for (uint32_t b = 0; b < g->n; b++)
        ir_block_add(p, fn, NULL);
    for (uint32_t b = 0; b < g->n; b++) {
        uint32_t list[33] = {0};
        for (uint32_t t = 0; t < g->n; t++)
            if (g->to[b] >> t & 1)
                list[++list[0]] = t;
        uint32_t start = ir_extra_add(fn, list, list[0] + 1);
        ir_emit(fn, b, (IrInsn){.op = IR_GOTO, .dst = IR_NONE, .a = x, .b = start, .site = IR_NONE});
    }
    return p;
}

static void preorder(const Blocks *g, uint32_t b, uint32_t *order, uint32_t *n)
{
    order[b] = (*n)++;
    for (uint32_t t = 0; t < g->n; t++)
        if ((g->to[b] >> t & 1) && order[t] == IR_NONE)
            preorder(g, t, order, n);
}

/* Blocks that can be reached from b by at least one edge inside `set`. */
static uint32_t reach(const Blocks *g, uint32_t b, uint32_t set)
{
    uint32_t reached = g->to[b] & set, before;
    do {
        before = reached;
        for (uint32_t t = 0; t < g->n; t++)
            if (reached >> t & 1)
                reached |= g->to[t] & set;
    } while (reached != before);
    return reached;
}

/* The definition: a loop is a strongly connected part; its header is its first block in preorder; without the
 * header, what remains is taken apart again. Writes each block's innermost header and each header's enclosing
 * one. */
static void decompose(const Blocks *g, const uint32_t *order, uint32_t set, uint32_t outer, uint32_t *inner,
                      uint32_t *parent, bool *irreducible, uint32_t all)
{
    while (set) {
        uint32_t b = (uint32_t)__builtin_ctz(set), part = 0, header = b;
        uint32_t ahead = reach(g, b, set);
        for (uint32_t t = 0; t < g->n; t++)
            if ((ahead >> t & 1) && (reach(g, t, set) >> b & 1))
                part |= 1u << t;
        if (!part) {
            set &= ~(1u << b);
            continue;
        }
        for (uint32_t t = 0; t < g->n; t++)
            if ((part >> t & 1) && order[t] < order[header])
                header = t;
        parent[header] = outer;
        for (uint32_t t = 0; t < g->n; t++) {
            if (part >> t & 1)
                inner[t] = header;
            else if (all >> t & 1)
                irreducible[header] |= (g->to[t] & part & ~(1u << header)) != 0;
        }
        decompose(g, order, part & ~(1u << header), header, inner, parent, irreducible, all);
        set &= ~part;
    }
}

static void check_graph(const Blocks *g)
{
    uint32_t order[32], inner[32], parent[32], n = 0, all = 0;
    bool irreducible[32] = {false};
    for (uint32_t b = 0; b < 32; b++)
        order[b] = inner[b] = parent[b] = IR_NONE;
    preorder(g, 0, order, &n);
    for (uint32_t b = 0; b < g->n; b++)
        all |= order[b] != IR_NONE ? 1u << b : 0;
    decompose(g, order, all, IR_NONE, inner, parent, irreducible, all);
    IrProgram *p = program_of(g);
    IrFn *fn = &p->fns.v[0];
    ir_fn_index(fn);
    for (uint32_t b = 0; b < g->n; b++) {
        uint32_t loop = fn->loop_of.v[b];
        assert_int_equal(loop == IR_NONE ? IR_NONE : fn->loops.v[loop].header, inner[b]);
        for (uint32_t t = 0; t < g->n; t++) {
            if (!(g->to[b] >> t & 1) || !(all >> b & 1))
                continue;
            bool back = inner[t] == t && (order[t] <= order[b]);
            for (uint32_t h = inner[b]; back && h != t; h = parent[h])
                if (h == IR_NONE) {
                    back = false;
                    break;
                }
            assert_int_equal(ir_edge_is_back(fn, b, t), back);
        }
    }
    for (uint32_t l = 0; l < fn->loops.n; l++) {
        const IrLoop *loop = &fn->loops.v[l];
        uint32_t up = loop->parent == IR_NONE ? IR_NONE : fn->loops.v[loop->parent].header;
        assert_int_equal(up, parent[loop->header]);
        assert_int_equal(loop->irreducible, irreducible[loop->header]);
        assert_int_equal(loop->depth, loop->parent == IR_NONE ? 1 : fn->loops.v[loop->parent].depth + 1);
        assert_true(loop->parent == IR_NONE || loop->parent < l);
    }
    ir_program_free(p);
}

static void all_graphs_of_four_blocks(void **state)
{
    (void)state;
    /* nothing goes to block 0, so a block has 2^3 sets of successors */
    for (uint32_t code = 0; code < 1u << 12; code++) {
        Blocks g = {.n = 4};
        for (uint32_t b = 0; b < 4; b++)
            g.to[b] = (code >> 3 * b & 7) << 1;
        check_graph(&g);
    }
}

static void random_graphs(void **state)
{
    (void)state;
    Rng rng;
    rng_seed(&rng, 1);
    for (unsigned round = 0; round < 20000; round++) {
        Blocks g = {.n = 5 + (uint32_t)rng_below(&rng, 11)};
        uint64_t edges = g.n + rng_below(&rng, g.n * 2);
        while (edges-- > 0)
            g.to[rng_below(&rng, g.n)] |= 1u << (1 + rng_below(&rng, g.n - 1));
        check_graph(&g);
    }
}

/* ---- huge graphs: neither recursion nor quadratic time --------------------------------------- */

enum { HUGE = 200000 };

/* A chain of blocks; `extra` says where each may go besides the next one (IR_NONE: nowhere). */
static IrProgram *chain(uint32_t (*extra)(uint32_t block))
{
    IrProgram *p = ir_program_new();
    IrFn *fn = fn_new(p, "f");
    fn->defined = true;
    uint32_t c = ir_reg_param(p, fn, 1, NULL);
    for (uint32_t b = 0; b < HUGE; b++)
        ir_block_add(p, fn, NULL);
    for (uint32_t b = 0; b + 1 < HUGE; b++) {
        uint32_t to = extra(b);
        if (to == IR_NONE)
            ir_emit(fn, b, (IrInsn){.op = IR_JMP, .dst = IR_NONE, .a = b + 1, .site = IR_NONE});
        else
            ir_emit(
                fn, b,
                (IrInsn){
                    .op = IR_BR, .width = 1, .dst = IR_NONE, .a = c, .b = b + 1, .c = to, .site = IR_NONE});
    }
    ir_emit(fn, HUGE - 1, (IrInsn){.op = IR_UNREACHABLE, .dst = IR_NONE, .site = IR_NONE});
    must_verify(p);
    ir_fn_index(fn);
    return p;
}

static uint32_t mirrored(uint32_t b) { return b > HUGE / 2 ? HUGE - b : IR_NONE; }

static void loops_nested_a_hundred_thousand_deep(void **state)
{
    (void)state;
    IrProgram *p = chain(mirrored);
    assert_int_equal(p->fns.v[0].loops.n, HUGE / 2 - 2);
    assert_int_equal(vec_last(&p->fns.v[0].loops).depth, p->fns.v[0].loops.n);
    ir_program_free(p);
}

static uint32_t tangled(uint32_t b)
{
    return b % 3 == 0 ? (b + 2 < HUGE ? b + 2 : IR_NONE) : b % 3 == 1 ? (b < 4 ? IR_NONE : b - 3) : 1 + b / 2;
}

static void irreducible_at_every_step(void **state)
{
    (void)state;
    IrProgram *p = chain(tangled);
    bool irreducible = false;
    for (uint32_t l = 0; l < p->fns.v[0].loops.n; l++)
        irreducible |= p->fns.v[0].loops.v[l].irreducible;
    assert_true(irreducible);
    ir_program_free(p);
}

/* A deep nest, and before it as many blocks that all jump to its middle: every loop is irreducible, and known
 * to be so after the first of these entries was looked at. */
static uint32_t besieged(uint32_t b)
{
    return b < HUGE / 3 ? HUGE / 3 * 2 : b > HUGE / 3 * 2 ? HUGE / 3 * 4 - b : IR_NONE;
}

static void a_deep_nest_entered_many_times(void **state)
{
    (void)state;
    IrProgram *p = chain(besieged);
    assert_true(p->fns.v[0].loops.n > HUGE / 4);
    for (uint32_t l = 0; l < p->fns.v[0].loops.n; l++)
        assert_true(p->fns.v[0].loops.v[l].irreducible);
    ir_program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_shapes),
        cmocka_unit_test(back_edges),
        cmocka_unit_test(finding_twice_and_finding_nothing),
        cmocka_unit_test(all_graphs_of_four_blocks),
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(loops_nested_a_hundred_thousand_deep),
        cmocka_unit_test(irreducible_at_every_step),
        cmocka_unit_test(a_deep_nest_entered_many_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
