/* label.c - labels of memory: bytes of objects, their state, and what may have been written otherwise. */
#include "vm/label.h"

/* ---- pages of labels --------------------------------------------------------------------------------------------- */

static void page_drop(LabelPage *page)
{
    if (page && --page->refs == 0)
        mem_free(page);
}

void label_bytes_drop(LabelBytes *b)
{
    if (!b || --b->refs)
        return;
    for (uint32_t i = 0; i < b->npages; i++)
        page_drop(b->runs[i].page);
    mem_free(b);
}

static uint32_t pages_of(const Object *o) { return (uint32_t)((o->size + LABEL_PAGE - 1) >> LABEL_PAGE_LOG); }

/* The object's labels by byte, its own to write. */
static LabelBytes *bytes_own(Object *o)
{
    LabelBytes *b = o->labels;
    if (b && b->refs == 1)
        return b;
    uint32_t n = pages_of(o);
    LabelBytes *own = mem_zalloc(sizeof *own + n * sizeof *own->runs);
    own->refs = 1;
    own->npages = n;
    for (uint32_t i = 0; i < n; i++) {
        own->runs[i] = b ? b->runs[i] : (struct LabelRun){ .label = (uint32_t)o->stamp, .seen = o->stamp >> 32 };
        if (own->runs[i].page)
            own->runs[i].page->refs++;
    }
    if (b)
        b->refs--;
    o->labels = own;
    o->stamp |= LABEL_MIXED;
    return own;
}

static uint32_t run_get(const struct LabelRun *run, uint64_t i)
{
    return run->page ? run->page->label[i] : run->mask >> i & 1 ? run->other : run->label;
}

static LabelPage *page_own(struct LabelRun *run)
{
    LabelPage *old = run->page;
    if (old && old->refs == 1)
        return old;
    LabelPage *own = mem_alloc(sizeof *own);
    if (old) {
        memcpy(own, old, sizeof *own);
        old->refs--;
    }
    for (uint32_t i = 0; i < LABEL_PAGE && !old; i++) {
        own->label[i] = run->label;
        own->seen[i] = run->seen;
    }
    for (uint64_t rest = old ? 0 : run->mask; rest; rest &= rest - 1)
        own->label[__builtin_ctzll(rest)] = run->other;
    own->refs = 1;
    return run->page = own;
}

static void become_uniform(Object *o, VmLabel l)
{
    label_bytes_drop(o->labels);
    o->labels = NULL;
    o->stamp = o->stamp >> 32 << 32 | l.id;
}

/* Two labels in one run need no page. */
static bool run_set_bits(struct LabelRun *run, uint64_t bits, uint64_t all, uint32_t label)
{
    if (run->page)
        return false;
    if (run->label == label) {
        run->mask &= ~bits;
        return true;
    }
    if (run->mask && run->other != label)
        return false;
    run->other = label;
    run->mask |= bits;
    if (run->mask == all) {
        run->label = label;
        run->mask = 0;
    }
    return true;
}

/* Bytes [from, to) of a run that has `size` of them are written: they know all of the log, as the others do if there is no
 * page. */
static void run_set(struct LabelRun *run, uint32_t from, uint32_t to, uint32_t size, uint32_t label, uint32_t now)
{
    bool whole = from == 0 && to == size;
    if (!whole && run_set_bits(run, bits_mask64(to - from) << from, bits_mask64(size), label))
        return;
    if (!whole) {
        LabelPage *page = page_own(run);
        for (uint32_t i = from; i < to; i++) {
            page->label[i] = label;
            page->seen[i] = now;
        }
        whole = page->label[0] == label && page->label[size - 1] == label && page->label[size / 2] == label;
        for (uint32_t i = 0; i < size && whole; i++)
            whole = page->label[i] == label && page->seen[i] == now;
    }
    if (whole) {
        page_drop(run->page);
        *run = (struct LabelRun){ .label = label, .seen = now };
    }
}

static uint32_t run_size(const Object *o, uint32_t i)
{
    uint64_t rest = o->size - ((uint64_t)i << LABEL_PAGE_LOG);
    return rest < LABEL_PAGE ? (uint32_t)rest : LABEL_PAGE;
}

static bool says(Vm *vm, uint32_t label, VmLabel l) { return label_unite(vm, (VmLabel){ label }, l).id == label; }

/* Do all bytes [from, to) of the run say l? */
static bool run_says(Vm *vm, const struct LabelRun *run, uint32_t from, uint32_t to, VmLabel l)
{
    uint64_t bits = bits_mask64(to - from) << from;
    if (!run->page)
        return (!(bits & ~run->mask) || says(vm, run->label, l)) && (!(bits & run->mask) || says(vm, run->other, l));
    const uint32_t *labels = run->page->label;
    for (uint32_t i = from; i < to; i++)
        if ((i == from || labels[i] != labels[i - 1]) && !says(vm, labels[i], l))
            return false;
    return true;
}

/* What is left of a run's two labels when some bytes take another is often two again, and needs no page. */
static bool run_add_bits(Vm *vm, struct LabelRun *run, uint64_t bits, uint64_t all, VmLabel l)
{
    uint64_t ones = run->mask, zeros = all & ~ones;
    if (run->page)
        return false;
    const struct { uint64_t bits; uint32_t label; } parts[] = {
        { zeros & ~bits, run->label },
        { ones & ~bits, run->other },
        { zeros & bits, zeros & bits ? label_unite(vm, (VmLabel){ run->label }, l).id : 0 },
        { ones & bits, ones & bits ? label_unite(vm, (VmLabel){ run->other }, l).id : 0 },
    };
    struct LabelRun sum = { .seen = run->seen };
    bool any = false;
    for (unsigned i = 0; i < COUNT_OF(parts); i++) {
        if (!parts[i].bits)
            continue;
        if (!any)
            sum.label = parts[i].label;
        any = true;
        if (parts[i].label == sum.label)
            continue;
        if (sum.mask && parts[i].label != sum.other)
            return false;
        sum.other = parts[i].label;
        sum.mask |= parts[i].bits;
    }
    *run = sum;
    return true;
}

static void run_add(Vm *vm, struct LabelRun *run, uint32_t from, uint32_t to, uint32_t size, VmLabel l)
{
    if (run_add_bits(vm, run, bits_mask64(to - from) << from, bits_mask64(size), l))
        return;
    LabelPage *page = page_own(run);
    uint32_t last = 0, sum = l.id;
    for (uint32_t i = from; i < to; i++) {
        if (page->label[i] != last) {         /* else as the byte before */
            last = page->label[i];
            sum = label_unite(vm, (VmLabel){ last }, l).id;
        }
        page->label[i] = sum;
    }
}

/* ---- objects and the log ------------------------------------------------------------------------------------------ */

/* From now on every access is a check that depends on the object's state. What lies on the stack lives as long as
 * its frame. */
static bool watch(Vm *vm, Object *o)
{
    if (o->kind != OBJECT_HEAP || (vm->lab->off & LABEL_OFF_STATE))
        return false;
    if (!o->watched) {
        o->watched = true;
        mem_refresh(o);
    }
    return true;
}

static void fold_state(Vm *vm, Object *o, uint32_t class, uint64_t seen)
{
    uint32_t state = o->state;
    for (const LabelShare *share = NULL; (share = label_next_news(vm->lab, flow_state_of(class), seen, share));)
        o->state = label_unite(vm, (VmLabel){ o->state }, label_news(vm, share, seen)).id;
    if (o->state != state && watch(vm, o))    /* the access under way is such a check too */
        label_sink(vm, (VmLabel){ o->state });
}

typedef enum Covered { COVER_NONE, COVER_PART, COVER_ALL } Covered;

/* How much of bytes [begin, end) of an object lies in the share's places. */
static Covered covered(const LabelShare *share, uint64_t begin, uint64_t end)
{
    Covered most = COVER_NONE;
    for (uint32_t i = 0; i < share->n && most != COVER_ALL; i++) {
        const LabelMember *m = &share->members[i];
        if (m->first >= end)
            continue;
        if (m->first <= begin && m->size >= end - m->first)
            most = COVER_ALL;
        else if (m->size > end || m->first + m->size > begin)
            most = COVER_PART;
    }
    return most;
}

/* What is new of the class for bytes [begin, end) joins the sum; false: not all of them take the same. */
static bool add_news(Vm *vm, uint32_t class, uint64_t seen, uint64_t begin, uint64_t end, VmLabel *sum)
{
    bool same = true;
    for (const LabelShare *share = NULL; (share = label_next_news(vm->lab, class, seen, share));) {
        Covered cover = covered(share, begin, end);
        same &= cover != COVER_PART;
        if (same && cover)
            *sum = label_unite(vm, *sum, label_news(vm, share, seen));
    }
    return same;
}

/* An object whose bytes have one label keeps it so if all of them take the same; else each run takes it by
 * itself. */
static void fold_slowly(Vm *vm, Object *o)
{
    uint64_t seen = o->stamp >> 32;
    VmLabel sum = LABEL_NONE;
    bool same = true;
    for (unsigned k = 0; !o->constant && k < (o->class == FLOW_OBJECT_ANY ? 1 : 2); k++) {
        uint32_t class = k ? FLOW_OBJECT_ANY : o->class;
        fold_state(vm, o, class, seen);
        same &= add_news(vm, class, seen, 0, o->labels ? 0 : o->size, &sum);
    }
    if (!same)
        bytes_own(o);
    else if (!o->labels)
        o->stamp = o->stamp >> 32 << 32 | label_unite(vm, (VmLabel){ (uint32_t)o->stamp }, sum).id;
    o->stamp = (uint64_t)vm->lab->log.n << 32 | (uint32_t)o->stamp;
}

/* The object takes from the log what it has not seen. */
static inline void fold(Vm *vm, Object *o)
{
    if (o->stamp >> 32 != vm->lab->log.n)
        fold_slowly(vm, o);
}

/* ---- bytes -------------------------------------------------------------------------------------------------------- */

#define EACH_RUN(i, from, to, offset, n)                                                                               \
    for (uint64_t i = (offset) >> LABEL_PAGE_LOG, from = (offset) & (LABEL_PAGE - 1), stop = (offset) + (n), to;       \
         i << LABEL_PAGE_LOG < stop &&                                                                                 \
         (to = stop - (i << LABEL_PAGE_LOG) < LABEL_PAGE ? stop - (i << LABEL_PAGE_LOG) : LABEL_PAGE, true);           \
         i++, from = 0)

/* What bytes of the object have not seen yet. Is that the same for all of them? */
static bool gather_news(Vm *vm, const Object *o, uint32_t seen)
{
    struct Labels *lab = vm->lab;
    bool all = true;
    vec_clear(&lab->news);
    for (unsigned k = 0; k < (o->class == FLOW_OBJECT_ANY ? 1 : 2); k++) {
        uint32_t class = k ? FLOW_OBJECT_ANY : o->class;
        for (const LabelShare *share = NULL; (share = label_next_news(lab, class, seen, share));) {
            VmLabel l = label_news(vm, share, seen);
            for (uint32_t m = 0; m < share->n; m++) {
                all &= share->members[m].first == 0 && share->members[m].size >= o->size;
                vec_push(&lab->news, (LabelNews){ share->members[m], l });
            }
        }
    }
    return all;
}

static VmLabel byte_news(Vm *vm, uint64_t offset)
{
    const struct Labels *lab = vm->lab;
    VmLabel found = LABEL_NONE;
    for (uint32_t i = 0; i < lab->news.n; i++)
        if (lab->news.v[i].at.first <= offset && lab->news.v[i].at.size > offset - lab->news.v[i].at.first)
            found = label_unite(vm, found, lab->news.v[i].label);
    return found;
}

static void page_fold(Vm *vm, Object *o, uint64_t i, uint64_t from, uint64_t to, uint32_t latest)
{
    uint32_t now = vm->lab->log.n, last_seen = UINT32_MAX, last = UINT32_MAX;
    const LabelPage *page = o->labels->runs[i].page;
    LabelPage *own = page->refs == 1 && o->labels->refs == 1 ? o->labels->runs[i].page : NULL;
    bool all = false;
    VmLabel sum = LABEL_NONE;
    for (uint64_t k = from; k < to; k++) {
        uint32_t seen = page->seen[k], label = page->label[k];
        if (seen >= latest) {
            if (own)
                own->seen[k] = now;
            continue;
        }
        bool same = seen == last_seen;
        if (!same)
            all = gather_news(vm, o, seen);
        if (!same || !all || label != last)   /* else as the byte before */
            sum = label_unite(vm, (VmLabel){ label }, byte_news(vm, (i << LABEL_PAGE_LOG) + k));
        last_seen = seen;
        last = label;
        if (sum.id == label && !own)
            continue;
        if (!own)
            page = own = page_own(&bytes_own(o)->runs[i]);
        own->label[k] = sum.id;
        own->seen[k] = now;
    }
}

/* The same of a run without a page; it gets one if its bytes do not all take the same. */
static void run_fold(Vm *vm, Object *o, uint64_t i)
{
    uint64_t begin = i << LABEL_PAGE_LOG, end = begin + run_size(o, (uint32_t)i), seen = o->labels->runs[i].seen;
    VmLabel sum = LABEL_NONE;
    bool same = add_news(vm, o->class, seen, begin, end, &sum);
    if (o->class != FLOW_OBJECT_ANY)
        same &= add_news(vm, FLOW_OBJECT_ANY, seen, begin, end, &sum);
    struct LabelRun *run = &bytes_own(o)->runs[i];
    if (!same) {
        page_own(run);
        return;
    }
    run->label = label_unite(vm, (VmLabel){ run->label }, sum).id;
    run->other = label_unite(vm, (VmLabel){ run->other }, sum).id;
    run->seen = vm->lab->log.n;
}

static bool page_is_behind(const LabelPage *page, uint64_t from, uint64_t to, uint32_t latest)
{
    while (from < to && page->seen[from] >= latest)
        from++;
    return from < to;
}

/* What bytes [from, to) of a run have not seen yet becomes part of their labels. */
static void bytes_fold(Vm *vm, Object *o, uint64_t i, uint64_t from, uint64_t to)
{
    uint32_t latest = o->constant ? 0 : label_latest(vm->lab, o->class);
    if (!o->labels->runs[i].page && o->labels->runs[i].seen < latest)
        run_fold(vm, o, i);
    if (o->labels->runs[i].page && page_is_behind(o->labels->runs[i].page, from, to, latest))
        page_fold(vm, o, i, from, to, latest);
}

static inline VmLabel run_all(Vm *vm, const struct LabelRun *run, uint64_t from, uint64_t to, VmLabel all)
{
    uint64_t bits = bits_mask64((unsigned)(to - from)) << from;
    if (run->page) {
        const uint32_t *labels = run->page->label;
        for (uint64_t k = from; k < to; k++)
            if (k == from || labels[k] != labels[k - 1])
                all = label_unite(vm, all, (VmLabel){ labels[k] });
        return all;
    }
    if (bits & ~run->mask)
        all = label_unite(vm, all, (VmLabel){ run->label });
    return bits & run->mask ? label_unite(vm, all, (VmLabel){ run->other }) : all;
}

static VmLabel get(Vm *vm, Object *o, uint64_t offset, uint64_t n)
{
    VmLabel all = LABEL_NONE;
    EACH_RUN(i, from, to, offset, n) {
        bytes_fold(vm, o, i, from, to);
        all = run_all(vm, &o->labels->runs[i], from, to, all);
    }
    return all;
}

static void add(Vm *vm, Object *o, uint64_t offset, uint64_t n, VmLabel l)
{
    if (!l.id || !n)
        return;
    if (!o->labels) {
        VmLabel all = label_unite(vm, (VmLabel){ (uint32_t)o->stamp }, l);
        if (all.id == (uint32_t)o->stamp)
            return;
        if (n == o->size) {
            become_uniform(o, all);
            return;
        }
    }
    EACH_RUN(i, from, to, offset, n) {
        if (!o->labels || !run_says(vm, &o->labels->runs[i], (uint32_t)from, (uint32_t)to, l))
            run_add(vm, &bytes_own(o)->runs[i], (uint32_t)from, (uint32_t)to, run_size(o, (uint32_t)i), l);
    }
}

VmLabel label_get(Vm *vm, Object *o, uint64_t offset, uint64_t n)
{
    uint64_t from = offset & (LABEL_PAGE - 1), to = from + n;
    fold(vm, o);
    if (!o->labels)
        return (VmLabel){ (uint32_t)o->stamp };
    if (from < to && to <= LABEL_PAGE) {      /* most have one run, and nothing to take */
        const struct LabelRun *run = &o->labels->runs[offset >> LABEL_PAGE_LOG];
        uint32_t latest = label_latest(vm->lab, o->class);
        if (run->page ? !page_is_behind(run->page, from, to, latest) : run->seen >= latest)
            return run_all(vm, run, from, to, LABEL_NONE);
    }
    return get(vm, o, offset, n);
}

/* Have these bytes this label already, and nothing to take? */
static bool is_set(Vm *vm, const Object *o, uint64_t offset, uint64_t n, uint32_t label)
{
    uint32_t at = offset & (LABEL_PAGE - 1);
    if (!o->labels)
        return (uint32_t)o->stamp == label;
    if (at + n > LABEL_PAGE)
        return false;
    const struct LabelRun *run = &o->labels->runs[offset >> LABEL_PAGE_LOG];
    uint32_t latest = label_latest(vm->lab, o->class);
    uint64_t bits = bits_mask64((unsigned)n) << at;
    if (!run->page)
        return run->seen >= latest && (!(bits & ~run->mask) || run->label == label) && (!(bits & run->mask) || run->other == label);
    bool same = true;
    for (uint32_t i = at; i < at + n && same; i++)
        same = run->page->label[i] == label && run->page->seen[i] >= latest;
    return same;
}

void label_set(Vm *vm, Object *o, uint64_t offset, uint64_t n, VmLabel l)
{
    fold(vm, o);
    if (n == o->size) {
        become_uniform(o, l);
        return;
    }
    if (!n || is_set(vm, o, offset, n, l.id))
        return;
    LabelBytes *b = bytes_own(o);
    EACH_RUN(i, from, to, offset, n) {
        if (!b->runs[i].page && to - from != run_size(o, (uint32_t)i))
            bytes_fold(vm, o, i, 0, 0);
        run_set(&b->runs[i], (uint32_t)from, (uint32_t)to, run_size(o, (uint32_t)i), l.id, vm->lab->log.n);
    }
}

/* What it has not seen the object may take later, if nobody watches its state. */
void label_add(Vm *vm, Object *o, uint64_t offset, uint64_t n, VmLabel l)
{
    if (o->kind == OBJECT_HEAP && label_latest(vm->lab, flow_state_of(o->class)) > o->stamp >> 32)
        fold(vm, o);
    add(vm, o, offset, n, l);
}

void label_copy(Vm *vm, Object *to, uint64_t at, Object *from, uint64_t start, uint64_t n, VmLabel l)
{
    bool plain = from->stamp == vm->mem.stamp || from->stamp == vm->mem.clean;
    if (plain && to->stamp == vm->mem.stamp && l.id == label_context(vm).id)
        return;                               /* the context says all, as it did before */
    fold(vm, from);
    fold(vm, to);
    if (!from->labels) {
        label_set(vm, to, at, n, label_unite(vm, (VmLabel){ (uint32_t)from->stamp }, l));
        return;
    }
    uint32_t *labels = mem_alloc(n * sizeof *labels);
    EACH_RUN(i, begin, end, start, n) {
        bytes_fold(vm, from, i, begin, end);
        for (uint64_t k = begin; k < end; k++)
            labels[(i << LABEL_PAGE_LOG) + k - start] =
                label_unite(vm, (VmLabel){ run_get(&from->labels->runs[i], k) }, l).id;
    }
    for (uint64_t i = 0, k; i < n; i = k) {   /* equal ones together */
        for (k = i + 1; k < n && labels[k] == labels[i]; k++)
            ;
        label_set(vm, to, at + i, k - i, (VmLabel){ labels[i] });
    }
    mem_free(labels);
}

/* ---- state, and what may have been written otherwise -------------------------------------------------------------- */

/* What may have been written behind the pointers of inputs so far may have been written there. */
void label_born_before(Vm *vm, Object *o)
{
    o->class = flow_object_of_lazy(vm->lab->flow);
    o->stamp = 0;
    o->state = 0;
}

VmLabel label_state(Vm *vm, Object *o)
{
    fold(vm, o);
    return (VmLabel){ o->state };
}

void label_state_set(Vm *vm, Object *o, VmLabel l)
{
    o->state = label_here(vm, label_unite(vm, label_state(vm, o), l)).id;
}

void label_state_add(Vm *vm, Object *o, VmLabel l)
{
    uint32_t state = label_unite(vm, label_state(vm, o), l).id;
    if (state == o->state)
        return;
    o->state = state;
    watch(vm, o);
}

/* What else the parameter of this frame may point into, by the calls that led here: other callers of the
 * function may hand over other objects, but a branch around this call says nothing of these. */
static void param_elsewhere(Vm *vm, const Reg *regs, uint32_t fn, FlowPlace place, VmLabel l)
{
    Flow *flow = vm->lab->flow;
    uint32_t reg = place.param;
    while (place.param != IR_NONE && !flow_is_recursive(flow, fn)) {
        const Frame *frame = FRAME(regs);
        FlowSite call = label_site_of(frame->call, frame->caller);
        if (call.fn == IR_NONE || call.block == IR_NONE)
            break;
        FlowArgument argument = flow_argument(flow, call, place.param);
        if (argument.reg == IR_NONE)
            break;
        regs = frame->caller;
        fn = call.fn;
        place.param = argument.param;
        reg = place.param == IR_NONE ? argument.reg : place.param;
        if (place.param != IR_NONE && (argument.offset == FLOW_WHOLE || place.size == FLOW_WHOLE))
            place = (FlowPlace){ IR_NONE, place.param, 0, FLOW_WHOLE };
        else if (place.param != IR_NONE)
            place.first += argument.offset;
    }
    label_potential(vm, regs, fn, flow_behind(flow, fn, reg, place.first, place.size), l);
}

/* The object that the parameter of this frame points into is labelled by itself; where the pointer itself depends on
 * something that the context does not name, so are all others that it may point into. */
static void param_place(Vm *vm, const Reg *regs, uint32_t fn, const FlowPlace *place, VmLabel l)
{
    const FnCode *code = FRAME(regs)->fn;
    const Reg *param = REG(regs, code->slots[place->param]);
    VmLabel own = label_relative(vm, label_of(param->shadow));
    Object *o = mem_find(&vm->mem, param->word);
    if (o && o->payload && !o->constant) {
        uint64_t at = param->word - o->base + place->first;
        bool whole = place->size == FLOW_WHOLE || at > o->size;
        uint64_t n = whole ? o->size : place->size < o->size - at ? place->size : o->size - at;
        label_add(vm, o, whole ? 0 : at, n, label_unite(vm, l, own));
    }
    if (own.id || sym_of(param->shadow).id)
        param_elsewhere(vm, regs, fn, *place, label_unite(vm, l, own));
}

/* Of code of runtime/, the user's frame that it runs for, if the table describes that call; else NULL. */
static const Reg *described(const Vm *vm, const Reg *regs, FlowSite *call)
{
    const IrProgram *p = vm->program;
    while (FRAME(regs)->fn->index != IR_NONE && p->fns.v[FRAME(regs)->fn->index].runtime) {
        const Frame *frame = FRAME(regs);
        *call = label_site_of(frame->call, frame->caller);
        if (call->fn == IR_NONE || call->block == IR_NONE)
            return NULL;
        if (!p->fns.v[call->fn].runtime)
            return flow_is_described(vm->lab->flow, frame->fn->index) ? frame->caller : NULL;
        regs = frame->caller;
    }
    return NULL;
}

static void param_places(Vm *vm, const Reg *regs, uint32_t fn, FlowPlaces places, VmLabel l)
{
    for (uint32_t i = 0; i < places.n; i++)
        if (places.v[i].param != IR_NONE)
            param_place(vm, regs, fn, &places.v[i], l);
}

void label_potential(Vm *vm, const Reg *regs, uint32_t fn, FlowPlaces places, VmLabel l)
{
    FlowSite call;
    const Reg *caller = described(vm, regs, &call);
    if (caller || label_log_places(vm, places, l))
        param_places(vm, regs, fn, places, l);
    if (!caller)
        return;
    places = flow_within(vm->lab->flow, places, call);
    if (label_log_places(vm, places, l))
        param_places(vm, caller, call.fn, places, l);
}
