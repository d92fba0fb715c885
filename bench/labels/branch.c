// Every round decides a branch of its own: labels of one member.
#include <sheaf.h>
static unsigned char in[256];
int main(void)
{
    int last = 0;
    sheaf_symbolic(in, sizeof in, "in");
    for (int i = 0; i < N; i++)
        if (in[i & 255] > 7)
            last = i;
        else
            last = 0;
    return last;                              // here
}
