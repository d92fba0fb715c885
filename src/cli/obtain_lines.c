/* obtain_lines.c - what of a change the compiler does not see: lines behind #if, files that are no part of
 * the program, other flags.
 *
 * A changed line counts as not compiled if it stands in a group of lines between conditional directives none
 * of which the preprocessor lets through. To ask for a group and not for the line is what macros need whose
 * arguments go over several lines, and comments. */
#include "cli/obtain.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

enum { TEXT_LIMIT = 64 << 20, TABLE_LIMIT = 1 << 25 };

typedef struct Text { /* a file as lines; of one that does not exist: none */
    Str bytes;
    StrVec lines; /* each ended by a NUL */
    U32Vec group; /* of each line the directive that opens its group, from 1 on; 0: none */
} Text;

/* ---- lines ----------------------------------------------------------------------------------- */

/* "if", "elif", "endif"...: the word of a directive; NULL: the line is none. */
static const char *directive(const char *line)
{
    line += strspn(line, " \t");
    return *line == '#' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

static bool is_word(const char *at, const char *word)
{
    return text_starts_with(at, word) && !isalnum((unsigned char)at[strlen(word)]);
}

static void find_groups(Text *t)
{
    U32Vec open = {0};
    for (uint32_t i = 0; i < t->lines.n; i++) {
        const char *word = directive(t->lines.v[i]);
        bool turns = word && open.n && (text_starts_with(word, "elif") || is_word(word, "else"));
        if (word && open.n && is_word(word, "endif"))
            open.n--;
        vec_push(&t->group, turns    ? t->group.v[vec_last(&open) - 1]
                            : open.n ? vec_last(&open)
                                     : 0); /* a directive stands in the group around it */
        if (turns)
            vec_last(&open) = i + 1;
        else if (word && text_starts_with(word, "if"))
            vec_push(&open, i + 1);
    }
    vec_free(&open);
}

static void text_read(const char *path, Text *t)
{
    *t = (Text){0};
    if (!file_read(path, TEXT_LIMIT, &t->bytes))
        return;
    for (char *p = t->bytes.v, *end = p + t->bytes.n; p < end; p += strlen(p) + 1) {
        vec_push(&t->lines, p);
        char *stop = memchr(p, '\n', (size_t)(end - p));
        if (stop)
            *stop = 0;
    }
    find_groups(t);
}

static void text_free(Text *t)
{
    str_free(&t->bytes);
    vec_free(&t->lines);
    vec_free(&t->group);
}

/* Marks lines of both that are in no longest common subsequence. Where that table would be large, all of what
 * is between the common beginning and end. */
static void mark_changed(const Text *a, const Text *b, BitSet *old, BitSet *new)
{
    uint32_t n = a->lines.n, m = b->lines.n, from = 0;
    while (from < n && from < m && !strcmp(a->lines.v[from], b->lines.v[from]))
        from++;
    while (n > from && m > from && !strcmp(a->lines.v[n - 1], b->lines.v[m - 1]))
        n--, m--;
    uint32_t w = m - from + 1, h = n - from + 1;
    uint32_t *table = (uint64_t)w * h <= TABLE_LIMIT ? mem_zalloc((size_t)w * h * sizeof *table) : NULL;
    for (uint32_t i = h - 1; table && i-- > 0;)
        for (uint32_t k = w - 1; k-- > 0;) {
            bool same = !strcmp(a->lines.v[from + i], b->lines.v[from + k]);
            uint32_t down = table[(size_t)(i + 1) * w + k], right = table[(size_t)i * w + k + 1];
            table[(size_t)i * w + k] = same           ? table[(size_t)(i + 1) * w + k + 1] + 1
                                       : down > right ? down
                                                      : right;
        }
    for (uint32_t i = 0, k = 0; i < h - 1 || k < w - 1;) {
        bool both = table && i < h - 1 && k < w - 1;
        if (both && !strcmp(a->lines.v[from + i], b->lines.v[from + k])) {
            i++, k++;
        } else if (k == w - 1 ||
                   (i < h - 1 && both && table[(size_t)(i + 1) * w + k] >= table[(size_t)i * w + k + 1])) {
            bitset_add(old, from + i++ + 1);
        } else {
            bitset_add(new, from + k++ + 1);
        }
    }
    mem_free(table);
}

/* ---- one version of one file ----------------------------------------------------------------- */

void obtain_note(Obtained *o, ObtainNote kind, const char *text)
{
    for (uint32_t i = 0; i < o->notes.n; i++)
        if (!strcmp(o->notes.v[i].text, text))
            return;
    vec_push(&o->notes, (ObtainedNote){kind, text});
}

static const FrontendLines *lines_of(const FrontendLinesVec *all, const char *path)
{
    char *real = realpath(path, NULL);
    const FrontendLines *found = NULL;
    for (uint32_t i = 0; i < all->n && !found; i++)
        if (!strcmp(all->v[i].path, path) || (real && !strcmp(all->v[i].path, real)))
            found = &all->v[i];
    free(real);
    return found;
}

/* Is a line of the group, or of one within it, compiled? */
static bool is_compiled(const Text *t, uint32_t group, const BitSet *compiled)
{
    for (uint32_t i = group; i < t->lines.n; i++) { /* lines behind the directive */
        uint32_t g = t->group.v[i];
        if (g == group && bitset_has(compiled, i + 1))
            return true;
        if (g < group)
            return false;
        for (; g > group; g = t->group.v[g - 1]) /* of a group within it */
            if (t->group.v[g - 1] == group && bitset_has(compiled, i + 1))
                return true;
    }
    return false;
}

/* A group of blank lines and directives alone says nothing. */
static bool says_something(const char *line)
{
    return line[strspn(line, " \t\r")] && !(directive(line) && !text_starts_with(directive(line), "define"));
}

/* Notes each run of changed lines that were not compiled. */
static void note_lines(Obtained *o, const Version *v, const char *name, const Text *t, const BitSet *changed,
                       const BitSet *compiled)
{
    for (uint32_t i = 0; i < t->lines.n; i++) {
        uint32_t last = i, group = t->group.v[i];
        if (!group || !bitset_has(changed, i + 1) || !says_something(t->lines.v[i]) ||
            is_compiled(t, group, compiled))
            continue;
        while (last + 1 < t->lines.n && t->group.v[last + 1] == group && bitset_has(changed, last + 2))
            last++;
        const char *where = last > i ? arena_printf(o->arena, "%s:%u-%u", name, i + 1, last + 1)
                                     : arena_printf(o->arena, "%s:%u", name, i + 1);
        obtain_note(o, OBTAIN_NOT_COMPILED,
                    arena_printf(o->arena, "%s of %s changed and %s not compiled: line %u is `%s`", where,
                                 v->name, last > i ? "were" : "was", group,
                                 t->lines.v[group - 1] + strspn(t->lines.v[group - 1], " \t")));
        i = last;
    }
}

static bool is_c_text(const char *path)
{
    static const char *const endings[] = {".c", ".h", ".inc", ".def", ".i"};
    for (size_t i = 0; i < COUNT_OF(endings); i++)
        if (text_ends_with(path, endings[i]))
            return true;
    return false;
}

/* ---- both versions --------------------------------------------------------------------------- */

static const char *path_in(Obtained *o, const Version *v, const char *name)
{
    return v->root ? arena_printf(o->arena, "%s/%s", v->root, name) : v->program.inputs.v[0];
}

static void compare_file(Obtained *o, const char *name, const FrontendLinesVec *old_lines,
                         const FrontendLinesVec *new_lines)
{
    const Version *versions[] = {&o->old, &o->new};
    const FrontendLinesVec *compiled[] = {old_lines, new_lines};
    Text texts[2];
    BitSet changed[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++)
        text_read(path_in(o, versions[i], name), &texts[i]);
    mark_changed(&texts[0], &texts[1], &changed[0], &changed[1]);
    bool part = false;
    for (int i = 0; i < 2; i++) {
        const FrontendLines *lines = lines_of(compiled[i], path_in(o, versions[i], name));
        part |= lines != NULL;
        if (lines)
            note_lines(o, versions[i], versions[i]->root ? name : versions[i]->name, &texts[i], &changed[i],
                       &lines->lines);
        text_free(&texts[i]);
        bitset_free(&changed[i]);
    }
    if (!part)
        obtain_note(o, OBTAIN_NOT_PART,
                    arena_printf(o->arena, "%s changed, and is no part of the program", name));
}

/* Is there, in a changed file, a conditional directive, or is it a header? Only then it must be known what
 * was compiled. */
static bool is_asked(Obtained *o)
{
    for (uint32_t i = 0; i < o->changed.n; i++) {
        const Version *versions[] = {&o->old, &o->new};
        bool asked = !text_ends_with(o->changed.v[i], ".c") && is_c_text(o->changed.v[i]);
        for (int k = 0; k < 2 && !asked; k++) {
            Text t;
            text_read(path_in(o, versions[k], o->changed.v[i]), &t);
            for (uint32_t line = 0; line < t.lines.n && !asked; line++)
                asked = t.group.v[line] != 0;
            text_free(&t);
        }
        if (asked)
            return true;
    }
    return false;
}

static bool differs(const char *a, const char *b)
{
    Str x = {0}, y = {0};
    bool ok_a = file_read(a, TEXT_LIMIT, &x), ok_b = file_read(b, TEXT_LIMIT, &y);
    bool same = ok_a == ok_b && x.n == y.n && (!x.n || !memcmp(x.v, y.v, x.n));
    str_free(&x);
    str_free(&y);
    return !same;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Git has said which files differ; of files and directories we look ourselves. */
static void find_changed(Obtained *o)
{
    StrVec all = {0};
    if (!o->new.root) {
        if (differs(o->old.program.inputs.v[0], o->new.program.inputs.v[0]))
            vec_push(&o->changed, o->new.name);
    } else if (!o->in_git) {
        obtain_walk(o->arena, o->old.root, "", is_c_text, &all);
        obtain_walk(o->arena, o->new.root, "", is_c_text, &all);
        if (all.n)
            qsort(all.v, all.n, sizeof *all.v, by_text);
        for (uint32_t i = 0; i < all.n; i++)
            if ((!i || strcmp(all.v[i], all.v[i - 1])) &&
                differs(path_in(o, &o->old, all.v[i]), path_in(o, &o->new, all.v[i])))
                vec_push(&o->changed, all.v[i]);
    }
    if (o->changed.n)
        qsort(o->changed.v, o->changed.n, sizeof *o->changed.v, by_text);
    vec_free(&all);
}

/* A path without its root. */
static const char *name_in(const Version *v, const char *path)
{
    size_t n = v->root ? strlen(v->root) : 0;
    return n && !strncmp(path, v->root, n) && path[n] == '/' ? path + n + 1 : path;
}

static void compare_flags(Obtained *o, const FrontendSources *old, const FrontendSources *new)
{
    for (uint32_t i = 0; i < new->n; i++)
        for (uint32_t k = 0; k < old->n; k++) {
            const char *name = name_in(&o->new, new->v[i].path);
            if (!strcmp(name, name_in(&o->old, old->v[k].path)) && strcmp(new->v[i].flags, old->v[k].flags))
                obtain_note(o, OBTAIN_FLAGS,
                            arena_printf(o->arena, "%s is compiled with other flags: `%s` in %s, `%s` in %s",
                                         name, old->v[k].flags, o->old.name, new->v[i].flags, o->new.name));
        }
}

/* A changed C file that no version compiles. */
static bool is_source(const Version *v, const FrontendSources *sources, const char *name)
{
    for (uint32_t i = 0; i < sources->n; i++)
        if (!strcmp(name_in(v, sources->v[i].path), name))
            return true;
    return false;
}

/* Sources of the other version that a compilation database names, and that are gone. */
static void note_missing(Obtained *o, const Version *v, const FrontendSources *own, const Version *other,
                         const FrontendSources *others)
{
    for (uint32_t i = 0; v->program.compdb && !v->is_copy && i < others->n; i++) {
        const char *name = name_in(other, others->v[i].path);
        if (name != others->v[i].path && !is_source(v, own, name) && !file_exists(path_in(o, v, name)))
            obtain_note(o, OBTAIN_MISSING, arena_printf(o->arena, "%s has no %s", v->name, name));
    }
}

void obtain_compare(Obtained *o)
{
    FrontendLinesVec lines[2] = {{0}, {0}};
    FrontendSources sources[2] = {{0}, {0}};
    const Version *versions[] = {&o->old, &o->new};
    find_changed(o);
    for (int i = 0; i < 2; i++)
        frontend_source_list(&versions[i]->program, o->arena, &sources[i]);
    compare_flags(o, &sources[0], &sources[1]);
    note_missing(o, &o->new, &sources[1], &o->old, &sources[0]);
    note_missing(o, &o->old, &sources[0], &o->new, &sources[1]);
    bool asked = is_asked(o);
    for (int i = 0; i < 2 && asked; i++)
        frontend_compiled_lines(&versions[i]->program, o->arena, &lines[i]);
    for (uint32_t i = 0; i < o->changed.n; i++) {
        const char *name = o->changed.v[i];
        if (asked && is_c_text(name))
            compare_file(o, name, &lines[0], &lines[1]);
        else if (o->new.root && text_ends_with(name, ".c") && !is_source(&o->old, &sources[0], name) &&
                 !is_source(&o->new, &sources[1], name))
            obtain_note(o, OBTAIN_NOT_PART,
                        arena_printf(o->arena, "%s changed, and is no part of the program", name));
    }
    for (int i = 0; i < 2; i++) {
        frontend_lines_free(&lines[i]);
        vec_free(&sources[i]);
    }
}
