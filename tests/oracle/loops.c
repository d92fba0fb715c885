/* loops.c - programs for questions about lines: which of them does some input reach?
 *
 * Loops with bounds that depend on data, nested, with break and continue, endless; early exits, recursion,
 * static variables, input that is read inside loops; arrays, pointers into them, structures, cells of the
 * heap, lists, block operations, calls by pointer; small unsigned types that wrap. Each statement says that
 * it was reached (HERE). Values are kept small, so that no run has to go round a loop for long; conditions
 * are often such that they never hold.
 *
 * Templates: %b is a block, %c a condition, %x a value from -3 to 10, %v a variable to set, %y a constant
 * from 0 to 4, %e one from 0 to 12, %p a place in memory, %g the number of a global, %n the number of the
 * statement, %l that of its own loop. */
#include "generate_int.h"

/* What a program is about: variables of its functions, statements about them, and places whose values
 * count. */
typedef struct Theme {
    const char *locals, *statements[20], *places[6];
} Theme;

static const Theme themes[] = {
    /* numbers that wrap */
    {"unsigned char c = 3; unsigned u = 1; short s = 0; long l = 0;",
     {"c += (unsigned char)(%x);", "c = (unsigned char)(c * 3 + (%x));", "if ((c & 31) > %e + 20) %v = %y;",
      "u = u * 5 + (unsigned)(%x);", "%v = (int)(u >> 29);", "s = (short)(s + (%x)); %v = s & 7;",
      "l = (l << 3) ^ (%x); %v = (int)(l & 3);", "if (c == 255) %v = %y;"},
     {"(c & 7)", "(int)(u & 7)", "(int)(l & 7)"}},
    /* arrays and pointers into them */
    {"int a[4] = {1, 2, 0, 3}, *p = a, m0 = 1, *q = &m0;",
     {"p = a + ((%x) & 3);", "if (p < a + 3) p++;", "if (p > a) p--;", "*p = (%x) & 7;", "p[a - p] = %y;",
      "%v = (int)(p - a);", "a[(%x) & 3] = (%x) & 7;", "{ int *z = %c ? &m0 : &g%g; *z = (%x) & 7; }",
      "q = %c ? p : &m0;", "*q = (%x) & 7;", "AT(%n, a, 4, %x) = %y;", "AT(%n, a, 4, (%x) & 3) = %y;",
      "%v = AT(%n, a, 4, ((%x) & 7) / 2);", "%v = DEREF(%n, %c ? p : (int *)0) & 7;",
      "%v = a[(%x) & 3] & 7;"},
     {"a[0]", "a[2]", "a[3]", "m0", "*p", "*q"}},
    /* structures */
    {"Pair r = {1, 2, 3, {4, 5}}, t = r;",
     {"r.x = (%x) & 7;", "r.v[(%x) & 1] = (%x) & 7;", "t = r;", "t = turned(r); %v = t.x & 7;",
      "{ Pair *z = %c ? &r : &t; z->y = (short)((%x) & 7); }", "swap(&r.x, &t.v[1]);", "CHECK(%n, r.x < 8);"},
     {"r.x", "r.v[1]", "t.y", "r.c"}},
    /* calls */
    {"int m1 = 2, m2 = 1; int (*fn)(int, int) = smaller;",
     {"put(&m1, %x);", "put_if(&m1, %x, %x);", "swap(&m1, &m2);",
      "put_through(%c ? put : put_other, &m1, %x);", "%v = fn(%x, %y) & 7;", "fn = %c ? smaller : mixed;",
      "%v = recursion((%x) & 3, %y) & 7;", "put_deep((%x) & 1, &m1, &m2, %x);",
      "put(either(&m1, &m2, %x), %y);", "CHECK(%n, m1 < 16);"},
     {"m1", "m2"}},
    /* the heap */
    {"int d0 = 0, *h0 = malloc(4); Link *head = 0; *h0 = 5;",
     {"{ int *h = malloc(8); h[0] = %x; h[1] = %y; %v = h[(%x) & 1] & 7; free(h); }",
      "h0 = malloc(4); *h0 = (%x) & 7; d0 = 0;", "if (!d0) *h0 = (%x) & 7;", "if (!d0) %v = *h0 & 7;",
      "if (!d0) { FREE(%n, h0, d0); d0 = 1; }", "if (%c) head = linked((%x) & 7, head);",
      "if (head) %v = head->value;", "if (head) head = head->next;", "USE(%n, h0, d0) = %y;",
      "FREE(%n, h0, d0); d0 = 1;", "{ int *h = fresh(%x); put(h, %x); %v = *h & 7; release(h); }",
      "head = linked(%y, head);", "if (head && head->value == %y) { head->value = (%x) & 7; }"},
     {"!head", "d0"}},
    /* blocks of bytes */
    {"char k[8] = {0}; int a[4] = {1, 2, 0, 3}, b[4] = {0};",
     {"memset(a, 0, sizeof a);", "memset(k, %y, (size_t)((%x) & 7));", "memcpy(b, a, sizeof a);",
      "memcpy(k, k + 4, (size_t)((%x) & 3));", "%v = k[(%x) & 7] & 7;", "k[(%x) & 7] = (char)%y;",
      "%v = b[(%x) & 3] & 7;", "b[(%x) & 3] = (%x) & 7;", "memmove(k + 1, k, 4);",
      "memset(k, 0, LENGTH(%n, 8, (%x) & 15));", "snprintf(k, sizeof k, \"%%d\", %x);",
      "qsort(b, 4, sizeof *b, by_value);", "qsort(a, 4, sizeof *a, by_value); %v = a[%y & 3] & 7;"},
     {"k[3]", "b[1]", "k[7]", "a[0]"}},
};

static const char *const plain[] = {
    "%v = (%x) & 7;",
    "%v = (%x) & 7;",
    "%v = (%x) & 3;",
    "%v = %y;",
    "g%g = (%x) & 7;",
    "%v = %p & 7;",
    "{ ONCE(once); if (once < 3) once++; else %v = %y; }",
    "{ ONCE(count); count += (%x) & 3; if (count > %e) %v = 1; }",
    "if (%c) return %y;",
    "if (%c) EXIT(%y);",
};

/* May fail, or not: both are asked. */
static const char *const failing[] = {
    "CHECK(%n, %c || %c);",       "CHECK(%n, !(%c) || !(%c));", "CHECK(%n, (%x) != 11);",
    "CHECK(%n, ((%x) & 3) < 4);", "CHECK(%n, g%g < 8);",        "%v = DIV(%n, %x, ((%x) & 3) + 1) & 7;",
    "%v = DIV(%n, %x, %x) & 7;",
};

static const char *const nested[] = {
    "if (%c) { %b } else { %b }",
    "if (%c) { %b }",
    "switch ((%x) & 3) { case 0: %b break; case 1: %b case 2: %b break; default:; }",
    "for (int i%l = 0; GOES(i%l < ((%x) & 3) + %y); i%l++) { %b }",
    "for (int i%l = 0; GOES(i%l < %e); i%l++) { %b }",
    "for (int i%l = 0, n%l = (%x) & 7; GOES(i%l < n%l); i%l++) { g%g = i%l; %b }",
    "for (int i%l = %e; GOES(i%l > 0); i%l--) { %b if (%c) break; %b }",
    "for (int i%l = 0, n%l = 0; GOES(i%l < ((%x) & 3)); i%l++) { n%l += 2; %b if (n%l != 2 * i%l + 2) { %b } "
    "}",
    "for (unsigned char i%l = 0; GOES(i%l < 200); i%l += 3) { if (%c) continue; %b }",
    "{ int i%l = %e; while (GOES(%c)) { %b i%l = (i%l + 1) & 7; } }",
    "{ int i%l = %e; do { i%l--; %b } while (GOES(i%l > 0 && %c)); }",
    "{ int i%l = 0; while (GOES(1)) { if (i%l++ >= %e) break; %b } }",
    "{ int i%l = %y; for (;GOES(1);) { if (%c) break; i%l ^= 1; %b } }",
};

/* Of programs that read their input. */
static const char *const reading[] = {
    "%v = NEXT() & 7;",
    "%v = NEXT() & 3;",
    "for (int i%l; GOES((i%l = NEXT()) != -1);) { %b if (i%l == %y) { %b } }",
    "{ int i%l = NEXT(); if (i%l == 1) { %b } else if (i%l == 3) { %b } }",
    "while (GOES(1)) { int i%l = NEXT(); if (i%l < 0) break; if (i%l == %y) continue; %v = i%l & 7; %b }",
};

/* With the theme of these variables. */
static const char *const about[] = {
    NULL,
    "for (int *i%lp = a; GOES(i%lp < a + 4); i%lp++) { int i%l = *i%lp & 7; if (%c) *i%lp = %y; %b }",
    "for (int i%l = 0; GOES(i%l < 2); i%l++) { r.v[i%l] = (%x) & 7; %b if (r.v[0] > 7) { %b } }",
    "if (%v) { %v = helper(%x, %x) & 7; %b }",
    "for (Link *w%l = head; GOES(w%l != 0); w%l = w%l->next) { int i%l = w%l->value; %b }",
    "for (int i%l = 0; GOES(i%l < 8 && k[i%l] != 2); i%l++) { k[i%l] = (char)((%x) & 3); %b }",
};

static void fill(Gen *g, const char *text, int depth);

/* Of small programs: what was written is looked at. */
static const char *const watched[] = {
    "c = (unsigned char)(c + 60 + ((%x) & 7)); if (c < 60) %v = %y;",
    "a[(%x) & 3] = 6; if (a[%e & 3] == 6) %v = %y;",
    "{ Pair *z = %c ? &r : &t; z->v[(%x) & 1] = 9; if (r.v[1] == 9) %v = %y; }",
    "*(%c ? &m1 : &m2) = 9; if (m1 == 9) %v = %y;",
    "for (int i%l = 0; GOES(i%l < ((%x) & 3) + 2); i%l++) { if (%c) { FREE(%n, h0, d0); d0 = 1; } }",
    "snprintf(k, sizeof k, \"%%d\", (%x) & 7); if (k[0] > 47) %v = %y;",
};

static const char watched_input[] = "{ int z%l = 0; for (int i%l; GOES((i%l = NEXT()) != -1);) { if (z%l == "
                                    "1 && i%l == %y) { %b } z%l = i%l; } }";

static uint32_t length(const char *const *of, uint32_t most)
{
    uint32_t n = 0;
    while (n < most && of[n])
        n++;
    return n;
}

static const char *simple(Gen *g)
{
    const Theme *t = &themes[g->themes[pick(g, 2)]];
    switch (pick(g, 9)) {
    case 0: return failing[pick(g, COUNT_OF(failing))];
    case 1:
        if (!g->small)
            return g->in_helper ? plain[0] : "%v = helper(%x, %x) & 7;";
        break;
    case 2:
        if (!g->small)
            return g->in_helper ? plain[1] : "%v = down(%x) & 7;";
        return watched[g->themes[0]];
    case 3:
    case 4: return plain[pick(g, COUNT_OF(plain))];
    }
    return t->statements[pick(g, length(t->statements, COUNT_OF(t->statements)))];
}

static const char *compound(Gen *g)
{
    const char *own = about[g->themes[pick(g, 2)]];
    return own && !g->in_helper && pick(g, 3) == 0 && !(g->small && strstr(own, "helper"))
               ? own
               : nested[pick(g, COUNT_OF(nested))];
}

static void block(Gen *g, int depth, uint32_t n)
{
    for (uint32_t i = 0; i < n && g->budget > 0; i++) {
        bool deep = depth > 0 && pick(g, 2);
        g->budget--;
        str_printf(g->out, "\n#line %d\n", ++g->statement);
        str_printf(g->out, "HERE(%d); ", g->statement);
        if (g->reads && g->small && deep && pick(g, 3) == 0)
            fill(g, watched_input, depth);
        else if (g->reads && !g->in_helper && pick(g, 3) == 0)
            fill(g, reading[deep ? 2 + pick(g, COUNT_OF(reading) - 2) : pick(g, 2)], depth);
        else
            fill(g, deep ? compound(g) : simple(g), depth);
        str_add_char(g->out, '\n');
    }
}

/* ---- words ----------------------------------------------------------------------------------- */

static void place(Gen *g)
{
    const Theme *t = &themes[g->themes[pick(g, 2)]];
    if (pick(g, 3) == 0)
        str_printf(g->out, "g%u", pick(g, GLOBALS));
    else
        str_add(g->out, t->places[pick(g, length(t->places, COUNT_OF(t->places)))]);
}

static void operand(Gen *g)
{
    switch (pick(g, 9)) {
    case 0:
    case 1:
    case 8: place(g); break;
    case 2:
    case 3: str_printf(g->out, g->reads ? "v%u" : "in[%u]", pick(g, GENERATE_INPUTS)); break;
    case 4:
        if (g->loops) {
            str_printf(g->out, "i%d", g->loops);
            break;
        } /* fall through */
    default: str_printf(g->out, "v%u", pick(g, LOCALS));
    }
}

static void value(Gen *g)
{
    static const char *const operators[] = {"+", "-", "&", "^", "|"};
    switch (pick(g, 5)) {
    case 0: operand(g); break;
    case 1: str_printf(g->out, "%u", pick(g, 5)); break;
    case 2:
        operand(g);
        str_printf(g->out, " + %u", pick(g, 4));
        break;
    default:
        str_add(g->out, "((");
        operand(g);
        str_printf(g->out, ") %s (", operators[pick(g, COUNT_OF(operators))]);
        operand(g);
        str_add(g->out, "))");
    }
}

static void condition(Gen *g)
{
    static const char *const tests[] = {"<", "==", ">", "!=", "<="};
    str_add(g->out, "((");
    switch (pick(g, 4)) {
    case 0:
        operand(g);
        str_printf(g->out, ") %s (", tests[pick(g, COUNT_OF(tests))]);
        operand(g);
        break;
    case 1:
        value(g);
        str_printf(g->out, ") %s (%u", tests[pick(g, COUNT_OF(tests))], pick(g, 13));
        break;
    default: operand(g); str_printf(g->out, ") %s (%u", tests[pick(g, COUNT_OF(tests))], pick(g, 9));
    }
    str_add(g->out, "))");
}

static void word(Gen *g, char what, int depth, int loop)
{
    switch (what) {
    case 'b': block(g, depth - 1, 1 + pick(g, 2)); return;
    case 'c': condition(g); return;
    case 'x': value(g); return;
    case 'v': str_printf(g->out, "v%u", pick(g, LOCALS)); return;
    case 'y': str_printf(g->out, "%u", pick(g, 5)); return;
    case 'e': str_printf(g->out, "%u", pick(g, 13)); return;
    case 'p': place(g); return;
    case 'g': str_printf(g->out, "%u", pick(g, GLOBALS)); return;
    case 'n': str_printf(g->out, "%d", g->statement); return;
    case 'l': str_printf(g->out, "%d", loop); return;
    default: die("loops: %%%c", what);
    }
}

static void fill(Gen *g, const char *text, int depth)
{
    int outer = g->loops, loop = strstr(text, "%l") ? outer + 1 : outer;
    for (; *text; text++) {
        if (text[0] == '%' && text[1] == '%') {
            str_add_char(g->out, *++text);
        } else if (*text == '%') {
            g->loops = text[1] == 'b' || text[1] == 'c' ? loop : outer;
            word(g, *++text, depth, loop);
        } else {
            str_add_char(g->out, *text);
        }
    }
    g->loops = outer;
}

/* ---- functions ------------------------------------------------------------------------------- */

static void locals(Gen *g)
{
    for (uint32_t i = 0; i < 2; i++)
        if (i == 0 || g->themes[1] != g->themes[0])
            str_printf(g->out, "    %s\n", themes[g->themes[i]].locals);
}

/* helper, and down, which calls itself. */
static void helpers(Gen *g)
{
    Str *o = g->out;
    g->in_helper = true;
    str_add(o, "static int helper(int v0, int v1)\n{\n    int v2 = 2, v3 = 1;\n");
    locals(g);
    g->budget = 2 + (int)pick(g, 3);
    block(g, 2, 3);
    str_add(o, "    return v0 + v2;\n}\nstatic int down(int v0)\n{\n    int v1 = 0, v2 = 1, v3 = 2, n = "
               "v0;\n    if (v0 <= 0 || v0 > 5) return v0;\n");
    locals(g);
    g->budget = 1 + (int)pick(g, 2);
    block(g, 1, 2);
    str_printf(o, "    return down(n - %u) + (v1 & 3);\n}\n", 1 + pick(g, 2));
    g->in_helper = false;
}

void generate_loops(Gen *g, uint32_t number)
{
    Str *o = g->out;
    g->reads = g->seed % 2;
    g->small = g->seed >= GENERATE_SMALL;
    g->themes[0] = (uint8_t)pick(g, COUNT_OF(themes));
    g->themes[1] = (uint8_t)pick(g, COUNT_OF(themes));
    if (g->small || g->themes[0] * g->themes[1] == 5) /* two of them have an array a */
        g->themes[1] = g->themes[0];
    str_printf(o, "#undef NEXT\n#define NEXT() %s()\n", g->seed % 4 == 1 ? "ASKED" : "READ");
    str_printf(o, "#define down down_%u\n", number);
    if (!g->small)
        helpers(g);
    str_printf(o, "static int program_%u(void)\n{\n    BEGIN();\n", number);
    for (uint32_t i = 0; i < LOCALS; i++)
        if (i < GENERATE_INPUTS && pick(g, 3))
            str_printf(o, g->reads ? "    int v%u = NEXT() & 3;\n" : "    int v%u = in[%u];\n", i, i);
        else
            str_printf(o, "    int v%u = %u;\n", i, pick(g, 4));
    locals(g);
    g->budget = g->small ? 6 : 7 + (int)pick(g, 4);
    block(g, g->small ? 2 : DEPTH, g->small ? 4 : 4 + pick(g, 3));
    str_add(o, "    return v0 & 1;\n}\n#undef down\n");
}
