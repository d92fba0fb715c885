/* sym_given.c - objects that a harness makes: sheaf_object, sheaf_string, sheaf_array, sheaf_maybe_null of
 * <sheaf.h>.
 *
 * They have shapes as what is behind the entry's pointers has (sym_shape.c): where they end is an expression,
 * and an access beyond it is one fault check for all lengths. But the user wrote these: nothing is assumed
 * that the harness does not say, and what goes wrong at their edges is the program's fault, no need of a
 * caller. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

enum { DEPTH_MOST = 16, SIZE_MOST = 1 << 20, FEW = 8 }; /* FEW: elements where no option says */

/* ---- how large a number can be --------------------------------------------------------------- */

/* Is it an input, or its lower bytes? */
static bool word_of(const Vm *vm, Expr e, ExprObject *object)
{
    ExprPool *p = vm->sym->pool;
    ExprSet set = expr_symbols(p, e);
    uint32_t n = expr_set_size(p, set), offset;
    if (!n || n > 8 || expr_width(p, e) != 8 * n)
        return false;
    *object = expr_symbol_object(p, expr_symbol_of(p, expr_set_next(p, set, 0)), &offset);
    const ExprObjectInfo *info = expr_object_info(p, *object);
    return !offset && !info->scalar && n <= info->size && expr_object_word(p, *object, 0, n).id == e.id;
}

/* The most that an expression can be, as far as sheaf_size and constants tell; UINT64_MAX: anything. */
static uint64_t most_of(const Vm *vm, Expr e, unsigned depth)
{
    const ExprPool *p = vm->sym->pool;
    uint64_t a, b, out;
    ExprObject object;
    if (expr_is_const(p, e))
        return (uint64_t)expr_const_value(p, e);
    if (depth == DEPTH_MOST || expr_width(p, e) > 64)
        return UINT64_MAX;
    if (word_of(vm, e, &object) && map_get(&vm->sym->bounds, object.id, &out))
        return out <= bits_mask64(expr_width(p, e)) ? out : UINT64_MAX;
    switch (expr_op(p, e)) {
    case EXPR_ZEXT: return most_of(vm, expr_child(p, e, 0), depth + 1);
    case EXPR_SEXT:
        a = most_of(vm, expr_child(p, e, 0), depth + 1);
        return a >> (expr_width(p, expr_child(p, e, 0)) - 1) ? UINT64_MAX : a;
    case EXPR_ITE:
        a = most_of(vm, expr_child(p, e, 1), depth + 1);
        b = most_of(vm, expr_child(p, e, 2), depth + 1);
        return a > b ? a : b;
    case EXPR_ADD:
    case EXPR_MUL:
        a = most_of(vm, expr_child(p, e, 0), depth + 1);
        b = most_of(vm, expr_child(p, e, 1), depth + 1);
        if (a == UINT64_MAX || b == UINT64_MAX)
            return UINT64_MAX;
        if (expr_op(p, e) == EXPR_ADD ? __builtin_add_overflow(a, b, &out)
                                      : __builtin_mul_overflow(a, b, &out))
            return UINT64_MAX;
        return out > bits_mask64(expr_width(p, e)) ? UINT64_MAX : out;
    default: return UINT64_MAX;
    }
}

bool sym_prim_bound(PrimCall *call, bool asked)
{
    Vm *vm = call->vm;
    uint64_t most = UINT64_MAX, before;
    ExprObject object;
    if (expr_is_none(call->exprs[0]))
        return asked ? prim_most(call) : true;
    if (asked) {
        most = most_of(vm, call->exprs[0], 0);
        uint64_t few = vm->sym->options.inputs.elements_most;
        call->result = most <= SIZE_MOST ? most : (few ? few : FEW) | (uint64_t)1 << 63;
        return true;
    }
    /* the largest that was ever said: no run has more, and where one has fewer its own condition says so */
    if (word_of(vm, call->exprs[0], &object) &&
        (!map_get(&vm->sym->bounds, object.id, &before) || before < call->args[1]))
        map_put(&vm->sym->bounds, object.id, call->args[1]);
    return true;
}

/* ---- objects --------------------------------------------------------------------------------- */

static const char *name_in(Vm *vm, const char *prefix, const char *name, const char *suffix)
{
    Str text = {0};
    str_printf(&text, "%s%s%s", prefix, name, suffix);
    uint32_t interned = vm_name_add(vm, str_text(&text));
    str_free(&text);
    return vm_name_text(vm, interned);
}

/* The key of the input says how long it is, too: one call may be asked for objects of several lengths. */
static ExprObject input_of(Vm *vm, const Object *o, SymGiven what, Expr limit, const char *name)
{
    Str key = {0};
    str_printf(&key, "given:%.100s@%016llx:%d:%u", name, (unsigned long long)vm_name_here(vm, 0), what,
               limit.id);
    ExprObject input =
        expr_object(vm->sym->pool, str_text(&key), name, (uint32_t)o->size, (ExprCType){EXPR_C_CHAR, 1});
    str_free(&key);
    return input;
}

/* The shape of an input, once: as large as its object, and it ends where its kind says. */
static uint32_t shape_for(Vm *vm, ExprObject input, SymGiven what, Expr limit, const char *name)
{
    struct Sym *s = vm->sym;
    uint64_t known;
    if (map_get(&s->shape_behind, input.id, &known))
        return (uint32_t)known;
    uint32_t size = expr_object_info(s->pool, input)->size, text = vm_name_add(vm, name);
    SymShape shape = {
        .kind = SHAPE_ONE, .unit = 1, .name = text, .clause = text, .object = input, .depth = 1};
    shape.size = shape.filled = shape.most = size;
    shape.given = shape.is_told = shape.fits = true;
    if (what == SYM_GIVEN_STRING) {
        shape.kind = SHAPE_STRING;
        shape.most = shape.filled = size - 1;
        shape.limit = sym_string_limit(vm, input, size - 1);
    } else if (what == SYM_GIVEN_LIMIT && !expr_is_none(limit)) {
        shape.kind = SHAPE_COUNTED;
        shape.limit = limit;
    }
    vec_push(&s->shapes, shape);
    map_put(&s->shape_behind, input.id, s->shapes.n);
    return s->shapes.n;
}

/* Stands for an array of more elements than are tried; its name is the clause. */
static uint32_t beyond_shape(Vm *vm, const char *name, const char *clause)
{
    struct Sym *s = vm->sym;
    uint32_t of = vm_name_add(vm, name), text = vm_name_add(vm, clause);
    uint64_t key = (uint64_t)text << 32 | UINT32_MAX, known;
    if (map_get(&s->shape_of, key, &known))
        return (uint32_t)known;
    vec_push(&s->shapes,
             ((SymShape){.kind = SHAPE_ONE, .name = of, .clause = text, .given = true, .beyond = true}));
    map_put(&s->shape_of, key, s->shapes.n);
    return s->shapes.n;
}

bool sym_given_beyond(Vm *vm, const Object *o)
{
    const SymShape *s = o && o->shape ? sym_shape_at(vm, o->shape) : NULL;
    if (!s || !s->beyond)
        return false;
    if (vm->sym->options.inputs.elements_most)
        ledger_shape_given(vm->sym->ledger, vm_name_text(vm, s->name), vm_name_text(vm, s->clause));
    else /* the answer is meant for all */
        ledger_add(vm->sym->ledger, LEDGER_CONCRETE, vm_user_site(vm), "the length of an array: %s",
                   vm_name_text(vm, s->clause));
    return true;
}

static bool make(Vm *vm, Object *o, SymGiven what, Expr limit, const char *name)
{
    if (!o->size)
        return true; /* tests hold no inputs without bytes */
    if (o->size > SIZE_MOST)
        return vm_end_limit(vm, LEDGER_MEMORY, "an input of %llu bytes", (unsigned long long)o->size);
    ExprObject input = input_of(vm, o, what, limit, name);
    o->shape = shape_for(vm, input, what, limit, name);
    o->limited = !expr_is_none(sym_shape_at(vm, o->shape)->limit);
    sym_fill_input(vm, o, 0, input, sym_shape_at(vm, o->shape)->filled);
    mem_refresh(o);
    sym_input_use(vm, input, VM_INPUT_CALL, sym_input_caller(vm), (uint32_t)o->size);
    return true;
}

bool sym_prim_given(PrimCall *call)
{
    Vm *vm = call->vm;
    Object *o = mem_find(&vm->mem, call->args[0]);
    SymGiven what = (SymGiven)call->args[1];
    Str name = {0};
    bool ok = o && vm_mem_string(vm, call->args[3], &name);
    if (ok) {
        o->name = vm_name_add(vm, name_in(vm, "*", str_text(&name), ""));
        o->foreign = true;
        if (what == SYM_GIVEN_BEYOND) { /* so many are tried, and that is all there is to it */
            Str clause = {0};
            str_printf(&clause, "%s <= %llu elements", str_text(&name), (unsigned long long)call->args[2]);
            o->shape = beyond_shape(vm, str_text(&name), str_text(&clause));
            str_free(&clause);
        } else {
            ok = make(vm, o, what, call->exprs[2], str_text(&name));
        }
    }
    str_free(&name);
    return ok;
}

bool sym_prim_nullness(PrimCall *call)
{
    Vm *vm = call->vm;
    const Object *o = mem_find(&vm->mem, call->args[1]);
    const char *name = o && o->name ? vm_name_text(vm, o->name) : "pointer";
    return sym_make_input(vm, call->args[0], 1, name_in(vm, "", name + (*name == '*'), "_null"));
}
