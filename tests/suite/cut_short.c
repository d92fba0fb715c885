/* Where Sheaf gives up (--max-steps) the program goes on, and asks for another input. */
#include <sheaf.h>

int main(void)
{
    int x, y = 0;
    sheaf_symbolic(&x, sizeof x, "x");
    if (x == 5) {
        for (volatile int i = 0; i < 100000; i++)
            ;
        sheaf_symbolic(&y, sizeof y, "y");
    }
    return y == 3;
}
