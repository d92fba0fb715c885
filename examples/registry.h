/* registry.h - names with values, as a list. */
#ifndef REGISTRY_H
#define REGISTRY_H

typedef struct Entry {
    char *name;
    int value;
    struct Entry *next;
} Entry;

/* The entry of that name; NULL if there is none. */
Entry *registry_find(Entry *list, const char *name);
/* A new entry before those of the list; NULL if there is no memory. The name is copied. */
Entry *registry_add(Entry *list, const char *name, int value);
/* The longest name's entry has its value doubled. How many entries there are. */
int registry_promote(Entry *list);

#endif
