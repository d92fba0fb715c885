// tests: 4
// replay: no because it counts on the numbers of descriptors
// Standard output is a file once its descriptor was closed: what the branches print is how long that is.
#include <fcntl.h>
#include <sheaf.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    signed char x, y;
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    close(1);
    if (open("shown", O_RDWR | O_CREAT, 0600) != 1)
        return 1;
    if (x > 0)
        printf("one");
    if (y > 0)
        fputs("two!", stdout);
    fflush(stdout);
    if (lseek(1, 0, SEEK_CUR) == 7)
        abort(); //! abort
    return 0;
}
