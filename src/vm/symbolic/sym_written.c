/* sym_written.c - has what was printed left the buffer of its FILE? Where a run ends without exit(), only
 * that is seen from outside; and it is seen in the order in which it left. */
#include "vm/files/files.h"
#include "vm/labels/label.h"
#include "vm/symbolic/sym_int.h"

static const Pending *pending_of(const Vm *vm, int fd)
{
    return vm->files && (uint32_t)fd < vm->files->fds.n ? vm->files->fds.v[fd].pending : NULL;
}

static bool is_tracked(const Vm *vm) { return vm->lab && vm->sym->options.reached; }

SymBuffer sym_buffer_before(Vm *vm, uint64_t descriptor)
{
    SymBuffer b = {.fd = (int)((uint32_t)descriptor & ~FILES_PENDING),
                   .through = descriptor & FILES_PENDING,
                   .outputs = vm->sym->trace->outputs.n};
    const Pending *p = pending_of(vm, b.fd);
    b.delivered = p ? p->delivered : 0;
    return b;
}

/* All that waits there has gone out. */
static void note_written(VmTrace *t, int fd)
{
    t->writes++;
    for (uint32_t i = 0; i < t->outputs.n; i++)
        if (t->outputs.v[i].waits == fd + 1) {
            t->outputs.v[i].waits = 0;
            t->outputs.v[i].written = t->writes;
        }
}

/* For other inputs it may be a newline. */
static bool may_end_line(const ExprPool *p, const VmTrace *t, const VmOutput *out)
{
    if (out->format.conversion && out->format.conversion != 'c')
        return false;
    for (uint32_t i = 0; i < out->n; i++)
        if (!expr_is_const(p, t->output_bytes.v[out->first + i]))
            return true;
    return false;
}

void sym_buffer_after(Vm *vm, const SymBuffer *before)
{
    VmTrace *t = vm->sym->trace;
    const Pending *p = before->through ? pending_of(vm, before->fd) : NULL;
    if (!is_tracked(vm))
        return;
    bool lines = p && p->lines, waits = p && p->stream.text.n,
         delivered = p && p->delivered != before->delivered;
    for (uint32_t i = before->outputs; i < t->outputs.n; i++) {
        VmOutput *out = &t->outputs.v[i];
        out->waits = waits || delivered ? before->fd + 1 : 0;
        out->written = out->waits ? 0 : ++t->writes;
        t->spilled |= lines && may_end_line(vm->sym->pool, t, out);
    }
    if (delivered && !waits && lines)
        note_written(t, before->fd);
    else
        t->spilled |= delivered;
}

bool sym_prim_control(PrimCall *call)
{
    Vm *vm = call->vm;
    int fd = (int)call->args[0], what = (int)call->args[1];
    bool matters = is_tracked(vm) && vm->files && sym_goes_to_output(vm, fd) &&
                   (what == FILES_CONTROL_FLUSH || what == FILES_CONTROL_BUFFER);
    if (matters) /* what is seen depends on whether this is done */
        label_output(vm, sym_output_to(vm, fd), NULL, 0, 0);
    if (!prim_control(call))
        return false;
    if (matters && what == FILES_CONTROL_FLUSH)
        note_written(vm->sym->trace, fd);
    return true;
}
