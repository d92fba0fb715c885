/* test_frontend.c - C through clang: what the IR of a snippet must look like. */
#include "frontend_host.h"

static bool has(const Host *h, const char *words) { return strstr(str_text(&h->text), words) != NULL; }

/* Without the mark, LLVM would make x 5 on both ways. */
static void test_uninitialised_locals_stay_visible(void **state)
{
    Host *h = *state;
    IrProgram *p = host_load(h, "a.c",
                             "int f(int c) { int x; if (c) x = 5; return x; }\n"
                             "int g(int c) { int x = 1; if (c) x = 5; return x; }\n"
                             "int main(void) { return f(1) + g(2); }\n");
    assert_int_equal(host_count(p, "f", IR_UNINIT), 1);
    assert_int_equal(host_count(p, "f", IR_PHI), 1);
    assert_int_equal(host_count(p, "g", IR_UNINIT), 0);
    assert_int_equal(host_count(p, "g", IR_ALLOCA), 0);
    ir_program_free(p);
}

static void test_flags_names_and_sites(void **state)
{
    Host *h = *state;
    IrProgram *p =
        host_load(h, "sites.c",
                  "int s(int a, int b) { return a + b; }\n"
                  "unsigned u(unsigned a, unsigned b) {\n"
                  "    unsigned total = a + b;\n"
                  "    return total * 3;\n}\n"
                  "int loop(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }\n");
    assert_int_equal(host_first(p, "s", IR_ADD)->flags, IR_NSW);
    const IrInsn *add = host_first(p, "u", IR_ADD);
    assert_int_equal(add->flags, 0);
    assert_string_equal(ir_text(p, host_fn(p, "u")->regs.v[add->dst].name), "total");
    assert_string_equal(ir_text(p, host_fn(p, "u")->regs.v[0].name), "a");
    const IrSite *site = &p->sites.v[add->site];
    assert_int_equal(site->line, 3);
    assert_true(site->column > 0);
    assert_true(text_ends_with(ir_text(p, site->file), "/sites.c"));
    assert_string_equal(ir_text(p, site->fn), "u");
    assert_int_equal(p->sites.v[host_fn(p, "u")->site].line, 2);
    const IrInsn *phi = host_first(p, "loop", IR_PHI);
    const char *name = ir_text(p, host_fn(p, "loop")->regs.v[phi->dst].name);
    assert_true(strcmp(name, "i") == 0 || strcmp(name, "sum") == 0);
    assert_int_equal(host_fn(p, "loop")->loops.n, 1);
    ir_program_free(p);
}

static void test_setjmp_keeps_locals_in_memory(void **state)
{
    Host *h = *state;
    IrProgram *p = host_load(h, "a.c",
                             "#include <setjmp.h>\njmp_buf b;\n"
                             "int f(int x) { int y = x; if (setjmp(b)) return y; y = 7; longjmp(b, 3); }\n");
    assert_int_equal(host_count(p, "f", IR_SETJMP), 1);
    assert_int_equal(host_count(p, "f", IR_LONGJMP), 1);
    assert_int_equal(host_count(p, "f", IR_ALLOCA), 2);
    assert_int_equal(host_count(p, "f", IR_UNREACHABLE), 0);
    ir_program_free(p);
}

static void test_structures_by_value(void **state)
{
    Host *h = *state;
    IrProgram *p = host_load(h, "a.c",
                             "struct big { long a[5]; }; struct two { long a; double b; };\n"
                             "struct big f(struct big x, int i) { x.a[i] = i; return x; }\n"
                             "struct two g(struct two t) { t.a++; return t; }\n"
                             "int v(int n, ...);\n"
                             "int c(struct big b) { return v(1, b, 2.0L, 3); }\n");
    const IrFn *f = host_fn(p, "f"), *g = host_fn(p, "g");
    assert_int_equal(f->nparams, 3); /* where the result goes, x, i */
    assert_int_equal(f->results.n, 0);
    assert_true(host_count(p, "f", IR_MEMCPY) >= 2); /* the callee's own copy, the result */
    assert_int_equal(host_first(p, "f", IR_ALLOCA)->flags, IR_FIXED);
    assert_int_equal(g->nparams, 2);
    assert_int_equal(g->results.n, 2);
    IrCall call = ir_call_read(host_fn(p, "c"), host_first(p, "c", IR_CALL));
    assert_int_equal(call.nargs, 1);
    assert_int_equal(call.nvar, 3);
    assert_int_equal(call.var[1], 40); /* a structure of 40 bytes, */
    assert_int_equal(call.var[2], 8);
    assert_int_equal(call.var[3 + 1], 0); /* a long double, */
    assert_int_equal(call.var[3 + 2], 16);
    assert_int_equal(host_fn(p, "c")->regs.v[call.var[3]].width, 80);
    assert_int_equal(call.var[6 + 1], 0); /* an int */
    ir_program_free(p);
}

static void test_calls_without_prototype(void **state)
{
    Host *h = *state;
    IrProgram *p =
        host_load(h, "a.c",
                  "int k(); int c(void) { return k(1, 2); } int k(a, b) int a, b; { return a - b; }\n"
                  "int v(int n, ...) { return n; }\n"
                  "int w(void) { int (*q)(int, ...) = v; return q(1, 2, 3); }\n");
    IrCall call = ir_call_read(host_fn(p, "c"), host_first(p, "c", IR_CALL));
    assert_int_equal(call.nargs, 2);
    assert_int_equal(call.nvar, 0);
    call = ir_call_read(host_fn(p, "w"), host_first(p, "w", IR_CALL));
    assert_int_equal(call.nargs, 1);
    assert_int_equal(call.nvar, 2);
    ir_program_free(p);
}

static void test_globals(void **state)
{
    Host *h = *state;
    IrProgram *p =
        host_load(h, "a.c",
                  "struct s { char c; int i; const char *n; double d; } t[2] = {{'a', 5, \"x\", 1.0}};\n"
                  "int zero[100]; const short k[3] = {1, -1, 2}; extern int other;\n"
                  "int *inside = &t[1].i; int (*fn)(void); static int here(void) { return other; }\n"
                  "int (*table[])(void) = {0, here}; long double ld = 1.0L;\n"
                  "extern int maybe(void) __attribute__((weak)); int (*m)(void) = maybe;\n");
    const IrGlobal *t = &p->globals.v[ir_global_find(p, "t")];
    const uint8_t first[] = {'a', 0, 0, 0, 5, 0, 0, 0};
    assert_int_equal(t->size, 48);
    assert_memory_equal(t->bytes, first, 8);
    assert_int_equal(t->bytes[23], 0x3f);
    assert_int_equal(t->relocs.n, 1);
    assert_int_equal(t->relocs.v[0].offset, 8);
    assert_int_equal(t->relocs.v[0].value.kind, IR_CONST_GLOBAL);
    const IrGlobal *inside = &p->globals.v[ir_global_find(p, "inside")];
    assert_int_equal(inside->relocs.v[0].value.index, ir_global_find(p, "t"));
    assert_int_equal((uint64_t)inside->relocs.v[0].value.bits, 28);
    const IrGlobal *k = &p->globals.v[ir_global_find(p, "k")];
    assert_true(k->constant && k->bytes[2] == 0xff && k->bytes[3] == 0xff);
    assert_null(p->globals.v[ir_global_find(p, "zero")].bytes);
    assert_false(p->globals.v[ir_global_find(p, "other")].defined);
    const IrGlobal *table = &p->globals.v[ir_global_find(p, "table")];
    assert_int_equal(table->relocs.n, 1);
    assert_int_equal(table->relocs.v[0].value.kind, IR_CONST_FN);
    assert_int_equal(p->globals.v[ir_global_find(p, "m")].relocs.n, 0);
    assert_int_equal(p->globals.v[ir_global_find(p, "ld")].bytes[9], 0x3f);
    ir_program_free(p);
}

static void test_computed_goto(void **state)
{
    Host *h = *state;
    IrProgram *p =
        host_load(h, "a.c",
                  "int f(int i) { static void *t[] = {&&a, &&b}; static const int d[] = {&&b - &&a};\n"
                  "    goto *t[i]; a: return d[0]; b: return 2; }\n");
    assert_int_equal(host_count(p, "f", IR_GOTO), 1);
    assert_true(p->init != IR_NONE); /* only code can subtract addresses of labels */
    assert_int_equal(host_count(p, "__sheaf_init", IR_STORE), 1);
    assert_int_equal(host_count(p, "__sheaf_constructors", IR_CALL),
                     0); /* the machine calls it before all else */
    ir_program_free(p);
}

static void test_constructors(void **state)
{
    Host *h = *state;
    IrProgram *p = host_load(h, "a.c",
                             "__attribute__((constructor(200))) void second(void) {}\n"
                             "__attribute__((constructor(101))) void first(int argc, char **argv) {}\n"
                             "__attribute__((constructor)) void third(void) {}\n"
                             "__attribute__((destructor(101))) void last(void) {}\n"
                             "__attribute__((destructor)) void early(void) {}\n");
    const char *order[] = {"first", "second", "third"};
    assert_int_equal(p->constructors.n, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_string_equal(ir_text(p, p->fns.v[p->constructors.v[i]].name), order[i]);
    assert_int_equal(p->destructors.n, 2);
    assert_string_equal(ir_text(p, p->fns.v[p->destructors.v[0]].name), "early");
    assert_int_equal(host_count(p, "__sheaf_constructors", IR_CALL), 3);
    assert_int_equal(host_count(p, "__sheaf_destructors", IR_CALL), 2);
    assert_int_equal(
        ir_call_read(host_fn(p, "__sheaf_constructors"), host_first(p, "__sheaf_constructors", IR_CALL))
            .nargs,
        2);
    ir_program_free(p);
}

static void test_inline_assembly(void **state)
{
    Host *h = *state;
    IrProgram *p = host_load(
        h, "a.c",
        "int f(int x) { __asm__ volatile(\"\" : \"+r\"(x) : : \"memory\"); __asm__(\"mfence\"); return x; }\n"
        "int g(int x) { __asm__(\"cpuid\" : : : \"eax\", \"ebx\", \"ecx\", \"edx\"); return x + 1; }\n");
    u128 in = 42, out[1];
    assert_int_equal(host_run(p, "f", &in, out), 1);
    assert_true(out[0] == 42);
    assert_int_equal(host_count(p, "g", IR_UNSUPPORTED), 1);
    assert_int_equal(host_count(p, "g", IR_ADD), 0); /* nothing behind it can be reached */
    assert_true(has(h, "cpuid"));
    ir_program_free(p);
}

static void test_only_what_is_reached(void **state)
{
    Host *h = *state;
    FrontendOptions options = {.entry = "main"};
    vec_push(&options.inputs, host_file(h, "a.c",
                                        "int used(void) { return 1; } int unused(void) { return 2; }\n"
                                        "static int slot(void) { return 3; } int (*p)(void) = slot;\n"
                                        "int dead; int main(void) { return used() + p(); }\n"));
    IrProgram *p = host_load_with(h, &options);
    assert_true(ir_fn_find(p, "used") != IR_NONE && ir_fn_find(p, "slot") != IR_NONE);
    assert_true(ir_fn_find(p, "unused") == IR_NONE && ir_global_find(p, "dead") == IR_NONE);
    ir_program_free(p);
    vec_free(&options.inputs);
}

static void test_several_files(void **state)
{
    Host *h = *state;
    FrontendOptions options = {.entry = "main", .all_functions = true};
    vec_push(
        &options.inputs,
        host_file(
            h, "a.c",
            "static int s(void) { return 1; } int other(void); int main(void) { return s() + other(); }\n"));
    vec_push(&options.inputs, host_file(h, "b.c",
                                        "static int s(void) { return 2; } int other(void) { return s() + N; "
                                        "} unsigned u(unsigned x) { return x + N; }\n"));
    vec_push(&options.cflags, "-DN=5");
    IrProgram *p = host_load_with(h, &options);
    IrCall call = ir_call_read(host_fn(p, "other"), host_first(p, "other", IR_CALL));
    assert_int_equal(call.nargs, 0);
    assert_int_equal(host_first(p, "other", IR_ADD)->flags, IR_NSW); /* kept when files are linked */
    assert_int_equal(host_first(p, "u", IR_ADD)->flags, 0);
    assert_int_not_equal(host_first(p, "other", IR_CALL)->a, host_first(p, "main", IR_CALL)->a);
    ir_program_free(p);
    vec_free(&options.inputs);
    vec_free(&options.cflags);
}

static void test_optimised_code_on_request(void **state)
{
    Host *h = *state;
    FrontendOptions options = {.all_functions = true};
    vec_push(&options.inputs,
             host_file(h, "a.c", "int f(void) { int a[2] = {1, 2}; return a[0] + a[1]; }\n"));
    vec_push(&options.cflags, "-O2");
    IrProgram *p = host_load_with(h, &options);
    assert_int_equal(host_count(p, "f", IR_ALLOCA), 1);
    ir_program_free(p);
    options.optimise = true;
    p = host_load_with(h, &options);
    assert_int_equal(host_count(p, "f", IR_ALLOCA), 0);
    ir_program_free(p);
    vec_free(&options.inputs);
    vec_free(&options.cflags);
}

static void test_own_text_form(void **state)
{
    Host *h = *state;
    IrProgram *p = host_load(h, "a.c", "int main(void) { return 3; }\n");
    const char *text = arena_strdup(h->arena, str_text(&h->text));
    ir_program_free(p);
    p = host_load(h, "b.ir", text);
    assert_string_equal(str_text(&h->text), text);
    ir_program_free(p);
}

static void test_atomics_and_wide_integers(void **state)
{
    Host *h = *state;
    IrProgram *p = host_load(
        h, "a.c",
        "_Atomic int a; int f(int e) { __sync_fetch_and_nand((int *)&a, 3); return a++ + e; }\n"
        "__int128 w(__int128 a, unsigned __int128 b) { return a * 3 + (b ^ ((__int128)5 << 100)); }\n"
        "double m(double a, double b, double c) { return a * b + c; }\n");
    assert_true(host_count(p, "f", IR_LOAD) >= 2 && host_count(p, "f", IR_STORE) >= 2);
    u128 args[4] = {7, 0, 1, 0}, out[2];
    assert_int_equal(host_fn(p, "w")->nparams, 4);
    if (host_count(p, "w", IR_ALLOCA) == 0) {
        assert_int_equal(host_run(p, "w", args, out), 2);
        assert_true(out[0] == 22);
    }
    assert_int_equal(host_count(p, "m", IR_FMUL), 1); /* not fused, as natively */
    assert_int_equal(host_count(p, "m", IR_FADD), 1);
    assert_true(has(h, "0x50000000000000000000000000"));
    ir_program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uninitialised_locals_stay_visible),
        cmocka_unit_test(test_flags_names_and_sites),
        cmocka_unit_test(test_setjmp_keeps_locals_in_memory),
        cmocka_unit_test(test_structures_by_value),
        cmocka_unit_test(test_calls_without_prototype),
        cmocka_unit_test(test_globals),
        cmocka_unit_test(test_computed_goto),
        cmocka_unit_test(test_constructors),
        cmocka_unit_test(test_inline_assembly),
        cmocka_unit_test(test_only_what_is_reached),
        cmocka_unit_test(test_several_files),
        cmocka_unit_test(test_optimised_code_on_request),
        cmocka_unit_test(test_own_text_form),
        cmocka_unit_test(test_atomics_and_wide_integers),
    };
    return cmocka_run_group_tests(tests, host_setup, host_teardown);
}
