/* influence.c - the tree of calls from the entry, opened to a bound, and its items.
 *
 * Opening calls qualifies an instruction by the way that led to it: a helper called from independent parts
 * has an item in each of them. Calls are opened breadth first; what stays closed is one item and one sink. */
#include "flow/influence_int.h"
#include "flow/flow_int.h"

enum { DEFAULT_CONTEXTS = 2000, DEFAULT_LISTED = 64 };
#define DEFAULT_STEPS  ((uint64_t)250 * 1000 * 1000)
#define DEFAULT_MEMORY ((size_t)256 << 20)

const Depend *influence_depend(const FlowInfluence *in, uint32_t context)
{
    return in->depend->fns[in->contexts.v[context].fn];
}

/* ---- contexts -------------------------------------------------------------------------------- */

/* Decides something, qualified by a context. Where the machine looks for bytes without a value, a symbolic
 * value that meets one becomes concrete in the middle of an expression: there the register that is made may
 * be a decision. */
static bool is_item(const FlowInfluence *in, const Depend *d, const DepNode *node)
{
    if (node->kind == DEP_BRANCH || node->kind == DEP_ADDRESS || node->kind == DEP_CHECK)
        return true;
    const IrFn *fn = &in->depend->program->fns.v[d->fn];
    return (in->options.checks & FLOW_CHECK_UNINIT) && node->kind == DEP_REG && node->block != IR_NONE &&
           fn->blocks.v[node->block].insns.v[node->insn].op != IR_PHI;
}

static uint32_t decisions(const FlowInfluence *in, const Depend *d)
{
    uint32_t n = d->calls.n;
    for (uint32_t i = 0; i < d->nodes.n; i++)
        n += is_item(in, d, &d->nodes.v[i]);
    return n;
}

static void add_context(FlowInfluence *in, Context c)
{
    const Depend *d = in->depend->fns[c.fn];
    c.children = in->children.n;
    in->nsinks += d->nsinks;
    c.down = arena_alloc(in->arena, (d->ins.n + 1) * sizeof *c.down);
    c.down_made = arena_alloc(in->arena, d->ins.n + 1);
    c.up = arena_alloc(in->arena, (d->outs.n + 1) * sizeof *c.up);
    c.up_made = arena_alloc(in->arena, d->outs.n + 1);
    c.kept = arena_alloc(in->arena, d->outs.n + 1);
    for (uint32_t i = 0; i < d->callees.n; i++)
        vec_push(&in->children, IR_NONE);
    vec_push(&in->contexts, c);
}

static void open_calls(FlowInfluence *in)
{
    uint64_t items = 0;
    in->nsinks = 1 + in->depend->fns[in->entry]->outs.n;
    add_context(in, (Context){.fn = in->entry, .parent = IR_NONE});
    for (uint32_t c = 0; c < in->contexts.n; c++) {
        Context parent = in->contexts.v[c];
        const Depend *d = in->depend->fns[parent.fn];
        items += decisions(in, d);
        for (uint32_t k = 0; k < d->callees.n; k++) {
            const DepCall *call = &d->calls.v[d->callees.v[k].call];
            const Depend *callee = in->depend->fns[d->callees.v[k].fn];
            uint64_t bytes = (items + decisions(in, callee)) * (in->nsinks + callee->nsinks) / 8 * 2;
            if (in->contexts.n >= in->options.max_contexts || bytes > in->options.max_memory / 2) {
                in->closed++;
                continue;
            }
            in->children.v[parent.children + k] = in->contexts.n;
            add_context(in, (Context){.fn = d->callees.v[k].fn,
                                      .parent = c,
                                      .depth = parent.depth + 1,
                                      .block = call->block,
                                      .insn = call->insn,
                                      .callee = k});
        }
    }
}

/* Sinks of a call and of all below it get numbers one behind the other, so that sets of them are short. */
static void number_sinks(FlowInfluence *in, uint32_t first)
{
    U32Vec work = {0}; /* a context, or its complement: everything below it has its numbers */
    vec_push(&work, 0);
    while (work.n) {
        uint32_t c = vec_pop(&work);
        if (c >= in->contexts.n) {
            in->contexts.v[~c].end_sink = first;
            continue;
        }
        const Depend *d = influence_depend(in, c);
        in->contexts.v[c].first_sink = first;
        first += d->nsinks;
        vec_push(&work, ~c);
        for (uint32_t k = 0; k < d->callees.n; k++)
            if (in->children.v[in->contexts.v[c].children + k] != IR_NONE)
                vec_push(&work, in->children.v[in->contexts.v[c].children + k]);
    }
    vec_free(&work);
}

/* ---- items ----------------------------------------------------------------------------------- */

static uint64_t item_key(uint32_t context, uint32_t node, uint32_t call)
{
    return hash_mix(hash_mix(context, node), (uint64_t)call + 1);
}

static void add_item(FlowInfluence *in, Item item)
{
    map_put(&in->item_at, item_key(item.context, item.node, item.call), in->items.n);
    vec_push(&in->items, item);
}

static bool is_closed(const FlowInfluence *in, uint32_t context, const DepCall *call)
{
    if (call->lump != IR_NONE)
        return true;
    for (uint32_t k = 0; k < call->n; k++)
        if (in->children.v[in->contexts.v[context].children + call->first + k] == IR_NONE)
            return true;
    return false;
}

/* All items are made before the first question: else the closure of one would depend on what was asked
 * before. */
static void add_items(FlowInfluence *in, uint32_t context)
{
    const Depend *d = influence_depend(in, context);
    const IrFn *fn = &in->depend->program->fns.v[d->fn];
    for (uint32_t n = 0; n < d->nodes.n; n++) {
        const DepNode *node = &d->nodes.v[n];
        if (!is_item(in, d, node))
            continue;
        FlowItemKind kind = node->kind == DEP_BRANCH  ? FLOW_ITEM_BRANCH
                            : node->kind == DEP_CHECK ? FLOW_ITEM_CHECK
                                                      : FLOW_ITEM_VALUE;
        add_item(in, (Item){context, node->block, node->insn, n, IR_NONE, kind, NULL});
    }
    for (uint32_t c = 0; c < d->calls.n; c++) {
        const DepCall *call = &d->calls.v[c];
        if (is_closed(in, context, call))
            add_item(in, (Item){context, call->block, call->insn, IR_NONE, c, FLOW_ITEM_BRANCH, NULL});
        if (fn->blocks.v[call->block].insns.v[call->insn].op == IR_CALLPTR)
            add_item(in,
                     (Item){context, call->block, call->insn, call->node, IR_NONE, FLOW_ITEM_BRANCH, NULL});
    }
}

static uint32_t lookup(const FlowInfluence *in, uint32_t context, uint32_t node, uint32_t call)
{
    return (uint32_t)map_get_or(&in->item_at, item_key(context, node, call), FLOW_ITEM_ANY);
}

static uint32_t item_in(FlowInfluence *in, uint32_t context, FlowSite at, FlowItemKind kind)
{
    const Depend *d = influence_depend(in, context);
    const IrFn *fn = &in->depend->program->fns.v[d->fn];
    if (at.fn != d->fn || at.block >= fn->blocks.n || at.insn >= fn->blocks.v[at.block].insns.n)
        return FLOW_ITEM_ANY;
    const IrInsn *insn = &fn->blocks.v[at.block].insns.v[at.insn];
    uint64_t call = map_get_or(&d->call_at, depend_at(at.block, at.insn), IR_NONE);
    uint32_t node = IR_NONE;
    if (kind == FLOW_ITEM_CHECK)
        node = depend_node_at(d, at.block, at.insn, DEP_CHECK);
    else if (call != IR_NONE)
        return insn->op == IR_CALLPTR ? lookup(in, context, d->calls.v[call].node, IR_NONE)
                                      : lookup(in, context, IR_NONE, (uint32_t)call);
    else if (kind == FLOW_ITEM_VALUE)
        node = depend_node_at(d, at.block, at.insn, DEP_ADDRESS);
    if (node == IR_NONE && kind != FLOW_ITEM_CHECK && at.insn + 1 == fn->blocks.v[at.block].insns.n)
        node = d->branch[at.block]; /* or the value of a jump's target */
    if (node == IR_NONE && kind == FLOW_ITEM_VALUE)
        node = insn->dst;
    return node == IR_NONE ? FLOW_ITEM_ANY : lookup(in, context, node, IR_NONE);
}

uint32_t flow_item(FlowInfluence *in, const FlowSite *path, uint32_t n, FlowItemKind kind)
{
    if (!in->contexts.n || !n)
        return FLOW_ITEM_ANY;
    uint32_t context = 0;
    for (uint32_t i = 0; i + 1 < n; i++) {
        const Depend *d = influence_depend(in, context);
        uint64_t at = path[i].fn == d->fn
                          ? map_get_or(&d->call_at, depend_at(path[i].block, path[i].insn), IR_NONE)
                          : IR_NONE;
        if (at == IR_NONE)
            return FLOW_ITEM_ANY;
        const DepCall *call = &d->calls.v[at];
        uint32_t child = IR_NONE;
        for (uint32_t k = 0; k < call->n; k++)
            if (d->callees.v[call->first + k].fn == path[i + 1].fn)
                child = in->children.v[in->contexts.v[context].children + call->first + k];
        if (child == IR_NONE)
            return lookup(in, context, IR_NONE, (uint32_t)at);
        context = child;
    }
    return item_in(in, context, path[n - 1], kind);
}

uint32_t flow_item_count(const FlowInfluence *in) { return in->items.n; }

FlowItem flow_item_about(const FlowInfluence *in, uint32_t item)
{
    if (item < FLOW_ITEM_FIRST)
        return (FlowItem){.at = {IR_NONE, IR_NONE, IR_NONE}, .closed = true};
    const Item *i = &in->items.v[item];
    const Context *c = &in->contexts.v[i->context];
    return (FlowItem){{c->fn, i->block, i->insn}, i->kind, c->depth, i->node == IR_NONE};
}

FlowSite flow_item_call(const FlowInfluence *in, uint32_t item, uint32_t depth)
{
    uint32_t c = in->items.v[item].context;
    while (in->contexts.v[c].depth > depth + 1)
        c = in->contexts.v[c].parent;
    const Context *child = &in->contexts.v[c];
    return (FlowSite){in->contexts.v[child->parent].fn, child->block, child->insn};
}

/* ---- how two items lie to each other --------------------------------------------------------- */

Relation influence_relate(const FlowInfluence *in, uint32_t a, uint32_t b)
{
    const Item *x = &in->items.v[a], *y = &in->items.v[b];
    const Context *all = in->contexts.v;
    uint32_t cx = x->context, cy = y->context;
    bool inside_x = false, inside_y = false;
    Relation r = {.a = {all[cx].fn, x->block, x->insn}, .b = {all[cy].fn, y->block, y->insn}};
    while (cx != cy) {
        if (all[cx].depth >= all[cy].depth) {
            r.a = (FlowSite){all[all[cx].parent].fn, all[cx].block, all[cx].insn};
            cx = all[cx].parent;
            inside_x = true;
        } else {
            r.b = (FlowSite){all[all[cy].parent].fn, all[cy].block, all[cy].insn};
            cy = all[cy].parent;
            inside_y = true;
        }
    }
    r.context = cx;
    if (r.a.block != r.b.block)
        r.follows = depend_later(in->depend, influence_depend(in, cx), r.a.block, r.b.block);
    else if (r.a.insn != r.b.insn)
        r.follows = r.a.insn < r.b.insn;
    else
        r.follows = inside_y || !inside_x; /* what decides the call precedes what is in it */
    uint32_t loop = in->depend->program->fns.v[r.a.fn].loop_of.v[r.a.block];
    const IrLoop *loops = in->depend->program->fns.v[r.a.fn].loops.v;
    for (; loop != IR_NONE; loop = loops[loop].parent)
        r.follows |= loops[loop].irreducible && influence_shares(in, &r, all[cx].depth, loop);
    return r;
}

bool influence_shares(const FlowInfluence *in, const Relation *r, uint32_t frame, uint32_t loop)
{
    uint32_t depth = in->contexts.v[r->context].depth;
    const IrFn *fn = &in->depend->program->fns.v[r->a.fn];
    return frame < depth ||
           (frame == depth && depend_in_loop(fn, r->a.block, loop) && depend_in_loop(fn, r->b.block, loop));
}

/* ---- life ------------------------------------------------------------------------------------ */

FlowInfluence *flow_influence_new(Flow *flow, const FlowInfluenceOptions *options)
{
    FlowInfluence *in = mem_zalloc(sizeof *in);
    const IrProgram *p = flow->program;
    in->flow = flow;
    in->arena = arena_new();
    in->options = options ? *options : (FlowInfluenceOptions){0};
    FlowInfluenceOptions *o = &in->options;
    o->sinks = o->sinks ? o->sinks : FLOW_SINK_FAULTS;
    o->max_steps = o->max_steps ? o->max_steps : DEFAULT_STEPS;
    o->max_memory = o->max_memory ? o->max_memory : DEFAULT_MEMORY;
    o->max_contexts = o->max_contexts ? o->max_contexts : DEFAULT_CONTEXTS;
    o->max_listed = o->max_listed ? o->max_listed : DEFAULT_LISTED;
    in->depend = depend_new(flow, p, o);
    in->entry = flow->options.entry != IR_NONE ? flow->options.entry : ir_fn_find(p, "main");
    in->handlers = p->destructors.n > 0;
    uint32_t leave = ir_fn_find(p, "exit");
    in->handlers |= leave != IR_NONE && in->depend->calls_back[leave];
    in->leaks_anywhere = (o->checks & FLOW_CHECK_LEAK) && (o->sinks & (FLOW_SINK_FAULTS | FLOW_SINK_ALL)) &&
                         in->entry != IR_NONE && (flow_fn_ends(flow, in->entry) & ENDS_EXIT);
    for (uint32_t i = 0; i < FLOW_ITEM_FIRST; i++)
        vec_push(&in->items, (Item){.context = IR_NONE, .node = IR_NONE, .call = IR_NONE});
    if (in->entry != IR_NONE && in->depend->fns[in->entry] && !in->depend->fns[in->entry]->lump) {
        open_calls(in);
        number_sinks(in, 1 + in->depend->fns[in->entry]->outs.n);
        for (uint32_t c = 0; c < in->contexts.n; c++)
            add_items(in, c);
    }
    return in;
}

static void free_sets(ItemSets *s)
{
    BitSet *sets[] = {&s->any, &s->same, &s->closed_any, &s->closed_same};
    for (uint32_t i = 0; i < COUNT_OF(sets); i++)
        bitset_free(sets[i]);
    for (uint32_t i = 0; i < s->loops.n; i++)
        bitset_free(&s->loops.v[i].sinks);
    for (uint32_t i = 0; i < s->closed_loops.n; i++)
        bitset_free(&s->closed_loops.v[i].sinks);
    vec_free(&s->loops);
    vec_free(&s->closed_loops);
    mem_free(s);
}

void flow_influence_free(FlowInfluence *in)
{
    for (uint32_t i = 0; i < in->items.n; i++)
        if (in->items.v[i].sets)
            free_sets(in->items.v[i].sets);
    for (uint32_t c = 0; c < in->contexts.n; c++) {
        const Depend *d = influence_depend(in, c);
        for (uint32_t i = 0; i < d->ins.n; i++)
            bitset_free(&in->contexts.v[c].down[i]);
        for (uint32_t i = 0; i < d->outs.n; i++)
            bitset_free(&in->contexts.v[c].up[i]);
    }
    slices_free(in);
    for (uint32_t i = 0; i < in->groups.n; i++)
        bitset_free(&in->groups.v[i]);
    vec_free(&in->groups);
    mem_free(in->group_of);
    vec_free(&in->items);
    vec_free(&in->contexts);
    vec_free(&in->children);
    vec_free(&in->list);
    map_free(&in->item_at);
    depend_free(in->depend);
    arena_free(in->arena);
    mem_free(in);
}

FlowInfluenceStats flow_influence_stats(const FlowInfluence *in)
{
    const DependSet *set = in->depend;
    FlowInfluenceStats s = {.functions = set->order.n,
                            .cut = set->cut,
                            .contexts = in->contexts.n,
                            .closed = in->closed,
                            .items = in->items.n,
                            .sinks = in->nsinks,
                            .steps = set->steps,
                            .bytes = set->bytes,
                            .spent = in->spent};
    for (uint32_t i = 0; i < set->order.n; i++) {
        const Depend *d = set->fns[set->order.v[i]];
        s.nodes += d->nodes.n;
        s.edges += d->start ? d->start[d->nodes.n] : 0;
    }
    return s;
}
