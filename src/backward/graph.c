/* graph.c - cut points and segments, with constants propagated over them.
 *
 * A register or cell of memory that holds the same constant in every end that leads to a cut point is that
 * constant in the segment from there: bounds of loops, addresses of arrays, function pointers. Constants are
 * taken for granted until an end shows otherwise; then the segment is evaluated again without them. So what
 * is left when nothing changes holds in every run. */
#include "backward/eval.h"

enum {
    EVALUATIONS = 12, /* of one segment, on average */
    LASTING_SIZE = 40
}; /* of an expression over the entry that is propagated like a constant */

/* ---- memory at the start of a segment -------------------------------------------------------- */

static bool is_freed(const VmInputs *in, const char *name)
{
    for (uint32_t i = 0; in && i < in->globals.n; i++)
        if (!strcmp(in->globals.v[i], name))
            return true;
    return in && in->all_globals;
}

/* A global that an input fills, named as the machine names it. */
static Expr freed_read(Backward *bw, const IrGlobal *g, Expr offset, unsigned bytes)
{
    ExprPool *p = bw->pool;
    char key[192];
    snprintf(key, sizeof key, "global:%.160s", ir_text(bw->program, g->name));
    ExprObject input = expr_object(p, key, ir_text(bw->program, g->name), (uint32_t)g->size,
                                   g->size <= 8 ? (ExprCType){EXPR_C_INT, 0} : (ExprCType){EXPR_C_CHAR, 1});
    bw_entry_object(bw, input);
    if (expr_is_const(p, offset))
        return expr_object_word(p, input, (uint32_t)expr_const_value(p, offset), bytes);
    Expr parts[16];
    for (unsigned i = 0; i < bytes; i++)
        parts[i] = expr_array_select(p, expr_array_input(p, input), expr_add(p, offset, bw_const(bw, i)));
    return expr_concat_bytes(p, parts, bytes);
}

static Expr address_of(Backward *bw, const IrConst *k)
{
    if (k->kind != IR_CONST_GLOBAL && k->kind != IR_CONST_FN)
        return EXPR_NONE;
    uint32_t id = bw_object(bw, k->kind == IR_CONST_GLOBAL ? BW_GLOBAL : BW_FUNCTION, k->index, 0);
    return bw_offset(bw, bw->objects.v[id].base, bw_const(bw, (uint64_t)k->bits));
}

/* A word of a table of addresses, at a place that may be symbolic. */
static Expr reloc_read(Backward *bw, const IrGlobal *g, Expr offset, unsigned bytes)
{
    ExprPool *p = bw->pool;
    Expr value = expr_const(p, 64, 0);
    if (bytes != 8 || g->relocs.n > 64)
        return EXPR_NONE;
    for (uint32_t i = 0; i < g->relocs.n; i++) {
        Expr address = address_of(bw, &g->relocs.v[i].value);
        if (expr_is_none(address))
            return EXPR_NONE;
        value = expr_ite(p, expr_eq(p, offset, bw_const(bw, g->relocs.v[i].offset)), address, value);
    }
    for (uint64_t i = 0; g->bytes && i < g->size && !expr_is_const(p, offset); i++)
        if (g->bytes[i])
            return EXPR_NONE; /* numbers among the addresses */
    return value;
}

Expr bw_global_read(Backward *bw, uint32_t global, Expr offset, unsigned bytes)
{
    ExprPool *p = bw->pool;
    const IrGlobal *g = &bw->program->globals.v[global];
    bool at_constant = expr_is_const(p, offset);
    uint64_t at = at_constant ? (uint64_t)expr_const_value(p, offset) : 0;
    if (!g->defined || (at_constant && (at > g->size || bytes > g->size - at)) || g->size > 1 << 16)
        return EXPR_NONE;
    if (!g->constant && !g->runtime && is_freed(bw->options.inputs, ir_text(bw->program, g->name)))
        return freed_read(bw, g, offset, bytes);
    for (uint32_t i = 0; i < g->relocs.n; i++)
        if (!at_constant || (g->relocs.v[i].offset < at + bytes && at < g->relocs.v[i].offset + 8))
            return reloc_read(bw, g, offset, bytes);
    if (at_constant) {
        u128 value = 0;
        if (g->bytes)
            memcpy(&value, g->bytes + at, bytes);
        return expr_const(p, 8 * bytes, value);
    }
    static const uint8_t zero;
    ExprArray table =
        g->bytes ? expr_array_const(p, g->bytes, (uint32_t)g->size) : expr_array_const(p, &zero, 1);
    Expr parts[16];
    for (unsigned i = 0; i < bytes; i++)
        parts[i] = expr_array_select(p, table, expr_add(p, offset, bw_const(bw, i)));
    return expr_concat_bytes(p, parts, bytes);
}

static void add_written(Backward *bw, FlowSite at)
{
    FlowPlaces places = flow_insn_writes(bw->flow, at);
    for (uint32_t i = 0; i < places.n; i++) {
        FlowList behind = {&places.v[i].object, 1};
        if (places.v[i].param != IR_NONE)
            behind = flow_pointees(bw->flow, at.fn, places.v[i].param);
        for (uint32_t k = 0; k < behind.n; k++)
            bitset_add(&bw->written, behind.v[k]);
    }
}

/* Objects that instructions of the entry, or of functions that it may call, write. (What a call writes as its
 * caller sees it is less: of a function that never returns nothing.) */
static void find_written(Backward *bw)
{
    BitSet seen = {0};
    U32Vec queue = {0};
    if (bw->written_known)
        return;
    bw->written_known = true;
    bitset_add(&seen, bw->entry);
    vec_push(&queue, bw->entry);
    while (queue.n) {
        uint32_t fn = vec_pop(&queue);
        const IrFn *f = &bw->program->fns.v[fn];
        for (uint32_t b = 0; b < f->blocks.n; b++)
            for (uint32_t i = 0; i < f->blocks.v[b].insns.n; i++) {
                FlowSite at = {fn, b, i};
                IrOp op = f->blocks.v[b].insns.v[i].op;
                FlowList callees = {0};
                if (op == IR_CALL || op == IR_CALLPTR)
                    callees = flow_callees(bw->flow, at);
                add_written(bw, at);
                for (uint32_t k = 0; k < callees.n; k++)
                    if (bitset_add(&seen, callees.v[k]))
                        vec_push(&queue, callees.v[k]);
            }
    }
    bitset_free(&seen);
    vec_free(&queue);
}

/* Does nothing in a run write this global? */
static bool is_unwritten(Backward *bw, uint32_t global)
{
    if (bw->program->globals.v[global].constant)
        return true;
    if (bw->options.rules_off & BACKWARD_OFF_HAVOC)
        return false;
    uint32_t object = flow_object_of_global(bw->flow, global);
    if (object == FLOW_OBJECT_ANY || bw->program->constructors.n || bw->program->init != IR_NONE)
        return false;
    find_written(bw);
    return !bitset_has(&bw->written, FLOW_OBJECT_ANY) && !bitset_has(&bw->written, object);
}

bool bw_is_lasting(Backward *bw, Expr e)
{
    if (!expr_is_const(bw->pool, e)) /* what the entry was given stays as it was */
        return bw->require && bw_is_of_entry(bw, e) && expr_size(bw->pool, e) <= LASTING_SIZE;
    if (!bw_is_address(bw, e))
        return true;
    const BwObject *o = &bw->objects.v[bw_object_of(bw, e)];
    return o->segment == IR_NONE || o->segment == bw->start;
}

static Expr cell_now(Backward *bw, uint32_t mem, Expr address, unsigned bytes)
{
    return bytes ? bw_mem_read(bw, mem, address, bytes, true)
                 : bw_mem_dead(bw, mem, bw_object_of(bw, address));
}

/* The value of a cell in all ends that lead to the cut, if it is one constant. Ends of its own segment, which
 * may be under evaluation, are looked at when that is done: see drop_others. */
static Expr cell_value(Backward *bw, uint32_t cut, Expr address, unsigned bytes)
{
    Expr value = EXPR_NONE;
    for (uint32_t s = 0; s < bw->segments.n; s++)
        for (uint32_t i = 0; i < bw->segments.v[s].ends.n; i++) {
            const BwEnd *end = &bw->segments.v[s].ends.v[i];
            if (end->kind != BW_END_CUT || end->cut != cut || s == bw->cuts.v[cut].segment)
                continue;
            Expr v = cell_now(bw, end->mem, address, bytes);
            if (!bw_is_lasting(bw, v) || (!expr_is_none(value) && !expr_same(value, v)))
                return EXPR_NONE;
            value = v;
        }
    return value;
}

static Expr cell_read(Backward *bw, uint32_t cut, Expr address, unsigned bytes)
{
    for (uint32_t i = 0; i < bw->cuts.v[cut].cells.n; i++) {
        struct BwCell c = bw->cuts.v[cut].cells.v[i];
        if (expr_same(c.address, address) && c.bytes == bytes)
            return c.value;
    }
    uint32_t at = bw->cuts.v[cut].cells.n;
    vec_push(&bw->cuts.v[cut].cells, (struct BwCell){address, bytes, EXPR_NONE});
    Expr value = cell_value(bw, cut, address, bytes);
    bw->cuts.v[cut].cells.v[at].value = value;
    return value;
}

/* Objects are alive unless an end says otherwise, like constants. */
Expr bw_start_dead(Backward *bw, uint32_t cut, uint32_t object)
{
    const BwObject *o = &bw->objects.v[object];
    if (cut == IR_NONE || (o->kind != BW_STACK && o->kind != BW_HEAP) ||
        (bw->options.rules_off & BACKWARD_OFF_DEATHS))
        return EXPR_FALSE;
    return cell_read(bw, cut, o->base, 0);
}

/* Was standard input read, or put back, by something that is not modelled? */
static bool is_disturbed(Backward *bw)
{
    uint32_t stream = flow_object_of_stream(bw->flow, 0);
    for (uint32_t i = 0; i < bw->havocs.n; i++)
        for (uint32_t k = 0; k < bw->havocs.v[i].n; k++)
            if ((bw->havocs.v[i].v[k] & ~1u) == stream || (bw->havocs.v[i].v[k] & ~1u) == FLOW_OBJECT_ANY)
                return true;
    return false;
}

static Expr stdin_read(Backward *bw, Expr offset)
{
    ExprObject input =
        expr_object(bw->pool, "stdin", "stdin", bw->options.inputs->stdin_size, (ExprCType){EXPR_C_CHAR, 1});
    bw_entry_object(bw, input);
    return expr_array_select(bw->pool, expr_array_input(bw->pool, input), offset);
}

Expr bw_start_read(Backward *bw, uint32_t cut, Expr address, unsigned bytes, bool aligned)
{
    ExprPool *p = bw->pool;
    uint32_t object = bw_object_of(bw, address);
    if (object != IR_NONE) {
        BwObject o = bw->objects.v[object];
        Expr offset = expr_sub(p, address, o.base), value = EXPR_NONE;
        if (o.kind == BW_GLOBAL && (cut == IR_NONE || is_unwritten(bw, o.index)))
            value = bw_global_read(bw, o.index, offset, bytes);
        else if (cut == IR_NONE && o.kind == BW_CURSOR)
            value = bw_const(bw, 0);
        else if (o.kind == BW_STDIN && bytes == 1 && (cut == IR_NONE || !is_disturbed(bw)) &&
                 bw->options.inputs && bw->options.inputs->stdin_size)
            value = stdin_read(bw, offset);
        else if (cut != IR_NONE && expr_is_const(p, address))
            value = cell_read(bw, cut, address, bytes);
        if (!expr_is_none(value) && expr_width(p, value) == 8 * bytes)
            return value;
    }
    return bw_load(bw, address, bytes, aligned, bw->m);
}

/* ---- constants at cut points ----------------------------------------------------------------- */

Expr bw_cut_register(Backward *bw, uint32_t cut, uint32_t instance, uint32_t reg, Expr *varies)
{
    uint64_t id, key = (uint64_t)instance << 32 | reg;
    *varies = EXPR_NONE;
    if (map_get(&bw->cuts.v[cut].registers, key, &id))
        return (Expr){(uint32_t)id};
    if (!map_get(&bw->cuts.v[cut].bases, key, &id))
        return *varies = bw_reg_symbol(bw, instance, reg);
    *varies = bw_offset_symbol(bw, instance, reg, (Expr){(uint32_t)id});
    return expr_add(bw->pool, (Expr){(uint32_t)id}, *varies);
}

Expr bw_end_register(Backward *bw, uint32_t segment, const BwEnd *end, uint32_t instance, uint32_t reg)
{
    Expr varies;
    uint32_t from = bw->segments.v[segment].cut;
    for (uint32_t i = 0; i < end->nframes; i++)
        if (end->frames[i].instance == instance && reg < end->frames[i].n &&
            !expr_is_none(end->frames[i].regs[reg]))
            return end->frames[i].regs[reg];
    return from == IR_NONE ? bw_reg_symbol(bw, instance, reg)
                           : bw_cut_register(bw, from, instance, reg, &varies);
}

static void keep_first(Backward *bw, uint32_t segment, const BwEnd *end)
{
    Map *to = &bw->cuts.v[end->cut].registers;
    uint32_t from = bw->segments.v[segment].cut, cursor = 0;
    uint64_t key, id;
    for (uint32_t i = 0; i < end->nframes; i++)
        for (uint32_t r = 0; r < end->frames[i].n; r++)
            if (!expr_is_none(end->frames[i].regs[r]) && bw_is_lasting(bw, end->frames[i].regs[r]))
                map_put(to, (uint64_t)end->frames[i].instance << 32 | r, end->frames[i].regs[r].id);
    if (from == IR_NONE || from == end->cut)
        return;
    while (map_next(&bw->cuts.v[from].registers, &cursor, &key, &id)) /* what was not read on the way */
        for (uint32_t i = 0; i < end->nframes; i++)
            if (end->frames[i].instance == key >> 32 && expr_is_none(end->frames[i].regs[(uint32_t)key]))
                map_put(to, key, id);
}

/* A register that is no constant, but a distance from the same pointer of the entry at this end as before,
 * keeps that pointer as its base. */
static void keep_base(Backward *bw, uint32_t cut, uint64_t key, Expr before, Expr now)
{
    BwRoot a, b;
    if (bw_root(bw, before, &a) && bw_root(bw, now, &b) && expr_same(a.root, b.root) &&
        bw_is_of_entry(bw, a.root))
        map_put(&bw->cuts.v[cut].bases, key, a.root.id);
}

/* Drops bases that this end contradicts; true if there was one. */
static bool drop_bases(Backward *bw, uint32_t segment, const BwEnd *end)
{
    uint32_t cursor = 0;
    uint64_t key, id;
    U64Vec gone = {0};
    while (map_next(&bw->cuts.v[end->cut].bases, &cursor, &key, &id)) {
        BwRoot r;
        if (!bw_root(bw, bw_end_register(bw, segment, end, (uint32_t)(key >> 32), (uint32_t)key), &r) ||
            r.root.id != id)
            vec_push(&gone, key);
    }
    for (uint32_t i = 0; i < gone.n; i++)
        map_remove(&bw->cuts.v[end->cut].bases, gone.v[i]);
    bool any = gone.n > 0;
    vec_free(&gone);
    return any;
}

/* Drops constants that this end contradicts; true if there was one. */
static bool drop_others(Backward *bw, uint32_t segment, const BwEnd *end)
{
    BwCut *cut = &bw->cuts.v[end->cut];
    uint32_t cursor = 0;
    uint64_t key, id;
    U64Vec gone = {0};
    if (bw->options.rules_off & BACKWARD_OFF_CONSTANTS)
        return false;
    while (map_next(&cut->registers, &cursor, &key, &id))
        if (bw_end_register(bw, segment, end, (uint32_t)(key >> 32), (uint32_t)key).id != id)
            vec_push(&gone, key);
    bool changed = drop_bases(bw, segment, end) || gone.n > 0;
    for (uint32_t i = 0; i < gone.n; i++) {
        Expr before = {(uint32_t)map_get_or(&bw->cuts.v[end->cut].registers, gone.v[i], 0)};
        map_remove(&bw->cuts.v[end->cut].registers, gone.v[i]);
        keep_base(bw, end->cut, gone.v[i], before,
                  bw_end_register(bw, segment, end, (uint32_t)(gone.v[i] >> 32), (uint32_t)gone.v[i]));
    }
    vec_free(&gone);
    for (uint32_t i = 0; i < bw->cuts.v[end->cut].cells.n; i++) {
        struct BwCell c = bw->cuts.v[end->cut].cells.v[i];
        if (expr_is_none(c.value) || expr_same(cell_now(bw, end->mem, c.address, c.bytes), c.value))
            continue;
        bw->cuts.v[end->cut].cells.v[i].value = EXPR_NONE; /* and so it stays */
        changed = true;
    }
    return changed;
}

/* ---- building -------------------------------------------------------------------------------- */

/* What was read with constants that are none must be read again. */
static void cut_forget(Backward *bw, uint32_t cut)
{
    BwCut *c = &bw->cuts.v[cut];
    c->memory = bw_mem_add(bw, (BwMemNode){.kind = BW_MEM_START, .id = cut, .other = bw->fresh++});
}

/* Passes on what a segment's ends say; cuts whose segments must be evaluated (again) join the queue. */
static void segment_ended(Backward *bw, uint32_t segment, U32Vec *queue)
{
    for (uint32_t i = 0; i < bw->segments.v[segment].ends.n; i++) {
        BwEnd end = bw->segments.v[segment].ends.v[i];
        if (end.kind != BW_END_CUT)
            continue;
        BwCut *cut = &bw->cuts.v[end.cut];
        bool first = !cut->arrived;
        cut->arrived = true;
        if (first)
            keep_first(bw, segment, &end);
        if ((first || drop_others(bw, segment, &end)) && !bw->cuts.v[end.cut].stale) {
            bw->cuts.v[end.cut].stale = true;
            vec_push(queue, end.cut);
        }
    }
}

/* What runs before main, and handlers that run after it, are no part of the graph. */
static bool runs_elsewhere(Backward *bw)
{
    static const char *const ends[] = {"exit", "quick_exit"};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        uint32_t fn = ir_fn_find(bw->program, ends[i]);
        if (fn != IR_NONE && bw_reaches(bw, fn))
            return true;
    }
    for (uint32_t i = 0; i < bw->program->constructors.n; i++)
        if (bw_reaches(bw, bw->program->constructors.v[i]))
            return true;
    return bw->program->destructors.n;
}

bool bw_graph_build(Backward *bw)
{
    U32Vec queue = {0};
    uint32_t evaluations = 0;
    bool ok = true;
    if (runs_elsewhere(bw)) {
        bw_reason(bw, IR_NONE, "functions that run before main, or when the program ends, are not modelled");
        return false;
    }
    segment_ended(bw, bw_segment(bw, IR_NONE), &queue);
    for (uint32_t next = 0; next < queue.n && ok; next++) {
        uint32_t cut = queue.v[next];
        bw->cuts.v[cut].stale = false;
        cut_forget(bw, cut);
        segment_ended(bw, bw_segment(bw, cut), &queue);
        ok = !bw_out_of_time(bw) && bw->cuts.n <= bw->options.max_cuts &&
             ++evaluations <= EVALUATIONS * (bw->cuts.n + 4);
    }
    if (!ok)
        bw_reason(bw, IR_NONE,
                  bw_out_of_time(bw) ? "the time for a proof is used up"
                                     : "too many loops in too many places");
    vec_free(&queue);
    return ok;
}

void bw_graph_clear(Backward *bw)
{
    for (uint32_t i = 0; i < bw->segments.n; i++) {
        vec_free(&bw->segments.v[i].ends);
        vec_free(&bw->segments.v[i].inputs);
        vec_free(&bw->segments.v[i].unrolled);
        vec_free(&bw->segments.v[i].uses);
        vec_free(&bw->segments.v[i].way);
        vec_free(&bw->segments.v[i].lead);
    }
    for (uint32_t i = 0; i < bw->cuts.n; i++) {
        map_free(&bw->cuts.v[i].registers);
        map_free(&bw->cuts.v[i].bases);
        vec_free(&bw->cuts.v[i].cells);
        vec_free(&bw->cuts.v[i].every);
    }
    bw_summaries_clear(bw);
    vec_clear(&bw->segments);
    vec_clear(&bw->cuts);
    vec_clear(&bw->targets);
    vec_clear(&bw->reasons);
    map_clear(&bw->cut_ids);
    map_clear(&bw->target_ids);
    map_clear(&bw->reaches);
    bw->start = IR_NONE;
    bw->stable = false;
}
