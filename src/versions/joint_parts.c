/* joint_parts.c - where two runs of a row part: the first decision that both versions make, and decide
 * otherwise. Rows that part in different places come of different changes. */
#include "versions/joint_int.h"

static bool is_relevant(const ExplorePair *pair, const VmDecision *d)
{
    for (uint32_t i = 0; i < pair->condition->n; i++)
        if (expr_same(pair->condition->v[i], d->holds))
            return true;
    return false;
}

/* Which way a decision went, as a number that means the same in both versions. */
static uint32_t way_of(const Joint *j, unsigned version, const VmDecision *d)
{
    const IrFn *fn = &j->versions->program[version]->fns.v[d->fn];
    U32Vec next = {0};
    uint32_t way = 0;
    ir_block_successors(fn, d->block, &next);
    while (way < next.n && next.v[way] != d->took)
        way++;
    vec_free(&next);
    return way;
}

static uint64_t place_of(const Joint *j, unsigned version, const VmDecision *d)
{
    const IrProgram *p = j->versions->program[version];
    uint32_t site = p->fns.v[d->fn].blocks.v[d->block].insns.v[d->insn].site;
    uint64_t line = site == IR_NONE ? 0 : p->sites.v[site].line;
    return hash_mix(hash_mix(version + 1, ir_fn_tag(p, d->fn)), line);
}

static bool is_branch(const VmDecision *d) { return d->took != IR_NONE && d->fn != IR_NONE; }

/* The last decision of one version that the other does not make; NULL: none. */
static const VmDecision *last_alone(const ExplorePair *pair, unsigned version, const Map *others)
{
    const VmTrace *t = pair->trace[version];
    uint64_t at;
    for (uint32_t i = t->decisions.n; i-- > 0;) {
        const VmDecision *d = &t->decisions.v[i];
        if (is_branch(d) && is_relevant(pair, d) && !map_get(others, d->index, &at))
            return d;
    }
    return NULL;
}

uint64_t joint_parts(const Joint *j, const ExplorePair *pair)
{
    Map by_index[2] = {{0}}; /* name of a decision to its place in the trace */
    uint64_t parts = 0, at;
    const VmTrace *old = pair->trace[VERSIONS_OLD], *new = pair->trace[VERSIONS_NEW];
    for (unsigned v = 0; v < 2; v++)
        for (uint32_t i = 0; i < pair->trace[v]->decisions.n; i++)
            map_put(&by_index[v], pair->trace[v]->decisions.v[i].index, i);
    for (uint32_t i = 0; !parts && i < new->decisions.n; i++) {
        const VmDecision *d = &new->decisions.v[i];
        if (!is_branch(d) || !map_get(&by_index[VERSIONS_OLD], d->index, &at))
            continue;
        const VmDecision *other = &old->decisions.v[at];
        if (is_branch(other) && (is_relevant(pair, d) || is_relevant(pair, other)) &&
            way_of(j, VERSIONS_NEW, d) != way_of(j, VERSIONS_OLD, other))
            parts = place_of(j, VERSIONS_NEW, d);
    }
    for (unsigned v = 2; !parts && v-- > 0;) {
        const VmDecision *d = last_alone(pair, v, &by_index[!v]);
        parts = d ? place_of(j, v, d) : 0;
    }
    map_free(&by_index[0]);
    map_free(&by_index[1]);
    return parts;
}
