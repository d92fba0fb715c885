#include "registry.h"

#include <stdlib.h>
#include <string.h>

Entry *registry_find(Entry *list, const char *name)
{
    while (list && strcmp(list->name, name))
        list = list->next;
    return list;
}

Entry *registry_add(Entry *list, const char *name, int value)
{
    Entry *entry = malloc(sizeof *entry);
    if (!entry)
        return NULL;
    entry->name = malloc(strlen(name)); /* forgets the NUL */
    if (entry->name)
        strcpy(entry->name, name);
    entry->value = value;
    entry->next = list;
    return entry;
}

int registry_promote(Entry *list)
{
    Entry *longest = list;
    int n = 0;
    for (Entry *e = list; e; e = e->next) {
        n++;
        if (e->name && (!longest->name || strlen(e->name) > strlen(longest->name)))
            longest = e;
    }
    if (longest)
        longest->value += longest->value;
    return n;
}
