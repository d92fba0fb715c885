/* An altitude switch: two altimeters, of which one may be out of order, turn a device on below a threshold. */
#include <sheaf.h>

enum { OFF, ON, FAULTY };
static int device = OFF, alarm, age, used;

static int input(const char *name)
{
    int value;
    sheaf_symbolic(&value, sizeof value, name);
    return value;
}

int main(void)
{
    int first = input("first"), first_ok = input("first_ok"), second = input("second"), second_ok = input("second_ok");
    int inhibit = input("inhibit"), reset = input("reset"), status = input("status");
    if (reset != 0) {
        alarm = 0;
        age = 0;
    }
    if (first_ok != 0)
        used = first;
    else if (second_ok != 0)
        used = second;
    else
        age = age + 2;
    if (age > 1)
        alarm = 1;
    if (status == 1)
        device = ON;
    else if (status == 2)
        device = FAULTY;
    if (inhibit == 0 && alarm == 0) {
        if (used < 2000 && device == OFF)
            device = ON;
        else if (used > 2200 && device == ON)
            device = OFF;
    }
    if (device == FAULTY)
        alarm = 1;
    sheaf_output(&device, sizeof device, "device");
    sheaf_output(&alarm, sizeof alarm, "alarm");
    return 0;
}
