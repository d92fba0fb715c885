/* strptime: text to dates. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

static void run(const char *text, const char *format)
{
    struct tm tm;
    memset(&tm, 0, sizeof tm);
    char *end = strptime(text, format, &tm);
    if (!end) {
        printf("%s | %s: none\n", text, format);
        return;
    }
    printf("%s | %s: %td %d-%d-%d %d:%d:%d w%d y%d\n", text, format, end - text, tm.tm_year, tm.tm_mon, tm.tm_mday,
           tm.tm_hour, tm.tm_min, tm.tm_sec, tm.tm_wday, tm.tm_yday);
}

int main(void)
{
    run("2024-02-29", "%Y-%m-%d");
    run("2024-02-29 13:45:59", "%Y-%m-%d %H:%M:%S");
    run("2023-11-14T22:13:20Z", "%Y-%m-%dT%H:%M:%SZ");
    run("14/Nov/2023:22:13:20 +0130", "%d/%b/%Y:%H:%M:%S %z");
    run("Tue Nov 14 22:13:20 2023", "%c");
    run("Tuesday, 14 November 2023", "%A, %d %B %Y");
    run("11/14/23", "%D");
    run("11/14/70", "%x");
    run("10:05:06 PM", "%r");
    run("12:00:00 AM", "%I:%M:%S %p");
    run("12:00:00 pm", "%I:%M:%S %p");
    run("23:59", "%R");
    run("24:00", "%R");
    run("  7", "%d");
    run("7rest", "%d");
    run("32", "%d");
    run("0", "%d");
    run("13", "%m");
    run("366", "%j");
    run("2024 100", "%Y %j");
    run("68 69", "%y %y");
    run("69", "%y");
    run("20 05", "%C %y");
    run("sep", "%b");
    run("SEPTEMBER", "%b");
    run("xyz", "%b");
    run("100%", "%H");
    run("5%", "%d%%");
    run("1", "%u");
    run("7", "%u");
    run("6", "%w");
    run("a  b", "a b");
    run("ab", "a b");
    run("2024-1-5", "%F");
    run("20240105", "%Y%m%d");
    run("", "%Y");
    run("", "");
    run("x", "%Q");
    run("61", "%S");
    run("62", "%S");
    return 0;
}
