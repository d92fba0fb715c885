/* window.c - bytes of two strings that a model may skip, where all is concrete. Symbolic runs have
 * sym_window.c. */
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

/* Nothing is symbolic. */
bool prim_window(PrimCall *call) { return call != NULL; }

bool prim_peek(PrimCall *call)
{
    uint8_t byte;
    bool ok = vm_mem_read(call->vm, call->args[0], &byte, 1);
    call->result = ok ? byte : 0;
    return ok;
}
