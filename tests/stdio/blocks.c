// fread and fwrite of structures and large blocks across buffer boundaries.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Record {
    int id;
    char name[12];
    double value;
} Record;

int main(void)
{
    Record records[50], back[60];
    memset(records, 0, sizeof records);
    for (int i = 0; i < 50; i++) {
        records[i].id = i;
        snprintf(records[i].name, sizeof records[i].name, "rec%d", i);
        records[i].value = i / 4.0;
    }
    FILE *f = tmpfile();
    printf("%zu\n", fwrite(records, sizeof *records, 50, f));
    rewind(f);
    size_t n = fread(back, sizeof *back, 60, f);
    printf("%zu %d %d\n", n, feof(f) != 0, memcmp(records, back, sizeof records));
    fseek(f, 7 * sizeof *back, SEEK_SET);
    n = fread(back, sizeof *back, 2, f);
    printf("%zu %d %s %.2f\n", n, back[1].id, back[1].name, back[1].value);
    printf("%zu %zu\n", fread(back, 0, 5, f), fwrite(back, 5, 0, f));
    fclose(f);

    size_t size = 100000;
    unsigned char *big = malloc(size), *copy = malloc(size);
    for (size_t i = 0; i < size; i++)
        big[i] = (unsigned char)(i * 7 + i / 256);
    f = tmpfile();
    for (size_t at = 0, step = 1; at < size; at += step, step = step * 3 % 8191 + 1) {
        size_t part = size - at < step ? size - at : step;
        if (fwrite(big + at, 1, part, f) != part)
            puts("short");
        if (at + step >= size)
            break;
    }
    rewind(f);
    memset(copy, 0, size);
    size_t got = 0, step = 5000;
    while ((n = fread(copy + got, 1, step < size - got ? step : size - got, f)) > 0) {
        got += n;
        step = step * 5 % 9973 + 1;
    }
    printf("%zu %d\n", got, memcmp(big, copy, size));
    rewind(f);
    unsigned long sum = 0;
    int c;
    while ((c = getc(f)) != EOF)
        sum = sum * 31 + (unsigned)c;
    printf("%lu\n", sum);
    rewind(f);
    putw(0x41424344, f);
    rewind(f);
    printf("%x\n", getw(f));
    fclose(f);
    free(big);
    free(copy);
    return 0;
}
