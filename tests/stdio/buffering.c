// setvbuf: none, lines, full; seen through writes beside it.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void direct(const char *text)
{
    if (write(1, text, strlen(text)) < 0)
        _exit(9);
}

int main(void)
{
    static char own[64];
    printf("%d\n", setvbuf(stdout, NULL, _IONBF, 0));
    printf("unbuffered %d ", 1);
    direct("then direct\n");
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("line one\nand a part");
    direct("[direct between]");
    printf(" of line two\n");
    direct("direct after the line\n");
    setvbuf(stdout, own, _IOFBF, sizeof own);
    for (int i = 0; i < 30; i++)
        putchar('0' + i % 10);
    direct("[early]");
    for (int i = 0; i < 50; i++)
        putchar('a' + i % 26);
    direct("[middle]\n");
    putchar('\n');
    fflush(stdout);
    printf("%d\n", setvbuf(stdout, NULL, 77, 0) != 0);
    setvbuf(stdout, NULL, _IOFBF, BUFSIZ);
    fputs("to error\n", stderr);
    fprintf(stdout, "done\n");
    return 0;
}
