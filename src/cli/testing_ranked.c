/* testing_ranked.c - what becomes of runs that several processes made: see testing.h, ranking.h.
 *
 * As they come, those that may be needed are kept in the store, with a number for the time being; a fault is
 * durable there, with its test, as soon as it is found. When the exploration is over, all are settled, by
 * rank: which of them are needed, their numbers, and which test shows a fault. A run that is killed before
 * has all of them in its store. */
#include "cli/testing.h"

/* ---- as they come ---------------------------------------------------------------------------- */

/* What the run may be a test for. */
typedef struct Uses {
    RankingNews fails, covers;
    bool row, all;
} Uses;

static Uses uses_of(Testing *t, const ExploreRun *run)
{
    bool fault = run->trace->result.ending == VM_END_FAULT;
    return (Uses){.fails = fault ? ranking_fails(&t->ranking, run) : RANKING_NOTHING,
                  .covers = ranking_covers(&t->ranking, run),
                  .row = explore_row_is_new(run),
                  .all = t->settings->tests == TESTS_ALL};
}

/* All that fail, since they are counted. */
bool testing_wants_ranked(Testing *t, const ExploreRun *run)
{
    Uses u = uses_of(t, run);
    return run->trace->result.ending == VM_END_FAULT || u.covers || u.row || u.all;
}

static bool is_settled(const ReportFault *f) { return f->test != NULL; }

static void add_test(Testing *t, const ExploreRun *run, SuiteTest *test, const Uses *u)
{
    BitSet covers = {0};
    bool known = !u->row && !u->all && covering_measure(&t->covering, run, &covers);
    if (u->row)
        map_put(&t->ranking.rows, run->rank, 1);
    results_rank(testcase_results(&t->maker), test, run->rank, u->fails || u->all, known ? &covers : NULL);
    bitset_free(&covers);
    if (u->all || u->row || u->covers == RANKING_NEW || u->fails == RANKING_NEW)
        testing_count(t, run);
}

void testing_add_ranked(Testing *t, const ExploreRun *run)
{
    const VmResult *r = &run->trace->result;
    bool fresh;
    if (r->ending == VM_END_FAULT && r->need[0]) {
        report_need(&t->report, r);
        return;
    }
    ReportFault *f = r->ending == VM_END_FAULT ? report_fault(&t->report, r, &fresh) : NULL;
    fresh = f && f->count == 1;
    Uses u = uses_of(t, run);
    bool kept = u.fails || u.covers || u.row || u.all, noted = !kept && results_take_paths(t->maker.results);
    if (!kept && !noted)
        return;
    SuiteTest *test = testcase_make(&t->maker, explore_pool(run->explore), run->trace, run->input);
    if (noted)
        results_note(t->maker.results, test);
    else
        add_test(t, run, test, &u);
    if (u.fails == RANKING_NEW && !is_settled(f)) {
        report_fault_describe(&t->report, f, r);
        testcase_name(&t->maker, test, f);
    }
    if (fresh && !is_settled(f) && testing_needs_replay(t, f) && testing_replay(t, test, f))
        f->tried = run->rank;
    if (fresh)
        checkpoint_commit(&t->checkpoint);
    if (fresh && t->settings->stop_at_first_fault)
        explore_end(run->explore, LEDGER_FIRST_FAULT, "%s", "");
    suite_test_free(test);
}

/* ---- when all are there ---------------------------------------------------------------------- */

typedef struct Settling {
    Testing *t;
    Results *results;
    StoreRankedVec all;
    Map kept;  /* ranks of tests that are needed for what they cover */
    Map shows; /* rank of a fault's test to the fault's place in the report, counted from 1 */
} Settling;

static const StoreRanked *find(const Settling *s, uint64_t rank)
{
    uint32_t from = 0, to = s->all.n;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (s->all.v[middle].rank < rank)
            from = middle + 1;
        else
            to = middle;
    }
    return from < s->all.n && s->all.v[from].rank == rank ? &s->all.v[from] : NULL;
}

/* Which run was replayed when the fault was found depends on the time; but it will do where there is none
 * left for others. */
static bool goes_with_tried(const ReportFault *f)
{
    return *exploring_interrupt() && f->tried && f->verdict == REPORT_CONFIRMED;
}

/* As if none had been replayed, but for the first by rank. */
static void forget_tried(ReportFault *f, uint64_t first)
{
    if (f->tried == first)
        return;
    f->verdict = REPORT_NOT_REPLAYED;
    f->witness = NULL;
    f->replays = 0;
}

/* Its test is the first by rank, or of several the first that confirms it. */
static void choose(Settling *s, uint32_t fault)
{
    Testing *t = s->t;
    ReportFault *f = &t->report.faults.v[fault];
    const RankedFault *ranked = ranking_fault(&t->ranking, f->kind, f->site);
    uint64_t rank = ranked && !is_settled(f) ? ranked->ranks[0] : 0;
    if (rank && goes_with_tried(f) && find(s, f->tried))
        rank = f->tried;
    else if (rank)
        forget_tried(f, rank);
    for (uint32_t i = rank && f->replays; ranked && i < ranked->n && testing_needs_replay(t, f); i++) {
        const StoreRanked *of = find(s, ranked->ranks[i]);
        SuiteTest *test = of ? results_ranked_test(s->results, of) : NULL;
        if (test && testing_replay(t, test, f))
            rank = of->rank;
        suite_test_free(test);
    }
    if (rank)
        map_put(&s->shows, rank, fault + 1);
}

static void settle(Settling *s, const StoreRanked *of, bool first)
{
    Testing *t = s->t;
    uint64_t fault = map_get_or(&s->shows, of->rank, 0);
    bool all = t->settings->tests == TESTS_ALL;
    bool kept = map_get(&s->kept, of->rank, NULL) || map_get(&t->ranking.rows, of->rank, NULL);
    StoreRole role = !first ? STORE_PATH : fault || all ? STORE_FILE : kept ? STORE_COVERS : STORE_PATH;
    SuiteTest *test = results_ranked_test(s->results, of);
    if (test)
        results_settle(s->results, of, test, role);
    if (test && first && fault)
        testcase_name(&t->maker, test, &t->report.faults.v[fault - 1]);
    suite_test_free(test);
}

static uint64_t rank_of(const Testing *t, const ReportFault *f)
{
    const RankedFault *ranked = ranking_fault(&t->ranking, f->kind, f->site);
    return ranked ? ranked->ranks[0] : UINT64_MAX;
}

/* Those that have a test come first already, in the order in which they were found; the others by rank. */
static void sort_faults(Testing *t)
{
    ReportFault *v = t->report.faults.v;
    uint32_t from = 0;
    while (from < t->report.faults.n && is_settled(&v[from]))
        from++;
    for (uint32_t i = from + 1; i < t->report.faults.n; i++) {
        ReportFault f = v[i];
        uint32_t at = i;
        for (; at > from && rank_of(t, &v[at - 1]) > rank_of(t, &f); at--)
            v[at] = v[at - 1];
        v[at] = f;
    }
}

void testing_settle(Testing *t, Explore *x)
{
    Settling s = {.t = t, .results = testcase_results(&t->maker)};
    BitSet cells = {0};
    testing_limit_files(t);
    if (results_ranked(s.results, &s.all) && s.all.n) {
        ranking_kept(&t->ranking, &s.kept, &cells);
        vm_coverage_keep_cells(explore_vm(x), &cells);
        sort_faults(t);
        for (uint32_t i = 0; i < t->report.faults.n; i++)
            choose(&s, i);
        for (uint32_t i = 0; i < s.all.n; i++)
            settle(&s, &s.all.v[i], !i || s.all.v[i].rank != s.all.v[i - 1].rank);
        checkpoint_commit(&t->checkpoint);
    }
    ranking_clear(&t->ranking);
    bitset_free(&cells);
    map_free(&s.kept);
    map_free(&s.shows);
    vec_free(&s.all);
}
