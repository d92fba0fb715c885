/* emit_entry_check.c - tests of an entry as C: what the call left is compared with what two native runs left.
 * What differs between these, which found other bytes in memory from malloc, is nothing to rely on. */
#include "suite/emit_entry.h"

enum { NEW_BYTES_MOST = 256, NEW_OBJECTS_MOST = 64 };

#define STREAM "stream " /* what runtime/native/replay.c calls the FILE of a stream, before its name */
static bool is_stream(const SuiteSeen *seen) { return text_starts_with(seen->name, STREAM); }

static const SuiteSeenLink *seen_link(const SuiteShown *s, uint32_t object, uint32_t offset)
{
    for (uint32_t i = 0; i < s->links.n; i++)
        if (s->links.v[i].object == object && offset - s->links.v[i].offset < 8)
            return &s->links.v[i];
    return NULL;
}

static bool is_stable(const Writer *w, uint32_t object, uint32_t at)
{
    return suite_observed_stable(w->observed, object, at);
}

static bool is_field_stable(const Writer *w, uint32_t object, const IrCField *f)
{
    for (uint64_t at = f->low / 8; at < (f->low + f->bits + 7) / 8; at++)
        if (!is_stable(w, object, (uint32_t)at))
            return false;
    return true;
}

/* The thing that a pointer of a seen object leads to; one that the function made gets a variable now. NULL:
 * it cannot be looked at. `text`: C for the pointer. */
static Thing *thing_behind(Writer *w, const SuiteSeenLink *l, const IrCField *f, const char *text)
{
    const SuiteShown *s = &w->observed->shown[0];
    if (l->target >= s->seen.n || l->target >= NEW_OBJECTS_MOST)
        return NULL;
    Thing *to = &w->seen[l->target];
    if (to->variable)
        return to;
    const SuiteSeen *seen = &s->seen.v[l->target];
    if (l->delta < 0 || l->delta >= seen->size || (f && ir_ctype_is_stream(w->p->ir, f->of)))
        return NULL;
    bool direct = !l->delta && f && !strcmp(text, "result");
    *to = (Thing){.fresh = true,
                  .from = (uint32_t)l->delta,
                  .type = f && !l->delta ? f->of : 0,
                  .data = seen->data,
                  .size = seen->size,
                  .variable = direct ? "result" : suite_emit_identifier(w, f ? f->text : seen->name)};
    if (l->delta)
        suite_emit_statement(w, 0, "const char *%s = (const char *)%s - %lld", to->variable, text,
                             (long long)l->delta);
    else if (!direct)
        suite_emit_statement(w, 0, "%s%s = %s",
                             f ? arena_printf(w->arena, "__typeof__(%s) ", text) : "const void *",
                             to->variable, text);
    return to;
}

static void check_pointer(Writer *w, const Thing *t, const SuiteSeenLink *l, const IrCField *f,
                          const char *text)
{
    uint32_t blamed = suite_emit_names_members(w, t) ? t->type : 0;
    bool known = l->target < w->observed->shown[0].seen.n && w->seen[l->target].variable;
    if (known && w->seen[l->target].variable != text) {
        const Thing *to = &w->seen[l->target];
        const char *cast = suite_emit_is_plain(f, to, l->delta) ? "" : "(void *)";
        suite_emit_statement(w, blamed, "CHECK(%s%s == %s%s)", cast, text, cast,
                             suite_emit_address(w, to, l->delta));
    } else {
        suite_emit_statement(w, blamed, "CHECK(%s)", text);
        thing_behind(w, l, f, text);
    }
}

/* The address of a function, or of something that was not seen: another build has it elsewhere. */
static bool is_foreign(const Writer *w, uint32_t object, const Thing *t, const IrCField *f)
{
    return f->kind == IR_C_POINTER && f->bits == 64 && suite_emit_bits(t->data, f) &&
           !seen_link(&w->observed->shown[0], object, (uint32_t)(f->low / 8));
}

/* Runs of bytes that are the same in every run and belong to something. */
static void check_bytes(Writer *w, uint32_t object, const Thing *t)
{
    uint32_t end = t->fresh && t->size - t->from > NEW_BYTES_MOST ? t->from + NEW_BYTES_MOST : t->size;
    const SuiteShown *s = &w->observed->shown[0];
    uint8_t *part = arena_alloc(w->arena, t->size + 1);
    memset(part, !t->fields.n, t->size);
    for (uint32_t i = 0; i < t->fields.n; i++)
        for (uint64_t at = t->fields.v[i].low / 8; at < (t->fields.v[i].low + t->fields.v[i].bits + 7) / 8;
             at++)
            part[at] = !is_foreign(w, object, t, &t->fields.v[i]);
    if (t->fresh && suite_emit_is_text(w, t)) { /* of a string what is behind its NUL does not count */
        const uint8_t *nul = memchr(t->data + t->from, 0, end - t->from);
        end = nul ? (uint32_t)(nul - t->data) + 1 : end;
    }
    for (uint32_t at = t->from; at < end;) {
        uint32_t n = 0;
        while (at + n < end && part[at + n] && !seen_link(s, object, at + n) && is_stable(w, object, at + n))
            n++;
        const SuiteSeenLink *l = n ? NULL : seen_link(s, object, at);
        if (n && at)
            suite_emit_statement(w, 0, "CHECK(!memcmp((const char *)%s + %u, %s, %u))", t->variable, at,
                                 suite_emit_literal(w, t->data + at, n), n);
        else if (n)
            suite_emit_statement(w, 0, "CHECK(!memcmp(%s, %s, %u))", t->variable,
                                 suite_emit_literal(w, t->data, n), n);
        else if (l && is_stable(w, object, at))
            check_pointer(w, t, l, NULL, arena_printf(w->arena, "sheaf_pointer(%s, %u)", t->variable, at));
        at += n ? n : l ? 8 : 1;
    }
}

/* 0.0 == -0.0, and NaN is equal to nothing. */
static void check_float(Writer *w, const Thing *t, const IrCField *f, const char *value)
{
    uint64_t bits = suite_emit_bits(t->data, f), sign = UINT64_C(1) << (f->bits - 1);
    if (value && !(bits & ~sign))
        suite_emit_statement(w, t->type, "CHECK(%s == 0 && %ssignbit(%s))", f->text, bits & sign ? "" : "!",
                             f->text);
    else if (value)
        suite_emit_statement(w, t->type, "CHECK(%s == %s)", f->text, value);
    else if (bits << (64 - f->bits + (f->bits == 64 ? 12 : 9)))
        suite_emit_statement(w, t->type, "CHECK(isnan(%s))", f->text);
    else
        suite_emit_statement(w, t->type, "CHECK(isinf(%s) && %s %c 0)", f->text, f->text,
                             bits & sign ? '<' : '>');
}

static void check_members(Writer *w, uint32_t object, const Thing *t)
{
    for (uint32_t i = 0; i < t->fields.n; i++) {
        const IrCField *f = &t->fields.v[i];
        const SuiteSeenLink *l = seen_link(&w->observed->shown[0], object, (uint32_t)(f->low / 8));
        if (!is_field_stable(w, object, f) || f->bits > 64)
            continue;
        const char *value = suite_emit_value(w, t->data, f);
        if (l && f->kind == IR_C_POINTER)
            check_pointer(w, t, l, f, f->text);
        else if (is_foreign(w, object, t, f) && !strcmp(f->text, "result"))
            suite_emit_statement(w, 0, "(void)result"); /* nothing else looks at it */
        else if (l || is_foreign(w, object, t, f))
            continue;
        else if (f->kind == IR_C_POINTER && !suite_emit_bits(t->data, f))
            suite_emit_statement(w, t->type, "CHECK(!%s)", f->text);
        else if (f->kind == IR_C_FLOAT && (f->bits == 32 || f->bits == 64))
            check_float(w, t, f, value);
        else if (value)
            suite_emit_statement(w, t->type, "CHECK(%s == %s)", f->text, value);
    }
}

static void check_object(Writer *w, uint32_t object)
{
    Thing *t = &w->seen[object];
    const SuiteSeen *seen = &w->observed->shown[0].seen.v[object];
    if (!t->variable || seen->freed || !seen->size)
        return;
    t->data = seen->data;
    t->size = seen->size;
    suite_emit_fields(w, t);
    bool scalar = t->type && suite_emit_scalar(suite_emit_type(w, t->type));
    const char *elements = scalar && !t->value && !suite_emit_is_text(w, t) && t->fields.n > 1
                               ? suite_emit_elements(w, t, t->data)
                               : NULL;
    for (uint32_t at = 0; elements && at < t->size; at++)
        if (!is_stable(w, object, at))
            elements = NULL;
    if (elements)
        suite_emit_statement(w, 0, "CHECK(!memcmp(%s, (%s[]){%s}, %u))", t->variable,
                             suite_emit_scalar(suite_emit_type(w, t->type)), elements, t->size);
    else if (suite_emit_names_members(w, t) && (t->value || !suite_emit_is_text(w, t)))
        check_members(w, object, t);
    else if (!t->value)
        check_bytes(w, object, t);
}

static const SuiteSeen *seen_named(const Writer *w, const char *name, uint32_t *at)
{
    const SuiteShown *s = &w->observed->shown[0];
    for (*at = 0; *at < s->seen.n; ++*at)
        if (!strcmp(s->seen.v[*at].name, name))
            return &s->seen.v[*at];
    return NULL;
}

static bool is_all_stable(const Writer *w, uint32_t object)
{
    for (uint32_t at = 0; at < w->observed->shown[0].seen.v[object].size; at++)
        if (!is_stable(w, object, at))
            return false;
    return true;
}

/* How far a stream was read; of one that was written, what. */
static void check_stream(Writer *w, uint32_t object)
{
    const SuiteObject *o = &w->test->objects.v[object];
    const char *variable = w->objects[object].variable;
    uint32_t at;
    const SuiteSeen *seen = seen_named(
        w, o->size ? arena_printf(w->arena, "ftell(%s)", o->name + (*o->name == '*')) : o->name, &at);
    if (!variable || (seen && !is_all_stable(w, at)))
        return;
    if (o->size && seen)
        suite_emit_statement(w, 0, "CHECK(sheaf_position(%s) == %u)", variable,
                             seen->data[0] | seen->data[1] << 8);
    else if (!o->size)
        suite_emit_statement(w, 0, "CHECK(sheaf_holds(%s, %s, %u))", variable,
                             suite_emit_literal(w, seen ? seen->data : NULL, seen ? seen->size : 0),
                             seen ? seen->size : 0);
}

/* Is the object of the test what was seen? Of a stream it is the FILE. */
static bool is_seen_as(const SuiteObject *o, const SuiteSeen *seen)
{
    return o->origin == SUITE_FROM_POINTEE  ? !strcmp(seen->name, o->name)
           : o->origin == SUITE_FROM_STREAM ? is_stream(seen) && !strcmp(seen->name + strlen(STREAM), o->name)
                                            : false;
}

/* Objects of the test that can be seen afterwards have their variables; others get one on the way. */
void suite_emit_checks(Writer *w)
{
    const SuiteShown *s = &w->observed->shown[0];
    w->seen = arena_alloc(w->arena, (s->seen.n + 1) * sizeof *w->seen);
    for (uint32_t i = 0; i < s->seen.n; i++)
        for (uint32_t k = 0; k < w->test->objects.n; k++)
            if (w->objects[k].variable && is_seen_as(&w->test->objects.v[k], &s->seen.v[i])) {
                w->seen[i] = w->objects[k];
                w->seen[i].fields = (IrCFieldVec){0};
            }
    for (uint32_t i = 0; i < s->seen.n; i++) {
        Thing *t = &w->seen[i];
        if (!i && !strcmp(s->seen.v[i].name, "result"))
            *t = (Thing){
                .variable = "result", .value = true, .type = w->fn->ctypes.n ? w->fn->ctypes.v[0] : 0};
        bool same = t->variable && t->to_const && !t->fresh && t->size == s->seen.v[i].size &&
                    s->seen.v[i].data && !memcmp(t->data, s->seen.v[i].data, t->size);
        if (!same && !is_stream(&s->seen.v[i]))
            check_object(w, i);
    }
    for (uint32_t i = 0; i < w->test->objects.n; i++)
        if (w->test->objects.v[i].origin == SUITE_FROM_STREAM)
            check_stream(w, i);
    for (uint32_t i = 0; i < s->seen.n; i++)
        vec_free(&w->seen[i].fields);
}
