/* shown.h - what a call leaves behind: its result and all memory that leads from it and from the
 * parameters. Part of replay.c. */

/* AddressSanitizer knows which objects there are. */
SHEAF_WEAK void *__asan_region_is_poisoned(void *at, size_t size);
SHEAF_WEAK const char *__asan_locate_address(void *at, char *name, size_t name_size, void **region,
                                             size_t *region_size);

enum { SHEAF_SHOWN_MOST = 4096, SHEAF_SHOWN_BYTES = 1 << 20, SHEAF_SHOWN_NAME = 256 };
typedef struct SheafShown {
    const unsigned char *at;
    size_t size;
    char name[SHEAF_SHOWN_NAME];
} SheafShown;

static SheafShown *sheaf_shown_add(SheafShown *all, unsigned *n, const void *at, size_t size,
                                   const char *name)
{
    if (*n == SHEAF_SHOWN_MOST)
        return NULL;
    SheafShown *s = &all[(*n)++];
    s->at = at;
    s->size = size;
    snprintf(s->name, sizeof s->name, "%s", name);
    return s;
}

/* The object that a pointer leads to, which may be met for the first time; -1: it is no pointer, -2: to
 * something that cannot be shown. */
static int sheaf_shown_find(SheafShown *all, unsigned *n, unsigned from, size_t offset, uintptr_t value)
{
    for (unsigned i = 0; i < *n; i++)
        if (value - (uintptr_t)all[i].at < all[i].size)
            return (int)i;
    for (unsigned i = 0; i < *n; i++) /* one past the end */
        if (all[i].size && value - (uintptr_t)all[i].at == all[i].size)
            return (int)i;
    char name[64] = "", path[SHEAF_SHOWN_NAME + 32];
    void *region = NULL;
    size_t size = 0;
    const char *kind = __asan_locate_address && value > 65536 && value < (uintptr_t)1 << 47
                           ? __asan_locate_address((void *)value, name, sizeof name, &region, &size)
                           : "";
    if (!strcmp(kind, "stack"))
        return -2;
    if ((strcmp(kind, "heap") && strcmp(kind, "global")) || !region)
        return -1;
    if (value - (uintptr_t)region >
        size) /* a literal has no bounds of its own: the nearest variable is told */
        return -2;
    snprintf(path, sizeof path, "%s+%zu->", all[from].name, offset);
    return sheaf_shown_add(all, n, region, size, path) ? (int)*n - 1 : -2;
}

static void sheaf_shown_print(FILE *file, SheafShown *all, unsigned *n, unsigned i)
{
    const SheafShown *s = &all[i];
    size_t size = s->size < SHEAF_SHOWN_BYTES ? s->size : SHEAF_SHOWN_BYTES;
    bool freed = size && __asan_region_is_poisoned && __asan_region_is_poisoned((void *)s->at, size);
    fprintf(file, "object %u %zu %d %s\n", i, s->size, freed, s->name);
    if (freed)
        return;
    for (size_t k = 0; k < size; k++) {
        uintptr_t value = 0;
        int to = -1;
        if ((uintptr_t)(s->at + k) % sizeof value == 0 && size - k >= sizeof value) {
            memcpy(&value, s->at + k, sizeof value);
            to = value ? sheaf_shown_find(all, n, i, k, value) : -1;
        }
        if (to >= 0)
            fprintf(file, " >%d+%lld>", to, (long long)(value - (uintptr_t)all[to].at));
        else if (to == -2)
            fprintf(file, " >->");
        else
            fprintf(file, "%02x", s->at[k]);
        k += to != -1 ? sizeof value - 1 : 0;
    }
    fputc('\n', file);
}

/* Of a stream its first byte, which says whether its end or an error was met; what was written to it, or how
 * far it was read: seen from outside, by its descriptor. */
static void sheaf_shown_streams(SheafShown *all, unsigned *n)
{
    char name[SHEAF_SHOWN_NAME];
    for (const SheafGivenStream *s = sheaf_given_streams; s; s = s->next) {
        off_t position = lseek(s->content, 0, SEEK_CUR), size = lseek(s->content, 0, SEEK_END);
        unsigned char *content = malloc(size > 0 ? (size_t)size : 1);
        long *kept = malloc(sizeof *kept);
        if (!content || !kept || pread(s->content, content, (size_t)size, 0) != size)
            abort();
        snprintf(name, sizeof name, "stream %s", s->name);
        sheaf_shown_add(all, n, s->file, 1, name);
        if (!s->size && size)
            sheaf_shown_add(all, n, content, (size_t)size, s->name);
        *kept = position;
        snprintf(name, sizeof name, "ftell(%s)", s->name + (*s->name == '*'));
        if (s->size)
            sheaf_shown_add(all, n, kept, sizeof *kept, name);
    }
}

void sheaf_replay_show(const void *result, size_t size);
SHEAF_WEAK void sheaf_replay_show(const void *result, size_t size)
{
    const char *path = getenv("SHEAF_SHOWN");
    unsigned n = 0;
    if (!path)
        return;
    sheaf_replay.own++;
    SheafShown *all = calloc(SHEAF_SHOWN_MOST, sizeof *all);
    FILE *file = fopen(path, "wb");
    if (!all || !file)
        abort();
    if (size)
        sheaf_shown_add(all, &n, result, size, "result");
    for (unsigned i = 0; sheaf_replay.memory && i < sheaf_replay.n; i++)
        if (sheaf_replay.memory[i] && sheaf_replay.objects[i].size &&
            (sheaf_replay_is(&sheaf_replay.objects[i], "pointee") ||
             sheaf_replay_is(&sheaf_replay.objects[i], "global")))
            sheaf_shown_add(all, &n, sheaf_replay.memory[i], sheaf_replay.objects[i].size,
                            sheaf_replay.objects[i].name);
    sheaf_shown_streams(all, &n);
    for (unsigned i = 0; i < n; i++)
        sheaf_shown_print(file, all, &n, i);
    fclose(file);
    free(all);
    sheaf_replay.own--;
}
