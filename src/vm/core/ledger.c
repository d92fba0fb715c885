/* ledger.c - entries found by a hash of kind, site and detail; one overflow entry for each kind when the list
 * is full. */
#include "vm/core/vm_int.h"

enum { ENTRIES_MOST = 10000 };

struct Ledger {
    Arena *arena;
    Vec(LedgerEntry) entries;
    Map index;                         /* hash to entry */
    uint32_t asked_fixed, asked_input; /* bits of LedgerEnv */
    Vec(LedgerShape) shapes;
    bool aliases;
};

static const struct EnvInfo {
    const char *word, *fixed, *input;
} envs[LEDGER_ENV_COUNT] = {
#define ENVIRONMENT(NAME, word_, fixed_, input_) \
    [LEDGER_ENV_##NAME] = {.word = word_, .fixed = fixed_, .input = input_},
#include "../../../runtime/environment.def"
#undef ENVIRONMENT
};

static const struct LedgerInfo {
    const char *word, *text, *option;
} kinds[LEDGER_KIND_COUNT] = {
#define LEDGER(NAME, word_, text_, option_) \
    [LEDGER_##NAME] = {.word = word_, .text = text_, .option = option_},
#include "vm/ledger.def"
#undef LEDGER
};

Ledger *ledger_new(void)
{
    Ledger *l = mem_zalloc(sizeof *l);
    l->arena = arena_new();
    return l;
}

void ledger_free(Ledger *l)
{
    if (!l)
        return;
    arena_free(l->arena);
    vec_free(&l->entries);
    vec_free(&l->shapes);
    map_free(&l->index);
    mem_free(l);
}

void ledger_clear(Ledger *l)
{
    arena_clear(l->arena);
    vec_clear(&l->entries);
    vec_clear(&l->shapes);
    map_clear(&l->index);
    l->asked_fixed = l->asked_input = 0;
    l->aliases = false;
}

static uint64_t key_of(LedgerKind kind, uint32_t site, const Str *detail)
{
    return hash_mix(hash_mix(hash_bytes(str_text(detail), detail->n), kind), site);
}

/* With a full list: one entry of each kind without site and detail. */
static void add_times(Ledger *l, LedgerKind kind, uint32_t site, Str *detail, uint64_t times)
{
    uint64_t at;
    if (l->entries.n >= ENTRIES_MOST && !map_get(&l->index, key_of(kind, site, detail), NULL)) {
        site = IR_NONE;
        vec_clear(detail);
    }
    uint64_t key = key_of(kind, site, detail);
    if (!map_get(&l->index, key, &at)) {
        at = l->entries.n;
        map_put(&l->index, key, at);
        vec_push(&l->entries, (LedgerEntry){kind, site, 0,
                                            arena_strndup(l->arena, detail->n ? detail->v : "", detail->n)});
    }
    l->entries.v[at].count += times;
}

void ledger_add(Ledger *l, LedgerKind kind, uint32_t site, const char *fmt, ...)
{
    Str detail = {0};
    if (fmt) {
        va_list args;
        va_start(args, fmt);
        str_vprintf(&detail, fmt, args);
        va_end(args);
    }
    add_times(l, kind, site, &detail, 1);
    str_free(&detail);
}

void ledger_asked(Ledger *l, LedgerEnv what, bool is_input)
{
    *(is_input ? &l->asked_input : &l->asked_fixed) |= UINT32_C(1) << what;
}

const char *ledger_env_word(LedgerEnv what) { return envs[what].word; }

const char *ledger_assumption(const Ledger *l, LedgerEnv what)
{
    if (l->asked_fixed >> what & 1)
        return envs[what].fixed;
    return l->asked_input >> what & 1 ? envs[what].input : NULL;
}

void ledger_assumptions_text(const Ledger *l, Str *out)
{
    bool any = false;
    for (unsigned i = 0; i < LEDGER_ENV_COUNT; i++) {
        const char *text = ledger_assumption(l, i);
        if (text)
            str_printf(out, "%s%s", any ? ", " : "assumed: ", text);
        any |= text != NULL;
    }
    if (any)
        str_add_char(out, '\n');
}

/* ---- shapes of arguments --------------------------------------------------------------------- */

void ledger_shape(Ledger *l, const char *of, const char *text, bool bounded)
{
    for (uint32_t i = 0; i < l->shapes.n; i++) {
        LedgerShape *s = &l->shapes.v[i];
        if (strcmp(s->of, of))
            continue;
        if (bounded && !s->bounded)
            *s = (LedgerShape){s->of, arena_strdup(l->arena, text), true, false};
        return;
    }
    vec_push(&l->shapes,
             (LedgerShape){arena_strdup(l->arena, of), arena_strdup(l->arena, text), bounded, false});
}

static void shape_apart(Ledger *l, const char *of, const char *text, bool bounded)
{
    uint32_t before = l->shapes.n;
    ledger_shape(l, of, text, bounded);
    if (l->shapes.n > before)
        vec_last(&l->shapes).given = true;
}

void ledger_shape_given(Ledger *l, const char *of, const char *text) { shape_apart(l, of, text, true); }
void ledger_shape_state(Ledger *l, const char *of, const char *text) { shape_apart(l, of, text, false); }

void ledger_shape_aliases(Ledger *l) { l->aliases = true; }

const char *ledger_shape_relation(const Ledger *l)
{
    bool any = false;
    for (uint32_t i = 0; i < l->shapes.n; i++)
        any |= !l->shapes.v[i].given;
    return !any ? NULL : l->aliases ? "separate, or the same if of one type" : "all separate";
}

uint32_t ledger_shape_count(const Ledger *l) { return l->shapes.n; }
const LedgerShape *ledger_shape_at(const Ledger *l, uint32_t i) { return &l->shapes.v[i]; }

bool ledger_shape_bounded(const Ledger *l)
{
    bool bounded = false;
    for (uint32_t i = 0; i < l->shapes.n; i++)
        bounded |= l->shapes.v[i].bounded;
    return bounded;
}

void ledger_shapes_text(const Ledger *l, Str *out)
{
    for (uint32_t i = 0; i < l->shapes.n; i++)
        str_printf(out, "%s%s", i ? "; " : "", l->shapes.v[i].text);
    if (ledger_shape_relation(l))
        str_printf(out, "; %s", ledger_shape_relation(l));
}

void ledger_add_all(Ledger *to, const Ledger *from)
{
    to->aliases |= from->aliases;
    for (uint32_t i = 0; i < from->shapes.n; i++)
        if (from->shapes.v[i].given)
            shape_apart(to, from->shapes.v[i].of, from->shapes.v[i].text, from->shapes.v[i].bounded);
        else
            ledger_shape(to, from->shapes.v[i].of, from->shapes.v[i].text, from->shapes.v[i].bounded);
    to->asked_fixed |= from->asked_fixed;
    to->asked_input |= from->asked_input;
    for (uint32_t i = 0; i < from->entries.n; i++) {
        const LedgerEntry *e = &from->entries.v[i];
        Str detail = {0};
        str_add(&detail, e->detail);
        add_times(to, e->kind, e->site, &detail, e->count);
        str_free(&detail);
    }
}

/* ---- as bytes -------------------------------------------------------------------------------- */

void ledger_write(const Ledger *l, bool (*skip)(LedgerKind kind), Str *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->entries.n; i++)
        n += !skip || !skip(l->entries.v[i].kind);
    wire_uint(out, n);
    for (uint32_t i = 0; i < l->entries.n; i++) {
        const LedgerEntry *e = &l->entries.v[i];
        if (skip && skip(e->kind))
            continue;
        wire_text(out, ledger_kind_word(e->kind)); /* kinds may be added */
        wire_uint(out, e->site);
        wire_uint(out, e->count);
        wire_text(out, e->detail);
    }
    wire_uint(out, l->asked_fixed);
    wire_uint(out, l->asked_input);
    wire_uint(out, l->aliases);
    wire_uint(out, l->shapes.n);
    for (uint32_t i = 0; i < l->shapes.n; i++) {
        wire_text(out, l->shapes.v[i].of);
        wire_text(out, l->shapes.v[i].text);
        wire_uint(out, l->shapes.v[i].bounded);
        wire_uint(out, l->shapes.v[i].given);
    }
}

static void read_entry(Ledger *l, Wire *in, Arena *arena, uint32_t sites)
{
    const char *word = wire_get_text(in, arena);
    uint32_t site = wire_get_u32(in);
    uint64_t count = wire_get(in);
    Str detail = {0};
    str_add(&detail, wire_get_text(in, arena));
    unsigned kind = 0;
    while (kind < LEDGER_KIND_COUNT && strcmp(kinds[kind].word, word))
        kind++;
    if (in->bad || kind == LEDGER_KIND_COUNT || !count || (site != IR_NONE && site >= sites))
        wire_refuse(in);
    else
        add_times(l, kind, site, &detail, count);
    str_free(&detail);
}

static void read_shapes(Ledger *l, Wire *in, Arena *arena)
{
    uint32_t n = wire_get_count(in);
    for (uint32_t i = 0; i < n && !in->bad; i++) {
        const char *of = wire_get_text(in, arena), *text = wire_get_text(in, arena);
        bool bounded = wire_get_below(in, 2), given = wire_get_below(in, 2);
        if (!in->bad && given)
            ledger_shape_given(l, of, text);
        else if (!in->bad)
            ledger_shape(l, of, text, bounded);
    }
}

bool ledger_read(Ledger *l, Wire *in, uint32_t sites)
{
    const uint64_t asked = UINT64_C(1) << LEDGER_ENV_COUNT;
    Arena *arena = arena_new();
    uint32_t n = wire_get_count(in);
    for (uint32_t i = 0; i < n && !in->bad; i++)
        read_entry(l, in, arena, sites);
    l->asked_fixed |= (uint32_t)wire_get_below(in, asked);
    l->asked_input |= (uint32_t)wire_get_below(in, asked);
    l->aliases |= wire_get_below(in, 2);
    read_shapes(l, in, arena);
    arena_free(arena);
    return !in->bad;
}

/* ---- one entry for each line ----------------------------------------------------------------- */

enum { DETAILS_MOST = 3 }; /* of one line that are named */

static uint64_t line_key(const LedgerEntry *e, const IrProgram *p)
{
    if (e->site == IR_NONE) /* of no line: the detail is what tells them apart */
        return hash_mix(hash_bytes(e->detail, strlen(e->detail)), e->kind);
    const IrSite *site = &p->sites.v[e->site];
    return hash_mix(hash_mix(site->file, site->line), e->kind + (uint64_t)LEDGER_KIND_COUNT);
}

/* A detail may begin with what joins it to the text of its kind. */
static const char *detail_itself(const char *detail) { return detail + strspn(detail, ":, "); }

/* `details`: how many different ones the entry has met. */
static void join(Ledger *l, LedgerEntry *to, const LedgerEntry *e, uint32_t *details)
{
    const char *more = detail_itself(e->detail);
    to->count += e->count;
    if (!*more || strstr(to->detail, more))
        return;
    ++*details;
    if (*details > DETAILS_MOST + 1)
        return;
    size_t n = strlen(to->detail);
    while (n && to->detail[n - 1] == ',') /* it may end with what joins it to the rest of the text, too */
        n--;
    to->detail =
        arena_printf(l->arena, "%.*s, or %s", (int)n, to->detail, *details <= DETAILS_MOST ? more : "other");
}

Ledger *ledger_by_line(const Ledger *l, const IrProgram *p)
{
    Ledger *lines = ledger_new();
    U32Vec details = {0};
    lines->asked_fixed = l->asked_fixed;
    lines->asked_input = l->asked_input;
    for (uint32_t i = 0; i < l->entries.n; i++) {
        LedgerEntry e = l->entries.v[i];
        uint64_t key = line_key(&e, p), at;
        if (map_get(&lines->index, key, &at)) {
            join(lines, &lines->entries.v[at], &e, &details.v[at]);
            continue;
        }
        map_put(&lines->index, key, lines->entries.n);
        e.detail = arena_strdup(lines->arena, e.detail);
        vec_push(&lines->entries, e);
        vec_push(&details, 1);
    }
    vec_free(&details);
    return lines;
}

uint32_t ledger_count(const Ledger *l) { return l->entries.n; }
const LedgerEntry *ledger_entry(const Ledger *l, uint32_t i) { return &l->entries.v[i]; }
const char *ledger_kind_word(LedgerKind kind) { return kinds[kind].word; }
const char *ledger_kind_option(LedgerKind kind) { return kinds[kind].option; }

void ledger_entry_text(const LedgerEntry *e, const IrProgram *p, Str *out)
{
    const struct LedgerInfo *k = &kinds[e->kind];
    const char *hole = strstr(k->text, "%s");
    char where[160];
    if (e->site != IR_NONE)
        str_printf(out, "%s: ", ir_site_text(p, e->site, where, sizeof where));
    str_add_n(out, k->text, hole ? (size_t)(hole - k->text) : strlen(k->text));
    if (hole) {
        str_add(out, e->detail);
        str_add(out, hole + 2);
    }
    if (e->count > 1)
        str_printf(out, " (%llu times)", (unsigned long long)e->count);
    if (k->option && !strstr(e->detail, k->option))
        str_printf(out, ": %s", k->option);
}
