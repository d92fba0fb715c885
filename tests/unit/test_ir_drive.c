/* A drive as text and back, the names of its parameters, and a driver that is well formed. */
#include "test_ir_util.h"

static void text_is_read_again(void **state)
{
    static const char *const texts[] = {
        "s made by set_new",
        "s made by set_new or set_open(_, _, &s), then up to 2 of set_add, s = set_grow",
        "p made by point_init(p), then up to 1 of point_move",
    };
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(texts); i++) {
        Arena *a = arena_new();
        IrDrive d = {0};
        Str again = {0};
        assert_true(ir_drive_parse(&d, texts[i], a));
        ir_drive_text(&d.handles.v[0], d.calls, &again);
        assert_string_equal(str_text(&again), texts[i]);
        str_free(&again);
        ir_drive_free(&d);
        arena_free(a);
    }
}

/* Tests come from files: any text is taken or refused. */
static void other_text_is_refused(void **state)
{
    static const char *const texts[] = {"",
                                        "s",
                                        "s made by ",
                                        "s made by a b",
                                        "s made by f(",
                                        "s made by f, then up to 0 of g",
                                        "s made by f, then up to 2 of ",
                                        "s made by system(\"x\")",
                                        "s-1 made by f",
                                        "s made by f, then up to 99999 of g",
                                        " made by f"};
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(texts); i++) {
        Arena *a = arena_new();
        IrDrive d = {0};
        if (ir_drive_parse(&d, texts[i], a)) /* what it names goes into C */
            fail_msg("'%s' was taken", texts[i]);
        ir_drive_free(&d);
        arena_free(a);
    }
}

static void names_tell_calls_apart(void **state)
{
    (void)state;
    Arena *a = arena_new();
    char own[16];
    IrDrive d = {.calls = 2};
    IrMaker m = {.name = "set_add"};
    IrHandle h = {.name = "s"};
    assert_string_equal(ir_drive_argument(&d, &m, 0, 0, "key", a), "set_add.key");
    assert_string_equal(ir_drive_argument(&d, &m, 0, 1, "key", a), "set_add.key#2");
    assert_string_equal(ir_drive_argument(&d, &m, 1, 0, "key", a), "set_add.key#3");
    assert_string_equal(ir_drive_argument(&d, &m, 1, IR_NONE, "key", a), "set_add.key#2");
    assert_string_equal(ir_drive_choice(&h, IR_NONE, a), "s.made");
    assert_string_equal(ir_drive_choice(&h, 1, a), "s.call#2");
    assert_string_equal(ir_drive_own_name("set_add.key#2", own, sizeof own), "key");
    arena_free(a);
}

static const char PROGRAM[] = "fn @make(%cap:32) -> 64 {\n^entry:\n    ret 0:64\n}\n"
                              "fn @open(%name:64, %out:64) -> 32 {\n^entry:\n    ret 0:32\n}\n"
                              "fn @change(%h:64, %v:32) {\n^entry:\n    ret\n}\n"
                              "fn @grow(%h:64, %v:8) -> 64 {\n^entry:\n    ret %h\n}\n"
                              "fn @use(%h:64, %x:32, %g:64) -> 32 {\n^entry:\n    ret %x\n}\n";

/* Every kind of maker, two handles, two calls. */
static IrProgram *driven(IrDrive *d, Arena *a)
{
    const char *error = NULL;
    IrProgram *p = ir_program_parse(PROGRAM, strlen(PROGRAM), a, &error);
    *d = (IrDrive){.entry = "use", .fn = IR_NONE};
    if (!p)
        fail_msg("%s", error);
    assert_true(
        ir_drive_parse(d, "h made by make or open(_, &h) or change(h), then up to 2 of change, h = grow", a));
    assert_true(ir_drive_parse(d, "g made by make, then up to 2 of change", a));
    for (uint32_t i = 0; i < 2; i++) {
        IrHandle *h = &d->handles.v[i];
        h->number = 2 * i;
        h->size = 24;
        for (uint32_t k = 0; k < h->constructors.n; k++)
            h->constructors.v[k].fn = ir_fn_find(p, h->constructors.v[k].name);
        for (uint32_t k = 0; k < h->mutators.n; k++)
            h->mutators.v[k].fn = ir_fn_find(p, h->mutators.v[k].name);
    }
    ir_drive_build(p, d);
    return p;
}

/* The verifier of the IR finds nothing wrong. */
static void driver_is_well_formed(void **state)
{
    (void)state;
    Arena *a = arena_new();
    IrDrive d;
    IrProgram *p = driven(&d, a);
    const IrFn *fn = &p->fns.v[d.fn];
    assert_true(fn->driver);
    assert_int_equal(d.params.n, fn->nparams);
    assert_int_equal(d.params.v[0].handle, 0);
    assert_int_equal(d.params.v[1].handle, IR_NONE);
    assert_int_equal(d.params.v[2].handle, 1);
    must_verify(p);
    ir_program_free(p);
    arena_free(a);
}

/* C types of which the text says nothing: a structure, a pointer to it, a parameter that is never null. */
static void add_types(IrProgram *p)
{
    IrFn *use = fn_named(p, "use");
    uint32_t record = p->ctypes.n, member = p->cmembers.n;
    vec_push(&p->cmembers, ((IrCMember){.name = ir_string(p, "next"), .type = 0, .low = 64, .bits = 64}));
    vec_push(
        &p->ctypes,
        ((IrCType){
            .kind = IR_C_RECORD, .size = 24, .name = ir_string(p, "struct h"), .first = member, .n = 1}));
    vec_push(&p->ctypes, ((IrCType){.kind = IR_C_POINTER, .size = 8, .of = record, .to_const = true}));
    vec_push(&use->ctypes, 0);
    vec_push(&use->ctypes, record + 1);
    ir_param_set(use, 0, (IrParam){.kind = IR_PARAM_PLAIN, .nonnull = true, .least = 48});
}

/* The text and what it leaves out give the program again: types, parameters and the drive. */
static void extra_is_read_again(void **state)
{
    (void)state;
    Arena *a = arena_new();
    IrDrive d;
    IrProgram *p = driven(&d, a);
    Str extra = {0}, again = {0};
    add_types(p);
    Str text = printed(p);
    ir_extra_write(p, &extra);
    IrProgram *q = must_parse_n(text.v, text.n);
    Wire in = wire_of(extra.v, extra.n);
    assert_true(ir_extra_read(q, &in));
    assert_true(wire_ended(&in));
    must_verify(q);
    ir_extra_write(q, &again);
    assert_int_equal(again.n, extra.n);
    assert_memory_equal(again.v, extra.v, extra.n);
    const IrFn *use = fn_named(q, "use");
    assert_true(ir_param(use, 0).nonnull);
    assert_string_equal(ir_text(q, q->ctypes.v[q->ctypes.v[use->ctypes.v[1]].of].name), "struct h");
    assert_true(q->fns.v[q->drive->fn].driver);
    ir_program_free(q);
    for (size_t n = 0; n < extra.n; n++) { /* what is cut off is refused */
        q = must_parse_n(text.v, text.n);
        in = wire_of(extra.v, n);
        assert_false(ir_extra_read(q, &in));
        ir_program_free(q);
    }
    str_free(&text);
    str_free(&extra);
    str_free(&again);
    ir_program_free(p);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_read_again),     cmocka_unit_test(other_text_is_refused),
        cmocka_unit_test(names_tell_calls_apart), cmocka_unit_test(driver_is_well_formed),
        cmocka_unit_test(extra_is_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
