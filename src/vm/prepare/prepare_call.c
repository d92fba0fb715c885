/* prepare_call.c - calls. Where caller and callee agree on the number and the widths of arguments and
 * results, the arguments are moved straight into the new frame; everything else goes the slow way
 * (frames.c). */
#include "vm/core/prim.h"
#include "vm/prepare/prepare.h"
#include "vm/symbolic/sym.h"

static CallArg arg(Prep *p, uint32_t reg, uint32_t byval, uint32_t align)
{
    CallArg a = {.width = prep_width(p, reg), .byval = byval, .align = align};
    a.is_const = prep_const(p, reg, &a.value);
    if (!a.is_const)
        a.reg = prep_slot(p, reg);
    return a;
}

static uint64_t signature(const Prep *p, const IrCall *call)
{
    if (call->nvar)
        return 0;
    uint8_t *widths = mem_alloc(call->nargs + call->ndst + 1);
    for (uint32_t i = 0; i < call->nargs; i++)
        widths[i] = prep_width(p, call->args[i]);
    for (uint32_t i = 0; i < call->ndst; i++)
        widths[call->nargs + i] = prep_width(p, call->dst[i]);
    uint64_t result = vm_signature(widths, call->nargs, widths + call->nargs, call->ndst);
    mem_free(widths);
    return result;
}

static CallInfo *begin(Prep *p, const IrInsn *insn, const IrCall *call)
{
    CallInfo *info = arena_alloc(p->fn->arena, sizeof *info);
    vec_push(&p->fn->calls, info);
    info->signature = signature(p, call);
    info->id = ir_insn_tag(p->vm->program, p->fn->index, p->block, p->insn);
    info->loops = prep_loops(p, p->block);
    info->nargs = call->nargs;
    info->nvar = call->nvar;
    info->ndst = call->ndst;
    info->cached_address = UINT64_MAX;
    info->target = insn->op == IR_CALL ? &p->vm->fns[insn->a] : NULL;
    return info;
}

/* Results, word by word; the first is where a function of one result puts it. */
static uint32_t results(Prep *p, CallInfo *info, const IrCall *call)
{
    RegList *list = arena_alloc(p->fn->arena, sizeof *list + 2 * call->ndst * sizeof *list->reg);
    info->dst = arena_alloc(p->fn->arena, call->ndst * sizeof *info->dst);
    for (uint32_t i = 0; i < call->ndst; i++) {
        info->dst[i] = arg(p, call->dst[i], 0, 0);
        list->reg[list->n++] = info->dst[i].reg;
        if (info->dst[i].width > 64)
            list->reg[list->n++] = info->dst[i].reg + (uint32_t)sizeof(Reg);
    }
    info->results = list;
    return list->n ? list->reg[0] : p->trash;
}

/* All arguments in registers of the caller's frame, for calls that go the slow way. */
static void list_args(Prep *p, CallInfo *info, const IrCall *call)
{
    info->args = arena_alloc(p->fn->arena, (call->nargs + call->nvar) * sizeof *info->args);
    for (uint32_t i = 0; i < call->nargs; i++)
        info->args[i] = arg(p, call->args[i], 0, 0);
    for (uint32_t i = 0; i < call->nvar; i++)
        info->args[call->nargs + i] = arg(p, call->var[3 * i], call->var[3 * i + 1], call->var[3 * i + 2]);
}

static void move_args(Prep *p, CallInfo *info, const IrCall *call)
{
    uint32_t word = 0;
    info->moves = arena_alloc(p->fn->arena, 2 * call->nargs * sizeof *info->moves);
    for (uint32_t i = 0; i < call->nargs; i++) {
        u128 value;
        bool is_const = prep_const(p, call->args[i], &value);
        uint32_t from = is_const ? 0 : prep_slot(p, call->args[i]);
        for (unsigned w = 0; w < (prep_width(p, call->args[i]) > 64 ? 2u : 1u); w++, word++) {
            uint32_t to = word * (uint32_t)sizeof(Reg);
            if (is_const) {
                vec_push(&p->outgoing, p->code.n);
                prep_emit(p, CODE_MOVI, (Code){.d = to, .imm = (uint64_t)(value >> (64 * w))});
            } else {
                info->moves[info->nmoves++] = (CallMove){from + w * (uint32_t)sizeof(Reg), to};
            }
        }
    }
    if (word > p->outgoing_most)
        p->outgoing_most = word;
}

/* Without symbolic values nothing is in a window: a call that asks for one costs more than most strings do.
 */
static bool is_answered(const Prep *p, const IrInsn *insn)
{
    PrimFn prim = insn->op == IR_CALL ? p->vm->fns[insn->a].prim : NULL;
    return !p->vm->sym && (prim == prim_window || prim == prim_window_pair);
}

void prep_call(Prep *p, const IrInsn *insn)
{
    IrCall call = ir_call_read(p->ir, insn);
    if (is_answered(p, insn)) {
        for (uint32_t i = 0; i < call.ndst; i++)
            prep_emit(p, CODE_MOVI, (Code){.d = prep_slot(p, call.dst[i])});
        return;
    }
    CallInfo *info = begin(p, insn, &call);
    uint32_t result = results(p, info, &call);
    bool pointer = insn->op == IR_CALLPTR;
    if (pointer)
        info->pointer = prep_slot(p, insn->a);
    bool fits = info->signature && (pointer || info->signature == info->target->signature) &&
                (pointer || (!vm_sym_redirects(p->vm, insn->a) && !info->target->abstract));
    if (!fits || pointer)
        list_args(p, info, &call);
    if (fits)
        move_args(p, info, &call);
    CodeOp op = !fits ? CODE_CALL_SLOW : pointer ? CODE_CALLPTR : CODE_CALL;
    prep_emit(p, op, (Code){.d = result, .a = info->pointer, .call = info});
}
