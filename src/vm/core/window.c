/* window.c - bytes of two strings that a model may skip, where all is concrete. Symbolic runs have
 * sym_window.c, for what is not. */
#include "vm/core/window.h"

WindowText window_text(Vm *vm, uint64_t address)
{
    Object *o = mem_find(&vm->mem, address);
    bool usable = o && o->death == DEATH_NONE && o->payload && address - o->base < o->size;
    return usable ? (WindowText){o, address - o->base, o->size - (address - o->base)} : (WindowText){0};
}

uint64_t window_room(const WindowText *a, const WindowText *b, uint64_t most)
{
    uint64_t room = a->room < most ? a->room : most;
    room = b && b->room < room ? b->room : room;
    return room < WINDOW_SKIP_MOST ? room : WINDOW_SKIP_MOST;
}

static bool is_uninitialised(const WindowText *t, uint64_t i)
{
    return t->object->undef && t->object->undef[t->at + i];
}

uint64_t window_skip(const WindowText *a, const WindowText *b, uint64_t room, WindowEnds ends)
{
    const uint8_t *x = a->object->data + a->at, *y = b->object->data + b->at;
    uint64_t i = 0;
    while (i < room && x[i] != ends.end && !window_differ(x[i], y[i], ends.folded) &&
           !is_uninitialised(a, i) && !is_uninitialised(b, i))
        i++;
    return i;
}

bool prim_window_pair(PrimCall *call)
{
    WindowText a = window_text(call->vm, call->args[0]), b = window_text(call->vm, call->args[1]);
    WindowEnds ends = {.end = (int)call->args[3], .folded = call->args[4]};
    if (a.object && b.object)
        call->result = window_skip(&a, &b, window_room(&a, &b, call->args[2]), ends) << WINDOW_SKIP;
    return true;
}

/* ---- without the way of a primitive ------------------------------------------------------------ */

static bool word_of(const Vm *vm, const CallInfo *call, const Reg *regs, uint32_t i, uint64_t *word)
{
    const CallArg *arg = &call->args[i];
    *word = arg->is_const ? (uint64_t)arg->value : REG(regs, arg->reg)->word;
    return arg->is_const || !vm->shadows || !REG(regs, arg->reg)->shadow;
}

static bool is_plain(const WindowText *t)
{
    const Object *o = t->object;
    return o && !o->sym && !o->undef && !o->limited && !o->watched;
}

/* Most strings are short, and calls of these are most of what comparing them costs. */
bool window_is_plain(Vm *vm, PrimFn prim, const CallInfo *call, const Reg *regs, uint64_t *result)
{
    uint64_t args[5];
    uint32_t nargs = prim == prim_window_pair ? 5 : prim == prim_window ? 4 : 0;
    if (!nargs || vm->lab || call->nargs != nargs)
        return false;
    for (uint32_t i = 0; i < nargs; i++)
        if (!word_of(vm, call, regs, i, &args[i]))
            return false;
    WindowText a = window_text(vm, args[0]), b = nargs == 5 ? window_text(vm, args[1]) : a;
    WindowEnds ends = {.end = (int)args[3], .folded = nargs == 5 && args[4]};
    if (!is_plain(&a) || !is_plain(&b))
        return false;
    *result = nargs == 5 ? window_skip(&a, &b, window_room(&a, &b, args[2]), ends) << WINDOW_SKIP : 0;
    return true;
}

/* ---- the primitives ---------------------------------------------------------------------------- */

/* Nothing is symbolic. */
bool prim_window(PrimCall *call) { return call != NULL; }

bool prim_peek(PrimCall *call)
{
    uint8_t byte;
    bool ok = vm_mem_read(call->vm, call->args[0], &byte, 1);
    call->result = ok ? byte : 0;
    return ok;
}
