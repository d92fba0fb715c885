// What write returns depends on what became of the descriptor.
#include <sheaf.h>
#include <unistd.h>
int main(void)
{
    int x;
    sheaf_symbolic(&x, sizeof x, "x");
    if (x > 3)
        close(1);
    return write(1, "a", 1) < 0 ? 3 : 4;
}
