/* varargs.c - variable arguments as the x86-64 ABI lays them out in memory.
 *
 * The va_list says that all argument registers are used up, so the va_arg code that clang emits takes
 * everything from the overflow area: one object that lives as long as the callee's frame. An argument has a
 * slot of eight bytes, or more, aligned to 16, for long double, __int128 and structures that ask for it. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym.h"

static uint64_t place(const CallArg *arg, uint64_t at, uint64_t *size)
{
    uint64_t align = arg->byval ? arg->align : arg->width > 64 ? 16 : 8;
    *size = arg->byval ? arg->byval : arg->width > 64 ? 16 : 8;
    if (align < 8)
        align = 8;
    return (at + align - 1) / align * align;
}

static bool put(Vm *vm, Object *o, uint64_t at, const CallArg *arg, uint64_t size, const Reg *from)
{
    const Reg *reg = REG(from, arg->reg);
    if (arg->byval) {
        Object *source;
        uint64_t address = arg->is_const ? (uint64_t)arg->value : reg->word;
        uint8_t *bytes = vm_bytes(vm, address, size, false, &source);
        if (!bytes)
            return false;
        memcpy(o->data + at, bytes, size);
        if (source && source->sym)
            vm_sym_copy(vm, o, at, source, address - source->base, size);
        if (source && vm->lab)
            label_copy(vm, o, at, source, address - source->base, size,
                       label_here(vm, label_unite(vm, label_made(vm),
                                                  arg->is_const ? LABEL_NONE : label_of(reg->shadow))));
        if (source && source->undef) {
            mem_undef_set(&vm->mem, o, at, size);
            for (uint64_t i = 0; i < size; i++)
                if (!source->undef[address - source->base + i])
                    mem_undef_clear(o, at + i, 1);
        }
        return true;
    }
    Reg constant[2] = {{(uint64_t)arg->value, 0}, {(uint64_t)(arg->value >> 64), 0}};
    const Reg *value = arg->is_const ? constant : reg;
    vm_put(vm, o, at, 8, &value[0]);
    if (arg->width > 64)
        vm_put(vm, o, at + 8, 8, &value[1]);
    if (vm->sym && value->shadow)
        vm_sym_put(vm, o, at, arg->width, value);
    if (vm->lab)
        vm_label_stored(vm, o, at, arg->width > 64 ? 16 : 8, value->shadow);
    return true;
}

bool vm_varargs_make(Vm *vm, Frame *frame, const CallArg *args, uint32_t n, const Reg *from)
{
    uint64_t end = 0, size, align = 16;
    for (uint32_t i = 0; vm->sym && i < n; i++) /* decisions first: nothing of the frame is made yet */
        if (args[i].byval && !args[i].is_const &&
            !vm_sym_fix_pointer(vm, REG(from, args[i].reg), args[i].byval, false))
            return false;
    for (uint32_t i = 0; i < n; i++) {
        end = place(&args[i], end, &size) + size;
        if (args[i].align > align)
            align = args[i].align;
    }
    end = (end + 7) / 8 * 8;
    VmExtent extent = {OBJECT_STACK, end, align};
    uint64_t name = vm_name_object(vm, (Reg *)(frame + 1), hash_u64(n), NULL, &extent);
    Object *o = vm_stack_object(vm, frame, name, end, align);
    if (!o)
        return false;
    o->name = vm->varargs_name;
    if (vm->lab)
        o->class = flow_object_of_varargs(vm->now.flow, frame->fn->index);
    frame->varargs = o;
    uint64_t at = 0;
    for (uint32_t i = 0; i < n; i++, at += size) {
        at = place(&args[i], at, &size);
        if (!put(vm, o, at, &args[i], size, from))
            return false;
    }
    return true;
}

bool vm_out_vastart(Vm *vm, const Code *pc, Reg *regs)
{
    struct {
        uint32_t gp_offset, fp_offset;
        uint64_t overflow_arg_area, reg_save_area;
    } list = {48, 176, 0, 0};
    Frame *frame = FRAME(regs);
    if (!frame->varargs && !vm_varargs_make(vm, frame, NULL, 0, regs))
        return false;
    list.overflow_arg_area = frame->varargs->base;
    return vm_mem_write(vm, REG(regs, pc->a)->word, &list, sizeof list);
}
