// tests: 5
// options: --entry scale --shape bytes
// A structure of 32 bytes by value and another one returned: neither is a pointer that could be NULL. unit is NULL or not; the
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
    if (*s.unit == 0) //! null
        return s;
    if (*s.unit == s.depth)
        abort(); //! abort
    r.depth = s.depth * factor;
    return r;
}
