/* tree.c - the names and nodes of the modelled file system: see files.h.
 *
 * Names are absolute paths in one flat table. There are no symbolic links, so a path can be normalised by its
 * text. Nothing here touches the host. */
#include "vm/files/files.h"

#include <errno.h>
#include <stdlib.h>

static const char home[] = "/sheaf"; /* the working directory at first */

/* ---- nodes ----------------------------------------------------------------------------------- */

int64_t files_node_new(VmFiles *files, NodeKind kind, uint32_t mode)
{
    uint32_t at = 0;
    while (at < files->nodes.n && files->nodes.v[at].kind != NODE_FREE)
        at++;
    if (at == FILES_NODES)
        return -ENOSPC;
    if (at == files->nodes.n)
        vec_push(&files->nodes, (Node){0});
    files->nodes.v[at] = (Node){.kind = kind, .mode = mode, .inode = ++files->inodes};
    return at;
}

void files_node_release(VmFiles *files, uint32_t at)
{
    Node *node = &files->nodes.v[at];
    if (node->names || node->opens)
        return;
    files->bytes -= node->cap;
    mem_free(node->data);
    mem_free(node->syms);
    *node = (Node){.kind = NODE_FREE};
}

int files_node_resize(VmFiles *files, Node *node, size_t size)
{
    if (size > node->cap) {
        size_t cap = node->cap * 2 > size ? node->cap * 2 : size;
        if (size > FILES_BYTES || files->bytes - node->cap + size > FILES_BYTES)
            return -ENOSPC;
        if (files->bytes - node->cap + cap > FILES_BYTES)
            cap = size;
        files->bytes += cap - node->cap;
        node->data = mem_realloc(node->data, cap);
        if (node->syms)
            node->syms = mem_realloc(node->syms, cap * sizeof *node->syms);
        node->cap = cap;
    }
    if (size > node->size) {
        memset(node->data + node->size, 0, size - node->size);
        if (node->syms)
            memset(node->syms + node->size, 0, (size - node->size) * sizeof *node->syms);
    }
    node->size = size;
    return 0;
}

/* ---- names ----------------------------------------------------------------------------------- */

typedef struct Device {
    const char *path;
    NodeKind kind;
} Device;

static const Device devices[] = {
    {"/dev/null", NODE_NULL},     {"/dev/zero", NODE_ZERO},      {"/dev/full", NODE_FULL},
    {"/dev/random", NODE_RANDOM}, {"/dev/urandom", NODE_RANDOM},
};

int64_t files_find(VmFiles *files, const char *absolute)
{
    uint64_t node;
    if (strmap_get(&files->names, absolute, &node))
        return (int64_t)node;
    if (!text_starts_with(absolute, "/dev/"))
        return -ENOENT;
    for (unsigned i = 0; i < COUNT_OF(devices); i++) {
        if (strcmp(absolute, devices[i].path) != 0)
            continue;
        int64_t fresh = files_node_new(files, devices[i].kind, 0666);
        if (fresh >= 0 && files_link(files, absolute, (uint32_t)fresh) < 0)
            bug("no directory for %s", absolute);
        return fresh;
    }
    return -ENOENT;
}

/* Length of the parent's path; of "/x" it is 1. */
static size_t parent_length(const char *absolute)
{
    const char *slash = strrchr(absolute, '/');
    return slash == absolute ? 1 : (size_t)(slash - absolute);
}

int files_link(VmFiles *files, const char *absolute, uint32_t node)
{
    Str parent = {0};
    str_add_n(&parent, absolute, parent_length(absolute));
    int64_t above = files_find(files, str_text(&parent));
    str_free(&parent);
    if (above < 0)
        return (int)above;
    if (!(files->nodes.v[above].mode & 0200))
        return -EACCES;
    strmap_put(&files->names, absolute, node);
    files->nodes.v[node].names++;
    return 0;
}

/* Adds one component to an absolute path. */
static int descend(VmFiles *files, Str *absolute, const char *name, size_t size)
{
    if (size > FILES_NAME)
        return -ENAMETOOLONG;
    int64_t here = files_find(files, str_text(absolute));
    if (here < 0)
        return (int)here;
    if (files->nodes.v[here].kind != NODE_DIRECTORY)
        return -ENOTDIR;
    if (!(files->nodes.v[here].mode & 0100))
        return -EACCES;
    if (size == 1 && name[0] == '.')
        return 0;
    if (size == 2 && name[0] == '.' && name[1] == '.') {
        absolute->n = (uint32_t)parent_length(absolute->v);
        absolute->v[absolute->n] = 0;
        return 0;
    }
    if (absolute->n > 1)
        str_add_char(absolute, '/');
    str_add_n(absolute, name, size);
    return 0;
}

int files_resolve(VmFiles *files, const char *path, Str *absolute, bool *must_be_directory)
{
    *must_be_directory = false;
    vec_clear(absolute);
    if (!*path)
        return -ENOENT;
    if (strlen(path) >= FILES_PATH)
        return -ENAMETOOLONG;
    str_add(absolute, *path == '/' ? "/" : str_text(&files->cwd));
    while (*path) {
        size_t slashes = strspn(path, "/"), size = strcspn(path += slashes, "/");
        *must_be_directory =
            !size || (size == 1 && *path == '.') || (size == 2 && path[0] == '.' && path[1] == '.');
        int error = size ? descend(files, absolute, path, size) : 0;
        if (error)
            return error;
        path += size;
    }
    return 0;
}

uint32_t files_next_in(VmFiles *files, const char *directory, uint32_t from)
{
    size_t size = strcmp(directory, "/") == 0 ? 0 : strlen(directory);
    for (uint32_t i = from; i < files->names.entries.n; i++) {
        if (!files->names.entries.v[i].live)
            continue;
        const char *key = files->names.entries.v[i].key;
        if (strncmp(key, directory, size) == 0 && key[size] == '/' && key[size + 1] &&
            !strchr(key + size + 1, '/'))
            return i + 1;
    }
    return 0;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void make_directory(VmFiles *files, const char *absolute)
{
    if (files_find(files, absolute) >= 0)
        return;
    int64_t node = files_node_new(files, NODE_DIRECTORY, 0755);
    if (node < 0)
        die("too many files and directories are provided to the program");
    strmap_put(&files->names, absolute, (uint64_t)node);
    files->nodes.v[node].names++;
}

/* The absolute path of a provided file, with the directories above it made. False: it names a directory. */
static bool provide_path(VmFiles *files, const char *name, Str *absolute)
{
    str_add(absolute, name[0] == '/' ? "/" : home);
    for (;;) {
        name += strspn(name, "/");
        size_t size = strcspn(name, "/");
        make_directory(files, absolute->v);
        if (!size || descend(files, absolute, name, size))
            return false;
        name += size;
        if (!*name)
            return true;
    }
}

void files_provide(VmFiles *files, const VmFile *file)
{
    Str path = {0};
    if (!provide_path(files, file->name, &path) || files_find(files, path.v) >= 0)
        die("cannot provide a file named \"%s\": the name is in use or is that of a directory", file->name);
    int64_t node = files_node_new(files, NODE_FILE, file->writable ? 0644 : 0444);
    if (node < 0 || files_link(files, path.v, (uint32_t)node) < 0 ||
        files_node_resize(files, &files->nodes.v[node], file->size) < 0)
        die("the files provided to the program are more than the machine holds");
    if (file->size)
        memcpy(files->nodes.v[node].data, file->data, file->size);
    str_free(&path);
}

void files_tree_free(VmFiles *files)
{
    for (uint32_t i = 0; i < files->nodes.n; i++) {
        mem_free(files->nodes.v[i].data);
        mem_free(files->nodes.v[i].syms);
    }
    for (uint32_t i = 0; i < files->opens.n; i++)
        mem_free(files->opens.v[i].path);
    vec_free(&files->nodes);
    vec_free(&files->opens);
    strmap_free(&files->names);
    files->names = (StrMap){0};
    str_free(&files->cwd);
    files->bytes = 0;
    files->inodes = 0;
}

void files_tree_reset(VmFiles *files)
{
    files_tree_free(files);
    static const char *const directories[] = {"/", "/dev", "/tmp", home};
    for (unsigned i = 0; i < COUNT_OF(directories); i++)
        make_directory(files, directories[i]);
    str_add(&files->cwd, home);
}
