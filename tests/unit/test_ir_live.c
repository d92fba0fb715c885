/* test_ir_live.c - liveness of random functions against the data flow equations, solved instruction by
 * instruction. */
#include "test_ir_util.h"

enum { BLOCKS = 7, VARIABLES = 3, OPERATIONS = 4, FUNCTIONS = 400 };

/* ---- random functions in SSA form ------------------------------------------------------------ */

typedef struct Made {
    IrProgram *p;
    IrFn *fn;
    uint64_t seed;
    uint32_t to[BLOCKS][2]; /* successors: the last block returns */
    bool dominates[BLOCKS][BLOCKS];
    U32Vec regs[BLOCKS]; /* defined there */
} Made;

static uint32_t pick(Made *m, uint32_t n)
{
    m->seed = hash_u64(m->seed + 1);
    return (uint32_t)(m->seed >> 20) % n;
}

/* By definition: without `a` control does not come to `b`. */
static bool is_dominated(const Made *m, uint32_t a, uint32_t b)
{
    bool reached[BLOCKS] = {a != 0};
    for (uint32_t round = 0; round < BLOCKS; round++)
        for (uint32_t x = 0; x + 1 < BLOCKS; x++)
            for (uint32_t s = 0; s < 2 && reached[x]; s++)
                reached[m->to[x][s]] |= m->to[x][s] != a;
    return !reached[b];
}

/* A register that is defined wherever control comes to the end of the block. */
static uint32_t any_above(Made *m, uint32_t block)
{
    for (;;) {
        uint32_t b = pick(m, BLOCKS);
        if (m->regs[b].n && m->dominates[b][block])
            return m->regs[b].v[pick(m, m->regs[b].n)];
    }
}

static void make_body(Made *m, uint32_t b)
{
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        IrInsn add = {.op = IR_ADD, .width = 32, .a = any_above(m, b), .b = any_above(m, b), .site = IR_NONE};
        add.dst = ir_reg_result(m->p, m->fn, 32, NULL);
        ir_emit(m->fn, b, add);
        vec_push(&m->regs[b], add.dst);
    }
    IrInsn test = {.op = IR_EQ, .width = 1, .a = any_above(m, b), .b = any_above(m, b), .site = IR_NONE};
    test.dst = ir_reg_result(m->p, m->fn, 1, NULL);
    ir_emit(m->fn, b, test);
    IrInsn br = {.op = IR_BR,
                 .width = 1,
                 .dst = IR_NONE,
                 .a = test.dst,
                 .b = m->to[b][0],
                 .c = m->to[b][1],
                 .site = IR_NONE};
    uint32_t list[] = {1, any_above(m, b)};
    IrInsn ret = {.op = IR_RET, .dst = IR_NONE, .a = ir_extra_add(m->fn, list, 2), .site = IR_NONE};
    ir_emit(m->fn, b, b + 1 < BLOCKS ? br : ret);
}

/* Operands of phis are chosen when every block has its registers. */
static void make_phi_lists(Made *m)
{
    for (uint32_t b = 1; b < BLOCKS; b++)
        for (uint32_t v = 0; v < VARIABLES; v++) {
            U32Vec list = {0};
            vec_push(&list, 0);
            for (uint32_t x = 0; x + 1 < BLOCKS; x++)
                if (m->to[x][0] == b || m->to[x][1] == b) {
                    vec_push(&list, x);
                    vec_push(&list, any_above(m, x));
                    list.v[0]++;
                }
            m->fn->blocks.v[b].insns.v[v].a = ir_extra_add(m->fn, list.v, list.n);
            vec_free(&list);
        }
}

static void make(Made *m, uint64_t seed)
{
    *m = (Made){.p = ir_program_new(), .seed = seed};
    m->fn = fn_new(m->p, "f");
    m->fn->defined = true;
    vec_push(&m->fn->results, 32);
    for (uint32_t v = 0; v < VARIABLES; v++)
        vec_push(&m->regs[0], ir_reg_param(m->p, m->fn, 32, NULL));
    for (uint32_t b = 0; b < BLOCKS; b++) {
        ir_block_add(m->p, m->fn, NULL);
        m->to[b][0] = b + 1; /* so that each is reached */
        m->to[b][1] = 1 + pick(m, BLOCKS - 1);
    }
    for (uint32_t a = 0; a < BLOCKS; a++)
        for (uint32_t b = 0; b < BLOCKS; b++)
            m->dominates[a][b] = a == b || is_dominated(m, a, b);
    for (uint32_t b = 1; b < BLOCKS; b++)
        for (uint32_t v = 0; v < VARIABLES; v++) {
            uint32_t dst = ir_reg_result(m->p, m->fn, 32, NULL);
            ir_emit(m->fn, b, (IrInsn){.op = IR_PHI, .width = 32, .dst = dst, .site = IR_NONE});
            vec_push(&m->regs[b], dst);
        }
    for (uint32_t b = 0; b < BLOCKS; b++)
        make_body(m, b);
    make_phi_lists(m);
    must_verify(m->p);
    ir_fn_index(m->fn);
}

static void made_free(Made *m)
{
    for (uint32_t b = 0; b < BLOCKS; b++)
        vec_free(&m->regs[b]);
    ir_program_free(m->p);
}

/* ---- the equations --------------------------------------------------------------------------- */

enum { REGS_MOST = 128, INSNS_MOST = 16 };
typedef struct Solution {
    bool before[BLOCKS][INSNS_MOST + 1][REGS_MOST]; /* of instructions; phis are done */
    bool in[BLOCKS][REGS_MOST];                     /* phis are not done */
    bool end[BLOCKS][REGS_MOST];                    /* operands of the next block's phis among them */
} Solution;

/* What flows into the end of a block from one of its successors. */
static void from_successor(const IrFn *fn, Solution *s, uint32_t b, uint32_t to)
{
    for (uint32_t r = 0; r < fn->regs.n; r++)
        s->end[b][r] |= s->in[to][r];
    for (uint32_t i = 0; fn->blocks.v[to].insns.v[i].op == IR_PHI; i++) {
        const uint32_t *list = &fn->extra.v[fn->blocks.v[to].insns.v[i].a];
        for (uint32_t k = 0; k < list[0]; k++)
            if (list[1 + 2 * k] == b)
                s->end[b][list[2 + 2 * k]] = true;
    }
}

static void through_block(const IrFn *fn, Solution *s, uint32_t b)
{
    const IrBlock *block = &fn->blocks.v[b];
    U32Vec regs = {0};
    bool now[REGS_MOST];
    memcpy(now, s->end[b], sizeof now);
    for (uint32_t i = block->insns.n; i-- > 0;) {
        if (block->insns.v[i].op != IR_PHI) {
            ir_insn_defs(fn, &block->insns.v[i], &regs);
            for (uint32_t k = 0; k < regs.n; k++)
                now[regs.v[k]] = false;
            ir_insn_reads(fn, &block->insns.v[i], &regs);
            for (uint32_t k = 0; k < regs.n; k++)
                now[regs.v[k]] = true;
        }
        memcpy(s->before[b][i], now, sizeof now);
    }
    memcpy(s->in[b], now, sizeof now);
    for (uint32_t i = 0; block->insns.v[i].op == IR_PHI; i++)
        s->in[b][block->insns.v[i].dst] = false;
    vec_free(&regs);
}

static void solve(const IrFn *fn, Solution *s)
{
    U32Vec to = {0};
    memset(s, 0, sizeof *s);
    for (uint32_t round = 0; round < 2 * BLOCKS; round++)
        for (uint32_t b = BLOCKS; b-- > 0;) {
            ir_block_successors(fn, b, &to);
            for (uint32_t i = 0; i < to.n; i++)
                from_successor(fn, s, b, to.v[i]);
            through_block(fn, s, b);
        }
    vec_free(&to);
}

static bool holds(const U32Vec *list, uint32_t reg)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->n; i++)
        n += list->v[i] == reg;
    assert_true(n <= 1);
    return n;
}

static void random_functions(void **state)
{
    (void)state;
    static Solution s;
    uint32_t crossing = 0;
    for (uint64_t seed = 0; seed < FUNCTIONS; seed++) {
        Made m;
        U32Vec list = {0};
        Arena *a = arena_new();
        make(&m, seed);
        const IrFn *fn = m.fn;
        assert_true(fn->regs.n <= REGS_MOST);
        const IrLive *l = ir_live_find(fn, NULL, a);
        solve(fn, &s);
        for (uint32_t b = 0; b < BLOCKS; b++)
            for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
                ir_live_at(l, b, i, false, &list);
                for (uint32_t r = 0; r < fn->regs.n; r++) {
                    assert_int_equal(holds(&list, r), s.before[b][i][r]);
                    if (b) /* of the entry parameters are no more live than what it defines itself */
                        assert_int_equal(ir_live_in(l, r, b), s.in[b][r]);
                    crossing += b && s.in[b][r];
                }
            }
        vec_free(&list);
        arena_free(a);
        made_free(&m);
    }
    assert_true(crossing > FUNCTIONS);
}

/* %y is only an operand, %r only the result, %x and %z are read again. */
static void around_a_call(void **state)
{
    (void)state;
    IrProgram *p = must_parse(
        "fn @g(%a:32) -> 32\n"
        "fn @f(%x:32, %y:32) -> 32 {\n^0:\n    %z = add.32 %x, 1\n"
        "    %r:32 = call @g(%y)\n    %s = add.32 %z, %x\n    %t = add.32 %s, %r\n    ret %t\n}\n");
    Arena *a = arena_new();
    ir_program_index(p);
    const IrLive *l = ir_live_find(fn_named(p, "f"), NULL, a);
    U32Vec list = {0};
    uint32_t z = fn_named(p, "f")->blocks.v[0].insns.v[0].dst;
    ir_live_at(l, 0, 1, false, &list);
    assert_int_equal(list.n, 3);
    assert_true(holds(&list, 0) && holds(&list, 1) && holds(&list, z));
    ir_live_at(l, 0, 1, true, &list);
    assert_int_equal(list.n, 2);
    assert_true(holds(&list, 0) && holds(&list, z));
    assert_false(ir_live_from(l, z, 0, 3));
    vec_free(&list);
    arena_free(a);
    ir_program_free(p);
}

/* What the caller does not count as read keeps nothing alive; its edges are those that count. */
static void no_reads(const void *user, const IrInsn *insn, U32Vec *out)
{
    vec_clear(out);
    if (insn->op == IR_RET)
        vec_push(out, *(const uint32_t *)user);
}

static void as_the_caller_says(void **state)
{
    (void)state;
    IrProgram *p = must_parse(
        "fn @f(%c:1, %x:32) -> 32 {\n^a:\n    br %c, ^b, ^b\n^b:\n    jmp ^c\n^c:\n    ret %x\n}\n");
    Arena *a = arena_new();
    ir_program_index(p);
    IrFn *fn = fn_named(p, "f");
    uint32_t c = 0;
    GraphEdges edges = {0};
    const IrLive *l = ir_live_find(fn, &(IrLiveOptions){.reads = no_reads, .user = &c}, a);
    assert_true(ir_live_in(l, 0, 1) && !ir_live_in(l, 1, 2));
    vec_push(&edges, (GraphEdge){1, 0}); /* control never comes from ^b to ^c */
    Graph preds = graph_make(a, 3, &edges);
    l = ir_live_find(fn, &(IrLiveOptions){.preds = &preds}, a);
    assert_true(ir_live_in(l, 1, 2) && !ir_live_in(l, 1, 1));
    vec_free(&edges);
    arena_free(a);
    ir_program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_functions), cmocka_unit_test(around_a_call),
                                       cmocka_unit_test(as_the_caller_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
