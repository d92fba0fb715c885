/* read.c - taking instructions apart: operand slots, calls, successors, registers read and defined. */
#include "ir/ir_int.h"

IrSlots ir_slots(const IrFn *fn, const IrInsn *insn)
{
    return (IrSlots){
        .fn = fn, .insn = insn, .form = ir_op_form((IrOp)insn->op), .list = ir_op_list((IrOp)insn->op)};
}

/* The next word of the list, or NULL (and broken) if the pool ends before it. */
static const uint32_t *list_word(IrSlots *s)
{
    if (s->at >= s->fn->extra.n) {
        s->broken = true;
        return NULL;
    }
    return &s->fn->extra.v[s->at++];
}

/* One step inside a list: false when the list is over (or broken). */
static bool list_next(IrSlots *s)
{
    for (;;) {
        if (!s->tuple) { /* at the count of a group */
            if (*s->list == '\0')
                return false;
            const uint32_t *count = list_word(s);
            if (!count)
                return false;
            s->left = *count;
            s->tuple = s->list;
        }
        bool tuple_done = *s->list == ',' || *s->list == '\0';
        if (tuple_done && s->left)
            s->left--;
        if (s->left == 0) {
            s->list = s->tuple + strcspn(s->tuple, ",");
            s->list += *s->list == ',';
            s->tuple = NULL;
            continue;
        }
        if (tuple_done)
            s->list = s->tuple;
        s->kind = *s->list++;
        s->slot = list_word(s);
        return s->slot != NULL;
    }
}

bool ir_slots_next(IrSlots *s)
{
    for (;;) {
        if (s->in_list) {
            if (list_next(s))
                return true;
            if (s->broken)
                return false;
            s->in_list = false;
        }
        if (*s->form == '\0')
            return false;
        s->kind = *s->form++;
        if (s->kind == 'd') {
            s->slot = &s->insn->dst;
            return true;
        }
        s->slot = s->field == 0 ? &s->insn->a : s->field == 1 ? &s->insn->b : &s->insn->c;
        s->field++;
        if (s->kind != 'e')
            return true;
        s->at = *s->slot;
        s->in_list = true;
    }
}

bool ir_lists_fit(const IrFn *fn, const IrInsn *insn)
{
    IrSlots s = ir_slots(fn, insn);
    while (ir_slots_next(&s)) {
    }
    return !s.broken;
}

static void collect(const IrFn *fn, const IrInsn *insn, char kind, U32Vec *out)
{
    for (IrSlots s = ir_slots(fn, insn); ir_slots_next(&s);)
        if (s.kind == kind)
            vec_push(out, *s.slot);
}

uint32_t ir_block_sides(const IrFn *fn, uint32_t block, U32Vec *out)
{
    const IrBlock *b = &fn->blocks.v[block];
    uint16_t op = b->insns.n ? vec_last(&b->insns).op : IR_JMP;
    if (op != IR_BR && op != IR_SWITCH)
        return 0;
    ir_block_successors(fn, block, out);
    Map seen = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < out->n; i++) {
        if (map_get(&seen, out->v[i], NULL))
            continue;
        map_put(&seen, out->v[i], n);
        out->v[n++] = out->v[i];
    }
    map_free(&seen);
    out->n = n;
    return n < 2 ? 0 : n;
}

void ir_insn_reads(const IrFn *fn, const IrInsn *insn, U32Vec *out)
{
    vec_clear(out);
    collect(fn, insn, 'r', out);
}

void ir_insn_defs(const IrFn *fn, const IrInsn *insn, U32Vec *out)
{
    vec_clear(out);
    collect(fn, insn, 'd', out);
}

void ir_insn_operands(const IrFn *fn, const IrInsn *insn, IrOperandVec *out)
{
    vec_clear(out);
    for (IrSlots s = ir_slots(fn, insn); ir_slots_next(&s);)
        vec_push(out, (IrOperand){s.kind, *s.slot});
}

void ir_block_successors(const IrFn *fn, uint32_t block, U32Vec *out)
{
    const IrBlock *b = &fn->blocks.v[block];
    vec_clear(out);
    if (b->insns.n && ir_op_has_flag((IrOp)vec_last(&b->insns).op, 'T'))
        collect(fn, &vec_last(&b->insns), 'b', out);
}

IrParam ir_param(const IrFn *fn, uint32_t param)
{
    return param < fn->params.n ? fn->params.v[param] : (IrParam){.kind = IR_PARAM_PLAIN};
}

uint32_t ir_param_parts(const IrFn *fn, uint32_t param)
{
    uint32_t n = 1;
    IrParam first = ir_param(fn, param), last = first;
    for (; first.kind == IR_PARAM_PART && param + n < fn->nparams; n++) {
        IrParam next = ir_param(fn, param + n);
        if (next.kind != IR_PARAM_PART || next.size != first.size || next.offset <= last.offset ||
            fn->regs.v[param + n].name != fn->regs.v[param].name)
            break;
        last = next;
    }
    return n;
}

IrCall ir_call_read(const IrFn *fn, const IrInsn *insn)
{
    if (insn->op != IR_CALL && insn->op != IR_CALLPTR)
        bug("'%s' is no call", ir_op_text((IrOp)insn->op));
    const uint32_t *at = fn->extra.v + insn->b;
    IrCall call = {.ndst = at[0], .dst = at + 1};
    at = call.dst + call.ndst;
    call.nargs = at[0];
    call.args = at + 1;
    at = call.args + call.nargs;
    call.nvar = at[0];
    call.var = at + 1;
    return call;
}

const IrConst *ir_reg_const_of(const IrFn *fn, uint32_t reg)
{
    const IrReg *r = &fn->regs.v[reg];
    return r->kind == IR_REG_CONST ? &fn->consts.v[r->value] : NULL;
}

uint64_t ir_site_line(const IrProgram *p, uint32_t site)
{
    return (uint64_t)p->sites.v[site].file << 32 | p->sites.v[site].line;
}

const char *ir_site_text(const IrProgram *p, uint32_t site, char *out, size_t size)
{
    if (site == IR_NONE)
        snprintf(out, size, "?");
    else if (!p->sites.v[site].column) /* declarations and what a compiler made up have none */
        snprintf(out, size, "%s:%u", ir_text(p, p->sites.v[site].file), p->sites.v[site].line);
    else
        snprintf(out, size, "%s:%u:%u", ir_text(p, p->sites.v[site].file), p->sites.v[site].line,
                 p->sites.v[site].column);
    return out;
}

/* Is the one the other, or the last part of it? */
static bool is_part(const char *whole, const char *part)
{
    size_t n = strlen(whole), m = strlen(part);
    return text_ends_with(whole, part) && (n == m || whole[n - m - 1] == '/');
}

/* A longer path means a file only if it is not that of another: u.c is not b/u.c, if the program has both. */
static bool is_named(const IrProgram *p, const char *file)
{
    for (uint32_t i = 0; i < p->sites.n; i++)
        if (is_part(ir_text(p, p->sites.v[i].file), file))
            return true;
    return false;
}

bool ir_site_is_at(const IrProgram *p, uint32_t site, const char *file, uint32_t line)
{
    if (site == IR_NONE || p->sites.v[site].line != line)
        return false;
    const char *path = ir_text(p, p->sites.v[site].file);
    while (!strncmp(file, "./", 2))
        file += 2;
    while (!strncmp(path, "./", 2))
        path += 2;
    return is_part(path, file) || (is_part(file, path) && !is_named(p, file));
}
