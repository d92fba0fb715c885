// Functions of every result: void, pointers, bools, chars, floats, structures through pointers; early returns.
#include <stdbool.h>
#include <stdio.h>

struct range { long low, high; bool open; };
static struct range widen(struct range r, long by) { r.low -= by; r.high += by; r.open = !r.open; return r; }
static bool inside(const struct range *r, long x) { return r->open ? r->low < x && x < r->high : r->low <= x && x <= r->high; }
static char letter(int n) { if (n < 0) return '-'; if (n > 25) return '+'; return (char)('a' + n); }
static float half(int x) { return x / 2.0f; }
static unsigned char low_byte(unsigned long x) { return (unsigned char)x; }
static const char *name(bool b) { return b ? "yes" : "no"; }
static void bump(long *x) { if (*x > 100) return; ++*x; }

int main(void)
{
    struct range r = widen((struct range){0, 10, false}, 5);
    long x = 100;
    bump(&x);
    bump(&x);
    printf("%ld %ld %s %s %s\n", r.low, r.high, name(r.open), name(inside(&r, -5)), name(inside(&r, -4)));
    printf("%c%c%c %g %u %ld\n", letter(-1), letter(7), letter(99), half(7), low_byte(0x1ff), x);
    return low_byte(0x12345);
}
