// Variables at the end, members and elements of them, behind a pointer that may be null; an exit on the way.
#include <sheaf.h>
#include <stdlib.h>
#include <string.h>

struct item {
    int count;
    char name[8];
    struct item *next;
} top;
int total;
static double mean;

int main(void)
{
    int x, y;
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    struct item *p = &top;
    if (x > 3) {
        total = x + y;
        strcpy(top.name, "big");
    } else {
        top.count = 2;
        p = NULL;
    }
    if (y == 9)
        exit(2);
    mean = 0.5;
    return p != NULL;
}
