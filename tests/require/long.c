/* A condition that is too long for a line. */
#include <stdlib.h>

int many(int a, int b, int c, int d)
{
    static const int bad[] = {1, 5, 9, 13, 17, 33, 45, 60, 71, 88, 91, 120, 130, 155, 167, 190, 200, 210, 222, 231, 244, 260, 277, 301, 333, 350};
    for (int i = 0; i < 26; i++)
        if (a == bad[i] && b > c * i && d != i + a)
            abort();
    return 0;
}
