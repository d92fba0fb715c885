// fault: div-overflow
#include <limits.h>

int main(int argc, char **argv)
{
    (void)argv;
    volatile int low = INT_MIN;
    return low / -argc;
}
