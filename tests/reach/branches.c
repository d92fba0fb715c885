/* Branches that have nothing to do with the line: 5, or 50 with -DFIFTY. Behind them y > 0 and, inside, y < 0 guard it: no input gets
 * there, and forward exploration would need a path for each combination to say so. */
#include <sheaf.h>

#define BRANCH(i)                                                                                                                                    \
    if (x[i] > i)                                                                                                                                    \
        count++;                                                                                                                                     \
    else                                                                                                                                             \
        count += 2;
#define FIVE(i) BRANCH(i) BRANCH(i + 1) BRANCH(i + 2) BRANCH(i + 3) BRANCH(i + 4)

int main(void)
{
    signed char x[50];
    int y, count = 0;
    sheaf_symbolic(x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    FIVE(0)
#ifdef FIFTY
    FIVE(5) FIVE(10) FIVE(15) FIVE(20) FIVE(25) FIVE(30) FIVE(35) FIVE(40) FIVE(45)
#endif
    if (y > 0)
        if (y < 0)
            return count;
    if (y == 77)
        return 1;
    return 0;
}
