/* both_names.c - parameters of a function may have other names in the other version. Machines know those of
 * NEW for both (versions_pair), and so does a test; a native build knows its own. */
#include "cli/both.h"

/* Lives until the next call for another entry. */
static const StrVec *parameters_of(Both *b, unsigned version, const char *entry)
{
    for (uint32_t i = 0; i < b->entries[version].n; i++)
        if (!strcmp(b->entries[version].v[i].entry, entry))
            return &b->entries[version].v[i].names;
    SuiteProgram p = {.entry = entry};
    BothEntry found = {.entry = arena_strdup(b->arena, entry)};
    if (suite_program_entry(&p, &b->version[version]->program, b->arena))
        for (uint32_t i = 0; i < p.names.n; i++)
            vec_push(&found.names, arena_strdup(b->arena, p.names.v[i]));
    vec_free(&p.types);
    vec_free(&p.names);
    vec_free(&p.entry_flags);
    vec_free(&p.own_flags);
    vec_push(&b->entries[version], found);
    return &b->entries[version].v[b->entries[version].n - 1].names;
}

static uint32_t position_of(const StrVec *names, const char *name)
{
    for (uint32_t i = 0; i < names->n; i++)
        if (!strcmp(names->v[i], name))
            return i;
    return UINT32_MAX;
}

static bool has_all(const StrVec *names, const SuiteTest *t)
{
    for (uint32_t i = 0; i < t->objects.n; i++)
        if (t->objects.v[i].origin == SUITE_FROM_PARAMETER &&
            position_of(names, t->objects.v[i].name) == UINT32_MAX)
            return false;
    return true;
}

/* Renames the parameters of a test, if all of them are in `from`. */
static void rename_parameters(SuiteTest *t, const StrVec *from, const StrVec *to)
{
    if (!has_all(from, t))
        return;
    for (uint32_t i = 0; i < t->objects.n; i++) {
        SuiteObject *o = &t->objects.v[i];
        uint32_t at = o->origin == SUITE_FROM_PARAMETER ? position_of(from, o->name) : UINT32_MAX;
        if (at < to->n)
            o->name = arena_strdup(t->arena, to->v[at]);
    }
}

/* Of the entry, by its names in the versions. */
static void names_of(Both *b, const char *const entry[2], const StrVec *names[2])
{
    for (unsigned v = 0; v < 2; v++)
        parameters_of(b, v, entry[v]);
    for (unsigned v = 0; v < 2; v++) /* both are there now: nothing moves */
        names[v] = parameters_of(b, v, entry[v]);
}

void both_name_old(Both *b, SuiteTest *t, const char *const entry[2])
{
    const StrVec *names[2];
    if (!strcmp(entry[VERSIONS_OLD], "main"))
        return;
    names_of(b, entry, names);
    rename_parameters(t, names[VERSIONS_NEW], names[VERSIONS_OLD]);
}

const char *both_old_entry(const Versions *v, const char *entry)
{
    uint32_t fn = ir_fn_find(v->program[VERSIONS_NEW], entry),
             pair = fn == IR_NONE ? IR_NONE : v->fn_of[VERSIONS_NEW].v[fn];
    if (pair == IR_NONE)
        return entry;
    uint32_t old = v->fns.v[pair].fn[VERSIONS_OLD];
    return old == IR_NONE ? NULL
                          : ir_text(v->program[VERSIONS_OLD], v->program[VERSIONS_OLD]->fns.v[old].name);
}

void both_name_suite(Both *b, const Versions *v, const SuiteTestVec *suite)
{
    for (uint32_t i = 0; i < suite->n; i++) {
        SuiteTest *t = suite->v[i];
        const char *entry[2] = {both_old_entry(v, t->entry), t->entry};
        const StrVec *names[2];
        if (!strcmp(t->entry, "main") || !entry[VERSIONS_OLD])
            continue;
        names_of(b, entry, names);
        bool of_old = !strcmp(t->program, b->maker[VERSIONS_OLD].program_hash);
        if (of_old || !has_all(names[VERSIONS_NEW], t))
            rename_parameters(t, names[VERSIONS_OLD], names[VERSIONS_NEW]);
    }
}
