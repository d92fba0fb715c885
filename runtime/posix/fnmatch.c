/* fnmatch.c - patterns of file names. */
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "posix.h"

static int fold(int c, int flags) { return flags & FNM_CASEFOLD ? ascii_lower(c) : c; }

static bool in_class(const char *name, size_t length, int c)
{
    static const struct {
        const char *name;
        int (*test)(int);
    } classes[] = {{"alpha", isalpha}, {"digit", isdigit}, {"alnum", isalnum},   {"upper", isupper},
                   {"lower", islower}, {"space", isspace}, {"punct", ispunct},   {"print", isprint},
                   {"graph", isgraph}, {"cntrl", iscntrl}, {"xdigit", isxdigit}, {"blank", isblank}};
    for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strlen(classes[i].name) == length && strncmp(classes[i].name, name, length) == 0)
            return classes[i].test(c);
    return false;
}

/* A bracket expression, behind its '['. Where it ends, or NULL if it never does; then the '[' is a plain
 * one. */
static const char *bracket(const char *p, int c, int flags, bool *matches)
{
    bool inverted = *p == '!' || *p == '^', found = false;
    const char *start = p + inverted;
    for (p = start; *p && (*p != ']' || p == start); p++) {
        if (p[0] == '[' && p[1] == ':') {
            const char *end = strstr(p + 2, ":]");
            if (end) {
                found |= in_class(p + 2, (size_t)(end - p - 2), c);
                p = end + 1;
                continue;
            }
        }
        if (*p == '\\' && !(flags & FNM_NOESCAPE) && p[1])
            p++;
        int low = fold((unsigned char)*p, flags), high = low;
        if (p[1] == '-' && p[2] && p[2] != ']') {
            p += 2;
            if (*p == '\\' && !(flags & FNM_NOESCAPE) && p[1])
                p++;
            high = fold((unsigned char)*p, flags);
        }
        found |= (c >= low) & (c <= high);
    }
    *matches = found != inverted;
    return *p ? p + 1 : NULL;
}

/* Whether a period here must be matched by a period. */
static bool hidden(const char *s, const char *start, int flags)
{
    return *s == '.' && flags & FNM_PERIOD && (s == start || (flags & FNM_PATHNAME && s[-1] == '/'));
}

/* Matches a "*": the rest of the pattern at every place that it may skip to. */
static bool match(const char *p, const char *s, const char *start, int flags);

static bool match_star(const char *p, const char *s, const char *start, int flags)
{
    if (hidden(s, start, flags))
        return false;
    for (;; s++) {
        if (match(p, s, start, flags))
            return true;
        if (!*s || (*s == '/' && flags & FNM_PATHNAME))
            return false;
    }
}

static bool match(const char *p, const char *s, const char *start, int flags)
{
    for (; *p; s++) {
        int c = fold((unsigned char)*s, flags);
        bool special = !c || (*s == '/' && flags & FNM_PATHNAME) || hidden(s, start, flags), matches = false;
        if (*p == '*') {
            while (*p == '*')
                p++;
            return match_star(p, s, start, flags);
        }
        if (*p == '?') {
            if (special)
                return false;
            p++;
            continue;
        }
        if (*p == '[') {
            const char *end = bracket(p + 1, c, flags, &matches);
            if (end) {
                if (special || !matches)
                    return false;
                p = end;
                continue;
            }
        }
        if (*p == '\\' && !(flags & FNM_NOESCAPE) && p[1])
            p++;
        if (fold((unsigned char)*p++, flags) != c)
            return false;
    }
    return !*s || (flags & FNM_LEADING_DIR && *s == '/');
}

int fnmatch(const char *pattern, const char *text, int flags)
{
    return match(pattern, text, text, flags) ? 0 : FNM_NOMATCH;
}
