/* child.h - a solver as a child process that speaks SMT-LIB 2 over its standard streams. Private to solver.
 *
 * Robust against a child that dies, floods, stays silent or does not read: every exchange ends by its
 * deadline, no signal reaches the program, and no child outlives it. */
#ifndef SHEAF_SOLVER_CHILD_H
#define SHEAF_SOLVER_CHILD_H

#include "base/base.h"

typedef enum ChildStatus { CHILD_OK, CHILD_TIMEOUT, CHILD_STOPPED, CHILD_DEAD, CHILD_FLOOD } ChildStatus;

typedef struct Child Child;

/* Remembers the command (a line for the shell); child_start runs it. */
Child *child_new(const char *command);
void child_free(Child *c);  /* stops it */
bool child_start(Child *c); /* true if it runs now, or ran already */
bool child_running(const Child *c);
void child_stop(Child *c);     /* kills it and reaps it; it may be started again */
int child_pid(const Child *c); /* -1 if it does not run */

/* Could the shell start the command? One that starts and does not end on empty input could. */
bool child_can_start(const char *command);

/* Sends text (may be empty) and, if reply is not NULL, reads one S-expression into it. Ends by `deadline`
 * (clock_seconds), or soon after *stop becomes true (stop may be NULL). Anything but CHILD_OK leaves the
 * child in an unknown state: stop it. */
ChildStatus child_ask(Child *c, const char *text, size_t size, double deadline, const volatile bool *stop,
                      Str *reply);

#endif
