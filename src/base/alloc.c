/* alloc.c - plain allocation, arenas, the growing of vectors. */
#include "base/base.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/sanitizer.h"

enum {
    ALIGNMENT = 16,
    CHUNK_FIRST = 4 << 10,
    CHUNK_LARGEST = 1 << 20,
    RED_ZONE = UNDER_ASAN ? ALIGNMENT : 0, /* lets the sanitizer see a step from one object to the next */
};

/* ---- plain allocation ------------------------------------------------------------------------ */

static void *checked(void *p, size_t size)
{
    if (UNLIKELY(!p))
        die("out of memory (%zu bytes asked for)", size);
    return p;
}

void *mem_alloc(size_t size) { return checked(malloc(size ? size : 1), size); }

void *mem_zalloc(size_t size) { return checked(calloc(1, size ? size : 1), size); }

void *mem_realloc(void *old, size_t size) { return checked(realloc(old, size ? size : 1), size); }

void mem_free(const void *p) { free((void *)p); }

char *mem_strdup(const char *s)
{
    size_t size = strlen(s) + 1;
    return memcpy(mem_alloc(size), s, size);
}

/* ---- arenas ---------------------------------------------------------------------------------- */

/* Memory is handed out of the first chunk only, and is zero behind what was handed out. */
typedef struct Chunk {
    struct Chunk *next;
    size_t size, used; /* of data */
    _Alignas(ALIGNMENT) char data[];
} Chunk;

struct Arena {
    Chunk *chunks;
    size_t bytes, next_size;
};

Arena *arena_new(void)
{
    Arena *a = mem_zalloc(sizeof *a);
    a->bytes = sizeof *a;
    a->next_size = CHUNK_FIRST - sizeof(Chunk);
    return a;
}

static void chunks_free(Chunk *c)
{
    for (Chunk *next; c; c = next) {
        next = c->next;
        ASAN_UNPOISON_MEMORY_REGION(c->data, c->size);
        mem_free(c);
    }
}

void arena_free(Arena *a)
{
    if (!a)
        return;
    chunks_free(a->chunks);
    mem_free(a);
}

void arena_clear(Arena *a)
{
    Chunk *kept = a->chunks;
    if (!kept)
        return;
    chunks_free(kept->next);
    ASAN_UNPOISON_MEMORY_REGION(kept->data, kept->size);
    memset(kept->data, 0, kept->used);
    ASAN_POISON_MEMORY_REGION(kept->data, kept->size);
    kept->next = NULL;
    kept->used = 0;
    a->bytes = sizeof *a + sizeof *kept + kept->size;
}

static Chunk *chunk_new(Arena *a, size_t size)
{
    Chunk *c = mem_zalloc(sizeof *c + size);
    c->size = size;
    a->bytes += sizeof *c + size;
    ASAN_POISON_MEMORY_REGION(c->data, c->size);
    return c;
}

/* A chunk with room for size. A large object gets one of its own behind the first, whose rest stays in
 * use. */
static Chunk *chunk_for(Arena *a, size_t size)
{
    if (a->chunks && size > a->next_size / 4) {
        Chunk *own = chunk_new(a, size);
        own->next = a->chunks->next;
        a->chunks->next = own;
        return own;
    }
    Chunk *c = chunk_new(a, size > a->next_size ? size : a->next_size);
    if (a->next_size < CHUNK_LARGEST - sizeof(Chunk))
        a->next_size = (a->next_size + sizeof(Chunk)) * 2 - sizeof(Chunk);
    c->next = a->chunks;
    a->chunks = c;
    return c;
}

void *arena_alloc(Arena *a, size_t size)
{
    if (UNLIKELY(size > SIZE_MAX / 2))
        die("out of memory (%zu bytes asked for)", size);
    size_t rounded = ((size ? size : 1) + RED_ZONE + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    Chunk *c = a->chunks;
    if (UNLIKELY(!c || c->size - c->used < rounded))
        c = chunk_for(a, rounded);
    void *p = c->data + c->used;
    c->used += rounded;
    ASAN_UNPOISON_MEMORY_REGION(p, size);
    return p;
}

char *arena_strndup(Arena *a, const char *s, size_t n)
{
    n = strnlen(s, n);
    char *copy = arena_alloc(a, n + 1); /* zeroed: the end is there already */
    memcpy(copy, s, n);
    return copy;
}

char *arena_strdup(Arena *a, const char *s) { return arena_strndup(a, s, strlen(s)); }

char *arena_printf(Arena *a, const char *fmt, ...)
{
    Str s = {0};
    va_list args;
    va_start(args, fmt);
    str_vprintf(&s, fmt, args);
    va_end(args);
    char *text = arena_strndup(a, str_text(&s), s.n);
    str_free(&s);
    return text;
}

size_t arena_bytes(const Arena *a) { return a->bytes; }

/* ---- vectors --------------------------------------------------------------------------------- */

/* The capacity stays below UINT32_MAX, so that n + 1 in vec_push never wraps round. */
void *vec_grow(void *v, uint32_t *cap, uint32_t want, size_t element)
{
    uint64_t bigger = (uint64_t)*cap + *cap / 2;
    if (bigger < want)
        bigger = want;
    if (bigger < 8)
        bigger = 8;
    if (bigger > UINT32_MAX - 1)
        bigger = UINT32_MAX - 1;
    if (want > bigger || bigger > SIZE_MAX / 2 / element)
        die("out of memory (an array of %" PRIu32 " elements of %zu bytes)", want, element);
    *cap = (uint32_t)bigger;
    return mem_realloc(v, bigger * element);
}
