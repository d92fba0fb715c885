// Positions in files: fseek, ftell, rewind, fgetpos, fsetpos, append and update modes.
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void show(const char *name)
{
    FILE *f = fopen(name, "rb");
    int c;
    printf("<");
    while ((c = fgetc(f)) != EOF)
        putchar(c ? c : '.');
    printf(">\n");
    fclose(f);
}

int main(void)
{
    FILE *f = fopen("seek.dat", "w+b");
    for (int i = 0; i < 10; i++)
        fprintf(f, "%d", i);
    printf("%ld\n", ftell(f));
    fseek(f, 3, SEEK_SET);
    printf("%c %ld\n", fgetc(f), ftell(f));
    fseek(f, 2, SEEK_CUR);
    printf("%c\n", fgetc(f));
    fseek(f, -1, SEEK_END);
    printf("%c %d\n", fgetc(f), feof(f));
    printf("%d %d\n", fgetc(f), feof(f));
    fseek(f, -3, SEEK_CUR);
    printf("%c %d\n", fgetc(f), feof(f));
    printf("%d %d\n", fseek(f, -100, SEEK_SET), errno == EINVAL);
    printf("%d %d\n", fseek(f, -100, SEEK_CUR), errno == EINVAL);
    printf("%d %d\n", fseek(f, 0, 77), errno == EINVAL);
    fpos_t here;
    fseek(f, 5, SEEK_SET);
    fgetpos(f, &here);
    fputs("ABC", f);
    fsetpos(f, &here);
    printf("%c\n", fgetc(f));
    fseek(f, 15, SEEK_SET);
    fputc('!', f);
    fclose(f);
    show("seek.dat");

    f = fopen("seek.dat", "r+");
    fgetc(f);
    fseek(f, 0, SEEK_CUR);
    fputs("rr", f);
    fflush(f);
    printf("%ld\n", ftell(f));
    fclose(f);
    show("seek.dat");

    f = fopen("seek.dat", "a+");
    printf("%c ", fgetc(f));
    fseek(f, 2, SEEK_SET);
    fputs("end", f);
    printf("%ld ", ftell(f));
    rewind(f);
    printf("%c\n", fgetc(f));
    fclose(f);
    show("seek.dat");

    f = fopen("seek.dat", "a");
    fputs("x", f);
    printf("%ld\n", ftell(f));
    fclose(f);
    f = fopen("seek.dat", "r");
    char block[64];
    size_t n = fread(block, 1, sizeof block, f);
    printf("%zu %d %d\n", n, feof(f), ferror(f));
    printf("%d %d\n", fputc('x', f), ferror(f) != 0);
    clearerr(f);
    printf("%d %d\n", feof(f), ferror(f));
    fclose(f);
    remove("seek.dat");
    printf("%ld %d\n", ftell(stdin), errno == ESPIPE);
    return 0;
}
