/* Settings of a small server from standard input, a line each: NAME = VALUE, # a comment, [NAME] a section. Values are numbers with a
 * unit, words, addresses or lists; what does not fit together is refused at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 64 };
typedef enum Section { GENERAL, NETWORK, LOG, SECTIONS } Section;

typedef struct Settings {
    long limit, timeout, port, level;
    unsigned address;
    int address_set, secure, colour, files;
} Settings;

static Settings settings = {.limit = 1024, .timeout = 30, .port = 80, .level = 1};
static const char *const section_names[SECTIONS] = {"all", "net", "log"};
static int line_number;

static void complain(const char *what)
{
    printf("line %d: %s\n", line_number, what);
    exit(1);
}

static char *trim(char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    for (size_t n = strlen(s); n && (s[n - 1] == ' ' || s[n - 1] == '\t'); n--)
        s[n - 1] = '\0';
    return s;
}

static long parse_number(char **s)
{
    long n = 0;
    if (**s < '0' || **s > '9')
        complain("a number was expected");
    for (; **s >= '0' && **s <= '9'; (*s)++) {
        n = n * 10 + **s - '0';
        if (n > 1000000)
            complain("the number is too large");
    }
    return n;
}

static long parse_size(char *s)
{
    long n = parse_number(&s);
    switch (*s) {
    case 'k': n <<= 10, s++; break;
    case 'M': n <<= 20, s++; break;
    case 'G': n <<= 30, s++; break;
    case '\0': return n;
    default: complain("unknown unit");
    }
    if (*s)
        complain("something behind the unit");
    return n;
}

static long parse_time(char *s)
{
    long n = parse_number(&s);
    if (!strcmp(s, "h"))
        return n * 3600;
    if (!strcmp(s, "m"))
        return n * 60;
    if (*s && strcmp(s, "s"))
        complain("unknown unit of time");
    return n;
}

static int parse_flag(const char *s)
{
    if (!strcmp(s, "on") || !strcmp(s, "yes"))
        return 1;
    if (!strcmp(s, "off") || !strcmp(s, "no"))
        return 0;
    complain("on or off was expected");
    return 0;
}

static unsigned parse_address(char *s)
{
    unsigned address = 0;
    for (int i = 0; i < 4; i++) {
        long part = parse_number(&s);
        if (part > 255)
            complain("a part of the address is too large");
        address = address << 8 | (unsigned)part;
        if (i < 3 && *s++ != '.')
            complain("an address has four parts");
    }
    if (*s)
        complain("something behind the address");
    return address;
}

static void set_general(const char *name, char *value)
{
    if (!strcmp(name, "lim"))
        settings.limit = parse_size(value);
    else if (!strcmp(name, "time"))
        settings.timeout = parse_time(value);
    else
        complain("unknown setting");
}

static void set_network(const char *name, char *value)
{
    if (!strcmp(name, "port")) {
        settings.port = parse_number(&value);
        if (settings.port < 1 || settings.port > 65535)
            complain("no such port");
    } else if (!strcmp(name, "ip")) {
        settings.address = parse_address(value);
        settings.address_set = 1;
    } else if (!strcmp(name, "tls"))
        settings.secure = parse_flag(value);
    else
        complain("unknown setting of the network");
}

static void set_log(const char *name, char *value)
{
    if (!strcmp(name, "lev"))
        settings.level = parse_number(&value);
    else if (!strcmp(name, "col"))
        settings.colour = parse_flag(value);
    else if (!strcmp(name, "to"))
        for (char *word = strtok(value, ","); word; word = strtok(NULL, ","))
            settings.files++;
    else
        complain("unknown setting of the log");
    if (settings.level > 5)
        complain("the level is too high");
}

static Section parse_section(char *line)
{
    size_t n = strlen(line);
    if (line[n - 1] != ']')
        complain("] is missing");
    line[n - 1] = '\0';
    for (unsigned i = 0; i < SECTIONS; i++)
        if (!strcmp(trim(line + 1), section_names[i]))
            return (Section)i;
    complain("unknown section");
    return GENERAL;
}

static void parse_line(char *line, Section *section)
{
    static void (*const setters[SECTIONS])(const char *, char *) = {set_general, set_network, set_log};
    line = trim(line);
    if (!*line || *line == '#')
        return;
    if (*line == '[') {
        *section = parse_section(line);
        return;
    }
    char *equals = strchr(line, '=');
    if (!equals)
        complain("= is missing");
    *equals = '\0';
    setters[*section](trim(line), trim(equals + 1));
}

int main(void)
{
    char text[TEXT + 1];
    Section section = GENERAL;
    text[fread(text, 1, TEXT, stdin)] = '\0';
    for (char *line = text, *end; line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        line_number++;
        parse_line(line, &section);
    }
    if (settings.secure && settings.port == 80)
        complain("secure, and the port is not");
    if (settings.address_set && settings.address >> 24 == 127)
        puts("serves this machine only");
    if (settings.colour && settings.files)
        puts("files have no colour");
    printf("limit %ld, time %ld, port %ld, level %ld\n", settings.limit, settings.timeout, settings.port, settings.level);
    return settings.files > 2;
}
