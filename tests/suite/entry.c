/* An entry function behind pointers; main would never end. */
struct node {
    int value;
    struct node *next;
};

static int sum(const struct node *list, unsigned limit, double scale)
{
    int total = 0;
    for (unsigned i = 0; list && i < limit; i++, list = list->next)
        total += list->value;
    if (total == 154)
        return total / (int)(scale * 10);
    return total;
}

int main(void)
{
    for (;;)
        sum(0, 0, 0);
}
