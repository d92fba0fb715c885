// tests: 3
// options: --entry step --symbolic-globals
// The state machine's state is a global: running, stopped, or anything else, which must not be.
#include <stdlib.h>

static enum { STOPPED, RUNNING } state;
static int count;

int step(void)
{
    if (state == RUNNING) {
        count++;
        return 1;
    }
    if (state == STOPPED)
        return 0;
    abort(); //! abort
}
