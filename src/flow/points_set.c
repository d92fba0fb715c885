/* points_set.c - locations and sets of them. */
#include "flow/points.h"

enum { OFFSET_LIMIT = 1 << (LOC_OFFSET_BITS - 1), STRIDE_LIMIT = 1 << LOC_STRIDE_BITS };

uint64_t loc_gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Strides that do not fit give way to a divisor that does: 1. */
Loc loc_make(uint32_t object, int64_t offset, uint64_t stride)
{
    if (stride >= STRIDE_LIMIT || offset >= OFFSET_LIMIT || offset < -OFFSET_LIMIT)
        stride = stride >= STRIDE_LIMIT || !stride ? 1 : stride;
    if (stride) {
        offset %= (int64_t)stride;
        offset += offset < 0 ? (int64_t)stride : 0;
    }
    return (Loc)object << (LOC_STRIDE_BITS + LOC_OFFSET_BITS) | stride << LOC_OFFSET_BITS |
           (uint64_t)(offset + OFFSET_LIMIT);
}

Place loc_place(Loc l)
{
    return (Place){loc_object(l), (uint32_t)(l >> LOC_OFFSET_BITS & (STRIDE_LIMIT - 1)),
                   (int64_t)(l & ((1u << LOC_OFFSET_BITS) - 1)) - OFFSET_LIMIT};
}

/* Does the wider location hold the other? Both of one object. */
static bool holds(Loc wide, Loc l)
{
    Place w = loc_place(wide), p = loc_place(l);
    if (!w.stride)
        return wide == l;
    if (p.stride % w.stride)
        return false;
    int64_t rest = (p.offset - w.offset) % (int64_t)w.stride;
    return rest == 0;
}

/* One location for a whole group of an object. */
static Loc join(const Loc *v, uint32_t n)
{
    Place first = loc_place(v[0]);
    uint64_t stride = first.stride;
    for (uint32_t i = 1; i < n; i++) {
        Place p = loc_place(v[i]);
        int64_t apart = p.offset - first.offset;
        stride = loc_gcd(loc_gcd(stride, p.stride), (uint64_t)(apart < 0 ? -apart : apart));
    }
    return loc_make(first.object, first.offset, stride);
}

static bool held_by(const Loc *v, uint32_t n, Loc l)
{
    for (uint32_t i = 0; i < n; i++)
        if (v[i] != l && holds(v[i], l))
            return true;
    return false;
}

/* Appends the union of two groups of one object to out, the new ones to fresh. What a wider one holds is left
 * out. */
static void add_group(const Loc *old, uint32_t nold, const Loc *more, uint32_t nmore, LocSet *out,
                      LocSet *fresh)
{
    uint32_t begin = out->n, begun = fresh->n;
    for (uint32_t i = 0, k = 0; i < nold || k < nmore;) {
        bool is_old = k == nmore || (i < nold && old[i] <= more[k]);
        Loc l = is_old ? old[i] : more[k];
        k += k < nmore && more[k] == l;
        i += is_old;
        if (held_by(more, nmore, l) || (!is_old && held_by(old, nold, l)))
            continue;
        vec_push(out, l);
        if (!is_old)
            vec_push(fresh, l);
    }
    if (out->n - begin > LOC_MOST) {
        Loc wide = join(out->v + begin, out->n - begin);
        out->n = begin;
        fresh->n = begun;
        vec_push(out, wide);
        vec_push(fresh, wide);
    }
}

static uint32_t group_end(const Loc *v, uint32_t n, uint32_t i)
{
    uint32_t object = loc_object(v[i]);
    while (i < n && loc_object(v[i]) == object)
        i++;
    return i;
}

/* Position of the first location that is not less. */
static uint32_t lower(const LocSet *set, Loc l)
{
    uint32_t low = 0, high = set->n;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (set->v[middle] < l)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A few locations into a large set: object by object, in place. */
static void add_few(LocSet *set, const Loc *v, uint32_t n, LocSet *fresh)
{
    LocSet group = {0};
    for (uint32_t k = 0; k < n;) {
        uint32_t k_end = group_end(v, n, k), before = fresh->n;
        uint32_t i = lower(set, (Loc)loc_object(v[k]) << (LOC_STRIDE_BITS + LOC_OFFSET_BITS));
        uint32_t i_end =
            i < set->n && loc_object(set->v[i]) == loc_object(v[k]) ? group_end(set->v, set->n, i) : i;
        vec_clear(&group);
        add_group(set->v + i, i_end - i, v + k, k_end - k, &group, fresh);
        if (fresh->n != before) {
            uint32_t behind = set->n - i_end;
            vec_reserve(set, i + group.n + behind);
            memmove(set->v + i + group.n, set->v + i_end, behind * sizeof(Loc));
            memcpy(set->v + i, group.v, group.n * sizeof(Loc));
            set->n = i + group.n + behind;
        }
        k = k_end;
    }
    vec_free(&group);
}

/* Both sets as one sequence of groups. */
static void add_many(LocSet *set, const Loc *v, uint32_t n, LocSet *fresh)
{
    LocSet out = {0};
    vec_reserve(&out, set->n + n);
    for (uint32_t i = 0, k = 0; i < set->n || k < n;) {
        uint32_t a = i < set->n ? loc_object(set->v[i]) : UINT32_MAX,
                 b = k < n ? loc_object(v[k]) : UINT32_MAX;
        uint32_t i_end = a <= b ? group_end(set->v, set->n, i) : i, k_end = b <= a ? group_end(v, n, k) : k;
        add_group(set->v + i, i_end - i, v + k, k_end - k, &out, fresh);
        i = i_end;
        k = k_end;
    }
    vec_free(set);
    *set = (LocSet){out.v, out.n, out.cap};
}

uint32_t set_add(LocSet *set, const Loc *v, uint32_t n, LocSet *fresh)
{
    vec_clear(fresh);
    if (!n || (set->n && loc_object(set->v[0]) == OBJECT_ANY))
        return 0; /* it holds every object already */
    if (loc_object(v[0]) == OBJECT_ANY) {
        vec_clear(set);
        vec_push(set, loc_anywhere(OBJECT_ANY));
        vec_push(fresh, set->v[0]);
        return 1;
    }
    if (n < set->n / 16) {
        add_few(set, v, n, fresh);
        return fresh->n;
    }
    bool inside = true; /* the common case: nothing new */
    for (uint32_t i = 0, k = 0; k < n && inside; k++) {
        while (i < set->n && set->v[i] < v[k])
            i++;
        inside = i < set->n && set->v[i] == v[k];
    }
    if (!inside)
        add_many(set, v, n, fresh);
    return fresh->n;
}

void set_widen(LocSet *set)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < set->n; i++) {
        Loc l = loc_anywhere(loc_object(set->v[i]));
        if (!n || set->v[n - 1] != l)
            set->v[n++] = l;
    }
    set->n = n;
}
