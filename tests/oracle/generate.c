/* generate.c - the grammar of generated programs.
 *
 * Integers in locals and globals, arrays, pointers chosen by conditions, nested branches, bounded loops,
 * switches, calls of a shared helper, checks, divisions, early returns, heap cells that may have been freed
 * only under the same condition. Values are kept small by masks, so that nothing overflows; everything else
 * is what C allows. Seeds from GENERATE_WIDE on have the statements of wide.c as well, seeds from
 * GENERATE_PARTS on those of parts.c only, seeds from GENERATE_SHARED on those of wide.c and more of it,
 * seeds from GENERATE_PLACES on those of places.c only, seeds from GENERATE_ROUNDS on those of rounds.c only,
 * seeds from GENERATE_FAILURES on those of failures.c only, seeds from GENERATE_LOOPS on those of loops.c
 * only, from GENERATE_DEEP on those of deep.c only, from
 * GENERATE_STRINGS on those of strings.c only; the text of a seed never changes. */
#include "generate_int.h"

void generate_variable(Gen *g, Str *s)
{
    switch (pick(g, 4)) {
    case 0: str_printf(s, "g%u", pick(g, GLOBALS)); break;
    case 1: str_printf(s, "in[%u]", pick(g, GENERATE_INPUTS)); break;
    default: str_printf(s, "v%u", pick(g, LOCALS)); break;
    }
}

void generate_target(Gen *g, Str *s)
{
    if (pick(g, 4) == 0)
        str_printf(s, "g%u", pick(g, GLOBALS));
    else
        str_printf(s, "v%u", pick(g, LOCALS));
}

/* At most one place in a statement may fail, so that the failing place is known by its line. */
void generate_expression(Gen *g, Str *s, int depth)
{
    static const char *const operators[] = {"+", "-", "*", "&", "|", "^", "<", "==", ">", "!=", "<="};
    if (depth == 0 || pick(g, 3) == 0) {
        if (pick(g, 3) == 0)
            str_printf(s, "%d", (int)pick(g, 9) - 3);
        else
            generate_variable(g, s);
        return;
    }
    switch (pick(g, 8)) {
    case 0:
        str_add(s, "(");
        generate_expression(g, s, depth - 1);
        str_add(s, " > 0 ? ");
        generate_expression(g, s, depth - 1);
        str_add(s, " : ");
        generate_expression(g, s, depth - 1);
        str_add(s, ")");
        return;
    case 1:
        str_add(s, "((");
        generate_expression(g, s, depth - 1);
        str_printf(s, ") << %u)", pick(g, 3));
        return;
    case 2:
        str_add(s, "a[(");
        generate_expression(g, s, depth - 1);
        str_printf(s, ") & %d]", CELLS - 1);
        return;
    case 3:
        str_add(s, "(signed char)(");
        generate_expression(g, s, depth - 1);
        str_add(s, ")");
        return;
    default:
        str_add(s, "((");
        generate_expression(g, s, depth - 1);
        str_printf(s, ") %s (", operators[pick(g, COUNT_OF(operators))]);
        generate_expression(g, s, depth - 1);
        str_add(s, "))");
    }
}

static void indent(Gen *g, int depth)
{
    str_printf(g->out, "#line %d\n%*s", ++g->statement, 4 * (DEPTH + 1 - depth), "");
}

static void block(Gen *g, int depth, int n);

static void assignment(Gen *g)
{
    Str *s = g->out;
    generate_target(g, s);
    str_add(s, " = (");
    generate_expression(g, s, 2);
    str_add(s, ") & 15;\n");
}

static void conditional(Gen *g, int depth)
{
    Str *s = g->out;
    str_printf(s, "if (BRANCH(%d, (", g->statement);
    generate_expression(g, s, 2);
    static const char *const tests[] = {" > 0", " == 1", " < 2", " != 0"};
    str_printf(s, ")%s)) {\n", tests[pick(g, 4)]);
    block(g, depth - 1, 1 + (int)pick(g, 2));
    if (pick(g, 2)) {
        str_add(s, "} else {\n");
        block(g, depth - 1, 1 + (int)pick(g, 2));
    }
    str_add(s, "}\n");
}

static void loop(Gen *g, int depth)
{
    Str *s = g->out;
    int n = g->loops++;
    str_printf(s, "for (int i%d = 0; i%d < %u; i%d++) {\n", n, n, 2 + pick(g, 2), n);
    indent(g, depth - 1);
    str_printf(s, "if (BRANCH(%d, ((", g->statement);
    generate_expression(g, s, 1);
    str_printf(s, ") + i%d) > %u)) break;\n", n, pick(g, 4));
    block(g, depth - 1, 1 + (int)pick(g, 2));
    str_add(s, "}\n");
    g->loops--;
}

static void switching(Gen *g, int depth)
{
    Str *s = g->out;
    str_add(s, "switch ((");
    generate_expression(g, s, 1);
    str_add(s, ") & 3) {\n");
    for (int k = 0; k < 2; k++) {
        str_printf(s, "case %d:\n", k == 0 ? 0 : 1 + (int)pick(g, 2));
        indent(g, depth - 1);
        str_printf(s, "BRANCH(%d, %d);\n", g->statement, k);
        block(g, depth - 1, 1);
        if (pick(g, 2))
            str_add(s, "break;\n");
    }
    str_add(s, "default:\n");
    indent(g, depth - 1);
    str_printf(s, "BRANCH(%d, 1);\n}\n", g->statement);
}

static void failing(Gen *g)
{
    Str *s = g->out;
    switch (pick(g, 4)) {
    case 0:
        str_printf(s, "CHECK(%d, (", g->statement);
        generate_expression(g, s, 2);
        str_printf(s, ") != %d);\n", (int)pick(g, 7));
        return;
    case 1:
        generate_target(g, s);
        str_printf(s, " = DIV(%d, ", g->statement);
        generate_expression(g, s, 1);
        str_add(s, ", (");
        generate_expression(g, s, 1);
        str_printf(s, ") + %u) & 15;\n", pick(g, 3));
        return;
    case 2:
        str_printf(s, "AT(%d, a, %d, (", g->statement, CELLS);
        generate_expression(g, s, 1);
        str_add(s, ") & 7) = (");
        generate_expression(g, s, 1);
        str_add(s, ") & 15;\n");
        return;
    default:
        generate_target(g, s);
        str_printf(s, " = AT(%d, a, %d, (", g->statement, CELLS);
        generate_expression(g, s, 2);
        str_add(s, ") & 7);\n");
    }
}

static void pointing(Gen *g)
{
    Str *s = g->out;
    int n = g->statement;
    str_printf(s, "{ int *p = (");
    generate_expression(g, s, 1);
    str_printf(s, ") > 0 ? &v%u : ", pick(g, LOCALS));
    if (pick(g, 4) == 0)
        str_add(s, "(int *)0");
    else
        str_printf(s, "&g%u", pick(g, GLOBALS));
    str_printf(s, "; DEREF(%d, p) = (", n);
    generate_expression(g, s, 1);
    str_add(s, ") & 15; }\n");
}

static void heaping(Gen *g)
{
    Str *s = g->out;
    str_add(s, "{ int *h = malloc(2 * sizeof *h); h[0] = ");
    generate_expression(g, s, 1);
    str_add(s, "; h[1] = 3; ");
    generate_target(g, s);
    str_add(s, " = h[(");
    generate_expression(g, s, 1);
    str_add(s, ") & 1] & 15; free(h); }\n");
}

static void statement(Gen *g, int depth)
{
    g->budget--;
    indent(g, depth);
    if (g->wide && pick(g, 2)) {
        generate_wide(g);
        return;
    }
    uint32_t kind = pick(g, depth > 0 ? 16 : 8);
    if (kind < 4)
        assignment(g);
    else if (kind < 6)
        failing(g);
    else if (kind == 6)
        pointing(g);
    else if (kind == 7 && g->in_helper)
        heaping(g);
    else if (kind == 7) {
        generate_target(g, g->out);
        str_add(g->out, " = helper(");
        generate_expression(g, g->out, 1);
        str_add(g->out, ", ");
        generate_expression(g, g->out, 1);
        str_add(g->out, ") & 15;\n");
    } else if (kind < 12)
        conditional(g, depth);
    else if (kind < 14)
        loop(g, depth);
    else if (kind == 14)
        switching(g, depth);
    else {
        str_printf(g->out, "if (BRANCH(%d, (", g->statement);
        generate_expression(g, g->out, 1);
        str_add(g->out, ") == 2)) return 1;\n");
    }
}

static void block(Gen *g, int depth, int n)
{
    for (int i = 0; i < n && g->budget > 0; i++)
        statement(g, depth);
}

static void locals(Gen *g)
{
    str_add(g->out, "    int a[4] = {1, 2, 0, 3};\n");
    if (g->wide)
        generate_wide_locals(g);
    for (int i = 0; i < LOCALS; i++)
        if (i < GENERATE_INPUTS && pick(g, 3))
            str_printf(g->out, "    int v%d = in[%d];\n", i, i);
        else
            str_printf(g->out, "    int v%d = %u;\n", i, pick(g, 4));
    str_add(g->out, "    (void)a; (void)v0; (void)v1; (void)v2; (void)v3;\n");
}

static void helper(Gen *g)
{
    Str *s = g->out;
    str_add(s, "static int helper(int v0, int v1)\n{\n    int a[4] = {1, 2, 0, 3}, v2 = 2, v3 = 1;\n    "
               "(void)a; (void)v2; (void)v3;\n");
    g->in_helper = true;
    if (g->wide)
        generate_wide_locals(g);
    g->budget = 4;
    block(g, 1, 2);
    str_add(s, "    return v0 + v2;\n}\n");
    g->in_helper = false;
}

static void statements(Gen *g, uint32_t number)
{
    helper(g);
    if (g->wide)
        generate_wide_functions(g, number);
    str_printf(g->out, "static int program_%u(void)\n{\n", number);
    locals(g);
    g->budget = g->wide ? 24 : 12;
    block(g, DEPTH, (g->wide ? 8 : 4) + (int)pick(g, g->wide ? 8 : 4));
    if (g->wide)
        generate_wide_end(g);
    str_add(g->out, "    return v0 & 1;\n}\n");
}

static void program(Gen *g, uint32_t number)
{
    Str *s = g->out;
    g->statement = 0;
    str_printf(s, "#define helper helper_%u\n#define g0 g0_%u\n#define g1 g1_%u\n#define g2 g2_%u\n", number,
               number, number, number);
    str_add(s, "static int g0, g1 = 1, g2 = 2;\n");
    if (g->seed >= GENERATE_STRINGS)
        generate_strings(g, number);
    else if (g->seed >= GENERATE_DEEP)
        generate_deep(g, number);
    else if (g->seed >= GENERATE_LOOPS)
        generate_loops(g, number);
    else if (g->seed >= GENERATE_FAILURES)
        generate_failures(g, number);
    else if (g->seed >= GENERATE_ROUNDS)
        generate_rounds(g, number);
    else if (g->seed >= GENERATE_PLACES)
        generate_places(g, number);
    else if (g->seed >= GENERATE_PARTS && g->seed < GENERATE_SHARED)
        generate_parts(g, number);
    else
        statements(g, number);
    str_printf(s, "static void reset_%u(void) { g0 = 0; g1 = 1; g2 = 2; }\n", number);
    str_add(s, "#undef helper\n#undef jumper\n#undef table\n#undef g0\n#undef g1\n#undef g2\n");
}

static void drivers(Str *s, uint32_t count)
{
    str_add(s, "static int (*const programs[])(void) = {");
    for (uint32_t i = 0; i < count; i++)
        str_printf(s, "program_%u, ", i);
    str_add(s, "};\nstatic void (*const resets[])(void) = {");
    for (uint32_t i = 0; i < count; i++)
        str_printf(s, "reset_%u, ", i);
    str_printf(
        s,
        "};\n"
        "#ifdef NATIVE\n"
        "int main(void)\n{\n"
        "    for (unsigned p = 0; p < %u; p++)\n"
        "        for (int k = 0; k < %d; k++) {\n"
        "            in[0] = (signed char)(k %% 5 - 2); in[1] = (signed char)(k / 5 %% 5 - 2); in[2] "
        "= (signed char)(k / 25 - 2);\n"
        "            nreported = nprinted = has_output = 0;\n"
        "            resets[p]();\n"
        "            volatile int status = 0;\n"
        "            int fault = setjmp(failed);\n"
        "            if (!fault) status = programs[p]();\n"
        "            if (fault >= LEFT) status = fault - LEFT, fault = 0;\n"
        "            int numbers[] = {fault, status, has_output && !fault, output, nreported, nprinted};\n"
        "            fwrite(numbers, sizeof numbers, 1, stdout);\n"
        "            fwrite(reported, 1, (size_t)nreported, stdout);\n"
        "            fwrite(printed, 1, (size_t)nprinted, stdout);\n"
        "        }\n"
        "    return 0;\n}\n"
        "#else\n"
        "int main(int argc, char **argv)\n{\n"
        "    sheaf_symbolic(in, sizeof in, \"in\");\n"
        "    for (int i = 0; i < 3; i++) sheaf_assume((in[i] >= -2) & (in[i] <= 2));\n"
        "    int n = 0;\n"
        "    (void)argc; (void)resets;\n"
        "    for (const char *d = argv[1]; *d; d++) n = n * 10 + *d - '0';\n"
        "    return programs[n]();\n}\n"
        "#endif\n",
        count, GENERATE_COMBINATIONS);
}

void generate_batch(const GenerateOptions *options, Str *out)
{
    str_add(out, "#include \"prelude.h\"\n");
    for (uint32_t i = 0; i < options->count; i++) {
        uint64_t seed = options->seed + i;
        Gen g = {.out = out, .seed = seed, .wide = seed >= GENERATE_WIDE};
        g.wide &= seed < GENERATE_PARTS || seed >= GENERATE_SHARED;
        rng_seed(&g.rng, options->seed + i);
        program(&g, i);
    }
    drivers(out, options->count);
}

void generate_input(uint32_t k, uint8_t out[GENERATE_INPUTS])
{
    out[0] = (uint8_t)(k % 5 - 2);
    out[1] = (uint8_t)(k / 5 % 5 - 2);
    out[2] = (uint8_t)(k / 25 - 2);
}
