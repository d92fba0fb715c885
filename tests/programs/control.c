// Control flow: Duff's device, goto in and out of loops, nested switch, ranges of cases, comma, ternaries, do-while.
#include <stdio.h>

static int copy(char *to, const char *from, int n)
{
    int rounds = (n + 3) / 4, steps = 0;
    switch (n % 4) {
    case 0: do { *to++ = *from++; steps++;
    case 3: *to++ = *from++; steps++;
    case 2: *to++ = *from++; steps++;
    case 1: *to++ = *from++; steps++;
            } while (--rounds > 0);
    }
    return steps;
}

static const char *grade(int n)
{
    switch (n) {
    case 90 ... 100: return "A";
    case 80 ... 89: return "B";
    case -1: case 0: return "none";
    default: return n > 100 ? "over" : n < 0 ? "under" : "C";
    }
}

static int search(int grid[4][4], int want)
{
    int i, j;
    for (i = 0; i < 4; i++)
        for (j = 0; j < 4; j++)
            if (grid[i][j] == want)
                goto found;
    return -1;
found:
    return i * 10 + j;
}

int main(void)
{
    char out[16] = {0};
    for (int n = 1; n < 12; n += 3)
        printf("%d %.*s\n", copy(out, "abcdefghijkl", n), n, out);
    for (int n = -20; n <= 120; n += 20)
        printf("%s ", grade(n));
    printf("%s %s\n", grade(-1), grade(89));
    int grid[4][4], k = 0;
    for (int i = 0; i < 16; i++)
        grid[i / 4][i % 4] = (i * 5) % 16;
    printf("%d %d\n", search(grid, 9), search(grid, 99));
again:
    if (k++ < 3) {
        printf("%d ", k);
        goto again;
    }
    int x = (k++, k * 2);
    do
        x -= 3;
    while (x > 0);
    printf("%d %d\n", k, x);
    return 0;
}
