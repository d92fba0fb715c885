/* prepare_merge.c - registers that can share a place: a phi and what flows into it, so that the copy
 * disappears.
 *
 * Requires: roots and needed registers known (prepare_fuse.c); no places given yet except to parameters.
 * Two registers may share unless one is live where the other is defined. Liveness is that of the translated
 * code: an operand that a later instruction has swallowed is read there. Phis read at the end of the
 * predecessor and write, all at once, on entry to their block. Functions that call setjmp keep all registers
 * apart, since a longjmp is an edge that nothing here sees; so do functions so large that liveness would cost
 * more than the copies. */
#include "vm/prepare/prepare.h"

enum { LIVENESS_MOST = 1 << 26, CLASS_MOST = 64 };

typedef struct Candidate {
    uint32_t reg, def_block;
    int32_t def_at; /* -1: on entry to the block */
    uint32_t class; /* index of its class: that of the first member */
} Candidate;

typedef struct Merge {
    Prep *p;
    uint32_t *index; /* register to candidate, or IR_NONE */
    Vec(Candidate) candidates;
    Vec(U32Vec) classes; /* by candidate: members, if it is the first */
    uint64_t *in, *out;  /* live on entry to and at the end of a block: block * n + candidate */
    Map last;            /* (candidate, block) to the last instruction that reads it there */
    U32Vec work;
} Merge;

static bool bit(const uint64_t *set, size_t i) { return set[i / 64] >> (i % 64) & 1; }
static void bit_set(uint64_t *set, size_t i) { set[i / 64] |= (uint64_t)1 << (i % 64); }

static size_t at(const Merge *m, uint32_t block, uint32_t candidate)
{
    return (size_t)block * m->candidates.n + candidate;
}

/* ---- candidates ------------------------------------------------------------------------------ */

static bool may_share(const Prep *p, uint32_t reg)
{
    const IrInsn *def = ir_reg_def(p->ir, reg);
    if (p->ir->regs.v[reg].kind == IR_REG_CONST || p->root[reg] != reg)
        return false;
    if (!def) /* with labels a parameter stays: see label_potential */
        return p->ir->regs.v[reg].kind == IR_REG_PARAM && !p->vm->lab;
    return !(def->op == IR_ALLOCA || (def->op == IR_UNINIT && p->vm->shadows));
}

static void add(Merge *m, uint32_t reg)
{
    if (m->index[reg] != IR_NONE || !may_share(m->p, reg))
        return;
    m->index[reg] = m->candidates.n;
    vec_push(&m->candidates, (Candidate){.reg = reg, .def_block = 0, .def_at = -1, .class = m->candidates.n});
}

static bool is_live_phi(const Prep *p, const IrInsn *insn)
{
    return insn->op == IR_PHI && p->root[insn->dst] == insn->dst && p->reads[insn->dst];
}

/* False: this function keeps its registers apart. */
static bool find_candidates(Merge *m)
{
    Prep *p = m->p;
    for (uint32_t i = 0; i < p->order.n; i++) {
        const IrBlock *b = &p->ir->blocks.v[p->order.v[i]];
        for (uint32_t j = 0; j < b->insns.n; j++) {
            const IrInsn *insn = &b->insns.v[j];
            if (insn->op == IR_SETJMP)
                return false;
            if (!is_live_phi(p, insn))
                continue;
            const uint32_t *list = &p->ir->extra.v[insn->a];
            add(m, insn->dst);
            for (uint32_t k = 0; k < list[0]; k++)
                add(m, p->root[list[2 + 2 * k]]);
        }
    }
    return m->candidates.n && (uint64_t)m->candidates.n * p->ir->blocks.n <= LIVENESS_MOST;
}

/* ---- liveness -------------------------------------------------------------------------------- */

static void note_defs(Merge *m)
{
    U32Vec defs = {0};
    for (uint32_t i = 0; i < m->p->order.n; i++) {
        uint32_t block = m->p->order.v[i];
        const IrBlock *b = &m->p->ir->blocks.v[block];
        for (uint32_t j = 0; j < b->insns.n; j++) {
            ir_insn_defs(m->p->ir, &b->insns.v[j], &defs);
            for (uint32_t k = 0; k < defs.n; k++) {
                uint32_t c = m->index[defs.v[k]];
                if (c == IR_NONE)
                    continue;
                m->candidates.v[c].def_block = block;
                m->candidates.v[c].def_at = b->insns.v[j].op == IR_PHI ? -1 : (int32_t)j;
            }
        }
    }
    vec_free(&defs);
}

/* The candidate is live at the end of a block: so it is on entry, and at the end of what precedes, up to
 * where it is defined. */
static void live_at_end(Merge *m, uint32_t c, uint32_t block, const U32Vec *preds)
{
    vec_push(&m->work, block);
    while (m->work.n) {
        uint32_t b = vec_pop(&m->work);
        if (bit(m->out, at(m, b, c)))
            continue;
        bit_set(m->out, at(m, b, c));
        if (m->candidates.v[c].def_block == b || bit(m->in, at(m, b, c)))
            continue;
        bit_set(m->in, at(m, b, c));
        for (uint32_t i = 0; i < preds[b].n; i++)
            vec_push(&m->work, preds[b].v[i]);
    }
}

static void read_in(Merge *m, uint32_t c, uint32_t block, uint32_t insn, const U32Vec *preds)
{
    uint64_t key = (uint64_t)c << 32 | block;
    map_put(&m->last, key, insn); /* instructions come in order, so the last one stays */
    if (m->candidates.v[c].def_block == block || bit(m->in, at(m, block, c)))
        return;
    bit_set(m->in, at(m, block, c));
    for (uint32_t i = 0; i < preds[block].n; i++)
        live_at_end(m, c, preds[block].v[i], preds);
}

static void find_liveness(Merge *m)
{
    Prep *p = m->p;
    U32Vec reads = {0}, *preds = mem_zalloc(p->ir->blocks.n * sizeof *preds);
    for (uint32_t i = 0; i < p->order.n; i++) {
        ir_block_successors(p->ir, p->order.v[i], &reads);
        for (uint32_t j = 0; j < reads.n; j++)
            vec_push(&preds[reads.v[j]], p->order.v[i]);
    }
    for (uint32_t i = 0; i < p->order.n; i++) {
        uint32_t block = p->order.v[i];
        const IrBlock *b = &p->ir->blocks.v[block];
        for (uint32_t j = 0; j < b->insns.n; j++) {
            const IrInsn *insn = &b->insns.v[j];
            if (is_live_phi(p, insn)) {
                const uint32_t *list = &p->ir->extra.v[insn->a];
                for (uint32_t k = 0; k < list[0]; k++) {
                    uint32_t c = m->index[p->root[list[2 + 2 * k]]];
                    if (c != IR_NONE && p->rank[list[1 + 2 * k]] != IR_NONE)
                        live_at_end(m, c, list[1 + 2 * k], preds);
                }
            } else if (insn->op != IR_PHI && prep_is_emitted(p, insn)) {
                prep_reads(p, insn, &reads);
                for (uint32_t k = 0; k < reads.n; k++)
                    if (m->index[reads.v[k]] != IR_NONE)
                        read_in(m, m->index[reads.v[k]], block, j, preds);
            }
        }
    }
    for (uint32_t i = 0; i < p->ir->blocks.n; i++)
        vec_free(&preds[i]);
    mem_free(preds);
    vec_free(&reads);
}

/* ---- interference ---------------------------------------------------------------------------- */

/* Is x live right after y is defined? */
static bool live_at_def(const Merge *m, uint32_t x, uint32_t y)
{
    const Candidate *cx = &m->candidates.v[x], *cy = &m->candidates.v[y];
    uint32_t block = cy->def_block;
    if (cx->def_block == block) {
        if (cx->def_at == cy->def_at)
            return true; /* defined together */
        if (cx->def_at > cy->def_at && !bit(m->in, at(m, block, x)))
            return false; /* defined only later */
    } else if (!bit(m->in, at(m, block, x))) {
        return false;
    }
    if (bit(m->out, at(m, block, x)))
        return true;
    uint64_t last;
    return map_get(&m->last, (uint64_t)x << 32 | block, &last) && (int64_t)last > cy->def_at;
}

static bool is_param(const Merge *m, uint32_t c)
{
    return m->p->ir->regs.v[m->candidates.v[c].reg].kind == IR_REG_PARAM;
}

static bool classes_clash(const Merge *m, uint32_t a, uint32_t b)
{
    const U32Vec *x = (const U32Vec *)&m->classes.v[a], *y = (const U32Vec *)&m->classes.v[b];
    if (x->n + y->n > CLASS_MOST)
        return true;
    for (uint32_t i = 0; i < x->n; i++) {
        for (uint32_t j = 0; j < y->n; j++) {
            if (live_at_def(m, x->v[i], y->v[j]) || live_at_def(m, y->v[j], x->v[i]))
                return true;
            if (is_param(m, x->v[i]) && is_param(m, y->v[j]))
                return true;
        }
    }
    return false;
}

static void unite(Merge *m, uint32_t a, uint32_t b)
{
    uint32_t x = m->candidates.v[a].class, y = m->candidates.v[b].class;
    const Prep *p = m->p;
    bool wide_a = prep_width(p, m->candidates.v[a].reg) > 64,
         wide_b = prep_width(p, m->candidates.v[b].reg) > 64;
    if (x == y || wide_a != wide_b || classes_clash(m, x, y))
        return;
    for (uint32_t i = 0; i < m->classes.v[y].n; i++) {
        uint32_t c = m->classes.v[y].v[i];
        m->candidates.v[c].class = x;
        vec_push(&m->classes.v[x], c);
    }
    vec_clear(&m->classes.v[y]);
}

static void unite_phis(Merge *m)
{
    Prep *p = m->p;
    for (uint32_t i = 0; i < m->candidates.n; i++) {
        vec_push(&m->classes, (U32Vec){0});
        vec_push(&vec_last(&m->classes), i);
    }
    for (uint32_t i = p->order.n; i-- > 0;) { /* inner loops come later in the order: theirs first */
        const IrBlock *b = &p->ir->blocks.v[p->order.v[i]];
        for (uint32_t j = 0; j < b->insns.n && b->insns.v[j].op == IR_PHI; j++) {
            const IrInsn *phi = &b->insns.v[j];
            if (!is_live_phi(p, phi))
                continue;
            const uint32_t *list = &p->ir->extra.v[phi->a];
            for (uint32_t k = 0; k < list[0]; k++) {
                uint32_t c = m->index[p->root[list[2 + 2 * k]]];
                if (c != IR_NONE)
                    unite(m, m->index[phi->dst], c);
            }
        }
    }
}

/* Members take the place of the parameter among them, if there is one. */
static void give_places(Merge *m)
{
    Prep *p = m->p;
    for (uint32_t i = 0; i < m->classes.n; i++) {
        const U32Vec *class = (const U32Vec *)&m->classes.v[i];
        uint32_t slot = IR_NONE;
        if (class->n < 2)
            continue;
        for (uint32_t j = 0; j < class->n; j++)
            if (is_param(m, class->v[j]))
                slot = p->fn->slots[m->candidates.v[class->v[j]].reg];
        if (slot == IR_NONE)
            slot = prep_new_slot(p, prep_width(p, m->candidates.v[class->v[0]].reg) > 64 ? 2 : 1);
        for (uint32_t j = 0; j < class->n; j++)
            p->fn->slots[m->candidates.v[class->v[j]].reg] = slot;
    }
}

void prep_merge(Prep *p)
{
    Merge m = {.p = p};
    m.index = mem_alloc(p->ir->regs.n * sizeof *m.index + 1);
    for (uint32_t i = 0; i < p->ir->regs.n; i++)
        m.index[i] = IR_NONE;
    if (find_candidates(&m)) {
        size_t words = ((size_t)m.candidates.n * p->ir->blocks.n + 63) / 64;
        m.in = mem_zalloc(words * sizeof *m.in);
        m.out = mem_zalloc(words * sizeof *m.out);
        note_defs(&m);
        find_liveness(&m);
        unite_phis(&m);
        give_places(&m);
    }
    for (uint32_t i = 0; i < m.classes.n; i++)
        vec_free(&m.classes.v[i]);
    vec_free(&m.classes);
    vec_free(&m.candidates);
    vec_free(&m.work);
    map_free(&m.last);
    mem_free(m.index);
    mem_free(m.in);
    mem_free(m.out);
}
