// tests: 6
// Five entries: three that cannot fail, one that divides (fine, or by zero), one that is NULL.
#include <sheaf.h>
#include <stddef.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int quotient(int a, int b) { return a / b; } //! div-zero

static int (*const table[])(int, int) = {add, sub, mul, quotient, NULL};

int main(void)
{
    unsigned char op, a, b;
    sheaf_symbolic(&op, sizeof op, "op");
    sheaf_symbolic(&a, sizeof a, "a");
    sheaf_symbolic(&b, sizeof b, "b");
    sheaf_assume(op < sizeof table / sizeof *table);
    return table[op](a, b) & 0xff; //! bad-call
}
