/* output_fields.c - outputs by the places that C's types name: what a structure's members are, and which of
 * them changed. */
#include "explore/output.h"

/* An output as memory, and what is known of it. */
typedef struct Shown {
    ExprPool *pool;
    const IrProgram *program;
    const Expr *bytes;
    uint32_t n;
    bool is_input;                            /* it was an input object at first */
    ExprObject input;
    const IrGlobal *global;                   /* or else this variable; NULL: neither */
} Shown;

/* `bits` bits from `low` on, of the bytes as they are or as they were at first; EXPR_NONE: that is not known.
 */
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

static void add_field(const Shown *s, Arena *a, SignatureOutput *to, uint64_t low, uint32_t bits,
                      ExprCKind kind, const char *text)
{
    if (kind == EXPR_C_FLOAT && bits == 128)  /* long double */
        bits = 80;
    Expr value = value_at(s, low, bits, false), before = value_at(s, low, bits, true);
    if (expr_is_none(value))
        return;
    SignatureField field = {.name = arena_strdup(a, text), .value = value, .kind = kind,
                            .unchanged = !expr_is_none(before) && expr_same(value, before)};
    vec_push(&to->fields, field);
}

/* Of members of a union that share a place the first is told. */
static void add_typed(const Shown *s, Arena *a, SignatureOutput *to, uint32_t type, const char *text)
{
    IrCFieldVec fields = {0};
    Arena *texts = arena_new();
    uint64_t end = 0;
    ir_ctype_fields(s->program, type, text, false, s->n, texts, &fields);
    for (uint32_t i = 0; i < fields.n; i++) {
        const IrCField *f = &fields.v[i];
        if (f->low < end)
            continue;
        end = f->low + f->bits;
        add_field(s, a, to, f->low, f->bits, vm_c_kind(f->kind), f->text);
    }
    vec_free(&fields);
    arena_free(texts);
}

static void add_described(const Shown *s, Arena *a, SignatureOutput *to, const ExprObjectInfo *info)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < info->nfields; i++) {
        const ExprField *f = &info->fields[i];
        if (f->low < end)
            continue;
        end = f->low + f->bits;
        add_field(s, a, to, f->low, f->bits, f->kind, f->text);
    }
}

static bool find_input(ExprPool *p, const char *origin, const char *name, uint32_t size, ExprObject *out)
{
    Str key = {0};
    str_printf(&key, "%s:%s", origin, name);
    bool found = expr_object_find(p, str_text(&key), size, out);
    str_free(&key);
    return found;
}

/* Of the entry function: what it returns, a variable of the program, or an object behind a pointer. */
static void add_entry(Shown *s, Arena *a, SignatureOutput *to, const IrFn *entry)
{
    uint32_t global = ir_global_find(s->program, to->name);
    if (!strcmp(to->name, "return")) {
        if (entry && entry->ctypes.n)
            add_typed(s, a, to, entry->ctypes.v[0], "");
    } else if (find_input(s->pool, "pointee", to->name, s->n, &s->input)) {
        s->is_input = true;
        add_described(s, a, to, expr_object_info(s->pool, s->input));
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
}
