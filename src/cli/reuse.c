/* reuse.c - see reuse.h. */
#include "cli/reuse.h"

#include "cli/command.h"

#include <sys/stat.h>
#include <time.h>

static const char value_name[] = "answer";
enum { HEX = 64 };

/* ---- the key --------------------------------------------------------------------------------- */

/* Another build of the same version counts as another version. */
static void add_executable(Str *out)
{
    struct stat is = {0};
    wire_text(out, SHEAF_VERSION);
    if (stat("/proc/self/exe", &is))
        return;
    wire_u64(out, (uint64_t)is.st_size);
    wire_u64(out, (uint64_t)is.st_mtim.tv_sec);
    wire_u64(out, (uint64_t)is.st_mtim.tv_nsec);
}

static void add_list(const StrVec *list, Str *out)
{
    wire_uint(out, list->n);
    for (uint32_t i = 0; i < list->n; i++)
        wire_text(out, list->v[i]);
}

/* What native runs are compiled from: options of the compiler may matter to them alone. */
static void add_sources(const FrontendOptions *program, Str *out)
{
    Arena *a = arena_new();
    StrVec paths = {0}, flags = {0};
    frontend_sources(program, a, &paths, &flags);
    add_list(&paths, out);
    add_list(&flags, out);
    vec_free(&paths);
    vec_free(&flags);
    arena_free(a);
}

const char *reuse_key(const Command *command, const OptionArgs *args, const StoreJob *job,
                      const char *sources, const FrontendOptions *program, Arena *arena)
{
    /* An answer is kept in every form, and only if no limit ended the run. */
    static const char *const without[] = {"force", "resume", "no-reuse", "format", "quiet", "verbose", NULL};
    Str text = {0}, options = {0};
    char hex[HEX + 1];
    options_canonical(command->options, args, without, &options);
    add_executable(&text);
    wire_text(&text, command->name);
    wire_text(&text, str_text(&options));
    add_list(&args->rest, &text);
    wire_text(&text, job->program);
    wire_text(&text, sources);
    add_sources(program, &text);
    suite_sha256(str_text(&text), text.n, hex);
    str_free(&text);
    str_free(&options);
    return arena_strdup(arena, hex);
}

/* ---- keeping and finding --------------------------------------------------------------------- */

bool reuse_put(Store *store, const char *directory, const ReuseAnswer *answer)
{
    Str bytes = {0};
    char hex[HEX + 1], now[32];
    time_t moment = time(NULL);
    struct tm local;
    if (!suite_dir_hash(directory, hex) || !localtime_r(&moment, &local) ||
        !strftime(now, sizeof now, "%Y-%m-%d %H:%M", &local))
        return true; /* it is not kept */
    wire_text(&bytes, answer->key);
    wire_text(&bytes, hex);
    wire_text(&bytes, now);
    wire_uint(&bytes, (uint64_t)answer->status);
    for (unsigned i = 0; i < REUSE_FORMS; i++)
        wire_text(&bytes, answer->form[i]);
    suite_sha256(str_text(&bytes), bytes.n, hex);
    str_add(&bytes, hex);
    bool ok = store_put(store, value_name, str_text(&bytes), bytes.n);
    str_free(&bytes);
    return ok;
}

/* A damaged value is none. */
static bool unpack(const Str *bytes, const char *directory, const char *key, Arena *arena, ReuseAnswer *out)
{
    char hex[HEX + 1];
    if (bytes->n <= HEX)
        return false;
    size_t n = bytes->n - HEX;
    suite_sha256(str_text(bytes), n, hex);
    if (memcmp(hex, str_text(bytes) + n, HEX))
        return false;
    Wire in = wire_of(str_text(bytes), n);
    out->key = wire_get_text(&in, arena);
    const char *files = wire_get_text(&in, arena);
    out->since = wire_get_text(&in, arena);
    out->status = (int)wire_get_below(&in, 256);
    for (unsigned i = 0; i < REUSE_FORMS; i++)
        out->form[i] = wire_get_text(&in, arena);
    return wire_ended(&in) && !strcmp(out->key, key) && suite_dir_hash(directory, hex) && !strcmp(files, hex);
}

bool reuse_find(const char *directory, const char *key, Arena *arena, ReuseAnswer *out)
{
    Str bytes = {0}, ignored = {0};
    Store *store = store_exists(directory) ? store_read(directory, &ignored) : NULL;
    bool found = store && store_finished(store) && store_get(store, value_name, &bytes) &&
                 unpack(&bytes, directory, key, arena, out);
    store_close(store);
    str_free(&bytes);
    str_free(&ignored);
    return found;
}
