// Temporary files: they are new, writable, and those of tmpfile have no name.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    FILE *f = tmpfile(), *g = tmpfile();
    fprintf(f, "one %d", 1);
    fprintf(g, "two %d", 2);
    rewind(f);
    rewind(g);
    char a[16] = "", b[16] = "";
    fgets(a, sizeof a, f);
    fgets(b, sizeof b, g);
    printf("%s %s\n", a, b);
    struct stat st;
    fstat(fileno(f), &st);
    printf("%d %d %ld\n", S_ISREG(st.st_mode), (int)st.st_nlink, (long)st.st_size);
    fclose(f);
    fclose(g);
    char name[] = "tempXXXXXX", other[] = "tempXXXXXX", bad[] = "tempXXXX";
    int fd = mkstemp(name), fd2 = mkstemp(other);
    printf("%d %d %d\n", fd >= 0, fd2 >= 0, strcmp(name, other) != 0);
    printf("%d %d\n", strncmp(name, "temp", 4), (int)strlen(name));
    printf("%d %s\n", mkstemp(bad), strerror(errno));
    printf("%zd\n", write(fd, "abc", 3));
    printf("%d\n", (int)lseek(fd, 0, SEEK_SET));
    printf("%zd %.3s\n", read(fd, a, sizeof a), a);
    fstat(fd, &st);
    printf("%o\n", st.st_mode & 0777);
    close(fd);
    close(fd2);
    printf("%d %d\n", unlink(name), unlink(other));
    char directory[] = "dirXXXXXX";
    printf("%d\n", mkdtemp(directory) == directory);
    stat(directory, &st);
    printf("%d %o\n", S_ISDIR(st.st_mode), st.st_mode & 0777);
    printf("%d\n", rmdir(directory));
    char *unique = tempnam(NULL, "pre");
    printf("%d\n", access(unique, F_OK));
    free(unique);
    return 0;
}
