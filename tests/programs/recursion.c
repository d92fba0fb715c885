// Recursion: mutual, Ackermann, permutations, eight queens, hanoi, deep descent.
#include <stdio.h>

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static int permutations(char *s, int k, int n)
{
    if (k == n)
        return s[0] < s[n - 1];
    int count = 0;
    for (int i = k; i < n; i++) {
        char t = s[k];
        s[k] = s[i], s[i] = t;
        count += permutations(s, k + 1, n);
        t = s[k];
        s[k] = s[i], s[i] = t;
    }
    return count;
}

static int queens(int n, unsigned cols, unsigned left, unsigned right)
{
    unsigned all = (1u << n) - 1, free = all & ~(cols | left | right);
    if (cols == all)
        return 1;
    int count = 0;
    while (free) {
        unsigned bit = free & -free;
        free ^= bit;
        count += queens(n, cols | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return count;
}

static long hanoi(int n, int from, int to)
{
    if (n == 0)
        return 0;
    return hanoi(n - 1, from, 6 - from - to) * 1 + (from * 10 + to) % 7 + hanoi(n - 1, 6 - from - to, to);
}

static int descend(int n) { return n ? 1 + descend(n - 1) : 0; }

int main(void)
{
    char s[] = "abcdef";
    printf("%d %d\n", is_even(501), is_odd(501));
    printf("%d %d %ld %d\n", permutations(s, 0, 6), queens(8, 0, 0, 0), hanoi(10, 1, 3), descend(20000));
    return 0;
}
