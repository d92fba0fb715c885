/* report_json.c - results for programs: Sheaf's own JSON, and SARIF 2.1.0 for code-scanning services. */
#include "report/diff_int.h"

void report_site_json(const IrProgram *p, uint32_t site, JsonOut *json)
{
    if (site == IR_NONE)
        return;
    const IrSite *s = &p->sites.v[site];
    json_string(json, "file", ir_text(p, s->file));
    json_uint(json, "line", s->line);
    if (s->column)
        json_uint(json, "column", s->column);
}

static void fault_json(const Report *r, const ReportFault *f, JsonOut *json)
{
    static const char *const verdicts[] = {"not replayed", "confirmed", "not confirmed"};
    json_object_begin(json, NULL);
    json_string(json, "kind", vm_fault_suffix(f->kind));
    json_string(json, "message", vm_fault_message(f->kind));
    json_string(json, "detail", f->message);
    json_uint(json, "cwe", vm_fault_cwe(f->kind));
    report_site_json(r->program, f->site, json);
    json_string(json, "function", f->fn);
    if (f->maker)
        json_string(json, "maker", f->maker);
    json_string(json, "test", f->test);
    if (f->input)
        json_string(json, "input", f->input);
    json_string(json, "native", verdicts[f->verdict]);
    json_string(json, "witness", f->witness);
    json_uint(json, "runs", f->count);
    json_array_begin(json, "stack");
    for (uint32_t i = 0; i < f->stack.n; i++) {
        if (r->program->fns.v[f->stack.v[i].fn].driver)
            continue;
        json_object_begin(json, NULL);
        json_string(json, "function", ir_text(r->program, r->program->fns.v[f->stack.v[i].fn].name));
        report_site_json(r->program, f->stack.v[i].site, json);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

static void coverage_json(const VmCoverage *c, JsonOut *json)
{
    json_object_begin(json, "coverage");
    json_uint(json, "lines", c->lines);
    json_uint(json, "lines_covered", c->lines_covered);
    json_uint(json, "branches", c->branches);
    json_uint(json, "branches_covered", c->branches_covered);
    json_uint(json, "blocks", c->blocks);
    json_uint(json, "blocks_covered", c->blocks_covered);
    json_object_end(json);
}

static void ledger_json(const Report *r, JsonOut *json)
{
    Ledger *lines = ledger_by_line(r->ledger, r->program);
    json_array_begin(json, "incomplete");
    for (uint32_t i = 0; i < ledger_count(lines); i++) {
        const LedgerEntry *e = ledger_entry(lines, i);
        Str text = {0};
        ledger_entry_text(e, r->program, &text);
        json_object_begin(json, NULL);
        json_string(json, "kind", ledger_kind_word(e->kind));
        json_string(json, "text", str_text(&text));
        json_string(json, "option", ledger_kind_option(e->kind));
        json_uint(json, "count", e->count);
        report_site_json(r->program, e->site, json);
        json_object_end(json);
        str_free(&text);
    }
    json_array_end(json);
    ledger_free(lines);
}

void report_assumed_json(const Ledger *ledger, JsonOut *json)
{
    json_array_begin(json, "assumed");
    for (unsigned i = 0; i < LEDGER_ENV_COUNT; i++)
        if (ledger_assumption(ledger, i))
            json_string(json, NULL, ledger_assumption(ledger, i));
    json_array_end(json);
    if (!ledger_shape_count(ledger))
        return;
    json_array_begin(json, "complete_for");
    for (uint32_t i = 0; i < ledger_shape_count(ledger); i++)
        json_string(json, NULL, ledger_shape_at(ledger, i)->text);
    if (ledger_shape_relation(ledger))
        json_string(json, NULL, ledger_shape_relation(ledger));
    json_array_end(json);
}

/* Of the entry, or of calls that make its arguments. */
static void needs_json(const Report *r, const char *key, bool making, JsonOut *json)
{
    bool any = false;
    for (uint32_t i = 0; i < r->needs.n; i++)
        any |= !r->needs.v[i].maker == !making;
    if (!any)
        return;
    json_array_begin(json, key);
    for (uint32_t i = 0; i < r->needs.n; i++) {
        const ReportNeed *n = &r->needs.v[i];
        if (!n->maker != !making)
            continue;
        json_object_begin(json, NULL);
        json_string(json, "caller_passes", n->text);
        json_string(json, "kind", vm_fault_suffix(n->kind));
        json_string(json, "detail", n->message);
        report_site_json(r->program, n->site, json);
        json_string(json, "function", n->fn);
        if (n->maker)
            json_string(json, "maker", n->maker);
        json_uint(json, "runs", n->count);
        json_object_end(json);
    }
    json_array_end(json);
}

void report_faults_json(const Report *r, JsonOut *json)
{
    json_array_begin(json, "faults");
    for (uint32_t i = 0; i < r->faults.n; i++)
        fault_json(r, &r->faults.v[i], json);
    json_array_end(json);
}

void report_json(const Report *r, JsonOut *json)
{
    Str answer = {0};
    bool complete = !ledger_count(r->ledger);
    json_string(json, "command", r->command);
    str_printf(&answer, "%s%s", complete ? "complete" : "incomplete",
               r->faults_skipped ? ", faults not looked for" : "");
    if (r->faults.n || r->faults_sought)
        str_printf(&answer, ", %u fault%s", r->faults.n, r->faults.n == 1 ? "" : "s");
    json_string(json, "answer", str_text(&answer));
    json_bool(json, "finished", true);
    json_bool(json, "complete", complete);
    if (r->faults_sought || r->faults_skipped)
        json_bool(json, "faults_complete", r->faults_sought && (complete || r->faults_done));
    str_free(&answer);
    json_uint(json, "paths", r->paths);
    json_uint(json, "tests", r->tests);
    json_uint(json, "runs", r->runs);
    if (r->no_input)
        json_bool(json, "symbolic_input", false);
    json_double(json, "seconds", r->seconds);
    coverage_json(&r->coverage, json);
    report_faults_json(r, json);
    needs_json(r, "needs", false, json);
    needs_json(r, "left_out", true, json);
    ledger_json(r, json);
    report_assumed_json(r->ledger, json);
    if (r->unfinished)
        json_string(json, "unfinished", r->unfinished);
}

/* ---- SARIF ----------------------------------------------------------------------------------- */

/* Of each rule of the notes one, whose text says all there is to say. */
static void sarif_note_rules(const Report *r, JsonOut *json)
{
    for (uint32_t i = 0; i < r->notes.n; i++) {
        bool before = false;
        for (uint32_t k = 0; k < i; k++)
            before |= !strcmp(r->notes.v[k].rule, r->notes.v[i].rule);
        if (before)
            continue;
        json_object_begin(json, NULL);
        json_string(json, "id", r->notes.v[i].rule);
        json_object_end(json);
    }
}

static void sarif_rules(const Report *r, JsonOut *json)
{
    json_array_begin(json, "rules");
    for (unsigned k = 0; k < VM_FAULT_COUNT; k++) {
        char help[64];
        snprintf(help, sizeof help, "CWE-%u", vm_fault_cwe(k));
        json_object_begin(json, NULL);
        json_string(json, "id", vm_fault_suffix(k));
        json_object_begin(json, "shortDescription");
        json_string(json, "text", vm_fault_message(k));
        json_object_end(json);
        json_object_begin(json, "properties");
        json_array_begin(json, "tags");
        json_string(json, NULL, help);
        json_array_end(json);
        json_object_end(json);
        json_object_end(json);
    }
    sarif_note_rules(r, json);
    json_array_end(json);
}

static void sarif_location(const IrProgram *p, uint32_t site, JsonOut *json)
{
    json_object_begin(json, "physicalLocation");
    json_object_begin(json, "artifactLocation");
    json_string(json, "uri", site == IR_NONE ? "unknown" : ir_text(p, p->sites.v[site].file));
    json_object_end(json);
    json_object_begin(json, "region");
    json_uint(json, "startLine", site == IR_NONE || !p->sites.v[site].line ? 1 : p->sites.v[site].line);
    if (site != IR_NONE && p->sites.v[site].line && p->sites.v[site].column)
        json_uint(json, "startColumn", p->sites.v[site].column);
    json_object_end(json);
    json_object_end(json);
}

/* The same fault must have the same fingerprint when lines above it move: kind, file, function, not the
 * line. */
static void sarif_fingerprint(const Report *r, const ReportFault *f, uint32_t nth, JsonOut *json)
{
    Str text = {0};
    char hash[32];
    const char *file = f->site == IR_NONE ? "" : ir_text(r->program, r->program->sites.v[f->site].file);
    str_printf(&text, "%s|%s|%s|%u", vm_fault_suffix(f->kind), file, f->fn, nth);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)hash_bytes(text.v, text.n));
    json_object_begin(json, "partialFingerprints");
    json_string(json, "sheafFault/v1", hash);
    json_object_end(json);
    str_free(&text);
}

static void sarif_result(const Report *r, uint32_t i, JsonOut *json)
{
    const ReportFault *f = &r->faults.v[i];
    Str text = {0};
    uint32_t nth = 0;
    for (uint32_t k = 0; k < i; k++)
        nth += r->faults.v[k].kind == f->kind && !strcmp(r->faults.v[k].fn, f->fn);
    str_printf(&text, "%s%s%s%s%s", vm_fault_message(f->kind), f->fn[0] ? " in " : "", f->fn,
               f->message[0] ? ": " : "", f->message);
    json_object_begin(json, NULL);
    json_string(json, "ruleId", vm_fault_suffix(f->kind));
    json_string(json, "level", "error");
    json_object_begin(json, "message");
    json_string(json, "text", str_text(&text));
    json_object_end(json);
    json_array_begin(json, "locations");
    json_object_begin(json, NULL);
    sarif_location(r->program, f->site, json);
    json_object_end(json);
    json_array_end(json);
    sarif_fingerprint(r, f, nth, json);
    json_array_begin(json, "codeFlows");
    json_object_begin(json, NULL);
    json_array_begin(json, "threadFlows");
    json_object_begin(json, NULL);
    json_array_begin(json, "locations");
    for (uint32_t k = f->stack.n; k-- > 0;) {
        if (f->stack.v[k].site == IR_NONE || r->program->fns.v[f->stack.v[k].fn].runtime ||
            r->program->fns.v[f->stack.v[k].fn].driver)
            continue;
        json_object_begin(json, NULL);
        json_object_begin(json, "location");
        sarif_location(r->program, f->stack.v[k].site, json);
        json_object_end(json);
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
    json_array_end(json);
    json_object_end(json);
    json_array_end(json);
    json_object_end(json);
    str_free(&text);
}

static void sarif_notification(const IrProgram *p, const char *id, const char *text, uint32_t site,
                               JsonOut *json)
{
    json_object_begin(json, NULL);
    json_object_begin(json, "descriptor");
    json_string(json, "id", id);
    json_object_end(json);
    json_string(json, "level", "warning");
    json_object_begin(json, "message");
    json_string(json, "text", text);
    json_object_end(json);
    if (site != IR_NONE) {
        json_array_begin(json, "locations");
        json_object_begin(json, NULL);
        sarif_location(p, site, json);
        json_object_end(json);
        json_array_end(json);
    }
    json_object_end(json);
}

/* Without it an incomplete answer looks like a clean one. */
static void sarif_invocation(const Report *r, JsonOut *json)
{
    json_array_begin(json, "invocations");
    json_object_begin(json, NULL);
    json_bool(json, "executionSuccessful", !ledger_count(r->ledger) && !r->faults_skipped);
    json_int(json, "exitCode", report_status(r));
    json_array_begin(json, "toolExecutionNotifications");
    if (r->faults_skipped)
        sarif_notification(r->program, "incomplete/faults", report_faults_skipped, IR_NONE, json);
    Ledger *lines = ledger_by_line(r->ledger, r->program);
    for (uint32_t i = 0; i < ledger_count(lines); i++) {
        const LedgerEntry *e = ledger_entry(lines, i);
        Str text = {0}, id = {0};
        str_add(&text, "incomplete: ");
        ledger_entry_text(e, r->program, &text);
        str_printf(&id, "incomplete/%s", ledger_kind_word(e->kind));
        sarif_notification(r->program, str_text(&id), str_text(&text), e->site, json);
        str_free(&text);
        str_free(&id);
    }
    ledger_free(lines);
    json_array_end(json);
    json_object_end(json);
    json_array_end(json);
}

static void sarif_note(const Report *r, const ReportNote *n, JsonOut *json)
{
    json_object_begin(json, NULL);
    json_string(json, "ruleId", n->rule);
    json_string(json, "level", n->level);
    json_object_begin(json, "message");
    json_string(json, "text", n->text);
    json_object_end(json);
    json_array_begin(json, "locations");
    json_object_begin(json, NULL);
    sarif_location(r->program, n->site, json);
    json_object_end(json);
    json_array_end(json);
    json_object_end(json);
}

void report_sarif_begin(const char *version, JsonOut *json)
{
    json_object_begin(json, NULL);
    json_string(json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_string(json, "version", "2.1.0");
    json_array_begin(json, "runs");
    json_object_begin(json, NULL);
    json_object_begin(json, "tool");
    json_object_begin(json, "driver");
    json_string(json, "name", "Sheaf");
    json_string(json, "version", version);
}

void report_sarif(const Report *r, const char *version, Str *out)
{
    JsonOut json = {0};
    report_sarif_begin(version, &json);
    sarif_rules(r, &json);
    json_object_end(&json);
    json_object_end(&json);
    sarif_invocation(r, &json);
    json_array_begin(&json, "results");
    for (uint32_t i = 0; i < r->faults.n; i++)
        sarif_result(r, i, &json);
    for (uint32_t i = 0; i < r->notes.n; i++)
        sarif_note(r, &r->notes.v[i], &json);
    json_array_end(&json);
    json_object_begin(&json, "properties");
    report_assumed_json(r->ledger, &json);
    json_object_end(&json);
    json_object_end(&json);
    json_array_end(&json);
    json_object_end(&json);
    str_add_n(out, json.text.v, json.text.n);
    str_add_char(out, '\n');
    str_free(&json.text);
}
