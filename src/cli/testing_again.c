/* testing_again.c - what an exploration has found, kept and taken over by a run of which all code that is
 * reached is the same: see testing.h.
 *
 * The reduced program is then the same but for lines and columns, so that numbers of sites, functions and
 * cells of coverage mean the same. Texts do not: where one names a position, that is the position of before,
 * and is put in its new place. Where it is not clear what a text means, the program is explored. */
#include "cli/testing.h"

#include <ctype.h>

/* ---- keeping --------------------------------------------------------------------------------- */

static const char *text_of(const char *text) { return text ? text : ""; }

/* Where each site was. */
static void put_sites(const IrProgram *p, Str *out)
{
    wire_uint(out, p->sites.n);
    for (uint32_t i = 0; i < p->sites.n; i++) {
        wire_uint(out, p->sites.v[i].line);
        wire_uint(out, p->sites.v[i].column);
    }
}

static void put_fault(const ReportFault *f, Str *out)
{
    wire_uint(out, f->kind);
    wire_uint(out, f->site);
    wire_text(out, text_of(f->fn));
    wire_text(out, text_of(f->maker));
    wire_text(out, f->message);
    wire_text(out, text_of(f->test));
    wire_uint(out, f->count);
    wire_uint(out, f->stack.n);
    for (uint32_t i = 0; i < f->stack.n; i++) {
        wire_uint(out, f->stack.v[i].fn);
        wire_uint(out, f->stack.v[i].site);
    }
}

static void put_need(const ReportNeed *n, Str *out)
{
    wire_text(out, n->text);
    wire_uint(out, n->kind);
    wire_uint(out, n->site);
    wire_text(out, text_of(n->fn));
    wire_text(out, n->message);
    wire_text(out, text_of(n->maker));
    wire_uint(out, n->count);
}

void testing_note_replay(Testing *t, const ReportFault *f, const SuiteTest *test, SuiteVerdict verdict)
{
    vec_push(&t->replays, ((TestingReplay){.kind = f->kind,
                                           .site = f->site,
                                           .fn = f->fn,
                                           .verdict = verdict,
                                           .test = suite_test_copy(test)}));
}

static bool is_of(const TestingReplay *run, const ReportFault *f)
{
    return run->kind == f->kind && run->site == f->site && !strcmp(run->fn, f->fn);
}

static uint32_t count_replays(const Testing *t, const ReportFault *f)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->replays.n; i++)
        n += is_of(&t->replays.v[i], f);
    return n;
}

/* The last ones count, as many as the fault has: what was run before may have been forgotten. */
static void put_replays(const Testing *t, const ReportFault *f, Str *out)
{
    uint32_t skipped = count_replays(t, f) - f->replays;
    Str packed = {0};
    wire_uint(out, f->replays);
    for (uint32_t i = 0; i < t->replays.n; i++) {
        if (!is_of(&t->replays.v[i], f))
            continue;
        if (skipped) {
            skipped--;
            continue;
        }
        vec_clear(&packed);
        suite_test_pack(t->replays.v[i].test, NULL, &packed);
        wire_uint(out, t->replays.v[i].verdict);
        wire_bytes(out, packed.v, packed.n);
    }
    str_free(&packed);
}

/* Are all native runs known, those before a run was resumed as well? */
static bool can_be_kept(const Testing *t)
{
    const Report *r = &t->report;
    bool can = t->answer.reached[0] && !r->unfinished && !r->notes.n && !r->scope;
    for (uint32_t i = 0; i < r->faults.n; i++) {
        const ReportFault *f = &r->faults.v[i];
        can = can && f->test && f->replays <= count_replays(t, f);
    }
    return can;
}

void testing_keep_findings(Testing *t, Explore *x)
{
    const Report *r = &t->report;
    Str *out = &t->findings;
    if (!can_be_kept(t)) {
        t->answer.reached = "";
        return;
    }
    put_sites(t->program, out);
    wire_uint(out, r->paths);
    wire_uint(out, r->runs);
    wire_uint(out, (uint64_t)(r->seconds * 1e6));
    wire_uint(out, r->faults_sought | r->faults_done << 1 | r->faults_skipped << 2);
    wire_uint(out, r->faults.n);
    for (uint32_t i = 0; i < r->faults.n; i++)
        put_fault(&r->faults.v[i], out);
    wire_uint(out, r->needs.n);
    for (uint32_t i = 0; i < r->needs.n; i++)
        put_need(&r->needs.v[i], out);
    for (uint32_t i = 0; i < r->faults.n; i++)
        put_replays(t, &r->faults.v[i], out);
    ledger_write(explore_ledger(x), NULL, out);
    vm_coverage_write(explore_vm(x), out);
    t->answer.findings = str_text(out);
    t->answer.findings_size = out->n;
}

/* ---- positions in texts ---------------------------------------------------------------------- */

typedef struct Taking {
    Testing *t;
    Wire in;
    StrMap moved; /* the position of before, as text, to a site; AMBIGUOUS: to several */
    Vec(StoreTest) tests;
    Vec(TestingReplay) replays;
    bool unclear;
} Taking;

enum { TESTS_MOST = 64 << 20 }; /* bytes of tests that are taken over: they are in memory meanwhile */
#define AMBIGUOUS UINT64_MAX

static bool same_place(const IrProgram *p, uint32_t a, uint32_t b)
{
    const IrSite *x = &p->sites.v[a], *y = &p->sites.v[b];
    return x->file == y->file && x->line == y->line && x->column == y->column;
}

/* The position that a site had, as text, leads to the site. */
static void note_position(Taking *g, const char *was, uint32_t site)
{
    uint64_t other;
    if (!strmap_get(&g->moved, was, &other))
        strmap_put(&g->moved, was, site);
    else if (other != AMBIGUOUS && !same_place(g->t->program, (uint32_t)other, site))
        strmap_put(&g->moved, was, AMBIGUOUS);
}

static void get_sites(Taking *g)
{
    const IrProgram *p = g->t->program;
    IrSite site;
    IrProgram then = {.strings = p->strings, .sites = {&site, 1, 1}};
    char where[512];
    if (wire_get(&g->in) != p->sites.n)
        wire_refuse(&g->in);
    for (uint32_t i = 0; i < p->sites.n && !g->in.bad; i++) {
        site = p->sites.v[i];
        site.line = wire_get_u32(&g->in);
        site.column = wire_get_u32(&g->in);
        note_position(g, ir_site_text(&then, 0, where, sizeof where), i);
    }
}

/* Where that position is now. */
static const char *moved_position(Taking *g, const char *text, Arena *arena)
{
    char where[512];
    uint64_t site;
    if (!text[0])
        return text;
    if (!strmap_get(&g->moved, text, &site) || site == AMBIGUOUS) {
        g->unclear = true;
        return text;
    }
    return arena_strdup(arena, ir_site_text(g->t->program, (uint32_t)site, where, sizeof where));
}

/* ":12" or ":12:5", whatever comes before. */
static uint32_t count_positions(const char *text)
{
    uint32_t n = 0;
    for (const char *at = strchr(text, ':'); at; at = strchr(at, ':')) {
        bool is = isdigit((unsigned char)*++at);
        n += is;
        while (is && (isdigit((unsigned char)*at) || (*at == ':' && isdigit((unsigned char)at[1]))))
            at++;
    }
    return n;
}

/* A message of the machine's names an object as "... (12 bytes, from FILE:LINE:COLUMN)". Any other number
 * behind a colon may be a position or not. */
static const char *moved_message(Taking *g, const char *text, Arena *arena)
{
    static const char *const before[] = {" bytes, from ", " byte, from ", " bytes, allocated at ",
                                         " byte, allocated at "};
    if (!count_positions(text))
        return text;
    for (size_t i = 0; i < COUNT_OF(before); i++) {
        const char *at = strstr(text, before[i]);
        const char *start = at ? at + strlen(before[i]) : NULL, *end = at ? strchr(start, ')') : NULL;
        if (!end || count_positions(text) != 1)
            continue;
        const char *position = arena_strndup(arena, start, (size_t)(end - start));
        if (count_positions(position) != 1)
            continue;
        return arena_printf(arena, "%.*s%s%s", (int)(start - text), text, moved_position(g, position, arena),
                            end);
    }
    g->unclear = true;
    return text;
}

/* ---- reading --------------------------------------------------------------------------------- */

static uint32_t get_site(Taking *g)
{
    uint32_t site = wire_get_u32(&g->in);
    if (site != IR_NONE && site >= g->t->program->sites.n)
        wire_refuse(&g->in);
    return site;
}

static const char *get_text(Taking *g)
{
    const char *text = wire_get_text(&g->in, g->t->arena);
    return text[0] ? text : NULL;
}

static const char *get_message(Taking *g)
{
    return moved_message(g, wire_get_text(&g->in, g->t->arena), g->t->arena);
}

static void get_fault(Taking *g)
{
    ReportFault f = {.kind = (VmFaultKind)wire_get_below(&g->in, VM_FAULT_COUNT)};
    f.site = get_site(g);
    f.fn = wire_get_text(&g->in, g->t->arena);
    f.maker = get_text(g);
    f.message = get_message(g);
    f.test = get_text(g);
    f.count = wire_get(&g->in);
    for (uint32_t n = wire_get_count(&g->in); n && !g->in.bad; n--) {
        VmFrameInfo frame = {.fn = (uint32_t)wire_get_below(&g->in, g->t->program->fns.n)};
        frame.site = get_site(g);
        vec_push(&f.stack, frame);
    }
    vec_push(&g->t->report.faults, f);
}

static void get_need(Taking *g)
{
    ReportNeed n = {.text = wire_get_text(&g->in, g->t->arena)};
    n.kind = (VmFaultKind)wire_get_below(&g->in, VM_FAULT_COUNT);
    n.site = get_site(g);
    n.fn = wire_get_text(&g->in, g->t->arena);
    n.message = get_message(g);
    n.maker = get_text(g);
    n.count = wire_get(&g->in);
    vec_push(&g->t->report.needs, n);
}

/* A test of the program as it is now. */
static void move_test(Taking *g, SuiteTest *s)
{
    s->program = arena_strdup(s->arena, g->t->maker.program_hash);
    s->site = moved_position(g, s->site, s->arena);
    s->message = moved_message(g, s->message, s->arena);
}

static void get_replay(Taking *g, const ReportFault *f)
{
    uint32_t n;
    TestingReplay run = {.kind = f->kind, .site = f->site, .fn = f->fn};
    run.verdict = (SuiteVerdict)wire_get_below(&g->in, SUITE_VERDICT_COUNT);
    const uint8_t *packed = wire_get_bytes(&g->in, &n);
    run.test = g->in.bad ? NULL : suite_test_unpack(packed, n, NULL);
    if (!run.test) {
        wire_refuse(&g->in);
        return;
    }
    move_test(g, run.test);
    vec_push(&g->replays, run);
}

static void get_report(Taking *g)
{
    Report *r = &g->t->report;
    r->paths = wire_get(&g->in);
    r->runs = wire_get(&g->in);
    r->seconds = (double)wire_get(&g->in) / 1e6;
    uint32_t is = (uint32_t)wire_get_below(&g->in, 8);
    r->faults_sought = is & 1;
    r->faults_done = is & 2;
    r->faults_skipped = is & 4;
    for (uint32_t n = wire_get_count(&g->in); n && !g->in.bad; n--)
        get_fault(g);
    for (uint32_t n = wire_get_count(&g->in); n && !g->in.bad; n--)
        get_need(g);
    for (uint32_t i = 0; i < r->faults.n && !g->in.bad; i++)
        for (uint32_t n = wire_get_count(&g->in); n && !g->in.bad; n--)
            get_replay(g, &r->faults.v[i]);
}

static void get_test(void *context, StoreTest *test)
{
    Taking *g = context;
    move_test(g, test->test);
    vec_push(&g->tests, *test);
    test->test = NULL;
    test->covers = (BitSet){0};
}

static bool get_tests(Taking *g)
{
    Str ignored = {0};
    Store *store = store_read(g->t->settings->exploring.directory, &ignored);
    bool got = store && store_test_bytes(store) < TESTS_MOST && store_tests(store, STORE_PATH, get_test, g) &&
               store_get(store, "statistics", &g->t->statistics);
    store_close(store);
    str_free(&ignored);
    return got;
}

/* Does a reason name a position? */
static bool is_moved(const Ledger *l)
{
    for (uint32_t i = 0; i < ledger_count(l); i++)
        if (count_positions(ledger_entry(l, i)->detail))
            return true;
    return false;
}

/* An exploration that has ended, with the coverage and the ledger of before. */
static Explore *get_exploration(Taking *g, const ExploreOptions *options)
{
    Testing *t = g->t;
    ExploreOptions o = *options;
    o.explorer = "full"; /* which one it was does not matter: it makes no run */
    exploring_bounds(&t->settings->exploring, 1, &o.symbolic.inputs);
    Explore *x = explore_new(t->program, t->environment, &o);
    bool read = ledger_read(explore_ledger(x), &g->in, t->program->sites.n) &&
                vm_coverage_read(explore_vm(x), &g->in, true) && wire_ended(&g->in) &&
                !is_moved(explore_ledger(x));
    if (!read) {
        explore_free(x);
        return NULL;
    }
    t->report.ledger = explore_ledger(x);
    t->report.coverage = vm_coverage(explore_vm(x));
    return x;
}

/* ---- faults, and the directory ---------------------------------------------------------------- */

/* The native program is another one: every run must end as before. */
static bool replay_faults(Taking *g)
{
    Testing *t = g->t;
    bool same = true;
    for (uint32_t i = 0; i < t->report.faults.n; i++)
        for (uint32_t k = 0; k < g->replays.n && same; k++)
            if (is_of(&g->replays.v[k], &t->report.faults.v[i])) {
                testing_replay(t, g->replays.v[k].test, &t->report.faults.v[i]);
                same = vec_last(&t->replays).verdict == g->replays.v[k].verdict;
            }
    return same;
}

static void write_tests(Taking *g)
{
    Results *results = testcase_results(&g->t->maker);
    for (uint32_t i = 0; i < g->tests.n; i++) {
        StoreTest *s = &g->tests.v[i];
        const BitSet *covers = s->known ? &s->covers : NULL;
        if (s->role == STORE_PATH)
            results_note(results, s->test);
        else
            (s->role == STORE_FILE ? results_add : results_keep)(results, s->test, covers);
    }
}

static void taking_free(Taking *g)
{
    for (uint32_t i = 0; i < g->tests.n; i++) {
        suite_test_free(g->tests.v[i].test);
        bitset_free(&g->tests.v[i].covers);
    }
    for (uint32_t i = 0; i < g->replays.n; i++)
        suite_test_free(g->replays.v[i].test);
    vec_free(&g->replays);
    vec_free(&g->tests);
    strmap_free(&g->moved);
}

void testing_replays_free(Testing *t)
{
    for (uint32_t i = 0; i < t->replays.n; i++)
        suite_test_free(t->replays.v[i].test);
    vec_free(&t->replays);
}

/* As if nothing had been read. */
static void forget(Testing *t)
{
    t->unsettled = false;
    testing_replays_free(t);
    report_free(&t->report);
    report_init(&t->report, "test", t->program, NULL);
    str_free(&t->statistics);
}

Explore *testing_take_findings(Testing *t, const ReuseAnswer *before, const ExploreOptions *options)
{
    Taking g = {.t = t, .in = wire_of(before->findings, before->findings_size)};
    Explore *x = NULL;
    if (!t->settings->exploring.force)
        return NULL;
    get_sites(&g);
    get_report(&g);
    if (!g.in.bad && get_tests(&g) && !g.unclear)
        x = get_exploration(&g, options);
    if (x && !replay_faults(&g)) {
        explore_free(x);
        x = NULL;
    }
    if (x) {
        testing_open(t, options);
        write_tests(&g);
        checkpoint_commit(&t->checkpoint);
    } else {
        forget(t);
    }
    taking_free(&g);
    return x;
}
