/* a case falls through to the next one
 * VERDICT different */
enum { IDLE, OPEN, DONE, FAIL };
int step(int state, int c)
{
    switch (state) {
    case IDLE: return c == '(' ? OPEN : FAIL;
#ifdef NEW
    case OPEN: if (c == ')') return DONE;
#else
    case OPEN: if (c == ')') return DONE; return OPEN;
#endif
    case DONE: return c == '(' ? OPEN : FAIL;
    }
    return FAIL;
}
#ifdef BRUTE
#include <stdio.h>
int main(void) { for (int s = 0; s < 5; s++) for (int i = 0; i < 128; i++) printf("%d\n", step(s, i)); }
#endif
