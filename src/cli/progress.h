/* progress.h - private to cli: one line on a terminal that says how far an exploration is, replaced as it
 * goes on. */
#ifndef SHEAF_CLI_PROGRESS_H
#define SHEAF_CLI_PROGRESS_H

#include "base/base.h"

typedef struct Progress {
    bool live; /* a line is on the screen */
} Progress;

/* Is standard error a terminal? */
bool progress_is_seen(void);
/* Replaces the line, cut to the width that the terminal has now: one that wraps could not be replaced. */
void progress_show(Progress *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
void progress_clear(Progress *p);

#endif
