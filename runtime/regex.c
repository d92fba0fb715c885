/* regex.c - regcomp: regular expressions of POSIX, basic and extended, with GNU's escapes, to a tree. */
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "pattern.h"

enum { MOST_REPEATS = 32767, DEEPEST = 500 };

typedef struct Parser {
    const char *p;
    bool extended;
    int flags, error, depth;
    int groups;      /* opened so far */
    unsigned closed; /* bit for each of the groups 1 to 9 that is closed */
    Pattern *made;
} Parser;

static Pattern *make(Parser *parser, PatternKind kind, Pattern *a, Pattern *b, size_t ranges)
{
    Pattern *n = __sheaf_alloc(sizeof *n + ranges * sizeof(PatternRange), _Alignof(Pattern), 1);
    if (!n)
        __sheaf_unsupported("regcomp: no memory");
    n->kind = kind;
    n->a = a;
    n->b = b;
    n->made = parser->made;
    parser->made = n;
    return n;
}

static Pattern *fail(Parser *parser, int error)
{
    if (!parser->error)
        parser->error = error;
    return make(parser, PATTERN_EMPTY, NULL, NULL, 0);
}

/* Is the operator c next? Basic expressions write it with a backslash. */
static bool at_operator(const Parser *parser, char c)
{
    return parser->extended ? parser->p[0] == c : parser->p[0] == '\\' && parser->p[1] == c;
}

static void skip_operator(Parser *parser) { parser->p += parser->extended ? 1 : 2; }

static void add_range(Pattern *set, int low, int high)
{
    set->ranges[set->nranges++] = (PatternRange){(unsigned char)low, (unsigned char)high};
}

static const struct {
    const char *name, *ranges; /* pairs of first and last */
} classes[] = {
    {"alpha", "AZaz"}, {"digit", "09"},     {"alnum", "09AZaz"},         {"upper", "AZ"},
    {"lower", "az"},   {"space", "\t\r  "}, {"blank", "\t\t  "},         {"punct", "!/:@[`{~"},
    {"print", " ~"},   {"graph", "!~"},     {"cntrl", "\1\x1f\x7f\x7f"}, {"xdigit", "09AFaf"},
};

static bool add_class(const Parser *parser, Pattern *set, const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (strncmp(classes[i].name, name, length) != 0 || classes[i].name[length])
            continue;
        bool both = parser->flags & REG_ICASE && (name[0] == 'u' || name[0] == 'l');
        for (const char *r = both ? "AZaz" : classes[i].ranges; *r; r += 2)
            add_range(set, (unsigned char)r[0], (unsigned char)r[1]);
        return true;
    }
    return false;
}

/* Without regard to case, pattern and text are both taken as upper case, the ends of ranges too. */
static int folded(const Parser *parser, char c)
{
    return parser->flags & REG_ICASE ? ascii_upper((unsigned char)c) : (unsigned char)c;
}

/* An end of a range: a character, [.c.] or [=c=]. */
static int bracket_end(Parser *parser)
{
    const char *p = parser->p;
    if (*p == '[' && (p[1] == '.' || p[1] == '=') && p[2] && p[3] == p[1] && p[4] == ']') {
        parser->p += 5;
        return folded(parser, p[2]);
    }
    if (*p == '[' && (p[1] == '.' || p[1] == '=')) {
        parser->error = REG_ECOLLATE;
        return 0;
    }
    parser->p++;
    return folded(parser, *p);
}

/* One class, character or range of a set. */
static void bracket_element(Parser *parser, Pattern *set, bool first)
{
    const char *p = parser->p;
    if (*p == '[' && p[1] == ':') {
        const char *end = strstr(p + 2, ":]");
        if (!end)
            parser->error = REG_EBRACK;
        else if (!add_class(parser, set, p + 2, (size_t)(end - p) - 2))
            parser->error = REG_ECTYPE;
        else
            parser->p = end + 2;
        return;
    }
    if (*p == '-' && !first && p[1] != ']' && p[1] != '-') {
        parser->error = REG_ERANGE;
        return;
    }
    int low = bracket_end(parser), high = low;
    if (parser->p[0] == '-' && parser->p[1] && parser->p[1] != ']') {
        parser->p++;
        high = bracket_end(parser);
    }
    if (low > high && !parser->error)
        parser->error = REG_ERANGE;
    add_range(set, low, high);
}

static Pattern *bracket(Parser *parser)
{
    if (!*parser->p)
        return fail(parser, REG_BADPAT);
    Pattern *set = make(parser, PATTERN_SET, NULL, NULL, strlen(parser->p) + 8);
    set->negated = *parser->p == '^';
    parser->p += set->negated;
    for (bool first = true; first || *parser->p != ']'; first = false) {
        if (!*parser->p)
            return fail(parser, REG_EBRACK);
        bracket_element(parser, set, first);
        if (parser->error)
            return set;
    }
    parser->p++;
    if (set->negated && parser->flags & REG_NEWLINE)
        add_range(set, '\n', '\n');
    return set;
}

static Pattern *literal(Parser *parser, char c)
{
    Pattern *n = make(parser, PATTERN_CHAR, NULL, NULL, 0);
    n->c = (unsigned char)folded(parser, c);
    return n;
}

static Pattern *word_set(Parser *parser, const char *ranges, bool negated)
{
    Pattern *set = make(parser, PATTERN_SET, NULL, NULL, 8);
    for (; *ranges; ranges += 2)
        add_range(set, ranges[0], ranges[1]);
    set->negated = negated;
    return set;
}

/* What a backslash makes of c, which is no operator. */
static Pattern *escaped(Parser *parser, char c)
{
    switch (c) {
    case 'w': return word_set(parser, "09AZaz__", false);
    case 'W': return word_set(parser, "09AZaz__", true);
    case 's': return word_set(parser, "\t\r  ", false);
    case 'S': return word_set(parser, "\t\r  ", true);
    case 'b': return make(parser, PATTERN_WORD_EDGE, NULL, NULL, 0);
    case 'B': return make(parser, PATTERN_WORD_INSIDE, NULL, NULL, 0);
    case '<': return make(parser, PATTERN_WORD_START, NULL, NULL, 0);
    case '>': return make(parser, PATTERN_WORD_END, NULL, NULL, 0);
    case '`': return make(parser, PATTERN_TEXT_START, NULL, NULL, 0);
    case '\'': return make(parser, PATTERN_TEXT_END, NULL, NULL, 0);
    }
    if (!byte_between(c, '1', '9'))
        return literal(parser, c);
    if (!(parser->closed >> (c - '0') & 1))
        return fail(parser, REG_ESUBREG);
    Pattern *same = make(parser, PATTERN_SAME, NULL, NULL, 0);
    same->group = c - '0';
    return same;
}

static Pattern *alternatives(Parser *parser);

static Pattern *group(Parser *parser)
{
    skip_operator(parser);
    int number = ++parser->groups;
    if (++parser->depth > DEEPEST)
        return fail(parser, REG_ESPACE);
    Pattern *n = make(parser, PATTERN_GROUP, alternatives(parser), NULL, 0);
    parser->depth--;
    n->group = number;
    if (!at_operator(parser, ')'))
        return fail(parser, REG_EPAREN);
    skip_operator(parser);
    parser->closed |= number < 10 ? 1u << number : 0;
    return n;
}

/* Does the pattern end here, as far as a '$' of a basic expression is concerned? */
static bool at_branch_end(const char *p) { return !*p || (p[0] == '\\' && (p[1] == ')' || p[1] == '|')); }

static Pattern *atom(Parser *parser, bool first)
{
    char c = *parser->p;
    if (at_operator(parser, '('))
        return group(parser);
    if (!parser->extended && at_operator(parser, '{'))
        return fail(parser, REG_BADRPT);
    parser->p++;
    switch (c) {
    case '[': return bracket(parser);
    case '.': return make(parser, PATTERN_ANY, NULL, NULL, 0);
    case '^':
        if (parser->extended || first)
            return make(parser, PATTERN_LINE_START, NULL, NULL, 0);
        break;
    case '$':
        if (parser->extended || at_branch_end(parser->p))
            return make(parser, PATTERN_LINE_END, NULL, NULL, 0);
        break;
    case '\\':
        if (!*parser->p)
            return fail(parser, REG_EESCAPE);
        if (!parser->extended && *parser->p == ')')
            return fail(parser, REG_EPAREN);
        return escaped(parser, *parser->p++);
    }
    return literal(parser, c);
}

/* A number of an interval, or -1 if there is none. */
static int count(Parser *parser)
{
    int value = -1;
    for (; byte_between(*parser->p, '0', '9'); parser->p++) {
        value = (value < 0 ? 0 : value * 10) + (*parser->p - '0');
        if (value > MOST_REPEATS)
            value = MOST_REPEATS + 1;
    }
    return value;
}

/* What stands behind the '{' of an interval. */
static void interval(Parser *parser, int *low, int *high)
{
    *low = *high = count(parser);
    if (*parser->p == ',') {
        parser->p++;
        *high = count(parser);
        *low = *low < 0 ? 0 : *low;
    }
    if (!at_operator(parser, '}')) { /* does it end at all? */
        while (*parser->p && !at_operator(parser, '}') && *parser->p != ',')
            parser->p += 1 + (parser->p[0] == '\\' && parser->p[1]);
        parser->error = *parser->p ? REG_BADBR : REG_EBRACE;
    } else if (*low < 0 || (*high >= 0 && *low > *high))
        parser->error = REG_BADBR;
    else if (*low > MOST_REPEATS || *high > MOST_REPEATS)
        parser->error = REG_ESIZE;
    else
        skip_operator(parser);
}

/* A repetition behind an atom: false if there is none here. */
static bool repetition(Parser *parser, int *low, int *high)
{
    *low = 0;
    *high = -1;
    if (*parser->p == '*') {
        parser->p++;
    } else if (at_operator(parser, '+')) {
        *low = 1;
        skip_operator(parser);
    } else if (at_operator(parser, '?')) {
        *high = 1;
        skip_operator(parser);
    } else if (at_operator(parser, '{')) {
        skip_operator(parser);
        interval(parser, low, high);
    } else {
        return false;
    }
    return true;
}

static bool is_anchor(const Pattern *n)
{
    return n->kind >= PATTERN_LINE_START && n->kind <= PATTERN_WORD_END;
}

/* An atom with its repetitions. `first`: at the start of a branch; `bare`: there or behind an anchor, where
 * there is nothing to be repeated. */
static Pattern *piece(Parser *parser, bool first, bool bare)
{
    const char *start = parser->p;
    if (parser->extended && bare && (*start == '*' || *start == '+' || *start == '?' || *start == '{'))
        return fail(parser, REG_BADRPT);
    Pattern *n =
        !parser->extended && *start == '*' ? (parser->p++, literal(parser, '*')) : atom(parser, first);
    int low, high;
    while (!parser->error && !is_anchor(n) && repetition(parser, &low, &high)) {
        n = make(parser, PATTERN_REPEAT, n, NULL, 0);
        n->low = low;
        n->high = high;
        if (!parser->extended && (*parser->p == '*' || at_operator(parser, '{')))
            return fail(parser, REG_BADRPT);
    }
    return n;
}

static Pattern *branch(Parser *parser)
{
    Pattern *whole = NULL;
    bool bare = true;
    while (!parser->error && *parser->p && !at_operator(parser, '|') &&
           !(parser->depth && at_operator(parser, ')'))) {
        Pattern *n = piece(parser, !whole, bare);
        bare = is_anchor(n);
        whole = whole ? make(parser, PATTERN_BOTH, whole, n, 0) : n;
    }
    return whole ? whole : make(parser, PATTERN_EMPTY, NULL, NULL, 0);
}

static Pattern *alternatives(Parser *parser)
{
    Pattern *n = branch(parser);
    while (!parser->error && at_operator(parser, '|')) {
        skip_operator(parser);
        n = make(parser, PATTERN_EITHER, n, branch(parser), 0);
    }
    return n;
}

static void free_patterns(Pattern *made)
{
    while (made) {
        Pattern *next = made->made;
        __sheaf_free(made);
        made = next;
    }
}

int regcomp(regex_t *restrict regex, const char *restrict pattern, int flags)
{
    Parser parser = {.p = pattern, .extended = flags & REG_EXTENDED, .flags = flags};
    Pattern *root = alternatives(&parser);
    *regex = (regex_t){.re_nsub = (size_t)parser.groups};
    if (parser.error) {
        free_patterns(parser.made);
        return parser.error;
    }
    Compiled *compiled = __sheaf_alloc(sizeof *compiled, _Alignof(Compiled), 0);
    if (!compiled)
        __sheaf_unsupported("regcomp: no memory");
    *compiled = (Compiled){.root = root, .made = parser.made, .groups = parser.groups, .flags = flags};
    regex->__REPB_PREFIX(buffer) = (struct re_dfa_t *)compiled;
    return 0;
}

void regfree(regex_t *regex)
{
    Compiled *compiled = (Compiled *)regex->__REPB_PREFIX(buffer);
    if (!compiled)
        return;
    free_patterns(compiled->made);
    __sheaf_free(compiled);
    regex->__REPB_PREFIX(buffer) = NULL;
}

static const char *const messages[] = {
    "Success",
    "No match",
    "Invalid regular expression",
    "Invalid collation character",
    "Invalid character class name",
    "Trailing backslash",
    "Invalid back reference",
    "Unmatched [, [^, [:, [., or [=",
    "Unmatched ( or \\(",
    "Unmatched \\{",
    "Invalid content of \\{\\}",
    "Invalid range end",
    "Memory exhausted",
    "Invalid preceding regular expression",
    "Premature end of regular expression",
    "Regular expression too big",
    "Unmatched ) or \\)",
};

size_t regerror(int error, const regex_t *restrict regex, char *restrict out, size_t n)
{
    (void)regex;
    if (error < 0 || error >= (int)(sizeof messages / sizeof *messages))
        abort();
    size_t size = strlen(messages[error]) + 1;
    if (n) {
        size_t kept = size < n ? size : n;
        __builtin_memcpy(out, messages[error], kept);
        out[kept - 1] = '\0';
    }
    return size;
}
