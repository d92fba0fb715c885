/* test_ir_util.h - what the tests of ir share. */
#ifndef SHEAF_TEST_IR_UTIL_H
#define SHEAF_TEST_IR_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ir/ir.h"

static inline IrProgram *must_parse_n(const char *text, size_t size)
{
    Arena *a = arena_new();
    const char *error;
    IrProgram *p = ir_program_parse(text, size, a, &error);
    if (!p)
        fail_msg("%s", error);
    arena_free(a);
    return p;
}

static inline IrProgram *must_parse(const char *text) { return must_parse_n(text, strlen(text)); }

/* Asserts that it is well formed. */
static inline void must_verify(const IrProgram *p)
{
    Arena *a = arena_new();
    const char *error;
    if (!ir_program_verify(p, a, &error))
        fail_msg("%s", error);
    arena_free(a);
}

static inline Str printed(const IrProgram *p)
{
    Str s = {0};
    ir_program_print(p, &s);
    return s;
}

/* A file of the source tree; the runner of the tests tells where that is. */
static inline Str read_source(const char *path)
{
    const char *root = getenv("SHEAF_SOURCE");
    Str full = {0}, text = {0};
    str_printf(&full, "%s/%s", root ? root : ".", path);
    if (!file_read(full.v, 1 << 24, &text))
        fail_msg("cannot read %s", full.v);
    str_free(&full);
    return text;
}

static inline IrFn *fn_named(IrProgram *p, const char *name)
{
    uint32_t fn = ir_fn_find(p, name);
    assert_int_not_equal(fn, IR_NONE);
    return &p->fns.v[fn];
}

/* A new function. (Not &p->fns.v[ir_fn_get(...)]: the call may move the vector after its address was
 * taken.) */
static inline IrFn *fn_new(IrProgram *p, const char *name)
{
    uint32_t fn = ir_fn_get(p, name);
    return &p->fns.v[fn];
}

/* Parses, verifies, prints, parses and prints again: both prints agree. Returns the first program. */
static inline IrProgram *must_round_trip(const char *text, size_t size)
{
    IrProgram *p = must_parse_n(text, size);
    must_verify(p);
    Str once = printed(p);
    IrProgram *q = must_parse_n(str_text(&once), once.n);
    must_verify(q);
    Str twice = printed(q);
    assert_string_equal(str_text(&once), str_text(&twice));
    str_free(&once);
    str_free(&twice);
    ir_program_free(q);
    return p;
}

#endif
