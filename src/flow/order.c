/* order.c - what may run before what: within a function by blocks, between functions by the calls that lead
 * there. */
#include "flow/influence_int.h"

/* ---- the call graph --------------------------------------------------------------------------------- */

static Graph call_graph(DependSet *set, Arena *a)
{
    GraphEdges edges = {0};
    for (uint32_t f = 0; f < set->program->fns.n; f++) {
        const IrFn *fn = &set->program->fns.v[f];
        for (uint32_t block = 0; block < fn->blocks.n; block++)
            for (uint32_t i = 0; i < fn->blocks.v[block].insns.n; i++) {
                uint16_t op = fn->blocks.v[block].insns.v[i].op;
                if (op != IR_CALL && op != IR_CALLPTR)
                    continue;
                FlowList to = flow_callees(set->flow, (FlowSite){f, block, i});
                for (uint32_t k = 0; k < to.n; k++)
                    vec_push(&edges, (GraphEdge){f, to.v[k]});
            }
    }
    Graph g = graph_make(a, set->program->fns.n, &edges);
    vec_free(&edges);
    return g;
}

/* The machine's own functions that end a run with a fault. */
static bool ends_failing(const DependSet *set, uint32_t f)
{
    const char *name = ir_text(set->program, set->program->fns.v[f].name);
    return !strcmp(name, "__sheaf_abort") || !strcmp(name, "__sheaf_assert_fail") ||
           !strcmp(name, "__sheaf_report");
}

/* Code of the user; the front end's lists of constructors and destructors are none if they are empty. */
static bool is_users(const IrFn *fn)
{
    return fn->defined && !fn->runtime && (fn->blocks.n > 1 || fn->blocks.v[0].insns.n > 1);
}

static void find_calls_back(DependSet *set, const Graph *g, uint32_t f)
{
    set->aborts[f] |= ends_failing(set, f);
    for (uint32_t e = g->start[f]; e < g->start[f + 1]; e++) {
        uint32_t to = g->to[e];
        if (set->calls_back[to] || is_users(&set->program->fns.v[to]))
            set->calls_back[f] = true;
        set->aborts[f] |= set->aborts[to];
    }
}

void depend_recursion(DependSet *set)
{
    uint32_t n = set->program->fns.n;
    Graph g = call_graph(set, set->arena);
    uint32_t components;
    set->scc = graph_components(set->arena, &g, &components);
    set->recursive = arena_alloc(set->arena, n + 1);
    set->calls_back = arena_alloc(set->arena, n + 1);
    set->aborts = arena_alloc(set->arena, n + 1);
    uint32_t *size = mem_zalloc((components + 1) * sizeof *size),
             *head = mem_alloc((components + 1) * sizeof *head), *next = mem_alloc((n + 1) * sizeof *next);
    for (uint32_t c = 0; c < components; c++)
        head[c] = IR_NONE;
    for (uint32_t f = n; f-- > 0;) {
        size[set->scc[f]]++;
        next[f] = head[set->scc[f]];
        head[set->scc[f]] = f;
    }
    for (uint32_t c = 0; c < components; c++)
        for (uint32_t round = 0; round < 2; round++)
            for (uint32_t f = head[c]; f != IR_NONE; f = next[f]) {
                for (uint32_t e = g.start[f]; e < g.start[f + 1]; e++)
                    set->recursive[f] |= g.to[e] == f;
                set->recursive[f] |= size[c] > 1;
                find_calls_back(set, &g, f);
                for (uint32_t m = head[c]; round && m != IR_NONE; m = next[m])
                    set->calls_back[f] |= set->calls_back[m], set->aborts[f] |= set->aborts[m];
                if (round && set->program->fns.v[f].defined && !set->program->fns.v[f].runtime)
                    vec_push(&set->order, f);
            }
    mem_free(size);
    mem_free(head);
    mem_free(next);
}

/* Is the machine's primitive called at all? */
static bool uses(const DependSet *set, const char *name)
{
    uint32_t fn = ir_fn_find(set->program, name);
    return fn != IR_NONE && flow_callers(set->flow, fn).n;
}

void depend_dangers(DependSet *set)
{
    enum { SOME_STACK = 1 << 20 };            /* far below what a machine is given */
    uint64_t locals = 0;
    set->wary = (set->options.checks & FLOW_CHECK_UNINIT) || uses(set, "__sheaf_pipe");
    for (uint32_t f = 0; f < set->program->fns.n; f++) {
        const IrFn *fn = &set->program->fns.v[f];
        for (uint32_t i = 0; !fn->runtime && fn->blocks.n && i < fn->blocks.v[0].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[0].insns.v[i];
            const IrConst *size = insn->op == IR_ALLOCA ? ir_reg_const_of(fn, insn->a) : NULL;
            if (size)
                locals += size->bits > SOME_STACK ? SOME_STACK : (uint64_t)size->bits;
        }
    }
    set->big_frames = locals >= SOME_STACK;
}

/* ---- within a function ------------------------------------------------------------------------------ */

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
                uint32_t loop = depend_loop_of_edge(b->fn, from, to.v[i]);
                if (loop != IR_NONE && !b->fn->loops.v[loop].irreducible)
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

/* ---- between functions ------------------------------------------------------------------------------ */

const BitSet *influence_leads_to(FlowInfluence *in, uint32_t fn)
{
    DependSet *set = in->depend;
    uint32_t n = set->program->fns.n;
    if (!in->leads_to) {
        Graph g = call_graph(set, in->arena);
        in->leads_to = mem_zalloc((n + 1) * sizeof *in->leads_to);
        uint32_t *by_component = mem_alloc((n + 1) * sizeof *by_component),
                 *fill = mem_zalloc((n + 2) * sizeof *fill);
        for (uint32_t f = 0; f < n; f++)
            fill[set->scc[f] + 1]++;
        for (uint32_t c = 0; c < n; c++)
            fill[c + 1] += fill[c];
        for (uint32_t f = 0; f < n; f++)
            by_component[fill[set->scc[f]]++] = f;
        for (uint32_t round = 0; round < 2; round++)          /* twice: within a recursion all lead to all */
            for (uint32_t i = 0; i < n; i++) {
                uint32_t f = by_component[i];
                bitset_add(&in->leads_to[f], f);
                for (uint32_t e = g.start[f]; e < g.start[f + 1]; e++)
                    bitset_unite(&in->leads_to[f], &in->leads_to[g.to[e]]);
                for (uint32_t k = i; k > 0 && set->scc[by_component[k - 1]] == set->scc[f]; k--)
                    bitset_unite(&in->leads_to[f], &in->leads_to[by_component[k - 1]]);
                for (uint32_t k = i; k > 0 && set->scc[by_component[k - 1]] == set->scc[f]; k--)
                    bitset_unite(&in->leads_to[by_component[k - 1]], &in->leads_to[f]);
            }
        mem_free(by_component);
        mem_free(fill);
    }
    return &in->leads_to[fn];
}

typedef Vec(FlowSite) SiteVec;

/* Instructions of function f under which `what` runs: itself, or calls that may lead there. */
static void ways_to(FlowInfluence *in, uint32_t f, FlowSite what, SiteVec *out)
{
    const IrFn *fn = &in->depend->program->fns.v[f];
    vec_clear(out);
    if (what.fn == f)
        vec_push(out, what);
    for (uint32_t block = 0; block < fn->blocks.n; block++)
        for (uint32_t i = 0; i < fn->blocks.v[block].insns.n; i++) {
            uint16_t op = fn->blocks.v[block].insns.v[i].op;
            FlowSite at = {f, block, i};
            if (op != IR_CALL && op != IR_CALLPTR)
                continue;
            FlowList to = flow_callees(in->flow, at);
            bool leads = false;
            for (uint32_t k = 0; k < to.n && !leads; k++)
                leads = bitset_has(influence_leads_to(in, to.v[k]), what.fn);
            if (leads)
                vec_push(out, at);
        }
}

/* Within one call of a function; a call stands for all that runs in it. */
static bool precedes_in(FlowInfluence *in, FlowSite a, FlowSite b)
{
    const IrFn *fn = &in->depend->program->fns.v[a.fn];
    const Depend *d = in->depend->fns[a.fn];
    if (!d || d->lump || depend_common_loop(fn, a.block, b.block) != IR_NONE)
        return true;
    return a.block == b.block ? a.insn < b.insn : depend_later(in->depend, d, a.block, b.block);
}

bool flow_may_precede(FlowInfluence *in, FlowSite a, FlowSite b)
{
    SiteVec before = {0}, after = {0};
    bool found = a.fn == b.fn && in->depend->recursive[a.fn];
    for (uint32_t f = 0; f < in->depend->program->fns.n && !found; f++) {
        if (!bitset_has(influence_leads_to(in, f), a.fn) || !bitset_has(influence_leads_to(in, f), b.fn))
            continue;
        ways_to(in, f, a, &before);
        ways_to(in, f, b, &after);
        for (uint32_t i = 0; i < before.n && !found; i++)
            for (uint32_t k = 0; k < after.n && !found; k++)
                found = precedes_in(in, before.v[i], after.v[k]);
    }
    vec_free(&before);
    vec_free(&after);
    return found;
}
