/* What a pointer of the entry leads to depends on where others have led, and on nothing else that was decided before. */
#include <sheaf.h>

struct pair { int first; };

int target(struct pair *p, struct pair *q)
{
    unsigned char n[10], t[10] = {0};
    sheaf_symbolic(n, 10, "n");
    for (int i = 0; i < 10; i++)
        if (n[i] == 3)
            t[i] = 1;
    if (!p || !q)
        return 0;
    if (p->first == 1)
        q->first = 2;
    return 6 / (p->first - 5);
}
