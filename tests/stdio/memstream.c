// Streams over memory: fmemopen and open_memstream.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char text[] = "10 20 thirty";
    FILE *f = fmemopen(text, strlen(text), "r");
    int a, b;
    char word[16];
    printf("%d", fscanf(f, "%d%d%15s", &a, &b, word));
    printf(" %d %d %s\n", a, b, word);
    printf("%d %d\n", fgetc(f), feof(f) != 0);
    rewind(f);
    printf("%c%c\n", fgetc(f), fgetc(f));
    printf("%ld\n", ftell(f));
    printf("%d\n", fseek(f, -2, SEEK_END));
    printf("%c\n", fgetc(f));
    printf("%d\n", fputc('x', f));
    fclose(f);

    char area[16];
    memset(area, '#', sizeof area);
    f = fmemopen(area, sizeof area, "w");
    fprintf(f, "%d-%s", 42, "x");
    fflush(f);
    printf("%s %ld\n", area, ftell(f));
    fclose(f);
    f = fmemopen(area, sizeof area, "a+");
    fputs("+more", f);
    fflush(f);
    printf("%s\n", area);
    rewind(f);
    printf("%s\n", fgets(word, sizeof word, f));
    fclose(f);
    f = fmemopen(NULL, 32, "w+");
    fprintf(f, "own %g", 0.5);
    rewind(f);
    printf("%s\n", fgets(word, sizeof word, f));
    fclose(f);
    f = fmemopen(area, 4, "w");
    setbuf(f, NULL);
    printf("%d ", fputs("abcdef", f));
    printf("%d\n", fclose(f));
    printf("%.4s\n", area);

    char *out = NULL;
    size_t size = 99;
    f = open_memstream(&out, &size);
    fflush(f);
    printf("%zu [%s]\n", size, out);
    fprintf(f, "%s %d %5.2f", "hello", 7, 1.5);
    fflush(f);
    printf("%zu [%s]\n", size, out);
    for (int i = 0; i < 2000; i++)
        fputc('a' + i % 26, f);
    fclose(f);
    printf("%zu %zu %.30s\n", size, strlen(out), out);
    free(out);
    f = open_memstream(&out, &size);
    fputs("0123456789", f);
    fseek(f, 3, SEEK_SET);
    fputs("xyz", f);
    fflush(f);
    printf("%zu %s\n", size, out);
    fputs("!", f);
    fclose(f);
    printf("%zu %s\n", size, out);
    free(out);
    return 0;
}
