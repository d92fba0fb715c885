/* obtain_git.c - what is asked of git: which commits, which files, and their content, laid out elsewhere.
 *
 * Nothing of the repository is written: an index of our own is filled from the commit (read-tree), and its
 * files are written below another directory (checkout-index). `git archive` would leave out what attributes
 * of the repository exclude from archives. */
#include "cli/obtain.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { OUTPUT_LIMIT = 256 << 20, FILES_MOST = 1 << 20 };
static const uint64_t bytes_most = (uint64_t)4 << 30; /* of a revision's files, all together */

/* Our environment with another index, and no prompts. */
static char **own_environment(Arena *a, const char *index)
{
    size_t n = 0, k = 0;
    while (environ[n])
        n++;
    char **env = arena_alloc(a, (n + 4) * sizeof *env);
    for (size_t i = 0; i < n; i++)
        if (!index || !text_starts_with(environ[i], "GIT_INDEX_FILE="))
            env[k++] = environ[i];
    env[k++] = arena_strdup(a, "GIT_OPTIONAL_LOCKS=0"); /* else `git diff` would refresh the index */
    env[k++] = arena_strdup(a, "GIT_TERMINAL_PROMPT=0");
    if (index)
        env[k++] = arena_printf(a, "GIT_INDEX_FILE=%s", index);
    return env;
}

static bool read_pipe(int fd, Str *out)
{
    char buffer[65536];
    for (;;) {
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        if (out->n > OUTPUT_LIMIT)
            return false;
        str_add_n(out, buffer, (size_t)n);
    }
}

/* Runs git with these words (up to 10, NULL at the end) in a directory. What it prints goes to out, its
 * complaints nowhere. -1: there is no git; else its exit status. */
static int git(const char *directory, const char *index, Str *out, const char *const *words)
{
    const char *argv[24] = {"git",
                            "-c",
                            "core.sparseCheckout=false",
                            "-c",
                            "core.quotePath=false",
                            "-C",
                            directory ? directory : "."};
    int n = 7, status = -1, ends[2];
    pid_t child;
    Arena *a = arena_new();
    posix_spawn_file_actions_t actions;
    for (; *words; words++)
        argv[n++] = *words;
    argv[n] = NULL;
    if (pipe2(ends, O_CLOEXEC) < 0)
        die("cannot run git: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    int error =
        posix_spawnp(&child, "git", &actions, NULL, (char *const *)(void *)argv, own_environment(a, index));
    posix_spawn_file_actions_destroy(&actions);
    arena_free(a);
    close(ends[1]);
    bool all = !error && read_pipe(ends[0], out);
    close(ends[0]);
    if (error)
        return -1;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            die("cannot wait for git: %s", strerror(errno));
    if (!all)
        die("git says more than %d MiB: this repository is too large", OUTPUT_LIMIT >> 20);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
#define GIT(directory, index, out, ...) git(directory, index, out, (const char *const[]){__VA_ARGS__, NULL})

/* The first line of what git prints; NULL if it fails. */
static const char *first_line(Arena *a, int status, Str *text)
{
    const char *line = status ? NULL : arena_strndup(a, str_text(text), strcspn(str_text(text), "\n"));
    str_free(text);
    return line;
}

Repository repository_find(Arena *a)
{
    Str top = {0}, prefix = {0};
    Repository r = {0};
    int status = GIT(NULL, NULL, &top, "rev-parse", "--show-toplevel");
    r.no_git = status < 0;
    r.top = first_line(a, status, &top);
    r.top = r.top && *r.top ? r.top : NULL; /* a bare repository has none */
    r.prefix = r.top ? first_line(a, GIT(NULL, NULL, &prefix, "rev-parse", "--show-prefix"), &prefix) : "";
    return r;
}

const char *repository_commit(const Repository *r, Arena *a, const char *revision)
{
    Str text = {0};
    if (!r->top || !*revision || *revision == '-') /* what looks like an option never gets there */
        return NULL;
    return first_line(a,
                      GIT(r->top, NULL, &text, "rev-parse", "--verify", "--quiet",
                          arena_printf(a, "%s^{commit}", revision)),
                      &text);
}

const char *repository_merge_base(const Repository *r, Arena *a, const char *one, const char *other)
{
    Str text = {0};
    return first_line(a, GIT(r->top, NULL, &text, "merge-base", one, other), &text);
}

/* Sums the sizes of "mode type object size\tpath" entries, each ended by a NUL. */
static void check_size(const Str *entries, const char *commit)
{
    uint64_t bytes = 0, files = 0;
    for (const char *p = str_text(entries), *end = p + entries->n; p < end; p += strlen(p) + 1, files++) {
        const char *size = p;
        for (int i = 0; i < 3; i++) {
            size += strcspn(size, " ");
            size += strspn(size, " ");
        }
        bytes += isdigit((unsigned char)*size) ? strtoull(size, NULL, 10) : 0;
    }
    if (bytes > bytes_most || files > FILES_MOST)
        die("revision %.12s is too large to be laid out: %llu MiB in %llu files; check it out yourself, and "
            "name the directories",
            commit, (unsigned long long)(bytes >> 20), (unsigned long long)files);
}

void repository_lay_out(const Repository *r, const char *commit, const char *index, const char *directory)
{
    Str text = {0}, prefix = {0};
    if (GIT(r->top, NULL, &text, "ls-tree", "-r", "-l", "-z", commit))
        die("git cannot list the files of revision %.12s", commit);
    check_size(&text, commit);
    str_printf(&prefix, "--prefix=%s/", directory);
    if (!directory_make(directory))
        die("%s: %s", directory, strerror(errno));
    if (GIT(r->top, index, &text, "read-tree", commit) ||
        GIT(r->top, index, &text, "checkout-index", "--all", "--force", str_text(&prefix)))
        die("git cannot lay out revision %.12s in %s", commit, directory);
    str_free(&text);
    str_free(&prefix);
}

static void take_paths(Arena *a, const Str *text, StrVec *paths)
{
    for (const char *p = str_text(text), *end = p + text->n; p < end; p += strlen(p) + 1)
        vec_push(paths, arena_strdup(a, p));
}

void repository_changed(const Repository *r, Arena *a, const char *from, const char *to, StrVec *paths)
{
    Str text = {0}, untracked = {0};
    int failed = to ? GIT(r->top, NULL, &text, "diff", "--no-renames", "--no-ext-diff", "--name-only", "-z",
                          from, to, "--")
                    : GIT(r->top, NULL, &text, "diff", "--no-renames", "--no-ext-diff", "--name-only", "-z",
                          from, "--");
    if (failed)
        die("git cannot compare the revisions");
    take_paths(a, &text, paths);
    if (!to && !GIT(r->top, NULL, &untracked, "ls-files", "--others", "--exclude-standard", "-z", "--"))
        take_paths(a, &untracked, paths);
    str_free(&text);
    str_free(&untracked);
}

void repository_files(const Repository *r, Arena *a, const char *commit, StrVec *paths)
{
    Str text = {0};
    int failed = commit ? GIT(r->top, NULL, &text, "ls-tree", "-r", "--name-only", "-z", commit)
                        : GIT(r->top, NULL, &text, "ls-files", "--cached", "--others", "--exclude-standard",
                              "-z", "--");
    if (failed)
        die("git cannot list the files of the repository");
    take_paths(a, &text, paths);
    str_free(&text);
}
