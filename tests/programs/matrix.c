// Gaussian elimination and determinants in double, with pivoting.
#include <math.h>
#include <stdio.h>

enum { N = 4 };

static double determinant(double a[N][N])
{
    double det = 1;
    for (int c = 0; c < N; c++) {
        int pivot = c;
        for (int r = c + 1; r < N; r++)
            if (fabs(a[r][c]) > fabs(a[pivot][c]))
                pivot = r;
        if (a[pivot][c] == 0)
            return 0;
        if (pivot != c) {
            det = -det;
            for (int k = 0; k < N; k++) {
                double t = a[c][k];
                a[c][k] = a[pivot][k];
                a[pivot][k] = t;
            }
        }
        det *= a[c][c];
        for (int r = c + 1; r < N; r++) {
            double f = a[r][c] / a[c][c];
            for (int k = c; k < N; k++)
                a[r][k] -= f * a[c][k];
        }
    }
    return det;
}

int main(void)
{
    double a[N][N] = {{2, 1, 0, 3}, {0, -1, 4, 1}, {5, 2, 2, 2}, {1, 0, 0, 1}}, b[N][N] = {{0}};
    printf("%.12g %.12g\n", determinant(a), determinant(b));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf(j < N - 1 ? "%9.5f " : "%9.5f\n", a[i][j]);
    return 0;
}
