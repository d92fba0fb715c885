/* entry.c - how a C file other than the program's own sources declares the entry function.
 *
 * By the header that declares it, if that compiles by itself; else by a prototype with types that need no
 * header; else (it is static, or takes structures by value that only the source knows) by including the
 * source. What compiles is asked of clang, not guessed. */
#include "suite/suite_int.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

bool suite_c_compiles(const FrontendOptions *options, const StrVec *flags, const Str *text, U32Vec *bad)
{
    const char *tmp = getenv("TMPDIR");
    Str path = {0}, said = {0};
    str_printf(&path, "%s/sheaf-XXXXXX.c", tmp && tmp[0] == '/' ? tmp : "/tmp");
    int fd = mkstemps(path.v, 2);
    bool ok = fd >= 0 && file_write_atomic(path.v, str_text(text), text->n) &&
              frontend_check_c(options, flags, path.v, &said);
    if (fd >= 0) {
        close(fd);
        unlink(path.v);
    }
    size_t n = path.n;
    for (const char *at = str_text(&said); bad && (at = strstr(at, str_text(&path))); at += n)
        if (at[n] == ':')
            vec_push(bad, (uint32_t)strtoul(at + n + 1, NULL, 10));
    str_free(&path);
    str_free(&said);
    return ok;
}

static bool line_is_bad(const U32Vec *bad, uint32_t line)
{
    for (uint32_t i = 0; i < bad->n; i++)
        if (bad->v[i] == line)
            return true;
    return false;
}

/* ---- by its header --------------------------------------------------------------------------- */

/* The next directory that flags name for headers; NULL: no more. */
static const char *include_flag(const StrVec *flags, uint32_t *at)
{
    static const char *const words[] = {"-I", "-iquote", "-isystem", "-idirafter"};
    for (; *at < flags->n; ++*at)
        for (size_t k = 0; k < COUNT_OF(words); k++) {
            const char *flag = flags->v[*at];
            if (!text_starts_with(flag, words[k]))
                continue;
            const char *rest = flag + strlen(words[k]);
            if (!*rest && *at + 1 < flags->n)
                rest = flags->v[++*at];
            ++*at;
            return rest;
        }
    return NULL;
}

/* The part of the header's path behind a directory that it is found in; NULL: not below it. */
static const char *below(const char *path, const char *directory)
{
    size_t n = strlen(directory);
    while (n && directory[n - 1] == '/')
        n--;
    return n && !strncmp(path, directory, n) && path[n] == '/' ? path + n + 1 : NULL;
}

static void spell_header(SuiteProgram *p, const FrontendFunction *f, Arena *a)
{
    static const char *const system[] = {"/usr/include/x86_64-linux-gnu", "/usr/include"};
    const char *path = suite_path_here(f->header), *name = NULL;
    for (uint32_t i = 0; !name;) {
        const char *directory = include_flag(&f->flags, &i);
        if (!directory)
            break;
        name = below(f->header, directory);
    }
    for (size_t i = 0; i < COUNT_OF(system) && !name; i++) {
        const char *rest = below(f->header, system[i]);
        if (rest) {
            p->preamble = arena_printf(a, "#include <%s>\n", rest);
            return;
        }
    }
    if (!name) {
        const char *slash = strrchr(path, '/');
        name = slash ? slash + 1 : path;
        p->include = slash ? arena_strndup(a, path, (size_t)(slash - path)) : ".";
    }
    p->preamble = arena_printf(a, "#include \"%s\"\n", name);
}

static bool declared_by_header(SuiteProgram *p, const FrontendOptions *options, FrontendFunction *f, Arena *a)
{
    Str text = {0};
    StrVec flags = {0};
    if (!f->header)
        return false;
    spell_header(p, f, a);
    str_add(&text, p->preamble);
    for (uint32_t i = 0; i < f->types.n; i++)
        str_printf(&text, "enum { sheaf_size%u = sizeof(__typeof__(%s)) };\n", i, f->types.v[i]);
    str_printf(&text, "typedef __typeof__(%s) SheafFunction;\n", p->entry);
    if (f->result)
        str_printf(&text, "enum { sheaf_result = sizeof(__typeof__(%s)) };\n", f->result);
    for (uint32_t i = 0; i < f->flags.n; i++)
        vec_push(&flags, f->flags.v[i]);
    if (p->include)
        vec_push(&flags, arena_printf(a, "-I%s", p->include));
    bool ok = suite_c_compiles(options, &flags, &text, NULL);
    str_free(&text);
    vec_free(&flags);
    if (!ok)
        p->preamble = p->include = NULL;
    return ok;
}

/* ---- by a prototype -------------------------------------------------------------------------- */

/* A type that every C file knows and that is passed in the same way; NULL: there is none. */
static const char *passed_like(const SuiteProgram *p, uint32_t ctype)
{
    const IrCType *t = p->ir && ctype ? &p->ir->ctypes.v[ctype] : NULL;
    SuiteKind kind = SUITE_BYTES;
    switch (t ? t->kind : IR_C_UNKNOWN) {
    case IR_C_POINTER: return t->to_const ? "const void *" : "void *";
    case IR_C_INT: kind = SUITE_INT; break;
    case IR_C_UINT: kind = SUITE_UINT; break;
    case IR_C_CHAR: kind = SUITE_CHAR; break;
    case IR_C_UCHAR: kind = SUITE_UINT; break;
    case IR_C_BOOL: kind = SUITE_BOOL; break;
    case IR_C_FLOAT: kind = SUITE_FLOAT; break;
    default: return NULL;
    }
    return suite_type_name((SuiteType){kind, 0}, (uint32_t)t->size);
}

static uint32_t type_of(const SuiteProgram *p, uint32_t position)
{
    uint32_t fn = p->ir ? ir_fn_find(p->ir, p->entry) : IR_NONE;
    const IrFn *f = fn == IR_NONE ? NULL : &p->ir->fns.v[fn];
    return f && position < f->ctypes.n ? f->ctypes.v[position] : 0;
}

/* As the source spells it, or without typedefs, or something that is passed like it. */
static const char *known_type(const SuiteProgram *p, const U32Vec *bad, uint32_t line, const char *spelled,
                              const char *plain, uint32_t position)
{
    if (spelled && !line_is_bad(bad, line))
        return spelled;
    if (plain && *plain && !line_is_bad(bad, line + 1))
        return plain;
    return passed_like(p, type_of(p, position));
}

static bool declared_by_prototype(SuiteProgram *p, const FrontendOptions *options, FrontendFunction *f,
                                  Arena *a)
{
    Str text = {0};
    U32Vec bad = {0};
    if (f->local)
        return false;
    for (uint32_t i = 0; i <= f->types.n; i++) { /* two lines for each: the result first */
        const char *spelled = i ? f->types.v[i - 1] : f->result ? f->result : "-";
        const char *plain = i && f->plain.v[i - 1][0] ? f->plain.v[i - 1] : "int";
        str_printf(&text, "extern void sheaf_probe%u(__typeof__(%s) *);\n", i, spelled);
        str_printf(&text, "extern void sheaf_plain%u(__typeof__(%s) *);\n", i, plain);
    }
    /* a structure that only the source knows has no size here, and cannot be passed */
    for (uint32_t i = 0; i <= f->types.n; i++)
        str_printf(&text, "enum { sheaf_size%u = sizeof(__typeof__(%s)) };\n", i,
                   i           ? f->types.v[i - 1]
                   : f->result ? f->result
                               : "-");
    suite_c_compiles(options, &f->flags, &text, &bad);
    str_free(&text);
    bool ok = true;
    uint32_t sizes = 2 * (f->types.n + 1) + 1;
    p->result = known_type(p, &bad, 1, line_is_bad(&bad, sizes) ? NULL : f->result, NULL, 0);
    const char *result = p->result ? p->result : "";
    str_printf(&text, "%s%s%s(", result, text_ends_with(result, "*") ? "" : " ", p->entry);
    for (uint32_t i = 1; i <= f->types.n; i++) {
        bool sized = !line_is_bad(&bad, sizes + i);
        const char *type = known_type(p, &bad, 2 * i + 1, sized ? f->types.v[i - 1] : NULL,
                                      sized || line_is_bad(&bad, 2 * i + 1) ? f->plain.v[i - 1] : NULL, i);
        ok = ok && type && !strchr(type, '(');
        vec_push(&p->types, ok ? type : "int");
        str_printf(&text, "%s%s", i > 1 ? ", " : "", ok ? type : "int");
    }
    str_add(&text, f->types.n ? ");\n" : "void);\n");
    ok = ok && p->result && suite_c_compiles(options, &f->flags, &text, NULL);
    if (ok)
        p->preamble = arena_strdup(a, str_text(&text));
    str_free(&text);
    vec_free(&bad);
    return ok;
}

/* ---- how it is declared ---------------------------------------------------------------------- */

bool suite_program_entry(SuiteProgram *p, const FrontendOptions *options, Arena *a)
{
    FrontendFunction f;
    vec_clear(&p->types);
    vec_clear(&p->names);
    p->preamble = p->include = p->result = NULL;
    if (!frontend_find_function(options, p->entry, a, &f)) {
        frontend_function_free(&f);
        return false;
    }
    p->source = f.source;
    p->source_given = f.given;
    p->header = f.header;
    for (uint32_t i = 0; i < f.names.n; i++)
        vec_push(&p->names, f.names.v[i]);
    vec_clear(&p->entry_flags);
    for (uint32_t i = 0; i < f.flags.n; i++)
        vec_push(&p->entry_flags, f.flags.v[i]);
    vec_clear(&p->own_flags);
    for (uint32_t i = 0; i < f.own_flags.n; i++)
        vec_push(&p->own_flags, f.own_flags.v[i]);
    if (p->declares && !declared_by_header(p, options, &f, a) && declared_by_prototype(p, options, &f, a)) {
        frontend_function_free(&f);
        return true;
    }
    vec_clear(&p->types);
    for (uint32_t i = 0; i < f.types.n; i++)
        vec_push(&p->types, f.types.v[i]);
    p->result = f.result;
    frontend_function_free(&f);
    return true;
}
