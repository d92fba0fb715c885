/* err.c - err.h and error.h: messages with the program's name and the text of errno. */
#include <err.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

extern char *program_invocation_name, *program_invocation_short_name;

static void message(const char *format, va_list list, int number)
{
    fprintf(stderr, "%s: ", program_invocation_short_name);
    if (format)
        vfprintf(stderr, format, list);
    if (number >= 0)
        fprintf(stderr, format ? ": %s" : "%s", strerror(number));
    fputc('\n', stderr);
}

void vwarn(const char *format, va_list list) { message(format, list, errno); }

void vwarnx(const char *format, va_list list) { message(format, list, -1); }

void warn(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    message(format, list, errno);
    va_end(list);
}

void warnx(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    message(format, list, -1);
    va_end(list);
}

void verr(int status, const char *format, va_list list)
{
    message(format, list, errno);
    exit(status);
}

void verrx(int status, const char *format, va_list list)
{
    message(format, list, -1);
    exit(status);
}

void err(int status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    message(format, list, errno);
    va_end(list);
    exit(status);
}

void errx(int status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    message(format, list, -1);
    va_end(list);
    exit(status);
}

void (*error_print_progname)(void);
unsigned error_message_count;
int error_one_per_line;

static void report(int status, int number, const char *file, unsigned line, const char *format, va_list list)
{
    fflush(stdout);
    if (error_print_progname)
        error_print_progname();
    else
        fprintf(stderr, file ? "%s:" : "%s: ", program_invocation_name);
    if (file)
        fprintf(stderr, "%s:%u: ", file, line);
    vfprintf(stderr, format, list);
    error_message_count++;
    if (number)
        fprintf(stderr, ": %s", strerror(number));
    fputc('\n', stderr);
    if (status)
        exit(status);
}

void error(int status, int number, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    report(status, number, NULL, 0, format, list);
    va_end(list);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
    static const char *last_file;
    static unsigned last_line;
    if (error_one_per_line) {
        if (last_line == line && last_file && file && strcmp(last_file, file) == 0)
            return;
        last_file = file;
        last_line = line;
    }
    va_list list;
    va_start(list, format);
    report(status, number, file, line, format, list);
    va_end(list);
}
