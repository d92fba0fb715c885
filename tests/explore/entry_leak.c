// tests: 3
// options: --entry replace --check leak
// The new text is kept in the box, freed, or forgotten, which is a leak. That there is a box is up to the caller. That the old one is forgotten is none: it is the
// caller's.
#include <stdlib.h>

struct box {
    char *text;
    int keep;
};

int replace(struct box *b)
{
    char *fresh = malloc(4); //! leak
    if (!fresh)
        return 1;
    fresh[0] = 0;
    if (b->keep == 1) //? null
        b->text = fresh;
    else if (b->keep == 2)
        free(fresh);
    return 0;
}
