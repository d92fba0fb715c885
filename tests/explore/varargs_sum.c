// tests: 4
// The count says how many arguments are taken: 0 to 3.
#include <sheaf.h>
#include <stdarg.h>

static int sum(int n, ...)
{
    va_list args;
    int total = 0;
    va_start(args, n);
    for (int i = 0; i < n; i++)
        total += va_arg(args, int);
    va_end(args);
    return total;
}

int main(void)
{
    unsigned char n;
    sheaf_symbolic(&n, sizeof n, "n");
    sheaf_assume(n <= 3);
    return sum(n, 10, 20, 30);
}
