/* test_vm_sym.c - random programs over two symbolic bytes, held against the concrete machine on every input.
 *
 * Each input must satisfy the conditions of exactly one explored path, and that path's outcome (ending,
 * fault, status as an expression) must be what the program does when the same bytes are constants. Every
 * expression is verified against its word on the way, and an exploration without snapshots must see the same
 * runs. */
#include "vm_explore.h"

enum { PROGRAMS = 60, RANGE = 12 };

typedef struct Gen {
    Rng rng;
    Str body;
    uint32_t values, labels; /* %v0 ... are 32 bits and defined everywhere below */
} Gen;

static uint32_t pick(Gen *g, uint32_t n) { return (uint32_t)rng_below(&g->rng, n); }
static uint32_t value(Gen *g) { return pick(g, g->values); }

static void operand(Gen *g, char out[16])
{
    if (pick(g, 3) == 0)
        snprintf(out, 16, "%d", (int)pick(g, 9) - 2);
    else
        snprintf(out, 16, "%%v%u", value(g));
}

static void arithmetic(Gen *g)
{
    static const char *const ops[] = {"add",  "sub",  "mul",  "and",  "or",   "xor",  "shl", "lshr", "ashr",
                                      "udiv", "sdiv", "urem", "srem", "umin", "smax", "add", "sub",  "xor"};
    char b[16];
    operand(g, b);
    str_printf(&g->body, "    %%v%u = %s.32 %%v%u, %s\n", g->values, ops[pick(g, COUNT_OF(ops))], value(g),
               b);
    g->values++;
}

static void compare(Gen *g, const char *name)
{
    static const char *const ops[] = {"eq", "ne", "ult", "ule", "slt", "sle"};
    char b[16];
    operand(g, b);
    str_printf(&g->body, "    %%%s = %s.32 %%v%u, %s\n", name, ops[pick(g, COUNT_OF(ops))], value(g), b);
}

/* An element of a small array, or with odd byte offsets, or of one large enough to be an array expression. */
static void memory(Gen *g)
{
    static const struct {
        const char *name;
        uint32_t mask, scale;
    } places[] = {
        {"$small", 7, 4}, {"$small", 3, 4}, {"$small", 15, 1}, {"$large", 127, 4}, {"$small", 5, 8}};
    uint32_t at = pick(g, COUNT_OF(places)), n = g->labels++;
    str_printf(&g->body, "    %%m%u = and.32 %%v%u, %u\n    %%p%u = index %s, %%m%u, scale %u\n", n, value(g),
               places[at].mask, n, places[at].name, n, places[at].scale);
    if (pick(g, 2)) {
        str_printf(&g->body, "    store.32 %%p%u, %%v%u, align 1\n", n, value(g));
    } else {
        str_printf(&g->body, "    %%v%u = load.32 %%p%u, align 1\n", g->values, n);
        g->values++;
    }
}

static void choice(Gen *g)
{
    uint32_t n = g->labels++;
    char name[16];
    snprintf(name, sizeof name, "c%u", n);
    compare(g, name);
    str_printf(&g->body, "    %%v%u = select.32 %%c%u, %%v%u, %%v%u\n", g->values, n, value(g), value(g));
    g->values++;
}

/* Both sides define nothing that is read later but the phi. */
static void branch(Gen *g)
{
    uint32_t k = g->labels++, p = value(g), q = value(g), r = value(g);
    char name[16];
    snprintf(name, sizeof name, "c%u", k);
    compare(g, name);
    str_printf(&g->body,
               "    br %%c%u, ^yes%u, ^no%u\n^yes%u:\n    %%t%u = mul.32 %%v%u, 3\n    jmp ^end%u\n"
               "^no%u:\n    %%u%u = sub.32 %%v%u, %%v%u\n    jmp ^end%u\n"
               "^end%u:\n    %%v%u = phi.32 ^yes%u: %%t%u, ^no%u: %%u%u\n",
               k, k, k, k, k, p, k, k, k, q, r, k, k, g->values, k, k, k, k);
    g->values++;
}

static void switch_on(Gen *g)
{
    uint32_t n = g->labels++, x = value(g);
    str_printf(&g->body,
               "    switch.32 %%v%u, [1 -> ^a%u, 2 -> ^b%u, 5 -> ^a%u], ^d%u\n"
               "^a%u:\n    jmp ^s%u\n^b%u:\n    jmp ^s%u\n^d%u:\n    jmp ^s%u\n"
               "^s%u:\n    %%v%u = phi.32 ^a%u: 3, ^b%u: %%v%u, ^d%u: 7\n",
               x, n, n, n, n, n, n, n, n, n, n, n, g->values, n, n, x, n);
    g->values++;
}

/* A block whose size is symbolic. */
static void block(Gen *g)
{
    uint32_t n = g->labels++;
    str_printf(
        &g->body,
        "    %%n%u_ = and.32 %%v%u, 15\n    %%n%u = zext.64 %%n%u_\n    memmove $small, $other, %%n%u\n", n,
        value(g), n, n, n);
}

static char *program(uint64_t seed, int x, int y)
{
    Gen g = {.values = 0};
    Str text = {0};
    rng_seed(&g.rng, seed);
    str_printf(
        &text,
        "fn @__sheaf_symbolic(%%p:64, %%n:64, %%name:64)\nfn @__sheaf_assume(%%c:64)\n"
        "global $in 2 align 1 {\n    0 \"\\%02x\\%02x\"\n}\n"
        "global $name 3 align 1 {\n    0 \"in\\00\"\n}\n"
        "global $small 16 align 4 {\n    0 \"\\01\\00\\00\\00\\02\\00\\00\\00\\07\\00\\00\\00\\04\"\n}\n"
        "global $other 12 align 4 {\n    0 \"abcdefghijkl\"\n}\n"
        "global $large 512 align 4 {\n    0 \"\\09\\00\\00\\00\\05\"\n}\n"
        "fn @main() -> 32 {\n^entry:\n",
        x < 0 ? 0 : x, y < 0 ? 0 : y);
    if (x < 0)
        str_add(&text, "    call @__sheaf_symbolic($in, 2:64, $name)\n");
    str_add(&text, "    %a = load.8 $in, align 1\n    %b = load.8 $in+1, align 1\n"
                   "    %v0 = zext.32 %a\n    %v1 = sext.32 %b\n");
    if (x < 0)
        str_printf(&text,
                   "    %%l0 = ult.8 %%a, %d\n    %%l1 = ult.8 %%b, %d\n    %%l2 = and.1 %%l0, %%l1\n"
                   "    %%l3 = zext.64 %%l2\n    call @__sheaf_assume(%%l3)\n",
                   RANGE, RANGE);
    g.values = 2;
    for (int i = 0, n = 5 + (int)pick(&g, 8); i < n; i++) {
        switch (pick(&g, 8)) {
        case 0: memory(&g); break;
        case 1: choice(&g); break;
        case 2: switch_on(&g); break;
        case 3: block(&g); break;
        case 4:
        case 5: branch(&g); break;
        default: arithmetic(&g); break;
        }
    }
    str_add(&text, str_text(&g.body));
    str_printf(&text, "    %%r = and.32 %%v%u, 255\n    ret %%r\n}\n", g.values - 1);
    str_free(&g.body);
    return str_take(&text);
}

static void check_input(Exploration *x, uint64_t seed, int a, int b)
{
    char *text = program(seed, a, b);
    TextRun run = text_run(text);
    ExprInput input = {0};
    expr_input_set_byte(&input, 0, (uint8_t)a);
    expr_input_set_byte(&input, 1, (uint8_t)b);
    const PathSeen *path = exploration_path(x, &input);
    if (path->ending != run.result.ending ||
        (path->ending == VM_END_FAULT && path->fault != run.result.fault))
        fail_msg("seed %llu, input %d %d: ending %d (%s), path %d (%s)\n%s", (unsigned long long)seed, a, b,
                 run.result.ending, vm_fault_suffix(run.result.fault), path->ending,
                 vm_fault_suffix(path->fault), text);
    int status = expr_is_none(path->status_expr)
                     ? path->status
                     : (int)(uint32_t)expr_eval_once(explore_pool(x->explore), &input, path->status_expr);
    if (path->ending == VM_END_RETURN && status != run.result.status)
        fail_msg("seed %llu, input %d %d: status %d, path says %d\n%s", (unsigned long long)seed, a, b,
                 run.result.status, status, text);
    expr_input_free(&input);
    text_end(&run);
    mem_free(text);
}

static void check_program(uint64_t seed)
{
    char *text = program(seed, -1, -1);
    ExploreOptions options = exploration_options();
    Exploration *x = exploration_of(text, options);
    options.symbolic.snapshot_bytes = 0;
    Exploration *without = exploration_of(text, options);
    if (x->paths.n != without->paths.n)
        fail_msg("seed %llu: %u runs, %u without snapshots", (unsigned long long)seed, x->paths.n,
                 without->paths.n);
    for (uint32_t i = 0; i < x->paths.n; i++)
        if (x->paths.v[i].hash != without->paths.v[i].hash)
            fail_msg("seed %llu: run %u differs without snapshots", (unsigned long long)seed, i + 1);
    assert_int_equal(explore_count(x->explore, EXPLORE_DIVERGED), 0);
    if (ledger_count(explore_ledger(x->explore)))
        fail_msg("seed %llu: incomplete", (unsigned long long)seed);
    exploration_end(without);
    for (int a = 0; a < RANGE; a++)
        for (int b = 0; b < RANGE; b++)
            check_input(x, seed, a, b);
    exploration_end(x);
    mem_free(text);
}

static void test_random(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++)
        check_program(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
