/* output.c - the explorer `output` (PESO): one run for each way in which the program computes what it shows.
 *
 * Here is what the algorithm (output_expand.c) has to know of a run of the machine: which label is the
 * criterion, and what the outputs are. The result is a signature: rows, and the classes of inputs that fail.
 * It is complete only when the solver finds no input outside of both; one that it finds is run, and the
 * exploration goes on. */
#include "explore/output.h"

#include "flow/flow.h"

enum {
    TEXT_MOST = 1 << 20,    /* bytes of an output that a row keeps */
    CLASSES_OF_A_PLACE = 64 /* failing classes of one place that are kept of another exploration's */
};

static Output *state_of(const Explore *x) { return x->lane->state; }

static void output_begin(Explore *x)
{
    x->lane->state = mem_alloc(sizeof(Output));
    output_init(state_of(x), x->pool);
}

static void output_end(Explore *x)
{
    output_free(state_of(x));
    mem_free(x->lane->state);
}

static void output_moved(Explore *x, ExprPool *to, ExprImport *import)
{
    output_move(state_of(x), to, import);
}

static Expr output_avoided(Explore *x, const ExprInput *input) { return output_avoid(state_of(x), input); }

const volatile bool *explore_stop(const Explore *x) { return x->options.stop; }

const Signature *explore_signature(const Explore *x)
{
    return x->lane->explorer == &explorer_output ? &state_of(x)->signature : NULL;
}

/* ---- what is observed ------------------------------------------------------------------------ */

static bool calls_directly(const IrFn *fn, uint32_t callee)
{
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            if (insn->op == IR_CALL && insn->a == callee)
                return true;
        }
    return false;
}

unsigned explore_observed(const IrProgram *p, const char *entry)
{
    uint32_t name = ir_fn_find(p, "sheaf_output");
    for (uint32_t f = 0; f < p->fns.n && name != IR_NONE; f++)
        if (!p->fns.v[f].runtime && calls_directly(&p->fns.v[f], name))
            return EXPLORE_NAMED;
    if (entry && strcmp(entry, "main") && strcmp(entry, "LLVMFuzzerTestOneInput"))
        return EXPLORE_ENTRY;
    return EXPLORE_STDOUT | EXPLORE_STDERR | EXPLORE_STATUS;
}

static bool is_observed(const ExploreCriteria *c, const VmOutput *out)
{
    if (out->stream == VM_OUTPUT_ENTRY)
        return c->what & EXPLORE_ENTRY;
    if (out->stream)
        return c->what >> (out->stream - 1) & 1;
    bool named = !c->names.n;
    for (uint32_t i = 0; i < c->names.n && !named; i++)
        named = !strcmp(c->names.v[i], out->name);
    return named && c->what & EXPLORE_NAMED;
}

VmLabel explore_criterion(ExprPool *p, const ExploreCriteria *c, const VmTrace *t)
{
    VmLabel l = t->ending;
    for (unsigned stream = 1; stream <= 2; stream++)
        if (c->what >> (stream - 1) & 1)
            l = expr_set_union(p, l, t->streams[stream]);
    if (c->what & EXPLORE_NAMED)
        l = expr_set_union(p, l, t->streams[FLOW_NAMED]);
    if (c->what & EXPLORE_STATUS)
        l = expr_set_union(p, l, t->status_label);
    for (uint32_t i = 0; i < t->outputs.n; i++)
        if (is_observed(c, &t->outputs.v[i]))
            l = expr_set_union(p, l, t->outputs.v[i].label);
    return l;
}

void explore_slice(const Explore *x, const VmTrace *trace, ExprVec *out)
{
    U32Vec order = {0};
    bool returned = trace->result.ending == VM_END_RETURN || trace->result.ending == VM_END_EXIT;
    VmLabel l = returned ? explore_criterion(x->pool, &x->options.criteria, trace) : trace->ending;
    explore_order(x->pool, l, trace->decisions.v, &order);
    vec_free(out);
    *out = output_condition(trace, &order);
    vec_free(&order);
}

bool explore_row_is_new(const ExploreRun *run)
{
    VmEnding ending = run->trace->result.ending;
    if (run->explore->lane->explorer != &explorer_output ||
        (ending != VM_END_RETURN && ending != VM_END_EXIT))
        return false;
    ExprVec condition = {0};
    explore_slice(run->explore, run->trace, &condition);
    bool is_new = output_row_find(state_of(run->explore), &condition) == UINT32_MAX;
    vec_free(&condition);
    return is_new;
}

/* Does the one conjunction imply the other? */
static bool implies(Explore *x, const ExprVec *from, const ExprVec *to)
{
    vec_clear(&x->query);
    for (uint32_t i = 0; i < from->n; i++)
        vec_push(&x->query, from->v[i]);
    vec_push(&x->query, expr_not(x->pool, expr_and_all(x->pool, to->v, to->n)));
    return explore_solve(x, NULL) == SOLVER_UNSAT;
}

/* Rows are disjoint: an input of the condition is in the only one that can be it. Runs of another explorer
 * sometimes write the same condition in another way; whether it is the same is the solver's to say. */
uint32_t explore_row_find(Explore *x, const ExprVec *condition)
{
    Output *o = state_of(x);
    uint32_t row = output_row_find(o, condition);
    if (row != UINT32_MAX)
        return row;
    vec_clear(&x->query);
    for (uint32_t i = 0; i < condition->n; i++)
        vec_push(&x->query, condition->v[i]);
    if (explore_solve(x, NULL) != SOLVER_SAT)
        return UINT32_MAX;
    row = output_row_of(o, &x->answer.model);
    bool same = row != UINT32_MAX && implies(x, condition, &o->signature.rows.v[row].condition) &&
                implies(x, &o->signature.rows.v[row].condition, condition);
    return same ? row : UINT32_MAX;
}

/* ---- outputs of a row ------------------------------------------------------------------------ */

static SignatureOutput *output_named(SignatureRow *row, const char *name, SignatureKind kind)
{
    for (uint32_t i = 0; i < row->outputs.n; i++)
        if (!strcmp(row->outputs.v[i].name, name))
            return &row->outputs.v[i];
    vec_push(&row->outputs, (SignatureOutput){.name = name, .kind = kind});
    return &vec_last(&row->outputs);
}

/* Text is gathered in `literal` until something else comes. */
static void end_literal(Arena *a, SignatureOutput *to, Str *literal)
{
    if (literal->n)
        vec_push(&to->parts,
                 (SignaturePart){.text = arena_strndup(a, literal->v, literal->n), .size = literal->n});
    vec_clear(literal);
}

static void add_bytes(const ExprPool *p, Arena *a, SignatureOutput *to, const Expr *bytes, uint32_t n,
                      Str *literal)
{
    for (uint32_t i = 0; i < n; i++) {
        if (expr_is_const(p, bytes[i])) {
            str_add_char(literal, (char)expr_const_value(p, bytes[i]));
            continue;
        }
        end_literal(a, to, literal);
        vec_push(
            &to->parts,
            (SignaturePart){.value = bytes[i], .size = 1, .format = {.conversion = 'c', .precision = -1}});
    }
}

/* What was written to a stream, in order. */
static void add_stream(Output *o, SignatureRow *row, const VmTrace *t, int stream, const char *name)
{
    SignatureOutput *to = output_named(row, name, SIGNATURE_TEXT);
    Str literal = {0};
    uint64_t size = 0;
    for (uint32_t i = 0; i < t->outputs.n && !to->cut; i++) {
        const VmOutput *out = &t->outputs.v[i];
        const Expr *bytes = t->output_bytes.v + out->first;
        if (out->stream != stream)
            continue;
        to->cut = (size += out->n) > TEXT_MOST;
        if (!out->format.conversion) {
            add_bytes(o->pool, o->signature.arena, to, bytes, out->n, &literal);
            continue;
        }
        Expr value = expr_concat_bytes(o->pool, bytes, out->n);
        SignaturePart part = {.value = value, .size = out->n, .format = out->format};
        if (expr_is_const(o->pool, value)) {
            vm_format_render(&out->format, out->n, expr_const_value(o->pool, value), &literal);
            continue;
        }
        if (out->n == 16 && strchr("eEfFgGaA", out->format.conversion)) /* a long double and its padding */
            part.value = expr_extract(o->pool, value, 0, 80);
        end_literal(o->signature.arena, to, &literal);
        vec_push(&to->parts, part);
    }
    end_literal(o->signature.arena, to, &literal);
    str_free(&literal);
}

/* Bytes, but an address is a word. */
static void add_memory(Output *o, SignatureOutput *to, const Expr *bytes, uint32_t n, Str *literal)
{
    for (uint32_t i = 0, size; i < n; i += size) {
        size = n - i < 8 ? n - i : 8;
        Expr word = size == 8 ? expr_concat_bytes(o->pool, bytes + i, size) : EXPR_NONE;
        if (expr_is_none(word) || !expr_is_address(o->pool, word)) {
            add_bytes(o->pool, o->signature.arena, to, bytes + i, size, literal);
            continue;
        }
        end_literal(o->signature.arena, to, literal);
        vec_push(&to->parts, (SignaturePart){.value = word, .size = size});
    }
}

/* Memory: a word if it has the size of one, else bytes. Of several under one name, one after another. */
static void add_data(Output *o, SignatureRow *row, const char *name, const Expr *bytes, uint32_t n)
{
    SignatureOutput *to = output_named(row, name, SIGNATURE_DATA);
    Str literal = {0};
    bool addresses = n == 16 && (expr_is_address(o->pool, expr_concat_bytes(o->pool, bytes, 8)) ||
                                 expr_is_address(o->pool, expr_concat_bytes(o->pool, bytes + 8, 8)));
    if (n == 1 || n == 2 || n == 4 || n == 8 || n == 10 || (n == 16 && !addresses)) /* 10: a long double */
        vec_push(&to->parts, (SignaturePart){.value = expr_concat_bytes(o->pool, bytes, n), .size = n});
    else
        add_memory(o, to, bytes, n < TEXT_MOST ? n : TEXT_MOST, &literal);
    to->cut |= n > TEXT_MOST;
    end_literal(o->signature.arena, to, &literal);
    str_free(&literal);
}

/* Are these the bytes of one input, all of it? */
static bool is_input(const ExprPool *p, const Expr *bytes, uint32_t n)
{
    uint32_t at = 0;
    ExprObject first = {0};
    for (uint32_t i = 0; i < n; i++) {
        if (expr_op(p, bytes[i]) != EXPR_SYMBOL)
            return false;
        ExprObject object = expr_symbol_object(p, bytes[i], &at);
        if (at != i || (i && object.id != first.id))
            return false;
        first = object;
    }
    return expr_object_info(p, first)->size == n;
}

/* Memory of unknown structure: words of 8 or 4 bytes where they are one value, else bytes. */
static void add_words(Output *o, SignatureRow *row, const char *name, const Expr *bytes, uint32_t n)
{
    SignatureOutput *to = output_named(row, name, SIGNATURE_DATA);
    Str literal = {0};
    n = n < TEXT_MOST ? n : TEXT_MOST;
    for (uint32_t i = 0, size; i < n; i += size) {
        Expr word = EXPR_NONE;
        for (size = 8; size >= 4; size /= 2) {
            word = i % size || i + size > n ? EXPR_NONE : expr_concat_bytes(o->pool, bytes + i, size);
            if (!expr_is_none(word) &&
                (expr_op(o->pool, word) != EXPR_CONCAT || is_input(o->pool, bytes + i, size)) &&
                (size == 4 || !expr_is_const(o->pool, word) || expr_is_address(o->pool, word)))
                break;
            word = EXPR_NONE;
        }
        if (expr_is_none(word)) {
            add_bytes(o->pool, o->signature.arena, to, bytes + i, size = 1, &literal);
            continue;
        }
        end_literal(o->signature.arena, to, &literal);
        vec_push(&to->parts, (SignaturePart){.value = word, .size = size});
    }
    end_literal(o->signature.arena, to, &literal);
    str_free(&literal);
}

static void fill_row(Output *o, const IrProgram *program, const char *entry, const ExploreCriteria *c,
                     const VmTrace *t, SignatureRow *row)
{
    for (uint32_t i = 0; i < t->outputs.n; i++) {
        const VmOutput *out = &t->outputs.v[i];
        if (out->stream > 0 || !is_observed(c, out) || !out->n)
            continue;
        uint32_t known = row->outputs.n;
        if (out->stream == VM_OUTPUT_ENTRY && strcmp(out->name, "return"))
            add_words(o, row, out->name, t->output_bytes.v + out->first, out->n);
        else
            add_data(o, row, out->name, t->output_bytes.v + out->first, out->n);
        SignatureOutput *to = output_named(row, out->name, SIGNATURE_DATA);
        to->entry = out->stream == VM_OUTPUT_ENTRY;
        to->unchanged = out->unchanged;
        if (row->outputs.n > known)
            output_fields(o, program, entry, to, out, t->output_bytes.v + out->first);
        else
            vec_clear(&to->fields); /* several under one name */
    }
    if (c->what & EXPLORE_STDOUT)
        add_stream(o, row, t, 1, "stdout");
    if (c->what & EXPLORE_STDERR)
        add_stream(o, row, t, 2, "stderr");
    if (c->what & EXPLORE_STATUS) {
        Expr status =
            expr_is_none(t->status) ? expr_const(o->pool, 32, (u128)(i128)t->result.status) : t->status;
        SignatureOutput *to = output_named(row, "status", SIGNATURE_DATA);
        vec_push(&to->parts,
                 (SignaturePart){.value = expr_zext(o->pool, expr_trunc(o->pool, status, 8), 32), .size = 4});
    }
}

void explore_shown(ExprPool *p, Arena *a, const IrProgram *program, const char *entry,
                   const ExploreCriteria *c, const VmTrace *t, SignatureRow *out)
{
    Output o = {.pool = p, .signature = {.arena = a}};
    fill_row(&o, program, entry, c, t, out);
}

void explore_shown_free(SignatureRow *row)
{
    for (uint32_t i = 0; i < row->outputs.n; i++) {
        vec_free(&row->outputs.v[i].parts);
        vec_free(&row->outputs.v[i].fields);
    }
    vec_free(&row->outputs);
}

/* ---- the explorer ---------------------------------------------------------------------------- */

/* Assumptions that every run makes: whoever reads a row may take them as given. */
static void note_assumptions(Output *o, const VmTrace *t)
{
    for (uint32_t i = 0; i < t->decisions.n; i++) {
        const VmDecision *d = &t->decisions.v[i];
        bool known = d->kind != VM_DECISION_ASSUME || d->label.id || expr_is_true(d->holds);
        for (uint32_t k = 0; k < o->signature.given.n && !known; k++)
            known = expr_same(o->signature.given.v[k], d->holds);
        if (!known)
            vec_push(&o->signature.given, d->holds);
    }
}

static void output_run(Explore *x, const Task *task, const VmTrace *trace, Origin *origin)
{
    Output *o = state_of(x);
    VmEnding ending = trace->result.ending;
    bool returned = ending == VM_END_RETURN || ending == VM_END_EXIT;
    bool tied = x->options.symbolic.policy & FLOW_TIE_FAULTS && ending == VM_END_FAULT;
    OutputRun run = {.trace = trace,
                     .criterion =
                         returned ? explore_criterion(x->pool, &x->options.criteria, trace) : trace->ending,
                     .has_output = returned || tied,
                     .input = &origin->input,
                     .number = x->counters[EXPLORE_RUNS]};
    SignatureRow *row = output_expand(o, x, task, &run, origin);
    if (returned)
        note_assumptions(o, trace);
    if (row)
        row->end = output_ending(o, x->program, &trace->result);
    if (row && returned)
        fill_row(o, x->program, x->options.symbolic.inputs.entry, &x->options.criteria, trace, row);
}

/* Where the objects of another pool lie in this one. */
static void translate(ExprPool *to, const ExprPool *from, const ExprInput *input, ExprInput *out)
{
    for (uint32_t i = 0; i < expr_object_count(from); i++) {
        const ExprObjectInfo *o = expr_object_info(from, (ExprObject){i});
        ExprObject same = o->scalar ? expr_object_scalar(to, o->key, o->name, o->scalar, o->type)
                                    : expr_object(to, o->key, o->name, o->size, o->type);
        uint32_t at = expr_object_info(to, same)->at;
        for (uint32_t k = 0; k < o->size; k++)
            expr_input_set_byte(out, at + k, expr_input_byte(input, o->at + k));
    }
}

static bool is_crowded(const Signature *s, const VmResult *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->failures.n; i++)
        n += s->failures.v[i].end.site == r->site && s->failures.v[i].end.fault == r->fault;
    return n >= CLASSES_OF_A_PLACE;
}

void explore_failure_add(Explore *x, const ExploreRun *run)
{
    Output *o = state_of(x);
    ExprInput input = {0};
    if (run->trace->result.ending != VM_END_FAULT || is_crowded(&o->signature, &run->trace->result))
        return;
    translate(x->pool, explore_pool(run->explore), run->input, &input);
    if (expr_is_none(output_avoid(o, &input))) {
        Origin *origin = origin_new(&input);
        vm_deadline(x->lane->vm, x->options.max_time > 0 ? clock_seconds() + x->options.max_time : 0);
        VmTrace *trace = vm_run_input(x->lane->vm, &input, NULL);
        explore_bump(x, EXPLORE_RUNS);
        output_run(x, &(Task){.probe = true, .site = IR_NONE}, trace, origin);
        vm_trace_free(x->lane->vm, trace);
        origin_drop(origin);
    }
    expr_input_free(&input);
}

/* Is there an input outside all rows and classes? Then it is run; but not where a limit leaves some out on
 * purpose. */
static bool output_more(Explore *x)
{
    Output *o = state_of(x);
    if (o->cut)
        return false;
    output_outside(o, &x->query);
    switch (explore_solve(x, NULL)) {
    case SOLVER_UNSAT: o->signature.certified = true; return false;
    case SOLVER_UNKNOWN: explore_note_unknown(x, IR_NONE, " whether an input is missing"); return false;
    case SOLVER_SAT: break;
    }
    explore_bump(x, EXPLORE_PROBES);
    frontier_file(&x->lane->frontier, (Task){.origin = origin_new(&x->answer.model),
                                             .solved = true,
                                             .probe = true,
                                             .site = IR_NONE,
                                             .fn = IR_NONE,
                                             .block = IR_NONE});
    return true;
}

static unsigned output_policy(const ExploreOptions *o)
{
    return FLOW_TIE_EXITS | (o->criteria.tie_faults ? FLOW_TIE_FAULTS : 0);
}

const Explorer explorer_output = {.name = "output",
                                  .labels = true,
                                  .policy = output_policy,
                                  .expand = output_run,
                                  .begin = output_begin,
                                  .end = output_end,
                                  .move = output_moved,
                                  .avoid = output_avoided,
                                  .more = output_more};
