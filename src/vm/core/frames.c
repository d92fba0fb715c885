/* frames.c - calls that need care, locals, names of activations, setjmp and longjmp.
 *
 * The name of an activation is a hash of the call path: for each frame the call instruction and the counters
 * of the loops around it. It is computed when something in the frame needs a name, and kept: a suspended
 * caller's counters do not change. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym.h"

/* ---- looking at the program ------------------------------------------------------------------ */

const IrInsn *vm_insn(const Vm *vm, const Code *pc, const Reg *regs)
{
    const CodeSource *source = vm_source(pc, regs);
    if (!source || source->block == IR_NONE)
        return NULL;
    const IrFn *ir = &vm->program->fns.v[FRAME(regs)->fn->index];
    return &ir->blocks.v[source->block].insns.v[source->insn];
}

uint32_t vm_steps_at(const Code *pc, const Reg *regs)
{
    const CodeSource *source = vm_source(pc, regs);
    return source ? source->steps : 0;
}

u128 vm_reg_value(const Vm *vm, const Reg *regs, uint32_t reg)
{
    const FnCode *fn = FRAME(regs)->fn;
    const IrFn *ir = &vm->program->fns.v[fn->index];
    const IrConst *c = ir_reg_const_of(ir, reg);
    if (c && c->kind == IR_CONST_UNDEF)
        return 0;
    if (c)
        return c->kind == IR_CONST_INT ? c->bits : vm_const_address(vm, c);
    if (fn->slots[reg] == IR_NONE)
        return 0;
    const Reg *r = REG(regs, fn->slots[reg]);
    return ir->regs.v[reg].width > 64 ? r[0].word | (u128)r[1].word << 64 : r[0].word;
}

/* ---- names ----------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint64_t mix_loops(uint64_t h, const Reg *regs, const RegList *loops)
{
    for (uint32_t i = 0; loops && i < loops->n; i++)
        h = mix(h, REG(regs, loops->reg[i])->word);
    return h;
}

static bool is_keyed(const Vm *vm) { return vm->sym && vm_sym_keyed(vm); }

/* Requires: the caller's is known. Where states have keys it is without counters: these are no part of a
 * state. */
static uint64_t path_from_caller(const Vm *vm, Frame *frame)
{
    const CallInfo *call = frame->call->call;
    uint64_t h = mix(FRAME(frame->caller)->path, call->id);
    return frame->path = (is_keyed(vm) ? h : mix_loops(h, frame->caller, call->loops)) | 1;
}

static uint64_t path(const Vm *vm, Reg *regs)
{
    Frame *frame = FRAME(regs);
    if (frame->path)
        return frame->path;
    if (UNLIKELY(!FRAME(frame->caller)->path)) {
        Vec(Frame *) waiting = {0};
        for (Frame *f = FRAME(frame->caller); !f->path; f = FRAME(f->caller))
            vec_push(&waiting, f);
        while (waiting.n)
            path_from_caller(vm, vec_pop(&waiting));
        vec_free(&waiting);
    }
    return path_from_caller(vm, frame);
}

uint64_t vm_name(const Vm *vm, Reg *regs, uint64_t id, const RegList *loops)
{
    uint64_t h = mix_loops(mix(path(vm, regs), id), regs, loops);
    for (const Frame *f = FRAME(regs); is_keyed(vm) && f->caller; f = FRAME(f->caller))
        h = mix_loops(h, f->caller, f->call->call->loops);
    return h;
}

uint64_t vm_name_here(Vm *vm, uint64_t id)
{
    const CallInfo *call = vm->pc->call;
    return mix(vm_name(vm, vm->regs, call->id, call->loops), id);
}

uint64_t vm_name_object(Vm *vm, Reg *regs, uint64_t id, const RegList *loops, const VmExtent *extent)
{
    uint64_t name = mix_loops(mix(path(vm, regs), id), regs, is_keyed(vm) ? NULL : loops);
    if (extent->kind == OBJECT_HEAP)
        name = mix(name, OBJECT_HEAP);
    return is_keyed(vm) ? vm_sym_free_name(vm, name, extent) : name;
}

/* ---- stack objects --------------------------------------------------------------------------- */

bool vm_overflow(Vm *vm)
{
    return vm_end_fault(vm, VM_FAULT_STACK_OVERFLOW, "%u frames, %llu bytes of locals",
                        FRAME(vm->regs)->depth, (unsigned long long)vm->mem.stack);
}

/* One object that does not fit, whatever else is there: a variable-length array, or alloca. */
static bool overflow_by(Vm *vm, uint64_t size)
{
    if (size <= vm->mem.stack_limit / 2)
        return vm_overflow(vm);
    return vm_end_fault(vm, VM_FAULT_STACK_OVERFLOW,
                        "an array or other local of %llu bytes, where the stack has %llu",
                        (unsigned long long)size, (unsigned long long)vm->mem.stack_limit);
}

static bool room_for(Vm *vm, uint64_t size)
{
    if (vm->lab && vm->now.room.id)
        label_room(vm);
    if (size > vm->mem.stack_limit || vm->mem.stack > vm->mem.stack_limit - size) {
        if (vm->lab)
            label_own(vm, vm->now.room);
        return overflow_by(vm, size);
    }
    if (!mem_fits(&vm->mem, size))
        return vm_end_limit(vm, LEDGER_MEMORY, "memory limit of %llu bytes: --max-memory",
                            (unsigned long long)vm->mem.limit);
    return true;
}

static void hang(Frame *frame, Object *o)
{
    o->next = frame->objects;
    frame->objects = o;
    frame->flags |= FRAME_OBJECTS;
}

Object *vm_stack_object(Vm *vm, Frame *frame, uint64_t name, uint64_t size, uint64_t align)
{
    if (!room_for(vm, size))
        return NULL;
    if (!mem_class(size, align)) {
        vm_end_limit(vm, LEDGER_MEMORY, "local of %llu bytes", (unsigned long long)size);
        return NULL;
    }
    Object *o = mem_new(&vm->mem, OBJECT_STACK, name, size, align, payload_new(&vm->mem, size));
    hang(frame, o);
    return o;
}

static bool local_new(Vm *vm, Frame *frame, LocalInfo *info, uint64_t name)
{
    Object *o = info->pool;
    if (o) {
        if (UNLIKELY(!room_for(vm, info->size)))
            return false;
        info->pool = o->next;
        mem_revive(&vm->mem, o, name, info->k, mem_lead(info->align), info->limits);
        hang(frame, o);
    } else {
        o = vm_stack_object(vm, frame, name, info->size, info->align);
        if (!o)
            return false;
        o->home = &info->pool;
        o->name = info->name;
        o->site = info->site;
        o->class = info->class;
    }
    mem_undef_set(&vm->mem, o, 0, o->size);
    *REG((Reg *)(frame + 1), info->reg) = (Reg){o->base, 0};
    return true;
}

bool vm_enter(Vm *vm, const Code *pc, Reg *regs)
{
    const EnterInfo *info = pc->info;
    for (uint32_t i = 0; i < info->nlocals; i++) {
        LocalInfo *local = &info->locals[i];
        VmExtent extent = {OBJECT_STACK, local->size, local->align};
        if (!local_new(vm, FRAME(regs), local, vm_name_object(vm, regs, local->id, NULL, &extent)))
            return false;
    }
    return true;
}

void vm_frame_release(Vm *vm, Frame *frame)
{
    while (frame->objects) {
        Object *o = frame->objects;
        frame->objects = o->next;
        if (vm->lab)
            label_state_set(vm, o, LABEL_NONE);
        mem_kill(&vm->mem, o, DEATH_RETURN);
    }
    if (frame->flags & FRAME_ROOM)
        label_room_back(vm, frame);
}

bool vm_out_alloca(Vm *vm, const Code *pc, Reg *regs)
{
    const CallInfo *info = FRAME(regs)->fn->calls.v[pc->b];
    const IrInsn *insn = vm_insn(vm, pc, regs);
    const Reg *size = REG(regs, pc->a);
    if (size->shadow && vm->shadows && !vm_shadow_use(vm, pc, size->shadow))
        return false;
    VmExtent extent = {OBJECT_STACK, size->word, insn->b ? insn->b : 1};
    Object *o = vm_stack_object(vm, FRAME(regs), vm_name_object(vm, regs, info->id, info->loops, &extent),
                                extent.size, extent.align);
    if (!o)
        return false;
    o->name = vm->program->fns.v[FRAME(regs)->fn->index].regs.v[insn->dst].name;
    o->site = insn->site;
    mem_undef_set(&vm->mem, o, 0, o->size);
    *REG(regs, pc->d) = (Reg){o->base, 0};
    if (vm->lab) {
        o->class = flow_object_of_alloca(vm->now.flow, label_site(vm));
        label_own(vm, label_of(size->shadow));
        label_state_set(vm, o, label_made(vm));
        label_reg_add(vm, REG(regs, pc->d), label_made(vm));
        label_room_set(vm, regs, label_unite(vm, vm->now.room, label_here(vm, label_made(vm))));
    }
    return true;
}

static uint64_t count(const Frame *frame)
{
    uint64_t n = 0;
    for (const Object *o = frame->objects; o; o = o->next)
        n++;
    return n;
}

/* The mark is how many objects the frame has: so it is a function of the state. */
bool vm_out_stacksave(Vm *vm, const Code *pc, Reg *regs)
{
    *REG(regs, pc->d) = (Reg){count(FRAME(regs)), 0};
    if (vm->lab)
        label_reg_add(vm, REG(regs, pc->d), label_relative(vm, vm->now.room));
    return true;
}

bool vm_out_stackrestore(Vm *vm, const Code *pc, Reg *regs)
{
    uint64_t mark = REG(regs, pc->a)->word;
    Frame *frame = FRAME(regs);
    for (uint64_t n = count(frame); n > mark; n--) {
        Object *o = frame->objects;
        frame->objects = o->next;
        if (vm->lab)
            label_state_set(vm, o, LABEL_NONE);
        mem_kill(&vm->mem, o, DEATH_SCOPE);
    }
    if (vm->lab)
        label_room_set(vm, regs, label_here(vm, label_of(REG(regs, pc->a)->shadow)));
    return true;
}

static Object *local_at(Vm *vm, uint64_t address)
{
    Object *o = mem_find(&vm->mem, address);
    return o && o->base == address && o->kind == OBJECT_STACK ? o : NULL;
}

bool vm_out_life(Vm *vm, const Code *pc, Reg *regs)
{
    Object *o = local_at(vm, REG(regs, pc->a)->word);
    if (!o)
        return true;
    o->death = DEATH_NONE;
    mem_unshare(&vm->mem, o);
    memset(o->data, 0, o->size);
    if (o->sym)
        vm_sym_fill(vm, o, 0, o->size, 0);
    mem_undef_set(&vm->mem, o, 0, o->size);
    if (vm->lab) {
        label_state_set(vm, o, LABEL_NONE);
        label_set(vm, o, 0, o->size, label_context(vm));
    }
    return true;
}

bool vm_out_dead(Vm *vm, const Code *pc, Reg *regs)
{
    Object *o = local_at(vm, REG(regs, pc->a)->word);
    if (o) {
        o->death = DEATH_SCOPE;
        mem_refresh(o);
        if (vm->lab)
            label_state_set(vm, o, LABEL_NONE);
    }
    return true;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void arg_get(const CallArg *arg, const Reg *regs, Reg out[2])
{
    if (arg->is_const) {
        out[0] = (Reg){(uint64_t)arg->value, 0};
        out[1] = (Reg){(uint64_t)(arg->value >> 64), 0};
        return;
    }
    out[0] = *REG(regs, arg->reg);
    out[1] = arg->width > 64 ? REG(regs, arg->reg)[1] : (Reg){0, 0};
}

/* Cuts a value to a width; shadows of uninitialised bits with it. */
static void fit(Vm *vm, Reg value[2], uint8_t width)
{
    u128 mask = bits_mask(width);
    uint64_t label = vm->lab ? value[0].shadow >> 32 << 32 : 0;
    if (vm->sym && sym_of(value[0].shadow).id) {
        vm_sym_fit(vm, value, width);
        value[0].shadow |= label;
        return;
    }
    for (int i = 0; i < 2; i++) {
        uint64_t part = (uint64_t)(mask >> (64 * i));
        value[i].word &= part;
        if (vm->shadows && value[i].shadow)
            value[i].shadow = vm_undef_shadow(vm, vm_undef_mask(vm, value[i].shadow) & part);
    }
    value[0].shadow |= label;
}

static bool results_fit(const CallInfo *call, const IrFn *ir)
{
    if (call->ndst != ir->results.n)
        return false;
    for (uint32_t i = 0; i < call->ndst; i++)
        if (call->dst[i].width != ir->results.v[i])
            return false;
    return true;
}

/* Parameters from the call's arguments, fixed and variable alike; what is missing is zero (and
 * uninitialised). */
static bool pass(Vm *vm, const CallInfo *call, const Reg *from, FnCode *fn, Reg *to)
{
    const IrFn *ir = &vm->program->fns.v[fn->index];
    uint32_t given = call->nargs + call->nvar;
    for (uint32_t i = 0; i < ir->nparams; i++) {
        uint8_t width = ir->regs.v[i].width;
        Reg value[2] = {{0, 0}, {0, 0}};
        if (i < given)
            arg_get(&call->args[i], from, value);
        else if (vm->shadows)
            value[0].shadow = value[1].shadow = vm_undef_shadow(vm, ~(uint64_t)0);
        fit(vm, value, width);
        Reg *param = REG(to, fn->slots[i]);
        param[0] = value[0];
        if (width > 64)
            param[1] = value[1];
    }
    if (ir->variadic && given > ir->nparams)
        return vm_varargs_make(vm, FRAME(to), &call->args[ir->nparams], given - ir->nparams, from);
    return true;
}

static bool call_adapted(Vm *vm, const Code *pc, Reg *regs, FnCode *fn)
{
    const CallInfo *call = pc->call;
    if (!fn->prepared)
        vm_prepare(vm, fn);
    Reg *to = REG(regs, call->advance);
    uint32_t depth = FRAME(regs)->depth + 1;
    if ((char *)to + fn->need > vm->stack_end || depth > vm->options.max_frames)
        return vm_overflow(vm);
    *FRAME(to) = (Frame){.call = pc, .caller = regs, .fn = fn, .serial = ++vm->frame_serial, .depth = depth};
    if (!results_fit(call, &vm->program->fns.v[fn->index]))
        FRAME(to)->flags = FRAME_ADAPT;
    if (vm->lab && label_push_call(vm, FRAME(to)->serial))
        FRAME(to)->flags |= FRAME_CONTEXT;
    if (!pass(vm, call, regs, fn, to))
        return false;
    vm->regs = to;
    vm->pc = fn->code;
    return true;
}

static FnCode *callee(Vm *vm, const CallInfo *call, const Reg *regs, uint64_t *address)
{
    if (call->target)
        return call->target;
    const Reg *pointer = REG(regs, call->pointer);
    if (vm->shadows && pointer->shadow && !vm_shadow_use(vm, vm->pc, pointer->shadow))
        return NULL;
    *address = pointer->word;
    FnCode *fn = vm_fn_at(vm, pointer->word);
    if (!fn && vm_sym_is_callback(vm, pointer->word))
        return NULL;
    if (!fn && pointer->word < 4096)
        vm_end_fault(vm, VM_FAULT_BAD_CALL, "null function pointer");
    else if (!fn)
        vm_end_fault(vm, VM_FAULT_BAD_CALL, "0x%llx is not the address of a function",
                     (unsigned long long)pointer->word);
    return fn;
}

/* A function that the entry got from its caller. */
static bool call_stub(Vm *vm, const Code *pc, Reg *regs, uint64_t address)
{
    bool pushed = vm->lab && label_push_call(vm, vm->frame_serial + 1);
    if (!vm_sym_callback(vm, address, pc->call, regs))
        return false;
    if (pushed)
        label_pop_call(vm, regs);
    vm->pc = pc + 1;
    return true;
}

bool vm_call_slow(Vm *vm, const Code *pc, Reg *regs)
{
    CallInfo *call = pc->call;
    uint64_t address = 0;
    FnCode *fn = callee(vm, call, regs, &address);
    if (!fn)
        return !vm->ended && call_stub(vm, pc, regs, address);
    if (UNLIKELY(vm_sym_redirects(vm, fn->index)))
        return vm_sym_enter(vm, pc, regs);
    if (UNLIKELY(call->target && vm_sym_is_abstract(fn, call, regs))) {
        vm->pc = pc;
        if (!vm_sym_abstract(vm, fn, call, regs))
            return false;
        vm->pc = pc + 1;
        return true;
    }
    if (!vm->program->fns.v[fn->index].defined) {
        bool pushed = vm->lab && label_push_call(vm, vm->frame_serial + 1);
        if (!vm_call_external(vm, fn, call, regs))
            return false;
        if (pushed)
            label_pop_call(vm, regs);
        vm->pc = pc + 1;
        return true;
    }
    if (!call->target && call->signature && call->signature == fn->signature &&
        !(vm->lab && REG(regs, call->pointer)->shadow)) {
        call->cached_address = address; /* the same instruction again takes the fast path */
        call->cached = fn;
        return true;
    }
    return call_adapted(vm, pc, regs, fn);
}

/* A register, a constant, or nothing that was set. */
static void result_get(Vm *vm, const Reg *regs, uint32_t reg, Reg out[2])
{
    const FnCode *fn = FRAME(regs)->fn;
    const IrFn *ir = &vm->program->fns.v[fn->index];
    const IrConst *c = ir_reg_const_of(ir, reg);
    u128 word = vm_reg_value(vm, regs, reg);
    out[0] = (Reg){(uint64_t)word, 0};
    out[1] = (Reg){(uint64_t)(word >> 64), 0};
    if (!vm->shadows)
        return;
    if (c && c->kind == IR_CONST_UNDEF) {
        out[0].shadow = out[1].shadow = vm_undef_shadow(vm, ~(uint64_t)0);
    } else if (!c && fn->slots[reg] != IR_NONE) {
        out[0].shadow = REG(regs, fn->slots[reg])[0].shadow;
        out[1].shadow = ir->regs.v[reg].width > 64 ? REG(regs, fn->slots[reg])[1].shadow : 0;
    }
}

/* What a caller expects that the function does not give is zero (and uninitialised, if it is the user's:
 * start-up code takes a status from whatever it enters). */
void vm_adapt_results(Vm *vm, const Code *pc, Reg *regs)
{
    const Frame *frame = FRAME(regs);
    const CallInfo *call = frame->call->call;
    const IrFn *ir = &vm->program->fns.v[frame->fn->index];
    const IrInsn *ret = vm_insn(vm, pc, regs);
    const uint32_t *list = &ir->extra.v[ret->a];
    for (uint32_t i = 0; i < call->ndst; i++) {
        Reg *dst = REG(frame->caller, call->dst[i].reg), value[2] = {{0, 0}, {0, 0}};
        if (i < list[0])
            result_get(vm, regs, list[1 + i], value);
        else if (vm->shadows && !vm_is_runtime(vm, FRAME(frame->caller)->fn))
            value[0].shadow = value[1].shadow = vm_undef_shadow(vm, ~(uint64_t)0);
        fit(vm, value, call->dst[i].width);
        dst[0] = value[0];
        if (call->dst[i].width > 64)
            dst[1] = value[1];
    }
    bool is_entry = vm->lab && vm_sym_is_entry(vm, frame->fn->index) && frame->flags & FRAME_ADAPT;
    uint64_t popped = frame->flags & FRAME_CONTEXT ? vm_label_return(vm, regs) : 0;
    if (popped)
        vm_label_results(vm, frame->call, frame->caller, popped);
    if (is_entry)
        vm_label_entry(vm, regs, list, popped);
}

/* ---- counting -------------------------------------------------------------------------------- */

void vm_pause_soon(Vm *vm)
{
    vm->granted -= (uint64_t)vm->left;
    vm->left = 0;
}

/* Beside the program's bytes there are symbolic values, labels, and copies for snapshots: of all that and of
 * pending work the process may hold twice what the program may allocate, and what it held before. To look
 * takes as long as many steps, so it is done the more often the more the program has allocated. */
static bool holds_too_much(Vm *vm)
{
    enum { SELDOM = 256, LEAST = 1 << 29 }; /* bytes: a deep recursion under a small limit may take as much */
    uint32_t large = (uint32_t)(SELDOM * 4 * vm->mem.live / (vm->mem.limit + 1));
    if (!vm->sym || ++vm->pauses % (large < SELDOM ? SELDOM - large : 1))
        return false;
    return memory_resident() > vm->resident + (2 * vm->mem.limit > LEAST ? 2 * vm->mem.limit : LEAST);
}

bool vm_pause(Vm *vm, uint32_t wanted)
{
    enum {
        SLICE = 1 << 20,
        SLICE_SYMBOLIC = 1 << 12
    }; /* a step of the latter may take microseconds, with labels many; and as long as memory is large */
    uint64_t slice = SLICE_SYMBOLIC / (1 + (vm->mem.live >> 20)) + 1;
    if (vm->ended) /* by a limit that could not be reported at once */
        return false;
    if (vm->options.interrupt && *vm->options.interrupt)
        return vm_end(vm, VM_END_INTERRUPTED);
    if (vm->deadline > 0 && clock_seconds() >= vm->deadline)
        return vm_end_limit(vm, LEDGER_TIME, "the time was up in the middle of a run");
    if (vm->sym && vm_sym_is_endless(vm))
        return vm_sym_end_endless(vm);
    if (holds_too_much(vm))
        return vm_end_limit(vm, LEDGER_MEMORY, "what is kept beside the program's bytes: --max-memory");
    while (vm->left < (int64_t)wanted) {
        uint64_t grant = !vm->sym ? SLICE : vm_sym_is_watched(vm) ? 1 : slice;
        if (vm->options.max_steps) {
            uint64_t rest = vm->options.max_steps - vm->granted;
            if (rest == 0)
                return vm_end_limit(vm, LEDGER_STEPS, "step limit of %llu: --max-steps",
                                    (unsigned long long)vm->options.max_steps);
            grant = rest < grant ? rest : grant;
        }
        vm->granted += grant;
        vm->left += (int64_t)grant;
    }
    return true;
}

/* ---- setjmp ---------------------------------------------------------------------------------- */

/* What setjmp leaves in the program's buffer. */
typedef struct JumpToken {
    uint64_t magic, serial, code;
} JumpToken;

#define JUMP_MAGIC 0x5ea15eafu

/* Which buffer it is, is a decision, as with any access; one that is symbolic must be known. */
static bool use_buffer(Vm *vm, const Code *pc, uint64_t shadow, bool write)
{
    return vm_shadow_address(vm, pc, shadow, write) && vm_shadow_use(vm, pc, shadow);
}

bool vm_out_setjmp(Vm *vm, const Code *pc, Reg *regs)
{
    const Reg *buffer = REG(regs, pc->a);
    const Frame *frame = FRAME(regs);
    JumpToken token = {JUMP_MAGIC, frame->serial, (uint64_t)(pc - frame->fn->start)};
    if (vm->shadows && buffer->shadow && !use_buffer(vm, pc, buffer->shadow, true))
        return false;
    if (!vm_mem_write(vm, buffer->word, &token, sizeof token))
        return false;
    *REG(regs, pc->d) = (Reg){0, 0};
    return true;
}

static Reg *frame_by_serial(Reg *regs, uint64_t serial)
{
    while (regs && FRAME(regs)->serial != serial)
        regs = FRAME(regs)->caller;
    return regs;
}

/* Which buffer it was is a decision already; what is in it, and the value, make another where they depend on
 * more. */
static void label_jump(Vm *vm, Reg *to, uint64_t value)
{
    label_own(vm, label_unite(vm, label_passing(vm), label_of(value)));
    if (!label_within(vm, vm->now.own, vm->now.made))
        vm->now.is_forced = false;
    sym_force(vm, VM_DECISION_CALL, IR_NONE);
    vm_label_longjmp(vm, to);
}

/* Steps of blocks that are left half-way are counted here; those of the target's block up to the setjmp are
 * taken off, since its end counts the whole block once more. */
bool vm_longjmp(Vm *vm, const Code *pc, Reg *regs)
{
    JumpToken token;
    const Reg *buffer = REG(regs, pc->a);
    Reg value = *REG(regs, pc->b);
    if (vm->shadows && buffer->shadow && !use_buffer(vm, pc, buffer->shadow, false))
        return false;
    if (!vm_mem_read(vm, buffer->word, &token, sizeof token))
        return false;
    Reg *to = token.magic == JUMP_MAGIC ? frame_by_serial(regs, token.serial) : NULL;
    if (!to || !FRAME(to)->fn->start || token.code >= FRAME(to)->fn->ncode ||
        FRAME(to)->fn->start[token.code].out != vm_out_setjmp)
        return vm_end_fault(vm, VM_FAULT_BAD_JUMP, "%s",
                            to || token.magic != JUMP_MAGIC ? "no setjmp was called with this buffer"
                                                            : "the function that called setjmp has returned");
    if (vm->lab)
        label_jump(vm, to, value.shadow);
    while (regs != to) {
        vm->left -= vm_steps_at(pc, regs);
        vm_frame_release(vm, FRAME(regs));
        pc = FRAME(regs)->call;
        regs = FRAME(regs)->caller;
    }
    const Code *landing = FRAME(to)->fn->start + token.code;
    vm->left += (int64_t)vm_steps_at(landing, to) - (int64_t)vm_steps_at(pc, to);
    if (vm->sym && value.shadow)
        vm_sym_jump_value(vm, &value);
    if (!value.word)
        value.word = 1;
    *REG(to, landing->d) = value;
    /* what is made from here on is made a second time: its names must differ from the first time's */
    FRAME(to)->path = mix(path(vm, to), JUMP_MAGIC) | 1;
    vm->regs = to;
    vm->pc = landing + 1;
    return true;
}
