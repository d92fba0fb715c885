/* edits.c - see edits.h. Programs are lines: `#line N`, and below it statement N, which is one line or opens
 * a block. */
#include "edits.h"

#include <ctype.h>

typedef struct Program {
    Arena *a;
    Rng rng;
    StrVec lines;    /* without their ends */
    U32Vec at;       /* statements: places of lines below a `#line` */
    uint32_t number; /* in the batch */
    bool helpers;    /* edits_call_helpers was here */
} Program;

static const char *const words[] = {
#define EDIT(NAME, word, refactoring) word,
#include "edits.def"
#undef EDIT
};
static const bool is_refactoring[] = {
#define EDIT(NAME, word, refactoring) refactoring,
#include "edits.def"
#undef EDIT
};

const char *edit_word(EditKind kind) { return words[kind]; }

/* ---- finding places -------------------------------------------------------------------------- */

static const char *line_of(const Program *p, uint32_t statement) { return p->lines.v[p->at.v[statement]]; }

/* An assignment or call by itself: no block, no jump, and nothing that ends the program or that a later
 * statement relies on. */
static bool is_simple(const char *line)
{
    static const char *const others[] = {"break",  "continue", "return", "goto", "longjmp", "setjmp",
                                         "case",   "default",  "switch", "EXIT", "ASSUME",  "FREE",
                                         "OUTPUT", "NOTE",     "BEGIN",  "else", "GOES",    "READ",
                                         "ASKED",  "HERE",     "FAILS",  "USE"};
    size_t n = strlen(line);
    if (!n || line[n - 1] == '{' || (line[n - 1] != ';' && line[n - 1] != '}') || line[0] == '}')
        return false;
    const char *first = line + strspn(line, " ");
    if (text_starts_with(first, "if") || text_starts_with(first, "for") || text_starts_with(first, "while") ||
        text_starts_with(first, "do"))
        return false;
    int depth = 0; /* a declaration that others use is not by itself */
    for (const char *c = line; *c; c++)
        depth += (*c == '{') - (*c == '}');
    if (depth || text_starts_with(first, "int ") || text_starts_with(first, "char "))
        return false;
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (strstr(line, others[i]))
            return false;
    return true;
}

/* The number behind BRANCH( and so on is no constant of the program; one that stands alone in parentheses
 * is. */
static bool is_constant(const char *line, const char *c)
{
    const char *p = c + 1 + (c[1] == '-');
    if (*c != '(' || !isdigit((unsigned char)*p) || c == line)
        return false;
    while (isdigit((unsigned char)*p))
        p++;
    return *p == ')' && !isalnum((unsigned char)c[-1]) && c[-1] != '_';
}

static const char *const operators[] = {" + ", " - ", " * ", " | ", " ^ "};
static const char *const relations[] = {" < ", " > ", " == ", " != ", " <= ", " >= "};

/* `) OP (`: between two operands of an expression. */
static bool is_operator(const char *line, const char *c, const char *const *table, size_t n, size_t *which)
{
    if (c == line || c[-1] != ')')
        return false;
    for (size_t i = 0; i < n; i++)
        if (text_starts_with(c, table[i]) && c[strlen(table[i])] == '(') {
            *which = i;
            return true;
        }
    return false;
}

/* `) OP NUMBER)`: where a condition ends. */
static bool is_relation(const char *line, const char *c, size_t *which)
{
    if (c == line || c[-1] != ')' || strstr(line, "setjmp"))
        return false;
    for (size_t i = 0; i < COUNT_OF(relations); i++) {
        const char *p = c + strlen(relations[i]);
        if (!text_starts_with(c, relations[i]) || !isdigit((unsigned char)*p))
            continue;
        *which = i;
        return true;
    }
    return false;
}

/* ---- the edits ------------------------------------------------------------------------------- */

static const char *with(Program *p, const char *line, const char *at, size_t length, const char *text)
{
    return arena_printf(p->a, "%.*s%s%s", (int)(at - line), line, text, at + length);
}

/* Replaces a random one of the places of a line that `find` knows; false: there is none. */
typedef const char *Replace(Program *p, const char *line, const char *at);
static bool replace_somewhere(Program *p, uint32_t statement, Replace *replace)
{
    const char *line = line_of(p, statement);
    StrVec results = {0};
    for (const char *c = line; *c; c++) {
        const char *text = replace(p, line, c);
        if (text && strcmp(text, line))
            vec_push(&results, text);
    }
    bool found = results.n > 0;
    if (found)
        p->lines.v[p->at.v[statement]] = results.v[rng_below(&p->rng, results.n)];
    vec_free(&results);
    return found;
}

static const char *other_constant(Program *p, const char *line, const char *at)
{
    if (!is_constant(line, at))
        return NULL;
    size_t n = strcspn(at, ")") + 1;
    return with(p, line, at, n, arena_printf(p->a, "(%d)", (int)rng_below(&p->rng, 7) - 2));
}

static const char *other_operator(Program *p, const char *line, const char *at)
{
    size_t which;
    if (is_operator(line, at, operators, COUNT_OF(operators), &which))
        return with(p, line, at, strlen(operators[which]),
                    operators[rng_below(&p->rng, COUNT_OF(operators))]);
    if (is_operator(line, at, relations, COUNT_OF(relations), &which))
        return with(p, line, at, strlen(relations[which]),
                    relations[rng_below(&p->rng, COUNT_OF(relations))]);
    return NULL;
}

static const char *other_condition(Program *p, const char *line, const char *at)
{
    size_t which;
    if (!strstr(line, "BRANCH(") || !is_relation(line, at, &which))
        return NULL;
    size_t n = strlen(relations[which]);
    if (rng_below(&p->rng, 2))
        return with(p, line, at, n, relations[rng_below(&p->rng, COUNT_OF(relations))]);
    return with(p, line, at + n, strspn(at + n, "0123456789"),
                arena_printf(p->a, "%u", (unsigned)rng_below(&p->rng, 4)));
}

/* `E == 2` is `2 == E`, `i0 < 3` is `i0 <= 2`. */
static const char *same_condition(Program *p, const char *line, const char *at)
{
    static const char *const turned[] = {" > ", " < ", " == ", " != ", " >= ", " <= "};
    size_t which;
    if (text_starts_with(at, " < ") && at[3] >= '1' && at[3] <= '9' && at[4] == ';' && at - line >= 2 &&
        at[-2] == 'i')
        return with(p, line, at, 4, arena_printf(p->a, " <= %c", at[3] - 1));
    if (!strstr(line, "BRANCH(") || !is_relation(line, at, &which))
        return NULL;
    const char *open = at - 1, *number = at + strlen(relations[which]);
    for (int depth = 0; open > line; open--) { /* the operand before it, in its parentheses */
        depth += (*open == ')') - (*open == '(');
        if (!depth)
            break;
    }
    size_t digits = strspn(number, "0123456789");
    return with(p, line, open, (size_t)(number - open) + digits,
                arena_printf(p->a, "%.*s%s%.*s", (int)digits, number, turned[which], (int)(at - open), open));
}

static bool add_statement(Program *p, uint32_t statement)
{
    static const char *const texts[] = {"g0 = (g0 + 1) & 15;", "g1 = (v0 + v1) & 15;", "v2 = (v2 ^ 1) & 15;",
                                        "v1 = (v3) & 15;",     "g2 = (g1) & 15;",      "if (v0 > 1) v3 = 1;"};
    const char *line = line_of(p, statement), *first = line + strspn(line, " ");
    if (*first == '}' || text_starts_with(first, "else") || text_starts_with(first, "case") ||
        text_starts_with(first, "default") || text_starts_with(first, "while"))
        return false;
    p->lines.v[p->at.v[statement]] =
        arena_printf(p->a, "%s %s", texts[rng_below(&p->rng, COUNT_OF(texts))], line);
    return true;
}

/* What `toiling` returns is at most 16. It takes more steps than an evaluation may, so that nothing is known
 * of it but equal arguments, equal results: the comparison has to enter it. */
static bool add_guard(Program *p, uint32_t statement)
{
    const char *line = line_of(p, statement), *first = line + strspn(line, " ");
    if (!p->helpers || *first == '}' || text_starts_with(first, "else") || text_starts_with(first, "case") ||
        text_starts_with(first, "default") || text_starts_with(first, "while"))
        return false;
    p->lines.v[p->at.v[statement]] =
        arena_printf(p->a, "if (toiling(in[%u] + %u) > 16) g%u = 9; %s", (unsigned)rng_below(&p->rng, 3),
                     (unsigned)rng_below(&p->rng, 9), (unsigned)rng_below(&p->rng, 3), line);
    return true;
}

static bool remove_statement(Program *p, uint32_t statement)
{
    if (!is_simple(line_of(p, statement)))
        return false;
    p->lines.v[p->at.v[statement]] = ";";
    return true;
}

/* Two statements that follow each other change places, each with its number. */
static bool move_statement(Program *p, uint32_t statement)
{
    if (statement + 1 >= p->at.n || p->at.v[statement + 1] != p->at.v[statement] + 2 ||
        !is_simple(line_of(p, statement)) || !is_simple(line_of(p, statement + 1)) ||
        !strcmp(line_of(p, statement), line_of(p, statement + 1)))
        return false;
    uint32_t a = p->at.v[statement], b = p->at.v[statement + 1];
    for (uint32_t i = 0; i < 2; i++) {
        const char *t = p->lines.v[a - i];
        p->lines.v[a - i] = p->lines.v[b - i];
        p->lines.v[b - i] = t;
    }
    return true;
}

/* Does the parenthesis close at the end of the text, less `ending`? */
static bool closes_at_end(const char *open, const char *ending)
{
    int depth = 0;
    for (const char *c = open; *c; c++) {
        depth += (*c == '(') - (*c == ')');
        if (!depth)
            return !strcmp(c, ending);
    }
    return false;
}

/* `v2 = (E) & 15;` becomes a call of a function that masks. */
static bool extract_helper(Program *p, uint32_t statement)
{
    const char *line = line_of(p, statement), *first = line + strspn(line, " ");
    size_t n = strlen(first);
    if (strchr("vg", first[0]) == NULL || !isdigit((unsigned char)first[1]) ||
        !text_starts_with(first + 2, " = (") || !closes_at_end(first + 5, ") & 15;"))
        return false;
    p->lines.v[p->at.v[statement]] = arena_printf(p->a, "%.2s = extracted_%u(%.*s);", first, p->number,
                                                  (int)(n - 6 - strlen(") & 15;")), first + 6);
    for (uint32_t i = 0; i < p->lines.n; i++)
        if (text_starts_with(p->lines.v[i], "static int g0")) {
            p->lines.v[i] = arena_printf(p->a, "%s\nstatic int extracted_%u(int x) { return x & 15; }",
                                         p->lines.v[i], p->number);
            return true;
        }
    return false;
}

static bool is_word_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

static const char *renamed(Program *p, const char *line, const char *from, const char *to)
{
    Str out = {0};
    size_t n = strlen(from);
    for (const char *c = line; *c; c++)
        if (text_starts_with(c, from) && !is_word_char(c[n]) && (c == line || !is_word_char(c[-1]))) {
            str_add(&out, to);
            c += n - 1;
        } else {
            str_add_char(&out, *c);
        }
    const char *text = arena_strdup(p->a, str_text(&out));
    str_free(&out);
    return text;
}

static bool rename_something(Program *p)
{
    bool function = rng_below(&p->rng, 2);
    char from[16], to[48];
    snprintf(from, sizeof from, function ? "helper_%u" : "v%u",
             function ? p->number : (unsigned)rng_below(&p->rng, 4));
    snprintf(to, sizeof to, "%s_%s", function ? "assistant" : "other", from);
    for (uint32_t i = 0; i < p->lines.n; i++)
        p->lines.v[i] = renamed(p, p->lines.v[i], from, to);
    return true;
}

static bool reformat(Program *p)
{
    for (uint32_t i = 0; i < p->lines.n; i++)
        if (p->lines.v[i][0] != '#')
            p->lines.v[i] = arena_printf(p->a, "%s%s%s", rng_below(&p->rng, 2) ? "\t" : "",
                                         p->lines.v[i] + strspn(p->lines.v[i], " "),
                                         rng_below(&p->rng, 3) ? "" : " /* said again */");
    return true;
}

static bool apply(Program *p, EditKind kind, uint32_t statement)
{
    switch (kind) {
    case EDIT_OPERATOR: return replace_somewhere(p, statement, other_operator);
    case EDIT_CONSTANT: return replace_somewhere(p, statement, other_constant);
    case EDIT_CONDITION: return replace_somewhere(p, statement, other_condition);
    case EDIT_ADDED: return add_statement(p, statement);
    case EDIT_REMOVED: return remove_statement(p, statement);
    case EDIT_MOVED: return move_statement(p, statement);
    case EDIT_EXTRACTED: return extract_helper(p, statement);
    case EDIT_RENAMED: return rename_something(p);
    case EDIT_REFORMATTED: return reformat(p);
    case EDIT_REWRITTEN: return replace_somewhere(p, statement, same_condition);
    case EDIT_GUARDED: return add_guard(p, statement);
    case EDIT_KINDS: break;
    }
    return false;
}

/* ---- batches --------------------------------------------------------------------------------- */

static void split(Program *p, const char *from, const char *end)
{
    for (const char *c = from; c < end;) {
        size_t n = strcspn(c, "\n");
        if (p->lines.n && text_starts_with(vec_last(&p->lines), "#line "))
            vec_push(&p->at, p->lines.n);
        vec_push(&p->lines, arena_strndup(p->a, c, n));
        c += n + 1;
    }
}

/* The kind is drawn first, so that all are as frequent; if a program has no place for it, another is
 * drawn. */
static Edit edit_program(Program *p)
{
    enum { TRIES = 40 };
    for (;;) {
        EditKind kind = (EditKind)rng_below(&p->rng, p->helpers ? EDIT_KINDS : EDIT_GUARDED);
        for (uint32_t i = 0; i < TRIES && p->at.n; i++) {
            uint32_t statement = (uint32_t)rng_below(&p->rng, p->at.n);
            if (!apply(p, kind, statement))
                continue;
            bool whole = kind == EDIT_RENAMED || kind == EDIT_REFORMATTED;
            u128 number = 0;
            if (!whole)
                text_parse_u128(p->lines.v[p->at.v[statement] - 1] + strlen("#line "), 10, &number);
            return (Edit){kind, is_refactoring[kind], (uint32_t)number};
        }
    }
}

void edits_apply(Str *batch, uint64_t first, uint32_t count, uint64_t seed, Edit *edits)
{
    Str out = {0};
    const char *from = str_text(batch);
    for (uint32_t i = 0; i < count; i++) {
        char begin[40];
        snprintf(begin, sizeof begin, "#define helper helper_%u\n", i);
        const char *start = strstr(from, begin), *end = start ? strstr(start, "#undef helper\n") : NULL;
        if (!end)
            die("edits: program %u was not found", i);
        Program p = {.a = arena_new(), .number = i, .helpers = strstr(str_text(batch), "static int noting(")};
        rng_seed(&p.rng, hash_mix(seed, first + i));
        split(&p, start, end);
        edits[i] = edit_program(&p);
        str_add_n(&out, from, (size_t)(start - from));
        for (uint32_t k = 0; k < p.lines.n; k++)
            str_printf(&out, "%s\n", p.lines.v[k]);
        from = end;
        vec_free(&p.lines);
        vec_free(&p.at);
        arena_free(p.a);
    }
    str_add(&out, from);
    str_free(batch);
    *batch = out;
}

void edits_print_more(Str *batch)
{
    static const char end[] = "    return v0 & 1;\n}\n",
                      more[] = "    PRINT(\"%d %d %d %d %d %d %d\", v0, v1, v2, v3, g0, g1, g2);\n";
    Str out = {0};
    const char *from = str_text(batch);
    for (const char *at; (at = strstr(from, end)); from = at + strlen(end)) {
        str_add_n(&out, from, (size_t)(at - from));
        str_add(&out, more);
        str_add(&out, end);
    }
    str_add(&out, from);
    str_free(batch);
    *batch = out;
}

/* Functions with loops, that call themselves, or that call each other; `noting` keeps a number, which
 * `recalling` reads and the program prints at its end. */
static const char helpers_text[] =
    "static int noted;\n"
    "static int mixing(int x)\n{\n    unsigned r = (unsigned)x;\n"
    "    for (unsigned i = 0; i < ((unsigned)x & 7u) + 2; i++)\n"
    "        r = (r * 5 + i) & 31;\n    return (int)r - 8;\n}\n"
    "static int folding(int x)\n{\n    if (x < 1)\n        return x & 3;\n"
    "    return (folding((x & 15) - 2) * 3 + x) & 15;\n}\n"
    "static int pong(int x);\n"
    "static int ping(int x)\n{\n    if (x < 1)\n        return 1;\n"
    "    return (pong((x & 15) - 1) + 2) & 15;\n}\n"
    "static int pong(int x)\n{\n    if (x < 1)\n        return x & 7;\n"
    "    return (ping((x & 15) - 3) * 3) & 15;\n}\n"
    "static unsigned toiling(int x)\n{\n    unsigned r = 1, n = 0;\n"
    "    for (unsigned i = 0; i < 300000; i++)\n        r = r * 5 + i;\n"
    "    for (unsigned i = 0; i < 16; i++)\n        n += (r ^ (unsigned)x) >> i & 1u;\n    return n;\n}\n"
    "static int noting(int x)\n{\n"
    "    for (int i = 0; i < 2; i++)\n        noted = (noted + x + i) & 7;\n"
    "    return noted - 3;\n}\n"
    "static int recalling(int x)\n{\n    int r = x;\n"
    "    for (int i = 0; i < 2; i++)\n        r = (r * 3 + noted) & 15;\n"
    "    return r;\n}\n";

/* What stands at the place is replaced; those with effects where no macro of prelude.h evaluates it twice: in
 * assignments. */
typedef struct Call {
    const char *from;
    const char *to[3]; /* by turns */
    bool driver;       /* in the drivers, else in the programs */
} Call;
static const Call calls[] = {
    {"(signed char)(", {"mixing(", "folding(", "ping("}, false},
    {" v1 = (", {" v1 = noting(v1) + (", " v1 = recalling(v2) + (", " v1 = noting(v2) + ("}, false},
    {" v2 = (", {" v2 = noting(v2) + (", " v2 = recalling(v1) + (", " v2 = noting(v0) + ("}, false},
    {", g0, g1, g2);\n", {", g0, g1, g2);\n    PRINT(\"%d\", noted);\n", NULL, NULL}, false},
    {"nreported = nprinted = ", {"noted = nreported = nprinted = ", NULL, NULL}, true},
    {"int n = 0;\n",
     {"int n = argc > 99 ? (int)toiling(argc) : 0;\n", NULL, NULL},
     true}}; /* else it is dropped */

void edits_call_helpers(Str *batch)
{
    static const char first[] = "#include \"prelude.h\"\n";
    Str out = {0};
    uint32_t turn = 0;
    str_add(&out, first);
    str_add(&out, helpers_text);
    const char *drivers = strstr(str_text(batch), "static int (*const programs[])");
    for (const char *at = str_text(batch) + strlen(first); *at;) {
        size_t i = 0;
        while (i < COUNT_OF(calls) &&
               (calls[i].driver != (at >= drivers) || !text_starts_with(at, calls[i].from)))
            i++;
        if (i < COUNT_OF(calls)) {
            const char *to = calls[i].to[turn++ % 3];
            str_add(&out, to ? to : calls[i].to[0]);
            at += strlen(calls[i].from);
        } else {
            str_add_char(&out, *at++);
        }
    }
    str_free(batch);
    *batch = out;
}
