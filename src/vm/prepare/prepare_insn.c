/* prepare_insn.c - operators, loads and stores. */
#include "vm/prepare/prepare.h"

void prep_out(Prep *p, OutFn out, uint32_t d, uint32_t a, uint32_t b, uint32_t c)
{
    prep_emit(p, CODE_OUT, (Code){.d = d, .a = a, .b = b, .c = c, .out = out});
}

/* Through bits_apply: the handler finds the operands by way of the IR. */
static void apply(Prep *p, const IrInsn *insn)
{
    U32Vec reads = {0};
    ir_insn_reads(p->ir, insn, &reads);
    for (uint32_t i = 0; i < reads.n; i++)
        if (p->ir->regs.v[reads.v[i]].kind != IR_REG_CONST) /* but what stands for a constant needs a place */
            prep_slot(p, reads.v[i]);
    vec_free(&reads);
    prep_out(p, vm_out_apply, prep_slot(p, insn->dst), 0, 0, 0);
}

/* ---- integers of two operands ---------------------------------------------------------------- */

/* The _RR instruction for an operator on this width; _RI follows it. CODE_COUNT: none. */
static CodeOp integer_code(IrOp op, uint8_t width)
{
#define BOTH(NAME) \
    case IR_##NAME: return width == 32 ? CODE_##NAME##32_RR : width == 64 ? CODE_##NAME##64_RR : CODE_COUNT
    switch (op) {
        BOTH(ADD);
        BOTH(SUB);
        BOTH(MUL);
        BOTH(SHL);
        BOTH(ASHR);
        BOTH(UDIV);
        BOTH(SDIV);
        BOTH(UREM);
        BOTH(SREM);
    case IR_LSHR: return width == 32 ? CODE_LSHR32_RR : width <= 64 ? CODE_LSHR64_RR : CODE_COUNT;
    case IR_AND: return width <= 64 ? CODE_AND_RR : CODE_COUNT;
    case IR_OR: return width <= 64 ? CODE_OR_RR : CODE_COUNT;
    case IR_XOR: return width <= 64 ? CODE_XOR_RR : CODE_COUNT;
    default: return CODE_COUNT;
    }
#undef BOTH
}

static bool is_division(IrOp op) { return op == IR_UDIV || op == IR_SDIV || op == IR_UREM || op == IR_SREM; }
static bool is_shift(IrOp op) { return op == IR_SHL || op == IR_LSHR || op == IR_ASHR; }

static bool is_commutative(IrOp op)
{
    return op == IR_ADD || op == IR_MUL || op == IR_AND || op == IR_OR || op == IR_XOR;
}

static bool may_be_immediate(IrOp op, uint8_t width, u128 value)
{
    return !is_division(op) || (value != 0 && value != bits_mask(width));
}

static void two(Prep *p, const IrInsn *insn, CodeOp code)
{
    uint32_t a = insn->a, b = insn->b;
    u128 value;
    if (is_commutative((IrOp)insn->op) && prep_const(p, a, &value)) {
        a = insn->b;
        b = insn->a;
    }
    if (prep_const(p, b, &value) && may_be_immediate((IrOp)insn->op, insn->width, value)) {
        uint32_t from = prep_slot(p, a);
        prep_emit(p, code + 1, (Code){.d = prep_slot(p, insn->dst), .a = from, .imm = (uint64_t)value});
        return;
    }
    uint32_t sa = prep_slot(p, a), sb = prep_slot(p, b);
    prep_emit(p, code, (Code){.d = prep_slot(p, insn->dst), .a = sa, .b = sb});
}

/* Checks that come before the operator, where the operator's own instruction has none. */
static void checks(Prep *p, const IrInsn *insn)
{
    IrOp op = (IrOp)insn->op;
    uint64_t on = p->vm->options.checks;
    bool overflow = (on >> VM_FAULT_OVERFLOW & 1) && (insn->flags & IR_NSW);
    bool shift = (on >> VM_FAULT_SHIFT & 1) && is_shift(op);
    bool division = is_division(op) && integer_code(op, insn->width) == CODE_COUNT;
    if (!overflow && !shift && !division)
        return;
    uint32_t regs[2] = {insn->a, insn->b};
    for (int i = 0; i < 2; i++)
        if (i < (int)bits_op_arity(ir_op_bits(op)) && p->ir->regs.v[regs[i]].kind != IR_REG_CONST)
            prep_slot(p, regs[i]);
    prep_out(p, vm_out_check, 0, 0, 0, 0);
}

static void masked(Prep *p, const IrInsn *insn)
{
    CodeOp code = insn->op == IR_ADD ? CODE_ADDM : insn->op == IR_SUB ? CODE_SUBM : CODE_MULM;
    uint32_t a = prep_slot(p, insn->a), b = prep_slot(p, insn->b);
    prep_emit(p, code, (Code){.d = prep_slot(p, insn->dst), .a = a, .b = b, .imm = bits_mask64(insn->width)});
}

/* ---- comparisons ----------------------------------------------------------------------------- */

/* The _RR instruction; _RI, the branches B_..._RR and B_..._RI follow it. CODE_COUNT: none. */
static CodeOp compare_code(IrOp op, uint8_t width)
{
    bool whole = width == 32 || width == 64;
    switch (op) {
    case IR_EQ: return CODE_EQ_RR;
    case IR_NE: return CODE_NE_RR;
    case IR_ULT: return CODE_ULT_RR;
    case IR_ULE: return CODE_ULE_RR;
    case IR_SLT: return !whole ? CODE_COUNT : width == 32 ? CODE_SLT32_RR : CODE_SLT64_RR;
    case IR_SLE: return !whole ? CODE_COUNT : width == 32 ? CODE_SLE32_RR : CODE_SLE64_RR;
    default: return CODE_COUNT;
    }
}

/* With the constant on the left: c < x is x > c, and as a branch not x <= c. */
static void mirror(IrOp op, uint8_t width, bool branch, Compare *out)
{
    if (op == IR_EQ || op == IR_NE) {
        out->op = compare_code(op, width) + 1 + 2 * branch;
    } else if (branch) {
        IrOp opposite = op == IR_ULT ? IR_ULE : op == IR_ULE ? IR_ULT : op == IR_SLT ? IR_SLE : IR_SLT;
        out->op = compare_code(opposite, width) + 3;
        out->inverted = true;
    } else {
        out->op = op == IR_ULT   ? CODE_UGT_RI
                  : op == IR_ULE ? CODE_UGE_RI
                  : op == IR_SLT ? (width == 32 ? CODE_SGT32_RI : CODE_SGT64_RI)
                                 : (width == 32 ? CODE_SGE32_RI : CODE_SGE64_RI);
    }
}

bool prep_compare(Prep *p, const IrInsn *insn, bool branch, Compare *out)
{
    uint8_t width = prep_width(p, insn->a);
    u128 left, right;
    bool is_float = insn->op >= IR_FOEQ && insn->op <= IR_FULE;
    _Static_assert(CODE_B_EQ_RR == CODE_EQ_RR + 2, "order of code.def");
    _Static_assert(CODE_B_FULE32_RR == CODE_FOEQ32_RR + 4 * (IR_FULE - IR_FOEQ) + 2,
                   "order of code.def and bits.def");
    *out = (Compare){0};
    if (width > 64 || (is_float && width != 32 && width != 64))
        return false;
    out->op = compare_code((IrOp)insn->op, width);
    if (is_float)
        out->op = CODE_FOEQ32_RR + 4 * (insn->op - IR_FOEQ) + (width == 64);
    if (out->op == CODE_COUNT)
        return false;
    out->op += 2 * branch;
    if (!is_float && prep_const(p, insn->b, &right)) {
        *out =
            (Compare){.op = out->op + 1, .a = prep_slot(p, insn->a), .imm = (uint64_t)right, .is_imm = true};
    } else if (!is_float && prep_const(p, insn->a, &left)) {
        *out = (Compare){.a = prep_slot(p, insn->b), .imm = (uint64_t)left, .is_imm = true};
        mirror((IrOp)insn->op, width, branch, out);
    } else {
        out->a = prep_slot(p, insn->a);
        out->b = prep_slot(p, insn->b);
    }
    return true;
}

static void compare(Prep *p, const IrInsn *insn)
{
    Compare c;
    if (!prep_compare(p, insn, false, &c)) {
        apply(p, insn);
        return;
    }
    prep_emit(p, c.op, (Code){.d = prep_slot(p, insn->dst), .a = c.a, .b = c.b, .imm = c.imm});
}

/* ---- casts and floats ------------------------------------------------------------------------ */

static CodeOp cast_code(IrOp op, uint8_t from, uint8_t to)
{
    bool whole_from = from == 32 || from == 64, whole_to = to == 32 || to == 64;
    switch (op) {
    case IR_TRUNC: return to <= 64 ? CODE_TRUNC : CODE_COUNT;
    case IR_ZEXT: return to <= 64 ? CODE_TRUNC : CODE_COUNT;
    case IR_SEXT:
        if (to > 64)
            return CODE_COUNT;
        return from == 8 ? CODE_SEXT8 : from == 16 ? CODE_SEXT16 : from == 32 ? CODE_SEXT32 : CODE_COUNT;
    case IR_FPEXT: return from == 32 && to == 64 ? CODE_FPEXT : CODE_COUNT;
    case IR_FPTRUNC: return from == 64 && to == 32 ? CODE_FPTRUNC : CODE_COUNT;
    case IR_SITOFP:
        if (!whole_from || !whole_to)
            return CODE_COUNT;
        return from == 32 ? (to == 32 ? CODE_SITOFP32_32 : CODE_SITOFP32_64)
                          : (to == 32 ? CODE_SITOFP64_32 : CODE_SITOFP64_64);
    case IR_FPTOSI:
        if (!whole_from || !whole_to)
            return CODE_COUNT;
        return from == 32 ? (to == 32 ? CODE_FPTOSI32_32 : CODE_FPTOSI32_64)
                          : (to == 32 ? CODE_FPTOSI64_32 : CODE_FPTOSI64_64);
    default: return CODE_COUNT;
    }
}

static void cast(Prep *p, const IrInsn *insn)
{
    CodeOp code = cast_code((IrOp)insn->op, prep_width(p, insn->a), insn->width);
    if (code == CODE_COUNT) {
        apply(p, insn);
        return;
    }
    uint32_t from = prep_slot(p, insn->op == IR_SEXT ? prep_extended(p, insn) : insn->a);
    prep_emit(p, code, (Code){.d = prep_slot(p, insn->dst), .a = from, .imm = bits_mask64(insn->width)});
}

static CodeOp float_code(IrOp op, uint8_t width)
{
    if (width != 32 && width != 64)
        return CODE_COUNT;
    switch (op) {
    case IR_FADD: return width == 32 ? CODE_FADD32 : CODE_FADD64;
    case IR_FSUB: return width == 32 ? CODE_FSUB32 : CODE_FSUB64;
    case IR_FMUL: return width == 32 ? CODE_FMUL32 : CODE_FMUL64;
    case IR_FDIV: return width == 32 ? CODE_FDIV32 : CODE_FDIV64;
    default: return CODE_COUNT;
    }
}

/* ---- pointers -------------------------------------------------------------------------------- */

static void index_insn(Prep *p, const IrInsn *insn)
{
    uint8_t width = prep_width(p, insn->b);
    u128 value;
    uint32_t base = prep_slot(p, insn->a);
    if (prep_const(p, insn->b, &value) && width <= 64) {
        uint64_t by = (uint64_t)bits_signed64((uint64_t)value, width) * insn->c;
        prep_emit(p, CODE_ADD64_RI, (Code){.d = prep_slot(p, insn->dst), .a = base, .imm = by});
    } else if (width == 32 || width == 64) {
        uint32_t index = prep_slot(p, insn->b);
        prep_emit(p, width == 32 ? CODE_INDEX32 : CODE_INDEX64,
                  (Code){.d = prep_slot(p, insn->dst), .a = base, .b = index, .imm = insn->c});
    } else {
        apply(p, insn);
    }
}

void prep_pure(Prep *p, const IrInsn *insn)
{
    IrOp op = (IrOp)insn->op;
    CodeOp code;
    if (op == IR_OFFSET) {
        IrInsn add = *insn;
        add.op = IR_ADD;
        two(p, &add, CODE_ADD64_RR);
        return;
    }
    if (op == IR_INDEX) {
        index_insn(p, insn);
        return;
    }
    checks(p, insn);
    if (bits_op_result(ir_op_bits(op)) == BITS_RESULT_BIT) {
        compare(p, insn);
    } else if (bits_op_result(ir_op_bits(op)) == BITS_RESULT_CAST) {
        cast(p, insn);
    } else if ((code = integer_code(op, insn->width)) != CODE_COUNT) {
        two(p, insn, code);
    } else if (insn->width < 64 && (op == IR_ADD || op == IR_SUB || op == IR_MUL)) {
        masked(p, insn);
    } else if ((code = float_code(op, insn->width)) != CODE_COUNT) {
        uint32_t a = prep_slot(p, insn->a), b = prep_slot(p, insn->b);
        prep_emit(p, code, (Code){.d = prep_slot(p, insn->dst), .a = a, .b = b});
    } else if ((op == IR_FNEG || op == IR_FABS) && insn->width <= 64) {
        uint64_t sign = (uint64_t)1 << (insn->width - 1);
        uint32_t a = prep_slot(p, insn->a);
        prep_emit(p, op == IR_FNEG ? CODE_XOR_RI : CODE_AND_RI,
                  (Code){.d = prep_slot(p, insn->dst), .a = a, .imm = op == IR_FNEG ? sign : sign - 1});
    } else if (op == IR_SELECT && insn->width <= 64) {
        uint32_t a = prep_slot(p, insn->a), b = prep_slot(p, insn->b), c = prep_slot(p, insn->c);
        prep_emit(p, CODE_SELECT, (Code){.d = prep_slot(p, insn->dst), .a = a, .b = b, .c = c});
    } else {
        apply(p, insn);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static int log_of(uint8_t width)
{
    return width == 8 ? 0 : width == 16 ? 1 : width == 32 ? 2 : width == 64 ? 3 : -1;
}

static void access(Prep *p, CodeOp base, uint32_t value, const Mode *m)
{
    _Static_assert(CODE_LOAD64_GX64 == CODE_LOAD8_AI + 23, "order of code.def");
    _Static_assert(CODE_STORE64_GX64 == CODE_STORE8_AI + 23, "order of code.def");
    Code code = {.d = value, .object = p->vm->none};
    if (m->base == IR_NONE) {
        code.object = &p->vm->globals[m->global];
        if (m->index == IR_NONE) {
            code.c = (uint32_t)m->offset;
            prep_emit(p, base + 3, code);
            return;
        }
        code.a = (uint32_t)(int32_t)m->offset;
        code.b = prep_slot(p, m->index);
        code.c = (uint32_t)m->scale;
        prep_emit(p, base + (m->index32 ? 4 : 5), code);
        return;
    }
    code.a = prep_slot(p, m->base);
    if (m->index == IR_NONE) {
        code.c = (uint32_t)(int32_t)m->offset;
        prep_emit(p, base, code);
        return;
    }
    code.b = prep_slot(p, m->index);
    code.c = (uint32_t)m->scale << 16 | (uint16_t)(int16_t)m->offset;
    prep_emit(p, base + (m->index32 ? 1 : 2), code);
}

/* An address that no instruction takes apart: in one register. */
static uint32_t whole_address(Prep *p, uint32_t address)
{
    if (!p->fuse)
        return prep_slot(p, address);
    Mode m = prep_mode(p, address);
    uint32_t slot = m.base == IR_NONE || m.index != IR_NONE || m.offset ? p->spare : prep_slot(p, m.base);
    if (slot != p->spare)
        return slot;
    if (m.base == IR_NONE)
        prep_emit(p, CODE_MOVI, (Code){.d = slot, .imm = p->vm->globals[m.global].base + (uint64_t)m.offset});
    else
        prep_emit(p, CODE_ADD64_RI, (Code){.d = slot, .a = prep_slot(p, m.base), .imm = (uint64_t)m.offset});
    if (m.index != IR_NONE)
        prep_emit(p, m.index32 ? CODE_INDEX32 : CODE_INDEX64,
                  (Code){.d = slot, .a = slot, .b = prep_slot(p, m.index), .imm = (uint64_t)m.scale});
    return slot;
}

void prep_load(Prep *p, const IrInsn *insn)
{
    int log = log_of(insn->width);
    if (log < 0) {
        uint32_t address = whole_address(p, insn->a);
        prep_out(p, vm_out_load, prep_slot(p, insn->dst), address, insn->width, 0);
        return;
    }
    Mode m = prep_mode(p, insn->a);
    access(p, CODE_LOAD8_AI + 6 * log, prep_slot(p, insn->dst), &m);
}

/* A load whose value is only extended, by the very next instruction. */
bool prep_load_signed(Prep *p, const IrInsn *load, const IrInsn *next)
{
    CodeOp op;
    if ((!p->fuse && !p->vm->lab) || next->op != IR_SEXT || next->a != load->dst ||
        p->reads[load->dst] != 1 || !prep_is_emitted(p, next))
        return false;
    switch (load->width << 8 | next->width) {
    case 8 << 8 | 32: op = CODE_LOAD8S32_AI; break;
    case 8 << 8 | 64: op = CODE_LOAD8S64_AI; break;
    case 16 << 8 | 32: op = CODE_LOAD16S32_AI; break;
    case 16 << 8 | 64: op = CODE_LOAD16S64_AI; break;
    case 32 << 8 | 64: op = CODE_LOAD32S64_AI; break;
    default: return false;
    }
    Mode m = prep_mode(p, load->a);
    access(p, op, prep_slot(p, next->dst), &m);
    return true;
}

void prep_store(Prep *p, const IrInsn *insn)
{
    uint8_t width = prep_width(p, insn->b);
    int log = log_of(width);
    uint32_t value = prep_slot(p, prep_stored(p, insn));
    if (log < 0) {
        uint32_t address = whole_address(p, insn->a);
        prep_out(p, vm_out_store, value, address, width, 0);
        return;
    }
    Mode m = prep_mode(p, insn->a);
    access(p, CODE_STORE8_AI + 6 * log, value, &m);
}
