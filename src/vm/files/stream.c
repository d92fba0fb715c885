/* stream.c - text with items over it, and where it waits on its way out: see files.h.
 *
 * Two buffers lie between a printf and the host. The first is part of the model: it is the FILE's own buffer,
 * and what a program can see of it (output that comes later than a write() to the same descriptor) is as
 * natively with standard output piped. The second only saves system calls: what is written to one of the
 * run's outputs is handed to the host in large pieces, but never so that the order between standard output
 * and standard error changes. */
#include "vm/files/files.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

static bool has_room(VmStream *stream, size_t size)
{
    if (!stream->limit || (!stream->dropped && stream->text.n + size <= stream->limit))
        return true;
    stream->dropped += size; /* and nothing later may fill the hole */
    return false;
}

void vm_stream_add(VmStream *stream, const char *text, size_t size)
{
    if (has_room(stream, size))
        str_add_n(&stream->text, text, size);
}

void vm_stream_add_item(VmStream *stream, const VmItem *item, const char *text, size_t size)
{
    if (!has_room(stream, size))
        return;
    VmItem copy = *item;
    copy.start = stream->text.n;
    copy.length = (uint32_t)size;
    vec_push(&stream->items, copy);
    str_add_n(&stream->text, text, size);
}

static void give(VmStream *to, const VmStream *from, uint32_t items, size_t size)
{
    if (!has_room(to, size))
        return;
    uint32_t shift = to->text.n;
    str_add_n(&to->text, from->text.v, size);
    for (uint32_t i = 0; i < items; i++) {
        VmItem copy = from->items.v[i];
        if (copy.start + copy.length > size)
            copy.length = (uint32_t)size - copy.start;
        copy.start += shift;
        vec_push(&to->items, copy);
    }
}

void vm_stream_take(VmStream *from, size_t size, VmStream *to)
{
    uint32_t items = 0, gone = 0;
    for (; items < from->items.n && from->items.v[items].start < size; items++)
        gone += from->items.v[items].start + from->items.v[items].length <= size;
    if (to && size)
        give(to, from, items, size);
    if (size == from->text.n) {
        vm_stream_clear(from);
        return;
    }
    memmove(from->text.v, from->text.v + size, from->text.n - size + 1);
    from->text.n -= (uint32_t)size;
    from->items.n -= gone;
    if (from->items.n)
        memmove(from->items.v, from->items.v + gone, from->items.n * sizeof *from->items.v);
    for (uint32_t i = 0; i < from->items.n; i++) {
        VmItem *item = &from->items.v[i];
        uint32_t cut = item->start < size ? (uint32_t)size - item->start : 0;
        item->start = item->start + cut - (uint32_t)size;
        item->length -= cut;
        item->skip += cut;
    }
}

void vm_stream_clear(VmStream *stream)
{
    vec_clear(&stream->text);
    vec_clear(&stream->items);
    stream->dropped = 0;
}

void vm_stream_free(VmStream *stream)
{
    str_free(&stream->text);
    vec_free(&stream->items);
}

/* ---- to the host ----------------------------------------------------------------------------- */

static void output_flush(Output *out)
{
    size_t done = 0;
    while (done < out->buffer.n && !out->error) {
        ssize_t n = write(out->fd, out->buffer.v + done, out->buffer.n - done);
        if (n > 0)
            done += (size_t)n;
        else if (n < 0 && errno == EAGAIN)
            poll(&(struct pollfd){.fd = out->fd, .events = POLLOUT}, 1, -1);
        else if (n < 0 && errno != EINTR)
            out->error = errno;
    }
    vec_clear(&out->buffer);
}

void files_output_flush(VmFiles *files)
{
    for (unsigned i = 0; i < COUNT_OF(files->out); i++)
        output_flush(&files->out[i]);
}

void files_output_add(VmFiles *files, int which, const char *data, size_t size)
{
    Output *out = &files->out[which], *other = &files->out[!which];
    if (out->fd < 0)
        return;
    if (other->buffer.n)
        output_flush(other);
    str_add_n(&out->buffer, data, size);
    if (out->terminal || out->buffer.n >= FILES_HOST_BUFFER)
        output_flush(out);
}

/* ---- the buffers of FILEs -------------------------------------------------------------------- */

static Pending *pending_of(VmFiles *files, int fd)
{
    Descriptor *d = files_descriptor(files, fd);
    if (!d->pending) {
        d->pending = mem_zalloc(sizeof *d->pending);
        d->pending->limit = fd == STDERR_FILENO ? 0 : FILES_BUFFER;
        d->pending->lines = fd == STDOUT_FILENO && files->out[0].terminal;
    }
    return d->pending;
}

/* Symbolic bytes among the n that were written stay so in a file or pipe. */
static void mark_written(VmFiles *files, int fd, const VmStream *stream, size_t n)
{
    for (uint32_t i = 0; i < stream->items.n && stream->items.v[i].start < n; i++)
        if (stream->items.v[i].expr && stream->items.v[i].length == 1)
            files_mark(files, fd, n - stream->items.v[i].start, stream->items.v[i].expr);
}

/* Writes out the first `size` bytes that wait. What cannot be written is dropped. */
static long deliver(VmFiles *files, int fd, Pending *p, size_t size)
{
    while (size) {
        VmStream *kept;
        long n = files_write(files, fd, p->stream.text.v, size, &kept);
        if (n < 0) {
            vm_stream_clear(&p->stream);
            return n;
        }
        if (!kept)
            mark_written(files, fd, &p->stream, (size_t)n);
        vm_stream_take(&p->stream, (size_t)n, kept);
        p->delivered += (uint64_t)n;
        size -= (size_t)n;
    }
    return 0;
}

/* How much of what waits has to go out now, after `added` bytes came. */
static size_t overdue(const Pending *p, size_t added)
{
    size_t waiting = p->stream.text.n, lines = 0;
    if (p->lines) {
        const char *text = p->stream.text.v, *newline = memrchr(text + waiting - added, '\n', added);
        lines = newline ? (size_t)(newline - text) + 1 : 0;
    }
    size_t rest = waiting - lines;
    if (rest <= p->limit)
        return lines;
    return p->limit >= 128 || added == 1 ? waiting - rest % p->limit : waiting;
}

static long send_now(VmFiles *files, int fd, const char *text, size_t size, const VmItem *item)
{
    VmStream *kept;
    long n = files_write(files, fd, text, size, &kept);
    if (n >= 0 && kept) {
        if (item && (size_t)n == size)
            vm_stream_add_item(kept, item, text, size);
        else
            vm_stream_add(kept, text, (size_t)n);
    } else if (n == 1 && item && item->expr) {
        files_mark(files, fd, 1, item->expr);
    }
    return n;
}

long files_send(VmFiles *files, int fd, bool pending, const char *text, size_t size, const VmItem *item)
{
    if (!pending)
        return send_now(files, fd, text, size, item);
    if (fd < 0 || fd >= FILES_DESCRIPTORS)
        return -EBADF;
    Pending *p = pending_of(files, fd);
    if (!p->limit)
        return send_now(files, fd, text, size, item);
    if (item)
        vm_stream_add_item(&p->stream, item, text, size);
    else
        vm_stream_add(&p->stream, text, size);
    size_t due = size ? overdue(p, size) : 0;
    if (due) {
        long error = deliver(files, fd, p, due);
        if (error < 0)
            return error;
    }
    return (long)size;
}

long files_pending_control(VmFiles *files, int fd, int what, long value)
{
    if (fd < 0 || fd >= FILES_DESCRIPTORS)
        return -EBADF;
    Pending *p = (uint32_t)fd < files->fds.n ? files->fds.v[fd].pending : NULL;
    switch (what) {
    case FILES_CONTROL_FLUSH: return p ? deliver(files, fd, p, p->stream.text.n) : 0;
    case FILES_CONTROL_DROP:
        if (p)
            vm_stream_clear(&p->stream);
        return 0;
    case FILES_CONTROL_WAITING: return p ? (long)p->stream.text.n : 0;
    default:
        p = pending_of(files, fd);
        p->limit = (size_t)(value & (FILES_LINES - 1));
        p->lines = value & FILES_LINES || (fd == STDOUT_FILENO && files->out[0].terminal);
        return 0;
    }
}

void files_pending_flush_all(VmFiles *files)
{
    for (uint32_t fd = 0; fd < files->fds.n; fd++) {
        Pending *p = files->fds.v[fd].pending;
        if (p)
            deliver(files, (int)fd, p, p->stream.text.n);
    }
}

/* ---- primitives ------------------------------------------------------------------------------ */

/* The number that carries the bit SHEAF_PENDING is split into descriptor and bit. */
static bool take_pending(uint64_t arg, int *fd)
{
    *fd = (int)((uint32_t)arg & ~FILES_PENDING);
    return (int32_t)arg >= 0 && (arg & FILES_PENDING);
}

bool prim_write(PrimCall *call)
{
    VmFiles *files = vm_files(call->vm);
    int fd;
    bool pending = take_pending(call->args[0], &fd);
    uint64_t address = call->args[1], left = call->args[2];
    char chunk[4096];
    call->result = 0;
    do {
        size_t n = left < sizeof chunk ? left : sizeof chunk;
        if (n && !vm_mem_read(call->vm, address, chunk, n))
            return false;
        long done = files_send(files, fd, pending, chunk, n, NULL);
        if (done < 0)
            return call->result || files_finish(call, done);
        call->result += (uint64_t)done;
        if ((size_t)done < n)
            return true;
        left -= n;
        address += n;
    } while (left);
    return true;
}

bool files_put(PrimCall *call, bool (*write)(PrimCall *))
{
    if (call->args[2] && !write(call))
        return false;
    if ((int64_t)call->result >= 0)
        call->result = call->args[2] - call->result;
    return true;
}

bool prim_put(PrimCall *call) { return files_put(call, prim_write); }

bool files_emit(PrimCall *call, int fd, bool pending, const Str *text, const VmItem *item)
{
    VmFiles *files = vm_files(call->vm);
    long n = files_send(files, fd, pending, text->v, text->n, item);
    files->left = n < 0 ? n : (long)text->n - n;
    return files_finish(call, n == FILES_BLOCKED ? n : (long)text->n);
}

bool prim_sent(PrimCall *call)
{
    call->result = (uint64_t)vm_files(call->vm)->left;
    return true;
}

bool prim_emit(PrimCall *call)
{
    VmFiles *files = vm_files(call->vm);
    VmItem item;
    int fd;
    bool pending = take_pending(call->args[0], &fd);
    vec_clear(&files->spec);
    vec_clear(&files->text);
    if (!vm_mem_string(call->vm, call->args[1], &files->spec))
        return false;
    if (!vm_item_parse(&item, str_text(&files->spec), (long)call->args[2], (long)call->args[3],
                       call->args[5]))
        return files_finish(call, files->left = -EINVAL);
    if (item.width > ITEM_FIELD_LIMIT || item.precision > ITEM_FIELD_LIMIT)
        return vm_end_limit(call->vm, LEDGER_OUTPUT, "a printed field of more than %d characters",
                            ITEM_FIELD_LIMIT);
    if (!vm_mem_read(call->vm, call->args[4], item.value, item.size))
        return false;
    vm_item_render(&item, &files->text);
    return files_emit(call, fd, pending, &files->text, &item);
}
