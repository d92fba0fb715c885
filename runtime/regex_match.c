/* regex_match.c - regexec: the leftmost of the longest matches, by trying all ways in order of preference.
 *
 * A way is a chain of continuations (Then) on the stack. Groups hold what the first of the longest ways gave
 * them, which is what POSIX asks for in all but contrived patterns. */
#include <regex.h>
#include <string.h>

#include "pattern.h"

enum { MOST_GROUPS = 64 }; /* groups whose places are remembered; more match but are not reported */

typedef struct Match {
    const char *text;
    long length, start;
    int compile_flags, exec_flags;
    long best; /* end of the longest match, -1: none yet */
    regmatch_t groups[MOST_GROUPS], best_groups[MOST_GROUPS];
    int ngroups;
} Match;

/* What is to match behind the current place. */
typedef struct Then {
    enum { THEN_MATCH, THEN_CLOSE, THEN_REPEAT } kind;
    const Pattern *n;
    long from; /* where the group or this round of the repetition began */
    int done;  /* rounds before it */
    const struct Then *next;
} Then;

static bool go_on(Match *m, long at, const Then *then);

static bool is_word(const Match *m, long at)
{
    if (at < 0 || at >= m->length)
        return false;
    int c = (unsigned char)m->text[at];
    return byte_between(c | 32, 'a', 'z') | byte_between(c, '0', '9') | (c == '_');
}

static bool line_start(const Match *m, long at)
{
    if (at == 0)
        return !(m->exec_flags & REG_NOTBOL);
    return m->compile_flags & REG_NEWLINE && m->text[at - 1] == '\n';
}

static bool line_end(const Match *m, long at)
{
    if (at == m->length)
        return !(m->exec_flags & REG_NOTEOL);
    return m->compile_flags & REG_NEWLINE && m->text[at] == '\n';
}

/* Does n, which is a character, any or a set, match the character at this place? One value for each place. */
static bool one_matches(const Match *m, const Pattern *n, long at)
{
    if (at >= m->length)
        return false;
    int c = (unsigned char)m->text[at];
    c = m->compile_flags & REG_ICASE ? ascii_upper(c) : c;
    if (n->kind == PATTERN_CHAR)
        return c == n->c;
    if (n->kind == PATTERN_ANY)
        return !(m->compile_flags & REG_NEWLINE) | (c != '\n');
    bool in = false;
    for (int i = 0; i < n->nranges; i++)
        in |= byte_between(c, n->ranges[i].low, n->ranges[i].high);
    return in != n->negated;
}

static bool is_one(const Pattern *n)
{
    return n->kind == PATTERN_CHAR || n->kind == PATTERN_ANY || n->kind == PATTERN_SET;
}

static bool holds(const Match *m, PatternKind kind, long at)
{
    switch (kind) {
    case PATTERN_LINE_START: return line_start(m, at);
    case PATTERN_LINE_END: return line_end(m, at);
    case PATTERN_TEXT_START: return at == 0;
    case PATTERN_TEXT_END: return at == m->length;
    case PATTERN_WORD_EDGE: return is_word(m, at - 1) != is_word(m, at);
    case PATTERN_WORD_INSIDE: return is_word(m, at - 1) == is_word(m, at);
    case PATTERN_WORD_START: return !is_word(m, at - 1) && is_word(m, at);
    case PATTERN_WORD_END: return is_word(m, at - 1) && !is_word(m, at);
    default: return true;
    }
}

static bool match(Match *m, const Pattern *n, long at, const Then *then);

/* One more round of a repetition, or what follows it. */
static bool repeat(Match *m, const Pattern *n, int done, long at, const Then *then)
{
    if (n->high < 0 || done < n->high) {
        Then again = {.kind = THEN_REPEAT, .n = n, .from = at, .done = done, .next = then};
        if (match(m, n->a, at, &again))
            return true;
    }
    return done >= n->low && go_on(m, at, then);
}

/* A repetition of single characters needs no continuation for each. */
static bool repeat_one(Match *m, const Pattern *n, long at, const Then *then)
{
    long most = at;
    while ((n->high < 0 || most - at < n->high) && one_matches(m, n->a, most))
        most++;
    for (; most - at >= n->low; most--)
        if (go_on(m, most, then))
            return true;
    return false;
}

static bool same_again(Match *m, const Pattern *n, long at, const Then *then)
{
    const regmatch_t *g = &m->groups[n->group];
    if (g->rm_so < 0)
        return false;
    long size = g->rm_eo - g->rm_so;
    if (size > m->length - at)
        return false;
    bool differ = false;
    for (long i = 0; i < size; i++) {
        int a = (unsigned char)m->text[g->rm_so + i], b = (unsigned char)m->text[at + i];
        differ |= m->compile_flags & REG_ICASE ? ascii_lower(a) != ascii_lower(b) : a != b;
    }
    return !differ && go_on(m, at + size, then);
}

static bool match(Match *m, const Pattern *n, long at, const Then *then)
{
    switch (n->kind) {
    case PATTERN_CHAR:
    case PATTERN_ANY:
    case PATTERN_SET: return one_matches(m, n, at) && go_on(m, at + 1, then);
    case PATTERN_SAME: return same_again(m, n, at, then);
    case PATTERN_GROUP: {
        Then close = {.kind = THEN_CLOSE, .n = n, .from = at, .next = then};
        return match(m, n->a, at, &close);
    }
    case PATTERN_BOTH: {
        Then second = {.kind = THEN_MATCH, .n = n->b, .next = then};
        return match(m, n->a, at, &second);
    }
    case PATTERN_EITHER: return match(m, n->a, at, then) || match(m, n->b, at, then);
    case PATTERN_REPEAT: return is_one(n->a) ? repeat_one(m, n, at, then) : repeat(m, n, 0, at, then);
    default: return holds(m, n->kind, at) && go_on(m, at, then);
    }
}

/* True ends the search: nothing longer can come. */
static bool accept(Match *m, long at)
{
    if (at > m->best) {
        m->best = at;
        __builtin_memcpy(m->best_groups, m->groups, sizeof m->groups);
    }
    return at == m->length;
}

static bool go_on(Match *m, long at, const Then *then)
{
    if (!then)
        return accept(m, at);
    if (then->kind == THEN_MATCH)
        return match(m, then->n, at, then->next);
    if (then->kind == THEN_REPEAT) {
        if (at == then->from) /* an empty round: further ones add nothing */
            return go_on(m, at, then->next);
        return repeat(m, then->n, then->done + 1, at, then->next);
    }
    if (then->n->group >= MOST_GROUPS)
        return go_on(m, at, then->next);
    regmatch_t *g = &m->groups[then->n->group], before = *g;
    *g = (regmatch_t){.rm_so = (regoff_t)then->from, .rm_eo = (regoff_t)at};
    if (go_on(m, at, then->next))
        return true;
    *g = before;
    return false;
}

static void tell(const Match *m, const Compiled *compiled, size_t n, regmatch_t *out)
{
    for (size_t i = 0; i < n; i++) {
        bool known = i <= (size_t)compiled->groups && i < MOST_GROUPS;
        out[i] = known ? m->best_groups[i] : (regmatch_t){-1, -1};
    }
    if (n)
        out[0] = (regmatch_t){.rm_so = (regoff_t)m->start, .rm_eo = (regoff_t)m->best};
}

int regexec(const regex_t *restrict regex, const char *restrict text, size_t n, regmatch_t *restrict out,
            int flags)
{
    const Compiled *compiled = (const Compiled *)regex->__REPB_PREFIX(buffer);
    bool part = flags & REG_STARTEND;
    Match m = {.text = text,
               .length = part ? out[0].rm_eo : (long)strlen(text),
               .start = part ? out[0].rm_so : 0,
               .compile_flags = compiled->flags,
               .exec_flags = flags};
    for (; m.start <= m.length; m.start++) {
        m.best = -1;
        __builtin_memset(m.groups, 255, sizeof m.groups);
        match(&m, compiled->root, m.start, NULL);
        if (m.best < 0)
            continue;
        if (!(compiled->flags & REG_NOSUB))
            tell(&m, compiled, n, out);
        return 0;
    }
    return REG_NOMATCH;
}
