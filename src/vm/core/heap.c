/* heap.c - the primitives behind malloc and free, and the search for leaks. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym.h"

bool prim_alloc(PrimCall *call)
{
    Vm *vm = call->vm;
    uint64_t size = call->args[0], align = call->args[1];
    if (size > (uint64_t)PTRDIFF_MAX / 2)
        return true; /* as glibc: NULL */
    if (align < 16 || (align & (align - 1)))
        align = 16;
    if (!mem_class(size, align) || !mem_fits(&vm->mem, size))
        return vm_end_limit(vm, LEDGER_MEMORY, "allocation of %llu bytes, memory limit of %llu: --max-memory",
                            (unsigned long long)size, (unsigned long long)vm->mem.limit);
    const CallInfo *info = vm->pc->call;
    VmExtent extent = {OBJECT_HEAP, size, align};
    uint64_t name = vm_name_object(vm, vm->regs, info->id, info->loops, &extent);
    Object *o = mem_new(&vm->mem, OBJECT_HEAP, name, size, align, payload_new(&vm->mem, size));
    o->site = vm_user_site(vm);
    if (vm->lab) {
        o->class = label_heap_class(vm);
        label_state_set(vm, o, label_passing(vm));
    }
    if (!call->args[2])
        mem_undef_set(&vm->mem, o, 0, size);
    call->result = o->base;
    if (vm->sym && size >> 20) /* from now on a step may take long */
        vm_pause_soon(vm);
    return true;
}

static Object *heap_object(Vm *vm, uint64_t address)
{
    Object *o = mem_find(&vm->mem, address);
    return o && o->kind == OBJECT_HEAP && o->base == address ? o : NULL;
}

bool prim_free(PrimCall *call)
{
    Vm *vm = call->vm;
    uint64_t address = call->args[0];
    if (!address)
        return true;
    Object *o = heap_object(vm, address);
    if (!o)
        return vm_end_free(vm, address);
    if (vm->lab) {
        label_access(vm, o);
        label_state_set(vm, o, label_passing(vm));
    }
    mem_kill(&vm->mem, o, DEATH_FREE);
    return true;
}

bool prim_size(PrimCall *call)
{
    Object *o = heap_object(call->vm, call->args[0]);
    if (!o)
        return vm_end_free(call->vm, call->args[0]);
    if (call->vm->lab)
        label_flow(call->vm, label_state(call->vm, o));
    call->result = o->limited ? vm_sym_size_decided(call->vm, o) : o->size;
    return true;
}

bool prim_extent(PrimCall *call)
{
    Vm *vm = call->vm;
    Object *o = mem_find(&vm->mem, call->args[0]);
    if (!o || o->base != call->args[0])
        return vm_end_access(vm, call->args[0], 1, false);
    if (vm->lab)
        label_flow(vm, label_state(vm, o));
    call->result = o->limited ? vm_sym_size_decided(call->vm, o) : o->size;
    return true;
}

bool prim_protect(PrimCall *call)
{
    Object *o = heap_object(call->vm, call->args[0]);
    if (!o) {
        call->result = (uint64_t)-1;
        return true;
    }
    o->constant = !call->args[1];
    mem_refresh(o);
    return true;
}

/* ---- leaks ----------------------------------------------------------------------------------- */

typedef struct Search {
    Map seen; /* slots of heap objects that were reached */
    Vec(const Object *) work;
} Search;

static void reach(Vm *vm, Search *s, uint64_t word)
{
    const Object *o = mem_find(&vm->mem, word);
    if (!o || o->kind != OBJECT_HEAP || map_get(&s->seen, o->slot, NULL))
        return;
    map_put(&s->seen, o->slot, 1);
    vec_push(&s->work, o);
}

static void scan(Vm *vm, Search *s, const Object *o)
{
    for (uint64_t i = 0; o->data && i + 8 <= o->size; i += 8) {
        uint64_t word;
        memcpy(&word, o->data + i, 8);
        if (word >> 39) /* no address of ours is smaller */
            reach(vm, s, word);
    }
}

/* Registers of a function that has begun and not yet written them hold what an earlier one left: in ours, on
 * the way to the end, main's. What ours hold, the program's functions below them hold too. */
static void scan_frames(Vm *vm, Search *s)
{
    for (const Reg *regs = vm->regs; regs; regs = FRAME(regs)->caller) {
        const FnCode *fn = FRAME(regs)->fn;
        bool ours = fn->index == IR_NONE || vm->program->fns.v[fn->index].runtime;
        for (uint32_t i = 0; !ours && i < (fn->frame_bytes - sizeof(Frame)) / sizeof(Reg); i++)
            if (regs[i].word >> 39)
                reach(vm, s, regs[i].word);
    }
}

/* Conservative: every aligned word of globals, living locals and registers counts as a pointer. */
bool vm_leaks(Vm *vm)
{
    Search s = {0};
    const Object *leak = NULL;
    const Mem *m = &vm->mem;
    for (uint32_t i = 0; i < m->ncells; i++)
        if (m->cells[i].slot && (m->cells[i].object->kind != OBJECT_HEAP || m->cells[i].object->foreign))
            scan(vm, &s, m->cells[i].object);
    scan_frames(vm, &s);
    while (s.work.n)
        scan(vm, &s, vec_pop(&s.work));
    for (uint32_t i = 0; i < m->ncells; i++) {
        const Object *o = m->cells[i].slot ? m->cells[i].object : NULL;
        if (o && o->kind == OBJECT_HEAP && !o->foreign && !map_get(&s.seen, o->slot, NULL) &&
            (!leak || o->serial < leak->serial))
            leak = o;
    }
    map_free(&s.seen);
    vec_free(&s.work);
    if (!leak)
        return true;
    Str text = {0};
    vm_describe(vm, leak, &text);
    vm_end_fault(vm, VM_FAULT_LEAK, "%s", str_text(&text));
    vm->result.site = leak->site; /* where it was made says more than where the run ended */
    str_free(&text);
    return false;
}
