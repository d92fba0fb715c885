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
    for (uint32_t i = 0; i < LABEL_PAGE; i++) {
        own->label[i] = run_get(run, i);
        own->seen[i] = old ? old->seen[i] : run->seen;
    }
    own->refs = 1;
    page_drop(old);
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

static void run_add(Vm *vm, struct LabelRun *run, uint32_t from, uint32_t to, uint32_t size, VmLabel l)
{
    bool said = label_unite(vm, (VmLabel){ run->label }, l).id == run->label;
    if (!run->page && ((said && !run->mask) || (from == 0 && to == size))) {
        run->label = label_unite(vm, (VmLabel){ run->label }, l).id;
        run->other = label_unite(vm, (VmLabel){ run->other }, l).id;
        return;
    }
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

/* ---- bytes -------------------------------------------------------------------------------------------------------- */

#define EACH_RUN(i, from, to, offset, n)                                                                               \
    for (uint64_t i = (offset) >> LABEL_PAGE_LOG, from, to;                                                            \
         i << LABEL_PAGE_LOG < (offset) + (n) &&                                                                       \
         (from = i == (offset) >> LABEL_PAGE_LOG ? (offset) & (LABEL_PAGE - 1) : 0,                                    \
          to = (offset) + (n) - (i << LABEL_PAGE_LOG) < LABEL_PAGE ? (offset) + (n) - (i << LABEL_PAGE_LOG)            \
                                                                   : LABEL_PAGE,                                       \
         true);                                                                                                        \
         i++)

static uint32_t class_of(Vm *vm, const Object *o)
{
    Flow *flow = vm->lab->flow;
    switch ((ObjectKind)o->kind) {
    case OBJECT_GLOBAL: return o->index == IR_NONE ? flow_object_of_args(flow) : flow_object_of_global(flow, o->index);
    case OBJECT_FN: return flow_object_of_fn(flow, o->index);
    default: return o->class;
    }
}

static bool covers(const LabelMember *m, uint64_t begin, uint64_t end)
{
    return m->first < end && (m->size > end || m->first + m->size > begin);
}

/* What bytes of the class have not seen yet. Is that the same for all bytes of the object? */
static bool gather_news(Vm *vm, const Object *o, uint32_t class, uint32_t seen)
{
    struct Labels *lab = vm->lab;
    const LabelMember *m;
    bool all = true;
    vec_clear(&lab->news);
    for (unsigned k = 0; k < (class == FLOW_OBJECT_ANY ? 1 : 2); k++)
        for (uint32_t i = 0; (m = label_next_news(vm, k ? FLOW_OBJECT_ANY : class, seen, &i));) {
            all &= m->first == 0 && m->size >= o->size;
            vec_push(&lab->news, (LabelNews){ *m, label_news(vm, m, seen) });
        }
    return all;
}

static VmLabel byte_news(Vm *vm, uint64_t offset)
{
    const struct Labels *lab = vm->lab;
    VmLabel found = LABEL_NONE;
    for (uint32_t i = 0; i < lab->news.n; i++)
        if (covers(&lab->news.v[i].at, offset, offset + 1))
            found = label_unite(vm, found, lab->news.v[i].label);
    return found;
}

static void page_fold(Vm *vm, Object *o, uint64_t i, uint64_t from, uint64_t to)
{
    uint32_t now = vm->lab->log.n, class = class_of(vm, o), last_seen = UINT32_MAX, last = UINT32_MAX;
    const LabelPage *page = o->labels->runs[i].page;
    LabelPage *own = NULL;
    bool all = false;
    VmLabel sum = LABEL_NONE;
    for (uint64_t k = from; k < to; k++) {
        uint32_t seen = page->seen[k], label = page->label[k];
        if (seen == now)
            continue;
        bool same = seen == last_seen;
        if (!same)
            all = gather_news(vm, o, class, seen);
        if (!same || !all || label != last)   /* else as the byte before */
            sum = label_unite(vm, (VmLabel){ label }, byte_news(vm, (i << LABEL_PAGE_LOG) + k));
        last_seen = seen;
        last = label;
        if (sum.id == label && !own && (page->refs > 1 || o->labels->refs > 1))
            continue;
        if (!own)
            page = own = page_own(&bytes_own(o)->runs[i]);
        own->label[k] = sum.id;
        own->seen[k] = now;
    }
}

/* What a run has not seen of a class; it gets a page if its bytes do not all take the same. */
static void run_fold_class(Vm *vm, Object *o, uint64_t i, uint32_t class, uint32_t seen)
{
    uint64_t begin = i << LABEL_PAGE_LOG, end = begin + run_size(o, (uint32_t)i);
    const LabelMember *m;
    for (uint32_t k = 0; !o->labels->runs[i].page && (m = label_next_news(vm, class, seen, &k));) {
        if (!covers(m, begin, end))
            continue;
        struct LabelRun *run = &bytes_own(o)->runs[i];
        if (m->first > begin || m->size < end - m->first) {
            page_own(run);
            return;
        }
        VmLabel l = label_news(vm, m, seen);
        run->label = label_unite(vm, (VmLabel){ run->label }, l).id;
        run->other = label_unite(vm, (VmLabel){ run->other }, l).id;
    }
}

/* What bytes [from, to) of a run have not seen yet becomes part of their labels. */
static void run_fold(Vm *vm, Object *o, uint64_t i, uint64_t from, uint64_t to)
{
    const struct Labels *lab = vm->lab;
    uint32_t seen = o->labels->runs[i].seen, class = class_of(vm, o);
    if (o->constant || (!o->labels->runs[i].page && seen == lab->log.n))
        return;
    if (label_has_news(lab, class, seen))
        run_fold_class(vm, o, i, class, seen);
    if (class != FLOW_OBJECT_ANY && label_has_news(lab, FLOW_OBJECT_ANY, seen))
        run_fold_class(vm, o, i, FLOW_OBJECT_ANY, seen);
    if (o->labels->runs[i].page)
        page_fold(vm, o, i, from, to);
    else if (o->labels->refs == 1)
        o->labels->runs[i].seen = lab->log.n;
}

static VmLabel get(Vm *vm, Object *o, uint64_t offset, uint64_t n)
{
    if (!o->labels)
        return (VmLabel){ (uint32_t)o->stamp };
    VmLabel all = LABEL_NONE;
    EACH_RUN(i, from, to, offset, n) {
        run_fold(vm, o, i, from, to);
        const struct LabelRun *run = &o->labels->runs[i];
        bool one = !run->page && !run->mask;
        uint32_t last = 0;
        for (uint64_t k = from; k < (one ? from + 1 : to); k++) {
            uint32_t label = run_get(run, k);
            if (label != last)
                all = label_unite(vm, all, (VmLabel){ label });
            last = label;
        }
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
    LabelBytes *b = bytes_own(o);
    EACH_RUN(i, from, to, offset, n)
        run_add(vm, &b->runs[i], (uint32_t)from, (uint32_t)to, run_size(o, (uint32_t)i), l);
}

VmLabel label_get(Vm *vm, Object *o, uint64_t offset, uint64_t n)
{
    label_fold(vm, o);
    return get(vm, o, offset, n);
}

void label_set(Vm *vm, Object *o, uint64_t offset, uint64_t n, VmLabel l)
{
    label_fold(vm, o);
    if (n == o->size) {
        become_uniform(o, l);
        return;
    }
    if (!n || (!o->labels && (uint32_t)o->stamp == l.id))
        return;
    LabelBytes *b = bytes_own(o);
    EACH_RUN(i, from, to, offset, n) {
        if (!b->runs[i].page && to - from != run_size(o, (uint32_t)i))
            run_fold(vm, o, i, 0, 0);
        run_set(&b->runs[i], (uint32_t)from, (uint32_t)to, run_size(o, (uint32_t)i), l.id, vm->lab->log.n);
    }
}

void label_add(Vm *vm, Object *o, uint64_t offset, uint64_t n, VmLabel l)
{
    label_fold(vm, o);
    add(vm, o, offset, n, l);
}

void label_copy(Vm *vm, Object *to, uint64_t at, Object *from, uint64_t start, uint64_t n, VmLabel l)
{
    bool plain = from->stamp == vm->mem.stamp || from->stamp == vm->mem.clean;
    if (plain && to->stamp == vm->mem.stamp && l.id == label_context(vm).id)
        return;                               /* the context says all, as it did before */
    label_fold(vm, from);
    label_fold(vm, to);
    if (!from->labels) {
        label_set(vm, to, at, n, label_unite(vm, (VmLabel){ (uint32_t)from->stamp }, l));
        return;
    }
    uint32_t *labels = mem_alloc(n * sizeof *labels);
    EACH_RUN(i, begin, end, start, n) {
        run_fold(vm, from, i, begin, end);
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

/* ---- the log ------------------------------------------------------------------------------------------------------ */

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
    const LabelMember *m;
    uint32_t state = o->state;
    for (uint32_t i = 0; (m = label_next_news(vm, flow_state_of(class), seen, &i));)
        o->state = label_unite(vm, (VmLabel){ o->state }, label_news(vm, m, seen)).id;
    if (o->state != state && watch(vm, o))    /* the access under way is such a check too */
        label_sink(vm, (VmLabel){ o->state });
}

/* An object whose bytes have one label keeps it so if all of them take the same; else each run takes it by
 * itself. */
static void fold_class(Vm *vm, Object *o, uint32_t class, uint64_t seen)
{
    const LabelMember *m;
    for (uint32_t i = 0; (m = label_next_news(vm, class, seen, &i));) {
        if (o->labels || m->first >= o->size)
            continue;
        VmLabel stamp = { (uint32_t)o->stamp };
        if (m->first == 0 && m->size >= o->size)
            o->stamp = o->stamp >> 32 << 32 | label_unite(vm, stamp, label_news(vm, m, seen)).id;
        else
            bytes_own(o);
    }
}

static void fold(Vm *vm, Object *o, uint32_t class, uint64_t seen)
{
    if (label_has_news(vm->lab, flow_state_of(class), seen))
        fold_state(vm, o, class, seen);
    if (label_has_news(vm->lab, class, seen))
        fold_class(vm, o, class, seen);
}

void label_fold(Vm *vm, Object *o)
{
    const struct Labels *lab = vm->lab;
    uint64_t seen = o->stamp >> 32;
    if (seen == lab->log.n)
        return;
    if (!o->constant) {
        uint32_t class = class_of(vm, o);
        fold(vm, o, class, seen);
        if (class != FLOW_OBJECT_ANY)
            fold(vm, o, FLOW_OBJECT_ANY, seen);
    }
    o->stamp = (uint64_t)lab->log.n << 32 | (uint32_t)o->stamp;
}

/* What may have been written behind the pointers of inputs so far may have been written there. */
void label_born_before(Vm *vm, Object *o)
{
    o->class = flow_object_of_lazy(vm->lab->flow);
    o->stamp = 0;
    o->state = 0;
}

VmLabel label_state(Vm *vm, Object *o)
{
    label_fold(vm, o);
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
