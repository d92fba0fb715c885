/* progress.c - the lines that say how far an exploration is: see progress.h. */
#include "cli/progress.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool progress_is_seen(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && !(terminal && !strcmp(terminal, "dumb"));
}

/* Asked each time, since windows change their size. */
static struct winsize window(void)
{
    struct winsize size = {0};
    ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
    size.ws_col = size.ws_col ? size.ws_col : 80;
    size.ws_row = size.ws_row ? size.ws_row : 24;
    return size;
}

static uint32_t count_lines(const Str *lines)
{
    uint32_t n = 1;
    for (uint32_t i = 0; i < lines->n; i++)
        n += lines->v[i] == '\n';
    return n;
}

/* Written at once, so that nothing flickers. The last row stays empty, and in the last column some terminals
 * wrap. */
void progress_show_lines(Progress *p, const Str *lines)
{
    struct winsize size = window();
    uint32_t n = count_lines(lines);
    n = n < size.ws_row ? n : 1;
    Str out = {0};
    const char *line = str_text(lines);
    str_add(&out, "\r\033[J");
    for (uint32_t i = 0; i < n; i++) {
        size_t width = strcspn(line, "\n"), most = size.ws_col - 1u;
        str_printf(&out, "%s%.*s", i ? "\n" : "", (int)(width < most ? width : most), line);
        line += width + 1;
    }
    str_add_char(&out, '\r');
    if (n > 1)
        str_printf(&out, "\033[%uA", n - 1);
    p->live = true;
    fputs(str_text(&out), stderr);
    fflush(stderr);
    str_free(&out);
}

void progress_show(Progress *p, const char *fmt, ...)
{
    char line[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    Str text = {0};
    str_add(&text, line);
    progress_show_lines(p, &text);
    str_free(&text);
}

void progress_clear(Progress *p)
{
    if (p->live)
        fputs("\r\033[J", stderr);
    p->live = false;
}
