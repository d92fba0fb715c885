/* scanf_names.c - the scanf family. <stdio.h> sends the plain names to __isoc99_ ones by assembler labels,
 * which would leave the plain ones undefined for objects that name them: here no label is wanted, so the
 * header is not included. */
#include <stdarg.h>

typedef struct Stream Stream;
extern Stream *stdin;
int __sheaf_scan_stream(Stream *s, const char *format, va_list args);
int __sheaf_scan_text(const char *text, const char *format, va_list args);

#define FORMAT const char *restrict format
#define VARIADIC(header, call)  \
    header;                     \
    header                      \
    {                           \
        va_list args;           \
        va_start(args, format); \
        int n = call;           \
        va_end(args);           \
        return n;               \
    }
#define DIRECT(header, call) \
    header;                  \
    header { return call; }
#define FAMILY(prefix)                                                                         \
    VARIADIC(int prefix##scanf(FORMAT, ...), __sheaf_scan_stream(stdin, format, args))         \
    VARIADIC(int prefix##fscanf(Stream *restrict file, FORMAT, ...),                           \
             __sheaf_scan_stream(file, format, args))                                          \
    VARIADIC(int prefix##sscanf(const char *restrict text, FORMAT, ...),                       \
             __sheaf_scan_text(text, format, args))                                            \
    DIRECT(int prefix##vscanf(FORMAT, va_list args), __sheaf_scan_stream(stdin, format, args)) \
    DIRECT(int prefix##vfscanf(Stream *restrict file, FORMAT, va_list args),                   \
           __sheaf_scan_stream(file, format, args))                                            \
    DIRECT(int prefix##vsscanf(const char *restrict text, FORMAT, va_list args),               \
           __sheaf_scan_text(text, format, args))

FAMILY()
FAMILY(__isoc99_)
FAMILY(__isoc23_)
