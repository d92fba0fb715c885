/* joint_padding.c - bytes between the members of a structure, which have no value in C.
 *
 * A version that copies a whole structure sets them, one that sets its members does not. That is no
 * difference of the function. A caller may compare whole structures nevertheless (memcmp), so that what is
 * the same but for such bytes does not count as unchanged when its callers are judged. */
#include "versions/joint_compare.h"

/* The type of one element of what the output shows; 0: it is not known. */
static uint32_t type_of(const Joint *j, const VmTrace *trace, unsigned version, const char *name)
{
    const IrProgram *p = j->versions->program[version];
    uint32_t fn = j->options.entry[version] ? ir_fn_find(p, j->options.entry[version]) : IR_NONE;
    uint32_t result = fn != IR_NONE && p->fns.v[fn].ctypes.n ? p->fns.v[fn].ctypes.v[0] : 0;
    if (!strcmp(name, "return"))
        return result;
    if (!strcmp(name, "*return"))
        return result && p->ctypes.v[result].kind == IR_C_POINTER ? p->ctypes.v[result].of : 0;
    for (uint32_t i = 0; i < trace->inputs.n; i++) {
        const VmInputUse *use = &trace->inputs.v[i];
        if (use->origin == VM_INPUT_POINTEE && !strcmp(expr_object_info(j->pool, use->object)->name, name))
            return vm_input_ctype(j->vm[version], use->object);
    }
    uint32_t global = ir_global_find(p, name);
    return global == IR_NONE ? 0 : p->globals.v[global].ctype;
}

/* Of further elements that is said only where objects are made after their types: else there may be one
 * larger object of another type, of which this one is the beginning. */
bool joint_is_padding(const Joint *j, const VmTrace *const trace[2], const char *name, uint32_t byte)
{
    bool elements = j->options.explore.symbolic.inputs.shape == VM_SHAPE_TYPES, known = false;
    for (unsigned v = 0; v < 2; v++) {
        const IrProgram *p = j->versions->program[v];
        uint32_t type = type_of(j, trace[v], v, name);
        if (!type || type >= p->ctypes.n || !p->ctypes.v[type].size)
            continue;
        if (!ir_ctype_is_padding(p, type, elements ? byte % p->ctypes.v[type].size : byte))
            return false;
        known = true;
    }
    return known;
}
