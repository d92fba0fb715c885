/* frontend_host.h - for tests of the front end: files in a directory of the test's own, loading them, looking
 * at the result, and a reader of straight-line code, so that expansions are held against what they should
 * compute. */
#ifndef TEST_FRONTEND_HOST_H
#define TEST_FRONTEND_HOST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "frontend/frontend.h"

typedef struct Host {
    char dir[64];
    Arena *arena;
    Str text; /* the program last loaded, printed */
} Host;

static int host_setup(void **state)
{
    Host *h = mem_zalloc(sizeof *h);
    const char *tmp = getenv("TMPDIR");
    snprintf(h->dir, sizeof h->dir, "%s/sheaf-test-XXXXXX", tmp && strlen(tmp) < 40 ? tmp : "/tmp");
    if (!mkdtemp(h->dir))
        return -1;
    h->arena = arena_new();
    *state = h;
    return 0;
}

static int host_teardown(void **state)
{
    Host *h = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", h->dir);
    int status = system(command);
    arena_free(h->arena);
    str_free(&h->text);
    mem_free(h);
    return status;
}

static const char *host_file(Host *h, const char *name, const char *text)
{
    const char *path = arena_printf(h->arena, "%s/%s", h->dir, name);
    assert_true(file_write_atomic(path, text, strlen(text)));
    return path;
}

/* Loads with these options, checks the result, prints it into h->text. */
static IrProgram *host_load_with(Host *h, const FrontendOptions *options)
{
    IrProgram *p = frontend_load(options);
    const char *error = NULL;
    if (!ir_program_verify(p, h->arena, &error))
        fail_msg("not well formed: %s", error);
    str_free(&h->text);
    ir_program_print(p, &h->text);
    return p;
}

/* The text as a file of that name, every function of it. */
static inline IrProgram *host_load(Host *h, const char *name, const char *text)
{
    FrontendOptions options = {.all_functions = true};
    vec_push(&options.inputs, host_file(h, name, text));
    vec_push(&options.cflags, "-w");
    IrProgram *p = host_load_with(h, &options);
    vec_free(&options.inputs);
    vec_free(&options.cflags);
    return p;
}

static const IrFn *host_fn(const IrProgram *p, const char *name)
{
    uint32_t index = ir_fn_find(p, name);
    if (index == IR_NONE || !p->fns.v[index].defined)
        fail_msg("no function %s", name);
    return &p->fns.v[index];
}

/* How many instructions of a function have the opcode. */
static inline uint32_t host_count(const IrProgram *p, const char *fn, IrOp op)
{
    const IrFn *f = host_fn(p, fn);
    uint32_t n = 0;
    for (uint32_t b = 0; b < f->blocks.n; b++)
        for (uint32_t i = 0; i < f->blocks.v[b].insns.n; i++)
            n += f->blocks.v[b].insns.v[i].op == op;
    return n;
}

static inline const IrInsn *host_first(const IrProgram *p, const char *fn, IrOp op)
{
    const IrFn *f = host_fn(p, fn);
    for (uint32_t b = 0; b < f->blocks.n; b++)
        for (uint32_t i = 0; i < f->blocks.v[b].insns.n; i++)
            if (f->blocks.v[b].insns.v[i].op == op)
                return &f->blocks.v[b].insns.v[i];
    fail_msg("%s has no %s", fn, ir_op_text(op));
    return NULL;
}

/* Runs a function of one block with nothing but pure operators, beside accesses that only check a subscript;
 * the registers that it returns go to out. */
static inline uint32_t host_run(const IrProgram *p, const char *name, const u128 *args, u128 *out)
{
    const IrFn *f = host_fn(p, name);
    u128 *regs = mem_zalloc((f->regs.n + 1) * sizeof *regs);
    for (uint32_t i = 0; i < f->regs.n; i++) {
        const IrConst *c = ir_reg_const_of(f, i);
        regs[i] = i < f->nparams ? args[i] : c && c->kind == IR_CONST_INT ? c->bits : 0;
    }
    assert_int_equal(f->blocks.n, 1);
    for (uint32_t i = 0; i < f->blocks.v[0].insns.n; i++) {
        const IrInsn *n = &f->blocks.v[0].insns.v[i];
        if (n->op == IR_RET) {
            const uint32_t *list = f->extra.v + n->a;
            uint32_t count = list[0];
            for (uint32_t k = 0; k < count; k++)
                out[k] = regs[list[1 + k]];
            mem_free(regs);
            return count;
        }
        if (n->op == IR_ALLOCA || n->op == IR_INDEX || n->op == IR_STORE || n->op == IR_LOAD)
            continue;
        assert_true(ir_op_is_pure((IrOp)n->op));
        BitsOp op = ir_op_bits((IrOp)n->op);
        unsigned arity = bits_op_arity(op), from = f->regs.v[n->a].width;
        regs[n->dst] = bits_apply(op, bits_op_result(op) == BITS_RESULT_BIT ? from : n->width, from,
                                  regs[n->a], arity > 1 ? regs[n->b] : 0, arity > 2 ? regs[n->c] : 0);
    }
    fail_msg("%s does not return", name);
    return 0;
}

/* Expects the load to end in exit 2 with a message that holds `words`; it must be one line if `single`. */
static inline void host_expect_death(Host *h, const FrontendOptions *options, bool single, const char *words)
{
    const char *path = arena_printf(h->arena, "%s/stderr", h->dir);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (!freopen(path, "w", stderr))
            _exit(99);
        dup2(fileno(stderr), STDERR_FILENO);
        frontend_load(options);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    Str said = {0};
    assert_true(file_read(path, 1 << 20, &said));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 2 || !strstr(str_text(&said), words))
        fail_msg("status %x, wanted exit 2 and \"%s\", said: %s", (unsigned)status, words, str_text(&said));
    const char *end = strchr(str_text(&said), '\n');
    if (single && (!end || end[1]))
        fail_msg("not one line: %s", str_text(&said));
    str_free(&said);
}

#endif
