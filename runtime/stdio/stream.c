/* stream.c - the streams themselves: reading ahead, writing, position, closing. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "stream.h"

/* Standard input has its area from the start, so that a program that reads it has allocated nothing. */
static unsigned char stdin_area[STREAM_BACK + STREAM_AHEAD];
/* What the machine makes of a FILE that the caller of an entry function passes, with a descriptor of its own
 * (src/vm/symbolic/sym_stream.c). It is read byte by byte, so that where it ends is asked no sooner than the
 * function asks. It ends the list of all streams, so that every program with streams has it. */
const Stream __sheaf_given_stream = {
    .file = {._fileno = -1}, .can_read = true, .can_write = true, .buffer = 1};

/* Objects of their own, not an array: what is done to one says nothing of the others, to the static analysis
 * either. */
static Stream error_stream = {.file = {._fileno = 2},
                              .can_write = true,
                              .buffer = 1,
                              .unbuffered = true,
                              .next = (Stream *)&__sheaf_given_stream};
static Stream out_stream = {
    .file = {._fileno = 1}, .can_write = true, .buffer = STREAM_AHEAD, .next = &error_stream};
static Stream in_stream = {.file = {._fileno = 0},
                           .can_read = true,
                           .buffer = STREAM_AHEAD,
                           .area = stdin_area,
                           .next = &out_stream};
static Stream *all = &in_stream;

FILE *stdin = &in_stream.file;
FILE *stdout = &out_stream.file;
FILE *stderr = &error_stream.file;

static bool is_standard(const Stream *s) { return s == &in_stream || s == &out_stream || s == &error_stream; }

void __sheaf_stream_link(Stream *s)
{
    s->next = all;
    all = s;
}

Stream *__sheaf_stream_new(void)
{
    Stream *s = __sheaf_alloc(sizeof *s, 16, 1);
    if (!s) {
        errno = ENOMEM;
        return NULL;
    }
    s->buffer = STREAM_AHEAD;
    s->file._fileno = -1;
    return s;
}

static int fail(Stream *s, int error)
{
    s->file._flags |= STREAM_ERROR;
    errno = error;
    return EOF;
}

static void forget_ahead(Stream *s) { s->file._IO_read_ptr = s->file._IO_read_end = NULL; }

/* ---- writing --------------------------------------------------------------------------------- */

/* What was read ahead is given back, so that the next write or another reader starts where the program
 * stands. */
static void give_back(Stream *s)
{
    long unread = s->file._IO_read_end - s->file._IO_read_ptr;
    if (unread && s->kind == STREAM_FD)
        __sheaf_seek(s->file._fileno, -unread, SEEK_CUR);
    else if (unread && s->kind != STREAM_COOKIE)
        s->at -= (size_t)unread;
    forget_ahead(s);
}

bool __sheaf_stream_to_write(Stream *s)
{
    if (stream_is_writing(s))
        return true;
    if (!s->can_write) {
        fail(s, EBADF);
        return false;
    }
    give_back(s);
    s->writing = true;
    return true;
}

/* As __sheaf_put: how many bytes were not taken, or -errno. */
static long send(Stream *s, const void *data, size_t size)
{
    if (s->kind == STREAM_FD)
        return __sheaf_put(s->file._fileno | SHEAF_PENDING, data, size);
    long done = (long)size;
    if (s->kind != STREAM_COOKIE)
        done = __sheaf_memory_write(s, data, size);
    else if (s->calls.write && size)
        done = s->calls.write(s->cookie, data, size);
    if (s->kind == STREAM_COOKIE && done <= 0 && size)
        return -errno;
    return done < 0 ? done : (long)size - done;
}

size_t __sheaf_stream_write(Stream *s, const void *data, size_t size)
{
    if (!__sheaf_stream_to_write(s))
        return size;
    long left = send(s, data, size);
    if (left >= 0) {
        if (left)
            s->file._flags |= STREAM_ERROR;
        return (size_t)left;
    }
    __sheaf_broken_pipe(left);
    fail(s, (int)-left);
    return size;
}

int __sheaf_stream_flush(Stream *s)
{
    if (s->kind == STREAM_GROWING)
        __sheaf_memory_publish(s);
    if (!stream_is_writing(s)) {
        give_back(s);
        return 0;
    }
    long result = s->kind == STREAM_FD ? __sheaf_control(s->file._fileno, CONTROL_FLUSH, 0) : 0;
    if (result >= 0)
        return 0;
    __sheaf_broken_pipe(result);
    return fail(s, (int)-result);
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool to_read(Stream *s)
{
    if (!s->can_read) {
        fail(s, EBADF);
        return false;
    }
    if (stream_is_writing(s)) {
        __sheaf_stream_flush(s);
        s->writing = false;
    }
    /* As glibc: a reader that shows what it does line by line shows standard output first. */
    if ((s->lines | s->unbuffered) && out_stream.lines && stream_is_writing(&out_stream))
        __sheaf_stream_flush(&out_stream);
    return true;
}

static long receive(Stream *s, void *data, size_t size)
{
    if (s->kind == STREAM_FD)
        return __sheaf_read(s->file._fileno, data, size);
    if (s->kind != STREAM_COOKIE)
        return __sheaf_memory_read(s, data, size);
    long n = s->calls.read ? s->calls.read(s->cookie, data, size) : 0;
    return n < 0 ? -errno : n;
}

static bool has_area(Stream *s)
{
    if (!s->area)
        s->area = __sheaf_alloc(STREAM_BACK + STREAM_AHEAD, 16, 0);
    return s->area;
}

static size_t block_of(const Stream *s) { return s->buffer < STREAM_AHEAD ? s->buffer : STREAM_AHEAD; }

int __sheaf_stream_fill(Stream *s)
{
    if (!to_read(s) || s->file._flags & STREAM_EOF)
        return EOF;
    if (!has_area(s))
        return fail(s, ENOMEM);
    char *start = (char *)s->area + STREAM_BACK;
    long n = receive(s, start, block_of(s));
    forget_ahead(s);
    if (n < 0)
        return fail(s, (int)-n);
    if (n == 0) {
        s->file._flags |= STREAM_EOF;
        return EOF;
    }
    s->file._IO_read_ptr = start + 1;
    s->file._IO_read_end = start + n;
    return (unsigned char)*start;
}

size_t __sheaf_stream_read(Stream *s, void *data, size_t size)
{
    char *to = data;
    size_t left = size;
    while (left) {
        size_t have = (size_t)(s->file._IO_read_end - s->file._IO_read_ptr);
        size_t n = have < left ? have : left;
        if (n) {
            __builtin_memcpy(to, s->file._IO_read_ptr, n);
            s->file._IO_read_ptr += n;
            to += n;
            left -= n;
            continue;
        }
        if (left < block_of(s) || s->unbuffered) {
            int c = __sheaf_stream_fill(s);
            if (c == EOF)
                break;
            *to++ = (char)c;
            left--;
            continue;
        }
        /* Whole blocks go where they are wanted. */
        if (!to_read(s) || s->file._flags & STREAM_EOF)
            break;
        long got = receive(s, to, left - left % block_of(s));
        if (got <= 0) {
            s->file._flags |= got ? STREAM_ERROR : STREAM_EOF;
            errno = got ? (int)-got : errno;
            break;
        }
        to += got;
        left -= (size_t)got;
    }
    return size - left;
}

int __sheaf_stream_unget(Stream *s, int c)
{
    if (c == EOF || !s->can_read || !to_read(s) || !has_area(s))
        return EOF;
    char *start = (char *)s->area;
    if (!s->file._IO_read_ptr)
        s->file._IO_read_ptr = s->file._IO_read_end = start + STREAM_BACK;
    if (s->file._IO_read_ptr == start)
        return EOF;
    *--s->file._IO_read_ptr = (char)c;
    s->file._flags &= ~STREAM_EOF;
    return (unsigned char)c;
}

/* ---- position -------------------------------------------------------------------------------- */

static long position(Stream *s, long offset, int whence)
{
    if (s->kind == STREAM_FD)
        return __sheaf_seek(s->file._fileno, offset, whence);
    if (s->kind != STREAM_COOKIE)
        return __sheaf_memory_seek(s, offset, whence);
    off64_t at = offset;
    if (!s->calls.seek)
        return -EOPNOTSUPP;
    return s->calls.seek(s->cookie, &at, whence) < 0 ? -errno : at;
}

long __sheaf_stream_tell(Stream *s)
{
    long at = position(s, 0, SEEK_CUR);
    if (at < 0)
        return at;
    if (!stream_is_writing(s))
        return at - (s->file._IO_read_end - s->file._IO_read_ptr);
    long waiting = s->kind == STREAM_FD ? __sheaf_control(s->file._fileno, CONTROL_WAITING, 0) : 0;
    long status[4];
    if (waiting && s->append && __sheaf_stat_fd(s->file._fileno, status) == 0)
        at = status[1];
    return at + waiting;
}

int __sheaf_stream_seek(Stream *s, long offset, int whence)
{
    if (whence == SEEK_CUR) {
        long at = __sheaf_stream_tell(s);
        if (at < 0)
            return (int)with_errno(at);
        offset += at;
        whence = SEEK_SET;
        if (offset < 0)
            return (int)with_errno(-EINVAL);
    }
    if (stream_is_writing(s) && __sheaf_stream_flush(s) == EOF)
        return -1;
    /* A move that fails leaves what was read ahead, and with it the program's place. */
    long at = position(s, offset, whence);
    if (at < 0)
        return (int)with_errno(at);
    forget_ahead(s);
    s->writing = false;
    s->file._flags &= ~STREAM_EOF;
    return 0;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void unlink_stream(Stream *s)
{
    Stream **link = &all;
    while (*link && *link != s)
        link = &(*link)->next;
    if (*link)
        *link = s->next;
}

int __sheaf_stream_close(Stream *s)
{
    int result = __sheaf_stream_flush(s);
    long closed = 0;
    if (s->kind == STREAM_FD) {
        __sheaf_control(s->file._fileno, CONTROL_DROP, 0);
        closed = __sheaf_close(s->file._fileno);
    } else if (s->kind == STREAM_COOKIE && s->calls.close) {
        closed = s->calls.close(s->cookie) < 0 ? -errno : 0;
    }
    if (s->kind == STREAM_FIXED && s->owned)
        __sheaf_free(s->data);
    if (s->kind == STREAM_GROWING)
        (*s->data_out)[*s->size_out] = 0; /* the text that is left to the program ends at its place */
    if (s->area && s->area != stdin_area)
        __sheaf_free(s->area);
    s->area = NULL;
    s->data = NULL;
    s->can_read = s->can_write = s->writing = false;
    forget_ahead(s);
    if (closed < 0) {
        errno = (int)-closed;
        result = EOF;
    }
    return result;
}

int fclose(FILE *file)
{
    Stream *s = stream_of(file);
    int result = __sheaf_stream_close(s);
    unlink_stream(s);
    if (is_standard(s))
        s->file._fileno = -1;
    else
        __sheaf_free(s);
    return result;
}

static int flush_all(void)
{
    int result = 0;
    for (Stream *s = all; s; s = s->next)
        if (stream_is_writing(s))
            result |= __sheaf_stream_flush(s);
    return result;
}

int fflush(FILE *file) { return file ? __sheaf_stream_flush(stream_of(file)) : flush_all(); }

int fflush_unlocked(FILE *file) { return file ? __sheaf_stream_flush(stream_of(file)) : flush_all(); }

int fcloseall(void) { return flush_all(); }

/* What open_memstream was given may be a local of main, which is gone; natively what is written there now is
 * never seen. */
void __sheaf_stdio_exit(void)
{
    for (Stream *s = all; s; s = s->next)
        if (stream_is_writing(s) && s->kind != STREAM_GROWING)
            __sheaf_stream_flush(s);
}

void __sheaf_stdio_abandon(void)
{
    for (Stream *s = all; s; s = s->next)
        if (stream_is_writing(s) && s->kind == STREAM_FD)
            __sheaf_control(s->file._fileno, CONTROL_DROP, 0);
}
