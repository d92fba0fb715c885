/* a flush more, where nothing can tell
 * VERDICT same */
#include <stdio.h>
void show(int n)
{
    printf("n is %d\n", n);
#ifdef NEW
    fflush(stdout);
#endif
    printf("and %d\n", n + 1);
}

#ifdef BRUTE
int main(void)
{
    show(1);
    show(2);
    return 0;
}
#endif
