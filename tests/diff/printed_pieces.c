/* one call of printf becomes several of printf, fputs and putchar: the stream is left as it was
 * VERDICT same */
#include <stdio.h>
void report(int a, unsigned b, int late)
{
    const char *word = late ? "late" : "-";
#ifdef NEW
    printf("%d", a);
    printf(" %u ", b);
    fputs(word, stdout);
    putchar('\n');
#else
    printf("%d %u %s\n", a, b, word);
#endif
}

#ifdef BRUTE
int main(void)
{
    report(-1, 4000000000u, 1);
    report(3, 0, 0);
    return 0;
}
#endif
