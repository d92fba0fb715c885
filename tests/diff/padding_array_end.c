/* what follows the array at the end of a structure is more of the array, not padding
 * VERDICT different */
struct text {
    int length;
    char first;
    char rest[1];
};
void end(struct text *t)
{
#ifdef NEW
    t->rest[0] = 0;
#else
    ((char *)t)[6] = 0;
    t->rest[0] = 0;
#endif
}

#ifdef BRUTE
#include <stdio.h>
#include <string.h>
int main(void)
{
    struct text t;
    memset(&t, 1, sizeof t);
    end(&t);
    printf("%d\n", ((char *)&t)[6]);
    return 0;
}
#endif
