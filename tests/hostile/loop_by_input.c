// run: 0
// test: 3 runs
// As many paths as a word has values.
#include <sheaf.h>

int main(void)
{
    unsigned n, i;
    sheaf_symbolic(&n, sizeof n, "n");
    for (i = 0; i < n; i++)
        ;
    return (int)(i & 1);
}
