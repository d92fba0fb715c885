/* table.c - the table of effects against the bodies that it stands for.
 *
 * usage: table FILE.ir          what `sheaf dump --runtime` prints of a program that calls every function of
 * the table
 *
 * What a body writes or reads behind a parameter, through all that it calls, must be in the function's line.
 * Prints each breach and how many functions were held against their bodies; exit status 1 if there is a
 * breach, or fewer than half have a body. */
#include "flow/effects.h"

static bool names(const Effect *e, uint32_t param, bool write)
{
    switch (e->kind) {
    case EFFECT_WRITE:
    case EFFECT_WRITE_ALL:
    case EFFECT_INPUT:
    case EFFECT_PUT:
    case EFFECT_STREAM_OF: return e->a == param;
    case EFFECT_COPY: return write ? e->a == param : e->a == param || e->b == param;
    case EFFECT_READ:
    case EFFECT_READ_ALL: return !write && e->a == param;
    case EFFECT_CALL: /* what a callback does is the callback's */
        for (uint32_t i = 0; i < e->nargs; i++)
            if (e->args[i] == param)
                return true;
        return e->a == param;
    default: return false;
    }
}

static bool described(const Effects *line, uint32_t param, bool write)
{
    for (uint32_t i = 0; i < line->n; i++)
        if (names(&line->v[i], param, write))
            return true;
    return false;
}

static uint32_t check(const IrProgram *p, Flow *flow, uint32_t fn, const Effects *line, bool write)
{
    FlowPlaces places = write ? flow_fn_writes(flow, fn) : flow_fn_reads(flow, fn);
    uint32_t bad = 0, last = IR_NONE;
    for (uint32_t i = 0; i < places.n; i++) {
        uint32_t param = places.v[i].param;
        if (param == IR_NONE || param == last || described(line, param, write))
            continue;
        last = param;
        bad++;
        printf("%s: the body %s behind parameter %u, the table does not say so\n",
               ir_text(p, p->fns.v[fn].name), write ? "writes" : "reads", param);
    }
    return bad;
}

int main(int argc, char **argv)
{
    Str text = {0};
    Arena *a = arena_new();
    const char *error = "no file";
    if (argc != 2 || !file_read(argv[1], (size_t)1 << 30, &text))
        die("usage: table FILE.ir");
    IrProgram *p = ir_program_parse(text.v, text.n, a, &error);
    if (!p)
        die("%s: %s", argv[1], error);
    ir_program_index(p);
    Flow *flow = flow_new(p, NULL);
    const Effects **lines = effects_bind(p, a);
    uint32_t held = 0, known = 0, bad = 0;
    for (uint32_t i = 0; effects_name(i); i++)
        known++;
    for (uint32_t f = 0; f < p->fns.n; f++)
        if (lines[f] && p->fns.v[f].defined) {
            held++;
            bad += check(p, flow, f, lines[f], true) + check(p, flow, f, lines[f], false);
        }
    printf("table of effects: %u of %u functions held against their bodies, %u breaches\n", held, known, bad);
    flow_free(flow);
    ir_program_free(p);
    arena_free(a);
    str_free(&text);
    return bad || held < known / 2;
}
