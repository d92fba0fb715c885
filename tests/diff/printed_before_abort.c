/* what is printed before both abort
 * VERDICT different */
#include <stdio.h>
#include <stdlib.h>
void give_up(int x)
{
#ifdef NEW
    fprintf(stderr, "bad %d\n", x + 1);
#else
    fprintf(stderr, "bad %d\n", x);
#endif
    abort();
}
int check(int x)
{
    if (x > 100)
        give_up(x);
    return x;
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    setvbuf(stdout, 0, _IONBF, 0);
    fclose(stderr);
    stderr = stdout;
    check(500);
    return 0;
}
#endif
