// tests: 17
// options: --fuzz-size 5
// incomplete: fuzz
// Each size is a path, as the object's end depends on it. 0 to 2: too short (3). 3: wrong at the first, second, third byte, or the
// fourth is outside (4). 4 and 5: wrong at the first, second, third byte, the fourth is right or wrong (2 * 5).
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    if (data[0] != 'F')
        return 0;
    if (data[1] != 'U')
        return 0;
    if (data[2] != 'Z')
        return 0;
    if (data[3] != 'Z') //! oob-read
        return 0;
    return 0;
}
