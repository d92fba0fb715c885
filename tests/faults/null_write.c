// fault: null
#include <stdlib.h>

static int *find(int want)
{
    static int store[3] = {1, 2, 3};
    for (int i = 0; i < 3; i++)
        if (store[i] == want)
            return &store[i];
    return NULL;
}

int main(void)
{
    *find(2) = 5;
    *find(2) = 6;
    return 0;
}
