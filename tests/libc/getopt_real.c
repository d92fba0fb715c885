/* A program's own arguments, as most programs read them. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int c, count = 0, verbose = 0;
    const char *name = "none";
    while ((c = getopt(argc, argv, "vn:c:h")) != -1)
        switch (c) {
        case 'v': verbose++;            break;
        case 'n': name = optarg;        break;
        case 'c': count = atoi(optarg); break;
        default:  printf("usage\n");
        }
    printf("%s %d %d %d:", name, count, verbose, optind);
    for (int i = optind; i < argc; i++)
        printf(" %s", argv[i]);
    printf("\n");
    return count;
}
