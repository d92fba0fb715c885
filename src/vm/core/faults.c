/* faults.c - how a run ends: kinds, sites, stacks, and what is said about a bad access. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym.h"

enum { STACK_MOST = 256, NULL_PAGE = 4096 };

static const struct FaultInfo {
    const char *suffix, *message, *check;
    unsigned cwe;
} faults[VM_FAULT_COUNT] = {
#define FAULT(NAME, suffix_, message_, cwe_, check_) \
    [VM_FAULT_##NAME] = {.suffix = suffix_, .message = message_, .check = check_, .cwe = cwe_},
#include "vm/fault.def"
#undef FAULT
};

const char *vm_fault_suffix(VmFaultKind kind) { return faults[kind].suffix; }
const char *vm_fault_message(VmFaultKind kind) { return faults[kind].message; }
unsigned vm_fault_cwe(VmFaultKind kind) { return faults[kind].cwe; }

bool vm_check_by_word(const char *word, uint64_t *checks)
{
    bool found = false;
    for (unsigned i = 0; i < VM_FAULT_COUNT; i++) {
        bool optional = strcmp(faults[i].check, "always") != 0;
        if (optional && (!strcmp(word, "all") || !strcmp(word, faults[i].check))) {
            *checks |= (uint64_t)1 << i;
            found = true;
        }
    }
    return found;
}

/* ---- where the run is ------------------------------------------------------------------------ */

bool vm_is_runtime(const Vm *vm, const FnCode *fn)
{
    return fn->index == IR_NONE || vm->program->fns.v[fn->index].runtime;
}

/* Of the instruction, of the nearest one before it in its block that has one, or of the function. */
static uint32_t site_of(const Vm *vm, const Code *pc, const Reg *regs)
{
    const FnCode *fn = FRAME(regs)->fn;
    if (fn->index == IR_NONE)
        return IR_NONE;
    const IrFn *ir = &vm->program->fns.v[fn->index];
    const CodeSource *source = vm_source(pc, regs);
    for (uint32_t i = source && source->block != IR_NONE ? source->insn + 1 : 0; i-- > 0;)
        if (ir->blocks.v[source->block].insns.v[i].site != IR_NONE)
            return ir->blocks.v[source->block].insns.v[i].site;
    return ir->site;
}

bool vm_outside_user(const Vm *vm)
{
    for (const Reg *regs = vm->regs; regs; regs = FRAME(regs)->caller)
        if (!vm_is_runtime(vm, FRAME(regs)->fn))
            return false;
    return true;
}

uint32_t vm_user_site(const Vm *vm)
{
    const Code *pc = vm->pc;
    for (const Reg *regs = vm->regs; regs; pc = FRAME(regs)->call, regs = FRAME(regs)->caller)
        if (!vm_is_runtime(vm, FRAME(regs)->fn))
            return site_of(vm, pc, regs);
    return site_of(vm, vm->pc, vm->regs);
}

bool vm_end(Vm *vm, VmEnding ending)
{
    VmResult *r = &vm->result;
    if (vm->ended)
        return false;
    vm->ended = true;
    r->ending = ending;
    r->site = vm_user_site(vm);
    r->steps = vm->granted - (uint64_t)vm->left;
    r->peak_memory = vm->mem.peak;
    if (vm->lab && ending != VM_END_RETURN)
        sym_ending(vm, ending == VM_END_EXIT ? label_context(vm) : label_ending(vm));
    const Code *pc = vm->pc;
    for (const Reg *regs = vm->regs; regs; pc = FRAME(regs)->call, regs = FRAME(regs)->caller) {
        const FnCode *fn = FRAME(regs)->fn;
        r->steps += vm_steps_at(pc, regs);
        if (fn->index != IR_NONE && r->stack.n < STACK_MOST)
            vec_push(&r->stack, (VmFrameInfo){fn->index, site_of(vm, pc, regs)});
    }
    return false;
}

static bool end_with(Vm *vm, VmEnding ending, const char *fmt, va_list args)
{
    if (!vm->ended)
        vsnprintf(vm->result.message, sizeof vm->result.message, fmt, args);
    return vm_end(vm, ending);
}

#define END_WITH(ending, fmt)            \
    do {                                 \
        va_list args;                    \
        va_start(args, fmt);             \
        end_with(vm, ending, fmt, args); \
        va_end(args);                    \
        return false;                    \
    } while (0)

bool vm_end_unsupported(Vm *vm, const char *fmt, ...) { END_WITH(VM_END_UNSUPPORTED, fmt); }
bool vm_end_external(Vm *vm, const char *fmt, ...) { END_WITH(VM_END_EXTERNAL, fmt); }

bool vm_end_fault(Vm *vm, VmFaultKind kind, const char *fmt, ...)
{
    if (!vm->ended)
        vm->result.fault = kind;
    END_WITH(VM_END_FAULT, fmt);
}

bool vm_end_limit(Vm *vm, LedgerKind limit, const char *fmt, ...)
{
    if (!vm->ended)
        vm->result.limit = limit;
    END_WITH(VM_END_LIMIT, fmt);
}

bool vm_end_exit(Vm *vm, int status)
{
    if (!vm->ended)
        vm->result.status = status;
    return vm_end(vm, VM_END_EXIT);
}

bool vm_out_trap(Vm *vm, const Code *pc, Reg *regs)
{
    const IrInsn *insn = vm_insn(vm, pc, regs);
    switch ((IrOp)insn->op) {
    case IR_TRAP: return vm_end_fault(vm, VM_FAULT_TRAP, "%s", "");
    case IR_UNSUPPORTED: return vm_end_unsupported(vm, "%s", ir_text(vm->program, insn->a));
    default: return vm_end_fault(vm, VM_FAULT_UNREACHABLE, "%s", "");
    }
}

/* ---- what an address is ---------------------------------------------------------------------- */

/* LLVM tells the second `b` of a function from the first by a number behind it: people know it as `b`. */
static size_t plain_length(const IrProgram *p, const char *name, uint32_t site)
{
    size_t n = strlen(name);
    while (n && name[n - 1] >= '0' && name[n - 1] <= '9')
        n--;
    uint32_t fn = n && name[n] && site != IR_NONE ? ir_fn_find(p, ir_text(p, p->sites.v[site].fn)) : IR_NONE;
    for (uint32_t i = 0; fn != IR_NONE && i < p->fns.v[fn].regs.n; i++) {
        const char *other = ir_text(p, p->fns.v[fn].regs.v[i].name);
        if (!strncmp(other, name, n) && !other[n])
            return n;
    }
    return strlen(name);
}

#define OWN_NAME ((uint32_t)1 << 31)

uint32_t vm_name_add(Vm *vm, const char *text) { return *text ? intern_id(vm->names, text) | OWN_NAME : 0; }

const char *vm_name_text(const Vm *vm, uint32_t name)
{
    return name & OWN_NAME ? intern_text(vm->names, name & ~OWN_NAME) : ir_text(vm->program, name);
}

void vm_object_name(const Vm *vm, uint8_t kind, uint32_t name, uint32_t site, Str *out)
{
    const char *text = vm_name_text(vm, name);
    str_add_n(out, text, kind == OBJECT_STACK ? plain_length(vm->program, text, site) : strlen(text));
}

static void describe(const Vm *vm, uint8_t kind, uint32_t name, uint32_t site, uint64_t size, Str *out)
{
    char where[160];
    bool known = site != IR_NONE;
    if (known)
        ir_site_text(vm->program, site, where, sizeof where);
    if (name) {
        str_add_char(out, '`');
        vm_object_name(vm, kind, name, site, out);
        str_add_char(out, '`');
    } else
        str_add(out, kind == OBJECT_HEAP ? "a heap object" : kind == OBJECT_STACK ? "a local" : "an object");
    str_printf(out, " (%llu byte%s", (unsigned long long)size, size == 1 ? "" : "s");
    if (known)
        str_printf(out, ", %s %s", kind == OBJECT_HEAP ? "allocated at" : "from", where);
    str_add(out, ")");
}

void vm_describe(const Vm *vm, const Object *o, Str *out)
{
    if (o->kind == OBJECT_FN)
        str_printf(out, "function `%s`", ir_text(vm->program, vm->program->fns.v[o->index].name));
    else
        describe(vm, o->kind, o->name, o->site, vm_sym_size(vm, o), out);
}

/* The pointer that the address under way was computed from, or the address itself: a[1000] is about a. */
static uint64_t origin(const Vm *vm, uint64_t address, bool write)
{
    const IrInsn *insn = vm_insn(vm, vm->pc, vm->regs);
    bool copies = insn && (insn->op == IR_MEMCPY || insn->op == IR_MEMMOVE);
    if (!insn || (insn->op != IR_LOAD && insn->op != IR_STORE && insn->op != IR_MEMSET && !copies))
        return address;
    const FnCode *fn = FRAME(vm->regs)->fn;
    const IrFn *ir = &vm->program->fns.v[fn->index];
    uint32_t reg = copies && !write ? insn->b : insn->a;
    for (int i = 0; i < 64; i++) {
        const IrInsn *def = ir_reg_def(ir, reg);
        if (!def || (def->op != IR_OFFSET && def->op != IR_INDEX))
            break;
        reg = def->a;
    }
    if (!ir_reg_const_of(ir, reg) && fn->slots[reg] == IR_NONE)
        return address;
    return (uint64_t)vm_reg_value(vm, vm->regs, reg);
}

static bool in_null_page(uint64_t address) { return address < NULL_PAGE || address > (uint64_t)-NULL_PAGE; }

static bool end_outside(Vm *vm, const Object *o, uint64_t address, uint64_t size, bool write)
{
    Str text = {0};
    VmFaultKind kind = write ? VM_FAULT_OOB_WRITE : VM_FAULT_OOB_READ;
    int64_t offset = (int64_t)(address - o->base);
    uint64_t distance = offset < 0 ? (uint64_t)-offset : (uint64_t)offset + size - vm_sym_size(vm, o);
    if (vm->sym && (o->shape || o->name == vm->varargs_name))
        sym_need_extent(vm, o, offset < 0, write);
    vm_describe(vm, o, &text);
    vm_end_fault(vm, kind, "%llu byte%s %s %s", (unsigned long long)distance, distance == 1 ? "" : "s",
                 offset < 0 ? "before" : "past", str_text(&text));
    str_free(&text);
    return false;
}

static bool end_grave(Vm *vm, const Grave *g, uint64_t address)
{
    Str text = {0};
    VmFaultKind kind = g->death == DEATH_FREE     ? VM_FAULT_USE_AFTER_FREE
                       : g->death == DEATH_RETURN ? VM_FAULT_USE_AFTER_RETURN
                                                  : VM_FAULT_USE_AFTER_SCOPE;
    describe(vm, g->kind, g->name, g->site, g->size, &text);
    vm_end_fault(vm, kind, "offset %lld in %s", (long long)(int64_t)(address - g->base), str_text(&text));
    str_free(&text);
    return false;
}

static bool end_inside(Vm *vm, const Object *o, uint64_t address, uint64_t size, bool write)
{
    Str text = {0};
    const char *name = o->kind == OBJECT_GLOBAL && o->name ? vm_name_text(vm, o->name) : "?";
    vm_describe(vm, o, &text);
    if (o->external)
        vm_end_external(vm, "external variable %s: define it", name);
    else if (o->kind == OBJECT_FN)
        vm_end_fault(vm, write ? VM_FAULT_READ_ONLY : VM_FAULT_WILD, "%s", str_text(&text));
    else if (o->death == DEATH_SCOPE)
        vm_end_fault(vm, VM_FAULT_USE_AFTER_SCOPE, "%s", str_text(&text));
    else if (write && o->constant && address >= o->base && address - o->base < o->size)
        vm_end_fault(vm, VM_FAULT_READ_ONLY, "%s", str_text(&text));
    else
        end_outside(vm, o, address, size, write);
    if (o->pointee)
        vm_sym_pointee_left(vm, o);
    str_free(&text);
    return false;
}

/* An access fails because of the state of what it meant, and of what it hit. */
static void label_states(Vm *vm, uint64_t address)
{
    Object *o = mem_find(&vm->mem, address);
    const Grave *g = o ? NULL : mem_grave(&vm->mem, address);
    if (o)
        label_flow(vm, label_state(vm, o));
    else if (g)
        label_flow(vm, (VmLabel){g->state});
}

/* `from`: the pointer that the address was computed from. */
static bool end_access(Vm *vm, uint64_t from, uint64_t address, uint64_t size, bool write)
{
    const Object *o = mem_find(&vm->mem, from);
    const Grave *g;
    if (vm->lab) {
        label_states(vm, from);
        label_states(vm, address);
    }
    if (vm->sym && (in_null_page(address) || in_null_page(from)))
        sym_need_null(vm);
    if (vm->sym && sym_given_beyond(vm, o))
        return vm_end(vm, VM_END_ASSUMPTION);
    if (in_null_page(address) || in_null_page(from))
        return vm_end_fault(vm, VM_FAULT_NULL_DEREF, "%s of %llu byte%s at address 0x%llx",
                            write ? "write" : "read", (unsigned long long)size, size == 1 ? "" : "s",
                            (unsigned long long)address);
    if (o)
        return end_inside(vm, o, address, size, write);
    if ((g = mem_grave(&vm->mem, from)) != NULL)
        return end_grave(vm, g, address);
    if ((o = mem_find(&vm->mem, address)) != NULL)
        return end_inside(vm, o, address, size, write);
    if ((g = mem_grave(&vm->mem, address)) != NULL)
        return end_grave(vm, g, address);
    return vm_end_fault(vm, VM_FAULT_WILD, "%s of %llu byte%s at address 0x%llx", write ? "write" : "read",
                        (unsigned long long)size, size == 1 ? "" : "s", (unsigned long long)address);
}

bool vm_end_access(Vm *vm, uint64_t address, uint64_t size, bool write)
{
    return end_access(vm, origin(vm, address, write), address, size, write);
}

bool vm_end_access_to(Vm *vm, const Object *o, uint64_t address, uint64_t size, bool write)
{
    return end_access(vm, o->base, address, size, write);
}

bool vm_end_free(Vm *vm, uint64_t address)
{
    const Object *o = mem_find(&vm->mem, address);
    const Grave *g = o ? NULL : mem_grave(&vm->mem, address);
    Str text = {0};
    if (vm->lab)
        label_states(vm, address);
    if (o) {
        vm_describe(vm, o, &text);
        vm_end_fault(vm, VM_FAULT_INVALID_FREE, "offset %lld in %s", (long long)(int64_t)(address - o->base),
                     str_text(&text));
    } else if (g && g->death == DEATH_FREE && address == g->base) {
        describe(vm, g->kind, g->name, g->site, g->size, &text);
        vm_end_fault(vm, VM_FAULT_DOUBLE_FREE, "%s", str_text(&text));
    } else {
        vm_end_fault(vm, VM_FAULT_INVALID_FREE, "0x%llx is no heap object", (unsigned long long)address);
    }
    str_free(&text);
    return false;
}
