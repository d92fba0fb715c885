/* depend_class.c - classes of memory in a function: places that may overlap share one.
 *
 * A root is an object, or "what parameter p of this frame points into". Roots that may mean the same object
 * become one class; a root that no other meets is split into the intervals of bytes that are accessed. A
 * parameter's pointees keep a class of their own as long as nothing else in the function touches them, which
 * is what lets a helper be instantiated at each of its calls. Classes that the same instructions read and
 * none writes, or that only calls touch, and the same calls in the same way (what lies inside the library,
 * mostly), are joined: nothing in the function tells them apart.
 *
 * Requires: callees' Depends finished. Leaves: classes, and the classes that each instruction reads and
 * writes. */
#include "flow/depend.h"
#include "flow/flow_int.h"

#include <stdlib.h>

typedef struct Interval {
    uint64_t first, end;
} Interval; /* end FLOW_WHOLE: whole */

typedef struct Root {
    uint32_t object, param; /* both IR_NONE: */
    uint32_t many;          /* a number of DependSet.many */
    uint32_t up, first_class, nclasses, members;
    bool whole;
    Vec(Interval) parts;
} Root;

/* Of other functions if the stamp is not this one's. */
typedef struct ObjectRoots {
    uint32_t stamp, root, claimed;
} ObjectRoots;

/* A set of many objects that the function touches. */
typedef struct ManyUse {
    uint32_t many, group, rest; /* rest: root of those that nothing else names, or IR_NONE */
    DepPlaceVec parts;          /* of those that have roots of their own */
} ManyUse;
typedef struct WideParam {
    uint32_t root, objects;
} WideParam; /* with many pointees */

typedef struct ClassFinder {
    Vec(Root) roots;
    Vec(ManyUse) manies;
    Map many_at; /* number of DependSet.many to index in manies */
    Vec(WideParam) wide;
    U32Vec claimed;    /* objects that parameters may point to */
    ObjectRoots *of;   /* by object: what this function's build knows; DependSet keeps the array */
    U32Vec param_root; /* by parameter: root or IR_NONE */
    uint32_t any[2];   /* roots that mean every object's contents, state */
    uint32_t claims;
    Vec(Interval) spans; /* by class as first found */
    uint32_t *joined;    /* such a class to the class that it belongs to; NULL: itself */
    uint32_t *touched;   /* by class, read and written: the last touch of it */
} ClassFinder;

enum { MAX_CLAIMS = 400000, MAX_ROOTS = 20000 };
enum { MAX_APART = 256 }; /* objects of a group of many that keep names of their own */

static uint32_t find(ClassFinder *f, uint32_t r)
{
    while (f->roots.v[r].up != r) {
        f->roots.v[r].up = f->roots.v[f->roots.v[r].up].up;
        r = f->roots.v[r].up;
    }
    return r;
}

static void unite(ClassFinder *f, uint32_t a, uint32_t b)
{
    a = find(f, a);
    b = find(f, b);
    if (a == b)
        return;
    f->roots.v[b].up = a;
    f->roots.v[a].members += f->roots.v[b].members;
}

static ObjectRoots *of_object(DependBuild *b, uint32_t object)
{
    ObjectRoots *o = &b->finder->of[object];
    if (o->stamp != b->d->fn + 1)
        *o = (ObjectRoots){b->d->fn + 1, IR_NONE, IR_NONE};
    return o;
}

/* Where the root of a place is kept. */
static uint32_t *root_slot(DependBuild *b, const FlowPlace *place)
{
    return place->param != IR_NONE ? &b->finder->param_root.v[place->param]
                                   : &of_object(b, place->object)->root;
}

static void claim(DependBuild *b, uint32_t root, uint32_t object)
{
    ClassFinder *f = b->finder;
    uint32_t *first = object <= 1 ? &f->any[object] : &of_object(b, object)->claimed;
    f->claims++;
    if (*first == IR_NONE)
        *first = root;
    else
        unite(f, *first, root);
}

static uint32_t root_get(DependBuild *b, const FlowPlace *place)
{
    ClassFinder *f = b->finder;
    uint32_t *slot = root_slot(b, place), r = f->roots.n;
    if (*slot != IR_NONE)
        return *slot;
    *slot = r;
    vec_push(&f->roots, (Root){.object = place->param != IR_NONE ? IR_NONE : place->object,
                               .param = place->param,
                               .many = IR_NONE,
                               .up = r,
                               .members = 1});
    if (place->param == IR_NONE) {
        claim(b, r, place->object);
        return r;
    }
    FlowList to = flow_pointees(b->set->flow, b->d->fn, place->param);
    if (to.n > b->set->options.max_listed) {
        vec_push(&f->wide, (WideParam){r, depend_pointees(b->set, to)});
        return r;
    }
    for (uint32_t i = 0; i < to.n && f->claims < MAX_CLAIMS; i++) {
        claim(b, r, to.v[i]);
        vec_push(&f->claimed, to.v[i]);
    }
    return r;
}

static void touch_many(ClassFinder *f, uint32_t many)
{
    if (map_get(&f->many_at, many, NULL))
        return;
    map_put(&f->many_at, many, f->manies.n);
    vec_push(&f->manies, (ManyUse){.many = many, .group = f->manies.n, .rest = IR_NONE});
}

static void access_add(DependBuild *b, const FlowPlace *place)
{
    b->set->steps++;
    if (depend_is_many(place)) {
        touch_many(b->finder, (uint32_t)place->first);
        return;
    }
    uint32_t r = root_get(b, place);
    Root *root = &b->finder->roots.v[r];
    if (place->size == FLOW_WHOLE || place->first + place->size < place->first)
        root->whole = true;
    else if (!root->whole && (!root->parts.n || vec_last(&root->parts).first != place->first ||
                              vec_last(&root->parts).end != place->first + place->size))
        vec_push(&root->parts, (Interval){place->first, place->first + place->size});
}

/* ---- addresses ------------------------------------------------------------------------------- */

static const IrInsn *definition(DependBuild *b, uint32_t reg, FlowSite *at)
{
    *at = (FlowSite){b->d->fn, b->d->nodes.v[reg].block, b->d->nodes.v[reg].insn};
    return at->block == IR_NONE ? NULL : ir_reg_def(b->fn, reg);
}

/* The constant that OFFSET or INDEX adds. */
static bool constant_step(DependBuild *b, const IrInsn *insn, uint64_t *step)
{
    const IrConst *c = ir_reg_const_of(b->fn, insn->b);
    if (!c || c->kind != IR_CONST_INT)
        return false;
    uint64_t value = (uint64_t)bits_signed(c->bits, b->fn->regs.v[insn->b].width);
    *step = insn->op == IR_INDEX ? value * insn->c : value;
    return true;
}

bool depend_address(DependBuild *b, uint32_t reg, FlowPlace *place)
{
    uint64_t offset = 0, step;
    *place = (FlowPlace){.object = IR_NONE, .param = IR_NONE};
    for (uint32_t depth = 0; depth < 64; depth++) {
        const IrReg *r = &b->fn->regs.v[reg];
        if (r->kind == IR_REG_PARAM) {
            place->param = reg;
            place->first = offset;
            return (int64_t)offset >= 0;
        }
        if (r->kind == IR_REG_CONST) {
            const IrConst *c = ir_reg_const_of(b->fn, reg);
            if (c->kind != IR_CONST_GLOBAL)
                return false;
            place->object = flow_object_of_global(b->set->flow, c->index);
            place->size = b->set->program->globals.v[c->index].size;
            place->first = offset + (uint64_t)c->bits;
            return place->object != FLOW_OBJECT_ANY && (int64_t)place->first >= 0;
        }
        FlowSite at;
        const IrInsn *insn = definition(b, reg, &at);
        if (!insn)
            return false;
        if (insn->op == IR_ALLOCA) {
            place->object = flow_object_of_alloca(b->set->flow, at);
            place->first = offset;
            return place->object != FLOW_OBJECT_ANY && (int64_t)offset >= 0;
        }
        if ((insn->op != IR_OFFSET && insn->op != IR_INDEX) || !constant_step(b, insn, &step))
            return false;
        offset += step;
        reg = insn->a;
    }
    return false;
}

/* What an argument points into, bytes first … first + size counted from where it points. */
static bool argument_places(DependBuild *b, uint32_t reg, uint64_t first, uint64_t size, DepPlaceVec *out)
{
    FlowPlace place;
    if (depend_address(b, reg, &place)) {
        bool whole = size == FLOW_WHOLE;
        vec_push(out, (FlowPlace){place.object, place.param, whole ? 0 : place.first + first, size});
        return !whole || !place.first;
    }
    uint32_t base = reg;
    for (uint32_t depth = 0; depth < 64 && b->fn->regs.v[base].kind == IR_REG_RESULT; depth++) {
        FlowSite at;
        const IrInsn *insn = definition(b, base, &at);
        if (!insn || (insn->op != IR_OFFSET && insn->op != IR_INDEX))
            break;
        base = insn->a;
    }
    if (b->fn->regs.v[base].kind == IR_REG_PARAM) {
        vec_push(out, (FlowPlace){IR_NONE, base, 0, FLOW_WHOLE});
        return false;
    }
    FlowPlaces to = depend_pointee_places(b->set, flow_pointees(b->set->flow, b->d->fn, reg));
    for (uint32_t i = 0; i < to.n; i++)
        vec_push(out, to.v[i]);
    return false;
}

static bool own_stack(DependSet *set, const Depend *d, uint32_t object)
{
    if (object == IR_NONE || object <= 1 || set->recursive[d->fn])
        return false;
    const FlowObject *o = flow_object(set->flow, object);
    return o->kind == FLOW_STACK && o->at.fn == d->fn;
}

bool depend_is_own_stack(DependSet *set, const Depend *d, const DepClass *k)
{
    for (uint32_t i = 0; i < k->nroots; i++)
        if (!own_stack(set, d, d->roots.v[k->root + i].object))
            return false;
    return true;
}

/* Not so many any more, perhaps: without those that the callee knows by themselves. */
static void push_many(DependSet *set, uint32_t many, DepPlaceVec *out)
{
    uint32_t objects = set->many.v[many].objects;
    if (sets_next(&set->objects, objects, 0) == UINT32_MAX)
        return;
    if (sets_size(&set->objects, objects) > set->options.max_listed) {
        vec_push(out, depend_many_place(many));
        return;
    }
    for (uint32_t o = sets_next(&set->objects, objects, 0); o != UINT32_MAX;
         o = sets_next(&set->objects, objects, o + 1))
        vec_push(out, (FlowPlace){o, IR_NONE, 0, FLOW_WHOLE});
}

/* What class `k` of a callee is at a call, in this function's terms. Clears and fills out. *exact: nothing
 * else is. */
static void call_places(DependBuild *b, const IrInsn *insn, const Depend *callee, uint32_t k,
                        DepPlaceVec *out, bool *exact)
{
    IrCall call = ir_call_read(b->fn, insn);
    const DepClass *c = &callee->classes.v[k];
    vec_clear(out);
    *exact = c->nroots == 1;
    for (uint32_t i = 0; i < c->nroots; i++) {
        DepRoot root = callee->roots.v[c->root + i];
        if (own_stack(b->set, callee, root.object))
            continue;
        if (depend_is_many(&root))
            push_many(b->set, (uint32_t)root.first, out);
        else if (root.param == IR_NONE)
            vec_push(out, root);
        else if (root.param < call.nargs)
            *exact &= argument_places(b, call.args[root.param], root.first, root.size, out);
    }
    *exact &= out->n == 1;
}

/* ---- which instruction touches what ---------------------------------------------------------- */

static void collect_call(DependBuild *b, const IrInsn *insn, FlowSite at)
{
    DepPlaceVec places = {0};
    bool exact;
    FlowList callees = flow_callees(b->set->flow, at);
    for (uint32_t i = 0; i < callees.n; i++) {
        const Depend *callee = b->set->fns[callees.v[i]];
        if (!depend_opens(b->set, b->d->fn, callees.v[i]))
            continue;
        for (uint32_t k = 0; k < callee->classes.n; k++) {
            call_places(b, insn, callee, k, &places, &exact);
            for (uint32_t p = 0; p < places.n; p++)
                access_add(b, &places.v[p]);
        }
    }
    vec_free(&places);
}

/* What comes to life has no contents yet: the places have no access, but of all that was there before
 * being gone. */
static bool is_birth(const IrInsn *insn) { return insn->op == IR_ALLOCA || insn->op == IR_LIFE; }

static bool is_call(const IrInsn *insn) { return insn->op == IR_CALL || insn->op == IR_CALLPTR; }

static void collect_places(DependBuild *b, const IrInsn *insn, DepPlaces places)
{
    for (uint32_t l = 0; l < DEP_PLACE_LISTS; l++)
        for (uint32_t p = 0; p < places.v[l].n; p++)
            if (!is_birth(insn) || depend_is_state(b->set, &places.v[l].v[p]))
                access_add(b, &places.v[l].v[p]);
}

static bool collect(DependBuild *b)
{
    for (uint32_t block = 0; block < b->fn->blocks.n; block++) {
        if (b->control->flags[block] & FLOW_UNREACHABLE)
            continue;
        const IrBlock *bl = &b->fn->blocks.v[block];
        for (uint32_t i = 0; i < bl->insns.n; i++) {
            const IrInsn *insn = &bl->insns.v[i];
            FlowSite at = {b->d->fn, block, i};
            if (is_call(insn) && !depend_is_collapsed(b->set, at))
                collect_call(b, insn, at);
            if (is_call(insn) ? depend_is_collapsed_in_part(b->set, at) : ir_op_has_flag(insn->op, 'M')) {
                collect_places(b, insn, depend_places(b->set, at, false));
                collect_places(b, insn, depend_places(b->set, at, true));
            }
            if (b->finder->claims >= MAX_CLAIMS || b->finder->roots.n >= MAX_ROOTS)
                return false;
        }
    }
    return true;
}

/* ---- many objects ---------------------------------------------------------------------------- */

/* Sets that share an object are one group; returns for each group the union, by its first set. */
static uint32_t *group_many(DependBuild *b)
{
    ClassFinder *f = b->finder;
    Sets *sets = &b->set->objects;
    uint32_t *all = mem_zalloc((f->manies.n + 1) * sizeof *all);
    U32Vec firsts = {0};
    for (uint32_t i = 0; i < f->manies.n; i++) {
        uint32_t n = 0;
        all[i] = b->set->many.v[f->manies.v[i].many].objects;
        for (uint32_t g = 0; g < firsts.n; g++) {
            uint32_t first = firsts.v[g];
            if (!sets_meets(sets, all[first], all[i])) {
                firsts.v[n++] = first;
                continue;
            }
            all[i] = sets_union(sets, all[i], all[first]);
            for (uint32_t k = 0; k < i; k++)
                if (f->manies.v[k].group == first)
                    f->manies.v[k].group = i;
        }
        firsts.n = n;
        vec_push(&firsts, i);
        b->set->steps += n + 1;
    }
    vec_free(&firsts);
    return all;
}

/* Objects that a parameter may point to have roots of their own, if something else touches them. */
static void name_claimed(DependBuild *b, const uint32_t *all)
{
    ClassFinder *f = b->finder;
    for (uint32_t i = 0; i < f->claimed.n; i++) {
        FlowPlace place = {f->claimed.v[i], IR_NONE, 0, FLOW_WHOLE};
        bool inside = false;
        for (uint32_t m = 0; m < f->manies.n && !inside && place.object > 1; m++)
            inside = f->manies.v[m].group == m && sets_has(&b->set->objects, all[m], place.object);
        if (inside)
            root_get(b, &place);
    }
}

/* The objects that have roots of their own, as a set; the bytes of each that each set of many means are
 * accesses. */
static uint32_t part_many(DependBuild *b)
{
    ClassFinder *f = b->finder;
    DependSet *set = b->set;
    U32Vec known = {0};
    for (uint32_t r = 0; r < f->roots.n; r++)
        if (f->roots.v[r].object != IR_NONE)
            vec_push(&known, f->roots.v[r].object);
    for (uint32_t m = 0; m < f->manies.n; m++) {
        ManyUse *use = &f->manies.v[m];
        for (uint32_t i = 0; i < known.n; i++)
            if (sets_has(&set->objects, set->many.v[use->many].objects, known.v[i]))
                depend_many_part(set, use->many, known.v[i], &use->parts);
        for (uint32_t i = 0; i < use->parts.n; i++)
            access_add(b, &use->parts.v[i]);
        set->steps += known.n;
    }
    flow_sort_unique(&known);
    uint32_t all = sets_from(&set->objects, known.v, known.n);
    vec_free(&known);
    return all;
}

static void name_rest(DependBuild *b, const uint32_t *all, uint32_t known)
{
    ClassFinder *f = b->finder;
    for (uint32_t m = 0; m < f->manies.n; m++) {
        DepMany many = b->set->many.v[f->manies.v[m].many];
        many.objects = f->manies.v[m].group == m ? sets_without(&b->set->objects, all[m], known) : 0;
        many.places = 0;
        if (!many.objects)
            continue;
        vec_push(&f->roots, (Root){.object = IR_NONE,
                                   .param = IR_NONE,
                                   .many = depend_many(b->set, many),
                                   .up = f->roots.n,
                                   .members = 1,
                                   .whole = true});
        for (uint32_t k = 0; k < f->manies.n; k++)
            if (f->manies.v[k].group == m)
                f->manies.v[k].rest = f->roots.n - 1;
    }
}

/* An access to a group touches each of its objects that has a name: if these are too many they are one. */
static void unite_named(DependBuild *b)
{
    ClassFinder *f = b->finder;
    for (uint32_t m = 0; m < f->manies.n; m++) {
        ManyUse *use = &f->manies.v[m];
        if (use->parts.n <= MAX_APART)
            continue;
        uint32_t first = use->rest != IR_NONE ? use->rest : *root_slot(b, &use->parts.v[0]);
        for (uint32_t i = 0; i < use->parts.n; i++)
            unite(f, first, *root_slot(b, &use->parts.v[i]));
        use->parts.n = 0;
        use->rest = first;
    }
}

/* A parameter that may point to many objects is one with all that may be among them. */
static void unite_wide(DependBuild *b)
{
    ClassFinder *f = b->finder;
    Sets *sets = &b->set->objects;
    for (uint32_t w = 0; w < f->wide.n; w++) {
        WideParam p = f->wide.v[w];
        for (uint32_t r = 0; r < f->roots.n; r++) {
            const Root *root = &f->roots.v[r];
            if (root->many != IR_NONE ? sets_meets(sets, b->set->many.v[root->many].objects, p.objects)
                                      : root->object != IR_NONE && sets_has(sets, p.objects, root->object))
                unite(f, p.root, r);
        }
        for (uint32_t k = 0; k < w; k++)
            if (sets_meets(sets, f->wide.v[k].objects, p.objects))
                unite(f, p.root, f->wide.v[k].root);
        for (uint32_t i = 0; i < f->claimed.n; i++)
            if (f->claimed.v[i] > 1 && sets_has(sets, p.objects, f->claimed.v[i]))
                unite(f, p.root, of_object(b, f->claimed.v[i])->claimed);
        b->set->steps += f->roots.n + f->claimed.n;
    }
}

static void close_many(DependBuild *b)
{
    if (b->finder->manies.n) {
        uint32_t *all = group_many(b);
        name_claimed(b, all);
        name_rest(b, all, part_many(b));
        unite_named(b);
        mem_free(all);
    }
    unite_wide(b);
}

/* ANY means each object's contents, or each state. */
static void unite_any(DependBuild *b)
{
    ClassFinder *f = b->finder;
    for (uint32_t r = 0; r < f->roots.n; r++) {
        const Root *root = &f->roots.v[r];
        bool state = root->many != IR_NONE ? b->set->many.v[root->many].state
                                           : root->param == IR_NONE && flow_is_state(root->object);
        uint32_t any = f->any[state];
        if (any != IR_NONE)
            unite(f, any, r);
    }
}

static int compare_intervals(const void *a, const void *b)
{
    const Interval *x = a, *y = b;
    return x->first != y->first ? (x->first < y->first ? -1 : 1) : 0;
}

static bool is_unique(DependBuild *b, const Root *r)
{
    if (r->param != IR_NONE || r->many != IR_NONE)
        return r->many == IR_NONE;
    const FlowObject *o = flow_object(b->set->flow, r->object);
    if (o->kind == FLOW_GLOBAL)
        return true;
    if (o->kind != FLOW_STACK || b->set->recursive[o->at.fn])
        return false;
    return b->set->program->fns.v[o->at.fn].blocks.v[o->at.block].insns.v[o->at.insn].flags & IR_FIXED;
}

static DepRoot root_place(const Root *r, uint64_t first, uint64_t size)
{
    return r->many != IR_NONE ? depend_many_place(r->many) : (DepRoot){r->object, r->param, first, size};
}

static void add_class(DependBuild *b, Root *r, uint64_t first, uint64_t size)
{
    Depend *d = b->d;
    vec_push(&d->roots, root_place(r, first, size));
    vec_push(&d->classes, (DepClass){d->roots.n - 1, 1, is_unique(b, r)});
    vec_push(&b->finder->spans, (Interval){first, size == FLOW_WHOLE ? FLOW_WHOLE : first + size});
    r->nclasses++;
}

static void split_root(DependBuild *b, Root *r)
{
    r->first_class = b->d->classes.n;
    r->nclasses = 0;
    if (r->whole || !r->parts.n) {
        add_class(b, r, 0, FLOW_WHOLE);
        return;
    }
    qsort(r->parts.v, r->parts.n, sizeof *r->parts.v, compare_intervals);
    Interval open = r->parts.v[0];
    for (uint32_t i = 1; i < r->parts.n; i++) {
        Interval next = r->parts.v[i];
        if (next.first >= open.end) {
            add_class(b, r, open.first, open.end - open.first);
            open = next;
        } else if (next.end > open.end) {
            open.end = next.end;
        }
    }
    add_class(b, r, open.first, open.end - open.first);
}

static void make_classes(DependBuild *b)
{
    ClassFinder *f = b->finder;
    Depend *d = b->d;
    uint32_t *head = mem_alloc((f->roots.n + 1) * sizeof *head),
             *next = mem_alloc((f->roots.n + 1) * sizeof *next);
    for (uint32_t r = 0; r < f->roots.n; r++)
        head[r] = next[r] = IR_NONE;
    for (uint32_t r = f->roots.n; r-- > 0;) {
        uint32_t top = find(f, r);
        next[r] = head[top];
        head[top] = r;
    }
    for (uint32_t r = 0; r < f->roots.n; r++) {
        if (head[r] == IR_NONE)
            continue;
        if (f->roots.v[r].members == 1) {
            split_root(b, &f->roots.v[r]);
            continue;
        }
        uint32_t start = d->roots.n;
        for (uint32_t m = head[r]; m != IR_NONE; m = next[m])
            vec_push(&d->roots, root_place(&f->roots.v[m], 0, FLOW_WHOLE));
        f->roots.v[r].first_class = d->classes.n;
        f->roots.v[r].nclasses = 1;
        vec_push(&d->classes, (DepClass){start, d->roots.n - start, false});
        vec_push(&f->spans, (Interval){0, FLOW_WHOLE});
    }
    mem_free(head);
    mem_free(next);
}

static void add_classes_of(DependBuild *b, uint32_t root, const FlowPlace *place, U32Vec *out)
{
    ClassFinder *f = b->finder;
    if (root == IR_NONE)
        return;
    const Root *r = &f->roots.v[find(f, root)];
    for (uint32_t i = 0; i < r->nclasses; i++) {
        Interval span = f->spans.v[r->first_class + i];
        if (place->size == FLOW_WHOLE || span.end == FLOW_WHOLE ||
            (span.first < place->first + place->size && place->first < span.end)) {
            uint32_t c = f->joined ? f->joined[r->first_class + i] : r->first_class + i;
            if (!out->n || vec_last(out) != c)
                vec_push(out, c);
        }
    }
}

static void add_classes(DependBuild *b, const FlowPlace *place, U32Vec *out)
{
    if (!depend_is_many(place)) {
        add_classes_of(b, *root_slot(b, place), place, out);
        return;
    }
    uint64_t at;
    if (!map_get(&b->finder->many_at, place->first, &at))
        return; /* contents of what comes to life: no access */
    const ManyUse *use = &b->finder->manies.v[at];
    add_classes_of(b, use->rest, place, out);
    for (uint32_t i = 0; i < use->parts.n; i++)
        add_classes_of(b, *root_slot(b, &use->parts.v[i]), &use->parts.v[i], out);
}

/* Classes that a place of this function touches. Clears and fills out. */
static void classes_of(DependBuild *b, const FlowPlace *place, U32Vec *out)
{
    vec_clear(out);
    add_classes(b, place, out);
}

void depend_call_classes(DependBuild *b, const IrInsn *insn, const Depend *callee, uint32_t k, U32Vec *out)
{
    DepPlaceVec places = {0};
    bool exact;
    vec_clear(out);
    call_places(b, insn, callee, k, &places, &exact);
    for (uint32_t p = 0; p < places.n; p++)
        add_classes(b, &places.v[p], out);
    flow_sort_unique(out);
    vec_free(&places);
}

/* Does writing the place leave nothing of what the class held? */
static bool covers(DependBuild *b, uint32_t class_id, const FlowPlace *place)
{
    const DepClass *c = &b->d->classes.v[class_id];
    const DepRoot *root = &b->d->roots.v[c->root];
    if (!c->unique || c->nroots != 1)
        return false;
    if (root->size == FLOW_WHOLE && root->object != IR_NONE &&
        place->size == flow_object(b->set->flow, root->object)->size)
        return place->first == 0;
    return root->size == place->size && root->first == place->first;
}

/* Once for each instruction, whose touches begin at `from`. */
static void touch(DependBuild *b, uint32_t from, uint32_t class_id, bool write, bool strong)
{
    uint32_t *at = &b->finder->touched[2 * class_id + write];
    if (*at >= from && *at < b->touches.n && b->touches.v[*at].class_id == class_id &&
        b->touches.v[*at].write == write) {
        b->touches.v[*at].strong &= strong;
        return;
    }
    *at = b->touches.n;
    vec_push(&b->touches, (MemTouch){class_id, write, strong});
}

static void touch_place(DependBuild *b, uint32_t from, const FlowPlace *place, bool write, bool strong,
                        U32Vec *classes)
{
    bool state = depend_is_state(b->set, place);
    classes_of(b, place, classes);
    b->set->steps += classes->n;
    for (uint32_t c = 0; c < classes->n; c++)
        touch(b, from, classes->v[c], write,
              strong && !state && place->size != FLOW_WHOLE && covers(b, classes->v[c], place));
}

static void touch_places(DependBuild *b, uint32_t from, DepPlaces places, bool write, bool strong,
                         U32Vec *classes)
{
    uint32_t contents = 0;
    for (uint32_t l = 0; l < DEP_PLACE_LISTS; l++)
        for (uint32_t p = 0; p < places.v[l].n; p++)
            contents += !depend_is_state(b->set, &places.v[l].v[p]);
    for (uint32_t l = 0; l < DEP_PLACE_LISTS; l++)
        for (uint32_t p = 0; p < places.v[l].n; p++)
            touch_place(b, from, &places.v[l].v[p], write, strong && contents == 1, classes);
}

/* Both a read and a write of what the callee touches: whether it does is for its summary to say. */
static void touch_call(DependBuild *b, uint32_t from, const IrInsn *insn, FlowSite at, U32Vec *classes)
{
    DepPlaceVec places = {0};
    FlowList callees = flow_callees(b->set->flow, at);
    for (uint32_t i = 0; i < callees.n; i++) {
        const Depend *callee = b->set->fns[callees.v[i]];
        if (!depend_opens(b->set, b->d->fn, callees.v[i]))
            continue;
        for (uint32_t x = 0; x < callee->outs.n; x++) {
            bool exact;
            if (callee->outs.v[x].kind != DOOR_CLASS)
                continue;
            call_places(b, insn, callee, callee->outs.v[x].what, &places, &exact);
            for (uint32_t p = 0; p < places.n; p++) {
                classes_of(b, &places.v[p], classes);
                for (uint32_t c = 0; c < classes->n; c++)
                    touch(b, from, classes->v[c], true,
                          exact && callees.n == 1 && covers(b, classes->v[c], &places.v[p]));
            }
        }
    }
    vec_free(&places);
}

/* The one object that comes to life here loses its contents. */
static void clear_contents(DependBuild *b, uint32_t from)
{
    for (uint32_t t = from; t < b->touches.n; t++) {
        const DepClass *c = &b->d->classes.v[b->touches.v[t].class_id];
        b->touches.v[t].strong |=
            c->unique && c->nroots == 1 && !flow_is_state(b->d->roots.v[c->root].object);
    }
}

static bool writes_exactly(const IrFn *fn, const IrInsn *insn)
{
    if (insn->op == IR_STORE)
        return true;
    const IrConst *n = insn->op == IR_MEMCPY || insn->op == IR_MEMMOVE || insn->op == IR_MEMSET
                           ? ir_reg_const_of(fn, insn->c)
                           : NULL;
    return n && n->kind == IR_CONST_INT;
}

static void find_touches(DependBuild *b)
{
    U32Vec classes = {0};
    for (uint32_t block = 0; block < b->fn->blocks.n; block++) {
        const IrBlock *bl = &b->fn->blocks.v[block];
        for (uint32_t i = 0; i < bl->insns.n; i++) {
            const IrInsn *insn = &bl->insns.v[i];
            FlowSite at = {b->d->fn, block, i};
            uint32_t from = b->touches.n;
            b->touch_first[b->ordinal[block] + i] = from;
            if (b->control->flags[block] & FLOW_UNREACHABLE)
                continue;
            if (is_call(insn) && !depend_is_collapsed(b->set, at))
                touch_call(b, from, insn, at, &classes);
            if (is_call(insn) ? depend_is_collapsed_in_part(b->set, at) : ir_op_has_flag(insn->op, 'M')) {
                touch_places(b, from, depend_places(b->set, at, false), false, false, &classes);
                touch_places(b, from, depend_places(b->set, at, true), true, writes_exactly(b->fn, insn),
                             &classes);
                if (is_birth(insn))
                    clear_contents(b, from);
            }
        }
    }
    b->touch_first[b->ordinal[b->fn->blocks.n]] = b->touches.n;
    vec_free(&classes);
}

/* ---- joining --------------------------------------------------------------------------------- */

/* What touches a class, as a number; 0 if something else than calls writes it. Contents, state and streams
 * stay apart. */
static uint64_t *signatures(DependBuild *b)
{
    Depend *d = b->d;
    uint64_t *signature = mem_alloc((d->classes.n + 1) * sizeof *signature);
    for (uint32_t c = 0; c < d->classes.n; c++) {
        DepRoot root = d->roots.v[d->classes.v[c].root];
        signature[c] = 1 + depend_is_state(b->set, &root) + 2 * depend_is_stream(b->set, &root) +
                       4 * own_stack(b->set, d, root.object);
        if (root.param != IR_NONE)
            signature[c] = 0;
    }
    for (uint32_t block = 0; block < b->fn->blocks.n; block++)
        for (uint32_t i = 0; i < b->fn->blocks.v[block].insns.n; i++) {
            uint32_t ordinal = b->ordinal[block] + i;
            bool call = is_call(&b->fn->blocks.v[block].insns.v[i]);
            for (uint32_t t = b->touch_first[ordinal]; t < b->touch_first[ordinal + 1]; t++) {
                uint64_t *s = &signature[b->touches.v[t].class_id];
                *s = (call || !b->touches.v[t].write) && *s
                         ? hash_mix(*s, 2 * (uint64_t)ordinal + b->touches.v[t].write) | 1
                         : 0;
            }
        }
    return signature;
}

/* Roots from `first` on are of one class: objects that are many become sets, so that callers need not list
 * them. */
static uint32_t bundle_roots(DependBuild *b, DepPlaceVec *roots, uint32_t first)
{
    DependSet *set = b->set;
    U32Vec objects = {0};
    DepPlaceVec bundles = {0}, others = {0};
    for (uint32_t r = first; r < roots->n; r++) {
        FlowPlace root = roots->v[r];
        uint32_t many = depend_is_many(&root) ? set->many.v[root.first].objects : 0;
        for (uint32_t o = sets_next(&set->objects, many, 0); o != UINT32_MAX;
             o = sets_next(&set->objects, many, o + 1))
            vec_push(&objects, o);
        if (root.object != IR_NONE && depend_may_bundle(set, root.object) &&
            !own_stack(set, b->d, root.object))
            vec_push(&objects, root.object);
        else if (!many)
            vec_push(&others, root);
    }
    depend_bundle(set, &objects, 0, &bundles);
    roots->n = first;
    for (uint32_t i = 0; i < bundles.n; i++)
        vec_push(roots, bundles.v[i]);
    for (uint32_t i = 0; i < others.n; i++)
        vec_push(roots, others.v[i]);
    vec_free(&objects);
    vec_free(&bundles);
    vec_free(&others);
    return roots->n - first;
}

/* Numbers the classes anew and writes their roots one behind the other. */
static void renumber(DependBuild *b, uint32_t *joined, uint32_t n)
{
    Depend *d = b->d;
    DepPlaceVec roots = {0};
    Vec(DepClass) classes = {0};
    uint32_t *head = mem_alloc((n + 1) * sizeof *head), *next = mem_alloc((d->classes.n + 1) * sizeof *next);
    for (uint32_t k = 0; k < n; k++)
        head[k] = IR_NONE;
    for (uint32_t c = d->classes.n; c-- > 0;) {
        next[c] = head[joined[c]];
        head[joined[c]] = c;
    }
    for (uint32_t k = 0; k < n; k++) {
        DepClass made = {roots.n, 0, true};
        for (uint32_t c = head[k]; c != IR_NONE; c = next[c]) {
            made.unique &= d->classes.v[c].unique && !made.nroots;
            for (uint32_t r = 0; r < d->classes.v[c].nroots; r++, made.nroots++)
                vec_push(&roots, d->roots.v[d->classes.v[c].root + r]);
        }
        if (made.nroots > b->set->options.max_listed)
            made.nroots = bundle_roots(b, &roots, made.root);
        vec_push(&classes, made);
    }
    mem_free(head);
    mem_free(next);
    vec_free(&d->roots);
    vec_free(&d->classes);
    d->roots = roots;
    d->classes.v = classes.v, d->classes.n = classes.n, d->classes.cap = classes.cap;
}

static void join_classes(DependBuild *b)
{
    Depend *d = b->d;
    uint64_t *signature = signatures(b);
    uint32_t *joined = mem_alloc((d->classes.n + 1) * sizeof *joined), n = 0;
    Map by_signature = {0};
    for (uint32_t c = 0; c < d->classes.n; c++) {
        uint64_t first = n;
        if (!signature[c] || !map_get(&by_signature, signature[c], &first)) {
            map_put(&by_signature, signature[c], n);
            n++;
        }
        joined[c] = (uint32_t)first;
    }
    map_free(&by_signature);
    mem_free(signature);
    renumber(b, joined, n);
    b->finder->joined = joined;
}

bool depend_classes(DependBuild *b)
{
    b->finder = mem_zalloc(sizeof *b->finder);
    b->finder->any[0] = b->finder->any[1] = IR_NONE;
    if (!b->set->object_roots)
        b->set->object_roots =
            arena_alloc(b->set->arena, (flow_object_count(b->set->flow) + 2) * sizeof *b->finder->of);
    b->finder->of = b->set->object_roots;
    for (uint32_t p = 0; p < b->fn->nparams; p++)
        vec_push(&b->finder->param_root, IR_NONE);
    if (!collect(b))
        return false;
    close_many(b);
    unite_any(b);
    make_classes(b);
    b->finder->touched = mem_zalloc((2 * (size_t)b->d->classes.n + 2) * sizeof *b->finder->touched);
    find_touches(b);
    join_classes(b);
    vec_clear(&b->touches);
    find_touches(b);
    return true;
}

void depend_classes_free(DependBuild *b)
{
    ClassFinder *f = b->finder;
    if (!f)
        return;
    for (uint32_t r = 0; r < f->roots.n; r++)
        vec_free(&f->roots.v[r].parts);
    for (uint32_t m = 0; m < f->manies.n; m++)
        vec_free(&f->manies.v[m].parts);
    vec_free(&f->manies);
    map_free(&f->many_at);
    vec_free(&f->wide);
    vec_free(&f->claimed);
    vec_free(&f->roots);
    vec_free(&f->param_root);
    vec_free(&f->spans);
    mem_free(f->joined);
    mem_free(f->touched);
    mem_free(f);
}
