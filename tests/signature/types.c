// What C calls the places of inputs and outputs: members, elements, pointers to each other's objects, characters, fractions.
struct node {
    int value;
    struct node *next;
};
struct buffer {
    char *data;
    unsigned length, room;
    double weight;
};

int sum(struct node *n)
{
    int s = 0;
    for (int i = 0; n && i < 2; i++, n = n->next)
        s += n->value;
    return s;
}

int put(struct buffer *b, char c)
{
    if (b->length >= b->room)
        return -1;
    b->data[b->length++] = c;
    b->weight *= 0.5;
    return 0;
}

int same(int *p, int *q)
{
    if (!p || !q)
        return -1;
    *p = 1;
    *q = 2;
    return *p;
}

unsigned char upper(unsigned char c)
{
    return c >= 'a' && c <= 'z' ? c - 32 : c;
}

double half(double x)
{
    return x > 0 ? x / 2 : 0.25;
}

int call(int (*f)(int), int x)
{
    return x > 0 ? f(x) : 0;
}
