// Formatting into memory.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int through_v(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(out, size, format, args);
    va_end(args);
    return n;
}

static char *new_text(const char *format, ...)
{
    va_list args;
    char *out;
    va_start(args, format);
    int n = vasprintf(&out, format, args);
    va_end(args);
    return n < 0 ? NULL : out;
}

int main(void)
{
    char buffer[64], small[8];
    printf("%d %s\n", sprintf(buffer, "%d-%s-%c-%x", 12, "ab", 'c', 255), buffer);
    for (size_t size = 0; size <= sizeof small; size++) {
        memset(small, '#', sizeof small);
        int n = snprintf(small, size, "%d%s", 12345, "xy");
        printf("%zu: %d ", size, n);
        for (size_t i = 0; i < sizeof small; i++)
            putchar(small[i] ? small[i] : '.');
        putchar('\n');
    }
    printf("%d\n", snprintf(NULL, 0, "%s %d %f", "length only", 42, 1.5));
    printf("%d %s\n", through_v(buffer, sizeof buffer, "%5d|%-5s|%05.1f", 42, "ab", 2.25), buffer);
    char *text;
    int n = asprintf(&text, "%s has %d bytes and %g", "this", 1000, 0.25);
    printf("%d %s\n", n, text);
    free(text);
    text = new_text("%0*d", 200, 7);
    printf("%zu %s\n", strlen(text), text);
    free(text);
    n = 0;
    for (int i = 0; i < 5; i++)
        n += sprintf(buffer + n, "%d,", i * i);
    puts(buffer);
    sprintf(buffer, "%s", "");
    printf("[%s]\n", buffer);
    dprintf(1, "");
    return 0;
}
