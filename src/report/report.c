/* report.c - collecting results, and the text form. */
#include "report/report.h"
#include "report/signature_int.h"

void report_init(Report *r, const char *command, const IrProgram *program, const Ledger *ledger)
{
    *r = (Report){.command = command, .program = program, .ledger = ledger, .arena = arena_new()};
}

void report_free(Report *r)
{
    for (uint32_t i = 0; i < r->faults.n; i++)
        vec_free(&r->faults.v[i].stack);
    vec_free(&r->faults);
    vec_free(&r->needs);
    vec_free(&r->notes);
    arena_free(r->arena);
}

void report_fault_describe(Report *r, ReportFault *f, const VmResult *result)
{
    f->fn = explore_function(r->program, result);
    f->message = arena_strdup(r->arena, result->message);
    vec_clear(&f->stack);
    for (uint32_t i = 0; i < result->stack.n; i++)
        vec_push(&f->stack, result->stack.v[i]);
}

ReportFault *report_fault(Report *r, const VmResult *result, bool *fresh)
{
    for (uint32_t i = 0; i < r->faults.n; i++) {
        ReportFault *f = &r->faults.v[i];
        if (f->kind == result->fault && f->site == result->site) {
            f->count++;
            f->maker = explore_maker(r->program, result) ? f->maker : NULL;
            *fresh = false;
            return f;
        }
    }
    ReportFault f = {
        .kind = result->fault, .site = result->site, .maker = explore_maker(r->program, result), .count = 1};
    report_fault_describe(r, &f, result);
    vec_push(&r->faults, f);
    *fresh = true;
    return &vec_last(&r->faults);
}

void report_need(Report *r, const VmResult *result)
{
    for (uint32_t i = 0; i < r->needs.n; i++)
        if (r->needs.v[i].site == result->site && !strcmp(r->needs.v[i].text, result->need)) {
            r->needs.v[i].count++;
            return;
        }
    vec_push(&r->needs, (ReportNeed){.text = arena_strdup(r->arena, result->need),
                                     .kind = result->fault,
                                     .site = result->site,
                                     .fn = explore_function(r->program, result),
                                     .maker = explore_maker(r->program, result),
                                     .message = arena_strdup(r->arena, result->message),
                                     .count = 1});
}

ReportNeedVec report_needs_begin(Report *r)
{
    ReportNeedVec before = r->needs;
    r->needs = (ReportNeedVec){0};
    return before;
}

/* Does the larger bound say the same of that place: more of the same thing? */
static bool asks_for_more(const ReportNeed *n, const ReportNeed *larger)
{
    const char *more = strstr(n->text, VM_NEED_MORE);
    size_t same = more ? (size_t)(more - n->text) + strlen(VM_NEED_MORE) : 0;
    return same && n->site == larger->site && !strncmp(n->text, larger->text, same);
}

void report_needs_end(Report *r, ReportNeedVec *before, bool complete)
{
    for (uint32_t i = 0; i < before->n; i++) {
        const ReportNeed *n = &before->v[i];
        bool known = complete && strstr(n->text, VM_NEED_MORE);
        for (uint32_t k = 0; k < r->needs.n; k++)
            known |= asks_for_more(n, &r->needs.v[k]) ||
                     (r->needs.v[k].site == n->site && !strcmp(r->needs.v[k].text, n->text));
        if (!known)
            vec_push(&r->needs, *n);
    }
    vec_free(before);
}

/* Is the need one that says less than a fault of the function's own at its place, or than another need
 * there? */
static bool is_weaker(const Report *r, const ReportNeed *n)
{
    bool separate = strstr(n->text, VM_NEED_SEPARATE), members = strstr(n->text, VM_NEED_MEMBERS);
    for (uint32_t k = 0; k < r->faults.n; k++)
        if (r->faults.v[k].site == n->site && r->faults.v[k].kind == n->kind && (separate || members))
            return true;
    for (uint32_t k = 0; k < r->needs.n; k++) {
        const ReportNeed *other = &r->needs.v[k];
        if (separate && other->site == n->site && other->kind == n->kind &&
            !strstr(other->text, VM_NEED_SEPARATE))
            return true;
    }
    return false;
}

void report_needs_settle(Report *r)
{
    ReportNeedVec kept = {0};
    for (uint32_t i = 0; i < r->needs.n; i++)
        if (!is_weaker(r, &r->needs.v[i]))
            vec_push(&kept, r->needs.v[i]);
    vec_free(&r->needs);
    r->needs = kept;
}

int report_status(const Report *r)
{
    if (r->faults.n)
        return EXIT_FOUND;
    return ledger_count(r->ledger) || r->faults_skipped ? EXIT_INCOMPLETE : EXIT_CLEAN;
}

static const char *verdict_text(const ReportFault *f)
{
    switch (f->verdict) {
    case REPORT_CONFIRMED: return "confirmed natively";
    case REPORT_NOT_CONFIRMED: return "not confirmed natively";
    case REPORT_NOT_REPLAYED: break;
    }
    return "not replayed";
}

static void fault_text(const Report *r, const ReportFault *f, Str *out)
{
    char where[512];
    str_printf(out, "FAULT  %s   %s", vm_fault_message(f->kind),
               explore_is_users(r->program, f->site) ? ir_site_text(r->program, f->site, where, sizeof where)
                                                     : "outside the program's code");
    if (f->fn[0])
        str_printf(out, " in %s", f->fn);
    if (f->message[0])
        str_printf(out, ": %s", f->message);
    str_add_char(out, '\n');
    if (f->test)
        str_printf(out, "       input %s   ", f->test);
    else
        str_add(out, "       ");
    str_add(out, verdict_text(f));
    if (f->witness)
        str_printf(out, " (%s)", f->witness);
    str_add_char(out, '\n');
    if (f->maker)
        str_printf(out, "       while an argument was made: it is a fault of %s\n", f->maker);
    for (const char *line = f->input ? f->input : ""; *line; line += strcspn(line, "\n") + 1)
        str_printf(out, "       %.*s\n", (int)strcspn(line, "\n"), line);
}

/* Rounded down, so that only all is 100 %. */
static unsigned percent(uint32_t part, uint32_t whole)
{
    return whole ? (unsigned)((uint64_t)part * 100 / whole) : 100;
}

static const char *plural(uint64_t n) { return n == 1 ? "" : "s"; }

void report_faults_text(const Report *r, Str *out)
{
    for (uint32_t i = 0; i < r->faults.n; i++)
        fault_text(r, &r->faults.v[i], out);
}

/* Those of the entry, or those of calls that make its arguments. */
static void needs_text(const Report *r, const char *head, bool making, Str *out)
{
    char where[512];
    uint32_t width = 0;
    for (uint32_t i = 0; i < r->needs.n; i++)
        if (!r->needs.v[i].maker == !making && strlen(r->needs.v[i].text) > width)
            width = (uint32_t)strlen(r->needs.v[i].text);
    if (width)
        str_printf(out, "%s\n", head);
    for (uint32_t i = 0; i < r->needs.n; i++) {
        const ReportNeed *n = &r->needs.v[i];
        if (!n->maker != !making)
            continue;
        str_printf(out, "  %-*s   else %s at %s", (int)width, n->text, vm_fault_message(n->kind),
                   explore_is_users(r->program, n->site)
                       ? ir_site_text(r->program, n->site, where, sizeof where)
                       : "a place outside the program's code");
        str_printf(out, "%s%s\n", n->fn[0] ? " in " : "", n->fn);
    }
}

/* "complete for: text string <= 3; all separate", and what was not finished beyond that. */
static void shapes_text(const Report *r, const char *before, Str *out)
{
    str_add(out, before);
    ledger_shapes_text(r->ledger, out);
    str_add_char(out, '\n');
    if (r->unfinished)
        str_printf(out, "%s\n", r->unfinished);
}

const char report_faults_skipped[] = "faults were not looked for: --explore dependence or full does";

void report_ledger_text(const Ledger *ledger, const IrProgram *program, const char *indent, bool all,
                        Str *out)
{
    enum { SHOWN = 10 };
    Ledger *lines = ledger_by_line(ledger, program);
    uint32_t n = ledger_count(lines), shown = all || n <= SHOWN ? n : SHOWN;
    for (uint32_t i = 0; i < shown; i++) {
        str_add(out, indent);
        ledger_entry_text(ledger_entry(lines, i), program, out);
        str_add_char(out, '\n');
    }
    if (n > shown)
        str_printf(out, "%sand %u more: -v lists them\n", indent, n - shown);
    ledger_free(lines);
}

static void ledger_text(const Report *r, Str *out)
{
    str_add(out, "incomplete, because\n");
    report_ledger_text(r->ledger, r->program, "  ", r->verbose, out);
}

static void summary_text(const Report *r, Str *out)
{
    str_printf(out, "%llu path%s, %llu test%s kept, ", (unsigned long long)r->paths, plural(r->paths),
               (unsigned long long)r->tests, plural(r->tests));
    if (!r->faults_skipped)
        str_printf(out, "%u fault%s", r->faults.n, plural(r->faults.n));
    else if (r->faults.n)
        str_printf(out, "%u fault%s found", r->faults.n, plural(r->faults.n));
    else
        str_add(out, "faults not looked for");
    str_printf(out, ", lines %u %%, branches %u %%\n", percent(r->coverage.lines_covered, r->coverage.lines),
               percent(r->coverage.branches_covered, r->coverage.branches));
}

void report_text(const Report *r, Str *out)
{
    report_faults_text(r, out);
    summary_text(r, out);
    if (r->no_input)
        str_add(out, "no symbolic input: one run\n");
    bool shaped = ledger_shape_count(r->ledger);
    if (ledger_count(r->ledger))
        ledger_text(r, out);
    if (shaped)
        shapes_text(r, ledger_count(r->ledger) ? "and only for: " : "complete for: ", out);
    else if (!ledger_count(r->ledger))
        str_printf(out, "complete%s%s: no limit was hit\n", r->faults_skipped ? " for " : "",
                   !r->faults_skipped ? ""
                   : r->scope         ? r->scope
                                      : "what the program outputs");
    if (r->faults_done && ledger_count(r->ledger))
        str_add(out, "the search for faults was complete before that: only branch outcomes are open\n");
    if (r->faults_skipped)
        str_printf(out, "%s\n", report_faults_skipped);
    needs_text(r, "needs a caller that passes", false, out);
    needs_text(r, "calls that make arguments are left out unless they pass", true, out);
    ledger_assumptions_text(r->ledger, out);
}
