/* impact_local.c - the impact set as DiSE's paper has it (section 4.1): within a function, by control and
 * data dependence, forwards and then backwards. Rules are those of its Figure 5. Variables are registers and
 * places in memory; a call counts as what its callees do. */
#include "versions/versions.h"

typedef struct Local {
    Flow *flow;
    const IrFn *fn;
    uint32_t index; /* of the function */
    Arena *arena;
    uint32_t *first; /* by block: its first node */
    FlowSite *sites; /* by node */
    uint32_t n;
    BitSet *reach;     /* by block: blocks behind it, by at least one edge */
    uint8_t *impacted; /* by node */
} Local;

/* Is there a path from one instruction to another? IsCFGPath */
static bool has_path(const Local *l, uint32_t i, uint32_t j)
{
    const FlowSite *a = &l->sites[i], *b = &l->sites[j];
    return (a->block == b->block && a->insn < b->insn) || bitset_has(&l->reach[a->block], b->block);
}

static bool defines_register(const Local *l, uint32_t i, uint32_t j, U32Vec *uses)
{
    ir_insn_reads(l->fn, &l->fn->blocks.v[l->sites[j].block].insns.v[l->sites[j].insn], uses);
    for (uint32_t u = 0; u < uses->n; u++) {
        const IrReg *r = &l->fn->regs.v[uses->v[u]];
        if (r->block == l->sites[i].block && r->insn == l->sites[i].insn)
            return true;
    }
    return false;
}

static bool defines_memory(const Local *l, uint32_t i, uint32_t j)
{
    FlowPlaces writes = flow_insn_writes(l->flow, l->sites[i]), reads = flow_insn_reads(l->flow, l->sites[j]);
    for (uint32_t w = 0; w < writes.n; w++)
        for (uint32_t r = 0; r < reads.n; r++)
            if (flow_places_meet(l->flow, l->index, &writes.v[w], &reads.v[r]))
                return true;
    return false;
}

/* Def(n_i) is in Use(n_j), and control may get there */
static bool data(const Local *l, uint32_t i, uint32_t j, U32Vec *uses)
{
    return has_path(l, i, j) && (defines_register(l, i, j, uses) || defines_memory(l, i, j));
}

/* Does the branch at the end of a block decide whether the other one runs? */
static bool decides(const Local *l, uint32_t branch, uint32_t block)
{
    FlowList on = flow_depends_on(l->flow, l->index, block, 0);
    for (uint32_t k = 0; k < on.n; k++)
        if (on.v[k] == branch)
            return true;
    return false;
}

/* A phi stands for the assignments at the ends of the blocks before it, which are no instructions any more:
 * what decides by which of them control comes decides which assignment is made. */
static bool decides_phi(const Local *l, uint32_t branch, const IrInsn *phi)
{
    const uint32_t *list = &l->fn->extra.v[phi->a]; /* how many; block and register of each */
    bool forks = vec_last(&l->fn->blocks.v[branch].insns).op != IR_JMP;
    for (uint32_t k = 0; k < list[0]; k++)
        if ((forks && list[1 + 2 * k] == branch) || decides(l, branch, list[1 + 2 * k]))
            return true;
    return false;
}

/* controlD(n_i, n_j): n_i ends a block whose branch decides whether n_j's block runs. */
static bool control(const Local *l, uint32_t i, uint32_t j)
{
    const FlowSite *a = &l->sites[i], *b = &l->sites[j];
    const IrInsn *insn = &l->fn->blocks.v[b->block].insns.v[b->insn];
    if (a->insn + 1 != l->fn->blocks.v[a->block].insns.n)
        return false;
    return decides(l, a->block, b->block) || (insn->op == IR_PHI && decides_phi(l, a->block, insn));
}

/* Applies rules until nothing is added; backward: n_j is impacted, and n_i becomes so. */
static void close_over(Local *l, bool by_control, bool by_data, bool backward)
{
    U32Vec work = {0}, uses = {0};
    for (uint32_t i = 0; i < l->n; i++)
        if (l->impacted[i])
            vec_push(&work, i);
    while (work.n) {
        uint32_t from = vec_pop(&work);
        for (uint32_t to = 0; to < l->n; to++) {
            uint32_t i = backward ? to : from, j = backward ? from : to;
            if (l->impacted[to] || !((by_control && control(l, i, j)) || (by_data && data(l, i, j, &uses))))
                continue;
            l->impacted[to] = 1;
            vec_push(&work, to);
        }
    }
    vec_free(&work);
    vec_free(&uses);
}

static void number(Local *l)
{
    uint32_t blocks = l->fn->blocks.n;
    l->first = arena_alloc(l->arena, (blocks + 1) * sizeof *l->first);
    for (uint32_t b = 0; b < blocks; b++)
        l->first[b + 1] = l->first[b] + l->fn->blocks.v[b].insns.n;
    l->n = l->first[blocks];
    l->sites = arena_alloc(l->arena, l->n * sizeof *l->sites);
    l->impacted = arena_alloc(l->arena, l->n + 1);
    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t i = 0; i < l->fn->blocks.v[b].insns.n; i++)
            l->sites[l->first[b] + i] = (FlowSite){l->index, b, i};
    l->reach = arena_alloc(l->arena, blocks * sizeof *l->reach);
    U32Vec next = {0};
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t b = blocks; b-- > 0;) {
            ir_block_successors(l->fn, b, &next);
            for (uint32_t i = 0; i < next.n; i++) {
                grew |= bitset_add(&l->reach[b], next.v[i]);
                grew |= bitset_unite(&l->reach[b], &l->reach[next.v[i]]);
            }
        }
    }
    vec_free(&next);
}

static void impact_of(const Versions *v, unsigned version, Flow *flow, uint32_t fn, Map *seen,
                      VersionsSites *out)
{
    Local l = {.flow = flow, .fn = &v->program[version]->fns.v[fn], .index = fn, .arena = arena_new()};
    number(&l);
    for (uint32_t i = 0; i < v->changed[version].n; i++) {
        FlowSite at = v->changed[version].v[i];
        if (at.fn == fn)
            l.impacted[l.first[at.block] + at.insn] = 1;
    }
    close_over(&l, true, true, false); /* rules 1 and 2 */
    close_over(&l, true, false, true); /* rule 3 */
    close_over(&l, false, true, true); /* rule 4 */
    for (uint32_t i = 0; i < l.n; i++) {
        FlowSite at = l.sites[i];
        if (l.impacted[i] && (version == VERSIONS_NEW || versions_partner(v, version, at, &at)) &&
            map_add(seen, flow_site_key(at), 1))
            vec_push(out, at);
    }
    for (uint32_t b = 0; b < l.fn->blocks.n; b++)
        bitset_free(&l.reach[b]);
    arena_free(l.arena);
}

void versions_impact_local(const Versions *v, Flow *old, Flow *new, VersionsSites *out)
{
    Flow *flows[] = {old, new};
    Map seen = {0};
    vec_clear(out);
    for (unsigned version = 0; version < 2; version++) {
        BitSet fns = {0};
        for (uint32_t i = 0; i < v->changed[version].n; i++)
            if (bitset_add(&fns, v->changed[version].v[i].fn))
                impact_of(v, version, flows[version], v->changed[version].v[i].fn, &seen, out);
        bitset_free(&fns);
    }
    map_free(&seen);
}
