/* A wheel brake controller, one step for each sample of its sensors: pedal, selector switch and autobrake
 * ask for pressure, the skid detector takes some of it back, two hydraulic lines share the work. Six
 * inputs a step; STEPS of them. */
#include <sheaf.h>
#include <stdio.h>

#ifndef STEPS
#define STEPS 1
#endif

enum { NORMAL_LINE, ALTERNATE_LINE, LINES };

typedef struct Sample {
    unsigned char pedal, selector, autobrake, skid, supply, speed;
} Sample;

static const int pedal_pressure[5] = {0, 10, 25, 45, 70};
static int pressure[LINES], meter, warnings, worn;

static int wanted_by_pilot(const Sample *s)
{
    if (s->pedal == 0)
        return 0;
    if (s->pedal > 4) {
        warnings++;
        return pedal_pressure[4];
    }
    return pedal_pressure[s->pedal];
}

static int wanted_by_autobrake(const Sample *s)
{
    if (!s->autobrake || s->pedal)
        return 0;
    if (s->speed < 30)
        return 5;
    return s->autobrake == 1 ? 20 : 40;
}

/* The selector chooses the line; without supply the alternate one must do. */
static int choose_line(const Sample *s)
{
    if (s->supply < 100)
        return ALTERNATE_LINE;
    return s->selector == 2 ? ALTERNATE_LINE : NORMAL_LINE;
}

static void show_meter(const Sample *s)
{
    if (s->selector == 0)
        meter = 1;
    else if (s->selector == 1)
        meter = 2;
    else
        meter = 3;
    if (s->speed > 120)
        worn++;
}

static void step(const Sample *s)
{
    int pilot = wanted_by_pilot(s), automatic = wanted_by_autobrake(s);
    int want = pilot > automatic ? pilot : automatic;
    int line = choose_line(s);
    if (s->skid && want > 15)
        want -= 15;
    pressure[line] = want;
    pressure[LINES - 1 - line] = 0;
    show_meter(s);
}

int main(void)
{
    Sample sample[STEPS];
    sheaf_symbolic(sample, sizeof sample, "sample");
    for (int i = 0; i < STEPS; i++) {
        step(&sample[i]);
        printf("%d %d meter %d\n", pressure[NORMAL_LINE], pressure[ALTERNATE_LINE], meter);
    }
    printf("%d warnings, %d worn\n", warnings, worn);
    return 0;
}
