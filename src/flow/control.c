/* control.c - dominators, post-dominators and control dependence of one function on the control flow that is
 * real under a policy: calls that may leave are edges to the exit; what can only fail or never ends is a dead
 * end and taken out first. */
#include "flow/flow_int.h"

/* What the instructions of a block do to the flow. */
typedef struct Passage {
    bool goes_on; /* control may reach the terminator and pass it */
    bool leaves;  /* before or at its end it may leave by a real edge */
    bool jumps;   /* and that by longjmp */
    bool lands;   /* it has a setjmp, to which longjmp may come back */
    bool returns;
} Passage;

/* Nodes of the split graph: block b is entered at 2b and left at 2b + 1; the last node is the exit. */
typedef struct Build {
    Flow *flow;
    Control *c;
    uint32_t index, n;
    Passage *passages;
    uint8_t *reached, *alive; /* by block */
    uint32_t *sides;          /* by block: successors of the terminator */
    Graph split, split_back;
    uint32_t exit;
    bool endless; /* no block is on a way to the exit: outermost loops count as ways to it */
    Arena *scratch;
} Build;

static void find_passages(Build *b)
{
    uint8_t real = flow_real_ends(b->c->policy);
    for (uint32_t i = 0; i < b->n; i++) {
        const IrBlock *block = &b->c->fn->blocks.v[i];
        Passage p = {.goes_on = true};
        for (uint32_t j = 0; j < block->insns.n && p.goes_on; j++) {
            uint8_t how = flow_insn_ends(b->flow, (FlowSite){b->index, i, j});
            p.leaves |= (how & real) != 0;
            p.jumps |= (how & ENDS_JUMP) != 0;
            p.lands |= block->insns.v[j].op == IR_SETJMP;
            p.goes_on = how & ENDS_RETURN;
        }
        p.returns = p.goes_on && vec_last(&block->insns).op == IR_RET;
        b->passages[i] = p;
    }
}

/* The successors of the terminators come first; then, in a function that calls setjmp, the ways back to it.
 * Dominators do without these: a definition that dominates a use does so by the former. */
static void find_blocks(Build *b)
{
    EdgeVec edges = {0};
    U32Vec to = {0};
    for (uint32_t i = 0; i < b->n; i++) {
        ir_block_successors(b->c->fn, i, &to);
        b->sides[i] = to.n;
        for (uint32_t j = 0; b->passages[i].goes_on && j < to.n; j++)
            vec_push(&edges, (Edge){i, to.v[j]});
    }
    Graph plain = graph_make(b->scratch, b->n, &edges), back = graph_reverse(b->scratch, &plain);
    b->c->face.idom = graph_dominators(b->flow->arena, &plain, &back, 0);
    for (uint32_t s = 0; s < b->n; s++)
        for (uint32_t i = 0; b->passages[s].lands && i < b->n; i++)
            if (b->passages[i].jumps)
                vec_push(&edges, (Edge){i, s});
    b->c->blocks = graph_make(b->flow->arena, b->n, &edges);
    b->c->blocks_back = graph_reverse(b->flow->arena, &b->c->blocks);
    vec_clear(&to);
    vec_push(&to, 0);
    graph_reach(&b->c->blocks, &to, b->reached);
    vec_free(&edges);
    vec_free(&to);
}

static bool heads_outermost_loop(const IrFn *fn, uint32_t block)
{
    uint32_t loop = fn->loop_of.n ? fn->loop_of.v[block] : IR_NONE;
    return loop != IR_NONE && fn->loops.v[loop].parent == IR_NONE && fn->loops.v[loop].header == block;
}

static void split_blocks(Build *b)
{
    EdgeVec edges = {0};
    for (uint32_t i = 0; i < b->n; i++) {
        if (!b->reached[i])
            continue;
        if (b->passages[i].goes_on)
            vec_push(&edges, (Edge){2 * i, 2 * i + 1});
        if (b->passages[i].leaves || (b->endless && heads_outermost_loop(b->c->fn, i)))
            vec_push(&edges, (Edge){2 * i, b->exit});
        if (b->passages[i].returns)
            vec_push(&edges, (Edge){2 * i + 1, b->exit});
        uint32_t first = b->c->blocks.start[i], sides = b->passages[i].goes_on ? b->sides[i] : 0;
        for (uint32_t j = first; j < b->c->blocks.start[i + 1]; j++)
            vec_push(&edges, (Edge){j - first < sides ? 2 * i + 1 : 2 * i, 2 * b->c->blocks.to[j]});
    }
    b->split = graph_make(b->scratch, b->exit + 1, &edges);
    b->split_back = graph_reverse(b->scratch, &b->split);
    vec_free(&edges);
}

/* A block is a dead end if no path leads from its end to the exit: its branch decides nothing that lasts. A
 * block that may leave but cannot go on is left standing with its ipdom at the exit. */
static void find_flags(Build *b, uint8_t *flags)
{
    U32Vec roots = {0};
    uint8_t *late = arena_alloc(b->scratch, b->exit + 1), *marks = arena_alloc(b->scratch, b->exit + 1);
    vec_push(&roots, b->exit);
    graph_reach(&b->split_back, &roots, marks);
    for (uint32_t i = 0; i < b->n; i++)
        if (b->reached[i] && b->passages[i].leaves)
            vec_push(&roots, 2 * i);
    graph_reach(&b->split_back, &roots, late);
    for (uint32_t i = 0; i < b->n; i++) {
        b->alive[i] = b->reached[i] && marks[2 * i];
        flags[i] = !b->reached[i] ? FLOW_UNREACHABLE : !b->alive[i] ? FLOW_DEAD_END : 0;
        if (b->alive[i] && late[b->passages[i].goes_on ? 2 * i + 1 : 2 * i])
            flags[i] |= FLOW_EARLY; /* for now: on the way something may leave */
    }
    vec_free(&roots);
}

static void find_ipdoms(Build *b, uint32_t *ipdom, uint8_t *flags)
{
    uint32_t *up = graph_dominators(b->scratch, &b->split_back, &b->split, b->exit);
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t end = up[2 * i + 1] == IR_NONE ? up[2 * i] : up[2 * i + 1];
        ipdom[i] = !b->alive[i] ? IR_NONE : end == b->exit ? FLOW_EXIT : end / 2;
        if (ipdom[i] != FLOW_EXIT)
            flags[i] &= ~FLOW_EARLY;
    }
}

static Control *make(Flow *flow, uint32_t index, unsigned policy)
{
    const IrFn *fn = flow_fn(flow, index);
    Control *c = arena_alloc(flow->arena, sizeof *c);
    uint32_t n = fn->blocks.n;
    *c = (Control){.fn = fn, .policy = policy};
    if (!fn->defined)
        return c;
    Build b = {.flow = flow, .c = c, .index = index, .n = n, .exit = 2 * n, .scratch = arena_new()};
    b.passages = arena_alloc(b.scratch, (n + 1) * sizeof *b.passages);
    b.sides = arena_alloc(b.scratch, (n + 1) * sizeof *b.sides);
    b.reached = arena_alloc(b.scratch, n + 1);
    b.alive = arena_alloc(b.scratch, n + 1);
    uint32_t *ipdom = arena_alloc(flow->arena, (n + 1) * sizeof *ipdom);
    uint8_t *flags = arena_alloc(flow->arena, n + 1);
    find_passages(&b);
    find_blocks(&b);
    split_blocks(&b);
    find_flags(&b, flags);
    /* A loop without end: what decides within an iteration ends within it. Where the function ends by an exit
     * that the policy leaves out, what comes after its loops is not to be lost. */
    if (!b.alive[0] &&
        ((policy & FLOW_TIE_EXITS) || !flow_control(flow, index, policy | FLOW_TIE_EXITS)->may_not_return)) {
        b.endless = true;
        split_blocks(&b);
        find_flags(&b, flags);
    }
    find_ipdoms(&b, ipdom, flags);
    c->face.ipdom = ipdom;
    c->face.flags = flags;
    c->dominators = graph_tree(flow->arena, c->face.idom, n);
    c->join = arena_alloc(flow->arena, (n + 1) * sizeof *c->join);
    arena_free(b.scratch);
    return c;
}

Control *control_of(Flow *flow, uint32_t fn, unsigned policy)
{
    Control **slot = &flow->control[policy * flow->program->fns.n + fn];
    if (*slot)
        return *slot;
    Control *c = make(flow, fn, policy);
    uint8_t ends = flow_fn_ends(flow, fn);
    c->face.may_not_return = ends & flow_real_ends(policy);
    c->face.returns = ends & ENDS_RETURN;
    return *slot = c;
}

const FlowControl *flow_control(Flow *flow, uint32_t fn, unsigned policy)
{
    return &control_of(flow, fn, policy)->face;
}

/* ---- control dependence ---------------------------------------------------------------------- */

static FlowList *rows(Flow *flow, uint32_t n, const EdgeVec *edges)
{
    Graph g = graph_make(flow->arena, n, edges);
    FlowList *list = arena_alloc(flow->arena, (n + 1) * sizeof *list);
    for (uint32_t i = 0; i < n; i++)
        list[i] = (FlowList){g.to + g.start[i], g.start[i + 1] - g.start[i]};
    return list;
}

/* From each side of a branch up the tree of post-dominators as far as the branch's own; what lies on the way
 * depends. */
static void make_depends(Flow *flow, Control *c)
{
    uint32_t n = c->fn->blocks.n;
    const FlowControl *f = &c->face;
    EdgeVec down = {0}, up = {0};
    uint32_t *seen = mem_alloc((n + 1) * sizeof *seen);
    memset(seen, 255, (n + 1) * sizeof *seen);
    for (uint32_t b = 0; b < n; b++) {
        if (f->ipdom[b] == IR_NONE || c->blocks.start[b + 1] - c->blocks.start[b] < 2)
            continue;
        for (uint32_t i = c->blocks.start[b]; i < c->blocks.start[b + 1]; i++)
            for (uint32_t x = c->blocks.to[i];
                 x != f->ipdom[b] && x < n && f->ipdom[x] != IR_NONE && seen[x] != b; x = f->ipdom[x]) {
                seen[x] = b;
                vec_push(&down, (Edge){b, x});
            }
    }
    for (uint32_t i = 0; i < down.n; i++)
        vec_push(&up, (Edge){down.v[i].to, down.v[i].from});
    c->depends = rows(flow, n, &up);
    c->dependents = rows(flow, n, &down);
    c->depends_made = true;
    mem_free(seen);
    vec_free(&down);
    vec_free(&up);
}

FlowList flow_depends_on(Flow *flow, uint32_t fn, uint32_t block, unsigned policy)
{
    Control *c = control_of(flow, fn, policy);
    if (!c->depends_made)
        make_depends(flow, c);
    return c->depends[block];
}

FlowList flow_dependents(Flow *flow, uint32_t fn, uint32_t branch, unsigned policy)
{
    Control *c = control_of(flow, fn, policy);
    if (!c->depends_made)
        make_depends(flow, c);
    return c->dependents[branch];
}

/* Blocks that end and from which the part is entered, after those of the parts that lead into it. */
static FlowList part_entered_by(Flow *flow, const Control *c, const uint32_t *part_of,
                                const FlowList *entered_by, const U32Vec *members)
{
    U32Vec found = {0}, parts = {0};
    uint32_t part = part_of[members->v[0]];
    for (uint32_t k = 0; k < members->n; k++)
        for (uint32_t i = c->blocks_back.start[members->v[k]]; i < c->blocks_back.start[members->v[k] + 1];
             i++) {
            uint32_t from = c->blocks_back.to[i];
            if (c->face.flags[from] & FLOW_UNREACHABLE)
                continue;
            if (!(c->face.flags[from] & FLOW_DEAD_END))
                vec_push(&found, from);
            else if (part_of[from] != part)
                vec_push(&parts, part_of[from]);
        }
    flow_sort_unique(&parts);
    bool same = parts.n == 1 && !found.n; /* a list is kept once */
    for (uint32_t i = 0; i < parts.n && !same; i++)
        for (uint32_t k = 0; k < entered_by[parts.v[i]].n; k++)
            vec_push(&found, entered_by[parts.v[i]].v[k]);
    flow_sort_unique(&found);
    FlowList list = same ? entered_by[parts.v[0]] : flow_keep(flow, &found);
    vec_free(&found);
    vec_free(&parts);
    return list;
}

/* Dead-end blocks that lead to each other are one part, and what leads into a part is known before it. */
static void make_dead_ends(Flow *flow, Control *c)
{
    uint32_t n = c->fn->blocks.n, count;
    Arena *scratch = arena_new();
    EdgeVec back = {0};
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t i = c->blocks.start[b]; i < c->blocks.start[b + 1]; i++)
            if (c->face.flags[b] & c->face.flags[c->blocks.to[i]] & FLOW_DEAD_END)
                vec_push(&back, (Edge){c->blocks.to[i], b});
    Graph g = graph_make(scratch, n, &back);
    uint32_t *part_of = graph_components(scratch, &g, &count);
    U32Vec *members = mem_zalloc((count + 1) * sizeof *members);
    FlowList *entered_by = arena_alloc(scratch, (count + 1) * sizeof *entered_by);
    c->dead_end_by = arena_alloc(flow->arena, (n + 1) * sizeof *c->dead_end_by);
    for (uint32_t b = 0; b < n; b++)
        vec_push(&members[part_of[b]], b);
    for (uint32_t p = 0; p < count; p++) {
        if (c->face.flags[members[p].v[0]] & FLOW_DEAD_END)
            entered_by[p] = part_entered_by(flow, c, part_of, entered_by, &members[p]);
        for (uint32_t k = 0; k < members[p].n; k++)
            c->dead_end_by[members[p].v[k]] = entered_by[p];
        vec_free(&members[p]);
    }
    mem_free(members);
    vec_free(&back);
    arena_free(scratch);
}

FlowList flow_dead_end_by(Flow *flow, uint32_t fn, uint32_t block, unsigned policy)
{
    Control *c = control_of(flow, fn, policy);
    if (!c->dead_end_by)
        make_dead_ends(flow, c);
    return c->dead_end_by[block];
}

FlowSites flow_leaves(Flow *flow, uint32_t fn, unsigned policy)
{
    Control *c = control_of(flow, fn, policy);
    Vec(FlowSite) found = {0};
    if (c->leaves.v)
        return c->leaves;
    for (uint32_t b = 0; b < c->fn->blocks.n; b++) {
        if (c->face.flags[b] & FLOW_UNREACHABLE)
            continue;
        for (uint32_t i = 0; i < c->fn->blocks.v[b].insns.n; i++) {
            uint8_t how = flow_insn_ends(flow, (FlowSite){fn, b, i});
            if (how & flow_real_ends(policy))
                vec_push(&found, (FlowSite){fn, b, i});
            if (!(how & ENDS_RETURN))
                break;
        }
    }
    FlowSite *v = arena_alloc(flow->arena, (found.n + 1) * sizeof *v);
    if (found.n)
        memcpy(v, found.v, found.n * sizeof *v);
    c->leaves = (FlowSites){v, found.n};
    vec_free(&found);
    return c->leaves;
}
