/* lex.c - tokens of the textual IR. Reads any bytes: what is no token is an error with its line. */
#include "ir/lex.h"

static void fail_v(Lexer *l, uint32_t line, const char *fmt, va_list args)
{
    if (l->error)
        return;
    Str s = {0};
    str_printf(&s, "line %u: ", line);
    str_vprintf(&s, fmt, args);
    l->error = arena_strdup(l->arena, str_text(&s));
    str_free(&s);
    l->kind = LEX_END;
}

void lex_fail(Lexer *l, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fail_v(l, l->line, fmt, args);
    va_end(args);
}

void lex_fail_at(Lexer *l, uint32_t line, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fail_v(l, line, fmt, args);
    va_end(args);
}

void lex_free(Lexer *l) { str_free(&l->word); }

/* The byte `ahead` of the current one; 0 beyond the end (a NUL in the text is no token either). */
static char peek(const Lexer *l, size_t ahead)
{
    return l->size - l->at > ahead ? l->text[l->at + ahead] : 0;
}

static void skip_blanks(Lexer *l)
{
    while (peek(l, 0) == ' ' || peek(l, 0) == '\t' || peek(l, 0) == '\r')
        l->at++;
    if (peek(l, 0) == ';')
        while (l->at < l->size && l->text[l->at] != '\n')
            l->at++;
}

void lex_begin(Lexer *l, const char *text, size_t size, Arena *a)
{
    *l = (Lexer){.text = size ? text : "", .size = size, .line = 1, .arena = a};
    str_add(&l->word, "");
    skip_blanks(l);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static int hex_digit(char c)
{
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static void clear_word(Lexer *l)
{
    vec_clear(&l->word);
    str_add(&l->word, "");
}

static void read_bare(Lexer *l)
{
    size_t start = l->at;
    while (lex_is_bare(peek(l, 0)))
        l->at++;
    clear_word(l);
    str_add_n(&l->word, l->text + start, l->at - start);
}

/* At the opening quote. */
static void read_quoted(Lexer *l)
{
    clear_word(l);
    for (l->at++; peek(l, 0) != '"'; l->at++) {
        char c = peek(l, 0);
        if ((unsigned char)c < ' ') {
            lex_fail(l, "unfinished string, or a control character in it (write it as \\hh)");
            return;
        }
        if (c == '\\') {
            int high = hex_digit(peek(l, 1)), low = high < 0 ? -1 : hex_digit(peek(l, 2));
            if (low < 0) {
                lex_fail(l, "expected two hexadecimal digits behind '\\'");
                return;
            }
            c = (char)(high << 4 | low);
            l->at += 2;
        }
        str_add_char(&l->word, c);
    }
    l->at++;
}

/* Digits at the current place into l->number. */
static void read_digits(Lexer *l, unsigned base)
{
    size_t start = l->at;
    l->number = 0;
    for (int d; (d = hex_digit(peek(l, 0))) >= 0 && (unsigned)d < base; l->at++) {
        u128 top = ~(u128)0;
        if (l->number > (top - (unsigned)d) / base) {
            lex_fail(l, "number of more than 128 bits");
            return;
        }
        l->number = l->number * base + (unsigned)d;
    }
    if (l->at == start || lex_is_bare(peek(l, 0)))
        lex_fail(l, "malformed number");
}

static void read_number(Lexer *l)
{
    l->kind = LEX_NUMBER;
    l->mark = 0;
    if (!is_digit(peek(l, 0)))
        l->mark = l->text[l->at++];
    bool hex = peek(l, 0) == '0' && peek(l, 1) == 'x';
    l->at += hex ? 2 : 0;
    read_digits(l, hex ? 16 : 10);
}

/* Is this a number as the printer writes it: no sign, no leading zero, below 2^32 - 1? */
static bool is_index(const char *s, u128 *number)
{
    size_t n = strlen(s);
    if (n == 0 || n > 10 || (s[0] == '0' && n > 1))
        return false;
    uint64_t value = 0;
    for (; *s; s++) {
        if (!is_digit(*s))
            return false;
        value = value * 10 + (uint64_t)(*s - '0');
    }
    *number = value;
    return value < UINT32_MAX;
}

/* "x.17" is the name x with the number 17; "17" has no name; "x.y" and "x" have no number. */
static void split_number(Lexer *l)
{
    char *dot = strrchr(l->word.v, '.');
    char *digits = dot ? dot + 1 : l->word.v;
    if (!is_index(digits, &l->number))
        return;
    l->numbered = true;
    l->word.n = dot ? (uint32_t)(dot - l->word.v) : 0;
    l->word.v[l->word.n] = '\0';
}

/* Behind a quoted name, an optional ".17". */
static void read_suffix(Lexer *l)
{
    char digits[12];
    size_t n = 0;
    if (peek(l, 0) != '.')
        return;
    while (n < sizeof digits - 1 && is_digit(peek(l, n + 1))) {
        digits[n] = peek(l, n + 1);
        n++;
    }
    digits[n] = '\0';
    if (!is_index(digits, &l->number)) {
        lex_fail(l, "expected a number behind the quoted name");
        return;
    }
    l->numbered = true;
    l->at += n + 1;
}

static void read_name(Lexer *l)
{
    l->kind = LEX_NAME;
    l->mark = l->text[l->at++];
    l->numbered = false;
    bool may_be_numbered = l->mark == '%' || l->mark == '^';
    if (l->mark == '!') {
        read_digits(l, 10);
        return;
    }
    if (peek(l, 0) == '"') {
        read_quoted(l);
        if (!l->error && strlen(l->word.v) != l->word.n)
            lex_fail(l, "a name holds a NUL");
        if (!l->error && may_be_numbered)
            read_suffix(l);
        return;
    }
    read_bare(l);
    if (l->word.n == 0)
        lex_fail(l, "expected a name behind '%c'", l->mark);
    else if (may_be_numbered)
        split_number(l);
}

static void read_mark(Lexer *l)
{
    char c = peek(l, 0);
    l->kind = LEX_MARK;
    l->mark = c;
    if (c == '-' && peek(l, 1) == '>') {
        l->mark = '>';
        l->at += 2;
    } else if (c == '.' && peek(l, 1) == '.' && peek(l, 2) == '.') {
        l->at += 3;
    } else if (c && strchr("()[]{},:=", c)) {
        l->at++;
    } else if (c > ' ' && c < 127) {
        lex_fail(l, "unexpected '%c'", c);
    } else {
        lex_fail(l, "unexpected byte 0x%02x", (unsigned char)c);
    }
}

void lex_next(Lexer *l)
{
    if (l->error)
        return;
    if (l->kind == LEX_LINE)
        l->line++;
    skip_blanks(l);
    char c = peek(l, 0);
    if (l->at >= l->size) {
        l->kind = LEX_END;
    } else if (c == '\n') {
        l->kind = LEX_LINE;
        l->at++;
    } else if (is_digit(c) || ((c == '-' || c == '+') && is_digit(peek(l, 1)))) {
        read_number(l);
    } else if (c == '"') {
        read_quoted(l);
        l->kind = l->error ? LEX_END : LEX_STRING;
    } else if (c && strchr("@$%^!", c)) {
        read_name(l);
    } else if (lex_is_bare(c) && c != '.') {
        l->kind = LEX_WORD;
        read_bare(l);
    } else {
        read_mark(l);
    }
    if (l->error)
        l->kind = LEX_END;
}

bool lex_skip_line(Lexer *l)
{
    const char *end = memchr(l->text + l->at, '\n', l->size - l->at);
    l->at = end ? (size_t)(end - l->text) + 1 : l->size;
    l->line += end != NULL;
    skip_blanks(l);
    return !l->error && l->at < l->size;
}
