/* failures.c - programs about how code fails: calls through pointers that may be null, recursion, library
 * functions given too much, sizes, cells, lists and files that are gone, jumps, callbacks.
 *
 * Faults were lost where a branch guards nothing but such a call and has taken both sides already,
 * harmlessly: so each sink stands in a gate as well, a function that is entered first while all is well and
 * later with what several choices made of its arguments and of the state. In between programs fail early,
 * exit, go round loops, jump.
 *
 * Templates: %i is a branch in front, %c a condition of one input, %m a choice from 0 to 3, %x a value from 0
 * to 9, %v a variable to set (from 0 to 3), %y a constant from 0 to 3, %j an input's number, %k 0 or 1, the
 * same all through a template, %t a text, %n the statement's number. */
#include "generate_int.h"

enum { GATES = 3 };

static const char *const names[] = {
    "gate0", "gate1",  "gate2", "down", "again", "find", "by",   "leap",  "fn",      "tab",   "op0",   "op1",
    "ops",   "p",      "q",     "r",    "num",   "s",    "h0",   "h1",    "d0",      "d1",    "heap",  "room",
    "first", "second", "to",    "head", "file",  "shut", "deep", "limit", "stacked", "large", "below", "set"};

static const char *const texts[] = {"\"\"", "\"a\"", "\"ab\"", "\"abcdef\"", "0"};

/* What is made of a part of the state, the worst first, and what may fail by it; up to NULL. */
typedef struct Theme {
    const char *makers[10], *sinks[16];
} Theme;

static const Theme themes[] = {
    /* calls */
    {{"%ifn = 0;", "%ifn = smaller;", "%ifn = op1.f;"},
     {"%v = CALL(%n, fn)(%x, 1) & 3;", "CALL(%n, fn)(1, 2);", "CALL(%n, fn)(%x, %y);"}},
    {{"%itab[1] = 0;", "%itab[%k] = 0;", "%itab[(%x) & 3] = 0;", "%itab[%y] = mixed;"},
     {"%v = CALL(%n, tab[(%x) & 3])(%x, 2) & 3;", "CALL(%n, tab[1])(1, 2);", "CALL(%n, tab[%k])(%x, 2);"}},
    {{"%iop0.f = 0;", "%iops = &op1;", "%iop%k.f = fn;", "%iop%k.f = 0;"},
     {"%v = CALL(%n, ops->f)(1, %x) & 3;", "CALL(%n, ops->f)(2, 2);", "CALL(%n, op0.f)(2, %x);"}},
    /* depth */
    {{"%ideep += 160;", "%ideep += 80;", "%ideep += 80;", "%ideep = 1;"},
     {"%v = down((%x) > %y + 2 ? 1000 : 2) & 3;", "%v = down(deep) & 3;", "down(deep);", "down(deep);"}},
    /* callbacks */
    {{"%ilimit--;", "%ilimit--;", "%ilimit = 2;"},
     {"qsort(a, 3, sizeof *a, by);", "%v = bsearch(&a[1], a, 4, sizeof *a, by) != 0;",
      "%v = bsearch(&a[1], a, 4, sizeof *a, limit ? by : by) == 0;"}},
    /* texts */
    {{"%ir = 0;", "%ir = %t;", "%ir = %t; else r = %t;", "%ir = \"abcdef\";"},
     {"FAILS(%n, !r) %v = (int)strlen(r) & 3;",
      "{ char t[3]; FAILS(%n, !r || strlen(r) > 2) strcpy(t, r); %v = t[0] & 3; }",
      "{ char t[4] = \"x\"; FAILS(%n, !r || strlen(r) > 2) strcat(t, r); }",
      "{ char t[4]; FAILS(%n, !r || strlen(r) > 3) sprintf(t, \"%%s\", r); }",
      "FAILS(%n, !r) PRINT(\"%%d\", atoi(r));", "FAILS(%n, !r) PUT(r, 1);",
      "FAILS(%n, !r) %v = strcmp(r, \"ab\") > 0;"}},
    {{"%inum = \"7\";", "%inum = \"2\";", "%inum = \"5\";"},
     {"%v = AT(%n, a, 4, atoi(num)) & 3;", "%v = AT(%n, a, 4, (int)strtol(num, 0, 10)) & 3;",
      "%v = AT(%n, a, 4, num[0] - '0');"}},
    {{"%i{ FAILS(%n, strlen(s) > 2) strcat(s, \"abc\"); }",
      "%i{ FAILS(%n, strlen(s) > 3) strcat(s, \"ab\"); }", "%is[0] = 0;"},
     {"{ char t[3]; FAILS(%n, strlen(s) > 2) strcpy(t, s); }",
      "{ char t[3]; FAILS(%n, strlen(s) > 2) sprintf(t, \"%%s\", s); }",
      "{ char t[3]; FAILS(%n, strlen(s) > 2) memcpy(t, s, strlen(s) + 1); }"}},
    /* sizes */
    {{"{ int k = (%x) + 1; %i{ heap = malloc((size_t)k); room = k; } }",
      "room = (in[%j] & 3) + 1; heap = malloc((size_t)room);",
      "room = ((in[%j] & 3) ^ %y) + 1; heap = malloc((size_t)room);",
      "%i{ heap = realloc(heap, 2); room = 2; }", "%i{ heap = malloc(4); room = 4; }",
      "%i{ room--; heap = realloc(heap, (size_t)room); }"},
     {"{ int k = %x; FAILS(%n, k >= room) heap[k] = 1; }", "FAILS(%n, room < 2) heap[1] = 1;",
      "FAILS(%n, room < 3) heap[2] = 1;",
      "{ int k = (%x) + 1, j = %x; char *z = malloc((size_t)k); FAILS(%n, j >= k) z[j] = 1; free(z); }",
      "FAILS(%n, room < 3) memset(heap, 0, 3);",
      "{ int k = (%x) + 1, j = %x; char *z = realloc(malloc(1), (size_t)k); FAILS(%n, j >= k) z[j] = 1; "
      "free(z); }",
      "{ int k = (%x) + 1, j = %x; char z[k]; FAILS(%n, j >= k) z[j] = 1; }",
      "{ char t[4] = \"abc\"; FAILS(%n, room < 4) memcpy(heap, t, 4); }"}},
    /* cells */
    {{"%iFREE(%n, h%k, d%k);", "%iFREE(%n, h%k, d%k);", "%i{ h%k = malloc(4); *h%k = 1; d%k = 0; }"},
     {"%v = USE(%n, h%k, d%k) & 3;", "USE(%n, h%k, d%k) = %y;", "FREE(%n, h%k, d%k);",
      "FAILS(%n, d%k) h%k = realloc(h%k, 8);", "memset(&USE(%n, h%k, d%k), 0, 4);",
      "PRINT(\"%%d\", USE(%n, h%k, d%k));"}},
    /* files */
    {{"%iSHUT(%n, file, shut);", "%iSHUT(%n, file, shut);", "%i{ file = OPENED(); shut = 0; }"},
     {"SHUT(%n, file, shut);", "FAILS(%n, shut) INTO(file, %x);", "FAILS(%n, shut) INTO(file, 'a');"}},
    /* lists */
    {{"%i{ FAILS(%n, head && head->dead) if (head) head = head->next; }", "%iif (head) DROP(%n, head);",
      "%ihead = linked(%y, head);", "%ihead = 0;",
      "%i{ FAILS(%n, head && head->dead) if (head && head->next) DROP(%n, head->next); }",
      "%i{ FAILS(%n, head && head->dead) if (head) head->next = 0; }"},
     {"FAILS(%n, !head || head->dead) %v = head->value;",
      "FAILS(%n, !head || head->dead || !head->next || head->next->dead) %v = head->next->value;",
      "if (head) DROP(%n, head);",
      "for (Link *l = head; l; l = l->next) { FAILS(%n, l->dead) %v = l->value; }",
      "while (head) { Link *l = head; FAILS(%n, l->dead) head = l->next; DROP(%n, l); }"}},
    /* pointers */
    {{"%ip = 0;", "%ip = q;", "%iq = &g%k;", "%i{ int *z = p; p = q; q = z; }", "%ip = find(%x);",
      "p = find(%x);", "%iq = 0;", "%iq = &a[%y];"},
     {"DEREF(%n, p) = %y;", "%v = DEREF(%n, q) & 3;", "%v = DEREF(%n, find(%x)) & 3;",
      "memset(&DEREF(%n, p), 0, sizeof *p);"}},
    /* numbers that are no pointers */
    {{"%ideep = 4;", "%ideep += 2;", "%ideep = 0;"},
     {"{ int *z = (%x) > %y + 2 ? &g0 : 0; FAILS(%n, z) free(z); }",
      "{ long k = (%x) & 4; FAILS(%n, k) free((void *)k); }",
      "{ long k = deep & 6; FAILS(%n, k) free((void *)k); }"}},
    /* divisors in the library */
    {{"%ideep = 0;", "%ideep -= 1;", "%ideep = 2;"},
     {"FAILS(%n, deep == 0) %v = div(6, deep).quot & 3;", "FAILS(%n, deep == 0) %v = ldiv(6, deep).rem & 3;",
      "FAILS(%n, deep == 0) lldiv(6, deep);"}},
    /* how far to read a text */
    {{"%ideep = 9;", "%ideep += 3;", "%ideep = 2;"},
     {"FAILS(%n, (unsigned)deep > 4) PUT(\"abc\", deep);",
      "FAILS(%n, (unsigned)deep > 4) %v = memchr(\"abc\", 'z', (size_t)deep) != 0;",
      "FAILS(%n, (unsigned)deep > 4) %v = memcmp(\"abc\", \"abcd\", (size_t)deep) == 0;"}},
    /* numbers, and how far to read or to write */
    {{"%i%v = %y;", "%i%v = %y; else %v = %y;", "%i%v = (%x) & 3;", "%v = (%x) & 3;"},
     {"{ int k = %x; FAILS(%n, k > 4) PUT(\"abc\", k); }",
      "{ int k = %x; FAILS(%n, k > 4) %v = memchr(\"abc\", 'z', (size_t)k) != 0; }",
      "{ int k = %x; FAILS(%n, k > 4) %v = memcmp(\"abc\", \"abcd\", (size_t)k) == 0; }",
      "{ int k = %x; FAILS(%n, k > 3) %v = \"abc\"[k] & 3; }",
      "{ char t[2]; int k = (%x) * 3; FAILS(%n, k > 9) sprintf(t, \"%%d\", k); }",
      "{ char t[4]; int k = %x; FAILS(%n, k > 4) snprintf(t, (size_t)k, \"%%s\", \"abcdef\"); }",
      "{ char t[4]; int k = %x; FAILS(%n, k > 4) strncpy(t, \"ab\", (size_t)k); }",
      "{ char t[4]; int k = %x; FAILS(%n, k > 4) memset(t, 0, (size_t)k); }",
      "{ int k = %x; FAILS(%n, k > 4) memcpy(b, a, 4 * (size_t)k); }",
      "{ char t[3] = {'a', 'b', 'c'}; int k = %x; FAILS(%n, k > 3) PRINT(\"%%.*s\", k, t); }",
      "{ int k = (%x) - %y; FAILS(%n, k == 0) %v = div(6, k).quot & 3; }",
      "{ int k = (%x) - %y - 2; FAILS(%n, k == 0) %v = ldiv(6, k).rem & 3; }",
      "%v = DIV(%n, 5, (%x) - %y - 2) & 3;", "CHECK(%n, (%x) != %y + 3);", "AT(%n, a, 4, %x) = %y;",
      "%v = AT(%n, a, 4, %x);"}},
    /* large frames, in batches of their own: they make every function's frame suspect */
    {{"%i%v = %y;", "%v = (%x) & 3;"}, {"large();", "%v = large() & 3;"}},
};
enum { FRAMES = COUNT_OF(themes) - 1, NUMBERS = FRAMES - 1 }; /* NUMBERS: whose makers set variables */

/* Fails before anything meets, by inputs that also choose. */
static const char *const early[] = {
    "CHECK(%n, (in[%j] & in[%j]) != %y);", "CHECK(%n, in[%j] != 2);",
    "g0 = DIV(%n, 3, in[%j] - %y) & 3;",   "CHECK(%n, in[%j] * in[%j] != %y - 2);",
    "if (BRANCH(%n, %c)) EXIT(%y);",       "if (BRANCH(%n, in[%j] == in[%j] + 1)) return %y;",
};

/* With --check uninit: u is set where set is. */
static const char *const unset[] = {
    "%i{ u = %y; NOTE(set = 1); }",
    "%i{ u = %y; NOTE(set = 1); }",
    "FAILS(%n, !set) if (u > 1) g%k = 1;",
    "FAILS(%n, !set) if (u > 1) seen++;",
    "FAILS(%n, !set) AT(%n, a, 4, u) = 1;",
    "%i{ FAILS(%n, !set) EXIT(u & 1); }",
    "FAILS(%n, !set) heap = malloc((size_t)u + 1), room = u + 1;",
    "ASSUME(%c);",
    "%iASSUME(%c);",
    "%i{ int y; u = y; NOTE(set = 0); }",
};

static void line(Gen *g) { str_printf(g->out, "#line %d\n", ++g->statement); }

/* ---- words of templates ---------------------------------------------------------------------- */

static void fill(Gen *g, const char *text);

static void name(Gen *g)
{
    if (g->in_helper && pick(g, 2))
        str_add(g->out, "x");
    else if (g->in_helper || pick(g, 3) == 0)
        str_printf(g->out, "g%u", pick(g, GLOBALS));
    else if (g->loops && pick(g, 4) == 0)
        str_add(g->out, "i");
    else
        str_printf(g->out, "v%u", pick(g, LOCALS));
}

static void value(Gen *g)
{
    switch (pick(g, 6)) {
    case 0: name(g); break;
    case 1: str_printf(g->out, "(in[%u] & 3)", pick(g, GENERATE_INPUTS)); break;
    case 2: str_printf(g->out, "%u", pick(g, 5)); break;
    default:
        name(g);
        str_add(g->out, pick(g, 3) ? " + " : " * ");
        name(g);
    }
}

static void condition_of(Gen *g, uint32_t input)
{
    static const char *const tests[] = {"<", "==", ">", "!="};
    str_printf(g->out, "in[%u] %s %d", input, tests[pick(g, COUNT_OF(tests))], (int)pick(g, 3) - 1);
}

static void condition(Gen *g) { condition_of(g, pick(g, GENERATE_INPUTS)); }

/* A sum that is n if so many choices went as they may: an explorer that flips one at a time does not see all
 * of it. */
static void agreement(Gen *g, uint32_t n)
{
    for (uint32_t i = 0, at = pick(g, LOCALS); i < n; i++, at = (at + 1) % LOCALS)
        str_printf(g->out, "%s(v%u == %u)", i ? " + " : "", at, g->choices[at][pick(g, 2)]);
}

/* Two or three choices agree. */
static void combination(Gen *g)
{
    if (!g->in_helper && pick(g, 2)) {
        uint32_t n = 2 + pick(g, 2);
        agreement(g, n);
        str_printf(g->out, " == %u", n);
        return;
    }
    static const char *const forms[] = {
        "%m + %m == %y + 1",     "%m * 3 + %m == %y * 2 + 1", "%m + %m > 3",
        "%m == %y && %m == %y",  "%m + %m + %m == %y + 2",    "%m > 1 && %m < 2",
        "%m != %m + 1 && %m > 1"};
    fill(g, forms[pick(g, COUNT_OF(forms))]);
}

static void branch(Gen *g)
{
    str_printf(g->out, "if (BRANCH(%d, ", g->statement);
    (pick(g, 3) ? condition : combination)(g);
    str_add(g->out, ")) ");
}

static void target(Gen *g)
{
    bool global = g->in_helper || g->jumping || pick(g, 4) == 0;
    str_printf(g->out, "%c%u", global ? 'g' : 'v', pick(g, global ? GLOBALS : LOCALS));
}

static void word(Gen *g, char c, unsigned cell)
{
    switch (c) {
    case 'i':
        if (!g->certain)
            branch(g);
        return;
    case 'c': condition(g); return;
    case 'x': value(g); return;
    case 'v': target(g); return;
    case 'm': name(g); return;
    case 'y': str_printf(g->out, "%u", pick(g, 4)); return;
    case 'j': str_printf(g->out, "%u", pick(g, GENERATE_INPUTS)); return;
    case 'k': str_printf(g->out, "%u", cell); return;
    case 't': str_add(g->out, texts[pick(g, COUNT_OF(texts))]); return;
    case 'n': str_printf(g->out, "%d", g->statement); return;
    default: str_add_char(g->out, c); /* %% */
    }
}

static void fill(Gen *g, const char *text)
{
    unsigned cell = pick(g, 2);
    for (; *text; text++)
        if (*text == '%')
            word(g, *++text, cell);
        else
            str_add_char(g->out, *text);
}

/* On a line of its own. */
static void statement(Gen *g, const char *text)
{
    line(g);
    fill(g, text);
    str_add_char(g->out, '\n');
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Of one of the program's themes. */
static const Theme *theme(Gen *g) { return &themes[g->themes[pick(g, COUNT_OF(g->themes))]]; }

static const char *one_of(Gen *g, const char *const *of, uint32_t most)
{
    uint32_t n = 0;
    while (n < most && of[n])
        n++;
    return of[pick(g, n)];
}

static void sink(Gen *g)
{
    const Theme *t = theme(g);
    statement(g, one_of(g, t->sinks, COUNT_OF(t->sinks)));
}

static void maker(Gen *g)
{
    const Theme *t = theme(g);
    statement(g, one_of(g, t->makers, COUNT_OF(t->makers)));
}

/* A sink that runs for one value of `wanted`. */
static void gate(Gen *g, uint32_t number)
{
    static const char *const before[] = {"if (BRANCH(%n, wanted == 3)) {",
                                         "if (BRANCH(%n, wanted != 2)) return 0;",
                                         "switch (wanted) { case 3:",
                                         "for (int i = 0; i < 4; i++) if (BRANCH(%n, i == wanted)) {",
                                         "while (BRANCH(%n, wanted > 2)) { wanted = 0;",
                                         "if (BRANCH(%n, wanted < 3)) goto out;",
                                         "for (;; wanted--) { if (BRANCH(%n, wanted < 2)) break;",
                                         "do { if (BRANCH(%n, wanted != 4)) continue;"};
    static const char *const after[] = {"}",           "", "break; default: x++; }", "}", "}", "out:;", "}",
                                        "} while (0);"};
    static const uint8_t wanted[] = {3, 2, 3, 1, 3, 3, 2, 4};
    uint32_t form = pick(g, COUNT_OF(before));
    g->wanted[number] = wanted[form];
    str_printf(g->out,
               "static int gate%u(int wanted, int x)\n{\n    int a[4] = {1, 2, 0, 3}, b[4] = {0}, seen = "
               "0;\n    (void)a; (void)b; (void)seen;\n",
               number);
    statement(g, before[form]);
    if (number && pick(g, 3) == 0) {
        line(g);
        str_printf(g->out, "g%u = gate%u(x, wanted) & 3;\n", pick(g, GLOBALS), number - 1);
    } else {
        sink(g);
    }
    str_printf(g->out, "%s\n    return x & 3;\n}\n", after[form]);
}

static void functions(Gen *g)
{
    bool mutual = pick(g, 2);
    g->in_helper = true;
    if (mutual)
        statement(g, "static int again(int k);\nstatic int down(int k)\n{\n#line %n\n    FAILS(%n, k > 100) "
                     "return k > 0 ? again(k - 1) + 1 : 0;\n}\n"
                     "static int again(int k)\n{\n#line %n\n    return k > 0 ? down(k - 1) + 1 : 0;\n}");
    else
        statement(g, "static int down(int k)\n{\n#line %n\n    FAILS(%n, k > 100) return k > 0 ? down(k - 1) "
                     "+ 1 : 0;\n}");
    statement(g, "static int *find(int k)\n{\n#line %n\n    if (BRANCH(%n, k == %y + 1)) return 0; return k "
                 "& 1 ? &g0 : &g1;\n}");
    statement(g, "static int by(const void *x, const void *y)\n{\n#line %n\n    return *(int *)x - *(int *)y "
                 "+ DIV(%n, 0, limit);\n}");
    if (g->themes[0] == FRAMES)
        statement(
            g,
            "static int large(void) { FAILS(%n, stacked) volatile char z[LARGE]; z[5] = 1; return z[5]; }");
    for (uint32_t i = 0; i < GATES; i++)
        gate(g, i);
    if (g->themes[0] == FRAMES)
        statement(g, "static int below(int wanted, int x)\n{\n    volatile char z[LARGE]; NOTE(stacked = 1); "
                     "z[5] = 1; int k = gate0(wanted, x); NOTE(stacked = 0); return k;\n}");
    statement(g, "static void leap(int wanted) { if (wanted != %y) longjmp(*to, 1); }");
    g->in_helper = false;
}

/* ---- the program ----------------------------------------------------------------------------- */

static void statements(Gen *g, int depth, uint32_t n);

static void calling(Gen *g, uint32_t to)
{
    line(g);
    if (pick(g, 2)) {
        target(g);
        str_add(g->out, " = ");
    }
    uint32_t n = 2 + pick(g, 2);
    bool deeper = !to && g->themes[0] == FRAMES; /* on top of a large frame */
    if (deeper)
        str_add(g->out, "below(");
    else
        str_printf(g->out, "gate%u(", to);
    if (pick(g, 4)) {
        agreement(g, n);
        str_printf(g->out, " + %d", g->wanted[to] - (int)n);
    } else {
        value(g);
    }
    str_add(g->out, ", (");
    value(g);
    str_add(g->out, ") & 3) & 3;\n");
}

/* A sink of which it depends on several choices whether it runs. */
static void sometimes(Gen *g)
{
    line(g);
    str_printf(g->out, "if (BRANCH(%d, ", g->statement);
    combination(g);
    str_add(g->out, ")) {\n");
    sink(g);
    str_add(g->out, "}\n");
}

static void blocked(Gen *g, int depth)
{
    static const char *const loops[] = {
        "for (int i = 0; i < 2; i++) {", "for (int i = 0; i < 3 && BRANCH(%n, in[i] > 0); i++) {",
        "for (int i = 0; i < 3; i++) { if (BRANCH(%n, in[i] == %y - 1)) continue;",
        "for (int i = 0; i < 3; i++) { if (BRANCH(%n, %c)) break;",
        "for (int i = 0, state = 0; i < 3; i++) { state = state == 0 ? in[i] > 0 : state == 1 ? (in[i] < 0) "
        "* 2 : 3; g%k = state;"};
    static const char *const branches[] = {"%i{", "%i; else {", "switch (%x) { case %y: g%k = 1; case 4:"};
    bool loop = !g->loops && pick(g, 2);
    statement(g, loop ? loops[pick(g, COUNT_OF(loops))] : branches[pick(g, COUNT_OF(branches))]);
    g->loops += loop;
    statements(g, depth - 1, 2 + pick(g, 3));
    g->loops -= loop;
    str_add(g->out, ";}\n");
}

/* Where much may fail nearly all combinations are run anyhow: most programs have few sinks. */
static bool is_sparse(const Gen *g) { return g->seed % 4 != 3; }

static void statements(Gen *g, int depth, uint32_t n)
{
    for (; n > 0 && g->budget > 0; n--) {
        g->budget--;
        uint32_t kind = pick(g, 100);
        if (kind < 12 && depth)
            blocked(g, depth);
        else if (kind < 45)
            maker(g);
        else if (kind < 75)
            calling(g, pick(g, GATES));
        else if (kind < (is_sparse(g) ? 80 : 85))
            sink(g);
        else if (kind < (is_sparse(g) ? 85 : 95))
            sometimes(g);
        else if (is_sparse(g) && kind < 95)
            statement(g, "%i%v = %y;");
        else
            statement(g, early[pick(g, COUNT_OF(early))]);
        if (g->seed >= GENERATE_UNSET && pick(g, 4) == 0)
            statement(g, unset[pick(g, COUNT_OF(unset))]);
    }
}

/* Where it lands was decided before, or is on the way. */
static void jumping(Gen *g)
{
    static const char *const ways[] = {"longjmp(*to, 1);", "leap(%x);", "longjmp(second, 1);",
                                       "leap(%x); leap(%x);"};
    g->jumping = true;
    for (int k = 0; k < 2; k++) {
        str_printf(g->out, "if (setjmp(%s)) {\n", k ? "second" : "first");
        statements(g, 1, 1 + pick(g, 2));
        str_printf(g->out, "return %d;\n}\n", k);
    }
    statements(g, 1, 1 + pick(g, 3));
    statement(g, ways[pick(g, COUNT_OF(ways))]);
    g->jumping = false;
}

/* Variables that one input each decides. */
static void choices(Gen *g)
{
    uint32_t first = pick(g, GENERATE_INPUTS);
    for (uint32_t i = 0; i < LOCALS; i++) {
        uint8_t *of = g->choices[i];
        of[0] = (uint8_t)pick(g, 4);
        of[1] = (of[0] + 1 + pick(g, 3)) & 3;
        line(g);
        str_printf(g->out, "if (BRANCH(%d, ", g->statement);
        condition_of(g, (first + i) % GENERATE_INPUTS);
        str_printf(g->out, ")) v%u = %u; else v%u = %u;\n", i, of[0], i, of[1]);
    }
}

static void beginning(Gen *g)
{
    static const char *const entries[] = {"smaller", "mixed", "same"};
    Str *s = g->out;
    str_add(s, "    int a[4] = {1, 2, 0, 3}, b[4] = {0}, v0 = 0, v1 = 1, v2 = 0, v3 = 2, u, seen = 0;\n    "
               "(void)a; (void)b; (void)u; (void)seen;\n"
               "    p = &g0; q = &g1; r = \"a\"; s[0] = 0; num = \"1\"; deep = 1; limit = 2; room = 4; heap "
               "= malloc(4); shut = stacked = set = d0 = d1 = 0;\n"
               "    to = &first; file = OPENED(); h0 = malloc(4); h1 = malloc(4); *h0 = *h1 = 1; head = "
               "linked(1, linked(2, 0)); ops = &op0;\n");
    str_printf(s, "    fn = %s; op0.f = %s; op1.f = %s;", entries[pick(g, 3)], entries[pick(g, 3)],
               pick(g, 2) ? "0" : "same");
    for (uint32_t i = 0; i < CELLS; i++)
        str_printf(s, " tab[%u] = %s;", i, i == 2 && pick(g, 2) ? "0" : entries[pick(g, 3)]);
    str_add(s, "\n");
}

static void define(Gen *g, uint32_t number)
{
    for (uint32_t i = 0; i < COUNT_OF(names); i++)
        str_printf(g->out, "#define %s %s_%u\n", names[i], names[i], number);
    str_add(g->out, "static int (*fn)(int, int), (*tab[4])(int, int), *p, *q, *h0, *h1, d0, d1, room, shut, "
                    "deep, limit, stacked, set;\n"
                    "static Ops op0, op1, *ops; static const char *r, *num; static char s[6], *heap; static "
                    "jmp_buf first, second, *to;\n"
                    "static Link *head; static FILE *file;\n");
}

/* Entered while all is well. */
static void opened(Gen *g, uint32_t gate)
{
    line(g);
    str_printf(g->out, "gate%u(%u, 1);\n", gate, g->wanted[gate]);
}

/* The state goes bad, by itself or by one input. */
static void spoiled(Gen *g)
{
    g->certain = pick(g, 2);
    statement(g, themes[g->themes[0]].makers[0]);
    g->certain = false;
}

/* Fails where some choices, or one, went as they may. */
static void aimed(Gen *g)
{
    uint32_t n = 1 + pick(g, 3);
    line(g);
    str_printf(g->out, "CHECK(%d, ", g->statement);
    agreement(g, n);
    str_printf(g->out, " != %u);\n", n);
}

/* The jump lands where was decided before other choices were, or in between. */
static void landing(Gen *g, uint32_t gate)
{
    static const char *const before[] = {"%ito = &second;", "%ito = &second;",
                                         "%imemcpy(&first, &second, sizeof first);",
                                         "%imemcpy(&second, &first, sizeof second);"};
    bool copied = pick(g, 2);
    g->jumping = true;
    if (!copied)
        statement(g, before[0]);
    choices(g);
    for (int k = 0; k < 2; k++) {
        str_printf(g->out, "if (setjmp(%s)) {\n", k ? "second" : "first");
        uint32_t what = pick(g, 5);
        if (what < 2)
            aimed(g);
        else if (what == 2)
            calling(g, gate);
        str_printf(g->out, "return %d;\n}\n", k);
    }
    for (uint32_t n = pick(g, 3) + copied; n > 0; n--)
        statement(g, before[pick(g, COUNT_OF(before))]);
    statement(g, pick(g, 2) ? "longjmp(*to, 1);" : "leap(%y);");
    g->jumping = false;
}

/* Nothing but one gate, and what matters to it. */
static void bare(Gen *g)
{
    uint32_t gate = pick(g, GATES);
    opened(g, gate);
    if (pick(g, 4) == 0) {
        landing(g, gate);
        return;
    }
    choices(g);
    if (pick(g, 3) == 0)
        statement(g, early[pick(g, COUNT_OF(early))]);
    if (pick(g, 3) == 0)
        statement(g, "%i%v = %y;");
    spoiled(g);
    if (pick(g, 3) == 0)
        maker(g);
    calling(g, gate);
    if (pick(g, 3) == 0)
        calling(g, gate);
    if (pick(g, 3) == 0)
        aimed(g);
}

static void full(Gen *g)
{
    bool sparse = is_sparse(g);
    choices(g);
    for (uint32_t i = 0; i < GATES; i++)
        if (pick(g, 4))
            opened(g, i);
    spoiled(g);
    for (uint32_t n = sparse ? pick(g, 2) : 3 + pick(g, 4); n > 0; n--)
        maker(g);
    g->budget = sparse ? 7 : 26;
    statements(g, 2, sparse ? 1 + pick(g, 4) : 8 + pick(g, 8));
    for (uint32_t n = 1 + pick(g, 2); n > 0; n--)
        calling(g, pick(g, GATES));
    g->budget = 6;
    if (pick(g, 4) == 0)
        jumping(g);
}

void generate_failures(Gen *g, uint32_t number)
{
    bool sparse = is_sparse(g);
    g->themes[0] = g->seed / 10 % 16 == 15 ? FRAMES : pick(g, FRAMES);
    g->themes[1] = sparse ? g->themes[0] : pick(g, FRAMES);
    g->themes[2] = sparse ? g->themes[0] : NUMBERS;
    define(g, number);
    functions(g);
    str_printf(g->out, "static int program_%u(void)\n{\n", number);
    beginning(g);
    (g->seed % 4 < 2 ? bare : full)(g);
    str_add(g->out, "    return 0;\n}\n");
    for (uint32_t i = 0; i < COUNT_OF(names); i++)
        str_printf(g->out, "#undef %s\n", names[i]);
}
