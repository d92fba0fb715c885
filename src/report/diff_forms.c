/* diff_forms.c - what a change changes, as JSON, SARIF and Markdown. */
#include "report/diff_int.h"

static const char *const verdict_words[] = {"identical", "same", "different", "open", "added", "removed"};
static const char *const kind_words[] = {"new-fault", "fault-gone", "change"};
static const char *const row_words[] = {"identical", "proved", "different", "open"};

void report_diff_key(const Diff *d, const DiffFn *f, const DiffFinding *g, Str *out)
{
    str_printf(out, "%s %s", kind_words[g->kind], diff_fn_name(d, f->pair));
    if (g->kind != DIFF_CHANGE)
        str_printf(out, " %s %s", vm_fault_suffix(g->fault), g->where ? g->where : "?");
    for (uint32_t i = 0; g->kind == DIFF_CHANGE && i < g->changes.n; i++)
        str_printf(out, " %s", g->changes.v[i].name);
    str_printf(out, " %08x", (unsigned)(g->which ^ g->which >> 32));
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void changes_json(const DiffFinding *g, JsonOut *json)
{
    json_array_begin(json, "outputs");
    for (uint32_t i = 0; i < g->changes.n; i++) {
        const JointChange *c = &g->changes.v[i];
        json_object_begin(json, NULL);
        json_string(json, "name", c->name);
        json_string(json, "before", c->text[0]);
        json_string(json, "after", c->text[1]);
        json_string(json, "before_value", c->value[0]);
        json_string(json, "after_value", c->value[1]);
        json_object_end(json);
    }
    json_array_end(json);
}

static void tests_json(const ReportDiff *r, JsonOut *json)
{
    json_array_begin(json, "tests");
    for (uint32_t i = 0; i < r->tests.n; i++) {
        json_object_begin(json, NULL);
        json_string(json, "test", r->tests.v[i].path);
        json_bool(json, "runs_changed", r->tests.v[i].runs_changed);
        json_string(json, "difference", r->tests.v[i].difference);
        if (r->tests.v[i].why)
            json_string(json, "not_run", r->tests.v[i].why);
        json_object_end(json);
    }
    json_array_end(json);
}

static void emitted_json(const ReportDiff *r, JsonOut *json)
{
    json_string(json, "pinned", r->pinned == VERSIONS_NEW ? "new" : "old");
    json_array_begin(json, "emitted");
    for (uint32_t i = 0; i < r->emitted.n; i++)
        json_string(json, NULL, r->emitted.v[i]);
    json_array_end(json);
}

static void finding_json(const Diff *d, const DiffFn *f, const DiffFinding *g, JsonOut *json)
{
    static const char *const sides[] = {"old", "new"};
    Str key = {0};
    report_diff_key(d, f, g, &key);
    json_object_begin(json, NULL);
    json_string(json, "kind", kind_words[g->kind]);
    json_string(json, "key", str_text(&key));
    if (g->kind != DIFF_CHANGE) {
        json_string(json, "fault", vm_fault_suffix(g->fault));
        json_string(json, "message", g->message);
        json_string(json, "function", g->where);
    }
    json_string(json, "when", g->when);
    if (g->example)
        json_bool(json, "when_is_example", true);
    if (g->class != JOINT_ANY)
        json_string(json, "only", joint_class_text(g->class));
    changes_json(g, json);
    for (unsigned v = 0; v < 2; v++) {
        json_object_begin(json, sides[v]);
        report_site_json(d->versions->program[v], g->site[v], json);
        if (g->native[v])
            json_string(json, "natively", g->native[v]);
        json_object_end(json);
    }
    json_bool(json, "confirmed", g->confirmed);
    json_bool(json, "accepted", g->accepted);
    if (g->test)
        json_string(json, "test", g->test);
    if (g->tested)
        json_string(json, "tested_by", g->tested);
    if (g->tested_alike)
        json_string(json, "tested_alike_by", g->tested_alike);
    json_uint(json, "further_rows", g->more);
    json_object_end(json);
    str_free(&key);
}

static void fn_json(const Diff *d, const DiffFn *f, JsonOut *json)
{
    const VersionsFn *pair = &d->versions->fns.v[f->pair];
    json_object_begin(json, NULL);
    json_string(json, "function", diff_fn_name(d, f->pair));
    if (pair->renamed)
        json_string(json, "was",
                    ir_text(d->versions->program[0], d->versions->program[0]->fns.v[pair->fn[0]].name));
    json_string(json, "verdict", verdict_words[f->verdict]);
    json_bool(json, "changed", f->changed);
    json_bool(json, "internal", f->internal);
    json_uint(json, "instructions", pair->insns[1]);
    json_uint(json, "instructions_changed", pair->changed[1]);
    if (f->why)
        json_string(json, "open_because", f->why);
    if (f->verdict == DIFF_SAME)
        json_bool(json, "where_both_end", f->partial || f->abstracted.n || f->loops.n);
    if (f->verdict == DIFF_SAME && f->same_for)
        json_string(json, "same_for", f->same_for);
    if (f->verdict == DIFF_SAME && f->padding)
        json_bool(json, "padding_differs", true);
    if (f->why && f->bound)
        json_uint(json, "known_up_to", f->bound);
    if (f->explored) {
        json_object_begin(json, "rows");
        for (unsigned i = 0; i < COUNT_OF(row_words); i++)
            json_uint(json, row_words[i], f->rows[i]);
        json_object_end(json);
        json_uint(json, "runs", f->runs);
        json_uint(json, "queries", f->queries);
    }
    json_array_begin(json, "abstracted");
    for (uint32_t i = 0; i < f->abstracted.n; i++)
        json_string(json, NULL, f->abstracted.v[i]);
    json_array_end(json);
    json_array_begin(json, "loops");
    for (uint32_t i = 0; i < f->loops.n; i++)
        json_uint(json, NULL, f->loops.v[i]);
    json_array_end(json);
    json_array_begin(json, "doubts");
    for (uint32_t i = 0; i < f->doubts.n; i++)
        json_string(json, NULL, f->doubts.v[i]);
    json_array_end(json);
    json_array_begin(json, "findings");
    for (uint32_t i = 0; i < f->findings.n; i++)
        finding_json(d, f, &f->findings.v[i], json);
    json_array_end(json);
    json_object_end(json);
}

void report_diff_json(const ReportDiff *r, JsonOut *json)
{
    const Diff *d = r->diff;
    json_string(json, "command", "diff");
    json_string(json, "old", r->name[0]);
    json_string(json, "new", r->name[1]);
    json_string(json, "verdict", verdict_words[diff_verdict(d)]);
    json_uint(json, "new_faults", diff_count(d, DIFF_NEW_FAULT));
    json_uint(json, "faults_gone", diff_count(d, DIFF_FAULT_GONE));
    json_uint(json, "differences", diff_count(d, DIFF_CHANGE));
    json_array_begin(json, "notes");
    for (uint32_t i = 0; i < r->notes.n; i++)
        json_string(json, NULL, r->notes.v[i]);
    json_array_end(json);
    if (r->suite)
        tests_json(r, json);
    if (r->emits)
        emitted_json(r, json);
    json_array_begin(json, "functions");
    for (uint32_t i = 0; i < d->fns.n; i++)
        if (!d->versions->fns.v[i].outlined &&
            (d->fns.v[i].verdict != DIFF_IDENTICAL || d->fns.v[i].changed || r->verbose))
            fn_json(d, &d->fns.v[i], json);
    json_array_end(json);
}

/* ---- SARIF ----------------------------------------------------------------------------------- */

static void location_json(const IrProgram *p, uint32_t site, JsonOut *json)
{
    if (site == IR_NONE)
        return;
    const IrSite *s = &p->sites.v[site];
    json_object_begin(json, "physicalLocation");
    json_object_begin(json, "artifactLocation");
    json_string(json, "uri", ir_text(p, s->file));
    json_object_end(json);
    json_object_begin(json, "region");
    json_uint(json, "startLine", s->line);
    if (s->column)
        json_uint(json, "startColumn", s->column);
    json_object_end(json);
    json_object_end(json);
}

static void result_json(const Diff *d, const char *rule, const char *level, const char *text,
                        const uint32_t site[2], JsonOut *json)
{
    json_object_begin(json, NULL);
    json_string(json, "ruleId", rule);
    json_string(json, "level", level);
    json_object_begin(json, "message");
    json_string(json, "text", text);
    json_object_end(json);
    static const char *const lists[] = {"relatedLocations", "locations"};
    for (unsigned v = 2; v-- > 0;) {
        if (site[v] == IR_NONE)
            continue;
        json_array_begin(json, lists[v]);
        json_object_begin(json, NULL);
        location_json(d->versions->program[v], site[v], json);
        json_object_end(json);
        json_array_end(json);
    }
    json_object_end(json);
}

static void finding_sarif(const Diff *d, const DiffFn *f, const DiffFinding *g, JsonOut *json)
{
    Str text = {0};
    str_printf(&text, "%s  ", diff_kind_word(g->kind));
    diff_title(d, f, g, &text);
    str_printf(&text, "%s when %s", g->example ? " for example" : "", g->when);
    for (uint32_t i = 0; i < g->changes.n; i++)
        str_printf(&text, "; before %s, after %s", g->changes.v[i].value[0], g->changes.v[i].value[1]);
    U32Vec by = {0};
    diff_swallowed(d, f->pair, &by);
    const char *level = g->accepted || by.n || f->internal ? "note"
                        : g->kind == DIFF_NEW_FAULT        ? "error"
                        : g->kind == DIFF_CHANGE           ? "warning"
                                                           : "note";
    result_json(d, kind_words[g->kind], level, str_text(&text), g->site, json);
    vec_free(&by);
    str_free(&text);
}

void report_diff_sarif(const ReportDiff *r, const char *version, Str *out)
{
    const Diff *d = r->diff;
    JsonOut json = {0};
    report_sarif_begin(version, &json);
    json_object_end(&json);
    json_object_end(&json);
    json_array_begin(&json, "results");
    for (uint32_t i = 0; i < d->fns.n; i++) {
        const DiffFn *f = &d->fns.v[i];
        const VersionsFn *pair = &d->versions->fns.v[i];
        for (uint32_t k = 0; k < f->findings.n; k++)
            finding_sarif(d, f, &f->findings.v[k], &json);
        bool bounded = f->verdict == DIFF_SAME && f->same_for;
        if (f->verdict != DIFF_OPEN && !bounded)
            continue;
        Str text = {0};
        uint32_t site[2] = {IR_NONE, IR_NONE};
        for (unsigned v = 0; v < 2; v++)
            site[v] = pair->fn[v] == IR_NONE ? IR_NONE : d->versions->program[v]->fns.v[pair->fn[v]].site;
        str_printf(&text, bounded ? "%s: same for: %s" : "%s: open: %s", diff_fn_name(d, i),
                   bounded ? f->same_for : f->why);
        result_json(d, bounded ? "same-for" : "open", "note", str_text(&text), site, &json);
        str_free(&text);
    }
    json_array_end(&json);
    json_object_end(&json);
    json_array_end(&json);
    json_object_end(&json);
    str_add(out, str_text(&json.text));
    str_add_char(out, '\n');
    str_free(&json.text);
}

/* ---- Markdown -------------------------------------------------------------------------------- */

/* In a cell of a table. */
static void cell(const char *text, Str *out)
{
    for (; *text; text++) {
        if (*text == '|')
            str_add(out, "\\|");
        else if (*text == '<')
            str_add(out, "&lt;");
        else
            str_add_char(out, *text == '\n' ? ' ' : *text);
    }
}

static void row(const char *what, const char *title, const char *when, const char *before, const char *after,
                Str *out)
{
    const char *const cells[] = {what, title, when, before, after};
    for (size_t i = 0; i < COUNT_OF(cells); i++) {
        str_add(out, "| ");
        cell(cells[i], out);
        str_add_char(out, ' ');
    }
    str_add(out, "|\n");
}

void report_diff_markdown(const ReportDiff *r, Str *out)
{
    const Diff *d = r->diff;
    Str text = {0};
    diff_summary(d, &text);
    str_printf(out, "### What this change changes: %s\n\n", str_text(&text));
    bool any = false;
    for (uint32_t i = 0; i < d->fns.n; i++)
        any |= d->fns.v[i].findings.n || d->fns.v[i].verdict == DIFF_OPEN || d->fns.v[i].verdict == DIFF_SAME;
    if (any)
        str_add(out, "| | where | when | before | after |\n|---|---|---|---|---|\n");
    for (unsigned kind = DIFF_NEW_FAULT; kind <= DIFF_CHANGE; kind++)
        for (uint32_t i = 0; i < d->fns.n; i++)
            for (uint32_t k = 0; k < d->fns.v[i].findings.n; k++) {
                const DiffFinding *g = &d->fns.v[i].findings.v[k];
                if (g->kind != kind)
                    continue;
                vec_clear(&text);
                diff_title(d, &d->fns.v[i], g, &text);
                const char *when = g->example ? arena_printf(d->arena, "for example %s", g->when) : g->when;
                row(g->accepted            ? "accepted"
                    : d->fns.v[i].internal ? "internal"
                                           : diff_kind_word(kind),
                    str_text(&text), when, g->changes.n ? g->changes.v[0].value[0] : "",
                    g->changes.n ? g->changes.v[0].value[1] : "", out);
            }
    for (uint32_t i = 0; i < d->fns.n; i++)
        if (d->fns.v[i].verdict == DIFF_OPEN)
            row("open", diff_fn_name(d, i), d->fns.v[i].why, "", "", out);
        else if (d->fns.v[i].verdict == DIFF_SAME)
            row("same", diff_fn_name(d, i), d->fns.v[i].same_for ? d->fns.v[i].same_for : "always (proved)",
                "", "", out);
    vec_clear(&text);
    ReportDiff full = *r;
    full.verbose = true;
    report_diff_text(&full, &text);
    str_printf(out, "\n<details><summary>Details</summary>\n\n```\n%s```\n</details>\n", str_text(&text));
    str_free(&text);
}
