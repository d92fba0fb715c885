/* bytes.c - unformatted input and output: bytes, lines, blocks, and the state of a stream. */
#include <stdlib.h>
#include <string.h>

#include "stream.h"

#undef getc
#undef putc
#undef getc_unlocked
#undef putc_unlocked
#undef feof_unlocked
#undef ferror_unlocked

/* What glibc's inline functions call when the pointers they see are at their end. */
int __uflow(FILE *file);
int __underflow(FILE *file);
int __overflow(FILE *file, int c);
int _IO_getc(FILE *file);
int _IO_putc(int c, FILE *file);

int __uflow(FILE *file) { return stream_get(stream_of(file)); }

int __underflow(FILE *file)
{
    int c = stream_get(stream_of(file));
    if (c != EOF)
        file->_IO_read_ptr--;
    return c;
}

int __overflow(FILE *file, int c) { return stream_put(stream_of(file), c); }

#define GETS_A_BYTE(name) \
    int name(FILE *file) { return stream_get(stream_of(file)); }
GETS_A_BYTE(fgetc)
GETS_A_BYTE(getc)
GETS_A_BYTE(_IO_getc)
GETS_A_BYTE(fgetc_unlocked)
GETS_A_BYTE(getc_unlocked)

int getchar(void) { return stream_get(stream_of(stdin)); }

int getchar_unlocked(void) { return stream_get(stream_of(stdin)); }

#define PUTS_A_BYTE(name) \
    int name(int c, FILE *file) { return stream_put(stream_of(file), c); }
PUTS_A_BYTE(fputc)
PUTS_A_BYTE(putc)
PUTS_A_BYTE(_IO_putc)
PUTS_A_BYTE(fputc_unlocked)
PUTS_A_BYTE(putc_unlocked)

int putchar(int c) { return stream_put(stream_of(stdout), c); }

int putchar_unlocked(int c) { return stream_put(stream_of(stdout), c); }

int ungetc(int c, FILE *file) { return __sheaf_stream_unget(stream_of(file), c); }

/* ---- lines ----------------------------------------------------------------------------------- */

static char *get_line(char *out, int size, Stream *s)
{
    if (size <= 0)
        return NULL;
    int n = 0, c = 0;
    int error_before = s->file._flags & STREAM_ERROR;
    s->file._flags &= ~STREAM_ERROR;
    while (n < size - 1 && c != '\n' && (c = stream_get(s)) != EOF)
        out[n++] = (char)c;
    bool failed = s->file._flags & STREAM_ERROR;
    s->file._flags |= error_before;
    if ((n == 0 && size > 1) || failed)
        return NULL;
    out[n] = 0;
    return out;
}

char *fgets(char *restrict out, int size, FILE *restrict file)
{
    return get_line(out, size, stream_of(file));
}

char *fgets_unlocked(char *restrict out, int size, FILE *restrict file)
{
    return get_line(out, size, stream_of(file));
}

char *__fgets_chk(char *out, size_t capacity, int size, FILE *file);
char *__fgets_unlocked_chk(char *out, size_t capacity, int size, FILE *file);

char *__fgets_chk(char *out, size_t capacity, int size, FILE *file)
{
    if (size > 0 && (size_t)size > capacity)
        __chk_fail();
    return get_line(out, size, stream_of(file));
}

char *__fgets_unlocked_chk(char *out, size_t capacity, int size, FILE *file)
{
    return __fgets_chk(out, capacity, size, file);
}

char *gets(char *out);
char *__gets_chk(char *out, size_t capacity);

char *gets(char *out)
{
    Stream *s = stream_of(stdin);
    size_t n = 0;
    int c;
    while ((c = stream_get(s)) != EOF && c != '\n')
        out[n++] = (char)c;
    if (c == EOF && n == 0)
        return NULL;
    out[n] = 0;
    return out;
}

char *__gets_chk(char *out, size_t capacity)
{
    Stream *s = stream_of(stdin);
    size_t n = 0;
    int c;
    while ((c = stream_get(s)) != EOF && c != '\n') {
        if (n + 1 >= capacity)
            __chk_fail();
        out[n++] = (char)c;
    }
    if (c == EOF && n == 0)
        return NULL;
    out[n] = 0;
    return out;
}

/* Room for n + 1 bytes and the NUL. */
static bool make_room(char **line, size_t *capacity, size_t n)
{
    if (*line && n + 2 <= *capacity)
        return true;
    size_t more = 2 * *capacity > n + 2 ? 2 * *capacity : n + 2;
    more = more < 120 ? 120 : more;
    char *moved = realloc(*line, more);
    if (!moved)
        return false;
    *line = moved;
    *capacity = more;
    return true;
}

static ssize_t get_delimited(char **line, size_t *capacity, int delimiter, FILE *file)
{
    Stream *s = stream_of(file);
    size_t n = 0;
    int c = 0;
    if (!line || !capacity) {
        errno = EINVAL;
        return -1;
    }
    if (!*line)
        *capacity = 0;
    if (!make_room(line, capacity, 0))
        return -1;
    while ((c = stream_get(s)) != EOF) {
        if (!make_room(line, capacity, n))
            return -1;
        (*line)[n++] = (char)c;
        if (c == delimiter)
            break;
    }
    if (n == 0)
        return -1;
    (*line)[n] = 0;
    return (ssize_t)n;
}

ssize_t getdelim(char **restrict line, size_t *restrict capacity, int delimiter, FILE *restrict file)
{
    return get_delimited(line, capacity, delimiter, file);
}

ssize_t __getdelim(char **restrict line, size_t *restrict capacity, int delimiter, FILE *restrict file)
{
    return get_delimited(line, capacity, delimiter, file);
}

ssize_t getline(char **restrict line, size_t *restrict capacity, FILE *restrict file)
{
    return get_delimited(line, capacity, '\n', file);
}

static int put_text(const char *text, Stream *s)
{
    size_t n = strlen(text);
    return __sheaf_stream_write(s, text, n) ? EOF : 1;
}

int fputs(const char *restrict text, FILE *restrict file) { return put_text(text, stream_of(file)); }

int fputs_unlocked(const char *restrict text, FILE *restrict file) { return put_text(text, stream_of(file)); }

int puts(const char *text)
{
    Stream *s = stream_of(stdout);
    size_t n = strlen(text);
    if (__sheaf_stream_write(s, text, n) || stream_put(s, '\n') == EOF)
        return EOF;
    return n >= INT_MAX ? INT_MAX : (int)n + 1;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static size_t read_items(void *out, size_t size, size_t n, FILE *file)
{
    size_t bytes = size * n;
    size_t got = bytes ? __sheaf_stream_read(stream_of(file), out, bytes) : 0;
    return got == bytes && bytes ? n : bytes ? got / size : 0;
}

size_t fread(void *restrict out, size_t size, size_t n, FILE *restrict file)
{
    return read_items(out, size, n, file);
}

size_t(fread_unlocked)(void *restrict out, size_t size, size_t n, FILE *restrict file)
{
    return read_items(out, size, n, file);
}

size_t __fread_chk(void *out, size_t capacity, size_t size, size_t n, FILE *file);
size_t __fread_unlocked_chk(void *out, size_t capacity, size_t size, size_t n, FILE *file);

size_t __fread_chk(void *out, size_t capacity, size_t size, size_t n, FILE *file)
{
    if (size * n > capacity)
        __chk_fail();
    return read_items(out, size, n, file);
}

size_t __fread_unlocked_chk(void *out, size_t capacity, size_t size, size_t n, FILE *file)
{
    return __fread_chk(out, capacity, size, n, file);
}

static size_t write_items(const void *data, size_t size, size_t n, FILE *file)
{
    Stream *s = stream_of(file);
    size_t bytes = size * n;
    if (!size || (!stream_is_writing(s) && !bytes)) /* nothing does not make a reader a writer */
        return 0;
    size_t left = __sheaf_stream_write(s, data, bytes);
    return left ? (bytes - left) / size : n;
}

size_t fwrite(const void *restrict data, size_t size, size_t n, FILE *restrict file)
{
    return write_items(data, size, n, file);
}

size_t(fwrite_unlocked)(const void *restrict data, size_t size, size_t n, FILE *restrict file)
{
    return write_items(data, size, n, file);
}

int getw(FILE *file)
{
    int word;
    return read_items(&word, sizeof word, 1, file) == 1 ? word : EOF;
}

int putw(int word, FILE *file) { return write_items(&word, sizeof word, 1, file) == 1 ? 0 : EOF; }

/* ---- state ----------------------------------------------------------------------------------- */

#define TESTS(name, bit) \
    int name(FILE *file) { return (file->_flags & (bit)) != 0; }
TESTS(feof, STREAM_EOF)
TESTS(feof_unlocked, STREAM_EOF)
TESTS(ferror, STREAM_ERROR)
TESTS(ferror_unlocked, STREAM_ERROR)

void clearerr(FILE *file) { file->_flags &= ~(STREAM_EOF | STREAM_ERROR); }

void clearerr_unlocked(FILE *file) { file->_flags &= ~(STREAM_EOF | STREAM_ERROR); }

static int number_of(FILE *file)
{
    Stream *s = stream_of(file);
    if (s->kind == STREAM_FD && file->_fileno >= 0)
        return file->_fileno;
    errno = EBADF;
    return -1;
}

int fileno(FILE *file) { return number_of(file); }

int fileno_unlocked(FILE *file) { return number_of(file); }

void flockfile(FILE *file) { (void)file; }

int ftrylockfile(FILE *file)
{
    (void)file;
    return 0;
}

void funlockfile(FILE *file) { (void)file; }
