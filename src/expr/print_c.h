/* print_c.h - private to the C printer: texts with what C knows about their value. */
#ifndef SHEAF_PRINT_C_H
#define SHEAF_PRINT_C_H

#include "expr/expr_int.h"

/* How the value of a piece of C relates to the word of w bits that it stands for. */
typedef enum Sig {
    SIG_MOD,      /* equal modulo 2^w only */
    SIG_SIGNED,   /* the word read as signed */
    SIG_UNSIGNED, /* the word read as unsigned */
    SIG_BOTH      /* either: not negative, top bit clear */
} Sig;

enum {
    P_COND = 3,
    P_OROR,
    P_ANDAND,
    P_OR,
    P_XOR,
    P_AND,
    P_EQ,
    P_LESS,
    P_SHIFT,
    P_ADD,
    P_MUL,
    P_UNARY,
    P_PRIMARY
};

typedef struct Text {
    Str s;
    int prec; /* of the outermost operator */
    Sig sig;
    unsigned bits;    /* width of its C type after promotion: 32, 64 or 128 */
    bool is_unsigned; /* that type is unsigned */
    bool loose;       /* a condition that is true if not zero, not only if 1 */
} Text;

typedef struct CPrint {
    const ExprPool *p;
    uint32_t left, depth; /* nodes and nesting that may still be printed */
} CPrint;

Text expr_c_new(int prec, Sig sig, unsigned bits, bool is_unsigned, const char *fmt, ...) PRINTF_LIKE(5, 6);
void expr_c_wrap(Text *t, int prec); /* parentheses if it binds more loosely */
void expr_c_cast(Text *t, const char *type);
Text expr_c_join(Text a, const char *op, Text b, int prec); /* a op b, left-associative; takes both */

/* True if the budget is used up: print "..." instead of the node. Else counts one more level; leave undoes
 * that. */
bool expr_c_enter(CPrint *c);
void expr_c_leave(CPrint *c);

Text expr_c_word(CPrint *c, Expr e, Sig mode); /* in a form that has this relation, with a cast if need be */
Text expr_c_bool(CPrint *c, Expr e, bool negated); /* for where C asks: is it zero? */
Text expr_c_truth(CPrint *c, Expr e);              /* as a number: 0 or 1 */
Text expr_c_float(CPrint *c, Expr e);
typedef enum Style { STYLE_PLAIN, STYLE_CHAR, STYLE_MASK } Style; /* 97, 'a', 0x61 */
Text expr_c_const(u128 value, unsigned width, Sig mode, Style style);
bool expr_c_looks_float(const ExprPool *p, Expr e); /* a float operator or an object declared as float */
/* How to write a constant that e is compared with, for order or for equality: as a character if e is one,
 * extended or not, and if that tells more than the number. */
Style expr_c_style(const ExprPool *p, Expr e, u128 value, bool order);
bool expr_c_lookup(CPrint *c, Expr e, Text *out);      /* table[i], if e is that */
Text expr_c_call(CPrint *c, const char *name, Expr e); /* name(children), each as float or word as it looks */

/* A run of bits of one input object: what a symbol, an extract of one, or a concat of such in order stands
 * for. */
typedef struct Slice {
    const ExprObjectInfo *object;
    uint64_t low;           /* first bit in the object */
    unsigned bits, element; /* how many; bits of an element of the object, or of a field */
    uint64_t start;         /* of the element in which it begins */
    ExprCKind kind;
    uint32_t unit;    /* of a pointer: bytes of what it points to; 0: not known */
    const char *text; /* of the field; NULL: an element by its number */
} Slice;
bool expr_c_slice(const ExprPool *p, Expr e, Slice *slice);
bool expr_c_slice_is_element(const Slice *slice);
Text expr_c_element(const Slice *slice); /* the element in which the slice begins: x, a[3] */
bool expr_c_leaf_is_float(const ExprPool *p, Expr e);
void expr_c_force(Text *t, unsigned width, Sig mode); /* adds the cast or mask that gives t this relation */

/* Addresses. The first two are false if the value is none that is known. */
bool expr_c_address_const(const ExprPool *p, u128 value, unsigned width, Text *out); /* buf, &buf[2] */
bool expr_c_address_sum(CPrint *c, Expr e, Text *out);                               /* &buf[i + 2] */
Text expr_c_pointer(CPrint *c, Expr e); /* a value that C knows to be a pointer */
/* p == NULL, p == &q->len, if e says which address a pointer of the input holds. */
bool expr_c_pointer_equality(CPrint *c, Expr e, bool negated, Text *out);
void expr_c_minus(Text *t); /* -t */

#endif
