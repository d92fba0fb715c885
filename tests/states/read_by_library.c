/* A buffer that a stream was given, and a handler of signals, read what main does not. */
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
static int seen, got[3];
static void on(int s)
{
    (void)s;
    if (got[0] == 'a' && got[2] == 'c')
        abort();
    got[1] = 0;
}
int main(void)
{
    static char buf[64];
    char loc[8] = {0};
    FILE *f = fopen("o", "w+");
    signal(SIGUSR1, on);
    if (f)
        setvbuf(f, buf, _IOFBF, sizeof buf);
    for (int i = 0; i < 3; i++) {
        int c = getchar();
        got[i] = c;
        loc[i] = c == 'x' ? 'X' : '.';
        if (f)
            fputc(loc[i], f);
        if (c == 'c')
            raise(SIGUSR1);
        seen += c == 'x';
        loc[i] = 0;
    }
    if (f) {
        rewind(f);
        int n = 0, c;
        while ((c = fgetc(f)) != EOF)
            n += c == 'X';
        if (n == 2)
            abort();
        fclose(f);
    }
    got[0] = got[1] = got[2] = 0;
    return 0;
}
