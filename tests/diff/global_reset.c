/* a variable that is only written: the new version resets it
 * VERDICT different */
int last;
void set(int n) { last = n; }
void reset(void)
{
#ifdef NEW
    last = 0;
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    set(3);
    reset();
    printf("%d\n", last);
    return 0;
}
#endif
