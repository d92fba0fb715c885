// Standard output redirected with dup2 and freopen, and restored.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show(const char *name)
{
    FILE *f = fopen(name, "r");
    char line[64];
    while (f && fgets(line, sizeof line, f))
        printf("%s: %s", name, line);
    if (f)
        fclose(f);
    remove(name);
}

int main(void)
{
    printf("before\n");
    fflush(stdout);
    int saved = dup(1);
    int fd = open("one.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(fd, 1);
    close(fd);
    printf("into one %d\n", 1);
    puts("and more");
    fflush(stdout);
    dup2(saved, 1);
    printf("back\n");
    fflush(stdout);
    show("one.txt");

    FILE *same = freopen("two.txt", "w", stdout);
    printf("into two\n");
    fflush(stdout);
    int right = same == stdout && fileno(stdout) == 1;
    dup2(saved, 1);
    printf("freopen %d\n", right);
    show("two.txt");

    FILE *in = fopen("three.txt", "w");
    fputs("12 34\n", in);
    fclose(in);
    if (!freopen("three.txt", "r", stdin))
        return 1;
    int a, b;
    if (scanf("%d%d", &a, &b) == 2)
        printf("%d %d %d\n", a, b, fileno(stdin));
    remove("three.txt");
    FILE *alias = fdopen(dup(1), "w");
    fflush(stdout);
    fprintf(alias, "by another stream\n");
    fclose(alias);
    printf("%d\n", freopen("no/such/dir", "r", stdin) == NULL);
    fclose(stdout);
    return write(saved, "last\n", 5) == 5 ? 7 : 8;
}
