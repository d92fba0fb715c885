// Game of life on a torus: neighbour counts through modular indexing.
#include <stdio.h>

enum { W = 128, H = 128 };
static unsigned char field[2][H][W];

int main(void)
{
    unsigned seed = 42;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            field[0][y][x] = ((seed = seed * 1103515245u + 12345u) >> 16) % 3 == 0;
    for (int step = 0; step < 480; step++) {
        unsigned char(*now)[W] = field[step & 1], (*next)[W] = field[~step & 1];
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                int n = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        if (dx || dy)
                            n += now[(y + dy) & (H - 1)][(x + dx) & (W - 1)];
                next[y][x] = n == 3 || (n == 2 && now[y][x]);
            }
    }
    int alive = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            alive += field[0][y][x];
    printf("%d\n", alive);
    return 0;
}
