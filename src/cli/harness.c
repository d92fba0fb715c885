/* harness.c - from the shape that --entry gives a function's arguments to a main that makes them.
 *
 * Each parameter becomes a variable. A record whose members are pointers has a function that fills them in;
 * one that leads back to its own type takes the number of objects that may still follow, so that lists and
 * trees end where --depth says. Comments say what was inferred: those are the lines to edit. */
#include "cli/harness_int.h"

enum { OBJECTS_MOST = 300, MEMBERS_MOST = 64 };

static const IrCType *ctype(const Writer *w, uint32_t type) { return &w->t->program->ctypes.v[type]; }
static bool is_record(const Writer *w, uint32_t type)
{
    return type && ctype(w, type)->kind == IR_C_RECORD && ctype(w, type)->size;
}

static const char *record_name(const Writer *w, uint32_t type)
{
    return ctype(w, type)->name ? ir_text(w->t->program, ctype(w, type)->name) : NULL;
}

/* Node, of "struct Node". */
static const char *short_name(const Writer *w, uint32_t type)
{
    const char *name = record_name(w, type), *blank = name ? strrchr(name, ' ') : NULL;
    return blank ? blank + 1 : name;
}

/* ---- members --------------------------------------------------------------------------------- */

/* Members of a union share their place: which of them is meant is not known. */
static bool is_shared(const IrCFieldVec *fields, uint32_t at)
{
    const IrCField *f = &fields->v[at];
    for (uint32_t i = 0; i < fields->n; i++)
        if (i != at && fields->v[i].low < f->low + f->bits && f->low < fields->v[i].low + fields->v[i].bits)
            return true;
    return false;
}

static void fields_of(const Writer *w, uint32_t type, const char *variable, IrCFieldVec *out)
{
    ir_ctype_fields(w->t->program, type, variable, true, ctype(w, type)->size, w->arena, out);
}

static uint32_t pointers_of(const Writer *w, uint32_t type)
{
    IrCFieldVec fields = {0};
    uint32_t n = 0;
    fields_of(w, type, "p", &fields);
    for (uint32_t i = 0; i < fields.n; i++)
        n += fields.v[i].kind == IR_C_POINTER;
    vec_free(&fields);
    return n;
}

/* Does it need a function that fills in its pointers? */
static bool is_filled(const Writer *w, uint32_t type)
{
    uint32_t n = is_record(w, type) && record_name(w, type) ? pointers_of(w, type) : 0;
    return n && n <= MEMBERS_MOST;
}

/* Does a record lead to the other through pointers? */
static bool leads_to(const Writer *w, uint32_t from, uint32_t to, U32Vec *seen)
{
    IrCFieldVec fields = {0};
    bool found = false;
    for (uint32_t i = 0; i < seen->n; i++)
        if (seen->v[i] == from)
            return false;
    vec_push(seen, from);
    fields_of(w, from, "p", &fields);
    for (uint32_t i = 0; i < fields.n && !found; i++)
        if (fields.v[i].kind == IR_C_POINTER && is_filled(w, fields.v[i].of))
            found = fields.v[i].of == to || leads_to(w, fields.v[i].of, to, seen);
    vec_free(&fields);
    return found;
}

static bool reaches(const Writer *w, uint32_t from, uint32_t to)
{
    U32Vec seen = {0};
    bool found = leads_to(w, from, to, &seen);
    vec_free(&seen);
    return found;
}

static bool on_one_cycle(const Writer *w, uint32_t a, uint32_t b)
{
    return reaches(w, a, b) && reaches(w, b, a);
}

/* ---- functions that fill records ------------------------------------------------------------- */

static void need_maker(Writer *w, uint32_t type, uint32_t input)
{
    for (uint32_t i = 0; i < w->types.n; i++)
        if (w->types.v[i] == type)
            return;
    vec_push(&w->types, type);
    vec_push(&w->inputs, input);
}

/* What is counted down on the way: the record types on a cycle with this one. */
static void depth_types(const Writer *w, uint32_t type, U32Vec *out)
{
    uint32_t n = w->t->program->ctypes.n;
    for (uint32_t i = 1; i < n; i++)
        if (is_filled(w, i) && reaches(w, type, i) && on_one_cycle(w, type, i))
            vec_push(out, i);
}

static const char *depth_name(const Writer *w, const U32Vec *types, uint32_t i)
{
    return types->n == 1 ? "depth" : arena_printf(w->arena, "depth_%s", short_name(w, types->v[i]));
}

/* ", depth": what a call from `from` (0: from outside of the cycle) hands on; *guard: the counter of `to`, or
 * NULL. */
static const char *depth_arguments(const Writer *w, uint32_t from, uint32_t to, const char **guard)
{
    U32Vec types = {0};
    Str text = {0};
    bool inside = from && on_one_cycle(w, from, to);
    *guard = NULL;
    depth_types(w, to, &types);
    for (uint32_t i = 0; i < types.n; i++) {
        str_printf(&text, ", %s", inside ? depth_name(w, &types, i) : "DEPTH");
        if (inside && types.v[i] == to)
            *guard = depth_name(w, &types, i);
    }
    const char *copy = arena_strdup(w->arena, str_text(&text));
    vec_free(&types);
    str_free(&text);
    return copy;
}

static const char *depth_parameters(const Writer *w, uint32_t type)
{
    U32Vec types = {0};
    Str text = {0};
    depth_types(w, type, &types);
    for (uint32_t i = 0; i < types.n; i++)
        str_printf(&text, ", unsigned %s", depth_name(w, &types, i));
    const char *copy = arena_strdup(w->arena, str_text(&text));
    vec_free(&types);
    str_free(&text);
    return copy;
}

static const char *own_depth(const Writer *w, uint32_t type)
{
    U32Vec types = {0};
    const char *name = NULL;
    depth_types(w, type, &types);
    for (uint32_t i = 0; i < types.n; i++)
        if (types.v[i] == type)
            name = depth_name(w, &types, i);
    vec_free(&types);
    return name;
}

/* ---- pointers -------------------------------------------------------------------------------- */

/* A place that is a pointer: how C writes it, and what is known of it. */
typedef struct Place {
    const char *text, *name; /* "p->data"; the name of what is behind it, "data" */
    const char *declared;    /* "char *s" where the first assignment declares it; else NULL */
    const char *prefix;      /* "p->": of the members beside it */
    bool to_const;           /* what it leads to */
    uint32_t in;             /* record that it is a member of; 0: none */
    const char *indent;
} Place;

static void write_pointer(Writer *w, const Place *place, const VmOutline *o, Str *out);

/* The member beside the pointer that the shape's text names from the parameter on. */
static const char *beside(const Writer *w, const Place *place, const VmOutline *o, const char *text)
{
    const char *dot = strrchr(o->name, '.'), *arrow = strrchr(o->name, '>'), *at = dot > arrow ? dot : arrow;
    size_t n = at ? (size_t)(at + 1 - o->name) : 0;
    return arena_printf(w->arena, "%s%s", place->prefix, !strncmp(text, o->name, n) ? text + n : text);
}

static const char *element_size(const Writer *w, const Place *place, const VmOutline *o)
{
    bool sized = o->type && ctype(w, o->type)->size && ctype(w, o->type)->size == o->unit;
    return sized ? arena_printf(w->arena, "sizeof *%s", place->text) : "1";
}

static const char *last_part(const char *text)
{
    const char *dot = strrchr(text, '.'), *arrow = strrchr(text, '>');
    const char *at = dot > arrow ? dot : arrow;
    return at ? at + 1 : text;
}

/* Does an array of these have something to be made behind each of its elements? */
static bool has_elements(const Writer *w, const VmOutline *o)
{
    return is_filled(w, o->type) || (o->type && ctype(w, o->type)->kind == IR_C_POINTER);
}

/* What is behind each element of an array; `condition` says how far it goes. */
static void write_elements(Writer *w, const Place *place, const VmOutline *o, const char *condition, Str *out)
{
    if (!has_elements(w, o))
        return;
    const char *element = arena_printf(w->arena, "%s[i]", place->text), *guard;
    str_printf(out, "%sfor (size_t i = 0; %s; i++)", place->indent, condition);
    if (is_filled(w, o->type)) {
        need_maker(w, o->type, o->behind);
        bitset_add(&w->filled, o->type);
        str_printf(out, "\n%s    fill_%s(%s&%s%s);\n", place->indent, short_name(w, o->type),
                   place->to_const ? "(void *)" : "", element,
                   depth_arguments(w, place->in, o->type, &guard));
        return;
    }
    if (ctype(w, o->type)->to_function) {
        str_printf(out, "\n%s    %s = NULL; /* a function: write one, and name it here */\n", place->indent,
                   element);
        return;
    }
    VmOutline inner = vm_outline(w->t->vm, w->t->trace, o->behind, 0);
    str_add(out, " {\n");
    Place p = {.text = place->to_const ? arena_printf(w->arena, "*(void **)&%s", element) : element,
               .name = place->name,
               .prefix = "",
               .indent = arena_printf(w->arena, "%s    ", place->indent)};
    write_pointer(w, &p, &inner, out);
    str_printf(out, "%s}\n", place->indent);
}

/* What stands on the left of its first assignment. */
static const char *left(const Place *place) { return place->declared ? place->declared : place->text; }

static const char *nullable(const Writer *w, const VmOutline *o, const char *made)
{
    return o->nonnull ? made : arena_printf(w->arena, "sheaf_maybe_null(%s)", made);
}

/* An array that may be NULL: only after its elements were made, since that is done through the pointer. */
static void write_array(Writer *w, const Place *place, const VmOutline *o, const char *made,
                        const char *inferred, const char *condition, Str *out)
{
    bool later = has_elements(w, o) && !o->nonnull;
    str_printf(out, "%s%s = %s; /* inferred: %s */\n", place->indent, left(place),
               later ? made : nullable(w, o, made), inferred);
    write_elements(w, place, o, condition, out);
    if (later)
        str_printf(out, "%s%s = sheaf_maybe_null(%s);\n", place->indent, place->text, place->text);
}

static const char *up_to(const Writer *w, const char *n)
{
    return arena_printf(w->arena, "i < (size_t)%s && (size_t)%s <= ELEMENTS", n, n);
}

/* Of a parameter: its length is another one, and any number where the array is not used. */
static void write_counted(Writer *w, const Place *place, const VmOutline *o, Str *out)
{
    char own[128]; /* of an argument of a constructor it is "set_of.n" */
    const char *n = arena_strdup(w->arena, ir_drive_own_name(o->length, own, sizeof own));
    const char *array = arena_printf(w->arena, "sheaf_array((size_t)%s, %s, \"%s\")", n,
                                     element_size(w, place, o), place->name);
    write_array(w, place, o, array,
                arena_printf(w->arena, "of %s elements, up to --elements where it is used", n), up_to(w, n),
                out);
}

/* The members that say how long the array is, "p->rows * p->cols": each gets its value. */
static const char *write_lengths(Writer *w, const Place *place, const VmOutline *o, Str *out)
{
    const char *all = NULL;
    for (const char *at = o->length; *at;) {
        const char *end = strstr(at, " * ");
        size_t length = end ? (size_t)(end - at) : strlen(at);
        const char *n = beside(w, place, o, arena_strndup(w->arena, at, length));
        str_printf(out, "%s%s = sheaf_size(ELEMENTS, \"%s\"); /* inferred: the length of %s */\n",
                   place->indent, n, last_part(n), place->text);
        all = all ? arena_printf(w->arena, "%s * (size_t)%s", all, n) : n;
        at += length + (end ? strlen(" * ") : 0);
    }
    return all;
}

/* What else is no larger than the length: ", b->len <= b->cap". */
static void write_within(Writer *w, const Place *place, const VmOutline *o, const char *n, Str *out)
{
    for (const char *at = o->used; at && *at; at += strcspn(at, ",")) {
        at += strspn(at, ", ");
        at += strncmp(at, "0 <= ", 5) ? 0 : 5; /* as a size_t it is */
        const char *end = strstr(at, " <= ");
        if (!end)
            break;
        str_printf(out, "%ssheaf_assume((size_t)%s <= (size_t)%s); /* inferred */\n", place->indent,
                   beside(w, place, o, arena_strndup(w->arena, at, (size_t)(end - at))), n);
        at = end;
    }
}

/* Of a member: another member is its length, and some more are no larger. */
static void write_counted_member(Writer *w, const Place *place, const VmOutline *o, Str *out)
{
    const char *n = write_lengths(w, place, o, out);
    write_within(w, place, o, n, out);
    str_printf(out, "%s%s = sheaf_array((size_t)%s, %s, \"%s\");\n", place->indent, left(place), n,
               element_size(w, place, o), place->name);
    write_elements(w, place, o, up_to(w, n), out);
    str_printf(out, "%s%s = sheaf_maybe_null(%s);\n", place->indent, place->text, place->text);
    str_printf(
        out,
        "%ssheaf_assume((%s != NULL) | ((size_t)%s == 0)); /* inferred: NULL only if there are none */\n",
        place->indent, place->text, n);
}

/* A member says how many of them there are: no more than were made. */
static void write_trailing_length(const Place *place, const VmOutline *o, Str *out)
{
    size_t n = strlen(o->name);
    if (!o->length || strncmp(o->length, o->name, n))
        return;
    str_printf(out, "%ssheaf_assume((size_t)%s%s <= %u); /* inferred */\n", place->indent, place->text,
               o->length + n, o->most);
    if (!o->nonnull)
        str_printf(out, "%s%s = sheaf_maybe_null(%s);\n", place->indent, place->text, place->text);
}

/* A record with some elements in the array at its end; its members are filled in where it lies. */
static void write_trailing(Writer *w, const Place *place, const VmOutline *o, Str *out)
{
    const char *made = arena_printf(w->arena, "sheaf_object(%u, \"%s\")", o->size, place->name), *guard;
    const char *inferred = arena_printf(w->arena, "inferred: %u elements in the array at its end", o->most);
    if (!is_filled(w, o->type)) {
        str_printf(out, "%s%s = %s; /* %s */\n", place->indent, left(place),
                   o->length ? made : nullable(w, o, made), inferred);
        write_trailing_length(place, o, out);
        return;
    }
    const char *arguments = depth_arguments(w, place->in, o->type, &guard);
    need_maker(w, o->type, o->behind);
    bitset_add(&w->filled, o->type);
    if (guard)
        made = arena_printf(w->arena, "%s ? %s : NULL", guard, made);
    str_printf(out, "%s%s = %s; /* %s */\n", place->indent, left(place), made, inferred);
    if (guard)
        str_printf(out, "%sif (%s)\n    ", place->indent, guard);
    str_printf(out, "%sfill_%s(%s%s%s);\n", place->indent, short_name(w, o->type),
               place->to_const ? "(void *)" : "", place->text, arguments);
    if (!o->nonnull)
        str_printf(out, "%s%s = sheaf_maybe_null(%s);\n", place->indent, place->text, place->text);
}

static void write_one(Writer *w, const Place *place, const VmOutline *o, Str *out)
{
    const char *made, *guard = NULL;
    if (is_filled(w, o->type) && !o->trailing) {
        const char *arguments = depth_arguments(w, place->in, o->type, &guard);
        need_maker(w, o->type, o->behind);
        made = arena_printf(w->arena, "some_%s(\"%s\"%s)", short_name(w, o->type), place->name, arguments);
        made = nullable(w, o, made);
        if (guard)
            made = arena_printf(w->arena, "%s ? %s : NULL", guard, made);
        str_printf(out, "%s%s = %s;\n", place->indent, left(place), made);
        return;
    }
    bool pointer = o->type && ctype(w, o->type)->kind == IR_C_POINTER && !ctype(w, o->type)->to_function;
    if (o->trailing) {
        write_trailing(w, place, o, out);
        return;
    }
    made = arena_printf(w->arena, "sheaf_object(sizeof *%s, \"%s\")", place->text, place->name);
    if (!pointer) {
        str_printf(out, "%s%s = %s; /* inferred: one */\n", place->indent, left(place), nullable(w, o, made));
        return;
    }
    VmOutline inner = vm_outline(w->t->vm, w->t->trace, o->behind, 0);
    Place p = {.text = arena_printf(w->arena, place->to_const ? "*(void **)%s" : "*%s", place->text),
               .name = arena_printf(w->arena, "*%s", place->name),
               .prefix = "",
               .indent = place->indent};
    str_printf(out, "%s%s = %s; /* inferred: one pointer */\n", place->indent, left(place), made);
    write_pointer(w, &p, &inner, out);
    if (!o->nonnull)
        str_printf(out, "%s%s = sheaf_maybe_null(%s);\n", place->indent, place->text, place->text);
}

static void write_pointer(Writer *w, const Place *place, const VmOutline *o, Str *out)
{
    const char *made;
    if (o->opaque)
        die("%s: %s cannot be made by a harness: write a main of your own (docs/library.md)", place->text,
            o->opaque);
    switch (o->kind) {
    case VM_OUTLINE_STRING:
        made = arena_printf(w->arena, "sheaf_string(STRING, \"%s\")", place->name);
        str_printf(out, "%s%s = %s; /* inferred: a string */\n", place->indent, left(place),
                   o->used ? made : nullable(w, o, made));
        if (!o->used)
            break;
        write_within(w, place, o, arena_printf(w->arena, "strlen(%s)", place->text), out);
        str_printf(out, "%s%s = sheaf_maybe_null(%s);\n", place->indent, place->text, place->text);
        break;
    case VM_OUTLINE_STREAM:
        made = arena_printf(w->arena, "sheaf_stream(STRING, \"%s\")", place->name);
        str_printf(out, "%s%s = %s; /* inferred: a stream */\n", place->indent, left(place),
                   nullable(w, o, made));
        break;
    case VM_OUTLINE_COUNTED:
        if (*place->prefix)
            write_counted_member(w, place, o, out);
        else
            write_counted(w, place, o, out);
        break;
    case VM_OUTLINE_USED: {
        const char *size = element_size(w, place, o);
        bool bytes = !strcmp(size, "1");
        made = arena_printf(w->arena, "sheaf_array(%u, %s, \"%s\")", bytes ? o->size : o->most, size,
                            place->name);
        write_array(w, place, o, made, "as much as is used", arena_printf(w->arena, "i < %u", o->most), out);
        break;
    }
    case VM_OUTLINE_ONE: write_one(w, place, o, out); break;
    }
}

/* ---- records --------------------------------------------------------------------------------- */

static void write_member(Writer *w, uint32_t type, uint32_t input, const IrCFieldVec *fields, uint32_t i,
                         Str *out)
{
    const IrCField *f = &fields->v[i];
    const char *last = last_part(f->text);
    if (is_shared(fields, i)) {
        str_printf(out, "    /* %s is a member of a union: it is any bytes */\n", f->text);
        return;
    }
    if (f->to_function) {
        str_printf(out, "    %s = NULL; /* a function: write one, and name it here */\n", f->text);
        return;
    }
    Place place = {.text = f->text,
                   .name = last,
                   .prefix = arena_strndup(w->arena, f->text, (size_t)(last - f->text)),
                   .to_const = f->to_const,
                   .in = type,
                   .indent = "    "};
    VmOutline o = vm_outline(w->t->vm, w->t->trace, input, (uint32_t)(f->low / 8));
    write_pointer(w, &place, &o, out);
}

static const char *signature(const Writer *w, uint32_t type, bool fills)
{
    const char *name = record_name(w, type), *word = short_name(w, type), *depths = depth_parameters(w, type);
    return fills ? arena_printf(w->arena, "static void fill_%s(%s *p%s)", word, name, depths)
                 : arena_printf(w->arena, "static %s *some_%s(const char *name%s)", name, word, depths);
}

static void write_members(Writer *w, uint32_t type, uint32_t input, Str *out)
{
    IrCFieldVec fields = {0};
    const char *own = own_depth(w, type);
    if (own)
        str_printf(out, "    %s--; /* so many may follow behind this one */\n", own);
    fields_of(w, type, "p", &fields);
    for (uint32_t i = 0; i < fields.n; i++)
        if (fields.v[i].kind == IR_C_POINTER)
            write_member(w, type, input, &fields, i, out);
    vec_free(&fields);
}

static void write_maker(Writer *w, uint32_t type, const char *members, bool made, Str *out)
{
    const char *guard;
    bool fills = bitset_has(&w->filled, type);
    if (fills)
        str_printf(out, "%s\n{\n%s}\n\n", signature(w, type, true), members);
    if (!made)
        return;
    str_printf(out, "%s\n{\n    %s *p = sheaf_object(sizeof *p, name); /* inferred: one */\n",
               signature(w, type, false), record_name(w, type));
    if (fills)
        str_printf(out, "    fill_%s(p%s);\n", short_name(w, type),
                   own_depth(w, type) ? depth_arguments(w, type, type, &guard) : "");
    else
        str_add(out, members);
    str_add(out, "    return p;\n}\n\n");
}

static bool calls(const char *text, const char *word, const char *name)
{
    Str call = {0};
    str_printf(&call, "%s_%s(", word, name);
    bool found = text && strstr(text, str_text(&call));
    str_free(&call);
    return found;
}

/* Those that the last ones need come to light on the way; they stand first. Records that lead to each other
 * are declared before, and so is one that leads to its own kind if it is filled in where it stands. */
static void write_makers(Writer *w, const Str *body, Str *out)
{
    StrVec members = {0};
    Str all = {0};
    str_add(&all, str_text(body));
    for (uint32_t i = 0; i < w->types.n; i++) {
        Str text = {0};
        write_members(w, w->types.v[i], w->inputs.v[i], &text);
        str_add(&all, str_text(&text));
        vec_push(&members, arena_strdup(w->arena, str_text(&text)));
        str_free(&text);
    }
    for (uint32_t i = 0; i < w->types.n; i++)
        for (uint32_t k = 0; k < w->types.n; k++)
            if ((i != k || bitset_has(&w->filled, w->types.v[i])) &&
                on_one_cycle(w, w->types.v[i], w->types.v[k])) {
                str_printf(out, "%s;\n", signature(w, w->types.v[i], false));
                if (bitset_has(&w->filled, w->types.v[i]))
                    str_printf(out, "%s;\n", signature(w, w->types.v[i], true));
                break;
            }
    if (out->n)
        str_add_char(out, '\n');
    for (uint32_t i = w->types.n; i-- > 0;)
        write_maker(w, w->types.v[i], members.v[i],
                    calls(str_text(&all), "some", short_name(w, w->types.v[i])), out);
    vec_free(&members);
    str_free(&all);
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* What a stub returns: any number, or an object or NULL. */
static void write_stub_result(Writer *w, const char *name, const char *result, bool is_void)
{
    const char *blank = text_ends_with(result, " ") || text_ends_with(result, "*") ? "" : " ";
    bool object =
        text_ends_with(result, "*") && !text_ends_with(result, "void *") && !text_ends_with(result, "**");
    if (object)
        str_printf(&w->stubs, "    %s%sresult = sheaf_maybe_null(sheaf_object(sizeof *result, \"%s\"));\n",
                   result, blank, name);
    else if (!is_void)
        str_printf(&w->stubs, "    %s%sresult;\n    sheaf_symbolic(&result, sizeof result, \"%s\");\n",
                   result, blank, name);
    if (!is_void)
        str_add(&w->stubs, "    return result;\n");
}

/* "int (*)(const void *, const void *)" as a function that returns anything; false: it is none that can be
 * written. */
static bool write_stub(Writer *w, const char *name, const char *plain)
{
    const char *star = strstr(plain, "(*)("), *at = star ? star + 4 : NULL;
    if (!star || strstr(at, "(") || strchr(at, '['))
        return false;
    const char *result = arena_strndup(w->arena, plain, (size_t)(star - plain));
    bool is_void = !strcmp(result, "void ");
    str_printf(&w->stubs, "/* inferred: returns anything and writes nothing */\nstatic %s%s_stub(", result,
               name);
    for (uint32_t i = 0; *at && *at != ')'; i++) {
        size_t n = strcspn(at, ",)");
        const char *type = arena_strndup(w->arena, at, n);
        if (!strcmp(type, "void") || !strcmp(type, "..."))
            str_printf(&w->stubs, "%s%s", i ? ", " : "", type);
        else
            str_printf(&w->stubs, "%s%s%s__attribute__((unused)) a%u", i ? ", " : "", type,
                       text_ends_with(type, "*") ? "" : " ", i);
        at += n;
        at += strspn(at, ", ");
    }
    str_add(&w->stubs, ")\n{\n");
    write_stub_result(w, name, result, is_void);
    str_add(&w->stubs, "}\n\n");
    return true;
}

/* "int (*f)(int)", "int (**f)(int)", "char *s" of the type and the name. */
const char *harness_declared(const Writer *w, const char *type, const char *name)
{
    const char *star = strstr(type, "(*");
    size_t n = star ? strspn(star + 1, "*") + 1 : 0;
    if (star && star[n] == ')')
        return arena_printf(w->arena, "%.*s%s%s", (int)(star - type + (long)n), type, name, star + n);
    return arena_printf(w->arena, "%s%s%s", type, text_ends_with(type, "*") ? "" : " ", name);
}

/* Without what would keep it from being written to. */
const char *harness_without_const(const Writer *w, const char *type)
{
    size_t n = strlen(type);
    if (text_ends_with(type, "*const"))
        return arena_strndup(w->arena, type, n - strlen("const"));
    bool value = text_starts_with(type, "const ") && !strchr(type, '*');
    return value ? type + strlen("const ") : type;
}

static uint32_t parameter_input(const Writer *w, uint32_t number)
{
    for (uint32_t i = 0; i < w->t->trace->inputs.n; i++)
        if (w->t->trace->inputs.v[i].origin == VM_INPUT_PARAMETER && number-- == 0)
            return i;
    return IR_NONE;
}

static bool is_function(const FrontendFunction *f, uint32_t i)
{
    return strstr(f->plain.v[i][0] ? f->plain.v[i] : f->types.v[i], "(*)(") != NULL;
}

/* The array whose length a parameter is; NULL: none. */
static const char *length_of(const Writer *w, const char *name)
{
    const FrontendFunction *f = w->t->function;
    const IrFn *fn = &w->t->program->fns.v[ir_fn_find(w->t->program, w->t->entry)];
    for (uint32_t i = 0; i < f->names.n; i++) {
        uint32_t type = i + 1 < fn->ctypes.n ? fn->ctypes.v[i + 1] : 0, input = parameter_input(w, i);
        if (!type || ctype(w, type)->kind != IR_C_POINTER || is_function(f, i) || input == IR_NONE)
            continue;
        VmOutline o = vm_outline(w->t->vm, w->t->trace, input, 0);
        if (o.kind == VM_OUTLINE_COUNTED && !strcmp(o.length, name))
            return f->names.v[i];
    }
    return NULL;
}

/* A variable for the argument. */
void harness_argument(Writer *w, const HarnessArgument *a)
{
    const FrontendFunction *f = a->f;
    const char *name = f->names.v[a->number], *type_text = f->types.v[a->number], *guard;
    const char *plain = f->plain.v[a->number][0] ? f->plain.v[a->number] : type_text;
    bool pointer = harness_is_pointer(w, a);
    if (strstr(plain, "va_list") || strstr(type_text, "va_list"))
        die("%s takes a va_list, which no harness can make: call it through a function with arguments '...'",
            w->t->entry);
    if (a->input == IR_NONE)
        die("%s was not called: the program ends before it", w->t->entry);
    const char *declaration = harness_declared(w, harness_without_const(w, type_text), name);
    const char *of = w->calls_back && !pointer && !a->bounded ? length_of(w, name) : NULL;
    if (of || a->bounded) { /* a stub does not look at what it gets: nothing else would bound a loop over the
                               array */
        str_printf(w->out, "%s%s = sheaf_size(ELEMENTS, \"%s\"); /* inferred: %s%s */\n", a->indent,
                   declaration, name, of ? "the length of " : "so many are tried", of ? of : "");
    } else if (!pointer) {
        str_printf(w->out, "%s%s;\n%ssheaf_symbolic(&%s, sizeof %s, \"%s\");\n", a->indent, declaration,
                   a->indent, name, name, name);
        if (is_filled(w, a->type)) {
            need_maker(w, a->type, a->input);
            bitset_add(&w->filled, a->type);
            str_printf(w->out, "%sfill_%s(&%s%s);\n", a->indent, short_name(w, a->type), name,
                       depth_arguments(w, 0, a->type, &guard));
        }
    } else if (is_function(f, a->number)) {
        str_printf(w->out, "%s%s", a->indent, declaration);
        if (write_stub(w, name, plain))
            str_printf(w->out, " = sheaf_any_of(__typeof__(%s), \"%s_null\", %s_stub, NULL);\n", name, name,
                       name);
        else
            str_add(w->out, " = NULL; /* a function: write one, and name it here */\n");
    } else {
        VmOutline o = vm_outline(w->t->vm, w->t->trace, a->input, 0);
        Place place = {.text = name,
                       .name = name,
                       .declared = declaration,
                       .prefix = "",
                       .to_const = a->type && ctype(w, a->type)->to_const,
                       .indent = a->indent};
        write_pointer(w, &place, &o, w->out);
    }
}

bool harness_is_pointer(const Writer *w, const HarnessArgument *a)
{
    const char *plain = a->f->plain.v[a->number][0] ? a->f->plain.v[a->number] : a->f->types.v[a->number];
    return a->type ? ctype(w, a->type)->kind == IR_C_POINTER : strchr(plain, '*') != NULL;
}

static void write_parameter(Writer *w, uint32_t number, bool pointers)
{
    const IrFn *fn = &w->t->program->fns.v[ir_fn_find(w->t->program, w->t->entry)];
    HarnessArgument a = {.f = w->t->function,
                         .number = number,
                         .type = number + 1 < fn->ctypes.n ? fn->ctypes.v[number + 1] : 0,
                         .input = parameter_input(w, number),
                         .indent = "    "};
    if (harness_is_pointer(w, &a) == pointers && !harness_handle(w, number))
        harness_argument(w, &a);
}

static void write_main(Writer *w)
{
    const FrontendFunction *f = w->t->function;
    const char *result = f->result ? f->result : "void";
    str_add(w->out, "int main(void)\n{\n");
    for (uint32_t i = 0; i < f->names.n; i++)
        w->calls_back |= is_function(f, i);
    for (uint32_t i = 0; i < f->names.n; i++) /* numbers first: they are lengths of what follows */
        write_parameter(w, i, false);
    for (uint32_t i = 0; i < f->names.n; i++)
        write_parameter(w, i, true);
    bool is_void = !strcmp(result, "void");
    str_printf(w->out, "    %s%s%s(",
               is_void ? "" : harness_declared(w, harness_without_const(w, result), "result"),
               is_void ? "" : " = ", w->t->entry);
    for (uint32_t i = 0; i < f->names.n; i++)
        str_printf(w->out, "%s%s", i ? ", " : "", f->names.v[i]);
    str_add(w->out, ");\n");
    if (!is_void)
        str_add(w->out, "    sheaf_output(&result, sizeof result, \"result\");\n");
    str_add(w->out, "    return 0;\n}\n");
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Lists and trees are made whole before the call: so deep that there are not too many objects. */
static uint32_t depth_for(const Writer *w)
{
    uint32_t depth = w->t->depth;
    uint64_t most = 1;
    for (uint32_t i = 0; i < w->types.n; i++) {
        uint32_t links = 0;
        IrCFieldVec fields = {0};
        fields_of(w, w->types.v[i], "p", &fields);
        for (uint32_t k = 0; k < fields.n; k++)
            links += fields.v[k].kind == IR_C_POINTER && is_filled(w, fields.v[k].of) &&
                     on_one_cycle(w, w->types.v[i], fields.v[k].of);
        vec_free(&fields);
        most = links > most ? links : most;
    }
    for (; depth > 1; depth--) {
        uint64_t objects = 0, level = 1;
        for (uint32_t i = 0; i < depth; i++, level *= most)
            objects += level;
        if (objects <= OBJECTS_MOST)
            break;
    }
    return depth;
}

static void write_prologue(const Writer *w, Str *out)
{
    const HarnessTask *t = w->t;
    str_printf(
        out,
        "/* A harness of %s, written by 'sheaf harness': what --entry %s calls it with. Run it with\n *\n",
        t->entry, t->entry);
    str_printf(out, " *     sheaf test %s\n *\n", t->inputs);
    str_add(out, " * Lines that say 'inferred' are guesses from types and names: edit them. What is written "
                 "here is the\n"
                 " * contract, and a fault within it is the function's own. */\n");
    if (t->by == HARNESS_SOURCE && t->renames_main)
        str_printf(out, "#define main main_of_the_program\n#include \"%s\"\n#undef main\n", t->include);
    else if (t->include)
        str_printf(out, "#include %s%s%s\n", *t->include == '<' ? "" : "\"", t->include,
                   *t->include == '<' ? "" : "\"");
    harness_includes(w, out);
    str_add(out, "#include <sheaf.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n");
    if (t->by == HARNESS_PROTOTYPE) {
        const FrontendFunction *f = t->function;
        str_printf(out, "\n%s(", harness_declared(w, f->result ? f->result : "void", t->entry));
        for (uint32_t i = 0; i < f->types.n; i++)
            str_printf(out, "%s%s", i ? ", " : "", harness_declared(w, f->types.v[i], f->names.v[i]));
        str_add(out, f->types.n ? ");\n" : "void);\n");
    }
}

static bool uses(const Str *text, const char *word) { return text->n && strstr(text->v, word); }

void harness_write(const HarnessTask *task, Str *out)
{
    Str body = {0}, all = {0};
    Writer w = {.t = task, .arena = arena_new(), .out = &body};
    write_main(&w);
    str_add(&all, str_text(&w.handles));
    str_add(&all, str_text(&body));
    write_makers(&w, &all, &w.makers);
    vec_clear(&all);
    str_add(&all, str_text(&w.makers));
    str_add(&all, str_text(&w.handles));
    str_add(&all, str_text(&body));
    write_prologue(&w, out);
    str_add_char(out, '\n');
    if (uses(&all, "STRING"))
        str_printf(out, "enum { STRING = %u }; /* characters of a string or bytes of a stream, at most */\n",
                   task->string);
    if (uses(&all, "ELEMENTS"))
        str_printf(out, "enum { ELEMENTS = %u }; /* of an array, at most: as --elements has it */\n",
                   task->elements);
    if (uses(&all, "DEPTH")) {
        w.depth = depth_for(&w);
        str_printf(out,
                   "enum { DEPTH = %u }; /* objects of a list or tree one behind the other, at most */\n",
                   w.depth);
    }
    if (uses(&all, "CALLS"))
        str_printf(out, "enum { CALLS = %u }; /* that change an object before the call, at most */\n",
                   task->drive->calls);
    if (uses(&all, "STRING") || uses(&all, "ELEMENTS") || uses(&all, "DEPTH") || uses(&all, "CALLS"))
        str_add_char(out, '\n');
    str_add(out, str_text(&w.stubs));
    str_add(out, str_text(&all));
    vec_free(&w.types);
    vec_free(&w.inputs);
    bitset_free(&w.filled);
    str_free(&w.makers);
    str_free(&w.handles);
    str_free(&w.stubs);
    str_free(&body);
    str_free(&all);
    arena_free(w.arena);
}
