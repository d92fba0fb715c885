/* Only the part of an array that is set is compared: under --check uninit, too, that takes two paths. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char in[4], part[16];
    if (fread(in, 1, sizeof in, stdin) != sizeof in)
        return 1;
    memcpy(part, in, sizeof in);
    if (memcmp(part, "abcd", 4) == 0)
        puts("found");
    return 0;
}
