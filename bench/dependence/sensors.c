/* CHANNELS measuring channels, each with a filter and a little state machine of its own over two samples;
 * a table turns the level into an alarm. Channels do not know of each other; one summary at the end counts
 * alarms. */
#include <sheaf.h>
#include <stdio.h>

#ifndef CHANNELS
#define CHANNELS 2
#endif

enum { IDLE, RISING, HIGH, FALLING, STATES };

typedef struct Channel {
    unsigned char state, level;
    int gain;
} Channel;

static const unsigned char next_state[STATES][3] = {
    {IDLE, RISING, HIGH}, {IDLE, HIGH, HIGH}, {FALLING, HIGH, HIGH}, {IDLE, RISING, HIGH}};
static Channel channels[CHANNELS];
static int alarms;

static int band(unsigned char sample)
{
    if (sample < 50)
        return 0;
    return sample < 200 ? 1 : 2;
}

static void feed(Channel *c, unsigned char sample)
{
    c->state = next_state[c->state][band(sample)];
    if (c->state == HIGH && sample > 250)
        c->level = 2;
    else if (c->state == FALLING)
        c->level = 1;
}

static int scaled(const Channel *c, unsigned char sample)
{
    int divisor = c->level + 1;
    return c->gain * sample / divisor;
}

int main(void)
{
    unsigned char first[CHANNELS], second[CHANNELS];
    sheaf_symbolic(first, sizeof first, "first");
    sheaf_symbolic(second, sizeof second, "second");
    for (int i = 0; i < CHANNELS; i++) {
        channels[i].gain = i + 1;
        feed(&channels[i], first[i]);
        feed(&channels[i], second[i]);
        if (channels[i].level == 2)
            alarms++;
        printf("%d: %d\n", i, scaled(&channels[i], second[i]));
    }
    printf("%d alarms\n", alarms);
    return 0;
}
