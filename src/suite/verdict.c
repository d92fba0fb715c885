/* verdict.c - does the native run agree with what the test says?
 *
 * A fault is confirmed if the kind and the line agree. Natively a bad pointer hits whatever lies there, so
 * among the faults of one access the kind may be another one as long as the line is the same. */
#include "suite/replay_int.h"

#include <signal.h>
#include <sys/wait.h>

static const struct {
    const char *word;
    unsigned check;
} check_words[] = {
    {"overflow", SUITE_CHECK_OVERFLOW}, {"shift", SUITE_CHECK_SHIFT},     {"uninit", SUITE_CHECK_UNINIT},
    {"leak", SUITE_CHECK_LEAK},         {"overlap", SUITE_CHECK_OVERLAP},
};

/* Kinds that a native run may show for one another. */
static const char *const families[] = {
    "oob-read wild use-after-free use-after-return use-after-scope",
    "oob-write wild read-only use-after-free use-after-return use-after-scope",
    "null wild bad-call",
    "double-free invalid-free use-after-free",
    "abort assert reported",
    "trap unreachable",
    "div-zero div-overflow",
    "oob-read overlap",
    "oob-write overlap",
};

uint64_t replay_checks(const SuiteReplay *r, const SuiteTest *t)
{
    uint64_t checks = r->options.checks;
    for (size_t i = 0; i < COUNT_OF(check_words); i++) {
        if (!strcmp(t->fault, check_words[i].word))
            checks |= check_words[i].check;
        for (uint32_t k = 0; k < t->checks.n; k++)
            if (!strcmp(t->checks.v[k], check_words[i].word))
                checks |= check_words[i].check;
    }
    return checks;
}

/* File names without directories, and lines: paths depend on where a compiler was started. An expectation
 * without a line fits anywhere; a native fault without a line does not fit, unless the sanitizer
 * cannot report lines. */
static bool same_line(const char *a, const char *b, bool could_tell)
{
    size_t file_a, file_b;
    uint32_t line_a, line_b;
    if (!suite_site_split(a, &file_a, &line_a))
        return true;
    if (!suite_site_split(b, &file_b, &line_b))
        return !could_tell;
    while (file_a && file_b && a[file_a - 1] == b[file_b - 1] && a[file_a - 1] != '/') {
        file_a--;
        file_b--;
    }
    bool ends_a = !file_a || a[file_a - 1] == '/', ends_b = !file_b || b[file_b - 1] == '/';
    return line_a == line_b && ends_a && ends_b;
}

static bool related(const char *kinds, const char *kind)
{
    for (size_t i = 0; i < COUNT_OF(families); i++) {
        if (!words_have(families[i], kind))
            continue;
        char copy[256], *rest = NULL;
        snprintf(copy, sizeof copy, "%s", kinds);
        for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
            if (words_have(families[i], word))
                return true;
    }
    return false;
}

/* Where a run of these kinds ends is not where it went wrong, or depends on the frames' sizes. */
static bool line_matters(const char *kind) { return strcmp(kind, "leak") && strcmp(kind, "stack-overflow"); }

static const char *sanitizer_name(const char *report)
{
    static const char *const names[] = {"LeakSanitizer", "AddressSanitizer", "MemorySanitizer",
                                        "UndefinedBehaviorSanitizer"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strstr(report, names[i]))
            return names[i];
    return "UndefinedBehaviorSanitizer";
}

/* After a call or jump to nowhere the sanitizer finds no stack to walk, and says no more than that. */
static bool lost_its_stack(const char *report)
{
    return strstr(report, "AddressSanitizer: SEGV") && !strstr(report, "#0 0x");
}

/* The kinds that the run showed, NULL if it showed no fault; fills fault and site of out with the first. */
static const char *native_fault(const SuiteReplay *r, const ReplayRun *run, SuiteOutcome *out)
{
    char function[256];
    const char *report = str_text(&run->report), *kinds = sanitizer_kinds(report);
    bool by_event = text_starts_with(run->event, "reported ");
    int signal =
        WIFSIGNALED(run->sandbox.status) && !run->sandbox.timed_out ? WTERMSIG(run->sandbox.status) : 0;
    if (by_event)
        kinds = "reported";
    else if (lost_its_stack(report))
        kinds = "bad-call bad-jump";
    if (!kinds && signal == SIGABRT) /* MemorySanitizer leaves some signals alone */
        kinds = "abort assert";
    if (!kinds && (signal == SIGILL || signal == SIGTRAP))
        kinds = "trap unreachable";
    if (!kinds && signal == SIGFPE)
        kinds = "div-zero div-overflow";
    if (!kinds && (signal == SIGSEGV || signal == SIGBUS))
        kinds = "wild null";
    if (!kinds)
        return NULL;
    snprintf(out->fault, sizeof out->fault, "%.*s", (int)strcspn(kinds, " "), kinds);
    char site[sizeof out->site];
    sanitizer_site(report, r->work, site, sizeof site, function, sizeof function);
    snprintf(out->site, sizeof out->site, "%s", suite_path_here(site));
    return kinds;
}

static void describe_native(const SuiteOutcome *o, Str *text)
{
    if (o->fault[0])
        str_printf(text, "natively %s%s%s", o->fault, o->site[0] ? " at " : "", o->site);
    else
        str_printf(text, "natively it ended with status %d", o->status);
}

/* Did it end for that it asked for other inputs than the test has, or that one of them is not as it
 * assumes? */
static bool ended_by_inputs(const ReplayRun *run)
{
    return text_starts_with(run->event, "mismatch ") || text_starts_with(run->event, "more ") ||
           text_starts_with(run->event, "assumption ");
}

static void judge_fault(const SuiteReplay *r, const SuiteTest *t, const char *kinds, const ReplayRun *run,
                        SuiteOutcome *out, Str *text)
{
    const char *report = str_text(&run->report);
    bool no_frame = strstr(report, "pc points to the zero page") ||
                    strstr(report, "PC is at a non-executable region") || lost_its_stack(report);
    bool no_caller =
        no_frame && !strcmp(t->fault, "bad-call"); /* the frames begin behind the one that called */
    bool raised =
        !strcmp(t->fault, "reported") && text_starts_with(t->message, "raised "); /* any signal shows it */
    bool could_tell =
        r->symbolizer && run->report.n && !no_frame; /* a bad call has no frame that knows its line */
    bool same_kind = kinds && words_have(kinds, t->fault), same = same_line(t->site, out->site, could_tell),
         line = same || no_caller;
    if (same_kind && (line || !line_matters(t->fault))) {
        out->verdict = SUITE_CONFIRMED;
        snprintf(out->fault, sizeof out->fault, "%s", t->fault);
    } else if (kinds && out->site[0] && t->site[0] && line && (raised || related(kinds, t->fault))) {
        out->verdict = SUITE_CONFIRMED;
    } else {
        out->verdict = SUITE_NOT_CONFIRMED;
    }
    if (out->verdict == SUITE_CONFIRMED)
        str_printf(text, "%s%s%s%s", run->report.n ? sanitizer_name(report) : "the program itself",
                   same_kind ? "" : ", as ", same_kind ? "" : out->fault,
                   same || !no_caller ? "" : ", which does not see the line of the call");
    else if (ended_by_inputs(run))
        str_add(text, strchr(run->event, ' ') + 1);
    else
        describe_native(out, text);
    if (out->verdict == SUITE_NOT_CONFIRMED && !kinds && strstr(t->message, "a heap object (0 bytes"))
        str_add(text, "; AddressSanitizer makes an object of 0 bytes one byte long");
}

static void judge_plain(const SuiteTest *t, const ReplayBuild *build, const char *kinds, const ReplayRun *run,
                        SuiteOutcome *out, Str *text)
{
    bool has_status = suite_test_has_status(t, build->entry);
    bool cut = suite_test_is_cut_short(t), assumed = text_starts_with(run->event, "assumption ");
    bool expected =
        assumed ? cut || t->ending == SUITE_END_ASSUMPTION : cut && text_starts_with(run->event, "more ");
    bool stopped = ended_by_inputs(run) && !expected;
    out->verdict = SUITE_DIFFERS;
    if (kinds) {
        if (cut || t->ending == SUITE_END_UNKNOWN)
            out->verdict = SUITE_CONFIRMED;
        describe_native(out, text);
    } else if (stopped) {
        str_add(text, strchr(run->event, ' ') + 1);
    } else if (strstr(str_text(&run->report), "hard rss limit exhausted")) {
        str_add(text, "natively it was stopped at the limit of memory");
    } else if (out->status == REPLAY_SANITIZER_STATUS && strstr(str_text(&run->report), "ERROR: ")) {
        const char *line = strstr(str_text(&run->report), "ERROR: ") + strlen("ERROR: ");
        str_add_n(text, line, strcspn(line, "\n"));
    } else if (WIFSIGNALED(run->sandbox.status)) {
        str_printf(text, "natively it was killed by signal %d", WTERMSIG(run->sandbox.status));
    } else if (has_status && out->status != (t->status & 0xff)) {
        str_printf(text, "natively it ended with status %d, expected %d", out->status, t->status & 0xff);
    } else {
        out->verdict = SUITE_PASSED;
    }
}

void replay_judge(const SuiteReplay *r, const SuiteTest *t, const ReplayBuild *build, const ReplayRun *run,
                  SuiteOutcome *out)
{
    const SandboxResult *s = &run->sandbox;
    Str text = {0};
    if (!s->ran) {
        out->verdict = SUITE_NOT_RUN;
        str_printf(&text, "it could not be run: %s", s->problem);
    } else if (s->timed_out && r->options.interrupt && *r->options.interrupt) {
        out->verdict = SUITE_NOT_RUN;
        str_add(&text, "interrupted");
    } else if (s->timed_out || (WIFSIGNALED(s->status) && WTERMSIG(s->status) == SIGXCPU)) {
        out->verdict = SUITE_TIMED_OUT;
        str_printf(&text, "natively it was stopped after %g s", r->options.timeout);
    } else {
        out->status = WIFEXITED(s->status) ? WEXITSTATUS(s->status) : 128 + WTERMSIG(s->status);
        const char *kinds = native_fault(r, run, out);
        if (t->ending == SUITE_END_FAULT)
            judge_fault(r, t, kinds, run, out, &text);
        else
            judge_plain(t, build, kinds, run, out, &text);
    }
    snprintf(out->message, sizeof out->message, "%s", str_text(&text));
    str_free(&text);
}
