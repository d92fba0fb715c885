// fault: oob-write
static int counters[16];
static void bump(int *at) { *at = 1; }

int main(void)
{
    for (int i = 0; i < 17; i++)
        bump(counters + i);
    return counters[3];
}
