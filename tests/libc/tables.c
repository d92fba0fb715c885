/* search.h: hash tables, trees in order, lists. */
#define _GNU_SOURCE
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void visit(const void *node, VISIT which, int depth)
{
    (void)depth;
    if (which == postorder || which == leaf)
        printf("%d ", **(int *const *)node);
}

static int freed;

static void release(void *key)
{
    freed += *(int *)key;
}

struct Item {
    struct Item *next, *before;
    int value;
};

int main(void)
{
    static const char *const names[] = {"one", "two", "three", "four", "five", "six"};
    printf("%d\n", hcreate(50) != 0);
    for (long i = 0; i < 6; i++) {
        ENTRY e = {(char *)names[i], (void *)i}, *r = hsearch(e, ENTER);
        printf("%d ", r && r->data == (void *)i);
    }
    for (int i = 0; i < 6; i++) {
        ENTRY e = {(char *)names[i], NULL}, *r = hsearch(e, FIND);
        printf("%s=%ld ", r->key, (long)r->data);
    }
    ENTRY missing = {"seven", NULL}, again = {"one", (void *)99};
    errno = 0;
    printf("%d %d ", hsearch(missing, FIND) == NULL, errno == ESRCH);
    printf("%ld\n", (long)hsearch(again, ENTER)->data);
    hdestroy();
    void *root = NULL;
    static int keys[200];
    unsigned state = 1;
    for (int i = 0; i < 200; i++) {
        state = state * 1103515245 + 12345;
        keys[i] = (int)(state >> 16) % 300;
        int **node = tsearch(&keys[i], &root, compare);
        if (**node != keys[i])
            printf("wrong ");
    }
    twalk(root, visit);
    printf("\n");
    for (int i = 0; i < 200; i += 2)
        if (tfind(&keys[i], &root, compare) && !tdelete(&keys[i], &root, compare))
            printf("lost %d ", keys[i]);
    twalk(root, visit);
    int absent = 1000;
    printf("\n%d %d\n", tfind(&absent, &root, compare) == NULL, tdelete(&absent, &root, compare) == NULL);
    tdestroy(root, release);
    printf("%d\n", freed);
    struct Item items[3] = {{.value = 1}, {.value = 2}, {.value = 3}};
    insque(&items[0], NULL);
    insque(&items[2], &items[0]);
    insque(&items[1], &items[0]);
    for (struct Item *i = items; i; i = i->next)
        printf("%d ", i->value);
    remque(&items[1]);
    for (struct Item *i = items; i; i = i->next)
        printf("%d ", i->value);
    printf("\n");
    return 0;
}
