/* events.h - what a run reports, one line for each event, and the two ways in which a test ends early.
 * Part of replay.c. */

/* One line: the word, a blank, the rest. */
static void sheaf_replay_event(const char *word, const char *format, ...)
{
    char line[1024];
    va_list args;
    int n = snprintf(line, sizeof line, "%s ", word);
    va_start(args, format);
    vsnprintf(line + n, sizeof line - (size_t)n - 1, format, args);
    va_end(args);
    for (char *p = line; *p; p++)
        if (*p == '\n')
            *p = ' ';
    strcat(line, "\n");
    const char *path = getenv("SHEAF_REPORT");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : dup(2);
    if (fd < 0)
        return;
    if (write(fd, line, strlen(line)) < 0)
        errno = 0; /* the reader is gone */
    close(fd);
}

static _Noreturn void sheaf_replay_mismatch(const char *asked, size_t size, const SheafReplayObject *has)
{
    if (has)
        sheaf_replay_event("mismatch",
                           "the program asks for \"%s\" (%zu bytes) where the test has \"%s\" (%zu bytes)",
                           asked, size, has->name, has->size);
    else
        sheaf_replay_event(
            "more", "the program asks for \"%s\" (%zu bytes) behind the last input of the test", asked, size);
    _exit(SHEAF_STATUS_MISMATCH);
}

static _Noreturn void sheaf_replay_no_assumption(const char *what)
{
    sheaf_replay_event("assumption", "%s", what);
    fflush(NULL);
    _exit(SHEAF_STATUS_ASSUMPTION);
}
