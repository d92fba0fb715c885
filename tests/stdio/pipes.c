// Pipes inside one process, with descriptors and with streams.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>

int main(void)
{
    int fds[2];
    char buffer[32];
    printf("%d\n", pipe(fds));
    printf("%zd\n", write(fds[1], "hello pipe", 10));
    int waiting = 0;
    ioctl(fds[0], FIONREAD, &waiting);
    printf("%d\n", waiting);
    struct pollfd p[2] = {{fds[0], POLLIN, 0}, {fds[1], POLLOUT, 0}};
    printf("%d", poll(p, 2, 0));
    printf(" %d %d\n", p[0].revents == POLLIN, p[1].revents == POLLOUT);
    printf("%zd %.5s\n", read(fds[0], buffer, 5), buffer);
    printf("%zd %.5s\n", read(fds[0], buffer, sizeof buffer), buffer);
    printf("%d", poll(p, 1, 0));
    printf(" %d\n", p[0].revents);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fds[0], &set);
    struct timeval now = {0, 0};
    printf("%d", select(fds[0] + 1, &set, NULL, NULL, &now));
    printf(" %d\n", FD_ISSET(fds[0], &set) != 0);
    fcntl(fds[0], F_SETFL, O_NONBLOCK);
    printf("%zd %s\n", read(fds[0], buffer, 1), strerror(errno));
    fcntl(fds[0], F_SETFL, 0);
    FILE *in = fdopen(fds[0], "r"), *out = fdopen(fds[1], "w");
    fprintf(out, "%d %s\nsecond line\n", 99, "bottles");
    fclose(out);
    int n;
    printf("%d", fscanf(in, "%d %31s", &n, buffer));
    printf(" %d %s\n", n, buffer);
    fgetc(in);
    printf("%s", fgets(buffer, sizeof buffer, in));
    printf("%d %d\n", fgetc(in), feof(in) != 0);
    printf("%d %s\n", fseek(in, 0, SEEK_SET), strerror(errno));
    fclose(in);
    signal(SIGPIPE, SIG_IGN);
    printf("%d\n", pipe(fds));
    close(fds[0]);
    printf("%zd %s\n", write(fds[1], "x", 1), strerror(errno));
    close(fds[1]);
    return 0;
}
