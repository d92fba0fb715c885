/* label_log.c - what may have been written otherwise: one entry for all the places that a branch may write.
 *
 * Places that the static analysis names together are a group: an answer of its, which stays. An entry of the log
 * is a group and a label. A class of objects knows the groups that have places in it (its members); an object that
 * is touched takes from them what it has not seen. So what a branch costs hardly hangs on how much it may write. */
#include "vm/label.h"

static void set_version(Vm *vm)
{
    vm->mem.clean = (uint64_t)vm->lab->log.n << 32;
    vm->mem.stamp = vm->mem.clean | (uint32_t)vm->mem.stamp;
}

/* ---- groups ----------------------------------------------------------------------------------------------- */

static void add_member(struct Labels *lab, uint32_t index, LabelGroup *group, const FlowPlace *place)
{
    LabelMember member = { index, place->first, place->size };
    while (place->object >= lab->classes.n)
        vec_push(&lab->classes, (LabelClass){ 0 });
    vec_push(&lab->classes.v[place->object].members, member);
    if (!group->nclasses || group->classes[group->nclasses - 1] != place->object)
        group->classes[group->nclasses++] = place->object;
}

static uint32_t group_new(Vm *vm, FlowPlaces places)
{
    struct Labels *lab = vm->lab;
    uint32_t index = lab->groups.n;
    LabelGroup group = { .lasting = true };
    group.classes = arena_alloc(lab->arena, (places.n + 1) * sizeof *group.classes);
    for (uint32_t i = 0; i < places.n; i++) {
        const FlowPlace *place = &places.v[i];
        group.params |= place->param != IR_NONE;
        if (place->param != IR_NONE)
            continue;
        const FlowObject *what = flow_object(lab->flow, place->object);
        if (what->kind == FLOW_STREAM) {
            group.streams |= 1u << what->index;
            continue;
        }
        if (place->object == FLOW_OBJECT_ANY) /* all memory: streams too */
            group.streams |= (1u << FLOW_STREAMS) - 1;
        group.lasting &= what->kind == FLOW_GLOBAL;
        add_member(lab, index, &group, place);
    }
    vec_push(&lab->groups, group);
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

/* ---- entering --------------------------------------------------------------------------------------------- */

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
    LabelGroup *group = &lab->groups.v[e.group];
    e.previous = group->head;
    set_jump(vm, &e);
    vec_push(&lab->log, e);
    group->head = lab->log.n;
    for (uint32_t i = 0; i < group->nclasses; i++)
        lab->classes.v[group->classes[i]].latest = lab->log.n;
    set_version(vm);
}

void label_log_restore(Vm *vm, const LabelLog *log, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        append(vm, log[i]);
}

/* What no object and no snapshot has seen yet is one entry, however often it may have been written: the log grows
 * with what a run does, not with how much branches might write. An object that was made since has seen it. */
static void enter(Vm *vm, uint32_t index, VmLabel l)
{
    struct Labels *lab = vm->lab;
    const LabelGroup *group = &lab->groups.v[index];
    uint32_t low = group->folded > lab->frozen ? group->folded : lab->frozen;
    LabelLog *last = group->head > low ? &lab->log.v[group->head - 1] : NULL;
    if (last && (group->lasting || last->born == (uint32_t)vm->mem.serial)) {
        last->label = label_unite(vm, last->label, l);
        last->all = label_unite(vm, last->all, l);
        return;
    }
    append(vm, (LabelLog){ .group = index, .label = l, .born = (uint32_t)vm->mem.serial });
}

bool label_log_places(Vm *vm, FlowPlaces places, VmLabel l)
{
    struct Labels *lab = vm->lab;
    if (!places.n)
        return false;
    uint32_t index = group_of(vm, places);
    const LabelGroup *group = &lab->groups.v[index];
    for (uint32_t i = 0; group->streams >> i; i++)
        if (group->streams >> i & 1)
            lab->streams[i] = label_unite(vm, lab->streams[i], l);
    if (group->nclasses)
        enter(vm, index, l);
    return lab->groups.v[index].params;
}

/* ---- reading ---------------------------------------------------------------------------------------------- */

const LabelMember *label_next_news(Vm *vm, uint32_t class, uint64_t seen, uint32_t *cursor)
{
    struct Labels *lab = vm->lab;
    if (class >= lab->classes.n)
        return NULL;
    const LabelMemberVec *members = &lab->classes.v[class].members;
    while (*cursor < members->n) {
        const LabelMember *m = &members->v[(*cursor)++];
        LabelGroup *group = &lab->groups.v[m->group];
        if (group->head > seen) {
            group->folded = lab->log.n;
            return m;
        }
    }
    return NULL;
}

VmLabel label_news(Vm *vm, const LabelMember *m, uint64_t seen)
{
    const struct Labels *lab = vm->lab;
    VmLabel l = LABEL_NONE;
    for (uint32_t at = lab->groups.v[m->group].head; at > seen;) {
        const LabelLog *e = &lab->log.v[at - 1];
        bool far = e->jump >= seen;
        l = label_unite(vm, l, far ? e->all : e->label);
        at = far ? e->jump : e->previous;
    }
    return l;
}

void label_log_reset(Vm *vm)
{
    struct Labels *lab = vm->lab;
    vec_clear(&lab->log);
    lab->frozen = 0;
    for (uint32_t i = 0; i < lab->groups.n; i++)
        lab->groups.v[i].head = lab->groups.v[i].folded = 0;
    for (uint32_t i = 0; i < lab->classes.n; i++)
        lab->classes.v[i].latest = 0;
}

void label_log_free(Vm *vm)
{
    struct Labels *lab = vm->lab;
    for (uint32_t i = 0; i < lab->classes.n; i++)
        vec_free(&lab->classes.v[i].members);
    vec_free(&lab->classes);
    vec_free(&lab->groups);
    vec_free(&lab->news);
    vec_free(&lab->log);
    map_free(&lab->group_of);
}
