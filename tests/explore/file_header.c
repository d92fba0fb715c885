// tests: 8
// options: --sym-file image:4
// A wrong first or second byte (2); version 1, 2 or another (3), each with the lowest bit of the flags set or not (2).
#include <stdio.h>

int main(void)
{
    FILE *f = fopen("image", "rb");
    if (!f)
        return 9;
    if (fgetc(f) != 'S')
        return 1;
    if (fgetc(f) != 'H')
        return 2;
    int version = fgetc(f), flags = fgetc(f), kind = 0;
    switch (version) {
    case 1: kind = 10; break;
    case 2: kind = 20; break;
    default: break;
    }
    if (flags & 1)
        kind++;
    if (fgetc(f) != EOF)
        return 8;
    fclose(f);
    return kind;
}
