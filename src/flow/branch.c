/* branch.c - what may be written between a branch and its immediate post-dominator.
 *
 * The blocks between are the branch's region. A register that is set outside of it keeps its value from the
 * branch to the post-dominator, and so does what is computed from such registers in the region. An address of
 * that kind is known when the branch is decided, before its outcome is: it means one
 * object of the run, and not a class of objects.
 *
 * A branch inside the region must say nothing of memory that this one says nothing of: else what is said of
 * it would depend on the side. So whatever is known here is known there: it is a question of where registers
 * are set and memory is written, and never of how many there are. */
#include "flow/places.h"

#include <stdlib.h>

enum {
    STRIPPED_MOST = 8,
    OFFSET_MOST = 1 << 24,
    REGS_MOST = 1 << 14 /* of a function; of a larger one nothing is known */
};

typedef Vec(FlowKnown) KnownVec;

typedef struct Region {
    Flow *flow;
    uint32_t fn, branch; /* block of the branch */
    const IrFn *ir;
    uint8_t *inside;   /* by block */
    uint8_t *is_known; /* by register that is set in the region */
    U32Vec found;      /* these, in the order in which they can be computed */
    KnownVec known;
    FlowPlaces writes; /* of the region, by classes: v is NULL until a load asks */
    BitSet ahead;      /* blocks that the branch leads to before `avoided` */
    uint32_t avoided;  /* IR_NONE: not asked yet */
} Region;

/* ---- what is known at the branch ------------------------------------------------------------- */

static bool is_number(const IrFn *fn, uint32_t reg)
{
    const IrConst *c = ir_reg_const_of(fn, reg);
    return c && c->kind == IR_CONST_INT;
}

/* The register that an address of a load or store is a constant distance away from. The machine reads that
 * one there, and none of those between (prepare_fuse.c), so it is the one that is still there at the
 * branch. */
static bool strip(const Region *r, uint32_t *reg, uint64_t *offset)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < STRIPPED_MOST; i++) {
        const IrInsn *def = ir_reg_def(r->ir, *reg);
        const uint32_t *list = def && def->op == IR_PHI ? &r->ir->extra.v[def->a] : NULL;
        if (list && list[0] == 1 && !ir_reg_const_of(r->ir, list[2])) {
            *reg = list[2];
            continue;
        }
        if (!def || (def->op != IR_OFFSET && def->op != IR_INDEX) || !is_number(r->ir, def->b)) {
            *offset = (uint64_t)sum;
            return true;
        }
        i128 by = bits_signed(ir_reg_const_of(r->ir, def->b)->bits, r->ir->regs.v[def->b].width);
        by *= def->op == IR_INDEX ? def->c : 1;
        if (by > OFFSET_MOST || by < -OFFSET_MOST)
            return false;
        sum += (int64_t)by;
        *reg = def->a;
    }
    return false;
}

static bool is_set_inside(const Region *r, uint32_t reg)
{
    return ir_reg_def(r->ir, reg) && r->inside[r->ir->regs.v[reg].block];
}

static bool knows(const Region *r, uint32_t reg)
{
    const IrConst *c = ir_reg_const_of(r->ir, reg);
    if (r->ir->regs.v[reg].width > 64 || (c && c->kind == IR_CONST_UNDEF))
        return false;
    return !is_set_inside(r, reg) || r->is_known[reg];
}

static FlowPlaces region_writes(Region *r)
{
    PlaceBag all = {0};
    for (uint32_t b = 0; b < r->ir->blocks.n && !r->writes.v; b++)
        for (uint32_t i = 0; r->inside[b] && i < r->ir->blocks.v[b].insns.n; i++) {
            PlaceSet set = insn_places(r->flow, (FlowSite){r->fn, b, i}, true);
            bag_add_set(&all, &set);
        }
    if (!r->writes.v) {
        PlaceAnswer answer = {.set = bag_close(r->flow, &all)};
        r->writes = places_list(r->flow, &answer);
    }
    return r->writes;
}

/* The first of the places that is not of an object before this one; places of objects come first,
 * ascending. */
static uint32_t first_of(FlowPlaces places, uint32_t object)
{
    uint32_t low = 0, high = places.n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (places.v[middle].param == IR_NONE && places.v[middle].object < object)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* May an instruction of the region write there? */
static bool is_written(Region *r, const FlowPlace *read)
{
    FlowPlaces writes = region_writes(r);
    bool meet = false, wide = read->param != IR_NONE || read->object == FLOW_OBJECT_ANY;
    for (uint32_t i = wide ? 0 : first_of(writes, read->object); i < writes.n && !meet; i++) {
        if (!wide && writes.v[i].param == IR_NONE && writes.v[i].object != read->object)
            i = first_of(writes, IR_NONE);
        if (i < writes.n)
            meet = flow_places_meet(r->flow, r->fn, &writes.v[i], read);
    }
    return meet || (writes.n && writes.v[0].param == IR_NONE && writes.v[0].object == FLOW_OBJECT_ANY);
}

static bool may_change(Region *r, FlowSite load)
{
    FlowPlaces reads = flow_insn_reads(r->flow, load);
    bool may = false;
    for (uint32_t i = 0; i < reads.n && !may; i++)
        if (reads.v[i].param != IR_NONE || !flow_is_state(reads.v[i].object))
            may = is_written(r, &reads.v[i]);
    return may;
}

/* Can the instruction's result be computed at the branch? */
static bool computes(Region *r, FlowSite at, const IrInsn *insn, U32Vec *reads)
{
    uint32_t base = insn->a;
    uint64_t offset;
    if (insn->width > 64)
        return false;
    if (insn->op == IR_LOAD)
        return strip(r, &base, &offset) && knows(r, base) && !may_change(r, at);
    bool known = insn->op == IR_OFFSET || insn->op == IR_INDEX || ir_op_is_pure((IrOp)insn->op) ||
                 (insn->op == IR_PHI && r->ir->extra.v[insn->a] == 1);
    if (known)
        ir_insn_reads(r->ir, insn, reads);
    for (uint32_t i = 0; known && i < reads->n; i++)
        known = knows(r, reads->v[i]);
    return known;
}

/* Again as long as something is found: blocks need not come in the order in which they run. */
static void find_known(Region *r)
{
    U32Vec reads = {0};
    for (bool more = true; more;) {
        more = false;
        for (uint32_t b = 0; b < r->ir->blocks.n; b++)
            for (uint32_t i = 0; r->inside[b] && i < r->ir->blocks.v[b].insns.n; i++) {
                const IrInsn *insn = &r->ir->blocks.v[b].insns.v[i];
                if (insn->dst == IR_NONE || r->is_known[insn->dst] ||
                    !computes(r, (FlowSite){r->fn, b, i}, insn, &reads))
                    continue;
                r->is_known[insn->dst] = 1;
                vec_push(&r->found, insn->dst);
                more = true;
            }
    }
    vec_free(&reads);
}

bool region_takes(Region *r, uint32_t reg, uint64_t first, uint64_t size)
{
    if (ir_reg_const_of(r->ir, reg) || !knows(r, reg))
        return false;
    PlaceBag bag = {0};
    if (size)
        places_behind(r->flow, r->fn, reg, first, size, &bag);
    else
        places_state(r->flow, r->fn, reg, &bag);
    PlaceAnswer otherwise = {.set = bag_close(r->flow, &bag)};
    vec_push(
        &r->known,
        (FlowKnown){
            reg, {IR_NONE, IR_NONE}, size == FLOW_WHOLE ? 0 : first, size, places_list(r->flow, &otherwise)});
    return true;
}

/* ---- what is made there ---------------------------------------------------------------------- */

/* The register that an address is some distance away from, IR_NONE if that is too long a way; the distance,
 * if it is constant. */
static uint32_t root_of(const Region *r, uint32_t reg, bool *constant, uint64_t *offset)
{
    *constant = strip(r, &reg, offset);
    for (unsigned i = 0; i < STRIPPED_MOST; i++) {
        const IrInsn *def = ir_reg_def(r->ir, reg);
        const uint32_t *list = def && def->op == IR_PHI ? &r->ir->extra.v[def->a] : NULL;
        bool moves = def && (def->op == IR_OFFSET || def->op == IR_INDEX);
        if (!moves && !(list && list[0] == 1))
            return reg;
        *constant = *constant && list;
        reg = list ? list[2] : def->a;
    }
    return IR_NONE;
}

static bool is_large(const IrFn *fn);

/* Marks the blocks that control can reach from one of them, itself included, without passing another. */
static void mark_from(const IrFn *fn, uint32_t from, uint32_t without, uint8_t *marked)
{
    U32Vec work = {0}, to = {0};
    if (from < fn->blocks.n && from != without)
        vec_push(&work, from);
    while (work.n) {
        uint32_t b = vec_pop(&work);
        if (marked[b])
            continue;
        marked[b] = 1;
        ir_block_successors(fn, b, &to);
        for (uint32_t i = 0; i < to.n; i++)
            if (to.v[i] != without)
                vec_push(&work, to.v[i]);
    }
    vec_free(&work);
    vec_free(&to);
}

static bool dominates(const FlowControl *c, uint32_t above, uint32_t block)
{
    while (block != above && block != IR_NONE)
        block = c->idom[block];
    return block == above;
}

static bool comes_back(const IrFn *fn, uint32_t block)
{
    uint8_t *marked = mem_zalloc(fn->blocks.n + 1);
    U32Vec to = {0};
    ir_block_successors(fn, block, &to);
    for (uint32_t i = 0; i < to.n; i++)
        mark_from(fn, to.v[i], IR_NONE, marked);
    bool back = marked[block];
    for (uint32_t b = 0; b < fn->blocks.n; b++) /* longjmp comes back to any */
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
            back |= fn->blocks.v[b].insns.v[i].op == IR_SETJMP;
    vec_free(&to);
    mem_free(marked);
    return back;
}

/* Between the branch at the end of a block and its post-dominator, may control pass the other block? */
static bool is_between(Flow *flow, uint32_t fn, uint32_t branch, uint32_t block, unsigned policy)
{
    U32Vec to = {0};
    bool found = false;
    ir_block_successors(flow_fn(flow, fn), branch, &to);
    for (uint32_t s = 0; to.n > 1 && s < to.n && !found; s++) {
        FlowList blocks = flow_side_blocks(flow, fn, branch, s, policy);
        for (uint32_t b = 0; b < blocks.n && !found; b++)
            found = blocks.v[b] == block;
    }
    vec_free(&to);
    return found;
}

/* In a loop a call makes an object each time. Where a branch after the call decides whether control comes to
 * the call once more before the sides join, its result is, from the join on, what the call has made this time
 * or another. By block: is that so there? */
static const uint8_t *unsure_of(Flow *flow, uint32_t fn, uint32_t made)
{
    PlaceTable *t = places_of(flow);
    const IrFn *ir = flow_fn(flow, fn);
    uint64_t key = (uint64_t)fn << 32 | made, found;
    if (map_get(&t->unsure_of, key, &found))
        return t->unsure.v[found];
    uint8_t *unsure = arena_alloc(flow->arena, ir->blocks.n + 1);
    memset(unsure, 0, ir->blocks.n + 1);
    bool back = comes_back(ir, made);
    if (back && is_large(ir))
        memset(unsure, 1, ir->blocks.n);
    for (unsigned policy = 0; policy < FLOW_POLICIES && back && !is_large(ir); policy++) {
        const FlowControl *c = flow_control(flow, fn, policy);
        for (uint32_t b = 0; b < ir->blocks.n; b++)
            if (c->ipdom[b] < ir->blocks.n && dominates(c, made, b) && is_between(flow, fn, b, made, policy))
                mark_from(ir, c->ipdom[b], made, unsure);
    }
    map_put(&t->unsure_of, key, t->unsure.n);
    vec_push(&t->unsure, unsure);
    return unsure;
}

FlowKnown flow_made_write(Flow *flow, FlowSite at)
{
    Region r = {.flow = flow, .fn = at.fn, .ir = flow_fn(flow, at.fn)};
    const IrInsn *insn = flow_insn(flow, at);
    FlowKnown known = {.reg = IR_NONE, .with = {IR_NONE, IR_NONE}, .size = FLOW_WHOLE};
    bool constant;
    if (insn->op != IR_STORE && insn->op != IR_MEMCPY && insn->op != IR_MEMMOVE && insn->op != IR_MEMSET)
        return known;
    uint32_t root = root_of(&r, insn->a, &constant, &known.offset);
    const IrInsn *def = root == IR_NONE || ir_reg_const_of(r.ir, root) ? NULL : ir_reg_def(r.ir, root);
    if (!def || def->op != IR_CALL || !effects_only_make(flow->effects[def->a]) ||
        unsure_of(flow, at.fn, r.ir->regs.v[root].block)[at.block])
        return known;
    known.reg = root;
    if (constant && insn->op == IR_STORE)
        known.size = (insn->width + 7u) / 8;
    else if (constant && is_number(r.ir, insn->c))
        known.size = (uint64_t)ir_reg_const_of(r.ir, insn->c)->bits;
    if (known.size == FLOW_WHOLE)
        known.offset = 0;
    return known;
}

/* May control come from the branch to a block without passing another one? Both are in the region. */
static bool leads_round(Region *r, uint32_t avoided, uint32_t block)
{
    if (r->avoided != avoided) {
        U32Vec work = {0}, to = {0};
        bitset_free(&r->ahead);
        r->avoided = avoided;
        vec_push(&work, r->branch);
        while (work.n) {
            ir_block_successors(r->ir, vec_pop(&work), &to);
            for (uint32_t i = 0; i < to.n; i++)
                if (to.v[i] != avoided && r->inside[to.v[i]] && bitset_add(&r->ahead, to.v[i]))
                    vec_push(&work, to.v[i]);
        }
        vec_free(&work);
        vec_free(&to);
    }
    return bitset_has(&r->ahead, block);
}

/* May a block of the region see the value that a register had at the branch? One that is set in a loop,
 * before a branch that leaves the loop, is set in the region as well, in the next round. */
static bool sees_older(Region *r, uint32_t reg, uint32_t block)
{
    return !is_set_inside(r, reg) ||
           (r->inside[r->branch] && leads_round(r, r->ir->regs.v[reg].block, block));
}

/* A write into memory that a call of this function has made. If that is always after the branch, nothing has
 * seen the memory before it; else it is one object, known by its address. Where flow_made_write is sure, it
 * is no other in another run: there too it is what the call has made. So a branch inside the region says
 * nothing of other memory either. */
static bool takes_made(Region *r, FlowSite at)
{
    FlowKnown known = flow_made_write(r->flow, at);
    if (known.reg == IR_NONE)
        return false;
    if (known.size && sees_older(r, known.reg, at.block))
        vec_push(&r->known, known);
    return true;
}

/* ---- what is written ------------------------------------------------------------------------- */

/* The places of a store, copy or fill, if its operands are known. */
static bool takes_access(Region *r, FlowSite at)
{
    const IrInsn *insn = flow_insn(r->flow, at);
    FlowKnown known = {.reg = insn->a, .with = {IR_NONE, IR_NONE}, .size = (insn->width + 7u) / 8};
    if (insn->op == IR_STORE) {
        if (!strip(r, &known.reg, &known.offset))
            return false;
    } else {
        if (!knows(r, insn->b) || !knows(r, insn->c))
            return false;
        known.with[0] = insn->b;
        known.with[1] = insn->c;
        known.size = is_number(r->ir, insn->c) ? (uint64_t)ir_reg_const_of(r->ir, insn->c)->bits : FLOW_WHOLE;
    }
    if (ir_reg_const_of(r->ir, known.reg) || !knows(r, known.reg))
        return false;
    known.otherwise = flow_insn_writes(r->flow, at);
    if (known.size)
        vec_push(&r->known, known);
    return true;
}

static void add_insn(Region *r, FlowSite at, PlaceBag *out)
{
    switch ((IrOp)flow_insn(r->flow, at)->op) {
    case IR_STORE:
    case IR_MEMCPY:
    case IR_MEMMOVE:
    case IR_MEMSET:
        if (takes_made(r, at) || takes_access(r, at))
            return;
        break;
    case IR_CALL:
    case IR_CALLPTR: {
        Touched touched = {.writes = {.region = r, .older = true}};
        touch_insn(r->flow, at, &touched);
        PlaceSet set = bag_close(r->flow, &touched.writes);
        bag_add_set(out, &set);
        bag_free(&touched.reads);
        return;
    }
    default: break;
    }
    PlaceSet set = insn_places(r->flow, at, true);
    bag_add_set(out, &set);
}

static int compare(const void *a, const void *b)
{
    const FlowKnown *x = a, *y = b;
    const uint64_t of_x[] = {x->reg, x->offset, x->size, x->with[0], x->with[1]};
    const uint64_t of_y[] = {y->reg, y->offset, y->size, y->with[0], y->with[1]};
    for (unsigned i = 0; i < COUNT_OF(of_x); i++)
        if (of_x[i] != of_y[i])
            return of_x[i] < of_y[i] ? -1 : 1;
    return 0;
}

/* Sorts them, and drops what stands twice. */
static void unite_known(Region *r)
{
    KnownVec *v = &r->known;
    uint32_t n = 0;
    if (v->n)
        qsort(v->v, v->n, sizeof *v->v, compare);
    for (uint32_t i = 0; i < v->n; i++) {
        bool same = n && !compare(&v->v[n - 1], &v->v[i]) && v->v[n - 1].otherwise.n == v->v[i].otherwise.n;
        for (uint32_t k = 0; same && k < v->v[i].otherwise.n; k++)
            same = !memcmp(&v->v[n - 1].otherwise.v[k], &v->v[i].otherwise.v[k], sizeof *v->v[i].otherwise.v);
        if (!same)
            v->v[n++] = v->v[i];
    }
    v->n = n;
}

/* Of the registers that are found those that the places need. */
static void find_steps(Region *r, FlowBranch *branch)
{
    FlowStep *steps = arena_alloc(r->flow->arena, (r->found.n + 1) * sizeof *steps);
    uint8_t *needed = mem_zalloc(r->ir->regs.n + 1);
    U32Vec reads = {0};
    uint32_t first = r->found.n;
    for (uint32_t i = 0; i < r->known.n; i++) {
        const FlowKnown *k = &r->known.v[i];
        const uint32_t regs[] = {k->reg, k->with[0], k->with[1]};
        for (unsigned j = 0; j < COUNT_OF(regs); j++)
            if (regs[j] != IR_NONE)
                needed[regs[j]] = 1;
    }
    for (uint32_t i = r->found.n; i-- > 0;) {
        FlowStep step = {.reg = r->found.v[i], .insn = ir_reg_def(r->ir, r->found.v[i]), .base = IR_NONE};
        if (!needed[step.reg])
            continue;
        vec_clear(&reads);
        if (step.insn->op == IR_LOAD) {
            step.base = step.insn->a;
            strip(r, &step.base, &step.offset);
            vec_push(&reads, step.base);
        } else {
            ir_insn_reads(r->ir, step.insn, &reads);
        }
        for (uint32_t k = 0; k < reads.n; k++)
            needed[reads.v[k]] = 1;
        steps[--first] = step;
    }
    branch->steps = steps + first;
    branch->nsteps = r->found.n - first;
    mem_free(needed);
    vec_free(&reads);
}

/* Each branch costs as much as its function is long. */
static bool is_large(const IrFn *fn) { return fn->regs.n > REGS_MOST; }

static FlowBranch *find(Region *r)
{
    FlowBranch *branch = arena_alloc(r->flow->arena, sizeof *branch);
    PlaceBag classes = {0};
    if (is_large(r->ir)) {
        branch->places = region_writes(r);
        return branch;
    }
    find_known(r);
    for (uint32_t b = 0; b < r->ir->blocks.n; b++)
        for (uint32_t i = 0; r->inside[b] && i < r->ir->blocks.v[b].insns.n; i++)
            add_insn(r, (FlowSite){r->fn, b, i}, &classes);
    unite_known(r);
    find_steps(r, branch);
    FlowKnown *known = arena_alloc(r->flow->arena, (r->known.n + 1) * sizeof *known);
    if (r->known.n)
        memcpy(known, r->known.v, r->known.n * sizeof *known);
    PlaceAnswer answer = {.set = bag_close(r->flow, &classes)};
    branch->places = places_list(r->flow, &answer);
    branch->known = known;
    branch->nknown = r->known.n;
    return branch;
}

static Region open_region(Flow *flow, uint32_t fn, uint32_t block, unsigned policy)
{
    const IrFn *ir = flow_fn(flow, fn);
    Region r = {.flow = flow,
                .fn = fn,
                .branch = block,
                .ir = ir,
                .avoided = IR_NONE,
                .inside = mem_zalloc(ir->blocks.n + 1),
                .is_known = mem_zalloc(ir->regs.n + 1)};
    U32Vec to = {0};
    ir_block_successors(ir, block, &to);
    for (uint32_t s = 0; s < to.n; s++) {
        FlowList blocks = flow_side_blocks(flow, fn, block, s, policy);
        for (uint32_t b = 0; b < blocks.n; b++)
            r.inside[blocks.v[b]] = 1;
    }
    vec_free(&to);
    return r;
}

static void close_region(Region *r)
{
    mem_free(r->inside);
    mem_free(r->is_known);
    vec_free(&r->found);
    vec_free(&r->known);
    bitset_free(&r->ahead);
}

void region_drop_known(Flow *flow, uint32_t fn, uint32_t block, unsigned policy, U32Vec *regs)
{
    if (!regs->n || is_large(flow_fn(flow, fn)))
        return;
    Region r = open_region(flow, fn, block, policy);
    uint32_t n = 0;
    find_known(&r);
    for (uint32_t i = 0; i < regs->n; i++)
        if (!r.is_known[regs->v[i]])
            regs->v[n++] = regs->v[i];
    regs->n = n;
    close_region(&r);
}

const FlowBranch *flow_branch_writes(Flow *flow, uint32_t fn, uint32_t block, unsigned policy)
{
    PlaceTable *t = places_of(flow);
    uint64_t key = hash_mix((uint64_t)fn << 32 | block, policy), found;
    if (!map_get(&t->branches, key, &found)) {
        Region r = open_region(flow, fn, block, policy);
        FlowBranch *branch = find(&r);
        close_region(&r);
        found = t->branch.n;
        vec_push(&t->branch, branch);
        map_put(&t->branches, key, found);
    }
    return t->branch.v[found];
}
