// Branches that might write many places, few of which are looked at.
#include <sheaf.h>
static unsigned char in[256];
static int a, b, c[64], d[64];
static struct { int x, y; char name[32]; } s, t;
int main(void)
{
    int k = 0;
    sheaf_symbolic(in, sizeof in, "in");
    for (int i = 0; i < N; i++) {
        if (in[i & 255] > 7) {
            a = i, b = i, s.x = i, t.y = i;
            c[i & 63] = i;
            d[k & 63] = i;
            s.name[i & 31] = 1;
        }
        k += c[3];
    }
    return a + k;                             // here
}
