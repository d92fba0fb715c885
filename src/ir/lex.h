/* lex.h - tokens of the textual IR. Private to ir.
 *
 * The text is made of lines; a newline is a token, a ';' starts a comment. The first error sticks: from then
 * on every token is LEX_END, so that a parser's loops end by themselves. */
#ifndef SHEAF_IR_LEX_H
#define SHEAF_IR_LEX_H

#include "base/base.h"

typedef enum LexKind {
    LEX_END,
    LEX_LINE,   /* end of a line */
    LEX_WORD,   /* letters, digits, '_', '.', not starting with a digit */
    LEX_NUMBER, /* decimal or 0x…, with an optional sign */
    LEX_STRING, /* "…" */
    LEX_NAME,   /* a sigil @ $ % ^ and a name, or ! and a number */
    LEX_MARK    /* one of ( ) [ ] { } , : = or '>' for -> or '.' for ... */
} LexKind;

typedef struct Lexer {
    const char *text;
    size_t size, at;
    uint32_t line;
    Arena *arena;      /* of the error message */
    const char *error; /* NULL as long as all is well */
    /* the current token */
    LexKind kind;
    char mark;     /* of a mark; the sigil of a name; the sign of a number, 0 if none */
    Str word;      /* word, string or name, decoded; a string may hold NULs */
    u128 number;   /* of a number; the number behind a name (%x.17) */
    bool numbered; /* a name with a number behind it */
} Lexer;

void lex_begin(Lexer *l, const char *text, size_t size, Arena *a);
void lex_next(Lexer *l);
void lex_free(Lexer *l);
/* Ends the reading with "line N: …" unless an error came before. */
void lex_fail(Lexer *l, const char *fmt, ...) PRINTF_LIKE(2, 3);
void lex_fail_at(Lexer *l, uint32_t line, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Goes to the start of the next line (behind its blanks) without looking at what is skipped; false at the
 * end. */
bool lex_skip_line(Lexer *l);

/* May this character stand in a name without quotes? */
static inline bool lex_is_bare(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

static inline bool lex_is_mark(const Lexer *l, char mark) { return l->kind == LEX_MARK && l->mark == mark; }
static inline bool lex_is_name(const Lexer *l, char sigil) { return l->kind == LEX_NAME && l->mark == sigil; }
static inline bool lex_is_word(const Lexer *l, const char *word)
{
    return l->kind == LEX_WORD && strcmp(l->word.v, word) == 0;
}

#endif
