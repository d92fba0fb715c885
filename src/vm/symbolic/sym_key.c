/* sym_key.c - keys of states: a fingerprint of all that decides how a run goes on from a decision.
 *
 * In the key: call sites, registers that are read again (prepare_live.c), contents of objects that they lead
 * to, globals that have changed, but for bytes of both that nothing reads before they are written
 * (sym_key_wanted.c); files and how far they were read, the clock. Symbolic values count as
 * expressions, with fingerprints that do not depend on the pool. Not in the key: what was printed, and what
 * earlier decisions said of the input; the explorer knows under which conditions a state is reached.
 *
 * Addresses count as they are: a program may compare them. Where the next objects will be made is a function
 * of the state, too (vm_sym_free_name). All live objects of stack and heap count, since a pointer may be
 * hidden; of dead ones those that a word leads to which has the form of an address.
 *
 * Contents are hashed once for each payload: the hash holds a reference, so that the next write makes a copy.
 */
#include "vm/symbolic/sym_key.h"

#include <stdlib.h>

enum { CONTENTS_MOST = 1 << 12 };

/* ---- objects --------------------------------------------------------------------------------- */

static Object *object_at(Vm *vm, uint64_t word)
{
    Object *o = looks_like_address(word) ? mem_find(&vm->mem, word) : NULL;
    return o && (o->kind == OBJECT_HEAP || o->kind == OBJECT_STACK) ? o : NULL;
}

static void meet(Vm *vm, Object *o)
{
    struct Keys *keys = vm->sym->keys;
    if (!o || o->key_epoch == keys->epoch)
        return;
    o->key_epoch = keys->epoch;
    vec_push(&keys->met, o);
}

/* A word that may be an address is followed. */
static void meet_address(Vm *vm, uint64_t word)
{
    struct Keys *keys = vm->sym->keys;
    if (!looks_like_address(word))
        return;
    keys->addresses++;
    keys->haunted |= keys->watched && mem_slot_of(untagged(word)) == keys->watched;
    meet(vm, object_at(vm, untagged(word)));
}

static void mix_word(Vm *vm, VmKey *k, uint64_t word)
{
    mix_state(vm, k, word);
    meet_address(vm, word);
}

/* The objects whose addresses are among the constants of an expression. */
static void meet_addressed(Vm *vm, Expr e)
{
    struct Keys *keys = vm->sym->keys;
    const ExprPool *p = vm->sym->pool;
    U32Vec work = {0};
    Map seen = {0};
    vec_push(&work, e.id);
    while (work.n) {
        Expr now = {vec_pop(&work)};
        if (!map_get(&keys->addressed, now.id, NULL) || !map_add(&seen, now.id, 1))
            continue;
        if (expr_is_const(p, now))
            meet_address(vm, (uint64_t)expr_const_value(p, now));
        for (uint32_t i = expr_child_count(p, now); i-- > 0;)
            vec_push(&work, expr_child(p, now, i).id);
    }
    map_free(&seen);
    vec_free(&work);
}

void key_mix_expr(Vm *vm, VmKey *k, Expr e)
{
    struct Keys *keys = vm->sym->keys;
    mix_key(k, key_of_expr(keys, vm->sym->pool, e));
    if (key_is_named(keys, e))
        key_mix_named(vm, k, e);
    else if (keys->record)
        vec_push(keys->record, e.id);
    if (key_is_addressed(keys, e))
        meet_addressed(vm, e);
}

static void hash_byte(Vm *vm, const Object *o, uint64_t at, Contents *c)
{
    struct Keys *keys = vm->sym->keys;
    uint64_t cell = o->sym ? sym_cell(o, at) : 0;
    Expr e = {(uint32_t)cell};
    if (cell) {
        mix(&c->hash, at << 8 | cell >> 32);
        mix_key(&c->hash, key_of_expr(keys, vm->sym->pool, e));
        if (key_is_addressed(keys, e))
            vec_push(&c->exprs, e);
        if (key_is_named(keys, e) && (!c->named.n || vec_last(&c->named).id != e.id))
            vec_push(&c->named, e);
    } else if (o->data[at]) {
        mix(&c->hash, at << 16 | o->data[at] << 8 | 255);
    }
}

static uint64_t word_at(const Object *o, uint64_t at)
{
    uint64_t word;
    memcpy(&word, o->data + at, sizeof word);
    return word;
}

/* Eight bytes, and the addresses that begin between here and the next eight. */
static void hash_word(Vm *vm, const Object *o, uint64_t at, uint64_t end, Contents *c)
{
    uint64_t word = word_at(o, at);
    if (sym_any(o, at, 8)) {
        for (unsigned i = 0; i < 8; i++)
            hash_byte(vm, o, at + i, c);
        return;
    }
    if (looks_like_address(word))
        vec_push(&c->addresses, word);
    if (word) {
        mix(&c->hash, at);
        mix(&c->hash, word);
    }
    for (unsigned i = 1; i < 8 && at + i + 8 <= end; i++)
        if (o->data[at + i + 5] && !o->data[at + i + 6] && looks_like_address(word_at(o, at + i)))
            vec_push(&c->addresses, word_at(o, at + i));
}

/* Bytes of an object that is written at symbolic places: those without a cell are the array's. */
static void hash_array(Vm *vm, const Object *o, FlowBytes bytes, Contents *c)
{
    struct Keys *keys = vm->sym->keys;
    Expr array = expr_of_array(o->sym->array);
    bool whole = false;
    for (uint64_t at = bytes.first; at < bytes.end; at++)
        if (sym_cell(o, at))
            hash_byte(vm, o, at, c);
        else
            whole = true;
    if (!whole)
        return;
    mix_key(&c->hash, key_of_expr(keys, vm->sym->pool, array));
    if (key_is_addressed(keys, array))
        vec_push(&c->exprs, array);
    if (key_is_named(keys, array))
        vec_push(&c->named, array);
}

static void hash_bytes_of(Vm *vm, const Object *o, FlowBytes bytes, Contents *c)
{
    uint64_t at = bytes.first;
    if (o->sym && o->sym->array.id) {
        hash_array(vm, o, bytes, c);
        return;
    }
    for (; at < bytes.end && at % 8; at++)
        hash_byte(vm, o, at, c);
    for (; at + 8 <= bytes.end; at += 8)
        hash_word(vm, o, at, bytes.end, c);
    for (; at < bytes.end; at++)
        hash_byte(vm, o, at, c);
}

static Contents hash_contents(Vm *vm, const Object *o, const KeyMask *mask)
{
    Contents c = {.payload = o->payload, .sym = o->sym, .mask = mask, .hash = {o->size + 1, o->size + 3}};
    if (!mask)
        hash_bytes_of(vm, o, (FlowBytes){0, o->size}, &c);
    for (uint32_t i = 0; mask && i < mask->n; i++)
        hash_bytes_of(vm, o, mask->v[i], &c);
    return c;
}

static void forget_contents(Vm *vm)
{
    struct Keys *keys = vm->sym->keys;
    for (uint32_t i = 0; i < keys->contents.n; i++) {
        Contents *c = &keys->contents.v[i];
        payload_drop(&vm->mem, c->payload);
        sym_bytes_drop(c->sym);
        vec_free(&c->addresses);
        vec_free(&c->exprs);
        vec_free(&c->named);
    }
    vec_clear(&keys->contents);
    map_clear(&keys->index);
}

static bool is_of(const Contents *c, const Object *o, const KeyMask *mask)
{
    return c->payload == o->payload && c->sym == o->sym && c->mask == mask;
}

/* From now on the payload is shared, and a write makes another. */
static Contents *contents_of(Vm *vm, Object *o)
{
    struct Keys *keys = vm->sym->keys;
    const KeyMask *mask = key_mask(keys, o);
    if (o->contents && o->contents <= keys->contents.n && is_of(&keys->contents.v[o->contents - 1], o, mask))
        return &keys->contents.v[o->contents - 1];
    uint64_t at, key = hash_mix(hash_mix((uint64_t)(uintptr_t)o->payload, (uint64_t)(uintptr_t)o->sym),
                                (uint64_t)(uintptr_t)mask);
    if (map_get(&keys->index, key, &at) && is_of(&keys->contents.v[at - 1], o, mask)) {
        o->contents = (uint32_t)at;
        return &keys->contents.v[at - 1];
    }
    if (keys->contents.n >= CONTENTS_MOST)
        forget_contents(vm);
    vec_push(&keys->contents, hash_contents(vm, o, mask));
    map_put(&keys->index, key, keys->contents.n);
    o->contents = keys->contents.n;
    o->payload->refs++;
    if (o->sym)
        o->sym->refs++;
    mem_refresh(o);
    return &vec_last(&keys->contents);
}

/* What the contents of an object lead to. */
static void meet_contents(Vm *vm, Object *o)
{
    if (!o->payload || o->death != DEATH_NONE)
        return;
    const Contents *c = contents_of(vm, o);
    for (uint32_t i = 0; i < c->addresses.n; i++)
        meet_address(vm, c->addresses.v[i]);
    for (uint32_t i = 0; i < c->exprs.n; i++)
        meet_addressed(vm, c->exprs.v[i]);
}

static bool is_wanted(const KeyMask *mask, uint64_t at)
{
    for (uint32_t i = 0; mask && i < mask->n; i++)
        if (at >= mask->v[i].first && at < mask->v[i].end)
            return true;
    return !mask;
}

/* For tests: what the hash stands for. */
static void record_contents(Vm *vm, const Object *o)
{
    U64Vec *record = vm->sym->keys->record;
    const KeyMask *mask = key_mask(vm->sym->keys, o);
    bool array = o->sym && o->sym->array.id, whole = false;
    for (uint64_t i = 0; i < o->size; i++) {
        uint64_t cell = o->sym ? sym_cell(o, i) : 0;
        bool named = cell && key_is_named(vm->sym->keys, (Expr){(uint32_t)cell}); /* comes by itself */
        if (!is_wanted(mask, i))
            continue;
        vec_push(record, named ? cell >> 32 << 40 | 1 << 8 : cell ? cell << 8 : array ? 0 : o->data[i]);
        whole |= array && !cell;
    }
    vec_push(record, whole ? expr_of_array(o->sym->array).id : 0);
}

static void mix_contents(Vm *vm, VmKey *k, Object *o)
{
    if (!o->payload)
        return;
    const Contents *c = contents_of(vm, o);
    mix_key(k, c->hash);
    if (vm->sym->keys->record)
        record_contents(vm, o);
    for (uint32_t i = 0; i < c->named.n; i++)
        key_mix_named(vm, k, c->named.v[i]);
    meet_contents(vm, o);
    for (uint64_t i = 0; o->nundef && o->undef && i < o->size; i++)
        if (o->undef[i] && is_wanted(key_mask(vm->sym->keys, o), i))
            mix_state(vm, k, i << 8 | o->undef[i]);
}

static uint64_t flags_of(const Object *o)
{
    return (uint64_t)o->kind | o->death << 4 | o->constant << 8 | o->limited << 9 | o->written << 10 |
           o->pointee << 11 | o->foreign << 12;
}

static VmKey object_key(Vm *vm, Object *o)
{
    VmKey k = {1, 2};
    mix_state(vm, &k, flags_of(o));
    mix_state(vm, &k, o->size);
    if (o->limited)
        key_mix_expr(vm, &k, sym_limit(vm, o));
    mix_state(vm, &k, o->base);
    if (o->death == DEATH_NONE)
        mix_contents(vm, &k, o);
    return k;
}

/* It is kept beside that of the contents, if nothing else is in it. */
static VmKey known_object_key(Vm *vm, Object *o)
{
    bool simple = o->payload && o->death == DEATH_NONE && !o->limited && !o->nundef;
    if (!simple || vm->sym->keys->record)
        return object_key(vm, o);
    Contents *c = contents_of(vm, o);
    if (c->named.n)
        return object_key(vm, o);
    if (c->is_known && c->base == o->base && c->flags == flags_of(o)) {
        meet_contents(vm, o);
        return c->object;
    }
    VmKey k = object_key(vm, o);
    c = contents_of(vm, o); /* it may have moved */
    c->object = k;
    c->base = o->base;
    c->flags = flags_of(o);
    c->is_known = true;
    return k;
}

/* Heap objects that nothing leads to: what they may lead to is met then, too. */
static void meet_heap(Vm *vm)
{
    for (uint32_t i = 0; i < vm->mem.loose.n; i++)
        if (vm->mem.loose.v[i]->kind == OBJECT_HEAP)
            meet(vm, vm->mem.loose.v[i]);
}

static int by_address(const void *a, const void *b)
{
    uint64_t x = (*(Object *const *)a)->base, y = (*(Object *const *)b)->base;
    return x < y ? -1 : x > y;
}

/* In no order: that in which objects are met depends on how they were made. */
static void mix_met(Vm *vm, VmKey *k)
{
    const struct Keys *keys = vm->sym->keys;
    VmKey all = {0, 0};
    if (keys->record || keys->made.n) { /* records, and numbers of inputs, have an order */
        for (uint32_t i = 0; i < keys->met.n; i++)
            meet_contents(vm, keys->met.v[i]);
        if (keys->met.n)
            qsort(keys->met.v, keys->met.n, sizeof *keys->met.v, by_address);
    }
    for (uint32_t i = 0; i < keys->met.n; i++) {
        VmKey one = known_object_key(vm, keys->met.v[i]);
        all.a += one.a;
        all.b += one.b;
    }
    mix_key(k, all);
}

static bool same_key(VmKey a, VmKey b) { return a.a == b.a && a.b == b.b; }

/* Of the initial contents of a global. */
static VmKey image_key(Vm *vm, const Object *o)
{
    struct Keys *keys = vm->sym->keys;
    const KeyMask *mask = key_mask(keys, o);
    uint64_t at, name = hash_mix(o->index, (uint64_t)(uintptr_t)mask);
    if (map_get(&keys->image_of, name, &at))
        return keys->images.v[at];
    Object image = *o;
    image.payload = vm->images[o->index];
    image.data = image.payload ? image.payload->bytes : NULL;
    image.sym = NULL;
    Contents c = image.payload ? hash_contents(vm, &image, mask) : (Contents){0};
    vec_free(&c.addresses);
    vec_free(&c.exprs);
    vec_free(&c.named);
    map_put(&keys->image_of, name, keys->images.n);
    vec_push(&keys->images, c.hash);
    return c.hash;
}

static bool is_initial(Vm *vm, Object *o)
{
    Contents *c = contents_of(vm, o);
    if (c->image == IMAGE_UNKNOWN)
        c->image = same_key(c->hash, image_key(vm, o)) ? IMAGE_SAME : IMAGE_OTHER;
    return c->image == IMAGE_SAME;
}

static bool has_changed(const Vm *vm, const Object *o)
{
    return o->slot && (o->payload != vm->images[o->index] || o->sym || o->undef);
}

/* Globals that were written to. Before the first write to one its contents are shared with its image. */
static const U32Vec *changed_globals(Vm *vm)
{
    struct Keys *keys = vm->sym->keys;
    bool known = keys->changed_at == vm->mem.taken;
    uint32_t n = 0;
    if (known && !keys->record)
        return &keys->changed;
    if (!known)
        vec_clear(&keys->changed);
    for (uint32_t i = 0; i < vm->variables.n; i++) {
        if (!has_changed(vm, &vm->globals[vm->variables.v[i]]))
            continue;
        if (known && (n >= keys->changed.n || keys->changed.v[n] != vm->variables.v[i]))
            bug("a global has changed without a copy");
        if (!known)
            vec_push(&keys->changed, vm->variables.v[i]);
        n++;
    }
    keys->changed_at = vm->mem.taken;
    return &keys->changed;
}

static void mix_globals(Vm *vm, VmKey *k)
{
    const U32Vec *changed = changed_globals(vm);
    for (uint32_t i = 0; i < changed->n; i++) {
        Object *o = &vm->globals[changed->v[i]];
        if (o->payload && !o->undef && is_initial(vm, o))
            continue;
        mix_state(vm, k, o->index);
        mix_key(k, known_object_key(vm, o));
    }
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void mix_register(Vm *vm, VmKey *k, const Reg *reg)
{
    Expr e = sym_of(reg->shadow);
    if ((uint32_t)reg->shadow & SHADOW_UNDEF) {
        uint64_t mask = vm_undef_mask(vm, reg->shadow);
        mix_state(vm, k, mask);
        mix_state(vm, k, reg->word & ~mask);
    } else if (e.id) {
        key_mix_expr(vm, k, e);
    } else {
        mix_word(vm, k, reg->word);
    }
}

/* Of all that the run has decided, in order. */
static VmKey path_key(Vm *vm)
{
    struct Keys *keys = vm->sym->keys;
    const VmTrace *t = vm->sym->trace;
    for (; keys->npath < t->decisions.n; keys->npath++)
        key_mix_exact(keys, vm->sym->pool, &keys->path, t->decisions.v[keys->npath].holds);
    return keys->path;
}

/* Where it is not known which registers are read again, a state is no other path's. */
static void mix_frame(Vm *vm, VmKey *k, const Reg *regs, const Code *pc, bool called)
{
    const Frame *frame = FRAME(regs);
    const FnCode *fn = frame->fn;
    const RegList *live = vm_live(fn, pc, called);
    mix_state(vm, k, fn->hash);
    mix_state(vm, k, fn->start ? (uint64_t)(pc - fn->start) : 0);
    for (uint32_t i = 0; live && i < live->n && !(vm->sym->options.rules_off & OFF_REGISTERS); i++)
        mix_register(vm, k, &regs[live->reg[i]]);
    if (!live && fn->index != IR_NONE) { /* of the machine's own first frame nothing is read again */
        mix_key(k, path_key(vm));
        for (uint32_t i = 0; i < (fn->frame_bytes - sizeof(Frame)) / sizeof(Reg); i++)
            meet_address(vm, regs[i].word);
    }
    meet(vm, frame->varargs);
    for (Object *o = frame->objects; o; o = o->next) {
        meet(vm, o);    /* all of them: a pointer may be hidden, as in a tagged word */
        if (!o->home) { /* of variable size: it takes room until the stack is put back, though nothing leads
                           to it */
            mix_state(vm, k, o->base);
            mix_state(vm, k, o->size);
        }
    }
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* What was output so far, where a run is looked at for that. */
static void mix_outputs(Vm *vm, VmKey *k)
{
    struct Keys *keys = vm->sym->keys;
    const VmTrace *t = vm->sym->trace;
    for (; keys->outputs < t->outputs.n; keys->outputs++) {
        const VmOutput *o = &t->outputs.v[keys->outputs];
        if (o->stream < 0 || o->stream > 2 || !(vm->sym->options.key_outputs >> o->stream & 1))
            continue;
        mix(&keys->output, (uint64_t)o->stream << 32 | o->n);
        mix(&keys->output, o->stream ? 0 : hash_bytes(o->name, strlen(o->name)));
        mix(&keys->output, (uint64_t)(unsigned char)o->format.conversion << 8 | o->format.flags);
        mix(&keys->output, (uint64_t)(uint32_t)o->format.width << 32 | (uint32_t)o->format.precision);
        for (uint32_t i = 0; i < o->n; i++)
            key_mix_exact(keys, vm->sym->pool, &keys->output, t->output_bytes.v[o->first + i]);
    }
    mix_key(k, keys->output);
}

/* Files change in primitives alone, but for streams that the entry's pointers lead to. */
static void mix_files(Vm *vm, VmKey *k)
{
    struct Keys *keys = vm->sym->keys;
    bool still = !(keys->primitives & 1) && !vm->sym->options.inputs.entry;
    bool known = still && keys->files_known == keys->primitives;
    if (known && !keys->record) {
        mix_key(k, keys->files);
        return;
    }
    VmKey files = {13, 17};
    uint64_t addresses = keys->addresses;
    uint32_t inputs = keys->inputs.n;
    key_mix_files(vm, &files);
    if (known && !same_key(files, keys->files))
        bug("files have changed without a primitive");
    if (still && addresses == keys->addresses && inputs == keys->inputs.n) {
        keys->files = files;
        keys->files_known = keys->primitives;
    }
    mix_key(k, files);
}

void sym_key_primitive(Vm *vm) { vm->sym->keys->primitives++; }

static void forget_numbers(struct Keys *keys)
{
    if (keys->inputs.n)
        map_clear(&keys->number_of);
    vec_clear(&keys->inputs);
}

static VmKey state_key(Vm *vm)
{
    struct Keys *keys = vm->sym->keys;
    unsigned off = vm->sym->options.rules_off;
    VmKey k = keys->start;
    keys->epoch++;
    vec_clear(&keys->met);
    if (!keys->watched)
        forget_numbers(keys);
    key_find_wanted(vm);
    if (!(off & OFF_FACTS))
        mix_key(&k, keys->facts);
    const Code *pc = vm->pc;
    bool called = false;
    for (const Reg *regs = vm->regs; regs && !(called && (off & OFF_CALLERS)); called = true) {
        mix_frame(vm, &k, regs, pc, called);
        pc = FRAME(regs)->call;
        regs = FRAME(regs)->caller;
    }
    if (!(off & OFF_GLOBALS))
        mix_globals(vm, &k);
    mix_word(vm, &k, vm->argv);
    mix_word(vm, &k, vm->envp);
    if (!(off & OFF_FILES))
        mix_files(vm, &k);
    mix_state(vm, &k, vm->ticks);
    mix_state(vm, &k, vm->mem.stack); /* how much of it is left */
    meet_heap(vm);
    if (!(off & OFF_OBJECTS))
        mix_met(vm, &k);
    if (vm->sym->options.key_outputs && !(off & OFF_OUTPUTS))
        mix_outputs(vm, &k);
    return k;
}

/* ---- names of objects ------------------------------------------------------------------------- */

/* An object is named by where it is made, without counters of loops, and its address follows from the name:
 * how often a loop has gone round is no part of a state, so the addresses of later objects must not depend on
 * it. Then an object may come to where a dead one was. If the state has a pointer to that one, a use of it
 * must stay a fault, so the next name is tried. Both are functions of the state. */
uint64_t vm_sym_free_name(Vm *vm, uint64_t name, const VmExtent *extent)
{
    struct Keys *keys = vm->sym->keys;
    if (!mem_class(extent->size, extent->align))
        return name; /* it will not be made */
    for (;; name = hash_u64(name + 1)) {
        uint64_t slot = mem_slot_of(mem_place(&vm->mem, extent->kind, name, extent->size, extent->align));
        if (map_add(&keys->slots, slot, 1) && !keys->resumed)
            return name; /* nothing was there in this run */
        keys->watched = slot;
        keys->haunted = false;
        state_key(vm);
        keys->watched = 0;
        if (!keys->haunted || vm->sym->options.rules_off & OFF_DANGLING)
            return name;
    }
}

/* ---- inputs that calls make ------------------------------------------------------------------- */

/* The input is one of a word, whose call may come again: states have it by number. */
void sym_key_made(Vm *vm, ExprObject input)
{
    struct Keys *keys = vm->sym->keys;
    if (vm->sym->options.renames)
        map_put(&keys->made, input.id, 1);
}

/* Does the function make inputs that have their own names in a state? Such as are no word of a fixed size. */
static bool is_maker(const IrProgram *program, uint32_t fn, bool renames)
{
    static const char *const prefixes[] = {"sheaf_object", "sheaf_string",     "sheaf_size",
                                           "sheaf_array",  "sheaf_maybe_null", "sheaf_choice"};
    static const char *const words[] = {"sheaf_symbolic", "klee_", "__VERIFIER_", "nondet_"};
    const char *name = ir_text(program, program->fns.v[fn].name);
    for (unsigned i = 0; i < COUNT_OF(prefixes); i++)
        if (!strcmp(name, prefixes[i]))
            return true;
    for (unsigned i = 0; !renames && i < COUNT_OF(words); i++)
        if (text_starts_with(name, words[i]))
            return true;
    return false;
}

static bool takes_address_of_maker(const IrProgram *program, const IrFn *fn, bool renames)
{
    for (uint32_t r = 0; r < fn->regs.n; r++) {
        const IrConst *c = ir_reg_const_of(fn, r);
        if (c && c->kind == IR_CONST_FN && is_maker(program, c->index, renames))
            return true;
    }
    return false;
}

/* Is an input made there, and perhaps more than once? */
static bool makes_inputs(const Vm *vm, const IrFn *fn, bool callbacks)
{
    const IrProgram *program = vm->program;
    bool renames = vm->sym->options.renames;
    bool once = !strcmp(ir_text(program, fn->name), "main") && fn->loop_of.n == fn->blocks.n;
    if (takes_address_of_maker(program, fn, renames))
        return true;
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            bool here = insn->op == IR_CALL ? is_maker(program, insn->a, renames)
                                            : callbacks && insn->op == IR_CALLPTR;
            if (here && !(once && fn->loop_of.v[b] == IR_NONE))
                return true;
        }
    return false;
}

static void add_called(BitSet *called, U32Vec *work, uint32_t fn)
{
    if (bitset_has(called, fn))
        return;
    bitset_add(called, fn);
    vec_push(work, fn);
}

/* Inputs that calls make are named by where and when that was. Where such a call may come again, and its
 * input is not renamed, states of different iterations are different: they will read different inputs. */
static bool names_inputs(const Vm *vm)
{
    const IrProgram *program = vm->program;
    bool entry = vm->sym->options.inputs.entry != NULL; /* its callbacks return inputs */
    BitSet called = {0};
    U32Vec work = {0};
    bool found = vm->sym->options.inputs.environment != 0;
    for (uint32_t f = 0; f < program->fns.n; f++)
        if (!program->fns.v[f].runtime)
            add_called(&called, &work, f);
    while (work.n && !found) {
        const IrFn *fn = &program->fns.v[vec_pop(&work)];
        found = fn->defined && (entry || !fn->runtime) && makes_inputs(vm, fn, entry);
        for (uint32_t b = 0; b < fn->blocks.n; b++)
            for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
                if (fn->blocks.v[b].insns.v[i].op == IR_CALL)
                    add_called(&called, &work, fn->blocks.v[b].insns.v[i].a);
    }
    vec_free(&work);
    bitset_free(&called);
    return found;
}

/* The list of inputs by number, of the state whose key was computed last. */
static uint32_t numbered_list(struct Keys *keys)
{
    uint64_t at, name = hash_bytes(keys->inputs.v, keys->inputs.n * sizeof *keys->inputs.v);
    if (!keys->inputs.n)
        return 0;
    for (; map_get(&keys->list_of, name, &at); name = hash_u64(name)) {
        const U32Vec *list = &keys->lists.v[at];
        if (list->n == keys->inputs.n && !memcmp(list->v, keys->inputs.v, list->n * sizeof *list->v))
            return (uint32_t)at + 1;
    }
    U32Vec list = {0};
    for (uint32_t i = 0; i < keys->inputs.n; i++)
        vec_push(&list, keys->inputs.v[i]);
    map_put(&keys->list_of, name, keys->lists.n);
    vec_push(&keys->lists, list);
    return keys->lists.n;
}

void vm_endure(Vm *vm, uint32_t decisions) { vm->sym->keys->endures = decisions; }

VmInputList vm_state_inputs(const Vm *vm, const VmState *state)
{
    if (!state->inputs)
        return (VmInputList){NULL, 0};
    const U32Vec *list = &vm->sym->keys->lists.v[state->inputs - 1];
    return (VmInputList){list->v, list->n};
}

/* ---- for a run ------------------------------------------------------------------------------- */

/* What one instruction decides in a row has one state: the earlier ones tell them apart. */
static VmKey behind_last(Vm *vm)
{
    const VmTrace *t = vm->sym->trace;
    VmKey k = {3, 5};
    if (t->decisions.n) {
        k = t->keys.v[t->decisions.n - 1].key;
        key_mix_expr(vm, &k, vec_last(&t->decisions).holds);
    }
    return k;
}

/* For tests: one key has one state. Of a caller whose live registers are not known the path stands for
 * all. */
static VmKey verified_key(Vm *vm)
{
    struct Keys *keys = vm->sym->keys;
    U64Vec state = {0};
    uint64_t at;
    keys->record = &state;
    VmKey k = state_key(vm);
    keys->record = NULL;
    if (!map_get(&keys->states, hash_mix(k.a, k.b), &at)) {
        vec_push(&keys->deep, state);
        map_put(&keys->states, hash_mix(k.a, k.b), keys->deep.n);
        return k;
    }
    const U64Vec *other = &keys->deep.v[at - 1];
    if (other->n != state.n || memcmp(other->v, state.v, state.n * sizeof *state.v))
        bug("two states have one key");
    vec_free(&state);
    return k;
}

/* Was the run in this state before? A decision that is made again, since the machine paused in it, has the
 * same name. From now on it was. */
static bool came_here(Vm *vm, VmKey k, uint64_t index)
{
    const VmTrace *t = vm->sym->trace;
    Map *passed = &vm->sym->keys->passed;
    uint64_t at;
    for (; vm->sym->keys->npassed < t->keys.n; vm->sym->keys->npassed++)
        map_put(passed, t->keys.v[vm->sym->keys->npassed].key.a, vm->sym->keys->npassed);
    return t->keys.n >= vm->sym->keys->endures && map_get(passed, k.a, &at) &&
           same_key(t->keys.v[at].key, k) && t->decisions.v[at].index != index;
}

void sym_key_here(Vm *vm, uint64_t index)
{
    struct Sym *s = vm->sym;
    VmKey k = s->keys->starting || s->ordinal ? behind_last(vm)
              : s->options.verify             ? verified_key(vm)
                                              : state_key(vm);
    if (!s->keys->starting && !s->keys->names_known) {
        s->keys->by_name = names_inputs(vm); /* now the loops of main are known */
        s->keys->names_known = true;
    }
    if (s->keys->by_name)
        mix(&k, index);
    s->trace->repeats = s->options.renames && !s->ordinal && came_here(vm, k, index);
    vec_push(&s->trace->keys, ((VmState){k, numbered_list(s->keys)}));
}

static bool is_about_pointers(Vm *vm, Expr e)
{
    U32Vec cone = {0};
    bool found = false;
    expr_cone(vm->sym->pool, &e, 1, &cone);
    for (uint32_t i = 0; i < cone.n && !found; i++)
        found =
            expr_op(vm->sym->pool, (Expr){cone.v[i]}) == EXPR_CONCAT && sym_lazy_is(vm, (Expr){cone.v[i]});
    vec_free(&cone);
    return found;
}

/* Where a pointer of an input leads is a matter of the path, and not of what is in memory. */
void sym_key_fact(Vm *vm, const VmDecision *d)
{
    struct Keys *keys = vm->sym->keys;
    const ExprPool *p = vm->sym->pool;
    const VmInputs *inputs = &vm->sym->options.inputs;
    if (!inputs->entry && !inputs->all_globals && !inputs->globals.n)
        return;
    if (d->entailed || (d->kind != VM_DECISION_INPUT && !is_about_pointers(vm, d->holds)))
        return;
    VmKey k = key_of_expr(keys, p, d->holds);
    keys->facts.a += hash_u64(k.a);
    keys->facts.b += hash_u64(k.b);
    ExprVec parts = {0};
    expr_split(p, d->holds, &parts);
    for (uint32_t i = 0; i < parts.n; i++) {
        Expr e = parts.v[i];
        if (expr_op(p, e) == EXPR_EQ && expr_is_const(p, expr_child(p, e, 1)))
            map_put(&keys->equal, expr_child(p, e, 0).id, expr_child(p, e, 1).id);
    }
    vec_free(&parts);
}

Expr sym_key_resolved(const Vm *vm, Expr e)
{
    return (Expr){(uint32_t)map_get_or(&vm->sym->keys->equal, e.id, e.id)};
}

void sym_key_begin(Vm *vm)
{
    vm->sym->keys->facts = vm->sym->keys->path = vm->sym->keys->output = (VmKey){0, 0};
    vm->sym->keys->outputs = vm->sym->keys->npath = 0;
    vm->sym->keys->changed_at = UINT64_MAX;
    map_clear(&vm->sym->keys->equal);
    map_clear(&vm->sym->keys->slots);
    map_clear(&vm->sym->keys->passed);
    vm->sym->keys->npassed = 0;
    vm->sym->keys->resumed = false;
    vm->sym->keys->primitives = 0;
    vm->sym->keys->files_known = UINT64_MAX;
}

void sym_key_start(Vm *vm, bool on)
{
    if (on)
        forget_numbers(vm->sym->keys);
    vm->sym->keys->starting = on;
    vm->sym->keys->start = behind_last(vm);
}

VmKey sym_key_started(const Vm *vm) { return vm->sym->keys->start; }
void sym_key_restart(Vm *vm, VmKey start)
{
    vm->sym->keys->start = start;
    vm->sym->keys->resumed = true;
    vm->sym->keys->files_known = vm->sym->keys->changed_at = UINT64_MAX;
}

bool vm_sym_keyed(const Vm *vm) { return vm->sym->keys != NULL; }

void sym_keys_new(Vm *vm)
{
    vm->sym->keys = mem_zalloc(sizeof *vm->sym->keys);
    vm->sym->keys->moves_output = key_moves_output(vm->program);
}

void sym_keys_free(Vm *vm)
{
    struct Keys *keys = vm->sym->keys;
    if (!keys)
        return;
    forget_contents(vm);
    vec_free(&keys->contents);
    vec_free(&keys->exprs);
    vec_free(&keys->objects);
    vec_free(&keys->met);
    vec_free(&keys->changed);
    map_free(&keys->addressed);
    map_free(&keys->equal);
    map_free(&keys->index);
    map_free(&keys->slots);
    map_free(&keys->passed);
    map_free(&keys->made);
    map_free(&keys->over_made);
    map_free(&keys->named_of);
    for (uint32_t i = 0; i < keys->named.n; i++)
        vec_free(&keys->named.v[i].inputs);
    vec_free(&keys->named);
    map_free(&keys->number_of);
    vec_free(&keys->inputs);
    map_free(&keys->list_of);
    for (uint32_t i = 0; i < keys->lists.n; i++)
        vec_free(&keys->lists.v[i]);
    vec_free(&keys->lists);
    map_free(&keys->states);
    for (uint32_t i = 0; i < keys->deep.n; i++)
        vec_free(&keys->deep.v[i]);
    vec_free(&keys->deep);
    key_wanted_free(keys);
    map_free(&keys->image_of);
    vec_free(&keys->images);
    mem_free(keys);
    vm->sym->keys = NULL;
}
