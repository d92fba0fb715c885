/* output_fields.c - outputs by the places that C's types name: what a structure's members are, and which of
 * them changed. */
#include "explore/output.h"

enum { LDOUBLE_BYTES = 10 }; /* of a long double in a register; in memory it takes 16 */

/* An output as memory, and what is known of it. */
typedef struct Shown {
    ExprPool *pool;
    const IrProgram *program;
    const Expr *bytes;
    uint32_t n;
    bool is_input; /* it was an input object at first */
    ExprObject input;
    const IrGlobal *global; /* or else this variable; NULL: neither */
    BitSet covered;         /* bytes of which a field shows the value */
} Shown;

/* `bits` bits from `low` on, of the bytes as they are or as they were at first; EXPR_NONE: that is not
 * known. */
static Expr value_at(const Shown *s, uint64_t low, uint32_t bits, bool at_first)
{
    Expr bytes[17];
    uint32_t from = (uint32_t)(low / 8), n = (uint32_t)((low + bits + 7) / 8) - from;
    if (n > COUNT_OF(bytes) || from + n > s->n)
        return EXPR_NONE;
    for (uint32_t i = 0; i < n; i++) {
        if (!at_first)
            bytes[i] = s->bytes[from + i];
        else if (s->is_input)
            bytes[i] = expr_object_byte(s->pool, s->input, from + i);
        else if (s->global)
            bytes[i] = expr_const(s->pool, 8, s->global->bytes ? s->global->bytes[from + i] : 0);
        else
            return EXPR_NONE;
    }
    Expr all = expr_concat_bytes(s->pool, bytes, n);
    return expr_extract(s->pool, all, (unsigned)(low % 8), bits);
}

/* Is the narrow place in a word that holds an address? */
static bool in_address(const Shown *s, uint64_t low, uint32_t bits)
{
    Expr word = bits < 64 ? value_at(s, low / 64 * 64, 64, false) : EXPR_NONE;
    return !expr_is_none(word) && expr_is_address(s->pool, word);
}

static void add_field(Shown *s, Arena *a, SignatureOutput *to, const ExprField *f)
{
    uint32_t bits = f->kind == EXPR_C_FLOAT && f->bits == 128 ? 80 : f->bits; /* long double */
    Expr value = value_at(s, f->low, bits, false), before = value_at(s, f->low, bits, true);
    if (expr_is_none(value))
        return;
    SignatureField field = {.name = arena_strdup(a, f->text),
                            .value = value,
                            .kind = f->kind,
                            .unchanged = !expr_is_none(before) && expr_same(value, before),
                            .in_address = in_address(s, f->low, f->bits)};
    vec_push(&to->fields, field);
    for (uint64_t byte = f->low / 8; byte < (f->low + f->bits + 7) / 8; byte++)
        bitset_add(&s->covered, (uint32_t)byte);
}

/* How well the members of a union that stand one after another show what changed: by bytes, less where
 * several values share a member, more where a member's type is what the value looks like. */
static uint64_t shown_changes(const Shown *s, const ExprField *f, uint32_t n)
{
    enum { MIXED = 1, PLAIN = 2, ALIKE = 3 };
    uint64_t score = 0;
    for (uint32_t i = 0; i < n; i++) {
        Expr value = value_at(s, f[i].low, f[i].bits, false);
        if (expr_is_none(value))
            continue;
        bool alike = (f[i].kind == EXPR_C_POINTER && expr_looks_pointer(s->pool, value)) ||
                     (f[i].kind == EXPR_C_FLOAT && expr_looks_float(s->pool, value));
        Expr inner = expr_op(s->pool, value) == EXPR_ZEXT ? expr_child(s->pool, value, 0) : value;
        bool mixed = expr_op(s->pool, inner) == EXPR_CONCAT && !expr_is_input(s->pool, inner);
        for (uint64_t low = f[i].low / 8 * 8; low < f[i].low + f[i].bits; low += 8) {
            Expr now = value_at(s, low, 8, false), before = value_at(s, low, 8, true);
            if (expr_is_none(before) || !expr_same(now, before))
                score += alike ? ALIKE : mixed ? MIXED : PLAIN;
        }
    }
    return score;
}

/* Fields from the first on that share their place with later ones: how many. */
static uint32_t union_length(const ExprField *f, uint32_t n)
{
    uint64_t end = f[0].low + f[0].bits;
    uint32_t k = 1;
    for (; k < n && f[k].low < end; k++)
        end = f[k].low + f[k].bits > end ? f[k].low + f[k].bits : end;
    return k;
}

/* Of the members of a union that share a place the one is shown that says most of what changed, else the
 * first. */
static void add_fields(Shown *s, Arena *a, SignatureOutput *to, const ExprField *f, uint32_t n)
{
    for (uint32_t i = 0, shared; i < n; i += shared) {
        shared = union_length(f + i, n - i);
        uint32_t best = i, most = 1;
        uint64_t score = 0;
        for (uint32_t first = i, next; first < i + shared; first = next) {
            for (next = first + 1; next < i + shared && f[next].low >= f[next - 1].low + f[next - 1].bits;)
                next++;
            uint64_t this = shared > 1 ? shown_changes(s, f + first, next - first) : 1;
            if (this > score || first == i)
                best = first, most = next - first, score = this;
        }
        for (uint32_t k = best; k < best + most; k++)
            add_field(s, a, to, &f[k]);
    }
}

static void add_typed(Shown *s, Arena *a, SignatureOutput *to, uint32_t type, const char *text)
{
    IrCFieldVec fields = {0};
    Vec(ExprField) all = {0};
    Arena *texts = arena_new();
    if (type && s->program->ctypes.v[type].kind == IR_C_FLOAT && s->n == LDOUBLE_BYTES)
        vec_push(&all, (ExprField){.bits = 8 * LDOUBLE_BYTES, .kind = EXPR_C_FLOAT, .text = text});
    ir_ctype_fields(s->program, type, text, false, s->n, texts, &fields);
    for (uint32_t i = 0; i < fields.n; i++)
        vec_push(&all, vm_field(s->program, &fields.v[i]));
    add_fields(s, a, to, all.v, all.n);
    vec_free(&all);
    vec_free(&fields);
    arena_free(texts);
}

/* Did a byte change that no field shows? Then the fields would hide it. */
static bool leaves_out(const Shown *s)
{
    for (uint32_t i = 0; i < s->n && (s->is_input || s->global); i++)
        if (!bitset_has(&s->covered, i) && !expr_same(s->bytes[i], value_at(s, 8ull * i, 8, true)))
            return true;
    return false;
}

static bool find_input(ExprPool *p, const char *origin, const char *name, uint32_t size, ExprObject *out)
{
    Str key = {0};
    str_printf(&key, "%s:%s", origin, name);
    bool found = expr_object_find(p, str_text(&key), size, out);
    str_free(&key);
    return found;
}

/* The object behind a pointer, which has the name of the way to it, or what C calls it. */
static bool find_pointee(ExprPool *p, const char *name, uint32_t size, ExprObject *out)
{
    bool found = find_input(p, "pointee", name, size, out);
    for (uint32_t i = 0; i < expr_object_count(p) && !found; i++) {
        const ExprObjectInfo *o = expr_object_info(p, (ExprObject){i});
        found = o->pointer && o->size == size && *name == '*' && !strcmp(o->pointer, name + 1);
        *out = (ExprObject){i};
    }
    return found;
}

/* Of the entry function: what it returns, a variable of the program, or an object behind a pointer. */
static void add_entry(Shown *s, Arena *a, SignatureOutput *to, const IrFn *entry)
{
    uint32_t global = ir_global_find(s->program, to->name);
    if (!strcmp(to->name, "return")) {
        if (entry && entry->ctypes.n)
            add_typed(s, a, to, entry->ctypes.v[0], "");
    } else if (find_pointee(s->pool, to->name, s->n, &s->input)) {
        s->is_input = true;
        const ExprObjectInfo *info = expr_object_info(s->pool, s->input);
        add_fields(s, a, to, info->fields, info->nfields);
    } else if (global != IR_NONE && s->program->globals.v[global].size == s->n) {
        s->global = &s->program->globals.v[global];
        s->is_input = find_input(s->pool, "global", to->name, s->n, &s->input);
        add_typed(s, a, to, s->global->ctype, to->name);
    }
}

void output_fields(Output *o, const IrProgram *program, const char *entry, SignatureOutput *to,
                   const VmOutput *out, const Expr *bytes)
{
    Shown s = {.pool = o->pool, .program = program, .bytes = bytes, .n = out->n};
    uint32_t fn = entry ? ir_fn_find(program, entry) : IR_NONE;
    uint64_t type = 0;
    if (out->stream == VM_OUTPUT_ENTRY)
        add_entry(&s, o->signature.arena, to, fn == IR_NONE ? NULL : &program->fns.v[fn]);
    else if (strmap_get(&program->output_ctypes, to->name, &type) ||
             (out->site != IR_NONE && map_get(&program->call_ctypes, out->site, &type)))
        add_typed(&s, o->signature.arena, to, (uint32_t)type, "");
    if (leaves_out(&s))
        vec_clear(&to->fields);
    bitset_free(&s.covered);
}
