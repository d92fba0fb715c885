/* prepare_fuse.c - which instructions disappear into others, and which are needed at all.
 *
 * A fused operand is read later than the IR says. That is sound: in SSA form the definition of an operand of
 * X cannot run again between X and a use of X without X running again too. */
#include "vm/prepare/prepare.h"

static const IrConst *const_of(const Prep *p, uint32_t reg) { return ir_reg_const_of(p->ir, p->root[reg]); }

static bool int_const(const Prep *p, uint32_t reg, int64_t *value)
{
    const IrConst *c = const_of(p, reg);
    uint8_t width = prep_width(p, p->root[reg]);
    if (!c || c->kind != IR_CONST_INT || width > 64)
        return false;
    *value = bits_signed64((uint64_t)c->bits, width);
    return true;
}

/* ---- addresses ------------------------------------------------------------------------------- */

static bool fits(const Mode *m)
{
    if (m->base == IR_NONE && m->index == IR_NONE)
        return m->offset >= 0 && m->offset <= INT32_MAX;
    if (m->base == IR_NONE)
        return m->offset >= INT32_MIN && m->offset <= INT32_MAX && m->scale <= UINT32_MAX;
    if (m->index != IR_NONE)
        return m->offset >= INT16_MIN && m->offset <= INT16_MAX && m->scale <= UINT16_MAX;
    return m->offset >= INT32_MIN && m->offset <= INT32_MAX;
}

static bool take_index(const Prep *p, Mode *m, uint32_t reg, int64_t scale)
{
    reg = p->root[reg];
    const IrInsn *def = ir_reg_def(p->ir, reg);
    if (m->index != IR_NONE || const_of(p, reg))
        return false;
    m->index = reg;
    m->scale = scale;
    m->index32 = prep_width(p, reg) == 32;
    if (def && def->op == IR_SEXT && def->width == 64 && prep_width(p, def->a) == 32) {
        m->index = p->root[def->a];
        m->index32 = true;
        return !const_of(p, m->index);
    }
    return m->index32 || prep_width(p, reg) == 64;
}

/* One step towards the base. */
static bool advance(const Prep *p, Mode *m)
{
    const IrConst *c = const_of(p, m->base);
    const IrInsn *def = ir_reg_def(p->ir, m->base);
    int64_t number, product;
    if (c && c->kind == IR_CONST_GLOBAL && p->vm->program->globals.v[c->index].defined) {
        m->global = c->index;
        m->base = IR_NONE;
        return !__builtin_add_overflow(m->offset, (int64_t)c->bits, &m->offset) && fits(m);
    }
    if (!def || (def->op != IR_OFFSET && def->op != IR_INDEX))
        return false;
    int64_t scale = def->op == IR_INDEX ? (int64_t)def->c : 1;
    m->base = p->root[def->a];
    if (int_const(p, def->b, &number))
        return !__builtin_mul_overflow(number, scale, &product) &&
               !__builtin_add_overflow(m->offset, product, &m->offset) && fits(m);
    if (!p->fuse) /* an index may be symbolic, and is then handled the long way */
        return false;
    /* zero-extension shares bits but not the sign: the index is then the wide register's */
    if (prep_width(p, def->b) != prep_width(p, p->root[def->b]) && prep_width(p, def->b) != 64)
        return false;
    if (prep_width(p, def->b) == 64 && prep_width(p, p->root[def->b]) != 64) {
        if (m->index != IR_NONE)
            return false;
        m->index = p->root[def->b];
        m->scale = scale;
        m->index32 = false;
        return fits(m);
    }
    return take_index(p, m, def->b, scale) && fits(m);
}

Mode prep_mode(const Prep *p, uint32_t address)
{
    Mode m = {.base = p->root[address], .index = IR_NONE, .global = IR_NONE};
    for (int i = 0; i < 16; i++) {
        Mode further = m;
        if (m.base == IR_NONE || !advance(p, &further))
            break;
        m = further;
    }
    return m;
}

/* ---- conditions ------------------------------------------------------------------------------ */

static bool fusable(const Prep *p, const IrInsn *insn)
{
    uint8_t width = insn->dst != IR_NONE && ir_op_is_pure((IrOp)insn->op) ? prep_width(p, insn->a) : 0;
    switch ((IrOp)insn->op) {
    case IR_EQ:
    case IR_NE:
    case IR_ULT:
    case IR_ULE: return width <= 64;
    case IR_SLT:
    case IR_SLE: return width == 32 || width == 64;
    default: return insn->op >= IR_FOEQ && insn->op <= IR_FULE && (width == 32 || width == 64);
    }
}

/* One step: a negation, or a comparison of a bit with a constant. */
static bool peel(const Prep *p, Test *t, const IrInsn *def)
{
    int64_t number;
    if (def->op == IR_XOR && def->width == 1 && int_const(p, def->b, &number) && number == -1) {
        t->inverted = !t->inverted;
        t->reg = p->root[def->a];
        return true;
    }
    if ((def->op == IR_EQ || def->op == IR_NE) && prep_width(p, p->root[def->a]) == 1 &&
        !const_of(p, def->a) && int_const(p, def->b, &number) && number == 0) {
        t->inverted ^= def->op == IR_EQ;
        t->reg = p->root[def->a];
        return true;
    }
    return false;
}

/* With labels only a comparison right before its branch: both then run in one context. */
Test prep_test(const Prep *p, const IrInsn *branch)
{
    Test t = {NULL, p->root[branch->a], false};
    if (!p->fuse && p->vm->lab && branch->b != branch->c && ir_reg_def(p->ir, t.reg) == branch - 1 &&
        fusable(p, branch - 1))
        t.compare = branch - 1;
    for (int i = 0; p->fuse && i < 16; i++) {
        const IrInsn *def = ir_reg_def(p->ir, t.reg);
        if (!def)
            break;
        if (peel(p, &t, def))
            continue;
        if (fusable(p, def))
            t.compare = def;
        break;
    }
    return t;
}

/* ---- truncations that the reader does anyway ------------------------------------------------- */

static uint32_t before_trunc(const Prep *p, uint32_t reg, uint8_t width)
{
    reg = p->root[reg];
    const IrInsn *def = ir_reg_def(p->ir, reg);
    while (p->fuse && def && def->op == IR_TRUNC && def->width >= width &&
           prep_width(p, p->root[def->a]) <= 64) {
        reg = p->root[def->a];
        def = ir_reg_def(p->ir, reg);
    }
    return reg;
}

uint32_t prep_stored(const Prep *p, const IrInsn *insn)
{
    uint8_t width = prep_width(p, insn->b);
    bool whole = width == 8 || width == 16 || width == 32 || width == 64;
    return whole ? before_trunc(p, insn->b, width) : p->root[insn->b];
}

uint32_t prep_extended(const Prep *p, const IrInsn *insn)
{
    uint8_t width = prep_width(p, insn->a);
    bool whole = (width == 8 || width == 16 || width == 32) && insn->width <= 64;
    return whole ? before_trunc(p, insn->a, width) : p->root[insn->a];
}

/* ---- what is read ---------------------------------------------------------------------------- */

/* With shadows, code finds its operands by way of the IR: where an access does not take the address apart
 * itself, the instruction that computes it must. */
static bool takes_apart(const Prep *p, uint8_t width)
{
    return p->fuse || width == 8 || width == 16 || width == 32 || width == 64;
}

/* The pointer that an address was computed from counts as read: what is said about a bad access, which object
 * a symbolic address is in, and which one a write into memory that was made labels (flow_made_write), depends
 * on it. `known`: is read already. */
static void read_base(const Prep *p, uint32_t address, uint32_t known, U32Vec *out)
{
    uint32_t base = p->root[address];
    for (const IrInsn *def = ir_reg_def(p->ir, base); def && (def->op == IR_OFFSET || def->op == IR_INDEX);
         def = ir_reg_def(p->ir, base))
        base = p->root[def->a];
    if (base != known && !const_of(p, base))
        vec_push(out, base);
}

static void read_address(const Prep *p, uint32_t address, uint8_t width, U32Vec *out)
{
    Mode m = {.base = p->root[address], .index = IR_NONE};
    if (takes_apart(p, width))
        m = prep_mode(p, address);
    read_base(p, address, m.base, out);
    if (m.base != IR_NONE)
        vec_push(out, m.base);
    if (m.index != IR_NONE)
        vec_push(out, m.index);
}

void prep_reads(const Prep *p, const IrInsn *insn, U32Vec *out)
{
    vec_clear(out);
    switch ((IrOp)insn->op) {
    case IR_LOAD: read_address(p, insn->a, insn->width, out); break;
    case IR_STORE:
        read_address(p, insn->a, prep_width(p, insn->b), out);
        vec_push(out, prep_stored(p, insn));
        break;
    case IR_SEXT: vec_push(out, prep_extended(p, insn)); break;
    case IR_BR: {
        Test t = prep_test(p, insn);
        vec_push(out, t.compare ? p->root[t.compare->a] : t.reg);
        if (t.compare)
            vec_push(out, p->root[t.compare->b]);
        break;
    }
    default:
        ir_insn_reads(p->ir, insn, out);
        for (uint32_t i = 0; i < out->n; i++)
            out->v[i] = p->root[out->v[i]];
        if (insn->op == IR_MEMCPY || insn->op == IR_MEMMOVE || insn->op == IR_MEMSET)
            read_base(p, insn->a, p->root[insn->a], out);
        break;
    }
}

bool prep_is_removable(const IrInsn *insn)
{
    switch ((IrOp)insn->op) {
    case IR_UDIV:
    case IR_SDIV:
    case IR_UREM:
    case IR_SREM: return false;
    case IR_OFFSET:
    case IR_INDEX:
    case IR_PHI:
    case IR_UNINIT: return true;
    default:
        return ir_op_is_pure((IrOp)insn->op) && !(insn->flags & IR_NSW) && insn->op != IR_SHL &&
               insn->op != IR_LSHR && insn->op != IR_ASHR;
    }
}

bool prep_is_emitted(const Prep *p, const IrInsn *insn)
{
    return !prep_is_removable(insn) || (p->reads[insn->dst] && p->root[insn->dst] == insn->dst);
}

/* ---- needed ---------------------------------------------------------------------------------- */

/* With shadows, handlers find the operands of an instruction by way of the IR; there a register that shares
 * the bits of a constant has a place of its own. */
static bool may_stand_for(const Prep *p, uint32_t reg) { return p->fuse || !const_of(p, reg); }

static void find_roots(Prep *p)
{
    for (uint32_t i = 0; i < p->order.n; i++) {
        const IrBlock *b = &p->ir->blocks.v[p->order.v[i]];
        for (uint32_t j = 0; j < b->insns.n; j++) {
            const IrInsn *insn = &b->insns.v[j];
            if (insn->op == IR_PHI && p->ir->extra.v[insn->a] == 1 &&
                may_stand_for(p, p->ir->extra.v[insn->a + 2]))
                p->root[insn->dst] = p->root[p->ir->extra.v[insn->a + 2]];
            else if (p->fuse && insn->op == IR_ZEXT && insn->width <= 64)
                p->root[insn->dst] = p->root[insn->a];
        }
    }
}

void prep_find_needed(Prep *p)
{
    Vec(const IrInsn *) work = {0};
    U32Vec reads = {0};
    find_roots(p);
    for (uint32_t i = 0; i < p->order.n; i++) {
        const IrBlock *b = &p->ir->blocks.v[p->order.v[i]];
        for (uint32_t j = 0; j < b->insns.n; j++) {
            const IrInsn *insn = &b->insns.v[j];
            bool seen = p->vm->observer && insn->dst != IR_NONE && p->root[insn->dst] == insn->dst &&
                        !p->reads[insn->dst]++;
            if (seen || !prep_is_removable(insn))
                vec_push(&work, insn);
        }
    }
    while (work.n) {
        prep_reads(p, vec_pop(&work), &reads);
        for (uint32_t i = 0; i < reads.n; i++) {
            uint32_t reg = reads.v[i];
            if (p->reads[reg]++)
                continue;
            if (ir_reg_def(p->ir, reg) && prep_is_removable(ir_reg_def(p->ir, reg)))
                vec_push(&work, ir_reg_def(p->ir, reg));
        }
    }
    vec_free(&work);
    vec_free(&reads);
}
