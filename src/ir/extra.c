/* extra.c - what the textual form of a program leaves out, as bytes, for a process that reads the text: C
 * types, what the user says of parameters, the driver. Functions and globals go by their names. */
#include "ir/ir.h"

/* ---- writing --------------------------------------------------------------------------------- */

static void write_name(const IrProgram *p, uint32_t name, Str *out)
{
    wire_text(out, name ? ir_text(p, name) : "");
}

static void write_ctypes(const IrProgram *p, Str *out)
{
    wire_uint(out, p->ctypes.n);
    for (uint32_t i = 0; i < p->ctypes.n; i++) {
        const IrCType *t = &p->ctypes.v[i];
        const uint64_t numbers[] = {t->kind,        t->size,    t->of,    t->to_const,
                                    t->to_function, t->returns, t->first, t->n};
        for (size_t k = 0; k < COUNT_OF(numbers); k++)
            wire_uint(out, numbers[k]);
        write_name(p, t->name, out);
    }
    wire_uint(out, p->cmembers.n);
    for (uint32_t i = 0; i < p->cmembers.n; i++) {
        const IrCMember *m = &p->cmembers.v[i];
        write_name(p, m->name, out);
        wire_uint(out, m->type);
        wire_uint(out, m->low);
        wire_uint(out, m->bits);
    }
}

static void write_fn(const IrProgram *p, const IrFn *fn, Str *out)
{
    write_name(p, fn->name, out);
    wire_uint(out, fn->driver);
    wire_uint(out, fn->params.n);
    for (uint32_t i = 0; i < fn->params.n; i++) {
        wire_uint(out, fn->params.v[i].nonnull);
        wire_uint(out, fn->params.v[i].least);
    }
    wire_uint(out, fn->ctypes.n);
    for (uint32_t i = 0; i < fn->ctypes.n; i++)
        wire_uint(out, fn->ctypes.v[i]);
}

static void write_fn_name(const IrProgram *p, uint32_t fn, Str *out)
{
    write_name(p, p->fns.v[fn].name, out);
}

static void write_makers(const IrProgram *p, const IrMakerVec *makers, Str *out)
{
    wire_uint(out, makers->n);
    for (uint32_t i = 0; i < makers->n; i++) {
        wire_text(out, makers->v[i].name);
        wire_uint(out, makers->v[i].kind);
        wire_uint(out, makers->v[i].place);
        write_fn_name(p, makers->v[i].fn, out);
    }
}

static void write_drive(const IrProgram *p, const IrDrive *d, Str *out)
{
    wire_text(out, d->entry);
    wire_uint(out, d->calls);
    write_fn_name(p, d->fn, out);
    wire_uint(out, d->handles.n);
    for (uint32_t i = 0; i < d->handles.n; i++) {
        const IrHandle *h = &d->handles.v[i];
        wire_text(out, h->name);
        wire_uint(out, h->number);
        wire_uint(out, h->size);
        write_makers(p, &h->constructors, out);
        write_makers(p, &h->mutators, out);
    }
    wire_uint(out, d->params.n);
    for (uint32_t i = 0; i < d->params.n; i++) {
        const IrDriveParam *q = &d->params.v[i];
        const uint64_t numbers[] = {q->group, q->slot, q->handle, q->is_bound, q->is_length, q->is_counted};
        for (size_t k = 0; k < COUNT_OF(numbers); k++)
            wire_uint(out, numbers[k]);
    }
}

void ir_extra_write(const IrProgram *p, Str *out)
{
    uint32_t cursor = 0;
    uint64_t site, type;
    write_ctypes(p, out);
    wire_uint(out, p->fns.n);
    for (uint32_t i = 0; i < p->fns.n; i++)
        write_fn(p, &p->fns.v[i], out);
    wire_uint(out, p->globals.n);
    for (uint32_t i = 0; i < p->globals.n; i++) {
        write_name(p, p->globals.v[i].name, out);
        wire_uint(out, p->globals.v[i].ctype);
    }
    wire_uint(out, p->call_ctypes.n);
    while (map_next(&p->call_ctypes, &cursor, &site, &type)) {
        wire_uint(out, site);
        wire_uint(out, type);
    }
    wire_uint(out, p->drive != NULL);
    if (p->drive)
        write_drive(p, p->drive, out);
}

/* ---- and back -------------------------------------------------------------------------------- */

static uint32_t read_name(IrProgram *p, Wire *in)
{
    const char *text = wire_get_text(in, p->arena);
    return !in->bad && text[0] ? ir_string(p, text) : 0;
}

/* 0, which is not known, is in a program without types as well. */
static uint32_t read_type(const IrProgram *p, Wire *in)
{
    return (uint32_t)wire_get_below(in, p->ctypes.n ? p->ctypes.n : 1);
}

static uint32_t read_fn_name(IrProgram *p, Wire *in)
{
    uint32_t fn = ir_fn_find(p, wire_get_text(in, p->arena));
    if (fn == IR_NONE)
        wire_refuse(in);
    return fn == IR_NONE ? 0 : fn;
}

static void read_ctypes(IrProgram *p, Wire *in)
{
    vec_clear(&p->ctypes);
    for (uint32_t n = wire_get_count(in); n && !in->bad; n--) {
        IrCType t = {.kind = (IrCKind)wire_get_below(in, IR_C_RECORD + 1), .size = wire_get(in)};
        t.of = wire_get_u32(in);
        t.to_const = wire_get_below(in, 2);
        t.to_function = wire_get_below(in, 2);
        t.returns = wire_get_u32(in);
        t.first = wire_get_u32(in);
        t.n = wire_get_u32(in);
        t.name = read_name(p, in);
        vec_push(&p->ctypes, t);
    }
    vec_clear(&p->cmembers);
    for (uint32_t n = wire_get_count(in); n && !in->bad; n--) {
        IrCMember m = {.name = read_name(p, in)};
        m.type = read_type(p, in);
        m.low = wire_get(in);
        m.bits = wire_get_u32(in);
        vec_push(&p->cmembers, m);
    }
    for (uint32_t i = 0; i < p->ctypes.n; i++) {
        const IrCType *t = &p->ctypes.v[i];
        if (t->of >= p->ctypes.n || t->returns >= p->ctypes.n || t->first > p->cmembers.n ||
            t->n > p->cmembers.n - t->first)
            wire_refuse(in);
    }
}

static void read_fn(IrProgram *p, Wire *in)
{
    IrFn *fn = &p->fns.v[read_fn_name(p, in)];
    fn->driver = wire_get_below(in, 2);
    uint32_t n = wire_get_count(in);
    for (uint32_t i = 0; i < n && !in->bad; i++) {
        IrParam param = ir_param(fn, i);
        param.nonnull = wire_get_below(in, 2);
        param.least = wire_get_u32(in);
        if (i < fn->nparams)
            ir_param_set(fn, i, param);
    }
    for (n = wire_get_count(in); n && !in->bad; n--)
        vec_push(&fn->ctypes, read_type(p, in));
}

static void read_makers(IrProgram *p, IrMakerVec *makers, Wire *in)
{
    for (uint32_t n = wire_get_count(in); n && !in->bad; n--) {
        IrMaker m = {.name = wire_get_text(in, p->arena)};
        m.kind = (IrMakerKind)wire_get_below(in, IR_MAKER_MOVES + 1);
        m.place = wire_get_u32(in);
        m.fn = read_fn_name(p, in);
        vec_push(makers, m);
    }
}

static void read_drive(IrProgram *p, IrDrive *d, Wire *in)
{
    *d = (IrDrive){.entry = wire_get_text(in, p->arena)};
    d->calls = wire_get_u32(in);
    d->fn = read_fn_name(p, in);
    for (uint32_t n = wire_get_count(in); n && !in->bad; n--) {
        IrHandle h = {.name = wire_get_text(in, p->arena)};
        h.number = wire_get_u32(in);
        h.size = wire_get(in);
        read_makers(p, &h.constructors, in);
        read_makers(p, &h.mutators, in);
        vec_push(&d->handles, h);
    }
    for (uint32_t n = wire_get_count(in); n && !in->bad; n--) {
        IrDriveParam q = {.group = wire_get_u32(in), .slot = wire_get_u32(in), .handle = wire_get_u32(in)};
        q.is_bound = wire_get_below(in, 2);
        q.is_length = wire_get_below(in, 2);
        q.is_counted = wire_get_below(in, 2);
        if (q.handle != IR_NONE && q.handle >= d->handles.n)
            wire_refuse(in);
        vec_push(&d->params, q);
    }
    if (!in->bad && d->params.n != p->fns.v[d->fn].nparams)
        wire_refuse(in);
}

bool ir_extra_read(IrProgram *p, Wire *in)
{
    read_ctypes(p, in);
    for (uint32_t n = wire_get_count(in); n && p->fns.n && !in->bad; n--)
        read_fn(p, in);
    for (uint32_t n = wire_get_count(in); n && !in->bad; n--) {
        uint32_t g = ir_global_find(p, wire_get_text(in, p->arena)), type = read_type(p, in);
        if (g == IR_NONE)
            wire_refuse(in);
        else
            p->globals.v[g].ctype = type;
    }
    for (uint32_t n = wire_get_count(in); n && !in->bad; n--) {
        uint64_t site = wire_get_below(in, p->sites.n);
        map_put(&p->call_ctypes, site, read_type(p, in));
    }
    if (wire_get_below(in, 2)) {
        p->drive = arena_alloc(p->arena, sizeof *p->drive);
        read_drive(p, p->drive, in);
    }
    return !in->bad;
}
