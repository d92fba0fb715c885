/* expect: fails */
/* An input is put between two words, one of which is read. */
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    static int words[4];
    unsigned i;
    sheaf_symbolic(&i, sizeof i, "i");
    sheaf_symbolic((char *)words + 1, 4, "between");
    if (i < 4 && words[i])
        abort();
    return 0;
}
