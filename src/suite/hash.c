/* hash.c - a hash that identifies a program, so that tests are not taken for those of a program that
 * they were not made for. */
#include "suite/suite_int.h"

#include <errno.h>
#include <stdlib.h>

enum { HEX = 64 };

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The hash of each source, in an order that does not depend on theirs. */
static bool add_sources(const StrVec *paths, Arena *a, Str *out, Str *error)
{
    StrVec hashes = {0};
    Str text = {0};
    bool ok = true;
    for (uint32_t i = 0; i < paths->n && ok; i++) {
        char hex[HEX + 1];
        ok = file_read(paths->v[i], SUITE_FILE_LIMIT, &text);
        if (!ok)
            str_printf(error, "%s: %s", paths->v[i], strerror(errno));
        suite_sha256(str_text(&text), text.n, hex);
        vec_push(&hashes, arena_strdup(a, hex));
    }
    if (hashes.n)
        qsort(hashes.v, hashes.n, sizeof *hashes.v, by_text);
    for (uint32_t i = 0; i < hashes.n; i++)
        str_printf(out, "%s\n", hashes.v[i]);
    vec_free(&hashes);
    str_free(&text);
    return ok;
}

/* -D and -U, with the macro behind them or in the next word: where headers are found, and what is warned of,
 * makes no other program. */
static void add_macros(const StrVec *flags, Str *out)
{
    for (uint32_t i = 0; i < flags->n; i++) {
        const char *flag = flags->v[i];
        if (flag[0] != '-' || (flag[1] != 'D' && flag[1] != 'U'))
            continue;
        const char *macro = flag[2] ? flag + 2 : i + 1 < flags->n ? flags->v[++i] : "";
        str_printf(out, "%.2s%s\n", flag, macro);
    }
}

bool suite_program_hash(const FrontendOptions *program, char hex[65], Str *error)
{
    Arena *a = arena_new();
    StrVec paths = {0}, flags = {0};
    Str text = {0};
    frontend_sources(program, a, &paths, &flags);
    bool ok = add_sources(&paths, a, &text, error);
    add_macros(&flags, &text);
    suite_sha256(str_text(&text), text.n, hex);
    vec_free(&paths);
    vec_free(&flags);
    str_free(&text);
    arena_free(a);
    return ok;
}
