/* A fuzz target that reads one byte too far. */
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return size > 2 && data[0] == 'F' ? data[size] & 0 : 0;
}
