// run: 0
// test: 0
// Files are the machine's: what is made, written and removed there is nowhere else.
#include <fcntl.h>
#include <sheaf.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    unsigned char x;
    sheaf_symbolic(&x, 1, "x");
    FILE *f = fopen("escaped", "w");
    if (f) {
        fputs("escaped\n", f);
        fclose(f);
    }
    int fd = open("/tmp/sheaf-hostile-escaped", O_CREAT | O_WRONLY, 0600);
    if (fd >= 0 && write(fd, &x, 1) != 1)
        return 1;
    mkdir("escaped.d", 0700);
    rename("escaped", "escaped.2");
    unlink("/etc/hostname");
    return 0;
}
