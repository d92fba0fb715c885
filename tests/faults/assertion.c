// fault: assert
#include <assert.h>

static int depth;
static void pop(void)
{
    assert(depth > 0);
    depth--;
}

int main(void)
{
    depth = 1;
    pop();
    pop();
    return 0;
}
