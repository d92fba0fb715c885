// A fuzz target: what it prints depends on how much data there is, and on the data.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    if (data[0] == 'G')
        printf("G %d\n", data[1]);
    else
        fprintf(stderr, "bad\n");
    return 0;
}
