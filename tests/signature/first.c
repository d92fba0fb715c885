// Looks at the first byte of standard input only.
#include <stdio.h>

int main(void)
{
    int c = getchar();
    if (c == 'a')
        puts("a");
    else
        puts("other");
    return 0;
}
