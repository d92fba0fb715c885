// tests: 4
// options: --entry scale --elements 3
// A structure of 32 bytes by value and another one returned: neither is a pointer that could be NULL. unit is not NULL; the
// factor is 0 or not, which is looked at first; the object behind unit holds 0, or what the structure holds, or something else.
#include <stdlib.h>

struct shape {
    long width, height, depth;
    const long *unit;
};

struct shape scale(struct shape s, long factor)
{
    struct shape r = { 0 };
    if (!factor)
        return r;
    if (*s.unit == 0) //? null
        return s;
    if (*s.unit == s.depth)
        abort(); //! abort
    r.depth = s.depth * factor;
    return r;
}
