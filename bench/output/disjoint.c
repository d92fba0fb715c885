/* Disjoint sets of four elements: three unions of pairs that the input names, and questions between them. The output is the
 * number of sets at the end. */
#include <sheaf.h>
#include <stdio.h>

enum { ELEMENTS = 4 };

static unsigned char parent[ELEMENTS] = {0, 1, 2, 3};
static int sets = ELEMENTS, together, steps;

static unsigned char root_of(unsigned char x)
{
    while (parent[x] != x) {
        x = parent[x];
        steps++;
    }
    return x;
}

static void unite(unsigned char a, unsigned char b)
{
    unsigned char x = root_of(a), y = root_of(b);
    if (x != y) {
        parent[x] = y;
        sets--;
    }
}

static void ask(unsigned char a, unsigned char b)
{
    if (root_of(a) == root_of(b))
        together++;
}

int main(void)
{
    unsigned char pair[10];
    sheaf_symbolic(pair, sizeof pair, "pair");
    for (int i = 0; i < 10; i++)
        sheaf_assume(pair[i] < ELEMENTS);
    unite(pair[0], pair[1]);
    ask(pair[2], pair[3]);
    unite(pair[4], pair[5]);
    ask(pair[6], pair[7]);
    unite(pair[8], pair[9]);
    printf("%d together, %d steps\n", together, steps);
    sheaf_output(&sets, sizeof sets, "sets");
    return 0;
}
