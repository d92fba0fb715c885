/* sym_decide.c - decisions: what another input could have made different, at branches, switches, calls and
 * checks. */
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

/* Values tried for one concretisation: all of a narrow one, of a wide one some. */
enum { VALUES_MOST = 256, VALUES_NARROW = 1 << 16 };

/* ---- where ----------------------------------------------------------------------------------- */

/* The loops around a block, innermost first. */
static const uint32_t *loops_around(Vm *vm, FnCode *fn, uint32_t block, uint32_t n)
{
    const IrFn *ir = &vm->program->fns.v[fn->index];
    uint32_t *loops = arena_alloc(fn->arena, n * sizeof *loops), at = 0;
    for (uint32_t l = ir->loop_of.v[block]; l != IR_NONE && at < n; l = ir->loops.v[l].parent)
        loops[at++] = l;
    return loops;
}

static bool is_inside(const IrFn *ir, uint32_t block, uint32_t loop)
{
    uint32_t l = ir->loop_of.v[block];
    while (l != IR_NONE && l != loop)
        l = ir->loops.v[l].parent;
    return l == loop;
}

/* Blocks from which an edge leads out of the loop. */
static uint32_t count_exits(const IrFn *ir, uint32_t loop, uint32_t of, bool *is_one)
{
    U32Vec targets = {0};
    uint32_t n = 0;
    for (uint32_t b = 0; b < ir->blocks.n; b++) {
        bool leaves = false;
        if (!is_inside(ir, b, loop))
            continue;
        ir_block_successors(ir, b, &targets);
        for (uint32_t i = 0; i < targets.n; i++)
            leaves |= !is_inside(ir, targets.v[i], loop);
        n += leaves;
        if (b == of)
            *is_one = leaves;
    }
    vec_free(&targets);
    return n;
}

static CodePlace place_at(Vm *vm, FnCode *fn, const CodeSource *source)
{
    CodePlace at = {.ir = vm_insn(vm, vm->pc, vm->regs), .block = IR_NONE, .insn = IR_NONE};
    at.site = vm_user_site(vm);
    at.users = fn->index != IR_NONE && !vm->program->fns.v[fn->index].runtime;
    if (source) {
        at.block = source->block;
        at.insn = source->insn;
    }
    at.name = fn->index == IR_NONE || at.block == IR_NONE
                  ? hash_mix(hash_mix(fn->hash, at.block), at.insn)
                  : ir_insn_tag(vm->program, fn->index, at.block, at.insn);
    at.counters = fn->loops && at.block != IR_NONE ? fn->loops[at.block] : NULL;
    if (at.counters && at.counters->n) {
        at.loops = loops_around(vm, fn, at.block, at.counters->n);
        at.only_exit =
            count_exits(&vm->program->fns.v[fn->index], at.loops[0], at.block, &at.exits) == 1 && at.exits;
    }
    return at;
}

/* Code without a source has no place to keep it at. */
const CodePlace *sym_place_new(Vm *vm)
{
    FnCode *fn = FRAME(vm->regs)->fn;
    const CodeSource *source = vm_source(vm->pc, vm->regs);
    CodePlace *at = source ? arena_alloc(fn->arena, sizeof *at) : &vm->sym->nowhere;
    *at = place_at(vm, fn, source);
    if (source && !fn->places)
        fn->places = arena_alloc(fn->arena, fn->ncode * sizeof *fn->places);
    if (source)
        fn->places[source - fn->sources] = at;
    return at;
}

/* A number that comes round again must not make old facts new. */
uint32_t sym_next_epoch(struct Sym *s)
{
    if (s->epoch == UINT32_MAX) {
        vec_clear(&s->known);
        s->epoch = s->run_epoch = 0;
    }
    return ++s->epoch;
}

/* What is known from elsewhere on the path is no part of an instruction's label, nor of a state: with labels
 * or keys facts last as long as the instruction. */
static bool forgets(const Vm *vm) { return vm->lab || vm->sym->keys; }

static void forget(Vm *vm)
{
    struct Sym *s = vm->sym;
    sym_next_epoch(s);
    if (s->equal.used)
        map_clear(&s->equal);
    s->fixed = EXPR_SET_EMPTY;
    vm->now.own = vm->now.made = vm->now.flowing = vm->now.checked = LABEL_NONE;
    vm->now.is_forced = false;
}

void sym_next_instant(Vm *vm)
{
    struct Sym *s = vm->sym;
    s->last_pc = vm->pc;
    s->last_regs = vm->regs;
    s->last_left = vm->left;
    s->last_shape = 0;
    s->ordinal = 0;
    if (forgets(vm))
        forget(vm);
}

static uint64_t name(Vm *vm, const CodePlace *at, VmDecisionKind kind)
{
    uint64_t index = vm_name(vm, vm->regs, hash_mix(at->name, 16 * vm->sym->ordinal + kind), at->counters);
    return index ? index : 1;
}

/* ---- what is known --------------------------------------------------------------------------- */

bool sym_known(const Vm *vm, Expr condition)
{
    const struct Sym *s = vm->sym;
    if (forgets(vm) && !sym_is_instant(vm))
        return expr_is_true(condition);
    ExprSet symbols = expr_symbols(s->pool, condition);
    return expr_is_true(condition) || (condition.id < s->known.n && s->known.v[condition.id] == s->epoch) ||
           (symbols.id && s->fixed.id && expr_set_subset(s->pool, symbols, s->fixed));
}

/* Do earlier decisions of this path say so? With labels it is a decision again, but not a new way through a
 * loop, and no input that agrees with them all can decide otherwise. */
static bool is_entailed(const struct Sym *s, Expr condition)
{
    ExprSet symbols = expr_symbols(s->pool, condition);
    return (condition.id < s->known.n && s->known.v[condition.id] >= s->run_epoch) ||
           (symbols.id && s->path_fixed.id && expr_set_subset(s->pool, symbols, s->path_fixed));
}

/* now: by the instruction under way, or for as long as the path without labels. */
static void learn_one(struct Sym *s, Expr e, bool now)
{
    if (e.id >= s->known.n) {
        uint32_t n = expr_pool_count(s->pool) + 1024;
        vec_reserve(&s->known, n);
        memset(s->known.v + s->known.n, 0, (n - s->known.n) * sizeof *s->known.v);
        s->known.n = n;
    }
    s->known.v[e.id] = s->epoch;
    if (expr_op(s->pool, e) != EXPR_EQ || !expr_is_const(s->pool, expr_child(s->pool, e, 1)))
        return;
    Expr x = expr_child(s->pool, e, 0);
    if (now)
        map_put(&s->equal, x.id, expr_child(s->pool, e, 1).id);
    if (!expr_is_word(s->pool, x))
        return;
    s->path_fixed = expr_set_union(s->pool, s->path_fixed, expr_symbols(s->pool, x));
    if (now)
        s->fixed = expr_set_union(s->pool, s->fixed, expr_symbols(s->pool, x));
}

static void learn(struct Sym *s, Expr condition, bool now)
{
    ExprVec parts = {0};
    learn_one(s, condition, now);
    if (expr_op(s->pool, condition) == EXPR_AND) {
        expr_split(s->pool, condition, &parts);
        for (uint32_t i = 0; i < parts.n; i++)
            learn_one(s, parts.v[i], now);
        vec_free(&parts);
    }
}

void sym_learn(Vm *vm, Expr condition) { learn(vm->sym, condition, true); }
void sym_learn_again(Vm *vm, Expr condition) { learn(vm->sym, condition, !forgets(vm)); }

/* A choice whose condition is known is what was chosen: a run that goes on from a snapshot knows conditions,
 * and must find the same as one from the beginning. */
Expr sym_resolved(const Vm *vm, Expr e)
{
    struct Sym *s = vm->sym;
    if (forgets(vm) && !sym_is_instant(vm))
        return s->keys ? sym_key_resolved(vm, e) : e;
    while (expr_op(s->pool, e) == EXPR_ITE) {
        Expr yes = expr_child(s->pool, e, 0);
        bool taken = expr_eval_true(s->eval, yes);
        if (!sym_known(vm, taken ? yes : expr_not(s->pool, yes)))
            break;
        e = expr_child(s->pool, e, taken ? 1 : 2);
    }
    e = (Expr){(uint32_t)map_get_or(&s->equal, e.id, e.id)};
    return s->keys ? sym_key_resolved(vm, e) : e;
}

/* ---- making a decision ----------------------------------------------------------------------- */

void sym_add_alternative(Vm *vm, VmAlternative alternative) { vec_push(&vm->sym->alternatives, alternative); }

/* The instruction under way is the one that was asked about last (sym_instant). */
static void append(Vm *vm, const VmDecision *made)
{
    struct Sym *s = vm->sym;
    VmTrace *t = s->trace;
    const CodePlace *at = sym_place(vm);
    if (s->keys)
        sym_key_here(vm, name(vm, at, made->kind));
    vec_reserve(&t->decisions, t->decisions.n + 1);
    VmDecision *d = &t->decisions.v[t->decisions.n++];
    *d = *made;
    d->snapshot = d->forced ? NULL : vm_snapshot_hold(s->current);
    d->counts = s->counted;
    s->counted = false;
    d->fn = FRAME(vm->regs)->fn->index;
    d->block = at->block;
    d->insn = at->insn;
    d->site = at->users ? at->site : vm_user_site(vm);
    d->index = name(vm, at, d->kind);
    if (vm->lab)
        label_place(vm, at, d);
    d->first = t->alternatives.n;
    for (uint32_t i = 0; i < s->alternatives.n; i++)
        if (!expr_is_false(s->alternatives.v[i].condition))
            vec_push(&t->alternatives, s->alternatives.v[i]);
    d->count = t->alternatives.n - d->first;
    s->ordinal++;
    s->decided += !d->entailed && !d->forced;
    if (vm->lab)
        label_decided(vm, d);
    if (s->keys)
        sym_key_fact(vm, d);
}

/* Without labels a run goes on and its later decisions are not varied. With them it ends: what came after
 * would lack members of its labels. */
static bool has_room(Vm *vm)
{
    struct Sym *s = vm->sym;
    unsigned most = vm_decisions_most(&s->options);
    if (s->trace->decisions.n < most)
        return true;
    if (vm->lab)
        vm_end_limit(vm, LEDGER_DEPTH, "%u decisions in one run", most);
    else
        ledger_add(s->ledger, LEDGER_DEPTH, vm_user_site(vm), " of %u in one run", most);
    return false;
}

void sym_force_beyond(Vm *vm, VmDecisionKind kind, uint32_t took)
{
    if (!label_can_force(vm) || !has_room(vm))
        return;
    sym_instant(vm);
    vm->now.is_forced = true;
    vm->sym->slow += 2; /* it, and where its branch ends: much work that snapshots save */
    append(vm, &(VmDecision){.kind = kind, .holds = EXPR_TRUE, .took = took, .forced = true});
}

void sym_force(Vm *vm, VmDecisionKind kind, uint32_t took)
{
    if (!label_is_here(vm, vm->now.own))
        sym_force_beyond(vm, kind, took);
}

static bool within_loop_bound(Vm *vm);

/* Its decisions are all there, and a run that resumes from it has them again. */
static void set_aside(Vm *vm)
{
    VmTrace *t = vm->sym->trace;
    if (vm->ended)
        return;
    t->set_aside = true;
    vm_end_limit(vm, LEDGER_DEPTH, "set aside at %u decisions", t->decisions.n);
}

static void end_repeating(Vm *vm)
{
    vm->sym->trace->endless = true;
    vm_end_limit(vm, LEDGER_ENDLESS, "the state comes again");
}

/* Branches and switches were counted when they were executed. A check or an assumption opens no other way
 * through a loop: a loop over the bytes of an input may check each. */
static bool is_counted_here(VmDecisionKind kind)
{
    return kind != VM_DECISION_BRANCH && kind != VM_DECISION_SWITCH && kind != VM_DECISION_CHECK &&
           kind != VM_DECISION_ASSUME;
}

void sym_decide(Vm *vm, VmDecisionKind kind, Expr holds, uint32_t took)
{
    struct Sym *s = vm->sym;
    if (s->options.verify && !expr_eval_true(s->eval, holds))
        bug("a decision of kind %d does not hold", kind);
    bool new_to_path = !sym_known(vm, holds) && sym_decided(vm, holds) != 1;
    if (new_to_path && is_counted_here(kind) && !is_entailed(s, holds) && !within_loop_bound(vm))
        new_to_path = false;
    if (new_to_path && has_room(vm)) {
        sym_instant(vm);
        bool entailed = forgets(vm) && is_entailed(s, holds);
        if (s->alternatives.n && !entailed)
            sym_snapshot_here(vm);
        append(vm, &(VmDecision){.kind = kind, .holds = holds, .took = took, .entailed = entailed});
        sym_learn(vm, holds);
        if (s->trace->repeats && !vm->ended)
            end_repeating(vm);
        else if (s->patience_end && s->trace->alternatives.n >= s->patience_end)
            set_aside(vm);
    }
    vec_clear(&s->alternatives);
}

bool sym_check(Vm *vm, Expr faulty, VmFaultKind kind)
{
    ExprPool *p = vm->sym->pool;
    if (expr_is_false(faulty) || expr_is_true(faulty))
        return expr_is_true(faulty);
    Expr fine = expr_not(p, faulty);
    bool faults = expr_eval_true(vm->sym->eval, faulty);
    VmAlternative other = {.condition = faults ? fine : faulty,
                           .is_fault = !faults,
                           .fault = kind,
                           .fn = IR_NONE,
                           .block = IR_NONE};
    sym_add_alternative(vm, other);
    sym_decide(vm, VM_DECISION_CHECK, faults ? faulty : fine, IR_NONE);
    return faults;
}

/* ---- concretisation -------------------------------------------------------------------------- */

/* May the decision about to be made have a residual alternative? Counts the distinct values that it had in
 * all runs, so that it does not matter how often a run comes by. */
static bool may_try(Vm *vm, VmDecisionKind kind, uint64_t most, u128 value)
{
    Map *tries = &vm->sym->tries;
    sym_instant(vm);
    uint64_t index = name(vm, sym_place(vm), kind), rank;
    uint64_t key = hash_mix(hash_mix(index, (uint64_t)value), (uint64_t)(value >> 64));
    if (!map_get(tries, key, &rank)) {
        rank = map_get_or(tries, index, 0);
        map_put(tries, index, rank + 1);
        map_put(tries, key, rank);
    }
    return rank < most;
}

static u128 concretise(Vm *vm, Expr e, VmDecisionKind kind, LedgerKind ledger, uint64_t most,
                       const char *what)
{
    struct Sym *s = vm->sym;
    ExprPool *p = s->pool;
    u128 value = sym_eval(vm, e);
    Expr holds = expr_eq(p, e, expr_const(p, expr_width(p, e), value));
    if (sym_known(vm, holds))
        return value;
    if (may_try(vm, kind, most, value)) {
        sym_add_alternative(
            vm, (VmAlternative){
                    .condition = expr_not(p, holds), .residual = true, .fn = IR_NONE, .block = IR_NONE});
    } else {
        Str text = {0};
        if (what)
            str_add(&text, what);
        else
            sym_places_note(vm), expr_print_c(p, e, 60, &text);
        ledger_add(s->ledger, ledger, vm_user_site(vm), "%s", str_text(&text));
        str_free(&text);
    }
    sym_decide(vm, kind, holds, IR_NONE);
    return value;
}

u128 sym_concretise(Vm *vm, Expr e, const char *what)
{
    uint64_t most = expr_width(vm->sym->pool, e) <= 16 ? VALUES_NARROW : VALUES_MOST;
    return concretise(vm, e, VM_DECISION_VALUE, LEDGER_CONCRETE, most, what);
}

u128 sym_concretise_size(Vm *vm, Expr e)
{
    uint32_t most = vm->sym->options.size_candidates;
    return concretise(vm, e, VM_DECISION_SIZE, LEDGER_SIZE, most ? most : 16, NULL);
}

/* ---- branches -------------------------------------------------------------------------------- */

static VmAlternative side(Vm *vm, Expr condition, uint32_t block)
{
    return (VmAlternative){.condition = condition, .fn = FRAME(vm->regs)->fn->index, .block = block};
}

/* Is the condition of going on in a loop one that earlier decisions of the path have settled? Where a list
 * behind an input's pointer is a cycle, every iteration asks for another pointer that is known, and none is
 * new. A loop that can end in another way is not meant: it may count iterations. */
static bool goes_round(Vm *vm, Expr e)
{
    const CodePlace *at = sym_place(vm);
    ExprPool *p = vm->sym->pool;
    if (!at->exits || at->only_exit)
        return at->only_exit;
    if (expr_op(p, e) == EXPR_NOT)
        e = expr_child(p, e, 0);
    return expr_op(p, e) == EXPR_EQ &&
           (sym_lazy_is(vm, expr_child(p, e, 0)) || sym_lazy_is(vm, expr_child(p, e, 1)));
}

static bool branch(Vm *vm, const IrInsn *insn, Expr e)
{
    bool taken = sym_eval(vm, e) != 0;
    Expr no = expr_not(vm->sym->pool, e);
    if (insn->b == insn->c)
        return true;
    Expr holds = taken ? e : no;
    bool is_new = !sym_known(vm, holds) && !is_entailed(vm->sym, holds) && sym_decided(vm, e) < 0;
    if ((is_new || goes_round(vm, e)) && !within_loop_bound(vm))
        return false;
    sym_add_alternative(vm, side(vm, taken ? no : e, taken ? insn->c : insn->b));
    sym_decide(vm, VM_DECISION_BRANCH, holds, taken ? insn->b : insn->c);
    return !vm->ended;
}

typedef struct Target {
    uint32_t block;
    Expr condition;
} Target;

static Target *target_of(Target *targets, uint32_t *n, uint32_t block)
{
    for (uint32_t i = 0; i < *n; i++)
        if (targets[i].block == block)
            return &targets[i];
    targets[*n] = (Target){block, EXPR_FALSE};
    return &targets[(*n)++];
}

/* One condition for each distinct target; the first is the default's. Returns how many. */
static uint32_t switch_targets(Vm *vm, const IrInsn *insn, Expr e, Target *targets, uint32_t *taken)
{
    const IrFn *ir = &vm->program->fns.v[FRAME(vm->regs)->fn->index];
    const uint32_t *list = &ir->extra.v[insn->b];
    ExprPool *p = vm->sym->pool;
    u128 value = sym_eval(vm, e);
    uint32_t n = 0;
    Expr others = EXPR_FALSE;
    target_of(targets, &n, insn->c);
    *taken = insn->c;
    for (uint32_t i = 0; i < list[0]; i++) {
        u128 at = ir_reg_const_of(ir, list[1 + 2 * i])->bits;
        Target *t = target_of(targets, &n, list[2 + 2 * i]);
        if (at == value)
            *taken = t->block;
        if (t->block != insn->c)
            t->condition = expr_or(p, t->condition, expr_eq(p, e, expr_const(p, expr_width(p, e), at)));
    }
    for (uint32_t i = 1; i < n; i++)
        others = expr_or(p, others, targets[i].condition);
    targets[0].condition = expr_not(p, others);
    return n;
}

static bool switch_insn(Vm *vm, const IrInsn *insn, Expr e)
{
    const IrFn *ir = &vm->program->fns.v[FRAME(vm->regs)->fn->index];
    Target *targets = mem_alloc((ir->extra.v[insn->b] + 1) * sizeof *targets);
    uint32_t taken, n = switch_targets(vm, insn, e, targets, &taken);
    Expr holds = EXPR_TRUE;
    for (uint32_t i = 0; i < n; i++) {
        if (targets[i].block == taken)
            holds = targets[i].condition;
        else
            sym_add_alternative(vm, side(vm, targets[i].condition, targets[i].block));
    }
    mem_free(targets);
    if (!sym_known(vm, holds) && !is_entailed(vm->sym, holds) && !within_loop_bound(vm)) {
        vec_clear(&vm->sym->alternatives);
        return false;
    }
    sym_decide(vm, VM_DECISION_SWITCH, holds, taken);
    return !vm->ended;
}

/* ---- where constants come together ----------------------------------------------------------- */

bool sym_leaves(const ExprPool *p, Expr e, u128 *out, uint32_t *n, uint32_t most)
{
    Expr stack[64];
    uint32_t depth = 0, visited = 0;
    bool complete = true;
    stack[depth++] = e;
    while (depth) {
        e = stack[--depth];
        if (++visited > 4096)
            return false;
        if (expr_op(p, e) == EXPR_ITE && depth + 2 <= COUNT_OF(stack)) {
            stack[depth++] = expr_child(p, e, 2);
            stack[depth++] = expr_child(p, e, 1);
            continue;
        }
        if (!expr_is_const(p, e)) {
            complete = false;
            continue;
        }
        bool have = false;
        for (uint32_t i = 0; i < *n && !have; i++)
            have = out[i] == expr_const_value(p, e);
        if (have)
            continue;
        if (*n == most)
            return false;
        out[(*n)++] = expr_const_value(p, e);
    }
    return complete;
}

/* Jumps and calls through a pointer: one alternative for each constant that it can be; what is no constant is
 * concretised. */
static bool indirect(Vm *vm, Expr e, bool call)
{
    enum { TARGETS_MOST = 64 };
    ExprPool *p = vm->sym->pool;
    e = call ? sym_lazy_leaf(vm, e) : e;
    u128 leaves[TARGETS_MOST], value = sym_eval(vm, e);
    uint32_t n = 0;
    if (call && sym_lazy_is(vm, e))
        return sym_lazy_call(vm, e);
    if (!sym_leaves(p, e, leaves, &n, TARGETS_MOST)) {
        sym_concretise(vm, e, call ? "a function pointer" : "the target of a jump");
        return true;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (leaves[i] == value)
            continue;
        const FnCode *fn = call ? vm_fn_at(vm, (uint64_t)leaves[i]) : NULL;
        sym_add_alternative(vm, (VmAlternative){.condition = expr_eq(p, e, expr_const(p, 64, leaves[i])),
                                                .is_fault = call && !fn,
                                                .fault = VM_FAULT_BAD_CALL,
                                                .fn = fn ? fn->index : IR_NONE,
                                                .block = fn ? 0 : IR_NONE});
    }
    sym_decide(vm, VM_DECISION_CALL, expr_eq(p, e, expr_const(p, 64, value)), IR_NONE);
    return true;
}

bool vm_sym_use(Vm *vm, const Code *pc, uint64_t shadow)
{
    const IrInsn *insn = vm_insn(vm, pc, vm->regs);
    Expr e = sym_of(shadow);
    if (!insn) {
        sym_concretise(vm, e, NULL);
        return true;
    }
    switch ((IrOp)insn->op) {
    case IR_BR: return branch(vm, insn, e);
    case IR_SWITCH: return switch_insn(vm, insn, e);
    case IR_GOTO: return indirect(vm, e, false);
    case IR_CALLPTR: return indirect(vm, e, true);
    case IR_ALLOCA: return sym_alloca_size(vm, e);
    default: sym_concretise(vm, e, NULL); return true;
    }
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* The shadow of a loop's counter is ours: how many iterations of this activation had a decision (31 bits,
 * marked as no expression), and in the high half which was the last of them. Entering the loop resets it. */
static bool count_around(Vm *vm, const Code *pc, Reg *regs)
{
    const FnCode *fn = FRAME(regs)->fn;
    const CodeSource *source = vm_source(pc, regs);
    const RegList *loops = fn->loops && source ? fn->loops[source->block] : NULL;
    uint32_t bound = vm->sym->options.loop_bound;
    for (uint32_t i = 0; loops && i < loops->n; i++) {
        Reg *counter = REG(regs, loops->reg[i]);
        uint64_t last = counter->shadow >> 32, n = counter->shadow & (SHADOW_UNDEF - 1);
        if (n && last == (uint32_t)counter->word)
            continue;
        if (n >= bound)
            return vm_end_limit(vm, LEDGER_LOOP, "%u iterations", bound);
        counter->shadow = counter->word << 32 | SHADOW_UNDEF | (n + 1);
        vm->sym->counted = true;
    }
    return true;
}

/* A decision counts for the loops around it, and for those around the calls that led to it. Of a function
 * that had one before, the latter are counted. */
static bool count_iteration(Vm *vm)
{
    const Code *pc = vm->pc;
    Reg *regs = vm->regs;
    bool within = true;
    while (regs && within && vm->sym->options.loop_bound) {
        Frame *frame = FRAME(regs);
        within = count_around(vm, pc, regs);
        bool counted = frame->flags & FRAME_COUNTED;
        frame->flags |= FRAME_COUNTED;
        pc = frame->call;
        regs = counted ? NULL : frame->caller;
    }
    return within;
}

/* Recursion is a loop too: activations of the function under way that had a decision. Counted at the first of
 * each. */
static bool count_activation(Vm *vm)
{
    Frame *frame = FRAME(vm->regs);
    uint32_t bound = vm->sym->options.loop_bound, n = 0;
    if (frame->flags & FRAME_DECIDED)
        return true;
    frame->flags |= FRAME_DECIDED;
    vm->sym->counted = true;
    if (!bound || frame->depth <= bound)
        return true;
    for (Frame *f = frame; f->caller; f = FRAME(f->caller))
        n += f->fn == frame->fn && f->flags & FRAME_DECIDED;
    return n <= bound || vm_end_limit(vm, LEDGER_LOOP, "a recursion %u calls deep", bound);
}

static bool within_loop_bound(Vm *vm) { return count_iteration(vm) && count_activation(vm); }
