// Five bodies under gravity: structures of doubles, square roots.
#include <math.h>
#include <stdio.h>

typedef struct { double x[3], v[3], mass; } Body;

static void advance(Body *b, int n, double dt)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double d[3], r2 = 0;
            for (int k = 0; k < 3; k++) {
                d[k] = b[i].x[k] - b[j].x[k];
                r2 += d[k] * d[k];
            }
            double mag = dt / (r2 * sqrt(r2));
            for (int k = 0; k < 3; k++) {
                b[i].v[k] -= d[k] * b[j].mass * mag;
                b[j].v[k] += d[k] * b[i].mass * mag;
            }
        }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            b[i].x[k] += dt * b[i].v[k];
}

int main(void)
{
    Body b[5] = {{{0, 0, 0}, {0, 0, 0}, 39.5},
                 {{4.8, -1.1, -0.1}, {0.6, 2.8, -0.02}, 0.037},
                 {{8.3, 4.1, -0.4}, {-1.0, 1.8, 0.008}, 0.011},
                 {{12.9, -15.1, -0.2}, {1.1, 0.9, -0.01}, 0.0017},
                 {{15.4, -25.9, 0.18}, {0.98, 0.6, -0.03}, 0.002}};
    for (int i = 0; i < 650000; i++)
        advance(b, 5, 0.01);
    for (int i = 0; i < 5; i++)
        printf("%.9f %.9f\n", b[i].x[0], b[i].v[1]);
    return 0;
}
