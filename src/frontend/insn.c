/* insn.c - instructions that compute or jump. Each works on constant expressions too; vectors go element by
 * element. */
#include "frontend/frontend_int.h"

#define TABLE 80u /* beyond the last LLVMOpcode that the tables below name */

static const uint16_t binary_ops[TABLE] = {
    [LLVMAdd] = IR_ADD,   [LLVMSub] = IR_SUB,   [LLVMMul] = IR_MUL,   [LLVMUDiv] = IR_UDIV,
    [LLVMSDiv] = IR_SDIV, [LLVMURem] = IR_UREM, [LLVMSRem] = IR_SREM, [LLVMAnd] = IR_AND,
    [LLVMOr] = IR_OR,     [LLVMXor] = IR_XOR,   [LLVMShl] = IR_SHL,   [LLVMLShr] = IR_LSHR,
    [LLVMAShr] = IR_ASHR, [LLVMFAdd] = IR_FADD, [LLVMFSub] = IR_FSUB, [LLVMFMul] = IR_FMUL,
    [LLVMFDiv] = IR_FDIV, [LLVMFRem] = IR_FREM,
};

static const uint16_t cast_ops[TABLE] = {
    [LLVMTrunc] = IR_TRUNC,   [LLVMZExt] = IR_ZEXT,       [LLVMSExt] = IR_SEXT,
    [LLVMFPToUI] = IR_FPTOUI, [LLVMFPToSI] = IR_FPTOSI,   [LLVMUIToFP] = IR_UITOFP,
    [LLVMSIToFP] = IR_SITOFP, [LLVMFPTrunc] = IR_FPTRUNC, [LLVMFPExt] = IR_FPEXT,
};

typedef struct Compare {
    IrOp op;
    bool swap;
} Compare;

static const Compare int_compares[] = {
    [LLVMIntEQ] = {IR_EQ, false},   [LLVMIntNE] = {IR_NE, false},   [LLVMIntUGT] = {IR_ULT, true},
    [LLVMIntUGE] = {IR_ULE, true},  [LLVMIntULT] = {IR_ULT, false}, [LLVMIntULE] = {IR_ULE, false},
    [LLVMIntSGT] = {IR_SLT, true},  [LLVMIntSGE] = {IR_SLE, true},  [LLVMIntSLT] = {IR_SLT, false},
    [LLVMIntSLE] = {IR_SLE, false},
};

static const Compare real_compares[] = {
    [LLVMRealOEQ] = {IR_FOEQ, false}, [LLVMRealOGT] = {IR_FOLT, true},  [LLVMRealOGE] = {IR_FOLE, true},
    [LLVMRealOLT] = {IR_FOLT, false}, [LLVMRealOLE] = {IR_FOLE, false}, [LLVMRealONE] = {IR_FONE, false},
    [LLVMRealORD] = {IR_FORD, false}, [LLVMRealUNO] = {IR_FUNO, false}, [LLVMRealUEQ] = {IR_FUEQ, false},
    [LLVMRealUGT] = {IR_FULT, true},  [LLVMRealUGE] = {IR_FULE, true},  [LLVMRealULT] = {IR_FULT, false},
    [LLVMRealULE] = {IR_FULE, false}, [LLVMRealUNE] = {IR_FUNE, false},
};

/* ---- computing ------------------------------------------------------------------------------- */

/* Operators on floats know three formats; half, bfloat and quad can only be moved. */
static void check_float(Trans *t, IrOp op, const TypeInfo *info)
{
    if (bits_op_is_float(ir_op_bits(op)) && info->n && info->leaves[0].kind == LEAF_ODD)
        problem(t, "arithmetic on a %u-bit float that is no float of ours", info->leaves[0].width);
}

static void binary(Trans *t, IrOp op, LLVMValueRef insn)
{
    if (wide_is(insn)) {
        wide_binary(t, op, insn);
        return;
    }
    const TypeInfo *info = value_info(t, insn);
    check_float(t, op, info);
    Regs a = regs_of(t, LLVMGetOperand(insn, 0)), b = regs_of(t, LLVMGetOperand(insn, 1));
    if (t->problem)
        return;
    uint8_t flags = (uint8_t)map_get_or(&t->fr->flags, (uintptr_t)insn, 0);
    uint32_t *out = regs_room(t, info->n);
    for (uint32_t i = 0; i < info->n; i++)
        out[i] = emit_flags(t, op, info->leaves[i].width, flags, a.v[i], b.v[i], 0);
    set_regs(t, insn, out, info->n);
}

static void negate(Trans *t, LLVMValueRef insn)
{
    const TypeInfo *info = value_info(t, insn);
    check_float(t, IR_FNEG, info);
    Regs a = regs_of(t, LLVMGetOperand(insn, 0));
    if (t->problem)
        return;
    uint32_t *out = regs_room(t, info->n);
    for (uint32_t i = 0; i < info->n; i++)
        out[i] = emit(t, IR_FNEG, info->leaves[i].width, a.v[i], 0, 0);
    set_regs(t, insn, out, info->n);
}

/* An index is sign-extended anyway: `sext` of nothing but indices, as in every a[i] with an int i, needs no
 * code. */
static bool is_only_index(LLVMValueRef sext)
{
    for (LLVMUseRef u = LLVMGetFirstUse(sext); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAGetElementPtrInst(user) || LLVMGetOperand(user, 0) == sext)
            return false;
    }
    return true;
}

static void cast(Trans *t, IrOp op, LLVMValueRef insn)
{
    LLVMValueRef from = LLVMGetOperand(insn, 0);
    if (wide_is(insn) || wide_is(from)) {
        wide_cast(t, op, insn);
        return;
    }
    const TypeInfo *info = value_info(t, insn), *source = value_info(t, from);
    check_float(t, op, info);
    check_float(t, op, source);
    Regs a = regs_of(t, from);
    if (t->problem)
        return;
    if (op == IR_SEXT && is_only_index(insn)) {
        set_regs(t, insn, a.v, a.n);
        return;
    }
    uint32_t *out = regs_room(t, info->n);
    for (uint32_t i = 0; i < info->n; i++)
        out[i] = emit(t, op, info->leaves[i].width, a.v[i], 0, 0);
    set_regs(t, insn, out, info->n);
}

/* Pointers are numbers of 64 bits already. */
static void pointer_cast(Trans *t, LLVMValueRef insn)
{
    const TypeInfo *info = value_info(t, insn);
    Regs a = regs_of(t, LLVMGetOperand(insn, 0));
    if (t->problem)
        return;
    uint32_t *out = regs_room(t, info->n);
    for (uint32_t i = 0; i < info->n; i++)
        out[i] = resize(t, a.v[i], info->leaves[i].width, false);
    set_regs(t, insn, out, info->n);
}

static void compare(Trans *t, LLVMValueRef insn, bool is_real)
{
    LLVMValueRef left = LLVMGetOperand(insn, 0);
    const TypeInfo *info = value_info(t, insn), *operand = value_info(t, left);
    unsigned predicate =
        is_real ? (unsigned)LLVMGetFCmpPredicate(insn) : (unsigned)LLVMGetICmpPredicate(insn);
    if (!is_real && wide_is(left)) {
        wide_compare(t, int_compares[predicate].op, insn, int_compares[predicate].swap);
        return;
    }
    Regs a = regs_of(t, left), b = regs_of(t, LLVMGetOperand(insn, 1));
    if (is_real)
        check_float(t, IR_FOEQ, operand);
    if (t->problem)
        return;
    uint32_t *out = regs_room(t, info->n);
    for (uint32_t i = 0; i < info->n; i++) {
        if (is_real && (predicate == LLVMRealPredicateFalse || predicate == LLVMRealPredicateTrue)) {
            out[i] = reg_int(t, 1, predicate == LLVMRealPredicateTrue);
            continue;
        }
        Compare how = is_real ? real_compares[predicate] : int_compares[predicate];
        out[i] = emit(t, how.op, 1, how.swap ? b.v[i] : a.v[i], how.swap ? a.v[i] : b.v[i], 0);
    }
    set_regs(t, insn, out, info->n);
}

static void choose(Trans *t, LLVMValueRef insn)
{
    const TypeInfo *info = value_info(t, insn);
    Regs c = regs_of(t, LLVMGetOperand(insn, 0)), a = regs_of(t, LLVMGetOperand(insn, 1));
    Regs b = regs_of(t, LLVMGetOperand(insn, 2));
    if (t->problem)
        return;
    uint32_t *out = regs_room(t, info->n);
    for (uint32_t i = 0; i < info->n; i++)
        out[i] = emit(t, IR_SELECT, info->leaves[i].width, c.n == 1 ? c.v[0] : c.v[i], a.v[i], b.v[i]);
    set_regs(t, insn, out, info->n);
}

static void same(Trans *t, LLVMValueRef insn)
{
    Regs a = regs_of(t, LLVMGetOperand(insn, 0));
    if (!t->problem)
        set_regs(t, insn, a.v, a.n);
}

/* An assignment is an instruction of its own where these are kept. */
static void assign(Trans *t, LLVMValueRef insn)
{
    const TypeInfo *info = value_info(t, insn);
    Regs a = regs_of(t, LLVMGetOperand(insn, 0));
    if (t->problem)
        return;
    uint32_t *out = regs_room(t, info->n);
    for (uint32_t i = 0; i < info->n; i++) {
        uint8_t width = reg_width(t, a.v[i]);
        out[i] = emit(t, width == 64 ? IR_OFFSET : IR_OR, width, a.v[i], reg_int(t, width, 0), 0);
    }
    set_regs(t, insn, out, info->n);
}

/* ---- aggregates ------------------------------------------------------------------------------ */

static void extract(Trans *t, LLVMValueRef insn)
{
    LLVMValueRef whole = LLVMGetOperand(insn, 0);
    LLVMTypeRef inner;
    Regs a = regs_of(t, whole);
    value_info(t, whole);
    if (t->problem)
        return;
    uint32_t at =
        type_leaf_index(t->fr, LLVMTypeOf(whole), LLVMGetIndices(insn), LLVMGetNumIndices(insn), &inner);
    set_regs(t, insn, a.v + at, type_info(t->fr, inner)->n);
}

static void insert(Trans *t, LLVMValueRef insn)
{
    LLVMValueRef whole = LLVMGetOperand(insn, 0);
    LLVMTypeRef inner;
    Regs a = regs_of(t, whole), part = regs_of(t, LLVMGetOperand(insn, 1));
    value_info(t, whole);
    if (t->problem)
        return;
    uint32_t at =
        type_leaf_index(t->fr, LLVMTypeOf(whole), LLVMGetIndices(insn), LLVMGetNumIndices(insn), &inner);
    uint32_t *out = regs_room(t, a.n);
    for (uint32_t i = 0; i < a.n; i++)
        out[i] = i >= at && i < at + part.n ? part.v[i - at] : a.v[i];
    set_regs(t, insn, out, a.n);
}

/* ---- jumping --------------------------------------------------------------------------------- */

static uint32_t target(Trans *t, LLVMBasicBlockRef block)
{
    uint64_t index;
    if (!map_get(&t->blocks, (uintptr_t)block, &index))
        bug("a jump to a block that was not numbered");
    return (uint32_t)index;
}

static void branch(Trans *t, LLVMValueRef insn)
{
    uint32_t yes = target(t, LLVMGetSuccessor(insn, 0));
    uint32_t no = LLVMIsConditional(insn) ? target(t, LLVMGetSuccessor(insn, 1)) : yes;
    if (yes == no) {
        emit_plain(t, IR_JMP, 0, 0, yes, 0, 0);
        return;
    }
    uint32_t condition = reg_of(t, LLVMGetCondition(insn));
    if (!t->problem)
        emit_plain(t, IR_BR, 1, 0, condition, yes, no);
}

static void switch_over(Trans *t, LLVMValueRef insn)
{
    uint32_t value = reg_of(t, LLVMGetOperand(insn, 0));
    uint32_t otherwise = target(t, LLVMGetSwitchDefaultDest(insn));
    U32Vec list = {0};
    vec_push(&list, 0);
    for (unsigned i = 2; i + 1 < (unsigned)LLVMGetNumOperands(insn); i += 2) {
        vec_push(&list, reg_of(t, LLVMGetOperand(insn, i)));
        vec_push(&list, target(t, LLVMValueAsBasicBlock(LLVMGetOperand(insn, i + 1))));
        list.v[0]++;
    }
    if (!t->problem)
        emit_plain(t, IR_SWITCH, reg_width(t, value), 0, value, ir_extra_add(&t->ir, list.v, list.n),
                   otherwise);
    vec_free(&list);
}

static void go_to(Trans *t, LLVMValueRef insn)
{
    uint32_t address = reg_of(t, LLVMGetOperand(insn, 0));
    U32Vec list = {0};
    vec_push(&list, 0);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(insn); i++) {
        uint32_t block = target(t, LLVMGetSuccessor(insn, i));
        bool known = false;
        for (uint32_t k = 1; k < list.n; k++)
            known |= list.v[k] == block;
        if (known)
            continue;
        vec_push(&list, block);
        list.v[0]++;
    }
    if (!t->problem)
        emit_plain(t, IR_GOTO, 0, 0, address, ir_extra_add(&t->ir, list.v, list.n), 0);
    vec_free(&list);
}

static void ret(Trans *t, LLVMValueRef insn)
{
    Regs value = LLVMGetNumOperands(insn) ? regs_of(t, LLVMGetOperand(insn, 0)) : (Regs){.n = 0};
    uint32_t *list = regs_room(t, value.n + 1);
    list[0] = value.n;
    if (value.n)
        memcpy(list + 1, value.v, value.n * sizeof *list);
    if (!t->problem)
        emit_plain(t, IR_RET, 0, 0, ir_extra_add(&t->ir, list, value.n + 1), 0, 0);
}

/* Nothing of C throws, so an invoke (from -fexceptions) always goes on in its normal destination. */
static void invoke(Trans *t, LLVMValueRef insn)
{
    call_translate(t, insn);
    if (!t->problem)
        emit_plain(t, IR_JMP, 0, 0, target(t, LLVMGetNormalDest(insn)), 0, 0);
}

/* ---- dispatch -------------------------------------------------------------------------------- */

void op_translate(Trans *t, LLVMOpcode opcode, LLVMValueRef insn)
{
    if ((unsigned)opcode < TABLE && (binary_ops[opcode] || opcode == LLVMAdd)) {
        binary(t, (IrOp)binary_ops[opcode], insn);
        return;
    }
    if ((unsigned)opcode < TABLE && cast_ops[opcode]) {
        cast(t, (IrOp)cast_ops[opcode], insn);
        return;
    }
    switch (opcode) {
    case LLVMRet: ret(t, insn); break;
    case LLVMBr: branch(t, insn); break;
    case LLVMSwitch: switch_over(t, insn); break;
    case LLVMIndirectBr: go_to(t, insn); break;
    case LLVMInvoke: invoke(t, insn); break;
    case LLVMUnreachable: emit_plain(t, IR_UNREACHABLE, 0, 0, 0, 0, 0); break;
    case LLVMFNeg: negate(t, insn); break;
    case LLVMICmp: compare(t, insn, false); break;
    case LLVMFCmp: compare(t, insn, true); break;
    case LLVMSelect: choose(t, insn); break;
    case LLVMFreeze: t->fr->options->assignments ? assign(t, insn) : same(t, insn); break;
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMAddrSpaceCast: pointer_cast(t, insn); break;
    case LLVMBitCast: vector_bitcast(t, insn); break;
    case LLVMExtractValue: extract(t, insn); break;
    case LLVMInsertValue: insert(t, insn); break;
    case LLVMExtractElement: vector_extract(t, insn); break;
    case LLVMInsertElement: vector_insert(t, insn); break;
    case LLVMShuffleVector: vector_shuffle(t, insn); break;
    case LLVMGetElementPtr: memory_gep(t, insn); break;
    case LLVMAlloca: memory_alloca(t, insn); break;
    case LLVMLoad: memory_load(t, insn); break;
    case LLVMStore: memory_store(t, insn); break;
    case LLVMAtomicRMW: memory_rmw(t, insn); break;
    case LLVMAtomicCmpXchg: memory_cmpxchg(t, insn); break;
    case LLVMFence: break; /* one thread sees its own writes in order */
    case LLVMCall: call_translate(t, insn); break;
    case LLVMVAArg: problem(t, "the va_arg instruction (clang for x86-64 does not emit it)"); break;
    case LLVMCallBr: problem(t, "asm goto"); break;
    default: problem(t, "an instruction that C code does not need (LLVM opcode %d)", (int)opcode);
    }
}

/* What comes after code that never comes back still needs a block of its own; body.c removes it. */
static void cut_short(Trans *t, LLVMValueRef insn)
{
    t->block = block_new(t, NULL);
    t->cut = true;
    if (LLVMIsATerminatorInst(insn))
        emit_plain(t, IR_UNREACHABLE, 0, 0, 0, 0, 0);
}

static bool is_closed(const Trans *t)
{
    const IrBlock *block = &t->ir.blocks.v[t->block];
    return block->insns.n && ir_op_has_flag((IrOp)vec_last(&block->insns).op, 'T');
}

static void unsupported(Trans *t, LLVMValueRef insn)
{
    emit_plain(t, IR_UNSUPPORTED, 0, 0, ir_string(t->p, t->problem), 0, 0);
    cut_short(t, insn);
    t->problem = NULL;
    const TypeInfo *info = type_info(t->fr, LLVMTypeOf(insn));
    uint32_t *regs = regs_room(t, info->n);
    for (uint32_t i = 0; i < info->n; i++)
        regs[i] = reg_undef(t, info->leaves[i].width);
    set_regs(t, insn, regs, info->n);
}

void insn_translate(Trans *t, LLVMValueRef insn)
{
    uint32_t site = site_of(t->fr, insn);
    if (site != IR_NONE) /* code of the compiler's own stands at what came before it */
        t->site = site;
    op_translate(t, LLVMGetInstructionOpcode(insn), insn);
    if (t->problem)
        unsupported(t, insn);
    else if (!LLVMIsATerminatorInst(insn) && is_closed(t))
        cut_short(t, insn);
}
