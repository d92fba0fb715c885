/* outline_copy.c - a loop as functions: copies of its blocks, with parameters for what comes from outside. */
#include "versions/outline.h"

typedef struct Copy {
    IrProgram *p;
    const Outline *o;
    const OutlineValue *value;
    const IrFn *from;
    IrFn *to;
    uint32_t *reg, *block; /* of `from` to those of `to`; IR_NONE: none */
} Copy;

enum { ENTRY = 0 };

static uint32_t reg_of(Copy *c, uint32_t reg)
{
    const IrConst *k = ir_reg_const_of(c->from, reg);
    if (k)
        return ir_reg_const(c->p, c->to, c->from->regs.v[reg].width, *k);
    if (c->reg[reg] == IR_NONE)
        bug("a loop reads a register that is no argument");
    return c->reg[reg];
}

static void emit(Copy *c, uint32_t block, IrInsn insn) { ir_emit(c->to, block, insn); }

static uint32_t list_of(Copy *c, const U32Vec *list) { return ir_extra_add(c->to, list->v, list->n); }

/* `param`: of a phi of the header, what it is at first; IR_NONE: it is another phi. */
static uint32_t copy_phi(Copy *c, const IrInsn *phi, uint32_t param)
{
    const uint32_t *from = &c->from->extra.v[phi->a];
    U32Vec list = {0};
    vec_push(&list, 0);
    if (param != IR_NONE) {
        vec_push(&list, ENTRY);
        vec_push(&list, param);
    }
    for (uint32_t k = 0; k < from[0]; k++)
        if (bitset_has(&c->o->inside, from[1 + 2 * k])) {
            vec_push(&list, c->block[from[1 + 2 * k]]);
            vec_push(&list, reg_of(c, from[2 + 2 * k]));
        }
    list.v[0] = (list.n - 1) / 2;
    uint32_t at = list_of(c, &list);
    vec_free(&list);
    return at;
}

/* The list of a call or a switch. */
static uint32_t copy_list(Copy *c, const IrInsn *insn)
{
    U32Vec list = {0};
    if (insn->op == IR_SWITCH) {
        const uint32_t *from = &c->from->extra.v[insn->b];
        vec_push(&list, from[0]);
        for (uint32_t k = 0; k < from[0]; k++) {
            vec_push(&list, reg_of(c, from[1 + 2 * k]));
            vec_push(&list, c->block[from[2 + 2 * k]]);
        }
    } else {
        IrCall call = ir_call_read(c->from, insn);
        vec_push(&list, call.ndst);
        for (uint32_t k = 0; k < call.ndst; k++)
            vec_push(&list, reg_of(c, call.dst[k]));
        vec_push(&list, call.nargs);
        for (uint32_t k = 0; k < call.nargs; k++)
            vec_push(&list, reg_of(c, call.args[k]));
        vec_push(&list, 0);
    }
    uint32_t at = list_of(c, &list);
    vec_free(&list);
    return at;
}

static void copy_insn(Copy *c, uint32_t block, const IrInsn *insn, uint32_t param)
{
    IrInsn copy = *insn;
    uint32_t *field = &copy.a;
    for (const char *form = ir_op_form((IrOp)insn->op); *form; form++) {
        if (*form == 'd') {
            copy.dst = insn->dst == IR_NONE ? IR_NONE : reg_of(c, insn->dst);
            continue;
        }
        if (*form == 'r')
            *field = reg_of(c, *field);
        else if (*form == 'b')
            *field = c->block[*field];
        else if (*form == 'e')
            *field = insn->op == IR_PHI ? copy_phi(c, insn, param) : copy_list(c, insn);
        field = field == &copy.a ? &copy.b : &copy.c;
    }
    emit(c, block, copy);
}

static void return_reg(Copy *c, uint32_t block, uint32_t reg)
{
    U32Vec list = {0};
    vec_push(&list, 1);
    vec_push(&list, reg);
    uint32_t at = list_of(c, &list);
    emit(c, block, (IrInsn){.op = IR_RET, .dst = IR_NONE, .a = at, .site = c->to->site});
    vec_free(&list);
}

/* Where the loop leaves to a target, the copy returns the value; if there is none there, nothing reads it. */
static void end_at(Copy *c, const IrLive *live, uint32_t which)
{
    uint32_t target = c->o->targets.v[which], block = c->block[target];
    const OutlineValue *v = c->value;
    uint32_t reg = ir_reg_int(c->p, c->to, v->width, 0);
    if (v->kind == OUTLINE_WHICH) {
        reg = ir_reg_int(c->p, c->to, 1, which == 0);
    } else if (v->kind == OUTLINE_REG && ir_live_in(live, v->reg, target)) {
        reg = reg_of(c, v->reg);
    } else if (v->kind == OUTLINE_PHI && v->target == target) {
        IrInsn phi = c->from->blocks.v[target].insns.v[v->phi];
        phi.a = copy_phi(c, &phi, IR_NONE);
        phi.dst = reg = ir_reg_result(c->p, c->to, v->width, NULL);
        emit(c, block, phi);
    }
    return_reg(c, block, reg);
}

static void name_all(Copy *c)
{
    const Outline *o = c->o;
    U32Vec defs = {0};
    for (uint32_t i = 0; i < o->phis.n; i++)
        ir_reg_param(c->p, c->to, c->from->blocks.v[o->blocks.v[0]].insns.v[o->phis.v[i]].width, NULL);
    for (uint32_t i = 0; i < o->args.n; i++)
        c->reg[o->args.v[i]] = ir_reg_param(c->p, c->to, c->from->regs.v[o->args.v[i]].width, NULL);
    ir_block_add(c->p, c->to, NULL); /* ENTRY */
    for (uint32_t i = 0; i < o->blocks.n; i++) {
        const IrBlock *b = &c->from->blocks.v[o->blocks.v[i]];
        c->block[o->blocks.v[i]] = ir_block_add(c->p, c->to, NULL);
        for (uint32_t k = 0; k < b->insns.n; k++) {
            ir_insn_defs(c->from, &b->insns.v[k], &defs);
            for (uint32_t d = 0; d < defs.n; d++)
                c->reg[defs.v[d]] = ir_reg_result(c->p, c->to, c->from->regs.v[defs.v[d]].width, NULL);
        }
    }
    for (uint32_t i = 0; i < o->targets.n; i++)
        c->block[o->targets.v[i]] = ir_block_add(c->p, c->to, NULL);
    vec_free(&defs);
}

static void copy_blocks(Copy *c)
{
    const Outline *o = c->o;
    emit(c, ENTRY,
         (IrInsn){.op = IR_JMP, .dst = IR_NONE, .a = c->block[o->blocks.v[0]], .site = c->to->site});
    for (uint32_t i = 0; i < o->blocks.n; i++) {
        const IrBlock *b = &c->from->blocks.v[o->blocks.v[i]];
        for (uint32_t k = 0; k < b->insns.n; k++)
            copy_insn(c, c->block[o->blocks.v[i]], &b->insns.v[k],
                      !i && b->insns.v[k].op == IR_PHI ? k : IR_NONE);
    }
}

/* Registers and blocks are numbered as they come, so that equal loops have equal copies. */
static void find_code(const IrProgram *p, const IrFn *fn, U64Vec *out)
{
    IrOperandVec operands = {0};
    vec_push(out, fn->nparams);
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            vec_push(out, (uint64_t)insn->op << 16 | (uint64_t)insn->width << 8 | insn->flags);
            ir_insn_operands(fn, insn, &operands);
            for (uint32_t k = 0; k < operands.n; k++) {
                uint32_t value = operands.v[k].value;
                bool reg = operands.v[k].kind == 'r' || operands.v[k].kind == 'd';
                const IrConst *c = reg && value != IR_NONE ? ir_reg_const_of(fn, value) : NULL;
                const char *name = operands.v[k].kind == 'f'         ? ir_text(p, p->fns.v[value].name)
                                   : c && c->kind == IR_CONST_GLOBAL ? ir_text(p, p->globals.v[c->index].name)
                                   : c && c->kind == IR_CONST_FN     ? ir_text(p, p->fns.v[c->index].name)
                                                                     : NULL;
                uint64_t word = name ? hash_bytes(name, strlen(name)) : c ? 0 : value;
                if (reg && value != IR_NONE)
                    word = hash_mix(word, fn->regs.v[value].width);
                if (c)
                    word = hash_mix(word, hash_mix((uint64_t)c->bits, (uint64_t)(c->bits >> 64)));
                vec_push(out, word);
            }
        }
    vec_free(&operands);
}

static void copy_value(IrProgram *p, const Outline *o, const IrLive *live, OutlineValue *v)
{
    const IrFn *from = &p->fns.v[o->fn];
    const IrBlock *header = &from->blocks.v[o->blocks.v[0]];
    Copy c = {.p = p, .o = o, .value = v, .from = from, .to = &v->fn};
    v->fn = (IrFn){.defined = true, .local = true, .outlined = true, .site = vec_last(&header->insns).site};
    vec_push(&v->fn.results, v->width);
    c.reg = mem_alloc((from->regs.n + 1) * sizeof *c.reg);
    c.block = mem_alloc((from->blocks.n + 1) * sizeof *c.block);
    memset(c.reg, 0xff, from->regs.n * sizeof *c.reg);
    memset(c.block, 0xff, from->blocks.n * sizeof *c.block);
    name_all(&c);
    copy_blocks(&c);
    for (uint32_t i = 0; i < o->targets.n; i++)
        end_at(&c, live, i);
    ir_fn_index(&v->fn);
    find_code(p, &v->fn, &v->code);
    mem_free(c.reg);
    mem_free(c.block);
}

void outline_copy(IrProgram *p, const IrLive *live, Outline *o)
{
    for (uint32_t i = 0; i < o->values.n; i++)
        copy_value(p, o, live, &o->values.v[i]);
}
