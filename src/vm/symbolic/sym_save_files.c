/* sym_save_files.c - copies of all that files.c knows, for snapshots; and their bytes and items under another
 * input. */
#include "vm/files/files.h"
#include "vm/symbolic/sym_int.h"

static void *copied(const void *from, size_t size)
{
    void *to = mem_alloc(size + 1);
    if (size)
        memcpy(to, from, size);
    return to;
}

#define COPY_VEC(to, from)                                         \
    do {                                                           \
        vec_reserve(&(to), (from).n);                              \
        if ((from).n)                                              \
            memcpy((to).v, (from).v, (from).n * sizeof *(from).v); \
        (to).n = (from).n;                                         \
    } while (0)

static void copy_stream(VmStream *to, const VmStream *from, size_t *bytes)
{
    *to = (VmStream){.limit = from->limit, .dropped = from->dropped};
    str_add_n(&to->text, str_text(&from->text), from->text.n);
    COPY_VEC(to->items, from->items);
    *bytes += from->text.n + from->items.n * sizeof *from->items.v;
}

static void copy_names(StrMap *to, const StrMap *from)
{
    uint32_t cursor = 0;
    uint64_t key, value;
    COPY_VEC(to->entries, from->entries);
    for (uint32_t i = 0; i < to->entries.n; i++)
        if (to->entries.v[i].key)
            to->entries.v[i].key = mem_strdup(from->entries.v[i].key);
    while (map_next(&from->index, &cursor, &key, &value))
        map_put(&to->index, key, value);
}

static void copy_nodes(VmFiles *to, const VmFiles *from, size_t *bytes)
{
    COPY_VEC(to->nodes, from->nodes);
    for (uint32_t i = 0; i < to->nodes.n; i++) {
        Node *n = &to->nodes.v[i];
        const Node *old = &from->nodes.v[i];
        if (old->data) {
            n->data = mem_alloc(old->cap);
            memcpy(n->data, old->data, old->size);
        }
        if (old->syms)
            n->syms = copied(old->syms, old->cap * sizeof *old->syms);
        *bytes += old->cap + (old->syms ? old->cap * sizeof *old->syms : 0);
    }
    COPY_VEC(to->opens, from->opens);
    for (uint32_t i = 0; i < to->opens.n; i++)
        if (to->opens.v[i].path)
            to->opens.v[i].path = mem_strdup(from->opens.v[i].path);
}

VmFiles *sym_files_copy(const VmFiles *from, size_t *bytes)
{
    VmFiles *to = mem_alloc(sizeof *to);
    *bytes = sizeof *to;
    *to = *from;
    memset(&to->nodes, 0, sizeof to->nodes);
    memset(&to->opens, 0, sizeof to->opens);
    memset(&to->fds, 0, sizeof to->fds);
    memset(&to->names, 0, sizeof to->names);
    memset(&to->cwd, 0, sizeof to->cwd);
    memset(&to->spec, 0, sizeof to->spec);
    memset(&to->text, 0, sizeof to->text);
    copy_nodes(to, from, bytes);
    copy_names(&to->names, &from->names);
    str_add_n(&to->cwd, str_text(&from->cwd), from->cwd.n);
    COPY_VEC(to->fds, from->fds);
    for (uint32_t fd = 0; fd < from->fds.n; fd++) {
        const Pending *old = from->fds.v[fd].pending;
        if (!old)
            continue;
        Pending *p = copied(old, sizeof *old);
        copy_stream(&p->stream, &old->stream, bytes);
        to->fds.v[fd].pending = p;
    }
    for (unsigned i = 0; i < COUNT_OF(to->out); i++) {
        memset(&to->out[i].buffer, 0, sizeof to->out[i].buffer);
        str_add_n(&to->out[i].buffer, str_text(&from->out[i].buffer), from->out[i].buffer.n);
        copy_stream(&to->out[i].kept, &from->out[i].kept, bytes);
    }
    return to;
}

/* ---- another input --------------------------------------------------------------------------- */

/* The text again, items with symbolic values rendered anew. A piece of an item that was cut at the end of a
 * buffer stays as long as it was, as far as there is text; its last piece takes the rest. */
static bool evaluate_stream(Vm *vm, VmStream *stream)
{
    bool any = false;
    for (uint32_t i = 0; i < stream->items.n; i++)
        any |= stream->items.v[i].expr != 0;
    if (!any)
        return false;
    Str text = {0}, item_text = {0};
    uint32_t from = 0;
    for (uint32_t i = 0; i < stream->items.n; i++) {
        VmItem *item = &stream->items.v[i];
        uint32_t end = item->start + item->length;
        str_add_n(&text, stream->text.v + from, item->start - from);
        from = end;
        uint32_t start = text.n;
        if (!item->expr) {
            str_add_n(&text, stream->text.v + item->start, item->length);
        } else {
            u128 value = sym_eval(vm, (Expr){item->expr});
            vec_clear(&item_text);
            vm_item_render(item, &item_text);
            bool last = item->skip + item->length == item_text.n;
            memcpy(item->value, &value, item->size);
            vec_clear(&item_text);
            vm_item_render(item, &item_text);
            uint32_t rest = item_text.n > item->skip ? item_text.n - item->skip : 0;
            str_add_n(&text, item_text.v + (rest ? item->skip : 0),
                      last || rest < item->length ? rest : item->length);
        }
        item->start = start;
        item->length = text.n - start;
    }
    str_add_n(&text, stream->text.v + from, stream->text.n - from);
    str_free(&stream->text);
    str_free(&item_text);
    stream->text = text;
    return true;
}

bool sym_files_evaluate(Vm *vm)
{
    VmFiles *files = vm->files;
    bool any = false;
    sym_files_input(vm);
    for (uint32_t i = 0; i < files->nodes.n; i++) {
        Node *n = &files->nodes.v[i];
        for (size_t k = 0; n->syms && k < n->size; k++)
            if (n->syms[k])
                n->data[k] = (uint8_t)sym_eval(vm, (Expr){n->syms[k]});
        any |= n->syms != NULL;
    }
    for (uint32_t fd = 0; fd < files->fds.n; fd++)
        if (files->fds.v[fd].pending)
            any |= evaluate_stream(vm, &files->fds.v[fd].pending->stream);
    for (unsigned i = 0; i < COUNT_OF(files->out); i++)
        any |= evaluate_stream(vm, &files->out[i].kept);
    return any;
}
