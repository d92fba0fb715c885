// open, read, write, lseek, dup, dup2, fcntl, ftruncate, pread, pwrite, readv, writev.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void)
{
    char buffer[64];
    umask(022);
    int fd = open("d.dat", O_RDWR | O_CREAT | O_EXCL, 0666);
    printf("%d %d\n", fd, open("d.dat", O_RDWR | O_CREAT | O_EXCL, 0666));
    printf("%s\n", strerror(errno));
    printf("%zd\n", write(fd, "0123456789", 10));
    int copy = dup(fd);
    printf("%d %ld\n", copy, (long)lseek(copy, 4, SEEK_SET));
    printf("%zd %.3s\n", read(fd, buffer, 3), buffer);
    printf("%ld\n", (long)lseek(copy, 0, SEEK_CUR));
    int own = open("d.dat", O_RDONLY);
    printf("%ld\n", (long)lseek(own, 0, SEEK_CUR));
    printf("%zd %s\n", write(own, "x", 1), strerror(errno));
    printf("%zd %.4s\n", pread(fd, buffer, 4, 2), buffer);
    printf("%zd\n", pwrite(fd, "AB", 2, 8));
    printf("%ld\n", (long)lseek(fd, 0, SEEK_CUR));
    char a[3] = "", b[5] = "";
    struct iovec in[2] = {{a, 2}, {b, 4}};
    lseek(fd, 0, SEEK_SET);
    printf("%zd %s %s\n", readv(fd, in, 2), a, b);
    struct iovec out[2] = {{"<<", 2}, {">>", 2}};
    lseek(fd, 0, SEEK_END);
    printf("%zd\n", writev(fd, out, 2));
    printf("%d\n", ftruncate(fd, 12));
    lseek(fd, 0, SEEK_SET);
    ssize_t n = read(fd, buffer, sizeof buffer);
    printf("%zd %.*s\n", n, (int)n, buffer);
    printf("%d %d\n", dup2(fd, 20), fcntl(20, F_GETFD));
    printf("%d\n", fcntl(fd, F_DUPFD, 30));
    printf("%d %d\n", fcntl(fd, F_GETFL) & O_ACCMODE, fcntl(fd, F_SETFL, O_APPEND));
    printf("%d\n", (fcntl(20, F_GETFL) & O_APPEND) != 0);
    lseek(fd, 0, SEEK_SET);
    write(fd, "appended", 8);
    struct stat st;
    fstat(fd, &st);
    printf("%ld %o %d\n", (long)st.st_size, st.st_mode & 0777, S_ISREG(st.st_mode));
    printf("%d %d %s\n", close(fd), close(fd), strerror(errno));
    printf("%zd %s\n", read(99, buffer, 1), strerror(errno));
    printf("%ld %s\n", (long)lseek(0, 0, SEEK_CUR), strerror(errno));
    printf("%ld %s\n", (long)lseek(20, -1, SEEK_SET), strerror(errno));
    printf("%d %d\n", isatty(1), isatty(20));
    printf("%d %s\n", truncate("d.dat", 3), strerror(errno = 0));
    stat("d.dat", &st);
    printf("%ld\n", (long)st.st_size);
    printf("%d %d %s\n", unlink("d.dat"), unlink("d.dat"), strerror(errno));
    lseek(20, 0, SEEK_SET);
    n = read(20, buffer, sizeof buffer);
    printf("%zd %.*s\n", n, (int)n, buffer);
    return 0;
}
