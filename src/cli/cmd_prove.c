/* cmd_prove.c - `sheaf prove`: no fault on any input, loops of any length: proved, refuted with a test, or
 * open. */
#include "cli/proving.h"
#include "cli/witness.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

typedef struct ProveSettings {
    ExploringSettings exploring; /* first: exploring_options write here */
    unsigned phase, explorer;
    bool no_replay;
    const char *witness;
} ProveSettings;

static const Option prove_options[] = {
    {OPT_GROUP("Proof")},
    {OPT_ENUM(ProveSettings, phase), "phase", .preset = "both", .words = reach_phases,
     .help = "compose conditions backwards from each check, explore forwards from the entry, or both, "
             "alternating"},
    {OPT_ENUM(ProveSettings, explorer), "explore", .preset = "dependence", .words = explore_names,
     .help = "which paths forward exploration runs"},
    {OPT_FLAG(ProveSettings, no_replay), "no-replay", .help = "do not run inputs on the native program"},
    {OPT_STRING(ProveSettings, witness), "witness", .argument = "FILE",
     .help = "write a witness of the proof or the fault for validators (SV-COMP's format 2.0, YAML)"},
    {OPT_END},
};
static const Option *const prove_tables[] = {prove_options, exploring_options, exploring_output_options,
                                             program_options, NULL};

/* ---- answers --------------------------------------------------------------------------------- */

static uint32_t open_checks(const Proving *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->checks.n; i++)
        n += p->checks.v[i].status != BACKWARD_UNREACHABLE;
    return n;
}

static void open_text(const Proving *p, Str *out)
{
    char where[512];
    uint32_t open = open_checks(p);
    str_add(out, "OPEN  neither proved nor refuted");
    if (p->checks.n)
        str_printf(out, ": %u of %u checks are open", open, p->checks.n);
    str_add_char(out, '\n');
    for (uint32_t i = 0; i < p->checks.n; i++) {
        const BackwardCheck *c = &p->checks.v[i];
        if (c->status != BACKWARD_UNREACHABLE)
            str_printf(out, "  %s in %s: %s\n", ir_site_text(p->program, c->site, where, sizeof where),
                       ir_text(p->program, p->program->fns.v[c->fn].name), vm_fault_message(c->fault));
    }
    if (p->reasons.n)
        str_add(out, "because\n");
    for (uint32_t i = 0; i < p->reasons.n; i++) {
        str_add(out, "  ");
        if (p->reasons.v[i].site != IR_NONE)
            str_printf(out, "%s: ", ir_site_text(p->program, p->reasons.v[i].site, where, sizeof where));
        str_printf(out, "%s\n", p->reasons.v[i].text);
    }
}

static void result_text(const Proving *p, Str *out)
{
    switch (p->status) {
    case PROVE_PROVED:
        if (!strcmp(p->by, "backward"))
            str_printf(out, "PROVED  no fault on any input: %u check%s\n", p->checks.n,
                       p->checks.n == 1 ? "" : "s");
        else
            str_printf(out, "PROVED  no fault on any input: all paths were explored, %llu run%s\n",
                       (unsigned long long)p->runs, p->runs == 1 ? "" : "s");
        ledger_assumptions_text(p->ledger, out);
        break;
    case PROVE_REFUTED: report_faults_text(&p->report, out); break;
    case PROVE_OPEN: open_text(p, out); break;
    }
}

static void checks_json(const Proving *p, JsonOut *json)
{
    json_array_begin(json, "checks");
    for (uint32_t i = 0; i < p->checks.n; i++) {
        const BackwardCheck *c = &p->checks.v[i];
        json_object_begin(json, NULL);
        json_string(json, "kind", vm_fault_suffix(c->fault));
        json_string(json, "function", ir_text(p->program, p->program->fns.v[c->fn].name));
        report_site_json(p->program, c->site, json);
        json_string(json, "status",
                    c->status == BACKWARD_UNREACHABLE || p->status == PROVE_PROVED ? "proved" : "open");
        json_object_end(json);
    }
    json_array_end(json);
}

static void result_json(const Proving *p, JsonOut *json)
{
    static const char *const words[] = {"open", "proved", "refuted"};
    json_object_begin(json, NULL);
    json_string(json, "command", "prove");
    json_bool(json, "finished", true);
    json_string(json, "status", words[p->status]);
    json_string(json, "by", p->by);
    json_uint(json, "runs", p->runs);
    json_double(json, "seconds", clock_seconds() - p->begun);
    report_faults_json(&p->report, json);
    checks_json(p, json);
    json_array_begin(json, "reasons");
    for (uint32_t i = 0; i < p->reasons.n; i++) {
        json_object_begin(json, NULL);
        json_string(json, "text", p->reasons.v[i].text);
        report_site_json(p->program, p->reasons.v[i].site, json);
        json_object_end(json);
    }
    json_array_end(json);
    report_assumed_json(p->ledger, json);
    json_object_end(json);
}

/* Faults are results; a check that is open is a note. */
static void result_sarif(Proving *p, Str *out)
{
    for (uint32_t i = 0; p->status == PROVE_OPEN && i < p->checks.n; i++) {
        const BackwardCheck *c = &p->checks.v[i];
        if (c->status != BACKWARD_UNREACHABLE)
            vec_push(&p->report.notes, (ReportNote){.rule = "open",
                                                    .level = "note",
                                                    .site = c->site,
                                                    .text = arena_printf(p->arena, "not proved: %s",
                                                                         vm_fault_message(c->fault))});
    }
    report_sarif(&p->report, SHEAF_VERSION, out);
}

static void print_results(Proving *p, ExploringFormat format)
{
    Str out = {0};
    JsonOut json = {0};
    switch (format) {
    case FORMAT_TEXT: result_text(p, &out); break;
    case FORMAT_SARIF: result_sarif(p, &out); break;
    case FORMAT_JSON:
        result_json(p, &json);
        str_printf(&out, "%s\n", str_text(&json.text));
        break;
    }
    fputs(str_text(&out), stdout);
    str_free(&out);
    str_free(&json.text);
}

static void write_results(Proving *p)
{
    JsonOut json = {0};
    if (!p->maker->results)
        return;
    result_json(p, &json);
    results_finish(p->maker->results, &json.text, NULL, true);
    str_free(&json.text);
}

static void write_witness(const Proving *p, const ProveSettings *s, const OptionArgs *args)
{
    Str text = {0};
    if (!s->witness || p->status == PROVE_OPEN)
        return;
    witness_text(p, &args->plain, (int64_t)time(NULL), &text);
    if (!file_write_atomic(s->witness, str_text(&text), text.n))
        warn("--witness %s: %s", s->witness, strerror(errno));
    str_free(&text);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int prove_run(const Command *command, void *settings, const OptionArgs *args)
{
    static const int statuses[] = {EXIT_INCOMPLETE, EXIT_CLEAN, EXIT_FOUND};
    ProveSettings *s = settings;
    Arena *arena = arena_new();
    VmEnvironment environment;
    ExploreOptions options;
    TestMaker maker;
    exploring_environment(&s->exploring, args, arena, &environment);
    exploring_prepare(&s->exploring, args, arena, &options);
    exploring_unshaped(args, command->name);
    options.explorer = exploring_exhaustive(s->explorer);
    IrProgram *program =
        program_load(&s->exploring.program, args, s->exploring.entry, s->exploring.entry != NULL);
    exploring_check(&s->exploring, program);
    testcase_init(&maker, command->name, &s->exploring, args, arena, &environment, program);
    Proving p = {.program = program,
                 .environment = &environment,
                 .options = options,
                 .phase = s->phase,
                 .no_replay = s->no_replay,
                 .maker = &maker,
                 .arena = arena};
    exploring_check_words(&s->exploring, &p.check_words);
    if (file_exists(s->exploring.directory)) /* refused now, rather than after the search */
        testcase_results(&maker);
    if (s->witness && exploring_reads(&s->exploring, args, program, s->witness))
        die("--witness: %s is an input of this command, and is not written over", s->witness);
    if (s->witness && file_exists(s->witness) && !s->exploring.force)
        die("--witness %s: the file exists; --force replaces it", s->witness);
    prove_all(&p);
    write_results(&p);
    write_witness(&p, s, args);
    testcase_end_replay(&maker); /* first: a closed pipe ends us while we print */
    print_results(&p, (ExploringFormat)s->exploring.format);
    int status = statuses[p.status];
    proving_free(&p);
    testcase_free(&maker);
    vec_free(&environment.files);
    exploring_free(&options);
    ir_program_free(program);
    arena_free(arena);
    return status;
}

const Command command_prove = {
    .name = "prove",
    .synopsis = "PROGRAM... [OPTIONS] [-- ARGUMENTS]",
    .summary = "prove that a program never fails, or find an input on which it does",
    .description =
        "Proves that no run of the program fails, on any input and for loops of any length: no access\n"
        "out of bounds, no division by zero, no failed assertion, no call of abort or reach_error. If\n"
        "it can fail, the fault is replayed natively and written as a test.\n\n"
        "Sheaf works from both ends, alternating: it composes the condition of each failure backwards\n"
        "to the entry, with invariants for loops, and it explores the program forwards. A forward\n"
        "exploration that is complete is a proof, too.\n\n"
        "--check overflow and --check shift can be proved. For uninit, leak and overlap only a\n"
        "complete forward exploration is a proof.\n\n"
        "Exit status: 0 proved, 1 a fault, 3 open, with a line for each check that is open and for\n"
        "each reason.",
    .example = "  $ sheaf prove ring.c\n",
    .options = prove_tables,
    .settings_size = sizeof(ProveSettings),
    .run = prove_run,
};
