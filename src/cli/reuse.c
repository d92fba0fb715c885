/* reuse.c - see reuse.h. */
#include "cli/reuse.h"

#include "cli/command.h"

#include <ctype.h>
#include <sys/stat.h>
#include <time.h>

static const char value_name[] = "answer";
enum { HEX = 64 };

/* ---- the key --------------------------------------------------------------------------------- */

/* Another build of the same version counts as another version. */
static void add_executable(Str *out)
{
    struct stat is = {0};
    wire_text(out, SHEAF_VERSION);
    if (stat("/proc/self/exe", &is))
        return;
    wire_u64(out, (uint64_t)is.st_size);
    wire_u64(out, (uint64_t)is.st_mtim.tv_sec);
    wire_u64(out, (uint64_t)is.st_mtim.tv_nsec);
}

static void add_list(const StrVec *list, Str *out)
{
    wire_uint(out, list->n);
    for (uint32_t i = 0; i < list->n; i++)
        wire_text(out, list->v[i]);
}

/* What native runs are compiled from: options of the compiler may matter to them alone. */
static void add_sources(const FrontendOptions *program, Str *out)
{
    Arena *a = arena_new();
    StrVec paths = {0}, flags = {0};
    frontend_sources(program, a, &paths, &flags);
    add_list(&paths, out);
    add_list(&flags, out);
    vec_free(&paths);
    vec_free(&flags);
    arena_free(a);
}

/* What both keys have: whose answer it is, and to what. */
static void add_question(const Command *command, const OptionArgs *args, const FrontendOptions *program,
                         Str *out)
{
    /* An answer is kept in every form, and only if no limit ended the run. */
    static const char *const without[] = {"force", "resume", "no-reuse", "format", "quiet", "verbose", NULL};
    Str options = {0};
    options_canonical(command->options, args, without, &options);
    add_executable(out);
    wire_text(out, command->name);
    wire_text(out, str_text(&options));
    add_list(&args->rest, out);
    add_sources(program, out);
    str_free(&options);
}

static const char *hash_of(Str *text, Arena *arena)
{
    char hex[HEX + 1];
    suite_sha256(str_text(text), text->n, hex);
    str_free(text);
    return arena_strdup(arena, hex);
}

const char *reuse_key(const Command *command, const OptionArgs *args, const StoreJob *job,
                      const char *sources, const FrontendOptions *program, Arena *arena)
{
    Str text = {0};
    add_question(command, args, program, &text);
    wire_text(&text, job->program);
    wire_text(&text, sources);
    return hash_of(&text, arena);
}

/* Where LLVM has put a number behind a local's name, another register may tell what people call it. */
static bool has_numbered_local(const IrProgram *p, const IrFn *fn)
{
    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
            const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
            const char *name = insn->op == IR_ALLOCA ? ir_text(p, fn->regs.v[insn->dst].name) : "";
            if (*name && isdigit((unsigned char)name[strlen(name) - 1]))
                return true;
        }
    return false;
}

/* Messages name objects in memory, and inputs parameters; what a value is called shows nowhere. */
static void forget_names(const IrProgram *p, IrFn *fn, Arena *arena)
{
    IrReg *regs = arena_alloc(arena, (fn->regs.n + 1) * sizeof *regs);
    for (uint32_t i = 0; i < fn->regs.n; i++) {
        const IrInsn *made = ir_reg_def(fn, i);
        regs[i] = fn->regs.v[i];
        if (made && made->op != IR_ALLOCA)
            regs[i].name = 0;
    }
    if (!has_numbered_local(p, fn))
        fn->regs.v = regs;
}

/* All of the program but lines, columns and names that show nowhere. Sites go by their numbers, so that the
 * same ones are shared. */
static void add_code(const IrProgram *program, Str *out)
{
    Arena *arena = arena_new();
    IrProgram bare = *program;
    bare.sites.v = arena_alloc(arena, (program->sites.n + 1) * sizeof *bare.sites.v);
    for (uint32_t i = 0; i < program->sites.n; i++) {
        IrSite s = program->sites.v[i];
        bare.sites.v[i] = (IrSite){.file = s.file, .fn = s.fn, .line = s.line != 0};
    }
    bare.fns.v = arena_alloc(arena, (program->fns.n + 1) * sizeof *bare.fns.v);
    for (uint32_t i = 0; i < program->fns.n; i++) {
        bare.fns.v[i] = program->fns.v[i];
        forget_names(program, &bare.fns.v[i], arena);
    }
    ir_program_print(&bare, out);
    ir_extra_write(&bare, out);
    for (uint32_t i = 0; i < program->globals.n; i++)
        wire_uint(out, program->globals.v[i].written);
    arena_free(arena);
}

const char *reuse_reached_key(const Command *command, const OptionArgs *args, const IrProgram *program,
                              const VmEnvironment *environment, const FrontendOptions *native, Arena *arena)
{
    Str text = {0};
    add_question(command, args, native, &text);
    add_code(program, &text);
    for (uint32_t i = 0; i < environment->files.n; i++) {
        wire_text(&text, environment->files.v[i].name);
        wire_bytes(&text, environment->files.v[i].data, environment->files.v[i].size);
    }
    return hash_of(&text, arena);
}

/* ---- keeping and finding --------------------------------------------------------------------- */

bool reuse_put(Store *store, const char *directory, const ReuseAnswer *answer)
{
    Str bytes = {0};
    char hex[HEX + 1], now[32];
    time_t moment = time(NULL);
    struct tm local;
    if (!suite_dir_hash(directory, hex) || !localtime_r(&moment, &local) ||
        !strftime(now, sizeof now, "%Y-%m-%d %H:%M", &local))
        return true; /* it is not kept */
    wire_text(&bytes, answer->key);
    wire_text(&bytes, hex);
    wire_text(&bytes, now);
    wire_uint(&bytes, (uint64_t)answer->status);
    for (unsigned i = 0; i < REUSE_FORMS; i++)
        wire_text(&bytes, answer->form[i]);
    wire_text(&bytes, answer->reached);
    wire_bytes(&bytes, answer->findings, answer->findings_size);
    suite_sha256(str_text(&bytes), bytes.n, hex);
    str_add(&bytes, hex);
    bool ok = store_put(store, value_name, str_text(&bytes), bytes.n);
    str_free(&bytes);
    return ok;
}

/* A damaged value is none. */
static bool unpack(const Str *bytes, const char *directory, Arena *arena, ReuseAnswer *out)
{
    char hex[HEX + 1];
    if (bytes->n <= HEX)
        return false;
    uint32_t found;
    size_t n = bytes->n - HEX;
    suite_sha256(str_text(bytes), n, hex);
    if (memcmp(hex, str_text(bytes) + n, HEX))
        return false;
    Wire in = wire_of(str_text(bytes), n);
    out->key = wire_get_text(&in, arena);
    const char *files = wire_get_text(&in, arena);
    out->since = wire_get_text(&in, arena);
    out->status = (int)wire_get_below(&in, 256);
    for (unsigned i = 0; i < REUSE_FORMS; i++)
        out->form[i] = wire_get_text(&in, arena);
    out->reached = wire_get_text(&in, arena);
    const uint8_t *findings = wire_get_bytes(&in, &found);
    uint8_t *copy = arena_alloc(arena, (size_t)found + 1);
    if (found)
        memcpy(copy, findings, found);
    out->findings = copy;
    out->findings_size = found;
    return wire_ended(&in) && suite_dir_hash(directory, hex) && !strcmp(files, hex);
}

bool reuse_find(const char *directory, Arena *arena, ReuseAnswer *out)
{
    ReuseAnswer read = {0};
    Str bytes = {0}, ignored = {0};
    Store *store = store_exists(directory) ? store_read(directory, &ignored) : NULL;
    bool found = store && store_finished(store) && store_get(store, value_name, &bytes) &&
                 unpack(&bytes, directory, arena, &read);
    *out = found ? read : (ReuseAnswer){0};
    store_close(store);
    str_free(&bytes);
    str_free(&ignored);
    return found;
}
