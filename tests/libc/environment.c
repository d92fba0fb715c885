/* The environment and its changes. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static void show(const char *name)
{
    const char *value = getenv(name);
    printf("%s=%s ", name, value ? value : "(none)");
}

static int count(void)
{
    int n = 0;
    while (environ && environ[n])
        n++;
    return n;
}

int main(void)
{
    clearenv();
    printf("%d ", count());
    show("HOME");
    printf("%d %d ", setenv("A", "1", 0), setenv("B", "2", 1));
    show("A"), show("B");
    printf("%d ", setenv("A", "other", 0));
    show("A");
    printf("%d ", setenv("A", "other", 1));
    show("A");
    printf("%d\n", count());
    errno = 0;
    printf("%d %d ", setenv("", "x", 1), errno);
    errno = 0;
    printf("%d %d ", setenv("a=b", "x", 1), errno);
    errno = 0;
    printf("%d %d\n", unsetenv("a=b"), errno);
    char entry[] = "C=three", plain[] = "B";
    printf("%d ", putenv(entry));
    show("C");
    entry[2] = 'T';
    show("C");
    printf("%d ", putenv(plain));
    show("B");
    printf("%d %d\n", unsetenv("missing"), count());
    setenv("AB", "prefix", 1);
    show("A"), show("AB"), show("ABC"), show("");
    for (int i = 0; i < 20; i++) {
        char name[16], value[16];
        sprintf(name, "N%d", i);
        sprintf(value, "v%d", i * i);
        setenv(name, value, 1);
    }
    show("N0"), show("N19"), show("N1");
    unsetenv("N0");
    show("N0"), show("N19");
    printf("%d\n", count());
    for (char **e = environ; *e; e++)
        printf("%s ", *e);
    setenv("EMPTY", "", 1);
    show("EMPTY");
    printf("%d\n", secure_getenv("EMPTY") != NULL);
    return 0;
}
