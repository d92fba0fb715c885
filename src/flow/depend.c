/* depend.c - builds the dependence graphs of all of the user's functions, callees first.
 *
 * Requires: loops found in every function. A function with setjmp, in which control comes back to an old
 * point, and one above the budget are collapsed: whatever goes in reaches whatever comes out. */
#include "flow/depend.h"
#include "flow/flow_int.h"

enum { EDGE_STEPS = 16 }; /* an edge is made, sorted and walked: about what that costs */
enum { MAX_NODES = 4000000 };

uint32_t depend_node(DependBuild *b, DepKind kind, uint32_t block, uint32_t insn, uint32_t what)
{
    uint32_t node = b->d->nodes.n;
    vec_push(&b->d->nodes, (DepNode){kind, block, insn, what});
    if (kind == DEP_ADDRESS || kind == DEP_CHECK)
        map_put(&b->d->node_at, hash_mix(depend_at(block, insn), kind), node);
    return node;
}

uint32_t depend_node_at(const Depend *d, uint32_t block, uint32_t insn, DepKind kind)
{
    return (uint32_t)map_get_or(&d->node_at, hash_mix(depend_at(block, insn), kind), IR_NONE);
}

void depend_edge(DependBuild *b, uint32_t from, uint32_t to)
{
    const FlowSliceOptions *most = &b->set->options;
    b->set->steps += EDGE_STEPS;
    b->over |= b->set->steps > most->max_steps || b->edges.n * sizeof *b->edges.v > most->max_memory;
    if (!b->over)
        vec_push(&b->edges, (RawEdge){from, to});
}

/* ---- loops ----------------------------------------------------------------------------------- */

bool depend_in_loop(const IrFn *fn, uint32_t block, uint32_t loop)
{
    uint32_t depth = loop < fn->loops.n ? fn->loops.v[loop].depth : UINT32_MAX;
    uint32_t l = fn->loop_of.v[block];
    while (l != IR_NONE && fn->loops.v[l].depth > depth)
        l = fn->loops.v[l].parent;
    return l != IR_NONE && l == loop;
}

/* The innermost loop that contains both, IR_NONE if none does. */
static uint32_t loop_around(const IrFn *fn, uint32_t x, uint32_t y)
{
    while (x != y) {
        if (x == IR_NONE || y == IR_NONE)
            return IR_NONE;
        if (fn->loops.v[x].depth >= fn->loops.v[y].depth)
            x = fn->loops.v[x].parent;
        else
            y = fn->loops.v[y].parent;
    }
    return x;
}

uint32_t depend_common_loop(const IrFn *fn, uint32_t a, uint32_t b)
{
    return loop_around(fn, fn->loop_of.v[a], fn->loop_of.v[b]);
}

static uint32_t leave_node(DependBuild *b, uint32_t loop)
{
    if (b->leave[loop] == IR_NONE)
        b->leave[loop] = depend_node(b, DEP_LEAVE, b->fn->loops.v[loop].header, IR_NONE, loop);
    return b->leave[loop];
}

void depend_use(DependBuild *b, uint32_t node, uint32_t made, uint32_t used, uint32_t to)
{
    uint32_t both = depend_common_loop(b->fn, made, used);
    depend_edge(b, node, to);
    for (uint32_t l = b->fn->loop_of.v[made]; l != both && !b->over; l = b->fn->loops.v[l].parent)
        depend_edge(b, leave_node(b, l), to);
}

void depend_use_reg(DependBuild *b, uint32_t reg, uint32_t used, uint32_t to)
{
    const IrReg *r = &b->fn->regs.v[reg];
    if (r->kind == IR_REG_PARAM)
        depend_edge(b, reg, to);
    else if (r->kind == IR_REG_RESULT && b->d->nodes.v[reg].block != IR_NONE)
        depend_use(b, reg, b->d->nodes.v[reg].block, used, to);
}

void depend_join(DependBuild *b, uint32_t pred, uint32_t phi)
{
    depend_edge(b, depend_ctl(b, pred), phi);
    if (b->sides[pred] > 1)
        depend_edge(b, b->d->branch[pred], phi);
}

/* ---- control --------------------------------------------------------------------------------- */

/* Of the end of a block; made if there is none. */
static uint32_t branch_node(DependBuild *b, uint32_t block)
{
    if (b->d->branch[block] == IR_NONE)
        b->d->branch[block] = depend_node(b, DEP_BRANCH, block, b->fn->blocks.v[block].insns.n - 1, IR_NONE);
    return b->d->branch[block];
}

static void dead_end_edges(DependBuild *b, uint32_t block)
{
    Flow *flow = b->set->flow;
    FlowList by = flow_dead_end_by(flow, b->d->fn, block, b->set->options.policy);
    for (uint32_t i = 0; i < by.n; i++)
        depend_edge(b, branch_node(b, by.v[i]), depend_ctl(b, block));
    U32Vec to = {0};
    ir_block_successors(b->fn, block, &to);
    for (uint32_t i = 0; i < to.n; i++) {
        depend_edge(b, depend_ctl(b, block), depend_ctl(b, to.v[i]));
        if (to.n > 1)
            depend_edge(b, branch_node(b, block), depend_ctl(b, to.v[i]));
    }
    vec_free(&to);
}

/* Loops end where a branch in them leads out; of irreducible ones any branch may say which round is the
 * last. */
static void leave_edges(DependBuild *b)
{
    U32Vec to = {0};
    for (uint32_t block = 0; block < b->fn->blocks.n && !b->over; block++) {
        if (b->d->branch[block] == IR_NONE)
            continue;
        uint32_t stays = b->fn->loop_of.v[block]; /* innermost loop that no successor leaves */
        ir_block_successors(b->fn, block, &to);
        for (uint32_t i = 0; i < to.n && stays != IR_NONE; i++)
            stays = loop_around(b->fn, stays, b->fn->loop_of.v[to.v[i]]);
        bool leaves = true;
        for (uint32_t l = b->fn->loop_of.v[block]; l != IR_NONE; l = b->fn->loops.v[l].parent) {
            leaves &= l != stays;
            if ((leaves || b->fn->loops.v[l].irreducible) && b->leave[l] != IR_NONE)
                depend_edge(b, b->d->branch[block], b->leave[l]);
        }
    }
    vec_free(&to);
}

static void control_edges(DependBuild *b)
{
    for (uint32_t block = 0; block < b->fn->blocks.n; block++) {
        if (b->control->flags[block] & FLOW_UNREACHABLE)
            continue;
        depend_edge(b, b->d->entry, depend_ctl(b, block));
        if (b->control->flags[block] & FLOW_DEAD_END) {
            dead_end_edges(b, block);
            continue;
        }
        FlowList on = flow_depends_on(b->set->flow, b->d->fn, block, b->set->options.policy);
        for (uint32_t i = 0; i < on.n && !b->over; i++)
            depend_edge(b, branch_node(b, on.v[i]), depend_ctl(b, block));
    }
    for (uint32_t block = 0; block < b->fn->blocks.n; block++)
        if (b->d->branch[block] != IR_NONE) {
            const IrBlock *bl = &b->fn->blocks.v[block];
            const IrInsn *last = &bl->insns.v[bl->insns.n - 1];
            depend_edge(b, depend_ctl(b, block), b->d->branch[block]);
            if (last->op == IR_BR || last->op == IR_SWITCH || last->op == IR_GOTO)
                depend_use_reg(b, last->a, block, b->d->branch[block]);
        }
}

/* All that may leave: with faults as control flow the checks too. Where control flow takes a block to leave
 * though nothing in the graph does (an access that cannot fail), the block stands for it: labels follow
 * control flow. */
static void find_leaves(DependBuild *b)
{
    unsigned policy = b->set->options.policy;
    for (uint32_t n = 0; (policy & FLOW_TIE_FAULTS) && n < b->d->nodes.n; n++)
        if (b->d->nodes.v[n].kind == DEP_CHECK)
            vec_push(&b->leaves, n);
    BitSet leaving = {0};
    for (uint32_t i = 0; i < b->leaves.n; i++)
        bitset_add(&leaving, b->d->nodes.v[b->leaves.v[i]].block);
    FlowSites at = flow_leaves(b->set->flow, b->d->fn, policy);
    for (uint32_t i = 0; i < at.n; i++)
        if (bitset_add(&leaving, at.v[i].block))
            vec_push(&b->leaves, depend_ctl(b, at.v[i].block));
    bitset_free(&leaving);
}

/* What may leave in the middle of a block decides whether the rest of the block runs (not distinguished from
 * what stands before it) and all that follows: the blocks that post-dominate it, as far as the next that may
 * leave. */
static void leaving_edges(DependBuild *b)
{
    BitSet leaving = {0};
    for (uint32_t i = 0; i < b->leaves.n; i++)
        bitset_add(&leaving, b->d->nodes.v[b->leaves.v[i]].block);
    for (uint32_t i = 0; i < b->leaves.n; i++) {
        uint32_t node = b->leaves.v[i], block = b->d->nodes.v[node].block;
        if (node != depend_ctl(b, block))
            depend_edge(b, node, depend_ctl(b, block));
        for (uint32_t to = b->control->ipdom[block]; to < FLOW_EXIT; to = b->control->ipdom[to]) {
            depend_edge(b, node, depend_ctl(b, to));
            if (bitset_has(&leaving, to))
                break;
        }
    }
    bitset_free(&leaving);
}

/* ---- preparation ----------------------------------------------------------------------------- */

static void find_sides(DependBuild *b)
{
    U32Vec to = {0};
    for (uint32_t block = 0; block < b->fn->blocks.n; block++) {
        if (b->control->flags[block] & FLOW_UNREACHABLE)
            continue;
        bool dead_end = b->control->flags[block] & FLOW_DEAD_END;
        uint32_t first = IR_NONE, any = IR_NONE, distinct = 0;
        ir_block_successors(b->fn, block, &to);
        for (uint32_t i = 0; i < to.n; i++) {
            distinct += any != IR_NONE && to.v[i] != any;
            any = to.v[i];
            if (!dead_end && (b->control->flags[to.v[i]] & FLOW_DEAD_END))
                continue;
            if (first == IR_NONE)
                first = to.v[i], b->sides[block] = 1;
            else if (to.v[i] != first)
                b->sides[block] = 2;
        }
        if (distinct)
            branch_node(b, block);
    }
    vec_free(&to);
}

static void prepare(DependBuild *b)
{
    const IrFn *fn = b->fn;
    Depend *d = b->d;
    uint32_t blocks = fn->blocks.n, total = 0;
    for (uint32_t r = 0; r < fn->regs.n; r++)
        depend_node(b, DEP_REG, IR_NONE, IR_NONE, r);
    for (uint32_t i = 0; i < blocks; i++)
        depend_node(b, DEP_CTL, i, IR_NONE, IR_NONE);
    d->entry = depend_node(b, DEP_ENTRY, 0, IR_NONE, IR_NONE);
    vec_push(&d->ins, (DepPortal){DOOR_ENTRY, 0, d->entry});
    for (uint32_t p = 0; p < fn->nparams; p++)
        vec_push(&d->ins, (DepPortal){DOOR_REG, p, p});
    d->branch = mem_alloc((blocks + 1) * sizeof *d->branch);
    b->ordinal = mem_alloc((blocks + 1) * sizeof *b->ordinal);
    b->sides = mem_zalloc(blocks + 1);
    for (uint32_t i = 0; i < blocks; i++) {
        d->branch[i] = IR_NONE;
        b->ordinal[i] = total;
        total += fn->blocks.v[i].insns.n;
    }
    b->ordinal[blocks] = total;
    b->touch_first = mem_zalloc((total + 2) * sizeof *b->touch_first);
    b->leave = mem_alloc((fn->loops.n + 1) * sizeof *b->leave);
    for (uint32_t l = 0; l < fn->loops.n; l++)
        b->leave[l] = IR_NONE;
    for (uint32_t r = 0; r < fn->regs.n; r++) {
        const IrReg *reg = &fn->regs.v[r];
        bool reached = reg->block != IR_NONE && !(b->control->flags[reg->block] & FLOW_UNREACHABLE);
        d->nodes.v[r].block = reached ? reg->block : IR_NONE;
        d->nodes.v[r].insn = reached ? reg->insn : IR_NONE;
    }
    find_sides(b);
}

/* ---- registers ------------------------------------------------------------------------------- */

static void phi_edges(DependBuild *b, const IrInsn *insn)
{
    const uint32_t *list = &b->fn->extra.v[insn->a];
    for (uint32_t i = 0; i < list[0]; i++) {
        uint32_t pred = list[1 + 2 * i], reg = list[2 + 2 * i];
        if (b->control->flags[pred] & FLOW_UNREACHABLE)
            continue;
        depend_use_reg(b, reg, pred, insn->dst);
        depend_join(b, pred, insn->dst);
    }
}

static void insn_edges(DependBuild *b, uint32_t block, uint32_t i, U32Vec *reads)
{
    const IrInsn *insn = &b->fn->blocks.v[block].insns.v[i];
    if (insn->op == IR_PHI) {
        phi_edges(b, insn);
        return;
    }
    uint32_t address = depend_node_at(b->d, block, i, DEP_ADDRESS);
    if (insn->dst == IR_NONE || insn->op == IR_CALL || insn->op == IR_CALLPTR)
        return;
    if (address != IR_NONE)
        depend_edge(b, address, insn->dst);
    ir_insn_reads(b->fn, insn, reads);
    for (uint32_t r = 0; r < reads->n; r++)
        depend_use_reg(b, reads->v[r], block, insn->dst);
}

static void register_edges(DependBuild *b)
{
    U32Vec reads = {0};
    for (uint32_t block = 0; block < b->fn->blocks.n; block++)
        if (!(b->control->flags[block] & FLOW_UNREACHABLE))
            for (uint32_t i = 0; i < b->fn->blocks.v[block].insns.n; i++)
                insn_edges(b, block, i, &reads);
    vec_free(&reads);
}

/* Registers that the machine would label at a join although no phi stands there (irreducible flow). */
static void join_edges(DependBuild *b)
{
    bool any = false;
    for (uint32_t l = 0; l < b->fn->loops.n; l++)
        any |= b->fn->loops.v[l].irreducible;
    for (uint32_t block = 0; any && block < b->fn->blocks.n && !b->over; block++) {
        if (b->d->branch[block] == IR_NONE || b->sides[block] < 2)
            continue;
        FlowList regs = flow_join_regs(b->set->flow, b->d->fn, block, b->set->options.policy);
        for (uint32_t i = 0; i < regs.n; i++) {
            uint32_t at = b->d->nodes.v[regs.v[i]].block;
            uint32_t loop = at == IR_NONE ? IR_NONE : depend_common_loop(b->fn, at, block);
            if (loop != IR_NONE && b->fn->loops.v[loop].irreducible)
                depend_edge(b, b->d->branch[block], regs.v[i]);
        }
    }
}

/* ---- a function ------------------------------------------------------------------------------ */

static bool has_setjmp(const IrFn *fn)
{
    for (uint32_t block = 0; block < fn->blocks.n; block++)
        for (uint32_t i = 0; i < fn->blocks.v[block].insns.n; i++)
            if (fn->blocks.v[block].insns.v[i].op == IR_SETJMP)
                return true;
    return false;
}

static bool build_graph(DependBuild *b)
{
    prepare(b);
    depend_order(b);
    if (!depend_classes(b))
        return false;
    depend_calls(b);
    depend_checks(b);
    find_leaves(b);
    register_edges(b);
    join_edges(b);
    depend_memory(b);
    leaving_edges(b);
    control_edges(b);
    leave_edges(b);
    return b->d->nodes.n < MAX_NODES && !b->over && b->set->steps <= b->set->options.max_steps &&
           depend_reach(b);
}

static void free_depend(Depend *d)
{
    vec_free(&d->nodes);
    mem_free(d->branch);
    mem_free(d->start);
    mem_free(d->edges);
    vec_free(&d->roots);
    vec_free(&d->classes);
    vec_free(&d->ins);
    vec_free(&d->outs);
    vec_free(&d->calls);
    vec_free(&d->callees);
    vec_free(&d->links);
    map_free(&d->call_at);
    map_free(&d->node_at);
    mem_free(d->component);
    mem_free(d->reach);
    mem_free(d->later);
    *d = (Depend){.fn = d->fn, .collapsed = true};
}

static void build(DependSet *set, uint32_t fn)
{
    Depend *d = set->fns[fn];
    DependBuild b = {.set = set, .d = d, .fn = &set->program->fns.v[fn]};
    DepCut cut = has_setjmp(b.fn) ? CUT_SETJMP : set->steps > set->options.max_steps ? CUT_BUDGET : CUT_NOT;
    b.control = flow_control(set->flow, fn, set->options.policy);
    if (!cut && !build_graph(&b))
        cut = CUT_BUDGET;
    if (cut) {
        free_depend(d);
        set->bytes -= b.bytes;
        d->cut = cut;
        set->cut++;
    }
    vec_free(&b.edges);
    vec_free(&b.touches);
    vec_free(&b.leaves);
    depend_classes_free(&b);
    void *owned[] = {b.leave, b.sides, b.ordinal, b.touch_first, b.version, b.own};
    for (uint32_t i = 0; i < COUNT_OF(owned); i++)
        mem_free(owned[i]);
}

DependSet *depend_new(Flow *flow, const IrProgram *program, const FlowSliceOptions *options)
{
    DependSet *set = mem_zalloc(sizeof *set);
    set->flow = flow;
    set->program = program;
    set->options = *options;
    set->arena = arena_new();
    sets_init(&set->objects);
    set->fns = arena_alloc(set->arena, (program->fns.n + 1) * sizeof *set->fns);
    depend_recursion(set);
    depend_dangers(set);
    for (uint32_t i = 0; i < set->order.n; i++) {
        Depend *d = arena_alloc(set->arena, sizeof *d);
        d->fn = set->order.v[i];
        set->fns[d->fn] = d;
        build(set, d->fn);
    }
    return set;
}

void depend_free(DependSet *set)
{
    for (uint32_t i = 0; i < set->order.n; i++)
        free_depend(set->fns[set->order.v[i]]);
    vec_free(&set->order);
    sets_free(&set->objects);
    vec_free(&set->many);
    vec_free(&set->splits);
    map_free(&set->many_index);
    map_free(&set->split_of);
    map_free(&set->pointees);
    arena_free(set->arena);
    mem_free(set);
}
