/* Each word of the command line asks the environment for something and trusts the answer. */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void allocate(int kind)
{
    char *p = kind == 'm' ? malloc(8) : kind == 'c' ? calloc(2, 4) : strdup("text");
    p[0] = 1;
    free(p);
}

static void read_twice(void)
{
    char first[4] = "", second[4] = "";
    if (read(0, first, 4) < 0)
        abort();
    if (read(0, second, 4) < 0)
        abort();
}

static void clocks(void)
{
    struct timeval now;
    struct timespec before, after;
    gettimeofday(&now, NULL);
    clock_gettime(CLOCK_MONOTONIC, &before);
    clock_gettime(CLOCK_MONOTONIC, &after);
    if (after.tv_sec < before.tv_sec)
        abort();                              /* never: it does not go back */
    if (after.tv_sec - before.tv_sec > now.tv_usec + 5)
        abort();
}

static void random_bytes(void)
{
    unsigned char key[2];
    if (getrandom(key, sizeof key, 0) == sizeof key && key[0] == 7 && key[1] == 9)
        abort();
}

int main(int argc, char **argv)
{
    const char *home;
    switch (argc > 1 ? argv[1][0] : 0) {
    case 'm': case 'c': case 's': allocate(argv[1][0]); break;
    case 'r': read_twice(); break;
    case 'k': clocks(); break;
    case 'b': random_bytes(); break;
    case 't': if (time(NULL) == 77) abort(); break;
    case 'p': if (getpid() == 4096 && getpid() == 4096) abort(); break;
    case 'u': if (getuid() == 0) abort(); break;
    case 'n': if (rand() % 1000 == 7 && rand() == 3) abort(); break;
    case 'h':
        home = getenv("HOME");
        if (home && !strcmp(home, "/r"))
            return *getenv("HOME") / (getenv("SHELL") == NULL ? 0 : 1);
    }
    return 0;
}
