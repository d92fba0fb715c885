/* A protocol with four states, driven by messages without end. With -DWRONG data is accepted after a reset. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum { CLOSED, LISTENING, OPEN, CLOSING };

int main(void)
{
    int state = CLOSED, peer = 0;
    for (;;) {
        int message = __VERIFIER_nondet_int();
        switch (state) {
        case CLOSED:
            if (message == 1)
                state = LISTENING;
            break;
        case LISTENING:
            if (message == 2) {
                state = OPEN;
                peer = 1;
            }
            break;
        case OPEN:
            if (message == 3)
                state = CLOSING;
            else if (message == 4) {
                peer = 0;
#ifndef WRONG
                state = CLOSED;
#endif
            } else
                assert(peer);
            break;
        case CLOSING:
            if (message == 5) {
                peer = 0;
                state = CLOSED;
            }
            break;
        default: assert(0);
        }
    }
}
