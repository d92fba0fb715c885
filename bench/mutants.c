/* mutants.c - the mutation operators, on the IR.
 *
 * A mutant changes one instruction in place and moves none, so that inputs and decisions keep their names
 * (execution index) and a test of the program is a test of its mutants. What is left out becomes a
 * register that nobody reads. Calls of sheaf_... and klee_... and of Test-Comp's functions are the
 * harness, not the program, and stay. */
#include "mutants.h"

static const char *const kind_words[] = {
#define MUTANT(NAME, word, help) word,
#include "mutants.def"
#undef MUTANT
};

const char *mutant_kind_word(MutantKind kind) { return kind_words[kind]; }

/* Operators that replace each other, by kind; each list ends with IR_OP_COUNT. */
static const struct {
    MutantKind kind;
    uint16_t ops[6];
} families[] = {
    {MUTANT_ARITHMETIC, {IR_ADD, IR_SUB, IR_MUL, IR_SDIV, IR_SREM, IR_OP_COUNT}},
    {MUTANT_ARITHMETIC, {IR_ADD, IR_SUB, IR_MUL, IR_UDIV, IR_UREM, IR_OP_COUNT}},
    {MUTANT_ARITHMETIC, {IR_FADD, IR_FSUB, IR_FMUL, IR_FDIV, IR_OP_COUNT}},
    {MUTANT_LOGICAL, {IR_AND, IR_OR, IR_XOR, IR_OP_COUNT}},
    {MUTANT_LOGICAL, {IR_SHL, IR_LSHR, IR_ASHR, IR_OP_COUNT}},
};

typedef struct Listing {
    IrProgram *program;
    IrFn *fn;
    BitSet read; /* registers of the function that something reads */
    Mutant at;   /* where we are */
    const IrInsn *insn;
    MutantVec *out;
} Listing;

static void add_insn(Listing *l, MutantKind kind, IrInsn becomes)
{
    Mutant m = l->at;
    m.kind = kind;
    m.becomes = becomes;
    m.extra = IR_NONE;
    vec_push(l->out, m);
}

static void add_extra(Listing *l, MutantKind kind, uint32_t extra, uint32_t value)
{
    Mutant m = l->at;
    m.kind = kind;
    m.extra = extra;
    m.value = value;
    vec_push(l->out, m);
}

static void add_operator(Listing *l, MutantKind kind, uint16_t op)
{
    IrInsn becomes = *l->insn;
    becomes.op = op;
    becomes.flags = 0;
    add_insn(l, kind, becomes);
}

/* ---- operators ------------------------------------------------------------------------------- */

static void replace_operator(Listing *l)
{
    for (size_t f = 0; f < COUNT_OF(families); f++) {
        const uint16_t *ops = families[f].ops;
        uint32_t n = 0, mine = IR_NONE;
        for (; ops[n] != IR_OP_COUNT; n++)
            mine = ops[n] == l->insn->op ? n : mine;
        if (mine == IR_NONE)
            continue;
        for (uint32_t i = 0; i < n; i++)
            if (i != mine)
                add_operator(l, families[f].kind, ops[i]);
        return; /* signed or unsigned: the first family that has it */
    }
}

/* a < b as one of six relations: two operators and the order of the operands. */
static void replace_relation(Listing *l)
{
    uint16_t op = l->insn->op;
    bool is_signed = op != IR_ULT && op != IR_ULE;
    uint16_t less = is_signed ? IR_SLT : IR_ULT, most = is_signed ? IR_SLE : IR_ULE;
    const struct {
        uint16_t op;
        bool swapped;
    } relations[] = {{IR_EQ, false}, {IR_NE, false}, {less, false},
                     {most, false},  {less, true},   {most, true}};
    if (op < IR_EQ || op > IR_SLE)
        return;
    for (size_t i = 0; i < COUNT_OF(relations); i++) {
        IrInsn becomes = *l->insn;
        if (relations[i].op == op && !relations[i].swapped)
            continue;
        becomes.op = relations[i].op;
        if (relations[i].swapped) {
            becomes.a = l->insn->b;
            becomes.b = l->insn->a;
        }
        add_insn(l, MUTANT_RELATIONAL, becomes);
    }
}

static void change_condition(Listing *l)
{
    IrInsn swapped = *l->insn;
    if (l->insn->op != IR_BR && l->insn->op != IR_SELECT)
        return;
    swapped.b = l->insn->c;
    swapped.c = l->insn->b;
    add_insn(l, MUTANT_CONDITIONAL, swapped);
    for (unsigned value = 0; value < 2; value++) {
        IrInsn forced = *l->insn;
        forced.a = ir_reg_int(l->program, l->fn, 1, value);
        add_insn(l, MUTANT_CONDITIONAL, forced);
    }
}

/* ---- constants ------------------------------------------------------------------------------- */

/* The registers that may stand for a constant one; returns how many. */
static unsigned other_constants(Listing *l, uint32_t reg, uint32_t out[3])
{
    const IrConst *c = ir_reg_const_of(l->fn, reg);
    if (!c || c->kind != IR_CONST_INT)
        return 0;
    uint8_t width = l->fn->regs.v[reg].width;
    u128 mask = width < 128 ? ((u128)1 << width) - 1 : ~(u128)0, old = c->bits & mask;
    const u128 values[] = {(old + 1) & mask, (old - 1) & mask, 0};
    unsigned n = 0;
    for (unsigned i = 0; i < COUNT_OF(values); i++) {
        bool known = values[i] == old;
        for (unsigned k = 0; k < i; k++)
            known |= values[k] == values[i];
        if (!known)
            out[n++] = ir_reg_int(l->program, l->fn, width, values[i]);
    }
    return n;
}

static void change_operand(Listing *l, size_t offset)
{
    uint32_t regs[3], *field;
    unsigned n = other_constants(l, *(const uint32_t *)((const char *)l->insn + offset), regs);
    for (unsigned i = 0; i < n; i++) {
        IrInsn becomes = *l->insn;
        field = (uint32_t *)((char *)&becomes + offset);
        *field = regs[i];
        add_insn(l, MUTANT_CONSTANT, becomes);
    }
}

static void change_entry(Listing *l, uint32_t extra)
{
    uint32_t regs[3];
    unsigned n = other_constants(l, l->fn->extra.v[extra], regs);
    for (unsigned i = 0; i < n; i++)
        add_extra(l, MUTANT_CONSTANT, extra, regs[i]);
}

static void change_arguments(Listing *l)
{
    IrCall call = ir_call_read(l->fn, l->insn);
    uint32_t args = (uint32_t)(call.args - l->fn->extra.v), nargs = call.nargs;
    for (uint32_t i = 0; i < nargs; i++)
        change_entry(l, args + i);
}

static void change_constants(Listing *l)
{
    const IrInsn *insn = l->insn;
    const uint32_t *list = l->fn->extra.v;
    const char *form = ir_op_is_pure(insn->op) ? ir_op_form(insn->op) + 1 : "";
    for (unsigned i = 0; form[i]; i++)
        change_operand(l, offsetof(IrInsn, a) + i * sizeof insn->a);
    switch (insn->op) {
    case IR_STORE:
    case IR_INDEX: change_operand(l, offsetof(IrInsn, b)); break;
    case IR_PHI:
        for (uint32_t i = 0, n = list[insn->a]; i < n; i++)
            change_entry(l, insn->a + 2 + 2 * i);
        break;
    case IR_RET:
        for (uint32_t i = 0, n = list[insn->a]; i < n; i++)
            change_entry(l, insn->a + 1 + i);
        break;
    case IR_CALL:
    case IR_CALLPTR: change_arguments(l); break;
    default: break;
    }
}

/* ---- deletion -------------------------------------------------------------------------------- */

static void leave_out(Listing *l)
{
    uint32_t zero = ir_reg_int(l->program, l->fn, 8, 0);
    add_insn(l, MUTANT_DELETION,
             (IrInsn){.op = IR_OR,
                      .width = 8,
                      .a = zero,
                      .b = zero,
                      .site = l->insn->site,
                      .dst = ir_reg_result(l->program, l->fn, 8, NULL)});
}

static bool is_read(const Listing *l, const IrCall *call)
{
    for (uint32_t i = 0; i < call->ndst; i++)
        if (bitset_has(&l->read, call->dst[i]))
            return true;
    return false;
}

static void delete_something(Listing *l)
{
    const IrInsn *insn = l->insn;
    bool binary = ir_op_is_pure(insn->op) && !strcmp(ir_op_form(insn->op), "drr") &&
                  l->fn->regs.v[insn->a].width == insn->width;
    if (binary)
        for (unsigned i = 0; i < 2; i++) {
            uint32_t kept = i ? insn->b : insn->a;
            add_insn(l, MUTANT_DELETION,
                     (IrInsn){.op = IR_OR,
                              .width = insn->width,
                              .dst = insn->dst,
                              .a = kept,
                              .b = kept,
                              .site = insn->site});
        }
    else if (insn->op == IR_STORE)
        leave_out(l);
    else if (insn->op == IR_CALL && !(insn->flags & IR_NORETURN)) {
        IrCall call = ir_call_read(l->fn, insn);
        if (!is_read(l, &call))
            leave_out(l);
    }
}

/* ---- the program ----------------------------------------------------------------------------- */

static bool is_harness(const Listing *l)
{
    static const char *const prefixes[] = {"sheaf_", "klee_", "__VERIFIER_", "reach_error"};
    if (l->insn->op != IR_CALL)
        return false;
    const char *name = ir_text(l->program, l->program->fns.v[l->insn->a].name);
    for (size_t i = 0; i < COUNT_OF(prefixes); i++)
        if (text_starts_with(name, prefixes[i]))
            return true;
    return false;
}

static void list_function(Listing *l)
{
    U32Vec reads = {0};
    for (uint32_t b = 0; b < l->fn->blocks.n; b++)
        for (uint32_t i = 0; i < l->fn->blocks.v[b].insns.n; i++) {
            ir_insn_reads(l->fn, &l->fn->blocks.v[b].insns.v[i], &reads);
            for (uint32_t k = 0; k < reads.n; k++)
                bitset_add(&l->read, reads.v[k]);
        }
    for (uint32_t b = 0; b < l->fn->blocks.n; b++)
        for (uint32_t i = 0; i < l->fn->blocks.v[b].insns.n; i++) {
            l->insn = &l->fn->blocks.v[b].insns.v[i];
            l->at = (Mutant){.fn = l->at.fn, .block = b, .insn = i};
            if (is_harness(l))
                continue;
            replace_operator(l);
            replace_relation(l);
            change_condition(l);
            change_constants(l);
            delete_something(l);
        }
    vec_free(&reads);
}

void mutants_list(IrProgram *program, MutantVec *out)
{
    for (uint32_t fn = 0; fn < program->fns.n; fn++) {
        Listing l = {.program = program, .fn = &program->fns.v[fn], .at = {.fn = fn}, .out = out};
        if (!l.fn->runtime && l.fn->defined)
            list_function(&l);
        bitset_free(&l.read);
    }
}

void mutant_swap(IrProgram *program, Mutant *m)
{
    IrFn *fn = &program->fns.v[m->fn];
    if (m->extra != IR_NONE) {
        uint32_t was = fn->extra.v[m->extra];
        fn->extra.v[m->extra] = m->value;
        m->value = was;
        return;
    }
    IrInsn *place = &fn->blocks.v[m->block].insns.v[m->insn], was = *place;
    *place = m->becomes;
    m->becomes = was;
}

/* ---- what a mutant is ------------------------------------------------------------------------ */

/* Operators of one kind at one place have a number from 1 on: what a macro stands for has one place. */
static uint32_t number_at_place(const IrFn *fn, const Mutant *m)
{
    const IrInsn *insn = &fn->blocks.v[m->block].insns.v[m->insn];
    uint32_t number = 1;
    for (uint32_t b = 0; b <= m->block; b++)
        for (uint32_t i = 0; i < (b < m->block ? fn->blocks.v[b].insns.n : m->insn); i++) {
            const IrInsn *before = &fn->blocks.v[b].insns.v[i];
            number += before->op == insn->op && before->site == insn->site;
        }
    return number;
}

/* The place of the entry among the instruction's operands that are no fields. */
static uint32_t entry_number(const IrFn *fn, const IrInsn *insn, uint32_t extra)
{
    if (insn->op == IR_PHI)
        return (extra - insn->a) / 2;
    if (insn->op == IR_RET)
        return extra - insn->a;
    return extra - (uint32_t)(ir_call_read(fn, insn).args - fn->extra.v) + 1;
}

static int64_t constant_of(const IrFn *fn, uint32_t reg)
{
    unsigned above = fn->regs.v[reg].width < 64 ? 64u - fn->regs.v[reg].width : 0;
    return (int64_t)((uint64_t)ir_reg_const_of(fn, reg)->bits << above) >> above;
}

static void constant_text(const IrFn *fn, const IrInsn *insn, const Mutant *m, Str *out)
{
    const uint32_t was[] = {insn->a, insn->b, insn->c}, now[] = {m->becomes.a, m->becomes.b, m->becomes.c};
    uint32_t at = 0, old, new;
    if (m->extra != IR_NONE) {
        at = entry_number(fn, insn, m->extra);
        old = fn->extra.v[m->extra];
        new = m->value;
    } else {
        while (at < 2 && was[at] == now[at])
            at++;
        old = was[at];
        new = now[at++];
    }
    str_printf(out, ", operand %u: %lld -> %lld", at, (long long)constant_of(fn, old),
               (long long)constant_of(fn, new));
}

void mutant_text(const IrProgram *program, const Mutant *m, Str *out)
{
    const IrFn *fn = &program->fns.v[m->fn];
    const IrInsn *insn = &fn->blocks.v[m->block].insns.v[m->insn], *now = &m->becomes;
    uint32_t number = number_at_place(fn, m);
    char where[512];
    str_add(out, ir_site_text(program, insn->site, where, sizeof where));
    if (insn->site == IR_NONE)
        str_printf(out, " in %s", ir_text(program, fn->name));
    str_printf(out, ": %s %s", kind_words[m->kind], ir_op_text(insn->op));
    if (number > 1)
        str_printf(out, " #%u", number);
    switch (m->kind) {
    case MUTANT_CONSTANT: constant_text(fn, insn, m, out); break;
    case MUTANT_CONDITIONAL:
        str_add(out, now->a == insn->a         ? ", sides swapped"
                     : constant_of(fn, now->a) ? ", always"
                                               : ", never");
        break;
    case MUTANT_DELETION:
        if (now->dst == insn->dst && ir_op_is_pure(insn->op))
            str_printf(out, " -> operand %u", now->a == insn->a ? 1 : 2);
        else
            str_add(out, ", left out");
        break;
    default:
        str_printf(out, " -> %s%s", ir_op_text(now->op), now->a != insn->a ? ", operands swapped" : "");
        break;
    }
}
