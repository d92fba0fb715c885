/* sym_outline.c - what a call of the entry would be made with, without following a pointer: for `sheaf
 * harness`, which writes it down as C. The shapes are those of sym_shape.c. */
#include "vm/symbolic/sym_int.h"

enum { SOMEWHERE = 1 << 20 }; /* an address, so that the names of members are those behind a pointer */

static uint32_t input_behind(VmTrace *trace, const SymShape *s)
{
    for (uint32_t i = 0; i < trace->inputs.n; i++)
        if (trace->inputs.v[i].object.id == s->object.id)
            return i;
    vec_push(
        &trace->inputs,
        ((VmInputUse){.object = s->object, .origin = VM_INPUT_POINTEE, .size = s->size, .site = IR_NONE}));
    return trace->inputs.n - 1;
}

static VmOutlineKind kind_of(const SymShape *s)
{
    switch (s->kind) {
    case SHAPE_STRING: return VM_OUTLINE_STRING;
    case SHAPE_COUNTED: return VM_OUTLINE_COUNTED;
    case SHAPE_ONE: return VM_OUTLINE_ONE;
    case SHAPE_STREAM: return VM_OUTLINE_STREAM;
    default: return VM_OUTLINE_USED;
    }
}

VmOutline vm_outline(Vm *vm, VmTrace *trace, uint32_t input, uint32_t offset)
{
    VmTrace *before = vm->sym->trace;
    vm->sym->trace = trace;
    const SymShape *s = sym_shape_at(vm, sym_shape_of(vm, input, offset));
    VmOutline out = {.kind = kind_of(s),
                     .type = s->type,
                     .most = s->most,
                     .size = s->size,
                     .unit = s->unit,
                     .trailing = s->trailing,
                     .nonnull = s->nonnull,
                     .opaque = s->opaque,
                     .name = vm_name_text(vm, s->name),
                     .length = s->length ? vm_name_text(vm, s->length) : NULL,
                     .used = s->used ? vm_name_text(vm, s->used) : NULL,
                     .behind = input_behind(trace, s)};
    if (s->kind != SHAPE_STREAM)
        sym_describe_pointee(vm, s->object, trace->inputs.v[input].object, offset, SOMEWHERE);
    vm->sym->trace = before;
    return out;
}
