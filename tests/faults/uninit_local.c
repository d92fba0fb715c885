// fault: uninit
// check: uninit
#include <stdio.h>

int main(int argc, char **argv)
{
    int x;
    (void)argv;
    if (argc > 1)
        x = 5;
    if (x == 5)
        puts("five");
    return 0;
}
