// Tagged unions, arrays of structures of arrays, enums, pointers into the middle: a tiny expression evaluator.
#include <stdio.h>
#include <stdlib.h>

typedef enum { NUMBER, UNARY, BINARY } Kind;
typedef struct Expr {
    Kind kind;
    union {
        double number;
        struct { char op; struct Expr *arg; } unary;
        struct { char op; struct Expr *arg[2]; } binary;
    };
} Expr;

static Expr pool[32];
static int used;

static Expr *number(double v) { Expr *e = &pool[used++]; e->kind = NUMBER; e->number = v; return e; }
static Expr *unary(char op, Expr *a) { Expr *e = &pool[used++]; e->kind = UNARY; e->unary.op = op; e->unary.arg = a; return e; }
static Expr *binary(char op, Expr *a, Expr *b)
{
    Expr *e = &pool[used++];
    *e = (Expr){.kind = BINARY, .binary = {op, {a, b}}};
    return e;
}

static double eval(const Expr *e)
{
    switch (e->kind) {
    case NUMBER: return e->number;
    case UNARY: return e->unary.op == '-' ? -eval(e->unary.arg) : eval(e->unary.arg);
    case BINARY: {
        double a = eval(e->binary.arg[0]), b = eval(e->binary.arg[1]);
        switch (e->binary.op) {
        case '+': return a + b;
        case '-': return a - b;
        case '*': return a * b;
        default: return a / b;
        }
    }
    }
    abort();
}

static void print(const Expr *e)
{
    if (e->kind == NUMBER)
        printf("%g", e->number);
    else if (e->kind == UNARY)
        printf("%c", e->unary.op), print(e->unary.arg);
    else
        printf("("), print(e->binary.arg[0]), printf(" %c ", e->binary.op), print(e->binary.arg[1]), printf(")");
}

int main(void)
{
    Expr *e = binary('*', binary('+', number(1), unary('-', number(4))), binary('/', number(7), number(2)));
    print(e);
    printf(" = %g (%zu bytes)\n", eval(e), sizeof *e);
    return used;
}
