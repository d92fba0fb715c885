// tests: 4
// options: --symbolic-globals=mode,limit
// The globals named are inputs, the other one keeps its value. Mode 0, 1, others below or above the limit.
static int mode = 7, limit = 100, kept = 5;

int main(void)
{
    if (kept != 5)
        return 99;
    if (mode == 0)
        return 1;
    if (mode == 1)
        return 2;
    if (mode < limit)
        return 3;
    return 4;
}
