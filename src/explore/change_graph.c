/* change_graph.c - IsCFGPath and distances, across calls: see change.h. */
#include "explore/change.h"

uint32_t change_node(const ChangeGraph *g, uint32_t fn, uint32_t block)
{
    return fn < g->first.n && g->first.v[fn] != IR_NONE && block != IR_NONE ? g->first.v[fn] + block
                                                                            : IR_NONE;
}

bool change_is_impacted(const ChangeGraph *g, uint32_t node)
{
    return node != IR_NONE && g->place[node] != IR_NONE;
}

/* ---- edges ----------------------------------------------------------------------------------- */

typedef struct Making {
    ChangeGraph *g;
    const IrProgram *program;
    Flow *flow;
    GraphEdges edges;
    U32Vec calls;            /* nodes with a call */
    uint32_t entry;          /* IR_NONE: main */
    uint32_t within, behind; /* nodes that stand for what any call may lead to (callbacks, setjmp), and for
                                the end of any call */
} Making;

static void edge(Making *m, uint32_t from, uint32_t to) { vec_push(&m->edges, (GraphEdge){from, to}); }

/* A node of its own behind the blocks of a function: it has returned. */
static uint32_t returned(const Making *m, uint32_t fn)
{
    return m->g->first.v[fn] + m->program->fns.v[fn].blocks.n;
}

static void return_edges(Making *m, uint32_t callee, uint32_t fn, uint32_t block, U32Vec *successors)
{
    ir_block_successors(&m->program->fns.v[fn], block, successors);
    for (uint32_t i = 0; i < successors->n; i++)
        edge(m, returned(m, callee), change_node(m->g, fn, successors->v[i]));
    if (!successors->n)
        edge(m, returned(m, callee), returned(m, fn));
}

static bool is_user(const Making *m, uint32_t fn) { return m->g->first.v[fn] != IR_NONE; }

static void call_edges(Making *m, FlowSite at, U32Vec *successors)
{
    uint32_t node = change_node(m->g, at.fn, at.block);
    FlowList callees = flow_callees(m->flow, at);
    vec_push(&m->calls, node);
    for (uint32_t i = 0; i < callees.n; i++) {
        const IrFn *f = &m->program->fns.v[callees.v[i]];
        if (is_user(m, callees.v[i])) {
            edge(m, node, change_node(m->g, callees.v[i], 0));
            return_edges(m, callees.v[i], at.fn, at.block, successors);
        } else if (strstr(ir_text(m->program, f->name), "setjmp")) {
            ir_block_successors(&m->program->fns.v[at.fn], at.block, successors);
            edge(m, m->within, node);
        }
    }
}

static void function_edges(Making *m, uint32_t fn, U32Vec *successors)
{
    const IrFn *f = &m->program->fns.v[fn];
    for (uint32_t b = 0; b < f->blocks.n; b++) {
        ir_block_successors(f, b, successors);
        for (uint32_t i = 0; i < successors->n; i++)
            edge(m, change_node(m->g, fn, b), change_node(m->g, fn, successors->v[i]));
        if (vec_last(&f->blocks.v[b].insns).op == IR_RET)
            edge(m, change_node(m->g, fn, b), returned(m, fn));
        for (uint32_t i = 0; i < f->blocks.v[b].insns.n; i++) {
            uint16_t op = f->blocks.v[b].insns.v[i].op;
            if (op == IR_CALL || op == IR_CALLPTR)
                call_edges(m, (FlowSite){fn, b, i}, successors);
        }
    }
}

static bool is_named(const IrProgram *program, uint32_t fn, const char *name)
{
    return !strcmp(ir_text(program, program->fns.v[fn].name), name);
}

/* Is it called by the start-up, and by that alone of the library? */
static bool begins(const Making *m, uint32_t fn)
{
    return fn == m->entry || is_named(m->program, fn, "main") ||
           is_named(m->program, fn, "LLVMFuzzerTestOneInput") ||
           is_named(m->program, fn, "__sheaf_constructors");
}

/* Nothing of the program's follows it. */
static bool ends(const IrProgram *program, uint32_t fn)
{
    return is_named(program, fn, "__sheaf_destructors");
}

/* The library calls some functions: comparisons, handlers. They begin at any call, and end behind any. */
static void callback_edges(Making *m, uint32_t fn)
{
    FlowSites callers = flow_callers(m->flow, fn);
    for (uint32_t i = 0; i < callers.n; i++)
        if (!is_user(m, callers.v[i].fn)) {
            edge(m, m->within, change_node(m->g, fn, 0));
            if (!ends(m->program, fn))
                edge(m, returned(m, fn), m->behind);
            return;
        }
}

static void all_edges(Making *m)
{
    U32Vec successors = {0};
    for (uint32_t f = 0; f < m->program->fns.n; f++)
        if (is_user(m, f))
            function_edges(m, f, &successors);
    for (uint32_t f = 0; f < m->program->fns.n; f++)
        if (is_user(m, f) && !begins(m, f))
            callback_edges(m, f);
    for (uint32_t i = 0; i < m->calls.n; i++) {
        edge(m, m->calls.v[i], m->within); /* exit and longjmp are calls, too */
        edge(m, m->behind, m->calls.v[i]); /* which leads to what follows it */
    }
    for (uint32_t f = 0; f < m->program->fns.n; f++) /* handlers run when main has returned */
        if (is_user(m, f) && begins(m, f)) {
            edge(m, returned(m, f), m->within);
            for (uint32_t g = 0; g < m->program->fns.n && is_named(m->program, f, "__sheaf_constructors");
                 g++)
                if (is_user(m, g) && begins(m, g))
                    edge(m, returned(m, f), change_node(m->g, g, 0));
        }
    vec_free(&successors);
}

/* ---- the graph ------------------------------------------------------------------------------- */

static void number_nodes(Making *m)
{
    ChangeGraph *g = m->g;
    for (uint32_t f = 0; f < m->program->fns.n; f++) {
        const IrFn *fn = &m->program->fns.v[f];
        bool user = fn->defined && !fn->runtime;
        vec_push(&g->first, user ? g->n : IR_NONE);
        g->n += user ? fn->blocks.n + 1 : 0;
    }
    m->within = g->n++;
    m->behind = g->n++;
    uint8_t *branches = arena_alloc(g->arena, g->n);
    for (uint32_t f = 0; f < m->program->fns.n; f++)
        for (uint32_t b = 0; is_user(m, f) && b < m->program->fns.v[f].blocks.n; b++) {
            uint16_t op = vec_last(&m->program->fns.v[f].blocks.v[b].insns).op;
            branches[g->first.v[f] + b] = op == IR_BR || op == IR_SWITCH;
        }
    g->branches = branches;
}

/* Jumps alone do not make a block one of those. */
static void find_impacted(Making *m, const FlowSite *impact, uint32_t n)
{
    ChangeGraph *g = m->g;
    BitSet nodes = {0};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t node = change_node(g, impact[i].fn, impact[i].block);
        const IrBlock *b =
            node == IR_NONE ? NULL : &m->program->fns.v[impact[i].fn].blocks.v[impact[i].block];
        if (b && (impact[i].insn >= b->insns.n || b->insns.v[impact[i].insn].op != IR_JMP))
            bitset_add(&nodes, node);
        if (impact[i].insn + 1 == m->program->fns.v[impact[i].fn].blocks.v[impact[i].block].insns.n)
            map_put(&g->impacted_branches, hash_mix(impact[i].fn, impact[i].block), 1);
    }
    g->place = arena_alloc(g->arena, g->n * sizeof *g->place);
    memset(g->place, 0xff, g->n * sizeof *g->place);
    for (uint32_t node = bitset_next(&nodes, 0); node != UINT32_MAX; node = bitset_next(&nodes, node + 1)) {
        g->place[node] = g->impacted.n;
        vec_push(&g->impacted, node);
    }
    bitset_free(&nodes);
}

/* To a fixpoint; blocks come roughly in the order of control, so a few rounds from the last to the first are
 * enough. */
static void find_following(ChangeGraph *g)
{
    g->follow = arena_alloc(g->arena, g->n * sizeof *g->follow);
    for (uint32_t i = 0; i < g->impacted.n; i++)
        bitset_add(&g->follow[g->impacted.v[i]], i);
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t node = g->n; node-- > 0;)
            for (uint32_t e = g->next.start[node]; e < g->next.start[node + 1]; e++)
                grew |= bitset_unite(&g->follow[node], &g->follow[g->next.to[e]]);
    }
}

void change_graph_make(ChangeGraph *g, const IrProgram *program, uint32_t entry, Flow *flow,
                       const FlowSite *impact, uint32_t nimpact)
{
    *g = (ChangeGraph){.arena = arena_new()};
    Making m = {.g = g, .program = program, .entry = entry, .flow = flow};
    number_nodes(&m);
    all_edges(&m);
    g->next = graph_make(g->arena, g->n, &m.edges);
    find_impacted(&m, impact, nimpact);
    find_following(g);
    vec_free(&m.edges);
    vec_free(&m.calls);
}

void change_graph_free(ChangeGraph *g)
{
    for (uint32_t i = 0; i < g->n; i++)
        bitset_free(&g->follow[i]);
    vec_free(&g->first);
    vec_free(&g->impacted);
    map_free(&g->impacted_branches);
    arena_free(g->arena);
}

uint32_t change_distance(const ChangeGraph *g, uint32_t from, const BitSet *explored)
{
    U32Vec now = {0}, later = {0};
    BitSet seen = {0};
    uint32_t found = UINT32_MAX;
    vec_push(&now, from);
    for (uint32_t distance = 0; now.n && found == UINT32_MAX;
         distance++) { /* all nodes behind so many branches */
        while (now.n && found == UINT32_MAX) {
            uint32_t node = vec_pop(&now);
            if (!bitset_add(&seen, node))
                continue;
            if (g->place[node] != IR_NONE && !bitset_has(explored, g->place[node]))
                found = distance;
            for (uint32_t e = g->next.start[node]; e < g->next.start[node + 1]; e++) {
                if (g->branches[node])
                    vec_push(&later, g->next.to[e]);
                else
                    vec_push(&now, g->next.to[e]);
            }
        }
        U32Vec t = now;
        now = later;
        later = t;
        vec_clear(&later);
    }
    vec_free(&now);
    vec_free(&later);
    bitset_free(&seen);
    return found;
}
