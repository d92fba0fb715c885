/* test_versions.c - pairing of two versions of a program: functions, instructions, globals, tags. */
#include "test_ir_util.h"
#include "versions/versions.h"

typedef struct Pair {
    IrProgram *old, *new;
    Versions *v;
} Pair;

static Pair open_pair(const char *old, const char *new)
{
    Pair p = {must_parse(old), must_parse(new), NULL};
    must_verify(p.old);
    must_verify(p.new);
    p.v = versions_pair(p.old, p.new, 0);
    return p;
}

static void close_pair(Pair *p)
{
    versions_free(p->v);
    ir_program_free(p->old);
    ir_program_free(p->new);
}

static const VersionsFn *fn_of(const Pair *p, const char *name)
{
    uint32_t fn = ir_fn_find(p->new, name);
    assert_int_not_equal(fn, IR_NONE);
    return &p->v->fns.v[p->v->fn_of[VERSIONS_NEW].v[fn]];
}

static const char clamp[] =
    "fn @f(%x:32) -> 32 {\n^e:\n %c = slt.32 10, %x\n br %c, ^a, ^b\n"
    "^a:\n jmp ^j\n^b:\n %y = add.32 %x, 1\n jmp ^j\n^j:\n %r = phi.32 ^a: 10, ^b: %y\n ret %r\n}\n";

static void names_and_order_do_not_count(void **state)
{
    (void)state;
    Pair p = open_pair(clamp, "fn @f(%v:32) -> 32 {\n^top:\n %q = slt.32 10, %v\n br %q, ^one, ^two\n"
                              "^join:\n %s = phi.32 ^one: 10, ^two: %z\n ret %s\n"
                              "^two:\n %z = add.32 %v, 1\n jmp ^join\n^one:\n jmp ^join\n}\n");
    assert_true(p.v->identical);
    assert_true(fn_of(&p, "f")->identical);
    assert_int_equal(p.v->changed[VERSIONS_NEW].n, 0);
    close_pair(&p);
}

/* The constant changed, and nothing else. */
static void one_instruction(void **state)
{
    (void)state;
    Pair p = open_pair(
        clamp,
        "fn @f(%x:32) -> 32 {\n^e:\n %c = slt.32 11, %x\n br %c, ^a, ^b\n"
        "^a:\n jmp ^j\n^b:\n %y = add.32 %x, 1\n jmp ^j\n^j:\n %r = phi.32 ^a: 10, ^b: %y\n ret %r\n}\n");
    assert_false(p.v->identical);
    assert_int_equal(p.v->changed[VERSIONS_OLD].n, 1);
    assert_int_equal(p.v->changed[VERSIONS_NEW].n, 1);
    assert_int_equal(p.v->changed[VERSIONS_NEW].v[0].block, 0);
    assert_int_equal(p.v->changed[VERSIONS_NEW].v[0].insn, 0);
    close_pair(&p);
}

/* What is inserted renames nothing: what follows keeps OLD's tags, and the new instruction has none of
 * them. */
static void tags_stay(void **state)
{
    (void)state;
    Pair p = open_pair("fn @g(%x:32) -> 32 {\n^e:\n %y = add.32 %x, 1\n %z = mul.32 %y, %x\n ret %z\n}\n",
                       "fn @g(%x:32) -> 32 {\n^e:\n %y = add.32 %x, 1\n %w = xor.32 %x, 5\n %z = mul.32 %y, "
                       "%w\n ret %z\n}\n");
    uint32_t old = ir_fn_find(p.old, "g"), new = ir_fn_find(p.new, "g");
    assert_true(ir_insn_tag(p.old, old, 0, 0) == ir_insn_tag(p.new, new, 0, 0));
    assert_true(ir_insn_tag(p.old, old, 0, 1) == ir_insn_tag(p.new, new, 0, 2));
    assert_true(ir_insn_tag(p.old, old, 0, 2) == ir_insn_tag(p.new, new, 0, 3));
    for (uint32_t i = 0; i < 3; i++)
        assert_true(ir_insn_tag(p.old, old, 0, i) != ir_insn_tag(p.new, new, 0, 1));
    FlowSite out;
    assert_true(versions_partner(p.v, VERSIONS_NEW, (FlowSite){new, 0, 2}, &out));
    assert_int_equal(out.insn, 1);
    assert_false(versions_partner(p.v, VERSIONS_NEW, (FlowSite){new, 0, 1}, &out));
    assert_int_equal(p.v->changed[VERSIONS_NEW].n, 2); /* the new one, and the one that reads it */
    close_pair(&p);
}

static void renames(void **state)
{
    (void)state;
    Pair p = open_pair("fn @help(%x:32) -> 32 {\n^e:\n %y = add.32 %x, 7\n ret %y\n}\n"
                       "fn @f(%x:32) -> 32 {\n^e:\n %y:32 = call @help(%x)\n ret %y\n}\n",
                       "fn @f(%x:32) -> 32 {\n^e:\n %y:32 = call @aid(%x)\n ret %y\n}\n"
                       "fn @aid(%x:32) -> 32 {\n^e:\n %y = add.32 %x, 7\n ret %y\n}\n");
    assert_true(p.v->identical);
    assert_true(fn_of(&p, "aid")->renamed);
    assert_true(ir_fn_tag(p.new, ir_fn_find(p.new, "aid")) == ir_fn_tag(p.old, ir_fn_find(p.old, "help")));
    close_pair(&p);
}

/* A rename does not make functions with other constants equal. */
static void not_a_rename(void **state)
{
    (void)state;
    Pair p = open_pair("fn @help(%x:32) -> 32 {\n^e:\n %y = add.32 %x, 7\n ret %y\n}\n",
                       "fn @aid(%x:32) -> 32 {\n^e:\n %y = add.32 %x, 8\n ret %y\n}\n");
    assert_false(p.v->identical);
    assert_false(fn_of(&p, "aid")->identical);
    close_pair(&p);
}

static bool has_site(const VersionsSites *all, uint32_t block, uint32_t insn)
{
    for (uint32_t i = 0; i < all->n; i++)
        if (all->v[i].block == block && all->v[i].insn == insn)
            return true;
    return false;
}

/* The impact set of the paper: which assignment a phi stands for depends on the branch before it. So what
 * compares the value later is impacted; a branch that has nothing to do with it is not. */
static void local_impact_through_a_phi(void **state)
{
    (void)state;
    static const char *const text =
        "fn @f(%%a:32, %%y:32, %%k:32) -> 32 {\n^e:\n %%c = slt.32 %s, %%a\n br %%c, ^t, ^j\n^t:\n jmp ^j\n"
        "^j:\n %%x = phi.32 ^e: 0, ^t: 1\n %%d = slt.32 %%y, %%x\n br %%d, ^u, ^v\n^u:\n jmp ^v\n"
        "^v:\n %%g = slt.32 %%k, 5\n br %%g, ^w, ^z\n^w:\n ret 1:32\n^z:\n ret 2:32\n}\n";
    Str old = {0}, new = {0};
    str_printf(&old, text, "0");
    str_printf(&new, text, "1");
    Pair p = open_pair(str_text(&old), str_text(&new));
    ir_fn_index(&p.old->fns.v[0]);
    ir_fn_index(&p.new->fns.v[0]);
    Flow *flow[2] = {flow_new(p.old, NULL), flow_new(p.new, NULL)};
    VersionsSites local = {0}, all = {0};
    versions_impact_local(p.v, flow[0], flow[1], &local);
    versions_impact(p.v, flow[0], flow[1], 0, &all);
    assert_true(has_site(&local, 2, 0) && has_site(&all, 2, 0));  /* the phi */
    assert_true(has_site(&local, 2, 2) && has_site(&all, 2, 2));  /* the branch behind it */
    assert_false(has_site(&local, 4, 1) || has_site(&all, 4, 1)); /* the other one */
    for (uint32_t i = 0; i < 2; i++)
        flow_free(flow[i]);
    vec_free(&local);
    vec_free(&all);
    close_pair(&p);
    str_free(&old);
    str_free(&new);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_order_do_not_count),
        cmocka_unit_test(one_instruction),
        cmocka_unit_test(tags_stay),
        cmocka_unit_test(renames),
        cmocka_unit_test(not_a_rename),
        cmocka_unit_test(local_impact_through_a_phi),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
