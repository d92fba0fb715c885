/* wrapped.c - an expression compiled where a function is defined: a precondition of it, or a condition on
 * what it leaves behind.
 *
 * The source that defines the function is copied, with a function behind it that assumes the one, calls, and
 * checks the other. clang does the parsing, so an expression may use whatever the source can: types, macros,
 * static variables. */
#include "cli/wrapped.h"

#include "cli/scratch.h"

#include <errno.h>

enum { SOURCE_MOST = 64 << 20 };

/* ---- what is wrapped ------------------------------------------------------------------------- */

static bool is_void(const IrFn *fn)
{
    return !fn->results.n && (!fn->nparams || ir_param(fn, 0).kind != IR_PARAM_SRET);
}

/* "r, v": the arguments of a call with the parameters. */
static const char *arguments(const IrProgram *p, const IrFn *fn, const char *name, Arena *a)
{
    Str text = {0};
    for (uint32_t i = 0; i < fn->nparams; i += ir_param_parts(fn, i)) {
        if (ir_param(fn, i).kind == IR_PARAM_SRET)
            continue;
        if (!fn->regs.v[i].name)
            die("a parameter of %s has no name, so that no expression can speak of it", name);
        str_printf(&text, "%s%s", text.n ? ", " : "", ir_text(p, fn->regs.v[i].name));
    }
    const char *copy = arena_strdup(a, str_text(&text));
    str_free(&text);
    return copy;
}

static bool is_blank(const char *text) { return !text[strspn(text, " \t\r\n;")]; }

bool wrapped_is_function(const Wrapped *w, const char *entry)
{
    Str text = {0}, name = {0};
    str_printf(&name, "%s_fails", entry);
    bool is = w->precondition && file_read(w->precondition, SOURCE_MOST, &text) &&
              strstr(str_text(&text), str_text(&name)) && strchr(str_text(&text), '{');
    str_free(&text);
    str_free(&name);
    return is;
}

/* What the file holds: an expression, or the function that --c-function printed. */
static void add_precondition(const Wrapped *w, const char *entry, const char *parameters, const char *call,
                             Str *out)
{
    Str text = {0};
    if (!file_read(w->precondition, SOURCE_MOST, &text))
        die("--precondition %s: %s", w->precondition, strerror(errno));
    if (is_blank(str_text(&text)))
        die("--precondition %s: there is no expression in it", w->precondition);
    str_printf(out, "\n# 1 \"%s\"\n", w->precondition);
    if (wrapped_is_function(w, entry))
        str_printf(out, "%s\nstatic _Bool sheaf_precondition(%s) { return !%s_fails(%s); }\n",
                   str_text(&text), parameters, entry, call);
    else
        str_printf(out, "static _Bool sheaf_precondition(%s) { return !!(\n# 1 \"%s\"\n%s\n); }\n",
                   parameters, w->precondition, str_text(&text));
    str_free(&text);
}

static void add_wrapper(const Wrapped *w, const IrFn *fn, const char *entry, const char *parameters,
                        const char *call, Str *out)
{
    if (w->precondition)
        add_precondition(w, entry, parameters, call, out);
    str_printf(out, "\n# 1 \"%s\"\n", w->fails_when ? "--fails-when" : "--precondition");
    str_add(out, "extern void sheaf_assume(long); extern void abort(void);");
    str_printf(out, " void " WRAPPED_NAME "(%s) {", parameters);
    if (w->precondition)
        str_printf(out, " sheaf_assume(sheaf_precondition(%s));", call);
    str_printf(out, " %s%s(%s);", is_void(fn) || !w->fails_when ? "" : "__auto_type result = ", entry, call);
    if (w->fails_when)
        str_printf(out, " if (%s) abort();", w->fails_when);
    str_add(out, " }\n");
}

/* ---- the program with it --------------------------------------------------------------------- */

static bool is_source(const char *path) { return text_ends_with(path, ".c"); }

/* The input that defines the function. */
static uint32_t source_of(const IrProgram *p, const IrFn *fn, const char *entry,
                          const FrontendOptions *options)
{
    const char *file = fn->site < p->sites.n ? ir_text(p, p->sites.v[fn->site].file) : "";
    for (uint32_t i = 0; i < options->inputs.n; i++)
        if (is_source(options->inputs.v[i]) && !strcmp(options->inputs.v[i], file))
            return i;
    die("%s is defined in %s, which is no C source among the arguments: an expression needs one to be "
        "compiled in",
        entry, *file ? file : "an unknown file");
}

static const char *directory_of(const char *path, Arena *a)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_strndup(a, path, (size_t)(slash - path)) : ".";
}

/* What clang says of the user's expression, as one line: the rest of its text is about code of ours. */
static void check_expression(const Wrapped *w, const FrontendOptions *options, const char *copy)
{
    Str said = {0};
    if (frontend_check_c(options, &options->cflags, copy, &said)) {
        str_free(&said);
        return;
    }
    const char *option = w->precondition ? w->precondition : "--fails-when";
    const char *from = strstr(str_text(&said), option), *error = from ? strstr(from, "error: ") : NULL;
    if (!error)
        return; /* the program itself: loading it says why */
    error += strlen("error: ");
    if (w->precondition)
        die("--precondition %s: %.*s", w->precondition, (int)strcspn(error, "\n"), error);
    die("--fails-when '%s': %.*s", w->fails_when, (int)strcspn(error, "\n"), error);
}

IrProgram *wrapped_load(const Wrapped *w, const ProgramSettings *settings, const OptionArgs *args,
                        const IrProgram *program, const char *entry, const char *parameters)
{
    Arena *a = arena_new();
    FrontendOptions options = program_frontend(settings, args, a);
    const IrFn *fn = &program->fns.v[ir_fn_find(program, entry)];
    uint32_t which = source_of(program, fn, entry, &options);
    const char *source = options.inputs.v[which];
    Scratch scratch = scratch_make();
    Str text = {0}, all = {0};
    if (!file_read(source, SOURCE_MOST, &text))
        die("%s: %s", source, strerror(errno));
    str_printf(&all, "# 1 \"%s\"\n%s", source, str_text(&text));
    add_wrapper(w, fn, entry, parameters, arguments(program, fn, entry, a), &all);
    const char *copy = arena_printf(a, "%s/wrapped.c", scratch.path);
    if (!file_write_atomic(copy, str_text(&all), all.n))
        die("%s: %s", copy, strerror(errno));
    options.inputs.v[which] = copy;
    vec_push(&options.cflags, "-iquote");
    vec_push(&options.cflags, directory_of(source, a));
    check_expression(w, &options, copy);
    IrProgram *loaded = program_load_options(settings, &options, WRAPPED_NAME, true);
    scratch_free(&scratch);
    vec_free(&options.inputs);
    vec_free(&options.cflags);
    str_free(&text);
    str_free(&all);
    arena_free(a);
    return loaded;
}
