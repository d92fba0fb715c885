/* open.c - streams by name: fopen and its kin, temporary files, buffering, position under all its names. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "stream.h"

int __sheaf_stream_mode(Stream *s, const char *mode)
{
    int flags;
    switch (mode[0]) {
    case 'r': flags = 0; break;
    case 'w': flags = O_CREAT | O_TRUNC; break;
    case 'a': flags = O_CREAT | O_APPEND; break;
    default: errno = EINVAL; return -1;
    }
    bool update = false;
    for (const char *p = mode + 1; *p && *p != ','; p++) {
        update |= *p == '+';
        flags |= *p == 'x' ? O_EXCL : *p == 'e' ? O_CLOEXEC : 0;
    }
    s->can_read = update || mode[0] == 'r';
    s->can_write = update || mode[0] != 'r';
    s->append = mode[0] == 'a';
    return flags | (update ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY);
}

/* As glibc: "a" stands at the end from the start, "a+" at the beginning until it writes. */
static void start_at_end(Stream *s)
{
    if (s->append && !s->can_read)
        __sheaf_seek(s->file._fileno, 0, SEEK_END);
}

/* Opens a file on a stream that has nothing open; the stream's fields are as new. */
static bool open_on(Stream *s, const char *path, const char *mode)
{
    int flags = __sheaf_stream_mode(s, mode);
    if (flags < 0)
        return false;
    int fd = __sheaf_open(path, flags, 0666 & ~__sheaf_umask());
    if (fd < 0) {
        errno = -fd;
        return false;
    }
    s->kind = STREAM_FD;
    s->file._fileno = fd;
    s->file._flags = 0;
    __sheaf_control(fd, CONTROL_BUFFER, STREAM_AHEAD);
    start_at_end(s);
    return true;
}

static FILE *open_file(const char *path, const char *mode)
{
    Stream *s = __sheaf_stream_new();
    if (!s)
        return NULL;
    if (!open_on(s, path, mode)) {
        __sheaf_free(s);
        return NULL;
    }
    __sheaf_stream_link(s);
    return &s->file;
}

FILE *fopen(const char *restrict path, const char *restrict mode) { return open_file(path, mode); }

FILE *fopen64(const char *restrict path, const char *restrict mode) { return open_file(path, mode); }

static FILE *adopt(int fd, const char *mode)
{
    Stream *s = __sheaf_stream_new();
    if (!s)
        return NULL;
    int wanted = __sheaf_stream_mode(s, mode);
    long have = wanted < 0 ? -EINVAL : __sheaf_control(fd, CONTROL_GET_FLAGS, 0);
    int access = (int)have & O_ACCMODE;
    if (have >= 0 && ((s->can_read && access == O_WRONLY) || (s->can_write && access == O_RDONLY)))
        have = -EINVAL;
    if (have < 0) {
        errno = (int)-have;
        __sheaf_free(s);
        return NULL;
    }
    if (s->append)
        __sheaf_control(fd, CONTROL_SET_FLAGS, have | O_APPEND);
    s->file._fileno = fd;
    if (fd > 2) /* the buffers of standard output and error are their own */
        __sheaf_control(fd, CONTROL_BUFFER, STREAM_AHEAD);
    start_at_end(s);
    __sheaf_stream_link(s);
    return &s->file;
}

FILE *fdopen(int fd, const char *mode) { return adopt(fd, mode); }

static FILE *reopen(const char *path, const char *mode, FILE *file)
{
    Stream *s = stream_of(file);
    int old = s->file._fileno;
    if (!path) { /* only the mode changes; the file is the same */
        __sheaf_stream_flush(s);
        int flags = __sheaf_stream_mode(s, mode);
        s->writing = false;
        return flags < 0 ? NULL : file;
    }
    __sheaf_stream_close(s);
    if (!open_on(s, path, mode)) {
        fclose(file);
        return NULL;
    }
    int fd = s->file._fileno;
    if (old >= 0 && fd != old) { /* the number stays: "freopen(…, stdout)" redirects descriptor 1 */
        __sheaf_dup(fd, old, 1);
        __sheaf_close(fd);
        s->file._fileno = old;
    }
    return file;
}

FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict file)
{
    return reopen(path, mode, file);
}

FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict file)
{
    return reopen(path, mode, file);
}

/* ---- a stream that a harness passes ---------------------------------------------------------- */

FILE *sheaf_stream(size_t max, const char *name);
FILE *sheaf_stream(size_t max, const char *name)
{
    Stream *s = __sheaf_stream_new();
    if (!s)
        __sheaf_report("sheaf.h: a stream that is too large");
    *s = __sheaf_given_stream;
    s->file._fileno = __sheaf_stream(s, max, name);
    return &s->file;
}

/* ---- temporary files ------------------------------------------------------------------------- */

/* Fills the six X's with the next of the names that a run can count on: the same in every run. */
static void next_name(char *six)
{
    static unsigned long counter;
    unsigned long n = counter++;
    for (int i = 5; i >= 0; i--, n /= 26)
        six[i] = (char)('a' + n % 26);
}

/* Where the X's of a template are, or NULL with EINVAL. */
static char *six_of(char *template, int suffix)
{
    size_t length = strlen(template);
    if (suffix >= 0 && length >= 6 + (size_t)suffix) {
        char *six = template + length - suffix - 6;
        if (strncmp(six, "XXXXXX", 6) == 0)
            return six;
    }
    errno = EINVAL;
    return NULL;
}

static int make_temporary(char *template, int suffix, int flags)
{
    char *six = six_of(template, suffix);
    int fd = -EEXIST;
    if (!six)
        return -1;
    for (int tries = 0; tries < 1000 && fd == -EEXIST; tries++) {
        next_name(six);
        fd = __sheaf_open(template, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
    }
    return (int)with_errno(fd);
}

#define MAKE_TEMPORARY(name)                                                                    \
    int mk##name(char *template) { return make_temporary(template, 0, 0); }                     \
    int mko##name(char *template, int flags) { return make_temporary(template, 0, flags); }     \
    int mk##name##s(char *template, int suffix) { return make_temporary(template, suffix, 0); } \
    int mko##name##s(char *template, int suffix, int flags)                                     \
    {                                                                                           \
        return make_temporary(template, suffix, flags);                                         \
    }
int mkstemp64(char *template);
int mkostemp64(char *template, int flags);

MAKE_TEMPORARY(stemp)

int mkstemp64(char *template) { return make_temporary(template, 0, 0); }

int mkostemp64(char *template, int flags) { return make_temporary(template, 0, flags); }

char *mkdtemp(char *template)
{
    char *six = six_of(template, 0);
    int result = -EEXIST;
    if (!six)
        return NULL;
    for (int tries = 0; tries < 1000 && result == -EEXIST; tries++) {
        next_name(six);
        result = __sheaf_mkdir(template, 0700);
    }
    return with_errno(result) < 0 ? NULL : template;
}

static FILE *temporary_file(void)
{
    char template[] = "/tmp/tmpfXXXXXX";
    int fd = make_temporary(template, 0, 0);
    if (fd < 0)
        return NULL;
    __sheaf_unlink(template);
    return adopt(fd, "w+");
}

FILE *tmpfile(void) { return temporary_file(); }

FILE *tmpfile64(void) { return temporary_file(); }

static char *unused_name(char *out)
{
    static const char template[] = "/tmp/fileXXXXXX";
    long status[4];
    __builtin_memcpy(out, template, sizeof template);
    do
        next_name(out + sizeof template - 7);
    while (__sheaf_stat_path(out, status) == 0);
    return out;
}

char *tmpnam(char *out)
{
    static char ours[L_tmpnam];
    return unused_name(out ? out : ours);
}

char *tmpnam_r(char *out) { return out ? unused_name(out) : NULL; }

char *tempnam(const char *directory, const char *prefix)
{
    directory = directory ? directory : "/tmp";
    prefix = prefix ? prefix : "file";
    size_t n = strlen(directory), m = bounded_length(prefix, 5);
    char *out = malloc(n + m + 8);
    long status[4];
    if (!out)
        return NULL;
    __builtin_memcpy(out, directory, n);
    out[n] = '/';
    __builtin_memcpy(out + n + 1, prefix, m);
    out[n + m + 7] = 0;
    do
        next_name(out + n + 1 + m);
    while (__sheaf_stat_path(out, status) == 0);
    return out;
}

int remove(const char *path)
{
    int result = __sheaf_unlink(path);
    if (result == -EISDIR)
        result = __sheaf_rmdir(path);
    return (int)with_errno(result);
}

int rename(const char *from, const char *to) { return (int)with_errno(__sheaf_rename(from, to)); }

/* ---- buffering ------------------------------------------------------------------------------- */

static int set_buffer(Stream *s, char *buffer, int mode, size_t size)
{
    if (mode != _IOFBF && mode != _IOLBF && mode != _IONBF)
        return EOF;
    __sheaf_stream_flush(s);
    s->lines = mode == _IOLBF;
    s->unbuffered = mode == _IONBF;
    /* As glibc: without a buffer of the program's the size stays, and that of an unbuffered stream is 1. */
    s->buffer = s->unbuffered ? 1 : buffer && size ? size : s->buffer;
    long limit = s->unbuffered ? 0 : (long)s->buffer;
    if (s->kind == STREAM_FD)
        __sheaf_control(s->file._fileno, CONTROL_BUFFER, limit | (s->lines ? SHEAF_LINES : 0));
    return 0;
}

int setvbuf(FILE *restrict file, char *restrict buffer, int mode, size_t size)
{
    return set_buffer(stream_of(file), buffer, mode, size);
}

void setbuf(FILE *restrict file, char *restrict buffer)
{
    set_buffer(stream_of(file), buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}

void setbuffer(FILE *restrict file, char *restrict buffer, size_t size)
{
    set_buffer(stream_of(file), buffer, buffer ? _IOFBF : _IONBF, size);
}

void setlinebuf(FILE *file) { set_buffer(stream_of(file), NULL, _IOLBF, 0); }

/* ---- position -------------------------------------------------------------------------------- */

#define SEEKS(name, type)                                            \
    int fseek##name(FILE *file, type offset, int whence)             \
    {                                                                \
        return __sheaf_stream_seek(stream_of(file), offset, whence); \
    }                                                                \
    type ftell##name(FILE *file) { return with_errno(__sheaf_stream_tell(stream_of(file))); }

SEEKS(, long)
SEEKS(o, off_t)
SEEKS(o64, off64_t)

void rewind(FILE *file)
{
    __sheaf_stream_seek(stream_of(file), 0, SEEK_SET);
    file->_flags &= ~(STREAM_EOF | STREAM_ERROR);
}

static int get_position(FILE *file, fpos_t *out)
{
    long at = __sheaf_stream_tell(stream_of(file));
    out->__pos = at;
    return with_errno(at) < 0 ? -1 : 0;
}

int fgetpos(FILE *restrict file, fpos_t *restrict out) { return get_position(file, out); }

int fgetpos64(FILE *restrict file, fpos64_t *restrict out) { return get_position(file, (fpos_t *)out); }

int fsetpos(FILE *file, const fpos_t *at)
{
    return __sheaf_stream_seek(stream_of(file), at->__pos, SEEK_SET);
}

int fsetpos64(FILE *file, const fpos64_t *at)
{
    return __sheaf_stream_seek(stream_of(file), at->__pos, SEEK_SET);
}
