/* getopt_long and getopt_long_only: abbreviations, ambiguity, flags, arguments, messages. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <string.h>

static int flag;
static const struct option options[] = {{"add", required_argument, NULL, 'a'},
                                        {"append", no_argument, NULL, 'p'},
                                        {"delete", required_argument, NULL, 'd'},
                                        {"verbose", no_argument, &flag, 1},
                                        {"version", no_argument, NULL, 'V'},
                                        {"create", optional_argument, NULL, 'c'},
                                        {"file", required_argument, NULL, 0},
                                        {"same1", no_argument, NULL, 's'},
                                        {"same2", no_argument, NULL, 's'},
                                        {"b", no_argument, NULL, 'B'},
                                        {NULL, 0, NULL, 0}};

static void run(int only, const char *letters, const char *line)
{
    static char copy[256];
    char *argv[32], *rest;
    int argc = 0, c, index = -1;
    strcpy(copy, line);
    for (char *w = strtok_r(copy, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
        argv[argc++] = w;
    argv[argc] = NULL;
    printf("%d %s | %s:", only, letters, line);
    fflush(stdout);
    optind = 0;
    flag = 0;
    while ((c = only ? getopt_long_only(argc, argv, letters, options, &index)
                     : getopt_long(argc, argv, letters, options, &index)) != -1) {
        printf(" %d", c);
        if (optarg)
            printf("=%s", optarg);
        printf(" [%d %d]", index, flag);
        if (c == '?' || c == ':')
            printf(" opt %d", optopt);
        index = -1;
        fflush(stdout);
    }
    printf(" end %d:", optind);
    for (int i = 0; i < argc; i++)
        printf(" %s", argv[i]);
    printf("\n");
}

int main(void)
{
    static const char *const lines[] = {"p --add x",
                                        "p --add=x",
                                        "p --add",
                                        "p --ad x",
                                        "p --a x",
                                        "p --ap",
                                        "p --append=x",
                                        "p --ver",
                                        "p --verb",
                                        "p --vers",
                                        "p --create",
                                        "p --create=5 x",
                                        "p --create 5",
                                        "p --file=q --delete z",
                                        "p --same",
                                        "p --sam",
                                        "p --unknown",
                                        "p --unknown=3 x",
                                        "p x --add y z -b w",
                                        "p --add= x",
                                        "p -- --add",
                                        "p --verbose -v --version",
                                        "p -add x",
                                        "p -a",
                                        "p -append",
                                        "p -ver",
                                        "p -b",
                                        "p -bq",
                                        "p -q",
                                        "p -delete",
                                        "p -x=1",
                                        "p --=x",
                                        "p -W add=1",
                                        "p -W append=1",
                                        "p -W",
                                        "p -Wfile=z y"};
    static const char *const letters[] = {"bq:W;", ":bq:W;", "+bq:", "-b"};
    for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
            for (int only = 0; only < 2; only++)
                run(only, letters[k], lines[i]);
    return 0;
}
