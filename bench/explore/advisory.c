/* An advisory for two aircraft: from twelve integers, climb, descend or nothing. */
#include <sheaf.h>
#include <stdio.h>

enum { OLEV = 600, MAXALTDIFF = 600, MINSEP = 300, NOZCROSS = 100 };
typedef enum Advice { UNRESOLVED, UPWARD, DOWNWARD } Advice;
typedef enum Intent { NO_INTENT, DO_NOT_CLIMB, DO_NOT_DESCEND } Intent;
typedef enum Capability { TCAS_TA = 1, OTHER = 2 } Capability;

typedef struct Situation {
    int own_altitude, own_rate;               /* feet, feet a minute */
    int other_altitude;
    int up_separation, down_separation;
    int threshold_layer;                      /* 0 … 3 */
    int high_confidence, two_of_three_valid;
    Intent other_intent;
    Capability other_capability;
    int climb_inhibit;
    int vertical_separation;
} Situation;

static const int thresholds[4] = {400, 500, 640, 740};

static int threshold(const Situation *s) { return thresholds[s->threshold_layer]; }

static int inhibit_biased_climb(const Situation *s)
{
    return s->climb_inhibit ? s->up_separation + NOZCROSS : s->up_separation;
}

static int own_below(const Situation *s) { return s->own_altitude < s->other_altitude; }
static int own_above(const Situation *s) { return s->other_altitude < s->own_altitude; }

static int non_crossing_climb(const Situation *s)
{
    int upward_preferred = inhibit_biased_climb(s) > s->down_separation;
    if (upward_preferred)
        return !own_below(s) || (own_below(s) && !(s->down_separation >= threshold(s)));
    return own_above(s) && s->vertical_separation >= MINSEP && s->up_separation >= threshold(s);
}

static int non_crossing_descend(const Situation *s)
{
    int upward_preferred = inhibit_biased_climb(s) > s->down_separation;
    if (upward_preferred)
        return own_below(s) && s->vertical_separation >= MINSEP && s->down_separation >= threshold(s);
    return !own_above(s) || (own_above(s) && s->up_separation >= threshold(s));
}

static Advice resolve(const Situation *s)
{
    int need_up = non_crossing_climb(s) && own_below(s);
    int need_down = non_crossing_descend(s) && own_above(s);
    if (need_up && need_down)
        return UNRESOLVED;
    if (need_up)
        return UPWARD;
    if (need_down)
        return DOWNWARD;
    return UNRESOLVED;
}

static Advice advise(const Situation *s)
{
    int enabled = s->high_confidence && s->own_rate <= OLEV && s->vertical_separation > MAXALTDIFF;
    int equipped = s->other_capability == TCAS_TA;
    int intent_unknown = s->two_of_three_valid && s->other_intent == NO_INTENT;
    if (!enabled || !((equipped && intent_unknown) || !equipped))
        return UNRESOLVED;
    return resolve(s);
}

static int input(const char *name)
{
    int v;
    sheaf_symbolic(&v, sizeof v, name);
    return v;
}

int main(void)
{
    Situation s;
    s.vertical_separation = input("vertical_separation");
    s.high_confidence = input("high_confidence");
    s.two_of_three_valid = input("two_of_three_valid");
    s.own_altitude = input("own_altitude");
    s.own_rate = input("own_rate");
    s.other_altitude = input("other_altitude");
    s.threshold_layer = input("threshold_layer");
    s.up_separation = input("up_separation");
    s.down_separation = input("down_separation");
    s.other_intent = (Intent)input("other_intent");
    s.other_capability = (Capability)input("other_capability");
    s.climb_inhibit = input("climb_inhibit");
    if (s.threshold_layer < 0 || s.threshold_layer > 3) {
        printf("bad layer\n");
        return 1;
    }
    printf("%d\n", advise(&s));
    return 0;
}
