// What printf leaves in its buffer comes after what write sends at once, unless it is flushed.
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
    printf("first by printf %d\n", 1);
    direct("second by write\n");
    fflush(stdout);
    direct("third by write\n");
    printf("fourth %s", "without newline");
    direct("fifth by write\n");
    putchar('\n');
    fflush(NULL);
    for (int i = 0; i < 900; i++) {
        printf("line %4d\n", i);                 /* ten bytes: fills the buffer more than once */
        if (i % 300 == 299)
            direct("-- direct --\n");
    }
    char block[5000];
    memset(block, '=', sizeof block);
    block[4999] = '\n';
    fwrite(block, 1, sizeof block, stdout);
    direct("-- after the block --\n");
    for (int i = 0; i < 5000; i++)
        putchar(i % 50 == 49 ? '\n' : '.');
    direct("-- after the dots --\n");
    return 0;
}
