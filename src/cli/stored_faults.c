/* stored_faults.c - see stored_faults.h. */
#include "cli/stored_faults.h"

#include "explore/explore.h"

static const char *text_of(const char *text) { return text ? text : ""; }
static const char *kept_text(Arena *a, const char *text) { return text[0] ? arena_strdup(a, text) : NULL; }

static void pack_stack(const ReportFault *f, Str *out)
{
    for (uint32_t i = 0; i < f->stack.n; i++) {
        wire_uint(out, f->stack.v[i].fn);
        wire_uint(out, f->stack.v[i].site);
    }
}

static bool put_fault(const Report *r, const ReportFault *f, Store *store)
{
    char where[512];
    Str stack = {0};
    bool users = explore_is_users(r->program, f->site);
    pack_stack(f, &stack);
    StoreFault row = {.kind = vm_fault_suffix(f->kind),
                      .need = "",
                      .site = users ? ir_site_text(r->program, f->site, where, sizeof where) : "",
                      .function = f->fn,
                      .maker = text_of(f->maker),
                      .message = f->message,
                      .test = text_of(f->test),
                      .input = text_of(f->input),
                      .witness = text_of(f->witness),
                      .place = f->site,
                      .verdict = f->verdict,
                      .replays = f->replays,
                      .count = f->count,
                      .stack = str_text(&stack),
                      .stack_size = stack.n};
    bool ok = store_fault_put(store, &row);
    str_free(&stack);
    return ok;
}

static bool put_need(const Report *r, const ReportNeed *n, Store *store)
{
    char where[512];
    bool users = explore_is_users(r->program, n->site);
    StoreFault row = {.kind = vm_fault_suffix(n->kind),
                      .need = n->text,
                      .site = users ? ir_site_text(r->program, n->site, where, sizeof where) : "",
                      .function = n->fn,
                      .maker = text_of(n->maker),
                      .message = n->message,
                      .test = "",
                      .input = "",
                      .witness = "",
                      .place = n->site,
                      .count = n->count};
    return store_fault_put(store, &row);
}

bool stored_faults_put(const Report *r, Store *store)
{
    bool ok = true;
    for (uint32_t i = 0; i < r->faults.n && ok; i++)
        ok = put_fault(r, &r->faults.v[i], store);
    for (uint32_t i = 0; i < r->needs.n && ok; i++)
        ok = put_need(r, &r->needs.v[i], store);
    return ok;
}

/* ---- and back -------------------------------------------------------------------------------- */

typedef struct Getting {
    Report *report;
    const char *directory;
    bool bad;
} Getting;

static bool kind_of(const char *suffix, VmFaultKind *out)
{
    for (unsigned k = 0; k < VM_FAULT_COUNT; k++)
        if (!strcmp(vm_fault_suffix((VmFaultKind)k), suffix)) {
            *out = (VmFaultKind)k;
            return true;
        }
    return false;
}

static bool unpack_stack(const StoreFault *row, const IrProgram *p, ReportFault *f)
{
    Wire in = wire_of(row->stack, row->stack_size);
    while (in.left && !in.bad) {
        VmFrameInfo frame;
        frame.fn = (uint32_t)wire_get_below(&in, p->fns.n);
        frame.site = wire_get_u32(&in);
        if (frame.site != IR_NONE && frame.site >= p->sites.n)
            wire_refuse(&in);
        if (!in.bad)
            vec_push(&f->stack, frame);
    }
    return !in.bad;
}

static void get_need(Report *r, const StoreFault *row, VmFaultKind kind)
{
    vec_push(&r->needs, (ReportNeed){.text = arena_strdup(r->arena, row->need),
                                     .kind = kind,
                                     .site = row->place,
                                     .fn = arena_strdup(r->arena, row->function),
                                     .maker = kept_text(r->arena, row->maker),
                                     .message = arena_strdup(r->arena, row->message),
                                     .count = row->count});
}

/* The directory may have been moved since. */
static const char *kept_path(const Getting *g, const char *test)
{
    const char *name = strrchr(test, '/');
    return name ? arena_printf(g->report->arena, "%s/tests%s", g->directory, name)
                : kept_text(g->report->arena, test);
}

static void get_one(void *context, const StoreFault *row)
{
    Getting *g = context;
    Report *r = g->report;
    VmFaultKind kind;
    if (!kind_of(row->kind, &kind) || (row->place != IR_NONE && row->place >= r->program->sites.n) ||
        row->verdict > REPORT_NOT_CONFIRMED) {
        g->bad = true;
        return;
    }
    if (row->need[0]) {
        get_need(r, row, kind);
        return;
    }
    ReportFault f = {.kind = kind,
                     .site = row->place,
                     .fn = arena_strdup(r->arena, row->function),
                     .maker = kept_text(r->arena, row->maker),
                     .message = arena_strdup(r->arena, row->message),
                     .test = kept_path(g, row->test),
                     .input = kept_text(r->arena, row->input),
                     .verdict = (ReportVerdict)row->verdict,
                     .witness = kept_text(r->arena, row->witness),
                     .replays = row->replays,
                     .count = row->count};
    g->bad |= !unpack_stack(row, r->program, &f);
    vec_push(&r->faults, f);
}

bool stored_faults_get(Report *r, const char *directory, Store *store)
{
    Getting g = {.report = r, .directory = directory};
    return store_faults(store, get_one, &g) && !g.bad;
}
