/* window.h - private to vm: the bytes of strings that a model may look at without a decision for each
 * (prim.def). */
#ifndef SHEAF_VM_WINDOW_H
#define SHEAF_VM_WINDOW_H

#include "vm/core/prim.h"
#include "vm/core/vm_int.h"

enum { WINDOW_SKIP = 32, WINDOW_SKIP_MOST = 1 << 30 }; /* as runtime/window.h takes the result apart */

/* Where a string begins; object NULL: nowhere. */
typedef struct WindowText {
    Object *object;
    uint64_t at, room; /* offset of its first byte; bytes from there to the object's end */
} WindowText;

typedef struct WindowEnds {
    int end;     /* the byte that ends a string; -1: none does */
    bool folded; /* letters are equal that differ in their case only */
} WindowEnds;

WindowText window_text(Vm *vm, uint64_t address);
static inline bool window_differ(uint8_t x, uint8_t y, bool folded)
{
    return x != y && !(folded && (x ^ y) == 32 && (x | 32) >= 'a' && (x | 32) <= 'z');
}
/* Bytes that both have and that are asked for; b: NULL if there is one string. */
uint64_t window_room(const WindowText *a, const WindowText *b, uint64_t most);
/* How many bytes from there on are equal and no end. Uninitialised ones stop it. */
uint64_t window_skip(const WindowText *a, const WindowText *b, uint64_t room, WindowEnds ends);
/* Is it a call of a primitive for windows, with strings and arguments of which nothing is symbolic or
 * uninitialised? Then its result. */
bool window_is_plain(Vm *vm, PrimFn prim, const CallInfo *call, const Reg *regs, uint64_t *result);

#endif
