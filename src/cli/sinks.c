/* sinks.c - what the explorer `dependence` looks for; what it, or `states`, left out. */
#include "cli/command.h"
#include "cli/sinks.h"
#include "flow/flow.h"

enum { LISTED_MOST = 50 }; /* alternatives that the text names */

/* ---- sinks ----------------------------------------------------------------------------------- */

typedef Vec(FlowSite) FlowSiteVec;

/* Every instruction of the line. */
static void add_line(const IrProgram *p, const char *word, FlowSiteVec *out)
{
    uint32_t before = out->n, line;
    char *file = program_place(word, &line);
    if (!file)
        die("--sinks: '%s' is not one of faults, outputs, all, FILE:LINE", word);
    for (uint32_t f = 0; f < p->fns.n; f++)
        for (uint32_t b = 0; b < p->fns.v[f].blocks.n; b++)
            for (uint32_t i = 0; i < p->fns.v[f].blocks.v[b].insns.n; i++)
                if (ir_site_is_at(p, p->fns.v[f].blocks.v[b].insns.v[i].site, file, line))
                    vec_push(out, (FlowSite){f, b, i});
    mem_free(file);
    if (out->n == before)
        die("--sinks %s: the program has no code on that line", word);
}

static void add_sink(const IrProgram *p, const char *word, ExploreOptions *out, FlowSiteVec *sites)
{
    static const struct {
        const char *word;
        unsigned sink;
    } known[] = {{"faults", FLOW_SINK_FAULTS}, {"outputs", FLOW_SINK_OUTPUTS}, {"all", FLOW_SINK_ALL}};
    unsigned sink = 0;
    for (size_t i = 0; i < COUNT_OF(known); i++)
        sink |= !strcmp(word, known[i].word) ? known[i].sink : 0;
    if (!sink)
        add_line(p, word, sites);
    out->sinks |= sink;
}

void sinks_read(const StrVec *lists, const IrProgram *program, Arena *arena, ExploreOptions *out)
{
    FlowSiteVec sites = {0};
    if (!lists->n)
        return;
    /* whatever else is looked for: a fault left out would be lost in silence */
    out->sinks = FLOW_SINK_FAULTS;
    for (uint32_t i = 0; i < lists->n; i++) {
        const char *words = lists->v[i];
        for (bool more = true; more;) {
            size_t n = strcspn(words, ",");
            add_sink(program, arena_strndup(arena, words, n), out, &sites);
            more = words[n] == ',';
            words += n + more;
        }
    }
    FlowSite *copy = arena_alloc(arena, (sites.n + 1) * sizeof *copy);
    if (sites.n)
        memcpy(copy, sites.v, sites.n * sizeof *copy);
    out->sink_sites = copy;
    out->nsink_sites = sites.n;
    vec_free(&sites);
}

/* ---- what was left out ----------------------------------------------------------------------- */

/* The times at which a decision there is meant, unless it is clear. */
static void add_times(const ExplorePruned *r, uint32_t site, Str *out)
{
    uint32_t n = 0;
    bool repeated = false; /* a loop, or a function called again */
    for (uint32_t i = 0; i < r->napart; i++) {
        n += r->apart[i].site == site;
        repeated = repeated || (r->apart[i].site == site && r->apart[i].repeated);
    }
    if (!repeated)
        return;
    str_add(out, n == 1 ? " (time" : " (times");
    for (uint32_t i = 0, k = 0; i < r->napart; i++)
        if (r->apart[i].site == site)
            str_printf(out, "%s %u", k++ ? "," : "", r->apart[i].time);
    str_add_char(out, ')');
}

static bool is_named_before(const ExplorePruned *r, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (r->apart[k].site == r->apart[i].site)
            return true;
    return false;
}

/* Each site once. */
static void add_apart(const IrProgram *p, const ExplorePruned *r, Str *out)
{
    char where[512];
    for (uint32_t i = 0; i < r->napart; i++) {
        if (is_named_before(r, i))
            continue;
        str_printf(out, "%s%s", i ? ", " : " for what does not depend on ",
                   ir_site_text(p, r->apart[i].site, where, sizeof where));
        add_times(r, r->apart[i].site, out);
    }
    if (r->others)
        str_printf(out, " and %u other decision%s", r->others, r->others == 1 ? "" : "s");
}

static void add_reason(const IrProgram *p, const ExplorePruned *r, Str *out)
{
    switch (r->why) {
    case EXPLORE_COVERED:
        str_printf(out, "run %llu%s covers it", (unsigned long long)r->by, r->early ? " (ends early)" : "");
        add_apart(p, r, out);
        break;
    case EXPLORE_IDLE:
        str_printf(out, "no sink that run %llu reaches depends on it", (unsigned long long)r->run);
        if (r->by)
            str_printf(out, "; run %llu takes that outcome", (unsigned long long)r->by);
        break;
    case EXPLORE_SPREAD: str_add(out, "no run was found that covers it alone"); break;
    }
}

/* What is not in the list, though it may belong there. */
static void add_unlisted(const ExplorePrunedList *list, Str *out)
{
    if (list->undecided)
        str_printf(out, "%llu more got no run, and it was not found out whether an input takes them\n",
                   (unsigned long long)list->undecided);
    if (list->unseen)
        str_printf(out, "%llu runs were not looked at for that, since memory was used up: --max-memory\n",
                   (unsigned long long)list->unseen);
}

static void add_time(uint32_t time, Str *out)
{
    if (time > 1)
        str_printf(out, " (time %u)", time);
}

static const char *test_of(const RunTests *tests, uint64_t run)
{
    uint64_t at;
    return map_get(&tests->index, run, &at) ? tests->paths.v[at] : NULL;
}

static void add_subsumed(const IrProgram *p, const ExploreSubsumed *r, const RunTests *tests, Str *out)
{
    char where[512];
    const char *test = test_of(tests, r->by);
    str_printf(out, "  run %llu, %s", (unsigned long long)r->run,
               ir_site_text(p, r->site, where, sizeof where));
    add_time(r->time, out);
    if (r->by == r->run)
        str_add(out, ": it was in the same state there before");
    else
        str_printf(out, ": run %llu%s%s%s was in the same state there", (unsigned long long)r->by,
                   test ? " (" : "", test ? test : "", test ? ")" : "");
    if (r->by_time != r->time || r->by == r->run)
        str_printf(out, " (time %u)", r->by_time);
    str_add_char(out, '\n');
}

static void add_more(uint32_t n, Str *out)
{
    if (n > LISTED_MOST)
        str_printf(out, "  and %u more: --format json lists all\n", n - LISTED_MOST);
}

static void subsumed_text(const Explore *x, const RunTests *tests, Str *out)
{
    ExploreSubsumedList list = explore_subsumed(x);
    str_printf(out, "%u path%s %s not continued%s\n", list.n, list.n == 1 ? "" : "s",
               list.n == 1 ? "was" : "were", list.n ? ", since a run had been in the same state:" : "");
    for (uint32_t i = 0; i < list.n && i < LISTED_MOST; i++)
        add_subsumed(explore_program(x), &list.v[i], tests, out);
    add_more(list.n, out);
    add_unlisted(&(ExplorePrunedList){.unseen = list.unseen}, out);
}

static void pruned_text(const Explore *x, Str *out)
{
    ExplorePrunedList list = explore_pruned(x);
    const IrProgram *p = explore_program(x);
    uint64_t exhaustive = explore_count(x, EXPLORE_EXHAUSTIVE);
    char where[512];
    if (list.n || !exhaustive) /* where every path was run, that goes without saying */
        str_printf(out, "%u alternative%s %s no run of %s own%s\n", list.n, list.n == 1 ? "" : "s",
                   list.complete ? "needed" : "got", list.n == 1 ? "its" : "their", list.n ? ":" : "");
    for (uint32_t i = 0; i < list.n && i < LISTED_MOST; i++) {
        const ExplorePruned *r = &list.v[i];
        str_printf(out, "  run %llu, %s", (unsigned long long)r->run,
                   ir_site_text(p, r->site, where, sizeof where));
        add_time(r->time, out);
        str_printf(out, ": %s: ", r->condition);
        add_reason(p, r, out);
        str_add_char(out, '\n');
    }
    add_more(list.n, out);
    add_unlisted(&list, out);
    if (exhaustive)
        str_printf(out, "%llu of %llu runs are of the exploration beside it\n",
                   (unsigned long long)exhaustive, (unsigned long long)explore_count(x, EXPLORE_RUNS));
}

void sinks_pruned_text(const Explore *x, const RunTests *tests, Str *out)
{
    bool states = explore_by_states(x);
    if (!states || explore_count(x, EXPLORE_EXHAUSTIVE))
        pruned_text(x, out);
    if (states)
        subsumed_text(x, tests, out);
}

static void add_place(JsonOut *json, const IrProgram *p, uint32_t site)
{
    if (site == IR_NONE)
        return;
    json_string(json, "file", ir_text(p, p->sites.v[site].file));
    json_uint(json, "line", p->sites.v[site].line);
    json_uint(json, "column", p->sites.v[site].column);
}

static void add_apart_json(const IrProgram *p, const ExplorePruned *r, JsonOut *json)
{
    json_array_begin(json, "apart");
    for (uint32_t i = 0; i < r->napart; i++) {
        json_object_begin(json, NULL);
        add_place(json, p, r->apart[i].site);
        json_uint(json, "time", r->apart[i].time);
        json_object_end(json);
    }
    json_array_end(json);
    if (r->others)
        json_uint(json, "apart_others", r->others);
}

static void subsumed_json(const Explore *x, const RunTests *tests, JsonOut *json)
{
    ExploreSubsumedList list = explore_subsumed(x);
    json_array_begin(json, "subsumed");
    for (uint32_t i = 0; i < list.n; i++) {
        const ExploreSubsumed *r = &list.v[i];
        const char *test = test_of(tests, r->by);
        json_object_begin(json, NULL);
        json_uint(json, "run", r->run);
        add_place(json, explore_program(x), r->site);
        json_uint(json, "time", r->time);
        json_uint(json, "by", r->by);
        json_uint(json, "by_time", r->by_time);
        if (test)
            json_string(json, "by_test", test);
        json_object_end(json);
    }
    json_array_end(json);
    json_uint(json, "subsumed_unseen_runs", list.unseen);
}

static void pruned_json(const Explore *x, JsonOut *json)
{
    ExplorePrunedList list = explore_pruned(x);
    const IrProgram *p = explore_program(x);
    json_array_begin(json, "pruned");
    for (uint32_t i = 0; i < list.n; i++) {
        const ExplorePruned *r = &list.v[i];
        json_object_begin(json, NULL);
        json_uint(json, "run", r->run);
        add_place(json, p, r->site);
        json_uint(json, "time", r->time);
        json_string(json, "condition", r->condition);
        json_bool(json, "reaches_sink", r->why != EXPLORE_IDLE);
        if (r->by)
            json_uint(json, "covered_by", r->by);
        if (r->early)
            json_bool(json, "ends_early", true);
        if (r->why == EXPLORE_COVERED)
            add_apart_json(p, r, json);
        json_object_end(json);
    }
    json_array_end(json);
    json_uint(json, "pruned_undecided", list.undecided);
    json_uint(json, "pruned_unseen_runs", list.unseen);
}

void sinks_pruned_json(const Explore *x, const RunTests *tests, JsonOut *json)
{
    bool states = explore_by_states(x);
    if (!states || explore_count(x, EXPLORE_EXHAUSTIVE))
        pruned_json(x, json);
    if (states)
        subsumed_json(x, tests, json);
}
