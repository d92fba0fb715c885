/* names.c - what the names that people give to variables say of them. */
#include "ir/ir.h"

bool ir_name_is_length(const char *name)
{
    static const char *const whole[] = {"n",     "len",   "length", "size",     "sz",   "count", "cnt",
                                        "num",   "max",   "cap",    "capacity", "used", "alloc", "allocated",
                                        "bytes", "nelem", "nmemb",  "total",    "room", "space"};
    static const char *const ends[] = {"len", "length", "size",     "sz",    "count", "cnt",
                                       "num", "cap",    "capacity", "bytes", "alloc"};
    size_t n = strlen(name);
    for (unsigned i = 0; i < COUNT_OF(whole); i++)
        if (!strcasecmp(name, whole[i]))
            return true;
    for (unsigned i = 0; i < COUNT_OF(ends); i++)
        if (n > strlen(ends[i]) && !strcasecmp(name + n - strlen(ends[i]), ends[i]))
            return true;
    bool plural = n > 2 && n < 12 && name[0] == 'n' && name[n - 1] == 's'; /* nkeys, nitems */
    return plural || !strncasecmp(name, "n_", 2) || !strncasecmp(name, "num_", 4);
}
