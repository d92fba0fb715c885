/* wide.c - statements of the wider grammar: copies and strings, function pointers, structures, lists,
 * variable arguments, jumps, cells that are freed under one condition and used under another, files,
 * formatted text, computed addresses, exits inside helpers.
 *
 * Each is a template in which %e is an expression, %v a variable to set, %n the statement's number. At most
 * one place of a statement may fail. */
#include "generate_int.h"

typedef struct Template {
    bool in_helper; /* may stand in the helper, which knows neither tables nor heap cells */
    const char *text;
} Template;

static const Template templates[] = {
    /* copies */
    {true, "memcpy(b, a, LENGTH(%n, 16, 4 * ((%e) & 7)));"},
    {true, "memcpy(b, a, 4 * ((%e) & 3)); %v = b[(%e) & 3] & 15;"},
    {true, "memmove(a + 1, a, 4 * ((%e) & 3));"},
    {true, "memset(s, 'a' + ((%e) & 1), (%e) & 3);"},
    {true, "%v = memcmp(a, b, 4 * ((%e) & 3)) == 0;"},
    /* strings */
    {true, "s[0] = 'a' + ((%e) & 1); s[1] = (%e) > 0 ? 'b' : 0; %v = strcmp(s, \"ab\") > 0;"},
    {true, "%v = (int)strlen(s);"},
    {true, "%v = strchr(s, 'a' + ((%e) & 3)) != 0;"},
    {true, "%v = strncmp(s, \"abc\", (%e) & 3) < 0;"},
    {true, "{ char t[3]; strcpy(t, TEXT(%n, sizeof t, s)); %v = t[0] == 'b'; }"},
    {true, "{ char t[16] = \"b\"; strcat(t, s); %v = (int)strlen(t); }"},
    {true, "snprintf(s, sizeof s, \"%%d\", (%e) & 15); %v = (s[0] - '0') & 15;"},
    {true, "{ int k = -1; sscanf((%e) > 0 ? \"7 x\" : \"x 7\", \"%%d\", &k); %v = k & 15; }"},
    /* structures and lists */
    {true, "{ Pair p = {(%e) & 15, (%e) & 7, 3, {1, (%e) & 15}}, q = p; q.y += p.c; q = turned(q); %v = (q.x "
           "+ q.v[(%e) & 1]) & 15; }"},
    {true, "{ Pair p[2] = {{1, 2, 3, {4, 5}}, {6, 7, 8, {9, 10}}}; p[(%e) & 1].v[(%e) & 1] = (%e) & 15; %v = "
           "p[1].v[0]; }"},
    {true, "{ Node z = {(%e) & 15, 0}, y = {2, (%e) > 0 ? &z : 0}, x = {1, &y}, *p = &x; p = p->next->next; "
           "%v = DEREF(%n, p).value; }"},
    {true, "{ Node z = {4, 0}, y = {(%e) & 15, &z}, *p = (%e) > 1 ? &y : &z; int k = 0; for (; p; p = "
           "p->next) k += p->value; %v = k & 15; }"},
    /* computed addresses */
    {true, "*(a + ((%e) & 3)) = (%e) & 15;"},
    {true, "*(int *)((char *)a + 4 * ((%e) & 3)) = (%e) & 15;"},
    {true, "*(int *)((uintptr_t)a + 4 * (uintptr_t)((%e) & 3)) ^= 5;"},
    {true, "%v = *(&AT(%n, a, 4, (%e) & 7));"},
    {true, "{ int *p = (%e) > 0 ? a : b, *q = p + ((%e) & 1); *q = (%e) & 15; %v = (int)(q - p); }"},
    {true, "{ char *p = (char *)&a[(%e) & 3]; %v = p[0] & 15; }"},
    /* variable arguments, other integers */
    {true, "%v = sum((%e) & 3, (%e), 2, (%e)) & 15;"},
    {true, "%v = (int)((((unsigned)(%e) + 9u) * 2654435761u) >> 28);"},
    {true, "%v = (int)(((long)(%e) << 33) >> 32) & 15;"},
    {true, "%v = (unsigned char)(%e) >> 4;"},
    {true, "{ struct { unsigned a : 3; int b : 5; } f = {0}; f.a = (unsigned)(%e); f.b = %e; %v = ((int)f.a "
           "+ f.b) & 15; }"},
    {true, "{ union { int i; unsigned char c[4]; } u; u.i = %e; %v = u.c[(%e) & 3] & 15; }"},
    {true, "%v = (float)(%e) / 2.0f > 0.75f;"},
    {true, "%v = (int)((double)(%e) * 1.5) & 15;"},
    /* sizes */
    {true,
     "{ int k = ((%e) & 3) + 1, *p = malloc(4 * (size_t)k); AT(%n, p, k, (%e) & 3) = (%e) & 15; free(p); }"},
    {true, "{ int k = ((%e) & 1) + 2, *p = calloc((size_t)k, 4); %v = AT(%n, p, k, (%e) & 3); free(p); }"},
    {true, "{ int *p = malloc(4); *p = (%e) & 15; p = realloc(p, 4 * (size_t)(((%e) & 3) + 1)); %v = *p; "
           "free(p); }"},
    {true,
     "{ int k = ((%e) & 3) + 1, w[k]; for (int j = 0; j < k; j++) w[j] = j; %v = AT(%n, w, k, (%e) & 3); }"},
    /* the library */
    {true, "qsort(a, 1 + (size_t)((%e) & 3), sizeof *a, by_value); %v = a[0] & 15;"},
    {true, "%v = (int)strtol(s, 0, 16) & 15;"},
    {true, "%v = (isdigit((unsigned char)s[0]) != 0) + 2 * (isalpha((unsigned char)s[1]) != 0);"},
    {true, "{ char *p = strstr(s, \"b\"); %v = p ? (int)(p - s) : 9; }"},
    {true, "%v = recursion((%e) & 3, (%e)) & 15;"},
    {true, "%v = abs(%e) & 15;"},
    /* exits */
    {true, "if (BRANCH(%n, (%e) == 3)) EXIT((%e) & 7);"},
    {true, "for (int k = 0; k < 3; k++) if (BRANCH(%n, (%e) == k)) return k;"},
    /* what the program shows */
    {true, "PRINT(\"%%d;\", %e);"},
    {true, "if (BRANCH(%n, (%e) > 2)) PRINT(\"%%c%%s\", 'a' + ((%e) & 7), s);"},
    /* files */
    {true, "{ FILE *f = tmpfile(); if (f) { fputc((%e) & 15, f); fputc(7, f); rewind(f); %v = fgetc(f); "
           "fclose(f); } }"},
    {true, "{ FILE *f = tmpfile(); if (f) { fwrite(a, 4, 4, f); fseek(f, 4 * ((%e) & 3), SEEK_SET); fread(b, "
           "4, 1, f); fclose(f); %v = b[0] & 15; } }"},
    {true, "{ FILE *f = fopen(\"no-such-file\", \"r\"); %v = f != 0; }"},
    /* function pointers */
    {false, "%v = CALL(%n, table[(%e) & 3])((%e) & 15, (%e)) & 15;"},
    {false, "{ int (*f)(int, int) = (%e) > 0 ? smaller : helper; %v = f((%e) & 15, (%e)) & 15; }"},
    /* cells of the heap */
    {false, "USE(%n, h0, d0) = (%e) & 15;"},
    {false, "%v = USE(%n, h1, d1);"},
    {false, "if ((%e) > 1) FREE(%n, h0, d0);"},
    {false, "if (BRANCH(%n, (%e) > 0)) FREE(%n, h1, d1);"},
    {false, "if (BRANCH(%n, (%e) > 2)) { FREE(%n, h0, d0); h0 = malloc(4); *h0 = (%e) & 15; d0 = 0; }"},
    /* jumps: only globals change between the two */
    {false, "if (setjmp(back) == 0) g0 = jumper((%e), (%e)) & 15; else { BRANCH(%n, 1); g1 = 5; }"},
};

/* Of seeds from GENERATE_SHARED on: pointers that are decided go to functions that the whole batch calls. */
static const Template shared[] = {
    {true, "put((%e) > 0 ? &v2 : &g1, (%e));"},
    {true, "if (BRANCH(%n, (%e) > 0)) put((%e) > 0 ? &g0 : &v3, (%e));"},
    {true, "put_if((%e) > 0 ? &g0 : &g2, (%e), (%e));"},
    {true, "if (BRANCH(%n, (%e) > 1)) put_if(either(a, b, (%e)) + ((%e) & 1), (%e), (%e));"},
    {true, "put(either(a, b, (%e)) + ((%e) & 3), (%e));"},
    {true, "if (BRANCH(%n, (%e) > 1)) swap(either(&g0, &v3, (%e)), &a[(%e) & 3]);"},
    {true, "put_deep((%e) & 3, &g1, &v2, (%e));"},
    {true, "if (BRANCH(%n, (%e) > 0)) put_deep((%e) & 1, either(&g0, b, (%e)), &v3, (%e));"},
    {true, "put_last(either(a, b, (%e)) + 4 - ((%e) & 1), (%e));"},
    {true, "{ Cell c = {(%e) > 0 ? &g2 : b, (%e)}; put_cell(&c); }"},
    {true, "{ Cell c = {a, (%e)}, d = {&g1, 3}, *p = (%e) > 0 ? &c : &d; if (BRANCH(%n, (%e) > 0)) "
           "put_cell(p); p->x = 2; %v = c.x & 15; }"},
    {true, "put_through((%e) > 0 ? put : put_other, either(&g0, a, (%e)), (%e));"},
    {true, "{ char t[8] = \"b\"; put_text((%e) > 0 ? s : t, (%e)); %v = t[0] & 15; }"},
    {true,
     "{ char t[8] = \"b\"; if (BRANCH(%n, (%e) > 0)) put_text((%e) > 0 ? s : t, (%e)); %v = t[0] & 15; }"},
    {true, "{ int *p = malloc(4), *q = malloc(4); *p = 1; *q = 2; if (BRANCH(%n, (%e) > 0)) "
           "release(either(p, q, (%e))); }"},
    {true, "{ int *p = fresh((%e) & 15), *q = fresh(2), *r = either(p, q, (%e)); if ((%e) > 0) put(r, (%e)); "
           "%v = *p; release(q); }"},
    {true, "{ FILE *f = tmpfile(); int *p = either(a, b, (%e)), *q = &g0; if (f) { fwrite(&p, sizeof p, 1, "
           "f); rewind(f);"
           " if ((%e) > 0) fread(&q, sizeof q, 1, f); fclose(f); put(q, (%e)); } }"},
    {true, "{ int *p = either(a, b, (%e)); memset(p + ((%e) & 1), 0, 4 * (size_t)((%e) & 1)); }"},
    {true, "{ int *p = either(a, &g2, (%e)); if (BRANCH(%n, (%e) > 0)) { int k = (%e) & 15; memcpy(p, &k, "
           "sizeof k); } }"},
    {true, "{ char *end, *from = (%e) > 0 ? s : \"7x\"; %v = (int)strtol(from, &end, 10) & 15; *either(a, b, "
           "end != from) = 3; }"},
    {true, "{ int *v[3] = {a, b, &g1}; if (BRANCH(%n, (%e) > 0)) put(v[(%e) & 1], (%e)); }"},
};

static void fill(Gen *g, const char *text)
{
    for (; *text; text++) {
        if (*text != '%')
            str_add_char(g->out, *text);
        else if (*++text == 'e')
            generate_expression(g, g->out, 1 + (int)pick(g, 2));
        else if (*text == 'v')
            generate_target(g, g->out);
        else if (*text == 'n')
            str_printf(g->out, "%d", g->statement);
        else
            str_add_char(g->out, *text); /* %% */
    }
}

void generate_wide(Gen *g)
{
    const Template *t;
    if (g->seed >= GENERATE_SHARED && pick(g, 2)) {
        fill(g, shared[pick(g, COUNT_OF(shared))].text);
        str_add_char(g->out, '\n');
        return;
    }
    do
        t = &templates[pick(g, COUNT_OF(templates))];
    while (g->in_helper && !t->in_helper);
    fill(g, t->text);
    str_add_char(g->out, '\n');
}

void generate_wide_locals(Gen *g)
{
    str_add(g->out, "    int b[4] = {3, 0, 1, 2};\n    char s[8] = \"a\";\n    (void)b; (void)s;\n");
    if (!g->in_helper)
        str_add(g->out, "    int *h0 = malloc(4), *h1 = malloc(4), d0 = 0, d1 = 0;\n    *h0 = 1; *h1 = 2; "
                        "(void)d0; (void)d1;\n");
}

/* One entry of every third table is null. */
void generate_wide_functions(Gen *g, uint32_t number)
{
    static const char *const entries[] = {"smaller", "mixed", "same", "helper"};
    str_printf(g->out, "#define jumper jumper_%u\n#define table table_%u\n", number, number);
    str_add(g->out, "static int (*const table[4])(int, int) = {");
    bool with_null = pick(g, 3) == 0;
    for (uint32_t i = 0; i < 4; i++)
        str_printf(g->out, "%s, ", with_null && i == 2 ? "0" : entries[pick(g, COUNT_OF(entries))]);
    str_add(g->out, "};\nstatic int jumper(int v0, int v1)\n{\n    int a[4] = {1, 2, 0, 3}, v2 = 2, v3 = "
                    "1;\n    (void)a; (void)v2; (void)v3;\n");
    fill(g, "    if (%e > 1) longjmp(back, 1);\n    if (%e == 0) return helper(v0, v1);\n    return v0 + "
            "v1;\n}\n");
}

void generate_wide_end(Gen *g) { fill(g, "    OUTPUT((%e) & 255);\n"); }
