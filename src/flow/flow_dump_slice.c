/* flow_dump_slice.c - slices, for people: lines of the source, or a graph of them. */
#include "flow/flow_dump.h"

#include <stdlib.h>

typedef struct Dump {
    FlowSlices *all;
    const IrProgram *p;
    DumpSource source;
    Str *out;
} Dump;

typedef struct LineVec {
    Vec(FlowSite) at;
} LineVec;
typedef struct Line {
    uint64_t key;
    FlowSite at;
} Line;

static int compare_lines(const void *a, const void *b)
{
    uint64_t x = ((const Line *)a)->key, y = ((const Line *)b)->key;
    return (x > y) - (x < y);
}

/* Lines of instructions in the order of the program, each once; ends of functions come last. A join is no
 * line, nor is code of the library. */
static void list_lines(const Dump *d, FlowSites from, LineVec *out)
{
    Vec(Line) lines = {0};
    vec_clear(&out->at);
    for (uint32_t i = 0; i < from.n; i++) {
        FlowSite at = from.v[i];
        const IrSite *site = dump_site(d->p, at);
        bool ends = at.block == IR_NONE;
        if (!ends && (!site || !site->line || d->p->fns.v[at.fn].runtime ||
                      d->p->fns.v[at.fn].blocks.v[at.block].insns.v[at.insn].op == IR_PHI))
            continue;
        vec_push(&lines, (Line){ends ? UINT64_MAX : (uint64_t)site->file << 32 | site->line, at});
    }
    if (lines.n)
        qsort(lines.v, lines.n, sizeof *lines.v, compare_lines);
    for (uint32_t i = 0; i < lines.n; i++)
        if (!i || lines.v[i].key == UINT64_MAX || lines.v[i].key != lines.v[i - 1].key)
            vec_push(&out->at, lines.v[i].at);
    vec_free(&lines);
}

/* "file.c:12  if (x > 3)". */
static void add_source(Dump *d, FlowSite at)
{
    const IrSite *site = dump_site(d->p, at);
    size_t n = 0;
    dump_place(d->p, at, d->out);
    const char *text =
        site && site->line ? dump_source(&d->source, ir_text(d->p, site->file), site->line, &n) : NULL;
    if (text)
        str_printf(d->out, "  %.*s", (int)n, text);
}

/* ---- slices ---------------------------------------------------------------------------------- */

typedef struct LineGraph {
    Dump *d;
    LineVec lines;
    Map index; /* file << 32 | line to a line of the slice */
    Map drawn;
} LineGraph;

static uint32_t line_of(const LineGraph *g, FlowSite at)
{
    const IrSite *site = dump_site(g->d->p, at);
    return site ? (uint32_t)map_get_or(&g->index, (uint64_t)site->file << 32 | site->line, IR_NONE) : IR_NONE;
}

/* Arrows from a node's line to the lines that follow it directly; nodes without an instruction (joins) are
 * passed. */
static void draw_node(LineGraph *g, const Depend *dep, uint32_t node)
{
    U32Vec work = {0};
    BitSet seen = {0};
    uint32_t from = line_of(g, (FlowSite){dep->fn, dep->nodes.v[node].block, dep->nodes.v[node].insn});
    if (from != IR_NONE)
        vec_push(&work, node);
    while (work.n) {
        uint32_t n = vec_pop(&work);
        for (uint32_t e = dep->start[n]; e < dep->start[n + 1]; e++) {
            const DepNode *to = &dep->nodes.v[dep->edges[e]];
            uint32_t line = line_of(g, (FlowSite){dep->fn, to->block, to->insn});
            if (to->block != IR_NONE && to->insn == IR_NONE && bitset_add(&seen, dep->edges[e]))
                vec_push(&work, dep->edges[e]);
            if (line == IR_NONE || line == from || map_get(&g->drawn, (uint64_t)from << 32 | line, NULL))
                continue;
            map_put(&g->drawn, (uint64_t)from << 32 | line, 1);
            str_printf(g->d->out, "  l%u -> l%u;\n", from, line);
        }
    }
    bitset_free(&seen);
    vec_free(&work);
}

static void draw_slice(LineGraph *g)
{
    Dump *d = g->d;
    str_add(d->out, "digraph slice {\n  node [shape=box];\n");
    for (uint32_t i = 0; i < g->lines.at.n; i++) {
        size_t n = 0;
        const IrSite *site = dump_site(d->p, g->lines.at.v[i]);
        const char *text = dump_source(&d->source, ir_text(d->p, site->file), site->line, &n);
        map_put(&g->index, (uint64_t)site->file << 32 | site->line, i);
        str_printf(d->out, "  l%u [label=\"%u ", i, site->line);
        dump_quoted(d->out, text ? text : "", n);
        str_add(d->out, "\"];\n");
    }
    for (uint32_t i = 0; i < d->all->depend->order.n; i++) {
        const Depend *dep = d->all->depend->fns[d->all->depend->order.v[i]];
        for (uint32_t n = 0; n < dep->nodes.n; n++)
            draw_node(g, dep, n);
    }
    str_add(d->out, "}\n");
    map_free(&g->index);
    map_free(&g->drawn);
}

/* Instructions of a line. A jump computes nothing: it counts only if there is nothing else. */
static void code_of(const IrProgram *p, const char *file, uint32_t line, bool jumps, LineVec *out)
{
    for (uint32_t f = 0; f < p->fns.n; f++)
        for (uint32_t b = 0; !p->fns.v[f].runtime && b < p->fns.v[f].blocks.n; b++)
            for (uint32_t i = 0; i < p->fns.v[f].blocks.v[b].insns.n; i++) {
                uint16_t op = p->fns.v[f].blocks.v[b].insns.v[i].op;
                if (op != IR_PHI && (op == IR_JMP) == jumps && dump_is_at(p, (FlowSite){f, b, i}, file, line))
                    vec_push(&out->at, (FlowSite){f, b, i});
            }
}

FlowSites flow_slice_line(FlowSlices *all, const char *file, uint32_t line, bool forward)
{
    LineVec of = {0};
    code_of(all->depend->program, file, line, false, &of);
    if (!of.at.n)
        code_of(all->depend->program, file, line, true, &of);
    FlowSites slice = of.at.n ? flow_slice(all, of.at.v, of.at.n, forward) : (FlowSites){NULL, 0};
    vec_free(&of.at);
    return slice;
}

bool flow_dump_slice(FlowSlices *all, const char *file, uint32_t line, bool forward, bool dot, Str *out)
{
    Dump d = {.all = all, .p = all->depend->program, .out = out};
    LineGraph g = {.d = &d};
    FlowSites slice = flow_slice_line(all, file, line, forward);
    list_lines(&d, slice, &g.lines);
    if (slice.n && dot)
        draw_slice(&g);
    for (uint32_t i = 0; !dot && i < g.lines.at.n; i++) {
        add_source(&d, g.lines.at.v[i]);
        str_add_char(out, '\n');
    }
    vec_free(&g.lines.at);
    dump_source_free(&d.source);
    return slice.n > 0;
}
