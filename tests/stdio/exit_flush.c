// Output still buffered at exit appears, also from handlers, and the status is kept.
#include <stdio.h>
#include <stdlib.h>

static void goodbye(void)
{
    printf("goodbye");
}

int main(void)
{
    FILE *f = fopen("/dev/stdout", "w");
    atexit(goodbye);
    printf("no newline, no flush");
    fflush(stdout);
    fprintf(f, "|another stream|");
    fflush(f);
    exit(300 % 256);
}
