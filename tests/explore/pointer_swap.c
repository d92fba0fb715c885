// tests: 4
// Two pointers chosen by branches; writing through one is seen through the other only if they are the same.
#include <assert.h>
#include <sheaf.h>

int main(void)
{
    int one = 1, two = 2, *p, *q;
    unsigned char choice;
    sheaf_symbolic(&choice, sizeof choice, "choice");
    if (choice & 1)
        p = &one;
    else
        p = &two;
    if (choice & 2)
        q = &one;
    else
        q = &two;
    *p = 5;
    assert((*q == 5) == (p == q));
    return *q;
}
