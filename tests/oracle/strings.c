/* strings.c - programs about strings: bytes of input and constants in short texts, compared and searched by
 * the library, in all ways in which a result is used: printed, branched on, checked, an index. Texts are
 * written under branches and reached through pointers that branches choose; one may have no NUL, one may be
 * freed.
 *
 * Templates: %i is a branch in front, %t a text, %w a constant one, %b a byte, %k a place from 0 to 2, %d a
 * number from 0 to 3, %v a variable to set, %e an expression, %j an input's number, %n the statement's
 * number. */
#include "generate_int.h"

static const char *const makers[] = {
    "%it0[%k] = (char)('A' + (in[%j] & 33));",
    "t0[%k] = (char)('A' + (in[%j] & 33));",
    "t1[%k] = (char)('A' + (in[%j] & 32));",
    "u[2] = (char)('a' + (in[%j] & 1));",
    "%it0[%k] = %b;",
    "%it1[%k] = %b;",
    "t0[%k] = %b;",
    "t1[%k] = %b;",
    "%iu[%k] = %b;",
    "u[%k] = %b;",
    "%ip = t1;",
    "%ip = t0 + 1;",
    "%iFREE(%n, h, d);",
    "{ FAILS(%n, d) h[%k & 1] = %b; }",
    "%v = (%e) & 15;",
    "%imemcpy(t1, t0, 4);",
    "%istrcpy(t0, %w);",
    "%v = in[%j];",
};

/* What they are compared to, and where something is in them. */
static const char *const results[] = {
    "SIGN(strcmp(%t, %w))",
    "SIGN(strcmp(%t, %t))",
    "SIGN(strcmp(%w, %t))",
    "SIGN(strncmp(%t, %w, %d))",
    "SIGN(strncmp(%t, %t, %d))",
    "SIGN(strncmp(%t, %w, (size_t)((%e) & 3)))",
    "SIGN(memcmp(t0, t1, %d))",
    "SIGN(memcmp(t0, %w \"\\0\\0\\0\", %d))",
    "SIGN(strcasecmp(%t, %w))",
    "SIGN(strcasecmp(t0, \"AB\"))",
    "SIGN(strncasecmp(%t, \"AbA\", %d))",
    "SIGN(strcasecmp(%t, %t))",
    "SIGN(strncasecmp(%t, %w, %d))",
    "SIGN(strcoll(%t, %w))",
    "(strchr(\"xab\\1\\2\", %b) != 0)",
    "PLACE(\"xab\\1\\2\", strchr(z, %b))",
    "PLACE(\"bAa\\1\\2\", memchr(z, %b, %d))",
    "PLACE(\"xab\\1\\2\", memchr(z, %b, 6))",
    "PLACE(%t, strchr(z, %b))",
    "PLACE(%t, strrchr(z, %b))",
    "PLACE(%t, memchr(z, %b, 2))",
    "(int)strlen(%t)",
    "(int)strnlen(%t, %d)",
    "(int)strspn(%t, \"ab\\1\")",
    "(int)strcspn(%t, \"b\\2\")",
    "(strstr(%t, \"b\") != 0)",
    "word(%t)",
};

/* Numbers in them. */
static const char *const number_makers[] = {
    "%ip = t1;",
    "%ip = t0 + 1;",
    "%imemcpy(t1, t0, 4);",
    "%it0[%k] = %b;",
    "t1[2] = (char)('0' + (in[%j] & 1));",
    "{ t0[1] = (char)(in[%j] > 0 ? ' ' : '3'); t0[2] = '4'; }",
    "t0[%k] = (char)('0' + (in[%j] & 7));",
    "t1[%k] = (char)('0' + (in[%j] & 3));",
    "%it0[%k] = (char)(in[%j] > 0 ? '-' : ' ');",
    "t0[0] = (char)(in[%j] > 0 ? '-' : in[%j] == 0 ? '\\n' : '+');",
    "u[%k] = (char)('0' + in[%j]);",
    "u[%k] = (char)('0' + (in[%j] & 7));",
    "{ u[%k] = (char)('0' + (in[%j] & 3)); u[2] = '7'; }",
};

static const char *const number_results[] = {
    "(atoi(%t) & 31)",
    "(atoi(t0) & 31)",
    "((int)strtol(%t, 0, 10) & 31)",
    "((int)strtoul(t0, 0, 8) & 31)",
    "((int)strtol(t0, 0, 8) & 31)",
    "({ char x[5] = \"0x\"; x[2] = t0[1]; x[3] = %b; (int)strtol(x, 0, 16) & 31; })",
    "PLACE(%t, ({ char *e; strtol(z, &e, 10); e; }))",
    "({ char *e; int k = (int)strtol(t0, &e, 10); (k & 7) + 8 * (*e == 0); })",
    "({ char *e; int k = (int)strtol(t1, &e, 0); (k & 7) + 8 * (*e == 0); })",
    "({ char *e; int k = (int)strtoll(t0, &e, 10); k += *e == 'a' ? (int)strtol(e + 1, &e, 10) : 0; k & 15; "
    "})",
};

static const char *const number_failing[] = {
    "FAILS(%n, unended(u)) %v = atoi(u) & 15;",
    "{ char *e; FAILS(%n, unended(u)) %v = (int)strtol(u, &e, 10) & 15; %v = *e == 0; }",
    "FAILS(%n, d) %v = atoi(h) & 15;",
};

static const char *const uses[] = {
    "%v = (%r) & 15;",
    "%v = (%r) & 15;",
    "if (BRANCH(%n, (%r) == 0)) %v = %d;",
    "if (BRANCH(%n, (%r) == 0)) %v = %d; else %v = in[%j];",
    "if (BRANCH(%n, (%r) > 0)) return %d;",
    "CHECK(%n, (%r) != %d || in[%j] != %d);",
    "PRINT(\"%%d \", %r);",
    "%v = AT(%n, a, 4, (%r) + %d) & 15;",
    "a[(%r) & 3] = %d;",
    "%v = DIV(%n, 5, (%r) + in[%j]) & 15;",
    /* more than a window holds */
    "{ char l[40] = {0}, m[40] = {0}; memset(l, 'a', 38); memset(m, 'a', 38); l[1] = %b; l[33] = %b; m[36] = "
    "%b; %v = SIGN(strcmp(l, m)); }",
    "{ char l[40] = {0}, m[40] = {0}; memset(l, 'a', 38); memset(m, 'A', 39); l[1] = %b; m[35] = %b; %v = "
    "SIGN(strncasecmp(l, m, 38)); }",
};

/* Of the texts that may be too short, or gone. */
static const char *const failing[] = {
    "FAILS(%n, overruns(u, %w, 4)) if (BRANCH(%n, strcmp(u, %1) == 0)) %v = %d;",
    "FAILS(%n, overruns(u, %w, 4)) %v = SIGN(strcmp(u, %1));",
    "FAILS(%n, overruns(u, t0, 4)) %v = SIGN(strcmp(t0, u));",
    "FAILS(%n, overruns(u, \"abab\", 4)) %v = SIGN(strcmp(u, \"abab\"));",
    "FAILS(%n, overruns(u, t1, %d)) %v = SIGN(strncmp(u, t1, %2));",
    "FAILS(%n, %d > 3) %v = SIGN(memcmp(u, \"abab\", %2));",
    "{ char c = %b; FAILS(%n, lacks(u, c)) %v = PLACE(u, strchr(z, c)); }",
    "FAILS(%n, lacks(u, 0)) %v = (int)strlen(u);",
    "FAILS(%n, d) %v = SIGN(strcmp(h, %w));",
    "FAILS(%n, d) if (BRANCH(%n, strcmp(h, t0) == 0)) %v = %d;",
    "FAILS(%n, d) %v = SIGN(strncmp(t1, h, 2));",
    "FAILS(%n, d) %v = strchr(h, %b) != 0;",
};

static const char *const words[] = {"\"\"",   "\"a\"",   "\"ab\"",     "\"b\"",
                                    "\"aB\"", "\"\\1\"", "\"\\2\\1\"", "\"a\\377\""};

#define ANY(list) list[pick(g, COUNT_OF(list))]

typedef struct Filled {
    const char *word;
    uint32_t number;
} Filled; /* what %1 and %2 stand for: the last %w and %d */

static void byte(Gen *g)
{
    static const char *const letters[] = {"'a'", "'b'", "'A'", "'B'", "0", "1"};
    uint32_t which = pick(g, 6);
    if (which < 3)
        str_printf(g->out, "in[%u]", pick(g, GENERATE_INPUTS));
    else if (which == 3)
        str_printf(g->out, "(char)('%c' + (in[%u] & 1))", "aA"[pick(g, 2)], pick(g, GENERATE_INPUTS));
    else if (which == 4)
        str_printf(g->out, "(char)(in[%u] > %d ? 'a' : v%u)", pick(g, GENERATE_INPUTS), (int)pick(g, 3) - 1,
                   pick(g, LOCALS));
    else
        str_add(g->out, letters[pick(g, COUNT_OF(letters))]);
}

static void fill(Gen *g, const char *text, Filled *last)
{
    static const char *const texts[] = {"t0", "t1", "p"};
    static const char *const tests[] = {"<", "==", ">", "!="};
    Str *s = g->out;
    for (; *text; text++) {
        if (*text != '%') {
            str_add_char(s, *text);
            continue;
        }
        switch (*++text) {
        case 'i':
            str_printf(s, "if (BRANCH(%d, in[%u] %s %d)) ", g->statement, pick(g, GENERATE_INPUTS),
                       tests[pick(g, 4)], (int)pick(g, 3) - 1);
            break;
        case 't': str_add(s, texts[pick(g, COUNT_OF(texts))]); break;
        case 'w': str_add(s, last->word = words[pick(g, COUNT_OF(words))]); break;
        case '1': str_add(s, last->word); break;
        case 'b': byte(g); break;
        case 'k': str_printf(s, "%u", pick(g, 3)); break;
        case 'd': str_printf(s, "%u", last->number = pick(g, 4)); break;
        case '2': str_printf(s, "%u", last->number); break;
        case 'v': str_printf(s, "v%u", pick(g, LOCALS)); break;
        case 'e': generate_expression(g, s, 1); break;
        case 'j': str_printf(s, "%u", pick(g, GENERATE_INPUTS)); break;
        case 'n': str_printf(s, "%d", g->statement); break;
        case 'r': fill(g, g->small ? ANY(number_results) : ANY(results), last); break;
        default: str_add_char(s, *text); break;
        }
    }
}

static void statement(Gen *g, const char *text)
{
    Filled last = {.word = "\"\""};
    str_printf(g->out, "#line %d\n", ++g->statement);
    fill(g, text, &last);
    str_add(g->out, "\n");
}

void generate_strings(Gen *g, uint32_t number)
{
    Str *s = g->out;
    g->small = g->seed % 3 == 0;
    str_printf(s, "#define word word_%u\n", number);
    str_add(s, "static int word(const char *s)\n{\n"
               "    static const char *const known[] = {\"a\", \"ab\", \"\\1\", \"b\\2\"};\n"
               "    for (int i = 0; i < 4; i++)\n        if (strcmp(s, known[i]) == 0) return i + 1;\n"
               "    return 0;\n}\n");
    str_printf(s, "static int program_%u(void)\n{\n", number);
    str_add(s, "    int a[4] = {1, 2, 0, 3}, v0 = in[0], v1 = 1, v2 = in[2], v3 = 2, d = 0;\n");
    str_printf(s, "    char t0[4] = %s, t1[4] = %s, u[3] = %s, *p = t0, *h = malloc(3);\n",
               g->small ? "\"12\"" : "\"ab\"", g->small ? "\"-7\"" : "\"b\"",
               g->small ? "{'4', '5', '6'}" : "\"ab\"");
    str_add(s, "    h[0] = 'a'; h[1] = in[1]; h[2] = 0;\n"
               "    (void)a; (void)v0; (void)v1; (void)v2; (void)v3; (void)d; (void)t1; (void)u; (void)p;\n");
    for (uint32_t n = 2 + pick(g, 3); n > 0; n--)
        statement(g, g->small ? ANY(number_makers) : ANY(makers));
    for (uint32_t n = 4 + pick(g, 6); n > 0; n--) {
        uint32_t kind = pick(g, 8);
        if (kind < 3)
            statement(g, g->small ? ANY(number_makers) : ANY(makers));
        else if (kind < 7)
            statement(g, ANY(uses));
        else
            statement(g, g->small ? ANY(number_failing) : ANY(failing));
    }
    statement(g, "OUTPUT(v0 + v1 + v2 + v3);");
    str_add(s, "    return v0 & 1;\n}\n#undef word\n");
}
