/* message.c - perror, and what <stdio_ext.h> tells of a stream. */
#include <stdio_ext.h>
#include <string.h>

#include "stream.h"

static void put_text(Stream *s, const char *text) { __sheaf_stream_write(s, text, strlen(text)); }

void perror(const char *text)
{
    const char *what = strerror(errno);
    Stream *s = stream_of(stderr);
    if (text && *text) {
        put_text(s, text);
        put_text(s, ": ");
    }
    put_text(s, what);
    put_text(s, "\n");
}

size_t __fbufsize(FILE *file) { return stream_of(file)->buffer; }

int __freading(FILE *file)
{
    Stream *s = stream_of(file);
    return !s->can_write || (s->area && !stream_is_writing(s));
}

int __fwriting(FILE *file)
{
    Stream *s = stream_of(file);
    return !s->can_read || stream_is_writing(s);
}

int __freadable(FILE *file) { return stream_of(file)->can_read; }

int __fwritable(FILE *file) { return stream_of(file)->can_write; }

int __flbf(FILE *file) { return stream_of(file)->lines; }

size_t __fpending(FILE *file)
{
    Stream *s = stream_of(file);
    bool waits = s->kind == STREAM_FD && stream_is_writing(s);
    return waits ? (size_t)__sheaf_control(file->_fileno, CONTROL_WAITING, 0) : 0;
}

void __fpurge(FILE *file)
{
    Stream *s = stream_of(file);
    if (s->kind == STREAM_FD && stream_is_writing(s))
        __sheaf_control(file->_fileno, CONTROL_DROP, 0);
    s->file._IO_read_ptr = s->file._IO_read_end = NULL;
}

int __fsetlocking(FILE *file, int type)
{
    (void)file;
    (void)type;
    return FSETLOCKING_INTERNAL;
}

void _flushlbf(void) { fflush(NULL); }
