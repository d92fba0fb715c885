/* Faults of the library's that two decisions bring about together: the first changed, and lets the call run;
 * the other has nothing to do with the change, and decides what the call finds in memory. All checks that
 * fail lie in the library. */
#include <sheaf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int x, y;
    char small[4], text[8] = "abc";
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    char *block = malloc(8);
    if (y > 5) {
        memset(text, 'a', sizeof text - (argv[1][0] == 'c'));
        if (argv[1][0] == 'f')
            free(block);
    }
    if (x <= 3)
        return 0;
    switch (argv[1][0]) {
    case 'r': return (int)strlen(text); /* no end in it */
    case 'p': printf("%s\n", text); break;
    case 'c': strcpy(small, text); break; /* too long */
    case 'f': free(block); break;         /* again */
    }
    return 0;
}
