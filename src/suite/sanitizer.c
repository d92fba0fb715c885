/* sanitizer.c - reading the reports of AddressSanitizer, UndefinedBehaviorSanitizer, MemorySanitizer,
 * LeakSanitizer.
 */
#include "suite/suite_int.h"

#include <stdlib.h>

static const struct {
    const char *kinds, *first, *second;
} reports[] = {
#define REPORT(kinds, first, second) {kinds, first, second},
#include "suite/reports.def"
#undef REPORT
};

const char *sanitizer_kinds(const char *report)
{
    for (size_t i = 0; i < COUNT_OF(reports); i++) {
        const char *found = strstr(report, reports[i].first);
        if (found && strstr(found, reports[i].second))
            return reports[i].kinds;
    }
    return NULL;
}

bool words_have(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = words; n && (p = strstr(p, word)); p += n)
        if ((p == words || p[-1] == ' ') && (!p[n] || p[n] == ' '))
            return true;
    return false;
}

/* A place of a report is one of the program's if its file is here to be read: those of libc and of the
 * sanitizer are not, as a rule, and our own are the replay library and what lies below `skip`. */
static bool is_users(const char *site, const char *skip)
{
    size_t file;
    uint32_t line;
    if (!suite_site_split(site, &file, &line) || !line)
        return false;
    char path[1024];
    snprintf(path, sizeof path, "%.*s", (int)(file < sizeof path ? file : sizeof path - 1), site);
    bool ours = text_ends_with(path, "native/replay.c") || (skip && text_starts_with(path, skip));
    return !ours && !text_starts_with(path, "/usr/include/") && file_exists(path);
}

/* "    #1 0x55d0 in main /tmp/a.c:9:13" */
static bool read_frame(const char *line, const char *end, const char *skip, char *site, size_t site_size,
                       char *function, size_t function_size)
{
    const char *in = strstr(line, " in ");
    if (line[strspn(line, " ")] != '#' || !in || in > end)
        return false;
    const char *name = in + 4, *blank = memchr(name, ' ', (size_t)(end - name));
    if (!blank)
        return false;
    snprintf(site, site_size, "%.*s", (int)(end - blank - 1), blank + 1);
    snprintf(function, function_size, "%.*s", (int)(blank - name), name);
    return is_users(site, skip);
}

/* "a.c:9:13: runtime error: ..." */
static bool read_runtime_error(const char *line, const char *end, char *site, size_t site_size)
{
    const char *mark = strstr(line, ": runtime error: ");
    if (!mark || mark > end)
        return false;
    snprintf(site, site_size, "%.*s", (int)(mark - line), line);
    size_t file;
    uint32_t number;
    return suite_site_split(site, &file, &number);
}

bool sanitizer_site(const char *report, const char *skip, char *site, size_t site_size, char *function,
                    size_t function_size)
{
    function[0] = 0;
    for (const char *line = report; *line;) {
        const char *end = line + strcspn(line, "\n");
        if (read_runtime_error(line, end, site, site_size))
            return true;
        if (read_frame(line, end, skip, site, site_size, function, function_size))
            return true;
        line = end + (*end == '\n');
    }
    site[0] = function[0] = 0;
    return false;
}
