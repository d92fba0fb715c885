/* test_vm_random.c - random functions with loops, phis, switches and memory, on the machine and on a plain
 * interpreter of the IR beside it. The machine fuses, merges and reorders when it prepares code; the
 * interpreter does nothing of that kind. They must agree on the result and on the number of steps. */
#include "vm_text.h"

/* ---- the plain interpreter ------------------------------------------------------------------- */

enum { MEMORY = 64 };

typedef struct Plain {
    const IrProgram *program;
    const IrFn *fn;
    u128 *regs;
    uint8_t memory[MEMORY];
    uint64_t steps;
} Plain;

static u128 value(const Plain *m, uint32_t reg)
{
    const IrConst *c = ir_reg_const_of(m->fn, reg);
    return !c ? m->regs[reg] : c->kind == IR_CONST_GLOBAL ? c->bits : c->bits; /* the global is at 0 */
}

static void pure(Plain *m, const IrInsn *i)
{
    BitsOp op = ir_op_bits((IrOp)i->op);
    uint32_t operand[3] = {i->a, i->b, i->c};
    u128 v[3] = {0, 0, 0};
    unsigned source = m->fn->regs.v[i->a].width;
    for (unsigned k = 0; k < bits_op_arity(op); k++)
        v[k] = value(m, operand[k]);
    m->regs[i->dst] =
        bits_apply(op, bits_op_result(op) == BITS_RESULT_BIT ? source : i->width, source, v[0], v[1], v[2]);
}

static void phis(Plain *m, uint32_t block, uint32_t from)
{
    const IrBlock *b = &m->fn->blocks.v[block];
    Vec(u128) values = {0};
    for (uint32_t i = 0; i < b->insns.n && b->insns.v[i].op == IR_PHI; i++) {
        const uint32_t *list = &m->fn->extra.v[b->insns.v[i].a];
        for (uint32_t k = 0; k < list[0]; k++)
            if (list[1 + 2 * k] == from)
                vec_push(&values, value(m, list[2 + 2 * k]));
    }
    for (uint32_t i = 0; i < values.n; i++)
        m->regs[b->insns.v[i].dst] = values.v[i];
    vec_free(&values);
}

static uint32_t switch_target(const Plain *m, const IrInsn *i)
{
    const uint32_t *list = &m->fn->extra.v[i->b];
    for (uint32_t k = 0; k < list[0]; k++)
        if (value(m, list[1 + 2 * k]) == value(m, i->a))
            return list[2 + 2 * k];
    return i->c;
}

/* One instruction; the next block in *to if it is a jump. True at the return. */
static bool plain_step(Plain *m, const IrInsn *i, uint32_t *to, u128 *result)
{
    uint64_t at;
    switch ((IrOp)i->op) {
    case IR_PHI: return false;
    case IR_OFFSET: m->regs[i->dst] = (uint64_t)(value(m, i->a) + value(m, i->b)); return false;
    case IR_INDEX:
        m->regs[i->dst] = (uint64_t)(value(m, i->a) +
                                     (uint64_t)bits_signed(value(m, i->b), m->fn->regs.v[i->b].width) * i->c);
        return false;
    case IR_LOAD:
        at = (uint64_t)value(m, i->a);
        assert_true(at + (i->width + 7) / 8 <= MEMORY);
        m->regs[i->dst] = 0;
        memcpy(&m->regs[i->dst], m->memory + at, (i->width + 7) / 8);
        m->regs[i->dst] &= bits_mask(i->width);
        return false;
    case IR_STORE: {
        u128 v = value(m, i->b);
        at = (uint64_t)value(m, i->a);
        assert_true(at + (i->width + 7) / 8 <= MEMORY);
        memcpy(m->memory + at, &v, (i->width + 7) / 8);
        return false;
    }
    case IR_JMP: *to = i->a; return false;
    case IR_BR: *to = value(m, i->a) ? i->b : i->c; return false;
    case IR_SWITCH: *to = switch_target(m, i); return false;
    case IR_RET: *result = value(m, m->fn->extra.v[i->a + 1]); return true;
    default: pure(m, i); return false;
    }
}

static u128 plain_run(Plain *m)
{
    uint32_t block = 0;
    u128 result = 0;
    m->regs = mem_zalloc(m->fn->regs.n * sizeof *m->regs);
    for (;;) {
        uint32_t to = IR_NONE;
        const IrBlock *b = &m->fn->blocks.v[block];
        for (uint32_t k = 0; k < b->insns.n; k++) {
            m->steps++;
            if (plain_step(m, &b->insns.v[k], &to, &result)) {
                mem_free(m->regs);
                return result;
            }
        }
        phis(m, to, block);
        block = to;
    }
}

/* ---- the generator --------------------------------------------------------------------------- */

enum { BLOCKS_MOST = 8, VARS = 8 };
static const unsigned var_width[VARS] = {32, 32, 32, 64, 64, 8, 1, 128};

typedef struct Gen {
    Rng rng;
    Str s;
    unsigned nblocks; /* 1 … nblocks; 0 is the entry, nblocks + 1 the exit */
    unsigned targets[BLOCKS_MOST + 2][3], ntargets[BLOCKS_MOST + 2];
    unsigned version[VARS], end[BLOCKS_MOST + 2][VARS]; /* of variables: now, at the end of a block */
    unsigned fresh;
} Gen;

static unsigned below(Gen *g, unsigned n) { return (unsigned)rng_below(&g->rng, n); }

static void operand(Gen *g, unsigned width)
{
    unsigned start = below(g, VARS);
    if (below(g, 4) != 0)
        for (unsigned i = 0; i < VARS; i++) {
            unsigned v = (start + i) % VARS;
            if (var_width[v] == width) {
                str_printf(&g->s, "%%v%u_%u", v, g->version[v]);
                return;
            }
        }
    str_printf(&g->s, "%u", width == 1 ? below(g, 2) : below(g, 4) ? below(g, 9) : below(g, 120));
}

/* A variable gets a new version. */
static void define(Gen *g, unsigned v)
{
    g->version[v] = ++g->fresh;
    str_printf(&g->s, "    %%v%u_%u = ", v, g->version[v]);
}

static void assign(Gen *g)
{
    static const char *const ops[] = {"add", "sub",  "mul",  "and",  "or",  "xor",
                                      "shl", "lshr", "ashr", "umin", "smax"};
    unsigned v = below(g, VARS), w = var_width[v];
    Str saved = g->s, line = {0}; /* operands are read before the new version exists */
    g->s = line;
    if (w == 1) {
        static const char *const tests[] = {"eq", "ne", "ult", "ule", "slt", "sle"};
        static const unsigned widths[] = {32, 64, 8, 128};
        unsigned of = widths[below(g, 4)];
        str_printf(&g->s, "%s.%u ", tests[below(g, 6)], of);
        operand(g, of);
        str_add(&g->s, ", ");
        operand(g, of);
    } else if (below(g, 4) == 0) {
        unsigned from = var_width[below(g, VARS)];
        str_printf(&g->s, "%s.%u ", from > w ? "trunc" : below(g, 2) ? "sext" : "zext", w);
        unsigned u = below(g, VARS);
        while (var_width[u] != from)
            u = below(g, VARS);
        str_printf(&g->s, "%%v%u_%u", u, g->version[u]);
    } else if (below(g, 6) == 0) {
        str_printf(&g->s, "select.%u ", w);
        operand(g, 1);
        str_add(&g->s, ", ");
        operand(g, w);
        str_add(&g->s, ", ");
        operand(g, w);
    } else {
        str_printf(&g->s, "%s.%u ", ops[below(g, COUNT_OF(ops))], w);
        operand(g, w);
        str_add(&g->s, ", ");
        operand(g, w);
    }
    line = g->s;
    g->s = saved;
    define(g, v);
    str_printf(&g->s, "%s\n", str_text(&line));
    str_free(&line);
}

/* Memory through an index that is masked into bounds. */
static void access(Gen *g)
{
    static const unsigned widths[] = {8, 32, 64, 128};
    unsigned w = widths[below(g, 4)], id = ++g->fresh, scale = w / 8, wide = below(g, 2);
    str_printf(&g->s, "    %%i%u = and.%u ", id, wide ? 64 : 32);
    operand(g, wide ? 64 : 32);
    str_printf(&g->s, ", %u\n", 32 / scale - 1);
    str_printf(&g->s, "    %%p%u = index $mem, %%i%u, scale %u\n", id, id, scale);
    str_printf(&g->s, "    %%q%u = offset %%p%u, %u\n", id, id, below(g, 2) * 16);
    if (below(g, 2)) {
        str_printf(&g->s, "    store.%u %%q%u, ", w, id);
        operand(g, w);
        str_add(&g->s, ", align 1\n");
        return;
    }
    unsigned v = below(g, VARS);
    while (var_width[v] != w)
        v = below(g, VARS);
    define(g, v);
    str_printf(&g->s, "load.%u %%q%u, align 1\n", w, id);
}

static void choose_targets(Gen *g)
{
    for (unsigned b = 1; b <= g->nblocks; b++) {
        g->ntargets[b] = 1 + below(g, 3);
        for (unsigned i = 0; i < g->ntargets[b]; i++)
            g->targets[b][i] = 1 + below(g, g->nblocks);
    }
    g->targets[0][0] = 1;
    g->ntargets[0] = 1;
}

static bool jumps_to(const Gen *g, unsigned from, unsigned to)
{
    for (unsigned i = 0; i < g->ntargets[from]; i++)
        if (g->targets[from][i] == to)
            return true;
    return false;
}

/* Block b is two: ^b does the work and leaves for the exit when the fuel is gone, ^tb goes on. */
static void add_block(Gen *g, unsigned b)
{
    bool last = b == g->nblocks + 1;
    str_printf(&g->s, "^b%u:\n", b);
    for (unsigned v = 0; v <= VARS; v++) {
        const char *comma = "";
        str_printf(&g->s, v == VARS ? "    %%fuel%u = phi.32 " : "    %%v%u_b%u = phi.%u ", v == VARS ? b : v,
                   b, v < VARS ? var_width[v] : 0);
        for (unsigned from = 0; from <= g->nblocks; from++) {
            if (last ? from == 0 : !jumps_to(g, from, b))
                continue;
            str_printf(&g->s, "%s^%s%u: ", comma, last || from == 0 ? "b" : "t", from);
            if (from == 0)
                str_printf(&g->s, "%u", v == VARS ? 60 : below(g, 2));
            else if (v == VARS)
                str_printf(&g->s, "%%less%u", from);
            else
                str_printf(&g->s, "%%e%u_%u", v, from);
            comma = ", ";
        }
        str_add(&g->s, "\n");
    }
}

static void body(Gen *g, unsigned b)
{
    for (unsigned v = 0; v < VARS; v++) { /* versions are numbers; give the phi's value one */
        static const char *const identity[] = {"or", "add", "xor"};
        unsigned id = ++g->fresh;
        g->version[v] = id;
        str_printf(&g->s, "    %%v%u_%u = %s.%u %%v%u_b%u, 0\n", v, id, identity[below(g, 3)], var_width[v],
                   v, b);
    }
    for (unsigned n = 2 + below(g, 8); n; n--)
        if (below(g, 3) == 0)
            access(g);
        else
            assign(g);
    for (unsigned v = 0; v < VARS; v++) /* %eV_B: the value at the end of block B */
        str_printf(&g->s, "    %%e%u_%u = %s.%u %%v%u_%u, 0\n", v, b, below(g, 2) ? "or" : "add",
                   var_width[v], v, g->version[v]);
    str_printf(&g->s,
               "    %%less%u = sub.32 %%fuel%u, 1\n    %%done%u = eq.32 %%less%u, 0\n    br %%done%u, ^b%u, "
               "^t%u\n^t%u:\n",
               b, b, b, b, b, g->nblocks + 1, b, b);
    switch (g->ntargets[b]) {
    case 1: str_printf(&g->s, "    jmp ^b%u\n", g->targets[b][0]); break;
    case 2: str_printf(&g->s, "    br %%e6_%u, ^b%u, ^b%u\n", b, g->targets[b][0], g->targets[b][1]); break;
    default:
        str_printf(&g->s,
                   "    %%m%u = and.32 %%e0_%u, 3\n    switch.32 %%m%u, [%u -> ^b%u, %u -> ^b%u], ^b%u\n", b,
                   b, b, below(g, 2), g->targets[b][0], 2 + below(g, 2), g->targets[b][1], g->targets[b][2]);
    }
}

static void finish(Gen *g)
{
    unsigned b = g->nblocks + 1;
    add_block(g, b);
    str_printf(&g->s, "    %%h0 = add.128 %%v7_b%u, 1\n", b);
    for (unsigned v = 0; v < 7; v++) {
        str_printf(&g->s,
                   "    %%z%u = zext.128 %%v%u_b%u\n    %%g%u = mul.128 %%h%u, 1000003\n    %%h%u = xor.128 "
                   "%%g%u, %%z%u\n",
                   v, v, b, v, v, v + 1, v, v);
    }
    str_printf(&g->s, "    %%top = lshr.128 %%h7, 61\n    %%fold = xor.128 %%top, %%h7\n    %%r = trunc.32 "
                      "%%fold\n    ret %%r\n}\n");
}

static void generate(Gen *g, uint64_t seed)
{
    rng_seed(&g->rng, seed);
    g->nblocks = 1 + below(g, BLOCKS_MOST);
    choose_targets(g);
    str_printf(&g->s, "global $mem %u align 16\nfn @main() -> 32 {\n^b0:\n    jmp ^b1\n", MEMORY);
    for (unsigned b = 1; b <= g->nblocks; b++) {
        bool reached = b == 1;
        for (unsigned from = 0; from <= g->nblocks; from++)
            reached |= jumps_to(g, from, b);
        if (reached) {
            add_block(g, b);
        } else { /* nothing jumps here: values of its own */
            str_printf(&g->s, "^b%u:\n    %%fuel%u = add.32 1, 1\n", b, b);
            for (unsigned v = 0; v < VARS; v++)
                str_printf(&g->s, "    %%v%u_b%u = add.%u 0, 1\n", v, b, var_width[v]);
        }
        body(g, b);
    }
    finish(g);
}

static void compare(uint64_t seed, uint64_t checks)
{
    Gen g = {0};
    generate(&g, seed);
    TextRun r = text_run_with(str_text(&g.s), (VmOptions){.checks = checks});
    Plain plain = {.program = r.program, .fn = &r.program->fns.v[ir_fn_find(r.program, "main")]};
    uint32_t expect = (uint32_t)plain_run(&plain);
    if (r.result.ending != VM_END_RETURN || (uint32_t)r.result.status != expect ||
        r.result.steps != plain.steps)
        fail_msg("seed %llu: ending %d %s, %x for %x, %llu steps for %llu\n%s", (unsigned long long)seed,
                 r.result.ending, r.result.message, (unsigned)r.result.status, (unsigned)expect,
                 (unsigned long long)r.result.steps, (unsigned long long)plain.steps, str_text(&g.s));
    text_end(&r);
    str_free(&g.s);
}

static void test_plain(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 600; seed++)
        compare(seed, 0);
}

static void test_shadow(void **state)
{
    (void)state;
    uint64_t checks = 0;
    vm_check_by_word("uninit", &checks);
    for (uint64_t seed = 1000; seed <= 1200; seed++)
        compare(seed, checks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain), cmocka_unit_test(test_shadow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
