/* retrace.c - tests of a suite on the machine.
 *
 * Where inputs lie, and the addresses of objects behind pointers, come to light as a run meets them: the test
 * is run again with what was learned until nothing changes. */
#include "explore/explore.h"

enum { STAND_IN = 1 << 20 }; /* an address that is not null, of an object whose own is not known yet */

static uint32_t count_of(const SuiteTest *t, SuiteOrigin origin)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->objects.n; i++)
        n += t->objects.v[i].origin == origin;
    return n;
}

static uint32_t largest(const SuiteTestVec *tests, SuiteOrigin origin)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < tests->n; i++)
        for (uint32_t k = 0; k < tests->v[i]->objects.n; k++) {
            const SuiteObject *o = &tests->v[i]->objects.v[k];
            most = o->origin == origin && o->size > most ? o->size : most;
        }
    return most;
}

static bool is_fuzz_target(const IrProgram *p)
{
    uint32_t fn = ir_fn_find(p, "LLVMFuzzerTestOneInput");
    return fn != IR_NONE && p->fns.v[fn].defined;
}

uint32_t explore_retrace_stdin(const SuiteTest *t, const IrProgram *program)
{
    for (uint32_t i = 0; i < t->objects.n; i++) {
        SuiteOrigin origin = t->objects.v[i].origin;
        if (origin == SUITE_FROM_STDIN || (origin == SUITE_FROM_FUZZ && !is_fuzz_target(program)))
            return t->objects.v[i].size;
    }
    return 0;
}

void explore_retrace_inputs(const SuiteTestVec *tests, const IrProgram *program, VmInputs *in)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < tests->n; i++) {
        uint32_t n = count_of(tests->v[i], SUITE_FROM_ARGUMENT);
        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    if (most && in->args.n != 1) { /* a test does not say which of several groups a word is of: one will do */
        VmSymbolicArgs all = {least, most, largest(tests, SUITE_FROM_ARGUMENT) + 1};
        for (uint32_t i = 0; i < in->args.n; i++)
            all.length = in->args.v[i].length > all.length ? in->args.v[i].length : all.length;
        vec_clear(&in->args);
        vec_push(&in->args, all);
    }
    uint32_t raw = largest(tests, SUITE_FROM_FUZZ);
    if (raw && is_fuzz_target(program))
        in->fuzz_size = raw;
}

/* ---- objects --------------------------------------------------------------------------------- */

/* The object of the test that is the n-th of its origin; of files, parameters and globals the one of that
 * name. */
static const SuiteObject *object_for(const SuiteTest *t, const VmTrace *trace, uint32_t use,
                                     const ExprPool *pool)
{
    const VmInputUse *u = &trace->inputs.v[use];
    SuiteOrigin origin = (SuiteOrigin)u->origin;
    const char *name = expr_object_info(pool, u->object)->name;
    uint32_t nth = 0;
    for (uint32_t i = 0; i < use; i++)
        nth += trace->inputs.v[i].origin == u->origin;
    for (uint32_t i = 0; i < t->objects.n; i++) {
        const SuiteObject *o = &t->objects.v[i];
        bool raw = o->origin == SUITE_FROM_FUZZ && origin == SUITE_FROM_STDIN;
        if (o->origin != origin && !raw)
            continue;
        bool by_name = origin >= SUITE_FROM_PARAMETER && origin != SUITE_FROM_RESULT;
        if (origin == SUITE_FROM_FILE ? !strcmp(o->of, u->of ? u->of : "")
            : by_name                 ? !strcmp(o->name, name)
                                      : nth-- == 0)
            return o;
    }
    return NULL;
}

static void set_scalar(const ExprPool *p, const char *key, uint32_t value, ExprInput *input)
{
    ExprObject object;
    if (!expr_object_find(p, key, 4, &object))
        return;
    for (uint32_t i = 0; i < 4; i++)
        expr_input_set_byte(input, expr_object_info(p, object)->at + i, (uint8_t)(value >> 8 * i));
}

static void give_objects(const SuiteTest *t, const VmTrace *trace, const ExprPool *p, ExprInput *input)
{
    for (uint32_t i = 0; i < trace->inputs.n; i++) {
        const ExprObjectInfo *info = expr_object_info(p, trace->inputs.v[i].object);
        const SuiteObject *o = object_for(t, trace, i, p);
        for (uint32_t k = 0; o && k < info->size; k++)
            expr_input_set_byte(input, info->at + k, k < o->size ? o->data[k] : 0);
    }
    set_scalar(p, "n_args", count_of(t, SUITE_FROM_ARGUMENT), input);
    for (uint32_t i = 0; i < t->objects.n; i++) {
        const SuiteObject *o = &t->objects.v[i];
        char key[512];
        if (o->origin == SUITE_FROM_FUZZ)
            set_scalar(p, "fuzz:size", o->size, input);
        if (o->origin != SUITE_FROM_FILE)
            continue;
        snprintf(key, sizeof key, "file:%.490s:size", o->of);
        set_scalar(p, key, o->size, input);
    }
}

/* ---- pointers -------------------------------------------------------------------------------- */

/* The input that an object of the test is: of several of one name, which a callback returned, the n-th. */
static bool find_use(const VmTrace *trace, const ExprPool *p, const SuiteTest *t, uint32_t object,
                     uint32_t *use)
{
    const char *name = t->objects.v[object].name;
    uint32_t nth = 0;
    for (uint32_t i = 0; i < object; i++)
        nth += !strcmp(t->objects.v[i].name, name) && t->objects.v[i].origin == t->objects.v[object].origin;
    for (*use = 0; *use < trace->inputs.n; ++*use)
        if (trace->inputs.v[*use].origin >= VM_INPUT_PARAMETER &&
            !strcmp(expr_object_info(p, trace->inputs.v[*use].object)->name, name) && nth-- == 0)
            return true;
    return false;
}

static uint64_t word_at(const ExprInput *input, uint32_t at)
{
    uint64_t word = 0;
    for (uint32_t i = 0; i < 8; i++)
        word |= (uint64_t)expr_input_byte(input, at + i) << 8 * i;
    return word;
}

/* An object that the run has made: a pointer that leads to it tells where it is. */
static bool address_of_use(const VmTrace *trace, const ExprPool *p, const ExprInput *input, uint32_t use,
                           uint64_t *out)
{
    for (uint32_t i = 0; i < trace->links.n; i++) {
        const VmInputLink *l = &trace->links.v[i];
        if (l->target != use)
            continue;
        *out =
            word_at(input, expr_object_info(p, trace->inputs.v[l->input].object)->at + l->offset) - l->delta;
        return true;
    }
    return false;
}

/* Among the conjuncts of a condition, what the pointer is; else the condition. */
static Expr is_equation(const ExprPool *p, Expr condition, Expr pointer)
{
    ExprVec parts = {0};
    expr_split(p, condition, &parts);
    for (uint32_t i = 0; i < parts.n; i++)
        if (expr_op(p, parts.v[i]) == EXPR_EQ && expr_same(expr_child(p, parts.v[i], 0), pointer))
            condition = parts.v[i];
    vec_free(&parts);
    return condition;
}

/* A pointer that the run decided: its first alternative that is not null is an object of its own. */
static bool address_of_alternative(const VmTrace *trace, ExprPool *p, Expr pointer, uint64_t *out)
{
    for (uint32_t i = 0; i < trace->decisions.n; i++)
        for (uint32_t k = 0;
             trace->decisions.v[i].kind == VM_DECISION_INPUT && k < trace->decisions.v[i].count; k++) {
            Expr c =
                is_equation(p, trace->alternatives.v[trace->decisions.v[i].first + k].condition, pointer);
            if (expr_op(p, c) != EXPR_EQ || !expr_same(expr_child(p, c, 0), pointer) ||
                !expr_is_const(p, expr_child(p, c, 1)))
                break;
            *out = (uint64_t)expr_const_value(p, expr_child(p, c, 1));
            if (*out)
                return true;
        }
    return false;
}

/* Objects of the test that have an address on the machine. */
typedef struct Addresses {
    Map of; /* object of the test to its address */
} Addresses;

static bool find_address(Addresses *a, const SuiteTest *t, const SuiteLink *link, const VmTrace *trace,
                         ExprPool *p, const ExprInput *input, Expr pointer, uint64_t *out)
{
    uint32_t use;
    if (map_get(&a->of, link->target, out))
        return true;
    bool made = find_use(trace, p, t, link->target, &use);
    if (made ? !address_of_use(trace, p, input, use, out) : !address_of_alternative(trace, p, pointer, out))
        return false;
    map_put(&a->of, link->target, *out);
    return true;
}

static void give_pointers(Addresses *a, const SuiteTest *t, const VmTrace *trace, ExprPool *p,
                          ExprInput *input)
{
    for (uint32_t i = 0; i < t->links.n; i++) {
        const SuiteLink *l = &t->links.v[i];
        uint32_t use;
        uint64_t address;
        if (!find_use(trace, p, t, l->object, &use))
            continue;
        const ExprObjectInfo *info = expr_object_info(p, trace->inputs.v[use].object);
        uint32_t at = info->at;
        if (l->offset + 8 > info->size)
            continue;
        Expr pointer = expr_object_word(p, trace->inputs.v[use].object, l->offset, 8);
        if (!find_address(a, t, l, trace, p, input, pointer, &address))
            address = STAND_IN + ((uint64_t)l->target << 4);
        for (uint32_t k = 0; k < 8; k++)
            expr_input_set_byte(input, at + k + l->offset, (uint8_t)((address + l->delta) >> 8 * k));
    }
}

/* ---- the run --------------------------------------------------------------------------------- */

static bool differ(const ExprInput *a, const ExprInput *b)
{
    uint32_t n = a->n > b->n ? a->n : b->n;
    for (uint32_t i = 0; i < n; i++)
        if (expr_input_byte(a, i) != expr_input_byte(b, i))
            return true;
    return false;
}

/* What of the test did not go into the run, or into another object than it has. */
static const char *mismatch(const SuiteTest *t, const VmTrace *trace, const ExprPool *p, const Addresses *a)
{
    uint64_t address;
    uint32_t use, calls = 0;
    bool cut = trace->result.ending > VM_END_FAULT;
    for (uint32_t i = 0; i < trace->inputs.n; i++) {
        const SuiteObject *o = object_for(t, trace, i, p);
        VmInputOrigin origin = trace->inputs.v[i].origin;
        if (!o && origin != VM_INPUT_ARGUMENT)
            return "has no value for an input that its run asks for";
        if (o && origin >= VM_INPUT_PARAMETER && o->size != trace->inputs.v[i].size)
            return "has an object of another size than the machine gives it (--elements, --object-size)";
        if (o && origin == VM_INPUT_CALL && o->size != trace->inputs.v[i].size)
            return "has a value of another size than its run asks for: is it a test of this program?";
        calls += origin == VM_INPUT_CALL;
    }
    if (calls < count_of(t, SUITE_FROM_CALL) && !cut)
        return "has more values than its run asks for: is it a test of this program?";
    for (uint32_t i = 0; i < t->links.n; i++)
        if (find_use(trace, p, t, t->links.v[i].object, &use) &&
            !map_get(&a->of, t->links.v[i].target, &address))
            return "has a pointer that its run does not follow";
    return NULL;
}

VmTrace *explore_retrace_on(Vm *vm, ExprPool *p, const SuiteTest *t, ExprInput *input, const char **why)
{
    ExprInput before = {0};
    Addresses addresses = {{0}};
    VmTrace *trace = vm_run_input(vm, input, NULL);
    for (uint32_t i = 0; i <= t->objects.n + t->links.n + 1; i++) {
        expr_input_copy(&before, input);
        give_objects(t, trace, p, input);
        give_pointers(&addresses, t, trace, p, input);
        if (!differ(&before, input))
            break;
        vm_trace_free(vm, trace);
        trace = vm_run_input(vm, input, NULL);
    }
    *why = t->made.n ? "has arguments that functions of the program make, which only 'sheaf replay' calls"
                     : mismatch(t, trace, p, &addresses);
    expr_input_free(&before);
    map_free(&addresses.of);
    return trace;
}

VmTrace *explore_retrace(Explore *x, const SuiteTest *t, const char **why)
{
    ExprInput input = {0};
    VmTrace *trace = explore_retrace_on(explore_vm(x), explore_pool(x), t, &input, why);
    expr_input_free(&input);
    return trace;
}
