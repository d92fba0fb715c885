/* memory_stream.c - streams over memory and over functions: fmemopen, open_memstream, fopencookie. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "stream.h"

long __sheaf_memory_read(Stream *s, void *data, size_t size)
{
    size_t have = s->at < s->size ? s->size - s->at : 0;
    size_t n = have < size ? have : size;
    __builtin_memcpy(data, s->data + s->at, n);
    s->at += n;
    return (long)n;
}

/* Room for `size` bytes and a NUL behind them. */
static bool grow(Stream *s, size_t size)
{
    if (size < s->capacity)
        return true;
    size_t capacity = size + 1 > 2 * s->capacity ? size + 1 : 2 * s->capacity;
    char *more = realloc(s->data, capacity);
    if (!more)
        return false;
    __builtin_memset(more + s->capacity, 0, capacity - s->capacity);
    s->data = more;
    s->capacity = capacity;
    return true;
}

long __sheaf_memory_write(Stream *s, const void *data, size_t size)
{
    if (s->append)
        s->at = s->size;
    if (s->kind == STREAM_GROWING) {
        if (!grow(s, s->at + size))
            return -ENOMEM;
    } else if (size > s->capacity - s->at) {
        size = s->capacity - s->at;
        if (!size)
            return -ENOSPC;
    }
    __builtin_memcpy(s->data + s->at, data, size);
    s->at += size;
    if (s->at > s->size) {
        s->size = s->at;
        if (s->size < s->capacity)
            s->data[s->size] = 0;
        else if (!s->append) /* as glibc: a full buffer ends in a NUL all the same */
            s->data[s->capacity - 1] = 0;
    }
    return (long)size;
}

long __sheaf_memory_seek(Stream *s, long offset, int whence)
{
    long from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (long)s->at : (long)s->size;
    long to = from + offset;
    if ((unsigned)whence > SEEK_END || to < 0 || (s->kind == STREAM_FIXED && (size_t)to > s->capacity))
        return -EINVAL;
    s->at = (size_t)to;
    return to;
}

void __sheaf_memory_publish(Stream *s)
{
    if (!grow(s, s->size))
        return;
    *s->data_out = s->data;
    *s->size_out = s->at < s->size ? s->at : s->size;
}

FILE *fmemopen(void *buffer, size_t size, const char *mode)
{
    Stream *s = __sheaf_stream_new();
    if (!s)
        return NULL;
    s->kind = STREAM_FIXED;
    s->owned = !buffer;
    s->capacity = size;
    s->data = buffer ? buffer : __sheaf_alloc(size + 1, 16, 1);
    if (!s->data || __sheaf_stream_mode(s, mode) < 0) {
        __sheaf_free(s);
        return NULL;
    }
    if (mode[0] == 'w' && s->can_read && size)
        s->data[0] = 0;
    s->size = mode[0] == 'r' ? size : mode[0] == 'a' ? bounded_length(s->data, size) : 0;
    s->at = s->append ? s->size : 0;
    __sheaf_stream_link(s);
    return &s->file;
}

FILE *open_memstream(char **data, size_t *size)
{
    Stream *s = __sheaf_stream_new();
    if (!s)
        return NULL;
    s->kind = STREAM_GROWING;
    s->can_write = true;
    s->data_out = data;
    s->size_out = size;
    if (!grow(s, STREAM_BACK)) {
        __sheaf_free(s);
        return NULL;
    }
    __sheaf_memory_publish(s);
    __sheaf_stream_link(s);
    return &s->file;
}

FILE *fopencookie(void *cookie, const char *mode, cookie_io_functions_t calls)
{
    Stream *s = __sheaf_stream_new();
    if (!s)
        return NULL;
    s->kind = STREAM_COOKIE;
    s->cookie = cookie;
    s->calls = calls;
    if (__sheaf_stream_mode(s, mode) < 0) {
        __sheaf_free(s);
        return NULL;
    }
    __sheaf_stream_link(s);
    return &s->file;
}
