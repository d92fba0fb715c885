/* outline_rewrite.c - calls in the place of a loop: its header calls the copies and goes on behind it, its
 * other blocks are left empty. */
#include "versions/outline.h"

typedef struct Rewrite {
    IrProgram *p;
    const Outline *o;
    IrFn *fn;
    uint32_t header;
    Vec(IrInsn) insns; /* the header's, new */
} Rewrite;

static uint32_t add_list(Rewrite *r, const U32Vec *list) { return ir_extra_add(r->fn, list->v, list->n); }

/* Entries of a phi from outside of the loop. */
static void outer_entries(const Rewrite *r, const IrInsn *phi, U32Vec *out)
{
    const uint32_t *list = &r->fn->extra.v[phi->a];
    vec_clear(out);
    vec_push(out, 0);
    for (uint32_t k = 0; k < list[0]; k++)
        if (!bitset_has(&r->o->inside, list[1 + 2 * k])) {
            vec_push(out, list[1 + 2 * k]);
            vec_push(out, list[2 + 2 * k]);
        }
    out->v[0] = (out->n - 1) / 2;
}

/* What the phi of the header is at the first iteration. */
static uint32_t first_value(Rewrite *r, const IrInsn *phi)
{
    U32Vec list = {0};
    outer_entries(r, phi, &list);
    uint32_t reg = list.v[2];
    if (list.v[0] != 1) {
        reg = ir_reg_result(r->p, r->fn, phi->width, NULL);
        IrInsn merged = *phi;
        merged.dst = reg;
        merged.a = add_list(r, &list);
        vec_push(&r->insns, merged);
    }
    vec_free(&list);
    return reg;
}

static uint32_t call(Rewrite *r, uint32_t callee, uint32_t dst, const U32Vec *args)
{
    U32Vec list = {0};
    vec_push(&list, 1);
    vec_push(&list, dst);
    vec_push(&list, args->n);
    for (uint32_t i = 0; i < args->n; i++)
        vec_push(&list, args->v[i]);
    vec_push(&list, 0);
    vec_push(&r->insns, ((IrInsn){.op = IR_CALL,
                                  .dst = IR_NONE,
                                  .a = callee,
                                  .b = add_list(r, &list),
                                  .site = r->p->fns.v[callee].site}));
    vec_free(&list);
    return dst;
}

/* The phi gets from the header what it got from the loop. */
static void change_phi(Rewrite *r, IrInsn *phi, uint32_t reg)
{
    U32Vec list = {0};
    const uint32_t *old = &r->fn->extra.v[phi->a];
    bool any = false;
    for (uint32_t k = 0; k < old[0]; k++)
        if (bitset_has(&r->o->inside, old[1 + 2 * k])) {
            any = true;
            reg = reg == IR_NONE ? old[2 + 2 * k] : reg;
        }
    outer_entries(r, phi, &list);
    if (any) {
        vec_push(&list, r->header);
        vec_push(&list, reg);
        list.v[0]++;
        phi->a = add_list(r, &list);
    }
    vec_free(&list);
}

static void change_targets(Rewrite *r, const U32Vec *given)
{
    for (uint32_t t = 0; t < r->o->targets.n; t++) {
        IrBlock *b = &r->fn->blocks.v[r->o->targets.v[t]];
        for (uint32_t k = 0; k < b->insns.n && b->insns.v[k].op == IR_PHI; k++) {
            uint32_t reg = IR_NONE;
            for (uint32_t i = 0; i < r->o->values.n; i++) {
                const OutlineValue *v = &r->o->values.v[i];
                if (v->kind == OUTLINE_PHI && v->target == r->o->targets.v[t] && v->phi == k)
                    reg = given->v[i];
            }
            change_phi(r, &b->insns.v[k], reg);
        }
    }
}

/* Sites of loops that are gone stay with the calls. */
static void change_blocks(Rewrite *r, const U32Vec *given)
{
    uint32_t site = vec_last(&r->fn->blocks.v[r->header].insns).site;
    IrInsn leave = {.op = IR_JMP, .dst = IR_NONE, .a = r->o->targets.v[0], .site = site};
    if (r->o->targets.n == 2)
        leave = (IrInsn){.op = IR_BR,
                         .width = 1,
                         .dst = IR_NONE,
                         .a = vec_last(given),
                         .b = r->o->targets.v[0],
                         .c = r->o->targets.v[1],
                         .site = site};
    vec_push(&r->insns, leave);
    for (uint32_t i = 0; i < r->o->blocks.n; i++) {
        vec_clear(&r->fn->blocks.v[r->o->blocks.v[i]].insns);
        ir_emit(r->fn, r->o->blocks.v[i], (IrInsn){.op = IR_UNREACHABLE, .dst = IR_NONE, .site = site});
    }
    vec_clear(&r->fn->blocks.v[r->header].insns);
    for (uint32_t i = 0; i < r->insns.n; i++)
        ir_emit(r->fn, r->header, r->insns.v[i]);
}

void outline_rewrite(IrProgram *p, const Outline *o, const U32Vec *callees)
{
    Rewrite r = {.p = p, .o = o, .fn = &p->fns.v[o->fn], .header = o->blocks.v[0]};
    U32Vec args = {0}, given = {0};
    for (uint32_t i = 0; i < o->phis.n; i++)
        vec_push(&args, first_value(&r, &r.fn->blocks.v[r.header].insns.v[o->phis.v[i]]));
    for (uint32_t i = 0; i < o->args.n; i++)
        vec_push(&args, o->args.v[i]);
    for (uint32_t i = 0; i < o->values.n; i++) {
        const OutlineValue *v = &o->values.v[i];
        uint32_t dst = v->kind == OUTLINE_REG ? v->reg : ir_reg_result(p, r.fn, v->width, NULL);
        vec_push(&given, call(&r, callees->v[i], dst, &args));
    }
    change_targets(&r, &given);
    change_blocks(&r, &given);
    vec_free(&r.insns);
    vec_free(&args);
    vec_free(&given);
}
