/* label_insn.c - labels of the instruction under way: its operands, the decisions it makes, what it reads and
 * writes. */
#include "vm/files/files.h"
#include "vm/labels/label_int.h"

VmLabel label_ir_reg(Vm *vm, const Reg *regs, uint32_t reg)
{
    const FnCode *fn = FRAME(regs)->fn;
    const IrFn *ir = &vm->program->fns.v[fn->index];
    if (ir_reg_const_of(ir, reg) || fn->slots[reg] == IR_NONE)
        return LABEL_NONE;
    return label_of(REG(regs, fn->slots[reg])->shadow);
}

VmLabel label_operands(Vm *vm, const IrInsn *insn, const Reg *regs)
{
    U32Vec reads = {0};
    VmLabel l = LABEL_NONE;
    ir_insn_reads(&vm->program->fns.v[FRAME(regs)->fn->index], insn, &reads);
    for (uint32_t i = 0; i < reads.n; i++)
        l = label_unite(vm, l, label_ir_reg(vm, regs, reads.v[i]));
    vec_free(&reads);
    return l;
}

uint64_t vm_label_union(Vm *vm, uint64_t a, uint64_t b)
{
    return (uint64_t)label_unite(vm, label_of(a), label_of(b)).id << 32;
}

/* ---- what it is made of ---------------------------------------------------------------------- */

bool label_can_force(const Vm *vm) { return !vm->now.is_forced && !(vm->lab->off & LABEL_OFF_FORCED); }

void label_own(Vm *vm, VmLabel l)
{
    sym_instant(vm);
    vm->now.own = label_unite(vm, vm->now.own, l);
}

VmLabel label_made(Vm *vm)
{
    return sym_is_instant(vm) ? label_unite(vm, vm->now.own, vm->now.made) : LABEL_NONE;
}

void label_flow(Vm *vm, VmLabel l)
{
    sym_instant(vm);
    vm->now.flowing = label_unite(vm, vm->now.flowing, l);
}

VmLabel label_passing(Vm *vm)
{
    return sym_is_instant(vm) ? label_unite(vm, label_made(vm), vm->now.flowing) : LABEL_NONE;
}

/* The set of one decision; a run has the same positions as the others. */
static VmLabel single(Vm *vm, uint32_t position)
{
    struct Labels *lab = vm->lab;
    while (lab->singles.n <= position)
        vec_push(&lab->singles, expr_set_of(vm->sym->pool, lab->singles.n));
    return lab->singles.v[position];
}

/* Runs that have a way in common make the same decisions in the same context. */
static const struct LabelDecided *depending(Vm *vm, VmLabel own, uint32_t position)
{
    VmLabel context = label_context(vm);
    uint32_t hash = (own.id * 31 + context.id) * 31 + position;
    struct LabelDecided *d = &vm->lab->decided[hash % LABEL_DECIDED];
    if (d->own.id != own.id || d->context.id != context.id || d->position != position || !d->with.id) {
        VmLabel before = label_unite(vm, own, context);
        *d = (struct LabelDecided){own, context, position, before,
                                   label_unite(vm, before, single(vm, position))};
    }
    return d;
}

/* Whether an access fails may depend on where its pointer leads, which is decided without a check. */
static bool may_fail_by(const Vm *vm, const VmDecision *d)
{
    const IrInsn *insn = vm_insn(vm, vm->pc, vm->regs);
    return (d->kind == VM_DECISION_INPUT || d->kind == VM_DECISION_POINTER) &&
           (!insn || ir_op_has_flag((IrOp)insn->op, 'M'));
}

void label_decided(Vm *vm, VmDecision *d)
{
    struct Labels *lab = vm->lab;
    VmLabel own = label_unite(vm, vm->now.own, vm->now.made);
    const struct LabelDecided *on = depending(vm, own, vm->sym->trace->decisions.n - 1);
    VmLabel l = on->with;
    bool check = d->kind == VM_DECISION_CHECK || d->kind == VM_DECISION_ASSUME;
    d->label = on->before;
    if (!check)
        vm->now.made = label_unite(vm, vm->now.made, l);
    if (lab->policy & FLOW_TIE_FAULTS && (check || may_fail_by(vm, d)))
        label_push_check(vm, l);
    vm->now.checked = label_unite(vm, vm->now.checked, l);
}

/* ---- control --------------------------------------------------------------------------------- */

static uint32_t switch_target(Vm *vm, const IrInsn *insn)
{
    const IrFn *ir = &vm->program->fns.v[FRAME(vm->regs)->fn->index];
    const uint32_t *list = &ir->extra.v[insn->b];
    u128 value = vm_reg_value(vm, vm->regs, insn->a);
    for (uint32_t i = 0; i < list[0]; i++)
        if (ir_reg_const_of(ir, list[1 + 2 * i])->bits == value)
            return list[2 + 2 * i];
    return insn->c;
}

/* The block that a terminator goes to. */
static uint32_t target(Vm *vm, const IrInsn *insn)
{
    u128 value = vm_reg_value(vm, vm->regs, insn->a);
    switch ((IrOp)insn->op) {
    case IR_BR: return value ? insn->b : insn->c;
    case IR_SWITCH: return switch_target(vm, insn);
    default: return (uint32_t)((uint64_t)value - vm_block_base(vm, FRAME(vm->regs)->fn->index));
    }
}

static void force(Vm *vm, const IrInsn *insn)
{
    switch ((IrOp)insn->op) {
    case IR_BR:
        if (insn->b != insn->c)
            sym_force(vm, VM_DECISION_BRANCH, target(vm, insn));
        break;
    case IR_SWITCH: sym_force(vm, VM_DECISION_SWITCH, target(vm, insn)); break;
    case IR_GOTO:
    case IR_CALLPTR: sym_force(vm, VM_DECISION_CALL, IR_NONE); break;
    default: break;
    }
}

bool vm_label_branch(Vm *vm, uint64_t shadow, unsigned side)
{
    if (label_is_here(vm, label_of(shadow)))
        return true;
    const IrInsn *insn = sym_place(vm)->ir;
    label_own(vm, label_of(shadow));
    sym_force_beyond(vm, VM_DECISION_BRANCH, side ? insn->c : insn->b);
    label_follow_other(vm);
    if (vm->now.made.id)
        label_push_branch(vm, vm->now.made);
    return !vm->ended;
}

bool vm_label_use(Vm *vm, const Code *pc, uint64_t shadow)
{
    struct Labels *lab = vm->lab;
    if (!sym_of(shadow).id && label_is_here(vm, label_of(shadow)))
        return true;
    const IrInsn *insn = vm_insn(vm, pc, vm->regs);
    label_own(vm, label_of(shadow));
    if (sym_of(shadow).id && !vm_sym_use(vm, pc, shadow))
        return false;
    if (!insn)
        return true;
    if (!sym_of(shadow).id || !vm->now.made.id)
        force(vm, insn);
    if (!vm->now.made.id)
        return !vm->ended; /* there was no room for a decision */
    if (insn->op == IR_BR || insn->op == IR_SWITCH || insn->op == IR_GOTO || insn->op == IR_CALLPTR)
        label_follow_other(vm);
    if (insn->op == IR_BR || insn->op == IR_SWITCH || insn->op == IR_GOTO)
        label_push_branch(vm, vm->now.made);
    else if (insn->op == IR_CALLPTR)
        lab->call = vm->now.made;
    if (insn->op == IR_CALLPTR || insn->op == IR_GOTO)
        label_check(vm);
    return !vm->ended;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* What this function has made itself is one object, and the write goes nowhere else. */
static bool spread_within_made(Vm *vm, FlowSite at, VmLabel l)
{
    FlowKnown known = flow_made_write(vm->now.flow, at);
    if (known.reg == IR_NONE)
        return false;
    uint64_t address = REG(vm->regs, FRAME(vm->regs)->fn->slots[known.reg])->word + known.offset;
    Object *o = mem_find(&vm->mem, address);
    if (o)
        label_object_written(vm, o, address - o->base, known.size, l);
    return true;
}

void label_spread(Vm *vm)
{
    struct Labels *lab = vm->lab;
    FlowSite at = label_site(vm);
    VmLabel l = label_here(vm, label_made(vm));
    if (label_is_here(vm, l) || at.fn == IR_NONE || at.block == IR_NONE || (lab->off & LABEL_OFF_ADDRESS))
        return;
    if (!spread_within_made(vm, at, l))
        label_potential(vm, vm->regs, at.fn, flow_insn_writes(vm->now.flow, at), l);
}

void label_sink(Vm *vm, VmLabel own)
{
    VmTrace *t = vm->sym->trace;
    if (!own.id || label_is_here(vm, own))
        return;
    VmLabel l = label_here(vm, own);
    uint32_t *seen = &vm->lab->sinks_seen[l.id % LABEL_SINKS];
    if (*seen != l.id)
        vec_push(&t->sinks, (VmSink){l, t->decisions.n});
    *seen = l.id;
}

/* Code of runtime/ fails by the addresses it is given, and those are decisions; and by values where it
 * divides by them, or hands them to a primitive that must not see what is uninitialised. */
static bool fails_by_value(const Vm *vm, const IrFn *ir)
{
    const IrInsn *insn = vm_insn(vm, vm->pc, vm->regs);
    if (!insn)
        return false;
    bool divides = insn->op == IR_UDIV || insn->op == IR_SDIV || insn->op == IR_UREM || insn->op == IR_SREM;
    return divides ? !ir_reg_const_of(ir, insn->b)
                   : insn->op == IR_CALL && vm->options.checks >> VM_FAULT_UNINIT & 1;
}

/* Is a check at the instruction under way one of those that are looked for? */
static bool is_looked_for(const Vm *vm)
{
    const FnCode *fn = FRAME(vm->regs)->fn;
    const IrFn *ir = fn->index != IR_NONE ? &vm->program->fns.v[fn->index] : NULL;
    return !ir || !ir->runtime || fails_by_value(vm, ir);
}

void label_check(Vm *vm)
{
    if (!(vm->lab->policy & FLOW_TIE_FAULTS)) {
        if (is_looked_for(vm))
            label_sink(vm, vm->now.own);
        return;
    }
    sym_force(vm, VM_DECISION_CHECK, IR_NONE);
    if (!label_is_here(vm, vm->now.checked))
        label_push_check(vm, vm->now.checked);
}

void label_access(Vm *vm, Object *o)
{
    VmLabel state = label_state(vm, o);
    if (label_is_here(vm, state) || (vm->lab->off & LABEL_OFF_STATE))
        return;
    if (vm->lab->policy & FLOW_TIE_FAULTS) {
        label_own(vm, state);
        label_check(vm);
    } else {
        label_sink(vm, label_unite(vm, state, label_made(vm)));
    }
}

void vm_label_access(Vm *vm, uint64_t shadow, bool write)
{
    label_own(vm, label_of(shadow));
    sym_force(vm, VM_DECISION_POINTER, IR_NONE);
    label_check(vm);
    if (write)
        label_spread(vm);
    else
        label_follow_other(vm);
}

/* Has the log no entry for these bytes, however much they have seen of it? */
static bool is_settled(const struct Labels *lab, const Object *o, uint64_t offset, unsigned size)
{
    bool one_run = (offset & (LABEL_PAGE - 1)) + size <= LABEL_PAGE;
    return o->constant || (one_run && o->kind != OBJECT_HEAP && !label_is_named(lab, o->class, offset, size));
}

/* What label_get finds, if it shows at once that nothing is left to take from the log and that these bytes
 * have one label; most have. */
static inline bool is_known_at(const Vm *vm, const Object *o, uint64_t offset, unsigned size, VmLabel *label)
{
    const struct Labels *lab = vm->lab;
    uint32_t at = offset & (LABEL_PAGE - 1);
    bool current = o->stamp >> 32 == vm->mem.stamp >> 32;
    if (!o->labels) {
        label->id = (uint32_t)o->stamp;
        return current || is_settled(lab, o, offset, size);
    }
    if (at + size > LABEL_PAGE || (!current && o->kind == OBJECT_HEAP))
        return false;
    const struct LabelRun *run = &o->labels->runs[offset >> LABEL_PAGE_LOG];
    uint32_t latest = label_latest_known(lab, o->class) ? lab->classes.v[o->class].latest : UINT32_MAX;
    if (!run->page) {
        uint64_t all = bits_mask64(size), others = run->mask >> at & all;
        label->id = others ? run->other : run->label;
        return (!others || others == all) && (run->seen >= latest || is_settled(lab, o, offset, size));
    }
    const uint32_t *labels = &run->page->label[at], *seen = &run->page->seen[at];
    bool same = true, behind = false;
    for (unsigned i = 0; i < size && same; i++) {
        same = labels[i] == labels[0];
        behind |= seen[i] < latest;
    }
    label->id = labels[0];
    return same && (!behind || is_settled(lab, o, offset, size));
}

uint64_t vm_label_loaded(Vm *vm, Object *o, uint64_t offset, unsigned size)
{
    VmLabel l;
    if (UNLIKELY(!is_known_at(vm, o, offset, size, &l)))
        l = label_get(vm, o, offset, size);
    return (uint64_t)label_relative(vm, l).id << 32;
}

void label_loaded(Vm *vm, Reg *out, VmLabel bytes)
{
    label_reg_add(vm, out, label_relative(vm, label_unite(vm, bytes, label_made(vm))));
}

/* Do these bytes have the context's label already, as far as that shows at once? */
static bool is_here_at(const Vm *vm, const Object *o, uint64_t offset, uint64_t n)
{
    uint32_t context = (uint32_t)vm->mem.stamp, at = offset & (LABEL_PAGE - 1);
    if (!o->labels || at + n > LABEL_PAGE)
        return false;
    const struct LabelRun *run = &o->labels->runs[offset >> LABEL_PAGE_LOG];
    uint64_t bits = run->mask >> at & bits_mask64((unsigned)n);
    return !run->page && run->seen == vm->mem.stamp >> 32 &&
           ((!bits && run->label == context) || (bits == bits_mask64((unsigned)n) && run->other == context));
}

void vm_label_stored(Vm *vm, Object *o, uint64_t offset, uint64_t n, uint64_t shadow)
{
    if (!shadow && is_here_at(vm, o, offset, n))
        return;
    label_set(vm, o, offset, n, label_here(vm, label_of(shadow)));
}

void label_stored(Vm *vm, Object *o, uint64_t offset, uint64_t n, const Reg *value)
{
    VmLabel l = label_here(vm, label_passing(vm));
    label_set(vm, o, offset, n, value ? label_unite(vm, l, label_of(value->shadow)) : l);
}

void label_stored_somewhere(Vm *vm, Object *o, const Reg *value)
{
    VmLabel l = label_here(vm, label_made(vm));
    label_add(vm, o, 0, o->size, label_unite(vm, l, label_of(value->shadow)));
}

/* ---- room on the stack ----------------------------------------------------------------------- */

void label_room(Vm *vm)
{
    VmLabel l = vm->now.room;
    if (!l.id || label_is_here(vm, l) || (vm->lab->off & LABEL_OFF_STATE))
        return;
    if (vm->lab->policy & FLOW_TIE_FAULTS) {
        label_own(vm, l);
        label_check(vm);
    } else {
        label_sink(vm, label_unite(vm, l, label_made(vm)));
    }
}

void label_room_set(Vm *vm, const Reg *regs, VmLabel l)
{
    struct Labels *lab = vm->lab;
    Frame *frame = FRAME(regs);
    if (l.id == vm->now.room.id)
        return;
    if (!(frame->flags & FRAME_ROOM))
        vec_push(&lab->rooms, ((LabelRoom){frame->serial, vm->now.room}));
    frame->flags |= FRAME_ROOM;
    vm->now.room = l;
}

void label_room_back(Vm *vm, Frame *frame)
{
    struct Labels *lab = vm->lab;
    if (!lab->rooms.n || vec_last(&lab->rooms).frame != frame->serial)
        bug("room on the stack is given back out of order");
    vm->now.room = vec_pop(&lab->rooms).before;
    frame->flags &= ~(uint32_t)FRAME_ROOM;
}

/* ---- pointers of inputs ---------------------------------------------------------------------- */

void label_follow(Vm *vm) { label_own(vm, vm->lab->links); }

void label_followed(Vm *vm)
{
    vm->lab->links = label_unite(vm, vm->lab->links, label_here(vm, label_made(vm)));
}

static bool may_follow(Vm *vm)
{
    FlowSite at = label_site(vm);
    if (at.fn == IR_NONE || at.block == IR_NONE)
        return true;
    uint32_t links = flow_state_of(flow_object_of_links(vm->now.flow));
    FlowPlaces writes = flow_insn_writes(vm->now.flow, at);
    bool may = false;
    for (uint32_t i = 0; i < writes.n && !may; i++)
        may = writes.v[i].param == IR_NONE && writes.v[i].object == links;
    return may;
}

/* (Of a write label_spread says as much.) A branch may tell whether two pointers are equal, and so where they
 * lead. */
void label_follow_other(Vm *vm)
{
    VmLabel l = label_made(vm);
    if (flow_has_links(vm->now.flow) && !label_is_here(vm, l) && !(vm->lab->off & LABEL_OFF_ADDRESS) &&
        may_follow(vm))
        label_followed(vm);
}

void label_looked(Vm *vm, Object *o, uint64_t offset, uint64_t n)
{
    if (!(vm->lab->off & LABEL_OFF_WINDOWS))
        label_flow(vm, label_get(vm, o, offset, n));
}

/* ---- calls without a body -------------------------------------------------------------------- */

/* Arguments say nothing about where something is written, nor whether the call fails. */
static bool is_plain(PrimFn prim)
{
    return prim == prim_assume || prim == prim_exit || prim == prim_alloc || prim == prim_abort ||
           prim == prim_peek;
}

/* What goes out, or whether it did. */
static bool is_text(PrimFn prim)
{
    return prim == prim_write || prim == prim_put || prim == prim_emit || prim == prim_sent;
}

static bool is_flush(PrimFn prim, const CallInfo *call)
{
    const CallArg *what = prim == prim_control && call->nargs > 1 ? &call->args[1] : NULL;
    return what && what->is_const && what->value == FILES_CONTROL_FLUSH;
}

enum {
    OTHER_FILES = 3
}; /* among the streams: files without a number of their own, and the table of descriptors */

/* Primitives of files: which of the streams. FLOW_STREAMS: none. */
static int stream_touched(Vm *vm, PrimFn prim, uint64_t fd)
{
    static const PrimFn on_descriptor[] = {prim_read,    prim_seek,  prim_truncate, prim_stat_fd,
                                           prim_control, prim_close, prim_entry,    prim_dup};
    static const PrimFn others[] = {prim_open,  prim_stat_path, prim_unlink, prim_rename,
                                    prim_pipe,  prim_mkdir,     prim_rmdir,  prim_chdir,
                                    prim_chmod, prim_path,      prim_clock};
    if (is_text(prim))
        return label_stream_of(vm, (int32_t)((uint32_t)fd & ~FILES_PENDING));
    for (unsigned i = 0; i < COUNT_OF(on_descriptor); i++)
        if (prim == on_descriptor[i])
            return label_stream_of(vm, (int32_t)fd);
    for (unsigned i = 0; i < COUNT_OF(others); i++)
        if (prim == others[i])
            return OTHER_FILES;
    return FLOW_STREAMS;
}

void label_call_begin(Vm *vm, const FnCode *fn, const CallInfo *call, const Reg *regs)
{
    struct Labels *lab = vm->lab;
    VmLabel own = LABEL_NONE;
    lab->output = false;
    for (uint32_t i = 0; i < call->nargs + call->nvar; i++)
        if (!call->args[i].is_const)
            own = label_unite(vm, own, label_of(REG(regs, call->args[i].reg)->shadow));
    label_own(vm, own);
    if (fn->prim && is_plain(fn->prim)) {
        if (vm->now.own.id && vm->options.checks >> VM_FAULT_UNINIT & 1)
            label_check(vm);
        return;
    }
    if (vm->now.own.id) {
        sym_force(vm, VM_DECISION_POINTER, IR_NONE);
        label_check(vm);
        label_spread(vm);
    }
    const CallArg *fd = call->nargs ? &call->args[0] : NULL;
    lab->stream =
        fn->prim && fd
            ? stream_touched(vm, fn->prim, fd->is_const ? (uint64_t)fd->value : REG(regs, fd->reg)->word)
            : FLOW_STREAMS;
    /* Standard output and error take whatever comes: only what was written matters, not what stands before
     * it. */
    lab->output = (is_text(fn->prim) || is_flush(fn->prim, call)) && (lab->stream == 1 || lab->stream == 2);
    lab->descriptor = fd && !fd->is_const ? label_of(REG(regs, fd->reg)->shadow) : LABEL_NONE;
    if (lab->output)
        lab->stream = FLOW_STREAMS;
    if (lab->stream < FLOW_STREAMS)
        label_flow(vm, lab->streams[lab->stream]);
}

void vm_label_results(Vm *vm, const Code *call, Reg *regs, uint64_t label)
{
    for (uint32_t i = 0; label && i < call->call->ndst; i++)
        label_reg_add(vm, REG(regs, call->call->dst[i].reg), label_of(label));
}

void label_call_end(Vm *vm, const FnCode *fn, Reg *regs)
{
    struct Labels *lab = vm->lab;
    /* Whether standard output takes it depends on what became of the descriptor. */
    VmLabel l = label_passing(vm);
    if (lab->output && fn->prim != prim_emit) {
        l = fn->prim == prim_write ? label_made(vm) : lab->descriptor;
        l = label_unite(vm, l, label_descriptors(vm));
    }
    vm_label_results(vm, vm->pc, regs, (uint64_t)label_relative(vm, l).id << 32);
    if (!fn->prim || is_plain(fn->prim))
        return;
    if (vm->now.made.id) /* by decisions of the primitive itself */
        label_spread(vm);
    if (lab->stream < FLOW_STREAMS)
        lab->streams[lab->stream] = label_unite(vm, lab->streams[lab->stream], label_here(vm, l));
    if (fn->prim == prim_close || fn->prim == prim_dup)
        lab->streams[OTHER_FILES] = label_unite(vm, lab->streams[OTHER_FILES], label_here(vm, l));
}

uint32_t label_heap_class(Vm *vm)
{
    const Code *pc = vm->pc;
    const Reg *regs = vm->regs;
    for (; regs; pc = FRAME(regs)->call, regs = FRAME(regs)->caller) {
        uint32_t fn = FRAME(regs)->fn->index;
        if (fn != IR_NONE && !vm->program->fns.v[fn].runtime)
            return flow_object_of_heap(vm->now.flow, label_site_of(pc, regs),
                                       label_site_of(FRAME(regs)->call, FRAME(regs)->caller));
    }
    FlowSite none = {IR_NONE, IR_NONE, IR_NONE};
    return flow_object_of_heap(vm->now.flow, none, none);
}

/* The instruction under way, or the comparison before it that may have become part of it: then nothing has
 * written its result if the run ends before the branch, by a limit. */
static const IrInsn *reader(const Vm *vm)
{
    const IrInsn *insn = FRAME(vm->regs)->fn->index == IR_NONE ? NULL : vm_insn(vm, vm->pc, vm->regs);
    bool first = !insn || vm_source(vm->pc, vm->regs)->insn == 0;
    bool compared =
        !first && insn->op == IR_BR && insn[-1].dst == insn->a && ir_op_is_pure((IrOp)insn[-1].op);
    return compared ? insn - 1 : insn;
}

VmLabel label_ending(Vm *vm)
{
    const IrInsn *insn = reader(vm);
    sym_instant(vm);
    VmLabel l = label_unite(vm, label_passing(vm), vm->now.checked);
    if (insn)
        l = label_unite(vm, l, label_operands(vm, insn, vm->regs));
    return label_here(vm, l);
}
