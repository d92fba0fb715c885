/* choices.c - which values runs have chosen where not every value is an alternative of its own.
 *
 * Values are tried one after the other: each run excludes the value that it chose, and asks for another one.
 * Where several processes explore, each knows its own values. So a task takes those with it that it excludes,
 * and the process that runs it adopts them: the next task there excludes more than this one, and some process
 * comes to the end. */
#include "explore/dependence.h"

static Choice *choice_of(Choices *s, uint64_t name)
{
    uint64_t at;
    if (!map_get(&s->places, name, &at)) {
        map_put(&s->places, name, at = s->list.n);
        vec_push(&s->list, (Choice){.name = name});
    }
    return &s->list.v[at];
}

void choice_exclude(Choices *s, Fingerprints *fingerprints, uint64_t name, Expr condition)
{
    Choice *c = choice_of(s, name);
    uint64_t is = fingerprint_of(fingerprints, condition);
    if (marks_set(&s->known, hash_mix(name, is), 1, 1))
        return;
    c->excluded = path_add(c->excluded, condition);
    c->set += hash_u64(is);
    s->n++;
}

void choice_adopt(Choices *s, Fingerprints *fingerprints, const Task *task)
{
    const Path *path = task->path;
    for (uint32_t i = 0; i < task->tries && path; i++)
        path = path->parent;
    for (uint32_t i = 0; i < task->excluded && path; i++, path = path->parent)
        choice_exclude(s, fingerprints, task->choice, path->condition);
}

uint64_t choice_task(const Choices *s, uint64_t name)
{
    return hash_mix(name, s->list.v[map_get_or(&s->places, name, 0)].set);
}

Path *choice_path(const Choices *s, uint64_t name, Path *path)
{
    ExprVec list = {0};
    path_list(s->list.v[map_get_or(&s->places, name, 0)].excluded, &list);
    for (uint32_t i = 0; i < list.n; i++)
        path = path_add(path, list.v[i]);
    vec_free(&list);
    return path;
}

void choices_move(Choices *s, ExprImport *import)
{
    for (uint32_t i = 0; i < s->list.n; i++)
        s->list.v[i].excluded = path_move(s->list.v[i].excluded, import);
}

void choices_free(Choices *s)
{
    for (uint32_t i = 0; i < s->list.n; i++)
        path_drop(s->list.v[i].excluded);
    vec_free(&s->list);
    map_free(&s->places);
    marks_free(&s->known);
}
