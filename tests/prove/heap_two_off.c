/* expect: fails */
/* Objects that one line makes in different iterations are different objects. */
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    int n, value, *last = NULL, *before = NULL;
    sheaf_symbolic(&n, sizeof n, "n");
    for (int i = 0; i < n; i++) {
        sheaf_symbolic(&value, sizeof value, "value");
        before = last;
        last = malloc(sizeof *last);
        *last = value;
    }
    if (before && *last != *before)
        abort();
    return 0;
}
