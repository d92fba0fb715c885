/* label.c - labels of memory: bytes of objects, their state, and what may have been written otherwise. */
#include "vm/labels/label_int.h"

/* ---- pages of labels ------------------------------------------------------------------------- */

static void page_drop(LabelPage *page)
{
    if (page && --page->refs == 0)
        mem_free(page);
}

void label_bytes_hold(LabelBytes *b)
{
    if (b)
        b->refs++;
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

static LabelBytes *bytes_copy(Vm *vm, Object *o)
{
    LabelBytes *b = o->labels;
    uint32_t n = pages_of(o);
    vm->mem.copied += n * sizeof *b->runs;
    LabelBytes *own = mem_zalloc(sizeof *own + n * sizeof *own->runs);
    own->refs = 1;
    own->npages = n;
    for (uint32_t i = 0; i < n; i++) {
        own->runs[i] =
            b ? b->runs[i] : (struct LabelRun){.label = (uint32_t)o->stamp, .seen = o->stamp >> 32};
        if (own->runs[i].page)
            own->runs[i].page->refs++;
    }
    if (b)
        b->refs--;
    o->labels = own;
    o->stamp |= LABEL_MIXED;
    return own;
}

/* The object's labels by byte, its own to write. */
static inline LabelBytes *bytes_own(Vm *vm, Object *o)
{
    return o->labels && o->labels->refs == 1 ? o->labels : bytes_copy(vm, o);
}

static uint32_t run_get(const struct LabelRun *run, uint64_t i)
{
    return run->page ? run->page->label[i] : run->mask >> i & 1 ? run->other : run->label;
}

static LabelPage *page_copy(struct LabelRun *run)
{
    LabelPage *old = run->page, *own = mem_alloc(sizeof *own);
    if (old) {
        memcpy(own, old, sizeof *own);
        old->refs--;
    }
    for (uint32_t i = 0; i < LABEL_PAGE && !old; i++) {
        own->label[i] = run->label;
        own->seen[i] = run->seen;
    }
    if (!old)
        own->common = LABEL_NONE;
    for (uint64_t rest = old ? 0 : run->mask; rest; rest &= rest - 1)
        own->label[__builtin_ctzll(rest)] = run->other;
    own->refs = 1;
    return run->page = own;
}

static inline LabelPage *page_own(struct LabelRun *run)
{
    return run->page && run->page->refs == 1 ? run->page : page_copy(run);
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

/* Bytes [from, to) of a run that has `size` of them are written: they know all of the log, as the others do
 * if there is no page. */
static void run_set(Vm *vm, struct LabelRun *run, uint32_t from, uint32_t to, uint32_t size, uint32_t label)
{
    uint32_t now = vm->lab->log.n;
    bool whole = from == 0 && to == size;
    if (!whole && run_set_bits(run, bits_mask64(to - from) << from, bits_mask64(size), label))
        return;
    if (!whole) {
        LabelPage *page = page_own(run);
        for (uint32_t i = from; i < to; i++) {
            page->label[i] = label;
            page->seen[i] = now;
        }
        if (!label_within(vm, page->common, (VmLabel){label}))
            page->common = LABEL_NONE;
        whole = page->label[0] == label && page->label[size - 1] == label && page->label[size / 2] == label;
        for (uint32_t i = 0; i < size && whole; i++)
            whole = page->label[i] == label && page->seen[i] == now;
    }
    if (whole) {
        page_drop(run->page);
        *run = (struct LabelRun){.label = label, .seen = now};
    }
}

static uint32_t run_size(const Object *o, uint32_t i)
{
    uint64_t rest = o->size - ((uint64_t)i << LABEL_PAGE_LOG);
    return rest < LABEL_PAGE ? (uint32_t)rest : LABEL_PAGE;
}

/* What is left of a run's two labels when some bytes take another is often two again, and needs no page. */
static bool run_add_bits(Vm *vm, struct LabelRun *run, uint64_t bits, uint64_t all, VmLabel l)
{
    uint64_t ones = run->mask, zeros = all & ~ones;
    const struct {
        uint64_t bits;
        uint32_t label;
    } parts[] = {
        {zeros & ~bits, run->label},
        {ones & ~bits, run->other},
        {zeros & bits, zeros & bits ? label_unite(vm, (VmLabel){run->label}, l).id : 0},
        {ones & bits, ones & bits ? label_unite(vm, (VmLabel){run->other}, l).id : 0},
    };
    struct LabelRun sum = {.seen = run->seen};
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

/* Bytes that have one label take it together. A page that others have too is left as it is if all say it
 * already. */
static void page_add(Vm *vm, Object *o, uint64_t i, uint64_t from, uint64_t to, VmLabel l)
{
    LabelPage *page = o->labels->runs[i].page;
    bool own = page->refs == 1 && o->labels->refs == 1;
    if (page->common.id && label_within(vm, l, page->common))
        return;
    for (uint64_t k = from, end; k < to; k = end) {
        uint32_t label = page->label[k], sum = label_unite(vm, (VmLabel){label}, l).id;
        for (end = k + 1; end < to && page->label[end] == label; end++)
            ;
        if (sum == label)
            continue;
        if (!own)
            page = page_own(&bytes_own(vm, o)->runs[i]);
        own = true;
        for (uint64_t at = k; at < end; at++)
            page->label[at] = sum;
    }
    if (to - from == run_size(o, (uint32_t)i))
        page->common = label_unite(vm, page->common, l);
}

static bool says(Vm *vm, uint32_t label, VmLabel l)
{
    return label_unite(vm, (VmLabel){label}, l).id == label;
}

/* Bytes [from, to) of a run take the label. */
static void run_add(Vm *vm, Object *o, uint64_t i, uint64_t from, uint64_t to, VmLabel l)
{
    const struct LabelRun *run = o->labels ? &o->labels->runs[i] : NULL;
    uint64_t bits = bits_mask64((unsigned)(to - from)) << from;
    if (run && run->page) {
        page_add(vm, o, i, from, to, l);
        return;
    }
    if (run && (!(bits & ~run->mask) || says(vm, run->label, l)) &&
        (!(bits & run->mask) || says(vm, run->other, l)))
        return;
    struct LabelRun *own = &bytes_own(vm, o)->runs[i];
    if (run_add_bits(vm, own, bits, bits_mask64(run_size(o, (uint32_t)i)), l))
        return;
    page_own(own);
    page_add(vm, o, i, from, to, l);
}

/* ---- objects and the log --------------------------------------------------------------------- */

/* From now on every access is a check that depends on the object's state. What lies on the stack lives as
 * long as its frame. */
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

typedef enum Covered { COVER_NONE, COVER_PART, COVER_ALL } Covered;

/* How much of bytes [begin, end) of an object lies in the share's places. */
static Covered covered(const LabelShare *share, uint64_t begin, uint64_t end)
{
    Covered most = share->whole ? COVER_ALL : COVER_NONE;
    for (uint32_t i = 0; most != COVER_ALL && i < share->n; i++) {
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

static LabelNews *news_known(struct Labels *lab, uint32_t class, uint32_t seen)
{
    return &lab->news[(class + seen) % LABEL_NEWS];
}

static bool add_news_slowly(Vm *vm, uint32_t class, uint32_t seen, uint64_t begin, uint64_t end, VmLabel *sum)
{
    struct Labels *lab = vm->lab;
    const LabelShare *share = lab->classes.v[class].shares.v, *stop = share + lab->classes.v[class].shares.n;
    LabelHead *heads = lab->heads.v;
    bool same = true, whole = true;
    VmLabel all = LABEL_NONE;
    for (; share < stop; share++) {
        if (heads[share->group].head <= seen)
            continue;
        heads[share->group].folded = lab->log.n;
        Covered cover = covered(share, begin, end);
        whole &= share->whole;
        same &= cover != COVER_PART;
        if (same && cover)
            all = label_unite(vm, all, label_news(vm, share, seen));
    }
    *sum = label_unite(vm, *sum, all);
    if (whole)
        *news_known(lab, class, seen) = (LabelNews){lab->version, class, seen, all};
    return same;
}

/* What is new of the class for bytes [begin, end) joins the sum; false: not all of them take the same.
 * Objects that have seen as much ask one after the other, and of what may be anywhere all take the same. */
static inline bool add_news(Vm *vm, uint32_t class, uint32_t seen, uint64_t begin, uint64_t end, VmLabel *sum)
{
    struct Labels *lab = vm->lab;
    if (class >= lab->classes.n || !lab->classes.v[class].shares.n)
        return true;
    const LabelNews *known = news_known(lab, class, seen);
    if (known->version != lab->version || known->class != class || known->seen != seen)
        return add_news_slowly(vm, class, seen, begin, end, sum);
    *sum = label_unite(vm, *sum, known->label);
    return true;
}

/* Of its class and of what may be anywhere. */
static bool add_all_news(Vm *vm, const Object *o, uint32_t seen, uint64_t begin, uint64_t end, VmLabel *sum)
{
    bool same = add_news(vm, o->class, seen, begin, end, sum);
    return o->class == FLOW_OBJECT_ANY ? same : add_news(vm, FLOW_OBJECT_ANY, seen, begin, end, sum) && same;
}

static void add_state_news(Vm *vm, Object *o, uint32_t class)
{
    VmLabel state = {o->state};
    add_news(vm, flow_state_of(class), o->state_seen, 0, 0, &state);
    bool changed = state.id != o->state;
    o->state = state.id;
    if (changed && watch(vm, o) && !vm->lab->untaken) /* the access under way is such a check too */
        label_sink(vm, state);
}

/* The object's state takes from the log what it has not seen. */
static void fold_state(Vm *vm, Object *o)
{
    if (o->state_seen == vm->lab->log.n)
        return;
    if (!o->constant)
        add_state_news(vm, o, o->class);
    if (!o->constant && o->class != FLOW_OBJECT_ANY)
        add_state_news(vm, o, FLOW_OBJECT_ANY);
    o->state_seen = vm->lab->log.n;
}

/* An object whose bytes have one label keeps it so if all of them take the same; else each run takes it by
 * itself. The state of what may be watched goes with it: an access to such an object depends on that. */
static void fold_slowly(Vm *vm, Object *o)
{
    VmLabel sum = {(uint32_t)o->stamp};
    if (o->kind == OBJECT_HEAP)
        fold_state(vm, o);
    if (o->labels) {
        label_touch(vm->lab, o->class);
        label_touch(vm->lab, FLOW_OBJECT_ANY);
    } else if (!o->constant && !add_all_news(vm, o, (uint32_t)(o->stamp >> 32), 0, o->size, &sum)) {
        sum.id = LABEL_MIXED;
        bytes_own(vm, o);
    }
    o->stamp = (uint64_t)vm->lab->log.n << 32 | sum.id;
}

/* The object takes from the log what it has not seen. */
static inline void fold(Vm *vm, Object *o)
{
    if (o->stamp >> 32 != vm->lab->log.n)
        fold_slowly(vm, o);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

#define EACH_RUN(i, from, to, offset, n)                                                                     \
    for (uint64_t i = (offset) >> LABEL_PAGE_LOG, from = (offset) & (LABEL_PAGE - 1), stop = (offset) + (n), \
                  to;                                                                                        \
         i << LABEL_PAGE_LOG < stop &&                                                                       \
         (to = stop - (i << LABEL_PAGE_LOG) < LABEL_PAGE ? stop - (i << LABEL_PAGE_LOG) : LABEL_PAGE, true); \
         i++, from = 0)

/* Bytes [from, to) of a run's page, which have one label and have seen as much, take what they have not. If
 * not all take the same, their halves do. A page that others have too is left as it is if nothing comes of
 * it. */
static void page_fold_range(Vm *vm, Object *o, uint64_t i, uint64_t from, uint64_t to, uint32_t latest)
{
    const LabelPage *page = o->labels->runs[i].page;
    uint64_t begin = i << LABEL_PAGE_LOG;
    VmLabel sum = {page->label[from]};
    if (page->seen[from] < latest && !add_all_news(vm, o, page->seen[from], begin + from, begin + to, &sum)) {
        page_fold_range(vm, o, i, from, (from + to) / 2, latest);
        page_fold_range(vm, o, i, (from + to) / 2, to, latest);
        return;
    }
    if (sum.id == page->label[from] && (page->refs > 1 || o->labels->refs > 1))
        return;
    LabelPage *own = page_own(&bytes_own(vm, o)->runs[i]);
    for (uint64_t k = from; k < to; k++) {
        own->label[k] = sum.id;
        own->seen[k] = vm->lab->log.n;
    }
}

static void page_fold(Vm *vm, Object *o, uint64_t i, uint64_t from, uint64_t to, uint32_t latest)
{
    for (uint64_t k = from, end; k < to; k = end) {
        const LabelPage *page = o->labels->runs[i].page;
        uint32_t label = page->label[k], seen = page->seen[k];
        for (end = k + 1; end < to && page->label[end] == label && page->seen[end] == seen; end++)
            ;
        page_fold_range(vm, o, i, k, end, latest);
    }
}

/* The same of a run without a page; it gets one if its bytes do not all take the same. */
static void run_fold(Vm *vm, Object *o, uint64_t i)
{
    uint64_t begin = i << LABEL_PAGE_LOG, end = begin + run_size(o, (uint32_t)i);
    VmLabel sum = LABEL_NONE;
    bool same = add_all_news(vm, o, o->labels->runs[i].seen, begin, end, &sum);
    struct LabelRun *run = &bytes_own(vm, o)->runs[i];
    if (!same) {
        page_own(run);
        return;
    }
    run->label = label_unite(vm, (VmLabel){run->label}, sum).id;
    if (run->mask)
        run->other = label_unite(vm, (VmLabel){run->other}, sum).id;
    run->seen = vm->lab->log.n;
}

static bool page_is_behind(const LabelPage *page, uint64_t from, uint64_t to, uint32_t latest)
{
    while (from < to && page->seen[from] >= latest)
        from++;
    return from < to;
}

static void bytes_fold_slowly(Vm *vm, Object *o, uint64_t i, uint64_t from, uint64_t to, uint32_t latest)
{
    if (!o->labels->runs[i].page)
        run_fold(vm, o, i);
    if (o->labels->runs[i].page)
        page_fold(vm, o, i, from, to, latest);
}

/* What bytes [from, to) of a run have not seen yet becomes part of their labels. */
static inline void bytes_fold(Vm *vm, Object *o, uint64_t i, uint64_t from, uint64_t to)
{
    const struct LabelRun *run = &o->labels->runs[i];
    bool named = !o->constant && label_is_named(vm->lab, o->class, (i << LABEL_PAGE_LOG) + from, to - from);
    uint32_t latest = named ? label_latest(vm->lab, o->class) : 0;
    if (run->page ? page_is_behind(run->page, from, to, latest) : run->seen < latest)
        bytes_fold_slowly(vm, o, i, from, to, latest);
}

static inline VmLabel run_all(Vm *vm, const struct LabelRun *run, uint64_t from, uint64_t to, VmLabel all)
{
    uint64_t bits = bits_mask64((unsigned)(to - from)) << from;
    if (run->page) {
        const uint32_t *labels = run->page->label;
        for (uint64_t k = from; k < to; k++)
            if (k == from || labels[k] != labels[k - 1])
                all = label_unite(vm, all, (VmLabel){labels[k]});
        return all;
    }
    if (bits & ~run->mask)
        all = label_unite(vm, all, (VmLabel){run->label});
    return bits & run->mask ? label_unite(vm, all, (VmLabel){run->other}) : all;
}

static void add(Vm *vm, Object *o, uint64_t offset, uint64_t n, VmLabel l)
{
    if (!l.id || !n)
        return;
    if (!o->labels) {
        VmLabel all = label_unite(vm, (VmLabel){(uint32_t)o->stamp}, l);
        if (all.id == (uint32_t)o->stamp)
            return;
        if (n == o->size) {
            become_uniform(o, all);
            return;
        }
    }
    EACH_RUN(i, from, to, offset, n)
    run_add(vm, o, i, from, to, l);
}

static inline VmLabel run_label(Vm *vm, Object *o, uint64_t i, uint64_t from, uint64_t to, VmLabel all)
{
    bytes_fold(vm, o, i, from, to);
    return run_all(vm, &o->labels->runs[i], from, to, all);
}

/* If bytes have labels of their own, they mark themselves what they take from the log. */
VmLabel label_get(Vm *vm, Object *o, uint64_t offset, uint64_t n)
{
    VmLabel all = LABEL_NONE;
    if (!o->labels || o->kind == OBJECT_HEAP)
        fold(vm, o);
    if (!o->labels)
        return (VmLabel){(uint32_t)o->stamp};
    uint64_t at = offset & (LABEL_PAGE - 1);
    if (LIKELY(at + n - 1 < LABEL_PAGE)) /* most accesses touch one run */
        return run_label(vm, o, offset >> LABEL_PAGE_LOG, at, at + n, all);
    EACH_RUN(i, from, to, offset, n)
    all = run_label(vm, o, i, from, to, all);
    return all;
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
        return run->seen >= latest && (!(bits & ~run->mask) || run->label == label) &&
               (!(bits & run->mask) || run->other == label);
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
    LabelBytes *b = bytes_own(vm, o);
    EACH_RUN(i, from, to, offset, n)
    {
        if (!b->runs[i].page && to - from != run_size(o, (uint32_t)i))
            bytes_fold(vm, o, i, 0, run_size(o, (uint32_t)i));
        run_set(vm, &b->runs[i], (uint32_t)from, (uint32_t)to, run_size(o, (uint32_t)i), l.id);
    }
}

/* What it has not seen the object may take later, if its state is not watched. */
void label_add(Vm *vm, Object *o, uint64_t offset, uint64_t n, VmLabel l)
{
    if (o->kind == OBJECT_HEAP && label_latest(vm->lab, flow_state_of(o->class)) > o->state_seen)
        fold_state(vm, o);
    add(vm, o, offset, n, l);
}

void label_copy(Vm *vm, Object *to, uint64_t at, Object *from, uint64_t start, uint64_t n, VmLabel l)
{
    bool plain = from->stamp == vm->mem.stamp || from->stamp == vm->mem.clean;
    if (plain && to->stamp == vm->mem.stamp && l.id == label_context(vm).id)
        return; /* the context says all, as it did before */
    fold(vm, from);
    fold(vm, to);
    if (!from->labels) {
        label_set(vm, to, at, n, label_unite(vm, (VmLabel){(uint32_t)from->stamp}, l));
        return;
    }
    uint32_t *labels = mem_alloc(n * sizeof *labels);
    EACH_RUN(i, begin, end, start, n)
    {
        bytes_fold(vm, from, i, begin, end);
        for (uint64_t k = begin; k < end; k++)
            labels[(i << LABEL_PAGE_LOG) + k - start] =
                label_unite(vm, (VmLabel){run_get(&from->labels->runs[i], k)}, l).id;
    }
    for (uint64_t i = 0, k; i < n; i = k) { /* equal ones together */
        for (k = i + 1; k < n && labels[k] == labels[i]; k++)
            ;
        label_set(vm, to, at + i, k - i, (VmLabel){labels[i]});
    }
    mem_free(labels);
}

/* ---- state, and what may have been written otherwise ----------------------------------------- */

/* What may have been written behind the pointers of inputs so far may have been written there. */
void label_born_before(Vm *vm, Object *o)
{
    o->class = flow_object_of_lazy(vm->now.flow);
    o->stamp = 0;
    o->state = 0;
    o->state_seen = 0;
}

VmLabel label_state(Vm *vm, Object *o)
{
    fold_state(vm, o);
    return (VmLabel){o->state};
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
 * function may hand over other objects, but a branch around this call says nothing of these. An entry is
 * given inputs, and nothing of what the start-up code calls it with. */
static void param_elsewhere(Vm *vm, const Reg *regs, uint32_t fn, FlowPlace place, VmLabel l)
{
    Flow *flow = vm->now.flow;
    uint32_t reg = place.param;
    while (place.param != IR_NONE && !flow_is_recursive(flow, fn) && !vm_sym_is_entry(vm, fn)) {
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
            place = (FlowPlace){IR_NONE, place.param, 0, FLOW_WHOLE};
        else if (place.param != IR_NONE)
            place.first += argument.offset;
    }
    label_potential(vm, regs, fn, flow_behind(flow, fn, reg, place.first, place.size), l);
}

/* The object that the parameter of this frame points into is labelled by itself; where the pointer itself
 * depends on something that the context does not name, so are all others that it may point into. */
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
            return flow_is_described(vm->now.flow, frame->fn->index) ? frame->caller : NULL;
        regs = frame->caller;
    }
    return NULL;
}

static void param_places(Vm *vm, const Reg *regs, uint32_t fn, FlowPlaces places, VmLabel l)
{
    bool untaken = vm->lab->untaken;
    vm->lab->untaken = true;
    for (uint32_t i = 0; i < places.n; i++)
        if (places.v[i].param != IR_NONE)
            param_place(vm, regs, fn, &places.v[i], l);
    vm->lab->untaken = untaken;
}

void label_potential_group(Vm *vm, const Reg *regs, uint32_t fn, FlowPlaces places, uint32_t *group,
                           VmLabel l)
{
    FlowSite call;
    if (!places.n)
        return;
    const Reg *caller = described(vm, regs, &call);
    if (caller || label_log_places(vm, places, group, l))
        param_places(vm, regs, fn, places, l);
    if (!caller)
        return;
    uint32_t within = 0;
    places = flow_within(vm->now.flow, places, call);
    if (label_log_places(vm, places, &within, l))
        param_places(vm, caller, call.fn, places, l);
}

void label_potential(Vm *vm, const Reg *regs, uint32_t fn, FlowPlaces places, VmLabel l)
{
    uint32_t group = 0;
    label_potential_group(vm, regs, fn, places, &group, l);
}
