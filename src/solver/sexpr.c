/* sexpr.c - see sexpr.h. */
#include "solver/sexpr.h"

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
static bool ends_atom(char c)
{
    return is_space(c) || c == '(' || c == ')' || c == ';' || c == '"' || c == '|';
}

void sexpr_open(SexprReader *r, Arena *arena, const char *text, size_t size)
{
    *r = (SexprReader){.arena = arena, .at = text, .end = text + size, .line = 1};
}

static void skip_space(SexprReader *r)
{
    while (r->at < r->end) {
        if (*r->at == ';') {
            while (r->at < r->end && *r->at != '\n')
                r->at++;
        } else if (is_space(*r->at)) {
            r->line += *r->at == '\n';
            r->at++;
        } else {
            return;
        }
    }
}

static Sexpr *node(SexprReader *r, SexprKind kind, const char *text, size_t size)
{
    Sexpr *s = arena_alloc(r->arena, sizeof *s);
    s->kind = kind;
    s->line = r->line;
    s->text = kind == SEXPR_LIST ? "" : arena_strndup(r->arena, text, size);
    return s;
}

static Sexpr *fail(SexprReader *r, uint32_t line, const char *what)
{
    r->error = arena_printf(r->arena, "line %u: %s", line, what);
    r->at = r->end;
    return NULL;
}

/* What stands between two `quote` characters; a doubled '"' inside a string stands for itself. */
static Sexpr *read_quoted(SexprReader *r, char quote)
{
    uint32_t line = r->line;
    Str text = {0};
    for (r->at++; r->at < r->end; r->at++) {
        if (*r->at == quote) {
            if (quote != '"' || r->at + 1 >= r->end || r->at[1] != '"')
                break;
            r->at++;
        }
        r->line += *r->at == '\n';
        str_add_char(&text, *r->at);
    }
    Sexpr *s = NULL;
    if (r->at >= r->end) {
        fail(r, line, quote == '"' ? "a string is not closed" : "a quoted symbol is not closed");
    } else {
        r->at++;
        s = node(r, quote == '"' ? SEXPR_STRING : SEXPR_ATOM, str_text(&text), text.n);
    }
    str_free(&text);
    return s;
}

static Sexpr *read_atom(SexprReader *r)
{
    if (*r->at == '"' || *r->at == '|')
        return read_quoted(r, *r->at);
    const char *from = r->at;
    while (r->at < r->end && !ends_atom(*r->at)) {
        if ((unsigned char)*r->at < 0x20 || *r->at == 0x7f)
            return fail(r, r->line, "a control character where an expression is expected");
        r->at++;
    }
    return node(r, SEXPR_ATOM, from, (size_t)(r->at - from));
}

Sexpr *sexpr_read(SexprReader *r)
{
    typedef struct Open {
        Sexpr *list, *last;
    } Open;
    Vec(Open) open = {0};
    Sexpr *done = NULL;
    for (;;) {
        skip_space(r);
        if (r->at >= r->end) {
            if (open.n > 0 && !r->error)
                fail(r, vec_last(&open).list->line, "a '(' is not closed");
            break;
        }
        Sexpr *s = NULL;
        if (*r->at == '(') {
            r->at++;
            vec_push(&open, (Open){node(r, SEXPR_LIST, NULL, 0), NULL});
            continue;
        } else if (*r->at == ')') {
            if (open.n == 0) {
                fail(r, r->line, "a ')' without a '('");
                break;
            }
            r->at++;
            s = vec_pop(&open).list;
        } else if (!(s = read_atom(r))) {
            break;
        }
        if (open.n == 0) {
            done = s;
            break;
        }
        Open *in = &vec_last(&open);
        *(in->last ? &in->last->next : &in->list->first) = s;
        in->last = s;
        in->list->count++;
    }
    vec_free(&open);
    return done;
}

size_t sexpr_whole(SexprScan *scan, const char *text, size_t size)
{
    while (scan->at < size) {
        char c = text[scan->at];
        if (scan->atom && ends_atom(c)) /* an atom is whole once something follows it */
            return scan->at;
        scan->at++;
        if (scan->inside) {
            if (c != (scan->inside == ';' ? '\n' : scan->inside))
                continue;
            bool whole = scan->inside != ';' && scan->depth == 0;
            scan->inside = 0;
            if (whole)
                return scan->at;
        } else if (c == '"' || c == '|' || c == ';') {
            scan->inside = c;
        } else if (c == '(') {
            scan->depth++;
        } else if (c == ')') {
            if (scan->depth <= 1)
                return scan->at;
            scan->depth--;
        } else if (!is_space(c) && scan->depth == 0) {
            scan->atom = true;
        }
    }
    return 0;
}

bool sexpr_is(const Sexpr *s, const char *atom)
{
    return s && s->kind == SEXPR_ATOM && strcmp(s->text, atom) == 0;
}

const Sexpr *sexpr_child(const Sexpr *s, uint32_t index)
{
    const Sexpr *c = s && s->kind == SEXPR_LIST ? s->first : NULL;
    while (c && index-- > 0)
        c = c->next;
    return c;
}
