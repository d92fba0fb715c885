/* deep.c - programs for summaries of functions that call themselves, and for invariants about all elements of
 * an array.
 *
 * down and up call themselves or each other, several times from different places, with globals, inputs on the
 * way and early returns; they have no locals in memory, so that they are summarised. Then an array is filled
 * in a loop, whole or in part, and its elements are looked at. Many conditions never hold.
 *
 * Templates: %e is an expression over n, a and globals, %k one over the index i and inputs, %c a constant
 * from 0 to 9, %s from 1 to 3, %o a comparison, %f one of the functions, %g the number of a global, %v the
 * number of an input, %h says that a new statement was reached. */
#include "generate_int.h"

static const char *const bodies[] = {
    "if (n <= 0) { %h return %e; } return %f(n - %s, a) + %c;",
    "if (n <= 0) return a; int r = %f(n - 1, a + %c); %h if (r %o %c) { %h return r - 1; } return r;",
    "if (n <= 0 || a %o %c) { %h return %e; } g%g = (%e) & 7; int r = %f(n - %s, %e); if (g%g %o %c) { %h } "
    "return r;",
    "g%g = (g%g + 1) & 7; if (n <= 0) return g%g; int r = %f(n - %s, a); %h g%g = (%e) & 7; return (r + a) & "
    "7;",
    "if (n <= 0) return %c; int r = %f(n - %s, a), t = %f(n - 2, r & 3); %h return r > t ? r : t;",
    "if (n <= 0) return a; if (in[%v] %o n) { %h return %f(n - 1, a + 1); } return %f(n - %s, a - 1);",
    "if (n <= 0) return a & 1; for (int i = 0; GOES(i < (a & 1)); i++) { %h g%g = %f(n - 2, i) & 7; } return "
    "%f(n - 1, %e) & 7;",
};

static const char *const fills[] = {
    "for (i = 0; GOES(i < m); i++) w[i] = %k;",
    "for (i = m - 1; GOES(i >= 0); i--) w[i] = %k;",
    "for (i = 0; GOES(i < m); i += %s) { w[i] = %k; if (in[%v] %o %c) break; }",
    "for (i = 0; GOES(i < m); i++) { if (i %o %c) continue; w[i] = %k; }",
    "{ int *p = w; for (i = 0; GOES(i < m); i++) *p++ = %k; }",
    "for (i = 0; GOES(i < m); i++) { w[i] = %c; w[m - 1 - i] = %k; }",
    "for (i = 1; GOES(i < m); i++) w[i] = w[i - 1] + %c;",
    "for (i = 0; GOES(i < 3 * m); i++) ((unsigned char *)w)[i] = (unsigned char)%k;",
};

static const char *const looks[] = {
    "for (i = 0; GOES(i < m); i++) { if (w[i] %o %c) { %h } }",
    "for (i = 0; GOES(i < m); i++) { if (w[i] %o i) { %h } }",
    "if (w[in[%v] & 3] %o %c) { %h }",
    "{ int t = w[0]; for (i = 1; GOES(i < m); i++) if (w[i] > t) t = w[i]; for (i = 0; GOES(i < m); i++) if "
    "(w[i] > t) { %h } if (t %o %c) { %h } }",
    "w[in[%v] & 7] = %c; for (i = 0; GOES(i < 8); i++) { if (w[i] %o %c) { %h } }",
};

static void fill(Gen *g, const char *text)
{
    static const char *const tests[] = {"<", "==", ">", "!="}, *const values[] = {"a",  "a + 1",  "n + a",
                                                                                  "n",  "g0 + a", "a - n",
                                                                                  "g1", "a * 2"},
                             *const elements[] = {"3", "i", "i * 2", "in[0]", "7 - i", "i & 1", "m"};
    for (; *text; text++) {
        if (*text != '%') {
            str_add_char(g->out, *text);
            continue;
        }
        switch (*++text) {
        case 'e': str_add(g->out, values[pick(g, COUNT_OF(values))]); break;
        case 'k': str_add(g->out, elements[pick(g, COUNT_OF(elements))]); break;
        case 'c': str_printf(g->out, "%u", pick(g, 10)); break;
        case 's': str_printf(g->out, "%u", 1 + pick(g, 3)); break;
        case 'o': str_add(g->out, tests[pick(g, COUNT_OF(tests))]); break;
        case 'f': str_add(g->out, pick(g, 3) ? "down" : "up"); break;
        case 'g': str_printf(g->out, "%u", pick(g, GLOBALS)); break;
        case 'v': str_printf(g->out, "%u", pick(g, GENERATE_INPUTS)); break;
        case 'h':
            str_printf(g->out, "\n#line %d\n", ++g->statement);
            str_printf(g->out, "HERE(%d);\n", g->statement);
            break;
        default: die("deep: %%%c", *text);
        }
    }
}

void generate_deep(Gen *g, uint32_t number)
{
    Str *o = g->out;
    str_printf(o,
               "#define down down_%u\n#define up up_%u\nstatic int up(int n, int a);\nstatic int down(int n, "
               "int a)\n{\n",
               number, number);
    fill(g, bodies[pick(g, COUNT_OF(bodies))]);
    str_add(o, "\n}\nstatic int up(int n, int a)\n{\n");
    fill(g, bodies[pick(g, COUNT_OF(bodies))]);
    str_printf(
        o, "\n}\nstatic int program_%u(void)\n{\n    BEGIN();\n    int i, m = %s, r0 = 0, r1 = 0;\n    %s\n",
        number, pick(g, 2) ? "8" : "(in[1] & 3) + 4",
        pick(g, 2) ? "int w[8] = {0};" : "int *w = calloc(8, sizeof *w);");
    if (pick(g, 3)) {
        fill(g, "r0 = down(in[%v] & 7, %c); %h if (r0 %o %c) { %h }");
        fill(g, "r1 = %f(in[%v] & 3, in[%v]); if (r1 %o r0) { %h } if (g%g %o %c) { %h }");
    }
    if (pick(g, 3)) {
        fill(g, fills[pick(g, COUNT_OF(fills))]);
        fill(g, looks[pick(g, COUNT_OF(looks))]);
    }
    str_add(o, "    return (r0 + r1 + w[0]) & 1;\n}\n#undef down\n#undef up\n");
}
