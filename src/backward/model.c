/* model.c - a model of a failure's condition, as a run can be given it: values of inputs, and contents behind
 * pointers. */
#include "backward/backward_int.h"

enum {
    STRING_MOST = 4096, /* bytes of a string that a model spells out */
    OBJECT_MOST = 4096
}; /* bytes behind a pointer: what a test can hold */

static bool has_cell(const BackwardModel *m, uint64_t pointer, uint64_t offset)
{
    for (uint32_t i = 0; i < m->cells.n; i++)
        if (m->cells.v[i].pointer == pointer && m->cells.v[i].offset == offset)
            return true;
    return false;
}

static void add_cell(BackwardModel *m, uint64_t pointer, uint64_t offset, uint8_t value)
{
    if (!has_cell(m, pointer, offset))
        vec_push(&m->cells, (BackwardCell){pointer, offset, value});
}

/* A term of the condition says what is behind a pointer. Loads first: they say which characters a string
 * has. */
static void read_term(Backward *bw, Expr e, bool strings, BackwardModel *m)
{
    unsigned bytes;
    bool aligned, load = bw_is_load(bw, e, &bytes, &aligned), string = !load && bw_is_strlen(bw, e);
    BwRoot r;
    if ((!load && !string) || string != strings || !bw_root(bw, expr_child(bw->pool, e, 0), &r))
        return;
    uint64_t pointer = (uint64_t)bw_value(bw, &m->input, r.root),
             offset = (uint64_t)bw_value(bw, &m->input, r.offset);
    u128 value = bw_value(bw, &m->input, e);
    for (unsigned k = 0; load && k < bytes; k++)
        add_cell(m, pointer, offset + k, (uint8_t)(value >> 8 * k));
    for (uint64_t k = 0; string && value < STRING_MOST && k <= (uint64_t)value; k++)
        add_cell(m, pointer, offset + k, k < (uint64_t)value ? 'a' : 0);
}

/* How much there is behind a pointer that the entry is given, or that the condition speaks of. */
static void read_extent(Backward *bw, Expr pointer, BackwardModel *m)
{
    BwRoot r;
    if (expr_width(bw->pool, pointer) != 64 || !bw_root(bw, pointer, &r) || !expr_same(r.root, pointer))
        return;
    uint64_t value = (uint64_t)bw_value(bw, &m->input, pointer),
             bytes = (uint64_t)bw_value(bw, &m->input, bw_room(bw, &r));
    if (value && bytes && bytes <= OBJECT_MOST)
        vec_push(&m->extents, (BackwardExtent){value, bytes});
}

static void read_memory(Backward *bw, const U32Vec *cone, BackwardModel *m)
{
    uint32_t cursor = 0;
    uint64_t id, type;
    for (int strings = 0; strings < 2; strings++)
        for (uint32_t i = 0; i < cone->n; i++)
            read_term(bw, (Expr){cone->v[i]}, strings, m);
    for (uint32_t i = 0; i < cone->n; i++)
        read_extent(bw, (Expr){cone->v[i]}, m);
    while (map_next(&bw->entry_types, &cursor, &id, &type))
        read_extent(bw, (Expr){(uint32_t)id}, m);
}

bool backward_failure_model(Backward *bw, const BackwardRequirement *r, uint32_t which, BackwardAlone alone,
                            double seconds, BackwardModel *out)
{
    const BackwardFailure *f = &r->failures.v[which];
    ExprPool *p = bw->pool;
    Expr condition = expr_is_false(f->least) ? f->most : f->least;
    SolverAnswer a = {0};
    U32Vec cone = {0};
    *out = (BackwardModel){.input = {0}};
    for (uint32_t i = 0; i < r->failures.n && alone != BACKWARD_ANYHOW; i++)
        if (i != which && (alone == BACKWARD_ALONE || i < which))
            condition = expr_and(p, condition, expr_not(p, r->failures.v[i].most));
    expr_cone(p, &condition, 1, &cone);
    for (uint32_t i = 0; i < cone.n; i++)
        if (bw_is_room(bw, (Expr){cone.v[i]}))
            condition = expr_and(p, condition, expr_ule(p, (Expr){cone.v[i]}, bw_const(bw, OBJECT_MOST)));
    bw->deadline = clock_seconds() + seconds;
    bool found = bw_check(bw, &condition, 1, &a) == SOLVER_SAT;
    bw->deadline = 0;
    if (found) {
        expr_input_copy(&out->input, &a.model);
        read_memory(bw, &cone, out);
    }
    vec_free(&cone);
    solver_answer_free(&a);
    return found;
}

void backward_model_free(BackwardModel *m)
{
    expr_input_free(&m->input);
    vec_free(&m->cells);
    vec_free(&m->extents);
}
