/* drive.c - a drive as text, and the names of its parameters. */
#include "ir/ir.h"

#include <stdlib.h>

void ir_drive_free(IrDrive *d)
{
    for (uint32_t i = 0; i < d->handles.n; i++) {
        vec_free(&d->handles.v[i].constructors);
        vec_free(&d->handles.v[i].mutators);
    }
    vec_free(&d->handles);
    vec_free(&d->params);
}

/* ---- text ------------------------------------------------------------------------------------ */

static const char MADE[] = " made by ", THEN[] = ", then up to ", OF[] = " of ", OR[] = " or ", AND[] = ", ",
                  BEFORE[] = "_, "; /* a parameter before the handle */

static void maker_text(const IrMaker *m, const char *handle, bool mutates, Str *out)
{
    if (m->kind == IR_MAKER_MOVES)
        str_printf(out, "%s = ", handle);
    str_add(out, m->name);
    if (mutates || m->kind == IR_MAKER_RETURNS)
        return;
    str_add_char(out, '(');
    for (uint32_t i = 0; i < m->place; i++)
        str_add(out, BEFORE);
    str_printf(out, "%s%s)", m->kind == IR_MAKER_OUT ? "&" : "", handle);
}

void ir_drive_text(const IrHandle *h, uint32_t calls, Str *out)
{
    str_printf(out, "%s%s", h->name, MADE);
    for (uint32_t i = 0; i < h->constructors.n; i++) {
        str_add(out, i ? OR : "");
        maker_text(&h->constructors.v[i], h->name, false, out);
    }
    if (!calls || !h->mutators.n)
        return;
    str_printf(out, "%s%u%s", THEN, calls, OF);
    for (uint32_t i = 0; i < h->mutators.n; i++) {
        str_add(out, i ? AND : "");
        maker_text(&h->mutators.v[i], h->name, true, out);
    }
}

static bool is_name(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text[i] != '_' && !(text[i] >= '0' && text[i] <= '9') && !(text[i] >= 'a' && text[i] <= 'z') &&
            !(text[i] >= 'A' && text[i] <= 'Z'))
            return false;
    return n > 0 && n < 200;
}

/* One of a list, which ends where the next begins. */
static bool parse_maker(const char *text, size_t n, const char *handle, bool mutates, Arena *a, IrMaker *out)
{
    char *one = arena_strndup(a, text, n), *open = strchr(one, '('), *move = strstr(one, " = ");
    *out = (IrMaker){.kind = mutates ? IR_MAKER_INIT : IR_MAKER_RETURNS, .fn = IR_NONE};
    if (move && mutates && (size_t)(move - one) == strlen(handle) && text_starts_with(one, handle)) {
        out->kind = IR_MAKER_MOVES;
        one = move + 3;
    } else if (open && !mutates) {
        *open++ = 0;
        for (; text_starts_with(open, BEFORE); open += strlen(BEFORE))
            out->place++;
        out->kind = *open == '&' ? IR_MAKER_OUT : IR_MAKER_INIT;
        open += *open == '&';
        if (strncmp(open, handle, strlen(handle)) || strcmp(open + strlen(handle), ")"))
            return false;
    }
    out->name = one;
    return is_name(one, strlen(one));
}

static bool parse_makers(const char *text, size_t n, const char *by, const char *handle, bool mutates,
                         Arena *a, IrMakerVec *out)
{
    const char *end = text + n;
    while (text < end) {
        const char *next = strstr(text, by);
        IrMaker maker;
        next = next && next < end ? next : end;
        if (!parse_maker(text, (size_t)(next - text), handle, mutates, a, &maker))
            return false;
        vec_push(out, maker);
        text = next == end ? end : next + strlen(by);
    }
    return out->n > 0;
}

bool ir_drive_parse(IrDrive *d, const char *text, Arena *a)
{
    IrHandle h = {0};
    const char *made = strstr(text, MADE), *then = made ? strstr(made, THEN) : NULL;
    bool ok = made && is_name(text, (size_t)(made - text));
    if (ok) {
        h.name = arena_strndup(a, text, (size_t)(made - text));
        made += strlen(MADE);
        ok = parse_makers(made, then ? (size_t)(then - made) : strlen(made), OR, h.name, false, a,
                          &h.constructors);
    }
    if (ok && then) {
        char *rest;
        unsigned long calls = strtoul(then + strlen(THEN), &rest, 10);
        ok = text_starts_with(rest, OF) && calls > 0 && calls < 1000 &&
             parse_makers(rest + strlen(OF), strlen(rest + strlen(OF)), AND, h.name, true, a, &h.mutators);
        d->calls = ok ? (uint32_t)calls : d->calls;
    }
    vec_push(&d->handles, h);
    return ok;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *numbered(const char *name, uint32_t n, Arena *a)
{
    return n ? arena_printf(a, "%s#%u", name, n + 1) : name;
}

const char *ir_drive_argument(const IrDrive *d, const IrMaker *m, uint32_t handle, uint32_t slot,
                              const char *parameter, Arena *a)
{
    uint32_t before = slot == IR_NONE ? handle : handle * d->calls + slot;
    return numbered(arena_printf(a, "%s.%s", m->name, parameter), before, a);
}

const char *ir_drive_choice(const IrHandle *h, uint32_t slot, Arena *a)
{
    return slot == IR_NONE ? arena_printf(a, "%s.made", h->name)
                           : numbered(arena_printf(a, "%s.call", h->name), slot, a);
}

const char *ir_drive_own_name(const char *name, char *out, size_t size)
{
    const char *dot = strchr(name, '.');
    const char *own = dot ? dot + 1 : name;
    snprintf(out, size, "%.*s", (int)strcspn(own, "#"), own);
    return out;
}
