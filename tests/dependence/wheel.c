/* A brake controller: pedal, selector and command. The first condition changed from == to <=: for docs/change.md. */
#include <sheaf.h>

static int pressure, meter = 2;

int main(void)
{
    int pedal, selector, command;
    sheaf_symbolic(&pedal, sizeof pedal, "pedal");
    sheaf_symbolic(&selector, sizeof selector, "selector");
    sheaf_symbolic(&command, sizeof command, "command");

    if (pedal <= 0)
        command = command + 1;
    else if (pedal == 1)
        command = command + 2;
    else
        command = pedal;
    command = command + 1;
    if (selector == 0)
        meter = 1;
    else if (selector == 1)
        meter = 2;
    if (command == 2)
        pressure = 0;
    else if (command == 3)
        pressure = 1;
    else
        pressure = 2;
    return 0;
}
