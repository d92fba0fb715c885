// options: --entry target --shape bytes --search random --seed 4 --object-size 1
// tests: 13
// The two pointers lead to one object or to two. Where they lead to two, what is written behind the second is not read behind
// the first, but might have been: the last place is reached only where they are one, m is above 0 and n is 0.

int target(int *p, int *q, int n, int m)
{
    int x = 3;
    if (n == 0)
        x = *p; //! null
    *p = 0; //! null
    *q = 1; //! null
    *p = 1;
    if (m > 0)
        *q = 0;
    if (*p == 1)
        __builtin_trap(); //! trap
    if (x == 2)
        __builtin_trap(); //! trap
    return 0;
}
