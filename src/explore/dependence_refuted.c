/* dependence_refuted.c - conditions that no input satisfies together.
 *
 * The same alternative is tried under many sets of conditions, and where no input takes it that is so because
 * of a few of them: the solver says which. Whoever has these among its conditions needs no solver. */
#include "explore/dependence.h"

enum { CORES_MOST = 64, MEMBERS_MOST = 16 }; /* looked at for one alternative; of a core that is kept */

void dep_refuted_add(DepRefuted *s, Expr alternative, const ExprVec *query, const U32Vec *core)
{
    uint32_t from = s->members.n;
    bool has = false;
    if (core->n > MEMBERS_MOST)
        return;
    for (uint32_t i = 0; i < core->n; i++) {
        Expr member = query->v[core->v[i]];
        has = has || expr_same(member, alternative);
        if (!expr_same(member, alternative))
            vec_push(&s->members, member.id);
    }
    if (!has) { /* it is not for this alternative that there is no input */
        s->members.n = from;
        return;
    }
    DepCore latest = {(uint32_t)map_get_or(&s->latest, alternative.id, UINT32_MAX), from,
                      s->members.n - from};
    map_put(&s->latest, alternative.id, s->cores.n);
    vec_push(&s->cores, latest);
}

static void mark(DepRefuted *s, const Path *path)
{
    stamps_clear(&s->marks);
    for (; path; path = path->parent)
        stamps_add(&s->marks, path->condition.id);
}

static bool all_marked(const DepRefuted *s, const DepCore *core)
{
    for (uint32_t i = 0; i < core->n; i++)
        if (!stamps_has(&s->marks, s->members.v[core->from + i]))
            return false;
    return true;
}

/* Is one of the conditions of the way this one? */
static bool is_under(const DepWays *ways, const DepWay *way, uint32_t id)
{
    return dep_way_has(ways, way, id < ways->latest.n ? ways->latest.v[id] : UINT32_MAX);
}

static bool all_under(const DepRefuted *s, const DepCore *core, const DepWays *ways, const DepWay *way)
{
    for (uint32_t i = 0; i < core->n; i++)
        if (!is_under(ways, way, s->members.v[core->from + i]))
            return false;
    return true;
}

bool dep_way_is_refuted(const DepRefuted *s, Expr alternative, const DepWays *ways, const DepWay *way)
{
    uint32_t at = (uint32_t)map_get_or(&s->latest, alternative.id, UINT32_MAX);
    for (uint32_t i = 0; i < CORES_MOST && at != UINT32_MAX; i++, at = s->cores.v[at].before)
        if (all_under(s, &s->cores.v[at], ways, way))
            return true;
    return false;
}

bool dep_is_refuted(DepRefuted *s, Expr alternative, const Path *path)
{
    uint32_t at = (uint32_t)map_get_or(&s->latest, alternative.id, UINT32_MAX);
    if (at != UINT32_MAX)
        mark(s, path);
    for (uint32_t i = 0; i < CORES_MOST && at != UINT32_MAX; i++, at = s->cores.v[at].before)
        if (all_marked(s, &s->cores.v[at]))
            return true;
    return false;
}

size_t dep_refuted_bytes(const DepRefuted *s)
{
    return dep_map_bytes(&s->latest) + s->cores.cap * sizeof *s->cores.v +
           s->members.cap * sizeof *s->members.v + s->marks.of.cap * sizeof *s->marks.of.v;
}

void dep_refuted_free(DepRefuted *s)
{
    map_free(&s->latest);
    vec_free(&s->cores);
    vec_free(&s->members);
    stamps_free(&s->marks);
    *s = (DepRefuted){0};
}
