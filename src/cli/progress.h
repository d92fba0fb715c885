/* progress.h - private to cli: lines on a terminal that say how far an exploration is, replaced as it goes
 * on. */
#ifndef SHEAF_CLI_PROGRESS_H
#define SHEAF_CLI_PROGRESS_H

#include "base/base.h"

typedef struct Progress {
    bool live; /* lines are on the screen; the cursor is where they begin */
} Progress;

/* Is standard error a terminal that can replace lines? */
bool progress_is_seen(void);
/* Replaces what is shown by one line. */
void progress_show(Progress *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* By lines, or by the first of them, if the terminal has no room for all. Each is cut to the width that the
 * terminal has now: one that wraps could not be replaced. */
void progress_show_lines(Progress *p, const Str *lines);
void progress_clear(Progress *p);

#endif
