/* Regular expressions: regex PATTERN < text. The pattern is compiled to nodes, and the text is matched with backtracking.
 *
 * Patterns know literals, ., classes [a-z] and [^a-z], \d \w \s and their capitals, groups (...), alternatives |, the anchors ^ and $,
 * and the quantifiers * + ? {n} {n,m}. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { NODES = 64, RANGES = 8, REPEATS_MOST = 9 };
typedef enum Kind { CHARACTER, ANY, CLASS, DIGIT, WORD, SPACE, GROUP, BEGIN, END } Kind;

typedef struct Node {
    Kind kind;
    int inverted;
    int least, most;                          /* quantifier; most < 0: any number */
    unsigned char low[RANGES], high[RANGES];  /* of a character: low[0] */
    int ranges;
    int first;                                /* of a group: its first alternative */
    int other;                                /* of the first node of an alternative: the next alternative, 0: none */
    int next;                                 /* 0: none */
    int empty;                                /* stands for an alternative without nodes */
} Node;

static Node nodes[NODES];
static int count = 1;
static const char *pattern;
static const char *error;

static int fail(const char *why)
{
    error = error ? error : why;
    return 0;
}

static int new_node(Kind kind)
{
    if (count == NODES)
        return fail("too many nodes");
    nodes[count] = (Node){.kind = kind, .least = 1, .most = 1};
    return count++;
}

static int parse_alternatives(int depth);

static int parse_number(void)
{
    int n = 0, digits = 0;
    for (; isdigit((unsigned char)*pattern); pattern++, digits++)
        n = n * 10 + *pattern - '0';
    return digits ? n : -1;
}

static void parse_braces(Node *node)
{
    int least = parse_number(), most = least;
    if (least < 0) {
        fail("a number was expected");
        return;
    }
    if (*pattern == ',') {
        pattern++;
        most = *pattern == '}' ? -1 : parse_number();
    }
    if (*pattern != '}')
        fail("} is missing");
    else if (least > REPEATS_MOST || most > REPEATS_MOST)
        fail("too many repetitions");
    else if (most >= 0 && most < least)
        fail("the bounds are the wrong way round");
    else
        pattern++;
    node->least = least;
    node->most = most;
}

static void parse_quantifier(Node *node)
{
    switch (*pattern) {
    case '*': node->least = 0, node->most = -1, pattern++; break;
    case '+': node->least = 1, node->most = -1, pattern++; break;
    case '?': node->least = 0, node->most = 1, pattern++; break;
    case '{': pattern++, parse_braces(node); break;
    default: return;
    }
    if (*pattern && strchr("*+?{", *pattern))
        fail("two quantifiers");
}

static void add_range(Node *node, unsigned char low, unsigned char high)
{
    if (low > high)
        fail("the range is the wrong way round");
    else if (node->ranges == RANGES)
        fail("too many ranges");
    else {
        node->low[node->ranges] = low;
        node->high[node->ranges++] = high;
    }
}

static int parse_class(void)
{
    int at = new_node(CLASS);
    if (*pattern == '^') {
        nodes[at].inverted = 1;
        pattern++;
    }
    do {
        unsigned char low = (unsigned char)*pattern++, high = low;
        if (!low)
            return fail("] is missing");
        if (pattern[0] == '-' && pattern[1] && pattern[1] != ']') {
            high = (unsigned char)pattern[1];
            pattern += 2;
        }
        add_range(&nodes[at], low, high);
    } while (*pattern != ']' && !error);
    pattern++;
    return at;
}

static int parse_escape(void)
{
    char c = *pattern++;
    int at;
    switch (c) {
    case 'd': return new_node(DIGIT);
    case 'w': return new_node(WORD);
    case 's': return new_node(SPACE);
    case 'D': at = new_node(DIGIT), nodes[at].inverted = 1; return at;
    case 'W': at = new_node(WORD), nodes[at].inverted = 1; return at;
    case 'S': at = new_node(SPACE), nodes[at].inverted = 1; return at;
    case '\0': pattern--; return fail("nothing is escaped");
    default: break;
    }
    at = new_node(CHARACTER);
    nodes[at].low[0] = (unsigned char)(c == 'n' ? '\n' : c == 't' ? '\t' : c);
    return at;
}

static int parse_group(int depth)
{
    int at = new_node(GROUP);
    if (depth == 4)
        return fail("too deep");
    nodes[at].first = parse_alternatives(depth + 1);
    if (*pattern != ')')
        return fail(") is missing");
    pattern++;
    return at;
}

static int parse_atom(int depth)
{
    char c = *pattern++;
    switch (c) {
    case '.': return new_node(ANY);
    case '[': return parse_class();
    case '\\': return parse_escape();
    case '(': return parse_group(depth);
    case '^': return new_node(BEGIN);
    case '$': return new_node(END);
    case '*':
    case '+':
    case '?':
    case '{': return fail("nothing to repeat");
    case ']': return fail("] without [");
    default: break;
    }
    int at = new_node(CHARACTER);
    nodes[at].low[0] = (unsigned char)c;
    return at;
}

static int parse_sequence(int depth)
{
    int first = 0, *link = &first;
    while (*pattern && *pattern != '|' && *pattern != ')' && !error) {
        int at = parse_atom(depth);
        if (nodes[at].kind != BEGIN && nodes[at].kind != END)
            parse_quantifier(&nodes[at]);
        *link = at;
        link = &nodes[at].next;
    }
    if (!first && !error) {
        first = new_node(CHARACTER);
        nodes[first].empty = 1;
    }
    return first;
}

static int parse_alternatives(int depth)
{
    int first = parse_sequence(depth);
    for (int last = first; *pattern == '|' && !error; last = nodes[last].other) {
        pattern++;
        nodes[last].other = parse_sequence(depth);
    }
    return first;
}

/* ---- matching -------------------------------------------------------------------------------- */

static const char *text;
static int steps;

static int node_has(const Node *node, unsigned char c)
{
    int has = 0;
    switch (node->kind) {
    case CHARACTER: return c == node->low[0];
    case ANY: return c != '\n';
    case DIGIT: has = isdigit(c) != 0; break;
    case WORD: has = isalnum(c) || c == '_'; break;
    case SPACE: has = isspace(c) != 0; break;
    case CLASS:
        for (int i = 0; i < node->ranges; i++)
            has |= c >= node->low[i] && c <= node->high[i];
        break;
    default: return 0;
    }
    return has != node->inverted;
}

/* What is matched after a node: the rest of its sequence, then that of the group around it. */
typedef struct Rest {
    int node, times;
    const char *from;
    const struct Rest *outer;
} Rest;

static const char *match(int node, const char *at, int times, const Rest *outer);

static const char *match_rest(const char *at, const Rest *outer)
{
    if (!outer)
        return at;
    if (at == outer->from && outer->times >= nodes[outer->node].least)
        return NULL;                          /* an empty repetition leads nowhere */
    return match(outer->node, at, outer->times + 1, outer->outer);
}

static const char *match_group(int node, const char *at, int times, const Rest *outer)
{
    Rest rest = {node, times, at, outer};
    for (int first = nodes[node].first; first; first = nodes[first].other) {
        const char *end = nodes[first].empty ? match_rest(at, &rest) : match(first, at, 0, &rest);
        if (end)
            return end;
    }
    return NULL;
}

static const char *match(int node, const char *at, int times, const Rest *outer)
{
    if (++steps > 500)
        return NULL;
    if (!node)
        return match_rest(at, outer);
    const Node *n = &nodes[node];
    if (n->kind == BEGIN || n->kind == END)
        return (n->kind == BEGIN ? at == text : !*at) ? match(n->next, at, 0, outer) : NULL;
    if (n->most < 0 || times < n->most) {
        const char *end = NULL;
        if (n->kind == GROUP)
            end = match_group(node, at, times, outer);
        else if (*at && node_has(n, (unsigned char)*at))
            end = match(node, at + 1, times + 1, outer);
        if (end)
            return end;
    }
    return times >= n->least ? match(n->next, at, 0, outer) : NULL;
}

int main(int argc, char **argv)
{
    char line[16] = "";
    if (argc != 2)
        return 2;
    pattern = argv[1];
    int first = parse_alternatives(0);
    if (!error && *pattern)
        fail(") without (");
    if (error) {
        puts(error);
        return 2;
    }
    line[fread(line, 1, sizeof line - 1, stdin)] = '\0';
    text = line;
    for (const char *start = line; start == line || start[-1]; start++)
        for (int a = first; a; a = nodes[a].other) {
            const char *end = nodes[a].empty ? start : match(a, start, 0, NULL);
            if (end) {
                printf("matches %d to %d\n", (int)(start - line), (int)(end - line));
                return 0;
            }
        }
    puts(steps > 500 ? "gave up" : "no match");
    return 1;
}
