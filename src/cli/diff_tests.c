/* diff_tests.c - the tests of a suite on both versions of a program: which of them run lines that changed,
 * and which show something else.
 *
 * Natively, with the lines that each run covers: a suite may have tests that the machine could not run. */
#include "cli/both.h"

static SuiteReplay *counting_replay(const Both *b, unsigned v)
{
    char *library = program_own_file("native/replay.c");
    SuiteReplayOptions options = {.library = library ? arena_strdup(b->arena, library) : NULL,
                                  .files = program_suite_files(b->environment, b->arena),
                                  .nfiles = b->environment->files.n,
                                  .interrupt = exploring_interrupt(),
                                  .coverage = true,
                                  .program = b->version[v]->program};
    mem_free(library);
    return suite_replay_new(&options);
}

static bool is_hit(const SuiteCoverage *c, const IrProgram *p, uint32_t site)
{
    if (site == IR_NONE)
        return false;
    for (uint32_t f = 0; f < c->files.n; f++)
        for (uint32_t i = 0; i < c->files.v[f].hit.n; i++)
            if (c->files.v[f].hit.v[i] == p->sites.v[site].line &&
                ir_site_is_at(p, site, c->files.v[f].path, c->files.v[f].hit.v[i]))
                return true;
    return false;
}

/* Did what ran since the last reset run a line of which an instruction changed? */
static bool ran_changed(SuiteReplay *r, const Versions *v, unsigned version)
{
    SuiteCoverage coverage;
    Str error = {0};
    bool ran = false;
    const IrProgram *p = v->program[version];
    if (suite_replay_coverage(r, &coverage, &error))
        for (uint32_t i = 0; !ran && i < v->changed[version].n; i++) {
            FlowSite at = v->changed[version].v[i];
            ran = is_hit(&coverage, p, p->fns.v[at.fn].blocks.v[at.block].insns.v[at.insn].site);
        }
    suite_coverage_free(&coverage);
    suite_replay_coverage_reset(r);
    str_free(&error);
    return ran;
}

/* The input of a test, to be run on a version; suite_test_free. */
static SuiteTest *test_on(Both *b, const SuiteTest *t, unsigned version, const char *const entry[2])
{
    SuiteTest *copy = suite_test_copy(t);
    copy->entry = entry[version];
    if (version == VERSIONS_OLD)
        both_name_old(b, copy, entry);
    return copy;
}

static ReportDiffTest try_test(Both *b, SuiteReplay *const replay[2], const Versions *v, const SuiteTest *t)
{
    ReportDiffTest result = {.path = t->path};
    const char *entry[2] = {both_old_entry(v, t->entry), t->entry};
    SuiteShown shown[2] = {{0}};
    Str difference = {0};
    if (!entry[VERSIONS_OLD]) {
        result.why = "its entry is new";
        return result;
    }
    for (unsigned i = 0; i < 2; i++) {
        SuiteTest *test = test_on(b, t, i, entry);
        suite_replay_show(replay[i], test, &shown[i]);
        suite_test_free(test);
        bool ran = shown[i].ran && !*shown[i].stopped;
        if (!ran && !result.why)
            result.why = arena_strdup(b->arena, shown[i].ran ? shown[i].stopped : shown[i].message);
        result.runs_changed |= ran && ran_changed(replay[i], v, i);
    }
    if (!result.why && suite_shown_differ(&shown[0], &shown[1], NULL, NULL, &difference))
        result.difference = arena_strdup(b->arena, str_text(&difference));
    for (unsigned i = 0; i < 2; i++)
        suite_shown_free(&shown[i]);
    str_free(&difference);
    return result;
}

void both_try_suite(Both *b, const Versions *v, ReportDiffTests *out)
{
    SuiteReplay *replay[2] = {counting_replay(b, 0), counting_replay(b, 1)};
    for (uint32_t i = 0; i < b->suite->n && !*exploring_interrupt(); i++)
        vec_push(out, try_test(b, replay, v, b->suite->v[i]));
    for (unsigned i = 0; i < 2; i++)
        suite_replay_free(replay[i]);
}
