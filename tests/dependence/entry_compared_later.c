/* Whether two pointers are equal is told by way of a variable. Only then, and with another decision, what one of them leads to is too small. */
struct pair {
    int first;
    struct pair *next;
};

int target(struct pair *p, struct pair *q, int n, int m)
{
    int sum = 0;
    int equal = p == q;
    if (equal)
        sum = 1;
    if (n != 1 && q)
        sum = q->first;
    if (p)
        sum += p->first;
    if (q)
        sum += q->first;
    if (m == 2 && q)
        p = q->next;
    return sum;
}
