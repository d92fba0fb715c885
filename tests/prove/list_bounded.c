/* expect: unreachable */
extern void abort(void);
extern void *malloc(unsigned long);

void reach_error(void)
{
    abort();
}
void __VERIFIER_assert(int cond)
{
    if (!(cond)) {
    ERROR : {
        reach_error();
        abort();
    }
    }
    return;
}

struct N {
    int h;
    struct N *n;
};
int main(void)
{
    struct N *l = 0;
    int i;
    for (i = 0; i < 10; i++) {
        struct N *t = malloc(sizeof *t);
        if (!t)
            return 0;
        t->h = i;
        t->n = l;
        l = t;
    }
    i = 9;
    while (l) {
        __VERIFIER_assert(l->h == i);
        i--;
        l = l->n;
    }
    return 0;
}
