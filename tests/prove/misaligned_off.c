/* expect: fails */
/* Words that overlap in part: what is copied lies between two of them. */
#include <sheaf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    static uint32_t words[4];
    uint32_t i, copy;
    sheaf_symbolic(&i, sizeof i, "i");
    if (i > 3)
        return 0;
    words[i] = UINT32_MAX;
    memcpy(&copy, (char *)words + 1, sizeof copy);
    if (copy)
        abort();
    return 0;
}
