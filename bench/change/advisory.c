/* An advisory logic: two aircraft, should ours climb, descend, or stay? */
#include <sheaf.h>

enum { NONE, CLIMB, DESCEND };
static int advisory, strength, sound;

static int input(const char *name)
{
    int value;
    sheaf_symbolic(&value, sizeof value, name);
    return value;
}

int main(void)
{
    int own = input("own"), other = input("other"), rate = input("rate"), level = input("level"), intent = input("intent"), mode = input("mode");
    int limit = 0, need_up = 0, need_down = 0;
    if (level == 0)
        limit = 400;
    else if (level == 1)
        limit = 500;
    else if (level == 2)
        limit = 640;
    else
        limit = 740;
    if (own < other)
        need_down = 1;
    else if (own > other)
        need_up = 1;
    if (intent == 1)
        need_up = 0;
    else if (intent == 2)
        need_down = 0;
    if (rate > limit)
        strength = 2;
    else if (rate > 100)
        strength = 1;
    if (strength > 0 && need_up != 0)
        advisory = CLIMB;
    else if (strength > 0 && need_down != 0)
        advisory = DESCEND;
    if (mode == 1 && advisory != NONE)
        sound = 1;
    else if (mode == 2)
        sound = 2;
    sheaf_output(&advisory, sizeof advisory, "advisory");
    sheaf_output(&strength, sizeof strength, "strength");
    sheaf_output(&sound, sizeof sound, "sound");
    return 0;
}
