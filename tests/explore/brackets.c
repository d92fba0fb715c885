// tests: 13
// options: --sym-stdin 4
// A parser of nested brackets by recursive descent. It reads '(' group ')' group or nothing. From a place with k bytes left and
// d open brackets the next byte is '(' or not, and where a bracket is open and it is not '(', it is ')' or not.
// P(k, d): with k = 0 one path (end). d = 0: '(' -> P(k-1, 1), else stop: 1. d > 0: '(' -> P(k-1, d+1), ')' -> P(k-1, d-1), else 1.
// P(1,0) = 2, P(1,d) = 3, P(2,0) = 4, P(2,1) = 3 + 2 + 1 = 6, P(2,2) = 7, P(3,0) = 7, P(3,1) = 7 + 4 + 1 = 12, P(4,0) = 13.
// Then the verdict is computed without a branch.
#include <stdio.h>

static int next, depth;

static int group(void)
{
    while (next == '(') {
        next = getchar();
        depth++;
        if (!group() || next != ')')
            return 0;
        next = getchar();
    }
    return 1;
}

int main(void)
{
    next = getchar();
    int balanced = group();
    return balanced & (next == EOF);
}
