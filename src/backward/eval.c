/* eval.c - one segment: blocks in order, merging, loops that are unrolled, ends. See eval.h. */
#include "backward/eval.h"

#include <stdlib.h>

enum { WAY_MOST = 64 };

/* ---- guards ---------------------------------------------------------------------------------- */

State bw_state_and(Eval *ev, State s, Expr condition)
{
    if (is_dead(s) || expr_is_true(condition))
        return s;
    if (expr_is_false(condition))
        return (State){GUARD_DEAD, s.mem};
    vec_push(&ev->guards, (Guard){s.guard, ev->guards.v[s.guard].depth + 1, condition, EXPR_NONE, ev->site});
    return (State){ev->guards.n - 1, s.mem};
}

Expr bw_guard_all(Eval *ev, uint32_t guard)
{
    ExprVec lits = {0};
    uint32_t g = guard;
    for (; g != GUARD_TRUE && expr_is_none(ev->guards.v[g].all); g = ev->guards.v[g].up)
        vec_push(&lits, ev->guards.v[g].lit);
    Expr all = g == GUARD_TRUE ? EXPR_TRUE : ev->guards.v[g].all;
    for (uint32_t i = lits.n; i-- > 0;)
        all = expr_and(ev->bw->pool, all, lits.v[i]);
    if (guard != GUARD_TRUE)
        ev->guards.v[guard].all = all;
    vec_free(&lits);
    return all;
}

static uint32_t common(const Eval *ev, uint32_t a, uint32_t b)
{
    const Guard *g = ev->guards.v;
    while (a != b) {
        if (g[a].depth >= g[b].depth)
            a = g[a].up;
        else
            b = g[b].up;
    }
    return a;
}

/* What holds at a guard beyond what holds at one above it. */
static Expr beyond(Eval *ev, uint32_t guard, uint32_t above)
{
    Expr all = EXPR_TRUE;
    for (; guard != above; guard = ev->guards.v[guard].up)
        all = expr_and(ev->bw->pool, ev->guards.v[guard].lit, all);
    return all;
}

/* One guard for all: both sides of a branch make what was before it; what cannot be paired so is a
 * disjunction. */
static uint32_t guard_union(Eval *ev, const State *s, uint32_t n)
{
    U32Vec left = {0};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&left, s[i].guard);
    for (bool again = true; again && left.n > 1;) {
        again = false;
        for (uint32_t i = 0; i < left.n && !again; i++)
            for (uint32_t k = 0; k < i && !again; k++) {
                const Guard *a = &ev->guards.v[left.v[i]], *b = &ev->guards.v[left.v[k]];
                if (left.v[i] == GUARD_TRUE || left.v[k] == GUARD_TRUE || a->up != b->up ||
                    !expr_same(a->lit, expr_not(ev->bw->pool, b->lit)))
                    continue;
                left.v[k] = a->up;
                left.v[i] = left.v[--left.n];
                again = true;
            }
    }
    uint32_t above = left.v[0];
    for (uint32_t i = 1; i < left.n; i++)
        above = common(ev, above, left.v[i]);
    Expr any = EXPR_FALSE;
    for (uint32_t i = 0; i < left.n; i++)
        any = expr_or(ev->bw->pool, any, beyond(ev, left.v[i], above));
    vec_free(&left);
    return bw_state_and(ev, (State){above, 0}, any).guard;
}

State bw_state_merge(Eval *ev, const State *s, uint32_t n, const Expr *const *values, uint32_t nvalues,
                     Expr *merged)
{
    if (!n)
        return (State){GUARD_DEAD, BW_MEM_BASE};
    uint32_t above = s[0].guard, last = n - 1;
    for (uint32_t i = 1; i < n; i++)
        above = common(ev, above, s[i].guard);
    State out = {GUARD_DEAD, s[last].mem};
    for (uint32_t v = 0; v < nvalues; v++)
        merged[v] = values[last][v];
    for (uint32_t i = last; i-- > 0;) {
        Expr when = beyond(ev, s[i].guard, above);
        out.mem = bw_mem_join(ev->bw, when, s[i].mem, out.mem);
        for (uint32_t v = 0; v < nvalues; v++)
            merged[v] = expr_is_none(values[i][v]) || expr_is_none(merged[v])
                            ? EXPR_NONE
                            : expr_ite(ev->bw->pool, when, values[i][v], merged[v]);
    }
    out.guard = n == 1 ? s[0].guard : guard_union(ev, s, n);
    return out;
}

/* ---- ends ------------------------------------------------------------------------------------ */

static uint32_t target_index(Backward *bw, BwTarget t)
{
    uint64_t key = hash_mix(hash_mix(hash_mix(t.fn, t.block), hash_mix(t.insn, t.to)),
                            t.fault * 2 + (t.escape != NULL)),
             id;
    if (map_get(&bw->target_ids, key, &id))
        return (uint32_t)id;
    vec_push(&bw->targets, t);
    map_put(&bw->target_ids, key, bw->targets.n - 1);
    return bw->targets.n - 1;
}

/* What has to hold on the way from the start to where control is, with places: for the answer that nothing
 * satisfies it. The first way that is noted stays. */
static void note_way(Eval *ev, uint32_t guard, BackwardClauses *way)
{
    if (way->n)
        return;
    for (; guard != GUARD_TRUE && way->n < WAY_MOST; guard = ev->guards.v[guard].up)
        vec_push(way, (BackwardClause){ev->guards.v[guard].lit, ev->guards.v[guard].site, NULL});
}

void bw_end_target(Eval *ev, const Frame *f, uint32_t block, uint32_t insn, State s, Expr condition,
                   BwTarget t)
{
    Backward *bw = ev->bw;
    Expr guard = expr_and(bw->pool, bw_guard_all(ev, s.guard), condition);
    if (!t.escape && t.fault == VM_FAULT_COUNT)
        note_way(ev, s.guard, &bw->segments.v[ev->segment].way);
    if (expr_is_false(guard))
        return;
    const Frame *at = f;
    while (at->fn->runtime && at->caller) { /* the call in the user's code */
        const BwInstance *in = &bw->instances.v[at->instance];
        block = in->block;
        insn = in->insn;
        at = at->caller;
    }
    t.fn = at->index;
    t.block = block;
    t.insn = insn;
    t.site = at->fn->blocks.v[block].insns.v[insn].site;
    BwEnd end = {.kind = BW_END_TARGET,
                 .target = target_index(bw, t),
                 .guard = guard,
                 .mem = s.mem,
                 .site = t.site,
                 .nuses = bw->segments.v[ev->segment].uses.n};
    vec_push(&bw->segments.v[ev->segment].ends, end);
}

void bw_escape(Eval *ev, const Frame *f, uint32_t block, uint32_t insn, State s, const char *why)
{
    if (ev->bw->options.rules_off & BACKWARD_OFF_ESCAPES)
        return;
    bw_end_target(ev, f, block, insn, s, EXPR_TRUE,
                  (BwTarget){.to = IR_NONE, .fault = VM_FAULT_COUNT, .escape = why, .anywhere = true});
}

static uint32_t cut_index(Backward *bw, uint32_t instance, uint32_t block)
{
    uint64_t key = (uint64_t)instance << 32 | block, id;
    if (map_get(&bw->cut_ids, key, &id))
        return (uint32_t)id;
    vec_push(&bw->cuts,
             (BwCut){.instance = instance,
                     .block = block,
                     .segment = IR_NONE,
                     .invariant = EXPR_TRUE,
                     .condition = EXPR_FALSE,
                     .memory = bw_mem_add(bw, (BwMemNode){.kind = BW_MEM_START, .id = bw->cuts.n})});
    map_put(&bw->cut_ids, key, bw->cuts.n - 1);
    return bw->cuts.n - 1;
}

/* Control comes to a block that is a cut point; phis: of that block. */
static void end_cut(Eval *ev, Frame *f, uint32_t block, State s, const Expr *phis)
{
    Backward *bw = ev->bw;
    Expr guard = bw_guard_all(ev, s.guard);
    if (expr_is_false(guard))
        return;
    uint32_t n = 0;
    for (const Frame *at = f; at; at = at->caller)
        n++;
    BwFrameEnd *frames = arena_alloc(bw->arena, n * sizeof *frames);
    Expr *innermost = NULL;
    n = 0;
    for (const Frame *at = f; at; at = at->caller) {
        Expr *regs = arena_alloc(bw->arena, (at->fn->regs.n + 1) * sizeof *regs);
        innermost = innermost ? innermost : regs;
        memcpy(regs, at->regs, at->fn->regs.n * sizeof *regs);
        frames[n++] = (BwFrameEnd){at->instance, at->fn->regs.n, regs};
    }
    for (uint32_t i = 0; i < f->fn->blocks.v[block].insns.n && f->fn->blocks.v[block].insns.v[i].op == IR_PHI;
         i++)
        innermost[f->fn->blocks.v[block].insns.v[i].dst] = phis[i];
    const IrBlock *b = &f->fn->blocks.v[block];
    BwEnd end = {.kind = BW_END_CUT,
                 .cut = cut_index(bw, f->instance, block),
                 .guard = guard,
                 .frames = frames,
                 .nframes = n,
                 .mem = s.mem,
                 .site = b->insns.v[b->insns.n - 1].site,
                 .nuses = bw->segments.v[ev->segment].uses.n};
    if (ev->cut == IR_NONE)
        note_way(ev, s.guard, &bw->segments.v[ev->segment].lead);
    vec_push(&bw->segments.v[ev->segment].ends, end);
}

void bw_end_entry(Eval *ev, uint32_t instance, State s, const Expr *regs)
{
    Backward *bw = ev->bw;
    Expr guard = bw_guard_all(ev, s.guard);
    const IrFn *fn = &bw->program->fns.v[bw->instances.v[instance].fn];
    BwFrameEnd *frame = arena_alloc(bw->arena, sizeof *frame);
    *frame = (BwFrameEnd){instance, fn->regs.n, regs};
    if (!expr_is_false(guard))
        vec_push(&bw->segments.v[ev->segment].ends, ((BwEnd){.kind = BW_END_CUT,
                                                             .cut = cut_index(bw, instance, 0),
                                                             .guard = guard,
                                                             .frames = frame,
                                                             .nframes = 1,
                                                             .mem = s.mem,
                                                             .site = fn->blocks.v[0].insns.v[0].site,
                                                             .nuses = bw->segments.v[ev->segment].uses.n}));
}

/* An activation of a function that calls itself returns. */
static void end_return(Eval *ev, uint32_t summary, State s, const Expr *results, uint32_t n)
{
    Backward *bw = ev->bw;
    Expr guard = bw_guard_all(ev, s.guard), *kept = arena_alloc(bw->arena, (n + 1) * sizeof *kept);
    for (uint32_t i = 0; i < n; i++)
        kept[i] = expr_is_none(results[i])
                      ? bw_fresh(bw, expr_width(bw->pool, bw->summaries.v[summary].results.v[i]), "result")
                      : results[i];
    vec_push(&bw->segments.v[ev->segment].ends, ((BwEnd){.kind = BW_END_RETURN,
                                                         .summary = summary,
                                                         .guard = guard,
                                                         .results = kept,
                                                         .mem = s.mem,
                                                         .site = IR_NONE,
                                                         .nuses = bw->segments.v[ev->segment].uses.n}));
}

/* ---- frames ---------------------------------------------------------------------------------- */

uint32_t bw_instance_of(Backward *bw, uint32_t parent, uint32_t block, uint32_t insn, uint32_t fn)
{
    uint64_t key = hash_mix(hash_mix(parent, block), hash_mix(insn, fn)), id;
    if (map_get(&bw->instance_ids, key, &id))
        return (uint32_t)id;
    BwInstance in = {.fn = fn, .parent = parent, .block = block, .insn = insn, .summary = IR_NONE};
    if (parent != IR_NONE)
        in.depth = bw->instances.v[parent].depth + 1;
    for (uint32_t up = parent; up != IR_NONE; up = bw->instances.v[up].parent)
        in.recursion += bw->instances.v[up].fn == fn;
    vec_push(&bw->instances, in);
    map_put(&bw->instance_ids, key, bw->instances.n - 1);
    return bw->instances.n - 1;
}

/* Blocks that can be reached, each before those that it leads to but for edges back. */
static void reverse_postorder(Eval *ev, Frame *f)
{
    uint32_t n = f->fn->blocks.n, *order = arena_alloc(ev->arena, (n + 1) * sizeof *order), at = n;
    uint32_t *position = arena_alloc(ev->arena, (n + 1) * sizeof *position);
    uint8_t *seen = arena_alloc(ev->arena, n + 1);
    struct {
        uint32_t block, next;
    } *stack = arena_alloc(ev->arena, (n + 1) * sizeof *stack);
    uint32_t depth = 0;
    U32Vec successors = {0};
    stack[depth].block = 0;
    stack[depth++].next = 0;
    seen[0] = 1;
    while (depth) {
        uint32_t b = stack[depth - 1].block;
        ir_block_successors(f->fn, b, &successors);
        if (stack[depth - 1].next < successors.n) {
            uint32_t to = successors.v[stack[depth - 1].next++];
            if (!seen[to]) {
                seen[to] = 1;
                stack[depth].block = to;
                stack[depth++].next = 0;
            }
        } else {
            order[--at] = b;
            depth--;
        }
    }
    vec_free(&successors);
    f->order = order + at;
    f->norder = n - at;
    for (uint32_t i = 0; i < f->norder; i++)
        position[f->order[i]] = i;
    f->position = position;
}

Frame *bw_frame_new(Eval *ev, Frame *caller, uint32_t instance, bool old)
{
    Frame *f = arena_alloc(ev->arena, sizeof *f);
    f->caller = caller;
    f->instance = instance;
    f->index = ev->bw->instances.v[instance].fn;
    f->fn = &ev->bw->program->fns.v[f->index];
    f->old = old;
    f->regs = arena_alloc(ev->arena, (f->fn->regs.n + 1) * sizeof *f->regs);
    f->arrivals = arena_alloc(ev->arena, (f->fn->blocks.n + 1) * sizeof *f->arrivals);
    reverse_postorder(ev, f);
    return f;
}

static void frame_free(Frame *f)
{
    for (uint32_t i = 0; i < f->fn->blocks.n; i++)
        vec_free(&f->arrivals[i]);
    vec_free(&f->returns);
}

bool bw_in_loop(const IrFn *fn, uint32_t block, uint32_t loop)
{
    if (loop == IR_NONE)
        return true;
    for (uint32_t l = fn->loops.n ? fn->loop_of.v[block] : IR_NONE; l != IR_NONE; l = fn->loops.v[l].parent)
        if (l == loop)
            return true;
    return false;
}

/* The outermost loop around the block that lies within `loop` and is not it. */
static uint32_t child_loop(const IrFn *fn, uint32_t block, uint32_t loop)
{
    uint32_t l = fn->loops.n ? fn->loop_of.v[block] : IR_NONE, child = IR_NONE;
    for (; l != IR_NONE && l != loop; l = fn->loops.v[l].parent)
        child = l;
    return child;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static bool is_unrolled(const Eval *ev, const Frame *f, uint32_t header)
{
    for (const Unroll *u = ev->unroll; u; u = u->up)
        if (u->frame == f && f->fn->loops.v[u->loop].header == header)
            return true;
    return false;
}

void bw_push_edge(Eval *ev, Frame *f, uint32_t from, uint32_t to, State s)
{
    const IrBlock *b = &f->fn->blocks.v[to];
    uint32_t nphis = 0;
    if (is_dead(s))
        return;
    while (nphis < b->insns.n && b->insns.v[nphis].op == IR_PHI)
        nphis++;
    Expr *phis = arena_alloc(ev->arena, (nphis + 1) * sizeof *phis);
    for (uint32_t i = 0; i < nphis; i++) {
        const uint32_t *list = &f->fn->extra.v[b->insns.v[i].a];
        for (uint32_t k = 0; k < list[0]; k++)
            if (list[1 + 2 * k] == from)
                phis[i] = bw_reg_value(ev, f, list[2 + 2 * k]);
    }
    if (f->position[to] <= f->position[from] && !is_unrolled(ev, f, to))
        end_cut(ev, f, to, s, phis);
    else
        vec_push(&f->arrivals[to], (Arrival){s, from, phis});
}

/* Merges what arrived at a block, and sets its phis. */
static State arrive(Eval *ev, Frame *f, uint32_t block, Expr *phis)
{
    const IrBlock *b = &f->fn->blocks.v[block];
    uint32_t n = f->arrivals[block].n, nphis = 0;
    State *states = arena_alloc(ev->arena, (n + 1) * sizeof *states);
    const Expr **values = arena_alloc(ev->arena, (n + 1) * sizeof *values);
    while (nphis < b->insns.n && b->insns.v[nphis].op == IR_PHI)
        nphis++;
    for (uint32_t i = 0; i < n; i++) {
        states[i] = f->arrivals[block].v[i].state;
        values[i] = f->arrivals[block].v[i].phis;
    }
    vec_clear(&f->arrivals[block]);
    return bw_state_merge(ev, states, n, values, nphis, phis);
}

static Expr *phis_of(Eval *ev, const Frame *f, uint32_t block)
{
    return arena_alloc(ev->arena, (f->fn->blocks.v[block].insns.n + 1) * sizeof(Expr));
}

static void block_arrived(Eval *ev, Frame *f, uint32_t block)
{
    Expr *phis = phis_of(ev, f, block);
    State s = arrive(ev, f, block, phis);
    uint32_t i = 0;
    for (; f->fn->blocks.v[block].insns.v[i].op == IR_PHI; i++)
        f->regs[f->fn->blocks.v[block].insns.v[i].dst] = phis[i];
    if (!is_dead(s))
        bw_block_run(ev, f, block, i, s);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static void region_run(Eval *ev, Frame *f, uint32_t loop);

/* What an attempt at unrolling has added, so that it can be taken back. */
typedef struct Mark {
    uint32_t ends, inputs, uses, returns, *arrivals;
    Expr *regs;
} Mark;

static Mark mark(Eval *ev, const Frame *f)
{
    const BwSegment *s = &ev->bw->segments.v[ev->segment];
    Mark m = {s->ends.n,
              s->inputs.n,
              s->uses.n,
              f->returns.n,
              arena_alloc(ev->arena, (f->fn->blocks.n + 1) * sizeof(uint32_t)),
              arena_alloc(ev->arena, (f->fn->regs.n + 1) * sizeof(Expr))};
    memcpy(m.regs, f->regs, f->fn->regs.n * sizeof *m.regs);
    for (uint32_t i = 0; i < f->fn->blocks.n; i++)
        m.arrivals[i] = f->arrivals[i].n;
    m.regs = arena_alloc(ev->arena, (f->fn->regs.n + 1) * sizeof *m.regs);
    memcpy(m.regs, f->regs, f->fn->regs.n * sizeof *m.regs);
    return m;
}

static void take_back(Eval *ev, Frame *f, const Mark *m)
{
    BwSegment *s = &ev->bw->segments.v[ev->segment];
    s->ends.n = m->ends;
    s->inputs.n = m->inputs;
    s->uses.n = m->uses;
    f->returns.n = m->returns;
    memcpy(f->regs, m->regs, f->fn->regs.n * sizeof *m->regs);
    for (uint32_t i = 0; i < f->fn->blocks.n; i++)
        f->arrivals[i].n = m->arrivals[i];
    memcpy(f->regs, m->regs,
           f->fn->regs.n * sizeof *m->regs); /* an iteration that did not take place has set none */
}

enum { LEAVES_MOST = 64 }; /* ways out of an unrolled loop that inputs decide about */

/* Control that has left the loop so far. */
static uint32_t leaves(const Frame *f, uint32_t loop)
{
    uint32_t n = f->returns.n;
    for (uint32_t b = 0; b < f->fn->blocks.n; b++)
        n += bw_in_loop(f->fn, b, loop) ? 0 : f->arrivals[b].n;
    return n;
}

/* Unrolls the loop at whose header control has arrived, if constants decide in every iteration whether it
 * goes on. One that turned out to be too long is not tried again. */
static bool unroll(Eval *ev, Frame *f, uint32_t loop)
{
    uint32_t most = leaves(f, loop) + LEAVES_MOST, header = f->fn->loops.v[loop].header,
             room = ev->limit - ev->steps;
    uint32_t limit =
        ev->steps + (room / 2 < ev->bw->options.max_unroll ? room / 2 : ev->bw->options.max_unroll);
    uint64_t key = (uint64_t)f->instance << 32 | header;
    Unroll u = {.up = ev->unroll, .frame = f, .loop = loop};
    bool done = true;
    if (f->fn->loops.v[loop].irreducible || ev->steps >= ev->limit || map_get(&ev->bw->too_long, key, NULL))
        return false;
    ev->unroll = &u;
    while (f->arrivals[header].n && done) {
        u.constant = false;
        block_arrived(ev, f, header);
        region_run(ev, f, loop);
        done = (u.constant || !f->arrivals[header].n) && ev->steps < limit && leaves(f, loop) <= most &&
               !bw_out_of_time(ev->bw);
    }
    ev->unroll = u.up;
    if (ev->steps >= limit)
        map_put(&ev->bw->too_long, key, 1);
    return done;
}

static void loop_entered(Eval *ev, Frame *f, uint32_t loop)
{
    uint32_t header = f->fn->loops.v[loop].header;
    Expr *phis = phis_of(ev, f, header);
    State s = arrive(ev, f, header, phis);
    Mark before = mark(ev, f);
    vec_push(&f->arrivals[header], (Arrival){s, IR_NONE, phis});
    if (is_dead(s))
        vec_clear(&f->arrivals[header]);
    else if (!unroll(ev, f, loop)) {
        take_back(ev, f, &before);
        end_cut(ev, f, header, s, phis);
    } else {
        vec_push(&ev->bw->segments.v[ev->segment].unrolled, (uint64_t)f->instance << 32 | header);
    }
}

/* All blocks of the loop (IR_NONE: of the function) at which control has arrived, except that of the loop's
 * own header. */
static void region_run(Eval *ev, Frame *f, uint32_t loop)
{
    uint32_t header = loop == IR_NONE ? IR_NONE : f->fn->loops.v[loop].header;
    for (uint32_t i = 0; i < f->norder; i++) {
        uint32_t b = f->order[i];
        if (!f->arrivals[b].n || b == header || !bw_in_loop(f->fn, b, loop))
            continue;
        uint32_t child = child_loop(f->fn, b, loop);
        if (child != IR_NONE && f->fn->loops.v[child].header == b && !f->fn->loops.v[child].irreducible)
            loop_entered(ev, f, child);
        else
            block_arrived(ev, f, b);
    }
}

/* ---- functions and segments ------------------------------------------------------------------ */

static State frame_returned(Eval *ev, Frame *f, Expr *results)
{
    uint32_t n = f->returns.n;
    State *states = arena_alloc(ev->arena, (n + 1) * sizeof *states);
    const Expr **values = arena_alloc(ev->arena, (n + 1) * sizeof *values);
    for (uint32_t i = 0; i < n; i++) {
        states[i] = f->returns.v[i].state;
        values[i] = f->returns.v[i].values;
    }
    State s = bw_state_merge(ev, states, n, values, f->fn->results.n, results);
    if (!is_dead(s)) { /* what lived in the frame is gone */
        s.mem = bw_mem_end_made(ev, f, s.mem, false);
        for (uint32_t b = 0; b < f->fn->blocks.n; b++)
            for (uint32_t i = 0; i < f->fn->blocks.v[b].insns.n; i++) {
                const IrInsn *insn = &f->fn->blocks.v[b].insns.v[i];
                uint64_t id;
                if (insn->op == IR_ALLOCA &&
                    map_get(&ev->bw->object_ids, hash_mix(hash_mix(BW_STACK, f->instance), insn->dst), &id))
                    s.mem = bw_mem_add(ev->bw,
                                       (BwMemNode){.kind = BW_MEM_DEAD, .below = s.mem, .id = (uint32_t)id});
            }
    }
    frame_free(f);
    return s;
}

State bw_frame_run(Eval *ev, Frame *f, State s, Expr *results)
{
    bw_block_run(ev, f, 0, 0, s);
    region_run(ev, f, IR_NONE);
    return frame_returned(ev, f, results);
}

/* Goes on in a frame that was there already, from the middle of a block. */
static State frame_continue(Eval *ev, Frame *f, uint32_t block, uint32_t insn, State s, Expr *results)
{
    bw_block_run(ev, f, block, insn, s);
    for (uint32_t l = f->fn->loops.n ? f->fn->loop_of.v[block] : IR_NONE; l != IR_NONE;
         l = f->fn->loops.v[l].parent)
        region_run(ev, f, l);
    region_run(ev, f, IR_NONE);
    return frame_returned(ev, f, results);
}

/* The frames of a cut point, innermost first, with nothing known of their registers. */
static Frame *frames_at(Eval *ev, uint32_t instance)
{
    if (instance == IR_NONE)
        return NULL;
    Frame *caller = frames_at(ev, ev->bw->instances.v[instance].parent);
    return bw_frame_new(ev, caller, instance, true);
}

static void run_from(Eval *ev, const BwCut *cut)
{
    Frame *f = frames_at(ev, cut->instance);
    State s = {GUARD_TRUE, cut->memory};
    uint32_t block = cut->block, insn = 0;
    while (f->fn->blocks.v[block].insns.v[insn].op == IR_PHI)
        insn++;
    for (;;) {
        Expr results[16] = {0};
        const BwInstance in = ev->bw->instances.v[f->instance];
        s = frame_continue(ev, f, block, insn, s, results);
        if (in.summary != IR_NONE && !is_dead(s))
            end_return(ev, in.summary, s, results, f->fn->results.n);
        f = f->caller;
        if (!f || is_dead(s))
            break;
        block = in.block;
        insn = in.insn + 1;
        IrCall call = ir_call_read(f->fn, &f->fn->blocks.v[block].insns.v[in.insn]);
        for (uint32_t i = 0; i < call.ndst && i < COUNT_OF(results); i++)
            f->regs[call.dst[i]] = results[i];
    }
    for (; f; f = f->caller)
        frame_free(f);
}

static void run_from_entry(Eval *ev)
{
    Backward *bw = ev->bw;
    Expr results[16] = {0};
    State s = {GUARD_TRUE, BW_MEM_BASE};
    Frame *f = bw_frame_new(ev, NULL, bw_instance_of(bw, IR_NONE, 0, 0, bw->entry), false);
    bw_entry_state(ev, f, &s);
    bw_frame_run(ev, f, s, results);
}

/* Evaluated anew each time: the graph decides when. */
uint32_t bw_segment(Backward *bw, uint32_t cut)
{
    uint32_t *known = cut == IR_NONE ? &bw->start : &bw->cuts.v[cut].segment;
    if (*known == IR_NONE) {
        *known = bw->segments.n;
        vec_push(&bw->segments, (BwSegment){.cut = cut});
    }
    uint32_t id = *known;
    vec_clear(&bw->segments.v[id].ends);
    vec_clear(&bw->segments.v[id].inputs);
    vec_clear(&bw->segments.v[id].unrolled);
    vec_clear(&bw->segments.v[id].uses);
    vec_clear(&bw->segments.v[id].way);
    vec_clear(&bw->segments.v[id].lead);
    bw->segments.v[id].makes_objects = false;
    Eval ev = {.bw = bw, .arena = arena_new(), .segment = id, .cut = cut, .limit = bw->options.max_steps};
    vec_push(&ev.guards, (Guard){0, 0, EXPR_TRUE, EXPR_TRUE, IR_NONE});
    bw->current = id;
    if (cut == IR_NONE) {
        run_from_entry(&ev);
    } else {
        BwCut from = bw->cuts.v[cut];
        run_from(&ev, &from);
    }
    bw->current = IR_NONE;
    vec_free(&ev.guards);
    arena_free(ev.arena);
    return id;
}
