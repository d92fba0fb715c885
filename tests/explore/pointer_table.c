// tests: 4
// The pointer is one of three objects' addresses or NULL, chosen by an index that stays symbolic: one path for each.
#include <sheaf.h>
#include <stddef.h>

static int a = 1, b = 2, c = 3;
static int *const at[4] = {&a, &b, &c, NULL};

int main(void)
{
    unsigned char i;
    sheaf_symbolic(&i, sizeof i, "i");
    int *p = at[i & 3];
    *p += 10; //! null
    return a + b + c;
}
