/* sym_access.c - loads and stores through symbolic addresses.
 *
 * First the object: where the address comes from tells which one is meant (the pointer that the instruction's
 * address is computed from, an address among the terms of a sum, the leaves of an ite). Leaving it is a fault
 * even where the address happens to hit another object. Only an address that says nothing is looked up among
 * all objects. Then the offset, which stays symbolic: a few places become an ite over them, many an array. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

enum {
    NULL_PAGE = 4096,
    TERMS_MOST = 32,
    LEAVES_MOST = 256,
    PLACES_MOST = 64,
    BYTES_MOST = 512,
    ARRAY_MOST = 1 << 16,
    TABLE_MOST =
        1 << 20, /* bytes of one whose contents are known: tables of Unicode's properties have 200,000 */
    DEPTH_MOST = 256
};

/* ---- what an address is made of -------------------------------------------------------------- */

typedef struct Sum {
    uint64_t constant;
    Expr terms[TERMS_MOST]; /* not constant on this path */
    uint32_t n;
    bool whole; /* false: more terms than fit */
} Sum;

static Sum sum_of(Vm *vm, Expr e)
{
    const ExprPool *p = vm->sym->pool;
    Sum s = {.whole = true};
    for (;;) {
        Expr term = expr_op(p, e) == EXPR_ADD ? expr_child(p, e, 1) : e, known = sym_resolved(vm, term);
        if (expr_is_const(p, known))
            s.constant += (uint64_t)expr_const_value(p, known);
        else if (s.n < TERMS_MOST)
            s.terms[s.n++] = term;
        else
            s.whole = false;
        if (expr_op(p, e) != EXPR_ADD)
            return s;
        e = expr_child(p, e, 0);
    }
}

static bool usable(const Object *o) { return o && o->death == DEATH_NONE && o->payload; }

/* The register that the address of a load or store is computed from. */
static uint32_t root_of(Vm *vm, const IrInsn *insn)
{
    const IrFn *ir = &vm->program->fns.v[FRAME(vm->regs)->fn->index];
    uint32_t reg = insn->a;
    for (const IrInsn *def = ir_reg_def(ir, reg); def && (def->op == IR_OFFSET || def->op == IR_INDEX);
         def = ir_reg_def(ir, reg))
        reg = def->a;
    return reg;
}

uint32_t sym_root(Vm *vm)
{
    const IrInsn *insn = vm_insn(vm, vm->pc, vm->regs);
    return insn && (insn->op == IR_LOAD || insn->op == IR_STORE) ? root_of(vm, insn) : IR_NONE;
}

/* The address that the instruction's pointer stood at before anything was added, if that is known: 0 if
 * not. */
static uint64_t origin(Vm *vm)
{
    uint32_t reg = sym_root(vm);
    if (reg == IR_NONE)
        return 0;
    const FnCode *fn = FRAME(vm->regs)->fn;
    const IrFn *ir = &vm->program->fns.v[fn->index];
    if (!ir_reg_const_of(ir, reg) && fn->slots[reg] == IR_NONE)
        return 0;
    Expr known = sym_resolved(vm, sym_reg(vm, vm->regs, reg));
    return expr_is_const(vm->sym->pool, known) ? (uint64_t)expr_const_value(vm->sym->pool, known) : 0;
}

/* ---- which object ---------------------------------------------------------------------------- */

static Expr offset_in(Vm *vm, Expr address, const Object *o)
{
    ExprPool *p = vm->sym->pool;
    return expr_sub(p, address, expr_const(p, 64, o->base));
}

static Expr inside_payload(Vm *vm, Expr address, const Object *o, uint64_t n)
{
    ExprPool *p = vm->sym->pool;
    Expr offset = offset_in(vm, address, o);
    uint64_t limit = o->size - n + 1;
    if (n > o->size)
        return EXPR_FALSE;
    /* index * scale < limit, where it cannot wrap, is a condition on the index alone */
    if (expr_op(p, offset) == EXPR_MUL && expr_is_const(p, expr_child(p, offset, 1))) {
        Expr index = expr_child(p, offset, 0);
        uint64_t scale = (uint64_t)expr_const_value(p, expr_child(p, offset, 1));
        bool extended = expr_op(p, index) == EXPR_ZEXT || expr_op(p, index) == EXPR_SEXT;
        if (extended && expr_width(p, expr_child(p, index, 0)) <= 32 && scale && scale < (uint64_t)1 << 30)
            return expr_ult(p, index, expr_const(p, 64, (limit + scale - 1) / scale));
    }
    return expr_ult(p, offset, expr_const(p, 64, limit));
}

static Expr inside(Vm *vm, Expr address, const Object *o, uint64_t n)
{
    Expr in = inside_payload(vm, address, o, n);
    return o->limited ? expr_and(vm->sym->pool, in, sym_limit_inside(vm, o, offset_in(vm, address, o), n))
                      : in;
}

/* The same of the word that the address is in this run. */
static bool holds_word(const Vm *vm, const Object *o, uint64_t word, uint64_t n)
{
    uint64_t size = vm_sym_size(vm, o);
    return n <= size && word - o->base <= size - n;
}

static VmAlternative to_fault(Expr condition, VmFaultKind kind)
{
    return (VmAlternative){
        .condition = condition, .is_fault = true, .fault = kind, .fn = IR_NONE, .block = IR_NONE};
}

static VmAlternative to_object(Expr condition)
{
    return (VmAlternative){.condition = condition, .fn = IR_NONE, .block = IR_NONE};
}

typedef struct Candidates {
    Object *v[LEAVES_MOST];
    uint32_t n;
} Candidates;

static void candidate(Vm *vm, Candidates *c, uint64_t address)
{
    Object *o = mem_find(&vm->mem, address);
    if (!usable(o) || c->n == LEAVES_MOST)
        return;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->v[i] == o)
            return;
    c->v[c->n++] = o;
}

/* Objects among the leaves of the terms; false if no term is made of constants only. */
static bool leaf_candidates(Vm *vm, const Sum *sum, Candidates *c)
{
    bool found = false;
    for (uint32_t i = 0; i < sum->n; i++) {
        u128 leaves[LEAVES_MOST];
        uint32_t n = 0;
        if (expr_op(vm->sym->pool, sum->terms[i]) != EXPR_ITE)
            continue;
        bool complete = sym_leaves(vm->sym->pool, sum->terms[i], leaves, &n, LEAVES_MOST);
        for (uint32_t k = 0; k < n; k++)
            candidate(vm, c, sum->constant + (uint64_t)leaves[k]);
        found |= complete && c->n;
    }
    return found;
}

/* Objects of the user's program that live: all of them if they are few. */
static bool all_candidates(Vm *vm, Candidates *c, uint32_t most, bool write)
{
    bool complete = true;
    for (uint32_t i = 0; i < vm->mem.ncells; i++) {
        Object *o = vm->mem.cells[i].slot ? vm->mem.cells[i].object : NULL;
        bool runtime = o && o->kind == OBJECT_GLOBAL &&
                       (o->index == IR_NONE || vm->program->globals.v[o->index].runtime);
        if (!usable(o) || runtime || (write && o->constant))
            continue;
        uint32_t at = c->n < most ? c->n++ : most;
        complete &= at < most;
        for (; at > 0 && c->v[at - 1]->base > o->base;
             at--) /* the lowest addresses, whatever the order of cells */
            if (at < most)
                c->v[at] = c->v[at - 1];
        if (at < most)
            c->v[at] = o;
    }
    return complete;
}

/* Decides among candidates, null, and all the rest. The object, or NULL: it is none of them. */
static Object *choose(Vm *vm, Expr address, uint64_t word, uint64_t n, bool write, const Candidates *c,
                      bool residual)
{
    ExprPool *p = vm->sym->pool;
    Expr null = expr_ult(p, address, expr_const(p, 64, NULL_PAGE)), rest = expr_not(p, null),
         holds = EXPR_NONE;
    Object *chosen = NULL;
    for (uint32_t i = 0; i < c->n; i++) {
        Object *o = c->v[i];
        Expr in = inside(vm, address, o, n);
        rest = expr_and(p, rest, expr_not(p, in));
        if (holds_word(vm, o, word, n)) {
            chosen = o;
            holds = in;
        } else {
            sym_add_alternative(vm, write && o->constant ? to_fault(in, VM_FAULT_READ_ONLY) : to_object(in));
        }
    }
    if (!chosen && word < NULL_PAGE)
        holds = null;
    else
        sym_add_alternative(vm, to_fault(null, VM_FAULT_NULL_DEREF));
    VmAlternative beyond = to_fault(rest, write ? VM_FAULT_OOB_WRITE : VM_FAULT_OOB_READ);
    beyond.residual = residual;
    if (!chosen && word >= NULL_PAGE)
        holds = rest;
    else
        sym_add_alternative(vm, beyond);
    sym_decide(vm, VM_DECISION_POINTER, holds, IR_NONE);
    return chosen;
}

/* An address that says nothing about where it points: any object. */
static Object *anywhere(Vm *vm, Expr address, uint64_t word, uint64_t n, bool write)
{
    uint32_t most = vm->sym->options.pointer_candidates;
    Candidates c = {.n = 0};
    Object *hit = mem_find(&vm->mem, word);
    if (!most)
        most = 16;
    else if (most >= LEAVES_MOST)
        most = LEAVES_MOST - 1;
    bool complete = all_candidates(vm, &c, most, write), listed = false;
    for (uint32_t i = 0; i < c.n; i++)
        listed |= c.v[i] == hit;
    if (usable(hit) && !listed && holds_word(vm, hit, word, n))
        c.v[c.n++] = hit;
    if (!complete)
        ledger_add(vm->sym->ledger, LEDGER_POINTER, vm_user_site(vm), "%u objects", c.n);
    return choose(vm, address, word, n, write, &c, true);
}

/* The one object that the address is meant for. */
static bool within(Vm *vm, Expr address, uint64_t word, uint64_t n, bool write, Object *o)
{
    ExprPool *p = vm->sym->pool;
    if (sym_check(vm, expr_not(p, inside(vm, address, o, n)),
                  write ? VM_FAULT_OOB_WRITE : VM_FAULT_OOB_READ) ||
        (write && o->constant) || n > o->size)
        return vm_end_access_to(vm, o, word, n, write);
    return true;
}

/* A constant that is added to a choice among addresses goes into them. */
static bool is_moved_choice(const ExprPool *p, Expr from, Expr to)
{
    return expr_op(p, from) == EXPR_ITE && expr_op(p, to) == EXPR_ITE &&
           expr_child(p, from, 0).id == expr_child(p, to, 0).id;
}

/* What the term was before anything was added, if it is part of the instruction's pointer; EXPR_NONE: it is
 * not. Where that cannot be told it is. */
static Expr root_term(Vm *vm, Expr term)
{
    uint32_t reg = sym_root(vm);
    const FnCode *fn = FRAME(vm->regs)->fn;
    if (reg == IR_NONE ||
        (!ir_reg_const_of(&vm->program->fns.v[fn->index], reg) && fn->slots[reg] == IR_NONE))
        return term;
    Sum root = sum_of(vm, sym_reg(vm, vm->regs, reg));
    Expr found = EXPR_NONE;
    for (uint32_t i = 0; i < root.n; i++)
        if (root.terms[i].id == term.id || is_moved_choice(vm->sym->pool, root.terms[i], term))
            found = root.terms[i];
    return found;
}

bool sym_pointers(Vm *vm, Expr address, uint64_t n)
{
    sym_instant(vm);
    Sum sum = sum_of(vm, address);
    bool done = false, ok = true, based = sum.n > 1 || mem_find(&vm->mem, sum.constant);
    for (uint32_t i = 0; ok && !done && i < sum.n; i++) {
        Expr term = root_term(vm, sum.terms[i]);
        bool added = based && sym_lazy_is_number(vm, sum.terms[i]);
        if (!expr_is_none(term) && !added)
            ok = sym_lazy(vm, term, sum.constant, n, &done);
    }
    return ok;
}

bool sym_is_settled(Vm *vm, Expr address) { return sum_of(vm, address).n == 0; }

bool sym_passed(Vm *vm, Expr address)
{
    sym_instant(vm);
    Sum sum = sum_of(vm, address);
    bool ok = true;
    for (uint32_t i = 0; ok && i < sum.n; i++)
        ok = sym_lazy_passed(vm, sum.terms[i]);
    return ok;
}

/* A choice among pointers that is known to be NULL: whatever is added to it leads nowhere. */
static bool is_null_choice(Vm *vm)
{
    uint32_t reg = sym_root(vm);
    const FnCode *fn = FRAME(vm->regs)->fn;
    if (reg == IR_NONE ||
        (!ir_reg_const_of(&vm->program->fns.v[fn->index], reg) && fn->slots[reg] == IR_NONE))
        return false;
    Expr e = sym_reg(vm, vm->regs, reg);
    return expr_op(vm->sym->pool, e) == EXPR_ITE && expr_is_value(vm->sym->pool, sym_resolved(vm, e), 0);
}

bool sym_resolve(Vm *vm, Expr address, uint64_t word, uint64_t n, bool write, Object **object)
{
    if (!sym_pointers(vm, address, n))
        return false;
    if (is_null_choice(vm)) {
        *object = NULL;
        return vm_end_access(vm, word, n, write);
    }
    Sum sum = sum_of(vm, address);
    uint64_t from = origin(vm);
    Candidates c = {.n = 0};
    Object *o = from ? mem_find(&vm->mem, from) : NULL;
    if (sum.n == 0) {
        o = mem_find(&vm->mem, word);
        *object = o;
        if (!usable(o) || n > o->size || word - o->base > o->size - n || (write && o->constant) ||
            (o->limited && !vm_sym_within(vm, o, word - o->base, n, write)))
            return vm_end_access(vm, word, n, write);
        return true;
    }
    if (!o && !from)
        o = mem_find(&vm->mem, sum.constant);
    *object = o;
    if (from && !usable(o)) /* null, freed or no object at all: a fault whatever is added */
        return vm_end_access(vm, word, n, write);
    if (usable(o))
        return within(vm, address, word, n, write, o);
    *object = sum.whole && leaf_candidates(vm, &sum, &c) ? choose(vm, address, word, n, write, &c, false)
                                                         : anywhere(vm, address, word, n, write);
    if (!*object || (write && (*object)->constant))
        return vm_end_access(vm, word, n, write);
    return true;
}

/* ---- which places ---------------------------------------------------------------------------- */

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

static uint64_t power_part(uint64_t n) { return n & -n; }

/* A number that divides the term's value, which may be taken as signed; 0 divides only 0. Other factors than
 * powers of two count only where the product cannot wrap. */
static uint64_t divisor(const ExprPool *p, Expr e, unsigned depth)
{
    if (depth > 8)
        return 1;
    switch (expr_op(p, e)) {
    case EXPR_CONST: {
        int64_t k = (int64_t)expr_const_value(p, e);
        return (uint64_t)(k < 0 ? -k : k);
    }
    case EXPR_NEG: return divisor(p, expr_child(p, e, 0), depth + 1);
    case EXPR_ITE:
        return gcd(divisor(p, expr_child(p, e, 1), depth + 1), divisor(p, expr_child(p, e, 2), depth + 1));
    case EXPR_MUL: {
        Expr x = expr_child(p, e, 0), k = expr_child(p, e, 1);
        if (!expr_is_const(p, k))
            return 1;
        uint64_t factor = (uint64_t)expr_const_value(p, k);
        bool extended = expr_op(p, x) == EXPR_ZEXT || expr_op(p, x) == EXPR_SEXT;
        bool bounded = extended && expr_width(p, expr_child(p, x, 0)) <= 32 && factor < (uint64_t)1 << 30;
        return bounded ? factor : power_part(factor);
    }
    case EXPR_CONCAT: {
        Expr low = expr_child(p, e, 1);
        unsigned width = expr_width(p, low);
        return width < 63 && expr_is_value(p, low, 0) ? (uint64_t)1 << width : 1;
    }
    default: return 1;
    }
}

/* Offsets that an access can have: first, first + step, ... up to the last that fits. */
typedef struct Places {
    uint64_t first, step, n;
} Places;

static Places places_of(Vm *vm, Expr offset, uint64_t size, unsigned n)
{
    Sum sum = sum_of(vm, offset);
    uint64_t step = 0;
    bool single = sum.n == 1;
    for (uint32_t i = 0; i < sum.n; i++) {
        uint64_t d = divisor(vm->sym->pool, sum.terms[i], 0);
        step = gcd(step, single ? d : power_part(d));
    }
    if (!sum.whole || step == 0 || step > (uint64_t)1 << 31)
        step = 1;
    /* (an offset below 0 is out of bounds, so the signed constant's residue is taken) */
    int64_t residue = (int64_t)sum.constant % (int64_t)step;
    Places places = {(uint64_t)(residue < 0 ? residue + (int64_t)step : residue), step, 0};
    if (n <= size && places.first <= size - n)
        places.n = (size - n - places.first) / step + 1;
    return places;
}

static Expr is_at(Vm *vm, Expr offset, uint64_t at)
{
    ExprPool *p = vm->sym->pool;
    return expr_eq(p, offset, expr_const(p, 64, at));
}

static Expr word_or_const(Vm *vm, const Object *o, uint64_t at, unsigned n)
{
    Expr e = o->sym ? sym_word(vm, o, at, n) : EXPR_NONE;
    u128 value = 0;
    if (!expr_is_none(e))
        return e;
    memcpy(&value, o->data + at, n);
    return expr_const(vm->sym->pool, 8 * n, value);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static ExprArray list_of(Vm *vm, const Object *o)
{
    ExprPool *p = vm->sym->pool;
    if (!o->sym)
        return expr_array_const(p, o->data, (uint32_t)o->size);
    Expr *bytes = mem_alloc(o->size * sizeof *bytes);
    for (uint64_t i = 0; i < o->size; i++)
        bytes[i] = sym_byte_or_const(vm, o, i);
    ExprArray array = expr_array_list(p, bytes, (uint32_t)o->size);
    mem_free(bytes);
    return array;
}

/* What was stored at known places since the array was made joins it. */
static ExprArray with_cells(Vm *vm, const Object *o)
{
    ExprPool *p = vm->sym->pool;
    ExprArray array = o->sym->array;
    if (o->sym->count > o->size / 4 + 8)
        return list_of(vm, o);
    for (uint64_t i = 0; i < o->size; i++)
        if (sym_cell(o, i))
            array = expr_array_store(p, array, expr_const(p, 64, i), sym_byte_or_const(vm, o, i));
    return array;
}

/* The object's contents as an array, which it is from then on (constant ones stay bytes). */
static ExprArray array_of(Vm *vm, Object *o)
{
    uint64_t known;
    if (!o->sym && o->constant) {
        if (map_get(&vm->sym->tables, o->base, &known))
            return (ExprArray){(uint32_t)known};
        ExprArray table = list_of(vm, o);
        map_put(&vm->sym->tables, o->base, table.id);
        return table;
    }
    if (o->sym && o->sym->array.id && !o->sym->count)
        return o->sym->array;
    ExprArray array = o->sym && o->sym->array.id ? with_cells(vm, o) : list_of(vm, o);
    sym_become(o, array);
    return array;
}

/* ---- loads ----------------------------------------------------------------------------------- */

static Expr load_places(Vm *vm, const Object *o, Expr offset, unsigned n, Places places)
{
    Expr e = word_or_const(vm, o, places.first + (places.n - 1) * places.step, n);
    for (uint64_t k = places.n - 1; k-- > 0;) {
        uint64_t at = places.first + k * places.step;
        e = expr_ite(vm->sym->pool, is_at(vm, offset, at), word_or_const(vm, o, at, n), e);
    }
    return e;
}

static Expr load_array(Vm *vm, Object *o, Expr offset, unsigned n)
{
    ExprPool *p = vm->sym->pool;
    ExprArray array = array_of(vm, o);
    Expr bytes[16];
    for (unsigned i = 0; i < n; i++)
        bytes[i] = expr_array_select(p, array, expr_add(p, offset, expr_const(p, 64, i)));
    return expr_concat_bytes(p, bytes, n);
}

/* The one place that the offset can be on this path, as far as that shows. */
static bool offset_is_known(Vm *vm, Expr offset, const Object *o, uint64_t n)
{
    u128 leaves[LEAVES_MOST];
    uint32_t count = 0, in = 0;
    ExprPool *p = vm->sym->pool;
    Sum sum = sum_of(vm, offset);
    if (sum.n == 0)
        return true;
    if (sum.n > 1 || !sym_leaves(p, sum.terms[0], leaves, &count, LEAVES_MOST))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t at = sum.constant + (uint64_t)leaves[i];
        in += n <= o->size && at <= o->size - n;
    }
    return in == 1;
}

/* A choice among objects depends on this one being there. */
static void label_found(Vm *vm, Object *o)
{
    if (vm->lab && label_made(vm).id)
        label_own(vm, label_state(vm, o));
    if (UNLIKELY(o->watched))
        label_access(vm, o);
}

bool sym_load(Vm *vm, Expr address, uint64_t word, unsigned width, Reg *out)
{
    Object *o;
    unsigned n = (width + 7) / 8;
    if (!sym_resolve(vm, address, word, n, false, &o))
        return false;
    label_found(vm, o);
    if (vm->lab)
        label_follow_other(vm);
    uint64_t at = word - o->base;
    Expr offset = offset_in(vm, address, o), e;
    Places places = places_of(vm, offset, o->size, n);
    uint64_t most = n == 8 ? LEAVES_MOST : PLACES_MOST;
    bool plain = offset_is_known(vm, offset, o, n);
    bool large = o->size > (o->sym ? ARRAY_MOST : TABLE_MOST);
    if (!plain && (o->undef || !places.n || (places.n > most && large))) {
        sym_concretise(vm, offset, NULL);
        plain = true;
    }
    if (plain) {
        vm_sym_get(vm, o, at, width, out);
        if (vm->lab)
            label_loaded(vm, out, label_get(vm, o, at, n));
        return true;
    }
    e = places.n <= most ? load_places(vm, o, offset, n, places) : load_array(vm, o, offset, n);
    u128 value = 0;
    memcpy(&value, o->data + at, n);
    sym_reg_set(vm, out, width, value & bits_mask(width), expr_trunc(vm->sym->pool, e, width));
    if (vm->lab)
        label_loaded(vm, out, label_get(vm, o, 0, o->size));
    return true;
}

/* ---- stores ---------------------------------------------------------------------------------- */

static void store_words(Vm *vm, Object *o, Expr offset, unsigned n, Places places, Expr value)
{
    for (uint64_t k = 0; k < places.n; k++) {
        uint64_t at = places.first + k * places.step;
        Expr old = word_or_const(vm, o, at, n);
        Expr e = expr_ite(vm->sym->pool, is_at(vm, offset, at), value, old);
        if (e.id != old.id)
            sym_set(vm, o, at, n, e);
    }
}

/* Places that overlap: byte by byte. */
static void store_bytes(Vm *vm, Object *o, Expr offset, unsigned n, Places places, Expr value)
{
    ExprPool *p = vm->sym->pool;
    uint64_t last = places.first + (places.n - 1) * places.step;
    Expr *fresh = mem_alloc(o->size * sizeof *fresh);
    for (uint64_t b = 0; b < o->size; b++) {
        fresh[b] = sym_byte_or_const(vm, o, b);
        for (unsigned j = 0; j < n; j++) {
            uint64_t at = b - j;
            if (b >= j && at >= places.first && at <= last && (at - places.first) % places.step == 0)
                fresh[b] = expr_ite(p, is_at(vm, offset, at), expr_extract(p, value, 8 * j, 8), fresh[b]);
        }
    }
    for (uint64_t b = 0; b < o->size; b++)
        if (expr_is_const(p, fresh[b]))
            sym_clear(vm, o, b, 1);
        else
            sym_set(vm, o, b, 1, fresh[b]);
    mem_free(fresh);
}

static void store_array(Vm *vm, Object *o, Expr offset, unsigned n, Expr value)
{
    ExprPool *p = vm->sym->pool;
    ExprArray array = array_of(vm, o);
    for (unsigned i = 0; i < n; i++)
        array = expr_array_store(p, array, expr_add(p, offset, expr_const(p, 64, i)),
                                 expr_extract(p, value, 8 * i, 8));
    sym_become(o, array);
}

static bool array_is_deep(const Vm *vm, const Object *o)
{
    return o->sym && o->sym->array.id && expr_array_depth(vm->sym->pool, o->sym->array) > DEPTH_MOST;
}

bool sym_store(Vm *vm, Expr address, uint64_t word, unsigned width, const Reg *value)
{
    Object *o;
    unsigned n = (width + 7) / 8;
    ExprPool *p = vm->sym->pool;
    if (!sym_resolve(vm, address, word, n, true, &o))
        return false;
    label_found(vm, o);
    if (o->payload->refs > 1)
        mem_unshare(&vm->mem, o);
    if (o->pointee)
        vm_sym_pointee_written(vm, o);
    uint64_t at = word - o->base;
    u128 whole = value[0].word | (width > 64 ? (u128)value[1].word << 64 : 0);
    Expr offset = offset_in(vm, address, o);
    Places places = places_of(vm, offset, o->size, n);
    bool plain = offset_is_known(vm, offset, o, n), words = places.n <= PLACES_MOST && places.step >= n;
    bool bytes = !words && places.n <= PLACES_MOST && o->size * n <= BYTES_MOST;
    if (!plain && (o->undef || value->shadow & SHADOW_UNDEF || !places.n ||
                   (!words && !bytes && (o->size > ARRAY_MOST || array_is_deep(vm, o))))) {
        sym_concretise(vm, offset, NULL);
        plain = true;
    }
    if (vm->lab)
        label_spread(vm);
    if (vm->lab && plain)
        label_stored(vm, o, at, n, value);
    else if (vm->lab)
        label_stored_somewhere(vm, o, value);
    if (plain) {
        vm_put(vm, o, at, n > 8 ? 8 : n, &value[0]);
        if (n > 8)
            vm_put(vm, o, at + 8, n - 8, &value[1]);
        vm_sym_put(vm, o, at, width, value);
        return true;
    }
    Expr e = sym_of(value->shadow);
    e = expr_is_none(e) ? expr_const(p, 8 * n, whole) : expr_zext(p, e, 8 * n);
    if (words)
        store_words(vm, o, offset, n, places, e);
    else if (bytes)
        store_bytes(vm, o, offset, n, places, e);
    else
        store_array(vm, o, offset, n, e);
    memcpy(o->data + at, &whole, n);
    return true;
}

/* ---- from the step loop ---------------------------------------------------------------------- */

bool vm_sym_load(Vm *vm, const Reg *address, int64_t by, unsigned width, Reg *out)
{
    ExprPool *p = vm->sym->pool;
    return sym_load(vm, expr_add(p, sym_of(address->shadow), expr_const(p, 64, (uint64_t)by)),
                    address->word + (uint64_t)by, width, out);
}

bool vm_sym_store(Vm *vm, const Reg *address, int64_t by, unsigned width, const Reg *value)
{
    ExprPool *p = vm->sym->pool;
    return sym_store(vm, expr_add(p, sym_of(address->shadow), expr_const(p, 64, (uint64_t)by)),
                     address->word + (uint64_t)by, width, value);
}
