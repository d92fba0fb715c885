/* sym_window.c - what a model of a string function may look at without a decision for each byte.
 *
 * A window is a run of bytes in which a walk along the string may or may not end. The model reads all of it
 * and computes one expression; where the window is over and the walk need not have ended in it, it decides,
 * and asks again behind it. A window never leaves the object, nor reaches what is uninitialised: there the
 * model walks byte by byte, and fails where it must. */
#include "vm/core/window.h"
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

/* Bytes of a window: what the expression of a result may grow to. */
enum { WINDOW_MOST = 32 };

/* ---- strings --------------------------------------------------------------------------------- */

/* The string that argument i points to: its first byte is read, with all checks. Object NULL: the pointer is
 * symbolic. False: the run ended. */
static bool text_of(PrimCall *call, uint32_t i, WindowText *t)
{
    Object *o;
    *t = (WindowText){0};
    if (!expr_is_none(call->exprs[i]) && !sym_is_settled(call->vm, call->exprs[i]))
        return true;
    if (!vm_bytes(call->vm, call->args[i], 1, false, &o))
        return false;
    *t = window_text(call->vm, call->args[i]);
    return true;
}

/* Can the byte be taken as it is? Of a string whose end is its first NUL only what came with the input: where
 * that was overwritten, its end is not where the NUL is. */
static bool is_readable(Vm *vm, const WindowText *t, uint64_t i)
{
    const Object *o = t->object;
    uint64_t at = t->at + i;
    if (o->undef && o->undef[at])
        return false;
    if (!o->limited)
        return true;
    const SymShape *s = sym_shape_at(vm, o->shape);
    if (s->kind != SHAPE_STRING || at > s->most)
        return false;
    Expr e = sym_byte_or_const(vm, o, at);
    return e.id == expr_object_byte(vm->sym->pool, s->object, (uint32_t)at).id ||
           (at == s->most && expr_is_value(vm->sym->pool, e, 0));
}

/* How many bytes may be looked at. With labels that is no question of what they are: how far a string goes
 * would be decided by one byte after the other, and another run, in which it is longer, depends on more. So
 * there the window depends on all that it might have looked at. */
static uint64_t range_of(const Vm *vm, const WindowText *a, const WindowText *b, uint64_t most)
{
    uint64_t room = window_room(a, b, most);
    return vm->lab && room > WINDOW_MOST ? WINDOW_MOST : room;
}

static void depend(Vm *vm, const WindowText *t, uint64_t range, uint64_t looked)
{
    if (t->object->limited && t->at + looked >= t->object->size)
        sym_shape_reached(vm, t->object->shape);
    if (vm->lab)
        label_looked(vm, t->object, t->at, range);
}

/* ---- two strings ----------------------------------------------------------------------------- */

typedef struct Pair {
    WindowText a, b;
    WindowEnds ends;
} Pair;

/* What two bytes at the same place are: equal, and the strings go on; symbolic; surely the end, since they
 * differ or one is NUL; or not to be taken together with others. */
typedef enum Look { LOOK_EQUAL, LOOK_OPEN, LOOK_END, LOOK_OUT } Look;

static bool is_end(const Pair *w, const ExprPool *p, Expr e)
{
    return expr_is_const(p, e) && (int)expr_const_value(p, e) == w->ends.end;
}

static Look look(Vm *vm, const Pair *w, uint64_t i)
{
    const ExprPool *p = vm->sym->pool;
    if (!is_readable(vm, &w->a, i) || !is_readable(vm, &w->b, i))
        return LOOK_OUT;
    Expr x = sym_byte_or_const(vm, w->a.object, w->a.at + i),
         y = sym_byte_or_const(vm, w->b.object, w->b.at + i);
    bool known = expr_is_const(p, x) && expr_is_const(p, y);
    bool differ = known && window_differ((uint8_t)expr_const_value(p, x), (uint8_t)expr_const_value(p, y),
                                         w->ends.folded);
    return differ || is_end(w, p, x) || is_end(w, p, y) ? LOOK_END : known ? LOOK_EQUAL : LOOK_OPEN;
}

static bool is_concrete(const WindowText *t, uint64_t n)
{
    return !t->object->limited && !sym_any(t->object, t->at, n);
}

/* How many bytes to skip, and in *n how many are in the window behind them. */
static uint64_t window_of(Vm *vm, const Pair *w, uint64_t room, uint64_t *n)
{
    uint64_t skip = window_skip(&w->a, &w->b, room, w->ends), all = skip + (skip < room);
    *n = 0;
    if (is_concrete(&w->a, all) && is_concrete(&w->b, all)) /* as most strings are, to their end */
        return skip;
    for (skip = 0; skip < room && look(vm, w, skip) == LOOK_EQUAL; skip++)
        ;
    Look at = LOOK_OPEN;
    while (at < LOOK_END && skip + *n < room && *n < WINDOW_MOST) {
        at = look(vm, w, skip + *n);
        *n += at != LOOK_OUT;
    }
    return skip;
}

bool sym_prim_window_pair(PrimCall *call)
{
    Vm *vm = call->vm;
    if (!expr_is_none(call->exprs[2]))
        return true;
    Pair w = {.ends = {.end = (int)call->args[3], .folded = call->args[4]}};
    if (!text_of(call, 0, &w.a) || !text_of(call, 1, &w.b))
        return false;
    if (!w.a.object || !w.b.object)
        return true;
    uint64_t n, room = range_of(vm, &w.a, &w.b, call->args[2]), skip = window_of(vm, &w, room, &n);
    depend(vm, &w.a, room, skip + n);
    depend(vm, &w.b, room, skip + n);
    call->result = skip << WINDOW_SKIP | n;
    return true;
}

/* ---- one string ------------------------------------------------------------------------------ */

/* Bytes up to the first that surely is `end`, if one of them is symbolic. */
static uint64_t open_window(Vm *vm, const WindowText *t, uint64_t room, int end)
{
    uint64_t n = 0;
    bool ended = false, some = false;
    for (; !ended && n < room && n < WINDOW_MOST && is_readable(vm, t, n); n++) {
        Expr e = sym_byte_or_const(vm, t->object, t->at + n);
        bool known = expr_is_const(vm->sym->pool, e);
        some |= !known;
        ended = known && (int)expr_const_value(vm->sym->pool, e) == end;
    }
    return some ? n : 0;
}

/* The same, if none is: for a symbolic byte that is looked for among them. */
static uint64_t known_window(Vm *vm, const WindowText *t, uint64_t room, int end)
{
    uint64_t n = 0;
    bool ended = t->object->limited;
    for (; !ended && n < room && n < WINDOW_MOST && is_readable(vm, t, n) && is_concrete(t, n + 1); n++)
        ended = t->object->data[t->at + n] == end;
    return n;
}

bool sym_prim_window(PrimCall *call)
{
    Vm *vm = call->vm;
    WindowText t;
    int end = (int)call->args[2], c = (int)call->args[3];
    bool sought = !expr_is_none(call->exprs[3]);
    if ((!sought && c >= 0) || !expr_is_none(call->exprs[1]))
        return true;
    if (!text_of(call, 0, &t))
        return false;
    if (!t.object)
        return true;
    uint64_t room = range_of(vm, &t, NULL, call->args[1]);
    call->result = sought ? known_window(vm, &t, room, end) : open_window(vm, &t, room, end);
    depend(vm, &t, room < WINDOW_MOST ? room : WINDOW_MOST, (uint32_t)call->result);
    return true;
}

bool sym_prim_peek(PrimCall *call, Expr *byte)
{
    Vm *vm = call->vm;
    WindowText t = window_text(vm, call->args[0]);
    if (!t.object)
        bug("a byte outside of all windows");
    *byte = sym_byte(vm, t.object, t.at);
    call->result = t.object->data[t.at];
    if (vm->lab)
        label_flow(vm, label_get(vm, t.object, t.at, 1));
    return true;
}
