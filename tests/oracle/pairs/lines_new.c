#include <assert.h>

/* The same, further down. */
int main(int argc, char **argv)
{
    assert(argc < 9);

    return argv[0] ? 0 : 1;
}
