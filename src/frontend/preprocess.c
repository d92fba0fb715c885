/* preprocess.c - versions of a program: one compilation database for several directories, and which lines are
 * compiled. */
#include "frontend/frontend_int.h"

#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- paths ----------------------------------------------------------------------------------- */

/* Without "." and "..", which may stand behind directories that one version does not have. */
static char *tidy(Arena *a, const char *directory, const char *path)
{
    char *text = path[0] == '/' ? arena_strdup(a, path) : arena_printf(a, "%s/%s", directory, path);
    char *to = text;
    for (const char *p = text; *p;) {
        size_t n = strcspn(p + 1, "/") + 1; /* "/word" */
        if (n == 1 || (n == 2 && p[1] == '.')) {
            p += n;
            continue;
        }
        if (n == 3 && p[1] == '.' && p[2] == '.') {
            while (to > text && *--to != '/')
                ;
        } else {
            memmove(to, p, n);
            to += n;
        }
        p += n;
    }
    *to = 0;
    return *text ? text : arena_strdup(a, "/");
}

/* What follows a directory and its slash in a path; NULL if the path is elsewhere. */
static const char *below(const char *directory, const char *path)
{
    size_t n = directory ? strlen(directory) : 0;
    return n && !strncmp(path, directory, n) && path[n] == '/' ? path + n + 1 : NULL;
}

/* The directory that paths of the database are about. */
static const char *reference(const FrontendOptions *options)
{
    return options->mapped ? options->mapped : options->root;
}

static bool is_within(const char *directory, const char *path)
{
    return below(directory, path) || !strcmp(path, directory);
}

/* A tidy path as it is called below the directory if it leads there through a symbolic link: builds write the
 * names that their user goes by. Its last part need not exist. */
static const char *named_below(Arena *a, const char *directory, const char *full)
{
    const char *slash = strrchr(full, '/');
    if (!directory || is_within(directory, full))
        return full;
    char *real = realpath(full, NULL);
    const char *path = real ? arena_strdup(a, real) : NULL;
    if (!real && slash > full)
        real = realpath(arena_strndup(a, full, (size_t)(slash - full)), NULL);
    if (!path && real)
        path = tidy(a, real, slash + 1);
    free(real);
    return path && is_within(directory, path) ? path : full;
}

/* Where this version has it; NULL: it does not. */
static const char *map_path(const FrontendOptions *options, Arena *a, const char *directory, const char *path)
{
    const char *from = reference(options), *full = named_below(a, from, tidy(a, directory, path)),
               *rest = below(from, full);
    bool all = from && !strcmp(full, from);
    for (uint32_t i = 0; rest && i < options->absent.n; i++)
        if (!strcmp(rest, options->absent.v[i]))
            return NULL;
    const char *here = all ? options->root : rest ? arena_printf(a, "%s/%s", options->root, rest) : full;
    return access(here, F_OK) ? full : here;
}

static const struct {
    const char *flag;
    bool directory;
} naming[] = {
    {"-isystem", true},  {"-iquote", true},   {"-idirafter", true},
    {"-include", false}, {"-imacros", false}, {"-I", true},
};

void frontend_map_flags(const FrontendOptions *options, Arena *a, const char *directory, const StrVec *flags,
                        StrVec *out)
{
    StrVec last = {0};
    for (uint32_t i = 0; i < flags->n; i++) {
        const char *word = flags->v[i];
        size_t k = 0;
        while (k < COUNT_OF(naming) && !text_starts_with(word, naming[k].flag))
            k++;
        const char *value = k == COUNT_OF(naming) ? NULL : word + strlen(naming[k].flag);
        if (value && !*value)
            value = i + 1 < flags->n ? flags->v[++i] : NULL;
        if (!value || !reference(options)) {
            vec_push(out, word);
            if (value && word[strlen(naming[k].flag)] == '\0')
                vec_push(out, value);
            continue;
        }
        const char *full = named_below(a, reference(options), tidy(a, directory, value)),
                   *here = map_path(options, a, directory, value);
        vec_push(out, naming[k].flag);
        vec_push(out, here ? here : full);
        if (naming[k].directory && here && strcmp(here, full))
            vec_push(&last, full);
    }
    for (uint32_t i = 0; i < last.n; i++) {
        vec_push(out, "-idirafter");
        vec_push(out, last.v[i]);
    }
    vec_free(&last);
}

bool version_map_source(const FrontendOptions *options, Arena *a, Source *source)
{
    StrVec flags = {0};
    if (!reference(options))
        return true;
    const char *path = map_path(options, a, source->directory, source->path),
               *directory = map_path(options, a, "/", source->directory);
    frontend_map_flags(options, a, source->directory, &source->flags, &flags);
    vec_free(&source->flags);
    *source = (Source){.path = path, .directory = directory, .flags = flags};
    return path && !access(path, F_OK);
}

bool version_has(const FrontendOptions *options, const char *path)
{
    return below(options->root, path) || below(options->mapped, path);
}

/* ---- sources --------------------------------------------------------------------------------- */

/* The text less every mention of the directory. */
static void add_without(const char *text, const char *directory, Str *out)
{
    size_t n = directory ? strlen(directory) : 0;
    while (*text)
        if (n && !strncmp(text, directory, n) && (text[n] == '/' || !text[n]))
            text += n + (text[n] == '/');
        else
            str_add_char(out, *text++);
}

/* -I, -D and -U mean the same with their argument behind a space. */
static bool awaits_argument(const char *flag)
{
    return flag[0] == '-' && flag[1] && strchr("IDU", flag[1]) && !flag[2];
}

void frontend_source_list(const FrontendOptions *options, Arena *a, FrontendSources *out)
{
    SourceVec sources = {0};
    sources_list(options, a, &sources);
    for (uint32_t i = 0; i < sources.n; i++) {
        Str flags = {0};
        for (uint32_t k = 0; k < sources.v[i].flags.n; k++) {
            const char *flag = sources.v[i].flags.v[k];
            if (!strcmp(flag, "-idirafter")) { /* a last resort, which we added */
                k++;
                continue;
            }
            if (flags.n && !(k && awaits_argument(sources.v[i].flags.v[k - 1])))
                str_add_char(&flags, ' ');
            Str part = {0};
            add_without(flag, options->root, &part);
            add_without(str_text(&part), options->mapped, &flags);
            str_free(&part);
        }
        vec_push(out,
                 (FrontendSource){arena_strdup(a, sources.v[i].path), arena_strdup(a, str_text(&flags))});
        str_free(&flags);
    }
    sources_free(&sources);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static uint32_t lines_of(FrontendLinesVec *all, Arena *a, const char *path)
{
    for (uint32_t i = all->n; i-- > 0;)
        if (!strcmp(all->v[i].path, path))
            return i;
    vec_push(all, (FrontendLines){.path = arena_strdup(a, path)});
    return all->n - 1;
}

/* `# 12 "path" 1`: false if the line is no such mark. */
static bool read_mark(const char *line, const char *end, uint32_t *number, Str *path)
{
    if (line[0] != '#' || line[1] != ' ' || !isdigit((unsigned char)line[2]))
        return false;
    const char *open = memchr(line, '"', (size_t)(end - line));
    if (!open)
        return false;
    *number = (uint32_t)strtoul(line + 2, NULL, 10);
    vec_clear(path);
    for (const char *p = open + 1; p < end && *p != '"'; p++) {
        p += *p == '\\' && p + 1 < end;
        str_add_char(path, *p);
    }
    return true;
}

static bool is_blank(const char *from, const char *end)
{
    while (from < end && isspace((unsigned char)*from))
        from++;
    return from == end;
}

static void read_lines(const char *text, const char *directory, Arena *a, FrontendLinesVec *all)
{
    Str path = {0};
    uint32_t number = 0, at = UINT32_MAX; /* index in all, since that moves */
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *end = line + strcspn(line, "\n");
        if (read_mark(line, end, &number, &path)) {
            at = path.n && path.v[0] != '<' ? lines_of(all, a, tidy(a, directory, str_text(&path)))
                                            : UINT32_MAX;
            continue;
        }
        if (at != UINT32_MAX && !is_blank(line, end))
            bitset_add(&all->v[at].lines, number);
        number++;
    }
    str_free(&path);
}

void frontend_compiled_lines(const FrontendOptions *options, Arena *a, FrontendLinesVec *out)
{
    SourceVec sources = {0};
    char *here = getcwd(NULL, 0);
    sources_list(options, a, &sources);
    for (uint32_t i = 0; i < sources.n; i++) {
        const Source *source = &sources.v[i];
        static const char *const how[] = {"-Qunused-arguments", "-w", "-E", "-dD", "-CC"};
        StrVec argv = {0};
        Str text = {0};
        if (!text_ends_with(source->path, ".c"))
            continue;
        vec_push(&argv, clang_program(options));
        for (size_t k = 0; k < COUNT_OF(how); k++)
            vec_push(&argv, how[k]);
        clang_filter_flags(&options->cflags, options->optimise, &argv);
        clang_filter_flags(&source->flags, options->optimise, &argv);
        vec_push(&argv, source->path);
        vec_push(&argv, NULL);
        tool_run(&argv, source->directory, STDOUT_FILENO, &text);
        read_lines(str_text(&text), source->directory ? source->directory : here ? here : "/", a, out);
        vec_free(&argv);
        str_free(&text);
    }
    sources_free(&sources);
    free(here);
}

void frontend_lines_free(FrontendLinesVec *lines)
{
    for (uint32_t i = 0; i < lines->n; i++)
        bitset_free(&lines->v[i].lines);
    vec_free(lines);
}
