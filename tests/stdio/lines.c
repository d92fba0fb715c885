// fgets, getline, getdelim on standard input with and without a last newline.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char small[6];
    for (int i = 0; i < 4 && fgets(small, sizeof small, stdin); i++)
        printf("[%s]", small);
    printf("\n");
    char *line = NULL;
    size_t capacity = 0;
    ssize_t n = getline(&line, &capacity, stdin);
    printf("%zd %d %s", n, capacity >= (size_t)n + 1, line);
    n = getdelim(&line, &capacity, ';', stdin);
    printf("%zd %s\n", n, line);
    int lines = 0;
    size_t total = 0;
    while ((n = getline(&line, &capacity, stdin)) > 0) {
        lines++;
        total += (size_t)n;
    }
    printf("%d %zu %zd %d\n", lines, total, n, feof(stdin));
    printf("%d\n", line[strlen(line) - 1] == '\n');
    free(line);
    char *again = fgets(small, sizeof small, stdin);
    printf("%d\n", again == NULL);
    return 0;
}
