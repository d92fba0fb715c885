/* What waits to be printed goes to a file, which the program reads; or it asks how much that is. */
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
    int file = open("o", O_RDWR | O_CREAT, 0600);
    char first = 0;
    if (getchar() == 'x')
        printf("q");
    int how = getchar();
    if (how == 'y') {
        dup2(file, 1);
        fflush(stdout);
        lseek(file, 0, SEEK_SET);
        if (read(file, &first, 1) == 1)
            abort();
    } else if (how == 'z' && __fpending(stdout)) {
        abort();
    }
    return 0;
}
