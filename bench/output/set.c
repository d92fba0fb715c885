/* A set of numbers in order, in an array: additions and removals change it, questions are answered on the way. The output is
 * the number of members at the end. */
#include <sheaf.h>
#include <stdio.h>
#include <string.h>

enum { CAPACITY = 8 };

static short member[CAPACITY];
static int members, hits, misses;

static int place_of(short x)
{
    int i = 0;
    while (i < members && member[i] < x)
        i++;
    return i;
}

static void add(short x)
{
    int i = place_of(x);
    if (members == CAPACITY || (i < members && member[i] == x))
        return;
    memmove(&member[i + 1], &member[i], (size_t)(members - i) * sizeof *member);
    member[i] = x;
    members++;
}

static void ask(short x)
{
    int i = place_of(x);
    if (i < members && member[i] == x)
        hits++;
    else
        misses++;
}

int main(void)
{
    short x[7];
    sheaf_symbolic(x, sizeof x, "x");
    add(x[0]);
    add(x[1]);
    ask(x[2]);
    add(x[3]);
    ask(x[4]);
    ask(x[5]);
    add(x[6]);
    printf("%d hits, %d misses\n", hits, misses);
    sheaf_output(&members, sizeof members, "members");
    return 0;
}
