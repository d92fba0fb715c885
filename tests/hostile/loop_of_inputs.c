// run: 0
// test: 3 runs
// Inputs without end: each iteration asks for a further one.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned n = 0;
    while (__VERIFIER_nondet_int() != 0)
        n++;
    return (int)(n & 1);
}
