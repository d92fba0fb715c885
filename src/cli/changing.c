/* changing.c - see changing.h. */
#include "cli/changing.h"

#include "versions/versions.h"

const char *const change_impact_words[] = {"all", "local", NULL};
const char *const change_prune_words[] = {"complete", "published", "none", NULL}; /* as ExplorePrune */
const char *const change_order_words[] = {"default", "greedy", "random", NULL};   /* as ExploreOrder */

static void check(const ChangeSettings *s, const OptionArgs *args, bool change)
{
    static const char *const names[] = {"old", "impact", "prune", "order"};
    for (size_t i = 0; i < COUNT_OF(names) && !change; i++)
        if (options_given(args, names[i]))
            die("--%s is for --explore change", names[i]);
    if (change && !s->old.n)
        die("--explore change compares with another version: --old FILE names it");
}

static Flow *analysis(const ExploringSettings *e, const ExploreOptions *o, const IrProgram *program)
{
    uint32_t entry = e->entry ? ir_fn_find(program, e->entry) : IR_NONE;
    return flow_new(program, &(FlowOptions){.entry = entry,
                                            .lazy_inputs = e->entry != NULL,
                                            .free_globals = o->symbolic.inputs.all_globals ||
                                                            o->symbolic.inputs.globals.n});
}

void changing_prepare(const ChangeSettings *s, const ExploringSettings *e, const OptionArgs *args,
                      IrProgram *program, Arena *arena, ExploreOptions *out)
{
    bool change = !strcmp(out->explorer, "change");
    check(s, args, change);
    if (!change)
        return;
    OptionArgs named = {.plain = s->old};
    ProgramSettings settings = e->program;
    settings.compdb = NULL;
    settings.targets = (StrVec){0};
    IrProgram *old = program_load(&settings, &named, e->entry, e->entry != NULL);
    Versions *v = versions_pair(old, program, 0);
    Flow *flows[] = {analysis(e, out, old), analysis(e, out, program)};
    VersionsSites impact = {0};
    if (s->impact)
        versions_impact_local(v, flows[0], flows[1], &impact);
    else
        versions_impact(v, flows[0], flows[1], 0, &impact);
    FlowSite *sites = arena_alloc(arena, (impact.n + 1) * sizeof *sites);
    if (impact.n)
        memcpy(sites, impact.v, impact.n * sizeof *sites);
    out->impact = sites;
    out->nimpact = impact.n;
    out->prune = (ExplorePrune)s->prune;
    out->order = (ExploreOrder)s->order;
    vec_free(&impact);
    flow_free(flows[0]);
    flow_free(flows[1]);
    versions_free(v);
    ir_program_free(old);
}
