/* sym_endless.c - runs that do not end: the state repeats, and nothing was decided in between.
 *
 * Looked for when a run has gone on for long without a decision: at some moment the state is kept, and the
 * machine pauses at every jump for a while. Where it comes to the same place with the same state, it will do
 * so for ever. If it does not, the next moment is twice as far away (Brent), so that the search costs little.
 * What the run has printed does not count, nor do the counters of loops, which are the machine's own. */
#include "vm/files/files.h"
#include "vm/symbolic/sym_int.h"

enum {
    FIRST = 1 << 16,  /* instructions without a decision before the first moment */
    PAUSES = 1 << 12, /* after each */
    COMPARED = 64     /* states after each */
};

static void add(uint64_t *h, uint64_t x) { *h = hash_mix(*h, x); }

/* Registers in which the machine counts iterations. */
static void find_counters(const Vm *vm, const FnCode *fn, Map *out)
{
    uint32_t blocks = fn->loops ? vm->program->fns.v[fn->index].blocks.n : 0;
    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t i = 0; fn->loops[b] && i < fn->loops[b]->n; i++)
            map_put(out, fn->loops[b]->reg[i] / sizeof(Reg), 1);
}

static void add_frame(const Vm *vm, uint64_t *h, const Reg *regs)
{
    const Frame *frame = FRAME(regs);
    const FnCode *fn = frame->fn;
    Map counters = {0};
    find_counters(vm, fn, &counters);
    add(h, (uint64_t)(uintptr_t)fn);
    add(h, (uint64_t)(uintptr_t)frame->call);
    for (uint32_t i = 0; i < (fn->frame_bytes - sizeof(Frame)) / sizeof(Reg); i++)
        if (!map_get(&counters, i, NULL)) {
            add(h, regs[i].word);
            add(h, (uint32_t)regs[i].shadow);
        }
    map_free(&counters);
}

static void add_object(uint64_t *h, const Object *o)
{
    uint64_t one = hash_mix(o->base, o->size << 8 | o->death);
    if (o->payload)
        add(&one, hash_bytes(o->data, o->size));
    for (uint64_t i = 0; o->sym && i < o->size; i++)
        if (sym_cell(o, i))
            add(&one, hash_mix(i, sym_cell(o, i)));
    if (o->sym)
        add(&one, o->sym->array.id);
    add(&one, o->nundef);
    *h += one; /* in any order */
}

static void add_files(uint64_t *h, const VmFiles *f)
{
    for (uint32_t i = 0; i < f->nodes.n; i++) {
        const Node *n = &f->nodes.v[i];
        add(h, n->kind);
        if (n->kind == NODE_OUTPUT)
            continue;
        add(h, n->size ^ n->head << 32);
        add(h, (uint64_t)n->opens << 32 | n->names);
        if (n->data)
            add(h, hash_bytes(n->data, n->size));
    }
    for (uint32_t i = 0; i < f->opens.n; i++) {
        bool output = f->opens.v[i].descriptors && f->nodes.v[f->opens.v[i].node].kind == NODE_OUTPUT;
        add(h, hash_mix(f->opens.v[i].descriptors, output ? 0 : (uint64_t)f->opens.v[i].offset));
    }
    for (uint32_t i = 0; i < f->fds.n; i++) {
        uint32_t open = f->fds.v[i].open;
        bool output = open && f->nodes.v[f->opens.v[open - 1].node].kind == NODE_OUTPUT;
        add(h, open);
        if (f->fds.v[i].pending && !output)
            add(h, f->fds.v[i].pending->stream.text.n);
    }
    add(h, f->random);
    add(h, f->names.entries.n);
}

static uint64_t state_of(const Vm *vm)
{
    uint64_t h = vm->ticks, objects = 0;
    for (const Reg *regs = vm->regs; regs; regs = FRAME(regs)->caller)
        add_frame(vm, &h, regs);
    for (uint32_t i = 0; i < vm->mem.loose.n; i++)
        add_object(&objects, vm->mem.loose.v[i]);
    for (uint32_t i = 0; i < vm->variables.n; i++)
        if (vm->globals[vm->variables.v[i]].slot)
            add_object(&objects, &vm->globals[vm->variables.v[i]]);
    add(&h, objects);
    add_files(&h, vm->files);
    return h;
}

static void look_later(struct SymWatch *w, uint64_t steps, uint64_t wait)
{
    *w = (struct SymWatch){.decisions = w->decisions, .wait = wait, .at = steps + wait};
}

bool vm_sym_is_endless(Vm *vm)
{
    struct SymWatch *w = &vm->sym->watch;
    uint64_t decisions = vm->sym->decided;
    uint64_t steps = vm->granted - (uint64_t)vm->left;
    if (!w->wait || w->decisions != decisions || steps + w->wait < w->at) { /* another run, too */
        w->decisions = decisions;
        look_later(w, steps, FIRST);
    } else if (!w->pauses && steps >= w->at) {
        w->pauses = PAUSES;
        w->pc = vm->pc;
        w->regs = vm->regs;
        w->state = state_of(vm);
    } else if (w->pauses) {
        if (w->pc == vm->pc && w->regs == vm->regs && w->compared++ < COMPARED && w->state == state_of(vm))
            return true;
        if (!--w->pauses)
            look_later(w, steps, w->wait * 2);
    }
    return false;
}

bool vm_sym_is_watched(const Vm *vm) { return vm->sym->watch.pauses != 0; }

bool vm_sym_end_endless(Vm *vm)
{
    vm->sym->trace->endless = !vm->lab; /* what labels say of the end of such a run is not known */
    return vm_end_limit(vm, LEDGER_ENDLESS, "the same state comes again and again");
}
