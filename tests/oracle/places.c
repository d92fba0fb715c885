/* places.c - programs about where branches write: structures, arrays and heap cells that are set through
 * indices, pointers and helpers, under conditions and in loops, where the pointers and indices themselves
 * depend on conditions as well.
 *
 * Nothing fails. At the end everything is printed, each item by itself. */
#include "generate_int.h"

static void line(Gen *g) { str_printf(g->out, "#line %d\n", ++g->statement); }

static const char *one_of(Gen *g, const char *const *of, uint32_t n) { return of[pick(g, n)]; }
#define ONE_OF(g, ...) \
    one_of(g, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static const char *index_of(Gen *g)
{
    if (g->loops && pick(g, 2))
        return g->loops > 1 && pick(g, 2) ? "i1" : "i0";
    return ONE_OF(g, "0", "1", "2", "k", "k", "m", "(in[0] & 1)", "(k ^ 1)", "(m + 1) % 3");
}

/* In a helper only what it was given. */
static const char *pointer(Gen *g)
{
    if (g->made && pick(g, 4) == 0)
        return "e";
    if (g->in_helper)
        return ONE_OF(g, "p", "q", "p->next", "q->next");
    return ONE_OF(g, "p", "q", "p", "q", "p->next", "q->next->next", "s", "(&s[2])", "h[k]", "h[1]");
}

static void place(Gen *g)
{
    Str *s = g->out;
    if (g->made && pick(g, 2))
        str_printf(s, pick(g, 2) ? "e->t[%s & 1]" : "e->v",
                   g->in_helper ? ONE_OF(g, "in[0]", "p->w", "1") : index_of(g));
    else if (g->in_helper || pick(g, 2))
        str_printf(s, "%s->%s", pick(g, 3) ? ONE_OF(g, "p", "q") : ONE_OF(g, "p->next", "q->next"),
                   ONE_OF(g, "v", "w", "t[0]", "t[1]"));
    else if (pick(g, 3) == 0)
        str_printf(s, "s[%s].t[%s & 1]", index_of(g), index_of(g));
    else if (pick(g, 3) == 0)
        str_printf(s, "h[%s]->%s", index_of(g), ONE_OF(g, "v", "w"));
    else if (pick(g, 4) == 0)
        str_add(s, "*r");
    else
        str_printf(s, "s[%s].%s", index_of(g), ONE_OF(g, "v", "w"));
}

static void expression(Gen *g)
{
    if (pick(g, 3) == 0)
        str_printf(g->out, "in[%u]", pick(g, GENERATE_INPUTS));
    else if (pick(g, 3) == 0)
        str_printf(g->out, "%u", pick(g, 5));
    else
        place(g);
}

static void condition(Gen *g)
{
    str_printf(g->out, "(BRANCH(%d, ", g->statement);
    if (pick(g, 3))
        str_printf(g->out, "in[%u]", pick(g, GENERATE_INPUTS));
    else
        expression(g);
    str_printf(g->out, " %s %u)) ", ONE_OF(g, ">", "==", "<", "!="), pick(g, 3));
}

static void block(Gen *g, int depth, uint32_t n);

static void moving(Gen *g)
{
    if (pick(g, 4) == 0)
        str_printf(g->out, "%s->next = %s;\n", ONE_OF(g, "p", "q"), pointer(g));
    else if (g->in_helper)
        str_printf(g->out, "%s = %s;\n", ONE_OF(g, "p", "q"), pointer(g));
    else
        switch (pick(g, 6)) {
        case 0: str_printf(g->out, "k = %s;\n", ONE_OF(g, "0", "1", "k ^ 1", "m & 1", "in[1] & 1")); break;
        case 1: str_printf(g->out, "m = %s;\n", ONE_OF(g, "0", "2", "(m + 1) % 3", "k")); break;
        case 2: str_printf(g->out, "r = &s[%s].t[%u];\n", index_of(g), pick(g, 2)); break;
        case 3: str_printf(g->out, "%s = &s[%s];\n", ONE_OF(g, "p", "q"), index_of(g)); break;
        case 4:
            str_printf(g->out, "h[%s] = %s;\n", index_of(g), pick(g, 2) ? "cell(5)" : ONE_OF(g, "p", "q"));
            break;
        default: str_printf(g->out, "%s = %s;\n", ONE_OF(g, "p", "q"), pointer(g));
        }
}

static void calling(Gen *g)
{
    if (g->made && pick(g, 3) == 0) {
        str_printf(g->out, "memset(&e->t[%s & 1], %u, sizeof(int));\n", g->in_helper ? "in[0]" : index_of(g),
                   pick(g, 3));
        return;
    }
    switch (g->in_helper ? 3 : pick(g, 4)) {
    case 0: str_printf(g->out, "helper(%s, %s);\n", pointer(g), pointer(g)); break;
    case 1: str_printf(g->out, "put(%s, %s);\n", pointer(g), index_of(g)); break;
    case 2:
        str_printf(g->out, "memset(%s->t, %u, sizeof(int) * (1 + (k & 1)));\n", pointer(g), pick(g, 3));
        break;
    default: str_printf(g->out, "memcpy(%s->t, %s->t, 4);\n", pointer(g), pointer(g));
    }
}

static void looping(Gen *g, int depth)
{
    int n = g->loops++;
    if (pick(g, 3))
        str_printf(g->out, "for (int i%d = 0; i%d < %u; i%d++) {\n", n, n, 2 + pick(g, 2), n);
    else
        str_printf(g->out, "for (int i%d = 0; i%d < 3 && BRANCH(%d, in[%u] > i%d); i%d++) {\n", n, n,
                   g->statement, pick(g, GENERATE_INPUTS), n, n);
    block(g, depth - 1, 2 + pick(g, 2));
    if (pick(g, 3) == 0) {
        line(g);
        str_add(g->out, "if ");
        condition(g);
        str_printf(g->out, "%s;\n", ONE_OF(g, "break", "continue"));
        block(g, depth - 1, 1);
    }
    str_add(g->out, "}\n");
    g->loops--;
}

/* A cell is made, set where it stands and under branches, and kept somewhere, or not. */
static void making(Gen *g, int depth)
{
    bool outer = g->made;
    str_printf(g->out, "{ Element *e = %s;\n",
               ONE_OF(g, "malloc(sizeof *e)", "calloc(1, sizeof *e)", "realloc(malloc(4), sizeof *e)",
                      "malloc(sizeof *e + (size_t)(in[0] & 1))", "malloc(sizeof *e + (size_t)(p->v & 3))",
                      "calloc(1u + (unsigned)(in[1] & 1), sizeof *e)"));
    str_printf(g->out, "*e = (Element){ %u, 0, %s, { 0, 0 } };\n", pick(g, 5),
               g->in_helper ? "q" : ONE_OF(g, "p", "s", "h[k]"));
    g->made = true;
    block(g, depth - 1, 1 + pick(g, 3));
    if (g->loops && pick(g, 2)) { /* before the loop goes on it is written, or not */
        str_printf(g->out, "h[%s] = e;\n", index_of(g));
        line(g);
        str_add(g->out, "if ");
        condition(g);
        str_printf(g->out, "%s;\n", ONE_OF(g, "break", "continue"));
        block(g, depth - 1, 1);
    }
    g->made = outer;
    if (g->in_helper || pick(g, 3) == 0)
        str_printf(g->out, "e->next = %s; %s = e; }\n", ONE_OF(g, "p", "q"), ONE_OF(g, "p", "q"));
    else
        str_printf(g->out, pick(g, 4) ? "h[%s] = e; }\n" : "s[%s].next = e; }\n", index_of(g));
}

static void statement(Gen *g, int depth)
{
    bool makes = g->seed >= GENERATE_MADE && depth > 0 && pick(g, 6) == 0;
    uint32_t kind = pick(g, 14);
    g->budget--;
    line(g);
    if (makes) {
        making(g, depth);
        return;
    }
    if (kind < 5 && depth > 0) {
        str_add(g->out, "if ");
        condition(g);
        str_add(g->out, "{\n");
        block(g, depth - 1, 1 + pick(g, 2));
        if (pick(g, 2)) {
            str_add(g->out, "} else {\n");
            block(g, depth - 1, 1 + pick(g, 2));
        }
        str_add(g->out, "}\n");
    } else if (kind < 7 && depth > 0 && g->loops < 2 && !g->in_helper) {
        looping(g, depth);
    } else if (kind == 7 || kind == 12) {
        moving(g);
    } else if (kind == 8 || kind == 13) {
        calling(g);
    } else if (kind == 9 && pick(g, 3) == 0) {
        str_add(g->out, "if ");
        condition(g);
        str_add(g->out, g->in_helper ? "return;\n" : "goto done;\n");
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

void generate_places(Gen *g, uint32_t number)
{
    Str *s = g->out;
    str_printf(s, "#define cell cell_%u\n#define put put_%u\n#define s s_%u\n", number, number, number);
    str_add(s, "static Element *cell(int v)\n{\n    Element *c = malloc(sizeof *c);\n    *c = (Element){ v, "
               "0, c, { 0, 0 } };\n    return c;\n}\n"
               "static void put(Element *p, int i) { p->t[i & 1] = 7; }\n"
               "static void helper(Element *p, Element *q)\n{\n");
    g->in_helper = true;
    g->budget = 4;
    block(g, 2, 2);
    g->in_helper = false;
    str_add(s, "}\n");
    bool global = pick(g, 2);
    if (global)
        str_add(s, "static Element s[3];\n");
    str_printf(s, "static int program_%u(void)\n{\n    %s", number, global ? "" : "Element s[3];\n    ");
    str_add(s, "Element *h[3] = { cell(1), cell(2), cell(3) }, *p = s, *q = h[1];\n    int k = 1, m = 2, *r "
               "= &s[1].t[0];\n"
               "    for (int i = 0; i < 3; i++) s[i] = (Element){ i, 0, i & 1 ? h[0] : &s[(i + 1) % 3], { 0, "
               "i } };\n");
    g->budget = 22;
    block(g, 3, 4 + pick(g, 6));
    str_add(s,
            "done:\n    for (int i = 0; i < 3; i++) {\n"
            "        PRINT(\"%d;\", s[i].v); PRINT(\"%d;\", s[i].w); PRINT(\"%d;\", s[i].t[0]); "
            "PRINT(\"%d;\", s[i].t[1]);\n"
            "        PRINT(\"%d;\", h[i]->v); PRINT(\"%d;\", h[i]->w); PRINT(\"%d;\", h[i]->t[1]);\n    }\n"
            "    PRINT(\"%d;\", p->v + q->v + *r + k + m);\n    return 0;\n}\n#undef cell\n#undef "
            "put\n#undef s\n");
}
