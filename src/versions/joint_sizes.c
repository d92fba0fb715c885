/* joint_sizes.c - the object behind a pointer of an entry has one size in both versions.
 *
 * Without types the machine makes such an object as large as its program uses it. Where one version uses more
 * than the other, the two would not be the same input: each would have contents of its own, and be called
 * different for that. So sizes are noted; if two differ, the comparison begins anew with the larger one. */
#include "versions/joint_int.h"

static bool note_size(Joint *j, const char *name, uint32_t bytes)
{
    struct JointWork *w = j->work;
    for (uint32_t i = 0; i < w->sizes.n; i++)
        if (!strcmp(w->sizes.v[i].name, name)) {
            bool same = w->sizes.v[i].bytes == bytes;
            if (bytes > w->sizes.v[i].bytes)
                w->sizes.v[i].bytes = bytes;
            return same;
        }
    vec_push(&w->sizes, ((VmInputExtent){arena_strdup(j->arena, name), bytes}));
    return true;
}

bool joint_sizes_agree(Joint *j, const VmTrace *const trace[2])
{
    bool agree = true;
    for (unsigned v = 0; v < 2; v++)
        for (uint32_t i = 0; i < trace[v]->inputs.n; i++) {
            const VmInputUse *use = &trace[v]->inputs.v[i];
            const ExprObjectInfo *info = expr_object_info(j->pool, use->object);
            if (use->origin == VM_INPUT_POINTEE)
                agree &= note_size(j, info->name, info->size);
        }
    return agree;
}

void joint_sizes_tell(Joint *j, VmInputs *inputs)
{
    VmInputExtent *known = arena_alloc(j->arena, (j->work->sizes.n + 1) * sizeof *known);
    for (uint32_t i = 0; i < j->work->sizes.n; i++)
        known[i] = j->work->sizes.v[i];
    inputs->extents = known;
    inputs->nextents = j->work->sizes.n;
}
