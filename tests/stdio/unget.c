// ungetc and its effect on position, end of file and scanf.
#include <stdio.h>

int main(void)
{
    printf("%d\n", ungetc(EOF, stdin));
    int c = getchar();
    printf("%c", c);
    ungetc(c, stdin);
    printf("%c", getchar());
    ungetc('Z', stdin);
    printf("%c", getchar());
    printf("%c\n", getchar());
    int value;
    if (scanf("%d", &value) == 1)
        printf("%d then '%c'\n", value, getchar());
    while ((c = getchar()) != EOF)
        putchar(c);
    printf("%d ", feof(stdin));
    ungetc('!', stdin);
    printf("%d ", feof(stdin));
    printf("%c %d %d\n", getchar(), getchar(), feof(stdin));

    FILE *f = tmpfile();
    fputs("0123456789", f);
    rewind(f);
    fgetc(f), fgetc(f), fgetc(f);
    printf("%ld ", ftell(f));
    ungetc('x', f);
    printf("%ld ", ftell(f));
    printf("%c%c ", fgetc(f), fgetc(f));
    ungetc('y', f);
    fseek(f, 0, SEEK_CUR);
    printf("%c ", fgetc(f));
    ungetc('z', f);
    rewind(f);
    printf("%c\n", fgetc(f));
    fclose(f);
    return 0;
}
