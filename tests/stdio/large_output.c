// Much output in every way: bytes, lines, numbers.
#include <stdio.h>

int main(void)
{
    for (int i = 0; i < 20000; i++)
        putchar(' ' + i % 90);
    putchar('\n');
    for (int i = 0; i < 3000; i++)
        printf("%d %x %5.2f\n", i * i, i, i / 3.0);
    for (int i = 0; i < 500; i++)
        puts("the same line again");
    for (int i = 0; i < 500; i++)
        fprintf(stdout, "%s=%ld;", "key", (long)i * 1000003);
    return 0;
}
