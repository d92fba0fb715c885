/* label_log.c - what may have been written otherwise: one entry for all the places that a branch may write.
 *
 * Places that the static analysis names together are a group: an answer of its, which stays. An entry of the
 * log is a group and a label. A class of objects knows the groups that have places in it (its members); an
 * object that is touched takes from them what it has not seen. So what a branch costs hardly depends on how
 * much it may write. */
#include "vm/labels/label_int.h"

enum { NAMED_MOST = 4096 }; /* bytes of an object that have entries of their own */

static void set_version(Vm *vm)
{
    vm->lab->version++;
    vm->mem.clean = (uint64_t)vm->lab->log.n << 32;
    vm->mem.stamp = vm->mem.clean | (uint32_t)vm->mem.stamp;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static LabelClass *class_at(struct Labels *lab, uint32_t class)
{
    while (class >= lab->classes.n)
        vec_push(&lab->classes, (LabelClass){0});
    return &lab->classes.v[class];
}

static void note_named(LabelClass *class, uint64_t first, uint64_t size)
{
    if (size > NAMED_MOST || first > NAMED_MOST - size) {
        class->all_named = true;
        return;
    }
    for (uint64_t i = first; i < first + size; i++) {
        while (class->named.n <= i >> LABEL_PAGE_LOG)
            vec_push(&class->named, 0);
        class->named.v[i >> LABEL_PAGE_LOG] |= UINT64_C(1) << (i & (LABEL_PAGE - 1));
    }
}

/* Places of one class stand together. */
static void add_member(struct Labels *lab, uint32_t index, LabelMember *member, const FlowPlace *place)
{
    LabelClass *class = class_at(lab, place->object);
    bool whole = flow_is_state(place->object) || (place->first == 0 && place->size == FLOW_WHOLE);
    *member = (LabelMember){place->first, place->size};
    if (!class->shares.n || vec_last(&class->shares).group != index)
        vec_push(&class->shares, (LabelShare){.group = index, .members = member});
    else if (vec_last(&class->shares).members + vec_last(&class->shares).n != member)
        bug("places of class %u do not stand together", place->object);
    vec_last(&class->shares).n++;
    vec_last(&class->shares).whole |= whole;
    note_named(class, place->first, place->size);
}

/* Do places name all objects, or the state of all? */
static bool has_all(FlowPlaces places, uint32_t any)
{
    bool found = false;
    for (uint32_t i = 0; i < places.n && !found; i++) {
        const FlowPlace *place = &places.v[i];
        found = place->param == IR_NONE && place->object == any && !place->first && place->size == FLOW_WHOLE;
    }
    return found;
}

static uint32_t group_new(Vm *vm, FlowPlaces places)
{
    struct Labels *lab = vm->lab;
    uint32_t index = lab->groups.n, n = 0;
    LabelGroup group = {.lasting = true};
    LabelMember *members = arena_alloc(lab->arena, (places.n + 1) * sizeof *members);
    bool all[] = {has_all(places, FLOW_OBJECT_ANY), has_all(places, flow_state_of(FLOW_OBJECT_ANY))};
    for (uint32_t i = 0; i < places.n; i++) {
        const FlowPlace *place = &places.v[i];
        group.params |= place->param != IR_NONE;
        if (place->param != IR_NONE)
            continue;
        const FlowObject *what = flow_object(vm->now.flow, place->object);
        if (what->kind == FLOW_STREAM) {
            group.streams |= 1u << what->index;
            continue;
        }
        group.links |= what->kind == FLOW_LINKS || what->kind == FLOW_ANY;
        if (what->kind == FLOW_ROOM || what->kind == FLOW_LINKS)
            continue;                         /* (of the room its branch tells: label_context.c) */
        if (place->object == FLOW_OBJECT_ANY) /* all memory: streams too */
            group.streams |= (1u << FLOW_STREAMS) - 1;
        group.lasting &= what->kind == FLOW_GLOBAL;
        group.in_memory = true;
        if (place->object / 2 != FLOW_OBJECT_ANY && all[flow_is_state(place->object)])
            continue; /* the other one says as much */
        add_member(lab, index, &members[n++], place);
    }
    vec_push(&lab->groups, group);
    vec_push(&lab->heads, (LabelHead){0});
    lab->version++;
    return index;
}

static uint32_t group_of(Vm *vm, FlowPlaces places)
{
    struct Labels *lab = vm->lab;
    uint64_t key = hash_mix((uintptr_t)places.v, places.n), index;
    if (!map_get(&lab->group_of, key, &index)) {
        index = group_new(vm, places);
        map_put(&lab->group_of, key, index);
    }
    return (uint32_t)index;
}

/* ---- entering -------------------------------------------------------------------------------- */

/* A jump is as long as the two before it together, if these are of one length: any entry is then reached in a
 * number of steps that grows with the logarithm of the number of entries. */
static void set_jump(Vm *vm, LabelLog *e)
{
    const struct Labels *lab = vm->lab;
    const LabelLog *p = e->previous ? &lab->log.v[e->previous - 1] : NULL;
    const LabelLog *q = p && p->jump ? &lab->log.v[p->jump - 1] : NULL;
    e->jump = e->previous;
    e->all = e->label;
    e->length = 1;
    if (!q || p->length != q->length)
        return;
    e->jump = q->jump;
    e->all = label_unite(vm, e->label, label_unite(vm, p->all, q->all));
    e->length = 1 + p->length + q->length;
}

static void append(Vm *vm, LabelLog e)
{
    struct Labels *lab = vm->lab;
    e.previous = lab->heads.v[e.group].head;
    set_jump(vm, &e);
    vec_push(&lab->log, e);
    lab->heads.v[e.group].head = lab->log.n;
    set_version(vm);
}

/* They were entered after the same ones before. */
uint32_t label_log_length(const Vm *vm) { return vm->lab->log.n; }

LabelLogEnd *label_log_save(const Vm *vm, uint32_t from, size_t *bytes)
{
    uint32_t n = vm->lab->log.n - from;
    LabelLogEnd *end = mem_alloc(sizeof *end + n * sizeof *end->entries);
    end->n = n;
    if (n)
        memcpy(end->entries, vm->lab->log.v + from, n * sizeof *end->entries);
    *bytes += n * sizeof *end->entries;
    return end;
}

void label_log_restore(Vm *vm, const LabelLogEnd *end)
{
    struct Labels *lab = vm->lab;
    vec_reserve(&lab->log, lab->log.n + end->n);
    for (uint32_t i = 0; i < end->n; i++) {
        lab->log.v[lab->log.n++] = end->entries[i];
        lab->heads.v[end->entries[i].group].head = lab->log.n;
    }
    set_version(vm);
}

/* What no object and no snapshot has seen yet is one entry, however often it may have been written: the log
 * grows with what a run does, not with how much branches might write. An object that was made since has seen
 * it. False: such an entry says it already. */
static bool enter(Vm *vm, uint32_t index, VmLabel l)
{
    struct Labels *lab = vm->lab;
    const LabelHead *at = &lab->heads.v[index];
    uint32_t low = at->folded > lab->frozen ? at->folded : lab->frozen;
    LabelLog *last = at->head > low ? &lab->log.v[at->head - 1] : NULL;
    if (last && (lab->groups.v[index].lasting || last->born == (uint32_t)vm->mem.serial)) {
        uint32_t before = last->label.id;
        last->label = label_unite(vm, last->label, l);
        last->all = label_unite(vm, last->all, l);
        return last->label.id != before;
    }
    append(vm, (LabelLog){.group = index, .label = l, .born = (uint32_t)vm->mem.serial});
    return true;
}

/* Several have one label most of the time. */
static void enter_streams(Vm *vm, uint32_t streams, VmLabel l)
{
    struct Labels *lab = vm->lab;
    VmLabel before = LABEL_NONE, after = l;
    for (uint32_t i = 0; streams >> i; i++) {
        if (!(streams >> i & 1))
            continue;
        if (lab->streams[i].id != before.id) {
            before = lab->streams[i];
            after = label_unite(vm, before, l);
        }
        lab->streams[i] = after;
    }
}

bool label_log_places(Vm *vm, FlowPlaces places, uint32_t *known, VmLabel l)
{
    struct Labels *lab = vm->lab;
    if (!places.n)
        return false;
    if (!*known)
        *known = group_of(vm, places) + 1;
    const LabelGroup group = lab->groups.v[*known - 1];
    if (group.in_memory && !enter(vm, *known - 1, l))
        return group.params; /* streams and links took it together with that entry */
    enter_streams(vm, group.streams, l);
    if (group.links)
        lab->links = label_unite(vm, lab->links, l);
    return group.params;
}

/* ---- reading --------------------------------------------------------------------------------- */

uint32_t label_latest_found(struct Labels *lab, uint32_t class)
{
    LabelClass *c = class_at(lab, class);
    uint32_t any = class == flow_state_of(class) ? flow_state_of(FLOW_OBJECT_ANY) : FLOW_OBJECT_ANY;
    c->latest = class == any ? 0 : label_latest(lab, any);
    for (uint32_t i = 0; i < c->shares.n; i++) {
        uint32_t head = lab->heads.v[c->shares.v[i].group].head;
        c->latest = head > c->latest ? head : c->latest;
    }
    c->version = lab->version;
    return c->latest;
}

void label_touch(struct Labels *lab, uint32_t class)
{
    LabelClass *c = class < lab->classes.n ? &lab->classes.v[class] : NULL;
    if (!c || c->touched == lab->version)
        return;
    c->touched = lab->version;
    for (uint32_t i = 0; i < c->shares.n; i++)
        lab->heads.v[c->shares.v[i].group].folded = lab->log.n;
}

VmLabel label_older_news(Vm *vm, const LabelLog *head, uint64_t seen)
{
    VmLabel l = head->label;
    for (uint32_t at = head->previous; at > seen;) {
        const LabelLog *e = &vm->lab->log.v[at - 1];
        bool far = e->jump >= seen;
        l = label_unite(vm, l, far ? e->all : e->label);
        at = far ? e->jump : e->previous;
    }
    return l;
}

void label_log_reset(Vm *vm)
{
    struct Labels *lab = vm->lab;
    for (uint32_t i = 0; i < lab->log.n; i++)
        lab->heads.v[lab->log.v[i].group] = (LabelHead){0};
    vec_clear(&lab->log);
    lab->frozen = 0;
    lab->version++;
}

void label_log_free(Vm *vm)
{
    struct Labels *lab = vm->lab;
    for (uint32_t i = 0; i < lab->classes.n; i++) {
        vec_free(&lab->classes.v[i].shares);
        vec_free(&lab->classes.v[i].named);
    }
    vec_free(&lab->classes);
    vec_free(&lab->groups);
    vec_free(&lab->heads);
    vec_free(&lab->log);
    map_free(&lab->group_of);
}
