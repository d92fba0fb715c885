// tests: 5
// options: --loop-bound 4
// incomplete: loop
// The loop's decision is made in a function that it calls: the bound counts its iterations all the same.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds)
{
    if (!holds)
        reach_error();                        //! reported
}

int main(void)
{
    int y = 1;
    while (1) {
        y += 2 * __VERIFIER_nondet_int();
        check(y != 7);
    }
}
