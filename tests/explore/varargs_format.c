// tests: 17
// A formatter of its own: each of two directives is 'd' (int), 'c' (an int as a character), NUL or anything else, which end it;
// a 'd' is then 0 or not. 2 ways to end + 3 ways to go on, twice: 2 + 3 * (2 + 3).
#include <sheaf.h>
#include <stdarg.h>

static int zeros;

static int format(const char *text, ...)
{
    va_list args;
    int taken = 0;
    va_start(args, text);
    for (; *text; text++) {
        if (*text == 'd') {
            if (va_arg(args, int) == 0)
                zeros++;
        } else if (*text == 'c') {
            taken += va_arg(args, int);
        } else {
            break;
        }
    }
    va_end(args);
    return taken & 0x7f;
}

int main(void)
{
    char text[3];
    int a, b;
    sheaf_symbolic(text, 2, "text");
    sheaf_symbolic(&a, sizeof a, "a");
    sheaf_symbolic(&b, sizeof b, "b");
    text[2] = 0;
    return format(text, a, b);
}
