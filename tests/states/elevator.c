/* An elevator of four floors: it moves with its door shut, and between the floors there are. With -DWRONG it may leave the top. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum { FLOORS = 4 };

int main(void)
{
    int floor = 0, open = 0, goal = 0;
    while (1) {
        int call = __VERIFIER_nondet_int();
        if (open) {
            if (call == goal)
                open = 0;
            continue;
        }
        if (call >= 0 && call < FLOORS)
            goal = call;
#ifdef WRONG
        if (call == FLOORS)
            goal = call;
#endif
        switch (goal) { /* one number for each: a symbolic goal has no end of states */
        case 0: goal = 0; break;
        case 1: goal = 1; break;
        case 2: goal = 2; break;
        case 3: goal = 3; break;
        default: goal = FLOORS; break;
        }
        if (floor < goal)
            floor++;
        else if (floor > goal)
            floor--;
        else
            open = 1;
        assert(floor >= 0 && floor < FLOORS);
    }
}
