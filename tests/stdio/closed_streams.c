// Output that cannot go anywhere: closed descriptors, streams for the other direction.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    errno = 0;
    printf("%d %d\n", fputc('x', stdin), errno == EBADF);
    printf("%d %d\n", ferror(stdin) != 0, fgetc(stdout));
    printf("%d\n", ferror(stdout) != 0);
    clearerr(stdout);
    FILE *f = fopen("closed.txt", "w");
    close(fileno(f));
    errno = 0;
    int put = fprintf(f, "%d", 5);
    int flushed = fflush(f), error = errno;
    printf("%d %d %s\n", put, flushed, strerror(error));
    printf("%d\n", fclose(f));
    f = fopen("closed.txt", "r");
    close(fileno(f));
    printf("%d", fgetc(f));
    printf(" %s %d %d\n", strerror(errno), ferror(f) != 0, feof(f));
    fclose(f);
    remove("closed.txt");
    close(2);
    printf("%d\n", fprintf(stderr, "lost") < 0);
    printf("%d %s\n", fileno(stdout), fdopen(77, "r") ? "open" : strerror(errno));
    fflush(stdout);
    close(1);
    int r = puts("never seen");
    int closed = fflush(stdout);
    return (r == EOF) * 2 + (closed == EOF);
}
