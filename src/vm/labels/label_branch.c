/* label_branch.c - what the sides of a branch may write: addresses when it is decided, labels when it is
 * over.
 *
 * The static analysis names addresses that are known when a branch is decided (FlowBranch). They are read
 * then, since their places may hold something else when the branch is over; what the analysis computes from
 * them in the branch's region is computed here in the same way. A branch that is decided again before it is
 * over finds the same addresses: what they are computed from is set outside of the region, which is not left
 * in between. */
#include "vm/labels/label_int.h"

/* Where a value is: a constant, a register of the frame, a step before. */
typedef struct Source {
    enum { SOURCE_CONST, SOURCE_REG, SOURCE_STEP } kind;
    uint8_t width;
    uint32_t at; /* slot, step */
    uint64_t word;
} Source;

enum { OPERANDS = 3, LABEL_NULL_PAGE = 4096 };

typedef struct Step {
    const IrInsn *insn;
    Source operands[OPERANDS];
    uint64_t offset; /* of a load, to the first operand */
} Step;

enum { WITH = COUNT_OF(((FlowKnown *)0)->with) };

/* What is written there, from a known address on. */
struct KnownWrite {
    const FlowKnown *flow;
    bool within; /* what the last one that is not within writes */
};

struct KnownAddress {
    Source at, with[WITH];
    uint32_t nwith, nwrites;
    struct KnownWrite *writes;
};

/* ---- preparation ----------------------------------------------------------------------------- */

static Source source_of(const Vm *vm, const FnCode *fn, const Map *steps, uint32_t reg)
{
    const IrFn *ir = &vm->program->fns.v[fn->index];
    const IrConst *c = ir_reg_const_of(ir, reg);
    Source s = {.width = ir->regs.v[reg].width};
    uint64_t step;
    if (c) {
        s.word = c->kind == IR_CONST_INT ? (uint64_t)c->bits : vm_const_address(vm, c);
    } else if (map_get(steps, reg, &step)) {
        s.kind = SOURCE_STEP;
        s.at = (uint32_t)step;
    } else {
        s.kind = SOURCE_REG;
        s.at = fn->slots[reg];
        if (s.at == IR_NONE)
            bug("register %u of function %u has no place, but a side of a branch uses it", reg, fn->index);
    }
    return s;
}

static Step step_of(const Vm *vm, const FnCode *fn, const Map *steps, const FlowStep *from)
{
    const IrFn *ir = &vm->program->fns.v[fn->index];
    Step step = {.insn = from->insn, .offset = from->offset};
    U32Vec reads = {0};
    if (from->insn->op == IR_LOAD)
        vec_push(&reads, from->base);
    else
        ir_insn_reads(ir, from->insn, &reads);
    for (uint32_t i = 0; i < reads.n && i < OPERANDS; i++)
        step.operands[i] = source_of(vm, fn, steps, reads.v[i]);
    vec_free(&reads);
    return step;
}

static bool is_same_address(const FlowKnown *a, const FlowKnown *b)
{
    return a->reg == b->reg && memcmp(a->with, b->with, sizeof a->with) == 0;
}

/* Of two writes to one address: is b a part of a? Of equal ones the later in the list is. */
static bool is_part(const FlowKnown *a, const FlowKnown *b)
{
    uint64_t from = b->offset - a->offset;
    if (!a->size || !b->size || a == b)
        return false;
    if (a->size == FLOW_WHOLE)
        return b->size != FLOW_WHOLE || a < b;
    if (b->size == FLOW_WHOLE || from > a->size || b->size > a->size - from)
        return false;
    return from || a->size != b->size || a < b;
}

static bool is_part_of_any(const FlowKnown *list, uint32_t n, const FlowKnown *known)
{
    bool found = false;
    for (uint32_t i = 0; i < n && !found; i++)
        found = is_part(&list[i], known);
    return found;
}

/* Writes to one address. Each that is part of none is followed by its parts: what it labels they need not. */
static void prepare_address(Vm *vm, const FnCode *fn, const Map *steps, const FlowKnown *list, uint32_t n,
                            struct KnownAddress *out)
{
    BitSet done = {0};
    *out = (struct KnownAddress){.at = source_of(vm, fn, steps, list->reg)};
    out->writes = arena_alloc(vm->lab->arena, n * sizeof *out->writes);
    for (unsigned k = 0; k < WITH; k++)
        if (list->with[k] != IR_NONE)
            out->with[out->nwith++] = source_of(vm, fn, steps, list->with[k]);
    for (uint32_t i = 0; i < n; i++) {
        if (is_part_of_any(list, n, &list[i]))
            continue;
        out->writes[out->nwrites++] = (struct KnownWrite){.flow = &list[i]};
        for (uint32_t k = 0; k < n; k++)
            if (is_part(&list[i], &list[k]) && bitset_add(&done, k))
                out->writes[out->nwrites++] = (struct KnownWrite){.flow = &list[k], .within = true};
    }
    bitset_free(&done);
}

static void prepare_writes(Vm *vm, const FnCode *fn, LabelBranch *b)
{
    struct Labels *lab = vm->lab;
    const FlowBranch *flow = b->flow;
    Map steps = {0};
    b->known = arena_alloc(lab->arena, (flow->nknown + 1) * sizeof *b->known);
    b->steps = arena_alloc(lab->arena, (flow->nsteps + 1) * sizeof *b->steps);
    for (uint32_t i = 0; i < flow->nsteps; i++) {
        b->steps[i] = step_of(vm, fn, &steps, &flow->steps[i]);
        map_put(&steps, flow->steps[i].reg, i);
    }
    for (uint32_t i = 0, end; i < flow->nknown; i = end) {
        for (end = i + 1; end < flow->nknown && is_same_address(&flow->known[i], &flow->known[end]); end++)
            ;
        prepare_address(vm, fn, &steps, &flow->known[i], end - i, &b->known[b->nknown++]);
    }
    map_free(&steps);
}

BitSet label_region(Vm *vm, const FnCode *fn, uint32_t block)
{
    BitSet inside = {0};
    U32Vec to = {0};
    ir_block_successors(&vm->program->fns.v[fn->index], block, &to);
    for (uint32_t s = 0; s < to.n; s++) {
        FlowList blocks = flow_side_blocks(vm->now.flow, fn->index, block, s, vm->lab->policy);
        for (uint32_t i = 0; i < blocks.n; i++)
            bitset_add(&inside, blocks.v[i]);
    }
    vec_free(&to);
    return inside;
}

/* The blocks of a branch's sides, under inspection. */
typedef struct Region {
    const IrFn *ir;
    const FlowControl *control;
    BitSet blocks;
} Region;

/* Does something that always follows, and still lies in the region, give back all that was taken since? */
static bool is_restored(const Region *r, uint32_t block, uint32_t from, uint32_t saved)
{
    for (; block < FLOW_EXIT && bitset_has(&r->blocks, block); block = r->control->ipdom[block], from = 0)
        for (uint32_t i = from; i < r->ir->blocks.v[block].insns.n; i++) {
            const IrInsn *insn = &r->ir->blocks.v[block].insns.v[i];
            if (insn->op == IR_STACKRESTORE && insn->a == saved)
                return true;
        }
    return false;
}

static bool is_saved_inside(const Region *r, uint32_t saved)
{
    const IrInsn *def = ir_reg_def(r->ir, saved);
    return def && def->op == IR_STACKSAVE && bitset_has(&r->blocks, r->ir->regs.v[saved].block);
}

/* May some of the stack be taken there that is not given back before the branch ends, or given back that was
 * taken before? Locals of variable size stand right behind what saves how much there is. */
static bool block_changes_room(const Region *r, uint32_t block)
{
    uint32_t saved = IR_NONE;
    bool changes = false;
    for (uint32_t i = 0; i < r->ir->blocks.v[block].insns.n && !changes; i++) {
        const IrInsn *insn = &r->ir->blocks.v[block].insns.v[i];
        if (insn->op == IR_STACKSAVE)
            saved = insn->dst;
        else if (insn->op == IR_STACKRESTORE)
            changes = !is_saved_inside(r, insn->a);
        else if (insn->op == IR_ALLOCA && !(insn->flags & IR_FIXED))
            changes = saved == IR_NONE || !is_restored(r, block, i, saved);
    }
    return changes;
}

static bool changes_room(Vm *vm, const FnCode *fn, uint32_t block, FlowPlaces written)
{
    Flow *flow = vm->now.flow;
    uint32_t room = flow_state_of(flow_object_of_room(flow));
    bool touched = false, changes = false;
    for (uint32_t i = 0; i < written.n; i++)
        touched |= written.v[i].object == room;
    if (!touched)
        return false;
    Region r = {&vm->program->fns.v[fn->index], flow_control(flow, fn->index, vm->lab->policy),
                label_region(vm, fn, block)};
    for (uint32_t b = bitset_next(&r.blocks, 0); b != UINT32_MAX && !changes;
         b = bitset_next(&r.blocks, b + 1))
        changes = block_changes_room(&r, b);
    bitset_free(&r.blocks);
    return changes;
}

LabelBranch *label_branch_new(Vm *vm, const FnCode *fn, uint32_t block)
{
    struct Labels *lab = vm->lab;
    const FlowControl *control = flow_control(vm->now.flow, fn->index, lab->policy);
    LabelBranch *b = arena_alloc(lab->arena, sizeof *b);
    b->ipdom = control->ipdom[block];
    b->early = b->ipdom == IR_NONE || (control->flags[block] & FLOW_EARLY);
    b->code = b->ipdom < FLOW_EXIT ? fn->labels[b->ipdom] : IR_NONE;
    b->flow = flow_branch_writes(vm->now.flow, fn->index, block, lab->policy);
    b->room = changes_room(vm, fn, block, b->flow->places);
    prepare_writes(vm, fn, b);
    while (fn->index >= lab->branches.n)
        vec_push(&lab->branches, NULL);
    LabelBranch ***all = &lab->branches.v[fn->index];
    if (!*all)
        *all = arena_alloc(lab->arena, vm->program->fns.v[fn->index].blocks.n * sizeof **all);
    return (*all)[block] = b;
}

/* ---- when it is decided ---------------------------------------------------------------------- */

static LabelAddress read_source(const Reg *regs, const LabelAddress *steps, const Source *s)
{
    if (s->kind == SOURCE_STEP)
        return steps[s->at];
    if (s->kind == SOURCE_CONST)
        return (LabelAddress){.word = s->word};
    const Reg *r = REG(regs, s->at);
    return (LabelAddress){.word = r->word, .own = label_of(r->shadow), .vague = (uint32_t)r->shadow != 0};
}

static bool is_undefined(const Object *o, uint64_t offset, uint64_t n)
{
    for (uint64_t i = 0; o->undef && i < n; i++)
        if (o->undef[offset + i])
            return true;
    return false;
}

/* What a load would find. Behind a vague address it may be anything: no single place's contents and labels
 * may tell, since another run would look at another. Nor if nothing lives there, which may be otherwise in
 * another run; but near null nothing ever does. */
static void load(Vm *vm, LabelAddress *at, uint64_t offset, uint8_t width)
{
    uint64_t address = at->word + offset, n = (width + 7u) / 8;
    Object *o = at->bad || at->vague ? NULL : mem_find(&vm->mem, address);
    uint64_t from = o ? address - o->base : 0;
    bool lives = o && o->payload && o->death == DEATH_NONE, gone = !at->bad && !at->vague && !lives;
    const Grave *grave = gone ? mem_grave(&vm->mem, address) : NULL;
    at->vague |= gone && address >= LABEL_NULL_PAGE;
    at->word = 0;
    at->bad |= !lives || from > o->size || n > o->size - from;
    if (lives || grave)
        at->own = label_unite(vm, at->own, lives ? label_state(vm, o) : (VmLabel){grave->state});
    if (at->bad)
        return;
    memcpy(&at->word, o->data + from, n);
    at->word &= bits_mask64(width);
    at->vague |= (o->sym && sym_any(o, from, n)) || is_undefined(o, from, n);
    at->own = label_unite(vm, at->own, label_get(vm, o, from, n));
}

static LabelAddress compute(Vm *vm, const Reg *regs, const LabelAddress *steps, const Step *step)
{
    const IrInsn *insn = step->insn;
    const Source *s = step->operands;
    LabelAddress result = read_source(regs, steps, &s[0]);
    u128 v[OPERANDS] = {result.word};
    if (insn->op == IR_LOAD) {
        load(vm, &result, step->offset, insn->width);
        return result;
    }
    if (insn->op == IR_PHI)
        return result;
    bool address = insn->op == IR_OFFSET || insn->op == IR_INDEX;
    unsigned n = address ? 2 : bits_op_arity(ir_op_bits((IrOp)insn->op));
    for (unsigned i = 1; i < n; i++) {
        LabelAddress other = read_source(regs, steps, &s[i]);
        v[i] = other.word;
        result.own = label_unite(vm, result.own, other.own);
        result.vague |= other.vague;
        result.bad |= other.bad;
    }
    if (address) {
        uint64_t by = (uint64_t)bits_signed(v[1], s[1].width);
        result.word += by * (insn->op == IR_INDEX ? insn->c : 1);
    } else {
        BitsOp op = ir_op_bits((IrOp)insn->op);
        uint8_t width = bits_op_result(op) == BITS_RESULT_BIT ? s[0].width : insn->width;
        result.word = (uint64_t)bits_apply(op, width, s[0].width, v[0], v[1], v[2]);
    }
    return result;
}

/* Where a copy writes depends on all its operands. */
static LabelAddress known_at(Vm *vm, const Reg *regs, const LabelAddress *steps,
                             const struct KnownAddress *known)
{
    LabelAddress at = read_source(regs, steps, &known->at);
    for (uint32_t i = 0; i < known->nwith; i++) {
        LabelAddress with = read_source(regs, steps, &known->with[i]);
        at.own = label_unite(vm, at.own, with.own);
        at.vague |= with.vague;
        at.bad |= with.bad;
    }
    at.own = label_relative(vm, at.own);
    return at;
}

void label_branch_find(Vm *vm, const Reg *regs, const LabelBranch *b, LabelAddressVec *out)
{
    uint32_t nsteps = b->flow->nsteps, nknown = b->nknown;
    vec_clear(out);
    if (!nknown)
        return;
    vec_reserve(out, nsteps + nknown);
    vm->lab->untaken = true;
    for (uint32_t i = 0; i < nsteps; i++)
        out->v[i] = compute(vm, regs, out->v, &b->steps[i]);
    for (uint32_t i = 0; i < nknown; i++)
        out->v[nsteps + i] = known_at(vm, regs, out->v, &b->known[i]);
    vm->lab->untaken = false;
    memmove(out->v, out->v + nsteps, nknown * sizeof *out->v);
    out->n = nknown;
}

/* ---- when it is over ------------------------------------------------------------------------- */

void label_object_written(Vm *vm, Object *o, uint64_t at, uint64_t size, VmLabel l)
{
    if (!o->payload || o->constant)
        return;
    vm->lab->untaken = true;
    if (!size)
        label_state_add(vm, o, l);
    else if (size == FLOW_WHOLE || at > o->size)
        label_add(vm, o, 0, o->size, l);
    else
        label_add(vm, o, at, size < o->size - at ? size : o->size - at, l);
    vm->lab->untaken = false;
}

/* The object there is labelled by itself; where the address depends on something that the context does not
 * name, so is all that it may point into. Where nothing is, the access would fail, and the run does not go on
 * after it, unless failing is a way to go on. */
static void known_written(Vm *vm, const Reg *regs, const struct KnownAddress *known, const LabelAddress *at,
                          VmLabel l)
{
    const Object *whole = NULL; /* where the last write that is not within another went */
    l = label_unite(vm, l, at->own);
    for (uint32_t i = 0; i < known->nwrites; i++) {
        const FlowKnown *write = known->writes[i].flow;
        uint64_t address = at->word + (write->size == FLOW_WHOLE ? 0 : write->offset);
        Object *o = at->bad || at->vague ? NULL : mem_find(&vm->mem, address);
        bool said = known->writes[i].within && o && o == whole && address - o->base <= o->size;
        if (!known->writes[i].within)
            whole = o;
        if (o && !said)
            label_object_written(vm, o, address - o->base, write->size, l);
        if (at->own.id || at->vague || (!o && (vm->lab->policy & FLOW_TIE_FAULTS)))
            label_potential(vm, regs, FRAME(regs)->fn->index, write->otherwise, l);
    }
}

/* The side that was taken counts too: what it may write and did not is as much a matter of the branch, and
 * labels must not depend on which side a run took. */
void label_branch_written(Vm *vm, const Reg *regs, const ContextPart *part)
{
    const FnCode *fn = FRAME(regs)->fn;
    LabelBranch *b = part->branch;
    label_potential_group(vm, regs, fn->index, b->flow->places, &b->group, part->label);
    for (uint32_t i = 0; i < b->nknown; i++) {
        const LabelAddress at = vm->lab->addresses.v[part->address + i];
        known_written(vm, regs, &b->known[i], &at, part->label);
    }
}
