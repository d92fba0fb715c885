/* ranking.c - see ranking.h. */
#include "cli/ranking.h"

/* It becomes the least of the cell if it is. */
static RankingNews cover_cell(Ranking *r, uint32_t cell, uint64_t rank)
{
    while (r->least.n <= cell)
        vec_push(&r->least, 0);
    uint64_t before = r->least.v[cell];
    if (before && before < rank)
        return RANKING_NOTHING;
    r->least.v[cell] = rank;
    return before ? RANKING_BETTER : RANKING_NEW;
}

RankingNews ranking_covers(Ranking *r, const ExploreRun *run)
{
    RankingNews news = RANKING_NOTHING;
    vm_coverage_added(explore_vm(run->explore), &r->added);
    for (uint32_t i = 0; i < r->added.n; i++) {
        RankingNews of_cell = cover_cell(r, r->added.v[i], run->rank);
        news = of_cell > news ? of_cell : news;
    }
    return news;
}

static RankedFault *find(const Ranking *r, VmFaultKind kind, uint32_t site)
{
    for (uint32_t i = 0; i < r->faults.n; i++)
        if (r->faults.v[i].kind == kind && r->faults.v[i].site == site)
            return &r->faults.v[i];
    return NULL;
}

const RankedFault *ranking_fault(const Ranking *r, VmFaultKind kind, uint32_t site)
{
    return find(r, kind, site);
}

RankingNews ranking_fails(Ranking *r, const ExploreRun *run)
{
    const VmResult *result = &run->trace->result;
    RankedFault *f = find(r, result->fault, result->site);
    if (!f) {
        vec_push(&r->faults, (RankedFault){.kind = result->fault, .site = result->site});
        f = &vec_last(&r->faults);
    }
    uint32_t at = 0;
    while (at < f->n && f->ranks[at] < run->rank)
        at++;
    if (at == RANKING_TRIES)
        return RANKING_NOTHING;
    if (at == f->n || f->ranks[at] != run->rank) {
        f->n += f->n < RANKING_TRIES;
        memmove(&f->ranks[at + 1], &f->ranks[at], (f->n - at - 1) * sizeof *f->ranks);
        f->ranks[at] = run->rank;
    }
    return at ? RANKING_BETTER : RANKING_NEW;
}

void ranking_kept(const Ranking *r, Map *ranks, BitSet *cells)
{
    for (uint32_t i = 0; i < r->least.n; i++)
        if (r->least.v[i]) {
            map_put(ranks, r->least.v[i], 1);
            bitset_add(cells, i);
        }
}

void ranking_clear(Ranking *r)
{
    vec_clear(&r->least);
    vec_clear(&r->faults);
    map_clear(&r->rows);
}

void ranking_free(Ranking *r)
{
    vec_free(&r->least);
    vec_free(&r->faults);
    map_free(&r->rows);
    vec_free(&r->added);
}

/* ---- as bytes -------------------------------------------------------------------------------- */

void ranking_write(const Ranking *r, Str *out)
{
    uint32_t cursor = 0;
    uint64_t rank, one;
    wire_uint(out, r->least.n);
    for (uint32_t i = 0; i < r->least.n; i++)
        wire_uint(out, r->least.v[i]);
    wire_uint(out, r->faults.n);
    for (uint32_t i = 0; i < r->faults.n; i++) {
        const RankedFault *f = &r->faults.v[i];
        wire_uint(out, f->kind);
        wire_uint(out, f->site);
        wire_uint(out, f->n);
        for (uint32_t k = 0; k < f->n; k++)
            wire_uint(out, f->ranks[k]);
    }
    while (map_next(&r->rows, &cursor, &rank, &one))
        wire_uint(out, rank);
    wire_uint(out, 0); /* which is no rank */
}

void ranking_read(Ranking *r, Wire *in)
{
    ranking_clear(r);
    for (uint32_t n = wire_get_count(in); n && !in->bad; n--)
        vec_push(&r->least, wire_get(in));
    for (uint32_t n = wire_get_count(in); n && !in->bad; n--) {
        RankedFault f = {.kind = (VmFaultKind)wire_get_below(in, VM_FAULT_COUNT), .site = wire_get_u32(in)};
        f.n = (uint32_t)wire_get_below(in, RANKING_TRIES + 1);
        for (uint32_t k = 0; k < f.n; k++)
            f.ranks[k] = wire_get(in);
        vec_push(&r->faults, f);
    }
    for (uint64_t rank; (rank = wire_get(in)) && !in->bad;)
        map_put(&r->rows, rank, 1);
}
