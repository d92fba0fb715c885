/* mutate.c - mutation testing: what the tests of two explorers are worth.
 *
 *     mutate PROGRAM... [--explore dependence] [--against full] [exploring options of sheaf test]
 *
 * Makes every mutant of the program (mutants.c), or as many as --most allows, chosen by --seed. Explores
 * the program with both explorers and runs each one's tests on every mutant, on Sheaf's machine. A test
 * kills a mutant if the run ends in another way, with another status or fault, prints something else, or
 * takes many times the steps. Prints kill rates by kind of operator, as the paper's Tables 10 and 11 do.
 * With --limit P the status is 1 if the second suite kills P points or more beyond the first. The same
 * program, options and seed give the same table. */
#include "cli/exploring.h"
#include "cli/sinks.h"
#include "explore/explore.h"
#include "mutants.h"

#include <stdlib.h>

enum {
    STEPS_FREE = 20000,
    STEPS_TIMES = 10
}; /* steps of a mutant: so many times the longest test's, and so many */

typedef struct MutateSettings {
    ExploringSettings exploring; /* first: exploring_options write here */
    unsigned explorer, against;  /* positions in explore_names */
    uint64_t most;
    const char *limit;
    StrVec sinks;
    bool list, expect_loss, help;
    unsigned format;
} MutateSettings;

enum { FORM_TEXT, FORM_JSON };
static const char *const format_words[] = {"text", "json", NULL};

static const Option mutate_options[] = {
    {OPT_GROUP("Mutants")},
    {OPT_ENUM(MutateSettings, explorer), "explore", .preset = "dependence", .words = explore_names,
     .help = "the explorer whose tests are judged"},
    {OPT_ENUM(MutateSettings, against), "against", .preset = "full", .words = explore_names,
     .help = "the other explorer"},
    {OPT_UINT(MutateSettings, most), "most", .argument = "N", .preset = "1000",
     .help = "mutants, at most; more are drawn by --seed (0: all)"},
    {OPT_LIST(MutateSettings, sinks), "sinks", .argument = "WHAT,...",
     .help = "for dependence: faults (default), outputs, all, FILE:LINE"},
    {OPT_STRING(MutateSettings, limit), "limit", .argument = "POINTS",
     .help = "fail if the other explorer's rate is higher by so much; a number that is not negative"},
    {OPT_FLAG(MutateSettings, expect_loss), "expect-loss",
     .help = "with --limit: fail if it is not, for tests of this program"},
    {OPT_FLAG(MutateSettings, list), "list", .help = "print each mutant and whose tests kill it"},
    {OPT_ENUM(MutateSettings, format), "format", .preset = "text", .words = format_words,
     .help = "form of the table"},
    {OPT_FLAG(MutateSettings, help), "help", 'h', .help = "print this and leave"},
    {OPT_END},
};
static const Option *const mutate_tables[] = {mutate_options, exploring_options, program_options, NULL};

/* ---- tests ----------------------------------------------------------------------------------- */

typedef struct Test {
    ExprInput input; /* over the roster's objects */
    unsigned suites; /* a bit for each explorer that has it */
    uint64_t shows;  /* hash of what the program does with it */
    uint64_t steps;
} Test;

typedef struct Mutating {
    const MutateSettings *settings;
    IrProgram *program;
    const VmEnvironment *environment;
    ExploreOptions options;
    const char *names[2];
    ExprPool *roster; /* the input objects of all tests, and nothing else */
    Vec(Test) tests;
    Map known;    /* hash of an input to its test */
    U32Vec order; /* tests, those that killed last in front */
    uint64_t ntests[2];
    bool complete[2];
    unsigned side; /* explorer under way */
    MutantVec mutants;
    struct {
        uint64_t mutants, killed[2], only[2];
    } kinds[MUTANT_KIND_COUNT + 1]; /* the last: all */
} Mutating;

static void object_copy(ExprPool *to, const ExprObjectInfo *o)
{
    if (o->scalar)
        expr_object_scalar(to, o->key, o->name, o->scalar, o->type);
    else
        expr_object(to, o->key, o->name, o->size, o->type);
}

/* The input as one over the roster, whose objects only ever grow in number. */
static void translate(ExprPool *roster, const ExprPool *from, const ExprInput *input, ExprInput *out)
{
    for (uint32_t i = 0; i < expr_object_count(from); i++) {
        const ExprObjectInfo *o = expr_object_info(from, (ExprObject){i});
        ExprObject mine;
        object_copy(roster, o);
        if (!expr_object_find(roster, o->key, o->size, &mine))
            bug("an object that was made is not there");
        uint32_t at = expr_object_info(roster, mine)->at;
        for (uint32_t k = 0; k < o->size; k++)
            if (expr_input_byte(input, o->at + k))
                expr_input_set_byte(out, at + k, expr_input_byte(input, o->at + k));
    }
}

static void on_run(void *context, const ExploreRun *run)
{
    Mutating *m = context;
    VmEnding ending = run->trace->result.ending;
    Test t = {.suites = 1u << m->side};
    if (run->repeated || (ending != VM_END_RETURN && ending != VM_END_EXIT && ending != VM_END_FAULT))
        return;
    translate(m->roster, explore_pool(run->explore), run->input, &t.input);
    uint64_t hash = 1, at; /* zeros at the end are not there: expr_input_byte */
    for (uint32_t i = 0; i < t.input.n; i++)
        hash = t.input.v[i] ? hash_mix(hash_mix(hash, i), t.input.v[i]) : hash;
    if (map_get(&m->known, hash, &at)) {
        m->ntests[m->side] += !(m->tests.v[at].suites >> m->side & 1);
        m->tests.v[at].suites |= t.suites;
        expr_input_free(&t.input);
        return;
    }
    m->ntests[m->side]++;
    map_put(&m->known, hash, m->tests.n);
    vec_push(&m->order, m->tests.n);
    vec_push(&m->tests, t);
}

static void explore_side(Mutating *m, unsigned side)
{
    ExploreOptions o = m->options;
    m->side = side;
    o.explorer = m->names[side];
    o.context = m;
    o.on_run = on_run;
    Explore *x = explore_new(m->program, m->environment, &o);
    explore_all(x);
    m->complete[side] = !ledger_count(explore_ledger(x));
    explore_free(x);
}

/* ---- a machine for one mutant ---------------------------------------------------------------- */

typedef struct Machine {
    Vm *vm;
    ExprPool *pool;
    Ledger *ledger;
    VmOptions vm_options;
    VmSymbolicOptions symbolic;
} Machine;

static void machine_open(Mutating *m, Machine *to, uint64_t max_steps)
{
    *to = (Machine){.pool = expr_pool_new(),
                    .ledger = ledger_new(),
                    .vm_options = m->options.vm,
                    .symbolic = m->options.symbolic};
    to->vm_options.max_steps = max_steps;
    to->symbolic.loop_bound = 0; /* a loop that does not end is a matter of steps */
    to->symbolic.snapshot_bytes = 0;
    for (uint32_t i = 0; i < expr_object_count(m->roster); i++)
        object_copy(to->pool, expr_object_info(m->roster, (ExprObject){i}));
    to->vm = vm_new(m->program, &to->vm_options);
    vm_symbolic(to->vm, to->pool, to->ledger, m->environment, &to->symbolic);
}

static void machine_close(Machine *machine)
{
    vm_free(machine->vm);
    ledger_free(machine->ledger);
    expr_pool_free(machine->pool);
}

/* What somebody who runs the test sees, as a hash. */
static uint64_t show(Machine *machine, const ExprInput *input, uint64_t *steps)
{
    VmTrace *t = vm_run_input(machine->vm, input, NULL);
    const VmResult *r = &t->result;
    bool ended = r->ending == VM_END_RETURN || r->ending == VM_END_EXIT;
    uint64_t hash = hash_mix(ended ? VM_END_RETURN : r->ending, ended ? (unsigned)r->status & 0xff : 0);
    Str text = {0};
    if (r->ending == VM_END_FAULT)
        hash = hash_mix(hash_mix(hash, r->fault), r->site);
    for (int fd = 1; fd <= 2; fd++) {
        vec_clear(&text);
        vm_output_text(machine->vm, fd, &text);
        hash = hash_mix(hash, hash_bytes(str_text(&text), text.n));
    }
    *steps = r->steps;
    str_free(&text);
    vm_trace_free(machine->vm, t);
    return hash;
}

static uint64_t most_steps(const Mutating *m)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < m->tests.n; i++)
        most = m->tests.v[i].steps > most ? m->tests.v[i].steps : most;
    return STEPS_TIMES * most + STEPS_FREE;
}

static void show_original(Mutating *m)
{
    Machine machine;
    machine_open(m, &machine, m->options.vm.max_steps);
    for (uint32_t i = 0; i < m->tests.n; i++)
        m->tests.v[i].shows = show(&machine, &m->tests.v[i].input, &m->tests.v[i].steps);
    machine_close(&machine);
}

/* ---- killing --------------------------------------------------------------------------------- */

static unsigned suites_that_kill(Mutating *m, uint64_t max_steps)
{
    Machine machine;
    unsigned killed = 0;
    uint64_t steps;
    machine_open(m, &machine, max_steps);
    for (uint32_t i = 0; i < m->order.n && killed != 3; i++) {
        uint32_t test = m->order.v[i];
        const Test *t = &m->tests.v[test];
        if (!(t->suites & ~killed) || show(&machine, &t->input, &steps) == t->shows)
            continue;
        killed |= t->suites;
        /* what killed one is likely to kill the next */
        memmove(m->order.v + 1, m->order.v, i * sizeof *m->order.v);
        m->order.v[0] = test;
    }
    machine_close(&machine);
    return killed;
}

static void count_kill(Mutating *m, MutantKind kind, unsigned killed)
{
    const unsigned rows[] = {kind, MUTANT_KIND_COUNT};
    for (unsigned i = 0; i < COUNT_OF(rows); i++) {
        m->kinds[rows[i]].mutants++;
        for (unsigned side = 0; side < 2; side++) {
            m->kinds[rows[i]].killed[side] += killed >> side & 1;
            m->kinds[rows[i]].only[side] += killed == 1u << side;
        }
    }
}

static void try_mutant(Mutating *m, Mutant *mutant, uint64_t max_steps)
{
    Str text = {0};
    mutant_text(m->program, mutant, &text);
    mutant_swap(m->program, mutant);
    unsigned killed = suites_that_kill(m, max_steps);
    mutant_swap(m->program, mutant);
    count_kill(m, mutant->kind, killed);
    if (m->settings->list && killed % 3)
        printf("%s: killed by %s only\n", str_text(&text), m->names[killed - 1]);
    else if (m->settings->list)
        printf("%s: %s\n", str_text(&text), killed ? "killed by both" : "survives");
    str_free(&text);
}

/* As many as are wanted, drawn without bias, in the order of the program. */
static void draw_mutants(Mutating *m)
{
    Rng rng;
    uint64_t wanted = m->settings->most;
    uint32_t kept = 0, n;
    mutants_list(m->program, &m->mutants);
    n = m->mutants.n;
    rng_seed(&rng, m->settings->exploring.seed);
    for (uint32_t i = 0; i < n && wanted && n > wanted; i++)
        if (rng_below(&rng, n - i) < wanted - kept)
            m->mutants.v[kept++] = m->mutants.v[i];
    if (wanted && n > wanted)
        m->mutants.n = kept;
}

/* ---- the table ------------------------------------------------------------------------------- */

static double rate(const Mutating *m, unsigned row, unsigned side)
{
    return m->kinds[row].mutants ? 100.0 * (double)m->kinds[row].killed[side] / (double)m->kinds[row].mutants
                                 : 0;
}

static const char *row_word(unsigned row) { return row == MUTANT_KIND_COUNT ? "all" : mutant_kind_word(row); }

static void print_text(const Mutating *m)
{
    printf("tests: %s %llu, %s %llu\n", m->names[0], (unsigned long long)m->ntests[0], m->names[1],
           (unsigned long long)m->ntests[1]);
    printf("%-12s %8s %18s %18s %12s %18s\n", "", "mutants", m->names[0], m->names[1], "difference",
           "killed by one only");
    for (unsigned row = 0; row <= MUTANT_KIND_COUNT; row++)
        printf("%-12s %8llu %8llu %7.2f %% %8llu %7.2f %% %12.2f %8llu %9llu\n", row_word(row),
               (unsigned long long)m->kinds[row].mutants, (unsigned long long)m->kinds[row].killed[0],
               rate(m, row, 0), (unsigned long long)m->kinds[row].killed[1], rate(m, row, 1),
               rate(m, row, 1) - rate(m, row, 0), (unsigned long long)m->kinds[row].only[0],
               (unsigned long long)m->kinds[row].only[1]);
    for (unsigned side = 0; side < 2; side++)
        if (!m->complete[side])
            printf("incomplete: %s met a limit\n", m->names[side]);
}

static void json_pair(JsonOut *json, const Mutating *m, const char *key, const uint64_t values[2])
{
    json_object_begin(json, key);
    for (unsigned side = 0; side < 2; side++)
        json_uint(json, m->names[side], values[side]);
    json_object_end(json);
}

static void print_json(const Mutating *m)
{
    JsonOut json = {0};
    json_object_begin(&json, NULL);
    json_pair(&json, m, "tests", m->ntests);
    json_bool(&json, "complete", m->complete[0] && m->complete[1]);
    json_object_begin(&json, "kinds");
    for (unsigned row = 0; row <= MUTANT_KIND_COUNT; row++) {
        json_object_begin(&json, row_word(row));
        json_uint(&json, "mutants", m->kinds[row].mutants);
        json_pair(&json, m, "killed", m->kinds[row].killed);
        json_pair(&json, m, "only", m->kinds[row].only);
        json_object_end(&json);
    }
    json_object_end(&json);
    json_object_end(&json);
    puts(str_text(&json.text));
    str_free(&json.text);
}

static double limit_of(const MutateSettings *s)
{
    char *end = NULL;
    double limit = strtod(s->limit, &end);
    if (!*s->limit || *end || !(limit >= 0))
        die("--limit %s: expected a number of points that is not negative", s->limit);
    return limit;
}

static int verdict(const Mutating *m)
{
    if (!m->settings->limit)
        return 0;
    return (rate(m, MUTANT_KIND_COUNT, 1) - rate(m, MUTANT_KIND_COUNT, 0) >= limit_of(m->settings)) !=
           m->settings->expect_loss;
}

/* ---- the command ----------------------------------------------------------------------------- */

static void mutating_free(Mutating *m)
{
    for (uint32_t i = 0; i < m->tests.n; i++)
        expr_input_free(&m->tests.v[i].input);
    vec_free(&m->tests);
    vec_free(&m->order);
    vec_free(&m->mutants);
    map_free(&m->known);
    expr_pool_free(m->roster);
    ir_program_free(m->program);
}

static bool looks_for_sinks(unsigned explorer) { return !strcmp(explore_names[explorer], "dependence"); }

/* Before the work. */
static void check_settings(const MutateSettings *s)
{
    if (s->explorer == s->against)
        die("--against %s: both explorers are the same", explore_names[s->against]);
    if (s->limit)
        limit_of(s);
    else if (s->expect_loss)
        die("--expect-loss: there is no loss to expect without --limit POINTS");
    if (s->sinks.n && !looks_for_sinks(s->explorer) && !looks_for_sinks(s->against))
        die("--sinks is for --explore dependence");
    if (s->list && s->format != FORM_TEXT)
        die("--list is for --format text");
}

static int mutate(const MutateSettings *s, const OptionArgs *args)
{
    check_settings(s);
    Arena *arena = arena_new();
    VmEnvironment environment;
    Mutating m = {.settings = s,
                  .environment = &environment,
                  .roster = expr_pool_new(),
                  .names = {explore_names[s->explorer], explore_names[s->against]}};
    exploring_environment(&s->exploring, args, arena, &environment);
    exploring_prepare(&s->exploring, args, arena, &m.options);
    m.program = program_load(&s->exploring.program, args, s->exploring.entry, s->exploring.entry != NULL);
    exploring_check(&s->exploring, m.program);
    sinks_read(&s->sinks, m.program, arena, &m.options);
    for (unsigned side = 0; side < 2; side++)
        explore_side(&m, side);
    show_original(&m);
    draw_mutants(&m);
    uint64_t max_steps = most_steps(&m);
    for (uint32_t i = 0; i < m.mutants.n && !*m.options.stop; i++)
        try_mutant(&m, &m.mutants.v[i], max_steps);
    if (s->format == FORM_JSON)
        print_json(&m);
    else
        print_text(&m);
    int status = *m.options.stop ? 3 : verdict(&m);
    mutating_free(&m);
    vec_free(&environment.files);
    exploring_free(&m.options);
    arena_free(arena);
    return status;
}

int main(int argc, char **argv)
{
    MutateSettings settings = {0};
    OptionArgs args = {0};
    Str text = {0};
    options_preset(mutate_tables, &settings);
    if (!options_parse(mutate_tables, &settings, argc - 1, argv + 1, &args, &text))
        die("%s ('mutate --help' lists the options)", str_text(&text));
    if (settings.help) {
        str_add(&text, "usage: mutate PROGRAM... [OPTIONS]\n\n"
                       "Kill rates of the tests of two explorers, by kind of mutation.\n\n");
        options_help(mutate_tables, 100, &text);
        fputs(str_text(&text), stdout);
    }
    int status = settings.help ? 0 : mutate(&settings, &args);
    str_free(&text);
    options_free(mutate_tables, &settings);
    options_args_free(&args);
    return status;
}
