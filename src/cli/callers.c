/* callers.c - the program's own calls of a function against its needs and its shape, one exploration for each
 * caller.
 *
 * A caller is explored with the function in it. Where that fails at the place of a need, the caller does not
 * pass what is needed; where it fails elsewhere in the function, and the function does not fail there by
 * itself, the caller's arguments are none of the shape for which the answer is complete. */
#include "cli/callers.h"

static const double CALLER_SECONDS = 10; /* for one caller, where --max-time does not say */

static const char *name_of(const Callers *c, uint32_t fn)
{
    return ir_text(c->program, c->program->fns.v[fn].name);
}

/* ---- which calls ----------------------------------------------------------------------------- */

static void add_call(Callers *c, uint32_t caller, uint32_t block, uint32_t site)
{
    for (uint32_t i = 0; i < c->answers.n; i++)
        if (c->answers.v[i].caller == caller && c->answers.v[i].site == site)
            return;
    for (uint32_t i = 0; i < c->report->needs.n; i++)
        if (!c->report->needs.v[i].maker)
            vec_push(&c->answers,
                     (CallerAnswer){
                         .caller = caller, .site = site, .block = block, .need = i, .text = "", .open = ""});
    vec_push(
        &c->answers,
        (CallerAnswer){
            .caller = caller, .site = site, .block = block, .need = CALLER_SHAPE, .text = "", .open = ""});
}

static void find_calls(Callers *c)
{
    const IrProgram *p = c->program;
    for (uint32_t f = 0; f < p->fns.n; f++) {
        const IrFn *fn = &p->fns.v[f];
        for (uint32_t i = 0; i < fn->consts.n; i++)
            c->by_pointer |= fn->consts.v[i].kind == IR_CONST_FN && fn->consts.v[i].index == c->fn;
        for (uint32_t b = 0; b < fn->blocks.n && !fn->runtime && !fn->driver && f != c->fn; b++)
            for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
                const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
                if (insn->op == IR_CALL && insn->a == c->fn)
                    add_call(c, f, b, insn->site);
            }
    }
    for (uint32_t g = 0; g < p->globals.n; g++)
        for (uint32_t i = 0; i < p->globals.v[g].relocs.n; i++)
            c->by_pointer |= p->globals.v[g].relocs.v[i].value.kind == IR_CONST_FN &&
                             p->globals.v[g].relocs.v[i].value.index == c->fn;
}

/* ---- a run of a caller ----------------------------------------------------------------------- */

/* Did this call make an activation of the function in which the run ended? */
static bool is_within(const Callers *c, const VmResult *r, const CallerAnswer *a)
{
    for (uint32_t i = 0; i + 1 < r->stack.n; i++)
        if (r->stack.v[i].fn == c->fn && r->stack.v[i + 1].fn == a->caller &&
            r->stack.v[i + 1].site == a->site)
            return true;
    return false;
}

static void take_test(Callers *c, const ExploreRun *run, CallerAnswer *a)
{
    SuiteTest *test = testcase_make(&c->callers, explore_pool(run->explore), run->trace, run->input);
    SuiteOutcome outcome;
    if (results_add(testcase_results(c->maker), test, NULL)) {
        a->test = arena_strdup(c->arena, test->path);
        c->tests++;
    }
    if (!c->no_replay) {
        suite_replay_test(testcase_replay(&c->callers), test, &outcome);
        a->native = outcome.verdict == SUITE_NOT_RUN     ? REPORT_NOT_REPLAYED
                    : outcome.verdict == SUITE_CONFIRMED ? REPORT_CONFIRMED
                                                         : REPORT_NOT_CONFIRMED;
    }
    suite_test_free(test);
}

/* Is the fault one that the function needs its callers to avoid, or its own? */
static bool is_known(const Callers *c, const VmResult *r)
{
    bool known = false;
    for (uint32_t i = 0; i < c->report->needs.n; i++)
        known |= c->report->needs.v[i].kind == r->fault && c->report->needs.v[i].site == r->site;
    for (uint32_t i = 0; i < c->report->faults.n; i++)
        known |= c->report->faults.v[i].kind == r->fault && c->report->faults.v[i].site == r->site;
    return known;
}

static bool is_about(const Callers *c, const VmResult *r, const CallerAnswer *a)
{
    if (a->need == CALLER_SHAPE)
        return !is_known(c, r);
    const ReportNeed *need = &c->report->needs.v[a->need];
    return r->fault == need->kind && r->site == need->site;
}

static void on_run(void *context, const ExploreRun *run)
{
    Callers *c = context;
    const VmResult *r = &run->trace->result;
    for (uint32_t i = 0; r->ending == VM_END_FAULT && i < c->answers.n; i++) {
        CallerAnswer *a = &c->answers.v[i];
        if (a->verdict == CALLER_VIOLATED || !is_about(c, r, a) || !is_within(c, r, a))
            continue;
        if (r->need[0]) {
            a->verdict = CALLER_PASSED_ON;
            a->text = arena_strdup(c->arena, r->need);
            continue;
        }
        a->verdict = CALLER_VIOLATED;
        a->fault = r->fault;
        a->at = r->site;
        take_test(c, run, a);
    }
}

/* ---- a caller -------------------------------------------------------------------------------- */

/* Why the exploration does not say all of calls; NULL: it does. An argument behind '...' is never tried. */
static const char *why_open(const Callers *c, uint32_t caller, const Ledger *ledger)
{
    Str text = {0};
    if (ledger_count(ledger))
        ledger_entry_text(ledger_entry(ledger, 0), c->program, &text);
    else if (c->program->fns.v[caller].variadic)
        str_add(&text, "it is called without the arguments that '...' stands for");
    const char *why = text.n ? arena_strdup(c->arena, str_text(&text)) : NULL;
    str_free(&text);
    return why;
}

/* What the exploration says of calls that it did not see fail, or not by the caller's own doing. */
static void conclude(Callers *c, uint32_t caller, Explore *x)
{
    Str shapes = {0};
    const char *open = why_open(c, caller, explore_ledger(x));
    if (!strcmp(name_of(c, caller), "main"))
        str_add(&shapes, "main with the inputs that options name");
    else
        ledger_shapes_text(explore_ledger(x), &shapes);
    for (uint32_t i = 0; i < c->answers.n; i++) {
        CallerAnswer *a = &c->answers.v[i];
        if (a->caller != caller || a->verdict == CALLER_VIOLATED)
            continue;
        if (a->verdict == CALLER_PASSED_ON) {
            a->open = open ? open : "";
            continue;
        }
        a->verdict = open ? CALLER_OPEN : CALLER_HOLDS;
        a->text = open ? open : arena_strdup(c->arena, str_text(&shapes));
        a->unreached = !open && !vm_block_covered(explore_vm(x), caller, a->block);
    }
    str_free(&shapes);
}

/* What is left of --max-time is for all callers that are left; 0: nothing. */
static double share_of_time(const Callers *c, uint32_t from)
{
    uint32_t left = 0;
    for (uint32_t i = from; i < c->answers.n; i++)
        left += i == from || c->answers.v[i].caller != c->answers.v[i - 1].caller;
    double rest = c->until - clock_seconds();
    return c->until <= 0 ? CALLER_SECONDS : rest > 0 ? rest / left : 0;
}

static void explore_caller(Callers *c, uint32_t caller, double seconds)
{
    ExploringSettings settings = *c->settings;
    ExploreOptions options = c->options;
    bool is_main = !strcmp(name_of(c, caller), "main");
    settings.entry = is_main ? NULL : name_of(c, caller);
    options.symbolic.inputs.entry = settings.entry;
    exploring_aliases(&settings, c->program, &options.symbolic.inputs);
    exploring_bounds(&settings, EXPLORING_BOUND, &options.symbolic.inputs);
    options.max_time = seconds;
    options.context = c;
    options.on_run = on_run;
    options.on_progress = NULL;
    options.selects = false;
    testcase_init(&c->callers, "test", &settings, c->args, c->arena, c->environment, c->program);
    Explore *x = explore_new(c->program, c->environment, &options);
    explore_all(x);
    conclude(c, caller, x);
    explore_free(x);
    testcase_free(&c->callers);
}

static void leave_open(Callers *c, uint32_t caller, const char *why)
{
    for (uint32_t i = 0; i < c->answers.n; i++)
        if (c->answers.v[i].caller == caller)
            c->answers.v[i].text = why;
}

void callers_check(Callers *c)
{
    find_calls(c);
    for (uint32_t i = 0; i < c->answers.n; i++) {
        bool first = !i || c->answers.v[i].caller != c->answers.v[i - 1].caller;
        double seconds = first ? share_of_time(c, i) : 0;
        if (seconds > 0)
            explore_caller(c, c->answers.v[i].caller, seconds);
        else if (first)
            leave_open(c, c->answers.v[i].caller, "no time was left: --max-time");
    }
}

/* ---- the answer ------------------------------------------------------------------------------ */

static const char *asked(const Callers *c, const CallerAnswer *a)
{
    return a->need == CALLER_SHAPE ? "the shape" : c->report->needs.v[a->need].text;
}

static void answer_text(const Callers *c, const CallerAnswer *a, Str *out)
{
    char where[512];
    str_printf(out, "  %s in %s: %s: ", ir_site_text(c->program, a->site, where, sizeof where),
               name_of(c, a->caller), asked(c, a));
    switch (a->verdict) {
    case CALLER_OPEN: str_printf(out, "open, because %s\n", a->text); break;
    case CALLER_HOLDS:
        str_printf(out, "holds%s%s%s\n", a->unreached ? ", since nothing comes to the call" : "",
                   !a->text[0]    ? ""
                   : a->unreached ? ", for: "
                                  : " for: ",
                   a->text);
        break;
    case CALLER_PASSED_ON:
        str_printf(out, "if %s has a caller that passes %s%s%s\n", name_of(c, a->caller), a->text,
                   a->open[0] ? "; and open, because " : "", a->open);
        break;
    case CALLER_VIOLATED:
        str_add(out, "VIOLATED");
        if (a->need == CALLER_SHAPE)
            str_printf(out, " (%s at %s)", vm_fault_message(a->fault),
                       ir_site_text(c->program, a->at, where, sizeof where));
        str_printf(out, "   input %s   %s\n", a->test ? a->test : "(not written)",
                   a->native == REPORT_CONFIRMED       ? "confirmed natively"
                   : a->native == REPORT_NOT_CONFIRMED ? "NOT confirmed natively"
                                                       : "not replayed natively");
        break;
    }
}

void callers_text(const Callers *c, Str *out)
{
    str_add(out, c->answers.n ? "callers\n" : "callers: the program has no call of it\n");
    for (uint32_t i = 0; i < c->answers.n; i++)
        answer_text(c, &c->answers.v[i], out);
    if (c->by_pointer)
        str_add(out, "  its address is taken: calls through pointers are not among these\n");
}

void callers_json(const Callers *c, JsonOut *json)
{
    static const char *const words[] = {"open", "holds", "passed on", "violated"};
    static const char *const native[] = {"not replayed", "confirmed", "not confirmed"};
    char where[512];
    json_array_begin(json, "callers");
    for (uint32_t i = 0; i < c->answers.n; i++) {
        const CallerAnswer *a = &c->answers.v[i];
        json_object_begin(json, NULL);
        json_string(json, "caller", name_of(c, a->caller));
        json_string(json, "site", ir_site_text(c->program, a->site, where, sizeof where));
        json_string(json, "caller_passes", asked(c, a));
        json_string(json, "verdict", words[a->verdict]);
        if (a->verdict == CALLER_VIOLATED) {
            json_string(json, "test", a->test);
            json_string(json, "native", native[a->native]);
        } else {
            json_string(json, "text", a->text);
        }
        if (a->unreached)
            json_bool(json, "unreached", true);
        if (a->open[0])
            json_string(json, "open", a->open);
        json_object_end(json);
    }
    json_array_end(json);
    json_bool(json, "callers_by_pointer", c->by_pointer);
}

bool callers_violated(const Callers *c)
{
    for (uint32_t i = 0; i < c->answers.n; i++)
        if (c->answers.v[i].verdict == CALLER_VIOLATED)
            return true;
    return false;
}

bool callers_open(const Callers *c)
{
    if (!c->report)
        return false;
    for (uint32_t i = 0; i < c->answers.n; i++)
        if (c->answers.v[i].verdict == CALLER_OPEN || c->answers.v[i].open[0])
            return true;
    return c->by_pointer;
}

void callers_free(Callers *c) { vec_free(&c->answers); }
