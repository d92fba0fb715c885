/* expect: unreachable open */
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);

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
    while (__VERIFIER_nondet_int()) {
        struct N *t = malloc(sizeof *t);
        if (!t)
            return 0;
        t->h = 1;
        t->n = l;
        l = t;
    }
    while (l) {
        __VERIFIER_assert(l->h == 1);
        struct N *n = l->n;
        free(l);
        l = n;
    }
    return 0;
}
