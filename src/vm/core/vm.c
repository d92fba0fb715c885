/* vm.c - the machine: made for a program, run from an entry to an ending. */
#include "vm/symbolic/sym.h"

#include <sys/mman.h>

enum { FRAMES_DEFAULT = 1 << 18 };
static const size_t stack_bytes = (size_t)1 << 30; /* of registers; only what is used is backed by memory */
static const uint64_t memory_default = (uint64_t)2 << 30, stack_default = (uint64_t)8 << 20;

VmFiles *vm_files(Vm *vm)
{
    vm->files_touched = true;
    return vm->files;
}

/* ---- functions ------------------------------------------------------------------------------- */

static PrimFn prim_by_name(const char *name)
{
    static const struct {
        const char *name;
        PrimFn fn;
    } prims[] = {
#define PRIM(name, handler) {#name, handler},
#include "vm/core/prim.def"
#undef PRIM
    };
    for (size_t i = 0; i < COUNT_OF(prims); i++)
        if (!strcmp(name, prims[i].name))
            return prims[i].fn;
    return NULL;
}

static void fns_make(Vm *vm)
{
    const IrProgram *program = vm->program;
    vm->fns = mem_zalloc(program->fns.n * sizeof *vm->fns + 1);
    for (uint32_t i = 0; i < program->fns.n; i++) {
        const IrFn *ir = &program->fns.v[i];
        const char *name = ir_text(program, ir->name);
        FnCode *fn = &vm->fns[i];
        fn->index = i;
        fn->code = &vm->stub;
        fn->signature = vm_fn_signature(ir);
        fn->hash = ir_fn_tag(program, i);
        if (!ir->defined) {
            fn->prim = prim_by_name(name);
            fn->pure = vm_pure_find(name);
        }
    }
}

static void fn_free(Vm *vm, FnCode *fn)
{
    for (uint32_t i = 0; i < fn->enter.nlocals; i++)
        mem_pool_drain(&vm->mem, &fn->enter.locals[i].pool);
    vec_free(&fn->calls);
    arena_free(fn->arena);
}

/* ---- the first frame ------------------------------------------------------------------------- */

/* Registers of the first frame. */
enum { BOOT_ARGC, BOOT_ARGV, BOOT_ENVP, BOOT_STATUS, BOOT_TRASH, BOOT_REGS = BOOT_TRASH + 2 };
#define BOOT_AT(reg) ((reg) * (uint32_t)sizeof(Reg))

static void boot_call(Vm *vm, Code *at, uint32_t fn, uint32_t nargs, uint32_t result)
{
    Arena *a = vm->boot.arena;
    CallInfo *call = arena_alloc(a, sizeof *call);
    static const uint8_t widths[] = {32, 64, 64};
    call->target = &vm->fns[fn];
    call->advance = vm->boot.frame_bytes;
    call->id = hash_mix(vm->fns[fn].hash, 1);
    call->nargs = nargs;
    call->args = arena_alloc(a, (nargs + 1) * sizeof *call->args);
    for (uint32_t i = 0; i < nargs; i++)
        call->args[i] = (CallArg){.reg = BOOT_AT(i), .width = widths[i]};
    call->dst = arena_alloc(a, sizeof *call->dst);
    if (result != BOOT_TRASH) {
        call->ndst = 1;
        call->dst[0] = (CallArg){.reg = BOOT_AT(result), .width = 32};
    }
    RegList *results = arena_alloc(a, sizeof *results + 2 * sizeof *results->reg);
    results->n = 2;
    results->reg[0] = BOOT_AT(result);
    results->reg[1] = BOOT_AT(BOOT_TRASH);
    call->results = results;
    *at = (Code){.go = vm->labels[CODE_CALL_SLOW], .d = BOOT_AT(result), .call = call};
}

/* Completes globals, then runs the runtime's start (which runs constructors, main and exit), or without a
 * runtime constructors and main. */
static void boot_make(Vm *vm)
{
    const IrProgram *program = vm->program;
    FnCode *boot = &vm->boot;
    uint32_t start = ir_fn_find(program, "__sheaf_start"), entry = ir_fn_find(program, "main"), n = 0;
    bool runtime = start != IR_NONE && program->fns.v[start].defined;
    if (!runtime && (entry == IR_NONE || !program->fns.v[entry].defined))
        die("the program has no function main");
    boot->arena = arena_new();
    boot->index = IR_NONE;
    boot->frame_bytes = (uint32_t)(BOOT_REGS * sizeof(Reg) + sizeof(Frame));
    boot->code = boot->start = arena_alloc(boot->arena, (program->constructors.n + 3) * sizeof(Code));
    if (program->init != IR_NONE)
        boot_call(vm, &boot->start[n++], program->init, 0, BOOT_TRASH);
    for (uint32_t i = 0; !runtime && i < program->constructors.n; i++)
        boot_call(vm, &boot->start[n++], program->constructors.v[i], 0, BOOT_TRASH);
    boot_call(vm, &boot->start[n++], runtime ? start : entry, 3, BOOT_STATUS);
    boot->start[n++] = (Code){.go = vm->labels[CODE_HALT], .a = BOOT_AT(BOOT_STATUS)};
    boot->ncode = n;
}

static void boot_enter(Vm *vm, const VmEnvironment *environment)
{
    Reg *regs = (Reg *)(vm->stack + sizeof(Frame));
    *FRAME(regs) = (Frame){.fn = &vm->boot, .path = 1, .serial = ++vm->frame_serial};
    memset(regs, 0, BOOT_REGS * sizeof *regs);
    regs[BOOT_ARGC].word = (uint32_t)(environment->argc > 0 ? environment->argc : 0);
    regs[BOOT_ARGV].word = vm->argv;
    regs[BOOT_ENVP].word = vm->envp;
    vm->regs = regs;
    vm->pc = vm->boot.code;
}

/* ---- the machine ----------------------------------------------------------------------------- */

Vm *vm_new(const IrProgram *program, const VmOptions *options)
{
    Vm *vm = mem_zalloc(sizeof *vm);
    vm->program = program;
    vm->options = *options;
    if (!vm->options.max_frames)
        vm->options.max_frames = FRAMES_DEFAULT;
    vm->shadows = options->checks >> VM_FAULT_UNINIT & 1;
    vm->labels = vm->shadows ? vm_step_shadow(NULL) : vm_step_plain(NULL);
    vm->stub.go = vm->labels[CODE_PREPARE];
    vm->names = intern_new();
    vm->varargs_name = vm_name_add(vm, "...");
    mem_init(&vm->mem, options->max_memory ? options->max_memory : memory_default,
             options->max_stack ? options->max_stack : stack_default, vm->shadows);
    vm->none = mem_structs(&vm->mem, 1);
    vm->stack =
        mmap(NULL, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (vm->stack == MAP_FAILED)
        die("no memory for the machine's stack");
    vm->stack_end = vm->stack + stack_bytes - 4096;
    fns_make(vm);
    vm_globals_make(vm);
    boot_make(vm);
    vm->files = vm_files_new();
    vm->resident = memory_resident();
    return vm;
}

void vm_use_shadows(Vm *vm)
{
    mem_reset(&vm->mem);
    vm->shadows = true;
    vm->labels = vm->lab ? vm_step_labels(NULL) : vm_step_shadow(NULL);
    vm->stub.go = vm->labels[CODE_PREPARE];
    for (uint32_t i = 0; i < vm->program->fns.n; i++) {
        FnCode *fn = &vm->fns[i], kept = *fn;
        fn_free(vm, fn);
        *fn = (FnCode){.index = i,
                       .code = &vm->stub,
                       .signature = kept.signature,
                       .hash = kept.hash,
                       .prim = kept.prim,
                       .pure = kept.pure,
                       .abstract = kept.abstract};
    }
    arena_free(vm->boot.arena);
    vm->boot = (FnCode){0};
    boot_make(vm);
}

void vm_free(Vm *vm)
{
    if (!vm)
        return;
    vm_native_stop(vm);
    vm_observer_free(vm);
    vm_sym_free(vm);
    mem_reset(&vm->mem);
    for (uint32_t i = 0; i < vm->program->fns.n; i++)
        fn_free(vm, &vm->fns[i]);
    fn_free(vm, &vm->boot);
    vm_globals_free(vm);
    vm_files_free(vm->files);
    mem_free_all(&vm->mem);
    munmap(vm->stack, stack_bytes);
    vec_free(&vm->result.stack);
    vec_free(&vm->undefs);
    map_free(&vm->undef_index);
    mem_free(vm->fns);
    arena_free(vm->keep);
    intern_free(vm->names);
    mem_free(vm);
}

void vm_begin(Vm *vm, const VmEnvironment *environment)
{
    mem_reset(&vm->mem);
    vec_clear(&vm->result.stack);
    vm->result = (VmResult){.stack = {vm->result.stack.v, 0, vm->result.stack.cap}};
    vm_native_stop(vm);
    vm->ended = false;
    vm->left = 0;
    vm->granted = 0;
    vm->ticks = 0;
    vm->frame_serial = 0;
    vm->environment = environment;
    vm_globals_enter(vm);
    vm_environment_enter(vm, environment);
    vm_files_reset(vm->files, environment);
    boot_enter(vm, environment);
}

VmResult vm_run(Vm *vm, const VmEnvironment *environment)
{
    vm_begin(vm, environment);
    if (vm->shadows)
        vm_step_shadow(vm);
    else
        vm_step_plain(vm);
    vm_files_flush(vm->files);
    return vm->result;
}

void vm_deadline(Vm *vm, double moment) { vm->deadline = moment; }

void vm_step_limit(Vm *vm, uint64_t steps) { vm->options.max_steps = steps; }
