/* stream.h - what stands behind a FILE, private to runtime/stdio.
 *
 * The face is glibc's struct _IO_FILE, because its headers expand getc_unlocked and feof_unlocked in the
 * program:
 * - the bytes from _IO_read_ptr to _IO_read_end are read ahead; beyond them the program calls __uflow;
 * - the write pointers stay NULL, so that it calls __overflow for each byte: output waits in the machine,
 * where it can hold items as well as bytes (prim.h, SHEAF_PENDING), and never here;
 * - _flags holds the bits that feof_unlocked and ferror_unlocked test; _fileno is the descriptor.
 *
 * What waits natively is lost when a program ends without exit(). Here _exit() loses it too, since a program
 * may rely on that; but after a fault, abort() or a limit it is shown, since it tells how far the program
 * came.
 *
 * Deviations from glibc, all of them visible only to a program that looks: the order of output of two FILEs
 * over the same descriptor number is that of the calls, not of the flushes; fmemopen writes at once; a seek
 * reads the file again, where glibc may still show what it had read before another stream wrote; streams have
 * no orientation. */
#ifndef SHEAF_STDIO_STREAM_H
#define SHEAF_STDIO_STREAM_H

#include <stdarg.h>
#include <stdio.h>

#include "../internal.h"
#include "../posix/posix.h"

enum {
    STREAM_EOF = 0x10, /* glibc's _IO_EOF_SEEN and _IO_ERR_SEEN */
    STREAM_ERROR = 0x20,
    STREAM_AHEAD = 4096, /* bytes read at once: st_blksize, as natively */
    STREAM_BACK = 8      /* bytes of ungetc that always find room */
};

typedef enum StreamKind {
    STREAM_FD,
    STREAM_FIXED,   /* fmemopen */
    STREAM_GROWING, /* open_memstream */
    STREAM_COOKIE   /* fopencookie */
} StreamKind;

typedef struct Stream {
    FILE file;
    struct Stream *next; /* all that are open */
    StreamKind kind;
    bool can_read, can_write, append;
    bool writing; /* if it can read too: the last operation wrote, nothing is read ahead */
    bool lines, unbuffered;
    unsigned char byte;  /* one byte on its way to the machine */
    unsigned char *area; /* STREAM_BACK bytes, then what is read ahead; NULL: not yet needed */
    size_t buffer;       /* its size: how much to read at once, how much may wait */
    /* of memory: */
    char *data;
    size_t at, size, capacity;
    bool owned; /* data was allocated here */
    char **data_out;
    size_t *size_out;
    /* of fopencookie: */
    void *cookie;
    cookie_io_functions_t calls;
} Stream;

static inline Stream *stream_of(FILE *file) { return (Stream *)file; }

/* One that can only write is always at it: so nothing is asked that printing may have changed. */
static inline bool stream_is_writing(const Stream *s) { return s->can_write && (!s->can_read || s->writing); }

/* stream.c */
int __sheaf_stream_fill(Stream *s);      /* reads ahead; the next byte, consumed, or EOF */
bool __sheaf_stream_to_write(Stream *s); /* makes it ready to write, or sets error and errno */
size_t __sheaf_stream_write(Stream *s, const void *data, size_t size); /* bytes that could not be written */
size_t __sheaf_stream_read(Stream *s, void *data, size_t size);
int __sheaf_stream_unget(Stream *s, int c);
int __sheaf_stream_flush(Stream *s); /* 0 or EOF */
void __sheaf_stream_link(Stream *s);
long __sheaf_stream_tell(Stream *s);
int __sheaf_stream_seek(Stream *s, long offset, int whence);
int __sheaf_stream_close(Stream *s); /* flushes, frees all but the Stream; 0 or EOF */
Stream *__sheaf_stream_new(void);    /* NULL with ENOMEM */
/* "r+b"…: flags of open(), or -1 with EINVAL. Sets can_read, can_write and append. */
int __sheaf_stream_mode(Stream *s, const char *mode);

static inline int stream_get(Stream *s)
{
    if (s->file._IO_read_ptr < s->file._IO_read_end)
        return (unsigned char)*s->file._IO_read_ptr++;
    return __sheaf_stream_fill(s);
}

static inline int stream_put(Stream *s, int c)
{
    s->byte = (unsigned char)c;
    size_t left = __sheaf_stream_write(s, &s->byte, 1);
    s->byte = 0; /* nothing of what was written stays behind: a comparison of two versions would see it */
    return left ? EOF : (unsigned char)c;
}

/* strnlen, which programs like to define themselves. */
static inline size_t bounded_length(const char *text, size_t most)
{
    size_t n = 0;
    while (n < most && text[n])
        n++;
    return n;
}

/* memory_stream.c: 0 at the end of the data, or -1 with errno */
long __sheaf_memory_read(Stream *s, void *data, size_t size);
long __sheaf_memory_write(Stream *s, const void *data, size_t size);
long __sheaf_memory_seek(Stream *s, long offset, int whence);
void __sheaf_memory_publish(Stream *s); /* open_memstream's pointer and size */

extern const Stream __sheaf_given_stream; /* stream.c: a stream that is an input, before its first use */

/* printf.c, scanf.c: the work of their families. */
int __sheaf_print_stream(Stream *s, const char *format, va_list args);
int __sheaf_print_fd(int fd, const char *format, va_list args);
int __sheaf_print_memory(char *out, size_t size, const char *format, va_list args);
int __sheaf_print_new(char **out, const char *format, va_list args);
int __sheaf_scan_stream(Stream *s, const char *format, va_list args);
int __sheaf_scan_text(const char *text, const char *format, va_list args);

#endif
