/* states_explain.c - which paths were not continued, and the earlier state that subsumes each. An observer:
 * nothing that is explored depends on it.
 *
 * A path is what runs decided up to a decision. Where a run comes to a decision by a path that no run before
 * it had, and the state there is a node already, the other outcomes get no run by this path. So do those of
 * the decisions behind it, up to the next state that is new: the first stands for them. */
#include "explore/states.h"

enum { MEMORY_SHARE = 8 }; /* of the memory, beside it: explanations change nothing */

/* Where a run met a state. */
typedef struct Meeting {
    uint64_t run;
    uint32_t decision;
    uint32_t time;
} Meeting;

struct StatesExplain {
    Fingerprints names;   /* of its own: what the others hold counts against the memory */
    Marks paths;          /* that runs had, by their conditions */
    Vec(Meeting) meeting; /* by node: the first */
    Vec(ExploreSubsumed) list;
    size_t most;     /* bytes that it may take */
    uint64_t unseen; /* runs that did not fit */
};

StatesExplain *states_explain_new(const Explore *x)
{
    StatesExplain *s = mem_zalloc(sizeof *s);
    s->names.pool = x->pool;
    s->most = x->options.max_memory / MEMORY_SHARE;
    return s;
}

void states_explain_free(StatesExplain *s)
{
    if (!s)
        return;
    vec_free(&s->names.of);
    marks_free(&s->paths);
    vec_free(&s->meeting);
    vec_free(&s->list);
    mem_free(s);
}

void states_explain_move(StatesExplain *s, const ExprPool *to) { fingerprints_move(&s->names, to); }

static bool is_full(const StatesExplain *s)
{
    return s->names.of.cap * sizeof *s->names.of.v + s->paths.cap * sizeof *s->paths.slots +
               s->meeting.cap * sizeof *s->meeting.v + s->list.cap * sizeof *s->list.v >
           s->most;
}

/* Is the state new? Then the run met it first. */
static bool meets_first(StatesExplain *s, uint32_t node, Meeting here)
{
    if (node < s->meeting.n)
        return false;
    while (s->meeting.n < node) /* ends of runs, in a signature */
        vec_push(&s->meeting, (Meeting){0});
    vec_push(&s->meeting, here);
    return true;
}

static void list_subsumed(StatesExplain *s, uint32_t node, uint32_t site, Meeting here)
{
    Meeting first = s->meeting.v[node];
    vec_push(&s->list, ((ExploreSubsumed){.run = here.run,
                                          .decision = here.decision,
                                          .site = site,
                                          .time = here.time,
                                          .by = first.run,
                                          .by_decision = first.decision,
                                          .by_time = first.time}));
}

void states_explain_run(StatesExplain *s, const VmTrace *trace, uint64_t run, const U32Vec *nodes,
                        const BitSet *left)
{
    Map times = {0};
    uint64_t path = 1;
    bool listed = false; /* and no new state since */
    s->unseen += is_full(s);
    for (uint32_t i = 0; i < nodes->n && !s->unseen; i++) {
        const VmDecision *d = &trace->decisions.v[i];
        Meeting here = {run, i, (uint32_t)++ * map_at(&times, (uint64_t)d->site << 8 | d->kind)};
        if (nodes->v[i] == IR_NONE)
            continue;
        bool had = marks_set(&s->paths, hash_mix(path, i), 1, 1);
        if (meets_first(s, nodes->v[i], here))
            listed = false;
        else if (!had && !listed && bitset_has(left, i)) {
            list_subsumed(s, nodes->v[i], d->site, here);
            listed = true;
        }
        if (decision_parts_paths(d))
            path = hash_mix(path, fingerprint_of(&s->names, d->holds));
    }
    map_free(&times);
}

bool explore_by_states(const Explore *x) { return x->lane->explorer == &explorer_states; }

ExploreSubsumedList explore_subsumed(const Explore *x)
{
    const States *states = explore_by_states(x) ? x->lane->state : NULL;
    const StatesExplain *s = states ? states->explain : NULL;
    return s ? (ExploreSubsumedList){s->list.v, s->list.n, s->unseen} : (ExploreSubsumedList){0};
}
