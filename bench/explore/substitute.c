/* Pattern substitution: substitute PATTERN REPLACEMENT < text.
 *
 * Patterns know literals, . (any), [a-z] and [^a-z], % and $ as anchors, * (closure of one element), @ escapes (@n newline, @t tab).
 * The replacement knows & (what matched) and @ escapes. */
#include <stdio.h>
#include <string.h>

enum { MAXPAT = 64, MAXLINE = 100 };
enum { LITERAL = 'c', ANY = '?', CLASS = '[', NOT_CLASS = '!', BEGIN = '%', END = '$', CLOSURE = '*', DITTO = 1 };

static int add(char *to, int *at, int limit, int c)
{
    if (*at >= limit - 1)
        return 0;
    to[(*at)++] = (char)c;
    to[*at] = '\0';
    return 1;
}

static int escape(const char *s, int *i)
{
    if (s[*i] != '@')
        return s[*i];
    if (s[*i + 1] == '\0')
        return '@';
    (*i)++;
    if (s[*i] == 'n')
        return '\n';
    if (s[*i] == 't')
        return '\t';
    return s[*i];
}

/* A range a-z becomes its characters. */
static int expand_class(const char *s, int *i, char *to, int *at, int limit)
{
    while (s[*i] != ']' && s[*i] != '\0') {
        int c = escape(s, i);
        if (s[*i] == '-' && to[*at - 1] != CLASS && s[*i + 1] != ']' && s[*i + 1] != '\0' && *at > 0) {
            int last = (unsigned char)s[++*i];
            for (int k = (unsigned char)to[*at - 1] + 1; k <= last; k++)
                if (!add(to, at, limit, k))
                    return 0;
        } else if (!add(to, at, limit, c)) {
            return 0;
        }
        (*i)++;
    }
    return s[*i] == ']';
}

/* [abc] as: '[', length, characters. */
static int make_class(const char *s, int *i, char *pattern, int *at)
{
    int kind = CLASS;
    (*i)++;
    if (s[*i] == '^') {
        kind = NOT_CLASS;
        (*i)++;
    }
    if (!add(pattern, at, MAXPAT, kind))
        return 0;
    int length_at = *at;
    if (!add(pattern, at, MAXPAT, ' '))
        return 0;
    if (!expand_class(s, i, pattern, at, MAXPAT))
        return 0;
    pattern[length_at] = (char)(*at - length_at - 1);
    return 1;
}

/* The element that a closure repeats moves behind its mark. */
static int make_closure(char *pattern, int *at, int last)
{
    if (last < 0 || pattern[last] == BEGIN || pattern[last] == END || pattern[last] == CLOSURE)
        return 0;
    if (*at >= MAXPAT - 1)
        return 0;
    for (int k = *at; k > last; k--)
        pattern[k] = pattern[k - 1];
    pattern[last] = CLOSURE;
    pattern[++*at] = '\0';
    return 1;
}

static int make_pattern(const char *s, char *pattern)
{
    int at = 0, last = -1;
    pattern[0] = '\0';
    for (int i = 0; s[i] != '\0'; i++) {
        int before = at, ok;
        if (s[i] == '?')
            ok = add(pattern, &at, MAXPAT, ANY);
        else if (s[i] == '%' && i == 0)
            ok = add(pattern, &at, MAXPAT, BEGIN);
        else if (s[i] == '$' && s[i + 1] == '\0')
            ok = add(pattern, &at, MAXPAT, END);
        else if (s[i] == '[')
            ok = make_class(s, &i, pattern, &at);
        else if (s[i] == '*' && i > 0) {
            ok = make_closure(pattern, &at, last);
            before = last;
        } else
            ok = add(pattern, &at, MAXPAT, LITERAL) && add(pattern, &at, MAXPAT, escape(s, &i));
        if (!ok)
            return 0;
        last = before;
    }
    return 1;
}

static int make_replacement(const char *s, char *out)
{
    int at = 0;
    out[0] = '\0';
    for (int i = 0; s[i] != '\0'; i++)
        if (!add(out, &at, MAXPAT, s[i] == '&' ? DITTO : escape(s, &i)))
            return 0;
    return 1;
}

static int element_size(const char *pattern, int j)
{
    switch (pattern[j]) {
    case LITERAL: return 2;
    case CLASS: case NOT_CLASS: return 2 + pattern[j + 1];
    default: return 1;
    }
}

static int in_class(int c, const char *pattern, int j)
{
    for (int k = 0; k < pattern[j + 1]; k++)
        if (pattern[j + 2 + k] == c)
            return 1;
    return 0;
}

/* Does one element match at *i? Moves *i past what it took. */
static int match_one(const char *line, int *i, const char *pattern, int j)
{
    int advance = -1, c = line[*i];
    switch (pattern[j]) {
    case BEGIN: advance = *i == 0 ? 0 : -1; break;
    case END: advance = c == '\n' || c == '\0' ? 0 : -1; break;
    case ANY: advance = c != '\0' && c != '\n' ? 1 : -1; break;
    case LITERAL: advance = c != '\0' && c == pattern[j + 1] ? 1 : -1; break;
    case CLASS: advance = c != '\0' && in_class(c, pattern, j) ? 1 : -1; break;
    case NOT_CLASS: advance = c != '\0' && c != '\n' && !in_class(c, pattern, j) ? 1 : -1; break;
    }
    if (advance < 0)
        return 0;
    *i += advance;
    return 1;
}

/* Where a match that starts at `from` ends, or -1. */
static int match_here(const char *line, int from, const char *pattern, int j)
{
    while (pattern[j] != '\0') {
        if (pattern[j] == CLOSURE) {
            int i = from, end = -1;
            j++;
            while (line[i] != '\0' && match_one(line, &i, pattern, j))
                ;
            for (; i >= from; i--)
                if ((end = match_here(line, i, pattern, j + element_size(pattern, j))) >= 0)
                    break;
            return end;
        }
        if (!match_one(line, &from, pattern, j))
            return -1;
        j += element_size(pattern, j);
    }
    return from;
}

static void put_replacement(const char *line, int from, int to, const char *replacement)
{
    for (int k = 0; replacement[k] != '\0'; k++)
        if (replacement[k] == DITTO)
            for (int i = from; i < to; i++)
                putchar(line[i]);
        else
            putchar(replacement[k]);
}

static int substitute_line(const char *line, const char *pattern, const char *replacement)
{
    int i = 0, last = -1, count = 0;
    while (line[i] != '\0') {
        int end = match_here(line, i, pattern, 0);
        if (end >= 0 && last != end) {
            put_replacement(line, i, end, replacement);
            last = end;
            count++;
        }
        if (end == -1 || end == i)
            putchar(line[i++]);
        else
            i = end;
    }
    return count;
}

int main(int argc, char **argv)
{
    char pattern[MAXPAT], replacement[MAXPAT] = "", line[MAXLINE];
    int total = 0;
    if (argc < 2) {
        printf("usage: substitute PATTERN [REPLACEMENT]\n");
        return 2;
    }
    if (!make_pattern(argv[1], pattern)) {
        printf("substitute: illegal pattern\n");
        return 2;
    }
    if (argc > 2 && !make_replacement(argv[2], replacement)) {
        printf("substitute: illegal replacement\n");
        return 2;
    }
    while (fgets(line, sizeof line, stdin))
        total += substitute_line(line, pattern, replacement);
    return total ? 0 : 1;
}
