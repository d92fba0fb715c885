/* sym_run.c - symbolic mode switched on, and a run of one input from the entry to an ending. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

static void trace_drop(VmTrace *trace)
{
    vec_free(&trace->decisions);
    vec_free(&trace->keys);
    vec_free(&trace->alternatives);
    vec_free(&trace->inputs);
    vec_free(&trace->links);
    vec_free(&trace->loops);
    vec_free(&trace->outputs);
    vec_free(&trace->sinks);
    vec_free(&trace->output_bytes);
    vec_free(&trace->uninitialised);
    vec_free(&trace->visits);
    vec_free(&trace->result.stack);
    mem_free(trace);
}

/* The next run's trace takes the room of one that was freed, if it is no more than usual. */
static bool keep_room(Vm *vm, VmTrace *t)
{
    enum { MOST = 4096 };
    if (!vm->sym || vm->sym->spare || t->decisions.cap > MOST || t->keys.cap > MOST ||
        t->alternatives.cap > MOST || t->inputs.cap > MOST || t->links.cap > MOST || t->loops.cap > MOST ||
        t->outputs.cap > MOST || t->output_bytes.cap > MOST || t->sinks.cap > MOST || t->visits.cap > MOST)
        return false;
    vec_free(&t->result.stack);
    vec_free(&t->uninitialised);
    vm->sym->spare = t;
    return true;
}

#define KEEP(vector) (t->vector = kept.vector, vec_clear(&t->vector))
static VmTrace *trace_new(struct Sym *s)
{
    if (!s->spare)
        return mem_zalloc(sizeof(VmTrace));
    VmTrace *t = s->spare, kept = *t;
    s->spare = NULL;
    memset(t, 0, sizeof *t);
    KEEP(decisions);
    KEEP(keys);
    KEEP(alternatives);
    KEEP(inputs);
    KEEP(visits);
    KEEP(links);
    KEEP(loops);
    KEEP(outputs);
    KEEP(sinks);
    KEEP(output_bytes);
    return t;
}
#undef KEEP

void vm_symbolic(Vm *vm, ExprPool *pool, Ledger *ledger, const VmEnvironment *environment,
                 const VmSymbolicOptions *options)
{
    bool first = !vm->sym;
    if (!first)
        vm_sym_free(vm);
    vm->sym = mem_zalloc(sizeof *vm->sym);
    *vm->sym = (struct Sym){.pool = pool,
                            .ledger = ledger,
                            .environment = environment,
                            .options = *options,
                            .eval = expr_eval_new(pool)};
    if (vm->options.external == VM_EXTERNAL_ALL) /* what functions of the host keep is in no snapshot */
        vm->sym->options.snapshot_bytes = 0;
    sym_entry_find(vm);
    for (uint32_t i = 0; i < vm->program->fns.n; i++)
        vm->fns[i].abstract = NULL;
    for (uint32_t i = 0; i < options->nabstract; i++)
        vm->fns[options->abstract[i].fn].abstract = &options->abstract[i];
    if (!vm->keep)
        vm->keep = arena_new();
    if (options->labels)
        label_new(vm);
    if (options->keys)
        sym_keys_new(vm);
    if (first || vm->lab || vm->labels == vm_step_labels(NULL))
        vm_use_shadows(vm);
    mem_reset(&vm->mem); /* cells of the last run refer to the old pool */
}

void vm_sym_free(Vm *vm)
{
    struct Sym *s = vm->sym;
    if (!s)
        return;
    sym_snapshots_free(vm);
    sym_keys_free(vm);
    label_free(vm);
    if (s->spare)
        trace_drop(s->spare);
    expr_eval_free(s->eval);
    vec_free(&s->alternatives);
    vec_free(&s->known);
    map_free(&s->equal);
    map_free(&s->tries);
    map_free(&s->extent_of);
    vec_free(&s->extents);
    map_free(&s->units);
    map_free(&s->untried);
    map_free(&s->ctypes);
    vec_free(&s->shapes);
    map_free(&s->bounds);
    map_free(&s->shape_of);
    map_free(&s->shape_behind);
    map_free(&s->numbers);
    strmap_free(&s->contexts);
    vec_free(&s->variables);
    map_free(&s->tables);
    vec_free(&s->ranges);
    mem_free(s->stdin_bytes);
    mem_free(s->stdin_syms);
    mem_free(s);
    vm->sym = NULL;
}

static uint32_t as_before(uint32_t n)
{
    enum { MOST = 1024 };
    return n + n / 4 < MOST ? n + n / 4 : MOST;
}

static void begin(Vm *vm, const ExprInput *input)
{
    struct Sym *s = vm->sym;
    s->trace = trace_new(s);
    vec_reserve(&s->trace->decisions, as_before(s->last.decisions));
    vec_reserve(&s->trace->alternatives, as_before(s->last.alternatives));
    vec_reserve(&s->trace->loops, as_before(s->last.loops));
    vec_reserve(&s->trace->outputs, as_before(s->last.outputs));
    vec_reserve(&s->trace->output_bytes, as_before(s->last.output_bytes));
    vec_reserve(&s->trace->sinks, as_before(s->last.sinks));
    s->input = input;
    expr_eval_input(s->eval, input);
    s->run_epoch = sym_next_epoch(s);
    s->last_pc = NULL;
    s->slow_mark = s->slow;
    s->start_cost = 0;
    vm->mem.copied = 0;
    s->counted = false;
    map_clear(&s->equal);
    s->fixed = s->path_fixed = EXPR_SET_EMPTY;
    vec_clear(&s->alternatives);
    if (s->keys)
        sym_key_begin(vm);
    if (vm->lab)
        label_reset(vm);
}

/* What the machine owns until its next run becomes the trace's. */
static void finish(Vm *vm)
{
    VmTrace *t = vm->sym->trace;
    sym_lazy_finish(vm);
    t->result = vm->result;
    if (vm->result.ending == VM_END_RETURN) /* at HALT, whose operand is the status */
        t->status = sym_of(REG(vm->regs, vm->pc->a)->shadow);
    if (vm->lab)
        label_finish(vm);
    memset(&t->result.stack, 0, sizeof t->result.stack);
    for (uint32_t i = 0; i < vm->result.stack.n; i++)
        vec_push(&t->result.stack, vm->result.stack.v[i]);
}

Ledger *sym_ledger(const Vm *vm) { return vm->sym->ledger; }
void sym_ending(Vm *vm, VmLabel l) { vm->sym->trace->ending = l; }

VmTrace *vm_run_input(Vm *vm, const ExprInput *input, VmSnapshot *resume)
{
    enum { START_COST = 50000 }; /* of a run from the entry, before its first instruction: nanoseconds */
    struct Sym *s = vm->sym;
    begin(vm, input);
    vm_cover_begin(vm);
    bool resumed = sym_resume(vm, resume);
    if (!resumed) {
        s->busy++;
        if (s->keys)
            sym_key_start(vm, true);
        sym_begin(vm);
        if (s->keys)
            sym_key_start(vm, false);
        s->busy--;
        s->steps_mark = 0;
        s->graves_mark = 0;
        s->start_cost = START_COST;
        vm->files_touched = true;
    }
    uint64_t before = vm->granted - (uint64_t)vm->left;
    s->patience_end = s->patience ? s->trace->alternatives.n + s->patience : 0;
    if (vm->lab)
        vm_step_labels(vm);
    else
        vm_step_shadow(vm);
    vm_files_flush(vm->files);
    vm->files_touched = true;
    finish(vm);
    sym_places_note(vm);
    vm_cover_end(vm);
    VmTrace *trace = s->trace;
    trace->own_steps = trace->result.steps - before;
    trace->resumed = resumed;
    s->last = (struct SymLengths){trace->decisions.n, trace->alternatives.n, trace->loops.n,
                                  trace->outputs.n,   trace->output_bytes.n, trace->sinks.n};
    if (s->options.revisits)
        sym_keep_recent(vm);
    vm_snapshot_drop(vm, s->current);
    sym_input_done(s);
    s->current = NULL;
    s->trace = NULL;
    s->input = NULL;
    return trace;
}

void vm_patience(Vm *vm, uint32_t alternatives) { vm->sym->patience = alternatives; }

void vm_trace_free(Vm *vm, VmTrace *trace)
{
    if (!trace)
        return;
    for (uint32_t i = 0; i < trace->decisions.n; i++)
        if (trace->decisions.v[i].snapshot)
            vm_snapshot_drop(vm, trace->decisions.v[i].snapshot);
    if (!keep_room(vm, trace))
        trace_drop(trace);
}
