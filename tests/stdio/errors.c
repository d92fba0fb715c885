// perror: standard error is not compared, but status and order on standard output are.
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    dup2(1, 2);
    errno = ENOENT;
    perror("prefix");
    errno = ENOENT;
    perror("");
    errno = ENOMEM;
    perror(NULL);
    fprintf(stderr, "%s %d\n", "unbuffered", 1);
    printf("buffered\n");
    fputs("unbuffered too\n", stderr);
    fflush(stdout);
    for (int i = 0; i < 3; i++)
        fputc('a' + i, stderr);
    fputc('\n', stderr);
    errno = EACCES;
    printf("shown before the error\n");
    printf("left\n");
    return 3;
}
