/* quick_exit runs its own handlers and flushes nothing. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void normal(void)
{
    write(1, "normal\n", 7);
}

static void quick(void)
{
    write(1, "quick\n", 6);
}

static void quicker(void)
{
    write(1, "quicker\n", 8);
}

int main(void)
{
    atexit(normal);
    at_quick_exit(quick);
    at_quick_exit(quicker);
    write(1, "start\n", 6);
    quick_exit(300);
}
