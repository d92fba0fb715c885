/* judge.c - conditions on real states: a run of the machine stands at a cut point, and it is asked whether
 * the condition there, or an invariant, or what was taken for a constant, holds.
 *
 * The machine has its own addresses. What a register or a cell of memory holds is translated into the
 * addresses of this module, as far as it leads into an object that has a name here (a global, a function, a
 * local of a frame of the static call stack); other objects get names that no condition has. A load term is
 * read from the machine's memory. What cannot be said so (objects of the heap, which one name means many of;
 * unknowns) makes the whole UNJUDGED, unless it does not matter for the value. */
#include "backward/backward_int.h"

enum {
    STRANGE = 1 << 16,
    MARGIN = 64
}; /* numbers of objects without a name; bytes beside an object that still mean it */

struct BwJudge {
    Vm *vm;
    const BackwardSight *sight;
    Map frames; /* instance to frame */
    Map slots;  /* machine's base to ours, of what was met */
    Map bases;  /* object, or STRANGE and more, to the machine's base */
    uint32_t strange;
    bool unknown; /* what was looked at cannot be said */
};

/* ---- addresses ------------------------------------------------------------------------------- */

static uint64_t base_of(uint32_t object) { return BW_FIRST + object * BW_APART + BW_MIDDLE; }

/* Where the machine has an object of ours; false: not to be said. */
static bool machine_base(Backward *bw, uint32_t object, uint64_t *base)
{
    struct BwJudge *j = bw->judge;
    uint64_t frame;
    u128 value;
    if (map_get(&j->bases, object, base))
        return true;
    if (object >= bw->objects.n)
        return false;
    const BwObject *o = &bw->objects.v[object];
    if (o->kind == BW_GLOBAL)
        *base = vm_view_global(j->vm, o->index);
    else if (o->kind == BW_FUNCTION)
        *base = vm_view_fn(j->vm, o->index);
    else if (o->kind == BW_STACK && o->reg != IR_NONE && map_get(&j->frames, o->index, &frame) &&
             vm_view_register(j->vm, (uint32_t)frame, o->reg, &value))
        *base = (uint64_t)value;
    else
        return false;
    map_put(&j->bases, object, *base);
    return true;
}

/* All objects of ours that the machine has. */
static void name_objects(Backward *bw)
{
    uint64_t base;
    for (uint32_t i = 0; i < bw->objects.n; i++)
        if (machine_base(bw, i, &base))
            map_put(&bw->judge->slots, base, base_of(i));
}

/* A word of the machine's, as ours. */
static uint64_t ours(Backward *bw, uint64_t word)
{
    struct BwJudge *j = bw->judge;
    VmViewObject o;
    uint64_t base;
    if (!vm_view_object(j->vm, word, &o) || word + MARGIN < o.base || word > o.base + o.size + MARGIN)
        return word;
    if (!map_get(&j->slots, o.base, &base)) {
        base = base_of(STRANGE + j->strange);
        map_put(&j->slots, o.base, base);
        map_put(&j->bases, STRANGE + j->strange++, o.base);
    }
    return base + (word - o.base);
}

/* One of our addresses, as the machine's; numbers stay what they are. */
static uint64_t theirs(Backward *bw, uint64_t word)
{
    uint64_t base, object = word < BW_FIRST ? UINT64_MAX : (word - BW_FIRST) / BW_APART;
    if (object >= STRANGE + bw->judge->strange)
        return word;
    if (!machine_base(bw, (uint32_t)object, &base)) {
        bw->judge->unknown = true;
        return 0;
    }
    return base + (word - base_of((uint32_t)object));
}

/* ---- terms ----------------------------------------------------------------------------------- */

/* What is outside of all objects is 0: a condition that is right holds whatever is there. Bytes of a pointer
 * are those that it has here. */
static u128 loaded(Backward *bw, uint64_t address, unsigned bytes)
{
    const Vm *vm = bw->judge->vm;
    uint64_t at = theirs(bw, address), inside = at & 7;
    u128 value = 0, word;
    if (bytes + inside <= 8 && vm_view_read(vm, at - inside, 8, &word) &&
        ours(bw, (uint64_t)word) != (uint64_t)word)
        return (u128)ours(bw, (uint64_t)word) >> 8 * inside & bits_mask(8 * bytes);
    vm_view_read(vm, at, bytes, &value);
    return value;
}

static bool is_bad(Backward *bw, char kind, uint64_t address, uint64_t bytes)
{
    VmViewObject o;
    uint64_t at = theirs(bw, address);
    bool there = vm_view_object(bw->judge->vm, at, &o) && o.alive;
    if (kind == 'd')
        return !there;
    if (kind == 'f')
        return at && !(there && o.kind == VM_VIEW_HEAP && at == o.base);
    if (!bytes)
        return false;
    if (kind == 'n')
        return !at;
    return !there || o.kind == VM_VIEW_FN || (kind == 'w' && o.constant) || bytes > o.size ||
           at - o.base > o.size - bytes;
}

u128 bw_term_value(void *context, const u128 *arguments, uint32_t n)
{
    const BwTerm *t = context;
    if (!t->bw->judge)
        return 0;
    t->bw->judge->unknown |= arguments[n - 1] != 1; /* a memory of which nothing is known */
    if (t->kind == 'l')
        return loaded(t->bw, (uint64_t)arguments[0], t->bytes);
    return is_bad(t->bw, t->kind, (uint64_t)arguments[0], (uint64_t)arguments[1]);
}

/* ---- symbols --------------------------------------------------------------------------------- */

/* An input that the core names as the machine does. */
static bool input_value(Backward *bw, Expr symbol, u128 *value)
{
    const BackwardSight *sight = bw->judge->sight;
    uint32_t offset, bytes = (expr_width(bw->pool, symbol) + 7) / 8;
    const ExprObjectInfo *info = expr_object_info(bw->pool, expr_symbol_object(bw->pool, symbol, &offset));
    ExprObject object;
    if (!sight->pool || !expr_object_find(sight->pool, info->key, info->size, &object))
        return false;
    *value = 0;
    for (uint32_t i = 0; i < bytes; i++)
        *value |= (u128)expr_input_byte(sight->input, expr_object_info(sight->pool, object)->at + offset + i)
                  << 8 * i;
    return true;
}

static bool symbol_value(Backward *bw, Expr symbol, u128 *value)
{
    struct BwJudge *j = bw->judge;
    uint32_t instance, reg;
    uint64_t frame, object, base;
    VmViewObject o;
    if (bw_symbol_reg(bw, symbol, &instance, &reg)) {
        if (!map_get(&j->frames, instance, &frame) || !vm_view_register(j->vm, (uint32_t)frame, reg, value))
            return false;
        if (expr_width(bw->pool, symbol) == 64)
            *value = ours(bw, (uint64_t)*value);
        return true;
    }
    if (map_get(&bw->size_objects, symbol.id, &object)) {
        bool there = machine_base(bw, (uint32_t)object, &base) && vm_view_object(j->vm, base, &o);
        *value = there ? o.size : 0;
        return there;
    }
    *value = 1;
    return expr_same(symbol, bw->m) || (!bw_is_unknown(bw, symbol) && input_value(bw, symbol, value));
}

/* Does the condition name an object that the machine cannot be asked for? Its address may stand there with
 * the sign changed. */
static bool names_unknown(Backward *bw, Expr e)
{
    U32Vec cone = {0};
    bool found = false;
    expr_cone(bw->pool, &e, 1, &cone);
    for (uint32_t i = 0; i < cone.n && !found; i++) {
        Expr x = {cone.v[i]}, back = EXPR_NONE;
        uint64_t base;
        found = bw_is_room(bw, x);
        if (!expr_is_const(bw->pool, x) || expr_width(bw->pool, x) != 64)
            continue;
        back = bw_const(bw, -(uint64_t)expr_const_value(bw->pool, x));
        for (uint32_t k = 0; k < 2 && !found; k++)
            found =
                bw_is_address(bw, k ? back : x) && !machine_base(bw, bw_object_in(bw, k ? back : x), &base);
    }
    vec_free(&cone);
    return found;
}

/* How far the state is from satisfying it, or only whether it does (0, 1); -1: not to be said. */
static long double judged(Backward *bw, Expr e, bool measure)
{
    ExprInput values = {0};
    ExprSet symbols = expr_symbols(bw->pool, e);
    if (expr_is_const(bw->pool, e))
        return !expr_is_true(e);
    bw->judge->unknown = names_unknown(bw, e);
    for (uint32_t at = expr_set_next(bw->pool, symbols, 0); at != UINT32_MAX && !bw->judge->unknown;
         at = expr_set_next(bw->pool, symbols, at + 1)) {
        Expr symbol = expr_symbol_of(bw->pool, at);
        u128 value;
        if (symbol_value(bw, symbol, &value))
            expr_input_set(bw->pool, &values, symbol, value);
        else
            bw->judge->unknown = true;
    }
    long double d = bw->judge->unknown ? -1
                    : measure          ? bw_distance(bw, &values, e)
                                       : !expr_eval_once(bw->pool, &values, e);
    expr_input_free(&values);
    return bw->judge->unknown ? -1 : d;
}

/* ---- the state ------------------------------------------------------------------------------- */

/* The machine's frames are those of the instance, up to the entry. Of an instance that stands for all
 * activations of a function that is not to be said: what its cut points say is about the activation, not
 * about the rest of the run. */
static bool match_frames(Backward *bw, uint32_t instance, Map *frames)
{
    uint32_t up = 0;
    for (; instance != IR_NONE; instance = bw->instances.v[instance].parent, up++) {
        const BwInstance *in = &bw->instances.v[instance];
        VmViewFrame f;
        if (in->summary != IR_NONE || !vm_view_frame(bw->judge->vm, up, &f) || f.fn != in->fn ||
            (in->parent != IR_NONE && (f.block != in->block || f.insn != in->insn)))
            return false;
        map_put(frames, instance, up);
    }
    return true;
}

static Expr claim_of(Backward *bw, uint32_t cut, BackwardClaim claim)
{
    Expr all = EXPR_TRUE;
    uint32_t cursor = 0;
    uint64_t key, id;
    const BwCut *c = &bw->cuts.v[cut];
    if (claim != BACKWARD_CONSTANTS)
        return claim == BACKWARD_CONDITION ? c->condition : c->invariant;
    while (map_next(&c->registers, &cursor, &key, &id))
        all = expr_and(
            bw->pool, all,
            expr_eq(bw->pool, bw_reg_symbol(bw, (uint32_t)(key >> 32), (uint32_t)key), (Expr){(uint32_t)id}));
    return all;
}

/* The cut point of the block, in the frames that there are; IR_NONE: it is none. */
static uint32_t cut_here(Backward *bw, uint32_t fn, uint32_t block)
{
    for (uint32_t i = 0; i < bw->cuts.n; i++) {
        const BwCut *c = &bw->cuts.v[i];
        map_clear(&bw->judge->frames);
        if (c->block == block && bw->instances.v[c->instance].fn == fn &&
            match_frames(bw, c->instance, &bw->judge->frames))
            return i;
    }
    return IR_NONE;
}

/* Does the segment that the run is in end there? A loop may be unrolled in one segment and cut in another;
 * where both are so in one, nothing can be said of the rest of the run. */
static bool comes_to(const Backward *bw, uint32_t cut, BackwardTrack *track)
{
    const BwSegment *s = &bw->segments.v[track->begun ? track->segment : bw->start];
    bool ends = false;
    for (uint32_t i = 0; i < s->ends.n && !ends; i++)
        ends = s->ends.v[i].kind == BW_END_CUT && s->ends.v[i].cut == cut;
    for (uint32_t i = 0; i < s->unrolled.n && ends; i++)
        track->lost |= s->unrolled.v[i] == ((uint64_t)bw->cuts.v[cut].instance << 32 | bw->cuts.v[cut].block);
    return ends && !track->lost;
}

bool backward_watch(Backward *bw, const BackwardSight *sight, BackwardTrack *track, uint32_t fn,
                    uint32_t block, uint32_t *cut)
{
    backward_watch_end(bw);
    if (!bw->built || track->lost)
        return false;
    bw->judge = mem_zalloc(sizeof *bw->judge);
    bw->judge->vm = sight->vm;
    bw->judge->sight = sight;
    *cut = cut_here(bw, fn, block);
    if (*cut == IR_NONE || !comes_to(bw, *cut, track)) {
        backward_watch_end(bw);
        return false;
    }
    name_objects(bw);
    *track = (BackwardTrack){.begun = true, .segment = bw->cuts.v[*cut].segment};
    return true;
}

void backward_watch_end(Backward *bw)
{
    if (!bw->judge)
        return;
    map_free(&bw->judge->frames);
    map_free(&bw->judge->slots);
    map_free(&bw->judge->bases);
    mem_free(bw->judge);
    bw->judge = NULL;
}

BackwardVerdict backward_judge(Backward *bw, uint32_t cut, BackwardClaim claim)
{
    if (claim == BACKWARD_CONDITION && !bw->stable)
        return BACKWARD_UNJUDGED;
    long double d = judged(bw, claim_of(bw, cut, claim), false);
    return d < 0 ? BACKWARD_UNJUDGED : d > 0 ? BACKWARD_FAILS : BACKWARD_HOLDS;
}

long double bw_condition_distance(Backward *bw, uint32_t cut)
{
    return bw->stable ? judged(bw, bw->cuts.v[cut].condition, true) : -1;
}

void backward_cut_blocks(const Backward *bw, VmBlocks *out)
{
    for (uint32_t i = 0; i < bw->cuts.n; i++)
        vec_push(out, (VmBlock){bw->instances.v[bw->cuts.v[i].instance].fn, bw->cuts.v[i].block, false});
}
