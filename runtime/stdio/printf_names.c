/* printf_names.c - the printf family: each name finds where the text goes and where the arguments are. */
#include <stdlib.h>

#include "stream.h"

/* A function with "..." around an expression that uses `args`. */
#define VARIADIC(header, last, call) \
    header                           \
    {                                \
        va_list args;                \
        va_start(args, last);        \
        int n = call;                \
        va_end(args);                \
        return n;                    \
    }
#define DIRECT(header, call) \
    header { return call; }
#define TO(file) __sheaf_print_stream(stream_of(file), format, args)
#define FORMAT   const char *restrict format

VARIADIC(int printf(FORMAT, ...), format, TO(stdout))
VARIADIC(int fprintf(FILE *restrict file, FORMAT, ...), format, TO(file))
VARIADIC(int dprintf(int fd, FORMAT, ...), format, __sheaf_print_fd(fd, format, args))
DIRECT(int vprintf(FORMAT, va_list args), TO(stdout))
DIRECT(int vfprintf(FILE *restrict file, FORMAT, va_list args), TO(file))
DIRECT(int vdprintf(int fd, FORMAT, va_list args), __sheaf_print_fd(fd, format, args))

/* A string is never longer than this; of a longer one only what fits counts. */
#define UNBOUNDED ((size_t)1 << 40)

VARIADIC(int sprintf(char *restrict out, FORMAT, ...), format,
         __sheaf_print_memory(out, UNBOUNDED, format, args))
VARIADIC(int snprintf(char *restrict out, size_t size, FORMAT, ...), format,
         __sheaf_print_memory(out, size, format, args))
VARIADIC(int asprintf(char **restrict out, FORMAT, ...), format, __sheaf_print_new(out, format, args))
DIRECT(int vsprintf(char *restrict out, FORMAT, va_list args),
       __sheaf_print_memory(out, UNBOUNDED, format, args))
DIRECT(int vsnprintf(char *restrict out, size_t size, FORMAT, va_list args),
       __sheaf_print_memory(out, size, format, args))
DIRECT(int vasprintf(char **restrict out, FORMAT, va_list args), __sheaf_print_new(out, format, args))

/* ---- _FORTIFY_SOURCE ------------------------------------------------------------------------- */

int __printf_chk(int flag, FORMAT, ...);
int __fprintf_chk(FILE *restrict file, int flag, FORMAT, ...);
int __dprintf_chk(int fd, int flag, FORMAT, ...);
int __vprintf_chk(int flag, FORMAT, va_list args);
int __vfprintf_chk(FILE *restrict file, int flag, FORMAT, va_list args);
int __vdprintf_chk(int fd, int flag, FORMAT, va_list args);
int __sprintf_chk(char *restrict out, int flag, size_t capacity, FORMAT, ...);
int __snprintf_chk(char *restrict out, size_t size, int flag, size_t capacity, FORMAT, ...);
int __asprintf_chk(char **restrict out, int flag, FORMAT, ...);
int __vsprintf_chk(char *restrict out, int flag, size_t capacity, FORMAT, va_list args);
int __vsnprintf_chk(char *restrict out, size_t size, int flag, size_t capacity, FORMAT, va_list args);
int __vasprintf_chk(char **restrict out, int flag, FORMAT, va_list args);

static int print_checked(char *out, size_t size, size_t capacity, const char *format, va_list args)
{
    if (size != UNBOUNDED && size > capacity)
        __chk_fail();
    int n = __sheaf_print_memory(out, size < capacity ? size : capacity, format, args);
    if (size == UNBOUNDED && n >= 0 && (size_t)n >= capacity)
        __chk_fail();
    return n;
}

VARIADIC(int __printf_chk(int flag, FORMAT, ...), format, ((void)flag, TO(stdout)))
VARIADIC(int __fprintf_chk(FILE *restrict file, int flag, FORMAT, ...), format, ((void)flag, TO(file)))
VARIADIC(int __dprintf_chk(int fd, int flag, FORMAT, ...), format,
         ((void)flag, __sheaf_print_fd(fd, format, args)))
DIRECT(int __vprintf_chk(int flag, FORMAT, va_list args), ((void)flag, TO(stdout)))
DIRECT(int __vfprintf_chk(FILE *restrict file, int flag, FORMAT, va_list args), ((void)flag, TO(file)))
DIRECT(int __vdprintf_chk(int fd, int flag, FORMAT, va_list args),
       ((void)flag, __sheaf_print_fd(fd, format, args)))
VARIADIC(int __sprintf_chk(char *restrict out, int flag, size_t capacity, FORMAT, ...), format,
         ((void)flag, print_checked(out, UNBOUNDED, capacity, format, args)))
VARIADIC(int __snprintf_chk(char *restrict out, size_t size, int flag, size_t capacity, FORMAT, ...), format,
         ((void)flag, print_checked(out, size, capacity, format, args)))
VARIADIC(int __asprintf_chk(char **restrict out, int flag, FORMAT, ...), format,
         ((void)flag, __sheaf_print_new(out, format, args)))
DIRECT(int __vsprintf_chk(char *restrict out, int flag, size_t capacity, FORMAT, va_list args),
       ((void)flag, print_checked(out, UNBOUNDED, capacity, format, args)))
DIRECT(int __vsnprintf_chk(char *restrict out, size_t size, int flag, size_t capacity, FORMAT, va_list args),
       ((void)flag, print_checked(out, size, capacity, format, args)))
DIRECT(int __vasprintf_chk(char **restrict out, int flag, FORMAT, va_list args),
       ((void)flag, __sheaf_print_new(out, format, args)))
