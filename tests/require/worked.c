/* The examples of docs/require.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Feng, "Dynamic Program Analysis with Partial Execution and Summary": branches that have nothing to do with the failure. */
void blocks(int op1, int op2, int op3, int failure)
{
    if (op1)
        puts("operation 1");
    if (op2)
        puts("operation 2");
    if (op3)
        puts("operation 3");
    if (failure)
        abort();
}

int alias(int *p, int *q)
{
    *p = 1;
    *q = 0;
    return 10 / *p;
}

void evens(int x)
{
    for (;;) {
        if (x == 0)
            abort();
        x += 2;
    }
}

void greet(const char *name)
{
    char buffer[16];
    strcpy(buffer, name);
}

int average(const int *a, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum / n;
}

int first(const int *a, int n, int key)
{
    int i = 0;
    while (a[i] != key && i < n)
        i++;
    return i;
}

int main(void)
{
    char digits[4] = "";
    if (getchar() == '(') {
        int n = getchar() - '0';
        digits[n] = 1;
    }
    return digits[0];
}
