/* labels.c - one run with labels, as a person reads it: its decisions and what they depend on. */
#include "cli/labels.h"

#include "cli/command.h"

#include "flow/flow.h"

#include <stdlib.h>

/* ---- the run --------------------------------------------------------------------------------- */

/* As a number with or without a sign; a negative one has been negated. */
static bool fits(u128 value, uint32_t bytes, bool negative)
{
    if (bytes >= sizeof value)
        return true;
    u128 end = (u128)1 << 8 * bytes;
    return negative ? bytes && -value <= end / 2 : value < end;
}

/* NAME=NUMBER, for the first input object of that name that the run used: little-endian, as many bytes as it
 * has. */
static void set_input(const VmTrace *trace, const ExprPool *pool, ExprInput *input, const char *text)
{
    const char *equals = strchr(text, '=');
    u128 value;
    bool negative = equals && equals[1] == '-';
    if (!equals || !text_parse_u128(equals + 1 + negative, 10, &value))
        die("--input %s: expected NAME=NUMBER", text);
    value = negative ? -value : value;
    for (uint32_t i = 0; i < trace->inputs.n; i++) {
        const ExprObjectInfo *info = expr_object_info(pool, trace->inputs.v[i].object);
        if (strncmp(info->text, text, (size_t)(equals - text)) || info->text[equals - text])
            continue;
        if (!fits(value, info->size, negative))
            die("--input %s: that is more than the %u byte%s of %s hold%s", text, info->size,
                info->size == 1 ? "" : "s", info->name, info->size == 1 ? "s" : "");
        for (uint32_t k = 0; k < info->size && k < sizeof value; k++)
            expr_input_set_byte(input, info->at + k, (uint8_t)(value >> 8 * k));
        return;
    }
    die("--input %s: the run on zeros has no input of that name", text);
}

bool label_run_place(const IrProgram *p, const char *text, uint32_t n, IrSite *at)
{
    uint32_t line;
    U32Vec files = {0};
    char *file = program_place(text, &line);
    if (!file)
        die("--explain %s: expected FILE:LINE", text);
    for (uint32_t i = 0; i < p->sites.n && files.n <= n; i++) {
        bool again = !ir_site_is_at(p, i, file, line);
        for (uint32_t k = 0; k < files.n; k++)
            again |= files.v[k] == p->sites.v[i].file;
        if (again)
            continue;
        vec_push(&files, p->sites.v[i].file);
        *at = p->sites.v[i];
    }
    bool found = files.n > n;
    vec_free(&files);
    mem_free(file);
    return found;
}

LabelRun *label_run(const IrProgram *program, const LabelRunOptions *o, const VmEnvironment *environment)
{
    LabelRun *run = mem_zalloc(sizeof *run);
    FlowOptions flow = {.entry = o->entry ? ir_fn_find(program, o->entry) : IR_NONE,
                        .lazy_inputs = o->entry != NULL};
    run->flow = flow_new(program, &flow);
    run->pool = expr_pool_new();
    run->ledger = ledger_new();
    run->vm = vm_new(program, &o->vm);
    VmSymbolicOptions symbolic = {.inputs = {.stdin_symbolic = o->stdin_size > 0,
                                             .stdin_size = o->stdin_size,
                                             .entry = o->entry,
                                             .pointer_objects = 8,
                                             .object_size = 64},
                                  .loop_bound = o->loop_bound,
                                  .size_candidates = 8,
                                  .pointer_candidates = 8,
                                  .labels = true,
                                  .flow = run->flow,
                                  .policy = o->policy};
    symbolic.watch_file = o->at.file;
    symbolic.watch_line = o->at.line;
    if (o->stdin_size && o->stdin_data) {
        ExprObject object =
            expr_object(run->pool, "stdin", "stdin", o->stdin_size, (ExprCType){EXPR_C_CHAR, 1});
        for (uint32_t i = 0; i < o->stdin_size; i++)
            expr_input_set_byte(&run->input, expr_object_info(run->pool, object)->at + i,
                                ((const uint8_t *)o->stdin_data)[i]);
    }
    vm_symbolic(run->vm, run->pool, run->ledger, environment, &symbolic);
    run->trace = vm_run_input(run->vm, &run->input, NULL);
    for (uint32_t i = 0; i < o->values.n; i++)
        set_input(run->trace, run->pool, &run->input, o->values.v[i]);
    if (o->values.n) {
        vm_trace_free(run->vm, run->trace);
        run->trace = vm_run_input(run->vm, &run->input, NULL);
    }
    return run;
}

void label_run_free(LabelRun *run)
{
    vm_trace_free(run->vm, run->trace);
    vm_free(run->vm);
    expr_input_free(&run->input);
    expr_pool_free(run->pool);
    ledger_free(run->ledger);
    flow_free(run->flow);
    mem_free(run);
}

/* ---- printing -------------------------------------------------------------------------------- */

static void print_label(const LabelRun *run, VmLabel l, Str *out)
{
    str_add(out, "{");
    for (uint32_t i = expr_set_next(run->pool, l, 0), last; i != UINT32_MAX;
         i = expr_set_next(run->pool, l, last + 1)) {
        for (last = i; expr_set_has(run->pool, l, last + 1); last++)
            ;
        str_printf(out, out->v[out->n - 1] == '{' ? "%u" : " %u", i);
        if (last > i)
            str_printf(out, "-%u", last);
    }
    str_add(out, "}");
}

static const char *kind_text(VmDecisionKind kind)
{
    static const char *const names[] = {"branch", "switch", "check",  "pointer", "call",
                                        "size",   "value",  "assume", "input"};
    return names[kind];
}

static void print_decision(const LabelRun *run, const IrProgram *p, uint32_t i, Str *out)
{
    const VmDecision *d = &run->trace->decisions.v[i];
    char where[256];
    str_printf(out, "%4u  %-7s %s  ", i, kind_text(d->kind), ir_site_text(p, d->site, where, sizeof where));
    if (d->forced)
        str_add(out, "(concrete)");
    else
        expr_print_c(run->pool, d->holds, 80, out);
    str_add(out, "  ");
    print_label(run, d->label, out);
    str_add_char(out, '\n');
}

static void print_character(unsigned c, Str *out)
{
    if (c < ' ' || c > '~' || c == '"')
        str_printf(out, "\\%03o", c);
    else
        str_add_char(out, (char)c);
}

/* What went out, in quotes: a concrete value as it was printed, else bytes; those that are symbolic as they
 * are in this run. */
static void print_bytes(const LabelRun *run, const VmOutput *o, Str *out)
{
    enum { SHOWN = 40 };
    Str text = {0};
    u128 word = 0;
    for (uint32_t k = 0; k < o->n && (k < SHOWN || o->format.conversion); k++) {
        unsigned c =
            (unsigned)expr_eval_once(run->pool, &run->input, run->trace->output_bytes.v[o->first + k]);
        word |= k < 16 ? (u128)c << 8 * k : 0;
        str_add_char(&text, (char)c);
    }
    if (o->format.conversion) {
        text.n = 0;
        vm_format_render(&o->format, o->n, word, &text);
    }
    str_add_char(out, '"');
    for (uint32_t k = 0; k < text.n && k < SHOWN; k++)
        print_character((unsigned char)text.v[k], out);
    str_add(out, text.n > SHOWN || o->n > SHOWN ? "...\"" : "\"");
    str_free(&text);
}

static void print_output(const LabelRun *run, const IrProgram *p, const VmOutput *o, Str *out)
{
    char where[256];
    str_printf(out, "%s%s  %s  ",
               o->stream == 1   ? "stdout"
               : o->stream == 2 ? "stderr"
                                : "output ",
               o->name ? o->name : "", ir_site_text(p, o->site, where, sizeof where));
    if (o->value.id)
        expr_print_c(run->pool, o->value, 60, out);
    else
        print_bytes(run, o, out);
    str_add(out, "  ");
    print_label(run, o->label, out);
    str_add_char(out, '\n');
}

void label_run_print(const LabelRun *run, const IrProgram *p, Str *out)
{
    const VmTrace *t = run->trace;
    char where[256];
    for (uint32_t i = 0; i < t->decisions.n; i++)
        print_decision(run, p, i, out);
    for (uint32_t i = 0; i < t->outputs.n; i++)
        print_output(run, p, &t->outputs.v[i], out);
    bool fault = t->result.ending == VM_END_FAULT, ends = t->result.ending <= VM_END_EXIT;
    str_printf(out, "%s  %s  ",
               fault  ? vm_fault_message(t->result.fault)
               : ends ? "end"
                      : "stopped",
               ir_site_text(p, t->result.site, where, sizeof where));
    print_label(run, t->ending, out);
    if (!ends && !fault)
        str_printf(out, "  %s", t->result.message);
    if (ends) {
        str_add(out, "\nstatus ");
        if (t->status.id)
            expr_print_c(run->pool, t->status, 60, out);
        else
            str_printf(out, "%d", t->result.status);
        str_add(out, "  ");
        print_label(run, t->status_label, out);
    }
    str_printf(out, "\nstdout has nothing else  ");
    print_label(run, t->streams[1], out);
    str_add_char(out, '\n');
}

/* ---- explaining a line ----------------------------------------------------------------------- */

static void add_line(const IrProgram *p, Map *lines, uint32_t site)
{
    if (site != IR_NONE && p->sites.v[site].line)
        map_put(lines, (uint64_t)p->sites.v[site].file << 32 | p->sites.v[site].line, 1);
}

static void add_slice(const LabelRun *run, const IrProgram *p, IrSite line, unsigned policy, Map *lines)
{
    FlowSlices *slices = flow_slices_new(run->flow, &(FlowSliceOptions){.policy = policy});
    FlowSites slice = flow_slice_line(slices, ir_text(p, line.file), line.line, false);
    for (uint32_t i = 0; i < slice.n; i++) {
        FlowSite at = slice.v[i];
        const IrFn *fn = &p->fns.v[at.fn];
        const IrInsn *insn = &fn->blocks.v[at.block].insns.v[at.insn];
        bool silent = insn->op == IR_PHI || insn->op == IR_ALLOCA; /* computes nothing where it stands */
        bool ran = !fn->runtime && !silent && vm_block_covered(run->vm, at.fn, at.block);
        if (ran)
            add_line(p, lines, insn->site);
    }
    flow_slices_free(slices);
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void print_line(const IrProgram *p, uint64_t key, Str *out)
{
    const char *path = ir_text(p, (uint32_t)(key >> 32));
    uint32_t line = (uint32_t)key;
    Str text = {0};
    str_printf(out, "%s:%u: ", path, line);
    if (file_read(path, (size_t)16 << 20, &text)) {
        const char *at = str_text(&text);
        for (uint32_t i = 1; i < line && at; i++)
            at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
        if (at)
            str_add_n(out, at + strspn(at, " \t"), strcspn(at + strspn(at, " \t"), "\n"));
    }
    str_add_char(out, '\n');
    str_free(&text);
}

/* An instruction of a line; fn is IR_NONE if none is left of it. The function's own place stands for none. */
static FlowSite code_at(const IrProgram *p, IrSite line)
{
    for (uint32_t f = 0; f < p->fns.n; f++)
        for (uint32_t b = 0; b < p->fns.v[f].blocks.n; b++)
            for (uint32_t i = 0; i < p->fns.v[f].blocks.v[b].insns.n; i++) {
                const IrInsn *insn = &p->fns.v[f].blocks.v[b].insns.v[i];
                const IrSite *site = insn->site == IR_NONE ? NULL : &p->sites.v[insn->site];
                if (site && insn->op != IR_ALLOCA && insn->site != p->fns.v[f].site &&
                    site->file == line.file && site->line == line.line)
                    return (FlowSite){f, b, i};
            }
    return (FlowSite){IR_NONE, IR_NONE, IR_NONE};
}

/* The user's instruction at which the run ended. */
static FlowSite end_of(const LabelRun *run, const IrProgram *p)
{
    const VmResult *r = &run->trace->result;
    for (uint32_t i = 0; i < r->stack.n; i++)
        if (!p->fns.v[r->stack.v[i].fn].runtime && r->stack.v[i].site != IR_NONE)
            return code_at(p, p->sites.v[r->stack.v[i].site]);
    return (FlowSite){IR_NONE, IR_NONE, IR_NONE};
}

void label_run_missed(const LabelRun *run, const IrProgram *p, const LabelRunOptions *o, Str *out)
{
    const VmResult *r = &run->trace->result;
    FlowSite at = code_at(p, o->at), end = end_of(run, p);
    bool left = at.fn != IR_NONE, before = false;
    if (left && r->ending > VM_END_EXIT && end.fn != IR_NONE) {
        FlowSlices *slices = flow_slices_new(run->flow, NULL);
        before = flow_may_precede(slices, end, at);
        flow_slices_free(slices);
    }
    if (before) {
        char where[512];
        str_printf(out, "the run ends before it comes there, at %s",
                   ir_site_text(p, r->site, where, sizeof where));
        if (r->ending == VM_END_FAULT)
            str_printf(out, ": %s", vm_fault_message(r->fault));
    } else if (!left || vm_block_covered(run->vm, at.fn, at.block)) {
        str_add(out, "nothing is left of its code, as it computes nothing that is used");
    } else {
        str_add(out, "the run does not come there");
    }
}

bool label_run_explain(const LabelRun *run, const IrProgram *p, const LabelRunOptions *o, Str *out)
{
    const VmTrace *t = run->trace;
    Map lines = {0};
    Vec(uint64_t) keys = {0};
    uint32_t cursor = 0;
    uint64_t key, value;
    if (!t->watched_runs)
        return false;
    add_slice(run, p, o->at, o->policy, &lines);
    for (uint32_t i = expr_set_next(run->pool, t->watched, 0); i != UINT32_MAX;
         i = expr_set_next(run->pool, t->watched, i + 1))
        add_line(p, &lines, t->decisions.v[i].site);
    while (map_next(&lines, &cursor, &key, &value))
        vec_push(&keys, key);
    qsort(keys.v, keys.n, sizeof *keys.v, by_number);
    for (uint32_t i = 0; i < keys.n; i++)
        print_line(p, keys.v[i], out);
    vec_free(&keys);
    map_free(&lines);
    return true;
}
