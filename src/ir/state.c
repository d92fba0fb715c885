/* state.c - variables that a function finds as earlier calls have left them. */
#include "ir/ir_int.h"

typedef struct State {
    const IrProgram *p;
    const IrFn *fn;
    U32Vec of; /* by register of the function: 1 + the variable that it points into, 0: none */
    U32Vec reads;
    BitSet *read, *written; /* NULL: not asked for */
} State;

static uint32_t variable_of(const State *s, uint32_t reg)
{
    const IrConst *c = ir_reg_const_of(s->fn, reg);
    return c && c->kind == IR_CONST_GLOBAL ? c->index + 1 : s->of.v[reg];
}

static void note(BitSet *set, uint32_t variable)
{
    if (set && variable)
        bitset_add(set, variable - 1);
}

/* An address that is passed may be read and written through, one that is kept written. */
static void look_at(State *s, const IrInsn *insn)
{
    switch ((IrOp)insn->op) {
    case IR_OFFSET:
    case IR_INDEX: s->of.v[insn->dst] = variable_of(s, insn->a); return;
    case IR_LOAD: note(s->read, variable_of(s, insn->a)); return;
    case IR_STORE:
        note(s->written, variable_of(s, insn->a));
        note(s->written, variable_of(s, insn->b));
        return;
    case IR_MEMCPY:
    case IR_MEMMOVE: note(s->read, variable_of(s, insn->b)); /* fall through */
    case IR_MEMSET: note(s->written, variable_of(s, insn->a)); return;
    default: break;
    }
    bool call = insn->op == IR_CALL || insn->op == IR_CALLPTR;
    ir_insn_reads(s->fn, insn, &s->reads);
    for (uint32_t i = 0; i < s->reads.n; i++) {
        uint32_t variable = variable_of(s, s->reads.v[i]);
        if (variable && (insn->op == IR_PHI || insn->op == IR_SELECT))
            s->of.v[insn->dst] = variable;
        note(call ? s->read : NULL, variable);
        note(call ? s->written : NULL, variable);
    }
}

static void look_into(State *s, const IrFn *fn)
{
    s->fn = fn;
    vec_clear(&s->of);
    for (uint32_t i = 0; i < fn->regs.n; i++)
        vec_push(&s->of, 0);
    for (int pass = 0; pass < 2; pass++) /* a block may stand before one that it follows */
        for (uint32_t b = 0; b < fn->blocks.n; b++)
            for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
                look_at(s, &fn->blocks.v[b].insns.v[i]);
}

void ir_program_written(const IrProgram *p, BitSet *out)
{
    State s = {.p = p, .written = out};
    for (uint32_t f = 0; f < p->fns.n; f++)
        if (p->fns.v[f].defined && !p->fns.v[f].runtime)
            look_into(&s, &p->fns.v[f]);
    vec_free(&s.of);
    vec_free(&s.reads);
}

void ir_fn_state(const IrProgram *p, uint32_t fn, BitSet *out)
{
    BitSet fns = {0}, named = {0}, read = {0}, written = {0};
    State s = {.p = p};
    ir_fn_reachable(p, fn, &fns, &named);
    for (uint32_t f = 0; f < p->fns.n; f++) {
        s.read = bitset_has(&fns, f) ? &read : NULL;
        s.written = &written;
        if (p->fns.v[f].defined && !p->fns.v[f].runtime)
            look_into(&s, &p->fns.v[f]);
    }
    for (uint32_t g = 0; g < p->globals.n; g++) {
        const IrGlobal *global = &p->globals.v[g];
        for (uint32_t i = 0; i < global->relocs.n; i++)
            if (global->relocs.v[i].value.kind == IR_CONST_GLOBAL && bitset_has(&named, g)) {
                bitset_add(&read, global->relocs.v[i].value.index);
                bitset_add(&written, global->relocs.v[i].value.index);
            }
    }
    for (uint32_t g = 0; g < p->globals.n; g++) {
        const IrGlobal *global = &p->globals.v[g];
        if (global->defined && !global->constant && !global->runtime && global->size &&
            bitset_has(&read, g) && (global->written || bitset_has(&written, g)))
            bitset_add(out, g);
    }
    vec_free(&s.of);
    vec_free(&s.reads);
    bitset_free(&fns);
    bitset_free(&named);
    bitset_free(&read);
    bitset_free(&written);
}
