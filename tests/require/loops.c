/* Loops: conditions that no number of iterations bounds. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void unbounded(int i, int j)
{
    for (int k = 0; k < i; k++)
        if (i == j)
            abort();
}

int sum(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

void fill(char *s, size_t n)
{
    for (size_t i = 0; i <= n; i++)
        s[i] = 0;
}

char line[80];

void clear_line(int n)
{
    for (int i = 0; i < n; i++)
        line[i] = ' ';
}

int find(const int *a, int n, int key)
{
    int i = 0;
    while (i < n && a[i] != key)
        i++;
    return i;
}

int gcd(int a, int b)
{
    do {
        int r = a % b;
        a = b;
        b = r;
    } while (b);
    return a;
}

size_t length(const char *s)
{
    return strlen(s);
}

void copy(char *to, const char *from)
{
    strcpy(to, from);
}
