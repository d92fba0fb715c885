// mmap of anonymous memory and of files.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    unsigned char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned long sum = 0;
    for (int i = 0; i < 8192; i++)
        sum += p[i];
    printf("%d %lu\n", p != MAP_FAILED, sum);
    memset(p, 7, 8192);
    printf("%d %d\n", p[8191], munmap(p, 8192));
    int fd = open("map.txt", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (write(fd, "hello mapped world", 18) != 18)
        return 1;
    char *text = mmap(NULL, 18, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    printf("%.18s\n", text);
    text[0] = 'J';
    char back[18];
    pread(fd, back, 18, 0);
    printf("%.18s %.18s\n", text, back);
    munmap(text, 18);
    text = mmap(NULL, 18, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    memcpy(text, "HELLO", 5);
    msync(text, 18, MS_SYNC);
    pread(fd, back, 18, 0);
    printf("%.18s\n", back);
    munmap(text, 18);
    printf("%d %s\n", mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED, strerror(errno));
    printf("%d %s\n", mmap(NULL, 10, PROT_READ, MAP_PRIVATE, 99, 0) == MAP_FAILED, strerror(errno));
    close(fd);
    unlink("map.txt");
    return 0;
}
