/* entry.h - an entry function's parameters, what they point to, and variables that are inputs. Part of
 * replay.c. */

static int sheaf_replay_base(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uintptr_t *)base = info->dlpi_addr; /* the program itself comes first */
    return 1;
}

/* A variable that no other file sees is still in the file's own table of symbols: if one of that name and
 * size is. */
static void *sheaf_replay_local(const char *name, size_t size)
{
    size_t n;
    uintptr_t base = 0, found = 0;
    unsigned count = 0;
    unsigned char *file = sheaf_replay_read("/proc/self/exe", &n);
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
    if (!file || n < sizeof *head || memcmp(file, ELFMAG, SELFMAG) || head->e_shoff > n)
        return NULL;
    const Elf64_Shdr *parts = (const Elf64_Shdr *)(file + head->e_shoff);
    for (unsigned i = 0; i < head->e_shnum; i++) {
        if (parts[i].sh_type != SHT_SYMTAB)
            continue;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(file + parts[i].sh_offset);
        const char *texts = (const char *)file + parts[parts[i].sh_link].sh_offset;
        for (size_t k = 0; k < parts[i].sh_size / sizeof *symbols; k++) {
            if (ELF64_ST_TYPE(symbols[k].st_info) != STT_OBJECT || symbols[k].st_size < size ||
                strcmp(texts + symbols[k].st_name, name))
                continue;
            count++;
            found = symbols[k].st_value;
        }
    }
    free(file);
    dl_iterate_phdr(sheaf_replay_base, &base);
    return count == 1 ? (void *)(base + found) : NULL;
}

__attribute__((weak)) void __asan_poison_memory_region(void const volatile *address, size_t size);

/* errno as the entry finds it, and then as it leaves it: in between are calls of ours. */
static int sheaf_replay_errno;

static void *sheaf_replay_make(const SheafReplayObject *o)
{
    if (sheaf_replay_is(o, "global") && !strcmp(o->name, "errno") && o->size == sizeof(int))
        return memcpy(&sheaf_replay_errno, o->data, sizeof(int));
    if (sheaf_replay_is(o, "global")) {
        void *symbol = dlsym(RTLD_DEFAULT, o->name);
        symbol = symbol ? symbol : sheaf_replay_local(o->name, o->size);
        if (!symbol) {
            sheaf_replay_event("mismatch",
                               "the variable \"%s\" cannot be set: there is none, or more than one", o->name);
            _exit(SHEAF_STATUS_MISMATCH);
        }
        memcpy(symbol, o->data, o->size);
        return symbol;
    }
    if (sheaf_replay_is(o, "callback") && o->size)
        return sheaf_replay_stub((unsigned)(o - sheaf_replay.objects));
    if (sheaf_replay_is(o, "stream"))
        return sheaf_replay_stream(o->data, o->size, o->name);
    if (!sheaf_replay_is(o, "parameter") && !sheaf_replay_is(o, "pointee") && !sheaf_replay_is(o, "result"))
        return NULL;
    void *memory = malloc(o->size ? o->size : 1); /* exactly, so that a sanitizer knows its bounds */
    if (!memory)
        abort();
    memcpy(memory, o->data, o->size);
    if (!o->size && __asan_poison_memory_region) /* which of no bytes makes one */
        __asan_poison_memory_region(memory, 1);
    return memory;
}

static void sheaf_replay_objects(void)
{
    sheaf_replay_load();
    if (sheaf_replay.memory)
        return;
    sheaf_replay.own++;
    sheaf_replay.memory = calloc(sheaf_replay.n + 1u, sizeof *sheaf_replay.memory);
    if (!sheaf_replay.memory)
        abort();
    for (unsigned i = 0; i < sheaf_replay.n; i++)
        sheaf_replay.memory[i] = sheaf_replay_make(&sheaf_replay.objects[i]);
    for (unsigned i = 0; i < sheaf_replay.nlinks; i++) {
        const SheafReplayLink *l = &sheaf_replay.links[i];
        size_t size = sheaf_replay.objects[l->object].size;
        char *from = sheaf_replay.memory[l->object], *to = sheaf_replay.memory[l->target];
        if (!from || !to || size < sizeof to || l->offset > size - sizeof to)
            continue;
        to += l->delta;
        memcpy(from + l->offset, &to, sizeof to);
    }
    sheaf_replay.own--;
}

/* The memory of a parameter; zero if the test does not have it, since the run never looked at it. */
void *sheaf_replay_parameter(const char *name, size_t size);
SHEAF_WEAK void *sheaf_replay_parameter(const char *name, size_t size)
{
    sheaf_replay_objects();
    for (unsigned i = 0; i < sheaf_replay.n; i++) {
        const SheafReplayObject *o = &sheaf_replay.objects[i];
        if (!sheaf_replay_is(o, "parameter") || strcmp(o->name, name))
            continue;
        if (o->size != size)
            sheaf_replay_mismatch(name, size, o);
        return sheaf_replay.memory[i];
    }
    sheaf_replay.own++;
    void *zero = calloc(1, size ? size : 1);
    sheaf_replay.own--;
    if (!zero)
        abort();
    return zero;
}

/* Just before the call of the entry, and just after. */
void sheaf_replay_enter(void);
SHEAF_WEAK void sheaf_replay_enter(void)
{
    sheaf_replay_objects();
    errno = sheaf_replay_errno;
}

void sheaf_replay_leave(void);
SHEAF_WEAK void sheaf_replay_leave(void) { sheaf_replay_errno = errno; }

/* Variables that are inputs get their values before main. */
__attribute__((constructor)) static void sheaf_replay_globals(void)
{
    if (!getenv("SHEAF_TEST"))
        return;
    sheaf_replay_load();
    for (unsigned i = 0; i < sheaf_replay.n; i++)
        if (sheaf_replay_is(&sheaf_replay.objects[i], "global"))
            sheaf_replay_objects();
}
