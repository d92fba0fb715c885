/* A program that does its worst, chosen by its input. */
#include <arpa/inet.h>
#include <sheaf.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int x;
    static char block[1 << 20];
    sheaf_symbolic(&x, sizeof x, "x");
    memset(block, 'x', sizeof block);
    FILE *file;
    switch (x) {
    case 1:
        for (;;)
            ;
    case 2:
        for (int i = 0; i < 100; i++)
            fwrite(block, 1, sizeof block, stdout);
        return 0;
    case 3:
        file = fopen("big", "w");
        for (int i = 0; i < 100; i++)
            fwrite(block, 1, sizeof block, file);
        return 0;
    case 4:
        for (int i = 0; i < 20; i++)
            if (!fork()) {
                setsid();
                alarm(20);                    /* where nothing else ends them */
                for (;;)
                    pause();
            }
        return 0;
    case 5: return kill(0, SIGKILL);
    case 6: return unlink(argv[argc - 1]) != 0;
    case 7: {
        struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        int s = socket(AF_INET, SOCK_DGRAM, 0);
        return sendto(s, "x", 1, 0, (struct sockaddr *)&to, sizeof to) != 1;
    }
    case 8:
        file = fopen("dir/..file", "r");
        return file ? fgetc(file) : 1;
    }
    return 0;
}
