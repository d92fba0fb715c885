/* targets.c - from FILE:LINE, functions, labels and branch outcomes to places of the program. */
#include "cli/command.h"
#include "cli/targets.h"

/* ---- places ---------------------------------------------------------------------------------- */

static uint32_t phis_of(const IrBlock *b)
{
    uint32_t n = 0;
    while (n < b->insns.n && b->insns.v[n].op == IR_PHI)
        n++;
    return n;
}

/* The instruction begins a block: control comes to the block exactly if it comes to the instruction. */
static void add_place(IrProgram *p, uint32_t fn, uint32_t block, uint32_t insn, Target *t)
{
    IrFn *f = &p->fns.v[fn];
    uint32_t site = f->blocks.v[block].insns.v[insn].site;
    if (insn > phis_of(&f->blocks.v[block])) {
        block = ir_block_split(p, f, block, insn);
        insn = 0;
        ir_fn_index(f);
    }
    if (!t->places.n)
        t->site = site;
    vec_push(&t->places, (BackwardPlace){fn, block, insn, IR_NONE});
}

/* In each block the first instruction of the line: who comes to a later one has come to that. */
static void add_line(IrProgram *p, const char *file, uint32_t line, Target *t)
{
    for (uint32_t f = 0; f < p->fns.n; f++) {
        uint32_t blocks =
            p->fns.v[f].runtime ? 0 : p->fns.v[f].blocks.n; /* those that splitting adds are of blocks done */
        for (uint32_t b = 0; b < blocks; b++)
            for (uint32_t i = phis_of(&p->fns.v[f].blocks.v[b]); i < p->fns.v[f].blocks.v[b].insns.n; i++)
                if (ir_site_is_at(p, p->fns.v[f].blocks.v[b].insns.v[i].site, file, line)) {
                    add_place(p, f, b, i, t);
                    break;
                }
    }
}

/* ---- a line without code --------------------------------------------------------------------- */

/* Visits the sites of the user's instructions. */
static void nearest_lines(const IrProgram *p, const char *file, uint32_t line, uint32_t *before,
                          uint32_t *after)
{
    *before = *after = 0;
    for (uint32_t f = 0; f < p->fns.n; f++)
        for (uint32_t b = 0; !p->fns.v[f].runtime && b < p->fns.v[f].blocks.n; b++)
            for (uint32_t i = 0; i < p->fns.v[f].blocks.v[b].insns.n; i++) {
                const IrInsn *insn = &p->fns.v[f].blocks.v[b].insns.v[i];
                uint32_t at = insn->site == IR_NONE || insn->op == IR_PHI ? 0 : p->sites.v[insn->site].line;
                if (!at || !ir_site_is_at(p, insn->site, file, at))
                    continue;
                if (at < line && at > *before)
                    *before = at;
                if (at > line && (!*after || at < *after))
                    *after = at;
            }
}

_Noreturn static void no_code(const IrProgram *p, const char *word, const char *file, uint32_t line)
{
    uint32_t before, after;
    nearest_lines(p, file, line, &before, &after);
    if (!before && !after)
        die("--to %s: the program has no code of a file of that name", word);
    if (before && after)
        die("--to %s: no code on that line; the nearest lines that have some are %u and %u", word, before,
            after);
    die("--to %s: no code on that line; the nearest line that has some is %u", word, before ? before : after);
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_users(const IrFn *f) { return f->defined && !f->runtime; }

/* Blocks that the compiler makes have a dot in their names. */
static void add_label(IrProgram *p, uint32_t fn, const char *label, Target *t)
{
    IrFn *f = &p->fns.v[fn];
    uint32_t blocks = is_users(f) && !strchr(label, '.') ? f->blocks.n : 0;
    for (uint32_t b = 1; b < blocks; b++)
        if (!strcmp(ir_text(p, f->blocks.v[b].name), label))
            add_place(p, fn, b, phis_of(&f->blocks.v[b]), t);
}

static void add_name(IrProgram *p, const char *word, Arena *arena, Target *t)
{
    const char *colon = strrchr(word, ':');
    uint32_t fn = ir_fn_find(p, colon ? arena_strndup(arena, word, (size_t)(colon - word)) : word);
    if (fn != IR_NONE && !is_users(&p->fns.v[fn]))
        die("--to %s: the program does not define that function", word);
    if (fn != IR_NONE && !colon)
        add_place(p, fn, 0, 0, t);
    else if (fn != IR_NONE)
        add_label(p, fn, colon + 1, t);
    for (uint32_t f = 0; fn == IR_NONE && !colon && f < p->fns.n; f++)
        add_label(p, f, word, t);
    if (!t->places.n)
        die("--to %s: the program has no such function or label; a line is FILE:LINE", word);
}

void targets_read(const char *word, IrProgram *program, Arena *arena, Targets *out)
{
    uint32_t line;
    Target t = {.text = arena_strdup(arena, word), .site = IR_NONE};
    char *file = program_place(word, &line);
    if (file) {
        t.is_line = true;
        add_line(program, file, line, &t);
        if (!t.places.n)
            no_code(program, word, file, line);
        mem_free(file);
    } else {
        add_name(program, word, arena, &t);
    }
    vec_push(out, t);
}

/* ---- branch outcomes ------------------------------------------------------------------------- */

/* "case 3", "default": the first that leads there. */
static const char *case_text(const IrFn *f, const IrInsn *insn, uint32_t to, Arena *arena)
{
    const uint32_t *list = &f->extra.v[insn->b];
    for (uint32_t i = 0; i < list[0]; i++) {
        const IrConst *c = ir_reg_const_of(f, list[1 + 2 * i]);
        if (list[2 + 2 * i] == to && c)
            return arena_printf(arena, "case %lld", (long long)bits_signed(c->bits, insn->width));
    }
    return "default";
}

static void add_outcome(const IrProgram *p, const Vm *vm, BackwardPlace at, Arena *arena, Targets *out)
{
    const IrFn *f = &p->fns.v[at.fn];
    const IrInsn *insn = &f->blocks.v[at.block].insns.v[at.insn];
    char where[512];
    if (vm_edge_kept(vm, at.fn, at.block, at.to))
        return;
    const char *which = insn->op == IR_SWITCH ? case_text(f, insn, at.to, arena)
                        : insn->b == at.to    ? "true"
                                              : "false";
    Target t = {.text = arena_printf(arena, "%s %s", ir_site_text(p, insn->site, where, sizeof where), which),
                .site = insn->site};
    vec_push(&t.places, at);
    vec_push(out, t);
}

void targets_uncovered(const IrProgram *p, const Vm *vm, Arena *arena, Targets *out)
{
    U32Vec to = {0};
    for (uint32_t f = 0; f < p->fns.n; f++)
        for (uint32_t b = 0; is_users(&p->fns.v[f]) && b < p->fns.v[f].blocks.n; b++) {
            const IrBlock *block = &p->fns.v[f].blocks.v[b];
            uint16_t op = block->insns.n ? vec_last(&block->insns).op : IR_JMP;
            Map seen = {0};
            ir_block_successors(&p->fns.v[f], b, &to);
            for (uint32_t i = 0; (op == IR_BR || op == IR_SWITCH) && i < to.n; i++)
                if (map_add(&seen, to.v[i], 1))
                    add_outcome(p, vm, (BackwardPlace){f, b, block->insns.n - 1, to.v[i]}, arena, out);
            map_free(&seen);
        }
    vec_free(&to);
}

bool target_is_reached(const Target *t, const Vm *vm)
{
    for (uint32_t i = 0; i < t->places.n; i++)
        if (vm_run_executed(vm, t->places.v[i].fn, t->places.v[i].block, t->places.v[i].to))
            return true;
    return false;
}

void targets_free(Targets *targets)
{
    for (uint32_t i = 0; i < targets->n; i++)
        vec_free(&targets->v[i].places);
    vec_free(targets);
}
