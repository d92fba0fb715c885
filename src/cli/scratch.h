/* scratch.h - a temporary directory that goes away with the process, however that ends. */
#ifndef SHEAF_CLI_SCRATCH_H
#define SHEAF_CLI_SCRATCH_H

#include "base/base.h"

typedef struct Scratch {
    char *path;   /* absolute; NULL: none was made */
    int guard;    /* the end of the pipe that keeps it */
    int guardian; /* the process that removes it */
} Scratch;

Scratch scratch_make(void);    /* in TMPDIR, or /tmp; dies if that cannot be */
void scratch_free(Scratch *s); /* removes it and all that is in it; one without a path is allowed */

#endif
