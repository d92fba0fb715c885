// tests: 15
// A text cannot make a call fail that reads it up to its end, but one that is told how far to read; and a number may be
// given for a pointer. In one call of a function the branch before it leads to nothing bad, in the other it does.
#include <sheaf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show(int wanted, size_t size)
{
    if (wanted)
        write(1, "abc", size); //! oob-read
}

static int same;

static void compare(int wanted, size_t size)
{
    if (wanted)
        same += memcmp("abc", "abcd", size) == 0; //! oob-read
}

static void drop(int wanted, long address)
{
    if (wanted)
        free((void *)address); //! invalid-free
}

int main(void)
{
    unsigned char in[6];
    sheaf_symbolic(in, sizeof in, "in");
    show(in[0] == 'a', 9);
    show(in[1] == 'b', 3);
    compare(in[2] == 'c', 9);
    compare(in[3] == 'd', 3);
    drop(in[4] == 'e', 9);
    drop(in[5] == 'f', 0);
    return 0;
}
