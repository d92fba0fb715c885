/* JSON from standard input: checks it, counts what is in it, and prints it without white space. */
#include <stdio.h>
#include <string.h>

enum { TEXT = 64, DEPTH = 5 };

static char text[TEXT + 1];
static const char *at;
static const char *error;
static int objects, arrays, strings, numbers, words;

static int fail(const char *why)
{
    error = error ? error : why;
    return 0;
}

static void skip_space(void)
{
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
        at++;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static void put_utf8(unsigned code)
{
    if (code < 0x80)
        putchar((int)code);
    else if (code < 0x800)
        printf("%c%c", 0xc0 | code >> 6, 0x80 | (code & 0x3f));
    else
        printf("%c%c%c", 0xe0 | code >> 12, 0x80 | (code >> 6 & 0x3f), 0x80 | (code & 0x3f));
}

static int parse_unicode(void)
{
    unsigned code = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(*at);
        if (digit < 0)
            return fail("four hexadecimal digits were expected");
        code = code << 4 | (unsigned)digit;
        at++;
    }
    if (code >= 0xd800 && code < 0xe000)
        return fail("half of a pair");
    put_utf8(code);
    return 1;
}

static int parse_escape(void)
{
    switch (*at++) {
    case '"': putchar('"'); return 1;
    case '\\': putchar('\\'); return 1;
    case '/': putchar('/'); return 1;
    case 'b': putchar('\b'); return 1;
    case 'f': putchar('\f'); return 1;
    case 'n': putchar('\n'); return 1;
    case 'r': putchar('\r'); return 1;
    case 't': putchar('\t'); return 1;
    case 'u': return parse_unicode();
    default: return fail("unknown escape");
    }
}

static int parse_string(void)
{
    strings++;
    putchar('"');
    for (at++; *at != '"';) {
        if ((unsigned char)*at < ' ')
            return fail(*at ? "control character" : "the string does not end");
        if (*at == '\\') {
            at++;
            if (!parse_escape())
                return 0;
        } else
            putchar(*at++);
    }
    at++;
    putchar('"');
    return 1;
}

static int parse_number(void)
{
    const char *start = at;
    numbers++;
    if (*at == '-')
        at++;
    if (!is_digit(*at))
        return fail("a digit was expected");
    if (*at == '0' && is_digit(at[1]))
        return fail("leading zero");
    while (is_digit(*at))
        at++;
    if (*at == '.') {
        if (!is_digit(*++at))
            return fail("a digit was expected behind the point");
        while (is_digit(*at))
            at++;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        if (*at == '+' || *at == '-')
            at++;
        if (!is_digit(*at))
            return fail("the exponent is missing");
        while (is_digit(*at))
            at++;
    }
    fwrite(start, 1, (size_t)(at - start), stdout);
    return 1;
}

static int parse_word(const char *word)
{
    words++;
    if (strncmp(at, word, strlen(word)))
        return fail("unknown word");
    at += strlen(word);
    fputs(word, stdout);
    return 1;
}

static int parse_value(int depth);

static int parse_member(int depth)
{
    if (*at != '"')
        return fail("a name was expected");
    if (!parse_string())
        return 0;
    skip_space();
    if (*at != ':')
        return fail(": was expected");
    at++;
    putchar(':');
    return parse_value(depth);
}

static int parse_list(int depth, char end, int (*parse_item)(int))
{
    if (depth == DEPTH)
        return fail("too deep");
    putchar(*at++);
    skip_space();
    while (*at != end) {
        if (!parse_item(depth + 1))
            return 0;
        skip_space();
        if (*at == ',') {
            putchar(*at++);
            skip_space();
            if (*at == end)
                return fail("a comma too many");
        } else if (*at != end)
            return fail(end == '}' ? "} was expected" : "] was expected");
    }
    putchar(*at++);
    return 1;
}

static int parse_value(int depth)
{
    skip_space();
    switch (*at) {
    case '{': objects++; return parse_list(depth, '}', parse_member);
    case '[': arrays++; return parse_list(depth, ']', parse_value);
    case '"': return parse_string();
    case 't': return parse_word("true");
    case 'f': return parse_word("false");
    case 'n': return parse_word("null");
    case '\0': return fail("a value is missing");
    default: return parse_number();
    }
}

int main(void)
{
    text[fread(text, 1, TEXT, stdin)] = '\0';
    at = text;
    parse_value(0);
    skip_space();
    if (!error && *at)
        fail("more than one value");
    if (error) {
        printf("\n%d: %s\n", (int)(at - text), error);
        return 1;
    }
    printf("\n%d objects, %d arrays, %d strings, %d numbers, %d words\n", objects, arrays, strings, numbers, words);
    return objects + arrays > 3 ? 3 : 0;
}
