/* sym_snapshot.c - the state of a run right before a decision, to go on from with another input.
 *
 * Snapshots of a run form a chain: each has the decisions since its parent, and a state (stack of registers,
 * objects with shared payloads, files). To resume, the chain's conditions are evaluated under the new input,
 * those of them that speak of what the input changes; the deepest state before the first that fails is put
 * back, and the words of all that is symbolic are evaluated anew. Under memory pressure states are dropped,
 * least recently used first; decisions stay, so a chain never breaks.
 *
 * An Object's struct that a state refers to is held: it is not reused until no state refers to it any
 * more, since frames, lists and guesses know it by its address. */
#include "vm/files/files.h"
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

enum { BUDGET_LEAST = 1 << 14 }; /* bytes: with less, none is made */

typedef struct SavedFiles {
    uint32_t refs;
    VmFiles *files;
    size_t bytes;
} SavedFiles;

/* The input of a run, which all its snapshots share: what they have decided holds under it. */
typedef struct SavedInput {
    uint32_t refs;
    ExprInput input;
} SavedInput;

typedef struct SavedObject {
    Object *where;
    char copy[sizeof(Object)]; /* payload and sym counted */
} SavedObject;

typedef struct State {
    char *stack;
    size_t stack_size, bytes;
    const Code *pc;
    Reg *regs;
    int64_t left;
    uint64_t granted, frame_serial, ticks, argv, envp;
    const VmEnvironment *environment;
    int argc;
    uint64_t live, peak, stack_live, serial;
    Vec(SavedObject) objects;
    SavedFiles *files;
    LabelSaved *labels; /* NULL: without labels */
    VmKey start;
} State;

struct VmSnapshot {
    uint32_t refs;
    VmSnapshot *parent;        /* counted */
    Vec(VmState) keys;         /* of the decisions */
    Vec(VmDecision) decisions; /* since the parent's; without snapshots of their own */
    Vec(VmAlternative) alternatives;
    Vec(VmInputUse) inputs;
    Vec(VmInputLink) links;
    Vec(VmLoopCount) loops;
    Vec(VmOutput) outputs;
    Vec(VmSink) sinks;
    Vec(Expr) output_bytes;
    LabelLogEnd *log; /* NULL: without labels */
    U32Vec covered;   /* by the run until here: see vm_cover_save */
    Grave *graves;    /* objects that died since the parent, oldest first */
    uint32_t ngraves;
    uint32_t ndecisions, nalternatives, ninputs, nlinks, nloops, noutputs, noutput_bytes, nsinks,
        nlog; /* before it, in all */
    const struct Sym *owner;
    SavedInput *input;
    size_t bytes;                    /* of all that stays when it is emptied */
    State *state;                    /* NULL: emptied */
    VmSnapshot *newer, *older;       /* among those with a state, by use */
    VmSnapshot *child, *next, *last; /* its latest child; its parent's child before it and after it */
};

/* ---- states ---------------------------------------------------------------------------------- */

static void files_drop(SavedFiles *f)
{
    if (f && --f->refs == 0) {
        vm_files_free(f->files);
        mem_free(f);
    }
}

/* The files as they are, copied only if they were touched since the last time. */
static SavedFiles *files_save(Vm *vm, size_t *bytes)
{
    struct Sym *s = vm->sym;
    if (vm->files_touched || !s->files_now) {
        files_drop(s->files_now);
        s->files_now = mem_zalloc(sizeof *s->files_now);
        s->files_now->refs = 1;
        s->files_now->files = sym_files_copy(vm->files, &s->files_now->bytes);
        vm->files_touched = false;
        *bytes += s->files_now->bytes;
    }
    s->files_now->refs++;
    return s->files_now;
}

static void files_restore(Vm *vm, SavedFiles *f)
{
    struct Sym *s = vm->sym;
    size_t bytes;
    if (f != s->files_now || vm->files_touched) {
        vm_files_free(vm->files);
        vm->files = sym_files_copy(f->files, &bytes);
        f->refs++;
        files_drop(s->files_now);
        s->files_now = f;
    }
    vm->files_touched = sym_files_evaluate(vm);
}

static void input_drop(SavedInput *s)
{
    if (s && --s->refs == 0) {
        expr_input_free(&s->input);
        mem_free(s);
    }
}

/* Of the run under way, copied for the first of its snapshots. */
static SavedInput *input_save(struct Sym *s, size_t *bytes)
{
    if (!s->input_now) {
        s->input_now = mem_zalloc(sizeof *s->input_now);
        s->input_now->refs = 1;
        expr_input_copy(&s->input_now->input, s->input);
        *bytes += sizeof *s->input_now + s->input->n;
    }
    s->input_now->refs++;
    return s->input_now;
}

void sym_input_done(struct Sym *s)
{
    input_drop(s->input_now);
    s->input_now = NULL;
}

static void save_object(State *state, Object *o)
{
    SavedObject *saved = &state->objects.v[state->objects.n++];
    if (o->payload && o->payload->refs == 1)
        state->bytes += o->payload->size;
    if (o->payload)
        o->payload->refs++;
    if (o->sym)
        o->sym->refs++;
    label_bytes_hold(o->labels);
    if (!o->pinned)
        o->held++;
    mem_refresh(o); /* a shared payload is not written */
    saved->where = o;
    memcpy(saved->copy, o, sizeof *o);
    if (o->undef) {
        uint8_t *copy = mem_alloc(o->size);
        memcpy(copy, o->undef, o->size);
        memcpy(saved->copy + offsetof(Object, undef), &copy, sizeof copy);
        state->bytes += o->size;
    }
    state->bytes += sizeof *saved;
}

static bool is_changed(const Vm *vm, const Object *o)
{
    return o->payload != vm->images[o->index] || o->sym || o->undef || o->labels || (uint32_t)o->stamp ||
           o->state;
}

static bool is_saved(const Vm *vm, const Object *global) { return global->slot && is_changed(vm, global); }

/* In a list that is as long as it must be: states are most of what a long exploration holds. */
static void save_objects(Vm *vm, State *state)
{
    uint32_t n = vm->mem.loose.n;
    for (uint32_t i = 0; i < vm->variables.n; i++)
        n += is_saved(vm, &vm->globals[vm->variables.v[i]]);
    vec_reserve(&state->objects, n);
    for (uint32_t i = 0; i < vm->mem.loose.n; i++)
        save_object(state, vm->mem.loose.v[i]);
    for (uint32_t i = 0; i < vm->variables.n; i++) {
        Object *o = &vm->globals[vm->variables.v[i]];
        if (is_saved(vm, o))
            save_object(state, o);
    }
}

static State *state_save(Vm *vm)
{
    State *state = mem_zalloc(sizeof *state);
    const FnCode *fn = FRAME(vm->regs)->fn;
    uint32_t need = fn->need > fn->frame_bytes ? fn->need : fn->frame_bytes;
    state->stack_size = (size_t)((char *)vm->regs + need - vm->stack);
    state->stack = mem_alloc(state->stack_size);
    memcpy(state->stack, vm->stack, state->stack_size);
    state->bytes = sizeof *state + state->stack_size;
    state->pc = vm->pc;
    state->regs = vm->regs;
    state->left = vm->left;
    state->granted = vm->granted;
    state->frame_serial = vm->frame_serial;
    state->ticks = vm->ticks;
    state->argv = vm->argv;
    state->envp = vm->envp;
    state->environment = vm->environment;
    state->argc = vm->environment->argc;
    state->live = vm->mem.live;
    state->peak = vm->mem.peak;
    state->stack_live = vm->mem.stack;
    state->serial = vm->mem.serial;
    save_objects(vm, state);
    state->files = files_save(vm, &state->bytes);
    if (vm->sym->keys)
        state->start = sym_key_started(vm);
    if (vm->lab)
        state->labels = label_save(vm, &state->bytes);
    return state;
}

static void state_free(Vm *vm, State *state)
{
    for (uint32_t i = 0; i < state->objects.n; i++) {
        SavedObject *saved = &state->objects.v[i];
        Object copy;
        memcpy(&copy, saved->copy, sizeof copy);
        payload_drop(&vm->mem, copy.payload);
        sym_bytes_drop(copy.sym);
        label_bytes_drop(copy.labels);
        mem_free(copy.undef);
        if (!copy.pinned)
            mem_unhold(&vm->mem, saved->where);
    }
    vec_free(&state->objects);
    label_saved_free(state->labels);
    files_drop(state->files);
    mem_free(state->stack);
    mem_free(state);
}

/* ---- putting a state back -------------------------------------------------------------------- */

static void reset_globals(Vm *vm)
{
    for (uint32_t i = 0; i < vm->variables.n; i++) {
        Object *o = &vm->globals[vm->variables.v[i]];
        Payload *image = vm->images[o->index];
        bool changed = is_changed(vm, o) && image;
        o->stamp = o->state = o->state_seen = 0; /* nothing of the log seen, and nothing written */
        if (!changed)
            continue;
        payload_drop(&vm->mem, o->payload);
        sym_bytes_drop(o->sym);
        label_bytes_drop(o->labels);
        mem_free(o->undef);
        o->sym = NULL;
        o->labels = NULL;
        o->undef = NULL;
        o->nundef = 0;
        o->payload = image;
        o->payload->refs++;
        o->data = o->payload->bytes;
        mem_refresh(o);
    }
}

static void restore_object(Vm *vm, const SavedObject *saved)
{
    Object *o = saved->where;
    uint32_t held = o->held, at = o->at;
    bool there = !o->limbo && o->slot && mem_find(&vm->mem, o->slot) == o;
    uint64_t slot = o->slot;
    if (there) {
        payload_drop(&vm->mem, o->payload);
        sym_bytes_drop(o->sym);
        label_bytes_drop(o->labels);
        mem_free(o->undef);
    }
    memcpy(o, saved->copy, sizeof *o);
    o->held = held;
    o->at = at;
    o->limbo = false;
    if (o->payload)
        o->payload->refs++;
    if (o->sym)
        o->sym->refs++;
    label_bytes_hold(o->labels);
    if (o->undef) {
        uint8_t *copy = mem_alloc(o->size);
        memcpy(copy, o->undef, o->size);
        o->undef = copy;
    }
    if (there && slot != o->slot)
        bug("an object has moved");
    if (!there)
        mem_enter(&vm->mem, o);
    mem_refresh(o);
}

/* Objects that the state does not have go; their structs stay away from others while they are held. */
static void remove_others(Vm *vm, const State *state)
{
    for (uint32_t i = 0; i < state->objects.n; i++)
        state->objects.v[i].where->wanted = true;
    for (uint32_t i = vm->mem.loose.n; i-- > 0;) /* one that takes the place of one removed was seen before */
        if (!vm->mem.loose.v[i]->wanted)
            mem_remove(&vm->mem, vm->mem.loose.v[i]);
    for (uint32_t i = 0; i < state->objects.n; i++)
        state->objects.v[i].where->wanted = false;
}

static void evaluate_registers(Vm *vm)
{
    const ExprPool *p = vm->sym->pool;
    uint32_t count = expr_pool_count(p);
    for (Reg *regs = vm->regs; regs; regs = FRAME(regs)->caller) {
        uint32_t n = (FRAME(regs)->fn->frame_bytes - (uint32_t)sizeof(Frame)) / (uint32_t)sizeof(Reg);
        const FnCode *fn = FRAME(regs)->fn;
        if (regs == vm->regs && fn->need > fn->frame_bytes) /* arguments of the call under way */
            n = fn->need / (uint32_t)sizeof(Reg);
        for (uint32_t i = 0; i < n; i++) {
            Expr e = sym_of(regs[i].shadow);
            /* A register that was not written yet may hold anything: what looks like an expression may be
             * one. */
            if (e.id && e.id < count && expr_width(p, e))
                regs[i].word = (uint64_t)expr_eval(vm->sym->eval, e);
        }
    }
}

static void set_byte(Vm *vm, Object *o, uint64_t at, uint8_t byte)
{
    if (o->data[at] == byte)
        return;
    if (o->payload->refs > 1)
        mem_unshare(&vm->mem, o);
    o->data[at] = byte;
}

/* A byte of an array, without making an expression for it: a resumed run makes the same expressions as any
 * other. */
static uint8_t array_byte(Vm *vm, ExprArray array, uint64_t at)
{
    const ExprPool *p = vm->sym->pool;
    Expr a = expr_of_array(array);
    for (; expr_op(p, a) == EXPR_STORE; a = expr_child(p, a, 0))
        if (expr_eval(vm->sym->eval, expr_child(p, a, 1)) == at)
            return (uint8_t)expr_eval(vm->sym->eval, expr_child(p, a, 2));
    ExprArray base = {a.id};
    if (expr_op(p, a) == EXPR_ARRAY_CONST)
        return expr_array_bytes(p, base)[at];
    if (expr_op(p, a) == EXPR_ARRAY_LIST)
        return (uint8_t)expr_eval(vm->sym->eval, expr_child(p, a, (uint32_t)at));
    return expr_input_byte(vm->sym->input,
                           expr_object_info(p, expr_array_object(p, base))->at + (uint32_t)at);
}

static void evaluate_cell(Vm *vm, Object *o, uint64_t at, uint64_t cell)
{
    set_byte(vm, o, at, (uint8_t)(expr_eval(vm->sym->eval, (Expr){(uint32_t)cell}) >> (8 * (cell >> 32))));
}

static void evaluate_array(Vm *vm, Object *o)
{
    for (uint64_t at = 0; at < o->size; at++) {
        uint64_t cell = sym_cell(o, at);
        if (cell)
            evaluate_cell(vm, o, at, cell);
        else
            set_byte(vm, o, at, array_byte(vm, o->sym->array, at));
    }
}

/* Most bytes of a buffer have no cell: whole pages are passed over, and what is behind the last cell. */
static void evaluate_object(Vm *vm, Object *o)
{
    const SymBytes *s = o->sym;
    if (s->array.id) {
        evaluate_array(vm, o);
        return;
    }
    for (uint32_t i = 0, left = s->count; left; i++)
        for (uint32_t k = 0; s->pages[i] && left && k < SYM_PAGE; k++) {
            uint64_t cell = s->pages[i]->cells[k];
            if (!cell)
                continue;
            evaluate_cell(vm, o, ((uint64_t)i << SYM_PAGE_LOG) + k, cell);
            left--;
        }
}

static void state_restore(Vm *vm, State *state)
{
    vec_clear(&vm->result.stack);
    vm->result = (VmResult){.stack = {vm->result.stack.v, 0, vm->result.stack.cap}};
    vm->ended = false;
    memcpy(vm->stack, state->stack, state->stack_size);
    vm->pc = state->pc;
    vm->regs = state->regs;
    vm->left = state->left;
    vm->granted = state->granted;
    vm->frame_serial = state->frame_serial;
    vm->ticks = state->ticks;
    vm->argv = state->argv;
    vm->envp = state->envp;
    vm->environment = state->environment;
    if (vm->environment == &vm->sym->merged)
        vm->sym->merged.argc = state->argc;
    remove_others(vm, state);
    reset_globals(vm);
    for (uint32_t i = 0; i < state->objects.n; i++)
        restore_object(vm, &state->objects.v[i]);
    vm->mem.live = state->live;
    vm->mem.peak = state->peak;
    vm->mem.stack = state->stack_live;
    vm->mem.serial = state->serial;
    vm->mem.ngraves = 0;
    evaluate_registers(vm);
    for (uint32_t i = 0; i < state->objects.n; i++)
        if (state->objects.v[i].where->sym)
            evaluate_object(vm, state->objects.v[i].where);
    files_restore(vm, state->files);
    if (vm->sym->keys)
        sym_key_restart(vm, state->start);
    if (vm->lab)
        label_restore(vm, state->labels);
}

/* ---- references and memory ------------------------------------------------------------------- */

static void unlink_snapshot(struct Sym *s, VmSnapshot *snapshot)
{
    *(snapshot->older ? &snapshot->older->newer : &s->oldest) = snapshot->newer;
    *(snapshot->newer ? &snapshot->newer->older : &s->newest) = snapshot->older;
    snapshot->older = snapshot->newer = NULL;
}

static void link_newest(struct Sym *s, VmSnapshot *snapshot)
{
    snapshot->older = s->newest;
    *(s->newest ? &s->newest->newer : &s->oldest) = snapshot;
    s->newest = snapshot;
}

static void empty(Vm *vm, VmSnapshot *snapshot)
{
    if (!snapshot->state)
        return;
    if (snapshot->owner != vm->sym)
        bug("a snapshot of another machine");
    unlink_snapshot(vm->sym, snapshot);
    vm->sym->snapshot_bytes -= snapshot->state->bytes;
    state_free(vm, snapshot->state);
    snapshot->state = NULL;
}

VmSnapshot *vm_snapshot_hold(VmSnapshot *s)
{
    if (s)
        s->refs++;
    return s;
}

static void adopt(VmSnapshot *parent, VmSnapshot *child)
{
    child->next = parent->child;
    if (child->next)
        child->next->last = child;
    parent->child = child;
}

static void abandon(VmSnapshot *child)
{
    *(child->last ? &child->last->next : &child->parent->child) = child->next;
    if (child->next)
        child->next->last = child->last;
}

void vm_snapshot_drop(Vm *vm, VmSnapshot *s)
{
    while (s && --s->refs == 0) {
        VmSnapshot *parent = s->parent;
        if (parent)
            abandon(s);
        if (s->state)
            empty(vm, s);
        if (vm->sym == s->owner)
            vm->sym->shell_bytes -= s->bytes;
        vec_free(&s->keys);
        vec_free(&s->decisions);
        vec_free(&s->alternatives);
        vec_free(&s->inputs);
        vec_free(&s->links);
        vec_free(&s->loops);
        vec_free(&s->outputs);
        vec_free(&s->sinks);
        vec_free(&s->output_bytes);
        mem_free(s->log);
        vec_free(&s->covered);
        mem_free(s->graves);
        input_drop(s->input);
        mem_free(s);
        s = parent;
    }
}

size_t vm_snapshot_bytes(const Vm *vm)
{
    return vm->sym ? vm->sym->snapshot_bytes + vm->sym->shell_bytes : 0;
}

void sym_snapshots_free(Vm *vm)
{
    while (vm->sym->oldest)
        empty(vm, vm->sym->oldest);
    vm_snapshot_drop(vm, vm->sym->current);
    for (uint32_t i = 0; i < SYM_RECENT; i++)
        vm_snapshot_drop(vm, vm->sym->recent[i]);
    memset(vm->sym->recent, 0, sizeof vm->sym->recent);
    files_drop(vm->sym->files_now);
    vm->sym->current = NULL;
    vm->sym->files_now = NULL;
}

/* ---- taking one ------------------------------------------------------------------------------ */

/* Nanoseconds, roughly: what was done since the last snapshot, calls and accesses that go the long way among
 * the steps, and what one costs now: with what the last one cost later, since objects that it shared were
 * copied when they were written. The next will cost as much, and a run would else take time by its decisions
 * times the size of its objects. */
static uint64_t work_done(const Vm *vm)
{
    const struct Sym *s = vm->sym;
    return 8 * (vm->granted - (uint64_t)vm->left - s->steps_mark) + 800 * (s->slow - s->slow_mark) +
           s->start_cost;
}

static uint64_t cost(const Vm *vm)
{
    uint64_t stack = (uint64_t)((char *)vm->regs - vm->stack);
    return 2000 + stack / 8 + 60 * (uint64_t)(vm->mem.used - vm->mem.pinned) + vm->mem.ncells / 2 +
           vm->mem.copied / 4 + (vm->files_touched ? 4000 : 0);
}

#define APPEND_REST(to, from, start)                                           \
    do {                                                                       \
        uint32_t start_ = (start), more = (from).n - start_;                   \
        if (more) {                                                            \
            vec_reserve(&(to), (to).n + more);                                 \
            memcpy((to).v + (to).n, (from).v + start_, more * sizeof *(to).v); \
            (to).n += more;                                                    \
        }                                                                      \
    } while (0)

static VmSnapshot *take(Vm *vm)
{
    struct Sym *s = vm->sym;
    const VmTrace *t = s->trace;
    VmSnapshot *snapshot = mem_zalloc(sizeof *snapshot), *parent = s->current;
    snapshot->refs = 1;
    snapshot->owner = s;
    snapshot->parent = vm_snapshot_hold(parent);
    if (parent)
        adopt(parent, snapshot);
    snapshot->ndecisions = t->decisions.n;
    snapshot->nalternatives = t->alternatives.n;
    snapshot->ninputs = t->inputs.n;
    snapshot->nlinks = t->links.n;
    snapshot->nloops = t->loops.n;
    snapshot->noutputs = t->outputs.n;
    snapshot->nsinks = t->sinks.n;
    snapshot->noutput_bytes = t->output_bytes.n;
    snapshot->nlog = vm->lab ? label_log_length(vm) : 0;
    APPEND_REST(snapshot->decisions, t->decisions, parent ? parent->ndecisions : 0);
    if (s->keys)
        APPEND_REST(snapshot->keys, t->keys, parent ? parent->ndecisions : 0);
    APPEND_REST(snapshot->alternatives, t->alternatives, parent ? parent->nalternatives : 0);
    APPEND_REST(snapshot->inputs, t->inputs, parent ? parent->ninputs : 0);
    APPEND_REST(snapshot->links, t->links, parent ? parent->nlinks : 0);
    APPEND_REST(snapshot->loops, t->loops, parent ? parent->nloops : 0);
    APPEND_REST(snapshot->outputs, t->outputs, parent ? parent->noutputs : 0);
    APPEND_REST(snapshot->sinks, t->sinks, parent ? parent->nsinks : 0);
    APPEND_REST(snapshot->output_bytes, t->output_bytes, parent ? parent->noutput_bytes : 0);
    if (vm->lab)
        snapshot->log = label_log_save(vm, parent ? parent->nlog : 0, &snapshot->bytes);
    vm_cover_save(vm, &snapshot->covered);
    uint32_t dead = vm->mem.ngraves - s->graves_mark;
    snapshot->ngraves = dead < GRAVES ? dead : GRAVES;
    snapshot->graves = mem_alloc(snapshot->ngraves * sizeof(Grave) + 1);
    for (uint32_t i = 0; i < snapshot->ngraves; i++)
        snapshot->graves[i] = vm->mem.graves[(vm->mem.ngraves - snapshot->ngraves + i) % GRAVES];
    snapshot->state = state_save(vm);
    snapshot->input = input_save(s, &snapshot->bytes);
    snapshot->bytes += sizeof *snapshot + snapshot->ngraves * sizeof(Grave) +
                       snapshot->decisions.n * sizeof(VmDecision) +
                       snapshot->alternatives.n * sizeof(VmAlternative) +
                       snapshot->loops.n * sizeof(VmLoopCount) + snapshot->outputs.n * sizeof(VmOutput) +
                       snapshot->sinks.n * sizeof(VmSink) + snapshot->output_bytes.n * sizeof(Expr) +
                       snapshot->keys.n * sizeof(VmState) + snapshot->covered.n * sizeof(uint32_t);
    s->shell_bytes += snapshot->bytes;
    s->snapshot_bytes += snapshot->state->bytes;
    link_newest(s, snapshot);
    return snapshot;
}

void sym_snapshot_here(Vm *vm)
{
    struct Sym *s = vm->sym;
    size_t budget = s->options.snapshot_bytes;
    if (budget < BUDGET_LEAST || s->shell_bytes > budget / 2 || s->busy || s->ordinal ||
        work_done(vm) < cost(vm))
        return;
    VmSnapshot *snapshot = take(vm);
    vm_snapshot_drop(vm, s->current);
    s->current = snapshot;
    s->steps_mark = vm->granted - (uint64_t)vm->left;
    vm->mem.copied = 0;
    s->slow_mark = s->slow;
    s->graves_mark = vm->mem.ngraves;
    s->start_cost = 0;
    while (s->snapshot_bytes + s->shell_bytes > budget && s->oldest)
        empty(vm, s->oldest);
}

/* ---- resuming -------------------------------------------------------------------------------- */

/* It has a condition that those before it do not imply. */
static bool says_more(const VmDecision *d) { return !d->forced && !d->entailed; }

/* The symbols of which the run's input has other values than the snapshot's. */
static ExprSet changed_since(Vm *vm, const VmSnapshot *snapshot)
{
    ExprPool *p = vm->sym->pool;
    const ExprInput *now = vm->sym->input, *then = &snapshot->input->input;
    ExprSet changed = EXPR_SET_EMPTY;
    for (uint32_t at = 0; (at = expr_input_differs(now, then, at)) != UINT32_MAX; at++)
        changed = expr_set_union(p, changed, expr_set_of(p, expr_symbol_start(p, at)));
    return changed;
}

/* Requires that those of its parents hold. `changed`: all hold under an input that has the same values for
 * other symbols; NULL: nothing is known. */
static bool holds(const Vm *vm, const VmSnapshot *snapshot, const ExprSet *changed)
{
    const ExprPool *p = vm->sym->pool;
    for (const VmDecision *d = snapshot->decisions.v, *end = d + snapshot->decisions.n; d < end; d++) {
        bool may_fail = says_more(d) && (!changed || expr_set_meets(p, expr_symbols(p, d->holds), *changed));
        if (may_fail && !expr_eval_true(vm->sym->eval, d->holds))
            return false;
    }
    return true;
}

typedef Vec(VmSnapshot *) Chain;

static void chain_of(VmSnapshot *s, Chain *chain)
{
    for (; s; s = s->parent)
        vec_push(chain, s);
}

/* The trace as it was when the snapshot was made; what each decision can be resumed from is known. */
static void refill(Vm *vm, const Chain *chain)
{
    VmTrace *t = vm->sym->trace;
    vec_reserve(&t->decisions, chain->v[0]->ndecisions);
    vec_reserve(&t->alternatives, chain->v[0]->nalternatives);
    for (uint32_t i = chain->n; i-- > 0;) {
        const VmSnapshot *s = chain->v[i];
        VmSnapshot *before = s->parent;
        uint32_t first = t->decisions.n;
        APPEND_REST(t->decisions, s->decisions, 0);
        APPEND_REST(t->keys, s->keys, 0);
        APPEND_REST(t->alternatives, s->alternatives, 0);
        APPEND_REST(t->inputs, s->inputs, 0);
        APPEND_REST(t->links, s->links, 0);
        APPEND_REST(t->loops, s->loops, 0);
        APPEND_REST(t->outputs, s->outputs, 0);
        APPEND_REST(t->sinks, s->sinks, 0);
        APPEND_REST(t->output_bytes, s->output_bytes, 0);
        if (vm->lab)
            label_log_restore(vm, s->log);
        for (uint32_t k = first; k < t->decisions.n; k++) {
            VmDecision *d = &t->decisions.v[k];
            if (!d->forced) /* no run resumes at one without alternatives */
                d->snapshot = vm_snapshot_hold(before);
            if (says_more(d))
                sym_learn_again(vm, d->holds);
            if (vm->sym->keys)
                sym_key_fact(vm, d);
        }
    }
}

static const Grave *older_grave(const void *context, uint64_t slot, uint32_t most)
{
    for (const VmSnapshot *s = context; s && most; s = s->parent)
        for (uint32_t i = s->ngraves; i-- > 0 && most; most--)
            if (s->graves[i].slot == slot)
                return &s->graves[i];
    return NULL;
}

void sym_keep_recent(Vm *vm)
{
    struct Sym *s = vm->sym;
    VmSnapshot **place = &s->recent[s->nrecent++ % SYM_RECENT];
    vm_snapshot_drop(vm, *place);
    *place = vm_snapshot_hold(s->current);
}

/* The last snapshot on the way to this one that agrees with the input, or NULL. */
static VmSnapshot *find_agreeing(Vm *vm, VmSnapshot *last)
{
    Chain chain = {0};
    VmSnapshot *found = NULL;
    chain_of(last, &chain);
    ExprSet changed = last ? changed_since(vm, last) : EXPR_SET_EMPTY;
    for (uint32_t i = chain.n; i-- > 0 && holds(vm, chain.v[i], &changed);)
        found = chain.v[i];
    vec_free(&chain);
    return found;
}

static VmSnapshot *child_agreeing(Vm *vm, const VmSnapshot *parent)
{
    enum { LOOKS = 16 };
    uint32_t looks = 0;
    for (VmSnapshot *s = parent->child; s && looks < LOOKS; s = s->next, looks++)
        if (holds(vm, s, NULL))
            return s;
    return NULL;
}

/* Where another run than the hint's has gone on as this one will. */
static VmSnapshot *find_further(Vm *vm, VmSnapshot *from)
{
    for (VmSnapshot *s = from; s; s = child_agreeing(vm, s))
        from = s;
    return from;
}

static VmSnapshot *find_start(Vm *vm, VmSnapshot *hint)
{
    const struct Sym *s = vm->sym;
    bool revisits = s->options.revisits;
    VmSnapshot *from = find_agreeing(vm, hint || !revisits ? hint : s->recent[(s->nrecent - 1) % SYM_RECENT]);
    if (revisits)
        from = find_further(vm, from);
    while (from && !from->state)
        from = from->parent;
    return from;
}

bool sym_resume(Vm *vm, VmSnapshot *hint)
{
    struct Sym *s = vm->sym;
    VmSnapshot *from = find_start(vm, hint);
    if (!from)
        return false;
    Chain chain = {0};
    chain_of(from, &chain);
    unlink_snapshot(s, from);
    link_newest(s, from);
    refill(vm, &chain);
    vec_free(&chain);
    state_restore(vm, from->state);
    vm_cover_restore(vm, &from->covered);
    s->current = vm_snapshot_hold(from);
    s->steps_mark = vm->granted - (uint64_t)vm->left;
    s->graves_mark = 0;
    vm->mem.older = older_grave;
    vm->mem.older_context = from;
    return true;
}
