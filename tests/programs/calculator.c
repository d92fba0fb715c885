// A recursive-descent calculator over standard input, with errors and recovery.
// stdin: 1 + 2 * 3\n(4 - 6) * -7 / 2\n2 ^ 3 ^ 2\n10 % (3\n8 / (4 - 4)\n.5 * 4\nx\n
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static const char *at;
static jmp_buf bad;
static double sum(void);

static void fail(int code) { longjmp(bad, code); }
static int peek(void)
{
    while (*at == ' ')
        at++;
    return *at;
}

static double atom(void)
{
    int c = peek();
    if (c == '(') {
        at++;
        double v = sum();
        if (peek() != ')')
            fail(2);
        at++;
        return v;
    }
    if (c == '-') {
        at++;
        return -atom();
    }
    if (!isdigit(c) && c != '.')
        fail(1);
    char *end;
    double v = strtod(at, &end);
    at = end;
    return v;
}

static double power(void)
{
    double base = atom();
    if (peek() != '^')
        return base;
    at++;
    return pow(base, power());
}

static double product(void)
{
    double v = power();
    for (;;) {
        int c = peek();
        if (c != '*' && c != '/' && c != '%')
            return v;
        at++;
        double w = power();
        if (c != '*' && w == 0)
            fail(3);
        v = c == '*' ? v * w : c == '/' ? v / w : fmod(v, w);
    }
}

static double sum(void)
{
    double v = product();
    for (;;) {
        int c = peek();
        if (c != '+' && c != '-')
            return v;
        at++;
        double w = product();
        v = c == '+' ? v + w : v - w;
    }
}

int main(void)
{
    static const char *const messages[] = {"", "number expected", "missing )", "division by zero"};
    char line[80];
    int errors = 0;
    while (fgets(line, sizeof line, stdin)) {
        at = line;
        int code = setjmp(bad);
        if (code) {
            printf("error at %d: %s\n", (int)(at - line), messages[code]);
            errors++;
            continue;
        }
        printf("%g\n", sum());
    }
    return errors;
}
