/* seeking.c - the machine for the search on real values (backward/near.c, backward/search.c). */
#include "cli/seeking.h"
#include "cli/attempt.h"

enum {
    STEPS_MOST = 4000000, /* instructions of one run */
    WORDS_MOST = 256
}; /* of an input that are moved */

typedef struct Seeking {
    Reaching *r;
    Backward *bw;
    Explore *machine;
    BackwardGauge *gauge;
    uint32_t target;
    double until;
    const ExprInput *input; /* of the run under way */
    BackwardWords words;    /* of the last */
} Seeking;

/* Concrete, so that runs are fast; behind an entry's pointers objects are made where expressions lead to
 * them. */
static Explore *machine_of(Reaching *r)
{
    if (!r->seeker) {
        ExploreOptions *options = arena_alloc(r->arena, sizeof *options);
        *options = r->options;
        options->explorer = "full";
        options->on_run = NULL;
        options->selects = true;
        options->symbolic.concrete = !options->symbolic.inputs.entry;
        r->seeker = explore_new(r->program, r->environment, options);
        vm_step_limit(explore_vm(r->seeker), STEPS_MOST);
    }
    return r->seeker;
}

static void observe(void *context, Vm *vm, VmBlock at)
{
    Seeking *s = context;
    backward_gauge_tell(s->gauge, &(BackwardSight){vm, explore_pool(s->machine), s->input}, at);
}

/* Elements as the program has them; texts byte by byte. */
static void note_words(Seeking *s, const VmTrace *trace)
{
    vec_clear(&s->words);
    for (uint32_t i = 0; i < trace->inputs.n; i++) {
        const ExprObjectInfo *info = expr_object_info(explore_pool(s->machine), trace->inputs.v[i].object);
        uint32_t element = info->type.element ? info->type.element : info->size <= 8 ? info->size : 1;
        for (uint32_t k = 0; k + element <= info->size && s->words.n < WORDS_MOST; k += element)
            vec_push(&s->words, (BackwardWord){info->at + k, element});
    }
}

static bool run(void *context, const ExprInput *input, BackwardNear *near)
{
    Seeking *s = context;
    Reaching *r = s->r;
    if (clock_seconds() >= s->until || (r->options.stop && *r->options.stop))
        return false;
    s->input = input;
    backward_gauge_begin(s->gauge);
    VmTrace *trace = vm_run_input(explore_vm(s->machine), input, NULL);
    *near = backward_gauge_end(s->gauge);
    note_words(s, trace);
    r->runs++;
    r->reached.v[s->target].runs++;
    reach_take_run(r, explore_vm(s->machine), explore_pool(s->machine), trace, input, "search");
    near->reached = r->reached.v[s->target].status == REACH_REACHED;
    vm_trace_free(explore_vm(s->machine), trace);
    return true;
}

static void words(void *context, BackwardWords *out)
{
    const Seeking *s = context;
    vec_clear(out);
    for (uint32_t i = 0; i < s->words.n; i++)
        vec_push(out, s->words.v[i]);
}

/* Another input to begin with: small numbers, bytes of any kind, letters. */
static void scatter(const Seeking *s, Rng *rng, ExprInput *input)
{
    for (uint32_t i = 0; i < s->words.n; i++) {
        uint32_t kind = rng_below(rng, 3);
        uint8_t least = kind == 2 ? ' ' : 0;
        for (uint32_t k = 0; k < s->words.v[i].bytes; k++)
            expr_input_set_byte(input, s->words.v[i].at + k,
                                kind == 0 && k ? 0
                                               : (uint8_t)(least + rng_below(rng, kind == 0   ? 100
                                                                                  : kind == 1 ? 256
                                                                                              : 95)));
    }
}

static void note_nearest(Reached *result, const BackwardNear *near, bool model)
{
    if (!result->sought || backward_is_nearer(near, &result->nearest))
        result->nearest = *near;
    result->sought = true;
    if (model && near->lost != IR_NONE) {
        result->lost = near->lost;
        result->held = near->held;
    }
}

bool seek(Reaching *r, Backward *bw, uint32_t target, const BackwardAnswer *from, double until, uint32_t runs)
{
    Reached *result = &r->reached.v[target];
    ExprInput input = {0};
    BackwardNear near = {0};
    Rng rng;
    Seeking s = {.r = r,
                 .bw = bw,
                 .target = target,
                 .until = until,
                 .machine = machine_of(r),
                 .gauge = backward_gauge_new(bw, &r->targets.v[target].places),
                 .input = &input};
    const VmBlocks *blocks = backward_gauge_blocks(s.gauge);
    BackwardClimb climb = {run, words, &s, runs};
    rng_seed(&rng, target);
    vm_deadline(explore_vm(s.machine), until);
    backward_gauge_begin(s.gauge);
    vm_observe(explore_vm(s.machine), blocks->v, blocks->n, observe, &s);
    if (from)
        vm_trace_free(explore_vm(s.machine), attempt_run(s.machine, bw, from, &input, until));
    for (bool first = true; climb.most && clock_seconds() < until && result->status == REACH_OPEN;
         first = false) {
        if (!first)
            scatter(&s, &rng, &input);
        uint32_t n = backward_climb(&climb, &input, &near);
        climb.most = n && n < climb.most && s.words.n && !from ? climb.most - n : 0;
        if (n)
            note_nearest(result, &near, from != NULL);
    }
    vm_observe(explore_vm(s.machine), NULL, 0, NULL, NULL);
    backward_gauge_free(s.gauge);
    vec_free(&s.words);
    expr_input_free(&input);
    return result->status == REACH_REACHED;
}

void seek_reasons(Reaching *r, Reached *result)
{
    char where[512];
    if (result->sought && result->nearest.site != IR_NONE)
        reach_reason_add(
            &result->reasons, r->arena,
            arena_printf(r->arena,
                         "of %llu runs the nearest turned away here, %Lg off, %u block%s from the target",
                         (unsigned long long)result->runs, result->nearest.turn, result->nearest.level + 1,
                         result->nearest.level ? "s" : ""),
            result->nearest.site);
    if (result->lost != IR_NONE && result->sought)
        reach_reason_add(&result->reasons, r->arena,
                         arena_printf(r->arena,
                                      "the run of an input that should get there is lost at this loop: what "
                                      "is not modelled exactly lies between it and %s",
                                      result->held == IR_NONE
                                          ? "the entry"
                                          : ir_site_text(r->program, result->held, where, sizeof where)),
                         result->lost);
}
