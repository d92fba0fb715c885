/* sym_input.c - where inputs come from: calls that name one, the command line.
 *
 * The key of an input object is what made it and its execution index, so that runs that differ elsewhere ask
 * for the same object. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

enum { INPUT_MOST = 1 << 20 }; /* bytes of one object */

static ExprCType type_of(const char *name, uint64_t size)
{
    static const struct {
        const char *suffix;
        ExprCKind kind;
    } kinds[] = {{"_float", EXPR_C_FLOAT},
                 {"_double", EXPR_C_FLOAT},
                 {"_bool", EXPR_C_BOOL},
                 {"_uint", EXPR_C_UINT},
                 {"_ulong", EXPR_C_UINT},
                 {"_ushort", EXPR_C_UINT},
                 {"_uchar", EXPR_C_UINT},
                 {"_unsigned", EXPR_C_UINT},
                 {"_size_t", EXPR_C_UINT},
                 {"_u32", EXPR_C_UINT},
                 {"_ulonglong", EXPR_C_UINT},
                 {"_uint128", EXPR_C_UINT},
                 {"_sector_t", EXPR_C_UINT},
                 {"_pthread_t", EXPR_C_UINT},
                 {"_pointer", EXPR_C_POINTER},
                 {"_pchar", EXPR_C_POINTER},
                 {"_charp", EXPR_C_POINTER},
                 {"_unsigned_char", EXPR_C_UINT},
                 {"_unsigned_short", EXPR_C_UINT},
                 {"_unsigned_int", EXPR_C_UINT},
                 {"_unsigned_long", EXPR_C_UINT},
                 {"_unsigned_long_long", EXPR_C_UINT},
                 {"_u8", EXPR_C_UINT},
                 {"_u16", EXPR_C_UINT},
                 {"_u64", EXPR_C_UINT},
                 {"_uint8_t", EXPR_C_UINT},
                 {"_uint16_t", EXPR_C_UINT},
                 {"_uint32_t", EXPR_C_UINT},
                 {"_uint64_t", EXPR_C_UINT},
                 {"_int8_t", EXPR_C_INT},
                 {"_s8", EXPR_C_INT},
                 {"_schar", EXPR_C_INT},
                 {"_char", EXPR_C_CHAR}};
    bool nondet = text_starts_with(name, "__VERIFIER_nondet_");
    for (size_t i = 0; nondet && i < COUNT_OF(kinds); i++)
        if (text_ends_with(name, kinds[i].suffix))
            return (ExprCType){kinds[i].kind, 0};
    if (size == 2 || size == 4 || size == 8 || size == 16)
        return (ExprCType){EXPR_C_INT, 0};
    return (ExprCType){EXPR_C_CHAR, size == 1 ? 0 : 1};
}

uint32_t sym_input_use(Vm *vm, ExprObject object, VmInputOrigin origin, const char *of, uint32_t size)
{
    VmTrace *t = vm->sym->trace;
    bool is_call = origin == VM_INPUT_CALL || origin == VM_INPUT_RESULT; /* each names an object of its own */
    for (uint32_t i = 0; !is_call && i < t->inputs.n; i++)
        if (t->inputs.v[i].object.id == object.id)
            return i;
    vec_push(&t->inputs, (VmInputUse){object, origin, of, size, vm_user_site(vm)});
    return t->inputs.n - 1;
}

void sym_fill_input(Vm *vm, Object *o, uint64_t offset, ExprObject input, uint32_t size)
{
    ExprPool *p = vm->sym->pool;
    uint32_t at = expr_object_info(p, input)->at;
    bool word = size && size <= 16;
    Expr whole = word ? expr_object_word(p, input, 0, size) : EXPR_NONE;
    for (uint32_t i = 0; i < size; i++) {
        o->data[offset + i] = expr_input_byte(vm->sym->input, at + i);
        if (!word)
            sym_set(vm, o, offset + i, 1, expr_object_byte(p, input, i));
    }
    if (word)
        sym_set(vm, o, offset, size, whole);
    mem_undef_clear(o, offset, size);
    if (vm->lab)
        label_stored(vm, o, offset, size, NULL);
}

/* The function that asked: the outermost of the runtime's frames, sheaf_symbolic or __VERIFIER_nondet_int. */
const char *sym_input_caller(const Vm *vm)
{
    const char *name = NULL;
    for (const Reg *regs = vm->regs; regs; regs = FRAME(regs)->caller) {
        uint32_t fn = FRAME(regs)->fn->index;
        if (fn == IR_NONE || !vm->program->fns.v[fn].runtime)
            break;
        name = ir_text(vm->program, vm->program->fns.v[fn].name);
    }
    return name;
}

bool sym_make_input(Vm *vm, uint64_t address, uint64_t size, const char *name)
{
    Object *o;
    char key[160];
    if (!vm_bytes(vm, address, size, true, &o))
        return false;
    if (!size)
        return true;
    if (size > INPUT_MOST)
        return vm_end_limit(vm, LEDGER_MEMORY, "an input of %llu bytes", (unsigned long long)size);
    snprintf(key, sizeof key, "%.100s@%016llx", name, (unsigned long long)vm_name_here(vm, 0));
    ExprObject input = expr_object(vm->sym->pool, key, name, (uint32_t)size, type_of(name, size));
    if (vm->sym->keys)
        sym_key_made(vm, input);
    uint64_t type = 0;
    map_get(&vm->program->call_ctypes, vm_user_site(vm), &type);
    sym_describe(vm, input, (uint32_t)type);
    sym_input_use(vm, input, VM_INPUT_CALL, sym_input_caller(vm), (uint32_t)size);
    sym_fill_input(vm, o, address - o->base, input, (uint32_t)size);
    return true;
}

/* Models call each other: the program itself asks only through the function that the name says. */
static bool asked_by_program(const Vm *vm, const char *name)
{
    const char *function = sym_input_caller(vm);
    size_t n = function ? strlen(function) : 0;
    return n && text_starts_with(name, "env.") && !strncmp(name + 4, function, n) &&
           (!name[4 + n] || name[4 + n] == '.');
}

bool sym_prim_environment(PrimCall *p)
{
    Vm *vm = p->vm;
    LedgerEnv what = (LedgerEnv)p->args[0];
    bool is_input = vm->sym->options.inputs.environment >> what & 1;
    Str name = {0};
    if (!is_input && ledger_assumption(vm->sym->ledger, what))
        return true; /* known already */
    bool ok = vm_mem_string(vm, p->args[3], &name);
    if (ok && asked_by_program(vm, str_text(&name))) {
        ledger_asked(vm->sym->ledger, what, is_input);
        ok = !is_input || sym_make_input(vm, p->args[1], p->args[2], str_text(&name));
        p->result = is_input;
    }
    str_free(&name);
    return ok;
}

/* ---- inputs of several lengths --------------------------------------------------------------- */

Expr sym_length(Vm *vm, const char *key, const char *name)
{
    ExprPool *p = vm->sym->pool;
    return expr_object_symbol(p, expr_object_scalar(p, key, name, 32, (ExprCType){EXPR_C_UINT, 0}));
}

uint32_t sym_length_now(Vm *vm, Expr length, uint32_t least, uint32_t most)
{
    u128 n = sym_eval(vm, length);
    return n > least && n <= most ? (uint32_t)n : least;
}

/* One alternative for each length while they are few. */
uint32_t sym_decide_length(Vm *vm, Expr length, uint32_t least, uint32_t most)
{
    enum { FEW = 64, FIRST = 4 };
    ExprPool *p = vm->sym->pool;
    uint32_t n = sym_length_now(vm, length, least, most);
    bool few = most - least <= FEW;
    Expr holds = EXPR_TRUE, rest = EXPR_TRUE;
    for (uint64_t k = (uint64_t)least + 1; k <= most; k++) {
        bool listed = few || k <= (uint64_t)least + FIRST || k == most || k == n;
        Expr is = listed ? expr_eq(p, length, expr_const(p, 32, k)) : EXPR_FALSE;
        if (k == n)
            holds = is;
        else if (listed)
            sym_add_alternative(vm, (VmAlternative){.condition = is, .fn = IR_NONE, .block = IR_NONE});
        rest = listed ? expr_and(p, rest, expr_not(p, is)) : rest;
    }
    Expr inside =
        expr_ult(p, expr_sub(p, length, expr_const(p, 32, (u128)least + 1)), expr_const(p, 32, most - least));
    Expr other = expr_not(p, inside);
    if (n == least)
        holds = other;
    else
        sym_add_alternative(vm, (VmAlternative){.condition = other, .fn = IR_NONE, .block = IR_NONE});
    if (!few)
        sym_add_alternative(vm, (VmAlternative){.condition = expr_and(p, rest, inside),
                                                .residual = true,
                                                .fn = IR_NONE,
                                                .block = IR_NONE});
    sym_decide(vm, VM_DECISION_INPUT, holds, IR_NONE);
    return n;
}

/* ---- the command line ------------------------------------------------------------------------ */

Expr vm_args_number(ExprPool *p, uint32_t group)
{
    char name[24] = "n_args";
    if (group)
        snprintf(name, sizeof name, "n_args%u", group);
    return expr_object_symbol(p, expr_object_scalar(p, name, name, 32, (ExprCType){EXPR_C_INT, 0}));
}

/* How many arguments of a group the input asks for: what is out of range counts as the least. */
static uint32_t count_arguments(Vm *vm, const VmSymbolicArgs *a, Expr number)
{
    uint64_t n = (uint64_t)sym_eval(vm, number);
    return n > a->min && n <= a->max ? (uint32_t)n : a->min;
}

static void decide_arguments(Vm *vm, const VmSymbolicArgs *a, Expr number, uint32_t count)
{
    ExprPool *p = vm->sym->pool;
    Expr least = EXPR_TRUE, holds = EXPR_TRUE;
    for (uint32_t k = a->min + 1; k <= a->max; k++)
        least = expr_and(p, least, expr_not(p, expr_eq(p, number, expr_const(p, 32, k))));
    for (uint32_t k = a->min; k <= a->max; k++) {
        Expr is = k == a->min ? least : expr_eq(p, number, expr_const(p, 32, k));
        if (k == count)
            holds = is;
        else
            sym_add_alternative(vm, (VmAlternative){.condition = is, .fn = IR_NONE, .block = IR_NONE});
    }
    sym_decide(vm, VM_DECISION_INPUT, holds, IR_NONE);
}

/* The i-th argument is of another group, and of another length, if a group before it has more or fewer. */
void vm_argument_name(uint32_t i, uint32_t group, char name[16], char key[32])
{
    snprintf(name, 16, "arg%02u", i);
    snprintf(key, 32, group ? "%s@%u" : "%s", name, group);
}

static void fill_argument(Vm *vm, uint32_t i, uint32_t group, uint32_t size, uint64_t address)
{
    Object *o = mem_find(&vm->mem, address);
    char name[16], key[32];
    vm_argument_name(i, group, name, key);
    ExprObject input = expr_object(vm->sym->pool, key, name, size, (ExprCType){EXPR_C_CHAR, 1});
    sym_fill_input(vm, o, 0, input, size);
    sym_input_use(vm, input, VM_INPUT_ARGUMENT, NULL, size);
}

static void fill_arguments(Vm *vm, const Object *vector, uint32_t given, const uint32_t *counts)
{
    const VmInputs *in = &vm->sym->options.inputs;
    for (uint32_t g = 0, i = 0; g < in->args.n; g++)
        for (uint32_t k = 0; k < counts[g]; k++, i++) {
            uint64_t address;
            memcpy(&address, vector->data + 8ull * (given + i), 8);
            if (in->args.v[g].length)
                fill_argument(vm, i, g, in->args.v[g].length, address);
        }
}

/* The run begins with placeholders for the symbolic arguments, as long as those. */
static void begin_with_placeholders(Vm *vm, uint32_t given, uint32_t n, const uint32_t *counts)
{
    struct Sym *s = vm->sym;
    const VmInputs *in = &s->options.inputs;
    const char **argv = mem_zalloc((given + n + 1) * sizeof *argv);
    Arena *holders = arena_new();
    for (uint32_t i = 0; i < given; i++)
        argv[i] = s->environment->argv[i];
    for (uint32_t g = 0, i = given; g < in->args.n; g++) {
        char *holder = arena_alloc(holders, in->args.v[g].length + 1);
        memset(holder, 'x', in->args.v[g].length);
        for (uint32_t k = 0; k < counts[g]; k++)
            argv[i++] = holder;
    }
    s->merged = *s->environment;
    s->merged.argc = (int)(given + n);
    s->merged.argv = argv;
    vm_begin(vm, &s->merged);
    s->merged.argv = NULL;
    arena_free(holders);
    mem_free(argv);
}

static void begin_with_arguments(Vm *vm)
{
    struct Sym *s = vm->sym;
    const VmInputs *in = &s->options.inputs;
    uint32_t counts[VM_ARGUMENTS_MOST], n = 0,
                                        given = s->environment->argc > 0 ? (uint32_t)s->environment->argc : 0;
    VmLabel label = EXPR_SET_EMPTY;
    for (uint32_t g = 0; g < in->args.n; g++)
        n += counts[g] = count_arguments(vm, &in->args.v[g], vm_args_number(s->pool, g));
    begin_with_placeholders(vm, given, n, counts);
    Object *vector = mem_find(&vm->mem, vm->argv);
    for (uint32_t g = 0; g < in->args.n; g++) {
        decide_arguments(vm, &in->args.v[g], vm_args_number(s->pool, g), counts[g]);
        if (vm->lab)
            label = expr_set_union(s->pool, label, label_made(vm));
    }
    if (vm->lab) { /* argc, the first of the first frame's registers, and argv depend on it */
        label_reg_add(vm, vm->regs, label);
        label_set(vm, vector, 0, vector->size, label);
    }
    fill_arguments(vm, vector, given, counts);
}

void sym_begin(Vm *vm)
{
    if (vm->sym->options.inputs.args.n)
        begin_with_arguments(vm);
    else
        vm_begin(vm, vm->sym->environment);
    sym_files_begin(vm);
    if (vm->sym->entry == IR_NONE)
        sym_globals(vm);
}
