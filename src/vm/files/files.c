/* files.c - descriptors of the program under test, over modelled files, pipes and the run's standard
 * streams. */
#include "vm/files/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- descriptors and descriptions ------------------------------------------------------------ */

Open *files_open_of(VmFiles *files, int64_t fd)
{
    if (fd < 0 || fd >= files->fds.n || !files->fds.v[fd].open)
        return NULL;
    return &files->opens.v[files->fds.v[fd].open - 1];
}

Descriptor *files_descriptor(VmFiles *files, int fd)
{
    while (files->fds.n <= (uint32_t)fd)
        vec_push(&files->fds, (Descriptor){0});
    return &files->fds.v[fd];
}

static Node *node_of(VmFiles *files, const Open *open) { return &files->nodes.v[open->node]; }

static bool may_read(const Open *open) { return (open->flags & O_ACCMODE) != O_WRONLY; }
static bool may_write(const Open *open) { return (open->flags & O_ACCMODE) != O_RDONLY; }

static int free_descriptor(VmFiles *files, int64_t least)
{
    for (int64_t fd = least; fd < FILES_DESCRIPTORS; fd++)
        if (!files_open_of(files, fd))
            return (int)fd;
    return -EMFILE;
}

/* A description of the node on a new descriptor >= least. -EMFILE if there is none left. */
static int attach(VmFiles *files, uint32_t node, int flags, int least)
{
    int fd = free_descriptor(files, least);
    if (fd < 0)
        return fd;
    uint32_t at = 0;
    while (at < files->opens.n && files->opens.v[at].descriptors)
        at++;
    if (at == files->opens.n)
        vec_push(&files->opens, (Open){0});
    const int once = O_CREAT | O_EXCL | O_TRUNC | O_CLOEXEC;
    files->opens.v[at] = (Open){.node = node, .descriptors = 1, .flags = flags & ~once};
    Node *n = &files->nodes.v[node];
    n->opens++;
    n->readers += may_read(&files->opens.v[at]);
    n->writers += may_write(&files->opens.v[at]);
    Descriptor *d = files_descriptor(files, fd);
    d->open = at + 1;
    d->close_on_exec = flags & O_CLOEXEC;
    return fd;
}

static int detach(VmFiles *files, int64_t fd)
{
    Open *open = files_open_of(files, fd);
    if (!open)
        return -EBADF;
    files->fds.v[fd].open = 0;
    if (--open->descriptors)
        return 0;
    Node *node = node_of(files, open);
    node->opens--;
    node->readers -= may_read(open);
    node->writers -= may_write(open);
    mem_free(open->path);
    open->path = NULL;
    files_node_release(files, open->node);
    return 0;
}

/* ---- life ------------------------------------------------------------------------------------ */

VmFiles *vm_files_new(void)
{
    VmFiles *files = mem_zalloc(sizeof *files);
    files->in_fd = -1;
    for (unsigned i = 0; i < COUNT_OF(files->out); i++)
        files->out[i].fd = -1;
    return files;
}

static void forget(VmFiles *files)
{
    for (uint32_t fd = 0; fd < files->fds.n; fd++) {
        if (files->fds.v[fd].pending)
            vm_stream_free(&files->fds.v[fd].pending->stream);
        mem_free(files->fds.v[fd].pending);
    }
    vec_clear(&files->fds);
    for (unsigned i = 0; i < COUNT_OF(files->out); i++) {
        vm_stream_clear(&files->out[i].kept);
        vec_clear(&files->out[i].buffer);
        files->out[i].given = 0;
    }
}

static void open_standard_streams(VmFiles *files)
{
    int64_t in = files_node_new(files, NODE_INPUT, files->in_seekable ? 0644 : 0600);
    attach(files, (uint32_t)in, O_RDONLY, 0);
    for (int i = 0; i < 2; i++) {
        int64_t out = files_node_new(files, NODE_OUTPUT, 0600);
        files->nodes.v[out].output = i;
        attach(files, (uint32_t)out, O_WRONLY, 0);
    }
}

void vm_files_reset(VmFiles *files, const VmEnvironment *environment)
{
    forget(files);
    files_tree_reset(files);
    files->random = 0;
    files->in_fd = environment->stdin_fd;
    files->in_data = environment->stdin_data;
    files->in_size = environment->stdin_size;
    struct stat st;
    files->in_seekable = files->in_fd < 0 || (fstat(files->in_fd, &st) == 0 && S_ISREG(st.st_mode));
    files->in_start = files->in_fd >= 0 && files->in_seekable ? lseek(files->in_fd, 0, SEEK_CUR) : 0;
    const int host[2] = {environment->stdout_fd, environment->stderr_fd};
    for (int i = 0; i < 2; i++) {
        files->out[i].fd = host[i];
        files->out[i].error = 0;
        files->out[i].terminal = host[i] >= 0 && isatty(host[i]);
        files->out[i].kept.limit = FILES_KEPT;
    }
    open_standard_streams(files);
    for (uint32_t i = 0; i < environment->files.n; i++)
        files_provide(files, &environment->files.v[i]);
}

int files_given(VmFiles *files, uint32_t shape)
{
    enum { LEAST = 64 }; /* apart from what the program opens itself */
    int64_t node = files_node_new(files, NODE_GIVEN, 0600);
    if (node < 0)
        return (int)node;
    files->nodes.v[node].given = shape;
    int fd = attach(files, (uint32_t)node, O_RDWR, LEAST);
    if (fd < 0)
        files_node_release(files, (uint32_t)node);
    return fd;
}

bool files_given_output(VmFiles *files, Node *node)
{
    for (int i = 2; i < FILES_OUTPUTS; i++) {
        if (files->out[i].given)
            continue;
        files->out[i].given = node->given;
        files->out[i].kept.limit = FILES_KEPT;
        node->kind = NODE_OUTPUT;
        node->output = i;
        return true;
    }
    return false;
}

/* Without symbolic inputs there is nothing in it. */
bool prim_stream(PrimCall *call)
{
    VmFiles *files = vm_files(call->vm);
    int fd = files_given(files, 0);
    if (fd >= 0)
        node_of(files, files_open_of(files, fd))->kind = NODE_FILE;
    return files_finish(call, fd);
}

void vm_files_flush(VmFiles *files)
{
    files_pending_flush_all(files);
    files_output_flush(files);
}

void vm_files_free(VmFiles *files)
{
    if (!files)
        return;
    forget(files);
    files_tree_free(files);
    for (unsigned i = 0; i < COUNT_OF(files->out); i++) {
        vm_stream_free(&files->out[i].kept);
        str_free(&files->out[i].buffer);
    }
    vec_free(&files->fds);
    str_free(&files->spec);
    str_free(&files->text);
    mem_free(files);
}

const VmStream *vm_files_output(const VmFiles *files, int which) { return &files->out[which - 1].kept; }

/* ---- reading and writing a description ------------------------------------------------------- */

void files_mark(VmFiles *files, int fd, size_t back, uint32_t expr)
{
    Open *open = files_open_of(files, fd);
    Node *node = node_of(files, open);
    if (node->kind != NODE_FILE && node->kind != NODE_PIPE)
        return;
    if (!node->syms)
        node->syms = mem_zalloc(node->cap * sizeof *node->syms);
    node->syms[(node->kind == NODE_FILE ? (size_t)open->offset : node->size) - back] = expr;
}

static long pipe_write(VmFiles *files, Node *node, const Open *open, const char *data, size_t size)
{
    if (!node->readers)
        return -EPIPE;
    if (node->size - node->head + size > FILES_PIPE)
        return open->flags & O_NONBLOCK ? -EAGAIN : FILES_BLOCKED;
    if (node->head) {
        memmove(node->data, node->data + node->head, node->size - node->head);
        if (node->syms)
            memmove(node->syms, node->syms + node->head, (node->size - node->head) * sizeof *node->syms);
        node->size -= node->head;
        node->head = 0;
    }
    size_t at = node->size;
    int error = files_node_resize(files, node, at + size);
    if (error)
        return error;
    if (size)
        memcpy(node->data + at, data, size);
    return (long)size;
}

static long file_write(VmFiles *files, Node *node, Open *open, const char *data, size_t size)
{
    if (!size)
        return 0;
    if (open->flags & O_APPEND)
        open->offset = (int64_t)node->size;
    size_t end = (size_t)open->offset + size;
    if (end > node->size) {
        int error = files_node_resize(files, node, end);
        if (error)
            return error;
    }
    memcpy(node->data + open->offset, data, size);
    if (node->syms)
        memset(node->syms + open->offset, 0, size * sizeof *node->syms);
    open->offset += (int64_t)size;
    return (long)size;
}

long files_write(VmFiles *files, int fd, const char *data, size_t size, VmStream **kept)
{
    *kept = NULL;
    Open *open = files_open_of(files, fd);
    if (!open || !may_write(open))
        return -EBADF;
    Node *node = node_of(files, open);
    switch (node->kind) {
    case NODE_FILE: return file_write(files, node, open, data, size);
    case NODE_PIPE: return pipe_write(files, node, open, data, size);
    case NODE_FULL: return size ? -ENOSPC : 0;
    case NODE_OUTPUT:
        if (files->out[node->output].error)
            return -files->out[node->output].error;
        files_output_add(files, node->output, data, size);
        *kept = &files->out[node->output].kept;
        return (long)size;
    case NODE_DIRECTORY:
    case NODE_INPUT: return -EBADF;
    default: return (long)size;
    }
}

static long copy_out(const uint8_t *data, size_t have, int64_t offset, void *out, size_t size)
{
    if ((uint64_t)offset >= have)
        return 0;
    size_t n = have - (size_t)offset < size ? have - (size_t)offset : size;
    memcpy(out, data + offset, n);
    return (long)n;
}

static long pipe_read(Node *node, const Open *open, void *out, size_t size)
{
    if (node->head == node->size)
        return !node->writers ? 0 : open->flags & O_NONBLOCK ? -EAGAIN : FILES_BLOCKED;
    long n = copy_out(node->data, node->size, (int64_t)node->head, out, size);
    node->head += (size_t)n;
    return n;
}

static long input_read(VmFiles *files, int64_t offset, void *out, size_t size)
{
    if (files->in_fd < 0)
        return copy_out(files->in_data, files->in_size, offset, out, size);
    if (files->in_seekable) {
        ssize_t n = pread(files->in_fd, out, size, files->in_start + offset);
        return n < 0 ? -errno : n;
    }
    if (files->out[0].terminal) /* a prompt shows before its answer is awaited */
        files_pending_control(files, STDOUT_FILENO, FILES_CONTROL_FLUSH, 0);
    files_output_flush(files);
    ssize_t n = read(files->in_fd, out, size);
    return n < 0 ? -errno : n;
}

static void fill_random(VmFiles *files, uint8_t *out, size_t size)
{
    for (size_t i = 0; i < size; i++)
        out[i] = (uint8_t)(hash_u64(++files->random) >> 8);
}

/* At most one chunk; the offset moves on. */
static long read_some(VmFiles *files, Open *open, uint8_t *out, size_t size)
{
    Node *node = node_of(files, open);
    long n = 0;
    switch (node->kind) {
    case NODE_FILE: n = copy_out(node->data, node->size, open->offset, out, size); break;
    case NODE_PIPE: return pipe_read(node, open, out, size);
    case NODE_INPUT: n = input_read(files, open->offset, out, size); break;
    case NODE_ZERO:
    case NODE_FULL: memset(out, 0, size); return (long)size;
    case NODE_RANDOM: fill_random(files, out, size); return (long)size;
    case NODE_DIRECTORY: return -EISDIR;
    default: return 0;
    }
    if (n > 0)
        open->offset += n;
    return n;
}

bool files_finish(PrimCall *call, long result)
{
    if (result == FILES_BLOCKED)
        return vm_end_unsupported(call->vm, "a wait on a pipe that no other process will read or write");
    call->result = (uint64_t)result;
    return true;
}

bool prim_read(PrimCall *call)
{
    VmFiles *files = vm_files(call->vm);
    Open *open = files_open_of(files, (int)call->args[0]);
    if (!open || !may_read(open))
        return files_finish(call, -EBADF);
    NodeKind kind = node_of(files, open)->kind;
    uint64_t address = call->args[1], left = call->args[2];
    uint8_t chunk[8192];
    long total = 0;
    while (left || !total) {
        long n = read_some(files, open, chunk, left < sizeof chunk ? left : sizeof chunk);
        if (n < 0)
            return files_finish(call, total ? total : n);
        if (n && !vm_mem_write(call->vm, address, chunk, (size_t)n))
            return false;
        total += n;
        left -= (uint64_t)n;
        address += (uint64_t)n;
        /* Only what surely has more is asked again: a terminal or a pipe would wait. */
        if ((size_t)n < sizeof chunk || (kind == NODE_INPUT && !files->in_seekable) || kind == NODE_PIPE)
            break;
    }
    return files_finish(call, total);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* /dev/stdin, /dev/stdout, /dev/stderr and /dev/fd/N: the descriptor they stand for, or -1. */
static int descriptor_named(const char *absolute)
{
    static const char *const names[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    for (int i = 0; i < 3; i++)
        if (strcmp(absolute, names[i]) == 0)
            return i;
    u128 fd;
    if (text_starts_with(absolute, "/dev/fd/") && text_parse_u128(absolute + 8, 10, &fd) &&
        fd < FILES_DESCRIPTORS)
        return (int)fd;
    return -1;
}

static int duplicate(VmFiles *files, int64_t fd, int least)
{
    Open *open = files_open_of(files, fd);
    if (!open)
        return -EBADF;
    int to = free_descriptor(files, least);
    if (to < 0)
        return to;
    open->descriptors++;
    Descriptor *d = files_descriptor(files, to);
    d->open = files->fds.v[fd].open;
    d->close_on_exec = false;
    return to;
}

static int open_existing(VmFiles *files, int64_t node, int flags, bool must_be_directory)
{
    Node *n = &files->nodes.v[node];
    bool directory = n->kind == NODE_DIRECTORY, writes = (flags & O_ACCMODE) != O_RDONLY;
    if ((flags & O_CREAT) && (flags & O_EXCL))
        return -EEXIST;
    if (directory && (writes || flags & O_CREAT))
        return -EISDIR;
    if (!directory && (must_be_directory || flags & O_DIRECTORY))
        return -ENOTDIR;
    if ((writes && !(n->mode & 0200)) || ((flags & O_ACCMODE) != O_WRONLY && !(n->mode & 0400)))
        return -EACCES;
    int fd = attach(files, (uint32_t)node, flags, 0);
    if (fd >= 0 && (flags & O_TRUNC) && writes && n->kind == NODE_FILE)
        files_node_resize(files, n, 0);
    return fd;
}

static int open_new(VmFiles *files, const char *absolute, int flags, int mode, bool must_be_directory)
{
    if (!(flags & O_CREAT))
        return -ENOENT;
    if (must_be_directory)
        return -EISDIR;
    if (free_descriptor(files, 0) < 0)
        return -EMFILE;
    int64_t node = files_node_new(files, NODE_FILE, (uint32_t)mode & 07777);
    if (node < 0)
        return (int)node;
    int error = files_link(files, absolute, (uint32_t)node);
    if (error) {
        files_node_release(files, (uint32_t)node);
        return error;
    }
    return attach(files, (uint32_t)node, flags, 0);
}

static int open_path(VmFiles *files, const char *path, int flags, int mode)
{
    Str absolute = {0};
    bool must_be_directory;
    int fd = files_resolve(files, path, &absolute, &must_be_directory);
    if (!fd) {
        int same = descriptor_named(absolute.v);
        int64_t node = same < 0 ? files_find(files, absolute.v) : 0;
        if (same >= 0)
            fd = duplicate(files, same, 0);
        else if (node >= 0)
            fd = open_existing(files, node, flags, must_be_directory);
        else if (node == -ENOENT)
            fd = open_new(files, absolute.v, flags, mode, must_be_directory);
        else
            fd = (int)node;
        Open *open = files_open_of(files, fd);
        if (open && node_of(files, open)->kind == NODE_DIRECTORY && !open->path)
            open->path = mem_strdup(absolute.v);
    }
    str_free(&absolute);
    return fd;
}

bool prim_open(PrimCall *call)
{
    Str path = {0};
    bool ok = vm_mem_string(call->vm, call->args[0], &path);
    if (ok)
        files_finish(call,
                     open_path(vm_files(call->vm), str_text(&path), (int)call->args[1], (int)call->args[2]));
    str_free(&path);
    return ok;
}

bool prim_close(PrimCall *call) { return files_finish(call, detach(vm_files(call->vm), (int)call->args[0])); }

bool prim_dup(PrimCall *call)
{
    VmFiles *files = vm_files(call->vm);
    int fd = (int)call->args[0], target = (int)call->args[1];
    bool exact = (int)call->args[2];
    if (!files_open_of(files, fd))
        return files_finish(call, -EBADF);
    if (target < 0 || target >= FILES_DESCRIPTORS)
        return files_finish(call, exact ? -EBADF : -EINVAL);
    if (exact && fd == target)
        return files_finish(call, fd);
    if (exact)
        detach(files, target);
    return files_finish(call, duplicate(files, fd, target));
}

bool prim_pipe(PrimCall *call)
{
    VmFiles *files = vm_files(call->vm);
    int64_t node = files_node_new(files, NODE_PIPE, 0600);
    if (node < 0)
        return files_finish(call, -ENFILE);
    int fds[2] = {attach(files, (uint32_t)node, O_RDONLY, 0), attach(files, (uint32_t)node, O_WRONLY, 0)};
    if (fds[1] < 0) {
        detach(files, fds[0]);
        files_node_release(files, (uint32_t)node);
        return files_finish(call, -EMFILE);
    }
    call->result = 0;
    return vm_mem_write(call->vm, call->args[0], fds, sizeof fds);
}

/* ---- position, size, status ------------------------------------------------------------------ */

/* Where SEEK_END counts from; -ESPIPE for what has no positions. */
static int64_t end_of(VmFiles *files, const Open *open)
{
    const Node *node = &files->nodes.v[open->node];
    struct stat st;
    switch (node->kind) {
    case NODE_FILE:
    case NODE_DIRECTORY: return (int64_t)node->size;
    case NODE_INPUT:
        if (!files->in_seekable)
            return -ESPIPE;
        if (files->in_fd < 0)
            return (int64_t)files->in_size;
        return fstat(files->in_fd, &st) == 0 && st.st_size > files->in_start ? st.st_size - files->in_start
                                                                             : 0;
    case NODE_PIPE:
    case NODE_OUTPUT: return -ESPIPE;
    default: return 0;
    }
}

bool prim_seek(PrimCall *call)
{
    VmFiles *files = vm_files(call->vm);
    Open *open = files_open_of(files, (int)call->args[0]);
    if (!open)
        return files_finish(call, -EBADF);
    int64_t end = end_of(files, open), from;
    if (end < 0)
        return files_finish(call, end);
    switch ((int)call->args[2]) {
    case SEEK_SET: from = 0; break;
    case SEEK_CUR: from = open->offset; break;
    case SEEK_END: from = end; break;
    default: return files_finish(call, -EINVAL);
    }
    int64_t to;
    if (__builtin_add_overflow(from, (int64_t)call->args[1], &to))
        return files_finish(call, -EOVERFLOW);
    if (to < 0)
        return files_finish(call, -EINVAL);
    NodeKind kind = node_of(files, open)->kind;
    if (kind != NODE_FILE && kind != NODE_DIRECTORY && kind != NODE_INPUT)
        to = 0; /* /dev/null stays where it is */
    open->offset = to;
    return files_finish(call, to);
}

bool prim_truncate(PrimCall *call)
{
    VmFiles *files = vm_files(call->vm);
    Open *open = files_open_of(files, (int)call->args[0]);
    int64_t size = (int64_t)call->args[1];
    if (!open)
        return files_finish(call, -EBADF);
    Node *node = node_of(files, open);
    if (size < 0 || node->kind != NODE_FILE || !may_write(open))
        return files_finish(call, -EINVAL);
    if (size > FILES_BYTES)
        return files_finish(call, -EFBIG);
    return files_finish(call, files_node_resize(files, node, (size_t)size));
}

static void status_of(VmFiles *files, const Node *node, int64_t out[4])
{
    static const uint32_t types[] = {
        [NODE_FILE] = S_IFREG,   [NODE_DIRECTORY] = S_IFDIR, [NODE_PIPE] = S_IFIFO,
        [NODE_NULL] = S_IFCHR,   [NODE_ZERO] = S_IFCHR,      [NODE_FULL] = S_IFCHR,
        [NODE_RANDOM] = S_IFCHR, [NODE_OUTPUT] = S_IFIFO,    [NODE_GIVEN] = S_IFREG,
    };
    Open probe = {.node = (uint32_t)(node - files->nodes.v)};
    bool input = node->kind == NODE_INPUT;
    int64_t size = node->kind == NODE_DIRECTORY ? 4096 : end_of(files, &probe);
    out[0] = (int64_t)(node->mode | (input ? (files->in_seekable ? S_IFREG : S_IFIFO) : types[node->kind]));
    out[1] = size > 0 ? size : 0;
    out[2] = node->inode;
    out[3] = node->kind == NODE_DIRECTORY ? 2 : node->names || node->kind == NODE_FILE ? node->names : 1;
}

bool prim_stat_fd(PrimCall *call)
{
    VmFiles *files = vm_files(call->vm);
    Open *open = files_open_of(files, (int)call->args[0]);
    if (!open)
        return files_finish(call, -EBADF);
    int64_t out[4];
    status_of(files, node_of(files, open), out);
    call->result = 0;
    return vm_mem_write(call->vm, call->args[1], out, sizeof out);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Reads the path at an address and resolves it. False: the run has ended. *error is 0 or -errno, of a missing
 * last component -ENOENT; *node is then < 0. */
static bool look_up(PrimCall *call, unsigned arg, Str *absolute, int64_t *node, int *error)
{
    VmFiles *files = vm_files(call->vm);
    Str path = {0};
    bool must_be_directory, ok = vm_mem_string(call->vm, call->args[arg], &path);
    *node = -1;
    if (ok) {
        *error = files_resolve(files, str_text(&path), absolute, &must_be_directory);
        if (!*error) {
            int same = descriptor_named(absolute->v);
            Open *open = files_open_of(files, same);
            *node = open ? open->node : files_find(files, absolute->v);
            if (*node < 0)
                *error = (int)*node;
            else if (must_be_directory && files->nodes.v[*node].kind != NODE_DIRECTORY)
                *error = -ENOTDIR;
        }
    }
    str_free(&path);
    return ok;
}

bool prim_stat_path(PrimCall *call)
{
    Str absolute = {0};
    int64_t node, out[4];
    int error;
    bool ok = look_up(call, 0, &absolute, &node, &error);
    str_free(&absolute);
    if (!ok || error)
        return ok && files_finish(call, error);
    VmFiles *files = vm_files(call->vm);
    status_of(files, &files->nodes.v[node], out);
    call->result = 0;
    return vm_mem_write(call->vm, call->args[1], out, sizeof out);
}

static bool is_device(const Node *node) { return node->kind != NODE_FILE && node->kind != NODE_DIRECTORY; }

static void drop_name(VmFiles *files, const char *absolute, int64_t node)
{
    strmap_remove(&files->names, absolute);
    files->nodes.v[node].names--;
    files_node_release(files, (uint32_t)node);
}

bool prim_unlink(PrimCall *call)
{
    VmFiles *files = vm_files(call->vm);
    Str absolute = {0};
    int64_t node;
    int error;
    bool ok = look_up(call, 0, &absolute, &node, &error);
    if (ok && !error && files->nodes.v[node].kind == NODE_DIRECTORY)
        error = -EISDIR;
    else if (ok && !error && is_device(&files->nodes.v[node]))
        error = -EACCES;
    if (ok && !error)
        drop_name(files, absolute.v, node);
    str_free(&absolute);
    return ok && files_finish(call, error);
}

bool prim_mkdir(PrimCall *call)
{
    VmFiles *files = vm_files(call->vm);
    Str absolute = {0};
    int64_t node;
    int error;
    bool ok = look_up(call, 0, &absolute, &node, &error);
    if (ok && node >= 0)
        error = -EEXIST;
    else if (ok && node == -ENOENT) {
        node = files_node_new(files, NODE_DIRECTORY, (uint32_t)call->args[1] & 07777);
        error = node < 0 ? (int)node : files_link(files, absolute.v, (uint32_t)node);
        if (error && node >= 0)
            files_node_release(files, (uint32_t)node);
    }
    str_free(&absolute);
    return ok && files_finish(call, error);
}

bool prim_rmdir(PrimCall *call)
{
    VmFiles *files = vm_files(call->vm);
    Str absolute = {0};
    int64_t node;
    int error;
    bool ok = look_up(call, 0, &absolute, &node, &error);
    if (ok && !error) {
        if (files->nodes.v[node].kind != NODE_DIRECTORY)
            error = -ENOTDIR;
        else if (files_next_in(files, absolute.v, 0))
            error = -ENOTEMPTY;
        else if (strcmp(absolute.v, str_text(&files->cwd)) == 0)
            error = -EBUSY;
        else
            drop_name(files, absolute.v, node);
    }
    str_free(&absolute);
    return ok && files_finish(call, error);
}

bool prim_chdir(PrimCall *call)
{
    VmFiles *files = vm_files(call->vm);
    Str absolute = {0};
    int64_t node;
    int error;
    bool ok = look_up(call, 0, &absolute, &node, &error);
    if (ok && !error && files->nodes.v[node].kind != NODE_DIRECTORY)
        error = -ENOTDIR;
    if (ok && !error) {
        vec_clear(&files->cwd);
        str_add(&files->cwd, absolute.v);
    }
    str_free(&absolute);
    return ok && files_finish(call, error);
}

bool prim_chmod(PrimCall *call)
{
    VmFiles *files = vm_files(call->vm);
    Str absolute = {0};
    int64_t node;
    int error;
    bool ok = look_up(call, 0, &absolute, &node, &error);
    str_free(&absolute);
    if (ok && !error)
        files->nodes.v[node].mode = (uint32_t)call->args[1] & 07777;
    return ok && files_finish(call, error);
}

/* Moves the names below a directory with it. */
static void rename_below(VmFiles *files, const char *from, const char *to)
{
    size_t size = strlen(from);
    StrVec below = {0};
    for (uint32_t i = 0; i < files->names.entries.n; i++) {
        const char *key = files->names.entries.v[i].key;
        if (files->names.entries.v[i].live && strncmp(key, from, size) == 0 && key[size] == '/')
            vec_push(&below, mem_strdup(key));
    }
    for (uint32_t i = 0; i < below.n; i++) {
        Str moved = {0};
        uint64_t node = 0;
        strmap_get(&files->names, below.v[i], &node);
        strmap_remove(&files->names, below.v[i]);
        str_printf(&moved, "%s%s", to, below.v[i] + size);
        strmap_put(&files->names, moved.v, node);
        str_free(&moved);
        mem_free(below.v[i]);
    }
    vec_free(&below);
}

static int rename_node(VmFiles *files, const Str *from, int64_t node, const Str *to, int64_t target)
{
    bool directory = files->nodes.v[node].kind == NODE_DIRECTORY;
    if (is_device(&files->nodes.v[node]))
        return -EACCES;
    if (node == target)
        return 0;
    if (directory && strncmp(to->v, from->v, from->n) == 0 && to->v[from->n] == '/')
        return -EINVAL;
    if (target >= 0) {
        bool onto_directory = files->nodes.v[target].kind == NODE_DIRECTORY;
        if (directory != onto_directory)
            return directory ? -ENOTDIR : -EISDIR;
        if (onto_directory && files_next_in(files, to->v, 0))
            return -ENOTEMPTY;
        if (is_device(&files->nodes.v[target]))
            return -EACCES;
        drop_name(files, to->v, target);
    }
    int error = files_link(files, to->v, (uint32_t)node);
    if (error)
        return error;
    drop_name(files, from->v, node);
    if (directory)
        rename_below(files, from->v, to->v);
    return 0;
}

bool prim_rename(PrimCall *call)
{
    Str from = {0}, to = {0};
    int64_t node, target;
    int error, target_error = 0;
    bool ok =
        look_up(call, 0, &from, &node, &error) && (error || look_up(call, 1, &to, &target, &target_error));
    if (ok && !error)
        error = target_error && target != -ENOENT ? target_error
                                                  : rename_node(vm_files(call->vm), &from, node, &to, target);
    str_free(&from);
    str_free(&to);
    return ok && files_finish(call, error);
}

/* ---- directories and the rest ---------------------------------------------------------------- */

bool prim_path(PrimCall *call)
{
    VmFiles *files = vm_files(call->vm);
    int fd = (int)call->args[0];
    Open *open = files_open_of(files, fd);
    if (fd != AT_FDCWD && !open)
        return files_finish(call, -EBADF);
    const char *path = fd == AT_FDCWD ? str_text(&files->cwd) : open->path;
    if (!path)
        return files_finish(call, -ENOTDIR);
    size_t size = strlen(path) + 1;
    if (size > call->args[2])
        return files_finish(call, -ERANGE);
    call->result = size - 1;
    return vm_mem_write(call->vm, call->args[1], path, size);
}

/* The offset of an open directory counts ".", "..", then entries of the table of names. */
bool prim_entry(PrimCall *call)
{
    VmFiles *files = vm_files(call->vm);
    Open *open = files_open_of(files, (int)call->args[0]);
    if (!open)
        return files_finish(call, -EBADF);
    if (!open->path)
        return files_finish(call, -ENOTDIR);
    const char *name;
    const Node *node = node_of(files, open);
    if (open->offset < 2) {
        name = open->offset++ ? ".." : ".";
    } else {
        uint32_t from = open->offset - 2 > UINT32_MAX ? UINT32_MAX : (uint32_t)(open->offset - 2);
        uint32_t at = files_next_in(files, open->path, from);
        if (!at)
            return files_finish(call, 0);
        open->offset = (int64_t)at + 2;
        name = strrchr(files->names.entries.v[at - 1].key, '/') + 1;
        node = &files->nodes.v[files->names.entries.v[at - 1].value];
    }
    size_t size = strlen(name) + 1;
    if (size > call->args[2])
        return files_finish(call, -ERANGE);
    int64_t out[4];
    status_of(files, node, out);
    call->result = size - 1;
    return vm_mem_write(call->vm, call->args[1], name, size) &&
           vm_mem_write(call->vm, call->args[3], out, sizeof out);
}

static long readable(VmFiles *files, const Open *open)
{
    const Node *node = &files->nodes.v[open->node];
    int64_t end = end_of(files, open);
    int waiting = 0;
    if (node->kind == NODE_PIPE)
        return (long)(node->size - node->head);
    if (node->kind == NODE_INPUT && !files->in_seekable)
        return ioctl(files->in_fd, FIONREAD, &waiting) == 0 ? waiting : 0;
    return end > open->offset ? end - open->offset : 0;
}

bool prim_control(PrimCall *call)
{
    VmFiles *files = vm_files(call->vm);
    int fd = (int)call->args[0], what = (int)call->args[1];
    long value = (long)call->args[2];
    if (what >= FILES_CONTROL_FLUSH && what <= FILES_CONTROL_BUFFER)
        return files_finish(call, files_pending_control(files, fd, what, value));
    Open *open = files_open_of(files, fd);
    if (!open)
        return files_finish(call, -EBADF);
    const int settable = O_APPEND | O_NONBLOCK;
    switch (what) {
    case FILES_CONTROL_GET_FLAGS: return files_finish(call, open->flags | O_LARGEFILE);
    case FILES_CONTROL_SET_FLAGS:
        open->flags = (open->flags & ~settable) | ((int)value & settable);
        return files_finish(call, 0);
    case FILES_CONTROL_GET_CLOEXEC:
        return files_finish(call, files->fds.v[fd].close_on_exec ? FD_CLOEXEC : 0);
    case FILES_CONTROL_SET_CLOEXEC:
        files->fds.v[fd].close_on_exec = value & FD_CLOEXEC;
        return files_finish(call, 0);
    case FILES_CONTROL_CHMOD:
        node_of(files, open)->mode = (uint32_t)value & 07777;
        return files_finish(call, 0);
    case FILES_CONTROL_READABLE: return files_finish(call, readable(files, open));
    default: return files_finish(call, -EINVAL);
    }
}
