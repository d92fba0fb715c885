/* sym_key_wanted.c - memory in keys of states: which bytes may be read again.
 *
 * A byte that is written before anything can read it is no part of the state. Which bytes these are follows
 * from where the frames stand, so the answer of the static analysis is kept for each chain of calls. */
#include "vm/symbolic/sym_key.h"

/* Chains of calls whose answers are kept, and frames of one. Of others all bytes are wanted. */
enum { CHAINS_MOST = 1 << 16, FRAMES_MOST = 256 };

/* Equal masks are one. */
static const KeyMask *mask_of(struct Keys *keys, const FlowWanted *wanted)
{
    uint64_t at, name = hash_bytes(wanted->v, wanted->n * sizeof *wanted->v);
    for (; map_get(&keys->mask_of, name, &at); name = hash_u64(name)) {
        const KeyMask *mask = keys->masks.v[at];
        if (mask->n == wanted->n && !memcmp(mask->v, wanted->v, mask->n * sizeof *mask->v))
            return mask;
    }
    KeyMask *mask = mem_alloc(sizeof *mask);
    *mask = (KeyMask){wanted->v, wanted->n};
    map_put(&keys->mask_of, name, keys->masks.n);
    vec_push(&keys->masks, mask);
    return mask;
}

/* Where the frames stand, innermost first; false: not known of one of the user's. */
static bool frames_of(Vm *vm, KeyFrames *frames)
{
    const Code *pc = vm->pc;
    for (const Reg *regs = vm->regs; regs; pc = FRAME(regs)->call, regs = FRAME(regs)->caller) {
        const FnCode *fn = FRAME(regs)->fn;
        if (fn->index == IR_NONE)
            continue; /* the machine's own first frame */
        const CodeSource *source = vm_source(pc, regs);
        FlowSite at = {fn->index, 0, 0}; /* the first code makes locals */
        if (pc != fn->start) {
            if (!source || source->block == IR_NONE || source->insn == IR_NONE)
                return false;
            at = (FlowSite){fn->index, source->block, source->insn};
        }
        vec_push(frames, at);
        if (frames->n > FRAMES_MOST)
            return false;
    }
    return true;
}

static bool is_chain(const KeyChain *chain, const KeyFrames *frames)
{
    return chain->nframes == frames->n && !memcmp(chain->frames, frames->v, frames->n * sizeof *frames->v);
}

static const KeyChain *chain_of(Vm *vm, const KeyFrames *frames)
{
    struct Keys *keys = vm->sym->keys;
    if (keys->chain && is_chain(&keys->chains.v[keys->chain - 1], frames))
        return &keys->chains.v[keys->chain - 1];
    uint64_t at, name = hash_bytes(frames->v, frames->n * sizeof *frames->v);
    for (; map_get(&keys->chain_of, name, &at); name = hash_u64(name))
        if (is_chain(&keys->chains.v[at], frames)) {
            keys->chain = (uint32_t)at + 1;
            return &keys->chains.v[at];
        }
    if (keys->chains.n >= CHAINS_MOST)
        return NULL;
    FlowWantedList wanted = flow_wanted(vm->sym->options.flow, frames->v, frames->n);
    KeyChain chain = {.frames = mem_alloc((frames->n + 1) * sizeof *chain.frames), .nframes = frames->n};
    memcpy(chain.frames, frames->v, frames->n * sizeof *frames->v);
    for (uint32_t i = 0; i < wanted.n; i++)
        vec_push(&chain.parts,
                 ((KeyPart){wanted.v[i].frame, wanted.v[i].index, mask_of(keys, &wanted.v[i])}));
    map_put(&keys->chain_of, name, keys->chains.n);
    vec_push(&keys->chains, chain);
    keys->chain = keys->chains.n;
    return &vec_last(&keys->chains);
}

static void spoil_bytes(Vm *vm, Object *o, uint64_t first, uint64_t end)
{
    enum { SPOILT = 0xa5 };
    if (first >= end)
        return;
    memset(o->data + first, SPOILT, end - first);
    if (o->sym)
        vm_sym_fill(vm, o, first, end - first, 0);
    mem_undef_clear(o, first, end - first);
}

/* For tests: what is said not to be read again is no more what it was. If it is read all the same, the run is
 * not that of its input. */
static void spoil(Vm *vm, Object *o, const KeyMask *mask)
{
    uint64_t at = 0;
    if (!o->payload || o->death != DEATH_NONE)
        return;
    mem_unshare(&vm->mem, o);
    for (uint32_t i = 0; i < mask->n; at = mask->v[i++].end)
        spoil_bytes(vm, o, at, mask->v[i].first);
    spoil_bytes(vm, o, at, o->size);
    mem_refresh(o);
}

static void mark(Vm *vm, Object *o, const KeyMask *mask)
{
    static const KeyMask nothing;
    struct Keys *keys = vm->sym->keys;
    o->mask_epoch = keys->epoch;
    o->mask = vm->sym->options.rules_off & OFF_WANTED ? &nothing : mask;
    if (vm->sym->options.verify && !keys->watched)
        spoil(vm, o, mask);
}

/* Locals of a frame know by which alloca they were made. */
static void mark_locals(Vm *vm, const Frame *frame, const KeyPart *parts, uint32_t n)
{
    const EnterInfo *enter = &frame->fn->enter;
    for (Object *o = frame->objects; o; o = o->next) {
        uintptr_t home = (uintptr_t)o->home, first = (uintptr_t)enter->locals;
        if (!home || home < first || home >= first + enter->nlocals * sizeof *enter->locals)
            continue;
        uint32_t made_by = enter->locals[(home - first) / sizeof *enter->locals].made_by;
        for (uint32_t i = 0; i < n; i++)
            if (parts[i].index == made_by)
                mark(vm, o, parts[i].mask);
    }
}

void key_find_wanted(Vm *vm)
{
    bool leaks = vm->options.checks >> VM_FAULT_LEAK & 1; /* all memory is looked at, at the end */
    KeyFrames *frames = &vm->sym->keys->frames;
    vec_clear(frames);
    const KeyChain *chain =
        !leaks && vm->sym->options.flow && frames_of(vm, frames) ? chain_of(vm, frames) : NULL;
    if (!chain)
        return;
    const Reg *regs = vm->regs;
    uint32_t at = 0;
    for (uint32_t i = 0; i < chain->parts.n;) {
        const KeyPart *first = &chain->parts.v[i];
        uint32_t n = 1;
        while (i + n < chain->parts.n && chain->parts.v[i + n].frame == first->frame)
            n++;
        for (; first->frame != IR_NONE && at < first->frame; at++)
            regs = FRAME(regs)->caller;
        if (first->frame != IR_NONE)
            mark_locals(vm, FRAME(regs), first, n);
        for (uint32_t k = 0; first->frame == IR_NONE && k < n; k++)
            mark(vm, &vm->globals[first[k].index], first[k].mask);
        i += n;
    }
}

void key_wanted_free(struct Keys *keys)
{
    for (uint32_t i = 0; i < keys->masks.n; i++)
        mem_free(keys->masks.v[i]);
    for (uint32_t i = 0; i < keys->chains.n; i++) {
        mem_free(keys->chains.v[i].frames);
        vec_free(&keys->chains.v[i].parts);
    }
    vec_free(&keys->frames);
    vec_free(&keys->masks);
    vec_free(&keys->chains);
    map_free(&keys->mask_of);
    map_free(&keys->chain_of);
}
