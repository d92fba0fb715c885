// run: 3 unsupported
// test: 3 unsupported
// Each path tries to get out in another way.
#include <sheaf.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    switch (x) {
    case 1: return socket(AF_INET, SOCK_STREAM, 0);
    case 2: return execl("/bin/sh", "sh", "-c", "touch escaped", (char *)0);
    case 3: return kill(-1, SIGKILL);
    case 4: return setsid();
    default: return vfork();
    }
}
