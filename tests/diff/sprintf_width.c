/* sprintf is no longer called for the length it returns
 * VERDICT same */
#include <stdio.h>
#include <string.h>
int width(unsigned char v)
{
#ifdef NEW
    return v < 10 ? 1 : v < 100 ? 2 : 3;
#else
    char b[8];
    return sprintf(b, "%u", v);
#endif
}
#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 256; i++)
        printf("%d", width(i));
    return 0;
}
#endif
