// Matrix product in doubles: three nested loops, two-dimensional indexing.
#include <stdio.h>

enum { N = 260 };
static double a[N][N], b[N][N], c[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i * 0.5 + j;
            b[i][j] = i - j * 0.25;
        }
    for (int round = 0; round < 6; round++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double sum = 0;
                for (int k = 0; k < N; k++)
                    sum += a[i][k] * b[k][j];
                c[i][j] += sum;
            }
    printf("%.3f %.3f\n", c[3][7], c[N - 1][N - 1]);
    return 0;
}
