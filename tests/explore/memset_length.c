// tests: 2 to 6
// At most four bytes of four: no fault. The last is set where the length is 4.
#include <sheaf.h>
#include <string.h>

int main(void)
{
    char to[4] = {0};
    unsigned char n;
    sheaf_symbolic(&n, sizeof n, "n");
    sheaf_assume(n <= 4);
    memset(to, 'x', n);
    if (to[3] == 'x')
        return 1;
    return 0;
}
