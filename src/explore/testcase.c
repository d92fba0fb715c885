/* testcase.c - a run becomes a test: its inputs, and how it ended. */
#include "explore/explore.h"

bool explore_is_users(const IrProgram *p, uint32_t site)
{
    if (site == IR_NONE)
        return false;
    uint32_t fn = ir_fn_find(p, ir_text(p, p->sites.v[site].fn));
    return fn == IR_NONE || !p->fns.v[fn].runtime; /* a function that was inlined is gone: the user's */
}

const char *explore_function(const IrProgram *p, const VmResult *result)
{
    for (uint32_t i = 0; i < result->stack.n; i++)
        if (!p->fns.v[result->stack.v[i].fn].runtime)
            return ir_text(p, p->fns.v[result->stack.v[i].fn].name);
    if (!explore_is_users(p, result->site))
        return "";
    return ir_text(p, p->sites.v[result->site].fn); /* what leaked was made there */
}

/* One value, or elements of one type: *p, a[0], a[1], ... and no member of a structure? */
static bool is_array(const ExprObjectInfo *info)
{
    const ExprField *first = info->fields;
    bool whole = info->nfields && first->bits % 8 == 0 && first->bits <= 128;
    for (uint32_t i = 0; whole && i < info->nfields; i++)
        whole = info->fields[i].kind == first->kind && info->fields[i].bits == first->bits &&
                info->fields[i].low == (uint64_t)i * first->bits &&
                (info->nfields == 1 || text_ends_with(info->fields[i].text, "]"));
    return whole;
}

static SuiteKind kind_of(ExprCKind kind) { return kind == EXPR_C_UCHAR ? SUITE_UINT : (SuiteKind)(kind + 1); }

/* What C calls the places of an input, as far as they are in the test. */
static void add_fields(SuiteTest *test, SuiteObject *o, const ExprObjectInfo *info)
{
    if (is_array(info)) {
        uint32_t bytes = info->fields->bits / 8;
        if (o->size % bytes == 0)
            o->type = (SuiteType){kind_of(info->fields->kind), bytes == o->size ? 0 : (uint8_t)bytes};
        return;
    }
    SuiteField *fields = arena_alloc(test->arena, (info->nfields + 1) * sizeof *fields);
    for (uint32_t i = 0; i < info->nfields; i++) {
        const ExprField *f = &info->fields[i];
        if (f->low + f->bits <= 8ull * o->size && f->bits <= 128 && o->nfields < SUITE_FIELD_LIMIT)
            fields[o->nfields++] = (SuiteField){.low = (uint32_t)f->low,
                                                .bits = f->bits,
                                                .kind = kind_of(f->kind),
                                                .text = arena_strdup(test->arena, f->text)};
    }
    o->fields = fields;
}

static void add_inputs(SuiteTest *test, const IrProgram *program, const ExprPool *pool, const VmTrace *trace,
                       const ExprInput *input)
{
    BitSet unused = {0};
    U32Vec place = {0}; /* of an input among the test's objects */
    explore_unused_inputs(program, pool, trace, input, &unused);
    for (uint32_t i = 0; i < trace->inputs.n; i++) {
        const VmInputUse *use = &trace->inputs.v[i];
        vec_push(&place, test->objects.n);
        if (bitset_has(&unused, i))
            continue;
        const ExprObjectInfo *info = expr_object_info(pool, use->object);
        uint8_t *bytes = arena_alloc(test->arena, use->size + 1);
        for (uint32_t k = 0; k < use->size; k++)
            bytes[k] = expr_input_byte(input, info->at + k);
        uint32_t size =
            use->origin == VM_INPUT_ARGUMENT ? (uint32_t)strnlen((const char *)bytes, use->size) : use->size;
        SuiteObject *o = suite_test_add(test, (SuiteOrigin)use->origin, info->name, bytes, size);
        o->type = (SuiteType){(SuiteKind)(info->type.kind + 1), info->type.element};
        if (use->origin != VM_INPUT_STREAM)
            add_fields(test, o, info);
        if (use->of)
            o->of = arena_strdup(test->arena, use->of);
        if (use->origin == VM_INPUT_CALLBACK)
            o->data = (const uint8_t *)o->of; /* of a function only that counts */
    }
    for (uint32_t i = 0; i < trace->links.n; i++) {
        const VmInputLink *l = &trace->links.v[i];
        if (!bitset_has(&unused, l->input))
            vec_push(&test->links, (SuiteLink){place.v[l->input], l->offset, place.v[l->target], l->delta});
    }
    bitset_free(&unused);
    vec_free(&place);
}

/* Does the block of this place call reach_error before it? As in { reach_error(); abort(); } with an empty
 * one. */
static bool follows_error(const IrProgram *p, uint32_t fn, uint32_t site)
{
    uint32_t error = ir_fn_find(p, "reach_error");
    const IrFn *f = &p->fns.v[fn];
    for (uint32_t b = 0; error != IR_NONE && b < f->blocks.n; b++) {
        bool called = false;
        for (uint32_t i = 0; i < f->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &f->blocks.v[b].insns.v[i];
            if (called && insn->site == site)
                return true;
            called |= insn->op == IR_CALL && insn->a == error;
        }
    }
    return false;
}

static bool covers_error(const IrProgram *p, const VmResult *r)
{
    for (uint32_t i = 0; i < r->stack.n; i++)
        if (!p->fns.v[r->stack.v[i].fn].runtime && follows_error(p, r->stack.v[i].fn, r->stack.v[i].site))
            return true;
    return false;
}

static void add_ending(const ExploreTests *all, SuiteTest *test, const VmResult *r)
{
    char where[512];
    test->ending = (SuiteEnding)(r->ending + 1);
    test->status = r->status & 0xff;
    test->message = arena_strdup(test->arena, r->message);
    test->site = arena_strdup(test->arena, !explore_is_users(all->program, r->site)
                                               ? ""
                                               : ir_site_text(all->program, r->site, where, sizeof where));
    if (r->ending == VM_END_FAULT)
        test->fault = vm_fault_suffix(r->fault);
    test->function = explore_function(all->program, r);
    test->covers_error = covers_error(all->program, r);
}

/* So that a test is whole by itself. */
static void add_files(const ExploreTests *all, SuiteTest *test)
{
    for (uint32_t i = 0; i < all->environment->files.n; i++) {
        const VmFile *f = &all->environment->files.v[i];
        if (f->size <= EXPLORE_TEST_FILE_MOST)
            suite_test_add(test, SUITE_FROM_FILE, f->name, f->data, f->size)->of = f->name;
    }
}

/* Of a driver: by what the entry's handles are made. */
static void add_handles(SuiteTest *test, const ExploreTests *all)
{
    const IrDrive *d = all->program->drive;
    for (uint32_t i = 0; d && !strcmp(d->entry, test->entry) && i < d->handles.n; i++) {
        Str text = {0};
        ir_drive_text(&d->handles.v[i], d->calls, &text);
        vec_push(&test->made, arena_strdup(test->arena, str_text(&text)));
        str_free(&text);
    }
}

SuiteTest *explore_test(const ExploreTests *all, const ExprPool *pool, const VmTrace *trace,
                        const ExprInput *input)
{
    SuiteTest *test = suite_test_new();
    for (int i = 0; i < all->environment->argc; i++)
        vec_push(&test->argv, all->environment->argv[i]);
    for (uint32_t i = 0; i < all->suite->inputs.n; i++)
        vec_push(&test->inputs, all->suite->inputs.v[i]);
    for (uint32_t i = 0; i < all->suite->flags.n; i++)
        vec_push(&test->flags, all->suite->flags.v[i]);
    test->entry = all->suite->entry;
    add_handles(test, all);
    test->program = all->hash;
    add_inputs(test, all->program, pool, trace, input);
    add_files(all, test);
    add_ending(all, test, &trace->result);
    return test;
}
