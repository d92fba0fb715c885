/* require.c - when code fails, as people, programs and compilers read it. */
#include "report/report.h"

#include <ctype.h>
#include <stdlib.h>

enum {
    COLUMN_MOST = 60,
    TEXT_LIMIT = 2000,
    C_LIMIT = 60000,
    SHORT = 400
}; /* characters of a condition that a person reads; all of it is in JSON */

/* ---- lines ----------------------------------------------------------------------------------- */

/* One failure, as it is printed. */
typedef struct Line {
    const char *condition, *fault, *place;
    const char *last;  /* of several places */
    const char *input; /* about an input that shows it; "": nothing */
    VmFaultKind kind;
    uint32_t order; /* of the first line of its kind */
    uint32_t position;
} Line;
typedef Vec(Line) Lines;

static const char *condition_text(const RequireReport *r, Expr e, uint32_t limit, Arena *a)
{
    Str text = {0};
    if (expr_is_true(e))
        str_add(&text, "always");
    else
        backward_condition_text(r->backward, e, limit, &text);
    const char *copy = arena_strdup(a, str_text(&text));
    str_free(&text);
    return copy;
}

/* Behind a character of C, or a whole literal. */
static const char *behind(const char *at, const char *end)
{
    if (*at != '\'')
        return at + 1;
    for (at++; at < end && *at != '\''; at++)
        at += *at == '\\';
    return at < end ? at + 1 : end;
}

/* Where this operator next stands outside of parentheses; `end` if nowhere. */
static const char *operator_at(const char *at, const char *end, const char *word)
{
    size_t n = strlen(word);
    for (int depth = 0; at < end; at = behind(at, end)) {
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        if (!depth && (size_t)(end - at) > n && !memcmp(at, word, n))
            return at;
    }
    return end;
}

static bool is_in_parentheses(const char *text, const char *end)
{
    int depth = 0;
    for (const char *at = text; at < end; at = behind(at, end)) {
        depth += (*at == '(') - (*at == ')');
        if (!depth)
            return at > text && at + 1 == end;
    }
    return false;
}

/* A long condition ends behind a whole member of it, and says how many more there are. */
static void shortened(const char *text, const char *end, size_t most, Str *out)
{
    const char *word = operator_at(text, end, " ? ") < end    ? NULL
                       : operator_at(text, end, " || ") < end ? " || "
                       : operator_at(text, end, " && ") < end ? " && "
                                                              : NULL;
    uint32_t more = 0;
    if ((size_t)(end - text) <= most) {
        str_printf(out, "%.*s", (int)(end - text), text);
    } else if (!word && is_in_parentheses(text, end)) {
        str_add_char(out, '(');
        shortened(text + 1, end - 1, most, out);
        str_add_char(out, ')');
    } else if (!word) {
        str_printf(out, "%.*s…", (int)most, text);
    } else {
        const char *next = operator_at(text, end, word);
        shortened(text, next, most, out);
        for (size_t taken = (size_t)(next - text); next < end;) {
            const char *part = next;
            next = operator_at(part + 4, end, word);
            taken += (size_t)(next - part);
            if (taken > most || more)
                more++;
            else
                str_printf(out, "%.*s", (int)(next - part), part);
        }
        if (more)
            str_printf(out, "%s… and %u more", word, more);
    }
}

static const char *short_text(const RequireReport *r, Expr e, Arena *a)
{
    const char *text = condition_text(r, e, C_LIMIT, a);
    Str out = {0};
    shortened(text, text + strlen(text), SHORT, &out);
    const char *copy = arena_strdup(a, str_text(&out));
    str_free(&out);
    return copy;
}

/* "ring.c:14": a column says nothing to a reader here. */
static const char *place_text(const RequireReport *r, uint32_t site, Arena *a)
{
    char where[512];
    char *text = arena_strdup(a, ir_site_text(r->program, site, where, sizeof where)),
         *last = strrchr(text, ':');
    if (last && last > text && memchr(text, ':', (size_t)(last - text)))
        *last = 0;
    return text;
}

static const char *fault_text(const BackwardFailure *f)
{
    return f->escape ? f->escape : vm_fault_message(f->fault);
}

static int by_group(const void *a, const void *b)
{
    const Line *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return x->position < y->position ? -1 : 1;
}

/* Faults of one kind stand together; the order is that of the answer, the shortest condition first. */
static void group_lines(Lines *lines)
{
    for (uint32_t i = 0; i < lines->n; i++) {
        Line *l = &lines->v[i];
        l->position = l->order = i;
        for (uint32_t k = 0; k < i && l->order == i; k++)
            if (!strcmp(lines->v[k].fault, l->fault))
                l->order = k;
    }
    if (lines->n)
        qsort(lines->v, lines->n, sizeof *lines->v, by_group);
}

/* "out/tests/0001.ktest   confirmed natively" */
static const char *input_text(const RequireInput *in, Arena *a)
{
    static const char *const verdicts[] = {"not replayed", "confirmed natively", "not confirmed natively"};
    if (!in->input)
        return arena_printf(a, "no input: %s", in->why);
    return arena_printf(a, "%s%s%s%s%s%s", in->test ? in->test : "an input below", "   ",
                        verdicts[in->native], in->why ? " (" : "", in->why ? in->why : "",
                        in->why ? ")" : "");
}

static void print_lines(Lines *lines, Str *out)
{
    size_t condition = 0, fault = 0, place = 0;
    group_lines(lines);
    for (uint32_t i = 0; i < lines->n; i++) {
        size_t n = strlen(lines->v[i].condition), m = strlen(lines->v[i].fault);
        condition = n > condition && n <= COLUMN_MOST ? n : condition;
        fault = m > fault ? m : fault;
        place = strlen(lines->v[i].place) > place ? strlen(lines->v[i].place) : place;
    }
    for (uint32_t i = 0; i < lines->n; i++) {
        const Line *l = &lines->v[i];
        if (strlen(l->condition) > condition)
            str_printf(out, "  %s\n  %*s", l->condition, (int)condition, "");
        else
            str_printf(out, "  %-*s", (int)condition, l->condition);
        if (*l->input)
            str_printf(out, "   %-*s   %-*s   %s\n", (int)fault, l->fault, (int)place, l->place, l->input);
        else if (*l->place)
            str_printf(out, "   %-*s   %s\n", (int)fault, l->fault, l->place);
        else
            str_printf(out, "   %s\n", l->fault);
    }
}

/* Two checks of one line can look the same. */
static bool is_said(const Line *before, const Line *now)
{
    return !strcmp(before->condition, now->condition) && !strcmp(before->fault, now->fault) &&
           !strcmp(before->place, now->place) &&
           (!strcmp(before->input, now->input) || text_starts_with(now->input, "no input"));
}

static void add_line(const RequireReport *r, const BackwardFailure *f, Expr e, Arena *a, Lines *lines)
{
    const char *place = place_text(r, f->site, a);
    bool asked = text_starts_with(place, "--fails-when"); /* the user's own condition is no abort */
    Line line = {.condition = short_text(r, e, a),
                 .fault = asked ? "--fails-when" : fault_text(f),
                 .place = asked ? "" : place,
                 .input = r->inputs ? input_text(&r->inputs[f - r->result->failures.v], a) : ""};
    for (uint32_t i = 0; i < lines->n; i++)
        if (is_said(&lines->v[i], &line))
            return;
    vec_push(lines, line);
}

/* "lex.c:7" and "lex.c:9" are "lex.c:7, 9". */
static void add_place(Line *l, const char *place, Arena *a)
{
    const char *line = strrchr(place, ':');
    size_t file = line ? (size_t)(line + 1 - place) : 0;
    bool same = !strncmp(l->last ? l->last : l->place, place, file);
    l->place = arena_printf(a, "%s, %s", l->place, same ? place + file : place);
    l->last = place;
}

/* Where little is known the same is said of many places. */
static void join_places(Lines *lines, Arena *a)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < lines->n; i++) {
        const Line *l = &lines->v[i];
        uint32_t k = 0;
        while (k < kept &&
               (strcmp(lines->v[k].condition, l->condition) || strcmp(lines->v[k].fault, l->fault)))
            k++;
        if (k < kept)
            add_place(&lines->v[k], l->place, a);
        else
            lines->v[kept++] = *l;
    }
    lines->n = kept;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_sure(const RequireReport *r, Arena *a, Str *out)
{
    Lines lines = {0};
    for (uint32_t i = 0; i < r->result->failures.n; i++)
        if (!expr_is_false(r->result->failures.v[i].least))
            add_line(r, &r->result->failures.v[i], r->result->failures.v[i].least, a, &lines);
    if (lines.n)
        str_printf(out, "%s fails %s when%s%s%s\n", r->entry, r->result->exact ? "exactly" : "at least",
                   r->under ? ", where " : "", r->under ? r->under : "", r->under ? "," : "");
    print_lines(&lines, out);
    vec_free(&lines);
}

/* What is known exactly is not said again. */
static void print_possible(const RequireReport *r, Arena *a, Str *out)
{
    Lines lines = {0};
    bool sure = false;
    for (uint32_t i = 0; i < r->result->failures.n; i++) {
        const BackwardFailure *f = &r->result->failures.v[i];
        sure |= !expr_is_false(f->least);
        if (!expr_same(f->most, f->least) && !expr_is_false(f->most))
            add_line(r, f, f->most, a, &lines);
    }
    if (!r->inputs)
        join_places(&lines, a);
    if (!lines.n)
        str_printf(out, "%s: what more makes it fail is not known\n", r->entry);
    else if (sure)
        str_printf(out, "and at most when one of these holds, or\n");
    else
        str_printf(out, "%s fails at most when\n", r->entry);
    print_lines(&lines, out);
    vec_free(&lines);
}

static void print_reasons(const RequireReport *r, Arena *a, Str *out)
{
    uint32_t n = backward_reasons(r->backward);
    str_add(out, n ? "because\n" : "");
    for (uint32_t i = 0; i < n; i++) {
        uint32_t site;
        const char *text = backward_reason(r->backward, i, &site);
        str_printf(out, "  %s%s%s\n", site != IR_NONE ? place_text(r, site, a) : "",
                   site != IR_NONE ? ": " : "", text);
    }
}

static void print_needs(const RequireReport *r, Arena *a, Str *out)
{
    for (uint32_t i = 0; i < r->result->needs.n; i++) {
        const BackwardNeed *need = &r->result->needs.v[i];
        if (need->string)
            str_printf(out, "needs a string behind %s\n", condition_text(r, need->pointer, TEXT_LIMIT, a));
        else
            str_printf(out, "needs %llu byte%s behind %s\n", (unsigned long long)need->bytes,
                       need->bytes == 1 ? "" : "s", condition_text(r, need->pointer, TEXT_LIMIT, a));
    }
}

/* Those that are not written as tests; one for each failure, or the list would be long. */
static void print_inputs(const RequireReport *r, Str *out)
{
    for (uint32_t i = 0; r->inputs && i < r->result->failures.n; i++) {
        if (!r->inputs[i].input || r->inputs[i].test)
            continue;
        str_add(out, "input\n");
        for (const char *at = r->inputs[i].input; *at;) {
            size_t n = strcspn(at, "\n");
            str_printf(out, "  %.*s\n", (int)n, at);
            at += n + (at[n] == '\n');
        }
    }
}

void report_require_text(const RequireReport *r, Str *out)
{
    Arena *a = arena_new();
    if (expr_is_false(r->result->most)) {
        str_printf(out, "%s never fails%s%s\n", r->entry, r->under ? " where " : "",
                   r->under ? r->under : "");
    } else {
        print_sure(r, a, out);
        if (!r->result->exact) {
            print_possible(r, a, out);
            print_reasons(r, a, out);
        }
    }
    print_needs(r, a, out);
    print_inputs(r, out);
    ledger_assumptions_text(r->ledger, out);
    arena_free(a);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void condition_json(const RequireReport *r, const char *key, Expr e, Arena *a, JsonOut *json)
{
    if (expr_is_const(backward_pool(r->backward), e))
        json_string(json, key, expr_is_true(e) ? "1" : "0");
    else
        json_string(json, key, condition_text(r, e, C_LIMIT, a));
}

static void input_json(const RequireInput *in, JsonOut *json)
{
    static const char *const verdicts[] = {"not replayed", "confirmed", "not confirmed"};
    if (in->test)
        json_string(json, "test", in->test);
    if (in->input)
        json_string(json, "native", verdicts[in->native]);
    if (in->input && !in->test)
        json_string(json, "input", in->input);
    if (in->why)
        json_string(json, in->input ? "native_why" : "no_input", in->why);
}

static void failure_json(const RequireReport *r, const BackwardFailure *f, Arena *a, JsonOut *json)
{
    bool exact = expr_same(f->most, f->least);
    json_object_begin(json, NULL);
    json_string(json, "fault", f->escape ? "not modelled" : vm_fault_suffix(f->fault));
    json_string(json, "message", fault_text(f));
    report_site_json(r->program, f->site, json);
    json_string(json, "function", ir_text(r->program, r->program->fns.v[f->fn].name));
    json_bool(json, "exact", exact);
    if (exact)
        condition_json(r, "exactly_when", f->least, a, json);
    else {
        condition_json(r, "at_least_when", f->least, a, json);
        condition_json(r, "at_most_when", f->most, a, json);
    }
    if (r->inputs)
        input_json(&r->inputs[f - r->result->failures.v], json);
    json_object_end(json);
}

void report_require_json(const RequireReport *r, JsonOut *json)
{
    Arena *a = arena_new();
    bool never = expr_is_false(r->result->most);
    json_string(json, "function", r->entry);
    json_string(json, "answer",
                never                             ? "never"
                : r->result->exact                ? "exactly"
                : expr_is_false(r->result->least) ? "at most"
                                                  : "between");
    json_array_begin(json, "failures");
    for (uint32_t i = 0; i < r->result->failures.n; i++)
        failure_json(r, &r->result->failures.v[i], a, json);
    json_array_end(json);
    json_array_begin(json, "needs");
    for (uint32_t i = 0; i < r->result->needs.n; i++) {
        json_object_begin(json, NULL);
        json_string(json, "pointer", condition_text(r, r->result->needs.v[i].pointer, C_LIMIT, a));
        json_uint(json, "bytes", r->result->needs.v[i].bytes);
        json_bool(json, "string", r->result->needs.v[i].string);
        json_object_end(json);
    }
    json_array_end(json);
    json_array_begin(json, "reasons");
    for (uint32_t i = 0; !never && !r->result->exact && i < backward_reasons(r->backward); i++) {
        uint32_t site;
        json_object_begin(json, NULL);
        json_string(json, "text", backward_reason(r->backward, i, &site));
        if (site != IR_NONE)
            report_site_json(r->program, site, json);
        json_object_end(json);
    }
    json_array_end(json);
    json_uint(json, "segments", r->result->segments);
    json_double(json, "seconds", r->result->seconds);
    arena_free(a);
}

/* ---- C --------------------------------------------------------------------------------------- */

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Behind `name (` in a text, up to the parenthesis that closes it, if a body follows; NULL if not. */
static const char *declared(const char *text, const char *name, Arena *a)
{
    size_t n = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        const char *open = at + n, *end;
        int depth = 0;
        if ((at > text && is_name(at[-1])) || is_name(*open))
            continue;
        while (isspace((unsigned char)*open))
            open++;
        for (end = open; *end && (depth += (*end == '(') - (*end == ')')) > 0;)
            end++;
        if (*open != '(' || *end != ')')
            continue;
        const char *behind = end + 1;
        while (isspace((unsigned char)*behind))
            behind++;
        if (*behind == '{')
            return arena_strndup(a, open + 1, (size_t)(end - open - 1));
    }
    return NULL;
}

static const char *word_name(const IrCType *t, unsigned width)
{
    bool is_unsigned = t->kind == IR_C_UINT || t->kind == IR_C_UCHAR;
    switch (width) {
    case 8:
        return t->kind == IR_C_BOOL   ? "_Bool"
               : t->kind == IR_C_CHAR ? "char"
               : is_unsigned          ? "unsigned char"
                                      : "signed char";
    case 16: return is_unsigned ? "unsigned short" : "short";
    case 32: return t->kind == IR_C_FLOAT ? "float" : is_unsigned ? "unsigned" : "int";
    default:
        return t->kind == IR_C_POINTER ? "void *"
               : t->kind == IR_C_FLOAT ? "double"
               : is_unsigned           ? "unsigned long"
                                       : "long";
    }
}

static const char *parameters_by_type(const RequireReport *r, Arena *a)
{
    static const IrCType unknown = {.kind = IR_C_INT};
    const IrFn *fn = &r->program->fns.v[r->fn];
    Str text = {0};
    for (uint32_t i = 0, number = 1; i < fn->nparams; i += ir_param_parts(fn, i), number++) {
        const IrCType *t = number < fn->ctypes.n && fn->ctypes.v[number]
                               ? &r->program->ctypes.v[fn->ctypes.v[number]]
                               : &unknown;
        str_printf(&text, "%s%s %s", i ? ", " : "", word_name(t, fn->regs.v[i].width),
                   fn->regs.v[i].name ? ir_text(r->program, fn->regs.v[i].name) : "unnamed");
    }
    const char *copy = text.n ? arena_strdup(a, str_text(&text)) : "void";
    str_free(&text);
    return copy;
}

const char *report_require_parameters(const RequireReport *r, Arena *a)
{
    enum { SOURCE_MOST = 64 << 20 };
    const IrFn *fn = &r->program->fns.v[r->fn];
    const char *file = fn->site < r->program->sites.n
                           ? ir_text(r->program, r->program->sites.v[fn->site].file)
                           : "",
               *found = NULL;
    Str source = {0};
    if (*file && file_read(file, SOURCE_MOST, &source))
        found = declared(str_text(&source), r->entry, a);
    str_free(&source);
    return found ? found : parameters_by_type(r, a);
}

static Expr direction(const BackwardFailure *f, bool least) { return least ? f->least : f->most; }

/* The failures as members of one disjunction. One further down may rely on those above being false, so that
 * their order stays. One whose text is cut off would be no C: the disjunction ends there, on the side on
 * which the answer stays true. */
static uint32_t print_disjunction(const RequireReport *r, bool least, const char *indent, Arena *a, Str *out)
{
    uint32_t n = 0;
    Expr known = EXPR_TRUE; /* where the lines above do not hold */
    for (uint32_t i = 0; i < r->result->failures.n; i++) {
        const BackwardFailure *f = &r->result->failures.v[i];
        Expr e = direction(f, least);
        if (expr_is_false(e))
            continue;
        Str c = {0};
        backward_condition_c(r->backward, e, known, C_LIMIT, &c);
        known = expr_and(backward_pool(r->backward), known, expr_not(backward_pool(r->backward), e));
        bool cut = strstr(str_text(&c), "...");
        const char *text = cut ? least ? "false" : "true" : arena_strdup(a, str_text(&c));
        str_free(&c);
        bool mixed = strstr(text, " && ") || strstr(text, " ? ");
        str_printf(out, n ? "\n%s|| " : "", indent);
        str_printf(out, mixed ? "(%s)" : "%s", text);
        str_printf(out, "   /* %s, %s%s */", fault_text(f), place_text(r, f->site, a),
                   cut ? REPORT_REQUIRE_CUT : "");
        n++;
        if (cut)
            break;
    }
    return n;
}

void report_require_c(const RequireReport *r, const char *parameters, bool least, Str *out)
{
    Arena *a = arena_new();
    Str body = {0};
    uint32_t n = print_disjunction(r, least, "        ", a, &body);
    bool cut = strstr(str_text(&body), REPORT_REQUIRE_CUT);
    const char *how = r->result->exact && !cut ? "exactly when this holds"
                      : least                  ? "at least when this holds"
                                               : "at most when this holds";
    str_printf(out, "/* %s fails %s. Made by `sheaf require`; arithmetic wraps around (-fwrapv). */\n",
               r->entry, n ? how : "never");
    str_add(out, "#include <stdbool.h>\n#include <stddef.h>\n");
    if (strstr(str_text(&body), "room("))
        str_add(out, "#ifndef room                               /* bytes behind a pointer, as the caller "
                     "knows them: a macro, or this function */\nlong room(const void *pointer);\n#endif\n");
    if (strstr(str_text(&body), "strlen("))
        str_add(out, "#include <string.h>\n");
    if (strstr(str_text(&body), "_MIN") || strstr(str_text(&body), "_MAX"))
        str_add(out, "#include <limits.h>\n");
    str_printf(out, "\nbool %s_fails(%s)\n{\n", r->entry, parameters);
    str_printf(out, "    return %s;\n}\n", n ? str_text(&body) : "false");
    str_free(&body);
    arena_free(a);
}

void report_require_guard(const RequireReport *r, Str *out)
{
    Arena *a = arena_new();
    Str body = {0};
    uint32_t n = print_disjunction(r, false, "         ", a, &body);
    if (n)
        str_printf(out, "assert(!(%s));\n", str_text(&body));
    str_free(&body);
    arena_free(a);
}
