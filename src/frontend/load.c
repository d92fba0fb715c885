/* load.c - the way from options to a program: read the road map in frontend_int.h, then frontend_load
 * below. */
#include "frontend/frontend_int.h"

#include <errno.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_INPUT = 1 << 30 };

const char *frontend_llvm_version(void) { return LLVM_VERSION_STRING; }

/* ---- diagnostics ----------------------------------------------------------------------------- */

static void keep_diagnostic(Front *fr, const char *text)
{
    if (fr->diagnostic)
        return;
    fr->diagnostic = mem_strdup(text);
    fr->diagnostic[strcspn(fr->diagnostic, "\n")] = '\0';
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *fr)
{
    char *text = LLVMGetDiagInfoDescription(info);
    if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
        keep_diagnostic(fr, text);
    LLVMDisposeMessage(text);
}

const char *front_reason(const Front *fr) { return fr->diagnostic ? fr->diagnostic : "LLVM gives no reason"; }

/* ---- one input ------------------------------------------------------------------------------- */

/* Takes the buffer. NULL: front_reason says why. */
static LLVMModuleRef parse(Front *fr, LLVMMemoryBufferRef buffer, bool is_bitcode)
{
    LLVMModuleRef module = NULL;
    if (is_bitcode) {
        bool failed = LLVMParseBitcodeInContext2(fr->context, buffer, &module);
        LLVMDisposeMemoryBuffer(buffer);
        return failed ? NULL : module;
    }
    char *message = NULL;
    if (LLVMParseIRInContext(fr->context, buffer, &module, &message)) { /* takes the buffer */
        keep_diagnostic(fr, message ? message : "no reason given");
        LLVMDisposeMessage(message);
        return NULL;
    }
    return module;
}

/* Bitcode of a newer LLVM is worth a word of its own; `text` is the file. */
static _Noreturn void die_unreadable(const char *path, const Str *text, const char *reason)
{
    char writer[64];
    int major = 0;
    if (ident_read(text->v, text->n, writer, sizeof writer) && sscanf(writer, "LLVM%d", &major) == 1 &&
        major > LLVM_VERSION_MAJOR)
        die("%s is bitcode of LLVM %s, newer than the %s that Sheaf was built with: compile it with %s, or "
            "install "
            "llvm-%d-dev and clang-%d and build Sheaf with LLVM=%d",
            path, writer + strlen("LLVM"), LLVM_VERSION_STRING, SHEAF_CLANG, major, major, major);
    die("%s cannot be read: %s", path, reason);
}

static bool is_bitcode(const Str *text)
{
    static const char plain[4] = {'B', 'C', (char)0xc0, (char)0xde},
                      wrapped[4] = {(char)0xde, (char)0xc0, 0x17, 0x0b};
    return text->n >= 4 && (memcmp(text->v, plain, 4) == 0 || memcmp(text->v, wrapped, 4) == 0);
}

/* Dies unless there is a file to read: clang's way to say so takes three lines. */
static void check_file(const char *path)
{
    struct stat st;
    if (stat(path, &st) < 0)
        die("%s: %s", path, strerror(errno));
    if (S_ISDIR(st.st_mode))
        die("%s is a directory", path);
}

static void read_input(const char *path, Str *text)
{
    check_file(path);
    if (!file_read(path, MAX_INPUT, text))
        die("%s: %s", path, strerror(errno));
}

/* LLVM's reader of bitcode has verified what has debug information of its own version already (a breach is a
 * fatal error to it), and once more would be a tenth of the time to start. */
static bool verify(LLVMModuleRef module, bool bitcode, char **breach)
{
    if (bitcode && LLVMGetModuleDebugMetadataVersion(module) == LLVMDebugMetadataVersion())
        return true;
    return !LLVMVerifyModule(module, LLVMReturnStatusAction, breach);
}

static LLVMModuleRef read_module(Front *fr, const char *path)
{
    Str text = {0};
    read_input(path, &text);
    bool bitcode = is_bitcode(&text);
    if (!bitcode && !text_ends_with(path, ".ll"))
        die("%s is neither C (.c), nor LLVM bitcode, nor LLVM's text (.ll), nor Sheaf's (.ir)", path);
    fr->suspect = path;
    guard_begin(path);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text.v, text.n, path);
    LLVMModuleRef module = parse(fr, buffer, bitcode);
    char *breach = NULL;
    bool is_valid = module && verify(module, bitcode, &breach);
    if (is_valid && bitcode)
        flags_read(fr, module, text.v, text.n);
    else if (is_valid)
        flags_read_text(fr, module);
    guard_end();
    if (!module)
        die_unreadable(path, &text, front_reason(fr));
    if (!is_valid) {
        breach[strcspn(breach, "\n")] = '\0';
        die("%s is no valid IR: %s", path, breach);
    }
    LLVMDisposeMessage(breach);
    str_free(&text);
    return module;
}

static bool ends_in(const char *path, const char *const *suffixes)
{
    for (; *suffixes; suffixes++)
        if (text_ends_with(path, *suffixes))
            return true;
    return false;
}

static bool is_cxx_path(const char *path)
{
    static const char *const suffixes[] = {".cc", ".cpp", ".cxx", ".C", ".c++", ".ii", NULL};
    return ends_in(path, suffixes);
}

static bool is_c_path(const char *path)
{
    static const char *const suffixes[] = {".c", ".i", NULL};
    return ends_in(path, suffixes);
}

static LLVMModuleRef take_compiled(Front *fr, const char *path, const Str *bitcode)
{
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(bitcode->v, bitcode->n, path, false);
    LLVMModuleRef module = parse(fr, buffer, true);
    if (!module)
        die("%s: what %s made of it cannot be read: %s; Sheaf was built with LLVM %s", path,
            clang_program(fr->options), front_reason(fr), LLVM_VERSION_STRING);
    flags_read(fr, module, bitcode->v, bitcode->n);
    return module;
}

/* ---- all inputs ------------------------------------------------------------------------------ */

/* As C++ mangles names of functions. Its operators begin with small letters, as in names that C programs do
 * use (_Zgetc). */
static bool is_cxx_name(const char *name)
{
    return text_starts_with(name, "_Z") && name[2] && strchr("0123456789NLSTZ", name[2]);
}

/* Dies if the module is nothing that we run: another processor, another language. */
static void check_module(const char *path, LLVMModuleRef module)
{
    static const char layout[] = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128";
    const char *triple = LLVMGetTarget(module);
    if (*triple && !text_starts_with(triple, "x86_64") && !text_starts_with(triple, "amd64"))
        die("%s is compiled for %s; Sheaf runs code for x86_64", path, triple);
    if (*LLVMGetDataLayoutStr(module) == '\0')
        LLVMSetDataLayout(module, layout);
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(module);
    if (LLVMPointerSize(data) != 8 || LLVMByteOrder(data) != LLVMLittleEndian)
        die("%s is compiled for pointers of %u bytes; Sheaf runs code for x86_64, where they have 8", path,
            LLVMPointerSize(data));
    size_t n;
    bool is_cxx = is_cxx_path(LLVMGetSourceFileName(module, &n));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        is_cxx |= text_starts_with(symbol_name(f), "__gxx_personality") ||
                  (is_cxx_name(symbol_name(f)) && !LLVMIsDeclaration(f));
    if (is_cxx)
        die("%s is compiled from C++, which Sheaf does not support", path);
}

static void collect_sources(const FrontendOptions *options, Arena *a, SourceVec *out)
{
    for (uint32_t i = 0; i < options->inputs.n; i++)
        vec_push(out, (Source){.path = options->inputs.v[i]});
    if (options->compdb)
        compdb_sources(options, a, out);
    if (out->n == 0)
        die("nothing to load: name a C file, bitcode, or a compilation database");
}

/* The inputs in order, with clangs for the next C files at work meanwhile. */
typedef struct Queue {
    SourceVec sources;
    Vec(ClangJob) jobs; /* of the sources that were started */
} Queue;

static void start_jobs(Front *fr, Queue *q, uint32_t upto)
{
    while (q->jobs.n < upto && q->jobs.n < q->sources.n) {
        const Source *source = &q->sources.v[q->jobs.n];
        ClangJob job = {0};
        if (is_c_path(source->path)) {
            check_file(source->path);
            clang_start(fr->options, source, &job);
        }
        vec_push(&q->jobs, job);
    }
}

static LLVMModuleRef take_source(Front *fr, Queue *q, uint32_t i)
{
    const char *path = q->sources.v[i].path;
    Str bitcode = {0};
    if (!is_c_path(path))
        return read_module(fr, path);
    if (!clang_finish(&q->jobs.v[i], &bitcode)) {
        for (uint32_t k = i; k < q->jobs.n; k++)
            clang_cancel(&q->jobs.v[k]);
        die("%s does not compile", path);
    }
    LLVMModuleRef module = take_compiled(fr, path, &bitcode);
    str_free(&bitcode);
    return module;
}

static void load_user(Front *fr)
{
    Queue q = {0};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t ahead = processors < 1 ? 1 : processors > 16 ? 16 : (uint32_t)processors;
    collect_sources(fr->options, fr->arena, &q.sources);
    for (uint32_t i = 0; i < q.sources.n; i++) {
        const char *path = q.sources.v[i].path;
        if (is_cxx_path(path))
            die("%s is C++, which Sheaf does not support", path);
        start_jobs(fr, &q, i + ahead);
        LLVMModuleRef module = take_source(fr, &q, i);
        check_module(path, module);
        if (!fr->module)
            fr->module = module;
        else if (LLVMLinkModules2(fr->module, module))
            die("%s cannot be linked to the files before it: %s", path, front_reason(fr));
        vec_free(&q.sources.v[i].flags);
    }
    vec_free(&q.sources);
    vec_free(&q.jobs);
}

static bool is_defined(const Front *fr, const char *name)
{
    LLVMValueRef fn = LLVMGetNamedFunction(fr->module, name);
    return fn && !LLVMIsDeclaration(fn);
}

/* "parse, check and 3 more": functions that other files can call, or if there is none, all. */
static void list_functions(const Front *fr, Str *out)
{
    enum { LISTED = 8 };
    uint32_t n = 0;
    for (int local = 0; local < 2 && !n; local++)
        for (LLVMValueRef f = LLVMGetFirstFunction(fr->module); f; f = LLVMGetNextFunction(f)) {
            LLVMLinkage linkage = LLVMGetLinkage(f);
            if (LLVMIsDeclaration(f) || (linkage == LLVMInternalLinkage) != local)
                continue;
            if (n++ < LISTED)
                str_printf(out, "%s%s", n > 1 ? ", " : "", symbol_name(f));
        }
    if (n > LISTED)
        str_printf(out, " and %u more", n - LISTED);
}

_Noreturn static void die_without(const Front *fr, const char *entry)
{
    Str names = {0};
    list_functions(fr, &names);
    if (entry && strcmp(entry, "main"))
        die("no function '%s' is defined in what was given; these are: %s", entry, str_text(&names));
    die("no main is defined in what was given: --entry F begins at a function, with symbolic arguments (%s); "
        "LLVMFuzzerTestOneInput is called without an option, with up to --fuzz-size bytes",
        str_text(&names));
}

/* Dies unless something can run. */
static void check_functions(const Front *fr)
{
    LLVMValueRef any = LLVMGetFirstFunction(fr->module);
    while (any && LLVMIsDeclaration(any))
        any = LLVMGetNextFunction(any);
    if (!any)
        die("what was given defines no function");
    const char *entry = fr->options->entry;
    if (entry ? !is_defined(fr, entry)
              : fr->options->runs && !is_defined(fr, "main") && !is_defined(fr, "LLVMFuzzerTestOneInput"))
        die_without(fr, entry);
}

/* ---- our own text ---------------------------------------------------------------------------- */

static IrProgram *load_text(const FrontendOptions *options)
{
    const char *path = options->inputs.v[0], *error;
    Str text = {0};
    Arena *a = arena_new();
    if (options->inputs.n > 1 || options->compdb)
        die("%s: Sheaf's own text form is loaded alone", path);
    read_input(path, &text);
    IrProgram *p = ir_program_parse(text.v, text.n, a, &error);
    if (!p || !ir_program_verify(p, a, &error))
        die("%s: %s", path, error);
    if (options->entry && ir_fn_find(p, options->entry) == IR_NONE)
        die("no function '%s' is defined in what was given", options->entry);
    ir_program_index(p);
    str_free(&text);
    arena_free(a);
    return p;
}

/* ---- the recipe ------------------------------------------------------------------------------ */

static unsigned attribute(const char *name) { return LLVMGetEnumAttributeKindForName(name, strlen(name)); }

static void front_begin(Front *fr, const FrontendOptions *options)
{
    *fr = (Front){
        .options = options, .context = LLVMContextCreate(), .arena = arena_new(), .p = ir_program_new()};
    LLVMContextSetDiagnosticHandler(fr->context, on_diagnostic, fr);
    fr->attr_byval = attribute("byval");
    fr->attr_sret = attribute("sret");
    fr->attr_nonnull = attribute("nonnull");
    fr->attr_dereferenceable = attribute("dereferenceable");
    fr->attr_align = attribute("align");
    fr->attr_noreturn = attribute("noreturn");
    fr->attr_signext = attribute("signext");
    fr->attr_returns_twice = attribute("returns_twice");
    fr->attr_optnone = attribute("optnone");
    fr->attr_noinline = attribute("noinline");
}

static void front_end(Front *fr)
{
    Map *maps[] = {&fr->types,     &fr->symbols, &fr->user_symbols, &fr->block_numbers,
                   &fr->loc_sites, &fr->flags,   &fr->callees,      &fr->ctypes};
    for (unsigned i = 0; i < COUNT_OF(maps); i++)
        map_free(maps[i]);
    strmap_free(&fr->file_dirs);
    vec_free(&fr->fn_queue);
    vec_free(&fr->global_queue);
    vec_free(&fr->tokens);
    vec_free(&fr->init_stores);
    mem_free(fr->diagnostic);
    LLVMDisposeModule(fr->module);
    LLVMContextDispose(fr->context);
    arena_free(fr->arena);
}

/* Only where speed does not matter: a breach is a bug of the translation, which the tests look for. */
static void check_program(const IrProgram *p)
{
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
    Arena *a = arena_new();
    const char *error;
    if (!ir_program_verify(p, a, &error))
        bug("the front end made a broken program: %s", error);
    arena_free(a);
#else
    (void)p;
#endif
}

/* From LLVM 19 on, what is known of locals stands in records beside the instructions, which its C interface
 * cannot read. As calls of llvm.dbg.declare, as before, it can. */
static void debug_as_calls(const Front *fr, bool calls)
{
#if LLVM_VERSION_MAJOR >= 19
    LLVMSetIsNewDbgInfoFormat(fr->module, !calls);
#else
    (void)fr;
    (void)calls;
#endif
}

IrProgram *frontend_load(const FrontendOptions *options)
{
    Front fr;
    if (options->inputs.n && text_ends_with(options->inputs.v[0], ".ir"))
        return load_text(options);
    front_begin(&fr, options);
    load_user(&fr);
    check_functions(&fr);
    debug_as_calls(&fr, true);
    observe_user(&fr);
    debug_as_calls(&fr, false);
    prepare_user(&fr);
    runtime_link(&fr);
    debug_as_calls(&fr, true);
    fr.layout = LLVMGetModuleDataLayout(fr.module);
    module_translate(&fr);
    front_end(&fr);
    check_program(fr.p);
    return fr.p;
}
