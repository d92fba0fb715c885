/* one byte more is read of the caller's stream
 * VERDICT different */
#include <stdio.h>
int first(FILE *in)
{
    int c = fgetc(in);
#ifdef NEW
    if (c == '#')
        fgetc(in);
#endif
    return c;
}

#ifdef BRUTE
int main(void)
{
    for (int i = 0; i < 256; i++) {
        FILE *in = tmpfile();
        fputc(i, in);
        fputc('x', in);
        rewind(in);
        printf("%d", first(in));
        printf(" %ld\n", ftell(in));
        fclose(in);
    }
    return 0;
}
#endif
