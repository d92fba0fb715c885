/* print_fields.c - the members of an object by their names: item->type = 5, item->name -> *text, rest 0.
 *
 * Members of a union share bytes. If just one of them covers all that is not zero there, it stands for them;
 * else their bytes are shown by their offset, since nothing says which one is meant. */
#include "suite/suite_int.h"

enum { SHOWN_MOST = 32 };

static bool is_set(const SuiteObject *o, uint64_t low, uint64_t end)
{
    for (uint64_t bit = low; bit < end; bit++)
        if (o->data[bit / 8] >> bit % 8 & 1)
            return true;
    return false;
}

static uint64_t end_of(const SuiteField *f) { return (uint64_t)f->low + f->bits; }

/* Fields that share bits from i on: the one behind the last of them, and where they end. */
static uint32_t group_end(const SuiteObject *o, uint32_t i, uint64_t *end)
{
    *end = end_of(&o->fields[i]);
    for (i++; i < o->nfields && o->fields[i].low < *end; i++)
        if (end_of(&o->fields[i]) > *end)
            *end = end_of(&o->fields[i]);
    return i;
}

/* The only one of a group that covers all that is set in it; NULL: there are several, or none. */
static const SuiteField *told_by(const SuiteObject *o, uint32_t i, uint32_t behind, uint64_t end)
{
    const SuiteField *found = NULL;
    uint64_t low = o->fields[i].low;
    for (uint32_t k = i; k < behind; k++) {
        const SuiteField *f = &o->fields[k];
        if (is_set(o, low, f->low) || is_set(o, end_of(f), end))
            continue;
        if (found)
            return NULL;
        found = f;
    }
    return found;
}

/* A number of as many bytes as a type of C has; a bit-field with a sign keeps it. */
static void print_number(const SuiteObject *o, const SuiteField *f, Str *out)
{
    uint8_t bytes[16] = {0};
    uint32_t size = 1;
    while (8 * size < f->bits)
        size *= 2;
    for (uint32_t i = 0; i < 8 * size; i++) {
        bool extends = i >= f->bits && f->kind == SUITE_INT && f->bits;
        uint32_t at = f->low + (extends ? f->bits - 1 : i);
        if (i < f->bits || extends)
            bytes[i / 8] |= (uint8_t)((o->data[at / 8] >> at % 8 & 1) << i % 8);
    }
    SuiteObject number = {
        .data = bytes, .size = size, .type = {f->kind, (uint8_t)size}, .name = f->text, .of = ""};
    suite_object_value(&number, 0, out);
}

static const SuiteLink *link_at(const SuiteTest *t, uint32_t object, uint64_t low)
{
    for (uint32_t i = 0; i < t->links.n; i++)
        if (t->links.v[i].object == object && 8ull * t->links.v[i].offset == low)
            return &t->links.v[i];
    return NULL;
}

static void print_bytes(const SuiteObject *o, uint64_t low, uint64_t end, Str *out)
{
    str_printf(out, "[%llu] = ", (unsigned long long)(low / 8));
    for (uint64_t i = low / 8; i < (end + 7) / 8; i++)
        str_printf(out, "%02x", o->data[i]);
}

bool suite_fields_print(const SuiteTest *t, uint32_t object, const SuiteObject *o, Str *out)
{
    uint32_t shown = 0, left = 0, i = 0;
    uint64_t end;
    for (uint32_t behind; i < o->nfields; i = behind) {
        behind = group_end(o, i, &end);
        uint64_t low = o->fields[i].low;
        const SuiteLink *l = link_at(t, object, low);
        if ((!l && !is_set(o, low, end)) || shown == SHOWN_MOST) {
            left++;
            continue;
        }
        str_add(out, shown++ ? ", " : "");
        const SuiteField *f = told_by(o, i, behind, end);
        if (l && o->fields[i].kind == SUITE_POINTER) {
            str_printf(out, "%s -> %s", o->fields[i].text, t->objects.v[l->target].name);
            if (l->delta)
                str_printf(out, " + %u", l->delta);
        } else if (f) {
            str_printf(out, "%s = ", f->text);
            print_number(o, f, out);
        } else {
            print_bytes(o, low, end, out);
        }
    }
    if (left)
        str_add(out, shown == SHOWN_MOST ? ", ..." : shown ? ", rest 0" : "all 0");
    return shown || left;
}
