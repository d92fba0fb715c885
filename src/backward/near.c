/* near.c - how near a run came to a target: what the search on real values goes by.
 *
 * The level of a block is the number of blocks from it to a target, over calls and returns. At the end of
 * each block that a run executes the registers tell how far its branch was from the side that leads nearer:
 * |a - b| for a == b, and so on. At cut points the condition is measured in the same way. Of a run counts the
 * lowest level, then the condition at the nearest cut point, then the branch that was missed. */
#include "backward/backward_int.h"

enum { DEPTH_MOST = 40 };

struct BackwardGauge {
    Backward *bw;
    BackwardPlaces places;
    Map levels;     /* function and block to level */
    U32Vec **preds; /* by function, by block; NULL: not known yet */
    VmBlocks blocks;
    BackwardTrack track;
    BackwardNear near;
    uint32_t cut_level; /* of the cut point that near.condition is of */
    uint32_t held;      /* site of the last cut point at which the condition held */
};

/* ---- distances ------------------------------------------------------------------------------- */

static long double number(u128 a, unsigned width, bool is_signed)
{
    return is_signed ? (long double)bits_signed(a, width) : (long double)a;
}

static long double floating(u128 a, unsigned width)
{
    return width == 32 ? bits_to_float(a) : width == 64 ? (long double)bits_to_double(a) : bits_to_ldouble(a);
}

/* Of a comparison of two values: 0 if it has the value `goal`. */
static long double compared(BitsOp op, unsigned width, u128 a, u128 b, bool goal)
{
    if ((bits_apply(op, width, 0, a, b, 0) != 0) == goal)
        return 0;
    bool real = bits_op_is_float(op);
    long double x =
        real ? floating(a, width)
             : number(a, width, op == BITS_SLT || op == BITS_SLE || op == BITS_EQ || op == BITS_NE);
    long double y =
        real ? floating(b, width)
             : number(b, width, op == BITS_SLT || op == BITS_SLE || op == BITS_EQ || op == BITS_NE);
    long double d = x < y ? y - x : x - y;
    if (!(d >= 0)) /* a NaN */
        return 1e30L;
    switch (op) {
    case BITS_EQ:
    case BITS_FOEQ:
    case BITS_FUEQ: return goal ? d : 1;
    case BITS_NE:
    case BITS_FONE:
    case BITS_FUNE: return goal ? 1 : d;
    case BITS_ULT:
    case BITS_SLT: return goal ? d + 1 : d;
    case BITS_ULE:
    case BITS_SLE: return goal ? d : d + 1;
    default: return d > 0 ? d : 1e-30L;
    }
}

/* Two conditions of which both, or one, must have the value that is asked for. */
static long double joined(bool both, long double a, long double b) { return both ? a + b : a < b ? a : b; }

typedef struct Terms {
    const ExprPool *pool;
    ExprEval *values;
} Terms;

static long double distance(Terms *t, Expr e, bool goal, unsigned depth)
{
    const ExprPool *p = t->pool;
    ExprOp op = expr_op(p, e);
    if ((expr_eval(t->values, e) != 0) == goal)
        return 0;
    if (!depth)
        return 1;
    Expr a = expr_child_count(p, e) ? expr_child(p, e, 0) : EXPR_NONE,
         b = expr_child_count(p, e) > 1 ? expr_child(p, e, 1) : EXPR_NONE;
    switch (op) {
    case EXPR_NOT: return distance(t, a, !goal, depth - 1);
    case EXPR_AND:
    case EXPR_OR:
        return joined((op == EXPR_AND) == goal, distance(t, a, goal, depth - 1),
                      distance(t, b, goal, depth - 1));
    case EXPR_ITE: {
        bool first = expr_eval(t->values, a) != 0;
        Expr here = first ? b : expr_child(p, e, 2), there = first ? expr_child(p, e, 2) : b;
        return joined(false, distance(t, here, goal, depth - 1),
                      distance(t, a, !first, depth - 1) + distance(t, there, goal, depth - 1));
    }
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_SLT:
    case EXPR_FOEQ:
    case EXPR_FOLT:
    case EXPR_FOLE:
        return compared(expr_op_bits(op), expr_width(p, a), expr_eval(t->values, a), expr_eval(t->values, b),
                        goal);
    default: return 1;
    }
}

long double bw_distance(Backward *bw, const ExprInput *values, Expr e)
{
    Terms t = {bw->pool, expr_eval_new(bw->pool)};
    expr_eval_input(t.values, values);
    long double d = distance(&t, e, true, DEPTH_MOST);
    expr_eval_free(t.values);
    return d;
}

/* ---- branches -------------------------------------------------------------------------------- */

static u128 value_of(const Vm *vm, uint32_t reg)
{
    u128 value = 0;
    vm_view_register(vm, 0, reg, &value);
    return value;
}

/* A condition in a register, by way of the instructions that made it. */
static long double bit_distance(BackwardGauge *g, const Vm *vm, uint32_t fn, uint32_t reg, bool goal,
                                unsigned depth)
{
    const IrFn *f = &g->bw->program->fns.v[fn];
    if ((value_of(vm, reg) != 0) == goal)
        return 0;
    const IrInsn *d = depth ? ir_reg_def(f, reg) : NULL;
    if (!d || !ir_op_is_pure((IrOp)d->op))
        return 1;
    BitsOp op = (BitsOp)d->op;
    bool against_zero = (op == BITS_EQ || op == BITS_NE) && ir_reg_const_of(f, d->b) && !value_of(vm, d->b);
    const IrInsn *tested = against_zero ? ir_reg_def(f, d->a) : NULL;
    if (tested && tested->op == IR_ZEXT && f->regs.v[tested->a].width == 1) /* (x < y) != 0 */
        return bit_distance(g, vm, fn, tested->a, goal == (op == BITS_NE), depth - 1);
    if (bits_op_arity(op) == 2 && bits_op_result(op) == BITS_RESULT_BIT && op >= BITS_EQ)
        return compared(op, f->regs.v[d->a].width, value_of(vm, d->a), value_of(vm, d->b), goal);
    if (op == BITS_XOR && value_of(vm, d->b))
        return bit_distance(g, vm, fn, d->a, !goal, depth - 1);
    if (op == BITS_AND || op == BITS_OR)
        return joined((op == BITS_AND) == goal, bit_distance(g, vm, fn, d->a, goal, depth - 1),
                      bit_distance(g, vm, fn, d->b, goal, depth - 1));
    if (op == BITS_SELECT && ir_reg_const_of(f, d->c)) /* a && b, a || b */
        return joined(goal, bit_distance(g, vm, fn, d->a, true, depth - 1),
                      bit_distance(g, vm, fn, d->b, goal, depth - 1));
    if (op == BITS_SELECT && ir_reg_const_of(f, d->b))
        return joined(!goal, bit_distance(g, vm, fn, d->a, goal, depth - 1),
                      bit_distance(g, vm, fn, d->c, goal, depth - 1));
    return 1;
}

/* How far the end of the block is from going to `to`. */
static long double turn(BackwardGauge *g, const Vm *vm, VmBlock at, uint32_t to)
{
    const IrFn *f = &g->bw->program->fns.v[at.fn];
    const IrInsn *last = &vec_last(&f->blocks.v[at.block].insns);
    if (last->op == IR_BR)
        return last->b == last->c ? 0 : bit_distance(g, vm, at.fn, last->a, last->b == to, DEPTH_MOST);
    if (last->op != IR_SWITCH)
        return 0;
    const uint32_t *list = &f->extra.v[last->b];
    unsigned width = f->regs.v[last->a].width;
    long double least = to == last->c ? 1 : 1e30L;
    bool listed = false;
    for (uint32_t i = 0; i < list[0]; i++) {
        u128 a = value_of(vm, last->a), b = value_of(vm, list[1 + 2 * i]);
        listed |= a == b;
        if (list[2 + 2 * i] == to)
            least = joined(false, least, compared(BITS_EQ, width, a, b, true));
    }
    return to == last->c && !listed ? 0 : least;
}

/* ---- levels ---------------------------------------------------------------------------------- */

static uint32_t level_of(const BackwardGauge *g, uint32_t fn, uint32_t block)
{
    return (uint32_t)map_get_or(&g->levels, (uint64_t)fn << 32 | block, UINT32_MAX);
}

static void put_level(BackwardGauge *g, U64Vec *queue, uint32_t fn, uint32_t block, uint32_t level)
{
    if (map_add(&g->levels, (uint64_t)fn << 32 | block, level))
        vec_push(queue, (uint64_t)fn << 32 | block);
}

/* From a block to the ends of the functions that it calls. */
static void into_callees(BackwardGauge *g, U64Vec *queue, uint32_t fn, uint32_t block, uint32_t level)
{
    const IrProgram *program = g->bw->program;
    const IrBlock *b = &program->fns.v[fn].blocks.v[block];
    for (uint32_t i = 0; i < b->insns.n; i++) {
        if (b->insns.v[i].op != IR_CALL && b->insns.v[i].op != IR_CALLPTR)
            continue;
        FlowList callees = flow_callees(g->bw->flow, (FlowSite){fn, block, i});
        for (uint32_t k = 0; k < callees.n; k++) {
            const IrFn *f = &program->fns.v[callees.v[k]];
            for (uint32_t r = 0; f->defined && r < f->blocks.n; r++)
                if (vec_last(&f->blocks.v[r].insns).op == IR_RET)
                    put_level(g, queue, callees.v[k], r, level);
        }
    }
}

/* Of each block, found once for each function. */
static const U32Vec *predecessors(BackwardGauge *g, uint32_t fn)
{
    const IrFn *f = &g->bw->program->fns.v[fn];
    U32Vec successors = {0};
    if (g->preds[fn])
        return g->preds[fn];
    g->preds[fn] = mem_zalloc(f->blocks.n * sizeof(U32Vec));
    for (uint32_t b = 0; b < f->blocks.n; b++) {
        ir_block_successors(f, b, &successors);
        for (uint32_t k = 0; k < successors.n; k++)
            vec_push(&g->preds[fn][successors.v[k]], b);
    }
    vec_free(&successors);
    return g->preds[fn];
}

static void find_levels(BackwardGauge *g)
{
    U64Vec queue = {0};
    for (uint32_t i = 0; i < g->places.n; i++)
        put_level(g, &queue, g->places.v[i].fn, g->places.v[i].block, g->places.v[i].to == IR_NONE ? 0 : 1);
    for (uint32_t next = 0; next < queue.n; next++) {
        uint32_t fn = (uint32_t)(queue.v[next] >> 32), block = (uint32_t)queue.v[next],
                 level = level_of(g, fn, block) + 1;
        const U32Vec *before = &predecessors(g, fn)[block];
        for (uint32_t i = 0; i < before->n; i++)
            put_level(g, &queue, fn, before->v[i], level);
        FlowSites callers = flow_callers(g->bw->flow, fn);
        for (uint32_t i = 0; i < callers.n && !block; i++)
            put_level(g, &queue, callers.v[i].fn, callers.v[i].block, level);
        into_callees(g, &queue, fn, block, level);
    }
    for (uint32_t i = 0; i < queue.n; i++)
        if (!g->bw->program->fns.v[queue.v[i] >> 32].runtime)
            vec_push(&g->blocks, (VmBlock){(uint32_t)(queue.v[i] >> 32), (uint32_t)queue.v[i], true});
    vec_free(&queue);
}

static bool is_target_edge(const BackwardGauge *g, VmBlock at, uint32_t to)
{
    for (uint32_t i = 0; i < g->places.n; i++)
        if (g->places.v[i].fn == at.fn && g->places.v[i].block == at.block && g->places.v[i].to == to)
            return true;
    return false;
}

/* ---- a run ----------------------------------------------------------------------------------- */

BackwardGauge *backward_gauge_new(Backward *bw, const BackwardPlaces *places)
{
    BackwardGauge *g = mem_zalloc(sizeof *g);
    g->bw = bw;
    g->preds = mem_zalloc((bw->program->fns.n + 1) * sizeof *g->preds);
    for (uint32_t i = 0; i < places->n; i++)
        vec_push(&g->places, places->v[i]);
    find_levels(g);
    backward_cut_blocks(bw, &g->blocks);
    return g;
}

void backward_gauge_free(BackwardGauge *g)
{
    for (uint32_t f = 0; f < g->bw->program->fns.n; f++) {
        for (uint32_t b = 0; g->preds[f] && b < g->bw->program->fns.v[f].blocks.n; b++)
            vec_free(&g->preds[f][b]);
        mem_free(g->preds[f]);
    }
    mem_free(g->preds);
    vec_free(&g->places);
    vec_free(&g->blocks);
    map_free(&g->levels);
    mem_free(g);
}

const VmBlocks *backward_gauge_blocks(const BackwardGauge *g) { return &g->blocks; }

void backward_gauge_begin(BackwardGauge *g)
{
    g->track = (BackwardTrack){0};
    g->near = (BackwardNear){.level = UINT32_MAX, .site = IR_NONE, .lost = IR_NONE, .held = IR_NONE};
    g->cut_level = UINT32_MAX;
    g->held = IR_NONE;
}

static void at_end(BackwardGauge *g, const Vm *vm, VmBlock at)
{
    const IrFn *f = &g->bw->program->fns.v[at.fn];
    U32Vec successors = {0};
    ir_block_successors(f, at.block, &successors);
    for (uint32_t i = 0; i < successors.n; i++) {
        uint32_t level = is_target_edge(g, at, successors.v[i]) ? 0 : level_of(g, at.fn, successors.v[i]);
        if (level == UINT32_MAX || level > g->near.level)
            continue;
        long double d = turn(g, vm, at, successors.v[i]);
        if (level < g->near.level || d < g->near.turn) {
            g->near.level = level;
            g->near.turn = d;
            g->near.site = vec_last(&f->blocks.v[at.block].insns).site;
        }
    }
    vec_free(&successors);
}

static void at_cut(BackwardGauge *g, const BackwardSight *sight, VmBlock at)
{
    uint32_t cut, level = level_of(g, at.fn, at.block);
    if (!backward_watch(g->bw, sight, &g->track, at.fn, at.block, &cut))
        return;
    long double d = bw_condition_distance(g->bw, cut);
    backward_watch_end(g->bw);
    const IrFn *f = &g->bw->program->fns.v[at.fn];
    uint32_t site = vec_last(&f->blocks.v[at.block].insns).site;
    if (d > 0 && g->near.lost == IR_NONE) {
        g->near.lost = site;
        g->near.held = g->held;
    }
    if (!(d > 0))
        g->held = site;
    if (d < 0 || level > g->cut_level || (level == g->cut_level && d >= g->near.condition))
        return;
    g->cut_level = level;
    g->near.condition = d;
}

void backward_gauge_tell(BackwardGauge *g, const BackwardSight *sight, VmBlock at)
{
    if (at.end)
        at_end(g, sight->vm, at);
    else
        at_cut(g, sight, at);
}

BackwardNear backward_gauge_end(const BackwardGauge *g) { return g->near; }

bool backward_is_nearer(const BackwardNear *a, const BackwardNear *b)
{
    if (a->level != b->level)
        return a->level < b->level;
    return a->condition != b->condition ? a->condition < b->condition : a->turn < b->turn;
}
