// tests: 2 to 20
// Three digits leave no room for the NUL: a number of at least 100.
#include <sheaf.h>
#include <stdio.h>

int main(void)
{
    char text[3];
    unsigned char n;
    sheaf_symbolic(&n, sizeof n, "n");
    sprintf(text, "%u", n); //! oob-write
    return 0;
}
