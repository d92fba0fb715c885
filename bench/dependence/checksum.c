/* A frame of LENGTH bytes: each byte's class turns the state that the next byte meets, and the state at
 * the end chooses a table's entry. Nothing can be pruned. */
#include <sheaf.h>
#include <stdio.h>

#ifndef LENGTH
#define LENGTH 6
#endif

static const int weights[8] = {1, 3, 5, 7, 11, 13, 17, 19};

static unsigned turn(unsigned state, unsigned char byte)
{
    if (byte & 0x80)
        return state ^ 5;
    if (byte > 0x40 + state)
        return state * 3 + 1;
    return state + 1;
}

int main(void)
{
    unsigned char frame[LENGTH];
    unsigned state = 0;
    sheaf_symbolic(frame, sizeof frame, "frame");
    for (int i = 0; i < LENGTH; i++)
        state = turn(state, frame[i]) & 7;
    printf("%d\n", 100 / weights[state]);
    return 0;
}
