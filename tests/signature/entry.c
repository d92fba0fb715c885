// Functions that are called for what they return, and for what they write behind a pointer or into a variable.
int last;

int clamp(int x, int lo, int hi, char *changed)
{
    if (x < lo) {
        *changed = 1;
        return lo;
    }
    if (x > hi) {
        *changed = 1;
        return hi;
    }
    return x;
}

void put(int x)
{
    static int times;
    times++;
    if (x > 0)
        last = 2 * x;
}
