/* access.c - loads, stores and block operations beside the fast path: all checks, uninitialised bits,
 * guesses. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym.h"

/* The object that holds all of [address, address + size) and lives, or NULL: where its end is an expression,
 * by a decision. */
static Object *object_for(Vm *vm, uint64_t address, uint64_t size, bool write)
{
    Object *o = mem_find(&vm->mem, address);
    if (!o || o->death != DEATH_NONE || !o->payload)
        return NULL;
    uint64_t offset = address - o->base;
    if (offset > o->size || size > o->size - offset)
        return NULL;
    return !o->limited || vm_sym_within(vm, o, offset, size, write) ? o : NULL;
}

uint8_t *vm_bytes(Vm *vm, uint64_t address, uint64_t size, bool write, Object **object)
{
    static uint8_t nothing[1];
    if (object)
        *object = NULL;
    if (size == 0)
        return nothing;
    Object *o = object_for(vm, address, size, write);
    if (!o || (write && o->constant)) {
        vm_end_access(vm, address, size, write);
        return NULL;
    }
    if (UNLIKELY(o->watched))
        label_access(vm, o);
    if (write && o->payload->refs > 1)
        mem_unshare(&vm->mem, o);
    if (write && o->pointee)
        vm_sym_pointee_written(vm, o);
    if (object)
        *object = o;
    return o->data + (address - o->base);
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint64_t undef_word(const Object *o, uint64_t offset, unsigned size)
{
    uint64_t mask = 0;
    if (o->undef)
        memcpy(&mask, o->undef + offset, size);
    return mask;
}

/* size: at most 8 */
static void get(Vm *vm, const Object *o, uint64_t offset, unsigned size, Reg *out)
{
    uint64_t word = 0;
    memcpy(&word, o->data + offset, size);
    out->word = word;
    if (vm->shadows)
        out->shadow = vm_undef_shadow(vm, undef_word(o, offset, size));
}

void vm_put(Vm *vm, Object *o, uint64_t offset, unsigned size, const Reg *value)
{
    memcpy(o->data + offset, &value->word, size);
    if (!vm->shadows)
        return;
    uint64_t mask = vm_undef_mask(vm, value->shadow);
    mem_undef_clear(o, offset, size);
    if (!mask)
        return;
    mem_undef_set(&vm->mem, o, offset, size);
    memcpy(o->undef + offset, &mask, size);
    for (unsigned i = 0; i < size; i++)
        o->nundef -= o->undef[offset + i] == 0;
}

Object *vm_guess(Vm *vm, const Code *pc, uint64_t address)
{
    Object *o = mem_find(&vm->mem, address);
    if (!o)
        return vm->none;
    ((Code *)pc)->object = o;
    return o;
}

bool vm_load(Vm *vm, uint64_t address, unsigned size, Reg *out)
{
    Object *o = object_for(vm, address, size, false);
    if (UNLIKELY(!o))
        return vm_end_access(vm, address, size, false);
    if (UNLIKELY(o->watched))
        label_access(vm, o);
    if (UNLIKELY(o->sym))
        vm_sym_get(vm, o, address - o->base, 8 * size, out);
    else
        get(vm, o, address - o->base, size, out);
    if (vm->lab)
        label_loaded(vm, out, label_get(vm, o, address - o->base, size));
    return true;
}

bool vm_store(Vm *vm, uint64_t address, unsigned size, const Reg *value)
{
    Object *o = object_for(vm, address, size, true);
    if (UNLIKELY(!o || o->constant))
        return vm_end_access(vm, address, size, true);
    if (UNLIKELY(o->watched))
        label_access(vm, o);
    if (o->payload->refs > 1)
        mem_unshare(&vm->mem, o);
    if (UNLIKELY(o->pointee))
        vm_sym_pointee_written(vm, o);
    vm_put(vm, o, address - o->base, size, value);
    if (vm->sym && (o->sym || value->shadow))
        vm_sym_put(vm, o, address - o->base, 8 * size, value);
    if (vm->lab)
        label_stored(vm, o, address - o->base, size, value);
    return true;
}

/* Widths that the fast path has not: the value takes one or two registers. b: the width. */
bool vm_out_load(Vm *vm, const Code *pc, Reg *regs)
{
    const Reg *address = REG(regs, pc->a);
    unsigned width = pc->b, size = (width + 7) / 8;
    Reg *out = REG(regs, pc->d);
    if (vm->sym && sym_of(address->shadow).id)
        return vm_sym_load(vm, address, 0, width, out);
    if (vm->shadows && address->shadow && !vm_shadow_address(vm, pc, address->shadow, false))
        return false;
    Object *o = object_for(vm, address->word, size, false);
    if (!o)
        return vm_end_access(vm, address->word, size, false);
    if (UNLIKELY(o->watched))
        label_access(vm, o);
    uint64_t offset = address->word - o->base;
    if (o->sym) {
        vm_sym_get(vm, o, offset, width, out);
    } else {
        get(vm, o, offset, size > 8 ? 8 : size, &out[0]);
        if (size > 8)
            get(vm, o, offset + 8, size - 8, &out[1]);
        Reg *last = &out[size > 8];
        last->word &= bits_mask64(width > 64 ? width - 64 : width);
    }
    if (vm->lab)
        label_loaded(vm, out, label_get(vm, o, offset, size));
    return true;
}

bool vm_out_store(Vm *vm, const Code *pc, Reg *regs)
{
    const Reg *address = REG(regs, pc->a), *value = REG(regs, pc->d);
    unsigned width = pc->b, size = (width + 7) / 8;
    Object *o;
    if (vm->sym && sym_of(address->shadow).id)
        return vm_sym_store(vm, address, 0, width, value);
    if (vm->shadows && address->shadow && !vm_shadow_address(vm, pc, address->shadow, true))
        return false;
    if (!vm_bytes(vm, address->word, size, true, &o))
        return false;
    uint64_t offset = address->word - o->base;
    vm_put(vm, o, offset, size > 8 ? 8 : size, &value[0]);
    if (size > 8)
        vm_put(vm, o, offset + 8, size - 8, &value[1]);
    if (vm->sym && (o->sym || value->shadow))
        vm_sym_put(vm, o, offset, width, value);
    if (vm->lab)
        label_stored(vm, o, offset, size, value);
    return true;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static bool operands_used(Vm *vm, const Code *pc, Reg *regs, bool b, bool *done)
{
    *done = false;
    if (vm->sym)
        return vm_sym_block(vm, pc, regs, done);
    uint64_t shadow =
        REG(regs, pc->a)->shadow | REG(regs, pc->c)->shadow | (b ? REG(regs, pc->b)->shadow : 0);
    return !vm->shadows || !shadow || vm_shadow_use(vm, pc, shadow);
}

/* Uninitialised bits move with the bytes. */
static void copy_undef(Vm *vm, Object *to, uint64_t at, const Object *from, uint64_t start, uint64_t n)
{
    if (!vm->shadows || (!to->undef && !from->undef))
        return;
    uint8_t *mask = mem_zalloc(n);
    if (from->undef)
        memcpy(mask, from->undef + start, n);
    mem_undef_clear(to, at, n);
    for (uint64_t i = 0; i < n; i++) {
        if (!mask[i])
            continue;
        mem_undef_set(&vm->mem, to, at + i, 1);
        to->undef[at + i] = mask[i];
    }
    mem_free(mask);
}

/* What the copied bytes take besides: where they were copied from and to, if anything decided that. */
static VmLabel label_block(Vm *vm, const Code *pc, const Reg *regs)
{
    uint64_t shadow = REG(regs, pc->a)->shadow | REG(regs, pc->b)->shadow | REG(regs, pc->c)->shadow;
    return shadow || vm->mem.watch ? label_here(vm, label_made(vm)) : label_context(vm);
}

/* What is kept of n symbolic bytes beside them must fit as well. */
static bool cells_fit(Vm *vm, uint64_t n)
{
    return n < UINT32_MAX && mem_fits(&vm->mem, n * sizeof(uint64_t))
               ? true
               : vm_end_limit(vm, LEDGER_MEMORY, "%llu symbolic bytes, memory limit of %llu: --max-memory",
                              (unsigned long long)n, (unsigned long long)vm->mem.limit);
}

/* a: to, b: from, c: size; d: 1 for memcpy, whose blocks must not overlap */
bool vm_out_memcpy(Vm *vm, const Code *pc, Reg *regs)
{
    uint64_t to = REG(regs, pc->a)->word, from = REG(regs, pc->b)->word, n = REG(regs, pc->c)->word;
    Object *target, *source;
    bool done;
    if (!operands_used(vm, pc, regs, true, &done))
        return false;
    if (done)
        return true;
    if (n == 0)
        return true;
    if (!vm_bytes(vm, from, n, false, &source))
        return false;
    uint8_t *write = vm_bytes(vm, to, n, true, &target);
    if (!write)
        return false;
    bool overlap = to != from && (to > from ? to - from : from - to) < n;
    if (pc->d && overlap && (vm->options.checks >> VM_FAULT_OVERLAP & 1))
        return vm_end_fault(vm, VM_FAULT_OVERLAP, "%llu bytes, %lld apart", (unsigned long long)n,
                            (long long)(int64_t)(to - from));
    if (vm->sym && source->sym && !cells_fit(vm, vm_sym_cells(source, n)))
        return false;
    copy_undef(vm, target, to - target->base, source, from - source->base, n);
    if (vm->sym)
        vm_sym_copy(vm, target, to - target->base, source, from - source->base, n);
    if (vm->lab)
        label_copy(vm, target, to - target->base, source, from - source->base, n, label_block(vm, pc, regs));
    memmove(write, source->data + (from - source->base), n); /* read only now: unsharing may have moved it */
    return true;
}

bool vm_out_memset(Vm *vm, const Code *pc, Reg *regs)
{
    uint64_t to = REG(regs, pc->a)->word, n = REG(regs, pc->c)->word;
    const Reg *value = REG(regs, pc->b);
    Object *target;
    bool done;
    if (!operands_used(vm, pc, regs, false, &done))
        return false;
    if (done)
        return true;
    uint8_t *write = vm_bytes(vm, to, n, true, &target);
    if (!write)
        return false;
    if (n == 0)
        return true;
    if (vm->sym && sym_of(value->shadow).id && !cells_fit(vm, n))
        return false;
    memset(write, (int)value->word, n);
    mem_undef_clear(target, to - target->base, n);
    if (vm->sym && (target->sym || value->shadow))
        vm_sym_fill(vm, target, to - target->base, n, value->shadow);
    if (vm->shadows && (value->shadow & SHADOW_UNDEF))
        mem_undef_set(&vm->mem, target, to - target->base, n);
    if (vm->lab)
        label_stored(vm, target, to - target->base, n, value);
    return true;
}

/* ---- for primitives -------------------------------------------------------------------------- */

/* Neither uninitialised nor symbolic from here on. */
static bool all_defined(Vm *vm, Object *o, uint64_t offset, uint64_t size)
{
    if (o && vm->lab)
        label_flow(vm, label_get(vm, o, offset, size));
    if (o && o->sym)
        vm_sym_concrete(vm, o, offset, size);
    for (uint64_t i = 0; o && o->undef && i < size; i++)
        if (o->undef[offset + i])
            return vm_shadow_use(vm, vm->pc, vm_undef_shadow(vm, o->undef[offset + i]));
    return true;
}

bool vm_mem_read(Vm *vm, uint64_t address, void *out, size_t size)
{
    Object *o;
    const uint8_t *bytes = vm_bytes(vm, address, size, false, &o);
    if (!bytes || (o && !all_defined(vm, o, address - o->base, size)))
        return false;
    memcpy(out, bytes, size);
    return true;
}

bool vm_mem_write(Vm *vm, uint64_t address, const void *data, size_t size)
{
    Object *o;
    uint8_t *bytes = vm_bytes(vm, address, size, true, &o);
    if (!bytes)
        return false;
    if (size) {
        memcpy(bytes, data, size);
        mem_undef_clear(o, address - o->base, size);
        if (o->sym)
            vm_sym_fill(vm, o, address - o->base, size, 0);
        if (vm->lab)
            label_stored(vm, o, address - o->base, size, NULL);
    }
    return true;
}

bool vm_mem_string(Vm *vm, uint64_t address, Str *out)
{
    Object *o = object_for(vm, address, 1, false);
    if (!o)
        return vm_end_access(vm, address, 1, false);
    uint64_t offset = address - o->base, rest = o->size - offset;
    const uint8_t *start = o->data + offset, *nul = memchr(start, 0, rest);
    if (!nul)
        return vm_end_access(vm, o->base + o->size, 1, false);
    if (o->limited && !vm_sym_within(vm, o, offset, (uint64_t)(nul - start) + 1, false))
        return vm_end_access(vm, o->base + vm_sym_size(vm, o), 1, false);
    if (!all_defined(vm, o, offset, (uint64_t)(nul - start) + 1))
        return false;
    str_add_n(out, (const char *)start, (size_t)(nul - start));
    return true;
}
