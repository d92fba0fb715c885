// fault: oob-write
#include <stdio.h>

int main(void)
{
    char name[8];
    int n = 0;
    for (int c = 'a'; c <= 'i'; c++)
        *(name + n++) = (char)c;
    printf("%.8s\n", name);
    return 0;
}
