/* flow_dump_influence.c - influence, interaction and slices, for people; all interactions as JSON, for
 * programs. */
#include "flow/flow_dump.h"

#include <stdlib.h>

typedef struct Dump {
    FlowInfluence *in;
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

static void add_calls(Dump *d, uint32_t item)
{
    FlowItem about = flow_item_about(d->in, item);
    for (uint32_t i = 0; i < about.depth; i++) {
        str_add(d->out, i ? ", " : " called from ");
        dump_place(d->p, flow_item_call(d->in, item, i), d->out);
    }
}

/* ---- what decides ---------------------------------------------------------------------------- */

/* Where control goes is up to the instruction: several ways from a block, or a call through a pointer. */
static bool decides(const IrFn *fn, uint32_t block, uint32_t insn)
{
    U32Vec to = {0};
    ir_block_successors(fn, block, &to);
    bool several = insn + 1 == fn->blocks.v[block].insns.n && to.n > 1;
    vec_free(&to);
    return several || fn->blocks.v[block].insns.v[insn].op == IR_CALLPTR;
}

/* May the user's function run in that call, which is not opened? IR_NONE: may any? */
static bool holds_fn(const Dump *d, uint32_t item, uint32_t fn)
{
    FlowList callees = flow_callees(d->in->flow, flow_item_about(d->in, item).at);
    for (uint32_t i = 0; i < callees.n; i++) {
        const BitSet *to = influence_leads_to(d->in, callees.v[i]);
        if (fn != IR_NONE && bitset_has(to, fn))
            return true;
        for (uint32_t f = bitset_next(to, 0); fn == IR_NONE && f != UINT32_MAX; f = bitset_next(to, f + 1))
            if (d->in->depend->fns[f])
                return true;
    }
    return false;
}

/* Branches of the program itself, and calls that are not opened with the user's branches in them. */
static bool is_branch(const Dump *d, uint32_t item)
{
    FlowItem about = flow_item_about(d->in, item);
    if (item < FLOW_ITEM_FIRST || about.kind != FLOW_ITEM_BRANCH)
        return false;
    return about.closed ? holds_fn(d, item, IR_NONE)
                        : decides(&d->p->fns.v[about.at.fn], about.at.block, about.at.insn);
}

static void list_branches(const Dump *d, U32Vec *out)
{
    for (uint32_t i = FLOW_ITEM_FIRST; i < flow_item_count(d->in); i++)
        if (is_branch(d, i))
            vec_push(out, i);
}

static void add_cut(const Dump *d, uint32_t fn)
{
    const Depend *dep = d->in->depend->fns[fn];
    str_printf(d->out, "%s %s", ir_text(d->p, d->p->fns.v[fn].name),
               dep->cut == CUT_SETJMP ? "uses setjmp" : "is more than the budget allows");
}

/* Why a call is not opened: by its first callee that is not. */
static void add_reason(const Dump *d, uint32_t item)
{
    FlowSite at = flow_item_about(d->in, item).at;
    const DependSet *set = d->in->depend;
    FlowList callees = flow_callees(d->in->flow, at);
    for (uint32_t i = 0; i < callees.n; i++) {
        uint32_t f = callees.v[i];
        if (set->fns[f] ? depend_opens(set, at.fn, f) : !set->calls_back[f])
            continue;
        if (!set->fns[f])
            str_printf(d->out, "%s calls back", ir_text(d->p, d->p->fns.v[f].name));
        else if (set->fns[f]->lump)
            add_cut(d, f);
        else
            str_add(d->out, "it is part of a recursion");
        return;
    }
    str_add(d->out, "more calls were opened than the budget allows");
}

/* The end of the header of a loop around the item. */
static FlowSite loop_site(const Dump *d, uint32_t item, FlowWay way)
{
    FlowItem about = flow_item_about(d->in, item);
    FlowSite in_frame = way.frame < about.depth ? flow_item_call(d->in, item, way.frame) : about.at;
    const IrFn *fn = &d->p->fns.v[in_frame.fn];
    uint32_t header = fn->loops.v[way.loop].header;
    return (FlowSite){in_frame.fn, header, fn->blocks.v[header].insns.n - 1};
}

static void add_way(Dump *d, uint32_t item, FlowWay way)
{
    if (way.loop == IR_NONE)
        return;
    str_add(d->out, " in an earlier iteration of the loop at ");
    dump_place(d->p, loop_site(d, item, way), d->out);
}

/* ---- interaction ----------------------------------------------------------------------------- */

typedef struct Ways {
    Vec(FlowWay) v;
} Ways;

/* In which ways can decisions of a and then b lie to each other? */
static void list_ways(const Dump *d, uint32_t a, uint32_t b, Ways *ways)
{
    vec_clear(&ways->v);
    Relation r = influence_relate(d->in, a, b);
    if (r.follows && (a != b || flow_item_about(d->in, a).closed)) /* a call that is not opened holds many */
        vec_push(&ways->v, FLOW_SAME);
    const ItemSets *sets = influence_sets(d->in, a);
    for (uint32_t i = 0; i < sets->loops.n; i++)
        if (influence_shares(d->in, &r, sets->loops.v[i].frame, sets->loops.v[i].loop))
            vec_push(&ways->v, (FlowWay){sets->loops.v[i].frame, sets->loops.v[i].loop});
}

/* Ways in which `first`, then `second` must be combined, told of `other`, which is one of them. True if there
 * is one. */
static bool combined(Dump *d, uint32_t first, uint32_t second, uint32_t other)
{
    Ways ways = {0};
    bool any = false;
    list_ways(d, first, second, &ways);
    for (uint32_t w = 0; w < ways.v.n; w++) {
        if (!flow_interact(d->in, first, second, ways.v.v[w]))
            continue;
        any = true;
        str_add(d->out, "    with ");
        add_source(d, flow_item_about(d->in, other).at);
        add_calls(d, other);
        add_way(d, first, ways.v.v[w]);
        FlowSite at = flow_interact_at(d->in, first, second, ways.v.v[w]);
        if (flow_item_about(d->in, other).closed)
            str_add(d->out, "\n         the branches in that call");
        if (at.fn != IR_NONE) {
            str_add(d->out, "\n         they meet at ");
            add_source(d, at);
        }
        str_add_char(d->out, '\n');
    }
    vec_free(&ways.v);
    return any;
}

static void interactions(Dump *d, uint32_t item)
{
    U32Vec branches = {0};
    Str lines = {0}, *out = d->out;
    uint32_t found = 0;
    list_branches(d, &branches);
    d->out = &lines;
    for (uint32_t i = 0; i < branches.n; i++) {
        uint32_t a = branches.v[i];
        bool earlier = combined(d, a, item, a), later = a != item && combined(d, item, a, a);
        found += earlier || later;
    }
    d->out = out;
    str_printf(out, "  interacts with %u of the %u branches%s\n", found, branches.n, found ? ":" : "");
    str_add(out, str_text(&lines));
    if (d->in->spent)
        str_add(out, "  the budget of the analysis is spent: what is left counts as interacting\n");
    str_free(&lines);
    vec_free(&branches);
}

static void add_lines(Dump *d, const LineVec *lines)
{
    for (uint32_t i = 0; i < lines->at.n; i++) {
        str_add(d->out, "    ");
        add_source(d, lines->at.v[i]);
        str_add_char(d->out, '\n');
    }
}

static void influence_text(Dump *d, uint32_t item, FlowSite shown)
{
    LineVec lines = {0};
    FlowSite at = flow_item_about(d->in, item).at;
    add_source(d, shown);
    if (flow_item_about(d->in, item).closed) {
        str_add(d->out, "\n  closed: one with all other branches in the call at ");
        add_source(d, at);
        add_calls(d, item);
        str_add(d->out, "\n  which is not opened, since ");
        add_reason(d, item);
    } else {
        add_calls(d, item);
    }
    str_add_char(d->out, '\n');
    list_lines(d, flow_slice(d->in, &at, 1, true), &lines);
    str_printf(d->out, "  can influence %u line%s:\n", lines.at.n, lines.at.n == 1 ? "" : "s");
    add_lines(d, &lines);
    list_lines(d, flow_item_sinks(d->in, item), &lines);
    str_printf(d->out, "  of which %u may show it%s\n", lines.at.n, lines.at.n ? ":" : "");
    add_lines(d, &lines);
    vec_free(&lines.at);
    interactions(d, item);
}

static void dot_node(Dump *d, uint32_t item)
{
    FlowSite at = flow_item_about(d->in, item).at;
    const IrSite *site = dump_site(d->p, at);
    size_t n = 0;
    const char *text =
        site && site->line ? dump_source(&d->source, ir_text(d->p, site->file), site->line, &n) : NULL;
    str_printf(d->out, "  i%u [label=\"", item);
    dump_place(d->p, at, d->out);
    if (text) {
        str_add(d->out, "\\n");
        dump_quoted(d->out, text, n);
    }
    str_add(d->out, "\"];\n");
}

static void dot_edges(Dump *d, uint32_t first, uint32_t second, uint32_t other)
{
    Ways ways = {0};
    list_ways(d, first, second, &ways);
    for (uint32_t w = 0; w < ways.v.n; w++) {
        if (!flow_interact(d->in, first, second, ways.v.v[w]))
            continue;
        dot_node(d, other);
        str_printf(d->out, "  i%u -> i%u [label=\"", first, second);
        dump_place(d->p, flow_interact_at(d->in, first, second, ways.v.v[w]), d->out);
        str_printf(d->out, "\"%s];\n", ways.v.v[w].loop == IR_NONE ? "" : ", style=dashed");
    }
    vec_free(&ways.v);
}

static void influence_dot(Dump *d, uint32_t item)
{
    U32Vec branches = {0};
    list_branches(d, &branches);
    dot_node(d, item);
    for (uint32_t i = 0; i < branches.n; i++) {
        uint32_t a = branches.v[i];
        dot_edges(d, a, item, a);
        if (a != item)
            dot_edges(d, item, a, a);
    }
    vec_free(&branches);
}

/* Branches for which there are no items: nothing is opened, or nothing leads there. */
static void dump_unknown(Dump *d, FlowSite at, bool dot)
{
    uint32_t entry = d->in->entry;
    if (dot)
        return;
    add_source(d, at);
    if (d->in->contexts.n) {
        str_add(d->out, "\n  never runs\n");
        return;
    }
    str_add(d->out, "\n  closed: interacts with everything, since ");
    if (entry != IR_NONE && d->in->depend->fns[entry])
        add_cut(d, entry);
    else
        str_add(d->out, "the program has no entry");
    str_add_char(d->out, '\n');
}

/* Everything that a branch is: an item for each way to it, or the calls in which it is closed. */
static void dump_branch(Dump *d, FlowSite at, bool dot)
{
    bool found = false;
    for (uint32_t i = FLOW_ITEM_FIRST, n = flow_item_count(d->in); i < n; i++) {
        FlowItem about = flow_item_about(d->in, i);
        bool same = about.at.fn == at.fn && about.at.block == at.block && about.at.insn == at.insn;
        if (about.kind != FLOW_ITEM_BRANCH || !(about.closed ? holds_fn(d, i, at.fn) : same))
            continue;
        found = true;
        if (dot)
            influence_dot(d, i);
        else
            influence_text(d, i, at);
    }
    if (!found)
        dump_unknown(d, at, dot);
}

bool flow_dump_influence(FlowInfluence *in, const char *file, uint32_t line, bool dot, Str *out)
{
    Dump d = {.in = in, .p = in->depend->program, .out = out};
    uint32_t found = 0;
    if (dot)
        str_add(out, "digraph influence {\n  node [shape=box];\n");
    for (uint32_t f = 0; f < d.p->fns.n; f++)
        for (uint32_t b = 0; !d.p->fns.v[f].runtime && b < d.p->fns.v[f].blocks.n; b++)
            for (uint32_t i = 0; i < d.p->fns.v[f].blocks.v[b].insns.n; i++)
                if (dump_is_at(d.p, (FlowSite){f, b, i}, file, line) && decides(&d.p->fns.v[f], b, i)) {
                    dump_branch(&d, (FlowSite){f, b, i}, dot);
                    found++;
                }
    if (dot)
        str_add(out, "}\n");
    dump_source_free(&d.source);
    return found > 0;
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
            const DepNode *to = &dep->nodes.v[dep->edges[e].to];
            uint32_t line = line_of(g, (FlowSite){dep->fn, to->block, to->insn});
            if (to->block != IR_NONE && to->insn == IR_NONE && bitset_add(&seen, dep->edges[e].to))
                vec_push(&work, dep->edges[e].to);
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
    for (uint32_t i = 0; i < d->in->depend->order.n; i++) {
        const Depend *dep = d->in->depend->fns[d->in->depend->order.v[i]];
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

FlowSites flow_slice_line(FlowInfluence *in, const char *file, uint32_t line, bool forward)
{
    LineVec of = {0};
    code_of(in->depend->program, file, line, false, &of);
    if (!of.at.n)
        code_of(in->depend->program, file, line, true, &of);
    FlowSites slice = of.at.n ? flow_slice(in, of.at.v, of.at.n, forward) : (FlowSites){NULL, 0};
    vec_free(&of.at);
    return slice;
}

bool flow_dump_slice(FlowInfluence *in, const char *file, uint32_t line, bool forward, bool dot, Str *out)
{
    Dump d = {.in = in, .p = in->depend->program, .out = out};
    LineGraph g = {.d = &d};
    FlowSites slice = flow_slice_line(in, file, line, forward);
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

/* ---- everything, for programs ---------------------------------------------------------------- */

static void json_way(JsonOut *j, const Dump *d, uint32_t a, FlowWay way)
{
    if (way.loop == IR_NONE) {
        json_string(j, NULL, "same");
        return;
    }
    const IrSite *site = dump_site(d->p, loop_site(d, a, way));
    json_uint(j, NULL, site ? site->line : 0);
}

static void json_items(JsonOut *j, const Dump *d, const U32Vec *branches)
{
    json_array_begin(j, "branches");
    for (uint32_t k = 0; k < branches->n; k++) {
        uint32_t i = branches->v[k];
        FlowItem about = flow_item_about(d->in, i);
        const IrSite *site = dump_site(d->p, about.at);
        json_object_begin(j, NULL);
        json_uint(j, "item", i);
        json_string(j, "file", site ? ir_text(d->p, site->file) : NULL);
        json_uint(j, "line", site ? site->line : 0);
        json_uint(j, "depth", about.depth);
        json_bool(j, "keep", flow_item_keep(d->in, i));
        if (about.closed)
            json_bool(j, "closed", true);
        json_object_end(j);
    }
    json_array_end(j);
}

typedef struct Pairs {
    uint64_t possible, interacting;
} Pairs;

static void json_pair(JsonOut *j, const Dump *d, uint32_t a, uint32_t b, Pairs *pairs)
{
    Ways ways = {0};
    list_ways(d, a, b, &ways);
    pairs->possible += ways.v.n;
    for (uint32_t w = 0; w < ways.v.n; w++) {
        if (!flow_interact(d->in, a, b, ways.v.v[w]))
            continue;
        pairs->interacting++;
        json_array_begin(j, NULL);
        json_uint(j, NULL, a);
        json_uint(j, NULL, b);
        json_way(j, d, a, ways.v.v[w]);
        json_array_end(j);
    }
    vec_free(&ways.v);
}

void flow_dump_interactions(FlowInfluence *in, Str *out)
{
    Dump d = {.in = in, .p = in->depend->program, .out = out};
    JsonOut j = {0};
    U32Vec branches = {0};
    Pairs pairs = {0};
    list_branches(&d, &branches);
    json_object_begin(&j, NULL);
    json_items(&j, &d, &branches);
    json_array_begin(&j, "pairs");
    for (uint32_t a = 0; a < branches.n; a++)
        for (uint32_t b = 0; b < branches.n; b++)
            json_pair(&j, &d, branches.v[a], branches.v[b], &pairs);
    json_array_end(&j);
    json_bool(&j, "everything", in->spent || !in->contexts.n);
    json_uint(&j, "possible", pairs.possible);
    json_uint(&j, "interacting", pairs.interacting);
    FlowInfluenceStats s = flow_influence_stats(in);
    json_uint(&j, "functions", s.functions);
    json_uint(&j, "cut", s.cut);
    json_uint(&j, "closed", s.closed);
    json_object_end(&j);
    str_add(out, str_text(&j.text));
    str_add_char(out, '\n');
    str_free(&j.text);
    vec_free(&branches);
}
