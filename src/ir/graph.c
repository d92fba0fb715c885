/* graph.c - control flow and calls, as text for people and as Graphviz. */
#include "ir/ir_int.h"

/* A string inside a Graphviz label: quotes and backslashes escaped. */
static void add_dot_text(const char *text, Str *out)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            str_add_char(out, '\\');
        str_add_char(out, *text == '\n' ? ' ' : *text);
    }
}

static void add_dot_string(const char *text, Str *out)
{
    str_add_char(out, '"');
    add_dot_text(text, out);
    str_add_char(out, '"');
}

/* "loop 2, depth 1" of a block, if loops have been found and it is in one. */
static void add_loop(const IrFn *fn, uint32_t block, Str *out)
{
    uint32_t loop = block < fn->loop_of.n ? fn->loop_of.v[block] : IR_NONE;
    if (loop == IR_NONE)
        return;
    const IrLoop *l = &fn->loops.v[loop];
    str_printf(out, "%s of loop %u, depth %u%s", l->header == block ? "header" : "member", loop, l->depth,
               l->irreducible ? ", irreducible" : "");
}

static bool is_back(const IrFn *fn, uint32_t from, uint32_t to)
{
    return from < fn->loop_of.n && ir_edge_is_back(fn, from, to);
}

static void add_cfg_text(const IrProgram *p, const IrFn *fn, Str *out)
{
    U32Vec to = {0};
    ir_print_name('@', ir_text(p, fn->name), out);
    str_add_char(out, '\n');
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        str_add(out, "    ");
        ir_print_block_name(p, fn, b, out);
        ir_block_successors(fn, b, &to);
        for (uint32_t i = 0; i < to.n; i++) {
            str_add(out, i ? ", " : " -> ");
            ir_print_block_name(p, fn, to.v[i], out);
            str_add(out, is_back(fn, b, to.v[i]) ? " (back)" : "");
        }
        uint32_t before = out->n;
        str_add(out, "    ; ");
        uint32_t empty = out->n;
        add_loop(fn, b, out);
        if (out->n == empty)
            out->n = before;
        str_add_char(out, '\n');
    }
    vec_free(&to);
}

/* A node shows its name, its lines in the source and its loop. */
static void add_cfg_node(const IrProgram *p, const IrFn *fn, uint32_t block, Str *out)
{
    const IrBlock *b = &fn->blocks.v[block];
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < b->insns.n; i++)
        if (b->insns.v[i].site != IR_NONE) {
            uint32_t line = p->sites.v[b->insns.v[i].site].line;
            least = line < least ? line : least;
            most = line > most ? line : most;
        }
    Str name = {0};
    ir_print_block_name(p, fn, block, &name);
    str_printf(out, "    b%u [label=\"", block);
    add_dot_text(str_text(&name), out);
    if (least == most)
        str_printf(out, "\\nline %u", least);
    else if (least < most)
        str_printf(out, "\\nlines %u to %u", least, most);
    str_add(out, "\\n");
    add_loop(fn, block, out);
    str_add(out, "\"];\n");
    str_free(&name);
}

static void add_cfg_dot(const IrProgram *p, const IrFn *fn, Str *out)
{
    U32Vec to = {0};
    str_add(out, "digraph ");
    add_dot_string(ir_text(p, fn->name), out);
    str_add(out, " {\n    node [shape=box];\n");
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        add_cfg_node(p, fn, b, out);
        ir_block_successors(fn, b, &to);
        bool is_branch = to.n && vec_last(&fn->blocks.v[b].insns).op == IR_BR;
        for (uint32_t i = 0; i < to.n; i++)
            str_printf(out, "    b%u -> b%u [label=\"%s\"%s];\n", b, to.v[i],
                       !is_branch ? ""
                       : i        ? "0"
                                  : "1",
                       is_back(fn, b, to.v[i]) ? ", style=dashed" : "");
    }
    str_add(out, "}\n");
    vec_free(&to);
}

void ir_fn_print_cfg(const IrProgram *p, const IrFn *fn, bool dot, Str *out)
{
    if (dot)
        add_cfg_dot(p, fn, out);
    else
        add_cfg_text(p, fn, out);
}

/* The functions that fn calls by name, each once, in order of index; *indirect if it calls through
 * pointers. */
static void find_callees(const IrFn *fn, BitSet *callees, bool *indirect)
{
    *indirect = false;
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            if (insn->op == IR_CALL)
                bitset_add(callees, insn->a);
            *indirect |= insn->op == IR_CALLPTR;
        }
}

static void add_call_edge(const char *from, const char *to, bool first, bool dot, Str *out)
{
    if (dot) {
        str_add(out, "    ");
        add_dot_string(from, out);
        str_add(out, " -> ");
        add_dot_string(to, out);
        str_add(out, ";\n");
    } else {
        str_add(out, first ? " -> " : ", ");
        str_add(out, to);
    }
}

void ir_program_print_callgraph(const IrProgram *p, bool dot, Str *out)
{
    str_add(out, dot ? "digraph calls {\n    node [shape=box];\n" : "");
    for (uint32_t f = 0; f < p->fns.n; f++) {
        const IrFn *fn = &p->fns.v[f];
        const char *name = ir_text(p, fn->name);
        BitSet callees = {0};
        bool indirect, first = true;
        find_callees(fn, &callees, &indirect);
        if (dot) {
            str_add(out, "    ");
            add_dot_string(name, out);
            str_add(out, fn->defined ? ";\n" : " [style=dashed];\n");
        } else {
            str_add(out, name);
            str_add(out, fn->defined ? "" : " (external)");
        }
        for (uint32_t c = bitset_next(&callees, 0); c != UINT32_MAX; c = bitset_next(&callees, c + 1)) {
            add_call_edge(name, ir_text(p, p->fns.v[c].name), first, dot, out);
            first = false;
        }
        if (indirect)
            add_call_edge(name, "(pointer)", first, dot, out);
        str_add(out, dot ? "" : "\n");
        bitset_free(&callees);
    }
    str_add(out, dot ? "}\n" : "");
}
