/* compdb.c - compile_commands.json: which C files belong to a target and with what flags. */
#include "frontend/frontend_int.h"

#include <errno.h>
#include <stdlib.h>

enum { MAX_DATABASE = 256 << 20 };

/* A command line as a shell takes it apart: blanks, both quotes, backslashes. No expansions: build tools
 * write none. */
static void split_command(Arena *a, const char *text, StrVec *out)
{
    const char *s = text;
    for (;;) {
        s += strspn(s, " \t\n");
        if (*s == '\0')
            return;
        char *word = arena_alloc(a, strlen(s) + 1), *to = word;
        for (char quote = '\0'; *s && (quote || !strchr(" \t\n", *s)); s++) {
            if (quote ? *s == quote : *s == '\'' || *s == '"')
                quote = quote ? '\0' : *s;
            else if (*s == '\\' && quote != '\'' && s[1] && (!quote || strchr("\\\"$`", s[1])))
                *to++ = *++s;
            else
                *to++ = *s;
        }
        vec_push(out, word);
    }
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_selected(const char *target, const char *file, const char *output)
{
    if (strcmp(file, target) == 0 || strcmp(base_name(file), target) == 0)
        return true;
    return strstr(output, target) || strstr(file, target);
}

/* By one of the targets, each of which is then known to have a file. */
static bool is_wanted(const StrVec *targets, const char *file, const char *output, BitSet *found)
{
    bool wanted = !targets->n;
    for (uint32_t i = 0; i < targets->n; i++)
        if (is_selected(targets->v[i], file, output)) {
            bitset_add(found, i);
            wanted = true;
        }
    return wanted;
}

/* Flags that change what the code means. The build may use another compiler, whose flags for warnings and
 * optimisation clang may not know, so only these are kept; a flag may have its value in the next word if it
 * is exactly the text. */
static const struct {
    const char *text;
    bool takes_value;
} kept[] = {
    {"-I", true},
    {"-D", true},
    {"-U", true},
    {"-include", true},
    {"-imacros", true},
    {"-isystem", true},
    {"-iquote", true},
    {"-idirafter", true},
    {"-isysroot", true},
    {"--sysroot", true},
    {"-x", true},
    {"-std=", false},
    {"-ansi", false},
    {"-nostdinc", false},
    {"-pthread", false},
    {"-undef", false},
    {"-trigraphs", false},
    {"-m64", false},
    {"-m32", false},
    {"-march=", false},
    {"-mtune=", false},
    {"-msse", false},
    {"-mavx", false},
    {"-mno-", false},
    {"-mlong-double-", false},
    {"-fwrapv", false},
    {"-fno-wrapv", false},
    {"-fsigned-", false},
    {"-funsigned-", false},
    {"-fno-builtin", false},
    {"-ffreestanding", false},
    {"-fcommon", false},
    {"-fno-common", false},
    {"-fshort-", false},
    {"-fgnu89-inline", false},
    {"-fms-extensions", false},
    {"-fno-strict-", false},
    {"-fno-delete-null-pointer-checks", false},
    {"-ffast-math", false},
    {"-fno-math-errno", false},
    {"-finput-charset=", false},
    {"-fexec-charset=", false},
    {"-fno-signed-char", false},
    {"-fpack-struct", false},
};

static bool is_kept(const char *word, bool *with_next)
{
    for (unsigned i = 0; i < COUNT_OF(kept); i++)
        if (text_starts_with(word, kept[i].text)) {
            *with_next = kept[i].takes_value && strcmp(word, kept[i].text) == 0;
            return true;
        }
    return false;
}

static void keep_flags(const StrVec *words, StrVec *out)
{
    bool with_next;
    for (uint32_t i = 1; i < words->n; i++) {
        if (!is_kept(words->v[i], &with_next))
            continue;
        vec_push(out, words->v[i]);
        if (with_next && i + 1 < words->n)
            vec_push(out, words->v[++i]);
    }
}

static const char *output_of(const StrVec *words, const Json *entry)
{
    for (uint32_t i = 0; i + 1 < words->n; i++)
        if (strcmp(words->v[i], "-o") == 0)
            return words->v[i + 1];
    return json_text(json_member(entry, "output"), "");
}

static void read_words(Arena *a, const Json *entry, StrVec *out)
{
    const Json *arguments = json_member(entry, "arguments");
    if (!arguments) {
        split_command(a, json_text(json_member(entry, "command"), ""), out);
        return;
    }
    for (const Json *word = arguments->first; word; word = word->next)
        vec_push(out, json_text(word, ""));
}

static bool is_known(const SourceVec *sources, const char *path)
{
    for (uint32_t i = 0; i < sources->n; i++)
        if (strcmp(sources->v[i].path, path) == 0)
            return true;
    return false;
}

/* Directories are absolute by the format; a relative one is meant from where the database is. */
static const char *directory_of(Arena *a, const char *database, const Json *entry)
{
    const char *dir = json_text(json_member(entry, "directory"), ".");
    const char *slash = strrchr(database, '/');
    const char *base = slash ? arena_strndup(a, database, (size_t)(slash - database)) : ".";
    const char *from = dir[0] == '/' ? dir : arena_printf(a, "%s/%s", base, dir);
    char *real = realpath(from, NULL);
    if (!real)
        die("%s: directory %s: %s", database, from, strerror(errno));
    const char *path = arena_strdup(a, real);
    free(real);
    return path;
}

static void add_entry(const FrontendOptions *options, Arena *a, const Json *entry, BitSet *found,
                      SourceVec *out)
{
    const char *file = json_text(json_member(entry, "file"), NULL);
    StrVec words = {0};
    if (!file)
        die("%s: an entry without \"file\"", options->compdb);
    read_words(a, entry, &words);
    if (text_ends_with(file, ".c") && is_wanted(&options->targets, file, output_of(&words, entry), found)) {
        const char *dir = directory_of(a, options->compdb, entry);
        Source s = {.path = file[0] == '/' ? file : arena_printf(a, "%s/%s", dir, file), .directory = dir};
        keep_flags(&words, &s.flags);
        if (version_map_source(options, a, &s) && !is_known(out, s.path))
            vec_push(out, s);
        else
            vec_free(&s.flags);
    }
    vec_free(&words);
}

/* Is a source from this one on below the version's directory, or the one that the database is about? */
static bool any_below(const FrontendOptions *options, const SourceVec *sources, uint32_t from)
{
    for (uint32_t i = from; i < sources->n; i++)
        if (version_has(options, sources->v[i].path))
            return true;
    return false;
}

void compdb_sources(const FrontendOptions *options, Arena *a, SourceVec *out)
{
    Str text = {0};
    const char *error;
    if (!file_read(options->compdb, MAX_DATABASE, &text))
        die("%s: %s", options->compdb, strerror(errno));
    const Json *database = json_parse(a, text.v, text.n, &error);
    str_free(&text);
    if (!database)
        die("%s: %s", options->compdb, error);
    if (database->kind != JSON_ARRAY)
        die("%s is no compilation database: it should be a list", options->compdb);
    uint32_t before = out->n;
    BitSet found = {0};
    for (const Json *entry = database->first; entry; entry = entry->next)
        add_entry(options, a, entry, &found, out);
    for (uint32_t i = 0; i < options->targets.n && !options->mapped; i++) /* of another version: not all */
        if (!bitset_has(&found, i))
            die("%s: no C file belongs to '%s'", options->compdb, options->targets.v[i]);
    bitset_free(&found);
    if (out->n == before && options->targets.n)
        die("%s: no C file belongs to '%s'", options->compdb, options->targets.v[0]);
    if (out->n == before)
        die("%s names no C file", options->compdb);
    if (options->root && !any_below(options, out, before))
        die("%s names no C file below %s: it is about another directory", options->compdb,
            options->mapped ? options->mapped : options->root);
}
