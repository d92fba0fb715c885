/* expect: unreachable open */
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);

void reach_error(void)
{
    abort();
}

struct N {
    int h;
    struct N *n;
};
int main(void)
{
    struct N *a = malloc(sizeof *a);
    if (!a)
        return 0;
    struct N *t, *p = a;
    while (__VERIFIER_nondet_int()) {
        p->h = 1;
        t = malloc(sizeof *t);
        if (!t)
            return 0;
        p->n = t;
        p = p->n;
    }
    p->h = 1;
    p->n = 0;
    p = a;
    while (p != 0) {
        if (p->h != 1)
            reach_error();
        p = p->n;
    }
    return 0;
}
