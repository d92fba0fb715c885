/* label_trace.c - what a trace says beside its decisions: outputs, the labels of the ending, activations and
 * loops. */
#include "vm/files/files.h"
#include "vm/labels/label_int.h"

/* ---- outputs --------------------------------------------------------------------------------- */

int label_stream_of(Vm *vm, int64_t fd)
{
    const Open *open = files_open_of(vm->files, fd);
    if (!open)
        return 3;
    const Node *node = &vm->files->nodes.v[open->node];
    bool standard = node->kind == NODE_OUTPUT && !node->given;
    return node->kind == NODE_INPUT ? 0 : standard ? 1 + node->output : 3;
}

/* The outermost activation of runtime/ that is not around code of the user's: what he called. */
static uint64_t library_call(const Vm *vm)
{
    uint64_t call = 0;
    for (const Reg *regs = vm->regs; regs; regs = FRAME(regs)->caller) {
        uint32_t fn = FRAME(regs)->fn->index;
        if (fn != IR_NONE && !vm->program->fns.v[fn].runtime)
            break;
        call = FRAME(regs)->serial;
    }
    return call;
}

VmLabel label_descriptors(const Vm *vm)
{
    return vm->lab->renames ? vm->lab->streams[FLOW_FILES] : LABEL_NONE;
}

static void add_output(Vm *vm, const VmOutput *shown)
{
    VmTrace *t = vm->sym->trace;
    vec_push(&t->outputs, *shown);
    VmOutput *out = &vec_last(&t->outputs);
    out->call = library_call(vm);
    out->index = hash_mix(vm_name_here(vm, 7), vm->sym->ordinal);
    out->site = vm_user_site(vm);
    out->label = label_here(vm, label_unite(vm, out->label, label_passing(vm)));
    if (out->stream == 1 || out->stream == 2)
        out->label = label_unite(vm, out->label, label_descriptors(vm));
    vm->sym->ordinal++; /* several of one call */
}

/* As sym_byte_or_const; text that is printed is mostly constant. */
static Expr byte_of(Vm *vm, const Object *o, uint64_t offset)
{
    if (o->sym)
        return sym_byte_or_const(vm, o, offset);
    Expr *constant = &vm->lab->bytes[o->data[offset]];
    if (expr_is_none(*constant))
        *constant = expr_const(vm->sym->pool, 8, o->data[offset]);
    return *constant;
}

void label_output(Vm *vm, VmOutput out, Object *o, uint64_t offset, uint64_t n)
{
    VmTrace *t = vm->sym->trace;
    out.first = t->output_bytes.n;
    out.n = (uint32_t)n;
    vec_reserve(&t->output_bytes, t->output_bytes.n + (uint32_t)n);
    for (uint64_t i = 0; i < n; i++)
        t->output_bytes.v[t->output_bytes.n++] = byte_of(vm, o, offset + i);
    if (n)
        out.label = label_unite(vm, out.label, label_get(vm, o, offset, n));
    add_output(vm, &out);
}

/* ---- activations and loops ------------------------------------------------------------------- */

/* Counters of the loops around a block, outermost first; in the frame's list they stand innermost first. */
static uint32_t counts_of(const Vm *vm, const Reg *regs, uint32_t block, VmLoopCount *out)
{
    const FnCode *fn = FRAME(regs)->fn;
    const IrFn *ir = &vm->program->fns.v[fn->index];
    const RegList *list = fn->loops ? fn->loops[block] : NULL;
    uint32_t n = list ? list->n : 0, at = n;
    for (uint32_t l = ir->loop_of.v[block]; l != IR_NONE && at; l = ir->loops.v[l].parent) {
        at--;
        out[at] = (VmLoopCount){l, (uint32_t)REG(regs, list->reg[n - 1 - at])->word};
    }
    return n;
}

static uint32_t depth_of(const Reg *regs, uint32_t block)
{
    const FnCode *fn = FRAME(regs)->fn;
    return fn->loops && fn->loops[block] ? fn->loops[block]->n : 0;
}

static uint32_t path_add(Vm *vm, const Frame *frame, uint32_t parent)
{
    struct Labels *lab = vm->lab;
    VmPath path = {
        .parent = parent, .fn = frame->fn->index, .at_fn = IR_NONE, .at_block = IR_NONE, .at_insn = IR_NONE};
    FlowSite at = label_site_of(frame->call, frame->caller);
    if (frame->caller && vm_source(frame->call, frame->caller)) {
        path.at_fn = at.fn;
        path.at_block = at.block;
        path.at_insn = at.insn;
    }
    if (at.block != IR_NONE) {
        path.loops = arena_alloc(lab->arena, (depth_of(frame->caller, at.block) + 1) * sizeof *path.loops);
        path.nloops = counts_of(vm, frame->caller, at.block, path.loops);
    }
    vec_push(&lab->paths, path);
    map_put(&lab->path_of, frame->path, lab->paths.n - 1);
    return lab->paths.n - 1;
}

static uint32_t path_find(Vm *vm, const Reg *regs)
{
    Vec(const Frame *) waiting = {0};
    uint64_t known = IR_NONE;
    for (; regs && !map_get(&vm->lab->path_of, FRAME(regs)->path, &known); regs = FRAME(regs)->caller)
        vec_push(&waiting, FRAME(regs));
    uint32_t path = regs ? (uint32_t)known : IR_NONE;
    while (waiting.n)
        path = path_add(vm, vec_pop(&waiting), path);
    vec_free(&waiting);
    return path;
}

/* Requires: it has a name (vm_name). */
static uint32_t path_of(Vm *vm, const Reg *regs)
{
    uint64_t name = FRAME(regs)->path;
    struct LabelLastPath *last = &vm->lab->last_paths[name >> 1 & (LABEL_LAST_PATHS - 1)]; /* names are odd */
    if (last->name != name)
        *last = (struct LabelLastPath){name, path_find(vm, regs)};
    return last->path;
}

void label_stream_add(Vm *vm, unsigned stream, VmLabel l)
{
    vm->lab->streams[stream] = label_unite(vm, vm->lab->streams[stream], l);
}

void label_place(Vm *vm, const CodePlace *at, VmDecision *d)
{
    VmTrace *t = vm->sym->trace;
    uint32_t n = vm->sym->options.iterations && at->counters ? at->counters->n : 0;
    d->path = path_of(vm, vm->regs);
    if (!n)
        return;
    d->first_loop = t->loops.n;
    d->nloops = n;
    vec_reserve(&t->loops, t->loops.n + n);
    for (uint32_t i = n; i-- > 0;)
        t->loops.v[t->loops.n++] =
            (VmLoopCount){at->loops[i], (uint32_t)REG(vm->regs, at->counters->reg[i])->word};
}

size_t vm_path_bytes(const Vm *vm)
{
    return vm->lab ? vm->lab->paths.cap * sizeof(VmPath) + 2 * vm->lab->path_of.cap * sizeof(uint64_t) +
                         arena_bytes(vm->lab->arena)
                   : 0;
}

const VmPath *vm_path(const Vm *vm, uint32_t path) { return &vm->lab->paths.v[path]; }

/* ---- instructions that are watched ----------------------------------------------------------- */

/* Why an instruction is watched: it is of the line that the trace is about; it is a sink; the load before it
 * is one. */
enum { WATCH_LINE = 1, WATCH_SINK = 2, WATCH_RESULT = 4 };

static bool is_sink(const Vm *vm, FlowSite at)
{
    return vm->sym->options.sinks_all || map_get(&vm->lab->sinks, flow_site_key(at), NULL);
}

static bool is_on_line(const Vm *vm, uint32_t site)
{
    const VmSymbolicOptions *o = &vm->sym->options;
    return o->watch_line && site != IR_NONE && vm->program->sites.v[site].file == o->watch_file &&
           vm->program->sites.v[site].line == o->watch_line;
}

static uint8_t why_watched(const Vm *vm, const FnCode *fn, const CodeSource *source)
{
    const IrInsn *insns = vm->program->fns.v[fn->index].blocks.v[source->block].insns.v;
    FlowSite at = {fn->index, source->block, source->insn};
    uint8_t why = (is_on_line(vm, insns[at.insn].site) ? WATCH_LINE : 0) | (is_sink(vm, at) ? WATCH_SINK : 0);
    if (at.insn-- && insns[at.insn].op == IR_LOAD && is_sink(vm, at))
        why |= WATCH_RESULT;
    return why;
}

void vm_label_prepare(Vm *vm, FnCode *fn)
{
    const VmSymbolicOptions *o = &vm->sym->options;
    bool any = o->watch_line || o->sinks_all;
    for (uint32_t i = 0; i < o->nsinks && !any; i++)
        any = o->sinks[i].fn == fn->index;
    for (uint32_t i = 0; any && i < fn->ncode; i++) {
        const CodeSource *source = &fn->sources[i];
        uint8_t why = source->block == IR_NONE ? 0 : why_watched(vm, fn, source);
        if (!why)
            continue;
        if (!fn->watched)
            fn->watched = arena_alloc(fn->arena, fn->ncode);
        fn->watched[i] = why;
        if (!fn->originals[i])
            fn->originals[i] = fn->start[i].go;
        if (fn->start[i].go == fn->originals[i])
            fn->start[i].go = vm->labels[CODE_WATCH];
    }
}

/* What the line's instructions read, in its last execution (as far as that is one block): the last of them
 * stores, returns or passes on the value. */
static void watch_line(Vm *vm, const IrInsn *insn, Reg *regs)
{
    struct Labels *lab = vm->lab;
    VmTrace *t = vm->sym->trace;
    if (lab->watch_regs != regs || lab->watch_left != vm->left) {
        lab->watch_regs = regs;
        lab->watch_left = vm->left;
        t->watched = LABEL_NONE;
        t->watched_runs++;
    }
    if (insn) { /* a comparison may have become part of the branch that reads it */
        bool branch = insn->op == IR_BR || insn->op == IR_SWITCH;
        VmLabel read = branch ? label_roots(vm, regs, insn->a) : label_operands(vm, insn, regs);
        t->watched = label_here(vm, label_unite(vm, t->watched, read));
    }
}

/* What a sink depends on beyond being reached. Where control goes, and what addresses are, are decisions;
 * what is stored, passed or returned lies in a place of its own; of a pure instruction's operands not all
 * do. */
static VmLabel label_of_sink(Vm *vm, const IrInsn *insn, const Reg *regs)
{
    const IrFn *ir = &vm->program->fns.v[FRAME(regs)->fn->index];
    U32Vec reads = {0};
    VmLabel l = LABEL_NONE;
    bool pure = ir_op_is_pure((IrOp)insn->op),
         kept = insn->op == IR_CALL || insn->op == IR_CALLPTR || insn->op == IR_RET;
    if (insn->op == IR_STORE)
        return label_ir_reg(vm, regs, insn->b);
    if (!kept && (!pure || vm->sym->options.sinks_all))
        return LABEL_NONE;
    ir_insn_reads(ir, insn, &reads);
    for (uint32_t i = insn->op == IR_CALLPTR; i < reads.n; i++)
        l = label_unite(vm, l, pure ? label_roots(vm, regs, reads.v[i]) : label_ir_reg(vm, regs, reads.v[i]));
    vec_free(&reads);
    return l;
}

const void *vm_label_watch(Vm *vm, const Code *pc, Reg *regs)
{
    const FnCode *fn = FRAME(regs)->fn;
    const IrInsn *insn = vm_insn(vm, pc, regs);
    uint8_t why = fn->watched[pc - fn->start];
    if (why & WATCH_LINE)
        watch_line(vm, insn, regs);
    if (insn && why & WATCH_SINK)
        label_sink(vm, label_of_sink(vm, insn, regs));
    if (insn && why & WATCH_RESULT)
        label_sink(vm, label_ir_reg(vm, regs, insn[-1].dst));
    return fn->originals[pc - fn->start];
}

/* ---- the end --------------------------------------------------------------------------------- */

void label_finish(Vm *vm)
{
    VmTrace *t = vm->sym->trace;
    if (vm->result.ending == VM_END_RETURN) /* at HALT, whose operand is the status */
        t->status_label = label_here(vm, label_of(REG(vm->regs, vm->pc->a)->shadow));
    for (unsigned i = 0; i < COUNT_OF(t->streams); i++)
        t->streams[i] = label_here(vm, vm->lab->streams[i]);
    if (t->result.ending == VM_END_RETURN)
        t->ending = label_context(vm);
}

void label_new(Vm *vm)
{
    vm->lab = mem_zalloc(sizeof *vm->lab);
    vm->lab->arena = arena_new();
    vm->now = (LabelNow){.asked = vm->lab->asked};
    vm->now.flow = vm->sym->options.flow;
    vm->now.sets = expr_sets(vm->sym->pool);
    vm->lab->policy = vm->sym->options.policy;
    vm->lab->renames = vm->now.flow && flow_descriptors_change(vm->now.flow);
    for (uint32_t i = 0; i < vm->sym->options.nsinks; i++)
        map_put(&vm->lab->sinks, flow_site_key(vm->sym->options.sinks[i]), 1);
    vm->lab->off = vm->sym->options.rules_off;
    vm->mem.watch = vm->lab->policy & FLOW_TIE_FAULTS;
    if (!vm->now.flow)
        bug("labels without an analysis of the program");
}

void label_free(Vm *vm)
{
    struct Labels *lab = vm->lab;
    if (!lab)
        return;
    label_reset(vm);
    for (uint32_t i = 0; i < lab->slots.n; i++)
        vec_free(&lab->slots.v[i]);
    vec_free(&lab->slots);
    vec_free(&lab->contexts);
    vec_free(&lab->parts);
    vec_free(&lab->addresses);
    vec_free(&lab->rooms);
    vec_free(&lab->found);
    vec_free(&lab->branches);
    label_log_free(vm);
    vec_free(&lab->paths);
    vec_free(&lab->singles);
    map_free(&lab->operands);
    map_free(&lab->sinks);
    map_free(&lab->leaving);
    map_free(&lab->path_of);
    arena_free(lab->arena);
    mem_free(lab);
    vm->lab = NULL;
    vm->now = (LabelNow){0};
    vm->mem.stamp = vm->mem.clean = 0;
    vm->mem.watch = false;
}
