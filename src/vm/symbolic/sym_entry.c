/* sym_entry.c - an entry other than main: a function with symbolic arguments, or a fuzz target.
 *
 * The runtime's start-up calls main after the constructors; that call is what goes to the entry instead. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

void sym_entry_find(Vm *vm)
{
    struct Sym *s = vm->sym;
    const IrProgram *program = vm->program;
    const char *name = s->options.inputs.entry;
    s->main = ir_fn_find(program, "main");
    s->entry = s->init = IR_NONE;
    s->fuzz = false;
    if (name && !strcmp(name, "main"))
        return;
    if (name) {
        s->entry = ir_fn_find(program, name);
        if (s->entry == IR_NONE || !program->fns.v[s->entry].defined)
            die("the program has no function %s", name);
    } else if (s->main == IR_NONE || !program->fns.v[s->main].defined || program->fns.v[s->main].runtime) {
        s->entry = ir_fn_find(program, "LLVMFuzzerTestOneInput");
        if (s->entry != IR_NONE && !program->fns.v[s->entry].defined)
            s->entry = IR_NONE;
    }
    s->fuzz = s->entry != IR_NONE &&
              !strcmp(ir_text(program, program->fns.v[s->entry].name), "LLVMFuzzerTestOneInput");
    uint32_t init = s->fuzz ? ir_fn_find(program, "LLVMFuzzerInitialize") : IR_NONE;
    if (init != IR_NONE && program->fns.v[init].defined)
        s->init = init;
}

bool vm_sym_redirects(const Vm *vm, uint32_t fn)
{
    return vm->sym && vm->sym->entry != IR_NONE && fn == vm->sym->main;
}

bool vm_sym_is_entry(const Vm *vm, uint32_t fn) { return vm->sym && vm->sym->entry == fn; }

/* ---- frames ---------------------------------------------------------------------------------- */

static Reg *frame_for(Vm *vm, const Code *pc, Reg *regs, uint32_t index)
{
    FnCode *fn = &vm->fns[index];
    const CallInfo *call = pc->call;
    if (!fn->prepared)
        vm_prepare(vm, fn);
    Reg *to = REG(regs, call->advance);
    uint32_t depth = FRAME(regs)->depth + 1;
    if ((char *)to + fn->need > vm->stack_end || depth > vm->options.max_frames) {
        vm_overflow(vm);
        return NULL;
    }
    *FRAME(to) = (Frame){.call = pc,
                         .caller = regs,
                         .fn = fn,
                         .serial = ++vm->frame_serial,
                         .depth = depth,
                         .flags = FRAME_ADAPT};
    return to;
}

static void go(Vm *vm, Reg *to)
{
    vm->regs = to;
    vm->pc = FRAME(to)->fn->code;
}

static void set_param(Vm *vm, Reg *to, uint32_t i, u128 value, Expr e)
{
    const FnCode *fn = FRAME(to)->fn;
    const IrFn *ir = &vm->program->fns.v[fn->index];
    if (i >= ir->nparams)
        return;
    unsigned width = ir->regs.v[i].width;
    if (!expr_is_none(e))
        e = expr_width(vm->sym->pool, e) > width ? expr_trunc(vm->sym->pool, e, width)
                                                 : expr_zext(vm->sym->pool, e, width);
    sym_reg_set(vm, REG(to, fn->slots[i]), width, value & bits_mask(width), e);
}

/* ---- fuzz targets ---------------------------------------------------------------------------- */

static Object *object_new(Vm *vm, const char *what, uint64_t size)
{
    uint64_t name = hash_mix(hash_bytes(what, strlen(what)), OBJECT_HEAP);
    Object *o = mem_new(&vm->mem, OBJECT_HEAP, name, size, 16, payload_new(&vm->mem, size));
    o->name = vm_name_add(vm, what);
    o->foreign = true;
    return o;
}

static uint64_t decide_size(Vm *vm)
{
    uint32_t most = vm->sym->options.inputs.fuzz_size;
    uint64_t n = sym_decide_length(vm, sym_length(vm, "fuzz:size", "size"), 0, most);
    ledger_add(vm->sym->ledger, LEDGER_FUZZ, vm->program->fns.v[vm->sym->entry].site, " at %u byte%s", most,
               most == 1 ? "" : "s");
    return n;
}

static void enter_fuzz(Vm *vm, Reg *to)
{
    uint64_t n = decide_size(vm);
    VmLabel why = vm->lab ? label_made(vm) : LABEL_NONE;
    uint32_t most = vm->sym->options.inputs.fuzz_size;
    Object *o = object_new(vm, "data", n);
    if (most) {
        ExprObject input = expr_object(vm->sym->pool, "fuzz:data", "data", most, (ExprCType){EXPR_C_CHAR, 1});
        sym_input_use(vm, input, VM_INPUT_FUZZ, NULL, (uint32_t)n);
        sym_fill_input(vm, o, 0, input, (uint32_t)n);
    }
    set_param(vm, to, 0, o->base, EXPR_NONE);
    set_param(vm, to, 1, n, EXPR_NONE);
    if (vm->lab && vm->program->fns.v[FRAME(to)->fn->index].nparams > 1) {
        label_reg_add(vm, REG(to, FRAME(to)->fn->slots[1]), why);
        label_state_set(vm, o, why);
    }
}

static bool enter_init(Vm *vm, const Code *pc, Reg *regs)
{
    struct Sym *s = vm->sym;
    s->main_pc = pc;
    s->glue[0] = s->glue[1] = *pc; /* returns to the second, which calls again */
    s->glue[1].go = vm->labels[CODE_CALL_SLOW];
    Reg *to = frame_for(vm, &s->glue[0], regs, s->init);
    if (!to)
        return false;
    Object *o = object_new(vm, "fuzz arguments", 16);
    int32_t argc = vm->environment->argc;
    memcpy(o->data, &argc, sizeof argc);
    memcpy(o->data + 8, &vm->argv, 8);
    set_param(vm, to, 0, o->base, EXPR_NONE);
    set_param(vm, to, 1, o->base + 8, EXPR_NONE);
    go(vm, to);
    return true;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* The input that is an argument of the C function; `number`: which of its arguments. */
static ExprObject argument_input(Vm *vm, const IrFn *ir, uint32_t param, uint32_t number, uint32_t size,
                                 bool scalar)
{
    char name[128], key[160];
    if (ir->regs.v[param].name)
        snprintf(name, sizeof name, "%.100s", ir_text(vm->program, ir->regs.v[param].name));
    else
        snprintf(name, sizeof name, "arg%u", number);
    snprintf(key, sizeof key, "param:%u:%s", param, name);
    ExprCType type = scalar ? (ExprCType){EXPR_C_INT, 0} : (ExprCType){EXPR_C_CHAR, 1};
    ExprObject input = expr_object(vm->sym->pool, key, name, size, type);
    sym_describe(vm, input, number + 1 < ir->ctypes.n ? ir->ctypes.v[number + 1] : 0);
    sym_input_use(vm, input, VM_INPUT_PARAMETER, NULL, size);
    return input;
}

/* A structure that is passed or returned in memory: an object of its own, to which no other pointer points.
 */
static bool enter_structure(Vm *vm, Reg *to, uint32_t i, IrParam param, uint32_t number)
{
    const IrFn *ir = &vm->program->fns.v[FRAME(to)->fn->index];
    if (!mem_fits(&vm->mem, param.size))
        return vm_end_limit(vm, LEDGER_MEMORY, " for a structure of %u bytes", param.size);
    const char *name = ir->regs.v[i].name ? ir_text(vm->program, ir->regs.v[i].name) : "structure";
    Object *o = object_new(vm, name, param.size);
    if (param.kind == IR_PARAM_BYVAL)
        sym_fill_input(vm, o, 0, argument_input(vm, ir, i, number, param.size, false), param.size);
    else if (vm->mem.undef)
        mem_undef_set(&vm->mem, o, 0, param.size);
    set_param(vm, to, i, o->base, EXPR_NONE);
    return true;
}

static void enter_argument(Vm *vm, Reg *to, uint32_t first, uint32_t n, uint32_t number)
{
    const IrFn *ir = &vm->program->fns.v[FRAME(to)->fn->index];
    ExprPool *p = vm->sym->pool;
    IrParam whole = ir_param(ir, first);
    unsigned bytes = (ir->regs.v[first].width + 7u) / 8;
    bool part = whole.kind == IR_PARAM_PART;
    ExprObject input = argument_input(vm, ir, first, number, part ? whole.size : bytes, n == 1);
    for (uint32_t i = first; i < first + n; i++) {
        Expr e =
            expr_object_word(p, input, part ? ir_param(ir, i).offset : 0, (ir->regs.v[i].width + 7u) / 8);
        set_param(vm, to, i, sym_eval(vm, e), e);
    }
}

const IrDriveParam *sym_drive_param(const Vm *vm, uint32_t reg)
{
    const IrDrive *d = vm->program->drive;
    return d && vm->sym->entry == d->fn ? &d->params.v[reg] : NULL;
}

/* Of a driver, the bound and parameters of calls beyond it are no inputs: the choice before them is "none".
 */
static bool is_withheld(const Vm *vm, uint32_t reg)
{
    const IrDriveParam *d = sym_drive_param(vm, reg);
    return d && (d->is_bound || (d->slot != IR_NONE && d->slot >= vm->sym->options.inputs.calls_most));
}

static bool enter_function(Vm *vm, Reg *to)
{
    const IrFn *ir = &vm->program->fns.v[FRAME(to)->fn->index];
    uint32_t number = 0;
    vm->sym->first_param = vm->sym->trace->inputs.n;
    for (uint32_t i = 0, n; i < ir->nparams; i += n) {
        IrParam param = ir_param(ir, i);
        n = ir_param_parts(ir, i);
        if (is_withheld(vm, i)) {
            for (uint32_t k = i; k < i + n; k++)
                set_param(vm, to, k,
                          sym_drive_param(vm, k)->is_bound ? vm->sym->options.inputs.elements_most : 0,
                          EXPR_NONE);
        } else if (param.kind == IR_PARAM_BYVAL || param.kind == IR_PARAM_SRET) {
            if (!enter_structure(vm, to, i, param, number))
                return false;
        } else {
            enter_argument(vm, to, i, n, number);
        }
        number += param.kind != IR_PARAM_SRET;
    }
    return true;
}

uint32_t sym_entry_register(const Vm *vm, uint32_t input)
{
    const IrFn *ir = &vm->program->fns.v[vm->sym->entry];
    uint32_t at = vm->sym->first_param;
    for (uint32_t i = 0; i < ir->nparams; i += ir_param_parts(ir, i)) {
        IrParamKind kind = ir_param(ir, i).kind;
        if (at == input && kind == IR_PARAM_PLAIN && !is_withheld(vm, i))
            return i;
        at += kind != IR_PARAM_SRET && !is_withheld(vm, i);
    }
    return IR_NONE;
}

/* The run goes on only where this holds. */
static bool assume(Vm *vm, Expr condition)
{
    Expr other = expr_not(vm->sym->pool, condition);
    bool holds = expr_eval_true(vm->sym->eval, condition);
    if (!holds)
        sym_add_alternative(vm, (VmAlternative){.condition = condition, .fn = IR_NONE, .block = IR_NONE});
    sym_decide(vm, VM_DECISION_ASSUME, holds ? condition : other, IR_NONE);
    return holds || vm_end(vm, VM_END_ASSUMPTION);
}

/* What attributes say of the entry's pointers is not for callers to need: it is assumed. */
static bool assume_nonnull(Vm *vm, Reg *to)
{
    const FnCode *fn = FRAME(to)->fn;
    const IrFn *ir = &vm->program->fns.v[fn->index];
    ExprPool *p = vm->sym->pool;
    for (uint32_t i = 0; sym_shape_typed(vm) && i < ir->nparams; i++) {
        if (!ir_param(ir, i).nonnull || !ir->regs.v[i].name || is_withheld(vm, i))
            continue;
        Expr word = sym_reg(vm, to, i);
        if (expr_is_none(word))
            continue;
        Str text = {0};
        str_printf(&text, "%s != NULL", ir_text(vm->program, ir->regs.v[i].name));
        ledger_shape(vm->sym->ledger, str_text(&text), str_text(&text), false);
        str_free(&text);
        if (!assume(vm, expr_not(p, expr_eq(p, word, expr_const(p, 64, 0)))))
            return false;
    }
    return true;
}

/* Rows and columns are no more than are tried, whether or not the array is used: one of no columns has any
 * number of rows otherwise. */
static bool assume_areas(Vm *vm)
{
    const VmTrace *t = vm->sym->trace;
    for (uint32_t i = vm->sym->first_param; sym_shape_typed(vm) && i < t->inputs.n; i++) {
        uint32_t shape = sym_shape_of_area(vm, i);
        if (!shape)
            continue;
        sym_shape_assumed(vm, shape);
        if (!assume(vm, sym_shape_at(vm, shape)->tame))
            return false;
    }
    return true;
}

/* ---- handles --------------------------------------------------------------------------------- */

/* Of what makes handles: lengths are at most the bound, as they are in the driver. */
static void lengths_assumed(Vm *vm, const IrDrive *d)
{
    const IrFn *fn = d && vm->sym->entry == d->fn ? &vm->program->fns.v[d->fn] : NULL;
    uint32_t number = 0;
    for (uint32_t i = 0, n; fn && i < d->params.n; i += n) {
        n = ir_param_parts(fn, i);
        uint32_t type = number + 1 < fn->ctypes.n ? fn->ctypes.v[number + 1] : 0;
        number += ir_param(fn, i).kind != IR_PARAM_SRET;
        if (!d->params.v[i].is_length || d->params.v[i].is_counted || is_withheld(vm, i))
            continue;
        bool is_signed = type && vm->program->ctypes.v[type].kind == IR_C_INT;
        const char *name = ir_text(vm->program, fn->regs.v[i].name);
        Str text = {0};
        str_printf(&text, "%s%.*s <= %u", is_signed ? "0 <= " : "", (int)strcspn(name, "#"), name,
                   vm->sym->options.inputs.elements_most);
        ledger_shape(vm->sym->ledger, str_text(&text), str_text(&text), true);
        str_free(&text);
    }
}

void sym_handles_assumed(Vm *vm)
{
    const IrDrive *d = vm->program->drive;
    for (uint32_t i = 0; d && vm->sym->entry == d->fn && i < d->handles.n; i++) {
        const IrHandle *h = &d->handles.v[i];
        uint32_t calls =
            vm->sym->options.inputs.calls_most < d->calls ? vm->sym->options.inputs.calls_most : d->calls;
        Str text = {0};
        ir_drive_text(h, calls, &text);
        ledger_shape(vm->sym->ledger, h->name, str_text(&text), h->mutators.n && calls < d->calls);
        str_free(&text);
    }
    lengths_assumed(vm, d);
}

/* ---- globals --------------------------------------------------------------------------------- */

/* libc's variables are inputs only by name. */
static bool is_freed(const VmInputs *in, const IrGlobal *g, const char *name)
{
    for (uint32_t i = 0; i < in->globals.n; i++)
        if (!strcmp(in->globals.v[i], name))
            return true;
    return in->all_globals && !g->runtime;
}

/* "count, last at their initial values". */
static void state_text(Vm *vm, Str *out)
{
    enum { NAMED = 3 };
    BitSet state = {0};
    uint32_t n = 0;
    ir_fn_state(vm->program, vm->sym->entry, &state);
    for (uint32_t i = 0; i < vm->program->globals.n; i++) {
        const char *name = ir_text(vm->program, vm->program->globals.v[i].name);
        if (!bitset_has(&state, i) || is_freed(&vm->sym->options.inputs, &vm->program->globals.v[i], name))
            continue;
        if (n < NAMED)
            str_printf(out, "%s%s", n ? ", " : "", name);
        n++;
    }
    if (n > NAMED)
        str_printf(out, " and %u more", n - NAMED);
    if (n)
        str_printf(out, " at %s initial value%s", n == 1 ? "its" : "their", n == 1 ? "" : "s");
    bitset_free(&state);
}

/* Calls before this one may have left other values. */
static void state_assumed(Vm *vm)
{
    struct Sym *s = vm->sym;
    if (!sym_shape_typed(vm))
        return;
    if (!s->state) {
        Str text = {0};
        state_text(vm, &text);
        s->state = vm_name_text(vm, vm_name_add(vm, str_text(&text)));
        str_free(&text);
    }
    if (*s->state)
        ledger_shape_state(s->ledger, "", s->state);
    if (vm->program->fns.v[s->entry].variadic)
        ledger_shape_state(s->ledger, "...", "no arguments for '...'");
}

void sym_globals(Vm *vm)
{
    const VmInputs *in = &vm->sym->options.inputs;
    for (uint32_t i = 0; (in->all_globals || in->globals.n) && i < vm->program->globals.n; i++) {
        const IrGlobal *g = &vm->program->globals.v[i];
        const char *name = ir_text(vm->program, g->name);
        Object *o = &vm->globals[i];
        char key[192];
        if (!g->defined || g->constant || !g->size || !is_freed(in, g, name))
            continue;
        if (g->size > 1 << 20) {
            ledger_add(vm->sym->ledger, LEDGER_CONCRETE, g->site, "the large global %s", name);
            continue;
        }
        snprintf(key, sizeof key, "global:%.160s", name);
        ExprCType type = g->size <= 8 ? (ExprCType){EXPR_C_INT, 0} : (ExprCType){EXPR_C_CHAR, 1};
        ExprObject input = expr_object(vm->sym->pool, key, name, (uint32_t)g->size, type);
        sym_describe(vm, input, g->ctype);
        sym_input_use(vm, input, VM_INPUT_GLOBAL, NULL, (uint32_t)g->size);
        mem_unshare(&vm->mem, o);
        sym_fill_input(vm, o, 0, input, (uint32_t)g->size);
    }
}

/* ---- the call of main ------------------------------------------------------------------------- */

bool vm_sym_enter(Vm *vm, const Code *pc, Reg *regs)
{
    struct Sym *s = vm->sym;
    bool again = pc == &s->glue[1];
    if (s->init != IR_NONE && !again)
        return enter_init(vm, pc, regs);
    Reg *to = frame_for(vm, again ? s->main_pc : pc, regs, s->entry);
    if (!to)
        return false;
    s->busy++;
    sym_globals(vm);
    bool ok = true;
    if (s->fuzz)
        enter_fuzz(vm, to);
    else
        ok = enter_function(vm, to);
    if (ok && !s->fuzz) {
        sym_handles_assumed(vm);
        state_assumed(vm);
        ok = assume_nonnull(vm, to) && assume_areas(vm);
    }
    s->busy--;
    if (ok)
        go(vm, to);
    return ok;
}
