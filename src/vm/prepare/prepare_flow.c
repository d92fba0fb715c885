/* prepare_flow.c - the ends of blocks, the copies on edges that phis become, and loop counters.
 *
 * A loop has a counter only if something in it needs a name (a call, an allocation): set to 0 on entry,
 * bumped on each back edge. Every end of a block counts the instructions since the last count. */
#include "vm/prepare/prepare.h"
#include "vm/symbolic/sym.h"

#include <stdlib.h>

/* ---- loops ----------------------------------------------------------------------------------- */

void prep_counters(Prep *p)
{
    const IrFn *ir = p->ir;
    p->counters = mem_alloc(ir->loops.n * sizeof *p->counters + 1);
    for (uint32_t i = 0; i < ir->loops.n; i++)
        p->counters[i] = IR_NONE;
    for (uint32_t i = 0; i < p->order.n; i++) {
        const IrBlock *b = &ir->blocks.v[p->order.v[i]];
        bool names = p->vm->sym != NULL; /* decisions have names too */
        for (uint32_t j = 0; j < b->insns.n; j++) {
            uint16_t op = b->insns.v[j].op;
            names |= op == IR_CALL || op == IR_CALLPTR || op == IR_ALLOCA;
        }
        for (uint32_t l = ir->loop_of.v[p->order.v[i]]; names && l != IR_NONE; l = ir->loops.v[l].parent)
            if (p->counters[l] == IR_NONE)
                p->counters[l] = prep_new_slot(p, 1);
    }
}

const RegList *prep_loops(Prep *p, uint32_t block)
{
    uint32_t n = 0;
    for (uint32_t l = p->ir->loop_of.v[block]; l != IR_NONE; l = p->ir->loops.v[l].parent)
        n++;
    RegList *list = arena_alloc(p->fn->arena, sizeof *list + n * sizeof *list->reg);
    for (uint32_t l = p->ir->loop_of.v[block]; l != IR_NONE; l = p->ir->loops.v[l].parent)
        list->reg[list->n++] = p->counters[l];
    return list;
}

static bool in_loop(const IrFn *ir, uint32_t block, uint32_t loop)
{
    for (uint32_t l = ir->loop_of.v[block]; l != IR_NONE; l = ir->loops.v[l].parent)
        if (l == loop)
            return true;
    return false;
}

static bool counts(const Prep *p, uint32_t from, uint32_t to)
{
    for (uint32_t l = p->ir->loop_of.v[to]; l != IR_NONE; l = p->ir->loops.v[l].parent)
        if (p->counters[l] != IR_NONE && (!in_loop(p->ir, from, l) || p->ir->loops.v[l].header == to))
            return true;
    return false;
}

static void count_loops(Prep *p, uint32_t from, uint32_t to)
{
    for (uint32_t l = p->ir->loop_of.v[to]; l != IR_NONE; l = p->ir->loops.v[l].parent) {
        if (p->counters[l] == IR_NONE)
            continue;
        if (!in_loop(p->ir, from, l))
            prep_emit(p, CODE_MOVI, (Code){.d = p->counters[l]});
        else if (p->ir->loops.v[l].header == to)
            prep_emit(p, CODE_BUMP, (Code){.d = p->counters[l]});
    }
}

/* ---- copies ---------------------------------------------------------------------------------- */

typedef Vec(Copy) Copies;

static uint32_t incoming(const Prep *p, const IrInsn *phi, uint32_t from)
{
    const uint32_t *list = &p->ir->extra.v[phi->a];
    for (uint32_t i = 0; i < list[0]; i++)
        if (list[1 + 2 * i] == from)
            return list[2 + 2 * i];
    bug("phi without a value for block %u", from);
}

/* Fills the copies between registers; constants are set by instructions of their own, which come after the
 * copies since a register that they overwrite may still be read. tested: a phi that only a branch reads whose
 * way is known. */
static void find_copies(Prep *p, uint32_t from, uint32_t to, uint32_t tested, Copies *copies, U32Vec *consts)
{
    const IrBlock *b = &p->ir->blocks.v[to];
    for (uint32_t i = 0; i < b->insns.n && b->insns.v[i].op == IR_PHI; i++) {
        const IrInsn *phi = &b->insns.v[i];
        if (p->root[phi->dst] != phi->dst || !p->reads[phi->dst] ||
            (phi->dst == tested && p->reads[tested] == 1))
            continue;
        uint32_t reg = p->root[incoming(p, phi, from)];
        u128 value;
        if (prep_const(p, reg, &value)) {
            vec_push(consts, phi->dst);
            vec_push(consts, reg);
            continue;
        }
        uint32_t source = prep_slot(p, reg), dst = prep_slot(p, phi->dst);
        for (unsigned w = 0; w < (phi->width > 64 ? 2u : 1u); w++)
            if (dst != source)
                vec_push(copies, (Copy){dst + w * (uint32_t)sizeof(Reg), source + w * (uint32_t)sizeof(Reg)});
    }
}

/* Orders parallel copies so that none overwrites what another still reads; cycles go through the spare
 * register. */
static void sequence(Prep *p, Copies *copies, Copies *out)
{
    Map readers = {0}, writer = {0};
    U32Vec ready = {0};
    for (uint32_t i = 0; i < copies->n; i++) {
        map_put(&readers, copies->v[i].from, map_get_or(&readers, copies->v[i].from, 0) + 1);
        map_put(&writer, copies->v[i].to, i);
    }
    for (uint32_t i = 0; i < copies->n; i++)
        if (!map_get_or(&readers, copies->v[i].to, 0))
            vec_push(&ready, i);
    for (uint32_t i = 0, done = 0; done < copies->n;) {
        while (ready.n) {
            Copy c = copies->v[vec_pop(&ready)];
            uint64_t left = map_get_or(&readers, c.from, 0), next;
            vec_push(out, c);
            map_remove(&writer, c.to);
            done++;
            map_put(&readers, c.from, left - 1);
            if (left == 1 && map_get(&writer, c.from, &next))
                vec_push(&ready, (uint32_t)next);
        }
        /* what is left are cycles: free one register by moving its value away */
        for (; i < copies->n && !map_get(&writer, copies->v[i].to, NULL); i++)
            ;
        if (i == copies->n)
            break;
        uint32_t freed = copies->v[i].to;
        vec_push(out, (Copy){p->spare, freed});
        for (uint32_t j = 0; j < copies->n; j++)
            if (copies->v[j].from == freed)
                copies->v[j].from = p->spare;
        map_put(&readers, freed, 0);
        map_put(&readers, p->spare, 1);
        vec_push(&ready, i);
    }
    map_free(&readers);
    map_free(&writer);
    vec_free(&ready);
}

static void set_consts(Prep *p, const U32Vec *consts)
{
    for (uint32_t i = 0; i < consts->n; i += 2) {
        uint32_t dst = prep_slot(p, consts->v[i]);
        u128 value = 0;
        prep_const(p, consts->v[i + 1], &value);
        for (unsigned w = 0; w < (prep_width(p, consts->v[i]) > 64 ? 2u : 1u); w++)
            prep_emit(p, CODE_MOVI,
                      (Code){.d = dst + w * (uint32_t)sizeof(Reg), .imm = (uint64_t)(value >> (64 * w))});
    }
}

static void branch(Prep *p, const IrInsn *insn);

/* The branch of a block that does nothing but branch (the head of a while loop): instead of jumping there,
 * one can branch right away. NULL if it does more. */
static const IrInsn *only_branch(const Prep *p, uint32_t block)
{
    const IrBlock *b = &p->ir->blocks.v[block];
    for (uint32_t i = 0; i + 1 < b->insns.n; i++)
        if (b->insns.v[i].op != IR_PHI && prep_is_emitted(p, &b->insns.v[i]))
            return NULL;
    const IrInsn *last = &vec_last(&b->insns);
    return last->op == IR_BR ? last : NULL;
}

/* Does coming from a block decide the branch? That is so where && and || join. */
static bool decided(const Prep *p, uint32_t from, const IrInsn *insn, uint32_t *to)
{
    Test t = prep_test(p, insn);
    const IrInsn *phi = ir_reg_def(p->ir, t.reg);
    u128 value;
    if (t.compare || !phi || phi->op != IR_PHI || phi < p->ir->blocks.v[*to].insns.v || phi >= insn ||
        !prep_const(p, incoming(p, phi, from), &value))
        return false;
    *to = (value != 0) != t.inverted ? insn->b : insn->c;
    return true;
}

static void branch_there(Prep *p, uint32_t block, const IrInsn *insn, uint32_t steps)
{
    uint32_t here = p->block, at = p->insn, before = p->steps;
    p->block = block;
    p->insn = p->ir->blocks.v[block].insns.n - 1;
    p->steps = steps + p->ir->blocks.v[block].insns.n;
    branch(p, insn);
    p->block = here;
    p->insn = at;
    p->steps = before;
}

/* The jump that ends an edge; it can do the last two copies. */
static void jump(Prep *p, const Copy *copies, uint32_t n, uint32_t to, uint32_t steps)
{
    Code code = {.y = steps};
    if (n >= 1) {
        code.d = copies[0].to;
        code.a = copies[0].from;
    }
    if (n == 2) {
        code.b = copies[1].to;
        code.c = copies[1].from;
    }
    prep_emit(p, n == 2 ? CODE_JMP2 : n == 1 ? CODE_JMP1 : CODE_JMP, code);
    prep_jump(p, offsetof(Code, x), NULL, to);
}

static void copy(Prep *p, const Copy *copies, uint32_t n)
{
    uint32_t i = 0;
    for (; i + 2 <= n; i += 2)
        prep_emit(
            p, CODE_MOV2,
            (Code){.d = copies[i].to, .a = copies[i].from, .b = copies[i + 1].to, .c = copies[i + 1].from});
    if (i < n)
        prep_emit(p, CODE_MOV, (Code){.d = copies[i].to, .a = copies[i].from});
}

/* Emits the work of an edge, then the jump (none if the target follows and nothing is to be counted). depth:
 * how many blocks that only branch have been gone through already. */
static void follow(Prep *p, uint32_t from, uint32_t to, uint32_t steps, bool falls, int depth)
{
    enum {
        EDGES_MOST = 64,
        DEPTH_MOST = 4
    }; /* bounds on how much code the branches of others add to a block */
    Copies copies = {0}, ordered = {0};
    U32Vec consts = {0};
    bool may = p->fuse && !falls && p->edges.n <= EDGES_MOST && depth < DEPTH_MOST;
    const IrInsn *head = may ? only_branch(p, to) : NULL;
    uint32_t beyond = to;
    bool known = head && decided(p, from, head, &beyond);
    find_copies(p, from, to, known ? p->root[head->a] : IR_NONE, &copies, &consts);
    sequence(p, &copies, &ordered);
    count_loops(p, from, to);
    uint32_t n = ordered.n, in_jump = consts.n || falls || head ? 0 : n < 2 ? n : 2;
    copy(p, ordered.v, n - in_jump);
    set_consts(p, &consts);
    if (known)
        follow(p, to, beyond, steps + p->ir->blocks.v[to].insns.n, false, depth + 1);
    else if (head)
        branch_there(p, to, head, steps);
    else if (!falls)
        jump(p, ordered.v + (n - in_jump), in_jump, to, steps);
    vec_free(&copies);
    vec_free(&ordered);
    vec_free(&consts);
}

/* The label to jump to for an edge: the block itself if the edge has no work. */
static uint32_t edge(Prep *p, uint32_t from, uint32_t to)
{
    Copies copies = {0};
    U32Vec consts = {0};
    find_copies(p, from, to, IR_NONE, &copies, &consts);
    bool work = copies.n || consts.n || counts(p, from, to);
    vec_free(&copies);
    vec_free(&consts);
    if (!work)
        return to;
    for (uint32_t i = 0; i < p->edges.n; i++)
        if (p->edges.v[i].from == from && p->edges.v[i].to == to)
            return p->edges.v[i].label;
    vec_push(&p->edges, (Edge){from, to, p->labels.n});
    vec_push(&p->labels, 0);
    return vec_last(&p->edges).label;
}

void prep_edges(Prep *p)
{
    for (uint32_t i = 0; i < p->edges.n; i++) {
        Edge e = p->edges.v[i];
        p->labels.v[e.label] = p->code.n;
        follow(p, e.from, e.to, 0, false, 0);
    }
    vec_clear(&p->edges);
}

/* ---- terminators ----------------------------------------------------------------------------- */

/* With labels a comparison that is part of its branch tells the side it took: steps, whether the targets
 * changed places, and its first cell in one word. False: it does not fit, and stands by itself. */
static bool pack_cover(Prep *p, bool swap, uint32_t *d)
{
    uint8_t *first = vm_cover_sides(p->vm, p->fn->index, 0);
    uint64_t at = (uint64_t)(vm_cover_sides(p->vm, p->fn->index, p->block) - first);
    p->fn->sides = first;
    *d = p->steps | (uint32_t)swap << BRANCH_STEPS | (uint32_t)at << (BRANCH_STEPS + 1);
    return p->steps < 1u << BRANCH_STEPS && at < 1u << (31 - BRANCH_STEPS);
}

/* It stands right before the branch: that is where its code comes from. */
static void compare_alone(Prep *p, const IrInsn *compare)
{
    p->insn--;
    p->steps--;
    prep_pure(p, compare);
    p->insn++;
    p->steps++;
}

static void branch(Prep *p, const IrInsn *insn)
{
    Test t = prep_test(p, insn);
    Compare compare = {.op = CODE_BR};
    uint32_t packed = p->steps;
    if (t.compare && p->vm->lab) {
        prep_slot(p, t.compare->dst); /* for the long way */
        if (!pack_cover(p, false, &packed)) {
            compare_alone(p, t.compare);
            t = (Test){NULL, p->root[insn->a], false};
        }
    }
    if (t.compare && !prep_compare(p, t.compare, true, &compare))
        bug("a comparison that cannot be fused");
    bool swap = t.inverted != compare.inverted;
    uint32_t yes = edge(p, p->block, swap ? insn->c : insn->b),
             no = edge(p, p->block, swap ? insn->b : insn->c);
    bool near = !t.compare || compare.is_imm; /* targets in b and c */
    if (t.compare && p->vm->lab)
        pack_cover(p, swap, &packed);
    Code code = {
        .d = packed, .a = t.compare ? compare.a : prep_slot(p, t.reg), .b = compare.b, .imm = compare.imm};
    if (!t.compare)
        code.d = p->steps;
    if (compare.op == CODE_BR)
        code.info = p->vm->sym && insn->b != insn->c ? vm_cover_sides(p->vm, p->fn->index, p->block)
                                                     : p->vm->uncounted;
    prep_emit(p, compare.op, code);
    prep_jump(p, near ? offsetof(Code, b) : offsetof(Code, x), NULL, yes);
    prep_jump(p, near ? offsetof(Code, c) : offsetof(Code, y), NULL, no);
}

typedef struct Case {
    u128 value;
    uint32_t label, side;
} Case;

static int case_order(const void *a, const void *b)
{
    u128 x = ((const Case *)a)->value, y = ((const Case *)b)->value;
    return x < y ? -1 : x > y;
}

static void dense(Prep *p, SwitchInfo *info, const Case *cases, uint32_t n, uint32_t otherwise)
{
    info->least = (uint64_t)cases[0].value;
    info->n = (uint32_t)(cases[n - 1].value - cases[0].value) + 1;
    info->targets = arena_alloc(p->fn->arena, info->n * sizeof *info->targets);
    info->sides = arena_alloc(p->fn->arena, info->n * sizeof *info->sides);
    for (uint32_t i = 0, at = 0; i < info->n; i++) {
        bool hit = cases[at].value == cases[0].value + i;
        prep_jump(p, IR_NONE, &info->targets[i], hit ? cases[at].label : otherwise);
        info->sides[i] = hit ? cases[at].side : info->otherwise_side;
        at += hit;
    }
}

static void sparse(Prep *p, SwitchInfo *info, const Case *cases, uint32_t n)
{
    info->n = n;
    info->values = arena_alloc(p->fn->arena, n * sizeof *info->values);
    info->targets = arena_alloc(p->fn->arena, n * sizeof *info->targets);
    info->sides = arena_alloc(p->fn->arena, n * sizeof *info->sides);
    for (uint32_t i = 0; i < n; i++) {
        info->values[i] = cases[i].value;
        info->sides[i] = cases[i].side;
        prep_jump(p, IR_NONE, &info->targets[i], cases[i].label);
    }
}

static void switch_insn(Prep *p, const IrInsn *insn)
{
    const uint32_t *list = &p->ir->extra.v[insn->b];
    uint32_t n = list[0];
    Case *cases = mem_alloc((n + 1) * sizeof *cases);
    SwitchInfo *info = arena_alloc(p->fn->arena, sizeof *info);
    bool wide = prep_width(p, insn->a) > 64;
    Map sides = {0};
    if (p->vm->sym) {
        info->covered = vm_cover_sides(p->vm, p->fn->index, p->block);
        vm_cover_which(p->vm, p->fn->index, p->block, &sides);
    }
    info->otherwise_side = (uint32_t)map_get_or(&sides, insn->c, 0);
    for (uint32_t i = 0; i < n; i++) {
        prep_const(p, list[1 + 2 * i], &cases[i].value);
        cases[i].side = (uint32_t)map_get_or(&sides, list[2 + 2 * i], 0);
        cases[i].label = edge(p, p->block, list[2 + 2 * i]);
    }
    uint32_t otherwise = edge(p, p->block, insn->c);
    qsort(cases, n, sizeof *cases, case_order);
    bool is_dense = n && !wide && cases[n - 1].value - cases[0].value < (u128)n * 4 + 512;
    Code code = {.d = p->steps, .a = prep_slot(p, insn->a), .info = info};
    code.c = wide ? code.a + (uint32_t)sizeof(Reg) : IR_NONE;
    prep_emit(p, is_dense ? CODE_SWITCH : CODE_SWITCH_SPARSE, code);
    prep_jump(p, IR_NONE, &info->otherwise, otherwise);
    if (is_dense)
        dense(p, info, cases, n, otherwise);
    else
        sparse(p, info, cases, n);
    mem_free(cases);
    map_free(&sides);
}

static void goto_insn(Prep *p, const IrInsn *insn)
{
    const uint32_t *list = &p->ir->extra.v[insn->b];
    GotoInfo *info = arena_alloc(p->fn->arena, sizeof *info);
    U32Vec labels = {0};
    info->base = vm_block_base(p->vm, p->fn->index);
    info->n = p->ir->blocks.n;
    info->targets = arena_alloc(p->fn->arena, info->n * sizeof *info->targets);
    for (uint32_t i = 0; i < list[0]; i++)
        vec_push(&labels, edge(p, p->block, list[1 + i]));
    prep_emit(p, CODE_GOTO, (Code){.d = p->steps, .a = prep_slot(p, insn->a), .info = info});
    for (uint32_t i = 0; i < list[0]; i++)
        prep_jump(p, IR_NONE, &info->targets[list[1 + i]], labels.v[i]);
    vec_free(&labels);
}

static void ret(Prep *p, const IrInsn *insn)
{
    const uint32_t *list = &p->ir->extra.v[insn->a];
    uint32_t words = 0;
    for (uint32_t i = 0; i < list[0]; i++)
        words += prep_width(p, list[1 + i]) > 64 ? 2 : 1;
    if (words == 0) {
        prep_emit(p, CODE_RET0, (Code){.d = p->steps});
        return;
    }
    RegList *regs = arena_alloc(p->fn->arena, sizeof *regs + words * sizeof *regs->reg);
    for (uint32_t i = 0; i < list[0]; i++) {
        uint32_t slot = prep_slot(p, list[1 + i]);
        regs->reg[regs->n++] = slot;
        if (prep_width(p, list[1 + i]) > 64)
            regs->reg[regs->n++] = slot + (uint32_t)sizeof(Reg);
    }
    if (words == 1)
        prep_emit(p, CODE_RET1, (Code){.d = p->steps, .a = regs->reg[0]});
    else
        prep_emit(p, CODE_RETN, (Code){.d = p->steps, .info = regs});
}

void prep_terminator(Prep *p, const IrInsn *insn, uint32_t next)
{
    switch ((IrOp)insn->op) {
    case IR_JMP:
        if (insn->a == next && p->preds[next] == 1) {
            follow(p, p->block, next, 0, true, 0);
            return; /* what was executed is counted at the end of the next block */
        }
        follow(p, p->block, insn->a, p->steps, false, 0);
        break;
    case IR_BR: branch(p, insn); break;
    case IR_SWITCH: switch_insn(p, insn); break;
    case IR_GOTO: goto_insn(p, insn); break;
    case IR_RET: ret(p, insn); break;
    case IR_LONGJMP: {
        uint32_t a = prep_slot(p, insn->a), b = prep_slot(p, insn->b);
        prep_emit(p, CODE_LONGJMP, (Code){.a = a, .b = b});
        break;
    }
    default: prep_out(p, vm_out_trap, 0, 0, 0, 0); break;
    }
    p->steps = 0;
}
