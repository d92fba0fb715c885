/* sym_key.c - keys of states: a fingerprint of all that decides how a run goes on from a decision.
 *
 * In the key: call sites, registers that are read again (prepare_live.c), contents of objects that they lead
 * to, globals that have changed, files and how far they were read, the clock. Symbolic values count as
 * expressions, with fingerprints that do not depend on the pool. Not in the key: what was printed, and what
 * earlier decisions said of the input; the explorer knows under which conditions a state is reached.
 *
 * Addresses count as they are: a program may compare them. Where the next objects will be made is a function
 * of the state, too (vm_sym_free_name). Of stack objects those count that something leads to; a word that has
 * the form of an address of a live object does. Of heap objects all count, since a pointer may be hidden.
 *
 * Contents are hashed once for each payload: the hash holds a reference, so that the next write makes a copy.
 */
#include "vm/files/files.h"
#include "vm/symbolic/sym_int.h"

#include <stdlib.h>

/* The contents of an object, and the words in it that look like addresses. */
typedef struct Contents {
    Payload *payload; /* held */
    SymBytes *sym;    /* held; NULL: none */
    VmKey hash;
    U64Vec addresses;
    Vec(Expr) exprs; /* with addresses in them */
} Contents;

enum { CONTENTS_MOST = 1 << 12 };

/* For tests: parts that are left out of keys (VmSymbolicOptions.rules_off). */
enum {
    OFF_REGISTERS = 1,
    OFF_CALLERS = 2,
    OFF_GLOBALS = 4,
    OFF_OBJECTS = 8,
    OFF_FILES = 16,
    OFF_FACTS = 32,
    OFF_DANGLING = 64, /* what is new may come to where a pointer to a dead object leads */
    OFF_OUTPUTS = 128
};

struct Keys {
    Vec(VmKey) exprs;   /* by expression id; 0: not computed */
    Map addressed;      /* expressions that have an address among their constants */
    Vec(VmKey) objects; /* of input objects, by id */
    Map index;          /* (payload, cells) to its place in contents, counted from 1 */
    Vec(Contents) contents;
    Map image_of; /* global to the place of its key, of the initial contents, in */
    Vec(VmKey) images;
    Vec(Object *) met; /* of the key under way */
    uint64_t epoch;
    VmKey path;   /* all that it has decided, in order */
    VmKey output; /* what the first `outputs` of the run's outputs show */
    uint32_t outputs;
    VmKey facts; /* what the path has decided of pointers of inputs, in any order: nothing else knows it */
    Map equal;   /* of these: expression to the constant that it equals */
    VmKey start; /* what the beginning of the run has decided: how many arguments, ... */
    bool starting;
    Map slots;        /* of addresses that objects of this run have had, from where it was resumed */
    bool resumed;     /* what was there before is not known */
    uint64_t watched; /* slot: does the state have an address in it? */
    bool haunted;     /* it does */
    U64Vec *record;   /* for tests: the state under way itself, word by word; NULL: its key is enough */
    Map states;       /* for tests: key to the state that has it, counted from 1, in */
    Vec(U64Vec) deep;
    bool names_known;
    bool by_name; /* inputs are named by execution index, so that states of different iterations differ */
};

static void mix(VmKey *k, uint64_t x)
{
    k->a = hash_mix(k->a, x);
    k->b = hash_mix(k->b ^ 0x5851f42d4c957f2du, x + 0x14057b7ef767814fu);
}

static void mix_key(VmKey *k, VmKey x)
{
    mix(k, x.a);
    mix(k, x.b);
}

/* A word of the state itself. */
static void mix_state(Vm *vm, VmKey *k, uint64_t x)
{
    mix(k, x);
    if (vm->sym->keys->record)
        vec_push(vm->sym->keys->record, x);
}

static bool looks_like_address(uint64_t word)
{
    uint64_t region = word >> REGION_SHIFT;
    return region == OBJECT_HEAP || region == OBJECT_STACK;
}

/* ---- expressions ----------------------------------------------------------------------------- */

static VmKey object_key(struct Keys *keys, const ExprPool *p, ExprObject object)
{
    while (keys->objects.n <= object.id) {
        const ExprObjectInfo *info = expr_object_info(p, (ExprObject){keys->objects.n});
        VmKey k = {1, 2};
        mix(&k, hash_bytes(info->key, strlen(info->key)));
        mix(&k, info->size);
        for (const char *c = info->key; *c; c++)
            mix(&k, (uint8_t)*c);
        vec_push(&keys->objects, k);
    }
    return keys->objects.v[object.id];
}

/* In which order the operands stand depends on the pool. */
static bool commutes(ExprOp op)
{
    return op == EXPR_ADD || op == EXPR_MUL || op == EXPR_AND || op == EXPR_OR || op == EXPR_XOR ||
           op == EXPR_EQ;
}

/* Requires that the children have theirs. */
static void compute_expr(struct Keys *keys, const ExprPool *p, Expr e)
{
    ExprOp op = expr_op(p, e);
    VmKey k = {op + 1, expr_width(p, e) + 1};
    uint32_t offset = 0;
    bool addressed = false;
    switch (op) {
    case EXPR_CONST: {
        u128 value = expr_const_value(p, e);
        mix(&k, (uint64_t)value);
        mix(&k, (uint64_t)(value >> 64));
        addressed = expr_width(p, e) == 64 && looks_like_address((uint64_t)value);
        break;
    }
    case EXPR_SYMBOL:
        mix_key(&k, object_key(keys, p, expr_symbol_object(p, e, &offset)));
        mix(&k, offset);
        break;
    case EXPR_ARRAY_INPUT: mix_key(&k, object_key(keys, p, expr_array_object(p, (ExprArray){e.id}))); break;
    case EXPR_ARRAY_CONST: {
        uint32_t size = expr_array_size(p, (ExprArray){e.id});
        const uint8_t *bytes = expr_array_bytes(p, (ExprArray){e.id});
        for (uint32_t i = 0; i < size; i++)
            mix(&k, bytes[i]);
        break;
    }
    case EXPR_EXTRACT: mix(&k, expr_extract_low(p, e)); break;
    case EXPR_APPLY: {
        const char *name = expr_fn_name(p, expr_apply_fn(p, e));
        mix(&k, hash_bytes(name, strlen(name)));
        break;
    }
    default: break;
    }
    uint32_t n = expr_child_count(p, e);
    VmKey both = {0, 0};
    for (uint32_t i = 0; i < n; i++) {
        Expr child = expr_child(p, e, i);
        both.a += keys->exprs.v[child.id].a;
        both.b += keys->exprs.v[child.id].b;
        if (!commutes(op))
            mix_key(&k, keys->exprs.v[child.id]);
        addressed |= keys->addressed.n && map_get(&keys->addressed, child.id, NULL);
    }
    if (commutes(op))
        mix_key(&k, both);
    if (addressed)
        map_put(&keys->addressed, e.id, 1);
    k.b |= 1;
    keys->exprs.v[e.id] = k;
}

static VmKey expr_key(struct Keys *keys, const ExprPool *p, Expr e)
{
    if (keys->exprs.n < expr_pool_count(p)) {
        uint32_t n = expr_pool_count(p) + 1024, old = keys->exprs.n;
        vec_reserve(&keys->exprs, n);
        memset(keys->exprs.v + old, 0, (n - old) * sizeof *keys->exprs.v);
        keys->exprs.n = n;
    }
    if (keys->exprs.v[e.id].b)
        return keys->exprs.v[e.id];
    U32Vec work = {0};
    vec_push(&work, e.id);
    while (work.n) {
        Expr now = {vec_last(&work)};
        uint32_t n = expr_child_count(p, now), open = work.n;
        for (uint32_t i = 0; i < n; i++)
            if (!keys->exprs.v[expr_child(p, now, i).id].b)
                vec_push(&work, expr_child(p, now, i).id);
        if (work.n > open)
            continue;
        compute_expr(keys, p, now);
        work.n--;
    }
    vec_free(&work);
    return keys->exprs.v[e.id];
}

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
    keys->haunted |= keys->watched && mem_slot_of(word) == keys->watched;
    meet(vm, object_at(vm, word));
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

static void mix_expr(Vm *vm, VmKey *k, Expr e)
{
    struct Keys *keys = vm->sym->keys;
    mix_key(k, expr_key(keys, vm->sym->pool, e));
    if (keys->record)
        vec_push(keys->record, e.id);
    if (keys->addressed.n && map_get(&keys->addressed, e.id, NULL))
        meet_addressed(vm, e);
}

static void hash_byte(Vm *vm, const Object *o, uint64_t at, Contents *c)
{
    struct Keys *keys = vm->sym->keys;
    uint64_t cell = o->sym ? sym_cell(o, at) : 0;
    Expr e = {(uint32_t)cell};
    if (cell) {
        mix(&c->hash, at << 8 | cell >> 32);
        mix_key(&c->hash, expr_key(keys, vm->sym->pool, e));
        if (keys->addressed.n && map_get(&keys->addressed, e.id, NULL))
            vec_push(&c->exprs, e);
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

/* Eight bytes at a multiple of eight, and the addresses that begin between here and the next eight. */
static void hash_word(Vm *vm, const Object *o, uint64_t at, Contents *c)
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
    for (unsigned i = 1; i < 8 && at + i + 8 <= o->size; i++)
        if (o->data[at + i + 5] && !o->data[at + i + 6] && looks_like_address(word_at(o, at + i)))
            vec_push(&c->addresses, word_at(o, at + i));
}

static Contents hash_contents(Vm *vm, const Object *o)
{
    Contents c = {.payload = o->payload, .sym = o->sym, .hash = {o->size + 1, o->size + 3}};
    if (o->sym && o->sym->array.id) { /* for bytes without a cell */
        Expr array = expr_of_array(o->sym->array);
        mix_key(&c.hash, expr_key(vm->sym->keys, vm->sym->pool, array));
        if (map_get(&vm->sym->keys->addressed, array.id, NULL))
            vec_push(&c.exprs, array);
        for (uint64_t at = 0; at < o->size; at++)
            if (sym_cell(o, at))
                hash_byte(vm, o, at, &c);
        return c;
    }
    for (uint64_t at = 0; at < o->size; at += 8)
        if (at + 8 <= o->size)
            hash_word(vm, o, at, &c);
        else
            for (uint64_t i = at; i < o->size; i++)
                hash_byte(vm, o, i, &c);
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
    }
    vec_clear(&keys->contents);
    map_clear(&keys->index);
}

/* From now on the payload is shared, and a write makes another. */
static const Contents *contents_of(Vm *vm, Object *o)
{
    struct Keys *keys = vm->sym->keys;
    uint64_t at, key = hash_mix((uint64_t)(uintptr_t)o->payload, (uint64_t)(uintptr_t)o->sym);
    if (map_get(&keys->index, key, &at) && keys->contents.v[at - 1].payload == o->payload &&
        keys->contents.v[at - 1].sym == o->sym)
        return &keys->contents.v[at - 1];
    if (keys->contents.n >= CONTENTS_MOST)
        forget_contents(vm);
    vec_push(&keys->contents, hash_contents(vm, o));
    map_put(&keys->index, key, keys->contents.n);
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

/* For tests: what the hash stands for. */
static void record_contents(Vm *vm, const Object *o)
{
    U64Vec *record = vm->sym->keys->record;
    bool array = o->sym && o->sym->array.id;
    vec_push(record, array ? expr_of_array(o->sym->array).id : 0);
    for (uint64_t i = 0; i < o->size; i++) {
        uint64_t cell = o->sym ? sym_cell(o, i) : 0;
        vec_push(record, cell ? cell << 8 : array ? 0 : o->data[i]);
    }
}

static void mix_contents(Vm *vm, VmKey *k, Object *o)
{
    if (!o->payload)
        return;
    const Contents *c = contents_of(vm, o);
    mix_key(k, c->hash);
    if (vm->sym->keys->record)
        record_contents(vm, o);
    meet_contents(vm, o);
    for (uint64_t i = 0; o->nundef && o->undef && i < o->size; i++)
        if (o->undef[i])
            mix_state(vm, k, i << 8 | o->undef[i]);
}

static void mix_object(Vm *vm, VmKey *k, Object *o)
{
    mix_state(vm, k,
              (uint64_t)o->kind | o->death << 4 | o->constant << 8 | o->limited << 9 | o->written << 10 |
                  o->pointee << 11 | o->foreign << 12);
    mix_state(vm, k, o->size);
    if (o->limited)
        mix_expr(vm, k, sym_limit(vm, o));
    mix_state(vm, k, o->base);
    if (o->death == DEATH_NONE)
        mix_contents(vm, k, o);
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
    if (keys->record) { /* which has an order */
        for (uint32_t i = 0; i < keys->met.n; i++)
            meet_contents(vm, keys->met.v[i]);
        if (keys->met.n)
            qsort(keys->met.v, keys->met.n, sizeof *keys->met.v, by_address);
    }
    for (uint32_t i = 0; i < keys->met.n; i++) {
        VmKey one = {1, 2};
        mix_object(vm, &one, keys->met.v[i]);
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
    uint64_t at;
    if (map_get(&keys->image_of, o->index, &at))
        return keys->images.v[at];
    Object image = *o;
    image.payload = vm->images[o->index];
    image.data = image.payload ? image.payload->bytes : NULL;
    image.sym = NULL;
    Contents c = image.payload ? hash_contents(vm, &image) : (Contents){0};
    vec_free(&c.addresses);
    vec_free(&c.exprs);
    map_put(&keys->image_of, o->index, keys->images.n);
    vec_push(&keys->images, c.hash);
    return c.hash;
}

static void mix_globals(Vm *vm, VmKey *k)
{
    for (uint32_t i = 0; i < vm->variables.n; i++) {
        Object *o = &vm->globals[vm->variables.v[i]];
        if (!o->slot || (o->payload == vm->images[o->index] && !o->sym && !o->undef))
            continue;
        if (o->payload && !o->undef && same_key(contents_of(vm, o)->hash, image_key(vm, o)))
            continue;
        mix_state(vm, k, o->index);
        mix_object(vm, k, o);
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

static void mix_node(Vm *vm, VmKey *k, const Node *node)
{
    mix_state(vm, k, (uint64_t)node->given << 32 | node->kind);
    if (node->kind == NODE_FREE || node->kind == NODE_OUTPUT)
        return;
    mix_state(vm, k, node->mode);
    mix_state(vm, k, (uint64_t)node->names << 32 | node->opens);
    mix_state(vm, k, (uint64_t)node->readers << 32 | node->writers);
    mix_state(vm, k, (uint64_t)node->inode << 32 | node->input);
    mix_state(vm, k, node->size);
    mix_state(vm, k, node->head);
    if (node->kind != NODE_FILE && node->kind != NODE_PIPE)
        return;
    for (size_t i = node->head; i < node->size; i++)
        if (node->syms && node->syms[i])
            mix_expr(vm, k, (Expr){node->syms[i]});
        else
            mix_state(vm, k, node->data[i]);
}

static void mix_text(Vm *vm, VmKey *k, const char *text, size_t n)
{
    mix_state(vm, k, n);
    mix_state(vm, k, hash_bytes(text, n));
}

/* What waits in a buffer: of a symbolic value how it is printed, since its text is that of the run's input.
 */
static void mix_pending(Vm *vm, VmKey *k, const Pending *pending)
{
    const VmStream *stream = &pending->stream;
    const char *text = str_text(&stream->text);
    uint32_t at = 0;
    mix_state(vm, k, pending->limit);
    mix_state(vm, k, pending->lines);
    for (uint32_t i = 0; i < stream->items.n; i++) {
        const VmItem *item = &stream->items.v[i];
        if (!item->expr)
            continue;
        mix_text(vm, k, text + at, item->start - at);
        mix_state(vm, k, (uint64_t)item->width << 32 | (uint32_t)item->precision);
        mix_state(vm, k,
                  (uint64_t)item->skip << 32 | (uint32_t)item->size << 16 | item->flags << 8 |
                      (uint8_t)item->conversion);
        mix_expr(vm, k, (Expr){item->expr});
        at = item->start + item->length;
    }
    mix_text(vm, k, text + at, stream->text.n - at);
}

static void mix_open(Vm *vm, VmKey *k, const Open *o)
{
    bool output = o->descriptors && vm->files->nodes.v[o->node].kind == NODE_OUTPUT;
    mix_state(vm, k, (uint64_t)o->descriptors << 32 | o->node);
    mix_state(vm, k, (uint64_t)o->flags);
    mix_state(vm, k, output ? 0 : (uint64_t)o->offset);
    if (o->path)
        mix_text(vm, k, o->path, strlen(o->path));
}

static void mix_descriptor(Vm *vm, VmKey *k, const Descriptor *d)
{
    const VmFiles *f = vm->files;
    bool output = d->open && f->nodes.v[f->opens.v[d->open - 1].node].kind == NODE_OUTPUT;
    mix_state(vm, k, (uint64_t)d->open << 1 | d->close_on_exec);
    if (d->pending && !output)
        mix_pending(vm, k, d->pending);
}

static void mix_files(Vm *vm, VmKey *k)
{
    const VmFiles *f = vm->files;
    for (uint32_t i = 0; i < f->nodes.n; i++)
        mix_node(vm, k, &f->nodes.v[i]);
    for (uint32_t i = 0; i < f->opens.n; i++)
        mix_open(vm, k, &f->opens.v[i]);
    for (uint32_t i = 0; i < f->fds.n; i++)
        mix_descriptor(vm, k, &f->fds.v[i]);
    for (uint32_t i = 0; i < f->names.entries.n; i++) { /* their order is that of a directory */
        mix_state(vm, k, f->names.entries.v[i].live ? f->names.entries.v[i].value + 1 : 0);
        if (f->names.entries.v[i].live)
            mix_text(vm, k, f->names.entries.v[i].key, strlen(f->names.entries.v[i].key));
    }
    mix_text(vm, k, str_text(&f->cwd), f->cwd.n);
    mix_state(vm, k, f->inodes);
    mix_state(vm, k, f->random);
    mix_state(vm, k, f->in_size);
    mix_state(vm, k, (uint64_t)f->left);
    mix_state(vm, k, (uint64_t)f->out[0].error << 32 | (uint32_t)f->out[1].error);
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
        mix_expr(vm, k, e);
    } else {
        mix_word(vm, k, reg->word);
    }
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
        mix_key(k, vm->sym->keys->path);
        for (uint32_t i = 0; i < (fn->frame_bytes - sizeof(Frame)) / sizeof(Reg); i++)
            meet_address(vm, regs[i].word);
    }
    meet(vm, frame->varargs);
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
            mix_key(&keys->output, expr_key(keys, vm->sym->pool, t->output_bytes.v[o->first + i]));
    }
    mix_key(k, keys->output);
}

static VmKey state_key(Vm *vm)
{
    struct Keys *keys = vm->sym->keys;
    unsigned off = vm->sym->options.rules_off;
    VmKey k = keys->start;
    keys->epoch++;
    vec_clear(&keys->met);
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

static bool is_maker(const IrProgram *program, uint32_t fn)
{
    static const char *const prefixes[] = {"sheaf_", "klee_", "__VERIFIER_", "nondet_"};
    const char *name = ir_text(program, program->fns.v[fn].name);
    for (unsigned i = 0; i < COUNT_OF(prefixes); i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
            return true;
    return false;
}

static bool takes_address_of_maker(const IrProgram *program, const IrFn *fn)
{
    for (uint32_t r = 0; r < fn->regs.n; r++) {
        const IrConst *c = ir_reg_const_of(fn, r);
        if (c && c->kind == IR_CONST_FN && is_maker(program, c->index))
            return true;
    }
    return false;
}

/* Is an input made there, and perhaps more than once? */
static bool makes_inputs(const IrProgram *program, const IrFn *fn, bool callbacks)
{
    bool once = !strcmp(ir_text(program, fn->name), "main") && fn->loop_of.n == fn->blocks.n;
    if (takes_address_of_maker(program, fn))
        return true;
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            bool here =
                insn->op == IR_CALL ? is_maker(program, insn->a) : callbacks && insn->op == IR_CALLPTR;
            if (here && !(once && fn->loop_of.v[b] == IR_NONE))
                return true;
        }
    return false;
}

/* Inputs that calls make are named by where and when that was. Where such a call may come again, states of
 * different iterations are different: they will read different inputs. */
static bool names_inputs(const Vm *vm)
{
    const IrProgram *program = vm->program;
    bool entry = vm->sym->options.inputs.entry != NULL; /* its callbacks return inputs */
    for (uint32_t f = 0; f < program->fns.n; f++)
        if ((entry || !program->fns.v[f].runtime) && program->fns.v[f].defined &&
            makes_inputs(program, &program->fns.v[f], entry))
            return true;
    return vm->sym->options.inputs.environment != 0;
}

/* ---- for a run ------------------------------------------------------------------------------- */

/* What one instruction decides in a row has one state: the earlier ones tell them apart. */
static VmKey behind_last(Vm *vm)
{
    const VmTrace *t = vm->sym->trace;
    VmKey k = {3, 5};
    if (t->decisions.n) {
        k = t->keys.v[t->decisions.n - 1];
        mix_key(&k, expr_key(vm->sym->keys, vm->sym->pool, vec_last(&t->decisions).holds));
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
    vec_push(&s->trace->keys, k);
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
    mix_key(&keys->path, expr_key(keys, p, d->holds));
    if (!inputs->entry && !inputs->all_globals && !inputs->globals.n)
        return;
    if (d->entailed || (d->kind != VM_DECISION_INPUT && !is_about_pointers(vm, d->holds)))
        return;
    VmKey k = expr_key(keys, p, d->holds);
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
    vm->sym->keys->outputs = 0;
    map_clear(&vm->sym->keys->equal);
    map_clear(&vm->sym->keys->slots);
    vm->sym->keys->resumed = false;
}

void sym_key_start(Vm *vm, bool on)
{
    vm->sym->keys->starting = on;
    vm->sym->keys->start = behind_last(vm);
}

VmKey sym_key_started(const Vm *vm) { return vm->sym->keys->start; }
void sym_key_restart(Vm *vm, VmKey start)
{
    vm->sym->keys->start = start;
    vm->sym->keys->resumed = true;
}

bool vm_sym_keyed(const Vm *vm) { return vm->sym->keys != NULL; }

void sym_keys_new(Vm *vm) { vm->sym->keys = mem_zalloc(sizeof *vm->sym->keys); }

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
    map_free(&keys->addressed);
    map_free(&keys->equal);
    map_free(&keys->index);
    map_free(&keys->slots);
    map_free(&keys->states);
    for (uint32_t i = 0; i < keys->deep.n; i++)
        vec_free(&keys->deep.v[i]);
    vec_free(&keys->deep);
    map_free(&keys->image_of);
    vec_free(&keys->images);
    mem_free(keys);
    vm->sym->keys = NULL;
}
