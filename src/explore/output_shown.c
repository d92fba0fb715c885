/* output_shown.c - what is observed of a run: which label is the criterion, and the values that are shown. */
#include "explore/output.h"

#include "flow/flow.h"

#include <stdlib.h>

enum { TEXT_MOST = 1 << 20 }; /* bytes of an output that a row keeps */

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
    if (out->stream >= VM_OUTPUT_GIVEN)
        return c->what & EXPLORE_ENTRY;
    if (out->stream)
        return c->what >> (out->stream - 1) & 1;
    bool named = !c->names.n;
    for (uint32_t i = 0; i < c->names.n && !named; i++)
        named = !strcmp(c->names.v[i], out->name);
    return named && c->what & EXPLORE_NAMED;
}

static ExploreCriteria observed_of(const ExploreCriteria *c, VmEnding ending)
{
    ExploreCriteria of = *c;
    if (ending != VM_END_RETURN && ending != VM_END_EXIT)
        of.what = ending != VM_END_FAULT      ? 0
                  : c->what & EXPLORE_WRITTEN ? c->what & (EXPLORE_STDOUT | EXPLORE_STDERR | EXPLORE_WRITTEN)
                                              : c->what & EXPLORE_STDERR;
    return of;
}

VmLabel explore_criterion(ExprPool *p, const ExploreCriteria *criteria, const VmTrace *t)
{
    VmLabel l = failure_label(p, t);
    ExploreCriteria of = observed_of(criteria, t->result.ending), *c = &of;
    for (unsigned stream = 1; stream <= 2; stream++)
        if (c->what >> (stream - 1) & 1)
            l = expr_set_union(p, l, t->streams[stream]);
    if (c->what & EXPLORE_NAMED)
        l = expr_set_union(p, l, t->streams[FLOW_NAMED]);
    if (c->what & EXPLORE_ENTRY) /* a stream of the caller is one of the other files */
        l = expr_set_union(p, l, t->streams[FLOW_FILES]);
    if (c->what & EXPLORE_STATUS)
        l = expr_set_union(p, l, t->status_label);
    for (uint32_t i = 0; i < t->outputs.n; i++)
        if (is_observed(c, &t->outputs.v[i]))
            l = expr_set_union(p, l, t->outputs.v[i].label);
    return l;
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

/* Text is gathered in `literal` until something else comes. A NUL in it is a byte like any other. */
static void end_literal(Arena *a, SignatureOutput *to, Str *literal)
{
    if (literal->n) {
        char *text = arena_alloc(a, literal->n + 1);
        memcpy(text, literal->v, literal->n);
        vec_push(&to->parts, (SignaturePart){.text = text, .size = literal->n});
    }
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

typedef struct Written {
    uint32_t when, output;
} Written;
typedef Vec(Written) WrittenVec;

static int by_time(const void *a, const void *b)
{
    const Written *x = a, *y = b;
    return x->when != y->when ? (x->when < y->when ? -1 : 1) : x->output < y->output ? -1 : 1;
}

/* Outputs of a stream in the order in which they leave their buffers. `all`: what waits at the end leaves
 * last. */
static void order_written(const VmTrace *t, int stream, bool all, WrittenVec *out)
{
    for (uint32_t i = 0; i < t->outputs.n; i++) {
        const VmOutput *o = &t->outputs.v[i];
        if (o->stream == stream && (all || !o->waits))
            vec_push(out, ((Written){o->waits ? UINT32_MAX : o->written, i}));
    }
    if (out->n)
        qsort(out->v, out->n, sizeof *out->v, by_time);
}

/* What was written to a stream, in order. */
static void add_stream(Output *o, SignatureRow *row, const VmTrace *t, int stream, const char *name, bool all)
{
    SignatureOutput *to = output_named(row, name, SIGNATURE_TEXT);
    Str literal = {0};
    WrittenVec order = {0};
    uint64_t size = 0;
    order_written(t, stream, all, &order);
    for (uint32_t i = 0; i < order.n && !to->cut; i++) {
        const VmOutput *out = &t->outputs.v[order.v[i].output];
        const Expr *bytes = t->output_bytes.v + out->first;
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
    vec_free(&order);
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

void output_fill_row(Output *o, const IrProgram *program, const char *entry, const ExploreCriteria *c,
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
    for (uint32_t i = 0, last = VM_OUTPUT_GIVEN - 1; c->what & EXPLORE_ENTRY && i < t->outputs.n; i++)
        if (t->outputs.v[i].stream > (int)last) { /* they are numbered as they come */
            last = (uint32_t)t->outputs.v[i].stream;
            add_stream(o, row, t, (int)last, t->outputs.v[i].name, true);
        }
    if (c->what & EXPLORE_STDOUT)
        add_stream(o, row, t, 1, "stdout", !(c->what & EXPLORE_WRITTEN) || t->result.ending == VM_END_RETURN);
    if (c->what & EXPLORE_STDERR)
        add_stream(o, row, t, 2, "stderr", true);
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
    ExploreCriteria observed = observed_of(c, t->result.ending);
    output_fill_row(&o, program, entry, &observed, t, out);
}

void explore_shown_free(SignatureRow *row)
{
    for (uint32_t i = 0; i < row->outputs.n; i++) {
        vec_free(&row->outputs.v[i].parts);
        vec_free(&row->outputs.v[i].fields);
    }
    vec_free(&row->outputs);
}
