/* effects.c - reads runtime/effects.def: a line for a function of libc is a list of words, explained
 * there. */
#include "flow/effects.h"

static const struct Line {
    const char *name, *words;
} lines[] = {
#define EFFECTS(name, words) {#name, words},
#include "../../runtime/effects.def"
#undef EFFECTS
};

const char *effects_name(uint32_t i) { return i < COUNT_OF(lines) ? lines[i].name : NULL; }

static const struct Word {
    const char *text;
    EffectKind kind;
    uint8_t operands;
} words[] = {
    /* longer ones first where one begins another */
    {"into", EFFECT_RETURN_INTO, 1},
    {"same", EFFECT_RETURN, 1},
    {"new", EFFECT_RETURN_NEW, 0},
    {"copy", EFFECT_COPY, 2},
    {"put", EFFECT_PUT, 2},
    {"call", EFFECT_CALL, 1},
    {"stream", EFFECT_STREAM, 1},
    {"file", EFFECT_STREAM_OF, 1},
    {"fd", EFFECT_DESCRIPTOR, 1},
    {"format", EFFECT_FORMAT, 1},
    {"input", EFFECT_INPUT, 1},
    {"exits", EFFECT_EXITS, 0},
    {"never", EFFECT_NEVER, 0},
    {"free", EFFECT_FREE, 1},
    {"readall", EFFECT_READ_ALL, 1},
    {"read", EFFECT_READ, 1},
    {"writeall", EFFECT_WRITE_ALL, 1},
    {"write", EFFECT_WRITE, 1},
};

static uint8_t operand(const struct Line *line, char c)
{
    switch (c) {
    case 'v': return EFFECT_VARIABLE;
    case '=': return EFFECT_RESULT;
    case 'n': return EFFECT_NEW;
    case '-': return EFFECT_NOTHING;
    default:
        if (c < '0' || c > '9')
            bug("effects of %s: operand '%c'", line->name, c);
        return (uint8_t)(c - '0');
    }
}

/* A word is a kind and its operands: "copy01", "call3(00)". */
static Effect read_word(const struct Line *line, const char *text, size_t size)
{
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        size_t n = strlen(words[i].text), at = n;
        if (size < n || memcmp(text, words[i].text, n) || size < n + words[i].operands)
            continue;
        Effect e = {.kind = words[i].kind};
        if (words[i].operands > 0)
            e.a = operand(line, text[at++]);
        if (words[i].operands > 1)
            e.b = operand(line, text[at++]);
        if (at < size && text[at] == '(')
            for (at++; at < size && text[at] != ')' && e.nargs < COUNT_OF(e.args);)
                e.args[e.nargs++] = operand(line, text[at++]);
        return e;
    }
    bug("effects of %s: '%.*s'", line->name, (int)size, text);
}

static const Effects *read_line(const struct Line *line, Arena *a)
{
    Vec(Effect) list = {0};
    for (const char *at = line->words; *at;) {
        size_t n = strcspn(at, " ");
        if (n)
            vec_push(&list, read_word(line, at, n));
        at += n + (at[n] == ' ');
    }
    Effects *e = arena_alloc(a, sizeof *e);
    Effect *copy = arena_alloc(a, (list.n + 1) * sizeof *copy);
    if (list.n)
        memcpy(copy, list.v, list.n * sizeof *copy);
    *e = (Effects){line->name, list.n, copy};
    vec_free(&list);
    return e;
}

/* glibc's headers send sscanf to __isoc99_sscanf by a label, and its neighbours alike. */
const Effects **effects_bind(const IrProgram *p, Arena *a)
{
    static const char *const labels[] = {"", "__isoc99_", "__isoc23_"};
    const Effects **of = arena_alloc(a, (p->fns.n + 1) * sizeof *of);
    for (size_t i = 0; i < COUNT_OF(lines); i++)
        for (size_t k = 0; k < COUNT_OF(labels); k++) {
            char name[64];
            snprintf(name, sizeof name, "%s%s", labels[k], lines[i].name);
            uint32_t fn = ir_fn_find(p, name);
            if (fn != IR_NONE && (p->fns.v[fn].runtime || !p->fns.v[fn].defined))
                of[fn] = read_line(&lines[i], a);
        }
    return of;
}

bool effects_have(const Effects *e, EffectKind kind)
{
    for (uint32_t i = 0; i < e->n; i++)
        if (e->v[i].kind == kind)
            return true;
    return false;
}

bool effects_only_make(const Effects *e)
{
    bool makes = false, only = true;
    for (uint32_t i = 0; e && i < e->n; i++) {
        EffectKind kind = e->v[i].kind;
        makes |= kind == EFFECT_RETURN_NEW;
        only &= kind == EFFECT_RETURN_NEW || kind == EFFECT_READ || kind == EFFECT_FREE ||
                (kind == EFFECT_COPY && e->v[i].a == EFFECT_RESULT);
    }
    return makes && only;
}
