/* A tokenizer for a small Lisp-like language: reads standard input, prints one line for each token.
 *
 * Kinds: parentheses, quote, comment, string, character constant, number, keyword, identifier, error. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER = 128 };

typedef enum Kind {
    T_OPEN, T_CLOSE, T_OPEN_SQUARE, T_CLOSE_SQUARE, T_QUOTE, T_BACKQUOTE, T_COMMA, T_COMMENT, T_STRING, T_CHARACTER, T_NUMBER,
    T_KEYWORD, T_IDENTIFIER, T_EQUALS, T_ARROW, T_ERROR, T_END
} Kind;

static const char *const kind_names[] = {
    "lparen", "rparen", "lsquare", "rsquare", "quote", "bquote", "comma", "comment", "string", "character", "numeric",
    "keyword", "identifier", "equals", "arrow", "error", "eof"
};

typedef struct Stream {
    FILE *file;
    int back[2];
    int nback;
    int line;
} Stream;

typedef struct Token {
    Kind kind;
    int line;
    char text[BUFFER];
    int length;
} Token;

static void stream_open(Stream *s, FILE *file)
{
    s->file = file;
    s->nback = 0;
    s->line = 1;
}

static int stream_get(Stream *s)
{
    int c;
    if (s->nback > 0)
        c = s->back[--s->nback];
    else
        c = getc(s->file);
    if (c == '\n')
        s->line++;
    return c;
}

static void stream_unget(Stream *s, int c)
{
    if (c == EOF)
        return;
    if (c == '\n')
        s->line--;
    s->back[s->nback++] = c;
}

static int is_space(int c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* What ends a word. */
static int is_delimiter(int c)
{
    switch (c) {
    case EOF: case ' ': case '\t': case '\n': case '(': case ')': case '[': case ']': case '\'': case '`': case ',': case ';': case '"':
        return 1;
    default:
        return 0;
    }
}

static void token_start(Token *t, Kind kind, int line)
{
    t->kind = kind;
    t->line = line;
    t->length = 0;
    t->text[0] = '\0';
}

static void token_add(Token *t, int c)
{
    if (t->length < BUFFER - 1) {
        t->text[t->length++] = (char)c;
        t->text[t->length] = '\0';
    }
}

static int simple_kind(int c, Kind *kind)
{
    static const struct { char c; Kind kind; } table[] = {
        {'(', T_OPEN}, {')', T_CLOSE}, {'[', T_OPEN_SQUARE}, {']', T_CLOSE_SQUARE}, {'\'', T_QUOTE}, {'`', T_BACKQUOTE}, {',', T_COMMA},
    };
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].c == c) {
            *kind = table[i].kind;
            return 1;
        }
    return 0;
}

static int is_keyword(const char *word)
{
    static const char *const keywords[] = {"and", "or", "if", "xor", "lambda", "=>"};
    for (unsigned i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (strcmp(word, keywords[i]) == 0)
            return 1;
    return 0;
}

static int is_number(const char *word)
{
    int i = 0;
    if (word[0] == '-' && word[1] != '\0')
        i = 1;
    if (!isdigit((unsigned char)word[i]))
        return 0;
    while (word[i] != '\0') {
        if (!isdigit((unsigned char)word[i]))
            return 0;
        i++;
    }
    return 1;
}

static int is_identifier(const char *word)
{
    if (!isalpha((unsigned char)word[0]) && word[0] != '_')
        return 0;
    for (int i = 1; word[i] != '\0'; i++)
        if (!isalnum((unsigned char)word[i]) && word[i] != '_')
            return 0;
    return 1;
}

static void read_comment(Stream *s, Token *t)
{
    int c;
    while ((c = stream_get(s)) != EOF && c != '\n')
        token_add(t, c);
    stream_unget(s, c);
}

static void read_string(Stream *s, Token *t)
{
    int c;
    while ((c = stream_get(s)) != '"') {
        if (c == EOF || c == '\n') {
            t->kind = T_ERROR;
            stream_unget(s, c);
            return;
        }
        token_add(t, c);
    }
}

/* #x is the character x; "#" alone is an error. */
static void read_character(Stream *s, Token *t)
{
    int c = stream_get(s);
    if (c == EOF || is_space(c)) {
        t->kind = T_ERROR;
        stream_unget(s, c);
        return;
    }
    token_add(t, c);
}

static void read_word(Stream *s, Token *t)
{
    int c;
    while (!is_delimiter(c = stream_get(s)))
        token_add(t, c);
    stream_unget(s, c);
    if (is_keyword(t->text))
        t->kind = T_KEYWORD;
    else if (is_number(t->text))
        t->kind = T_NUMBER;
    else if (is_identifier(t->text))
        t->kind = T_IDENTIFIER;
    else
        t->kind = T_ERROR;
}

static void next_token(Stream *s, Token *t)
{
    int c;
    Kind kind;
    do
        c = stream_get(s);
    while (is_space(c));
    if (c == EOF) {
        token_start(t, T_END, s->line);
    } else if (simple_kind(c, &kind)) {
        token_start(t, kind, s->line);
        token_add(t, c);
    } else if (c == ';') {
        token_start(t, T_COMMENT, s->line);
        read_comment(s, t);
    } else if (c == '"') {
        token_start(t, T_STRING, s->line);
        read_string(s, t);
    } else if (c == '#') {
        token_start(t, T_CHARACTER, s->line);
        read_character(s, t);
    } else if (c == '=') {
        token_start(t, T_EQUALS, s->line);
        if ((c = stream_get(s)) == '>')
            t->kind = T_ARROW;
        else
            stream_unget(s, c);
    } else {
        token_start(t, T_IDENTIFIER, s->line);
        token_add(t, c);
        read_word(s, t);
    }
}

static void print_token(const Token *t)
{
    if (t->kind == T_COMMENT || t->kind == T_END || t->kind <= T_COMMA)
        printf("%s.\n", kind_names[t->kind]);
    else
        printf("%s,\t\"%s\".\n", kind_names[t->kind], t->text);
}

int main(void)
{
    Stream stream;
    Token token;
    int errors = 0;
    stream_open(&stream, stdin);
    do {
        next_token(&stream, &token);
        print_token(&token);
        errors += token.kind == T_ERROR;
    } while (token.kind != T_END);
    return errors > 0;
}
