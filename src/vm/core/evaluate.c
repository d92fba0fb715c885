/* evaluate.c - one call of a function on words, from a fresh state: how an application of a function of the
 * program is evaluated. */
#include "vm/core/vm_int.h"

/* A first frame of its own: registers for the arguments, two words each, and for the result. */
enum { RESULT = 2 * VM_ABSTRACT_ARGS, TRASH = RESULT + 2, REGS = TRASH + 2 };
#define AT(reg) ((reg) * (uint32_t)sizeof(Reg))

static void call_make(Vm *vm, Arena *arena, uint32_t frame_bytes, uint32_t fn, Code *at)
{
    const IrFn *ir = &vm->program->fns.v[fn];
    CallInfo *call = arena_alloc(arena, sizeof *call);
    RegList *results = arena_alloc(arena, sizeof *results + 2 * sizeof *results->reg);
    *call = (CallInfo){.target = &vm->fns[fn],
                       .advance = frame_bytes,
                       .id = hash_mix(vm->fns[fn].hash, 1),
                       .nargs = ir->nparams,
                       .args = arena_alloc(arena, (ir->nparams + 1) * sizeof *call->args),
                       .dst = arena_alloc(arena, sizeof *call->dst),
                       .ndst = ir->results.n,
                       .results = results};
    for (uint32_t i = 0; i < ir->nparams; i++)
        call->args[i] = (CallArg){.reg = AT(2 * i), .width = ir->regs.v[i].width};
    if (ir->results.n)
        call->dst[0] = (CallArg){.reg = AT(RESULT), .width = ir->results.v[0]};
    results->n = 2;
    results->reg[0] = AT(RESULT);
    results->reg[1] = AT(RESULT + 1);
    *at = (Code){.go = vm->labels[CODE_CALL_SLOW], .d = AT(ir->results.n ? RESULT : TRASH), .call = call};
}

VmEnding vm_evaluate(Vm *vm, const VmEnvironment *environment, uint32_t fn, const u128 *arguments,
                     u128 *result)
{
    const IrFn *ir = &vm->program->fns.v[fn];
    Arena *arena = arena_new();
    FnCode first = {.index = IR_NONE, .frame_bytes = (uint32_t)(REGS * sizeof(Reg) + sizeof(Frame))};
    uint32_t n = 0;
    if (ir->nparams > VM_ABSTRACT_ARGS || ir->results.n > 1)
        bug("a function of too many words is evaluated");
    first.code = first.start = arena_alloc(arena, 3 * sizeof(Code));
    if (vm->program->init != IR_NONE)
        call_make(vm, arena, first.frame_bytes, vm->program->init, &first.start[n++]);
    call_make(vm, arena, first.frame_bytes, fn, &first.start[n++]);
    first.start[n++] = (Code){.go = vm->labels[CODE_HALT], .a = AT(TRASH)};
    first.ncode = n;
    vm_begin(vm, environment);
    Reg *regs = (Reg *)(vm->stack + sizeof(Frame));
    *FRAME(regs) = (Frame){.fn = &first, .path = 1, .serial = ++vm->frame_serial};
    memset(regs, 0, REGS * sizeof *regs);
    for (uint32_t i = 0; i < ir->nparams; i++) {
        regs[2 * i].word = (uint64_t)arguments[i];
        regs[2 * i + 1].word = (uint64_t)(arguments[i] >> 64);
    }
    vm->regs = regs;
    vm->pc = first.code;
    if (vm->shadows)
        vm_step_shadow(vm);
    else
        vm_step_plain(vm);
    *result = regs[RESULT].word | (u128)regs[RESULT + 1].word << 64;
    arena_free(arena);
    return vm->result.ending;
}
