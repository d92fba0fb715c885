/* a state machine by a table
 * VERDICT same */
enum { A, B, C, D };
#ifdef NEW
static const unsigned char next[4][2] = {{B, A}, {C, A}, {D, B}, {D, D}};
int run(unsigned bits, int n)
{
    int s = A;
    for (int i = 0; i < n && i < 8; i++)
        s = next[s][bits >> i & 1];
    return s;
}
#else
int run(unsigned bits, int n)
{
    int s = A;
    for (int i = 0; i < n && i < 8; i++) {
        int b = bits >> i & 1;
        switch (s) {
        case A: s = b ? A : B; break;
        case B: s = b ? A : C; break;
        case C: s = b ? B : D; break;
        default: break;
        }
    }
    return s;
}
#endif
#ifdef BRUTE
#include <stdio.h>
int main(void) { for (int n = -1; n < 10; n++) for (unsigned i = 0; i < 256; i++) printf("%d\n", run(i, n)); }
#endif
