// tests: 16
// Four operations on a ring of two: put where the bit is set, else take. Taking from an empty ring or putting into a full one is
// refused by a test of a concrete count, so each of 2^4 sequences is one path and nothing fails.
#include <assert.h>
#include <sheaf.h>

static int ring[2], first, count;

static int put(int value)
{
    if (count == 2)
        return 0;
    ring[(first + count++) % 2] = value;
    return 1;
}

static int take(int *value)
{
    if (count == 0)
        return 0;
    *value = ring[first];
    first = (first + 1) % 2;
    count--;
    return 1;
}

int main(void)
{
    unsigned char ops;
    int model = 0;
    sheaf_symbolic(&ops, sizeof ops, "ops");
    for (int i = 0; i < 4; i++) {
        int value = i;
        if (ops >> i & 1)
            model += put(value);
        else
            model -= take(&value);
        assert(model == count);
    }
    return count;
}
