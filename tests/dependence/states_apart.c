/* The state machine, behind parts that nothing depends on: so many that every run stands for thousands of paths. */
#define main state_machine
#include "states.c"
#undef main
#include <sheaf.h>

int main(void)
{
    unsigned char parts[14];
    volatile int large = 0;
    sheaf_symbolic(parts, sizeof parts, "parts");
    for (unsigned i = 0; i < sizeof parts; i++)
        if (parts[i] > 100)
            large++;
    return state_machine();
}
