// Structures by value: small, large, mixed classes, returned, nested, in arrays, assigned, compared by memory.
#include <stdio.h>
#include <string.h>

typedef struct { int x, y; } Point;
typedef struct { double re, im; } Complex;
typedef struct { char tag; float f; long n; } Mixed;
typedef struct { Point corner[2]; char name[20]; } Big;
typedef struct { char c[3]; } Odd;
typedef struct { long double wide; int n; } Wide;

static Point add(Point a, Point b) { return (Point){a.x + b.x, a.y + b.y}; }
static Complex times(Complex a, Complex b) { return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
static Mixed mix(Mixed m, float by) { m.f *= by; m.tag++; m.n -= 3; return m; }
static Big grow(Big b, int by) { b.corner[1].x += by; strcat(b.name, "!"); return b; }
static Odd turn(Odd o) { char t = o.c[0]; o.c[0] = o.c[2]; o.c[2] = t; return o; }
static Wide widen(int n, Wide w) { w.wide += n; w.n = n; return w; }

int main(void)
{
    Point p = add((Point){1, 2}, (Point){3, 4});
    Complex c = times((Complex){1, 2}, (Complex){3, -1});
    Mixed m = mix(mix((Mixed){'a', 1.5f, 10}, 2), 0.5f);
    Big b = {{{1, 1}, {2, 2}}, "box"}, b2 = grow(b, 5);
    Odd o = turn((Odd){"xyz"});
    Wide w = widen(4, (Wide){0.25L, 1});
    printf("%d %d\n%g %g\n%c %g %ld\n", p.x, p.y, c.re, c.im, m.tag, m.f, m.n);
    printf("%s %d %s %d\n", b.name, b.corner[1].x, b2.name, b2.corner[1].x);
    printf("%.3s %Lg %d\n", o.c, w.wide, w.n);
    Point grid[3][2] = {{{1, 2}, {3, 4}}, {{5, 6}}};
    grid[2][1] = grid[0][1];
    int sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            sum += grid[i][j].x * 10 + grid[i][j].y;
    printf("%d %d\n", sum, memcmp(&grid[0][1], &grid[2][1], sizeof(Point)));
    return sum & 0x7f;
}
