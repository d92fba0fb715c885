/* sinks.c - what the explorer `dependence` looks for, and what it left out. */
#include "cli/command.h"
#include "cli/sinks.h"
#include "flow/flow.h"

enum { TOLD_MOST = 50 };                      /* alternatives that the text names */

/* ---- sinks --------------------------------------------------------------------------------------------- */

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

/* ---- what was left out --------------------------------------------------------------------------------- */

static void add_reason(const IrProgram *p, const ExplorePruned *r, Str *out)
{
    char where[512];
    if (!r->sink) {
        str_add(out, "it reaches no sink");
        return;
    }
    str_printf(out, "run %llu covers it", (unsigned long long)r->by);
    if (r->apart == IR_NONE)
        return;
    str_printf(out, " for what does not depend on %s", ir_site_text(p, r->apart, where, sizeof where));
    if (r->time > 1 || r->apart == r->site)   /* a loop, or a function called again */
        str_printf(out, " (time %u)", r->time);
}

void sinks_pruned_text(const Explore *x, Str *out)
{
    ExplorePrunedList list = explore_pruned(x);
    const IrProgram *p = explore_program(x);
    uint64_t whole = explore_count(x, EXPLORE_WHOLE);
    char where[512];
    if (list.all || !whole)                   /* what was left out before it turned to every path is not told */
        str_printf(out, "%llu alternative%s needed no run of %s own%s\n", (unsigned long long)list.all, list.all == 1 ? "" : "s",
                   list.all == 1 ? "its" : "their", list.all ? ":" : "");
    for (uint32_t i = 0; i < list.n && i < TOLD_MOST; i++) {
        const ExplorePruned *r = &list.v[i];
        str_printf(out, "  run %llu, %s: %s: ", (unsigned long long)r->run,
                   ir_site_text(p, r->site, where, sizeof where), r->condition);
        add_reason(p, r, out);
        str_add_char(out, '\n');
    }
    if (list.all > TOLD_MOST)
        str_printf(out, "  and %llu more: --format json tells all\n", (unsigned long long)(list.all - TOLD_MOST));
    if (whole)
        str_printf(out, "%llu of %llu runs were made for every path, where leaving out did not seem to pay\n",
                   (unsigned long long)whole, (unsigned long long)explore_count(x, EXPLORE_RUNS));
}

static void add_place(JsonOut *json, const IrProgram *p, uint32_t site)
{
    if (site == IR_NONE)
        return;
    json_string(json, "file", ir_text(p, p->sites.v[site].file));
    json_uint(json, "line", p->sites.v[site].line);
    json_uint(json, "column", p->sites.v[site].column);
}

void sinks_pruned_json(const Explore *x, JsonOut *json)
{
    ExplorePrunedList list = explore_pruned(x);
    const IrProgram *p = explore_program(x);
    json_array_begin(json, "pruned");
    for (uint32_t i = 0; i < list.n; i++) {
        const ExplorePruned *r = &list.v[i];
        json_object_begin(json, NULL);
        json_uint(json, "run", r->run);
        add_place(json, p, r->site);
        json_string(json, "condition", r->condition);
        json_bool(json, "reaches_sink", r->sink);
        if (r->by)
            json_uint(json, "covered_by", r->by);
        if (r->apart != IR_NONE) {
            json_object_begin(json, "apart");
            add_place(json, p, r->apart);
            json_uint(json, "time", r->time);
            json_object_end(json);
        }
        json_object_end(json);
    }
    json_array_end(json);
}
