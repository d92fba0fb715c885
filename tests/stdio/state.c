// feof, ferror, clearerr, sticky end of file; fflush of input; several streams over one file.
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

int main(void)
{
    FILE *w = fopen("s.txt", "w"), *r = fopen("s.txt", "r");
    printf("%d %d\n", fgetc(r), feof(r) != 0);
    fputs("late", w);
    printf("%d\n", fgetc(r));
    clearerr(r);
    printf("%d\n", fgetc(r));
    fflush(w);
    printf("%d\n", fgetc(r));
    clearerr(r);
    printf("%c\n", fgetc(r));
    printf("%zu %d %d\n", __fpending(w), __freadable(w) != 0, __fwritable(w) != 0);
    fputs("more", w);
    printf("%zu\n", __fpending(w));
    __fpurge(w);
    printf("%zu\n", __fpending(w));
    printf("%d\n", fclose(w));
    char rest[32] = "";
    printf("%s|\n", fgets(rest, sizeof rest, r));
    printf("%d %d\n", feof(r) != 0, ferror(r));
    fclose(r);
    FILE *a = fopen("s.txt", "r+"), *b = fopen("s.txt", "r+");
    fputs("AA", a);
    fputs("B", b);
    fclose(a);
    fclose(b);
    r = fopen("s.txt", "r");
    printf("%s\n", fgets(rest, sizeof rest, r));
    fclose(r);
    remove("s.txt");
    return 0;
}
