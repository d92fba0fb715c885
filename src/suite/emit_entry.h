/* emit_entry.h - what the files that write tests of an entry as C share. Private to suite. */
#ifndef SHEAF_SUITE_EMIT_ENTRY_H
#define SHEAF_SUITE_EMIT_ENTRY_H

#include "suite/suite_int.h"

/* An object as the C file knows it. */
typedef struct Thing {
    const char *variable; /* C for its address, or for itself if `value`; NULL: it has none yet */
    uint32_t type;        /* of one element; 0: not known */
    bool value;           /* a parameter or the result, not something behind a pointer */
    bool to_const;        /* behind a pointer that is not written through */
    bool fresh;           /* made by the function */
    uint32_t from;        /* of a fresh one: the byte that was pointed to */
    uint32_t size;
    const uint8_t *data;
    IrCFieldVec fields;
} Thing;

typedef struct TypedLines {
    uint32_t first, last, type;
} TypedLines;

typedef struct Writer {
    const SuiteProgram *p;
    const IrFn *fn; /* the entry */
    const SuiteTest *test;
    const SuiteObserved *observed;
    Arena *arena; /* of one attempt */
    Str *out;
    uint32_t line, counted; /* lines in out up to the byte `counted` */
    Map hidden;             /* types whose members cannot be named */
    bool plain;             /* no member is named */
    Vec(TypedLines) typed;
    StrMap taken; /* identifiers of this test */
    StrVec calls; /* that make its handles, as statements */
    Thing *objects, *seen;
} Writer;

/* ---- emit_entry_text.c: lines, names and values ----------------------------------------------- */

uint32_t suite_emit_line(Writer *w); /* lines so far */
/* A line of the test. If it does not compile, `type` is to blame. */
void suite_emit_statement(Writer *w, uint32_t type, const char *fmt, ...) PRINTF_LIKE(3, 4);
const char *suite_emit_literal(Writer *w, const void *data, size_t n);
const char *suite_emit_identifier(Writer *w, const char *text); /* `l->next` becomes l_next, or l_next2 */
static inline const IrCType *suite_emit_type(const Writer *w, uint32_t type)
{
    return &w->p->ir->ctypes.v[type];
}
uint64_t suite_emit_bits(const uint8_t *data, const IrCField *f);
const char *suite_emit_value(Writer *w, const uint8_t *data, const IrCField *f); /* NULL: C cannot write it */
const char *suite_emit_scalar(const IrCType *t); /* its name; NULL: it is none */
void suite_emit_fields(Writer *w, Thing *t);     /* finds them, once */
bool suite_emit_names_members(const Writer *w, const Thing *t);
bool suite_emit_is_text(const Writer *w, const Thing *t);
/* All elements of an object of scalars: 1, 2, 3; NULL if C cannot write one. */
const char *suite_emit_elements(Writer *w, const Thing *t, const uint8_t *data);
const char *suite_emit_address(Writer *w, const Thing *t, int64_t delta);
/* Have the pointer and the variable of what it leads to one type? */
bool suite_emit_is_plain(const IrCField *f, const Thing *to, int64_t delta);

/* ---- emit_entry_handles.c --------------------------------------------------------------------- */

/* Finds the calls that make the handles; variables for their arguments are declared at once. */
void suite_emit_handles(Writer *w);

/* ---- emit_entry_build.c, emit_entry_check.c --------------------------------------------------- */

void suite_emit_arguments(Writer *w); /* declares and fills the parameters and what they lead to */
/* A variable for an argument: the test's parameter `of`, of that C type. */
void suite_emit_argument(Writer *w, const char *name, const char *type, const char *of, uint32_t known);
/* `const Node *` is filled by us: it is declared without const. Types that go around the name are spelled by
 * __typeof__. */
const char *suite_emit_declared_type(Writer *w, const char *type);
uint32_t suite_emit_object_of(const Writer *w,
                              const char *name); /* of a parameter; UINT32_MAX: it has none */
void suite_emit_checks(Writer *w); /* compares what the call left with what the native run did */

#endif
