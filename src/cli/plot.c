/* plot.c - lines in a diagram, as SVG: x logarithmic, y counts from zero, a legend at the right. */
#include "cli/plot.h"

#include <math.h>

enum { WIDTH = 760, HEIGHT = 420, LEFT = 70, RIGHT = 190, TOP = 40, BOTTOM = 55, TICKS = 5 };

typedef struct Frame {
    int first, last; /* decades of x */
    double top;      /* of y */
    bool empty;      /* no line rises above zero */
} Frame;

static void add_text(Str *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': str_add(out, "&amp;"); break;
        case '<': str_add(out, "&lt;"); break;
        case '>': str_add(out, "&gt;"); break;
        default: str_add_char(out, (unsigned char)*text < ' ' ? ' ' : *text); break;
        }
}

static void label(Str *out, double x, double y, const char *anchor, const char *text)
{
    str_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    add_text(out, text);
    str_add(out, "</text>\n");
}

static double x_at(const Frame *f, double x)
{
    double decades = f->last - f->first, at = (log10(x) - f->first) / decades;
    return LEFT + (WIDTH - LEFT - RIGHT) * (at < 0 ? 0 : at > 1 ? 1 : at);
}

static double y_at(const Frame *f, double y)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * y / f->top;
}

/* The least of 1, 2 and 5 times a power of ten that makes at most TICKS steps; whole, since y counts. */
static double step_of(double most)
{
    if (most <= TICKS)
        return 1;
    double power = pow(10, floor(log10(most / TICKS)));
    for (unsigned i = 0; i < 3; i++) {
        const double times[] = {1, 2, 5};
        if (most / (times[i] * power) <= TICKS)
            return times[i] * power;
    }
    return 10 * power;
}

static Frame frame_of(const PlotLine *lines, uint32_t n)
{
    double least = INFINITY, most = 0, top = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < lines[i].points.n; k++) {
            const PlotPoint *p = &lines[i].points.v[k];
            least = p->x < least ? p->x : least;
            most = p->x > most ? p->x : most;
            top = p->y > top ? p->y : top;
        }
    Frame f = {.first = -3, .last = 0, .top = top > 1 ? top : 1, .empty = top <= 0};
    if (most > 0) {
        f.first = (int)floor(log10(least));
        f.last = (int)ceil(log10(most));
    }
    f.last += f.last == f.first;
    return f;
}

static void axes(const Frame *f, const char *x_name, const char *y_name, Str *out)
{
    char text[32];
    double bottom = HEIGHT - BOTTOM, right = WIDTH - RIGHT, step = step_of(f->top);
    str_printf(out, "<path d=\"M%d %d V%.0f H%.0f\" fill=\"none\" stroke=\"black\"/>\n", LEFT, TOP, bottom,
               right);
    for (int d = f->first; d <= f->last; d++) {
        double x = x_at(f, pow(10, d));
        snprintf(text, sizeof text, "%g", pow(10, d));
        str_printf(out, "<path d=\"M%.1f %.0f V%d\" stroke=\"#ddd\"/>\n", x, bottom, TOP);
        label(out, x, bottom + 18, "middle", text);
    }
    for (double y = 0; y <= f->top * 1.0001; y += step) {
        snprintf(text, sizeof text, "%g", y);
        str_printf(out, "<path d=\"M%d %.1f H%.0f\" stroke=\"#ddd\"/>\n", LEFT, y_at(f, y), right);
        label(out, LEFT - 6, y_at(f, y) + 4, "end", text);
    }
    label(out, (LEFT + right) / 2, HEIGHT - 14, "middle", x_name);
    str_printf(out, "<g transform=\"translate(16 %.0f) rotate(-90)\">", (TOP + bottom) / 2);
    label(out, 0, 0, "middle", y_name);
    str_add(out, "</g>\n");
}

static void stroke(const PlotLine *l, Str *out)
{
    str_printf(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"", l->colour);
    if (l->dashes)
        str_printf(out, " stroke-dasharray=\"%s\"", l->dashes);
    str_add(out, "/>\n");
}

static void line(const Frame *f, const PlotLine *l, uint32_t at, Str *out)
{
    double y = TOP + 12 + 22.0 * at, x = WIDTH - RIGHT + 14;
    double last_x = 0, last_y = 0;
    for (uint32_t i = 0; i < l->points.n; i++) {
        double px = x_at(f, l->points.v[i].x), py = y_at(f, l->points.v[i].y);
        bool moves = fabs(px - last_x) + fabs(py - last_y) >= 1 || i + 1 == l->points.n;
        if (!i)
            str_printf(out, "<path d=\"M%.1f %.1f", px, py);
        else if (moves)
            str_printf(out, " H%.1f V%.1f", px, py);
        if (!i || moves) {
            last_x = px;
            last_y = py;
        }
    }
    if (l->points.n)
        stroke(l, out);
    str_printf(out, "<path d=\"M%.1f %.1f h34", x, y);
    stroke(l, out);
    label(out, x + 42, y + 4, "start", l->name);
}

void plot_svg(const char *title, const char *x_name, const char *y_name, const PlotLine *lines, uint32_t n,
              const char *if_empty, Str *out)
{
    Frame f = frame_of(lines, n);
    str_printf(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
               "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" "
               "fill=\"white\"/>\n",
               WIDTH, HEIGHT, WIDTH, HEIGHT);
    label(out, LEFT, TOP - 16, "start", title);
    axes(&f, x_name, y_name, out);
    for (uint32_t i = 0; i < n; i++)
        line(&f, &lines[i], i, out);
    if (f.empty)
        label(out, (LEFT + WIDTH - RIGHT) / 2.0, (TOP + HEIGHT - BOTTOM) / 2.0, "middle", if_empty);
    str_add(out, "</svg>\n");
}
