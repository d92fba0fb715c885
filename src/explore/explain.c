/* explain.c - alternatives that got no run, and which run makes one needless.
 *
 * Nothing is listed while tasks are filed: what a task is filed for may get a run later, by that task or by
 * another. The turns that runs take are recorded, those that begin alike together. In the end an alternative
 * was left out if no run comes to it as this one did and takes it, and if some input would.
 *
 * Another run that takes it does as well for all that does not depend on the decisions in which the two
 * differ. Those are named at which the other run was asked the same and went another way. What is asked
 * otherwise in it, or not at all, depends on one of these. */
#include "explore/explain.h"

enum {
    TEXT_MOST = 120, /* characters of a condition there */
    PLACES_MOST = 8, /* decisions that are named for one */
    LISTED_MOST = 1024,
    COMPARED_MOST = 64,        /* turns at one decision that are looked at, and compared with a run */
    QUESTIONS_MOST = 1 << 16,  /* to the solver, */
    ANSWER_MILLISECONDS = 100, /* that each may take, */
    ANSWERS_SECONDS = 30       /* and all together */
};
static const uint64_t steps_most = 1 << 28; /* turns looked at to compare runs, in all */

/* Of the vectors and maps, for a turn with an alternative. */
enum { TURN_BYTES = 2 * (sizeof(ExplainStep) + sizeof(ExplainAlternative)) + 3 * 2 * 2 * sizeof(uint64_t) };

/* ---- recording ------------------------------------------------------------------------------- */

static uint64_t longer(uint64_t path, uint64_t condition) { return hash_mix(path, condition); }

/* A run went on from here under this condition. */
static uint64_t note_branch(Explain *s, uint64_t path, uint64_t condition)
{
    uint64_t there = longer(path, condition);
    if (map_add(&s->branches, there, 0))
        ++*map_at(&s->branches, path);
    return there;
}

/* Which outcomes the run takes. Once no other run is recorded, what stands behind the first that no run took
 * before is of no use. */
static void note_branches(Explain *s, const StoredRun *run)
{
    uint64_t path = 0, known = s->branches.n;
    for (uint32_t k = 0; k < run->n && !(s->full && s->branches.n > known); k++)
        if (decision_parts_paths(&run->decisions[k]))
            path = note_branch(s, path, fingerprint_of(&s->names, run->decisions[k].holds));
}

static void add_alternatives(Explain *s, const StoredRun *run, const VmDecision *d)
{
    for (uint32_t i = 0; i < d->count; i++) {
        const VmAlternative *alt = &run->alternatives[d->first + i];
        ExplainAlternative alternative = {alt->condition, fingerprint_of(&s->names, alt->condition),
                                          fingerprint_outcome(&s->names, d, alt->block, alt->condition),
                                          alt->residual};
        vec_push(&s->alternatives, alternative);
    }
}

/* Behind those at the same decision, in the order of the runs. */
static void list_step(Explain *s, uint32_t turn)
{
    uint64_t index = s->steps_of.v[turn].index, first = map_get_or(&s->first, index, 0);
    if (first)
        s->steps_of.v[map_get_or(&s->last, index, 0)].next = turn;
    else
        map_put(&s->first, index, turn);
    map_put(&s->last, index, turn);
}

/* What was left with the pool is in the new one as well, if a run comes there: with all that stands before
 * it. */
static void renew(Explain *s, const StoredRun *run, const VmDecision *d, ExplainStep *turn)
{
    if (!expr_is_none(turn->holds))
        return;
    turn->holds = d->holds;
    turn->label = d->label;
    for (uint32_t i = 0; i < turn->count; i++)
        s->alternatives.v[turn->first + i].condition = run->alternatives[d->first + i].condition;
}

/* The turn of decision k behind another, whichever took it first. */
static uint32_t step_at(Explain *s, const StoredRun *run, uint32_t k, ExplainStep like)
{
    const VmDecision *d = &run->decisions[k];
    uint64_t *known = map_at(&s->known, hash_mix(hash_mix(like.before, d->index), like.name));
    if (*known) {
        renew(s, run, d, &s->steps_of.v[*known]);
        return (uint32_t)*known;
    }
    *known = s->steps_of.n;
    like.index = d->index;
    like.holds = d->holds;
    like.label = d->label;
    like.site = d->site;
    like.decision = k;
    like.entailed = d->entailed;
    like.run = s->runs.n;
    like.normal_run = like.idle = UINT32_MAX;
    like.first = s->alternatives.n;
    like.count = d->count;
    add_alternatives(s, run, d);
    vec_push(&s->steps_of, like);
    list_step(s, s->steps_of.n - 1);
    return s->steps_of.n - 1;
}

/* How often the run has come to the place of a decision, with this one. */
static uint32_t times_there(Map *times, const VmDecision *d)
{
    return (uint32_t)++ * map_at(times, (uint64_t)d->site << 8 | d->kind);
}

/* The run that is recorded takes this turn. */
static void note_run(const Explain *s, ExplainStep *turn, bool normal, bool idle)
{
    if (normal && turn->normal_run == UINT32_MAX)
        turn->normal_run = s->runs.n;
    if (idle && (turn->idle == UINT32_MAX || (normal && !s->runs.v[turn->idle].normal)))
        turn->idle = s->runs.n;
}

static void record(Explain *s, const StoredRun *run, ExprSet ending, const BitSet *reached)
{
    Map times = {0};
    uint64_t path = 0;
    uint32_t at = 0;
    for (uint32_t k = 0; k < run->n; k++) {
        const VmDecision *d = &run->decisions[k];
        uint32_t time = times_there(&times, d);
        if (expr_is_true(d->holds))
            continue;
        ExplainStep like = {
            .before = at, .path = path, .name = fingerprint_of(&s->names, d->holds), .time = time};
        at = step_at(s, run, k, like);
        note_run(s, &s->steps_of.v[at], run->normal, reached && !bitset_has(reached, k));
        if (decision_parts_paths(d))
            path = note_branch(s, path, like.name);
    }
    vec_push(&s->runs, ((ExplainRun){run->number, origin_hold(run->origin), ending, run->normal, false}));
    s->inputs += run->origin->input.n;
    map_free(&times);
}

/* Without names, which take a share of what the pool does. */
static size_t bytes_of(const Explain *s)
{
    return map_bytes(&s->branches) + map_bytes(&s->known) + map_bytes(&s->first) + map_bytes(&s->last) +
           s->steps_of.cap * sizeof *s->steps_of.v + s->alternatives.cap * sizeof *s->alternatives.v +
           s->runs.cap * sizeof *s->runs.v + s->inputs;
}

void explain_run(Explain *s, const StoredRun *run, ExprSet ending, const BitSet *reached)
{
    if (!s->steps_of.n) {
        vec_push(&s->steps_of, (ExplainStep){0}); /* before all others */
        map_put(&s->branches, 0, 0);
    }
    s->full = s->full || bytes_of(s) + run->n * TURN_BYTES > s->most;
    if (!s->full)
        record(s, run, ending, reached);
    else
        note_branches(s, run);
    s->unseen += s->full;
}

void explain_path(Explain *s, const StoredRun *run)
{
    s->full = s->full || bytes_of(s) + run->n * TURN_BYTES > s->most;
    note_branches(s, run);
}

void explain_move(Explain *s, const ExprPool *to)
{
    s->names.pool = to;
    vec_free(&s->names.of);
    for (uint32_t i = 0; i < s->steps_of.n; i++)
        s->steps_of.v[i].holds = EXPR_NONE;
    for (uint32_t i = 0; i < s->alternatives.n; i++)
        s->alternatives.v[i].condition = EXPR_NONE;
    for (uint32_t i = 0; i < s->runs.n; i++)
        s->runs.v[i].moved = true;
}

/* ---- which run covers it --------------------------------------------------------------------- */

static bool has_alternative(const Explain *s, const ExplainStep *t, uint64_t condition)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (s->alternatives.v[t->first + i].name == condition || s->alternatives.v[t->first + i].residual)
            return true;
    return false;
}

/* Was the same asked at `other`, and answered otherwise? */
static bool went_another_way(const Explain *s, const ExplainStep *t, const ExplainStep *other)
{
    return other->name != t->name && has_alternative(s, t, other->name);
}

/* Decisions before turn t at which those who came to turn `other` went another way, latest first. */
static void differences(Explain *s, uint32_t t, uint32_t other, U32Vec *out)
{
    uint32_t a = s->steps_of.v[t].before, b = s->steps_of.v[other].before;
    vec_clear(out);
    map_clear(&s->passed);
    while (a != b) { /* a turn stands behind those before it */
        uint32_t *later = a > b ? &a : &b;
        const ExplainStep *turn = &s->steps_of.v[*later];
        if (later == &a)
            vec_push(out, a);
        else
            map_put(&s->passed, turn->index, b);
        *later = turn->before;
        s->steps++;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < out->n; i++) {
        const ExplainStep *turn = &s->steps_of.v[out->v[i]];
        uint32_t there = (uint32_t)map_get_or(&s->passed, turn->index, 0);
        if (there && went_another_way(s, turn, &s->steps_of.v[there]))
            out->v[n++] = out->v[i];
    }
    out->n = n;
}

static bool normal(const ExplainStep *turn) { return turn->normal_run != UINT32_MAX; }

/* The first that took it, of those that terminate normally if there are such. */
static const ExplainRun *run_of(const Explain *s, const ExplainStep *turn)
{
    return &s->runs.v[normal(turn) ? turn->normal_run : turn->run];
}

/* Does the decision of t itself depend on one of these, which are in the runs that came to t? */
static bool depends_on(const Explain *s, const ExplainStep *t, const U32Vec *decisions)
{
    for (uint32_t i = 0; i < decisions->n; i++)
        if (expr_set_has(s->names.pool, t->label, s->steps_of.v[decisions->v[i]].decision))
            return true;
    return false;
}

/* Did it end, before its time, in a way that depends on these decisions? Those who differ there may go on.
 * `passed` has its turns. */
static bool ends_by(const Explain *s, const ExplainRun *run, const U32Vec *decisions)
{
    for (uint32_t i = 0; !run->normal && i < decisions->n; i++) {
        uint32_t there = (uint32_t)map_get_or(&s->passed, s->steps_of.v[decisions->v[i]].index, 0);
        if (run->moved || expr_set_has(s->names.pool, run->ending, s->steps_of.v[there].decision))
            return true;
    }
    return false;
}

/* The alternative, at the same decision. */
static bool takes(const Explain *s, const ExplainStep *turn, const ExplainAlternative *alternative,
                  ExprEval *eval)
{
    if (!alternative->residual)
        return turn->name == alternative->name;
    expr_eval_input(eval, &run_of(s, turn)->origin->input);
    return expr_eval_true(eval, alternative->condition);
}

typedef struct Cover {
    uint32_t turn; /* 0: there is none */
    bool early;    /* its run ended before its time, and others need not */
} Cover;

/* The turn that takes the alternative of t, if it can be not in a run that ended early, with the fewest
 * differences, which are left in s->differ. */
static Cover cover_of(Explain *s, uint32_t t, const ExplainAlternative *alternative, ExprEval *eval)
{
    Cover best = {0};
    uint32_t listed = 0, compared = 0, at = (uint32_t)map_get_or(&s->first, s->steps_of.v[t].index, 0);
    U32Vec differ = {0};
    for (; at && listed < LISTED_MOST && compared < COMPARED_MOST; at = s->steps_of.v[at].next, listed++) {
        if (!takes(s, &s->steps_of.v[at], alternative, eval))
            continue;
        differences(s, t, at, &differ);
        compared++;
        if (depends_on(s, &s->steps_of.v[t], &differ)) /* so does all that depends on it */
            continue;
        Cover cover = {at, ends_by(s, run_of(s, &s->steps_of.v[at]), &differ)};
        if (best.turn && (cover.early != best.early ? cover.early : differ.n >= s->differ.n))
            continue;
        best = cover;
        U32Vec worse = s->differ;
        s->differ = differ;
        differ = worse;
    }
    vec_free(&differ);
    return best;
}

/* ---- what was left out ----------------------------------------------------------------------- */

static bool is_taken(const Explain *s, const ExplainStep *t, const ExplainAlternative *alternative)
{
    if (!alternative->residual)
        return map_get(&s->branches, longer(t->path, alternative->name), NULL);
    uint64_t known = 1; /* ways on from here that are none of those that it stands for */
    for (uint32_t i = 0; i < t->count; i++) {
        const ExplainAlternative *other = &s->alternatives.v[t->first + i];
        known += !other->residual && map_get(&s->branches, longer(t->path, other->name), NULL);
    }
    return map_get_or(&s->branches, t->path, 0) > known;
}

/* Does an input come to turn t as its run did, and take the alternative? */
static SolverStatus ask(Explain *s, Explore *x, const ExplainStep *t, const ExplainAlternative *alternative)
{
    if (expr_is_none(alternative->condition))
        return SOLVER_UNKNOWN;
    vec_clear(&x->query);
    for (uint32_t b = t->before; b; b = s->steps_of.v[b].before)
        if (!s->steps_of.v[b].entailed)
            vec_push(&x->query, s->steps_of.v[b].holds);
    vec_push(&x->query, alternative->condition);
    s->questions++;
    double start = clock_seconds();
    SolverStatus status =
        explore_solve_within(x, &s->runs.v[t->run].origin->input, ANSWER_MILLISECONDS / 1000.0);
    s->seconds += clock_seconds() - start;
    return status;
}

static const char *text_of(Explain *s, const ExprPool *pool, Expr condition)
{
    Str text = {0};
    expr_print_c(pool, condition, TEXT_MOST, &text);
    const char *kept = arena_strdup(s->texts, str_text(&text));
    str_free(&text);
    return kept;
}

/* Has the run come to this place another time, before turn t or with it? */
static bool is_repeated(Explain *s, uint32_t t, const ExplainStep *place)
{
    for (uint32_t b = t; b; b = s->steps_of.v[b].before, s->steps++)
        if (s->steps_of.v[b].site == place->site && s->steps_of.v[b].time != place->time)
            return true;
    return place->time > 1;
}

/* In the order of the run. */
static void name_places(Explain *s, uint32_t turn, ExplorePruned *out)
{
    uint32_t n = s->differ.n < PLACES_MOST ? s->differ.n : PLACES_MOST;
    ExplorePlace *places = arena_alloc(s->texts, (n + 1) * sizeof *places);
    for (uint32_t i = 0; i < n; i++) {
        const ExplainStep *t = &s->steps_of.v[s->differ.v[s->differ.n - 1 - i]];
        places[i] = (ExplorePlace){t->site, t->time, is_repeated(s, turn, t)};
    }
    out->apart = places;
    out->napart = n;
    out->others = s->differ.n - n;
}

static void report_cover(Explain *s, uint32_t turn, Cover cover, ExplorePruned *out)
{
    out->why = EXPLORE_COVERED;
    out->by = run_of(s, &s->steps_of.v[cover.turn])->number;
    out->early = cover.early;
    name_places(s, turn, out);
}

/* Of a run that may be another than the first. */
static void report_idle(const Explain *s, const ExplainStep *t, const ExplainAlternative *alternative,
                        const Map *sides, ExplorePruned *out)
{
    out->why = EXPLORE_IDLE;
    out->run = s->runs.v[t->idle].number;
    out->by = map_get_or(sides, alternative->side, 0);
}

/* False: it may be pending, or given up, or a run covers it that was not recorded. That the run failed may be
 * why no sink depends on it: rather another is named that covers it then. */
static bool explain(Explain *s, uint32_t turn, const ExplainAlternative *alternative, const Map *sides,
                    ExprEval *eval, ExplorePruned *out)
{
    const ExplainStep *t = &s->steps_of.v[turn];
    bool idle = t->idle != UINT32_MAX, at_once = idle && t->idle == t->run && s->runs.v[t->idle].normal;
    Cover cover = at_once ? (Cover){0} : cover_of(s, turn, alternative, eval);
    *out = (ExplorePruned){.run = s->runs.v[t->run].number,
                           .decision = t->decision,
                           .alternative = (uint32_t)(alternative - &s->alternatives.v[t->first]),
                           .site = t->site,
                           .time = t->time,
                           .why = EXPLORE_SPREAD};
    if (cover.turn)
        report_cover(s, turn, cover, out);
    else if (idle)
        report_idle(s, t, alternative, sides, out);
    return out->by || (s->complete && !s->unseen);
}

/* An interrupt need not wait until all is explained. */
static bool may_ask(const Explain *s, const Explore *x)
{
    bool stopped = x->options.stop && *x->options.stop;
    return !stopped && s->steps <= steps_most && s->questions < QUESTIONS_MOST &&
           s->seconds <= ANSWERS_SECONDS;
}

static void consider(Explain *s, Explore *x, uint32_t turn, const ExplainAlternative *alternative,
                     const Map *sides, ExprEval *eval)
{
    const ExplainStep *t = &s->steps_of.v[turn];
    ExplorePruned is;
    if (t->entailed || is_taken(s, t, alternative) ||
        !map_add(&s->reported, longer(t->path, alternative->name), 1))
        return;
    if (expr_is_none(alternative->condition) || !may_ask(s, x)) {
        s->undecided++;
        return;
    }
    if (!explain(s, turn, alternative, sides, eval, &is))
        return;
    SolverStatus status = ask(s, x, t, alternative);
    s->undecided += status == SOLVER_UNKNOWN;
    if (status != SOLVER_SAT)
        return;
    is.condition = text_of(s, x->pool, alternative->condition);
    vec_push(&s->pruned, is);
}

void explain_all(Explain *s, Explore *x, const Map *sides)
{
    ExprEval *eval = expr_eval_new(x->pool);
    s->texts = arena_new();
    s->complete = !ledger_count(x->lane->ledger);
    for (uint32_t i = 1; i < s->steps_of.n; i++)
        for (uint32_t k = 0; k < s->steps_of.v[i].count; k++)
            consider(s, x, i, &s->alternatives.v[s->steps_of.v[i].first + k], sides, eval);
    expr_eval_free(eval);
}

ExplorePrunedList explain_list(const Explain *s)
{
    return (ExplorePrunedList){s->pruned.v, s->pruned.n, s->complete, s->undecided, s->unseen};
}

void explain_clear(Explain *s)
{
    for (uint32_t i = 0; i < s->runs.n; i++)
        origin_drop(s->runs.v[i].origin);
    vec_free(&s->names.of);
    vec_free(&s->runs);
    vec_free(&s->steps_of);
    vec_free(&s->alternatives);
    vec_free(&s->differ);
    vec_free(&s->pruned);
    map_free(&s->branches);
    map_free(&s->known);
    map_free(&s->first);
    map_free(&s->last);
    map_free(&s->passed);
    map_free(&s->reported);
    map_free(&s->outcomes);
    if (s->texts)
        arena_free(s->texts);
}

/* ---- an observer of finished runs ------------------------------------------------------------ */

enum { MEMORY_SHARE = 8 }; /* of the memory, beside it: explanations change nothing */

Explain *explain_new(Explore *x)
{
    Explain *s = mem_zalloc(sizeof *s);
    s->names.pool = x->pool;
    s->most = x->options.max_memory / MEMORY_SHARE;
    sinks_init(&s->sinks, x);
    return s;
}

/* Not as a set of the pool, which is to be the same without explanations. */
static void add_members(const Explore *x, ExprSet set, BitSet *out)
{
    for (uint32_t k = expr_set_next(x->pool, set, 0); k != UINT32_MAX; k = expr_set_next(x->pool, set, k + 1))
        bitset_add(out, k);
}

/* The decisions that what is looked for depends on. */
static void list_reached(Explore *x, Explain *s, const StoredRun *run, BitSet *out)
{
    for (uint32_t k = 0; k < run->n; k++)
        if (sinks_has(&s->sinks, &run->decisions[k])) {
            add_members(x, run->decisions[k].label, out);
            bitset_add(out, k);
        }
    for (uint32_t i = 0; i < run->sinks.n; i++)
        add_members(x, run->sinks.v[i].label, out);
}

static void note_outcomes(Explore *x, Explain *s, const StoredRun *run)
{
    for (uint32_t k = 0; k < run->n; k++) {
        const VmDecision *d = &run->decisions[k];
        if (outcomes_matter(x, d))
            map_add(&s->outcomes, fingerprint_outcome(&s->names, d, d->took, d->holds), run->number);
    }
}

static void observe_labelled(Explore *x, Explain *s, const VmTrace *trace, StoredRun *run)
{
    BitSet reached = {0};
    sinks_at_end(&s->sinks, trace, run);
    list_reached(x, s, run, &reached);
    note_outcomes(x, s, run);
    explain_run(s, run, run->normal ? EXPR_SET_EMPTY : failure_label(x->pool, trace), &reached);
    bitset_free(&reached);
}

void explain_observe(Explore *x, const VmTrace *trace, const ExprInput *input)
{
    Origin *origin = origin_new(input);
    StoredRun *run = stored_run_new(trace, origin, x->counters[EXPLORE_RUNS]);
    run->normal = failure_is_none(x, &trace->result);
    if (x->lane->labels)
        observe_labelled(x, x->explain, trace, run);
    else
        explain_path(x->explain, run);
    stored_run_free(run);
    origin_drop(origin);
}

/* If the lane beside it finished first, what the first lane has no run for was not left out by it: nothing is
 * explained. */
void explain_finish(Explore *x)
{
    if (x->lane == &x->lanes[0])
        explain_all(x->explain, x, &x->explain->outcomes);
}

void explain_free(Explain *s)
{
    if (!s)
        return;
    sinks_free(&s->sinks);
    explain_clear(s);
    mem_free(s);
}

ExplorePrunedList explore_pruned(const Explore *x)
{
    return x->explain ? explain_list(x->explain) : (ExplorePrunedList){0};
}
