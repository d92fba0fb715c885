/* pair_globals.c - globals by name, then those that are left by equal content: renames, and literals, whose
 * names are the compiler's. */
#include "versions/versions_int.h"

enum { DEPTH = 8 }; /* addresses in addresses that content is compared through */

/* What the compiler or the user made without a name that others see, and the program never writes: content
 * says which it is. */
static bool is_literal(const IrGlobal *g) { return g->constant && g->local && g->defined; }

static uint64_t text_hash(const IrProgram *p, uint32_t name)
{
    const char *text = ir_text(p, name);
    return hash_bytes(text, strlen(text));
}

static uint64_t content(const Pairing *p, unsigned version, uint32_t global, unsigned depth)
{
    const IrProgram *program = p->v->program[version];
    const IrGlobal *g = &program->globals.v[global];
    uint64_t h = hash_mix(hash_mix(g->size, g->align), (uint64_t)g->constant << 1 | g->defined);
    bool zero = true;
    for (uint64_t i = 0; g->bytes && i < g->size && zero; i++)
        zero = !g->bytes[i];
    h = hash_mix(h, zero ? 0 : hash_bytes(g->bytes, g->size));
    for (uint32_t i = 0; i < g->relocs.n; i++) {
        const IrConst *c = &g->relocs.v[i].value;
        uint64_t to = 0;
        if (c->kind == IR_CONST_FN || c->kind == IR_CONST_BLOCK)
            to = hash_mix(p->fn_token[version][c->index], c->kind == IR_CONST_BLOCK ? c->block : 0);
        else if (c->kind == IR_CONST_GLOBAL && is_literal(&program->globals.v[c->index]))
            to = depth ? content(p, version, c->index, depth - 1) : 1;
        else if (c->kind == IR_CONST_GLOBAL)
            to = text_hash(program, program->globals.v[c->index].name);
        h = hash_mix(h, hash_mix(hash_mix(g->relocs.v[i].offset, c->kind), hash_mix(to, (uint64_t)c->bits)));
    }
    return h;
}

static void pair(Pairing *p, uint32_t old, uint32_t new, const uint64_t *was, const uint64_t *is)
{
    Versions *v = p->v;
    VersionsGlobal g = {.global = {old, new}};
    unsigned version = new != IR_NONE ? VERSIONS_NEW : VERSIONS_OLD;
    g.literal = is_literal(&v->program[version]->globals.v[g.global[version]]);
    g.identical = old != IR_NONE && new != IR_NONE &&was[old] == is[new];
    if (old != IR_NONE && new != IR_NONE) {
        uint64_t name = text_hash(v->program[VERSIONS_OLD], v->program[VERSIONS_OLD]->globals.v[old].name);
        p->global_token[VERSIONS_OLD][old] = hash_mix(name, was[old]);
        p->global_token[VERSIONS_NEW][new] = hash_mix(name, is[new]);
    }
    vec_push(&v->globals, g);
}

/* In the order of the programs, those with equal content that have no partner yet. */
static void pair_by_content(Pairing *p, uint64_t *hash[2], BitSet taken[2])
{
    const IrProgram *old = p->v->program[VERSIONS_OLD], *new = p->v->program[VERSIONS_NEW];
    Map waiting = {0}; /* content to 1 + the last of NEW with it */
    uint32_t *before = mem_zalloc(new->globals.n * sizeof *before + 1);
    for (uint32_t i = new->globals.n; i-- > 0;)
        if (!bitset_has(&taken[VERSIONS_NEW], i)) {
            uint64_t *at = map_at(&waiting, hash[VERSIONS_NEW][i]);
            before[i] = (uint32_t)*at;
            *at = i + 1;
        }
    for (uint32_t i = 0; i < old->globals.n; i++) {
        uint64_t *at = bitset_has(&taken[VERSIONS_OLD], i) ? NULL : map_at(&waiting, hash[VERSIONS_OLD][i]);
        if (!at || !*at)
            continue;
        uint32_t other = (uint32_t)*at - 1;
        *at = before[other];
        pair(p, i, other, hash[VERSIONS_OLD], hash[VERSIONS_NEW]);
        bitset_add(&taken[VERSIONS_OLD], i);
        bitset_add(&taken[VERSIONS_NEW], other);
    }
    map_free(&waiting);
    mem_free(before);
}

/* Literals have the token of their content whether paired or not: code that names an equal one is equal. */
static void begin(Pairing *p, unsigned version, uint64_t *hash, BitSet *taken)
{
    const IrProgram *program = p->v->program[version];
    for (uint32_t i = 0; i < program->globals.n; i++) {
        const IrGlobal *g = &program->globals.v[i];
        uint64_t name = text_hash(program, g->name);
        hash[i] = content(p, version, i, DEPTH);
        p->global_token[version][i] = g->runtime      ? name
                                      : is_literal(g) ? hash[i]
                                                      : hash_mix(name, version + 1);
        if (g->runtime)
            bitset_add(taken, i);
    }
}

void pair_globals(Pairing *p)
{
    IrProgram *const *program = p->v->program;
    uint64_t *hash[2];
    BitSet taken[2] = {{0}};
    for (unsigned i = 0; i < 2; i++) {
        hash[i] = mem_alloc(program[i]->globals.n * sizeof *hash[i] + 1);
        begin(p, i, hash[i], &taken[i]);
    }
    for (uint32_t i = 0; i < program[1]->globals.n; i++) {
        const IrGlobal *g = &program[1]->globals.v[i];
        uint32_t other =
            g->runtime || is_literal(g) ? IR_NONE : ir_global_find(program[0], ir_text(program[1], g->name));
        if (other == IR_NONE || bitset_has(&taken[0], other))
            continue;
        pair(p, other, i, hash[0], hash[1]);
        bitset_add(&taken[0], other);
        bitset_add(&taken[1], i);
    }
    uint32_t named = p->v->globals.n;
    pair_by_content(p, hash, taken);
    for (uint32_t i = named; i < p->v->globals.n; i++) { /* a literal's name says nothing */
        const VersionsGlobal *g = &p->v->globals.v[i];
        if (is_literal(&program[1]->globals.v[g->global[1]]))
            p->global_token[0][g->global[0]] = p->global_token[1][g->global[1]] = hash[0][g->global[0]];
    }
    for (unsigned version = 0; version < 2; version++)
        for (uint32_t i = 0; i < program[version]->globals.n; i++)
            if (!bitset_has(&taken[version], i))
                pair(p, version ? IR_NONE : i, version ? i : IR_NONE, hash[0], hash[1]);
    for (unsigned i = 0; i < 2; i++) {
        mem_free(hash[i]);
        bitset_free(&taken[i]);
    }
}
