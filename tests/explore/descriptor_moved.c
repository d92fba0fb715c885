// tests: 6
// replay: no because it counts on the numbers of descriptors
// How far a file has been read or written depends on two branches together, through whatever descriptor: the fourth
// was taken for what sheaf_output is given, and one that dup2 made for another file than the first.
#include <fcntl.h>
#include <sheaf.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    signed char x, y;
    sheaf_symbolic(&x, sizeof x, "x");
    sheaf_symbolic(&y, sizeof y, "y");
    if (open("one", O_RDWR | O_CREAT, 0600) != 3 || open("two", O_RDWR | O_CREAT, 0600) != 4)
        return 1;
    if (x > 0)
        write(4, "ab", 2);
    if (y > 0)
        write(4, "a", 1);
    dup2(4, 9);
    long at = lseek(9, 0, SEEK_CUR);
    if (x < -9)
        write(9, "abcd", 4);
    if (lseek(4, 0, SEEK_CUR) == 5 || at == 3)
        abort(); //! abort
    return 0;
}
