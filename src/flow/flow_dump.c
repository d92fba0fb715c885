/* flow_dump.c - control and points-to, for people: functions, lines and names of the source. */
#include "flow/flow_dump.h"
#include "flow/flow_int.h"

/* ---- names and lines ------------------------------------------------------------------------- */

/* IR_NONE: none, or the function's own place, which stands for none. */
static uint32_t site_of(const IrProgram *p, FlowSite at)
{
    if (at.fn == IR_NONE || at.block == IR_NONE || at.insn == IR_NONE)
        return IR_NONE;
    const IrFn *fn = &p->fns.v[at.fn];
    uint32_t site = fn->blocks.v[at.block].insns.v[at.insn].site;
    return site == fn->site ? IR_NONE : site;
}

const IrSite *dump_site(const IrProgram *p, FlowSite at)
{
    uint32_t site = site_of(p, at);
    return site == IR_NONE ? NULL : &p->sites.v[site];
}

bool dump_is_at(const IrProgram *p, FlowSite at, const char *file, uint32_t line)
{
    return ir_site_is_at(p, site_of(p, at), file, line);
}

void dump_place(const IrProgram *p, FlowSite at, Str *out)
{
    const IrSite *site = dump_site(p, at);
    if (at.fn == IR_NONE)
        str_add(out, "?");
    else if (at.block == IR_NONE)
        str_printf(out, "the end of %s", ir_text(p, p->fns.v[at.fn].name));
    else if (site)
        str_printf(out, "%s:%u", ir_text(p, site->file), site->line);
    else
        str_printf(out, "%s, block %u", ir_text(p, p->fns.v[at.fn].name), at.block);
}

/* Files are read once and kept. */
static const DumpFile *source_file(DumpSource *s, const char *path)
{
    uint64_t index;
    if (!strmap_get(&s->by_path, path, &index)) {
        DumpFile file = {0};
        (void)file_read(path, (size_t)16 << 20, &file.text); /* a file that is gone has no lines */
        for (uint32_t i = 0; i < file.text.n; i++)
            if (!i || file.text.v[i - 1] == '\n')
                vec_push(&file.lines, i);
        index = s->files.n;
        vec_push(&s->files, file);
        strmap_put(&s->by_path, path, index);
    }
    return &s->files.v[index];
}

const char *dump_source(DumpSource *s, const char *path, uint32_t line, size_t *size)
{
    const DumpFile *file = source_file(s, path);
    if (!line || line > file->lines.n)
        return NULL;
    const char *at = file->text.v + file->lines.v[line - 1];
    while (*at == ' ' || *at == '\t')
        at++;
    *size = strcspn(at, "\r\n");
    return at;
}

void dump_source_free(DumpSource *s)
{
    for (uint32_t i = 0; i < s->files.n; i++) {
        str_free(&s->files.v[i].text);
        vec_free(&s->files.v[i].lines);
    }
    vec_free(&s->files);
    strmap_free(&s->by_path);
}

void dump_quoted(Str *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '"' || text[i] == '\\')
            str_add_char(out, '\\');
        str_add_char(out, text[i]);
    }
}

/* ---- control --------------------------------------------------------------------------------- */

static FlowSite block_end(const IrProgram *p, uint32_t fn, uint32_t block)
{
    return (FlowSite){fn, block, p->fns.v[fn].blocks.v[block].insns.n - 1};
}

/* "^then.3 (file.c:12)"; the line is that of the block's first instruction that has one. */
static void add_block(const IrProgram *p, uint32_t fn, uint32_t block, Str *out)
{
    const IrBlock *b = &p->fns.v[fn].blocks.v[block];
    str_printf(out, "^%s.%u", ir_text(p, b->name), block);
    for (uint32_t i = 0; i < b->insns.n; i++) {
        const IrSite *site = dump_site(p, (FlowSite){fn, block, i});
        if (site && site->line) {
            str_printf(out, " (line %u)", site->line);
            break;
        }
    }
}

static void add_ipdom(const IrProgram *p, uint32_t fn, uint32_t ipdom, Str *out)
{
    if (ipdom == FLOW_EXIT)
        str_add(out, "the function's end");
    else
        add_block(p, fn, ipdom, out);
}

/* Blocks that a side of a branch leads to without coming back to the branch. */
static void reach_without(const IrFn *fn, uint32_t from, uint32_t without, uint8_t *marks)
{
    U32Vec work = {0}, to = {0};
    vec_push(&work, from);
    while (work.n) {
        uint32_t b = vec_pop(&work);
        if (marks[b] || b == without)
            continue;
        marks[b] = 1;
        ir_block_successors(fn, b, &to);
        for (uint32_t i = 0; i < to.n; i++)
            vec_push(&work, to.v[i]);
    }
    vec_free(&work);
    vec_free(&to);
}

/* Within dead-end code there is no end to look back from: a branch decides over what some of its outcomes
 * lead to and others do not. Adds it to the lists of those blocks. */
static void add_dead_end(const IrFn *fn, const FlowControl *c, uint32_t branch, U32Vec *decisions)
{
    U32Vec to = {0};
    ir_block_successors(fn, branch, &to);
    uint32_t *leads = to.n > 1 ? mem_zalloc(fn->blocks.n * sizeof *leads) : NULL;
    for (uint32_t i = 0; leads && i < to.n; i++) {
        uint8_t *marks = mem_zalloc(fn->blocks.n);
        reach_without(fn, to.v[i], branch, marks);
        for (uint32_t b = 0; b < fn->blocks.n; b++)
            leads[b] += marks[b];
        mem_free(marks);
    }
    for (uint32_t b = 0; leads && b < fn->blocks.n; b++)
        if ((c->flags[b] & FLOW_DEAD_END) && leads[b] && leads[b] < to.n)
            vec_push(&decisions[b], branch);
    mem_free(leads);
    vec_free(&to);
}

/* By block: blocks whose branch decides whether it runs. */
static U32Vec *list_decisions(Flow *flow, uint32_t f, unsigned policy)
{
    const FlowControl *c = flow_control(flow, f, policy);
    const IrFn *fn = flow_fn(flow, f);
    U32Vec *decisions = mem_zalloc((fn->blocks.n + 1) * sizeof *decisions);
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        bool dead_end = c->flags[b] & FLOW_DEAD_END;
        FlowList on = dead_end ? flow_dead_end_by(flow, f, b, policy) : flow_depends_on(flow, f, b, policy);
        for (uint32_t i = 0; i < on.n; i++)
            vec_push(&decisions[b], on.v[i]);
    }
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        if (c->flags[b] & FLOW_DEAD_END)
            add_dead_end(fn, c, b, decisions);
    return decisions;
}

static void control_text(const IrProgram *p, uint32_t fn, uint32_t block, const FlowControl *c,
                         const U32Vec *decisions, Str *out)
{
    uint8_t flags = c->flags[block];
    str_add(out, "  ");
    add_block(p, fn, block, out);
    if (flags & FLOW_UNREACHABLE) {
        str_add(out, ": unreachable\n");
        return;
    }
    if (flags & FLOW_DEAD_END)
        str_add(out, ": dead end");
    else {
        str_add(out, ": then always ");
        add_ipdom(p, fn, c->ipdom[block], out);
    }
    if (flags & FLOW_EARLY)
        str_add(out, ", unless something leaves early");
    const U32Vec *on = &decisions[block];
    for (uint32_t i = 0; i < on->n; i++) {
        str_add(out, i ? ", " : "; runs by the decision of ");
        dump_place(p, block_end(p, fn, on->v[i]), out);
        str_printf(out, " (^%u)", on->v[i]);
    }
    str_add_char(out, '\n');
}

static void control_dot(const IrProgram *p, uint32_t fn, const FlowControl *c, const U32Vec *decisions,
                        Str *out)
{
    str_printf(out, "digraph \"control of %s\" {\n  node [shape=box];\n  end [label=\"end\"];\n",
               ir_text(p, p->fns.v[fn].name));
    for (uint32_t b = 0; b < p->fns.v[fn].blocks.n; b++) {
        if (c->flags[b] & FLOW_UNREACHABLE)
            continue;
        bool dead_end = c->flags[b] & FLOW_DEAD_END;
        str_printf(out, "  b%u [label=\"", b);
        add_block(p, fn, b, out);
        str_printf(out, "\"%s];\n", dead_end ? ", style=dashed" : "");
        if (!dead_end && c->ipdom[b] == FLOW_EXIT)
            str_printf(out, "  b%u -> end [style=dotted];\n", b);
        else if (!dead_end)
            str_printf(out, "  b%u -> b%u [style=dotted];\n", b, c->ipdom[b]);
        for (uint32_t i = 0; i < decisions[b].n; i++)
            str_printf(out, "  b%u -> b%u;\n", decisions[b].v[i], b);
    }
    str_add(out, "}\n");
}

static bool stands_on(const IrProgram *p, uint32_t fn, uint32_t block, uint32_t line)
{
    const IrBlock *b = &p->fns.v[fn].blocks.v[block];
    for (uint32_t i = 0; i < b->insns.n; i++)
        if (b->insns.v[i].site != IR_NONE && p->sites.v[b->insns.v[i].site].line == line)
            return true;
    return !line;
}

void flow_dump_control(Flow *flow, uint32_t fn, unsigned policy, uint32_t line, bool dot, Str *out)
{
    const IrProgram *p = flow->program;
    const FlowControl *c = flow_control(flow, fn, policy);
    U32Vec *decisions = list_decisions(flow, fn, policy);
    if (dot)
        control_dot(p, fn, c, decisions, out);
    else
        str_printf(out, "%s:%s%s\n", ir_text(p, p->fns.v[fn].name), c->returns ? "" : " never returns",
                   c->returns && c->may_not_return ? " may not return" : "");
    for (uint32_t b = 0; !dot && b < p->fns.v[fn].blocks.n; b++)
        if (stands_on(p, fn, b, line))
            control_text(p, fn, b, c, decisions, out);
    for (uint32_t b = 0; b < p->fns.v[fn].blocks.n; b++)
        vec_free(&decisions[b]);
    mem_free(decisions);
}

/* ---- points-to ------------------------------------------------------------------------------- */

static void add_targets(Flow *flow, FlowList to, Str *out)
{
    char text[256];
    for (uint32_t i = 0; i < to.n; i++)
        str_printf(out, "%s%s", i ? ", " : "",
                   to.v[i] == FLOW_OBJECT_ANY ? "anything"
                                              : flow_object_text(flow, to.v[i], text, sizeof text));
    str_add_char(out, '\n');
}

static bool constant_reg(const IrFn *fn, uint32_t reg) { return fn->regs.v[reg].kind == IR_REG_CONST; }

static void add_pointer(Flow *flow, uint32_t f, const IrSite *site, uint32_t reg, Str *out)
{
    const char *name = ir_text(flow->program, flow_fn(flow, f)->regs.v[reg].name);
    if (site)
        str_printf(out, "line %u: ", site->line);
    if (*name)
        str_add(out, name);
    else
        str_printf(out, "%%%u", reg);
}

/* An edge to each object that it may point to. */
static void pointer_dot(Flow *flow, uint32_t f, const IrSite *site, uint32_t reg, Str *out)
{
    FlowList to = flow_points_to(flow, f, reg);
    char text[256];
    str_printf(out, "  r%u [label=\"", reg);
    add_pointer(flow, f, site, reg, out);
    str_add(out, "\"];\n");
    for (uint32_t i = 0; i < to.n; i++) {
        const char *object =
            to.v[i] == FLOW_OBJECT_ANY ? "anything" : flow_object_text(flow, to.v[i], text, sizeof text);
        str_printf(out, "  o%u [label=\"%s\", shape=box];\n  r%u -> o%u;\n", to.v[i], object, reg, to.v[i]);
    }
}

/* Where a register is made: its name if it has one, and the line. */
static void pointer_made(Flow *flow, uint32_t f, FlowSite at, uint32_t reg, bool dot, Str *out)
{
    FlowList to = flow_points_to(flow, f, reg);
    const IrSite *site = dump_site(flow->program, at);
    if (!to.n || constant_reg(flow_fn(flow, f), reg))
        return;
    if (dot) {
        pointer_dot(flow, f, site, reg, out);
        return;
    }
    str_add(out, "  ");
    add_pointer(flow, f, site, reg, out);
    str_add(out, " -> ");
    add_targets(flow, to, out);
}

static void places_text(Flow *flow, const char *does, FlowPlaces places, Str *out)
{
    char text[256];
    bool first = true;
    for (uint32_t i = 0; i < places.n; i++) {
        if (places.v[i].param == IR_NONE && flow_is_state(places.v[i].object))
            continue;
        str_printf(out, "%s", first ? does : ", ");
        first = false;
        if (places.v[i].param != IR_NONE)
            str_printf(out, "what parameter %u points to", places.v[i].param + 1);
        else if (places.v[i].object == FLOW_OBJECT_ANY)
            str_add(out, "anything");
        else
            str_add(out, flow_object_text(flow, places.v[i].object, text, sizeof text));
        if (places.v[i].size != FLOW_WHOLE)
            str_printf(out, " [%llu, %llu)", (unsigned long long)places.v[i].first,
                       (unsigned long long)(places.v[i].first + places.v[i].size));
    }
    if (!first)
        str_add_char(out, '\n');
}

/* Registers that the instruction sets; of a line that is asked for also those that it reads. */
static void pointers_at(Flow *flow, FlowSite at, bool read, U32Vec *out)
{
    U32Vec reads = {0};
    ir_insn_defs(flow_fn(flow, at.fn), flow_insn(flow, at), out);
    if (read)
        ir_insn_reads(flow_fn(flow, at.fn), flow_insn(flow, at), &reads);
    for (uint32_t i = 0; i < reads.n; i++)
        vec_push(out, reads.v[i]);
    vec_free(&reads);
}

void flow_dump_points_to(Flow *flow, uint32_t f, uint32_t line, bool dot, Str *out)
{
    const IrProgram *p = flow->program;
    const IrFn *fn = &p->fns.v[f];
    U32Vec defs = {0};
    BitSet seen = {0};
    str_printf(out, dot ? "digraph \"pointers of %s\" {\n" : "%s:\n", ir_text(p, fn->name));
    for (uint32_t r = 0; r < fn->nparams; r++)
        if (!line)
            pointer_made(flow, f, (FlowSite){IR_NONE, IR_NONE, IR_NONE}, r, dot, out);
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            FlowSite at = {f, b, i};
            const IrSite *site = dump_site(p, at);
            if (line && (!site || site->line != line))
                continue;
            pointers_at(flow, at, line != 0, &defs);
            for (uint32_t k = 0; k < defs.n; k++)
                if (bitset_add(&seen, defs.v[k]))
                    pointer_made(flow, f, at, defs.v[k], dot, out);
        }
    vec_free(&defs);
    bitset_free(&seen);
    if (dot)
        str_add(out, "}\n");
    if (dot || line)
        return;
    places_text(flow, "  reads ", flow_fn_reads(flow, f), out);
    places_text(flow, "  writes ", flow_fn_writes(flow, f), out);
}
