/* pair.c - which function of OLD is which of NEW, and whether they are identical: see versions.h. */
#include "versions/versions_int.h"

enum { LIKE_PERCENT = 50 }; /* instructions in common from which on two functions are versions of one */

/* What the front end makes around constructors is no function of the user's: the lists of those are compared.
 */
static bool is_users(const IrProgram *p, const IrFn *fn)
{
    return fn->defined && !fn->runtime && !text_starts_with(ir_text(p, fn->name), "__sheaf_");
}

static const char *fn_name(const Versions *v, unsigned version, uint32_t fn)
{
    return ir_text(v->program[version], v->program[version]->fns.v[fn].name);
}

static uint64_t name_token(const Versions *v, unsigned version, uint32_t fn)
{
    const char *name = fn_name(v, version, fn);
    return hash_bytes(name, strlen(name));
}

/* Both can be called with the same arguments. */
static bool same_shape(const IrFn *a, const IrFn *b)
{
    bool same = a->nparams == b->nparams && a->results.n == b->results.n && a->variadic == b->variadic;
    for (uint32_t i = 0; same && i < a->nparams; i++) {
        IrParam p = ir_param(a, i), q = ir_param(b, i);
        same = a->regs.v[i].width == b->regs.v[i].width && p.kind == q.kind && p.size == q.size &&
               p.offset == q.offset;
    }
    for (uint32_t i = 0; same && i < a->results.n; i++)
        same = a->results.v[i] == b->results.v[i];
    return same;
}

static void pair_fns(Pairing *p, uint32_t old, uint32_t new)
{
    Versions *v = p->v;
    VersionsFn f = {.fn = {old, new}};
    if (old != IR_NONE)
        v->fn_of[VERSIONS_OLD].v[old] = v->fns.n;
    if (new != IR_NONE)
        v->fn_of[VERSIONS_NEW].v[new] = v->fns.n;
    if (old != IR_NONE && new != IR_NONE) {
        f.renamed = strcmp(fn_name(v, VERSIONS_OLD, old), fn_name(v, VERSIONS_NEW, new)) != 0;
        f.outlined = v->program[VERSIONS_NEW]->fns.v[new].outlined;
        f.shape = same_shape(&v->program[VERSIONS_OLD]->fns.v[old], &v->program[VERSIONS_NEW]->fns.v[new]);
        p->fn_token[VERSIONS_NEW][new] = p->fn_token[VERSIONS_OLD][old];
    }
    vec_push(&v->fns, f);
}

static bool is_free(const Versions *v, unsigned version, uint32_t fn)
{
    return is_users(v->program[version], &v->program[version]->fns.v[fn]) &&
           v->fn_of[version].v[fn] == IR_NONE;
}

static void by_name(Pairing *p)
{
    const IrProgram *old = p->v->program[VERSIONS_OLD], *new = p->v->program[VERSIONS_NEW];
    for (uint32_t i = 0; i < new->fns.n; i++) {
        uint32_t other =
            is_users(new, &new->fns.v[i]) ? ir_fn_find(old, fn_name(p->v, VERSIONS_NEW, i)) : IR_NONE;
        if (other != IR_NONE && is_free(p->v, VERSIONS_OLD, other))
            pair_fns(p, other, i);
    }
}

static uint64_t words_hash(const U64Vec *words)
{
    return hash_mix(words->n, hash_bytes(words->v, words->n * sizeof *words->v));
}

/* Renames: equal code, whatever it calls. */
static bool by_code(Pairing *p)
{
    Versions *v = p->v;
    Map left = {0}; /* hash to 1 + a function of NEW */
    U64Vec words = {0};
    uint32_t before = v->fns.n;
    uint64_t at;
    for (uint32_t i = v->program[VERSIONS_NEW]->fns.n; i-- > 0;)
        if (is_free(v, VERSIONS_NEW, i)) {
            pair_canon(p, VERSIONS_NEW, i, true, &words);
            map_put(&left, words_hash(&words), i + 1);
        }
    for (uint32_t i = 0; left.n && i < v->program[VERSIONS_OLD]->fns.n; i++)
        if (is_free(v, VERSIONS_OLD, i)) {
            pair_canon(p, VERSIONS_OLD, i, true, &words);
            if (map_get(&left, words_hash(&words), &at) && is_free(v, VERSIONS_NEW, (uint32_t)at - 1))
                pair_fns(p, i, (uint32_t)at - 1);
        }
    map_free(&left);
    vec_free(&words);
    return v->fns.n > before;
}

/* In percent of the longer one. */
static uint32_t likeness(const Pairing *p, uint32_t old, uint32_t new)
{
    PairPlaces a = {0}, b = {0};
    uint32_t same = 0;
    pair_places(p, VERSIONS_OLD, old, &a);
    pair_places(p, VERSIONS_NEW, new, &b);
    uint32_t most = a.n > b.n ? a.n : b.n;
    if (a.n && b.n)
        pair_match(&a, &b);
    for (uint32_t i = 0; i < a.n; i++)
        same += a.v[i].partner != IR_NONE && !a.v[i].moved;
    vec_free(&a);
    vec_free(&b);
    return most ? 100 * same / most : 0;
}

static bool by_likeness(Pairing *p)
{
    const Versions *v = p->v;
    uint32_t before = v->fns.n;
    for (uint32_t i = 0; i < v->program[VERSIONS_OLD]->fns.n; i++) {
        uint32_t best = IR_NONE, most = LIKE_PERCENT;
        for (uint32_t k = 0; is_free(v, VERSIONS_OLD, i) && k < v->program[VERSIONS_NEW]->fns.n; k++) {
            uint32_t like = is_free(v, VERSIONS_NEW, k) ? likeness(p, i, k) : 0;
            if (like > most) {
                most = like;
                best = k;
            }
        }
        if (best != IR_NONE)
            pair_fns(p, i, best);
    }
    return v->fns.n > before;
}

/* ---- layouts --------------------------------------------------------------------------------- */

static bool same_type(const IrProgram *p, uint32_t x, const IrProgram *q, uint32_t y, unsigned depth)
{
    const IrCType *a = x < p->ctypes.n ? &p->ctypes.v[x] : NULL,
                  *b = y < q->ctypes.n ? &q->ctypes.v[y] : NULL;
    if (!a || !b || !x || !y || !depth)
        return true; /* not known: the widths are all there is to go by */
    bool record = a->kind == IR_C_RECORD;
    if (a->size != b->size ||
        (record || a->kind == IR_C_ARRAY) != (b->kind == IR_C_RECORD || b->kind == IR_C_ARRAY))
        return false;
    if (a->kind == IR_C_POINTER || a->kind == IR_C_ARRAY)
        return a->kind == b->kind && same_type(p, a->of, q, b->of, depth - 1);
    if (record && (b->kind != IR_C_RECORD || a->n != b->n))
        return false;
    for (uint32_t i = 0; record && i < a->n; i++) {
        const IrCMember *m = &p->cmembers.v[a->first + i], *n = &q->cmembers.v[b->first + i];
        if (m->low != n->low || m->bits != n->bits || !same_type(p, m->type, q, n->type, depth - 1))
            return false;
    }
    return true;
}

/* The list of types has what is returned first, then C's parameters. */
static const char *changed_layout(const Versions *v, const VersionsFn *f)
{
    enum { DEPTH = 6 };
    const IrFn *old = &v->program[VERSIONS_OLD]->fns.v[f->fn[VERSIONS_OLD]],
               *new = &v->program[VERSIONS_NEW]->fns.v[f->fn[VERSIONS_NEW]];
    uint32_t reg = 0;
    for (uint32_t i = 0; i < old->ctypes.n && i < new->ctypes.n; i++) {
        bool same = same_type(v->program[VERSIONS_OLD], old->ctypes.v[i], v->program[VERSIONS_NEW],
                              new->ctypes.v[i], DEPTH);
        if (!same)
            return !i ? "its result"
                   : reg < new->nparams &&new->regs.v[reg].name
                       ? ir_text(v->program[VERSIONS_NEW], new->regs.v[reg].name)
                       : "a parameter";
        if (i)
            reg += ir_param_parts(new, reg);
    }
    return NULL;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void compare(Pairing *p, VersionsFn *f)
{
    U64Vec words[2] = {{0}};
    for (unsigned i = 0; i < 2; i++)
        pair_canon(p, i, f->fn[i], false, &words[i]);
    f->identical =
        words[0].n == words[1].n && !memcmp(words[0].v, words[1].v, words[0].n * sizeof *words[0].v);
    f->layout = changed_layout(p->v, f);
    vec_free(&words[0]);
    vec_free(&words[1]);
}

static bool same_lists(const Pairing *p, const U32Vec *old, const U32Vec *new)
{
    bool same = old->n == new->n;
    for (uint32_t i = 0; same && i < old->n; i++)
        same = p->fn_token[VERSIONS_OLD][old->v[i]] == p->fn_token[VERSIONS_NEW][new->v[i]];
    return same;
}

static bool all_identical(const Pairing *p)
{
    const Versions *v = p->v;
    const IrProgram *old = v->program[VERSIONS_OLD], *new = v->program[VERSIONS_NEW];
    bool same = same_lists(p, &old->constructors, &new->constructors) &&
                same_lists(p, &old->destructors, &new->destructors);
    for (uint32_t i = 0; same && i < v->fns.n; i++)
        same = v->fns.v[i].identical;
    for (uint32_t i = 0; same && i < v->globals.n; i++)
        same = v->globals.v[i].identical || v->globals.v[i].literal;
    return same;
}

static void all_changed(Versions *v, unsigned version, VersionsFn *f)
{
    const IrFn *fn = &v->program[version]->fns.v[f->fn[version]];
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++)
            vec_push(&v->changed[version], (FlowSite){f->fn[version], b, i});
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        f->insns[version] += fn->blocks.v[b].insns.n;
    f->changed[version] = f->insns[version];
}

static void pair_rest(Pairing *p)
{
    for (unsigned version = 2; version-- > 0;)
        for (uint32_t i = 0; i < p->v->program[version]->fns.n; i++)
            if (is_free(p->v, version, i))
                pair_fns(p, version ? IR_NONE : i, version ? i : IR_NONE);
}

static void begin(Pairing *p)
{
    Versions *v = p->v;
    for (unsigned i = 0; i < 2; i++) {
        uint32_t n = v->program[i]->fns.n;
        p->fn_token[i] = mem_alloc(n * sizeof *p->fn_token[i] + 1);
        p->global_token[i] = mem_zalloc(v->program[i]->globals.n * sizeof *p->global_token[i] + 1);
        for (uint32_t f = 0; f < n; f++) {
            uint64_t name = name_token(v, i, f);
            p->fn_token[i][f] =
                is_users(v->program[i], &v->program[i]->fns.v[f]) ? hash_mix(name, i + 1) : name;
            vec_push(&v->fn_of[i], IR_NONE);
        }
    }
}

Versions *versions_pair(IrProgram *old, IrProgram *new, unsigned rules_off)
{
    Versions *v = mem_zalloc(sizeof *v);
    Pairing p = {.v = v, .rules_off = rules_off};
    v->program[VERSIONS_OLD] = old;
    v->program[VERSIONS_NEW] = new;
    begin(&p);
    by_name(&p);
    pair_globals(&p);
    bool renamed = by_code(&p);
    renamed |= by_likeness(&p);
    pair_rest(&p);
    if (renamed) { /* globals hold addresses of functions */
        vec_clear(&v->globals);
        pair_globals(&p);
    }
    for (uint32_t i = 0; i < v->fns.n; i++) {
        VersionsFn *f = &v->fns.v[i];
        if (f->fn[VERSIONS_OLD] != IR_NONE && f->fn[VERSIONS_NEW] != IR_NONE) {
            compare(&p, f);
            pair_insns(&p, f);
        } else {
            all_changed(v, f->fn[VERSIONS_NEW] != IR_NONE ? VERSIONS_NEW : VERSIONS_OLD, f);
        }
    }
    v->identical = all_identical(&p);
    if (!(rules_off & VERSIONS_OFF_TAGS))
        pair_tags(&p);
    for (unsigned i = 0; i < 2; i++) {
        mem_free(p.fn_token[i]);
        mem_free(p.global_token[i]);
    }
    return v;
}

void versions_free(Versions *v)
{
    for (unsigned i = 0; i < 2; i++) {
        vec_free(&v->fn_of[i]);
        vec_free(&v->changed[i]);
        map_free(&v->partner[i]);
    }
    vec_free(&v->fns);
    vec_free(&v->globals);
    mem_free(v);
}

bool versions_partner(const Versions *v, unsigned version, FlowSite at, FlowSite *out)
{
    uint64_t place;
    uint32_t pair = at.fn < v->fn_of[version].n ? v->fn_of[version].v[at.fn] : IR_NONE;
    if (pair == IR_NONE || !map_get(&v->partner[version], flow_site_key(at), &place))
        return false;
    *out = (FlowSite){v->fns.v[pair].fn[!version], (uint32_t)(place >> 32), (uint32_t)place};
    return true;
}

/* ---- unchanged, with all that is called ------------------------------------------------------ */

static bool calls_only(const Versions *v, const IrFn *fn, const BitSet *same)
{
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            uint32_t to = insn->op == IR_CALL ? v->fn_of[VERSIONS_NEW].v[insn->a] : IR_NONE;
            if (insn->op == IR_CALLPTR || (to != IR_NONE && !bitset_has(same, to)))
                return false;
        }
    return true;
}

void versions_unchanged(const Versions *v, BitSet *out)
{
    bool again = true;
    for (uint32_t i = 0; i < v->fns.n; i++)
        if (v->fns.v[i].identical)
            bitset_add(out, i);
    while (again) {
        again = false;
        for (uint32_t i = bitset_next(out, 0); i != UINT32_MAX; i = bitset_next(out, i + 1))
            if (!calls_only(v, &v->program[VERSIONS_NEW]->fns.v[v->fns.v[i].fn[VERSIONS_NEW]], out)) {
                bitset_remove(out, i);
                again = true;
            }
    }
}
