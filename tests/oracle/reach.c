/* reach.c - what `backward` says of lines and of whole programs, against brute force, on random programs.
 *
 * usage: reach --clang CLANG --runtime FILE [--programs N] [--seed S] [--milliseconds N] [--off RULES]
 * [--least PERCENT] [--proofs]
 *              [--cuts] [--watched N] [--show] [--expect-failures]
 *
 * Every program is run natively and on the machine, on all its inputs. Then each of its places is asked for:
 * the head of each basic block (a run of the machine tells whether it is reached) and each HERE of a
 * statement (native runs tell). Checked:
 *   - UNREACHABLE is never said of a place that some input reaches, although no input is searched for before;
 *   - a model that is proposed comes as values of the program's inputs; if the machine's run of it does not
 * reach the place, the search goes on, and the answer is never REACHABLE without a run that does;
 *   - "no run can fail" is never said of a program of which some input fails, natively or on the machine;
 *   - a check that is said never to fail does not fail;
 *   - with --least: of the places that no input reaches so many percent are proved;
 *   - with --cuts, and nothing of the above: in every run, on all inputs, wherever it comes to a cut point:
 * invariants and constants hold, and if the rest of the run reaches the place that was asked for, the
 * condition of the cut point holds.
 * --off leaves rules out, to see that all this can fail. A failure names the seed of its program, which
 * repeats it by itself with --programs 1. */
#include "arguments.h"
#include "backward/backward.h"
#include "backward/backward_int.h"
#include "corpus.h"

#include <stdlib.h>

enum { BATCH = 10 };

/* A place that is asked for. */
typedef struct Place {
    BackwardPlace at;
    uint32_t here; /* the statement, if it is a HERE; 0: the head of a block */
    bool reached;
} Place;

typedef struct Failing {
    uint32_t site;
    VmFaultKind fault;
} Failing;

/* A question whose conditions are held against runs. */
typedef struct Watch {
    Backward *bw;
    const Place *place;
    BackwardTrack track;
    uint32_t passed; /* cut points */
    bool failed;     /* the condition did not hold at a cut point that this run has passed */
    uint32_t open;   /* cut points passed at which it held, the place not met since */
} Watch;

typedef struct Check {
    const char *clang, *runtime;
    uint64_t programs, seed, milliseconds, least, only, watched;
    unsigned off;
    bool show, proofs_only, expect_failures, cuts;
    /* of one program */
    const Corpus *corpus;
    const IrProgram *program;
    VmEnvironment environment;
    VmInputs inputs;
    uint32_t number;
    Vec(Place) places;
    Vec(Failing) failing; /* runs of the machine that failed */
    bool fails;           /* some input does */
    Vec(Watch) watches;
    const Place *asked; /* under way; NULL: can it fail? */
    const char *wrong;
    /* of all */
    uint64_t judged, unjudged, vain,
        lost; /* conditions at cut points; those that held in vain; runs that could not be followed */
    uint64_t failures, reached, found, unreached, proved, models, refuted, clean, shown, checks, checks_held,
        checks_proved;
} Check;

static void complain(Check *c, const char *wrong)
{
    printf("  %s\n", wrong);
    c->wrong = wrong;
}

/* ---- the machine ----------------------------------------------------------------------------- */

/* The k-th input: bytes of standard input, of `in`, and of what the program asks for one by one, in this
 * order. */
static void set_input(uint32_t k, ExprInput *input)
{
    uint8_t bytes[GENERATE_INPUTS];
    generate_input(k, bytes);
    for (uint32_t i = 0; i < 3 * GENERATE_INPUTS; i++)
        expr_input_set_byte(input, i, bytes[i % GENERATE_INPUTS]);
}

typedef struct Machine {
    ExprPool *pool;
    Ledger *ledger;
    Vm *vm;
} Machine;

static Machine machine_new(const Check *c)
{
    Machine m = {expr_pool_new(), ledger_new(),
                 vm_new(c->program, &(VmOptions){.max_steps = 300000, .max_frames = CORPUS_FRAMES})};
    VmSymbolicOptions symbolic = {
        .inputs = c->inputs, .size_candidates = 8, .pointer_candidates = CORPUS_POINTERS};
    expr_object(m.pool, "stdin", "stdin", GENERATE_INPUTS, (ExprCType){EXPR_C_CHAR, 1});
    vm_symbolic(m.vm, m.pool, m.ledger, &c->environment, &symbolic);
    return m;
}

static void machine_free(Machine *m)
{
    vm_free(m->vm);
    ledger_free(m->ledger);
    expr_pool_free(m->pool);
}

static VmTrace *machine_run(Machine *m, uint32_t k)
{
    ExprInput input = {0};
    set_input(k, &input);
    VmTrace *t = vm_run_input(m->vm, &input, NULL);
    expr_input_free(&input);
    return t;
}

/* ---- the truth ------------------------------------------------------------------------------- */

static bool told_here(const CorpusOutcome *native, uint32_t statement)
{
    for (uint32_t i = 0; i + 1 < native->nreported; i += 2)
        if (native->reported[i] == statement && native->reported[i + 1] == '.')
            return true;
    return false;
}

static bool is_reached(const Check *c, const Place *p, const Machine *m, uint32_t k)
{
    if (p->here)
        return told_here(corpus_native(c->corpus, c->number, k), p->here);
    return vm_block_covered(m->vm, p->at.fn, p->at.block);
}

static void add_places(Check *c, uint32_t fn)
{
    const IrFn *f = &c->program->fns.v[fn];
    uint32_t here = ir_fn_find(c->program, "here");
    for (uint32_t b = 0; b < f->blocks.n; b++) {
        uint32_t head = 0;
        while (f->blocks.v[b].insns.v[head].op == IR_PHI)
            head++;
        vec_push(&c->places, (Place){.at = {fn, b, head, IR_NONE}});
        for (uint32_t i = head; i < f->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &f->blocks.v[b].insns.v[i];
            if (insn->op != IR_CALL || insn->a != here)
                continue;
            const IrConst *n = ir_reg_const_of(f, ir_call_read(f, insn).args[0]);
            vec_push(&c->places, (Place){.at = {fn, b, i, IR_NONE}, .here = (uint32_t)n->bits});
        }
    }
}

/* Whatever is the program's own has its number at the end of its name. */
static void find_places(Check *c)
{
    char suffix[24];
    snprintf(suffix, sizeof suffix, "_%u", c->number);
    for (uint32_t f = 0; f < c->program->fns.n; f++) {
        const char *name = ir_text(c->program, c->program->fns.v[f].name);
        if (c->program->fns.v[f].defined && text_ends_with(name, suffix) && !text_starts_with(name, "reset_"))
            add_places(c, f);
    }
}

static void find_truth(Check *c)
{
    c->fails = false;
    for (uint32_t k = 0; k < GENERATE_COMBINATIONS; k++) {
        Machine m =
            machine_new(c); /* a new one: inputs are numbered in the order in which a run meets them */
        VmTrace *t = machine_run(&m, k);
        const CorpusOutcome *native = corpus_native(c->corpus, c->number, k);
        uint32_t fault = 0;
        if (t->result.ending == VM_END_FAULT) {
            fault = t->result.site == IR_NONE ? UINT32_MAX : c->program->sites.v[t->result.site].line;
            vec_push(&c->failing, (Failing){t->result.site, t->result.fault});
        }
        if (fault != native->fault) {
            printf("  input %u: natively statement %u fails, on the machine %u (ending %d, %s)\n", k,
                   native->fault, fault, t->result.ending, t->result.message);
            c->wrong = "the machine and the native program differ";
        }
        c->fails |= fault || native->fault;
        vm_trace_free(m.vm, t);
        for (uint32_t i = 0; i < c->places.n; i++)
            c->places.v[i].reached |= is_reached(c, &c->places.v[i], &m, k);
        machine_free(&m);
    }
}

/* ---- reach ----------------------------------------------------------------------------------- */

/* Which of all inputs a model is; UINT32_MAX if it is none of them. */
static uint32_t input_of(Check *c, Backward *bw, const BackwardAnswer *a)
{
    uint8_t bytes[GENERATE_INPUTS] = {0};
    ExprObject object;
    ExprPool *pool = backward_pool(bw);
    uint64_t seed = c->corpus->seed + c->number,
             kind = seed >= GENERATE_LOOPS && seed < GENERATE_DEEP ? seed % 4 : 0;
    if (kind == 1) /* ASKED */
        for (uint32_t i = 0; i < GENERATE_INPUTS && i + 1 < a->values.n; i++)
            bytes[i] = (uint8_t)a->values.v[i + 1].value;
    else if (kind == 3 && expr_object_find(pool, "stdin", GENERATE_INPUTS, &object))
        for (uint32_t i = 0; i < GENERATE_INPUTS; i++)
            bytes[i] = (uint8_t)expr_input_get(pool, &a->model, expr_object_byte(pool, object, i));
    else if (kind % 2 == 0 && a->values.n)
        for (uint32_t i = 0; i < GENERATE_INPUTS; i++)
            bytes[i] = (uint8_t)(a->values.v[0].value >> 8 * i);
    for (uint32_t k = 0; k < GENERATE_COMBINATIONS; k++) {
        uint8_t all[GENERATE_INPUTS];
        generate_input(k, all);
        if (!memcmp(all, bytes, sizeof all))
            return k;
    }
    return UINT32_MAX;
}

typedef struct Asking {
    Check *c;
    Backward *bw;
} Asking;

static bool confirm(void *context, const BackwardAnswer *a)
{
    Asking *asking = context;
    Check *c = asking->c;
    uint32_t k = input_of(c, asking->bw, a);
    bool yes = false;
    c->models++;
    if (k != UINT32_MAX) {
        Machine m = machine_new(c);
        VmTrace *t = machine_run(&m, k);
        yes = c->asked ? is_reached(c, c->asked, &m, k) : t->result.ending == VM_END_FAULT;
        vm_trace_free(m.vm, t);
        machine_free(&m);
    }
    c->refuted += !yes;
    return yes;
}

static void show(Check *c, Backward *bw, const Place *p, const char *what)
{
    char where[256];
    const IrFn *f = &c->program->fns.v[p->at.fn];
    printf("  seed %llu, %s: %s block %u (%s) statement %u at %s\n",
           (unsigned long long)c->corpus->seed + c->number, what, ir_text(c->program, f->name), p->at.block,
           ir_text(c->program, f->blocks.v[p->at.block].name), p->here,
           ir_site_text(c->program, f->blocks.v[p->at.block].insns.v[p->at.insn].site, where, sizeof where));
    for (uint32_t i = 0; i < backward_reasons(bw); i++) {
        uint32_t site;
        const char *reason = backward_reason(bw, i, &site);
        printf("    %s: %s\n", ir_site_text(c->program, site, where, sizeof where), reason);
    }
}

static BackwardStatus ask(Check *c, Backward *bw, const Place *p)
{
    BackwardPlaces places = {0};
    vec_push(&places, p->at);
    c->asked = p;
    BackwardAnswer a = backward_reach(bw, &places);
    BackwardStatus status = a.status;
    if (p->reached && status == BACKWARD_UNREACHABLE) {
        show(c, bw, p, "reached");
        complain(c, "UNREACHABLE is said of a place that is reached");
    }
    if (!p->reached && status == BACKWARD_REACHABLE)
        complain(c, "REACHABLE without a run that reaches the place");
    backward_answer_free(&a);
    vec_free(&places);
    return status;
}

/* A proof first, which is asked for of what is reached, too; then, of that, an input. */
static void ask_both(Check *c, Backward *proofs, Backward *inputs, const Place *p)
{
    if (c->proofs_only && !p->reached)
        return;
    bool proved = ask(c, proofs, p) == BACKWARD_UNREACHABLE, found = false;
    if (p->reached && !c->wrong && !c->proofs_only)
        found = ask(c, inputs, p) == BACKWARD_REACHABLE;
    c->reached += p->reached;
    c->unreached += !p->reached;
    c->found += found;
    c->proved += proved;
    if (c->show && (p->reached ? !found : !proved))
        show(c, p->reached ? inputs : proofs, p, p->reached ? "not found" : "not proved");
}

/* ---- prove ----------------------------------------------------------------------------------- */

/* The machine tells kinds apart that are one check here. */
static VmFaultKind kind_of(VmFaultKind fault)
{
    switch (fault) {
    case VM_FAULT_OOB_WRITE:
    case VM_FAULT_NULL_DEREF:
    case VM_FAULT_WILD:
    case VM_FAULT_READ_ONLY:
    case VM_FAULT_USE_AFTER_FREE:
    case VM_FAULT_USE_AFTER_RETURN:
    case VM_FAULT_USE_AFTER_SCOPE: return VM_FAULT_OOB_READ;
    case VM_FAULT_DOUBLE_FREE: return VM_FAULT_INVALID_FREE;
    default: return fault;
    }
}

static bool has_failed(const Check *c, const BackwardCheck *check)
{
    for (uint32_t i = 0; i < c->failing.n; i++)
        if (c->failing.v[i].site == check->site && kind_of(c->failing.v[i].fault) == kind_of(check->fault))
            return true;
    return false;
}

/* A site may have several checks of one kind: one that is open is enough. */
static bool other_is_open(const BackwardChecks *checks, const BackwardCheck *of)
{
    for (uint32_t i = 0; i < checks->n; i++)
        if (checks->v[i].site == of->site && kind_of(checks->v[i].fault) == kind_of(of->fault) &&
            checks->v[i].status != BACKWARD_UNREACHABLE)
            return true;
    return false;
}

static void prove(Check *c, Backward *bw)
{
    BackwardChecks checks = {0};
    c->asked = NULL;
    bool clean = backward_prove(bw, &checks);
    c->clean += !c->fails;
    c->shown += clean && !c->fails;
    if (clean && c->fails)
        complain(c, "proved, and an input fails");
    for (uint32_t i = 0; i < checks.n; i++) {
        const BackwardCheck *k = &checks.v[i];
        bool failed = has_failed(c, k);
        c->checks++;
        c->checks_held += !failed;
        c->checks_proved += !failed && k->status == BACKWARD_UNREACHABLE;
        if (failed && k->status == BACKWARD_UNREACHABLE && !other_is_open(&checks, k)) {
            char where[256];
            printf("  %s: %s\n", ir_site_text(c->program, k->site, where, sizeof where),
                   vm_fault_message(k->fault < VM_FAULT_COUNT ? k->fault : 0));
            complain(c, "a check is proved that fails");
        }
    }
    vec_free(&checks);
}

/* ---- cut points ------------------------------------------------------------------------------ */

enum { ALL_JUDGED = 64 }; /* cut points of one run that are all judged: of many thousand few tell more */

typedef struct Observed {
    Check *c;
    Machine *m;
    const ExprInput *input;
} Observed;

static void complain_cut(Check *c, const Watch *w, uint32_t fn, uint32_t block, const char *wrong)
{
    char what[64];
    snprintf(what, sizeof what, "at the head of block %u of %.20s", block,
             ir_text(c->program, c->program->fns.v[fn].name));
    if (!c->wrong)
        show(c, w->bw, w->place, what);
    complain(c, wrong);
}

static void judge(Check *c, Watch *w, uint32_t cut, uint32_t fn, uint32_t block)
{
    if (backward_judge(w->bw, cut, BACKWARD_CONSTANTS) == BACKWARD_FAILS)
        complain_cut(c, w, fn, block, "what was taken for a constant is another");
    if (backward_judge(w->bw, cut, BACKWARD_INVARIANT) == BACKWARD_FAILS)
        complain_cut(c, w, fn, block, "an invariant does not hold");
    BackwardVerdict v = backward_judge(w->bw, cut, BACKWARD_CONDITION);
    c->judged += v != BACKWARD_UNJUDGED;
    c->unjudged += v == BACKWARD_UNJUDGED;
    w->failed |= v == BACKWARD_FAILS;
    w->open += v == BACKWARD_HOLDS;
}

static void observe(void *context, Vm *vm, VmBlock at)
{
    uint32_t fn = at.fn, block = at.block;
    const Observed *o = context;
    Check *c = o->c;
    BackwardSight sight = {vm, o->m->pool, o->input};
    for (uint32_t i = 0; i < c->watches.n && !c->wrong; i++) {
        Watch *w = &c->watches.v[i];
        uint32_t cut;
        if (backward_watch(w->bw, &sight, &w->track, fn, block, &cut) &&
            (++w->passed <= ALL_JUDGED || !(w->passed & (w->passed - 1))))
            judge(c, w, cut, fn, block);
        backward_watch_end(w->bw);
        if (w->place->at.fn != fn || w->place->at.block != block)
            continue;
        w->open = 0;
        if (w->failed)
            complain_cut(c, w, fn, block,
                         "the place is reached from a cut point whose condition does not hold");
    }
}

static void run_watched(Check *c, const VmBlocks *blocks, uint32_t k)
{
    ExprInput input = {0};
    Machine m = machine_new(c);
    Observed o = {c, &m, &input};
    set_input(k, &input);
    vm_observe(m.vm, blocks->v, blocks->n, observe, &o);
    for (uint32_t i = 0; i < c->watches.n; i++)
        c->watches.v[i] = (Watch){c->watches.v[i].bw, c->watches.v[i].place, {0}, 0, false, 0};
    vm_trace_free(m.vm, vm_run_input(m.vm, &input, NULL));
    for (uint32_t i = 0; i < c->watches.n; i++) {
        c->vain += c->watches.v[i].open;
        c->lost += c->watches.v[i].track.lost;
    }
    machine_free(&m);
    expr_input_free(&input);
}

/* Conditions of some places, spread over the program, in all runs. */
static void check_cuts(Check *c, const BackwardOptions *options)
{
    VmBlocks blocks = {0};
    U32Vec heads = {0};
    for (uint32_t i = 0; i < c->places.n; i++)
        if (!c->places.v[i].here)
            vec_push(&heads, i);
    for (uint32_t i = 0; i < heads.n; i += 1 + heads.n / (uint32_t)c->watched) {
        Watch w = {backward_new(c->program, options), &c->places.v[heads.v[i]], {0}, 0, false, 0};
        BackwardPlaces places = {0};
        vec_push(&places, w.place->at);
        BackwardAnswer a = backward_reach(w.bw, &places);
        backward_answer_free(&a);
        vec_free(&places);
        vec_push(&c->watches, w);
        backward_cut_blocks(w.bw, &blocks);
        vec_push(&blocks, (VmBlock){w.place->at.fn, w.place->at.block, false});
    }
    for (uint32_t k = 0; k < GENERATE_COMBINATIONS && !c->wrong; k++)
        run_watched(c, &blocks, k);
    for (uint32_t i = 0; i < c->watches.n; i++)
        backward_free(c->watches.v[i].bw);
    vec_clear(&c->watches);
    vec_free(&blocks);
    vec_free(&heads);
}

/* ---- programs -------------------------------------------------------------------------------- */

static void check_program(Check *c)
{
    CorpusArguments args;
    Asking asking = {.c = c};
    uint64_t seed = c->corpus->seed + c->number;
    c->environment = corpus_environment(c->number, &args);
    c->inputs = (VmInputs){.stdin_symbolic = true, .stdin_size = GENERATE_INPUTS};
    c->wrong = NULL;
    vec_clear(&c->places);
    vec_clear(&c->failing);
    find_places(c);
    if (!c->cuts)
        find_truth(c);
    BackwardOptions options = {.inputs = &c->inputs,
                               .environment = &c->environment,
                               .max_seconds = (double)c->milliseconds / 1000,
                               .query_seconds = (double)c->milliseconds / 1000,
                               .rules_off = c->off,
                               .summaries = seed >= GENERATE_DEEP && seed % 2,
                               .confirm = confirm,
                               .context = &asking};
    Backward *inputs = asking.bw = backward_new(c->program, &options);
    options.rules_off |= BACKWARD_OFF_PATHS;
    Backward *proofs = backward_new(c->program, &options);
    for (uint32_t i = 0; i < c->places.n && !c->wrong && !c->cuts; i++)
        ask_both(c, proofs, inputs, &c->places.v[i]);
    if (c->cuts)
        check_cuts(c, &options);
    else if (!c->wrong)
        prove(c, proofs);
    backward_free(inputs);
    backward_free(proofs);
    if (c->wrong) {
        printf("FAIL seed %llu: %s\n", (unsigned long long)seed, c->wrong);
        c->failures++;
    }
    fflush(stdout);
}

static void check_batch(Check *c, uint32_t count)
{
    Corpus *corpus = corpus_new(&(CorpusOptions){
        .clang = c->clang, .runtime = c->runtime, .seed = c->seed, .count = count, .quiet = true});
    c->corpus = corpus;
    c->program = corpus->ir;
    for (c->number = 0; c->number < count; c->number++)
        if (!c->only || c->only == corpus->seed + c->number)
            check_program(c);
    corpus_free(corpus);
}

static void read_arguments(Check *c, int argc, char **argv)
{
    const Argument table[] = {
        ARGUMENTS_OF_ALL(c),
        {.name = "--milliseconds", .help = "for one question", .number = &c->milliseconds},
        {.name = "--off", .help = "rules left out, as bits", .choice = &c->off},
        {.name = "--least",
         .help = "percent of the places that no input reaches, to be proved",
         .number = &c->least},
        {.name = "--show", .help = "print each place of which nothing was said", .set = &c->show},
        {.name = "--only",
         .help = "of all programs that are compiled together check the one of this seed",
         .number = &c->only},
        {.name = "--proofs", .help = "ask for proofs only, of what is reached", .set = &c->proofs_only},
        {.name = "--cuts",
         .help = "hold conditions at cut points against runs, instead of answers",
         .set = &c->cuts},
        {.name = "--watched",
         .help = "with --cuts: places of a program that are asked for, at most",
         .number = &c->watched},
        {.name = "--expect-failures", .help = "fail if no program does", .set = &c->expect_failures},
        {0},
    };
    arguments_read("reach", "What is said of lines and of whole programs, against brute force.", table, argc,
                   argv);
}

static unsigned percent(uint64_t part, uint64_t of) { return of ? (unsigned)(100 * part / of) : 100; }

int main(int argc, char **argv)
{
    Check c = {.programs = 100, .seed = GENERATE_LOOPS, .milliseconds = 500, .watched = 8};
    read_arguments(&c, argc, argv);
    uint64_t left = c.programs;
    for (uint32_t n; (n = corpus_batch(&left, BATCH)); c.seed += n)
        check_batch(&c, n);
    printf("%llu programs: of %llu places that are reached %llu found, of %llu that are not %llu proved (%u "
           "%%); %llu of %llu models were none\n",
           (unsigned long long)c.programs, (unsigned long long)c.reached, (unsigned long long)c.found,
           (unsigned long long)c.unreached, (unsigned long long)c.proved, percent(c.proved, c.unreached),
           (unsigned long long)c.refuted, (unsigned long long)c.models);
    printf("%llu programs do not fail, %llu of them proved; of %llu checks that hold %llu proved (%u %%)\n",
           (unsigned long long)c.clean, (unsigned long long)c.shown, (unsigned long long)c.checks_held,
           (unsigned long long)c.checks_proved, percent(c.checks_proved, c.checks_held));
    if (c.cuts)
        printf("%llu conditions at cut points judged, %llu not to be said; %llu held in vain; %llu runs not "
               "followed to their end\n",
               (unsigned long long)c.judged, (unsigned long long)c.unjudged, (unsigned long long)c.vain,
               (unsigned long long)c.lost);
    printf("%llu passed, %llu failed\n", (unsigned long long)(c.programs - c.failures),
           (unsigned long long)c.failures);
    vec_free(&c.places);
    vec_free(&c.failing);
    vec_free(&c.watches);
    if (percent(c.proved, c.unreached) < c.least) {
        printf("FAIL: too few are proved\n");
        return 1;
    }
    return (c.failures != 0) != c.expect_failures;
}
