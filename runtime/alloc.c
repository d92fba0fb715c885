/* alloc.c - the heap of stdlib.h and malloc.h over the machine's objects. Every block is an object of its
 * own, with guard space around it; realloc always moves, so that a stale pointer is seen. */
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

enum { ALIGN = 16, PAGE = 4096 };

/* With --env malloc: does this call fail, where it could succeed? */
static bool fails(const char *name)
{
    unsigned char failed;
    if (!__sheaf_environment(ENV_MALLOC, &failed, sizeof failed, name))
        return false;
    __sheaf_assume(failed <= 1);
    return failed;
}

static void *allocate(const char *name, size_t size, size_t align, int zeroed)
{
    if (fails(name)) {
        errno = ENOMEM;
        return NULL;
    }
    void *p = __sheaf_alloc(size, align, zeroed);
    int before = errno;
    errno = p ? before : ENOMEM;
    return p;
}

void *malloc(size_t size) { return allocate("env.malloc", size, ALIGN, 0); }

void *calloc(size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        bytes = SIZE_MAX;
    return allocate("env.calloc", bytes, ALIGN, 1);
}

void free(void *p) { __sheaf_free(p); }

void cfree(void *p) { __sheaf_free(p); }

static void *reallocate(const char *name, void *p, size_t size)
{
    if (!p)
        return allocate(name, size, ALIGN, 0);
    size_t old = __sheaf_size(p);
    if (size == 0) {
        __sheaf_free(p);
        return NULL;
    }
    void *moved = allocate(name, size, ALIGN, 0);
    if (!moved)
        return NULL;
    __builtin_memcpy(moved, p, old < size ? old : size);
    __sheaf_free(p);
    return moved;
}

void *realloc(void *p, size_t size) { return reallocate("env.realloc", p, size); }

void *reallocarray(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return reallocate("env.reallocarray", p, bytes);
}

static bool power_of_two(size_t n) { return (n != 0) & ((n & (n - 1)) == 0); }

void *memalign(size_t align, size_t size)
{
    size_t least = ALIGN;
    while (least < align && least <= SIZE_MAX / 4)
        least *= 2;
    return allocate("env.memalign", size, least, 0);
}

void *aligned_alloc(size_t align, size_t size)
{
    if (!power_of_two(align)) {
        errno = EINVAL;
        return NULL;
    }
    return allocate("env.aligned_alloc", size, align < ALIGN ? ALIGN : align, 0);
}

int posix_memalign(void **out, size_t align, size_t size)
{
    if (!power_of_two(align) || align % sizeof(void *) != 0)
        return EINVAL;
    int before = errno;
    void *p = allocate("env.posix_memalign", size, align < ALIGN ? ALIGN : align, 0);
    errno = before;
    if (!p)
        return ENOMEM;
    *out = p;
    return 0;
}

void *valloc(size_t size) { return allocate("env.valloc", size, PAGE, 0); }

void *pvalloc(size_t size) { return allocate("env.pvalloc", (size + PAGE - 1) / PAGE * PAGE, PAGE, 0); }

size_t malloc_usable_size(void *p) { return p ? __sheaf_size(p) : 0; }

int malloc_trim(size_t pad)
{
    (void)pad;
    return 0;
}

int mallopt(int parameter, int value)
{
    (void)parameter, (void)value;
    return 1;
}

struct mallinfo mallinfo(void)
{
    __sheaf_differs("mallinfo: nothing is counted");
    return (struct mallinfo){0};
}

struct mallinfo2 mallinfo2(void)
{
    __sheaf_differs("mallinfo2: nothing is counted");
    return (struct mallinfo2){0};
}

void malloc_stats(void) {}

/* The data segment of old allocators: one object, from which sbrk cuts. */
enum { SEGMENT = 16 << 20 };
static char *segment;
static size_t segment_used;

void *sbrk(intptr_t more)
{
    if (!segment)
        segment = __sheaf_alloc(SEGMENT, PAGE, 1);
    if (!segment || more > (intptr_t)(SEGMENT - segment_used) || -more > (intptr_t)segment_used) {
        errno = ENOMEM;
        return (void *)-1;
    }
    void *before = segment + segment_used;
    segment_used += (size_t)more;
    return before;
}

int brk(void *end)
{
    if (segment && (char *)end >= segment && (char *)end <= segment + SEGMENT) {
        segment_used = (size_t)((char *)end - segment);
        return 0;
    }
    errno = ENOMEM;
    return -1;
}
