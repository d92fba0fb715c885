/* label_context.c - the context: which decisions the instruction under way depends on by control.
 *
 * Requires of the static analysis: post-dominators under the policy. An entry waits in its frame for the
 * block that post-dominates its branch; the first code of that block is replaced by JOIN while an entry waits
 * for it. */
#include "vm/labels/label_int.h"

static inline void set_context(Vm *vm)
{
    const struct Labels *lab = vm->lab;
    VmLabel all = lab->contexts.n ? vec_last(&lab->contexts).all : LABEL_NONE;
    vm->mem.stamp = vm->mem.clean | all.id;
}

bool label_ask(Vm *vm, VmLabel l)
{
    VmLabel context = label_context(vm);
    struct LabelAsked *asked = label_asked(vm, l, context);
    *asked = (struct LabelAsked){l, context, label_within(vm, l, context)};
    return asked->within;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static const void *without_join(const Vm *vm, const FnCode *fn, uint32_t at)
{
    return fn->watched && fn->watched[at] ? vm->labels[CODE_WATCH] : fn->originals[at];
}

static void wait_for(Vm *vm, const Context *c)
{
    if (c->code == IR_NONE)
        return;
    FnCode *fn = &vm->fns[c->fn];
    Code *code = &fn->start[c->code];
    if (!fn->waiting[c->code]++ && code->go != vm->labels[CODE_MARK])
        code->go = vm->labels[CODE_JOIN];
}

static void unwait(Vm *vm, const Context *c)
{
    if (c->code == IR_NONE)
        return;
    FnCode *fn = &vm->fns[c->fn];
    Code *code = &fn->start[c->code];
    if (!--fn->waiting[c->code] && code->go == vm->labels[CODE_JOIN])
        code->go = without_join(vm, fn, c->code);
}

/* ---- entering -------------------------------------------------------------------------------- */

static uint32_t parts_end(const struct Labels *lab, uint32_t entry)
{
    return entry + 1 < lab->contexts.n ? lab->contexts.v[entry + 1].part : lab->parts.n;
}

/* The branch was decided before and is not over: its addresses are the same. If they were not, all that they
 * may point into would count. */
static void merge_addresses(Vm *vm, uint32_t first)
{
    struct Labels *lab = vm->lab;
    for (uint32_t i = 0; i < lab->found.n; i++) {
        LabelAddress *old = &lab->addresses.v[first + i];
        const LabelAddress *new = &lab->found.v[i];
        old->own = label_unite(vm, old->own, new->own);
        old->vague |= new->vague || old->word != new->word || old->bad != new->bad;
    }
}

/* The last of the parts; those of the entries behind it move on. */
static void insert_part(struct Labels *lab, uint32_t entry, const ContextPart *part)
{
    uint32_t end = parts_end(lab, entry);
    vec_reserve(&lab->parts, lab->parts.n + 1);
    if (end < lab->parts.n)
        memmove(&lab->parts.v[end + 1], &lab->parts.v[end], (lab->parts.n - end) * sizeof *part);
    lab->parts.n++;
    lab->parts.v[end] = *part;
    lab->parts.v[end].address = lab->addresses.n;
    for (uint32_t i = 0; part->insn == (uint32_t)PART_BRANCH && i < lab->found.n; i++)
        vec_push(&lab->addresses, lab->found.v[i]);
    for (uint32_t i = entry + 1; i < lab->contexts.n; i++) {
        lab->contexts.v[i].part++;
        lab->contexts.v[i].address = lab->addresses.n;
    }
}

static void add_part(Vm *vm, uint32_t entry, const ContextPart *part)
{
    struct Labels *lab = vm->lab;
    uint32_t end = parts_end(lab, entry);
    for (uint32_t i = lab->contexts.v[entry].part; i < end; i++) {
        ContextPart *p = &lab->parts.v[i];
        if (p->block == part->block && p->insn == part->insn) {
            p->label = label_unite(vm, p->label, part->label);
            if (part->insn == (uint32_t)PART_BRANCH)
                merge_addresses(vm, p->address);
            return;
        }
    }
    insert_part(lab, entry, part);
}

/* Another entry. What a decision made here depends on says all that the context did. */
static void enter_new(Vm *vm, const Context *c, const ContextPart *part)
{
    struct Labels *lab = vm->lab;
    bool decided = part->insn == (uint32_t)PART_BRANCH;
    vec_reserve(&lab->contexts, lab->contexts.n + 1);
    Context *new = &lab->contexts.v[lab->contexts.n++];
    *new = *c;
    new->all = decided ? part->label : label_unite(vm, label_context(vm), part->label);
    new->part = lab->parts.n;
    new->address = lab->addresses.n;
    wait_for(vm, new);
    insert_part(lab, lab->contexts.n - 1, part);
}

/* The entry that waits for the same, or a new one. There is one for each frame and post-dominator, so that a
 * loop with several ways to go on, some of which nothing but the function's end ends, keeps as many as it has
 * such ways. */
static void enter(Vm *vm, const Context *c, const ContextPart *part)
{
    struct Labels *lab = vm->lab;
    uint32_t at = lab->contexts.n;
    while (at-- > 0 && lab->contexts.v[at].frame == c->frame)
        if (lab->contexts.v[at].ipdom == c->ipdom) {
            lab->contexts.v[at].early |= c->early;
            for (uint32_t i = at; i < lab->contexts.n; i++)
                lab->contexts.v[i].all = label_unite(vm, lab->contexts.v[i].all, part->label);
            add_part(vm, at, part);
            set_context(vm);
            return;
        }
    enter_new(vm, c, part);
    set_context(vm);
}

/* Something in a block (IR_NONE: in none) that may leave the function: nothing but its end ends that. */
static void enter_rest(Vm *vm, Reg *regs, uint32_t block, VmLabel l)
{
    Frame *frame = FRAME(regs);
    Context c = {.frame = frame->serial, .fn = frame->fn->index, .ipdom = FLOW_EXIT, .code = IR_NONE};
    c.early = true;
    frame->flags |= FRAME_CONTEXT;
    enter(vm, &c, &(ContextPart){.block = block, .insn = (uint32_t)PART_CHECK, .label = l});
}

/* The branch at the end of a block. */
static void enter_branch(Vm *vm, Reg *regs, uint32_t block, VmLabel l)
{
    Frame *frame = FRAME(regs);
    LabelBranch *b = label_branch(vm, frame->fn, block);
    Context c = {.frame = frame->serial, .fn = frame->fn->index, .ipdom = b->ipdom, .code = b->code};
    c.early = b->early;
    label_branch_find(vm, regs, b, &vm->lab->found);
    frame->flags |= FRAME_CONTEXT;
    enter(vm, &c, &(ContextPart){.block = block, .insn = (uint32_t)PART_BRANCH, .label = l, .branch = b});
}

FlowSite label_site_of(const Code *pc, const Reg *regs)
{
    const CodeSource *source = regs ? vm_source(pc, regs) : NULL;
    FlowSite at = {regs ? FRAME(regs)->fn->index : IR_NONE, IR_NONE, IR_NONE};
    if (source) {
        at.block = source->block;
        at.insn = source->insn;
    }
    return at;
}

FlowSite label_site(const Vm *vm) { return label_site_of(vm->pc, vm->regs); }

void label_push_branch(Vm *vm, VmLabel l)
{
    if (!(vm->lab->off & LABEL_OFF_CONTROL))
        enter_branch(vm, vm->regs, sym_place(vm)->block, l);
}

void label_push_check(Vm *vm, VmLabel l)
{
    if (!(vm->lab->off & LABEL_OFF_CONTROL))
        enter_rest(vm, vm->regs, label_site(vm).block, l);
}

/* May a function that this call may enter leave otherwise than by returning? */
static bool may_leave(Vm *vm, FlowSite at)
{
    struct Labels *lab = vm->lab;
    uint64_t key = flow_site_key(at), known;
    if (at.fn == IR_NONE || at.block == IR_NONE)
        return false;
    if (!map_get(&lab->leaving, key, &known)) {
        FlowSites all = flow_leaves(vm->now.flow, at.fn, lab->policy);
        known = 0;
        for (uint32_t i = 0; i < all.n; i++)
            known |= all.v[i].block == at.block && all.v[i].insn == at.insn;
        map_put(&lab->leaving, key, known);
    }
    return known;
}

/* Whether the call comes back may depend on which function it entered. */
bool label_push_call(Vm *vm, uint64_t frame)
{
    struct Labels *lab = vm->lab;
    VmLabel l = lab->call;
    lab->call = LABEL_NONE;
    if (!l.id || (lab->off & LABEL_OFF_CONTROL))
        return false;
    FlowSite at = label_site(vm);
    Context c = {
        .frame = frame, .fn = at.fn, .ipdom = FLOW_EXIT, .code = IR_NONE, .early = may_leave(vm, at)};
    enter(vm, &c, &(ContextPart){.block = at.block, .insn = at.insn, .label = l});
    return true;
}

/* ---- leaving --------------------------------------------------------------------------------- */

/* The instruction there that sets the register, or NULL. */
static const IrInsn *definition_in(const IrFn *ir, const BitSet *inside, uint32_t reg)
{
    const IrInsn *def = ir_reg_def(ir, reg);
    return def && bitset_has(inside, ir->regs.v[reg].block) ? def : NULL;
}

/* Where a register's label goes: its place, and if its instruction may have disappeared into those that read
 * it (prepare_fuse.c), the places that these read instead, as far as the branch may have set them. `inside`
 * NULL: the latter for every pure instruction, wherever it stands, since its own place may never be
 * written. */
static void places_of(const Vm *vm, const FnCode *fn, const BitSet *inside, uint32_t reg, U32Vec *out)
{
    const IrFn *ir = &vm->program->fns.v[fn->index];
    U32Vec work = {0}, reads = {0};
    BitSet seen = {0};
    vec_push(&work, reg);
    while (work.n) {
        reg = vec_pop(&work);
        const IrInsn *def = inside ? definition_in(ir, inside, reg) : ir_reg_def(ir, reg);
        bool address = def && (def->op == IR_OFFSET || def->op == IR_INDEX),
             pure = def && ir_op_is_pure((IrOp)def->op);
        if (fn->slots[reg] != IR_NONE && !ir_reg_const_of(ir, reg) && (inside || !(address || pure)))
            vec_push(out, fn->slots[reg]);
        if (!address && !(pure && (!inside || fn->slots[reg] == IR_NONE)))
            continue;
        ir_insn_reads(ir, def, &reads);
        for (uint32_t i = 0; i < reads.n; i++)
            if (!ir_reg_const_of(ir, reads.v[i]) && (!inside || definition_in(ir, inside, reads.v[i])) &&
                bitset_add(&seen, reads.v[i]))
                vec_push(&work, reads.v[i]);
    }
    vec_free(&work);
    vec_free(&reads);
    bitset_free(&seen);
}

static const U32Vec *join_slots(Vm *vm, const FnCode *fn, uint32_t block, LabelBranch *b)
{
    struct Labels *lab = vm->lab;
    if (!b->join) {
        FlowList regs = flow_join_regs(vm->now.flow, fn->index, block, lab->policy);
        BitSet inside = label_region(vm, fn, block);
        U32Vec slots = {0};
        for (uint32_t i = 0; i < regs.n; i++)
            places_of(vm, fn, &inside, regs.v[i], &slots);
        bitset_free(&inside);
        vec_push(&lab->slots, slots);
        b->join = lab->slots.n;
    }
    return &lab->slots.v[b->join - 1];
}

VmLabel label_roots(Vm *vm, const Reg *regs, uint32_t reg)
{
    struct Labels *lab = vm->lab;
    const FnCode *fn = FRAME(regs)->fn;
    uint64_t key = (uint64_t)fn->index << 32 | reg, at;
    VmLabel l = LABEL_NONE;
    if (!map_get(&lab->operands, key, &at)) {
        U32Vec slots = {0};
        places_of(vm, fn, NULL, reg, &slots);
        map_put(&lab->operands, key, at = lab->slots.n);
        vec_push(&lab->slots, slots);
    }
    for (uint32_t i = 0; i < lab->slots.v[at].n; i++)
        l = label_unite(vm, l, label_of(REG(regs, lab->slots.v[at].v[i])->shadow));
    return l;
}

/* What a side of the branch, or another function that the call might have entered, might have written. */
static void potential_writes(Vm *vm, const Reg *regs, const ContextPart *part)
{
    struct Labels *lab = vm->lab;
    uint32_t fn = FRAME(regs)->fn->index;
    if (lab->off & LABEL_OFF_MEMORY)
        return;
    if (part->branch) {
        label_branch_written(vm, regs, part);
        return;
    }
    FlowSite call = {fn, part->block, part->insn};
    label_potential(vm, regs, fn, flow_insn_writes(vm->now.flow, call), part->label);
}

/* Forgets an entry that is no longer among the contexts, and what belongs to it. */
static void forget(struct Labels *lab, const Context *c)
{
    lab->parts.n = c->part;
    lab->addresses.n = c->address;
}

/* Takes the topmost entry off. */
static void leave(Vm *vm, Reg *regs, bool at_block)
{
    struct Labels *lab = vm->lab;
    Context c = vec_last(&lab->contexts);
    lab->contexts.n--;
    unwait(vm, &c);
    set_context(vm);
    for (uint32_t i = c.part; i < lab->parts.n; i++) {
        const ContextPart part = lab->parts.v[i];
        if (part.insn == (uint32_t)PART_CHECK || part.block == IR_NONE)
            continue;
        if (at_block && part.branch && !(lab->off & LABEL_OFF_REGISTERS)) {
            const U32Vec *slots = join_slots(vm, FRAME(regs)->fn, part.block, part.branch);
            for (uint32_t k = 0; k < slots->n; k++)
                label_reg_add(vm, REG(regs, slots->v[k]), part.label);
        }
        if (at_block && part.branch && part.branch->room)
            label_room_set(vm, regs, label_unite(vm, vm->now.room, part.label));
        potential_writes(vm, part.branch ? regs : FRAME(regs)->caller, &part);
    }
    forget(lab, &c);
}

static VmLabel parts_label(Vm *vm, const Context *c)
{
    VmLabel l = LABEL_NONE;
    for (uint32_t i = c->part; i < vm->lab->parts.n; i++)
        l = label_unite(vm, l, vm->lab->parts.v[i].label);
    return l;
}

const void *vm_label_join(Vm *vm, const Code *pc, Reg *regs)
{
    struct Labels *lab = vm->lab;
    Frame *frame = FRAME(regs);
    FnCode *fn = frame->fn;
    uint32_t at = (uint32_t)(pc - fn->start), low = lab->contexts.n;
    for (uint32_t i = low; i-- > 0 && lab->contexts.v[i].frame == frame->serial;)
        if (lab->contexts.v[i].code == at)
            low = i;
    VmLabel kept = LABEL_NONE; /* of what only the end of the function ends */
    while (lab->contexts.n > low) {
        if (vec_last(&lab->contexts).ipdom >= FLOW_EXIT)
            kept = label_unite(vm, kept, parts_label(vm, &vec_last(&lab->contexts)));
        leave(vm, regs, true);
    }
    if (kept.id)
        enter_rest(vm, regs, IR_NONE, kept);
    else if (!lab->contexts.n || vec_last(&lab->contexts).frame != frame->serial)
        frame->flags &= ~(uint32_t)FRAME_CONTEXT;
    return without_join(vm, fn, at);
}

/* Does the caller know that the call, which returns now, might not have? Of a function that the table
 * describes it knows what the table says: else what follows would depend on what the function's body decided
 * where it was called, and on nothing where it was not. */
static bool is_seen_leaving(Vm *vm, const Frame *frame)
{
    FlowSite at = label_site_of(frame->call, frame->caller);
    bool users = at.fn != IR_NONE && at.block != IR_NONE && !vm->program->fns.v[at.fn].runtime;
    return !users || !flow_is_described(vm->now.flow, frame->fn->index) || may_leave(vm, at);
}

uint64_t vm_label_return(Vm *vm, Reg *regs)
{
    struct Labels *lab = vm->lab;
    Frame *frame = FRAME(regs);
    VmLabel result = LABEL_NONE, moved = LABEL_NONE;
    while (lab->contexts.n && vec_last(&lab->contexts).frame == frame->serial) {
        const Context *c = &vec_last(&lab->contexts);
        bool early = c->early && !(lab->off & LABEL_OFF_EARLY) && is_seen_leaving(vm, frame);
        VmLabel *to = early ? &moved : &result;
        *to = label_unite(vm, *to, parts_label(vm, c));
        leave(vm, regs, false);
    }
    frame->flags &= ~(uint32_t)FRAME_CONTEXT;
    if (moved.id)
        enter_rest(vm, frame->caller, label_site_of(frame->call, frame->caller).block, moved);
    if (lab->off & LABEL_OFF_RESULT)
        return 0;
    return (uint64_t)label_relative(vm, result).id << 32;
}

void label_pop_call(Vm *vm, Reg *regs)
{
    struct Labels *lab = vm->lab;
    const Context c = vec_last(&lab->contexts);
    VmLabel l = parts_label(vm, &c);
    const ContextPart part = lab->parts.v[c.part];
    lab->contexts.n--;
    set_context(vm);
    forget(lab, &c);
    potential_writes(vm, regs, &part);
    if (c.early)
        label_push_check(vm, l);
    else
        vm_label_results(vm, vm->pc, regs, (uint64_t)l.id << 32);
}

/* What runs from now on in the landing frame runs only because of all this, and nothing in it ends that. */
void vm_label_longjmp(Vm *vm, Reg *to)
{
    struct Labels *lab = vm->lab;
    VmLabel all = label_here(vm, label_made(vm));
    uint64_t serial = FRAME(to)->serial;
    while (lab->contexts.n && vec_last(&lab->contexts).frame >= serial) {
        unwait(vm, &vec_last(&lab->contexts));
        forget(lab, &vec_last(&lab->contexts));
        lab->contexts.n--;
    }
    set_context(vm);
    if (all.id)
        enter_rest(vm, to, IR_NONE, all);
}

/* ---- whole states ---------------------------------------------------------------------------- */

static void drop_all(Vm *vm)
{
    struct Labels *lab = vm->lab;
    for (uint32_t i = 0; i < lab->contexts.n; i++)
        unwait(vm, &lab->contexts.v[i]);
    vec_clear(&lab->contexts);
    vec_clear(&lab->parts);
    vec_clear(&lab->addresses);
    vec_clear(&lab->rooms);
    vm->now.room = lab->links = LABEL_NONE;
}

void label_reset(Vm *vm)
{
    struct Labels *lab = vm->lab;
    drop_all(vm);
    label_log_reset(vm);
    memset(lab->streams, 0, sizeof lab->streams);
    memset(lab->sinks_seen, 0, sizeof lab->sinks_seen);
    vm->now.own = vm->now.made = vm->now.flowing = vm->now.checked = lab->call = LABEL_NONE;
    vm->mem.clean = vm->mem.stamp = 0;
}

#define COPY_ALL(to, from)                                       \
    do {                                                         \
        vec_reserve(&(to), (from).n);                            \
        if ((from).n)                                            \
            memcpy((to).v, (from).v, (from).n * sizeof *(to).v); \
        (to).n = (from).n;                                       \
    } while (0)

LabelSaved *label_save(Vm *vm, size_t *bytes)
{
    struct Labels *lab = vm->lab;
    LabelSaved *out = mem_zalloc(sizeof *out);
    lab->frozen = lab->log.n;
    COPY_ALL(out->contexts, lab->contexts);
    COPY_ALL(out->parts, lab->parts);
    COPY_ALL(out->addresses, lab->addresses);
    COPY_ALL(out->rooms, lab->rooms);
    out->room = vm->now.room;
    out->links = lab->links;
    memcpy(out->streams, lab->streams, sizeof out->streams);
    *bytes += sizeof *out + out->contexts.n * sizeof(Context) + out->parts.n * sizeof(ContextPart) +
              out->addresses.n * sizeof(LabelAddress);
    return out;
}

void label_saved_free(LabelSaved *s)
{
    if (!s)
        return;
    vec_free(&s->contexts);
    vec_free(&s->parts);
    vec_free(&s->addresses);
    vec_free(&s->rooms);
    mem_free(s);
}

void label_restore(Vm *vm, const LabelSaved *from)
{
    struct Labels *lab = vm->lab;
    drop_all(vm);
    lab->frozen = lab->log.n;
    COPY_ALL(lab->contexts, from->contexts);
    COPY_ALL(lab->parts, from->parts);
    COPY_ALL(lab->addresses, from->addresses);
    for (uint32_t i = 0; i < lab->contexts.n; i++)
        wait_for(vm, &lab->contexts.v[i]);
    COPY_ALL(lab->rooms, from->rooms);
    vm->now.room = from->room;
    lab->links = from->links;
    memcpy(lab->streams, from->streams, sizeof lab->streams);
    set_context(vm);
}
