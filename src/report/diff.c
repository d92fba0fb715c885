/* diff.c - what a change changes, as text: new faults first, then differences, what is open, what is the
 * same. */
#include "report/diff_int.h"

#define INDENT "           "

const char *diff_kind_word(DiffKind kind)
{
    static const char *const words[] = {"NEW FAULT", "FIXED", "DIFFERENT"};
    return words[kind];
}

void diff_title(const Diff *d, const DiffFn *f, const DiffFinding *g, Str *out)
{
    unsigned version = g->kind == DIFF_NEW_FAULT ? VERSIONS_NEW : VERSIONS_OLD;
    char where[512];
    if (g->kind == DIFF_CHANGE) {
        str_printf(out, "%s:", diff_fn_name(d, f->pair));
        for (uint32_t i = 0; i < g->changes.n; i++)
            str_printf(out, "%s %s", i ? "," : "", diff_output_text(g->changes.v[i].name));
        return;
    }
    str_printf(out, "%s   %s", vm_fault_message(g->fault),
               ir_site_text(d->versions->program[version], g->site[version], where, sizeof where));
    if (g->where)
        str_printf(out, " in %s", g->where);
    if (g->message && *g->message)
        str_printf(out, ": %s", g->message);
    if (!g->where || strcmp(g->where, diff_fn_name(d, f->pair)))
        str_printf(out, " (from %s)", diff_fn_name(d, f->pair));
}

const char *diff_output_text(const char *name)
{
    static const struct {
        const char *name, *text;
    } known[] = {{"return", "what it returns"}, {"stdout", "standard output"},
                 {"stderr", "standard error"},  {"status", "exit status"},
                 {"ending", "how it ends"},     {"interface", "what other files can call"}};
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (!strcmp(known[i].name, name))
            return known[i].text;
    return name;
}

static void print_changes(const DiffFinding *g, Str *out)
{
    for (uint32_t i = 0; i < g->changes.n; i++) {
        const JointChange *c = &g->changes.v[i];
        bool terms = strcmp(c->text[0], c->value[0]) || strcmp(c->text[1], c->value[1]);
        if (g->kind != DIFF_CHANGE || !strcmp(c->name, "ending") || !strcmp(c->name, "interface")) {
            str_printf(out, INDENT "before: %s   after: %s\n", c->text[0], c->text[1]);
            continue;
        }
        if (terms && strcmp(c->text[0], c->text[1]))
            str_printf(out, INDENT "before: %s\n" INDENT "after:  %s\n", c->text[0], c->text[1]);
        str_printf(out, INDENT "%sbefore %s   after %s\n", terms ? "for example " : "", c->value[0],
                   c->value[1]);
    }
}

static void print_finding(const ReportDiff *r, const DiffFn *f, const DiffFinding *g, Str *out)
{
    str_printf(out, "%-9s  ", g->accepted ? "accepted" : f->internal ? "INTERNAL" : diff_kind_word(g->kind));
    diff_title(r->diff, f, g, out);
    str_add_char(out, '\n');
    if (g->accepted)
        return;
    str_printf(out, INDENT "%swhen %s\n", g->example ? "for example " : "", g->when);
    if (g->class != JOINT_ANY)
        str_printf(out, INDENT "%s\n", joint_class_text(g->class));
    print_changes(g, out);
    if (g->native[0] && g->confirmed)
        str_printf(out, INDENT "run natively on both: %s\n", g->difference);
    else if (g->native[0])
        str_printf(out, INDENT "not run natively: %s\n", g->native[0]);
    if (g->test)
        str_printf(out, INDENT "test %s%s\n", g->test,
                   !r->suite   ? ""
                   : g->tested ? ", which is there already"
                               : ", which is missing");
    if (r->suite && g->tested_alike)
        str_printf(out, INDENT "%s shows it for other inputs\n", g->tested_alike);
    if (g->more)
        str_printf(out, INDENT "and in %u further way%s\n", g->more, g->more == 1 ? "" : "s");
}

static void print_swallowed(const ReportDiff *r, const DiffFn *f, Str *out)
{
    U32Vec by = {0};
    diff_swallowed(r->diff, f->pair, &by);
    for (uint32_t i = 0; i < by.n; i++)
        str_printf(out, "%s%s", i ? ", " : INDENT "not visible in ", diff_fn_name(r->diff, by.v[i]));
    if (by.n)
        str_add(out, " (proved)\n");
    vec_free(&by);
}

static void print_kind(const ReportDiff *r, DiffKind kind, Str *out)
{
    for (uint32_t i = 0; i < r->diff->fns.n; i++) {
        const DiffFn *f = &r->diff->fns.v[i];
        for (uint32_t k = 0; k < f->findings.n; k++)
            if (f->findings.v[k].kind == kind)
                print_finding(r, f, &f->findings.v[k], out);
        if (f->findings.n && vec_last(&f->findings).kind == kind)
            print_swallowed(r, f, out);
    }
}

static void print_open(const DiffFn *f, const char *name, Str *out)
{
    str_printf(out, "%s %s: ", f->internal ? "INTERNAL  " : "OPEN      ", name);
    if (f->verdict != DIFF_OPEN && f->bound)
        str_printf(out, "beyond %u iterations and nested calls, ", f->bound);
    else if (f->verdict != DIFF_OPEN)
        str_add(out, "beyond that, ");
    str_printf(out, "%s\n", f->why);
}

static void print_same(const DiffFn *f, const char *name, Str *out)
{
    str_printf(out, "SAME       %s%s", name, f->changed ? "" : ", which calls what differs");
    for (uint32_t i = 0; i < f->abstracted.n; i++)
        str_printf(out, "%s%s", i ? ", " : "; where both end: calls of ", f->abstracted.v[i]);
    if (f->abstracted.n)
        str_add(out, " with equal arguments have equal results");
    for (uint32_t i = 0; i < f->loops.n; i++)
        str_printf(out, "%s%u",
                   i ? ", "
                   : f->abstracted.n
                       ? "; equal values before a loop, equal values behind it: line "
                       : "; where both end: equal values before a loop, equal values behind it: line ",
                   f->loops.v[i]);
    if (!f->abstracted.n && !f->loops.n && f->partial)
        str_add(out, "; where both end");
    str_add(out, f->induction ? ", by induction\n" : "\n");
    if (f->same_for)
        str_printf(out, INDENT "same for: %s\n", f->same_for);
    if (f->padding)
        str_add(out, INDENT "but for bytes between members of a structure, which have no value in C\n");
}

static void print_rest(const ReportDiff *r, Str *out)
{
    const Diff *d = r->diff;
    for (uint32_t i = 0; i < d->fns.n; i++) {
        const DiffFn *f = &d->fns.v[i];
        const char *name = diff_fn_name(d, i);
        bool visible = f->explored || f->changed || f->verdict == DIFF_OPEN;
        if (f->verdict == DIFF_SAME)
            print_same(f, name, out);
        else if (f->verdict == DIFF_OPEN || (f->verdict == DIFF_DIFFERENT && f->why))
            print_open(f, name, out);
        else if (visible && f->verdict == DIFF_ADDED)
            str_printf(out, "ADDED      %s\n", name);
        else if (visible && f->verdict == DIFF_REMOVED)
            str_printf(out, "REMOVED    %s\n", name);
        for (uint32_t k = 0; r->verbose && k < f->doubts.n; k++)
            str_printf(out, INDENT "%s\n", f->doubts.v[k]);
        if (r->verbose && f->explored)
            str_printf(
                out,
                INDENT
                "%llu rows identical, %llu proved, %llu different, %llu open; %llu runs, %llu queries\n",
                (unsigned long long)f->rows[0], (unsigned long long)f->rows[1],
                (unsigned long long)f->rows[2], (unsigned long long)f->rows[3], (unsigned long long)f->runs,
                (unsigned long long)f->queries);
    }
}

void diff_head(const ReportDiff *r, Str *out)
{
    const Versions *v = r->diff->versions;
    uint32_t identical = 0, shown = 0, all = 0;
    for (uint32_t i = 0; i < v->fns.n; i++) {
        identical += v->fns.v[i].identical && !v->fns.v[i].outlined;
        all += !v->fns.v[i].outlined;
    }
    if (v->identical) {
        str_printf(out, "no function changed: all %u are identical", all);
        return;
    }
    str_printf(out, "%u of %u functions changed", all - identical, all);
    for (uint32_t i = 0; i < v->fns.n; i++) {
        const VersionsFn *f = &v->fns.v[i];
        bool both = f->fn[0] != IR_NONE && f->fn[1] != IR_NONE;
        if (f->identical || f->outlined || shown++ >= 8)
            continue;
        str_add(out, shown == 1 ? " (" : ", ");
        if (both)
            str_printf(out, "%s: %u of %u instructions", diff_fn_name(r->diff, i), f->changed[1],
                       f->insns[1]);
        else
            str_printf(out, "%s: %s", diff_fn_name(r->diff, i), f->fn[0] == IR_NONE ? "new" : "removed");
    }
    str_add(out, shown > 8 ? ", ...)" : shown ? ")" : "");
    if (identical)
        str_printf(out, "; %u identical", identical);
}

static void count(Str *out, uint32_t n, const char *what, const char *plural)
{
    if (n)
        str_printf(out, "%s%u %s", out->n ? ", " : "", n, n == 1 ? what : plural);
}

void diff_summary(const Diff *d, Str *out)
{
    Str text = {0};
    uint32_t open = 0, same = 0, internal = 0, some = 0;
    for (uint32_t i = 0; i < d->fns.n; i++) {
        internal += d->fns.v[i].internal;
        open += !d->fns.v[i].internal && (d->fns.v[i].verdict == DIFF_OPEN ||
                                          (d->fns.v[i].verdict == DIFF_DIFFERENT && d->fns.v[i].why));
        same += d->fns.v[i].verdict == DIFF_SAME;
        some += d->fns.v[i].verdict == DIFF_SAME && d->fns.v[i].same_for;
    }
    count(&text, diff_count(d, DIFF_NEW_FAULT), "new fault", "new faults");
    count(&text, diff_count(d, DIFF_FAULT_GONE), "fault fixed", "faults fixed");
    count(&text, diff_count(d, DIFF_CHANGE), "difference", "differences");
    count(&text, open, "open", "open");
    if (!text.n && same)
        str_add(&text, some ? "same: no difference (proved for the calls that are named)"
                            : "same: no difference (proved)");
    else if (!text.n)
        str_add(&text, "same: no difference");
    else
        count(&text, same, "proved the same", "proved the same");
    if (internal)
        str_printf(&text, "; %u function%s inside differ%s or %s open, and no caller shows it", internal,
                   internal == 1 ? "" : "s", internal == 1 ? "s" : "", internal == 1 ? "is" : "are");
    str_add(out, str_text(&text));
    str_free(&text);
}

/* Those that have to do with the change; the others with -v. */
static void print_tests(const ReportDiff *r, Str *out)
{
    uint32_t changed = 0, show = 0, not_run = 0;
    for (uint32_t i = 0; i < r->tests.n; i++) {
        const ReportDiffTest *t = &r->tests.v[i];
        changed += t->runs_changed;
        show += t->difference != NULL;
        not_run += t->why != NULL;
        if (t->runs_changed || t->difference || t->why || r->verbose)
            str_printf(out, "%s  %s: %s%s\n", t->runs_changed ? "RUNS IT  " : "test     ", t->path,
                       t->why ? "not run on both: " : "",
                       t->why          ? t->why
                       : t->difference ? t->difference
                                       : "shows the same");
    }
    str_printf(out, "%u of %u tests run%s what changed, %u show%s a difference", changed, r->tests.n,
               changed == 1 ? "s" : "", show, show == 1 ? "s" : "");
    if (not_run)
        str_printf(out, ", %u could not be run on both", not_run);
    str_add_char(out, '\n');
}

void report_diff_text(const ReportDiff *r, Str *out)
{
    diff_head(r, out);
    str_add_char(out, '\n');
    for (uint32_t i = 0; i < r->notes.n; i++)
        str_printf(out, "note: %s\n", r->notes.v[i]);
    if (!r->diff->versions->identical)
        str_add_char(out, '\n');
    for (unsigned kind = DIFF_NEW_FAULT; kind <= DIFF_CHANGE; kind++)
        print_kind(r, kind, out);
    print_rest(r, out);
    if (r->suite)
        print_tests(r, out);
    for (uint32_t i = 0; i < r->emitted.n; i++)
        str_printf(out, "PINS %s   %s\n", r->pinned == VERSIONS_NEW ? "NEW" : "OLD", r->emitted.v[i]);
    diff_summary(r->diff, out);
    str_add_char(out, '\n');
    for (uint32_t i = 0; i < r->diff->assumed.n; i++)
        str_printf(out, "%s", r->diff->assumed.v[i]);
}
