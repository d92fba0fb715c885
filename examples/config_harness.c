/* config_harness.c - a property of config.c, for all numbers of two characters: what was read is what is found. */
#include "config.h"

#include <assert.h>
#include <sheaf.h>

int main(void)
{
    Config c = {0};
    char line[] = "a=..";
    sheaf_symbolic(line + 2, 2, "number");
    sheaf_assume(line[3] != '\n');
    if (config_parse(&c, line, 4))
        assert(config_get(&c, "a", -1) == 10 * (line[2] - '0') + line[3] - '0');
}
