/* labels.c - labels against their definition, on random programs and pairs of inputs.
 *
 * usage: labels --clang CLANG --runtime FILE [--programs N] [--seed S] [--inputs N] [--policy
 * exits|none|faults]
 *               [--off RULES] [--expect-failures] [--snapshots] [--show]
 *
 * Each program is run on some of its inputs. For every two runs and everything that the first shows (a
 * decision, a printed item, an output, the exit status) with a label whose decisions' conditions all hold
 * under the second's input: the second has the same thing under the same execution index, with the same
 * expression, unless it failed before; and if neither fails, with the same label.
 * --off switches rules of labels off (a sum of the bits in vm/labels/label_int.h), to see that the test can
 * fail.
 * --show prints the two runs that contradict each other. --snapshots runs each input once more from the
 * deepest snapshot of the run before: labels must be the same. */
#include "arguments.h"
#include "corpus.h"
#include "flow/flow.h"

#include <stdlib.h>

enum { BATCH = 100 };

typedef struct Run {
    VmTrace *trace;
    ExprInput input;
    Map decisions, outputs; /* index to position */
    uint8_t bytes[GENERATE_INPUTS];
} Run;

typedef struct Check {
    const char *clang, *runtime;
    uint64_t programs, seed, inputs;
    unsigned policy, off;
    bool snapshots, show, expect_failures;
    const IrProgram *program;
    Flow *flow;
    ExprPool *pool;
    ExprEval *eval; /* under the second run's input */
    Vec(Run) runs;
    const char *wrong;
    uint64_t checked, failures, decisions, elements;
} Check;

/* ---- runs ------------------------------------------------------------------------------------ */

/* A run that failed, or that broke an assumption, is not looked at where it did not come. */
static bool is_whole(const Check *c, const VmTrace *t)
{
    return t->result.ending == VM_END_RETURN ||
           (t->result.ending == VM_END_EXIT && (c->policy & FLOW_TIE_EXITS)) ||
           (t->result.ending == VM_END_FAULT && (c->policy & FLOW_TIE_FAULTS));
}

static bool same_trace(const VmTrace *a, const VmTrace *b)
{
    bool same = a->decisions.n == b->decisions.n && a->outputs.n == b->outputs.n &&
                a->ending.id == b->ending.id && a->status_label.id == b->status_label.id &&
                !memcmp(a->streams, b->streams, sizeof a->streams);
    for (uint32_t i = 0; same && i < a->decisions.n; i++) {
        const VmDecision *x = &a->decisions.v[i], *y = &b->decisions.v[i];
        same = x->index == y->index && x->label.id == y->label.id && x->holds.id == y->holds.id &&
               x->forced == y->forced && x->path == y->path && x->nloops == y->nloops && x->count == y->count;
    }
    for (uint32_t i = 0; same && i < a->outputs.n; i++)
        same = a->outputs.v[i].index == b->outputs.v[i].index &&
               a->outputs.v[i].label.id == b->outputs.v[i].label.id;
    return same;
}

static void add_run(Check *c, Vm *vm, uint32_t k)
{
    Run run = {0};
    corpus_input(k, &run.input);
    generate_input(k, run.bytes);
    run.trace = vm_run_input(vm, &run.input, NULL);
    const VmTrace *before = c->runs.n ? c->runs.v[c->runs.n - 1].trace : NULL;
    if (c->snapshots && before && before->decisions.n) {
        VmTrace *again = vm_run_input(vm, &run.input, vec_last(&before->decisions).snapshot);
        if (!same_trace(run.trace, again))
            c->wrong = "labels are others after a snapshot";
        vm_trace_free(vm, again);
    }
    const VmTrace *t = run.trace;
    for (uint32_t i = 0; i < t->decisions.n; i++) {
        map_put(&run.decisions, t->decisions.v[i].index, i + 1);
        c->elements += expr_set_size(c->pool, t->decisions.v[i].label);
    }
    for (uint32_t i = 0; i < t->outputs.n; i++)
        map_put(&run.outputs, t->outputs.v[i].index, i + 1);
    c->decisions += t->decisions.n;
    vec_push(&c->runs, run);
}

/* ---- one thing of one run against another run ------------------------------------------------ */

static bool label_holds(const Check *c, const VmTrace *t, VmLabel l)
{
    for (uint32_t i = expr_set_next(c->pool, l, 0); i != UINT32_MAX; i = expr_set_next(c->pool, l, i + 1))
        if (!expr_eval_true(c->eval, t->decisions.v[i].holds))
            return false;
    return true;
}

/* Precision must not depend on the run either, or the orders that `output` makes of two runs do not fit. Of a
 * run that fails it makes none: in code that can only fail, which way it was reached is no dependence. */
static bool same_label(const Check *c, const Run *a, VmLabel x, const Run *b, VmLabel y)
{
    uint64_t at;
    if (!is_whole(c, a->trace) || !is_whole(c, b->trace))
        return true;
    for (uint32_t i = expr_set_next(c->pool, x, 0); i != UINT32_MAX; i = expr_set_next(c->pool, x, i + 1)) {
        bool met = map_get(&b->decisions, a->trace->decisions.v[i].index, &at);
        if (!met || !expr_set_has(c->pool, y, (uint32_t)at - 1))
            return false;
    }
    return expr_set_size(c->pool, x) == expr_set_size(c->pool, y);
}

static const char *decision_wrong(const Check *c, const Run *a, const Run *b, uint32_t i)
{
    const VmDecision *d = &a->trace->decisions.v[i];
    uint64_t at;
    if (!map_get(&b->decisions, d->index, &at))
        return is_whole(c, b->trace) ? "a decision is missing" : NULL;
    const VmDecision *e = &b->trace->decisions.v[at - 1];
    if (e->kind != d->kind || e->forced != d->forced)
        return "a decision is of another kind";
    if (d->forced && d->took != e->took)
        return "a forced decision went elsewhere";
    if (!same_label(c, a, d->label, b, e->label))
        return "a decision has another label";
    if (expr_eval_true(c->eval, d->holds))
        return d->holds.id != e->holds.id ? "a decision has another condition" : NULL;
    for (uint32_t k = 0; k < d->count; k++) {
        const VmAlternative *x = &a->trace->alternatives.v[d->first + k];
        if (x->condition.id == e->holds.id || x->residual)
            return NULL;
    }
    return d->count ? "a decision is none of the alternatives" : NULL;
}

static const char *output_wrong(const Check *c, const Run *a, const Run *b, uint32_t i)
{
    const VmOutput *x = &a->trace->outputs.v[i];
    uint64_t at;
    if (!map_get(&b->outputs, x->index, &at))
        return is_whole(c, b->trace) ? "an output is missing" : NULL;
    const VmOutput *y = &b->trace->outputs.v[at - 1];
    bool same = x->stream == y->stream && x->format.conversion == y->format.conversion && x->n == y->n &&
                !memcmp(&a->trace->output_bytes.v[x->first], &b->trace->output_bytes.v[y->first],
                        x->n * sizeof(Expr));
    if (same && !same_label(c, a, x->label, b, y->label))
        return "an output has another label";
    return same ? NULL : "an output has another value";
}

static const char *status_wrong(const Check *c, const Run *a, const Run *b)
{
    const VmTrace *x = a->trace, *y = b->trace;
    bool ends = x->result.ending == VM_END_RETURN || x->result.ending == VM_END_EXIT;
    if (!ends || !is_whole(c, x) || !is_whole(c, y) || !label_holds(c, x, x->status_label))
        return NULL;
    if (x->result.ending != y->result.ending)
        return "the run ends in another way";
    bool same = x->status.id == y->status.id && (x->status.id || x->result.status == y->result.status);
    if (same && !same_label(c, a, x->status_label, b, y->status_label))
        return "the status has another label";
    return same ? NULL : "the status is another";
}

static uint32_t written(const VmTrace *t, int stream)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->outputs.n; i++)
        n += t->outputs.v[i].stream == stream;
    return n;
}

/* That nothing else was written to a stream has a label as well. */
static const char *stream_wrong(const Check *c, const Run *a, const Run *b, uint32_t stream)
{
    const VmTrace *x = a->trace, *y = b->trace;
    VmLabel all = x->streams[stream];
    for (uint32_t i = 0; i < x->outputs.n; i++)
        if (x->outputs.v[i].stream == (int)stream)
            all = expr_set_union(c->pool, all, x->outputs.v[i].label);
    if (!is_whole(c, x) || !is_whole(c, y) || !label_holds(c, x, all))
        return NULL;
    if (written(x, (int)stream) != written(y, (int)stream))
        return "more or less is printed";
    return same_label(c, a, x->streams[stream], b, y->streams[stream]) ? NULL : "a stream has another label";
}

static void explain(const Check *c, const Run *a, VmLabel l, uint32_t site)
{
    char where[256];
    Str text = {0};
    printf("  at %s, label", ir_site_text(c->program, site, where, sizeof where));
    for (uint32_t i = expr_set_next(c->pool, l, 0); i != UINT32_MAX; i = expr_set_next(c->pool, l, i + 1)) {
        const VmDecision *d = &a->trace->decisions.v[i];
        vec_clear(&text);
        expr_print_c(c->pool, d->holds, 60, &text);
        printf(" %u:%s[%s]", i, str_text(&text), ir_site_text(c->program, d->site, where, sizeof where));
    }
    putchar('\n');
    str_free(&text);
}

static void show_label(const Check *c, VmLabel l)
{
    printf(" {");
    for (uint32_t k = expr_set_next(c->pool, l, 0); k != UINT32_MAX; k = expr_set_next(c->pool, l, k + 1))
        printf(" %u", k);
    printf(" }\n");
}

static void show_run(const Check *c, const Run *run)
{
    char where[256];
    Str text = {0};
    printf("run on %d %d %d, ending %d at %s\n", (int8_t)run->bytes[0], (int8_t)run->bytes[1],
           (int8_t)run->bytes[2], run->trace->result.ending,
           ir_site_text(c->program, run->trace->result.site, where, sizeof where));
    for (uint32_t i = 0; i < run->trace->decisions.n; i++) {
        const VmDecision *d = &run->trace->decisions.v[i];
        vec_clear(&text);
        expr_print_c(c->pool, d->holds, 60, &text);
        printf("%4u kind %d%s %s %016llx %s", i, d->kind, d->forced ? " forced" : "",
               ir_site_text(c->program, d->site, where, sizeof where), (unsigned long long)d->index,
               str_text(&text));
        show_label(c, d->label);
    }
    for (uint32_t i = 0; i < run->trace->outputs.n; i++) {
        const VmOutput *o = &run->trace->outputs.v[i];
        printf("output %s %016llx", ir_site_text(c->program, o->site, where, sizeof where),
               (unsigned long long)o->index);
        show_label(c, o->label);
    }
    str_free(&text);
}

static const char *pair_wrong(Check *c, const Run *a, const Run *b)
{
    const VmTrace *t = a->trace;
    const char *wrong = status_wrong(c, a, b);
    if (wrong)
        explain(c, a, t->status_label, IR_NONE);
    for (uint32_t stream = 1; stream <= 2 && !wrong; stream++) {
        wrong = stream_wrong(c, a, b, stream);
        if (wrong)
            explain(c, a, t->streams[stream], IR_NONE);
    }
    for (uint32_t i = 0; i < t->decisions.n && !wrong; i++) {
        if (!label_holds(c, t, t->decisions.v[i].label))
            continue;
        c->checked++;
        wrong = decision_wrong(c, a, b, i);
        if (wrong)
            explain(c, a, t->decisions.v[i].label, t->decisions.v[i].site);
    }
    for (uint32_t i = 0; i < t->outputs.n && !wrong; i++) {
        if (!label_holds(c, t, t->outputs.v[i].label))
            continue;
        c->checked++;
        wrong = output_wrong(c, a, b, i);
        if (wrong)
            explain(c, a, t->outputs.v[i].label, t->outputs.v[i].site);
    }
    return wrong;
}

/* ---- programs -------------------------------------------------------------------------------- */

static void judge(Check *c, uint64_t seed)
{
    c->eval = expr_eval_new(c->pool);
    for (uint32_t j = 0; j < c->runs.n && !c->wrong; j++) {
        const Run *b = &c->runs.v[j];
        expr_eval_input(c->eval, &b->input);
        for (uint32_t i = 0; i < c->runs.n && !c->wrong; i++) {
            const Run *a = &c->runs.v[i];
            if (i != j)
                c->wrong = pair_wrong(c, a, b);
            if (c->wrong)
                printf("  inputs %d %d %d and %d %d %d\n", (int8_t)a->bytes[0], (int8_t)a->bytes[1],
                       (int8_t)a->bytes[2], (int8_t)b->bytes[0], (int8_t)b->bytes[1], (int8_t)b->bytes[2]);
            if (c->wrong && c->show) {
                show_run(c, a);
                show_run(c, b);
            }
        }
    }
    expr_eval_free(c->eval);
    if (c->wrong) {
        printf("FAIL seed %llu: %s\n", (unsigned long long)seed, c->wrong);
        c->failures++;
    }
}

static void check_program(Check *c, uint32_t number)
{
    CorpusArguments args;
    VmEnvironment environment = corpus_environment(number, &args);
    VmSymbolicOptions symbolic = {.size_candidates = 8,
                                  .pointer_candidates = CORPUS_POINTERS,
                                  .labels = true,
                                  .flow = c->flow,
                                  .policy = c->policy,
                                  .rules_off = c->off,
                                  .snapshot_bytes = c->snapshots ? 64 << 20 : 0};
    Ledger *ledger = ledger_new();
    c->pool = expr_pool_new();
    Vm *vm = vm_new(c->program, &(VmOptions){.max_steps = 10000000, .max_frames = CORPUS_FRAMES});
    vm_symbolic(vm, c->pool, ledger, &environment, &symbolic);
    c->wrong = NULL;
    Rng rng;
    rng_seed(&rng, c->seed + number);
    for (uint32_t k = 0; k < GENERATE_COMBINATIONS; k++)
        if (rng_below(&rng, GENERATE_COMBINATIONS) < c->inputs)
            add_run(c, vm, k);
    if (c->wrong) {
        printf("FAIL seed %llu: %s\n", (unsigned long long)(c->seed + number), c->wrong);
        c->failures++;
    } else {
        judge(c, c->seed + number);
    }
    for (uint32_t i = 0; i < c->runs.n; i++) {
        map_free(&c->runs.v[i].decisions);
        map_free(&c->runs.v[i].outputs);
        expr_input_free(&c->runs.v[i].input);
        vm_trace_free(vm, c->runs.v[i].trace);
    }
    vec_clear(&c->runs);
    vm_free(vm);
    expr_pool_free(c->pool);
    ledger_free(ledger);
}

static void check_batch(Check *c, uint32_t count)
{
    Corpus *corpus = corpus_new(
        &(CorpusOptions){.clang = c->clang, .runtime = c->runtime, .seed = c->seed, .count = count});
    c->program = corpus->ir;
    c->flow = flow_new(corpus->ir, NULL);
    for (uint32_t i = 0; i < count; i++)
        check_program(c, i);
    flow_free(c->flow);
    corpus_free(corpus);
}

static void read_arguments(Check *c, int argc, char **argv)
{
    const Argument table[] = {
        ARGUMENTS_OF_ALL(c),
        {.name = "--inputs", .help = "runs of a program, at most", .number = &c->inputs},
        ARGUMENT_POLICY(c),
        {.name = "--snapshots", .help = "compare with runs that resume", .set = &c->snapshots},
        {.name = "--show", .help = "print what differs", .set = &c->show},
        {.name = "--off", .help = "rules of labels left out, as bits", .choice = &c->off},
        {.name = "--expect-failures", .help = "fail if no program does", .set = &c->expect_failures},
        {0},
    };
    arguments_read("labels", "Labels of runs against their definition.", table, argc, argv);
}

int main(int argc, char **argv)
{
    Check c = {.programs = 100, .seed = 1, .inputs = 20, .policy = FLOW_TIE_EXITS};
    read_arguments(&c, argc, argv);
    uint64_t left = c.programs;
    for (uint32_t n; (n = corpus_batch(&left, BATCH)); c.seed += n)
        check_batch(&c, n);
    vec_free(&c.runs);
    printf("%llu programs, %llu things compared, %.1f decisions in a label\n", (unsigned long long)c.programs,
           (unsigned long long)c.checked, c.decisions ? (double)c.elements / (double)c.decisions : 0.0);
    printf("%llu passed, %llu failed\n", (unsigned long long)(c.programs - c.failures),
           (unsigned long long)c.failures);
    return (c.failures != 0) != c.expect_failures || !c.checked; /* what compared nothing has shown nothing */
}
