// tests: 3
// What is written to a file comes back from it, symbolic as it is. Below 'a', above it, or 'a'.
#include <assert.h>
#include <sheaf.h>
#include <stdio.h>

int main(void)
{
    unsigned char c;
    sheaf_symbolic(&c, sizeof c, "c");
    FILE *f = fopen("scratch", "w+");
    if (!f)
        return 9;
    fputc(c, f);
    fputc('!', f);
    rewind(f);
    int back = fgetc(f);
    assert(back == c);
    assert(fgetc(f) == '!');
    fclose(f);
    if (back < 'a')
        return 1;
    if (back > 'a')
        return 2;
    return 0;
}
