// tests: 6
// klee_range gives 0 to 3 and klee_assume leaves out 2: three values of x in a switch; y is below 100 (klee_assume) and even or odd.
#include <stddef.h>

void klee_make_symbolic(void *at, size_t size, const char *name);
void klee_assume(unsigned long condition);
int klee_range(int begin, int end, const char *name);
int klee_int(const char *name);
unsigned klee_is_symbolic(unsigned long x);
void klee_prefer_cex(void *object, unsigned long condition);

int main(void)
{
    unsigned char y;
    int x = klee_range(0, 4, "x"), z = klee_int("z");
    klee_make_symbolic(&y, sizeof y, "y");
    klee_assume(x != 2);
    klee_assume(y < 100);
    klee_prefer_cex(&y, y == 'y');
    int kind = (z & 0) + (y >= 100);
    switch (x) {
    case 0: kind += 10; break;
    case 1: kind += 20; break;
    case 2: kind += 30; break;
    default: kind += 40; break;
    }
    if (y % 2)
        kind++;
    return kind;
}
