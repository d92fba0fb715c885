/* test_shapes.c - what is behind an entry's pointers is decided by the program alone: a second machine that
 * shares the pool of expressions finds the same shapes as the first, whatever either has run before. */
#include "vm_text.h"

#include "explore/explore.h"
#include "vm/symbolic/sym_int.h"

/* f(const char *s, struct node *l, int *a, int n): the string's first byte, two nodes of the list, a[0]. */
static const char TEXT[] =
    "fn @main() -> 32 {\n^entry:\n    ret 0:32\n}\n"
    "fn @f(%s:64, %l:64, %a:64, %n:32) -> 32 {\n"
    "^entry:\n    %c = load.8 %s, align 1\n    %is = eq.8 %c, 97\n    br %is, ^list, ^end\n"
    "^list:\n    %v = load.32 %l, align 4\n    %at = offset %l, 8\n"
    "    %next = load.64 %at, align 8\n    %last = eq.64 %next, 0\n"
    "    br %last, ^array, ^second\n"
    "^second:\n    %w = load.32 %next, align 4\n    jmp ^array\n"
    "^array:\n    %some = slt.32 0, %n\n    br %some, ^element, ^end\n"
    "^element:\n    %e = load.32 %a, align 4\n    %big = slt.32 9, %e\n"
    "    br %big, ^end, ^end\n"
    "^end:\n    ret 0:32\n}\n";

enum { INT = 1, CHAR, NODE, TO_NODE, TO_CHAR, TO_INT, TYPES };

static IrProgram *program_new(Arena *a)
{
    const char *error = NULL;
    IrProgram *p = ir_program_parse(TEXT, strlen(TEXT), a, &error);
    if (!p)
        fail_msg("%s", error);
    ir_program_index(p);
    const IrCType types[TYPES] = {
        [INT] = {.kind = IR_C_INT, .size = 4},
        [CHAR] = {.kind = IR_C_CHAR, .size = 1},
        [NODE] = {.kind = IR_C_RECORD, .size = 16, .name = ir_string(p, "struct node"), .first = 0, .n = 2},
        [TO_NODE] = {.kind = IR_C_POINTER, .size = 8, .of = NODE},
        [TO_CHAR] = {.kind = IR_C_POINTER, .size = 8, .of = CHAR, .to_const = true},
        [TO_INT] = {.kind = IR_C_POINTER, .size = 8, .of = INT}};
    for (unsigned i = 0; i < TYPES; i++)
        vec_push(&p->ctypes, types[i]);
    vec_push(&p->cmembers, ((IrCMember){ir_string(p, "value"), INT, 0, 32}));
    vec_push(&p->cmembers, ((IrCMember){ir_string(p, "next"), TO_NODE, 64, 64}));
    static const uint32_t of_f[] = {INT, TO_CHAR, TO_NODE, TO_INT, INT};
    for (unsigned i = 0; i < COUNT_OF(of_f); i++)
        vec_push(&p->fns.v[ir_fn_find(p, "f")].ctypes, of_f[i]);
    return p;
}

typedef struct Inputs {
    Vec(ExprInput) v;
} Inputs;

static void keep_input(void *context, const ExploreRun *run)
{
    Inputs *all = context;
    ExprInput copy = {0};
    expr_input_copy(&copy, run->input);
    vec_push(&all->v, copy);
}

static const SymShape *shape_behind(const Vm *vm, ExprObject object)
{
    uint64_t at;
    return map_get(&vm->sym->shape_behind, object.id, &at) ? sym_shape_at(vm, (uint32_t)at) : NULL;
}

/* Names are each machine's own. */
static bool same_text(const Vm *first, uint32_t a, const Vm *second, uint32_t b)
{
    return !a == !b && (!a || !strcmp(vm_name_text(first, a), vm_name_text(second, b)));
}

static bool same_shape(const Vm *first, const SymShape *a, const Vm *second, const SymShape *b)
{
    return a->kind == b->kind && a->type == b->type && a->unit == b->unit &&
           same_text(first, a->name, second, b->name) && same_text(first, a->clause, second, b->clause) &&
           same_text(first, a->length, second, b->length) && a->depth == b->depth && a->size == b->size &&
           a->filled == b->filled && a->most == b->most && a->is_told == b->is_told &&
           a->bounded == b->bounded && a->trailing == b->trailing && a->fits == b->fits &&
           a->nonnull == b->nonnull && a->returns == b->returns && expr_same(a->limit, b->limit) &&
           expr_same(a->range, b->range);
}

/* Shapes of the second machine that the first has not, or has otherwise. */
static uint32_t differing(const Vm *first, const Vm *second)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < second->sym->shapes.n; i++) {
        const SymShape *s = &second->sym->shapes.v[i], *other = shape_behind(first, s->object);
        n += !other || !same_shape(second, s, first, other);
    }
    return n;
}

typedef struct Fixture {
    Arena *arena;
    IrProgram *program;
    VmEnvironment environment;
    ExploreOptions options;
    Explore *explore;
    Inputs inputs;
} Fixture;

static void explored(Fixture *f, const char *explorer)
{
    *f = (Fixture){.arena = arena_new(), .environment = {.argc = 1, .argv = (const char *[]){"f", NULL}}};
    f->program = program_new(f->arena);
    f->options = (ExploreOptions){.explorer = explorer, .context = &f->inputs, .on_run = keep_input};
    f->options.symbolic.inputs = (VmInputs){
        .entry = "f", .shape = VM_SHAPE_TYPES, .string_most = 2, .elements_most = 2, .depth_most = 2};
    f->explore = explore_new(f->program, &f->environment, &f->options);
    explore_all(f->explore);
    assert_true(f->inputs.v.n > 4);
    assert_true(explore_vm(f->explore)->sym->shapes.n >= 4); /* s, l, l->next, a */
}

/* A machine of its own, on the inputs of the first from the last to the first. */
static Vm *second_machine(Fixture *f, Ledger *ledger)
{
    Vm *vm = vm_new(f->program, &f->options.vm);
    vm_symbolic(vm, explore_pool(f->explore), ledger, &f->environment, &f->options.symbolic);
    for (uint32_t i = f->inputs.v.n; i-- > 0;)
        vm_trace_free(vm, vm_run_input(vm, &f->inputs.v.v[i], NULL));
    return vm;
}

static void fixture_free(Fixture *f)
{
    for (uint32_t i = 0; i < f->inputs.v.n; i++)
        expr_input_free(&f->inputs.v.v[i]);
    vec_free(&f->inputs.v);
    explore_free(f->explore);
    ir_program_free(f->program);
    arena_free(f->arena);
}

static void test_two_machines_agree(void **state)
{
    (void)state;
    static const char *const explorers[] = {"full", "dependence", "states"};
    for (unsigned i = 0; i < COUNT_OF(explorers); i++) {
        Fixture f;
        Ledger *ledger = ledger_new();
        explored(&f, explorers[i]);
        Vm *vm = second_machine(&f, ledger);
        assert_int_equal(vm->sym->shapes.n, explore_vm(f.explore)->sym->shapes.n);
        assert_int_equal(differing(explore_vm(f.explore), vm), 0);
        vm_free(vm);
        ledger_free(ledger);
        fixture_free(&f);
    }
}

/* The comparison above would see it: without its types the second machine finds other shapes. */
static void test_forgotten_types_are_seen(void **state)
{
    (void)state;
    Fixture f;
    Ledger *ledger = ledger_new();
    explored(&f, "full");
    IrFn *fn = &f.program->fns.v[ir_fn_find(f.program, "f")];
    uint32_t known = fn->ctypes.n;
    fn->ctypes.n = 0;
    Vm *vm = second_machine(&f, ledger);
    fn->ctypes.n = known;
    assert_true(differing(explore_vm(f.explore), vm) > 0);
    vm_free(vm);
    ledger_free(ledger);
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_machines_agree),
        cmocka_unit_test(test_forgotten_types_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
