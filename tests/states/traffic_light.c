/* Two lights at a crossing, with a button: never both green. With -DWRONG the button turns one green too soon. */
#include <assert.h>
#include <sheaf.h>

enum { RED, GREEN, YELLOW };

int main(void)
{
    int a = GREEN, b = RED, ticks = 0;
    while (1) {
        unsigned char button;
        sheaf_symbolic(&button, sizeof button, "button");
        ticks++;
        if (a == GREEN && (button == 1 || ticks >= 3)) {
            a = YELLOW;
            ticks = 0;
#ifdef WRONG
            if (button == 9)
                a = GREEN, b = GREEN;
#endif
        } else if (a == YELLOW) {
            a = RED;
            b = GREEN;
            ticks = 0;
        } else if (b == GREEN && ticks >= 2) {
            b = YELLOW;
            ticks = 0;
        } else if (b == YELLOW) {
            b = RED;
            a = GREEN;
            ticks = 0;
        }
        assert(!(a == GREEN && b == GREEN));
    }
}
