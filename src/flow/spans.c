/* spans.c - sets of bytes: spans of roots, sorted, apart. */
#include "flow/wanted.h"

static Span span_of(uint32_t root, int64_t first, int64_t end) { return (Span){root, first, end}; }

static bool is_before(const Span *a, const Span *b)
{
    return a->root < b->root || (a->root == b->root && a->end < b->first);
}

void spans_add(Spans *s, Span x)
{
    uint32_t from = 0, to, keep;
    if (x.first >= x.end)
        return;
    while (from < s->n && is_before(&s->v[from], &x))
        from++;
    for (to = from; to < s->n && !is_before(&x, &s->v[to]); to++) { /* they touch: one span */
        x.first = s->v[to].first < x.first ? s->v[to].first : x.first;
        x.end = s->v[to].end > x.end ? s->v[to].end : x.end;
    }
    keep = s->n - to;
    vec_reserve(s, s->n + 1);
    memmove(s->v + from + 1, s->v + to, keep * sizeof *s->v);
    s->v[from] = x;
    s->n = from + 1 + keep;
}

static void copy(Spans *to, const Spans *from)
{
    vec_clear(to);
    for (uint32_t i = 0; i < from->n; i++)
        vec_push(to, from->v[i]);
}

void spans_copy(Spans *to, const Spans *from) { copy(to, from); }

void spans_unite(Spans *s, const Spans *with)
{
    if (!s->n)
        copy(s, with);
    else
        for (uint32_t i = 0; i < with->n; i++)
            spans_add(s, with->v[i]);
}

/* Both are walked once: what is in s and, as `in` says, in the other or not. */
static void sift(Spans *s, const Spans *other, bool in)
{
    Spans out = {0};
    uint32_t k = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        Span x = s->v[i];
        while (k < other->n &&
               (other->v[k].root < x.root || (other->v[k].root == x.root && other->v[k].end <= x.first)))
            k++;
        for (uint32_t m = k; m < other->n && other->v[m].root == x.root && other->v[m].first < x.end; m++) {
            const Span *y = &other->v[m];
            int64_t first = y->first > x.first ? y->first : x.first, end = y->end < x.end ? y->end : x.end;
            if (in)
                spans_add(&out, span_of(x.root, first, end));
            else
                spans_add(&out, span_of(x.root, x.first, first));
            x.first = end;
        }
        if (!in)
            spans_add(&out, x);
    }
    vec_free(s);
    *s = out;
}

void spans_remove(Spans *s, const Spans *less)
{
    if (s->n && less->n)
        sift(s, less, false);
}

void spans_intersect(Spans *s, const Spans *with)
{
    if (s->n)
        sift(s, with, true);
}

bool spans_same(const Spans *a, const Spans *b)
{
    return a->n == b->n && (!a->n || !memcmp(a->v, b->v, a->n * sizeof *a->v));
}

bool spans_have_root(const Spans *s, uint32_t root)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->v[i].root == root)
            return true;
    return false;
}

static int64_t moved(int64_t at, int64_t by)
{
    int64_t sum;
    if (at == INT64_MIN || at == INT64_MAX)
        return at;
    return __builtin_add_overflow(at, by, &sum) ? (by < 0 ? INT64_MIN : INT64_MAX) : sum;
}

Span span_moved(Span x, uint32_t root, int64_t by)
{
    return span_of(root, moved(x.first, by), moved(x.end, by));
}

Span span_whole(uint32_t root) { return span_of(root, INT64_MIN, INT64_MAX); }
