/* test_flow_case.h - programs from text, and results as text, for the tests of flow. */
#ifndef SHEAF_TEST_FLOW_CASE_H
#define SHEAF_TEST_FLOW_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flow/flow.h"
#include "flow/flow_int.h"

typedef struct Case {
    Arena *arena;
    IrProgram *program;
    Flow *flow;
} Case;

static inline Case open_case_with(const char *text, const FlowOptions *options)
{
    Case c = {.arena = arena_new()};
    const char *error = "";
    c.program = ir_program_parse(text, strlen(text), c.arena, &error);
    if (!c.program || !ir_program_verify(c.program, c.arena, &error))
        fail_msg("%s", error);
    ir_program_index(c.program);
    c.flow = flow_new(c.program, options);
    return c;
}

static inline Case open_case(const char *text) { return open_case_with(text, NULL); }

static inline void close_case(Case *c)
{
    flow_free(c->flow);
    ir_program_free(c->program);
    arena_free(c->arena);
}

static inline uint32_t fn_of(const Case *c, const char *name)
{
    uint32_t fn = ir_fn_find(c->program, name);
    if (fn == IR_NONE)
        fail_msg("no function %s", name);
    return fn;
}

static inline uint32_t reg_of(const Case *c, uint32_t fn, const char *name)
{
    const IrFn *f = &c->program->fns.v[fn];
    for (uint32_t r = 0; r < f->regs.n; r++)
        if (!strcmp(ir_text(c->program, f->regs.v[r].name), name))
            return r;
    fail_msg("no register %s", name);
    return IR_NONE;
}

/* The register's points-to set, by names of objects in the order of their ids. */
static inline void expect_points(const Case *c, const char *fn, const char *reg, const char *wanted)
{
    Str out = {0};
    char text[256];
    uint32_t f = fn_of(c, fn);
    FlowList list = flow_points_to(c->flow, f, reg_of(c, f, reg));
    for (uint32_t i = 0; i < list.n; i++)
        str_printf(&out, "%s%s", i ? ", " : "", flow_object_text(c->flow, list.v[i], text, sizeof text));
    assert_string_equal(str_text(&out), wanted);
    str_free(&out);
}

/* "object[first+size]", params as "param i", separated by ", ". */
static inline void expect_places(const Case *c, FlowPlaces places, const char *wanted)
{
    Str out = {0};
    char text[256];
    for (uint32_t i = 0; i < places.n; i++) {
        const FlowPlace *p = &places.v[i];
        str_add(&out, i ? ", " : "");
        if (p->param != IR_NONE)
            str_printf(&out, "param %u", p->param);
        else
            str_add(&out, flow_object_text(c->flow, p->object, text, sizeof text));
        if (p->size != FLOW_WHOLE)
            str_printf(&out, "[%llu+%llu]", (unsigned long long)p->first, (unsigned long long)p->size);
    }
    assert_string_equal(str_text(&out), wanted);
    str_free(&out);
}

#endif
