/* view.c - observes a run under way: called at blocks, reads registers of frames and objects. See vm.h. */
#include "vm/prepare/prepare.h"

struct Observer {
    Map blocks; /* key_of to 1 */
    VmObserver call;
    void *context;
};

static uint64_t key_of(uint32_t fn, uint32_t block, bool end)
{
    return (uint64_t)fn << 33 | (uint64_t)block << 1 | end;
}

void vm_observe(Vm *vm, const VmBlock *blocks, uint32_t n, VmObserver observer, void *context)
{
    vm_observer_free(vm);
    if (n) {
        vm->observer = mem_zalloc(sizeof *vm->observer);
        vm->observer->call = observer;
        vm->observer->context = context;
    }
    for (uint32_t i = 0; i < n; i++)
        map_put(&vm->observer->blocks, key_of(blocks[i].fn, blocks[i].block, blocks[i].end), 1);
    vm_use_shadows(vm); /* functions are prepared again */
}

void vm_observer_free(Vm *vm)
{
    if (!vm->observer)
        return;
    map_free(&vm->observer->blocks);
    mem_free(vm->observer);
    vm->observer = NULL;
}

static bool out_observe(Vm *vm, const Code *pc, Reg *regs)
{
    (void)regs;
    vm->observer->call(vm->observer->context, vm, (VmBlock){pc->a, pc->b, pc->c});
    return true;
}

void prep_observe(Prep *p, bool end)
{
    if (p->vm->observer && map_get(&p->vm->observer->blocks, key_of(p->fn->index, p->block, end), NULL))
        prep_out(p, out_observe, 0, p->fn->index, p->block, end);
}

/* ---- frames ---------------------------------------------------------------------------------- */

static Reg *frame_regs(const Vm *vm, uint32_t up)
{
    Reg *regs = vm->regs;
    for (; up && regs && FRAME(regs)->call; up--)
        regs = FRAME(regs)->caller;
    return up ? NULL : regs;
}

bool vm_view_frame(const Vm *vm, uint32_t up, VmViewFrame *out)
{
    const Reg *regs = frame_regs(vm, up);
    if (!regs || FRAME(regs)->fn->index == IR_NONE)
        return false;
    const Frame *f = FRAME(regs);
    *out = (VmViewFrame){.fn = f->fn->index, .block = IR_NONE, .insn = IR_NONE};
    const CodeSource *source = f->call ? vm_source(f->call, f->caller) : NULL;
    if (source) {
        out->block = source->block;
        out->insn = source->insn;
    }
    return true;
}

bool vm_view_register(const Vm *vm, uint32_t up, uint32_t reg, u128 *value)
{
    const Reg *regs = frame_regs(vm, up);
    if (!regs || FRAME(regs)->fn->index == IR_NONE)
        return false;
    const FnCode *fn = FRAME(regs)->fn;
    const IrFn *ir = &vm->program->fns.v[fn->index];
    if (!ir_reg_const_of(ir, reg) && (!fn->slots || fn->slots[reg] == IR_NONE))
        return false;
    *value = vm_reg_value(vm, regs, reg) & bits_mask(ir->regs.v[reg].width);
    return true;
}

/* ---- memory ---------------------------------------------------------------------------------- */

bool vm_view_object(const Vm *vm, uint64_t address, VmViewObject *out)
{
    static const VmViewKind kinds[] = {[OBJECT_GLOBAL] = VM_VIEW_GLOBAL,
                                       [OBJECT_HEAP] = VM_VIEW_HEAP,
                                       [OBJECT_STACK] = VM_VIEW_STACK,
                                       [OBJECT_FN] = VM_VIEW_FN};
    const Object *o = address >> REGION_SHIFT ? mem_find(&vm->mem, address) : NULL;
    if (!o || o->kind == OBJECT_NONE)
        return false;
    *out = (VmViewObject){.kind = kinds[o->kind],
                          .index = o->index,
                          .base = o->base,
                          .size = o->size,
                          .alive = o->death == DEATH_NONE,
                          .constant = o->constant};
    return true;
}

bool vm_view_read(const Vm *vm, uint64_t address, unsigned bytes, u128 *value)
{
    const Object *o = address >> REGION_SHIFT ? mem_find(&vm->mem, address) : NULL;
    uint64_t offset = o ? address - o->base : 0;
    if (!o || o->death != DEATH_NONE || !o->data || bytes > sizeof *value || offset > o->size ||
        bytes > o->size - offset)
        return false;
    *value = 0;
    memcpy(value, o->data + offset, bytes);
    return true;
}

uint64_t vm_view_global(const Vm *vm, uint32_t global) { return vm->globals[global].base; }
uint64_t vm_view_fn(const Vm *vm, uint32_t fn) { return vm->fn_objects[fn].base; }
