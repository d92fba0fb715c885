/* parse_int.h - what the two halves of the parser share: parse.c reads top-level lines, parse_fn.c bodies. */
#ifndef SHEAF_IR_PARSE_INT_H
#define SHEAF_IR_PARSE_INT_H

#include "ir/ir_int.h"
#include "ir/lex.h"

typedef struct Parser {
    Lexer lex;
    IrProgram *p;
    StrMap opcodes;
    uint64_t data_left;           /* bytes of initial contents that may still be allocated */
    uint32_t holes_left;          /* register numbers that may still be left without a register */
    uint32_t site_max, site_line; /* greatest site referred to and where; IR_NONE before the first */
} Parser;

/* Each reads one thing at the current token and goes behind it; on a mismatch the lexer's error sticks. */
void parse_mark(Parser *ps, char mark);
bool parse_try_mark(Parser *ps, char mark);
void parse_line_end(Parser *ps);
uint64_t parse_number(Parser *ps, uint64_t most, const char *what);
uint8_t parse_width(Parser *ps);
uint32_t parse_fn_name(Parser *ps);
uint32_t parse_site(Parser *ps); /* "!12" or nothing: IR_NONE */
/* The address of a global, function or block, at its name. */
IrConst parse_address(Parser *ps);
/* A function from behind its name to the end of its body. */
void parse_fn(Parser *ps, IrFn *fn);

#endif
