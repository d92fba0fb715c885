/* sym_key_files.c - files in keys of states: contents, descriptors and how far they were read, names. */
#include "vm/files/files.h"
#include "vm/symbolic/sym_key.h"

static void mix_node(Vm *vm, VmKey *k, const Node *node)
{
    mix_state(vm, k, (uint64_t)node->given << 32 | node->kind);
    if (node->kind == NODE_FREE || node->kind == NODE_OUTPUT)
        return;
    mix_state(vm, k, node->mode);
    mix_state(vm, k, (uint64_t)node->names << 32 | node->opens);
    mix_state(vm, k, (uint64_t)node->readers << 32 | node->writers);
    mix_state(vm, k, (uint64_t)node->inode << 32 | node->input);
    mix_state(vm, k, node->size);
    mix_state(vm, k, node->head);
    if (node->kind != NODE_FILE && node->kind != NODE_PIPE)
        return;
    for (size_t i = node->head; i < node->size; i++)
        if (node->syms && node->syms[i])
            key_mix_expr(vm, k, (Expr){node->syms[i]});
        else
            mix_state(vm, k, node->data[i]);
}

static void mix_text(Vm *vm, VmKey *k, const char *text, size_t n)
{
    mix_state(vm, k, n);
    mix_state(vm, k, hash_bytes(text, n));
}

/* What waits in a buffer: of a symbolic value how it is printed, since its text is that of the run's input.
 */
static void mix_pending(Vm *vm, VmKey *k, const Pending *pending)
{
    const VmStream *stream = &pending->stream;
    const char *text = str_text(&stream->text);
    uint32_t at = 0;
    mix_state(vm, k, pending->limit);
    mix_state(vm, k, pending->lines);
    for (uint32_t i = 0; i < stream->items.n; i++) {
        const VmItem *item = &stream->items.v[i];
        if (!item->expr)
            continue;
        mix_text(vm, k, text + at, item->start - at);
        mix_state(vm, k, (uint64_t)item->width << 32 | (uint32_t)item->precision);
        mix_state(vm, k,
                  (uint64_t)item->skip << 32 | (uint32_t)item->size << 16 | item->flags << 8 |
                      (uint8_t)item->conversion);
        key_mix_expr(vm, k, (Expr){item->expr});
        at = item->start + item->length;
    }
    mix_text(vm, k, text + at, stream->text.n - at);
}

static void mix_open(Vm *vm, VmKey *k, const Open *o)
{
    bool output = o->descriptors && vm->files->nodes.v[o->node].kind == NODE_OUTPUT;
    mix_state(vm, k, (uint64_t)o->descriptors << 32 | o->node);
    mix_state(vm, k, (uint64_t)o->flags);
    mix_state(vm, k, output ? 0 : (uint64_t)o->offset);
    if (o->path)
        mix_text(vm, k, o->path, strlen(o->path));
}

/* Does the call ask for what waits to be printed, or send it to a file? */
static bool call_moves_output(const IrProgram *program, const IrFn *fn, const IrInsn *insn)
{
    static const char *const names[] = {"dup2", "dup3", "__fpending"};
    const char *name = ir_text(program, program->fns.v[insn->a].name);
    IrCall call = ir_call_read(fn, insn);
    const IrConst *closed = !strcmp(name, "close") && call.nargs ? ir_reg_const_of(fn, call.args[0]) : NULL;
    for (unsigned i = 0; i < COUNT_OF(names); i++)
        if (!strcmp(name, names[i]))
            return true;
    return closed && closed->kind == IR_CONST_INT && (closed->bits == 1 || closed->bits == 2);
}

bool key_moves_output(const IrProgram *program)
{
    for (uint32_t f = 0; f < program->fns.n; f++) {
        const IrFn *fn = &program->fns.v[f];
        for (uint32_t b = 0; !fn->runtime && b < fn->blocks.n; b++)
            for (uint32_t i = 0; i < fn->blocks.v[b].insns.n; i++) {
                const IrInsn *insn = &fn->blocks.v[b].insns.v[i];
                if (insn->op == IR_CALL && call_moves_output(program, fn, insn))
                    return true;
            }
    }
    return false;
}

static void mix_descriptor(Vm *vm, VmKey *k, const Descriptor *d)
{
    const VmFiles *f = vm->files;
    bool output = d->open && f->nodes.v[f->opens.v[d->open - 1].node].kind == NODE_OUTPUT;
    mix_state(vm, k, (uint64_t)d->open << 1 | d->close_on_exec);
    if (d->pending && (!output || vm->sym->keys->moves_output))
        mix_pending(vm, k, d->pending);
}

void key_mix_files(Vm *vm, VmKey *k)
{
    const VmFiles *f = vm->files;
    for (uint32_t i = 0; i < f->nodes.n; i++)
        mix_node(vm, k, &f->nodes.v[i]);
    for (uint32_t i = 0; i < f->opens.n; i++)
        mix_open(vm, k, &f->opens.v[i]);
    for (uint32_t i = 0; i < f->fds.n; i++)
        mix_descriptor(vm, k, &f->fds.v[i]);
    for (uint32_t i = 0; i < f->names.entries.n; i++) { /* their order is that of a directory */
        mix_state(vm, k, f->names.entries.v[i].live ? f->names.entries.v[i].value + 1 : 0);
        if (f->names.entries.v[i].live)
            mix_text(vm, k, f->names.entries.v[i].key, strlen(f->names.entries.v[i].key));
    }
    mix_text(vm, k, str_text(&f->cwd), f->cwd.n);
    mix_state(vm, k, f->inodes);
    mix_state(vm, k, f->random);
    mix_state(vm, k, f->in_size);
    mix_state(vm, k, (uint64_t)f->left);
    mix_state(vm, k, (uint64_t)f->out[0].error << 32 | (uint32_t)f->out[1].error);
}
