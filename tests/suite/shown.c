/* Two versions of a function in one file: what each of its modes shows differs with -DNEW. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include <sheaf.h>

#ifdef NEW
#define PICK(old, new) new
#else
#define PICK(old, new) old
#endif

typedef struct Node {
    int value;
    int pad;
    int *next;
} Node;

int step(Node *p, int mode)
{
    int x;
    switch (mode) {
    case 0:
        free(malloc(PICK(10, 100)));
        p->next = malloc(sizeof *p->next);
        *p->next = 3;
        break;
    case 1:
        return p->value + PICK(1, 2);
    case 2:
        p->value += PICK(1, 4);
        break;
    case 3:
        p->next = malloc(sizeof *p->next);
        *p->next = PICK(1, 2);
        break;
    case 4:
        puts(PICK("old", "new"));
        break;
    case 5:
        fputs(PICK("old", ""), stderr);
        break;
    case 6:
        exit(PICK(3, 4));
    case 7:
        p[PICK(1, 0)].value = 0;
        break;
    case 8:
        x = PICK(1, 2);
        sheaf_output(&x, sizeof x, "x");
        break;
    case 9:
#ifdef NEW
        assert(mode == 8);
#else

        assert(mode == 8);
#endif
        break;
    case 10:
        if (PICK(0, 1))
            free(p);
        break;
    case 11:
        p->next = PICK(&p->value, &p->pad);
        break;
    }
    return 0;
}
