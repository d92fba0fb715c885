/* changing.c - see changing.h. */
#include "cli/changing.h"

#include "cli/drive.h"
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

static Flow *analysis(const VmInputs *in, const IrProgram *program)
{
    uint32_t entry = in->entry ? ir_fn_find(program, in->entry) : IR_NONE;
    return flow_new(program, &(FlowOptions){.entry = entry,
                                            .lazy_inputs = in->entry != NULL,
                                            .free_globals = in->all_globals || in->globals.n});
}

/* The program before the change, begun as the other one: at a driver too, if it has handles there. */
static IrProgram *load_old(const ChangeSettings *s, const ExploringSettings *e, Arena *arena, VmInputs *in)
{
    OptionArgs named = {.plain = s->old};
    ExploringSettings before = *e;
    before.program.compdb = NULL;
    before.program.targets = (StrVec){0};
    IrProgram *old = program_load(&before.program, &named, e->entry, e->entry != NULL);
    in->entry = e->entry;
    drive_prepare(&before, &named, old, arena, in);
    return old;
}

void changing_prepare(const ChangeSettings *s, const ExploringSettings *e, const OptionArgs *args,
                      IrProgram *program, Arena *arena, ExploreOptions *out)
{
    bool change = !strcmp(out->explorer, "change");
    check(s, args, change);
    if (!change)
        return;
    VmInputs before = out->symbolic.inputs;
    IrProgram *old = load_old(s, e, arena, &before);
    Versions *v = versions_pair(old, program, 0);
    Flow *flows[] = {analysis(&before, old), analysis(&out->symbolic.inputs, program)};
    VersionsSites impact = {0};
    if (s->impact)
        versions_impact_local(v, flows[0], flows[1], &impact);
    else
        versions_impact(v, flows[0], flows[1], 0, &impact);
    if (!impact.n)
        warn("nothing that can run depends on a change: one path is enough");
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
