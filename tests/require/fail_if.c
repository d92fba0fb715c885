/* A failure that the program names itself. */
#include <sheaf.h>

int percent(int part, int whole)
{
    sheaf_fail_if(whole < part);
    sheaf_fail_if(whole <= 0);
    return (int)(100L * part / whole);
}

int main(void)
{
    int part;
    sheaf_symbolic(&part, sizeof part, "part");
    sheaf_assume(part > 10);
    return percent(part, 20);
}
