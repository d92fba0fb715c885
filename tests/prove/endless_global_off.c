/* expect: fails */
extern int __VERIFIER_nondet_int(void);

int g, t[4];

int main(void)
{
    g = __VERIFIER_nondet_int();
    for (;;) {                                /* main never returns: it writes g all the same */
        t[g] = 1;
        if (g > 8)
            g = 0;
    }
}
