/* err.h and error.h. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdio.h>

static void name(void)
{
    fprintf(stderr, "me> ");
}

int main(void)
{
    program_invocation_name = "dir/tool";
    program_invocation_short_name = "tool";
    errno = ENOENT;
    warn("cannot open %s", "file");
    errno = EACCES;
    warn(NULL);
    warnx("plain %d", 5);
    warnx(NULL);
    error(0, 0, "error %s", "text");
    error(0, EINVAL, "with number");
    error_at_line(0, 0, "source.c", 12, "at line");
    error_one_per_line = 1;
    error_at_line(0, 0, "source.c", 12, "not shown");
    error_at_line(0, ERANGE, "source.c", 13, "shown");
    error_print_progname = name;
    error(0, 0, "own name");
    error_print_progname = NULL;
    printf("%u\n", error_message_count);
    errno = EPERM;
    err(3, "the %s", "end");
}
