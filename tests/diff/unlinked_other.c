/* another file is removed
 * VERDICT different */
#include <stdio.h>
#include <unistd.h>
int forget(int all)
{
#ifdef NEW
    return unlink(all ? "sheaf-pair-one" : "sheaf-pair-two");
#else
    return unlink("sheaf-pair-one");
#endif
}

#ifdef BRUTE
int main(void)
{
    fclose(fopen("sheaf-pair-two", "w"));
    forget(0);
    printf("%d\n", access("sheaf-pair-two", F_OK));
    unlink("sheaf-pair-two");
    return 0;
}
#endif
