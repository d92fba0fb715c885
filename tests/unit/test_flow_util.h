/* test_flow_util.h - what the tests of dependence share: a program from text, places by line. */
#ifndef SHEAF_TEST_FLOW_UTIL_H
#define SHEAF_TEST_FLOW_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flow/flow.h"

typedef struct Case {
    Arena *arena;
    IrProgram *program;
    Flow *flow;
    FlowSlices *slices;
} Case;

/* In the text "!N" stands for line N of "t.c": the sites are added here. */
static inline Case open_with(const char *text, const FlowSliceOptions *options)
{
    Case c = {.arena = arena_new()};
    Str all = {0};
    const char *error = "";
    str_add(&all, text);
    for (uint32_t i = 0; i < 200; i++)
        str_printf(&all, "site !%u \"t.c\" %u:1 \"\"\n", i, i);
    c.program = ir_program_parse(all.v, all.n, c.arena, &error);
    if (!c.program || !ir_program_verify(c.program, c.arena, &error))
        fail_msg("%s\n%s", error, text);
    ir_program_index(c.program);
    c.flow = flow_new(c.program, NULL);
    c.slices = flow_slices_new(c.flow, options);
    str_free(&all);
    return c;
}

static inline Case open_case(const char *text) { return open_with(text, NULL); }

static inline void close_case(Case *c)
{
    flow_slices_free(c->slices);
    flow_free(c->flow);
    ir_program_free(c->program);
    arena_free(c->arena);
}

/* The first instruction of that line. */
static inline FlowSite on_line(const Case *c, uint32_t line)
{
    for (uint32_t f = 0; f < c->program->fns.n; f++)
        for (uint32_t b = 0; b < c->program->fns.v[f].blocks.n; b++)
            for (uint32_t i = 0; i < c->program->fns.v[f].blocks.v[b].insns.n; i++) {
                uint32_t site = c->program->fns.v[f].blocks.v[b].insns.v[i].site;
                if (site != IR_NONE && c->program->sites.v[site].line == line)
                    return (FlowSite){f, b, i};
            }
    fail_msg("nothing on line %u", line);
    return (FlowSite){0, 0, 0};
}

/* The lines of a slice as "3 5 8". */
static inline void expect_slice(const Case *c, uint32_t line, bool forward, const char *wanted)
{
    FlowSite at = on_line(c, line);
    FlowSites slice = flow_slice(c->slices, &at, 1, forward);
    bool lines[200] = {false};
    Str text = {0};
    for (uint32_t i = 0; i < slice.n; i++) {
        uint32_t site =
            c->program->fns.v[slice.v[i].fn].blocks.v[slice.v[i].block].insns.v[slice.v[i].insn].site;
        if (site != IR_NONE)
            lines[c->program->sites.v[site].line] = true;
    }
    for (uint32_t i = 0; i < COUNT_OF(lines); i++)
        if (lines[i])
            str_printf(&text, "%s%u", text.n ? " " : "", i);
    assert_string_equal(str_text(&text), wanted);
    str_free(&text);
}

#endif
