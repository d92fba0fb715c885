/* ledger.h - why an answer may be incomplete. Part of vm.h's face. */
#ifndef SHEAF_VM_LEDGER_H
#define SHEAF_VM_LEDGER_H

#include "ir/ir.h"

typedef enum LedgerKind {
#define LEDGER(NAME, word, text, option) LEDGER_##NAME,
#include "vm/ledger.def"
#undef LEDGER
    LEDGER_KIND_COUNT
} LedgerKind;

typedef struct LedgerEntry {
    LedgerKind kind;
    uint32_t site; /* IR_NONE if it has none */
    uint64_t count;
    const char *detail; /* owned by the ledger */
} LedgerEntry;

/* What the program asked of its environment: runtime/environment.def. */
typedef enum LedgerEnv {
#define ENVIRONMENT(NAME, word, fixed, input) LEDGER_ENV_##NAME,
#include "../../runtime/environment.def"
#undef ENVIRONMENT
    LEDGER_ENV_COUNT
} LedgerEnv;

/* Entries of equal kind, site and detail are one entry with a count. Bounded: beyond 10,000 entries only
 * counts grow. */
typedef struct Ledger Ledger;
Ledger *ledger_new(void);
void ledger_free(Ledger *l);
void ledger_clear(Ledger *l);
void ledger_add(Ledger *l, LedgerKind kind, uint32_t site, const char *fmt, ...)
    PRINTF_LIKE(4, 5); /* fmt may be NULL */
/* As bytes, but for kinds of which `skip` (or NULL) says so; and added to a ledger of a program with so many
 * sites: what cannot be in one is refused. */
void ledger_write(const Ledger *l, bool (*skip)(LedgerKind kind), Str *out);
bool ledger_read(Ledger *l, Wire *in, uint32_t sites);
void ledger_add_all(Ledger *to, const Ledger *from);
/* The same with one entry for each kind and line: counts are added up, details that differ joined. The caller
 * frees it. */
Ledger *ledger_by_line(const Ledger *l, const IrProgram *p);
uint32_t ledger_count(const Ledger *l);
const LedgerEntry *ledger_entry(const Ledger *l, uint32_t i);
/* The program asked for it, and got an input or a fixed value. */
void ledger_asked(Ledger *l, LedgerEnv what, bool is_input);
/* What the answer assumes of it: "malloc does not fail"; NULL: nothing. */
const char *ledger_assumption(const Ledger *l, LedgerEnv what);
/* All of that as one line: "assumed: malloc does not fail, time() is 0"; nothing if there is nothing. */
void ledger_assumptions_text(const Ledger *l, Str *out);
/* What the answer assumes of the entry's arguments: "text string <= 3" (sym_shape.c). Of each pointer there
 * is one: the first, or the first that names a bound. */
typedef struct LedgerShape {
    const char *of, *text; /* which pointer; owned by the ledger */
    bool bounded;          /* it names a bound that could be larger */
    bool given; /* of an object that a harness makes, or of variables: nothing is said about the others */
} LedgerShape;
/* Of variables: nothing more is said about how objects relate. */
void ledger_shape_state(Ledger *l, const char *of, const char *text);
/* How they relate: "all separate"; NULL: nothing is assumed of an entry. */
const char *ledger_shape_relation(const Ledger *l);
uint32_t ledger_shape_count(const Ledger *l);
const LedgerShape *ledger_shape_at(const Ledger *l, uint32_t i);
bool ledger_shape_bounded(const Ledger *l); /* is one of them? */
/* All of them in one line: "text string <= 3; c one object; all separate"; nothing if there are none. */
void ledger_shapes_text(const Ledger *l, Str *out);
const char *ledger_env_word(LedgerEnv what); /* of --env */
const char *ledger_kind_word(LedgerKind kind);
const char *ledger_kind_option(LedgerKind kind); /* NULL: none lifts it */
/* One line without its end: "loop at lex.c:40 stopped at 64 iterations: --loop-bound". */
void ledger_entry_text(const LedgerEntry *e, const IrProgram *p, Str *out);

#endif
