/* parse.c - the textual IR, top level: globals, functions' heads and bodies (parse_fn.c), the site table.
 *
 * Two passes: the first meets the names of functions and globals in order, so that indices follow the text
 * and references may go forward. Bounded: memory grows with the text, but for the contents of globals
 * (DATA_LIMIT) and register numbers that a text leaves out (HOLE_LIMIT). The result is not verified:
 * ir_program_verify does that. */
#include "ir/parse_int.h"

enum { DATA_LIMIT = 256 << 20, HOLE_LIMIT = 1 << 20 };

bool parse_try_mark(Parser *ps, char mark)
{
    bool is = lex_is_mark(&ps->lex, mark);
    if (is)
        lex_next(&ps->lex);
    return is;
}

void parse_mark(Parser *ps, char mark)
{
    if (!parse_try_mark(ps, mark)) {
        const char *what = mark == '>' ? "->" : mark == '.' ? "..." : (char[]){mark, 0};
        lex_fail(&ps->lex, "expected '%s'", what);
    }
}

void parse_line_end(Parser *ps)
{
    if (ps->lex.kind == LEX_LINE)
        lex_next(&ps->lex);
    else if (ps->lex.kind != LEX_END)
        lex_fail(&ps->lex, "expected the end of the line");
}

uint64_t parse_number(Parser *ps, uint64_t most, const char *what)
{
    Lexer *l = &ps->lex;
    if (l->kind != LEX_NUMBER || l->mark || l->number > most) {
        lex_fail(l, "expected %s, a number up to %llu", what, (unsigned long long)most);
        return 0;
    }
    uint64_t value = (uint64_t)l->number;
    lex_next(l);
    return value;
}

uint8_t parse_width(Parser *ps)
{
    uint64_t width = parse_number(ps, IR_WIDTH_MAX, "a width");
    if (width == 0)
        lex_fail(&ps->lex, "expected a width from 1 to %d", IR_WIDTH_MAX);
    return (uint8_t)width;
}

uint32_t parse_fn_name(Parser *ps)
{
    Lexer *l = &ps->lex;
    if (!lex_is_name(l, '@')) {
        lex_fail(l, "expected the name of a function");
        return 0;
    }
    uint32_t fn = ir_fn_find(ps->p, l->word.v);
    if (fn == IR_NONE) {
        lex_fail(l, "unknown function '@%s'", l->word.v);
        return 0;
    }
    lex_next(l);
    return fn;
}

uint32_t parse_site(Parser *ps)
{
    Lexer *l = &ps->lex;
    if (!lex_is_name(l, '!'))
        return IR_NONE;
    if (l->number >= IR_NONE) {
        lex_fail(l, "site number out of range");
        return IR_NONE;
    }
    uint32_t site = (uint32_t)l->number;
    if (ps->site_max == IR_NONE || site > ps->site_max) {
        ps->site_max = site;
        ps->site_line = l->line;
    }
    lex_next(l);
    return site;
}

static u128 parse_offset(Parser *ps)
{
    Lexer *l = &ps->lex;
    if (l->kind != LEX_NUMBER || !l->mark)
        return 0;
    u128 offset = l->mark == '-' ? -l->number : l->number;
    if (l->number > ((u128)1 << 63) - (l->mark == '+'))
        lex_fail(l, "offset of more than 64 bits");
    lex_next(l);
    return offset & bits_mask(64);
}

IrConst parse_address(Parser *ps)
{
    Lexer *l = &ps->lex;
    if (lex_is_name(l, '$')) {
        uint32_t global = ir_global_find(ps->p, l->word.v);
        if (global == IR_NONE)
            lex_fail(l, "unknown global '$%s'", l->word.v);
        lex_next(l);
        return (IrConst){.kind = IR_CONST_GLOBAL, .index = global, .bits = parse_offset(ps)};
    }
    uint32_t fn = parse_fn_name(ps);
    if (!lex_is_name(l, '^'))
        return (IrConst){.kind = IR_CONST_FN, .index = fn, .bits = parse_offset(ps)};
    if (!l->numbered || l->word.n)
        lex_fail(l, "the address of a block is written with its number alone, as in @f^3");
    uint32_t block = (uint32_t)l->number;
    lex_next(l);
    return (IrConst){.kind = IR_CONST_BLOCK, .index = fn, .block = block};
}

/* ---- globals --------------------------------------------------------------------------------- */

static bool decode_hex(Str *s)
{
    static const char digits[] = "0123456789abcdef";
    if (s->n % 2)
        return false;
    for (uint32_t i = 0; i < s->n; i += 2) {
        const char *high = memchr(digits, s->v[i], 16), *low = memchr(digits, s->v[i + 1], 16);
        if (!high || !low)
            return false;
        s->v[i / 2] = (char)((high - digits) << 4 | (low - digits));
    }
    s->n /= 2;
    return true;
}

static void parse_data(Parser *ps, IrGlobal *g, uint64_t offset)
{
    Lexer *l = &ps->lex;
    if (l->kind != LEX_STRING) {
        lex_fail(l, "expected a string");
        return;
    }
    if (offset > g->size || l->word.n > g->size - offset) {
        lex_fail(l, "data beyond the global's size");
        return;
    }
    if (!g->bytes) {
        if (g->size > ps->data_left) {
            lex_fail(l, "the globals' contents exceed %d bytes", DATA_LIMIT);
            return;
        }
        ps->data_left -= g->size;
        g->bytes = arena_alloc(ps->p->arena, g->size);
    }
    memcpy(g->bytes + offset, l->word.v, l->word.n);
    lex_next(l);
}

static void parse_contents(Parser *ps, IrGlobal *g)
{
    Lexer *l = &ps->lex;
    parse_line_end(ps);
    while (!lex_is_mark(l, '}') && !l->error) {
        if (l->kind == LEX_LINE) {
            lex_next(l);
            continue;
        }
        uint64_t offset = parse_number(ps, UINT64_MAX, "an offset");
        if (l->kind == LEX_NAME) {
            vec_push(&g->relocs, (IrReloc){.offset = offset, .value = parse_address(ps)});
        } else if (lex_is_word(l, "hex")) {
            lex_next(l);
            if (l->kind == LEX_STRING && !decode_hex(&l->word))
                lex_fail(l, "expected pairs of hexadecimal digits");
            parse_data(ps, g, offset);
        } else {
            parse_data(ps, g, offset);
        }
        parse_line_end(ps);
    }
    parse_mark(ps, '}');
}

static void parse_global(Parser *ps)
{
    Lexer *l = &ps->lex;
    uint32_t index = lex_is_name(l, '$') ? ir_global_find(ps->p, l->word.v) : IR_NONE;
    if (index == IR_NONE) {
        lex_fail(l, "expected the name of a global");
        return;
    }
    IrGlobal *g = &ps->p->globals.v[index];
    lex_next(l);
    g->size = parse_number(ps, UINT64_MAX, "a size");
    if (!lex_is_word(l, "align"))
        lex_fail(l, "expected 'align'");
    lex_next(l);
    g->align = (uint32_t)parse_number(ps, UINT32_MAX, "an alignment");
    g->defined = true;
    for (; l->kind == LEX_WORD; lex_next(l)) {
        if (lex_is_word(l, "extern"))
            g->defined = false;
        else if (lex_is_word(l, "constant"))
            g->constant = true;
        else if (lex_is_word(l, "local"))
            g->local = true;
        else if (lex_is_word(l, "runtime"))
            g->runtime = true;
        else
            lex_fail(l, "unknown property '%s' of a global", l->word.v);
    }
    g->site = parse_site(ps);
    if (parse_try_mark(ps, '{'))
        parse_contents(ps, g);
    parse_line_end(ps);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* A string that can be interned. */
static uint32_t parse_string(Parser *ps)
{
    Lexer *l = &ps->lex;
    if (l->kind != LEX_STRING || strlen(l->word.v) != l->word.n) {
        lex_fail(l, "expected a string without NULs");
        return 0;
    }
    uint32_t string = ir_string(ps->p, l->word.v);
    lex_next(l);
    return string;
}

static void parse_site_line(Parser *ps)
{
    Lexer *l = &ps->lex;
    IrProgram *p = ps->p;
    if (!lex_is_name(l, '!') || l->number != p->sites.n)
        lex_fail(l, "expected site !%u: sites are numbered in order", p->sites.n);
    lex_next(l);
    IrSite site = {.file = parse_string(ps)};
    site.line = (uint32_t)parse_number(ps, UINT32_MAX, "a line");
    parse_mark(ps, ':');
    site.column = (uint32_t)parse_number(ps, UINT32_MAX, "a column");
    site.fn = parse_string(ps);
    if (l->error)
        return;
    uint32_t number = p->sites.n;
    if (ir_site_add(p, ir_text(p, site.file), site.line, site.column, ir_text(p, site.fn)) != number)
        vec_push(&p->sites, site); /* equal to an earlier one: numbers in the text must hold */
    parse_line_end(ps);
}

static void parse_fn_line(Parser *ps)
{
    uint32_t fn = parse_fn_name(ps);
    if (!ps->lex.error)
        parse_fn(ps, &ps->p->fns.v[fn]);
}

static void parse_init_line(Parser *ps)
{
    uint32_t fn = parse_fn_name(ps);
    if (ps->p->init != IR_NONE)
        lex_fail(&ps->lex, "a second 'init'");
    ps->p->init = fn;
    parse_line_end(ps);
}

static void parse_constructor_line(Parser *ps)
{
    vec_push(&ps->p->constructors, parse_fn_name(ps));
    parse_line_end(ps);
}

static void parse_destructor_line(Parser *ps)
{
    vec_push(&ps->p->destructors, parse_fn_name(ps));
    parse_line_end(ps);
}

static const struct {
    const char *word;
    void (*parse)(Parser *ps); /* at the token behind the word */
} lines[] = {
    {"global", parse_global},
    {"fn", parse_fn_line},
    {"init", parse_init_line},
    {"constructor", parse_constructor_line},
    {"destructor", parse_destructor_line},
    {"site", parse_site_line},
};

static void parse_top_line(Parser *ps)
{
    Lexer *l = &ps->lex;
    for (uint32_t i = 0; i < COUNT_OF(lines); i++) {
        if (!lex_is_word(l, lines[i].word))
            continue;
        lex_next(l);
        lines[i].parse(ps);
        return;
    }
    lex_fail(l, "expected 'fn', 'global', 'init', 'constructor', 'destructor' or 'site'");
}

/* Makes all functions and globals, in the order of the text. Lines that begin otherwise are not looked at. */
static void declare_all(Parser *ps)
{
    Lexer *l = &ps->lex;
    IrProgram *p = ps->p;
    size_t at = l->at;
    do {
        if (l->at >= l->size || (l->text[l->at] != 'f' && l->text[l->at] != 'g'))
            continue;
        lex_next(l);
        bool is_fn = lex_is_word(l, "fn");
        if (!is_fn && !lex_is_word(l, "global"))
            continue;
        lex_next(l);
        uint32_t before = is_fn ? p->fns.n : p->globals.n;
        if (!lex_is_name(l, is_fn ? '@' : '$'))
            lex_fail(l, "expected a name behind '%s'", is_fn ? "fn" : "global");
        else if ((is_fn ? ir_fn_get(p, l->word.v) : ir_global_get(p, l->word.v)) != before)
            lex_fail(l, "'%c%s' occurs a second time", l->mark, l->word.v);
    } while (lex_skip_line(l));
    l->at = at;
    l->line = 1;
    l->kind = LEX_END;
}

static void parse_program(Parser *ps)
{
    Lexer *l = &ps->lex;
    declare_all(ps);
    lex_next(l);
    while (l->kind != LEX_END) {
        if (l->kind == LEX_LINE)
            lex_next(l);
        else
            parse_top_line(ps);
    }
    if (!l->error && ps->site_max != IR_NONE && ps->site_max >= ps->p->sites.n)
        lex_fail_at(l, ps->site_line, "site !%u is not in the table", ps->site_max);
}

IrProgram *ir_program_parse(const char *text, size_t size, Arena *a, const char **error)
{
    Parser ps = {
        .p = ir_program_new(), .data_left = DATA_LIMIT, .holes_left = HOLE_LIMIT, .site_max = IR_NONE};
    for (unsigned op = 0; op < IR_OP_COUNT; op++)
        strmap_put(&ps.opcodes, ir_op_text((IrOp)op), op);
    lex_begin(&ps.lex, text, size, a);
    parse_program(&ps);
    *error = ps.lex.error;
    strmap_free(&ps.opcodes);
    lex_free(&ps.lex);
    if (!*error)
        return ps.p;
    ir_program_free(ps.p);
    return NULL;
}
