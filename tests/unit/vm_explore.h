/* vm_explore.h - for tests of symbolic runs: explores a program given as IR text and keeps what each path
 * was. */
#ifndef SHEAF_TEST_VM_EXPLORE_H
#define SHEAF_TEST_VM_EXPLORE_H

#include "explore/explore_test.h"
#include "vm_text.h"

typedef struct PathSeen {
    ExprVec conditions;
    VmEnding ending;
    VmFaultKind fault;
    int status;
    Expr status_expr;
    uint64_t hash; /* of decisions, alternatives, inputs and outcome */
    uint32_t decisions, alternatives;
    bool resumed;
    char message[256];
} PathSeen;

typedef struct Exploration {
    Arena *arena;
    IrProgram *program;
    VmEnvironment environment;
    ExploreOptions options;
    Explore *explore;
    Vec(PathSeen) paths;
    Vec(VmDecisionKind) kinds; /* of all decisions with alternatives */
    Str output;                /* of all runs */
} Exploration;

static inline void exploration_run(void *context, const ExploreRun *run)
{
    Exploration *x = context;
    const VmTrace *t = run->trace;
    PathSeen path = {.ending = t->result.ending,
                     .fault = t->result.fault,
                     .status = t->result.status,
                     .status_expr = t->status,
                     .decisions = t->decisions.n,
                     .alternatives = t->alternatives.n,
                     .resumed = t->resumed};
    uint64_t h = hash_mix(t->result.ending, (uint64_t)(uint32_t)t->result.status);
    h = hash_mix(hash_mix(h, t->result.ending == VM_END_FAULT ? t->result.fault : 0), t->result.steps);
    for (uint32_t i = 0; i < t->decisions.n; i++) {
        const VmDecision *d = &t->decisions.v[i];
        vec_push(&path.conditions, d->holds);
        h = hash_mix(hash_mix(hash_mix(h, d->index), d->holds.id), (uint64_t)d->kind << 32 | d->count);
        for (uint32_t k = 0; k < d->count; k++)
            h = hash_mix(h, t->alternatives.v[d->first + k].condition.id);
        if (d->count)
            vec_push(&x->kinds, d->kind);
    }
    for (uint32_t i = 0; i < t->inputs.n; i++)
        h = hash_mix(h, t->inputs.v[i].object.id);
    Str out = {0};
    vm_output_text(explore_vm(run->explore), 1, &out);
    path.hash = hash_mix(h, hash_bytes(str_text(&out), out.n));
    str_add_n(&x->output, str_text(&out), out.n);
    str_free(&out);
    snprintf(path.message, sizeof path.message, "%s", t->result.message);
    vec_push(&x->paths, path);
}

static inline ExploreOptions exploration_options(void)
{
    ExploreOptions o = {.vm = {.external = VM_EXTERNAL_PURE, .max_steps = 1000000}, .max_runs = 5000};
    o.symbolic = (VmSymbolicOptions){
        .size_candidates = 32, .pointer_candidates = 8, .snapshot_bytes = 64 << 20, .verify = true};
    o.symbolic.inputs.pointer_objects = 4;
    o.symbolic.inputs.object_size = 4;
    o.symbolic.inputs.fuzz_size = 4;
    return o;
}

static inline Exploration *exploration_of(const char *text, ExploreOptions options)
{
    Exploration *x = mem_zalloc(sizeof *x);
    x->arena = arena_new();
    x->program = text_parse(x->arena, text);
    x->environment = text_environment();
    x->options = options;
    x->options.on_run = exploration_run;
    x->options.context = x;
    x->explore = explore_new_test(x->program, &x->environment, &x->options, &(ExploreTest){.weighs = true});
    explore_all(x->explore);
    return x;
}

static inline void exploration_end(Exploration *x)
{
    for (uint32_t i = 0; i < x->paths.n; i++)
        vec_free(&x->paths.v[i].conditions);
    vec_free(&x->paths);
    vec_free(&x->kinds);
    str_free(&x->output);
    explore_free(x->explore);
    ir_program_free(x->program);
    arena_free(x->arena);
    mem_free(x);
}

static inline uint32_t exploration_endings(const Exploration *x, VmEnding ending)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->paths.n; i++)
        n += x->paths.v[i].ending == ending;
    return n;
}

static inline uint32_t exploration_faults(const Exploration *x, VmFaultKind kind)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->paths.n; i++)
        n += x->paths.v[i].ending == VM_END_FAULT && x->paths.v[i].fault == kind;
    return n;
}

/* The one path that an input belongs to. */
static inline const PathSeen *exploration_path(Exploration *x, const ExprInput *input)
{
    const PathSeen *found = NULL;
    ExprEval *eval = expr_eval_new(explore_pool(x->explore));
    expr_eval_input(eval, input);
    for (uint32_t i = 0; i < x->paths.n; i++) {
        const PathSeen *p = &x->paths.v[i];
        bool all = true;
        for (uint32_t k = 0; k < p->conditions.n && all; k++)
            all = expr_eval_true(eval, p->conditions.v[k]);
        if (!all)
            continue;
        if (found)
            fail_msg("an input belongs to two paths");
        found = p;
    }
    expr_eval_free(eval);
    if (!found)
        fail_msg("an input belongs to no path");
    return found;
}

#endif
