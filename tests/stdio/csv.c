// A small table read from a provided file, with sums, written back sorted.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Row {
    char name[16];
    int count;
    double price;
} Row;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const Row *)a)->name, ((const Row *)b)->name);
}

int main(int argc, char **argv)
{
    FILE *f = fopen(argc > 1 ? argv[1] : "table.csv", "r");
    if (!f) {
        perror(argv[1]);
        return 1;
    }
    Row rows[32];
    int n = 0;
    char line[80];
    while (n < 32 && fgets(line, sizeof line, f)) {
        Row *row = &rows[n];
        if (sscanf(line, " %15[^,],%d,%lf", row->name, &row->count, &row->price) == 3)
            n++;
        else
            printf("skipped: %s", line);
    }
    fclose(f);
    qsort(rows, (size_t)n, sizeof *rows, by_name);
    f = fopen("sorted.csv", "w");
    double total = 0;
    for (int i = 0; i < n; i++) {
        total += rows[i].count * rows[i].price;
        fprintf(f, "%s,%d,%.2f\n", rows[i].name, rows[i].count, rows[i].price);
    }
    fclose(f);
    f = fopen("sorted.csv", "r");
    int c;
    while ((c = fgetc(f)) != EOF)
        putchar(c);
    fclose(f);
    printf("total %.2f, 1st %s\n", total, rows[0].name);
    return remove("sorted.csv");
}
