// tests: 11
// options: --sym-file log:3
// The first byte counts records of one byte each, of which two are there. No record: 1 path. One: 2, as its byte is the key or not.
// Two: 4. More: again 4 for the two that are there, then a read that finds nothing.
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    unsigned char n, byte;
    int found = 0, fd = open("log", O_RDONLY);
    if (fd < 0 || read(fd, &n, 1) != 1)
        return 99;
    for (int i = 0; i < n; i++) {
        if (read(fd, &byte, 1) != 1)
            return 50;
        if (byte == 'k')
            found++;
    }
    return found;
}
