/* config.c - a small library, with the mistakes that such libraries have. See docs/library.md. */
#include "config.h"

#include <string.h>

int config_number(const char *text, size_t n)
{
    int value = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        value = value * 10 + (text[i] - '0');
    }
    return n ? value : -1;
}

static int add(Config *c, const char *line, size_t n)
{
    const char *equals = memchr(line, '=', n);
    char name[CONFIG_NAME];
    if (!equals || c->n == CONFIG_ENTRIES)
        return 0;
    size_t length = (size_t)(equals - line);
    if (length > CONFIG_NAME)
        return 0;
    memcpy(name, line, length);
    name[length] = '\0';
    int value = config_number(equals + 1, n - length - 1);
    if (value < 0)
        return 0;
    strcpy(c->entries[c->n].name, name);
    c->entries[c->n++].value = value;
    return 1;
}

int config_parse(Config *c, const char *text, size_t n)
{
    for (size_t from = 0, to; from < n; from = to + 1) {
        const char *end = memchr(text + from, '\n', n - from);
        to = end ? (size_t)(end - text) : n;
        if (!add(c, text + from, to - from))
            return 0;
    }
    return 1;
}

int config_get(const Config *c, const char *name, int otherwise)
{
    for (unsigned i = 0; i < c->n; i++)
        if (!strcmp(c->entries[i].name, name))
            return c->entries[i].value;
    return otherwise;
}
