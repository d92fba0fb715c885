/* sym_bytes.c - cells for the symbolic bytes of objects: pages that exist only where needed, shared
 * copy-on-write. */
#include "vm/symbolic/sym_int.h"

static SymPage *page_new(void)
{
    SymPage *page = mem_zalloc(sizeof *page);
    page->refs = 1;
    return page;
}

static void page_drop(SymPage *page)
{
    if (page && --page->refs == 0)
        mem_free(page);
}

void sym_bytes_drop(SymBytes *s)
{
    if (!s || --s->refs)
        return;
    for (uint32_t i = 0; i < s->npages; i++)
        page_drop(s->pages[i]);
    mem_free(s);
}

SymBytes *sym_bytes_own(Object *o)
{
    SymBytes *s = o->sym;
    if (s && s->refs == 1)
        return s;
    uint32_t n = (uint32_t)((o->size + SYM_PAGE - 1) >> SYM_PAGE_LOG);
    SymBytes *own = mem_zalloc(sizeof *own + n * sizeof *own->pages);
    own->refs = 1;
    own->npages = n;
    if (s) {
        own->count = s->count;
        own->array = s->array;
        for (uint32_t i = 0; i < n; i++) {
            own->pages[i] = s->pages[i];
            if (own->pages[i])
                own->pages[i]->refs++;
        }
        s->refs--;
    }
    o->sym = own;
    if (!s)
        mem_refresh(o);
    return own;
}

void sym_cell_set(Object *o, uint64_t offset, uint64_t cell)
{
    if (!o->sym && !cell)
        return;
    SymBytes *s = sym_bytes_own(o);
    SymPage **page = &s->pages[offset >> SYM_PAGE_LOG];
    uint32_t at = offset & (SYM_PAGE - 1);
    if (!*page && !cell)
        return;
    if (!*page) {
        *page = page_new();
    } else if ((*page)->refs > 1) {
        SymPage *own = page_new();
        memcpy(own->cells, (*page)->cells, sizeof own->cells);
        (*page)->refs--;
        *page = own;
    }
    s->count += (cell != 0) - ((*page)->cells[at] != 0);
    (*page)->cells[at] = cell;
}

/* An object whose last symbolic byte is gone is a plain one again. */
static void settle(Object *o)
{
    if (o->sym && !o->sym->count && !o->sym->array.id) {
        sym_bytes_drop(o->sym);
        o->sym = NULL;
        mem_refresh(o);
    }
}

void sym_become(Object *o, ExprArray array)
{
    SymBytes *s = sym_bytes_own(o);
    for (uint32_t i = 0; i < s->npages; i++) {
        page_drop(s->pages[i]);
        s->pages[i] = NULL;
    }
    s->count = 0;
    s->array = array;
}

static Expr cell_expr(Vm *vm, uint64_t cell)
{
    Expr whole = {(uint32_t)cell};
    return expr_extract(vm->sym->pool, whole, 8 * (unsigned)(cell >> 32), 8);
}

Expr sym_byte(Vm *vm, const Object *o, uint64_t offset)
{
    if (!o->sym)
        return EXPR_NONE;
    uint64_t cell = sym_cell(o, offset);
    ExprPool *p = vm->sym->pool;
    Expr e = cell               ? cell_expr(vm, cell)
             : o->sym->array.id ? expr_array_select(p, o->sym->array, expr_const(p, 64, offset))
                                : EXPR_NONE;
    return !expr_is_none(e) && expr_is_const(p, e) ? EXPR_NONE : e;
}

Expr sym_byte_or_const(Vm *vm, const Object *o, uint64_t offset)
{
    Expr e = sym_byte(vm, o, offset);
    return expr_is_none(e) ? expr_const(vm->sym->pool, 8, o->data[offset]) : e;
}

bool sym_any(const Object *o, uint64_t offset, uint64_t n)
{
    if (!o->sym)
        return false;
    if (o->sym->array.id)
        return true;
    for (uint64_t i = offset; i < offset + n; i++) {
        if (!o->sym->pages[i >> SYM_PAGE_LOG])
            i |= SYM_PAGE - 1;
        else if (sym_cell(o, i))
            return true;
    }
    return false;
}

void sym_clear(Vm *vm, Object *o, uint64_t offset, uint64_t n)
{
    if (!o->sym)
        return;
    ExprPool *p = vm->sym->pool;
    if (o->sym->array.id && n == o->size) {
        sym_bytes_drop(o->sym);
        o->sym = NULL;
        mem_refresh(o);
        return;
    }
    for (uint64_t i = offset; i < offset + n; i++)
        sym_cell_set(o, i, o->sym->array.id ? expr_const(p, 8, o->data[i]).id : 0);
    settle(o);
}

void sym_set(Vm *vm, Object *o, uint64_t offset, unsigned n, Expr e)
{
    for (unsigned i = 0; i < n && !vm->sym->options.concrete; i++)
        sym_cell_set(o, offset + i, e.id | (uint64_t)i << 32);
}

Expr sym_word(Vm *vm, const Object *o, uint64_t offset, unsigned n)
{
    Expr bytes[16];
    uint64_t first = sym_cell(o, offset);
    ExprPool *p = vm->sym->pool;
    bool whole = first != 0 && first >> 32 == 0 && expr_width(p, (Expr){(uint32_t)first}) == 8 * n,
         any = false;
    for (unsigned i = 1; whole && i < n; i++)
        whole = sym_cell(o, offset + i) == (first | (uint64_t)i << 32);
    if (whole)
        return (Expr){(uint32_t)first};
    for (unsigned i = 0; i < n; i++) {
        bytes[i] = sym_byte(vm, o, offset + i);
        any |= !expr_is_none(bytes[i]);
    }
    if (!any)
        return EXPR_NONE;
    for (unsigned i = 0; i < n; i++)
        if (expr_is_none(bytes[i]))
            bytes[i] = expr_const(p, 8, o->data[offset + i]);
    return expr_concat_bytes(p, bytes, n);
}

static bool has_page(const Object *o, uint64_t offset)
{
    return o->sym && o->sym->pages[offset >> SYM_PAGE_LOG];
}

/* Between objects whose bytes have cells or none: where neither has a page there is nothing to do. */
static void copy_pages(Object *to, uint64_t at, const Object *from, uint64_t start, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        uint64_t left = SYM_PAGE - 1 - ((start + i) & (SYM_PAGE - 1)),
                 other = SYM_PAGE - 1 - ((at + i) & (SYM_PAGE - 1));
        if (has_page(from, start + i) || has_page(to, at + i))
            sym_cell_set(to, at + i, from->sym ? sym_cell(from, start + i) : 0);
        else
            i += left < other ? left : other;
    }
}

void sym_copy(Vm *vm, Object *to, uint64_t at, const Object *from, uint64_t start, uint64_t n)
{
    if (!to->sym && !sym_any(from, start, n))
        return;
    bool arrays = (to->sym && to->sym->array.id) || (from->sym && from->sym->array.id);
    if (to != from && !arrays) {
        copy_pages(to, at, from, start, n);
        settle(to);
        return;
    }
    uint64_t *cells = mem_zalloc(n * sizeof *cells);
    for (uint64_t i = 0; from->sym && i < n; i++) {
        cells[i] = sym_cell(from, start + i);
        if (!cells[i] && from->sym->array.id)
            cells[i] = sym_byte(vm, from, start + i).id;
    }
    bool array = to->sym && to->sym->array.id;
    for (uint64_t i = 0; i < n; i++) {
        if (!cells[i] && array)
            cells[i] = expr_const(vm->sym->pool, 8, from->data[start + i]).id;
        sym_cell_set(to, at + i, cells[i]);
    }
    mem_free(cells);
    settle(to);
}
