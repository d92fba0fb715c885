/* parts.c - programs for explorers that leave combinations out: many branches and checks over few small
 * values, so that faults hide in combinations; and parts that have nothing to do with each other, so that
 * there is something to leave out.
 *
 * Every statement speaks of some of the inputs, locals and globals only (its names). Dense programs use all
 * of them everywhere; others are made of parts with names of their own, one behind the other, through a
 * helper that is called for each, or in a loop over the bytes of input; some end with a check that brings two
 * parts together. In meetings, constants that branches choose by one input each meet in checks: each fault
 * needs its combination. */
#include "generate_int.h"

enum { NAMES_MOST = 10, EARLY_SEEDS = 2500000 }; /* from there on, some fail early */

typedef struct Names {
    const char *of[NAMES_MOST];
    uint32_t n, first; /* those from `first` on can be set */
} Names;

static const Names everything = {
    {"in[0]", "in[1]", "in[2]", "v0", "v1", "v2", "v3", "g0", "g1", "g2"}, 10, 3};
static const Names of_helper = {{"v0", "v1", "g0", "g1", "g2"}, 5, 1};
static const Names of_part[] = {
    {{"in[0]", "v0", "g0"}, 3, 1}, {{"in[1]", "v1", "g1"}, 3, 1}, {{"in[2]", "v2", "g2"}, 3, 1}};
static const Names of_small_helper = {{"v0", "v1"}, 2, 1};

static const char *name(Gen *g, const Names *names) { return names->of[pick(g, names->n)]; }
static const char *target(Gen *g, const Names *names)
{
    return names->of[names->first + pick(g, names->n - names->first)];
}

static void line(Gen *g) { str_printf(g->out, "#line %d\n", ++g->statement); }

static void expression(Gen *g, const Names *names, int depth)
{
    if (depth == 0 || pick(g, 10) < 3) {
        if (pick(g, 10) < 3)
            str_printf(g->out, "%u", pick(g, 4));
        else
            str_add(g->out, name(g, names));
        return;
    }
    str_add(g->out, "(");
    expression(g, names, depth - 1);
    str_printf(g->out, " %c ", "+-*"[pick(g, 3)]);
    expression(g, names, depth - 1);
    str_add(g->out, ")");
}

static void condition(Gen *g, const Names *names)
{
    static const char *const tests[] = {"<", "==", ">", "!="};
    expression(g, names, 1);
    str_printf(g->out, " %s ", tests[pick(g, 4)]);
    expression(g, names, 1);
}

static void block(Gen *g, const Names *names, int depth);

static void conditional(Gen *g, const Names *names, int depth)
{
    str_printf(g->out, "if (BRANCH(%d, ", g->statement);
    condition(g, names);
    str_add(g->out, ")) {\n");
    block(g, names, depth - 1);
    if (pick(g, 2)) {
        str_add(g->out, "} else {\n");
        block(g, names, depth - 1);
    }
    str_add(g->out, "}\n");
}

static void loop(Gen *g, const Names *names, int depth)
{
    int n = g->loops++;
    str_printf(g->out, "for (int i%d = 0; i%d < 2 && BRANCH(%d, ", n, n, g->statement);
    condition(g, names);
    str_printf(g->out, "); i%d++) {\n", n);
    block(g, names, depth - 1);
    str_add(g->out, "}\n");
    g->loops--;
}

/* One place that may fail. */
static void failing(Gen *g, const Names *names)
{
    const char *to = target(g, names);
    switch (pick(g, 6)) {
    case 0:
        str_printf(g->out, "%s = DIV(%d, %s, (", to, g->statement, name(g, names));
        expression(g, names, 1);
        str_add(g->out, ") & 7);\n");
        return;
    case 1:
        str_printf(g->out, "AT(%d, a, 4, %s & 7) = ", g->statement, name(g, names));
        expression(g, names, 1);
        str_printf(g->out, " & 3; %s = a[%u];\n", to, pick(g, 4));
        return;
    case 2:
        str_printf(g->out, "%s = AT(%d, a, 4, (", to, g->statement);
        expression(g, names, 1);
        str_add(g->out, ") & 7);\n");
        return;
    default:
        str_printf(g->out, "CHECK(%d, ((", g->statement);
        expression(g, names, 2);
        str_printf(g->out, ") & 7) != %u);\n", pick(g, 8));
    }
}

static void ending(Gen *g, const Names *names)
{
    str_printf(g->out, "if (BRANCH(%d, ", g->statement);
    condition(g, names);
    str_add(g->out, pick(g, 2) ? ")) return 1;\n" : ")) EXIT(1);\n");
}

static void freeing(Gen *g, const Names *names)
{
    if (g->in_helper || pick(g, 2)) {
        str_printf(g->out, "{ int *p = ");
        condition(g, names);
        str_printf(g->out, " ? &a[1] : &a[2]; *p = %s & 3; }\n", name(g, names));
        return;
    }
    unsigned h = pick(g, 2);
    if (pick(g, 3)) {
        str_printf(g->out, "%s = USE(%d, h%u, d%u) & 7;\n", target(g, names), g->statement, h, h);
        return;
    }
    str_printf(g->out, "if (BRANCH(%d, ", g->statement);
    condition(g, names);
    str_printf(g->out, ")) FREE(%d, h%u, d%u);\n", g->statement, h, h);
}

static void statement(Gen *g, const Names *names, int depth)
{
    g->budget--;
    line(g);
    uint32_t kind = pick(g, 100);
    if (depth && kind < 32)
        conditional(g, names, depth);
    else if (depth && kind < 40)
        loop(g, names, depth);
    else if (kind >= 98)
        ending(g, names);
    else if (kind >= 93)
        freeing(g, names);
    else if (kind >= 78)
        failing(g, names);
    else {
        str_printf(g->out, "%s = ", target(g, names));
        if (kind >= 70 && !g->in_helper && names == &everything)
            str_add(g->out, pick(g, 2) ? "helper(" : "small(");
        else
            str_add(g->out, "(");
        expression(g, names, 2);
        str_add(g->out, ") & 7;\n");
    }
}

static void block(Gen *g, const Names *names, int depth)
{
    for (uint32_t n = 1 + pick(g, 3); n > 0 && g->budget > 0; n--)
        statement(g, names, depth);
}

/* A part: a value in two ways, and a check of it. */
static void part(Gen *g, const char *in, const char *to)
{
    line(g);
    str_printf(g->out, "if (BRANCH(%d, %s < %d)) %s = %s + 1; else %s = %s * 2;\n", g->statement, in,
               (int)pick(g, 3), to, in, to, in);
    line(g);
    str_printf(g->out, "CHECK(%d, %s != %d);\n", g->statement, to, pick(g, 3) ? 9 : (int)pick(g, 6) - 2);
}

static void in_a_loop(Gen *g)
{
    str_add(g->out, "for (int i = 0; i < 3; i++) {\nint w = 0;\n");
    part(g, "in[i]", "w");
    if (pick(g, 2))
        part(g, "(in[i] + w)", "w");
    if (pick(g, 2) == 0)
        str_printf(g->out, "%s = w & 7;\n", pick(g, 2) ? "a[i]" : "v3");
    str_add(g->out, "}\n");
}

static void part_of(Gen *g, uint32_t k)
{
    switch (pick(g, 4)) {
    case 0: part(g, of_part[k].of[0], of_part[k].of[1 + pick(g, 2)]); return;
    case 1:
        line(g);
        str_printf(g->out, "%s = small(%s) & 7;\n", of_part[k].of[1], of_part[k].of[pick(g, 3)]);
        return;
    default: g->budget = 6; block(g, &of_part[k], 2);
    }
}

static void parts(Gen *g)
{
    for (uint32_t n = 3 + pick(g, 6), k = 0; n > 0; n--, k = pick(g, 3))
        part_of(g, k);
    if (pick(g, 2))
        in_a_loop(g);
    if (pick(g, 3) == 0) {
        line(g);
        str_printf(g->out, "CHECK(%d, v%u + %u != v%u);\n", g->statement, pick(g, 3), pick(g, 4), pick(g, 3));
    }
}

/* A constant from 0 to 2, chosen by one input. */
static void choice(Gen *g)
{
    static const char *const tests[] = {"<", "==", ">", "!="};
    unsigned k = pick(g, 3), v = pick(g, 4);
    line(g);
    str_printf(g->out, "if (BRANCH(%d, in[%u] %s %d)) v%u = %u;", g->statement, k, tests[pick(g, 4)],
               (int)pick(g, 3) - 1, v, pick(g, 3));
    if (pick(g, 2))
        str_printf(g->out, " else v%u = %u;", v, pick(g, 3));
    str_add(g->out, "\n");
}

/* Each needs one combination of two or three constants to fail. */
static void combination(Gen *g)
{
    unsigned x = pick(g, 4), y = pick(g, 4), z = pick(g, 4);
    line(g);
    switch (pick(g, 4)) {
    case 0:
        str_printf(g->out, "g1 = DIV(%d, 4, v%u * 3 + v%u - %u);\n", g->statement, x, y, pick(g, 9));
        break;
    case 1: str_printf(g->out, "g2 = AT(%d, a, 4, v%u * v%u);\n", g->statement, x, y); break;
    case 2:
        str_printf(g->out, "if (BRANCH(%d, v%u * 3 + v%u == %u)) v%u = %u;\n", g->statement, x, y, pick(g, 9),
                   z, pick(g, 3));
        break;
    default:
        str_printf(g->out, "CHECK(%d, v%u * 9 + v%u * 3 + v%u != %u);\n", g->statement, x, y, z, pick(g, 27));
    }
}

/* Iterations that meet behind the loop. */
static void gathering(Gen *g)
{
    str_add(g->out, "for (int i = 0; i < 3; i++)\n");
    line(g);
    str_printf(g->out, "if (BRANCH(%d, in[i] > %d)) v3 = v3 %s;\n", g->statement, (int)pick(g, 3) - 1,
               pick(g, 2) ? "* 2 + 1" : "+ i + 1");
    line(g);
    str_printf(g->out, "CHECK(%d, v3 != %u);\n", g->statement, 1 + pick(g, 7));
}

/* A cell that one input frees and another one uses. */
static void cell(Gen *g)
{
    unsigned h = pick(g, 2), first = pick(g, 3), second = (first + 1 + pick(g, 2)) % 3;
    line(g);
    str_printf(g->out, "if (BRANCH(%d, in[%u] == %d)) FREE(%d, h%u, d%u);\n", g->statement, first,
               (int)pick(g, 5) - 2, g->statement, h, h);
    line(g);
    str_printf(g->out, "if (BRANCH(%d, in[%u] == %d)) g0 = USE(%d, h%u, d%u);\n", g->statement, second,
               (int)pick(g, 5) - 2, g->statement, h, h);
}

/* Fails before anything meets, by inputs that also choose: what is to meet must be tried without them. */
static void early(Gen *g)
{
    unsigned x = pick(g, 3), y = (x + 1 + pick(g, 2)) % 3;
    line(g);
    switch (pick(g, 3)) {
    case 0:
        str_printf(g->out, "CHECK(%d, (in[%u] & in[%u]) %s 0);\n", g->statement, x, y,
                   pick(g, 2) ? "==" : "!=");
        break;
    case 1: str_printf(g->out, "g0 = DIV(%d, 5, in[%u] - %u);\n", g->statement, x, pick(g, 2)); break;
    default:
        str_printf(g->out, "CHECK(%d, in[%u] * in[%u] != %d);\n", g->statement, x, y, (int)pick(g, 5) - 2);
    }
}

static void meeting(Gen *g)
{
    if (pick(g, 4) == 0)
        gathering(g);
    if (pick(g, 3) == 0)
        cell(g);
    for (uint32_t n = 3 + pick(g, 4); n > 0; n--)
        choice(g);
    for (uint32_t n = g->seed < EARLY_SEEDS ? 0 : 1 + pick(g, 3); n > 0; n--)
        early(g);
    for (uint32_t n = 4 + pick(g, 4); n > 0; n--)
        if (pick(g, 4) == 0)
            choice(g);
        else
            combination(g);
}

static void helpers(Gen *g)
{
    g->in_helper = true;
    str_add(g->out, "static int small(int v0)\n{\n    int a[4] = {1, 2, 0, 3}, v1 = 1;\n    (void)a;\n");
    g->budget = 4;
    block(g, &of_small_helper, 1);
    str_add(g->out, "    return v1;\n}\nstatic int helper(int v0)\n{\n    int a[4] = {1, 2, 0, 3}, v1 = 2;\n "
                    "   (void)a;\n");
    g->budget = 6;
    block(g, &of_helper, 2);
    str_add(g->out, "    return v1;\n}\n");
    g->in_helper = false;
}

void generate_parts(Gen *g, uint32_t number)
{
    bool dense = g->seed % 2;
    str_printf(g->out, "#define small small_%u\n", number);
    helpers(g);
    str_printf(g->out, "static int program_%u(void)\n{\n", number);
    str_printf(g->out, "    int a[4] = {1, 2, 0, 3}, v0 = %s, v1 = %s, v2 = 0, v3 = 0;\n",
               dense ? "in[0]" : "0", dense ? "in[1]" : "0");
    str_add(g->out, "    int *h0 = malloc(4), *h1 = malloc(4), d0 = 0, d1 = 0;\n    *h0 = 1; *h1 = 2;\n"
                    "    (void)a; (void)v0; (void)v1; (void)v2; (void)v3; (void)d0; (void)d1;\n");
    if (dense) {
        g->budget = 24;
        for (int depth = 3; depth > 0; depth--)
            block(g, &everything, depth);
    } else if (g->seed % 4) {
        meeting(g);
    } else {
        parts(g);
    }
    str_add(g->out, "    return v0 & 1;\n}\n");
    str_add(g->out, "#undef small\n");
}
