// A state machine with a table of handlers: a comment stripper over standard input.
// stdin: int a; // line\nchar *s = "/* kept */"; /* gone\n over lines */ x = 'a' / 2;\n
#include <stdio.h>

typedef enum { CODE, SLASH, LINE, BLOCK, STAR, STRING, ESCAPE, CHAR, STATES } State;
static int removed;

static State in_code(int c)
{
    if (c == '/') return SLASH;
    putchar(c);
    return c == '"' ? STRING : c == '\'' ? CHAR : CODE;
}
static State in_slash(int c)
{
    if (c == '/') return LINE;
    if (c == '*') return BLOCK;
    putchar('/');
    return in_code(c);
}
static State in_line(int c) { removed++; if (c == '\n') { putchar(c); return CODE; } return LINE; }
static State in_block(int c) { removed++; return c == '*' ? STAR : BLOCK; }
static State in_star(int c) { removed++; return c == '/' ? CODE : c == '*' ? STAR : BLOCK; }
static State in_string(int c) { putchar(c); return c == '"' ? CODE : c == '\\' ? ESCAPE : STRING; }
static State in_escape(int c) { putchar(c); return STRING; }
static State in_char(int c) { putchar(c); return c == '\'' ? CODE : CHAR; }

int main(void)
{
    static State (*const handlers[STATES])(int) = {in_code, in_slash, in_line, in_block, in_star, in_string, in_escape, in_char};
    State s = CODE;
    int c;
    while ((c = getchar()) != EOF)
        s = handlers[s](c);
    printf("%d removed, state %d\n", removed, s);
    return s != CODE;
}
