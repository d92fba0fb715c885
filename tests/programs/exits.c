// Ending: atexit handlers in reverse order, output before and within, exit status from exit.
#include <stdio.h>
#include <stdlib.h>

static void first(void) { puts("registered first, runs last"); }
static void second(void) { puts("registered second"); atexit(first); }
__attribute__((constructor)) static void before(void) { puts("constructor"); }
__attribute__((destructor)) static void after(void) { puts("destructor"); }

static void deep(int n)
{
    if (n == 0)
        exit(42);
    deep(n - 1);
    puts("never");
}

int main(void)
{
    atexit(first);
    atexit(second);
    printf("no newline at the end of this");
    deep(10);
    return 1;
}
