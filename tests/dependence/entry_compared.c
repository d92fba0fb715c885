/* What q leads to is larger than what p does, so that q may lead to the same is tried only because they are compared. It is too
 * small then, which shows where q is followed for the second time. */
struct pair { int first; struct pair *next; };

int target(struct pair *p, struct pair *q, int n, int m)
{
    int t = 0;
    if (p == q)
        t = 1;
    if (n != 1 && q)
        t = q->first;
    if (p)
        p->first = 3;
    if (q)
        q->first = 3;
    if (m == 2) {
        if (q)
            p = q->next;
    }
    return t;
}
