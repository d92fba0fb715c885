/* diff.c - levels: which functions are compared, in which order, and what the answers mean for their
 * callers. */
#include "versions/versions.h"

enum {
    FINDINGS_MOST = 16, /* of one function that are kept apart */
    DOUBTS_MOST = 8,
    TEXT_MOST = 600 /* characters of a condition */
};

/* ---- who calls whom -------------------------------------------------------------------------- */

typedef struct Levels {
    Diff *d;
    Graph calls; /* between pairs, of both versions together */
    uint32_t *component;
    U32Vec order;   /* pairs, callees first */
    BitSet written; /* pairs of globals that some function may write */
    bool any_written;
    Arena *arena;
} Levels;

/* A call through a pointer may be of any function whose address is taken. */
static void gather_calls(Levels *l, unsigned version, uint32_t pair, const BitSet *taken, GraphEdges *edges)
{
    const Versions *v = l->d->versions;
    const IrFn *fn = &v->program[version]->fns.v[v->fns.v[pair].fn[version]];
    bool pointers = false;
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            pointers |= insn->op == IR_CALLPTR;
            uint32_t to = insn->op == IR_CALL ? v->fn_of[version].v[insn->a] : IR_NONE;
            if (to != IR_NONE)
                vec_push(edges, (GraphEdge){pair, to});
        }
    for (uint32_t i = 0; i < fn->consts.n; i++) { /* an address that it hands on may be called with it */
        uint32_t to =
            fn->consts.v[i].kind == IR_CONST_FN ? v->fn_of[version].v[fn->consts.v[i].index] : IR_NONE;
        if (to != IR_NONE)
            vec_push(edges, (GraphEdge){pair, to});
    }
    for (uint32_t i = bitset_next(taken, 0); pointers && i != UINT32_MAX; i = bitset_next(taken, i + 1))
        vec_push(edges, (GraphEdge){pair, i});
}

static void gather_taken(const Versions *v, unsigned version, BitSet *taken)
{
    const IrProgram *p = v->program[version];
    for (uint32_t f = 0; f < p->fns.n; f++)
        for (uint32_t i = 0; i < p->fns.v[f].consts.n; i++) {
            const IrConst *c = &p->fns.v[f].consts.v[i];
            if (c->kind == IR_CONST_FN && v->fn_of[version].v[c->index] != IR_NONE)
                bitset_add(taken, v->fn_of[version].v[c->index]);
        }
    for (uint32_t g = 0; g < p->globals.n; g++)
        for (uint32_t i = 0; i < p->globals.v[g].relocs.n; i++) {
            const IrConst *c = &p->globals.v[g].relocs.v[i].value;
            if (c->kind == IR_CONST_FN && v->fn_of[version].v[c->index] != IR_NONE)
                bitset_add(taken, v->fn_of[version].v[c->index]);
        }
}

static void find_calls(Levels *l)
{
    const Versions *v = l->d->versions;
    GraphEdges edges = {0};
    BitSet taken = {0};
    uint32_t count = 0;
    for (unsigned version = 0; version < 2; version++)
        gather_taken(v, version, &taken);
    for (unsigned version = 0; version < 2; version++)
        for (uint32_t i = 0; i < v->fns.n; i++)
            if (v->fns.v[i].fn[version] != IR_NONE)
                gather_calls(l, version, i, &taken, &edges);
    l->calls = graph_make(l->arena, v->fns.n, &edges);
    l->component = graph_components(l->arena, &l->calls, &count);
    for (uint32_t c = 0; c < count; c++)
        for (uint32_t i = 0; i < v->fns.n; i++)
            if (l->component[i] == c)
                vec_push(&l->order, i);
    vec_free(&edges);
    bitset_free(&taken);
}

/* ---- globals that a function finds in any state ---------------------------------------------- */

static uint32_t global_pair(const Versions *v, unsigned version, uint32_t global)
{
    for (uint32_t i = 0; i < v->globals.n; i++)
        if (v->globals.v[i].global[version] == global)
            return i;
    return IR_NONE;
}

static void find_written(Levels *l, unsigned version)
{
    const Versions *v = l->d->versions;
    Flow *flow = flow_new(v->program[version], NULL);
    for (uint32_t i = 0; i < v->fns.n; i++) {
        uint32_t fn = v->fns.v[i].fn[version];
        FlowPlaces places = fn == IR_NONE ? (FlowPlaces){0} : flow_fn_writes(flow, fn);
        for (uint32_t k = 0; k < places.n; k++) {
            const FlowObject *o = places.v[k].param == IR_NONE ? flow_object(flow, places.v[k].object) : NULL;
            l->any_written |= o && o->kind == FLOW_ANY;
            uint32_t pair = o && o->kind == FLOW_GLOBAL ? global_pair(v, version, o->index) : IR_NONE;
            if (pair != IR_NONE)
                bitset_add(&l->written, pair);
        }
    }
    flow_free(flow);
}

/* Names of globals that the function may read and somebody may write: inputs when it is an entry. They have
 * the same name in both. Returns the name of one that cannot be an input of both, so that the function is
 * compared for its initial value only; NULL: there is none. */
static const char *free_globals(Levels *l, const VersionsFn *f, StrVec *out)
{
    const Versions *v = l->d->versions;
    BitSet read = {0};
    const char *bound = NULL;
    for (unsigned version = 0; version < 2; version++) {
        FlowOptions o = {.entry = f->fn[version], .lazy_inputs = true};
        Flow *flow = flow_new(v->program[version], &o);
        FlowPlaces places = flow_fn_reads(flow, f->fn[version]);
        for (uint32_t k = 0; k < places.n; k++) {
            const FlowObject *at =
                places.v[k].param == IR_NONE ? flow_object(flow, places.v[k].object) : NULL;
            for (uint32_t g = 0; at && at->kind == FLOW_ANY && g < v->globals.n; g++)
                if (l->any_written || bitset_has(&l->written, g))
                    bitset_add(&read, g);
            uint32_t pair = at && at->kind == FLOW_GLOBAL && !flow_is_state(places.v[k].object)
                                ? global_pair(v, version, at->index)
                                : IR_NONE;
            if (pair != IR_NONE && (l->any_written || bitset_has(&l->written, pair)))
                bitset_add(&read, pair);
        }
        flow_free(flow);
    }
    for (uint32_t i = bitset_next(&read, 0); i != UINT32_MAX; i = bitset_next(&read, i + 1)) {
        const VersionsGlobal *g = &v->globals.v[i];
        const IrGlobal *old = g->global[0] == IR_NONE ? NULL : &v->program[0]->globals.v[g->global[0]];
        const IrGlobal *new = g->global[1] == IR_NONE ? NULL : &v->program[1]->globals.v[g->global[1]];
        const char *name = new ? ir_text(v->program[1], new->name) : ir_text(v->program[0], old->name);
        if ((!old || old->constant) && (!new || new->constant))
            continue;
        if (old && new && !new->constant && !old->constant &&new->size == old->size &&
            !strcmp(name, ir_text(v->program[0], old->name)))
            vec_push(out, name);
        else
            bound = name;
    }
    bitset_free(&read);
    return bound;
}

/* ---- one function ---------------------------------------------------------------------------- */

static const char *text_of(Diff *d, Joint *j, const JointRow *row)
{
    ExprVec condition = {0};
    Str text = {0};
    joint_condition(j, row, &condition);
    for (uint32_t i = 0; i < condition.n; i++) {
        str_add(&text, i ? " && " : "");
        if (text.n > TEXT_MOST) {
            str_printf(&text, "... (%u more)", condition.n - i);
            break;
        }
        expr_print_c(j->pool, condition.v[i], TEXT_MOST, &text);
    }
    const char *result = arena_strdup(d->arena, condition.n ? str_text(&text) : "always");
    str_free(&text);
    vec_free(&condition);
    return result;
}

static const char *copy(Diff *d, const char *text) { return text ? arena_strdup(d->arena, text) : NULL; }

/* Rows of one kind at one place, or in the same outputs, are one finding. */
static DiffFinding *find_alike(DiffFn *f, const DiffFinding *like)
{
    for (uint32_t i = 0; i < f->findings.n; i++) {
        DiffFinding *g = &f->findings.v[i];
        bool same = g->kind == like->kind && g->class == like->class && g->changes.n == like->changes.n;
        if (like->kind != DIFF_CHANGE)
            same =
                same && g->fault == like->fault && g->site[0] == like->site[0] && g->site[1] == like->site[1];
        for (uint32_t k = 0; same && k < like->changes.n; k++)
            same = !strcmp(g->changes.v[k].name, like->changes.v[k].name);
        if (same)
            return g;
    }
    return NULL;
}

static DiffFinding finding_of(Diff *d, Joint *j, const DiffFn *f, const JointRow *row)
{
    const VersionsFn *pair = &d->versions->fns.v[f->pair];
    DiffFinding g = {.kind = row->fault_new    ? DIFF_NEW_FAULT
                             : row->fault_gone ? DIFF_FAULT_GONE
                                               : DIFF_CHANGE,
                     .class = row->class};
    unsigned version = row->fault_new ? VERSIONS_NEW : VERSIONS_OLD;
    for (unsigned v = 0; v < 2; v++)
        g.site[v] = g.kind == DIFF_CHANGE || row->end[v].ending != VM_END_FAULT
                        ? d->versions->program[v]->fns.v[pair->fn[v]].site
                        : row->end[v].site;
    if (g.kind != DIFF_CHANGE) {
        const SignatureEnd *end = &row->end[version];
        g.fault = end->fault;
        g.message = copy(d, end->message);
        g.where = end->fn == IR_NONE ? NULL
                                     : copy(d, ir_text(j->versions->program[version],
                                                       j->versions->program[version]->fns.v[end->fn].name));
    }
    for (uint32_t i = 0; i < row->changes.n; i++) {
        const JointChange *c = &row->changes.v[i];
        JointChange kept = {copy(d, c->name),
                            {copy(d, c->text[0]), copy(d, c->text[1])},
                            {copy(d, c->value[0]), copy(d, c->value[1])}};
        vec_push(&g.changes, kept);
    }
    return g;
}

/* True: the row is a difference, told of by a finding. */
static bool take_row(Diff *d, Joint *j, DiffFn *f, JointRow *row)
{
    DiffFinding g = finding_of(d, j, f, row), *known = find_alike(f, &g);
    bool kept = known || f->findings.n < FINDINGS_MOST;
    if (known)
        known->more++;
    if (known && d->options.on_alike)
        d->options.on_alike(d->options.context, j, row, known);
    if (known || !kept) {
        vec_free(&g.changes);
        return true;
    }
    if (d->options.confirm && !d->options.confirm(d->options.context, j, f, row, &g)) {
        row->verdict = JOINT_OPEN;
        row->why = "the machine finds a difference, and native runs of both versions show none";
        vec_free(&g.changes);
        return false;
    }
    g.when = text_of(d, j, row);
    vec_push(&f->findings, g);
    return true;
}

static void add_doubts(Diff *d, Joint *j, DiffFn *f)
{
    for (unsigned version = 0; version < 2; version++)
        for (uint32_t i = 0; i < ledger_count(j->ledger[version]) && f->doubts.n < DOUBTS_MOST; i++) {
            Str text = {0};
            ledger_entry_text(ledger_entry(j->ledger[version], i), d->versions->program[version], &text);
            vec_push(&f->doubts, arena_strdup(d->arena, str_text(&text)));
            str_free(&text);
        }
    Str assumed = {0};
    ledger_assumptions_text(j->ledger[VERSIONS_NEW], &assumed);
    for (uint32_t i = 0; i < d->assumed.n; i++)
        if (!strcmp(d->assumed.v[i], str_text(&assumed)))
            vec_clear(&assumed);
    if (assumed.n)
        vec_push(&d->assumed, arena_strdup(d->arena, str_text(&assumed)));
    str_free(&assumed);
}

/* Without an input there is one run; that is all there is if nothing from outside is read. */
static bool reads_nothing(const Joint *j, unsigned version)
{
    const IrProgram *p = j->versions->program[version];
    uint32_t main = ir_fn_find(p, "main");
    return main != IR_NONE && !p->fns.v[main].nparams &&
           ir_fn_find(p, "__sheaf_read") == IR_NONE; /* all of libc's ways to read end there */
}

/* What goes to files is no output of a row. */
static bool writes_files(const Joint *j)
{
    for (unsigned v = 0; v < 2; v++) {
        const char *entry = j->options.entry[v] ? j->options.entry[v] : "main";
        uint32_t fn = ir_fn_find(j->versions->program[v], entry);
        FlowPlaces places = fn == IR_NONE ? (FlowPlaces){0} : flow_fn_writes(j->flow[v], fn);
        bool opens = ir_fn_find(j->versions->program[v], "__sheaf_open") != IR_NONE;
        for (uint32_t i = 0; opens && i < places.n; i++) {
            const FlowObject *o =
                places.v[i].param == IR_NONE ? flow_object(j->flow[v], places.v[i].object) : NULL;
            if (o && (o->kind == FLOW_ANY || (o->kind == FLOW_STREAM && o->index == FLOW_FILES)))
                return true;
        }
    }
    return false;
}

/* Nor is it whether an object of the caller is freed. */
static bool frees_callers(const Joint *j)
{
    for (unsigned v = 0; v < 2; v++) {
        uint32_t fn =
            j->options.entry[v] ? ir_fn_find(j->versions->program[v], j->options.entry[v]) : IR_NONE;
        FlowPlaces places = fn == IR_NONE ? (FlowPlaces){0} : flow_fn_writes(j->flow[v], fn);
        for (uint32_t i = 0; i < places.n; i++)
            if (places.v[i].param == IR_NONE && flow_is_state(places.v[i].object) &&
                flow_object(j->flow[v], places.v[i].object)->kind == FLOW_LAZY)
                return true;
    }
    return false;
}

static void conclude(Diff *d, Joint *j, DiffFn *f)
{
    uint32_t differences = 0;
    Str text = {0};
    const char *why = j->why;
    for (uint32_t i = 0; i < j->rows.n; i++) {
        JointRow *row = &j->rows.v[i];
        differences += row->verdict == JOINT_DIFFERENT && take_row(d, j, f, row);
        if (row->verdict == JOINT_OPEN && !why)
            why = row->why;
        f->rows[row->verdict]++;
    }
    if (why && !differences && f->rows[JOINT_IDENTICAL] + f->rows[JOINT_PROVED]) {
        str_printf(&text, "the same as far as it was compared; %s", why);
        why = str_text(&text);
    }
    add_doubts(d, j, f);
    if (writes_files(j))
        vec_push(&f->doubts, "what it may write to files is not compared");
    if (frees_callers(j))
        vec_push(&f->doubts, "whether it frees an object of its caller is not compared");
    bool blind =
        !j->inputs && !j->options.entry[VERSIONS_NEW] && !(reads_nothing(j, 0) && reads_nothing(j, 1));
    if (blind && !why)
        why = "nothing that it reads is symbolic: --sym-stdin, --sym-args, --sym-file";
    if (!why && f->doubts.n)
        why = f->doubts.v[0];
    f->why = copy(d, why);
    f->verdict = differences ? DIFF_DIFFERENT : why ? DIFF_OPEN : DIFF_SAME;
    f->runs = j->runs;
    f->queries = j->queries;
    f->seconds = j->seconds;
    str_free(&text);
}

/* ---- only where signed arithmetic overflows -------------------------------------------------- */

static bool has_signed_arithmetic(const IrFn *fn)
{
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
            if (fn->blocks.v[b].insns.v[i].flags & IR_NSW)
                return true;
    return false;
}

/* Faults and overflow are different things; and where nothing is computed nothing overflows. */
static bool may_be_overflow(const Diff *d, const DiffFn *f)
{
    const VersionsFn *pair = &d->versions->fns.v[f->pair];
    bool may = f->verdict == DIFF_DIFFERENT && !(d->options.joint.explore.vm.checks >> VM_FAULT_OVERFLOW & 1);
    for (uint32_t i = 0; may && i < f->findings.n; i++)
        may = f->findings.v[i].kind == DIFF_CHANGE;
    return may && (has_signed_arithmetic(&d->versions->program[0]->fns.v[pair->fn[0]]) ||
                   has_signed_arithmetic(&d->versions->program[1]->fns.v[pair->fn[1]]));
}

static bool overflows(const SignatureEnd *end)
{
    return end->ending == VM_END_FAULT && end->fault == VM_FAULT_OVERFLOW;
}

/* The same partition with overflow as a fault: is every row in which neither version overflows the same? */
static bool same_without_overflow(const Diff *d, const JointOptions *options)
{
    JointOptions o = *options;
    o.explore.vm.checks |= UINT64_C(1) << VM_FAULT_OVERFLOW;
    Joint *j = joint_new(d->versions, &o);
    joint_explore(j);
    bool same = !j->why && j->certified && !ledger_count(j->ledger[0]) && !ledger_count(j->ledger[1]);
    for (uint32_t i = 0; same && i < j->rows.n; i++) {
        const JointRow *row = &j->rows.v[i];
        same = row->verdict < JOINT_DIFFERENT || overflows(&row->end[0]) || overflows(&row->end[1]);
    }
    joint_free(j);
    return same;
}

static bool is_main(const char *name)
{
    return !strcmp(name, "main") || !strcmp(name, "LLVMFuzzerTestOneInput");
}

static void compare(Levels *l, DiffFn *f, double seconds)
{
    Diff *d = l->d;
    const VersionsFn *pair = &d->versions->fns.v[f->pair];
    JointOptions o = d->options.joint;
    StrVec globals = {0};
    const char *name = diff_fn_name(d, f->pair);
    f->explored = true;
    if (d->options.on_progress)
        d->options.on_progress(d->options.context, f);
    if (!is_main(name)) {
        for (unsigned v = 0; v < 2; v++)
            o.entry[v] = ir_text(d->versions->program[v], d->versions->program[v]->fns.v[pair->fn[v]].name);
        for (uint32_t i = 0; i < o.explore.symbolic.inputs.globals.n; i++)
            vec_push(&globals, o.explore.symbolic.inputs.globals.v[i]);
        const char *bound = free_globals(l, pair, &globals);
        if (bound) {
            Str text = {0};
            str_printf(&text,
                       "it reads %s, which one version has not, or by another name or size: compared for its "
                       "initial value only",
                       bound);
            vec_push(&f->doubts, arena_strdup(d->arena, str_text(&text)));
            str_free(&text);
        }
        o.explore.symbolic.inputs.globals = globals;
    }
    if (seconds > 0 && (o.explore.max_time <= 0 || seconds < o.explore.max_time))
        o.explore.max_time = seconds;
    Joint *j = joint_new(d->versions, &o);
    joint_explore(j);
    conclude(d, j, f);
    joint_free(j);
    if (may_be_overflow(d, f) && same_without_overflow(d, &o))
        for (uint32_t i = 0; i < f->findings.n; i++)
            f->findings.v[i].class = JOINT_OVERFLOW;
    vec_free(&globals);
}

/* Can both be called as entries, with inputs that mean the same? */
static const char *not_comparable(const VersionsFn *f, const Versions *v)
{
    if (!f->shape)
        return "its parameters or its result have other types";
    if (f->layout)
        return "a type that it takes or returns has another layout";
    if (v->program[VERSIONS_NEW]->fns.v[f->fn[VERSIONS_NEW]].variadic)
        return "it takes variable arguments";
    return NULL;
}

/* ---- levels ---------------------------------------------------------------------------------- */

static bool counts_as_same(const DiffFn *f)
{
    return f->verdict == DIFF_IDENTICAL || f->verdict == DIFF_SAME;
}

/* Does what it calls leave it as it was? In a cycle of calls, identical code is: what is not has been, or
 * will be, explored as a whole. */
static bool callees_same(const Levels *l, uint32_t pair)
{
    for (uint32_t i = l->calls.start[pair]; i < l->calls.start[pair + 1]; i++) {
        uint32_t to = l->calls.to[i];
        bool cycle = l->component[to] == l->component[pair];
        if (to != pair && !(cycle ? l->d->versions->fns.v[to].identical : counts_as_same(&l->d->fns.v[to])))
            return false;
    }
    return true;
}

static void judge(Levels *l, uint32_t pair, double until)
{
    Diff *d = l->d;
    const VersionsFn *p = &d->versions->fns.v[pair];
    DiffFn *f = &d->fns.v[pair];
    f->changed = !p->identical;
    if (p->fn[VERSIONS_OLD] == IR_NONE || p->fn[VERSIONS_NEW] == IR_NONE) {
        f->verdict = p->fn[VERSIONS_OLD] == IR_NONE ? DIFF_ADDED : DIFF_REMOVED;
        return;
    }
    if (p->identical && callees_same(l, pair))
        return; /* DIFF_IDENTICAL */
    const char *why = not_comparable(p, d->versions);
    double left = until > 0 ? until - clock_seconds() : 0;
    if (!why && until > 0 && left <= 0)
        why = "the time for it is over: --max-time";
    if (why) {
        f->verdict = DIFF_OPEN;
        f->why = why;
        return;
    }
    compare(l, f, left);
}

/* Time is shared: what is to come has a right to as much. */
static void judge_all(Levels *l)
{
    Diff *d = l->d;
    double end = d->options.max_time > 0 ? clock_seconds() + d->options.max_time : 0;
    for (uint32_t i = 0; i < l->order.n; i++) {
        uint32_t left = 1;
        for (uint32_t k = i + 1; k < l->order.n; k++)
            left += !d->versions->fns.v[l->order.v[k]].identical;
        double now = clock_seconds();
        judge(l, l->order.v[i], end > 0 ? now + (end - now) / left : 0);
    }
}

static void judge_entry(Levels *l)
{
    Diff *d = l->d;
    const Versions *v = d->versions;
    uint32_t fn = ir_fn_find(v->program[VERSIONS_NEW], d->options.entry);
    uint32_t pair = fn == IR_NONE ? IR_NONE : v->fn_of[VERSIONS_NEW].v[fn];
    if (pair == IR_NONE)
        die("the new version has no function %s", d->options.entry);
    if (v->fns.v[pair].fn[VERSIONS_OLD] == IR_NONE)
        die("the old version has no function that corresponds to %s", d->options.entry);
    for (uint32_t i = 0; i < v->fns.n; i++)
        d->fns.v[i].changed = !v->fns.v[i].identical;
    if (v->identical)
        return;
    DiffFn *f = &d->fns.v[pair];
    f->why = not_comparable(&v->fns.v[pair], v);
    f->verdict = DIFF_OPEN;
    if (!f->why)
        compare(l, f, d->options.max_time);
}

Diff *diff_new(Versions *v, const DiffOptions *options)
{
    Diff *d = mem_zalloc(sizeof *d);
    d->versions = v;
    d->options = *options;
    d->arena = arena_new();
    for (uint32_t i = 0; i < v->fns.n; i++)
        vec_push(&d->fns, (DiffFn){.pair = i});
    return d;
}

void diff_all(Diff *d)
{
    Levels l = {.d = d, .arena = arena_new()};
    if (!d->versions->identical) {
        find_calls(&l);
        find_written(&l, VERSIONS_OLD);
        find_written(&l, VERSIONS_NEW);
    }
    if (d->options.entry) {
        judge_entry(&l);
    } else if (!d->versions->identical) {
        judge_all(&l);
        diff_mark_internal(d);
    }
    bitset_free(&l.written);
    vec_free(&l.order);
    arena_free(l.arena);
}

void diff_free(Diff *d)
{
    for (uint32_t i = 0; i < d->fns.n; i++) {
        for (uint32_t k = 0; k < d->fns.v[i].findings.n; k++)
            vec_free(&d->fns.v[i].findings.v[k].changes);
        vec_free(&d->fns.v[i].findings);
        vec_free(&d->fns.v[i].doubts);
    }
    vec_free(&d->fns);
    vec_free(&d->assumed);
    arena_free(d->arena);
    mem_free(d);
}

/* ---- the answer ------------------------------------------------------------------------------ */

const char *diff_fn_name(const Diff *d, uint32_t pair)
{
    const VersionsFn *f = &d->versions->fns.v[pair];
    unsigned version = f->fn[VERSIONS_NEW] != IR_NONE ? VERSIONS_NEW : VERSIONS_OLD;
    return ir_text(d->versions->program[version], d->versions->program[version]->fns.v[f->fn[version]].name);
}

uint32_t diff_count(const Diff *d, DiffKind kind)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->fns.n; i++)
        for (uint32_t k = 0; k < d->fns.v[i].findings.n && !d->fns.v[i].internal; k++)
            n += d->fns.v[i].findings.v[k].kind == kind && !d->fns.v[i].findings.v[k].accepted;
    return n;
}

static bool all_accepted(const DiffFn *f)
{
    bool all = f->findings.n > 0;
    for (uint32_t i = 0; i < f->findings.n; i++)
        all &= f->findings.v[i].accepted;
    return all;
}

DiffVerdict diff_verdict(const Diff *d)
{
    DiffVerdict worst = DIFF_IDENTICAL;
    bool open = false;
    for (uint32_t i = 0; i < d->fns.n; i++) {
        const DiffFn *f = &d->fns.v[i];
        if (f->internal)
            continue;
        if (f->verdict == DIFF_DIFFERENT && !all_accepted(f))
            return DIFF_DIFFERENT;
        open |= f->verdict == DIFF_OPEN || (f->verdict == DIFF_DIFFERENT && f->why);
        if (f->verdict == DIFF_SAME)
            worst = DIFF_SAME;
    }
    return open ? DIFF_OPEN : worst;
}
