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
    for (uint32_t i = from; i < to; i++)
        page->label[i] = label_unite(vm, (VmLabel){ page->label[i] }, l).id;
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

static uint32_t head_of(const struct Labels *lab, uint32_t class)
{
    return class < lab->heads.n ? lab->heads.v[class] : 0;
}

/* A step back through the entries of a class that come after `seen`: one, or several about the same bytes. */
static bool step_back(const struct Labels *lab, uint32_t *at, uint64_t seen, const LabelLog **e, VmLabel *label)
{
    if (*at <= seen)
        return false;
    *e = &lab->log.v[*at - 1];
    bool far = (*e)->jump >= seen;
    *label = far ? (*e)->all : (*e)->label;
    *at = far ? (*e)->jump : (*e)->previous;
    return true;
}

static bool covers(const LabelLog *e, uint64_t begin, uint64_t end)
{
    return e->first < end && (e->size > end || e->first + e->size > begin);
}

/* What a byte has not seen yet. *all: the bytes of the object around it would take the same. */
static VmLabel byte_unseen(Vm *vm, const Object *o, uint32_t class, uint64_t offset, uint32_t seen, bool *all)
{
    const struct Labels *lab = vm->lab;
    const LabelLog *e;
    VmLabel found = LABEL_NONE, l;
    for (uint32_t at = head_of(lab, class); step_back(lab, &at, seen, &e, &l);) {
        *all &= e->first == 0 && e->size >= o->size;
        if (covers(e, offset, offset + 1))
            found = label_unite(vm, found, l);
    }
    return class == FLOW_OBJECT_ANY ? found
                                    : label_unite(vm, found, byte_unseen(vm, o, FLOW_OBJECT_ANY, offset, seen, all));
}

static void page_fold(Vm *vm, Object *o, uint64_t i, uint64_t from, uint64_t to)
{
    uint32_t now = vm->lab->log.n, class = class_of(vm, o), last = 0;
    bool all = false;
    VmLabel l = LABEL_NONE;
    for (uint64_t k = from; k < to; k++) {
        const LabelPage *page = o->labels->runs[i].page;
        uint32_t seen = page->seen[k], label = page->label[k];
        if (seen == now)
            continue;
        if (!all || seen != last) {           /* else as the byte before */
            all = true;
            l = byte_unseen(vm, o, class, (i << LABEL_PAGE_LOG) + k, seen, &all);
            last = seen;
        }
        VmLabel sum = label_unite(vm, (VmLabel){ label }, l);
        if (sum.id == label && (page->refs > 1 || o->labels->refs > 1))
            continue;
        LabelPage *own = page_own(&bytes_own(o)->runs[i]);
        own->label[k] = sum.id;
        own->seen[k] = now;
    }
}

/* What bytes [from, to) of a run have not seen yet becomes part of their labels. */
static void run_fold(Vm *vm, Object *o, uint64_t i, uint64_t from, uint64_t to)
{
    const struct Labels *lab = vm->lab;
    uint32_t seen = o->labels->runs[i].seen, size = run_size(o, (uint32_t)i);
    uint32_t classes[2] = { class_of(vm, o), FLOW_OBJECT_ANY };
    uint64_t begin = i << LABEL_PAGE_LOG;
    const LabelLog *e;
    VmLabel l;
    if (o->constant || (!o->labels->runs[i].page && seen == lab->log.n))
        return;
    for (unsigned k = classes[0] == FLOW_OBJECT_ANY; k < 2 && !o->labels->runs[i].page; k++)
        for (uint32_t at = head_of(lab, classes[k]); step_back(lab, &at, seen, &e, &l);) {
            if (!covers(e, begin, begin + size))
                continue;
            struct LabelRun *run = &bytes_own(o)->runs[i];
            if (e->first > begin || e->size < begin + size - e->first) {
                page_own(run);                /* they do not all take the same */
                break;
            }
            run->label = label_unite(vm, (VmLabel){ run->label }, l).id;
            run->other = label_unite(vm, (VmLabel){ run->other }, l).id;
        }
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
        for (uint64_t k = from; k < (one ? from + 1 : to); k++)
            all = label_unite(vm, all, (VmLabel){ run_get(run, k) });
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

static void note_fold(Vm *vm, uint32_t class)
{
    struct Labels *lab = vm->lab;
    while (class / 2 >= lab->folded.n)
        vec_push(&lab->folded, 0);
    lab->folded.v[class / 2] = lab->folded_any = lab->log.n;
}

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

/* An object whose bytes have one label keeps it so if all of them take the same. */
static void fold_class(Vm *vm, Object *o, uint32_t class, uint64_t seen)
{
    const struct Labels *lab = vm->lab;
    const LabelLog *e;
    VmLabel l;
    uint32_t state = o->state;
    for (uint32_t at = head_of(lab, flow_state_of(class)); step_back(lab, &at, seen, &e, &l);)
        o->state = label_unite(vm, (VmLabel){ o->state }, l).id;
    if (o->state != state && watch(vm, o))    /* the access under way is such a check too */
        label_sink(vm, (VmLabel){ o->state });
    for (uint32_t at = head_of(lab, class); step_back(lab, &at, seen, &e, &l);) {
        if (o->labels || !o->size)
            return;                           /* each run takes it by itself */
        if (e->first == 0 && e->size >= o->size)
            o->stamp = o->stamp >> 32 << 32 | label_unite(vm, (VmLabel){ (uint32_t)o->stamp }, l).id;
        else if (e->first < o->size)
            bytes_own(o);
    }
}

/* Has anything been entered about objects of this class, or about all, since then? */
static bool has_news(const struct Labels *lab, uint32_t class, uint64_t seen)
{
    return head_of(lab, class) > seen || head_of(lab, flow_state_of(class)) > seen ||
           head_of(lab, FLOW_OBJECT_ANY) > seen || head_of(lab, flow_state_of(FLOW_OBJECT_ANY)) > seen;
}

void label_fold(Vm *vm, Object *o)
{
    const struct Labels *lab = vm->lab;
    uint64_t seen = o->stamp >> 32;
    if (seen == lab->log.n)
        return;
    uint32_t class = o->constant ? FLOW_OBJECT_ANY : class_of(vm, o);
    if (!o->constant && has_news(lab, class, seen)) {
        note_fold(vm, class);
        fold_class(vm, o, class, seen);
        if (class != FLOW_OBJECT_ANY)
            fold_class(vm, o, FLOW_OBJECT_ANY, seen);
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

static void set_version(Vm *vm)
{
    vm->mem.clean = (uint64_t)vm->lab->log.n << 32;
    vm->mem.stamp = vm->mem.clean | (uint32_t)vm->mem.stamp;
}

/* A jump is as long as the two before it together, if these are of one length: any entry is then reached in a number of
 * steps that grows with the logarithm of the number of entries. */
static void set_jump(Vm *vm, LabelLog *e)
{
    const struct Labels *lab = vm->lab;
    const LabelLog *p = e->previous ? &lab->log.v[e->previous - 1] : NULL, *q = p && p->jump ? &lab->log.v[p->jump - 1] : NULL;
    bool one = p && p->first == e->first && p->size == e->size && q && q->first == e->first && q->size == e->size;
    e->jump = e->previous;
    e->all = e->label;
    e->length = 1;
    if (!one || p->length != q->length)
        return;
    e->jump = q->jump;
    e->all = label_unite(vm, e->label, label_unite(vm, p->all, q->all));
    e->length = 1 + p->length + q->length;
}

static void log_append(Vm *vm, LabelLog e)
{
    struct Labels *lab = vm->lab;
    uint32_t known = lab->heads.n;
    if (e.class >= known) {
        vec_reserve(&lab->heads, e.class + 64);
        memset(lab->heads.v + known, 0, (e.class + 64 - known) * sizeof *lab->heads.v);
        lab->heads.n = e.class + 64;
    }
    e.previous = lab->heads.v[e.class];
    set_jump(vm, &e);
    vec_push(&lab->log, e);
    lab->heads.v[e.class] = lab->log.n;
    set_version(vm);
}

void label_log_restore(Vm *vm, const LabelLog *log, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        log_append(vm, log[i]);
}

/* What kind of object a class is: asked for each place that a branch may write. */
static FlowObjectKind kind_of(Vm *vm, uint32_t object)
{
    struct Labels *lab = vm->lab;
    while (object >= lab->kinds.n)
        vec_push(&lab->kinds, (uint8_t)flow_object(lab->flow, lab->kinds.n)->kind);
    return (FlowObjectKind)lab->kinds.v[object];
}

/* The class's entry for these bytes that no object of it has seen, and no snapshot, + 1; 0 if there is none. */
static uint32_t unseen(Vm *vm, uint32_t object, uint64_t first, uint64_t size)
{
    enum { TRIES = 8 };
    struct Labels *lab = vm->lab;
    bool one = kind_of(vm, object) == FLOW_GLOBAL;     /* nobody makes another */
    uint32_t low = object / 2 < lab->folded.n ? lab->folded.v[object / 2] : 0;
    if (object / 2 == FLOW_OBJECT_ANY / 2)
        low = lab->folded_any;
    low = low > lab->frozen ? low : lab->frozen;
    uint32_t at = head_of(lab, object);
    for (int i = 0; i < TRIES && at > low; i++, at = lab->log.v[at - 1].previous) {
        LabelLog *e = &lab->log.v[at - 1];
        if (e->first == first && e->size == size && (one || e->born == (uint32_t)vm->mem.serial))
            return at;
    }
    return 0;
}

/* What nobody has looked at yet is one entry for each place, however often it may have been written: the log grows with
 * what a run does, not with how much branches might write. */
static void log_place(Vm *vm, uint32_t object, uint64_t first, uint64_t size, VmLabel l)
{
    struct Labels *lab = vm->lab;
    uint32_t at = unseen(vm, object, first, size);
    for (uint32_t k = at ? head_of(lab, object) : 0; k >= at && k; k = lab->log.v[k - 1].previous)
        if (k == at || lab->log.v[k - 1].jump < at)
            lab->log.v[k - 1].all = label_unite(vm, lab->log.v[k - 1].all, l);
    if (at)
        lab->log.v[at - 1].label = label_unite(vm, lab->log.v[at - 1].label, l);
    else
        log_append(vm, (LabelLog){ .class = object, .label = l, .born = (uint32_t)vm->mem.serial, .first = first,
                                   .size = size });
}

static void stream_add(Vm *vm, uint32_t index, VmLabel l)
{
    VmLabel *stream = &vm->lab->streams[index];
    *stream = label_unite(vm, *stream, l);
}

/* All memory: streams too. */
static void log_object(Vm *vm, uint32_t object, uint64_t first, uint64_t size, VmLabel l)
{
    FlowObjectKind kind = kind_of(vm, object);
    if (kind == FLOW_STREAM) {
        stream_add(vm, flow_object(vm->lab->flow, object)->index, l);
        return;
    }
    if (object == FLOW_OBJECT_ANY)
        for (uint32_t i = 0; i < FLOW_STREAMS; i++)
            stream_add(vm, i, l);
    log_place(vm, object, first, size, l);
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

static void place_write(Vm *vm, const Reg *regs, uint32_t fn, const FlowPlace *place, VmLabel l)
{
    if (place->param != IR_NONE)
        param_place(vm, regs, fn, place, l);
    else
        log_object(vm, place->object, place->first, place->size, l);
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

void label_potential(Vm *vm, const Reg *regs, uint32_t fn, FlowPlaces places, VmLabel l)
{
    FlowSite call;
    const Reg *caller = described(vm, regs, &call);
    for (uint32_t i = 0; i < places.n; i++)
        if (!caller || places.v[i].param != IR_NONE)
            place_write(vm, regs, fn, &places.v[i], l);
    if (!caller)
        return;
    places = flow_within(vm->lab->flow, places, call);
    for (uint32_t i = 0; i < places.n; i++)
        place_write(vm, caller, call.fn, &places.v[i], l);
}
