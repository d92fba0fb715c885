// tests: 7
// options: --loop-bound 3 --entry length --shape bytes
// incomplete: loop
// replay: no because natively a cycle has no end
// Lists of 0, 1 and 2 nodes, cycles back to the first of one node, and to the first and second of two, and all that is longer.
// A list behind the entry's pointer may be a cycle: no decision is new in its second round, and the bound ends it.
struct node {
    struct node *next;
};

int length(const struct node *list)
{
    int n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}
