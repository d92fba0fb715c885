// fault: wild
#include <stdint.h>

int main(void)
{
    volatile uintptr_t where = 0x123456789abcu;
    return *(int *)where;
}
