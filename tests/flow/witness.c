/* witness.c - every event of concrete runs lies in its static over-approximation.
 *
 * usage: witness FILE.ir [--runs N] [--seed S] [--steps N] [--programs N] [--budget N]
 *        witness --generate SEED COUNT          the C text of random programs (tests/oracle), to be compiled
 * first witness --measure FILE.ir              time and memory of the analyses, for bench/flow.py
 *
 * --budget: of the points-to solver, so that its coarser answers are held to the same rules.
 * --programs: the program is such a text; each of its N programs runs, by its number as first argument.
 * FILE.ir is what `sheaf dump --runtime` prints. Each run has random inputs. Held against the static
 * analysis: the object behind every address and every stored pointer; every byte read or written, by the
 * instruction, by every call under way and by the side of every branch whose post-dominator is still to come;
 * objects made and freed; targets of calls; post-dominators, dead-end blocks and early exits. A failure names
 * the place, the object and the rule. Exit status 1. */
#include "../oracle/generate.h"
#include "flow/places.h"
#include "flow/flow_int.h"
#include "run.h"

#include <stdlib.h>
#include <sys/resource.h>

enum { POLICIES = 3, MOST_FAILURES = 20 };
static const unsigned policies[POLICIES] = {0, FLOW_TIE_EXITS, FLOW_TIE_EXITS | FLOW_TIE_FAULTS};

/* A branch of a frame whose post-dominator has not been reached. */
typedef struct Pending {
    uint32_t block, side;
    uint32_t objects;
} Pending; /* that there were when it was decided last */
typedef struct Mine {
    Vec(Pending) pending[POLICIES];
    bool dead_end[POLICIES];
} Mine;

typedef struct Witness {
    const char *file;
    Flow *flow;
    Map told; /* failures, once each */
    uint64_t failures, events;
} Witness;

static FlowSite site_of(const RunFrame *f) { return (FlowSite){f->fn, f->block, f->insn}; }

static void fail(Witness *w, const Run *r, const RunFrame *f, const char *rule, uint32_t object)
{
    char where[256] = "?", what[256] = "";
    const IrFn *fn = &r->program->fns.v[f->fn];
    uint64_t key = hash_mix(hash_mix(hash_mix(f->fn, f->block), f->insn), hash_bytes(rule, strlen(rule)));
    if (map_get(&w->told, key, NULL))
        return;
    map_put(&w->told, key, 1);
    if (f->insn < fn->blocks.v[f->block].insns.n)
        ir_site_text(r->program, fn->blocks.v[f->block].insns.v[f->insn].site, where, sizeof where);
    if (object != IR_NONE)
        flow_object_text(w->flow, object, what, sizeof what);
    if (w->failures++ < MOST_FAILURES)
        printf("%s: %s, block %u, insn %u (%s): %s: %s\n", w->file, ir_text(r->program, fn->name), f->block,
               f->insn, where, rule, what);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static bool has(FlowList list, uint32_t x)
{
    for (uint32_t i = 0; i < list.n; i++)
        if (list.v[i] == x || list.v[i] == FLOW_OBJECT_ANY)
            return true;
    return false;
}

static bool within(const FlowPlace *p, uint64_t base, uint64_t offset, uint64_t n)
{
    return p->size == FLOW_WHOLE || (offset >= base + p->first && offset + n <= base + p->first + p->size);
}

static bool covered(const Run *r, const RunFrame *f, FlowPlaces places, uint32_t object, uint64_t offset,
                    uint64_t n)
{
    for (uint32_t i = 0; i < places.n; i++) {
        const FlowPlace *p = &places.v[i];
        if (p->param != IR_NONE) {
            uint64_t word = (uint64_t)f->regs[p->param];
            if (run_find(r, word) == object && within(p, word - r->objects.v[object].base, offset, n))
                return true;
        } else if (p->object == FLOW_OBJECT_ANY ||
                   (p->object == r->objects.v[object].object && within(p, 0, offset, n)))
            return true;
    }
    return false;
}

/* The same of what a branch knows by address. */
static bool known(const Run *r, const RunFrame *f, const FlowBranch *b, uint32_t object, uint64_t offset,
                  uint64_t n)
{
    for (uint32_t i = 0; i < b->nknown; i++) {
        const FlowKnown *k = &b->known[i];
        uint64_t address = (uint64_t)f->regs[k->reg] + (k->size == FLOW_WHOLE ? 0 : k->offset);
        uint64_t first = address - r->objects.v[object].base;
        if (k->size && run_find(r, address) == object &&
            (k->size == FLOW_WHOLE || (offset >= first && offset + n <= first + k->size)))
            return true;
    }
    return false;
}

static bool state_covered(const Run *r, FlowPlaces places, uint32_t object)
{
    for (uint32_t i = 0; i < places.n; i++)
        if (places.v[i].param == IR_NONE &&
            (places.v[i].object == flow_state_of(r->objects.v[object].object) ||
             places.v[i].object == flow_state_of(FLOW_OBJECT_ANY)))
            return true;
    return false;
}

/* An object of a frame further in is not the outer call's affair. */
static bool concerns(const RunFrame *f, const RunObject *o) { return o->frame <= f->number; }

/* What is written where the function can only exit or fail is seen by no code after a call of it. */
static bool comes_back(Witness *w, const RunFrame *f)
{
    return !(flow_control(w->flow, f->fn, 0)->flags[f->block] & FLOW_DEAD_END);
}

static void check_sides(Witness *w, Run *r, const RunFrame *f, uint32_t object, uint64_t offset, uint64_t n)
{
    const Mine *mine = f->mine;
    for (int k = 0; k < POLICIES - 1; k++)
        for (uint32_t i = 0; i < mine->pending[k].n && !mine->dead_end[k]; i++) {
            const Pending *p = &mine->pending[k].v[i];
            const FlowBranch *b = flow_branch_writes(w->flow, f->fn, p->block, policies[k]);
            if (object < p->objects && !covered(r, f, b->places, object, offset, n) &&
                !known(r, f, b, object, offset, n))
                fail(w, r, f, "write not among those of a branch under way", r->objects.v[object].object);
        }
}

static void on_access(void *context, Run *r, uint32_t reg, uint32_t object, uint64_t offset, uint64_t n,
                      bool write)
{
    Witness *w = context;
    const RunFrame *inner = &vec_last(&r->frames);
    const RunObject *o = &r->objects.v[object];
    w->events++;
    if (reg != IR_NONE && !has(flow_points_to(w->flow, inner->fn, reg), o->object))
        fail(w, r, inner, "address points to an object that is not in its set", o->object);
    for (uint32_t i = r->frames.n; i-- > 0;) {
        const RunFrame *f = &r->frames.v[i];
        if (write && f != inner && !comes_back(w, f + 1))
            break;
        if (!concerns(f, o) || (o->constant && !write)) /* what never changes need not be read by anybody */
            continue;
        FlowPlaces places =
            write ? flow_insn_writes(w->flow, site_of(f)) : flow_insn_reads(w->flow, site_of(f));
        if (!covered(r, f, places, object, offset, n))
            fail(w, r, f,
                 write ? f == inner ? "write not among the instruction's" : "write not among the call's"
                 : f == inner ? "read not among the instruction's"
                              : "read not among the call's",
                 o->object);
        if (write)
            check_sides(w, r, f, object, offset, n);
    }
}

static void on_state(void *context, Run *r, uint32_t object)
{
    Witness *w = context;
    w->events++;
    for (uint32_t i = r->frames.n; i-- > 0 && (i + 1 == r->frames.n || comes_back(w, &r->frames.v[i + 1]));) {
        const RunFrame *f = &r->frames.v[i];
        if (concerns(f, &r->objects.v[object]) &&
            !state_covered(r, flow_insn_writes(w->flow, site_of(f)), object))
            fail(w, r, f, "state change not among the writes", r->objects.v[object].object);
    }
}

static void on_value(void *context, Run *r, uint32_t reg, uint32_t object)
{
    Witness *w = context;
    const RunFrame *f = &vec_last(&r->frames);
    w->events++;
    if (!has(flow_points_to(w->flow, f->fn, reg), r->objects.v[object].object))
        fail(w, r, f, "stored pointer to an object that is not in its set", r->objects.v[object].object);
}

static void on_call(void *context, Run *r, uint32_t callee)
{
    Witness *w = context;
    const RunFrame *f = &vec_last(&r->frames);
    FlowList callees = flow_callees(w->flow, site_of(f));
    FlowSites callers = flow_callers(w->flow, callee);
    bool to = false, from = false;
    w->events++;
    for (uint32_t i = 0; i < callees.n; i++)
        to |= callees.v[i] == callee;
    for (uint32_t i = 0; i < callers.n; i++)
        from |= callers.v[i].fn == f->fn && callers.v[i].block == f->block && callers.v[i].insn == f->insn;
    if (!to || !from)
        fail(w, r, f, to ? "call not among the callers" : "callee not in its set",
             flow_object_of_fn(w->flow, callee));
}

/* ---- control --------------------------------------------------------------------------------- */

static void on_enter(void *context, Run *r)
{
    (void)context;
    vec_last(&r->frames).mine = mem_zalloc(sizeof(Mine));
}

static void on_block(void *context, Run *r)
{
    Witness *w = context;
    const RunFrame *f = &vec_last(&r->frames);
    Mine *mine = f->mine;
    for (int k = 0; k < POLICIES; k++) {
        const FlowControl *c = flow_control(w->flow, f->fn, policies[k]);
        uint32_t n = 0;
        for (uint32_t i = 0; i < mine->pending[k].n; i++)
            if (c->ipdom[mine->pending[k].v[i].block] != f->block)
                mine->pending[k].v[n++] = mine->pending[k].v[i];
        mine->pending[k].n = n;
        mine->dead_end[k] |= c->flags[f->block] & FLOW_DEAD_END;
        if (c->flags[f->block] & FLOW_UNREACHABLE)
            fail(w, r, f, "runs, but is said to be unreachable", IR_NONE);
    }
}

static void on_branch(void *context, Run *r, uint32_t side)
{
    Witness *w = context;
    const RunFrame *f = &vec_last(&r->frames);
    Mine *mine = f->mine;
    w->events++;
    for (int k = 0; k < POLICIES; k++) {
        bool known = flow_control(w->flow, f->fn, policies[k])->ipdom[f->block] == IR_NONE;
        for (uint32_t i = 0; i < mine->pending[k].n; i++) {
            Pending *p = &mine->pending[k].v[i];
            known |= p->block == f->block && p->side == side;
            p->objects = p->block == f->block ? r->objects.n : p->objects;
        }
        if (!known)
            vec_push(&mine->pending[k], (Pending){f->block, side, r->objects.n});
    }
}

/* The frame is left without reaching what is still pending: right only if that is the exit, for a reason that
 * is known. */
static void check_left(Witness *w, Run *r, const RunFrame *f, int k, bool early)
{
    const Mine *mine = f->mine;
    const FlowControl *c = flow_control(w->flow, f->fn, policies[k]);
    for (uint32_t i = 0; i < mine->pending[k].n; i++) {
        uint32_t block = mine->pending[k].v[i].block;
        RunFrame at = *f;
        at.block = block;
        at.insn = r->program->fns.v[f->fn].blocks.v[block].insns.n - 1;
        if (c->ipdom[block] != FLOW_EXIT)
            fail(w, r, &at, "left without passing the post-dominator", IR_NONE);
        else if (early && !(c->flags[block] & FLOW_EARLY))
            fail(w, r, &at, "left early, but is said not to be", IR_NONE);
    }
    if (mine->dead_end[k])
        fail(w, r, f, "left in order through a block that is said to be a dead end", IR_NONE);
}

static void on_leave(void *context, Run *r, bool jumped)
{
    const RunFrame *f = &vec_last(&r->frames);
    Mine *mine = f->mine;
    for (int k = 0; k < POLICIES; k++) {
        check_left(context, r, f, k, jumped);
        vec_free(&mine->pending[k]);
    }
    mem_free(mine);
}

static void on_end(void *context, Run *r, RunEnd how)
{
    for (uint32_t i = r->frames.n; i-- > 0;) {
        const RunFrame *f = &r->frames.v[i];
        Mine *mine = f->mine;
        for (int k = 0; k < POLICIES; k++) {
            if ((how == RUN_EXIT && policies[k] & FLOW_TIE_EXITS) ||
                (how == RUN_FAULT && policies[k] & FLOW_TIE_FAULTS))
                check_left(context, r, f, k, true);
            vec_free(&mine->pending[k]);
        }
        mem_free(mine);
    }
}

/* ---- the command ----------------------------------------------------------------------------- */

static int generate(const char *seed, const char *count)
{
    Str text = {0};
    generate_batch(&(GenerateOptions){.seed = strtoull(seed, NULL, 10), .count = (uint32_t)atoi(count)},
                   &text);
    fputs(str_text(&text), stdout);
    str_free(&text);
    return 0;
}

static void run_once(Witness *w, const IrProgram *p, int argc, const char *const *argv, uint64_t seed,
                     uint64_t steps)
{
    Run r = {.program = p, .flow = w->flow, .max_steps = steps};
    r.observer = (RunObserver){.context = w,
                               .enter = on_enter,
                               .leave = on_leave,
                               .block = on_block,
                               .branch = on_branch,
                               .call = on_call,
                               .access = on_access,
                               .state = on_state,
                               .value = on_value,
                               .end = on_end};
    run_program(&r, argc, argv, seed);
}

static IrProgram *load(const char *file, Arena *a)
{
    Str text = {0};
    const char *error = "";
    if (!file_read(file, (size_t)1 << 30, &text))
        die("cannot read %s", file);
    IrProgram *p = ir_program_parse(text.v, text.n, a, &error);
    if (!p || !ir_program_verify(p, a, &error))
        die("%s: %s", file, error);
    ir_program_index(p);
    str_free(&text);
    return p;
}

typedef struct Cost {
    double seconds;
    long mega;
} Cost; /* of this process so far: processor time, most memory */

static Cost cost_now(void)
{
    struct rusage now;
    getrusage(RUSAGE_SELF, &now);
    return (Cost){(double)(now.ru_utime.tv_sec + now.ru_stime.tv_sec) +
                      (double)(now.ru_utime.tv_usec + now.ru_stime.tv_usec) / 1e6,
                  now.ru_maxrss / 1024};
}

/* One line: instructions; processor seconds and megabytes for points-to, for control and summaries of all
 * functions, for the graph of dependences; counters. */
static int measure(const char *file, uint64_t budget)
{
    Arena *a = arena_new();
    IrProgram *p = load(file, a);
    FlowOptions options = {.max_steps = budget, .entry = IR_NONE};
    uint64_t n = 0;
    Cost at[4] = {cost_now()};
    Flow *flow = flow_new(p, &options);
    flow_object_count(flow);
    at[1] = cost_now();
    for (uint32_t f = 0; f < p->fns.n; f++) {
        for (uint32_t b = 0; b < p->fns.v[f].blocks.n; b++)
            n += p->fns.v[f].blocks.v[b].insns.n;
        flow_control(flow, f, FLOW_TIE_EXITS);
        summary(flow, f, true);
    }
    at[2] = cost_now();
    FlowSlices *slices = flow_slices_new(flow, NULL);
    at[3] = cost_now();
    const FlowStats *s = flow_stats(flow);
    printf("%llu", (unsigned long long)n);
    for (int i = 1; i < 4; i++)
        printf(" %.3f %ld", at[i].seconds - at[i - 1].seconds, at[i].mega - at[i - 1].mega);
    printf(" %llu %llu %llu %llu\n", (unsigned long long)s->steps, (unsigned long long)s->objects,
           (unsigned long long)s->unified, (unsigned long long)flow_slices_cut(slices));
    flow_slices_free(slices);
    flow_free(flow);
    ir_program_free(p);
    arena_free(a);
    return 0;
}

int main(int argc, char **argv)
{
    uint64_t runs = 3, seed = 1, steps = 100000, programs = 0, budget = 0;
    if (argc == 4 && !strcmp(argv[1], "--generate"))
        return generate(argv[2], argv[3]);
    if (argc >= 3 && !strcmp(argv[1], "--measure"))
        return measure(argv[2], argc > 3 ? strtoull(argv[3], NULL, 10) : 0);
    for (int i = 2; i + 1 < argc; i += 2) {
        uint64_t value = strtoull(argv[i + 1], NULL, 10);
        if (!strcmp(argv[i], "--runs"))
            runs = value;
        else if (!strcmp(argv[i], "--seed"))
            seed = value;
        else if (!strcmp(argv[i], "--steps"))
            steps = value;
        else if (!strcmp(argv[i], "--programs"))
            programs = value;
        else if (!strcmp(argv[i], "--budget"))
            budget = value;
        else
            die("unknown option %s", argv[i]);
    }
    if (argc < 2)
        die("which program?");
    Arena *a = arena_new();
    IrProgram *p = load(argv[1], a);
    FlowOptions options = {.max_steps = budget, .entry = IR_NONE};
    Witness w = {.file = argv[1], .flow = flow_new(p, &options)};
    for (uint64_t k = 0; k < (programs ? programs : 1); k++) {
        char number[24];
        const char *words[] = {"program", number};
        snprintf(number, sizeof number, "%llu", (unsigned long long)k);
        for (uint64_t i = 0; i < runs; i++)
            run_once(&w, p, programs ? 2 : 1, words, seed + i, steps);
    }
    printf("%s: %llu events, %llu failures\n", argv[1], (unsigned long long)w.events,
           (unsigned long long)w.failures);
    map_free(&w.told);
    flow_free(w.flow);
    ir_program_free(p);
    arena_free(a);
    return w.failures != 0;
}
