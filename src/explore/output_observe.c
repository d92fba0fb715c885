/* output_observe.c - which of a program's sheaf_output calls count. What one name depends on must not depend
 * on whether another is reached: calls with names that were not asked for do nothing. */
#include "explore/explore.h"

/* A function that takes what sheaf_output takes and does nothing. */
static uint32_t nothing(IrProgram *p)
{
    uint32_t none = 0, index = ir_fn_get(p, "__sheaf_unobserved");
    IrFn *fn = &p->fns.v[index];
    if (fn->defined)
        return index;
    for (int i = 0; i < 3; i++)
        ir_reg_param(p, fn, 64, NULL);
    fn->defined = fn->runtime = true;
    fn->site = IR_NONE;
    uint32_t block = ir_block_add(p, fn, NULL);
    ir_emit(fn, block,
            (IrInsn){.op = IR_RET, .dst = IR_NONE, .a = ir_extra_add(fn, &none, 1), .site = IR_NONE});
    ir_fn_index(fn);
    return index;
}

/* The name that the call gives, if it is a constant; NULL if not. */
static const char *name_of(const IrProgram *p, const IrFn *fn, const IrInsn *insn)
{
    IrCall call = ir_call_read(fn, insn);
    const IrConst *c = call.nargs == 3 ? ir_reg_const_of(fn, call.args[2]) : NULL;
    const IrGlobal *g = c && c->kind == IR_CONST_GLOBAL ? &p->globals.v[c->index] : NULL;
    if (!g || !g->constant || !g->bytes || c->bits >= g->size ||
        !memchr(g->bytes + c->bits, 0, g->size - (size_t)c->bits))
        return NULL;
    return (const char *)g->bytes + c->bits;
}

static bool is_asked(const StrVec *names, const char *name)
{
    bool asked = !name || !names->n;
    for (uint32_t i = 0; i < names->n && !asked; i++)
        asked = !strcmp(names->v[i], name);
    return asked;
}

bool explore_is_output(const IrProgram *p, const char *name)
{
    uint32_t output = ir_fn_find(p, "sheaf_output");
    for (uint32_t f = 0; f < p->fns.n && output != IR_NONE; f++) {
        const IrFn *fn = &p->fns.v[f];
        for (uint32_t b = 0; b < fn->blocks.n && !fn->runtime; b++)
            for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
                const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
                const char *given = insn->op == IR_CALL && insn->a == output ? name_of(p, fn, insn) : "";
                if (!given || (*given && !strcmp(given, name)))
                    return true;
            }
    }
    return false;
}

void explore_observe(IrProgram *p, const StrVec *names)
{
    uint32_t output = ir_fn_find(p, "sheaf_output"), ignored = output == IR_NONE ? IR_NONE : nothing(p);
    for (uint32_t f = 0; f < p->fns.n && output != IR_NONE; f++) {
        IrFn *fn = &p->fns.v[f];
        for (uint32_t b = 0; b < fn->blocks.n && !fn->runtime; b++)
            for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
                IrInsn *insn = &fn->blocks.v[b].insns.v[i];
                if (insn->op == IR_CALL && (insn->a == output || insn->a == ignored))
                    insn->a = is_asked(names, name_of(p, fn, insn)) ? output : ignored;
            }
    }
}
