/* dependence_state.c - the memory of `dependence`: what it takes, what moves to another pool of expressions
 * or is saved, and its end. Runs that are stored do neither: they only save others. */
#include "explore/dependence.h"
#include "explore/save.h"

void dependence_end(Explore *x)
{
    Dependence *d = dependence_of(x);
    sinks_free(&d->sinks);
    if (d->phase > 1)
        sinks_free(&d->first);
    flips_free(&d->flips);
    run_store_free(&d->runs);
    failure_classes_free(&d->classes);
    vec_free(&d->assumed);
    filed_tasks_free(&d->filed);
    marks_free(&d->failing);
    outcomes_free(&d->outcomes);
    choices_free(&d->choices);
    vec_free(&d->branches);
    mem_free(d);
}

/* The machine begins anew: what is known by its activations is not known any more. */
static void forget_machine(Dependence *d)
{
    run_store_forget(&d->runs);
    flips_forget(&d->flips);
    sinks_forget(&d->sinks);
    if (d->phase > 1)
        sinks_forget(&d->first);
}

void dependence_move(Explore *x, ExprPool *to, ExprImport *import)
{
    Dependence *d = dependence_of(x);
    run_store_move(&d->runs, to);
    failure_classes_move(&d->classes, to, import);
    forget_machine(d);
    d->flips.pool = to;
    choices_move(&d->choices, import);
    x->lane->bytes = dependence_bytes(d);
}

size_t dependence_bytes(const Dependence *d)
{
    size_t marks = shared_marks_bytes(&d->filed.pairs) + shared_marks_bytes(&d->outcomes.taken) +
                   marks_bytes(&d->failing) + marks_bytes(&d->choices.known);
    return run_store_bytes(&d->runs) + failure_classes_bytes(&d->classes) + flips_bytes(&d->flips) + marks +
           d->choices.n * sizeof(Path);
}

/* ---- as bytes -------------------------------------------------------------------------------- */

static void save_outcomes(Saving *s, const Outcomes *o)
{
    save_marks(s, &o->taken.own);
    save_map(s, &o->sought);
    wire_uint(&s->body, o->covered);
    wire_uint(&s->body, o->searched);
    wire_uint(&s->body, o->left);
    wire_uint(&s->body, o->left_by_some);
}

static void save_choices(Saving *s, const Choices *c)
{
    wire_uint(&s->body, c->list.n);
    for (uint32_t i = 0; i < c->list.n; i++) {
        wire_u64(&s->body, c->list.v[i].name);
        save_path(s, c->list.v[i].excluded);
    }
}

/* Adds to what is known. */
static void load_choices(Loading *l, Choices *c)
{
    ExprVec conditions = {0};
    uint32_t n = wire_get_count(&l->in);
    for (uint32_t i = 0; i < n && !l->in.bad; i++) {
        uint64_t name = wire_get_u64(&l->in);
        Path *path = load_path(l);
        path_list(path, &conditions);
        for (uint32_t k = 0; k < conditions.n; k++)
            choice_exclude(c, &l->x->fingerprints, name, conditions.v[k]);
        path_drop(path);
    }
    vec_free(&conditions);
}

static void save_phase(Saving *s, const Dependence *d)
{
    wire_uint(&s->body, d->phase);
    wire_uint(&s->body, d->branches.n);
    for (uint32_t i = 0; i < d->branches.n; i++) {
        wire_uint(&s->body, d->branches.v[i].fn);
        wire_uint(&s->body, d->branches.v[i].block);
        wire_uint(&s->body, d->branches.v[i].insn);
    }
}

void dependence_save(Explore *x, Saving *s)
{
    const Dependence *d = dependence_of(x);
    wire_uint(&s->body, d->faults_done);
    save_phase(s, d);
    save_marks(s, &d->filed.pairs.own);
    save_marks(s, &d->failing);
    save_exprs(s, &d->classes.blocking);
    save_outcomes(s, &d->outcomes);
    save_choices(s, &d->choices);
}

static void load_outcomes(Loading *l, Outcomes *o)
{
    load_marks(l, &o->taken.own);
    load_map(l, &o->sought);
    o->covered = wire_get_u32(&l->in);
    o->searched = wire_get(&l->in);
    o->left = wire_get_below(&l->in, 2);
    o->left_by_some = wire_get_below(&l->in, 2);
}

static void load_branches(Loading *l, BranchSites *out)
{
    const IrProgram *p = l->x->program;
    uint32_t n = wire_get_count(&l->in);
    for (uint32_t i = 0; i < n && !l->in.bad; i++) {
        FlowSite at = {0};
        at.fn = (uint32_t)wire_get_below(&l->in, p->fns.n);
        at.block = l->in.bad ? 0 : (uint32_t)wire_get_below(&l->in, p->fns.v[at.fn].blocks.n);
        at.insn =
            l->in.bad ? 0 : (uint32_t)wire_get_below(&l->in, p->fns.v[at.fn].blocks.v[at.block].insns.n);
        vec_push(out, at);
    }
}

/* False: it is the one that is under way. */
static bool load_phase(Explore *x, Loading *l)
{
    BranchSites branches = {0};
    uint32_t phase = wire_get_u32(&l->in);
    load_branches(l, &branches);
    if (!phase || (phase > 1) != (branches.n > 0))
        wire_refuse(&l->in);
    bool begins = !l->in.bad && phase > dependence_of(x)->phase;
    if (begins)
        dependence_begin_phase(x, phase, branches);
    else
        vec_free(&branches);
    return begins;
}

void dependence_load_state(Explore *x, Loading *l)
{
    Dependence *d = dependence_of(x);
    ExprVec classes = {0};
    d->faults_done = wire_get_below(&l->in, 2);
    load_phase(x, l);
    load_marks(l, &d->filed.pairs.own);
    load_marks(l, &d->failing);
    load_conditions(l, &classes);
    for (uint32_t i = 0; i < classes.n; i++)
        failure_class_add(&d->classes, x->pool, classes.v[i]);
    vec_free(&classes);
    load_outcomes(l, &d->outcomes);
    load_choices(l, &d->choices);
    x->lane->bytes = dependence_bytes(d);
}

/* ---- several processes ----------------------------------------------------------------------- */

bool dependence_share(Explore *x)
{
    Dependence *d = dependence_of(x);
    forget_machine(d); /* each process has one of its own */
    d->told_classes = d->classes.blocking.n;
    d->told_values = d->choices.n;
    if (!shared_marks_share(&d->filed.pairs))
        return false;
    if (shared_marks_share(&d->outcomes.taken))
        return true;
    shared_marks_end(&d->filed.pairs);
    return false;
}

void dependence_keep(Explore *x)
{
    shared_marks_keep(&dependence_of(x)->filed.pairs);
    shared_marks_keep(&dependence_of(x)->outcomes.taken);
}

void dependence_unshare(Explore *x)
{
    Dependence *d = dependence_of(x);
    forget_machine(d);
    shared_marks_end(&d->filed.pairs);
    shared_marks_end(&d->outcomes.taken);
}

/* Values are few beside all else: those of all choices are told, if there is a new one. */
void dependence_tell(Explore *x, Saving *s)
{
    static const Choices none;
    Dependence *d = dependence_of(x);
    ExprVec classes = {0};
    for (; d->told_classes < d->classes.blocking.n; d->told_classes++)
        vec_push(&classes, d->classes.blocking.v[d->told_classes]);
    save_phase(s, d);
    wire_uint(&s->body, d->outcomes.searched);
    wire_uint(&s->body, x->lane->prunes);
    wire_uint(&s->body, d->outcomes.left_by_some);
    save_map(s, &d->outcomes.sought);
    save_exprs(s, &classes);
    save_choices(s, d->choices.n > d->told_values ? &d->choices : &none);
    d->told_values = d->choices.n;
    vec_free(&classes);
}

void dependence_hear(Explore *x, Loading *l)
{
    Dependence *d = dependence_of(x);
    ExprVec classes = {0};
    bool begins = load_phase(x, l);
    uint64_t searched = wire_get(&l->in);
    d->outcomes.searched = searched > d->outcomes.searched ? searched : d->outcomes.searched;
    x->lane->prunes |= wire_get_below(&l->in, 2);
    d->outcomes.left_by_some |= wire_get_below(&l->in, 2);
    load_map(l, &d->outcomes.sought);
    load_conditions(l, &classes);
    for (uint32_t i = 0; i < classes.n; i++)
        failure_class_add(&d->classes, x->pool, classes.v[i]);
    load_choices(l, &d->choices);
    if (begins && !l->in.bad)
        dependence_expand_stored(x);
    x->lane->bytes = dependence_bytes(d);
    vec_free(&classes);
}
