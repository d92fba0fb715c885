/* config_fuzz.c - config.c as a fuzz target: what libFuzzer and AFL run, Sheaf runs too. */
#include "config.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Config c = {0};
    config_parse(&c, (const char *)data, size);
    return 0;
}
