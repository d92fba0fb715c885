/* What this program does is chosen by its input; test_suite_replay.c knows the line numbers. */
#include <assert.h>
#include <sheaf.h>
#include <stdlib.h>

void reach_error(void);

static void put(char *at, int i)
{
    at[i] = 1;
}

static int deep(volatile int n) { return n ? deep(n + 1) + 1 : 0; }

int main(int argc, char **argv)
{
    int x, y;
    sheaf_symbolic(&x, sizeof x, "x");
    char *p = malloc(8);
    switch (x) {
    case 1: return free(p), 7;
    case 2: exit(255);
    case 3: put(p, 8);
    /* falls through */
    case 4:
        assert(x == 0);
    case 5:
        abort();
    case 6:
        return *(volatile int *)(long)(argc - 1);
    case 7:
        return 100 / (argc - 1);
    case 8:
        y = 0x7fffffff;
        y += argc;
        return free(p), y < 0 ? 3 : 2;
    case 9: {
        int u[2];
        free(p);
        if (u[argc & 1])
            return 0;
        return 1;
    }
    case 10: p = malloc(99), p = NULL; return 4;
    case 11:
        reach_error();
        break;
    case 12:
        free(p);
        /* read after free */
        return p[2];
    case 13:
        free(p);
        /* twice */
        free(p);
        break;
    case 14: return deep(1);
    case 15: sheaf_assume(x < 15); break;
    case 16: sheaf_symbolic(&y, sizeof y, "y"); break;
    }
    free(p);
    if (x == 12345)
    {
        /* no test gets here */
        return 9;
    }
    return argv[1] != NULL;
}
