/* A collision advisory: two aircraft, one answer. The answer is computed from the geometry and the other's intent; beside it
 * the unit classifies the encounter for its display and counts what it logs, which the answer does not depend on. */
#include <sheaf.h>
#include <stdio.h>

enum { NO_ADVISORY, CLIMB, DESCEND };
enum { SEPARATION = 600, MAX_CLOSURE = 60, FAST = 40 };

typedef struct Track {
    int altitude, rate;
} Track;

static int shown, logged;

static int limit_of(int layer)
{
    switch (layer) {
    case 0: return 400;
    case 1: return 500;
    case 2: return 640;
    default: return 740;
    }
}

static int climb_margin(const Track *own, const Track *other, int inhibited)
{
    int up = own->altitude + (inhibited ? 0 : 100) - other->altitude;
    return up;
}

static int threatens(const Track *own, const Track *other)
{
    int apart = own->altitude - other->altitude;
    if (apart < 0)
        apart = -apart;
    return apart < SEPARATION && other->rate <= MAX_CLOSURE;
}

/* For the display only. */
static void classify(const Track *own, const Track *other)
{
    if (own->altitude > 10000)
        shown = 3;
    else if (own->altitude > 2500)
        shown = 2;
    else
        shown = 1;
    if (other->rate > FAST || other->rate < -FAST)
        logged++;
    if (own->rate < 0)
        logged++;
    if (other->altitude > 10000)
        shown += 10;
    else if (other->altitude < 1000)
        shown += 20;
    if (own->rate > other->rate)
        logged++;
    printf("display %d, log %d\n", shown, logged);
}

static int advise(const Track *own, const Track *other, int layer, int inhibited, int intent)
{
    int below = own->altitude < other->altitude;
    if (!threatens(own, other))
        return NO_ADVISORY;
    if (climb_margin(own, other, inhibited) > limit_of(layer))
        return below ? NO_ADVISORY : intent == CLIMB ? DESCEND : CLIMB;
    if (below && intent != DESCEND)
        return DESCEND;
    if (!below && intent != CLIMB)
        return CLIMB;
    return NO_ADVISORY;
}

int main(void)
{
    Track own, other;
    unsigned char layer, inhibited, intent, valid;
    sheaf_symbolic(&own, sizeof own, "own");
    sheaf_symbolic(&other, sizeof other, "other");
    sheaf_symbolic(&layer, sizeof layer, "layer");
    sheaf_symbolic(&inhibited, sizeof inhibited, "inhibited");
    sheaf_symbolic(&intent, sizeof intent, "intent");
    sheaf_symbolic(&valid, sizeof valid, "valid");
    sheaf_assume((own.altitude >= 0) & (own.altitude <= 20000) & (other.altitude >= 0) & (other.altitude <= 20000));
    classify(&own, &other);
    int advisory = valid ? advise(&own, &other, layer & 3, inhibited, intent) : NO_ADVISORY;
    sheaf_output(&advisory, sizeof advisory, "advisory");
    return 0;
}
