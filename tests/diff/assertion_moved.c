/* an assertion moved down, where nothing between can fail
 * VERDICT same */
#include <assert.h>
/* Half of an even number. */
int half(int x)
{
    x &= 254;
#ifdef NEW
    int result = x / 2;
    assert(x % 2 == 0);
    return result;
#else
    assert(x % 2 == 0);
    int result = x / 2;
    return result;
#endif
}

#ifdef BRUTE
#include <limits.h>
#include <stdio.h>
int main(void)
{
    for (int a = -300; a <= 300; a++)
        printf("%d\n", half(a));
    return 0;
}
#endif
