/* diff_findings.c - rows that differ, as findings: rows of one kind are one, and each is run natively. */
#include "versions/diff_int.h"

enum {
    FINDINGS_MOST = 16,   /* of one function that are kept apart */
    TEXT_MOST = 600,      /* characters of a condition */
    UNCONFIRMED_MOST = 16 /* native runs of one function that show no difference, before there are no more */
};

/* A disjunction inside a conjunction needs parentheses. */
static void print_conjunct(const ExprPool *p, Expr c, bool alone, Str *out)
{
    Str text = {0};
    expr_print_c(p, c, TEXT_MOST, &text);
    bool loose = !alone && (strstr(str_text(&text), " || ") || strstr(str_text(&text), " ? "));
    str_printf(out, loose ? "(%s)" : "%s", str_text(&text));
    str_free(&text);
}

static const char *text_of(Diff *d, Joint *j, const JointRow *row)
{
    ExprVec condition = {0};
    Str text = {0};
    joint_condition(j, row, &condition);
    for (uint32_t i = 0; i < condition.n; i++) {
        str_add(&text, i ? " && " : "");
        if (text.n > TEXT_MOST) {
            str_printf(&text, "... (%u more)", condition.n - i);
            break;
        }
        print_conjunct(j->pool, condition.v[i], condition.n == 1, &text);
    }
    const char *result = arena_strdup(d->arena, condition.n ? str_text(&text) : "always");
    str_free(&text);
    vec_free(&condition);
    return result;
}

static const char *copy(Diff *d, const char *text) { return text ? arena_strdup(d->arena, text) : NULL; }

/* What differs, for which inputs: whatever the order of rows, and wherever the code stands. */
static uint64_t hash_of(const Joint *j, const JointRow *row)
{
    uint64_t hash = 0;
    Str text = {0};
    for (uint32_t i = 0; i <= row->condition.n; i++) {
        Expr c = i < row->condition.n ? row->condition.v[i] : row->where;
        vec_clear(&text);
        if (!expr_is_none(c))
            expr_print_c(j->pool, c, TEXT_MOST, &text);
        hash += hash_mix(hash_bytes(str_text(&text), text.n), 1);
    }
    for (uint32_t i = 0; i < row->changes.n; i++)
        for (unsigned v = 0; v < 2; v++)
            hash = hash_mix(hash, hash_bytes(row->changes.v[i].text[v], strlen(row->changes.v[i].text[v])));
    str_free(&text);
    return hash;
}

/* Rows of one kind at one place, or in the same outputs whose runs part in one place, are one finding. */
static DiffFinding *find_alike(DiffFn *f, const DiffFinding *like)
{
    for (uint32_t i = 0; i < f->findings.n; i++) {
        DiffFinding *g = &f->findings.v[i];
        bool same = g->kind == like->kind && g->class == like->class && g->changes.n == like->changes.n;
        if (like->kind != DIFF_CHANGE)
            same =
                same && g->fault == like->fault && g->site[0] == like->site[0] && g->site[1] == like->site[1];
        else
            same = same && g->parts == like->parts;
        for (uint32_t k = 0; same && k < like->changes.n; k++)
            same = !strcmp(g->changes.v[k].name, like->changes.v[k].name);
        if (same)
            return g;
    }
    return NULL;
}

static DiffFinding finding_of(Diff *d, Joint *j, const DiffFn *f, const JointRow *row)
{
    const VersionsFn *pair = &d->versions->fns.v[f->pair];
    DiffFinding g = {.kind = row->fault_new    ? DIFF_NEW_FAULT
                             : row->fault_gone ? DIFF_FAULT_GONE
                                               : DIFF_CHANGE,
                     .class = row->class,
                     .parts = row->parts};
    unsigned version = row->fault_new ? VERSIONS_NEW : VERSIONS_OLD;
    for (unsigned v = 0; v < 2; v++)
        g.site[v] = g.kind == DIFF_CHANGE || row->end[v].ending != VM_END_FAULT
                        ? d->versions->program[v]->fns.v[pair->fn[v]].site
                        : row->end[v].site;
    if (g.kind != DIFF_CHANGE) {
        const SignatureEnd *end = &row->end[version];
        g.fault = end->fault;
        g.message = copy(d, end->message);
        g.where = end->fn == IR_NONE ? NULL
                                     : copy(d, ir_text(j->versions->program[version],
                                                       j->versions->program[version]->fns.v[end->fn].name));
    }
    for (uint32_t i = 0; i < row->changes.n; i++) {
        const JointChange *c = &row->changes.v[i];
        JointChange kept = {copy(d, c->name),
                            {copy(d, c->text[0]), copy(d, c->text[1])},
                            {copy(d, c->value[0]), copy(d, c->value[1])}};
        vec_push(&g.changes, kept);
    }
    return g;
}

bool diff_take_row(Diff *d, Joint *j, DiffFn *f, JointRow *row)
{
    DiffFinding g = finding_of(d, j, f, row), *known = find_alike(f, &g);
    bool kept = known || f->findings.n < FINDINGS_MOST;
    if (known) {
        known->which = (known->rows ? known->which : 0) + hash_of(j, row);
        known->rows++;
    }
    if (known && d->options.on_alike)
        d->options.on_alike(d->options.context, j, row, known);
    if (known || !kept) {
        vec_free(&g.changes);
        return true;
    }
    bool hopeless = f->unconfirmed >= UNCONFIRMED_MOST;
    if (hopeless || (d->options.confirm && !d->options.confirm(d->options.context, j, f, row, &g))) {
        f->unconfirmed++;
        row->verdict = JOINT_OPEN;
        row->why = "the machine finds a difference, and native runs of both versions show none";
        joint_blame_row(j, row);
        vec_free(&g.changes);
        return false;
    }
    g.when = text_of(d, j, row);
    g.rows = 1;
    g.which = hash_of(j, row);
    vec_push(&f->findings, g);
    return true;
}

void diff_drop_findings(DiffFn *f)
{
    for (uint32_t i = 0; i < f->findings.n; i++)
        vec_free(&f->findings.v[i].changes);
    vec_clear(&f->findings);
}
