/* backward.c - the face: reach and prove. */
#include "backward/backward_int.h"

static void defaults(BackwardOptions *o)
{
    o->query_seconds = o->query_seconds > 0 ? o->query_seconds : 5;
    o->max_cuts = o->max_cuts ? o->max_cuts : 256;
    o->max_iterations = o->max_iterations ? o->max_iterations : 24;
    o->max_steps = o->max_steps ? o->max_steps : 200000;
    o->max_unroll = o->max_unroll ? o->max_unroll : 20000;
    o->max_recursion = o->max_recursion ? o->max_recursion : 3;
    o->max_nodes = o->max_nodes ? o->max_nodes : 20000000;
}

static bool known(const char *name) { return vm_external_is_known(name); }

Backward *backward_new(const IrProgram *program, const BackwardOptions *options)
{
    Backward *bw = mem_zalloc(sizeof *bw);
    const char *entry = options->inputs && options->inputs->entry ? options->inputs->entry : "main";
    bw->program = program;
    bw->options = *options;
    defaults(&bw->options);
    bw->entry = ir_fn_find(program, entry);
    if (bw->entry == IR_NONE || !program->fns.v[bw->entry].defined)
        die("the program has no function %s", entry);
    bw->arena = arena_new();
    bw->pool = expr_pool_new();
    bw->solver = solver_new(bw->pool, &bw->options.solver);
    bool is_main = !strcmp(entry, "main");
    bw->flow =
        flow_new(program, &(FlowOptions){.entry = is_main ? IR_NONE : bw->entry,
                                         .lazy_inputs = !is_main,
                                         .free_globals = options->inputs && (options->inputs->all_globals ||
                                                                             options->inputs->globals.n),
                                         .known = known});
    bw->m =
        expr_object_symbol(bw->pool, expr_object_scalar(bw->pool, "M", "M", 64, (ExprCType){EXPR_C_INT, 0}));
    bw->start = bw->current = IR_NONE;
    vec_push(&bw->mems, (BwMemNode){.kind = BW_MEM_START, .id = IR_NONE, .start = IR_NONE});
    return bw;
}

void backward_free(Backward *bw)
{
    if (!bw)
        return;
    bw_graph_clear(bw);
    Map *maps[] = {&bw->object_ids, &bw->instance_ids,  &bw->reg_symbols,   &bw->symbol_regs,
                   &bw->load_regs,  &bw->mem_ids,       &bw->reads,         &bw->cut_ids,
                   &bw->target_ids, &bw->target_places, &bw->target_blocks, &bw->allocas,
                   &bw->reaches,    &bw->size_objects,  &bw->dead_memo,     &bw->entry_types,
                   &bw->too_long,   &bw->summary_ids,   &bw->distances};
    for (size_t i = 0; i < COUNT_OF(maps); i++)
        map_free(maps[i]);
    vec_free(&bw->objects);
    vec_free(&bw->instances);
    vec_free(&bw->mems);
    vec_free(&bw->read_memo);
    vec_free(&bw->havocs);
    vec_free(&bw->patterns);
    vec_free(&bw->cuts);
    vec_free(&bw->segments);
    vec_free(&bw->summaries);
    vec_free(&bw->targets);
    vec_free(&bw->reasons);
    vec_free(&bw->needs);
    vec_free(&bw->distance_of);
    bitset_free(&bw->allocas_known);
    bitset_free(&bw->written);
    flow_free(bw->flow);
    solver_free(bw->solver);
    expr_pool_free(bw->pool);
    arena_free(bw->arena);
    mem_free(bw);
}

void backward_limit(Backward *bw, double seconds) { bw->options.max_seconds = seconds; }

/* ---- one question ---------------------------------------------------------------------------- */

enum {
    FIRST_PATHS = 40, /* looked at before anything is proved */
    FIRST_ITERATIONS = 4
}; /* of a fixpoint without invariants: what it does not show, they have to */

static bool proved(Backward *bw, const BitSet *which, BackwardAnswer *answer, uint32_t iterations)
{
    Expr entry;
    if (!bw_fixpoint(bw, which, &entry, answer, iterations) || !bw_unsat(bw, entry, EXPR_TRUE, EXPR_TRUE))
        return false;
    answer->status = BACKWARD_UNREACHABLE;
    return true;
}

/* Without invariants while there are none, then with them. */
static bool prove(Backward *bw, const BitSet *which, BackwardAnswer *answer)
{
    if (!bw->invariants_known && proved(bw, which, answer, FIRST_ITERATIONS))
        return true;
    bw_invariants(bw);
    return proved(bw, which, answer, bw->options.max_iterations);
}

/* So much of the time that is left until the end. */
static void slice(Backward *bw, double end, double share)
{
    double now = clock_seconds();
    bw->deadline = end > 0 ? now + (end > now ? share * (end - now) : 0) : 0;
}

/* A few paths first: most of what can be reached is near. Then a proof; then the rest. */
static void decide(Backward *bw, const BitSet *which, BackwardAnswer *answer)
{
    uint64_t steps = bw->steps;
    double end = bw->deadline;
    bool search = !(bw->options.rules_off & BACKWARD_OFF_PATHS);
    slice(bw, end, 0.25);
    bool done = search && bw_find_path(bw, which, answer, FIRST_PATHS);
    slice(bw, end, 0.5);
    done = done || prove(bw, which, answer);
    slice(bw, end, 1);
    if (!done && search)
        bw_find_path(bw, which, answer, UINT32_MAX);
    answer->steps = (uint32_t)(bw->steps - steps);
}

/* From now on there is so much time. */
static void set_time(Backward *bw, double seconds)
{
    bw->deadline = seconds > 0 ? clock_seconds() + seconds : 0;
}

/* The graph for these places, or for all checks. */
static void build(Backward *bw, const BackwardPlaces *places)
{
    bw->faults = !places;
    bw->invariants_known = false;
    map_clear(&bw->target_places);
    map_clear(&bw->target_blocks);
    for (uint32_t i = 0; places && i < places->n; i++) {
        BackwardPlace p = places->v[i];
        map_put(&bw->target_places, bw_place_key(p.fn, p.block, p.to == IR_NONE ? p.insn : 0, p.to), 1);
        map_put(&bw->target_blocks, (uint64_t)p.fn << 32 | p.block, 1);
    }
    bw_graph_clear(bw);
    bw->built = bw_graph_build(bw);
}

void bw_build_faults(Backward *bw) { build(bw, NULL); }

static void note_escapes(Backward *bw)
{
    for (uint32_t i = 0; i < bw->targets.n; i++)
        if (bw->targets.v[i].escape)
            bw_reason(bw, bw->targets.v[i].site, "%s", bw->targets.v[i].escape);
}

void backward_prepare(Backward *bw, const BackwardPlaces *places, double seconds)
{
    set_time(bw, seconds);
    build(bw, places);
    if (bw->built)
        bw_invariants(bw);
    bw->prepared = true;
}

static bool is_at(const BwTarget *t, const BackwardPlace *p)
{
    return t->fn == p->fn && t->block == p->block && t->to == p->to &&
           (p->to != IR_NONE || t->insn == p->insn);
}

/* Targets that are one of these places, and whatever may lead to one. */
static void targets_at(const Backward *bw, const BackwardPlaces *places, BitSet *which)
{
    for (uint32_t i = 0; i < bw->targets.n; i++) {
        bool found = bw->targets.v[i].escape != NULL;
        for (uint32_t k = 0; k < places->n && !found; k++)
            found = is_at(&bw->targets.v[i], &places->v[k]);
        if (found)
            bitset_add(which, i);
    }
}

/* Why there is no way may take as long again as it took to find that out, twice: what is shown shall not
 * depend on how much of a turn was left. */
static void explain(Backward *bw, double begun, BackwardAnswer *answer)
{
    double now = clock_seconds(), until = now + 2 * (now - begun);
    if (until > bw->options.explain_until)
        until = bw->options.explain_until;
    if (bw->deadline > 0 && bw->deadline < until)
        bw->deadline = until;
    bw_find_core(bw, answer);
}

BackwardAnswer backward_reach(Backward *bw, const BackwardPlaces *places)
{
    BackwardAnswer answer = {.status = BACKWARD_OPEN};
    BitSet which = {0};
    double begun = clock_seconds();
    set_time(bw, bw->options.max_seconds);
    if (!bw->prepared)
        build(bw, places);
    targets_at(bw, places, &which);
    if (bw->built)
        decide(bw, &which, &answer);
    if (answer.status == BACKWARD_UNREACHABLE && !bw->prepared) /* ways are those of the only target */
        explain(bw, begun, &answer);
    if (answer.status == BACKWARD_OPEN)
        note_escapes(bw);
    bitset_free(&which);
    return answer;
}

void backward_answer_free(BackwardAnswer *a)
{
    vec_free(&a->values);
    vec_free(&a->core);
    expr_input_free(&a->model);
}

/* Targets that are escapes; with `anywhere`: only those from which control may come to other checks. */
static void add_escapes(const Backward *bw, bool anywhere, BitSet *which)
{
    for (uint32_t i = 0; i < bw->targets.n; i++)
        if (bw->targets.v[i].escape && (bw->targets.v[i].anywhere || !anywhere))
            bitset_add(which, i);
}

static bool prove_escapes(Backward *bw)
{
    BackwardAnswer answer = {0};
    BitSet which = {0};
    add_escapes(bw, false, &which);
    bool clean = !bitset_count(&which) || prove(bw, &which, &answer);
    backward_answer_free(&answer);
    bitset_free(&which);
    return clean;
}

static BackwardStatus decide_check(Backward *bw, uint32_t target)
{
    BackwardAnswer answer = {.status = BACKWARD_OPEN};
    BitSet which = {0};
    double end = bw->deadline;
    add_escapes(bw, true, &which);
    bitset_add(&which, target);
    slice(bw, end, bw->options.confirm ? 0.5 : 1);
    if (!prove(bw, &which, &answer) && bw->options.confirm) {
        slice(bw, end, 1);
        bw_find_path(bw, &which, &answer, UINT32_MAX);
    }
    BackwardStatus status = answer.status;
    backward_answer_free(&answer);
    bitset_free(&which);
    return status;
}

bool backward_prove(Backward *bw, BackwardChecks *checks)
{
    BackwardAnswer all = {.status = BACKWARD_OPEN};
    BitSet which = {0};
    bool refuted = false;
    vec_clear(checks);
    set_time(bw, bw->options.max_seconds);
    build(bw, NULL);
    for (uint32_t i = 0; i < bw->targets.n; i++)
        bitset_add(&which, i);
    double end = bw->deadline;
    slice(bw, end, 0.4); /* all at once, then each by itself */
    bool clean = bw->built && prove(bw, &which, &all), others = true;
    for (uint32_t i = 0; i < bw->targets.n; i++) {
        const BwTarget *t = &bw->targets.v[i];
        BackwardCheck c = {t->fn,   t->block, t->insn,
                           t->site, t->fault, clean ? BACKWARD_UNREACHABLE : BACKWARD_OPEN};
        if (t->escape)
            continue;
        slice(bw, end, i + 2 < bw->targets.n ? 2.0 / (bw->targets.n - i) : 1);
        if (!clean && bw->built && !refuted && !bw_out_of_time(bw))
            c.status = decide_check(bw, i);
        refuted |= c.status == BACKWARD_REACHABLE;
        others &= c.status == BACKWARD_UNREACHABLE;
        vec_push(checks, c);
    }
    slice(bw, end, 1);
    clean = clean || (bw->built && others && prove_escapes(bw));
    if (!clean)
        note_escapes(bw);
    bitset_free(&which);
    backward_answer_free(&all);
    return clean;
}

uint32_t backward_reasons(const Backward *bw) { return bw->reasons.n; }

const char *backward_reason(const Backward *bw, uint32_t i, uint32_t *site)
{
    *site = bw->reasons.v[i].site;
    return bw->reasons.v[i].text;
}

ExprPool *backward_pool(Backward *bw) { return bw->pool; }
uint64_t backward_queries(const Backward *bw) { return bw->queries; }
