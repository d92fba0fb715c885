/* progress.c - the line that says how far an exploration is: see progress.h. */
#include "cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

bool progress_is_seen(void) { return isatty(STDERR_FILENO); }

/* Asked each time, since windows change their size. */
static int columns(void)
{
    struct winsize size;
    return !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : 80;
}

void progress_show(Progress *p, const char *fmt, ...)
{
    char line[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    p->live = true;
    fprintf(stderr, "\r\033[K%.*s", columns() - 1, line); /* in the last column some terminals wrap */
    fflush(stderr);
}

void progress_clear(Progress *p)
{
    if (p->live)
        fputs("\r\033[K", stderr);
    p->live = false;
}
