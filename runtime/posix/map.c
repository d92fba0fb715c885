/* map.c - sys/mman.h: anonymous memory, and files by copy.
 *
 * A mapping is a heap object of its own. A private one of a file is a copy of what the file held; a shared
 * one is written back by msync and munmap, which is when a program may rely on it. Parts of a mapping cannot
 * be unmapped: munmap then succeeds, leaves the memory as it is, and tells the ledger. Memory is writable or
 * not as a whole; it can always be read. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "posix.h"

typedef struct Mapping {
    struct Mapping *next;
    char *start;
    size_t size;
    int fd;         /* to write back to, or -1 */
    bool anonymous; /* and private */
    off_t offset;
} Mapping;

static Mapping *mappings;

static Mapping **find(const char *address)
{
    Mapping **link = &mappings;
    while (*link && !(address >= (*link)->start && address < (*link)->start + (*link)->size))
        link = &(*link)->next;
    return link;
}

static void write_back(const Mapping *m)
{
    long status[4];
    if (m->fd < 0 || __sheaf_stat_fd(m->fd, status) < 0 || status[1] <= m->offset)
        return;
    size_t inside = (size_t)(status[1] - m->offset);
    __sheaf_seek(m->fd, m->offset, SEEK_SET);
    __sheaf_write(m->fd, m->start, inside < m->size ? inside : m->size);
}

/* What a file holds goes to `to`, the descriptor's place unmoved. */
static long copy_in(int fd, char *to, size_t size, off_t offset)
{
    long before = __sheaf_seek(fd, 0, SEEK_CUR);
    if (before < 0)
        return before == -ESPIPE ? -ENODEV : before;
    __sheaf_seek(fd, offset, SEEK_SET);
    long n = __sheaf_read(fd, to, size);
    __sheaf_seek(fd, before, SEEK_SET);
    return n;
}

static long make_mapping(Mapping *m, int protection, int flags, int fd)
{
    m->start = __sheaf_alloc(m->size, 4096, 1);
    m->fd = -1;
    if (!m->start)
        return -ENOMEM;
    m->anonymous = (flags & (MAP_ANONYMOUS | MAP_PRIVATE)) == (MAP_ANONYMOUS | MAP_PRIVATE);
    if (flags & MAP_ANONYMOUS)
        return 0;
    long result = copy_in(fd, m->start, m->size, m->offset);
    if (result >= 0 && flags & MAP_SHARED && protection & PROT_WRITE) {
        /* The program may close its descriptor; ours keeps the file. */
        result = m->fd = (__sheaf_control(fd, CONTROL_GET_FLAGS, 0) & O_ACCMODE) == O_RDWR
                             ? __sheaf_dup(fd, 512, 0)
                             : -EACCES;
    }
    if (result < 0)
        __sheaf_free(m->start);
    return result;
}

static void protect(const Mapping *m, int protection)
{
    __sheaf_protect(m->start, (protection & PROT_WRITE) != 0);
    if (protection == PROT_NONE)
        __sheaf_differs("memory without PROT_READ can be read all the same");
}

static size_t pages(size_t size) { return (size + 4095) / 4096; }

static void *map(size_t size, int protection, int flags, int fd, off_t offset)
{
    long result = -EINVAL;
    Mapping *m = NULL;
    if (flags & MAP_FIXED) {
        __sheaf_differs("mmap: MAP_FIXED is refused, since addresses are the model's to choose");
        result = -ENOMEM;
    } else if (size && offset >= 0 && offset % 4096 == 0 && (m = __sheaf_alloc(sizeof *m, 16, 1))) {
        m->size = size;
        m->offset = offset;
        result = make_mapping(m, protection, flags, fd);
    }
    if (result < 0) {
        __sheaf_free(m);
        errno = (int)-result;
        return MAP_FAILED;
    }
    m->next = mappings;
    mappings = m;
    protect(m, protection);
    return m->start;
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    (void)address;
    return map(size, protection, flags, fd, offset);
}

void *mmap64(void *address, size_t size, int protection, int flags, int fd, off64_t offset)
{
    (void)address;
    return map(size, protection, flags, fd, offset);
}

int munmap(void *address, size_t size)
{
    Mapping **link = find(address), *m = *link;
    if (!size || (uintptr_t)address % 4096) {
        errno = EINVAL;
        return -1;
    }
    if (!m)
        return 0;
    write_back(m);
    if (address == m->start && pages(size) == pages(m->size)) {
        *link = m->next;
        if (m->fd >= 0)
            __sheaf_close(m->fd);
        __sheaf_free(m->start);
        __sheaf_free(m);
    } else
        __sheaf_differs("munmap: a part of a mapping stays as it is");
    return 0;
}

int msync(void *address, size_t size, int flags)
{
    Mapping *m = *find(address);
    (void)size, (void)flags;
    if (!m) {
        errno = ENOMEM;
        return -1;
    }
    write_back(m);
    return 0;
}

void *mremap(void *address, size_t size, size_t new_size, int flags, ...)
{
    Mapping *m = *find(address);
    if (!m || m->start != address || !new_size || flags & MREMAP_FIXED) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    if (new_size <= size) {
        if (pages(new_size) < pages(size))
            __sheaf_differs("mremap: what is cut off stays as it is");
        return address;
    }
    if (!(flags & MREMAP_MAYMOVE)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    char *moved = __sheaf_alloc(new_size, 4096, 1);
    if (!moved) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    __builtin_memcpy(moved, m->start, m->size);
    __sheaf_free(m->start);
    m->start = moved;
    m->size = new_size;
    return moved;
}

int mprotect(void *address, size_t size, int protection)
{
    Mapping *m = *find(address);
    if ((uintptr_t)address % 4096) {
        errno = EINVAL;
        return -1;
    }
    if (m && m->start == address && pages(size) == pages(m->size))
        protect(m, protection);
    else if (size)
        __sheaf_differs("mprotect: a part of a mapping, and memory that was not mapped, stay as they are");
    return 0;
}

/* What is no longer needed comes back as zeros, or from the file. */
int madvise(void *address, size_t size, int advice)
{
    Mapping *m = *find(address);
    if (advice != MADV_DONTNEED)
        return 0;
    if ((uintptr_t)address % 4096) {
        errno = EINVAL;
        return -1;
    }
    if (m && m->anonymous && size <= m->size - (size_t)((char *)address - m->start))
        __builtin_memset(address, 0, size);
    else
        __sheaf_differs("madvise: MADV_DONTNEED keeps what is there");
    return 0;
}

int posix_madvise(void *address, size_t size, int advice)
{
    (void)address, (void)size, (void)advice;
    return 0;
}

int mlock(const void *address, size_t size)
{
    (void)address, (void)size;
    return 0;
}

int munlock(const void *address, size_t size)
{
    (void)address, (void)size;
    return 0;
}
