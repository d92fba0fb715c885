/* _exit: no handler, no flush. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void never(void)
{
    write(1, "never\n", 6);
}

int main(void)
{
    atexit(never);
    write(1, "out\n", 4);
    _exit(77);
}
