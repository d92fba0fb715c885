// tests: 4
// Seven labels, three bodies and the default: one path for each body, not for each label.
#include <sheaf.h>

int main(void)
{
    int x, kind;
    sheaf_symbolic(&x, sizeof x, "x");
    switch (x) {
    case 1: case 3: case 5: kind = 1; break;
    case 2: case 4: kind = 2; break;
    case -7: case 1000000: kind = 3; break;
    default: kind = 0; break;
    }
    return kind;
}
