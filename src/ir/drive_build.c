/* drive_build.c - the driver of a drive, as a function of the program.
 *
 *     if (h) {
 *         h = one of the constructors;  if (!h) this run is of no interest
 *         up to `calls` times: one of the mutators, or none and no more of them
 *     }
 *     return entry(..., h, ...)
 */
#include "ir/ir.h"

typedef struct Build {
    IrProgram *p;
    IrDrive *d;
    Arena *arena;
    uint32_t f, block;
    uint32_t number; /* ctype of a choice */
    uint32_t group;
    uint32_t bound; /* the register that holds it */
    uint32_t end;   /* block of runs that are of no interest */
    U32Vec
        first; /* first registers: of the choices and of each call's parameters, in the order of the body */
    uint32_t next;
} Build;

static IrFn *driver(const Build *b) { return &b->p->fns.v[b->f]; }
static const IrFn *maker_fn(const Build *b, const IrMaker *m) { return &b->p->fns.v[m->fn]; }

/* ---- parameters ------------------------------------------------------------------------------ */

static void note_param(Build *b, uint32_t slot, uint32_t handle)
{
    vec_push(&b->d->params, ((IrDriveParam){.group = b->group, .slot = slot, .handle = handle}));
}

static uint32_t handle_at(const IrDrive *d, uint32_t number)
{
    for (uint32_t i = 0; i < d->handles.n; i++)
        if (d->handles.v[i].number == number)
            return i;
    return IR_NONE;
}

static void add_entry_params(Build *b, const IrFn *entry)
{
    uint32_t number = 0;
    for (uint32_t i = 0, n; i < entry->nparams; i += n) {
        bool sret = ir_param(entry, i).kind == IR_PARAM_SRET;
        n = ir_param_parts(entry, i);
        for (uint32_t k = i; k < i + n; k++) {
            uint32_t name = entry->regs.v[k].name;
            ir_reg_param(b->p, driver(b), entry->regs.v[k].width, name ? ir_text(b->p, name) : NULL);
            ir_param_set(driver(b), k, ir_param(entry, k));
            note_param(b, IR_NONE, sret ? IR_NONE : handle_at(b->d, number));
        }
        number += !sret;
    }
    for (uint32_t i = 0; i < entry->ctypes.n; i++)
        vec_push(&driver(b)->ctypes, entry->ctypes.v[i]);
}

static void add_choice(Build *b, const IrHandle *h, uint32_t slot)
{
    b->group++;
    vec_push(&b->first, ir_reg_param(b->p, driver(b), 32, ir_drive_choice(h, slot, b->arena)));
    vec_push(&driver(b)->ctypes, b->number);
    note_param(b, slot, IR_NONE);
}

static const IrCType *type_of(const Build *b, const IrFn *fn, uint32_t number)
{
    static const IrCType unknown = {.kind = IR_C_UNKNOWN};
    uint32_t type = number + 1 < fn->ctypes.n ? fn->ctypes.v[number + 1] : 0;
    return type ? &b->p->ctypes.v[type] : &unknown;
}

static bool is_length(const Build *b, const IrFn *fn, uint32_t number, const char *name)
{
    const IrCType *t = type_of(b, fn, number);
    return (t->kind == IR_C_INT || t->kind == IR_C_UINT) && (t->size == 4 || t->size == 8) &&
           ir_name_is_length(name);
}

/* Those of a call, but for the handle. */
static void add_call_params(Build *b, const IrMaker *m, uint32_t handle, uint32_t slot)
{
    const IrFn *fn = maker_fn(b, m);
    uint32_t number = 0;
    b->group++;
    vec_push(&b->first, driver(b)->nparams);
    for (uint32_t i = 0, n; i < fn->nparams; i += n, number++) {
        n = ir_param_parts(fn, i);
        if (number == m->place && m->kind != IR_MAKER_RETURNS)
            continue;
        const char *own =
            fn->regs.v[i].name ? ir_text(b->p, fn->regs.v[i].name) : arena_printf(b->arena, "arg%u", number);
        const char *name = ir_drive_argument(b->d, m, handle, slot, own, b->arena);
        for (uint32_t k = i; k < i + n; k++) {
            uint32_t reg = ir_reg_param(b->p, driver(b), fn->regs.v[k].width, name);
            ir_param_set(driver(b), reg, ir_param(fn, k));
            note_param(b, slot, IR_NONE);
        }
        vec_last(&b->d->params).is_length = is_length(b, fn, number, own);
        vec_last(&b->d->params).is_counted = number && type_of(b, fn, number - 1)->kind == IR_C_POINTER;
        vec_push(&driver(b)->ctypes, number + 1 < fn->ctypes.n ? fn->ctypes.v[number + 1] : 0);
    }
}

static void add_params(Build *b, const IrFn *entry)
{
    add_entry_params(b, entry);
    b->group++;
    b->bound = ir_reg_param(b->p, driver(b), 64, NULL);
    vec_push(&driver(b)->ctypes, b->number);
    note_param(b, IR_NONE, IR_NONE);
    vec_last(&b->d->params).is_bound = true;
    for (uint32_t i = 0; i < b->d->handles.n; i++) {
        const IrHandle *h = &b->d->handles.v[i];
        if (h->constructors.n > 1)
            add_choice(b, h, IR_NONE);
        for (uint32_t k = 0; k < h->constructors.n; k++)
            add_call_params(b, &h->constructors.v[k], i, IR_NONE);
        for (uint32_t slot = 0; h->mutators.n && slot < b->d->calls; slot++) {
            add_choice(b, h, slot);
            for (uint32_t k = 0; k < h->mutators.n; k++)
                add_call_params(b, &h->mutators.v[k], i, slot);
        }
    }
}

/* ---- body ------------------------------------------------------------------------------------ */

static void emit(Build *b, uint32_t block, IrInsn insn)
{
    insn.site = b->p->fns.v[b->f].site;
    ir_emit(driver(b), block, insn);
}

static uint32_t new_block(Build *b) { return ir_block_add(b->p, driver(b), NULL); }

static void jump(Build *b, uint32_t from, uint32_t to)
{
    emit(b, from, (IrInsn){.op = IR_JMP, .dst = IR_NONE, .a = to});
}

static void branch_if_null(Build *b, uint32_t block, uint32_t reg, uint32_t yes, uint32_t no)
{
    uint32_t is = ir_reg_result(b->p, driver(b), 1, NULL), zero = ir_reg_int(b->p, driver(b), 64, 0);
    emit(b, block, (IrInsn){.op = IR_EQ, .width = 1, .dst = is, .a = reg, .b = zero});
    emit(b, block, (IrInsn){.op = IR_BR, .width = 1, .dst = IR_NONE, .a = is, .b = yes, .c = no});
}

/* `list`: pairs of a block and the register that comes from there. */
static uint32_t phi(Build *b, uint32_t block, const U32Vec *list)
{
    U32Vec all = {0};
    vec_push(&all, list->n / 2);
    for (uint32_t i = 0; i < list->n; i++)
        vec_push(&all, list->v[i]);
    uint32_t reg = ir_reg_result(b->p, driver(b), 64, NULL);
    emit(b, block,
         (IrInsn){.op = IR_PHI, .width = 64, .dst = reg, .a = ir_extra_add(driver(b), all.v, all.n)});
    vec_free(&all);
    return reg;
}

static void push_pair(U32Vec *list, uint32_t block, uint32_t reg)
{
    vec_push(list, block);
    vec_push(list, reg);
}

/* Calls with these arguments; the results are in *results. */
static void call(Build *b, uint32_t block, uint32_t fn, const U32Vec *args, U32Vec *results)
{
    U32Vec list = {0};
    vec_push(&list, b->p->fns.v[fn].results.n);
    for (uint32_t i = 0; i < b->p->fns.v[fn].results.n; i++) {
        uint32_t reg = ir_reg_result(b->p, driver(b), b->p->fns.v[fn].results.v[i], NULL);
        vec_push(results, reg);
        vec_push(&list, reg);
    }
    vec_push(&list, args->n);
    for (uint32_t i = 0; i < args->n; i++)
        vec_push(&list, args->v[i]);
    vec_push(&list, 0);
    emit(b, block,
         (IrInsn){.op = IR_CALL, .dst = IR_NONE, .a = fn, .b = ir_extra_add(driver(b), list.v, list.n)});
    vec_free(&list);
}

/* A run that comes there is of no interest. */
static uint32_t end_block(Build *b)
{
    uint32_t block = new_block(b);
    U32Vec args = {0}, none = {0};
    vec_push(&args, ir_reg_int(b->p, driver(b), 64, 0));
    call(b, block, ir_fn_find(b->p, "__sheaf_assume"), &args, &none);
    emit(b, block, (IrInsn){.op = IR_UNREACHABLE, .dst = IR_NONE});
    vec_free(&args);
    return block;
}

static uint32_t room(Build *b, uint64_t size)
{
    uint32_t reg = ir_reg_result(b->p, driver(b), 64, NULL), bytes = ir_reg_int(b->p, driver(b), 64, size);
    emit(b, 0, (IrInsn){.op = IR_ALLOCA, .width = 64, .flags = IR_FIXED, .dst = reg, .a = bytes, .b = 16});
    return reg;
}

/* Goes on in another block if a length is not too large. */
static void check_length(Build *b, uint32_t *block, uint32_t reg)
{
    uint32_t n = reg, next = new_block(b), ok = ir_reg_result(b->p, driver(b), 1, NULL);
    if (driver(b)->regs.v[reg].width < 64) {
        n = ir_reg_result(b->p, driver(b), 64, NULL);
        emit(b, *block, (IrInsn){.op = IR_ZEXT, .width = 64, .dst = n, .a = reg});
    }
    emit(b, *block, (IrInsn){.op = IR_ULE, .width = 1, .dst = ok, .a = n, .b = b->bound});
    emit(b, *block, (IrInsn){.op = IR_BR, .width = 1, .dst = IR_NONE, .a = ok, .b = next, .c = b->end});
    *block = next;
}

/* Calls a constructor or mutator in the block, or in others behind it; gives the handle that there is
 * afterwards. `handle`: what it gets in its place, or the address where it puts it. */
static uint32_t call_maker(Build *b, uint32_t *block, const IrMaker *m, uint32_t handle)
{
    const IrFn *fn = maker_fn(b, m);
    U32Vec args = {0}, results = {0};
    uint32_t reg = b->first.v[b->next++], number = 0, after = handle;
    for (uint32_t i = 0, n; i < fn->nparams; i += n, number++) {
        n = ir_param_parts(fn, i);
        bool placed = number == m->place && m->kind != IR_MAKER_RETURNS;
        for (uint32_t k = 0; k < n; k++) {
            if (!placed && b->d->params.v[reg].is_length)
                check_length(b, block, reg);
            vec_push(&args, placed ? handle : reg++);
        }
    }
    if (m->kind == IR_MAKER_OUT)
        emit(b, *block,
             (IrInsn){.op = IR_STORE,
                      .width = 64,
                      .dst = IR_NONE,
                      .a = handle,
                      .b = ir_reg_int(b->p, driver(b), 64, 0),
                      .c = 8});
    call(b, *block, m->fn, &args, &results);
    if (m->kind == IR_MAKER_OUT) {
        after = ir_reg_result(b->p, driver(b), 64, NULL);
        emit(b, *block, (IrInsn){.op = IR_LOAD, .width = 64, .dst = after, .a = handle, .b = 8});
    } else if (m->kind != IR_MAKER_INIT) {
        after = results.v[0];
    }
    vec_free(&args);
    vec_free(&results);
    return after;
}

/* Ends the block with a switch to one new block for each of the values from `from` on, and to `others`. The
 * blocks are consecutive; gives the first. */
static uint32_t choose(Build *b, uint32_t block, uint32_t from, uint32_t n, uint32_t others)
{
    U32Vec list = {0};
    uint32_t choice = b->first.v[b->next++], first = driver(b)->blocks.n;
    vec_push(&list, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t to = new_block(b);
        push_pair(&list, ir_reg_int(b->p, driver(b), 32, from + i), to);
    }
    emit(b, block,
         (IrInsn){.op = IR_SWITCH,
                  .width = 32,
                  .dst = IR_NONE,
                  .a = choice,
                  .b = ir_extra_add(driver(b), list.v, list.n),
                  .c = others});
    vec_free(&list);
    return first;
}

/* From b->block on; leaves the block behind them there, and gives the handle. */
static uint32_t construct(Build *b, const IrHandle *h)
{
    U32Vec made = {0};
    uint32_t first = new_block(b), joined = new_block(b), from = b->block, blocks = first;
    if (h->constructors.n > 1)
        blocks = choose(b, from, 1, h->constructors.n - 1, first) - 1;
    else
        jump(b, from, first);
    for (uint32_t i = 0; i < h->constructors.n; i++) {
        const IrMaker *m = &h->constructors.v[i];
        uint32_t block = i ? blocks + i : first, at = 0;
        if (m->kind != IR_MAKER_RETURNS)
            at = room(b, m->kind == IR_MAKER_OUT ? 8 : h->size);
        uint32_t made_here = call_maker(b, &block, m, at);
        push_pair(&made, block, made_here);
        jump(b, block, joined);
    }
    uint32_t handle = phi(b, joined, &made);
    b->block = new_block(b);
    branch_if_null(b, joined, handle, b->end, b->block);
    vec_free(&made);
    return handle;
}

/* One of the mutators, or none of these and no more: then control goes to `done`, which *ready tells. */
static uint32_t mutate(Build *b, const IrHandle *h, uint32_t handle, uint32_t done, U32Vec *ready)
{
    U32Vec after = {0};
    uint32_t block = choose(b, b->block, 1, h->mutators.n, done);
    push_pair(ready, b->block, handle);
    uint32_t next = new_block(b);
    for (uint32_t i = 0; i < h->mutators.n; i++) {
        uint32_t from = block + i, reg = call_maker(b, &from, &h->mutators.v[i], handle);
        if (h->mutators.v[i].kind == IR_MAKER_MOVES) {
            uint32_t moved = new_block(b);
            branch_if_null(b, from, reg, b->end, moved);
            from = moved;
        }
        jump(b, from, next);
        push_pair(&after, from, reg);
    }
    handle = phi(b, next, &after);
    b->block = next;
    vec_free(&after);
    return handle;
}

/* From b->block on; gives the register that is the argument. */
static uint32_t make_handle(Build *b, uint32_t i, uint32_t param)
{
    const IrHandle *h = &b->d->handles.v[i];
    U32Vec ready = {0}, all = {0};
    uint32_t start = b->block, joined = new_block(b), done = new_block(b);
    b->block = new_block(b);
    branch_if_null(b, start, param, joined, b->block);
    uint32_t handle = construct(b, h);
    for (uint32_t slot = 0; h->mutators.n && slot < b->d->calls; slot++)
        handle = mutate(b, h, handle, done, &ready);
    push_pair(&ready, b->block, handle);
    jump(b, b->block, done);
    uint32_t made = phi(b, done, &ready);
    jump(b, done, joined);
    push_pair(&all, start, param);
    push_pair(&all, done, made);
    uint32_t argument = phi(b, joined, &all);
    b->block = joined;
    vec_free(&ready);
    vec_free(&all);
    return argument;
}

static void add_body(Build *b, uint32_t entry)
{
    U32Vec args = {0}, results = {0}, list = {0};
    uint32_t nparams = b->p->fns.v[entry].nparams;
    new_block(b);
    b->end = end_block(b);
    b->block = new_block(b);
    uint32_t start = b->block;
    for (uint32_t i = 0; i < nparams; i++) {
        uint32_t handle = b->d->params.v[i].handle;
        vec_push(&args, handle == IR_NONE ? i : make_handle(b, handle, i));
    }
    call(b, b->block, entry, &args, &results);
    vec_push(&list, results.n);
    for (uint32_t i = 0; i < results.n; i++)
        vec_push(&list, results.v[i]);
    emit(b, b->block, (IrInsn){.op = IR_RET, .dst = IR_NONE, .a = ir_extra_add(driver(b), list.v, list.n)});
    jump(b, 0, start); /* behind the rooms */
    vec_free(&args);
    vec_free(&results);
    vec_free(&list);
}

void ir_drive_build(IrProgram *p, IrDrive *d)
{
    Build b = {.p = p, .d = d, .arena = arena_new()};
    uint32_t entry = ir_fn_find(p, d->entry);
    ir_fn_get(p, "__sheaf_assume");
    b.f = ir_fn_get(p, arena_printf(b.arena, "%s.driver", d->entry));
    vec_push(&p->ctypes, ((IrCType){.kind = IR_C_INT, .size = 4}));
    b.number = p->ctypes.n - 1;
    IrFn *fn = driver(&b);
    fn->defined = fn->driver = true;
    fn->site = p->fns.v[entry].site;
    for (uint32_t i = 0; i < p->fns.v[entry].results.n; i++)
        vec_push(&fn->results, p->fns.v[entry].results.v[i]);
    add_params(&b, &p->fns.v[entry]);
    add_body(&b, entry);
    ir_fn_index(driver(&b));
    d->fn = b.f;
    p->drive = d;
    vec_free(&b.first);
    arena_free(b.arena);
}
