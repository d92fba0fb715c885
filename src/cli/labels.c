/* labels.c - one run with labels, as a person reads it: its decisions and what they depend on. */
#include "cli/labels.h"

#include "flow/flow.h"

/* ---- the run ------------------------------------------------------------------------------------------------------ */

/* NAME=NUMBER, for the first input object of that name that the run met: little-endian, as many bytes as it has. */
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
        if (strncmp(info->name, text, (size_t)(equals - text)) || info->name[equals - text])
            continue;
        for (uint32_t k = 0; k < info->size && k < sizeof value; k++)
            expr_input_set_byte(input, info->at + k, (uint8_t)(value >> 8 * k));
        return;
    }
    die("--input %s: the run on zeros has no input of that name", text);
}

LabelRun *label_run(const IrProgram *program, const LabelRunOptions *o, const VmEnvironment *environment)
{
    LabelRun *run = mem_zalloc(sizeof *run);
    FlowOptions flow = {.entry = o->entry ? ir_fn_find(program, o->entry) : IR_NONE, .lazy_inputs = o->entry != NULL};
    run->flow = flow_new(program, &flow);
    run->pool = expr_pool_new();
    run->ledger = ledger_new();
    run->vm = vm_new(program, &o->vm);
    VmSymbolicOptions symbolic = {.inputs = {.stdin_symbolic = o->stdin_size > 0,
                                             .stdin_size = o->stdin_size,
                                             .entry = o->entry,
                                             .pointer_objects = 8,
                                             .object_size = 64},
                                  .size_candidates = 8,
                                  .pointer_candidates = 8,
                                  .labels = true,
                                  .flow = run->flow,
                                  .policy = o->policy};
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

/* ---- printing ----------------------------------------------------------------------------------------------------- */

static void print_label(const LabelRun *run, VmLabel l, Str *out)
{
    str_add(out, "{");
    for (uint32_t i = expr_set_next(run->pool, l, 0), last; i != UINT32_MAX; i = expr_set_next(run->pool, l, last + 1)) {
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
    static const char *const names[] = {"branch", "switch", "check", "pointer", "call", "size", "value", "assume", "input"};
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

static void print_output(const LabelRun *run, const IrProgram *p, const VmOutput *o, Str *out)
{
    char where[256];
    str_printf(out, "%s%s  %s  ", o->stream == 1 ? "stdout" : o->stream == 2 ? "stderr" : "output ", o->name ? o->name : "",
               ir_site_text(p, o->site, where, sizeof where));
    if (o->value.id) {
        expr_print_c(run->pool, o->value, 60, out);
    } else {
        str_add_char(out, '"');
        for (uint32_t k = 0; k < o->n && k < 40; k++) {
            Expr e = run->trace->output_bytes.v[o->first + k];
            unsigned c = expr_is_const(run->pool, e) ? (unsigned)expr_const_value(run->pool, e) : '?';
            if (c < ' ' || c > '~' || c == '"')
                str_printf(out, "\\%03o", c);
            else
                str_add_char(out, (char)c);
        }
        str_add(out, o->n > 40 ? "...\"" : "\"");
    }
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
    str_printf(out, "%s  %s  ", fault ? vm_fault_message(t->result.fault) : ends ? "end" : "stopped",
               ir_site_text(p, t->result.site, where, sizeof where));
    print_label(run, t->ending, out);
    if (ends) {
        str_printf(out, "\nstatus %d  ", t->result.status);
        print_label(run, t->status_label, out);
    }
    str_printf(out, "\nstdout has nothing else  ");
    print_label(run, t->streams[1], out);
    str_add_char(out, '\n');
}
