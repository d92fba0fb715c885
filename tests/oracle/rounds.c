/* rounds.c - programs about cells that are made in one round of a loop and written in another: the pointer
 * that a call returned leads to this round's cell or to that of an earlier one, by what was decided in
 * between.
 *
 * Little else is written, since what is said of other writes would hide what is said of these. The counter of
 * rounds is a global, g0: a register would be set anew on the way to the call as well, and depend on all that
 * is decided. Nothing fails. At the end the cells that were kept are printed, each member by itself. */
#include "generate_int.h"

static const char *one_of(Gen *g, const char *const *of, uint32_t n) { return of[pick(g, n)]; }
#define ONE_OF(g, ...) \
    one_of(g, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void line(Gen *g) { str_printf(g->out, "#line %d\n", ++g->statement); }

static const char *index_of(Gen *g) { return g->made && pick(g, 2) ? "g0" : ONE_OF(g, "0", "1", "2"); }

static const char *member(Gen *g) { return ONE_OF(g, "v", "w", "t[0]", "t[1]"); }

static void place(Gen *g)
{
    if (g->made)
        str_printf(g->out, "e->%s", pick(g, 6) ? member(g) : "t[in[0] & 1]");
    else
        str_printf(g->out, "h[%s]->%s", index_of(g), member(g));
}

static void expression(Gen *g)
{
    switch (pick(g, 3)) {
    case 0: str_printf(g->out, "in[%u]", pick(g, GENERATE_INPUTS)); break;
    case 1: str_printf(g->out, "%u", pick(g, 5)); break;
    default: place(g);
    }
}

/* In a loop the cell has a part in it, and no other is asked. A decision is known by how often each loop
 * around it was round, which decisions before it have made so: it must depend on them. */
static void condition(Gen *g)
{
    str_printf(g->out, "(BRANCH(%d, in[%s] %s ", g->statement, index_of(g), ONE_OF(g, ">", "==", "<", "!="));
    if (g->made)
        str_printf(g->out, "e->%s))", member(g));
    else
        str_printf(g->out, "%u))", pick(g, 2));
}

static void block(Gen *g, int depth, uint32_t n);

/* ---- loops ----------------------------------------------------------------------------------- */

static void make(Gen *g)
{
    str_printf(
        g->out, "e = %s;\n*e = (Element){ %u, 0, e, { 0, 0 } };\n",
        ONE_OF(g, "malloc(sizeof *e)", "calloc(1, sizeof *e)", "malloc(sizeof *e + (size_t)(in[0] & 1))"),
        pick(g, 5));
}

/* The cell of each round is kept, or that of the first round only. */
static void begin_round(Gen *g, int here)
{
    str_printf(g->out, "if (++g0 == 3) goto out%d;\n", here);
    str_printf(g->out, "%sh[%s] = e;\n", pick(g, 3) ? "if (g0 == 0) " : "", index_of(g));
}

/* The loop inside goes on with its cell, or asks for a new one. */
static void made_around(Gen *g, int depth)
{
    int here = g->statement;
    str_add(g->out, "for (g0 = -1;;) {\nElement *");
    make(g);
    str_add(g->out, "do {\n");
    begin_round(g, here);
    block(g, depth - 1, 1 + pick(g, 3));
    line(g);
    str_add(g->out, "} while ");
    condition(g);
    str_add(g->out, ";\n");
    block(g, depth - 1, pick(g, 2));
    str_printf(g->out, "}\nout%d:;\n", here);
}

/* One side writes to what was made before the branch, the other leads to the call that makes it. */
static void made_aside(Gen *g, int depth)
{
    int here = g->statement;
    str_printf(g->out, "{ Element *e;\ng0 = -1;\nagain%d:\n", here);
    make(g);
    str_printf(g->out, "loop%d:\n", here);
    begin_round(g, here);
    block(g, depth - 1, pick(g, 3));
    line(g);
    str_add(g->out, "if ");
    condition(g);
    str_add(g->out, " {\n");
    block(g, depth - 1, 1 + pick(g, 2));
    str_printf(g->out, "goto loop%d;\n}\n", here);
    block(g, depth - 1, pick(g, 2));
    str_printf(g->out, "goto again%d;\nout%d:;\n}\n", here, here);
}

static void making(Gen *g, int depth)
{
    g->made = true;
    (pick(g, 2) ? made_around : made_aside)(g, depth);
    g->made = false;
}

/* ---- statements ------------------------------------------------------------------------------ */

static void branching(Gen *g, int depth)
{
    str_add(g->out, "if ");
    condition(g);
    str_add(g->out, " {\n");
    block(g, depth - 1, 1 + pick(g, 2));
    if (pick(g, 2)) {
        str_add(g->out, "} else {\n");
        block(g, depth - 1, 1);
    }
    str_add(g->out, "}\n");
}

static void statement(Gen *g, int depth)
{
    uint32_t kind = pick(g, 8);
    g->budget--;
    line(g);
    if (depth > 0 && !g->made && kind < 6) {
        making(g, depth);
    } else if (depth > 0 && kind < 3) {
        branching(g, depth);
    } else if (kind == 3 && g->made) {
        str_printf(g->out, pick(g, 3) ? "memset(&e->t[in[1] & 1], %u, sizeof(int));\n" : "put(e, %u);\n",
                   pick(g, 3));
    } else {
        place(g);
        str_add(g->out, " = (");
        expression(g);
        str_printf(g->out, ") + %u;\n", pick(g, 3));
    }
}

static void block(Gen *g, int depth, uint32_t n)
{
    for (uint32_t i = 0; i < n && g->budget > 0; i++)
        statement(g, depth);
}

void generate_rounds(Gen *g, uint32_t number)
{
    Str *s = g->out;
    str_printf(s, "#define put put_%u\nstatic void put(Element *p, int i) { p->t[i & 1] = 7; }\n", number);
    str_printf(s, "static int program_%u(void)\n{\n", number);
    str_add(s, "    Element s[3] = { { 1 }, { 2 }, { 3 } }, *h[3] = { &s[0], &s[1], &s[2] };\n");
    g->budget = 10;
    line(g);
    making(g, 3);
    block(g, 3, pick(g, 3));
    str_add(s,
            "    for (int i = 0; i < 3; i++) {\n        PRINT(\"%d;\", h[i]->v); PRINT(\"%d;\", h[i]->w);\n"
            "        PRINT(\"%d;\", h[i]->t[0]); PRINT(\"%d;\", h[i]->t[1]);\n    }\n    return "
            "0;\n}\n#undef put\n");
}
