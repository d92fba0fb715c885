/* What was written to a file decides, long after it was written. Nothing but the file tells the paths apart. */
#include <stdio.h>
#include <stdlib.h>

static void put(FILE *f, int c)
{
    if (c == 'a')
        fputc('x', f);
    else
        fputc('y', f);
}

int main(void)
{
    FILE *f = tmpfile();
    if (!f)
        return 1;
    put(f, getchar());
    fflush(f);
    put(f, getchar());
    rewind(f);
    if (getchar() == '?' && fgetc(f) == 'y' && fgetc(f) == 'x')
        abort();
    return 0;
}
