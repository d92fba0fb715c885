/* print.c - the pairing for people: changed functions with the lines of both versions whose code changed. */
#include "versions/versions.h"

#include <stdlib.h>

typedef struct Line {
    uint32_t file, line;
    char mark; /* '-' code of OLD, '+' of NEW, '>' of NEW that may depend on it */
} Line;
typedef Vec(Line) Lines;

static void add_line(Lines *lines, const IrProgram *p, FlowSite at, char mark)
{
    const IrBlock *b = &p->fns.v[at.fn].blocks.v[at.block];
    uint32_t site = b->insns.v[at.insn < b->insns.n ? at.insn : b->insns.n - 1].site;
    if (site == IR_NONE || !p->sites.v[site].line)
        return;
    for (uint32_t i = 0; i < lines->n; i++)
        if (lines->v[i].line == p->sites.v[site].line && lines->v[i].file == p->sites.v[site].file)
            return;
    vec_push(lines, (Line){p->sites.v[site].file, p->sites.v[site].line, mark});
}

static int by_line(const void *a, const void *b)
{
    const Line *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* The text of a line of a source, without what stands around it. */
static void add_source(const char *path, uint32_t line, Str *out)
{
    Str text = {0};
    if (file_read(path, (size_t)1 << 26, &text)) {
        const char *at = str_text(&text);
        for (uint32_t i = 1; i < line && at; i++) {
            at = strchr(at, '\n');
            at = at ? at + 1 : NULL;
        }
        if (at)
            str_add_n(out, at, strcspn(at, "\r\n"));
    }
    str_free(&text);
}

static void print_lines(const IrProgram *p, Lines *lines, Str *out)
{
    if (lines->n)
        qsort(lines->v, lines->n, sizeof *lines->v, by_line);
    for (uint32_t i = 0; i < lines->n; i++) {
        const char *path = ir_text(p, lines->v[i].file);
        str_printf(out, "  %c %s:%u: ", lines->v[i].mark, path, lines->v[i].line);
        add_source(path, lines->v[i].line, out);
        str_add_char(out, '\n');
    }
    vec_free(lines);
}

static void print_fn(const Versions *v, const VersionsFn *f, const VersionsSites *impact, Str *out)
{
    Lines lines[2] = {{0}};
    for (unsigned version = 0; version < 2; version++)
        for (uint32_t i = 0; i < v->changed[version].n; i++)
            if (v->changed[version].v[i].fn == f->fn[version])
                add_line(&lines[version], v->program[version], v->changed[version].v[i], version ? '+' : '-');
    for (uint32_t i = 0; impact && i < impact->n; i++)
        if (impact->v[i].fn == f->fn[VERSIONS_NEW])
            add_line(&lines[VERSIONS_NEW], v->program[VERSIONS_NEW], impact->v[i], '>');
    for (unsigned version = 0; version < 2; version++)
        print_lines(v->program[version], &lines[version], out);
}

static void print_head(const Versions *v, const VersionsFn *f, Str *out)
{
    unsigned version = f->fn[VERSIONS_NEW] != IR_NONE ? VERSIONS_NEW : VERSIONS_OLD;
    const char *name[2] = {NULL, NULL};
    for (unsigned i = 0; i < 2; i++)
        if (f->fn[i] != IR_NONE)
            name[i] = ir_text(v->program[i], v->program[i]->fns.v[f->fn[i]].name);
    str_printf(out, "%s: ", name[version]);
    if (f->renamed)
        str_printf(out, "was %s, ", name[VERSIONS_OLD]);
    if (!name[VERSIONS_OLD])
        str_add(out, "new");
    else if (!name[VERSIONS_NEW])
        str_add(out, "removed");
    else if (f->identical)
        str_add(out, "identical");
    else
        str_printf(out, "%u of %u instructions changed", f->changed[VERSIONS_NEW], f->insns[VERSIONS_NEW]);
    if (f->changed[VERSIONS_OLD] && name[VERSIONS_NEW])
        str_printf(out, ", %u of %u before", f->changed[VERSIONS_OLD], f->insns[VERSIONS_OLD]);
    if (f->layout)
        str_printf(out, ", layout of %s changed", f->layout);
    if (name[VERSIONS_OLD] && name[VERSIONS_NEW] && !f->shape)
        str_add(out, ", other parameters or result");
    str_add_char(out, '\n');
}

static void print_globals(const Versions *v, Str *out)
{
    for (uint32_t i = 0; i < v->globals.n; i++) {
        const VersionsGlobal *g = &v->globals.v[i];
        unsigned version = g->global[VERSIONS_NEW] != IR_NONE ? VERSIONS_NEW : VERSIONS_OLD;
        const IrGlobal *is = &v->program[version]->globals.v[g->global[version]];
        const char *name = ir_text(v->program[version], is->name);
        if (g->identical || *name == '.')
            continue;
        str_printf(out, "global %s: %s\n", name,
                   g->global[VERSIONS_OLD] == IR_NONE   ? "new"
                   : g->global[VERSIONS_NEW] == IR_NONE ? "removed"
                                                        : "another size or initial value");
    }
}

void versions_print(const Versions *v, const VersionsSites *impact, Str *out)
{
    uint32_t identical = 0, touched = 0;
    print_globals(v, out);
    for (uint32_t i = 0; i < v->fns.n; i++) {
        const VersionsFn *f = &v->fns.v[i];
        bool depends = false;
        for (uint32_t k = 0; impact && k < impact->n && !depends; k++)
            depends = impact->v[k].fn == f->fn[VERSIONS_NEW];
        identical += f->identical;
        touched += f->identical && depends;
        if (f->identical && !f->renamed && !depends)
            continue;
        print_head(v, f, out);
        print_fn(v, f, impact, out);
    }
    str_printf(out, "%u function%s, %u identical", v->fns.n, v->fns.n == 1 ? "" : "s", identical);
    if (touched)
        str_printf(out, ", %u of them may depend on the change", touched);
    str_add_char(out, '\n');
}
