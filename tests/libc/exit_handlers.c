/* exit: handlers in reverse, handlers that register handlers, exit within a handler, buffered output. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static void first(void)
{
    printf("first\n");
}

static void late(void)
{
    printf("late\n");
}

static void second(void)
{
    printf("second registers\n");
    atexit(late);
}

static void third(void)
{
    printf("third exits again");
    exit(9);
}

static void with_status(int status, void *argument)
{
    printf(" status %d %s\n", status, (char *)argument);
}

int main(void)
{
    atexit(first);
    on_exit(with_status, "argument");
    atexit(second);
    atexit(third);
    on_exit(with_status, "early");
    for (int i = 0; i < 40; i++)
        atexit(first);
    printf("main");
    return 5;
}
