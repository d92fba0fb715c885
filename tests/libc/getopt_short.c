/* getopt over many command lines: permutation, clusters, arguments, errors. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run(const char *letters, const char *line)
{
    static char copy[256];
    char *argv[32], *rest;
    int argc = 0, c;
    strcpy(copy, line);
    for (char *w = strtok_r(copy, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
        argv[argc++] = w;
    argv[argc] = NULL;
    printf("%s | %s:", letters, line);
    fflush(stdout);
    optind = 0;
    while ((c = getopt(argc, argv, letters)) != -1) {
        printf(" %c(%d)", c > 1 ? c : '1', c);
        if (optarg)
            printf("=%s", optarg);
        if (c == '?' || c == ':')
            printf(" opt %d", optopt);
        printf("@%d", optind);
        fflush(stdout);
    }
    printf(" end %d:", optind);
    for (int i = 0; i < argc; i++)
        printf(" %s", argv[i]);
    printf("\n");
}

int main(void)
{
    static const char *const lines[] = {
        "p",          "p -a",          "p -ab",        "p -abc arg",  "p -cval",  "p -c",
        "p x y -a z", "p x -c v y -b", "p -a -- -b x", "p - -a",      "p --",     "p x -- y -a",
        "p -z",       "p -az -b",      "p -d",         "p -dopt",     "p -d opt", "p x -a y -b z -c w v",
        "p -c -a",    "p -:",          "p -a- b",      "p --long -a", "p -W foo", "p -Wfoo"};
    static const char *const letters[] = {"abc:d::", "+abc:d::", "-abc:d::", ":abc:d::", "+:abc:", "abc:W;", ""};
    for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
            run(letters[k], lines[i]);
    opterr = 0;
    run("ab", "p -x -a");
    setenv("POSIXLY_CORRECT", "1", 1);
    run("abc:", "p x -a");
    return 0;
}
