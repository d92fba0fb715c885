/* Numbers: what arithmetic and tables take for granted. */
#include <limits.h>
#include <stddef.h>

static const int days[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

int days_in_month(int month)
{
    return days[month - 1];
}

int is_date(int year, int month, int day)
{
    if (day < 1 || day > days[month - 1])
        return 0;
    return year > 0;
}

int average(int total, int n)
{
    return total / n;
}

int percent(int part, int whole)
{
    return part * 100 / whole;
}

int middle(int low, int high)
{
    return (low + high) / 2;
}

unsigned shift(unsigned x, int by)
{
    return x << by;
}

int absolute(int x)
{
    return x < 0 ? -x : x;
}

/* The classic: fails for large arrays only. */
int search_step(const int *a, int low, int high, int key)
{
    if (low > high)
        return -1;
    int mid = (low + high) / 2;
    return a[mid] < key ? mid + 1 : mid;
}

char digit(int n)
{
    return "0123456789abcdef"[n];
}

enum colour { RED, GREEN, BLUE };
const char *const names[] = { "red", "green", "blue" };

char first_letter(enum colour c)
{
    return names[c][0];
}

int scale(int value, int factor)
{
    if (factor <= 0)
        return value;
    return value / (factor - 4);
}

/* Blocks that have nothing to do with the failure. */
int blocks(int a, int b, int c, int failure)
{
    int n = 0;
    if (a)
        n++;
    if (b)
        n++;
    if (c)
        n++;
    if (failure)
        __builtin_trap();
    return n;
}
