/* expr.h - expressions over the bytes of a program's input: bit-vectors of 1 to 128 bits, arrays of bytes,
 * floats as bit patterns under float operators, and applications of pure external functions.
 *
 * An ExprPool owns everything: nodes, arrays, objects, sets. Nodes are hash-consed, so equal expressions have
 * equal ids; they are never changed and live until expr_pool_free. A node's children have smaller ids than
 * the node itself: a pass over ids in ascending order meets children first (see expr_cone). Memory is bounded
 * by using one pool for each exploration; when expr_pool_bytes passes a budget, the owner makes a fresh pool,
 * moves what it still needs with expr_import, and frees the old one: a copying collection whose roots only
 * the owner can know.
 *
 * Conditions are expressions of width 1. All operators are total and mean what bits.def says; a constructor
 * simplifies by the named rules of rules.def, never beyond what bits_apply would compute (not even in the
 * payload of a NaN).
 *
 * Nothing here recurses without a bound, so a chain of a million nodes is fine. A pool belongs to one
 * thread. */
#ifndef SHEAF_EXPR_H
#define SHEAF_EXPR_H

#include "bits/bits.h"

typedef struct ExprPool ExprPool;
typedef struct Expr {
    uint32_t id;
} Expr; /* a bit-vector */
typedef struct ExprArray {
    uint32_t id;
} ExprArray; /* an array; its ids are node ids too */

#define EXPR_NONE  ((Expr){0}) /* no expression (a register that is concrete, say) */
#define EXPR_FALSE ((Expr){1}) /* the same in every pool */
#define EXPR_TRUE  ((Expr){2})
static inline bool expr_is_none(Expr e) { return e.id == 0; }
static inline bool expr_same(Expr a, Expr b) { return a.id == b.id; }
static inline bool expr_is_true(Expr e) { return e.id == 2; }
static inline bool expr_is_false(Expr e) { return e.id == 1; }
static inline Expr expr_of_array(ExprArray a) { return (Expr){a.id}; }

typedef enum ExprOp {
#define EXPR(NAME, text, children, bits) EXPR_##NAME,
#include "expr/expr.def"
#undef EXPR
    EXPR_OP_COUNT
} ExprOp;

typedef enum ExprRule {
#define RULE(NAME, family, text) EXPR_RULE_##NAME,
#include "expr/rules.def"
#undef RULE
    EXPR_RULE_COUNT
} ExprRule;

/* ---- pools ----------------------------------------------------------------------------------- */

ExprPool *expr_pool_new(void);
void expr_pool_free(ExprPool *p); /* NULL is allowed */
/* Which of two NaNs comes through does not count in this pool: a + b and b + a are one. Before there are any
 * nodes. */
void expr_pool_commute_floats(ExprPool *p);
bool expr_pool_commutes_floats(const ExprPool *p);
size_t expr_pool_bytes(const ExprPool *p);   /* memory held, for budgets */
uint32_t expr_pool_count(const ExprPool *p); /* every node id is below this */

/* Rules. Initially all are on. With all off, constructors build exactly what is asked for (expr_make still
 * lowers operators that have no node kind of their own). Turning rules on or off does not touch existing
 * nodes. */
void expr_rule_switch_all(ExprPool *p, bool on);

/* ---- input objects and symbols --------------------------------------------------------------- */

/* How an object looks in C, for the C printer only. */
typedef enum ExprCKind {
    EXPR_C_INT,
    EXPR_C_UINT,
    EXPR_C_CHAR,
    EXPR_C_BOOL,
    EXPR_C_FLOAT,
    EXPR_C_POINTER,
    EXPR_C_UCHAR /* of a field only */
} ExprCKind;
typedef struct ExprCType {
    ExprCKind kind;
    uint8_t element; /* bytes of one element; 0: the whole object is one */
} ExprCType;

/* A place of an object that holds one value, as C writes it: "p->len". */
typedef struct ExprField {
    uint64_t low; /* bits from the start of the object */
    uint32_t bits;
    ExprCKind kind;
    uint32_t unit; /* of a pointer: bytes of what it points to; 0: not known */
    const char *text;
} ExprField;

/* An input object: `size` bytes from position `at` of the flat input on. Identity is (key, size): asking
 * again gives the same object. The key is the origin with its execution index ("nondet_int@main:12#3"); the
 * name is what people read ("x"). */
typedef struct ExprObject {
    uint32_t id;
} ExprObject;
typedef struct ExprObjectInfo {
    const char *key, *name;
    const char *text; /* the name for people: "x", of the second of this name "x#2" */
    uint32_t size;    /* bytes, at least 1 */
    uint32_t at;      /* position of its first byte in an ExprInput */
    uint8_t scalar;   /* width if it is one symbol; 0: a symbol for each byte */
    ExprCType type;
    const ExprField *fields; /* expr_object_describe */
    uint32_t nfields;
    const char *pointer; /* what leads to it, as C writes it; NULL: nothing does */
    uint64_t address;    /* the value of a pointer to it; 0: there is none */
} ExprObjectInfo;
ExprObject expr_object(ExprPool *p, const char *key, const char *name, uint32_t size, ExprCType type);
ExprObject expr_object_scalar(ExprPool *p, const char *key, const char *name, unsigned width, ExprCType type);
/* For the C printer: an array of the program that is never written, so that look-ups in it read table[i]. Not
 * copied. */
typedef struct ExprTable {
    const char *name;
    const uint8_t *bytes;
    uint32_t size;
    unsigned element; /* bytes */
    ExprCKind kind;
} ExprTable;
void expr_table_add(ExprPool *p, ExprTable table);
/* For the C printer: an object in the memory of the program, so that its address is not printed as a number.
 */
typedef enum ExprPlaceKind {
    EXPR_PLACE_NAMED, /* a variable or function: `text` */
    EXPR_PLACE_NEW,   /* that the run made: "a new object of 12 bytes" */
    EXPR_PLACE_OTHER  /* "an address" */
} ExprPlaceKind;
typedef struct ExprPlace {
    ExprPlaceKind kind;
    uint64_t address, size;  /* of its first byte; bytes, 0: they differ from run to run */
    uint32_t before;         /* bytes before it that are no other object's: a guard */
    uint64_t room;           /* bytes from its first on that are no other object's */
    const char *text;        /* its address, as C writes it: "buf", "&x", "exit" */
    uint32_t unit;           /* of an array: bytes of an element, else 0 */
    const ExprField *fields; /* the places in it, by their C names; of an array in its first element */
    uint32_t nfields;
} ExprPlace;
/* Copied. Of two at one address the first stays; if their sizes differ it has none from then on. */
void expr_place_add(ExprPool *p, const ExprPlace *place);
bool expr_place_known(const ExprPool *p, uint64_t address,
                      uint64_t size); /* is it there, or of several sizes? */
/* For the C printer: the places of an object, ascending, and of one behind a pointer that pointer and its
 * value. Copied; what was said first stays. */
void expr_object_describe(ExprPool *p, ExprObject object, const ExprField *fields, uint32_t n,
                          const char *pointer, uint64_t address);
/* The pointer is short-lived: infos move when objects are made. */
const ExprObjectInfo *expr_object_info(const ExprPool *p, ExprObject object);
uint32_t expr_object_count(const ExprPool *p); /* ids are 0 … count-1 */
bool expr_object_find(const ExprPool *p, const char *key, uint32_t size, ExprObject *object);

Expr expr_object_byte(ExprPool *p, ExprObject object, uint32_t offset);
/* 1 to 16 bytes as one word, little-endian. */
Expr expr_object_word(ExprPool *p, ExprObject object, uint32_t offset, unsigned bytes);
Expr expr_object_symbol(ExprPool *p, ExprObject object); /* of a scalar object */
/* The object and byte offset of a SYMBOL node. */
ExprObject expr_symbol_object(const ExprPool *p, Expr symbol, uint32_t *offset);
/* The position of a SYMBOL node in the flat input (its first byte), and the symbol that covers a position. */
uint32_t expr_symbol_at(const ExprPool *p, Expr symbol);
Expr expr_symbol_of(ExprPool *p, uint32_t at);
uint32_t expr_symbol_start(const ExprPool *p, uint32_t at); /* where that begins, without making it */
ExprObject expr_object_at(const ExprPool *p, uint32_t at, uint32_t *offset);

/* ---- inputs and evaluation ------------------------------------------------------------------- */

/* A flat input: the bytes of all objects one after another (a scalar of w bits in (w+7)/8 bytes,
 * little-endian). Positions beyond n are zero, so that an input stays valid when objects are added;
 * zero-initialised is all zero. */
typedef Vec(uint8_t) ExprInput;
u128 expr_input_get(const ExprPool *p, const ExprInput *in, Expr symbol);
void expr_input_set(const ExprPool *p, ExprInput *in, Expr symbol, u128 value);
uint8_t expr_input_byte(const ExprInput *in, uint32_t at);
void expr_input_set_byte(ExprInput *in, uint32_t at, uint8_t value);
/* The first position from `from` on that has another value, or UINT32_MAX. */
uint32_t expr_input_differs(const ExprInput *a, const ExprInput *b, uint32_t from);
void expr_input_copy(ExprInput *to, const ExprInput *from);
void expr_input_free(ExprInput *in);

/* Evaluation with a memory: many expressions under one input cost each node once. Only the arms of an ite and
 * the bytes of an array that are needed are computed. */
typedef struct ExprEval ExprEval;
ExprEval *expr_eval_new(const ExprPool *p);
void expr_eval_free(ExprEval *ev);
/* Starts a new input and forgets all values. The input is not copied: it must stay as it is until the next
 * call. */
void expr_eval_input(ExprEval *ev, const ExprInput *in);
u128 expr_eval(ExprEval *ev, Expr e);
uint64_t expr_eval_steps(const ExprEval *ev); /* about the nodes evaluated so far: what it has cost */
bool expr_eval_true(ExprEval *ev, Expr e);    /* of a condition */
u128 expr_eval_once(const ExprPool *p, const ExprInput *in, Expr e); /* with a context of its own */

/* ---- reading nodes --------------------------------------------------------------------------- */

ExprOp expr_op(const ExprPool *p, Expr e);
const char *expr_op_text(ExprOp op);
bool expr_op_is_float(ExprOp op); /* FADD … SITOFP */
/* The operator of bits.def that computes a node of this kind from its children (with their widths as
 * bits_apply wants them), or BITS_COUNT. */
BitsOp expr_op_bits(ExprOp op);
unsigned expr_width(const ExprPool *p, Expr e); /* 0 for an array */
uint32_t expr_child_count(const ExprPool *p, Expr e);
Expr expr_child(const ExprPool *p, Expr e, uint32_t i); /* of SELECT and STORE, child 0 is the array */
bool expr_is_const(const ExprPool *p, Expr e);
u128 expr_const_value(const ExprPool *p, Expr e);
bool expr_is_value(const ExprPool *p, Expr e, u128 value); /* this constant? */
unsigned expr_extract_low(const ExprPool *p, Expr e);
bool expr_is_symbolic(const ExprPool *p, Expr e); /* has a symbol somewhere */

/* ---- bit-vector constructors ----------------------------------------------------------------- */

Expr expr_const(ExprPool *p, unsigned width, u128 value); /* reduced to the width */
static inline Expr expr_bool(bool b) { return b ? EXPR_TRUE : EXPR_FALSE; }

/* Any operator of bits.def. width: as bits_apply (the result's for SAME and CAST; for BIT it is taken from
 * a). */
Expr expr_make(ExprPool *p, BitsOp op, unsigned width, Expr a, Expr b, Expr c);

Expr expr_add(ExprPool *p, Expr a, Expr b);
Expr expr_sub(ExprPool *p, Expr a, Expr b);
Expr expr_neg(ExprPool *p, Expr a);
Expr expr_mul(ExprPool *p, Expr a, Expr b);
Expr expr_udiv(ExprPool *p, Expr a, Expr b);
Expr expr_sdiv(ExprPool *p, Expr a, Expr b);
Expr expr_urem(ExprPool *p, Expr a, Expr b);
Expr expr_srem(ExprPool *p, Expr a, Expr b);
Expr expr_and(ExprPool *p, Expr a, Expr b);
Expr expr_or(ExprPool *p, Expr a, Expr b);
Expr expr_xor(ExprPool *p, Expr a, Expr b);
Expr expr_not(ExprPool *p, Expr a);
Expr expr_shl(ExprPool *p, Expr a, Expr b);
Expr expr_lshr(ExprPool *p, Expr a, Expr b);
Expr expr_ashr(ExprPool *p, Expr a, Expr b);
Expr expr_eq(ExprPool *p, Expr a, Expr b);
Expr expr_ne(ExprPool *p, Expr a, Expr b);
Expr expr_ult(ExprPool *p, Expr a, Expr b);
Expr expr_ule(ExprPool *p, Expr a, Expr b);
Expr expr_slt(ExprPool *p, Expr a, Expr b);
Expr expr_sle(ExprPool *p, Expr a, Expr b);
Expr expr_implies(ExprPool *p, Expr a, Expr b); /* of conditions */
Expr expr_ite(ExprPool *p, Expr condition, Expr then, Expr otherwise);
Expr expr_concat(ExprPool *p, Expr high, Expr low);
Expr expr_concat_bytes(ExprPool *p, const Expr *bytes,
                       unsigned n); /* bytes[0] is the lowest; 1 to 16 of width 8 */
Expr expr_extract(ExprPool *p, Expr a, unsigned low, unsigned width);
Expr expr_zext(ExprPool *p, Expr a, unsigned width); /* the same width is allowed: a itself */
Expr expr_sext(ExprPool *p, Expr a, unsigned width);
Expr expr_trunc(ExprPool *p, Expr a, unsigned width);
Expr expr_and_all(ExprPool *p, const Expr *conditions, uint32_t n); /* of none: true */

/* Appends the conjuncts of a condition to out, in the order they stand, duplicates kept. */
typedef Vec(Expr) ExprVec;
void expr_split(const ExprPool *p, Expr condition, ExprVec *out);

/* ---- arrays of bytes ------------------------------------------------------------------------- */

/* Indices have 64 bits. Reading at or beyond the size gives 0 and writing there does nothing, so both are
 * total. */
ExprArray expr_array_const(ExprPool *p, const uint8_t *bytes, uint32_t size);
ExprArray expr_array_list(ExprPool *p, const Expr *bytes, uint32_t size); /* the list is copied */
ExprArray expr_array_input(ExprPool *p, ExprObject object);               /* of an object that is no scalar */
ExprArray expr_array_store(ExprPool *p, ExprArray a, Expr index, Expr byte);
Expr expr_array_select(ExprPool *p, ExprArray a, Expr index);
uint32_t expr_array_size(const ExprPool *p, ExprArray a);
/* Taking an array apart: STORE nodes by expr_child; the base below all stores; the contents of a base. */
ExprArray expr_array_base(const ExprPool *p, ExprArray a);
uint32_t expr_array_depth(const ExprPool *p, ExprArray a);       /* number of stores above the base */
const uint8_t *expr_array_bytes(const ExprPool *p, ExprArray a); /* of ARRAY_CONST */
ExprObject expr_array_object(const ExprPool *p, ExprArray a);    /* of ARRAY_INPUT */
/* The byte at a constant index of a base, of any of the three kinds. */
Expr expr_array_base_byte(ExprPool *p, ExprArray base, uint32_t index);

/* ---- pure external functions ----------------------------------------------------------------- */

typedef u128 (*ExprFnCall)(void *context, const u128 *arguments, uint32_t n);
/* The same name gives the same function. The result is reduced to the width. */
uint32_t expr_fn(ExprPool *p, const char *name, unsigned width, ExprFnCall call, void *context);
const char *expr_fn_name(const ExprPool *p, uint32_t fn);
/* For a call that cannot evaluate the function on these arguments (it has a bound): whatever it returns then
 * is no fact about the function. expr_fn_missed counts these: no constant is folded and no lemma learned from
 * one. */
void expr_fn_miss(ExprPool *p);
uint64_t expr_fn_missed(const ExprPool *p);
Expr expr_apply(ExprPool *p, uint32_t fn, const Expr *arguments, uint32_t n);
uint32_t expr_apply_fn(const ExprPool *p, Expr e); /* of an APPLY node */

/* ---- sets of symbols ------------------------------------------------------------------------- */

/* The symbols of a node are known from its birth, as hash-consed sets of input positions (a scalar counts
 * with its first position; reading an ARRAY_INPUT counts all its bytes). Sets share structure; equal sets
 * have equal ids. */
typedef struct ExprSet {
    uint32_t id;
} ExprSet;
#define EXPR_SET_EMPTY ((ExprSet){0})
ExprSet expr_symbols(const ExprPool *p, Expr e);
/* Input symbols side by side, and nothing else? */
bool expr_is_word(const ExprPool *p, Expr e);
ExprSet expr_set_of(ExprPool *p, uint32_t at);
Sets *expr_sets(ExprPool *p); /* where they are kept: for callers that need them often */
static inline ExprSet expr_set_union(ExprPool *p, ExprSet a, ExprSet b)
{
    return (ExprSet){sets_union(expr_sets(p), a.id, b.id)};
}
bool expr_set_has(const ExprPool *p, ExprSet s, uint32_t at);
bool expr_set_meets(const ExprPool *p, ExprSet a, ExprSet b);
bool expr_set_subset(const ExprPool *p, ExprSet a, ExprSet b);
uint32_t expr_set_size(const ExprPool *p, ExprSet s);
uint32_t expr_set_next(const ExprPool *p, ExprSet s, uint32_t from); /* least member >= from, or UINT32_MAX */
/* The greatest member that is not in `skip`, or UINT32_MAX. */
uint32_t expr_set_last_without(const ExprPool *p, ExprSet s, const BitSet *skip);

/* ---- passes over expressions ----------------------------------------------------------------- */

/* All nodes reachable from the roots (arrays too), ascending ids: children before parents. Clears and fills
 * out. */
void expr_cone(const ExprPool *p, const Expr *roots, uint32_t n, U32Vec *out);
uint32_t expr_size(const ExprPool *p, Expr e); /* nodes of the cone */

/* Replacement of expressions (symbols, usually) by others of the same width, everywhere, simplifying
 * again. */
typedef struct ExprSubst ExprSubst;
ExprSubst *expr_subst_new(ExprPool *p);
void expr_subst_free(ExprSubst *s);
void expr_subst_add(ExprSubst *s, Expr from,
                    Expr to); /* before the first apply, or all memory is forgotten */
Expr expr_subst_apply(ExprSubst *s, Expr e);

/* The same operator over other children, as many and of the same widths, simplified as if made anew. */
Expr expr_rebuild(ExprPool *p, Expr e, const Expr *children);

/* Moves expressions into another pool; objects keep their keys, functions their names. All objects are made
 * first and in their order, so that in a fresh pool positions, and so inputs, stay the same. Memoised in the
 * importer. */
typedef struct ExprImport ExprImport;
ExprImport *expr_import_new(ExprPool *to, const ExprPool *from);
void expr_import_free(ExprImport *im);
Expr expr_import(ExprImport *im, Expr e);

/* ---- expressions as bytes -------------------------------------------------------------------- */

/* Objects travel by key and size, functions by name; expressions and inputs refer to objects by their place
 * in the list that was written before them. Readers trust nothing: false, and the reader is bad, if the bytes
 * are no such thing. What was made by then stays in the pool. */
void expr_objects_write(const ExprPool *p, Str *out);
/* The objects as this pool has them, made if they are new, in their order. */
bool expr_objects_read(ExprPool *p, Wire *in, U32Vec *objects);
void expr_write(const ExprPool *p, const ExprVec *roots, Str *out);
/* Clears and fills out, simplifying again. Applications are refused whose function the pool does not have:
 * expr_fns_of tells which the roots need. */
bool expr_read(ExprPool *p, Wire *in, const U32Vec *objects, ExprVec *out);
void expr_fns_of(const ExprPool *p, const ExprVec *roots, BitSet *out); /* adds them, by number */
uint32_t expr_fn_count(const ExprPool *p);
bool expr_fn_find(const ExprPool *p, const char *name, uint32_t *fn);
void expr_input_write(const ExprPool *p, const ExprInput *input, Str *out);
bool expr_input_read(const ExprPool *p, Wire *in, const U32Vec *objects, ExprInput *out); /* empty before */

/* ---- printing -------------------------------------------------------------------------------- */

/* SMT-LIB 2. Width 1 is sort Bool. Symbols are named |name[offset]|, scalars |name|, with #object behind a
 * name that an earlier object has; the query declares all symbols of the conditions and ends with
 * (check-sat). Floats are converted with to_fp and fp.* operators; where the bits of a float result are
 * needed, the query declares a fresh constant whose to_fp is that result, so NaNs have no particular payload
 * there. The 80-bit format is the sort
 * (_ FloatingPoint 15 64); encodings with a wrong integer bit are not told apart. frem, apply and conversions
 * of floats to more than 64 bits print as uninterpreted functions: a back end must refine them with
 * values. */
void expr_print_smt_query(const ExprPool *p, const Expr *conditions, uint32_t n, const char *comment,
                          Str *out);
/* One term with lets, for people and tests. The bits of a float result are Z3's fp.to_ieee_bv here. */
void expr_print_smt_term(const ExprPool *p, Expr e, Str *out);

/* C over the objects' names, with few casts and parentheses: "x + y <= 10", "s[2] == 'a'". Bounded: beyond
 * `limit` characters (0: 2,000) the rest of a subterm is "...". */
void expr_print_c(const ExprPool *p, Expr e, uint32_t limit, Str *out);
/* The same of a value that C knows to be of this kind: 0.25, 'a', 200, NULL, p. */
void expr_print_c_kind(const ExprPool *p, Expr e, ExprCKind kind, uint32_t limit, Str *out);
/* What a value looks like, whatever its type: an address or a pointer of the input; the result of a float
 * operator. */
bool expr_looks_pointer(const ExprPool *p, Expr e);
bool expr_looks_float(const ExprPool *p, Expr e);
bool expr_is_input(const ExprPool *p, Expr e); /* neighbouring bytes of one input, and nothing else */
bool expr_is_address(const ExprPool *p,
                     Expr e); /* a constant that is a known address of the program's memory */
/* Does the condition say which address a pointer of the input holds? */
bool expr_is_pointer_equality(const ExprPool *p, Expr condition);
bool expr_is_pointer_own(const ExprPool *p,
                         Expr condition); /* and is it that of the object which is named by it? */
/* Does C read this term as an unsigned number without a cast? */
bool expr_reads_unsigned(const ExprPool *p, Expr e);

/* One line for debugging and golden tests: (add x 0x05:8). Shared nodes print again; bounded as above. */
void expr_print(const ExprPool *p, Expr e, uint32_t limit, Str *out);

/* Statistics: nodes, bytes, sets, hits for each rule that fired. */
void expr_pool_stats(const ExprPool *p, JsonOut *json);

#endif
