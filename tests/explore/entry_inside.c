// tests: 4
// options: --entry put --shape bytes
// incomplete: alias
// At constant offsets, and of one size when rounded up: `at` may be &pair[1], where 100 is divided by zero, which is not tried. NULL
// each (2), apart, or the same.
int put(int *pair, int *at)
{
    pair[0] = 1; //! null
    pair[1] = 2;
    *at = 3; //! null
    return pair[1] == 3 ? 100 / (pair[1] - 3) : 0;
}
