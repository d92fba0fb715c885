/* body.c - a function: blocks in an order in which definitions come before uses, parameters, phis, the loose
 * ends. */
#include "frontend/frontend_int.h"

typedef Vec(LLVMBasicBlockRef) BlockVec;

/* ---- signature ------------------------------------------------------------------------------- */

static void set_signature(Front *fr, IrFn *ir, LLVMTypeRef type, LLVMValueRef fn)
{
    unsigned n = LLVMCountParamTypes(type);
    LLVMTypeRef *params = arena_alloc(fr->arena, (n + 1) * sizeof(LLVMTypeRef));
    LLVMGetParamTypes(type, params);
    for (unsigned i = 0; !fn && i < n; i++) {
        const TypeInfo *info = type_info(fr, params[i]);
        for (uint32_t k = 0; k < info->n; k++)
            ir_reg_param(fr->p, ir, info->leaves[k].width, NULL);
    }
    if (fn)
        params_translate(fr, ir, fn);
    const TypeInfo *result = type_info(fr, LLVMGetReturnType(type));
    for (uint32_t i = 0; i < result->n; i++)
        vec_push(&ir->results, result->leaves[i].width);
    ir->variadic = LLVMIsFunctionVarArg(type);
}

void fn_declare(Front *fr, uint32_t index, LLVMTypeRef type)
{
    IrFn *ir = &fr->p->fns.v[index];
    if (ir->regs.n == 0 && ir->results.n == 0)
        set_signature(fr, ir, type, NULL);
}

/* ---- beginning and end of a translation ------------------------------------------------------ */

Trans trans_new(Front *fr, uint32_t index, LLVMValueRef fn)
{
    Trans t = {.fr = fr, .p = fr->p, .llvm = fn, .index = index, .site = IR_NONE, .arena = arena_new()};
    t.ir = fr->p->fns.v[index];
    t.ir.defined = true;
    t.ir.nparams = 0; /* a declaration may have had parameters already */
    vec_clear(&t.ir.regs);
    vec_clear(&t.ir.params);
    vec_clear(&t.ir.results);
    return t;
}

static void insert_prologue(Trans *t)
{
    IrBlock *entry = &t->ir.blocks.v[0];
    uint32_t n = t->prologue.n;
    if (n == 0)
        return;
    vec_reserve(&entry->insns, entry->insns.n + n);
    memmove(entry->insns.v + n, entry->insns.v, entry->insns.n * sizeof(IrInsn));
    memcpy(entry->insns.v, t->prologue.v, n * sizeof(IrInsn));
    entry->insns.n += n;
}

void trans_finish(Trans *t)
{
    insert_prologue(t);
    t->p->fns.v[t->index] = t->ir;
    vec_free(&t->prologue);
    vec_free(&t->phis);
    map_free(&t->values);
    map_free(&t->blocks);
    map_free(&t->exits);
    arena_free(t->arena);
}

/* ---- order of blocks ------------------------------------------------------------------------- */

static bool is_label_taken(LLVMBasicBlockRef block)
{
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u))
        if (LLVMIsABlockAddress(LLVMGetUser(u)))
            return true;
    return false;
}

/* Blocks reachable from root in postorder. The last successor is visited first, so that the first comes first
 * once the order is reversed. */
static void postorder(LLVMBasicBlockRef root, Map *seen, BlockVec *out)
{
    typedef struct Visit {
        LLVMBasicBlockRef block;
        unsigned left;
    } Visit;
    Vec(Visit) stack = {0};
    map_put(seen, (uintptr_t)root, 1);
    vec_push(&stack, (Visit){root, LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(root))});
    while (stack.n) {
        Visit *top = &vec_last(&stack);
        if (top->left == 0) {
            vec_push(out, top->block);
            (void)vec_pop(&stack);
            continue;
        }
        LLVMBasicBlockRef next = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(top->block), --top->left);
        if (map_get(seen, (uintptr_t)next, NULL))
            continue;
        map_put(seen, (uintptr_t)next, 1);
        vec_push(&stack, (Visit){next, LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(next))});
    }
    vec_free(&stack);
}

/* Reverse postorder; blocks that only their address keeps alive come last. */
static void order_blocks(LLVMValueRef fn, BlockVec *out)
{
    Map seen = {0};
    BlockVec part = {0};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(fn);
    for (LLVMBasicBlockRef b = entry; b; b = LLVMGetNextBasicBlock(b)) {
        if (map_get(&seen, (uintptr_t)b, NULL) || (b != entry && !is_label_taken(b)))
            continue;
        vec_clear(&part);
        postorder(b, &seen, &part);
        while (part.n)
            vec_push(out, vec_pop(&part));
    }
    vec_free(&part);
    map_free(&seen);
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* The caller passes a pointer to its own object; the copy is ours to change. */
static uint32_t copy_byval(Trans *t, uint32_t pointer)
{
    IrParam param = ir_param(&t->ir, pointer);
    uint32_t size = reg_int(t, 64, param.size);
    uint32_t copy = emit_flags(t, IR_ALLOCA, 64, IR_FIXED, size, param.align, 0);
    t->ir.regs.v[copy].name = t->ir.regs.v[pointer].name;
    emit_plain(t, IR_MEMCPY, 0, 0, copy, pointer, size);
    return copy;
}

static void bind_params(Trans *t)
{
    uint32_t at = 0;
    for (unsigned i = 0; i < LLVMCountParams(t->llvm); i++) {
        LLVMValueRef param = LLVMGetParam(t->llvm, i);
        uint32_t n = type_info(t->fr, LLVMTypeOf(param))->n;
        uint32_t *regs = regs_room(t, n);
        for (uint32_t k = 0; k < n; k++)
            regs[k] = at++;
        if (n == 1 && ir_param(&t->ir, regs[0]).kind == IR_PARAM_BYVAL)
            regs[0] = copy_byval(t, regs[0]);
        set_regs(t, param, regs, n);
    }
}

/* ---- phis ------------------------------------------------------------------------------------ */

static void begin_phi(Trans *t, LLVMValueRef phi)
{
    const TypeInfo *info = value_info(t, phi);
    uint32_t *regs = regs_room(t, info->n);
    vec_push(&t->phis, (PhiSlot){.phi = phi, .block = t->block, .insn = t->ir.blocks.v[t->block].insns.n});
    for (uint32_t i = 0; i < info->n; i++)
        regs[i] = emit(t, IR_PHI, info->leaves[i].width, 0, 0, 0);
    set_regs(t, phi, regs, info->n);
    for (unsigned i = 0; i < LLVMCountIncoming(phi);
         i++) /* constants now, while a problem can still be reported */
        if (LLVMIsConstant(LLVMGetIncomingValue(phi, i)))
            regs_of(t, LLVMGetIncomingValue(phi, i));
}

/* One entry for each predecessor, however many edges lead from it (LLVM has one for each edge). */
static void fill_phi(Trans *t, const PhiSlot *slot)
{
    uint32_t n = regs_of(t, slot->phi).n;
    unsigned incoming = LLVMCountIncoming(slot->phi);
    for (uint32_t leaf = 0; leaf < n; leaf++) {
        IrInsn *phi = &t->ir.blocks.v[slot->block].insns.v[slot->insn + leaf];
        U32Vec list = {0};
        BitSet known = {0};
        vec_push(&list, 0);
        for (unsigned i = 0; i < incoming; i++) {
            uint64_t exit;
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(slot->phi, i);
            if (!map_get(&t->exits, (uintptr_t)from, &exit) || !bitset_add(&known, (uint32_t)exit))
                continue;
            Regs value = regs_of(t, LLVMGetIncomingValue(slot->phi, i));
            vec_push(&list, (uint32_t)exit);
            vec_push(&list, leaf < value.n ? value.v[leaf] : reg_undef(t, phi->width));
            list.v[0]++;
        }
        phi->a = ir_extra_add(&t->ir, list.v, list.n);
        vec_free(&list);
        bitset_free(&known);
    }
}

/* ---- blocks that were cut off ---------------------------------------------------------------- */

/* Gives the blocks that a terminator or phi names their new numbers; phis forget predecessors that are
 * gone. */
static void renumber(IrFn *ir, IrInsn *insn, const uint32_t *number)
{
    uint32_t *list;
    switch (insn->op) {
    case IR_JMP: insn->a = number[insn->a]; break;
    case IR_BR:
        insn->b = number[insn->b];
        insn->c = number[insn->c];
        break;
    case IR_SWITCH:
        list = ir->extra.v + insn->b;
        for (uint32_t i = 0; i < list[0]; i++)
            list[2 + 2 * i] = number[list[2 + 2 * i]];
        insn->c = number[insn->c];
        break;
    case IR_GOTO:
        list = ir->extra.v + insn->b;
        for (uint32_t i = 0; i < list[0]; i++)
            list[1 + i] = number[list[1 + i]];
        break;
    case IR_PHI: {
        uint32_t kept = 0;
        list = ir->extra.v + insn->a;
        for (uint32_t i = 0; i < list[0]; i++) {
            if (number[list[1 + 2 * i]] == IR_NONE)
                continue;
            list[1 + 2 * kept] = number[list[1 + 2 * i]];
            list[2 + 2 * kept++] = list[2 + 2 * i];
        }
        list[0] = kept;
        break;
    }
    default: break;
    }
}

/* Removes blocks that nothing reaches, once `unsupported` and the like have cut others short. */
static void prune(Trans *t, U32Vec *number)
{
    BitSet live = {0};
    U32Vec work = {0}, next = {0};
    vec_push(&work, 0);
    bitset_add(&live, 0);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->llvm); b; b = LLVMGetNextBasicBlock(b)) {
        uint64_t block;
        if (map_get(&t->blocks, (uintptr_t)b, &block) && is_label_taken(b) &&
            bitset_add(&live, (uint32_t)block))
            vec_push(&work, (uint32_t)block);
    }
    while (work.n) {
        ir_block_successors(&t->ir, vec_pop(&work), &next);
        for (uint32_t i = 0; i < next.n; i++)
            if (bitset_add(&live, next.v[i]))
                vec_push(&work, next.v[i]);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->ir.blocks.n; i++)
        vec_push(number, bitset_has(&live, i) ? kept++ : IR_NONE);
    for (uint32_t i = 0; i < t->ir.blocks.n; i++) {
        IrBlock block = t->ir.blocks.v[i];
        if (number->v[i] == IR_NONE) {
            vec_free(&block.insns);
            continue;
        }
        for (uint32_t k = 0; k < block.insns.n; k++)
            renumber(&t->ir, &block.insns.v[k], number->v);
        t->ir.blocks.v[number->v[i]] = block;
    }
    t->ir.blocks.n = kept;
    bitset_free(&live);
    vec_free(&work);
    vec_free(&next);
}

static void number_labels(Trans *t)
{
    U32Vec number = {0};
    if (t->cut)
        prune(t, &number);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(t->llvm); b; b = LLVMGetNextBasicBlock(b)) {
        uint64_t block;
        if (is_label_taken(b) && map_get(&t->blocks, (uintptr_t)b, &block))
            map_put(&t->fr->block_numbers, (uintptr_t)b, number.n ? number.v[block] : block);
    }
    vec_free(&number);
}

/* ---- the function ---------------------------------------------------------------------------- */

static void translate_block(Trans *t, LLVMBasicBlockRef block)
{
    t->block = (uint32_t)map_get_or(&t->blocks, (uintptr_t)block, 0);
    t->site = t->ir.site;
    LLVMValueRef insn = LLVMGetFirstInstruction(block);
    for (; insn && LLVMIsAPHINode(insn); insn = LLVMGetNextInstruction(insn))
        begin_phi(t, insn);
    if (t->problem) {
        emit_plain(t, IR_UNSUPPORTED, 0, 0, ir_string(t->p, t->problem), 0, 0);
        t->problem = NULL;
        t->block = block_new(t, NULL);
        t->cut = true;
    }
    for (; insn; insn = LLVMGetNextInstruction(insn))
        insn_translate(t, insn);
    map_put(&t->exits, (uintptr_t)block, t->block);
}

void fn_translate(Front *fr, LLVMValueRef fn)
{
    Trans t = trans_new(fr, symbol_fn(fr, fn), fn);
    BlockVec order = {0};
    t.ir.site = t.site = site_of_fn(fr, fn);
    t.ir.noreturn = LLVMGetEnumAttributeAtIndex(fn, OF_FUNCTION, fr->attr_noreturn) != NULL;
    set_signature(fr, &t.ir, LLVMGlobalGetValueType(fn), fn);
    if (fr->options->all_functions || (fr->options->entry && !strcmp(symbol_name(fn), fr->options->entry)))
        ctypes_of_fn(fr, &t.ir, fn);
    order_blocks(fn, &order);
    for (uint32_t i = 0; i < order.n; i++) {
        const char *name = LLVMGetBasicBlockName(order.v[i]);
        map_put(&t.blocks, (uintptr_t)order.v[i], block_new(&t, *name ? name : NULL));
    }
    bind_params(&t);
    for (uint32_t i = 0; i < order.n; i++)
        translate_block(&t, order.v[i]);
    for (uint32_t i = 0; i < t.phis.n; i++)
        fill_phi(&t, &t.phis.v[i]);
    vec_free(&order);
    number_labels(&t);
    trans_finish(&t);
}
