/* callers.c - the program's own calls of a function against its needs, one exploration for each caller. */
#include "cli/callers.h"

static const double CALLER_SECONDS = 10; /* for one caller, where --max-time does not say */

static const char *name_of(const Callers *c, uint32_t fn)
{
    return ir_text(c->program, c->program->fns.v[fn].name);
}

/* ---- which calls ----------------------------------------------------------------------------- */

static void add_call(Callers *c, uint32_t caller, uint32_t site)
{
    for (uint32_t i = 0; i < c->answers.n; i++)
        if (c->answers.v[i].caller == caller && c->answers.v[i].site == site)
            return;
    for (uint32_t i = 0; i < c->report->needs.n; i++)
        if (!c->report->needs.v[i].maker)
            vec_push(&c->answers, (CallerAnswer){.caller = caller, .site = site, .need = i, .text = ""});
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
                    add_call(c, f, insn->site);
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
    if (results_add(testcase_results(c->maker), test)) {
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

static void on_run(void *context, const ExploreRun *run)
{
    Callers *c = context;
    const VmResult *r = &run->trace->result;
    for (uint32_t i = 0; r->ending == VM_END_FAULT && i < c->answers.n; i++) {
        CallerAnswer *a = &c->answers.v[i];
        const ReportNeed *need = &c->report->needs.v[a->need];
        if (r->fault != need->kind || r->site != need->site || a->verdict == CALLER_VIOLATED ||
            !is_within(c, r, a))
            continue;
        if (r->need[0]) {
            a->verdict = CALLER_PASSED_ON;
            a->text = arena_strdup(c->arena, r->need);
            continue;
        }
        a->verdict = CALLER_VIOLATED;
        take_test(c, run, a);
    }
}

/* ---- a caller -------------------------------------------------------------------------------- */

/* Why the exploration says nothing of calls that it did not see fail. */
static void conclude(Callers *c, uint32_t caller, Explore *x)
{
    const Ledger *ledger = explore_ledger(x);
    Str text = {0};
    bool complete = !ledger_count(ledger);
    if (complete && !strcmp(name_of(c, caller), "main"))
        str_add(&text, "main with the inputs that options name");
    else if (complete)
        ledger_shapes_text(ledger, &text);
    else
        ledger_entry_text(ledger_entry(ledger, 0), c->program, &text);
    for (uint32_t i = 0; i < c->answers.n; i++) {
        CallerAnswer *a = &c->answers.v[i];
        if (a->caller != caller || a->verdict != CALLER_OPEN)
            continue;
        a->verdict = complete ? CALLER_HOLDS : CALLER_OPEN;
        a->text = arena_strdup(c->arena, str_text(&text));
    }
    str_free(&text);
}

static void explore_caller(Callers *c, uint32_t caller)
{
    ExploringSettings settings = *c->settings;
    ExploreOptions options = c->options;
    bool is_main = !strcmp(name_of(c, caller), "main");
    settings.entry = is_main ? NULL : name_of(c, caller);
    options.symbolic.inputs.entry = settings.entry;
    exploring_bounds(&settings, EXPLORING_BOUND, &options.symbolic.inputs);
    options.max_time = settings.max_time > 0 ? settings.max_time : CALLER_SECONDS;
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

void callers_check(Callers *c)
{
    find_calls(c);
    for (uint32_t i = 0; i < c->answers.n; i++)
        if (!i || c->answers.v[i].caller != c->answers.v[i - 1].caller)
            explore_caller(c, c->answers.v[i].caller);
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void answer_text(const Callers *c, const CallerAnswer *a, Str *out)
{
    char where[512];
    str_printf(out, "  %s in %s: %s: ", ir_site_text(c->program, a->site, where, sizeof where),
               name_of(c, a->caller), c->report->needs.v[a->need].text);
    switch (a->verdict) {
    case CALLER_OPEN: str_printf(out, "open, because %s\n", a->text); break;
    case CALLER_HOLDS: str_printf(out, "holds%s%s\n", a->text[0] ? " for: " : "", a->text); break;
    case CALLER_PASSED_ON:
        str_printf(out, "if %s has a caller that passes %s\n", name_of(c, a->caller), a->text);
        break;
    case CALLER_VIOLATED:
        str_printf(out, "VIOLATED   input %s   %s\n", a->test ? a->test : "(not written)",
                   a->native == REPORT_CONFIRMED       ? "confirmed natively"
                   : a->native == REPORT_NOT_CONFIRMED ? "NOT confirmed natively"
                                                       : "not replayed natively");
        break;
    }
}

void callers_text(const Callers *c, Str *out)
{
    if (!c->report->needs.n) {
        str_add(out, "callers: there is nothing that they must pass\n");
        return;
    }
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
        json_string(json, "caller_passes", c->report->needs.v[a->need].text);
        json_string(json, "verdict", words[a->verdict]);
        if (a->verdict == CALLER_VIOLATED) {
            json_string(json, "test", a->test);
            json_string(json, "native", native[a->native]);
        } else {
            json_string(json, "text", a->text);
        }
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
        if (c->answers.v[i].verdict == CALLER_OPEN)
            return true;
    return c->by_pointer && c->report->needs.n;
}

void callers_free(Callers *c) { vec_free(&c->answers); }
