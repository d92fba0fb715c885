/* joint_compare.c - what two runs of one input show, compared as expressions: identical, proved equal,
 * different, or open. */
#include "versions/joint_int.h"

#include <ctype.h>

enum { TEXT_MOST = 400, WORD = 8 };

/* Where the outputs of a row differ. */
typedef struct Comparison {
    Joint *j;
    JointRow *row;
    SignatureRow *shown; /* by version */
    const VmTrace *const *trace;
    ExprVec differs;  /* conditions: some output differs exactly where one of them holds */
    ExprVec words[2]; /* by version and condition: the two words; EXPR_NONE: it is not about words */
    U32Vec output;    /* by condition: which output; index into `names` */
    StrVec names;
    const char *open; /* something cannot be compared */
    bool surely;      /* they differ for every input of the row */
} Comparison;

static void add_name(Comparison *c, const char *name)
{
    for (uint32_t i = 0; i < c->names.n; i++)
        if (!strcmp(c->names.v[i], name))
            return;
    vec_push(&c->names, name);
}

static const SignatureOutput *find(const SignatureRow *row, const char *name)
{
    for (uint32_t i = 0; i < row->outputs.n; i++)
        if (!strcmp(row->outputs.v[i].name, name))
            return &row->outputs.v[i];
    return NULL;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void bytes_of(ExprPool *p, const SignatureOutput *o, ExprVec *out)
{
    for (uint32_t i = 0; i < o->parts.n; i++) {
        const SignaturePart *part = &o->parts.v[i];
        for (uint32_t k = 0; k < part->size; k++)
            vec_push(out, part->text ? expr_const(p, 8, (uint8_t)part->text[k])
                                     : expr_extract(p, part->value, 8 * k, 8));
    }
}

/* What an output that one version may write holds at first: the other leaves it as it is. False: not
 * known. */
static bool at_first(const Comparison *c, unsigned version, const char *name, uint32_t n, ExprVec *out)
{
    const IrProgram *program = c->j->versions->program[version];
    ExprPool *p = c->j->pool;
    for (unsigned v = 0; v < 2; v++)
        for (uint32_t i = 0; i < c->trace[v]->inputs.n; i++) {
            const VmInputUse *use = &c->trace[v]->inputs.v[i];
            const ExprObjectInfo *info = expr_object_info(p, use->object);
            if ((use->origin != VM_INPUT_POINTEE && use->origin != VM_INPUT_GLOBAL) ||
                strcmp(info->name, name) || info->size < n)
                continue;
            for (uint32_t k = 0; k < n; k++)
                vec_push(out, expr_object_byte(p, use->object, k));
            return true;
        }
    uint32_t global = ir_global_find(program, name);
    const IrGlobal *g = global == IR_NONE ? NULL : &program->globals.v[global];
    if (!g || g->relocs.n || g->size < n)
        return false;
    for (uint32_t k = 0; k < n; k++)
        vec_push(out, expr_const(p, 8, g->bytes ? g->bytes[k] : 0));
    return true;
}

static void differ(Comparison *c, const char *name, Expr condition)
{
    add_name(c, name);
    if (expr_is_true(condition))
        c->surely = true;
    for (uint32_t i = 0; i < c->names.n; i++)
        if (!strcmp(c->names.v[i], name))
            vec_push(&c->output, i);
    vec_push(&c->differs, condition);
    for (unsigned v = 0; v < 2; v++)
        vec_push(&c->words[v], EXPR_NONE);
}

/* Addresses of objects that each version has made, whose contents are compared under the pointer's name. */
static bool both_made(const Comparison *c, Expr old, Expr new, const char *name, uint32_t offset)
{
    char below[256];
    if (!expr_is_address(c->j->pool, old) || !expr_is_address(c->j->pool, new))
        return false;
    vm_reached_name(name, offset, below, sizeof below);
    return find(&c->shown[VERSIONS_OLD], below) && find(&c->shown[VERSIONS_NEW], below);
}

/* Of a word one half of which is the same, only the other is asked about: conditions are printed for
 * people. */
static void compare_word(Comparison *c, const char *name, const ExprVec bytes[2], uint32_t at, uint32_t size)
{
    ExprPool *p = c->j->pool;
    Expr whole[2], half[2][2]; /* by version; by half and version */
    for (unsigned v = 0; v < 2; v++)
        whole[v] = expr_concat_bytes(p, bytes[v].v + at, size);
    if (expr_same(whole[0], whole[1]) || (size == WORD && both_made(c, whole[0], whole[1], name, at)))
        return;
    for (unsigned h = 0; size > 1 && !(size & 1) && h < 2; h++)
        for (unsigned v = 0; v < 2; v++)
            half[h][v] = expr_concat_bytes(p, bytes[v].v + at + h * size / 2, size / 2);
    for (unsigned h = 0; size > 1 && !(size & 1) && h < 2; h++)
        if (expr_same(half[!h][0], half[!h][1])) {
            compare_word(c, name, bytes, at + h * size / 2, size / 2);
            return;
        }
    differ(c, name, expr_not(p, expr_eq(p, whole[0], whole[1])));
    for (unsigned v = 0; v < 2; v++)
        vec_last(&c->words[v]) = whole[v];
}

static void compare_bytes(Comparison *c, const char *name, const ExprVec bytes[2])
{
    for (uint32_t i = 0; i < bytes[0].n; i += WORD)
        compare_word(c, name, bytes, i, bytes[0].n - i < WORD ? bytes[0].n - i : WORD);
}

static void compare_data(Comparison *c, const char *name, const SignatureOutput *const o[2])
{
    ExprVec bytes[2] = {{0}};
    bool known = true;
    for (unsigned v = 0; v < 2; v++)
        if (o[v])
            bytes_of(c->j->pool, o[v], &bytes[v]);
    for (unsigned v = 0; v < 2; v++)
        if (!o[v])
            known = o[!v]->entry && at_first(c, v, name, bytes[!v].n, &bytes[v]);
    if (!known && o[0] != o[1] && !(o[0] && o[0]->entry) && !(o[1] && o[1]->entry))
        differ(c, name, EXPR_TRUE); /* one of them did not show it at all */
    else if (!known)
        c->open = "what one version writes cannot be compared with what the other leaves as it is";
    else if (bytes[0].n != bytes[1].n && name[0] != '*')
        differ(c, name, EXPR_TRUE);
    else if (bytes[0].n != bytes[1].n)
        c->open = "an object that both make has another size";
    else
        compare_bytes(c, name, bytes);
    for (unsigned v = 0; v < 2; v++) {
        if (o[v] && o[v]->cut)
            c->open = "an output is longer than what is kept of it";
        vec_free(&bytes[v]);
    }
}

/* ---- text ------------------------------------------------------------------------------------ */

static bool same_format(const VmFormat *a, const VmFormat *b)
{
    return a->conversion == b->conversion && a->flags == b->flags && a->width == b->width &&
           a->precision == b->precision;
}

/* Text as it comes out for the input of the evaluation. */
static void render(ExprEval *ev, const SignatureOutput *o, Str *out)
{
    for (uint32_t i = 0; o && i < o->parts.n; i++) {
        const SignaturePart *part = &o->parts.v[i];
        if (part->text)
            str_add_n(out, part->text, part->size);
        else
            vm_format_render(&part->format, part->size, expr_eval(ev, part->value), out);
    }
}

/* Where the next piece begins: part, and byte of a literal. */
typedef struct Place {
    uint32_t part, at;
} Place;

static const SignaturePart *part_at(const SignatureOutput *o, Place p)
{
    return o && p.part < o->parts.n ? &o->parts.v[p.part] : NULL;
}

static void pass(const SignatureOutput *o, Place *p, uint32_t bytes)
{
    const SignaturePart *part = part_at(o, *p);
    p->at += bytes;
    if (!part->text || p->at >= part->size)
        *p = (Place){p->part + 1, 0};
}

/* A printed integer against literal text: the number that the text begins with, as far as digits go, must be
 * what is printed for it. Returns its length; 0: none. */
static uint32_t number_in(const ExprPool *p, const SignaturePart *value, const char *text, uint32_t n,
                          u128 *number)
{
    bool minus = n && text[0] == '-',
         hex = value->format.conversion == 'x' || value->format.conversion == 'X';
    uint32_t length = minus;
    char digits[48];
    u128 parsed;
    if (!strchr("diuxX", value->format.conversion) || value->format.width)
        return 0;
    while (length < n && length + 1 < sizeof digits &&
           (hex ? isxdigit((unsigned char)text[length]) : isdigit((unsigned char)text[length])))
        length++;
    memcpy(digits, text, length);
    digits[length] = 0;
    if (length == minus || !text_parse_u128(digits, hex ? 16 : 10, &parsed))
        return 0;
    *number = parsed & bits_mask(expr_width(p, value->value));
    Str again = {0};
    vm_format_render(&value->format, value->size, *number, &again);
    bool same = !strcmp(str_text(&again), digits);
    str_free(&again);
    return same ? length : 0;
}

/* Piece by piece; false: they are made of different pieces. Pieces that are equal make equal text; others
 * may. */
static bool compare_pieces(Comparison *c, const SignatureOutput *const o[2])
{
    Place at[2] = {{0, 0}};
    for (;;) {
        const SignaturePart *a = part_at(o[0], at[0]), *b = part_at(o[1], at[1]);
        if (!a || !b)
            return !a && !b;
        uint32_t n = 1;
        if (!a->text != !b->text) {
            unsigned literal = a->text ? 0 : 1;
            const SignaturePart *text = literal ? b : a, *value = literal ? a : b;
            u128 number;
            n = number_in(c->j->pool, value, text->text + at[literal].at, text->size - at[literal].at,
                          &number);
            if (!n)
                return false;
            differ(c, o[1]->name,
                   expr_not(c->j->pool,
                            expr_eq(c->j->pool, value->value,
                                    expr_const(c->j->pool, expr_width(c->j->pool, value->value), number))));
            pass(o[literal], &at[literal], n);
            pass(o[!literal], &at[!literal], 1);
            continue;
        }
        if (a->text) {
            uint32_t left = a->size - at[0].at, other = b->size - at[1].at;
            n = left < other ? left : other;
            if (memcmp(a->text + at[0].at, b->text + at[1].at, n))
                return false;
        } else if (a->size != b->size || !same_format(&a->format, &b->format) ||
                   expr_width(c->j->pool, a->value) != expr_width(c->j->pool, b->value)) {
            return false;
        } else if (!expr_same(a->value, b->value)) {
            differ(c, o[1]->name, expr_not(c->j->pool, expr_eq(c->j->pool, a->value, b->value)));
        }
        pass(o[0], &at[0], n);
        pass(o[1], &at[1], n);
    }
}

/* Made of different pieces: text that comes out differently for this input does differ; else nobody knows of
 * other inputs. */
static void compare_text(Comparison *c, const char *name, const SignatureOutput *const o[2])
{
    uint32_t before = c->differs.n;
    if ((o[0] && o[0]->cut) || (o[1] && o[1]->cut))
        c->open = "an output is longer than what is kept of it";
    if (o[0] && o[1] && compare_pieces(c, o))
        return;
    c->differs.n = c->output.n = c->words[0].n = c->words[1].n = before;
    Str text[2] = {{0}};
    ExprEval *ev = expr_eval_new(c->j->pool);
    expr_eval_input(ev, &c->row->input);
    bool constant = true;
    for (unsigned v = 0; v < 2; v++) {
        render(ev, o[v], &text[v]);
        for (uint32_t i = 0; o[v] && i < o[v]->parts.n; i++)
            constant &= o[v]->parts.v[i].text != NULL;
    }
    if (strcmp(str_text(&text[0]), str_text(&text[1])) || text[0].n != text[1].n)
        differ(c, name, EXPR_TRUE); /* at least for this input, which becomes the row's */
    else if (!constant)
        c->open = "text is put together in different ways";
    str_free(&text[0]);
    str_free(&text[1]);
    expr_eval_free(ev);
}

/* ---- for people ------------------------------------------------------------------------------ */

/* A field is shown if it differs on this input from the field of that name in the other version; without one,
 * if it was written. */
static bool is_shown(ExprEval *ev, const SignatureOutput *o, const SignatureOutput *other, uint32_t i)
{
    const SignatureField *f = &o->fields.v[i];
    const SignatureField *g = other && i < other->fields.n ? &other->fields.v[i] : NULL;
    if (g && !strcmp(f->name, g->name))
        return expr_eval(ev, f->value) != expr_eval(ev, g->value);
    return !o->entry || !f->unchanged || !strcmp(o->name, "return");
}

static void print_value(const Comparison *c, ExprEval *ev, const SignatureOutput *o,
                        const SignatureOutput *other, Str *out)
{
    if (!o) {
        str_add(out, "unchanged");
    } else if (o->kind == SIGNATURE_TEXT) {
        Str text = {0};
        render(ev, o, &text);
        str_add_char(out, '"');
        joint_quote(str_text(&text), text.n, TEXT_MOST, out);
        str_add_char(out, '"');
        str_free(&text);
    } else if (o->fields.n) {
        for (uint32_t i = 0, shown = 0; i < o->fields.n; i++) {
            const SignatureField *f = &o->fields.v[i];
            if (!is_shown(ev, o, other, i))
                continue;
            Expr value = expr_const(c->j->pool, expr_width(c->j->pool, f->value), expr_eval(ev, f->value));
            str_printf(out, "%s%s%s", shown++ ? ", " : "", f->name, *f->name ? " = " : "");
            expr_print_c_kind(c->j->pool, value, f->kind, TEXT_MOST, out);
            if (out->n > TEXT_MOST) {
                str_add(out, ", ...");
                break;
            }
        }
    } else {
        for (uint32_t i = 0; i < o->parts.n && out->n < TEXT_MOST; i++) {
            const SignaturePart *part = &o->parts.v[i];
            str_add(out, i ? " " : "");
            if (part->text)
                joint_quote(part->text, part->size, TEXT_MOST, out);
            else
                expr_print_c(
                    c->j->pool,
                    expr_const(c->j->pool, expr_width(c->j->pool, part->value), expr_eval(ev, part->value)),
                    TEXT_MOST, out);
        }
    }
}

static void print_terms(const Comparison *c, ExprEval *ev, const SignatureOutput *o,
                        const SignatureOutput *other, Str *out)
{
    if (!o) {
        str_add(out, "unchanged");
        return;
    }
    bool fields = o->fields.n && o->kind == SIGNATURE_DATA;
    for (uint32_t i = 0, shown = 0; i < (fields ? o->fields.n : o->parts.n) && out->n < TEXT_MOST; i++) {
        if (fields) {
            const SignatureField *f = &o->fields.v[i];
            if (!is_shown(ev, o, other, i))
                continue;
            str_printf(out, "%s%s%s", shown++ ? ", " : "", f->name, *f->name ? " = " : "");
            expr_print_c_kind(c->j->pool, f->value, f->kind, TEXT_MOST, out);
        } else if (o->parts.v[i].text) {
            str_add_char(out, '"');
            joint_quote(o->parts.v[i].text, o->parts.v[i].size, TEXT_MOST, out);
            str_add_char(out, '"');
        } else {
            str_add(out, i ? " " : "");
            expr_print_c(c->j->pool, o->parts.v[i].value, TEXT_MOST, out);
        }
    }
    if (!out->n)
        str_add(out, o->kind == SIGNATURE_TEXT ? "nothing" : "unchanged");
}

static void describe(Comparison *c)
{
    Joint *j = c->j;
    ExprEval *ev = expr_eval_new(j->pool);
    expr_eval_input(ev, &c->row->input);
    BitSet told = {0};
    for (uint32_t i = 0; i < c->differs.n; i++) {
        if (!expr_eval_true(ev, c->differs.v[i]) || !bitset_add(&told, c->output.v[i]))
            continue;
        JointChange change = {.name = arena_strdup(j->arena, c->names.v[c->output.v[i]])};
        for (unsigned v = 0; v < 2; v++) {
            Str text = {0}, value = {0};
            const SignatureOutput *o = find(&c->shown[v], change.name),
                                  *other = find(&c->shown[1 - v], change.name);
            print_terms(c, ev, o, other, &text);
            print_value(c, ev, o, other, &value);
            change.text[v] = arena_strdup(j->arena, str_text(&text));
            change.value[v] = arena_strdup(j->arena, str_text(&value));
            str_free(&text);
            str_free(&value);
        }
        vec_push(&c->row->changes, change);
    }
    bitset_free(&told);
    expr_eval_free(ev);
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static void describe_ending(Comparison *c)
{
    JointChange change = {.name = "ending"};
    for (unsigned v = 0; v < 2; v++) {
        const SignatureEnd *end = &c->row->end[v];
        change.text[v] = change.value[v] = end->ending == VM_END_FAULT ? vm_fault_message(end->fault)
                                           : end->ending == VM_END_EXIT && !c->j->options.entry[v]
                                               ? "exits"
                                               : "returns";
    }
    vec_push(&c->row->changes, change);
}

/* Text may come out the same though its pieces differ: "1" "12" and "11" "2". */
static bool really_differs(const Comparison *c)
{
    ExprEval *ev = expr_eval_new(c->j->pool);
    expr_eval_input(ev, &c->row->input);
    bool found = false;
    for (uint32_t i = 0; i < c->differs.n && !found; i++) {
        const char *name = c->names.v[c->output.v[i]];
        const SignatureOutput *o[2] = {find(&c->shown[VERSIONS_OLD], name),
                                       find(&c->shown[VERSIONS_NEW], name)};
        if (!expr_eval_true(ev, c->differs.v[i]))
            continue;
        if (!o[0] || !o[1] || o[0]->kind != SIGNATURE_TEXT) {
            found = true;
            continue;
        }
        Str text[2] = {{0}};
        for (unsigned v = 0; v < 2; v++)
            render(ev, o[v], &text[v]);
        found = text[0].n != text[1].n || memcmp(str_text(&text[0]), str_text(&text[1]), text[0].n);
        str_free(&text[0]);
        str_free(&text[1]);
    }
    expr_eval_free(ev);
    return found;
}

/* The row's inputs for which it differs. */
static Expr query_of(const Comparison *c, ExprVec *out)
{
    const Joint *j = c->j;
    for (uint32_t i = 0; i < c->row->condition.n; i++)
        vec_push(out, c->row->condition.v[i]);
    for (uint32_t i = 0; i < j->options.given.n; i++)
        vec_push(out, j->options.given.v[i]);
    Expr some = c->differs.n ? EXPR_FALSE : EXPR_TRUE;
    for (uint32_t i = 0; i < c->differs.n; i++)
        some = expr_or(j->pool, some, c->differs.v[i]);
    vec_push(out, some);
    return some;
}

/* An input for which they differ must be one that can be told natively: all that it applies was evaluated. */
static void settle(Comparison *c)
{
    ExprVec query = {0};
    query_of(c, &query);
    if (c->row->verdict == JOINT_DIFFERENT && !joint_abstract_settle(c->j, &query, &c->row->input)) {
        c->row->verdict = JOINT_OPEN;
        c->row->why = "a call that was not entered takes too many steps to evaluate";
    }
    vec_free(&query);
}

static JointVerdict ask(Comparison *c)
{
    Joint *j = c->j;
    ExprVec query = {0};
    Expr some = query_of(c, &query);
    SolverAnswer answer = {0};
    SolverStatus status = joint_ask(j, &query, &c->row->input, &answer);
    if (status == SOLVER_SAT) {
        expr_input_copy(&c->row->input, &answer.model);
        c->row->where = some;
    }
    if (status == SOLVER_UNKNOWN)
        c->row->why = solver_reason_text(answer.reason);
    solver_answer_free(&answer);
    vec_free(&query);
    if (status == SOLVER_SAT && !really_differs(c)) {
        c->row->why = "text that is put together in different ways came out the same for what was tried";
        return JOINT_OPEN;
    }
    return status == SOLVER_SAT ? JOINT_DIFFERENT : status == SOLVER_UNSAT ? JOINT_PROVED : JOINT_OPEN;
}

/* ---- in which way ---------------------------------------------------------------------------- */

/* Has the row no input that differs under this restriction as well? */
static bool is_same_under(const Comparison *c, Expr differs, const ExprVec *restriction)
{
    ExprVec query = {0};
    SolverAnswer answer = {0};
    query_of(c, &query);
    vec_last(&query) = differs;
    for (uint32_t i = 0; i < restriction->n; i++)
        vec_push(&query, restriction->v[i]);
    bool same = joint_ask(c->j, &query, NULL, &answer) == SOLVER_UNSAT;
    solver_answer_free(&answer);
    vec_free(&query);
    return same;
}

static bool is_only_nan(const Comparison *c)
{
    ExprVec numbers = {0}, query = {0};
    Expr differs = query_of(c, &query);
    joint_class_numbers(c->j->pool, c->trace[VERSIONS_NEW], &numbers);
    bool only = numbers.n && is_same_under(c, differs, &numbers);
    vec_free(&numbers);
    vec_free(&query);
    return only;
}

static bool is_only_rounding(const Comparison *c)
{
    for (uint32_t i = 0; i < c->differs.n; i++)
        if (expr_is_none(c->words[0].v[i]) ||
            !joint_class_exactly_same(c->j->pool, c->words[0].v[i], c->words[1].v[i]))
            return false;
    return c->differs.n > 0;
}

static bool is_text(const ExprPool *p, const SignatureOutput *o)
{
    bool text = o && o->kind == SIGNATURE_DATA && o->entry && o->fields.n;
    for (uint32_t i = 0; text && i < o->fields.n; i++)
        text = expr_width(p, o->fields.v[i].value) == 8;
    return text;
}

/* Where a string differs up to its NUL in OLD, or the outputs are no strings. */
static bool is_only_after_nul(const Comparison *c)
{
    ExprPool *p = c->j->pool;
    Expr some = EXPR_FALSE;
    bool strings = true;
    for (uint32_t i = 0; i < c->names.n && strings; i++) {
        const SignatureOutput *o[2] = {find(&c->shown[0], c->names.v[i]), find(&c->shown[1], c->names.v[i])};
        ExprVec bytes[2] = {{0}};
        strings = is_text(p, o[0]) && is_text(p, o[1]);
        for (unsigned v = 0; v < 2 && strings; v++)
            bytes_of(p, o[v], &bytes[v]);
        strings = strings && bytes[0].n == bytes[1].n;
        Expr before = EXPR_TRUE;
        for (uint32_t k = 0; strings && k < bytes[0].n; k++) {
            Expr differs = expr_not(p, expr_eq(p, bytes[0].v[k], bytes[1].v[k]));
            some = expr_or(p, some, expr_and(p, before, differs));
            before = expr_and(p, before, expr_not(p, expr_eq(p, bytes[0].v[k], expr_const(p, 8, 0))));
        }
        vec_free(&bytes[0]);
        vec_free(&bytes[1]);
    }
    ExprVec none = {0};
    return strings && c->names.n && is_same_under(c, some, &none);
}

static JointClass classify(const Comparison *c)
{
    return is_only_rounding(c)    ? JOINT_ROUNDING
           : is_only_nan(c)       ? JOINT_NAN
           : is_only_after_nul(c) ? JOINT_AFTER_NUL
                                  : JOINT_ANY;
}

/* An entry that returned ends with its result as the status: that is told already. */
static bool is_told_by_result(const Comparison *c, const char *name)
{
    return !strcmp(name, "status") && c->j->options.entry[VERSIONS_NEW] &&
           find(&c->shown[VERSIONS_OLD], "return") && find(&c->shown[VERSIONS_NEW], "return");
}

static void compare_outputs(Comparison *c)
{
    for (unsigned v = 2; v-- > 0;)
        for (uint32_t i = 0; i < c->shown[v].outputs.n; i++) {
            const char *name = c->shown[v].outputs.v[i].name;
            if (is_told_by_result(c, name))
                continue;
            const SignatureOutput *o[2] = {find(&c->shown[VERSIONS_OLD], name),
                                           find(&c->shown[VERSIONS_NEW], name)};
            if (v == VERSIONS_OLD && o[VERSIONS_NEW])
                continue; /* compared already */
            if (c->shown[v].outputs.v[i].kind == SIGNATURE_TEXT)
                compare_text(c, name, o);
            else
                compare_data(c, name, o);
        }
}

/* What the row's condition says, put into what is shown: more of it is identical then, and less is asked. */
static void use_facts(ExprPool *p, const ExprVec *condition, SignatureRow shown[2])
{
    ExprSubst *s = expr_subst_new(p);
    for (uint32_t i = 0; i < condition->n; i++) {
        Expr c = condition->v[i];
        bool negated = expr_op(p, c) == EXPR_NOT;
        if (!expr_is_pointer_equality(p, c))
            expr_subst_add(s, negated ? expr_child(p, c, 0) : c, negated ? EXPR_FALSE : EXPR_TRUE);
    }
    for (unsigned v = 0; v < 2; v++)
        for (uint32_t i = 0; i < shown[v].outputs.n; i++) {
            SignatureOutput *o = &shown[v].outputs.v[i];
            for (uint32_t k = 0; k < o->parts.n; k++)
                if (!o->parts.v[k].text)
                    o->parts.v[k].value = expr_subst_apply(s, o->parts.v[k].value);
            for (uint32_t k = 0; k < o->fields.n; k++)
                o->fields.v[k].value = expr_subst_apply(s, o->fields.v[k].value);
        }
    expr_subst_free(s);
}

void joint_compare(Joint *j, JointRow *row, SignatureRow shown[2], const VmTrace *const trace[2])
{
    Comparison c = {.j = j, .row = row, .shown = shown, .trace = trace};
    bool fault[2] = {row->end[0].ending == VM_END_FAULT, row->end[1].ending == VM_END_FAULT};
    row->fault_new = fault[VERSIONS_NEW] && (!fault[VERSIONS_OLD] || row->end[0].fault != row->end[1].fault);
    row->fault_gone = fault[VERSIONS_OLD] && (!fault[VERSIONS_NEW] || row->end[0].fault != row->end[1].fault);
    if (row->fault_new || row->fault_gone || row->end[0].ending != row->end[1].ending) {
        row->verdict = JOINT_DIFFERENT;
        settle(&c);
        describe_ending(&c);
        return;
    }
    row->verdict = JOINT_IDENTICAL;
    use_facts(j->pool, &row->condition, shown);
    compare_outputs(&c);
    if (c.surely)
        row->verdict = JOINT_DIFFERENT;
    else if (c.differs.n)
        row->verdict = ask(&c);
    settle(&c);
    if (row->verdict == JOINT_DIFFERENT && !c.surely)
        row->class = classify(&c);
    if (row->verdict == JOINT_DIFFERENT)
        describe(&c);
    else if (c.open) {
        row->verdict = JOINT_OPEN;
        row->why = c.open;
    }
    vec_free(&c.differs);
    vec_free(&c.words[0]);
    vec_free(&c.words[1]);
    vec_free(&c.output);
    vec_free(&c.names);
}
