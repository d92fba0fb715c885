/* expect: fails */
/* A store that promises more alignment than it has. */
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    static int words[4];
    unsigned i;
    sheaf_symbolic(&i, sizeof i, "i");
    *(int *)((char *)words + 1) = -1;
    if (i < 4 && words[i])
        abort();
    return 0;
}
