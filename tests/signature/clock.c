// The clock is a location: asking for the time once more is seen by the next call that asks.
#include <sheaf.h>
#include <time.h>

int main(void)
{
    int x;
    sheaf_symbolic(&x, sizeof x, "x");
    if (x > 3)
        clock();
    return clock() & 63;
}
