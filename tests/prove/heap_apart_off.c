/* expect: fails */
/* Objects that one line makes in different iterations have different addresses. */
#include <sheaf.h>
#include <stdlib.h>

int main(void)
{
    int n, value;
    char *last = NULL;
    sheaf_symbolic(&n, sizeof n, "n");
    for (int i = 0; i < n; i++) {
        sheaf_symbolic(&value, sizeof value, "value");
        char *p = malloc(1);
        if (last && p != last && value == 5)
            abort();
        last = p;
    }
    return 0;
}
