/* strcmp becomes strncmp with too small a length
 * VERDICT different */
#include <string.h>
int is_quit(const char *s)
{
#ifdef NEW
    return !strncmp(s, "quit", 4);
#else
    return !strcmp(s, "quit");
#endif
}

#ifdef BRUTE
#include <stdio.h>
int main(void)
{
    const char *s[] = {"", "quit", "quits", "qui", "quit "};
    for (int i = 0; i < 5; i++)
        printf("%d\n", is_quit(s[i]));
    return 0;
}
#endif
