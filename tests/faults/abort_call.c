// fault: abort
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argv;
    if (argc < 2)
        abort();
    return 0;
}
