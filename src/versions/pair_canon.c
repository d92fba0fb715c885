/* pair_canon.c - a function in canonical form: blocks in reverse postorder, registers by first appearance,
 * constants by value, functions and globals by tokens, sites left out, texts and lines of assertions
 * masked. */
#include "versions/versions_int.h"

/* Postorder without recursion: functions may be hostile. */
void pair_order(const IrFn *fn, U32Vec *out)
{
    BitSet seen = {0};
    U32Vec stack = {0}, at = {0}, next = {0};
    vec_clear(out);
    if (!fn->blocks.n)
        return;
    vec_push(&stack, 0);
    vec_push(&at, 0);
    bitset_add(&seen, 0);
    while (stack.n) {
        ir_block_successors(fn, vec_last(&stack), &next);
        uint32_t i = at.v[at.n - 1]++;
        if (i < next.n) {
            uint32_t to = next.v[next.n - 1 - i];
            if (bitset_add(&seen, to)) {
                vec_push(&stack, to);
                vec_push(&at, 0);
            }
        } else {
            vec_push(out, vec_pop(&stack));
            at.n--;
        }
    }
    for (uint32_t i = 0; i < out->n / 2; i++) {
        uint32_t t = out->v[i];
        out->v[i] = out->v[out->n - 1 - i];
        out->v[out->n - 1 - i] = t;
    }
    bitset_free(&seen);
    vec_free(&stack);
    vec_free(&at);
    vec_free(&next);
}

bool pair_is_assertion(const IrProgram *p, const IrInsn *insn)
{
    static const char *const names[] = {"__assert_fail", "__assert", "__assert_perror_fail"};
    if (insn->op != IR_CALL)
        return false;
    const char *name = ir_text(p, p->fns.v[insn->a].name);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

uint64_t pair_const_token(const Pairing *p, unsigned version, const IrConst *c, unsigned width)
{
    uint64_t bits = hash_mix((uint64_t)c->bits, (uint64_t)(c->bits >> 64)),
             kind = hash_mix(c->kind + 1, width);
    switch (c->kind) {
    case IR_CONST_GLOBAL: return hash_mix(hash_mix(kind, p->global_token[version][c->index]), bits);
    case IR_CONST_FN: return hash_mix(hash_mix(kind, p->fn_token[version][c->index]), bits);
    case IR_CONST_BLOCK:
        return hash_mix(hash_mix(kind, hash_mix(p->fn_token[version][c->index], c->block)), bits);
    default: return hash_mix(kind, bits);
    }
}

typedef struct Canon {
    const Pairing *p;
    unsigned version;
    const IrFn *fn;
    uint32_t *reg, *block; /* numbers, IR_NONE: none yet */
    uint32_t nregs;
    bool erased;
    U64Vec *out;
} Canon;

static uint64_t reg_word(Canon *c, uint32_t reg)
{
    const IrConst *value = ir_reg_const_of(c->fn, reg);
    if (value && value->kind == IR_CONST_FN && c->erased &&
        !c->p->v->program[c->version]->fns.v[value->index].runtime)
        return 1;
    if (value)
        return pair_const_token(c->p, c->version, value, c->fn->regs.v[reg].width);
    if (c->reg[reg] == IR_NONE)
        c->reg[reg] = c->nregs++;
    return (uint64_t)c->reg[reg] << 8 | c->fn->regs.v[reg].width;
}

static uint64_t callee_word(const Canon *c, uint32_t fn)
{
    const IrFn *callee = &c->p->v->program[c->version]->fns.v[fn];
    return c->erased && callee->defined && !callee->runtime ? 0 : c->p->fn_token[c->version][fn];
}

static void insn_words(Canon *c, const IrInsn *insn, IrOperandVec *operands)
{
    const IrProgram *program = c->p->v->program[c->version];
    bool masked = !(c->p->rules_off & VERSIONS_OFF_LINES) && pair_is_assertion(program, insn);
    vec_push(c->out, (uint64_t)insn->op << 16 | (uint64_t)insn->width << 8 | insn->flags);
    ir_insn_operands(c->fn, insn, operands);
    for (uint32_t i = 0; i < operands->n; i++) {
        IrOperand o = operands->v[i];
        uint64_t word = o.value;
        switch (o.kind) {
        case 'd': word = o.value == IR_NONE ? IR_NONE : reg_word(c, o.value); break;
        case 'r': word = masked ? 0 : reg_word(c, o.value); break;
        case 'b': word = c->block[o.value]; break;
        case 'f': word = callee_word(c, o.value); break;
        case 's': word = hash_bytes(ir_text(program, o.value), strlen(ir_text(program, o.value))); break;
        default: break;
        }
        vec_push(c->out, hash_mix((uint64_t)o.kind, word));
    }
}

static void head_words(const IrFn *fn, U64Vec *out)
{
    vec_push(out, (uint64_t)fn->nparams << 2 | (uint64_t)fn->variadic << 1 | fn->noreturn);
    for (uint32_t i = 0; i < fn->nparams; i++) {
        IrParam p = ir_param(fn, i);
        vec_push(out, hash_mix(hash_mix(fn->regs.v[i].width, p.kind),
                               hash_mix(hash_mix(p.size, p.align), p.offset)));
    }
    for (uint32_t i = 0; i < fn->results.n; i++)
        vec_push(out, fn->results.v[i]);
}

void pair_canon(const Pairing *p, unsigned version, uint32_t fn, bool erased, U64Vec *out)
{
    const IrFn *f = &p->v->program[version]->fns.v[fn];
    Canon c = {.p = p, .version = version, .fn = f, .erased = erased, .out = out};
    U32Vec order = {0};
    IrOperandVec operands = {0};
    c.reg = mem_alloc(f->regs.n * sizeof *c.reg + 1);
    c.block = mem_alloc(f->blocks.n * sizeof *c.block + 1);
    memset(c.reg, 0xff, f->regs.n * sizeof *c.reg);
    memset(c.block, 0xff, f->blocks.n * sizeof *c.block);
    vec_clear(out);
    head_words(f, out);
    for (uint32_t i = 0; i < f->nparams; i++)
        reg_word(&c, i);
    pair_order(f, &order);
    for (uint32_t i = 0; i < order.n; i++)
        c.block[order.v[i]] = i;
    for (uint32_t i = 0; i < order.n; i++) {
        const IrBlock *b = &f->blocks.v[order.v[i]];
        vec_push(out, b->insns.n);
        for (uint32_t k = 0; k < b->insns.n; k++)
            insn_words(&c, &b->insns.v[k], &operands);
    }
    vec_free(&operands);
    vec_free(&order);
    mem_free(c.reg);
    mem_free(c.block);
}
