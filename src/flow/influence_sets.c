/* influence_sets.c - which sinks an item reaches, and which items meet.
 *
 * Two items meet if some node depends on both and a sink on it; then both reach that sink, so influence need
 * not be kept by node: a set of sinks, qualified by calls, is enough. Sets are kept apart by what a chain of
 * dependences crosses: `same` crosses no back edge of the loops around the item, `loops[l]` crosses that of
 * l. An instance of an earlier iteration of l can only meet a later one over a chain that crosses l.
 *
 * The closure ("both interact with a later third") is a path a - c1 - c2 … - b whose inner items are all
 * later than a and b. So b's set is widened by the sets of later items that meet it, until nothing changes; a
 * interacts with b if its own set meets b's widened one. */
#include "flow/influence_int.h"

/* Words of a set that cost as much as one step of a walk. */
enum { STEP_WORDS = 8 };

static bool has_bit(const uint64_t *set, uint32_t i) { return set[i / 64] >> i % 64 & 1; }

/* Unites with a set that is counted from `first`. */
static void unite_from(BitSet *out, const BitSet *set, uint32_t first)
{
    uint32_t shift = first % 64, at = first / 64;
    for (uint32_t w = 0; w < set->n; w++) {
        if (!set->v[w])
            continue;
        while (out->n < at + w + 2)
            vec_push(out, 0);
        out->v[at + w] |= set->v[w] << shift;
        if (shift)
            out->v[at + w + 1] |= set->v[w] >> (64 - shift);
    }
}

static bool is_stream(const FlowInfluence *in, const Depend *d, uint32_t class_id)
{
    return depend_is_stream(in->depend, &d->roots.v[d->classes.v[class_id].root]);
}

/* The end of the entry: what runs afterwards, what the machine looks for then, and what its caller or the
 * world sees. Whether memory leaks depends on all of it at once; whether the library writes out bytes without
 * a value on each by itself. Streams were seen when they were written. */
static void leave_entry(FlowInfluence *in, uint32_t exit, BitSet *out)
{
    const Depend *d = influence_depend(in, 0);
    const FlowInfluenceOptions *o = &in->options;
    bool is_main = !strcmp(ir_text(in->depend->program, in->depend->program->fns.v[d->fn].name), "main");
    bool faults = o->sinks & (FLOW_SINK_FAULTS | FLOW_SINK_ALL), result = d->outs.v[exit].kind == DOOR_REG;
    bool shown =
        result || (!is_main && d->outs.v[exit].kind == DOOR_CLASS && !is_stream(in, d, d->outs.v[exit].what));
    if (in->handlers || (faults && (o->checks & (FLOW_CHECK_LEAK | FLOW_CHECK_UNINIT))))
        bitset_add(out, 0);
    if ((o->sinks & FLOW_SINK_ALL) || (faults && (o->checks & FLOW_CHECK_UNINIT)) ||
        ((o->sinks & FLOW_SINK_OUTPUTS) && shown))
        bitset_add(out, 1 + exit);
}

static void reach_below(FlowInfluence *in, uint32_t context, const uint64_t *bits, BitSet *out);

/* Sinks in a call and below it that an entrance reaches, counted from the call's first. */
static const BitSet *down_set(FlowInfluence *in, uint32_t context, uint32_t entrance)
{
    Context *c = &in->contexts.v[context];
    const Depend *d = influence_depend(in, context);
    if (!c->down_made[entrance]) {
        c->down_made[entrance] = true;
        reach_below(in, context, d->reach[d->component[d->ins.v[entrance].node]], &c->down[entrance]);
    }
    return &c->down[entrance];
}

/* Sinks of this frame and below among some ports, counted from the frame's first. */
static void reach_below(FlowInfluence *in, uint32_t context, const uint64_t *bits, BitSet *out)
{
    const Context *c = &in->contexts.v[context];
    const Depend *d = influence_depend(in, context);
    in->depend->steps += d->words;
    for (uint32_t w = 0; w < d->words; w++)
        for (uint64_t rest = bits[w]; rest; rest &= rest - 1) {
            const DepPort *port = &d->ports.v[w * 64 + (uint32_t)__builtin_ctzll(rest)];
            if (port->kind == PORT_SINK)
                bitset_add(out, port->a);
            if (port->kind != PORT_ARG)
                continue;
            const DepCallee *callee = &d->callees.v[port->a];
            uint32_t child = in->children.v[c->children + port->a];
            if (!bitset_has(&in->depend->fns[callee->fn]->failing_ins, port->b))
                continue;
            if (child == IR_NONE)
                bitset_add(out, d->ports.v[d->calls.v[callee->call].sink].a);
            else
                unite_from(out, down_set(in, child, port->b),
                           in->contexts.v[child].first_sink - c->first_sink);
        }
}

static void reach_all(FlowInfluence *in, uint32_t context, const uint64_t *bits, BitSet *out);

/* Sinks that an exit of a call reaches in its caller and on. */
static const BitSet *up_set(FlowInfluence *in, uint32_t context, uint32_t exit)
{
    Context *c = &in->contexts.v[context];
    if (!c->up_made[exit]) {
        c->up_made[exit] = true;
        if (c->parent == IR_NONE) {
            leave_entry(in, exit, &c->up[exit]);
        } else {
            const Depend *up = influence_depend(in, c->parent);
            uint32_t node = up->links.v[up->callees.v[c->callee].first_out + exit].node;
            reach_all(in, c->parent, up->reach[up->component[node]], &c->up[exit]);
        }
    }
    return &c->up[exit];
}

static void reach_up(FlowInfluence *in, uint32_t context, const uint64_t *bits, BitSet *out)
{
    const Depend *d = influence_depend(in, context);
    for (uint32_t p = d->first_out; p < d->first_out + d->outs.n; p++)
        if (has_bit(bits, p))
            bitset_unite(out, up_set(in, context, d->ports.v[p].a));
}

/* All sinks behind some ports of a frame. */
static void reach_all(FlowInfluence *in, uint32_t context, const uint64_t *bits, BitSet *out)
{
    BitSet here = {0};
    reach_below(in, context, bits, &here);
    unite_from(out, &here, in->contexts.v[context].first_sink);
    bitset_free(&here);
    reach_up(in, context, bits, out);
}

/* ---- one item -------------------------------------------------------------------------------- */

typedef struct Level {
    uint32_t context, block;    /* block: of the item, or of the call that leads to it */
    U32Vec starts, same_starts; /* nodes that depend on the item in this frame */
    uint64_t *bits, *same_bits;
} Level;

/* Ports that are reached without crossing a back edge of a loop around the level's block. */
static void same_iteration(FlowInfluence *in, Level *l)
{
    const Depend *d = influence_depend(in, l->context);
    const IrFn *fn = &in->depend->program->fns.v[d->fn];
    uint32_t outermost = fn->loop_of.v[l->block];
    while (outermost != IR_NONE && fn->loops.v[outermost].parent != IR_NONE)
        outermost = fn->loops.v[outermost].parent;
    BitSet seen = {0};
    U32Vec work = {0};
    for (uint32_t i = 0; i < l->same_starts.n; i++)
        if (bitset_add(&seen, l->same_starts.v[i]))
            vec_push(&work, l->same_starts.v[i]);
    while (work.n) {
        uint32_t n = vec_pop(&work), block = d->nodes.v[n].block;
        bool outside = outermost == IR_NONE || (block != IR_NONE && d->nodes.v[n].kind != DEP_OUT &&
                                                !depend_in_loop(fn, block, outermost));
        if (outside) { /* control cannot come back */
            const uint64_t *reach = d->reach[d->component[n]];
            for (uint32_t w = 0; w < d->words; w++)
                l->same_bits[w] |= reach[w];
            continue;
        }
        for (uint32_t p = d->first_port[n]; p != IR_NONE; p = d->next_port[p])
            l->same_bits[p / 64] |= (uint64_t)1 << p % 64;
        for (uint32_t e = d->start[n]; e < d->start[n + 1]; e++) {
            DepEdge edge = d->edges[e];
            bool crosses = edge.loop != IR_NONE && depend_in_loop(fn, l->block, edge.loop);
            if (!crosses && bitset_add(&seen, edge.to))
                vec_push(&work, edge.to);
        }
        in->depend->steps++;
    }
    bitset_free(&seen);
    vec_free(&work);
}

static void level_open(FlowInfluence *in, Level *l)
{
    const Depend *d = influence_depend(in, l->context);
    l->bits = mem_zalloc((d->words + 1) * sizeof *l->bits);
    l->same_bits = mem_zalloc((d->words + 1) * sizeof *l->same_bits);
    for (uint32_t i = 0; i < l->starts.n; i++) {
        const uint64_t *reach = d->reach[d->component[l->starts.v[i]]];
        for (uint32_t w = 0; w < d->words; w++)
            l->bits[w] |= reach[w];
    }
    same_iteration(in, l);
}

static void level_free(Level *l)
{
    mem_free(l->bits);
    mem_free(l->same_bits);
    vec_free(&l->starts);
    vec_free(&l->same_starts);
}

/* Loops around the level's block, innermost first, each with the sinks behind its back edge. */
static void level_loops(FlowInfluence *in, const Level *l, ItemSets *sets)
{
    const Depend *d = influence_depend(in, l->context);
    const IrFn *fn = &in->depend->program->fns.v[d->fn];
    uint64_t *bits = mem_alloc((d->words + 1) * sizeof *bits);
    for (uint32_t loop = fn->loop_of.v[l->block]; loop != IR_NONE; loop = fn->loops.v[loop].parent) {
        LoopSet set = {.frame = in->contexts.v[l->context].depth, .loop = loop};
        memset(bits, 0, d->words * sizeof *bits);
        for (uint32_t p = d->first_cross; p < d->ports.n; p++)
            if (d->ports.v[p].a == loop && has_bit(l->bits, p))
                for (uint32_t w = 0; w < d->words; w++)
                    bits[w] |= d->reach[d->component[d->ports.v[p].node]][w];
        reach_all(in, l->context, bits, &set.sinks);
        vec_push(&sets->loops, set);
    }
    mem_free(bits);
}

/* What the caller sees of it. */
static Level level_up(FlowInfluence *in, const Level *l)
{
    const Context *c = &in->contexts.v[l->context];
    const Depend *d = influence_depend(in, l->context), *up = influence_depend(in, c->parent);
    Level next = {.context = c->parent, .block = c->block};
    for (uint32_t p = d->first_out; p < d->first_out + d->outs.n; p++) {
        uint32_t node = up->links.v[up->callees.v[c->callee].first_out + d->ports.v[p].a].node;
        if (has_bit(l->bits, p))
            vec_push(&next.starts, node);
        if (has_bit(l->same_bits, p))
            vec_push(&next.same_starts, node);
    }
    return next;
}

/* Sinks of this frame and below among the ports of the same iteration; at the entry also what follows its
 * end. */
static void level_same(FlowInfluence *in, const Level *l, ItemSets *sets)
{
    BitSet here = {0};
    reach_below(in, l->context, l->same_bits, &here);
    unite_from(&sets->same, &here, in->contexts.v[l->context].first_sink);
    bitset_free(&here);
    if (in->contexts.v[l->context].parent == IR_NONE)
        reach_up(in, l->context, l->same_bits, &sets->same);
}

/* Nodes from which an item's influence starts. True if it is a closed call in which a sink may lie. */
static bool item_starts(const FlowInfluence *in, const Item *item, U32Vec *out)
{
    const Depend *d = influence_depend(in, item->context);
    bool fails = false;
    if (item->node != IR_NONE) {
        vec_push(out, item->node);
        return false;
    }
    const DepCall *call = &d->calls.v[item->call];
    if (call->lump != IR_NONE) {
        vec_push(out, call->lump);
        if (call->check != IR_NONE)
            vec_push(out, call->check);
    }
    for (uint32_t k = 0; k < call->n; k++) {
        const DepCallee *callee = &d->callees.v[call->first + k];
        for (uint32_t o = 0; o < callee->n_out; o++)
            vec_push(out, d->links.v[callee->first_out + o].node);
        fails |= in->depend->fns[callee->fn]->fails;
    }
    return fails;
}

/* Memory is looked through for leaks wherever the run may exit: whatever is decided may matter there. */
static void reach_end(ItemSets *sets)
{
    bitset_add(&sets->any, 0);
    bitset_add(&sets->same, 0);
    for (uint32_t i = 0; i < sets->loops.n; i++)
        bitset_add(&sets->loops.v[i].sinks, 0);
}

static void compute(FlowInfluence *in, uint32_t item, ItemSets *sets)
{
    const Item *it = &in->items.v[item];
    Level level = {.context = it->context, .block = it->block};
    if (item_starts(in, it, &level.starts)) {
        const Depend *d = influence_depend(in, it->context);
        uint32_t sink = in->contexts.v[it->context].first_sink + d->ports.v[d->calls.v[it->call].sink].a;
        bitset_add(&sets->any, sink);
        bitset_add(&sets->same, sink);
    }
    for (uint32_t i = 0; i < level.starts.n; i++)
        vec_push(&level.same_starts, level.starts.v[i]);
    for (bool first = true;; first = false) {
        level_open(in, &level);
        if (first)
            reach_all(in, level.context, level.bits, &sets->any);
        level_loops(in, &level, sets);
        level_same(in, &level, sets);
        if (in->contexts.v[level.context].parent == IR_NONE)
            break;
        Level next = level_up(in, &level);
        level_free(&level);
        level = next;
    }
    level_free(&level);
    if (in->leaks_anywhere)
        reach_end(sets);
    for (uint32_t i = 0, n = sets->loops.n; i < n / 2; i++) { /* outermost first */
        LoopSet swap = sets->loops.v[i];
        sets->loops.v[i] = sets->loops.v[n - 1 - i];
        sets->loops.v[n - 1 - i] = swap;
    }
}

ItemSets *influence_sets(FlowInfluence *in, uint32_t item)
{
    if (!in->items.v[item].sets) {
        ItemSets *sets = mem_zalloc(sizeof *sets);
        compute(in, item, sets);
        in->items.v[item].sets = sets;
    }
    in->spent |= in->depend->steps > in->options.max_steps;
    return in->items.v[item].sets;
}

/* ---- is there a sink at all? ----------------------------------------------------------------- */

static bool keep_exit(FlowInfluence *in, uint32_t context, uint32_t exit);

/* The same as whether the set of all sinks that the node reaches has a member, without making it. */
static bool keep_node(FlowInfluence *in, uint32_t context, uint32_t node)
{
    const Depend *d = influence_depend(in, context);
    const uint64_t *reach = d->reach[d->component[node]];
    if (depend_node_fails(d, node))
        return true;
    for (uint32_t p = d->first_out; p < d->first_out + d->outs.n; p++)
        if (has_bit(reach, p) && keep_exit(in, context, d->ports.v[p].a))
            return true;
    return false;
}

static bool keep_exit(FlowInfluence *in, uint32_t context, uint32_t exit)
{
    const Context *c = &in->contexts.v[context];
    if (c->kept[exit] == KEPT_UNKNOWN) {
        bool keep;
        if (c->parent == IR_NONE) {
            BitSet out = {0};
            leave_entry(in, exit, &out);
            keep = bitset_next(&out, 0) != UINT32_MAX;
            bitset_free(&out);
        } else {
            const Depend *up = influence_depend(in, c->parent);
            keep = keep_node(in, c->parent, up->links.v[up->callees.v[c->callee].first_out + exit].node);
        }
        c->kept[exit] = keep ? KEPT : KEPT_NOT;
    }
    return c->kept[exit] == KEPT;
}

static bool keep_item(FlowInfluence *in, uint32_t item)
{
    const Item *it = &in->items.v[item];
    U32Vec starts = {0};
    bool keep = item_starts(in, it, &starts) || in->leaks_anywhere;
    for (uint32_t i = 0; i < starts.n && !keep; i++)
        keep = keep_node(in, it->context, starts.v[i]);
    vec_free(&starts);
    return keep;
}

/* ---- the closure ----------------------------------------------------------------------------- */

static const BitSet *crossing(const ItemSets *s, uint32_t frame, uint32_t loop)
{
    for (uint32_t i = 0; i < s->loops.n; i++)
        if (s->loops.v[i].frame == frame && s->loops.v[i].loop == loop)
            return &s->loops.v[i].sinks;
    return NULL;
}

static bool shared(const FlowInfluence *in, const Relation *r, const LoopSet *l)
{
    return influence_shares(in, r, l->frame, l->loop);
}

/* Does x, whose decision is of the same iteration as b's in all loops around both, meet b's widened set?
 * Rounds of loops that are around one of them only are no matter to the other. */
static bool meets_same(const FlowInfluence *in, const ItemSets *b, const ItemSets *x, const Relation *r)
{
    if (bitset_meets(&b->closed_same, &x->same))
        return true;
    for (uint32_t k = 0; k < x->loops.n; k++)
        if (!shared(in, r, &x->loops.v[k]) && bitset_meets(&b->closed_same, &x->loops.v[k].sinks))
            return true;
    for (uint32_t i = 0; i < b->closed_loops.n; i++) {
        const LoopSet *l = &b->closed_loops.v[i];
        if (shared(in, r, l)) {
            const BitSet *other = crossing(x, l->frame, l->loop);
            if (other && bitset_meets(&l->sinks, other))
                return true;
            continue;
        }
        if (bitset_meets(&l->sinks, &x->same))
            return true;
        for (uint32_t k = 0; k < x->loops.n; k++)
            if (!shared(in, r, &x->loops.v[k]) && bitset_meets(&l->sinks, &x->loops.v[k].sinks))
                return true;
    }
    return false;
}

/* c follows in the same iteration and meets: what it reaches belongs to the set. */
static bool widen_same(FlowInfluence *in, ItemSets *b, const ItemSets *c, const Relation *r)
{
    bool grew = bitset_unite(&b->closed_same, &c->same);
    for (uint32_t k = 0; k < c->loops.n; k++)
        if (!shared(in, r, &c->loops.v[k]))
            grew |= bitset_unite(&b->closed_same, &c->loops.v[k].sinks);
    for (uint32_t i = 0; i < b->closed_loops.n; i++) {
        LoopSet *l = &b->closed_loops.v[i];
        const BitSet *other = shared(in, r, l) ? crossing(c, l->frame, l->loop) : &c->any;
        if (other)
            grew |= bitset_unite(&l->sinks, other);
    }
    return grew;
}

/* c comes in a later iteration of a loop around both and meets what is carried there. */
static bool widen_later(FlowInfluence *in, ItemSets *b, const ItemSets *c, const Relation *r)
{
    bool grew = false;
    for (uint32_t i = 0; i < b->closed_loops.n; i++) {
        LoopSet *l = &b->closed_loops.v[i];
        if (!shared(in, r, l) || !bitset_meets(&l->sinks, &c->any))
            continue;
        for (uint32_t k = i; k < b->closed_loops.n; k++)
            grew |= bitset_unite(&b->closed_loops.v[k].sinks, &c->any);
    }
    return grew;
}

/* One look at another item that reaches one of the set's sinks; true if the sets grew. `*done`: it can add
 * nothing more. */
static bool widen(FlowInfluence *in, uint32_t item, ItemSets *b, uint32_t c, bool *done)
{
    const ItemSets *other = influence_sets(in, c);
    bool grew = false;
    in->depend->steps += 1 + (1 + b->closed_loops.n) * (1 + other->loops.n) * other->any.n / STEP_WORDS;
    Relation r = influence_relate(in, item, c);
    if (c != item && r.follows && meets_same(in, b, other, &r)) {
        grew = widen_same(in, b, other, &r);
        *done = !b->closed_loops.n; /* what it adds in later rounds may come later */
    }
    return widen_later(in, b, other, &r) || grew;
}

static void unite_closed(ItemSets *b)
{
    bitset_unite(&b->closed_any, &b->closed_same);
    for (uint32_t i = 0; i < b->closed_loops.n; i++)
        bitset_unite(&b->closed_any, &b->closed_loops.v[i].sinks);
}

/* Sinks that the same items reach are one group, and looked at once. */
static void group_sinks(FlowInfluence *in, BitSet *reached_by)
{
    Map groups = {0};
    in->group_of = mem_zalloc((in->nsinks + 1) * sizeof *in->group_of);
    for (uint32_t s = 0; s < in->nsinks; s++) {
        BitSet *items = &reached_by[s];
        uint64_t hash = hash_bytes(items->v, items->n * sizeof *items->v), group = in->groups.n;
        bool known = map_get(&groups, hash, &group);
        if (known && bitset_subset(items, &in->groups.v[group]) &&
            bitset_subset(&in->groups.v[group], items)) {
            bitset_free(items);
        } else {
            group = in->groups.n;
            map_put(&groups, hash, group);
            vec_push(&in->groups, *items);
        }
        in->group_of[s] = (uint32_t)group;
    }
    map_free(&groups);
}

/* Who reaches which sink, of all that may widen a set. False: the budget is spent. */
static bool find_reached_by(FlowInfluence *in)
{
    if (in->group_of)
        return !in->spent;
    BitSet *reached_by = mem_zalloc((in->nsinks + 1) * sizeof *reached_by);
    for (uint32_t c = FLOW_ITEM_FIRST; c < in->items.n && !in->spent; c++) {
        if (in->items.v[c].kind == FLOW_ITEM_CHECK && !(in->options.policy & FLOW_TIE_FAULTS))
            continue;
        const BitSet *any = &influence_sets(in, c)->any;
        for (uint32_t s = bitset_next(any, 0); s != UINT32_MAX; s = bitset_next(any, s + 1)) {
            bitset_add(&reached_by[s], c);
            in->depend->steps++;
        }
    }
    group_sinks(in, reached_by);
    mem_free(reached_by);
    return !in->spent;
}

/* Items that reach one of the set's sinks. */
typedef struct Company {
    BitSet items, done;   /* done: those that can add nothing more */
    BitSet sinks, groups; /* that were looked at */
} Company;

static void find_company(FlowInfluence *in, const ItemSets *b, Company *company)
{
    const BitSet *any = &b->closed_any;
    for (uint32_t w = 0; w < any->n; w++) {
        uint64_t fresh = any->v[w] & ~(w < company->sinks.n ? company->sinks.v[w] : 0);
        for (; fresh; fresh &= fresh - 1) {
            uint32_t group = in->group_of[w * 64 + (uint32_t)__builtin_ctzll(fresh)];
            if (bitset_add(&company->groups, group))
                bitset_unite(&company->items, &in->groups.v[group]);
        }
    }
    bitset_unite(&company->sinks, any);
    in->depend->steps += any->n / STEP_WORDS;
}

static void close_over(FlowInfluence *in, uint32_t item, ItemSets *b)
{
    Company all = {0};
    find_company(in, b, &all);
    for (bool grew = true; grew && !in->spent;) {
        grew = false;
        for (uint32_t c = bitset_next(&all.items, 0); c != UINT32_MAX; c = bitset_next(&all.items, c + 1)) {
            bool finished = false;
            if (bitset_has(&all.done, c))
                continue;
            if (widen(in, item, b, c, &finished)) {
                grew = true;
                unite_closed(b);
                find_company(in, b, &all);
            }
            if (finished)
                bitset_add(&all.done, c);
        }
    }
    BitSet *sets[] = {&all.items, &all.done, &all.sinks, &all.groups};
    for (uint32_t i = 0; i < COUNT_OF(sets); i++)
        bitset_free(sets[i]);
}

static void close_item(FlowInfluence *in, uint32_t item)
{
    ItemSets *b = influence_sets(in, item);
    if (b->closed || in->spent)
        return;
    bitset_unite(&b->closed_same, &b->same);
    for (uint32_t i = b->closed_loops.n; i < b->loops.n; i++) {
        vec_push(&b->closed_loops, (LoopSet){.frame = b->loops.v[i].frame, .loop = b->loops.v[i].loop});
        bitset_unite(&b->closed_loops.v[i].sinks, &b->loops.v[i].sinks);
    }
    unite_closed(b);
    if (find_reached_by(in))
        close_over(in, item, b);
    b->closed = true;
}

/* ---- questions ------------------------------------------------------------------------------- */

static bool is_any(const FlowInfluence *in, uint32_t item)
{
    return item == FLOW_ITEM_ANY || item >= in->items.n;
}

/* What is decided after the entry's end meets all that reaches the end, and that meets each other there. */
static bool reaches_end(FlowInfluence *in, uint32_t item)
{
    return item == FLOW_ITEM_END ? in->handlers || in->options.checks
                                 : bitset_has(&influence_sets(in, item)->any, 0);
}

bool flow_item_keep(FlowInfluence *in, uint32_t item)
{
    if (item == FLOW_ITEM_END)
        return reaches_end(in, item);
    return is_any(in, item) || in->spent || keep_item(in, item);
}

/* The chain that leads from a to what b and its company reach, as a set of sinks; NULL: by way of the same
 * iteration. */
static const BitSet *way_set(FlowInfluence *in, uint32_t a, FlowWay way)
{
    const ItemSets *x = influence_sets(in, a);
    if (way.loop == IR_NONE)
        return NULL;
    const BitSet *set = crossing(x, way.frame, way.loop);
    return set ? set : &x->any;
}

bool flow_interact(FlowInfluence *in, uint32_t a, uint32_t b, FlowWay way)
{
    if (is_any(in, a) || is_any(in, b) || in->spent)
        return true;
    if (!flow_item_keep(in, a) || !flow_item_keep(in, b))
        return false;
    if (a == FLOW_ITEM_END || b == FLOW_ITEM_END)
        return reaches_end(in, a) && reaches_end(in, b);
    close_item(in, b);
    if (in->spent || (a == b && way.loop == IR_NONE))
        return true;
    const BitSet *over = way_set(in, a, way);
    if (over)
        return bitset_meets(over, &in->items.v[b].sets->closed_any);
    Relation r = influence_relate(in, b, a);
    return meets_same(in, in->items.v[b].sets, in->items.v[a].sets, &r);
}

bool flow_instances_interact(FlowInfluence *in, const FlowInstance *a, const FlowInstance *b)
{
    if (a->item < FLOW_ITEM_FIRST || b->item < FLOW_ITEM_FIRST)
        return flow_interact(in, a->item, b->item, FLOW_SAME);
    Relation r = influence_relate(in, a->item, b->item);
    for (uint32_t i = 0; i < a->n && i < b->n; i++) {
        FlowIteration x = a->iterations[i], y = b->iterations[i];
        if (x.frame != y.frame || x.loop != y.loop || !influence_shares(in, &r, x.frame, x.loop))
            break;
        if (x.count != y.count)
            return flow_interact(in, a->item, b->item, (FlowWay){x.frame, x.loop});
    }
    return flow_interact(in, a->item, b->item, FLOW_SAME);
}

/* A sink's instruction. */
static FlowSite sink_site(const FlowInfluence *in, uint32_t sink)
{
    for (uint32_t c = 0; c < in->contexts.n; c++) {
        const Context *context = &in->contexts.v[c];
        const Depend *d = influence_depend(in, c);
        if (sink < context->first_sink || sink >= context->first_sink + d->nsinks)
            continue;
        for (uint32_t p = 0; p < d->ports.n; p++) {
            const DepPort *port = &d->ports.v[p];
            if (port->kind != PORT_SINK || port->a != sink - context->first_sink)
                continue;
            if (port->node == IR_NONE)
                return (FlowSite){d->fn, d->calls.v[port->b].block, d->calls.v[port->b].insn};
            return (FlowSite){d->fn, d->nodes.v[port->node].block, d->nodes.v[port->node].insn};
        }
    }
    return (FlowSite){in->entry, IR_NONE, IR_NONE};
}

FlowSite flow_interact_at(FlowInfluence *in, uint32_t a, uint32_t b, FlowWay way)
{
    FlowSite none = {IR_NONE, IR_NONE, IR_NONE};
    if (a < FLOW_ITEM_FIRST || b < FLOW_ITEM_FIRST || !flow_interact(in, a, b, way) || in->spent)
        return none;
    const BitSet *over = way_set(in, a, way);
    const ItemSets *x = in->items.v[a].sets, *y = in->items.v[b].sets;
    const BitSet *from = over ? over : &x->any;
    const BitSet *tries[] = {&y->any, &y->closed_any}; /* rather a place where they meet themselves */
    for (uint32_t t = 0; t < COUNT_OF(tries); t++)
        for (uint32_t s = bitset_next(from, 0); s != UINT32_MAX; s = bitset_next(from, s + 1))
            if (bitset_has(tries[t], s))
                return sink_site(in, s);
    return none;
}

FlowSites flow_item_sinks(FlowInfluence *in, uint32_t item)
{
    vec_clear(&in->list);
    if (is_any(in, item) || item == FLOW_ITEM_END)
        return (FlowSites){NULL, 0};
    const BitSet *any = &influence_sets(in, item)->any;
    Map seen = {0};
    for (uint32_t s = bitset_next(any, 0); s != UINT32_MAX; s = bitset_next(any, s + 1)) {
        FlowSite at = sink_site(in, s);
        if (map_get(&seen, flow_site_key(at), NULL))
            continue;
        map_put(&seen, flow_site_key(at), 1);
        vec_push(&in->list, at);
    }
    map_free(&seen);
    return (FlowSites){in->list.v, in->list.n};
}
