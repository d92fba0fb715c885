/* config.h - a small library: lines "name=number" into a table. */
#ifndef CONFIG_H
#define CONFIG_H

#include <stddef.h>

enum { CONFIG_ENTRIES = 2, CONFIG_NAME = 4 };

typedef struct Config {
    unsigned n;
    struct {
        char name[CONFIG_NAME];
        int value;
    } entries[CONFIG_ENTRIES];
} Config;

/* The number that `n` characters of text are; -1 if they are none. */
int config_number(const char *text, size_t n);
/* Adds the lines of a text. False: a line is malformed, or there is no room. */
int config_parse(Config *c, const char *text, size_t n);
/* The value of a name; `otherwise` if there is none. */
int config_get(const Config *c, const char *name, int otherwise);

#endif
