/* sym_files.c - symbolic bytes in files and streams: standard input, files, what is written and printed.
 *
 * A node has an expression for each byte that has one (Node.syms). In a stream a symbolic byte is an item of
 * its own (conversion c), and a printed number stays a value: how many digits it has forks nothing. */
#include "vm/files/files.h"
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

#include <errno.h>

/* ---- inputs ---------------------------------------------------------------------------------- */

/* The bytes of an input object under the run's input, and their expressions. */
static void contents(Vm *vm, ExprObject input, uint32_t size, uint8_t *bytes, uint32_t *syms)
{
    uint32_t at = expr_object_info(vm->sym->pool, input)->at;
    for (uint32_t i = 0; i < size; i++) {
        bytes[i] = expr_input_byte(vm->sym->input, at + i);
        syms[i] = expr_object_byte(vm->sym->pool, input, i).id;
    }
}

static ExprObject bytes_object(Vm *vm, const char *key, const char *name, uint32_t size)
{
    return expr_object(vm->sym->pool, key, name, size, (ExprCType){EXPR_C_CHAR, 1});
}

static Expr file_length(Vm *vm, const VmSymbolicFile *file)
{
    char key[512], name[512];
    snprintf(key, sizeof key, "file:%.490s:size", file->name);
    snprintf(name, sizeof name, "length(%.490s)", file->name);
    return sym_length(vm, key, name);
}

static Expr stdin_length(Vm *vm) { return sym_length(vm, "stdin:size", "length(stdin)"); }

/* Bytes that the file has in this run. */
static uint32_t file_size(Vm *vm, const VmSymbolicFile *file)
{
    return file->optional ? sym_length_now(vm, file_length(vm, file), file->size - file->optional, file->size)
                          : file->size;
}

static uint32_t stdin_size(Vm *vm)
{
    const VmInputs *in = &vm->sym->options.inputs;
    return in->stdin_optional
               ? sym_length_now(vm, stdin_length(vm), in->stdin_size - in->stdin_optional, in->stdin_size)
               : in->stdin_size;
}

/* Where a file may end, it is decided where it does: all that is read from it depends on that. */
static void decide_lengths(Vm *vm)
{
    const VmInputs *in = &vm->sym->options.inputs;
    if (in->stdin_symbolic && in->stdin_optional) {
        sym_decide_length(vm, stdin_length(vm), in->stdin_size - in->stdin_optional, in->stdin_size);
        if (vm->lab)
            label_stream_add(vm, FLOW_STDIN, label_made(vm));
    }
    for (uint32_t i = 0; i < in->files.n; i++) {
        const VmSymbolicFile *file = &in->files.v[i];
        if (!file->optional)
            continue;
        sym_decide_length(vm, file_length(vm, file), file->size - file->optional, file->size);
        if (vm->lab)
            label_stream_add(vm, FLOW_FILES, label_made(vm));
    }
}

static void provide_file(Vm *vm, uint32_t i)
{
    const VmSymbolicFile *file = &vm->sym->options.inputs.files.v[i];
    VmFiles *files = vm->files;
    uint32_t node = files->nodes.n, size = file_size(vm, file);
    uint8_t *zeros = mem_zalloc(size + 1);
    files_provide(files, &(VmFile){.name = file->name, .data = zeros, .size = size, .writable = true});
    mem_free(zeros);
    while (node < files->nodes.n &&
           files->nodes.v[node].kind != NODE_FILE) /* directories above it come first */
        node++;
    if (node == files->nodes.n || !file->size)
        return;
    Node *n = &files->nodes.v[node];
    char key[512];
    snprintf(key, sizeof key, "file:%s", file->name);
    n->input = i + 1;
    if (!size)
        return;
    n->syms = mem_zalloc(n->cap * sizeof *n->syms);
    contents(vm, bytes_object(vm, key, file->name, file->size), size, n->data, n->syms);
}

void sym_files_input(Vm *vm)
{
    struct Sym *s = vm->sym;
    const VmInputs *in = &s->options.inputs;
    if (in->stdin_symbolic) {
        uint32_t n = in->stdin_size;
        s->stdin_bytes = mem_realloc(s->stdin_bytes, n + 1);
        s->stdin_syms = mem_realloc(s->stdin_syms, (n + 1) * sizeof *s->stdin_syms);
        if (n)
            contents(vm, bytes_object(vm, "stdin", "stdin", n), n, s->stdin_bytes, s->stdin_syms);
        vm->files->in_fd = -1;
        vm->files->in_data = s->stdin_bytes;
        vm->files->in_size = stdin_size(vm);
        vm->files->in_seekable = true;
    }
}

void sym_files_begin(Vm *vm)
{
    const VmInputs *in = &vm->sym->options.inputs;
    decide_lengths(vm);
    sym_files_input(vm);
    for (uint32_t i = 0; i < in->files.n; i++)
        provide_file(vm, i);
}

/* Symbolic files are inputs of the run from the first read on. A program is run with the inputs that options
 * name; of a function it is said what it does in any call, so what it reads besides is to be named. */
static void use_input(Vm *vm, const Node *node)
{
    const VmInputs *in = &vm->sym->options.inputs;
    if (node->kind == NODE_INPUT && !in->stdin_symbolic && vm->sym->entry != IR_NONE)
        ledger_add(vm->sym->ledger, LEDGER_STDIN, vm_user_site(vm), NULL);
    if (node->kind == NODE_INPUT && in->stdin_symbolic && in->stdin_size) {
        sym_input_use(vm, bytes_object(vm, "stdin", "stdin", in->stdin_size), VM_INPUT_STDIN, NULL,
                      stdin_size(vm));
    } else if (node->kind == NODE_FILE && node->input) {
        const VmSymbolicFile *file = &in->files.v[node->input - 1];
        char key[512];
        snprintf(key, sizeof key, "file:%s", file->name);
        sym_input_use(vm, bytes_object(vm, key, file->name, file->size), VM_INPUT_FILE, file->name,
                      file_size(vm, file));
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

bool sym_prim_read(PrimCall *call)
{
    Vm *vm = call->vm;
    VmFiles *files = vm_files(vm);
    const Open *open = files_open_of(files, (int)call->args[0]);
    if (!open)
        return prim_read(call);
    uint32_t node = open->node;
    NodeKind kind = files->nodes.v[node].kind;
    uint64_t at = kind == NODE_PIPE ? files->nodes.v[node].head : (uint64_t)open->offset;
    use_input(vm, &files->nodes.v[node]);
    if (!prim_read(call))
        return false;
    const uint32_t *syms = kind == NODE_INPUT
                               ? (vm->sym->options.inputs.stdin_symbolic ? vm->sym->stdin_syms : NULL)
                               : files->nodes.v[node].syms;
    long n = (long)call->result;
    Object *o = n > 0 && syms ? mem_find(&vm->mem, call->args[1]) : NULL;
    for (long i = 0; o && i < n; i++)
        if (syms[at + (uint64_t)i])
            sym_set(vm, o, call->args[1] - o->base + (uint64_t)i, 1, (Expr){syms[at + (uint64_t)i]});
    return true;
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool take_pending(uint64_t arg, int *fd)
{
    *fd = (int)((uint32_t)arg & ~FILES_PENDING);
    return (int32_t)arg >= 0 && (arg & FILES_PENDING);
}

/* Bytes up to the next that is of the other sort. */
static uint64_t run_length(Vm *vm, const Object *o, uint64_t offset, uint64_t n)
{
    uint64_t i = 0;
    while (i < n && i < 4096 && expr_is_none(sym_byte(vm, o, offset + i)))
        i++;
    return i;
}

bool sym_goes_to_output(Vm *vm, int fd)
{
    const Open *open = files_open_of(vm->files, fd);
    return open && vm->files->nodes.v[open->node].kind == NODE_OUTPUT;
}

VmOutput sym_output_to(Vm *vm, int fd)
{
    const Open *open = files_open_of(vm->files, fd);
    int output = vm->files->nodes.v[open->node].output;
    return (VmOutput){.stream = 1 + output, .name = sym_stream_output(vm, fd)};
}

bool sym_prim_write(PrimCall *call)
{
    Vm *vm = call->vm;
    uint64_t address = call->args[1], n = call->args[2], done = 0;
    Object *o;
    int fd;
    bool pending = take_pending(call->args[0], &fd);
    if (!vm_bytes(vm, address, n, false, &o))
        return false;
    if (o && vm->lab && sym_goes_to_output(vm, fd))
        label_output(vm, sym_output_to(vm, fd), o, address - o->base, n);
    if (!o || !sym_any(o, address - o->base, n))
        return prim_write(call);
    if (vm->lab)
        label_flow(vm, label_get(vm, o, address - o->base, n));
    while (done < n) {
        uint64_t offset = address - o->base + done, run = run_length(vm, o, offset, n - done);
        VmItem item = {.precision = -1, .conversion = 'c', .size = 1, .value = {o->data[offset]}};
        if (!run)
            item.expr = sym_byte(vm, o, offset).id;
        long sent = files_send(vm_files(vm), fd, pending, (const char *)o->data + offset, run ? run : 1,
                               run ? NULL : &item);
        if (sent < 0)
            return done ? true : files_finish(call, sent);
        done += (uint64_t)sent;
        call->result = done;
        if ((uint64_t)sent < (run ? run : 1))
            break;
    }
    return true;
}

/* Of a text that is empty here and might not be, the trace tells too. */
bool sym_prim_put(PrimCall *call)
{
    Vm *vm = call->vm;
    int fd;
    take_pending(call->args[0], &fd);
    bool empty = !call->args[2] && vm->lab && sym_goes_to_output(vm, fd);
    if (empty && !label_is_here(vm, label_made(vm)))
        label_output(vm, sym_output_to(vm, fd), NULL, 0, 0);
    return files_put(call, sym_prim_write);
}

/* ---- printing -------------------------------------------------------------------------------- */

/* How many characters an item renders to: a function of the value, known to fit 16 bits. */
static u128 rendered_length(void *context, const u128 *arguments, uint32_t n)
{
    VmItem item = *(const VmItem *)context;
    Str text = {0};
    (void)n;
    memcpy(item.value, arguments, item.size);
    vm_item_render(&item, &text);
    u128 length = text.n;
    str_free(&text);
    return length;
}

static Expr length_of(Vm *vm, const VmItem *item, const char *spec, Expr value)
{
    ExprPool *p = vm->sym->pool;
    char name[96];
    if (item->width > 32767 || item->precision > 32767)
        return EXPR_NONE;
    snprintf(name, sizeof name, "printf_length_%s_%d_%d_%u", spec, item->width, item->precision, item->size);
    void *kept = sym_keep(vm, name, item, sizeof *item);
    return expr_zext(p, expr_apply(p, expr_fn(p, name, 16, rendered_length, kept), &value, 1), 64);
}

/* A printed value enters the trace; its width and precision are among the operands. */
static bool emitted(Vm *vm, const PrimCall *call, Object *o, int fd)
{
    Str *spec = &vm->files->spec;
    uint64_t offset = call->args[4] - o->base, size = call->args[5];
    VmItem item;
    vec_clear(spec);
    bool ok = vm_mem_string(vm, call->args[1], spec);
    if (ok && size <= 16 &&
        vm_item_parse(&item, str_text(spec), (long)call->args[2], (long)call->args[3], size)) {
        VmOutput out = sym_output_to(vm, fd);
        out.format = (VmFormat){item.conversion, item.flags, item.width, item.precision};
        if (sym_any(o, offset, size))
            out.value = sym_word(vm, o, offset, (unsigned)size);
        label_output(vm, out, o, offset, size);
    }
    return ok;
}

/* Values that stay symbolic: numbers on their way to standard output or error. All else is concretised as it
 * is read. */
bool sym_prim_emit(PrimCall *call, Expr *length)
{
    Vm *vm = call->vm;
    VmItem item;
    Str spec = {0};
    Object *o;
    int fd;
    bool pending = take_pending(call->args[0], &fd), ok = false;
    uint64_t address = call->args[4], size = call->args[5];
    if (!vm_bytes(vm, address, size, false, &o))
        return false;
    if (o && vm->lab && sym_goes_to_output(vm, fd) && !emitted(vm, call, o, fd))
        return false;
    if (!o || size > 16 || !sym_any(o, address - o->base, size) || !sym_goes_to_output(vm, fd))
        return prim_emit(call);
    if (vm->lab)
        label_flow(vm, label_get(vm, o, address - o->base, size));
    if (vm_mem_string(vm, call->args[1], &spec) &&
        vm_item_parse(&item, str_text(&spec), (long)call->args[2], (long)call->args[3], size) &&
        item.width < ITEM_FIELD_LIMIT && item.precision < ITEM_FIELD_LIMIT) {
        Expr e = sym_word(vm, o, address - o->base, (unsigned)size);
        Str text = {0};
        memcpy(item.value, o->data + (address - o->base), size);
        if (!expr_is_none(e) && !expr_is_const(vm->sym->pool, e)) {
            *length =
                item.conversion == 'c' && !item.width ? EXPR_NONE : length_of(vm, &item, str_text(&spec), e);
            item.expr = e.id;
        }
        vm_item_render(&item, &text);
        ok = files_emit(call, fd, pending, &text, &item);
        str_free(&text);
    } else if (!vm->ended) {
        ok = prim_emit(call);
    }
    str_free(&spec);
    return ok;
}

void vm_format_render(const VmFormat *format, unsigned size, u128 value, Str *out)
{
    VmItem item = {.width = format->width,
                   .precision = format->precision,
                   .conversion = format->conversion,
                   .flags = format->flags,
                   .size = (uint8_t)size};
    memcpy(item.value, &value, sizeof item.value);
    vm_item_render(&item, out);
}

void vm_output_text(Vm *vm, int fd, Str *out)
{
    const VmStream *stream = vm_files_output(vm->files, fd);
    str_add_n(out, str_text(&stream->text), stream->text.n);
}
