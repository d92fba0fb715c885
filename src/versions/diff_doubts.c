/* diff_doubts.c - what a comparison leaves out. */
#include "versions/diff_int.h"

enum { DOUBTS_MOST = 8 };

/* Entries about bounded loops, or all the others. */
static void add_entries(Diff *d, const Joint *j, bool loops, DiffFn *f)
{
    for (unsigned version = 0; version < 2; version++)
        for (uint32_t i = 0; i < ledger_count(j->ledger[version]) && f->doubts.n < DOUBTS_MOST; i++) {
            const LedgerEntry *e = ledger_entry(j->ledger[version], i);
            Str text = {0};
            if ((e->kind == LEDGER_LOOP) != loops)
                continue;
            ledger_entry_text(e, d->versions->program[version], &text);
            vec_push(&f->doubts, arena_strdup(d->arena, str_text(&text)));
            str_free(&text);
        }
}

static void add_assumptions(Diff *d, const Ledger *ledger)
{
    Str assumed = {0};
    ledger_assumptions_text(ledger, &assumed);
    for (uint32_t i = 0; i < d->assumed.n; i++)
        if (!strcmp(d->assumed.v[i], str_text(&assumed)))
            vec_clear(&assumed);
    if (assumed.n)
        vec_push(&d->assumed, arena_strdup(d->arena, str_text(&assumed)));
    str_free(&assumed);
}

static void add_ledgers(Diff *d, const Joint *j, DiffFn *f)
{
    add_entries(d, j, false, f);
    add_entries(d, j, true, f); /* last: the bound may not be the user's */
    add_assumptions(d, j->ledger[VERSIONS_NEW]);
    add_assumptions(d, j->ledger[VERSIONS_OLD]);
}

/* Without an input there is one run; that is all there is if nothing from outside is read. */
static bool reads_nothing(const Joint *j, unsigned version)
{
    const IrProgram *p = j->versions->program[version];
    uint32_t main = ir_fn_find(p, "main");
    return main != IR_NONE && !p->fns.v[main].nparams &&
           ir_fn_find(p, "__sheaf_read") == IR_NONE; /* all of libc's ways to read end there */
}

/* Can the program change files, directories or their names? */
static bool changes_files(const IrProgram *p)
{
    static const char *const all[] = {"__sheaf_open",  "__sheaf_unlink", "__sheaf_rename", "__sheaf_mkdir",
                                      "__sheaf_rmdir", "__sheaf_chdir",  "__sheaf_chmod"};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        if (ir_fn_find(p, all[i]) != IR_NONE)
            return true;
    return false;
}

/* What goes to files, and what becomes of them, is no output of a row. */
static bool writes_files(const Joint *j)
{
    for (unsigned v = 0; v < 2; v++) {
        const char *entry = j->options.entry[v] ? j->options.entry[v] : "main";
        uint32_t fn = ir_fn_find(j->versions->program[v], entry);
        FlowPlaces places = fn == IR_NONE ? (FlowPlaces){0} : flow_fn_writes(j->flow[v], fn);
        bool changes = changes_files(j->versions->program[v]);
        for (uint32_t i = 0; changes && i < places.n; i++) {
            const FlowObject *o =
                places.v[i].param == IR_NONE ? flow_object(j->flow[v], places.v[i].object) : NULL;
            if (o && (o->kind == FLOW_ANY || (o->kind == FLOW_STREAM && o->index == FLOW_FILES)))
                return true;
        }
    }
    return false;
}

void diff_add_doubts(Diff *d, Joint *j, DiffFn *f)
{
    add_ledgers(d, j, f);
    const char *differs = vm_shapes_differ(j->vm[VERSIONS_OLD], j->vm[VERSIONS_NEW]);
    if (differs)
        vec_push(&f->doubts,
                 arena_printf(d->arena, "what %s leads to has another shape in each version", differs));
    if (writes_files(j))
        vec_push(&f->doubts, "what it may write to files, and do to their names, is not compared");
}

bool diff_is_blind(const Joint *j)
{
    return !j->inputs && !j->options.entry[VERSIONS_NEW] && !(reads_nothing(j, 0) && reads_nothing(j, 1));
}
