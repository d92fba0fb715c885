/* require_grammar.c - random functions for the oracle `require`: a function of the seed alone. See
 * require_grammar.h. */
#include "require_grammar.h"
#include "require_point.h"

typedef struct Grammar {
    uint64_t state;
    uint32_t number;
    Str *out;
    unsigned loops, budget; /* loops around; statements left */
    bool helper;            /* in the function that is called */
    bool unbounded; /* a loop changes more than the two counters: that it is endless is not seen natively */
} Grammar;

static uint32_t pick(Grammar *g, uint32_t n) { return (uint32_t)(point_next(&g->state) % n); }
static bool one_in(Grammar *g, uint32_t n) { return pick(g, n) == 0; }

static void indent(Grammar *g, unsigned depth)
{
    for (unsigned i = 0; i < depth; i++)
        str_add(g->out, "    ");
}

static void expression(Grammar *g, unsigned depth);

/* ---- values ---------------------------------------------------------------------------------- */

static const char *pointer(Grammar *g)
{
    static const char *const own[] = {"p", "p", "q", "REC(r)->v"};
    return g->helper ? "w" : own[pick(g, COUNT_OF(own))];
}

static void place(Grammar *g)
{
    switch (pick(g, 6)) {
    case 0:
    case 1: str_printf(g->out, "AT(%s, %u)", pointer(g), one_in(g, 3)); break;
    case 2: str_printf(g->out, "AT(%s, %s)", pointer(g), one_in(g, 2) ? "x" : "y"); break;
    case 3:
        str_printf(g->out, "IN(t_%u, %u, ", g->number, POINT_TABLE);
        expression(g, 0);
        str_add(g->out, ")");
        break;
    case 4:
        str_add(g->out, "IN(own, 3, ");
        expression(g, 0);
        str_add(g->out, ")");
        break;
    default: str_add(g->out, g->helper ? "s" : "REC(r)->n"); break;
    }
}

static void leaf(Grammar *g)
{
    static const char *const own[] = {"a", "b", "a", "b", "x", "y", "s"}, *const called[] = {"u", "u", "x",
                                                                                             "y", "s"};
    switch (pick(g, 6)) {
    case 0: str_printf(g->out, "%d", (int)pick(g, 7) - 1); break;
    case 1: str_printf(g->out, "g_%u", g->number); break;
    default:
        str_add(g->out, g->helper ? called[pick(g, COUNT_OF(called))] : own[pick(g, COUNT_OF(own))]);
        break;
    }
}

static void expression(Grammar *g, unsigned depth)
{
    static const char *const operators[] = {"+", "-", "*", "&", "|", "^", "+", "-"};
    if (!depth || one_in(g, 3)) {
        leaf(g);
    } else if (one_in(g, 4)) {
        place(g);
    } else if (one_in(g, 8)) {
        str_add(g->out, "DIV(");
        expression(g, depth - 1);
        str_add(g->out, ", ");
        expression(g, depth - 1);
        str_add(g->out, ")");
    } else {
        str_add(g->out, "(");
        expression(g, depth - 1);
        str_printf(g->out, " %s ", operators[pick(g, COUNT_OF(operators))]);
        expression(g, depth - 1);
        str_add(g->out, ")");
    }
}

static void condition(Grammar *g)
{
    static const char *const relations[] = {"==", "!=", "<", "<=", ">", ">=", "=="};
    if (!g->helper && one_in(g, 6)) {
        static const char *const pointers[] = {"p", "q", "r", "p == q", "p != q"};
        str_add(g->out, pointers[pick(g, COUNT_OF(pointers))]);
        return;
    }
    expression(g, 1);
    str_printf(g->out, " %s ", relations[pick(g, COUNT_OF(relations))]);
    expression(g, pick(g, 2));
}

/* ---- statements ------------------------------------------------------------------------------ */

static void block(Grammar *g, unsigned depth, unsigned n);

static void assignment(Grammar *g)
{
    static const char *const variables[] = {"x", "y", "s"};
    if (g->loops) { /* the counters are of 8 bits: a run of many rounds is an endless one */
        if (one_in(g, 4)) {
            g->unbounded = true;
            place(g);
        } else {
            str_add(g->out, variables[pick(g, 2)]);
        }
    } else if (one_in(g, 3)) {
        place(g);
    } else if (one_in(g, 5)) {
        str_printf(g->out, "g_%u", g->number);
    } else {
        str_add(g->out, variables[pick(g, COUNT_OF(variables))]);
    }
    str_add(g->out, " = ");
    expression(g, 2);
    str_add(g->out, ";\n");
}

static void branch(Grammar *g, unsigned depth)
{
    str_add(g->out, "if (");
    condition(g);
    str_add(g->out, ") {\n");
    block(g, depth + 1, 1 + pick(g, 2));
    indent(g, depth);
    if (one_in(g, 2)) {
        str_add(g->out, "} else {\n");
        block(g, depth + 1, 1 + pick(g, 2));
        indent(g, depth);
    }
    str_add(g->out, "}\n");
}

static void loop(Grammar *g, unsigned depth)
{
    const char *counter = g->loops ? "y" : "x";
    switch (pick(g, 5)) {
    case 0:
        str_printf(g->out, "for (%s = 0; %s < %u; %s++) {\n", counter, counter, 1 + pick(g, 4), counter);
        break;
    case 1:
        str_printf(g->out, "for (%s = 0; %s < ", counter, counter);
        expression(g, 0);
        str_printf(g->out, "; %s++) {\n", counter);
        break;
    case 2:
        str_printf(g->out, "for (; %s != ", counter);
        expression(g, 0);
        str_printf(g->out, "; %s += %u) {\n", counter, 1 + pick(g, 3));
        break;
    case 3:
        str_add(g->out, "while (");
        condition(g);
        str_add(g->out, ") {\n");
        break;
    default: str_printf(g->out, "for (;; %s += %u) {\n", counter, 1 + pick(g, 3)); break;
    }
    indent(g, depth + 1);
    str_add(g->out, "TICK;\n");
    g->loops++;
    block(g, depth + 1, 1 + pick(g, 2));
    g->loops--;
    indent(g, depth);
    str_add(g->out, "}\n");
}

/* Which of two values does the counter meet first, if any? */
static void race(Grammar *g, unsigned depth)
{
    str_printf(g->out, "for (;; x += %u) {\n", 1 + pick(g, 3));
    for (unsigned i = 0; i < 3; i++) {
        indent(g, depth + 1);
        if (i == 0) {
            str_add(g->out, "TICK;\n");
            continue;
        }
        str_add(g->out, "if (x == (unsigned char)");
        leaf(g);
        str_printf(g->out, ") %s;\n", i == 1 ? "FAIL()" : "break");
    }
    indent(g, depth);
    str_add(g->out, "}\n");
}

static void statement(Grammar *g, unsigned depth)
{
    indent(g, depth);
    g->budget -= g->budget > 0;
    bool deeper = depth < 4 && g->budget;
    switch (pick(g, 12)) {
    case 0:
    case 1:
    case 2:
        if (deeper) {
            branch(g, depth);
            return;
        }
        break;
    case 3:
        if (deeper && g->loops < 2) {
            loop(g, depth);
            return;
        }
        break;
    case 4:
        str_add(g->out, "if (");
        condition(g);
        str_add(g->out, ")\n");
        indent(g, depth + 1);
        str_add(g->out, one_in(g, 2) ? "FAIL();\n"
                        : g->loops   ? (one_in(g, 2) ? "break;\n" : "continue;\n")
                                     : "return s;\n");
        return;
    case 5:
        if (!g->helper && !g->loops) {
            str_printf(g->out, "s = called_%u(", g->number);
            expression(g, 1);
            str_printf(g->out, ", %s);\n", pointer(g));
            return;
        }
        break;
    case 6:
        if (one_in(g, 16)) {
            const char *to = pointer(g);
            g->unbounded |= g->loops > 0;
            str_add(g->out, "s = unknown(");
            expression(g, 0);
            str_printf(g->out, one_in(g, 2) ? ", %s);\n" : ", %s), s = DIV(s, AT(%s, 0));\n", to, to);
            return;
        }
        break;
    case 8:
        if (deeper && !g->loops && one_in(g, 3)) {
            race(g, depth);
            return;
        }
        break;
    case 7:
        if (!g->helper && !g->loops) { /* one pointer may be the other */
            str_printf(g->out, "AT(p, 0) = %u, AT(q, %u) = %u, s = DIV(s, AT(p, 0));\n", 1 + pick(g, 2),
                       one_in(g, 4), pick(g, 2));
            return;
        }
        break;
    default: break;
    }
    assignment(g);
}

static void block(Grammar *g, unsigned depth, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        statement(g, depth);
}

static void body(Grammar *g, const char *first, unsigned statements)
{
    str_printf(g->out, "{\n    unsigned char x = %s, y = 0;\n    int s = 1, own[3] = { 0, 1, 2 };\n", first);
    g->budget = 3 * statements;
    block(g, 1, statements);
    str_add(g->out, "    return s + x + y + own[0];\n}\n\n");
}

bool require_function(uint64_t seed, uint32_t number, Str *out)
{
    Grammar g = {.state = seed, .number = number, .out = out};
    str_printf(out, "static signed char g_%u;\nstatic int t_%u[%u];\n\n", number, number, POINT_TABLE);
    g.helper = true;
    str_printf(out, "static int called_%u(int u, int *w)\n", number);
    body(&g, "u", 1 + pick(&g, 2));
    g.helper = false;
    str_printf(out, "int f_%u(signed char a, signed char b, int *p, int *q, struct rec *r)\n", number);
    body(&g, one_in(&g, 2) ? "a" : "0", 1 + pick(&g, 4));
    return g.unbounded;
}

/* ---- the native program ---------------------------------------------------------------------- */

void require_setup(uint64_t seed, uint32_t number, Str *out)
{
    str_printf(out, "    for (unsigned i = 0; i < POINTS; i++) {\n        Point o = point_make(%lluu, i);\n",
               (unsigned long long)seed);
    str_printf(out, "        g_%u = (signed char)o.g;\n        memcpy(t_%u, o.table, sizeof t_%u);\n", number,
               number, number);
    str_add(
        out,
        "        memcpy(object_x, o.x, sizeof object_x);\n        memcpy(object_y, o.y, sizeof object_y);\n"
        "        object_r.n = o.n;\n        object_r.v = pointer(o.v);\n");
}

static void driver(uint64_t seed, uint32_t number, bool unbounded, Str *out)
{
    require_setup(seed, number, out);
    str_printf(out,
               "        ticks = 0, tick_limit = %d;\n        int how = setjmp(out);\n        if (!how)\n     "
               "       f_%u(ARGUMENTS);\n",
               unbounded ? 2000 : 300000, number);
    str_printf(out, "        putchar(!how ? RETURNED : how - 1%s);\n    }\n",
               unbounded ? "" : " == ENDLESS ? RETURNED : how - 1");
}

void require_batch(uint64_t seed, uint32_t count, Str *out)
{
    BitSet unbounded = {0};
    str_add(out, "#include \"require_prelude.h\"\n\n");
    for (uint32_t i = 0; i < count; i++)
        if (require_function(seed + i, i, out))
            bitset_add(&unbounded, i);
    str_add(out, "#ifdef NATIVE\nint main(void)\n{\n");
    for (uint32_t i = 0; i < count; i++)
        driver(seed + i, i, bitset_has(&unbounded, i), out);
    str_add(out, "    return 0;\n}\n#endif\n");
    bitset_free(&unbounded);
}
