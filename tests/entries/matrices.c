// Rows and columns: how many elements there are is a product, as indexes show.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Square matrices, all of one number.
// entry: square_multiply
// for: a n * n elements, n <= 3; b n * n elements, n <= 3; c n * n elements, n <= 3
// passes: a != NULL; b != NULL; c != NULL
void square_multiply(const double *a, const double *b, double *c, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] //? null
                     * b[k * n + j]; //? null
            c[i * n + j] = s; //? null
        }
}

// The other way round, one row too many.
// entry: transpose
// for: a rows * cols elements, rows <= 3, cols <= 3; b rows * cols elements, rows <= 3, cols <= 3
void transpose(const int *a, int *b, int rows, int cols)
{
    for (int i = 0; i <= rows; i++)
        for (int j = 0; j < cols; j++)
            b[j * rows + i] = //? null
                a[i * cols + j]; //! oob-read //? null
}

// The row is checked, the column is not checked well.
// entry: cell
// for: m rows * cols elements, rows <= 3, cols <= 3
int cell(const int *m, size_t rows, size_t cols, size_t r, size_t c)
{
    if (!m || r >= rows || c > cols)
        return -1;
    return m[r * cols + c]; //! oob-read
}

// By a function of its own; nothing says how many rows there are when that is called alone.
// entry: element
// for: m n elements, n <= 3
// passes: m != NULL; m of more than n; n >= 0
int element(const int *m, int n, int i, int j)
{
    return m[i * n + j]; //? null oob-read
}

// entry: diagonal
// for: m n * n elements, n <= 3
static int inside(const int *m, int n, int i, int j)
{
    return m[i * n + j]; //? null //! oob-read
}

int diagonal(const int *m, int n)
{
    int t = 0;
    for (int i = 0; i <= n; i++)
        t ^= inside(m, n, i, i);
    return t;
}

// Three bytes for each pixel.
// entry: gray
// for: rgb 3 * w * h bytes, w <= 3, h <= 3; out w * h bytes, w <= 3, h <= 3
void gray(const uint8_t *rgb, uint8_t *out, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const uint8_t *p = rgb + (y * w + x) * 3;
            out[y * w + x] = //? null
                (uint8_t)((p[0] + p[1] + p[2]) / 3); //? null
        }
}

// Rows that are shorter than what is copied are the caller's.
// entry: blit
// for: src w * h bytes, w <= 3, h <= 3; dst h * stride bytes, h <= 3, stride <= 3
// passes: src != NULL; dst != NULL; dst of more than h * stride
void blit(uint8_t *dst, const uint8_t *src, unsigned w, unsigned h, unsigned stride)
{
    for (unsigned y = 0; y < h; y++)
        for (unsigned x = 0; x < w; x++)
            dst[y * stride + x] = src[y * w + x]; //? null oob-write
}

// Two for one.
// entry: interleave
// for: l n elements, n <= 3; r n elements, n <= 3; out 2 * n elements, n <= 3
void interleave(const short *l, const short *r, short *out, int n)
{
    for (int i = 0; i < n; i++) {
        out[2 * i] = l[i]; //? null
        out[2 * i + 1] = r[i]; //? null
    }
}

// Three arrays share a length.
// entry: add_vectors
// for: a n elements, n <= 3; b n elements, n <= 3; c n elements, n <= 3
void add_vectors(const double *a, const double *b, double *c, int n)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i + 1] //! oob-read //? null
               + b[i]; //? null
}

// A heap: twice the place is checked, and belongs to an array of n.
// entry: larger_child
// for: a n elements, n <= 3
int larger_child(const int *a, unsigned n, unsigned i)
{
    unsigned c = 2 * i + 1;
    if (i >= n || c >= n)
        return -1;
    return c + 1 < n && a[c + 1] > a[c] //? null
               ? (int)c + 1
               : (int)c;
}

// Half a matrix: how many elements that is does not show.
// entry: lower_half
// for: a n elements, n <= 3
// passes: a != NULL; a of more than n
int lower_half(const int *a, int n)
{
    int t = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            t ^= a[i * (i + 1) / 2 + j]; //? null oob-read
    return t;
}

typedef struct Matrix {
    int rows, cols;
    double *data;
} Matrix;

// entry: matrix_get
// for: m one object; m->data m->rows * m->cols elements (NULL: none), 0 <= m->rows <= 3, 0 <= m->cols <= 3
double matrix_get(const Matrix *m, int r, int c)
{
    if (r < 0 || c < 0 || r >= m->rows || c >= m->cols) //? null
        return 0;
    return m->data[r * m->cols + c];
}

// entry: matrix_set
// for: m one object; m->data m->rows * m->cols elements (NULL: none), 0 <= m->rows <= 3, 0 <= m->cols <= 3
void matrix_set(Matrix *m, unsigned r, unsigned c, double x)
{
    if (m->rows && r <= (unsigned)m->rows && c < (unsigned)m->cols) //? null
        m->data[r * (unsigned)m->cols + c] = x; //! oob-write
}

typedef struct Window {
    unsigned width, height;
    const char *title;
} Window;

// A title is no matrix.
// entry: window_title
// for: w one object; w->title string
// passes: w != NULL; w->title != NULL
int window_title(const Window *w)
{
    return w->width == 3 //? null
               ? w->title[0] //? null
               : 0;
}
