/* ktest.h - the test: a .ktest read into objects and links. Part of replay.c. */

/* A cursor over a .ktest; `bad` once it ran beyond the end. */
typedef struct SheafReplayFile {
    const unsigned char *p, *end;
    bool bad;
} SheafReplayFile;

static unsigned sheaf_replay_u32(SheafReplayFile *f)
{
    if (f->end - f->p < 4) {
        f->bad = true;
        return 0;
    }
    unsigned x = (unsigned)f->p[0] << 24 | (unsigned)f->p[1] << 16 | (unsigned)f->p[2] << 8 | f->p[3];
    f->p += 4;
    return x;
}

/* A copy with a NUL behind it. */
static char *sheaf_replay_bytes(SheafReplayFile *f, unsigned n)
{
    if (f->bad || (size_t)(f->end - f->p) < n) {
        f->bad = true;
        return NULL;
    }
    char *copy = malloc((size_t)n + 1);
    if (!copy)
        abort();
    memcpy(copy, f->p, n);
    copy[n] = 0;
    f->p += n;
    return copy;
}

static unsigned char *sheaf_replay_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    unsigned char *data = NULL;
    size_t room = 0;
    *size = 0;
    if (!file)
        return NULL;
    for (;;) {
        if (*size == room && !(data = realloc(data, room = room ? 2 * room : 65536)))
            abort();
        size_t got = fread(data + *size, 1, room - *size, file);
        if (!got)
            break;
        *size += got;
    }
    fclose(file);
    return data;
}

static bool sheaf_replay_ends(const char *text, const char *ending)
{
    size_t n = strlen(text), m = strlen(ending);
    return n > m && !strcmp(text + n - m, ending);
}

/* In a file for KLEE, whose names tell it: arguments, files and the like are not the program's calls. */
static const char *sheaf_replay_origin(const char *name)
{
    bool argument = !strncmp(name, "arg", 3) && name[3] && strspn(name + 3, "0123456789") == strlen(name + 3);
    bool other = argument || !strcmp(name, "n_args") || !strcmp(name, "stdin") || !strcmp(name, "stdout") ||
                 !strcmp(name, "model_version") || sheaf_replay_ends(name, "_stat") ||
                 sheaf_replay_ends(name, "-stat") || sheaf_replay_ends(name, "_data") ||
                 sheaf_replay_ends(name, "-data");
    return other ? "environment" : "call";
}

static void sheaf_replay_shape(SheafReplayObject *objects, unsigned n, char *text)
{
    unsigned room = 0, i, a, b, c;
    SheafReplayLink *links = NULL;
    char word[16];
    for (const char *p = text; *p; p++)
        room += *p == '\n';
    links = calloc(room + 1u, sizeof *links);
    if (!links)
        abort();
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (sscanf(line, "origin %9u %15[a-z]", &i, word) == 2 && i < n)
            objects[i].origin = strdup(word);
        else if (sscanf(line, "empty %9u", &i) == 1 && i < n)
            objects[i].size = 0;
        else if (sscanf(line, "link %9u %9u %9u %9u", &i, &a, &b, &c) == 4 && i < n && b < n)
            links[sheaf_replay.nlinks++] = (SheafReplayLink){i, a, b, c};
    }
    sheaf_replay.links = links;
}

/* False if it is no .ktest. */
static bool sheaf_replay_parse(SheafReplayFile *f)
{
    if (f->end - f->p < 5 || (memcmp(f->p, "KTEST", 5) && memcmp(f->p, "BOUT\n", 5)))
        return false;
    f->p += 5;
    unsigned version = sheaf_replay_u32(f), words = sheaf_replay_u32(f);
    for (; words && !f->bad; words--)
        free(sheaf_replay_bytes(f, sheaf_replay_u32(f)));
    if (version >= 2) {
        sheaf_replay_u32(f);
        sheaf_replay_u32(f);
    }
    unsigned n = sheaf_replay_u32(f);
    if (f->bad || n > (size_t)(f->end - f->p) / 8)
        return false;
    SheafReplayObject *objects = calloc(n + 1u, sizeof *objects);
    if (!objects)
        abort();
    for (unsigned i = 0; i < n && !f->bad; i++) {
        objects[i].name = sheaf_replay_bytes(f, sheaf_replay_u32(f));
        objects[i].size = sheaf_replay_u32(f);
        objects[i].data = sheaf_replay_bytes(f, (unsigned)objects[i].size);
        objects[i].origin = objects[i].name ? sheaf_replay_origin(objects[i].name) : "call";
    }
    if (f->bad)
        return false;
    if (n && !strcmp(objects[n - 1].name, "sheaf_shape")) {
        n--;
        sheaf_replay_shape(objects, n, (char *)objects[n].data);
    }
    sheaf_replay.objects = objects;
    sheaf_replay.n = n;
    return true;
}

static void sheaf_replay_load(void)
{
    const char *path = getenv("SHEAF_TEST") ? getenv("SHEAF_TEST") : getenv("KTEST_FILE");
    size_t size;
    if (sheaf_replay.loaded)
        return;
    sheaf_replay.loaded = true;
    if (!path)
        return;
    sheaf_replay.own++;
    unsigned char *data = sheaf_replay_read(path, &size);
    SheafReplayFile file = {data, data + size, false};
    if (!data || !sheaf_replay_parse(&file)) {
        sheaf_replay_event("mismatch", "%s cannot be read as a test", path);
        _exit(SHEAF_STATUS_MISMATCH);
    }
    free(data);
    sheaf_replay.present = true;
    sheaf_replay.own--;
}

static bool sheaf_replay_is(const SheafReplayObject *o, const char *origin)
{
    return !strcmp(o->origin, origin);
}
