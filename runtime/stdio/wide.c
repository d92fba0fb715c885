/* wide.c - wide-character streams. In the C locale a wide character is one byte below 128 or an error, so
 * each function here is the narrow one behind a conversion: formats are narrowed, and what comes out is
 * widened where it must be. */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "stream.h"

#undef getwc
#undef putwc

static wint_t get_wide(Stream *s)
{
    int c = stream_get(s);
    if (c <= 127)
        return c == EOF ? WEOF : (wint_t)c;
    s->file._flags |= STREAM_ERROR;
    errno = EILSEQ;
    return WEOF;
}

static wint_t put_wide(wchar_t c, Stream *s)
{
    if ((unsigned)c > 127) {
        s->file._flags |= STREAM_ERROR;
        errno = EILSEQ;
        return WEOF;
    }
    return stream_put(s, c) == EOF ? WEOF : (wint_t)c;
}

#define GETS_WIDE(name) \
    wint_t name(FILE *file) { return get_wide(stream_of(file)); }
GETS_WIDE(fgetwc)
GETS_WIDE(getwc)
GETS_WIDE(fgetwc_unlocked)
GETS_WIDE(getwc_unlocked)

#define PUTS_WIDE(name) \
    wint_t name(wchar_t c, FILE *file) { return put_wide(c, stream_of(file)); }
PUTS_WIDE(fputwc)
PUTS_WIDE(putwc)
PUTS_WIDE(fputwc_unlocked)
PUTS_WIDE(putwc_unlocked)

wint_t getwchar(void) { return get_wide(stream_of(stdin)); }

wint_t putwchar(wchar_t c) { return put_wide(c, stream_of(stdout)); }

wint_t ungetwc(wint_t c, FILE *file)
{
    if (c == WEOF || c > 127)
        return WEOF;
    return __sheaf_stream_unget(stream_of(file), (int)c) == EOF ? WEOF : c;
}

static wchar_t *get_line(wchar_t *out, int size, Stream *s)
{
    int n = 0;
    wint_t c = 0;
    if (size <= 0)
        return NULL;
    while (n < size - 1 && c != L'\n' && (c = get_wide(s)) != WEOF)
        out[n++] = (wchar_t)c;
    if ((n == 0 && size > 1) || s->file._flags & STREAM_ERROR)
        return NULL;
    out[n] = 0;
    return out;
}

wchar_t *fgetws(wchar_t *restrict out, int size, FILE *restrict file)
{
    return get_line(out, size, stream_of(file));
}

int fputws(const wchar_t *restrict text, FILE *restrict file)
{
    Stream *s = stream_of(file);
    for (; *text; text++)
        if (put_wide(*text, s) == WEOF)
            return -1;
    return 1;
}

/* The orientation is not kept: both kinds of functions work on every stream. */
int fwide(FILE *file, int mode)
{
    (void)file;
    return mode;
}

/* ---- formats --------------------------------------------------------------------------------- */

/* The text in bytes, allocated; NULL with errno. */
static char *narrow(const wchar_t *text)
{
    size_t n = wcslen(text);
    char *out = __sheaf_alloc(n + 1, 1, 0);
    for (size_t i = 0; out && i <= n; i++) {
        if ((unsigned)text[i] > 127) {
            __sheaf_free(out);
            errno = EILSEQ;
            return NULL;
        }
        out[i] = (char)text[i];
    }
    return out;
}

static int print_to(Stream *s, const wchar_t *format, va_list args)
{
    char *plain = narrow(format);
    if (!plain)
        return -1;
    int n = __sheaf_print_stream(s, plain, args);
    __sheaf_free(plain);
    return n;
}

/* As bytes first; -1 if the wide result does not fit, as C wants it. */
static int print_into(wchar_t *out, size_t size, const wchar_t *format, va_list args)
{
    char *plain = narrow(format), *text = plain ? __sheaf_alloc(size + 1, 1, 0) : NULL;
    int n = text ? __sheaf_print_memory(text, size, plain, args) : -1;
    if (n >= 0 && (size_t)n >= size)
        n = -1;
    for (int i = 0; i <= n; i++)
        out[i] = (unsigned char)text[i];
    __sheaf_free(text);
    __sheaf_free(plain);
    return n;
}

static int scan_from(Stream *s, const wchar_t *text, const wchar_t *format, va_list args)
{
    char *plain = narrow(format), *bytes = plain && text ? narrow(text) : NULL;
    int n = EOF;
    if (plain && s)
        n = __sheaf_scan_stream(s, plain, args);
    else if (bytes)
        n = __sheaf_scan_text(bytes, plain, args);
    __sheaf_free(bytes);
    __sheaf_free(plain);
    return n;
}

#define VARIADIC(header, call)  \
    header                      \
    {                           \
        va_list args;           \
        va_start(args, format); \
        int n = call;           \
        va_end(args);           \
        return n;               \
    }
#define DIRECT(header, call) \
    header { return call; }
#define FORMAT const wchar_t *restrict format
#define IN     const wchar_t *restrict text

VARIADIC(int wprintf(FORMAT, ...), print_to(stream_of(stdout), format, args))
VARIADIC(int fwprintf(FILE *restrict file, FORMAT, ...), print_to(stream_of(file), format, args))
VARIADIC(int swprintf(wchar_t *restrict out, size_t size, FORMAT, ...), print_into(out, size, format, args))
DIRECT(int vwprintf(FORMAT, va_list args), print_to(stream_of(stdout), format, args))
DIRECT(int vfwprintf(FILE *restrict file, FORMAT, va_list args), print_to(stream_of(file), format, args))
DIRECT(int vswprintf(wchar_t *restrict out, size_t size, FORMAT, va_list args),
       print_into(out, size, format, args))

/* <wchar.h> gives the plain names of the scanf family the labels __isoc99_…: these are those. */
VARIADIC(int wscanf(FORMAT, ...), scan_from(stream_of(stdin), NULL, format, args))
VARIADIC(int fwscanf(FILE *restrict file, FORMAT, ...), scan_from(stream_of(file), NULL, format, args))
VARIADIC(int swscanf(IN, FORMAT, ...), scan_from(NULL, text, format, args))
DIRECT(int vwscanf(FORMAT, va_list args), scan_from(stream_of(stdin), NULL, format, args))
DIRECT(int vfwscanf(FILE *restrict file, FORMAT, va_list args),
       scan_from(stream_of(file), NULL, format, args))
DIRECT(int vswscanf(IN, FORMAT, va_list args), scan_from(NULL, text, format, args))
