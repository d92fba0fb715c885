/* pack.c - a test as few bytes, for a store that holds many.
 *
 * The tests of one exploration are alike: the same program, arguments and files, mostly the same objects with
 * other bytes. Each is written as what differs from a base, one of them that was written whole. Objects are
 * compared by their place in the list. */
#include "suite/suite_int.h"

enum { SAME_FORM = 1, SAME_DATA = 2 }; /* of an object: as the base's */

/* ---- what all tests of an exploration have in common ----------------------------------------- */

typedef StrVec *TextsOf(SuiteTest *t);
static StrVec *argv_of(SuiteTest *t) { return &t->argv; }
static StrVec *inputs_of(SuiteTest *t) { return &t->inputs; }
static StrVec *flags_of(SuiteTest *t) { return &t->flags; }
static StrVec *checks_of(SuiteTest *t) { return &t->checks; }
static StrVec *made_of(SuiteTest *t) { return &t->made; }
static TextsOf *const lists[] = {argv_of, inputs_of, flags_of, checks_of, made_of};

static bool same_texts(const StrVec *a, const StrVec *b)
{
    bool same = a->n == b->n;
    for (uint32_t i = 0; i < a->n && same; i++)
        same = a->v[i] == b->v[i] || !strcmp(a->v[i], b->v[i]);
    return same;
}

static bool same_head(const SuiteTest *t, const SuiteTest *base)
{
    bool same = !strcmp(t->entry, base->entry) && !strcmp(t->program, base->program);
    for (size_t i = 0; i < COUNT_OF(lists) && same; i++)
        same = same_texts(lists[i]((SuiteTest *)t), lists[i]((SuiteTest *)base));
    return same;
}

static void pack_head(const SuiteTest *t, Str *out)
{
    wire_text(out, t->entry);
    wire_text(out, t->program);
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        const StrVec *texts = lists[i]((SuiteTest *)t);
        wire_uint(out, texts->n);
        for (uint32_t k = 0; k < texts->n; k++)
            wire_text(out, texts->v[k]);
    }
}

static void unpack_head(Wire *in, SuiteTest *t)
{
    t->entry = wire_get_text(in, t->arena);
    t->program = wire_get_text(in, t->arena);
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        for (uint32_t n = wire_get_count(in); n && !in->bad; n--)
            vec_push(lists[i](t), wire_get_text(in, t->arena));
}

static void copy_head(const SuiteTest *base, SuiteTest *t)
{
    t->entry = arena_strdup(t->arena, base->entry);
    t->program = arena_strdup(t->arena, base->program);
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        const StrVec *texts = lists[i]((SuiteTest *)base);
        for (uint32_t k = 0; k < texts->n; k++)
            vec_push(lists[i](t), arena_strdup(t->arena, texts->v[k]));
    }
}

/* ---- objects --------------------------------------------------------------------------------- */

static bool same_fields(const SuiteObject *a, const SuiteObject *b)
{
    bool same = a->nfields == b->nfields;
    for (uint32_t i = 0; i < a->nfields && same; i++) {
        const SuiteField *x = &a->fields[i], *y = &b->fields[i];
        same = x->low == y->low && x->bits == y->bits && x->kind == y->kind && !strcmp(x->text, y->text);
    }
    return same;
}

static bool same_form(const SuiteObject *a, const SuiteObject *b)
{
    return a->origin == b->origin && a->type.kind == b->type.kind && a->type.element == b->type.element &&
           !strcmp(a->name, b->name) && !strcmp(a->of, b->of) && same_fields(a, b);
}

static void pack_form(const SuiteObject *o, Str *out)
{
    wire_text(out, o->name);
    wire_uint(out, o->origin);
    wire_text(out, o->of);
    wire_uint(out, o->type.kind);
    wire_uint(out, o->type.element);
    wire_uint(out, o->nfields);
    for (uint32_t i = 0; i < o->nfields; i++) {
        wire_uint(out, o->fields[i].low);
        wire_uint(out, o->fields[i].bits);
        wire_uint(out, o->fields[i].kind);
        wire_text(out, o->fields[i].text);
    }
}

static void pack_object(const SuiteObject *o, const SuiteObject *base, Str *out)
{
    unsigned same = !base ? 0 : same_form(o, base) ? SAME_FORM : 0;
    if (base && o->size == base->size && !memcmp(o->data, base->data, o->size))
        same |= SAME_DATA;
    wire_uint(out, same);
    if (!(same & SAME_FORM))
        pack_form(o, out);
    if (!(same & SAME_DATA))
        wire_bytes(out, o->data, o->size);
}

static SuiteField *unpack_fields(Wire *in, Arena *a, uint32_t n)
{
    SuiteField *fields = arena_alloc(a, (n + 1) * sizeof *fields);
    for (uint32_t i = 0; i < n && !in->bad; i++) {
        fields[i].low = wire_get_u32(in);
        fields[i].bits = (uint32_t)wire_get_below(in, 129);
        fields[i].kind = (SuiteKind)wire_get_below(in, SUITE_POINTER + 1);
        fields[i].text = wire_get_text(in, a);
    }
    return fields;
}

static void unpack_form(Wire *in, SuiteTest *t, SuiteObject *o)
{
    o->name = wire_get_text(in, t->arena);
    o->origin = (SuiteOrigin)wire_get_below(in, SUITE_FROM_STREAM + 1);
    o->of = wire_get_text(in, t->arena);
    o->type.kind = (SuiteKind)wire_get_below(in, SUITE_POINTER + 1);
    o->type.element = (uint8_t)wire_get_below(in, 256);
    o->nfields = wire_get_count(in);
    if (o->nfields > SUITE_FIELD_LIMIT || !o->name[0]) {
        o->nfields = 0;
        wire_refuse(in);
    }
    o->fields = unpack_fields(in, t->arena, in->bad ? 0 : o->nfields);
}

static void copy_form(const SuiteObject *base, SuiteTest *t, SuiteObject *o)
{
    SuiteField *fields = arena_alloc(t->arena, (base->nfields + 1) * sizeof *fields);
    *o = *base;
    o->name = arena_strdup(t->arena, base->name);
    o->of = arena_strdup(t->arena, base->of);
    for (uint32_t i = 0; i < base->nfields; i++) {
        fields[i] = base->fields[i];
        fields[i].text = arena_strdup(t->arena, base->fields[i].text);
    }
    o->fields = fields;
}

/* Fields of a form may be those of another, larger object, if the bytes are damaged. */
static bool fields_fit(const SuiteObject *o)
{
    for (uint32_t i = 0; i < o->nfields; i++)
        if ((uint64_t)o->fields[i].low + o->fields[i].bits > 8ull * o->size)
            return false;
    return true;
}

static void unpack_object(Wire *in, SuiteTest *t, const SuiteObject *base)
{
    SuiteObject o = {0};
    unsigned same = (unsigned)wire_get_below(in, base ? 4 : 1);
    if (same & SAME_FORM)
        copy_form(base, t, &o);
    else
        unpack_form(in, t, &o);
    const uint8_t *data = same & SAME_DATA ? base->data : wire_get_bytes(in, &o.size);
    if (same & SAME_DATA)
        o.size = base->size;
    uint8_t *copy = arena_alloc(t->arena, (size_t)o.size + 1);
    if (o.size)
        memcpy(copy, data, o.size);
    o.data = copy;
    if (!in->bad && !fields_fit(&o))
        wire_refuse(in);
    if (!in->bad)
        vec_push(&t->objects, o);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void pack_ending(const SuiteTest *t, Str *out)
{
    wire_uint(out, t->ending);
    wire_text(out, t->fault);
    wire_text(out, t->site);
    wire_text(out, t->function);
    wire_text(out, t->message);
    wire_uint(out, (uint32_t)t->status);
    wire_uint(out, t->covers_error);
}

static void unpack_ending(Wire *in, SuiteTest *t)
{
    t->ending = (SuiteEnding)wire_get_below(in, SUITE_END_INTERRUPTED + 1);
    t->fault = wire_get_text(in, t->arena);
    t->site = wire_get_text(in, t->arena);
    t->function = wire_get_text(in, t->arena);
    t->message = wire_get_text(in, t->arena);
    t->status = (int)wire_get_u32(in);
    t->covers_error = wire_get_below(in, 2);
    if (t->fault[0] && !suite_fault_known(t->fault))
        wire_refuse(in);
}

void suite_test_pack(const SuiteTest *t, const SuiteTest *base, Str *out)
{
    bool same = base && same_head(t, base);
    wire_uint(out, same);
    if (!same)
        pack_head(t, out);
    wire_uint(out, t->objects.n);
    for (uint32_t i = 0; i < t->objects.n; i++)
        pack_object(&t->objects.v[i], base && i < base->objects.n ? &base->objects.v[i] : NULL, out);
    wire_uint(out, t->links.n);
    for (uint32_t i = 0; i < t->links.n; i++) {
        wire_uint(out, t->links.v[i].object);
        wire_uint(out, t->links.v[i].offset);
        wire_uint(out, t->links.v[i].target);
        wire_uint(out, t->links.v[i].delta);
    }
    pack_ending(t, out);
}

SuiteTest *suite_test_unpack(const void *bytes, size_t n, const SuiteTest *base)
{
    SuiteTest *t = suite_test_new();
    Wire in = wire_of(bytes, n);
    if (wire_get_below(&in, base ? 2 : 1))
        copy_head(base, t);
    else
        unpack_head(&in, t);
    uint32_t objects = wire_get_count(&in);
    for (uint32_t i = 0; i < objects && !in.bad; i++)
        unpack_object(&in, t, base && i < base->objects.n ? &base->objects.v[i] : NULL);
    for (uint32_t links = wire_get_count(&in); links && !in.bad; links--) {
        SuiteLink l;
        l.object = wire_get_u32(&in);
        l.offset = wire_get_u32(&in);
        l.target = wire_get_u32(&in);
        l.delta = wire_get_u32(&in);
        vec_push(&t->links, l);
    }
    unpack_ending(&in, t);
    suite_test_check_links(t);
    if (wire_ended(&in))
        return t;
    suite_test_free(t);
    return NULL;
}

SuiteTest *suite_test_copy(const SuiteTest *t)
{
    Str bytes = {0};
    suite_test_pack(t, NULL, &bytes);
    SuiteTest *copy = suite_test_unpack(str_text(&bytes), bytes.n, NULL);
    if (!copy)
        bug("a test is not what was packed");
    copy->number = t->number;
    str_free(&bytes);
    return copy;
}
