// _exit loses what waits in a buffer; what was flushed or written stays.
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    printf("flushed\n");
    fflush(stdout);
    printf("lost\n");
    FILE *f = fopen("leave.txt", "w");
    fputs("lost too", f);
    if (write(1, "written\n", 8) != 8)
        return 1;
    fputs("unbuffered\n", stderr);
    remove("leave.txt");
    _exit(5);
}
