/* sym_stream.c - a FILE that the caller of an entry function passes, or a harness makes: a stream of symbolic
 * bytes, or one whose output is kept.
 *
 * What it is shows when it is first used. If it is read, or its end is sought, it is a file of up to --string
 * bytes, and whether there is a further byte is decided as it is asked for. If it is written, it is empty and
 * what is written there is an output of the run, as standard output is. A stream that is both ends its path.
 *
 * The FILE itself is an object like runtime/stdio makes them, with a descriptor of its own. */
#include "vm/files/files.h"
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

#include <errno.h>
#include <stdio.h>

/* ---- the FILE -------------------------------------------------------------------------------- */

/* What runtime/stdio/stream.c has as the FILE before its first use. */
static uint32_t pattern(const Vm *vm)
{
    uint32_t g = ir_global_find(vm->program, "__sheaf_given_stream");
    return g != IR_NONE && vm->program->globals.v[g].defined ? g : IR_NONE;
}

uint32_t sym_stream_bytes(const Vm *vm)
{
    uint32_t g = pattern(vm);
    return g == IR_NONE ? 0 : (uint32_t)vm->program->globals.v[g].size;
}

/* For people: its bytes are bytes(in)[0], bytes(in)[1], ... */
static void describe(Vm *vm, const SymShape *s, uint64_t address)
{
    const char *name = vm_name_text(vm, s->name);
    Vec(ExprField) fields = {0};
    Arena *a = arena_new();
    for (uint32_t i = 0; i < s->most; i++)
        vec_push(&fields, ((ExprField){.low = 8ull * i,
                                       .bits = 8,
                                       .kind = EXPR_C_CHAR,
                                       .text = arena_printf(a, "bytes(%s)[%u]", name, i)}));
    expr_object_describe(vm->sym->pool, s->object, fields.v, fields.n, name, address);
    vec_free(&fields);
    arena_free(a);
}

bool sym_stream_make(Vm *vm, Object *o)
{
    describe(vm, sym_shape_at(vm, o->shape), o->base);
    int fd = files_given(vm_files(vm), o->shape);
    if (fd < 0)
        return vm_end_unsupported(vm, "a stream of the caller: no descriptor is left");
    memcpy(o->data, vm->globals[pattern(vm)].data, o->size);
    memcpy(o->data + offsetof(struct _IO_FILE, _fileno), &fd, sizeof fd);
    return true;
}

/* ---- how long it is -------------------------------------------------------------------------- */

static Expr length_of(Vm *vm, const SymShape *s)
{
    char key[320], name[128];
    snprintf(key, sizeof key, "%.300s:size", expr_object_info(vm->sym->pool, s->object)->key);
    snprintf(name, sizeof name, "length(%.110s)", vm_name_text(vm, s->name));
    return sym_length(vm, key, name);
}

static bool is_written(const Vm *vm, uint32_t shape)
{
    for (unsigned i = 0; i < FILES_OUTPUTS; i++)
        if (vm->files->out[i].given == shape)
            return true;
    return false;
}

uint32_t sym_stream_size(Vm *vm, const SymShape *s)
{
    uint32_t shape = (uint32_t)(s - vm->sym->shapes.v) + 1;
    return is_written(vm, shape) ? 0 : sym_length_now(vm, length_of(vm, s), 0, s->most);
}

/* Is there a byte at the offset? */
static bool has_byte(Vm *vm, uint32_t shape, uint64_t offset)
{
    ExprPool *p = vm->sym->pool;
    const SymShape *s = sym_shape_at(vm, shape);
    if (offset >= s->most) {
        sym_shape_reached(vm, shape);
        return false;
    }
    Expr yes = expr_ult(p, expr_const(p, 32, offset), length_of(vm, s));
    Expr no = expr_not(p, yes);
    bool has = expr_eval_true(vm->sym->eval, yes);
    sym_add_alternative(vm, (VmAlternative){.condition = has ? no : yes, .fn = IR_NONE, .block = IR_NONE});
    sym_decide(vm, VM_DECISION_INPUT, has ? yes : no, IR_NONE);
    return has;
}

/* ---- what it is ------------------------------------------------------------------------------ */

static Node *given_node(Vm *vm, uint64_t fd)
{
    const Open *open = files_open_of(vm->files, (int32_t)((uint32_t)fd & ~FILES_PENDING));
    Node *node = open ? &vm->files->nodes.v[open->node] : NULL;
    return node && node->given ? node : NULL;
}

/* No input is of interest in which it is longer than that. */
static bool assume_length(Vm *vm, const SymShape *s)
{
    ExprPool *p = vm->sym->pool;
    Expr fits = expr_ule(p, length_of(vm, s), expr_const(p, 32, s->most));
    bool holds = expr_eval_true(vm->sym->eval, fits);
    if (!holds)
        sym_add_alternative(vm, (VmAlternative){.condition = fits, .fn = IR_NONE, .block = IR_NONE});
    sym_decide(vm, VM_DECISION_ASSUME, holds ? fits : expr_not(p, fits), IR_NONE);
    return holds || vm_end(vm, VM_END_ASSUMPTION);
}

/* All bytes that it may have are there; how many it has is asked of has_byte. */
static bool become_read(Vm *vm, Node *node)
{
    const SymShape *s = sym_shape_at(vm, node->given);
    if (node->kind == NODE_OUTPUT)
        return vm_end_unsupported(vm, "a stream of the caller that is written, then read or moved in");
    if (node->kind == NODE_FILE)
        return true;
    if (!assume_length(vm, s))
        return false;
    node->kind = NODE_FILE;
    if (s->most && files_node_resize(vm_files(vm), node, s->most))
        return vm_end_limit(vm, LEDGER_MEMORY, "a stream of %u bytes", s->most);
    if (s->most && !node->syms)
        node->syms = mem_zalloc(node->cap * sizeof *node->syms);
    uint32_t at = expr_object_info(vm->sym->pool, s->object)->at;
    for (uint32_t i = 0; i < s->most; i++) {
        node->data[i] = expr_input_byte(vm->sym->input, at + i);
        node->syms[i] = expr_object_byte(vm->sym->pool, s->object, i).id;
    }
    return true;
}

static bool become_written(Vm *vm, Node *node)
{
    if (node->kind == NODE_FILE)
        return vm_end_unsupported(vm, "a stream of the caller that is read, then written");
    if (node->kind == NODE_OUTPUT)
        return true;
    if (!files_given_output(vm_files(vm), node))
        return vm_end_unsupported(vm, "more than %d streams of the caller that are written",
                                  FILES_OUTPUTS - 2);
    return true;
}

/* Where it ends is asked for at once. */
static bool decide_end(Vm *vm, Node *node)
{
    if (!become_read(vm, node))
        return false;
    const SymShape *s = sym_shape_at(vm, node->given);
    sym_shape_reached(vm, node->given);
    node->size = sym_decide_length(vm, length_of(vm, s), 0, s->most);
    return true;
}

/* ---- primitives ------------------------------------------------------------------------------ */

static bool read_byte(PrimCall *call, Node *node, bool *done)
{
    Vm *vm = call->vm;
    const Open *open = files_open_of(vm_files(vm), (int)call->args[0]);
    if (!become_read(vm, node))
        return false;
    if (!call->args[2])
        return true;
    *done = !has_byte(vm, node->given, (uint64_t)open->offset);
    call->args[2] = 1; /* as a terminal does it: the reader asks again */
    return true;
}

static bool move(PrimCall *call, Node *node)
{
    bool stays = !call->args[1] && (int)call->args[2] != SEEK_END;
    if (stays && node->kind == NODE_GIVEN)
        return true;
    return (int)call->args[2] == SEEK_END ? decide_end(call->vm, node) : become_read(call->vm, node);
}

bool sym_stream_prim(PrimCall *call, PrimFn prim, bool *done)
{
    static const PrimFn known[] = {prim_read, prim_write,   prim_put,      prim_emit,   prim_seek,
                                   prim_dup,  prim_stat_fd, prim_truncate, prim_control};
    bool on_descriptor = false;
    for (unsigned i = 0; i < COUNT_OF(known); i++)
        on_descriptor |= prim == known[i];
    Node *node = on_descriptor && call->vm->files ? given_node(call->vm, call->args[0]) : NULL;
    if (!node)
        return true;
    if (prim == prim_read)
        return read_byte(call, node, done);
    if (prim == prim_emit || ((prim == prim_write || prim == prim_put) && call->args[2]))
        return become_written(call->vm, node);
    if (prim == prim_seek)
        return move(call, node);
    if (prim == prim_stat_fd || (prim == prim_control && (int)call->args[1] == FILES_CONTROL_READABLE))
        return decide_end(call->vm, node);
    if (prim == prim_dup || prim == prim_truncate)
        return vm_end_unsupported(call->vm, "a stream of the caller whose descriptor is changed");
    return true;
}

int64_t vm_sym_stream_position(const Vm *vm, const Object *o)
{
    if (!o->shape || sym_shape_at(vm, o->shape)->kind != SHAPE_STREAM)
        return VM_NO_STREAM;
    struct _IO_FILE file;
    memcpy(&file, o->data, sizeof file);
    const Node *node = given_node((Vm *)vm, (uint64_t)file._fileno);
    if (!node || node->kind == NODE_OUTPUT)
        return VM_STREAM_WRITTEN;
    return files_open_of(vm->files, file._fileno)->offset - (file._IO_read_end - file._IO_read_ptr);
}

const char *sym_stream_output(const Vm *vm, int fd)
{
    const Node *node = given_node((Vm *)vm, (uint64_t)fd);
    return node && node->kind == NODE_OUTPUT ? vm_name_text(vm, sym_shape_at(vm, node->given)->name) : NULL;
}

/* ---- of a harness ---------------------------------------------------------------------------- */

static uint32_t shape_given(Vm *vm, uint32_t most, const char *name)
{
    struct Sym *s = vm->sym;
    uint64_t known;
    Str key = {0};
    str_printf(&key, "stream:%.100s@%016llx:%u", name, (unsigned long long)vm_name_here(vm, 0), most);
    ExprObject input =
        expr_object(s->pool, str_text(&key), name, most ? most : 1, (ExprCType){EXPR_C_CHAR, 1});
    str_free(&key);
    if (map_get(&s->shape_behind, input.id, &known))
        return (uint32_t)known;
    uint32_t text = vm_name_add(vm, name);
    vec_push(&s->shapes, ((SymShape){.kind = SHAPE_STREAM,
                                     .unit = 1,
                                     .name = text,
                                     .clause = text,
                                     .object = input,
                                     .most = most,
                                     .depth = 1,
                                     .fits = true,
                                     .given = true}));
    map_put(&s->shape_behind, input.id, s->shapes.n);
    return s->shapes.n;
}

bool sym_prim_stream(PrimCall *call)
{
    enum { MOST = 1 << 16 };
    Vm *vm = call->vm;
    Str name = {0};
    Object *o = mem_find(&vm->mem, call->args[0]);
    bool ok = o && vm_mem_string(vm, call->args[2], &name);
    if (ok && call->args[1] > MOST) {
        ok = vm_end_limit(vm, LEDGER_MEMORY, "a stream of %llu bytes", (unsigned long long)call->args[1]);
    } else if (ok) {
        uint32_t shape = shape_given(vm, (uint32_t)call->args[1], str_text(&name));
        o->name = sym_shape_at(vm, shape)->name;
        o->foreign = true;
        sym_input_use(vm, sym_shape_at(vm, shape)->object, VM_INPUT_CALL, sym_input_caller(vm),
                      (uint32_t)call->args[1]);
        ok = files_finish(call, files_given(vm_files(vm), shape));
    }
    str_free(&name);
    return ok;
}
