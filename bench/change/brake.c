/* A wheel brake system: pedal and skid decide the pressure of the meters, by automatic braking or by hand. */
#include <sheaf.h>

static int meter_normal, meter_alternate, valve, lamp;

static int input(const char *name)
{
    int value;
    sheaf_symbolic(&value, sizeof value, name);
    return value;
}

int main(void)
{
    int pedal = input("pedal"), automatic = input("automatic"), skid = input("skid"), pump = input("pump");
    int command = 0;
    if (pedal == 0)
        command = 0;
    else if (pedal == 1)
        command = 1;
    else if (pedal == 2)
        command = 2;
    else
        command = 3;
    if (automatic != 0 && command < 2)
        command = 2;
    if (skid > 0)
        command = command - 1;
    if (pump == 0)
        valve = 0;
    else if (pump < 50)
        valve = 1;
    else
        valve = 2;
    if (valve == 0)
        meter_normal = 0;
    else if (command == 1)
        meter_normal = 1;
    else if (command > 1)
        meter_normal = valve;
    if (meter_normal == 0 && command > 0)
        meter_alternate = command;
    if (meter_alternate > 1)
        lamp = 1;
    sheaf_output(&meter_normal, sizeof meter_normal, "normal");
    sheaf_output(&meter_alternate, sizeof meter_alternate, "alternate");
    sheaf_output(&lamp, sizeof lamp, "lamp");
    return 0;
}
