/* drive.c - which of an entry's parameters are handles, and what makes them.
 *
 * A type is opaque if the header that declares its constructor does not show it: clang is asked. What has a
 * header before the pointer shows by negative offsets. Everything else keeps its shape, unless the user says
 * --construct. */
#include "cli/drive.h"

#include "cli/scratch.h"
#include "flow/flow.h"

#include <errno.h>
#include <stdlib.h>

typedef struct Finding {
    const DriveSettings *s;
    const FrontendOptions *options;
    const IrProgram *p;
    FlowMakers *makers;
    Arena *arena;
    uint32_t fn;
    IrDrive *drive;
} Finding;

/* ---- what is opaque --------------------------------------------------------------------------- */

/* Does C that includes the header know how large the type is? */
static bool is_shown(const Finding *f, const char *header, const char *type, const StrVec *flags)
{
    Scratch scratch = scratch_make();
    Str text = {0}, said = {0};
    char *absolute = realpath(header, NULL);
    const char *path = arena_printf(f->arena, "%s/type.c", scratch.path);
    str_printf(&text, "#include \"%s\"\ntypedef char sheaf_size[sizeof(%s)];\n", absolute ? absolute : header,
               type);
    if (!file_write_atomic(path, str_text(&text), text.n))
        die("%s: %s", path, strerror(errno));
    bool shown = frontend_check_c(f->options, flags, path, &said) || !strstr(str_text(&said), "incomplete");
    scratch_free(&scratch);
    free(absolute);
    str_free(&text);
    str_free(&said);
    return shown;
}

static bool is_opaque(const Finding *f, const IrHandle *h, const IrCType *type)
{
    FrontendFunction declared;
    bool opaque = false;
    for (uint32_t i = 0; type->name && i < h->constructors.n && !opaque; i++) {
        bool found = frontend_find_function(f->options, h->constructors.v[i].name, f->arena, &declared);
        if (found && declared.header) {
            opaque = !is_shown(f, declared.header, ir_text(f->p, type->name), &declared.flags);
            i = h->constructors.n; /* one header is enough */
        }
        frontend_function_free(&declared);
    }
    return opaque;
}

static const IrCType *behind(const Finding *f, uint32_t fn, uint32_t number)
{
    const IrFn *ir = &f->p->fns.v[fn];
    uint32_t type = number + 1 < ir->ctypes.n ? ir->ctypes.v[number + 1] : 0;
    uint32_t of = type && f->p->ctypes.v[type].kind == IR_C_POINTER ? f->p->ctypes.v[type].of : 0;
    return of ? &f->p->ctypes.v[of] : NULL;
}

static void handle_free(IrHandle *h)
{
    vec_free(&h->constructors);
    vec_free(&h->mutators);
}

/* Is the parameter a handle, of which no other shape makes sense? Then *h has all that makes it. */
static bool is_handle(const Finding *f, uint32_t fn, uint32_t number, IrHandle *h)
{
    const IrCType *type = behind(f, fn, number);
    bool is = type && flow_makers_find(f->makers, fn, number, h) &&
              (type->kind != IR_C_RECORD || is_opaque(f, h, type));
    return is;
}

/* A function that needs another handle to be called is left out: nothing makes that one for it. */
static bool needs_handle(const Finding *f, const IrMaker *m)
{
    bool needs = false;
    const IrFn *fn = &f->p->fns.v[m->fn];
    for (uint32_t i = 0; i + 1 < fn->ctypes.n && !needs; i++) {
        IrHandle other = {0};
        if (i != m->place)
            needs = is_handle(f, m->fn, i, &other);
        handle_free(&other);
    }
    return needs;
}

static void leave_out(const Finding *f, IrMakerVec *makers)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < makers->n; i++)
        if (!needs_handle(f, &makers->v[i]))
            makers->v[kept++] = makers->v[i];
    makers->n = kept;
}

/* ---- what the user says ----------------------------------------------------------------------- */

/* "set", "struct set" or the name of the parameter. */
static bool speaks_of(const Finding *f, uint32_t number, const char *word, size_t n)
{
    const IrFn *ir = &f->p->fns.v[f->fn];
    const IrCType *type = behind(f, f->fn, number);
    uint32_t reg = flow_parameter_register(ir, number);
    const char *name = reg != IR_NONE && ir->regs.v[reg].name ? ir_text(f->p, ir->regs.v[reg].name) : "";
    const char *record = type && type->name ? ir_text(f->p, type->name) : "";
    const char *blank = strrchr(record, ' ');
    return (strlen(name) == n && !strncmp(name, word, n)) ||
           (strlen(record) == n && !strncmp(record, word, n)) ||
           (blank && strlen(blank + 1) == n && !strncmp(blank + 1, word, n));
}

/* What stands behind "T=" for the parameter; NULL: nothing. "none" alone is for all. */
static const char *said_of(const Finding *f, const StrVec *list, uint32_t number)
{
    const char *said = NULL;
    for (uint32_t i = 0; i < list->n; i++) {
        const char *equals = strchr(list->v[i], '=');
        if (!equals)
            said = list->v[i];
        else if (speaks_of(f, number, list->v[i], (size_t)(equals - list->v[i])))
            said = equals + 1;
    }
    return said;
}

/* The functions that a list names. */
static void take_named(const Finding *f, uint32_t number, const char *said, bool mutates, IrMakerVec *out)
{
    const char *option = mutates ? "mutate" : "construct";
    vec_clear(out);
    for (const char *at = said; *at; at += strcspn(at, ","), at += *at == ',') {
        const char *name = arena_strndup(f->arena, at, strcspn(at, ","));
        IrMaker maker;
        uint32_t fn = ir_fn_find(f->p, name);
        if (fn == IR_NONE || !f->p->fns.v[fn].defined)
            die("--%s: the program has no function %s", option, name);
        if (!flow_maker_named(f->makers, f->fn, number, name, mutates, &maker))
            die("--%s: %s %s", option, name,
                mutates ? "does not take such a pointer first"
                        : "neither returns such a pointer, nor takes it first, nor takes the address of one");
        vec_push(out, maker);
    }
}

/* Every word of the user's must be about a parameter. */
static void check_said(const Finding *f, const StrVec *list, const char *option)
{
    uint32_t n = f->p->fns.v[f->fn].ctypes.n;
    for (uint32_t i = 0; i < list->n; i++) {
        const char *equals = strchr(list->v[i], '=');
        bool found = !equals && !strcmp(list->v[i], "none");
        if (!equals && !found)
            die("--%s %s: it is TYPE=FUNCTION,..., TYPE=none or none", option, list->v[i]);
        for (uint32_t k = 0; equals && k + 1 < n && !found; k++)
            found = speaks_of(f, k, list->v[i], (size_t)(equals - list->v[i]));
        if (!found)
            die("--%s %s: %s has no parameter of that type or name", option, list->v[i], f->s->entry);
    }
}

/* ---- the drive -------------------------------------------------------------------------------- */

/* One that makes it does not change it. */
static void drop_constructors(IrHandle *h)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < h->mutators.n; i++) {
        bool makes = false;
        for (uint32_t k = 0; k < h->constructors.n; k++)
            makes |= h->mutators.v[i].fn == h->constructors.v[k].fn;
        if (!makes)
            h->mutators.v[kept++] = h->mutators.v[i];
    }
    h->mutators.n = kept;
}

static bool find_handle(const Finding *f, uint32_t number, IrHandle *h)
{
    const char *construct = said_of(f, f->s->construct, number), *mutate = said_of(f, f->s->mutate, number);
    if (construct && !strcmp(construct, "none"))
        return false;
    bool is =
        construct ? (flow_makers_find(f->makers, f->fn, number, h), true) : is_handle(f, f->fn, number, h);
    if (!is || !h->name)
        return false;
    leave_out(f, &h->constructors);
    leave_out(f, &h->mutators);
    if (construct)
        take_named(f, number, construct, false, &h->constructors);
    if (mutate && !strcmp(mutate, "none"))
        vec_clear(&h->mutators);
    else if (mutate)
        take_named(f, number, mutate, true, &h->mutators);
    drop_constructors(h);
    return h->constructors.n > 0;
}

IrDrive *drive_find(const DriveSettings *s, const FrontendOptions *options, const IrProgram *program,
                    Arena *arena)
{
    Finding f = {.s = s,
                 .options = options,
                 .p = program,
                 .makers = flow_makers_new(program),
                 .arena = arena,
                 .fn = ir_fn_find(program, s->entry),
                 .drive = arena_alloc(arena, sizeof *f.drive)};
    *f.drive = (IrDrive){
        .entry = s->entry, .calls = s->calls ? (uint32_t)s->calls : EXPLORING_CALLS_MOST, .fn = IR_NONE};
    check_said(&f, s->construct, "construct");
    check_said(&f, s->mutate, "mutate");
    for (uint32_t i = 0; i + 1 < program->fns.v[f.fn].ctypes.n; i++) {
        IrHandle h = {0};
        if (find_handle(&f, i, &h))
            vec_push(&f.drive->handles, h);
        else
            handle_free(&h);
    }
    flow_makers_free(f.makers);
    if (!f.drive->handles.n && s->calls)
        die("--calls: no parameter of %s is made by a constructor (--construct)", s->entry);
    return f.drive->handles.n ? f.drive : NULL;
}

void drive_prepare(const ExploringSettings *s, const OptionArgs *args, IrProgram *program, Arena *arena,
                   VmInputs *inputs)
{
    uint32_t fn = s->entry ? ir_fn_find(program, s->entry) : IR_NONE;
    bool said = s->construct.n || s->mutate.n || s->calls;
    if (s->shape != VM_SHAPE_TYPES || fn == IR_NONE || !program->fns.v[fn].defined ||
        !strcmp(s->entry, "main") || program->fns.v[fn].variadic) {
        if (said)
            die("--%s: it is for --entry with --shape types", s->construct.n ? "construct"
                                                              : s->mutate.n  ? "mutate"
                                                                             : "calls");
        return;
    }
    FrontendOptions options = program_frontend(&s->program, args, arena);
    DriveSettings settings = {s->entry, &s->construct, &s->mutate, s->calls};
    IrDrive *drive = drive_find(&settings, &options, program, arena);
    if (drive) {
        ir_drive_build(program, drive);
        inputs->entry = ir_text(program, program->fns.v[drive->fn].name);
    }
    vec_free(&options.inputs);
    vec_free(&options.cflags);
}

void drive_describe(SuiteProgram *p, const IrProgram *program, const FrontendOptions *options, Arena *arena)
{
    StrVec made = {0};
    for (uint32_t i = 0; program->drive && i < program->drive->handles.n; i++) {
        Str text = {0};
        ir_drive_text(&program->drive->handles.v[i], program->drive->calls, &text);
        vec_push(&made, arena_strdup(arena, str_text(&text)));
        str_free(&text);
    }
    if (!suite_program_drive(p, &made, options, arena))
        die("--emit c: no C source declares all functions that make arguments of '%s'", p->entry);
    vec_free(&made);
}
