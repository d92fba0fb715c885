/* globals.c - what is in memory before the first instruction: globals, functions, arguments, environment.
 *
 * Addresses of globals and functions follow from their tags, so they are the same in every run of a machine
 * (and prepared code may hold them as immediates). Their initial bytes are made once and shared
 * copy-on-write. */
#include "vm/labels/label.h"

/* ---- addresses ------------------------------------------------------------------------------- */

/* A function's object has a byte for each block, after 16 of its own: label differences are small, as
 * natively. */
enum { BLOCKS_AT = 16 };

uint64_t vm_block_base(const Vm *vm, uint32_t fn) { return vm->fn_objects[fn].base + BLOCKS_AT; }

uint64_t vm_const_address(const Vm *vm, const IrConst *c)
{
    switch (c->kind) {
    case IR_CONST_GLOBAL: return vm->globals[c->index].base + (uint64_t)c->bits;
    case IR_CONST_FN: return vm->fn_objects[c->index].base + (uint64_t)c->bits;
    case IR_CONST_BLOCK: return vm_block_base(vm, c->index) + c->block + (uint64_t)c->bits;
    default: return (uint64_t)c->bits;
    }
}

FnCode *vm_fn_at(Vm *vm, uint64_t address)
{
    const Object *o = mem_find(&vm->mem, address);
    return o && o->kind == OBJECT_FN && o->base == address ? &vm->fns[o->index] : NULL;
}

/* ---- globals --------------------------------------------------------------------------------- */

static void enter_global(Vm *vm, uint32_t i)
{
    const IrGlobal *g = &vm->program->globals.v[i];
    Object *o = &vm->globals[i];
    Payload *image = vm->images[i];
    uint64_t align = g->align ? g->align : 1;
    if (image)
        image->refs++;
    mem_new_pinned(&vm->mem, o, OBJECT_GLOBAL, hash_mix(ir_global_tag(vm->program, i), OBJECT_GLOBAL),
                   g->defined ? g->size : 0, align & (align - 1) ? 1 : align, image);
    o->constant = g->constant;
    o->external = !g->defined;
    o->index = i;
    o->name = g->name;
    o->site = g->site;
    if (vm->lab)
        o->class = flow_object_of_global(vm->now.flow, i);
    mem_refresh(o);
}

static void enter_fn(Vm *vm, uint32_t i)
{
    const IrFn *fn = &vm->program->fns.v[i];
    Object *o = &vm->fn_objects[i];
    mem_new_pinned(&vm->mem, o, OBJECT_FN, hash_mix(ir_fn_tag(vm->program, i), OBJECT_FN),
                   BLOCKS_AT + fn->blocks.n, 16, NULL);
    o->index = i;
    o->name = fn->name;
    o->site = fn->site;
    if (vm->lab)
        o->class = flow_object_of_fn(vm->now.flow, i);
}

static void relocate(Vm *vm, const IrGlobal *g, Payload *image)
{
    for (uint32_t i = 0; i < g->relocs.n; i++) {
        const IrReloc *r = &g->relocs.v[i];
        uint64_t address = vm_const_address(vm, &r->value);
        if (r->offset + 8 > g->size || r->offset + 8 < 8)
            bug("relocation outside of `%s`", ir_text(vm->program, g->name));
        memcpy(image->bytes + r->offset, &address, 8);
    }
}

void vm_globals_make(Vm *vm)
{
    const IrProgram *program = vm->program;
    vm->globals = mem_structs(&vm->mem, program->globals.n);
    vm->fn_objects = mem_structs(&vm->mem, program->fns.n);
    vm->images = mem_zalloc(program->globals.n * sizeof *vm->images + 1);
    for (uint32_t i = 0; i < program->globals.n; i++) {
        const IrGlobal *g = &program->globals.v[i];
        if (!g->constant)
            vec_push(&vm->variables, i);
        if (!g->defined)
            continue;
        if (!mem_class(g->size, g->align ? g->align : 1) || !mem_fits(&vm->mem, g->size))
            die("global `%s` of %llu bytes exceeds the memory limit: --max-memory", ir_text(program, g->name),
                (unsigned long long)g->size);
        vm->images[i] = payload_new(&vm->mem, g->size);
        if (g->bytes)
            memcpy(vm->images[i]->bytes, g->bytes, g->size);
    }
    vm_globals_enter(vm); /* addresses exist from here on */
    for (uint32_t i = 0; i < program->globals.n; i++)
        if (vm->images[i])
            relocate(vm, &program->globals.v[i], vm->images[i]);
}

void vm_globals_enter(Vm *vm)
{
    for (uint32_t i = 0; i < vm->program->fns.n; i++)
        enter_fn(vm, i);
    for (uint32_t i = 0; i < vm->program->globals.n; i++)
        enter_global(vm, i);
}

void vm_globals_free(Vm *vm)
{
    for (uint32_t i = 0; i < vm->program->globals.n; i++)
        if (vm->images[i])
            payload_drop(&vm->mem, vm->images[i]);
    mem_free(vm->images);
    vec_free(&vm->variables);
}

/* ---- arguments and environment --------------------------------------------------------------- */

static Object *made(Vm *vm, const char *what, uint64_t number, uint64_t size)
{
    uint64_t name = hash_mix(hash_bytes(what, strlen(what)), number);
    Object *o = mem_new(&vm->mem, OBJECT_GLOBAL, name, size, 16, payload_new(&vm->mem, size));
    o->index = IR_NONE;
    if (vm->lab)
        o->class = flow_object_of_args(vm->now.flow);
    return o;
}

static uint64_t strings(Vm *vm, const char *what, const char *const *text, uint32_t n)
{
    Object *vector = made(vm, what, UINT64_MAX, (n + 1) * 8ull);
    for (uint32_t i = 0; i < n; i++) {
        size_t size = strlen(text[i]) + 1;
        Object *o = made(vm, what, i, size);
        memcpy(o->data, text[i], size);
        memcpy(vector->data + 8ull * i, &o->base, 8);
    }
    return vector->base;
}

static void set_environ(Vm *vm, const char *name)
{
    uint32_t i = ir_global_find(vm->program, name);
    if (i == IR_NONE)
        return;
    Object *o = &vm->globals[i];
    if (o->external) { /* it is undefined: it is ours */
        o->external = false;
        o->size = 8;
        o->payload = payload_new(&vm->mem, 8);
        o->data = o->payload->bytes;
        vm->mem.live += 8;
    }
    if (o->size < 8)
        return;
    mem_unshare(&vm->mem, o);
    memcpy(o->data, &vm->envp, 8);
}

void vm_environment_enter(Vm *vm, const VmEnvironment *environment)
{
    uint32_t n = 0;
    while (environment->envp && environment->envp[n])
        n++;
    vm->argv =
        strings(vm, "argv", environment->argv, (uint32_t)(environment->argc > 0 ? environment->argc : 0));
    vm->envp = strings(vm, "envp", environment->envp, n);
    set_environ(vm, "environ");
    set_environ(vm, "__environ");
    set_environ(vm, "_environ");
}

bool vm_global_bytes(Vm *vm, const char *name, Str *out)
{
    uint32_t i = ir_global_find(vm->program, name);
    if (i == IR_NONE || !vm->globals[i].data)
        return false;
    str_add_n(out, (const char *)vm->globals[i].data, vm->globals[i].size);
    return true;
}
