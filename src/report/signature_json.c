/* signature_json.c - signatures for programs: conditions as C and as SMT-LIB, outputs part by part, an input
 * for each row. */
#include "report/report.h"
#include "report/signature_int.h"

enum { C_LIMIT = 1 << 16 }; /* characters of one value, and of all conjuncts of a row together */

/* `whole`: of each of the rows that it stands for, as it was before it was simplified. */
static void condition_json(const ReportRows *r, const ExprVec *simple, const ExprVec *const *whole,
                           uint32_t n, JsonOut *json)
{
    ExprPool *p = explore_pool(r->explore);
    Expr none = EXPR_TRUE, any;
    Str text = {0};
    report_condition(p, simple, &text);
    json_string(json, "when", str_text(&text));
    json_array_begin(json, "conjuncts");
    size_t written = 0;
    uint32_t i = 0;
    for (; i < simple->n && written < C_LIMIT; i++) {
        Str one = {0};
        expr_print_c(p, simple->v[i], C_LIMIT - written, &one);
        json_string(json, NULL, str_text(&one));
        written += one.n;
        str_free(&one);
    }
    json_array_end(json);
    if (i < simple->n)
        json_uint(json, "conjuncts_left_out", simple->n - i);
    vec_clear(&text);
    for (uint32_t k = 0; k < n && n > 1; k++)
        none = expr_and(p, none, expr_not(p, expr_and_all(p, whole[k]->v, whole[k]->n)));
    any = expr_not(p, none);
    if (n > 1)
        expr_print_smt_query(p, &any, 1, NULL, &text);
    else
        expr_print_smt_query(p, whole[0]->v, whole[0]->n, NULL, &text);
    json_string(json, "smt", str_text(&text));
    str_free(&text);
}

static void part_json(const ExprPool *p, const SignaturePart *part, JsonOut *json)
{
    char how[2] = {part->format.conversion, 0};
    Str text = {0};
    json_object_begin(json, NULL);
    if (part->text) {
        json_string_n(json, "text", part->text, part->size);
        json_hex(json, "bytes", part->text, part->size);
    } else {
        expr_print_c(p, part->value, C_LIMIT, &text);
        json_string(json, "value", str_text(&text));
        vec_clear(&text);
        expr_print_smt_term(p, part->value, &text);
        json_string(json, "smt", str_text(&text));
        json_uint(json, "size", part->size);
    }
    if (!part->text && how[0]) {
        json_string(json, "conversion", how);
        json_uint(json, "flags", part->format.flags);
        json_int(json, "width", part->format.width);
        json_int(json, "precision", part->format.precision);
    }
    json_object_end(json);
    str_free(&text);
}

static void output_json(const ExprPool *p, const SignatureOutput *o, JsonOut *json)
{
    json_object_begin(json, NULL);
    json_string(json, "name", o->name);
    json_string(json, "kind", o->kind == SIGNATURE_TEXT ? "text" : "data");
    json_bool(json, "cut", o->cut);
    json_array_begin(json, "parts");
    for (uint32_t i = 0; i < o->parts.n; i++)
        part_json(p, &o->parts.v[i], json);
    json_array_end(json);
    json_object_end(json);
}

/* The objects of the input by name, as they were given to the run. */
static void input_json(const ReportRows *r, const ExprInput *input, JsonOut *json)
{
    const ExprPool *p = explore_pool(r->explore);
    json_array_begin(json, "input");
    for (uint32_t i = 0; i < r->objects; i++) {
        const ExprObjectInfo *o = expr_object_info(p, (ExprObject){i});
        uint8_t *bytes = mem_alloc(o->size);
        for (uint32_t k = 0; k < o->size; k++)
            bytes[k] = expr_input_byte(input, o->at + k);
        json_object_begin(json, NULL);
        json_string(json, "name", o->text);
        json_hex(json, "bytes", bytes, o->size);
        json_object_end(json);
        mem_free(bytes);
    }
    json_array_end(json);
}

static void end_json(const ReportRows *r, const SignatureEnd *end, JsonOut *json)
{
    static const char *const endings[] = {"return",      "exit",     "fault", "assumption",
                                          "unsupported", "external", "limit", "interrupted"};
    char where[512];
    json_string(json, "ending", endings[end->ending]);
    if (end->ending == VM_END_FAULT) {
        json_string(json, "fault", vm_fault_suffix(end->fault));
        json_string(json, "message", vm_fault_message(end->fault));
        if (end->need && *end->need)
            json_string(json, "caller_passes", end->need);
        if (end->maker)
            json_string(json, "maker", end->maker);
    }
    if (end->ending > VM_END_EXIT && end->site != IR_NONE)
        json_string(json, "site", ir_site_text(r->program, end->site, where, sizeof where));
    if (end->ending > VM_END_EXIT && end->fn != IR_NONE)
        json_string(json, "function", ir_text(r->program, r->program->fns.v[end->fn].name));
    if (end->message && end->message[0])
        json_string(json, "detail", end->message);
}

/* What an entry function may write, and has not, need not be there in all rows that are one. */
static bool is_everywhere(const ReportRows *r, const ReportRow *of, const SignatureOutput *o)
{
    bool everywhere = true;
    for (uint32_t i = 0; i < of->of.n && o->unchanged && everywhere; i++) {
        const SignatureRow *row = &r->signature->rows.v[of->of.v[i]];
        everywhere = false;
        for (uint32_t k = 0; k < row->outputs.n && !everywhere; k++)
            everywhere = !strcmp(row->outputs.v[k].name, o->name);
    }
    return everywhere;
}

static void row_json(const ReportRows *r, uint32_t i, JsonOut *json)
{
    const ExprPool *p = explore_pool(r->explore);
    const ReportRow *of = &r->rows.v[i];
    const SignatureRow *row = &r->signature->rows.v[of->shown];
    Vec(const ExprVec *) whole = {0};
    Str text = {0};
    json_object_begin(json, NULL);
    for (uint32_t k = 0; k < of->of.n; k++)
        vec_push(&whole, &r->signature->rows.v[of->of.v[k]].condition);
    condition_json(r, &of->condition, whole.v, whole.n, json);
    vec_free(&whole);
    json_uint(json, "ways", of->of.n);
    report_outputs(r, i, &text);
    json_string(json, "shown", str_text(&text));
    json_array_begin(json, "outputs");
    for (uint32_t k = 0; k < row->outputs.n; k++)
        if (is_everywhere(r, of, &row->outputs.v[k]))
            output_json(p, &row->outputs.v[k], json);
    json_array_end(json);
    end_json(r, &row->end, json);
    input_json(r, &row->input, json);
    json_uint(json, "run", row->run);
    json_object_end(json);
    str_free(&text);
}

static void failure_json(const ReportRows *r, const ReportRow *of, JsonOut *json)
{
    const SignatureFailure *f = &r->signature->failures.v[of->shown];
    Vec(const ExprVec *) whole = {0};
    json_object_begin(json, NULL);
    for (uint32_t k = 0; k < of->of.n; k++)
        vec_push(&whole, &r->signature->failures.v[of->of.v[k]].condition);
    condition_json(r, &of->condition, whole.v, whole.n, json);
    vec_free(&whole);
    json_uint(json, "ways", of->of.n);
    end_json(r, &f->end, json);
    input_json(r, &f->input, json);
    json_uint(json, "run", f->run);
    json_object_end(json);
}

void report_rows_json(const ReportRows *r, JsonOut *json)
{
    if (r->criterion)
        json_string(json, "criterion", r->criterion);
    json_bool(json, "certified", r->signature->certified);
    json_object_begin(json, "given");
    condition_json(r, &r->given, &(const ExprVec *){&r->signature->given}, 1, json);
    json_object_end(json);
    json_array_begin(json, "rows");
    for (uint32_t i = 0; i < r->rows.n; i++)
        row_json(r, i, json);
    json_array_end(json);
    json_array_begin(json, "failing");
    for (uint32_t i = 0; i < r->failures.n; i++)
        failure_json(r, &r->failures.v[i], json);
    json_array_end(json);
    if (r->failing)
        json_bool(json, "failing_complete", !ledger_count(explore_ledger(r->failing)));
}
