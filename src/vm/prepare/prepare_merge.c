/* prepare_merge.c - registers that can share a place: a phi and what flows into it, so that the copy
 * disappears.
 *
 * Requires: roots and needed registers known (prepare_fuse.c); no places given yet except to parameters.
 * Two registers may share unless one is live where the other is defined. Liveness is that of the translated
 * code (prepare_live.c). Phis write, all at once, on entry to their block. Functions that call setjmp keep
 * all registers apart, since a longjmp is an edge that nothing here sees; so do functions so large that
 * liveness would cost more than the copies. */
#include "vm/prepare/prepare.h"

enum { LIVENESS_MOST = 1 << 26, CLASS_MOST = 64 };

typedef struct Candidate {
    uint32_t reg;
    uint32_t class; /* index of its class: that of the first member */
} Candidate;

typedef struct Merge {
    Prep *p;
    uint32_t *index; /* register to candidate, or IR_NONE */
    Vec(Candidate) candidates;
    Vec(U32Vec) classes; /* by candidate: members, if it is the first */
    const IrLive *live;  /* of candidates */
} Merge;

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
    vec_push(&m->candidates, (Candidate){.reg = reg, .class = m->candidates.n});
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
            if (!prep_is_copied(p, insn))
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

/* prep_live_reads, of candidates alone. */
static void candidate_reads(const void *user, const IrInsn *insn, U32Vec *out)
{
    const Merge *m = user;
    prep_live_reads(m->p, insn, out);
    for (uint32_t i = 0; i < out->n; i++)
        if (m->index[out->v[i]] == IR_NONE)
            out->v[i] = IR_NONE;
}

/* The first instruction that may read what is defined there, or that another definition there precedes:
 * parameters and phis are all there from the beginning. */
static uint32_t def_at(const Merge *m, uint32_t reg)
{
    const IrInsn *def = ir_reg_def(m->p->ir, reg);
    return !def || def->op == IR_PHI ? 0 : m->p->ir->regs.v[reg].insn + 1;
}

static uint32_t def_block(const Merge *m, uint32_t reg)
{
    return ir_reg_def(m->p->ir, reg) ? m->p->ir->regs.v[reg].block : 0;
}

/* ---- interference ---------------------------------------------------------------------------- */

/* Is x live right after y is defined? */
static bool live_at_def(const Merge *m, uint32_t x, uint32_t y)
{
    uint32_t rx = m->candidates.v[x].reg, ry = m->candidates.v[y].reg, block = def_block(m, ry);
    if (def_block(m, rx) == block) {
        if (def_at(m, rx) == def_at(m, ry))
            return true; /* defined together */
        if (def_at(m, rx) > def_at(m, ry))
            return false; /* defined only later */
    } else if (!ir_live_in(m->live, rx, block)) {
        return false;
    }
    return ir_live_from(m->live, rx, block, def_at(m, ry));
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
            if (!prep_is_copied(p, phi))
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
        Arena *a = arena_new();
        m.live = ir_live_find(p->ir, &(IrLiveOptions){.reads = candidate_reads, .user = &m}, a);
        unite_phis(&m);
        give_places(&m);
        arena_free(a);
    }
    for (uint32_t i = 0; i < m.classes.n; i++)
        vec_free(&m.classes.v[i]);
    vec_free(&m.classes);
    vec_free(&m.candidates);
    mem_free(m.index);
}
