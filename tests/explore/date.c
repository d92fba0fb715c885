// tests: 11
// The month is 0 or above 12 (2). It is no February, a February of a leap year, or another (3); the day is 0, too large, or fits (3).
#include <sheaf.h>

static const unsigned char days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int main(void)
{
    unsigned char month, day, year;
    sheaf_symbolic(&month, sizeof month, "month");
    sheaf_symbolic(&day, sizeof day, "day");
    sheaf_symbolic(&year, sizeof year, "year");
    if (month < 1 || month > 12)
        return 1;
    int last = days[month - 1];
    if (month == 2 && year % 4 == 0)
        last = 29;
    if (day < 1 || day > last)
        return 2;
    return 0;
}
