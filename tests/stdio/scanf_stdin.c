// scanf from standard input.
#include <stdio.h>

int main(void)
{
    int i, j;
    unsigned u;
    long l;
    double d;
    float f;
    char word[32], line[64], c;
    printf("%d", scanf("%d %d", &i, &j));
    printf(" %d %d\n", i, j);
    printf("%d", scanf("%x %o %i", &u, (unsigned *)&i, &j));
    printf(" %u %d %d\n", u, i, j);
    printf("%d", scanf("%lf%f", &d, &f));
    printf(" %g %g\n", d, f);
    printf("%d", scanf("%31s", word));
    printf(" %s\n", word);
    printf("%d", scanf(" %c%c", &c, &word[0]));
    printf(" %c%c\n", c, word[0]);
    printf("%d", scanf(" %31[a-z]%*[0-9]%63[^\n]", word, line));
    printf(" %s|%s\n", word, line);
    printf("%d", scanf("%3d%3d", &i, &j));
    printf(" %d %d\n", i, j);
    int n = -1;
    printf("%d", scanf("%*d%n", &n));
    printf(" %d\n", n);
    printf("%d", scanf("key=%d", &i));
    printf("\n%d", scanf(" key=%ld", &l));
    printf(" %ld\n", l);
    printf("%d", scanf("%d", &i));
    printf(" %c\n", getchar());
    while (scanf("%31s", word) == 1)
        printf("<%s>", word);
    printf("\n%d %d %d\n", scanf("%d", &i), feof(stdin), ferror(stdin));
    return 0;
}
