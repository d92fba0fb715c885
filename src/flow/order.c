/* order.c - what may run before what: within a function by blocks, between functions by the calls that lead
 * there. */
#include "flow/flow_int.h"
#include "flow/slice_int.h"

/* ---- the call graph -------------------------------------------------------------------------- */

/* From functions to functions and to groups of calls through pointers, which follow them: n calls through a
 * table of n functions are no n * n edges. */
static Graph call_graph(DependSet *set, Arena *a)
{
    GraphEdges edges = {0};
    uint32_t n = set->program->fns.n, groups = call_group_count(set->flow);
    for (uint32_t f = 0; f < n; f++) {
        FlowList sites = call_sites_of_fn(set->flow, f);
        for (uint32_t i = 0; i < sites.n; i++)
            vec_push(&edges, (GraphEdge){call_site(set->flow, sites.v[i]).fn, f});
    }
    for (uint32_t g = 0; g < groups; g++) {
        FlowList sites = call_sites_of_group(set->flow, g), members = call_group_members(set->flow, g);
        for (uint32_t i = 0; i < sites.n; i++)
            vec_push(&edges, (GraphEdge){call_site(set->flow, sites.v[i]).fn, n + g});
        for (uint32_t i = 0; i < members.n; i++)
            vec_push(&edges, (GraphEdge){n + g, members.v[i]});
    }
    Graph graph = graph_make(a, n + groups, &edges);
    vec_free(&edges);
    return graph;
}

/* The machine's own functions that end a run with a fault. */
static bool ends_failing(const DependSet *set, uint32_t f)
{
    const char *name = ir_text(set->program, set->program->fns.v[f].name);
    return !strcmp(name, "__sheaf_abort") || !strcmp(name, "__sheaf_assert_fail") ||
           !strcmp(name, "__sheaf_report") || !strcmp(name, "__sheaf_fault");
}

/* Code of the user; the front end's lists of constructors and destructors are none if they are empty. */
static bool is_users(const IrFn *fn)
{
    return fn->defined && !fn->runtime && (fn->blocks.n > 1 || fn->blocks.v[0].insns.n > 1);
}

/* What holds of a component: of one of its functions or groups, or of what they call. */
typedef struct Circle {
    bool recursive, calls_back, aborts;
} Circle;

static void look_at(const DependSet *set, const Graph *g, uint32_t x, Circle *c)
{
    const IrProgram *p = set->program;
    c->aborts |= x < p->fns.n && ends_failing(set, x);
    for (uint32_t e = g->start[x]; e < g->start[x + 1]; e++) {
        uint32_t to = g->to[e];
        c->recursive |= to == x;
        c->calls_back |= set->calls_back[to] || (to < p->fns.n && is_users(&p->fns.v[to]));
        c->aborts |= set->aborts[to];
    }
}

/* Members of each component, functions ascending, groups behind them. */
static Graph component_members(Arena *a, const uint32_t *component, uint32_t n, uint32_t components)
{
    GraphEdges edges = {0};
    for (uint32_t x = 0; x < n; x++)
        vec_push(&edges, (GraphEdge){component[x], x});
    Graph members = graph_make(a, components, &edges);
    vec_free(&edges);
    return members;
}

/* Components come after those that they call. */
void depend_recursion(DependSet *set)
{
    Arena *scratch = arena_new();
    Graph g = call_graph(set, scratch);
    set->scc = graph_components(set->arena, &g, &set->components);
    Graph members = component_members(scratch, set->scc, g.n, set->components);
    set->recursive = arena_alloc(set->arena, g.n + 1);
    set->calls_back = arena_alloc(set->arena, g.n + 1);
    set->aborts = arena_alloc(set->arena, g.n + 1);
    for (uint32_t c = 0; c < set->components; c++) {
        Circle circle = {.recursive = members.start[c + 1] - members.start[c] > 1};
        for (uint32_t i = members.start[c]; i < members.start[c + 1]; i++)
            look_at(set, &g, members.to[i], &circle);
        for (uint32_t i = members.start[c]; i < members.start[c + 1]; i++) {
            uint32_t x = members.to[i];
            set->recursive[x] = circle.recursive;
            set->calls_back[x] = circle.calls_back;
            set->aborts[x] = circle.aborts;
            if (x < set->program->fns.n && set->program->fns.v[x].defined && !set->program->fns.v[x].runtime)
                vec_push(&set->order, x);
        }
    }
    arena_free(scratch);
}

bool flow_makes_pipes(Flow *flow)
{
    uint32_t fn = ir_fn_find(flow->program, "__sheaf_pipe");
    return fn != IR_NONE && flow_callers(flow, fn).n;
}

bool flow_has_big_frames(const IrProgram *program)
{
    enum { SOME_STACK = 1 << 20 }; /* far below what a machine is given */
    uint64_t locals = 0;
    for (uint32_t f = 0; f < program->fns.n; f++) {
        const IrFn *fn = &program->fns.v[f];
        for (uint32_t i = 0; !fn->runtime && fn->blocks.n && i < fn->blocks.v[0].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[0].insns.v[i];
            const IrConst *size = insn->op == IR_ALLOCA ? ir_reg_const_of(fn, insn->a) : NULL;
            if (size)
                locals += size->bits > SOME_STACK ? SOME_STACK : (uint64_t)size->bits;
        }
    }
    return locals >= SOME_STACK;
}

void depend_dangers(DependSet *set)
{
    set->wary = flow_makes_pipes(set->flow);
    set->big_frames = set->flow->stack_varies || flow_has_big_frames(set->program);
}

/* ---- within a function ----------------------------------------------------------------------- */

enum { MAX_ORDERED = 16384 };

/* Blocks so that, back edges left out, successors come first (in irreducible loops as far as that goes). */
static void post_order(const IrFn *fn, U32Vec *out)
{
    uint8_t *seen = mem_zalloc(fn->blocks.n + 1);
    U32Vec stack = {0}, to = {0};
    vec_push(&stack, 0);
    while (stack.n) {
        uint32_t block = vec_last(&stack);
        if (seen[block]) {
            (void)vec_pop(&stack);
            if (seen[block] == 1)
                vec_push(out, block);
            seen[block] = 2;
            continue;
        }
        seen[block] = 1;
        ir_block_successors(fn, block, &to);
        for (uint32_t i = 0; i < to.n; i++)
            if (!seen[to.v[i]])
                vec_push(&stack, to.v[i]);
    }
    mem_free(seen);
    vec_free(&stack);
    vec_free(&to);
}

void depend_order(DependBuild *b)
{
    uint32_t n = b->fn->blocks.n, words = (n + 63) / 64;
    if (!n || n > MAX_ORDERED)
        return;
    uint64_t **later = mem_alloc(n * sizeof *later + (size_t)n * words * sizeof **later),
             *bits = (uint64_t *)(later + n);
    memset(bits, 0, (size_t)n * words * sizeof *bits);
    for (uint32_t i = 0; i < n; i++)
        later[i] = bits + (size_t)i * words;
    U32Vec order = {0}, to = {0};
    post_order(b->fn, &order);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 0; k < order.n; k++) {
            uint32_t from = order.v[k];
            ir_block_successors(b->fn, from, &to);
            for (uint32_t i = 0; i < to.n; i++) {
                bool back = ir_edge_is_back(b->fn, from, to.v[i]);
                if (back && !b->fn->loops.v[b->fn->loop_of.v[to.v[i]]].irreducible)
                    continue;
                for (uint32_t w = 0; w < words; w++) {
                    uint64_t more = later[to.v[i]][w] | (to.v[i] / 64 == w ? (uint64_t)1 << to.v[i] % 64 : 0);
                    changed |= (more & ~later[from][w]) != 0;
                    later[from][w] |= more;
                }
            }
        }
    }
    vec_free(&order);
    vec_free(&to);
    b->d->later = later;
}

bool depend_later(const DependSet *set, const Depend *d, uint32_t a, uint32_t b)
{
    const IrFn *fn = &set->program->fns.v[d->fn];
    if (!d->later)
        return true;
    /* from a loop that b is not in, control may go round it before it leaves */
    for (uint32_t l = fn->loop_of.v[a]; l != IR_NONE && !depend_in_loop(fn, b, l); l = fn->loops.v[l].parent)
        a = fn->loops.v[l].header;
    return d->later[a][b / 64] >> b % 64 & 1;
}

/* ---- between functions ----------------------------------------------------------------------- */

uint32_t slices_entered(const FlowSlices *all, FlowSite call)
{
    const IrInsn *insn = flow_insn(all->flow, call);
    return all->depend
        ->scc[insn->op == IR_CALL ? insn->a : all->depend->program->fns.n + call_group(all->flow, call)];
}

const BitSet *slices_lead_from(FlowSlices *all, uint32_t recursion)
{
    DependSet *set = all->depend;
    if (!all->leads_to) {
        Arena *scratch = arena_new();
        Graph g = call_graph(set, scratch),
              members = component_members(scratch, set->scc, g.n, set->components);
        all->leads_to = mem_zalloc((set->components + 1) * sizeof *all->leads_to);
        for (uint32_t c = 0; c < set->components; c++)
            for (uint32_t i = members.start[c]; i < members.start[c + 1]; i++) {
                uint32_t x = members.to[i];
                if (x < set->program->fns.n)
                    bitset_add(&all->leads_to[c], x);
                for (uint32_t e = g.start[x]; e < g.start[x + 1]; e++)
                    if (set->scc[g.to[e]] != c)
                        bitset_unite(&all->leads_to[c], &all->leads_to[set->scc[g.to[e]]]);
            }
        arena_free(scratch);
    }
    return &all->leads_to[recursion];
}

const BitSet *slices_lead_to(FlowSlices *all, uint32_t fn)
{
    return slices_lead_from(all, all->depend->scc[fn]);
}

typedef Vec(FlowSite) SiteVec;

/* Instructions of function f under which `what` runs: itself, or calls that may lead there. */
static void ways_to(FlowSlices *all, uint32_t f, FlowSite what, SiteVec *out)
{
    const IrFn *fn = &all->depend->program->fns.v[f];
    vec_clear(out);
    if (what.fn == f)
        vec_push(out, what);
    for (uint32_t block = 0; block < fn->blocks.n; block++)
        for (uint32_t i = 0; i < fn->blocks.v[block].insns.n; i++) {
            uint16_t op = fn->blocks.v[block].insns.v[i].op;
            FlowSite at = {f, block, i};
            if (op != IR_CALL && op != IR_CALLPTR)
                continue;
            if (bitset_has(slices_lead_from(all, slices_entered(all, at)), what.fn))
                vec_push(out, at);
        }
}

/* Within one call of a function; a call stands for all that runs in it. */
static bool precedes_in(FlowSlices *all, FlowSite a, FlowSite b)
{
    const IrFn *fn = &all->depend->program->fns.v[a.fn];
    const Depend *d = all->depend->fns[a.fn];
    bool once = a.block == b.block && a.insn == b.insn; /* one call leads to both: what is in it tells */
    if (depend_common_loop(fn, a.block, b.block) != IR_NONE || (d ? d->collapsed : !once))
        return true;
    return a.block == b.block ? a.insn < b.insn : depend_later(all->depend, d, a.block, b.block);
}

bool flow_may_precede(FlowSlices *all, FlowSite a, FlowSite b)
{
    SiteVec before = {0}, after = {0};
    bool found = a.fn == b.fn && all->depend->recursive[a.fn];
    for (uint32_t f = 0; f < all->depend->program->fns.n && !found; f++) {
        if (!bitset_has(slices_lead_to(all, f), a.fn) || !bitset_has(slices_lead_to(all, f), b.fn))
            continue;
        ways_to(all, f, a, &before);
        ways_to(all, f, b, &after);
        for (uint32_t i = 0; i < before.n && !found; i++)
            for (uint32_t k = 0; k < after.n && !found; k++)
                found = precedes_in(all, before.v[i], after.v[k]);
    }
    vec_free(&before);
    vec_free(&after);
    return found;
}
